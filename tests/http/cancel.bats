#!/usr/bin/env bats
# Between a bake's tiles, too, a cancel and the end of its time are obeyed at once, and nothing stays.

load helper

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    square_obj 20 >square.obj
    city_obj 12 >city.obj
    # 25,000 links across 49 tiles; under sanitizers a fifth of them takes as long.
    awk -v n="$((SLOWNESS > 1 ? 5000 : 25000))" 'BEGIN {
        printf "{\"vertices\":[[0,0,0],[0,0,60],[60,0,60],[60,0,0]],\"triangles\":[[0,1,2],[0,2,3]],"
        printf "\"config\":{\"tile_cells\":32,\"links\":["
        for (i = 0; i < n; i++) {
            printf "%s{\"start\":[%d,0,%d],\"end\":[%d,0,30]}", (i ? "," : ""), i % 58 + 1, i % 57 + 1, 59 - i % 58
        }
        printf "]}}"
    }' >links.json
    # Making the mesh of a thousand tiles takes a second; elsewhere there are fewer.
    local cell_size
    cell_size=$(awk -v slowness="$SLOWNESS" 'BEGIN { print 0.12 * sqrt(slowness) }')
    sed 's/"tile_cells":32/"cell_size":'"$cell_size"',"tile_cells":16/' links.json >tiles.json
}

setup() {
    own_database
}

rows() { # table
    sqlite3 "file:$DB?mode=ro" "SELECT count(*) FROM $1"
}

# Polls a version until its bake has this member; fails where the bake ends without.
wait_until() { # path of the version, member
    wait_for has_member_or_end "$@"
    [[ $BODY == *"$2"* ]]
}

has_member_or_end() { # path of the version, member
    ask "$1"
    [[ $BODY == *"$2"* || ($BODY != *'"state":"queued"'* && $BODY != *'"state":"baking"'*) ]]
}

# The bake is over, has left nothing, and the worker is free for the next one, which takes version 2.
is_gone() { # mesh
    wait_log "event=bake_cancelled mesh=$1 version=1"
    ask "/v1/meshes/$1/versions/1"
    is "$(json '.state, .active, .blob, .error' | tr '\n' ' ')" 'cancelled false null null '
    is "$(rows blobs) $(rows tiles) $(rows version_tiles) $(rows version_landmarks)" '0 0 0 0'
    is "$(grep -c event=bake_failed "$LOG")" 0
    upload "/v1/meshes/$1/versions?wait=1" square.obj
    is "$STATUS" 201
    is "$(json '.version, .active' | tr '\n' ' ')" '2 true '
}

# The radius is 600 cells, so each triangle is in the padding of hundreds of tiles.
WIDE='tile_cells=32&agent.radius=180'

@test "time that is over while the tiles' triangles are listed fails the bake" {
    start_daemon --workers 1 --bake-time 0.05
    upload "/v1/meshes/m/versions?wait=1&$WIDE" city.obj
    is_error 422 tile_too_complex
    is "$(json .at)" 'tile 0,0'
    [[ $(json .detail) == *time* ]]
    ask /v1/meshes/m/versions/1
    is "$(json '.state, .error.code, .blob' | tr '\n' ' ')" 'failed tile_too_complex null '
    is "$(rows blobs) $(rows tiles) $(rows version_tiles)" '0 0 0'
}

@test "a bake is cancelled while its geometry is read and listed" {
    start_daemon --workers 1
    upload "/v1/meshes/m/versions?$WIDE" city.obj
    is "$STATUS" 202
    wait_until /v1/meshes/m/versions/1 '"state":"baking"'
    ask /v1/meshes/m/versions/1 -X DELETE
    is "$STATUS" 200
    is_gone m
}

@test "a bake is cancelled while its mesh is made" {
    start_daemon --workers 1
    # On a busy machine the look at it, or the cancel, may come too late: then the next one is cancelled.
    local mesh
    for mesh in m1 m2 m3 m4 m5; do
        upload "/v1/meshes/$mesh/versions?reuse=0" tiles.json application/json
        is "$STATUS" 202
        if wait_until "/v1/meshes/$mesh/versions/1" '"stage":"mesh"'; then
            ask "/v1/meshes/$mesh/versions/1" -X DELETE
            [ "$STATUS" != 200 ] || break
        fi
        ask "/v1/meshes/$mesh" -X DELETE
        is "$STATUS" 204
    done
    is_gone "$mesh"
}

# Hundredths of a second of processor that the daemon, and the children that this shell has waited for, took.
daemon_cpu() {
    local fields
    read -r -a fields <"/proc/$DAEMON_PID/stat"
    CPU=$((fields[13] + fields[14]))
}

children_cpu() {
    local fields
    read -r -a fields <"/proc/$BASHPID/stat"
    CPU=$((fields[15] + fields[16]))
}

@test "a start that is told to stop gives up the mesh that it makes" {
    start_daemon --workers 1
    upload '/v1/meshes/m/versions?wait=1' links.json application/json
    is "$STATUS" 201
    stop_daemon
    # Processor time, which other work on the machine does not change: a stop that waited for the mesh would take about as
    # much as a whole start.
    local ms whole before stop early=0 least=999999
    start_daemon
    daemon_cpu
    whole=$CPU
    children_cpu
    before=$((CPU + whole))
    stop_daemon
    # A stop by itself takes some, too, as under sanitizers, which then look for leaks.
    children_cpu
    stop=$((CPU - before))
    # Each start has twice the time of the one before, until one is ready before it is told to stop.
    for ((ms = 20; ; ms *= 2)); do
        : >"$LOG"
        children_cpu
        before=$CPU
        "$NAVMESHD" --listen 127.0.0.1:0 --db "$DB" 2>>"$LOG" >/dev/null 3>&- &
        DAEMON_PID=$!
        wait_log event=listening
        pause "$((ms / 1000)).$(printf %03d $((ms % 1000)))"
        daemon_cpu
        before=$((before + CPU))
        stop_daemon
        is "$EXIT_CODE" 0
        lacks -q event=mesh_not_loaded "$LOG"
        ! grep -q event=ready "$LOG" || break
        children_cpu
        [ "$least" -lt $((CPU - before)) ] || least=$((CPU - before))
        early=$((early + 1))
    done
    [ "$early" -ge 2 ]
    [ $((2 * (least - stop))) -lt "$whole" ]
    start_daemon
    ask '/v1/meshes/m/path?start=2,0,2&end=58,0,58&search=fast&deadline_ms=5000'
    is "$STATUS" 200
    is "$(json .version)" 1
}
