#!/usr/bin/env bats
# Versions are numbered, listed, switched and rolled back at once, and deleted only when not live.

load helper

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    square_obj 20 >a.obj
    square_obj 30 >b.obj
    square_obj 40 >c.obj
    start_daemon
    for level in a b c; do
        bake_mesh yard $level.obj
    done
    bake_mesh other a.obj
}

@test "the list of meshes holds each by name" {
    ask /v1/meshes
    is "$STATUS" 200
    is "$(json '[.meshes[] | .name // .mesh] | sort | join(" ")')" 'other yard'
}

@test "one mesh comes with its versions and an ETag" {
    ask /v1/meshes/yard
    is "$STATUS" 200
    is "$(json '[.versions[].version] | sort | join(" ")')" '1 2 3'
    is "$(json '[.versions[] | select(.active).version] | join(" ")')" 3
    [ -n "$(header ETag)" ]
}

@test "versions can be listed and read one by one" {
    ask /v1/meshes/yard/versions
    is "$STATUS" 200
    is "$(json '.versions | length')" 3
    ask /v1/meshes/yard/versions/2
    is "$STATUS" 200
    is "$(json '.version, .state, .active' | tr '\n' ' ')" '2 ready false '
    is "$(json '.geometry.bounds.max | join(" ")')" '30 0 30'
}

@test "an unknown mesh and an unknown version are 404, each with its own code" {
    ask /v1/meshes/nowhere
    is_error 404 mesh_not_found
    ask /v1/meshes/yard/versions/9
    is_error 404 version_not_found
    ask /v1/meshes/nowhere/versions/1
    is_error 404 mesh_not_found
}

@test "the live version is switched and rolled back" {
    ask /v1/meshes/yard/active -X PUT -H 'Content-Type: application/json' -d '{"version":1}'
    is "$STATUS" 200
    is "$(json '.version, .previous' | tr '\n' ' ')" '1 3 '
    ask '/v1/meshes/yard/nearest?point=5,0,5'
    is "$(json .version)" 1
    ask /v1/meshes/yard/active -X PUT -H 'Content-Type: application/json' -d '{"version":3}'
    is "$(json '.version, .previous' | tr '\n' ' ')" '3 1 '
    ask '/v1/meshes/yard/nearest?point=5,0,5'
    is "$(json .version)" 3
}

@test "If-Match: a stale ETag is refused with 412 and changes nothing" {
    ask /v1/meshes/yard
    local etag
    etag=$(header ETag)
    ask /v1/meshes/yard/active -X PUT -H "If-Match: $etag" -H 'Content-Type: application/json' -d '{"version":2}'
    is "$STATUS" 200
    ask /v1/meshes/yard/active -X PUT -H "If-Match: $etag" -H 'Content-Type: application/json' -d '{"version":1}'
    is_error 412 stale_etag
    ask /v1/meshes/yard
    is "$(json '[.versions[] | select(.active).version] | join(" ")')" 2
    [ "$(header ETag)" != "$etag" ]
    ask /v1/meshes/yard/active -X PUT -H 'Content-Type: application/json' -d '{"version":3}'
    is "$STATUS" 200
}

@test "switching to a version that is not there is 404" {
    ask /v1/meshes/yard/active -X PUT -H 'Content-Type: application/json' -d '{"version":77}'
    is_error 404 version_not_found
    ask /v1/meshes/yard/active -X PUT -H 'Content-Type: application/json' -d '{"version":0}'
    is_error 422 invalid_field
    ask /v1/meshes/yard/active -X PUT -H 'Content-Type: application/json' -d '{"edition":1}'
    is_error 422 unknown_field
}

@test "queries go to the version that is asked for" {
    ask '/v1/meshes/yard/nearest?point=5,0,5&version=1'
    is "$STATUS" 200
    is "$(json .version)" 1
    ask '/v1/meshes/yard/nearest?point=5,0,5&version=99'
    is_error 404 version_not_found
}

@test "the live version cannot be deleted; another can, and its number is not used again" {
    upload '/v1/meshes/shrinking/versions?wait=1' a.obj
    upload '/v1/meshes/shrinking/versions?wait=1&activate=0' b.obj
    ask /v1/meshes/shrinking/versions/1 -X DELETE
    is_error 409 version_active
    ask /v1/meshes/shrinking/versions/2 -X DELETE
    is "$STATUS" 204
    ask /v1/meshes/shrinking/versions/2
    is_error 404 version_not_found
    bake_mesh shrinking c.obj
    is "$(json .version)" 3
}

@test "a mesh that is deleted is gone; the others stay" {
    bake_mesh doomed a.obj
    ask /v1/meshes/doomed -X DELETE
    is "$STATUS" 204
    ask /v1/meshes/doomed
    is_error 404 mesh_not_found
    ask '/v1/meshes/doomed/path?start=1,0,1&end=2,0,2'
    is_error 404 mesh_not_found
    ask '/v1/meshes/yard/nearest?point=5,0,5'
    is "$STATUS" 200
}
