// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// picture.mjs: what tests see of the view: when all of it is drawn, and which colours it has.

// Waits until the mesh and the level are there and nothing more is to be drawn.
export async function still(page) {
    await page.locator(".legend").waitFor();
    await page.locator(".busy").waitFor({ state: "hidden" });
    await page.locator(".view canvas[data-still]").waitFor();
    const drawing = page.workers().find((worker) => worker.url().endsWith("/draw.js"));
    await drawing.evaluate(async () => {
        for (let frame = 0; frame < 2; frame++) { // the last picture is drawn, and now handed over to be shown
            await new Promise((resolve) => requestAnimationFrame(resolve));
        }
    });
}

// Runs a function in the worker that draws, before its own program.
export async function beforeDrawing(page, first) {
    await page.route("**/console/draw.js", async (route) => {
        const program = await (await route.fetch()).text();
        await route.fulfill({ contentType: "text/javascript", body: `(${first})();${program}` });
    });
}

// How large a part of the picture has each of the colours ("#77aadd"), in whatever light.
export async function parts(page, colours) {
    const png = (await page.locator(".view canvas").screenshot()).toString("base64");
    return page.evaluate(
        async ([data, wanted]) => {
            const image = new Image();
            image.src = `data:image/png;base64,${data}`;
            await image.decode();
            const canvas = new OffscreenCanvas(image.width, image.height);
            const context = canvas.getContext("2d");
            context.drawImage(image, 0, 0);
            const pixels = context.getImageData(0, 0, image.width, image.height).data;
            const direction = (r, g, b) => [r, g, b].map((value) => value / (Math.hypot(r, g, b) || 1));
            const list = wanted.map((text) => direction(...[1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16))));
            const counts = list.map(() => 0);
            const tones = new Map(); // how many pixels have each: few are different
            for (let i = 0; i < pixels.length; i += 4) {
                const tone = (pixels[i] << 16) | (pixels[i + 1] << 8) | pixels[i + 2];
                tones.set(tone, (tones.get(tone) ?? 0) + 1);
            }
            for (const [tone, many] of tones) {
                const is = direction(tone >> 16, (tone >> 8) & 255, tone & 255);
                list.forEach((each, k) => (counts[k] += Math.hypot(...each.map((value, axis) => value - is[axis])) < 0.03 ? many : 0));
            }
            return counts.map((count) => (4 * count) / pixels.length);
        },
        [png, colours],
    );
}

// The colours that the legend names, by their texts.
export async function legend(page) {
    return page.locator(".legend li").evaluateAll((rows) =>
        rows.map((row) => {
            const [r, g, b] = getComputedStyle(row.querySelector(".swatch")).backgroundColor.match(/\d+/g).map(Number);
            return { text: row.textContent, colour: `#${((r << 16) | (g << 8) | b).toString(16).padStart(6, "0")}` };
        }),
    );
}
