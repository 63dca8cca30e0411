// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// versions.test.mjs: the panel of meshes shows a version with its numbers and warnings, switches and
// rolls back after a confirmation, says in words what stands in the way, and deletes.

import assert from "node:assert/strict";
import { after, before } from "node:test";

import { ask, assertAccessible, level, openPage, quick, shot, startBrowser, startDaemon, test, upload } from "./helper.mjs";

let browser, daemon;

before(async () => {
    [browser, daemon] = await Promise.all([startBrowser({ picture: false }), startDaemon()]);
    const town = level("town", 1);
    await upload(daemon, "town", town);
    await upload(daemon, "town", town, { agent: { radius: 0.4 }, agents: { rat: { radius: 0.2, height: 0.5 } } });
    await upload(daemon, "other", town);
});

after(async () => {
    await browser?.close();
    await daemon?.stop();
});

const active = async (mesh) => (await ask(daemon, "GET", `/v1/meshes/${mesh}`)).active;
const button = (page, name) => page.getByRole("button", { name });

test("a version has its numbers, its settings and warnings that lead to their places", async () => {
    const { page, close } = await openPage(browser, daemon, "/#/town/2");
    const { stats, warnings } = await ask(daemon, "GET", "/v1/meshes/town/versions/2");
    await page.getByText("Walkable area").waitFor();
    const polygons = new Intl.NumberFormat("en").format(stats.polygons);
    assert.equal(await page.locator("dt:text-is('Polygons') + dd").textContent(), polygons);
    await page.getByText("Settings", { exact: true }).click();
    assert.equal(await page.locator("dt:text-is('agent.radius') + dd").textContent(), "0.4");
    const island = warnings.find((warning) => warning.code === "island");
    await page.getByText(`island (${island.count})`).click();
    await page.getByRole("button", { name: /^Fly to island/ }).first().click();
    assert.match(await page.getByRole("status").textContent(), /The view shows island at/);
    await assertAccessible(page, "a version");
    await shot(page, "version");
    await close();
});

test("the numbers are those of the body that is chosen, which the address keeps", async () => {
    const { page, close } = await openPage(browser, daemon, "/#/town/2");
    const { agents } = await ask(daemon, "GET", "/v1/meshes/town/versions/2");
    await page.getByLabel("Agent").selectOption("rat");
    const polygons = new Intl.NumberFormat("en").format(agents.rat.stats.polygons);
    await page.locator(`dt:text-is('Polygons') + dd:text-is('${polygons}')`).waitFor();
    assert.match(page.url(), /agent=rat/);
    await button(page, "Version 1").click();
    await page.locator(".place", { hasText: "version 1" }).waitFor();
    await page.waitForURL((url) => !url.hash.includes("agent"));
    await close();
});

test("while a version is baked its stream stays open, whatever the list of versions tells", async () => {
    const { page, close } = await openPage(browser, daemon, "/#/?panel=recordings");
    await page.clock.install();
    let looks = 0;
    let streams = 0;
    await page.route("**/v1/meshes/town", async (route) => {
        const reply = await route.fetch({ headers: { ...route.request().headers(), "if-none-match": "" } });
        const mesh = await reply.json();
        Object.assign(mesh.versions[0], { state: "baking", progress: 0.01 * ++looks });
        await route.fulfill({ response: reply, headers: { ...reply.headers(), etag: `"${looks}"` }, json: mesh });
    });
    await page.route("**/v1/meshes/town/versions/1/events", () => void streams++); // tells nothing, and does not end
    await page.goto(`${daemon.base}/#/town/1?panel=meshes`);
    for (let percent = 2; percent <= 4; percent++) {
        await page.clock.fastForward(3000);
        await page.getByRole("table").getByText(/^baking, \d+ %$/).waitFor();
        await page.waitForFunction((least) => [...document.querySelectorAll(".side td .badge")].some((each) => parseInt(each.textContent.replace(/\D+/, "")) >= least), percent);
    }
    await page.getByLabel("How far the bake is").waitFor();
    assert.equal(streams, 1);
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await close();
});

quick("a roll-back is asked for once, and done at once", async () => {
    const { page, close } = await openPage(browser, daemon, "/#/town/1");
    await button(page, "Roll back to it…").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Roll back town to version 1?").waitFor();
    await assertAccessible(page, "a confirmation");
    await shot(page, "roll_back");
    await button(dialog, "Cancel").click();
    assert.equal(await active("town"), 2);
    await button(page, "Roll back to it…").click();
    await button(page.getByRole("dialog"), "Roll back").click();
    await page.getByRole("status").getByText("Version 1 of town is live.").waitFor();
    assert.equal(await active("town"), 1);
    await close();
});

test("a switch that another one came before is refused and said in words", async () => {
    await ask(daemon, "PUT", "/v1/meshes/town/active", { version: 1 });
    const { page, close } = await openPage(browser, daemon, "/#/town/2");
    await button(page, "Make it live…").click();
    await page.getByRole("dialog").waitFor();
    await ask(daemon, "PUT", "/v1/meshes/town/active", { version: 2 });
    await ask(daemon, "PUT", "/v1/meshes/town/active", { version: 1 });
    await ask(daemon, "PUT", "/v1/meshes/town/active", { version: 2 });
    await button(page.getByRole("dialog"), "Make it live").click();
    await page.getByRole("alert").getByText("Somebody else changed it meanwhile").waitFor();
    await shot(page, "stale");
    await close(/412/);
});

test("checks that fail stand in the way until they are forced", async () => {
    await ask(daemon, "PUT", "/v1/meshes/town/active", { version: 1 });
    await ask(daemon, "PUT", "/v1/meshes/town/checks", { checks: [{ name: "vast", min_walkable_area: 1e9 }] });
    const { page, close } = await openPage(browser, daemon, "/#/town/2");
    await button(page, "Make it live…").click();
    await button(page.getByRole("dialog"), "Make it live").click();
    await page.getByRole("dialog").getByText("Checks are in the way").waitFor();
    await page.getByRole("dialog").getByText(/'vast'/).waitFor();
    assert.equal(await active("town"), 1);
    await shot(page, "checks_failed");
    await button(page.getByRole("dialog"), "Force it").click();
    await page.getByRole("status").getByText("Version 2 of town is live.").waitFor();
    assert.equal(await active("town"), 2);
    await ask(daemon, "PUT", "/v1/meshes/town/checks", { checks: [] });
    await close(/409/);
});

test("a mesh and a version are deleted after a confirmation", async () => {
    await upload(daemon, "other", level("town", 1), { cell_size: 0.25 });
    const { page, close } = await openPage(browser, daemon, "/#/other/1");
    await button(page, "Delete…").click();
    await button(page.getByRole("dialog"), "Delete it").click();
    await page.locator(".place", { hasText: "other, version 2" }).waitFor();
    assert.equal((await ask(daemon, "GET", "/v1/meshes/other")).versions.length, 1);
    await button(page, "Delete the mesh…").click();
    await button(page.getByRole("dialog"), "Delete all of it").click();
    await page.locator(".place", { hasText: "no mesh chosen" }).waitFor();
    assert.deepEqual((await ask(daemon, "GET", "/v1/meshes")).meshes.map((each) => each.mesh), ["town"]);
    await close();
});

test("an address of a version that is not there says so, and what to do", async () => {
    const { page, close } = await openPage(browser, daemon, "/#/town/99");
    await page.getByRole("alert").getByText("choose another in Meshes").waitFor();
    await close(/404/);
});

test("light and dark: the system's, or as chosen and kept", async () => {
    const { page, close } = await openPage(browser, daemon, "/#/town/2", { colorScheme: "light" });
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    await page.getByLabel("Light or dark").selectOption("dark");
    const dark = await ground();
    assert.notEqual(dark, light);
    await page.reload();
    assert.equal(await ground(), dark);
    await page.getByText("Walkable area").waitFor();
    await assertAccessible(page, "a version in the dark");
    await shot(page, "dark");
    await page.getByLabel("Light or dark").selectOption("system");
    await page.emulateMedia({ colorScheme: "dark" });
    assert.equal(await ground(), dark);
    await close();
});
