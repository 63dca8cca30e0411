// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// explain.ts: why there is, or is no, mesh at a place, and why two places are not joined: by the right
// button in the view or by coordinates. First the daemon's sentence, then what each stage made of the
// place, with its numbers.

import { get, path, query } from "../api";
import type { App, Hint, Panel } from "../app";
import { fill, h } from "../dom";
import { sentence } from "../failures";
import { area, length, number, place, placeArgument, readPlace, unitOf, value, words } from "../format";
import type { Point } from "../shapes";
import { badge, button, field, middleButton, more, nothing, pairs, placeButton, section } from "../widgets";
import { floorCard, type Floor } from "./explain_floor";

const DEADLINE_MS = 30000;

interface Triangle {
    triangle: number;
    low: number;
    high: number;
    slope: number;
    too_steep: boolean;
    faces_down: boolean;
    area: string;
    material?: string;
}

interface Change {
    setting: string;
    from: number;
    to: number;
}

interface Explained {
    status?: string;
    reason?: string | null;
    sentence?: string;
    mesh_place?: {
        position: Point;
        polygon: string;
        area: string;
        component: number;
        island: { polygons: number; area: number };
        clearance: number | null;
    } | null;
    floor?: number | null;
    floor_count?: number;
    floors?: Floor[];
    triangles?: { below: Triangle[]; above: Triangle[] };
    settings?: Record<string, number>;
    suggest?: (Change & { and?: Change }) | null;
    [member: string]: unknown;
}

// Members that are told in words, or say what was asked.
const TOLD = ["mesh", "version", "instance", "revision", "point", "start", "end", "status", "reason", "sentence", "tile", "mesh_place", "floor", "floor_count", "floors", "triangle_count", "triangles", "settings", "suggest"];

const STATUS: Record<string, string> = { walkable: "walkable", closed: "closed", none: "no mesh" };

function isEmpty(of: unknown): boolean {
    return of === null || (Array.isArray(of) && of.length === 0);
}

let asked = { start: "", end: "" }; // what was typed last

function isPoint(of: unknown): of is Point {
    return Array.isArray(of) && of.length === 3 && of.every((each) => typeof each === "number");
}

class Explain {
    private readonly answer = h("div", { role: "region", "aria-label": "Explanation" });
    private readonly start = field("Place", h("input", { value: asked.start, placeholder: "x, y, z", autocomplete: "off" }), "Or the right button, or a long press, in the view.");
    private readonly end = field("To, if a way is meant", h("input", { value: asked.end, placeholder: "x, y, z", autocomplete: "off" }));
    private stop = new AbortController();
    private readonly unlook: () => void;

    constructor(root: HTMLElement, private readonly app: App) {
        const form = h(
            "form",
            {},
            this.start.root,
            this.end.root,
            h("div", { class: "row" }, h("button", { class: "primary" }, "Explain"), middleButton("The middle of the picture", app, (pick) => this.explain(pick.point, null))),
        );
        form.addEventListener("submit", (event) => {
            event.preventDefault();
            this.submit();
        });
        root.append(form, this.answer);
        this.unlook = app.onLook(() => this.clear());
    }

    close(): void {
        this.stop.abort();
        this.unlook();
        this.app.view.clearMarks("explain");
    }

    private clear(): void {
        this.stop.abort();
        fill(this.answer);
        this.app.view.clearMarks("explain");
    }

    // ---- the question ----

    explain(start: Point, end: Point | null): void {
        this.start.input.value = place(start);
        this.end.input.value = end === null ? "" : place(end);
        this.submit();
    }

    private submit(): void {
        asked = { start: this.start.input.value, end: this.end.input.value };
        const start = readPlace(asked.start);
        const end = asked.end.trim() === "" ? null : readPlace(asked.end);
        this.start.error(start === null ? "Give three numbers: x, y, z." : null);
        this.end.error(end === null && asked.end.trim() !== "" ? "Give three numbers: x, y, z." : null);
        if (start !== null && (end !== null || asked.end.trim() === "")) {
            void this.ask(start, end);
        }
    }

    private async ask(start: Point, end: Point | null): Promise<void> {
        const { mesh, version, agent, instance } = this.app.looked;
        if (mesh === null) {
            fill(this.answer, nothing("Choose a mesh in Meshes first."));
            return;
        }
        this.clear();
        this.stop = new AbortController();
        const { signal } = this.stop;
        const { view } = this.app;
        view.mark("explain start", { kind: "point", at: start, tone: end === null ? "note" : "start", label: end === null ? "?" : undefined });
        if (end !== null) {
            view.mark("explain end", { kind: "point", at: end, tone: "end" });
        }
        fill(this.answer, h("p", { class: "quiet" }, "The tile is baked again, to see what each stage makes of it …"));
        try {
            const what = end === null ? { point: placeArgument(start) } : { start: placeArgument(start), end: placeArgument(end) };
            const rest = { version, agent, instance, deadline_ms: DEADLINE_MS };
            const found = await get<Explained>(path("v1", "meshes", mesh, "explain") + query({ ...what, ...rest }), signal);
            this.show(start, found);
        } catch (error) {
            if (!signal.aborted) {
                fill(this.answer);
                this.app.fail(error);
            }
        }
    }

    // ---- the answer ----

    private show(at: Point, found: Explained): void {
        if (found.reason === "deadline") {
            const late = `It took longer than ${DEADLINE_MS / 1000} s. Smaller tiles (tile_cells) are explained faster.`;
            fill(this.answer, h("p", { class: "lead" }, late));
            this.app.say(late);
            return;
        }
        const { floors = [], settings = {} } = found;
        const told = sentence(found.sentence ?? words(found.reason ?? found.status ?? ""));
        const tone = found.status === "walkable" || found.status === "complete" ? "good" : "bad";
        fill(
            this.answer,
            h("p", { class: "lead" }, told, " ", found.status === undefined ? null : badge(STATUS[found.status] ?? words(found.status), tone)),
            this.suggested(found),
            this.meshPlace(found),
            this.others(found),
            floors.length === 0
                ? null
                : section("Floors here, highest first", h("ol", { class: "cards" }, ...floors.map((floor, index) => floorCard(this.app, at, floor, index === found.floor, settings)))),
            this.triangles(found),
            Object.keys(settings).length === 0 ? null : more("Settings that decide", "settings", false, pairs(Object.entries(settings).map(([name, each]) => [name, number(each)]))),
        );
        this.app.say(told);
    }

    // What joins two places, to bake with.
    private suggested({ suggest }: Explained): HTMLElement | null {
        const { version, looked } = this.app;
        if (suggest == null || version === null || looked.agent !== "default") {
            return null;
        }
        const changes: Change[] = suggest.and === undefined ? [suggest] : [suggest, suggest.and];
        const bake = () => this.app.open("upload", { again: version, suggest: changes.map((each) => `${each.setting}=${each.to}`).join("&") });
        return button(`Bake again with ${changes.map((each) => `${each.setting} ${number(each.to)}`).join(" and ")}`, bake, { "data-key": "suggest" });
    }

    private meshPlace({ mesh_place: found }: Explained): HTMLElement | null {
        if (found == null) {
            return null;
        }
        const unit = unitOf(this.app.version);
        this.app.view.mark("explain polygon", { kind: "polygons", ids: [Number(found.polygon)], tone: "note" });
        return pairs([
            ["Polygon", found.polygon],
            ["Area", found.area],
            ["Island", `${found.component}: ${found.island.polygons} polygons, ${area(found.island.area, unit)} large`],
            ["Clearance", found.clearance === null ? "more than 100 m" : length(found.clearance, unit)],
        ]);
    }

    // What else the answer has, such as the islands of two places and what would join them: places can
    // be flown to and are marked.
    private others(found: Explained): HTMLElement | null {
        const rest = Object.entries(found).filter(([name, each]) => !TOLD.includes(name) && !isEmpty(each));
        return rest.length === 0 ? null : section("In numbers", this.tree(Object.fromEntries(rest), "explain"));
    }

    private tree(of: Record<string, unknown>, prefix: string): HTMLElement {
        return pairs(
            Object.entries(of).filter(([, each]) => !isEmpty(each)).map(([name, each]): [string, HTMLElement | string] => {
                const key = `${prefix} ${name}`;
                if (isPoint(each)) {
                    this.app.view.mark(key, { kind: "points", at: [each], tone: "note" });
                    return [words(name), placeButton(place(each), words(name), () => this.app.view.flyTo(each), key)];
                }
                if (Array.isArray(each) && each.some((entry) => entry !== null && typeof entry === "object" && !Array.isArray(entry))) {
                    return [words(name), h("ol", { class: "cards" }, ...each.map((entry, index) => h("li", {}, this.tree(entry as Record<string, unknown>, `${key} ${index}`))))];
                }
                if (each !== null && typeof each === "object" && !Array.isArray(each)) {
                    return [words(name), this.tree(each as Record<string, unknown>, key)];
                }
                return [words(name), typeof each === "number" ? number(each) : value(each)];
            }),
        );
    }

    private triangles({ triangles }: Explained): HTMLElement | null {
        if (triangles === undefined) {
            return null;
        }
        const row = (triangle: Triangle, where: string) =>
            h(
                "tr",
                {},
                h("td", {}, where),
                h("td", { class: "figure" }, String(triangle.triangle)),
                h("td", { class: "figure" }, `${number(triangle.slope)}°`),
                h("td", { class: "figure" }, triangle.low === triangle.high ? number(triangle.low) : `${number(triangle.low)} to ${number(triangle.high)}`),
                h("td", {}, triangle.faces_down ? "faces down" : triangle.too_steep ? "too steep" : triangle.area),
            );
        const rows = [...triangles.above.map((each) => row(each, "above")).reverse(), ...triangles.below.map((each) => row(each, "here or below"))];
        const heads: [string, boolean][] = [["Where", false], ["No.", true], ["Slope", true], ["Height", true], ["Is", false]];
        const table = h(
            "table",
            { "aria-label": "Triangles that touch the column" },
            h("thead", {}, h("tr", {}, ...heads.map(([head, figure]) => h("th", { scope: "col", class: figure ? "figure" : null }, head)))),
            h("tbody", {}, ...rows),
        );
        return rows.length === 0 ? nothing("No triangle of the level touches the column.") : more(`Triangles (${rows.length})`, "triangles", false, table);
    }
}

export const EXPLAIN: Panel = {
    id: "explain",
    title: "Explain",
    open(root, app, hint: Hint) {
        const panel = new Explain(root, app);
        if (isPoint(hint.point)) {
            panel.explain(hint.point, null);
        } else if (isPoint(hint.start) && isPoint(hint.end)) {
            panel.explain(hint.start, hint.end);
        }
        return () => panel.close();
    },
};
