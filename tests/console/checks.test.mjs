// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// checks.test.mjs: checks of a mesh are added, changed and deleted, run on the live version, and show
// how they went.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { ask, assertAccessible, level, openPage, shot, startBrowser, startDaemon, upload } from "./helper.mjs";

let browser, daemon;

before(async () => {
    [browser, daemon] = await Promise.all([startBrowser({ picture: false }), startDaemon()]);
    await upload(daemon, "town", level("town", 1));
});

after(async () => {
    await browser?.close();
    await daemon?.stop();
});

const button = (page, name) => page.getByRole("button", { name });
const checks = async () => (await ask(daemon, "GET", "/v1/meshes/town/checks")).checks;

test("checks are added, run, changed and deleted", async () => {
    const { page, close } = await openPage(browser, daemon, "/#/town/1?panel=checks");
    await page.getByText("town has no checks").waitFor();
    await assertAccessible(page, "no checks");
    await button(page, "Add a path…").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("across");
    await dialog.getByLabel("From").fill("2, 0, 2");
    await dialog.getByLabel("to", { exact: true }).fill("30 0 30");
    await dialog.getByLabel("Longest way").fill("500");
    await assertAccessible(page, "a check that is added");
    await button(dialog, "Add it").click();
    await page.getByText("a way, at most 500 long").waitFor();
    await page.getByText("not run yet").waitFor();
    await button(page, "Add a least area…").click();
    await page.getByRole("dialog").getByLabel("Name").fill("vast");
    await page.getByRole("dialog").getByLabel("Least walkable area").fill("1000000");
    await button(page.getByRole("dialog"), "Add it").click();
    await page.getByText("at least 1,000,000 walkable").waitFor();
    assert.deepEqual(
        (await checks()).map(({ name, start, end, max_length: length, min_walkable_area: area }) => [name, start, end, length, area]),
        [["across", [2, 0, 2], [30, 0, 30], 500, undefined], ["vast", undefined, undefined, undefined, 1e6]],
    );
    await button(page, "Run them now").click();
    await page.getByText("met", { exact: true }).waitFor();
    await page.getByText("failed", { exact: true }).waitFor();
    await page.getByText(/The walkable area is|the walkable area is/).waitFor();
    await button(page, "Fly to across").click();
    await assertAccessible(page, "checks");
    await shot(page, "checks");
    await button(page, "Change vast").click();
    await page.getByRole("dialog").getByLabel("Least walkable area").fill("10");
    await button(page.getByRole("dialog"), "Change it").click();
    await page.getByText("at least 10 walkable").waitFor();
    await button(page, "Run them now").click();
    await page.getByRole("status").getByText("Version 1 meets all checks.").waitFor();
    await button(page, "Delete vast").click();
    await button(page.getByRole("dialog"), "Delete it").click();
    await page.getByText("at least 10 walkable").waitFor({ state: "detached" });
    assert.deepEqual((await checks()).map((check) => check.name), ["across"]);
    await close(/409/);
});

test("a place that is none is said in words, and nothing is sent", async () => {
    const before = await checks();
    const { page, close } = await openPage(browser, daemon, "/#/town/1?panel=checks");
    await button(page, "Add a place…").click();
    await page.getByRole("dialog").getByLabel("Where there has to be ground").fill("1, 2, x");
    await button(page.getByRole("dialog"), "Add it").click();
    await page.getByRole("alert").getByText('"1, 2, x" is no place').waitFor();
    assert.deepEqual(await checks(), before);
    await close();
});
