#!/usr/bin/env bats
# A megabyte of anything is refused, or read, within a quarter of a second of a processor; what
# uploads become counts among the bytes in flight; one that takes too long, and one while the daemon
# stops, ends at once.

load helper

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    square_obj 20 >square.obj
}

@test "each attack of attacks.txt is answered as it says, at the cost of its bytes" {
    own_folder
    start_daemon --workers 1 --limit grid_cells=256
    # Beside other work the same takes more of a processor, too; what an attack took was a hundred times as much.
    SLOWNESS=$((3 * SLOWNESS * PATIENCE)) python3 "$ROOT/tests/http/attacks.py" "$ADDRESS" "$DAEMON_PID" "$ROOT/tests/http/attacks.txt"
    ask /v1/status
    is "$(json .memory.bodies_bytes)" 0
}

# 150 kB whose triangle is placed 200,000 times.
make_bomb() {
    python3 - <<'END' >bomb.glb
import json, struct, sys
data = struct.pack("<9f", 0, 0, 0, 0, 0, 1, 1, 0, 0)
root = {"asset": {"version": "2.0"}, "buffers": [{"byteLength": 36}], "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "accessors": [{"bufferView": 0, "count": 3, "type": "VEC3", "componentType": 5126}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}] * 5000}],
        "nodes": [{"mesh": 0}] * 40}
text = json.dumps(root, separators=(",", ":")).encode()
text += b" " * (-len(text) % 4)
chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", 36, b"BIN\0") + data
sys.stdout.buffer.write(struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks)
END
}

@test "vertices and triangles count among the bytes in flight, before there is memory for them" {
    own_folder
    make_bomb
    start_daemon --workers 1 --limit bodies_in_flight_bytes=2000000
    upload /v1/meshes/bomb/versions bomb.glb model/gltf-binary
    is_error 503 overloaded
    is "$(json .limit)" 2000000
    # Eight bytes of text for twelve of memory.
    { cat square.obj; yes 'f 1 2 3' | head -n 170000; } >triangles.obj
    [ "$(stat -c %s triangles.obj)" -lt 2000000 ]
    upload /v1/meshes/bomb/versions triangles.obj
    is_error 503 overloaded
    ask /v1/status
    is "$(json .memory.bodies_bytes)" 0
    upload '/v1/meshes/yard/versions?wait=1' square.obj
    is "$STATUS" 201
}

@test "the time of a processor that reading may take" {
    own_folder
    start_daemon --limit upload_ms=20
    { cat square.obj; yes 'v 1 2 3' | head -n 2000000; } >long.obj
    upload /v1/meshes/long/versions long.obj
    is_error 413 geometry_too_large
    is "$(json .limit)" 20
    make_bomb
    upload /v1/meshes/long/versions bomb.glb model/gltf-binary
    is_error 413 geometry_too_large
    is "$(json .limit)" 20
    upload '/v1/meshes/long/versions?wait=1' square.obj
    is "$STATUS" 201
}

@test "a stop does not wait for uploads that are being read" {
    own_folder
    python3 - "$ROOT/tests/http/attacks.py" <<'END' >forest.glb
import sys
exec(open(sys.argv[1]).read().rsplit("main()", 1)[0])
sys.stdout.buffer.write(forest(5000))
END
    export OPS_SOCKET=$PWD/ops.sock
    start_daemon --listen "unix:$OPS_SOCKET" --limit grid_cells=256 --drain-ms 60000
    local i readers=()
    for i in 1 2 3 4; do
        curl -s -o "reply$i" -H 'Content-Type: model/gltf-binary' --data-binary @forest.glb "$BASE/v1/meshes/wood/versions" 3>&- &
        readers+=($!)
    done
    wait_for reads_uploads
    kill "$DAEMON_PID"
    wait "$DAEMON_PID"
    wait "${readers[@]}" || true # one may have come too late
    grep -q '"code":"not_ready"' reply?
}

reads_uploads() {
    [[ $(curl -s --unix-socket "$OPS_SOCKET" http://localhost/metrics) == *'navmeshd_http_uploads_in_flight '[1-4]* ]]
}

# A file whose bake is to fail.
crowded() { # polygons apart
    python3 - "$ROOT/tests/http/attacks.py" "$@" <<'END' >crowded.bin
import sys
exec(open(sys.argv[1]).read().rsplit("main()", 1)[0])
sys.stdout.buffer.write(crowded_border(int(sys.argv[2]), float(sys.argv[3])))
END
    upload '/v1/meshes/crowded/versions?wait=1' crowded.bin application/vnd.detour.mset
}

@test "polygons that lie over each other at a border are bounded, and a mesh is within its bake's memory" {
    own_folder
    start_daemon --workers 1 --bake-memory 64
    local before most
    before=$(awk '/VmHWM/ {print $2}' "/proc/$DAEMON_PID/status")
    crowded 10000 0
    is_error 422 tile_too_complex
    crowded 10000 4
    is_error 422 tile_too_complex
    most=$(awk '/VmHWM/ {print $2}' "/proc/$DAEMON_PID/status")
    [ $((most - before)) -lt 100000 ] || [ "$SLOWNESS" != 1 ]
    # So many floors are a tower.
    crowded 500 4
    is "$STATUS" 201
}
