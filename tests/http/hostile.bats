#!/usr/bin/env bats
# Geometries and settings made to hurt: each ends in exactly one way, with its code; the daemon lives,
# and the list of versions is as long as what was accepted. Plain
# refusals are rows of tests/faults/http/cases.txt.

load helper

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    square_obj 20 >square.obj
    start_daemon
    bake_mesh good square.obj
}

setup() {
    trace_test
    cd "$BATS_FILE_TMPDIR"
    count_versions
    VERSIONS_BEFORE=$VERSIONS
    ADDED=0
}

# After each test: alive, still answering, and with the versions that the test says it has made.
teardown() {
    ask /healthz
    is "$STATUS" 200
    ask '/v1/meshes/good/path?start=2,0,2&end=18,0,18'
    is "$(json '.version, .status' | tr '\n' ' ')" '1 complete '
    count_versions
    is "$VERSIONS" $((VERSIONS_BEFORE + ADDED))
}

count_versions() {
    ask /v1/meshes/hostile/versions
    VERSIONS=0
    [ "$STATUS" != 200 ] || VERSIONS=$(json '.versions | length')
}

# Refused before anything is stored.
refused() { # file status code at [query] [type]
    upload "/v1/meshes/hostile/versions?wait=1${5:-}" "$1" "${6:-model/obj}"
    is_error "$2" "$3"
    is "$AT" "$4"
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

# ---- vertices ----

@test "1: packed geometry of one triangle is taken" {
    # Without bad bytes, with which it is refused in cases.txt.
    printf 'NAVG\1\0\0\0\3\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0' >fine.bin
    printf '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\240\101\0\0\240\101\0\0\0\0\0\0\240\101' >>fine.bin
    printf '\0\0\0\0\1\0\0\0\2\0\0\0' >>fine.bin
    upload '/v1/meshes/hostile/versions?wait=1' fine.bin application/vnd.navmeshd.geometry
    is "$STATUS" 201
    ADDED=1
}

@test "2: a level 900 km out, and one at the very limit, are baked and can be walked" {
    awk '/^v/ {print "v", $2 + 900000, $3, $4 + 900000; next} {print}' square.obj >far.obj
    bakes far.obj
    is "$(json .stats.components)" 1
    ask '/v1/meshes/hostile/path?start=900002,0,900002&end=900018,0,900018'
    is "$(json .status)" complete
    awk '/^v/ {print "v", $2 - 1000000, $3, $4 + 999980; next} {print}' square.obj >limit.obj
    bakes limit.obj
}

@test "3: coordinates too small for a float's full grain" {
    printf 'v 0 1e-42 0\nv -0 0 20\nv 20 -1e-45 20\nf 1 2 3\n' >tiny.obj
    bakes tiny.obj
    is "$(json .stats.components)" 1
}

# ---- triangles ----

@test "4: only degenerate triangles: nothing to stand on" {
    printf 'v 0 0 0\nv 0 0 0\nv 5 0 0\nv 10 0 0\nv 0 0 5\nv 0 0 9\nf 1 2 1\nf 1 3 4\nf 1 5 6\nf 3 3 5\n' >flat.obj
    fails flat.obj mesh_empty
}

@test "5: degenerate triangles on good ground are counted, with places, and change nothing" {
    bakes square.obj
    local plain
    plain=$(json .stats.walkable_area)
    { cat square.obj && printf 'v 1 0 1\nf 1 1 5\nf 1 2 2\nf 5 5 5\n'; } >mixed.obj
    bakes mixed.obj
    is "$(json '.warnings[] | select(.code == "degenerate_triangles") | .count')" 3
    is "$(json .stats.walkable_area)" "$plain"
}

@test "6: a thousand equal floors bake to the bytes of one" {
    bakes square.obj '&reuse=0'
    local one
    one=$(json .blob.sha256)
    { cat square.obj && for ((i = 0; i < 999; i++)); do echo 'f 1 2 3 4'; done; } >thousand.obj
    bakes thousand.obj
    is "$(json .geometry.triangles)" 2000
    is "$(json .blob.sha256)" "$one"
}

@test "7: a sliver 200 km long: along an axis it is nothing to stand on" {
    printf 'v 0 0 0\nv 200000 0 0.1\nv 200000 0 0.2\nf 1 3 2\n' >sliver.obj
    fails sliver.obj mesh_empty
}

@test "8: a sliver 200 km long, across: as one tile its grid is refused with a cell size that fits" {
    printf 'v 0 0 0\nv 200000 0 200000\nv 200000 0 200000.2\nf 1 3 2\n' >sliver.obj
    refused sliver.obj 422 grid_too_large cell_size '&tile_cells=0'
    local suggested
    suggested=$(json .suggest_cell_size)
    is "$(gojq -n "$suggested > 0.3")" true
}

@test "9: upside down: steep like a wall" {
    printf 'v 0 0 0\nv 0 0 20\nv 20 0 20\nf 1 3 2\n' >down.obj
    fails down.obj mesh_empty
}

@test "10: a level smaller than a cell" {
    printf 'v 0 0 0\nv 0 0 1e-6\nv 1e-6 0 0\nf 1 2 3\n' >speck.obj
    fails speck.obj mesh_empty
}

@test "11: a fan of 5,000 needles is one floor; with spikes it is none" {
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

@test "12: 300 floors above each other are 300 floors" {
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

@test "13: triangles that cut each other at random still make a mesh" {
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

@test "14: a level higher than its cells can be: what is named as the limit does fit" {
    printf 'v 0 0 0\nv 0 0 20\nv 20 0 20\nv 0 20000 0\nf 1 2 3\nf 1 2 4\n' >high.obj
    refused high.obj 422 grid_too_large cell_height
    bakes high.obj "&cell_height=$(json .limit)"
}

@test "15: a tiny cell_size is refused before the grid is allocated, with one that fits" {
    refused square.obj 422 grid_too_large cell_size '&cell_size=0.00001'
    is "$(json '.suggest_cell_size > 0.00001 and .suggest_cell_size < 0.3')" true
}

# ---- faces of many corners ----

L_OBJ='v 0 0 20\nv 10 0 20\nv 10 0 10\nv 20 0 10\nv 20 0 0\nv 0 0 0\n'

@test "16: a face with a notch is no floor in its notch, whatever corner comes first" {
    local f
    for f in '1 2 3 4 5 6' '3 4 5 6 1 2' '6 1 2 3 4 5'; do
        printf "${L_OBJ}f $f\n" >l.obj
        bakes l.obj
        is "$(json '.stats.walkable_area > 220 and .stats.walkable_area < 300')" true
        ask '/v1/meshes/hostile/path?start=9,0,19&end=19,0,9&snap.horizontal=1'
        is "$(json '.status, .length > 18' | tr '\n' ' ')" 'complete true '
    done
    printf 'v 0 0 0\nv 0 0 9\nv 3 0 9\nv 3 0 3\nv 6 0 3\nv 6 0 9\nv 9 0 9\nv 9 0 0\nf 1 2 3 4 5 6 7 8\n' >u.obj
    bakes u.obj '&agent.radius=0'
    is "$(json '.stats.walkable_area > 50 and .stats.walkable_area < 72')" true
}

@test "17: a face that crosses itself is a warning with its line" {
    printf "${L_OBJ}f 1 2 3 4 5 6\nf 6 1 3 2\n" >crossed.obj
    bakes crossed.obj
    is "$(json '[.warnings[] | select(.code == "face_crosses_itself")] | tojson')" \
        '[{"code":"face_crosses_itself","count":1,"items":[{"name":"line 8"}]}]'
}
