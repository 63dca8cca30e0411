// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// view.test.mjs: the picture shows the level and its mesh in the colours that the legend names, in light and in dark,
// in whatever axes they came, and a bake's tiles as they are done; failures of what it needs are told.

import assert from "node:assert/strict";
import { after, before } from "node:test";

import { ask, assertAccessible, level, openPage, quick, shot, startBrowser, startDaemon, test, upload } from "./helper.mjs";
import { beforeDrawing, legend, parts, still } from "./picture.mjs";

let browser, daemon;

// A field of 40 by 40 m, half of it mud, and a shed beside it that is not reached.
const FIELD = {
    vertices: [[0, 0, 0], [20, 0, 0], [40, 0, 0], [0, 0, 40], [20, 0, 40], [40, 0, 40], [50, 0, 10], [60, 0, 10], [50, 0, 20], [60, 0, 20]],
    triangles: [[0, 3, 1], [1, 3, 4], [1, 4, 2], [2, 4, 5], [6, 8, 7], [7, 8, 9]],
    areas: ["", "", "mud", "mud", "", ""],
};
const MUD = "<img src=x onerror=alert(1)>";
const SETTINGS = { areas: { ground: {}, [MUD]: { cost: 4 } }, materials: { mud: MUD } };

before(async () => {
    [browser, daemon] = await Promise.all([startBrowser(), startDaemon()]);
    await upload(daemon, "town", level("town", 1));
    await ask(daemon, "POST", "/v1/meshes/field/versions?wait=1", { ...FIELD, config: SETTINGS });
});

after(async () => {
    await browser?.close();
    await daemon?.stop();
});

// Opens a version and waits until all of it is drawn.
async function look(address, settings) {
    const opened = await openPage(browser, daemon, address, settings);
    await still(opened.page);
    return opened;
}

quick("the picture has the areas in the colours of the legend, whatever they are named", async () => {
    const { page, close } = await look("/#/field/1");
    const rows = await legend(page);
    assert.deepEqual(rows.map((row) => row.text), ["ground", `${MUD}, cost 4`]);
    const [ground, mud] = await parts(page, rows.map((row) => row.colour));
    assert.ok(ground > 0.03 && mud > 0.03, `parts of the picture: ground ${ground}, mud ${mud}`);
    await assertAccessible(page, "the view");
    await page.getByLabel("Mesh", { exact: true }).uncheck();
    await still(page);
    const without = await parts(page, rows.map((row) => row.colour));
    assert.ok(Math.max(...without) < 0.01, `without the mesh: ${without}`);
    await close();
});

test("islands, tiles and slopes have colours and legends of their own", async () => {
    const { page, close } = await look("/#/field/1");
    const choice = page.getByLabel("Colour by");
    await choice.selectOption("island");
    const rows = await legend(page);
    assert.match(rows[0].text, /^island \d+: \d+ polygons?$/);
    assert.equal(rows.length, 2);
    await still(page);
    const islands = await parts(page, rows.map((row) => row.colour));
    assert.ok(islands[0] > 0.06 && islands[1] > 0.005, `islands: ${islands}`);
    await choice.selectOption("slope");
    await page.locator(".legend", { hasText: /^Slope0°5°/ }).waitFor();
    await choice.selectOption("tile");
    await page.locator(".legend", { hasText: /^Tiles1 tile/ }).waitFor();
    await close();
});

test("clearance and regions are asked of the daemon", async () => {
    const { page, close } = await look("/#/town/1");
    const choice = page.getByLabel("Colour by");
    const before = await parts(page, ["#77aadd"]);
    await choice.selectOption("clearance");
    await page.locator(".legend").getByText(/^\d+ m or more$/).waitFor();
    await still(page);
    const [plain, ...amounts] = await parts(page, ["#77aadd", "#2a3f6d", "#4f5b6e", "#918a6e", "#b5a55f", "#dac348"]);
    const told = amounts.reduce((a, b) => a + b, 0);
    assert.ok(plain < before[0] / 4 && told > 0.02, `${before} before; clearance: ${plain}, ${amounts}`);
    await choice.selectOption("region");
    await page.locator(".legend").getByText(/Neighbours may share/).waitFor();
    await shot(page, "regions");
    await close();
});

test("in the dark it is dark", async () => {
    const { page, close } = await look("/#/town/1", { colorScheme: "dark" });
    const [sky] = await parts(page, ["#14171a"]);
    assert.ok(sky > 0.1, `dark sky: ${sky}`);
    await shot(page, "view-dark");
    await page.emulateMedia({ colorScheme: "light" });
    await still(page);
    await shot(page, "view-light");
    const [ground] = await parts(page, ["#77aadd"]);
    assert.ok(ground > 0.1, `ground in the light: ${ground}`);
    await close();
});

// ---- what does not come as it should ----

test("a browser without WebGL, and one in which drawing fails, has a sentence in place of the picture", async () => {
    const without = (page) => page.addInitScript(() => delete HTMLCanvasElement.prototype.transferControlToOffscreen);
    for (const [prepare, sentence] of [
        [without, "this browser draws no 3D pictures (it has no canvas for workers); everything else works"],
        [(page) => beforeDrawing(page, () => (OffscreenCanvas.prototype.getContext = () => null)), "this browser draws no 3D pictures (it has no WebGL); everything else works"],
        [(page) => beforeDrawing(page, () => { throw new Error("no room"); }), /^The picture is not drawn: what draws it has failed \(.*no room\)\.$/],
    ]) {
        const { page, close } = await openPage(browser, daemon, "/");
        await prepare(page);
        await page.goto(`${daemon.base}/#/field/1?panel=tools`);
        await page.reload();
        await page.locator(".view .none").getByText(sentence).waitFor();
        await page.getByLabel("Start", { exact: true }).fill("5, 0, 5");
        await page.getByLabel("End", { exact: true }).fill("30, 0, 30");
        await page.getByRole("button", { name: "Ask", exact: true }).click();
        await page.locator(".answer dl").waitFor();
        await page.getByRole("button", { name: "Use the middle of the picture" }).click();
        await page.getByText("There is nothing in the middle of the picture: turn or move it first.").first().waitFor();
        await close(/no room/);
    }
});

test("a worker that fails and a level that does not come are told", async () => {
    const failing = await openPage(browser, daemon, "/");
    await failing.page.route("**/console/read.js", (route) => route.fulfill({ contentType: "text/javascript", body: "throw new Error('no room')" }));
    await failing.page.evaluate(() => (location.hash = "#/field/1"));
    await failing.page.getByText(/what reads meshes beside the page has failed/).first().waitFor();
    await failing.page.locator(".busy").waitFor({ state: "hidden" });
    await failing.close(/no room/);

    const { page, close } = await openPage(browser, daemon, "/");
    const problem = { status: 503, code: "not_ready", title: "Not ready", detail: "the daemon repairs it" };
    await page.route("**/geometry", (route) => route.fulfill({ status: 503, contentType: "application/problem+json", body: JSON.stringify(problem) }));
    await page.evaluate(() => (location.hash = "#/field/1"));
    await page.locator(".busy").getByText("The level is not drawn: the daemon repairs it.").waitFor();
    await page.locator(".legend").getByText("ground").waitFor();
    await close(/503/);
});

test("a picture that the browser loses is told, and drawn again", async () => {
    const { page, close } = await openPage(browser, daemon, "/");
    await beforeDrawing(page, () => {
        const { getContext } = OffscreenCanvas.prototype;
        OffscreenCanvas.prototype.getContext = function (...wanted) {
            const context = getContext.apply(this, wanted);
            const loss = wanted[0] === "webgl2" ? context.getExtension("WEBGL_lose_context") : null;
            new BroadcastChannel("context").onmessage = ({ data }) => loss?.[data]();
            return context;
        };
    });
    await page.goto(`${daemon.base}/#/field/1`);
    await page.reload();
    await still(page);
    const canvas = page.locator(".view canvas");
    const before = await canvas.screenshot();
    const tell = (what) => page.evaluate((data) => new BroadcastChannel("context").postMessage(data), what);
    await tell("loseContext");
    await page.locator(".busy").getByText("The browser has lost the picture; it is drawn again once it can.").waitFor();
    await tell("restoreContext");
    await still(page);
    assert.ok((await canvas.screenshot()).equals(before), "the picture is as it was");
    await close();
});

test("the next version is drawn in its own colours, whatever numbers the last one had", async () => {
    await upload(daemon, "shrinks", level("town", 1));
    await upload(daemon, "shrinks", "v 0 0 0\nv 0 0 20\nv 20 0 20\nv 20 0 0\nf 1 2 3 4\n");
    const { page, close } = await look("/#/shrinks/1");
    // Those of regions and of clearance that are not grey, as the ground without a colour, level and sky are.
    const COLOURS = ["#77aadd", "#ee8866", "#eedd88", "#44bb99", "#ffaabb", "#99ddff", "#bbcc33", "#aaaa00", "#c3a5dc", "#b08d6e", "#00224e", "#2a3f6d", "#dac348", "#fee838"];
    const coloured = async () => Math.max(...(await parts(page, COLOURS)));
    for (const [by, known, question] of [["region", /Neighbours may share/, "**/explain?**"], ["clearance", /^\d+ m or more$/, "**/batch"]]) {
        await page.evaluate(() => (location.hash = "#/shrinks/1"));
        await page.locator(".place", { hasText: "version 1" }).waitFor();
        await still(page);
        await page.getByLabel("Colour by").selectOption(by);
        await page.locator(".legend").getByText(known).waitFor();
        let answer;
        const asked = new Promise((resolve) => (answer = resolve));
        await page.route(question, async (route) => {
            await asked;
            await route.continue();
        });
        await Promise.all([page.waitForRequest(question), page.evaluate(() => (location.hash = "#/shrinks/2"))]);
        await page.locator(".place", { hasText: "version 2" }).waitFor();
        await still(page);
        const before = await coloured();
        assert.ok(before < 0.01, `${by}: ${before} of the picture has a colour before the daemon told it`);
        answer();
        await page.locator(".legend").getByText(known).waitFor();
        await still(page);
        const after = await coloured();
        assert.ok(after > 0.03, `${by}: ${after} of the picture has the colour that the daemon told`);
        await page.unroute(question);
        assert.equal(await page.getByRole("alert").isVisible(), false);
    }
    await close();
});

test("what marks are drawn with is made ready once", async () => {
    const { page, close } = await openPage(browser, daemon, "/");
    await page.addInitScript(() => {
        const { postMessage } = Worker.prototype;
        globalThis.readied = 0;
        Worker.prototype.postMessage = function (order, ...rest) {
            globalThis.readied += order.name === "prepareMarks" ? 1 : 0;
            postMessage.call(this, order, ...rest);
        };
    });
    await page.reload();
    for (const mesh of ["field", "town", "field"]) {
        await page.evaluate((name) => (location.hash = `#/${name}/1`), mesh);
        await page.locator(".place", { hasText: mesh }).waitFor();
        await still(page);
    }
    assert.equal(await page.evaluate(() => globalThis.readied), 1);
    await close();
});

test("with a GPU more pixels are drawn than the page has, and the canvas is as large as its view", async () => {
    const { page, close } = await openPage(browser, daemon, "/");
    const fake = () => {
        const { getParameter, viewport } = WebGL2RenderingContext.prototype;
        WebGL2RenderingContext.prototype.getParameter = function (name) {
            return name === 0x9246 ? "a GPU" : getParameter.call(this, name); // UNMASKED_RENDERER_WEBGL
        };
        WebGL2RenderingContext.prototype.viewport = function (x, y, width, height) {
            console.log(`${width} wide`);
            viewport.call(this, x, y, width, height);
        };
    };
    await beforeDrawing(page, fake);
    let drawn = 0;
    page.on("console", (message) => (drawn = parseInt(message.text(), 10)));
    await page.goto(`${daemon.base}/#/field/1`);
    await page.reload();
    await still(page);
    const canvas = page.locator(".view canvas");
    const [inner, outer] = [await canvas.boundingBox(), await page.locator(".view").boundingBox()];
    assert.ok(Math.abs(inner.width - outer.width) < 3 && Math.abs(inner.height - outer.height) < 3, JSON.stringify([inner, outer]));
    assert.ok(Math.abs(drawn - 2 * inner.width) < 6, `${drawn} for ${inner.width}`);
    await close();
});

test("regions wait while explanations are busy, and name tiles that are late", async () => {
    const { page, close } = await look("/#/field/1");
    let asked = 0;
    const busy = JSON.stringify({ status: 429, code: "bake_queue_full", title: "Busy", detail: "another is explained" });
    await page.route("**/explain?**", (route) =>
        ++asked === 1 ? route.fulfill({ status: 429, contentType: "application/problem+json", body: busy }) : route.continue());
    await page.getByLabel("Colour by").selectOption("region");
    await page.locator(".legend").getByText(/Neighbours may share/).waitFor();
    assert.equal(asked, 2);
    await page.unroute("**/explain?**");
    const late = JSON.stringify({ mesh: "field", version: 1, reason: "deadline" });
    await page.route("**/explain?**", (route) => route.fulfill({ contentType: "application/json", body: late }));
    await page.getByLabel("Colour by").selectOption("area");
    await page.getByLabel("Colour by").selectOption("region");
    await page.locator(".legend").getByText("1 of 1 tiles are grey").waitFor();
    await close(/429/);
});

// The picture as bytes.
const picture = async (page) => (await page.locator(".view canvas").screenshot()).toString("base64");

test("a flight is over before the picture is told to be still", async () => {
    const seen = {};
    for (const reducedMotion of ["reduce", "no-preference"]) { // at once, and by a flight
        const { page, close } = await look("/#/town/1", { reducedMotion });
        const before = await picture(page);
        await page.getByRole("button", { name: "From above, and back" }).click();
        await still(page);
        seen[reducedMotion] = await picture(page);
        assert.ok(seen[reducedMotion] !== before, "the picture changes");
        await close();
    }
    assert.ok(seen.reduce === seen["no-preference"], "the picture is that of the flight's end");
});

test("a level that comes after the cut is cut as well", async () => {
    const { page, close } = await openPage(browser, daemon, "/");
    let send;
    const held = new Promise((resolve) => (send = resolve));
    await page.route("**/geometry", async (route) => {
        await held;
        await route.continue();
    });
    await page.evaluate(() => (location.hash = "#/town/1"));
    await page.locator(".busy").getByText("Loading the level").waitFor();
    await page.getByLabel("Cut above").fill("20");
    send();
    await still(page);
    const late = await picture(page);
    await page.getByLabel("Cut above").fill("100");
    await still(page);
    const whole = await picture(page);
    await page.getByLabel("Cut above").fill("20");
    await still(page);
    assert.ok((await picture(page)) === late && late !== whole, "the late level is drawn as the one that was cut");
    await close();
});

// ---- a bake as it goes ----

test("a bake that ends while its page is opened is shown all the same", async () => {
    const baked = await upload(daemon, "late", level("town", 1));
    const { page, close } = await openPage(browser, daemon, "/");
    const baking = { ...baked, state: "baking", active: false, stats: null, blob: null, progress: 0, tiles_done: 0 };
    await page.route("**/late/versions/1", (route) => route.fulfill({ json: baking }), { times: 2 }); // of page and worker
    const early = { status: 409, contentType: "application/problem+json", body: '{"code":"version_not_ready","detail":"it is being baked"}' };
    await page.route("**/late/versions/1/export**", (route) => route.fulfill(early), { times: 1 });
    await page.goto(`${daemon.base}/#/late/1`);
    await page.reload();
    await still(page);
    assert.equal(await page.getByRole("alert").isVisible(), false);
    await close(/409/);
});

test("the squares of a bake are its tiles, and none where their place is not known", async () => {
    const baked = await upload(daemon, "tiled", level("town", 1), { tile_cells: 64 });
    const count = baked.tiles_total;
    assert.ok(count >= 4, `${count} tiles`);
    const baking = { ...baked, state: "baking", active: false, stats: null, blob: null, progress: 0, tiles_done: 0 };
    // another: the events come while another version is looked at, whose legend has nothing to say of this one.
    const drawn = async (total, tiles, another = false) => {
        const { page, close } = await openPage(browser, daemon, another ? "/#/field/1" : "/");
        const version = { ...baking, tiles_total: total };
        let told = Promise.resolve();
        if (another) {
            await still(page);
            told = page.waitForResponse("**/versions/1/events").then((events) => events.finished());
        }
        await page.route("**/tiled/versions/1", async (route) => {
            await told;
            await route.fulfill({ json: version });
        });
        await page.route("**/v1/meshes/tiled", (route) => route.fulfill({ json: { mesh: "tiled", active: null, versions: [version] } }));
        await page.route("**/versions/1/geometry", () => {});
        const events = tiles.map((tile) => `event: progress\ndata: ${JSON.stringify({ tile, stage: "tile", tiles_done: 1, tiles_total: total })}\n\n`);
        await page.route("**/versions/1/events", (route) => route.fulfill({ contentType: "text/event-stream", body: events.join("") }));
        await Promise.all([page.waitForResponse("**/versions/1/events"), page.evaluate(() => (location.hash = "#/tiled/1"))]);
        await page.locator(".busy").getByText("Loading the level").waitFor();
        await page.locator(".view canvas[data-still]").waitFor();
        assert.equal(await page.locator(".legend").isVisible(), false);
        // The events come behind the head of their answer, so a picture may be without their squares.
        const shown = total === count && tiles.length > 0;
        let [part, before] = [0, -1];
        while (part !== before || (shown && part === 0)) {
            before = part;
            [part] = await parts(page, ["#8fbeda"]); // the tone of what is added, seen through
        }
        await shot(page, `squares-${tiles.length}`);
        await close();
        return part;
    };
    const side = Math.round(Math.sqrt(count));
    const all = Array.from({ length: count }, (_, i) => ({ x: i % side, z: Math.floor(i / side) }));
    const [none, one, each] = [await drawn(count, []), await drawn(count, all.slice(0, 1)), await drawn(count, all)];
    assert.ok(one > none + 0.005 && each > 2 * one, `${none}, ${one} and ${each} of the picture`);
    const late = await drawn(count, all, true);
    assert.ok(late > 0.9 * each, `${late} of the picture, ${each} where the events came when it was shown`);
    assert.equal(await drawn(count + 1, all), 0);
});

// ---- other axes ----

// The field, and a block on it, in level coordinates that `turn` makes of those of the picture.
function turned(turn, reversed) {
    const vertices = [...FIELD.vertices, [5, 0, 5], [5, 3, 5], [5, 3, 9], [5, 0, 9]];
    const triangles = [...FIELD.triangles, [10, 12, 11], [10, 13, 12]];
    return {
        vertices: vertices.map(turn),
        triangles: triangles.map(([a, b, c]) => (reversed ? [a, c, b] : [a, b, c])),
        areas: [...FIELD.areas, "", ""],
    };
}

test("a level with Z up or of left hands looks the same, and a click lands where the daemon has it", async () => {
    const AXES = {
        y_up: [([x, y, z]) => [x, y, z], false],
        z_up: [([x, y, z]) => [x, -z, y], false],
        unity: [([x, y, z]) => [x, y, -z], true],
        unreal: [([x, y, z]) => [100 * x, 100 * z, 100 * y], true],
    };
    const seen = {};
    for (const [name, [turn, reversed]] of Object.entries(AXES)) {
        const config = { coordinates: name, materials: { mud: MUD }, areas: SETTINGS.areas };
        await ask(daemon, "POST", `/v1/meshes/${name}/versions?wait=1`, { ...turned(turn, reversed), config });
        const { page, close } = await look(`/#/${name}/1?panel=tools`);
        const image = await picture(page);
        const box = await page.locator(".view canvas").boundingBox();
        await page.mouse.click(box.x + box.width / 2 - 120, box.y + box.height / 2 - 30);
        const start = page.getByLabel("Start", { exact: true });
        await page.locator(".pin:visible").waitFor();
        const text = await start.inputValue();
        const point = text.split(", ").map(Number);
        const near = await ask(daemon, "GET", `/v1/meshes/${name}/wall?point=${point.join(",")}`);
        seen[name] = { image, point, near, turn };
        await close();
    }
    for (const [name, { image, point, near, turn }] of Object.entries(seen)) {
        assert.ok(image === seen.y_up.image, `${name} does not look as y_up does`);
        const scale = name === "unreal" ? 100 : 1;
        const far = Math.hypot(...turn(seen.y_up.point).map((value, i) => value - point[i])) / scale;
        assert.ok(far < 0.05, `${name}: ${point} for ${seen.y_up.point}`);
        assert.equal(near.reason, null);
        assert.ok(Math.abs(near.distance / scale - seen.y_up.near.distance) < 0.05, `${name}: ${near.distance} to the wall`);
    }
});
