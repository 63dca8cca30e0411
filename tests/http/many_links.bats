#!/usr/bin/env bats
# Thousands of links between a few polygons take neither a bake beyond its time nor a question for ever.

load helper

# A square of 100 x 100 m with so many links across it.
linked_square() { # links
    awk -v n="$1" 'BEGIN {
        printf "{\"vertices\":[[0,0,0],[0,0,100],[100,0,100],[100,0,0]],\"triangles\":[[0,1,2],[0,2,3]],\"config\":{\"links\":["
        for (i = 0; i < n; i++) {
            printf "%s{\"start\":[%d,0,%d],\"end\":[%d,0,50]}", (i ? "," : ""), i % 100, int(i / 100) % 100, 99 - i % 100
        }
        printf "]}}"
    }'
}

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    start_daemon --workers 1 --bake-time $((4 * PATIENCE))
    linked_square 4000 >some.json
    linked_square 20000 >many.json
    bake_mesh some some.json application/json
}

@test "tables that make searches faster are given up when the bake's time is over" {
    bake_mesh many many.json application/json
    grep -q 'event=no_landmarks mesh=many version=1 code=deadline' "$LOG"
    # All of them are made in most of a minute.
    [ "$(json '.timings_ms.total | floor')" -lt $((12000 * PATIENCE)) ]
    ask '/v1/meshes/many/path?start=2,0,2&end=97,0,96&search=fast&deadline_ms=2000'
    is "$STATUS" 200
}

@test "a bake is cancelled at once while they are made" {
    linked_square 60000 >more.json
    upload /v1/meshes/more/versions more.json application/json
    is "$STATUS" 202
    sleep 2
    ask /v1/meshes/more/versions/1 -X DELETE
    is "$STATUS" 200
    # The worker is free for the next one.
    square_obj 20 >square.obj
    local begun=$SECONDS
    bake_mesh next square.obj
    [ $((SECONDS - begun)) -le $((12 * PATIENCE)) ]
}

@test "a flood over thousands of pieces does not look for each link anew from each" {
    awk 'BEGIN {
        printf "{\"start\":[2,0,2],\"points\":[[90,0,90],[50,0,50]],\"avoid\":["
        for (i = 0; i < 1024; i++) {
            printf "%s{\"shape\":\"circle\",\"center\":[%d,0,%d],\"radius\":0.5}", (i ? "," : ""), i % 32 * 3, int(i / 32) * 3
        }
        printf "]}"
    }' >shapes.json
    # Seconds at most; as long as each piece looked for each link, a minute.
    post_json /v1/meshes/some/reachable @shapes.json --max-time $((25 * PATIENCE))
    is "$STATUS" 200
    is "$(json '.reachable | join(" ")')" 'true true'
}
