#!/usr/bin/env bats
# Files of Detour's tiles become ready versions that answer as baked ones do, keep their bytes as the
# source, survive a restart and damage; what is wrong in them is named, and nothing of it is stored.

load helper

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    cp "$ROOT/tests/fuzz/seeds/mset/two_tiles" tiles.mset
    cp "$ROOT/tests/fuzz/seeds/mmap/map_530" 530.tar
    square_obj 20 >square.obj
    start_daemon
}

asks_well() { # mesh
    ask "/v1/meshes/$1/path?start=0.5,0,3&end=7.5,0.5,3"
    is "$STATUS $(json '.status, .length' | tr '\n' ' ')" '200 complete 7.011 '
}

@test "an MSET, by its type and by its bytes, is a ready version with areas, flags and links" {
    upload '/v1/meshes/set/versions?wait=1' tiles.mset application/vnd.detour.mset
    is "$STATUS $(json .geometry.format) $(json .geometry.source)" '201 mset detour'
    is "$(json '.tiles_done, .tiles_total, .stats.polygons, .stats.links, .active' | tr '\n' ' ')" '2 2 3 1 true '
    is "$(json '.config.agent.radius, .config.cell_size, .config.areas.area_9.flags[0]' | tr '\n' ' ')" '0.5 0.25 flag_2 '
    asks_well set
    ask "/v1/meshes/set/nearest?point=3,0,2"
    is "$(json '.points[0].area')" area_9
    ask '/v1/meshes/told/versions?wait=1' -X POST -H 'Content-Type:' --data-binary @tiles.mset
    is "$STATUS $(json .geometry.format)" '201 mset'
}

@test "an archive of .mmap and .mmtile files, in a form with the costs of areas" {
    ask '/v1/meshes/map/versions?wait=1' -X POST -F geometry=@530.tar -F 'config={"areas":{"water":{"cost":5}}}'
    is "$STATUS $(json .geometry.format)" '201 mmtile'
    is "$(json '.config.areas.water.cost, .config.areas.water.flags[0]' | tr '\n' ' ')" '5 water '
    ask '/v1/meshes/map/path?start=0.5,0,3&end=7.5,0.5,3'
    is "$STATUS $(json .status)" '200 complete'
}

@test "with coordinates=wow places are those of the game" {
    upload '/v1/meshes/wow/versions?wait=1&coordinates=wow' 530.tar application/x-tar
    is "$STATUS" 201
    ask '/v1/meshes/wow/path?start=3,0.5,0&end=3,3.5,0'
    is "$STATUS $(json '.status, .points[0][0], .points[0][1]' | tr '\n' ' ')" '200 complete 3 0.5 '
    is "$(json '.length')" 3.002
}

@test "the same file is the same version; anew it has the same tiles, and no island differs" {
    local blob
    upload '/v1/meshes/set/versions?wait=1' tiles.mset application/vnd.detour.mset
    blob=$(json .blob.sha256)
    is "$STATUS $(json .version) $(json .deduplicated)" '200 1 true'
    upload '/v1/meshes/set/versions?wait=1&reuse=0' tiles.mset application/vnd.detour.mset
    is "$STATUS $(json .version) $(json .blob.sha256)" "201 2 $blob"
    ask '/v1/meshes/set/versions/diff?from=1&to=2'
    is "$STATUS $(json '.tiles.unchanged, (.islands.changed | length)' | tr '\n' ' ')" '200 2 0 '
}

@test "the bytes are given back as they came" {
    curl -fsS -D headers.txt -o back.mset "$BASE/v1/meshes/set/versions/1/geometry"
    cmp back.mset tiles.mset
    grep -qi '^content-type: application/vnd.detour.mset' headers.txt
    curl -fsS -D headers.txt -o back.tar "$BASE/v1/meshes/map/versions/1/geometry"
    cmp back.tar 530.tar
    grep -qi '^content-type: application/x-tar' headers.txt
    ask /v1/meshes/map/versions/1/geometry -H 'Accept: application/x-tar'
    is "$STATUS" 200
    ask /v1/meshes/map/versions/1/geometry -H 'Accept: application/vnd.navmeshd.geometry'
    is_error 406 not_acceptable
}

@test "checks, instances, switches of the live version and pictures work on it" {
    ask /v1/meshes/set/checks -X PUT -H 'Content-Type: application/json' \
        -d '{"checks":[{"name":"across","start":[0.5,0,3],"end":[7.5,0.5,3],"expect":"reachable"}]}'
    is "$STATUS" 200
    ask /v1/meshes/set/active -X PUT -H 'Content-Type: application/json' -d '{"version":1}'
    is "$STATUS $(json .version)" '200 1'
    ask /v1/meshes/set/instances/one -X PUT -H 'Content-Type: application/json' \
        -d '{"obstacles":{"rock":{"shape":"box","min":[2,-1,-1],"max":[3,2,5]}}}'
    [[ $STATUS == 20* ]]
    ask '/v1/meshes/set/path?start=0.5,0,3&end=7.5,0.5,3&instance=one'
    is "$STATUS $(json '.status, (.length > 8)' | tr '\n' ' ')" '200 complete true '
    ask /v1/meshes/set/versions/1/render.svg
    is "$STATUS" 200
}

@test "its mesh is exported in other formats, but an MSET is its own geometry" {
    local format
    for format in json obj glb svg; do
        ask "/v1/meshes/set/versions/1/export?format=$format"
        is "$format $STATUS" "$format 200"
    done
    ask '/v1/meshes/set/versions/1/export?format=mset'
    is_error 422 not_exportable
    is "$(json .at)" format
}

@test "settings that only a bake can have are refused by name" {
    local config at
    for config in '{"volumes":[{"shape":"box","min":[0,0,0],"max":[1,1,1],"area":"none"}]}' '{"agents":{"rat":{}}}' \
        '{"bounds":{"min":[0,0,0],"max":[1,1,1]}}' '{"materials":{"a":"ground"}}'; do
        at=$(jq -r 'keys[0]' <<<"$config")
        ask /v1/meshes/bad/versions -X POST -F "geometry=@tiles.mset" -F "config=$config"
        is_error 422 invalid_field
        is "$(json .at)" "$at"
    done
}

@test "what is wrong in a file is named, and nothing is stored" {
    head -c 700 tiles.mset >cut.mset
    upload /v1/meshes/bad/versions cut.mset application/vnd.detour.mset
    is_error 422 bad_geometry
    is "$(json .at)" 'tiles[1]'
    # Of the first vertex, y is no number; the first polygon names a neighbour that is not there.
    cp tiles.mset nan.mset
    printf '\0\0\xc0\x7f' | dd of=nan.mset bs=1 seek=$((48 + 100 + 4)) conv=notrunc status=none
    upload /v1/meshes/bad/versions nan.mset application/vnd.detour.mset
    is_error 422 vertex_not_finite
    is "$(json .at)" 'tile 0,0'
    cp tiles.mset edge.mset
    printf '\x63\0' | dd of=edge.mset bs=1 seek=$((48 + 100 + 96 + 4 + 12)) conv=notrunc status=none
    upload /v1/meshes/bad/versions edge.mset application/vnd.detour.mset
    is_error 422 bad_blob
    is "$(json .at)" 'tile 0,0'
    upload /v1/meshes/bad/versions square.obj application/vnd.detour.mset
    is_error 415 unsupported_media_type
    tar -cf empty.tar square.obj
    upload /v1/meshes/bad/versions empty.tar application/x-tar
    is_error 422 mesh_empty
    ask /v1/meshes/bad
    is_error 404 mesh_not_found
}

@test "tiles of several maps in one archive: the way to pack one" {
    mkdir -p mmaps
    tar -xf 530.tar -C .
    cp mmaps/530.mmap mmaps/001.mmap
    tar -cf two.tar mmaps
    upload /v1/meshes/bad/versions two.tar application/x-tar
    is_error 422 bad_geometry
    [[ $(json .detail) == *"map 1"*"map 530"* || $(json .detail) == *"map 530"*"map 1"* ]]
    rm mmaps/001.mmap
    local format
    for format in ustar pax gnu; do
        tar --format="$format" -cf again.tar mmaps
        upload "/v1/meshes/$format/versions?wait=1" again.tar application/x-tar
        is "$STATUS" 201
        asks_well "$format"
    done
}

@test "a restart has it live, and damaged tiles come back from the file" {
    own_database
    start_daemon
    upload '/v1/meshes/set/versions?wait=1' tiles.mset application/vnd.detour.mset
    is "$STATUS" 201
    stop_daemon
    sqlite3 "$DB" 'UPDATE blobs SET zstd = zeroblob(length(zstd))'
    start_daemon
    asks_well set
    stop_daemon
    "$NAVMESHD" verify --db "$DB" >verified
    is "$(grep -vc '^ok: ' verified)" 0
}

@test "the command line bakes it, and a start takes it as the file of a mesh" {
    own_database
    "$NAVMESHD" bake --db "$DB" --mesh set=tiles.mset >baked
    grep -q '^set version 1: ready, 2 tiles' baked
    start_daemon --mesh set=tiles.mset
    asks_well set
    ask /v1/meshes/set
    is "$(json '.versions | length')" 1
}
