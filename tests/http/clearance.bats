#!/usr/bin/env bats
# A path with a clearance keeps that distance from corners and walls where there is room, and tells
# what it keeps.

load helper

WHERE='start=2,0,2&end=80,3.4,16'
ENDS='"start":[2,0,2],"end":[80,3.4,16]'
# From one half of a hall to the other, through a door in its middle that is 2 wide, less twice the radius.
WALK='"start":[3,0,2],"end":[17,0,2]'

setup_file() {
    start_with town square
    local walls='[{"shape":"box","min":[9.5,-1,-1],"max":[10.5,2,9],"area":"none"},{"shape":"box","min":[9.5,-1,11],"max":[10.5,2,21],"area":"none"}]'
    ask '/v1/meshes/hall/versions?wait=1' -X POST -F geometry=@square.obj \
        -F "config={\"cell_size\":0.1,\"agent\":{\"radius\":0.2},\"volumes\":$walls};type=application/json"
    [ "$STATUS" = 201 ]
}

# The same question by GET and by POST; the answer is in BODY.
@test "no clearance is none: not a byte changes" {
    ask "/v1/meshes/town/path?$WHERE"
    local whole=$BODY
    is "$(json 'has("clearance_min")')" false
    ask_both clearance=0 '"clearance":0'
    is "$BODY" "$whole"
}

@test "a path keeps its distance between the same ends, and says that it is no longer the shortest" {
    ask "/v1/meshes/town/path?$WHERE"
    local plain=$BODY cost bound
    cost=$(json .cost)
    bound=$(json .lower_bound)
    ask_both clearance=0.5 '"clearance":0.5'
    is "$(json '.status, .clearance_min, .optimal' | tr '\n' ' ')" 'complete 0.5 false '
    is "$(json ".cost > $cost and .cost < 1.2 * $cost and .lower_bound == $bound")" true
    is "$(json '[.start, .points[0], .end, .points[-1]] | tojson')" "$(gojq -r '[.start, .start, .end, .end] | tojson' <<<"$plain")"
    # Nothing is in the way of its legs, and no wall is near its points.
    local points i
    mapfile -t points < <(json '.points[] | map(tostring) | join(",")')
    for ((i = 0; i + 1 < ${#points[@]}; i++)); do
        ask "/v1/meshes/town/raycast?start=${points[i]}&end=${points[i + 1]}"
        is "$(json .hit)" false
        ask "/v1/meshes/town/wall?point=${points[i]}&max_radius=2"
        [ "$i" = 0 ] || is "$(json '.distance >= 0.499')" true
    done
}

@test "what is narrower than twice the clearance is passed in its middle" {
    post_json /v1/meshes/hall/path "{$WALK,\"clearance\":1.5}"
    is "$(json '.status, .optimal' | tr '\n' ' ')" 'complete false '
    is "$(json '.clearance_min > 0.7 and .clearance_min < 0.85')" true
    is "$(json '[.points[] | select(.[0] > 9 and .[0] < 11) | .[2]] | length > 0 and all(. > 9.85 and . < 10.15)')" true
}

@test "where nothing is near the path stays the shortest" {
    post_json /v1/meshes/square/path '{"start":[6,0,6],"end":[14,0,12],"clearance":1}'
    is "$(json '.optimal, .cost, .clearance_min, (.points | length)' | tr '\n' ' ')" 'true 10 1 2 '
}

@test "lists, batches, defaults and instances answer as a question of its own" {
    local avoid='[{"shape":"circle","center":[10,0,10],"radius":0.4}]' one kind
    ask /v1/meshes/hall/instances/run -X PUT -H 'Content-Type: application/json' \
        -d '{"obstacles":{"crate":{"shape":"circle","center":[6,0,5],"radius":0.5}}}'
    is "$STATUS" 201
    post_json /v1/meshes/hall/path "{$WALK,\"clearance\":0.6,\"instance\":\"run\"}"
    is "$(json '.status, .instance, .clearance_min' | tr '\n' ' ')" 'complete run 0.6 '
    one=$(json 'del(.mesh, .version, .instance, .revision) | tojson')
    post_json /v1/meshes/hall/paths "{\"defaults\":{\"clearance\":0.6,\"instance\":\"run\"},\"queries\":[{$WALK},{$WALK,\"clearance\":0}]}"
    is "$(json '.results[0] | del(.mesh, .version, .instance, .revision) | tojson')" "$one"
    is "$(json '.results[1] | has("clearance_min")')" false
    post_json /v1/meshes/hall/batch "{\"instances\":[\"run\"],\"queries\":[{\"kind\":\"path\",$WALK,\"clearance\":0.6,\"instance\":0}]}"
    is "$(json '.results[0] | del(.instance, .revision) | tojson')" "$one"
    # The same shape as the question's own.
    post_json /v1/meshes/hall/path "{$WALK,\"clearance\":0.6,\"avoid\":[{\"shape\":\"circle\",\"center\":[6,0,5],\"radius\":0.5}]}"
    is "$(json 'del(.mesh, .version) | tojson')" "$one"
    # A pillar in the door leaves too little room on either side.
    post_json /v1/meshes/hall/path "{$WALK,\"clearance\":0.6,\"avoid\":$avoid}"
    is "$(json '.status, (.clearance_min > 0.05 and .clearance_min < 0.2)' | tr '\n' ' ')" 'complete true '
}

@test "limits count for more than room; details are those of the path that is told" {
    post_json /v1/meshes/hall/path "{$WALK}"
    local plain=$BODY cost
    cost=$(json .cost)
    post_json /v1/meshes/hall/path "{$WALK,\"clearance\":0.6,\"max_cost\":$cost}"
    is "$(json '.status, .cost, .optimal, .clearance_min' | tr '\n' ' ')" "complete $cost true 0 "
    post_json /v1/meshes/hall/path "{$WALK,\"clearance\":0.6,\"goal_radius\":2}"
    is "$(json ".status, .optimal, .clearance_min, (.cost > $cost - 2)" | tr '\n' ' ')" 'complete false 0.6 true '
    post_json /v1/meshes/hall/path "{$WALK,\"clearance\":0.6,\"details\":[\"polygons\",\"areas\"]}"
    is "$(json '(.details.polygons | length > 0) and (.details.areas[0].area == "ground")')" true
    post_json /v1/meshes/hall/path "{$WALK,\"clearance\":0.6,\"search\":\"fast\"}"
    is "$(json '.status, .clearance_min' | tr '\n' ' ')" 'complete 0.6 '
}

@test "a clearance that is none is refused by name" {
    local value
    for value in -0.5 nan inf 1e999 1000.5 "" far; do
        ask "/v1/meshes/town/path?$WHERE&clearance=$value"
        is_refused clearance
    done
    for value in -1 1e999 1001 '"1"' null '[1]' true; do
        post_json /v1/meshes/town/path "{$ENDS,\"clearance\":$value}"
        is_refused clearance
    done
    post_json /v1/meshes/town/paths "{\"queries\":[{$ENDS,\"clearance\":-1}]}"
    is_refused 'queries[0].clearance'
    post_json /v1/meshes/town/paths "{\"defaults\":{\"clearance\":-2},\"queries\":[{$ENDS}]}"
    is_refused defaults.clearance
    post_json /v1/meshes/town/batch "{\"queries\":[{\"kind\":\"path\",$ENDS,\"clearance\":-1}]}"
    is_refused 'queries[0].clearance'
    ask '/v1/meshes/town/wall?point=2,0,2&clearance=1'
    is_error 422 unknown_field
}
