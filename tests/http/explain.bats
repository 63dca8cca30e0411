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
           "volumes":[{"shape":"cylinder","center":[4,-1,4],"radius":1,"height":3,"area":"none","id":"moat"}],
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

# A mesh of rectangles, each "x0 x1 z0 z1 y0 y1": y1 is its height at x1, and where x0 > x1 it faces down. CONFIG: its settings.
rooms_of() { # mesh, rectangles...
    local mesh=$1 number=0 vertices='' triangles='' r x0 x1 z0 z1 y0 y1
    shift
    for r in "$@"; do
        read -r x0 x1 z0 z1 y0 y1 <<<"$r"
        vertices+=",[$x0,$y0,$z0],[$x0,$y0,$z1],[$x1,$y1,$z1],[$x1,$y1,$z0]"
        triangles+=",[$number,$((number + 1)),$((number + 2))],[$number,$((number + 2)),$((number + 3))]"
        number=$((number + 4))
    done
    printf '{"vertices":[%s],"triangles":[%s],"config":{%s}}' \
        "${vertices#,}" "${triangles#,}" "${CONFIG-"\"cell_size\":0.25,\"cell_height\":0.1"}" >"$mesh.json"
    bake_mesh "$mesh" "$mesh.json" application/json
}

# Ground with a slab over a part of it, of cells as by default: its side stands where a cell begins, so that behind its top
# there is a cell that has the side alone.
roof_of() { # mesh low high
    CONFIG='' rooms_of "$1" '0 40 0 30 0 0' '40 0 0 30 -5 -5' "0 12 0 30 $3 $3" "12 0 0 30 $2 $2" "12 12 0 30 $2 $3"
}

# Asks for the way, and compares what lies between and what would join the two sides.
way() { # mesh end reason setting from to
    ask "/v1/meshes/$1/explain?start=2,0,5&end=$2"
    is "$STATUS" 200
    is "$(json '"\(.reason) \(.between.reason) \(.suggest.setting) \(.suggest.from) \(.suggest.to)"')" "unreachable $3 $4 $5 $6"
    # Once a trial joins them, the others are about less of the same.
    is "$(json '(.trials | length) <= 6 and ([.trials[] | select(.joins)] | map([.setting, .and.setting]) | unique | length) <= 1')" true
    is "$(json '.suggest == null or ([.trials[] | select(.joins)][-1] | .value) == .suggest.to')" true
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
    explained rooms point=4,0,4 none cut 'The volume "moat" (volumes[0]) cuts the ground here.'
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
    explained rooms point=2,0,15 closed switch_closed 'There is mesh here, but the switch "gate" is closed.'
    is "$(json .mesh_place.clearance)" 0
    ask /v1/meshes/rooms/instances/run -X PUT -H 'Content-Type: application/json' --data-binary \
        '{"switches":{"gate":"open"},"obstacles":{"cart":{"shape":"circle","center":[18,0,9],"radius":1,"height":2}}}'
    is "$STATUS" 201
    ask '/v1/meshes/rooms/explain?point=2,0,15&instance=run'
    is "$(json '"\(.status) \(.instance) \(.revision > 0) \(.floors[0].switches[0])"')" 'walkable run true gate'
    explained rooms 'point=18,0,9&instance=run' closed obstacle \
        'There is mesh here, but an obstacle of the instance stands on it.'
    is "$(json .mesh_place.clearance)" 0
    ask '/v1/meshes/rooms/explain?point=2,0,15&instance=gone'
    is_error 404 instance_not_found
    is "$AT" instance
}

@test "another body has verdicts of its own" {
    ask '/v1/meshes/rooms/explain?point=10,0,10&agent=rat'
    is "$(json '"\(.status) \(.settings["agents.rat.height"]) \(.settings | has("agent.height"))"')" 'walkable 0.5 false'
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
    is "$(json .detail)" 'the place lies beside the level, which reaches from x 0 to 20 and from y 0 to 20'
}

@test "why there is no way: what lies between the islands, and the one setting that joins them" {
    rooms_of step '0 10 0 10 0 0' '10 20 0 10 1.1 1.1' '10 10.001 0 10 0 1.1'
    way step 18,1.1,5 ledge agent.max_climb 0.9 1.1
    is "$(json .sentence)" 'The start is on island 1 and the end on island 2, which come within 2.07 of each other. Between them: This place is a ledge: the ground beside it lies 1.1 lower, and the agent climbs 0.9 (agent.max_climb). With agent.max_climb 1.1 instead of 0.9 they are joined.'
    is "$(json '[.islands.start.component, .islands.end.component, .islands.gap.distance] | tojson')" '[1,2,2.067]'
    rooms_of ramp '0 10 0 10 0 0' '10 12 0 10 0 2.4' '12 22 0 10 2.4 2.4'
    way ramp 20,2.4,5 too_steep agent.max_slope 45 50.2
    rooms_of door '0 20 0 10 0 0' '9 11 0 10 1.55 1.55'
    way door 18,0,5 low_headroom agent.height 2 1.3
    rooms_of bridge '0 10 0 10 0 0' '10 15 4.5 5.75 0 0' '15 25 0 10 0 0'
    way bridge 20,0,5 eroded agent.radius 0.6 0.25
    rooms_of river '0 10 0 10 0 0' '14 24 0 10 0 0'
    way river 20,0,5 no_triangles null null null
    is "$(json '.sentence | test("No single setting")')" true
}

@test "a step up to a slab is told as a step, not as its steep side, and the climb that joins them is found" {
    roof_of roof 1.6 1.8
    local between
    ask '/v1/meshes/roof/explain?start=20,0,20&end=6,2,6'
    is "$(json '[.between.reason, .suggest.setting, .suggest.from, .suggest.to] | tojson')" '["step","agent.max_climb",0.9,1.8]'
    between=$(json .between.sentence)
    is "$between" 'The ground on the side of the end lies 1.8 higher here than on that of the start, and the agent climbs 0.9 (agent.max_climb).'
    is "$(json '.sentence | split(". Between them: ")[1]')" "$between With agent.max_climb 1.8 instead of 0.9 they are joined."
    ask '/v1/meshes/roof/explain?start=6,2,6&end=20,0,20'
    is "$(json '"\(.between.sentence) \(.suggest.to)"')" 'The ground on the side of the end lies 1.8 lower here than on that of the start, and the agent climbs 0.9 (agent.max_climb). 1.8'
    upload '/v1/meshes/roof/versions?wait=1&agent.max_climb=1.8' roof.json application/json
    ask '/v1/meshes/roof/path?start=20,0,20&end=6,2,6'
    is "$(json .status)" complete
}

@test "islands one above the other: the step between them is told, and which side is the higher" {
    CONFIG='' rooms_of trench '0 18 0 30 0 0' '22 40 0 30 0 0' '18 22 0 30 -4 -4' '18 22 13 16 0 0'
    way trench 20,-4,5 step null null null
    is "$(json .between.sentence)" 'The ground on the side of the end lies 4 lower here than on that of the start, and the agent climbs 0.9 (agent.max_climb).'
    is "$(json '.untried | tojson')" '[{"setting":"agent.max_climb","value":4,"why":"own_height"}]'
    ask '/v1/meshes/trench/explain?start=20,-4,5&end=2,0,5'
    is "$(json .between.sentence)" 'The ground on the side of the end lies 4 higher here than on that of the start, and the agent climbs 0.9 (agent.max_climb).'
}

@test "an end that is put far above or below its place: how far, and why the agent cannot stand there" {
    roof_of under 1.6 1.8
    local end='The end was put 2 above the place asked, where the agent cannot stand: there is only 1.4 of free room above the ground here; the agent needs more than 2 (agent.height).'
    ask '/v1/meshes/under/explain?start=20,0,20&end=6,0,6'
    is "$(json '.end | tojson') $(json '.sentence | split(" The start is on")[0]')" "[6,2,6] $end"
    is "$(json '"\(.between.reason) \(.suggest.to)"')" 'step 1.8'
    ask '/v1/meshes/under/explain?start=8,2,8&end=6,0,6'
    is "$(json .sentence)" "$end There is a way from the start to the end."
    ask '/v1/meshes/under/explain?start=6,0,6&end=20,0,20'
    is "$(json '.sentence | startswith("The start was put 2 above the place asked, where the agent cannot stand: there is only 1.4 of")')" true
    # Of a place in the air there is no more to say; one at the ground is where it was asked.
    ask '/v1/meshes/under/explain?start=20,3.2,20&end=20,0,25&snap.down=4'
    is "$(json .sentence)" 'The start was put 3 below the place asked. There is a way from the start to the end.'
    ask '/v1/meshes/under/explain?start=20,0,20&end=20,0.9,25'
    is "$(json .sentence)" 'There is a way from the start to the end.'
    # Beside the level nothing is known.
    ask '/v1/meshes/under/explain?start=40.1,3.2,20&end=30,0,20&snap.down=4'
    is "$STATUS $(json .sentence)" '200 The start was put 3 below the place asked. There is a way from the start to the end.'
}

@test "room that is enough but for the cells that it is counted in is told as such, and finer cells do" {
    roof_of low 2.3 2.5
    explained low point=6,0,6 none low_headroom \
        'There is 2.3 of free room above the ground here, which counts as 2 in cells of 0.2 (cell_height); the agent needs more than 2 (agent.height). A smaller cell_height measures finer.'
    upload '/v1/meshes/low/versions?wait=1&cell_height=0.05' low.json application/json
    ask '/v1/meshes/low/explain?point=6,0,6'
    is "$(json .status)" walkable
    upload '/v1/meshes/low/versions?wait=1&agent.height=2.1' low.json application/json
    explained low point=6,0,6 none low_headroom \
        'There is 2.3 of free room above the ground here, which counts as 2 in cells of 0.2 (cell_height); the agent needs more than 2.1 (agent.height, which counts as 2.2). A smaller cell_height measures finer.'
    # No cells would do here.
    upload '/v1/meshes/low/versions?wait=1&agent.height=2.3' low.json application/json
    explained low point=6,0,6 none low_headroom \
        'There is only 2 of free room above the ground here; the agent needs more than 2.3 (agent.height).'
}

@test "what was tried, and what was left out and why, where no setting joins the two sides" {
    rooms_of stream '0 10 0 10 0 0' '14 24 0 10 0 0'
    way stream 20,0,5 no_triangles null null null
    is "$(json .sentence)" "The start is on island 1 and the end on island 2, which come within 6 of each other. Between them: No triangle of the level touches this place: there is nothing to stand on. No single setting that was tried joins them: $(json '[.trials[] | if .and then "nor \(.setting) \(.value) with \(.and.setting) \(.and.value)" else "\(.setting) \(.value)" end] | join(", ")')."
    is "$(json '"\(.trials | length > 0) \(.untried)"')" 'true []'
    rooms_of cliff '0 10 0 10 0 0' '10 20 0 10 2.4 2.4' '10 10.001 0 10 0 2.4'
    way cliff 18,2.4,5 ledge null null null
    is "$(json '.untried | tojson')" '[{"setting":"agent.max_climb","value":2.4,"why":"own_height"}]'
    is "$(json '.sentence | test("Left out: agent.max_climb 2.4 \\(nobody climbs a step of his own height\\)\\.$")')" true
    CONFIG='"tile_cells":32' rooms_of broad '0 10 0 200 0 0' '190 200 0 200 0 0' '10 190 0 200 -1.2 -1.2'
    way broad 195,0,5 step null null null
    is "$(json '"\(.trials) \(.untried | map(.why) | unique) \(.sentence | test("No setting was tried. Left out: .*too many tiles"))"')" '[] ["too_wide"] true'
}

@test "a sentence names both units where the level's is no metre: settings in metres, answers in its own" {
    CONFIG='"coordinates":{"axes":["x","y","z"],"scale":0.01}' rooms_of centimetres '0 1000 0 1000 0 0' '1000 2000 0 1000 110 110' '1000 1000.1 0 1000 0 110'
    ask '/v1/meshes/centimetres/explain?start=200,0,500&end=1800,110,500'
    is "$(json '.islands.gap.distance > 150')" true
    is "$(json .sentence)" "The start is on island 1 and the end on island 2, which come within $(json '.islands.gap.distance * 100 | round / 100') of the level's units ($(json '.islands.gap.distance | round / 100') m) of each other. Between them: This place is a ledge: the ground beside it lies 100 of the level's units (1 m) lower, and the agent climbs 0.9 m (agent.max_climb). With agent.max_climb 1 m instead of 0.9 m they are joined."
    ask '/v1/meshes/centimetres/explain?point=1950,110,500'
    is "$(json .sentence)" 'This place is 15 of the level'\''s units (0.15 m) from where the walkable ground ends, and the agent keeps 0.6 m away from that (agent.radius).'
}

@test "the examples of server/api/README.md are true of the town" {
    "$LEVEL_MAKER" town >readme.obj
    bake_mesh readme readme.obj
    explained readme point=39,0,7 none low_headroom 'There is only 1.6 of free room above the ground here; the agent needs more than 2 (agent.height).'
    ask '/v1/meshes/readme/explain?start=2,0,2&end=39,0,39'
    is "$(json '[.reason, .between.reason, .untried, .suggest] | tojson')" '["unreachable","ledge",[{"setting":"agent.max_climb","value":3,"why":"own_height"}],null]'
}

@test "an underside is called one" {
    rooms_of underside '0 10 0 10 0 0' '6 4 4 6 3 3'
    explained underside point=5,3,5 none faces_down \
        'This is an underside, or ground turned upside down: what is on top here faces down, and the corners of ground run counter-clockwise as seen from above.'
}

@test "the setting that is told joins the two sides in a bake of its own" {
    local mesh setting end
    for mesh in step ramp door bridge; do
        end=20,0,5
        [ "$mesh" != step ] || end=18,1.1,5
        [ "$mesh" != ramp ] || end=20,2.4,5
        ask "/v1/meshes/$mesh/explain?start=2,0,5&end=$end"
        setting=$(json '"\(.suggest.setting)=\(.suggest.to)"')
        upload "/v1/meshes/$mesh/versions?wait=1&$setting" "$mesh.json" application/json
        is "$STATUS" 201
        ask "/v1/meshes/$mesh/path?start=2,0,5&end=$end"
        is "$(json .status)" complete
    done
}

@test "on a slab of any thickness its top is meant by a point at it, or 1 cm above or below, and not the underside" {
    local slabs
    mapfile -t slabs < <(awk -v url="$BASE/v1/meshes/slabs/explain" 'BEGIN {
        count = split("0.1 0.15 0.2 0.25 0.3 0.35 0.4 0.5 1 1.5", thickness)
        tops = split("0 0.1 0.5 1 1.3", top)
        print -2, 3 * count * tops + 2, -2, 4, -4, -4
        for (i = 0; i < count * tops; i++) {
            x = 3 * i
            above = top[i % tops + 1]
            below = above - thickness[int(i / tops) + 1]
            print x, x + 2, 0, 2, above, above
            print x + 2, x, 0, 2, below, below
            for (off = -1; off <= 1; off++) {
                printf "url = \"%s?point=%s,%s,1\"\n", url, x + 1, above + off / 100 >"questions"
            }
        }
    }')
    CONFIG='"tile_cells":32' rooms_of slabs "${slabs[@]}"
    curl -s -w '\n' -K questions >answers
    is "$(jq -s 'length' answers)" 150
    is "$(jq -r 'select(.reason == "faces_down") | .point | tojson' answers)" ''
    is "$(jq -s 'map(.floors[.floor].height - .point[1] | . > -0.02 and . < 0.22) | all' answers)" true
}

# The sides of a block along z, its top and its underside, as rectangles.
block() { # x0 x1 z0 z1 y0 y1
    RECTANGLES+=("$1 $2 $3 $4 $6 $6" "$2 $1 $3 $4 $5 $5" "$1 $1.001 $3 $4 $5 $6" "$(($2 - 1)).999 $2 $3 $4 $6 $5")
}

@test "the way that is there with a setting is told, and not the narrowest place, where the islands lie one above the other" {
    local RECTANGLES=('0 30 0 30 0 0')
    block 15 25 8 22 2.6 2.8
    CONFIG='"agent":{"max_slope":30}' rooms_of ramp_up "${RECTANGLES[@]}" '12.44 15 13 17 0.5 2.5'
    way ramp_up 20,2.8,15 too_steep agent.max_slope 30 38
    is "$(json '"\(.suggest.just_fits) \(.untried | tojson)"')" 'true [{"setting":"agent.max_climb","value":2.8,"why":"own_height"}]'
    is "$(json '.sentence | split("Between them: ")[1]')" 'The ground here is 38 degrees steep; the agent walks on up to 30 (agent.max_slope). With agent.max_slope 38 instead of 30 they are joined.'
    CONFIG='' rooms_of ceiling "${RECTANGLES[@]}" '8 15 13 17 0 2.8' '9 13 12 18 3.6 3.6'
    way ceiling 20,2.8,15 low_headroom agent.height 2 1.2
    is "$(json .suggest.just_fits)" true
}

@test "two gaps in a row, elsewhere than at the narrowest place" {
    local RECTANGLES=('0 30 0 30 0 0')
    block 15 25 8 22 0.1 1.2
    block 18 22 24 28 0.1 0.4
    block 18 22 22 24 0.1 0.8
    CONFIG='"cell_size":0.1,"cell_height":0.1' rooms_of stairs "${RECTANGLES[@]}"
    jq '.config.agents={"rat":{"radius":0.2,"height":0.5,"max_climb":0.2}}' stairs.json >level.json
    bake_mesh stairs level.json application/json
    way stairs '20,1.2,15&agent=rat' ledge agents.rat.max_climb 0.2 0.4
    is "$(json .suggest.just_fits)" true
}

@test "two settings that only together join the islands" {
    CONFIG='' rooms_of two '0 10 0 10 0 0' '10 12 3 7 0 2.4' '12 16 3 7 2.4 2.4' '13 15 2 8 3.9 3.9' '16 26 0 10 2.4 2.4'
    way two 22,2.4,5 too_steep agent.max_slope 45 50.2
    is "$(json '.suggest | tojson')" '{"and":{"from":2,"setting":"agent.height","to":1},"from":45,"just_fits":false,"setting":"agent.max_slope","to":50.2}'
    is "$(json '.sentence | split("(agent.max_slope). ")[1]')" 'With agent.max_slope 50.2 instead of 45 and agent.height 1 instead of 2 they are joined: values that fit; less may do.'
    upload '/v1/meshes/two/versions?wait=1&agent.max_slope=50.2&agent.height=1' two.json application/json
    ask '/v1/meshes/two/path?start=2,0,5&end=22,2.4,5'
    is "$(json .status)" complete
}

@test "the least that joins the islands is told, and not what the ground on the line has; else that it is a value that fits" {
    # Two ramps side by side, the nearer of which is the steeper.
    CONFIG='' rooms_of ramps '0 10 0 20 0 0' '10 11.2 0 16 0 2.5' '11.2 12.2 0 16 2.5 2.5' '10 12.2 16 20 0 2.5' '12.2 30 0 20 2.5 2.5'
    way ramps 25,2.5,8 too_steep agent.max_slope 45 48.7
    is "$(json .suggest.just_fits)" true
    upload '/v1/meshes/ramps/versions?wait=1&agent.max_slope=48.6' ramps.json application/json
    ask '/v1/meshes/ramps/path?start=2,0,5&end=25,2.5,8'
    is "$(json .reason)" unreachable
    # Terrain has as many slopes as triangles.
    "$LEVEL_MAKER" terrain --size 48 >hills.obj
    upload '/v1/meshes/hills/versions?wait=1&agent.max_slope=20' hills.obj
    ask '/v1/meshes/hills/random?count=40&seed=1'
    json '.points[].position | map(tostring) | join(",")' >places
    local start end
    read -r start <places
    while read -r end; do
        ask "/v1/meshes/hills/explain?start=$start&end=$end"
        [ "$(json '.suggest.just_fits')" != false ] || break
    done <places
    is "$(json '"\(.suggest.setting) \(.suggest.just_fits) \(.sentence | endswith("they are joined: a value that fits; less may do."))"')" 'agent.max_slope false true'
    upload "/v1/meshes/hills/versions?wait=1&agent.max_slope=$(json .suggest.to)" hills.obj
    ask "/v1/meshes/hills/path?start=$start&end=$end"
    is "$(json .status)" complete
}

minus() { # number number
    awk -v from="$1" -v take="$2" 'BEGIN { print from - take }'
}

@test "of a step the climb that is told joins the two floors, and one of a cell less does not" {
    local step under to less
    for step in 0.5 0.7 0.95 1.1 1.2 1.3 1.5; do
        under=$(minus "$step" 0.3)
        CONFIG='"agent":{"max_climb":0.2}' rooms_of climb '0 10 0 10 0 0' '10 0 0 10 -1.5 -1.5' "10 20 0 10 $step $step" \
            "20 10 0 10 $under $under" "10 10.001 0 10 $under $step"
        ask "/v1/meshes/climb/explain?start=2,0,5&end=18,$step,5"
        is "$(json '"\(.reason) \(.suggest.setting) \(.between.reason == "faces_down")"')" 'unreachable agent.max_climb false'
        to=$(json .suggest.to)
        less=$(minus "$to" 0.2)
        upload "/v1/meshes/climb/versions?wait=1&agent.max_climb=$to" climb.json application/json
        ask "/v1/meshes/climb/path?start=2,0,5&end=18,$step,5"
        is "$step $to $(json .status)" "$step $to complete"
        upload "/v1/meshes/climb/versions?wait=1&agent.max_climb=$less" climb.json application/json
        ask "/v1/meshes/climb/path?start=2,0,5&end=18,$step,5"
        is "$step $less $(json .reason)" "$step $less unreachable"
    done
}

@test "of another body it is that body's setting which is told, and which joins the two sides" {
    rooms_of rats '0 10 0 10 0 0' '10 15 4.5 5.75 0 0' '15 25 0 10 0 0'
    jq '.config.agents={"rat":{"radius":0.6,"height":1}}' rats.json >level.json
    bake_mesh rats level.json application/json
    way rats '20,0,5&agent=rat' eroded agents.rat.radius 0.6 0.25
    is "$(json '.sentence | test("\\(agents.rat.radius, .* With agents.rat.radius 0.25 instead of 0.6 they are joined")')" true
    jq '.config.agents.rat.radius=0.25' level.json >thin.json
    bake_mesh rats thin.json application/json
    ask '/v1/meshes/rats/path?start=2,0,5&end=20,0,5&agent=rat'
    is "$(json .status)" complete
}

@test "a way that is there, one that a switch or an obstacle closes, and ends that are off the mesh" {
    ask '/v1/meshes/rooms/explain?start=2,0,9&end=18,0,15'
    is "$(json '"\(.status) \(.reason) \(.sentence)"')" 'complete null There is a way from the start to the end.'
    printf '{"vertices":[[0,0,0],[0,0,10],[30,0,10],[30,0,0]],"triangles":[[0,1,2],[0,2,3]],"config":{"switches":{"gate":{"shapes":[{"shape":"box","min":[14,-1,-1],"max":[16,1,11]}],"default":"closed"}}}}' >hall.json
    bake_mesh hall hall.json application/json
    ask '/v1/meshes/hall/explain?start=2,0,5&end=28,0,5'
    is "$(json '"\(.reason) \(.blocked_by | tojson) \(.sentence)"')" 'blocked ["gate"] The way is closed by the switch "gate".'
    ask /v1/meshes/hall/instances/run -X PUT -H 'Content-Type: application/json' --data-binary \
        '{"switches":{"gate":"open"},"obstacles":{"wall":{"shape":"box","min":[20,-1,-1],"max":[22,3,11]}}}'
    is "$STATUS" 201
    ask '/v1/meshes/hall/explain?start=2,0,5&end=28,0,5&instance=run'
    is "$(json '"\(.reason) \(.blocked_by | tojson) \(.sentence)"')" 'blocked ["wall"] The obstacle "wall" stands in the way.'
    ask '/v1/meshes/rooms/explain?start=2,0,9&end=22,0,10&snap.horizontal=0.5'
    is "$(json '"\(.reason) \(.between.reason)"')" 'end_off_mesh area_none'
    ask '/v1/meshes/rooms/explain?start=-9,0,9&end=18,0,15'
    is_refused start
    ask '/v1/meshes/rooms/explain?start=2,0,9'
    is_refused end
    ask '/v1/meshes/rooms/explain?end=2,0,9&point=1,0,1'
    is_refused point
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

@test "the level that is kept is that of the version, also where its name comes again" {
    square_obj 20 >again.obj
    bake_mesh again again.obj
    ask '/v1/meshes/again/explain?point=30,0,30'
    is_refused point
    explained rooms point=4,0,4 none cut 'The volume "moat" (volumes[0]) cuts the ground here.'
    ask /v1/meshes/again -X DELETE
    is "$STATUS" 204
    square_obj 40 >again.obj
    bake_mesh again again.obj
    ask '/v1/meshes/again/explain?point=30,0,30'
    is "$(json '"\(.version) \(.status)"')" '2 walkable'
    ask /v1/meshes/again -X DELETE
    square_obj 20 >again.obj
    bake_mesh again again.obj
    ask '/v1/meshes/again/explain?point=30,0,30'
    is_refused point
}

@test "a version that is not ready has nothing to explain" {
    city_obj 8 >city.obj
    upload '/v1/meshes/late/versions' city.obj
    is "$STATUS" 202
    ask '/v1/meshes/late/explain?point=1,0,1'
    is_error 409 version_not_ready
    ask /v1/meshes/late -X DELETE
}

@test "the strip of the level that is narrower than a cell has the last cell's answer" {
    rooms_of strip '0 20.1 0 20.1 0 0' # 80 cells of 0.25, and 0.1 m
    ask '/v1/meshes/strip/explain?point=20.05,0,10'
    is "$STATUS $(json .status)" '200 none'
    local reason
    reason=$(json .reason)
    ask '/v1/meshes/strip/explain?point=19.9,0,10'
    is "$(json .reason)" "$reason"
    ask '/v1/meshes/strip/explain?start=2,0,2&end=20.05,0,10&snap.horizontal=0.01'
    is "$STATUS $(json .reason)" '200 end_off_mesh'
    ask '/v1/meshes/strip/explain?point=20.2,0,10'
    is_refused point
}

@test "the same question has the same bytes, beside others and after a restart" {
    own_folder
    start_daemon
    "$LEVEL_MAKER" town >town.obj
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

# A daemon of the test's own with a city, baked once for the file.
start_with_city() { # [daemon options]
    local baked=$BATS_FILE_TMPDIR/city.db
    own_folder
    [ ! -e "$baked" ] || cp "$baked" "$DB"
    start_daemon "$@"
    [ -e "$baked" ] || {
        city_obj 12 >city.obj
        upload '/v1/meshes/city/versions?wait=1&tile_cells=0' city.obj
        is "$STATUS" 201
        sqlite3 "$DB" ".backup $baked"
    }
}

# Of five questions each has been answered, or is within the daemon, and one was refused.
all_five_are_in() {
    local answered
    ask /v1/status
    answered=$(cat code.? | wc -l)
    [ $(($(json .connections) - 1 + answered)) -ge 5 ] && grep -q 429 code.?
}

@test "a deadline, a full queue and a daemon that stops" {
    start_with_city --limit explain_queue=1
    ask '/v1/meshes/city/explain?point=10,0,10&deadline_ms=1'
    is "$BODY" '{"mesh":"city","version":1,"reason":"deadline"}'
    # One is at work, one waits, the third is refused.
    local i asking=()
    for i in 1 2 3 4 5; do
        curl -s -o "reply.$i" -w '%{http_code}\n' "$BASE/v1/meshes/city/explain?point=10,0,10" >"code.$i" &
        asking+=($!)
    done
    wait_for all_five_are_in
    grep -l bake_queue_full reply.? >/dev/null
    # Queries are answered meanwhile.
    ask '/v1/meshes/city/nearest?point=10,0,10'
    is "$STATUS" 200
    stop_daemon
    is "$EXIT_CODE" 0
    wait "${asking[@]}"
    # The one at work was cancelled, or the one behind it dropped.
    is "$(cat code.? | sort -u | tr '\n' ' ' | grep -cE '^(200 )?429 503 $')" 1
}

@test "whoever waits to the deadline is answered then, whatever the one at work does" {
    start_with_city
    curl -s -o first "$BASE/v1/meshes/city/explain?point=10,0,10" &
    pause 0.05
    ask '/v1/meshes/city/explain?point=10,0,10&deadline_ms=50'
    is "$BODY" '{"mesh":"city","version":1,"reason":"deadline"}'
    [ ! -s first ]
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
