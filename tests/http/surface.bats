#!/usr/bin/env bats
# Questions about the surface around a place: floors, rays, steps, walls, random points, movement logs.

load helper

setup_file() {
    start_with islands z_up
    # A square with a second floor above its middle.
    cat >floors.json <<'JSON'
{"vertices":[[0,0,0],[0,0,20],[20,0,20],[20,0,0],[5,6,5],[5,6,15],[15,6,15],[15,6,5]],
 "triangles":[[0,1,2],[0,2,3],[4,5,6],[4,6,7]]}
JSON
    bake_mesh floors floors.json application/json
}

both_ways() { # query arguments json: GET and POST give the same bytes
    ask "$1?$2"
    is "$STATUS" 200
    local by_get=$BODY
    post_json "$1" "$3"
    is "$STATUS" 200
    is "$BODY" "$by_get"
}

@test "floors lists every floor at a column" {
    both_ways /v1/meshes/floors/floors 'x=10&z=10' '{"x":10,"z":10}'
    is "$(json '[.floors[].height | round] | tojson')" '[6,0]'
    is "$(json '.floors[0].area')" ground
    ask '/v1/meshes/floors/floors?x=2&z=2'
    is "$(json '.floors | length')" 1
    ask '/v1/meshes/floors/floors?x=50&z=2'
    is "$(json '.floors | length')" 0
    ask '/v1/meshes/floors/floors?x=5&y=2'
    is_refused z
    ask '/v1/meshes/z_up/floors?x=5&y=2'
    is "$(json '.floors[0].position[0:2] | tojson')" '[5,2]'
    ask '/v1/meshes/z_up/floors?x=5&z=2'
    is_error 422 invalid_field
}

@test "floors of a tower: all of them, however many" {
    gojq -nc '{vertices:[range(600)*3|[0,.,0],[0,.,5],[5,.,5],[5,.,0]],
             triangles:[range(600)*4|[.,.+1,.+2],[.,.+2,.+3]]}' >tower.json
    bake_mesh tower tower.json application/json
    ask '/v1/meshes/tower/floors?x=2&z=2'
    is "$(json '.floors | length')" 600
    is "$(json '[.floors[].height] | . == (sort | reverse)')" true
}

@test "floors where tiles and polygons meet: each once" {
    square_obj 30 >wide.obj
    upload '/v1/meshes/wide/versions?wait=1&tile_cells=16' wide.obj
    is "$STATUS" 201
    local place
    for place in 'x=4.8&z=7' 'x=4.8&z=4.8' 'x=9.6&z=14.4'; do
        both_ways /v1/meshes/wide/floors "$place" "$(sed 's/x=\(.*\)&z=\(.*\)/{"x":\1,"z":\2}/' <<<"$place")"
        is "$(json '[.floors[].height] | tojson')" '[0.2]'
    done
}

@test "a ray ends at the rim, with its normal, or arrives" {
    both_ways /v1/meshes/islands/raycast 'start=10,0,10&end=30,0,10' '{"start":[10,0,10],"end":[30,0,10]}'
    is "$(json '.hit, (.position[0] > 18.5 and .position[0] < 20), .normal[0]' | tr '\n' ' ')" 'true true -1 '
    is "$(json '(.cost - (.position[0] - 10) | fabs) < 0.001')" true
    is "$(json '(.t - .cost / 20 | fabs) < 0.001')" true
    ask '/v1/meshes/islands/raycast?start=10,0,10&end=12,0,14'
    is "$(json '.hit, .t, .normal' | tr '\n' ' ')" 'false 1 null '
    ask '/v1/meshes/islands/raycast?start=30,0,10&end=12,0,14'
    is "$STATUS" 200
    is "$(json '.reason, .position' | tr '\n' ' ')" 'start_off_mesh null '
    ask '/v1/meshes/z_up/raycast?start=10,10,0&end=10,40,0'
    is "$(json '.hit, .normal[1], .normal[2]' | tr '\n' ' ')" 'true -1 0 '
}

@test "a step slides along the rim and tells the polygons it went over" {
    both_ways /v1/meshes/islands/move 'start=18,0,10&end=21,0,12' '{"start":[18,0,10],"end":[21,0,12]}'
    is "$(json '(.position[2] - 12 | fabs) < 0.01 and .position[0] < 20 and .position[0] > 18.5')" true
    is "$(json '.visited[-1] == .polygon')" true
    ask '/v1/meshes/islands/move?start=10,0,10&end=10.5,0,10.25'
    is "$(json '.position | .[0], .[2]' | tr '\n' ' ')" '10.5 10.25 '
}

@test "the nearest wall" {
    both_ways /v1/meshes/islands/wall 'point=3,0,10' '{"point":[3,0,10]}'
    is "$(json '.hit, (.distance > 2 and .distance < 3), .normal[0]' | tr '\n' ' ')" 'true true 1 '
    ask '/v1/meshes/islands/wall?point=10,0,10&max_radius=2'
    is "$(json '.hit, .distance, .position' | tr '\n' ' ')" 'false 2 null '
    ask '/v1/meshes/islands/wall?point=10,0,10&max_radius=-1'
    is_error 422 invalid_field
    ask '/v1/meshes/islands/wall?point=30,0,10'
    is "$(json .reason)" point_off_mesh
}

@test "random points are the same for the same seed, and stay in the circle" {
    both_ways /v1/meshes/islands/random 'count=50&seed=4' '{"count":50,"seed":4}'
    local first=$BODY
    is "$(json '.points | length')" 50
    is "$(json '[.points[].position[0]] | any(. < 20) and any(. > 40)')" true
    ask '/v1/meshes/islands/random?count=50&seed=4'
    is "$BODY" "$first"
    ask '/v1/meshes/islands/random?count=50&seed=5'
    [ "$BODY" != "$first" ]
    is "$(json .seed)" 5
    # Without one each answer has its own, which gives the same again.
    ask '/v1/meshes/islands/random?count=3'
    local drawn=$BODY seed
    seed=$(json .seed)
    ask "/v1/meshes/islands/random?count=3&seed=$seed"
    is "$BODY" "$drawn"
    post_json /v1/meshes/islands/random '{"count":3}'
    [ "$(json .seed)" != "$seed" ]
    [ "$(json .points)" != "$(gojq -r .points <<<"$drawn")" ]
    ask '/v1/meshes/islands/random?count=50&seed=4&center=10,0,10&radius=3'
    is "$(json '[.points[].position | (.[0] - 10 | . * .) + (.[2] - 10 | . * .)] | max <= 9.01')" true
    ask '/v1/meshes/islands/random?radius=3'
    is_refused center
    ask '/v1/meshes/islands/random?count=1001'
    is_error 422 invalid_field
}

@test "a movement log is legal, or told where it is not" {
    post_json /v1/meshes/islands/trace '{"positions":[[2,0,2],[6,0,2],[6,0,9]],"times_ms":[0,1000,2750],"max_speed":4.5}'
    is "$STATUS" 200
    is "$(json '.legal, .step, .reason' | tr '\n' ' ')" 'true null null '
    post_json /v1/meshes/islands/trace '{"positions":[[2,0,2],[6,0,2],[6,0,9]],"times_ms":[0,1000,2000],"max_speed":4.5}'
    is "$(json '.legal, .step, .reason, .time_ms, .speed' | tr '\n' ' ')" 'false 2 too_fast 2000 7 '
    post_json /v1/meshes/islands/trace '{"positions":[[10,0,10],[50,0,10]]}'
    is "$(json '.step, .reason, (.position[0] < 20)' | tr '\n' ' ')" '1 gap true '
    post_json /v1/meshes/islands/trace '{"positions":[[10,0,10],[30,0,10]]}'
    is "$(json '.step, .reason' | tr '\n' ' ')" '1 off_mesh '
    post_json /v1/meshes/floors/trace '{"positions":[[10,0,10],[11,6,10]]}'
    is "$(json .reason)" wrong_floor
    post_json /v1/meshes/islands/trace '{"positions":[[10,0,10],[30,0,10]],"times_ms":[1]}'
    is_refused times_ms
    post_json /v1/meshes/islands/trace '{"positions":[[10,0,10]],"max_speed":3}'
    is_error 422 invalid_field
    post_json /v1/meshes/islands/trace '{"positions":[]}'
    is_error 422 invalid_field
}

@test "NaN, infinite and missing numbers are refused by name" {
    ask '/v1/meshes/islands/raycast?start=nan,0,0&end=1,0,0'
    is_refused 'start[0]'
    post_json /v1/meshes/islands/move '{"start":[0,0,1e999],"end":[0,0,0]}'
    is_error 422 invalid_field
    ask '/v1/meshes/islands/wall'
    is_refused point
    ask '/v1/meshes/islands/trace'
    is_error 405 method_not_allowed
}
