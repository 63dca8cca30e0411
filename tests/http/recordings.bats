#!/usr/bin/env bats
# A question that asks for it is kept with its answer, whatever its kind; the answer's bytes are those of
# the question that is not recorded. Recordings are listed, handed out as files, and removed; they outlive
# the process, pin their version, and keep within their bound.

load helper

setup_file() {
    start_with town
    stop_daemon
    unset FILE_DAEMON
}

setup() {
    own_database
    cd "$BATS_TEST_TMPDIR"
    cp "$BATS_FILE_TMPDIR/town.obj" .
}

# A daemon that has the town.
town() { # options of the daemon
    cp "$BATS_FILE_TMPDIR/test.db" "$DB"
    start_daemon "$@"
}

WHERE='start=2,0,2&end=70,0,70'

@test "record=1 keeps a question and changes no byte of its answer; a batch is kept as one" {
    town
    ask "/v1/meshes/town/path?$WHERE"
    local plain=$BODY
    is "$(header X-Recording)" ''
    ask "/v1/meshes/town/path?$WHERE&record=1" -H 'X-Requested-With: bats'
    is "$BODY" "$plain"
    local id
    id=$(header X-Recording)
    [[ $id =~ ^[0-9A-Z]{26}$ ]]
    post_json /v1/meshes/town/path '{"start":[2,0,2],"end":[70,0,70],"record":true}'
    is "$BODY" "$plain"
    local queries='"queries":[{"kind":"path","start":[2,0,2],"end":[70,0,70]},{"kind":"wall","point":[2,0,2]}]'
    post_json /v1/meshes/town/batch "{$queries}"
    plain=$BODY
    post_json /v1/meshes/town/batch "{\"record\":true,$queries}"
    is "$BODY" "$plain"
    [ -n "$(header X-Recording)" ]
    ask /v1/recordings
    is "$(json '[.recordings[].kind] | join(" ")')" 'batch path path'
    is "$(json .count)" 3
    is "$(json '.recordings[2] | [.id, .cause, .mesh, .version, .status, .name] | map(tostring) | join(" ")')" \
        "$id asked town 1 200 null"
    is "$(json '.bytes == ([.recordings[].bytes] | add)')" true
    ask '/v1/recordings?limit=2'
    is "$(json '.next == .recordings[1].id')" true
    ask "/v1/recordings?limit=2&after=$(json .next)"
    is "$(json '[.recordings[].id, .next] | map(tostring) | join(" ")')" "$id null"
    # What only a whole request has is no member of a query in it.
    post_json /v1/meshes/town/batch '{"queries":[{"kind":"wall","point":[2,0,2],"record":true}]}'
    is_error 422 unknown_field
    is "$AT" 'queries[0].record'
    post_json /v1/meshes/town/paths '{"defaults":{"record":true},"queries":[{"start":[2,0,2],"end":[7,0,7]}]}'
    is_error 422 unknown_field
}

@test "packed questions are recorded by a member of their JSON" {
    town
    python3 - <<'PY'
import pathlib, struct
def paths(extra):
    return (b'NAVQ' + struct.pack('<7I', 1, 1, 0, 0, 0, 0, 0) + struct.pack('<3f', *[float('nan')] * 3) + bytes(48) +
            struct.pack('<I', len(extra)) + struct.pack('<6f', 2, 0, 2, 70, 0, 70) + extra)
def batch(extra):
    query = (struct.pack('<BBH4H3I', 5, 0, 0, 0, 0, 0, 0, 0, 0, 0) + struct.pack('<3f', 2, 0, 2) + bytes(12) +
             struct.pack('<4f', *[float('nan')] * 4) + bytes(8))
    return b'NAVB' + struct.pack('<5I', 1, 1, 0, len(extra), 0) + bytes(8) + query + extra
for name, make in (('paths', paths), ('batch', batch)):
    pathlib.Path(name).write_bytes(make(b''))
    pathlib.Path(name + '.record').write_bytes(make(b'{"record":true}'))
PY
    for kind in paths batch; do
        curl -sS -o plain -H "Content-Type: application/vnd.navmeshd.$kind" --data-binary @$kind "$BASE/v1/meshes/town/$kind"
        curl -sS -o kept -D headers -H "Content-Type: application/vnd.navmeshd.$kind" \
            --data-binary @$kind.record "$BASE/v1/meshes/town/$kind"
        cmp plain kept
        grep -q '^X-Recording: ' headers
    done
    ask /v1/recordings
    is "$(json '[.recordings[].kind] | join(" ")')" 'batch paths'
}

@test "POST /v1/recordings asks and records; what cannot be asked has its own error" {
    town
    ask "/v1/meshes/town/nearest?point=2,0,2&count=2"
    local plain=$BODY
    post_json /v1/recordings '{"name":"stuck at 3:12 <img onerror=x> \u00fc","question":{"kind":"nearest","count":2,"point":[2,0,2],"mesh":"town"}}'
    is "$STATUS" 201
    is "$(header Location)" "/v1/recordings/$(header X-Recording)"
    is "$(json .name)" 'stuck at 3:12 <img onerror=x> ü'
    is "$(jq -c .answer <<<"$BODY")" "$(jq -c . <<<"$plain")"
    # An answer that is an error is kept as well, once there is a mesh.
    post_json /v1/recordings '{"question":{"mesh":"town","kind":"path","start":[2,0,2],"end":[7,0,7],"filter":"boat"}}'
    is "$STATUS" 201
    is "$(json '[.status, .answer.code, .answer.at] | map(tostring) | join(" ")')" '422 invalid_field filter'
    post_json /v1/recordings '{"question":{"mesh":"town","kind":"path","start":[2,0,2]}}'
    is_refused question.end
    post_json /v1/recordings '{"question":{"mesh":"town","kind":"path","start":[2,"x",2],"end":[7,0,7]}}'
    is_refused 'question.start[1]'
    post_json /v1/recordings '{"question":{"mesh":"town","kind":"batch","queries":[{"kind":"wall","point":[2,0]}]}}'
    is_refused 'question.queries[0].point'
    post_json /v1/recordings '{"question":{"mesh":"town","kind":"wall","point":[2,0,2],"instance":"gone"}}'
    is_error 404 instance_not_found
    is "$AT" question.instance
    post_json /v1/recordings '{"question":{"mesh":"nowhere","kind":"path","start":[2,0,2],"end":[7,0,7]}}'
    is_error 404 mesh_not_found
    is "$AT" question.mesh
    post_json /v1/recordings '{"question":{"mesh":"town","instance":"gone","kind":"valid","points":[[2,0,2],[7,0,7]]}}'
    is_error 404 instance_not_found
    is "$AT" question.instance
    post_json /v1/recordings '{"question":{"mesh":"town","kind":"paths/../versions"}}'
    is_refused question.kind
    post_json /v1/recordings '{"question":{"mesh":"../etc","kind":"path"}}'
    is_error 422 invalid_field
    post_json /v1/recordings '{"question":{"mesh":"town","kind":"versions"}}'
    is_refused question.kind
    post_json /v1/recordings '{"question":{"mesh":"town","kind":"valid","points":[[2,0,2]]}}'
    is_refused question.instance
    post_json /v1/recordings '{"question":{"mesh":"town"}}'
    is_refused question.kind
    post_json /v1/recordings '{"name":"a\u0007b","question":{"mesh":"town","kind":"wall","point":[2,0,2]}}'
    is_refused name
    post_json /v1/recordings "{\"name\":\"$(printf 'a%.0s' {1..201})\",\"question\":{}}"
    is_refused name
    post_json /v1/recordings '{"question":[]}'
    is_refused question
    post_json /v1/recordings '{"question":{"mesh":"town","kind":"path","kind":"wall"}}'
    is_error 400 bad_json
    post_json /v1/recordings '{"question":{"mesh":"town","kind":"wall","point":[2,0,2],"poin":1}}'
    is_error 422 unknown_field
    is "$AT" question.poin
    ask /v1/recordings
    is "$(json .count)" 2
    ask '/v1/recordings?limit=0'
    is_refused limit
    local after
    for after in x '' 01M8BNW2TJB3SYHERYT1HWZBN 01m8bnw2tjb3syheryt1hwzbne 01M8BNW2TJB3SYHERYT1HWZBNEE; do
        ask "/v1/recordings?after=$after"
        is_refused after
    done
    ask '/v1/recordings?after=01M8BNW2TJB3SYHERYT1HWZBNE'
    is "$STATUS" 200
}

@test "a question of a version that is not ready has its own error, recorded or not" {
    town
    ask "/v1/meshes/town/path?$WHERE&version=77"
    is_error 404 version_not_found
    local plain
    plain=$(json '[.code, .detail, .at] | map(tostring) | join(" ")')
    ask "/v1/meshes/town/path?$WHERE&version=77&record=1" -H 'X-Requested-With: bats'
    is_error 404 version_not_found
    is "$(json '[.code, .detail, .at] | map(tostring) | join(" ")')" "$plain"
    post_json /v1/recordings '{"question":{"mesh":"town","kind":"path","version":77,"start":[2,0,2],"end":[7,0,7]}}'
    is_error 404 version_not_found
    is "$(json '[.code, .detail, .at] | map(tostring) | join(" ")')" "$plain"
    printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >wall.obj
    upload '/v1/meshes/town/versions?wait=1' wall.obj
    is "$STATUS" 422
    for record in '' '&record=1'; do
        ask "/v1/meshes/town/path?$WHERE&version=2$record" -H 'X-Requested-With: bats'
        is_error 409 version_not_ready
    done
    ask /v1/recordings
    is "$(json .count)" 0
}

@test "a GET that another site's page can send records nothing" {
    town
    ask "/v1/meshes/town/path?$WHERE&record=1"
    is_error 403 origin_not_allowed
    is "$AT" X-Requested-With
    ask /v1/recordings
    is "$(json .count)" 0
}

@test "states of instances that are too large together are refused before they are written" {
    town --limit instance_bytes=4194304 --limit instance_body_bytes=8388608
    # Far from the town, so that nothing is cut.
    awk 'BEGIN { printf "{\"obstacles\":{"
        for (i = 0; i < 1000; i++) {
            printf "%s\"o%d\":{\"shape\":\"convex\",\"points\":[", (i ? "," : ""), i
            for (k = 0; k < 16; k++) {
                printf "%s[%.6f,%.6f]", (k ? "," : ""), 5000.123457 + 3 * i + cos(k * 0.3926991), 5000.123457 + sin(k * 0.3926991)
            }
            printf "]}"
        }
        print "}}" }' >large.json
    local names='' name
    for name in {1..50}; do
        ask "/v1/meshes/town/instances/i$name" -X PUT -H 'Content-Type: application/json' --data-binary @large.json
        is "$STATUS" 201
        names+="${names:+,}{\"kind\":\"wall\",\"point\":[2,0,2],\"instance\":\"i$name\"}"
    done
    post_json /v1/meshes/town/batch "{\"record\":true,\"queries\":[$names]}"
    is_error 422 not_exportable
    post_json /v1/meshes/town/batch "{\"record\":true,\"queries\":[${names%%\},*}}]}"
    is "$STATUS" 200
    ask /v1/recordings
    is "$(json .count)" 1
}

@test "POST /v1/recordings asks about an instance as its address does" {
    town
    ask /v1/meshes/town/instances/run -X PUT -H 'Content-Type: application/json' -d '{}'
    post_json /v1/meshes/town/instances/run/valid '{"points":[[2,0,2],[3,0,3]]}'
    is "$STATUS" 200
    local plain=$BODY
    post_json /v1/recordings '{"question":{"mesh":"town","instance":"run","points":[[2,0,2],[3,0,3]],"kind":"valid"}}'
    is "$STATUS" 201
    is "$(jq -c .answer <<<"$BODY")" "$(jq -c . <<<"$plain")"
    post_json /v1/recordings '{"question":{"instance":"run","mesh":"town","kind":"wall","point":[2,0,2]}}'
    is "$STATUS" 201
    is "$(json .answer.instance)" run
    post_json /v1/recordings '{"question":{"instance":"run","instance":"run","mesh":"town","kind":"valid","points":[[2,0,2]]}}'
    is_error 400 bad_json
    post_json /v1/recordings '{"question":{"instance":7,"mesh":"town","kind":"valid","points":[[2,0,2]]}}'
    is_refused question.instance
    post_json /v1/recordings '{"question":{"instance":7,"mesh":"town","kind":"wall","point":[2,0,2]}}'
    is_refused question.instance
}

@test "a recording is a file; DELETE removes it; both are there after kill -9" {
    town
    ask "/v1/meshes/town/path?$WHERE&record=1" -H 'X-Requested-With: bats'
    local id
    id=$(header X-Recording)
    stop_daemon KILL
    start_daemon
    ask "/v1/recordings/$id"
    is "$STATUS" 200
    is "$(header Content-Type)" application/vnd.navmeshd.recording
    is "$(header Content-Disposition)" "attachment; filename=\"$id.navrec\""
    is "$(head -c 4 "$BATS_TEST_TMPDIR/body")" NAVC
    local size
    size=$(od -An -tu8 -j8 -N8 "$BATS_TEST_TMPDIR/body")
    echo "$size bytes before compression"
    [ "$size" -le 900000 ]
    for path in "/v1/recordings/$id" /v1/recordings/nothing /v1/recordings/..x; do
        ask "$path" -X DELETE
        is "$STATUS" "$([ "$path" = "/v1/recordings/$id" ] && echo 204 || echo 404)"
        ask "$path"
        is_error 404 recording_not_found
    done
    is "$(sqlite3 "$DB" 'SELECT count(*) FROM recordings')" 0
}

@test "a recording that was asked for pins its version and its mesh; force=1 deletes both" {
    town --keep-versions 1
    ask "/v1/meshes/town/path?$WHERE&record=1" -H 'X-Requested-With: bats'
    local id
    id=$(header X-Recording)
    upload '/v1/meshes/town/versions?wait=1&agent.radius=0.3' town.obj
    upload '/v1/meshes/town/versions?wait=1&agent.radius=0.4' town.obj
    ask /v1/meshes/town/versions
    is "$(json '[.versions[].version] | tostring')" '[1,3]'
    for path in /v1/meshes/town/versions/1 /v1/meshes/town; do
        ask "$path" -X DELETE
        is_error 409 version_recorded
        [[ $(json .detail) == *"mesh 'town' is recorded (1): delete these first, or with force=1: $id" ]]
    done
    stop_daemon KILL
    start_daemon --keep-versions 1
    ask "/v1/recordings/$id"
    is "$STATUS" 200
    ask "/v1/meshes/town/versions/1?force=1" -X DELETE
    is "$STATUS" 204
    ask "/v1/recordings/$id"
    is_error 404 recording_not_found
    ask "/v1/meshes/town/path?$WHERE&record=1" -H 'X-Requested-With: bats'
    id=$(header X-Recording)
    ask "/v1/recordings/$id" -X DELETE
    ask /v1/meshes/town -X DELETE
    is "$STATUS" 204
    stop_daemon
    "$NAVMESHD" verify --db "$DB"
}

@test "recordings keep within their bound: one more is refused" {
    town --recordings-bytes 4000
    local i
    for i in 1 2 3; do
        ask "/v1/meshes/town/path?$WHERE&record=1" -H 'X-Requested-With: bats'
        is "$STATUS" 200
    done
    ask "/v1/meshes/town/path?$WHERE&record=1" -H 'X-Requested-With: bats'
    is_error 507 recordings_full
    is "$(json .limit)" 4000
    ask "/v1/meshes/town/path?$WHERE"
    is "$STATUS" 200
    ask /v1/recordings
    is "$(json '.bytes <= .bytes_max and .count == 3')" true
}

@test "a recording whose file would be too large with its version is not made, nor is one that is there" {
    town
    ask "/v1/meshes/town/path?$WHERE&record=1" -H 'X-Requested-With: bats'
    local id
    id=$(header X-Recording)
    stop_daemon
    start_daemon --limit export_bytes=40000
    ask "/v1/recordings/$id"
    is_error 422 not_exportable
    is "$(json .limit)" 40000
    ask "/v1/meshes/town/path?$WHERE&record=1" -H 'X-Requested-With: bats'
    is_error 422 not_exportable
    [[ $BODY == *'--limit export_bytes='* ]]
    ask /v1/recordings
    is "$(json .count)" 1
    ask "/v1/meshes/town/path?$WHERE"
    is "$STATUS" 200
}

holds_bodies() {
    ask /v1/status
    [[ $BODY =~ \"bodies_bytes\":([0-9]+) ]] && [ "${BASH_REMATCH[1]}" -ge 350000 ]
}

@test "files that are made and sent share the memory of bodies in flight" {
    town --limit bodies_in_flight_bytes=400000
    ask "/v1/meshes/town/path?$WHERE&record=1" -H 'X-Requested-With: bats'
    local id i
    id=$(header X-Recording)
    # One after the other they have it for themselves.
    for i in 1 2; do
        ask "/v1/recordings/$id"
        is "$STATUS" 200
    done
    cp "$BATS_TEST_TMPDIR/body" alone
    exec 8<>"/dev/tcp/${ADDRESS%:*}/${ADDRESS##*:}"
    printf 'POST /v1/meshes/slow/versions HTTP/1.1\r\nHost: localhost\r\nContent-Type: model/obj\r\nContent-Length: 390000\r\n\r\n%380000s' v >&8
    wait_for holds_bodies
    ask "/v1/recordings/$id"
    is_error 503 overloaded
    is "$(header Retry-After)" 1
    exec 8>&-
    ask_until_ok "/v1/recordings/$id"
    cmp alone "$BATS_TEST_TMPDIR/body"
    ask /v1/status
    is "$(json .memory.bodies_bytes)" 0
}

@test "a question within a question keeps to the same limits of JSON" {
    town --limit json_values=8
    local question='"start":[2,0,2],"end":[70,0,70],"max_nodes":5'
    post_json /v1/meshes/town/path "{$question}"
    is_error 413 json_too_many_values
    post_json /v1/recordings "{\"question\":{\"mesh\":\"town\",\"kind\":\"path\",$question}}"
    is_error 413 json_too_many_values
    is "$(json .limit)" 8
    post_json /v1/recordings '{"question":{"mesh":"town","kind":"wall","point":[2,0,2]}}'
    is "$STATUS" 201
}

is_ready_or_failed() {
    ask "/v1/meshes/town/path?$WHERE&version=1"
    [ "$STATUS" != 503 ]
}

@test "a question whose answer is 500 records itself, and the recording goes with its version" {
    town
    upload '/v1/meshes/town/versions?wait=1&agent.radius=0.3' town.obj
    stop_daemon
    # A version that is not live, and without geometry cannot be baked again.
    sqlite3 "$DB" 'UPDATE blobs SET zstd = zeroblob(length(zstd)) WHERE id IN (SELECT blob FROM tiles WHERE id IN
        (SELECT tile FROM version_tiles WHERE version = 1)); DELETE FROM geometries'
    start_daemon
    wait_for is_ready_or_failed
    is_error 500 internal_error
    is "$(header X-Recording)" ''
    wait_log "event=recorded .*request=$(json .request_id) cause=failed mesh=town version=1 kind=path"
    ask /v1/recordings
    is "$(json '.recordings[0] | [.cause, .mesh, .version, .status] | map(tostring) | join(" ")')" 'failed town 1 500'
    # A question that went well does not, nor is there a file of a version that is damaged.
    local id
    id=$(json '.recordings[0].id')
    ask "/v1/recordings/$id"
    is_error 500 internal_error
    [[ $BODY == *"version 1 of mesh 'town' is damaged"* ]]
    ask "/v1/meshes/town/path?$WHERE"
    is "$STATUS" 200
    is "$(sqlite3 "$DB" "SELECT count(*) FROM recordings WHERE status <> 500")" 0
    ask /v1/meshes/town/versions/1 -X DELETE
    is "$STATUS" 204
    ask "/v1/recordings/$id"
    is_error 404 recording_not_found
}

@test "the file of a recording whose version is damaged waits for the repair, which it begins" {
    town
    upload '/v1/meshes/town/versions?wait=1&agent.radius=0.3' town.obj # the recording's version is not live then
    ask "/v1/meshes/town/path?$WHERE&version=1&record=1" -H 'X-Requested-With: bats'
    local id damage
    id=$(header X-Recording)
    ask "/v1/recordings/$id"
    cp "$BATS_TEST_TMPDIR/body" whole
    stop_daemon
    cp "$DB" whole.db
    for damage in "UPDATE version_landmarks SET fingerprint = 7, agent = 1 WHERE version = 1" \
        "DELETE FROM version_landmarks WHERE version = 1" \
        "UPDATE blobs SET zstd = zeroblob(length(zstd)) WHERE id IN (SELECT blob FROM tiles WHERE id IN
            (SELECT tile FROM version_tiles WHERE version = 1))"; do
        cp whole.db "$DB"
        sqlite3 "$DB" "$damage"
        start_daemon
        ask "/v1/recordings/$id"
        is_error 503 not_ready
        ask_until_ok "/v1/recordings/$id"
        cmp "$BATS_TEST_TMPDIR/body" whole
        stop_daemon
    done
}

@test "a recording that is damaged is told as that by GET and by verify, and takes no room from others" {
    town
    ask "/v1/meshes/town/path?$WHERE&record=1" -H 'X-Requested-With: bats'
    local id bytes
    id=$(header X-Recording)
    stop_daemon
    sqlite3 "$DB" "UPDATE recordings SET bundle = zeroblob(length(bundle))"
    run -1 "$NAVMESHD" verify --db "$DB"
    [[ $output == *"recording $id is damaged"* ]]
    for bytes in -5 9000000000000000000; do
        sqlite3 "$DB" "UPDATE recordings SET bytes = $bytes"
        start_daemon
        ask "/v1/recordings/$id"
        is_error 500 internal_error
        [[ $BODY == *"recording $id is damaged in the database"* ]]
        ask /v1/recordings
        is "$(json '"\(.bytes) \([.recordings[].bytes] | max)"')" '0 0'
        ask "/v1/meshes/town/path?$WHERE&record=1" -H 'X-Requested-With: bats'
        is "$STATUS" 200
        ask "/v1/recordings/$(header X-Recording)" -X DELETE
        stop_daemon
    done
    start_daemon
    ask "/v1/recordings/$id" -X DELETE
    is "$STATUS" 204
}

@test "names in a question that are none are told at their place" {
    town
    post_json /v1/recordings "{\"question\":{\"mesh\":\"../town\",\"kind\":\"path\",\"start\":[2,0,2],\"end\":[70,0,70]}}"
    is_refused question.mesh
    post_json /v1/recordings "{\"question\":{\"mesh\":\"town\",\"instance\":\"../x\",\"kind\":\"valid\",\"points\":[[2,0,2],[70,0,70]]}}"
    is_refused question.instance
    post_json /v1/recordings "{\"question\":{\"mesh\":\"town\",\"kind\":\"walk\",\"start\":[2,0,2],\"end\":[70,0,70]}}"
    is_refused question.kind
}

@test "without recordings a question that is to be recorded is refused, and others are answered" {
    town --recordings-bytes 0
    ask "/v1/meshes/town/path?$WHERE&record=1" -H 'X-Requested-With: bats'
    is_error 507 recordings_full
    is "$(json .detail)" 'recordings are off (--recordings-bytes 0): start the daemon with more, such as --recordings-bytes 67108864'
    post_json /v1/recordings '{"question":{"mesh":"town","kind":"path","start":[2,0,2],"end":[70,0,70]}}'
    is_error 507 recordings_full
    is "$(json .detail)" 'recordings are off (--recordings-bytes 0): start the daemon with more, such as --recordings-bytes 67108864'
    ask "/v1/meshes/town/path?$WHERE&record=0"
    is "$STATUS" 200
    ask /v1/recordings
    is "$(json '.count + .bytes_max')" 0
}

@test "whoever may ask may record and read; only an admin removes" {
    printf 'query qqqqqqqqqqqqqqqq\nbake bbbbbbbbbbbbbbbb\nworld wwwwwwwwwwwwwwww\nadmin aaaaaaaaaaaaaaaa\n' >tokens
    chmod 600 tokens
    start_daemon --token-file "$PWD/tokens"
    upload '/v1/meshes/town/versions?wait=1' town.obj model/obj -H 'Authorization: Bearer aaaaaaaaaaaaaaaa'
    ask "/v1/meshes/town/path?$WHERE&record=1" -H 'X-Requested-With: bats' -H 'Authorization: Bearer qqqqqqqqqqqqqqqq'
    is "$STATUS" 200
    local id scope
    id=$(header X-Recording)
    for scope in b w; do
        ask "/v1/recordings/$id" -H "Authorization: Bearer $(printf "$scope%.0s" {1..16})"
        is_error 403 token_scope
    done
    ask "/v1/recordings/$id" -H 'Authorization: Bearer qqqqqqqqqqqqqqqq'
    is "$STATUS" 200
    ask "/v1/recordings/$id" -X DELETE -H 'Authorization: Bearer qqqqqqqqqqqqqqqq'
    is_error 403 token_scope
    ask "/v1/meshes/town/versions/1?force=1" -X DELETE -H 'Authorization: Bearer bbbbbbbbbbbbbbbb'
    is_error 403 token_scope
    ask "/v1/recordings/$id" -X DELETE -H 'Authorization: Bearer aaaaaaaaaaaaaaaa'
    is "$STATUS" 204
}
