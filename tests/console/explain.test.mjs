// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// explain.test.mjs: by the right button, by coordinates and by keyboard the console says why there is, or
// is no, mesh at a place: the sentence first, then each stage with its numbers.

import assert from "node:assert/strict";
import { after, before } from "node:test";

import { ask, assertAccessible, openPage, quick, shot, startBrowser, startDaemon, test, upload } from "./helper.mjs";
import { still } from "./picture.mjs";

// A floor, and a steep roof beside it.
const LEVEL = "v 0 0 0\nv 0 0 20\nv 20 0 20\nv 20 0 0\nf 1 2 3 4\nv 20 0 0\nv 20 0 20\nv 26 15 20\nv 26 15 0\nf 5 6 7 8\n";
let browser, daemon;

before(async () => {
    [browser, daemon] = await Promise.all([startBrowser(), startDaemon()]);
    await upload(daemon, "roof", LEVEL);
});

after(async () => {
    await browser?.close();
    await daemon?.stop();
});

quick("the right button in the view explains the place", async () => {
    const { page, close } = await openPage(browser, daemon, "/#/roof/1");
    await still(page);
    const box = await page.locator(".view canvas").boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2, { button: "right" });
    await page.getByRole("heading", { name: "Explain" }).waitFor();
    await page.locator(".lead").waitFor();
    const place = await page.getByLabel("Place", { exact: true }).inputValue();
    const answer = await ask(daemon, "GET", `/v1/meshes/roof/explain?point=${place.replaceAll(" ", "")}`);
    assert.ok((await page.locator(".lead").textContent()).startsWith(answer.sentence.slice(0, 20)));
    await assertAccessible(page, "explain by the right button");
    await shot(page, "explain");
    await close();
});

test("two places that one setting would join: a button opens the form with it", async () => {
    // A step of 1.1 between two floors.
    await upload(daemon, "step", "v 0 0 0\nv 0 0 20\nv 20 0 20\nv 20 0 0\nf 1 2 3 4\nv 20 1.1 0\nv 20 1.1 20\nv 40 1.1 20\nv 40 1.1 0\nf 5 6 7 8\n");
    const { page, close } = await openPage(browser, daemon, "/#/step/1?panel=explain");
    await page.getByLabel("Place", { exact: true }).fill("5, 0, 10");
    await page.getByLabel("To, if a way is meant").fill("35, 1.1, 10");
    await page.keyboard.press("Enter");
    const bake = page.getByRole("button", { name: /^Bake again with agent\.max_climb [\d.]+$/ });
    await bake.waitFor();
    const climb = /[\d.]+$/.exec(await bake.textContent())[0];
    await assertAccessible(page, "explain a way");
    await shot(page, "explain_way");
    await bake.click();
    await page.getByRole("heading", { name: "Upload" }).waitFor();
    await page.getByRole("status").getByText("The level and the settings of version 1 are in the form.").waitFor();
    assert.equal(await page.getByLabel("max climb").inputValue(), climb);
    await close();
});

test("coordinates on the roof: too steep, with its slope and what is allowed", async () => {
    const answer = await ask(daemon, "GET", "/v1/meshes/roof/explain?point=23,7.5,10");
    assert.equal(answer.reason, "too_steep");
    const { page, close } = await openPage(browser, daemon, "/#/roof/1?panel=explain");
    await page.getByLabel("Place", { exact: true }).fill("23, 7.5, 10");
    await page.keyboard.press("Enter");
    await page.locator(".lead", { hasText: answer.sentence }).waitFor();
    await page.locator(".cards .chosen .badge", { hasText: "too steep" }).waitFor();
    await page.locator(".cards .chosen").getByText("68.2°, at most 45°").waitFor();
    await page.getByText("Triangles (").click();
    await assertAccessible(page, "explain");
    await shot(page, "explain_steep");
    await page.getByLabel("Place", { exact: true }).fill("1, 2");
    await page.keyboard.press("Enter");
    await page.getByText("Give three numbers: x, y, z.").waitFor();
    await close();
});

test("a failure is over when the next place is explained, and what was said when another panel is opened", async () => {
    const { page, close } = await openPage(browser, daemon, "/#/roof/1?panel=explain");
    const explain = async (place) => {
        await page.getByLabel("Place", { exact: true }).fill(place);
        await page.keyboard.press("Enter");
    };
    const alert = page.getByRole("alert");
    await explain("400, 0, 400");
    await alert.waitFor();
    await explain("10, 0, 10");
    await page.getByRole("status").getByText("The agent can walk here").waitFor();
    assert.equal(await alert.count(), 0);
    await explain("400, 0, 400");
    await alert.waitFor();
    await page.getByRole("link", { name: "Meshes" }).click();
    await page.getByText("Walkable area").waitFor();
    assert.equal(await alert.count(), 0);
    assert.equal(await page.getByRole("status").textContent(), "");
    await close(/422/);
});
