#!/usr/bin/env bats
# GET /metrics is well-formed Prometheus text, and its numbers are those of what has happened.

load helper

setup() {
    own_folder
    start_daemon --mesh yard=square.obj
}

scrape() { # file
    ask /metrics
    printf '%s\n' "$BODY" >"$1"
}

# Whether the page has this line; it is in the file `page`.
counts() { # sample and value
    scrape page
    [[ $BODY == *$'\n'"$1"$'\n'* ]]
}

flat_bakes() {
    ask /v1/meshes/flat/versions/1
    [[ $BODY == *'"state":"baking"'* ]]
}

# The value of a sample, by all of it before the space.
value() { # file sample
    awk -v wanted="$2" 'index($0, wanted " ") == 1 { print $NF; found = 1 } END { exit !found }' "$1"
}

# Checks the text format line by line: names, labels, escapes and numbers; HELP and TYPE once and
# before the samples of their family, which stand together; counters end in _total; no sample
# twice; buckets rise and end in +Inf, which equals the count.
check_format() { # file
    awk '
        function fail(why) { printf "line %d: %s: %s\n", NR, why, $0; bad = 1; exit 1 }
        function family_of(name,   base) {
            base = name
            if (type[base] == "") { sub(/_(bucket|sum|count)$/, "", base) }
            if (type[base] == "") { fail("no TYPE before it") }
            if (base != name && type[base] != "histogram") { fail("suffix without histogram") }
            return base
        }
        BEGIN { name = "[a-zA-Z_:][a-zA-Z0-9_:]*" }
        /^# HELP / {
            if ($0 !~ "^# HELP " name " .+$") { fail("HELP") }
            if (help[$3]++) { fail("HELP twice") }
            next
        }
        /^# TYPE / {
            if ($0 !~ "^# TYPE " name " (counter|gauge|histogram)$") { fail("TYPE") }
            if (type[$3] != "") { fail("TYPE twice") }
            if (!help[$3]) { fail("TYPE without HELP") }
            if ($4 == "counter" && $3 !~ /_total$/) { fail("a counter without _total") }
            if ($4 != "counter" && $3 ~ /_total$/) { fail("_total, and no counter") }
            type[$3] = $4
            current = $3
            next
        }
        /^#/ || /^$/ { fail("neither a sample nor HELP nor TYPE") }
        {
            if ($0 !~ "^" name "(\\{([a-zA-Z_][a-zA-Z0-9_]*=\"([^\"\\\\\n]|\\\\[\\\\n\"])*\"(,|\\}))+)? [^ ]+$") { fail("sample") }
            if ($NF !~ /^([0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?|NaN|[+-]Inf)$/) { fail("number") }
            sample = substr($0, 1, length($0) - length($NF) - 1)
            if (seen[sample]++) { fail("sample twice") }
            metric = sample
            sub(/\{.*/, "", metric)
            if (family_of(metric) != current) { fail("not with its family") }
            if (metric ~ /_bucket$/) {
                series = sample
                sub(/,?le="[^"]*"/, "", series)
                if (series == before && $NF + 0 < last + 0) { fail("buckets fall") }
                before = series
                last = $NF
                if (sample ~ /le="\+Inf"/) { infinite[series] = $NF }
            } else if (metric ~ /_count$/) {
                series = sample
                sub(/_count/, "_bucket", series)
                other = series
                if (!(series in infinite)) { series = series "{}" }
                if (!(series in infinite) || infinite[series] != $NF) { fail("count is not the last bucket") }
            }
            samples++
        }
        END { if (bad) { exit 1 }; if (samples < 50) { print "few samples: " samples; exit 1 } }' "$1" || return 1
    [ "$(tail -c 1 "$1" | od -An -tx1 | tr -d ' ')" = 0a ]
}

@test "the page is well-formed, at first and after all kinds of requests" {
    scrape first
    check_format first
    ask '/v1/meshes/yard/path?start=2,0,2&end=18,0,18'
    ask '/v1/meshes/yard/path?start=2'
    ask /nothing
    ask '/v1/meshes/none/path?start=2,0,2&end=18,0,18'
    ask /healthz -X DELETE
    bake_mesh hill square.obj
    scrape second
    check_format second
    if command -v promtool >/dev/null; then
        promtool check metrics <second
    fi
}

@test "the check itself finds what is wrong" {
    scrape page
    check_format page
    local edit
    for edit in '1d' '2d' 's/^navmeshd_ready 1/navmeshd_ready one/' 's/^navmeshd_ready 1/navmeshd_ready{a=1} 1/' \
        '$ s/$/\nnavmeshd_ready 1/' 's/le="+Inf"/le="1000"/' 's/^process_open_fds .*/& 7/' '$ s/$/\n\n/' \
        's/_total counter/_total gauge/'; do
        sed "$edit" page >broken
        run check_format broken
        [ "$status" -ne 0 ] || {
            echo "not found: $edit"
            return 1
        }
    done
}

@test "the media type is Prometheus' own" {
    ask /metrics
    is "$STATUS" 200
    is "$(header Content-Type)" 'text/plain; version=0.0.4; charset=utf-8'
}

@test "requests are counted by method, route and class of status" {
    local route='route="/v1/meshes/{mesh}/path"'
    scrape before
    is "$(value before "navmeshd_http_requests_total{method=\"GET\",$route,status=\"2xx\"}")" 0
    local i
    for ((i = 0; i < 5; i++)); do
        ask '/v1/meshes/yard/path?start=2,0,2&end=18,0,18'
    done
    ask '/v1/meshes/yard/path?start=nowhere'
    is "$STATUS" 422
    post_json /v1/meshes/yard/path '{"start":[2,0,2],"end":[18,0,18]}'
    ask /nothing
    scrape after
    is "$(value after "navmeshd_http_requests_total{method=\"GET\",$route,status=\"2xx\"}")" 5
    is "$(value after "navmeshd_http_requests_total{method=\"GET\",$route,status=\"4xx\"}")" 1
    is "$(value after "navmeshd_http_requests_total{method=\"POST\",$route,status=\"2xx\"}")" 1
    is "$(value after 'navmeshd_http_requests_total{method="none",route="none",status="4xx"}')" 1
    is "$(value after "navmeshd_http_request_duration_seconds_count{method=\"GET\",$route,status=\"2xx\"}")" 5
    is "$(value after "navmeshd_http_request_duration_seconds_bucket{method=\"GET\",$route,status=\"2xx\",le=\"+Inf\"}")" 5
    awk -v s="$(value after "navmeshd_http_request_duration_seconds_sum{method=\"GET\",$route,status=\"2xx\"}")" \
        'BEGIN { exit !(s > 0 && s < 60) }'
    # Of a mesh's name nothing is in the labels, so that names cannot make the page grow.
    lacks -q yard after
}

@test "requests from many connections at once are all counted" {
    local i
    for ((i = 0; i < 8; i++)); do
        seq -f "url=$BASE/healthz?%g" 50 | curl -sS -K - -o /dev/null >/dev/null 3>&- &
    done
    wait $(jobs -p | grep -v "^$DAEMON_PID\$")
    scrape page
    is "$(value page 'navmeshd_http_requests_total{method="GET",route="/healthz",status="2xx"}')" 400
    [ "$(value page navmeshd_http_connections_accepted_total)" -ge 8 ]
}

@test "bakes, stages, meshes, versions and the store are counted" {
    scrape before
    is "$(value before 'navmeshd_bakes_total{state="ready"}')" 1
    is "$(value before navmeshd_meshes_live)" 1
    is "$(value before 'navmeshd_store_versions{state="ready"}')" 1
    "$LEVEL_MAKER" town >town.obj
    bake_mesh town town.obj
    # A wall is no floor: the bake fails.
    printf 'v 0 0 0\nv 0 9 0\nv 9 0 0\nf 1 2 3\n' >wall.obj
    upload '/v1/meshes/wall/versions?wait=1' wall.obj
    is "$STATUS" 422
    ask '/v1/meshes/town/path?start=2,0,2&end=70,0,70'
    scrape after
    is "$(value after 'navmeshd_bakes_total{state="ready"}')" 2
    is "$(value after 'navmeshd_bakes_total{state="failed"}')" 1
    is "$(value after navmeshd_bake_duration_seconds_count)" 3
    is "$(value after navmeshd_meshes_live)" 2
    is "$(value after navmeshd_store_meshes)" 3
    is "$(value after 'navmeshd_store_versions{state="ready"}')" 2
    is "$(value after 'navmeshd_store_versions{state="failed"}')" 1
    local stage
    for stage in voxelize regions contours polygons detail; do
        awk -v a="$(value before "navmeshd_bake_stage_seconds_total{stage=\"$stage\"}")" \
            -v b="$(value after "navmeshd_bake_stage_seconds_total{stage=\"$stage\"}")" 'BEGIN { exit !(b > a) }'
    done
    local name
    for name in navmeshd_mesh_memory_bytes navmeshd_mesh_polygons; do
        [ "$(value after "$name")" -gt "$(value before "$name")" ]
    done
    for name in navmeshd_scratch_memory_bytes navmeshd_store_file_bytes navmeshd_store_wal_bytes \
        process_resident_memory_bytes process_open_fds process_max_fds navmeshd_bake_queue_limit \
        navmeshd_bake_workers navmeshd_ready navmeshd_http_connections; do
        [ "$(value after "$name")" -gt 0 ]
    done
    is "$(value after navmeshd_store_file_bytes)" "$(stat -c %s "$DB")"
    is "$(value after navmeshd_http_requests_in_flight)" 1
    is "$(value after navmeshd_http_uploads_in_flight)" 0
    awk -v s="$(value after process_start_time_seconds)" -v n="$(date +%s)" 'BEGIN { exit !(n - s > -2 && n - s < 600) }'
    is "$(value after process_start_time_seconds)" "$(value before process_start_time_seconds)"
}

@test "uploads and connections in flight go up and down" {
    exec 8<>"/dev/tcp/${ADDRESS%:*}/${ADDRESS##*:}"
    printf 'POST /v1/meshes/slow/versions HTTP/1.1\r\nHost: localhost\r\nContent-Type: model/obj\r\nContent-Length: 1000\r\n\r\nv 0' >&8
    wait_for counts 'navmeshd_http_uploads_in_flight 1'
    is "$(value page navmeshd_http_requests_in_flight)" 2
    exec 8>&-
    wait_for counts 'navmeshd_http_uploads_in_flight 0'
    is "$(value page navmeshd_http_requests_aborted_total)" 1
}

@test "a cancelled bake is counted as one" {
    square_obj 500 >flat.obj
    upload '/v1/meshes/flat/versions?cell_size=0.05&tile_cells=64' flat.obj
    is "$STATUS" 202
    wait_for flat_bakes
    ask /v1/meshes/flat/versions/1 -X DELETE
    is "$(json .state)" cancelled
    wait_for counts 'navmeshd_bakes_total{state="cancelled"} 1'
}

@test "paths are counted by how they turned out, alone and in lists" {
    ask '/v1/meshes/yard/path?start=2,0,2&end=18,0,18'
    ask '/v1/meshes/yard/path?start=2,0,2&end=90,0,90'
    post_json /v1/meshes/yard/paths '{"defaults":{"start":[2,0,2]},"queries":[{"end":[9,0,9]},{"end":[9,90,9]}]}'
    post_json /v1/meshes/yard/batch '{"queries":[{"kind":"path","start":[2,0,2],"end":[9,0,9]},{"kind":"wall","point":[2,0,2]}]}'
    post_json /v1/meshes/yard/path '{"start":[2,0,2],"end":[18,0,18],"max_length":3}'
    scrape after
    check_format after
    is "$(value after 'navmeshd_paths_total{status="complete",reason=""}')" 3
    is "$(value after 'navmeshd_paths_total{status="none",reason="end_off_mesh"}')" 2
    is "$(value after 'navmeshd_paths_total{status="partial",reason="max_length"}')" 1
}

@test "alert rules and the dashboard ask for families that there are, and the dashboard is JSON" {
    ask '/v1/meshes/yard/path?start=2,0,2&end=18,0,18'
    scrape page
    local name seen=0
    while read -r name; do
        grep -q "^# TYPE $name " page || {
            echo "there is no $name"
            return 1
        }
        seen=$((seen + 1))
    done < <(grep -ohE '\b(navmeshd|process)_[a-z_]+' "$ROOT"/docker/{alerts.yaml,grafana/navmeshd.json} | sed -E 's/_bucket$//' | sort -u)
    [ "$seen" -gt 20 ]
    gojq -e '(.panels | length > 8) and ([.panels[].targets[].expr] | all(length > 0))' "$ROOT/docker/grafana/navmeshd.json" >/dev/null
    # The job that alerts name is the one that Prometheus has.
    grep -q 'job_name: navmeshd$' "$ROOT/docker/prometheus.yaml"
}
