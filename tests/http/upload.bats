#!/usr/bin/env bats
# A level that is uploaded becomes a numbered version, whatever form it comes in, and is told from
# one that is already there.

load helper

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    square_obj 20 >square.obj
    "$LEVEL_MAKER" town --size 2 >town.obj
    start_daemon
}

@test "an OBJ with wait=1 answers 201 with the whole version" {
    bake_mesh town town.obj
    is "$(header Location)" /v1/meshes/town/versions/1
    is "$(header Content-Type)" application/json
    is "$(json '.mesh, .version, .state, .active, .progress' | tr '\n' ' ')" 'town 1 ready true 1 '
    is "$(json .geometry.format)" obj
    is "$(json .geometry.triangles)" "$(grep -c '^f' town.obj)"
    is "$(json .geometry.vertices)" "$(grep -c '^v' town.obj)"
    is "$(json '.error, .tiles_done, .tiles_total' | tr '\n' ' ')" 'null 1 1 '
    [[ $(json .created_at) =~ ^20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:]{8}(\.[0-9]+)?Z$ ]]
    [[ $(json .blob.sha256) =~ ^[0-9a-f]{64}$ ]]
    [[ $(json .geometry.sha256) =~ ^[0-9a-f]{64}$ ]]
    is "$(json '.stats.polygons > 50 and .stats.walkable_area > 1500 and .stats.components > 1')" true
    is "$(json '.blob.bytes > 1000 and .blob.stored_bytes > 0 and .blob.stored_bytes < .blob.bytes')" true
}

@test "timings name each stage and the whole" {
    upload '/v1/meshes/timed/versions?wait=1' town.obj
    is "$(json '[.timings_ms[]] | all(. >= 0)')" true
    for stage in total voxelize filter compact erode regions contours polygons detail store; do
        is "$(json ".timings_ms | has(\"$stage\")")" true
    done
}

@test "without wait the answer is 202 at once, and the version can be polled until it is ready" {
    upload /v1/meshes/async/versions town.obj
    is "$STATUS" 202
    is "$(header Location)" /v1/meshes/async/versions/1
    [[ $(json .state) =~ ^(queued|baking|ready)$ ]]
    wait_version "$(header Location)"
    is "$(json '.state, .active, .progress' | tr '\n' ' ')" 'ready true 1 '
}

@test "the same geometry and settings answer 200, deduplicated, with the first version" {
    bake_mesh twice square.obj
    is "$(json '.deduplicated // false')" false
    upload '/v1/meshes/twice/versions?wait=1' square.obj
    is "$STATUS" 200
    is "$(json '.deduplicated, .version' | tr '\n' ' ')" 'true 1 '
    is "$(header Location)" /v1/meshes/twice/versions/1
    ask /v1/meshes/twice/versions
    is "$(json '.versions | length')" 1
}

@test "other settings make another version, which then is the live one" {
    upload '/v1/meshes/retuned/versions?wait=1' square.obj
    upload '/v1/meshes/retuned/versions?wait=1&cell_size=0.2' square.obj
    is "$STATUS" 201
    is "$(json '.version, .active' | tr '\n' ' ')" '2 true '
    ask /v1/meshes/retuned/versions/1
    is "$(json .active)" false
}

@test "activate=0 keeps the version that is live" {
    upload '/v1/meshes/kept/versions?wait=1' square.obj
    upload '/v1/meshes/kept/versions?wait=1&activate=0&agent.radius=1' square.obj
    is "$STATUS" 201
    is "$(json '.version, .active' | tr '\n' ' ')" '2 false '
    ask '/v1/meshes/kept/path?start=2,0,2&end=18,0,18'
    is "$(json .version)" 1
}

@test "settings in the query string are echoed, the others are the defaults" {
    upload '/v1/meshes/tuned/versions?wait=1&cell_size=0.25&agent.radius=0.5&detail=false&filters.ledges=false' square.obj
    is "$STATUS" 201
    is "$(json '.config | .cell_size, .agent.radius, .detail, .filters.ledges' | tr '\n' ' ')" '0.25 0.5 false false '
    is "$(json '.config | .cell_height, .agent.height, .agent.max_climb, .agent.max_slope, .partition' | tr '\n' ' ')" '0.2 2 0.9 45 watershed '
    is "$(json '.config | .region_min_size, .region_merge_size, .edge_max_length, .edge_max_error, .polygon_max_vertices' | tr '\n' ' ')" '8 20 12 1.3 6 '
}

@test "edge_split names the edges that edge_max_length cuts, and is echoed where it is not walls" {
    local split vertices=()
    for split in walls areas both none; do
        upload "/v1/meshes/edges/versions?wait=1&edge_max_length=2&edge_split=$split" square.obj
        is "$STATUS" 201
        is "$(json '.config.edge_split // "walls"')" "$split"
        vertices+=("$(json .stats.vertices)")
    done
    # A square floor has walls only.
    is "${vertices[2]}" "${vertices[0]}"
    is "${vertices[3]}" "${vertices[1]}"
    ((vertices[0] > vertices[1]))
    upload '/v1/meshes/edges/versions?edge_split=all' square.obj
    is_refused edge_split
}

@test "each partition bakes and is echoed" {
    local partition
    for partition in watershed monotone layers; do
        upload "/v1/meshes/cut/versions?wait=1&partition=$partition" square.obj
        is "$STATUS" 201
        is "$(json .config.partition)" "$partition"
    done
}

@test "JSON geometry: nested and flat arrays are the same mesh as the OBJ" {
    upload '/v1/meshes/obj/versions?wait=1' square.obj
    local blob
    blob=$(json .blob.sha256)
    post_json '/v1/meshes/nested/versions?wait=1' \
        '{"vertices":[[0,0,0],[0,0,20],[20,0,20],[20,0,0]],"triangles":[[0,1,2],[0,2,3]]}'
    is "$STATUS" 201
    is "$(json .geometry.format)" json
    is "$(json .blob.sha256)" "$blob"
    post_json '/v1/meshes/flat/versions?wait=1' \
        '{"vertices":[0,0,0,0,0,20,20,0,20,20,0,0],"triangles":[0,1,2,0,2,3]}'
    is "$STATUS" 201
    is "$(json .blob.sha256)" "$blob"
}

@test "config inside JSON geometry is taken, and the query string overrides it" {
    post_json '/v1/meshes/config/versions?wait=1&cell_size=0.4' \
        '{"vertices":[[0,0,0],[0,0,20],[20,0,20],[20,0,0]],"triangles":[[0,1,2],[0,2,3]],
          "config":{"cell_size":0.2,"agent":{"radius":0.8}}}'
    is "$STATUS" 201
    is "$(json '.config | .cell_size, .agent.radius' | tr '\n' ' ')" '0.4 0.8 '
}

@test "zstd: the unpacked bytes are what counts" {
    zstd -q -f square.obj -o square.obj.zst
    upload '/v1/meshes/packed/versions?wait=1' square.obj.zst model/obj -H 'Content-Encoding: zstd'
    is "$STATUS" 201
    is "$(json .geometry.triangles)" 2
}

@test "text/plain is OBJ as well" {
    upload '/v1/meshes/plain/versions?wait=1' square.obj text/plain
    is "$STATUS" 201
    is "$(json .geometry.format)" obj
}

@test "OBJ: CRLF, comments, quads, negative and a/b/c indices, exponents, no newline at the end" {
    printf '# a comment\r\no thing\r\nv 0 0 0\r\nv 0 0 2e1\r\nv 2E+1 0 20\r\nv 20 0 0\r\nvn 0 1 0\r\nvt 0 0\r\nf -4/1/1 -3//1 3/1 4' >odd.obj
    bake_mesh odd odd.obj
    is "$(json .geometry.triangles)" 2
    is "$(json '.geometry.bounds.max | join(" ")')" '20 0 20'
}

@test "another media type is refused with 415" {
    upload /v1/meshes/typed/versions square.obj image/png
    is_error 415 unsupported_media_type
    ask /v1/meshes/typed
    is_error 404 mesh_not_found
}

@test "a name that is no name is refused" {
    upload "/v1/meshes/.hidden/versions" square.obj
    [ "$STATUS" -ge 400 ] && [ "$STATUS" -lt 500 ]
    upload "/v1/meshes/$(printf 'a%.0s' {1..65})/versions" square.obj
    [ "$STATUS" -ge 400 ] && [ "$STATUS" -lt 500 ]
    ask /v1/meshes
    is "$(json '[.meshes[].name // .meshes[].mesh] | map(select(length > 64 or startswith("."))) | length')" 0
}
