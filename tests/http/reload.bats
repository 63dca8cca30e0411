#!/usr/bin/env bats
# A configuration file says what the command line says: it is checked as a whole, flags override it,
# and SIGHUP changes what can change while the daemon runs, or nothing.

load helper

setup() {
    own_folder
}

check() { # exit code, arguments: --check, which never listens
    local code=$1
    shift
    run --separate-stderr "-$code" timeout 30 "$NAVMESHD" --check "$@" 3>&-
    [[ $output != *listening* ]] && [[ $stderr != *listening* ]]
}

@test "a file gives what flags give" {
    cat >config.json <<JSON
{"db": "$BATS_TEST_TMPDIR/other.db", "mesh": ["yard=square.obj"], "workers": 1, "log_format": "json"}
JSON
    # start_daemon reads the address from lines of text, so the format is a flag here.
    DB=$BATS_TEST_TMPDIR/flag.db
    start_daemon --config config.json --log-format text
    ask /v1/meshes/yard/versions
    is "$(json '[.versions[].version] | join(" ")')" 1
    ask /v1/status
    is "$(json .workers)" 1
    [ -e flag.db ]
    [ ! -e other.db ]
}

@test "--check says ok, and changes nothing" {
    printf '{"listen": ["127.0.0.1:0", "unix:%s/s"], "db": "%s"}' "$BATS_TEST_TMPDIR" "$DB" >config.json
    check 0 --config config.json
    is "$output" ok
    is "$stderr" ''
    [ ! -e "$DB" ]
    [ ! -e s ]
}

@test "--check says every fault on a line of its own, by the name of its key" {
    printf '{"worker": 2,\n "bake_time": "long", "log_level": "loud",\n "listen": "nonsense", "drain_ms": -1}' >config.json
    echo 'this is a letter and no database, and it is longer than a hundred bytes so that it has room for a header of a database' >letter
    check 1 --config config.json --db letter --mesh yard=missing.obj --slow-query-ms x
    is "$output" ''
    is "$(wc -l <<<"$stderr")" 8
    for name in 'config.json, line 1: worker: ' 'config.json, line 2: bake_time' 'config.json, line 2: log_level' 'config.json, line 3: listen' \
        'config.json, line 3: drain_ms' -- '--slow-query-ms x' '--db letter' '--mesh yard: missing.obj'; do
        [ "$name" = -- ] || grep -qF -e "$name" <<<"$stderr"
    done
}

@test "--check of a file that is no JSON, too large, or not there" {
    echo '{"workers": 2' >config.json
    check 1 --config config.json
    [[ $stderr == *'config.json: line 2, column 1: '* ]]
    head -c 2000000 /dev/zero >large.json
    check 1 --config large.json
    [[ $stderr == *'large.json'* ]]
    check 1 --config missing.json
    [[ $stderr == *'missing.json'* ]]
    mkfifo pipe.json
    check 1 --config pipe.json
}

@test "a start with a file that is wrong ends with exit code 2" {
    echo '{"worker": 2}' >config.json
    run -2 timeout 30 "$NAVMESHD" --config config.json --db "$DB" 3>&-
    [[ $output == *worker* ]]
    [ ! -e "$DB" ]
}

@test "SIGHUP changes the log while the daemon runs" {
    echo '{}' >config.json
    start_daemon --config config.json
    ask /healthz
    [ "$(grep -c 'event=request ' "$LOG")" -eq 0 ]
    echo '{"log_requests": true}' >config.json
    kill -HUP "$DAEMON_PID"
    wait_log 'event=option_changed option=log-requests'
    wait_log 'event=reloaded'
    ask /healthz
    wait_log 'event=request '
    echo '{"log_format": "json"}' >config.json
    kill -HUP "$DAEMON_PID"
    wait_log '"event":"reloaded"'
    is "$(tail -n 1 "$LOG" | gojq -r .event)" reloaded
    ask /readyz
    is "$STATUS" 200
}

@test "SIGHUP with a file that is wrong keeps every old setting and says what is wrong" {
    echo '{"log_requests": true}' >config.json
    start_daemon --config config.json
    echo '{"log_requests": false, "log_format": "json", "workers": "many"}' >config.json
    kill -HUP "$DAEMON_PID"
    wait_log 'event=reload_refused code=invalid_field at=workers'
    ask /healthz
    wait_log 'event=request .*route=/healthz'
    echo '{"log_requests"' >config.json
    kill -HUP "$DAEMON_PID"
    wait_log 'event=reload_refused code=bad_json'
    rm config.json
    kill -HUP "$DAEMON_PID"
    wait_log 'event=reload_refused' 3
    ask /readyz
    is "$STATUS" 200
}

@test "SIGHUP takes new tokens from the token file, and keeps the old ones where it is wrong" {
    local old=old-token-0123456789 new=new-token-0123456789
    (umask 077; echo "query $old" >tokens)
    start_daemon --token-file tokens
    status_with() {
        curl -sS -o /dev/null -w '%{http_code}' -H "Authorization: Bearer $1" "$BASE/v1/meshes" 3>&-
    }
    is "$(status_with $old)$(status_with $new)" 200401
    echo "nothing $new" >tokens
    kill -HUP "$DAEMON_PID"
    wait_log 'event=reload_refused'
    is "$(status_with $old)$(status_with $new)" 200401
    echo "query $new" >tokens
    kill -HUP "$DAEMON_PID"
    wait_log 'event=reloaded'
    is "$(status_with $old)$(status_with $new)" 401200
    [ "$(grep -c 'token-0123' "$LOG")" -eq 0 ]
}

@test "SIGHUP says what needs a restart, and leaves it" {
    echo '{"workers": 1}' >config.json
    start_daemon --config config.json
    echo '{"workers": 2, "log_level": "warn"}' >config.json
    kill -HUP "$DAEMON_PID"
    wait_log 'level=warn event=restart_needed option=workers'
    ask /v1/status
    is "$(json .workers)" 1
    # A flag stays what it is, whatever the file says.
    [ "$(grep -c 'restart_needed option=db' "$LOG")" -eq 0 ]
}

@test "many SIGHUPs in a row, with queries on the way" {
    echo '{}' >config.json
    start_daemon --config config.json --mesh yard=square.obj
    local i
    for ((i = 0; i < 30; i++)); do
        echo "{\"slow_query_ms\": $i}" >next.json
        mv next.json config.json
        kill -HUP "$DAEMON_PID"
        ask '/v1/meshes/yard/path?start=2,0,2&end=18,0,18'
        is "$(json .status)" complete
    done
    wait_log 'event=reloaded'
    ask /readyz
    is "$STATUS" 200
}

@test "SIGHUP with a smaller keep_versions: the next bake of a mesh leaves that many of it" {
    echo '{"keep_versions": 4}' >config.json
    start_daemon --config config.json
    local i
    for i in 1 2 3 4; do
        square_obj $((20 + i)) >level.obj
        bake_mesh yard level.obj
    done
    upload '/v1/meshes/other/versions?wait=1' square.obj
    echo '{"keep_versions": 2}' >config.json
    kill -HUP "$DAEMON_PID"
    wait_log 'event=option_changed option=keep-versions'
    wait_log 'event=reloaded'
    # Nothing goes before a bake ends.
    ask /v1/meshes/yard/versions
    is "$(json '[.versions[].version] | sort | join(" ")')" '1 2 3 4'
    bake_mesh yard square.obj
    is "$(json .version)" 5
    ask /v1/meshes/yard/versions
    is "$(json '[.versions[].version] | sort | join(" ")')" '4 5'
    grep -q 'versions_removed mesh=yard count=3 keep=2' "$LOG"
    ask /v1/meshes/yard/versions/1
    is_error 404 version_not_found
    # Larger again, and a number that is none.
    echo '{"keep_versions": 3}' >config.json
    kill -HUP "$DAEMON_PID"
    wait_log 'event=reloaded' 2
    echo '{"keep_versions": -1}' >config.json
    kill -HUP "$DAEMON_PID"
    wait_log 'event=reload_refused code=invalid_field at=keep-versions'
    for i in 6 7; do
        square_obj $((20 + i)) >level.obj
        bake_mesh yard level.obj
    done
    ask /v1/meshes/yard/versions
    is "$(json '[.versions[].version] | sort | join(" ")')" '5 6 7'
}
