#!/usr/bin/env bats
# A hundred thousand links between a few polygons take no bake beyond its time, thousands no question for
# ever.

load helper

# A square of 100 x 100 m with so many links across it, from places spread as if by chance.
linked_square() { # links [more members of each]
    awk -v n="$1" -v more="${2:-}" 'BEGIN {
        printf "{\"vertices\":[[0,0,0],[0,0,100],[100,0,100],[100,0,0]],\"triangles\":[[0,1,2],[0,2,3]],\"config\":{\"links\":["
        for (i = 0; i < n; i++) {
            printf "%s{\"start\":[%g,0,%g],\"end\":[%g,0,%g]%s}", (i ? "," : ""), i * 7919 % 9901 / 100, i * 6007 % 9887 / 100, i * 4801 % 9883 / 100, i * 3701 % 9871 / 100, more
        }
        printf "]}}"
    }'
}

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    start_daemon --workers 1 --bake-time $((300 * PATIENCE))
    linked_square 4000 >some.json
    bake_mesh some some.json application/json
}

@test "a hundred thousand links have the tables that make searches faster" {
    linked_square 100000 >many.json
    bake_mesh many many.json application/json
    run ! grep -q event=no_landmarks "$LOG"
    ask '/v1/meshes/many/path?start=2,0,2&end=97,0,96&search=fast&deadline_ms=2000'
    is "$STATUS" 200
}

@test "links that cost nothing have none where making them would take too long" {
    linked_square 40000 ',"cost":0' >free.json
    bake_mesh free free.json application/json
    grep -q 'event=no_landmarks mesh=free version=1 code=tile_too_complex' "$LOG"
    ask '/v1/meshes/free/path?start=2,0,2&end=97,0,96&search=fast&deadline_ms=2000'
    is "$STATUS" 200
}

@test "a flood over thousands of pieces does not look for each link anew from each" {
    awk 'BEGIN {
        printf "{\"start\":[2,0,2],\"points\":[[91.5,0,91.5],[50,0,50]],\"avoid\":["
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

@test "no question and no batch outlasts query_ms, whatever deadlines they name" {
    own_folder
    start_daemon --workers 1 --bake-time $((300 * PATIENCE)) --limit query_ms=100
    linked_square 4000 ',"cost":0,"bidirectional":true' >free.json
    bake_mesh free free.json application/json
    # Half a second and more each, as long as they were let go on.
    local question='"start":[2,0,2],"end":[97,0,96],"search":"auto"' i many=
    post_json /v1/meshes/free/path "{$question}" --max-time $((25 * PATIENCE))
    is "$STATUS" 200
    is "$(json .optimal)" false # half a second later it is proven
    for ((i = 0; i < 40; i++)); do
        many+=",{$question,\"deadline_ms\":30000}"
    done
    post_json /v1/meshes/free/paths "{\"queries\":[${many#,}]}" --max-time $((25 * PATIENCE))
    is "$STATUS" 200
    is "$(json '.results | length')" 40
    post_json /v1/meshes/free/matrix '{"sources":[[2,0,2]],"targets":[[97,0,96]]}' --max-time $((25 * PATIENCE))
    is "$(json .reason)" deadline
}
