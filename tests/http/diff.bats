#!/usr/bin/env bats
# Two versions side by side: what changed is told with its place, and nothing else is.

load helper

# Floor of 40 x 40 m with a wall around a corner of 10 x 10 m, which has a door or not.
yard_obj() { # door|shut
    printf 'v 0 0 0\nv 0 0 40\nv 40 0 40\nv 40 0 0\nf 1 2 3 4\n'
    if [ "$1" = shut ]; then
        box 28 0 30 10
        box 30 8 40 10
    elif [ "$1" = door ]; then
        box 28 0 30 5
        box 30 8 40 10
    fi
}

# A box 3 m high, with outward faces: x0 z0 x1 z1.
box() {
    printf 'v %s 0 %s\nv %s 0 %s\nv %s 0 %s\nv %s 0 %s\n' "$1" "$2" "$3" "$2" "$3" "$4" "$1" "$4"
    printf 'v %s 3 %s\nv %s 3 %s\nv %s 3 %s\nv %s 3 %s\n' "$1" "$2" "$3" "$2" "$3" "$4" "$1" "$4"
    printf 'f -8 -4 -3 -7\nf -7 -3 -2 -6\nf -6 -2 -1 -5\nf -5 -1 -4 -8\nf -4 -1 -2 -3\n'
}

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    yard_obj none >open.obj
    yard_obj door >door.obj
    yard_obj shut >shut.obj
    square_obj 20 >a.obj
    islands_obj >islands.obj
    start_daemon
    local level
    for level in open door shut; do
        upload '/v1/meshes/yard/versions?wait=1&tile_cells=32&region_min_size=12' $level.obj
        is "$STATUS" 201
    done
    upload '/v1/meshes/isles/versions?wait=1' a.obj
    upload '/v1/meshes/isles/versions?wait=1' islands.obj
}

diff_of() { # mesh from to
    ask "/v1/meshes/$1/versions/diff?from=$2&to=$3"
}

@test "a version beside itself: nothing changed" {
    diff_of yard 2 2
    is "$STATUS" 200
    is "$(json '[.mesh, .from, .to, .geometry_changed, .config_changed] | join(" ")')" 'yard 2 2 false false'
    is "$(json '.tiles | [.before - .unchanged, (.changed, .added, .removed | length)] | join(" ")')" '0 0 0 0'
    is "$(json '.islands | [(.changed, .added, .removed | length)] | join(" ")')" '0 0 0'
    is "$(json '.walkable_area.delta, .polygons.delta' | tr '\n' ' ')" '0 0 '
}

@test "tiles away from the change are unchanged, those at it have bounds that hold it" {
    diff_of yard 2 3
    is "$STATUS" 200
    is "$(json '[.geometry_changed, .config_changed] | join(" ")')" 'true false'
    is "$(json '.tiles | .unchanged + (.changed | length) + (.removed | length) == .before')" true
    is "$(json '.tiles.unchanged > (.tiles.before / 2)')" true
    [ "$(json '.tiles.changed | length')" -gt 0 ]
    # The door was at x 28 to 30, z 5 to 8: a tile's side is 9.6 m, its padding less than 2 m.
    is "$(json '[.tiles.changed[] | .bounds | .max[0] > 26 and .min[0] < 32 and .max[2] > 3 and .min[2] < 10] | all')" true
    is "$(json '[.tiles.changed[] | .bounds.max[0] - .bounds.min[0] | . > 9.5 and . < 9.7] | all')" true
}

@test "ground that is cut off is a new island; joined again it is none" {
    diff_of yard 2 3
    is "$(json '[.islands.before, .islands.after] | join(" ")')" "$(json '[.islands.before, .islands.before + 1] | join(" ")')"
    is "$(json '[.islands.added[].cut_off] | join(" ")')" true
    is "$(json '.islands.added[0] | .bounds.min[0] > 30 and .bounds.max[2] < 8 and .area > 30 and .area < 80 and .polygons > 0')" true
    is "$(json '.islands.changed | map(select(.area.delta < -30)) | length')" 1
    is "$(json '.islands.removed | length')" 0
    is "$(json '.walkable_area | .after - .before - .delta | fabs < 0.002')" true
    diff_of yard 3 2
    is "$(json '[.islands.removed[].joined_another] | join(" ")')" true
    is "$(json '.islands.added | length')" 0
    is "$(json '.walkable_area.delta > 0')" true
}

@test "an island that is new is told with its place and area" {
    diff_of isles 1 2
    is "$(json '.islands | [.before, .after, (.added, .changed, .removed | length)] | join(" ")')" '1 2 1 0 0'
    is "$(json '.islands.added[0] | .cut_off == false and .bounds.min[0] > 40 and .bounds.max[0] < 60 and .area > 300')" true
    is "$(json '(.islands.added[0].area - .walkable_area.delta) | fabs < 0.01')" true
}

@test "other settings: every tile is another one, and that is said" {
    upload '/v1/meshes/settings/versions?wait=1' a.obj
    upload '/v1/meshes/settings/versions?wait=1&agent.radius=0.9' a.obj
    diff_of settings 1 2
    is "$(json '[.geometry_changed, .config_changed] | join(" ")')" 'false true'
    is "$(json '.tiles.unchanged, (.tiles.changed | length)' | tr '\n' ' ')" '0 1 '
    is "$(json '.islands.changed | length')" 1
    is "$(json '.islands.changed[0].area.delta == .walkable_area.delta')" true
}

@test "places are the level's, with z_up as well" {
    printf 'v 0 0 0\nv 20 0 0\nv 20 20 0\nv 0 20 0\nf 1 2 3 4\n' >z1.obj
    printf 'v 0 0 0\nv 20 0 0\nv 20 20 0\nv 0 20 0\nv 0 40 0\nv 20 40 0\nv 20 60 0\nv 0 60 0\nf 1 2 3 4\nf 5 6 7 8\n' >z2.obj
    upload '/v1/meshes/z/versions?wait=1&coordinates=z_up' z1.obj
    upload '/v1/meshes/z/versions?wait=1&coordinates=z_up' z2.obj
    diff_of z 1 2
    is "$(json '.islands.added[0].bounds | .min[1] > 40 and .max[1] < 60 and .min[1] < .max[1] and .max[2] < 1')" true
}

@test "versions that cannot be compared are refused" {
    diff_of yard 1 9
    is_error 404 version_not_found
    diff_of nowhere 1 2
    is_error 404 mesh_not_found
    ask '/v1/meshes/yard/versions/diff?from=1'
    is_refused to
    ask '/v1/meshes/yard/versions/diff?from=1&to=0'
    is_error 422 invalid_field
    ask '/v1/meshes/yard/versions/diff?from=1&to=2&deep=1'
    is_error 422 unknown_field
    printf 'v 0 0 0\nv 0 20 0\nv 20 20 0\nf 1 2 3\n' >wall.obj
    upload '/v1/meshes/yard/versions' wall.obj
    wait_version /v1/meshes/yard/versions/4
    diff_of yard 1 4
    is_error 409 version_not_ready
    ask /v1/meshes/yard/versions/diff -X DELETE
    [ "$STATUS" = 404 ]
}
