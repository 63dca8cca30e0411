#!/usr/bin/env bats
# A level in several parts, each with a place of its own: files of the configuration, of which a start
# reads only those that changed, and parts of a form. The mesh is that of one file with all of it.

load helper

setup() {
    own_folder
    # Two more yards of 20 m; a step of triangles so that every part differs.
    square_obj 20 >east.obj
    square_stl >north.stl
    cat >config.json <<'JSON'
{"meshes": [{"name": "world", "settings": {"cell_size": 0.25, "tile_cells": 64}, "files": [
    "square.obj",
    {"file": "east.obj", "translate": [20, 0, 0]},
    {"name": "far", "file": "square.obj", "translate": [60, 0, 0], "rotate": 90, "scale": 0.5}
]}]}
JSON
}

# Files that were changed within the last second are read again at the next start.
settle() {
    pause 1.1
}

restart_daemon() {
    stop_daemon
    start_daemon "$@"
}

read_of() { # the newest mesh_parts of the log: how many of how many
    grep -o 'event=mesh_parts .*' "$LOG" | tail -n 1 | sed 's/.*parts=\([0-9]*\) read=\([0-9]*\).*/\2 of \1/'
}

reaches() { # start end status
    ask "/v1/meshes/world/path?start=$1&end=$2"
    is "$STATUS" 200
    is "$(json .status)" "$3"
}

@test "files of a mesh are one level, each in its place" {
    start_daemon --config config.json
    ask /v1/meshes/world/versions/1
    is "$(json '.geometry.format')" parts
    is "$(json '[.geometry.parts[] | "\(.name) \(.vertices) \(.triangles)"] | join(", ")')" \
        'square 4 2, east 4 2, far 4 2'
    is "$(json '[.geometry.bounds.min[0], .geometry.bounds.max[0], .geometry.bounds.min[2]] | join(" ")')" '0 70 -10'
    reaches 2,0,2 38,0,18 complete
    reaches 62,0,-2 68,0,-8 complete
    ask '/v1/meshes/world/path?start=2,0,2&end=65,0,-5'
    is "$(json .status)" partial
}

@test "a start reads the part that has changed, and no other" {
    settle
    start_daemon --config config.json
    is "$(read_of)" '3 of 3'
    restart_daemon --config config.json
    is "$(read_of)" '0 of 3'
    ask /v1/meshes/world/versions
    is "$(json '[.versions[].version] | join(" ")')" 1
    # Other bytes in one file; the other two are taken as they are, also with what they stand on.
    sed -i 's/ 20$/ 22/' east.obj
    restart_daemon --config config.json
    is "$(read_of)" '1 of 3'
    ask /v1/meshes/world/versions/2
    is "$(json .active)" true
    [ "$(json .tiles_reused)" -gt 0 ]
    local taken=$BODY
    # Read whole, the level is the same.
    settle
    sed -i 's/"rotate": 90/"rotate": 90.0/' config.json
    touch square.obj east.obj
    settle
    restart_daemon --config config.json
    is "$(read_of)" '3 of 3'
    ask /v1/meshes/world/versions
    is "$(json '[.versions[].version] | join(" ")')" '1 2'
    ask /v1/meshes/world/versions/2
    is "$(json .geometry.sha256)" "$(gojq -r .geometry.sha256 <<<"$taken")"
    # Another place is a change of that part; one part less, and one more.
    sed -i 's/\[60, 0, 0\]/[50, 0, 0]/' config.json
    restart_daemon --config config.json
    ask /v1/meshes/world/versions/3
    is "$(json '.geometry.bounds.max[0]')" 60
    sed -i 's/^    "square.obj",/    {"name": "hall", "file": "north.stl", "translate": [0, 0, 100]},/' config.json
    restart_daemon --config config.json
    ask /v1/meshes/world/versions/4
    is "$(json '[.geometry.parts[].name] | join(" ")')" 'hall east far'
}

@test "a file that was changed a moment ago is read again" {
    start_daemon --config config.json
    restart_daemon --config config.json
    is "$(read_of)" '3 of 3'
}

@test "what is wrong with a part is told by its name, and nothing is stored" {
    echo 'v 0 0 x' >east.obj
    run -1 timeout 30 "$NAVMESHD" --listen 127.0.0.1:0 --db "$DB" --config config.json 3>&-
    [[ $output == *'config.json: mesh world: part east: line 1: '* ]]
    run -1 timeout 30 "$NAVMESHD" --check --db "$DB" --config config.json 3>&-
    [[ $output == *'part east: line 1: '* ]]
    is "$(sqlite3 "$DB" 'SELECT count(*) FROM versions')" 0
    rm east.obj
    run -1 timeout 30 "$NAVMESHD" --check --db "$DB" --config config.json 3>&-
    [[ $output == *'east.obj cannot be read'* ]]
    sed -i 's/"name": "far"/"name": "square"/' config.json
    run -1 timeout 30 "$NAVMESHD" --check --db "$DB" --config config.json 3>&-
    [[ $output == *'line 1: meshes[0]: files[2]: the part square is there twice'* ]]
}

@test "what a start would take from a version that is damaged is read instead" {
    settle
    start_daemon --config config.json
    stop_daemon
    sqlite3 "$DB" 'UPDATE geometries SET zstd = zeroblob(9)'
    start_daemon --config config.json
    is "$(read_of)" '3 of 3'
    reaches 2,0,2 38,0,18 complete
}

@test "a form with parts, their places and settings" {
    echo '{"cell_size": 0.25}' >settings.json
    echo '[{"name": "east", "translate": [20, 0, 0]}]' >places.json
    start_daemon
    ask '/v1/meshes/world/versions?wait=1' -F geometry.west=@square.obj -F geometry.east=@east.obj \
        -F parts=@places.json -F config=@settings.json
    is "$STATUS" 201
    is "$(json '[.geometry.parts[] | "\(.name) \(.triangles)"] | join(", ")')" 'west 2, east 2'
    is "$(json .config.cell_size)" 0.25
    reaches 2,0,2 38,0,18 complete
    # The same level in one file is the same geometry.
    local hash
    ask /v1/meshes/world/versions/1
    hash=$(json .geometry.sha256)
    ask /v1/meshes/world/versions/1/geometry
    cp "$BATS_TEST_TMPDIR/body" level.navg
    upload '/v1/meshes/world/versions?wait=1&cell_size=0.5' level.navg application/vnd.navmeshd.geometry
    is "$STATUS" 201
    ask /v1/meshes/world/versions
    is "$(json '[.versions[].geometry.sha256] | unique | join(" ")')" "$hash"
}

@test "what is wrong with a form of parts" {
    start_daemon
    local send=(/v1/meshes/bad/versions -X POST)
    ask "${send[@]}" -F geometry.a=@square.obj -F geometry.a=@east.obj
    is_error 422 invalid_field
    [[ $(json .detail) == *'part a: this name is given twice'* ]]
    ask "${send[@]}" -F geometry.a=@square.obj -F geometry=@east.obj
    is_error 422 invalid_field
    is "$(json .at)" geometry
    ask "${send[@]}" -F geometry=@square.obj -F geometry.a=@east.obj
    is_error 422 invalid_field
    ask "${send[@]}" -F geometry.a@b=@square.obj
    is_error 422 invalid_field
    ask "${send[@]}" -F geometry.a=@square.obj -F 'parts=[{"name":"b"}]'
    is_error 422 invalid_field
    [[ $(json .detail) == *'part b: there is no such part'* ]]
    ask "${send[@]}" -F geometry.a=@square.obj -F 'parts=[{"name":"a","scale":0}]'
    is_error 422 invalid_field
    is "$(json .at)" 'parts[0].scale'
    ask "${send[@]}" -F geometry.a=@square.obj -F 'parts=[{"name":"a","rotate":[0,0,0,2]}]'
    is_error 422 invalid_field
    ask "${send[@]}" -F geometry.a=@square.obj -F 'parts={'
    is_error 400 bad_json
    ask "${send[@]}" -F geometry=@square.obj -F 'parts=[]'
    is_error 422 invalid_field
    is "$(json .at)" parts
    ask "${send[@]}" -F 'parts=[]'
    is_error 422 invalid_field
    echo 'v 0 0 x' >wrong.obj
    ask "${send[@]}" -F geometry.a=@square.obj -F geometry.b=@wrong.obj
    is_error 422 bad_geometry
    is "$(json .at)" 'part b, line 1'
    ask /v1/meshes/bad
    is_error 404 mesh_not_found
}

@test "limits hold for all parts together" {
    start_daemon --limit vertices=7
    ask /v1/meshes/bad/versions -X POST -F geometry.a=@square.obj -F geometry.b=@east.obj
    is_error 413 geometry_too_large
    [[ $(json .detail) == 'part b: all parts together have more than 7 vertices'* ]]
}
