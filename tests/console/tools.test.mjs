// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// tools.test.mjs: a path by two clicks, by dragging an end and by keyboard alone; rays, walls, floods and
// random points; answers that are not good, in words; answers that come late or are of something else; checks and
// recordings made of them.

import assert from "node:assert/strict";
import { after, before } from "node:test";

import { ask, assertAccessible, openPage, quick, shot, startBrowser, startDaemon, test } from "./helper.mjs";
import { still } from "./picture.mjs";

const GATE = "<img src=x onerror=alert(1)>";
const LINK = "<svg onload=alert(2)>";
let browser, daemon;

// A field of 40 by 40 m with an island beside it; a closed gate divides the field.
before(async () => {
    [browser, daemon] = await Promise.all([startBrowser(), startDaemon()]);
    const vertices = [[0, 0, 0], [40, 0, 0], [0, 0, 40], [40, 0, 40], [45, 0, 0], [55, 0, 0], [45, 0, 10], [55, 0, 10]];
    const triangles = [[0, 2, 1], [1, 2, 3], [4, 6, 5], [5, 6, 7]];
    const shapes = [{ shape: "box", min: [19, -1, -1], max: [21, 2, 41] }];
    await ask(daemon, "POST", "/v1/meshes/open/versions?wait=1", { vertices, triangles });
    await ask(daemon, "POST", "/v1/meshes/gate/versions?wait=1", {
        vertices,
        triangles,
        config: { switches: { [GATE]: { shapes, default: "closed" } } },
    });
    const links = [{ id: LINK, switch: GATE, start: [38, 0, 5], end: [47, 0, 5], bidirectional: true }];
    await ask(daemon, "POST", "/v1/meshes/linked/versions?wait=1", { vertices, triangles, config: { links, switches: { [GATE]: {} } } });
    await ask(daemon, "POST", "/v1/meshes/linked/versions?wait=1", { vertices, triangles });
});

after(async () => {
    await browser?.close();
    await daemon?.stop();
});

async function look(mesh, more = "") {
    const opened = await openPage(browser, daemon, `/#/${mesh}/1?panel=tools${more}`);
    const { page } = opened;
    await still(page);
    const value = async (name) => page.locator(`.answer dt:text-is("${name}") + dd`).textContent();
    return { ...opened, value };
}

// The middle of the picture, and from there by pixels.
async function middle(page) {
    const box = await page.locator(".view canvas").boundingBox();
    return (dx, dy) => [box.x + box.width / 2 + dx, box.y + box.height / 2 + dy];
}

const places = (page) =>
    Promise.all(["Start", "End"].map(async (label) => (await page.getByLabel(label, { exact: true }).inputValue()).split(", ").map(Number)));

const type = async (page, label, text) => {
    await page.getByLabel(label, { exact: true }).fill(text);
    await page.getByLabel(label, { exact: true }).press("Tab");
};

// Waits until the answer has this length.
const lengthIs = (page, length) =>
    page.waitForFunction((wanted) => {
        const names = [...document.querySelectorAll(".answer dt")];
        const told = names.find((name) => name.textContent === "Length")?.nextElementSibling?.textContent;
        return told !== undefined && Math.abs(parseFloat(told) - wanted) < 0.1;
    }, length);

quick("two clicks give the shortest path, and it follows an end that is dragged", async () => {
    const { page, value, close } = await look("open");
    const at = await middle(page);
    await page.mouse.click(...at(-150, 0));
    await page.mouse.click(...at(20, 60));
    await page.locator(".answer .badge:text-is('complete')").waitFor();
    const [start, end] = await places(page);
    const straight = Math.hypot(start[0] - end[0], start[2] - end[2]);
    assert.ok(straight > 5, `${start} to ${end}`);
    assert.ok(Math.abs(parseFloat(await value("Length")) - straight) < 0.1, `${await value("Length")} of ${straight}`);
    assert.equal(await value("Bound"), "proven shortest");
    assert.match(await value("Took"), /^[\d,]+ µs$/);
    assert.ok(Number(await value("Polygons")) >= 1);
    await shot(page, "path");

    const asked = [];
    page.on("request", (request) => asked.push(request.url()));
    const [x, y] = at(20, 60 - 20); // the head of the pin, whose tip is at the end
    await page.mouse.move(x, y);
    await page.mouse.down();
    for (let step = 1; step <= 10; step++) {
        await page.mouse.move(x - 2 * step, y + 4 * step);
    }
    await page.mouse.up();
    await still(page);
    const moved = (await places(page))[1];
    assert.ok(Math.hypot(moved[0] - end[0], moved[2] - end[2]) > 1, `${end} to ${moved}`);
    await lengthIs(page, Math.hypot(start[0] - moved[0], start[2] - moved[2]));
    assert.ok(asked.length >= 2 && asked.every((url) => url.includes("/path?")), `${asked.length} questions while it was dragged`);
    await close();
});

test("by keyboard alone: places as numbers, an answer that is read out", async () => {
    const { page, value, close } = await look("open");
    await page.getByLabel("Start", { exact: true }).focus();
    await page.keyboard.type("2, 0, 2");
    await page.keyboard.press("Tab");
    await page.keyboard.type("30 0 2");
    await page.keyboard.press("Enter");
    assert.equal(await value("Length"), "28 m");
    assert.match(await page.getByRole("status").textContent(), /^The path is 28 m long, cost 28, proven shortest, in [\d,]+ µs\.$/);
    await assertAccessible(page, "the tools");
    await page.getByRole("button", { name: "Show the search" }).press("Enter");
    const searched = page.locator(".answer dt:text-is('Search') + dd");
    await searched.filter({ hasText: /^labels: \d+ steps$/ }).waitFor();
    await page.getByLabel("End", { exact: true }).fill("nowhere");
    await page.keyboard.press("Enter");
    await page.getByText("Three numbers, with commas between them").waitFor();
    await close();
});

test("what is in the way is said in words, whatever it is named", async () => {
    const { page, close } = await look("gate");
    await page.getByLabel("Start", { exact: true }).fill("5,0,20");
    await page.getByLabel("End", { exact: true }).fill("35,0,20");
    await page.keyboard.press("Enter");
    await page.getByText(`In the way: ${GATE}.`).waitFor();
    await page.getByLabel("End", { exact: true }).fill("50,0,5");
    await page.keyboard.press("Enter");
    await page.locator(".answer").getByText("start and end are on two islands").waitFor();
    const badge = page.locator(".answer .badge").first();
    assert.equal(await badge.evaluate((each) => getComputedStyle(each).position), "static", "it stands in its line");
    assert.doesNotMatch(await page.locator(".answer").textContent(), /-\d+(\.\d+)? % above/);
    await page.getByRole("button", { name: /^Fly to the gap/ }).first().click();
    await page.getByLabel("End", { exact: true }).fill("500,0,5");
    await page.keyboard.press("Enter");
    await page.locator(".answer").getByText("The end is not on the mesh.").waitFor();
    await close();
});

test("rays, walls, floods and random points", async () => {
    const { page, value, close } = await look("open");
    const tool = (name) => page.getByRole("button", { name, exact: true }).click();
    await page.getByLabel("Start", { exact: true }).fill("20,0,5");
    await page.getByLabel("End", { exact: true }).fill("20,0,60");
    await tool("Ray");
    await page.getByText("Something is in the way.").waitFor();
    assert.match(await value("Gets to"), /^20, 0(\.\d+)?, 39(\.\d+)?$/);
    await tool("Wall");
    await page.getByText("The nearest wall is shown.").waitFor();
    assert.ok(parseFloat(await value("Distance")) < 5);
    await tool("Flood");
    await page.getByText(/polygons? can be reached/).waitFor();
    await tool("Random");
    await page.getByLabel("Seed").fill("7");
    await page.getByLabel("Seed").press("Enter");
    await page.getByText("100 points on the mesh.").waitFor();
    await page.locator('.answer dt:text-is("Seed") + dd:text-is("7")').waitFor();
    await shot(page, "random");
    await close();
});

test("a question under way is dropped by Clear and where something else is looked at", async () => {
    const { page, close } = await look("linked");
    await page.route("**/path?**", () => {}); // never answered
    for (const drop of [
        () => page.getByRole("button", { name: "Clear" }).click(),
        () => page.evaluate(() => (location.hash = "#/linked/2?panel=tools")),
        () => page.getByRole("button", { name: "Flood", exact: true }).click(),
    ]) {
        await page.getByRole("button", { name: "Clear" }).click();
        await type(page, "Start", "2,0,2");
        const [asked] = await Promise.all([page.waitForRequest("**/path?**"), type(page, "End", "30,0,2")]);
        const [dropped] = await Promise.all([page.waitForEvent("requestfailed", (request) => request === asked), drop()]);
        assert.equal(dropped.failure().errorText, "net::ERR_ABORTED");
        await page.unroute("**/path?**");
        await page.getByRole("button", { name: "Path", exact: true }).click();
        await page.route("**/path?**", () => {});
    }
    await page.unroute("**/path?**");
    await type(page, "Start", "5,0,2");
    await lengthIs(page, 25); // the next question is answered
    await page.route("**/path?**", () => {});
    await Promise.all([page.waitForRequest("**/path?**"), type(page, "Start", "6,0,2")]);
    await page.unroute("**/path?**");
    await page.getByRole("button", { name: "Path", exact: true }).click(); // drops it, and asks the same
    await lengthIs(page, 24);
    await close();
});

test("the check that is added is that of the answer, with all digits of its places", async () => {
    const { page, close } = await look("open");
    await type(page, "Start", "2.12345,0,2");
    await type(page, "End", "30,0,2");
    await lengthIs(page, 27.88);
    await page.route("**/path?**", () => {});
    await Promise.all([page.waitForRequest("**/path?**"), type(page, "End", "10,0,2")]);
    await page.getByRole("button", { name: "Add as a check…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Add the check" }).click();
    await page.getByRole("status").getByText('Check "path" is added').waitFor();
    const { checks } = await ask(daemon, "GET", "/v1/meshes/open/checks");
    assert.deepEqual(checks.map(({ start, end, expect }) => [start, end, expect]), [[[2.12345, 0, 2], [30, 0, 2], "reachable"]]);
    assert.ok(checks[0].max_length > 28 && checks[0].max_length < 32, `${checks[0].max_length}`);
    await close();
});

test("an answer of an instance on another version is said to be of it", async () => {
    await ask(daemon, "PUT", "/v1/meshes/linked/instances/run-1", { version: 2 });
    const { page, value, close } = await look("linked", "&instance=run-1");
    await type(page, "Start", "2,0,2");
    await type(page, "End", "30,0,2");
    await page.getByText('Not drawn: instance "run-1" is on version 2, and the picture shows version 1.').waitFor();
    assert.equal(await value("Length"), "28 m");
    await close();
});

test("every kind of question is recorded, and a ray is swapped", async () => {
    const { page, value, close } = await look("open");
    const tool = (name) => page.getByRole("button", { name, exact: true });
    await type(page, "Start", "5,0,5");
    await type(page, "End", "20,0,60");
    for (const [name, kind] of [["Ray", "raycast"], ["Wall", "wall"], ["Flood", "flood"]]) {
        await tool(name).click();
        await value("Took");
        await tool("Record it").click();
        await page.getByRole("status").getByText(/^The question is recorded as/).waitFor();
        const { recordings } = await ask(daemon, "GET", "/v1/recordings?limit=1000");
        assert.ok(recordings.some((row) => row.kind === kind && row.mesh === "open"), `${kind}: ${JSON.stringify(recordings)}`);
        assert.equal(await tool("Swap").isVisible(), kind === "raycast");
    }
    await tool("Ray").click();
    await tool("Swap").click();
    assert.deepEqual(await places(page), [[20, 0, 60], [5, 0, 5]]);
    await page.locator(".answer").getByText("The start is not on the mesh.").waitFor();
    await close();
});

test("a pin whose pointer is taken away is let go where it was", async () => {
    const { page, close } = await look("open");
    const at = await middle(page);
    await page.mouse.click(...at(-150, 0));
    await page.mouse.click(...at(20, 60));
    await page.getByRole("status").getByText(/^The path is/).waitFor();
    const before = await page.getByRole("status").textContent();
    const [x, y] = at(20, 40);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x - 60, y + 40, { steps: 4 });
    await still(page);
    const end = (await places(page))[1];
    await page.locator(".pin", { hasText: "End" }).dispatchEvent("pointercancel");
    await page.waitForFunction((text) => document.querySelector("[role=status]").textContent !== text, before);
    assert.deepEqual((await places(page))[1], end);
    await page.mouse.move(x, y);
    await page.mouse.up();
    assert.deepEqual((await places(page))[1], end);
    await close();
});

test("a place that is found when its panel is closed is not taken", async () => {
    const { page, close } = await openPage(browser, daemon, "/#/open/1?panel=tools");
    await page.addInitScript(() => {
        const { set } = Object.getOwnPropertyDescriptor(Worker.prototype, "onmessage");
        const hear = (listener) => (event) => (globalThis.late && event.data.value?.point ? globalThis.late.push(() => listener(event)) : listener(event));
        Object.defineProperty(Worker.prototype, "onmessage", { set(listener) { set.call(this, hear(listener)); } });
    });
    await page.reload();
    await still(page);
    const use = page.getByRole("button", { name: "Use the middle of the picture" });
    await use.click();
    await page.locator('[data-mark="tools:start"]').waitFor();
    await page.getByRole("button", { name: "Clear", exact: true }).click();
    await page.evaluate(() => void (globalThis.late = [])); // places that are found and not told yet
    await use.click();
    await page.waitForFunction(() => globalThis.late.length === 1);
    await page.getByRole("link", { name: "Meshes" }).click();
    await page.getByRole("button", { name: "open" }).waitFor();
    await page.evaluate(() => globalThis.late.forEach((tell) => tell()));
    assert.equal(await page.locator("[data-mark]").count(), 0);
    await close();
});

test("links and switches are no more than text, whatever they are named", async () => {
    const { page, value, close } = await look("linked");
    await type(page, "Start", "30,0,5");
    await type(page, "End", "50,0,5");
    assert.equal(await value("Links"), "1");
    await ask(daemon, "PUT", "/v1/meshes/linked/instances/run-2", { version: 1, switches: { [GATE]: "closed" } });
    await page.evaluate(() => (location.hash = "#/linked/1?panel=tools&instance=run-2"));
    await page.getByText(`In the way: ${GATE}.`).waitFor();
    await page.getByRole("link", { name: "Instances" }).click();
    await page.getByRole("button", { name: `Open ${GATE}` }).click();
    await page.getByRole("button", { name: `Close ${GATE}` }).waitFor();
    await still(page);
    await shot(page, "names");
    await close();
});

test("what is said of an instance that ends is not overwritten by the answer that follows, which nobody asked for", async () => {
    await ask(daemon, "PUT", "/v1/meshes/open/instances/run-9", {});
    const { page, value, close } = await look("open", "&instance=run-9");
    await type(page, "Start", "2,0,2");
    await type(page, "End", "30,0,2");
    await page.getByRole("status").getByText("The path is 28 m long").waitFor();
    const again = page.waitForResponse((reply) => reply.url().includes("/path?") && !reply.url().includes("run-9"));
    await ask(daemon, "DELETE", "/v1/meshes/open/instances/run-9");
    await again;
    await lengthIs(page, 28);
    assert.equal(await value("Length"), "28 m");
    assert.equal(await page.getByRole("status").textContent(), "The instance run-9 is gone: it was ended.");
    await type(page, "Start", "3,0,2");
    await page.getByRole("status").getByText("The path is 27 m long").waitFor();
    await close();
});

test("an answer that is not good leads to why: Explain is asked about the same places at once", async () => {
    const { page, close } = await look("open");
    await type(page, "Start", "5,0,20");
    await type(page, "End", "50,0,5");
    await page.getByRole("button", { name: "Why?" }).click();
    await page.getByRole("heading", { name: "Explain" }).waitFor();
    const answer = await ask(daemon, "GET", "/v1/meshes/open/explain?start=5,0,20&end=50,0,5");
    await page.locator(".lead", { hasText: answer.sentence }).waitFor();
    assert.equal(await page.getByLabel("To, if a way is meant").inputValue(), "50, 0, 5");
    await page.getByRole("link", { name: "Ask" }).click();
    await type(page, "End", "500,0,5");
    await page.locator(".answer").getByText("The end is not on the mesh.").waitFor();
    await page.getByRole("button", { name: "Why?" }).waitFor();
    await type(page, "End", "30,0,20");
    await lengthIs(page, 25);
    assert.equal(await page.getByRole("button", { name: "Why?" }).count(), 0);
    await close();
});
