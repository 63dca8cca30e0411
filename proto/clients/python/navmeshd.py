# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The navmeshd authors
"""Client of navmeshd, which bakes navigation meshes and answers path questions.

    import navmeshd

    client = navmeshd.Client()                       # http://127.0.0.1:7650, or "unix:/run/navmeshd.sock"
    town = client.mesh("town")
    town.upload("town.obj", on_event=print)
    path = town.path((2, 0, 2), (70, 0, 70))
    print(path["status"], path["length"], path["points"])

One file, standard library only. Answers are dictionaries as the daemon sends them; their types are those
of its OpenAPI document. A refusal is raised as `Error`. Requests that found the daemon busy or away are
sent again, after the time that it names (`Retry-After`), else after a pause that doubles each time; also
when the connection broke, so that it may have done what it is then asked for once more (README of clients).

Threads: a `Client` may be used from any number of them; each has a connection of its own.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import random
import socket
import struct
import threading
import time
import urllib.parse
from typing import IO, Any, Callable, Generator, Iterator, Mapping, NamedTuple, Optional, Sequence, Tuple, TypedDict, Union, cast

__version__ = "0.1.0"

Point = Tuple[float, float, float]
Json = Mapping[str, Any]
OnEvent = Callable[[str, Json], None]
Source = Union[bytes, bytearray, memoryview, str, "os.PathLike[str]"]

SEARCHES = ("auto", "fast", "exact")
STATUSES = ("none", "partial", "complete")
REASONS = (None, "start_off_mesh", "end_off_mesh", "unreachable", "blocked", "node_budget", "deadline", "max_cost", "max_length")
KINDS = ("path", "nearest", "raycast", "random", "reachable", "wall", "floors", "move")
MEDIA_TYPES = {
    ".obj": "model/obj",
    ".stl": "model/stl",
    ".ply": "model/ply",
    ".glb": "model/gltf-binary",
    ".json": "application/json",
    ".navg": "application/vnd.navmeshd.geometry",
    ".mset": "application/vnd.detour.mset",
    ".tar": "application/x-tar",
}
DEFAULT = float("nan")  # in packed questions: what is not given, for which the daemon has a default in metres


class _PathNeeded(TypedDict):
    status: str
    reason: Optional[str]
    length: float
    cost: float
    optimal: bool
    lower_bound: float
    start: list[float]
    end: list[float]
    points: list[list[float]]


class Path(_PathNeeded, total=False):
    """The answer to a path. Beside it stand mesh and version, or the id of a query in a list."""

    mesh: str
    version: int
    instance: str
    revision: int
    id: Union[str, int, float]
    blocked_by: list[str]
    clearance_min: float
    unproven: str
    nearest: Nearby
    islands: dict[str, Any]
    details: dict[str, Any]


class Nearby(TypedDict):
    """The ground nearest to a point that is off the mesh."""

    position: list[float]
    distance: float
    direction: list[float]


class Place(TypedDict, total=False):
    """A place on the mesh."""

    position: list[float]
    height: float
    distance: float
    polygon: str
    area: str
    component: int


class Raycast(TypedDict):
    hit: bool
    reason: Optional[str]
    t: Optional[float]
    start: Optional[list[float]]
    position: Optional[list[float]]
    normal: Optional[list[float]]
    cost: Optional[float]
    polygon: Optional[str]


class _VersionNeeded(TypedDict):
    mesh: str
    version: int
    state: str
    active: bool
    progress: float
    warnings: Optional[list[dict[str, Any]]]
    error: Optional[dict[str, Any]]


class Version(_VersionNeeded, total=False):
    """A version of a mesh, with its settings (`config`) and numbers (`stats`)."""

    created_at: Optional[str]
    deduplicated: bool
    config: Optional[dict[str, Any]]
    geometry: Optional[dict[str, Any]]
    blob: Optional[dict[str, Any]]
    stats: Optional[dict[str, Any]]
    timings_ms: Optional[dict[str, float]]
    checks: Optional[list[dict[str, Any]]]


class PackedPath(NamedTuple):
    """One answer of `Mesh.paths_packed`. Points are floats x, y, z, one behind the other."""

    status: str
    reason: Optional[str]
    optimal: bool
    length: float
    cost: float
    lower_bound: float
    nodes: int
    points: Tuple[float, ...]


class PackedResult(NamedTuple):
    """One answer of `Mesh.batch_packed`: its kind, its reason (None: it is a good answer), the revision of its
    instance (0: none), and what the kind has, by the names of the JSON answer. Polygons are numbers."""

    kind: str
    reason: Optional[str]
    revision: int
    answer: dict[str, Any]


class Error(Exception):
    """The daemon has refused a request. `code` is a word that does not change from release to release; `at`,
    `got` and `limit` say where the fault is, `suggest` what was probably meant, and `status` is that of HTTP."""

    def __init__(self, status: int, problem: Json) -> None:
        self.status = status
        self.code = str(problem.get("code", "internal_error"))
        self.detail = str(problem.get("detail", ""))
        self.at = problem.get("at")
        self.got = problem.get("got")
        self.limit = problem.get("limit")
        self.suggest = problem.get("suggest")
        self.request_id = problem.get("request_id")
        self.problem = dict(problem)
        super().__init__(f"{status} {self.code}: {self.detail}")


class BakeError(Error):
    """A bake has failed, or was cancelled. `version` is what there is of it."""

    def __init__(self, version: Version) -> None:
        self.version = version
        problem = version.get("error") or {"status": 409, "code": version["state"], "detail": f"the bake is {version['state']}"}
        super().__init__(int(problem["status"]), problem)


class Client:
    """A daemon. `url` is http://HOST:PORT or unix:PATH, `token` what its token file has for this client.
    `timeout`: seconds that a reply may take; `retries`: how often a request is sent again, and `pause`:
    seconds before the first time."""

    def __init__(
        self,
        url: str = "http://127.0.0.1:7650",
        *,
        token: Optional[str] = None,
        timeout: float = 60.0,
        retries: int = 5,
        pause: float = 0.1,
    ) -> None:
        parts = urllib.parse.urlsplit(url)
        if not (parts.scheme == "http" and parts.hostname and parts.path in ("", "/")) and not (parts.scheme == "unix" and parts.path):
            raise ValueError(f"{url!r} is neither http://HOST:PORT nor unix:PATH")
        self._unix = parts.path if parts.scheme == "unix" else None
        self._host = parts.hostname or "localhost"
        self._port = parts.port or 80
        self._token = token
        self._timeout = timeout
        self._retries = retries
        self.pause = pause
        self._local = threading.local()

    def mesh(self, name: str) -> Mesh:
        """A mesh by name, which need not be there yet."""
        return Mesh(self, name)

    def meshes(self) -> list[dict[str, Any]]:
        """All meshes, with their live versions."""
        return cast("list[dict[str, Any]]", self.ask("GET", "/v1/meshes")["meshes"])

    def status(self) -> dict[str, Any]:
        """Build, uptime, memory, queue, limits."""
        return self.ask("GET", "/v1/status")

    def wait_ready(self, seconds: float = 60.0) -> None:
        """Returns when the daemon has loaded its meshes. Raises TimeoutError."""
        end = time.monotonic() + seconds
        while True:
            try:
                if self._send("GET", "/readyz", None, {}).status == 200:
                    return
            except OSError:
                pass
            if time.monotonic() > end:
                raise TimeoutError(f"the daemon is not ready after {seconds} s")
            time.sleep(0.05)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes this thread's connection. The next request opens another."""
        connection = getattr(self._local, "connection", None)
        self._local.connection = None
        if connection is not None:
            connection.close()

    # ---- one request ----

    def ask(self, method: str, path: str, *, json_body: Any = None, query: Optional[Json] = None, headers: Optional[Mapping[str, str]] = None) -> dict[str, Any]:
        """Sends JSON, returns the reply's. Raises Error, or OSError where no daemon answers."""
        body = None if json_body is None else json.dumps(json_body).encode()
        sent = dict(headers or {})
        if body is not None:
            sent["Content-Type"] = "application/json"
        reply = self.send(method, path, body, sent, query=query)
        return cast("dict[str, Any]", json.loads(reply)) if reply else {}

    def send(self, method: str, path: str, body: Optional[bytes] = None, headers: Optional[Mapping[str, str]] = None, *, query: Optional[Json] = None) -> bytes:
        """Sends bytes, returns the reply's. What found the daemon busy or away is sent again."""
        target = path + _query_string(query)
        for attempt in range(self._retries + 1):
            try:
                reply = self._send(method, target, body, dict(headers or {}))
                content = reply.read()
            except (OSError, http.client.HTTPException):
                self.close()
                if attempt == self._retries:
                    raise
                time.sleep(self._back_off(attempt, None))
                continue
            if reply.status in (429, 503) and attempt < self._retries:
                time.sleep(self._back_off(attempt, reply.headers.get("Retry-After")))
            elif reply.status >= 300 and reply.status != 304:
                raise Error(reply.status, _problem(content))
            else:
                return content
        raise AssertionError("unreachable")

    def _back_off(self, attempt: int, retry_after: Optional[str]) -> float:
        if retry_after is not None and retry_after.isdigit():
            return min(float(retry_after[:9]), self._timeout)
        return self.pause * float(2**attempt) * random.uniform(0.5, 1.0)  # clients do not come back together

    def _send(self, method: str, target: str, body: Optional[bytes], headers: dict[str, str]) -> http.client.HTTPResponse:
        connection = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._local.connection = self._connect()
        if self._token is not None:
            headers["Authorization"] = f"Bearer {self._token}"
        connection.request(method, target, body=body, headers=headers)
        return cast(http.client.HTTPResponse, connection.getresponse())

    def _connect(self) -> http.client.HTTPConnection:
        if self._unix is not None:
            return _UnixConnection(self._unix, self._timeout)
        return http.client.HTTPConnection(self._host, self._port, timeout=self._timeout)

    def events(self, path: str) -> Generator[Tuple[str, dict[str, Any]], None, None]:
        """Server-sent events of a path: their names and data, until the daemon ends the stream. A daemon that has
        nothing to tell says so every few seconds, so that `timeout` is only for one that is away."""
        connection = self._connect()
        try:
            headers = {"Accept": "text/event-stream"}
            if self._token is not None:
                headers["Authorization"] = f"Bearer {self._token}"
            connection.request("GET", path, headers=headers)
            reply = connection.getresponse()
            if reply.status >= 300:
                raise Error(reply.status, _problem(reply.read()))
            yield from _read_events(reply)
        finally:
            connection.close()


class Mesh:
    """A mesh by name: its questions, versions and instances. Every question takes further parameters of the
    API by name, such as filter=, avoid=, snap=, instance=, agent=, version=, deadline_ms=."""

    def __init__(self, client: Client, name: str) -> None:
        self.client = client
        self.name = name
        self._path = "/v1/meshes/" + urllib.parse.quote(name, safe="")

    # ---- questions ----

    def path(self, start: Sequence[float], end: Sequence[float], **options: Any) -> Path:
        """The way from start to end: search=, details=, partial=, max_cost=, max_length=, goal_radius=, clearance=."""
        return cast(Path, self._question("path", start=start, end=end, **options))

    def paths(self, queries: Sequence[Json], *, defaults: Optional[Json] = None, version: Optional[int] = None) -> list[Path]:
        """Many paths in one request, answered from one version, in their order."""
        body = _given(queries=list(queries), defaults=defaults, version=version)
        return cast("list[Path]", self._post("paths", body)["results"])

    def batch(self, queries: Sequence[Json], **lists: Any) -> list[dict[str, Any]]:
        """Mixed questions in one request, each with its kind; filters=, avoid_sets=, instances=, agents= are lists
        whose entries queries name by number."""
        return cast("list[dict[str, Any]]", self._post("batch", _given(queries=list(queries), **lists))["results"])

    def matrix(self, sources: Sequence[Sequence[float]], targets: Sequence[Sequence[float]], **options: Any) -> dict[str, Any]:
        """Costs of the paths from each source to each target; nearest=K: only the K cheapest."""
        return self._question("matrix", sources=list(sources), targets=list(targets), **options)

    def reachable(self, start: Sequence[float], points: Sequence[Sequence[float]], **options: Any) -> list[bool]:
        """Whether each of the points can be reached from start."""
        return cast("list[bool]", _member(self._question("reachable", start=start, points=list(points), **options), "reachable"))

    def nearest(self, point: Sequence[float], **options: Any) -> list[Place]:
        """The places of the mesh that are nearest to a point: count=, reachable_from=, above=, below=."""
        return cast("list[Place]", _member(self._question("nearest", point=point, **options), "points"))

    def floors(self, x: Optional[float] = None, *, y: Optional[float] = None, z: Optional[float] = None, **options: Any) -> list[Place]:
        """Every floor of a column, highest first: x and z, or x and y where the level has Z up."""
        return cast("list[Place]", _member(self._question("floors", x=x, y=y, z=z, **options), "floors"))

    def raycast(self, start: Sequence[float], end: Sequence[float], **options: Any) -> Raycast:
        """Straight until a wall is in the way."""
        return cast(Raycast, self._question("raycast", start=start, end=end, **options))

    def move(self, start: Sequence[float], end: Sequence[float], **options: Any) -> dict[str, Any]:
        """A step that slides along walls."""
        return self._question("move", start=start, end=end, **options)

    def wall(self, point: Sequence[float], **options: Any) -> dict[str, Any]:
        """The nearest wall: max_radius=."""
        return self._question("wall", point=point, **options)

    def random(self, **options: Any) -> dict[str, Any]:
        """Random places, spread evenly: count=, seed=, center=, radius=."""
        return self._question("random", **options)

    def flood(self, start: Sequence[float], max_cost: float, **options: Any) -> dict[str, Any]:
        """The polygons that can be reached at a cost."""
        return self._question("flood", start=start, max_cost=max_cost, **options)

    def trace(self, positions: Sequence[Sequence[float]], **options: Any) -> dict[str, Any]:
        """Whether a movement log can have been walked: times_ms=, max_speed=."""
        return self._question("trace", positions=list(positions), **options)

    def _question(self, word: str, **parameters: Any) -> dict[str, Any]:
        return self._post(word, _given(**parameters))

    def _post(self, word: str, body: Json) -> dict[str, Any]:
        return self.client.ask("POST", f"{self._path}/{word}", json_body=body)

    # ---- packed questions: bytes, for thousands a tick ----

    def paths_packed(
        self,
        ends: Sequence[Tuple[Sequence[float], Sequence[float]]],
        *,
        defaults: Optional[Json] = None,
        version: int = 0,
    ) -> list[PackedPath]:
        """Paths as bytes: (start, end) of each. `defaults` has what else is the same for all, by the API's names:
        search, snap, filter, instance and so on. version 0: the live one."""
        extra = json.dumps(defaults).encode() if defaults else b""
        head = struct.pack("<4s7I3f48xI", b"NAVQ", 1, len(ends), version, 0, 0, 0, 0, DEFAULT, DEFAULT, DEFAULT, len(extra))
        points = struct.pack(f"<{6 * len(ends)}f", *(number for pair in ends for point in pair for number in point))
        return _unpack_paths(self._packed("paths", head + points + extra))

    def batch_packed(self, queries: Sequence[Json], *, version: int = 0, **lists: Any) -> list[PackedResult]:
        """`batch` as bytes: the same queries, but filter, avoid, instance and agent are numbers of the lists, from 0
        on, and there are neither ids nor details."""
        points: list[float] = []
        rows = b"".join(_pack_query(query, points) for query in queries)
        extra = json.dumps(_given(**lists)).encode() if lists else b""
        head = struct.pack("<4s5I8x", b"NAVB", 1, len(queries), version, len(extra), len(points) // 3)
        body = head + rows + struct.pack(f"<{len(points)}f", *points) + extra
        return _unpack_batch(self._packed("batch", body))

    def _packed(self, word: str, body: bytes) -> bytes:
        return self.client.send("POST", f"{self._path}/{word}", body, {"Content-Type": f"application/vnd.navmeshd.{word}"})

    # ---- versions ----

    def upload(
        self,
        geometry: Source,
        *,
        config: Optional[Json] = None,
        content_type: Optional[str] = None,
        on_event: Optional[OnEvent] = None,
        **arguments: Any,
    ) -> Version:
        """Uploads a level and waits until it is baked: a file's name, or bytes. `config` has its settings; single ones,
        activate=, reuse=, force= and the like are arguments. on_event(name, data) hears of the progress. Raises
        BakeError where the bake fails, Error where the upload is refused."""
        body, kind = _read_source(geometry, content_type)
        if config is not None:
            body, kind = _form(body, kind, config)
        reply = self.client.send("POST", f"{self._path}/versions", body, {"Content-Type": kind}, query=arguments)
        return self.wait(cast(Version, json.loads(reply)), on_event)

    def wait(self, version: Union[Version, int], on_event: Optional[OnEvent] = None) -> Version:
        """Waits for the end of a bake. A stream of events that breaks off, or that there is no room for, is opened
        again."""
        number = version if isinstance(version, int) else version["version"]
        last = self.version(number) if isinstance(version, int) else version
        while last["state"] in ("queued", "baking"):
            with contextlib.closing(self.client.events(f"{self._path}/versions/{number}/events")) as stream:
                while (event := _next_event(stream)) is not None:
                    if on_event is not None:
                        on_event(*event)
            last = self.version(number)
            if last["state"] in ("queued", "baking"):
                time.sleep(self.client.pause)
        if last["state"] != "ready":
            raise BakeError(last)
        return last

    def info(self) -> dict[str, Any]:
        """The mesh with its live version and all others."""
        return self.client.ask("GET", self._path)

    def versions(self) -> list[Version]:
        """All versions."""
        return cast("list[Version]", self.client.ask("GET", f"{self._path}/versions")["versions"])

    def version(self, number: int) -> Version:
        """One version."""
        return cast(Version, self.client.ask("GET", f"{self._path}/versions/{number}"))

    def activate(self, number: int, *, force: bool = False) -> dict[str, Any]:
        """Makes a version live, or rolls back to it: {"version": 2, "previous": 3}."""
        query = {"force": 1} if force else None
        return self.client.ask("PUT", f"{self._path}/active", json_body={"version": number}, query=query)

    def diff(self, old: int, new: int, **query: Any) -> dict[str, Any]:
        """Tiles, walkable area and islands that changed: agent=."""
        return self.client.ask("GET", f"{self._path}/versions/diff", query={"from": old, "to": new, **query})

    def checks(self) -> list[dict[str, Any]]:
        """What each new version must meet before it goes live."""
        return cast("list[dict[str, Any]]", self.client.ask("GET", f"{self._path}/checks")["checks"])

    def set_checks(self, checks: Sequence[Json]) -> None:
        """Replaces the checks."""
        self.client.ask("PUT", f"{self._path}/checks", json_body={"checks": list(checks)})

    def geometry(self, number: int) -> bytes:
        """The triangles of a version, or its file of tiles, as they are stored."""
        return self.client.send("GET", f"{self._path}/versions/{number}/geometry")

    def export(self, number: int, format: str, **query: Any) -> bytes:
        """A version as a file: json, packed, obj, glb, mset or svg; bounds=, agent=."""
        return self.client.send("GET", f"{self._path}/versions/{number}/export", query={"format": format, **query})

    def picture(self, number: int, **query: Any) -> str:
        """A version from above, as SVG: width=, path=, agent=."""
        return self.client.send("GET", f"{self._path}/versions/{number}/render.svg", query=query).decode()

    def delete(self, number: Optional[int] = None) -> None:
        """Deletes a version, or cancels its bake; without a number the whole mesh."""
        self.client.send("DELETE", self._path if number is None else f"{self._path}/versions/{number}")

    # ---- instances ----

    def instance(self, name: str) -> Instance:
        """State at run time by name, which need not be there yet."""
        return Instance(self, name)

    def instances(self) -> Iterator[dict[str, Any]]:
        """All instances of the mesh, page by page."""
        after: Optional[str] = None
        while True:
            page = self.client.ask("GET", f"{self._path}/instances", query=_given(after=after))
            yield from page["instances"]
            after = page.get("next")
            if after is None:
                return


class Instance:
    """State of a world at run time, laid over a mesh: switches, obstacles, links, costs of areas."""

    def __init__(self, mesh: Mesh, name: str) -> None:
        self.mesh = mesh
        self.name = name
        self._path = f"{mesh._path}/instances/{urllib.parse.quote(name, safe='')}"

    def put(self, **state: Any) -> dict[str, Any]:
        """Creates or replaces it: switches=, obstacles=, links=, area_costs=, version=, expires_in_s=."""
        return self.mesh.client.ask("PUT", self._path, json_body=state)

    def change(self, *, revision: Optional[int] = None, **changes: Any) -> dict[str, Any]:
        """Changes what is named; None removes one by its id. `revision`: only if it still has that one."""
        headers = {} if revision is None else {"If-Match": f'"{revision}"'}
        return self.mesh.client.ask("PATCH", self._path, json_body=changes, headers=headers)

    def get(self) -> dict[str, Any]:
        """Its state, with its revision."""
        return self.mesh.client.ask("GET", self._path)

    def valid(self, points: Sequence[Sequence[float]], **options: Any) -> dict[str, Any]:
        """Whether an earlier path still holds: revision=, agent=, filter=."""
        return self.mesh.client.ask("POST", f"{self._path}/valid", json_body={"points": list(points), **options})

    def events(self) -> Generator[Tuple[str, dict[str, Any]], None, None]:
        """Its changes as they come."""
        return self.mesh.client.events(f"{self._path}/events")

    def path(self, start: Sequence[float], end: Sequence[float], **options: Any) -> Path:
        """A path in this instance."""
        return self.mesh.path(start, end, instance=self.name, **options)

    def delete(self) -> None:
        """Removes it."""
        self.mesh.client.send("DELETE", self._path)


# ---- inside ----


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: str, timeout: float) -> None:
        super().__init__("localhost", timeout=timeout)
        self._unix_path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._unix_path)


def _given(**members: Any) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not None}


# Of an answer that has nothing but a reason.
def _member(answer: dict[str, Any], name: str) -> Any:
    if name not in answer:
        raise Error(200, {"code": answer.get("reason"), "detail": "the deadline came before the answer"})
    return answer[name]


# Of a bake's stream: None where it ends, breaks off, or the daemon has no room for it now.
def _next_event(stream: Iterator[Tuple[str, dict[str, Any]]]) -> Optional[Tuple[str, dict[str, Any]]]:
    try:
        return next(stream, None)
    except (OSError, http.client.HTTPException):
        return None
    except Error as error:
        if error.status != 503:
            raise
        return None


def _query_string(query: Optional[Json]) -> str:
    if not query:
        return ""
    return "?" + urllib.parse.urlencode({name: _argument(value) for name, value in query.items()})


def _argument(value: Any) -> str:
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, (list, tuple)) and all(isinstance(item, (int, float)) for item in value):
        return ",".join(repr(item) for item in value)
    return json.dumps(value) if isinstance(value, (dict, list, tuple)) else str(value)


def _problem(content: bytes) -> dict[str, Any]:
    try:
        problem = json.loads(content)
    except ValueError:
        problem = None
    return problem if isinstance(problem, dict) else {"detail": content[:200].decode("utf-8", "replace")}


def _read_events(reply: IO[bytes]) -> Iterator[Tuple[str, dict[str, Any]]]:
    name, data = "message", ""
    for raw in reply:
        line = raw.decode().rstrip("\r\n")
        if line.startswith("event:"):
            name = line[6:].strip()
        elif line.startswith("data:"):
            data += line[5:].lstrip()
        elif line == "" and data:
            yield name, cast("dict[str, Any]", json.loads(data))
            name, data = "message", ""


def _read_source(geometry: Source, content_type: Optional[str]) -> Tuple[bytes, str]:
    if isinstance(geometry, (bytes, bytearray, memoryview)):
        return bytes(geometry), content_type or "application/octet-stream"
    with open(geometry, "rb") as file:
        body = file.read()
    if content_type is None:
        ending = os.path.splitext(os.fspath(geometry))[1].lower()
        content_type = MEDIA_TYPES.get(ending, "application/octet-stream")
    return body, content_type


def _form(body: bytes, kind: str, config: Json) -> Tuple[bytes, str]:
    boundary = f"navmeshd-{os.urandom(16).hex()}"
    parts = (("geometry", kind, body), ("config", "application/json", json.dumps(config).encode()))
    out = b""
    for name, part_kind, content in parts:
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\nContent-Type: {part_kind}\r\n\r\n'
        out += head.encode() + content + b"\r\n"
    return out + f"--{boundary}--\r\n".encode(), f"multipart/form-data; boundary={boundary}"


def _unpack_paths(body: bytes) -> list[PackedPath]:
    magic, form, _, count, point_count, _ = struct.unpack_from("<4s5I", body)
    if magic != b"NAVP" or form != 1:
        raise ValueError("this is no packed answer that this client knows")
    points = struct.unpack_from(f"<{3 * point_count}f", body, 24 + 28 * count)
    out = []
    for status, reason, optimal, _, first, points_of, length, cost, bound, nodes in struct.iter_unpack(
        "<4B2I3fI", body[24 : 24 + 28 * count]
    ):
        way = points[3 * first : 3 * (first + points_of)]
        out.append(PackedPath(STATUSES[status], REASONS[reason], optimal == 1, length, cost, bound, nodes, way))
    return out


_NUMBERED = ("filter", "avoid", "instance", "agent")


def _pack_query(query: Json, points: list[float]) -> bytes:
    unknown = set(query) - {
        *_NUMBERED, "kind", "search", "start", "end", "point", "points", "center", "radius", "max_radius", "goal_radius", "snap",
        "count", "seed", "reachable_from", "above", "below", "partial", "max_nodes", "max_cost", "max_length", "deadline_ms", "x", "y", "z",
    }  # fmt: skip
    if unknown:
        raise ValueError(f"a packed query has no {sorted(unknown)[0]!r}")
    for name in _NUMBERED:
        if not isinstance(query.get(name, 0), int):
            raise ValueError(f"{name!r} of a packed query is a number of the batch's list, from 0 on")
    kind = query["kind"]
    column = [name for name in "xyz" if name in query]
    flags = (
        (0 if query.get("partial", True) else 1)
        | (2 if query.get("above") else 0)
        | (4 if query.get("below") else 0)
        | (8 if "reachable_from" in query or "center" in query else 0)
        | (16 if "seed" in query else 0)
        | (32 if column == ["x", "y"] else 64 if column == ["y", "z"] else 0)
    )
    first = query.get("start") or query.get("point") or query.get("center")
    if kind == "floors":
        first = [query.get(name, 0.0) for name in "xyz"]
    count = int(query.get("count", 0))
    if kind == "reachable":
        count = len(query["points"])
        points.extend(number for point in query["points"] for number in point)
    snap = query.get("snap", {})
    radius = query.get("goal_radius", query.get("max_radius", query.get("radius", DEFAULT if kind == "wall" else 0.0)))
    return struct.pack(
        "<BBH4H3I12f",
        KINDS.index(kind),
        flags,
        SEARCHES.index(query.get("search", "auto")),
        *(query[name] + 1 if name in query else 0 for name in _NUMBERED),
        int(query.get("deadline_ms", 0)),
        count,
        int(query.get("max_nodes", query.get("seed", 0))),
        *(first or (0.0, 0.0, 0.0)),
        *(query.get("end") or query.get("reachable_from") or (0.0, 0.0, 0.0)),
        snap.get("horizontal", DEFAULT),
        snap.get("up", DEFAULT),
        snap.get("down", DEFAULT),
        radius,
        query.get("max_cost", 0.0),
        query.get("max_length", 0.0),
    )


def _unpack_batch(body: bytes) -> list[PackedResult]:
    magic, form, _, count = struct.unpack_from("<4s3I", body)
    if magic != b"NAVR" or form != 1:
        raise ValueError("this is no packed answer that this client knows")
    out = []
    for begin in struct.unpack_from(f"<{count}I", body, 24):
        kind, outcome, reason, flags, revision = struct.unpack_from("<4BI", body, begin)
        word = KINDS[kind]
        answer: dict[str, Any] = {}
        if word == "path":
            answer = _unpack_path(body, begin + 8, outcome, flags)
        elif outcome == 1:
            answer = _UNPACK[word](body, begin + 8, flags)
        out.append(PackedResult(word, REASONS[reason], revision, answer))
    return out


def _unpack_path(body: bytes, at: int, outcome: int, flags: int) -> dict[str, Any]:
    length, cost, bound, nodes, count = struct.unpack_from("<3f2I", body, at)
    points = [list(p) for p in struct.iter_unpack("<3f", body[at + 20 : at + 20 + 12 * count])]
    return {
        "status": STATUSES[outcome], "optimal": flags & 1 != 0, "length": length, "cost": cost,
        "lower_bound": bound, "nodes": nodes, "points": points,
    }  # fmt: skip


def _unpack_places(body: bytes, at: int, _flags: int) -> dict[str, Any]:
    (count,) = struct.unpack_from("<I", body, at)
    rows = struct.iter_unpack("<4f2I", body[at + 4 : at + 4 + 24 * count])
    return {
        "points": [
            {"position": [x, y, z], "distance": distance, "polygon": polygon, "component": component}
            for x, y, z, distance, polygon, component in rows
        ]
    }


def _unpack_random(body: bytes, at: int, flags: int) -> dict[str, Any]:
    return {"seed": struct.unpack_from("<I", body, at)[0], **_unpack_places(body, at + 4, flags)}


def _unpack_raycast(body: bytes, at: int, flags: int) -> dict[str, Any]:
    n = struct.unpack_from("<11fI", body, at)
    return {
        "hit": flags & 1 != 0, "t": n[0], "start": list(n[1:4]), "position": list(n[4:7]), "normal": list(n[7:10]),
        "cost": n[10], "polygon": n[11],
    }  # fmt: skip


def _unpack_move(body: bytes, at: int, _flags: int) -> dict[str, Any]:
    x, y, z, polygon, count = struct.unpack_from("<3f2I", body, at)
    visited = list(struct.unpack_from(f"<{count}I", body, at + 20))
    return {"position": [x, y, z], "polygon": polygon, "visited": visited}


def _unpack_reachable(body: bytes, at: int, _flags: int) -> dict[str, Any]:
    (count,) = struct.unpack_from("<I", body, at)
    return {"reachable": [byte == 1 for byte in body[at + 4 : at + 4 + count]]}


def _unpack_wall(body: bytes, at: int, flags: int) -> dict[str, Any]:
    n = struct.unpack_from("<7f", body, at)
    return {"hit": flags & 1 != 0, "distance": n[0], "position": list(n[1:4]), "normal": list(n[4:7])}


_UNPACK: dict[str, Callable[[bytes, int, int], dict[str, Any]]] = {
    "nearest": _unpack_places,
    "floors": _unpack_places,
    "random": _unpack_random,
    "raycast": _unpack_raycast,
    "move": _unpack_move,
    "reachable": _unpack_reachable,
    "wall": _unpack_wall,
}
