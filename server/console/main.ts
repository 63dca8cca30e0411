// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// main.ts: the page. At its top what is looked at; beside the view one panel at a time; below the
// line that says what happened. The address (#/town/3?panel=path) holds what is looked at, so that it
// can be bookmarked and sent to others.

import { onTokenWanted, Problem } from "./api";
import type { App, Looked, Panel } from "./app";
import { ask, confirm } from "./dialogs";
import { fill, h } from "./dom";
import { PANELS } from "./panels/panels";
import { makeView } from "./view/make";

// ---- the address ----

function addressOf(looked: Looked, panel: Panel): string {
    const place = [looked.mesh, looked.version].filter((part) => part !== null).map((part) => encodeURIComponent(String(part)));
    const args = new URLSearchParams({ panel: panel.id });
    if (looked.agent !== "default") {
        args.set("agent", looked.agent);
    }
    if (looked.instance !== null) {
        args.set("instance", looked.instance);
    }
    return `#/${place.join("/")}?${args}`;
}

function readAddress(): { looked: Looked; panel: Panel } {
    const [place, args] = location.hash.slice(2).split("?");
    const [mesh, version] = place.split("/").map(decodeURIComponent);
    const list = new URLSearchParams(args);
    return {
        looked: {
            mesh: mesh || null,
            version: Number(version) || null,
            agent: list.get("agent") ?? "default",
            instance: list.get("instance"),
        },
        panel: PANELS.find((panel) => panel.id === list.get("panel")) ?? PANELS[0],
    };
}

// ---- the page ----

const tabs = h("nav", { "aria-label": "Panels", class: "tabs" });
const place = h("span", { class: "place" });
const side = h("section", { class: "side", "aria-label": "Panel" });
const said = h("p", { role: "status", class: "said" });
const failure = h("div", { role: "alert", class: "failure", hidden: true });
const canvas = h("section", { class: "view", "aria-label": "View" });

const watchers = new Set<(looked: Looked) => void>();
let { looked, panel } = readAddress();
let close: () => void = () => {};

const app: App = {
    get looked() {
        return looked;
    },
    view: makeView(canvas),
    look(change) {
        const next = { ...looked, ...change };
        if (JSON.stringify(next) !== JSON.stringify(looked)) {
            looked = next;
            history.pushState(null, "", addressOf(looked, panel));
            showLooked();
        }
    },
    onLook(callback) {
        watchers.add(callback);
        return () => watchers.delete(callback);
    },
    say(text) {
        said.textContent = text;
    },
    fail(error) {
        if (error instanceof DOMException && error.name === "AbortError") {
            return;
        }
        const text = error instanceof Error ? error.message : String(error);
        const code = error instanceof Problem && error.code !== "" ? ` (${error.code})` : "";
        const dismiss = h("button", { type: "button", onclick: () => (failure.hidden = true) }, "Close");
        fill(failure, h("span", {}, text + code), dismiss);
        failure.hidden = false;
    },
    confirm,
};

function showLooked(): void {
    place.textContent =
        looked.mesh === null ? "no mesh chosen" : `${looked.mesh}${looked.version === null ? "" : `, version ${looked.version}`}`;
    const shown =
        looked.mesh === null || looked.version === null
            ? Promise.resolve(app.view.clear())
            : app.view.show(looked.mesh, looked.version, looked.agent);
    shown.catch(app.fail);
    watchers.forEach((watcher) => watcher(looked));
}

function showPanel(next: Panel): void {
    close();
    panel = next;
    const body = h("div", { class: "body" });
    fill(side, h("h2", {}, panel.title), body);
    for (const tab of tabs.querySelectorAll("button")) {
        tab.setAttribute("aria-pressed", String(tab.dataset.panel === panel.id));
    }
    close = panel.open(body, app);
}

function openPanel(next: Panel): void {
    showPanel(next);
    history.pushState(null, "", addressOf(looked, panel));
}

function start(): void {
    for (const each of PANELS) {
        tabs.append(h("button", { type: "button", "data-panel": each.id, onclick: () => openPanel(each) }, each.title));
    }
    const header = h("header", {}, h("h1", {}, "navmeshd"), place, tabs);
    document.body.append(header, h("main", {}, side, canvas), failure, said);
    onTokenWanted((why) => ask("A token is wanted", `${why}. It is kept for this tab.`, "password"));
    addEventListener("popstate", () => {
        const at = readAddress();
        looked = at.looked;
        showLooked();
        showPanel(at.panel);
    });
    showPanel(panel);
    showLooked();
}

start();
