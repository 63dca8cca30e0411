#!/usr/bin/env bats
# A level in any axes and units bakes to the same mesh and gives the same answers, in its own axes and
# units; what cannot be coordinates is refused by name.

load helper

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    square_obj 20 >square.obj
    start_daemon
}

@test "engines' coordinates and random ones: one mesh, and one answer to every question" {
    PYTHONDONTWRITEBYTECODE=1 run -0 python3 -W error "$BATS_TEST_DIRNAME/coordinates.py" "$BASE" 5 "${COORDINATES:-4}"
    is "$(grep -c . <<<"$output")" $((6 + ${COORDINATES:-4}))
}

floor_json() { # corners of a quad, one after the other
    printf '{"vertices":%s,"triangles":[[0,1,2],[0,2,3]]}' "$1"
}

@test "an Unreal level in centimetres has paths in centimetres" {
    # Clockwise seen from above, as hands are left: x forwards, y to the right.
    floor_json '[[0,0,50],[2000,0,50],[2000,2000,50],[0,2000,50]]' >unreal.json
    upload '/v1/meshes/unreal/versions?wait=1&coordinates=unreal' unreal.json application/json
    is "$STATUS $(json '.config.coordinates') $(jq -r '.config.scale' <<<"$BODY")" '201 unreal null'
    is "$(json '.geometry.bounds | tojson')" '{"max":[2000,2000,50],"min":[0,0,50]}'
    is "$(json '.stats.walkable_area > 3200000 and .stats.walkable_area < 3700000')" true
    ask '/v1/meshes/unreal/path?start=200,300,50&end=1400,1200,50'
    is "$(json '[.status, .length, .cost, .points] | tojson')" '["complete",1500,1500,[[200,300,70],[1400,1200,70]]]'
    ask '/v1/meshes/unreal/nearest?point=200,300,350'
    is "$(json '.points[0].distance')" 280
    ask '/v1/meshes/unreal/nearest?point=200,300,550&snap.down=420'
    is "$(json '.points | length')" 0
    ask '/v1/meshes/unreal/floors?x=200&y=300'
    is "$(json '.floors[0].height')" 70
    ask '/v1/meshes/unreal/floors?x=200&z=300'
    is_refused y
    [[ $(json .detail) == *'named by x and y; z is its height'* ]]
    ask '/v1/meshes/unreal/path?start=200,300,50&end=1400,1200,50&max_length=1499.9'
    is "$(json .reason)" max_length
    ask '/v1/meshes/unreal/path?start=200,300,50&end=1400,1200,50&max_length=1500'
    is "$(json .status)" complete
    ask '/v1/meshes/unreal/wall?point=1000,300,50'
    is "$(json .distance)" 210
    ask '/v1/meshes/unreal/versions/1/render.svg'
    [[ $BODY == *'x to the right, y down'* ]]
    [[ $BODY == *'200 (2 m)'* ]]
}

@test "a Unity level faces up as Unity has its triangles, and winding=reverse turns others" {
    floor_json '[[0,0,0],[0,0,20],[20,0,20],[20,0,0]]' >unity.json
    upload '/v1/meshes/unity/versions?wait=1&coordinates=unity' unity.json application/json
    is "$STATUS $(json .config.coordinates)" '201 unity'
    ask '/v1/meshes/unity/path?start=2,0,3&end=14,0,12'
    is "$(json '[.length, .points[1][2]] | tojson')" '[15,12]'
    floor_json '[[0,0,0],[20,0,0],[20,0,20],[0,0,20]]' >other.json
    upload '/v1/meshes/other/versions?wait=1&coordinates=unity' other.json application/json
    is_error 422 mesh_empty
    upload '/v1/meshes/other/versions?wait=1&coordinates=unity&winding=reverse' other.json application/json
    is "$STATUS $(json .config.winding)" '201 reverse'
    upload '/v1/meshes/other/versions?wait=1&winding=reverse' unity.json application/json
    is_error 422 mesh_empty
    upload '/v1/meshes/other/versions?wait=1&winding=as_given' unity.json application/json
    is "$STATUS $(jq -c '[.config.winding, .config.scale]' <<<"$BODY")" '201 [null,null]'
}

@test "a WoW level: x is north, y is west, z is up, and one yard counts as a metre" {
    floor_json '[[0,0,10],[20,0,10],[20,20,10],[0,20,10]]' >wow.json
    upload '/v1/meshes/wow/versions?wait=1&coordinates=wow' wow.json application/json
    is "$STATUS $(json .config.coordinates)" '201 wow'
    ask '/v1/meshes/wow/path?start=2,3,10&end=14,12,10'
    is "$(json '[.length, .points[1]] | tojson')" '[15,[14,12,10.2]]'
    upload '/v1/meshes/wow/versions?wait=1&coordinates=wow&scale=0.9144' wow.json application/json
    is "$STATUS $(json '[.config.coordinates, .config.scale] | tojson')" '201 ["wow",0.9144]'
    ask '/v1/meshes/wow/path?start=2,3,10&end=14,12,10'
    is "$(json .length)" 15
}

@test "scale alone, over a preset, in the settings and as a map: the argument goes first" {
    sed 's/20/2000/g' square.obj >centimetres.obj
    upload '/v1/meshes/s/versions?wait=1&scale=0.01' centimetres.obj
    is "$STATUS $(json '[.version, .config.coordinates, .config.scale] | tojson')" '201 [1,"y_up",0.01]'
    is "$(json .blob.sha256)" "$(upload '/v1/meshes/m/versions?wait=1' square.obj && json .blob.sha256)"
    upload '/v1/meshes/s/versions?wait=1&coordinates=godot&scale=0.01' centimetres.obj
    is "$STATUS $(json .version)" '200 1'
    ask '/v1/meshes/s/versions?wait=1&scale=0.01' -X POST -F 'geometry=@centimetres.obj;type=model/obj' \
        -F 'config={"scale":7,"coordinates":{"axes":["x","y","z"],"scale":5}}'
    is "$STATUS $(json .version)" '200 1'
    ask '/v1/meshes/s/versions?wait=1' -X POST -F 'geometry=@centimetres.obj;type=model/obj' \
        -F 'config={"scale":0.01,"coordinates":{"axes":["-x","y","-z"],"scale":5}}'
    is "$STATUS $(json '.config.coordinates | tojson') $(jq -r .config.scale <<<"$BODY")" '201 {"axes":["-x","y","-z"],"scale":0.01} null'
    ask '/v1/meshes/s/path?start=-200,0,-300&end=-1400,0,-1200'
    is "$(json .status)" none
    ask '/v1/meshes/s/path?start=200,0,300&end=1400,0,1200'
    is "$(json '[.status, .length] | tojson')" '["complete",1500]'
}

@test "what cannot be coordinates is refused with what can" {
    local at body
    while IFS='|' read -r at body; do
        ask '/v1/meshes/bad/versions?wait=1' -X POST -F 'geometry=@square.obj;type=model/obj' -F "config=$body"
        is_refused "$at"
        ask '/v1/meshes/bad'
        is "$STATUS" 404
    done <<'ROWS'
coordinates|{"coordinates":"x_up"}
coordinates|{"coordinates":7}
coordinates|{"coordinates":null}
coordinates.axes|{"coordinates":{}}
coordinates.axes|{"coordinates":{"axes":"xyz"}}
coordinates.axes|{"coordinates":{"axes":["x","y"]}}
coordinates.axes[1]|{"coordinates":{"axes":["x","x","y"]}}
coordinates.axes[1]|{"coordinates":{"axes":["x","-x","y"]}}
coordinates.axes[2]|{"coordinates":{"axes":["x","y","w"]}}
coordinates.axes[2]|{"coordinates":{"axes":["x","y",3]}}
coordinates.axes[3]|{"coordinates":{"axes":["x","y","z","x"]}}
coordinates.scale|{"coordinates":{"axes":["x","y","z"],"scale":0}}
coordinates.scale|{"coordinates":{"axes":["x","y","z"],"scale":"0.01"}}
scale|{"scale":0}
scale|{"scale":-1}
scale|{"scale":1001}
scale|{"scale":0.00009}
winding|{"winding":"clockwise"}
ROWS
    upload '/v1/meshes/bad/versions?coordinates=left_handed' square.obj
    is_refused coordinates
    [[ $(json .detail) == *'"unreal"'* ]]
    upload '/v1/meshes/bad/versions?scale=nan' square.obj
    is_refused scale
    upload '/v1/meshes/bad/versions?scale=1&scale=1' square.obj
    is_refused scale
    ask '/v1/meshes/bad/versions' -X POST -F 'geometry=@square.obj;type=model/obj' -F 'config={"coordinates":{"axes":["x","y","z"],"unit":1}}'
    is_error 422 unknown_field
}

@test "a coordinate is too far where it is too far in metres" {
    printf '{"vertices":[[0,0,5000000],[2000,0,5000000],[2000,2000,5000000],[0,2000,5000000]],"triangles":[[0,1,2],[0,2,3]]}' >far.json
    upload '/v1/meshes/far/versions?wait=1' far.json application/json
    is_error 422 vertex_out_of_range
    is "$(json '.at, .got, .limit' | tr '\n' ' ')" 'vertices[0].z 5000000 1000000 '
    upload '/v1/meshes/far/versions?wait=1&coordinates=unreal' far.json application/json
    is "$STATUS" 201
    ask '/v1/meshes/far/path?start=200,300,5000000&end=1400,1200,5000000'
    is "$(json .length)" 1500
    upload '/v1/meshes/km/versions?wait=1&scale=1000' <(printf 'v 0 0 0\nv 0 0 2000\nv 2000 0 2000\nf 1 2 3\n')
    is_error 422 vertex_out_of_range
    is "$(json '.at, .limit' | tr '\n' ' ')" 'vertices[1].z 1000 '
    ask '/v1/meshes/far/versions?coordinates=unreal' -X POST -F 'geometry=@far.json;type=application/json' \
        -F 'config={"links":[{"start":[0,0,0],"end":[0,0,200000000]}]}'
    is_refused 'links[0].end[2]'
    is "$(json .limit)" 100000000
}

@test "bounds of a question are those of its mesh's unit" {
    floor_json '[[0,0,50],[2000,0,50],[2000,2000,50],[0,2000,50]]' >unreal.json
    upload '/v1/meshes/u/versions?wait=1&coordinates=unreal' unreal.json application/json
    upload '/v1/meshes/m/versions?wait=1' square.obj
    local name limit
    for name in u:1000000 m:10000; do
        limit=${name#*:}
        ask "/v1/meshes/${name%:*}/nearest?point=200,300,50&snap.up=$limit"
        is "$STATUS" 200
        ask "/v1/meshes/${name%:*}/nearest?point=200,300,50&snap.up=$((limit + 1))"
        is_refused snap.up
        is "$(json '.limit, .got' | tr '\n' ' ')" "$limit $((limit + 1)) "
        post_json "/v1/meshes/${name%:*}/batch" "{\"queries\":[{\"kind\":\"wall\",\"point\":[2,3,0],\"max_radius\":$((limit * 200))}]}"
        is_refused 'queries[0].max_radius'
        post_json "/v1/meshes/${name%:*}/path" "{\"start\":[2,3,0],\"end\":[3,3,0],\"avoid\":[{\"shape\":\"circle\",\"center\":[0,0,0],\"radius\":$((limit * 200))}]}"
        is_refused 'avoid[0].radius'
    done
}
