// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// widgets.ts: the pieces that panels are made of: buttons, fields with help and errors, lists of names
// and values, badges. Each has the name, the role and the state that screen readers tell.

import type { App } from "./app";
import { h, type Child, type Value } from "./dom";
import type { Version } from "./shapes";
import { hexOf } from "./view/colours";
import type { Pick } from "./view/view";

let ids = 0;

export function newId(prefix: string): string {
    return `${prefix}-${++ids}`;
}

export function button(text: string, onclick: () => unknown, attributes: Record<string, Value> = {}): HTMLButtonElement {
    return h("button", { type: "button", onclick, ...attributes }, text);
}

// A button for a place in the view. `what` is told to screen readers before the text.
export function placeButton(text: string, what: string, onclick: () => void, key?: string): HTMLButtonElement {
    return button(text, onclick, { class: "place-button", "aria-label": `Fly to ${what}: ${text}`, "data-key": key });
}

// A button for the place in the middle of the picture, which `take` is told unless the button is gone by then.
export function middleButton(text: string, app: App, take: (pick: Pick) => void): HTMLButtonElement {
    const made = button(text, async () => {
        const pick = await app.view.pickMiddle();
        if (!made.isConnected) {
            return;
        }
        if (pick === null) {
            app.say("There is nothing in the middle of the picture: turn or move it first.");
        } else {
            take(pick);
        }
    });
    return made;
}

export interface Field {
    readonly root: HTMLElement;
    readonly input: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
    // Says what is wrong beside the input; null takes it away.
    error(text: string | null, ...actions: HTMLElement[]): void;
}

// A label, its input, and below them help and what is wrong.
export function field(label: string, input: Field["input"], help = ""): Field {
    input.id ||= newId("field");
    const helpId = `${input.id}-help`;
    const errorId = `${input.id}-error`;
    const wrong = h("p", { id: errorId, class: "wrong", hidden: true });
    const described = help === "" ? errorId : `${helpId} ${errorId}`;
    input.setAttribute("aria-describedby", described);
    const root = h(
        "div",
        { class: "field" },
        h("label", { for: input.id }, label),
        input,
        help === "" ? null : h("p", { id: helpId, class: "help" }, help),
        wrong,
    );
    return {
        root,
        input,
        error(text, ...actions) {
            wrong.hidden = text === null;
            wrong.replaceChildren(text ?? "", ...actions.flatMap((action) => [" ", action]));
            input.setAttribute("aria-invalid", String(text !== null));
        },
    };
}

export function select(choices: [value: string, text: string][], chosen: string, onchange?: (value: string) => void): HTMLSelectElement {
    const list = h("select", {}, ...choices.map(([value, text]) => h("option", { value }, text)));
    list.value = chosen;
    if (onchange !== undefined) {
        list.addEventListener("change", () => onchange(list.value));
    }
    return list;
}

// A box to tick with its label behind it.
export function tick(label: string, checked: boolean, onchange?: (on: boolean) => void): HTMLLabelElement {
    const input = h("input", { type: "checkbox", checked });
    if (onchange !== undefined) {
        input.addEventListener("change", () => onchange(input.checked));
    }
    return h("label", { class: "tick" }, input, h("span", {}, label));
}

// Names and values in two columns; rows with a null value are left out.
export function pairs(rows: [name: string, value: Child][]): HTMLElement {
    const list = h("dl", { class: "pairs" });
    for (const [name, value] of rows) {
        if (value !== null && value !== undefined) {
            list.append(h("dt", {}, name), h("dd", {}, value));
        }
    }
    return list;
}

export function badge(text: string, tone: "good" | "bad" | "busy" | "quiet"): HTMLElement {
    return h("span", { class: `badge ${tone}` }, text);
}

export function stateBadge(version: Version): HTMLElement {
    switch (version.state) {
        case "ready":
            return version.active ? badge("live", "good") : badge("ready", "quiet");
        case "baking":
            return badge(`baking, ${Math.floor(version.progress * 100)} %`, "busy");
        case "queued":
            return badge("queued", "busy");
        default:
            return badge(version.state, version.state === "failed" ? "bad" : "quiet");
    }
}

export function section(title: string, ...children: Child[]): HTMLElement {
    return h("section", { class: "part" }, h("h3", {}, title), ...children);
}

// A square of a colour of the picture, as of 0xffa000.
export function swatch(colour: number): HTMLElement {
    const element = h("span", { class: "swatch" });
    element.style.background = hexOf(colour);
    return element;
}

// What is closed until it is asked for. `key` keeps the focus where the panel is filled again.
export function more(summary: string, key: string, open: boolean, ...children: Child[]): HTMLDetailsElement {
    return h("details", { open }, h("summary", { "data-key": key }, summary), ...children);
}

// A sentence where there is nothing to show.
export function nothing(text: string): HTMLElement {
    return h("p", { class: "nothing" }, text);
}

// Saves bytes as a file of the user's.
export function save(bytes: Blob, name: string): void {
    const address = URL.createObjectURL(bytes);
    h("a", { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10e3);
}
