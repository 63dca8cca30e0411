#!/usr/bin/env bats
# An instance is the state of a world at run time: kept by name, changed part by part, and asked by every
# question; its answers are those of the same shapes as `avoid`.

load helper

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    printf '%s\n' 'query  query-token-0123456789' 'bake  bake-token-0123456789' 'world  world-token-0123456789' \
        'admin  admin-token-0123456789' >tokens
    chmod 600 tokens
}

# A daemon a test, since revisions begin above those of instances that have gone.
setup() {
    own_database
    start_with square
}

WALK='"start":[3,0,10],"end":[17,0,10]'
CART='{"shape":"circle","center":[10,0,10],"radius":2}'
WALL='{"shape":"box","min":[9,-1,-5],"max":[11,1,25]}'
M=/v1/meshes/square
I=$M/instances

is_gone() { # name
    ask "$I/$1"
    [ "$STATUS" = 404 ]
}

put() { # name json [curl options]
    local name=$1 body=$2
    shift 2
    ask "$I/$name" -X PUT -H 'Content-Type: application/json' -d "$body" "$@"
}

patch() { # name json [curl options]
    local name=$1 body=$2
    shift 2
    ask "$I/$name" -X PATCH -H 'Content-Type: application/json' -d "$body" "$@"
}

@test "an instance is made, read, changed part by part, listed and removed" {
    put run-17 "{\"obstacles\":{\"cart-1\":$CART,\"log\":{\"shape\":\"capsule\",\"start\":[1,0,1],\"end\":[2,0,1.5],\"radius\":0.5,\"cost\":4}},
        \"area_costs\":{\"ground\":2}}"
    is "$STATUS" 201
    is "$(header Location)" "$I/run-17"
    is "$(header ETag)" '"1"'
    is "$(json '"\(.mesh) \(.version) \(.instance) \(.revision) \(.pinned) \(.missing)"')" 'square 1 run-17 1 false []'
    ask "$I/run-17"
    is "$(header ETag)" '"1"'
    is "$(json '.obstacles | keys | join(" ")')" 'cart-1 log'
    is "$(json '.obstacles["cart-1"] | tojson')" '{"blocked":true,"center":[10,0,10],"radius":2,"shape":"circle"}'
    is "$(json '.obstacles.log | tojson')" '{"cost":4,"end":[2,0,1.5],"radius":0.5,"shape":"capsule","start":[1,0,1]}'
    is "$(json '"\(.switches) \(.area_costs) \(.misfits) \(.expires_in_s) \(.expires_at)"')" '{} {"ground":2} [] null null'
    # null takes a part away; what is not there is listed, and no error.
    patch run-17 '{"obstacles":{"log":null,"nothing":null,"box":{"shape":"box","min":[1,0,1],"max":[2,1,2],"yaw":30}},"area_costs":{"mud":null},
        "switches":{"gate":null}}'
    is "$STATUS" 200
    is "$(json '"\(.revision) \(.missing)"')" '2 ["switches.gate","obstacles.nothing","area_costs.mud"]'
    ask "$I/run-17"
    is "$(json '.obstacles | keys | join(" ")')" 'box cart-1'
    is "$(json '.obstacles.box.yaw')" 30
    # PUT replaces, and goes on counting.
    put run-17 '{}'
    is "$STATUS $(json .revision)" '200 3'
    ask "$I/run-17"
    is "$(json '.obstacles, .area_costs | tojson' | tr '\n' ' ')" '{} {} '
    for name in a b c; do put "$name" '{}'; done
    ask "$I?limit=2"
    is "$(json '"\([.instances[].instance]) \(.next)"')" '["a","b"] b'
    ask "$I?limit=2&after=b"
    is "$(json '"\([.instances[].instance]) \(.next)"')" '["c","run-17"] null'
    for name in a b c run-17; do
        ask "$I/$name" -X DELETE
        is "$STATUS" 204
    done
    ask "$I/run-17"
    is_error 404 instance_not_found
    ask "$I/run-17" -X DELETE
    is_error 404 instance_not_found
    ask "$M/path?start=3,0,10&end=17,0,10&instance=run-17"
    is_error 404 instance_not_found
}

@test "a switch whose shapes touch no ground is warned of" {
    local config='{"switches":{"high":{"shapes":[{"shape":"box","min":[9,5,9],"max":[11,6,11]}]},"empty":{},
        "gate":{"shapes":[{"shape":"box","min":[9,-1,-1],"max":[11,2,21]}]}}}'
    ask "/v1/meshes/mistyped/versions?wait=1" -X POST -F geometry=@square.obj -F "config=$config;type=application/json"
    is "$STATUS" 201
    is "$(json '.warnings | tojson')" '[{"code":"switch_off_mesh","count":1,"items":[{"name":"high","position":[10,5.5,10]}]}]'
}

@test "a gate is opened and closed by its switch, group by group" {
    local config='{"switches":{"gate":{"shapes":[{"shape":"box","min":[9,-1,-1],"max":[11,2,21]}],"default":"closed"}}}'
    ask "/v1/meshes/gated/versions?wait=1" -X POST -F geometry=@square.obj -F "config=$config;type=application/json"
    is "$STATUS" 201
    is "$(json '.config.switches.gate.default')" closed
    local P=/v1/meshes/gated/path
    post_json "$P" "{$WALK}"
    is "$(json '.status, .reason, (.blocked_by | tojson)' | tr '\n' ' ')" 'partial blocked ["gate"] '
    ask /v1/meshes/gated/instances/one -X PUT -H 'Content-Type: application/json' -d '{"switches":{"gate":"open"}}'
    is "$STATUS" 201
    post_json "$P" "{$WALK,\"instance\":\"one\"}"
    is "$(json '.status, .cost, .optimal, .revision' | tr '\n' ' ')" 'complete 14 true 1 '
    ask /v1/meshes/gated/instances/one -X PATCH -H 'Content-Type: application/json' -d '{"switches":{"gate":"closed"}}'
    is "$(json .revision)" 2
    post_json /v1/meshes/gated/reachable '{"instance":"one","start":[3,0,10],"points":[[17,0,10],[4,0,4]]}'
    is "$(json '.reachable | tojson')" '[false,true]'
    post_json /v1/meshes/gated/batch "{\"queries\":[{\"kind\":\"path\",$WALK,\"instance\":\"one\"},{\"kind\":\"raycast\",$WALK,\"instance\":\"one\"}]}"
    is "$(json '.results | .[0].blocked_by[0], .[1].hit' | tr '\n' ' ')" 'gate true '
    # A barricade and the gate on one way.
    ask /v1/meshes/gated/instances/one -X PATCH -H 'Content-Type: application/json' \
        -d '{"obstacles":{"logs":{"shape":"box","min":[5,-1,-1],"max":[6,2,21]},"grass":{"shape":"circle","center":[3,0,3],"radius":1,"cost":0.5}}}'
    post_json "$P" "{$WALK,\"instance\":\"one\"}"
    is "$(json '.reason, (.blocked_by | tojson)' | tr '\n' ' ')" 'blocked ["gate","logs"] '
    ask /v1/meshes/gated/instances/one -X PATCH -H 'Content-Type: application/json' -d '{"switches":{"door":"open"}}'
    is_error 422 invalid_field
    is "$AT" switches.door
    is "$(json .detail)" 'this version of the mesh has no switch "door"; it has gate'
    ask /v1/meshes/gated/instances/one -X PATCH -H 'Content-Type: application/json' -d '{"area_costs":{"lava":2}}'
    is "$(json .detail)" 'this version of the mesh has no area "lava"; it has ground'
    post_json "$P" "{$WALK,\"filter\":\"boat\"}"
    is "$(json .detail)" 'this version of the mesh has no filter "boat"; it has none'
    post_json /v1/meshes/gated/batch "{\"filters\":[{},{},{}],\"queries\":[{\"kind\":\"path\",$WALK,\"filter\":3}]}"
    is "$(json .detail)" 'queries[0].filter: "filters" of this batch has no number 3; it has numbers 0 to 2'
    local many
    many=$(awk 'BEGIN { for (i = 0; i < 60; i++) printf "%s\"gate-%02d\":{\"shapes\":[{\"shape\":\"box\",\"min\":[9,-1,-1],\"max\":[11,2,21]}]}", i ? "," : "", i }')
    ask "/v1/meshes/gates/versions?wait=1" -X POST -F geometry=@square.obj -F "config={\"switches\":{$many}};type=application/json"
    is "$STATUS" 201
    ask /v1/meshes/gates/instances/one -X PUT -H 'Content-Type: application/json' -d '{"switches":{"door":"open"}}'
    [[ $(json .detail) =~ 'it has gate-00, gate-01, '.*', gate-'[0-9]+' and '[0-9]+' more'$ ]]
}

# What is known of a state's switches and links holds also where a question brings shapes of its own.
@test "beside a closed gate and a link, shapes of the question count as those of the instance do" {
    local config='{"switches":{"gate":{"shapes":[{"shape":"box","min":[9,-1,-1],"max":[11,2,21]}],"default":"closed"}}}'
    ask "/v1/meshes/linked/versions?wait=1" -X POST -F geometry=@square.obj -F "config=$config;type=application/json"
    is "$STATUS" 201
    local link='"links":{"jump":{"start":[3,0,3],"end":[3,0,17]}}' far='{"shape":"circle","center":[2,0,2],"radius":0.2}' over rest
    ask /v1/meshes/linked/instances/f -X PUT -H 'Content-Type: application/json' -d "{$link,\"obstacles\":{\"far\":$far}}"
    ask /v1/meshes/linked/instances/b -X PUT -H 'Content-Type: application/json' -d "{$link}"
    is "$STATUS" 201
    for rest in '"partial":false,"max_nodes":1' '"partial":false,"max_cost":2' '"partial":false'; do
        post_json /v1/meshes/linked/path "{$WALK,$rest,\"instance\":\"f\"}"
        over=${BODY/,\"instance\":\"f\"/}
        post_json /v1/meshes/linked/path "{$WALK,$rest,\"instance\":\"b\",\"avoid\":[$far]}"
        is "$over" "${BODY/,\"instance\":\"b\"/}"
        is "$(json .reason)" blocked
    done
}

@test "a lift comes, moves and goes" {
    printf 'v 0 0 0\nv 0 0 9\nv 9 0 9\nv 9 0 0\nf 1 2 3 4\nv 12 4 0\nv 12 4 9\nv 20 4 9\nv 20 4 0\nf 5 6 7 8
        v 12 8 0\nv 12 8 9\nv 20 8 9\nv 20 8 0\nf 9 10 11 12\n' >tower.obj
    ask "/v1/meshes/tower/versions?wait=1" -X POST -F geometry=@tower.obj
    is "$STATUS" 201
    local T=/v1/meshes/tower
    ask "$T/instances/one" -X PUT -H 'Content-Type: application/json' \
        -d '{"links":{"lift":{"start":[8,0,5],"end":[13,4,5],"cost":2}}}'
    is "$STATUS" 201
    ask "$T/instances/one"
    is "$(json '.links.lift | tojson')" \
        '{"area":"ground","bidirectional":true,"cost":2,"end":[13,4,5],"flags":[],"radius":0.6,"start":[8,0,5]}'
    up() { # y; prints status and the link that leads there
        post_json "$T/path" "{\"start\":[2,0,5],\"end\":[18,$1,5],\"instance\":\"one\",\"details\":[\"links\"]}"
        json '"\(.status) \(.reason) \([.details.links[].id] | join(" ")) \(.end[1])"'
    }
    is "$(up 4)" 'complete null lift 4.2'
    is "$(up 8 | cut -d' ' -f1-2)" 'partial unreachable'
    post_json "$T/path" '{"start":[2,0,5],"end":[18,4,5]}'
    is "$(json .reason)" unreachable
    # It moves, and every kind of question knows.
    ask "$T/instances/one" -X PATCH -H 'Content-Type: application/json' \
        -d '{"links":{"lift":{"start":[8,0,5],"end":[13,8,5],"cost":2},"stair":null}}'
    is "$(json '"\(.revision) \(.missing)"')" '2 ["links.stair"]'
    is "$(up 8)" 'complete null lift 8.2'
    is "$(up 4 | cut -d' ' -f1-2)" 'partial unreachable'
    post_json "$T/reachable" '{"start":[2,0,5],"points":[[18,4,5],[18,8,5]],"instance":"one"}'
    is "$(json '.reachable | tojson')" '[false,true]'
    post_json "$T/batch" '{"queries":[{"kind":"path","start":[18,8,5],"end":[2,0,5],"instance":"one"},{"kind":"path","start":[18,8,5],"end":[2,0,5]}]}'
    is "$(json '[.results[].status] | join(" ")')" 'complete partial'
    # An end without ground is told, and kept.
    ask "$T/instances/one" -X PATCH -H 'Content-Type: application/json' -d '{"links":{"lift":{"start":[8,0,5],"end":[13,6,5]}}}'
    is "$STATUS $(json '[.misfits[].at] | join(" ")')" '200 links.lift'
    ask "$T/instances/two" -X PUT -H 'Content-Type: application/json' -d '{"links":{"lift":{"start":[8,0,5],"end":[13,6,5]}}}'
    is "$STATUS $(json '[.misfits[].at] | join(" ")')" '201 links.lift'
    ask "$T/instances/one"
    is "$(json '[.misfits[].at] | join(" ")')" 'links.lift'
    is "$(up 8 | cut -d' ' -f1-2)" 'partial unreachable'
    ask "$T/instances/one" -X PATCH -H 'Content-Type: application/json' -d '{"links":{"lift":null}}'
    is "$(json .missing)" '[]'
    ask "$T/instances/one"
    is "$(json '"\(.links) \(.misfits)"')" '{} []'
}

@test "what is wrong is named, and changes nothing" {
    put firm "{\"obstacles\":{\"cart\":$CART}}"
    while read -r status code at body; do
        patch firm "$body"
        is_error "$status" "$code"
        is "${AT/ /_}" "$at"
    done <<'END'
422 invalid_field switches.gate {"switches":{"gate":"closed"}}
422 invalid_field area_costs.lava {"obstacles":{"cart":null},"area_costs":{"lava":2}}
422 invalid_field area_costs.none {"area_costs":{"none":2}}
422 invalid_field area_costs.ground {"area_costs":{"ground":0}}
422 invalid_field switches.gate {"switches":{"gate":"ajar"}}
422 invalid_field obstacles.-x {"obstacles":{"-x":null}}
422 invalid_field obstacles.x.radius {"obstacles":{"x":{"shape":"circle","center":[0,0,0],"radius":-1}}}
422 invalid_field obstacles.x.points {"obstacles":{"x":{"shape":"convex","points":[[0,0],[1,1],[2,2]]}}}
422 invalid_field obstacles.x.yaw {"obstacles":{"x":{"shape":"box","min":[0,0,0],"max":[1,1,1],"yaw":"NaN"}}}
400 bad_json byte_67 {"obstacles":{"x":{"shape":"box","min":[0,0,0],"max":[1,1,1],"yaw":NaN}}}
422 invalid_field obstacles.x.yaw {"obstacles":{"x":{"shape":"box","min":[0,0,0],"max":[1,1,1],"yaw":1e999}}}
422 invalid_field obstacles.x.max {"obstacles":{"x":{"shape":"box","min":[0,0,0],"max":[0,1,1],"yaw":5}}}
422 invalid_field obstacles.x.min {"obstacles":{"x":{"shape":"box","min":[0,2,0],"max":[1,1,1]}}}
422 invalid_field obstacles.x.min {"obstacles":{"x":{"shape":"box","min":[2,0,0],"max":[1,1,1],"yaw":5}}}
422 invalid_field obstacles.x.min_y {"obstacles":{"x":{"shape":"convex","points":[[0,0],[1,0],[0,1]],"min_y":2,"max_y":1}}}
400 bad_json obstacles.x {"obstacles":{"x":null,"x":null}}
422 invalid_field links {"links":[]}
422 invalid_field links.-x {"links":{"-x":null}}
422 invalid_field links.x.area {"links":{"x":{"start":[1,0,1],"end":[9,0,9],"area":"lava"}}}
422 invalid_field links.x.flags {"links":{"x":{"start":[1,0,1],"end":[9,0,9],"flags":["fly"]}}}
422 unknown_field links.x.switch {"links":{"x":{"start":[1,0,1],"end":[9,0,9],"switch":"gate"}}}
422 invalid_field expires_in_s {"expires_in_s":0}
422 invalid_field version {"version":0}
404 version_not_found null {"version":7}
END
    ask "$I/firm"
    is "$(json '"\(.revision) \(.obstacles | keys)"')" '1 ["cart"]'
    patch nobody '{}'
    is_error 404 instance_not_found
    put -x '{}'
    is_refused instance
    ask "$I/-x"
    is_error 404 instance_not_found
    ask /v1/meshes/nothing/instances/a -X PUT -H 'Content-Type: application/json' -d '{}'
    is_error 404 mesh_not_found
    ask /v1/meshes/nothing/instances
    is_error 404 mesh_not_found
    ask "$I/firm" -X POST -d '{}'
    is_error 405 method_not_allowed
    is "$(header Allow)" 'GET, HEAD, PUT, PATCH, DELETE'
}

@test "an update is held to the revision that it was made for" {
    put tag '{}'
    patch tag '{"area_costs":{"ground":2}}' -H 'If-Match: "1"'
    is "$STATUS $(json .revision)" '200 2'
    patch tag '{"area_costs":{"ground":3}}' -H 'If-Match: "1"'
    is_error 412 stale_etag
    put tag '{}' -H 'If-Match: 1'
    is_error 412 stale_etag
    ask "$I/tag" -X DELETE -H 'If-Match: "1"'
    is_error 412 stale_etag
    put newer '{}' -H 'If-Match: "1"'
    is_error 412 stale_etag
    patch tag '{"area_costs":{"ground":3}}' -H 'If-Match: 2'
    is "$STATUS $(json .revision)" '200 3'
    ask "$I/tag" -X DELETE -H 'If-Match: "3"'
    is "$STATUS" 204
}

# An answer without what only one that is given alone has.
result_of() { # json
    gojq -c 'del(.mesh, .version)' <<<"$1"
}

# Every kind of question, over an instance and with the same shapes of its own: as POST, as GET, and in a batch.
@test "answers are those of the same shapes as avoid, and name instance and revision" {
    local kind rest over
    put same "{\"obstacles\":{\"a\":$CART,\"b\":{\"shape\":\"box\",\"min\":[4,-1,4],\"max\":[6,1,9],\"cost\":3}}}"
    local own="\"avoid\":[$CART,{\"shape\":\"box\",\"min\":[4,-1,4],\"max\":[6,1,9],\"cost\":3}]"
    while read -r kind rest; do
        post_json "$M/$kind" "{$rest,\"instance\":\"same\"}"
        is "$STATUS" 200
        is "$(json '"\(.version) \(.instance) \(.revision)"')" '1 same 1'
        over=$BODY
        post_json "$M/$kind" "{$rest,$own}"
        is "${over/,\"instance\":\"same\",\"revision\":1/}" "$BODY"
        post_json "$M/$kind" "{$rest,\"instance\":\"nobody\"}"
        is_error 404 instance_not_found
        is "$AT" instance
        if [[ ! $kind =~ ^(reachable|matrix|trace)$ ]]; then
            to_arguments "{$rest,\"instance\":\"same\"}"
            ask "$M/$kind" "${ARGUMENTS[@]}"
            is "$BODY" "$over"
            to_arguments "{$rest,\"instance\":\"nobody\"}"
            ask "$M/$kind" "${ARGUMENTS[@]}"
            is_error 404 instance_not_found
        fi
        if [[ ! $kind =~ ^(flood|matrix|trace)$ ]]; then
            post_json "$M/batch" "{\"instances\":[\"same\"],\"queries\":[{\"kind\":\"$kind\",$rest,\"instance\":0}]}"
            is "$(json '.results[0] | tojson')" "$(result_of "$over")"
        fi
        if [ "$kind" = path ]; then
            post_json "$M/paths" "{\"queries\":[{$rest,\"instance\":\"same\"}]}"
            is "$(json '.results[0] | tojson')" "$(result_of "$over")"
        fi
    done <<END
path $WALK,"search":"fast"
path $WALK,"search":"exact","details":["areas","polygons"]
raycast $WALK
move $WALK
nearest "point":[10,0,10],"count":5
wall "point":[6,0,10]
floors "x":5,"z":5
random "count":20,"seed":7
random "count":20,"seed":7,"center":[6,0,6],"radius":5
flood "start":[3,0,10],"max_cost":9
reachable "start":[3,0,10],"points":[[17,0,10],[10,0,10]]
matrix "sources":[[3,0,10],[2,0,2]],"targets":[[17,0,10],[10,0,10]]
trace "positions":[[3,0,10],[17,0,10]]
END
    # Shapes of the question's own beside them.
    post_json "$M/path" "{$WALK,\"instance\":\"same\",\"avoid\":[$WALL]}"
    is "$(json '"\(.status) \(.reason) \(.blocked_by)"')" 'partial blocked ["a","avoid[0]"]'
    put shut "{\"obstacles\":{\"a\":$CART,\"gate\":$WALL}}"
    post_json "$M/path" "{$WALK,\"instance\":\"shut\"}"
    is "$(json '.blocked_by | index("gate") != null')" true
    post_json "$M/paths" "{\"queries\":[{$WALK,\"instance\":\"shut\"}]}"
    is "$(json '.results[0].blocked_by | index("gate") != null')" true
    post_json "$M/path" "{$WALK,\"instance\":\"same\",\"version\":1}"
    is "$STATUS" 200
    post_json "$M/path" "{$WALK,\"instance\":\"same\",\"version\":2}"
    is_refused version
}

@test "queries of paths and batch name instances of their own" {
    put one "{\"obstacles\":{\"a\":$CART}}"
    put two "{\"obstacles\":{\"a\":$WALL}}"
    post_json "$M/paths" "{\"defaults\":{$WALK,\"instance\":\"one\"},
        \"queries\":[{},{\"instance\":\"two\"},{\"avoid\":[$WALL]},{\"search\":\"fast\"}]}"
    is "$(json '[.results[] | "\(.instance) \(.revision) \(.status)"] | join(", ")')" \
        'one 1 complete, two 1 partial, one 1 partial, one 1 complete'
    local first
    first=$(json '.results[0] | tojson')
    is "$(json '"\(.version) \(.instance)"')" '1 null'
    post_json "$M/batch" "{\"avoid_sets\":[[$CART]],\"filters\":[{\"costs\":{\"ground\":2}}],\"queries\":[{\"kind\":\"path\",$WALK,\"instance\":\"one\"},
        {\"kind\":\"raycast\",$WALK,\"instance\":\"two\",\"id\":7},{\"kind\":\"raycast\",$WALK},{\"kind\":\"raycast\",$WALK,\"avoid\":0},
        {\"kind\":\"raycast\",$WALK,\"avoid\":0,\"instance\":\"one\"},{\"kind\":\"path\",$WALK,\"filter\":0,\"instance\":\"two\"},{\"kind\":\"path\",$WALK,\"filter\":0}]}"
    is "$(json '.results[0] | tojson')" "$first"
    is "$(json '[.results[1:5][] | "\(.instance) \(.hit)"] | join(", ")')" 'two true, null false, null true, one true'
    is "$(json '"\(.results[1].id) \(.results[5].status) \(.results[6].cost)"')" '7 partial 28'
    post_json "$M/batch" "{\"queries\":[{\"kind\":\"raycast\",$WALK},{\"kind\":\"raycast\",$WALK,\"instance\":\"nobody\"}]}"
    is_error 404 instance_not_found
    is "$AT" 'queries[1].instance'
    post_json "$M/batch" "{\"queries\":[{\"kind\":\"raycast\",$WALK,\"instance\":\"one\"},{\"kind\":\"raycast\",$WALK,\"instance\":\"nobody\"}]}"
    is_error 404 instance_not_found
    is "$AT" 'queries[1].instance'
    post_json "$M/paths" "{\"version\":2,\"queries\":[{$WALK,\"instance\":\"one\"}]}"
    is_refused version
}

@test "costs of areas are the instance's where the question's filter does not say otherwise" {
    put dear '{"area_costs":{"ground":3}}'
    local walk="$M/path?start=3,0,10&end=17,0,10"
    ask "$walk&instance=dear"
    is "$(json .cost)" 42
    post_json "$M/path" "{$WALK,\"instance\":\"dear\",\"filter\":{\"costs\":{\"ground\":2}}}"
    is "$(json .cost)" 28
    post_json "$M/path" "{$WALK,\"instance\":\"dear\",\"filter\":{\"include\":[]}}"
    is "$(json .cost)" 42
    patch dear '{"area_costs":{"ground":null}}'
    ask "$walk&instance=dear"
    is "$(json .cost)" 14
}

@test "a path that was found holds until something is in its way, and the place is told" {
    put way "{\"obstacles\":{\"cart\":$CART}}"
    post_json "$M/path" "{$WALK,\"instance\":\"way\"}"
    local points
    points=$(json '.points | tojson')
    post_json "$I/way/valid" "{\"points\":$points,\"revision\":1}"
    is "$(json '"\(.instance) \(.revision) \(.valid) \(.changed) \(.step) \(.position) \(.reason)"')" 'way 1 true false null null null'
    patch way "{\"obstacles\":{\"wall\":{\"shape\":\"box\",\"min\":[14,-1,-5],\"max\":[15,1,25]}}}"
    post_json "$I/way/valid" "{\"points\":$points,\"revision\":1}"
    is "$(json '"\(.revision) \(.valid) \(.changed) \(.reason)"')" '2 false true gap'
    is "$(json '.step == ('"$points"' | length) - 1 and .position[0] > 13.3 and .position[0] < 13.5')" true
    # A point that is covered now is no point on the rim. Without a revision there is no telling of a change.
    patch way '{"obstacles":{"wall":null,"foot":{"shape":"circle","center":[17,0,10],"radius":0.2}}}'
    post_json "$I/way/valid" "{\"points\":$points}"
    is "$(json '"\(.valid) \(.step == ('"$points"' | length) - 1) \(.reason) \(.changed)"')" 'false true off_mesh null'
    # With a cost instead it is as good as before.
    patch way '{"obstacles":{"foot":{"shape":"circle","center":[17,0,10],"radius":0.2,"cost":9}}}'
    post_json "$I/way/valid" "{\"points\":$points}"
    is "$(json .valid)" true
    # Another way around the cart is not this one.
    patch way '{"obstacles":{"cart":{"shape":"circle","center":[10,0,10],"radius":2.5}}}'
    post_json "$I/way/valid" "{\"points\":$points}"
    is "$(json .valid)" false
    post_json "$I/way/valid" '{"points":[]}'
    is_refused points
    post_json "$I/nobody/valid" '{"points":[[1,0,1]]}'
    is_error 404 instance_not_found
}

@test "a small shape on a long leg is in its way, however short the way around; a link is none, whatever it costs" {
    put way "{\"obstacles\":{\"barrel\":{\"shape\":\"circle\",\"center\":[10,0,10],\"radius\":0.1}}}"
    post_json "$I/way/valid" '{"points":[[1,0,10],[19,0,10]]}'
    is "$(json '"\(.valid) \(.step) \(.reason)"')" 'false 1 wall'
    # Nor does a path lead over a link that is away from its leg.
    put way "{\"obstacles\":{\"cart\":$CART},\"links\":{\"jump\":{\"start\":[7,0,10],\"end\":[13,0,10],\"cost\":100}}}"
    post_json "$I/way/valid" '{"points":[[1,0,10],[7,0,10],[13,0,10],[19,0,10]]}'
    is "$(json .valid)" true
    post_json "$M/trace" '{"positions":[[7,0,10],[13,0,10]],"instance":"way"}'
    is "$(json .legal)" true
    post_json "$I/way/valid" '{"points":[[1,0,10],[19,0,10]]}'
    is "$(json '"\(.valid) \(.reason)"')" 'false wall'
    post_json "$I/way/valid" '{"points":[[7,0,12],[13,0,12]]}'
    is "$(json '"\(.valid) \(.reason)"')" 'false wall'
}

@test "a path out of a shape holds, as it was answered; none leads back into it" {
    put way "{\"obstacles\":{\"cart\":$CART,\"log\":{\"shape\":\"box\",\"min\":[12,-1,4],\"max\":[13,1,12],\"yaw\":20}}}"
    for start in '[10,0,10]' '[9.2,0,11]' '[12.4,0,10]'; do
        post_json "$M/path" "{\"start\":$start,\"end\":[17,0,10],\"instance\":\"way\"}"
        is "$(json .status)" complete
        post_json "$I/way/valid" "{\"points\":$(json '.points | tojson'),\"revision\":1}"
        is "$(json '"\(.valid) \(.changed)"')" 'true false'
    done
    post_json "$I/way/valid" '{"points":[[3,0,10],[10,0,10],[17,0,10]]}'
    is "$(json '"\(.valid) \(.step)"')" 'false 1'
    # Out of one, and through another that nobody stood in.
    post_json "$I/way/valid" '{"points":[[9.2,0,11],[17,0,11]]}'
    is "$(json '"\(.valid) \(.step)"')" 'false 1'
}

@test "a revision is never that of another world, also where the name is made again" {
    put door '{}'
    is "$(json .revision)" 1
    ask "$I/door" -X DELETE
    is "$STATUS" 204
    put door "{\"obstacles\":{\"wall\":$WALL}}"
    is "$STATUS $(json .revision) $(header ETag)" '201 2 "2"'
    post_json "$I/door/valid" '{"points":[[3,0,10],[4,0,10]],"revision":1}'
    is "$(json .changed)" true
    patch door '{"obstacles":{"wall":null}}' -H 'If-Match: "1"'
    is_error 412 stale_etag
    # One that expires is above as well.
    put door '{"expires_in_s":0.1}'
    is "$(json .revision)" 3
    wait_for is_gone door
    put door '{}'
    is "$STATUS $(json .revision)" '201 4'
}

@test "shapes that cut another live version into too many pieces are a misfit of it" {
    square_obj 20 >far.obj
    printf 'v 40 0 0\nv 40 0 20\nv 60 0 20\nv 60 0 0\nf 1 2 3 4\n' >near.obj
    bake_mesh crowd far.obj
    local J=/v1/meshes/crowd/instances crowd
    crowd=$(awk 'BEGIN { srand(5); for (i = 0; i < 1000; i++) printf "%s\"c%d\":{\"shape\":\"circle\",\"center\":[%.2f,0,%.2f],\"radius\":9,\"cost\":1.5}", i ? "," : "", i, 40 + rand() * 20, rand() * 20 }')
    printf '{"obstacles":{%s}}' "$crowd" >crowd.json
    ask "$J/a" -X PUT -H 'Content-Type: application/json' --data-binary @crowd.json
    is "$STATUS $(json .misfits)" '201 []'
    bake_mesh crowd near.obj
    ask "/v1/meshes/crowd/path?start=42,0,10&end=58,0,10&instance=a"
    is "$STATUS $(json .version) $(json .status)" '200 2 complete'
    ask "$J/a"
    is "$(json '"\([.misfits[].at] | join(" ")) \(.obstacles | length)"')" 'obstacles 1000'
    # What else is changed is; but more of them are not taken.
    ask "$J/a" -X PATCH -H 'Content-Type: application/json' -d '{"area_costs":{"ground":2},"obstacles":{"c0":null}}'
    is "$STATUS $(json '.misfits[0].at')" '200 obstacles'
    ask "$J/a" -X PATCH -H 'Content-Type: application/json' -d "{\"obstacles\":{\"c0\":{\"shape\":\"circle\",\"center\":[50,0,10],\"radius\":4}}}"
    is_refused obstacles
}

@test "an instance that is pinned keeps its version; one that follows is laid over the new one" {
    square_obj 22 >other.obj
    printf '{"areas":{"mud":{"cost":2}}}' >mud.json
    ask '/v1/meshes/pin/versions?wait=1' -F geometry=@square.obj -F config=@mud.json
    is "$STATUS" 201
    local J=/v1/meshes/pin/instances
    ask "$J/old" -X PUT -H 'Content-Type: application/json' -d '{"version":1,"area_costs":{"mud":6}}'
    is "$(json '"\(.version) \(.pinned)"')" '1 true'
    ask "$J/new" -X PUT -H 'Content-Type: application/json' -d '{"area_costs":{"mud":6}}'
    curl -sS -N --max-time $((60 * PATIENCE)) -o new.txt "$BASE$J/new/events" 3>&- &
    local listener=$!
    wait_for [ -s new.txt ]
    upload '/v1/meshes/pin/versions?wait=1' other.obj
    is "$STATUS" 201
    ask "$J/old"
    is "$(json '"\(.version) \(.pinned) \(.misfits)"')" '1 true []'
    ask "/v1/meshes/pin/path?start=3,0,10&end=17,0,10&instance=old"
    is "$(json .version)" 1
    post_json /v1/meshes/pin/paths '{"queries":[{"start":[3,0,10],"end":[17,0,10]},{"start":[3,0,10],"end":[17,0,10],"instance":"old"}]}'
    is "$(json '"\(.version) \(.results[1].revision)"')" '1 1'
    post_json /v1/meshes/pin/paths '{"version":2,"queries":[{"start":[3,0,10],"end":[17,0,10],"instance":"new"},{"start":[3,0,10],"end":[17,0,10],"instance":"old"}]}'
    is_refused 'queries[1].instance'
    # The new version has no mud: what does not fit is listed, and kept.
    ask "$J/new"
    is "$(json '"\(.version) \(.pinned) \(.revision) \(.area_costs) \(.misfits[0].at)"')" '2 false 1 {"mud":6} area_costs.mud'
    ask "/v1/meshes/pin/path?start=3,0,10&end=17,0,10&instance=new"
    is "$(json .version)" 2
    ask "$J/new" -X PATCH -H 'Content-Type: application/json' -d '{"expires_in_s":60}'
    is "$STATUS" 200
    ask "$J/new" -X PATCH -H 'Content-Type: application/json' -d '{"area_costs":{"mud":7}}'
    is_refused area_costs.mud
    ask /v1/meshes/pin/versions/1 -X DELETE
    is_error 409 version_pinned
    ask "$J/old" -X PATCH -H 'Content-Type: application/json' -d '{"version":null}'
    is "$(json '"\(.version) \(.pinned)"')" '2 false'
    ask /v1/meshes/pin/versions/1 -X DELETE
    is "$STATUS" 204
    ask "$J/old" -X PATCH -H 'Content-Type: application/json' -d '{"version":1}'
    is_error 404 version_not_found
    # With the mesh go its instances, and their listeners hear of it.
    ask /v1/meshes/pin -X DELETE
    is "$STATUS" 204
    wait "$listener"
    is "$(sed -n 's/^event: //p' new.txt | tr '\n' ' ')" 'state version changed removed '
    is "$(grep -A1 '^event: version' new.txt | sed -n 's/^data: //p')" '{"mesh":"pin","version":2,"instance":"new","revision":1}'
    is "$(grep -A1 '^event: removed' new.txt | sed -n 's/^data: //p' | gojq -r .reason)" mesh_removed
    ask "$J/new"
    is_error 404 instance_not_found
}

@test "events tell each change in order, and end with the instance" {
    put heard '{}'
    curl -sS -N --max-time $((60 * PATIENCE)) -o heard.txt "$BASE$I/heard/events" 3>&- &
    local listener=$!
    wait_for [ -s heard.txt ]
    patch heard "{\"obstacles\":{\"cart\":$CART}}"
    patch heard '{"obstacles":{"cart":null}}'
    put heard '{"area_costs":{"ground":2}}'
    ask "$I/heard" -X DELETE
    wait "$listener"
    is "$(sed -n 's/^event: //p' heard.txt | tr '\n' ' ')" 'state changed changed replaced removed '
    is "$(sed -n 's/^data: //p' heard.txt | gojq -r .revision | tr '\n' ' ')" '1 2 3 4 4 '
    is "$(sed -n 's/^data: //p' heard.txt | gojq -c '.obstacles // {} | keys' | tr '\n' ' ')" '[] ["cart"] ["cart"] [] [] '
    ask "$I/heard/events"
    is_error 404 instance_not_found
}

# Obstacles beside the ground, which cost nothing to cut.
obstacles() { # first last file
    gojq -nc --argjson first "$1" --argjson last "$2" '{obstacles: [range($first; $last) | {key: "\("o" * 50)\(.)",
        value: {shape: "convex", points: [range(20) | [1000 + ., 1000 + . * .]]}}] | from_entries}' >"$3"
}

@test "the events of an instance come whole, however large it is" {
    stop_daemon
    start_daemon --limit instance_bytes=1048576
    obstacles 0 500 some.json
    obstacles 500 1000 more.json
    put large @some.json
    is "$STATUS" 201
    patch large @more.json
    is "$STATUS" 200
    ask "$I/large"
    [ "${#BODY}" -gt $((256 * 1024)) ]
    curl -sS -N --max-time $((60 * PATIENCE)) -o large.txt "$BASE$I/large/events" 3>&- &
    local listener=$!
    wait_for [ -s large.txt ]
    put large @some.json
    ask "$I/large" -X DELETE
    wait "$listener"
    is "$(sed -n 's/^event: //p' large.txt | tr '\n' ' ')" 'state replaced removed '
    is "$(sed -n 's/^data: //p' large.txt | gojq -r '.obstacles // {} | length' | tr '\n' ' ')" '1000 500 0 '
}

@test "what expires goes by itself, and each change is counted" {
    local count
    ask /metrics
    count=$(sed -n 's/^navmeshd_instance_changes_total{change="expired"} //p' <<<"$BODY")
    put brief '{"expires_in_s":30}'
    curl -sS -N --max-time $((60 * PATIENCE)) -o brief.txt "$BASE$I/brief/events" 3>&- &
    local listener=$!
    wait_for [ -s brief.txt ]
    # It begins anew with each change, and another time may be given.
    patch brief '{"expires_in_s":0.5}'
    is "$(json '.expires_in_s')" 0.5
    wait "$listener"
    is "$(sed -n 's/^event: //p' brief.txt | tr '\n' ' ')" 'state changed removed '
    is "$(grep -A1 '^event: removed' brief.txt | sed -n 's/^data: //p')" '{"mesh":"square","instance":"brief","revision":2,"reason":"expired"}'
    ask "$I/brief"
    is_error 404 instance_not_found
    put brief '{"version":1}'
    is "$STATUS $(json .revision)" '201 3'
    ask /metrics
    is "$(sed -n 's/^navmeshd_instance_changes_total{change="expired"} //p' <<<"$BODY")" $((count + 1))
    is "$(sed -n 's/^navmeshd_pinned_versions //p' <<<"$BODY")" 1
    count=$(sed -n 's/^navmeshd_instance_changes_total{change="removed"} //p' <<<"$BODY")
    ask "$I/brief" -X DELETE
    ask /metrics
    is "$(sed -n 's/^navmeshd_instance_changes_total{change="removed"} //p' <<<"$BODY")" $((count + 1))
    is "$(sed -n 's/^navmeshd_pinned_versions //p' <<<"$BODY")" 0
}

@test "a page of the list has bounds" {
    local call
    for call in limit=0 limit=1001 limit=x; do
        ask "$I?$call"
        is_refused "${call%%=*}"
    done
    ask "$I?before=a"
    is_error 422 unknown_field
    ask "$I?limit=1000&after=zzz"
    is "$(json '"\(.instances) \(.next)"')" '[] null'
}

@test "status and metrics count them; they end with the daemon, which says since when it runs" {
    put counted '{"expires_in_s":3600}'
    is "$(json '.expires_in_s')" 3600
    ask /v1/status
    local count
    count=$(json .instances.count)
    [ "$count" -ge 1 ]
    is "$(json '.instances | "\(.limit) \(.memory_bytes > 0) \(.kept)"')" '10000 true memory'
    [[ $(json .started_at) =~ ^20[0-9]{2}-[0-9-]+T[0-9:.]+Z$ ]]
    ask /metrics
    is "$(sed -n 's/^navmeshd_instances //p' <<<"$BODY")" "$count"
    is "$(sed -n 's/^navmeshd_instances_limit //p' <<<"$BODY")" 10000
    [[ $BODY =~ navmeshd_instance_changes_total\{change=\"set\"\}\ [1-9] ]]
}

hears() { # header
    ask "$I/a/events" -H "$1" --max-time 0.2
    [ "$STATUS" = 200 ]
}

has_room() { # header
    put c '{}' -H "$1"
    [ "$STATUS" = 201 ]
}

@test "limits and scopes" {
    stop_daemon
    DB=$BATS_TEST_TMPDIR/limits.db
    start_daemon --max-instances 2 --limit pinned_versions=1 --limit instances_bytes=65536 --limit instance_bytes=16384 \
        --token-file "$BATS_FILE_TMPDIR/tokens"
    local world='Authorization: Bearer world-token-0123456789' query='Authorization: Bearer query-token-0123456789'
    upload '/v1/meshes/square/versions?wait=1' square.obj model/obj -H 'Authorization: Bearer bake-token-0123456789'
    put a '{}' -H "$query"
    is_error 403 token_scope
    is "$(json .detail)" 'the token is not for this: it needs the scope world'
    put a '{}' -H "$world"
    is "$STATUS" 201
    patch a '{}' -H "$query"
    is_error 403 token_scope
    ask "$I/a" -X DELETE -H "$query"
    is_error 403 token_scope
    for reader in "$query" "$world"; do
        ask "$I/a" -H "$reader"
        is "$STATUS" 200
        ask "$I" -H "$reader"
        is "$STATUS" 200
    done
    for reader in "$query" "$world"; do
        wait_for hears "$reader"
    done
    ask "$M/path?start=3,0,10&end=17,0,10&instance=a" -H "$query"
    is "$(json .revision)" 1
    # A question takes the scope of questions.
    post_json "$I/a/valid" '{"points":[[3,0,10]]}' -H "$query"
    is "$(json .valid)" true
    post_json "$I/a/valid" '{"points":[[3,0,10]]}' -H "$world"
    is_error 403 token_scope
    # The name of a mesh that was meant is for those who may list meshes.
    ask /v1/meshes/sqare -H "$query"
    is "$STATUS $(json .suggest)" '404 square'
    ask /v1/meshes/sqare/instances -H "$world"
    is_error 404 mesh_not_found
    is "$(json .suggest) $(json .detail)" "null there is no mesh 'sqare'"
    post_json /v1/meshes/sqare/instances/a '{}' -X PUT -H "$world"
    is_error 404 mesh_not_found
    is "$(json .suggest) $(json .detail)" "null there is no mesh 'sqare'"
    put b '{"version":1}' -H "$world"
    put c '{}' -H "$world"
    is_error 429 too_many_instances
    is "$(json '"\(.limit) \(.detail)"')" '2 there are as many instances as --max-instances allows'
    patch a '{"version":1}' -H "$world"
    is "$STATUS" 200
    # Of all limits the name is told, and nothing has changed.
    square_obj 22 >other.obj
    upload '/v1/meshes/square/versions?wait=1' other.obj model/obj -H 'Authorization: Bearer bake-token-0123456789'
    patch b '{"version":2}' -H "$world"
    is_error 429 too_many_instances
    [[ $(json '"\(.limit) \(.detail)"') == '1 '*' the limit pinned_versions allows' ]]
    local many
    many=$(gojq -nc '{obstacles: ([range(150)] | map({key: "o\(.)", value: {shape: "circle", center: [. % 20, 0, 9], radius: 0.5}}) | from_entries)}')
    patch b "$many" -H "$world"
    is_error 422 invalid_field
    is "$(json .limit)" 16384
    [[ $(json .detail) == *instance_bytes* ]]
    many=$(gojq -nc '{obstacles: ([range(80)] | map({key: "o\(.)", value: {shape: "circle", center: [. % 20, 0, . / 4], radius: 0.5}}) | from_entries)}')
    patch b "$many" -H "$world"
    is_error 429 too_many_instances
    is "$(json '"\(.limit) \(.detail)"')" '65536 there are as many instances as the limit instances_bytes allows'
    ask "$I/b" -H "$query"
    is "$(json '"\(.revision) \(.version) \(.obstacles)"')" '1 1 {}'
    # One that has expired leaves its room.
    put a '{"expires_in_s":0.001}' -H "$world"
    wait_for has_room "$world"
    ask "$I/a" -H "$query"
    is_error 404 instance_not_found
}

@test "what is pinned is kept, however many versions are to be" {
    stop_daemon
    DB=$BATS_TEST_TMPDIR/kept.db
    start_daemon --keep-versions 1
    local side
    square_obj 20 >square.obj
    upload "$M/versions?wait=1" square.obj
    put old '{"version":1}'
    for side in 21 22 23; do
        square_obj "$side" >next.obj
        upload "$M/versions?wait=1" next.obj
        is "$STATUS" 201
    done
    ask "$M/versions"
    is "$(json '[.versions[].version] | sort | tojson')" '[1,4]'
    ask "$M/path?start=3,0,10&end=17,0,10&instance=old"
    is "$(json '"\(.version) \(.status)"')" '1 complete'
    ask "$I/old" -X DELETE
    square_obj 24 >next.obj
    upload "$M/versions?wait=1" next.obj
    ask "$M/versions"
    is "$(json '[.versions[].version] | tojson')" '[5]'
}
