#!/usr/bin/env bats
# Acknowledged data are there after any end of the process: by SIGTERM, by kill -9 between bakes,
# and by kill -9 during a bake, which is then baked again.

load helper

setup() {
    own_folder
    "$LEVEL_MAKER" town >town.obj
    start_daemon
}

# Every version with its number, state, liveness and content, as one line a version.
everything() {
    local mesh version
    for mesh in "$@"; do
        ask "/v1/meshes/$mesh/versions"
        for version in $(json '[.versions[].version] | sort | .[]'); do
            ask "/v1/meshes/$mesh/versions/$version"
            json '[.mesh, .version, .state, .active, .geometry.sha256, .blob.sha256, .created_at] | join(" ")'
        done
    done
}

bakes() { # mesh
    ask "/v1/meshes/$1/versions/1"
    [[ $BODY == *'"state":"baking"'* ]]
}

PATH_QUESTION='/v1/meshes/town/path?start=2,0,2&end=80,3.4,16'

@test "SIGTERM and a new start: the live versions are back and answer the same" {
    upload '/v1/meshes/town/versions?wait=1' town.obj
    upload '/v1/meshes/town/versions?wait=1&agent.radius=0.3' town.obj
    ask /v1/meshes/town/active -X PUT -H 'Content-Type: application/json' -d '{"version":1}'
    is "$STATUS" 200
    local before path
    before=$(everything town)
    ask "$PATH_QUESTION"
    path=$BODY
    is "$(json .status)" complete
    stop_daemon
    is "$EXIT_CODE" 0
    start_daemon
    ask "$PATH_QUESTION"
    is "$BODY" "$path"
    is "$(everything town)" "$before"
}

@test "kill -9 between bakes: every version is there, byte for byte" {
    upload '/v1/meshes/town/versions?wait=1' town.obj
    upload '/v1/meshes/town/versions?wait=1&activate=0&cell_size=0.4' town.obj
    bake_mesh yard square.obj
    local before path
    before=$(everything town yard)
    is "$(wc -l <<<"$before")" 3
    ask "$PATH_QUESTION"
    path=$BODY
    stop_daemon KILL
    start_daemon
    is "$(everything town yard)" "$before"
    ask "$PATH_QUESTION"
    is "$BODY" "$path"
    is "$(sqlite3 "$DB" 'PRAGMA integrity_check')" ok
}

@test "kill -9 during a bake: the others are there, and it is baked again" {
    upload '/v1/meshes/yard/versions?wait=1' square.obj
    local before
    before=$(everything yard)
    "$LEVEL_MAKER" city --size 3 >city.obj
    upload /v1/meshes/city/versions city.obj
    kill -STOP "$DAEMON_PID"
    is "$STATUS" 202
    local sha256
    sha256=$(json .geometry.sha256)
    stop_daemon KILL
    is "$(sqlite3 "$DB" "SELECT state FROM versions JOIN meshes ON id = mesh WHERE name = 'city'")" queued
    start_daemon
    is "$(everything yard)" "$before"
    wait_version /v1/meshes/city/versions/1
    is "$(json '.state, .active, .version' | tr '\n' ' ')" 'ready true 1 '
    is "$(json .geometry.sha256)" "$sha256"
    # The bake that was broken off gives the bytes that an unbroken one gives.
    local blob
    blob=$(json .blob.sha256)
    upload '/v1/meshes/again/versions?wait=1' city.obj
    is "$(json .blob.sha256)" "$blob"
}

@test "kill -9 at many moments: what was acknowledged is never lost" {
    local round acknowledged=0
    for round in 1 2 3 4 5; do
        square_obj $((20 + round)) >"round.obj"
        upload /v1/meshes/rounds/versions round.obj
        is "$STATUS" 202
        is "$(json .version)" "$round"
        acknowledged=$((acknowledged + 1))
        pause "0.0$((round * 2 - 1))"
        stop_daemon KILL
        start_daemon
        ask /v1/meshes/rounds/versions
        is "$(json '.versions | length')" "$acknowledged"
        wait_version "/v1/meshes/rounds/versions/$round"
        is "$(json .state)" ready
    done
}

@test "SIGTERM while a bake runs and a request waits for it: exit code 0" {
    "$LEVEL_MAKER" city --size 4 >city.obj
    curl -sS --max-time $((120 * PATIENCE)) -o waiting -w '%{http_code}' -X POST -H 'Content-Type: model/obj' \
        --data-binary @city.obj "$BASE/v1/meshes/city/versions?wait=1" >waiting.status 3>&- &
    local waiting=$!
    wait_for bakes city
    stop_daemon TERM
    is "$EXIT_CODE" 0
    wait "$waiting"
    # The request was answered: with the finished version, or told that the daemon is ending.
    [[ $(cat waiting.status) =~ ^(201|202|503)$ ]]
    start_daemon
    wait_version /v1/meshes/city/versions/1
    is "$(json .state)" ready
}

@test "a tile that is damaged on disk is named and baked again from the stored geometry" {
    upload '/v1/meshes/town/versions?wait=1&tile_cells=64' town.obj
    ask "$PATH_QUESTION"
    local path=$BODY hash
    stop_daemon
    hash=$(tile_hash 3)
    damage_tile 3
    start_daemon
    grep -q "blob_damaged mesh=town version=1 tile=[0-9]*,[0-9]* sha256=$hash" "$LOG"
    grep -q 'version_repaired mesh=town version=1' "$LOG"
    ask "$PATH_QUESTION"
    is "$BODY" "$path"
    stop_daemon
    # It is whole on disk as well: the next start has nothing to repair.
    "$NAVMESHD" verify --db "$DB"
    start_daemon
    is "$(grep -c version_repaired "$LOG")" 1
}

@test "tile and geometry damaged: the query says so, the rest works, a new bake repairs both" {
    upload '/v1/meshes/town/versions?wait=1' town.obj
    stop_daemon
    sqlite3 "$DB" "UPDATE blobs SET zstd = substr(zstd, 1, length(zstd) / 2)"
    sqlite3 "$DB" "UPDATE geometries SET zstd = substr(zstd, 1, length(zstd) / 2)"
    start_daemon
    grep -q 'mesh_not_loaded mesh=town' "$LOG"
    grep -q 'version_not_repaired mesh=town version=1 detail=.*its geometry' "$LOG"
    ask "$PATH_QUESTION"
    is_error 500 internal_error
    [[ $(json .detail) == *damaged* ]]
    bake_mesh yard square.obj
    upload '/v1/meshes/town/versions?wait=1&reuse=0' town.obj
    is "$STATUS" 201
    stop_daemon
    start_daemon
    ask "$PATH_QUESTION"
    is "$(json '.version, .status' | tr '\n' ' ')" '2 complete '
}

@test "SIGTERM during a bake of minutes: it is cut short, exit code 0, and baked at the next start" {
    awk 'BEGIN {
        for (i = 0; i < 2000; i++) {
            y = 3 * i
            printf "v 0 %d 0\nv 0 %d 20\nv 20 %d 20\nv 20 %d 0\nf -4 -3 -2 -1\n", y, y, y, y
        }
    }' >tower.obj
    stop_daemon
    start_daemon --drain-ms 300
    upload /v1/meshes/tower/versions tower.obj
    is "$STATUS" 202
    wait_for bakes tower
    stop_daemon
    is "$EXIT_CODE" 0
    start_daemon
    wait_for bakes tower
    ask /v1/meshes/tower -X DELETE
    is "$STATUS" 204
}
