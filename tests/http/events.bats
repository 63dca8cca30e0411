#!/usr/bin/env bats
# A listener to a bake hears how it goes, from where it stands to its end, and costs no thread.

load helper

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    square_obj 20 >a.obj
    square_obj 200 >wide.obj
    "$LEVEL_MAKER" town --size 1 >town.obj
    square_obj 140 >many.obj
    printf 'v 0 0 0\nv 0 20 0\nv 20 20 0\nf 1 2 3\n' >wall.obj
    start_daemon --workers 1 --listen "unix:$BATS_FILE_TMPDIR/socket"
    bake_mesh done a.obj
}

# Listens to its end, into a file; ends by itself in any case.
listen() { # path file
    curl -sS -N --max-time $((60 * PATIENCE)) -D "$2.headers" -o "$2" "$BASE$1/events" 3>&-
}

# The events of a file by name, one a line; their data.
names() {
    sed -n 's/^event: //p' "$1"
}

data_of() { # event file
    grep -A1 "^event: $1\$" "$2" | sed -n 's/^data: //p'
}

# A bake that takes longer than any test: the only worker is at it until it is cancelled.
slow_upload() { # mesh
    upload "/v1/meshes/$1/versions?cell_size=0.05&tile_cells=64&reuse=0" wide.obj
    is "$STATUS" 202
    VERSION=$(json .version)
}

# Waits until so many files have a first event.
wait_heard() { # files
    local file
    for file in "$@"; do
        wait_for has_begun "$file"
    done
}

has_begun() { # file
    [ -s "$1" ] && [[ $(<"$1") == *'event: progress'* ]]
}

@test "a finished version answers its last event and ends" {
    listen /v1/meshes/done/versions/1 done.txt
    is "$(names done.txt)" ready
    is "$(data_of ready done.txt | gojq -c '[.mesh, .version, .state, .active]')" '["done",1,"ready",true]'
    is "$(tr -d '\r' <done.txt.headers | sed -n 's/^Content-Type: //p')" text/event-stream
    is "$(tr -d '\r' <done.txt.headers | sed -n 's/^Cache-Control: //p')" no-store
    upload '/v1/meshes/wall/versions' wall.obj
    wait_version /v1/meshes/wall/versions/1
    listen /v1/meshes/wall/versions/1 wall.txt
    is "$(names wall.txt)" failed
    is "$(data_of failed wall.txt | gojq -r '.error.code')" mesh_empty
}

@test "a mesh or version that is not there is 404" {
    ask /v1/meshes/none/versions/1/events
    is_error 404 mesh_not_found
    ask /v1/meshes/done/versions/7/events
    is_error 404 version_not_found
    ask /v1/meshes/done/versions/1/events -X POST
    is_error 405 method_not_allowed
    ask /v1/meshes/done/versions/1/events --head
    is "$STATUS" 200
}

@test "a bake is heard by stage and tile, from where it stands to ready, by all alike" {
    # It waits behind another one, so that all who listen have come before it begins.
    slow_upload before
    local before=$VERSION i pids=()
    upload '/v1/meshes/town/versions?tile_cells=24&reuse=0' town.obj
    is "$STATUS" 202
    for i in 1 2 3 4; do
        listen /v1/meshes/town/versions/1 town$i.txt &
        pids+=($!)
    done
    wait_heard town{1,2,3,4}.txt
    ask /v1/meshes/before/versions/$before -X DELETE
    wait "${pids[@]}"
    for i in 1 2 3 4; do
        is "$(names town$i.txt | head -n 1)" progress
        is "$(names town$i.txt | tail -n 1)" ready
        is "$(names town$i.txt | sort -u | tr '\n' ' ')" 'progress ready stage '
        # Progress never falls.
        data_of progress town$i.txt | gojq -s '[.[].progress] | . == sort' | grep -q true
        data_of progress town$i.txt | gojq -s '[.[].tiles_done] | . == sort' | grep -q true
        # All that is sent is JSON.
        is "$(sed -n 's/^data: //p' town$i.txt | gojq -s 'all(.[]; .mesh == "town")')" true
        is "$(data_of ready town$i.txt | gojq -r .state)" ready
    done
    local total
    total=$(data_of ready town1.txt | gojq .tiles_total)
    [ "$total" -gt 20 ]
    # Nearly all stages of all tiles were heard.
    [ "$(data_of stage town1.txt | gojq -c 'select(.tile != null) | .tile' | sort -u | wc -l)" -gt $((total / 2)) ]
    is "$(data_of stage town1.txt | gojq -r 'select(.tile == null) | .stage' | tail -n 3 | tr '\n' ' ')" 'mesh checks store '
    data_of stage town1.txt | gojq -r .stage | grep -q '^voxelize$'
}

@test "a queued version's listener hears that it is cancelled" {
    slow_upload busy
    local first=$VERSION
    upload /v1/meshes/waiting/versions a.obj
    is "$STATUS" 202
    listen /v1/meshes/waiting/versions/1 waiting.txt &
    local queued=$!
    listen /v1/meshes/busy/versions/$first busy.txt &
    local running=$!
    wait_heard waiting.txt busy.txt
    ask /v1/meshes/waiting/versions/1 -X DELETE
    is "$(json .state)" cancelled
    wait $queued
    is "$(names waiting.txt | tr '\n' ' ')" 'progress cancelled '
    is "$(data_of progress waiting.txt | gojq -r .state)" queued
    is "$(data_of cancelled waiting.txt | gojq -r .state)" cancelled
    ask /v1/meshes/busy/versions/$first -X DELETE
    wait $running
    is "$(names busy.txt | tail -n 1)" cancelled
}

@test "a mesh that is removed ends the streams of its bakes" {
    slow_upload gone
    listen /v1/meshes/gone/versions/$VERSION gone.txt &
    local pid=$!
    wait_heard gone.txt
    ask /v1/meshes/gone -X DELETE
    is "$STATUS" 204
    wait $pid
    is "$(names gone.txt | tail -n 1)" cancelled
}

@test "128 listen, the next one is refused, and who leaves makes room" {
    slow_upload crowd
    local blocker=$VERSION
    # Waits behind the slow one all the while.
    upload /v1/meshes/behind/versions a.obj
    local i
    printf 'url = "%s/v1/meshes/behind/versions/1/events"\n' "$BASE" >one.cfg
    for ((i = 0; i < 128; i++)); do
        cat one.cfg
        printf 'output = "crowd%d.txt"\n' $i
    done >crowd.cfg
    curl -sS -N --max-time $((60 * PATIENCE)) --parallel --parallel-immediate --parallel-max 200 -K crowd.cfg 3>&- 2>crowd.err &
    local crowd=$!
    wait_heard crowd{0..127}.txt
    ask /v1/meshes/behind/versions/1/events --max-time 5
    is_error 503 overloaded
    is "$(json .limit)" 128
    # Queries do not mind.
    ask '/v1/meshes/done/nearest?point=5,0,5'
    is "$STATUS" 200
    ask /v1/meshes/crowd/versions/$blocker -X DELETE
    wait $crowd
    is "$(cat crowd*.txt | grep -c '^event: ready$')" 128
    listen /v1/meshes/behind/versions/1 after.txt
    is "$(names after.txt)" ready
}

# How many sockets the daemon has open, in SOCKETS: bakes may open files of the database meanwhile.
count_sockets() {
    SOCKETS=$(find "/proc/$DAEMON_PID/fd" -lname 'socket:*' -printf x)
    SOCKETS=${#SOCKETS}
}

no_more_sockets() { # than so many
    count_sockets
    [ "$SOCKETS" -le "$1" ]
}

@test "clients that go away without a word are noticed" {
    slow_upload left
    upload /v1/meshes/next/versions?activate=0 a.obj
    local before i pids=()
    count_sockets
    before=$SOCKETS
    for i in 1 2 3 4 5 6 7 8; do
        curl -sS -N -o left$i.txt "$BASE/v1/meshes/next/versions/1/events" 3>&- &
        pids+=($!)
    done
    wait_heard left{1,2,3,4,5,6,7,8}.txt
    count_sockets
    is "$SOCKETS" $((before + 8))
    # The clock goes on while the daemon stands still: a comment is due then, of which there is one every five seconds.
    kill -STOP "$DAEMON_PID"
    kill -KILL "${pids[@]}"
    pause 5
    kill -CONT "$DAEMON_PID"
    wait_for no_more_sockets "$before"
    ask /v1/meshes/left/versions/$VERSION -X DELETE
}

# On one processor the bake, which gives way to others, goes no faster than its events are sent and read, whatever
# else keeps the machine busy.
on_one_processor() {
    local processors
    processors=$(taskset -cp "$BASHPID")
    [[ $processors =~ :\ ([0-9]+) ]]
    taskset -acp "${BASH_REMATCH[1]}" "$DAEMON_PID"
    taskset -cp "${BASH_REMATCH[1]}" "$BASHPID"
}

@test "a client that does not read is dropped; the bake and the others do not mind" {
    on_one_processor
    slow_upload ahead
    local ahead=$VERSION i
    upload "/v1/meshes/many/versions?$FLAT_TILES&reuse=0" many.obj
    is "$STATUS" 202
    # Over a Unix socket, where the system holds a fixed fifth of a megabyte. It reads what comes at once,
    # and then nothing until there is a file "go".
    rm -f go
    perl -MIO::Socket::UNIX -e '
        my $s = IO::Socket::UNIX->new(Peer => "socket") or die;
        $s->autoflush(1);
        print $s "GET /v1/meshes/many/versions/1/events HTTP/1.1\r\nHost: localhost\r\n\r\n";
        open(my $out, ">", "stalled.txt") or die;
        sysread($s, my $bytes, 65536) or die;
        syswrite($out, $bytes);
        select(undef, undef, undef, 0.05) until -e "go";
        syswrite($out, $bytes) while sysread($s, $bytes, 65536);
    ' 3>&- &
    local stalled=$!
    listen /v1/meshes/many/versions/1 quick.txt &
    local quick=$!
    wait_heard quick.txt
    wait_for [ -s stalled.txt ]
    ask /v1/meshes/ahead/versions/$ahead -X DELETE
    wait $quick
    is "$(names quick.txt | tail -n 1)" ready
    # More than twice what the queue of 256 KiB and the system together hold for the other one.
    [ "$(wc -c <quick.txt)" -gt 1000000 ]
    # The rest of its stream is cut off: no last event, no last chunk.
    touch go
    wait $stalled
    is "$(grep -c '^event: ready' stalled.txt)" 0
    [ "$(grep -c '^event: stage' stalled.txt)" -gt 100 ]
    [ "$(tail -c 5 stalled.txt | od -An -c | tr -d ' \n')" != '0\r\n\r\n' ]
    ask /v1/meshes/many/versions/1
    is "$(json .state)" ready
}

@test "a daemon that stops ends its streams" {
    slow_upload stop
    upload '/v1/meshes/stop2/versions?activate=0' a.obj
    listen /v1/meshes/stop2/versions/1 stop.txt &
    local pid=$!
    wait_heard stop.txt
    ask /v1/meshes/stop/versions/$VERSION -X DELETE
    stop_daemon
    wait $pid
    is "$(names stop.txt | head -n 1)" progress
}
