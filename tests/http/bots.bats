#!/usr/bin/env bats
# scripts/bots: bots walk, chase and meet doors on a daemon of their own or on a given one; the summary
# and the exit code tell how it went, and the same seed leads to the same places.

load helper

BOTS=$ROOT/scripts/bots

setup_file() {
    export NAVMESHD LEVEL_MAKER
    cd "$BATS_FILE_TMPDIR"
    square_obj 40 >square.obj
    mkfifo run code
    forks_runs
    odd_server
}

teardown_file() {
    kill "$RUNNER" "$SERVER"
}

# A server whose answers are in odd.json, by the method and the end of an address: [status, answer], or null where
# it closes the connection. What it is asked is in asked. SERVER is its process, PORT its port.
odd_server() {
    : >port
    python3 - >port 3>&- <<'END' &
import http.server, json
class Odd(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        size = int(self.headers.get("Content-Length", 0))
        self.rfile.read(size)
        with open("asked", "a") as asked:
            asked.write(self.command + " " + self.path + "\n")
        answers = json.load(open("odd.json"))
        last = self.path.split("?")[0].rsplit("/", 1)[1]
        answer = next(answers[key] for key in (self.command + " " + last, "else") if key in answers)
        if answer is None:
            self.close_connection = True
            return
        body = answer[1] if isinstance(answer[1], str) else json.dumps(answer[1])
        self.send_response(answer[0])
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())
    do_PUT = do_POST = do_PATCH = do_DELETE = do_GET
    protocol_version = "HTTP/1.1"
    def log_message(self, *args):
        pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Odd)
print(server.server_address[1], flush=True)
server.serve_forever()
END
    export SERVER=$!
    wait_for [ -s port ]
    export PORT
    PORT=$(<port)
}

# Python starts once for many runs: it reads scripts/bots, and forks for each. RUNNER is its process.
forks_runs() {
    python3 - "$BOTS" 3>&- <<'END' &
import os, sys
bots = {"__name__": "bots", "__file__": sys.argv[1]}
exec(compile(open(sys.argv[1]).read(), sys.argv[1], "exec"), bots)
while True:
    with open("run") as run:
        arguments = run.read().split("\0")[:-1]
    child = os.fork()
    if child == 0:
        os.dup2(os.open("output", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
        os.dup2(1, 2)
        while arguments and arguments[0][:1].isupper():
            name, value = arguments.pop(0).split("=")
            os.environ[name] = value
        sys.argv[1:] = arguments
        code = 1
        try:
            code = bots["whole_run"]()
        finally:
            os._exit(code)
    with open("code", "w") as code:
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), file=code)
END
    export RUNNER=$!
}

# As `run -CODE scripts/bots`.
bots() { # code, settings of the environment and arguments
    local code
    printf '%s\0' "${@:2}" >run
    read -r code <code
    output=$(<output)
    is "$code" "$1"
}

# The number behind a word of the summary.
counted() {
    sed -nE "s/.*$1 ([0-9]+).*/\1/p" <<<"$output"
}

@test "bots on a daemon of their own meet doors, re-path, and end well" {
    bots 0 --bots 24 --seconds 2.2 --seed 9
    [[ $output == *'watch them: open http://127.0.0.1:'*'/ in a browser, mesh town, instance bots'* ]]
    [ "$(counted 'paths  complete')" -gt 20 ]
    [ "$(counted 'changes')" -ge 1 ]
    [ "$(counted 'looked at again')" -gt 10 ]
    # All gates closed at once: who is to cross the ditch comes to one of them.
    [ "$(counted 'complete [0-9]+  partial')" -gt 0 ]
    [[ $output == *$'\nblocked by  '*ford* ]]
    [[ $output == *'latency ms  p50 '*'  p90 '*'  p99 '*'  max '* ]]
    [[ $output == *$'\nfailed  nothing\n'* ]]
    local state=${output##*state }
    [[ $state =~ ^[0-9a-f]{16}$ ]]
    # The same seed, the same places.
    bots 0 --bots 24 --seconds 2.2 --seed 9
    is "${output##*state }" "$state"
    bots 0 --bots 24 --seconds 2.2 --seed 6
    [ "${output##*state }" != "$state" ]
}

shows_bots() { # instance [curl options]
    ask "/v1/meshes/yard/instances/$1" "${@:2}"
    [[ $BODY == *'"bot-1":'* ]]
}

# Bots that run; begun anew where they have ended before they were seen.
shows_running_bots() { # instance token arguments...
    [ -n "$bots" ] && kill -0 "$bots" 2>/dev/null || {
        "$BOTS" --url "$BASE" --mesh yard --instance "$1" --token "$2" "${@:3}" >out 2>err 3>&- &
        bots=$!
    }
    shows_bots "$1" -H "Authorization: Bearer $2"
}

@test "bots on a given daemon are seen in its instance, and go away" {
    start_daemon
    bake_mesh yard square.obj
    local bots=
    wait_for shows_running_bots fair any-token-0123456789 --bots 10 --seconds 2.2
    is "$(json '[.obstacles | keys[] | select(startswith("bot-"))] | length')" 10
    is "$(json '.obstacles["bot-7"] | .shape, .cost' | xargs)" 'circle 1'
    wait "$bots"
    # Doors of a level without switches are obstacles.
    grep -qE 'doors  changes [1-9]' out
    ask /v1/meshes/yard/instances/fair
    is_error 404 instance_not_found
    bots 4 --url "$BASE" --mesh nowhere --seconds 1
    [[ $output == *mesh_not_found* ]]
    # An instance of somebody else's is neither taken nor ended.
    ask /v1/meshes/yard/instances/fair -X PUT -H 'Content-Type: application/json' -d '{}'
    is "$STATUS" 201
    bots 4 --url "$BASE" --mesh yard --instance fair --seconds 1
    [[ $output == *"instance 'fair' exists: name another with --instance"* ]]
    ask /v1/meshes/yard/instances/fair
    is "$STATUS" 200
    ask /v1/meshes/yard/instances/fair-doors
    is_error 404 instance_not_found
}

@test "what is no answer of navmeshd is told as that" {
    local answer none='[404,{"code":"instance_not_found"}]'
    for answer in '[200,[]]' '[200,"null"]' '[200,{}]' "[200,\"$(printf '[%.0s' {1..100000})\"]" '[404,{}]'; do
        echo "{\"else\":$answer}" >odd.json
        bots 4 --url "http://127.0.0.1:$PORT" --seconds 1
        lacks -i traceback <<<"$output"
    done
    # During the run it is counted.
    local places='[200,{"points":[{"component":1,"position":[1,2,3]}]}]' result
    for result in '{}' '[]' '[{"status":"none"}]' '[{"points":[[1,2]],"status":1},{"points":[]}]' '[{"points":[]},{"points":[{"component":[]}]}]'; do
        echo "{\"GET bots\":$none,\"GET bots-doors\":$none,\"GET random\":$places,\"POST batch\":[200,{\"results\":$result}],\"else\":[200,{}]}" >odd.json
        bots 1 --url "http://127.0.0.1:$PORT" --seconds 0.1 --tick 33 --bots 2
        [[ $output == *$'\nfailed  200 is no answer of navmeshd: 3\n'* ]]
    done
}

@test "only an instance that is not there is made: a failure to look is none" {
    local answer code
    for answer in '4 [503,{"code":"overloaded"}]' '4 [500,{"code":"internal_error"}]' '4 [404,{"code":"mesh_not_found"}]' '4 [404,{}]' '3 null'; do
        code=${answer%% *}
        echo "{\"GET town\":[200,{}],\"else\":${answer#* }}" >odd.json
        : >asked
        bots "$code" --url "http://127.0.0.1:$PORT" --seconds 1
        lacks PUT <asked
        lacks DELETE <asked
    done
}

@test "no daemon, a wrong token and wrong arguments have codes of their own" {
    bots 3 --url http://127.0.0.1:1 --seconds 1
    [[ $output == *'no daemon answers at 127.0.0.1:1'* ]]
    echo 'query,world bots-token-0123456789' >tokens
    chmod 600 tokens
    own_database
    start_daemon --token-file tokens --mesh yard=square.obj
    bots 4 --url "$BASE" --mesh yard --seconds 1
    [[ $output == *'401 token_missing'* ]]
    bots 4 --url "$BASE" --mesh yard --seconds 1 --token wrong-token-0123456789
    [[ $output == *'401 token_missing'* ]]
    bots 0 NAVMESHD_TOKEN=bots-token-0123456789 --url "$BASE" --mesh yard --seconds 1 --bots 5
    # A daemon that goes away meanwhile is told, and counted.
    local bots= code=0
    wait_for shows_running_bots bots bots-token-0123456789 --bots 5 --seconds 3
    kill -STOP "$bots"
    stop_daemon
    kill -CONT "$bots"
    wait "$bots" || code=$?
    is "$code" 1
    grep -q '^failed  connection: ' out
    bots 2 --bots 1
    local url
    for url in https://127.0.0.1 'http://127.0.0.1 :1' http://a..b http://127.0.0.1:99999 'http://[::1' http://127.0.0.1:x http://a:b@127.0.0.1 http://127.0.0.1/prefix; do
        bots 2 --url "$url" --seconds 1
        [[ $output == *'is not of the form http://HOST:PORT'* ]]
    done
    bots 2 --token $'a\nb' --seconds 1
    bots 2 --token ключ --seconds 1
    bots 2 --instance '../x y' --seconds 1
    local long
    long=$(printf 'm%.0s' {1..64})
    bots 2 --instance "$long" --seconds 1
    bots 3 --url http://127.0.0.1:1 --mesh "$long" --seconds 1
    bots 3 LEVEL_MAKER=/bin/false --seconds 1
    [[ $output == *'makes no level'* ]]
    bots 3 NAVMESHD=/nonexistent --seconds 1
    [[ $output == *'make all levels'* ]]
}

has_begun() {
    local lines
    mapfile -t lines <out
    [[ ${lines[*]} == 'watch them'* ]]
}

@test "a signal ends the run, its daemon and its folder" {
    local signal bots code
    mkdir own
    for signal in TERM HUP; do
        : >out
        # Whoever runs the tests may ignore HUP, as nohup does.
        TMPDIR=$PWD/own env --default-signal="$signal" "$BOTS" --seconds 60 --bots 5 >out 2>err 3>&- &
        bots=$!
        wait_for has_begun
        pgrep -f "$PWD/own/navmeshd-bots-"
        kill "-$signal" "$bots"
        kill "-$signal" "$bots" 2>/dev/null || true # as timeout does, to the process and to its group
        code=0
        wait "$bots" || code=$?
        is "$code" 130
        grep -q '^failed  nothing' out
        run -1 pgrep -f "$PWD/own/navmeshd-bots-"
        is "$(ls own)" ''
    done
}

@test "no server steers the terminal" {
    echo '{"else":[404,"{\"code\":\"\\u001b]0;code\\u0007\",\"detail\":\"\\u001b[31mde\\u202etail\\u009b\\r\\n\"}"]}' >odd.json
    bots 4 --url "http://127.0.0.1:$PORT" --seconds 0.2
    is "$output" 'bots: GET /v1/meshes/town: 404 ?]0;code?: ?[31mde?tail???'
}

@test "a program that cannot be run, and an output that cannot be written, are told" {
    : >empty
    chmod +x empty
    mkdir folder
    local program
    for program in empty folder; do
        bots 3 NAVMESHD="$PWD/$program" --seconds 1
        [[ $output == "bots: $PWD/$program cannot be run: "* ]]
        bots 3 LEVEL_MAKER="$PWD/$program" --seconds 1
        [[ $output == "bots: $PWD/$program cannot be run: "* ]]
    done
    own_database
    start_daemon --mesh yard=square.obj
    run -1 bash -c '"$1" --url "$2" --mesh yard --bots 2 --seconds 0.2 >/dev/full' - "$BOTS" "$BASE"
    is "$output" 'bots: No space left on device: it cannot go on'
    run -1 bash -c 'set -o pipefail; "$1" --url "$2" --mesh yard --bots 2 --seconds 0.2 | true' - "$BOTS" "$BASE"
    is "$output" 'bots: Broken pipe: it cannot go on'
    # The instances are gone nevertheless.
    ask /v1/meshes/yard/instances/bots
    is_error 404 instance_not_found
}
