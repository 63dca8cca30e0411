// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// checks.test.mjs: checks of a mesh are added, changed and deleted, run on the live version, and show
// how they went.

import assert from "node:assert/strict";
import { after, before } from "node:test";

import { ask, assertAccessible, hold, level, openPage, quick, shot, startBrowser, startDaemon, test, upload } from "./helper.mjs";

let browser, daemon;

before(async () => {
    [browser, daemon] = await Promise.all([startBrowser({ picture: false }), startDaemon()]);
    await upload(daemon, "town", level("town", 1));
    await upload(daemon, "other", level("town", 1));
});

after(async () => {
    await browser?.close();
    await daemon?.stop();
});

const button = (page, name) => page.getByRole("button", { name });
const checks = async () => (await ask(daemon, "GET", "/v1/meshes/town/checks")).checks;

quick("checks are added, run, changed and deleted", async () => {
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

test("an answer that comes after another mesh was chosen is not shown as that one's", async () => {
    await ask(daemon, "PUT", "/v1/meshes/town/checks", { checks: [{ name: "of town", min_walkable_area: 1 }] });
    await ask(daemon, "PUT", "/v1/meshes/other/checks", { checks: [{ name: "of other", min_walkable_area: 2 }] });
    const { page, close } = await openPage(browser, daemon, "/#/town/1?panel=checks");
    await page.getByText("of town").waitFor();
    await page.goto(`${daemon.base}/#/?panel=checks`);
    await page.getByText("Choose a mesh in Meshes first.").waitFor();
    const late = await hold(page, "**/v1/meshes/town/checks");
    await page.goto(`${daemon.base}/#/town/1?panel=checks`);
    await late.held;
    await page.goto(`${daemon.base}/#/other/1?panel=checks`);
    await page.getByText("of other").waitFor();
    await late.release();
    assert.equal(await page.getByText("of town").count(), 0);
    await button(page, "Change of other").click();
    await page.getByRole("dialog").getByLabel("Least walkable area").fill("3");
    await button(page.getByRole("dialog"), "Change it").click();
    await page.getByText("at least 3 walkable").waitFor();
    assert.deepEqual((await checks()).map((check) => [check.name, check.min_walkable_area]), [["of town", 1]]);
    await close();
});

test("a check that is renamed keeps its places to the last digit; one given by point has its place", async () => {
    const way = { name: "way", start: [2.12345, 0.001, 2], end: [30, 0, 30.98765], expect: "reachable" };
    const stand = { name: "stand", point: [2.125, 0, 2.375], expect: "on_mesh" };
    await ask(daemon, "PUT", "/v1/meshes/town/checks", { checks: [way, stand] });
    const { page, close } = await openPage(browser, daemon, "/#/town/1?panel=checks");
    for (const name of ["way", "stand"]) {
        await button(page, `Change ${name}`).click();
        await page.getByRole("dialog").getByLabel("Name").fill(`${name} 2`);
        await button(page.getByRole("dialog"), "Change it").click();
        await page.getByText(`${name} 2`, { exact: true }).waitFor();
    }
    await button(page, "Fly to stand 2").click();
    await page.getByRole("status").getByText("The view shows the check stand 2.").waitFor();
    const kept = await checks();
    assert.deepEqual([kept[0].start, kept[0].end], [way.start, way.end]);
    assert.deepEqual([kept[1].name, kept[1].start ?? kept[1].point], ["stand 2", stand.point]);
    await close();
});

test("a path that was asked for becomes a check, with its places and a length that it must not pass", async () => {
    await ask(daemon, "PUT", "/v1/meshes/town/checks", { checks: [] });
    const { length } = await ask(daemon, "GET", "/v1/meshes/town/path?start=2,0,2&end=30,0,30");
    const { page, close } = await openPage(browser, daemon, "/#/town/1?panel=tools");
    await page.getByLabel("Start", { exact: true }).fill("2, 0, 2");
    await page.getByLabel("End", { exact: true }).fill("30, 0, 30");
    await button(page, "Ask").click();
    await page.getByRole("region", { name: "Answer" }).getByText("Length").first().waitFor();
    await button(page, "Add as a check…").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("to the market");
    assert.equal(await dialog.getByLabel("Each new version must").inputValue(), "reachable");
    await button(dialog, "Add the check").click();
    await page.getByRole("status").getByText('Check "to the market" is added').waitFor();
    const [check] = await checks();
    assert.deepEqual([check.name, check.expect, check.start, check.end], ["to the market", "reachable", [2, 0, 2], [30, 0, 30]]);
    assert.ok(check.max_length >= length && check.max_length < 1.5 * length, `${check.max_length} of ${length}`);
    await page.locator(".tabs [data-panel=checks]").click();
    await page.getByText("to the market", { exact: true }).waitFor();
    await close();
});

test("checks of a mesh of which no version is live any more are not run, in words", async () => {
    await upload(daemon, "short", level("town", 1));
    await ask(daemon, "PUT", "/v1/meshes/short/checks", { checks: [{ name: "way", min_walkable_area: 1 }] });
    const { page, close } = await openPage(browser, daemon, "/#/short/1?panel=checks");
    await button(page, "Run them now").waitFor();
    for (const read of ["header .badge", ".view .none"]) {
        await page.locator(read).waitFor(); // what is still read would fail as well
    }
    await page.route("**/v1/meshes/short/versions/1", () => {}); // it is asked for after that, and its 404 would be said in that place
    await ask(daemon, "DELETE", "/v1/meshes/short");
    await ask(daemon, "POST", "/v1/meshes/short/versions?wait=1&activate=0", level("town", 1), "model/obj");
    await button(page, "Run them now").click();
    await page.getByRole("alert").getByText("No version of short is live now.").waitFor();
    await close();
});
