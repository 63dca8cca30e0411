#!/usr/bin/env bats
# A tile whose padded input and settings did not change is taken from the store, and comes out as
# if it had been baked: an unchanged upload, other costs, a house that was moved, a bake that was
# broken off.

load helper

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    square_obj 20 >square.obj
    "$LEVEL_MAKER" city --size 3 >city.obj
    # The building in the middle moves by a metre; the ground, which comes first, stays.
    move_building city.obj 3 1 1 >moved.obj
    # Bakes of many tiles, to be broken off.
    city_obj 3 >long.obj
    # The city is baked once. Each test has a copy of that database.
    start_daemon
    bake_mesh city city.obj
    stop_daemon
    export WHOLE=$DB
}

setup() {
    own_database
    cp "$WHOLE" "$DB"
    start_daemon
}

# Kills the daemon when some tiles of the mesh long, which is the second one, are stored. The first that is done half a
# second after a bake began has all before it stored: the daemon stands still for that long, so that a short bake has
# far more tiles to come then. Sets STORED.
kill_under_way() { # version
    wait_for has_done_tiles "$1"
    kill -STOP "$DAEMON_PID"
    pause 0.6
    kill -CONT "$DAEMON_PID"
    wait_for has_stored_tiles "$1"
    stop_daemon KILL
    STORED=$(stored_tiles "mesh = 2 AND version = $1")
    is "$(sqlite3 "$DB" "SELECT state = 'ready' FROM versions WHERE mesh = 2 AND version = $1")" 0
}

has_done_tiles() { # version
    ask "/v1/meshes/long/versions/$1"
    [[ $BODY =~ '"tiles_done":'([0-9]+) ]] && [ "${BASH_REMATCH[1]}" -ge 15 ]
}

has_stored_tiles() { # version
    [ "$(stored_tiles "mesh = 2 AND version = $1")" -ge 15 ]
}

# Moves the first building of a block of the generated city along x.
move_building() { # file blocks-a-side row column
    awk -v size="$2" -v row="$3" -v column="$4" '
        $1 == "v" && ++n > (size * 13 + 4) ^ 2 {
            x = $2 - (column * 52 + 14); z = $4 - (row * 52 + 14)
            if (x >= -0.01 && x <= 16.01 && z >= -0.01 && z <= 16.01) { $2 += 1; moved++ }
        }
        { print }
        END { exit moved < 8 }' "$1"
}

numbers() { # tiles_reused and tiles_done of the last version object
    json '"\(.tiles_reused) of \(.tiles_total)"'
}

# All that a bake says about its tiles, without times.
content() {
    json '[.blob.sha256, .blob.bytes, .stats, ([.warnings[] | {code, count}])] | tostring'
}

@test "a house that moves: only the tiles that it touches are baked, and the result is that of a full bake" {
    ask /v1/meshes/city/versions/1
    is "$(numbers)" '0 of 25'
    bake_mesh city moved.obj
    is "$(json .version)" 2
    # 16 m and a metre more, in tiles of 38.4 m: at most two by two of them, padding included.
    local reused
    reused=$(json .tiles_reused)
    [ "$reused" -ge 21 ]
    [ "$reused" -lt 25 ]
    local incremental
    incremental=$(content)
    upload '/v1/meshes/city/versions?wait=1&reuse=0' moved.obj
    is "$(json '.version, .tiles_reused' | tr '\n' ' ')" '3 0 '
    is "$(content)" "$incremental"
    # The first version is as it was.
    local first
    ask /v1/meshes/city/versions/1
    first=$(content)
    [ "$first" != "$incremental" ]
}

@test "other costs, flags, links and seeds: every tile is taken, another radius: none" {
    ask /v1/meshes/city/versions/1
    local sha256
    sha256=$(json .blob.sha256)
    obj_to_json city.obj '{"areas":{"ground":{"cost":2.5,"flags":["walk"]}},"seeds":[[2,0,2]],
        "links":[{"start":[2,0,2],"end":[30,0,2],"radius":2,"bidirectional":true}]}' >costs.json
    bake_mesh city costs.json application/json
    is "$(numbers)" '25 of 25'
    is "$(json .blob.sha256)" "$sha256"
    is "$(json '.stats.links, .config.areas.ground.cost' | tr '\n' ' ')" '1 2.5 '
    upload '/v1/meshes/city/versions?wait=1&agent.radius=0.4' city.obj
    is "$(numbers)" '0 of 25'
}

obj_to_json() { # file config
    awk -v config="$2" '
        BEGIN { printf "{\"vertices\":[" }
        $1 == "v" { printf "%s%s,%s,%s", n++ ? "," : "", $2, $3, $4 }
        $1 == "f" { for (i = 3; i < NF; i++) faces[m++] = $2 - 1 "," $i - 1 "," $(i + 1) - 1 }
        END {
            printf "],\"triangles\":["
            for (i = 0; i < m; i++) printf "%s%s", i ? "," : "", faces[i]
            printf "],\"config\":%s}", config
        }' "$1"
}

@test "triangles in another order: every tile is taken" {
    grep '^v' city.obj >shuffled.obj
    grep '^f' city.obj | tac >>shuffled.obj
    bake_mesh city shuffled.obj
    is "$(json '.version, .deduplicated' | tr '\n' ' ')" '2 null '
    is "$(numbers)" '25 of 25'
}

@test "a mesh of another name takes tiles, too, and keeps them when the first is deleted" {
    upload '/v1/meshes/copy/versions?wait=1' city.obj
    is "$(numbers)" '25 of 25'
    local sha256
    sha256=$(json .blob.sha256)
    ask /v1/meshes/city -X DELETE
    is "$STATUS" 204
    stop_daemon
    start_daemon
    ask /v1/meshes/copy/versions/1
    is "$(json .blob.sha256)" "$sha256"
    ask '/v1/meshes/copy/path?start=2,0,2&end=100,0,100'
    is "$STATUS" 200
    ask /v1/meshes/copy -X DELETE
    is "$(sqlite3 "$DB" 'SELECT (SELECT count(*) FROM tiles) + (SELECT count(*) FROM blobs) + (SELECT count(*) FROM version_tiles) + (SELECT count(*) FROM geometries)')" 0
}

@test "an unchanged upload is the version that is there: 200, live again, no bake" {
    upload '/v1/meshes/city/versions?wait=1&agent.radius=0.4' city.obj
    is "$(json '.version, .active' | tr '\n' ' ')" '2 true '
    upload '/v1/meshes/city/versions?wait=1&activate=0' city.obj
    is "$STATUS" 200
    is "$(json '.version, .active, .deduplicated' | tr '\n' ' ')" '1 false true '
    upload '/v1/meshes/city/versions' city.obj
    is "$STATUS" 200
    is "$(json '.version, .active, .deduplicated' | tr '\n' ' ')" '1 true true '
    is "$(grep -c 'event=baked ' "$LOG")" 1
    ask /v1/meshes/city/versions
    is "$(json '.versions | length')" 2
}

@test "a bake that kill -9 breaks off: the next start takes what was finished" {
    stop_daemon
    start_daemon --workers 1
    upload '/v1/meshes/long/versions?tile_cells=32' long.obj
    is "$STATUS" 202
    kill_under_way 1
    start_daemon
    wait_version /v1/meshes/long/versions/1
    is "$(json '.state, .active, .tiles_reused' | tr '\n' ' ')" "ready true $STORED "
    local sha256
    sha256=$(json .blob.sha256)
    # And it is what an unbroken bake gives.
    upload '/v1/meshes/long/versions?wait=1&tile_cells=32&reuse=0' long.obj
    is "$(json '.version, .tiles_reused' | tr '\n' ' ')" '2 0 '
    is "$(json .blob.sha256)" "$sha256"
}

@test "reuse=0 broken off: its own tiles are taken again, no others" {
    upload '/v1/meshes/long/versions?wait=1&tile_cells=32' long.obj
    stop_daemon
    start_daemon --workers 1
    upload '/v1/meshes/long/versions?tile_cells=32&reuse=0' long.obj
    is "$(json .version)" 2
    kill_under_way 2
    start_daemon
    wait_version /v1/meshes/long/versions/2
    is "$(json '.state, .tiles_reused' | tr '\n' ' ')" "ready $STORED "
}

@test "a tile that is damaged on disk is named, not taken, and repaired by the bake" {
    ask /v1/meshes/city/versions/1
    local sha256 damaged
    sha256=$(json .blob.sha256)
    damaged=$(tile_hash 1)
    damage_tile 1
    upload '/v1/meshes/city/versions?wait=1&edge_max_length=12&agent.max_slope=45&activate=0' moved.obj
    upload '/v1/meshes/copy/versions?wait=1' city.obj
    is "$(json .blob.sha256)" "$sha256"
    grep -qi "blob_damaged .*sha256=$damaged" "$LOG"
    stop_daemon
    start_daemon
    ask '/v1/meshes/city/path?start=2,0,2&end=100,0,100'
    is "$STATUS" 200
}
