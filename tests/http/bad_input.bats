#!/usr/bin/env bats
# Bad input gets its exact status and code; the daemon stays alive and nothing is half stored.

load helper

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    square_obj 20 >square.obj
    start_daemon
    bake_mesh good square.obj
}

setup() {
    cd "$BATS_FILE_TMPDIR"
    ask /v1/meshes
    MESHES_BEFORE=$BODY
}

# After each test: alive, and the list of meshes is what it was.
teardown() {
    ask /healthz
    is "$STATUS" 200
    ask /v1/meshes
    is "$BODY" "$MESHES_BEFORE"
}

refuse_obj() { # text status code
    printf '%b' "$1" >bad.obj
    upload '/v1/meshes/bad/versions?wait=1' bad.obj
    is_error "$2" "$3"
}

TRIANGLE='v 0 0 0\nv 0 0 20\nv 20 0 20\n'

@test "no faces, or nothing at all" {
    refuse_obj "$TRIANGLE" 422 mesh_empty
    refuse_obj '' 422 mesh_empty
    refuse_obj '# nothing here\n' 422 mesh_empty
}

@test "an index beyond the vertices, zero, or before the start" {
    refuse_obj "${TRIANGLE}f 1 2 4\n" 422 index_out_of_range
    refuse_obj "${TRIANGLE}f 0 1 2\n" 422 index_out_of_range
    refuse_obj "${TRIANGLE}f 1 2 -4\n" 422 index_out_of_range
    refuse_obj "${TRIANGLE}f 1 2 99999999999999999999\n" 422 index_out_of_range
    post_json '/v1/meshes/bad/versions?wait=1' '{"vertices":[0,0,0,0,0,20,20,0,20],"triangles":[0,1,3]}'
    is_error 422 index_out_of_range
}

@test "coordinates that are not finite" {
    refuse_obj "v 0 nan 0\n${TRIANGLE}f 1 2 3\n" 422 vertex_not_finite
    refuse_obj "v inf 0 0\n${TRIANGLE}f 1 2 3\n" 422 vertex_not_finite
    refuse_obj "v 0 0 -inf\n${TRIANGLE}f 1 2 3\n" 422 vertex_not_finite
    is "$(json '.at | test("vertices|line")')" true
}

@test "coordinates of 1e7 and larger" {
    refuse_obj "v 1e7 0 0\n${TRIANGLE}f 1 2 3\n" 422 vertex_out_of_range
    refuse_obj "v 0 -1e30 0\n${TRIANGLE}f 1 2 3\n" 422 vertex_out_of_range
    post_json '/v1/meshes/bad/versions?wait=1' '{"vertices":[0,0,0,0,0,20,20,0,1e7],"triangles":[0,1,2]}'
    is_error 422 vertex_out_of_range
}

@test "lines that are no OBJ" {
    refuse_obj 'v 1 2\nf 1 1 1\n' 422 bad_geometry
    refuse_obj 'v a b c\n' 422 bad_geometry
    refuse_obj "${TRIANGLE}f 1 2\n" 422 bad_geometry
}

@test "cell_size of zero, below zero, or not a number" {
    for value in 0 -0.3 nan inf abc ''; do
        upload "/v1/meshes/bad/versions?wait=1&cell_size=$value" square.obj
        is_refused cell_size
    done
}

@test "a tiny cell_size is refused before the grid is allocated, with one that fits" {
    upload '/v1/meshes/bad/versions?wait=1&cell_size=0.00001' square.obj
    is_error 422 grid_too_large
    is "$(json '.suggest_cell_size > 0.00001')" true
    # What is suggested does fit.
    local suggested
    suggested=$(json .suggest_cell_size)
    is "$(jq -n "$suggested < 0.3")" true
}

@test "other settings out of range name themselves" {
    upload '/v1/meshes/bad/versions?wait=1&agent.max_slope=90' square.obj
    is_refused agent.max_slope
    upload '/v1/meshes/bad/versions?wait=1&polygon_max_vertices=2' square.obj
    is_error 422 invalid_field
    upload '/v1/meshes/bad/versions?wait=1&partition=magic' square.obj
    is_error 422 invalid_field
}

@test "unknown fields: query string, body and config" {
    upload '/v1/meshes/bad/versions?wait=1&cellsize=0.3' square.obj
    is_error 422 unknown_field
    post_json '/v1/meshes/bad/versions?wait=1' \
        '{"vertices":[0,0,0,0,0,20,20,0,20],"triangles":[0,1,2],"colour":"red"}'
    is_error 422 unknown_field
    post_json '/v1/meshes/bad/versions?wait=1' \
        '{"vertices":[0,0,0,0,0,20,20,0,20],"triangles":[0,1,2],"config":{"agent":{"weight":80}}}'
    is_error 422 unknown_field
    is "$(json .at)" agent.weight
}

@test "arguments where none are read are refused, and not passed over" {
    local method path
    while read -r method path; do
        ask "$path" -X "$method" -H 'Content-Type: application/json' -d '{}'
        is_error 422 unknown_field
        is "$(json .at)" version
    done <<'ARGUMENTS'
POST /v1/meshes/bad/path?version=7
POST /v1/meshes/bad/paths?version=7
POST /v1/meshes/bad/trace?version=7
PUT /v1/meshes/bad/checks?version=7
PUT /v1/meshes/bad/active?version=7
ARGUMENTS
    ask '/v1/meshes?version=7'
    is_error 422 unknown_field
    ask '/v1/meshes/bad?version=7' -X DELETE
    is_error 422 unknown_field
    ask '/healthz?version=7'
    is "$STATUS" 200
}

@test "a body over the limit is refused by its declared length" {
    run -0 raw_request "POST /v1/meshes/bad/versions HTTP/1.1\r\nHost: localhost\r\nContent-Type: model/obj\r\nContent-Length: 999999999999\r\n\r\n"
    is "$output" 'HTTP/1.1 413 Request Entity Too Large' ||
        [[ $output == 'HTTP/1.1 413 '* ]]
    run -0 raw_answer "POST /v1/meshes/bad/versions HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: model/obj\r\nContent-Length: 999999999999\r\n\r\n"
    [[ $output == *'"code":"body_too_large"'* ]]
}

@test "a query body over its limit is refused" {
    head -c 3000000 /dev/zero | tr '\0' ' ' >spaces
    ask /v1/meshes/good/path -X POST -H 'Content-Type: application/json' --data-binary @spaces
    is_error 413 body_too_large
}

@test "truncated JSON" {
    post_json '/v1/meshes/bad/versions?wait=1' '{"vertices":[0,0,0,0,0,20,20'
    is_error 400 bad_json
    post_json /v1/meshes/good/path '{"start":[1,0,1],"end":[2,0'
    is_error 400 bad_json
    is "$(json '.detail | test("[0-9]")')" true
}

@test "JSON 100,000 deep" {
    head -c 100000 /dev/zero | tr '\0' '[' >deep
    ask '/v1/meshes/bad/versions?wait=1' -X POST -H 'Content-Type: application/json' --data-binary @deep
    is_error 400 json_too_deep
    { printf '{"config":'; cat deep; } >deep_config
    ask '/v1/meshes/bad/versions?wait=1' -X POST -H 'Content-Type: application/json' --data-binary @deep_config
    is_error 400 json_too_deep
    # The body of a query may have 64 KiB.
    head -c 60000 deep >deep_query
    ask /v1/meshes/good/path -X POST -H 'Content-Type: application/json' --data-binary @deep_query
    is_error 400 json_too_deep
}

@test "bytes that are not zstd, and zstd that ends early" {
    upload '/v1/meshes/bad/versions?wait=1' square.obj model/obj -H 'Content-Encoding: zstd'
    is_error 400 bad_zstd
    zstd -q -f square.obj -o square.zst
    head -c 20 square.zst >short.zst
    upload '/v1/meshes/bad/versions?wait=1' short.zst model/obj -H 'Content-Encoding: zstd'
    is_error 400 bad_zstd
}

@test "a small zstd body that becomes hundreds of megabytes is stopped" {
    head -c 400000000 /dev/zero | tr '\0' ' ' | zstd -q -3 >bomb.zst
    [ "$(wc -c <bomb.zst)" -lt 1000000 ]
    upload '/v1/meshes/bad/versions?wait=1' bomb.zst model/obj -H 'Content-Encoding: zstd'
    is_error 413 decompressed_too_large
}

@test "another content encoding is refused" {
    upload '/v1/meshes/bad/versions?wait=1' square.obj model/obj -H 'Content-Encoding: br'
    is_error 415 unsupported_media_type
}

@test "two lengths, a length with chunks, or two hosts: bad_framing" {
    for head in \
        'Host: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked' \
        'Host: x\r\nContent-Length: 2\r\nContent-Length: 3' \
        'Host: x\r\nHost: y\r\nContent-Length: 2'; do
        run -0 raw_answer "POST /v1/meshes/good/path HTTP/1.1\r\n$head\r\nConnection: close\r\nContent-Type: application/json\r\n\r\n{}"
        [[ $output == 'HTTP/1.1 400 '* ]]
        [[ $output == *'"code":"bad_framing"'* ]]
    done
}
