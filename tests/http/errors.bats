#!/usr/bin/env bats
# An error knows the fix: the name that was probably meant, and what there is at an address that is none.

load helper

setup_file() {
    start_with square islands z_up
    ask /v1/meshes/square/versions?wait=1 -X POST -H 'Content-Type: application/json' --data-binary @- <<JSON
{"vertices":[0,0,0,0,0,20,20,0,20,20,0,0],"triangles":[0,1,2,0,2,3],"config":{
 "areas":{"water":{"cost":3,"flags":["swim"]}},"agents":{"rat":{"radius":0.2,"height":0.5,"max_climb":0.2,"max_slope":45}},
 "switches":{"north_gate":{"shapes":[{"shape":"box","min":[9,-1,-1],"max":[11,2,21]}]}},
 "query_filters":{"boat":{"costs":{"water":1}}}}}
JSON
    is "$STATUS" 201
}

# The last reply suggests this, in its sentence and as a member.
suggests() { # status code name
    is "$STATUS" "$1"
    is "$(json .code)" "$2"
    is "$(json .suggest)" "$3"
    [[ $(json .detail) == *"did you mean "*"$3"*\?* ]] || is "$(json .detail)" "did you mean $3?"
}

VERTICES='"vertices":[0,0,0,0,0,20,20,0,20,20,0,0],"triangles":[0,1,2,0,2,3]'
WHERE='start=2,0,2&end=18,0,18'

@test "a setting is known by its spelling, by the words of others and in spite of a slip" {
    local row
    for row in cellSize:cell_size cs:cell_size agentRadius:agent.radius radius:agent.radius walkableClimb:agent.max_climb \
        agentMaxClimb:agent.max_climb maxSlope:agent.max_slope tileSize:tile_cells cell_szie:cell_size offMeshConnections:links; do
        post_json /v1/meshes/m/versions "{$VERTICES,\"config\":{\"${row%:*}\":1}}"
        suggests 422 unknown_field "${row#*:}"
        is "$(json .at)" "${row%:*}"
        ask "/v1/meshes/m/versions?${row%:*}=1" -X POST -H 'Content-Type: model/obj' --data-binary @square.obj
        suggests 422 unknown_field "${row#*:}"
    done
    post_json /v1/meshes/m/versions "{$VERTICES,"'"config":{"agent":{"agentRadius":1}}}'
    suggests 422 unknown_field radius
    is "$(json .at)" agent.agentRadius
    # A name with a dot is for arguments.
    post_json /v1/meshes/m/versions "{$VERTICES,"'"config":{"agent.radius":1}}'
    is_error 422 unknown_field
    [[ $(json .detail) == *'JSON has {"agent":{"radius":'* ]]
    post_json /v1/meshes/m/versions "{$VERTICES,"'"config":{"volumes":[{"shape":"cylinder","pos":[0,0,0]}]}}'
    suggests 422 unknown_field center
    ask "/v1/meshes/m/versions?partition=watersched" -X POST -H 'Content-Type: model/obj' --data-binary @square.obj
    suggests 422 invalid_field watershed
    ask "/v1/meshes/m/versions?coordinates=Z-up" -X POST -H 'Content-Type: model/obj' --data-binary @square.obj
    suggests 422 invalid_field z_up
}

@test "an argument of an upload that is none: those that there are" {
    ask "/v1/meshes/m/versions?gravity=1" -X POST -H 'Content-Type: model/obj' --data-binary @square.obj
    is_error 422 unknown_field
    is "$(json .suggest)" null
    [[ $(json .detail) == *'there are wait, activate, reuse, force, require_checks, strict, '*' and '*' more' ]]
    ask "/v1/meshes/m/versions?Wait=1" -X POST -H 'Content-Type: model/obj' --data-binary @square.obj
    suggests 422 unknown_field wait
    post_json /v1/meshes/m/versions '{"verts":[],"triangles":[]}'
    suggests 422 unknown_field vertices
}

@test "a member or argument of a question" {
    ask '/v1/meshes/square/path?from=2,0,2&to=18,0,18'
    suggests 422 unknown_field start
    post_json /v1/meshes/square/path '{"start":[2,0,2],"to":[18,0,18]}'
    suggests 422 unknown_field end
    post_json /v1/meshes/square/paths '{"queries":[{"start":[2,0,2],"goal":[18,0,18]}]}'
    suggests 422 unknown_field end
    is "$(json .at)" 'queries[0].goal'
    ask '/v1/meshes/square/nearest?position=2,0,2'
    suggests 422 unknown_field point
    ask "/v1/meshes/square/path?$WHERE&search=shortest"
    suggests 422 invalid_field exact
    post_json /v1/meshes/square/batch '{"queries":[{"kind":"rayCast","start":[2,0,2],"end":[3,0,3]}]}'
    suggests 422 invalid_field raycast
    post_json /v1/meshes/square/path '{"start":[2,0,2],"end":[3,0,3],"avoid":[{"shape":"cylinder","center":[9,0,9],"radius":1}]}'
    suggests 422 invalid_field circle
}

@test "a name that the version does not have" {
    ask "/v1/meshes/square/path?$WHERE&agent=rats"
    suggests 422 invalid_field rat
    ask "/v1/meshes/square/path?$WHERE&filter=baot"
    suggests 422 invalid_field boat
    post_json /v1/meshes/square/path '{"start":[2,0,2],"end":[3,0,3],"filter":{"costs":{"Water":2}}}'
    suggests 422 invalid_field water
    post_json /v1/meshes/square/path '{"start":[2,0,2],"end":[3,0,3],"filter":{"exclude":["swimm"]}}'
    suggests 422 invalid_field swim
    post_json /v1/meshes/square/instances/run '{"switches":{"northGate":"closed"}}' -X PUT
    suggests 422 invalid_field north_gate
    post_json /v1/meshes/square/instances/run '{"switches":{"north_gate":"close"}}' -X PUT
    suggests 422 invalid_field closed
    post_json /v1/meshes/square/instances/run '{"area_costs":{"watr":3}}' -X PUT
    suggests 422 invalid_field water
    post_json /v1/meshes/square/instances/run '{"doors":{}}' -X PUT
    suggests 422 unknown_field switches
    post_json /v1/meshes/m/versions "{$VERTICES,"'"config":{"areas":{"mud":{"cost":2}},"materials":{"M":"Mudd"}}}'
    suggests 422 invalid_field mud
    post_json /v1/meshes/m/versions "{$VERTICES,"'"config":{"switches":{"gate":{}},"links":[{"start":[0,0,0],"end":[1,0,0],"switch":"gat"}]}}'
    suggests 422 invalid_field gate
}

@test "a mesh that is not there" {
    ask "/v1/meshes/sqare/path?$WHERE"
    suggests 404 mesh_not_found square
    post_json /v1/meshes/Square/nearest '{"point":[2,0,2]}'
    suggests 404 mesh_not_found square
    ask /v1/meshes/iland/versions
    suggests 404 mesh_not_found islands
    ask /v1/meshes/zup -X DELETE
    suggests 404 mesh_not_found z_up
    ask "/v1/meshes/dungeon/path?$WHERE"
    is_error 404 mesh_not_found
    is "$(json .suggest)" null
    # One that was removed is meant no more.
    ask /v1/meshes/gone/versions?wait=1 -H 'Content-Type: model/obj' --data-binary @square.obj
    is "$STATUS" 201
    ask "/v1/meshes/gon/path?$WHERE"
    suggests 404 mesh_not_found gone
    ask /v1/meshes/gone -X DELETE
    is "$STATUS" 204
    ask "/v1/meshes/gon/path?$WHERE"
    is "$(json .suggest)" null
}

@test "an address that is not there lists what there is, and tells the one that is near" {
    local row
    for row in /v1/meshes/square/pth:/v1/meshes/{mesh}/path /path:/v1/meshes/{mesh}/path /health:/healthz \
        /v1/mesh/square/path:/v1/meshes/{mesh}/path /status:/v1/status /v1/meshs/:/v1/meshes \
        /v1/meshes/square/version/1:/v1/meshes/{mesh}/versions/{version}; do
        ask "${row%%:*}"
        suggests 404 route_not_found "${row#*:}"
    done
    ask /wp-login.php
    is_error 404 route_not_found
    is "$(json .suggest)" null
    is "$(json '.routes[] | select(.path == "/v1/meshes/{mesh}/path") | .methods | join(" ")')" 'GET POST'
    local listed
    listed=$(json '.routes | length')
    ask /openapi.json
    is "$(json '.paths | length')" "$listed"
    ask / -H 'Accept: application/json'
    is "$STATUS" 200
    is "$(json '.name, .description' | tr '\n' ' ')" 'navmeshd /openapi.json '
    is "$(json '.routes | length')" "$listed"
    ask / -X POST -d x
    is_error 405 method_not_allowed
    is "$(header Allow)" 'GET, HEAD'
    [[ $(json .detail) == *'GET, HEAD'* ]]
}

@test "a command, and an argument that is written as an option" {
    run -2 "$NAVMESHD" bakk --db x.db
    [[ $output == *'bakk: there is no such command; did you mean "bake"?'* ]]
    run -2 "$NAVMESHD" town.obj
    [[ $output == *'town.obj: there is no such command'* ]]
    run -2 "$NAVMESHD" export --db x.db --mesh town --format=obj
    [[ $output == *'--format=obj: there is no such option; an argument has no dashes: format=VALUE'* ]]
    run -2 "$NAVMESHD" bake --db x.db --mesh town=town.obj --cell_size 0.2
    [[ $output == *'--cell_size: there is no such option; an argument has no dashes: cell_size=VALUE'* ]]
    run -2 "$NAVMESHD" verify --db x.db --format obj # takes no arguments
    [[ $output == *'--format: there is no such option'* && $output != *VALUE* ]]
}

@test "the part of a form that is called otherwise" {
    square_obj 20 >square.obj
    local name
    for name in file mesh level model; do
        ask /v1/meshes/form/versions -X POST -F "$name=@square.obj"
        is_error 422 unknown_field
        is "$(json .suggest)" geometry
    done
}

@test "an option, and a key of the configuration file" {
    local code=0
    "$NAVMESHD" --listn 127.0.0.1:0 --db x.db 2>told || code=$?
    is "$code" 2
    grep -q -- '--listn: there is no such option; did you mean "--listen"?' told
    code=0
    "$NAVMESHD" --port 1 --db x.db 2>told || code=$?
    grep -q -- '--port: there is no such option; did you mean "--listen"?' told
    code=0
    "$NAVMESHD" --listen 7650 --db x.db 2>told || code=$?
    grep -qx -- 'navmeshd: --listen 7650: write ADDR:PORT or unix:PATH' told
    echo '{"log_levle": "warn"}' >config.json
    code=0
    "$NAVMESHD" --config config.json --check 2>told || code=$?
    grep -q 'log_levle: there is no such option; did you mean "log_level"?' told
    code=0
    "$NAVMESHD" --log-level warm --db x.db 2>told || code=$?
    grep -q 'did you mean "warn"?' told
    code=0
    "$NAVMESHD" --limit query_mss=1 --db x.db 2>told || code=$?
    grep -q 'did you mean "query_ms"?' told
}

# The last reply says why, and that the mesh is so far off in that direction.
is_off() { # reason distance direction
    is "$STATUS" 200
    is "$(json .reason)" "$1"
    is "$(json '.nearest | "\(.distance * 10 | round / 10) \(.direction | map(round) | join(","))"')" "$2 $3"
}

@test "a point off the mesh says how far the mesh is and in which direction, whatever is asked" {
    local off='start=10,0,120' row
    ask "/v1/meshes/square/path?$off&end=10,0,10"
    is_off start_off_mesh 100.8 0,0,-1
    # The place is on the mesh: asked from there, there is a way.
    ask "/v1/meshes/square/path?start=$(json '.nearest.position | join(",")')&end=10,0,10"
    is "$(json '.status, .nearest' | tr '\n' ' ')" 'complete null '
    ask '/v1/meshes/square/path?start=10,0,10&end=10,50,10'
    is_off end_off_mesh 49.8 0,-1,0
    ask "/v1/meshes/square/raycast?$off&end=10,0,10"
    is_off start_off_mesh 100.8 0,0,-1
    ask "/v1/meshes/square/move?$off&end=10,0,10"
    is_off start_off_mesh 100.8 0,0,-1
    ask "/v1/meshes/square/flood?$off&max_cost=5"
    is_off start_off_mesh 100.8 0,0,-1
    ask '/v1/meshes/square/wall?point=-30,0,10'
    is_off point_off_mesh 30.9 1,0,0
    ask '/v1/meshes/square/nearest?point=-30,0,10'
    is "$(json '.points | length')" 0
    is_off null 30.9 1,0,0
    ask '/v1/meshes/square/random?center=-30,0,10&radius=3'
    is_off null 30.9 1,0,0
    post_json /v1/meshes/square/trace '{"positions":[[10,0,10],[10,0,120]]}'
    is_off off_mesh 100.8 0,0,-1
    post_json /v1/meshes/square/paths '{"queries":[{"start":[10,0,120],"end":[1,0,1]},{"start":[2,0,2],"end":[3,0,3]}]}'
    is "$(json '.results | map(.nearest.direction | if . then map(round) else . end) | tostring')" '[[0,0,-1],null]'
    # In the level's own axes: level y is mesh -z.
    ask '/v1/meshes/z_up/path?start=10,120,0&end=10,10,0'
    is_off start_off_mesh 100.9 0,-1,0
    # Nothing within two kilometres, and nothing to tell.
    ask '/v1/meshes/square/path?start=10,0,9000&end=10,0,10'
    is "$(json '.reason, has("nearest")' | tr '\n' ' ')" 'start_off_mesh false '
}

@test "what is unreachable names both islands and the narrow place between them" {
    ask '/v1/meshes/islands/path?start=3,0,3&end=57,0,17'
    is "$(json .reason)" unreachable
    [ "$(json '.islands.start.component != .islands.end.component')" = true ]
    is "$(json '.islands.gap | "\(.distance | round) \(.from[0] | round) \(.to[0] | round)"')" '22 19 41'
    is "$(json '.islands.start | keys | join(" ")')" component
    local start
    start=$(json .islands.start.component)
    ask '/v1/meshes/islands/nearest?point=3,0,3'
    is "$(json '.points[0].component')" "$start"
    ask '/v1/meshes/islands/path?start=3,0,3&end=57,0,17&details=islands'
    is "$(json '.islands.start | keys | join(" ")')" 'component polygons walkable_area'
    is "$(json '.islands | [.start, .end] | map(.walkable_area > 330 and .walkable_area < 340) | all')" true
    is "$(json 'has("details")')" false
    # In a batch where it is asked for: it may have thousands.
    post_json /v1/meshes/islands/paths '{"queries":[{"start":[3,0,3],"end":[57,0,17]},{"start":[3,0,3],"end":[57,0,17],"details":["islands"]}]}'
    is "$(json '.results | map(has("islands")) | tostring')" '[false,true]'
    ask '/v1/meshes/islands/path?start=3,0,3&end=17,0,17&details=islands'
    is "$(json '.status, has("islands")' | tr '\n' ' ')" 'complete false '
}
