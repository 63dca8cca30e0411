// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// drop.ts: files that are dropped anywhere on the page.

import { h } from "./dom";

function hasFiles(event: DragEvent): boolean {
    return event.dataTransfer?.types.includes("Files") ?? false;
}

export function onDrop(take: (files: File[]) => void): void {
    const cover = h("div", { class: "cover", hidden: true }, h("p", {}, "Drop the level here"));
    document.body.append(cover);
    addEventListener("dragenter", (event) => {
        if (hasFiles(event)) {
            cover.hidden = false;
        }
    });
    addEventListener("dragover", (event) => {
        if (hasFiles(event)) {
            event.preventDefault();
        }
    });
    addEventListener("dragleave", (event) => {
        if (event.relatedTarget === null) {
            cover.hidden = true;
        }
    });
    addEventListener("drop", (event) => {
        cover.hidden = true;
        if (hasFiles(event)) {
            event.preventDefault();
            take([...event.dataTransfer!.files]);
        }
    });
}
