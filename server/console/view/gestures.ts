// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// gestures.ts: mouse, pen, fingers and keys on the canvas: turning (left button, one finger), panning
// (right or middle button, shift, two fingers), zooming (wheel, two fingers), clicks and the menu
// (right button or a long press, without moving).

import type { Drawer } from "./messages";

const MOVED_PX = 4;
const LONG_PRESS_MS = 550;

export interface Gestures {
    click(x: number, y: number): void;
    menu(x: number, y: number): void;
    turn: Drawer["turn"];
    pan: Drawer["pan"];
    zoom: Drawer["zoom"]; // towards the place under a pointer
    flyHome: Drawer["flyHome"];
    flyTop: Drawer["flyTop"];
}

// Places are those of the window.
export function listen(canvas: HTMLCanvasElement, to: Gestures): void {
    const fingers = new Map<number, { x: number; y: number }>();
    let began = { x: 0, y: 0 };
    let moved = false;
    let pans = false;
    let right = false;
    let press = 0;

    const spreadOf = () => {
        const [a, b] = [...fingers.values()];
        return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, wide: Math.hypot(a.x - b.x, a.y - b.y) || 1 };
    };

    canvas.addEventListener("pointerdown", (event) => {
        canvas.setPointerCapture(event.pointerId);
        fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
        moved = fingers.size > 1;
        began = { x: event.clientX, y: event.clientY };
        right = event.button === 2;
        pans = event.button !== 0 || event.shiftKey || event.ctrlKey;
        clearTimeout(press);
        if (event.pointerType === "touch" && fingers.size === 1) {
            press = window.setTimeout(() => {
                if (!moved && fingers.size === 1) {
                    moved = true;
                    to.menu(began.x, began.y);
                }
            }, LONG_PRESS_MS);
        }
    });
    canvas.addEventListener("pointermove", (event) => {
        const last = fingers.get(event.pointerId);
        if (last === undefined) {
            return;
        }
        moved ||= Math.hypot(event.clientX - began.x, event.clientY - began.y) > MOVED_PX;
        if (!moved) {
            return;
        }
        const before = fingers.size === 2 ? spreadOf() : null;
        const [dx, dy] = [event.clientX - last.x, event.clientY - last.y];
        fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
        if (before !== null) {
            const after = spreadOf();
            to.pan(after.x - before.x, after.y - before.y);
            to.zoom(before.wide / after.wide);
        } else if (pans) {
            to.pan(dx, dy);
        } else {
            to.turn(dx, dy);
        }
    });
    const end = (event: PointerEvent): void => {
        clearTimeout(press);
        if (fingers.delete(event.pointerId) && !moved && event.type === "pointerup") {
            (right ? to.menu : to.click)(event.clientX, event.clientY);
        }
    };
    canvas.addEventListener("pointerup", end);
    canvas.addEventListener("pointercancel", end);
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener(
        "wheel",
        (event) => {
            event.preventDefault();
            const lines = event.deltaMode === 1 ? 33 : 1;
            const factor = Math.exp(Math.max(-1, Math.min(1, event.deltaY * lines * 0.0014)));
            to.zoom(factor, event.clientX, event.clientY);
        },
        { passive: false },
    );
    canvas.addEventListener("keydown", (event) => {
        const steps: Record<string, () => void> = {
            ArrowLeft: () => (event.shiftKey ? to.turn(-40, 0) : to.pan(60, 0)),
            ArrowRight: () => (event.shiftKey ? to.turn(40, 0) : to.pan(-60, 0)),
            ArrowUp: () => (event.shiftKey ? to.turn(0, -40) : to.pan(0, 60)),
            ArrowDown: () => (event.shiftKey ? to.turn(0, 40) : to.pan(0, -60)),
            "+": () => to.zoom(0.8),
            "-": () => to.zoom(1.25),
            Home: () => to.flyHome(),
            t: () => to.flyTop(),
        };
        if (steps[event.key] !== undefined && !event.altKey && !event.metaKey && !event.ctrlKey) {
            event.preventDefault();
            steps[event.key]();
        }
    });
}
