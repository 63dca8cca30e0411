#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The navmeshd authors
"""Reads a packed mesh as proto/exports/README.md lays it out, and fails unless it has all that the same mesh has as JSON.

packed_mesh.py MESH.navm... MESH.json...
"""

import itertools
import json
import struct
import sys


def read(data):
    """The mesh as its JSON has it."""
    magic, version, json_bytes, polygons, vertices, corners, neighbours, detail_vertices, triangles = struct.unpack_from("<4s8I", data)
    assert (magic, version, json_bytes % 4) == (b"NAVM", 1, 0)
    mesh = json.loads(data[36:36 + json_bytes])
    place = 36 + json_bytes

    def take(kind, count):
        nonlocal place
        size = struct.calcsize(kind) * count
        found = [value for value, in struct.iter_unpack("<" + kind, data[place:place + size])]
        place += -(-size // 4) * 4
        return found

    def points(count):
        flat = take("f", 3 * count)
        return [flat[i:i + 3] for i in range(0, 3 * count, 3)]

    def parts(whole, ends):
        return [whole[begin:end] for begin, end in itertools.pairwise([0, *ends])]

    mesh["vertices"] = points(vertices)
    ids, components = take("I", polygons), take("I", polygons)
    corner_ends, vertex_ends, triangle_ends = (take("I", polygons) for _ in range(3))
    outlines = parts(take("I", corners), corner_ends)
    neighbour_ends = take("I", corners)
    behind = parts(parts(take("I", neighbours), neighbour_ends), corner_ends)
    heights = parts(points(detail_vertices), vertex_ends)
    flat = take("H", 3 * triangles)
    faces = parts([flat[i:i + 3] for i in range(0, 3 * triangles, 3)], triangle_ends)
    areas = take("B", polygons)
    assert place == len(data), (place, len(data))
    switches = {each["polygon"]: each["switches"] for each in mesh.pop("switched")}
    mesh["polygons"] = []
    for i, number in enumerate(ids):
        polygon = {
            "id": str(number),
            "area": mesh["areas"][areas[i]]["area"],
            "component": components[i],
            "vertices": outlines[i],
            "neighbours": [[str(each) for each in edge] for edge in behind[i]],
        }
        if faces[i]:
            polygon["detail"] = {"vertices": heights[i], "triangles": faces[i]}
        if str(number) in switches:
            polygon["switches"] = switches[str(number)]
        mesh["polygons"].append(polygon)
    return mesh


def differences(one, other, where="mesh"):
    """Where they differ: floats by more than the JSON's last digit."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in one.keys() | other.keys():
            yield from differences(one.get(key), other.get(key), f"{where}.{key}")
    elif isinstance(one, list) and isinstance(other, list):
        if len(one) != len(other):
            yield f"{where}: {len(one)} and {len(other)}"
        for i, pair in enumerate(zip(one, other)):
            yield from differences(*pair, f"{where}[{i}]")
    elif isinstance(one, float) and isinstance(other, (int, float)):
        if abs(one - other) > 0.00051:
            yield f"{where}: {one} and {other}"
    elif one != other:
        yield f"{where}: {one} and {other}"


def main():
    count = len(sys.argv) // 2
    for packed_name, text_name in zip(sys.argv[1 : count + 1], sys.argv[count + 1 :], strict=True):
        with open(packed_name, "rb") as packed, open(text_name, encoding="utf-8") as text:
            found = list(itertools.islice(differences(read(packed.read()), json.load(text)), 5))
        if found:
            sys.exit("\n".join(found))


main()
