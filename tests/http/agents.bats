#!/usr/bin/env bats
# Bodies of several sizes in one version: each has the mesh that an upload of its own would have, and
# questions name the one that asks.

load helper

RAT='{"radius":0.2,"height":0.5,"max_climb":0.2,"max_slope":30}'
GIANT='{"radius":1.2,"height":4,"max_climb":1.5}'

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    "$MAKELEVEL" town >town.obj
    start_daemon
    echo "{\"tile_cells\":64,\"agents\":{\"rat\":$RAT,\"giant\":$GIANT}}" >config.json
    ask '/v1/meshes/town/versions?wait=1' -F geometry=@town.obj -F config=@config.json
    is "$STATUS" 201
    json . >version.json
}

# The blobs of an upload whose only body is this one.
alone() { # mesh agent
    echo "{\"tile_cells\":64${2:+,\"agent\":$2}}" >"$BATS_TEST_TMPDIR/config.json"
    ask "/v1/meshes/$1/versions?wait=1&reuse=0" -F geometry=@town.obj -F "config=@$BATS_TEST_TMPDIR/config.json"
    is "$STATUS" 201
}

path_of() { # agent
    ask "/v1/meshes/town/path?start=2,0,2&end=70,0,70&agent=$1"
    is "$STATUS" 200
}

@test "each body has the tiles and numbers of an upload of its own" {
    local own='[.blob.sha256, .stats.polygons, .stats.walkable_area, .stats.triangles_steep, .stats.spans, (.warnings | map(.count) | add)] | map(tostring) | join(" ")'
    alone one ''
    is "$(json "$own")" "$(gojq -r "$own" version.json)"
    alone two "$RAT"
    is "$(json "$own")" "$(gojq -r ".agents.rat | $own" version.json)"
    alone three "$GIANT"
    is "$(json "$own")" "$(gojq -r ".agents.giant | $own" version.json)"
    is "$(gojq -r '.tiles_total == 3 * .stats.tiles and .tiles_done == .tiles_total' version.json)" true
    is "$(gojq -c '.config.agents.giant' version.json)" '{"height":4,"max_climb":1.5,"max_slope":45,"radius":1.2}'
    # The same tiles by the same keys: nothing is baked again for a body that has been there.
    echo "{\"tile_cells\":64,\"agent\":$RAT,\"agents\":{\"g\":$GIANT}}" >"$BATS_TEST_TMPDIR/both.json"
    ask '/v1/meshes/four/versions?wait=1' -F geometry=@town.obj -F "config=@$BATS_TEST_TMPDIR/both.json"
    is "$(json '.tiles_reused == .tiles_total')" true
}

@test "questions go to the mesh of the body that they name" {
    local mesh
    path_of default
    local mine=$BODY
    ask '/v1/meshes/town/path?start=2,0,2&end=70,0,70'
    is "$BODY" "$mine"
    path_of rat
    [ "$BODY" != "$mine" ]
    alone rats "$RAT"
    ask '/v1/meshes/rats/path?start=2,0,2&end=70,0,70'
    is "$(json 'del(.mesh)')" "$(path_of rat && json 'del(.mesh)')"
    post_json /v1/meshes/town/wall '{"point":[20,0,20],"agent":"giant"}'
    is "$STATUS" 200
    ask '/v1/meshes/town/nearest?point=2,0,2&agent=cat'
    is "$STATUS $(json '[.code, .at, .got] | join(" ")')" '422 invalid_field agent cat'
    [[ $(json .detail) == *'it has default, giant, rat'* ]]
    post_json /v1/meshes/town/wall '{"point":[20,0,20],"agent":7}'
    is "$STATUS $(json '[.code, .at] | join(" ")')" '422 invalid_field agent'
}

@test "each query of a batch may name another body" {
    local q='"start":[2,0,2],"end":[70,0,70]' avoid='"avoid":[{"shape":"circle","center":[30,0,30],"radius":3}]'
    post_json /v1/meshes/town/paths "{\"defaults\":{$q,$avoid},\"queries\":[{},{\"agent\":\"rat\"},{\"agent\":\"giant\"},{\"agent\":\"rat\"}]}"
    is "$STATUS" 200
    local i=0 agent
    for agent in default rat giant rat; do
        is "$(post_json /v1/meshes/town/path "{$q,$avoid,\"agent\":\"$agent\"}" && json 'del(.mesh, .version)')" \
            "$(post_json /v1/meshes/town/paths "{\"defaults\":{$q,$avoid},\"queries\":[{},{\"agent\":\"rat\"},{\"agent\":\"giant\"},{\"agent\":\"rat\"}]}" && json ".results[$i]")"
        i=$((i + 1))
    done
    post_json /v1/meshes/town/batch "{\"queries\":[{\"kind\":\"path\",$q},{\"kind\":\"raycast\",$q,\"agent\":\"cat\"}]}"
    is "$STATUS $(json '[.code, .at] | join(" ")')" '422 invalid_field queries[1].agent'
}

@test "the state of an instance lies over the mesh of each body" {
    local avoid='{"shape":"circle","center":[30,0,30],"radius":3}' agent
    ask /v1/meshes/town/instances/run -X PUT -H 'Content-Type: application/json' -d "{\"obstacles\":{\"cart\":$avoid}}"
    is "$STATUS" 201
    for agent in default rat giant; do
        post_json /v1/meshes/town/path "{\"start\":[2,0,2],\"end\":[70,0,70],\"agent\":\"$agent\",\"avoid\":[$avoid]}"
        local wanted
        wanted=$(json '[.cost, .points]')
        path_of "$agent&instance=run"
        is "$(json '[.cost, .points]')" "$wanted"
        post_json /v1/meshes/town/batch "{\"queries\":[{\"kind\":\"path\",\"start\":[2,0,2],\"end\":[70,0,70],\"agent\":\"$agent\",\"instance\":\"run\"}]}"
        is "$(json '.results[0] | [.cost, .points]')" "$wanted"
    done
}

@test "checks, pictures and comparisons take the body, too" {
    ask /v1/meshes/checked/checks -X PUT -H 'Content-Type: application/json' -d \
        '{"checks":[{"name":"a","agent":"rat","start":[2,0,2],"end":[70,0,70],"expect":"reachable"},
                    {"name":"b","agent":"giant","min_walkable_area":1e9},{"name":"c","agent":"cat","min_walkable_area":1}]}'
    is "$STATUS $(json '[.checks[].agent] | join(" ")')" '200 rat giant cat'
    ask '/v1/meshes/checked/versions?wait=1' -F geometry=@town.obj -F config=@config.json
    is "$(json '[.active, (.checks | map(.passed))] | flatten | map(tostring) | join(" ")')" 'false true false false'
    [[ $(json '.checks[2].detail') == *'no agent "cat"'* ]]
    ask '/v1/meshes/town/versions/1/render.svg?agent=rat'
    is "$STATUS" 200
    local rat=$BODY
    ask '/v1/meshes/town/versions/1/render.svg'
    [ "$BODY" != "$rat" ]
    echo "{\"tile_cells\":64,\"agents\":{\"rat\":$RAT,\"giant\":{\"radius\":0.9,\"height\":4}}}" >"$BATS_TEST_TMPDIR/other.json"
    ask '/v1/meshes/town/versions?wait=1&activate=0' -F geometry=@town.obj -F "config=@$BATS_TEST_TMPDIR/other.json"
    local count='[.tiles.before - .tiles.unchanged, (.tiles.changed | length > 0)] | map(tostring) | join(" ")'
    ask '/v1/meshes/town/versions/diff?from=1&to=2&agent=rat'
    is "$(json "$count")" '0 false'
    ask '/v1/meshes/town/versions/diff?from=1&to=2'
    is "$(json "$count")" '0 false'
    ask '/v1/meshes/town/versions/diff?from=1&to=2&agent=giant'
    is "$(json '.tiles.changed | length > 0')" true
}

@test "settings of bodies are refused by name, and a body without ground fails the version" {
    local case
    for case in '{"default":{}}|agents.default' '{"a b":{}}|agents.a b' '{"rat":{"radius":-1}}|agents.rat.radius' \
        '{"rat":{"size":1}}|agents.rat.size' '{"rat":7}|agents.rat' '[]|agents' '{"rat":{"height":"tall"}}|agents.rat.height'; do
        post_json '/v1/meshes/bad/versions?wait=1' "{\"vertices\":[[0,0,0],[9,0,0],[9,0,9]],\"triangles\":[[0,2,1]],\"config\":{\"agents\":${case%%|*}}}"
        is "$STATUS $(json .at)" "422 ${case#*|}"
    done
    post_json '/v1/meshes/bad/versions?wait=1' '{"vertices":[[0,0,0],[9,0,0],[9,0,9],[0,0,9]],"triangles":[[0,2,1],[0,3,2]],"config":{"agents":{"whale":{"radius":8}}}}'
    is "$STATUS $(json '[.code, .at] | join(" ")')" '422 mesh_empty agents.whale'
}

@test "all bodies are there after a kill, and damage to one of them is repaired" {
    own_database
    start_daemon
    ask '/v1/meshes/town/versions?wait=1' -F geometry=@town.obj -F config=@config.json
    is "$STATUS" 201
    path_of rat
    local before=$BODY
    stop_daemon KILL
    start_daemon
    path_of rat
    is "$BODY" "$before"
    stop_daemon
    run -0 "$NAVMESHD" verify --db "$DB"
    [[ $output == 'ok: 1 version, '* ]]
    sqlite3 "$DB" 'UPDATE blobs SET zstd = zeroblob(length(zstd)) WHERE id = (SELECT c.blob FROM tiles c
        JOIN version_tiles t ON t.tile = c.id WHERE t.tile_z >= 33554432 AND c.blob IS NOT NULL LIMIT 1)'
    run -1 "$NAVMESHD" verify --db "$DB"
    [[ $output == *'of agent 2'* ]]
    start_daemon
    wait_log 'event=blob_repaired'
    path_of rat
    is "$BODY" "$before"
    stop_daemon
    sqlite3 "$DB" 'UPDATE agent_landmarks SET zstd = zeroblob(length(zstd)) WHERE agent = 1'
    start_daemon
    wait_log 'event=version_repaired'
    sqlite3 "$DB" "UPDATE versions SET agents_json = CAST(x'00' AS TEXT); DELETE FROM version_tiles WHERE tile_z = 16777216"
    stop_daemon
    start_daemon
    wait_log 'event=version_repaired' 2
    path_of rat
    is "$BODY" "$before"
    ask /v1/meshes/town/versions/1
    is "$(json .agents)" "$(gojq .agents version.json)"
    stop_daemon
    run -0 "$NAVMESHD" verify --db "$DB"
}
