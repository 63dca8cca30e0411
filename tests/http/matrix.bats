#!/usr/bin/env bats
# Costs from many places to many, and of what lies around one, are those of single paths.

load helper

setup_file() {
    start_with town islands
}

# Places on the town's ground: [[x,y,z],...] from a seed.
# Sets PLACES to random ones.
places() { # count seed
    ask "/v1/meshes/town/random?count=$1&seed=$2"
    is "$STATUS" 200
    PLACES=$(gojq -c '[.points[].position]' <<<"$BODY")
}

@test "a matrix has the cost of each path, row by row" {
    local sources targets s t
    places 4 1
    sources=$PLACES
    places 6 2
    targets=$PLACES
    post_json /v1/meshes/town/matrix "{\"sources\":$sources,\"targets\":$targets}"
    is "$STATUS" 200
    local matrix=$BODY
    is "$(json '.mesh, .version, .complete, .reason, .optimal, (.costs | length)' | tr '\n' ' ')" 'town 1 true null true 4 '
    while read -r s; do
        while read -r t; do
            post_json /v1/meshes/town/path "{\"start\":$s,\"end\":$t}"
            printf '%s\n' "$BODY"
        done < <(gojq -c '.[]' <<<"$targets")
    done < <(gojq -c '.[]' <<<"$sources") >paths
    is "$(gojq -s --argjson matrix "$matrix" -c '[range(4) as $s | range(6) as $t | .[$s * 6 + $t] as $path | $matrix.costs[$s][$t] as $c
        | if $path.status == "complete" then ($c - $path.cost | fabs) <= 0.002 else $c == null end] | [length, all]' paths)" '[24,true]'
}

@test "the nearest are the first of the row when it is sorted" {
    local sources targets
    places 3 3
    sources=$PLACES
    places 40 4
    targets=$PLACES
    post_json /v1/meshes/town/matrix "{\"sources\":$sources,\"targets\":$targets}"
    local all=$BODY
    post_json /v1/meshes/town/matrix "{\"sources\":$sources,\"targets\":$targets,\"nearest\":5}"
    is "$STATUS" 200
    is "$(json 'has("costs")')" false
    is "$(gojq -c '[.costs[] | to_entries | map(select(.value != null)) | sort_by(.value) | .[:5] | map(.value)]' <<<"$all")" "$(json '[.nearest[] | map(.cost)] | tojson')"
    is "$(gojq --argjson all "$all" '[.nearest | to_entries[] | .key as $s | .value[] | .cost == $all.costs[$s][.target]] | all' <<<"$BODY")" true
}

@test "no way is null, and what is off the mesh is listed" {
    post_json /v1/meshes/islands/matrix '{"sources":[[2,0,2],[500,0,0]],"targets":[[2,0,10],[58,0,10],[0,0,-500]]}'
    is "$STATUS" 200
    is "$(json '.complete')" true
    is "$(json '.costs[0][0] > 0')" true
    is "$(json '[.costs[0][1:], .costs[1]] | tojson')" '[[null,null],[null,null,null]]'
    is "$(json '[.sources_off_mesh, .targets_off_mesh] | tojson')" '[[1],[2]]'
    post_json /v1/meshes/islands/matrix '{"sources":[[2,0,2],[500,0,0]],"targets":[[2,0,10],[58,0,10]],"nearest":2}'
    is "$(json '[.nearest[] | map(.target)] | tojson')" '[[0],[]]'
}

@test "a filter and shapes to avoid count" {
    local ends='"sources":[[2,0,2]],"targets":[[18,0,18]]'
    post_json /v1/meshes/islands/matrix "{$ends}"
    local plain
    plain=$(json '.costs[0][0]')
    local avoid='"avoid":[{"shape":"circle","center":[10,0,10],"radius":3}]'
    post_json /v1/meshes/islands/matrix "{$ends,$avoid}"
    is "$STATUS" 200
    is "$(json .optimal)" true
    local around
    around=$(json '.costs[0][0]')
    is "$(gojq -n "$around > $plain")" true
    post_json /v1/meshes/islands/path "{\"start\":[2,0,2],\"end\":[18,0,18],$avoid}"
    is "$(json "[.optimal, (.cost - $around | fabs) < 0.002] | tojson")" '[true,true]'
    post_json /v1/meshes/islands/matrix "{$ends,\"filter\":{\"costs\":{\"ground\":2}}}"
    is "$(json "(.costs[0][0] - 2 * $plain | fabs) < 0.01")" true
}

@test "a source that a shape shuts in is on the mesh, though no way leads out" {
    local avoid='"avoid":[{"shape":"circle","center":[10,0,10],"radius":40}]'
    post_json /v1/meshes/islands/matrix "{\"sources\":[[2,0,2],[500,0,0]],\"targets\":[[58,0,10]],$avoid}"
    is "$STATUS" 200
    is "$(json '[.complete, .sources_off_mesh, .targets_off_mesh, .costs] | tojson')" '[true,[1],[],[[null],[null]]]'
    post_json /v1/meshes/islands/path "{\"start\":[2,0,2],\"end\":[58,0,10],$avoid}"
    is "$(json '.reason | IN("blocked", "unreachable")')" true
}

@test "sources that stand in shapes by the hundred are answered, each as its path" {
    local sources shapes
    sources=$(gojq -nc '[range(1000) | [(if . % 5 < 3 then 5 else 14 end) + (. % 20) * 0.1, 0, 5 + (. / 20 | floor) * 0.04]]')
    shapes=$(gojq -nc '[range(60) | {shape: "circle", center: [(. % 30) * 0.6 + 1, 0, 16 + (. / 30 | floor)], radius: 0.2}] + [{shape: "circle", center: [6, 0, 6], radius: 2.5}]')
    post_json /v1/meshes/islands/matrix "{\"sources\":$sources,\"targets\":[[18,0,2]],\"avoid\":$shapes}"
    is "$STATUS" 200
    is "$(json '[.complete, .sources_off_mesh, ([.costs[][] | select(. == null)] | length)] | tojson')" '[true,[],0]'
    local cost
    cost=$(json '.costs[0][0]')
    post_json /v1/meshes/islands/path "{\"start\":[5,0,5],\"end\":[18,0,2],\"avoid\":$shapes}"
    is "$(json "(.cost - $cost | fabs) <= 0.02 * .cost")" true
}

@test "a limit leaves cells open and says so" {
    local sources targets
    places 2 5
    sources=$PLACES
    places 30 6
    targets=$PLACES
    post_json /v1/meshes/town/matrix "{\"sources\":$sources,\"targets\":$targets,\"max_nodes\":3}"
    is "$STATUS" 200
    is "$(json '.complete, .reason, ([.costs[][] | select(. == null)] | length > 0)' | tr '\n' ' ')" 'false node_budget true '
    post_json /v1/meshes/town/matrix "{\"sources\":$sources,\"targets\":$targets,\"deadline_ms\":30000}"
    is "$(json .complete)" true
}

@test "a flood is what lies within its cost, cheapest first" {
    ask '/v1/meshes/town/flood?start=2,0,2&max_cost=30'
    is "$STATUS" 200
    local flood=$BODY
    is "$(json '.reason, .truncated, .optimal, .polygons[0].cost' | tr '\n' ' ')" 'null false true 0 '
    is "$(json '[.polygons[].cost] | . == sort and .[-1] <= 30')" true
    is "$(json '(.polygons | length) == ([.polygons[].polygon] | unique | length)')" true
    post_json /v1/meshes/town/flood '{"start":[2,0,2],"max_cost":30}'
    is "$BODY" "$flood"
    # The place of entry is as far as it says.
    local last
    last=$(gojq -c '.polygons[-1]' <<<"$flood")
    post_json /v1/meshes/town/path "{\"start\":[2,0,2],\"end\":$(gojq -c .position <<<"$last")}"
    is "$(json "(.cost - $(gojq .cost <<<"$last") | fabs) < 0.01")" true
    ask '/v1/meshes/town/flood?start=2,0,2&max_cost=30&max_polygons=4'
    is "$(json .truncated)" true
    is "$(json '[.polygons[].cost] | tojson')" "$(gojq -c '[.polygons[:4][].cost]' <<<"$flood")"
    ask '/v1/meshes/town/flood?start=2,900,2&max_cost=30'
    is "$(json '[.reason, .start, .polygons] | tojson')" '["start_off_mesh",null,[]]'
}

@test "bad questions are refused" {
    post_json /v1/meshes/town/matrix '{"sources":[[0,0,0]]}'
    is_refused targets
    post_json /v1/meshes/town/matrix '{"sources":[],"targets":[[0,0,0]]}'
    is_error 422 invalid_field
    post_json /v1/meshes/town/matrix '{"sources":[[0,0,0]],"targets":[[0,0,"x"]]}'
    is_refused 'targets[0][2]'
    post_json /v1/meshes/town/matrix '{"sources":[[0,0,0]],"targets":[[0,0,0]],"nearest":0}'
    is_error 422 invalid_field
    post_json /v1/meshes/town/matrix '{"sources":[[0,0,0]],"targets":[[0,0,0]],"search":"fast"}'
    is_error 422 unknown_field
    awk 'BEGIN { printf "{\"sources\":["; for (i = 0; i < 1001; i++) printf "%s[0,0,0]", i ? "," : ""; printf "],\"targets\":["; for (i = 0; i < 1000; i++) printf "%s[0,0,0]", i ? "," : ""; print "]}" }' >"$BATS_TEST_TMPDIR/many"
    post_json /v1/meshes/town/matrix "@$BATS_TEST_TMPDIR/many"
    is_error 413 batch_too_large
    is "$(json '.got, .limit' | tr '\n' ' ')" '1001000 1000000 '
    awk 'BEGIN { printf "{\"sources\":[[0,0,0]],\"targets\":["; for (i = 0; i < 10001; i++) printf "%s[0,0,0]", i ? "," : ""; print "]}" }' >"$BATS_TEST_TMPDIR/many"
    post_json /v1/meshes/town/matrix "@$BATS_TEST_TMPDIR/many"
    is_error 413 batch_too_large
    is "$(json .limit)" 10000
    ask '/v1/meshes/town/matrix?sources=0,0,0'
    is_error 405 method_not_allowed
    ask '/v1/meshes/town/flood?start=2,0,2'
    is_error 422 invalid_field
    ask '/v1/meshes/town/flood?start=2,0,2&max_cost=-1'
    is_error 422 invalid_field
    ask '/v1/meshes/town/flood?start=2,0,2&max_cost=NaN'
    is_error 422 invalid_field
    ask '/v1/meshes/town/flood?start=2,0,2&max_cost=3&max_polygons=0'
    is_error 422 invalid_field
}

# Each takes a processor until its deadline. Were they computed where they are read, the questions behind
# them would wait for that.
@test "long matrices hold up no other question, nor the stop" {
    local i asking=() count=$(($(nproc) > 8 ? $(nproc) + 4 : 12)) # more than the threads that read
    own_database
    cd "$BATS_TEST_TMPDIR"
    start_daemon
    bake_mesh town "$BATS_FILE_TMPDIR/town.obj"
    gojq -nc '[range(10000) | [2 + . % 70, 0, 2 + (. / 70 | floor) % 70]] as $p | {sources: $p, targets: $p[:100], deadline_ms: 25000}' >long.json
    for ((i = 0; i < count; i++)); do
        curl -s -o "long-$i.out" -H 'Content-Type: application/json' --data-binary @long.json "$BASE/v1/meshes/town/matrix" 3>&- &
        asking+=($!)
    done
    wait_for are_in_flight $((count + 1))
    for i in {1..20}; do
        is "$(curl -s -o answer.json -w '%{http_code}' "$BASE/v1/meshes/town/nearest?point=2,0,2")" 200
    done
    is "$(find . -name 'long-*.out' -size +0 | wc -l)" 0
    stop_daemon
    wait "${asking[@]}"
    is "$(gojq -r .code long-*.out | sort | uniq -c | tr -s ' ')" " $count not_ready"
}

are_in_flight() { # count, with the one that asks
    ask /metrics
    [[ $BODY == *$'\nnavmeshd_http_requests_in_flight '"$1"$'\n'* ]]
}

@test "a long question can be recorded, and its client may go" {
    gojq -nc '[range(300) | [2 + . % 70, 0, 2 + (. / 70 | floor)]] as $p | {sources: $p[:4], targets: $p}' >medium.json
    upload /v1/meshes/town/matrix medium.json application/json
    is "$STATUS $(json .complete)" '200 true'
    local costs
    costs=$(json '.costs | tojson')
    gojq -c '.record = true' medium.json >recorded.json
    upload /v1/meshes/town/matrix recorded.json application/json
    is "$STATUS" 200
    is "$(json '.costs | tojson')" "$costs"
    ask "/v1/recordings/$(header X-Recording)" -X DELETE
    is "$STATUS" 204
    # One that goes while its question is computed leaves nothing behind.
    gojq -nc '[range(10000) | [2 + . % 70, 0, 2 + (. / 70 | floor) % 70]] as $p | {sources: $p, targets: $p[:100], deadline_ms: 2000, record: true}' >long.json
    curl -s -m 0.5 -o gone.out -H 'Content-Type: application/json' --data-binary @long.json "$BASE/v1/meshes/town/matrix" && false
    wait_for are_in_flight 1
    ask /v1/status
    is "$(json '.memory.bodies_bytes')" 0
}
