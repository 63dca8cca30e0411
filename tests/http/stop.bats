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

# An upload of so many bytes, of which the first three come, over descriptor 9. It is in flight.
hold_upload() { # bytes
    exec 9<>"/dev/tcp/${ADDRESS%:*}/${ADDRESS##*:}"
    printf 'POST /v1/meshes/slow/versions HTTP/1.1\r\nHost: localhost\r\nContent-Type: model/obj\r\nContent-Length: %d\r\n\r\nv 0' "$1" >&9
    wait_for one_uploads
}

one_uploads() {
    ask /metrics
    [[ $BODY == *$'\nnavmeshd_http_uploads_in_flight 1\n'* ]]
}

refuses_connections() {
    if (exec 7<>"/dev/tcp/${ADDRESS%:*}/${ADDRESS##*:}") 2>/dev/null; then
        return 1
    fi
}

# Waits for the daemon, which is to end by itself with this code.
ends_with() { # exit code
    EXIT_CODE=0
    wait "$DAEMON_PID" || EXIT_CODE=$?
    DAEMON_PID=
    is "$EXIT_CODE" "$1"
}

# A level whose bake takes longer than any test, with these settings; with those of end_soon in the database
# the next start makes short work of it.
ENDLESS='cell_size=0.05&tile_cells=64'
endless_obj() {
    square_obj 500
}

end_soon() {
    sqlite3 "$DB" "UPDATE versions SET config_json = replace(config_json, '\"cell_size\":0.05', '\"cell_size\":1')"
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
    local body
    start_daemon --drain-ms 600000 --limit body_ms=600000
    body=$(square_obj 20)
    hold_upload $((${#body} + 1))
    exec 8<>"/dev/tcp/${ADDRESS%:*}/${ADDRESS##*:}"
    printf 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n' >&8
    head -n 1 <&8 >/dev/null
    kill -TERM "$DAEMON_PID"
    wait_for refuses_connections
    kill -0 "$DAEMON_PID"
    printf 'GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n' >&8
    cat <&8 >readyz.out
    grep -q 'HTTP/1.1 503' readyz.out
    grep -q '"code":"not_ready"' readyz.out
    exec 8>&-
    printf '%s\n' "${body#v 0}" >&9
    # Taken before the signal, but not yet acknowledged: refused with a reason, or accepted.
    head -n 1 <&9 | grep -qE 'HTTP/1.1 (202|503)'
    ends_with 0
}

bakes_city() {
    ask /v1/meshes/city/versions/1
    [[ $BODY == *'"state":"baking"'* ]]
}

@test "SIGTERM during a bake: it ends within the limit, and the next start bakes it" {
    endless_obj >city.obj
    start_daemon --drain-ms 100 --workers 1
    upload "/v1/meshes/city/versions?$ENDLESS" city.obj
    is "$STATUS" 202
    wait_for bakes_city
    stop_daemon
    is "$EXIT_CODE" 0
    is "$(sqlite3 "$DB" 'SELECT state FROM versions')" queued
    end_soon
    start_daemon
    wait_version /v1/meshes/city/versions/1
    is "$(json .state)" ready
}

@test "SIGTERM while clients wait for bakes with wait=1: 202 for each, and the next start bakes them" {
    endless_obj >city.obj
    start_daemon --drain-ms 100 --workers 1
    local mesh pids=()
    for mesh in first second; do
        curl -sS -D "$mesh.headers" -o "$mesh.json" -w '%{http_code}' -X POST -H 'Content-Type: model/obj' \
            --data-binary @city.obj "$BASE/v1/meshes/$mesh/versions?wait=1&$ENDLESS" >"$mesh.status" 3>&- &
        pids+=($!)
    done
    wait_for one_bakes_one_waits
    is "$(json .queue.limit)" 64
    stop_daemon
    is "$EXIT_CODE" 0
    wait "${pids[@]}"
    for mesh in first second; do
        is "$(cat "$mesh.status")" 202
        is "$(tr -d '\r' <"$mesh.headers" | sed -n 's/^Location: //Ip')" "/v1/meshes/$mesh/versions/1"
        is "$(gojq -r '.version, .error' "$mesh.json" | tr '\n' ' ')" '1 null '
        [[ $(gojq -r .state "$mesh.json") =~ ^(queued|baking)$ ]]
    done
    end_soon
    start_daemon
    for mesh in first second; do
        wait_version "/v1/meshes/$mesh/versions/1"
        is "$(json '"\(.state) \(.active)"')" 'ready true'
    done
}

one_bakes_one_waits() {
    ask /v1/status
    [[ $BODY == *'"queue":{"queued":1,"baking":1,'* ]]
}

@test "a client that does not go on is cut off at the limit" {
    # No other limit ends it.
    start_daemon --drain-ms 1000 --limit body_ms=600000
    hold_upload 1000
    local begin
    begin=$(date +%s%3N)
    kill -TERM "$DAEMON_PID"
    ends_with 0
    [ $(($(date +%s%3N) - begin)) -ge 900 ]
    exec 9>&-
}

@test "a second SIGTERM ends it at once, and nothing acknowledged is lost" {
    start_daemon --drain-ms 600000 --limit body_ms=600000
    bake_mesh yard square.obj
    hold_upload 1000
    kill -TERM "$DAEMON_PID"
    wait_log event=stopping
    kill -0 "$DAEMON_PID"
    kill -TERM "$DAEMON_PID"
    ends_with $((128 + 15))
    exec 9>&-
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
    wait_for [ -S "$1" ]
}

wait_notify() { # pattern [count]
    LOG=notes wait_log "$@"
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
    wait_notify '^READY=1' 2
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
    wait_for [ -S "$BATS_TEST_TMPDIR/passed" ]
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
    wait_notify '^READY=1' 2
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
    wait_log event=ready
    grep -q 'level=warn event=few_files limit=200 wanted=[0-9]* detail=' "$LOG"
}
