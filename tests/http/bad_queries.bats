#!/usr/bin/env bats
# Every question, with arguments of every kind, has a defined answer, or an error that names the field.

load helper

setup_file() {
    start_with square z_up
}

# Every kind with its arguments; A and B are replaced by places.
KINDS='path "start":A,"end":B
raycast "start":A,"end":B
move "start":A,"end":B
nearest "point":A
wall "point":A
random "center":A,"radius":2
reachable "start":A,"points":[B]
trace "positions":[A,B]
matrix "sources":[A],"targets":[B]
flood "start":A,"max_cost":100
paths "queries":[{"start":A,"end":B}]'

# Runs a check for each kind: its name, and the arguments from place to place, are $1 and $2.
each_kind() { # check place place
    local kind arguments
    while read -r kind arguments; do
        arguments=${arguments//A/$2}
        "$1" "$kind" "${arguments//B/$3}" || {
            echo "# of the kind $kind"
            return 1
        }
    done <<<"$KINDS"
}

refused() { # kind arguments
    post_json "/v1/meshes/square/$1" "{$2}"
    is_error 422 invalid_field
}

answered() { # kind arguments
    post_json "/v1/meshes/square/$1" "{$2}"
    is "$STATUS" 200
    is "$(json .mesh)" square
}

@test "an error shows a text as a text, also where it reads like a number" {
    refused nearest '"point":[3,0,10],"count":"3"'
    is "$(gojq -c '[.at, .got]' <<<"$BODY")" '["count","3"]'
    refused path '"start":[3,0,10],"end":[17,0,"10"]'
    is "$(gojq -c '[.at, .got]' <<<"$BODY")" '["end[2]","10"]'
    post_json /v1/meshes/square/active '{"version":"1"}' -X PUT
    is_error 422 invalid_field
    is "$(gojq -c '[.at, .got]' <<<"$BODY")" '["version","1"]'
    refused nearest '"point":[3,0,10],"count":99'
    is "$(gojq -c .got <<<"$BODY")" 99
}

@test "coordinates that are not finite numbers are refused by every kind, where they stand" {
    local number at
    for number in 1e999 -1e999 1e39 null '"NaN"' true '[]'; do
        each_kind refused "[3,0,$number]" '[17,0,10]'
    done
    for at in 'path start' 'raycast start' 'move start' 'nearest point' 'wall point' 'flood start' 'random center'; do
        ask "/v1/meshes/square/${at% *}?${at#* }=3,0,nan&end=17,0,10"
        is_error 422 invalid_field
        [[ $AT == "${at#* }"* ]]
    done
    refused path '"start":[3,1e999,10],"end":[17,0,10]'
    is "$(json '.at, .got' | tr '\n' ' ')" 'start[1] inf '
    refused reachable '"start":[3,0,10],"points":[[1,0,1],[17,0,-1e999]]'
    is "$AT" 'points[1][2]'
    refused trace '"positions":[[3,0,10],[1e999,0,0]]'
    is "$AT" 'positions[1][0]'
    refused matrix '"sources":[[3,0,10]],"targets":[[1,0,1],[1e999,0,1]]'
    is "$AT" 'targets[1][0]'
    for number in 1e999 -1 null '"NaN"'; do
        refused flood "\"start\":[3,0,10],\"max_cost\":$number"
        is "$AT" max_cost
    done
    refused paths '"queries":[{"start":[3,0,10],"end":[17,0,1e999]}]'
    is "$AT" 'queries[0].end[2]'
    refused nearest '"point":[0,0,0],"reachable_from":[1e999,0,0]'
    is "$AT" 'reachable_from[0]'
    refused floors '"x":1e999,"z":0'
    is "$AT" x
    ask '/v1/meshes/square/floors?x=inf&z=0'
    is_error 422 invalid_field
}

@test "a place far outside every mesh is on none" {
    each_kind answered '[1e30,0,0]' '[17,0,10]'
    answered path '"start":[1e30,0,0],"end":[17,0,10]'
    is "$(json '.status, .reason' | tr '\n' ' ')" 'none start_off_mesh '
    answered path '"start":[3,0,10],"end":[17,-1e30,10]'
    is "$(json .reason)" end_off_mesh
    answered move '"start":[3,0,10],"end":[1e30,0,10]'
    is "$(json '.position[0] > 18.5 and .position[0] < 20')" true
    answered matrix '"sources":[[3,0,10],[1e30,0,0]],"targets":[[17,0,10],[0,-1e30,0]]'
    is "$(json '.complete, .sources_off_mesh, .targets_off_mesh, .costs | tojson' | tr '\n' ' ')" 'true [1] [1] [[14,null],[null,null]] '
    answered flood '"start":[1e30,0,0],"max_cost":5'
    is "$(json '.reason, (.polygons | length)' | tr '\n' ' ')" 'start_off_mesh 0 '
    answered raycast '"start":[3,0,10],"end":[1e30,0,10]'
    is "$(json '.hit, (.position[0] > 18.5 and .position[0] < 20)' | tr '\n' ' ')" 'true true '
}

@test "from a place to itself" {
    each_kind answered '[5,0,5]' '[5,0,5]'
    answered path '"start":[5,0,5],"end":[5,0,5]'
    is "$(json '.status, .length, .cost, .optimal, .lower_bound' | tr '\n' ' ')" 'complete 0 0 true 0 '
    answered raycast '"start":[5,0,5],"end":[5,0,5]'
    is "$(json '.hit, .t, .cost' | tr '\n' ' ')" 'false 1 0 '
    answered move '"start":[5,0,5],"end":[5,0,5]'
    is "$(json '.position[0], .position[2], (.visited | length)' | tr '\n' ' ')" '5 5 1 '
    answered matrix '"sources":[[5,0,5]],"targets":[[5,0,5]]'
    is "$(json '.optimal, .costs | tojson' | tr '\n' ' ')" 'true [[0]] '
    answered flood '"start":[5,0,5],"max_cost":0'
    is "$(json '(.polygons | length), .polygons[0].cost' | tr '\n' ' ')" '1 0 '
    answered reachable '"start":[5,0,5],"points":[[5,0,5]]'
    is "$(json '.reachable[0]')" true
    answered trace '"positions":[[5,0,5],[5,0,5]],"times_ms":[0,10],"max_speed":1'
    is "$(json .legal)" true
    answered trace '"positions":[[5,0,5],[5,0,5]],"times_ms":[10,10],"max_speed":1'
    is "$(json '.step, .reason' | tr '\n' ' ')" '1 time '
}

@test "within one polygon the path is the straight line" {
    answered path '"start":[3,0,4],"end":[6,0,8],"details":["polygons"]'
    is "$(json '.status, .cost, .optimal, (.points | length)' | tr '\n' ' ')" 'complete 5 true 2 '
    is "$(json '.details.polygons | length')" 1
}

@test "a place on an edge or a corner of the mesh is on it" {
    # The corner of the ground is what is nearest to the level's corner, the edge to its side.
    local corner edge
    answered nearest '"point":[0,0,0]'
    corner=$(json '.points[0].position | tojson')
    answered nearest '"point":[0,0,10]'
    edge=$(json '.points[0].position | tojson')
    each_kind answered "$corner" "$edge"
    answered nearest "\"point\":$corner"
    is "$(json '.points[0].distance')" 0
    answered path "\"start\":$corner,\"end\":$edge"
    is "$(json '.status, (.points | length)' | tr '\n' ' ')" 'complete 2 '
    answered wall "\"point\":$corner"
    is "$(json '.hit, .distance, (.normal | map(. * .) | add)' | tr '\n' ' ')" 'true 0 1 '
    answered raycast "\"start\":$edge,\"end\":[-5,0,10]"
    is "$(json '.hit, .t, .normal[0]' | tr '\n' ' ')" 'true 0 1 '
    answered raycast "\"start\":$corner,\"end\":[10,0,10]"
    is "$(json .hit)" false
    answered move "\"start\":$corner,\"end\":[-5,0,-5]"
    is "$(json '.position | tojson')" "$corner"
    answered move "\"start\":$edge,\"end\":[-5,0,12]"
    is "$(json '.position[2]')" 12
    answered matrix "\"sources\":[$corner,$edge],\"targets\":[$edge,$corner]"
    is "$(json '.costs | .[0][1] == 0 and .[1][0] == 0 and .[0][0] == .[1][1] and .[0][0] > 8')" true
    answered flood "\"start\":$corner,\"max_cost\":1"
    is "$(json '.reason, .polygons[0].cost' | tr '\n' ' ')" 'null 0 '
    answered reachable "\"start\":$corner,\"points\":[$edge,[10,0,10]]"
    is "$(json '.reachable | tojson')" '[true,true]'
    answered trace "\"positions\":[$corner,$edge,[10,0,10],$corner]"
    is "$(json .legal)" true
}

@test "nothing is too small: radius 0, and a snap box of no size" {
    answered wall '"point":[10,0,10],"max_radius":0'
    is "$(json '.hit, .distance, .position' | tr '\n' ' ')" 'false 0 null '
    answered nearest '"point":[0,0,10]'
    answered wall "\"point\":$(json '.points[0].position | tojson'),\"max_radius\":0"
    is "$(json '.hit, .distance' | tr '\n' ' ')" 'true 0 '
    answered random '"center":[10,0,10],"radius":0,"count":3'
    is "$(json '[.points[].position | [.[0], .[2]]] | unique | tojson')" '[[10,10]]'
    is "$(json '.points | length')" 3
    answered nearest '"point":[10,0,10],"snap":{"horizontal":0,"up":4,"down":0}'
    is "$(json '.points | length')" 1
    answered nearest '"point":[10,0,10],"snap":{"horizontal":0,"up":0,"down":0}'
    is "$(json '.points | length')" 0
    # An agent keeps its radius from a point as well; a price on a point is nothing.
    answered path '"start":[3,0,10],"end":[17,0,10],"avoid":[{"shape":"circle","center":[10,0,10],"radius":0}]'
    is "$(json '.status, (.cost > 14 and .cost < 14.2)' | tr '\n' ' ')" 'complete true '
    answered path '"start":[3,0,10],"end":[17,0,10],"avoid":[{"shape":"circle","center":[10,0,10],"radius":0,"cost":3}]'
    is "$(json .cost)" 14
    refused wall '"point":[10,0,10],"max_radius":-1'
    refused random '"center":[10,0,10],"radius":-1'
    refused path '"start":[3,0,10],"end":[17,0,10],"avoid":[{"shape":"circle","center":[10,0,10],"radius":-1}]'
}

bad_filter() { # kind arguments
    refused "$1" "$2,\"filter\":$FILTER" || return 1
    [[ $AT == filter.* ]]
}

bad_filter_by_default() { # kind arguments; a batch has its filters elsewhere
    case $1 in
    paths)
        refused paths "$2,\"defaults\":{\"filter\":$FILTER}" || return 1
        [[ $AT == defaults.filter.* ]]
        refused paths "${2%\}]},\"filter\":$FILTER}]" || return 1
        [[ $AT == 'queries[0].filter.'* ]]
        ;;
    *) bad_filter "$@" ;;
    esac
}

@test "costs below 0, of 0 and not finite, unknown areas and flags: refused by every kind" {
    for FILTER in '{"costs":{"ground":-1}}' '{"costs":{"ground":0}}' '{"costs":{"ground":1e999}}' \
        '{"costs":{"lava":2}}' '{"include":["fly"]}' '{"exclude":["fly"]}'; do
        each_kind bad_filter_by_default '[3,0,10]' '[17,0,10]'
        refused floors "\"x\":3,\"z\":10,\"filter\":$FILTER"
    done
}

@test "a shape that swallows the start, and all ground: paths lead within it, as do matrix, flood, reachable and trace; to other kinds nothing is there" {
    local all='"avoid":[{"shape":"circle","center":[10,0,10],"radius":40}]' cost walk='"start":[3,0,10],"end":[17,0,10]'
    answered path "$walk,$all"
    is "$(json '.status, .reason, (.points | length > 1)' | tr '\n' ' ')" 'complete null true '
    answered paths "\"queries\":[{$walk}],\"defaults\":{$all}"
    is "$(json '.results[0] | .status, .reason' | tr '\n' ' ')" 'complete null '
    answered raycast "$walk,$all"
    is "$(json '.reason, .position' | tr '\n' ' ')" 'start_off_mesh null '
    answered move "$walk,$all"
    is "$(json '.reason, .position' | tr '\n' ' ')" 'start_off_mesh null '
    answered wall "\"point\":[3,0,10],$all"
    is "$(json '.reason, .distance' | tr '\n' ' ')" 'point_off_mesh null '
    answered nearest "\"point\":[3,0,10],$all"
    is "$(json '.points | length')" 0
    answered random "\"center\":[3,0,10],\"radius\":2,$all"
    is "$(json '.points | length')" 0
    answered random "\"count\":3,$all"
    is "$(json '.points | length')" 0
    answered floors "\"x\":3,\"z\":10,$all"
    is "$(json '.floors | length')" 0
    answered path "$walk,$all"
    cost=$(json .cost)
    answered matrix "\"sources\":[[3,0,10]],\"targets\":[[17,0,10]],$all"
    is "$(json "[.sources_off_mesh, .targets_off_mesh, (.costs[0][0] - $cost | fabs) < 0.002] | tojson")" '[[],[],true]'
    answered flood "\"start\":[3,0,10],\"max_cost\":100,$all"
    is "$(json '[.reason, .start[0], (.polygons | length > 0)] | tojson')" '[null,3,true]'
    answered reachable "\"start\":[3,0,10],\"points\":[[17,0,10]],$all"
    is "$(json '.reachable | tojson')" '[true]'
    answered trace "\"positions\":[[3,0,10],[4,0,10]],$all"
    is "$(json '.legal, .step, .reason' | tr '\n' ' ')" 'true null null '
}

@test "a shape that swallows only the start: paths, matrix and flood leave it, every other kind begins on the ground beside it" {
    local some='"avoid":[{"shape":"circle","center":[3,0,10],"radius":1}]' cost walk='"start":[3,0,10],"end":[17,0,10]'
    local off='(.[0] - 3) * (.[0] - 3) + (.[2] - 10) * (.[2] - 10) >= 2.5'
    answered path "$walk,$some"
    is "$(json '.status, .start[0]' | tr '\n' ' ')" 'complete 3 '
    answered raycast "$walk,$some"
    is "$(json ".start | $off")" true
    answered nearest "\"point\":[3,0,10],$some"
    is "$(json ".points[0].position | $off")" true
    answered move "\"start\":[3,0,10],\"end\":[3,0,10],$some"
    is "$(json ".position | $off")" true
    answered random "\"count\":50,\"center\":[3,0,10],\"radius\":1.5,$some"
    is "$(json "[.points[].position | $off] | all and length > 0")" true
    answered reachable "\"start\":[3,0,10],\"points\":[[17,0,10]],$some"
    is "$(json '.reachable[0]')" true
    answered path "$walk,$some"
    cost=$(json .cost)
    answered matrix "\"sources\":[[3,0,10]],\"targets\":[[17,0,10]],$some"
    is "$(json "[.sources_off_mesh, (.costs[0][0] - $cost | fabs) < 0.002] | tojson")" '[[],true]'
    answered flood "\"start\":[3,0,10],\"max_cost\":100,$some"
    is "$(json '[.start[0], .polygons[0].cost] | tojson')" '[3,0]'
    answered wall "\"point\":[3,0,10],$some"
    is "$(json '.hit, .distance' | tr '\n' ' ')" 'true 0 '
    answered trace "\"positions\":[[3,0,10],[5.5,0,10]],$some"
    is "$(json .legal)" true
}

@test "100,000 questions in one batch are refused with the limit, of every kind that takes a list" {
    yes '[17,0,10],' | head -n 99999 >places
    echo '[17,0,10]' >>places
    sed 's/\[17,0,10\]/{"start":[3,0,10],"end":&}/' places | cat <(printf '{"queries":[') - <(printf ']}') >paths.json
    cat <(printf '{"start":[3,0,10],"points":[') places <(printf ']}') >reachable.json
    cat <(printf '{"positions":[') places <(printf ']}') >trace.json
    cat <(printf '{"sources":[[3,0,10]],"targets":[') places <(printf ']}') >matrix.json
    for kind in paths reachable trace matrix; do
        ask "/v1/meshes/square/$kind" -X POST -H 'Content-Type: application/json' --data-binary "@$kind.json"
        is "$STATUS" 413
        is "$(json '.limit != null and (.code | IN("batch_too_large", "json_too_many_values"))')" true
    done
}

# Sets CROWD to shapes that all lie over each other: much to cut, but not too much.
make_crowd() {
    CROWD=$(gojq -nc '[range(700) | {shape: "circle", center: [(. * 7919 % 200) / 10, 0, (. * 104729 % 200) / 10], radius: 3, cost: 2}]')
}

late() { # kind arguments
    post_json "/v1/meshes/square/$1" "{$2,\"deadline_ms\":1,\"avoid\":$CROWD}"
    is "$STATUS" 200
    if [ "$1" = matrix ]; then
        is "$(json '.complete, .reason, .costs[0][0]' | tr '\n' ' ')" 'false deadline null '
    else
        is "$(json .reason)" deadline
    fi
}

late_or_batch() { # kind arguments; of a batch, every query has its own
    case $1 in
    paths)
        post_json /v1/meshes/square/paths "{$2,\"defaults\":{\"deadline_ms\":1,\"avoid\":$CROWD}}"
        is "$STATUS" 200
        is "$(json '.results[0] | .status, .reason' | tr '\n' ' ')" 'none deadline '
        ;;
    *) late "$@" ;;
    esac
}

@test "a deadline covers the cutting of shapes, for every kind, and is a number of milliseconds" {
    make_crowd
    each_kind late_or_batch '[3,0,10]' '[17,0,10]'
    late floors '"x":3,"z":10'
    answered random '"count":3,"deadline_ms":30000'
    is "$(json '.points | length')" 3
    for number in 0 -1 1.5 30001 1e999 null '"soon"'; do
        refused reachable "\"start\":[3,0,10],\"points\":[[3,0,10]],\"deadline_ms\":$number"
        is "$AT" deadline_ms
    done
}

@test "lists and shapes stand in a Z-up level's own coordinates" {
    local wall='"avoid":[{"shape":"box","min":[9,-5,-1],"max":[11,25,1]}]'
    post_json /v1/meshes/z_up/reachable "{\"start\":[3,10,0],\"points\":[[4,18,0],[17,10,0],[10,0,10]],\"snap\":{\"horizontal\":2,\"up\":2,\"down\":2}}"
    is "$(json '.reachable | tojson')" '[true,true,false]'
    post_json /v1/meshes/z_up/reachable "{\"start\":[3,10,0],\"points\":[[4,18,0],[17,10,0]],$wall}"
    is "$(json '.reachable | tojson')" '[true,false]'
    post_json /v1/meshes/z_up/trace "{\"positions\":[[3,10,0],[5,18,0],[17,10,0]]}"
    is "$(json .legal)" true
    post_json /v1/meshes/z_up/trace "{\"positions\":[[3,10,0],[5,18,0],[17,10,0]],$wall}"
    is "$(json '.step, .reason, (.position[0] > 8 and .position[0] < 9)' | tr '\n' ' ')" '2 gap true '
    post_json /v1/meshes/z_up/paths "{\"defaults\":{$wall},\"queries\":[{\"start\":[3,10,0],\"end\":[3,15,0]},{\"start\":[3,10,0],\"end\":[17,10,0]}]}"
    is "$(json '.results | .[0].status, .[0].cost, .[1].status, .[1].reason' | tr '\n' ' ')" 'complete 5 partial blocked '
    is "$(json '.results[1].points[-1] | .[0] < 9 and (.[1] - 10 | fabs) < 0.01')" true
    post_json /v1/meshes/z_up/raycast "{\"start\":[3,10,0],\"end\":[17,10,0],$wall}"
    is "$(json '.hit, .normal[0], .normal[2]' | tr '\n' ' ')" 'true -1 0 '
    post_json /v1/meshes/z_up/wall "{\"point\":[6,10,0],$wall}"
    is "$(json '(.distance - 2.4 | fabs) < 0.05')" true
    post_json /v1/meshes/z_up/floors "{\"x\":10,\"y\":10,$wall}"
    is "$(json '.floors | length')" 0
    post_json /v1/meshes/z_up/random "{\"count\":100,\"seed\":3,$wall}"
    is "$(json '[.points[].position | .[0] > 8.5 and .[0] < 11.5] | any')" false
    post_json /v1/meshes/z_up/path "{\"start\":[3,10,0],\"end\":[17,10,0],\"avoid\":[{\"shape\":\"convex\",\"points\":[[8,5],[12,5],[12,20],[8,1e999]]}]}"
    is_error 422 invalid_field
    [[ $AT == 'avoid[0].points[3]'* ]]
}
