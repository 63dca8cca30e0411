#!/usr/bin/env bats
# The console comes from the daemon alone: its page and files, what may run in them, and / as JSON for
# who asks for that.

load helper

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    printf 'admin admin-token-0123456789\n' >tokens
    chmod 600 tokens
    start_daemon --token-file tokens
}

POLICY="default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

@test "/ is the page for a browser and for who takes anything" {
    for accept in 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' '*/*' 'text/*' \
        'text/html, application/json' 'text/html, application/json;q=0.999' 'application/json;q=.2, text/*;q=0.3' ''; do
        ask / -H "Accept:$accept"
        is "$accept: $STATUS $(header Content-Type)" "$accept: 200 text/html; charset=utf-8"
        [[ $BODY == *'<script type="module" src="/console/console.js">'* ]]
    done
    ask / -H 'Accept;'
    is "$STATUS $(header Content-Type)" '200 text/html; charset=utf-8'
}

@test "/ is a list of all calls where Accept asks for JSON more closely than for HTML" {
    for accept in application/json 'application/json, */*' 'application/*' 'text/html;q=0, */*' \
        'application/json, text/*' 'text/html;q=0.1,application/json' 'text/html;q=0.25, */*;q=0.3'; do
        ask / -H "Accept: $accept"
        is "$accept: $STATUS $(header Content-Type)" "$accept: 200 application/json"
        is "$(json .name) $(json '.routes | length > 30')" 'navmeshd true'
    done
    ask / -H 'Accept: image/png'
    is_error 406 not_acceptable
}

@test "its files are open, the data is not" {
    for file in '/ text/html' '/console/console.js text/javascript' '/console/draw.js text/javascript' '/console/read.js text/javascript' \
        '/console/console.css text/css'; do
        ask "${file% *}"
        is "$STATUS $(header Content-Type)" "200 ${file#* }; charset=utf-8"
        [ "${#BODY}" -gt 100 ]
    done
    ask /v1/meshes
    is_error 401 token_missing
}

@test "nothing runs or is loaded that is not the daemon's" {
    for file in / /console/console.js /console/draw.js /console/read.js /console/console.css; do
        ask "$file"
        is "$(header Content-Security-Policy)" "$POLICY"
        is "$(header X-Content-Type-Options) $(header Referrer-Policy) $(header Cache-Control)" 'nosniff no-referrer no-cache'
        # An address in a program is a name space or a page of documentation: nothing is fetched from it.
        hosts=$(grep -oE '(fetch|import|src=|href=|url)\(?["'"'"'`]?https?://' <<<"$BODY" || true)
        is "$hosts" ''
    done
}

@test "a browser is told how long the daemon worked, for the console; nobody else pays for that" {
    ask /healthz -H 'Sec-Fetch-Site: same-origin'
    [[ $(header Server-Timing) =~ ^handler\;dur=[0-9]+\.[0-9]{4}$ ]]
    ask /healthz
    is "$(header Server-Timing)" ''
}

@test "a copy that is still the same is not sent again" {
    ask /console/console.js
    tag=$(header ETag)
    length=$(header Content-Length)
    ask /console/console.js -H "If-None-Match: $tag"
    is "$STATUS ${#BODY} $(header ETag) $(header Content-Length)" "304 0 $tag $length"
    ask /console/console.js -H 'If-None-Match: "0123"'
    is "$STATUS" 200
}

@test "all of it has at most 900 KB" {
    total=0
    for file in / /console/console.js /console/draw.js /console/read.js /console/console.css; do
        curl -s "$BASE$file" -o file
        total=$((total + $(stat -c %s file)))
    done
    [ "$total" -le 900000 ]
    [ "$total" -ge 10000 ]
}

@test "other addresses below it are none" {
    for file in /console /console/ /console/none.js /console/../../etc/passwd '/console/%2e%2e/main.c'; do
        ask "$file" --path-as-is
        is "$STATUS" 404
    done
    ask / -X POST
    is "$STATUS" 405
    ask '/?x=1'
    is_error 422 unknown_field
}
