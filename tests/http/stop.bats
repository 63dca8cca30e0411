#!/usr/bin/env bats
# The daemon stops as it is told: what is in flight ends within the limit, what it promised is on
# disk, a second signal ends it at once; and the service manager hears of all of it.

load helper

setup() {
    own_folder
    NOTIFY_PID=
    unset NOTIFY_SOCKET WATCHDOG_USEC WATCHDOG_PID
}

teardown() {
    [ -z "$DAEMON_PID" ] || stop_daemon
    [ -z "$NOTIFY_PID" ] || kill "$NOTIFY_PID" 2>/dev/null || true
}

# Whether the daemon has ended, within so many tenths of a second.
ends_within() { # tenths
    local i
    for ((i = 0; i < $1; i++)); do
        kill -0 "$DAEMON_PID" 2>/dev/null || return 0
        pause 0.1
    done
    return 1
}

# An upload whose body comes slowly: in flight for so many seconds. Prints the status.
slow_upload() { # seconds
    local body
    body=$(square_obj 20)
    exec 9<>"/dev/tcp/${ADDRESS%:*}/${ADDRESS##*:}"
    printf 'POST /v1/meshes/slow/versions HTTP/1.1\r\nHost: localhost\r\nContent-Type: model/obj\r\nContent-Length: %d\r\n\r\n' \
        "$((${#body} + 1))" >&9
    pause "$1"
    printf '%s\n' "$body" >&9
    timeout 10 head -n 1 <&9 | tr -d '\r'
}

@test "SIGTERM with nothing to do: exit code 0, at once, and the log is in the database" {
    start_daemon
    bake_mesh yard square.obj
    [ -s "$DB-wal" ]
    local begin=$SECONDS
    stop_daemon
    is "$EXIT_CODE" 0
    [ $((SECONDS - begin)) -le 4 ]
    [ ! -e "$DB-wal" ]
    is "$(sqlite3 "$DB" 'SELECT count(*) FROM versions')" 1
    grep -q 'event=stopping' "$LOG"
    grep -q 'event=stopped' "$LOG"
}

@test "SIGTERM: no new connections, readyz is 503 on an old one, what is in flight is answered" {
    start_daemon
    slow_upload 2 >upload.out 3>&- &
    local upload_pid=$!
    exec 8<>"/dev/tcp/${ADDRESS%:*}/${ADDRESS##*:}"
    printf 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n' >&8
    head -n 1 <&8 >/dev/null
    pause 0.5
    kill -TERM "$DAEMON_PID"
    pause 0.5
    kill -0 "$DAEMON_PID"
    run curl -sS -o /dev/null --max-time 5 "$BASE/healthz"
    [ "$status" -ne 0 ]
    printf 'GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n' >&8
    timeout 10 cat <&8 | tr -d '\r' >readyz.out || true
    grep -q 'HTTP/1.1 503' readyz.out
    grep -q '"code":"not_ready"' readyz.out
    exec 8>&-
    wait "$upload_pid"
    # Taken before the signal, but not yet acknowledged: refused with a reason, or accepted.
    grep -qE 'HTTP/1.1 (202|503)' upload.out
    ends_within 50
    wait "$DAEMON_PID" || false
    DAEMON_PID=
}

@test "SIGTERM during a bake: it ends within the limit, and the next start bakes it" {
    flat_obj 5000 >city.obj
    start_daemon --drain-ms 100 --workers 1
    upload "/v1/meshes/city/versions?$FLAT_TILES" city.obj
    is "$STATUS" 202
    local i
    for ((i = 0; i < 200 * PATIENCE; i++)); do
        ask /v1/meshes/city/versions/1
        [ "$(json .state)" != baking ] || break
        pause 0.02
    done
    is "$(json .state)" baking
    stop_daemon
    is "$EXIT_CODE" 0
    is "$(sqlite3 "$DB" 'SELECT state FROM versions')" queued
    start_daemon
    wait_version /v1/meshes/city/versions/1
    is "$(json .state)" ready
}

@test "SIGTERM while clients wait for bakes with wait=1: 202 for each, and the next start bakes them" {
    flat_obj 5000 >city.obj
    start_daemon --drain-ms 100 --workers 1
    local i mesh pids=()
    for mesh in first second; do
        curl -sS -D "$mesh.headers" -o "$mesh.json" -w '%{http_code}' -X POST -H 'Content-Type: model/obj' \
            --data-binary @city.obj "$BASE/v1/meshes/$mesh/versions?wait=1&$FLAT_TILES" >"$mesh.status" 3>&- &
        pids+=($!)
    done
    # One is being baked, the other waits in the queue.
    for ((i = 0; i < 600 * PATIENCE; i++)); do
        ask /v1/status
        is "$(json .queue.limit)" 64
        [ "$(json '"\(.queue.baking) \(.queue.queued)"')" != '1 1' ] || break
        pause 0.05
    done
    is "$(json '"\(.queue.baking) \(.queue.queued)"')" '1 1'
    stop_daemon
    is "$EXIT_CODE" 0
    wait "${pids[@]}"
    for mesh in first second; do
        is "$(cat "$mesh.status")" 202
        is "$(tr -d '\r' <"$mesh.headers" | sed -n 's/^Location: //Ip')" "/v1/meshes/$mesh/versions/1"
        is "$(gojq -r '.version, .error' "$mesh.json" | tr '\n' ' ')" '1 null '
        [[ $(gojq -r .state "$mesh.json") =~ ^(queued|baking)$ ]]
    done
    start_daemon
    for mesh in first second; do
        wait_version "/v1/meshes/$mesh/versions/1"
        is "$(json '"\(.state) \(.active)"')" 'ready true'
    done
}

@test "a client that does not go on is cut off at the limit" {
    start_daemon --drain-ms 1000
    exec 8<>"/dev/tcp/${ADDRESS%:*}/${ADDRESS##*:}"
    printf 'POST /v1/meshes/slow/versions HTTP/1.1\r\nHost: localhost\r\nContent-Type: model/obj\r\nContent-Length: 1000\r\n\r\nv 0' >&8
    pause 0.5
    kill -TERM "$DAEMON_PID"
    pause 0.3
    kill -0 "$DAEMON_PID"
    ends_within 50
    wait "$DAEMON_PID" || false
    exec 8>&-
    DAEMON_PID=
}

@test "a second SIGTERM ends it at once, and nothing acknowledged is lost" {
    start_daemon --drain-ms 60000
    bake_mesh yard square.obj
    exec 8<>"/dev/tcp/${ADDRESS%:*}/${ADDRESS##*:}"
    printf 'POST /v1/meshes/slow/versions HTTP/1.1\r\nHost: localhost\r\nContent-Type: model/obj\r\nContent-Length: 1000\r\n\r\nv 0' >&8
    pause 0.5
    kill -TERM "$DAEMON_PID"
    pause 1
    kill -0 "$DAEMON_PID"
    kill -TERM "$DAEMON_PID"
    ends_within 30
    exec 8>&-
    EXIT_CODE=0
    wait "$DAEMON_PID" || EXIT_CODE=$?
    is "$EXIT_CODE" $((128 + 15))
    start_daemon
    ask /v1/meshes/yard/versions/1
    is "$(json .active)" true
}

@test "SIGINT stops as SIGTERM does" {
    start_daemon
    # A shell's background children ignore SIGINT only until they set it up themselves.
    stop_daemon INT
    is "$EXIT_CODE" 0
    DAEMON_PID=
}

# ---- the service manager ----

# Writes every datagram that comes to a socket as one line, newlines as spaces.
listen_notify() { # socket, file
    perl -MSocket -e '
        socket(my $s, AF_UNIX, SOCK_DGRAM, 0) or die;
        bind($s, pack_sockaddr_un($ARGV[0])) or die;
        open(my $out, ">>", $ARGV[1]) or die;
        $out->autoflush(1) if $out->can("autoflush");
        while (defined recv($s, my $message, 4096, 0)) {
            $message =~ tr/\n/ /;
            syswrite($out, "$message\n");
        }' "$1" "$2" 3>&- &
    NOTIFY_PID=$!
    local i
    for ((i = 0; i < 100 * PATIENCE; i++)); do
        [ ! -S "$1" ] || return 0
        pause 0.05
    done
    return 1
}

wait_notify() { # pattern
    local i
    for ((i = 0; i < 1200 * PATIENCE; i++)); do
        grep -qE "$1" notes 2>/dev/null && return 0
        pause 0.05
    done
    cat notes
    return 1
}

@test "the service manager hears READY, RELOADING, WATCHDOG and STOPPING" {
    listen_notify "$BATS_TEST_TMPDIR/n" notes
    export NOTIFY_SOCKET=$BATS_TEST_TMPDIR/n WATCHDOG_USEC=400000
    echo '{}' >config.json
    start_daemon --mesh yard=square.obj --config config.json
    wait_notify '^READY=1 STATUS=ready$'
    wait_notify '^WATCHDOG=1$'
    kill -HUP "$DAEMON_PID"
    wait_notify '^RELOADING=1 MONOTONIC_USEC=[0-9]+$'
    wait_notify '^READY=1'
    local i
    for ((i = 0; i < 100 * PATIENCE; i++)); do
        [ "$(grep -c '^READY=1' notes)" -lt 2 ] || break
        pause 0.05
    done
    is "$(grep -c '^READY=1' notes)" 2
    stop_daemon
    is "$EXIT_CODE" 0
    DAEMON_PID=
    wait_notify '^STOPPING=1 '
    [ "$(grep -c '^WATCHDOG=1$' notes)" -ge 1 ]
}

@test "READY comes only when readyz would say so" {
    listen_notify "$BATS_TEST_TMPDIR/n" notes
    "$LEVEL_MAKER" city --size 1 >city.obj
    NOTIFY_SOCKET=$BATS_TEST_TMPDIR/n "$NAVMESHD" --listen 127.0.0.1:0 --db "$DB" --mesh city=city.obj \
        2>"$LOG" >/dev/null 3>&- &
    DAEMON_PID=$!
    wait_notify '^READY=1'
    grep -q 'event=baked mesh=city' "$LOG"
}

@test "systemd-socket-activate: whoever connects first starts it, and is answered" {
    systemd-socket-activate -l "$BATS_TEST_TMPDIR/passed" \
        "$NAVMESHD" --listen "unix:$BATS_TEST_TMPDIR/own" --db "$DB" 2>"$LOG" >/dev/null 3>&- &
    DAEMON_PID=$!
    local i
    for ((i = 0; i < 100 * PATIENCE; i++)); do
        [ ! -S "$BATS_TEST_TMPDIR/passed" ] || break
        pause 0.05
    done
    [ ! -e "$BATS_TEST_TMPDIR/own" ]
    is "$(curl -sS --max-time 60 --unix-socket "$BATS_TEST_TMPDIR/passed" http://localhost/healthz)" '{"status":"ok"}'
    is "$(curl -sS --max-time 60 --unix-socket "$BATS_TEST_TMPDIR/own" http://localhost/healthz)" '{"status":"ok"}'
    stop_daemon
    is "$EXIT_CODE" 0
}

@test "READY has the form that systemd-notify gives it" {
    listen_notify "$BATS_TEST_TMPDIR/n" notes
    export NOTIFY_SOCKET=$BATS_TEST_TMPDIR/n
    # The form that systemd's own tool gives the same message.
    systemd-notify --ready --status=ready
    start_daemon
    wait_notify '^READY=1 STATUS=ready'
    for ((i = 0; i < 100 * PATIENCE; i++)); do
        [ "$(grep -c '^READY=1' notes)" -lt 2 ] || break
        pause 0.05
    done
    is "$(grep '^READY=1' notes | tr -s ' ' | sed 's/ $//' | sort -u)" 'READY=1 STATUS=ready'
}

@test "a watchdog that is meant for another process is left alone" {
    listen_notify "$BATS_TEST_TMPDIR/n" notes
    export NOTIFY_SOCKET=$BATS_TEST_TMPDIR/n WATCHDOG_USEC=100000 WATCHDOG_PID=1
    start_daemon
    wait_notify '^READY=1'
    pause 0.5
    is "$(grep -c '^WATCHDOG' notes)" 0
}

@test "a socket of the service manager that is not there is no reason not to run" {
    export NOTIFY_SOCKET=$BATS_TEST_TMPDIR/nobody
    start_daemon
    ask /readyz
    is "$STATUS" 200
}

# ---- the process ----

@test "the process keeps its memory and files to itself" {
    start_daemon
    is "$(awk '/^Max core file size/ { print $5 }' "/proc/$DAEMON_PID/limits")" 0
    is "$(stat -c %a "$DB")" 600
    # Bit 12 of SigIgn is SIGPIPE.
    local ignored
    ignored=$(awk '/^SigIgn/ { print $2 }' "/proc/$DAEMON_PID/status")
    [ $((16#$ignored >> 12 & 1)) -eq 1 ]
}

@test "a limit of open files that is too low is said" {
    (ulimit -n 200 && exec "$NAVMESHD" --listen 127.0.0.1:0 --db "$DB" 2>"$LOG" >/dev/null 3>&-) &
    DAEMON_PID=$!
    local i
    for ((i = 0; i < 100 * PATIENCE; i++)); do
        ! grep -q 'event=ready' "$LOG" || break
        pause 0.05
    done
    grep -q 'level=warn event=few_files limit=200 wanted=[0-9]* detail=' "$LOG"
}
