#!/usr/bin/env bats
# A path costs no more, and is no longer, than its question says; it may end near the goal. A nearest
# position is looked for above or below its point only.

load helper

WHERE='start=2,0,2&end=80,3.4,16'
ENDS='"start":[2,0,2],"end":[80,3.4,16]'

setup_file() {
    start_with town islands
}

# The same question by GET and by POST; the answer is in BODY.
@test "a path within its limits is the path without them, also where the limit is its own cost or length" {
    ask "/v1/meshes/town/path?$WHERE"
    local whole=$BODY cost length
    cost=$(json .cost)
    length=$(json .length)
    ask_both "max_cost=$cost" "\"max_cost\":$cost"
    is "$BODY" "$whole"
    ask_both "max_length=$length&partial=0" "\"max_length\":$length,\"partial\":false"
    is "$BODY" "$whole"
    ask_both "max_cost=500&max_length=500&partial=0" '"max_cost":500,"max_length":500,"partial":false'
    is "$BODY" "$whole"
}

@test "a path that is cut off tells no more than its limit" {
    "$LEVEL_MAKER" town >priced.obj
    echo '{"areas":{"ice":{"cost":0.5}},"volumes":[{"shape":"box","min":[10,-1,10],"max":[25,2,20],"area":"ice"}]}' >priced.json
    ask '/v1/meshes/priced/versions?wait=1' -F geometry=@priced.obj -F config=@priced.json
    is "$STATUS" 201
    local limit
    for limit in 11.001 11.002 11.003 11.004 11.005; do
        ask "/v1/meshes/priced/path?start=1.216,0.2,63.81&end=3.606,0.2,73.753&max_cost=$limit"
        is "$(json '.status, .cost' | tr '\n' ' ')" "partial $limit "
    done
}

# A search within the limits crosses polygons in another order, and may miss the path that one without finds.
@test "the cost or length of an answer lets the same path through without partial answers, over links as well" {
    "$LEVEL_MAKER" town >linked.obj
    echo '{"tile_cells":48,"links":[{"start":[2,0,2],"end":[70,0,70]},{"start":[10,0,2],"end":[40,0,70],"bidirectional":false}]}' >linked.json
    ask '/v1/meshes/linked/versions?wait=1' -F geometry=@linked.obj -F config=@linked.json
    is "$STATUS" 201
    local question='"start":[98,0,36],"end":[67,0,81],"search":"fast"' whole
    post_json /v1/meshes/linked/path "{$question}"
    whole=$BODY
    post_json /v1/meshes/linked/path "{$question,\"max_cost\":$(json .cost),\"partial\":false}"
    is "$BODY" "$whole"
    question='"start":[84.89,6.8,9.96],"end":[45.27,0.2,55.28],"search":"exact","avoid":[{"shape":"convex","points":[[80.42,16.55],[82.07,18.23],[80.98,20.31],[78.66,19.92],[78.32,17.59]],"min_y":0.34,"max_y":3.84}]'
    post_json /v1/meshes/linked/path "{$question}"
    whole=$BODY
    post_json /v1/meshes/linked/path "{$question,\"max_length\":$(json .length),\"partial\":false}"
    is "$BODY" "$whole"
}

@test "beyond max_cost the answer is the beginning of the path, and the bound tells that there is no other" {
    ask "/v1/meshes/town/path?$WHERE"
    local whole=$BODY
    ask_both max_cost=40 '"max_cost":40'
    is "$(json '.status, .reason, .optimal' | tr '\n' ' ')" 'partial max_cost false '
    is "$(json '.cost <= 40 and .cost > 39.99 and .lower_bound > 40')" true
    is "$(json '.points as $p | ($p | length) as $n | $n > 1')" true
    is "$(gojq --argjson whole "$whole" '(.points | length - 1) as $n | .points[:$n] == $whole.points[:$n]' <<<"$BODY")" true
    is "$(json '.end')" "$(gojq .end <<<"$whole")"
    # Asked from where it ends, what is left is that much shorter.
    local rest
    rest=$(json '.points[-1] | tojson')
    post_json /v1/meshes/town/path "{\"start\":$rest,\"end\":[80,3.4,16]}"
    is "$(gojq --argjson whole "$whole" '.cost + 40 - $whole.cost | fabs < 0.05' <<<"$BODY")" true
}

@test "without partial answers it is none, and proven" {
    ask_both 'max_cost=40&partial=0' '"max_cost":40,"partial":false'
    is "$(json '.status, .reason, .optimal, .cost, .length, (.points | length)' | tr '\n' ' ')" 'none max_cost false 0 0 0 '
    is "$(json '.lower_bound > 40')" true
    # Nearer than the straight line nothing is.
    ask_both 'max_length=70&partial=0' '"max_length":70,"partial":false'
    is "$(json '.status, .reason, .lower_bound > 70' | tr '\n' ' ')" 'none max_length true '
    ask_both 'max_cost=40&partial=0&search=fast' '"max_cost":40,"partial":false,"search":"fast"'
    is "$(json '.status, .reason' | tr '\n' ' ')" 'none max_cost '
}

@test "beyond max_length, too; a limit in both is the cost's" {
    ask_both max_length=40 '"max_length":40'
    is "$(json '.status, .reason' | tr '\n' ' ')" 'partial max_length '
    is "$(json '.length <= 40 and .length > 39.9')" true
    ask_both 'max_cost=30&max_length=20' '"max_cost":30,"max_length":20'
    is "$(json '.status, .reason' | tr '\n' ' ')" 'partial max_cost '
    is "$(json '.length <= 20 and .length > 19.9')" true
}

@test "a goal that cannot be reached stays so, and the way towards it keeps the limit" {
    ask '/v1/meshes/islands/path?start=2,0,10&end=58,0,10&max_length=5'
    is "$(json '.status, .reason' | tr '\n' ' ')" 'partial unreachable '
    is "$(json '.length <= 5 and .length > 4.9')" true
}

@test "goal_radius ends the path so near to its end, proven as before" {
    ask "/v1/meshes/town/path?$WHERE"
    local whole=$BODY
    ask_both goal_radius=5 '"goal_radius":5'
    is "$(json '.status, .reason, .optimal' | tr '\n' ' ')" 'complete null true '
    is "$(gojq --argjson whole "$whole" '$whole.cost - .cost - 5 | fabs < 0.004' <<<"$BODY")" true
    is "$(json '.points[-1] as $p | .end | [$p[0] - .[0], $p[2] - .[2]] | map(. * .) | add | sqrt | . <= 5')" true
    # So near already: the start.
    ask '/v1/meshes/town/path?start=2,0,2&end=4,0,2&goal_radius=10'
    is "$(json '.status, .cost, .length, (.points | length), .points[0] == .start' | tr '\n' ' ')" 'complete 0 0 1 true '
    ask_both goal_radius=0 '"goal_radius":0'
    is "$BODY" "$whole"
}

@test "limits hold for what is left of the path" {
    ask "/v1/meshes/town/path?$WHERE"
    local max
    max=$(json '.cost - 3')
    ask_both "max_cost=$max&partial=0" "\"max_cost\":$max,\"partial\":false"
    is "$(json .status)" none
    ask_both "max_cost=$max&partial=0&goal_radius=4" "\"max_cost\":$max,\"partial\":false,\"goal_radius\":4"
    is "$(json .status)" complete
}

@test "details end where the path does" {
    ask_both 'max_cost=40&details=polygons' '"max_cost":40,"details":["polygons"]'
    is "$(json '(.points | length) as $n | [.details.polygons[].point] | max < $n and length > 1')" true
    local last point
    last=$(json '.details.polygons[-1].polygon')
    point=$(json '.points[-1] | map(tostring) | join(",")')
    ask "/v1/meshes/town/nearest?point=$point&count=3&snap.horizontal=0.01"
    is "$(json "[.points[].polygon] | any(. == \"$last\")")" true
}

@test "a batch: limits of the defaults, and each query's own" {
    post_json /v1/meshes/town/paths "{\"defaults\":{$ENDS,\"max_cost\":40},\"queries\":[{},{\"max_cost\":500},{\"partial\":false},{\"max_cost\":500,\"goal_radius\":5}]}"
    is "$STATUS" 200
    is "$(json '[.results[] | .status, .reason] | map(tostring) | join(" ")')" 'partial max_cost complete null none max_cost complete null'
    local batch=$BODY
    ask "/v1/meshes/town/path?$WHERE&max_cost=40"
    is "$(json '.cost')" "$(gojq '.results[0].cost' <<<"$batch")"
    is "$(json '.points | tojson')" "$(gojq -r '.results[0].points | tojson' <<<"$batch")"
}

@test "limits that are none are refused by name" {
    local member value
    for member in max_cost max_length; do
        for value in 0 -1 nan inf 1e999 1e10 "" far; do
            ask "/v1/meshes/town/path?$WHERE&$member=$value"
            is_refused "$member"
        done
        for value in 0 -1 1e999 '"40"' null '[40]' true; do
            post_json /v1/meshes/town/path "{$ENDS,\"$member\":$value}"
            is_refused "$member"
        done
        post_json /v1/meshes/town/paths "{\"queries\":[{$ENDS,\"$member\":0}]}"
        is_refused "queries[0].$member"
        post_json /v1/meshes/town/paths "{\"defaults\":{\"$member\":-2},\"queries\":[{$ENDS}]}"
        is_refused "defaults.$member"
    done
    for value in -0.5 nan inf far 1e7; do
        ask "/v1/meshes/town/path?$WHERE&goal_radius=$value"
        is_refused goal_radius
    done
    post_json /v1/meshes/town/path "{$ENDS,\"goal_radius\":\"5\"}"
    is_refused goal_radius
    ask '/v1/meshes/town/nearest?point=2,0,2&max_cost=5'
    is_error 422 unknown_field
}

@test "nearest above, nearest below: only there, and the ground at the point counts as both" {
    # Two storeys.
    ask '/v1/meshes/town/floors?x=80&z=16.5'
    is "$(json '.floors | length >= 2')" true
    local high low
    high=$(json '.floors[0].height')
    low=$(json '.floors[1].height')
    local between="80,$(gojq -n "($high + $low) / 2"),16.5"
    ask "/v1/meshes/town/nearest?point=$between&above=1"
    is "$(json '.points[0].position[1]')" "$high"
    local by_get=$BODY
    post_json /v1/meshes/town/nearest "{\"point\":[$between],\"above\":true}"
    is "$BODY" "$by_get"
    ask "/v1/meshes/town/nearest?point=$between&below=true&count=9"
    is "$(json ".points | length > 0 and all(.position[1] <= ($high + $low) / 2)")" true
    is "$(json '.points[0].position[1]')" "$low"
    local way
    for way in above below; do
        ask "/v1/meshes/town/nearest?point=80,$low,16.5&$way=1"
        is "$(json '.points[0].position[1]')" "$low"
    done
    # As far as snap goes, as ever.
    ask "/v1/meshes/town/nearest?point=$between&above=1&snap.up=0.1"
    is "$(json '.points | length')" 0
    ask "/v1/meshes/town/nearest?point=$between&above=0&below=0"
    is "$(json '.points | length')" 1
    ask "/v1/meshes/town/nearest?point=$between&above=1&below=1"
    is_refused below
    ask "/v1/meshes/town/nearest?point=$between&above=up"
    is_refused above
}
