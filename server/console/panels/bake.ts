// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bake.ts: a bake as it goes, from its stream of events: the stage, the tiles that are done, a bar, and the
// warnings that are known before it ends. Each tile that is done is told to the view.

import { events, get, path, Problem } from "../api";
import type { App } from "../app";
import { fill, h } from "../dom";
import { isAbort } from "../failures";
import { count } from "../format";
import type { Version } from "../shapes";
import { button } from "../widgets";
import { warningSection } from "./warnings";

interface Progress {
    progress?: number;
    tiles_done?: number;
    tiles_total?: number;
    stage?: string | null;
    tile?: { x: number; z: number } | null;
}

const AGAIN_MS = 1000;

const STAGES: Record<string, string> = {
    load: "reads the level",
    voxelize: "turns triangles into voxels",
    filter: "filters what cannot be walked on",
    compact: "packs open space",
    erode: "keeps the agent's radius from walls",
    areas: "marks areas",
    distance: "measures distances from walls",
    regions: "cuts floors into regions",
    contours: "draws outlines",
    polygons: "makes polygons",
    detail: "adds height detail",
    tile: "packs tiles",
    mesh: "joins tiles",
    checks: "runs the checks",
    store: "stores the version",
};

function stageText(stage: string | null | undefined): string {
    return stage == null ? "waits for a worker" : (STAGES[stage] ?? stage);
}

// The tiles of a bake as events name them: the last stage of a tile ends it.
const LAST_STAGE = "tile";

// Shows how the version's bake goes until it ends, then calls `done` with the version as it is then.
// Returns what ends the watch.
export function showBake(root: HTMLElement, app: App, version: Version, cancel: () => void, done: (version: Version) => void): () => void {
    const stop = new AbortController();
    const bar = h("progress", { max: 1, value: version.progress, "aria-label": "How far the bake is" });
    const stage = h("span", {}, stageText(version.stage));
    const tiles = h("span", { class: "quiet" });
    const show = (now: Progress) => {
        bar.value = now.progress ?? bar.value;
        if (now.stage !== undefined) {
            stage.textContent = stageText(now.stage);
        }
        if ((now.tiles_total ?? 0) > 0) {
            tiles.textContent = `${count(now.tiles_done ?? 0)} of ${count(now.tiles_total!)} tiles`;
        }
    };
    // Thousands of events a second are one picture a frame.
    let latest: Progress = version;
    let drawing = 0;
    const later = (now: Progress) => {
        latest = { ...latest, ...now };
        drawing ||= requestAnimationFrame(() => {
            drawing = 0;
            show(latest);
        });
    };
    show(version);
    const bake = h("div", { class: "bake" }, bar, h("p", { class: "row" }, stage, tiles, button("Cancel the bake", cancel, { "data-key": "cancel" })));
    fill(root, bake, warningSection(app, version, version.warnings));
    const ended = (now: Version) => !stop.signal.aborted && done(now);
    void watch(app, version, stop.signal, later, ended);
    return () => stop.abort();
}

export function isBaking({ state }: Version): boolean {
    return state === "queued" || state === "baking";
}

// Follows the stream to its end event; returns the version as it is then. A stream may end without it,
// since the daemon stops or the connection breaks: then the version itself tells whether it is over.
async function follow(app: App, of: Version, address: string, signal: AbortSignal, show: (now: Progress) => void): Promise<Version> {
    for await (const { event, data } of events(`${address}/events`, signal)) {
        if (event === "ready" || event === "failed" || event === "cancelled") {
            return data as Version;
        }
        const now = data as Progress;
        show(now);
        if (now.tile != null && now.stage === LAST_STAGE) {
            app.view.tileDone(of, now.tile);
        }
    }
    return get<Version>(address, signal);
}

async function watch(app: App, version: Version, signal: AbortSignal, show: (now: Progress) => void, done: (version: Version) => void): Promise<void> {
    const address = path("v1", "meshes", version.mesh, "versions", version.version);
    while (!signal.aborted) {
        try {
            const now = await follow(app, version, address, signal, show);
            if (!isBaking(now)) {
                done(now);
                return;
            }
        } catch (error) {
            if (isAbort(error)) {
                return;
            }
            app.fail(error);
            if (error instanceof Problem && error.status === 404) {
                const { status, code, message: detail } = error;
                done({ ...version, state: "failed", error: { status, code, detail, at: null } });
                return;
            }
        }
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
}
