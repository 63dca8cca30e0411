#!/usr/bin/env bats
# The daemon says how it is, and answers what it does not know with the right status.

load helper

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    square_obj 20 >square.obj
    start_daemon
    bake_mesh yard square.obj
}

@test "healthz and readyz answer 200" {
    ask /healthz
    is "$STATUS" 200
    ask /readyz
    is "$STATUS" 200
}

@test "status tells version, uptime, memory and queue" {
    ask /v1/status
    is "$STATUS" 200
    is "$(header Content-Type)" application/json
    is "$(json 'type')" object
    is "$(json '[paths(scalars) | join(".")] | join(" ") | test("uptime") and test("memory") and test("queue")')" true
}

@test "status tells what is in force: build, libraries, listeners, limits, files, store" {
    ask /v1/status
    is "$(json '.state')" ready
    is "$(json '.listeners | join(" ")')" "$ADDRESS"
    is "$(json '[.build.libraries[] | test("^[0-9]+[.][0-9]+[.][0-9]+")] | all')" true
    is "$(json '.build.libraries | keys | join(" ")')" 'cjson libmicrohttpd sqlite zstd'
    is "$(json '[.limits[] | type == "number"] | all')" true
    is "$(json '.limits | [.query_body_bytes, .bake_queue, .drain_ms, .bake_memory_bytes] | map(. > 0) | all')" true
    is "$(json '.store.versions.ready')" 1
    is "$(json '.store.file_bytes')" "$(stat -c %s "$DB")"
    is "$(json '.files | .open > 5 and .open < .limit')" true
    is "$(json '.memory | .resident_bytes > .meshes_bytes and .meshes_bytes > 0')" true
    is "$(json '[.meshes[] | .mesh + " " + (.version | tostring)] | join(" ")')" 'yard 1'
    local first
    first=$(json .uptime_s)
    ask /v1/status
    is "$(gojq -n "$(json .uptime_s) >= $first")" true
}

@test "an address that is not there is 404" {
    for path in /nothing /v1 /v1/meshes/yard/nothing /v1/meshes/yard/versions/1/nothing \
        /v1/meshes/yard/versions/0 /v1/meshes/yard/versions/one /v1/meshes/yard/versions/99999999999; do
        ask "$path"
        is "$STATUS" 404
        [[ $(json .code) =~ ^(route_not_found|version_not_found)$ ]]
    done
    ask /nothing
    is_error 404 route_not_found
}

@test "a method that the address does not take is 405, with those that it takes" {
    ask /v1/meshes/yard -X POST -d x
    is_error 405 method_not_allowed
    [[ $(header Allow) == *GET* ]]
    [[ $(header Allow) == *DELETE* ]]
    ask /healthz -X DELETE
    is_error 405 method_not_allowed
    [[ $(header Allow) == *GET* ]]
    ask /v1/meshes/yard/active -X GET
    is_error 405 method_not_allowed
    [[ $(header Allow) == *PUT* ]]
}

@test "an answer that Accept leaves out is 406; health and errors come whatever it says" {
    local accept path
    while IFS='|' read -r accept path; do
        ask "$path" -H "Accept: $accept"
        is_error 406 not_acceptable
        is "$(json .at)" Accept
    done <<'LEFT_OUT'
text/html|/v1/meshes
application/xml, image/*|/v1/meshes/yard/path?start=2,0,2&end=18,0,18
*/*, application/json;q=0|/v1/status
application/json|/v1/meshes/yard/versions/1/render.svg
application/json|/v1/meshes/yard/versions/1/geometry
application/json|/v1/meshes/yard/versions/1/events
LEFT_OUT
    while IFS='|' read -r accept path; do
        ask "$path" -H "Accept: $accept"
        is "$STATUS" 200
    done <<'TAKEN'
text/html,application/xml;q=0.9,*/*;q=0.8|/v1/meshes
application/*|/v1/meshes
image/svg+xml|/v1/meshes/yard/versions/1/render.svg
text/event-stream|/v1/meshes/yard/versions/1/events
text/html|/healthz
application/openmetrics-text|/metrics
TAKEN
    ask /v1/meshes -H 'Accept: text/html' -H 'Accept: application/json'
    is "$STATUS" 200
    ask /v1/meshes -H 'Accept;'
    is "$STATUS" 200
    ask /v1/meshes/none -H 'Accept: application/json'
    is_error 404 mesh_not_found
}

@test "HEAD is GET without the body" {
    ask /v1/meshes/yard
    local length
    length=$(header Content-Length)
    ask /v1/meshes/yard --head
    is "$STATUS" 200
    is "$(header Content-Length)" "$length"
    is "$(header Content-Type)" application/json
}

@test "each error names its request, and no two have the same name" {
    ask /nothing
    local first
    first=$(json .request_id)
    ask /nothing
    [ -n "$first" ]
    [ "$(json .request_id)" != "$first" ]
}

# RFC 9457, 4.2.1: a problem of the type about:blank has the title of its status.
@test "a problem has the title that HTTP has for its status" {
    ask /nothing
    is "$(json '.type, .title' | tr '\n' ' ')" 'about:blank Not Found '
    ask '/v1/meshes/yard/path?start=1,2'
    is "$(json .title)" 'Unprocessable Content'
    ask /healthz -X DELETE
    is "$(json .title)" 'Method Not Allowed'
    is "$(raw_answer 'GET /healthz HTTP/1.1\r\n\r\n' | head -n 1)" 'HTTP/1.1 400 Bad Request'
}

@test "the connection is kept for the next request" {
    run -0 curl -sS -o /dev/null -o /dev/null -w '%{num_connects} ' "$BASE/healthz" "$BASE/healthz"
    is "$output" '1 0 '
}

@test "a query string is decoded" {
    ask '/v1/meshes/yard/path?start=2%2C0%2C2&end=18,%20%200,18'
    [ "$STATUS" = 200 ] || is_error 422 invalid_field
    ask '/v1/meshes/yard/path?start=2%2C0%2C2&end=18,0,18'
    is "$STATUS" 200
    is "$(json .status)" complete
}

flat_bakes() {
    ask /v1/meshes/flat/versions/1
    [[ $BODY == *'"state":"baking"'* ]]
}

@test "queries go on while a bake runs" {
    # More work than any test takes, which ends with this one.
    square_obj 500 >"$BATS_TEST_TMPDIR/flat.obj"
    upload '/v1/meshes/flat/versions?cell_size=0.05&tile_cells=64' "$BATS_TEST_TMPDIR/flat.obj"
    is "$STATUS" 202
    wait_for flat_bakes
    local i
    for i in 1 2 3 4 5; do
        ask '/v1/meshes/yard/path?start=2,0,2&end=18,0,18'
        is "$(json '.status, .version' | tr '\n' ' ')" 'complete 1 '
        flat_bakes
    done
    ask /v1/meshes/flat/versions/1 -X DELETE
    is "$(json .state)" cancelled
}

@test "openapi.json is served as it is, and describes what is answered" {
    curl -sS -o "$BATS_TEST_TMPDIR/openapi.json" "$BASE/openapi.json"
    cmp "$BATS_TEST_TMPDIR/openapi.json" "$ROOT/server/api/openapi.json"
    ask /openapi.json
    is "$(header Content-Type)" application/json
    is "$(json .openapi)" 3.1.0
    is "$(json .info.version)" "$("$NAVMESHD" --version | cut -d ' ' -f 2)"
}

# Every member of an answer, at any depth that is not a free map, is in its schema.
described() { # schema name; the answer is in BODY
    printf '{"name":"%s","answer":%s}\n' "$1" "$BODY" >>"$BATS_TEST_TMPDIR/answers"
}

# Members of these answers that their schema does not know.
strays() {
    gojq -sr --slurpfile openapi "$ROOT/server/api/openapi.json" '
        $openapi[0] as $all
        | def followed: if has("$ref") then (."$ref"[2:] | split("/")) as $path | $all | getpath($path) | followed else . end;
        def stray($schema; $at):
            ($schema | followed) as $s
            | if ($s | has("anyOf")) then [$s.anyOf[] as $one | [stray($one; $at)]] | min_by(length) | .[]
              elif type == "object" and ($s | has("properties")) then
                  to_entries[] | . as $e
                  | if ($s.properties | has($e.key)) then $e.value | stray($s.properties[$e.key]; $at + "." + $e.key)
                    else $at + "." + $e.key end
              elif type == "array" and ($s.items | type) == "object" then .[] | stray($s.items; $at + "[]")
              else empty end;
        [.[] | .name as $name | .answer | stray({"$ref": ("#/components/schemas/" + $name)}; $name)] | join(" ")' \
        "$BATS_TEST_TMPDIR/answers"
}

@test "openapi.json names the answer that each address gives" {
    local line
    gojq -r '.paths | to_entries[] | (.key | ltrimstr("/v1/meshes/{mesh}")) as $address | .value | to_entries[]
        | select(.value | type == "object")
        | "\(.key) \($address) \(.value.responses["200"].content["application/json"].schema["$ref"]? // "" | ltrimstr("#/components/schemas/"))"' \
        "$ROOT/server/api/openapi.json" >"$BATS_TEST_TMPDIR/answers"
    while read -r line; do
        grep -qxF "$line" "$BATS_TEST_TMPDIR/answers" || is '' "$line"
    done <<'ANSWERS'
get /checks MeshChecks
put /checks MeshChecks
put /active Switched
get /versions VersionList
get /versions/diff Diff
get /versions/{version} Version
get /path Path
post /path Path
post /paths Paths
post /matrix Matrix
ANSWERS
}

@test "answers have no member that openapi.json does not know" {
    ask /v1/status
    described Status
    ask /healthz
    described Word
    ask /nothing
    described Problem
    ask /v1/meshes
    described MeshList
    ask /v1/meshes/yard
    described Mesh
    ask /v1/meshes/yard/versions
    described VersionList
    ask /v1/meshes/yard/versions/1
    described Version
    ask '/v1/meshes/yard/path?start=2,0,2&end=18,0,18'
    described Path
    ask '/v1/meshes/yard/path?start=2,0,2&end=18,0,18&details=polygons,areas,links'
    is "$STATUS" 200
    described Path
    post_json /v1/meshes/yard/paths '{"queries":[{"start":[2,0,2],"end":[18,0,18],"id":"a","details":["areas"]}]}'
    is "$STATUS" 200
    described Paths
    post_json /v1/meshes/yard/reachable '{"start":[2,0,2],"points":[[18,0,18]]}'
    is "$STATUS" 200
    described Reachable
    ask '/v1/meshes/yard/nearest?point=2,0,2&count=4'
    described Nearest
    local question
    for question in 'Nearest nearest?point=-9,0,-9' 'Floors floors?x=5&z=5' 'Raycast raycast?start=2,0,2&end=50,0,2' \
        'Raycast raycast?start=200,0,2&end=50,0,2' 'Move move?start=2,0,2&end=50,0,2' 'Wall wall?point=5,0,5' \
        'Random random?count=3'; do
        ask "/v1/meshes/yard/${question#* }"
        is "$STATUS" 200
        described "${question%% *}"
    done
    post_json /v1/meshes/yard/trace '{"positions":[[2,0,2],[3,0,3],[90,0,90]],"times_ms":[0,1000,2000],"max_speed":5}'
    is "$STATUS" 200
    described Trace
    post_json /v1/meshes/yard/matrix '{"sources":[[2,0,2]],"targets":[[3,0,3]],"nearest":1}'
    described Matrix
    ask '/v1/meshes/yard/flood?start=2,0,2&max_cost=9'
    described Flood
    ask '/v1/meshes/yard/versions/diff?from=1&to=1'
    described Diff
    ask /v1/meshes/yard/checks -X PUT -H 'Content-Type: application/json' -d '{"checks":[{"name":"a","min_walkable_area":1}]}'
    is "$STATUS" 200
    described MeshChecks
    ask /v1/meshes/yard/checks
    described MeshChecks
    is "$(strays)" ''
    # The check finds what is not there.
    BODY='{"status":"ok","more":1}'
    described Word
    is "$(strays)" Word.more
}
