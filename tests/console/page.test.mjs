// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// page.test.mjs: the page opens without a fault, lists the meshes, and asks for a token where the
// daemon wants one.

import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { assertAccessible, level, openPage, shot, startBrowser, startDaemon, upload } from "./helper.mjs";

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
