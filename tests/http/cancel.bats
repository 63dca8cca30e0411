#!/usr/bin/env bats
# Between a bake's tiles, too, a cancel and the end of its time are obeyed at once, and nothing stays.

load helper

links_json() { # how many
    awk -v n="$(($1 / (SLOWNESS > 1 ? 5 : 1)))" 'BEGIN {
        printf "{\"vertices\":[[0,0,0],[0,0,60],[60,0,60],[60,0,0]],\"triangles\":[[0,1,2],[0,2,3]],"
        printf "\"config\":{\"tile_cells\":32,\"links\":["
        for (i = 0; i < n; i++) {
            printf "%s{\"start\":[%d,0,%d],\"end\":[%d,0,30]}", (i ? "," : ""), i % 58 + 1, i % 57 + 1, 59 - i % 58
        }
        printf "]}}"
    }'
}

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    square_obj 20 >square.obj
    city_obj 12 >city.obj
    # Links across 49 tiles; under sanitizers a fifth of them takes as long.
    links_json 25000 >links.json
    links_json 5000 >few_links.json
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

answers() { # mesh
    ask "/v1/meshes/$1/path?start=2,0,2&end=58,0,58&search=fast&deadline_ms=5000"
    [ "$STATUS" = 200 ]
}

# Hundredths of a second of processor that the children took that this shell has waited for.
children_cpu() {
    local fields
    read -r -a fields <"/proc/$BASHPID/stat"
    CPU=$((fields[15] + fields[16]))
}

@test "a start that is told to stop gives up the meshes that it has not made" {
    local mesh whole before
    start_daemon --workers 1
    for mesh in a b c d e f; do
        upload "/v1/meshes/$mesh/versions?wait=1" few_links.json application/json
        is "$STATUS" 201
    done
    stop_daemon
    # Processor time, which other work on the machine does not change.
    children_cpu
    before=$CPU
    start_daemon --workers 1
    stop_daemon
    children_cpu
    whole=$((CPU - before))
    # It is told when one of six meshes answers; where the rest were made before it heard of that, it is told again.
    for _ in 1 2 3 4 5; do
        children_cpu
        before=$CPU
        : >"$LOG"
        "$NAVMESHD" --listen 127.0.0.1:0 --db "$DB" --workers 1 2>>"$LOG" >/dev/null 3>&- &
        DAEMON_PID=$!
        wait_for listens_or_ended 0
        BASE=http://$ADDRESS
        wait_for answers a
        stop_daemon
        is "$EXIT_CODE" 0
        lacks -q event=mesh_not_loaded "$LOG"
        children_cpu
        [ $((4 * (CPU - before))) -ge $((3 * whole)) ] || break
    done
    [ $((4 * (CPU - before))) -lt $((3 * whole)) ]
    start_daemon
    answers f
    is "$(json .version)" 1
}
