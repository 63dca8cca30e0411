"""Records questions of all kinds about the mesh town, over its versions 1 and 2 and over instances, and
fetches each recording: recordings.py HOST:PORT COUNT FOLDER. The same questions each time."""

import http.client
import json
import pathlib
import random
import struct
import sys

address, count, folder = sys.argv[1], int(sys.argv[2]), pathlib.Path(sys.argv[3])
folder.mkdir(exist_ok=True)
connection = http.client.HTTPConnection(address)
chance = random.Random(16)
MESH = "/v1/meshes/town/"


def ask(method, path, body=None, media_type="application/json"):
    connection.request(method, path, body, {"Content-Type": media_type} if body is not None else {"X-Requested-With": "test"})
    reply = connection.getresponse()
    return reply, reply.read()


def place(edge=0):
    return [round(chance.uniform(-edge, 90 + edge), 3), round(chance.uniform(0, 4), 3), round(chance.uniform(-edge, 90 + edge), 3)]


def shape():
    x, _, z = place()
    return {"shape": "circle", "center": [x, 0.2, z], "radius": round(chance.uniform(0.5, 4), 3)}


def set_instances():
    """Two that follow the live version, each with a history, and one that is pinned to the other."""
    for number in range(3):
        name = f"{MESH}instances/run-{number}"
        state = {"obstacles": {f"o{i}": shape() for i in range(6)}, "area_costs": {"ground": 2.5} if number == 1 else {}}
        if number == 2:
            state["version"] = 1
        assert ask("PUT", name, json.dumps(state))[0].status in (200, 201)
        for i in range(number + 1):
            change = {"obstacles": {f"o{i}": None, f"n{i}": shape()}}
            assert ask("PATCH", name, json.dumps(change))[0].status == 200


def common(question, versions=True):
    if chance.random() < 0.3:
        question["instance"] = f"run-{chance.randrange(3 if versions else 2)}"
    elif versions and chance.random() < 0.5:
        question["version"] = 1
    if chance.random() < 0.2:
        question["avoid"] = [shape() for _ in range(chance.randrange(1, 4))]
    if chance.random() < 0.1:
        question["filter"] = {"costs": {"ground": chance.choice([1.5, 3])}}
    return question


def path():
    question = {"start": place(8), "end": place(8)}
    if chance.random() < 0.5:
        question["search"] = chance.choice(["fast", "exact"])
    if chance.random() < 0.3:
        question["details"] = ["polygons", "areas", "islands"]
    for member, value in (("max_nodes", 40), ("max_cost", 30), ("goal_radius", 3), ("clearance", 1.5), ("partial", False)):
        if chance.random() < 0.12:
            question[member] = value
    return question


SINGLE = {
    "path": path,
    "nearest": lambda: {"point": place(5), "count": chance.randrange(1, 9)},
    "raycast": lambda: {"start": place(), "end": place()},
    "move": lambda: {"start": place(), "end": place()},
    "wall": lambda: {"point": place()},
    "floors": lambda: {"x": place()[0], "z": place()[2]},
    "random": lambda: {"count": chance.randrange(1, 20)} if chance.random() < 0.5 else {"seed": 7, "center": place(), "radius": 9},
    "reachable": lambda: {"start": place(), "points": [place() for _ in range(5)]},
}
OTHER = {
    "flood": lambda: {"start": place(), "max_cost": chance.randrange(5, 40)},
    "matrix": lambda: {"sources": [place() for _ in range(3)], "targets": [place() for _ in range(4)]},
    "trace": lambda: {"positions": [place() for _ in range(3)], "times_ms": [0, 900, 99000], "max_speed": 8},
}


def packed_paths():
    points = [number for _ in range(4) for number in place() + place()]
    extra = json.dumps({"record": True, "instance": "run-0"}).encode()
    return (b"NAVQ" + struct.pack("<7I", 1, 4, 0, 0, 0, 0, 0) + struct.pack("<3f", *[float("nan")] * 3) + bytes(48)
            + struct.pack("<I", len(extra)) + struct.pack("<24f", *points) + extra)


def batch():
    queries = []
    for number in range(chance.randrange(1, 12)):
        kind = chance.choice(list(SINGLE))
        queries.append({"kind": kind, "id": number, **common(SINGLE[kind](), versions=False)})
    return {"queries": queries}


def to_arguments(question):
    words = []
    for key, value in question.items():
        text = value if isinstance(value, str) else json.dumps(value)
        if isinstance(value, list) and not isinstance(value[0], dict):
            text = ",".join(str(item) for item in value)
        words.append(f"{key}={''.join(f'%{byte:02x}' for byte in text.encode())}")
    return "&".join(words)


def question(number):
    kinds = list(SINGLE) + list(OTHER) + ["paths", "batch", "packed", "valid"]
    kind = kinds[number % len(kinds)]
    if kind == "packed":
        return "POST", MESH + "paths", packed_paths(), "application/vnd.navmeshd.paths"
    if kind == "paths":
        asked = {"queries": [path() for _ in range(5)]}
    elif kind == "batch":
        asked = batch()
    elif kind == "valid":
        asked = {"points": [place(), place()], "revision": 1}
        return "POST", MESH + "instances/run-1/valid", json.dumps({**asked, "record": True}), "application/json"
    else:
        asked = common((SINGLE.get(kind) or OTHER[kind])())
        if kind not in ("reachable", "matrix", "trace") and chance.random() < 0.5:
            return "GET", f"{MESH}{kind}?{to_arguments(asked)}&record=1", None, None
    return "POST", MESH + kind, json.dumps({**asked, "record": True}), "application/json"


set_instances()
ids = []
refused = 0
for number in range(count):
    reply, answer = ask(*question(number))
    recording = reply.headers["X-Recording"]
    assert recording, (reply.status, answer)
    refused += reply.status != 200
    ids.append(recording)
assert refused < count / 5, refused
for recording in ids:
    reply, file = ask("GET", f"/v1/recordings/{recording}")
    assert reply.status == 200, file
    (folder / f"{recording}.navrec").write_bytes(file)
