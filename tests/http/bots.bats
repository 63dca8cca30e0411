#!/usr/bin/env bats
# scripts/bots: bots walk, chase and meet doors on a daemon of their own or on a given one; the summary
# and the exit code tell how it went, and the same seed leads to the same places.

load helper

BOTS=$ROOT/scripts/bots

setup_file() {
    export NAVMESHD LEVEL_MAKER
    cd "$BATS_FILE_TMPDIR"
    "$LEVEL_MAKER" town >town.obj
}

# The number behind a word of the summary.
counted() {
    sed -nE "s/.*$1 ([0-9]+).*/\1/p" <<<"$output"
}

@test "bots on a daemon of their own meet doors, re-path, and end well" {
    run -0 "$BOTS" --bots 24 --seconds 3 --seed 9
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
    run -0 "$BOTS" --bots 24 --seconds 3 --seed 9
    is "${output##*state }" "$state"
    run -0 "$BOTS" --bots 24 --seconds 3 --seed 6
    [ "${output##*state }" != "$state" ]
}

@test "bots on a given daemon are seen in its instance, and go away" {
    start_daemon
    bake_mesh yard town.obj
    "$BOTS" --url "$BASE" --mesh yard --instance fair --bots 10 --seconds 3 >out 2>err 3>&- &
    local bots=$! i
    for ((i = 0; i < 100 * PATIENCE; i++)); do
        ask /v1/meshes/yard/instances/fair
        [ "$STATUS" = 200 ] && [ "$(json '.obstacles | length')" -ge 10 ] && break
        pause 0.05
    done
    is "$(json '[.obstacles | keys[] | select(startswith("bot-"))] | length')" 10
    is "$(json '.obstacles["bot-7"] | .shape, .cost' | xargs)" 'circle 1'
    wait "$bots"
    # Doors of a level without switches are obstacles.
    grep -qE 'doors  changes [1-9]' out
    ask /v1/meshes/yard/instances/fair
    is_error 404 instance_not_found
    run -4 "$BOTS" --url "$BASE" --mesh nowhere --seconds 1
    [[ $output == *mesh_not_found* ]]
    # An instance of somebody else's is neither taken nor ended.
    ask /v1/meshes/yard/instances/fair -X PUT -H 'Content-Type: application/json' -d '{}'
    is "$STATUS" 201
    run -4 "$BOTS" --url "$BASE" --mesh yard --instance fair --seconds 1
    [[ $output == *"instance 'fair' exists: name another with --instance"* ]]
    ask /v1/meshes/yard/instances/fair
    is "$STATUS" 200
    ask /v1/meshes/yard/instances/fair-doors
    is_error 404 instance_not_found
}

# A server whose answers are in odd.json, by the method and the end of an address: [status, answer], or null where
# it closes the connection. What it is asked is in asked. SERVER is its process, PORT its port.
odd_server() {
    : >port >asked
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
    SERVER=$!
    until [ -s port ]; do pause 0.05; done
    PORT=$(<port)
}

end_server() {
    kill "$SERVER"
    wait "$SERVER" || true
}

@test "what is no answer of navmeshd is told as that" {
    cd "$BATS_TEST_TMPDIR"
    odd_server
    local answer none='[404,{"code":"instance_not_found"}]'
    for answer in '[200,[]]' '[200,"null"]' '[200,{}]' "[200,\"$(printf '[%.0s' {1..100000})\"]" '[404,{}]'; do
        echo "{\"else\":$answer}" >odd.json
        run -4 "$BOTS" --url "http://127.0.0.1:$PORT" --seconds 1
        lacks -i traceback <<<"$output"
    done
    # During the run it is counted.
    local places='[200,{"points":[{"component":1,"position":[1,2,3]}]}]' result
    for result in '{}' '[]' '[{"status":"none"}]' '[{"points":[[1,2]],"status":1},{"points":[]}]' '[{"points":[]},{"points":[{"component":[]}]}]'; do
        echo "{\"GET bots\":$none,\"GET bots-doors\":$none,\"GET random\":$places,\"POST batch\":[200,{\"results\":$result}],\"else\":[200,{}]}" >odd.json
        run -1 "$BOTS" --url "http://127.0.0.1:$PORT" --seconds 0.3 --bots 2
        [[ $output == *$'\nfailed  200 is no answer of navmeshd: 3\n'* ]]
    done
    end_server
}

@test "only an instance that is not there is made: a failure to look is none" {
    cd "$BATS_TEST_TMPDIR"
    odd_server
    local answer code
    for answer in '4 [503,{"code":"overloaded"}]' '4 [500,{"code":"internal_error"}]' '4 [404,{"code":"mesh_not_found"}]' '4 [404,{}]' '3 null'; do
        code=${answer%% *}
        echo "{\"GET town\":[200,{}],\"else\":${answer#* }}" >odd.json
        run "-$code" "$BOTS" --url "http://127.0.0.1:$PORT" --seconds 1
        lacks PUT <asked
        lacks DELETE <asked
    done
    end_server
}

@test "no daemon, a wrong token and wrong arguments have codes of their own" {
    run -3 "$BOTS" --url http://127.0.0.1:1 --seconds 1
    [[ $output == *'no daemon answers at 127.0.0.1:1'* ]]
    echo 'query,world bots-token-0123456789' >tokens
    chmod 600 tokens
    own_database
    start_daemon --token-file tokens --mesh yard=town.obj
    run -4 "$BOTS" --url "$BASE" --mesh yard --seconds 1
    [[ $output == *'401 token_missing'* ]]
    run -4 "$BOTS" --url "$BASE" --mesh yard --seconds 1 --token wrong-token-0123456789
    [[ $output == *'401 token_missing'* ]]
    NAVMESHD_TOKEN=bots-token-0123456789 run -0 "$BOTS" --url "$BASE" --mesh yard --seconds 1 --bots 5
    # A daemon that goes away meanwhile is told, and counted.
    "$BOTS" --url "$BASE" --mesh yard --seconds 2 --bots 5 --token bots-token-0123456789 >out 2>err 3>&- &
    local bots=$! code=0 i
    for ((i = 0; i < 600 * PATIENCE; i++)); do
        grep -q '^watch them' out && break
        pause 0.05
    done
    stop_daemon
    wait "$bots" || code=$?
    is "$code" 1
    grep -q '^failed  connection: ' out
    run -2 "$BOTS" --bots 1
    local url
    for url in https://127.0.0.1 'http://127.0.0.1 :1' http://a..b http://127.0.0.1:99999 'http://[::1' http://127.0.0.1:x http://a:b@127.0.0.1 http://127.0.0.1/prefix; do
        run -2 "$BOTS" --url "$url" --seconds 1
        [[ $output == *'is not of the form http://HOST:PORT'* ]]
    done
    run -2 "$BOTS" --token $'a\nb' --seconds 1
    run -2 "$BOTS" --token ключ --seconds 1
    run -2 "$BOTS" --instance '../x y' --seconds 1
    local long
    long=$(printf 'm%.0s' {1..64})
    run -2 "$BOTS" --instance "$long" --seconds 1
    run -3 "$BOTS" --url http://127.0.0.1:1 --mesh "$long" --seconds 1
    LEVEL_MAKER=/bin/false run -3 "$BOTS" --seconds 1
    [[ $output == *'makes no level'* ]]
    NAVMESHD=/nonexistent run -3 "$BOTS" --seconds 1
    [[ $output == *'make all levels'* ]]
}

@test "a signal ends the run, its daemon and its folder" {
    local signal bots code i
    mkdir own
    for signal in TERM HUP; do
        # Whoever runs the tests may ignore HUP, as nohup does.
        TMPDIR=$PWD/own env --default-signal="$signal" "$BOTS" --seconds 60 --bots 5 >out 2>err 3>&- &
        bots=$!
        for ((i = 0; i < 600 * PATIENCE; i++)); do
            grep -q '^watch them' out && break
            pause 0.05
        done
        pgrep -f "$PWD/own/navmeshd-bots-"
        kill "-$signal" "$bots"
        kill "-$signal" "$bots" # as timeout does, to the process and to its group
        code=0
        wait "$bots" || code=$?
        is "$code" 130
        grep -q '^failed  nothing' out
        run -1 pgrep -f "$PWD/own/navmeshd-bots-"
        is "$(ls own)" ''
        : >out
    done
}

@test "no server steers the terminal" {
    local server
    python3 - >port 3>&- <<'END' &
import http.server
class Odd(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = rb'{"code":"\u001b]0;code\u0007","detail":"\u001b[31mde\u202etail\u009b\r\n"}'
        self.send_response(404)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *args):
        pass
server = http.server.HTTPServer(("127.0.0.1", 0), Odd)
print(server.server_address[1], flush=True)
server.serve_forever()
END
    server=$!
    until [ -s port ]; do pause 0.05; done
    run "$BOTS" --url "http://127.0.0.1:$(<port)" --seconds 0.2
    kill "$server"
    wait "$server" || true
    is "$status" 4
    is "$output" 'bots: GET /v1/meshes/town: 404 ?]0;code?: ?[31mde?tail???'
}

@test "a program that cannot be run, and an output that cannot be written, are told" {
    : >empty
    chmod +x empty
    mkdir folder
    local program
    for program in empty folder; do
        NAVMESHD=$PWD/$program run -3 "$BOTS" --seconds 1
        [[ $output == "bots: $PWD/$program cannot be run: "* ]]
        LEVEL_MAKER=$PWD/$program run -3 "$BOTS" --seconds 1
        [[ $output == "bots: $PWD/$program cannot be run: "* ]]
    done
    own_database
    start_daemon --mesh yard=town.obj
    run -1 bash -c '"$1" --url "$2" --mesh yard --bots 2 --seconds 0.2 >/dev/full' - "$BOTS" "$BASE"
    is "$output" 'bots: No space left on device: it cannot go on'
    run -1 bash -c 'set -o pipefail; "$1" --url "$2" --mesh yard --bots 2 --seconds 0.2 | true' - "$BOTS" "$BASE"
    is "$output" 'bots: Broken pipe: it cannot go on'
    # The instances are gone nevertheless.
    ask /v1/meshes/yard/instances/bots
    is_error 404 instance_not_found
}
