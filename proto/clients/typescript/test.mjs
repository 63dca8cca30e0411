// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test.mjs: the client against a real daemon, whose address is in NAVMESHD_URL (tests/http/clients.bats
// starts one), and against a server of its own that is busy or breaks off. CLIENT names the compiled module.

import assert from "node:assert/strict";
import {createServer} from "node:http";
import {before, test} from "node:test";
import {pathToFileURL} from "node:url";

const {BakeError, Client, NavmeshdError} = await import(pathToFileURL(process.env.CLIENT).href);

const client = new Client(process.env.NAVMESHD_URL);
const mesh = client.mesh("typescript");

// A floor of 20 x 20 m with a hole of 14 x 4 m.
const floor = (side) => `v 0 0 0\nv ${side} 0 0\nv ${side} 0 ${side}\nv 0 0 ${side}\nf 4 3 2 1\n`;
const YARD = floor(20);
const HOLE = {volumes: [{shape: "box", min: [0, -1, 8], max: [14, 1, 12], area: "none"}]};
const OBJ = {contentType: "model/obj"};

before(() => mesh.upload(YARD, {...OBJ, config: HOLE}));

test("a path leads around the hole, and is proven", async () => {
    const path = await mesh.path([2, 0, 2], [2, 0, 18]);
    assert.deepEqual([path.status, path.reason, path.mesh, path.optimal], ["complete", null, "typescript", true]);
    assert.ok(path.length > 26);
});

test("no way is an answer, with its reason", async () => {
    const far = await mesh.path([2, 0, 2], [90, 0, 90]);
    assert.deepEqual([far.status, far.reason, far.points], ["none", "end_off_mesh", []]);
    const avoid = [{shape: "circle", center: [17, 0, 10], radius: 6}];
    const shut = await mesh.path([2, 0, 2], [2, 0, 18], {avoid, snap: {horizontal: 1}, details: ["polygons"]});
    assert.deepEqual([shut.status, shut.reason], ["partial", "blocked"]);
});

test("each kind of question", async () => {
    assert.equal((await mesh.nearest([5, 1, 5], {count: 2}))[0].position[0], 5);
    assert.equal((await mesh.floors({x: 5, z: 5})).length, 1);
    assert.deepEqual(await mesh.reachable([2, 0, 2], [[2, 0, 18], [90, 0, 90]]), [true, false]);
    assert.equal((await mesh.raycast([2, 0, 2], [2, 0, 18])).hit, true);
    assert.ok((await mesh.wall([10, 0, 5])).distance > 1);
    assert.equal((await mesh.move([2, 0, 2], [3, 0, 3])).position[0], 3);
    assert.equal((await mesh.random({count: 3, seed: 7})).points.length, 3);
    assert.ok((await mesh.flood([2, 0, 2], 50)).polygons.length > 0);
    assert.equal((await mesh.matrix([[2, 0, 2]], [[2, 0, 18], [90, 0, 90]])).costs[0][1], null);
    assert.equal((await mesh.trace([[2, 0, 2], [2, 0, 18]], {times_ms: [0, 100], max_speed: 2})).legal, false);
});

test("an error names the field", async () => {
    await assert.rejects(mesh.path([2, 0, 2], [2, 0, 18], {search: "quick"}), (error) => {
        assert.ok(error instanceof NavmeshdError);
        assert.deepEqual([error.status, error.code, error.problem.at, error.problem.got], [422, "invalid_field", "search", "quick"]);
        return true;
    });
    await assert.rejects(client.mesh("nowhere").path([2, 0, 2], [2, 0, 18]), {code: "mesh_not_found"});
});

test("packed paths are those of JSON", async () => {
    const ends = Array.from({length: 14}, (_, i) => [[2, 0, 2], [2 + 7 * i, 0, 18]]);
    const packed = await mesh.pathsPacked(ends);
    const plain = await mesh.paths(ends.map(([start, end], id) => ({start, end, id})));
    assert.deepEqual(plain.map((path) => path.id), ends.map((_, i) => i));
    packed.forEach((path, i) => {
        assert.deepEqual([path.status, path.reason, path.optimal], [plain[i].status, plain[i].reason, plain[i].optimal]);
        assert.ok(Math.abs(path.length - plain[i].length) < 0.01);
        assert.equal(path.points.length, 3 * plain[i].points.length);
    });
});

test("packed batches are those of JSON", async () => {
    const queries = [
        {kind: "path", start: [2, 0, 2], end: [2, 0, 18], filter: 0},
        {kind: "path", start: [2, 0, 2], end: [90, 0, 90]},
        {kind: "nearest", point: [5, 0, 5], count: 2},
        {kind: "raycast", start: [2, 0, 2], end: [2, 0, 18]},
        {kind: "random", count: 3, seed: 7},
        {kind: "reachable", start: [2, 0, 2], points: [[2, 0, 18], [90, 0, 90]]},
        {kind: "wall", point: [10, 0, 5]},
        {kind: "floors", x: 5, z: 5},
        {kind: "move", start: [2, 0, 2], end: [3, 0, 3]},
    ];
    const lists = {filters: [{costs: {ground: 2}}]};
    const packed = await mesh.batchPacked(queries, lists);
    const plain = await mesh.batch(queries, lists);
    const near = (a, b) => assert.ok(Math.abs(a - b) < 0.01, `${a} is not ${b}`);
    assert.deepEqual(packed.map((one) => one.kind), queries.map((query) => query.kind));
    assert.deepEqual(packed.map((one) => one.reason), plain.map((one) => one.reason ?? null));
    near(packed[0].answer.cost, plain[0].cost);
    assert.equal(packed[1].answer.status, "none");
    assert.equal(packed[2].answer.points.length, plain[2].points.length);
    near(packed[3].answer.t, plain[3].t);
    assert.equal(packed[4].answer.seed, plain[4].seed);
    assert.deepEqual(packed[5].answer.reachable, plain[5].reachable);
    near(packed[6].answer.distance, plain[6].distance);
    near(packed[7].answer.points[0].position[1], plain[7].floors[0].height);
    near(packed[8].answer.position[0], plain[8].position[0]);
});

test("packed questions have the defaults of JSON, whatever the unit is", async () => {
    const small = client.mesh("typescript-centimetres");
    await small.upload(floor(2000), {...OBJ, arguments: {scale: 0.01}});
    // 1.5 m beside the ground, and 1 m above it.
    const start = [-90, 100, 200];
    const end = [1800, 0, 1800];
    const plain = await small.path(start, end);
    assert.equal(plain.status, "complete");
    assert.equal((await small.pathsPacked([[start, end]]))[0].status, "complete");
    assert.equal((await small.pathsPacked([[start, end]], {snap: {up: 3, down: 3}}))[0].reason, "start_off_mesh");
    const [path, wall, off] = await small.batchPacked([
        {kind: "path", start, end},
        {kind: "wall", point: [1000, 0, 1000]},
        {kind: "path", start, end, snap: {down: 3}},
    ]);
    assert.ok(Math.abs(path.answer.cost - plain.cost) < 0.1);
    assert.ok(Math.abs(wall.answer.distance - (await small.wall([1000, 0, 1000])).distance) < 0.1);
    assert.equal(off.reason, "start_off_mesh");
});

test("a column is named by the two level axes", async () => {
    const tilted = client.mesh("typescript-x-up");
    const level = "v 0 0 0\nv 0 20 0\nv 0 20 20\nv 0 0 20\nf 1 2 3 4\n";
    await tilted.upload(level, {...OBJ, config: {coordinates: {axes: ["y", "x", "-z"]}}});
    assert.equal((await tilted.floors({y: 5, z: 5})).length, 1);
    assert.equal((await tilted.batchPacked([{kind: "floors", y: 5, z: 5}]))[0].answer.points.length, 1);
});

test("what a packed query cannot say is thrown", async () => {
    for (const more of [{clearance: 1}, {filter: "boat"}, {id: 7}]) {
        await assert.rejects(mesh.batchPacked([{kind: "path", start: [2, 0, 2], end: [3, 0, 3], ...more}]), TypeError);
    }
});

test("what a listener throws is thrown", async () => {
    const loud = client.mesh("typescript-loud");
    const onEvent = () => {
        throw new RangeError("heard");
    };
    await assert.rejects(loud.upload(floor(400), {...OBJ, arguments: {tile_cells: 64}, onEvent}), RangeError);
});

test("the life of versions, with the events of a bake", async () => {
    const lives = client.mesh("typescript-versions");
    const names = [];
    const first = await lives.upload(floor(400), {...OBJ, arguments: {tile_cells: 64}, onEvent: (name) => names.push(name)});
    assert.equal(names.at(-1), "ready");
    assert.ok(names.includes("progress"));
    const second = await lives.upload(YARD, OBJ);
    assert.deepEqual(await lives.activate(first.version), {version: first.version, previous: second.version});
    assert.equal((await lives.info()).active, first.version);
    assert.match(await lives.picture(second.version, {width: 300}), /<svg/);
    assert.equal(new TextDecoder().decode((await lives.geometry(second.version)).slice(0, 4)), "NAVG");
    const bounds = [0, -1, 0, 20, 1, 20];
    assert.match(new TextDecoder().decode(await lives.export(first.version, "obj", {bounds})), /\nf /);
    assert.ok("tiles" in (await lives.diff(first.version, second.version)));
    await lives.setChecks([{name: "way", start: [2, 0, 2], end: [18, 0, 18], expect: "reachable"}]);
    assert.equal((await lives.checks())[0].name, "way");
    await lives.delete(second.version);
    assert.deepEqual((await lives.versions()).map((one) => one.version), [first.version]);
    await lives.delete();
    assert.ok((await client.meshes()).every((one) => one.mesh !== "typescript-versions"));
});

test("a bake that fails is thrown with its version", async () => {
    const empty = client.mesh("typescript-empty");
    const steep = "v 0 0 0\nv 20 0 0\nv 20 90 20\nf 3 2 1\n";
    await assert.rejects(empty.upload(steep, OBJ), (error) => {
        assert.ok(error instanceof BakeError);
        assert.deepEqual([error.code, error.version.state], ["mesh_empty", "failed"]);
        return true;
    });
});

test("instances: state that is laid over the mesh", async () => {
    const worlds = client.mesh("typescript-worlds");
    const gate = {shapes: [{shape: "box", min: [-1, -1, 8], max: [21, 1, 12]}]};
    await worlds.upload(YARD, {...OBJ, config: {switches: {gate}}});
    const run = worlds.instance("run-17");
    const created = await run.put({switches: {gate: "closed"}});
    assert.deepEqual((await run.path([2, 0, 2], [2, 0, 18])).blocked_by, ["gate"]);
    const changed = await run.change({switches: {gate: "open"}}, created.revision);
    const path = await run.path([2, 0, 2], [2, 0, 18]);
    assert.equal(path.status, "complete");
    await assert.rejects(run.change({switches: {gate: "closed"}}, created.revision), {status: 412, code: "stale_etag"});
    assert.equal((await run.valid(path.points)).valid, true);
    const names = [];
    for await (const one of worlds.instances()) {
        names.push(one.instance);
    }
    assert.deepEqual(names, ["run-17"]);
    assert.equal((await worlds.pathsPacked([[[2, 0, 2], [2, 0, 18]]], {instance: "run-17"}))[0].status, "complete");
    for await (const [, data] of run.events()) {
        assert.equal(data.revision, changed.revision);
        break;
    }
    await run.delete();
});

// A server that answers as told, request by request: a status with headers and an answer, or null to break off.
async function busy(t, replies) {
    const asked = [];
    const server = createServer((request, response) => {
        asked.push(performance.now());
        const reply = replies.shift();
        if (reply === null) {
            request.socket.destroy();
        } else {
            const body = JSON.stringify(reply.answer ?? {status: reply.status, code: "overloaded", detail: "busy", meshes: []});
            response.writeHead(reply.status, reply.headers).end(body);
        }
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    t.after(() => {
        server.closeAllConnections();
        server.close();
    });
    return [`http://127.0.0.1:${server.address().port}`, asked];
}

test("Retry-After is waited for", async (t) => {
    const [url, asked] = await busy(t, [{status: 503, headers: {"Retry-After": "1"}}, {status: 429}, {status: 200}]);
    assert.deepEqual(await new Client(url, {pause: 10}).meshes(), []);
    assert.equal(asked.length, 3);
    assert.ok(asked[1] - asked[0] >= 990);
});

test("Retry-After is waited for no longer than a reply, and a redirect is no answer", async (t) => {
    const moved = {status: 302, headers: {Location: "http://127.0.0.1:1/"}};
    const [url, asked] = await busy(t, [{status: 503, headers: {"Retry-After": "99999999"}}, {status: 200}, moved]);
    assert.deepEqual(await new Client(url, {timeout: 300}).meshes(), []);
    assert.ok(asked[1] - asked[0] < 30_000);
    await assert.rejects(new Client(url).meshes(), {status: 302});
    assert.equal(asked.length, 3);
});

test("a connection that breaks is opened again", async (t) => {
    const [url, asked] = await busy(t, [null, null, {status: 200}]);
    assert.deepEqual(await new Client(url, {pause: 10}).meshes(), []);
    assert.equal(asked.length, 3);
});

test("it ends after its retries, and a refusal is not sent again", async (t) => {
    const [url, asked] = await busy(t, [{status: 503}, {status: 503}, {status: 422}]);
    await assert.rejects(new Client(url, {pause: 10, retries: 1}).meshes(), {status: 503});
    await assert.rejects(new Client(url, {pause: 10}).meshes(), {status: 422});
    assert.equal(asked.length, 3);
});

test("a stream that there is no room for is opened again, and one that is silent given up", async (t) => {
    const version = {mesh: "a", version: 1, state: "baking"};
    const ready = {...version, state: "ready"};
    const [url, asked] = await busy(t, [{status: 503}, {status: 200, answer: version}, {status: 503}, {status: 200, answer: ready}]);
    assert.equal((await new Client(url, {pause: 10}).mesh("a").wait(version)).state, "ready");
    assert.equal(asked.length, 4);
    const server = createServer((request, response) => {
        if (request.url.endsWith("/events")) {
            response.writeHead(200).write(": nothing\n\n");
        } else {
            response.end(JSON.stringify(ready));
        }
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    t.after(() => {
        server.closeAllConnections();
        server.close();
    });
    const silent = new Client(`http://127.0.0.1:${server.address().port}`, {pause: 10, timeout: 200});
    assert.equal((await silent.mesh("a").wait(version)).state, "ready");
});

test("a deadline that comes first is thrown", async (t) => {
    const [url] = await busy(t, [{status: 200, answer: {mesh: "a", version: 1, reason: "deadline"}}]);
    await assert.rejects(new Client(url).mesh("a").nearest([1, 0, 1], {deadline_ms: 1}), {code: "deadline"});
});
