// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// page.test.mjs: the page opens without a fault, lists the meshes, and asks for a token where the
// daemon wants one.

import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";

import { ask, assertAccessible, level, openPage, shot, startBrowser, startDaemon, test, upload } from "./helper.mjs";

const TOKEN = "admin-token-0123456789";
let browser, daemon;

before(async () => {
    [browser, daemon] = await Promise.all([startBrowser(), startDaemon()]);
    await upload(daemon, "town", level("town", 1));
});

after(async () => {
    await browser?.close();
    await daemon?.stop();
});

test("the page lists the meshes", async () => {
    const { page, close } = await openPage(browser, daemon);
    await page.getByRole("button", { name: "town" }).click();
    assert.match(await page.locator(".place").textContent(), /town, version 1/);
    assert.match(page.url(), /#\/town\/1\?panel=/);
    await assertAccessible(page, "the first page");
    await shot(page, "meshes");
    await close();
});

test("the address leads back to what was looked at", async () => {
    const { page, close } = await openPage(browser, daemon, "/#/town/1");
    assert.match(await page.locator(".place").textContent(), /town, version 1/);
    await close();
});

test("a daemon with tokens is asked with the one that the user gives, in this tab alone", async () => {
    const folder = mkdtempSync(join(tmpdir(), "navmeshd-tokens-"));
    const tokens = join(folder, "tokens");
    writeFileSync(tokens, `admin ${TOKEN}\n`);
    chmodSync(tokens, 0o600);
    const guarded = await startDaemon("--token-file", tokens);
    const { page, close } = await openPage(browser, guarded);
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("A token is wanted").fill(TOKEN);
    await shot(page, "token");
    await dialog.getByRole("button", { name: "Use it" }).click();
    await page.getByText("There is no mesh yet").waitFor();
    await page.reload();
    await page.getByText("There is no mesh yet").waitFor();
    assert.equal(await page.evaluate(() => localStorage.length), 0);
    await close(/401/);
    await guarded.stop();
    rmSync(folder, { recursive: true });
});

// A way to the daemon that can be cut while answers are on it.
async function startWire(daemon) {
    const { hostname, port } = new URL(daemon.base);
    const sockets = new Set();
    const server = createServer((near) => {
        const far = connect(Number(port), hostname);
        near.pipe(far).pipe(near);
        for (const socket of [near, far]) {
            sockets.add(socket);
            socket.on("error", () => {});
            socket.on("close", () => [near, far].forEach((each) => each.destroy()));
        }
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    const cut = () => sockets.forEach((socket) => socket.resetAndDestroy());
    return { base: `http://127.0.0.1:${server.address().port}`, cut, stop: () => (server.close(), cut()) };
}

test("a connection that breaks while an answer is read is told as such, and is no fault of the console", async () => {
    const run = "/v1/meshes/town/instances/run-1";
    await ask(daemon, "PUT", run, {});
    const wire = await startWire(daemon);
    const { page, close } = await openPage(browser, wire, "/#/town/1?panel=instances&instance=run-1");
    await page.getByRole("heading", { name: "In run-1" }).waitFor();
    await page.evaluate(() => {
        globalThis.told = [];
        const alert = document.querySelector("[role=alert]");
        new MutationObserver(() => globalThis.told.push(alert.textContent)).observe(alert, { childList: true, subtree: true });
    });
    wire.cut();
    await page.waitForFunction(() => globalThis.told.length > 0);
    await ask(daemon, "PATCH", run, { obstacles: { cart: { shape: "circle", center: [2, 0, 2], radius: 1 } } });
    await page.getByRole("list", { name: "Obstacles" }).getByText("cart").waitFor(); // it is followed again
    const told = await page.evaluate(() => globalThis.told);
    assert.deepEqual(told.filter((text) => !text.startsWith("The daemon does not answer")), []);
    await close(/ERR_/);
    wire.stop();
});

test("the tabs: opening one moves nothing; on a narrow window they are one strip with the open one in sight", async () => {
    const { page, close } = await openPage(browser, daemon, "/#/");
    const width = () => page.evaluate(() => document.querySelector(".tabs").getBoundingClientRect().width);
    const before = await width();
    for (const name of ["Recordings", "Instances"]) {
        await page.getByRole("link", { name }).click();
        await page.getByRole("heading", { name, exact: true }).waitFor();
        assert.equal(await width(), before, name);
    }
    for (const height of [800, 1200]) {
        await page.setViewportSize({ width: 420, height });
        await page.goto(`${daemon.base}/#/?panel=meshes`);
        await page.getByRole("button", { name: "town" }).waitFor();
        const strip = await page.evaluate(() => document.querySelector(".tabs").getBoundingClientRect().height);
        assert.ok(strip < 60, `${strip} high in a window of ${height}`);
    }
    await page.getByRole("link", { name: "Metrics" }).evaluate((tab) => tab.click());
    await page.getByRole("heading", { name: "Metrics" }).waitFor();
    const seen = await page.evaluate(() => {
        const [strip, tab] = [".tabs", ".tabs [aria-current]"].map((each) => document.querySelector(each).getBoundingClientRect());
        return tab.left >= strip.left && tab.right <= strip.right;
    });
    assert.ok(seen, "the open tab is in sight");
    await close();
});
