#!/usr/bin/env bats
# A disk that is really full: questions go on, whatever writes is 507 and is told as degraded, nothing
# acknowledged is lost, no bake is left without an end, and with room again all works.

load ../http/helper

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    square_obj 20 >square.obj
    "$LEVEL_MAKER" town >town.obj
}

setup() {
    own_database
    cd "$BATS_FILE_TMPDIR"
    DISK=$BATS_TEST_TMPDIR/disk DB=$BATS_TEST_TMPDIR/disk/test.db
    mkdir "$DISK"
}

teardown() {
    stop_daemon
    ! mountpoint -q "$DISK" || umount "$DISK"
}

# A disk of so many KiB, all of it this test's.
mount_disk() { # KiB
    mount -t tmpfs -o "size=$1k" tmpfs "$DISK" || skip "mounting is not permitted here"
}

fill_disk() {
    head -c 64M /dev/zero >"$DISK/ballast" 2>/dev/null || true
}

until_ready_says() { # jq
    local i
    for ((i = 0; i < 200 * PATIENCE; i++)); do
        ask /readyz
        is "$STATUS" 200
        [ "$(json "$1")" = true ] && return 0
        sleep 0.05
    done
    echo "readyz never said $1: $BODY" >&2
    return 1
}

# Also sets BODY.
is_state() { # mesh version state...
    local state
    ask "/v1/meshes/$1/versions/$2"
    for state in "${@:3}"; do
        [ "$(json .state)" = "$state" ] && return 0
    done
    echo "$1 $2 is not ${*:3}: $BODY"
    return 1
}

until_state() { # mesh version state...
    local i
    for ((i = 0; i < 600 * PATIENCE; i++)); do
        is_state "$@" >/dev/null && return 0
        sleep 0.05
    done
    is_state "$@"
}

until_logged() { # event
    local i
    for ((i = 0; i < 1200 * PATIENCE; i++)); do
        grep -q "event=$1" "$LOG" && return 0
        sleep 0.05
    done
    echo "no $1 in the log" >&2
    return 1
}

question_answered() {
    ask '/v1/meshes/yard/path?start=2,0,2&end=8,0,8'
    is "$STATUS" 200
    is "$(json .cost)" "$COST"
}

put_checks() { # mesh name-of-a-check
    ask "/v1/meshes/$1/checks" -X PUT -H 'Content-Type: application/json' \
        -d "{\"checks\":[{\"name\":\"$2\",\"start\":[2,0,2],\"end\":[8,0,8],\"expect\":\"reachable\"}]}"
}

begin() { # KiB [options]
    mount_disk "$1"
    start_daemon "${@:2}"
    bake_mesh yard square.obj
    ask '/v1/meshes/yard/path?start=2,0,2&end=8,0,8'
    COST=$(json .cost)
    stop_daemon # which leaves no log with room in it
    start_daemon "${@:2}"
}

# After a full disk, with room again: a write that is read back, a question, an upload, a clean stop,
# and what was acknowledged is there at the next start.
works_again() {
    until_ready_says '.degraded == null'
    put_checks yard again
    is "$STATUS" 200
    ask /v1/meshes/yard/checks
    is "$(json '.checks[0].name')" again
    question_answered
    upload '/v1/meshes/shed/versions?wait=1' square.obj
    is "$STATUS" 201
    ask /v1/meshes/shed
    stop_daemon
    is "$EXIT_CODE" 0
    "$NAVMESHD" verify --db "$DB"
    start_daemon
    question_answered
    is_state shed 1 ready
    ask /v1/meshes/yard/checks
    is "$(json '.checks[0].name')" again
}

# Uploads until there is no room, each of other bytes; then all that were acknowledged have an end.
fill_by_uploads() { # KiB
    local i acknowledged=()
    begin "$1" --limit store_retry_ms=500
    head -c "$(($1 / 4))K" /dev/zero >"$DISK/ballast"
    for ((i = 1; i < 400; i++)); do
        { cat town.obj; echo "v $i 0 $i"; } >"$BATS_TEST_TMPDIR/next.obj"
        upload "/v1/meshes/town/versions?tile_cells=64&activate=$((i % 2))" "$BATS_TEST_TMPDIR/next.obj"
        case $STATUS in
        202 | 201) acknowledged+=("$(json .version)") ;;
        507) break ;;
        429) i=$((i - 1)); sleep 0.1 ;;
        *) echo "$STATUS $BODY"; return 1 ;;
        esac
    done
    is_error 507 storage_full
    [ ${#acknowledged[@]} -gt 0 ]
    question_answered
    # The bakes that still wait may take more than all that the ballast leaves.
    rm "$DISK/ballast"
    mount -o "remount,size=$(($1 * 4))k" "$DISK"
    until_ready_says '.degraded == null'
    for i in "${acknowledged[@]}"; do
        until_state town "$i" ready failed
        [[ $(json .state) == ready || $(json .error.code) == storage_full ]]
    done
    ask /v1/meshes/town -X DELETE
    is "$STATUS" 204
    works_again
}

@test "a disk of 1.5 MB that uploads fill" {
    fill_by_uploads 1536
}

@test "a disk of 3 MB that uploads fill" {
    fill_by_uploads 3072
}

@test "a disk of 8 MB that uploads fill" {
    fill_by_uploads 8192
}

@test "no room: what writes is 507 and degraded stays, questions go on, and a kill loses nothing" {
    begin 4096
    local i kept=none
    fill_disk
    for ((i = 0; i < 200; i++)); do # each of other bytes; a few may find room in the log
        put_checks yard "n$i"
        case $STATUS in
        200) kept=n$i ;;
        507) ;;
        *) return 1 ;;
        esac
        { cat town.obj; echo "v $i 0 $i"; } >"$BATS_TEST_TMPDIR/next.obj"
        upload '/v1/meshes/town/versions' "$BATS_TEST_TMPDIR/next.obj"
        [ "$STATUS" != 507 ] || break
    done
    is_error 507 storage_full
    until_ready_says '.degraded.code == "storage_full"'
    sleep 1
    ask /v1/status
    is "$(json .degraded.code)" storage_full
    question_answered
    ask /v1/meshes/yard/checks
    is "$(json '.checks[0].name // "none"')" "$kept"
    stop_daemon KILL
    rm "$DISK/ballast"
    start_daemon
    ask /v1/meshes/yard/checks
    is "$(json '.checks[0].name // "none"')" "$kept"
    works_again
}

@test "a bake that ends on a full disk waits for room" {
    begin 8192
    upload '/v1/meshes/town/versions?tile_cells=64&cell_size=0.15' town.obj
    is "$STATUS" 202
    fill_disk
    until_logged bake_waits_for_store
    is_state town 1 baking queued
    question_answered
    rm "$DISK/ballast"
    until_state town 1 ready
    works_again
}

@test "a bake that waited for room in vain is failed with the reason, once that can be written" {
    begin 8192 --limit store_retry_ms=0
    upload '/v1/meshes/town/versions?tile_cells=64&cell_size=0.15' town.obj
    is "$STATUS" 202
    fill_disk
    until_logged bake_failed
    rm "$DISK/ballast"
    until_state town 1 failed
    is "$(json .error.code)" storage_full
    ask /v1/meshes/town/versions/1 -X DELETE
    is "$STATUS" 204
    works_again
}
