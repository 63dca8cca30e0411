// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// compare.test.mjs: two versions side by side: numbers, settings that differ, and the islands that
// came, went or were cut off, each with its place and a picture of both.

import assert from "node:assert/strict";
import { after, before } from "node:test";

import { ask, assertAccessible, hold, openPage, quick, shot, startBrowser, startDaemon, test, upload } from "./helper.mjs";

// A floor of 30 x 10 m; with a gap across it, it is two islands.
const floor = (x, width) => `v ${x} 0 0\nv ${x} 0 10\nv ${x + width} 0 10\nv ${x + width} 0 0\nf -4 -3 -2 -1\n`;
const WHOLE = floor(0, 30);
const HALVES = floor(0, 18) + floor(24, 6);
let browser, daemon;

before(async () => {
    [browser, daemon] = await Promise.all([startBrowser({ picture: false }), startDaemon()]);
    await upload(daemon, "hall", WHOLE);
    await upload(daemon, "hall", HALVES, { agent: { radius: 0.3 } });
    await upload(daemon, "alone", WHOLE);
    await upload(daemon, "same", WHOLE);
    await upload(daemon, "same", WHOLE, { cell_size: 0.25 });
});

after(async () => {
    await browser?.close();
    await daemon?.stop();
});

quick("what changed is listed, flown to, drawn twice; numbers and settings stand side by side", async () => {
    const diff = await ask(daemon, "GET", "/v1/meshes/hall/versions/diff?from=1&to=2");
    assert.deepEqual([diff.islands.before, diff.islands.after], [1, 2]);
    const { page, close } = await openPage(browser, daemon, "/#/hall/1");
    await page.getByRole("button", { name: "Compare with the live one" }).click();
    await page.getByLabel("From version").selectOption("1");
    await page.getByLabel("To version").selectOption("2");
    await page.getByText(/Changed: the level and the settings; .*islands 1 → 2/).waitFor();
    const settings = page.getByRole("table", { name: "Settings that differ" });
    assert.match(await settings.textContent(), /agent\.radius0\.60\.3/);
    assert.match(await page.getByRole("table", { name: "Numbers" }).textContent(), /Islands12\+1/);
    await page.getByRole("button", { name: /^Fly to Islands: cut off, [0-9.]+ m² large/ }).click();
    assert.match(await page.getByRole("status").textContent(), /The view shows cut off/);
    for (const version of [1, 2]) {
        const picture = page.getByAltText(`The place from above in version ${version}`);
        await picture.waitFor();
        assert.ok(await picture.evaluate((image) => image.decode().then(() => image.naturalWidth > 0)));
    }
    await assertAccessible(page, "two versions");
    await shot(page, "compare");
    await page.getByRole("button", { name: "Swap" }).click();
    await page.getByText(/islands 2 → 1/).waitFor();
    await page.getByRole("button", { name: /^Fly to Islands: joined with another/ }).waitFor();
    await page.getByRole("group", { name: "Which of both the view shows" }).getByRole("button", { name: "Version 2" }).click();
    await page.locator(".place", { hasText: "hall, version 2" }).waitFor();
    await close();
});

test("a mesh of one version says that it takes two", async () => {
    const { page, close } = await openPage(browser, daemon, "/#/alone/1?panel=compare");
    await page.getByText("to compare takes two").waitFor();
    await assertAccessible(page, "nothing to compare");
    await close();
});

test("a comparison that comes after another mesh was chosen is not shown as that one's", async () => {
    const { page, close } = await openPage(browser, daemon, "/#/alone/1?panel=compare");
    await page.getByText("to compare takes two").waitFor();
    const late = await hold(page, "**/v1/meshes/hall/versions/diff?*");
    await page.goto(`${daemon.base}/#/hall/2?panel=compare`);
    await late.held;
    await page.goto(`${daemon.base}/#/same/2?panel=compare`);
    await page.getByText(/Changed: the settings;/).waitFor();
    await late.release();
    assert.equal(await page.getByText(/Changed: the level and the settings/).count(), 0);
    await close();
});
