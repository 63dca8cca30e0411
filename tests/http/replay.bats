#!/usr/bin/env bats
# A recording asked again, by another process that has nothing but the file, is the same to the byte:
# questions of all kinds, over versions and instances, as JSON and packed, before and after a restart. An
# answer that differs is told, and so is a file that is no whole recording.

load helper

PATH_QUESTION='/v1/meshes/town/path?start=2,0,2&end=70,0,70&record=1'

# The recording of the last question, into a file.
keep_recording() { # file
    is "$STATUS" 200
    take_header X-Recording
    ask "/v1/recordings/$VALUE"
    cp "$BATS_FILE_TMPDIR/body" "$1"
}

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    "$LEVEL_MAKER" town >town.obj
    start_daemon
    bake_mesh town town.obj
    ask "$PATH_QUESTION" -H 'X-Requested-With: bats'
    keep_recording one.navrec
    ask "$PATH_QUESTION&deadline_ms=30000" -H 'X-Requested-With: bats'
    keep_recording timed.navrec
    ask "$PATH_QUESTION&max_nodes=5" -H 'X-Requested-With: bats'
    keep_recording short.navrec
    stop_daemon
}

setup() {
    own_folder
    ln -s "$BATS_FILE_TMPDIR"/*.{obj,navrec} .
}

teardown() {
    stop_daemon
    [[ $DB != /dev/shm/* ]] || rm -rf "${DB%/*}"
}

# Records QUESTIONS, three hundred by default, and fetches them into files/.
record_many() { # count
    python3 "$BATS_TEST_DIRNAME/recordings.py" "$ADDRESS" "$1" files
}

@test "questions of all kinds, over versions and instances, replay byte for byte, also after a restart" {
    # Hundreds of commits one after the other wait for the disk and nothing else.
    [ ! -w /dev/shm ] || DB=$(mktemp -d /dev/shm/navmeshd.XXXXXX)/test.db
    start_daemon --recordings-bytes 1e9
    upload '/v1/meshes/town/versions?wait=1' town.obj
    upload '/v1/meshes/town/versions?wait=1&agent.radius=0.3' town.obj
    is "$STATUS" 201
    record_many "${QUESTIONS:-300}"
    run -0 "$NAVMESHD" replay files/*.navrec
    is "$(grep -c ': the same ' <<<"$output")" "${QUESTIONS:-300}"
    # Every kind is there, and most of them have more to tell than that there is nothing.
    is "$(sed -nE 's/.*bytes: ([a-z]+), .*/\1/p' <<<"$output" | sort -u | tr '\n' ' ')" \
        'batch flood floors matrix move nearest path paths random raycast reachable trace valid wall '
    # One in a hundred by another compiler's debug build, which takes a second each.
    if [ -n "${OTHER_BUILD:-}" ]; then
        local some
        mapfile -t some < <(printf '%s\n' files/*.navrec | awk 'NR % 100 == 1')
        run -0 "$OTHER_BUILD" replay "${some[@]}"
        is "$(grep -c ': the same ' <<<"$output")" "${#some[@]}"
    fi
    stop_daemon
    start_daemon
    local id
    ask '/v1/recordings?limit=3'
    for id in $(json '.recordings[].id'); do
        ask "/v1/recordings/$id"
        cmp "$BATS_TEST_TMPDIR/body" "files/$id.navrec"
    done
}

# The same file with other contents, under a checksum that fits.
change() { # from, to: as many bytes
    python3 - "$1" "$2" <<'PY'
import hashlib, pathlib, struct, subprocess, sys
whole = pathlib.Path('one.navrec').read_bytes()
contents = subprocess.run(['zstd', '-dc'], input=whole[64:], stdout=subprocess.PIPE, check=True).stdout
was, now = (word.encode() for word in sys.argv[1:])
assert contents.count(was) >= 1 and len(was) == len(now)
contents = contents.replace(was, now)
packed = subprocess.run(['zstd', '-c'], input=contents, stdout=subprocess.PIPE, check=True).stdout
pathlib.Path('other.navrec').write_bytes(
    whole[:8] + struct.pack('<3Q', len(contents), len(packed), 0) + hashlib.sha256(contents).digest() + packed)
PY
}

# Another file with parts that somebody has thought of.
craft() { # statements of Python that change `it`
    PYTHONPATH=$BATS_TEST_DIRNAME python3 -B - "$1" <<'PY'
import sys, bundle
it = bundle.read('one.navrec')
exec(sys.argv[1])
bundle.write(it, 'other.navrec')
PY
}

@test "an answer that differs is told by its members, with an exit code of its own" {
    run -0 "$NAVMESHD" replay one.navrec
    [[ $output =~ ^one.navrec:\ the\ same\ [0-9]+\ bytes:\ path,\ mesh\ town\ version\ 1$ ]]
    change '"status":"complete"' '"status":"comPlete"'
    run -5 "$NAVMESHD" replay other.navrec one.navrec
    [[ $output == *'other.navrec: differs: path, mesh town version 1'* ]]
    grep -qxF -- '-"status":"comPlete",' <<<"$output"
    grep -qxF -- '+"status":"complete",' <<<"$output"
    grep -q -- '^--- recorded by navmeshd' <<<"$output"
    is "$(grep -c '^[-+]"' <<<"$output")" 2
    # Files are read one at a time, each into no more memory than it needs.
    # A sanitizer has much of its own.
    [ "$SLOWNESS" != 1 ] || (ulimit -v 1500000 && "$NAVMESHD" replay one.navrec one.navrec)
    # A file that cannot be read counts before one that differs.
    run -1 "$NAVMESHD" replay one.navrec nowhere other.navrec
    [[ $output == *'navmeshd: nowhere: '* && $output == *'other.navrec: differs'* ]]
}

@test "a question with a deadline may differ, and that is said" {
    mv timed.navrec one.navrec
    run -0 "$NAVMESHD" replay one.navrec
    change '"status":"complete"' '"status":"comPlete"'
    run -0 "$NAVMESHD" replay other.navrec
    [[ $output == *'differs, as it may: a deadline counted'* ]]
}

@test "--print shows what is recorded, and asks nothing" {
    mv short.navrec one.navrec
    run -0 "$NAVMESHD" replay --print one.navrec
    BODY=$output
    is "$(json '[.question.method, .question.path, .question.arguments.max_nodes, .status, .answer.mesh] | map(tostring) | join(" ")')" \
        'GET /v1/meshes/town/path 5 200 town'
    is "$(json '.tiles > 0 and .config.cell_size == 0.3')" true
    # The same JSON for a reader, and no tricks for a terminal.
    craft "it.answer = '{\n\"a\":\"\u009b\u202e\u00fc\"}'.encode()"
    run -0 "$NAVMESHD" replay --print other.navrec
    [[ $output == *'"answer":{ "a":"\u009b\u202eü"}'* ]]
    BODY=$output
    is "$(json '.answer.a == "\u009b\u202eü"')" true
}

@test "a file that is no whole recording, or wants something else, is refused with its reason" {
    head -c 1000 one.navrec >cut.navrec
    run -1 "$NAVMESHD" replay cut.navrec
    [[ $output == *'cut.navrec: this is no whole recording: it has not as many bytes as it says'* ]]
    change /v1/meshes/town/path /v1/meshes/town/xath
    run -1 "$NAVMESHD" replay other.navrec
    [[ $output == *'GET /v1/meshes/town/xath is none about its mesh'* ]]
    change /v1/meshes/town/path /v1/meshes/tOwn/path
    run -1 "$NAVMESHD" replay other.navrec
    change '"cell_size":0.3' '"cell_size":-.3'
    run -1 "$NAVMESHD" replay other.navrec
    [[ $output == *'the version of this recording cannot be used'* ]]
    run -1 "$NAVMESHD" replay town.obj /
    [[ $output == *'town.obj: this is no whole recording: it does not begin as one'* ]]
    [[ $output == *'/: it is not a regular file'* ]]
    run -2 "$NAVMESHD" replay
    run -2 "$NAVMESHD" replay --db x one.navrec
}

ABOUT_RUN="it.args = [(b'start', b'2,0,2'), (b'end', b'70,0,70'), (b'instance', b'run')]"

@test "a state that wants more than to be laid over its version is refused" {
    craft ''
    run -0 "$NAVMESHD" replay other.navrec
    craft "$ABOUT_RUN
for number, more in enumerate((b'\"version\":1', b'\"version\":7', b'\"version\":null', b'\"expires_in_s\":0.001')):
    it.instances = [(b'run', b'{' + more + b'}', 1)]
    bundle.write(it, f'more{number}.navrec')"
    run -1 "$NAVMESHD" replay more?.navrec
    is "$(grep -c 'the state of an instance of this recording cannot be used' <<<"$output")" 4
    is "${#lines[@]}" 4
    craft "$ABOUT_RUN; it.instances = [(b'run', b'{}', 1)]"
    run -5 "$NAVMESHD" replay other.navrec
    grep -qxF -- '+"instance":"run",' <<<"$output"
}

@test "only the instances that the question names are laid over the mesh" {
    # All of these would take half as long again as there is.
    craft "
import json
state = json.dumps({'obstacles': {f'o{i}': {'shape': 'circle', 'center': [30 + i % 40, 0, 30 + i // 5], 'radius': 3} for i in range(200)}})
it.instances = [(b'r%06d' % i, state.encode(), 1) for i in range(1000)]"
    ulimit -t $((2 * SLOWNESS))
    run -0 "$NAVMESHD" replay other.navrec
}

@test "questions that were slow record themselves, and wait for nobody" {
    start_daemon --slow-query-ms 1
    "$LEVEL_MAKER" city >city.obj
    upload '/v1/meshes/city/versions?wait=1' city.obj
    # A matrix over all of a city takes longer than that.
    local places
    places=$(python3 -c 'import json; print(json.dumps([[x, 0, z] for x in range(5, 95, 9) for z in range(5, 95, 9)]))')
    post_json /v1/meshes/city/matrix "{\"sources\":$places,\"targets\":$places}"
    is "$STATUS" 200
    is "$(header X-Recording)" ''
    wait_log 'event=recorded .*cause=slow mesh=city version=1 kind=matrix'
    ask /v1/recordings
    local id
    id=$(json '[.recordings[] | select(.kind == "matrix")][0].id')
    is "$(json '.recordings[0].ms >= 1')" true
    ask "/v1/recordings/$id"
    cp "$BATS_TEST_TMPDIR/body" slow.navrec
    run -0 "$NAVMESHD" replay slow.navrec
    # They make room for one another, and never for more than the bound.
    stop_daemon
    start_daemon --slow-query-ms 1 --recordings-bytes 20000
    local i
    for i in 1 2 3 4 5 6; do
        post_json /v1/meshes/city/matrix "{\"sources\":$places,\"targets\":$places}"
    done
    stop_daemon
    is "$(sqlite3 "$DB" 'SELECT coalesce(sum(bytes), 0) <= 20000 FROM recordings')" 1
}
