#!/usr/bin/env bats
# Damage in the database is named and repaired by a bake of the stored geometry and settings; where
# these are lost, an upload of the same level is a version that is whole; and nothing of it gets into
# an answer as it is.

load helper

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    "$LEVEL_MAKER" town --size 2 >town.obj
    "$LEVEL_MAKER" terrain >hills.obj
    # Two versions, of which the second is live. Most tests begin with this database, which is baked once.
    start_daemon
    upload_town
    is "$STATUS" 201
    upload_town '&agent.radius=0.4'
    is "$STATUS" 201
    stop_daemon
    export WHOLE=$DB
}

setup() {
    cd "$BATS_FILE_TMPDIR"
    own_database
}

verify() {
    VERIFIED=$("$NAVMESHD" verify --db "$DB" 2>/dev/null) && VERIFY_CODE=0 || VERIFY_CODE=$?
}

is_whole() {
    verify
    is "$VERIFY_CODE $VERIFIED" "0 $(grep '^ok: ' <<<"$VERIFIED")"
}

# 16 tiles.
TILES='cell_size=0.4&tile_cells=48'

upload_town() { # more of the query string
    upload "/v1/meshes/town/versions?wait=1&$TILES${1:-}" town.obj
}

damage() { # SQL
    sqlite3 "$DB" "$1"
}

asks_well() {
    ask "/v1/meshes/town/path?start=2,0,2&end=60,0,60${1:-}"
    is "$STATUS" 200
    is "$(json .status)" complete
}

# The test's own copy of those two versions, which no daemon holds yet.
fill() {
    cp "$WHOLE" "$DB"
}

# The first page that a row of this table goes on in now says that it is the last.
break_chain() { # table
    local page
    page=$(sqlite3 "$DB" "SELECT pageno FROM dbstat WHERE name = '$1' AND path LIKE '%+000000' LIMIT 1")
    is "$(sqlite3 "$DB" "SELECT count(*) > 0 FROM dbstat WHERE name = '$1' AND path LIKE '%+000001'")" 1
    printf '\0\0\0\0' | dd of="$DB" bs=1 seek=$(((page - 1) * 16384)) conv=notrunc status=none
}

# The versions that are damaged, as /v1/status has it.
damaged() {
    ask /v1/status
    json '[.damaged[] | "\(.mesh) \(.version) \(.mending)"] | join(", ")'
}

is_undamaged() {
    ask /v1/status
    [[ $BODY == *'"damaged":[]'* ]]
}

wait_whole() {
    wait_for is_undamaged
}

@test "an equal upload of a version that is damaged is one that is whole, and the other is repaired" {
    fill
    local damages=(
        "UPDATE blobs SET zstd = zeroblob(length(zstd))"
        "UPDATE blobs SET zstd = substr(zstd, 1, length(zstd) / 2)"
        "UPDATE tiles SET checksum = 0 WHERE id < 9"
        "UPDATE version_tiles SET checksum = 7 WHERE version = 1"
        "DELETE FROM version_tiles WHERE version = 1"
        "UPDATE version_landmarks SET zstd = zeroblob(length(zstd)) WHERE version = 1"
        "UPDATE geometries SET zstd = zeroblob(length(zstd))"
        "DELETE FROM geometries"
        "UPDATE versions SET warnings_json = CAST(x'5bff5d' AS TEXT), stats_json = NULL, blob_json = '{}', created_at = x'00' WHERE version = 1"
    )
    local one
    for one in "${damages[@]}"; do
        cp "$WHOLE" "$DB"
        start_daemon
        damage "$one"
        verify
        is "$VERIFY_CODE" 1
        upload_town '&activate=0'
        is "$STATUS" 201
        is "$(json '.version, .state, .deduplicated' | tr '\n' ' ')" '3 ready null '
        grep -q 'version_damaged mesh=town version=1 detail=' "$LOG"
        stop_daemon
        start_daemon
        wait_whole
        asks_well '&version=1'
        asks_well '&version=3'
        asks_well
        is "$(json .version)" 2
        upload_town '&activate=0'
        is "$STATUS" 200
        is "$(json '.version, .deduplicated' | tr '\n' ' ')" '3 true '
        ask /v1/meshes/town/versions/1
        is "$(json '.error, (.warnings | type), (.stats | type)' | tr '\n' ' ')" 'null array object '
        stop_daemon
        is_whole
    done
}

@test "settings that are lost, or another's, are told until the version is deleted; an equal upload is whole" {
    fill
    local one
    for one in "config_json = CAST(x'7b00ff' AS TEXT)" "geometry_hash = x'07'" \
        "config_json = replace(config_json, '\"tile_cells\":48', '\"tile_cells\":24'), stats_json = '{'"; do
        cp "$WHOLE" "$DB"
        damage "UPDATE versions SET $one WHERE version = 1"
        start_daemon
        upload_town '&activate=0'
        is "$STATUS $(json .version)" '201 3'
        wait_log 'version_not_repaired mesh=town version=1'
        is "$(damaged)" 'town 1 false'
        asks_well '&version=3'
        ask /v1/meshes/town/versions/1 -X DELETE
        is "$STATUS" 204
        is "$(damaged)" ''
        stop_daemon
        is_whole
        : >"$LOG"
    done
}

@test "a start finds damaged rows of tiles in a version that nobody asks for" {
    fill
    damage "UPDATE tiles SET checksum = 0 WHERE id IN (SELECT tile FROM version_tiles WHERE version = 1)
            AND id NOT IN (SELECT tile FROM version_tiles WHERE version = 2)"
    : >"$LOG"
    start_daemon
    wait_whole
    grep -q 'version_repaired mesh=town version=1' "$LOG"
    stop_daemon
    is_whole
}

@test "a start repairs all that geometry and settings give, live or not, and no upload is needed" {
    fill
    local damages=(
        "DELETE FROM version_tiles"
        "DELETE FROM version_tiles WHERE tile = (SELECT max(tile) FROM version_tiles WHERE version = 2)"
        "UPDATE version_tiles SET checksum = 0"
        "UPDATE version_tiles SET tile_x = tile_x + 1000; DELETE FROM blobs; DELETE FROM tiles"
        "UPDATE version_landmarks SET zstd = zeroblob(length(zstd))"
        "UPDATE version_landmarks SET zstd = x'', bytes = 5"
        "UPDATE version_landmarks SET agent = 3"
        "DELETE FROM version_landmarks"
        "UPDATE tiles SET key = zeroblob(32), report = NULL"
        "UPDATE versions SET stats_json = CAST(x'7bff7d' AS TEXT), timings_json = 'x', warnings_json = CAST(x'5bff5d' AS TEXT), geometry_json = '{', created_at = x'00'"
        "UPDATE versions SET blob_json = '{}', checks_json = '['"
    )
    local one version
    for one in "${damages[@]}"; do
        cp "$WHOLE" "$DB"
        damage "$one"
        verify
        is "$VERIFY_CODE" 1
        : >"$LOG"
        start_daemon
        # The live version is there when /readyz says so.
        asks_well
        is "$(json .version)" 2
        # The other one is at work, or comes to it when it is asked for.
        ask '/v1/meshes/town/path?start=2,0,2&end=60,0,60&version=1'
        [[ $STATUS == 200 || $STATUS == 503 ]]
        wait_whole
        asks_well '&version=1'
        asks_well
        for version in 1 2; do
            ask "/v1/meshes/town/versions/$version"
            is "$(json '.state, .error, (.stats | type), (.timings_ms | type), (.warnings | type), (.blob.sha256 | length), (.geometry.sha256 | length)' |
                tr '\n' ' ')" 'ready null object object array 64 64 '
        done
        ask /v1/meshes/town/versions
        is "$(json '.versions | length')" 2
        grep -q 'version_repaired mesh=town version=[12]' "$LOG"
        # Numbers are as they were, and nothing is left to complain about.
        stop_daemon
        is_whole
        is "$(sqlite3 "$DB" 'SELECT stats_json, json_extract(blob_json, "$.sha256") FROM versions ORDER BY version')" \
            "$(sqlite3 "$WHOLE" 'SELECT stats_json, json_extract(blob_json, "$.sha256") FROM versions ORDER BY version')"
    done
}

@test "damage that cannot be repaired is told by name of mesh, version and part, until an equal upload brings it back" {
    fill
    damage 'DELETE FROM version_tiles WHERE version = 2; DELETE FROM geometries'
    : >"$LOG"
    start_daemon
    grep -q 'mesh_not_loaded mesh=town version=2 detail=.*the list of its tiles' "$LOG"
    grep -q 'version_not_repaired mesh=town version=2 detail=.*its geometry' "$LOG"
    is "$(damaged)" 'town 2 false'
    ask /v1/status
    [[ $(json '.damaged[0].detail') == "version 2 of mesh 'town' is damaged in the database: its geometry. Upload it again or restore a backup"* ]]
    ask /metrics
    grep -q '^navmeshd_store_damaged 1$' <<<"$BODY"
    # The version is still called ready, since that is what its bake was; its error says the rest.
    ask /v1/meshes/town/versions/2
    is "$(json '.state, .error.code' | tr '\n' ' ')" 'ready internal_error '
    [[ $(json .error.detail) == "version 2 of mesh 'town' is damaged in the database: its geometry."* ]]
    ask /v1/meshes/town/versions
    is "$(json '[.versions[].error.code] | tostring')" '[null,"internal_error"]'
    ask '/v1/meshes/town/path?start=2,0,2&end=60,0,60'
    is_error 500 internal_error
    upload_town '&agent.radius=0.4'
    is "$STATUS $(json .version)" '201 3'
    wait_whole
    asks_well '&version=2'
    asks_well
    ask /v1/meshes/town/versions/2
    is "$(json .error)" null
    stop_daemon
    is_whole
}

is_given_up() {
    ask /v1/status
    [[ $BODY == *'"mending":false'* ]]
}

@test "a client that deletes a damaged version hears no more of it" {
    fill
    damage 'DELETE FROM version_tiles WHERE version = 1; DELETE FROM geometries'
    start_daemon
    wait_for is_given_up
    is "$(damaged)" 'town 1 false'
    ask /v1/meshes/town/versions/1 -X DELETE
    is "$STATUS" 204
    is "$(damaged)" ''
}

@test "checks that cannot be read let nothing go live by itself: 409 says so, force=1 overrides, a PUT ends it" {
    fill
    start_daemon
    post_json /v1/meshes/town/checks '{"checks":[{"name":"size","min_walkable_area":1}]}' -X PUT
    stop_daemon
    damage "UPDATE mesh_checks SET checks_json = '{'"
    start_daemon
    grep -q 'checks_damaged mesh=town' "$LOG"
    is "$(damaged)" 'town null false'
    # A version that is live already needs no check, and one that is not stays as it is.
    upload_town '&agent.radius=0.4'
    is "$STATUS $(json .active)" '200 true'
    upload_town
    is "$STATUS $(json .active)" '200 false'
    is "$(json '.checks[0] | .name, .passed' | tr '\n' ' ')" 'checks false '
    post_json /v1/meshes/town/active '{"version":1}' -X PUT
    is_error 409 checks_failed
    [[ $(json .detail) == *"the checks of mesh 'town' are damaged in the database: PUT them again"* ]]
    # A bake is not in vain: its version is ready, and waits.
    upload_town '&agent.radius=0.3'
    is "$STATUS $(json '.state, .active' | tr '\n' ' ')" '201 ready false '
    post_json '/v1/meshes/town/active?force=1' '{"version":1}' -X PUT
    is "$STATUS" 200
    post_json /v1/meshes/town/checks '{"checks":[{"name":"size","min_walkable_area":1}]}' -X PUT
    is "$(damaged)" ''
    post_json /v1/meshes/town/active '{"version":3}' -X PUT
    is "$STATUS" 200
}

@test "geometry in a row that leads nowhere: the version is served, and every message says that it takes a backup" {
    "$LEVEL_MAKER" city --size 3 >city.obj
    start_daemon
    bake_mesh city city.obj
    bake_mesh other town.obj
    stop_daemon
    break_chain geometries
    verify
    is "$VERIFY_CODE" 1
    grep -q 'the database itself is damaged, restore a backup' <<<"$VERIFIED"
    start_daemon
    ask '/v1/meshes/city/path?start=10,0,10&end=60,0,60'
    is "$STATUS" 200
    local mesh=city
    ask /v1/meshes/$mesh/versions/1/geometry
    [ "$STATUS" = 503 ] || mesh=other
    ask /v1/meshes/$mesh/versions/1/geometry
    is_error 503 store_unavailable
    [[ $(json .detail) == *'The database is damaged: restore a backup'* ]]
    upload "/v1/meshes/$mesh/versions?wait=1" $([ $mesh = city ] && echo city.obj || echo town.obj)
    is_error 503 store_unavailable
    [[ $(json .detail) == *'restore a backup'* ]]
    # It goes as any other does; the row stays, and stays told of.
    ask /v1/meshes/$mesh -X DELETE
    is "$STATUS" 204
}

@test "a mesh whose next number is damaged goes on behind the highest that is there" {
    fill
    for number in 0 -1 2 "'x'"; do
        cp "$WHOLE" "$DB"
        sqlite3 "$DB" "UPDATE meshes SET next_version = $number"
        start_daemon
        upload_town '&agent.radius=0.3'
        is "$STATUS $(json .version)" '201 3'
        upload_town '&agent.radius=0.2'
        is "$STATUS $(json .version)" '201 4'
        stop_daemon
    done
}

@test "numbers that cannot be keep no daemon from starting, and no version from going live" {
    fill
    local one
    for one in "UPDATE versions SET state = 'queued', version = 4294967296 WHERE version = 1" \
        "UPDATE versions SET version = 4294967296 WHERE version = 1" \
        "UPDATE meshes SET active = 4294967296" "UPDATE meshes SET activation = 'x'" \
        "UPDATE meshes SET activation = -1"; do
        cp "$WHOLE" "$DB"
        damage "$one"
        verify
        is "$VERIFY_CODE" 1
        start_daemon
        post_json /v1/meshes/town/active '{"version":2}' -X PUT
        is "$STATUS" 200
        asks_well
        upload_town '&agent.radius=0.3'
        is "$STATUS $(json '.version, .active' | tr '\n' ' ')" '201 3 true '
        asks_well '&version=3'
        stop_daemon
    done
}

@test "a row of a tile with any damage is one that a start repairs" {
    fill
    local one
    for one in "UPDATE tiles SET hash = NULL" "UPDATE tiles SET blob = NULL" "UPDATE tiles SET bytes = 0" \
        "UPDATE tiles SET bytes = 'x'" "UPDATE tiles SET bytes = -1, hash = x'07'" \
        "UPDATE tiles SET blob = -1" "UPDATE tiles SET blob = 4294967296"; do
        cp "$WHOLE" "$DB"
        damage "$one WHERE id < 4"
        start_daemon
        asks_well
        ask '/v1/meshes/town/path?start=2,0,2&end=60,0,60&version=1'
        wait_whole
        asks_well '&version=1'
        stop_daemon
        is_whole
    done
}

@test "a mesh whose row is lost begins anew, and takes nothing of the old one" {
    fill
    damage 'DELETE FROM meshes'
    start_daemon
    upload_town
    is "$STATUS $(json '.version, .state' | tr '\n' ' ')" '201 1 ready '
    asks_well
    ask /v1/meshes/town/versions
    is "$(json '.versions | length')" 1
}

@test "an upload of the same meanwhile gets the version that is being baked" {
    fill
    start_daemon
    damage 'UPDATE blobs SET zstd = zeroblob(length(zstd))'
    local i pids=()
    for i in 1 2 3 4; do
        curl -sS -o "reply$i" -X POST -H 'Content-Type: model/obj' --data-binary @town.obj \
            "$BASE/v1/meshes/town/versions?wait=1&$TILES" 3>&- &
        pids+=($!)
    done
    wait "${pids[@]}"
    is "$(gojq -s '[.[].version] | unique | tostring' -r reply[1-4])" '[3]'
    ask /v1/meshes/town/versions
    is "$(json '.versions | length')" 3
}

# One tile, whose bytes go on in other pages.
upload_hills() {
    upload '/v1/meshes/hills/versions?wait=1&tile_cells=0&detail_sample_distance=2&detail_max_error=0.2' hills.obj
}

@test "a tile whose pages lead nowhere is named, and baked again to another row" {
    start_daemon
    upload_hills
    is "$STATUS" 201
    stop_daemon
    break_chain blobs
    verify
    is "$VERIFY_CODE" 1
    grep -q "version 1 of mesh 'hills' is damaged in the database: tile 0,0" <<<"$VERIFIED"
    start_daemon
    grep -q 'version_repaired mesh=hills version=1' "$LOG"
    ask '/v1/meshes/hills/path?start=10,0,10&end=60,0,60'
    is "$STATUS" 200
    upload_hills
    is "$STATUS" 200
    stop_daemon
    # Of the version nothing is left to complain about; the row that cannot be removed is.
    verify
    lacks -q hills <<<"$VERIFIED"
    grep -q 'restore a backup: 1 rows belong to nothing' <<<"$VERIFIED"
    # And the version goes as any other does.
    start_daemon
    ask /v1/meshes/hills -X DELETE
    is "$STATUS" 204
}

@test "texts that are none: every answer is JSON, and says which version is damaged" {
    fill
    start_daemon
    local column path
    for column in state created_at geometry_json config_json blob_json stats_json timings_json warnings_json checks_json; do
        stop_daemon
        cp "$WHOLE" "$DB"
        sqlite3 "$DB" "PRAGMA ignore_check_constraints = 1; UPDATE versions SET $column = CAST(x'7b22610022ff0a3a317d' AS TEXT) WHERE version = 1"
        verify
        is "$VERIFY_CODE" 1
        iconv -f UTF-8 -t UTF-8 <<<"$VERIFIED" >/dev/null
        grep -q "^version 1 of mesh 'town' is damaged in the database: its row" <<<"$VERIFIED"
        : >"$LOG"
        start_daemon
        for path in /v1/meshes /v1/meshes/town /v1/meshes/town/versions /v1/meshes/town/versions/1 \
            '/v1/meshes/town/versions/diff?from=1&to=2' /v1/meshes/town/checks; do
            ask "$path"
            cat "$BATS_TEST_TMPDIR/body" >>answers
        done
        gojq . answers >/dev/null
        lacks -q $'\xff' answers
        # The state and the settings are nowhere else; all other texts come back by themselves.
        if [[ $column = state || $column = config_json ]]; then
            wait_log 'version_not_repaired mesh=town version=1'
            ask /v1/meshes/town/versions/1
            is "$STATUS" 200
            is "$(json '.error.code')" internal_error
            [[ $(json .error.detail) == "version 1 of mesh 'town' is damaged in the database: "*'Upload it again'* ]]
        else
            wait_log 'version_repaired mesh=town version=1'
            ask /v1/meshes/town/versions/1
            is "$STATUS $(json '.error')" '200 null'
        fi
        ask /v1/meshes/town/versions
        is "$(json '[.versions[].version] | tostring')" '[1,2]'
        asks_well
        lacks -q $'\xff' "$LOG"
    done
    stop_daemon
    # A mesh whose name is damaged is left out, and told of; the others answer.
    cp "$WHOLE" "$DB"
    start_daemon
    upload '/v1/meshes/yard/versions?wait=1' <(square_obj 20)
    is "$STATUS" 201
    stop_daemon
    sqlite3 "$DB" "UPDATE meshes SET name = CAST(x'746fff0041' AS TEXT) WHERE name = 'town'"
    : >"$LOG"
    start_daemon
    grep -q 'mesh_not_loaded mesh="" version=2 detail="the name of a mesh, or the number' "$LOG"
    ask /v1/meshes
    is "$(json '[.meshes[].mesh] | tostring')" '["yard"]'
    verify
    is "$(head -n 1 <<<"$VERIFIED")" 'the database itself is damaged, restore a backup: the row of mesh number 1'
    # Checks of a mesh.
    sqlite3 "$DB" "INSERT INTO mesh_checks VALUES ('yard', '')"
    ask /v1/meshes/yard/checks
    is_error 500 internal_error
    [[ $(json .detail) == "the checks of mesh 'yard' are damaged"*'PUT them again'* ]]
    post_json /v1/meshes/yard/checks '{"checks":[]}' -X PUT
    is "$STATUS" 200
}

is_judged() {
    ask '/v1/meshes/town/path?start=2,0,2&end=60,0,60&version=1'
    [ "$STATUS" != 503 ]
}

@test "damage of a version that is not live: the answer says which tile, and what to do" {
    fill
    sqlite3 "$DB" 'UPDATE blobs SET zstd = zeroblob(length(zstd)) WHERE id IN (SELECT blob FROM tiles WHERE id IN (SELECT tile FROM version_tiles WHERE version = 1))'
    cp "$DB" "$DB.tiles"
    start_daemon
    # The first question sets it going, and the version is whole a moment later.
    ask '/v1/meshes/town/path?start=2,0,2&end=60,0,60&version=1'
    is_error 503 not_ready
    is "$(header Retry-After)" 1
    [[ $(json .detail) == "version 1 of mesh 'town' is damaged in the database: tile "*'It is being baked again'* ]]
    [[ $(json .at) == 'tile '* ]]
    wait_whole
    asks_well '&version=1'
    stop_daemon
    is_whole
    # Without its geometry it is left as it is.
    cp "$DB.tiles" "$DB"
    sqlite3 "$DB" 'DELETE FROM geometries'
    start_daemon
    wait_for is_judged
    is_error 500 internal_error
    [[ $(json .detail) == "version 1 of mesh 'town' is damaged in the database: tile "*'Upload it again or restore a backup'* ]]
    [[ $(json .at) == 'tile '* ]]
    post_json /v1/meshes/town/active '{"version":1}' -X PUT
    is_error 500 internal_error
    ask '/v1/meshes/town/versions/diff?from=1&to=2'
    is_error 500 internal_error
    asks_well
}

@test "landmarks whose pages are damaged: every version is served without" {
    local table page
    for table in version_landmarks sqlite_autoindex_version_landmarks_1 version_landmarks_by_fingerprint; do
        rm -f "$DB"*
        fill
        page=$(damage "SELECT rootpage FROM sqlite_schema WHERE name = '$table'")
        tr '\0' '\245' </dev/zero 2>/dev/null | dd of="$DB" bs=16384 seek=$((page - 1)) count=1 iflag=fullblock conv=notrunc status=none
        start_daemon
        asks_well
        asks_well '&version=1'
        # An equal upload finds a version that is not whole, and has nowhere to store landmarks.
        upload_town
        if [[ $table == *_by_fingerprint ]]; then
            is "$STATUS" 200
        else
            is_error 503 store_unavailable
            [[ $BODY == *'restore a backup'* ]]
        fi
        stop_daemon
        is "$EXIT_CODE" 0
    done
}

@test "a table that is one to SQLite, but has other columns, is refused at the start and by verify" {
    fill
    damage "ALTER TABLE versions RENAME COLUMN reuse TO reusf"
    run timeout 20 "$NAVMESHD" --db "$DB" --listen 127.0.0.1:0
    is "$status" 1
    [[ "$output" == *'it is damaged, put a backup in its place: no table versions'* ]]
    run "$NAVMESHD" verify --db "$DB"
    is "$status" 1
    [[ "$output" == *'no table versions'* ]]
}
