#!/usr/bin/env bats
# A bake that cannot succeed leaves a failed version that says why, and what is live stays live.

load helper

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    square_obj 20 >square.obj
    # Two walls: 4 triangles, all upright.
    printf 'v 0 0 0\nv 0 9 0\nv 9 9 0\nv 9 0 0\nv 0 9 9\nv 0 0 9\nf 1 2 3 4\nf 1 2 5 6\n' >steep.obj
    start_daemon
}

@test "only steep faces: 422 with wait, the version is failed and counts the steep triangles" {
    upload '/v1/meshes/steep/versions?wait=1' steep.obj
    is "$STATUS" 422
    ask /v1/meshes/steep/versions/1
    is "$STATUS" 200
    is "$(json '.state, .active, .error.code' | tr '\n' ' ')" 'failed false mesh_empty '
    [[ $(json .error.detail) == *4* ]]
    [[ $(json .error.detail) =~ steep|slope ]]
    ask /healthz
    is "$STATUS" 200
}

@test "ground that is wound the other way is told so, not called steep" {
    printf 'v 0 0 0\nv 0 0 20\nv 20 0 20\nv 20 0 0\nf 4 3 2 1\n' >down.obj
    upload '/v1/meshes/down/versions?wait=1' down.obj
    is_error 422 mesh_empty
    local down='no place to stand: 2 of 2 triangles face down or are steeper than 45 degrees'
    is "$(json .detail)" "$down; floors face down: of the ground 0 % faces up: winding=reverse, or is this the outside of a ceiling?"
    upload '/v1/meshes/down/versions?wait=1&coordinates=z_up' down.obj
    is_error 422 mesh_empty
    is "$(json .detail)" "$down; 100 % of what is flat faces -Y: coordinates=y_up, and winding=reverse?"
}

@test "ground that is not steep and yet no place to stand says which step left nothing" {
    # A beam a metre wide.
    printf 'v 0 0 0\nv 0 0 1\nv 20 0 1\nv 20 0 0\nf 1 2 3 4\n' >beam.obj
    upload '/v1/meshes/beam/versions?wait=1' beam.obj
    is_error 422 mesh_empty
    [[ $(json .detail) == *'0 of 2 triangles face down or are steeper than 45 degrees; on the others there is no room for an agent of radius 0.6 and height 2'* ]]
    # A slab of 3 x 3 m, of which the agent's radius leaves too little.
    square_obj 3 >slab.obj
    upload '/v1/meshes/slab/versions?wait=1' slab.obj
    is_error 422 mesh_empty
    [[ $(json .detail) == *'smaller than region_min_size, 8 x 8 cells' ]]
    upload '/v1/meshes/slab/versions?wait=1&region_min_size=0' slab.obj
    is "$STATUS" 201
}

@test "without wait the upload is acknowledged and the version fails later" {
    upload /v1/meshes/later/versions steep.obj
    is "$STATUS" 202
    wait_version /v1/meshes/later/versions/1
    is "$(json '.state, .error.code' | tr '\n' ' ')" 'failed mesh_empty '
}

@test "a failed version does not take the place of the live one" {
    bake_mesh live square.obj
    upload '/v1/meshes/live/versions?wait=1' steep.obj
    is "$STATUS" 422
    ask '/v1/meshes/live/path?start=2,0,2&end=18,0,18'
    is "$(json '.version, .status' | tr '\n' ' ')" '1 complete '
    ask /v1/meshes/live/active -X PUT -H 'Content-Type: application/json' -d '{"version":2}'
    is_error 409 version_not_ready
}

@test "a tower of 300 floors is baked while the client waits" {
    awk 'BEGIN {
        for (i = 0; i < 300; i++) {
            y = 3 * i
            printf "v 0 %d 0\nv 0 %d 20\nv 20 %d 20\nv 20 %d 0\nf -4 -3 -2 -1\n", y, y, y, y
        }
    }' >tower.obj
    bake_mesh tower tower.obj
    # Each floor is there. When the work grew with the cube of their number, this took a minute
    # without sanitizers, and the request did not wait for so long under them.
    is "$(json '.stats.components')" 300
}
