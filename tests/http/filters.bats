#!/usr/bin/env bats
# A filter, by value or by name, prices and closes ground for one question, by GET as by POST.

load helper

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    # A square of 20 x 20 m, with a river across it but for a bridge at its far end.
    cat >river.json <<'JSON'
{"vertices":[[0,0,0],[0,0,20],[20,0,20],[20,0,0]],"triangles":[[0,1,2],[0,2,3]],
 "config":{"areas":{"ground":{"cost":1,"flags":["walk"]},"water":{"cost":3,"flags":["swim"]}},
  "volumes":[{"shape":"box","min":[8,-1,0],"max":[12,1,16],"area":"water"}],
  "links":[{"start":[2,0,2],"end":[18,0,2],"area":"ground","flags":["fly"],"id":"ferry","cost":5,"bidirectional":false}],
  "query_filters":{"dry":{"exclude":["swim","fly"]},"boat":{"costs":{"water":0.5},"exclude":["fly"]}}}}
JSON
    start_daemon
    bake_mesh river river.json application/json
}

WALK='"start":[5,0,5],"end":[15,0,5]'

@test "settings keep named filters and links' costs" {
    ask /v1/meshes/river/versions/1
    is "$(json '.config.query_filters | keys | join(",")')" boat,dry
    is "$(jq -c .config.query_filters.boat <<<"$BODY")" '{"costs":{"water":0.5},"include":[],"exclude":["fly"]}'
    is "$(json '.config.links[0].cost')" 5
}

@test "a price decides between the river and the bridge" {
    post_json /v1/meshes/river/path "{$WALK,\"filter\":{\"exclude\":[\"fly\"]}}"
    is "$(json '.status, (.cost > 17 and .cost < 19.1)' | tr '\n' ' ')" 'complete true '
    post_json /v1/meshes/river/path "{$WALK,\"filter\":{\"exclude\":[\"fly\"],\"costs\":{\"water\":20}}}"
    is "$(json '[.points[][2]] | max > 15')" true
    post_json /v1/meshes/river/path "{$WALK,\"filter\":\"boat\"}"
    is "$(json '.cost > 7.9 and .cost < 8.5 and (.points | length) <= 4')" true
    is "$(json '.lower_bound <= .cost')" true
}

@test "by name and by value, by GET and by POST: one answer" {
    post_json /v1/meshes/river/path "{$WALK,\"filter\":\"dry\"}"
    local by_name=$BODY
    post_json /v1/meshes/river/path "{$WALK,\"filter\":{\"exclude\":[\"fly\",\"swim\"]}}"
    is "$BODY" "$by_name"
    ask '/v1/meshes/river/path?start=5,0,5&end=15,0,5&filter=dry'
    is "$BODY" "$by_name"
    ask '/v1/meshes/river/path' -G --data-urlencode 'start=5,0,5' --data-urlencode 'end=15,0,5' \
        --data-urlencode 'filter={"exclude":["fly","swim"]}'
    is "$BODY" "$by_name"
}

@test "only what the filter closes is blocked" {
    # The river's own place is not on the mesh of who cannot swim.
    post_json /v1/meshes/river/path '{"start":[5,0,5],"end":[10,0,5],"snap":{"horizontal":0.5},"filter":"dry"}'
    is "$(json '.status, .reason' | tr '\n' ' ')" 'none blocked '
    # Without any ground there is no place to start from.
    post_json /v1/meshes/river/path "{$WALK,\"filter\":{\"include\":[\"fly\"]}}"
    is "$(json .reason)" blocked
    # On foot, with the bridge closed too, nothing leads across.
    post_json /v1/meshes/river/path "{$WALK,\"filter\":\"dry\",\"max_nodes\":1}"
    is "$(json '.status, .reason' | tr '\n' ' ')" 'partial node_budget '
}

@test "details say which polygons, areas and links lie along the way" {
    post_json /v1/meshes/river/path "{$WALK,\"filter\":\"boat\",\"details\":[\"polygons\",\"areas\",\"links\"]}"
    is "$(json '[.details.areas[].area] | join(" ")')" 'ground water ground'
    is "$(json '.details.polygons | length >= 3 and all(.point >= 0)')" true
    is "$(json '.details.links | length')" 0
    post_json /v1/meshes/river/path '{"start":[2,0,2],"end":[18,0,2],"details":["links"]}'
    is "$(json '.cost, .details.links[0].id, .details.links[0].point' | tr '\n' ' ')" '5 ferry 0 '
    ask '/v1/meshes/river/path?start=5,0,5&end=15,0,5&filter=boat&details=areas,links'
    is "$(json '.details | keys | join(" ")')" 'areas links'
}

@test "reachable answers for many points at once" {
    post_json /v1/meshes/river/reachable '{"start":[5,0,5],"points":[[15,0,5],[10,0,5],[50,0,50]],"filter":"dry","snap":{"horizontal":0.5}}'
    is "$STATUS" 200
    is "$(json '.reachable | tojson')" '[true,false,false]'
    is "$(json '.mesh, .version' | tr '\n' ' ')" 'river 1 '
    post_json /v1/meshes/river/reachable '{"start":[50,0,50],"points":[[15,0,5]]}'
    is "$(json '.reachable | tojson')" '[false]'
}

@test "nearest tells areas by name, under a filter and from where it can be reached" {
    ask '/v1/meshes/river/nearest?point=10,0,5'
    is "$(json '.points[0].area')" water
    ask '/v1/meshes/river/nearest?point=10,0,5&filter=dry&snap.horizontal=3'
    is "$(json '.points[0].area')" ground
    ask '/v1/meshes/river/nearest?point=10,0,5&reachable_from=50,0,50'
    is "$(json '.points | length')" 0
    ask '/v1/meshes/river/nearest?point=10,0,5&reachable_from=5,0,5'
    is "$(json '.points | length')" 1
}

@test "names that the mesh does not know are refused where they stand" {
    post_json /v1/meshes/river/path "{$WALK,\"filter\":\"train\"}"
    is_error 422 invalid_field
    is "$(json '.at, .got' | tr '\n' ' ')" 'filter train '
    post_json /v1/meshes/river/path "{$WALK,\"filter\":{\"costs\":{\"lava\":2}}}"
    is_refused filter.costs.lava
    post_json /v1/meshes/river/path "{$WALK,\"filter\":{\"costs\":{\"water\":-2}}}"
    is_refused filter.costs.water
    post_json /v1/meshes/river/path "{$WALK,\"filter\":{\"include\":[\"drive\"]}}"
    is_refused filter.include
    ask '/v1/meshes/river/path?start=5,0,5&end=15,0,5&filter=%7Bbroken'
    is_error 400 bad_json
}

@test "a deadline and a partial that is not wanted" {
    post_json /v1/meshes/river/path "{$WALK,\"deadline_ms\":1000}"
    is "$(json .status)" complete
    post_json /v1/meshes/river/path "{$WALK,\"deadline_ms\":40000}"
    is_error 422 invalid_field
    ask '/v1/meshes/river/path?start=5,0,5&end=15,0,5&partial=0'
    is "$(json .status)" complete
}
