// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// frame.ts: what stands around panel and view: the head with what is looked at, the tabs, light and
// dark, the token; below the line that says what happened, and the failure that stays until it is over.

import { onAnswer, onTokenWanted, Problem, setToken, token } from "./api";
import type { App, Looked, Panel } from "./app";
import { addressOf } from "./address";
import { ask } from "./dialogs";
import { fill, h } from "./dom";
import { failureText, isAbort } from "./failures";
import type { Version } from "./shapes";
import { button, select, stateBadge } from "./widgets";

const THEME = "navmeshd.theme";

export interface Frame {
    readonly panel: HTMLElement; // a panel's own place
    readonly view: HTMLElement;
    showPanel(panel: Panel): void;
    keepFocus(): void; // on the panel's heading, where what had the focus is gone
    // version: what is known of the one that is looked at, null until it is
    showLooked(looked: Looked, panel: Panel, version: Version | null): void;
    say(text: string): void;
    fail(error: unknown): void;
}

// ---- light and dark ----

function setTheme(theme: string): void {
    if (theme === "system") {
        localStorage.removeItem(THEME);
        delete document.documentElement.dataset.theme;
    } else {
        localStorage.setItem(THEME, theme);
        document.documentElement.dataset.theme = theme;
    }
}

function themeChooser(): HTMLElement {
    const kept = localStorage.getItem(THEME);
    const theme = kept === "light" || kept === "dark" ? kept : "system";
    setTheme(theme);
    const choices: [string, string][] = [["system", "System colours"], ["light", "Light"], ["dark", "Dark"]];
    const list = select(choices, theme, setTheme);
    list.setAttribute("aria-label", "Light or dark");
    return list;
}

// ---- the token ----

// Forgets the token; the page that is loaded anew is asked for another one.
function forgetToken(): void {
    setToken(null);
    location.reload();
}

function tokenButton(): HTMLElement {
    const forget = button("Forget the token", forgetToken);
    const show = () => {
        forget.hidden = false;
        forget.textContent = token() === null ? "Give a token" : "Forget the token";
    };
    if (token() === null) {
        forget.hidden = true;
    }
    onTokenWanted(async () => {
        const why =
            token() === null
                ? "This daemon asks for a token. Its administrator has it."
                : "The daemon does not know the token that this tab has. Give another one.";
        const value = await ask("A token is wanted", `${why} It is kept for this tab.`, "password");
        setToken(value);
        show();
        return value;
    });
    return forget;
}

// ---- the page ----

function placeText(looked: Looked): string {
    return looked.mesh === null
        ? "no mesh chosen"
        : `${looked.mesh}${looked.version === null ? "" : `, version ${looked.version}`}`;
}

// The agents of a version, where it has several.
function agentChooser(app: App, version: Version): HTMLElement | null {
    const names = ["default", ...Object.keys(version.config?.agents ?? {})];
    if (names.length === 1) {
        return null;
    }
    const list = select(names.map((name) => [name, name]), app.looked.agent, (agent) => app.look({ agent }));
    list.dataset.key = "agent";
    return h("label", { class: "row" }, h("span", {}, "Agent"), list);
}

function instanceChip(app: App): HTMLElement | null {
    const { instance } = app.looked;
    const leave = () => app.look({ instance: null });
    return instance === null
        ? null
        : h("span", { class: "row" }, `in ${instance}`, button("Leave", leave, { "aria-label": `Leave instance ${instance}`, "data-key": "leave" }));
}

export function makeFrame(app: App, panels: Panel[]): Frame {
    const tabs = new Map(panels.map((panel) => [panel, h("a", { "data-panel": panel.id, "data-title": panel.title }, panel.title)]));
    const place = h("span", { class: "place" });
    const beside = h("span", { class: "row" });
    const title = h("h2", { tabindex: -1 });
    const body = h("div", { class: "body" });
    const side = h("section", { class: "side", "aria-label": "Panel", tabindex: 0 }, title, body);
    const view = h("section", { class: "view", "aria-label": "View" });
    const said = h("p", { role: "status", class: "said" });
    const failure = h("div", { role: "alert", class: "failure", hidden: true });
    const nav = h("nav", { "aria-label": "Panels", class: "tabs" }, ...tabs.values());
    const tools = h("div", { class: "row tools" }, tokenButton(), themeChooser());
    document.body.append(
        h("header", {}, h("h1", {}, "navmeshd"), place, beside, tools),
        h("main", {}, nav, side, view),
        failure,
        said,
    );
    let failedAt = ""; // the place that was looked at
    // On a narrow window the tabs are a strip.
    const reveal = (tab: HTMLElement) => {
        nav.scrollLeft = tab.offsetLeft - nav.offsetLeft - (nav.clientWidth - tab.offsetWidth) / 2;
    };
    onAnswer(() => {
        if (failure.dataset.code === "unreachable") {
            failure.hidden = true;
        }
    });
    return {
        panel: body,
        view,
        showPanel(panel) {
            title.textContent = panel.title;
            side.scrollTop = 0;
            said.textContent = "";
            failure.hidden = true;
            for (const [each, tab] of tabs) {
                if (each === panel) {
                    tab.setAttribute("aria-current", "page");
                    reveal(tab);
                } else {
                    tab.removeAttribute("aria-current");
                }
            }
        },
        keepFocus() {
            if (document.activeElement === null || document.activeElement === document.body) {
                title.focus();
            }
        },
        showLooked(looked, panel, version) {
            place.textContent = placeText(looked);
            document.title = looked.mesh === null ? "navmeshd" : `${placeText(looked)} · ${panel.title} · navmeshd`;
            tabs.forEach((tab, each) => tab.setAttribute("href", addressOf(looked, each.id)));
            failure.hidden ||= version !== null && placeText(looked) !== failedAt;
            fill(beside, version && stateBadge(version), version && agentChooser(app, version), instanceChip(app));
        },
        say(text) {
            failure.hidden = true;
            said.textContent = text;
        },
        fail(error) {
            if (isAbort(error)) {
                return;
            }
            const code = error instanceof Problem ? error.code : "";
            const text = failureText(error);
            if (!failure.hidden && text === failure.dataset.text) {
                return; // it stands there, and need not be read out again
            }
            failedAt = place.textContent ?? "";
            failure.dataset.text = text;
            failure.dataset.code = code;
            const scope = code === "token_scope" && token() !== null;
            fill(
                failure,
                h("span", {}, text),
                code === "" ? null : h("code", {}, code),
                scope ? button("Give another token", forgetToken) : null,
                button("Close", () => (failure.hidden = true)),
            );
            failure.hidden = false;
        },
    };
}
