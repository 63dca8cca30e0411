#!/usr/bin/env bats
# A level that is odd beside its settings says so before it is baked, and what to change; one whose bake
# would take minutes for nothing is refused.

load helper

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    "$LEVEL_MAKER" town --size 1 >town.obj
    start_daemon
}

# The town with each coordinate multiplied.
scaled() { # factor
    awk -v by="$1" '$1 == "v" { printf "v %.6g %.6g %.6g\n", $2 * by, $3 * by, $4 * by; next } { print }' town.obj
}

# The first warning of a level that is odd, in the last reply.
odd() {
    json '[.warnings[] | select(.detail != null)][0] | "\(.code) \(.suggest)"'
}

@test "a level in its right units has no such warning" {
    upload '/v1/meshes/town/versions?wait=1' town.obj
    is "$STATUS" 201
    is "$(odd)" 'null null'
}

@test "centimetres are told at once, with the numbers and the scale" {
    scaled 100 >cm.obj
    upload '/v1/meshes/cm/versions?cell_size=20&cell_height=20&agent.radius=20&agent.height=20&agent.max_climb=20&wait=1' cm.obj
    is "$STATUS" 201
    is "$(odd)" 'null null' # an agent of that size
    upload '/v1/meshes/cm/versions?cell_size=5&tile_cells=64' cm.obj
    is "$STATUS" 202
    is "$(odd)" 'units_suspect scale=0.01'
    [[ $(json '.warnings[0].detail') == 'the level is 4000 wide, and most steps and walls are '*' or higher for an agent that climbs 0.9: centimetres? scale=0.01' ]]
    is "$(json '.warnings[0].items | map(select(.name == "width").value)[0]')" 4000
    wait_version "/v1/meshes/cm/versions/$(json .version)"
    is "$(odd)" 'units_suspect scale=0.01'
    # What is suggested goes: the level is right then.
    upload '/v1/meshes/cm/versions?scale=0.01&wait=1' cm.obj
    is "$STATUS" 201
    is "$(odd)" 'null null'
    # A scale that is not small enough: numbers stay in the level's unit.
    scaled 10000 >finer.obj
    upload '/v1/meshes/cm/versions?scale=0.01&cell_size=5&tile_cells=64' finer.obj
    is "$(odd)" 'units_suspect scale=0.0001'
    [[ $(json '.warnings[0].detail') == 'the level is 400000 wide, and '*': another unit? scale=0.0001' ]]
}

@test "a level in centimetres whose bake would take minutes is refused, and baked where that is accepted" {
    "$LEVEL_MAKER" city --size 2 | awk '$1 == "v" { printf "v %.6g %.6g %.6g\n", $2 * 100, $3 * 100, $4 * 100; next } { print }' >big.obj
    upload '/v1/meshes/big/versions' big.obj
    is_error 422 units_suspect
    is "$(json .suggest)" scale=0.01
    [[ $(json .detail) == *'centimetres? scale=0.01; its bake would take minutes (accept=units_suspect bakes it)' ]]
    ask /v1/meshes/big
    is_error 404 mesh_not_found
    upload '/v1/meshes/big/versions?accept=units_suspect' big.obj
    is "$STATUS" 202
    is "$(odd)" 'units_suspect scale=0.01'
    ask "/v1/meshes/big/versions/$(json .version)" -X DELETE
    upload '/v1/meshes/big/versions?accept=everything' big.obj
    is_error 422 invalid_field
    # Millimetres get the scale, not a cell size.
    scaled 1000 >mm.obj
    upload '/v1/meshes/mm/versions' mm.obj
    is_error 422 units_suspect
    is "$(json '.suggest, .suggest_cell_size' | tr '\n' ' ')" 'scale=0.001 null '
}

@test "a forgotten Z up is told, and goes with the coordinates" {
    awk '$1 == "v" { print "v", $2, -$4, $3; next } { print }' town.obj >z_up.obj
    upload '/v1/meshes/z/versions?wait=1' z_up.obj
    is "$(odd)" 'axis_suspect coordinates=z_up'
    [[ $(json '.warnings[0].detail') =~ ^[0-9]+\ %\ of\ what\ is\ flat\ faces\ \+Z:\ coordinates=z_up\?$ ]]
    upload '/v1/meshes/z/versions?wait=1&coordinates=z_up' z_up.obj
    is "$STATUS" 201
    is "$(odd)" 'null null'
    # And the other way round.
    upload '/v1/meshes/y/versions?wait=1&coordinates=z_up' town.obj
    is "$(odd)" 'axis_suspect coordinates=y_up'
    # A version that has to be without warnings does not go live.
    upload '/v1/meshes/strict/versions?strict=1' z_up.obj
    is_error 409 has_warnings
}

@test "floors that face down" {
    awk '$1 == "f" { printf "f"; for (i = NF; i > 1; i--) printf " %s", $i; print ""; next } { print }' town.obj >down.obj
    upload '/v1/meshes/down/versions?wait=1' down.obj
    is "$(odd)" 'winding_suspect winding=reverse'
    upload '/v1/meshes/down/versions?wait=1&winding=reverse' down.obj
    is "$(odd)" 'null null'
    upload '/v1/meshes/down/versions?wait=1&winding=reverse' town.obj
    is "$(odd)" 'winding_suspect winding=as_given'
    # Where nothing is left to stand on the error says it.
    square_obj 20 | awk '$1 == "f" { print "f 4 3 2 1"; next } { print }' >flat.obj
    upload '/v1/meshes/flat/versions?wait=1' flat.obj
    is_error 422 mesh_empty
    [[ $(json .detail) == *'winding=reverse'* ]]
}

@test "materials that are in no list, and an agent that is lower than its climb" {
    printf 'v 0 0 0\nv 0 0 20\nv 20 0 20\nv 20 0 0\nusemtl Watr\nf 1 2 3\nusemtl mud\nf 1 3 4\n' >shore.obj
    upload '/v1/meshes/shore/versions?wait=1' shore.obj
    is "$(odd)" 'null null'
    ask '/v1/meshes/shore/versions?wait=1' -X POST -F geometry=@shore.obj -F 'config={"areas":{"water":{"cost":2}},"materials":{"mud":"ground"}}'
    is "$STATUS" 201
    is "$(odd)" 'material_unlisted null'
    [[ $(json '.warnings[0].detail') == '1 of 2 materials are in no list and become ground, "Watr" first: name them in materials; did you mean "water"?' ]]
    upload '/v1/meshes/low/versions?wait=1&agent.height=0.6' shore.obj
    is "$(odd)" 'agent_too_low agent.max_climb=0.6'
}

@test "bake prints what is odd, before the bake and behind it" {
    "$NAVMESHD" bake --db bake.db --mesh z=z_up.obj >told 2>&1
    [[ $(head -n 1 told) == 'z version 1: warning axis_suspect: '* ]]
    is "$(grep -c 'warning axis_suspect' told)" 2
    grep -qE 'z version 1: warning axis_suspect: [0-9]+ % of what is flat faces \+Z: coordinates=z_up\?' told
}
