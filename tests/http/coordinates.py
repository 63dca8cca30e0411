# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The navmeshd authors
#
# coordinates.py: one level in many coordinates. It is uploaded with Y up in metres, and again turned
# into other axes and units; every kind of question is asked of each, turned likewise, and the answers,
# turned back, are held against those of the first. Called by coordinates.bats with the daemon's
# address, a seed, and how many random coordinates there are beside the engines'.

import json
import math
import random
import struct
import sys
import urllib.error
import urllib.request

BASE = sys.argv[1]
RANDOM = random.Random(int(sys.argv[2]))
ROUNDS = int(sys.argv[3])

PRESETS = {
    "y_up": (("x", "y", "z"), 1.0), "z_up": (("x", "-z", "y"), 1.0), "godot": (("x", "y", "z"), 1.0),
    "unreal": (("x", "z", "y"), 0.01), "unity": (("x", "y", "-z"), 1.0), "wow": (("z", "x", "y"), 1.0),
}


class Coordinates:
    """Where the level's axes lie in the mesh, and how long its unit is. Written without the daemon's code."""

    def __init__(self, axes, scale, reverse=False, setting=None):
        self.axes, self.scale, self.reverse = axes, scale, reverse
        self.along = ["xyz".index(a[-1]) for a in axes]
        self.sign = [-1.0 if a[0] == "-" else 1.0 for a in axes]
        self.up = self.along.index(1)
        self.plan = [i for i in range(3) if i != self.up]
        swaps = sum(self.along[i] > self.along[k] for i in range(3) for k in range(i + 1, 3))
        self.mirrored = (swaps % 2 == 1) != (self.sign[0] * self.sign[1] * self.sign[2] < 0)
        self.settings = {"coordinates": setting or {"axes": list(axes), "scale": scale}}
        if reverse:
            self.settings["winding"] = "reverse"

    def length(self, metres):
        return metres / self.scale

    def point(self, p):
        return [self.sign[i] * p[self.along[i]] / self.scale for i in range(3)]

    def back(self, p, scale=None):
        out = [0.0, 0.0, 0.0]
        for i in range(3):
            out[self.along[i]] = self.sign[i] * p[i] * (self.scale if scale is None else scale)
        return out

    def box(self, low, high):
        a, b = self.point(low), self.point(high)
        return [min(x, y) for x, y in zip(a, b)], [max(x, y) for x, y in zip(a, b)]

    def outline(self, p):
        whole = self.point([p[0], 0.0, p[1]])
        return [whole[i] for i in self.plan]

    def yaw(self, degrees):
        # About the level's own upward axis, from its next axis to the one behind that.
        return degrees * self.sign[self.up] * (-1.0 if self.mirrored else 1.0)


# ---- the level and the questions, with Y up in metres ----

def box_faces(low, high):
    """Corners and triangles of a solid box; its top faces up."""
    c = [[x, y, z] for y in (low[1], high[1]) for x, z in
         ((low[0], low[2]), (low[0], high[2]), (high[0], high[2]), (high[0], low[2]))]
    quads = [(4, 5, 6, 7), (3, 2, 1, 0), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]
    return c, [t for a, b, d, e in quads for t in ((a, b, d), (a, d, e))]


# Nothing lies on the border of a voxel, where a digit's rounding would count.
def off(p):
    return [v + 7 / 64 if i != 1 else v * 65 / 64 for i, v in enumerate(p)]


def level():
    vertices = [[0, 0, 0], [0, 0, 40], [40, 0, 40], [40, 0, 0]]
    triangles = [(0, 1, 2), (0, 2, 3)]
    areas = ["", ""]
    for low, high in (([10, 0, 8], [12, 4, 30]), ([24, 0, 20], [34, 3, 32])):
        c, t = box_faces(off(low), off(high))
        triangles += [tuple(len(vertices) + i for i in f) for f in t]
        vertices += c
        areas += [""] * len(t)
    at = len(vertices)  # a ramp up to the platform, and a shallow pond
    vertices += [off(p) for p in ([24, 0, 5], [24, 3, 20.25], [30, 3, 20.25], [30, 0, 5],
                                  [1, 0.25, 1], [1, 0.25, 6], [6, 0.25, 6], [6, 0.25, 1])]
    triangles += [(at, at + 1, at + 2), (at, at + 2, at + 3), (at + 4, at + 5, at + 6), (at + 4, at + 6, at + 7)]
    areas += ["", "", "Pond", "Pond"]
    return [[float(v) for v in p] for p in vertices], triangles, areas


CONFIG = {
    "areas": {"water": {"cost": 3, "flags": ["swim"]}, "mud": {"cost": 2}}, "materials": {"Pond": "water"},
    "bounds": {"min": [-1, -2, -1], "max": [39.109375, 12.015625, 41]},
    "volumes": [{"shape": "box", "min": [14.109375, -1, 2.109375], "max": [16.109375, 2, 6.109375], "area": "mud"},
                {"shape": "cylinder", "center": [18.046875, -1, 14.03125], "radius": 2.015625, "height": 3, "area": "none"},
                {"shape": "convex", "points": [[14.0625, 33.0625], [20.0625, 33.109375], [20.109375, 38.0625], [15.0625, 39.046875]], "min_y": -1, "max_y": 2,
                 "area": "mud"}],
    "switches": {"gate": {"shapes": [{"shape": "box", "min": [10.109375, -1, 31.109375], "max": [12.109375, 2, 40]}], "default": "open"}},
    "links": [{"start": [25, 3, 31], "end": [22, 0, 36], "radius": 0.75, "cost": 2.5, "id": "jump"},
              {"start": [35, 0, 26], "end": [33, 3, 26], "bidirectional": False}],
    "seeds": [[2, 0, 20]],
}
SHAPES = [{"shape": "circle", "center": [6, 0, 20], "radius": 2, "height": 1},
          {"shape": "box", "min": [14, -1, 18], "max": [20, 1, 20], "yaw": 30},
          {"shape": "capsule", "start": [14, 0, 26], "end": [20, 0, 28], "radius": 0.5, "cost": 4},
          {"shape": "convex", "points": [[2, 30], [5, 30], [4, 34]], "min_y": -1, "max_y": 1}]
START, END, HIGH = [2, 0, 20], [22, 0, 10], [29, 3, 26]
QUESTIONS = [
    ("path", {"start": START, "end": END, "details": ["polygons", "areas", "links"]}),
    ("path", {"start": START, "end": HIGH, "search": "exact", "avoid": SHAPES}),
    ("path", {"start": START, "end": HIGH, "clearance": 0.5}),
    ("path", {"start": START, "end": HIGH, "max_cost": 30}),
    ("path", {"start": START, "end": HIGH, "max_length": 30, "partial": False}),
    ("path", {"start": START, "end": END, "goal_radius": 4}),
    ("path", {"start": [2, 1, 20], "end": END, "snap": {"horizontal": 0.5, "up": 0.5, "down": 0.5}}),
    ("path", {"start": [2, 6, 20], "end": END}),
    ("paths", {"defaults": {"end": HIGH, "snap": {"up": 1}}, "queries": [{"start": START}, {"start": END, "id": 7}]}),
    ("matrix", {"sources": [START, END], "targets": [HIGH, [35, 0, 10], [200, 0, 0]]}),
    ("matrix", {"sources": [START, END], "targets": [HIGH, [35, 0, 10]], "nearest": 1}),
    ("reachable", {"start": START, "points": [HIGH, END, [200, 0, 0]]}),
    ("nearest", {"point": [27, 1.5, 26], "count": 4}),
    ("nearest", {"point": [27, 1.5, 26], "above": True}),
    ("nearest", {"point": [27, 1.5, 26], "below": True, "reachable_from": START}),
    ("floors", {"x": 29.0, "z": 26.5}),
    ("raycast", {"start": START, "end": [20, 0, 21]}),
    ("raycast", {"start": START, "end": [4, 0, 35], "avoid": [SHAPES[3]]}),
    ("move", {"start": START, "end": [13, 0, 24]}),
    ("wall", {"point": [7, 0, 20]}),
    ("wall", {"point": [7, 0, 20], "max_radius": 1}),
    ("wall", {"point": [8, 0, 24], "avoid": SHAPES}),
    ("random", {"count": 20, "seed": 3, "center": [20, 0, 10], "radius": 6}),
    ("flood", {"start": START, "max_cost": 14}),
    ("trace", {"positions": [START, [4, 0, 22], [9, 0, 24]], "times_ms": [0, 1000, 1500], "max_speed": 5}),
    ("trace", {"positions": [START, [8, 0, 24], [14, 0, 24]]}),
    ("batch", {"avoid_sets": [SHAPES], "queries": [
        {"kind": "path", "start": START, "end": HIGH, "avoid": 0}, {"kind": "wall", "point": [7, 0, 20], "avoid": 0},
        {"kind": "floors", "x": 29.0, "z": 26.5}, {"kind": "nearest", "point": END},
        {"kind": "raycast", "start": START, "end": [20, 0, 21]}]}),
]
INSTANCE = {"obstacles": {"s%d" % i: s for i, s in enumerate(SHAPES)}, "switches": {"gate": "closed"},
            "links": {"hop": {"start": [9, 0, 20], "end": [13.5, 0, 20], "cost": 1.5},
                      "lost": {"start": [9, 0, 20], "end": [13.5, 9, 20]}}}
CHECKS = {"checks": [
    {"name": "way", "start": START, "end": HIGH, "expect": "reachable", "max_length": 100},
    {"name": "short", "start": START, "end": HIGH, "expect": "reachable", "max_length": 20},
    {"name": "spot", "point": [2, 1, 20], "expect": "on_mesh", "snap": {"down": 2}},
    {"name": "far", "point": [2, 3.5, 20], "expect": "on_mesh"},
    {"name": "size", "min_walkable_area": 1000}]}

# ---- turning ----

POINTS = {"start", "end", "point", "center", "reachable_from"}
LISTS = {"points", "positions", "sources", "targets"}
LENGTHS = {"radius", "max_radius", "max_cost", "max_length", "goal_radius", "clearance", "height", "horizontal", "up",
           "down", "max_speed"}


def turned(value, c, key=None, within=()):
    """A question, or settings, in the level's coordinates."""
    if isinstance(value, dict):
        out = {}
        for k, v in value.items():
            out[k] = turned(v, c, k, within + (key,))
        if "min" in value and isinstance(value["min"], list):
            out["min"], out["max"] = c.box(value["min"], value["max"])
        if "min_y" in value:
            low, high = sorted(c.sign[c.up] * value[k] / c.scale for k in ("min_y", "max_y"))
            out["min_y"], out["max_y"] = low, high
        if "x" in value:
            del out["x"], out["z"]
            for name, v in zip(c.plan, c.outline([value["x"], value["z"]])):
                out["xyz"[name]] = v
        return out
    if key in POINTS:
        return c.point(value)
    if key in LISTS or key == "seeds":
        return [c.point(p) if len(p) == 3 else c.outline(p) for p in value]
    if key == "cost" and "links" in within:
        return c.length(value)
    if key == "min_walkable_area":
        return value / c.scale ** 2
    if key == "yaw":
        return c.yaw(value)
    if key in LENGTHS:
        return c.length(value)
    if isinstance(value, list):
        return [turned(v, c, None, within + (key,)) for v in value]
    return value


TOLD = {"length", "cost", "lower_bound", "clearance_min", "distance", "speed"}


def back(value, c, key=None):
    """An answer, with Y up in metres."""
    if value is None:
        return None
    if isinstance(value, dict):
        out = {k: back(v, c, k) for k, v in value.items() if k not in ("mesh", "version", "created_at")}
        if isinstance(value.get("min"), list):
            a, b = c.back(value["min"]), c.back(value["max"])
            out["min"], out["max"] = [min(x, y) for x, y in zip(a, b)], [max(x, y) for x, y in zip(a, b)]
        return out
    if key in ("position", "start", "end") or (key in ("from", "to") and isinstance(value, list)):
        return c.back(value)
    if key in ("normal", "direction"):
        return c.back(value, 1.0)
    if key == "height":
        return value * c.sign[c.up] * c.scale
    if key == "costs":
        return [[None if v is None else v * c.scale for v in row] for row in value]
    if key in TOLD:
        return value * c.scale
    if key in ("points", "vertices") and value and isinstance(value[0], list):
        return [c.back(p) for p in value]
    if isinstance(value, list):
        return [back(v, c) for v in value]
    return value


def alike(a, b, tolerance, at=""):
    if isinstance(a, bool) or isinstance(b, bool) or a is None or b is None or isinstance(a, str):
        assert a == b, (at, a, b)
    elif isinstance(a, (int, float)):
        assert isinstance(b, (int, float)) and abs(a - b) <= tolerance * max(1.0, abs(a) / 1000.0), (at, a, b)
    elif isinstance(a, dict):
        assert sorted(a) == sorted(b), (at, sorted(a), sorted(b))
        for k in a:
            alike(a[k], b[k], tolerance, at + "." + k)
    else:
        assert len(a) == len(b), (at, a, b)
        for i, (x, y) in enumerate(zip(a, b)):
            alike(x, y, tolerance, at + "[%d]" % i)


# ---- asking ----

def ask(method, path, body=None, kind="application/json", raw=False):
    data = json.dumps(body).encode() if body is not None and not isinstance(body, bytes) else body
    request = urllib.request.Request(BASE + path, data=data, method=method, headers={"Content-Type": kind})
    try:
        with urllib.request.urlopen(request, timeout=120) as reply:
            text = reply.read()
    except urllib.error.HTTPError as error:
        raise AssertionError("%s %s: %s" % (method, path, error.read().decode())) from error
    return text if raw else json.loads(text)


def upload(name, c, config=CONFIG, force=""):
    vertices, triangles, areas = level()
    swap = c.mirrored != c.reverse
    body = {"vertices": [c.point(p) for p in vertices],
            "triangles": [[a, d, b] if swap else [a, b, d] for a, b, d in triangles], "areas": areas,
            "config": dict(turned(config, c), **c.settings)}
    return ask("POST", "/v1/meshes/%s/versions?wait=1%s" % (name, force), body)


def packed_snap(c, given):
    """As many metres as by default: said, or left out."""
    return [c.length(v) if given else float("nan") for v in (2.0, 4.0, 4.0)]


def packed_batch(c, given=True):
    """All eight kinds in bytes."""
    def record(kind, flags=0, count=0, seed=0, a=(0, 0, 0), b=(0, 0, 0), radius=0.0, cost=0.0, length=0.0):
        return struct.pack("<BBHHHHHIII3f3f3f3f", kind, flags, 0, 0, 0, 0, 0, 0, count, seed, *a, *b, *packed_snap(c, given),
                           c.length(radius), c.length(cost), c.length(length))
    p = c.point
    column = [0.0, 0.0, 0.0]
    for i in c.plan:
        column[i] = p([29.0, 0.0, 26.5])[i]
    named = {(0, 1): 32, (1, 2): 64, (0, 2): 0}[tuple(c.plan)]
    records = [record(0, a=p(START), b=p(HIGH)), record(0, 1, a=p(START), b=p(HIGH), cost=30.0),
               record(0, a=p(START), b=p(END), radius=4.0), record(1, count=4, a=p([27, 1.5, 26])),
               record(2, a=p(START), b=p([20, 0, 21])), record(3, 8 + 16, 5, 3, a=p([20, 0, 10]), radius=6.0),
               record(4, count=2, a=p(START)), record(5, a=p([7, 0, 20]), radius=100.0 if given else float("nan")),
               record(6, named, a=column), record(7, a=p(START), b=p([13, 0, 24]))]
    head = struct.pack("<4sIIIIIII", b"NAVB", 1, len(records), 0, 0, 2, 0, 0)
    return head + b"".join(records) + b"".join(struct.pack("<3f", *p(q)) for q in (HIGH, [200, 0, 0]))


def unpacked(data, c):
    """Its answers, in metres with Y up."""
    count = struct.unpack_from("<I", data, 12)[0]
    out = []
    for begin in struct.unpack_from("<%dI" % count, data, 24):
        kind, outcome, reason, flags, _ = struct.unpack_from("<BBBBI", data, begin)
        at = begin + 8
        answer = [kind, outcome, reason, flags]
        point = lambda offset, scale=None: c.back(struct.unpack_from("<3f", data, at + offset), scale)
        floats = lambda offset, n: [v * c.scale for v in struct.unpack_from("<%df" % n, data, at + offset)]
        whole = lambda offset: struct.unpack_from("<I", data, at + offset)[0]
        if kind == 0:
            answer += floats(0, 3) + [point(20 + 12 * i) for i in range(whole(16))]
        elif kind in (1, 3, 6):
            at += 4 if kind == 3 else 0
            for i in range(whole(0)):
                answer += [point(4 + 24 * i), floats(16 + 24 * i, 1), whole(20 + 24 * i), whole(24 + 24 * i)]
        elif kind == 2:
            answer += [struct.unpack_from("<f", data, at)[0], point(4), point(16), point(28, 1.0), floats(40, 1), whole(44)]
        elif kind == 4:
            answer += list(data[at + 4:at + 4 + whole(0)])
        elif kind == 5:
            answer += [floats(0, 1), point(4), point(16, 1.0)]
        else:
            answer += [point(0), whole(12)]
        out.append(answer)
    return out


def packed_paths(c, given=True):
    pairs = [(START, END), (START, HIGH), (END, [35, 0, 10])]
    return struct.pack("<4sIIIIIII3f48sI", b"NAVQ", 1, len(pairs), 0, 0, 0, 0, 0, *packed_snap(c, given), b"", 0) + b"".join(
        struct.pack("<6f", *c.point(a), *c.point(b)) for a, b in pairs)


def unpacked_paths(data, c):
    count, points = struct.unpack_from("<II", data, 12)
    out = []
    for i in range(count):
        status, reason, optimal, folded, first, many = struct.unpack_from("<BBBBII", data, 24 + 28 * i)
        told = [v * c.scale for v in struct.unpack_from("<3f", data, 36 + 28 * i)]
        where = [c.back(struct.unpack_from("<3f", data, 24 + 28 * count + 12 * (first + k))) for k in range(many)]
        out.append([status, reason, optimal, folded] + told + where)
    return out


def numbers_in(text, c, squared=False):
    """The sentence of a check with its numbers in metres."""
    words = []
    for word in text.replace(",", " ").replace(":", " ").split():
        try:
            words.append(float(word) * c.scale ** (2 if squared else 1))
        except ValueError:
            words.append(word)
    return words


def everything(name, c):
    """All that a mesh answers, turned back."""
    mesh = "/v1/meshes/" + name
    out = []
    for kind, question in QUESTIONS:
        out.append((kind, back(ask("POST", "%s/%s" % (mesh, kind), turned(question, c)), c)))
    put = turned(INSTANCE, c)
    made = ask("PUT", mesh + "/instances/i", put)
    shown = ask("GET", mesh + "/instances/i")
    for id, shape in put["obstacles"].items():
        for member, sent in shape.items():
            now = shown["obstacles"][id][member]
            if isinstance(sent, (list, float)):
                alike(sent, now, 1e-3 * max(1.0, 1 / c.scale), name + " as sent: " + member)
    alike(c.length(0.6), shown["links"]["hop"]["radius"], 1e-4 / c.scale, "the default radius")
    alike(c.length(1.5), shown["links"]["hop"]["cost"], 1e-4 / c.scale, "a link's own cost")
    assert [m["at"] for m in made["misfits"]] == ["links.lost"], made
    out.append(("misfit", numbers_in(made["misfits"][0]["detail"], c)))
    for kind, question in QUESTIONS:
        if kind not in ("paths", "batch"):
            got = ask("POST", "%s/%s" % (mesh, kind), dict(turned(question, c), instance="i"))
            out.append(("in an instance: " + kind, back(got, c)))
    way = ask("POST", mesh + "/path", turned({"start": START, "end": END}, c))
    got = ask("POST", mesh + "/instances/i/valid", {"points": way["points"]})
    out.append(("valid", back(got, c)))
    got = ask("GET", mesh + "/versions/1/export?format=json")
    out.append(("what an export has in metres, or without a unit", [got.pop("agent"), got.pop("areas")]))
    out.append(("export", back(got, c)))
    picture = ask("GET", mesh + "/versions/1/render.svg?path=" + ",".join("%.9g" % v for v in c.point(START) + c.point(HIGH)),
                  raw=True).decode()
    return out, picture


def scene(c, name):
    """A mesh with what its version and its checks say."""
    version = upload(name, c)
    ask("PUT", "/v1/meshes/%s/checks" % name, turned(CHECKS, c))
    second = upload(name, c, dict(CONFIG, volumes=CONFIG["volumes"][1:]), "&force=1")
    checks = []
    for got in second["checks"]:
        checks.append([got["name"], got["passed"]] + numbers_in(got["detail"], c, got["name"] == "size"))
    diff = ask("GET", "/v1/meshes/%s/versions/diff?from=1&to=2" % name)
    for change in [diff["walkable_area"]] + [i["area"] for i in diff["islands"]["changed"]]:
        for k in change:
            change[k] *= c.scale ** 2
    for k in ("added", "removed"):
        for island in diff["islands"][k]:
            island["area"] *= c.scale ** 2
    ask("PUT", "/v1/meshes/%s/active?force=1" % name, {"version": 1})
    return version, checks, back(diff, c)


def exact(c):
    return math.frexp(c.scale)[0] == 0.5


def again(c, version, name):
    """The settings that are shown are settings that give the same version."""
    vertices, triangles, areas = level()
    swap = c.mirrored != c.reverse
    body = {"vertices": [c.point(p) for p in vertices],
            "triangles": [[a, d, b] if swap else [a, b, d] for a, b, d in triangles], "areas": areas,
            "config": version["config"]}
    got = ask("POST", "/v1/meshes/%s/versions?wait=1" % name, body)
    assert got["version"] == 1 and got["deduplicated"], (name, got["config"], version["config"])


def compare(name, c, first):
    version, checks, diff = scene(c, name)
    base_version, base_checks, base_diff, base_answers, base_picture = first
    nice = exact(c) or c.scale == 0.01  # quarters of a metre come out to the last bit
    if nice:
        assert version["blob"]["sha256"] == base_version["blob"]["sha256"], name
    area = version["stats"]["walkable_area"] * c.scale ** 2
    alike(base_version["stats"]["walkable_area"], area, 0.01, name + " walkable_area")
    low, high = c.box([0, 0, 0], [40, 4.0625, 40])
    alike({"min": low, "max": high}, version["geometry"]["bounds"], 1e-3 * max(1.0, 1.0 / c.scale), name + " as sent")
    alike(back(base_version["stats"]["bounds"], BASE_COORDINATES), back(version["stats"]["bounds"], c), 2e-3, name)
    again(c, version, name)
    alike(base_checks, checks, 2e-3 * max(1.0, c.scale ** 2), name + " checks")  # sentences have thousandths
    alike(base_diff, diff, 5e-3, name + " diff")
    answers, picture = everything(name, c)
    for (kind, expected), (_, got) in zip(base_answers, answers):
        alike(expected, got, 2.5e-3, "%s %s" % (name, kind))
    if nice:
        cut = lambda text: text[text.index("<g id=\"polygons\""):text.index("<g id=\"scale\"")]
        assert cut(picture) == cut(base_picture), name
    tolerance = 0.0 if exact(c) else 1e-4
    mesh = "/v1/meshes/" + name
    for given in (True, False):
        got = ask("POST", mesh + "/batch", packed_batch(c, given), "application/vnd.navmeshd.batch", True)
        alike(BASE_BATCH, unpacked(got, c), tolerance, name + " packed batch")
        got = ask("POST", mesh + "/paths", packed_paths(c, given), "application/vnd.navmeshd.paths", True)
        alike(BASE_PATHS, unpacked_paths(got, c), tolerance, name + " packed paths")


BASE_COORDINATES = Coordinates(*PRESETS["y_up"])
base = scene(BASE_COORDINATES, "base") + everything("base", BASE_COORDINATES)
BASE_BATCH = unpacked(ask("POST", "/v1/meshes/base/batch", packed_batch(BASE_COORDINATES),
                          "application/vnd.navmeshd.batch", True), BASE_COORDINATES)
BASE_PATHS = unpacked_paths(ask("POST", "/v1/meshes/base/paths", packed_paths(BASE_COORDINATES),
                                "application/vnd.navmeshd.paths", True), BASE_COORDINATES)
wanted = [("as_" + word, Coordinates(axes, scale, setting=word)) for word, (axes, scale) in PRESETS.items()]
for i in range(ROUNDS):
    letters = RANDOM.sample("xyz", 3)
    axes = tuple(RANDOM.choice(("", "-")) + letter for letter in letters)
    scale = RANDOM.choice([1.0, 0.25, 0.0078125, 4.0, 0.9144, 0.0254, 0.001])
    wanted.append(("random%d" % i, Coordinates(axes, scale, RANDOM.random() < 0.3)))
for name, c in wanted:
    print(name, c.axes, c.scale, "reverse" if c.reverse else "", flush=True)
    compare(name, c, base)
