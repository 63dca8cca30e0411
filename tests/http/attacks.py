#!/usr/bin/env python3
"""attacks.py ADDRESS PID TABLE: sends each row of the table to the daemon as an upload, and holds
the answer, and what the daemon's processors have done for it, against the row.

A row is: name | media type | status code | bytes, a Python expression over the functions below.
Each may cost 250 ms of processor time, or SLOWNESS times as much, if its row does not say how much.
The daemon is to refuse what it has read, by a limit on cells, so that no bake is part of that.
"""
import http.client
import json
import os
import random
import struct
import subprocess
import sys

SLOWNESS = float(os.environ.get("SLOWNESS", "1"))


# ---- binary glTF ----

def glb(root, data=b""):
    text = root if isinstance(root, str) else json.dumps(root, separators=(",", ":"))
    text = text.encode()
    text += b" " * (-len(text) % 4)
    data += b"\0" * (-len(data) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text
    if data:
        chunks += struct.pack("<I4s", len(data), b"BIN\0") + data
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def scene(nodes, meshes, accessors=(), data=b"", **more):
    """One buffer with one view. Accessor: (count, type, componentType, offset or None)."""
    made = []
    for count, kind, component, offset in accessors:
        made.append({"count": count, "type": kind, "componentType": component})
        if offset is not None:
            made[-1].update(bufferView=0, byteOffset=offset)
    root = {"asset": {"version": "2.0"}, "nodes": nodes, "meshes": meshes, "accessors": made}
    if data:
        root.update(buffers=[{"byteLength": len(data)}], bufferViews=[{"buffer": 0, "byteLength": len(data)}])
    root.update(more)
    return glb(root, data)


def mesh(*positions, **more):
    return {"primitives": [dict(attributes={"POSITION": i}, **more) for i in positions]}


def placed(times_by, **more):
    return dict(mesh=0, extensions={"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": times_by}}}, **more)


def floats(count):
    return struct.pack("<%df" % (3 * count), *[random.uniform(-50, 50) for _ in range(3 * count)])


def forest(count):
    corners = struct.pack("<3003f", *[v for i in range(1001) for v in (i % 32, 0, i // 32)])
    triangles = [k for i in range(2000) for k in (i // 2, (i + 1) // 2, (i + 33) // 2 % 1001)]
    data = corners + struct.pack("<6000H", *triangles) + floats(count)
    return scene([placed(2)], [mesh(0, indices=1)], [(1001, "VEC3", 5126, 0), (6000, "SCALAR", 5123, 12012),
                                                      (count, "VEC3", 5126, 24012)], data)


def sparse_scene(count, indices):
    """Accessors that all have the same sparse part, which is long."""
    data = struct.pack("<%dI" % indices, *range(indices)) + bytes(3 * indices)
    views = [{"buffer": 0, "byteLength": 4 * indices}, {"buffer": 0, "byteOffset": 4 * indices, "byteLength": 3 * indices}]
    one = {"count": indices, "type": "VEC3", "componentType": 5120,
           "sparse": {"count": indices, "indices": {"bufferView": 0, "componentType": 5125}, "values": {"bufferView": 1}}}
    return glb({"asset": {"version": "2.0"}, "buffers": [{"byteLength": len(data)}], "bufferViews": views,
                "accessors": [one] * count, "meshes": [mesh(*range(count))], "nodes": [{"mesh": 0}]}, data)


# ---- names and positions that fall on one place of a hash table ----

def fnv(text, state=2166136261, bits=17):
    for byte in text.encode():
        state = ((state ^ byte) * 16777619) & ((1 << bits) - 1)
    return state


def colliding_names(count):
    """Names with one FNV-1a in their lower 17 bits: pairs of letters that lead to one state, in a row."""
    letters = [chr(i) for i in range(65, 91)] + [chr(i) for i in range(97, 123)] + [str(i) for i in range(10)]
    pairs, state = [], 2166136261 & 0x1FFFF
    while 1 << len(pairs) < count:
        seen = {}
        for text in (a + b + c for a in letters for b in letters for c in letters[:8]):
            after = fnv(text, state)
            if after in seen:
                pairs.append((seen[after], text))
                state = after
                break
            seen[after] = text
    return ["".join(pair[i >> k & 1] for k, pair in enumerate(pairs))[:47] for i in range(count)]


def colliding_stl(triangles):
    """Vertices that the welding of an STL looks for in one place (proto/geometry/weld.c)."""
    odd, whole = 0xD1342543DE82EF95, (1 << 64) - 1
    inverse = pow(odd, -1, 1 << 64)
    found = []

    def small(bits):
        return 0x38 <= (bits >> 24 & 0x7F) <= 0x48  # about 1e-5 to 1e5

    random.seed(1)
    while len(found) < 3 * triangles:
        second = random.getrandbits(64) & ~(0xFFFFF << 32)
        wanted = second * inverse & whole
        high = wanted >> 32
        z = random.getrandbits(32) & 0x80FFFFFF | random.randint(0x38, 0x48) << 24
        low = (wanted ^ z ^ high) & 0xFFFFFFFF
        first = (high << 32 | low) * inverse & whole
        h = first ^ first >> 29
        h = first ^ (h >> 29)
        x, y = h >> 32, h & 0xFFFFFFFF
        if (h ^ h >> 29) == first and small(x) and small(y):
            found.append(struct.pack("<III", x, y, z))
    out = [bytes(80), struct.pack("<I", triangles)]
    for i in range(triangles):
        out.append(bytes(12) + b"".join(found[3 * i:3 * i + 3]) + b"\0\0")
    return b"".join(out)


# ---- text ----

SQUARE = "v 0 0 0\nv 0 0 9\nv 9 0 9\nv 9 0 0\nf 1 2 3\n"


def obj(text):
    return (SQUARE + text).encode()


def obj_materials(names):
    return obj("".join("usemtl %s\nf 1 2 3\n" % name for name in names))


def geojson(**members):
    whole = dict(vertices=[0, 0, 0, 0, 0, 9, 9, 0, 9], triangles=[0, 1, 2])
    whole.update(members)
    return json.dumps(whole, separators=(",", ":")).encode()


def ply(header, body=b"", form="binary_little_endian"):
    return ("ply\nformat %s 1.0\n%s\nend_header\n" % (form, header)).encode() + body


FLAT = "element vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
FACES = "element face %d\nproperty list %s %s vertex_indices"


def packed(vertices, triangles, body=b"", flags=0, materials=0):
    return b"NAVG" + struct.pack("<IIIII", 1, vertices, triangles, flags, materials) + body


def form(parts):
    """A form of parts: (name, type, bytes)."""
    out = []
    for name, kind, data in parts:
        out.append(b'--b\r\nContent-Disposition: form-data; name="%s"\r\nContent-Type: %s\r\n\r\n' % (name.encode(), kind.encode()))
        out.append(data + b"\r\n")
    return b"".join(out) + b"--b--\r\n"


def with_config(data, **config):
    return form([("geometry", "model/obj", data), ("config", "application/json", json.dumps(config).encode())])


def zstd(data):
    return subprocess.run(["zstd", "-qc", "-3"], input=data, stdout=subprocess.PIPE, check=True).stdout


def mset(count, tiles=b""):
    return b"TESM" + struct.pack("<II3f2f2I", 1, count, 0, 0, 0, 4, 4, 64, 64) + tiles


def detour_tile(x, polygons, apart=0, z=0):
    """One of 4 x 4 with so many equal polygons, which lead to the tile beside it."""
    edges = [0, 0, 0x8000, 0] if x == 0 else [0x8004, 0, 0, 0]
    places = [i * apart for i in range(polygons if apart else 1)]
    head = struct.pack("<4sIiii10I", b"VAND", 7, x, z, 0, 0, polygons, 4 * len(places), 0, 0, 0, 0, 0, 0, polygons)
    head += struct.pack("<3f3f3ff", 2, 0.3, 0.5, 4 * x, 0, 4 * z, 4 * x + 4, max(places, default=0) + 1, 4 * z + 4, 4)
    corners = b"".join(struct.pack("<12f", 4 * x, y, 0, 4 * x, y, 4, 4 * x + 4, y, 4, 4 * x + 4, y, 0) for y in places)
    made = [struct.pack("<I6H6HHBB", 0xFFFFFFFF, *[4 * (i % len(places)) + k for k in range(4)], 0, 0, *edges, 0, 0, 1, 4, 63)
            for i in range(polygons)]
    whole = head + corners + b"".join(made)
    return struct.pack("<II", 1, len(whole)) + whole


def crowded_border(polygons, apart=0):
    return mset(2, detour_tile(0, polygons, apart) + detour_tile(1, polygons, apart))


# ---- asking ----

def cpu_ms(pid):
    total = 0
    for task in os.listdir("/proc/%d/task" % pid):
        try:
            with open("/proc/%d/task/%s/schedstat" % (pid, task)) as file:
                total += int(file.read().split()[0])
        except FileNotFoundError:
            pass
    return total / 1e6


def main():
    address, pid, table = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    failed = count = 0
    for line in open(table):
        if not line.strip() or line.startswith("#"):
            continue
        name, kind, wanted, expression = (field.strip() for field in line.split("|", 3))
        code, most_ms = wanted.rsplit(" ", 1) if wanted.count(" ") == 2 else (wanted, 250)
        random.seed(1)
        data = eval(expression)
        headers = {"Content-Type": "multipart/form-data; boundary=b" if kind == "form" else kind}
        if kind.endswith("+zstd"):
            headers = {"Content-Type": kind[:-5], "Content-Encoding": "zstd"}
        before = cpu_ms(pid)
        connection = http.client.HTTPConnection(address, timeout=300)
        connection.request("POST", "/v1/meshes/attacked/versions", body=data, headers=headers)
        response = connection.getresponse()
        answer = json.loads(response.read())
        connection.close()
        spent = cpu_ms(pid) - before
        got = "%d %s" % (response.status, answer.get("code", "-"))
        good = got == code and spent <= float(most_ms) * SLOWNESS
        count += 1
        failed += not good
        print("%-4s %-40s %8d bytes %7.1f ms  %s%s" % ("ok" if good else "FAIL", name, len(data), spent, got,
              "" if got == code else ", wanted %s: %s" % (code, answer.get("detail"))))
    print("%d attacks, %d failed" % (count, failed))
    sys.exit(failed != 0)


main()
