#!/usr/bin/env bats
# explain: why there is, or is no, mesh at a place, with the numbers of the stage that decided.

load helper

setup_file() {
    start_with z_up
    # Ground of 20 x 20 with a table of 1.55 in its middle, a ramp of 60 degrees, a plank of 2 cells high up, a pit that
    # a volume cuts, a gate that is closed, and a floor of lava beside it.
    cat >rooms.json <<'JSON'
{"vertices":[[0,0,0],[0,0,20],[20,0,20],[20,0,0], [8,1.55,8],[8,1.55,12],[12,1.55,12],[12,1.55,8],
             [15,0,2],[15,0,6],[17,3.4641,6],[17,3.4641,2], [15,6,15],[15,6,17],[17,6,17],[17,6,15],
             [20,0,0],[20,0,20],[24,0,20],[24,0,0]],
 "triangles":[[0,1,2],[0,2,3],[4,5,6],[4,6,7],[8,9,10],[8,10,11],[12,13,14],[12,14,15],[16,17,18],[16,18,19]],
 "areas":["ground","ground","ground","ground","ground","ground","ground","ground","none","none"],
 "config":{"cell_size":0.25,"cell_height":0.1,
           "volumes":[{"shape":"cylinder","center":[4,-1,4],"radius":1,"height":3,"area":"none"}],
           "switches":{"gate":{"shapes":[{"shape":"box","min":[1,-1,14],"max":[3,1,16]}],"default":"closed"}},
           "agents":{"rat":{"radius":0.1,"height":0.5,"max_climb":0.2,"max_slope":45}}}}
JSON
    bake_mesh rooms rooms.json application/json
    printf '{"vertices":[[0,0,0],[0,0,40],[40,0,40],[40,0,0],[50,0,0],[50,0,5],[55,0,5],[55,0,0]],"triangles":[[0,1,2],[0,2,3],[4,5,6],[4,6,7]],"config":{"tile_cells":32,"seeds":[[5,0,5]]}}' >seeded.json
    bake_mesh seeded seeded.json application/json
    ask /v1/meshes/rooms/versions/1/export?format=mset
    is "$STATUS" 200
    cp "$BATS_FILE_TMPDIR/body" tiles.bin
    upload '/v1/meshes/tiles/versions?wait=1' tiles.bin application/vnd.detour.mset
    is "$STATUS" 201
}

explained() { # mesh query, status reason sentence
    ask "/v1/meshes/$1/explain?$2"
    is "$STATUS" 200
    is "$(json '"\(.status) \(.reason)"')" "$3 $4"
    is "$(json .sentence)" "$5"
}

@test "each stage says why there is no mesh, and by how much it misses" {
    explained rooms point=10,0,10 none low_headroom \
        'There is only 1.4 of free room above the ground here; the agent needs more than 2 (agent.height).'
    explained rooms point=4,0,4 none cut 'The volume volumes[0] cuts the ground here.'
    explained rooms point=5.1,0,4 none eroded \
        'This place is 0.12 from ground that a volume cuts, and the agent keeps 0.6 away from that (agent.radius, which counts as 0.75 in cells of 0.25).'
    explained rooms point=16.1,2,4 none too_steep \
        'The ground here is 60 degrees steep; the agent walks on up to 45 (agent.max_slope).'
    explained rooms point=15.1,6,16 none ledge \
        'This place is a ledge: the ground beside it lies 6 lower, and the agent climbs 0.9 (agent.max_climb).'
    explained rooms point=0.1,0,10 none ledge \
        'This place is the rim of the ground: right beside it there is nothing to stand on (filters.ledges).'
    explained rooms point=22,0,10 none area_none \
        'The floor here is of the material "none", which is no ground (materials).'
}

@test "where there is mesh its polygon, island and clearance are told; a point high up is about the floor below" {
    explained rooms point=18,0,9 walkable null \
        'The agent can walk here: area ground, on island 1, 1.25 from where the mesh ends.'
    is "$(json '.mesh_place | [.area, .component, .clearance, .island.polygons > 1] | tojson')" '["ground",1,1.25,true]'
    is "$(json '.floors[.floor] | [.verdict, .mesh_height, .region.cells > 64] | tojson')" '["walkable",0.1,true]'
    local polygon
    polygon=$(json .mesh_place.polygon)
    ask '/v1/meshes/rooms/nearest?point=18,0,9'
    is "$(json '.points[0].polygon')" "$polygon"
    ask '/v1/meshes/rooms/explain?point=18,40,9'
    is "$(json '.sentence[0:47]')" 'The nearest floor lies 39.9 below this point. T'
    ask '/v1/meshes/rooms/explain?point=10,1.6,10'
    is "$(json '"\(.floor_count) \(.floor) \(.floors[1].verdict) \(.triangles.below | length > 1)"')" '2 0 low_headroom true'
}

@test "a switch that is closed, and an instance in which it is open or an obstacle stands there" {
    explained rooms point=2,0,15 closed switch_closed 'There is mesh here, but the switch "gate" shuts it.'
    ask /v1/meshes/rooms/instances/run -X PUT -H 'Content-Type: application/json' --data-binary \
        '{"switches":{"gate":"open"},"obstacles":{"cart":{"shape":"circle","center":[18,0,9],"radius":1,"height":2}}}'
    is "$STATUS" 201
    ask '/v1/meshes/rooms/explain?point=2,0,15&instance=run'
    is "$(json '"\(.status) \(.instance) \(.revision > 0) \(.floors[0].switches[0])"')" 'walkable run true gate'
    explained rooms 'point=18,0,9&instance=run' closed obstacle \
        'There is mesh here, but an obstacle of the instance stands on it.'
    ask '/v1/meshes/rooms/explain?point=2,0,15&instance=gone'
    is_error 404 instance_not_found
    is "$AT" instance
}

@test "another body has verdicts of its own" {
    ask '/v1/meshes/rooms/explain?point=10,0,10&agent=rat'
    is "$(json '"\(.status) \(.settings["agent.height"])"')" 'walkable 0.5'
    ask '/v1/meshes/rooms/explain?point=10,0,10&agent=cat'
    is_refused agent
}

@test "ground that no seed reaches, and a place without any triangle" {
    explained seeded point=52,0,2 none unseeded \
        'There is ground here, but it cannot be reached from any of the seeds, so it was left out (seeds).'
    explained seeded point=45,0,2 none no_triangles \
        'No triangle of the level touches this place: there is nothing to stand on.'
    is "$(json '"\(.floor) \(.floor_count) \(.triangle_count)"')" 'null 0 0'
}

@test "in the level's own coordinates" {
    explained z_up point=10,10,0 walkable null \
        'The agent can walk here: area ground, on island 1, 9.1 from where the mesh ends.'
    is "$(json '"\(.mesh_place.position[0:2])"')" '[10,10]'
    ask '/v1/meshes/z_up/explain?point=10,30,0'
    is_refused point
    is "$(json .detail)" 'the point lies beside the level, which reaches from x 0 to 20 and from y 0 to 20'
}

@test "a tile: what each stage left, and the region of each polygon" {
    ask '/v1/meshes/seeded/explain?tile=1,2'
    is "$STATUS" 200
    is "$(json '"\(.tile.x) \(.tile.z) \([.stages[].stage] | tojson)"')" \
        '1 2 ["voxelize","filter","erode","regions","contours","polygons","detail","tile"]'
    is "$(json '[.stages[0].spans, .stages[1].ground, .stages[2].ground, .stages[3].ground] | tojson')" '[1024,1024,1024,1024]'
    is "$(json '(.polygons | length) == .stages[5].polygons')" true
    is "$(json '.bounds | [.min[0], .max[0], .min[2], .max[2]] | tojson')" '[9.6,19.2,19.2,28.8]'
    ask '/v1/meshes/seeded/explain?tile=5,0'
    is "$(json '"\(.stages[5].polygons > 0) \(.polygons | length)"')" 'true 0'
    ask '/v1/meshes/seeded/explain?tile=6,0'
    is_refused tile
    is "$(json .detail)" 'the level has 6 x 5 tiles, from 0,0 to 5,4'
}

@test "what is no question, or no level, says so" {
    ask '/v1/meshes/rooms/explain'
    is_refused point
    ask '/v1/meshes/rooms/explain?point=1,0,1&tile=0,0'
    is_refused tile
    ask '/v1/meshes/rooms/explain?point=nan,0,1'
    is_refused 'point[0]'
    ask '/v1/meshes/rooms/explain?tile=0,-1'
    is_refused tile
    ask '/v1/meshes/rooms/explain?point=1,0,1&colour=red'
    is_error 422 unknown_field
    ask '/v1/meshes/rooms/explain?point=-1,0,1'
    is_refused point
    ask '/v1/meshes/nowhere/explain?point=1,0,1'
    is_error 404 mesh_not_found
    ask '/v1/meshes/rooms/explain?point=1,0,1&version=7'
    is_error 404 version_not_found
    ask '/v1/meshes/tiles/explain?point=1,0,1'
    is_error 409 no_geometry
    ask '/v1/meshes/rooms/explain?point=1,0,1' -X POST
    is_error 405 method_not_allowed
}

@test "a version that is not ready has nothing to explain" {
    city_obj 8 >city.obj
    upload '/v1/meshes/late/versions' city.obj
    is "$STATUS" 202
    ask '/v1/meshes/late/explain?point=1,0,1'
    is_error 409 version_not_ready
    ask /v1/meshes/late -X DELETE
}

@test "the same question has the same bytes, beside others and after a restart" {
    own_folder
    start_daemon
    "$MAKELEVEL" town >town.obj
    bake_mesh town town.obj
    local i first
    ask '/v1/meshes/town/explain?point=40,0,40'
    first=$BODY
    for i in 1 2 3 4; do
        curl -s "$BASE/v1/meshes/town/explain?point=40,0,40" >"answer.$i" &
    done
    wait $(jobs -p | grep -vx "$DAEMON_PID")
    for i in 1 2 3 4; do
        is "$(<answer.$i)" "$first"
    done
    stop_daemon
    start_daemon
    ask '/v1/meshes/town/explain?point=40,0,40'
    is "$BODY" "$first"
}

@test "a deadline, a full queue and a daemon that stops" {
    own_folder
    start_daemon --limit explain_queue=1
    city_obj 12 >city.obj
    upload '/v1/meshes/city/versions?wait=1&tile_cells=0' city.obj
    is "$STATUS" 201
    ask '/v1/meshes/city/explain?point=10,0,10&deadline_ms=1'
    is "$BODY" '{"mesh":"city","version":1,"reason":"deadline"}'
    # One is at work, one waits, the third is refused.
    local i refused=0
    for i in 1 2 3 4 5; do
        curl -s -o "reply.$i" -w '%{http_code}\n' "$BASE/v1/meshes/city/explain?point=10,0,10" >"code.$i" &
    done
    for ((i = 0; i < 250 * PATIENCE; i++)); do
        refused=$(cat code.? | grep -c 429) || true
        [ "$refused" -lt 1 ] || break
        sleep 0.02
    done
    [ "$refused" -ge 1 ]
    grep -l bake_queue_full reply.? >/dev/null
    # Queries are answered meanwhile.
    ask '/v1/meshes/city/nearest?point=10,0,10'
    is "$STATUS" 200
    stop_daemon
    is "$EXIT_CODE" 0
    is "$(cat code.? | sort -u | tr '\n' ' ' | grep -cE '^(200 )?429 (503 )?$')" 1
}

@test "with tokens it takes the scope bake" {
    own_folder
    printf 'bake %s\nquery %s\n' "$(printf 'b%.0s' {1..32})" "$(printf 'q%.0s' {1..32})" >tokens
    chmod 600 tokens
    start_daemon --token-file tokens
    bake_as=$(printf 'b%.0s' {1..32})
    upload '/v1/meshes/square/versions?wait=1' square.obj model/obj -H "Authorization: Bearer $bake_as"
    is "$STATUS" 201
    ask '/v1/meshes/square/explain?point=10,0,10' -H "Authorization: Bearer $bake_as"
    is "$STATUS" 200
    ask '/v1/meshes/square/explain?point=10,0,10' -H "Authorization: Bearer $(printf 'q%.0s' {1..32})"
    is_error 403 token_scope
}
