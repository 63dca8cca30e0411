// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// dialogs.ts: questions to the user. Each is a modal dialog, which the browser gives the focus and
// closes at Escape; then the focus is where it was before.

import { Problem } from "./api";
import { h } from "./dom";
import { readPlace } from "./format";
import type { Point } from "./shapes";
import { field, select } from "./widgets";

export interface Entry {
    name: string;
    label: string;
    value?: string;
    help?: string;
    required?: boolean;
    choices?: [value: string, text: string][];
    attributes?: Record<string, string | number | boolean>; // of the input
}

// Shows the dialog; returns the value that it is closed with, "" at Escape.
function show(dialog: HTMLDialogElement): Promise<string> {
    const before = document.activeElement as HTMLElement | null;
    document.body.append(dialog);
    dialog.showModal();
    return new Promise((resolve) =>
        dialog.addEventListener("close", () => {
            dialog.remove();
            before?.focus();
            resolve(dialog.returnValue);
        }),
    );
}

function dialogOf(title: string, text: string, yes: string, ...inputs: HTMLElement[]): HTMLDialogElement {
    const heading = h("h2", { id: "dialog-title" }, title);
    const form = h("form", { method: "dialog" }, heading, text === "" ? null : h("p", {}, text), ...inputs);
    form.append(
        h(
            "div",
            { class: "row ends" },
            h("button", { value: "yes", class: "primary" }, yes),
            h("button", { value: "", formnovalidate: true }, "Cancel"),
        ),
    );
    return h("dialog", { "aria-labelledby": "dialog-title" }, form);
}

export async function confirm(question: string, yes: string): Promise<boolean> {
    return (await show(dialogOf(question, "", yes))) === "yes";
}

// The same with more to say than the question.
export async function confirmWith(question: string, yes: string, text: string): Promise<boolean> {
    return (await show(dialogOf(question, text, yes))) === "yes";
}

// A line of text; null where the user wants to give none.
export async function ask(title: string, text: string, type: "text" | "password"): Promise<string | null> {
    const input = h("input", { type, required: true, autocomplete: "off", "aria-label": title });
    return (await show(dialogOf(title, text, "Use it", input))) === "yes" ? input.value : null;
}

// A place as the user gave it in an entry; throws a sentence where it means nothing.
export function placeOfEntry(text: string): Point {
    const read = readPlace(text);
    if (read === null) {
        throw new Problem(0, "", `"${text}" is no place: give three numbers, x, y, z`);
    }
    return read;
}

// Several entries, by their names; null where the user wants to give none.
export async function askForm(title: string, text: string, yes: string, entries: Entry[]): Promise<Record<string, string> | null> {
    const fields = entries.map((entry) => {
        const input =
            entry.choices !== undefined
                ? select(entry.choices, entry.value ?? entry.choices[0][0])
                : h("input", { value: entry.value ?? "", required: entry.required, autocomplete: "off", ...entry.attributes });
        return field(entry.label, input, entry.help);
    });
    if ((await show(dialogOf(title, text, yes, ...fields.map((each) => each.root)))) !== "yes") {
        return null;
    }
    return Object.fromEntries(fields.map((each, at) => [entries[at].name, each.input.value]));
}
