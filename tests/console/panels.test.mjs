// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// panels.test.mjs: what holds for every panel: names that are markup stay text, axe-core finds nothing in
// light and in dark, all of it is used by keyboard alone and on a narrow screen; a wrong token is said
// in words and a token is forgotten.

import assert from "node:assert/strict";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before } from "node:test";

import { ask, assertAccessible, openPage, quick, shot, startBrowser, startDaemon, test } from "./helper.mjs";

const PANELS = ["meshes", "upload", "tools", "explain", "compare", "checks", "instances", "recordings", "metrics"];
const EVIL = "<img src=x onerror=alert(1)>";
const SHORT = '<b onload="a()">'; // ids of links and switches are shorter
const LEVEL = {
    vertices: [[0, 0, 0], [20, 0, 0], [40, 0, 0], [0, 0, 20], [20, 0, 20], [40, 0, 20]],
    triangles: [[0, 3, 1], [1, 3, 4], [1, 4, 2], [2, 4, 5]],
    areas: [EVIL, EVIL, "", ""],
};
const SETTINGS = {
    areas: { ground: {}, [EVIL]: { cost: 2, flags: [SHORT] } },
    materials: { [EVIL]: EVIL },
    switches: { [EVIL]: { shapes: [{ shape: "box", min: [8, -1, -1], max: [10, 2, 21] }], default: "closed" } },
    links: [{ start: [2, 0, 2], end: [90, 0, 90], id: SHORT }],
    query_filters: { [EVIL]: { costs: { ground: 2 } } },
    agents: { rat: { radius: 0.2, height: 0.5 } },
};
let browser, daemon;

before(async () => {
    [browser, daemon] = await Promise.all([startBrowser({ picture: false }), startDaemon()]);
    const versions = "/v1/meshes/evil/versions?wait=1";
    await ask(daemon, "POST", versions, { ...LEVEL, config: SETTINGS });
    await ask(daemon, "PUT", "/v1/meshes/evil/checks", { checks: [{ name: EVIL, min_walkable_area: 1e6 }, { name: "way", start: [2, 0, 2], end: [30, 0, 10], expect: "reachable" }] });
    await ask(daemon, "POST", `${versions}&force=1`, { ...LEVEL, config: { ...SETTINGS, cell_size: 0.25 } });
    await ask(daemon, "PUT", "/v1/meshes/evil/instances/run-1", {
        switches: { [EVIL]: "open" },
        obstacles: { "cart-1": { shape: "circle", center: [5, 0, 5], radius: 1 } },
        area_costs: { [EVIL]: 3 },
        links: { lift: { start: [1, 0, 1], end: [3, 0, 3] } },
    });
    await ask(daemon, "POST", "/v1/recordings", { name: EVIL, question: { mesh: "evil", kind: "path", start: [2, 0, 2], end: [30, 0, 10] } });
});

after(async () => {
    await browser?.close();
    await daemon?.stop();
});

// Until all that the page has asked for is there and shown: everything but streams of events and the program that
// draws, which is ended before it is there.
async function quiet(page) {
    const { underWay } = page;
    for (let still = 0; still < 3; still = underWay.size === 0 ? still + 1 : 0) {
        await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0))));
    }
}

async function openCounted(...args) {
    const opened = await openPage(...args);
    const underWay = (opened.page.underWay = new Set());
    opened.page.on("request", (request) => /\/(events|draw\.js)$/.test(request.url()) || underWay.add(request));
    for (const end of ["requestfinished", "requestfailed"]) {
        opened.page.on(end, (request) => underWay.delete(request));
    }
    return opened;
}

// Opens a panel with all that can be unfolded in it unfolded.
async function unfold(page, panel) {
    await page.locator(`.tabs [data-panel=${panel}]`).click();
    await page.locator(".side h2").waitFor();
    await quiet(page);
    for (let round = 0; round < 2; round++) {
        await page.evaluate(() => document.querySelectorAll(".side details").forEach((details) => (details.open = true)));
        await quiet(page);
    }
}

for (const scheme of ["light", "dark"]) {
    test(`every panel: names that are markup are text, and axe-core finds nothing (${scheme})`, async () => {
        const address = "/#/evil/2?instance=run-1";
        const { page, close } = await openCounted(browser, daemon, address, { colorScheme: scheme });
        const told = [];
        for (const panel of PANELS) {
            await unfold(page, panel);
            told.push((await page.locator(".side").textContent()).includes(EVIL) ? panel : null);
            const made = await page.evaluate(() => document.querySelectorAll("img[src=x], [onerror], [onload]").length);
            assert.equal(made, 0, `no element of a name in ${panel}`);
            await assertAccessible(page, `${panel}, ${scheme}`);
            await shot(page, `panel_${panel}_${scheme}`);
        }
        for (const panel of ["meshes", "checks", "instances", "recordings"]) {
            assert.ok(told.includes(panel), `${panel} tells the name: ${told}`);
        }
        await close();
    });
}

test("by keyboard alone: a panel is opened, a version chosen and rolled back to", async () => {
    const { page, close } = await openPage(browser, daemon, "/#/evil/2?panel=checks");
    const focused = () => page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent);
    const tabTo = async (name, limit = 60) => {
        for (let count = 0; count < limit; count++) {
            if ((await focused()).startsWith(name)) {
                return;
            }
            await page.keyboard.press("Tab");
        }
        assert.fail(`Tab does not come to ${name}`);
    };
    await page.getByText("Run them now").waitFor();
    await tabTo("Meshes");
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
    assert.equal(outline, "solid", "the focus is seen");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Version 1" }).waitFor();
    await tabTo("Version 1");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Roll back to it…" }).waitFor();
    assert.equal(await focused(), "Version 1", "the focus stays where it was");
    await tabTo("Roll back to it…");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    assert.equal(await focused(), "Roll back");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    assert.equal(await focused(), "Roll back to it…", "the focus is where it was before the question");
    assert.equal((await ask(daemon, "GET", "/v1/meshes/evil")).active, 2);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByText("Roll back evil to version 1?").waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByText("Checks are in the way").waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("status").getByText("Version 1 of evil is live.").waitFor();
    assert.equal((await ask(daemon, "GET", "/v1/meshes/evil")).active, 1);
    await ask(daemon, "PUT", "/v1/meshes/evil/active?force=1", { version: 2 });
    await close(/409/);
});

test("a panel that is opened by a button of another has the focus on its heading", async () => {
    const { page, close } = await openPage(browser, daemon, "/#/evil/2?panel=meshes");
    await page.getByRole("button", { name: "Show them" }).press("Enter");
    await page.getByRole("heading", { name: "Checks" }).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Checks");
    await close();
});

test("on a narrow screen nothing is wider than it", async () => {
    const { page, close } = await openCounted(browser, daemon, "/#/evil/2?instance=run-1", { viewport: { width: 360, height: 740 } });
    for (const panel of PANELS) {
        await unfold(page, panel);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= 360, `${panel} is ${wide} wide`);
        await shot(page, `narrow_${panel}`);
    }
    await close();
});

quick("a wrong token is said in words; a token is forgotten, and what it may not do is said", async () => {
    const tokens = join(daemon.folder, "tokens");
    writeFileSync(tokens, "query query-token-0123456789\nadmin admin-token-0123456789\n");
    chmodSync(tokens, 0o600);
    const guarded = await startDaemon("--token-file", tokens);
    const { page, close } = await openPage(browser, guarded);
    const give = async (token) => {
        await page.getByRole("dialog").getByLabel("A token is wanted").fill(token);
        await page.getByRole("dialog").getByRole("button", { name: "Use it" }).click();
    };
    await page.getByRole("dialog").getByText("This daemon asks for a token.").waitFor();
    await assertAccessible(page, "a token is wanted");
    await give("wrong-token-0123456789");
    await page.getByRole("dialog").getByText("The daemon does not know the token").waitFor();
    await shot(page, "wrong_token");
    await give("query-token-0123456789");
    await page.getByText("There is no mesh yet").waitFor();
    await page.getByRole("link", { name: "Upload" }).click();
    await page.getByLabel("Files of the level").setInputFiles({ name: "a.obj", mimeType: "", buffer: Buffer.from("v 0 0 0\nv 0 0 9\nv 9 0 9\nf 1 2 3\n") });
    await page.getByRole("button", { name: "Upload and bake" }).click();
    await page.getByRole("alert").getByText(/The level was not taken\. The token is not for this/).waitFor();
    await page.getByRole("button", { name: "Forget the token" }).click();
    await page.getByRole("button", { name: "Forget the token" }).waitFor({ state: "hidden" });
    await page.getByRole("link", { name: "Meshes" }).click();
    await page.getByRole("dialog").getByText("This daemon asks for a token.").waitFor();
    assert.equal(await page.evaluate(() => sessionStorage.length), 0);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Give a token" }).waitFor();
    await close(/40[13]/);
    await guarded.stop();
});
