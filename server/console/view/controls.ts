// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// controls.ts: what lies over the picture: the choice of colours and layers, the buttons of the
// camera, the legend, and a line that says what is being loaded.

import { fill, h } from "../dom";
import { swatch } from "../widgets";
import { hexOf, type Legend } from "./colours";
import type { Colouring, Layer } from "./view";

const COLOURINGS: [Colouring, string][] = [
    ["area", "Area"],
    ["island", "Island"],
    ["tile", "Tile"],
    ["region", "Region"],
    ["slope", "Slope"],
    ["clearance", "Clearance"],
];

const LAYERS: [Layer, string][] = [
    ["level", "Level"],
    ["mesh", "Mesh"],
    ["edges", "Edges"],
    ["links", "Links"],
    ["tiles", "Tiles"],
];

export interface ControlHooks {
    colour(by: Colouring): void;
    layer(layer: Layer, on: boolean): void;
    flyHome(): void;
    flyTop(): void;
    zoom(factor: number): void;
    cut(part: number): void; // of the height, 1: nothing is cut off
}

export class Controls {
    private readonly select: HTMLSelectElement;
    private readonly layers = new Map<Layer, HTMLInputElement>();
    private readonly legend = h("div", { class: "legend", hidden: true });
    private readonly busy = h("p", { class: "busy", hidden: true });
    private doing: string | null = null; // what is being loaded, or has failed
    private lost = false;
    private readonly cut: HTMLInputElement;

    constructor(root: HTMLElement, hooks: ControlHooks) {
        this.select = h(
            "select",
            { onchange: () => hooks.colour(this.select.value as Colouring) },
            ...COLOURINGS.map(([value, text]) => h("option", { value }, text)),
        );
        this.cut = h("input", {
            type: "range",
            min: 0,
            max: 100,
            value: 100,
            oninput: () => hooks.cut(Number(this.cut.value) / 100),
        });
        const boxes = LAYERS.map(([layer, text]) => {
            const box = h("input", { type: "checkbox", onchange: () => hooks.layer(layer, box.checked) });
            this.layers.set(layer, box);
            return h("label", {}, box, text);
        });
        const button = (text: string, label: string, onclick: () => void) =>
            h("button", { type: "button", title: label, "aria-label": label, onclick }, text);
        root.append(
            h(
                "div",
                { class: "looks", role: "group", "aria-label": "What is drawn" },
                h("label", {}, "Colour by", this.select),
                h("fieldset", { class: "layers" }, h("legend", { class: "unseen" }, "Layers"), ...boxes),
                h("label", { title: "Hides what is higher, to look into buildings" }, "Cut above", this.cut),
            ),
            h(
                "div",
                { class: "camera", role: "group", "aria-label": "Camera" },
                button("+", "Nearer", () => hooks.zoom(0.7)),
                button("−", "Farther", () => hooks.zoom(1.4)),
                button("Top", "Top: from above, and back", () => hooks.flyTop()),
                button("All", "All: show all of it", () => hooks.flyHome()),
            ),
            this.legend,
            this.busy,
        );
    }

    showColouring(by: Colouring): void {
        this.select.value = by;
    }

    showLayer(layer: Layer, on: boolean, there = true): void {
        const box = this.layers.get(layer)!;
        box.checked = on && there;
        box.disabled = !there;
    }

    showBusy(text: string | null): void {
        this.doing = text;
        this.showLine();
    }

    // The browser has lost the picture, or can draw it again.
    showLost(lost: boolean): void {
        this.lost = lost;
        this.showLine();
    }

    private showLine(): void {
        const text = this.lost ? "The browser has lost the picture; it is drawn again once it can." : this.doing;
        this.busy.hidden = text === null;
        this.busy.textContent = text ?? "";
    }

    uncut(): void {
        this.cut.value = "100";
    }

    showLegend(legend: Legend | null): void {
        this.legend.hidden = legend === null;
        if (legend === null) {
            return;
        }
        const ramp = h("div", { class: "ramp" });
        ramp.style.background = `linear-gradient(to right, ${(legend.scale?.colours ?? [0, 0]).map(hexOf).join(", ")})`;
        fill(
            this.legend,
            h("strong", {}, legend.title),
            legend.entries.length === 0 ? null : h("ul", {}, ...legend.entries.map(({ colour, text }) => h("li", {}, swatch(colour), text))),
            legend.scale && ramp,
            legend.scale && h("div", { class: "ends" }, h("span", {}, legend.scale.low), h("span", {}, legend.scale.high)),
            legend.note ? h("p", {}, legend.note) : null,
        );
    }
}
