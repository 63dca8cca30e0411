#!/usr/bin/env bats
# A version's life: queued with a bound, baked, waited for, cancelled, switched, rolled back, removed;
# whoever guards a switch with an ETag loses no race, and several at once leave one answer.

load helper

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    local size
    for size in 20 22 24 26; do
        square_obj $size >s$size.obj
    done
    square_obj 500 >wide.obj
    start_daemon --workers 1
    for size in 20 22 24; do
        bake_mesh yard s$size.obj
    done
}

put_active() { # mesh version [curl options]
    local mesh=$1 version=$2
    shift 2
    ask "/v1/meshes/$mesh/active" -X PUT -H 'Content-Type: application/json' -d "{\"version\":$version}" "$@"
}

# Many questions at the same time, each over a connection of its own.
at_once() { # curl options
    curl --no-progress-meter --parallel --parallel-immediate --parallel-max 100 "$@" 3>&-
}

# Sets VALUE to a mesh's ETag.
take_etag() { # mesh
    ask "/v1/meshes/$1"
    take_header ETag
}

# A bake that takes longer than any test: the only worker is at it until it is cancelled.
slow_upload() { # mesh
    upload "/v1/meshes/$1/versions?cell_size=0.05&tile_cells=64&reuse=0" wide.obj
    is "$STATUS" 202
    VERSION=$(json .version)
}

bakes_one() {
    ask /v1/status
    [[ $BODY == *'"baking":1'* ]]
}

@test "the queue has a bound: 429 with Retry-After, nothing is stored, and room is used again" {
    slow_upload blocker
    local blocker=$VERSION i
    wait_for bakes_one
    for ((i = 0; i < 64; i++)); do
        upload "/v1/meshes/q$i/versions" s20.obj
        is "$STATUS" 202
        [[ $BODY == *'"state":"queued"'* ]]
    done
    upload /v1/meshes/toomany/versions s20.obj
    is_error 429 bake_queue_full
    is "$(json .limit)" 64
    is "$(header Retry-After)" 1
    ask /v1/meshes/toomany
    is_error 404 mesh_not_found
    # Cancelled while queued: it makes room, and stays listed until it is deleted.
    ask /v1/meshes/q5/versions/1 -X DELETE
    is "$(json '.state, .active' | tr '\n' ' ')" 'cancelled false '
    ask /v1/meshes/q5/versions/1
    is "$(json .state)" cancelled
    put_active q5 1
    is_error 409 version_not_ready
    upload /v1/meshes/toomany/versions s20.obj
    is "$STATUS" 202
    ask /v1/meshes/q5/versions/1 -X DELETE
    is "$STATUS" 204
    # A version that waits cannot be asked or made live.
    ask '/v1/meshes/q6/nearest?point=5,0,5'
    is_error 409 version_not_ready
    put_active q6 1
    is_error 409 version_not_ready
    # The running one is cancelled, too; then all the others come to their end.
    ask /v1/meshes/blocker/versions/$blocker -X DELETE
    is "$(json .state)" cancelled
    wait_version /v1/meshes/toomany/versions/1
    is "$(json '.state, .active' | tr '\n' ' ')" 'ready true '
    wait_version /v1/meshes/q63/versions/1
    is "$(json .state)" ready
    ask /v1/meshes/blocker/versions/$blocker
    is "$(json .state)" cancelled
}

@test "uploads of a level while its mesh is removed again and again: a version, or 409, never another answer" {
    local i
    for i in 1 2; do
        (
            mkdir "$BATS_TEST_TMPDIR/$i"
            BATS_TEST_TMPDIR=$BATS_TEST_TMPDIR/$i DAEMON_PID=
            for ((n = 0; n < 60; n++)); do
                upload /v1/meshes/fleeting/versions s20.obj
                echo "$STATUS"
            done
        ) >"$BATS_TEST_TMPDIR/codes$i" 3>&- &
        local sender$i=$!
    done
    while kill -0 "$sender1" 2>/dev/null || kill -0 "$sender2" 2>/dev/null; do
        ask /v1/meshes/fleeting -X DELETE
        [[ $STATUS == 204 || $STATUS == 404 ]]
    done
    wait "$sender1" "$sender2"
    is "$(cat "$BATS_TEST_TMPDIR"/codes? | grep -cE '^(200|201|202|409)$')" 120
}

@test "a client that waits hears of the cancel" {
    slow_upload held
    local held=$VERSION
    (
        BATS_TEST_TMPDIR=$BATS_TEST_TMPDIR/waiter
        mkdir -p "$BATS_TEST_TMPDIR"
        upload '/v1/meshes/waits/versions?wait=1' s20.obj
        printf '%s %s' "$STATUS" "$(json .code)" >waited
    ) 3>&- &
    local pid=$!
    ask_until_ok /v1/meshes/waits/versions/1
    ask /v1/meshes/waits/versions/1 -X DELETE
    wait $pid
    is "$(cat waited)" '409 cancelled'
    ask /v1/meshes/held/versions/$held -X DELETE
}

@test "a client that waits for a version that is removed hears 409, whether its bake had ended or not" {
    slow_upload blocker
    local blocker=$VERSION i status code
    # With its mesh, before its bake.
    (
        DAEMON_PID= BATS_TEST_TMPDIR=$BATS_TEST_TMPDIR/waits
        mkdir "$BATS_TEST_TMPDIR"
        upload '/v1/meshes/goes/versions?wait=1' s20.obj
        printf '%s %s' "$STATUS" "$(json .code)" >goes.txt
    ) 3>&- &
    local waits=$!
    ask_until_ok /v1/meshes/goes
    ask /v1/meshes/goes -X DELETE
    is "$STATUS" 204
    wait "$waits"
    is "$(cat goes.txt)" '409 cancelled'
    ask "/v1/meshes/blocker/versions/$blocker" -X DELETE
    # At any moment: it is baked, or it is gone; never "not found". On a busy machine it may still be queued
    # when the wait is over.
    for i in {21..32}; do
        printf '%s\n' next "url = $BASE/v1/meshes/race/versions?wait=1&activate=0&cell_size=0.$i" 'header = "Content-Type: model/obj"' \
            'data-binary = @s20.obj' "output = removal$i.json" "write-out = $i:%{http_code}\n" next \
            "url = $BASE/v1/meshes/race" 'request = DELETE' 'output = /dev/null'
    done >race.cfg
    at_once -K race.cfg >removals
    is "$(wc -l <removals)" 12
    while read -r status code; do
        [[ "$status $code" =~ ^(201 ready|202 queued|202 baking|409 cancelled)$ ]] || {
            echo "$status $code"
            return 1
        }
    done < <(paste -d ' ' <(sort removals | cut -d : -f 2) <(gojq -r '.code // .state' removal{21..32}.json))
}

@test "GET of a mesh: 304 as long as nothing about it has changed" {
    local etag length
    take_etag yard
    etag=$VALUE
    ask /v1/meshes/yard
    length=$(header Content-Length)
    ask /v1/meshes/yard -H "If-None-Match: $etag"
    is "$STATUS" 304
    is "$BODY" ''
    # Its length, if it tells one, is that of the 200 (RFC 9110, 8.6): caches take it over.
    is "$(header Content-Length)" "$length"
    is "$(header ETag)" "$etag"
    ask /v1/meshes/yard -H 'If-None-Match: "other", '"$etag"
    is "$STATUS" 304
    ask /v1/meshes/yard -H "If-None-Match: W/$etag"
    is "$STATUS" 304
    ask /v1/meshes/yard -H 'If-None-Match: *'
    is "$STATUS" 304
    ask /v1/meshes/yard -H 'If-None-Match: "other"'
    is "$STATUS" 200
    # A version that is added is news, though the live one is the same.
    upload '/v1/meshes/yard/versions?wait=1&activate=0' s26.obj
    ask /v1/meshes/yard -H "If-None-Match: $etag"
    is "$STATUS" 200
    [ "$(header ETag)" != "$etag" ]
    # ... but no reason to refuse a switch.
    put_active yard 1 -H "If-Match: $etag"
    is "$STATUS" 200
    take_header ETag
    etag=$VALUE
    take_etag yard
    is "$VALUE" "$etag"
}

@test "If-Match: of two who read the same state one wins, the other hears of it" {
    put_active yard 3
    local etag
    take_etag yard
    etag=$VALUE
    put_active yard 1 -H "If-Match: $etag"
    is "$STATUS" 200
    local after
    after=$(header ETag)
    put_active yard 2 -H "If-Match: $etag"
    is_error 412 stale_etag
    put_active yard 2 -H 'If-Match: "nonsense"'
    is_error 412 stale_etag
    put_active yard 2 -H "If-Match: W/$after"
    is_error 412 stale_etag
    put_active yard 2 -H "If-Match: \"x\", $after"
    is "$STATUS" 200
    put_active yard 3 -H 'If-Match: *'
    is "$STATUS" 200
    put_active none 3 -H "If-Match: $after"
    is_error 404 mesh_not_found
    ask /v1/meshes/yard
    is "$(json .active)" 3
}

@test "If-Match guards the removal of a mesh, too" {
    bake_mesh going s20.obj
    ask /v1/meshes/going
    local before
    before=$(header ETag)
    bake_mesh going s22.obj
    ask /v1/meshes/going -X DELETE -H "If-Match: $before"
    is_error 412 stale_etag
    ask /v1/meshes/going
    is "$(json .active)" 2
    ask /v1/meshes/going -X DELETE -H "If-Match: $(header ETag)"
    is "$STATUS" 204
    ask /v1/meshes/going -X DELETE -H 'If-Match: *'
    is_error 404 mesh_not_found
}

@test "the first switch of a mesh can be guarded as well" {
    upload '/v1/meshes/first/versions?wait=1&activate=0' s20.obj
    local etag
    take_etag first
    etag=$VALUE
    put_active first 1 -H "If-Match: $etag"
    is "$STATUS" 200
    put_active first 1 -H "If-Match: $etag"
    is_error 412 stale_etag
}

@test "of many guarded switches at once exactly one wins" {
    local round etag
    for round in 1 2 3 4 5; do
        take_etag yard
        etag=$VALUE
        # Away from the version that is live.
        local to=$((round % 2 + 1))
        at_once -o '/dev/null#1' -w '%{http_code}\n' -X PUT -H "If-Match: $etag" -H 'Content-Type: application/json' \
            -d "{\"version\":$to}" "$BASE/v1/meshes/yard/active#[1-8]" >race.txt
        is "$(cat race.txt | sort | uniq -c | awk '{print $1 "x" $2}' | tr '\n' ' ')" '1x200 7x412 '
    done
}

@test "uploads and switches at once: all succeed, and all agree on who is live" {
    local i
    for i in 1 2 3 4 5 6; do
        square_obj $((30 + i)) >r$i.obj
        printf '%s\n' next "url = $BASE/v1/meshes/yard/versions?wait=1" 'header = "Content-Type: model/obj"' \
            "data-binary = @r$i.obj" 'output = /dev/null' 'write-out = up:%{http_code}\n' next \
            "url = $BASE/v1/meshes/yard/active" 'request = PUT' 'header = "Content-Type: application/json"' \
            'data = "{\"version\":'$((i % 3 + 1))'}"' 'output = /dev/null' 'write-out = switch:%{http_code}\n'
    done >both.cfg
    is "$(at_once -K both.cfg | sort | uniq -c | awk '{print $1 "x" $2}' | xargs)" '6xswitch:200 6xup:201'
    ask /v1/meshes/yard
    local live
    live=$(json .active)
    is "$(json '[.versions[] | select(.active).version] | join(" ")')" "$live"
    ask '/v1/meshes/yard/nearest?point=5,0,5'
    is "$(json .version)" "$live"
}

@test "a version that is kept is not counted as kept while it is live" {
    local i before
    for i in 1 2; do
        square_obj $((60 + i)) >b$i.obj
        bake_mesh beside b$i.obj
    done
    ask /v1/status
    before=$(gojq -c .kept <<<"$BODY")
    ask '/v1/meshes/beside/nearest?point=5,0,5&version=1'
    is "$(json .version)" 1
    ask /v1/status
    is "$(json .kept.meshes)" $(($(gojq .meshes <<<"$before") + 1))
    post_json /v1/meshes/beside/active '{"version":1}' -X PUT
    is "$STATUS" 200
    ask /v1/status
    is "$(gojq -c .kept <<<"$BODY")" "$before"
}

@test "a version that is asked by its number is not loaded anew each time, and is gone when deleted" {
    local i
    for i in 1 2 3; do
        square_obj $((50 + i)) >k$i.obj
        bake_mesh kept k$i.obj
    done
    ask /v1/status
    local before=$BODY
    ask '/v1/meshes/kept/nearest?point=5,0,5&version=1'
    is "$(json .version)" 1
    ask /v1/status
    is "$(json .kept.meshes)" $(($(gojq .kept.meshes <<<"$before") + 1))
    [ "$(json .kept.memory_bytes)" -gt "$(gojq .kept.memory_bytes <<<"$before")" ]
    # A daemon that still answers once the tiles on disk are damaged has them in memory.
    sqlite3 "$DB" "UPDATE blobs SET zstd = substr(zstd, 1, length(zstd) / 2) WHERE id IN
        (SELECT c.blob FROM tiles c JOIN version_tiles t ON t.tile = c.id JOIN meshes m ON m.id = t.mesh WHERE m.name = 'kept');
        DELETE FROM geometries WHERE hash IN
        (SELECT geometry_hash FROM versions v JOIN meshes m ON m.id = v.mesh WHERE m.name = 'kept')"
    ask '/v1/meshes/kept/nearest?point=5,0,5&version=1'
    is "$STATUS" 200
    # Nor is there anything to bake them from again.
    ask '/v1/meshes/kept/nearest?point=5,0,5&version=2'
    is_error 503 not_ready
    wait_log 'version_not_repaired mesh=kept version=2'
    ask '/v1/meshes/kept/nearest?point=5,0,5&version=2'
    is_error 500 internal_error
    # It can even be made live; a version that cannot be loaded cannot.
    put_active kept 1
    is "$STATUS" 200
    put_active kept 2
    is_error 500 internal_error
    ask '/v1/meshes/kept/nearest?point=5,0,5'
    is "$(json .version)" 1
    put_active kept 3
    is_error 503 not_ready
    wait_log 'version_not_repaired mesh=kept version=3'
    put_active kept 3
    is_error 500 internal_error
    upload '/v1/meshes/dropped/versions?wait=1' s20.obj
    upload '/v1/meshes/dropped/versions?wait=1' s22.obj
    ask '/v1/meshes/dropped/nearest?point=5,0,5&version=1'
    is "$STATUS" 200
    ask /v1/meshes/dropped/versions/1 -X DELETE
    is "$STATUS" 204
    ask '/v1/meshes/dropped/nearest?point=5,0,5&version=1'
    is_error 404 version_not_found
    ask /v1/meshes/dropped -X DELETE
    ask '/v1/meshes/dropped/nearest?point=5,0,5&version=2'
    is_error 404 mesh_not_found
}

@test "activate=0 stays off until it is switched on; a roll-back is a switch like any other" {
    upload '/v1/meshes/back/versions?wait=1' s20.obj
    upload '/v1/meshes/back/versions?wait=1&activate=0' s22.obj
    is "$(json '.state, .active' | tr '\n' ' ')" 'ready false '
    ask '/v1/meshes/back/nearest?point=5,0,5'
    is "$(json .version)" 1
    put_active back 2
    is "$(json '.version, .previous' | tr '\n' ' ')" '2 1 '
    put_active back 1
    is "$(json '.version, .previous' | tr '\n' ' ')" '1 2 '
    put_active back 1
    is "$(json '.version, .previous' | tr '\n' ' ')" '1 1 '
    stop_daemon KILL
    start_daemon --workers 1
    ask '/v1/meshes/back/nearest?point=5,0,5'
    is "$(json .version)" 1
    ask /v1/meshes/back/versions/1 -X DELETE
    is_error 409 version_active
}
