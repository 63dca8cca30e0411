#!/usr/bin/env bats
# Whatever a daemon has acknowledged survives kill -9 at any moment, byte for byte, while uploads,
# deletes, switches and queries go on; what it has not finished is finished later.
#
# CRASH_CYCLES (100) says how often it is killed. The moments are random, but the same in each run
# of one CRASH_SEED.

load helper

CYCLES=${CRASH_CYCLES:-100}
SEED=${CRASH_SEED:-1}

setup() {
    own_folder
    : >acknowledged
    : >doomed
}

teardown() {
    kill -KILL "$DAEMON_PID" 2>/dev/null || true
}

# Starts the daemon on a Unix socket of this test, and waits for it as briefly as can be.
start_quickly() {
    rm -f socket
    "$NAVMESHD" --listen "unix:$PWD/socket" --db "$DB" 2>>"$LOG" >/dev/null 3>&- &
    DAEMON_PID=$!
    local i
    for ((i = 0; i < 2000 * PATIENCE; i++)); do
        ! asks -o /dev/null http://d/readyz || return 0
        kill -0 "$DAEMON_PID"
        sleep 0.01
    done
    return 1
}

asks() {
    curl -sf --max-time $((20 * PATIENCE)) --unix-socket socket "$@"
}

# Four levels of several tiles, with tiles in common; how each is baked is known from a first run.
make_levels() {
    local i
    for i in 0 1 2 3; do
        {
            square_obj 40
            printf 'v %d 0 9\nv %d 0 12\nv %d 3 12\nv %d 3 9\nf 5 6 7 8\n' \
                $((i * 9 + 3)) $((i * 9 + 3)) $((i * 9 + 6)) $((i * 9 + 6))
        } >"level$i.obj"
    done
}

learn_blobs() {
    local i
    for i in 0 1 2 3; do
        asks -X POST -H 'Content-Type: model/obj' --data-binary "@level$i.obj" \
            "http://d/v1/meshes/reference/versions?wait=1&tile_cells=64" >reply
        jq -r '"\(.geometry.sha256) \(.blob.sha256)"' reply
    done >blobs
    is "$(sort -u blobs | wc -l)" 4
}

# One client. Each line it writes was acknowledged before it was written.
upload_for_ever() { # mesh
    local number=$RANDOM version
    while :; do
        # Anew each time, so that there are versions to lose.
        version=$(asks -X POST -H 'Content-Type: model/obj' --data-binary "@level$((number % 4)).obj" \
            "http://d/v1/meshes/$1/versions?tile_cells=64&reuse=$((number / 4 % 2))&wait=$((number / 8 % 2))" |
            sed -n 's/.*"version":\([0-9]*\).*"geometry":{"sha256":"\([0-9a-f]*\)".*/\1 \2/p')
        [ -n "$version" ] || return 0
        echo "$1 $version" >>acknowledged
        number=$((number + 1))
    done
}

# Deletes one that was acknowledged; from the moment of the attempt nobody relies on it.
delete_for_ever() {
    local mesh version sha256
    while asks -o /dev/null http://d/healthz; do
        read -r mesh version sha256 < <(shuf -n 1 acknowledged) || continue
        echo "$mesh $version" >>doomed
        curl -s --max-time $((20 * PATIENCE)) -o /dev/null --unix-socket socket -X DELETE \
            "http://d/v1/meshes/$mesh/versions/$version"
        sleep 0.05 # most versions are to live
    done
}

switch_for_ever() {
    local mesh version sha256
    while asks -o /dev/null http://d/healthz; do
        read -r mesh version sha256 < <(shuf -n 1 acknowledged) || continue
        curl -s --max-time $((20 * PATIENCE)) -o /dev/null --unix-socket socket -X PUT \
            -H 'Content-Type: application/json' -d "{\"version\":$version}" \
            "http://d/v1/meshes/$mesh/active"
        curl -s --max-time $((20 * PATIENCE)) -o /dev/null --unix-socket socket \
            "http://d/v1/meshes/$mesh/path?start=1,0,1&end=30,0,30"
    done
}

# Every acknowledged version that nobody tried to delete is there with the geometry that was sent.
# With "ready" its bake has ended as well, and gave the bytes that this geometry always gives.
check_acknowledged() { # [ready]
    local mesh
    for mesh in a b; do
        asks "http://d/v1/meshes/$mesh/versions" 2>/dev/null |
            jq -r '.versions[] | "\(.mesh) \(.version) \(.geometry.sha256) \(.state) \(.blob.sha256)"'
    done >there
    sort -u doomed >doomed.sorted
    awk -v ready="${1:-}" '
        FILENAME == "blobs" { blob[$1] = $2; next }
        FILENAME == "doomed.sorted" { doomed[$1 " " $2]; next }
        FILENAME == "there" { geometry[$1 " " $2] = $3; state[$1 " " $2] = $4; bytes[$1 " " $2] = $5; next }
        { name = $1 " " $2 }
        name in doomed { next }
        geometry[name] != $3 { print "lost or changed: " $0; bad = 1; next }
        { checked++ }
        state[name] == "ready" && bytes[name] != blob[$3] { print "other bytes: " $0; bad = 1 }
        ready != "" && state[name] != "ready" { print "not ready: " $0 " " state[name]; bad = 1 }
        END { print checked + 0 " checked"; exit bad }' blobs doomed.sorted there acknowledged
}

wait_for_more() { # lines in acknowledged so far
    local i
    for ((i = 0; i < 500 * PATIENCE; i++)); do
        [ "$(wc -l <acknowledged)" -le "$1" ] || return 0
        sleep 0.02
    done
    return 1
}

wait_until_baked() {
    local i
    for ((i = 0; i < 3000 * PATIENCE; i++)); do
        [ "$(asks http://d/v1/status | jq '.queue.queued + .queue.baking')" != 0 ] || return 0
        sleep 0.02
    done
    return 1
}

@test "kill -9 at random moments under mixed load: nothing that was acknowledged is lost" {
    make_levels
    start_quickly
    learn_blobs
    RANDOM=$SEED
    local cycle clients
    for ((cycle = 1; cycle <= CYCLES; cycle++)); do
        clients=()
        (upload_for_ever a) 3>&- 2>/dev/null &
        clients+=($!)
        (upload_for_ever b) 3>&- 2>/dev/null &
        clients+=($!)
        (delete_for_ever) 3>&- 2>/dev/null &
        clients+=($!)
        (switch_for_ever) 3>&- 2>/dev/null &
        clients+=($!)
        # In one cycle of four perhaps before anything was acknowledged; in the others after that,
        # however slow the machine is.
        ((cycle % 4 == 0)) || wait_for_more "$(wc -l <acknowledged)"
        sleep "0.$(printf '%03d' $((RANDOM % 200)))"
        kill -KILL "$DAEMON_PID"
        wait "$DAEMON_PID" 2>/dev/null || true
        wait "${clients[@]}" 2>/dev/null || true
        # The file is whole as the kill has left it, with all blobs and all that refers to them.
        if ((cycle % 10 == 0)); then
            "$NAVMESHD" verify --db "$DB"
        fi
        start_quickly
        check_acknowledged
    done
    wait_until_baked
    check_acknowledged ready >checked
    # The load was a load: there was something to lose in most of the cycles.
    [ "$(wc -l <acknowledged)" -ge $((CYCLES / 2)) ]
    [ "$(sort -u doomed | wc -l)" -ge $((CYCLES / 20)) ]
    [ "$(sed -n 's/ checked$//p' checked)" -ge $((CYCLES / 20)) ]
    "$NAVMESHD" verify --db "$DB"
    # The geometry that is stored is the one that was sent.
    local mesh version sha256
    while read -r mesh version sha256; do
        grep -qx "$mesh $version" doomed.sorted && continue
        is "$(asks "http://d/v1/meshes/$mesh/versions/$version/geometry" | sha256sum | cut -d' ' -f1)" "$sha256"
    done < <(shuf -n 20 --random-source=<(yes) acknowledged)
}
