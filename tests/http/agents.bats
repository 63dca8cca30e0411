#!/usr/bin/env bats
# Bodies of several sizes in one version: each has the mesh that an upload of its own would have, and
# questions name the one that asks.

load helper

RAT='{"radius":0.2,"height":0.5,"max_climb":0.2,"max_slope":30}'
GIANT='{"radius":1.2,"height":4,"max_climb":1.5}'

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    "$LEVEL_MAKER" town >town.obj
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
    mine=$BODY
    path_of rat
    is "$BODY" "${mine/\"rats\"/\"town\"}"
    post_json /v1/meshes/town/wall '{"point":[20,0,20],"agent":"giant"}'
    is "$STATUS" 200
    ask '/v1/meshes/town/nearest?point=2,0,2&agent=cat'
    is "$STATUS $(json '[.code, .at, .got] | join(" ")')" '422 invalid_field agent cat'
    [[ $(json .detail) == *'it has default, giant, rat'* ]]
    post_json /v1/meshes/town/wall '{"point":[20,0,20],"agent":7}'
    is "$STATUS $(json '[.code, .at] | join(" ")')" '422 invalid_field agent'
}

# Every call that asks something of a mesh.
QUESTIONS='path "start":[2,0,2],"end":[70,0,70]
raycast "start":[2,0,2],"end":[30,0,30]
move "start":[2,0,2],"end":[9,0,9]
nearest "point":[20,0,20],"count":5
wall "point":[20,0,20]
floors "x":20,"z":20
random "count":20,"seed":7
flood "start":[2,0,2],"max_cost":20
paths "queries":[{"start":[2,0,2],"end":[70,0,70],AGENT}]
batch "queries":[{"kind":"path","start":[2,0,2],"end":[70,0,70],AGENT},{"kind":"wall","point":[20,0,20],AGENT}]
matrix "sources":[[2,0,2]],"targets":[[70,0,70],[30,0,30]]
reachable "start":[2,0,2],"points":[[70,0,70],[30,0,30],[20,0,20]]
trace "positions":[[2,0,2],[20,0,20],[70,0,70]]
instances/state/valid "points":[[2,0,2],[20,0,20],[70,0,70]]'

@test "every question and every query of a batch takes agent, and refuses one that is not there" {
    local kind rest question plain mine mesh differ=0
    alone same "$RAT"
    for mesh in town same; do
        ask "/v1/meshes/$mesh/instances/state" -X PUT -H 'Content-Type: application/json' \
            -d '{"obstacles":{"cart":{"shape":"circle","center":[30,0,30],"radius":3}}}'
        is "$STATUS" 201
    done
    while read -r kind rest; do
        question="{$rest,\"agent\":\"rat\"}" plain="{$rest}"
        if [[ $rest == *AGENT* ]]; then
            question="{${rest//AGENT/\"agent\":\"rat\"}}" plain="{${rest//,AGENT/}}"
        fi
        post_json "/v1/meshes/same/$kind" "$plain"
        is "$STATUS" 200
        mine=${BODY/\"same\"/\"town\"}
        post_json "/v1/meshes/town/$kind" "$question"
        is "$BODY" "$mine"
        post_json "/v1/meshes/town/$kind" "$plain"
        [ "$BODY" = "$mine" ] || differ=$((differ + 1))
        post_json "/v1/meshes/town/$kind" "${question//rat/cat}"
        is_error 422 invalid_field
        is "$(json .got) ${AT#'queries[0].'}" 'cat agent'
        is "$(json .detail)" 'this version of the mesh has no agent "cat"; it has default, giant, rat; did you mean "rat"?'
        if [[ $kind =~ ^(path|raycast|move|nearest|wall|floors|random|flood)$ ]]; then
            to_arguments "$question"
            ask "/v1/meshes/town/$kind" "${ARGUMENTS[@]}"
            is "$BODY" "$mine"
            to_arguments "${question//rat/cat}"
            ask "/v1/meshes/town/$kind" "${ARGUMENTS[@]}"
            is_refused agent
        fi
        # A batch names it by number.
        if [[ $kind =~ ^(path|raycast|move|nearest|wall|floors|random|reachable)$ ]]; then
            post_json /v1/meshes/town/batch "{\"agents\":[\"giant\",\"rat\"],\"queries\":[{\"kind\":\"$kind\",$rest,\"agent\":1}]}"
            is "{\"mesh\":\"town\",\"version\":1,${BODY#*\"results\":\[\{}" "$mine]}"
        fi
    done <<<"$QUESTIONS"
    # Nearly all answers are others for another body.
    [ "$differ" -ge 10 ]
    post_json /v1/meshes/town/batch '{"agents":["rat"],"queries":[{"kind":"wall","point":[20,0,20],"agent":1}]}'
    is_refused 'queries[0].agent'
    post_json /v1/meshes/town/batch '{"agents":["rat",7],"queries":[{"kind":"wall","point":[20,0,20]}]}'
    is_refused 'agents[1]'
    post_json /v1/meshes/town/batch '{"agents":["rat","cat"],"queries":[{"kind":"wall","point":[20,0,20],"agent":1}]}'
    is_refused 'queries[0].agent'
}

# The points of a packed path, the only one of its answer, in thousandths.
packed_points() { # file
    od -v -An -tf4 -j $((24 + 28)) -w4 "$1" | xargs printf '%.3f '
}

@test "packed questions name the body, and the instance" {
    local q=$BATS_TEST_TMPDIR/q reply=$BATS_TEST_TMPDIR/body agent wanted
    ask /v1/meshes/town/instances/packed -X PUT -H 'Content-Type: application/json' \
        -d '{"obstacles":{"cart":{"shape":"circle","center":[30,0,30],"radius":3}}}'
    for agent in default rat giant; do
        path_of "$agent&instance=packed"
        wanted=$(json '.points[][]' | xargs printf '%.3f ')
        DEFAULTS="{\"agent\":\"$agent\",\"instance\":\"packed\"}" packed "$q" 1 2 0 2 70 0 70
        ask_packed town "$q"
        is "$STATUS" 200
        is "$(at_u32 "$reply" 8) $(at_u32 "$reply" 20)" '1 1'
        is "$(packed_points "$reply")" "$wanted"
        # A batch names them by number.
        local lists="{\"agents\":[\"$agent\"],\"instances\":[\"packed\"]}"
        {
            printf NAVB
            u32 1 1 0 "${#lists}" 0 0 0 0 0 $((1 << 16 | 1)) 0 0 0
            f32 2 0 2 70 0 70 2 4 4 0 0 0
            printf %s "$lists"
        } >"$q"
        ask /v1/meshes/town/batch -X POST -H 'Content-Type: application/vnd.navmeshd.batch' --data-binary "@$q"
        is "$STATUS" 200
        is "$(at_u32 "$reply" 32)" 1
        is "$(od -v -An -tf4 -j $((28 + 8 + 20)) -w4 "$reply" | xargs printf '%.3f ')" "$wanted"
    done
    while read -r status code at DEFAULTS; do
        packed "$q" 1 2 0 2 70 0 70
        ask_packed town "$q"
        is_error "$status" "$code"
        is "${AT/ /_}" "$at"
    done <<'END'
422 invalid_field queries[0].agent {"agent":"cat"}
422 invalid_field agent {"agent":7}
422 unknown_field version {"version":1}
422 invalid_field queries[0].filter {"filter":"boat"}
404 instance_not_found queries[0].instance {"instance":"nobody"}
400 bad_json byte_8 {"agent"
END
}

@test "each query of a batch may name another body" {
    local q='"start":[2,0,2],"end":[70,0,70]' avoid='"avoid":[{"shape":"circle","center":[30,0,30],"radius":3}]'
    post_json /v1/meshes/town/paths "{\"defaults\":{$q,$avoid},\"queries\":[{},{\"agent\":\"rat\"},{\"agent\":\"giant\"},{\"agent\":\"rat\"}]}"
    is "$STATUS" 200
    local i=0 agent all=$BODY
    for agent in default rat giant rat; do
        post_json /v1/meshes/town/path "{$q,$avoid,\"agent\":\"$agent\"}"
        is "$(json 'del(.mesh, .version)')" "$(gojq -r ".results[$i]" <<<"$all")"
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
    local call
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
    for call in '1/render.svg?agent=cat' 'diff?from=1&to=1&agent=cat'; do
        ask "/v1/meshes/town/versions/$call"
        is_refused agent
        is "$(json .got)" cat
    done
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
    is "$output" 'ok: 1 version'
    sqlite3 "$DB" 'UPDATE blobs SET zstd = zeroblob(length(zstd)) WHERE id = (SELECT c.blob FROM tiles c
        JOIN version_tiles t ON t.tile = c.id WHERE t.tile_z >= 33554432 AND c.blob IS NOT NULL LIMIT 1)'
    run -1 "$NAVMESHD" verify --db "$DB"
    [[ $output == *'of agent 2'* ]]
    start_daemon
    wait_log 'event=version_repaired'
    path_of rat
    is "$BODY" "$before"
    stop_daemon
    sqlite3 "$DB" 'UPDATE version_landmarks SET zstd = zeroblob(length(zstd)) WHERE agent = 1'
    start_daemon
    wait_log 'event=version_repaired' 2
    sqlite3 "$DB" "UPDATE versions SET agents_json = CAST(x'00' AS TEXT); DELETE FROM version_tiles WHERE tile_z = 16777216"
    stop_daemon
    start_daemon
    wait_log 'event=version_repaired' 3
    path_of rat
    is "$BODY" "$before"
    ask /v1/meshes/town/versions/1
    is "$(json .agents)" "$(gojq .agents version.json)"
    stop_daemon
    run -0 "$NAVMESHD" verify --db "$DB"
}

@test "a shape without a height of its own has that of the body that asks, in an instance as in avoid" {
    local agent shape cost
    square_obj 20 >flat.obj
    ask '/v1/meshes/flat/versions?wait=1' -F geometry=@flat.obj -F config=@config.json
    is "$STATUS" 201
    # It stands a metre below the floor: a rat of half a metre walks over it.
    for shape in '{"shape":"circle","center":[10,-1,10],"radius":2}' \
        '{"shape":"capsule","start":[10,-1,8],"end":[10,-1,12],"radius":1}'; do
        ask /v1/meshes/flat/instances/low -X PUT -H 'Content-Type: application/json' -d "{\"obstacles\":{\"low\":$shape}}"
        [[ $STATUS =~ ^20[01]$ ]]
        for agent in rat default; do
            post_json /v1/meshes/flat/path "{\"start\":[3,0,10],\"end\":[17,0,10],\"agent\":\"$agent\",\"avoid\":[$shape]}"
            cost=$(json .cost)
            is "$(json '.cost == 14')" "$([ "$agent" = rat ] && echo true || echo false)"
            post_json /v1/meshes/flat/path "{\"start\":[3,0,10],\"end\":[17,0,10],\"agent\":\"$agent\",\"instance\":\"low\"}"
            is "$(json .cost)" "$cost"
        done
        # The same list of a batch is another one for each body.
        post_json /v1/meshes/flat/batch "{\"avoid_sets\":[[$shape]],\"queries\":[$(for agent in rat default rat default; do
            printf '%s{"kind":"path","start":[3,0,10],"end":[17,0,10],"avoid":0,"agent":"%s"}' "${comma:-}" $agent
            comma=,
        done)]}"
        is "$(json '[.results[].cost == 14] | tojson')" '[true,false,true,false]'
    done
}
