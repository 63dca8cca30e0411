#!/usr/bin/env bats
# The daemon starts as it is told, or says why it does not and leaves the database as it was.

load helper

setup() {
    own_folder
}

# Runs a start that must fail: its exit code is not 0, its message holds the pattern.
fails_to_start() { # pattern arguments...
    local pattern=$1
    shift
    run timeout -k 5 30 "$NAVMESHD" --listen 127.0.0.1:0 "$@" 3>&-
    [ "$status" -ne 0 ] && [ "$status" -ne 124 ] && [ "$status" -lt 128 ]
    grep -qiE "$pattern" <<<"$output"
}

@test "--help and --version" {
    run -0 "$NAVMESHD" --help
    for option in --listen --db --mesh --workers --check --help --version; do
        [[ $output == *"$option"* ]]
    done
    run -0 "$NAVMESHD" --version
    [[ $output =~ [0-9]+\.[0-9]+ ]]
}

@test "options that are wrong end with exit code 2 and a message" {
    run -2 "$NAVMESHD" --frobnicate
    [[ $output == *frobnicate* ]]
    run -2 "$NAVMESHD" --listen
    run -2 "$NAVMESHD" --listen nonsense --db "$DB"
    run -2 "$NAVMESHD" --listen 127.0.0.1:99999 --db "$DB"
    run -2 "$NAVMESHD" --workers 0 --db "$DB"
    run -2 "$NAVMESHD" --mesh nofile --db "$DB"
    [ ! -e "$DB" ]
}

@test "a listener that is not loopback is refused without a token file" {
    run -2 timeout 30 "$NAVMESHD" --listen 0.0.0.0:0 --db "$DB" 3>&-
    [[ $output == *'--token-file'* ]]
    [ ! -e "$DB" ]
}

@test "--check checks and ends without listening" {
    run -0 timeout 30 "$NAVMESHD" --listen 127.0.0.1:0 --db "$DB" --check 3>&-
    [[ $output != *"listening address"* ]]
}

@test "a listener that cannot be had takes those before it along" {
    start_daemon
    fails_to_start 'in use' --listen "unix:$PWD/left.sock" --listen "${BASE#http://}" --db other.db
    [ ! -e left.sock ]
}

@test "a database that another daemon holds" {
    start_daemon
    fails_to_start 'lock|use|another' --db "$DB"
    ask /healthz
    is "$STATUS" 200
}

@test "a database that another daemon holds under another name: nothing is left beside it" {
    start_daemon
    mkdir other
    ln "$DB" other/hard.db
    # SQLite's log lies beside the name that is used, so that each name has writes of its own.
    fails_to_start 'a hard link' --db other/hard.db
    run -1 "$NAVMESHD" --check --db other/hard.db
    [[ $output == *'a hard link'* ]]
    run -1 "$NAVMESHD" verify --db other/hard.db
    [[ $output == *'a hard link'* ]]
    run -1 "$NAVMESHD" backup --db other/hard.db copy.db
    [[ $output == *'a hard link'* ]]
    [ ! -e copy.db ]
    is "$(ls other)" hard.db
    rm other/hard.db
    # A configuration is checked before the daemon that runs with it reads it again.
    run -0 "$NAVMESHD" --check --db "$DB"
    is "$output" ok
}

@test "a database whose name is a link that leads nowhere" {
    ln -s loop.db loop.db
    fails_to_start 'symbolic links' --db loop.db
    ln -s away/real.db lost.db
    fails_to_start 'folder of away/real.db' --db lost.db
    is "$(readlink lost.db)" away/real.db
}

@test "a database that cannot be written" {
    start_daemon
    stop_daemon
    DAEMON_PID=
    local before
    before=$(sha256sum <"$DB")
    chmod 444 "$DB"
    # Root may write anyway: then the folder is what is wrong, and a folder in place of the file.
    if [ -w "$DB" ]; then
        mkdir folder.db
        fails_to_start 'open|read|directory|database' --db folder.db
    else
        fails_to_start 'read-?only|permission|writ' --db "$DB"
    fi
    is "$(sha256sum <"$DB")" "$before"
}

@test "a database that is damaged" {
    start_daemon
    bake_mesh yard square.obj
    stop_daemon
    DAEMON_PID=
    # The header stays, so that it still looks like ours; the schema's page does not.
    head -c 4000 /dev/urandom | dd of="$DB" bs=1 seek=100 conv=notrunc status=none
    local before
    before=$(sha256sum <"$DB")
    fails_to_start 'corrupt|malformed|damaged|not a database' --db "$DB"
    is "$(sha256sum <"$DB")" "$before"
}

@test "a file that is no database" {
    printf 'this is a letter, not a database; it is long enough to have a header of 100 bytes, and it says nothing else at all.\n' >letter
    local before
    before=$(sha256sum <letter)
    fails_to_start 'not a database' --db letter
    is "$(sha256sum <letter)" "$before"
}

@test "a database of a newer schema" {
    start_daemon
    stop_daemon
    DAEMON_PID=
    sqlite3 "$DB" 'PRAGMA user_version = 9999; PRAGMA wal_checkpoint(TRUNCATE);' >/dev/null
    local before
    before=$(sha256sum <"$DB")
    fails_to_start 'newer' --db "$DB"
    is "$(sha256sum <"$DB")" "$before"
}

@test "a database from before the first release" {
    start_daemon
    stop_daemon
    DAEMON_PID=
    sqlite3 "$DB" 'PRAGMA user_version = 8; PRAGMA wal_checkpoint(TRUNCATE);' >/dev/null
    local before
    before=$(sha256sum <"$DB")
    fails_to_start 'schema 8, from before the first release: upload its levels into a new database' --db "$DB"
    is "$(sha256sum <"$DB")" "$before"
}

@test "a database of somebody else's" {
    sqlite3 foreign.db 'CREATE TABLE recipes (name TEXT); INSERT INTO recipes VALUES ("soup");'
    local before
    before=$(sha256sum <foreign.db)
    fails_to_start 'navmeshd|application|another program' --db foreign.db
    is "$(sha256sum <foreign.db)" "$before"
}

@test "--mesh bakes once; the second time it comes from the store" {
    start_daemon --mesh yard=square.obj
    ask /v1/meshes/yard/versions
    is "$(json '[.versions[].version] | join(" ")')" 1
    ask /v1/meshes/yard/versions/1
    local first=$BODY
    is "$(json .active)" true
    stop_daemon
    start_daemon --mesh yard=square.obj
    ask /v1/meshes/yard/versions
    is "$(json '[.versions[].version] | join(" ")')" 1
    ask /v1/meshes/yard/versions/1
    is "$BODY" "$first"
}

@test "--mesh with another file makes a new version" {
    start_daemon --mesh yard=square.obj
    stop_daemon
    square_obj 30 >square.obj
    start_daemon --mesh yard=square.obj
    ask /v1/meshes/yard/versions
    is "$(json '[.versions[] | select(.active).version] | join(" ")')" 2
}

@test "--mesh leaves alone what is live and was baked with other settings, and says what differs" {
    z_up_json >yard.json
    start_daemon
    upload '/v1/meshes/yard/versions?wait=1&cell_size=0.25' yard.json application/json
    is "$STATUS" 201
    stop_daemon
    # The same ground without its settings, then other ground.
    sed 's/,"config":.*/}/' yard.json >plain.json
    start_daemon --mesh yard=plain.json
    wait_log 'event=mesh_file_left'
    grep 'event=mesh_file_left' "$LOG" | grep -F 'level=warn' | grep -F 'mesh=yard version=1 ' |
        grep -F 'settings="cell_size, coordinates"' | grep -qF 'geometry=same'
    ask /v1/meshes/yard/versions
    is "$(json '[.versions[] | [.version, .state, .active] | map(tostring) | join(" ")] | join(",")')" '1 ready true'
    ask '/v1/meshes/yard/path?start=2,2,0&end=18,18,0'
    is "$(json .status)" complete
    stop_daemon
    start_daemon --mesh yard=square.obj
    wait_log 'event=mesh_file_left .*geometry=differs'
    ask /v1/meshes/yard/versions
    is "$(json '[.versions[].version] | join(" ")')" 1
    # Once it was left, the start is an ordinary one.
    is "$(grep -c 'event=mesh_file ' "$LOG")" 0
    stop_daemon
    # With the live version's settings other ground is baked and goes live.
    sed 's/20/30/g; s/"config":{/&"cell_size":0.25,/' yard.json >wider.json
    start_daemon --mesh yard=wider.json
    ask /v1/meshes/yard/versions
    is "$(json '[.versions[] | [.version, .state, .active] | map(tostring) | join(" ")] | join(",")')" '1 ready false,2 ready true'
    stop_daemon
    # A version whose settings are damaged cannot be served.
    sqlite3 "$DB" "UPDATE versions SET config_json = '{' WHERE version = 2"
    start_daemon --mesh yard=square.obj
    ask /v1/meshes/yard/versions
    is "$(json '[.versions[] | select(.active).version] | join(" ")')" 3
    stop_daemon
    # Nothing is live: then any file is better than none.
    sqlite3 "$DB" 'UPDATE meshes SET active = 0'
    start_daemon --mesh yard=yard.json
    ask /v1/meshes/yard/versions
    is "$(json '[.versions[] | select(.active).version] | join(" ")')" 4
}

@test "--mesh says what differs, too, where the file is stored as a version that is not live" {
    start_daemon
    upload '/v1/meshes/yard/versions?wait=1' square.obj
    upload '/v1/meshes/yard/versions?wait=1&cell_size=0.25' square.obj
    is "$STATUS" 201
    stop_daemon
    start_daemon --mesh yard=square.obj
    wait_log 'event=mesh_file_left mesh=yard version=2 settings=cell_size'
    ask /v1/meshes/yard/versions
    is "$(json '[.versions[] | select(.active).version] | join(" ")')" 2
}

@test "--mesh with a file whose bake fails ends each start, and stays one version of the store" {
    printf 'v 0 0 0\nv 0 9 0\nv 9 9 0\nf 1 2 3\n' >wall.obj
    versions() {
        sqlite3 "$DB" "SELECT group_concat(printf('%d %s %d', version, state, activate)) FROM versions"
    }
    local i
    for i in 1 2 3; do
        fails_to_start 'no place to stand' --db "$DB" --mesh wall=wall.obj
        is "$(versions)" '1 failed 1'
    done
    # A bake with too little memory, or time, fails; with more of it the next start bakes it.
    city_obj 1 >city.obj
    for i in 1 2; do
        fails_to_start 'mesh .city' --db "$DB" --bake-time 0.001 --mesh city=city.obj
    done
    is "$(versions)" '1 failed 1,1 failed 1'
    start_daemon --mesh city=city.obj
    ask /v1/meshes/city/versions
    is "$(json '[.versions[] | [.version, .state, .active, .error] | map(tostring) | join(" ")] | join(",")')" \
        '1 ready true null'
    # Where another version is live the start goes on, and stores no more either.
    stop_daemon
    for i in 1 2; do
        start_daemon --mesh city=wall.obj
        ask /v1/meshes/city/versions
        is "$(json '[.versions[] | [.version, .state, .active] | map(tostring) | join(" ")] | join(",")')" \
            '1 ready true,2 failed false'
        [ "$i" = 2 ] || stop_daemon
    done
    # An upload is a version of its own, whatever failed before.
    upload '/v1/meshes/city/versions?wait=1' wall.obj
    is "$(json .status)" 422
    ask /v1/meshes/city/versions
    is "$(json '[.versions[].version] | join(" ")')" '1 2 3'
}

@test "--mesh with a file whose bake failed before another went live: it goes live as a new version" {
    city_obj 1 >city.obj
    listed() {
        ask /v1/meshes/city/versions
        json '[.versions[] | [.version, .state, .active] | map(tostring) | join(" ")] | join(",")'
    }
    start_daemon --mesh city=square.obj
    stop_daemon
    start_daemon --bake-time 0.001 --mesh city=city.obj
    is "$(listed)" '1 ready true,2 failed false'
    stop_daemon
    square_obj 30 >wider.obj
    start_daemon --mesh city=wider.obj
    is "$(listed)" '1 ready false,2 failed false,3 ready true'
    stop_daemon
    start_daemon --mesh city=city.obj
    is "$(listed)" '1 ready false,2 failed false,3 ready false,4 ready true'
}

@test "--mesh with a file whose bake failed: what is stored of it may be damaged" {
    city_obj 1 >city.obj
    fails_to_start 'mesh .city' --db "$DB" --bake-time 0.001 --mesh city=city.obj
    sqlite3 "$DB" "UPDATE geometries SET zstd = zeroblob(9); UPDATE versions SET config_json = '{'"
    start_daemon --mesh city=city.obj
    ask /v1/meshes/city/versions
    is "$(json '[.versions[] | [.version, .state, .active] | map(tostring) | join(" ")] | join(",")')" '1 ready true'
}

@test "--mesh with a file that fails its checks: which check, why, and the way on" {
    start_daemon
    bake_mesh yard square.obj
    stop_daemon
    sqlite3 "$DB" "UPDATE meshes SET active = 0; DELETE FROM versions;
        INSERT INTO mesh_checks VALUES ('yard', '{\"checks\":[{\"name\":\"spawn\",\"point\":[60,0,60],\"expect\":\"on_mesh\"}]}')"
    fails_to_start 'check "spawn" failed: the point is off the mesh' --db "$DB" --mesh yard=square.obj
    [[ $output == *'navmeshd bake --mesh NAME=FILE force=1'* ]]
    "$NAVMESHD" bake --db "$DB" --mesh yard=square.obj force=1
    start_daemon --mesh yard=square.obj
}

@test "--mesh with a file that is not there, or is no level, does not start" {
    fails_to_start 'missing.obj' --db "$DB" --mesh yard=missing.obj
    echo 'f 1 2 3' >wrong.obj
    fails_to_start 'wrong.obj|yard' --db "$DB" --mesh yard=wrong.obj
    # A pipe without a writer would be waited for without end.
    mkfifo pipe.obj
    fails_to_start 'pipe.obj cannot be read: it is not a regular file' --db "$DB" --mesh yard=pipe.obj
    fails_to_start 'not a regular file' --db "$DB" --mesh yard=.
}

@test "a Unix socket is a listener as well" {
    "$NAVMESHD" --listen "unix:$BATS_TEST_TMPDIR/s" --db "$DB" 2>"$LOG" >/dev/null 3>&- &
    DAEMON_PID=$!
    wait_for curl -fs --unix-socket "$BATS_TEST_TMPDIR/s" -o /dev/null http://navmeshd/readyz
    run -0 curl -sS --unix-socket "$BATS_TEST_TMPDIR/s" -o /dev/null -w '%{http_code}' http://navmeshd/healthz
    is "$output" 200
}

# A start that bakes the mesh `big` again, asked and stopped meanwhile.
ask_while_repairing() {
    : >"$LOG"
    "$NAVMESHD" --listen 127.0.0.1:0 --db "$DB" --workers 2 --drain-ms 50 2>"$LOG" >/dev/null 3>&- &
    DAEMON_PID=$!
    local answers= question path
    ADDRESS=
    wait_for listens_or_ended 0
    BASE=http://$ADDRESS
    question='/path?start=2,0,2&end=18,0,18'
    wait_log 'event=version_damaged mesh=big'
    for path in "/v1/meshes/yard$question" '/v1/meshes/yard/explain?point=10,0,10' "/v1/meshes/nowhere$question" /readyz "/v1/meshes/big$question"; do
        ask "$path"
        answers+="$STATUS $(json '.code // .status'), "
    done
    answers+=$(header Retry-After)
    stop_daemon
    is "$EXIT_CODE" 0
    lacks -q 'version_repaired' "$LOG"
    is "$answers" '200 complete, 200 walkable, 404 mesh_not_found, 503 not_ready, 503 not_ready, 1'
}

@test "while a mesh is being repaired: a question waits for its own only, and a stop is heard" {
    start_daemon
    bake_mesh yard square.obj
    "$LEVEL_MAKER" town >big.obj
    upload '/v1/meshes/big/versions?wait=1&cell_size=0.08&tile_cells=0' big.obj
    is "$STATUS" 201
    stop_daemon
    sqlite3 "$DB" "UPDATE blobs SET zstd = zeroblob(9) WHERE id IN
        (SELECT c.blob FROM tiles c JOIN version_tiles t ON t.tile = c.id JOIN meshes m ON m.id = t.mesh WHERE m.name = 'big')"
    ask_while_repairing
    # The repair was given up, its bytes were left as they were, and the next start makes it.
    start_daemon
    grep -q 'version_repaired mesh=big' "$LOG"
    ask '/v1/meshes/big/path?start=2,0,2&end=70,0,70'
    is "$STATUS" 200
}
