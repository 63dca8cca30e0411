#!/usr/bin/env bats
# A daemon that has started can reach no file, no address and no program but what it needs: tried
# from inside of each kind of its threads. All else goes on: reloads, sockets, commands.

load helper

setup_file() {
    "${CC:-cc}" -shared -fPIC -o "$BATS_FILE_TMPDIR/probe.so" "$ROOT/tests/faults/sandbox_probe.c"
    # The daemon with the probe in it, and nothing else of what a test runs.
    export PROBED=$BATS_FILE_TMPDIR/navmeshd
    printf '#!/bin/sh\nexec env LD_PRELOAD="%s" "%s" "$@"\n' "$BATS_FILE_TMPDIR/probe.so" "$NAVMESHD" >"$PROBED"
    chmod 755 "$PROBED"
}

setup() {
    own_folder
    mkdir data config outside
    DB=$PWD/data/test.db
}

# The answer in the log to whether it is in force: "on", or why not. The kernel decides.
in_force() { # seccomp or landlock
    sed -nE "s/.*event=sandbox .*$1=(\"([^\"]*)\"|([^ ]*)).*/\2\3/p" "$LOG" | tail -n 1
}

needs() { # seccomp or landlock
    [[ $(in_force "$1") == on* ]] || skip "$1: $(in_force "$1")"
}

# Where a sanitizer is in the daemon, it has to be the first library, and the list of calls is wider.
needs_no_sanitizer() {
    ! grep -qE '__(asan|tsan)_init' "$NAVMESHD" || skip "a sanitizer is in this build"
}

probed() { # thread, what: the error's number
    wait_log "^probe thread=$1 "
    sed -n "s/^probe thread=$1 .*$2=\([0-9]*\).*/\1/p" "$LOG" | head -n 1
}

states() { # field of /proc/PID/status: its values in all threads
    awk -v field="$1:" '$1 == field { print $2 }' /proc/"$DAEMON_PID"/task/*/status | sort -u | xargs
}

@test "one line of the log says what is in force, and every thread is in it" {
    start_daemon --mesh yard=square.obj
    is "$(grep -c 'event=sandbox ' "$LOG")" 1
    # On this kernel it is on, or the line says why not.
    [ -n "$(in_force seccomp)" ]
    [ -n "$(in_force landlock)" ]
    needs seccomp
    is "$(states Seccomp)" 2
    is "$(states NoNewPrivs)" 1
}

@test "--sandbox=off leaves all of it away, and says so" {
    start_daemon --mesh yard=square.obj --sandbox=off
    is "$(in_force seccomp)" 'off: --sandbox=off'
    is "$(in_force landlock)" 'off: --sandbox=off'
    is "$(states NoNewPrivs)" "$(awk '$1 == "NoNewPrivs:" { print $2 }' /proc/self/status)"
}

@test "from inside, no thread opens /etc/passwd, makes a file elsewhere, a socket, a connection or a program" {
    needs_no_sanitizer
    NAVMESHD=$PROBED PROBE_FILE=$PWD/outside/made start_daemon --mesh yard=square.obj
    needs seccomp
    ask '/v1/meshes/yard/path?start=2,0,2&end=18,0,18'
    is "$(json .status)" complete
    stop_daemon
    is "$EXIT_CODE" 0
    local thread call
    for thread in http worker main; do
        for call in socket connect kill tgkill prlimit program_memory; do
            is "$thread $call $(probed $thread $call)" "$thread $call 1"
        done
    done
    needs landlock
    [ ! -e outside/made ]
    for thread in http worker main; do
        is "$(probed $thread open) $(probed $thread create)" '13 13'
    done
}

@test "without the sandbox the same probe gets through: it proves something" {
    needs_no_sanitizer
    NAVMESHD=$PROBED PROBE_FILE=$PWD/outside/made start_daemon --mesh yard=square.obj --sandbox=off
    stop_daemon
    local thread
    for thread in http worker main; do
        is "$(probed $thread open) $(probed $thread create) $(probed $thread socket) $(probed $thread connect)" '0 0 0 111'
    done
    [ -e outside/made ]
}

@test "a call of execve or fork from inside ends the process; what was acknowledged is there" {
    needs_no_sanitizer
    start_daemon
    needs seccomp
    bake_mesh yard square.obj
    stop_daemon
    local call
    for call in execve fork; do
        PROBE_DEADLY=$call run -159 "$PROBED" --listen 127.0.0.1:0 --db "$DB" --mesh yard=square.obj 3>&-
    done
    start_daemon
    ask '/v1/meshes/yard/path?start=2,0,2&end=18,0,18'
    is "$(json .status)" complete
}

@test "the commands are in it as well" {
    needs_no_sanitizer
    start_daemon
    needs seccomp
    bake_mesh yard square.obj
    stop_daemon
    echo '{"cell_size":0.2}' >config/settings.json
    local command
    for command in "verify" "backup $PWD/outside/copy.db" "bake --mesh town=square.obj --settings config/settings.json"; do
        # shellcheck disable=SC2086 # words
        run --separate-stderr -0 "$PROBED" ${command%% *} --db "$DB" \
            $([ "${command#* }" = "$command" ] || echo "${command#* }") 3>&-
        [[ $stderr == *'probe thread=main '*' socket=1 connect=1 '* ]]
        [[ $(in_force landlock) != on ]] || [[ $stderr == *'probe thread=main open=13 '* ]]
    done
    "$NAVMESHD" verify --db outside/copy.db
}

@test "SIGHUP reads files that have been replaced, and none elsewhere" {
    echo '{}' >config/daemon.json
    (umask 077; echo 'admin first-token-0123456' >config/tokens)
    start_daemon --config config/daemon.json --token-file config/tokens
    echo '{"log_requests": true}' >config/next
    mv config/next config/daemon.json
    (umask 077; echo 'admin other-token-0123456' >config/next)
    mv config/next config/tokens
    kill -HUP "$DAEMON_PID"
    wait_log 'event=reloaded'
    ask /v1/meshes -H 'Authorization: Bearer other-token-0123456'
    is "$STATUS" 200
    wait_log 'event=request .*route=/v1/meshes '
    # A token file of another name is for the next start, and no reason to refuse the rest.
    (umask 077; echo 'admin third-token-0123456' >outside/tokens)
    echo '{"log_requests": false}' >config/daemon.json
    kill -HUP "$DAEMON_PID"
    wait_log 'event=option_changed option=log-requests' 2
    needs landlock
    ln -sf /etc/passwd config/daemon.json
    kill -HUP "$DAEMON_PID"
    wait_log 'event=reload_refused .*Permission denied'
    ask /readyz
    is "$STATUS" 200
}

@test "a token file of another name in the configuration is for the next start" {
    (umask 077; echo 'admin first-token-0123456' >config/tokens; echo 'admin third-token-0123456' >outside/tokens)
    echo '{"token_file": "config/tokens"}' >config/daemon.json
    start_daemon --config config/daemon.json
    echo '{"token_file": "outside/tokens", "log_requests": true}' >config/daemon.json
    kill -HUP "$DAEMON_PID"
    wait_log 'event=restart_needed option=token-file'
    wait_log 'event=option_changed option=log-requests'
    ask /v1/meshes -H 'Authorization: Bearer first-token-0123456'
    is "$STATUS" 200
}

@test "a Unix socket is removed at the stop, and the database is one file again" {
    start_daemon --listen "unix:$PWD/outside/socket"
    bake_mesh yard square.obj
    [ -S outside/socket ]
    stop_daemon
    is "$EXIT_CODE" 0
    is "$(ls outside)" ''
    is "$(ls data)" test.db
}

@test "a database whose name is a link to another folder" {
    ln -s ../outside/real.db data/test.db
    # It is made where the link leads, and the link stays.
    start_daemon
    bake_mesh yard square.obj
    stop_daemon
    is "$EXIT_CODE" 0
    is "$(readlink data/test.db)" ../outside/real.db
    is "$(ls outside)" real.db
    start_daemon
    ask /v1/meshes/yard
    is "$(json .active)" 1
    stop_daemon
    "$NAVMESHD" verify --db outside/real.db
}
