#!/usr/bin/env bats
# What is damaged in the database is named and made whole again by an upload of the same level, and
# nothing of it gets into an answer as it is.

load helper

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    "$MAKELEVEL" town >town.obj
    "$MAKELEVEL" terrain >hills.obj
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

upload_town() { # more of the query string
    upload "/v1/meshes/town/versions?wait=1&tile_cells=64${1:-}" town.obj
}

damage() { # SQL
    sqlite3 "$DB" "$1"
}

asks_well() {
    ask "/v1/meshes/town/path?start=2,0,2&end=70,0,70${1:-}"
    is "$STATUS" 200
    is "$(json .status)" complete
}

# Two versions, of which the second is live, and a daemon that has just started and holds neither
# but the live one.
fill() {
    start_daemon
    upload_town
    is "$STATUS" 201
    upload_town '&agent.radius=0.4'
    is "$STATUS" 201
    stop_daemon
    cp "$DB" "$DB.whole"
}

@test "an equal upload of a version with damaged tiles is baked again, and both are whole" {
    fill
    local damages=(
        "UPDATE packs SET zstd = zeroblob(length(zstd))"
        "UPDATE packs SET zstd = substr(zstd, 1, length(zstd) / 2)"
        "UPDATE pack_tiles SET directory = zeroblob(length(directory)) WHERE pack = 1"
        "UPDATE version_tiles SET tiles = zeroblob(length(tiles)) WHERE version = 1"
        "DELETE FROM version_tiles WHERE version = 1"
        "UPDATE version_landmarks SET zstd = zeroblob(length(zstd)) WHERE version = 1"
        "UPDATE geometries SET zstd = zeroblob(length(zstd))"
        "DELETE FROM geometries"
        "UPDATE versions SET config_json = CAST(x'7b00ff' AS TEXT) WHERE version = 1"
        "UPDATE versions SET geometry_hash = x'07' WHERE version = 1"
        "UPDATE versions SET warnings_json = CAST(x'5bff5d' AS TEXT), stats_json = NULL, blob_json = '{}', created_at = x'00' WHERE version = 1"
    )
    local one
    for one in "${damages[@]}"; do
        cp "$DB.whole" "$DB"
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
        asks_well '&version=1'
        asks_well '&version=3'
        asks_well
        is "$(json .version)" 2
        # What else the damage had in common with the other version an upload of that heals.
        upload_town '&agent.radius=0.4'
        upload_town '&activate=0'
        is "$STATUS" 200
        is "$(json '.version, .deduplicated' | tr '\n' ' ')" '3 true '
        ask /v1/meshes/town/versions/1
        is "$(json '.error, (.warnings | type), (.stats | type)' | tr '\n' ' ')" 'null array object '
        stop_daemon
        is_whole
    done
}

@test "settings that are another's, though they can be read, are put right" {
    fill
    start_daemon
    damage "UPDATE versions SET config_json = replace(config_json, '\"tile_cells\":64', '\"tile_cells\":32') WHERE version = 1"
    ask /v1/meshes/town/versions/1
    is "$(json .config.tile_cells)" 32
    upload_town '&activate=0'
    is "$STATUS" 201
    is "$(json .version)" 3
    ask /v1/meshes/town/versions/1
    is "$(json .config.tile_cells)" 64
    stop_daemon
    is_whole
}

@test "a version whose lists of tiles are lost answers nothing, and an equal upload makes it whole" {
    fill
    local some='DELETE FROM version_tiles WHERE pack = (SELECT max(pack) FROM version_tiles WHERE version = 2)'
    for one in "$some" 'DELETE FROM version_tiles'; do
        cp "$DB.whole" "$DB"
        damage "$one"
        : >"$LOG"
        start_daemon
        grep -q 'mesh_not_loaded mesh=town version=2 detail=.*the lists of its tiles' "$LOG"
        ask '/v1/meshes/town/path?start=2,0,2&end=70,0,70&version=2'
        is_error 500 internal_error
        [[ $(json .detail) == "version 2 of mesh 'town' is damaged in the database: the lists of its tiles"* ]]
        upload_town '&agent.radius=0.4'
        is "$STATUS $(json .version)" '201 3'
        asks_well
        asks_well '&version=2'
        stop_daemon
    done
}

@test "a mesh whose next number is damaged goes on behind the highest that is there" {
    fill
    for number in 0 -1 2 "'x'"; do
        cp "$DB.whole" "$DB"
        sqlite3 "$DB" "UPDATE meshes SET next_version = $number"
        start_daemon
        upload_town '&agent.radius=0.3'
        is "$STATUS $(json .version)" '201 3'
        upload_town '&agent.radius=0.2'
        is "$STATUS $(json .version)" '201 4'
        stop_daemon
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

@test "whoever sends the same meanwhile gets the version that is being baked" {
    fill
    start_daemon
    damage 'UPDATE packs SET zstd = zeroblob(length(zstd))'
    local i pids=()
    for i in 1 2 3 4; do
        curl -sS -o "reply$i" -X POST -H 'Content-Type: model/obj' --data-binary @town.obj \
            "$BASE/v1/meshes/town/versions?wait=1&tile_cells=64" 3>&- &
        pids+=($!)
    done
    wait "${pids[@]}"
    is "$(jq -s '[.[].version] | unique | tostring' -r reply[1-4])" '[3]'
    ask /v1/meshes/town/versions
    is "$(json '.versions | length')" 3
}

# One tile, which is a pack of its own: several are put together as their bakes end.
upload_hills() {
    upload '/v1/meshes/hills/versions?wait=1&tile_cells=0&detail_sample_distance=2&detail_max_error=0.2' hills.obj
}

@test "a pack whose pages lead nowhere is named, its tiles are baked again to another place" {
    start_daemon
    upload_hills
    is "$STATUS" 201
    stop_daemon
    # The first page that the row goes on in now says that it is the last.
    local page
    page=$(sqlite3 "$DB" "SELECT pageno FROM dbstat WHERE name = 'packs' AND path LIKE '%+000000' LIMIT 1")
    is "$(sqlite3 "$DB" "SELECT count(*) > 0 FROM dbstat WHERE name = 'packs' AND path LIKE '%+000001'")" 1
    printf '\0\0\0\0' | dd of="$DB" bs=1 seek=$(((page - 1) * 16384)) conv=notrunc status=none
    verify
    is "$VERIFY_CODE" 1
    grep -q 'mesh hills version 1 tile 0,0' <<<"$VERIFIED"
    start_daemon
    grep -q 'blob_repaired mesh=hills version=1 tile=' "$LOG"
    ask '/v1/meshes/hills/path?start=10,0,10&end=60,0,60'
    is "$STATUS" 200
    upload_hills
    is "$STATUS" 200
    stop_daemon
    # Of the version nothing is left to complain about; the row that cannot be removed is.
    verify
    ! grep -q hills <<<"$VERIFIED"
    grep -q 'pack 1 belongs to no version' <<<"$VERIFIED"
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
        cp "$DB.whole" "$DB.tmp"
        stop_daemon
        cp "$DB.whole" "$DB"
        sqlite3 "$DB" "PRAGMA ignore_check_constraints = 1; UPDATE versions SET $column = CAST(x'7b22610022ff0a3a317d' AS TEXT) WHERE version = 1"
        verify
        is "$VERIFY_CODE" 1
        iconv -f UTF-8 -t UTF-8 <<<"$VERIFIED" >/dev/null
        grep -q '^mesh town version 1: .* cannot be read$' <<<"$VERIFIED"
        : >"$LOG"
        start_daemon
        for path in /v1/meshes /v1/meshes/town /v1/meshes/town/versions /v1/meshes/town/versions/1 \
            '/v1/meshes/town/versions/diff?from=1&to=2' /v1/meshes/town/checks; do
            ask "$path"
            jq . <<<"$BODY" >/dev/null
            ! grep -q $'\xff' "$BATS_TEST_TMPDIR/body"
        done
        ask /v1/meshes/town/versions/1
        is "$STATUS" 200
        is "$(json '.error.code')" internal_error
        [[ $(json .error.detail) == "version 1 of mesh 'town' is damaged in the database: "*'Upload it again'* ]]
        ask /v1/meshes/town/versions
        is "$(json '[.versions[].version] | tostring')" '[1,2]'
        asks_well
        ! grep -q $'\xff' "$LOG"
    done
    stop_daemon
    # A mesh whose name is damaged is left out, and told of; the others answer.
    cp "$DB.whole" "$DB"
    start_daemon
    upload '/v1/meshes/yard/versions?wait=1' <(square_obj 20)
    is "$STATUS" 201
    stop_daemon
    sqlite3 "$DB" "UPDATE meshes SET name = CAST(x'746fff0041' AS TEXT) WHERE name = 'town'"
    : >"$LOG"
    start_daemon
    grep -q 'mesh_not_loaded mesh="" version=2 detail="the name of a mesh is damaged' "$LOG"
    ask /v1/meshes
    is "$(json '[.meshes[].mesh] | tostring')" '["yard"]'
    verify
    is "$(head -n 1 <<<"$VERIFIED")" 'the name of mesh number 1 is damaged'
    # Checks of a mesh.
    sqlite3 "$DB" "INSERT INTO mesh_checks VALUES ('yard', '')"
    ask /v1/meshes/yard/checks
    is_error 500 internal_error
    [[ $(json .detail) == "the checks of mesh 'yard' are damaged"*'PUT them again'* ]]
    post_json /v1/meshes/yard/checks '{"checks":[]}' -X PUT
    is "$STATUS" 200
}

@test "damage of a version that is not live: the answer says which tile, and what to do" {
    fill
    sqlite3 "$DB" 'UPDATE packs SET zstd = zeroblob(length(zstd)) WHERE id IN (SELECT pack FROM version_tiles WHERE version = 1)'
    start_daemon
    ask '/v1/meshes/town/path?start=2,0,2&end=70,0,70&version=1'
    is_error 500 internal_error
    [[ $(json .detail) == "version 1 of mesh 'town' is damaged in the database: tile "*'Upload it again or restore a backup'* ]]
    [[ $(json .at) == 'tile '* ]]
    post_json /v1/meshes/town/active '{"version":1}' -X PUT
    is_error 500 internal_error
    ask '/v1/meshes/town/versions/diff?from=1&to=2'
    is_error 500 internal_error
    asks_well
}
