#!/usr/bin/env bats
# A version that does not meet the mesh's expectations is stored, says why, and does not go live.

load helper

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    square_obj 20 >whole.obj
    square_obj 30 >larger.obj
    islands_obj >islands.obj
    start_daemon
}

put_checks() { # mesh json [curl options]
    local mesh=$1 json=$2
    shift 2
    ask "/v1/meshes/$mesh/checks" -X PUT -H 'Content-Type: application/json' -d "$json" "$@"
}

put_active() { # mesh version [query]
    ask "/v1/meshes/$1/active${3:-}" -X PUT -H 'Content-Type: application/json' -d "{\"version\":$2}"
}

is_live() { # mesh version
    ask "/v1/meshes/$1"
    is "$(json .active)" "$2"
}

ACROSS='{"name":"across","start":[2,0,2],"end":[18,0,18],"expect":"reachable"}'
GAP='{"name":"gap","start":[2,0,2],"end":[58,0,18],"expect":"reachable"}'

@test "checks are set before there is a version, and read back" {
    ask /v1/meshes/early/checks
    is_error 404 mesh_not_found
    put_checks early '{"checks":[{"name":"a to b","start":[1,0,1.5],"end":[3,0,1],"expect":"reachable","max_length":80},
        {"name":"room","min_walkable_area":250.5},{"name":"here","point":[5,0,5],"expect":"on_mesh","snap":{"up":1}}]}'
    is "$STATUS" 200
    ask /v1/meshes/early/checks
    is "$STATUS" 200
    is "$(json .mesh)" early
    is "$(json '[.checks[].name] | join("|")')" 'a to b|room|here'
    is "$(json '.checks[0] | "\(.start) \(.max_length) \(.expect)"')" '[1,0,1.5] 80 reachable'
    is "$(json '.checks[1].min_walkable_area')" 250.5
    is "$(jq -r '.checks[2] | "\(.start) \(.snap)"' <<<"$BODY")" '[5,0,5] {"horizontal":2,"up":1,"down":4}'
    # The reply can be sent again, and is then the same.
    local once=$BODY
    put_checks early "$(jq -c '{checks}' <<<"$once")"
    is "$STATUS" 200
    is "$BODY" "$once"
    # The mesh itself is not there yet.
    ask /v1/meshes/early
    is_error 404 mesh_not_found
}

@test "checks that were read can be sent back, and to another mesh" {
    put_checks from "{\"checks\":[$ACROSS]}"
    ask /v1/meshes/from/checks
    local first=$BODY
    put_checks from "$first"
    is "$STATUS" 200
    is "$BODY" "$first"
    put_checks other "$first"
    is "$STATUS" 200
    is "$(json .mesh)" other
    is "$(jq -c .checks <<<"$BODY")" "$(jq -c .checks <<<"$first")"
}

@test "a mesh without checks has none, and its versions' list is empty" {
    bake_mesh plain whole.obj
    is "$(json '.checks | length')" 0
    is "$(json '.checks | type')" array
    ask /v1/meshes/plain/checks
    is "$(json '.checks | length')" 0
}

@test "each check says how it went; all passed: the version is live" {
    put_checks good "{\"checks\":[$ACROSS,
        {\"name\":\"short enough\",\"start\":[2,0,2],\"end\":[2,0,12],\"expect\":\"reachable\",\"max_length\":10.5},
        {\"name\":\"sea\",\"start\":[2,0,2],\"end\":[100,0,2],\"expect\":\"unreachable\"},
        {\"name\":\"spawn\",\"point\":[5,0,5],\"expect\":\"on_mesh\"},
        {\"name\":\"size\",\"min_walkable_area\":300}]}"
    is "$STATUS" 200
    bake_mesh good whole.obj
    is "$(json .active)" true
    is "$(json '[.checks[] | select(.passed)] | length')" 5
    is "$(json '.checks[0].detail')" 'the way is 22.627 long'
    is "$(json '.checks[1].detail')" 'the way is 10 long, at most 10.5'
    [[ "$(json '.checks[2].detail')" == 'end is off the mesh: there is none within 2 around, 4 up and 4 down' ]]
    [[ "$(json '.checks[3].detail')" == *' from the mesh' ]]
    [[ "$(json '.checks[4].detail')" == 'the walkable area is 3'*', at least 300' ]]
}

@test "a version that fails a check stays ready, is not live, and says why" {
    upload '/v1/meshes/gate/versions?wait=1' whole.obj
    is "$(json .active)" true
    put_checks gate "{\"checks\":[$ACROSS,$GAP,{\"name\":\"far\",\"start\":[2,0,2],\"end\":[18,0,18],\"expect\":\"reachable\",\"max_length\":20},
        {\"name\":\"wall\",\"start\":[2,0,2],\"end\":[9,0,9],\"expect\":\"unreachable\"},
        {\"name\":\"nowhere\",\"start\":[30,0,2],\"end\":[9,0,9],\"expect\":\"unreachable\"},
        {\"name\":\"sky\",\"point\":[5,50,5],\"expect\":\"on_mesh\"},
        {\"name\":\"size\",\"min_walkable_area\":5000}]}"
    bake_mesh gate islands.obj
    is "$(json '.state, .active' | tr '\n' ' ')" 'ready false '
    is "$(json '[.checks[] | .passed] | join(" ")')" 'true false false false false false false'
    is "$(json '.checks[1].detail')" 'there is no way from start to end'
    is "$(json '.checks[2].detail')" 'the way is 22.627 long, more than 20'
    is "$(json '.checks[3].detail')" 'there is a way, 9.899 long'
    is "$(json '.checks[4].detail')" 'start is off the mesh: there is none within 2 around, 4 up and 4 down'
    is "$(json '.checks[5].detail')" 'the point is off the mesh: there is none within 2 around, 4 up and 4 down'
    [[ "$(json '.checks[6].detail')" == 'the walkable area is '*', less than 5000' ]]
    is_live gate 1
    ask '/v1/meshes/gate/nearest?point=5,0,5'
    is "$(json .version)" 1
    # It can be asked by its number.
    ask '/v1/meshes/gate/nearest?point=5,0,5&version=2'
    is "$(json .version)" 2
}

@test "the switch by hand is held to the checks, force=1 is not" {
    put_checks hand "{\"checks\":[$GAP]}"
    upload '/v1/meshes/hand/versions?wait=1' islands.obj
    is "$(json .active)" false
    is_live hand null
    put_active hand 1
    is_error 409 checks_failed
    [[ "$(json .detail)" == "version 1 fails 1 of 1 checks: 'gap': there is no way from start to end; force=1 overrides" ]]
    is_live hand null
    put_active hand 1 '?force=1'
    is "$STATUS" 200
    is_live hand 1
    put_active hand 1 '?fource=1'
    is_error 422 unknown_field
}

@test "an upload with force=1 goes live whatever its checks say" {
    put_checks forced "{\"checks\":[$GAP]}"
    upload '/v1/meshes/forced/versions?wait=1&force=1' islands.obj
    is "$STATUS" 201
    is "$(json '.active, .checks[0].passed' | tr '\n' ' ')" 'true false '
}

@test "an equal upload is held to the present checks as well" {
    upload '/v1/meshes/again/versions?wait=1' islands.obj
    upload '/v1/meshes/again/versions?wait=1' whole.obj
    is_live again 2
    put_checks again "{\"checks\":[$GAP]}"
    upload '/v1/meshes/again/versions?wait=1' islands.obj
    is "$STATUS" 200
    is "$(json '.deduplicated, .version, .active, .checks[0].passed' | tr '\n' ' ')" 'true 1 false false '
    is_live again 2
    upload '/v1/meshes/again/versions?wait=1&force=1' islands.obj
    is "$(json '.version, .active' | tr '\n' ' ')" '1 true '
}

@test "with require_checks=1 a version that fails is an error, and one that passes is as ever" {
    put_checks required "{\"checks\":[$ACROSS]}"
    upload '/v1/meshes/required/versions?require_checks=1' whole.obj
    is "$STATUS" 201
    is "$(json .active)" true
    # Also where the answer need not have waited.
    put_checks required "{\"checks\":[$ACROSS,$GAP]}"
    upload '/v1/meshes/required/versions?wait=0&require_checks=1' islands.obj
    is_error 409 checks_failed
    is "$(header Location)" /v1/meshes/required/versions/2
    [[ $(json .detail) == 'version 2 is ready, but fails 1 of its checks, and is not live: check "gap" failed: '* ]]
    is_live required 1
    ask /v1/meshes/required/versions/2
    is "$(json '.state, .active' | tr '\n' ' ')" 'ready false '
    # Equal ones are checked anew: the live one as well, which stays.
    upload '/v1/meshes/required/versions?require_checks=1' islands.obj
    is_error 409 checks_failed
    upload '/v1/meshes/required/versions' whole.obj
    is "$(json '.deduplicated, .active' | tr '\n' ' ')" 'true true '
    upload '/v1/meshes/required/versions?require_checks=1' whole.obj
    is_error 409 checks_failed
    [[ $(json .detail) == 'version 1 is ready, but fails 1 of its checks, and was live before, and stays so: '* ]]
    is_live required 1
    put_checks required "{\"checks\":[$ACROSS]}"
    upload '/v1/meshes/required/versions?require_checks=1&activate=0' islands.obj
    is "$STATUS" 200
    is "$(json '.active, .checks[0].passed' | tr '\n' ' ')" 'false true '
    upload '/v1/meshes/required/versions?require_checks=1&force=1' whole.obj
    is_error 422 invalid_field
    is "$AT" force
    # Warnings are no matter of the checks.
    upload '/v1/meshes/required/versions?require_checks=1&agent.radius=0.31' whole.obj
    is "$STATUS" 201
}

@test "with strict=1 a version with warnings is an error and does not go live" {
    upload '/v1/meshes/strict_gate/versions?strict=1' whole.obj
    is "$STATUS" 201
    is "$(json .active)" true
    upload '/v1/meshes/strict_gate/versions?strict=1&agent.radius=0.31' whole.obj
    is_error 409 has_warnings
    [[ $(json .detail) == 'version 2 is ready, but has 1 kind of warnings, and is not live: warning value_clamped: '* ]]
    is_live strict_gate 1
    # The same once more; then without, which makes it live.
    upload '/v1/meshes/strict_gate/versions?strict=1&agent.radius=0.31' whole.obj
    is_error 409 has_warnings
    is_live strict_gate 1
    upload '/v1/meshes/strict_gate/versions?agent.radius=0.31' whole.obj
    is "$(json '.deduplicated, .active' | tr '\n' ' ')" 'true true '
    # Warnings of another body count as well.
    ask '/v1/meshes/bodies/versions?strict=1' -F geometry=@whole.obj -F 'config={"agents":{"rat":{"radius":0.31}}}'
    is_error 409 has_warnings
    [[ $(json .detail) == *': agent rat: warning value_clamped: '* ]]
    # A failed check comes first.
    put_checks strict_gate "{\"checks\":[$GAP]}"
    upload '/v1/meshes/strict_gate/versions?strict=1&require_checks=1' islands.obj
    is_error 409 checks_failed
    upload '/v1/meshes/strict_gate/versions?strict=1&force=1' whole.obj
    is_error 422 invalid_field
}

@test "a switch runs the checks that are set now, and the version keeps how they went last" {
    put_checks now "{\"checks\":[$GAP]}"
    upload '/v1/meshes/now/versions?wait=1' islands.obj
    is "$(json '.active, .checks[0].name' | tr '\n' ' ')" 'false gap '
    put_checks now "{\"checks\":[$ACROSS]}"
    ask /v1/meshes/now/versions/1
    is "$(json '.checks[0] | "\(.name) \(.passed)"')" 'gap false'
    put_active now 1
    is "$STATUS" 200
    ask /v1/meshes/now/versions/1
    is "$(json '.checks[0] | "\(.name) \(.passed)"')" 'across true'
    put_checks now '{"checks":[]}'
    is "$(json '.checks | length')" 0
    put_active now 1
    is "$STATUS" 200
    ask /v1/meshes/now/versions/1
    is "$(json '.checks | length')" 0
}

@test "positions of checks are the level's: with z_up as well" {
    # The square on its side: y of the level is depth, z is height.
    printf 'v 0 0 0\nv 20 0 0\nv 20 20 0\nv 0 20 0\nf 1 2 3 4\n' >z.obj
    put_checks zup '{"checks":[{"name":"x","start":[2,2,0],"end":[18,18,0],"expect":"reachable"}]}'
    upload '/v1/meshes/zup/versions?wait=1&coordinates=z_up' z.obj
    is "$STATUS" 201
    is "$(json '.active, .checks[0].detail' | tr '\n' ' ')" 'true the way is 22.627 long '
}

@test "checks that make no sense are refused whole, and the old ones stay" {
    put_checks strict "{\"checks\":[$ACROSS]}"
    local bad
    while IFS='|' read -r at bad; do
        put_checks strict "$bad"
        is_refused "$at"
    done <<'BAD'
checks|{}
checks|{"checks":{}}
checks[0]|{"checks":[1]}
checks[0].name|{"checks":[{"min_walkable_area":1}]}
checks[0].name|{"checks":[{"name":"","min_walkable_area":1}]}
checks[1].name|{"checks":[{"name":"a","min_walkable_area":1},{"name":"a","min_walkable_area":2}]}
checks[0].expect|{"checks":[{"name":"a"}]}
checks[0].expect|{"checks":[{"name":"a","expect":"near","start":[1,0,1],"end":[2,0,2]}]}
checks[0].end|{"checks":[{"name":"a","expect":"reachable","start":[1,0,1]}]}
checks[0].start|{"checks":[{"name":"a","expect":"on_mesh"}]}
checks[0].start|{"checks":[{"name":"a","expect":"reachable","start":[1,0],"end":[2,0,2]}]}
checks[0].max_length|{"checks":[{"name":"a","expect":"unreachable","start":[1,0,1],"end":[2,0,2],"max_length":4}]}
checks[0].max_length|{"checks":[{"name":"a","expect":"reachable","start":[1,0,1],"end":[2,0,2],"max_length":-4}]}
checks[0].min_walkable_area|{"checks":[{"name":"a","expect":"on_mesh","start":[1,0,1],"min_walkable_area":4}]}
checks[0].point|{"checks":[{"name":"a","expect":"reachable","point":[1,0,1],"end":[2,0,2]}]}
checks[0].start|{"checks":[{"name":"a","min_walkable_area":4,"start":[1,0,1]}]}
checks[0].snap|{"checks":[{"name":"a","expect":"on_mesh","start":[1,0,1],"snap":3}]}
BAD
    put_checks strict '{"checks":[{"name":"a","min_walkable_area":4,"note":"x"}]}'
    is_error 422 unknown_field
    put_checks strict '{"checks":[],"more":1}'
    is_error 422 unknown_field
    put_checks strict '{"checks":['
    is_error 400 bad_json
    put_checks strict "$(gojq -nc '{checks:[range(257)|{name:"c\(.)",min_walkable_area:1}]}')"
    is_error 422 invalid_field
    is "$(json .limit)" 256
    put_checks strict "$(gojq -nc '{checks:[{name:("x"*101),min_walkable_area:1}]}')"
    is_error 422 invalid_field
    gojq -nc '{checks:[range(200)|{name:("\(.)"+("y"*2000)),min_walkable_area:1}]}' >large.json
    put_checks strict @large.json
    is_error 413 body_too_large
    put_checks 'no%20name' "{\"checks\":[$ACROSS]}"
    is_error 422 invalid_field
    ask /v1/meshes/strict/checks -X POST
    is_error 405 method_not_allowed
    is "$(header Allow)" 'GET, HEAD, PUT'
    ask /v1/meshes/strict/checks
    is "$(json '[.checks[].name] | join(" ")')" across
}

@test "256 checks are fine" {
    put_checks many "$(gojq -nc '{checks:[range(256)|{name:"way \(.)",start:[2,0,2],end:[18,0,18],expect:"reachable"}]}')"
    is "$STATUS" 200
    upload '/v1/meshes/many/versions?wait=1' whole.obj
    is "$(json '[.checks[] | select(.passed)] | length')" 256
    is "$(json .active)" true
}

@test "checks survive a restart, and go with their mesh" {
    put_checks kept "{\"checks\":[$GAP]}"
    upload '/v1/meshes/kept/versions?wait=1' whole.obj
    is "$(json .active)" false
    stop_daemon
    start_daemon
    ask /v1/meshes/kept/checks
    is "$(json '.checks[0].name')" gap
    ask /v1/meshes/kept/versions/1
    is "$(json '.active, .checks[0].passed' | tr '\n' ' ')" 'false false '
    ask /v1/meshes/kept -X DELETE
    is "$STATUS" 204
    ask /v1/meshes/kept/checks
    is_error 404 mesh_not_found
    upload '/v1/meshes/kept/versions?wait=1' whole.obj
    is "$(json .active)" true
    # A name that has nothing but checks can be removed as well, and lives on afterwards.
    put_checks only "{\"checks\":[$ACROSS]}"
    ask /v1/meshes/only -X DELETE
    is "$STATUS" 204
    ask /v1/meshes/only -X DELETE
    is_error 404 mesh_not_found
    upload '/v1/meshes/only/versions?wait=1' whole.obj
    is "$(json .active)" true
    ask '/v1/meshes/only/nearest?point=5,0,5'
    is "$STATUS" 200
}
