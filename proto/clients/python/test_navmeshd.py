# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The navmeshd authors
"""The client against a real daemon, whose addresses are in NAVMESHD_URL and NAVMESHD_UNIX
(tests/http/clients.bats starts one), and against a server of its own that is busy or breaks off."""

from __future__ import annotations

import http.server
import json
import os
import threading
import time
import unittest
from typing import Any

import navmeshd

URL = os.environ["NAVMESHD_URL"]
UNIX = "unix:" + os.environ["NAVMESHD_UNIX"]

# A floor of 20 x 20 m, as OBJ, and a hole of 14 x 4 m in it.
YARD = b"""v 0 0 0
v 20 0 0
v 20 0 20
v 0 0 20
f 4 3 2 1
"""
HOLE = {"volumes": [{"shape": "box", "min": [0, -1, 8], "max": [14, 1, 12], "area": "none"}]}


class Questions(unittest.TestCase):
    mesh: navmeshd.Mesh

    @classmethod
    def setUpClass(cls) -> None:
        cls.client = navmeshd.Client(URL)
        cls.addClassCleanup(cls.client.close)
        cls.client.wait_ready()
        cls.mesh = cls.client.mesh("python")
        cls.mesh.upload(YARD, config=HOLE, content_type="model/obj")

    def test_path(self) -> None:
        path = self.mesh.path((2, 0, 2), (2, 0, 18))
        self.assertEqual((path["status"], path["reason"], path["mesh"]), ("complete", None, "python"))
        self.assertGreater(path["length"], 26)  # around the hole: straight it would be 16
        self.assertTrue(path["optimal"])

    def test_no_way_is_an_answer(self) -> None:
        path = self.mesh.path((2, 0, 2), (90, 0, 90))
        self.assertEqual((path["status"], path["reason"], path["points"]), ("none", "end_off_mesh", []))

    def test_options(self) -> None:
        circle = {"shape": "circle", "center": [17, 0, 10], "radius": 6}
        path = self.mesh.path((2, 0, 2), (2, 0, 18), avoid=[circle], snap={"horizontal": 1}, details=["polygons"])
        self.assertEqual((path["status"], path["reason"]), ("partial", "blocked"))
        self.assertIn("polygons", path["details"])

    def test_each_kind(self) -> None:
        place = self.mesh.nearest((5, 1, 5), count=2)[0]
        self.assertAlmostEqual(place["position"][0], 5)
        self.assertEqual(len(self.mesh.floors(5, z=5)), 1)
        self.assertEqual(self.mesh.reachable((2, 0, 2), [(2, 0, 18), (90, 0, 90)]), [True, False])
        self.assertTrue(self.mesh.raycast((2, 0, 2), (2, 0, 18))["hit"])
        self.assertGreater(self.mesh.wall((10, 0, 5))["distance"], 1)
        self.assertEqual(self.mesh.move((2, 0, 2), (3, 0, 3))["position"][0], 3)
        self.assertEqual(len(self.mesh.random(count=3, seed=7)["points"]), 3)
        self.assertGreater(len(self.mesh.flood((2, 0, 2), 50)["polygons"]), 0)
        self.assertEqual(self.mesh.matrix([(2, 0, 2)], [(2, 0, 18), (90, 0, 90)])["costs"][0][1], None)
        self.assertFalse(self.mesh.trace([(2, 0, 2), (2, 0, 18)], times_ms=[0, 100], max_speed=2)["legal"])

    def test_an_error_names_the_field(self) -> None:
        with self.assertRaises(navmeshd.Error) as raised:
            self.mesh.path((2, 0, 2), (2, 0, 18), search="quick")
        error = raised.exception
        self.assertEqual((error.status, error.code, error.at, error.got), (422, "invalid_field", "search", "quick"))
        with self.assertRaises(navmeshd.Error) as raised:
            self.client.mesh("nowhere").path((2, 0, 2), (2, 0, 18))
        self.assertEqual(raised.exception.code, "mesh_not_found")

    def test_lists_have_the_order_of_their_queries(self) -> None:
        queries = [{"start": [2, 0, 2], "end": [x, 0, 18], "id": x} for x in range(2, 18)]
        paths = self.mesh.paths(queries, defaults={"search": "exact"})
        self.assertEqual([path["id"] for path in paths], list(range(2, 18)))
        for path, query in zip(paths, queries):
            alone = self.mesh.path((2, 0, 2), query["end"], search="exact")
            self.assertEqual((path["points"], path["cost"]), (alone["points"], alone["cost"]))

    def test_packed_paths_are_those_of_json(self) -> None:
        ends = [((2.0, 0.0, 2.0), (x, 0.0, 18.0)) for x in range(2, 100, 7)]
        packed = self.mesh.paths_packed(ends)
        plain = self.mesh.paths([{"start": start, "end": end} for start, end in ends])
        self.assertEqual([(p.status, p.reason, p.optimal) for p in packed], [(p["status"], p["reason"], p["optimal"]) for p in plain])
        for one, other in zip(packed, plain):
            self.assertAlmostEqual(one.length, other["length"], places=2)
            self.assertEqual(len(one.points), 3 * len(other["points"]))

    def test_packed_batches_are_those_of_json(self) -> None:
        queries = [
            {"kind": "path", "start": [2, 0, 2], "end": [2, 0, 18], "filter": 0},
            {"kind": "path", "start": [2, 0, 2], "end": [90, 0, 90]},
            {"kind": "nearest", "point": [5, 0, 5], "count": 2},
            {"kind": "raycast", "start": [2, 0, 2], "end": [2, 0, 18]},
            {"kind": "random", "count": 3, "seed": 7},
            {"kind": "reachable", "start": [2, 0, 2], "points": [[2, 0, 18], [90, 0, 90]]},
            {"kind": "wall", "point": [10, 0, 5]},
            {"kind": "floors", "x": 5, "z": 5},
            {"kind": "move", "start": [2, 0, 2], "end": [3, 0, 3]},
        ]
        filters = [{"costs": {"ground": 2}}]
        packed = self.mesh.batch_packed(queries, filters=filters)
        plain = self.mesh.batch(queries, filters=filters)
        self.assertEqual([result.kind for result in packed], [query["kind"] for query in queries])
        self.assertEqual([result.reason for result in packed], [result.get("reason") for result in plain])
        self.assertAlmostEqual(packed[0].answer["cost"], plain[0]["cost"], places=2)
        self.assertEqual(packed[1].answer["status"], "none")
        self.assertEqual(len(packed[2].answer["points"]), len(plain[2]["points"]))
        self.assertAlmostEqual(packed[3].answer["t"], plain[3]["t"], places=4)
        self.assertEqual(packed[4].answer["seed"], plain[4]["seed"])
        self.assertEqual(packed[5].answer["reachable"], plain[5]["reachable"])
        self.assertAlmostEqual(packed[6].answer["distance"], plain[6]["distance"], places=2)
        self.assertAlmostEqual(packed[7].answer["points"][0]["position"][1], plain[7]["floors"][0]["height"], places=2)
        self.assertAlmostEqual(packed[8].answer["position"][0], plain[8]["position"][0], places=2)

    def test_packed_questions_have_the_defaults_of_json_whatever_the_unit_is(self) -> None:
        mesh = self.client.mesh("python-centimetres")
        mesh.upload(YARD.replace(b"20", b"2000"), scale=0.01)
        # 1.5 m beside the ground, and 1 m above it.
        start, end = (-90, 100, 200), (1800, 0, 1800)
        plain = mesh.path(start, end)
        self.assertEqual(plain["status"], "complete")
        self.assertEqual(mesh.paths_packed([(start, end)])[0].status, "complete")
        self.assertEqual(mesh.paths_packed([(start, end)], defaults={"snap": {"up": 3, "down": 3}})[0].reason, "start_off_mesh")
        packed = mesh.batch_packed([{"kind": "path", "start": start, "end": end}, {"kind": "wall", "point": [1000, 0, 1000]},
                                    {"kind": "path", "start": start, "end": end, "snap": {"down": 3}}])  # fmt: skip
        self.assertAlmostEqual(packed[0].answer["cost"], plain["cost"], places=1)
        self.assertAlmostEqual(packed[1].answer["distance"], mesh.wall((1000, 0, 1000))["distance"], places=1)
        self.assertEqual(packed[2].reason, "start_off_mesh")

    def test_a_column_is_named_by_the_two_level_axes(self) -> None:
        mesh = self.client.mesh("python-x-up")
        level = b"v 0 0 0\nv 0 20 0\nv 0 20 20\nv 0 0 20\nf 1 2 3 4\n"
        mesh.upload(level, config={"coordinates": {"axes": ["y", "x", "-z"]}, "winding": "as_given"}, content_type="model/obj")
        self.assertEqual(len(mesh.floors(y=5, z=5)), 1)
        self.assertEqual(len(mesh.batch_packed([{"kind": "floors", "y": 5, "z": 5}])[0].answer["points"]), 1)

    def test_what_a_packed_query_cannot_say(self) -> None:
        for query in ({"kind": "path", "clearance": 1}, {"kind": "path", "filter": "boat"}, {"kind": "path", "id": 7}):
            with self.assertRaises(ValueError):
                self.mesh.batch_packed([{"start": [2, 0, 2], "end": [3, 0, 3], **query}])

    def test_unix_socket(self) -> None:
        with navmeshd.Client(UNIX) as client:
            path = client.mesh("python").path((2, 0, 2), (2, 0, 18))
        self.assertEqual(path["points"], self.mesh.path((2, 0, 2), (2, 0, 18))["points"])

    def test_threads_have_connections_of_their_own(self) -> None:
        lengths: list[float] = []

        def ask() -> None:
            lengths.extend(self.mesh.path((2, 0, 2), (2, 0, 18))["length"] for _ in range(20))
            self.client.close()

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual((len(lengths), len(set(lengths))), (80, 1))


class Versions(unittest.TestCase):
    def setUp(self) -> None:
        self.client = navmeshd.Client(URL)
        self.addCleanup(self.client.close)
        self.mesh = self.client.mesh(self.id().split(".")[-1])

    def test_life_of_versions(self) -> None:
        events: list[str] = []
        first = self.mesh.upload(YARD, content_type="model/obj", on_event=lambda name, data: events.append(name), reuse=False)
        second = self.mesh.upload(YARD, content_type="model/obj", cell_size=0.2)
        self.assertEqual((first["state"], second["active"]), ("ready", True))
        self.assertIn(events[-1:], (["ready"], []))  # a bake that ends before it is listened to has no events
        self.assertEqual(self.mesh.activate(first["version"])["previous"], second["version"])
        self.assertEqual(self.mesh.info()["active"], first["version"])
        self.assertIn("<svg", self.mesh.picture(first["version"], width=300))
        self.assertEqual(self.mesh.geometry(first["version"])[:4], b"NAVG")
        self.assertIn("tiles", self.mesh.diff(first["version"], second["version"]))
        self.assertIn(b"\nf ", self.mesh.export(first["version"], "obj", bounds=[0, -1, 0, 20, 1, 20]))
        self.mesh.set_checks([{"name": "way", "start": [2, 0, 2], "end": [18, 0, 18], "expect": "reachable"}])
        self.assertEqual(self.mesh.checks()[0]["name"], "way")
        self.mesh.delete(second["version"])
        self.assertEqual([version["version"] for version in self.mesh.versions()], [first["version"]])
        self.mesh.delete()
        self.assertNotIn(self.mesh.name, [mesh["mesh"] for mesh in self.client.meshes()])

    def test_events_of_a_bake_that_takes_a_while(self) -> None:
        # Ground of many tiles: the stream is open before it ends.
        big = YARD.replace(b"20", b"400")
        names: list[str] = []
        version = self.mesh.upload(big, content_type="model/obj", tile_cells=64, on_event=lambda name, data: names.append(name))
        self.assertEqual(version["state"], "ready")
        self.assertEqual(names[-1], "ready")
        self.assertIn("progress", names)

    def test_a_bake_that_fails(self) -> None:
        with self.assertRaises(navmeshd.BakeError) as raised:
            self.mesh.upload(b"v 0 0 0\nv 20 0 0\nv 20 90 20\nf 3 2 1\n", content_type="model/obj")
        self.assertEqual((raised.exception.code, raised.exception.version["state"]), ("mesh_empty", "failed"))

    def test_what_a_listener_raises_is_raised(self) -> None:
        def hear(name: str, data: Any) -> None:
            raise BrokenPipeError(name)

        with self.assertRaises(BrokenPipeError):
            self.mesh.upload(YARD.replace(b"20", b"400"), content_type="model/obj", tile_cells=64, on_event=hear)


class Instances(unittest.TestCase):
    def test_state_is_laid_over_the_mesh(self) -> None:
        client = navmeshd.Client(URL)
        self.addCleanup(client.close)
        mesh = client.mesh("python-worlds")
        gate = {"gate": {"shapes": [{"shape": "box", "min": [-1, -1, 8], "max": [21, 1, 12]}]}}
        mesh.upload(YARD, content_type="model/obj", config={"switches": gate})
        run = mesh.instance("run-17")
        created = run.put(switches={"gate": "closed"})
        self.assertEqual(run.path((2, 0, 2), (2, 0, 18)).get("blocked_by"), ["gate"])
        changed = run.change(revision=created["revision"], switches={"gate": "open"})
        self.assertGreater(changed["revision"], created["revision"])
        path = run.path((2, 0, 2), (2, 0, 18))
        self.assertEqual(path["status"], "complete")
        with self.assertRaises(navmeshd.Error) as raised:
            run.change(revision=created["revision"], switches={"gate": "closed"})
        self.assertEqual((raised.exception.status, raised.exception.code), (412, "stale_etag"))
        self.assertTrue(run.valid(path["points"])["valid"])
        self.assertEqual([one["instance"] for one in mesh.instances()], ["run-17"])
        packed = mesh.paths_packed([((2, 0, 2), (2, 0, 18))], defaults={"instance": "run-17"})
        self.assertEqual(packed[0].status, "complete")
        stream = run.events()
        self.assertEqual(next(stream)[1]["revision"], changed["revision"])
        run.delete()
        self.assertEqual(list(mesh.instances()), [])


class Busy(unittest.TestCase):
    """A server that answers as told, request by request."""

    def serve(self, *replies: Any, **options: Any) -> tuple[navmeshd.Client, list[float]]:
        asked: list[float] = []
        left = list(replies)

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                asked.append(time.monotonic())
                reply = left.pop(0)
                if reply is None:
                    self.close_connection = True
                    return
                status, headers, *body = reply
                self.answer(status, headers, body[0] if body else {"code": "overloaded", "detail": "busy", "meshes": []})

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                self.do_GET()

            def answer(self, status: int, headers: dict[str, str], answer: Any) -> None:
                body = json.dumps(answer).encode()
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        client = navmeshd.Client(f"http://127.0.0.1:{server.server_port}", pause=0.01, **options)
        self.addCleanup(client.close)
        return client, asked

    def test_retry_after_is_waited_for(self) -> None:
        client, asked = self.serve((503, {"Retry-After": "1"}), (429, {}), (200, {}))
        self.assertEqual(client.meshes(), [])
        self.assertEqual(len(asked), 3)
        self.assertGreaterEqual(asked[1] - asked[0], 1.0)

    def test_retry_after_is_waited_for_no_longer_than_a_reply(self) -> None:
        client, asked = self.serve((503, {"Retry-After": "99999999"}), (200, {}), timeout=0.2)
        self.assertEqual(client.meshes(), [])
        self.assertLess(asked[1] - asked[0], 30.0)

    def test_a_redirect_is_no_answer(self) -> None:
        client, asked = self.serve((302, {"Location": "http://127.0.0.1:1/"}))
        with self.assertRaises(navmeshd.Error) as raised:
            client.meshes()
        self.assertEqual((raised.exception.status, len(asked)), (302, 1))

    def test_a_connection_that_breaks_is_opened_again(self) -> None:
        client, asked = self.serve(None, None, (200, {}))
        self.assertEqual(client.meshes(), [])
        self.assertEqual(len(asked), 3)

    def test_it_ends_after_its_retries(self) -> None:
        client, asked = self.serve(*[(503, {})] * 3, retries=2)
        with self.assertRaises(navmeshd.Error) as raised:
            client.meshes()
        self.assertEqual((raised.exception.status, len(asked)), (503, 3))

    def test_a_refusal_is_not_sent_again(self) -> None:
        client, asked = self.serve((422, {}))
        with self.assertRaises(navmeshd.Error):
            client.meshes()
        self.assertEqual(len(asked), 1)


    def test_a_stream_that_there_is_no_room_for_is_opened_again(self) -> None:
        version = {"mesh": "a", "version": 1, "state": "baking"}
        client, asked = self.serve((503, {}), (200, {}, version), (503, {}), (200, {}, {**version, "state": "ready"}))
        self.assertEqual(client.mesh("a").wait(version)["state"], "ready")
        self.assertEqual(len(asked), 4)

    def test_a_deadline_that_comes_first_is_raised(self) -> None:
        client, _ = self.serve((200, {}, {"mesh": "a", "version": 1, "reason": "deadline"}))
        with self.assertRaises(navmeshd.Error) as raised:
            client.mesh("a").nearest((1, 0, 1), deadline_ms=1)
        self.assertEqual(raised.exception.code, "deadline")


class Addresses(unittest.TestCase):
    def test_what_is_no_address(self) -> None:
        for url in ("127.0.0.1:7650", "https://127.0.0.1", "", "http://", "unix:", "http://127.0.0.1/prefix"):
            with self.assertRaises(ValueError):
                navmeshd.Client(url)


if __name__ == "__main__":
    unittest.main()
