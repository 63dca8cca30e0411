#!/usr/bin/env bats
# A level in each format that is read gives the same mesh; the format is told by the bytes where nobody
# says it, and bytes that are something else than their sender says are named.

load helper

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    square_obj 20 >square.obj
    square_stl >square.stl
    binary_stl >binary.stl
    ply_header ascii >square.ply
    printf '0 0 0\n0 0 20\n20 0 20\n20 0 0\n4 0 1 2 3\n' >>square.ply
    binary_ply little '\0\0\xa0\x41' >little.ply
    binary_ply big '\x41\xa0\0\0' >big.ply
    echo '{"vertices":[0,0,0,0,0,20,20,0,20,20,0,0],"triangles":[0,1,2,0,2,3]}' >square.json
    start_daemon
}

ply_header() { # format
    printf 'ply\nformat %s 1.0\ncomment a square\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n' "$1"
    printf 'element face 1\nproperty list uchar uchar vertex_indices\nend_header\n'
}

# The square as binary PLY.
binary_ply() { # byte order, 20 as a float
    local zero='\0\0\0\0' side=$2
    ply_header "binary_$1_endian"
    # shellcheck disable=SC2059
    printf "$zero$zero$zero$zero$zero$side$side$zero$side$side$zero$zero\4\0\1\2\3"
}

# The square as binary STL whose name begins like a text.
binary_stl() {
    local zero='\0\0\0\0' side='\0\0\xa0\x41' up='\0\0\0\0\0\0\x80\x3f\0\0\0\0'
    printf '%-80s' 'solid square'
    printf '\2\0\0\0'
    # shellcheck disable=SC2059
    printf "$up$zero$zero$zero$zero$zero$side$side$zero$side\0\0"
    # shellcheck disable=SC2059
    printf "$up$zero$zero$zero$side$zero$side$side$zero$zero\0\0"
}

@test "each format gives the same mesh, by its media type" {
    local blob row
    bake_mesh plain square.obj
    blob=$(json .blob.sha256)
    local sha256=$(json .geometry.sha256)
    for row in 'stl square.stl model/stl' 'stl binary.stl Model/STL' 'ply square.ply model/ply' 'ply little.ply model/ply' \
        'ply big.ply application/x-ply' 'json square.json application/json'; do
        local format file type
        read -r format file type <<<"$row"
        upload "/v1/meshes/$file/versions?wait=1" "$file" "$type"
        is "$STATUS $(json '.geometry.format, .geometry.sha256, .blob.sha256' | tr '\n' ' ')" "201 $format $sha256 $blob "
    done
}

@test "a body without a type, or with one that says nothing, is told by its bytes" {
    local row i=0
    for row in 'obj square.obj' 'stl square.stl' 'stl binary.stl' 'ply square.ply' 'ply little.ply' 'ply big.ply' 'json square.json'; do
        local format=${row% *} file=${row#* }
        for type in 'Content-Type:' 'Content-Type: application/octet-stream' 'Content-Type: application/x-www-form-urlencoded'; do
            ask "/v1/meshes/told-$((i++))/versions?wait=1" -X POST -H "$type" --data-binary "@$file"
            is "$STATUS $(json .geometry.format)" "201 $format"
        done
    done
}

@test "packed, too: the geometry that the daemon gives back" {
    bake_mesh back square.obj
    curl -fsS -o square.navg "$BASE/v1/meshes/back/versions/1/geometry"
    ask '/v1/meshes/back/versions?wait=1' -X POST -H 'Content-Type:' --data-binary @square.navg
    is "$STATUS $(json .version)" '200 1'
}

@test "what the bytes are is named, whatever they are said to be, and nothing is stored" {
    local name type
    printf '\x89PNG\r\n\x1a\n\0\0\0\rIHDR' >'a PNG image'
    printf '\xff\xd8\xff\xe0\0\x10JFIF' >'a JPEG image'
    printf 'PK\3\4\24\0\0\0' >'a zip archive'
    gzip -c square.obj >'gzip data'
    zstd -qc square.obj >'zstd data'
    printf 'Kaydara FBX Binary  \0\x1a\0' >FBX
    printf 'BLENDER-v300' >'a Blender file'
    for name in 'a PNG image' 'a JPEG image' 'a zip archive' 'gzip data' 'zstd data' FBX 'a Blender file'; do
        for type in '' model/obj model/stl application/json application/octet-stream; do
            ask /v1/meshes/bad/versions -X POST -H "Content-Type: $type" --data-binary "@$name"
            is_error 415 unsupported_media_type
            [[ $(json .detail) == "this is $name"* ]]
            is "$(json .at)" 'byte 0'
        done
        form_of bad "$name"
        [[ $(json .detail) == "this is $name"* ]]
    done
    ask /v1/meshes/bad
    is_error 404 mesh_not_found
}

form_of() { # mesh file
    ask "/v1/meshes/$1/versions" -X POST -F "geometry=@\"$2\""
    is_error 415 unsupported_media_type
}

@test "one of our formats that is said to be another: the way to send it" {
    upload /v1/meshes/bad/versions square.stl model/obj
    is_error 415 unsupported_media_type
    is "$(json .detail)" 'this is STL as text, not OBJ: send it as model/stl, or with a name in .stl'
    upload /v1/meshes/bad/versions square.ply model/obj
    is_error 415 unsupported_media_type
    is "$(json .detail)" 'this is ASCII PLY, not OBJ: send it as model/ply, or with a name in .ply'
    upload /v1/meshes/bad/versions big.ply model/stl
    is_error 415 unsupported_media_type
    is "$(json .detail)" 'this is binary PLY, not STL: send it as model/ply, or with a name in .ply'
    upload /v1/meshes/bad/versions square.obj application/json
    is_error 415 unsupported_media_type
    is "$(json .detail)" 'this is OBJ, not JSON: send it as model/obj, or with a name in .obj'
    echo '{"asset":{"version":"2.0"},"scenes":[]}' >empty.gltf
    upload /v1/meshes/bad/versions empty.gltf application/json
    is_error 415 unsupported_media_type
    is "$(json .detail)" 'this is glTF as text, not JSON: send it as model/gltf+json, or with a name in .gltf'
}

@test "zstd that is announced is unpacked, whatever is within" {
    zstd -qc binary.stl >binary.stl.zst
    ask '/v1/meshes/unpacked/versions?wait=1' -X POST -H 'Content-Type:' -H 'Content-Encoding: zstd' --data-binary @binary.stl.zst
    is "$STATUS $(json .geometry.format)" '201 stl'
}

@test "STL whose header lies about its length" {
    local bytes
    bytes=$(stat -c %s binary.stl)
    is "$bytes" 184
    head -c 183 binary.stl >short.stl
    upload /v1/meshes/bad/versions short.stl model/stl
    is_error 422 bad_geometry
    is "$(json .at)" 'byte 134'
    (cat binary.stl && printf 'x') >long.stl
    upload /v1/meshes/bad/versions long.stl model/stl
    is_error 422 bad_geometry
    is "$(json .at)" 'byte 184'
    (head -c 80 binary.stl && printf '\xff\xff\xff\xff' && tail -c 100 binary.stl) >many.stl
    upload /v1/meshes/bad/versions many.stl model/stl
    is_error 413 geometry_too_large
    ask /v1/meshes/bad
    is_error 404 mesh_not_found
}

@test "STL as text that is wrong names the line" {
    sed 's/^endfacet$/endfaces/' square.stl >wrong.stl
    upload /v1/meshes/bad/versions wrong.stl model/stl
    is_error 422 bad_geometry
    is "$(json '.at, .got' | tr '\n' ' ')" 'line 8 endfaces '
}

@test "PLY that is wrong: the line, or the byte, and nothing is stored" {
    local row code line change
    for row in 'bad_geometry|line 4|s/vertex 4/vertex many/' 'bad_geometry|line 9|/property float z/d' \
        'bad_geometry|line 15|s/^4 0 1 2 3/2 0 1/' 'index_out_of_range|triangles[1]|s/^4 0 1 2 3/4 0 1 2 4/' \
        'index_out_of_range|line 15|s/^4 0 1 2 3/4 0 1 2 -3/' 'bad_geometry|line 15|s/^4 0 1 2 3/-4 0 1 2 3/' \
        'bad_geometry|line 16|s/^4 0 1 2 3/5 0 1 2 3/' 'vertex_not_finite|vertices[0].x|s/^0 0 0/nan 0 0/'; do
        IFS='|' read -r code line change <<<"$row"
        sed "$change" square.ply >wrong.ply
        upload /v1/meshes/bad/versions wrong.ply model/ply
        is_error 422 "$code"
        is "$(json .at)" "$line"
    done
    sed 's/vertex 4/vertex 4294967296/' square.ply >wrong.ply
    upload /v1/meshes/bad/versions wrong.ply model/ply
    is_error 413 geometry_too_large
    sed 's/^4 0 1 2 3/2147483648 0 1 2 3/' square.ply >wrong.ply
    upload /v1/meshes/bad/versions wrong.ply model/ply
    is_error 413 geometry_too_large
    head -c -1 big.ply >wrong.ply
    upload /v1/meshes/bad/versions wrong.ply model/ply
    is_error 422 bad_geometry
    is "$(json .at)" "byte $(stat -c %s wrong.ply)"
    ask /v1/meshes/bad
    is_error 404 mesh_not_found
}
