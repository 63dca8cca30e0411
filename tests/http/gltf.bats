#!/usr/bin/env bats
# A binary glTF is an upload like any other: the same level as OBJ is the same geometry; its
# materials are areas, and nodes that are named so are volumes and switches of the version.

load helper

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    "$LEVEL_MAKER" town --size 2 >town.obj
    "$LEVEL_MAKER" town --size 2 --glb >town.glb
    start_daemon
}

# Four bytes of a number, for printf.
u32() {
    printf '\\x%02x' $(($1 & 255)) $(($1 >> 8 & 255)) $(($1 >> 16 & 255)) $(($1 >> 24))
}

# A glTF of the JSON, in which ' stands for ", and of a buffer of 228 bytes: a square of 20 by 20 (bytes 0
# to 47), its indices (48 to 59), and a box of 8 corners from 8 -1 -1 to 12 2 21 (60 to 155) with 36 indices
# (156 to 227).
write_glb() { # file json
    local file=$1 json=${2//\'/\"}
    while ((${#json} % 4 != 0)); do json+=' '; done
    {
        printf "glTF\2\0\0\0$(u32 $((28 + ${#json} + 228)))$(u32 ${#json})JSON%s$(u32 228)BIN\0" "$json"
        floats 0 0 0 20 0 0 20 0 20 0 0 20
        shorts 0 2 1 0 3 2
        floats 8 -1 -1 12 -1 -1 12 -1 21 8 -1 21 8 2 -1 12 2 -1 12 2 21 8 2 21
        shorts 0 1 2 0 2 3 4 6 5 4 7 6 0 4 5 0 5 1 1 5 6 1 6 2 2 6 7 2 7 3 3 7 4 3 4 0
    } >"$file"
}

# Little-endian floats of the few whole numbers that are needed.
floats() {
    local -A bits=([0]=0x00000000 [1]=0x3f800000 [-1]=0xbf800000 [2]=0x40000000 [8]=0x41000000
        [12]=0x41400000 [20]=0x41a00000 [21]=0x41a80000)
    local n
    for n in "$@"; do printf "$(u32 $((bits[$n])))"; done
}

shorts() {
    local n
    for n in "$@"; do printf "\\x$(printf %02x "$n")\\0"; done
}

FRONT="{'asset':{'version':'2.0'},'buffers':[{'byteLength':228}],'bufferViews':[{'buffer':0,'byteLength':48},
{'buffer':0,'byteOffset':48,'byteLength':12},{'buffer':0,'byteOffset':60,'byteLength':96},
{'buffer':0,'byteOffset':156,'byteLength':72}],'accessors':[
{'bufferView':0,'componentType':5126,'count':4,'type':'VEC3'},{'bufferView':1,'componentType':5123,'count':6,'type':'SCALAR'},
{'bufferView':2,'componentType':5126,'count':8,'type':'VEC3'},{'bufferView':3,'componentType':5123,'count':36,'type':'SCALAR'}],
'materials':[{'name':'Mud_01'}],'meshes':[{'primitives':[{'attributes':{'POSITION':0},'indices':1,'material':0}]},
{'primitives':[{'attributes':{'POSITION':2},'indices':3}]}],"

bake_glb() { # mesh file [settings]
    ask "/v1/meshes/$1/versions?wait=1" -X POST -F "geometry=@$2" ${3:+-F "config=$3;type=application/json"}
}

@test "the same level as OBJ and as glTF is the same geometry" {
    bake_mesh obj town.obj
    local hash
    hash=$(json .geometry.sha256)
    bake_mesh glb town.glb model/gltf-binary
    is "$(json .geometry.format)" glb
    is "$(json .geometry.sha256)" "$hash"
    bake_glb form town.glb
    is "$STATUS" 201
    is "$(json .geometry.sha256)" "$hash"
    upload '/v1/meshes/told/versions?wait=1' town.glb application/octet-stream
    is "$STATUS $(json .geometry.format)" '201 glb'
    upload '/v1/meshes/told/versions?wait=1' town.glb model/obj
    is_error 415 unsupported_media_type
    is "$(json .detail)" 'this is binary glTF, not OBJ: send it as model/gltf-binary, or with a name in .glb'
}

@test "the command line reads it by its ending" {
    run -0 "$NAVMESHD" bake --db "$BATS_TEST_TMPDIR/cli.db" --mesh town=town.glb
}

@test "materials are areas, and a mesh of several nodes is there as often" {
    write_glb mud.glb "$FRONT'nodes':[{'mesh':0},{'mesh':0,'translation':[20,0,0]}]}"
    bake_glb mud mud.glb '{"areas":{"mud":{"cost":3}},"materials":{"Mud_01":"mud"}}'
    is "$STATUS" 201
    is "$(json '"\(.geometry.triangles) \(.geometry.vertices)"')" '4 8'
    ask '/v1/meshes/mud/path?start=2,0,10&end=38,0,10'
    is "$(json '"\(.status) \(.cost) \(.length)"')" 'complete 108 36'
}

@test "nodes named volume: and switch: are no ground but volumes and switches of the version" {
    write_glb gate.glb "$FRONT'nodes':[{'mesh':0},{'name':'switch:north_gate:leaf.001','mesh':1}]}"
    bake_glb gate gate.glb
    is "$STATUS" 201
    is "$(json .geometry.triangles)" 2
    is "$(json '.config.switches.north_gate.shapes[0] | "\(.points) \(.min_y) \(.max_y)"')" \
        '[[8,-1],[12,-1],[12,21],[8,21]] -1 2'
    ask '/v1/meshes/gate/path?start=2,0,10&end=18,0,10'
    is "$(json .status)" complete
    ask /v1/meshes/gate/instances/one -X PUT -H 'Content-Type: application/json' -d '{"switches":{"north_gate":"closed"}}'
    ask '/v1/meshes/gate/path?start=2,0,10&end=18,0,10&instance=one'
    is "$(json .status)" partial
    # What the settings say of it, and a volume that cuts.
    bake_glb gate gate.glb '{"switches":{"north_gate":{"default":"closed"}}}'
    is "$(json '.config.switches.north_gate | "\(.default) \(.shapes | length)"')" 'closed 1'
    write_glb cut.glb "$FRONT'nodes':[{'mesh':0},{'name':'volume:none','children':[2]},{'mesh':1}]}"
    bake_glb cut cut.glb
    is "$(json .config.volumes[0].area)" none
    ask '/v1/meshes/cut/path?start=2,0,10&end=18,0,10'
    is "$(json .status)" partial
}

@test "what nodes and settings both say, or neither, is refused by its name" {
    write_glb gate.glb "$FRONT'nodes':[{'mesh':0},{'name':'switch:north_gate','mesh':1}]}"
    bake_glb refused gate.glb '{"switches":{"north_gate":{"shapes":[{"shape":"box","min":[0,0,0],"max":[1,1,1]}]}}}'
    is_refused switches.north_gate
    write_glb water.glb "$FRONT'nodes':[{'mesh':0},{'name':'volume:water','mesh':1}]}"
    bake_glb refused water.glb
    is_refused 'nodes[1].name'
    bake_glb refused water.glb '{"areas":{"waters":{"cost":2}}}'
    is_error 422 invalid_field
    is "$(json .suggest)" waters
    write_glb flat.glb "$FRONT'nodes':[{'mesh':0},{'name':'volume:none','mesh':0}]}"
    bake_glb refused flat.glb
    is_refused 'nodes[1]'
    ask /v1/meshes/refused
    is "$STATUS" 404
}

@test "a glTF that lies is refused where it does, and nothing is stored" {
    local -A cases=(
        ["'nodes':[{'mesh':0,'children':[0]}]}"]='nodes[0].children'
        ["'nodes':[{'mesh':7}]}"]='nodes[0].mesh'
        ["'scenes':[{'nodes':0}]}"]='scenes[0].nodes'
        ["'extensionsRequired':['EXT_meshopt_compression'],'nodes':[]}"]='extensionsRequired[0]'
    )
    local json
    for json in "${!cases[@]}"; do
        write_glb bad.glb "$FRONT$json"
        upload '/v1/meshes/bad/versions?wait=1' bad.glb model/gltf-binary
        is_error 422 bad_geometry
        is "$AT" "${cases[$json]}"
    done
    head -c 100 bad.glb >cut.glb
    upload '/v1/meshes/bad/versions?wait=1' cut.glb model/gltf-binary
    is_error 422 bad_geometry
    is "$AT" end
    printf 'glTF\2\0\0\0\x00\x00\x10\x00\xec\xff\x0f\x00JSON' >deep.glb
    head -c 1048556 /dev/zero | tr '\0' '[' >>deep.glb
    upload '/v1/meshes/bad/versions?wait=1' deep.glb model/gltf-binary
    is_error 400 json_too_deep
    ask /v1/meshes/bad
    is "$STATUS" 404
}

# The JSON and the buffer of a file of write_glb, as exporters embed it.
write_gltf() { # file json
    write_glb whole.glb "$2"
    local data
    data=$(tail -c 228 whole.glb | base64 -w0)
    printf '%s' "${2//\'/\"}" | sed "s#\"byteLength\":228#&,\"uri\":\"data:application/octet-stream;base64,$data\"#" >"$1"
}

@test "glTF as text, with its buffer within, is the same geometry" {
    write_gltf mud.gltf "$FRONT'nodes':[{'mesh':0}]}"
    bake_glb whole whole.glb
    local hash type
    hash=$(json .geometry.sha256)
    for type in model/gltf+json model/gltf-binary application/octet-stream; do
        upload '/v1/meshes/whole/versions?wait=1' mud.gltf "$type"
        is "$STATUS $(json '.geometry.format, .geometry.sha256' | tr '\n' ' ')" "200 glb $hash "
    done
    sed 's/base64,/base64,*/' mud.gltf >bad.gltf
    upload '/v1/meshes/whole/versions?wait=1' bad.gltf model/gltf+json
    is_error 422 bad_geometry
    is "$(json .at)" 'buffers[0].uri'
    sed 's/data:[^"]*/level.bin/' mud.gltf >files.gltf
    upload '/v1/meshes/whole/versions?wait=1' files.gltf model/gltf+json
    is_error 422 bad_geometry
    is "$(json .at)" 'buffers[0].uri'
}

@test "a skinned mesh is left out and a long name cut, and the version says so once it is baked" {
    local long='Hauptgebaeude_Eingangshalle_Bodenfliesen_Marmor_poliert_2'
    write_glb hero.glb "${FRONT/Mud_01/$long}'nodes':[{'mesh':0},{'mesh':1,'skin':0}]}"
    bake_glb hero hero.glb "{\"areas\":{\"mud\":{\"cost\":3}},\"materials\":{\"$long\":\"mud\"}}"
    is "$STATUS $(json '"\(.state) \(.geometry.triangles)"')" '201 ready 2'
    is "$(json '[.warnings[] | "\(.code) \(.count)"] | tojson')" '["name_shortened 1","skin_skipped 1"]'
    is "$(json '.warnings[1].items | tojson')" '[{"name":"nodes[1]"}]'
    local cut
    cut=$(json '.warnings[0].items[0].name')
    [[ $cut == "${long:0:30}~"* && ${#cut} == 47 ]]
    is "$(json '.config.materials | tojson')" "{\"$cut\":\"mud\"}"
    ask '/v1/meshes/hero/path?start=2,0,10&end=18,0,10'
    is "$(json .cost)" 48
    # Warnings of its reader count as others do.
    ask '/v1/meshes/hero/versions?wait=1&strict=1&cell_size=0.2' -X POST -F geometry=@hero.glb
    is_error 409 has_warnings
}

@test "the weights of morph targets are those that the mesh has by itself" {
    local morphed
    morphed=$(sed "s/'meshes':\[{/&'weights':[0.5],/; s/'indices':1,/&'targets':[{'POSITION':0}],/" <<<"$FRONT")
    write_glb morph.glb "$morphed'nodes':[{'mesh':0}]}"
    bake_glb morph morph.glb
    is "$(json '.geometry.bounds.max | tojson')" '[30,0,30]'
}

@test "what instances add up to is bound by the same limits" {
    stop_daemon
    start_daemon --limit triangles=20001 --limit unpacked_bytes=600000
    local nodes
    nodes=$(printf ',{"mesh":0}%.0s' {1..9999})
    write_glb many.glb "$FRONT'nodes':[{'mesh':0}$nodes]}"
    upload '/v1/meshes/many/versions?wait=1' many.glb model/gltf-binary
    is_error 413 geometry_too_large
    is "$AT" nodes
    write_glb more.glb "$FRONT'nodes':[{'mesh':0},{'mesh':0}$nodes]}"
    upload '/v1/meshes/many/versions?wait=1' more.glb model/gltf-binary
    is_error 413 geometry_too_large
    is "$AT" triangles
}
