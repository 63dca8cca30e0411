// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// pins.ts: the elements of marks that have a label or can be dragged, over the picture. Their places come with each
// picture.

import { h } from "../dom";
import { hexOf, TONES } from "./colours";
import { isPinned, type PinPlace } from "./messages";
import type { Mark } from "./view";

// Told where in the window the tip of a pin is dragged to, and when it is let go.
export interface Dragged {
    (id: string, x: number, y: number, done: boolean): void;
}

interface Pin {
    element: HTMLElement;
    x: number; // in the picture
    y: number;
}

export class Pins {
    private readonly pins = new Map<string, Pin>();
    private readonly root = h("div", { class: "pins" });

    constructor(
        canvas: HTMLCanvasElement,
        private readonly dragged: Dragged,
    ) {
        canvas.after(this.root);
    }

    // A pin that moves keeps its element, which may be held by the mouse.
    set(id: string, mark: Mark | null): void {
        if (mark === null || !isPinned(mark)) {
            this.pins.get(id)?.element.remove();
            this.pins.delete(id);
            return;
        }
        const element = this.pins.get(id)?.element ?? this.newPin(id);
        const kind = mark.kind === "point" ? "pin" : "tag";
        element.className = `${kind}${mark.kind === "point" && mark.draggable ? " draggable" : ""}`;
        element.style.setProperty("--tone", hexOf(TONES[mark.tone]));
        element.textContent = ("label" in mark && mark.label) || "";
    }

    place(places: PinPlace[]): void {
        for (const { id, x, y, seen } of places) {
            const pin = this.pins.get(id);
            if (pin !== undefined) {
                [pin.x, pin.y] = [x, y];
                pin.element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
                pin.element.hidden = !seen;
            }
        }
    }

    private newPin(id: string): HTMLElement {
        const element = h("div", { "data-mark": id, hidden: true });
        const pin = { element, x: 0, y: 0 };
        let held: { dx: number; dy: number } | null = null; // from where it is held to its tip
        let tip = { x: 0, y: 0 };
        const move = (event: PointerEvent): void => {
            if (held !== null) {
                tip = { x: event.clientX + held.dx, y: event.clientY + held.dy };
                this.dragged(id, tip.x, tip.y, false);
            }
        };
        // It stays where it was last, also where the browser takes the pointer away.
        const end = (): void => {
            if (held !== null) {
                held = null;
                this.dragged(id, tip.x, tip.y, true);
            }
        };
        element.addEventListener("pointerdown", (event) => {
            if (element.classList.contains("draggable") && event.button === 0) {
                const box = this.root.getBoundingClientRect();
                tip = { x: box.left + pin.x, y: box.top + pin.y };
                held = { dx: tip.x - event.clientX, dy: tip.y - event.clientY };
                element.setPointerCapture(event.pointerId);
                event.preventDefault();
            }
        });
        element.addEventListener("pointermove", move);
        element.addEventListener("pointerup", end);
        element.addEventListener("pointercancel", end);
        element.addEventListener("contextmenu", (event) => event.preventDefault());
        this.pins.set(id, pin);
        this.root.append(element);
        return element;
    }
}
