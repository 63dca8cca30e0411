#!/usr/bin/env bats
# Shapes to avoid are there for one question only: they block, or make ground dearer.

load helper

setup_file() {
    start_with square z_up
}

WALK='"start":[3,0,10],"end":[17,0,10]'

# The least distance of a path's points to a place in plan view.
nearest_to() { # x z
    json "[.points[] | ((.[0] - $1) * (.[0] - $1) + (.[2] - $2) * (.[2] - $2) | sqrt)] | min * 1000 | floor"
}

@test "a path keeps the agent's radius from a circle that blocks" {
    post_json /v1/meshes/square/path "{$WALK,\"avoid\":[{\"shape\":\"circle\",\"center\":[10,0,10],\"radius\":2}]}"
    is "$(json .status)" complete
    is "$(json '.cost > 14.5 and .cost < 15.5')" true
    [ "$(nearest_to 10 10)" -ge 2600 ]
    # The question before and after is not touched by it.
    post_json /v1/meshes/square/path "{$WALK}"
    is "$(json '.cost, (.points | length)' | tr '\n' ' ')" '14 2 '
}

@test "GET takes shapes as JSON" {
    ask /v1/meshes/square/path -G --data-urlencode 'start=3,0,10' --data-urlencode 'end=17,0,10' \
        --data-urlencode 'avoid=[{"shape":"box","min":[8,-1,5],"max":[12,1,15]}]'
    is "$(json .status)" complete
    is "$(json '.cost > 17')" true
}

@test "a wall across blocks; the reason says that only the shape is in the way" {
    post_json /v1/meshes/square/path "{$WALK,\"avoid\":[{\"shape\":\"convex\",\"points\":[[9,-5],[11,-5],[11,25],[9,25]]}]}"
    is "$(json '.status, .reason' | tr '\n' ' ')" 'partial blocked '
    is "$(json '.points[-1][0] < 8.5')" true
    post_json /v1/meshes/square/reachable '{"start":[3,0,10],"points":[[17,0,10],[4,0,4]],"avoid":[{"shape":"convex","points":[[9,-5],[11,-5],[11,25],[9,25]]}]}'
    is "$(json '.reachable | tojson')" '[false,true]'
}

@test "who stands in a shape leaves it; who wants to get into one comes to its rim" {
    local around_start='{"shape":"circle","center":[3,0,10],"radius":1}' around_end='{"shape":"circle","center":[17,0,10],"radius":1}'
    post_json /v1/meshes/square/path "{$WALK,\"avoid\":[$around_start]}"
    is "$(json '.status, .start[0], .optimal, has("blocked_by")' | tr '\n' ' ')" 'complete 3 false false '
    post_json /v1/meshes/square/path "{$WALK,\"avoid\":[$around_start,$around_end]}"
    is "$(json '.status, .reason, .end[0], (.blocked_by | tojson)' | tr '\n' ' ')" 'partial blocked 17 ["avoid[1]"] '
    is "$(json '17 - .points[-1][0] | . > 1.59 and . < 1.65')" true
    post_json /v1/meshes/square/reachable "{\"start\":[3,0,10],\"points\":[[17,0,10],[4,0,4]],\"avoid\":[$around_start,$around_end]}"
    is "$(json '.reachable | tojson')" '[false,true]'
}

@test "a cost decides between through and around" {
    post_json /v1/meshes/square/path "{$WALK,\"avoid\":[{\"shape\":\"box\",\"min\":[8,-1,0],\"max\":[12,1,16],\"cost\":1.2}]}"
    is "$(json '(.cost - 14.8 | fabs) < 0.01')" true
    post_json /v1/meshes/square/path "{$WALK,\"avoid\":[{\"shape\":\"box\",\"min\":[8,-1,0],\"max\":[12,1,16],\"cost\":9}]}"
    is "$(json '[.points[][2]] | max >= 16')" true
    is "$(json '.lower_bound <= .cost')" true
}

@test "another floor's shape does not count" {
    post_json /v1/meshes/square/path "{$WALK,\"avoid\":[{\"shape\":\"circle\",\"center\":[10,9,10],\"radius\":2}]}"
    is "$(json .cost)" 14
    post_json /v1/meshes/square/path "{$WALK,\"avoid\":[{\"shape\":\"circle\",\"center\":[10,9,10],\"radius\":2,\"height\":10}]}"
    is "$(json '.cost > 14.5')" true
}

@test "with Z up, shapes stand in the level's coordinates" {
    post_json /v1/meshes/z_up/path '{"start":[3,10,0],"end":[17,10,0],"avoid":[{"shape":"box","min":[8,5,-1],"max":[12,15,1]}]}'
    is "$(json '.status, (.cost > 17)' | tr '\n' ' ')" 'complete true '
    post_json /v1/meshes/z_up/path '{"start":[3,10,0],"end":[17,10,0],"avoid":[{"shape":"convex","points":[[8,5],[12,5],[12,20],[8,20]]}]}'
    is "$(json '[.points[][1]] | min < 5')" true
}

@test "other questions see the shapes, too" {
    local shape='"avoid":[{"shape":"box","min":[8,-1,5],"max":[12,1,15]}]'
    post_json /v1/meshes/square/raycast "{$WALK,$shape}"
    is "$(json '.hit, (.position[0] > 7.3 and .position[0] < 7.5)' | tr '\n' ' ')" 'true true '
    post_json /v1/meshes/square/wall "{\"point\":[6,0,10],$shape}"
    is "$(json '(.distance - 1.4 | fabs) < 0.05')" true
    post_json /v1/meshes/square/nearest "{\"point\":[9,0,10],$shape}"
    is "$(json '.points[0].position[0] < 7.5')" true
    post_json /v1/meshes/square/floors "{\"x\":10,\"z\":10,$shape}"
    is "$(json '.floors | length')" 0
    post_json /v1/meshes/square/random "{\"count\":200,\"seed\":1,$shape}"
    is "$(json '[.points[].position | select(.[0] > 7.5 and .[0] < 12.5 and .[2] > 4.5 and .[2] < 15.5)] | length')" 0
    post_json /v1/meshes/square/paths "{\"defaults\":{$shape},\"queries\":[{$WALK},{$WALK,\"avoid\":[]}]}"
    is "$(json '.results[0].cost > 17, .results[1].cost' | tr '\n' ' ')" 'true 14 '
}

@test "wrong shapes are refused where they stand" {
    post_json /v1/meshes/square/path "{$WALK,\"avoid\":[{\"shape\":\"convex\",\"points\":[[0,0],[2,2],[0,2],[2,0]]}]}"
    is_refused 'avoid[0].points'
    post_json /v1/meshes/square/path "{$WALK,\"avoid\":[{\"shape\":\"box\",\"min\":[3,0,0],\"max\":[1,1,1]}]}"
    is_refused 'avoid[0].min'
    post_json /v1/meshes/square/path "{$WALK,\"avoid\":[{\"shape\":\"circle\",\"center\":[0,0,0],\"radius\":1,\"cost\":0}]}"
    is_refused 'avoid[0].cost'
    post_json /v1/meshes/square/path "{$WALK,\"avoid\":[{\"shape\":\"blob\"}]}"
    is_error 422 invalid_field
}

# A list of circles that all lie over each other.
overlapping() { # count
    awk -v n="$1" 'BEGIN { srand(5); for (i = 0; i < n; i++) printf "%s{\"shape\":\"circle\",\"center\":[%.2f,0,%.2f],\"radius\":9,\"cost\":1.5}", (i ? "," : ""), rand() * 20, rand() * 20 }'
}

@test "shapes that leave too many pieces are refused, alone and in a batch; the next question is not" {
    printf '{%s,"avoid":[%s]}' "$WALK" "$(overlapping 800)" >many.json
    post_json /v1/meshes/square/path @many.json
    is_refused avoid
    printf '{"queries":[{%s},{%s,"avoid":[%s]}]}' "$WALK" "$WALK" "$(overlapping 800)" >many.json
    post_json /v1/meshes/square/paths @many.json
    is_refused 'queries[1].avoid'
    post_json /v1/meshes/square/path "{$WALK,\"avoid\":[{\"shape\":\"circle\",\"center\":[10,0,10],\"radius\":2}]}"
    is "$(json .status)" complete
}

@test "10,000 shapes over one polygon are refused, of a question, a query and an instance" {
    printf '{%s,"avoid":[%s]}' "$WALK" "$(overlapping 10000)" >many.json
    post_json /v1/meshes/square/path @many.json
    is_error 413 body_too_large
    printf '{"queries":[{"kind":"path",%s,"avoid":[%s]}]}' "$WALK" "$(overlapping 10000)" >many.json
    post_json /v1/meshes/square/batch @many.json
    is_refused 'queries[0].avoid'
    is "$(json .limit)" 1024
    printf '{"obstacles":%s}' "$(gojq -nc '[range(10000)] | map({key: "o\(.)", value: {shape: "circle", center: [10, 0, 10], radius: 9}}) | from_entries')" >many.json
    ask /v1/meshes/square/instances/many -X PUT -H 'Content-Type: application/json' --data-binary @many.json
    is_error 413 body_too_large
    ask /v1/meshes/square/instances/many
    is_error 404 instance_not_found
    post_json /v1/meshes/square/path "{$WALK}"
    is "$(json .cost)" 14
}

@test "a batch with shapes of all and of one answers as single questions do" {
    local all='{"shape":"box","min":[8,-1,5],"max":[12,1,15]}' own='{"shape":"circle","center":[10,0,10],"radius":2}'
    post_json /v1/meshes/square/paths "{\"defaults\":{\"avoid\":[$all]},\"queries\":[{$WALK,\"avoid\":[$own]},{$WALK},{$WALK,\"avoid\":[]},{$WALK,\"search\":\"fast\"},{$WALK,\"avoid\":[$all]}]}"
    is "$STATUS" 200
    local batch=$BODY i=0
    for asked in "\"avoid\":[$own]" "\"avoid\":[$all]" "\"avoid\":[]" "\"search\":\"fast\",\"avoid\":[$all]" "\"avoid\":[$all]"; do
        post_json /v1/meshes/square/path "{$WALK,$asked}"
        is "$(jq -c 'del(.mesh, .version)' <<<"$BODY")" "$(jq -c ".results[$i]" <<<"$batch")"
        i=$((i + 1))
    done
}

@test "a movement log is held against the shapes at every step" {
    post_json /v1/meshes/square/trace '{"positions":[[3,0,10],[5,0,10],[7,0,10],[13,0,10]],"avoid":[{"shape":"box","min":[8,-1,5],"max":[12,1,15]}]}'
    is "$(json '.legal, .step, .reason' | tr '\n' ' ')" 'false 3 wall '
}
