#!/usr/bin/env bats
# A form (multipart/form-data) with the parts geometry and config is an upload like any other: its
# settings take effect, it is told from what is there already, and what is wrong with it is named.

load helper

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    square_obj 20 >square.obj
    # Three squares of 20 m along x: grass, "Water A" behind it, and one apart, 4 m further.
    cat >coast.obj <<'OBJ'
v 0 0 0
v 0 0 20
v 20 0 20
v 20 0 0
v 40 0 20
v 40 0 0
v 44 0 0
v 44 0 20
v 64 0 20
v 64 0 0
usemtl Grass
f 1 2 3 4
usemtl Water A
f 4 3 5 6
usemtl Grass
f 7 8 9 10
OBJ
    start_daemon
}

# Uploads a form and waits for its bake: form mesh [query] -F part...
form() {
    local mesh=$1 query=
    shift
    if [[ $1 != -* ]]; then
        query=\&$1
        shift
    fi
    ask "/v1/meshes/$mesh/versions?wait=1$query" -X POST "$@"
}

# The same of bytes as they are (a printf format), with the boundary b.
raw_form() { # format [Content-Type]
    # shellcheck disable=SC2059
    printf -- "$1" >raw
    upload '/v1/meshes/bad/versions?wait=1' raw "${2:-multipart/form-data; boundary=b}"
}

# A refused form leaves no mesh behind, and the daemon alive.
refuses() { # status code at
    is_error "$1" "$2"
    [ $# -lt 3 ] || is "$(json .at)" "$3"
    ask /v1/meshes/bad
    is_error 404 mesh_not_found
}

GEOMETRY='--b\r\nContent-Disposition: form-data; name="geometry"; filename="a.obj"\r\n\r\nv 0 0 0\nv 0 0 20\nv 20 0 20\nf 1 2 3\n\r\n'
CONFIG='--b\r\nContent-Disposition: form-data; name="config"\r\n\r\n{"cell_size":0.4}\r\n'

@test "areas, materials, volumes, links, seeds and settings of an OBJ in one call" {
    cat >settings.json <<'JSON'
{"cell_size":0.25,"agent":{"radius":0.5},
 "areas":{"ground":{"flags":["walk"]},"water":{"cost":3,"flags":["swim"]},"ferry":{"flags":["swim"]}},
 "materials":{"Water A":"water"},
 "volumes":[{"shape":"box","min":[8,-1,8],"max":[12,1,12],"area":"none"}],
 "links":[{"start":[38,0,10],"end":[46,0,10],"area":"ferry","id":"ferry-1"}],
 "query_filters":{"dry":{"exclude":["swim"]}},
 "seeds":[[4,0,4]]}
JSON
    form coast -F geometry=@coast.obj -F config=@settings.json
    is "$STATUS" 201
    is "$(header Location)" /v1/meshes/coast/versions/1
    is "$(json '.geometry.format, .geometry.triangles, .config.cell_size, .config.agent.radius, .config.agent.height' |
        tr '\n' ' ')" 'obj 6 0.25 0.5 2 '
    is "$(json '.stats.links')" 1
    # The material is an area.
    ask '/v1/meshes/coast/nearest?point=30,0,10'
    is "$(json '.points[0].area')" water
    ask '/v1/meshes/coast/nearest?point=4,0,10'
    is "$(json '.points[0].area')" ground
    # Its cost and flags count.
    ask '/v1/meshes/coast/path?start=24,0,10&end=34,0,10'
    is "$(json '.cost | round')" 30
    ask '/v1/meshes/coast/path?start=4,0,4&end=34,0,10&filter=dry'
    is "$(json '.status + " " + .reason')" 'none blocked'
    # The volume cuts a hole.
    ask '/v1/meshes/coast/nearest?point=10,0,10&snap.horizontal=1'
    is "$(json '.points | length')" 0
    # The link leads over the gap.
    ask '/v1/meshes/coast/path?start=4,0,4&end=60,0,10&details=links'
    is "$(json '.status + " " + .details.links[0].id')" 'complete ferry-1'
}

@test "seeds: what cannot be reached from one is gone" {
    form seeded -F geometry=@coast.obj -F 'config={"seeds":[[4,0,4]]}'
    is "$STATUS" 201
    ask '/v1/meshes/seeded/nearest?point=60,0,10'
    is "$(json '.points | length')" 0
    form seeded -F geometry=@coast.obj -F 'config={}'
    ask '/v1/meshes/seeded/nearest?point=60,0,10'
    is "$(json '.points | length')" 1
}

@test "seeds: the report counts all islands that went, and lists 64 with place and area" {
    awk 'BEGIN {
        for (i = 0; i < 71; i++) {
            x = i * 20
            printf "v %d 0 0\nv %d 0 10\nv %d 0 10\nv %d 0 0\nf -4 -3 -2 -1\n", x, x, x + 10, x + 10
        }
    }' >isles.obj
    form isles -F geometry=@isles.obj -F 'config={"seeds":[[5,0,5]]}'
    is "$STATUS" 201
    is "$(json '.stats.components')" 1
    is "$(json '.warnings | map(select(.code == "island_removed")) | .[0] | .count, (.items | length)' | tr '\n' ' ')" '70 64 '
    # Each is another one, of a square that the agent's radius has made smaller.
    is "$(json '.warnings[] | select(.code == "island_removed").items | (map(.position[0] / 20 | floor) | unique | length), (map(.value > 60 and .value < 85) | all)' | tr '\n' ' ')" '64 true '
}

@test "the query string overrides the part, and activate and the like are taken" {
    form tuned 'cell_size=0.4' -F geometry=@square.obj -F 'config={"cell_size":0.2,"agent":{"radius":0.8}}'
    is "$STATUS" 201
    is "$(json '.config | .cell_size, .agent.radius' | tr '\n' ' ')" '0.4 0.8 '
    form tuned 'activate=0&coordinates=y_up' -F 'config={"coordinates":"z_up"}' -F geometry=@square.obj
    is "$STATUS" 201
    is "$(json '.version, .active, .config.coordinates' | tr '\n' ' ')" '2 false y_up '
    form tuned 'cell_sice=1' -F geometry=@square.obj
    is_error 422 unknown_field
}

@test "equal geometry and settings are one version, by form, JSON or query string" {
    local json='"vertices":[0,0,0,0,0,20,20,0,20,20,0,0],"triangles":[0,1,2,0,2,3]'
    form same -F geometry=@square.obj -F 'config={"cell_size":0.25,"agent":{"radius":0.5}}'
    is "$STATUS" 201
    upload '/v1/meshes/same/versions?wait=1&agent.radius=0.5&cell_size=0.25' square.obj
    is "$STATUS $(json '.deduplicated, .version' | tr '\n' ' ')" '200 true 1 '
    post_json '/v1/meshes/same/versions?wait=1' "{$json,\"config\":{\"agent\":{\"radius\":0.50},\"cell_size\":0.25}}"
    is "$STATUS $(json '.deduplicated, .version' | tr '\n' ' ')" '200 true 1 '
    echo "{$json}" >square.json
    form same 'cell_size=0.25' -F 'config={"agent":{"radius":0.5}}' -F geometry=@square.json
    is "$STATUS $(json '.deduplicated, .version' | tr '\n' ' ')" '200 true 1 '
    form same -F 'geometry=@square.json;type=application/json' -F 'config={"cell_size":0.5}'
    is "$STATUS $(json '.version')" '201 2'
    # And the other way round.
    post_json '/v1/meshes/turned/versions?wait=1' "{$json,\"config\":{\"areas\":{\"mud\":{\"cost\":2}}}}"
    is "$STATUS" 201
    form turned -F geometry=@square.obj -F 'config={"areas":{"mud":{"cost":2.0}}};type=application/json'
    is "$STATUS $(json .version)" '200 1'
}

@test "the geometry's format: by its type, else by its file's name, else by its bytes" {
    local blob part i=0
    bake_mesh plain square.obj
    blob=$(json .blob.sha256)
    curl -fsS -o square.navg "$BASE/v1/meshes/plain/versions/1/geometry"
    echo '{"vertices":[0,0,0,0,0,20,20,0,20,20,0,0],"triangles":[0,1,2,0,2,3]}' >square.json
    cp square.obj SQUARE.OBJ
    cp square.obj other
    for part in obj:@square.obj obj:@SQUARE.OBJ json:@square.json packed:@square.navg \
        'obj:@other;type=model/obj' 'obj:<other;type=text/plain' 'obj:@other;filename=x.obj' \
        'packed:@square.navg;type=application/vnd.navmeshd.geometry;filename=x' \
        obj:@other 'obj:<square.obj' 'obj:@other;filename=x.fbx' 'json:<square.json' 'packed:<square.navg'; do
        form "typed-$((i++))" -F "geometry=${part#*:}"
        is "$STATUS" 201
        is "$(json .geometry.format)" "${part%%:*}"
        is "$(json .blob.sha256)" "$blob"
    done
    form bad -F 'geometry=@square.obj;type=image/png'
    refuses 415 unsupported_media_type geometry
    form bad -F 'geometry=@square.json;filename=x.obj'
    refuses 415 unsupported_media_type 'byte 0'
    form bad -F geometry=@square.obj -F 'config={};type=application/xml'
    refuses 415 unsupported_media_type config
}

@test "errors of the settings have the code and the place that they have in JSON" {
    local row
    for row in 'invalid_field cell_size {"cell_size":0}' \
        'invalid_field agent.radius {"agent":{"radius":"wide"}}' \
        'unknown_field colour {"colour":"red"}' \
        'unknown_field agent.size {"agent":{"size":1}}' \
        'invalid_field volumes[0].points {"volumes":[{"shape":"convex","points":[[0,0],[1]],"min_y":0,"max_y":1,"area":"none"}]}' \
        'invalid_field links[0].end {"links":[{"start":[0,0,0]}]}' \
        'invalid_field materials.Lava {"materials":{"Lava":"hot"}}' \
        'invalid_field config []' 'invalid_field config null'; do
        local code at config
        read -r code at config <<<"$row"
        form bad -F geometry=@square.obj -F "config=$config"
        refuses 422 "$code" "$at"
        post_json '/v1/meshes/bad/versions?wait=1' \
            "{\"vertices\":[0,0,0,0,0,20,20,0,20],\"triangles\":[0,1,2],\"config\":$config}"
        refuses 422 "$code" "$at"
    done
    form bad -F geometry=@square.obj -F 'config={"cell_size":0.3,}'
    refuses 400 bad_json 'byte 17'
    form bad -F geometry=@square.obj -F 'config='
    refuses 400 bad_json 'byte 0'
    form bad -F geometry=@square.obj -F 'config={"areas":{"a":{},"a":{}}}'
    refuses 400 bad_json
    head -c 100000 /dev/zero | tr '\0' '[' >deep
    form bad -F geometry=@square.obj -F config=@deep
    refuses 400 json_too_deep
}

@test "errors of the geometry are those that it has alone" {
    printf 'v 0 0 0\nv 0 nan 0\n' >bad.obj
    form bad -F 'config={}' -F geometry=@bad.obj
    refuses 422 vertex_not_finite
    printf 'v 0 0 0\nv 0 0 20\nv 20 0 20\nf 1 2 4\n' >bad.obj
    form bad -F geometry=@bad.obj
    refuses 422 index_out_of_range
    : >bad.obj
    form bad -F geometry=@bad.obj
    refuses 422 mesh_empty
}

@test "parts that are missing, there twice, or not known" {
    form bad -F 'config={}'
    refuses 422 invalid_field geometry
    form bad -F geometry=@square.obj -F geometry=@square.obj
    refuses 422 invalid_field geometry
    form bad -F 'config={}' -F geometry=@square.obj -F 'config={}'
    refuses 422 invalid_field config
    form bad -F geometry=@square.obj -F settings=@square.obj
    refuses 422 unknown_field settings
    form bad -F geometry=@square.obj -F wait=1
    refuses 422 unknown_field wait
    raw_form '--b--\r\n'
    refuses 422 invalid_field geometry
}

@test "settings within the geometry and beside it: neither is preferred" {
    echo '{"vertices":[0,0,0,0,0,20,20,0,20],"triangles":[0,1,2],"config":{"cell_size":0.2}}' >both.json
    form bad -F geometry=@both.json -F 'config={"cell_size":0.4}'
    refuses 422 invalid_field config
    form within -F geometry=@both.json
    is "$STATUS $(json .config.cell_size)" '201 0.2'
}

@test "a Content-Type without a boundary that can be" {
    local type
    for type in 'multipart/form-data' 'multipart/form-data; boundary=' 'multipart/form-data; boundary="b' \
        'multipart/form-data; boundary=a*b' 'multipart/form-data; boundary=b; boundary=c' \
        "multipart/form-data; boundary=$(printf 'x%.0s' {1..71})"; do
        raw_form "$GEOMETRY--b--\r\n" "$type"
        refuses 400 bad_multipart Content-Type
    done
    raw_form "$GEOMETRY--b--\r\n" 'multipart/mixed; boundary=b'
    refuses 415 unsupported_media_type
}

@test "boundaries of every kind" {
    local boundary
    for boundary in b '"b"' '"a b"' "a'()+_,-./:=?Z" "$(printf 'x%.0s' {1..70})"; do
        # shellcheck disable=SC2059
        printf -- "$GEOMETRY$CONFIG--b--\r\n" | sed "s|^--b|--${boundary//[\"|]/}|" >raw
        upload '/v1/meshes/bounded/versions?wait=1' raw "multipart/form-data; charset=utf-8; boundary=$boundary"
        [[ $STATUS == 20[01] ]]
        is "$(json .config.cell_size)" 0.4
    done
}

@test "a preamble and an epilogue mean nothing" {
    printf "preamble --b\r\n\r\n$GEOMETRY$CONFIG--b-- \r\n--b\r\nepilogue" >raw
    upload '/v1/meshes/framed/versions?wait=1' raw 'multipart/form-data; boundary=b'
    is "$STATUS $(json .config.cell_size)" '201 0.4'
}

@test "a frame that can be read in two ways, or not at all" {
    raw_form ''
    refuses 400 bad_multipart 'byte 0'
    raw_form "$GEOMETRY"
    refuses 400 bad_multipart
    raw_form "$GEOMETRY$CONFIG--b-"
    refuses 400 bad_multipart
    raw_form "$GEOMETRY--b--x"
    refuses 400 bad_multipart
    raw_form "$GEOMETRY--bx\r\n$CONFIG--b--\r\n"
    refuses 400 bad_multipart
    raw_form "${GEOMETRY//\\r/}--b--\n"
    refuses 400 bad_multipart 'byte 3'
    raw_form '--b\r\nContent-Type: model/obj\r\n\r\nv 0 0 0\n\r\n--b--\r\n'
    refuses 400 bad_multipart 'byte 5'
    raw_form '--b\r\nContent-Disposition: attachment; name="geometry"\r\n\r\nv 0 0 0\n\r\n--b--\r\n'
    refuses 400 bad_multipart 'byte 5'
    raw_form '--b\r\nContent-Disposition: form-data; name="geometry"\r\nContent-Transfer-Encoding: base64\r\n\r\ndg==\r\n--b--\r\n'
    refuses 415 unsupported_media_type Content-Transfer-Encoding
    raw_form "--b\r\nContent-Disposition: form-data; name=\"geometry\"\r\nX: $(printf 'x%.0s' {1..4100})\r\n\r\nv\r\n--b--\r\n"
    refuses 431 headers_too_large
    is_error 404 mesh_not_found
}

@test "zstd packs the whole body, not a part" {
    printf -- "$GEOMETRY$CONFIG--b--\r\n" | zstd -q >raw.zst
    upload '/v1/meshes/packed/versions?wait=1' raw.zst 'multipart/form-data; boundary=b' -H 'Content-Encoding: zstd'
    is "$STATUS $(json .config.cell_size)" '201 0.4'
    printf -- "$GEOMETRY$CONFIG--b" | zstd -q >short.zst
    upload '/v1/meshes/bad/versions?wait=1' short.zst 'multipart/form-data; boundary=b' -H 'Content-Encoding: zstd'
    refuses 400 bad_multipart
    form bad -F geometry=@square.obj -H 'Content-Encoding: zstd'
    refuses 400 bad_zstd
    zstd -qf square.obj
    form bad -F 'geometry=@square.obj.zst;type=model/obj;headers="Content-Encoding: zstd"'
    refuses 415 unsupported_media_type Content-Encoding
}

@test "a large form is read as it arrives, in chunks as well" {
    "$LEVEL_MAKER" town >town.obj
    { cat town.obj && yes '# nothing that a mesh is made of' | head -c 64000000; } >large.obj
    local before after
    bake_mesh large town.obj
    before=$(sed -n 's/VmHWM:\s*\([0-9]*\) kB/\1/p' "/proc/$DAEMON_PID/status")
    form large -F 'config={}' -F geometry=@large.obj -H 'Transfer-Encoding: chunked'
    is "$STATUS $(json '.deduplicated, .version' | tr '\n' ' ')" '200 true 1 '
    after=$(sed -n 's/VmHWM:\s*\([0-9]*\) kB/\1/p' "/proc/$DAEMON_PID/status")
    [ $((after - before)) -lt 32000 ]
    ask /v1/status
    is "$(json .memory.bodies_bytes)" 0
}

@test "the bound of a body holds for a form as a whole, and that of settings for its part" {
    own_folder
    start_daemon --limit geometry_body_bytes=2000 --limit vertices=3
    head -c 2000 /dev/zero | tr '\0' ' ' >blanks
    form bad -F geometry=@square.obj -F config=@blanks
    refuses 413 body_too_large
    form bad -F geometry=@square.obj
    refuses 413 geometry_too_large vertices
    stop_daemon
    start_daemon
    { printf '{' && head -c 16777216 /dev/zero | tr '\0' ' '; } >blanks
    form bad -F geometry=@square.obj -F config=@blanks
    refuses 413 body_too_large config
}

@test "a page of another site cannot send one" {
    form bad -F geometry=@square.obj -H 'Origin: http://evil.example'
    refuses 403 origin_not_allowed
}
