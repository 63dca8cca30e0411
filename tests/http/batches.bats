#!/usr/bin/env bats
# Many paths in one request: each as if it had been asked alone, in the order in which they came.

load helper

setup_file() {
    start_with town islands
}

# Ends at random, from a seed: x y z x y z a line.
random_ends() { # count
    awk -v n="$1" 'BEGIN { srand(7); for (i = 0; i < n; i++) printf "%.2f 0 %.2f %.2f 0 %.2f\n", rand() * 90, rand() * 90, rand() * 90, rand() * 90 }'
}

@test "a batch answers as single questions do" {
    random_ends 40 >"$BATS_TEST_TMPDIR/ends"
    local queries
    queries=$(awk '{ printf "%s{\"id\":%d,\"start\":[%s,%s,%s],\"end\":[%s,%s,%s]}", (NR > 1 ? "," : ""), NR, $1, $2, $3, $4, $5, $6 }' "$BATS_TEST_TMPDIR/ends")
    post_json /v1/meshes/town/paths "{\"queries\":[$queries]}"
    is "$STATUS" 200
    local batch=$BODY
    is "$(json '.mesh, .version, (.results | length)' | tr '\n' ' ')" 'town 1 40 '
    is "$(json '[.results[].id] == [range(1; 41)]')" true
    local a b c d e f
    while read -r a b c d e f; do
        ask "/v1/meshes/town/path?start=$a,$b,$c&end=$d,$e,$f"
        printf '%s\n' "$BODY"
    done <"$BATS_TEST_TMPDIR/ends" >"$BATS_TEST_TMPDIR/alone"
    # A batch names islands where that is asked for.
    is "$(jq -c 'del(.mesh, .version, .islands)' "$BATS_TEST_TMPDIR/alone")" "$(jq -c '.results[] | del(.id)' <<<"$batch")"
}

@test "defaults are shared, a query may say otherwise, ids are given back" {
    post_json /v1/meshes/islands/paths '{"defaults":{"end":[14,0,18],"details":["areas"]},"queries":[
        {"id":"bot \"7\"","start":[2,0,2]},{"start":[2,0,10],"end":[58,0,10],"details":[]},{"id":3.5,"start":[2,0,2],"partial":false,"end":[58,0,10]}]}'
    is "$STATUS" 200
    is "$(json '.results[0].id, .results[0].status, (.results[0].details.areas | length)' | tr '\n' ' ')" 'bot "7" complete 1 '
    is "$(json '.results[1] | has("id") or has("details")')" false
    is "$(json '.results[1].reason')" unreachable
    is "$(json '.results[2] | .id, .status, .reason, (.points | length)' | tr '\n' ' ')" '3.5 none unreachable 0 '
}

@test "a number as an id comes back as it was sent, whether or not a double has it" {
    local id queries="" ids="9007199254740993 76561198000000001 1e999 -0 1.50 1E+2"
    for id in $ids; do
        queries+="${queries:+,}{\"id\":$id,\"start\":[2,0,2],\"end\":[3,0,2]}"
    done
    post_json /v1/meshes/town/paths "{\"queries\":[$queries]}"
    is "$STATUS" 200
    is "$(grep -oE '"id":[^,]*' <<<"$BODY" | sed 's/^"id"://' | xargs)" "$ids"
}

@test "a fault in one query is told with its number, and nothing is answered" {
    post_json /v1/meshes/town/paths '{"queries":[{"start":[0,0,0],"end":[1,0,1]},{"start":[0,0,0]}]}'
    is_refused 'queries[1].end'
    post_json /v1/meshes/town/paths '{"queries":[{"start":[0,0,0],"end":[1,0,1],"version":1}]}'
    is_error 422 unknown_field
    post_json /v1/meshes/town/paths '{"queries":[{"start":[0,0,0],"end":[1,0,1],"filter":"boat"}]}'
    is_refused 'queries[0].filter'
    post_json /v1/meshes/town/paths '{"queries":[{"start":[0,0,0],"end":[1,0,1]},{"start":[0,0,0],"end":[1,0,1],"snap":5}]}'
    is_refused 'queries[1].snap'
    post_json /v1/meshes/town/paths '{"defaults":{"snap":[]},"queries":[{"start":[0,0,0],"end":[1,0,1]}]}'
    is_refused defaults.snap
    local at twice
    while IFS='|' read -r at twice; do
        post_json /v1/meshes/town/paths "{\"queries\":[{\"start\":[0,0,0],\"end\":[1,0,1],$twice}]}"
        is_error 400 bad_json
        is "$(json .at)" "queries[0].$at"
    done <<'TWICE'
search|"search":"fast","search":"exact"
snap.up|"snap":{"up":1,"down":1,"up":2}
filter.costs.ground|"filter":{"costs":{"ground":1,"ground":2}}
TWICE
    post_json /v1/meshes/town/paths '{"queries":[]}'
    is_error 422 invalid_field
    post_json /v1/meshes/town/paths '{}'
    is_error 422 invalid_field
    post_json /v1/meshes/town/paths '{"version":9,"queries":[{"start":[0,0,0],"end":[1,0,1]}]}'
    is_error 404 version_not_found
}

@test "too many queries are refused with the limit" {
    awk 'BEGIN { printf "{\"queries\":["; for (i = 0; i < 10001; i++) printf "%s{\"start\":[0,0,0],\"end\":[1,0,1]}", i ? "," : ""; print "]}" }' >"$BATS_TEST_TMPDIR/many"
    post_json /v1/meshes/town/paths "@$BATS_TEST_TMPDIR/many"
    is_error 413 batch_too_large
    is "$(json .limit)" 10000
    awk 'BEGIN { printf "{\"queries\":["; for (i = 0; i < 100000; i++) printf "%s{\"start\":[0,0,0],\"end\":[1,0,1]}", i ? "," : ""; print "]}" }' >"$BATS_TEST_TMPDIR/many"
    post_json /v1/meshes/town/paths "@$BATS_TEST_TMPDIR/many"
    is "$STATUS" 413
    [ "$(json .limit)" != null ]
    ask /v1/meshes/town/path?start=2,0,2\&end=9,0,9
    is "$STATUS" 200
}

# ---- the packed form ----

@test "the packed form answers as JSON does" {
    packed "$BATS_TEST_TMPDIR/q" 2 2 0 2 14 0 18 2 0 10 58 0 10
    ask_packed islands "$BATS_TEST_TMPDIR/q"
    is "$STATUS" 200
    is "$(header Content-Type)" application/vnd.navmeshd.paths
    local reply=$BATS_TEST_TMPDIR/body
    is "$(head -c 4 "$reply")" NAVP
    is "$(at_u32 "$reply" 8) $(at_u32 "$reply" 12)" '1 2'
    is "$(od -An -tu1 -j 24 -N 3 "$reply" | xargs)" '2 0 1'
    is "$(od -An -tu1 -j 52 -N 3 "$reply" | xargs)" '1 3 0'
    local first count points
    first=$(at_u32 "$reply" 28) count=$(at_u32 "$reply" 32)
    is "$count" 2
    points=$(od -An -tf4 -j $((24 + 56 + first * 12)) -N $((count * 12)) -w4 "$reply" | xargs printf '%.3f ')
    cp "$reply" "$BATS_TEST_TMPDIR/packed"
    ask '/v1/meshes/islands/path?start=2,0,2&end=14,0,18'
    is "$points" "$(json '.points[][]' | xargs printf '%.3f ')"
    is "$(od -An -tf4 -j 40 -N 4 "$BATS_TEST_TMPDIR/packed" | xargs printf '%.2f')" "$(json .cost | xargs printf '%.2f')"
    is "$(stat -c %s "$BATS_TEST_TMPDIR/packed")" $((24 + 56 + 12 * $(at_u32 "$BATS_TEST_TMPDIR/packed" 16)))
}

@test "a damaged packed request is refused by name" {
    packed "$BATS_TEST_TMPDIR/q" 1 2 0 2 14 0 18
    head -c 100 "$BATS_TEST_TMPDIR/q" >"$BATS_TEST_TMPDIR/short"
    ask_packed islands "$BATS_TEST_TMPDIR/short"
    is_refused count
    printf 'NOPE' | dd of="$BATS_TEST_TMPDIR/q" conv=notrunc status=none
    ask_packed islands "$BATS_TEST_TMPDIR/q"
    is_refused magic
    packed "$BATS_TEST_TMPDIR/q" 1 2 0 2 14 0 18
    printf '\0\0\300\177' | dd of="$BATS_TEST_TMPDIR/q" bs=1 seek=100 conv=notrunc status=none # NaN
    ask_packed islands "$BATS_TEST_TMPDIR/q"
    is_refused 'queries[0].start[1]'
    packed "$BATS_TEST_TMPDIR/q" 100000 2 0 2 14 0 18
    ask_packed islands "$BATS_TEST_TMPDIR/q"
    is_error 413 batch_too_large
    is "$(json .limit)" 10000
    ask /v1/meshes/islands/paths -X POST -H 'Content-Type: text/plain' -d x
    is_error 415 unsupported_media_type
}
