#!/usr/bin/env bats
# Questions get the same answer by GET and by POST, and a negative answer is an answer, not an error.

load helper

setup_file() {
    start_with islands town
}

@test "a path over open ground is the straight line" {
    ask '/v1/meshes/islands/path?start=2,0,2&end=14,0,18'
    is "$STATUS" 200
    is "$(json '.status, .reason, .mesh, .version' | tr '\n' ' ')" 'complete null islands 1 '
    is "$(json '.points | length')" 2
    is "$(json '(.length - 20 | fabs) < 0.05 and (.cost - 20 | fabs) < 0.05')" true
    is "$(json '.lower_bound <= .cost + 0.001 and .lower_bound > 19.9')" true
    is "$(json '.points[0] == .start and .points[-1] == .end')" true
}

@test "GET and POST give the same bytes" {
    ask '/v1/meshes/town/path?start=2,0,2&end=80,3.4,16'
    is "$STATUS" 200
    local by_get=$BODY
    post_json /v1/meshes/town/path '{"start":[2,0,2],"end":[80,3.4,16]}'
    is "$STATUS" 200
    is "$BODY" "$by_get"
    ask '/v1/meshes/town/nearest?point=2,0.5,2&count=3'
    by_get=$BODY
    post_json /v1/meshes/town/nearest '{"point":[2,0.5,2],"count":3}'
    is "$BODY" "$by_get"
}

@test "a path leads over the bridge and up the stairs" {
    ask '/v1/meshes/town/path?start=2,0,2&end=80,3.4,16'
    is "$(json .status)" complete
    is "$(json '.length > 90 and .length < 115')" true
    is "$(json '.points | length > 6')" true
    is "$(json '[.points[][1]] | max > 3 and min > -0.5')" true
    # Its length is the sum of its parts.
    is "$(json '.points as $p | ([range(1; $p | length) as $i | [0, 1, 2] | map($p[$i][.] - $p[$i - 1][.] | . * .) | add | sqrt] | add) - .length | fabs < 0.05')" true
}

@test "exact and auto are proven shortest where all ground costs the same, fast bounds them" {
    local where='start=2,0,2&end=80,3.4,16' shortest
    ask "/v1/meshes/town/path?$where&search=exact"
    is "$STATUS" 200
    is "$(json '.status, .optimal, (.cost - .lower_bound | fabs < 0.001)' | tr '\n' ' ')" 'complete true true '
    shortest=$(json .cost)
    ask "/v1/meshes/town/path?$where"
    is "$(json '.optimal, .cost' | tr '\n' ' ')" "true $shortest "
    ask "/v1/meshes/town/path?$where&search=fast"
    is "$(json ".cost >= $shortest - 0.001 and .lower_bound <= $shortest + 0.001")" true
    post_json /v1/meshes/town/path '{"start":[2,0,2],"end":[80,3.4,16],"search":"exact"}'
    is "$(json .cost)" "$shortest"
    ask "/v1/meshes/town/path?$where&search=shortest"
    is "$STATUS" 422
}

@test "a budget that the exact search uses up leaves the fast answer and a bound" {
    local where='start=2,0,2&end=80,3.4,16'
    ask "/v1/meshes/town/path?$where&search=exact"
    local shortest
    shortest=$(json .cost)
    ask "/v1/meshes/town/path?$where&search=exact&max_nodes=600"
    is "$STATUS" 200
    is "$(json ".lower_bound <= $shortest + 0.001 and (.status == \"partial\" or .cost >= $shortest - 0.001)")" true
}

@test "an island: partial, unreachable, and the points end close to the goal" {
    ask '/v1/meshes/islands/path?start=2,0,10&end=58,0,10'
    is "$STATUS" 200
    is "$(json '.status, .reason, .optimal' | tr '\n' ' ')" 'partial unreachable false '
    is "$(json '.points[-1][0] > 18.5 and .points[-1][0] < 20')" true
    is "$(json '(.points[-1][2] - 10 | fabs) < 0.5')" true
    # The town's walled courtyard.
    ask '/v1/meshes/town/path?start=2,0,2&end=45,0,45'
    is "$(json '.status, .reason' | tr '\n' ' ')" 'partial unreachable '
}

@test "a start in mid-air is an answer: none, start_off_mesh" {
    ask '/v1/meshes/islands/path?start=2,50,2&end=14,0,18'
    is "$STATUS" 200
    is "$(json '.status, .reason, (.points | length)' | tr '\n' ' ')" 'none start_off_mesh 0 '
}

@test "an end off the mesh is told as well" {
    ask '/v1/meshes/islands/path?start=2,0,2&end=14,50,18'
    is "$STATUS" 200
    is "$(json .reason)" end_off_mesh
}

@test "a budget of nodes ends the search with what it has" {
    ask '/v1/meshes/town/path?start=2,0,2&end=80,3.4,16&max_nodes=1'
    is "$STATUS" 200
    is "$(json '.status, .reason' | tr '\n' ' ')" 'partial node_budget '
}

@test "the snap box decides what is on the mesh" {
    post_json /v1/meshes/islands/path '{"start":[2,3,2],"end":[14,0,18]}'
    is "$(json .status)" complete
    post_json /v1/meshes/islands/path '{"start":[2,3,2],"end":[14,0,18],"snap":{"horizontal":2,"up":1,"down":1}}'
    is "$(json '.status, .reason' | tr '\n' ' ')" 'none start_off_mesh '
}

@test "nearest: position, distance, polygon, area and component" {
    ask '/v1/meshes/islands/nearest?point=10,1.5,10'
    is "$STATUS" 200
    is "$(json '.mesh, .version, (.points | length)' | tr '\n' ' ')" 'islands 1 1 '
    is "$(json '.points[0].position | .[0] == 10 and .[2] == 10 and (.[1] | fabs) < 0.3')" true
    is "$(json '.points[0] | .distance > 1.1 and .distance < 1.6')" true
    is "$(json '.points[0] | .area, (.polygon | type), (.component | type)' | tr '\n' ' ')" 'ground string number '
    ask '/v1/meshes/islands/nearest?point=10,100,10'
    is "$STATUS" 200
    is "$(json '.points | length')" 0
}

@test "nearest: the two islands are two components" {
    ask '/v1/meshes/islands/nearest?point=10,0,10'
    local one
    one=$(json '.points[0].component')
    ask '/v1/meshes/islands/nearest?point=50,0,10'
    [ "$(json '.points[0].component')" != "$one" ]
}

@test "nearest: floors above each other are ordered by distance" {
    ask '/v1/meshes/town/nearest?point=80,1,16&count=8'
    is "$(json '[.points[].distance] | . == sort')" true
    is "$(json '.points | length >= 2')" true
}

@test "fields that are missing, wrong or unknown are named" {
    ask '/v1/meshes/town/path?start=2,0,2'
    is_refused end
    ask '/v1/meshes/town/path?start=2,0&end=1,0,1'
    is_refused start
    ask '/v1/meshes/town/path?start=2,0,nan&end=1,0,1'
    is_error 422 invalid_field
    ask '/v1/meshes/town/path?start=2,0,2&end=1,0,1&fly=1'
    is_error 422 unknown_field
    post_json /v1/meshes/town/path '{"start":[2,0,2],"end":[1,0,1],"fly":true}'
    is_error 422 unknown_field
    post_json /v1/meshes/town/path '{"start":"here","end":[1,0,1]}'
    is_error 422 invalid_field
    post_json /v1/meshes/town/path '{"start":[2,0,2],'
    is_error 400 bad_json
    ask '/v1/meshes/town/nearest?point=0,0,0&count=0'
    is_error 422 invalid_field
}

@test "a path for an unknown mesh is 404" {
    ask '/v1/meshes/atlantis/path?start=2,0,2&end=1,0,1'
    is_error 404 mesh_not_found
    post_json /v1/meshes/atlantis/path '{"start":[2,0,2],"end":[1,0,1]}'
    is_error 404 mesh_not_found
}

@test "render.svg is a picture with the mesh, and with the path where one is asked for" {
    ask '/v1/meshes/town/versions/1/render.svg?width=500'
    is "$STATUS" 200
    [[ $(header Content-Type) == image/svg+xml* ]]
    [[ $BODY == *'<svg'*'xmlns="http://www.w3.org/2000/svg"'* ]]
    [[ $BODY == *'</svg>'* ]]
    [[ $BODY != *'<g id="path">'* ]]
    local without=${#BODY}
    ask '/v1/meshes/town/versions/1/render.svg?width=500&path=2,0,2,80,3.4,16'
    is "$STATUS" 200
    [[ $BODY == *'<g id="path">'* ]]
    [ "${#BODY}" -gt "$without" ]
    # Well-formed: every element that is opened is closed, in order.
    tr '\n' ' ' <<<"$BODY" | grep -oE '<[^>]+>' | awk '
        /^<[?!]/ || /\/>$/ { next }
        /^<\//  { gsub(/[<\/> ]/, ""); if (stack[depth--] != $0) exit 1; next }
                { gsub(/[<>]/, ""); split($0, word, " "); stack[++depth] = word[1] }
        END     { exit depth != 0 }'
    ask '/v1/meshes/town/versions/1/render.svg?width=7'
    is_error 422 invalid_field
}
