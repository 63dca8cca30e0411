// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// instances.test.mjs: an instance is made and entered; obstacles are put by a click in the view, moved by
// their handles, taken away; switches are turned in the list and in the view; what others do in it is
// seen at once, bots that walk by the hundred included.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { ask, assertAccessible, openPage, shot, startBrowser, startDaemon, upload } from "./helper.mjs";

const HALL = "v 0 0 0\nv 0 0 20\nv 20 0 20\nv 20 0 0\nf 1 2 3 4\n";
const GATE = { switches: { gate: { shapes: [{ shape: "box", min: [9, -1, -1], max: [11, 2, 21] }] } } };
const RUN = "/v1/meshes/hall/instances/run-1";
let browser, daemon;

before(async () => {
    [browser, daemon] = await Promise.all([startBrowser(), startDaemon()]);
    await upload(daemon, "hall", HALL, GATE);
});

after(async () => {
    await browser?.close();
    await daemon?.stop();
});

const button = (page, name) => page.getByRole("button", { name });
const state = () => ask(daemon, "GET", RUN);
const shown = (page) => page.locator("canvas").waitFor();

// Until what the daemon has is as it should be.
async function until(check, what) {
    for (let tries = 0; tries < 100; tries++) {
        if (check(await state())) {
            return;
        }
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.fail(`${what}: ${JSON.stringify(await state())}`);
}

test("an instance is made, entered and left; its address leads back into it", async () => {
    const { page, close } = await openPage(browser, daemon, "/#/hall/1?panel=instances");
    await page.getByText("There is none.").waitFor();
    await button(page, "New instance…").click();
    await assertAccessible(page, "a new instance");
    await button(page.getByRole("dialog"), "Make it").click();
    await page.getByRole("heading", { name: "In run-1" }).waitFor();
    await page.getByText("1, follows the live one", { exact: true }).waitFor();
    assert.match(page.url(), /instance=run-1/);
    await page.reload();
    await page.getByRole("heading", { name: "In run-1" }).waitFor();
    await button(page, "New instance…").click();
    await button(page.getByRole("dialog"), "Make it").click();
    await page.getByRole("alert").getByText(/There is an instance run-1 already/).waitFor();
    await button(page, "Leave instance run-1").click();
    await page.getByRole("heading", { name: "In run-1" }).waitFor({ state: "hidden" });
    await close(/404/);
});

test("an obstacle is put by a click, moved by its handle, and taken away", async () => {
    await ask(daemon, "PUT", RUN, {});
    const { page, close } = await openPage(browser, daemon, "/#/hall/1?panel=instances&instance=run-1");
    await page.getByRole("heading", { name: "In run-1" }).waitFor();
    await shown(page);
    await page.waitForTimeout(500);
    const box = await page.locator("canvas").boundingBox();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await button(page, "Put it with a click").click();
    await page.getByLabel("Radius").fill("1.5");
    await page.mouse.click(x, y);
    await page.getByRole("status").getByText("The obstacle obstacle-1 is there.").waitFor();
    const before = (await state()).obstacles["obstacle-1"];
    assert.equal(before.radius, 1.5);
    assert.ok(before.center[0] > 0 && before.center[0] < 20, `on the floor: ${before.center}`);
    await button(page, "Put it with a click").click();
    const pin = page.locator(".draggable", { hasText: "obstacle-1" });
    await pin.waitFor();
    await page.mouse.move(x, y);
    const at = await pin.boundingBox();
    await page.mouse.move(at.x + at.width / 2, at.y + at.height / 2);
    await page.mouse.down();
    for (let step = 1; step <= 8; step++) {
        await page.mouse.move(at.x + at.width / 2 + 10 * step, at.y + at.height / 2 + 5 * step);
    }
    await page.mouse.up();
    await page.getByRole("status").getByText("The obstacle obstacle-1 is moved.").waitFor();
    await until(({ obstacles }) => Math.hypot(...obstacles["obstacle-1"].center.map((v, i) => v - before.center[i])) > 0.5, "it moved");
    await assertAccessible(page, "an instance");
    await shot(page, "instance");
    await button(page, "Remove obstacle-1").click();
    await until(({ obstacles }) => Object.keys(obstacles).length === 0, "it is gone");
    await page.getByText("There is no obstacle.").waitFor();
    await close();
});

test("by keyboard alone an obstacle is put at coordinates and a switch is turned", async () => {
    await ask(daemon, "PUT", RUN, {});
    const { page, close } = await openPage(browser, daemon, "/#/hall/1?panel=instances&instance=run-1");
    await page.getByRole("heading", { name: "In run-1" }).waitFor();
    await button(page, "Close gate").focus();
    await page.keyboard.press("Enter");
    await until(({ switches }) => switches.gate === "closed", "the gate is closed");
    await button(page, "Open gate").waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "Open gate");
    await page.getByText("Name, turn, cost, coordinates").focus();
    await page.keyboard.press("Enter");
    await page.getByLabel("Cost of its ground").fill("4");
    await page.getByLabel("At coordinates").focus();
    await page.keyboard.type("5, 0, 5");
    await button(page, "Put it there").press("Enter");
    await until(({ obstacles }) => obstacles["obstacle-1"]?.cost === 4, "it is there");
    await close();
});

test("a click on a switch in the view turns it", async () => {
    await ask(daemon, "PUT", RUN, {});
    const { page, close } = await openPage(browser, daemon, "/#/hall/1?panel=instances&instance=run-1");
    await button(page, "Close gate").waitFor();
    await shown(page);
    await page.waitForTimeout(500);
    const box = await page.locator("canvas").boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await until(({ switches }) => switches.gate === "closed", "the gate is closed");
    await shot(page, "switch");
    await close();
});

test("what others do in it is seen at once, and hundreds of bots are one picture a frame", async () => {
    await ask(daemon, "PUT", RUN, {});
    const { page, close } = await openPage(browser, daemon, "/#/hall/1?panel=instances&instance=run-1");
    await page.getByRole("heading", { name: "In run-1" }).waitFor();
    await ask(daemon, "PATCH", RUN, { obstacles: { cart: { shape: "box", min: [2, 0, 2], max: [4, 1, 4] } } });
    await page.getByRole("list", { name: "Obstacles" }).getByText("cart").waitFor();
    const bots = (step) => Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`bot-${i}`, { shape: "circle", center: [1 + (i % 18), 0, 1 + ((i / 18 + step / 10) % 18)], radius: 0.4 }]));
    await ask(daemon, "PATCH", RUN, { obstacles: bots(0) });
    for (let step = 1; step <= 40; step++) {
        await ask(daemon, "PATCH", RUN, { obstacles: bots(step) });
    }
    await ask(daemon, "PATCH", RUN, { obstacles: { cart: null } });
    await page.getByText("100 bots walk here.").waitFor();
    await shot(page, "bots");
    await ask(daemon, "DELETE", RUN);
    await page.getByRole("status").getByText("The instance run-1 is gone: it was ended.").waitFor();
    assert.doesNotMatch(page.url(), /instance=/);
    await close();
});
