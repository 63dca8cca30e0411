#!/usr/bin/env bats
# Settings: every one is echoed with its default, each bad value has its exact code and place, and
# what they say is what the mesh does.

load helper

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    square_obj 20 >square.obj
    # Two squares side by side, the second one water.
    cat >shore.obj <<'OBJ'
v 0 0 0
v 0 0 20
v 20 0 20
v 20 0 0
v 40 0 20
v 40 0 0
usemtl Grass
f 1 2 3 4
usemtl Water A
f 4 3 5 6
OBJ
    # The same square with Z up: y here is -z there.
    printf 'v 0 0 0\nv 20 0 0\nv 20 20 0\nv 0 20 0\nf 1 2 3 4\n' >z_up.obj
    start_daemon
}

VERTICES='"vertices":[0,0,0,0,0,20,20,0,20,20,0,0],"triangles":[0,1,2,0,2,3]'

# Uploads the square with settings and waits for its bake.
post_config() { # config [query]
    post_json "/v1/meshes/m/versions?wait=1&${2:-}" "{$VERTICES,\"config\":$1}"
}

refuse() { # config code at
    post_config "$1"
    is_error 422 "$2"
    is "$(json .at)" "$3"
}

@test "every setting is echoed with its default" {
    bake_mesh defaults square.obj
    is "$(jq -c .config <<<"$BODY" | jq -c 'del(.tile_cells)')" '{"cell_size":0.3,"cell_height":0.2,"agent":{"radius":0.6,"height":2,"max_climb":0.9,"max_slope":45},"partition":"watershed","region_min_size":8,"region_merge_size":20,"edge_max_length":12,"edge_max_error":1.3,"polygon_max_vertices":6,"detail":true,"detail_sample_distance":6,"detail_max_error":1,"filters":{"low_hanging":true,"ledges":true,"low_height":true},"area_median":false,"volumes_reach_up":false,"bounds":null,"coordinates":"y_up","areas":{"ground":{"cost":1,"flags":[],"liquid":false}},"materials":{},"volumes":[],"links":[],"seeds":[],"query_filters":{}}'
    is "$(json '.config | has("tile_cells")')" true
}

@test "lists are echoed in one form, and equal settings are one version" {
    post_config '{"areas":{"water":{"cost":3,"flags":["swim"]},"crouch":{"cost":2}},"materials":{"W":"water"},"volumes":[{"shape":"cylinder","center":[10,0,10],"radius":2,"height":3,"area":"water"}]}'
    is "$STATUS" 201
    is "$(jq -c '.config | [.areas, .materials, .volumes]' <<<"$BODY")" '[{"ground":{"cost":1,"flags":[],"liquid":false},"crouch":{"cost":2,"flags":[],"liquid":false},"water":{"cost":3,"flags":["swim"],"liquid":false}},{"W":"water"},[{"shape":"cylinder","center":[10,0,10],"radius":2,"height":3,"area":"water"}]]'
    local version
    version=$(json .version)
    post_config '{"volumes":[{"area":"water","center":[10.0,0,1e1],"height":3.0,"radius":2,"shape":"cylinder"}],"materials":{"W":"water"},"areas":{"crouch":{"cost":2.0,"flags":[]},"water":{"flags":["swim"],"cost":3}}}'
    is "$STATUS" 200
    is "$(json '.deduplicated, .version' | tr '\n' ' ')" "true $version "
}

@test "25 hostile settings: exact code and place" {
    refuse '{"cell_size":0}' invalid_field cell_size
    refuse '{"cell_size":-0.3}' invalid_field cell_size
    refuse '{"cell_size":1e-9}' invalid_field cell_size
    refuse '{"cell_size":1e400}' invalid_field cell_size
    refuse '{"cell_height":0}' invalid_field cell_height
    refuse '{"agent":{"max_slope":90}}' invalid_field agent.max_slope
    refuse '{"agent":{"max_slope":-1}}' invalid_field agent.max_slope
    refuse '{"agent":{"radius":-1}}' invalid_field agent.radius
    refuse '{"agent":{"height":0}}' invalid_field agent.height
    refuse '{"agent":{"max_climb":-0.1}}' invalid_field agent.max_climb
    refuse '{"polygon_max_vertices":2}' invalid_field polygon_max_vertices
    refuse '{"polygon_max_vertices":13}' invalid_field polygon_max_vertices
    refuse '{"tile_cells":-1}' invalid_field tile_cells
    refuse '{"tile_cells":1}' invalid_field tile_cells
    refuse '{"region_min_size":4294967296}' invalid_field region_min_size
    refuse '{"edge_max_error":-1}' invalid_field edge_max_error
    refuse '{"detail_sample_distance":0.5}' invalid_field detail_sample_distance
    refuse '{"partition":"voronoi"}' invalid_field partition
    refuse '{"filters":{"low_height":{"area":"crouch","min_height":1}}}' invalid_field filters.low_height.area
    refuse '{"areas":{"water":{"cost":0}}}' invalid_field areas.water.cost
    refuse '{"materials":{"Lava":"hot"}}' invalid_field materials.Lava
    refuse '{"volumes":[{"shape":"convex","points":[[0,0],[1]],"min_y":0,"max_y":1,"area":"none"}]}' invalid_field 'volumes[0].points'
    refuse '{"links":[{"start":[0,0,0]}]}' invalid_field 'links[0].end'
    refuse '{"bounds":{"min":[0,0,0],"max":[0,1,1]}}' invalid_field bounds.max
    refuse '{"colour":"red"}' unknown_field colour
}

bounds_of() { # limit text of the detail, at which refuse has just looked
    is "$(json .limit)" "$1"
    [[ $(json .detail) == *"$2" ]]
}

@test "a value out of range is told with the bound and in the setting's own words" {
    local ground='"start":[2,0,2],"end":[8,0,8]'
    refuse '{"region_min_size":-1}' invalid_field region_min_size
    bounds_of 0 'a whole number from 0 to 10000'
    refuse '{"region_merge_size":10001}' invalid_field region_merge_size
    bounds_of 10000 'a whole number from 0 to 10000'
    refuse '{"polygon_max_vertices":-1}' invalid_field polygon_max_vertices
    bounds_of 3 'a whole number from 3 to 12'
    refuse '{"tile_cells":-1}' invalid_field tile_cells
    bounds_of 0 'a whole number from 0 to 1024'
    # The number that stands for "auto" within is none that can be sent.
    refuse '{"tile_cells":4294967295}' invalid_field tile_cells
    bounds_of 1024 'a whole number from 0 to 1024'
    refuse "{\"links\":[{$ground,\"cost\":-1}]}" invalid_field 'links[0].cost'
    bounds_of 0 'a number from 0 to 1000000, or null'
    refuse "{\"links\":[{$ground,\"cost\":1e7}]}" invalid_field 'links[0].cost'
    bounds_of 1000000 'a number from 0 to 1000000, or null'
    refuse "{\"links\":[{$ground,\"cost\":\"1\"}]}" invalid_field 'links[0].cost'
    bounds_of null 'a number from 0 to 1000000, or null'
    refuse '{"query_filters":{"f":{"costs":{"ground":0}}}}' invalid_field query_filters.f.costs.ground
    bounds_of 1e-06 'a number from 1e-06 to 1000000'
    bake_mesh plain square.obj
    post_json /v1/meshes/plain/path '{"start":[2,0,2],"end":[8,0,8],"filter":{"costs":{"ground":2e6}}}'
    is_error 422 invalid_field
    is "$(json .at)" filter.costs.ground
    bounds_of 1000000 'a number from 1e-06 to 1000000'
}

@test "a volume's outline may be concave: an L marks its two arms, not the corner between them" {
    local outline='[[2,2],[18,2],[18,6],[6,6],[6,18],[2,18]]' mesh=/v1/meshes/m
    post_config "{\"areas\":{\"mud\":{}},\"volumes\":[{\"shape\":\"convex\",\"points\":$outline,\"min_y\":-1,\"max_y\":1,\"area\":\"mud\"}]}"
    is "$STATUS" 201
    is "$(area_of m 4,0,14) $(area_of m 14,0,4) $(area_of m 4,0,4) $(area_of m 14,0,14)" 'mud mud mud ground'
}

@test "settings that do not fit together or the level" {
    refuse '{"filters":{"low_height":{"area":"ground","min_height":2}}}' invalid_field filters.low_height.min_height
    refuse '{"volumes":[{"shape":"box","min":[0,0,0],"max":[-1,1,1],"area":"none"}]}' invalid_field 'volumes[0].max'
    refuse '{"bounds":{"min":[100,0,0],"max":[101,1,1]}}' mesh_empty bounds
    refuse '{"agent":{"radius":9000},"cell_size":0.001}' grid_too_large cell_size
    post_config '{"areas":{"a":{},"a":{}}}'
    is_error 400 bad_json
    is "$(json .at)" areas.a
    post_config '{}' 'areas=x'
    is_error 422 invalid_field
    ask /healthz
    is "$STATUS" 200
}

area_of() { # mesh point
    ask "/v1/meshes/$1/nearest?point=$2"
    json '.points[0].area'
}

@test "a material becomes an area, by setting or by its name" {
    bake_mesh shore shore.obj
    is "$(area_of shore 30,0,10)" ground
    gojq -n '{vertices:[[0,0,0],[0,0,20],[20,0,20],[20,0,0],[40,0,20],[40,0,0]],
        triangles:[[0,1,2],[0,2,3],[3,2,4],[3,4,5]],areas:["","","water","water"],
        config:{areas:{water:{cost:3}}}}' >shore.json
    bake_mesh shore shore.json application/json
    is "$(area_of shore 10,0,10)" ground
    [ "$(area_of shore 30,0,10)" != ground ]
    gojq '.areas[2:4] = ["W","W"] | .config.materials = {W:"none"}' shore.json >none.json
    bake_mesh shore none.json application/json
    ask '/v1/meshes/shore/nearest?point=30,0,10'
    is "$(json '.points | length')" 0
}

@test "a cut leaves a hole, wider by the agent's radius" {
    post_config '{"volumes":[{"shape":"box","min":[8,-1,8],"max":[12,1,12],"area":"none"}]}'
    is "$STATUS" 201
    ask '/v1/meshes/m/nearest?point=10,0,10&snap.horizontal=5'
    [ "$(json '.points[0].distance >= 2.5')" = true ]
    ask '/v1/meshes/m/nearest?point=10,0,10&snap.horizontal=1'
    is "$(json '.points | length')" 0
}

@test "bounds leave out what lies beyond them" {
    post_config '{"bounds":{"min":[0,-1,0],"max":[10,1,20]}}'
    is "$STATUS" 201
    [ "$(json '.stats.bounds.max[0] <= 10')" = true ]
    [ "$(json '.stats.bounds.max[2] > 18')" = true ]
}

@test "Z up: settings, questions, answers and bounds are the level's" {
    upload '/v1/meshes/z/versions?wait=1&coordinates=z_up' z_up.obj
    is "$STATUS" 201
    is "$(json .config.coordinates)" z_up
    [ "$(json '.stats.bounds.min[1] > 0 and .stats.bounds.max[1] < 20')" = true ]
    [ "$(json '.stats.bounds.max[2] < 1')" = true ]
    is "$(jq -c .geometry.bounds <<<"$BODY")" '{"min":[0,0,0],"max":[20,20,0]}'
    ask '/v1/meshes/z/path?start=3,4,0&end=15,16,0'
    is "$(json .status)" complete
    is "$(gojq -c '[.start[0:2], .end[0:2]]' <<<"$BODY")" '[[3,4],[15,16]]'
    ask '/v1/meshes/z/nearest?point=5,6,0.5'
    is "$(gojq -c '.points[0].position[0:2]' <<<"$BODY")" '[5,6]'
    ask '/v1/meshes/z/versions/1/render.svg?path=3,4,0,15,16,0'
    is "$STATUS" 200
    # It is so after a restart as well.
    stop_daemon
    start_daemon
    ask '/v1/meshes/z/path?start=3,4,0&end=15,16,0'
    is "$(gojq -c '[.status, .end[0:2]]' <<<"$BODY")" '["complete",[15,16]]'
}
