#!/usr/bin/env bats
# The log has one line per event, key=value or JSON, with the names of requests; nothing that a
# client sends breaks a line, and nothing secret is in it.

load helper

setup() {
    own_folder
}

# start_daemon reads the address from text; this one reads it from JSON.
start_json_daemon() { # options
    "$NAVMESHD" --listen 127.0.0.1:0 --db "$DB" --log-format json "$@" 2>>"$LOG" >/dev/null 3>&- &
    DAEMON_PID=$!
    wait_log '"event":"listening"'
    ADDRESS=$(gojq -r 'select(.event == "listening").address' "$LOG")
    BASE=http://$ADDRESS
    wait_ready
}

@test "key=value: every line has a time, a level and an event, and its values are quoted as needed" {
    start_daemon --log-requests --mesh yard=square.obj
    printf 'v 0 0 0\nv 0 9 0\nv 9 0 0\nf 1 2 3\n' >wall.obj
    upload '/v1/meshes/wall/versions?wait=1' wall.obj
    ask /nothing
    ask /console/console.css
    local tag
    tag=$(header ETag)
    ask /console/console.css -H "If-None-Match: $tag"
    ask /console/console.css --head
    stop_daemon
    lacks -vE '^time=[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z level=(debug|info|warn|error) event=[a-z_]+( [a-z_]+=("([^"\\]|\\.)*"|[^ "=]+))*$' "$LOG"
    grep -qE 'level=error event=bake_failed mesh=wall version=1 code=mesh_empty detail="no place to stand' "$LOG"
    grep -qE 'event=request id=[0-9A-Z]{26} method=GET route=/nothing mesh="" status=404 ms=[0-9.]+ bytes=[0-9]+$' "$LOG"
    # Bytes are those that were sent.
    is "$(grep -oE 'method=[A-Z]+ route=/console/console.css .*' "$LOG" | sed -E 's/ route=.* (status=[0-9]+) ms=[0-9.]+/ \1/; s/bytes=[1-9][0-9]+$/bytes=all/' | xargs)" \
        'method=GET status=200 bytes=all method=GET status=304 bytes=0 method=HEAD status=200 bytes=0'
}

@test "JSON: every line is an object with the same fields" {
    start_json_daemon --log-requests --mesh yard=square.obj
    ask '/v1/meshes/yard/path?start=2,0,2&end=18,0,18'
    ask /nothing
    stop_daemon
    gojq -e -s 'length > 5 and all(.[]; (.time | test("^[0-9T:.-]+Z$")) and (.level | IN("debug", "info", "warn", "error")) and (.event | test("^[a-z_]+$")))' "$LOG"
    gojq -e -s '[.[] | select(.event == "request" and .mesh == "yard" and (.route | endswith("/path")))]
        | length == 1 and (.[0] | .status == 200 and (.ms | type) == "number" and .method == "GET")' "$LOG"
    [ "$(wc -l <"$LOG")" -eq "$(gojq -s length "$LOG")" ]
}

@test "the reply, the problem and the line bear the same name" {
    start_daemon --log-requests
    ask /nothing
    local id
    id=$(header X-Request-Id)
    [[ $id =~ ^[0-9A-Z]{26}$ ]]
    is "$(json .request_id)" "$id"
    grep -q "event=request id=$id " "$LOG"
}

@test "a client's X-Request-Id is taken over if it is a plain one" {
    start_daemon --log-requests
    local id
    for id in 01J8ZQ4N7D3V5T6W8X9Y0Z1A2B a 5e8f7c1a-2b3c-4d5e-8f90-a1b2c3d4e5f6 build_7.2 \
        "$(printf 'a%.0s' {1..64})"; do
        ask /nothing -H "X-Request-Id: $id"
        is "$(header X-Request-Id)" "$id"
        is "$(json .request_id)" "$id"
        grep -q "event=request id=$id " "$LOG"
    done
    for id in '' 'a b' 'a;b' '"a"' 'a=b' "$(printf 'a%.0s' {1..65})" $'caf\xc3\xa9'; do
        ask /nothing -H "X-Request-Id: $id"
        [[ $(header X-Request-Id) =~ ^[0-9A-Z]{26}$ ]]
    done
}

@test "a client's text cannot break a line" {
    start_daemon --log-requests
    ask '/a%0Atime=2026-01-01T00:00:00.000Z%20level=error%20event=forged'
    is "$STATUS" 404
    ask '/%1b%5b31m%22%5c%7f%ff'
    is "$STATUS" 404
    stop_daemon
    lacks -qE '(^| )event=forged' <(sed 's/"[^"]*"//g' "$LOG")
    lacks -qP '[\x00-\x08\x0b-\x1f\x7f]' "$LOG"
    is "$(grep -c '^time=' "$LOG")" "$(wc -l <"$LOG")"
    grep -qF 'route="/a\ntime=' "$LOG"
}

@test "headers, query strings and bodies are not in the log" {
    start_daemon --log-requests --log-level debug --slow-query-ms 0 --mesh yard=square.obj
    ask '/v1/meshes/yard/path?start=2,0,2&end=18,0,18&token=hushhush' -H 'Authorization: Bearer hushhush' \
        -H 'Cookie: a=hushhush' -H 'X-Request-Id: hush hush'
    post_json /v1/meshes/yard/path '{"start":"hushhush"}' -H 'Authorization: Bearer hushhush'
    is "$STATUS" 422
    lacks -q hush "$LOG"
}

@test "at level debug there is more: bakes begun" {
    start_daemon --log-level debug --mesh yard=square.obj
    grep -qE 'level=debug event=bake_begun mesh=yard version=1 worker=[0-9]+$' "$LOG"
}

@test "a level drops what is below it" {
    start_daemon --log-requests
    stop_daemon
    grep -q 'event=stopping' "$LOG"
    rm "$LOG"
    "$NAVMESHD" --listen "unix:$BATS_TEST_TMPDIR/s" --db "$DB" --log-level error --log-requests 2>"$LOG" >/dev/null 3>&- &
    DAEMON_PID=$!
    wait_for curl -fs -o /dev/null --unix-socket s http://navmeshd/readyz
    stop_daemon
    is "$EXIT_CODE" 0
    [ ! -s "$LOG" ]
}

@test "a slow query has its line: route, mesh, version, time and nodes" {
    # 20,000 triangles of a metre: little to bake, much to draw.
    { "$LEVEL_MAKER" town && printf 'v 5 0 15\nv 5 0 16\nv 6 0 16\n' && yes 'f -3 -2 -1' | head -n 20000; } >city.obj
    start_daemon --slow-query-ms 1 --mesh city=city.obj
    ask '/v1/meshes/city/versions/1/render.svg?layers=level'
    is "$STATUS" 200
    grep -qE 'level=warn event=slow_query id=[0-9A-Z]{26} method=GET route=/v1/meshes/\{mesh\}/versions/\{version\}/render.svg mesh=city version=1 status=200 ms=[0-9.]+ nodes=0$' "$LOG"
    gojq -nc '{queries: [range(1000) | {start: [2, 0, 2 + . % 60], end: [70, 0, 10 + . % 60]}]}' >batch.json
    ask /v1/meshes/city/paths -X POST -H 'Content-Type: application/json' --data-binary @batch.json
    is "$STATUS" 200
    grep -qE 'event=slow_query id=[0-9A-Z]{26} method=POST route=/v1/meshes/\{mesh\}/paths mesh=city version=1 status=200 ms=[0-9.]+ nodes=[1-9][0-9]*$' "$LOG"
    # Where all is slow, under a sanitizer, others may have one as well.
    local lines
    lines=$(grep -c 'event=slow_query' "$LOG")
    [ "$lines" -ge 2 ]
    is "$(curl -sS "$BASE/metrics" | sed -n 's/^navmeshd_slow_queries_total //p')" "$lines"
}

@test "what waits for a bake is not slow: the line is about the time in the handler" {
    start_daemon --slow-query-ms 100 --log-requests
    square_obj 70 >wide.obj
    upload '/v1/meshes/wide/versions?wait=1&cell_size=0.1&tile_cells=0' wide.obj
    is "$STATUS" 201
    ask '/v1/meshes/wide/explain?point=10,0,10'
    is "$STATUS" 200
    # Each took longer, by the clock.
    is "$(grep -cE 'event=request .*(explain|/versions) .*ms=[1-9][0-9]{2,}\.' "$LOG")" 2
    lacks -q event=slow_query "$LOG"
}

@test "no line where no query is slow, and none at all with 0" {
    start_daemon --slow-query-ms 60000 --mesh yard=square.obj
    ask '/v1/meshes/yard/path?start=2,0,2&end=18,0,18'
    ask '/v1/meshes/yard/versions/1/render.svg'
    stop_daemon
    start_daemon --slow-query-ms 0
    ask '/v1/meshes/yard/versions/1/render.svg'
    lacks -q slow_query "$LOG"
}
