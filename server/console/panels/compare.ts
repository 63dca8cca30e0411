// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// compare.ts: two versions of a mesh side by side: their numbers, the settings that differ, and the
// ground that came, went or changed, each place of which can be flown to and is marked in the view.

import { get, path, Problem, query } from "../api";
import type { App, Hint, Panel } from "../app";
import { fill, h } from "../dom";
import { area, count, counted, milliseconds, number, signed, unitOf } from "../format";
import type { Bounds, Diff, Mesh, Version } from "../shapes";
import { TONES } from "../view/colours";
import type { Tone } from "../view/view";
import { button, more, nothing, placeButton, section, select, swatch } from "../widgets";
import { readMesh } from "./mesh_store";
import { Pictures } from "./pictures";
import { settingRows } from "./version";

const LISTED_MAX = 200;
const MARKS_MAX = 100; // boxes in the view; more hide each other

interface Place {
    text: string;
    bounds: Bounds;
    tone: Tone;
}

// ---- numbers ----

function numberRows(from: Version, to: Version): [string, number | null, number | null, (value: number) => string][] {
    return [
        ["Triangles", from.geometry?.triangles ?? 0, to.geometry?.triangles ?? 0, count],
        ["Polygons", from.stats?.polygons ?? null, to.stats?.polygons ?? null, count],
        ["Walkable area", from.stats?.walkable_area ?? null, to.stats?.walkable_area ?? null, (value) => area(value, unitOf(to))],
        ["Islands", from.stats?.components ?? null, to.stats?.components ?? null, count],
        ["Links", from.stats?.links ?? null, to.stats?.links ?? null, count],
        ["Tiles", from.stats?.tiles ?? null, to.stats?.tiles ?? null, count],
        ["Warnings", from.warnings?.length ?? null, to.warnings?.length ?? null, count],
        ["Checks failed", failed(from), failed(to), count],
        ["Bake", from.timings_ms?.total ?? null, to.timings_ms?.total ?? null, milliseconds],
    ];
}

function failed(version: Version): number | null {
    return version.checks?.filter((check) => !check.passed).length ?? null;
}

// Numbers of the agent that is looked at stand in the place of those of the default one.
function ofAgent(version: Version, agent: string): Version {
    const body = version.agents?.[agent];
    return body === undefined ? version : { ...version, stats: body.stats, warnings: body.warnings };
}

function numbers(from: Version, to: Version): HTMLElement {
    const cell = (value: number | null, text: (value: number) => string) => h("td", { class: "figure" }, value === null ? "–" : text(value));
    return h(
        "table",
        { "aria-label": "Numbers" },
        h("thead", {}, h("tr", {}, h("td", {}), ...[`Version ${from.version}`, `Version ${to.version}`, "Change"].map((head) => h("th", { scope: "col", class: "figure" }, head)))),
        h(
            "tbody",
            {},
            ...numberRows(from, to).map(([name, before, after, text]) =>
                h(
                    "tr",
                    {},
                    h("th", { scope: "row" }, name),
                    cell(before, text),
                    cell(after, text),
                    h("td", { class: "figure quiet" }, before === null || after === null || before === after ? "" : signed(after - before)),
                ),
            ),
        ),
    );
}

// ---- settings ----

function settings(from: Version, to: Version): HTMLElement {
    const before = new Map(settingRows(from.config ?? {}));
    const after = new Map(settingRows(to.config ?? {}));
    const names = [...new Set([...before.keys(), ...after.keys()])].filter((name) => before.get(name) !== after.get(name));
    if (names.length === 0) {
        return nothing("All settings are the same.");
    }
    const cell = (text: string | undefined) => h("td", {}, h("code", {}, text ?? "–"));
    return h(
        "table",
        { "aria-label": "Settings that differ" },
        h("thead", {}, h("tr", {}, ...["Setting", `Version ${from.version}`, `Version ${to.version}`].map((head) => h("th", { scope: "col" }, head)))),
        h("tbody", {}, ...names.map((name) => h("tr", {}, h("th", { scope: "row" }, name), cell(before.get(name)), cell(after.get(name))))),
    );
}

// ---- places ----

function placeOf(bounds: Bounds): string {
    const middle = bounds.min.map((value, axis) => number((value + bounds.max[axis]) / 2));
    return `around ${middle.join(", ")}`;
}

function islandPlaces({ islands }: Diff, unit: string): Place[] {
    return [
        ...islands.added.map((each): Place => ({
            text: `${each.cut_off ? "cut off" : "new"}, ${area(each.area, unit)} large, ${placeOf(each.bounds)}`,
            bounds: each.bounds,
            tone: "added",
        })),
        ...islands.removed.map((each): Place => ({
            text: `${each.joined_another ? "joined with another" : "gone"}, ${area(each.area, unit)} large, ${placeOf(each.bounds)}`,
            bounds: each.bounds,
            tone: "removed",
        })),
        ...islands.changed.map((each): Place => ({
            text: `${each.area.delta > 0 ? "grown" : "shrunk"} from ${area(each.area.before, unit)} to ${area(each.area.after, unit)}, ${placeOf(each.bounds)}`,
            bounds: each.bounds,
            tone: "changed",
        })),
    ];
}

function tilePlaces({ tiles }: Diff): Place[] {
    const kinds: [Tone, string, Diff["tiles"]["added"]][] = [
        ["added", "new", tiles.added],
        ["removed", "gone", tiles.removed],
        ["changed", "changed", tiles.changed],
    ];
    return kinds.flatMap(([tone, what, list]) => list.map((tile): Place => ({ text: `${what}: tile ${tile.x}, ${tile.z}`, bounds: tile.bounds, tone })));
}

// ---- the panel ----

let chosen: { mesh: string; from: number; to: number } | null = null;

class Compare {
    private readonly head = h("div", {});
    private readonly body = h("div", {});
    private readonly stop = new AbortController();
    private readonly pictures: Pictures;

    constructor(root: HTMLElement, private readonly app: App) {
        this.pictures = new Pictures(app, this.stop.signal);
        root.append(this.head, this.body);
        const unlook = app.onLook(() => void this.refresh());
        this.stop.signal.addEventListener("abort", () => {
            unlook();
            app.view.clearMarks("compare");
            this.pictures.close();
        });
        void this.refresh();
    }

    close(): void {
        this.stop.abort();
    }

    private async refresh(): Promise<void> {
        const { mesh } = this.app.looked;
        if (mesh === null) {
            fill(this.head, nothing("Choose a mesh in Meshes first."));
            fill(this.body);
            return;
        }
        try {
            const read = await readMesh(mesh, null, this.stop.signal);
            if (mesh === this.app.looked.mesh && !this.stop.signal.aborted) {
                this.show(read.mesh);
            }
        } catch (error) {
            if (mesh === this.app.looked.mesh) {
                this.app.fail(error);
            }
        }
    }

    private show(mesh: Mesh): void {
        const ready = mesh.versions.filter((version) => version.state === "ready");
        if (ready.length < 2) {
            fill(this.head, nothing(`${mesh.mesh} has ${counted(ready.length, "version")} that ${ready.length === 1 ? "is" : "are"} ready; to compare takes two.`));
            fill(this.body);
            return;
        }
        const numbers = ready.map((version) => version.version);
        if (chosen?.mesh !== mesh.mesh || !numbers.includes(chosen.from) || !numbers.includes(chosen.to)) {
            const to = numbers.includes(this.app.looked.version ?? 0) ? this.app.looked.version! : numbers.at(-1)!;
            const other = numbers.filter((each) => each !== to);
            chosen = { mesh: mesh.mesh, from: mesh.active !== null && mesh.active !== to ? mesh.active : other.at(-1)!, to };
        }
        this.showHead(mesh, ready);
        void this.showDiff(ready);
    }

    private choose(change: { from?: number; to?: number }, ready: Version[], mesh: Mesh): void {
        chosen = { ...chosen!, ...change };
        this.showHead(mesh, ready);
        void this.showDiff(ready);
    }

    private showHead(mesh: Mesh, ready: Version[]): void {
        const { from, to } = chosen!;
        const choices = ready.map((each): [string, string] => [String(each.version), `${each.version}${each.active ? " (live)" : ""}`]);
        const list = (label: string, value: number, pick: (version: number) => void) => {
            const input = select(choices, String(value), (text) => pick(Number(text)));
            input.dataset.key = label;
            input.setAttribute("aria-label", `${label} version`);
            return h("label", { class: "row" }, h("span", {}, label), input);
        };
        const swap = () => this.choose({ from: to, to: from }, ready, mesh);
        const look = (version: number) =>
            button(`Version ${version}`, () => this.app.look({ version }), { "aria-pressed": String(this.app.looked.version === version), "data-key": `look ${version}` });
        fill(
            this.head,
            h(
                "div",
                { class: "row" },
                list("From", from, (version) => this.choose({ from: version }, ready, mesh)),
                list("To", to, (version) => this.choose({ to: version }, ready, mesh)),
                button("Swap", swap, { "data-key": "swap" }),
            ),
            h("div", { class: "row", role: "group", "aria-label": "Which of both the view shows" }, h("span", {}, "The view shows"), look(from), from === to ? null : look(to)),
        );
    }

    private async showDiff(ready: Version[]): Promise<void> {
        const { mesh, from, to } = chosen!;
        const { agent } = this.app.looked;
        const isLate = () =>
            this.stop.signal.aborted || mesh !== this.app.looked.mesh || agent !== this.app.looked.agent || chosen?.mesh !== mesh || chosen.from !== from || chosen.to !== to;
        const find = (version: number) => ofAgent(ready.find((each) => each.version === version)!, agent);
        this.app.view.clearMarks("compare");
        this.pictures.drop();
        const common = [section("Numbers", numbers(find(from), find(to))), section("Settings that differ", settings(find(from), find(to)))];
        try {
            const args = query({ from, to, agent });
            const diff = await get<Diff>(path("v1", "meshes", mesh, "versions", "diff") + args, this.stop.signal);
            if (!isLate()) {
                const unit = unitOf(find(to));
                fill(this.body, this.summary(diff, unit), this.pictures.root, ...this.lists(diff, unit), ...common);
            }
        } catch (error) {
            if (isLate()) {
                return;
            }
            fill(this.body, error instanceof Problem ? h("p", { class: "wrong" }, `What changed cannot be told: ${error.message}.`) : null, ...common);
            this.app.fail(error);
        }
    }

    private summary(diff: Diff, unit: string): HTMLElement {
        const { tiles, islands, walkable_area: ground } = diff;
        const what = [
            diff.geometry_changed ? "the level" : null,
            diff.config_changed ? "the settings" : null,
        ].filter((part) => part !== null);
        const same = tiles.changed.length + tiles.added.length + tiles.removed.length === 0;
        const cause = what.length === 0 ? "Level and settings are the same" : `Changed: ${what.join(" and ")}`;
        const effect = same
            ? "the mesh is the same"
            : `${count(tiles.unchanged)} of ${counted(tiles.after, "tile")} unchanged, walkable area ${signed(ground.delta)}${unit === "" ? "" : ` ${unit}²`}, islands ${islands.before} → ${islands.after}`;
        return h("p", { class: "lead" }, `${cause}; ${effect}.`);
    }

    private lists(diff: Diff, unit: string): HTMLElement[] {
        const { mesh, from, to } = chosen!;
        const list = (title: string, key: string, places: Place[], truncated: boolean, open: boolean) => {
            places.slice(0, MARKS_MAX).forEach(({ bounds, tone }, at) => {
                if (open) {
                    this.app.view.mark(`compare ${key} ${at}`, { kind: "box", ...bounds, tone });
                }
            });
            const rows = places.slice(0, LISTED_MAX).map(({ text, bounds, tone }, at) => {
                const fly = () => {
                    this.app.view.flyTo(bounds);
                    this.app.view.mark("compare chosen", { kind: "box", ...bounds, tone, label: text });
                    this.app.say(`The view shows ${text}.`);
                    void this.pictures.show(mesh, [from, to], bounds);
                };
                return h("li", { class: tone }, swatch(TONES[tone]), placeButton(text, title, fly, `${key} ${at}`));
            });
            const rest = places.length - rows.length;
            const left = rest > 0 || truncated ? h("p", { class: "help" }, truncated ? "and more than the daemon lists" : `and ${count(rest)} more`) : null;
            return more(`${title} (${count(places.length)})`, key, open && places.length > 0, h("ul", { class: "places changes" }, ...rows), left);
        };
        const islands = islandPlaces(diff, unit);
        const tiles = tilePlaces(diff);
        return [
            section(
                "What changed",
                list("Islands", "islands", islands, diff.islands.truncated, true),
                list("Tiles", "tiles", tiles, diff.tiles.truncated, islands.length === 0),
            ),
        ];
    }
}

export const COMPARE: Panel = {
    id: "compare",
    title: "Compare",
    open(root, app, hint: Hint) {
        const { from, to } = hint as { from?: number; to?: number };
        if (app.looked.mesh !== null && from !== undefined && to !== undefined) {
            chosen = { mesh: app.looked.mesh, from, to };
        }
        const panel = new Compare(root, app);
        return () => panel.close();
    },
};
