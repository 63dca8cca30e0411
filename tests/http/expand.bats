#!/usr/bin/env bats
# What the search of a path expands, step by step: of each engine, with the same path, and nowhere
# but where a path is asked alone.

load helper

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    "$LEVEL_MAKER" town >town.obj
    start_daemon
    echo '{"areas":{"mud":{"cost":3}},"volumes":[{"shape":"box","area":"mud","min":[20,-9,10],"max":[60,9,70]}]}' >mud.json
    bake_mesh town town.obj
    ask '/v1/meshes/mud/versions?wait=1' -F geometry=@town.obj -F config=@mud.json
    is "$STATUS" 201
}

@test "each engine tells its steps, and the path is the same" {
    local mesh search engines plain
    while read -r mesh search engines; do
        ask "/v1/meshes/$mesh/path?start=2,0,2&end=90,0,90&search=$search"
        plain=$BODY
        ask "/v1/meshes/$mesh/path?start=2,0,2&end=90,0,90&search=$search&expand=1"
        is "$STATUS" 200
        is "$(json '[.expansions[].engine] | unique | join(",")')" "$engines"
        is "$(json .expansions_truncated)" false
        is "$(json 'del(.expansions, .expansions_truncated) | tojson')" "$(gojq -r tojson <<<"$plain")"
        # Every step is a triangle over ground, and the goal's polygon is come to.
        is "$(json '[.expansions[] | (.root, .left, .right | length == 3), .f >= .g, (.polygon | test("^[0-9]+$"))] | all')" true
        is "$(json '.expansions[0] | (.root | .[0] == 2 and .[2] == 2) and .g == 0')" true
    done <<'ENGINES'
town auto polyanya
town fast labels
mud auto labels,steiner
ENGINES
    post_json /v1/meshes/town/path '{"start":[2,0,2],"end":[90,0,90],"expand":true}'
    is "$(json '[.expansions[].f] | . == sort')" true
    # The search ends beside the goal.
    ask '/v1/meshes/town/nearest?point=90,0,90'
    local goal
    goal=$(json '.points[0].polygon')
    post_json /v1/meshes/town/path '{"start":[2,0,2],"end":[90,0,90],"search":"fast","expand":true}'
    is "$(json '.expansions | length > 20')" true
    ask "/v1/meshes/town/versions/1/export?format=json"
    is "$(json "[.polygons[] | select(.id == \"$goal\")] | length")" 1
    ask '/v1/meshes/town/path?start=2,0,2&end=2,0,2.5&expand=1'
    is "$(json '.expansions | tojson')" '[]'
    ask '/v1/meshes/town/path?start=2,0,2&end=90,0,90&expand=0'
    is "$(json 'has("expansions")')" false
}

@test "a search in an instance, with a budget or without a way is told, too" {
    ask /v1/meshes/town/instances/run -X PUT -H 'Content-Type: application/json' \
        -d '{"obstacles":{"a":{"shape":"circle","center":[40,0,40],"radius":12}}}'
    is "$STATUS" 201
    ask '/v1/meshes/town/path?start=2,0,2&end=90,0,90&instance=run&expand=1'
    is "$(json '.status, (.expansions | length > 5)' | xargs)" 'complete true'
    ask '/v1/meshes/town/path?start=2,0,2&end=90,0,90&max_nodes=7&expand=1'
    is "$(json '.reason, (.expansions | length)' | xargs)" 'node_budget 7'
    ask '/v1/meshes/town/path?start=2,900,2&end=90,0,90&expand=1'
    is "$(json '.reason, (.expansions | length)' | xargs)" 'start_off_mesh 0'
}

@test "batches list nothing, and say so" {
    local path='"start":[2,0,2],"end":[9,0,9],"expand":true'
    post_json /v1/meshes/town/batch "{\"queries\":[{\"kind\":\"wall\",\"point\":[2,0,2]},{\"kind\":\"path\",$path}]}"
    is_error 422 invalid_field
    is "$(json .at)" 'queries[1].expand'
    post_json /v1/meshes/town/paths "{\"queries\":[{$path}]}"
    is_error 422 unknown_field
    is "$(json .at)" 'queries[0].expand'
    post_json /v1/meshes/town/paths '{"defaults":{"expand":true},"queries":[{"start":[2,0,2],"end":[9,0,9]}]}'
    is_error 422 unknown_field
    ask '/v1/meshes/town/raycast?start=2,0,2&end=9,0,9&expand=1'
    is_error 422 unknown_field
    ask '/v1/meshes/town/path?start=2,0,2&end=9,0,9&expand=perhaps'
    is_error 422 invalid_field
    is "$(json .at)" expand
}
