#!/usr/bin/env bats
# A level in tiles: all workers bake it, and what comes out does not depend on how many there are;
# progress only rises; a cancel leaves nothing; a bake over its budget fails and the live version
# stays.

load helper

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    square_obj 20 >square.obj
    "$LEVEL_MAKER" town >town.obj
    "$LEVEL_MAKER" city --size 2 >city.obj
}

setup() {
    own_database
}

# Rows that a table of the database holds.
rows() { # table
    sqlite3 "file:$DB?mode=ro" "SELECT count(*) FROM $1"
}

@test "a tiled town: every tile is counted, and paths cross the borders" {
    start_daemon
    upload '/v1/meshes/town/versions?wait=1&tile_cells=64' town.obj
    is "$STATUS" 201
    is "$(json '.tiles_total > 4 and .tiles_done == .tiles_total')" true
    is "$(json '.stats.tiles <= .tiles_total and .stats.tiles > 4')" true
    is "$(json '.progress, .stage' | tr '\n' ' ')" '1 null '
    ask '/v1/meshes/town/path?start=2,0,2&end=60,0,60'
    is "$(json '.status == "complete" or .status == "partial"')" true
    local tiled
    tiled=$(json .length)
    upload '/v1/meshes/town/versions?wait=1&tile_cells=0' town.obj
    is "$(json '.tiles_total, .stats.tiles' | tr '\n' ' ')" '1 1 '
    ask '/v1/meshes/town/path?start=2,0,2&end=60,0,60'
    is "$(json "(.length / $tiled - 1) | fabs < 0.02")" true
}

@test "one, two and three workers give the same blob and the same numbers" {
    local workers first= got
    for workers in 1 2 3; do
        rm -f "$DB"*
        start_daemon --workers "$workers"
        upload '/v1/meshes/town/versions?wait=1&tile_cells=32' town.obj
        is "$STATUS" 201
        got=$(json '[.blob.sha256, .blob.bytes, .blob.stored_bytes, .stats, .warnings] | tostring')
        first=${first:-$got}
        is "$got" "$first"
        stop_daemon
    done
}

@test "tiles come back from the store after a restart, in their places" {
    start_daemon
    upload '/v1/meshes/town/versions?wait=1&tile_cells=48' town.obj
    is "$STATUS" 201
    ask '/v1/meshes/town/path?start=2,0,2&end=60,0,60'
    local before=$BODY
    stop_daemon
    start_daemon
    ask '/v1/meshes/town/path?start=2,0,2&end=60,0,60'
    is "$BODY" "$before"
}

@test "progress and tiles_done only rise, stages have names, and the end is one" {
    start_daemon --workers 2
    upload '/v1/meshes/city/versions?tile_cells=32&cell_size=0.2' city.obj
    is "$STATUS" 202
    local total at='"progress":([0-9.]+),"stage":"([a-z]+)","tiles_done":([0-9]+),"tiles_total":([0-9]+),'
    while ask /v1/meshes/city/versions/1 && [[ $BODY == *'"state":"queued"'* || $BODY == *'"state":"baking"'* ]]; do
        if [[ $BODY =~ $at ]]; then
            echo "${BASH_REMATCH[1]} ${BASH_REMATCH[3]}"
            total=${BASH_REMATCH[4]}
            [[ ${BASH_REMATCH[2]} =~ ^(load|voxelize|filter|compact|erode|areas|distance|regions|contours|polygons|detail|tile|mesh|store)$ ]]
        fi
        pause 0.005
    done >looks
    is "$(awk '$1 < progress || $2 < done || $1 >= 1 { print progress, done, "then", $0 } { progress = $1; done = $2 }' looks)" ''
    is "$(json '.state, .progress' | tr '\n' ' ')" 'ready 1 '
    is "$(json '.tiles_done == .tiles_total')" true
    [ "$total" -gt 100 ]
}

has_no_bake() {
    ask /v1/status
    [ "$(json '.queue.baking + .queue.queued')" = 0 ]
}

# A bake that takes longer than any test: it is cancelled.
slow_upload() {
    upload '/v1/meshes/city/versions?tile_cells=32&cell_size=0.02' city.obj
    is "$STATUS" 202
}

has_done_a_tile() {
    ask /v1/meshes/city/versions/1
    [[ $BODY =~ \"state\":\"baking\".*\"tiles_done\":[1-9] ]]
}

@test "cancel in the middle of the tiles: cancelled, nothing stored, the workers are free" {
    start_daemon --workers 2
    slow_upload
    wait_for has_done_a_tile
    is "$(json '.state == "baking" and .tiles_done < .tiles_total')" true
    ask /v1/meshes/city/versions/1 -X DELETE
    is "$STATUS" 200
    is "$(json .state)" cancelled
    # The next bake is not kept waiting: it begins when the cancelled one has let its workers go.
    bake_mesh next square.obj
    wait_for has_no_bake
    ask /v1/meshes/city/versions/1
    is "$(json '.state, .blob, .progress, .stage' | tr '\n' ' ')" 'cancelled null 0 null '
    is "$(rows version_tiles)" 1
    is "$(rows tiles) $(rows blobs)" '1 1'
    ask '/v1/meshes/city/path?start=2,0,2&end=9,0,9'
    is_error 404 version_not_found || is "$STATUS" 409
}

@test "a small bake is not kept behind a large one" {
    start_daemon --workers 2
    slow_upload
    bake_mesh small square.obj
    ask /v1/meshes/city/versions/1
    is "$(json .state)" baking
    ask /v1/meshes/city/versions/1 -X DELETE
    is "$STATUS" 200
}

@test "over its memory: tile_too_complex with the tile, and the live version stays" {
    start_daemon --bake-memory 4
    bake_mesh m square.obj
    # 300 floors in one tile of a wide level: little by the mean, which is what can be estimated.
    awk 'BEGIN {
        print "v 0 0 0\nv 0 0 9\nv 9 0 9\nf 1 2 3\nv 300 0 300\nv 300 0 309\nv 309 0 309\nf 4 5 6"
        for (i = 0; i < 300; i++) {
            y = i * 3
            printf "v 200 %d 200\nv 200 %d 209\nv 209 %d 209\nv 209 %d 200\n", y, y, y, y
            printf "f %d %d %d %d\n", 4 * i + 7, 4 * i + 8, 4 * i + 9, 4 * i + 10
        }
    }' >tower.obj
    upload '/v1/meshes/m/versions?wait=1&tile_cells=64' tower.obj
    is_error 422 tile_too_complex
    is "$(json .at)" 'tile 10,10'
    ask /v1/meshes/m/versions/2
    is "$(json '.state, .active, .error.code, .error.at, .blob' | tr '\n' ' ')" \
        'failed false tile_too_complex tile 10,10 null '
    ask '/v1/meshes/m/path?start=2,0,2&end=18,0,18'
    is "$(json '.version, .status' | tr '\n' ' ')" '1 complete '
}

@test "a grid that cannot fit the memory is refused before its bake" {
    start_daemon --bake-memory 1
    upload '/v1/meshes/m/versions?wait=1&tile_cells=0&cell_size=0.02' square.obj
    is_error 422 grid_too_large
    is "$(json '.suggest_cell_size > 0.02')" true
    ask /v1/meshes/m
    is_error 404 mesh_not_found
}

@test "over its time: tile_too_complex with a tile, and the live version stays" {
    start_daemon
    bake_mesh m square.obj
    stop_daemon
    start_daemon --bake-time 0.001
    upload '/v1/meshes/m/versions?wait=1' city.obj
    is_error 422 tile_too_complex
    is "$(json '.at | test("^tile [0-9]+,[0-9]+$")')" true
    [[ $(json .detail) == *time* ]]
    ask '/v1/meshes/m/path?start=2,0,2&end=18,0,18'
    is "$(json '.version, .status' | tr '\n' ' ')" '1 complete '
}
