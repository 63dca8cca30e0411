// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// view.test.mjs: the picture shows the level and its mesh in the colours that the legend names, in light and in dark.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { ask, assertAccessible, level, openPage, shot, startBrowser, startDaemon, upload } from "./helper.mjs";
import { legend, parts, still } from "./picture.mjs";

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

test("the picture has the areas in the colours of the legend, whatever they are named", async () => {
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
    assert.match(await page.locator(".legend").textContent(), /Slope0°5°/);
    await choice.selectOption("tile");
    assert.match(await page.locator(".legend").textContent(), /Tiles1 tile/);
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
