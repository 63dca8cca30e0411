// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bench.mjs: how fast the view is, drawn by software: the first picture of a city in a browser that has just been
// started and in one that runs, how long the page's own script takes a frame while the camera turns and an end of a path
// is dragged, and the longest tasks of each. `make bench-console`; the figures are in server/console/README.md.

import { level, startBrowser, startDaemon } from "./helper.mjs";
import { still } from "./picture.mjs";

const [kind, size, cell] = [process.argv[2] ?? "city", Number(process.argv[3] ?? 33), process.argv[4] ?? "0.3"];
const daemon = await startDaemon();
const browser = await startBrowser();

// Counts the time that callbacks of frames and listeners take, by frame, and all long tasks: also what follows an
// answer of the daemon.
const WATCH = () => {
    const told = { frames: [], tasks: [], now: 0, recording: false };
    globalThis.benched = told;
    const timed = (callback) =>
        function (...args) {
            const begun = performance.now();
            try {
                return callback.apply(this, args);
            } finally {
                told.now += performance.now() - begun;
            }
        };
    const request = globalThis.requestAnimationFrame.bind(globalThis);
    globalThis.requestAnimationFrame = (callback) => request(timed(callback));
    const listen = EventTarget.prototype.addEventListener;
    EventTarget.prototype.addEventListener = function (name, callback, ...rest) {
        return listen.call(this, name, typeof callback === "function" && /^pointer|^wheel/.test(name) ? timed(callback) : callback, ...rest);
    };
    const frame = () => {
        if (told.recording && told.now > 0) {
            told.frames.push(told.now);
        }
        told.now = 0;
        request(frame);
    };
    request(frame);
    const take = (entries) => told.tasks.push(...entries.map(({ duration }) => duration));
    const observer = new PerformanceObserver((list) => take(list.getEntries()));
    observer.observe({ type: "longtask", buffered: true });
    told.takeTasks = () => {
        take(observer.takeRecords());
        return told.tasks.splice(0);
    };
};

const ms = (value) => `${value.toFixed(1)} ms`;

// The long tasks since the last look.
async function longTasks(page) {
    const tasks = await page.evaluate(() => globalThis.benched.takeTasks());
    return `longest task ${tasks.length === 0 ? "below 50 ms" : ms(Math.max(...tasks))}, ${tasks.length} of 50 ms or more`;
}

async function record(page, what, act) {
    await page.evaluate(() => Object.assign(globalThis.benched, { frames: [], recording: true }));
    const begun = Date.now();
    await act();
    const frames = await page.evaluate(() => {
        globalThis.benched.recording = false;
        return globalThis.benched.frames.sort((a, b) => a - b);
    });
    const tasks = await longTasks(page);
    const at = (part) => frames[Math.min(frames.length - 1, Math.floor(part * frames.length))] ?? 0;
    const rate = (1000 * frames.length) / (Date.now() - begun);
    console.log(`${what}: script a frame: median ${ms(at(0.5))}, 99th percentile ${ms(at(0.99))}, most ${ms(at(1))}; ${frames.length} frames, ${frames.filter((each) => each > 8).length} of them over 8 ms, ${rate.toFixed(1)} a second; ${tasks}`);
}

const reply = await fetch(`${daemon.base}/v1/meshes/city/versions?wait=1&cell_size=${cell}`, {
    method: "POST",
    headers: { "Content-Type": "model/obj" },
    body: level(kind, size),
});
const version = await reply.json();
console.log(`${kind} ${size}: ${version.stats.polygons} polygons, ${version.geometry.triangles} triangles, ${version.stats.tiles} tiles`);

// Opens the city on a page of its own.
async function open(context, browserIs) {
    const page = await context.newPage();
    await page.addInitScript(WATCH);
    const begun = Date.now();
    await page.goto(`${daemon.base}/#/city/1?panel=tools`);
    await page.locator(".legend").waitFor();
    await page.waitForFunction(() => !/mesh/.test(document.querySelector(".busy").textContent));
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    console.log(`first picture, ${browserIs}: ${((Date.now() - begun) / 1000).toFixed(2)} s from opening the address`);
    await still(page);
    console.log(`loading, ${browserIs}: ${((Date.now() - begun) / 1000).toFixed(2)} s with all of the level; ${await longTasks(page)}`);
    return page;
}

const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
await open(context, "browser just started");
const city = await open(context, "browser runs");

const box = await city.locator(".view canvas").boundingBox();
const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
await record(city, "turning", async () => {
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
await record(city, "dragging an end", async () => {
    await city.mouse.move(x + 100, y + 60);
    await city.mouse.down();
    for (let step = 0; step < 60; step++) {
        await city.mouse.move(x + 100 - 3 * step, y + 60 + step);
    }
    await city.mouse.up();
});
await browser.close();
await daemon.stop();
