// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// placer.ts: the form by which an obstacle is put into an instance: its shape, its size, what it does,
// and where: by a click in the view, in the middle of the picture, or at coordinates.

import type { App } from "../../app";
import { h } from "../../dom";
import { readPlace } from "../../format";
import type { Obstacle, Point } from "../../shapes";
import { button, field, middleButton, more, select, type Field } from "../../widgets";
import type { Wanted } from "./obstacles";

export class Placer {
    readonly root: HTMLElement;
    private readonly press: HTMLButtonElement;
    private readonly shape = select([["circle", "circle"], ["box", "box"]], "circle", () => this.showShape());
    private readonly name = field("Name", h("input", { maxlength: 64, placeholder: "obstacle-1", autocomplete: "off" }), 'Letters, digits, ".", "-" and "_".');
    private readonly radius = size("Radius");
    private readonly width = size("Width");
    private readonly depth = size("Depth");
    private readonly yaw = field("Turned by degrees", h("input", { type: "number", value: 0, min: -360, max: 360, step: "any" }));
    private readonly cost = field("Cost of its ground", h("input", { type: "number", min: 0.000001, step: "any", placeholder: "blocks" }), "Left empty, it blocks; 4 makes ground four times as dear.");
    private readonly where = field("At coordinates", h("input", { placeholder: "x, y, z", autocomplete: "off" }));
    private unit = 0;

    constructor(private readonly app: App, private readonly put: (at: Point) => void) {
        this.press = button("Put it with a click", () => this.setActive(!this.active), { "aria-pressed": "false", class: "press" });
        const middle = middleButton("Put it in the middle of the picture", app, (pick) => this.put(pick.point));
        const there = button("Put it there", () => this.putThere());
        this.root = h(
            "section",
            { class: "part" },
            h("h3", {}, "Obstacles"),
            h("div", { class: "row" }, h("label", { class: "row" }, h("span", {}, "Shape"), this.shape), this.press),
            h("div", { class: "columns" }, this.radius.root, this.width.root, this.depth.root),
            more("Name, turn, cost, coordinates", "placer", false, this.name.root, this.yaw.root, this.cost.root, this.where.root, h("div", { class: "row" }, there, middle)),
        );
        this.showShape();
    }

    close(): void {
        this.setActive(false);
    }

    get active(): boolean {
        return this.press.getAttribute("aria-pressed") === "true";
    }

    private setActive(on: boolean): void {
        this.press.setAttribute("aria-pressed", String(on));
        if (on) {
            this.app.say("Click in the view where the obstacle is to be.");
        }
    }

    // A first size of a metre, in the level's unit.
    setUnit(unit: number): void {
        if (this.unit !== unit) {
            this.unit = unit;
            for (const each of [this.radius, this.width, this.depth]) {
                each.input.value = String(unit * (each === this.radius ? 1 : 2));
            }
        }
    }

    private showShape(): void {
        const circle = this.shape.value === "circle";
        this.radius.root.hidden = !circle;
        this.width.root.hidden = this.depth.root.hidden = this.yaw.root.hidden = circle;
    }

    // What the fields mean; null where one means nothing, which is then said beside it.
    wanted(): { shape: Wanted; cost: number | null } | null {
        const read = (each: Field): number => {
            const of = each.input.value.trim() === "" ? NaN : Number(each.input.value);
            each.error(Number.isFinite(of) ? null : "It has to be a number.");
            return of;
        };
        const shape: Wanted =
            this.shape.value === "circle"
                ? { shape: "circle", radius: read(this.radius) }
                : { shape: "box", width: read(this.width), depth: read(this.depth), yaw: read(this.yaw) };
        const cost = this.cost.input.value.trim() === "" ? null : Number(this.cost.input.value);
        return Object.values(shape).some((each) => typeof each === "number" && Number.isNaN(each)) ? null : { shape, cost };
    }

    // The name that was given, or the next one that is free.
    id(obstacles: Record<string, Obstacle>): string {
        const given = this.name.input.value.trim();
        let count = 1;
        while (`obstacle-${count}` in obstacles) {
            count++;
        }
        return given !== "" ? given : `obstacle-${count}`;
    }

    private putThere(): void {
        const at = readPlace(this.where.input.value);
        this.where.error(at === null ? "Give three numbers: x, y, z." : null);
        if (at !== null) {
            this.put(at);
        }
    }
}

function size(label: string): Field {
    return field(label, h("input", { type: "number", min: 0, step: "any", value: 1 }));
}
