#!/usr/bin/env bats
# Geometries and settings made to hurt: each ends in exactly one way, with its code; the daemon lives,
# and the list of versions is as long as what was accepted. bad_input.bats holds the plain mistakes.

load helper

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    square_obj 20 >square.obj
    start_daemon
    bake_mesh good square.obj
}

setup() {
    cd "$BATS_FILE_TMPDIR"
    VERSIONS_BEFORE=$(version_count)
    ADDED=0
}

# After each test: alive, still answering, and with the versions that the test says it has made.
teardown() {
    ask /healthz
    is "$STATUS" 200
    ask '/v1/meshes/good/path?start=2,0,2&end=18,0,18'
    is "$(json '.version, .status' | tr '\n' ' ')" '1 complete '
    is "$(version_count)" $((VERSIONS_BEFORE + ADDED))
}

version_count() {
    ask /v1/meshes/hostile/versions
    [ "$STATUS" = 200 ] && json '.versions | length' || echo 0
}

# Refused before anything is stored.
refused() { # file status code at [query] [type]
    upload "/v1/meshes/hostile/versions?wait=1${5:-}" "$1" "${6:-model/obj}"
    is_error "$2" "$3"
    is "$(json .at)" "$4"
}

# Accepted, but its bake fails: the version says why.
fails() { # file code
    upload '/v1/meshes/hostile/versions?wait=1' "$1"
    is_error 422 "$2"
    ADDED=$((ADDED + 1))
    ask "$(header Location)"
    is "$(json '.state, .error.code, .blob' | tr '\n' ' ')" "failed $2 null "
}

# Accepted and baked.
bakes() { # file [query]
    upload "/v1/meshes/hostile/versions?wait=1${2:-}" "$1"
    is "$STATUS" 201
    is "$(json .state)" ready
    ADDED=$((ADDED + 1))
}

refuse_json() { # body status code at
    printf '%s' "$1" >bad.json
    refused bad.json "$2" "$3" "$4" '' application/json
}

# Packed geometry with one triangle; the first corner's height is given as four bytes.
packed() { # bytes of a float, of an index
    printf 'NAVG\1\0\0\0\3\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0'
    # shellcheck disable=SC2059 # the bytes are the format
    printf '\0\0\0\0'"$1"'\0\0\0\0'
    printf '\0\0\0\0\0\0\0\0\0\0\240\101\0\0\240\101\0\0\0\0\0\0\240\101'
    # shellcheck disable=SC2059
    printf '\0\0\0\0\1\0\0\0'"$2"
}

PLANE='"vertices":[0,0,0,0,0,20,20,0,20]'

# ---- vertices ----

@test "1: NaN, written out and as bytes" {
    refuse_json '{"vertices":[0,NaN,0,0,0,20,20,0,20],"triangles":[0,1,2]}' \
        422 vertex_not_finite 'vertices[0].y'
    packed '\0\0\300\177' '\2\0\0\0' >nan.bin
    refused nan.bin 422 vertex_not_finite 'vertices[0].y' '' application/vnd.navmeshd.geometry
    packed '\0\0\0\0' '\2\0\0\0' >fine.bin
    upload '/v1/meshes/hostile/versions?wait=1' fine.bin application/vnd.navmeshd.geometry
    is "$STATUS" 201
    ADDED=1
}

@test "2: infinity, as bytes, as a word and as a number beyond all" {
    packed '\0\0\200\377' '\2\0\0\0' >inf.bin
    refused inf.bin 422 vertex_not_finite 'vertices[0].y' '' application/vnd.navmeshd.geometry
    refuse_json '{"vertices":[0,1e999,0,0,0,20,20,0,20],"triangles":[0,1,2]}' \
        422 vertex_not_finite 'vertices[0].y'
}

@test "3: a coordinate that is finite and huge, or one step beyond the limit" {
    refuse_json '{"vertices":[0,1e39,0,0,0,20,20,0,20],"triangles":[0,1,2]}' \
        422 vertex_out_of_range 'vertices[0].y'
    refuse_json '{"vertices":[1000000.1,0,0,0,0,20,20,0,20],"triangles":[0,1,2]}' \
        422 vertex_out_of_range 'vertices[0].x'
}

@test "4: a bad vertex that no triangle names is refused all the same" {
    refuse_json '{"vertices":[0,0,0,0,0,20,20,0,20,0,-1e9,0],"triangles":[0,1,2]}' \
        422 vertex_out_of_range 'vertices[3].y'
}

@test "5: a level 900 km out, and one at the very limit, are baked and can be walked" {
    awk '/^v/ {print "v", $2 + 900000, $3, $4 + 900000; next} {print}' square.obj >far.obj
    bakes far.obj
    is "$(json .stats.components)" 1
    ask '/v1/meshes/hostile/path?start=900002,0,900002&end=900018,0,900018'
    is "$(json .status)" complete
    awk '/^v/ {print "v", $2 - 1000000, $3, $4 + 999980; next} {print}' square.obj >limit.obj
    bakes limit.obj
}

@test "6: coordinates too small for a float's full grain" {
    printf 'v 0 1e-42 0\nv -0 0 20\nv 20 -1e-45 20\nf 1 2 3\n' >tiny.obj
    bakes tiny.obj
    is "$(json .stats.components)" 1
}

# ---- indices ----

@test "7: an index that is the count of vertices, in every form" {
    packed '\0\0\0\0' '\3\0\0\0' >index.bin
    refused index.bin 422 index_out_of_range 'triangles[0]' '' application/vnd.navmeshd.geometry
    packed '\0\0\0\0' '\377\377\377\377' >index.bin
    refused index.bin 422 index_out_of_range 'triangles[0]' '' application/vnd.navmeshd.geometry
    refuse_json '{"triangles":[0,1,2]}' 422 index_out_of_range 'triangles[0]'
}

@test "8: indices below zero, beyond 32 bits, and no whole numbers" {
    refuse_json "{$PLANE,\"triangles\":[0,1,-2]}" 422 index_out_of_range 'triangles[0]'
    refuse_json "{$PLANE,\"triangles\":[0,1,4294967296]}" 422 index_out_of_range 'triangles[0]'
    refuse_json "{$PLANE,\"triangles\":[0,1,1.5]}" 422 invalid_field 'triangles[0]'
}

@test "9: counts that are no multiple of three" {
    refuse_json "{$PLANE,\"triangles\":[0,1]}" 422 bad_geometry 'triangles[0]'
    refuse_json '{"vertices":[0,0,0,0,0,20,20,0],"triangles":[0,1,2]}' 422 bad_geometry 'vertices[2]'
}

@test "10: no triangles, with vertices and without" {
    refuse_json "{$PLANE,\"triangles\":[]}" 422 mesh_empty null
    refuse_json '{"vertices":[],"triangles":[]}' 422 mesh_empty null
}

# ---- triangles ----

@test "11: only degenerate triangles: nothing to stand on" {
    printf 'v 0 0 0\nv 0 0 0\nv 5 0 0\nv 10 0 0\nv 0 0 5\nv 0 0 9\nf 1 2 1\nf 1 3 4\nf 1 5 6\nf 3 3 5\n' >flat.obj
    fails flat.obj mesh_empty
}

@test "12: degenerate triangles on good ground are counted, with places, and change nothing" {
    bakes square.obj
    local plain
    plain=$(json .stats.walkable_area)
    { cat square.obj && printf 'v 1 0 1\nf 1 1 5\nf 1 2 2\nf 5 5 5\n'; } >mixed.obj
    bakes mixed.obj
    is "$(json '.warnings[] | select(.code == "degenerate_triangles") | .count')" 3
    is "$(json .stats.walkable_area)" "$plain"
}

@test "13: a thousand equal floors bake to the bytes of one" {
    bakes square.obj '&reuse=0'
    local one
    one=$(json .blob.sha256)
    { cat square.obj && for ((i = 0; i < 999; i++)); do echo 'f 1 2 3 4'; done; } >thousand.obj
    bakes thousand.obj
    is "$(json .geometry.triangles)" 2000
    is "$(json .blob.sha256)" "$one"
}

@test "14: a sliver 200 km long: along an axis it is nothing to stand on" {
    printf 'v 0 0 0\nv 200000 0 0.1\nv 200000 0 0.2\nf 1 3 2\n' >sliver.obj
    fails sliver.obj mesh_empty
}

@test "15: a sliver 200 km long, across: as one tile its grid is refused with a cell size that fits" {
    printf 'v 0 0 0\nv 200000 0 200000\nv 200000 0 200000.2\nf 1 3 2\n' >sliver.obj
    refused sliver.obj 422 grid_too_large cell_size '&tile_cells=0'
    local suggested
    suggested=$(json .suggest_cell_size)
    is "$(jq -n "$suggested > 0.3")" true
}

@test "16: upside down: steep like a wall" {
    printf 'v 0 0 0\nv 0 0 20\nv 20 0 20\nf 1 3 2\n' >down.obj
    fails down.obj mesh_empty
}

@test "17: a level smaller than a cell" {
    printf 'v 0 0 0\nv 0 0 1e-6\nv 1e-6 0 0\nf 1 2 3\n' >speck.obj
    fails speck.obj mesh_empty
}

@test "18: a fan of 5,000 needles is one floor; with spikes it is none" {
    local awk_fan='BEGIN {
        n = 5000
        print "v 0 0 0"
        for (i = 0; i <= n; i++) {
            a = i * 6.283185307 / n
            printf "v %.6f %.3f %.6f\n", 30 * cos(a), (i % 2) * spike, 30 * sin(a)
        }
        for (i = 0; i < n; i++) printf "f 1 %d %d\n", i + 3, i + 2
    }'
    awk -v spike=0 "$awk_fan" >fan.obj
    bakes fan.obj
    is "$(json .stats.components)" 1
    is "$(json '.stats.walkable_area > 2650 and .stats.walkable_area < 2830')" true
    awk -v spike=40 "$awk_fan" >spikes.obj
    fails spikes.obj mesh_empty
}

@test "19: 300 floors above each other are 300 floors" {
    awk 'BEGIN {
        for (i = 0; i < 300; i++) {
            y = i * 3
            printf "v 0 %d 0\nv 0 %d 9\nv 9 %d 9\nv 9 %d 0\n", y, y, y, y
            printf "f %d %d %d %d\n", 4 * i + 1, 4 * i + 2, 4 * i + 3, 4 * i + 4
        }
    }' >tower.obj
    bakes tower.obj
    is "$(json '.stats.components, .stats.polygons' | tr '\n' ' ')" '300 300 '
    ask '/v1/meshes/hostile/nearest?point=4,894,4'
    is "$(json '.points[0].position[1] > 893.9 and .points[0].position[1] < 894.5')" true
}

@test "20: triangles that cut each other at random still make a mesh" {
    awk 'BEGIN {
        seed = 7
        for (i = 0; i < 2000; i++) {
            for (k = 0; k < 9; k++) {
                seed = (seed * 16807) % 2147483647
                v[k] = seed / 2147483647 * (k % 3 == 1 ? 10 : 30)
            }
            for (k = 0; k < 9; k += 3) printf "v %.3f %.3f %.3f\n", v[k], v[k + 1], v[k + 2]
            printf "f %d %d %d\n", 3 * i + 1, 3 * i + 2, 3 * i + 3
        }
    }' >soup.obj
    bakes soup.obj
    is "$(json '.stats.polygons > 0')" true
}

# ---- settings ----

@test "21: cells: zero, negative, tiny, huge, and higher than a level may have" {
    for value in 0 -1 1e-30 1e30 nan; do
        refused square.obj 422 invalid_field cell_height "&cell_height=$value"
    done
    refused square.obj 422 invalid_field cell_size '&cell_size=1e30'
    printf 'v 0 0 0\nv 0 0 20\nv 20 0 20\nv 0 20000 0\nf 1 2 3\nf 1 2 4\n' >high.obj
    refused high.obj 422 grid_too_large cell_height
    # What is named as the limit does fit.
    bakes high.obj "&cell_height=$(json .limit)"
}

@test "22: the agent: slope, radius, height and climb out of range, or more cells than a level has" {
    for setting in max_slope=90 max_slope=-1 max_slope=nan radius=-1 radius=1e9 height=-1 height=0 \
        max_climb=-1 max_climb=inf; do
        refused square.obj 422 invalid_field "agent.${setting%=*}" "&agent.$setting"
    done
    refused square.obj 422 invalid_field agent.radius '&agent.radius=9999'
    refused square.obj 422 invalid_field agent.height '&agent.height=10000'
    refused square.obj 422 invalid_field agent.height '&cell_height=0.00001'
}

@test "23: polygons of 2 or 13 corners" {
    for value in 2 13 -1 6.5; do
        refused square.obj 422 invalid_field polygon_max_vertices "&polygon_max_vertices=$value"
    done
}

@test "24: tiles of 8 or 2,000 cells" {
    for value in 8 2000 -1 1e99; do
        refused square.obj 422 invalid_field tile_cells "&tile_cells=$value"
    done
}

@test "25: regions, edges and detail out of range" {
    for setting in region_min_size=-1 region_min_size=10001 region_merge_size=1e99 \
        edge_max_error=-1 edge_max_error=inf edge_max_length=-1 detail_sample_distance=0.5 \
        detail_sample_distance=-1 detail_max_error=nan; do
        refused square.obj 422 invalid_field "${setting%=*}" "&$setting"
    done
}
