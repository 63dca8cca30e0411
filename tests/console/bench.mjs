// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bench.mjs: how fast the view is, drawn by software: the first picture of a city beside that of a page of one
// triangle, in browsers that start at that moment, that have just started and that run; how long the console's own
// script takes a frame while the camera turns and an end of a path is dragged, on the page and in the worker that
// draws; and the longest tasks that make the page wait. `make bench-console`; the figures are in
// server/console/README.md.

import { level, launchBrowser, startDaemon } from "./helper.mjs";

const [kind, size, cell] = [process.argv[2] ?? "city", Number(process.argv[3] ?? 33), process.argv[4] ?? "0.3"];
const ROUNDS = 3; // browsers that are started for each first picture
const START = 3000; // milliseconds after which a browser has started: its processes are at rest
const daemon = await startDaemon();

// Long tasks of the page since it was opened; and what it looks like, asked without the test runner's own script, which
// is a task of a tenth of a second at its first use.
const WATCH = () => {
    const tasks = [];
    const take = (entries) => tasks.push(...entries.map(({ duration }) => duration));
    const observer = new PerformanceObserver((list) => take(list.getEntries()));
    observer.observe({ type: "longtask", buffered: true });
    globalThis.takeTasks = () => {
        take(observer.takeRecords());
        return tasks.splice(0);
    };
    const until = (isSo) =>
        new Promise((resolve) => {
            const look = () => (isSo() ? requestAnimationFrame(() => resolve()) : setTimeout(look, 20));
            look();
        });
    const find = (what) => document.querySelector(what);
    globalThis.pictured = () => until(() => find(".legend")?.hidden === false && !/mesh/.test(find(".busy").textContent));
    globalThis.still = () => until(() => find(".busy").hidden && find(".view canvas[data-still]") !== null);
};

const ms = (value) => `${value.toFixed(1)} ms`;

// Those since the last look.
async function longTasks(page) {
    const tasks = await page.evaluate(() => globalThis.takeTasks());
    return `longest task of the page ${tasks.length === 0 ? "below 50 ms" : ms(Math.max(...tasks))}, ${tasks.length} of 50 ms or more`;
}

// ---- script a frame, of the browser's own record ----

const CATEGORIES = ["devtools.timeline", "disabled-by-default-devtools.timeline", "v8.execute"];
const SCRIPT = new Set(["FunctionCall", "RunMicrotasks", "FireAnimationFrame", "EventDispatch", "HandlePostMessage", "TimerFire", "EvaluateScript"]);

// The script of one thread by its frames, each of which ends with an event of this name: the time that it took by the
// clock, and the thread's own, without what other threads of a busy machine took away.
function framesOf(events, end) {
    const sorted = events.filter(({ ph }) => ph === "X").sort((a, b) => a.ts - b.ts || b.dur - a.dur);
    const frames = [{ clock: 0, own: 0 }];
    let until = 0;
    for (const { name, ts, dur, tdur } of sorted) {
        if (SCRIPT.has(name) && ts >= until) { // else it is a part of the last
            until = ts + dur;
            frames.at(-1).clock += dur / 1000;
            frames.at(-1).own += (tdur ?? 0) / 1000;
        }
        if (name === end) {
            frames.push({ clock: 0, own: 0 });
        }
    }
    return frames.filter(({ clock }) => clock > 0);
}

function tellFrames(where, frames) {
    for (const [time, what] of [["own", "CPU"], ["clock", "by the clock"]]) {
        const times = frames.map((frame) => frame[time]).sort((a, b) => a - b);
        const at = (part) => times[Math.min(times.length - 1, Math.floor(part * times.length))] ?? 0;
        console.log(`    ${where}, ${what}: median ${ms(at(0.5))}, 99th percentile ${ms(at(0.99))}, most ${ms(at(1))}; ${times.filter((each) => each > 8).length} of ${times.length} frames over 8 ms`);
    }
}

async function record(browser, page, what, act) {
    await browser.startTracing(page, { categories: CATEGORIES });
    const begun = Date.now();
    await act();
    const took = (Date.now() - begun) / 1000;
    const events = JSON.parse(await browser.stopTracing()).traceEvents;
    const threads = new Map();
    const names = new Map();
    for (const event of events) {
        const thread = `${event.pid} ${event.tid}`;
        if (event.name === "thread_name") {
            names.set(thread, event.args.name);
        }
        threads.has(thread) ? threads.get(thread).push(event) : threads.set(thread, [event]);
    }
    const most = (name, end) =>
        [...threads].filter(([thread]) => names.get(thread) === name).map(([, of]) => framesOf(of, end)).sort((a, b) => b.length - a.length)[0] ?? [];
    const drawn = most("DedicatedWorker thread", "FireAnimationFrame");
    console.log(`${what}: ${drawn.length} frames of the picture in ${took.toFixed(1)} s; ${await longTasks(page)}; script a frame:`);
    tellFrames("page", most("CrRendererMain", "Commit"));
    tellFrames("drawing worker", drawn);
}

const reply = await fetch(`${daemon.base}/v1/meshes/city/versions?wait=1&cell_size=${cell}`, {
    method: "POST",
    headers: { "Content-Type": "model/obj" },
    body: level(kind, size),
});
const version = await reply.json();
console.log(`${kind} ${size}: ${version.stats.polygons} polygons, ${version.geometry.triangles} triangles, ${version.stats.tiles} tiles`);

// ---- first pictures ----

const wait = (time) => new Promise((resolve) => setTimeout(resolve, time));

// The least that a page can draw with WebGL: what the browser itself takes of a first picture.
const TRIANGLE = `<!doctype html><canvas></canvas><script>
    const gl = document.querySelector("canvas").getContext("webgl2", { antialias: false });
    const program = gl.createProgram();
    const add = (kind, source) => {
        const shader = gl.createShader(kind);
        gl.shaderSource(shader, "#version 300 es\\nprecision highp float;" + source);
        gl.compileShader(shader);
        gl.attachShader(program, shader);
    };
    add(gl.VERTEX_SHADER, "void main() { gl_Position = vec4(gl_VertexID & 1, gl_VertexID >> 1, 0, 1); }");
    add(gl.FRAGMENT_SHADER, "out vec4 colour; void main() { colour = vec4(1); }");
    gl.linkProgram(program);
    gl.useProgram(program);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
</script>`;

async function openTriangle(page) {
    await page.route("**/triangle", (route) => route.fulfill({ contentType: "text/html", body: TRIANGLE }));
    await page.goto(`${daemon.base}/triangle`);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
}

async function openCity(page) {
    await page.goto(`${daemon.base}/#/city/1?panel=tools`);
    await page.evaluate(() => globalThis.pictured());
}

// Seconds from opening the address to the picture.
async function firstPicture(page, open) {
    const begun = Date.now();
    await open(page);
    return (Date.now() - begun) / 1000;
}

const newContext = (browser) => browser.newContext({ viewport: { width: 1280, height: 800 } });

async function tellStarting(when, what, pause, open) {
    const times = [];
    for (let round = 0; round < ROUNDS; round++) {
        const browser = await launchBrowser();
        const page = await (await newContext(browser)).newPage();
        await page.addInitScript(WATCH);
        await wait(pause);
        times.push((await firstPicture(page, open)).toFixed(2));
        await browser.close();
    }
    console.log(`first picture, ${when}, ${what}: ${times.join(", ")} s from opening the address`);
}

for (const [when, pause] of [["browser starts at that moment", 0], ["browser has just started", START]]) {
    await tellStarting(when, "one triangle", pause, openTriangle);
    await tellStarting(when, "city", pause, openCity);
}

const browser = await launchBrowser();
const context = await newContext(browser);
async function tellLoading(when) {
    const page = await context.newPage();
    await page.addInitScript(WATCH);
    const begun = Date.now();
    const first = await firstPicture(page, openCity);
    await page.evaluate(() => globalThis.still());
    const all = (Date.now() - begun) / 1000;
    console.log(`loading, ${when}: ${first.toFixed(2)} s to the first picture, ${all.toFixed(2)} s with all of the level; ${await longTasks(page)}`);
    return page;
}

await wait(START);
await tellLoading("browser has just started");
const city = await tellLoading("browser runs");

const box = await city.locator(".view canvas").boundingBox();
const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
await record(browser, city, "turning", async () => {
    await city.mouse.move(x, y);
    await city.mouse.down();
    for (let step = 0; step < 60; step++) {
        await city.mouse.move(x + 4 * step, y + Math.round(20 * Math.sin(step / 5)));
    }
    await city.mouse.up();
});
await city.mouse.click(x - 200, y + 60);
await city.mouse.click(x + 100, y + 80);
await city.locator(".answer dl").waitFor();
await record(browser, city, "dragging an end", async () => {
    await city.mouse.move(x + 100, y + 60);
    await city.mouse.down();
    for (let step = 0; step < 60; step++) {
        await city.mouse.move(x + 100 - 3 * step, y + 60 + step);
    }
    await city.mouse.up();
});
await browser.close();
await daemon.stop();
