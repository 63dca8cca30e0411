#!/usr/bin/env bats
# A client that sends its head or body, or reads its reply, a byte at a time is gone soon after its
# deadline, and meanwhile no other client notices it. The limits are short here; by default all of
# them end within 15 s.
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
    cd "$BATS_TEST_TMPDIR"
}

now_ms() {
    date +%s%3N
}

# Deadlines that a slow client goes on for.
PATIENT=25

# Sends what comes first, then the bytes of $2 one every 0.1 s, again and again, until the other side
# is gone or its time is over; what was answered is in the file answer, how long it took in
# milliseconds is printed.
drip() { # first bytes
    local host=${ADDRESS%:*} port=${ADDRESS##*:} begin end i=0
    begin=$(now_ms)
    (
        trap '' PIPE
        exec 9<>"/dev/tcp/$host/$port"
        # shellcheck disable=SC2059 # the bytes are the format
        printf "$1" >&9
        cat <&9 >answer 2>/dev/null &
        while (($(now_ms) - begin < PATIENT * DEADLINE_MS)); do
            kill -0 $! 2>/dev/null || break
            printf '%s' "${2:i++ % (${#2} + 1):1}" >&9 2>/dev/null || break
            sleep 0.1
        done
        kill $! 2>/dev/null
    ) 3>&- 2>/dev/null || true
    end=$(now_ms)
    echo $((end - begin))
}

# The daemon let go of it at its deadline: not before, and long before it would have ended itself.
is_let_go() { # milliseconds
    [ "$1" -ge $((DEADLINE_MS - DEADLINE_MS / 8)) ] && [ "$1" -lt $((DEADLINE_MS * (PATIENT - 5))) ]
}

LONG='X-Long-Header-Of-A-Slow-Client-That-Never-Ever-Ends-Its-Head-Since-It-Has-So-Much-To-Say'

@test "a head that drips is closed without a word" {
    local took
    took=$(drip 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n' "$LONG")
    is_let_go "$took"
    is "$(wc -c <answer)" 0
}

@test "a request line that drips, and silence" {
    local took
    took=$(drip '' "GET /$LONG")
    is_let_go "$took"
    took=$(drip '' '')
    is_let_go "$took"
}

@test "a body that drips is answered with 408" {
    local took
    took=$(drip 'POST /v1/meshes/field/path HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n' "$LONG")
    is_let_go "$took"
    is "$(head -n 1 answer | tr -d '\r')" 'HTTP/1.1 408 Request Timeout'
    is "$(tr -d '\r' <answer | sed '1,/^$/d' | jq -r .code)" request_timeout
}

@test "an upload that drips, in chunks, is answered with 408 and leaves nothing" {
    local took
    took=$(drip 'POST /v1/meshes/slow/versions HTTP/1.1\r\nHost: localhost\r\nContent-Type: model/obj\r\nTransfer-Encoding: chunked\r\n\r\n1000\r\nv 0 0 0\n' "$LONG")
    is_let_go "$took"
    [[ $(head -n 1 answer) == 'HTTP/1.1 408 '* ]]
    ask /v1/meshes/slow
    is_error 404 mesh_not_found
    ask /v1/status
    is "$(json .memory.bodies_bytes)" 0
}

@test "a body that comes slowly, but fast enough, is taken" {
    printf '{"start":[2,0,2],"end":[18,0,18]%16000s}' '' >body
    local host=${ADDRESS%:*} port=${ADDRESS##*:} i
    (
        exec 9<>"/dev/tcp/$host/$port"
        printf 'POST /v1/meshes/field/path HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n' "$(wc -c <body)" >&9
        for ((i = 0; i < 16; i++)); do
            dd if=body bs=1024 skip=$i count=1 status=none >&9
            sleep 0.1
        done
        cat <&9 >answer
    ) 3>&-
    [[ $(head -n 1 answer) == 'HTTP/1.1 200 '* ]]
}

# Open connections, without the one that asks.
others() {
    ask /v1/status
    echo $(($(json .connections) - 1))
}

@test "a reply that is read far too slowly ends, and its connection is freed" {
    curl -sS -o whole "$BASE/v1/meshes/field/versions/1/geometry"
    local whole begin n
    whole=$(wc -c <whole)
    [ "$whole" -gt 1500000 ]
    begin=$(now_ms)
    # Over a Unix socket: what TCP buffers on the client's side would be all of it.
    curl -sS --unix-socket "$SOCKET" --limit-rate 100 -o rest http://x/v1/meshes/field/versions/1/geometry 2>/dev/null 3>&- &
    local reader=$!
    # It is there, unless this shell was so slow that it has gone already.
    for ((n = 0; n < 100 * PATIENCE; n++)); do
        [ "$(others)" != 1 ] || break
        [ ! -s rest ] || break
        sleep 0.02
    done
    # At its rate it would read for hours.
    for ((n = 0; n < PATIENT * 8 * PATIENCE; n++)); do
        [ "$(others)" != 0 ] || break
        sleep 0.1
    done
    is "$(others)" 0
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
        sleep $((IDLE_MS * 6 / 10000)).$((IDLE_MS * 6 / 1000 % 10))
        printf 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n' >&9
        cat <&9 >answer
    ) 3>&-
    took=$(($(now_ms) - begin))
    is "$(grep -o 'HTTP/1.1 200' answer | wc -l)" 2
    # From the second question on; by itself it would wait for ever.
    [ "$took" -ge $((IDLE_MS * 15 / 10)) ] && [ "$took" -lt $((IDLE_MS * 12)) ]
}

@test "a bake that is waited for outlives every deadline" {
    "$MAKELEVEL" city --size 8 >city.obj
    upload '/v1/meshes/city/versions?wait=1&detail=true&cell_size=0.12' city.obj
    is "$STATUS" 201
}

@test "two hundred slow clients do not slow one honest one" {
    # Here they may take ten minutes: whoever waited for one of them would not be answered in time.
    own_database
    start_daemon --limit header_ms=600000
    upload '/v1/meshes/field/versions?wait=1' <(square_obj 20)
    is "$STATUS" 201
    local host=${ADDRESS%:*} port=${ADDRESS##*:} i n
    (
        for ((i = 0; i < 200; i++)); do
            exec {descriptor}<>"/dev/tcp/$host/$port"
            printf 'GET /he' >&"$descriptor"
        done
        : >crowd
        exec sleep 600
    ) 3>&- &
    local crowd=$!
    for ((n = 0; n < 600 * PATIENCE; n++)); do
        [ ! -e crowd ] || break
        sleep 0.05
    done
    for ((i = 0; i < 5; i++)); do
        ask '/v1/meshes/field/path?start=2,0,2&end=18,0,18' --max-time $((20 * PATIENCE))
        is "$STATUS" 200
    done
    is "$(others)" 200
    kill $crowd
    for ((n = 0; n < 100 * PATIENCE; n++)); do
        [ "$(others)" != 0 ] || break
        sleep 0.1
    done
    is "$(others)" 0
}
