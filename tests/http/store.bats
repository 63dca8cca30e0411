#!/usr/bin/env bats
# The database can be looked through and copied while the daemon uses it, every fault in it has a
# line, and old versions go when they are told to.

load helper

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    "$LEVEL_MAKER" town --size 2 >town.obj
    square_obj 20 >square.obj
    # Some versions with tiles in common.
    start_daemon
    upload '/v1/meshes/town/versions?wait=1&tile_cells=64' town.obj
    upload '/v1/meshes/town/versions?wait=1&tile_cells=64&agent.radius=0.4' town.obj
    bake_mesh yard square.obj
    stop_daemon
    export WHOLE=$DB
}

setup() {
    own_database
}

verify() {
    VERIFIED=$("$NAVMESHD" verify --db "$DB" 2>"$BATS_TEST_TMPDIR/advice") && VERIFY_CODE=0 || VERIFY_CODE=$?
}

# The test's own copy of those versions.
fill() {
    cp "$WHOLE" "$DB"
}

@test "verify: a database that is whole, while the daemon runs and when it does not" {
    fill
    start_daemon
    verify
    is "$VERIFY_CODE" 0
    is "$VERIFIED" 'ok: 3 versions'
    stop_daemon KILL
    verify
    is "$VERIFY_CODE" 0
    "$NAVMESHD" verify --help | grep -q -- --db
}

@test "verify: one of a kind is told as one" {
    start_daemon
    upload '/v1/meshes/yard/versions?wait=1' square.obj
    verify
    is "$VERIFIED" 'ok: 1 version'
}

@test "verify: each version that is damaged has a line, and the exit code is 1" {
    fill
    local of_one="version 1 of mesh 'town' is damaged in the database: " itself='the database itself is damaged, restore a backup: '
    fault() { # SQL, words
        cp "$WHOLE" "$DB"
        sqlite3 "$DB" "$1"
        verify
        is "$VERIFY_CODE" 1
        [[ $VERIFIED == *$2* ]] || {
            echo "$VERIFIED"
            return 1
        }
    }
    damage_tile 1
    verify
    is "$VERIFY_CODE" 1
    [[ $VERIFIED == "${of_one}tile "*'Upload it again or restore a backup'* ]]
    is "$(wc -l <<<"$VERIFIED")" 1
    grep -q 'bakes that again' "$BATS_TEST_TMPDIR/advice"
    fault "UPDATE blobs SET zstd = substr(zstd, 1, length(zstd) - 1) WHERE id = 1" "${of_one}tile "
    fault "UPDATE geometries SET bytes = bytes + 1 WHERE rowid = 1" "${of_one}its geometry"
    fault "UPDATE version_landmarks SET zstd = substr(zstd, 1, length(zstd) - 1) WHERE mesh = 1 AND version = 1" "${of_one}its landmarks"
    fault "UPDATE version_landmarks SET zstd = CAST(substr(zstd, 1, 200) || x'0180' || substr(zstd, 203) AS BLOB) WHERE mesh = 1 AND version = 1" "${of_one}its landmarks"
    fault "UPDATE versions SET stats_json = '{' WHERE mesh = 1 AND version = 1" "${of_one}its row"
    # Whole bytes of another tile under this one's name, rows of another tile and of another version.
    fault "UPDATE blobs SET zstd = (SELECT zstd FROM blobs WHERE id = 2) WHERE id = 1" "${of_one}tile "
    fault "UPDATE blobs SET zstd = x'' WHERE id = 1" "${of_one}tile "
    fault "UPDATE tiles SET (hash, blob, bytes, key, packed_hash, report, checksum) = (SELECT hash, blob, bytes, key, packed_hash, report, checksum FROM tiles WHERE id = 2) WHERE id = 1" "${of_one}the list of its tiles"
    fault "UPDATE version_tiles SET (tile, checksum) = (SELECT o.tile, o.checksum FROM version_tiles o WHERE o.mesh = 1 AND o.version = 2 AND o.tile_x = version_tiles.tile_x AND o.tile_z = version_tiles.tile_z) WHERE mesh = 1 AND version = 1" "${of_one}tiles that are not the ones it names"
    fault "UPDATE version_tiles SET tile = tile + 1 WHERE mesh = 1 AND version = 1 AND tile_x = 0 AND tile_z = 0" "${of_one}the list of its tiles"
    fault "UPDATE tiles SET key = CAST(substr(key, 1, 9) || x'7777' || substr(key, 12) AS BLOB) WHERE id = 1" "${of_one}the list of its tiles"
    fault "UPDATE tiles SET blob = 2 WHERE id = 1" "${of_one}the list of its tiles"
    fault "UPDATE version_tiles SET tile_x = tile_x + 100 WHERE mesh = 1 AND version = 1" "${of_one}the list of its tiles"
    fault "DELETE FROM version_tiles WHERE mesh = 1 AND version = 1" "${of_one}"
    fault "DELETE FROM blobs WHERE id = 1" "${itself}a row of tiles refers to blobs that is not there"
    fault "DELETE FROM tiles WHERE id = 1" "${itself}1 rows belong to nothing"
    fault "UPDATE versions SET state = 'failed' WHERE mesh = 1 AND version = 2" "${itself}the row of mesh number 1"
    fault "UPDATE meshes SET next_version = 2 WHERE id = 1" "${itself}the row of mesh number 1"
    fault "UPDATE mesh_checks SET checks_json = '{'; INSERT INTO mesh_checks VALUES ('town', '{')" "the checks of mesh 'town' are damaged"
    # A page that is overwritten.
    cp "$WHOLE" "$DB"
    dd if=/dev/urandom of="$DB" bs=16384 seek=6 count=1 conv=notrunc status=none
    verify
    is "$VERIFY_CODE" 1
    [ -n "$VERIFIED" ]
    # No database at all, another program's, and a word too many.
    run -1 "$NAVMESHD" verify --db "$DB.none"
    sqlite3 "$DB.other" 'CREATE TABLE t(a)'
    run -1 "$NAVMESHD" verify --db "$DB.other"
    [[ $output == *'another program'* ]]
    run -2 "$NAVMESHD" verify --db "$DB" more
    run -2 "$NAVMESHD" verify --db
}

@test "a backup that is killed leaves nothing that the next one does not take away" {
    start_daemon
    bake_mesh yard square.obj
    stop_daemon
    sqlite3 "$DB" 'UPDATE geometries SET zstd = zeroblob(50000000)'
    mkdir copies
    local i pid left=
    for ((i = 0; i < 20 && ${#left} == 0; i++)); do
        "$NAVMESHD" backup --db "$DB" "copies/$i.db" >/dev/null 2>&1 3>&- &
        pid=$!
        while kill -0 "$pid" 2>/dev/null && [ -z "$(find copies -type f -size +0 ! -name '*.db')" ]; do
            pause 0.01
        done
        kill -KILL "$pid" 2>/dev/null || true
        wait "$pid" || true
        left=$(find copies -type f ! -name '*.db')
        rm -f copies/*.db
    done
    [ -n "$left" ]
    # Another's file stays.
    echo mine >copies/other.db-new
    "$NAVMESHD" backup --db "$DB" copies/whole.db
    is "$(find copies -type f | sort | xargs)" 'copies/other.db-new copies/whole.db'
    is "$(sqlite3 copies/whole.db 'PRAGMA integrity_check')" ok
    is "$(stat -c %a copies/whole.db)" 600
}

@test "backup while uploads go on: the copy is one moment, whole, and can be served" {
    fill
    start_daemon
    local i pid
    (until [ -e copied ]; do
        upload '/v1/meshes/yard/versions?wait=1&reuse=0' square.obj
    done) 3>&- &
    pid=$!
    for i in 1 2 3; do
        "$NAVMESHD" backup --db "$DB" "$BATS_TEST_TMPDIR/copy$i.db"
        "$NAVMESHD" verify --db "$BATS_TEST_TMPDIR/copy$i.db"
        is "$(stat -c %a "$BATS_TEST_TMPDIR/copy$i.db")" 600
    done
    touch copied
    wait "$pid"
    run -1 "$NAVMESHD" backup --db "$DB" "$BATS_TEST_TMPDIR/copy1.db"
    [[ $output == *'there already'* ]]
    run -1 "$NAVMESHD" backup --db "$DB" "$BATS_TEST_TMPDIR/no/such/copy.db"
    is "$("$NAVMESHD" backup --db "$DB" "$BATS_TEST_TMPDIR/sized.db")" \
        "$BATS_TEST_TMPDIR/sized.db: $(stat -c %s "$BATS_TEST_TMPDIR/sized.db") bytes"
    run -2 "$NAVMESHD" backup --db "$DB"
    "$NAVMESHD" backup --help | grep -q COPY
    ask /v1/meshes/town/versions/2
    local sha256
    sha256=$(json .blob.sha256)
    stop_daemon
    DB=$BATS_TEST_TMPDIR/copy1.db
    start_daemon
    ask /v1/meshes/town/versions/2
    is "$(json .blob.sha256)" "$sha256"
    ask '/v1/meshes/town/path?start=2,0,2&end=30,0,30'
    is "$STATUS" 200
}

versions_of() {
    ask "/v1/meshes/$1/versions"
    json '[.versions[].version] | sort | join(" ")'
}

@test "keep-versions: the newest stay, the live one always, and what they leave goes" {
    start_daemon --keep-versions 2
    local i
    for i in 1 2 3; do
        square_obj $((20 + i)) >"s$i.obj"
        bake_mesh m "s$i.obj"
    done
    is "$(versions_of m)" '2 3'
    grep -q 'versions_removed mesh=m count=1 keep=2' "$LOG"
    # The live one is older than the two newest, and stays.
    ask /v1/meshes/m/active -X PUT -H 'Content-Type: application/json' -d '{"version":2}'
    for i in 4 5 6; do
        square_obj $((20 + i)) >"s$i.obj"
        upload '/v1/meshes/m/versions?wait=1&activate=0' "s$i.obj"
        is "$STATUS" 201
    done
    is "$(versions_of m)" '2 5 6'
    ask /v1/meshes/m
    is "$(json .active)" 2
    # Versions that failed are not counted, nor do they push others out.
    printf 'v 0 0 0\nv 0 9 0\nv 9 9 0\nf 1 2 3\n' >wall.obj
    upload '/v1/meshes/m/versions?wait=1' wall.obj
    is "$STATUS" 422
    is "$(versions_of m)" '2 5 6 7'
    # Another mesh has its own.
    upload '/v1/meshes/other/versions?wait=1' square.obj
    is "$(versions_of m)" '2 5 6 7'
    verify
    is "$VERIFY_CODE" 0
    is "$(sqlite3 "file:$DB?mode=ro" 'SELECT count(*) FROM blobs')" 4
}

@test "keep-versions: by default nothing goes; a bad number is refused" {
    start_daemon
    local i
    for i in 1 2 3 4; do
        upload '/v1/meshes/m/versions?wait=1&reuse=0' square.obj
    done
    is "$(versions_of m)" '1 2 3 4'
    run -1 "$NAVMESHD" --keep-versions -1 --check
    run -1 "$NAVMESHD" --keep-versions many --check
    run -1 "$NAVMESHD" --keep-versions 1000001 --check
}

@test "a limit on the size of files: the upload is refused, and the daemon goes on" {
    cd "$BATS_TEST_TMPDIR"
    own_database
    start_daemon
    square_obj 20 >square.obj
    bake_mesh kept square.obj
    prlimit --pid "$DAEMON_PID" --fsize=16384
    square_obj 30 >square30.obj
    upload '/v1/meshes/kept/versions?wait=1' square30.obj
    is "$(json '.code')" store_unavailable
    is "$STATUS" 503
    ask '/v1/meshes/kept/path?start=2,0,2&end=9,0,9'
    is "$(json '.status')" complete
    stop_daemon
    is "$EXIT_CODE" 0
    start_daemon
    ask '/v1/meshes/kept/path?start=2,0,2&end=9,0,9'
    is "$(json '.status')" complete
    stop_daemon
}

# Asks until what jq says of the answer is true.
until_json() { # path, jq
    wait_for is_true "$@"
}

is_true() { # path, jq
    ask "$1"
    [ "$(json "$2")" = true ]
}

@test "a database that was moved away takes no write, is told as degraded, and works again when it is back" {
    start_daemon
    bake_mesh yard square.obj
    ask /readyz
    is "$BODY" '{"status":"ready"}'
    ask /v1/status
    is "$(json .degraded)" null
    mv "$DB" "$DB.aside"
    until_json /readyz '.degraded.code == "store_unavailable"'
    is "$STATUS" 200
    is "$(json .status)" ready
    ask /v1/status
    [[ $(json .degraded.detail) == *"$DB is no longer there"* ]]
    ask /metrics
    grep -q '^navmeshd_store_degraded 1$' <<<"$BODY"
    upload /v1/meshes/yard/versions square.obj
    is_error 503 store_unavailable
    ask /v1/meshes/yard/checks -X PUT -H 'Content-Type: application/json' -d '{"checks":[]}'
    is_error 503 store_unavailable
    ask '/v1/meshes/yard/versions/1' -X DELETE
    is_error 503 store_unavailable
    ask '/v1/meshes/yard/path?start=2,0,2&end=8,0,8'
    is "$STATUS" 200
    is "$(grep -c event=store_degraded "$LOG")" 1
    mv "$DB.aside" "$DB"
    until_json /readyz '.degraded == null'
    ask /v1/meshes/yard/checks -X PUT -H 'Content-Type: application/json' -d '{"checks":[]}'
    is "$STATUS" 200
    is "$(grep -c event=store_recovered "$LOG")" 1
}

@test "a database that was exchanged for another takes no write, and what was acknowledged is in the former" {
    start_daemon
    bake_mesh yard square.obj
    "$NAVMESHD" backup --db "$DB" "$DB.other"
    bake_mesh barn square.obj
    mv "$DB" "$DB.aside"
    mv "$DB.other" "$DB"
    upload /v1/meshes/shed/versions square.obj
    is_error 503 store_unavailable
    [[ $(json .detail) == *'another file is in the place'* ]]
    mv "$DB.aside" "$DB"
    until_json /readyz '.degraded == null'
    upload '/v1/meshes/shed/versions?wait=1' square.obj
    is "$STATUS" 201
    stop_daemon KILL
    start_daemon
    for mesh in yard barn shed; do
        ask "/v1/meshes/$mesh/path?start=2,0,2&end=8,0,8"
        is "$STATUS" 200
    done
}
