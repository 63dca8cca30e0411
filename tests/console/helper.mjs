// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// helper.mjs: what tests of the console share: a daemon of their own on a free loopback port, Debian's
// Chromium, and pages that fail their test at any error, any breach of the page's policy and any
// request to another host. Tests wait for what happens, never for a clock, so that a busy machine only makes them slow.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test as each } from "node:test";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const packages = createRequire(join(ROOT, "build/node/package.json"));
const { chromium } = packages("playwright-core");
const AXE = readFileSync(packages.resolve("axe-core/axe.min.js"), "utf8");

const NAVMESHD = process.env.NAVMESHD ?? join(ROOT, "build/release/navmeshd");
const LEVEL_MAKER = process.env.LEVEL_MAKER ?? join(ROOT, "build/release/makelevel");
const SHOTS = join(ROOT, "build/console-shots");
const SHELL = "/usr/bin/chromium-headless-shell"; // does half of the browser's work
const CHROMIUM = process.env.CHROMIUM ?? (existsSync(SHELL) ? SHELL : "/usr/bin/chromium");
const PATIENCE_MS = 300e3; // for what does not come at all
// No request leaves the machine, the browser's own included; the picture is drawn by software.
const FLAGS = [
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-gpu-compositing",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
];

// ---- tests ----

// quick.mjs runs those that are made with quick(), and no others.
const QUICK = basename(process.argv[1]) === "quick.mjs";
export const quick = (name, run) => each(name, { timeout: 2 * PATIENCE_MS }, run);
export const test = QUICK ? () => {} : quick;

// ---- the daemon ----

// A level of the generator as OBJ: level("town", 3).
export function level(kind, size, seed = 1) {
    return execFileSync(LEVEL_MAKER, [kind, "--size", String(size), "--seed", String(seed)], {
        maxBuffer: 1 << 30,
        encoding: "utf8",
    });
}

// Starts a daemon with a database of its own. `stop` ends it and takes its folder away.
export async function startDaemon(...args) {
    const folder = mkdtempSync(join(tmpdir(), "navmeshd-console-"));
    const child = spawn(NAVMESHD, ["--listen", "127.0.0.1:0", "--db", join(folder, "test.db"), ...args], {
        cwd: folder,
        stdio: ["ignore", "ignore", "pipe"],
    });
    let log = "";
    const ended = new Promise((resolve) => child.on("exit", resolve));
    const address = await new Promise((resolve, reject) => {
        child.stderr.on("data", (bytes) => {
            log += bytes;
            const found = /listening address=(\S+)[^]* event=ready /.exec(log);
            if (found !== null) {
                resolve(found[1]);
            }
        });
        child.on("exit", () => reject(new Error(`the daemon did not start:\n${log}`)));
    });
    return {
        base: `http://${address}`,
        folder,
        log: () => log,
        stop: async () => {
            child.kill("SIGTERM");
            await ended;
            rmSync(folder, { recursive: true });
        },
    };
}

// Asks the daemon without a browser; the answer has to be good.
export async function ask(daemon, method, address, body, type = "application/json") {
    const reply = await fetch(daemon.base + address, {
        method,
        headers: body === undefined ? {} : { "Content-Type": type },
        body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
    });
    const text = await reply.text();
    assert.ok(reply.ok, `${method} ${address}: ${reply.status} ${text.slice(0, 500)}`);
    return text === "" ? null : JSON.parse(text);
}

// Uploads a level, with settings beside it if there are any, and waits for its version.
export async function upload(daemon, mesh, obj, settings) {
    const form = new FormData();
    form.append("geometry", new Blob([obj]), "level.obj");
    if (settings !== undefined) {
        form.append("config", new Blob([JSON.stringify(settings)], { type: "application/json" }));
    }
    const reply = await fetch(`${daemon.base}/v1/meshes/${mesh}/versions?wait=1`, { method: "POST", body: form });
    const text = await reply.text();
    assert.ok(reply.ok, `upload: ${reply.status} ${text.slice(0, 500)}`);
    return JSON.parse(text);
}

// ---- the browser ----

export function launchBrowser() {
    return chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}

// One for all files that run in this process; the last that closes it ends it. Without `picture` the view says that
// there is none, and panels are tested in a fraction of the time.
let shared = null;
let users = 0;
export async function startBrowser({ picture = true } = {}) {
    users++;
    shared ??= launchBrowser();
    const browser = await shared;
    return {
        newContext: async (settings) => {
            const context = await browser.newContext(settings);
            context.setDefaultTimeout(PATIENCE_MS);
            if (!picture) {
                await context.addInitScript(() => delete HTMLCanvasElement.prototype.transferControlToOffscreen);
            }
            return context;
        },
        close: async () => --users === 0 && browser.close(),
    };
}

// A page of the console in a tab of its own: settings as of playwright's newContext. What goes wrong
// in it is in `faults`, which close() holds to be empty; a test that makes something go wrong names the
// text that it expects: close(/409/).
export async function openPage(browser, daemon, address = "/", settings = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...settings });
    const page = await context.newPage();
    const faults = [];
    page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
    page.on("console", (message) => {
        if (message.type() === "error") {
            faults.push(`console: ${message.text()}`);
        }
    });
    page.on("dialog", (dialog) => {
        faults.push(`a script opened a dialog: ${dialog.message()}`);
        dialog.dismiss();
    });
    page.on("request", (request) => {
        if (!/^(blob|data):/.test(request.url()) && !request.url().startsWith(daemon.base)) {
            faults.push(`request to ${request.url()}`);
        }
    });
    await page.goto(daemon.base + address);
    return {
        page,
        faults,
        close: async (expected) => {
            await context.close();
            const others = faults.filter((fault) => expected === undefined || !expected.test(fault));
            assert.deepEqual(others, [], "the page had faults");
        },
    };
}

// Keeps a picture of the page in build/console-shots; no check.
export async function shot(page, name) {
    if (QUICK) {
        return;
    }
    mkdirSync(SHOTS, { recursive: true });
    await page.screenshot({ path: join(SHOTS, `${name}.png`) });
}

// Fails if axe-core finds a violation on the page as it is.
export async function assertAccessible(page, where) {
    await page.evaluate(AXE);
    const violations = await page.evaluate(async () => (await globalThis.axe.run({ resultTypes: ["violations"] })).violations);
    const told = violations.map((v) => `${v.id}: ${v.help}\n    ${v.nodes.map((node) => node.html).join("\n    ")}`);
    assert.deepEqual(told, [], `axe-core in ${where}`);
}

// A file for the tests of drag and drop.
export function fileOf(daemon, name, text) {
    const path = join(daemon.folder, name);
    writeFileSync(path, text);
    return path;
}

// A request to the daemon and back, and two frames: what the page does of itself after an answer is done by then.
export async function settled(page) {
    await page.evaluate(async () => {
        await (await fetch("/healthz")).text();
        await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    });
}

// Holds back the next answer to an address (a glob, or a test of the URL) until release() is called, which
// returns once the page has it.
export async function hold(page, address) {
    let release;
    const gate = new Promise((resolve) => (release = resolve));
    let arrived;
    const held = new Promise((resolve) => (arrived = resolve));
    let request;
    const answer = async (route) => {
        request = route.request();
        const reply = await route.fetch();
        arrived();
        await gate;
        await route.fulfill({ response: reply });
    };
    await page.route(address, answer, { times: 1 });
    return {
        held, // resolves once the answer is there and does not go on
        release: async () => {
            const passed = page.waitForEvent("requestfinished", (finished) => finished === request);
            release();
            await passed;
            await settled(page);
        },
    };
}
