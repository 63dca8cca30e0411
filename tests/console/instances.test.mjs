// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// instances.test.mjs: an instance is made and entered; obstacles are put by a click in the view, moved by
// their handles, taken away; switches are turned in the list and in the view; what others do in it is
// seen at once, and bots that walk by the hundred do not fill the panel anew.

import assert from "node:assert/strict";
import { after, before } from "node:test";

import { ask, assertAccessible, openPage, quick, settled, shot, startBrowser, startDaemon, test, upload } from "./helper.mjs";

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

// Until the mesh is drawn.
async function shown(page) {
    await page.locator(".legend").waitFor();
    await page.locator(".busy").waitFor({ state: "hidden" });
}

// Until the page says that the daemon has taken what was done.
const said = (page, text) => page.getByRole("status").getByText(text).waitFor();

// Drags the handles of obstacles one after the other, while the first of their moves waits until what is returned is
// called; `answer` says what becomes of each.
async function dragAll(page, names, answer) {
    let first = true;
    let go;
    const gate = new Promise((resolve) => (go = resolve));
    await page.route(`**${RUN}`, async (route) => {
        const move = route.request().method() === "PATCH";
        if (move && first) {
            first = false;
            await gate;
        }
        await (move ? answer(route) : route.continue());
    });
    for (const name of names) {
        const pin = page.locator(".draggable", { hasText: name });
        await pin.hover();
        const at = await pin.boundingBox();
        await page.mouse.down();
        await page.mouse.move(at.x + 30, at.y + 40, { steps: 4 });
        await page.mouse.up();
    }
    return go;
}

const circle = (center) => ({ shape: "circle", center, radius: 0.5 });
const CART = { cart: circle([6, 0, 10]), crate: circle([14, 0, 10]) };
const refuse = (route) => route.fulfill({ status: 503, contentType: "application/problem+json", body: '{"code":"overloaded","detail":"too much is asked at once"}' });

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

quick("an obstacle is put by a click, moved by its handle, and taken away", async () => {
    await ask(daemon, "PUT", RUN, {});
    const { page, close } = await openPage(browser, daemon, "/#/hall/1?panel=instances&instance=run-1");
    await page.getByRole("heading", { name: "In run-1" }).waitFor();
    await shown(page);
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
    const { center } = (await state()).obstacles["obstacle-1"];
    assert.ok(Math.hypot(...center.map((v, i) => v - before.center[i])) > 0.5, `${before.center} to ${center}`);
    await assertAccessible(page, "an instance");
    await shot(page, "instance");
    await button(page, "Remove obstacle-1").click();
    await said(page, "The obstacle obstacle-1 is taken away.");
    assert.deepEqual((await state()).obstacles, {});
    await page.getByText("There is no obstacle.").waitFor();
    await close();
});

test("an instance that is gone is left, and one of its name can be made and entered", async () => {
    const { page, close } = await openPage(browser, daemon, "/#/hall/1?panel=instances&instance=run-9");
    await page.getByRole("alert").getByText(/Instances end with the daemon/).waitFor();
    await page.getByText("in run-9").waitFor({ state: "hidden" });
    assert.doesNotMatch(page.url(), /instance=/);
    await button(page, "New instance…").click();
    await page.getByRole("dialog").getByLabel("Name").fill("run-9");
    await button(page.getByRole("dialog"), "Make it").click();
    await page.getByRole("heading", { name: "In run-9" }).waitFor();
    await ask(daemon, "DELETE", "/v1/meshes/hall/instances/run-9");
    await page.getByRole("status").getByText("The instance run-9 is gone: it was ended.").waitFor();
    await close(/404/);
});

test("an obstacle whose move is refused stands again where it was", async () => {
    await ask(daemon, "PUT", RUN, { obstacles: { cart: { shape: "circle", center: [10, 0, 10], radius: 1 } } });
    const { page, close } = await openPage(browser, daemon, "/#/hall/1?panel=instances&instance=run-1");
    await shown(page);
    const pin = page.locator(".draggable", { hasText: "cart" });
    await pin.hover();
    const before = await pin.boundingBox();
    await page.route(`**${RUN}`, (route) => (route.request().method() === "PATCH" ? refuse(route) : route.continue()));
    await page.mouse.down();
    await page.mouse.move(before.x + 60, before.y + 30, { steps: 5 });
    await page.mouse.up();
    await page.getByRole("alert").getByText("Too much is asked at once.").waitFor();
    // The alert makes the picture less high, not less wide.
    await page.waitForFunction((x) => Math.abs(document.querySelector(".draggable").getBoundingClientRect().x - x) < 1, before.x);
    assert.deepEqual((await state()).obstacles.cart.center, [10, 0, 10]);
    await close(/503/);
});

test("two obstacles that are moved one right after the other both stand where they were put", async () => {
    await ask(daemon, "PUT", RUN, { obstacles: CART });
    const { page, close } = await openPage(browser, daemon, "/#/hall/1?panel=instances&instance=run-1");
    await shown(page);
    const go = await dragAll(page, ["cart", "crate"], (route) => route.continue());
    go();
    await page.getByRole("status").getByText("The obstacle crate is moved.").waitFor();
    const { obstacles } = await state();
    const far = (name, x) => Math.hypot(obstacles[name].center[0] - x, obstacles[name].center[2] - 10);
    const part = far("cart", 6) / far("crate", 14); // both were dragged by the same pixels
    assert.ok(part > 0.6 && part < 1.7, JSON.stringify(obstacles));
    await close();
});

test("of two obstacles that are moved the one that may not be stands again where it was", async () => {
    await ask(daemon, "PUT", RUN, { obstacles: CART });
    const { page, close } = await openPage(browser, daemon, "/#/hall/1?panel=instances&instance=run-1");
    await shown(page);
    const pin = page.locator(".draggable", { hasText: "cart" });
    const { x: before } = await pin.boundingBox();
    const stands = (where) =>
        page.waitForFunction(([x, wanted]) => {
            const cart = [...document.querySelectorAll(".draggable")].find((each) => each.textContent.includes("cart"));
            return Math.abs(cart.getBoundingClientRect().x - x) < 1 === wanted;
        }, [before, where]);
    const go = await dragAll(page, ["cart", "crate"], (route) => (route.request().postDataJSON().obstacles.cart === undefined ? route.continue() : refuse(route)));
    await stands(false);
    go();
    await page.getByRole("status").getByText("The obstacle crate is moved.").waitFor();
    await page.getByRole("button", { name: "Fly to cart" }).getByText("at 6, 0, 10").waitFor();
    await button(page.getByRole("alert"), "Close").click(); // it made the picture less high, and all in it smaller
    await stands(true);
    assert.deepEqual((await state()).obstacles.cart.center, [6, 0, 10]);
    await close(/503/);
});

test("moves that wait are not made in an instance of the same name of another mesh", async () => {
    const other = "/v1/meshes/yard/instances/run-1";
    await upload(daemon, "yard", HALL);
    await ask(daemon, "PUT", RUN, { obstacles: CART });
    await ask(daemon, "PUT", other, { obstacles: { ...CART, cart: circle([7, 0, 10]) } });
    const { page, close } = await openPage(browser, daemon, "/#/hall/1?panel=instances&instance=run-1");
    await page.evaluate(() => {
        const { requestAnimationFrame } = globalThis;
        let held = null; // no frames come, as in a tab that is not seen
        globalThis.requestAnimationFrame = (callback) => (held === null ? requestAnimationFrame(callback) : held.push(callback));
        globalThis.holdFrames = () => (held = []);
        globalThis.letFrames = () => {
            const late = held;
            held = null;
            late.forEach((callback) => requestAnimationFrame(callback));
        };
    });
    await shown(page);
    const go = await dragAll(page, ["cart", "crate"], (route) => route.continue());
    let sent = 0;
    page.on("request", (request) => (sent += request.method() === "PATCH" && request.url().includes("/yard/") ? 1 : 0));
    await page.evaluate(async () => {
        globalThis.holdFrames();
        const told = new Promise((resolve) => {
            const { parse } = JSON;
            JSON.parse = (text) => {
                const value = parse(text);
                if (value.mesh === "yard" && value.obstacles !== undefined) {
                    setTimeout(resolve, 0); // once it is taken
                }
                return value;
            };
        });
        location.hash = "#/yard/1?panel=instances&instance=run-1";
        await told; // of the stream: the state of the other instance
        globalThis.letFrames();
    });
    await page.getByRole("button", { name: "Fly to cart" }).getByText("at 7, 0, 10").waitFor();
    const answered = page.waitForEvent("requestfinished", (request) => request.method() === "PATCH");
    go();
    await answered;
    await settled(page); // the next would be sent
    assert.equal(sent, 0);
    await close();
});

test("by keyboard alone an obstacle is put at coordinates and moved, and a switch is turned", async () => {
    await ask(daemon, "PUT", RUN, {});
    const { page, close } = await openPage(browser, daemon, "/#/hall/1?panel=instances&instance=run-1");
    await page.getByRole("heading", { name: "In run-1" }).waitFor();
    await button(page, "Close gate").focus();
    await page.keyboard.press("Enter");
    await said(page, "The switch gate is closed.");
    assert.equal((await state()).switches.gate, "closed");
    await button(page, "Open gate").waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "Open gate");
    await page.getByText("Name, turn, cost, coordinates").focus();
    await page.keyboard.press("Enter");
    await page.getByLabel("Cost of its ground").fill("4");
    await page.getByLabel("At coordinates").focus();
    await page.keyboard.type("5, 0, 5");
    await button(page, "Put it there").press("Enter");
    await said(page, "The obstacle obstacle-1 is there.");
    assert.equal((await state()).obstacles["obstacle-1"].cost, 4);
    await page.getByRole("button", { name: "Move obstacle-1", exact: true }).press("Enter");
    const where = page.getByRole("dialog").getByLabel("Where it is to stand");
    assert.equal(await where.inputValue(), "5, 0, 5");
    await where.fill("7, 0, 8");
    await page.keyboard.press("Enter");
    await said(page, "The obstacle obstacle-1 is moved.");
    const moved = (await state()).obstacles["obstacle-1"];
    assert.deepEqual([moved.center, moved.cost], [[7, 0, 8], 4]);
    await close();
});

test("a click on a switch in the view turns it", async () => {
    await ask(daemon, "PUT", RUN, {});
    const { page, close } = await openPage(browser, daemon, "/#/hall/1?panel=instances&instance=run-1");
    await button(page, "Close gate").waitFor();
    await shown(page);
    const box = await page.locator("canvas").boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await said(page, "The switch gate is closed.");
    assert.equal((await state()).switches.gate, "closed");
    await shot(page, "switch");
    await close();
});

test("switches that are known when the panel is closed are not drawn", async () => {
    await ask(daemon, "PUT", RUN, {});
    const { page, close } = await openPage(browser, daemon, "/#/hall/1?instance=run-1");
    await shown(page);
    let answer;
    const gate = new Promise((resolve) => (answer = resolve));
    await page.route("**/hall/versions/1", async (route) => {
        await gate;
        await route.continue();
    });
    const [asked] = await Promise.all([page.waitForRequest("**/hall/versions/1"), page.getByRole("link", { name: "Instances" }).click()]);
    const over = Promise.race(["requestfinished", "requestfailed"].map((end) => page.waitForEvent(end, (request) => request === asked)));
    await page.getByRole("link", { name: "Recordings" }).click();
    answer();
    await over;
    await settled(page);
    assert.equal(await page.locator("[data-mark]").count(), 0);
    await close();
});

test("what others do in it is seen at once, and steps of bots do not fill the panel anew", async () => {
    await ask(daemon, "PUT", RUN, {});
    const { page, close } = await openPage(browser, daemon, "/#/hall/1?panel=instances&instance=run-1");
    await page.getByRole("heading", { name: "In run-1" }).waitFor();
    await ask(daemon, "PATCH", RUN, { obstacles: { cart: { shape: "box", min: [2, 0, 2], max: [4, 1, 4] } } });
    await page.getByRole("list", { name: "Obstacles" }).getByText("cart").waitFor();
    const bots = (step) => Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`bot-${i}`, { shape: "circle", center: [1 + (i % 18), 0, 1 + ((i / 18 + step / 10) % 18)], radius: 0.4 }]));
    await page.evaluate(() => {
        globalThis.fills = 0;
        const facts = document.querySelector(".revision").closest(".part").parentElement;
        new MutationObserver(() => globalThis.fills++).observe(facts, { childList: true });
    });
    await ask(daemon, "PATCH", RUN, { obstacles: bots(0) });
    for (let step = 1; step <= 40; step++) {
        await ask(daemon, "PATCH", RUN, { obstacles: bots(step) });
    }
    await ask(daemon, "PATCH", RUN, { obstacles: { cart: null } });
    await page.getByText("100 bots walk here.").waitFor();
    assert.equal(await page.evaluate(() => globalThis.fills), 1, "once, when the cart was taken away");
    await shot(page, "bots");
    await ask(daemon, "DELETE", RUN);
    await page.getByRole("status").getByText("The instance run-1 is gone: it was ended.").waitFor();
    assert.doesNotMatch(page.url(), /instance=/);
    await close();
});
