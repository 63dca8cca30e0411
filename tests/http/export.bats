#!/usr/bin/env bats
# A version as a file for other programs: each format whole and by its media type, parts of it by
# bounds, bodies by name; what cannot be had is refused by its code.

load helper

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    "$LEVEL_MAKER" town >town.obj
    start_daemon
    cat >config.json <<'CONFIG'
{"tile_cells":64,"agents":{"rat":{"radius":0.2,"height":0.5,"max_climb":0.2}},
 "areas":{"grass":{"cost":1.5,"flags":["walk"]}},
 "volumes":[{"shape":"box","area":"grass","min":[0,-9,0],"max":[30,9,30]}],
 "links":[{"start":[2,0,2],"end":[12,0,2],"radius":1,"bidirectional":true,"id":"jump"}]}
CONFIG
    ask '/v1/meshes/town/versions?wait=1' -F geometry=@town.obj -F config=@config.json
    is "$STATUS" 201
    json .stats >stats.json
}

export_of() { # format, rest of the query string
    ask "/v1/meshes/town/versions/1/export?format=$1${2:+&$2}"
}

@test "each format has its media type, a name for the file and an ETag" {
    local format type
    while IFS='|' read -r format type; do
        export_of "$format"
        is "$STATUS" 200
        is "$(header Content-Type)" "$type"
        is "$(header Content-Disposition)" "attachment; filename=\"town-1.${format/packed/navm}\""
        [[ $(header ETag) == '"'*'"' ]]
        ask "/v1/meshes/town/versions/1/export?format=$format" -H "If-None-Match: $(header ETag)"
        is "$STATUS" 304
        ask "/v1/meshes/town/versions/1/export?format=$format" -H "Accept: $type"
        is "$STATUS" 200
        ask "/v1/meshes/town/versions/1/export?format=$format" -H 'Accept: text/csv'
        is_error 406 not_acceptable
    done <<'FORMATS'
json|application/json
packed|application/vnd.navmeshd.mesh
obj|model/obj
glb|model/gltf-binary
mset|application/vnd.detour.mset
svg|image/svg+xml
FORMATS
    export_of obj agent=rat
    is "$(header Content-Disposition)" 'attachment; filename="town-1-rat.obj"'
}

@test "json has the polygons of answers, with their neighbours, areas and links" {
    export_of json
    printf %s "$BODY" >all.json
    is "$(gojq -r '.mesh, .version, .agent.name' all.json | xargs)" 'town 1 default'
    is "$(gojq '.polygons | length' all.json)" "$(gojq .polygons stats.json)"
    is "$(gojq '.components | length' all.json)" "$(gojq .components stats.json)"
    is "$(gojq '[.tiles[].polygons] | add' all.json)" "$(gojq .polygons stats.json)"
    is "$(gojq -c '.areas[] | select(.area == "grass")' all.json)" '{"area":"grass","cost":1.5,"flags":["walk"]}'
    is "$(gojq -r '.links[0] | .id, .bidirectional, .area' all.json | xargs)" 'jump true ground'
    # A step over an edge leads back over one.
    is "$(gojq '[.polygons[] | {key: .id, value: (.neighbours | add // [])}] | from_entries as $n
        | [$n | to_entries[] | .key as $from | .value[] | $n[.] | index($from) != null] | all' all.json)" true
    # The polygon that an answer names holds the answer's position.
    ask '/v1/meshes/town/nearest?point=20,0,20'
    local id
    id=$(json '.points[0].polygon')
    is "$(gojq --arg id "$id" '.vertices as $v | .polygons[] | select(.id == $id) | [.vertices[] | $v[.]]
        | (map(.[0]) | min) <= 20 and (map(.[0]) | max) >= 20 and (map(.[2]) | min) <= 20 and (map(.[2]) | max) >= 20' all.json)" true
}

@test "packed has all that json has" {
    echo '{"tile_cells":64,"switches":{"gate":{"shapes":[{"shape":"box","min":[10,-9,10],"max":[20,9,20]}]}}}' >gate.json
    ask '/v1/meshes/switched/versions?wait=1' -F geometry=@town.obj -F config=@gate.json
    is "$STATUS" 201
    local address i=0
    for address in 'town/versions/1/export?' 'town/versions/1/export?agent=rat&' 'switched/versions/1/export?' \
        'town/versions/1/export?bounds=0,-9,0,20,9,20&' 'town/versions/1/export?bounds=900,0,900,901,1,901&'; do
        ask "/v1/meshes/${address}format=json"
        mv "$BATS_TEST_TMPDIR/body" all$i.json
        ask "/v1/meshes/${address}format=packed"
        mv "$BATS_TEST_TMPDIR/body" all$i.navm
        i=$((i + 1))
    done
    python3 "$ROOT/tests/http/packed_mesh.py" all{0,1,2,3,4}.navm all{0,1,2,3,4}.json
    is "$(gojq '.polygons | length' all4.json)" 0
    curl -s "$BASE/v1/meshes/switched/versions/1/export?format=packed" | grep -aqF '"switched":[{"polygon":"'
}

@test "an exported OBJ is a level with the same ground and areas" {
    curl -s "$BASE/v1/meshes/town/versions/1/export?format=obj" >again.obj
    grep -q '^usemtl grass$' again.obj
    echo '{"agent":{"radius":0},"areas":{"grass":{"cost":1.5}},"region_min_size":0}' >again.json
    ask '/v1/meshes/again/versions?wait=1' -F geometry=@again.obj -F config=@again.json
    is "$STATUS" 201
    # Nobody walks on the rim of a ledge, which is taken off once more.
    is "$(gojq -n "$(json .stats.walkable_area) / $(gojq .walkable_area stats.json) | . > 0.88 and . < 1.02")" true
    ask '/v1/meshes/again/nearest?point=20,0,20'
    is "$(json '.points[0].area')" grass
}

@test "bounds take the polygons that they meet; where there are none the file is empty" {
    export_of json bounds=0,-9,0,20,9,20
    is "$(json '.polygons | length > 10 and length < 200')" true
    is "$(json '.links | length')" 1
    export_of json bounds=20,-9,20,40,9,40
    is "$(json '.links | length')" 0
    local format
    for format in json packed obj glb mset svg; do
        export_of "$format" bounds=900,0,900,901,1,901
        is "$STATUS" 200
    done
    [[ $BODY == *'has no polygons'* ]]
    export_of json bounds=900,0,900,901,1,901
    is "$(json '.polygons, .bounds | tojson' | xargs)" '[] null'
}

@test "bounds and positions are in the level's coordinates, glTF is Y up" {
    z_up_json >z.json
    bake_mesh z z.json application/json
    ask '/v1/meshes/z/versions/1/export?format=json'
    local up flat
    up=$(json '.bounds | .max[2] - .min[2]') flat=$(json '.bounds | .max[1] - .min[1]')
    is "$(gojq -n "$up < $flat")" true
    local count
    count=$(json '.polygons | length')
    ask "/v1/meshes/z/versions/1/export?format=json&bounds=$(json '.bounds | .min + .max | map(tostring) | join(",")')"
    is "$(json '.polygons | length')" "$count"
    curl -s "$BASE/v1/meshes/z/versions/1/export?format=glb" | tail -c +21 | head -c 4000 | tr -d '\0' >z.glb.json
    grep -qE '"type":"VEC3","min":\[[^]]*\],"max":\[[^]]*\]' z.glb.json
}

@test "what is asked wrongly is named" {
    local query at
    while IFS='|' read -r query at; do
        ask "/v1/meshes/town/versions/1/export?$query"
        is_error 422 "${at#* }"
        is "$(json .at)" "${at% *}"
    done <<'WRONG'
|format invalid_field
format=dae|format invalid_field
format=|format invalid_field
format=obj&format=obj|format invalid_field
format=obj&bounds=1,2,3|bounds invalid_field
format=obj&bounds=1,2,3,nan,5,6|bounds[3] invalid_field
format=obj&bounds=1,2,3,4,1,6|bounds invalid_field
format=obj&agent=cat|agent invalid_field
format=obj&width=9|width unknown_field
WRONG
    ask '/v1/meshes/town/versions/7/export?format=obj'
    is_error 404 version_not_found
    ask '/v1/meshes/none/versions/1/export?format=obj'
    is_error 404 mesh_not_found
    printf 'v 0 0 0\nv 0 9 0\nv 1 0 0\nf 1 2 3\n' >wall.obj
    ask '/v1/meshes/wall/versions?wait=1' -H 'Content-Type: model/obj' --data-binary @wall.obj
    is_error 422 mesh_empty
    ask '/v1/meshes/wall/versions/1/export?format=obj'
    is_error 409 version_not_ready
}

@test "what Detour cannot hold is told by the setting that would fit" {
    ask '/v1/meshes/wide/versions?wait=1&polygon_max_vertices=12' -H 'Content-Type: model/obj' --data-binary @town.obj
    is "$STATUS" 201
    ask '/v1/meshes/wide/versions/1/export?format=mset'
    is_error 422 not_exportable
    is "$(json .at)" polygon_max_vertices
    is "$(json .limit)" 6
    [[ $(json .detail) == *'polygon_max_vertices=6' ]]
    ask '/v1/meshes/wide/versions/1/export?format=obj'
    is "$STATUS" 200
}

@test "a file larger than export_bytes is refused" {
    own_database
    start_daemon --limit export_bytes=20000
    ask '/v1/meshes/town/versions?wait=1' -H 'Content-Type: model/obj' --data-binary @town.obj
    is "$STATUS" 201
    export_of obj
    is_error 422 not_exportable
    is "$(json .at)" bounds
    export_of obj bounds=0,-9,0,20,9,20
    is "$STATUS" 200
}

@test "an exported glTF is a level with the same ground and areas" {
    curl -s "$BASE/v1/meshes/town/versions/1/export?format=glb" >again.glb
    echo '{"agent":{"radius":0},"areas":{"grass":{"cost":1.5}},"region_min_size":0}' >again.json
    ask '/v1/meshes/gltf/versions?wait=1' -F 'geometry=@again.glb;type=model/gltf-binary' -F config=@again.json
    is "$STATUS" 201
    is "$(gojq -n "$(json .stats.walkable_area) / $(gojq .walkable_area stats.json) | . > 0.88 and . < 1.02")" true
    ask '/v1/meshes/gltf/nearest?point=20,0,20'
    is "$(json '.points[0].area')" grass
}

# Detour has numbers where the settings have names: grass is its area 2.
@test "an exported MSET is a version that answers as the one it was made of" {
    curl -s "$BASE/v1/meshes/town/versions/1/export?format=mset" >again.mset
    echo '{"areas":{"area_2":{"cost":1.5}}}' >again.json
    ask '/v1/meshes/tiles/versions?wait=1' -F 'geometry=@again.mset;type=application/vnd.detour.mset' -F config=@again.json
    is "$STATUS" 201
    is "$(json '[.stats.polygons, .stats.components, .stats.links] | map(tostring) | join(" ")')" \
        "$(gojq -r '[.polygons, .components, .links] | map(tostring) | join(" ")' stats.json)"
    local ends
    for ends in 'start=2,0,2&end=70,0,70' 'start=2,0,2&end=12,0,2' 'start=90,0,5&end=5,0,90'; do
        ask "/v1/meshes/town/path?$ends&search=exact"
        local mine
        mine=$(json '.status, (.length * 10 | round)' | xargs)
        ask "/v1/meshes/tiles/path?$ends&search=exact"
        is "$(json '.status, (.length * 10 | round)' | xargs)" "$mine"
    done
}
