#!/usr/bin/env bats
# A client that sends its head or body, or reads its reply, a byte at a time is gone soon after its
# deadline, and meanwhile no other client notices it. The limits are short here; by default all of
# them end within 15 s.

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
    start_daemon --listen "unix:$SOCKET" --limit header_ms=800 --limit body_ms=800 --limit reply_ms=800 --limit idle_ms=2500
    upload '/v1/meshes/field/versions?wait=1&cell_size=1' field.obj
    is "$STATUS" 201
}

setup() {
    cd "$BATS_TEST_TMPDIR"
}

now_ms() {
    date +%s%3N
}

# Sends what comes first, then the bytes of $2 one every 0.1 s, until the other side is gone or 6 s
# are over; what was answered is in the file answer, how long it took in milliseconds is printed.
drip() { # first bytes
    local host=${ADDRESS%:*} port=${ADDRESS##*:} begin end i
    begin=$(now_ms)
    (
        trap '' PIPE
        exec 9<>"/dev/tcp/$host/$port"
        # shellcheck disable=SC2059 # the bytes are the format
        printf "$1" >&9
        cat <&9 >answer 2>/dev/null &
        for ((i = 0; i < 60; i++)); do
            kill -0 $! 2>/dev/null || break
            printf '%s' "${2:i:1}" >&9 2>/dev/null || break
            sleep 0.1
        done
        kill $! 2>/dev/null
    ) 3>&- 2>/dev/null || true
    end=$(now_ms)
    echo $((end - begin))
}

LONG='X-Long-Header-Of-A-Slow-Client-That-Never-Ever-Ends-Its-Head-Since-It-Has-So-Much-To-Say'

@test "a head that drips is closed without a word" {
    local took
    took=$(drip 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n' "$LONG")
    [ "$took" -ge 700 ] && [ "$took" -lt 3000 ]
    is "$(wc -c <answer)" 0
}

@test "a request line that drips, and silence" {
    local took
    took=$(drip '' "GET /$LONG")
    [ "$took" -ge 700 ] && [ "$took" -lt 3000 ]
    took=$(drip '' '')
    [ "$took" -ge 700 ] && [ "$took" -lt 3000 ]
}

@test "a body that drips is answered with 408" {
    local took
    took=$(drip 'POST /v1/meshes/field/path HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n' "$LONG")
    [ "$took" -ge 700 ] && [ "$took" -lt 3000 ]
    is "$(head -n 1 answer | tr -d '\r')" 'HTTP/1.1 408 The request took too long to arrive'
    is "$(tr -d '\r' <answer | sed '1,/^$/d' | jq -r .code)" request_timeout
}

@test "an upload that drips, in chunks, is answered with 408 and leaves nothing" {
    local took
    took=$(drip 'POST /v1/meshes/slow/versions HTTP/1.1\r\nHost: localhost\r\nContent-Type: model/obj\r\nTransfer-Encoding: chunked\r\n\r\n1000\r\nv 0 0 0\n' "$LONG")
    [ "$took" -ge 700 ] && [ "$took" -lt 3000 ]
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
    sleep 0.4
    is "$(others)" 1
    for ((n = 0; n < 50; n++)); do
        [ "$(others)" != 0 ] || break
        sleep 0.1
    done
    is "$(others)" 0
    [ $(($(now_ms) - begin)) -lt 4000 ]
    kill $reader
    [ "$(wc -c <rest)" -lt "$whole" ]
}

@test "a reply that is read slowly, but fast enough, comes whole" {
    run -0 curl -sS -o slow -w '%{size_download}' --limit-rate 800k "$BASE/v1/meshes/field/versions/1/geometry"
    curl -sS -o whole "$BASE/v1/meshes/field/versions/1/geometry"
    cmp slow whole
}

@test "an idle connection is kept for its own time, then closed" {
    local begin took
    begin=$(now_ms)
    (
        exec 9<>"/dev/tcp/${ADDRESS%:*}/${ADDRESS##*:}"
        printf 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n' >&9
        sleep 1.5
        printf 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n' >&9
        cat <&9 >answer
    ) 3>&-
    took=$(($(now_ms) - begin))
    is "$(grep -o 'HTTP/1.1 200' answer | wc -l)" 2
    [ "$took" -ge 3800 ] && [ "$took" -lt 6500 ]
}

@test "a bake that is waited for outlives every deadline" {
    "$MAKELEVEL" city --size 8 >city.obj
    upload '/v1/meshes/city/versions?wait=1&detail=true&cell_size=0.12' city.obj
    is "$STATUS" 201
}

@test "two hundred slow clients do not slow one honest one" {
    local host=${ADDRESS%:*} port=${ADDRESS##*:}
    (
        for ((i = 0; i < 200; i++)); do
            exec {descriptor}<>"/dev/tcp/$host/$port"
            printf 'GET /he' >&"$descriptor"
        done
        sleep 1.5
    ) 3>&- &
    local crowd=$! i begin
    sleep 0.3
    begin=$(now_ms)
    for ((i = 0; i < 5; i++)); do
        ask '/v1/meshes/field/path?start=2,0,2&end=18,0,18'
        is "$STATUS" 200
    done
    [ $(($(now_ms) - begin)) -lt 2000 ]
    wait $crowd
    sleep 0.5
    is "$(others)" 0
}
