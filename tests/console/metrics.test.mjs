// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// metrics.test.mjs: how the daemon is, as small charts with a table each; questions that were recorded,
// saved as files and deleted.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before } from "node:test";

import { ask, assertAccessible, level, openPage, quick, shot, startBrowser, startDaemon, test, upload } from "./helper.mjs";

let browser, daemon;

before(async () => {
    [browser, daemon] = await Promise.all([startBrowser({ picture: false }), startDaemon()]);
    await upload(daemon, "town", level("town", 1));
});

after(async () => {
    await browser?.close();
    await daemon?.stop();
});

quick("charts follow what is asked of the daemon, and are tables for those who cannot see them", async () => {
    const { page, close } = await openPage(browser, daemon, "/#/town/1?panel=recordings");
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(1000);
    await page.locator(".tabs [data-panel=metrics]").click();
    await page.getByText("navmeshd 0").waitFor();
    for (let count = 0; count < 20; count++) {
        await ask(daemon, "GET", "/v1/meshes/town/nearest?point=2,0,2");
    }
    await page.clock.runFor(2000); // to the next reading
    await page.getByRole("img", { name: /^Requests a second: answered 1[01]/ }).waitFor(); // the page asks once a second
    await page.clock.resume();
    assert.match(await page.getByRole("img", { name: /^Time of a request/ }).getAttribute("aria-label"), /half of them [\d.]+ (µs|ms)/);
    await page.getByText("As a table").first().click();
    const table = page.getByRole("table", { name: "Requests a second" });
    assert.ok((await table.locator("tbody tr").count()) >= 2);
    await page.getByText("Meshes that are live (1)").click();
    await page.getByRole("table", { name: "Meshes that are live" }).getByText("town").waitFor();
    await assertAccessible(page, "metrics");
    await shot(page, "metrics");
    await close();
});

test("an answer that cannot be shown is told", async () => {
    const { page, close } = await openPage(browser, daemon, "/#/?panel=recordings");
    await page.getByText("Nothing is recorded yet.").waitFor();
    await page.route("**/v1/status", (route) => route.fulfill({ json: {} }));
    await page.locator(".tabs [data-panel=metrics]").click();
    await page.getByRole("alert").getByText("The console has a fault:").waitFor();
    await close();
});

test("what was while the panel was closed is a gap, and older readings are as old as they are", async () => {
    const { page, close } = await openPage(browser, daemon, "/#/?panel=recordings");
    await page.clock.install();
    const open = (panel) => page.locator(`.tabs [data-panel=${panel}]`).click();
    const ages = () => page.locator('table[aria-label="Memory"] tbody th').allTextContents();
    const readings = (count) => page.waitForFunction((least) => document.querySelectorAll('table[aria-label="Memory"] tbody tr').length >= least, count);
    await open("metrics");
    await readings(1);
    await open("recordings");
    await page.clock.fastForward(60000);
    await open("metrics");
    await readings(2);
    const seconds = (await ages()).map((text) => parseInt(text));
    assert.ok(seconds.some((age) => age >= 60 && age < 70) && !seconds.some((age) => age > 10 && age < 60), `${seconds}`);
    const line = await page.getByRole("img", { name: /^Memory/ }).locator("path").first().getAttribute("d");
    assert.equal(line.match(/M/g).length, 2, line);
    await close();
});

test("recordings are listed, saved as a file, and deleted", async () => {
    const { page, close } = await openPage(browser, daemon, "/#/town/1?panel=checks");
    await page.clock.install();
    await page.locator(".tabs [data-panel=recordings]").click();
    await page.getByText("Nothing is recorded yet.").waitFor();
    await assertAccessible(page, "no recordings");
    const made = await ask(daemon, "POST", "/v1/recordings", { name: "stuck at 3:12", question: { mesh: "town", kind: "path", start: [2, 0, 2], end: [30, 0, 30] } });
    await page.clock.fastForward(60000); // the panel looks every few seconds
    await page.getByText("stuck at 3:12").waitFor();
    await page.getByRole("button", { name: "path of town, version 1" }).waitFor();
    await assertAccessible(page, "recordings");
    await shot(page, "recordings");
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save stuck at 3:12 as a file" }).click()]);
    const bundle = await fetch(`${daemon.base}/v1/recordings/${made.id}`);
    assert.deepEqual(readFileSync(await file.path()), Buffer.from(await bundle.arrayBuffer()));
    await page.getByRole("button", { name: "Delete stuck at 3:12" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete it" }).click();
    await page.getByText("Nothing is recorded yet.").waitFor();
    assert.equal((await ask(daemon, "GET", "/v1/recordings")).count, 0);
    await close();
});

test("of a recording that is damaged the list says what is not known", async () => {
    const damaged = { id: "0123456789abcdef", name: null, cause: "slow", created_at: null, mesh: "town", version: 0, kind: null, status: 0, ms: 0, bytes: 12 };
    const { page, close } = await openPage(browser, daemon, "/#/?panel=metrics");
    await page.route("**/v1/recordings?**", (route) => route.fulfill({ json: { recordings: [damaged], next: null, count: 1, bytes: 12, bytes_max: 1000 } }));
    await page.locator(".tabs [data-panel=recordings]").click();
    await page.getByText("a question of town, version unknown").waitFor();
    await close();
});
