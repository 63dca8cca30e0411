#!/usr/bin/env bats
# Settings and checks that are given at the start, on the command line or in the file of --config: they
# are those of the first bake and of every one after it, and no live version with others goes unasked.

load helper

setup() {
    own_folder
    echo '{"cell_size": 0.25, "agent": {"radius": 0.5}}' >fine.json
    echo '{"cell_size": 0.4}' >coarse.json
}

fails_to_start() { # pattern arguments...
    local pattern=$1
    shift
    run timeout -k 5 30 "$NAVMESHD" --listen 127.0.0.1:0 --db "$DB" "$@" 3>&-
    [ "$status" -ne 0 ] && [ "$status" -ne 124 ] && [ "$status" -lt 128 ]
    grep -qE -e "$pattern" <<<"$output"
}

restart_daemon() {
    stop_daemon
    start_daemon "$@"
}

# "version state cell_size" of each version, the live one with a star.
lists() { # mesh versions
    ask "/v1/meshes/$1/versions"
    local version line all=
    while read -r line; do
        version=${line%% *}
        ask "/v1/meshes/$1/versions/${version#\*}"
        all+="${all:+, }$line $(json .config.cell_size)"
    done < <(json '.versions[] | "\(if .active then "*" else "" end)\(.version) \(.state)"')
    is "$all" "$2"
}

@test "a file of settings on the command line, and settings in the configuration" {
    start_daemon --mesh yard=square.obj,fine.json
    lists yard '*1 ready 0.25'
    ask /v1/meshes/yard/versions/1
    is "$(json .config.agent.radius)" 0.5
    stop_daemon
    cat >config.json <<'JSON'
{"meshes": [
    {"name": "inline", "file": "square.obj", "settings": {"cell_size": 0.5}},
    {"name": "named", "file": "square.obj", "settings": "fine.json"},
    {"name": "plain", "file": "square.obj"}
], "mesh": "texts=square.obj,coarse.json"}
JSON
    start_daemon --config config.json
    lists inline '*1 ready 0.5'
    lists named '*1 ready 0.25'
    lists plain '*1 ready 0.3'
    lists texts '*1 ready 0.4'
}

@test "a name with a comma in it is written with two" {
    mv square.obj 'a,b.obj'
    mv fine.json ',fine.json'
    # A name that begins with one begins as a path.
    start_daemon --mesh 'yard=a,,b.obj,./,,fine.json'
    lists yard '*1 ready 0.25'
    stop_daemon
    start_daemon --mesh 'other=a,,b.obj'
    lists other '*1 ready 0.3'
}

@test "paths count from the folder of the start, in the configuration as well" {
    mkdir etc
    printf '{"meshes": [{"name": "yard", "file": "square.obj", "settings": "fine.json"}]}' >etc/config.json
    start_daemon --config etc/config.json
    lists yard '*1 ready 0.25'
    cd etc
    run -1 timeout 30 "$NAVMESHD" --check --db ../other.db --config config.json 3>&-
    [[ $output == *'fine.json cannot be read'* ]]
}

@test "unchanged, with other ground, with other settings: what is live after each start" {
    start_daemon --mesh yard=square.obj,fine.json
    restart_daemon --mesh yard=square.obj,fine.json
    lists yard '*1 ready 0.25'
    # Other ground is baked with the settings of the start.
    square_obj 30 >square.obj
    restart_daemon --mesh yard=square.obj,fine.json
    lists yard '1 ready 0.25, *2 ready 0.25'
    is "$(grep -c 'event=mesh_file_left' "$LOG")" 0
    # Other settings replace nothing unless the start says so.
    restart_daemon --mesh yard=square.obj,coarse.json
    lists yard '1 ready 0.25, *2 ready 0.25'
    wait_log 'event=mesh_file_left mesh=yard version=2 settings="cell_size, agent.radius" geometry=same'
    ask /readyz
    is "$STATUS" 200
    restart_daemon --mesh yard=square.obj,coarse.json,replace
    lists yard '1 ready 0.25, 2 ready 0.25, *3 ready 0.4'
    wait_log 'event=mesh_file_replaces mesh=yard version=2 settings="cell_size, agent.radius" geometry=same'
    # The same once more is an ordinary start, with the word or without it.
    restart_daemon --mesh yard=square.obj,coarse.json,replace
    restart_daemon --mesh yard=square.obj,coarse.json
    lists yard '1 ready 0.25, 2 ready 0.25, *3 ready 0.4'
    is "$(grep -c 'event=mesh_file_replaces' "$LOG")" 1
    is "$(grep -c 'event=mesh_file_left' "$LOG")" 1
}

@test "a live version that was uploaded with other settings stays, or goes where the start says so" {
    start_daemon --mesh yard=square.obj,fine.json
    upload '/v1/meshes/yard/versions?wait=1&cell_size=0.5' square.obj
    is "$STATUS" 201
    restart_daemon --mesh yard=square.obj,fine.json
    lists yard '1 ready 0.25, *2 ready 0.5'
    wait_log 'event=mesh_file_left'
    # The version that the file is has been stored: it is made live, not baked.
    echo '{"meshes": [{"name": "yard", "file": "square.obj", "settings": "fine.json", "replace": true}]}' >config.json
    restart_daemon --config config.json
    lists yard '*1 ready 0.25, 2 ready 0.5'
    # A switch back to other ground with the same settings is no difference of settings: it stays.
    square_obj 30 >wider.obj
    upload '/v1/meshes/yard/versions?wait=1&cell_size=0.25&agent.radius=0.5' wider.obj
    restart_daemon --config config.json
    lists yard '1 ready 0.25, 2 ready 0.5, *3 ready 0.25'
    # What is stored of the version that the file is can be damaged: it is baked anew, and live.
    upload '/v1/meshes/yard/versions?wait=1&cell_size=0.5' wider.obj
    stop_daemon
    sqlite3 "$DB" 'DELETE FROM version_tiles WHERE version = 1'
    start_daemon --config config.json
    lists yard '1 ready 0.25, 2 ready 0.5, 3 ready 0.25, 4 ready 0.5, *5 ready 0.25'
}

@test "a mesh of which nothing is live takes what the start names" {
    start_daemon --mesh yard=square.obj,fine.json
    stop_daemon
    sqlite3 "$DB" 'UPDATE meshes SET active = 0'
    start_daemon --mesh yard=square.obj,coarse.json
    lists yard '1 ready 0.25, *2 ready 0.4'
}

@test "checks of the start are set before the bake: a version that fails one is not live, and it is named" {
    echo '{"checks": [{"name": "spawn", "point": [25, 0, 25], "expect": "on_mesh"}]}' >checks.json
    cat >config.json <<'JSON'
{"meshes": [{"name": "yard", "file": "square.obj", "settings": {"cell_size": 0.25}, "checks": "checks.json"}]}
JSON
    fails_to_start 'mesh .yard. version 1: .*"spawn".*off the mesh' --config config.json
    grep -qE 'event=checks_set mesh=yard file="?checks.json' <<<"$output"
    square_obj 30 >square.obj
    start_daemon --config config.json
    lists yard '1 ready 0.25, *2 ready 0.25'
    ask /v1/meshes/yard/checks
    is "$(json '.checks[0].name')" spawn
    # Ground that fails them is baked, and the live version stays. Every start says so.
    square_obj 20 >square.obj
    printf 'v 1 0 1\n' >>square.obj
    restart_daemon --config config.json
    lists yard '1 ready 0.25, *2 ready 0.25, 3 ready 0.25'
    wait_log 'event=checks_failed mesh=yard version=3 .*spawn'
    wait_log 'event=mesh_fails_checks mesh=yard version=3 .*spawn'
    restart_daemon --config config.json
    wait_log 'event=mesh_fails_checks mesh=yard version=3 .*spawn' 2
    is "$(grep -c 'event=checks_set' "$LOG")" 0
    # Checks that were changed meanwhile are those of the file again.
    ask /v1/meshes/yard/checks -X PUT -H 'Content-Type: application/json' -d '{"checks":[]}'
    restart_daemon --config config.json
    ask /v1/meshes/yard/checks
    is "$(json '.checks[0].name')" spawn
}

@test "--check looks at settings and checks, and says which file is wrong" {
    echo '{"cell_sizes": 0.25}' >wrong.json
    echo '{"checks": [{"name": "spawn"}]}' >no_checks.json
    mkfifo pipe.json
    printf '{"vertices":[[0,0,0],[0,0,9],[9,0,0]],"triangles":[[0,1,2]],"config":{"cell_size":-1}}' >level.json
    cat >config.json <<'JSON'
{"meshes": [
    {"name": "good", "file": "square.obj", "settings": "fine.json"},
    {"name": "a", "file": "square.obj", "settings": "wrong.json"},
    {"name": "b", "file": "square.obj", "settings": {"cell_size": -1}},
    {"name": "c", "file": "square.obj", "checks": "no_checks.json"},
    {"name": "d", "file": "square.obj", "settings": "missing.json"},
    {"name": "e", "file": "level.json"},
    {"name": "f", "file": "level.json", "settings": {}},
    {"name": "h", "file": "square.obj", "settings": "pipe.json"}
]}
JSON
    run --separate-stderr -1 timeout 30 "$NAVMESHD" --check --db "$DB" --config config.json --mesh g=square.obj,wrong.json 3>&-
    is "$(wc -l <<<"$stderr")" 7
    local line
    for line in 'config.json: mesh a: wrong.json: .*cell_sizes' 'config.json: mesh b: settings: .*cell_size' \
        'config.json: mesh c: no_checks.json: ' 'config.json: mesh d: missing.json' \
        'config.json: mesh e: level.json: .*cell_size' '--mesh g: wrong.json: .*cell_sizes' \
        'mesh h: pipe.json.*not a regular file'; do
        grep -qE -e "$line" <<<"$stderr"
    done
    [ ! -e "$DB" ]
    fails_to_start 'mesh c: no_checks.json: ' --config config.json
}

@test "SIGHUP: meshes need a restart, and the log says so" {
    echo '{"meshes": [{"name": "yard", "file": "square.obj"}]}' >config.json
    start_daemon --config config.json
    echo '{"meshes": [{"name": "yard", "file": "square.obj", "settings": {"cell_size": 0.5}}]}' >config.json
    kill -HUP "$DAEMON_PID"
    wait_log 'level=warn event=restart_needed option=meshes'
    echo '{"meshes": [{"name": "yard"}]}' >config.json
    kill -HUP "$DAEMON_PID"
    wait_log 'event=reload_refused code=invalid_field at=meshes.file '
    lists yard '*1 ready 0.3'
}

@test "navmeshd bake takes the settings and checks of its meshes" {
    echo '{"checks": [{"name": "spawn", "point": [25, 0, 25], "expect": "on_mesh"}]}' >checks.json
    cat >config.json <<'JSON'
{"meshes": [{"name": "yard", "file": "square.obj", "settings": {"cell_size": 0.25}, "checks": "checks.json"},
            {"name": "other", "file": "square.obj"}]}
JSON
    run -3 "$NAVMESHD" bake --db "$DB" --config config.json --settings coarse.json
    [[ $output == *'spawn'* ]]
    start_daemon
    lists yard '1 ready 0.25'
    lists other '*1 ready 0.4'
}
