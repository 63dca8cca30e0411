// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// dialogs.ts: questions to the user. Each is a modal dialog, which the browser gives the focus and
// closes at Escape.

import { h } from "./dom";

// Shows the dialog; returns the value that it is closed with, "" at Escape.
function show(dialog: HTMLDialogElement): Promise<string> {
    document.body.append(dialog);
    dialog.showModal();
    return new Promise((resolve) =>
        dialog.addEventListener("close", () => {
            dialog.remove();
            resolve(dialog.returnValue);
        }),
    );
}

function dialogOf(title: string, text: string, yes: string, ...inputs: HTMLElement[]): HTMLDialogElement {
    const heading = h("h2", { id: "dialog-title" }, title);
    const form = h("form", { method: "dialog" }, heading, text === "" ? null : h("p", {}, text), ...inputs);
    form.append(
        h("div", { class: "row" }, h("button", { value: "yes" }, yes), h("button", { value: "", formnovalidate: true }, "Cancel")),
    );
    return h("dialog", { "aria-labelledby": "dialog-title" }, form);
}

export async function confirm(question: string, yes: string): Promise<boolean> {
    return (await show(dialogOf(question, "", yes))) === "yes";
}

// A line of text; null where the user wants to give none.
export async function ask(title: string, text: string, type: "text" | "password"): Promise<string | null> {
    const input = h("input", { type, required: true, autocomplete: "off", "aria-label": title });
    return (await show(dialogOf(title, text, "Use it", input))) === "yes" ? input.value : null;
}
