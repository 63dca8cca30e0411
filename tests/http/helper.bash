# helper.bash: what the HTTP tests share: a daemon on a free loopback port with a database of its
# own, and short forms of its questions. Tests load it with `load helper`.

ROOT=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
NAVMESHD=${NAVMESHD:-$ROOT/build/release/navmeshd}
LEVEL_MAKER=${LEVEL_MAKER:-$ROOT/build/release/makelevel}
HTTP_CLIENT=${HTTP_CLIENT:-$ROOT/build/release/http_client}
[ -x "$HTTP_CLIENT" ] || {
    echo "$HTTP_CLIENT is missing: make http_client" >&2
    exit 1
}

# How many times as long as usual is waited for what a test waits for. Bakes give way to all other
# threads: one of half a second takes a minute where others keep both cores busy, and one under the
# thread sanitizer takes ten times its time.
PATIENCE=${PATIENCE:-1}

# How many times as long as in a release build a bake takes: levels that are there to keep a worker at
# work for a while are so much smaller.
SLOWNESS=${SLOWNESS:-1}

bats_require_minimum_version 1.5.0

# ---- beginning and end of a test; a file that needs more has its own of these ----
#
# A daemon that setup_file starts is there for all tests of the file and ends with it. One that a test
# or its setup starts ends with the test, however that ends.

setup() {
    trace_test
    cd "$BATS_FILE_TMPDIR"
}

# Before each command bats notes where it stands, to tell the line that fails. Of the functions here that takes a fifth
# of a test's time, so that only the test's own commands are noted.
trace_test() {
    set +o functrace
    declare -ft "$BATS_TEST_NAME"
}

teardown() {
    [ "${DAEMON_PID:-}" = "${FILE_DAEMON:-}" ] || stop_daemon
}

teardown_file() {
    [ -z "${FILE_DAEMON:-}" ] || stop_daemon
}

# For a setup: daemons that this test starts have a database and a log of their own.
own_database() {
    trace_test
    DB=$BATS_TEST_TMPDIR/test.db LOG=$BATS_TEST_TMPDIR/daemon.log
    DAEMON_PID=
}

# The same, in a folder of the test's own, where square.obj is.
own_folder() {
    own_database
    cd "$BATS_TEST_TMPDIR"
    square_obj 20 >square.obj
}

# Waits so many seconds, without a process.
pause() { # seconds
    [ -n "${PAUSE:-}" ] || exec {PAUSE}<> <(:)
    read -rt "$1" -u "$PAUSE" || true
}

# Tries a command every 20 ms until it succeeds. That it gives up at all is for a command that never does.
wait_for() { # command...
    local end=$((SECONDS + 300 * PATIENCE))
    until "$@"; do
        [ "$SECONDS" -lt "$end" ] || {
            echo "waited in vain for: $*" >&2
            return 1
        }
        pause 0.02
    done
}

# Starts the daemon; further arguments go to it. Sets DAEMON_PID, ADDRESS and BASE.
# DB and LOG may be set before; each start appends to LOG.
start_daemon() {
    DB=${DB:-$BATS_FILE_TMPDIR/test.db}
    LOG=${LOG:-$BATS_FILE_TMPDIR/daemon.log}
    local begin lines
    : >>"$LOG"
    mapfile -t lines <"$LOG"
    begin=${#lines[@]}
    # Descriptor 3 is bats' own: a daemon that kept it would keep bats from ending.
    "$NAVMESHD" --listen 127.0.0.1:0 --db "$DB" "$@" 2>>"$LOG" >/dev/null 3>&- &
    DAEMON_PID=$!
    # Outside of tests it is the file's.
    [ -n "${BATS_TEST_NAME:-}" ] || export FILE_DAEMON=$DAEMON_PID
    ADDRESS=
    wait_for listens_or_ended "$begin"
    if [ -z "$ADDRESS" ]; then
        cat "$LOG" >&2
        return 1
    fi
    BASE=http://$ADDRESS
    export DAEMON_PID ADDRESS BASE DB LOG
    wait_ready
}

listens_or_ended() { # how many lines the log had
    local lines
    mapfile -t -s "$1" lines <"$LOG"
    if [[ ${lines[*]} =~ listening\ address=([0-9.:]+) ]]; then
        ADDRESS=${BASH_REMATCH[1]}
    else
        has_ended
    fi
}

has_ended() {
    if kill -0 "$DAEMON_PID" 2>/dev/null; then
        return 1
    fi
}

wait_ready() {
    wait_for ready_or_ended
    if has_ended; then
        cat "$LOG" >&2
        return 1
    fi
}

ready_or_ended() {
    answers_ok /readyz 2>/dev/null || has_ended
}

answers_ok() { # path
    ask "$1"
    [ "$STATUS" = 200 ]
}

# Ends the daemon with a signal (TERM) and waits for it. The exit code is in EXIT_CODE. It is a
# child of this shell only where the same test started it; elsewhere its end is polled for. Its number
# is forgotten, since it may soon be somebody else's.
stop_daemon() {
    local signal=${1:-TERM}
    [ -n "$DAEMON_PID" ] || return 0
    EXIT_CODE=0
    kill "-$signal" "$DAEMON_PID" 2>/dev/null || true
    wait "$DAEMON_PID" 2>/dev/null || EXIT_CODE=$?
    wait_for has_ended
    DAEMON_PID=
}

# The coprocess that asks, and the shell that started it: a subshell starts its own.
CLIENT_OWNER=
start_client() {
    CLIENT_OWNER=$BASHPID
    coproc CLIENT { exec "$HTTP_CLIENT" 3>&-; }
    disown "$CLIENT_PID" # it is no job that a test waits for
}

# Ends it, and its connection with it. The next question starts another.
stop_client() {
    [ "$CLIENT_OWNER" = "$BASHPID" ] || return 0
    CLIENT_OWNER=
    exec {CLIENT[1]}>&-
    wait "$CLIENT_PID" 2>/dev/null || true
}

# Asks; sets STATUS, BODY and HEADERS. A path is taken relative to BASE, options are curl's: those of client.c. Tests ask
# thousands of times, so that this and what looks at the reply take no process.
ask() { # path [curl options]
    local path=$1 folder=${BATS_TEST_TMPDIR:-$BATS_FILE_TMPDIR} kind
    shift
    HEADERS=$folder/headers
    [ "$CLIENT_OWNER" = "$BASHPID" ] || start_client
    # What `-` and `<(…)` name is open in this shell alone.
    set -- "${@/#@-/@/dev/fd/0}"
    set -- "${@/#@\/dev\/fd\//@/proc/$BASHPID/fd/}"
    printf '%s\0' $# "$PWD" "$folder" $((120000 * PATIENCE)) "$BASE$path" "${path%%\?*}" "$@" >&"${CLIENT[1]}"
    read -r -u "${CLIENT[0]}" STATUS kind || {
        # It has said why on standard error.
        STATUS='' BODY='' CLIENT_OWNER=
        return 1
    }
    if [ "$kind" = zeros ]; then
        # A command substitution leaves out zero bytes, and says so.
        { BODY=$(<"$folder/body"); } 2>/dev/null
        return
    fi
    IFS= read -r -d '' BODY <"$folder/body" || true
    while [[ $BODY == *$'\n' ]]; do
        BODY=${BODY%$'\n'}
    done
}

# Uploads a file: upload path file [type] [curl options]
upload() {
    local path=$1 file=$2 type=${3:-model/obj}
    shift $(($# < 3 ? $# : 3))
    ask "$path" -X POST -H "Content-Type: $type" --data-binary "@$file" "$@"
}

post_json() { # path json [curl options]
    local path=$1 json=$2
    shift 2
    ask "$path" -X POST -H 'Content-Type: application/json' --data-binary "$json" "$@"
}

# A member of a flat object without escapes, as errors are, is read without any process. For all else it is
# gojq: jq 1.6 takes 25 ms to start, gojq 3, and tests ask it thousands of times. It has jq's language, but sorts an
# object's members: a test of their order calls jq itself.
json() { # jq program over the last body
    if [[ $1 =~ ^\.[a-z_]+$ && ${#BODY} -lt 2000 && $BODY =~ ^\{[^][{}\\]*\}[[:space:]]*$ &&
        $BODY =~ [{,]\"${1#.}\":(\"([^\"]*)\"|([^\",]+))[,}] ]]; then
        printf '%s\n' "${BASH_REMATCH[2]}${BASH_REMATCH[3]}"
    else
        gojq -r "$1" <<<"$BODY"
    fi
}

# Sets VALUE to a header of the last reply, empty where it is not there.
take_header() { # name
    local name
    while IFS=' ' read -r name VALUE; do
        if [ "${name,,}" = "${1,,}:" ]; then
            VALUE=${VALUE%$'\r'}
            return
        fi
    done <"$HEADERS"
    VALUE=
}

header() { # name
    take_header "$1"
    [ -z "$VALUE" ] || printf '%s\n' "$VALUE"
}

# Compares, and says what was there instead.
is() { # got wanted
    [ "$1" = "$2" ] || {
        printf 'wanted: %s\ngot:    %s\nlast reply: %s %.600s\n' "$2" "$1" "${STATUS:-}" "${BODY:-}"
        return 1
    }
}

# No line has the pattern: grep's own arguments. A test does not end at a command behind a `!`.
lacks() {
    local code=0
    grep "$@" || code=$?
    is "$code" 1
}

# The last reply is this error, in the one shape that errors have. Sets AT, the place that it names. Without
# escapes it is read without any process.
PROBLEM='^\{"type":"about:blank","title":"[^"]+","status":([0-9]+),"code":"([a-z_]+)","detail":"[^"]+",'
PROBLEM+='"at":(null|"([^"]*)"),"got":(null|"[^"]*"),"limit":[^,]+,"request_id":"[^"]+"\}[[:space:]]*$'
is_error() { # status code
    local shape VALUE
    is "$STATUS" "$1"
    if [[ $BODY != *\\* && $BODY =~ $PROBLEM ]]; then
        AT=${BASH_REMATCH[4]}
        [ "${BASH_REMATCH[3]}" != null ] || AT=null
        shape="${BASH_REMATCH[1]} ${BASH_REMATCH[2]} true true $AT"
    else
        shape=$(gojq -r '"\(.status) \(.code) \((.detail // "") != "") \((.request_id // "") != "") \(.at)"' <<<"$BODY")
    fi
    AT=${shape#"$1 $2 true true "}
    is "${shape%" $AT"}" "$1 $2 true true"
    take_header Content-Type
    is "$VALUE" application/problem+json
}

# The last reply refuses a field's value: this one's.
is_refused() { # member
    is_error 422 invalid_field
    is "$AT" "$1"
}

# A JSON question as the arguments of its GET: ARGUMENTS, for curl.
to_arguments() { # json
    local line
    ARGUMENTS=(-G)
    while IFS= read -r line; do
        ARGUMENTS+=(--data-urlencode "$line")
    done < <(gojq -r 'to_entries[] | "\(.key)=\(.value | if type == "array" then join(",") else . end)"' <<<"$1")
}

# A path through the town as GET and as POST, with what the file has in WHERE and ENDS: one answer.
ask_both() { # rest of the query string, rest of the JSON
    ask "/v1/meshes/town/path?$WHERE&$1"
    is "$STATUS" 200
    local by_get=$BODY
    post_json /v1/meshes/town/path "{$ENDS,$2}"
    is "$STATUS" 200
    is "$BODY" "$by_get"
}

# Polls a version until its bake has ended; its object is in BODY.
wait_version() { # path of the version
    wait_for is_baked "$1"
}

is_baked() { # path of the version
    ask "$1"
    [[ $BODY != *'"state":"queued"'* && $BODY != *'"state":"baking"'* ]]
}

# Asks until the reply is 200.
ask_until_ok() { # path
    wait_for answers_ok "$1"
}

# Waits until the log has so many lines with a pattern.
wait_log() { # pattern [count]
    wait_for log_has "$1" "${2:-1}" || {
        cat "$LOG"
        return 1
    }
}

log_has() { # pattern count
    local lines line found=0
    mapfile -t lines <"$LOG"
    for line in "${lines[@]}"; do
        [[ ! $line =~ $1 ]] || found=$((found + 1))
    done
    [ "$found" -ge "$2" ]
}

# A flat square of 20 x 20 m, and a bigger one of another size, as OBJ.
square_obj() { # side in metres
    printf 'v 0 0 0\nv 0 0 %s\nv %s 0 %s\nv %s 0 0\nf 1 2 3 4\n' "$1" "$1" "$1" "$1"
}

# The same, of 20 metres, as STL; its corners are vertices in the same order.
square_stl() {
    local corners
    echo 'solid square'
    for corners in '0 0 0 0 0 20 20 0 20' '0 0 0 20 0 20 20 0 0'; do
        # shellcheck disable=SC2086
        printf 'facet normal 0 1 0\nouter loop\nvertex %s %s %s\nvertex %s %s %s\nvertex %s %s %s\nendloop\nendfacet\n' $corners
    done
    echo 'endsolid square'
}

# A flat square of so many tiles with FLAT_TILES, in a release build: ten thousand are about a second's
# work of one worker. Elsewhere it has fewer, so that it takes as long.
FLAT_TILES='cell_size=0.25&tile_cells=16'
flat_obj() { # tiles
    square_obj "$(awk -v tiles=$(($1 / SLOWNESS)) 'BEGIN { print 4 * int(sqrt(tiles)) }')"
}

# A city of so many blocks a side in a release build. Elsewhere it has fewer, so that its bake takes about as long.
city_obj() { # blocks
    "$LEVEL_MAKER" city --size "$(awk -v blocks="$1" -v slowness="$SLOWNESS" 'BEGIN { print int(blocks / sqrt(slowness) + 0.99) }')"
}

# Two flat islands of 20 x 20 m, 20 m apart along x.
islands_obj() {
    cat <<'OBJ'
v 0 0 0
v 0 0 20
v 20 0 20
v 20 0 0
v 40 0 0
v 40 0 20
v 60 0 20
v 60 0 0
f 1 2 3 4
f 5 6 7 8
OBJ
}

# A flat square of 20 x 20 m with Z up, as JSON.
z_up_json() {
    cat <<'JSON'
{"vertices":[[0,0,0],[20,0,0],[20,20,0],[0,20,0]],"triangles":[[0,1,2],[0,2,3]],"config":{"coordinates":"z_up"}}
JSON
}

# Bakes a file to a mesh's next version, which is then live.
bake_mesh() { # mesh file [type]
    upload "/v1/meshes/$1/versions?wait=1" "$2" "${3:-model/obj}"
    is "$STATUS" 201
}

# For a setup_file: the daemon with these levels, each a file there and a mesh of its name: square,
# islands, town, z_up.
start_with() { # level...
    local level
    cd "$BATS_FILE_TMPDIR"
    start_daemon
    for level in "$@"; do
        case $level in
        square) square_obj 20 >square.obj ;;
        islands) islands_obj >islands.obj ;;
        town) "$LEVEL_MAKER" town >town.obj ;;
        z_up) z_up_json >z_up.json ;;
        esac
        if [ -e "$level.json" ]; then
            bake_mesh "$level" "$level.json" application/json
        else
            bake_mesh "$level" "$level.obj"
        fi
    done
}

# Sends raw bytes (printf format) and prints the whole answer; the request must end the connection.
raw_answer() {
    local host=${ADDRESS%:*} port=${ADDRESS##*:}
    (
        exec 9<>"/dev/tcp/$host/$port"
        # shellcheck disable=SC2059
        printf "$1" >&9
        timeout 10 cat <&9 | tr -d '\r'
    ) 3>&-
}

# How many tiles versions have; a condition on version_tiles may follow.
stored_tiles() { # [condition]
    sqlite3 "file:$DB?mode=ro" "SELECT count(*) FROM version_tiles ${1:+WHERE $1}" 2>/dev/null || echo 0
}

tile_hash() { # id of a row of tiles
    sqlite3 "$DB" "SELECT lower(hex(hash)) FROM tiles WHERE id = $1"
}

# Writes zeros over the first bytes of a stored tile.
damage_tile() { # id of a row of tiles
    sqlite3 "$DB" "UPDATE blobs SET zstd = CAST(zeroblob(16) || substr(zstd, 17) AS BLOB)
        WHERE id = (SELECT blob FROM tiles WHERE id = $1)"
}

# Little-endian numbers as bytes: u32 N..., f32 by way of the bits that awk computes.
u32() {
    local n bytes
    for n in "$@"; do
        printf -v bytes '\\x%02x' $((n & 255)) $((n >> 8 & 255)) $((n >> 16 & 255)) $((n >> 24 & 255))
        printf "$bytes"
    done
}

# Small whole numbers as float32.
f32() {
    local n exponent mantissa
    for n in "$@"; do
        if [ "$n" -eq 0 ]; then
            u32 0
            continue
        fi
        exponent=0
        while [ $((n >> (exponent + 1))) -gt 0 ]; do exponent=$((exponent + 1)); done
        mantissa=$(((n << (23 - exponent)) & 0x7fffff))
        u32 $(((exponent + 127) << 23 | mantissa))
    done
}

# Packed paths; DEFAULTS are those of all of them, as JSON.
packed() { # file count ends...
    local file=$1 count=$2
    shift 2
    {
        printf NAVQ
        u32 1 "$count" 0 0 0 0 0
        f32 2 4 4
        head -c 48 /dev/zero
        u32 "${#DEFAULTS}"
        f32 "$@"
        printf %s "${DEFAULTS:-}"
    } >"$file"
}

ask_packed() { # mesh file
    ask "/v1/meshes/$1/paths" -X POST -H 'Content-Type: application/vnd.navmeshd.paths' --data-binary "@$2"
}

at_u32() { # file offset
    od -An -tu4 -j "$2" -N 4 "$1" | tr -d ' '
}
