#!/usr/bin/env bats
# A client that reads its reply a byte at a time is gone soon after its deadline; one that is slow,
# but fast enough, is not. Those that are slow to send are rows of tests/faults/http/slow.txt, where a
# crowd of them is as well.
#
# Clients are driven by a shell, which a busy machine keeps waiting. So slow ones go on for far longer
# than any deadline here: that they end before that is the daemon's doing, whatever else takes time.
# PATIENCE makes all of it longer, deadlines included, so that who is fast enough stays so.

load helper

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    # A field of 250 x 250 points: its stored geometry is larger than what sockets buffer.
    awk 'BEGIN {
        n = 250
        for (z = 0; z < n; z++) for (x = 0; x < n; x++) printf "v %d 0 %d\n", x, z
        for (z = 1; z < n; z++) for (x = 1; x < n; x++) {
            a = (z - 1) * n + x
            printf "f %d %d %d %d\n", a, a + n, a + n + 1, a + 1
        }
    }' >field.obj
    export SOCKET=$BATS_FILE_TMPDIR/slow.sock
    export DEADLINE_MS=$((1200 * PATIENCE)) IDLE_MS=$((4000 * PATIENCE))
    start_daemon --listen "unix:$SOCKET" --limit header_ms=$DEADLINE_MS --limit body_ms=$DEADLINE_MS \
        --limit reply_ms=$DEADLINE_MS --limit idle_ms=$IDLE_MS
    upload '/v1/meshes/field/versions?wait=1&cell_size=1' field.obj
    is "$STATUS" 201
}

setup() {
    trace_test
    cd "$BATS_TEST_TMPDIR"
}

now_ms() {
    date +%s%3N
}

pause_ms() { # milliseconds
    pause "$(($1 / 1000)).$(printf %03d $(($1 % 1000)))"
}

@test "a body that comes slowly, but fast enough, is taken" {
    printf '{"start":[2,0,2],"end":[18,0,18]%16000s}' '' >body
    local host=${ADDRESS%:*} port=${ADDRESS##*:} i
    (
        exec 9<>"/dev/tcp/$host/$port"
        printf 'POST /v1/meshes/field/path HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n' "$(wc -c <body)" >&9
        for ((i = 0; i < 16; i++)); do
            dd if=body bs=1024 skip=$i count=1 status=none >&9
            pause 0.1
        done
        cat <&9 >answer
    ) 3>&-
    [[ $(head -n 1 answer) == 'HTTP/1.1 200 '* ]]
}

@test "what the daemon is late for is not the client's fault: a request after a rest, and a body that came" {
    own_database
    start_daemon --limit body_ms=$IDLE_MS --limit idle_ms=$IDLE_MS
    local host=${ADDRESS%:*} port=${ADDRESS##*:} line
    exec 9<>"/dev/tcp/$host/$port"
    printf 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n' >&9
    read -r line <&9
    [[ $line == 'HTTP/1.1 200 '* ]]
    kill -STOP "$DAEMON_PID"
    printf 'POST /v1/meshes/none/path HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{' >&9
    pause_ms $((IDLE_MS + 500))
    kill -CONT "$DAEMON_PID"
    pause 0.5
    kill -STOP "$DAEMON_PID"
    printf '}GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' >&9 || true
    pause_ms $((IDLE_MS + 500))
    kill -CONT "$DAEMON_PID"
    timeout $((20 * PATIENCE)) cat <&9 >answers
    exec 9>&-
    is "$(grep -o 'HTTP/1.1 [0-9]*' answers | tr '\n' ' ')" 'HTTP/1.1 422 HTTP/1.1 200 '
}

# So many connections are open beside the one that asks.
others_are() { # count
    ask /v1/status
    [[ $BODY == *"\"connections\":$(($1 + 1)),"* ]]
}

has_begun() {
    others_are 1 || [ -s rest ]
}

@test "a reply that is read far too slowly ends, and its connection is freed" {
    curl -sS -o whole "$BASE/v1/meshes/field/versions/1/geometry"
    local whole begin
    whole=$(wc -c <whole)
    [ "$whole" -gt 1500000 ]
    begin=$(now_ms)
    # Over a Unix socket: what TCP buffers on the client's side would be all of it.
    curl -sS --unix-socket "$SOCKET" --limit-rate 100 -o rest http://x/v1/meshes/field/versions/1/geometry 2>/dev/null 3>&- &
    local reader=$!
    # It is there, unless this shell was so slow that it has gone already.
    wait_for has_begun
    # At its rate it would read for hours.
    wait_for others_are 0
    [ $(($(now_ms) - begin)) -ge $((DEADLINE_MS - DEADLINE_MS / 8)) ]
    kill $reader 2>/dev/null || true
    [ "$(wc -c <rest)" -lt "$whole" ]
}

@test "a reply that is read slowly, but fast enough, comes whole" {
    # Twice a second at the least, which is far more than the 4096 bytes that earn a second.
    run -0 curl -sS -o slow -w '%{size_download}' --limit-rate $((800 / PATIENCE))k "$BASE/v1/meshes/field/versions/1/geometry"
    curl -sS -o whole "$BASE/v1/meshes/field/versions/1/geometry"
    cmp slow whole
}

@test "an idle connection is kept for its own time, then closed" {
    local begin took
    begin=$(now_ms)
    (
        exec 9<>"/dev/tcp/${ADDRESS%:*}/${ADDRESS##*:}"
        printf 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n' >&9
        pause_ms $((IDLE_MS * 6 / 10))
        printf 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n' >&9
        cat <&9 >answer
    ) 3>&-
    took=$(($(now_ms) - begin))
    is "$(grep -o 'HTTP/1.1 200' answer | wc -l)" 2
    # From the second question on; by itself it would wait for ever.
    [ "$took" -ge $((IDLE_MS * 15 / 10)) ] && [ "$took" -lt $((IDLE_MS * 12)) ]
}

@test "a bake that is waited for outlives every deadline" {
    own_database
    local deadline_ms=$((DEADLINE_MS / 2)) wide=/v1/meshes/wide/versions
    start_daemon --workers 1 --limit header_ms=$deadline_ms --limit body_ms=$deadline_ms \
        --limit reply_ms=$deadline_ms --limit idle_ms=$deadline_ms
    # The only worker is at a bake that does not end, until a quarter more than a deadline has passed.
    square_obj 500 >wide.obj
    square_obj 20 >square.obj
    upload "$wide?cell_size=0.05&tile_cells=64" wide.obj
    is "$STATUS" 202
    curl -sS -o waited -w '%{http_code}' -H 'Content-Type: model/obj' --data-binary @square.obj \
        "$BASE/v1/meshes/square/versions?wait=1" >code 3>&- &
    local waits=$!
    wait_for is_queued /v1/meshes/square/versions/1
    pause_ms $((deadline_ms * 5 / 4))
    ask "$wide/1" -X DELETE
    wait "$waits"
    is "$(<code)" 201
}

is_queued() { # path of a version
    ask "$1"
    [[ $BODY == *'"state":"queued"'* ]]
}
