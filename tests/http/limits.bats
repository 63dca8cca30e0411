#!/usr/bin/env bats
# Each limit can be set, is shown, and is answered with its own code when it is broken; what is
# within it goes on.

load helper

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    square_obj 20 >square.obj
    export OPS_SOCKET=$BATS_FILE_TMPDIR/ops.sock
    start_daemon --listen "unix:$OPS_SOCKET" \
        --limit uri_bytes=200 --limit headers_bytes=512 --limit headers_count=12 \
        --limit query_body_bytes=1000 --limit batch_queries=2 --limit json_depth=4 --limit json_values=40 \
        --limit geometry_body_bytes=20000 --limit unpacked_bytes=30000 --limit zstd_ratio=100 \
        --limit vertices=100 --limit triangles=50 --limit grid_cells=10000 \
        --limit bodies_in_flight_bytes=15000 --limit listener_connections=8 --limit connections=12
    bake_mesh yard square.obj
}

too_much() { # status code limit
    is_error "$1" "$2"
    is "$(json .limit)" "$3"
}

@test "status shows every limit as it is set" {
    ask /v1/status
    is "$(json '.limits | [.uri_bytes, .json_depth, .vertices, .connections] | join(" ")')" '200 4 100 12'
    is "$(json '.limits.header_ms')" 10000
    is "$(json '[.limits[] | type] | unique | join(" ")')" number
}

@test "limits that are wrong do not start" {
    for limit in nonsense=1 vertices vertices= vertices=-1 vertices=1x vertices=0 \
        vertices=99999999999999999999 json_depth=43 Vertices=9 =3; do
        run -2 "$NAVMESHD" --db bad.db --limit "$limit"
        [[ $output == *"--limit $limit"* ]]
    done
}

@test "address and headers" {
    ask "/healthz?$(printf 'x%.0s' {1..200})"
    too_much 414 uri_too_long 200
    ask /healthz -H "A: $(printf 'x%.0s' {1..520})"
    too_much 431 headers_too_large 512
    local many=() i
    for ((i = 0; i < 13; i++)); do
        many+=(-H "A$i: b")
    done
    ask /healthz "${many[@]}"
    too_much 431 headers_too_large 12
}

@test "body, depth and values of a query" {
    local points='"start":[2,0,2],"end":[18,0,18]'
    post_json /v1/meshes/yard/path "{$points}"
    is "$STATUS" 200
    post_json /v1/meshes/yard/path "{$points$(printf '%1000s' '')}"
    too_much 413 body_too_large 1000
    post_json /v1/meshes/yard/path "{$points,\"x\":[[[[1]]]]}"
    too_much 400 json_too_deep 4
    post_json /v1/meshes/yard/path "{$points,\"x\":[$(printf '1,%.0s' {1..40})1]}"
    too_much 413 json_too_many_values 40
}

@test "queries of a batch" {
    local one='{"start":[2,0,2],"end":[18,0,18]}'
    post_json /v1/meshes/yard/paths "{\"queries\":[$one,$one]}"
    is "$STATUS" 200
    post_json /v1/meshes/yard/paths "{\"queries\":[$one,$one,$one]}"
    too_much 413 batch_too_large 2
}

@test "elements of every list that is asked at once" {
    local three='[[2,0,2],[3,0,3],[4,0,4]]' two='[[2,0,2],[3,0,3]]'
    local what body
    while read -r what body; do
        post_json "/v1/meshes/yard/$what" "${body//THREE/$two}"
        is "$STATUS" 200
        post_json "/v1/meshes/yard/$what" "${body//THREE/$three}"
        too_much 413 batch_too_large 2
        is "$(json .got)" 3
    done <<'LISTS'
reachable {"start":[2,0,2],"points":THREE}
trace {"positions":THREE}
matrix {"sources":THREE,"targets":[[2,0,2]]}
matrix {"sources":[[2,0,2]],"targets":THREE}
LISTS
}

@test "JSON in a query string has the bounds of JSON in a body" {
    # Within the bound the text is read, and what is wrong with it is told.
    ask '/v1/meshes/yard/path?start=2,0,2&end=18,0,18&avoid=%5B%5B%5B%5B1%5D%5D%5D%5D'
    is_error 422 invalid_field
    ask '/v1/meshes/yard/path?start=2,0,2&end=18,0,18&avoid=%5B%5B%5B%5B%5B1%5D%5D%5D%5D%5D'
    too_much 400 json_too_deep 4
    ask "/v1/meshes/yard/path?start=2,0,2&end=18,0,18&avoid=%5B$(printf '1,%.0s' {1..40})1%5D"
    too_much 413 json_too_many_values 40
}

@test "listeners to bakes, and versions that are kept loaded" {
    own_database
    start_daemon --limit event_listeners=0 --limit kept_meshes=0
    upload '/v1/meshes/yard/versions?wait=1' square.obj
    upload '/v1/meshes/yard/versions?wait=1&cell_size=0.4' square.obj
    is "$STATUS" 201
    ask /v1/meshes/yard/versions/1/events
    too_much 503 overloaded 0
    is "$(header Retry-After)" 1
    ask '/v1/meshes/yard/path?start=2,0,2&end=18,0,18&version=1'
    is "$(json .version)" 1
    ask /v1/status
    is "$(json '.kept.meshes, .limits.event_listeners, .limits.kept_meshes, .limits.kept_bytes' | tr '\n' ' ')" '0 0 0 268435456 '
}

@test "body, vertices and triangles of an upload" {
    awk 'BEGIN {for (i = 0; i < 101; i++) print "v", i, 0, 0}' >vertices.obj
    upload /v1/meshes/big/versions vertices.obj
    too_much 413 geometry_too_large 100
    awk 'BEGIN {print "v 0 0 0\nv 0 0 9\nv 9 0 0"; for (i = 0; i < 51; i++) print "f 1 2 3"}' >triangles.obj
    upload /v1/meshes/big/versions triangles.obj
    too_much 413 geometry_too_large 50
    { cat square.obj && printf '# %20000s\n' ''; } >long.obj
    upload /v1/meshes/big/versions long.obj
    too_much 413 body_too_large 20000
    ask /v1/meshes/big
    is_error 404 mesh_not_found
}

@test "depth and values of an upload's settings, within JSON geometry and as a part" {
    own_folder
    start_daemon --limit json_depth=5 --limit config_json_values=10
    local geometry='"vertices":[[0,0,0],[0,0,9],[9,0,0]],"triangles":[[0,1,2]]'
    local good='{"seeds":[[1,0,1],[2,0,2]]}' deep='{"volumes":[{"points":[[[1]]]}]}'
    local many='{"seeds":[[1,0,1],[2,0,2],[3,0,3]]}'
    post_json '/v1/meshes/yard/versions?wait=1' "{$geometry,\"config\":$good}"
    is "$STATUS" 201
    post_json /v1/meshes/yard/versions "{$geometry,\"config\":$deep}"
    too_much 400 json_too_deep 5
    post_json /v1/meshes/yard/versions "{$geometry,\"config\":$many}"
    too_much 413 json_too_many_values 10
    ask '/v1/meshes/hall/versions?wait=1' -F geometry=@square.obj -F "config=$good"
    is "$STATUS" 201
    ask /v1/meshes/hall/versions -F geometry=@square.obj -F "config=$deep"
    too_much 400 json_too_deep 5
    ask /v1/meshes/hall/versions -F geometry=@square.obj -F "config=$many"
    too_much 413 json_too_many_values 10
    # Geometry is no settings: it has as many values as it likes.
    ask /v1/meshes/hall/versions
    is "$(json '.versions | length')" 1
}

@test "the bytes that an upload unpacks to" {
    { cat square.obj && printf '# %29000s\n' ''; } >ratio.obj
    zstd -qf ratio.obj
    upload /v1/meshes/big/versions ratio.obj.zst model/obj -H 'Content-Encoding: zstd'
    is "$STATUS" 503
    { cat square.obj && printf '# %31000s\n' ''; } >unpacked.obj
    zstd -qf unpacked.obj
    upload /v1/meshes/big/versions unpacked.obj.zst model/obj -H 'Content-Encoding: zstd'
    [[ $STATUS == 413 || $STATUS == 503 ]]
}

bakes_one() {
    ask /v1/status
    [[ $BODY == *'"baking":1'* ]]
}

@test "uploads that wait for a worker" {
    own_folder
    "$LEVEL_MAKER" town --size 16 >town.obj
    start_daemon --workers 1 --limit bake_queue=2
    upload '/v1/meshes/long/versions?cell_size=0.1&cell_height=0.1&tile_cells=64' town.obj
    is "$STATUS" 202
    wait_for bakes_one
    local i
    is "$(json '.limits.bake_queue, .queue.limit, .queue.mends' | tr '\n' ' ')" '2 2 0 '
    for i in 1 2; do
        upload "/v1/meshes/m$i/versions" square.obj
        is "$STATUS" 202
    done
    upload /v1/meshes/m3/versions square.obj
    too_much 429 bake_queue_full 2
    [[ $(json .detail) == '2 versions '* ]]
    ask /v1/meshes/long -X DELETE
    wait_version /v1/meshes/m2/versions/1
    upload '/v1/meshes/m3/versions?wait=1' square.obj
    is "$STATUS" 201
}

@test "cells of the grid, with a size that fits" {
    upload '/v1/meshes/big/versions?cell_size=0.1&wait=1' square.obj
    too_much 422 grid_too_large 10000
    upload "/v1/meshes/big/versions?cell_size=$(json .suggest_cell_size)&wait=1" square.obj
    is "$STATUS" 201
    # Where the library's own bound is broken, too, the suggestion meets both.
    upload '/v1/meshes/big/versions?cell_size=0.00001' square.obj
    too_much 422 grid_too_large 10000
    is "$(json '.got | tonumber > 3.9e12')" true
    is "$(json '.suggest_cell_size > 0.2 and .suggest_cell_size < 0.21')" true
}

# Asks, and does not read the answer. READER is its process.
ask_slowly() { # path
    python3 - "$ADDRESS" "$1" 3>&- <<'END' &
import socket, sys, time
host, port = sys.argv[1].split(":")
slow = socket.socket()
slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
slow.connect((host, int(port)))
slow.sendall(f"GET {sys.argv[2]} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
time.sleep(600)
END
    READER=$!
}

# Until so many bytes are in flight.
wait_bytes() { # bytes
    wait_for has_in_flight "$1"
}

has_in_flight() { # bytes
    ask /v1/status
    [[ $BODY == *"\"bodies_bytes\":$1,"* || $BODY == *"\"bodies_bytes\":$1}"* ]]
}

# A daemon with a picture of 3 to 6 MB, whose half for answers is 3 MB.
with_picture() {
    own_folder
    # 60,000 triangles of a metre on a large one: little to bake, much to draw.
    awk 'BEGIN { print "v 0 0 0\nv 0 0 20\nv 20 0 20\nv 5 0 15\nv 5 0 16\nv 6 0 16\nf 1 2 3"; for (i = 0; i < 60000; i++) print "f 4 5 6" }' >many.obj
    start_daemon --limit bodies_in_flight_bytes=6000000 --limit reply_ms=600000
    bake_mesh many many.obj
    PICTURE='/v1/meshes/many/versions/1/render.svg?layers=level&width=8192'
}

@test "large answers have half of the bytes in flight until they are sent: others get 503, all else goes on" {
    with_picture
    # The shell takes long to read as much.
    local bytes
    bytes=$(curl -fsS -o picture -w '%{size_download}' "$BASE$PICTURE")
    [ "$bytes" -gt 3000000 ] && [ "$bytes" -lt 6000000 ]
    ask_slowly "$PICTURE"
    wait_bytes 3000000
    ask "$PICTURE"
    is_error 503 overloaded
    is "$(header Retry-After)" 1
    # Small ones, the program's own files, and uploads, which have the other half.
    ask '/v1/meshes/many/nearest?point=5,0,15'
    is "$STATUS" 200
    ask /openapi.json
    is "$STATUS" 200
    is "$(stat -c %s "$BATS_TEST_TMPDIR/body")" "$(stat -c %s "$ROOT/server/api/openapi.json")"
    ask /console/console.js
    is "$STATUS" 200
    head -c 2700000 /dev/zero | tr '\0' '#' >comment
    { cat square.obj comment; } >large.obj
    upload '/v1/meshes/large/versions' large.obj
    is "$STATUS" 202
    kill "$READER"
    wait "$READER" || true
    wait_for curl -fsS -o picture "$BASE$PICTURE"
    wait_bytes 0
}

@test "a reply of something that is done is not refused, and what is refused is not done" {
    with_picture
    ask_slowly "$PICTURE"
    wait_bytes 3000000
    # An update whose reply lists 4,096 switches that are not there.
    local i=/v1/meshes/many/instances/crowd
    ask "$i" -X PUT -H 'Content-Type: application/json' -d '{}'
    is "$STATUS" 201
    gojq -nc '{switches: ([range(1000; 5096)] | map({key: "\("x" * 50)\(.)", value: null}) | from_entries)}' >crowd.json
    ask "$i" -X PATCH -H 'Content-Type: application/json' --data-binary @crowd.json
    is "$STATUS" 200
    [ "$(stat -c %s "$BATS_TEST_TMPDIR/body")" -gt 262144 ]
    ask "$i"
    is "$(json .revision)" 2
    # A question that is to be recorded, with an answer as large.
    gojq -nc '{record: true, queries: [range(3500) | {kind: "nearest", point: [5, 0, 15]}]}' >record.json
    post_json /v1/meshes/many/batch @record.json
    is_error 503 overloaded
    is "$(header X-Recording)" ''
    gojq -c '{question: (del(.record) + {mesh: "many", kind: "batch"})}' record.json >question.json
    post_json /v1/recordings @question.json
    is_error 503 overloaded
    is "$(header Retry-After)" 1
    ask /v1/recordings
    is "$(json .count)" 0
    kill "$READER"
    wait "$READER" || true
    wait_bytes 0
    post_json /v1/meshes/many/batch @record.json
    is "$STATUS" 200
    [ "$(stat -c %s "$BATS_TEST_TMPDIR/body")" -gt 300000 ]
    [ -n "$(header X-Recording)" ]
    post_json /v1/recordings @question.json
    is "$STATUS" 201
    ask /v1/recordings
    is "$(json .count)" 2
    wait_bytes 0
}

@test "bytes of all requests in flight: others get 503 until they are out" {
    awk 'BEGIN {while (n++ < 9000) print "#"}' >lines
    { cat square.obj lines; } >held.obj
    upload '/v1/meshes/big/versions' held.obj
    is_error 503 overloaded
    is "$(header Retry-After)" 1
    ask /v1/status
    is "$(json .memory.bodies_bytes)" 0
    upload '/v1/meshes/big/versions?wait=1' square.obj
    [[ $STATUS == 20[01] ]]
}

# Whether all connections that were opened, or closed, are counted.
health_is() { # status
    ask /healthz
    [ "$STATUS" = "$1" ]
}

@test "connections: one too many gets 503, a flood of TCP leaves the Unix socket free" {
    local host=${ADDRESS%:*} port=${ADDRESS##*:} n descriptor held=()
    # The client is there before them, or it would keep them open.
    start_client
    for ((n = 0; n < 8; n++)); do
        exec {descriptor}<>"/dev/tcp/$host/$port"
        printf 'GET /he' >&"$descriptor"
        held+=("$descriptor")
    done
    wait_for health_is 503
    is_error 503 overloaded
    is "$(header Retry-After)" 1
    for ((n = 0; n < 7; n++)); do
        exec {descriptor}<>"/dev/tcp/$host/$port"
        held+=("$descriptor")
    done
    for ((n = 0; n < 7; n++)); do
        is "$(curl -sS --max-time 5 --unix-socket "$OPS_SOCKET" -o /dev/null -w '%{http_code}' http://x/healthz)" 200
    done
    for descriptor in "${held[@]}"; do
        exec {descriptor}>&-
    done
    wait_for health_is 200
}

@test "one JSON limit alone: depth, values of a question, values of a batch" {
    local limit question='{"start":[2,0,2],"end":[18,0,18]}' seen
    for limit in json_depth=1 json_values=4 batch_json_values=4; do
        own_folder
        rm -f "$DB"*
        start_daemon --limit "$limit"
        bake_mesh yard square.obj
        post_json /v1/meshes/yard/path "$question"
        seen=$STATUS
        ask '/v1/meshes/yard/path?start=2,0,2&end=18,0,18'
        seen+=" $STATUS"
        post_json /v1/meshes/yard/paths "{\"queries\":[$question]}"
        is "$limit: $seen $STATUS" "$limit: $(case $limit in
            json_depth=1) echo 400 200 400 ;;
            json_values=4) echo 413 200 200 ;;
            *) echo 200 200 413 ;;
        esac)"
        stop_daemon
    done
}
