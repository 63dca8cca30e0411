#!/usr/bin/env bats
# Access is decided before anything else: by the name the daemon is called by, by the site whose
# page asks, and by a token where there is a token file.

load helper

QUERY=query-token-0123456789
BAKE=bake-token-0123456789
BOTH=both-token-0123456789
ADMIN=admin-token-0123456789

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    square_obj 20 >square.obj
    cat >tokens <<TOKENS
# who may do what
query $QUERY   game servers
bake	$BAKE

bake,query $BOTH
admin $ADMIN
TOKENS
    chmod 600 tokens
    start_daemon --allow-host nav.example --allow-host other.example:81 --allow-origin https://tools.example
    bake_mesh yard square.obj
    # A second daemon with tokens, on all addresses and on a Unix socket.
    export OPEN_LOG=$BATS_FILE_TMPDIR/open.log OPEN_SOCKET=$BATS_FILE_TMPDIR/open.sock
    "$NAVMESHD" --listen 0.0.0.0:0 --listen "unix:$OPEN_SOCKET" --token-file tokens \
        --db open.db --mesh yard=square.obj 2>"$OPEN_LOG" >/dev/null 3>&- &
    export OPEN_PID=$!
    wait_for curl -fs --unix-socket "$OPEN_SOCKET" -o /dev/null http://navmeshd/readyz
    OPEN=http://127.0.0.1:$(sed -n 's/.*address=0.0.0.0:\([0-9]*\).*/\1/p' "$OPEN_LOG")
    export OPEN
}

teardown_file() {
    stop_daemon
    kill "$OPEN_PID"
    wait "$OPEN_PID" || true
}

# ---- names ----

@test "names of this machine are taken, with any port and without" {
    for host in localhost LOCALHOST localhost:1 127.0.0.1 127.0.0.1:65535 127.255.0.3:7650 '[::1]' \
        '[::1]:80' nav.example NAV.example:1234 other.example:81; do
        ask /healthz -H "Host: $host"
        is "$host $STATUS" "$host 200"
    done
}

@test "other names are refused, whatever is asked" {
    for host in evil.example localhost.evil.example evil.example:7650 127.0.0.1.evil.example \
        128.0.0.1 10.0.0.1 '[::2]' '[::1' '[::ffff:127.0.0.1]x' localhost:80x other.example '' 0x7f.1; do
        for path in /healthz /v1/meshes /nothing; do
            ask "$path" -H "Host;" -H "Host: $host"
            is_error 403 host_not_allowed
        done
    done
    upload '/v1/meshes/rebound/versions?wait=1' square.obj model/obj -H 'Host: evil.example'
    is_error 403 host_not_allowed
    ask /v1/meshes/rebound
    is_error 404 mesh_not_found
}

# ---- sites ----

@test "a page of another site may not ask, with any method" {
    for origin in http://evil.example https://evil.example null "http://$ADDRESS.evil.example" \
        http://localhost:1 file:// ''; do
        ask /v1/meshes -H "Origin;" -H "Origin: $origin"
        is_error 403 origin_not_allowed
    done
    ask /v1/meshes/yard -X DELETE -H 'Origin: http://evil.example'
    is_error 403 origin_not_allowed
    ask /v1/meshes/yard -X OPTIONS -H 'Origin: http://evil.example' -H 'Access-Control-Request-Method: PUT'
    is_error 403 origin_not_allowed
    post_json /v1/meshes/yard/path '{"start":[2,0,2],"end":[18,0,18]}' -H 'Origin: http://evil.example'
    is_error 403 origin_not_allowed
    for site in cross-site same-site nonsense; do
        ask /v1/meshes -H "Sec-Fetch-Site: $site"
        is_error 403 origin_not_allowed
    done
    ask /v1/meshes/yard
    is "$STATUS" 200
    # A link of another site's leads to the page; nothing else does.
    ask / -H 'Sec-Fetch-Site: cross-site' -H 'Accept: text/html'
    is "$STATUS $(header Content-Type)" '200 text/html; charset=utf-8'
    is "$(header Vary)" Accept
    ask / -H 'Sec-Fetch-Site: cross-site' -H 'Origin: http://evil.example'
    is_error 403 origin_not_allowed
    ask / -X POST -H 'Sec-Fetch-Site: cross-site'
    is_error 403 origin_not_allowed
}

@test "the daemon's own pages may ask, and no reply invites others" {
    ask /v1/meshes -H "Origin: http://$ADDRESS" -H 'Sec-Fetch-Site: same-origin'
    is "$STATUS" 200
    is "$(header Access-Control-Allow-Origin)" ''
    ask /v1/meshes -H "Host: nav.example" -H 'Origin: https://nav.example' -H 'Sec-Fetch-Site: none'
    is "$STATUS" 200
}

@test "a page of --allow-origin may ask, read the reply, and is told so before" {
    ask '/v1/meshes/yard/path?start=2,0,2&end=18,0,18' -H 'Origin: https://tools.example' -H 'Sec-Fetch-Site: cross-site'
    is "$STATUS $(json .status)" '200 complete'
    is "$(header Access-Control-Allow-Origin)" https://tools.example
    is "$(header Vary)" Origin
    is "$(header Access-Control-Expose-Headers)" 'ETag, Location, Retry-After, X-Recording, X-Request-Id'
    ask /v1/meshes/yard/path -X OPTIONS -H 'Origin: https://tools.example' -H 'Access-Control-Request-Method: POST' \
        -H 'Access-Control-Request-Headers: content-type' -H 'Access-Control-Request-Private-Network: true'
    is "$STATUS" 204
    is "$BODY" ''
    is "$(header Access-Control-Allow-Methods)" 'GET, HEAD, POST'
    is "$(header Access-Control-Allow-Headers)" 'Authorization, Content-Encoding, Content-Type, If-Match, If-None-Match, X-Request-Id, X-Requested-With'
    is "$(header Access-Control-Allow-Private-Network)" true
    # An error can be read as well.
    ask '/v1/meshes/nowhere/path?start=2,0,2&end=18,0,18' -H 'Origin: https://tools.example'
    is_error 404 mesh_not_found
    is "$(header Access-Control-Allow-Origin)" https://tools.example
    local origin
    for origin in http://tools.example https://tools.example:444 https://tools.example.evil; do
        ask /v1/meshes -H "Origin: $origin"
        is_error 403 origin_not_allowed
        is "$(header Access-Control-Allow-Origin)" ''
    done
    # OPTIONS of nobody's page is a method like any other.
    ask /v1/meshes/yard/path -X OPTIONS
    is_error 405 method_not_allowed
}

@test "--allow-origin takes origins only" {
    local origin
    for origin in tools.example https://tools.example/ '*' https://; do
        run -2 timeout 30 "$NAVMESHD" --listen 127.0.0.1:0 --db never.db --allow-origin "$origin" 3>&-
        [[ $output == *'an origin is http://HOST:PORT'* ]]
    done
}

@test "--trusted-network: an address that others reach without tokens, by its address, told in log and status" {
    DB=$BATS_TEST_TMPDIR/trusted.db LOG=$BATS_TEST_TMPDIR/trusted.log DAEMON_PID= start_daemon --listen 0.0.0.0:0 --trusted-network
    grep -q 'event=trusted_network address=0.0.0.0:' "$BATS_TEST_TMPDIR/trusted.log"
    ask /v1/status
    is "$(json .trusted_network)" true
    BASE=http://127.0.0.1:$(sed -n 's/.*event=listening address=0.0.0.0:\([0-9]*\).*/\1/p' "$BATS_TEST_TMPDIR/trusted.log")
    local host
    for host in 127.0.0.1 10.1.2.3:7650 '[fe80::1]' localhost; do
        ask /v1/meshes -H "Host: $host"
        is "$host $STATUS" "$host 200"
    done
    for host in navmeshd evil.example 10.1.2.3.example; do
        ask /v1/meshes -H "Host: $host"
        is_error 403 host_not_allowed
    done
}

# ---- tokens ----

with() { # token path [curl options]
    local token=$1
    shift
    BASE=$OPEN ask "$@" -H "Authorization: Bearer $token"
}

@test "health needs no token; nothing else goes without" {
    for path in /healthz /readyz /openapi.json; do
        BASE=$OPEN ask $path
        is "$STATUS" 200
    done
    for path in /v1/status /metrics /v1/meshes /v1/meshes/yard/versions/1 '/v1/meshes/yard/path?start=2,0,2&end=9,0,9'; do
        BASE=$OPEN ask "$path"
        is_error 401 token_missing
        [[ $(header WWW-Authenticate) == Bearer* ]]
    done
    with wrong-token-0123456789 /v1/meshes
    is_error 401 token_missing
    with "${QUERY%9}" /v1/meshes
    is_error 401 token_missing
    BASE=$OPEN ask /v1/meshes -H "Authorization: Basic $QUERY"
    is_error 401 token_missing
    BASE=$OPEN ask /v1/meshes -H "Authorization: bearer  $QUERY"
    is "$STATUS" 200
}

@test "each scope does its own, and admin everything" {
    with "$QUERY" '/v1/meshes/yard/path?start=2,0,2&end=9,0,9'
    is "$STATUS" 200
    with "$QUERY" /v1/meshes/up/versions?wait=1 -X POST -H 'Content-Type: model/obj' --data-binary @square.obj
    is_error 403 token_scope
    with "$QUERY" /v1/meshes/yard -X DELETE
    is_error 403 token_scope
    with "$BAKE" '/v1/meshes/yard/path?start=2,0,2&end=9,0,9'
    is_error 403 token_scope
    with "$BAKE" /v1/meshes/up/versions?wait=1 -X POST -H 'Content-Type: model/obj' --data-binary @square.obj
    is "$STATUS" 201
    with "$BAKE" /v1/meshes/up/versions/1
    is "$STATUS" 200
    with "$BOTH" '/v1/meshes/up/path?start=2,0,2&end=9,0,9'
    is "$STATUS" 200
    with "$BOTH" /v1/meshes/up -X DELETE
    is_error 403 token_scope
    with "$BOTH" /v1/meshes/up/active -X PUT -H 'Content-Type: application/json' -d '{"version":1}'
    is_error 403 token_scope
    with "$ADMIN" /v1/meshes/up/active -X PUT -H 'Content-Type: application/json' -d '{"version":1}'
    is "$STATUS" 200
    with "$ADMIN" '/v1/meshes/up/path?start=2,0,2&end=9,0,9'
    is "$STATUS" 200
    with "$ADMIN" /v1/meshes/up -X DELETE
    is "$STATUS" 204
}

@test "a large upload without a token is refused before its body is read" {
    head -c 3000000 /dev/zero >large
    BASE=$OPEN ask /v1/meshes/up/versions -X POST -H 'Content-Type: model/obj' -H 'Expect: 100-continue' --data-binary @large
    is_error 401 token_missing
}

@test "a Unix socket is guarded by its file: no token, any name" {
    run -0 curl -sS --unix-socket "$OPEN_SOCKET" -H 'Host: whatever.example' -o /dev/null -w '%{http_code}' http://x/v1/meshes
    is "$output" 200
}

@test "tokens appear in no log and no reply" {
    with "$QUERY" /v1/status
    lacks -q "$QUERY\|$BAKE\|$ADMIN" "$OPEN_LOG" "$BATS_TEST_TMPDIR/body"
}

# ---- the token file ----

fails_to_start() { # pattern arguments...
    local pattern=$1
    shift
    run timeout -k 5 30 "$NAVMESHD" --listen 127.0.0.1:0 --db bad.db "$@" 3>&-
    [ "$status" -ne 0 ] && [ "$status" -lt 124 ]
    [[ $output =~ $pattern ]]
    [ ! -e bad.db ]
}

@test "token files that are wrong do not start, and are not shown" {
    local secret=secret-token-0123456789
    write() {
        printf "$@" >bad.tokens
        chmod "${MODE:-600}" bad.tokens
    }
    fails_to_start 'No such file' --token-file missing
    fails_to_start 'regular' --token-file .
    MODE=604 write 'query %s\n' $secret
    fails_to_start 'others' --token-file bad.tokens
    write '# none\n\n'
    fails_to_start 'no token' --token-file bad.tokens
    write 'query short\n'
    fails_to_start 'line 1.*16' --token-file bad.tokens
    write '\n\nquery,all %s\n' $secret
    fails_to_start 'line 3' --token-file bad.tokens
    write '%s\n' $secret
    fails_to_start 'line 1' --token-file bad.tokens
    write 'query %s"\n' $secret
    fails_to_start 'line 1' --token-file bad.tokens
    [[ $output != *secret* ]]
    write 'query %s\0\n' $secret
    fails_to_start 'zero' --token-file bad.tokens
    MODE=640 write 'query %s\n' $secret
    run -0 timeout 30 "$NAVMESHD" --db bad.db --token-file bad.tokens --check 3>&-
}

@test "listeners that others can reach need a token file, also those passed in" {
    for address in 0.0.0.0:0 '[::]:0' 192.0.2.1:80; do
        fails_to_start '--token-file' --listen "$address"
    done
}
