// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// main.ts: the page: one panel at a time beside the view, and what both look at. The address of the
// page and what is looked at follow each other.

import { get, path } from "./api";
import { addressOf, readAddress } from "./address";
import type { App, Hint, Looked, Panel } from "./app";
import { confirm } from "./dialogs";
import { onDrop } from "./drop";
import { makeFrame, type Frame } from "./frame";
import { PANELS } from "./panels/panels";
import { takeFiles } from "./panels/upload/upload";
import { world } from "./panels/instances/world";
import type { Mesh, Version } from "./shapes";
import { Loader } from "./view/load";
import type { View } from "./view/view";
import { makeView } from "./view/make";

const watchers = new Set<(looked: Looked) => void>();
let { looked, panel } = atAddress();
let version: Version | null = null; // that is looked at, as far as it is known
let close: () => void = () => {};
let asked: AbortController | null = null;
let frame: Frame;
let view: View;

// What the address of the page names.
function atAddress(): { looked: Looked; panel: Panel } {
    const at = readAddress(location.hash);
    return { looked: at.looked, panel: panelOf(at.panel) };
}

function panelOf(id: string | null): Panel {
    return PANELS.find((each) => each.id === id) ?? PANELS[0];
}

// ---- what is looked at ----

// The version that stands for a mesh that was named alone: the live one, else the newest that is ready.
async function standFor(mesh: string, signal: AbortSignal): Promise<number | null> {
    const { active, versions } = await get<Mesh>(path("v1", "meshes", mesh), signal);
    return active ?? versions.filter((each) => each.state === "ready").at(-1)?.version ?? versions.at(-1)?.version ?? null;
}

// Reads the version and shows it; an agent that it does not have is the default one.
async function showVersion(mesh: string, number: number, signal: AbortSignal): Promise<void> {
    version = await get<Version>(path("v1", "meshes", mesh, "versions", number), signal);
    if (looked.agent !== "default" && version.config?.agents?.[looked.agent] === undefined) {
        looked = { ...looked, agent: "default" };
        history.replaceState(null, "", addressOf(looked, panel.id));
    }
    frame.showLooked(looked, panel, version);
    await view.show(version, looked.agent);
}

async function showLooked(): Promise<void> {
    asked?.abort();
    asked = new AbortController();
    const { signal } = asked;
    version = null;
    frame.showLooked(looked, panel, null);
    try {
        if (looked.mesh !== null && looked.version === null) {
            const number = await standFor(looked.mesh, signal);
            looked = { ...looked, version: number };
            history.replaceState(null, "", addressOf(looked, panel.id));
        }
        watchers.forEach((watcher) => watcher(looked));
        if (looked.mesh === null || looked.version === null) {
            view.clear(looked.mesh === null ? "No mesh is shown: choose one in Meshes, or drop a level here." : null);
        } else {
            await showVersion(looked.mesh, looked.version, signal);
        }
    } catch (error) {
        if (!signal.aborted) {
            view.clear(null);
            app.fail(error);
        }
    }
}

// ---- panels ----

function showPanel(next: Panel, hint: Hint): void {
    close();
    panel = next;
    const root = frame.panel;
    root.replaceChildren();
    frame.showPanel(panel);
    frame.showLooked(looked, panel, version);
    close = panel.open(root, app, hint);
}

const app: App = {
    get looked() {
        return looked;
    },
    get version() {
        return version;
    },
    get view() {
        return view;
    },
    look(change) {
        const next = { ...looked, ...change };
        if (JSON.stringify(next) !== JSON.stringify(looked)) {
            looked = next;
            history.pushState(null, "", addressOf(looked, panel.id));
            void showLooked();
        }
    },
    reload() {
        void showLooked();
    },
    onLook(callback) {
        watchers.add(callback);
        return () => watchers.delete(callback);
    },
    open(id, hint = {}) {
        const next = panelOf(id);
        history.pushState(null, "", addressOf(looked, next.id));
        showPanel(next, hint);
        frame.keepFocus();
    },
    say: (text) => frame.say(text),
    fail: (error) => frame.fail(error),
    confirm,
};

// The browser's own steps back and forth, and links of the tabs.
function followAddress(): void {
    const at = atAddress();
    const same = JSON.stringify(at.looked) === JSON.stringify(looked);
    looked = at.looked;
    if (at.panel !== panel) {
        showPanel(at.panel, {});
    }
    if (!same) {
        void showLooked();
    }
}

function nextTask(): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve));
}

// In four tasks, so that none of them is long: the program is read in one of its own, the page is laid out for the view,
// and for the panel once more.
async function start(): Promise<void> {
    await nextTask();
    const loader = new Loader();
    if (looked.mesh !== null && looked.version !== null) {
        loader.begin(looked.mesh, looked.version, looked.agent);
    }
    frame = makeFrame(app, PANELS);
    addEventListener("error", (event) => event.error != null && app.fail(event.error));
    addEventListener("unhandledrejection", (event) => app.fail(event.reason));
    await nextTask();
    view = makeView(frame.view, loader);
    view.onMenu(({ point }) => app.open("explain", { point }));
    await nextTask();
    ({ looked, panel } = atAddress()); // it may have changed meanwhile
    addEventListener("popstate", followAddress);
    onDrop((files) => void takeFiles(app, files));
    world.start(app);
    showPanel(panel, {});
    void showLooked();
}

void start();
