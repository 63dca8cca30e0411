// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// checks.ts: the checks of the mesh, each with how it last went in the version that is looked at; to
// add, change and delete them, and to run them on the live version.

import { get, path, Problem, send } from "../api";
import type { App, Panel } from "../app";
import { askForm, confirm, placeOfEntry, type Entry } from "../dialogs";
import { fill, h } from "../dom";
import { number, place } from "../format";
import type { Check, CheckResult, Point, Version } from "../shapes";
import { badge, button, nothing, placeButton } from "../widgets";
import { changeChecks, expectEntries, expectedOf, freeName, NAME_LENGTH_MAX, readChecks } from "./checks_store";
import { readMesh } from "./mesh_store";

type Kind = "path" | "place" | "size";

function kindOf(check: Check): Kind {
    return check.min_walkable_area !== undefined ? "size" : check.expect === "on_mesh" || check.end === undefined ? "place" : "path";
}

// A place to stand on is given as start or as point.
function placeOf(check: Partial<Check>, name: "start" | "end"): Point | undefined {
    return name === "start" ? (check.start ?? check.point) : check.end;
}

function textOf(check: Check): string {
    const agent = check.agent === undefined || check.agent === "default" ? "" : ` for ${check.agent}`;
    switch (kindOf(check)) {
        case "size":
            return `at least ${number(check.min_walkable_area!)} walkable${agent}`;
        case "place":
            return `ground here${agent}`;
        default: {
            const most = check.max_length === undefined ? "" : `, at most ${number(check.max_length)} long`;
            return `${check.expect === "unreachable" ? "no way" : "a way"}${agent}${most}`;
        }
    }
}

// ---- the dialog ----

const POINT = { spellcheck: "false", placeholder: "x, y, z" };

function entriesOf(kind: Kind, check: Partial<Check>): Entry[] {
    const point = (name: "start" | "end", label: string): Entry => ({
        name,
        label,
        value: placeOf(check, name)?.join(", ") ?? "", // all digits: a check that is renamed stays where it is
        required: true,
        attributes: { ...POINT, pattern: "[^,;]+[,;\\s][^,;]+[,;\\s].+" },
    });
    const name: Entry = { name: "name", label: "Name", value: check.name ?? "", required: true, attributes: { maxlength: NAME_LENGTH_MAX } };
    const agent: Entry = { name: "agent", label: "Agent", value: check.agent ?? "", help: "Left empty: default.", attributes: { maxlength: 47 } };
    const figure = { type: "number", min: 0, step: "any" };
    if (kind === "size") {
        return [name, { name: "min_walkable_area", label: "Least walkable area", value: String(check.min_walkable_area ?? ""), required: true, attributes: figure }, agent];
    }
    if (kind === "place") {
        return [name, point("start", "Where there has to be ground"), agent];
    }
    return [
        name,
        point("start", "From"),
        point("end", "to"),
        ...expectEntries(check.expect, String(check.max_length ?? "")),
        agent,
    ];
}

// The check that the entries mean; throws a sentence where a place means nothing.
function checkOf(kind: Kind, given: Record<string, string>, before: Partial<Check>): Check {
    const check: Check = { name: given.name };
    if (kind === "size") {
        check.min_walkable_area = Number(given.min_walkable_area);
    } else {
        check.start = placeOfEntry(given.start);
        check.expect = "on_mesh";
        if (before.snap !== undefined) {
            check.snap = before.snap;
        }
    }
    if (kind === "path") {
        check.end = placeOfEntry(given.end);
        Object.assign(check, expectedOf(given));
    }
    if (given.agent !== "" && given.agent !== "default") {
        check.agent = given.agent;
    }
    return check;
}

// ---- the panel ----

class Checks {
    private readonly list = h("div", {});
    private readonly stop = new AbortController();
    private checks: Check[] = [];
    private shown: string | null = null; // the mesh that they are of

    constructor(root: HTMLElement, private readonly app: App) {
        root.append(
            h("p", { class: "help" }, "A new version goes live only if it meets all of them; so does a switch or a roll-back. Paths that you ask for can be added here, too."),
            this.list,
        );
        const unlook = app.onLook(() => void this.refresh());
        this.stop.signal.addEventListener("abort", () => {
            unlook();
            app.view.clearMarks("check");
        });
        void this.refresh();
    }

    close(): void {
        this.stop.abort();
    }

    private async refresh(): Promise<void> {
        const { mesh, version } = this.app.looked;
        const { signal } = this.stop;
        if (mesh === null) {
            fill(this.list, nothing("Choose a mesh in Meshes first."));
        } else if (mesh !== this.shown) {
            fill(this.list);
        }
        this.shown = mesh;
        if (mesh === null) {
            return;
        }
        const isLate = () => signal.aborted || mesh !== this.app.looked.mesh || version !== this.app.looked.version;
        try {
            const checks = await readChecks(mesh, signal);
            const of = version === null ? null : await get<Version>(path("v1", "meshes", mesh, "versions", version), signal);
            if (!isLate()) {
                this.checks = checks;
                this.show(mesh, of);
            }
        } catch (error) {
            if (!isLate()) {
                this.app.fail(error);
            }
        }
    }

    private show(mesh: string, version: Version | null): void {
        const results = new Map((version?.checks ?? []).map((result) => [result.name, result]));
        const rows = this.checks.map((check, at) => this.row(mesh, check, at, results.get(check.name)));
        const gone = (version?.checks ?? []).filter((result) => !this.checks.some((check) => check.name === result.name));
        const run = version?.active ? button("Run them now", () => void this.run(mesh, version.version), { "data-key": "run" }) : null;
        fill(
            this.list,
            h(
                "div",
                { class: "row" },
                button("Add a path…", () => void this.add(mesh, "path"), { "data-key": "add path" }),
                button("Add a place…", () => void this.add(mesh, "place"), { "data-key": "add place" }),
                button("Add a least area…", () => void this.add(mesh, "size"), { "data-key": "add size" }),
                this.checks.length > 0 ? run : null,
            ),
            this.checks.length === 0
                ? nothing(`${mesh} has no checks: every version that can be baked goes live.`)
                : h("ul", { class: "cards", "aria-label": "Checks" }, ...rows),
            gone.length === 0
                ? null
                : h("p", { class: "help" }, `When version ${version!.version} was checked last there were also: ${gone.map((result) => result.name).join(", ")}.`),
        );
    }

    private row(mesh: string, check: Check, at: number, result: CheckResult | undefined): HTMLElement {
        const [start, end] = [placeOf(check, "start"), placeOf(check, "end")];
        const fly = () => {
            const points = [start, end].filter((point) => point !== undefined);
            const ends = (pick: (...values: number[]) => number) => points[0].map((_, axis) => pick(...points.map((point) => point[axis]))) as Point;
            this.app.view.clearMarks("check");
            this.app.view.mark("check start", { kind: "point", at: points[0], tone: "start", label: check.name });
            if (end !== undefined) {
                this.app.view.mark("check end", { kind: "point", at: end, tone: "end" });
            }
            this.app.view.flyTo(points.length === 1 ? points[0] : { min: ends(Math.min), max: ends(Math.max) });
            this.app.say(`The view shows the check ${check.name}.`);
        };
        const state = result === undefined ? badge("not run yet", "quiet") : result.passed ? badge("met", "good") : badge("failed", "bad");
        const places = [start, end].filter((point) => point !== undefined).map(place).join(" → ");
        return h(
            "li",
            {},
            h("div", { class: "row" }, h("strong", {}, check.name), state),
            h("p", {}, textOf(check)),
            places === "" ? null : placeButton(places, check.name, fly, `fly ${at}`),
            result === undefined ? null : h("p", { class: result.passed ? "help" : "wrong" }, result.detail),
            h(
                "div",
                { class: "row ends" },
                button("Change…", () => void this.change(mesh, check), { class: "quiet", "aria-label": `Change ${check.name}`, "data-key": `change ${at}` }),
                button("Delete…", () => void this.remove(mesh, check), { class: "quiet", "aria-label": `Delete ${check.name}`, "data-key": `delete ${at}` }),
            ),
        );
    }

    // ---- what is done to them ----

    // Sends the mesh's checks as `change` makes them; says what happened.
    private async put(mesh: string, change: (checks: Check[]) => Check[], done: string): Promise<void> {
        await changeChecks(mesh, change);
        this.app.say(done);
        await this.refresh();
    }

    private async add(mesh: string, kind: Kind): Promise<void> {
        const pick = await this.app.view.pickMiddle();
        if (this.stop.signal.aborted) {
            return;
        }
        const given: Partial<Check> = { name: freeName(kind, this.checks) };
        if (kind !== "size" && pick !== null) {
            given.start = pick.point;
        }
        await this.edit(mesh, kind, given, "Add a check", "Add it", (check) => (checks) => [...checks, check], (check) => `Check "${check.name}" is added.`);
    }

    private async change(mesh: string, before: Check): Promise<void> {
        const swap = (check: Check) => (checks: Check[]) => checks.map((each) => (each.name === before.name ? check : each));
        await this.edit(mesh, kindOf(before), before, `Change the check ${before.name}`, "Change it", swap, (check) => `Check "${check.name}" is changed.`);
    }

    private async edit(
        mesh: string,
        kind: Kind,
        before: Partial<Check>,
        title: string,
        yes: string,
        change: (check: Check) => (checks: Check[]) => Check[],
        done: (check: Check) => string,
    ): Promise<void> {
        const given = await askForm(title, "", yes, entriesOf(kind, before));
        if (given === null) {
            return;
        }
        try {
            const check = checkOf(kind, given, before);
            await this.put(mesh, change(check), done(check));
        } catch (error) {
            this.app.fail(error);
        }
    }

    private async remove(mesh: string, check: Check): Promise<void> {
        if (!(await confirm(`Delete the check ${check.name}?`, "Delete it"))) {
            return;
        }
        try {
            await this.put(mesh, (checks) => checks.filter((each) => each.name !== check.name), `Check "${check.name}" is deleted.`);
        } catch (error) {
            this.app.fail(error);
        }
    }

    // A switch to the version that is live already changes nothing, and runs the checks. Somebody may have made another
    // one live meanwhile.
    private async run(mesh: string, version: number): Promise<void> {
        try {
            const { mesh: now, etag } = await readMesh(mesh, null);
            if (now.active !== version) {
                throw new Problem(412, "stale_etag", now.active === null ? `no version of ${mesh} is live now` : `version ${now.active} of ${mesh} is live now`);
            }
            await send("PUT", path("v1", "meshes", mesh, "active"), { version }, { headers: { "If-Match": etag } });
            this.app.say(`Version ${version} meets all checks.`);
        } catch (error) {
            if (!(error instanceof Problem && error.code === "checks_failed")) {
                this.app.fail(error);
            } else {
                this.app.say(`Version ${version} fails checks; it stays live.`);
            }
        }
        await this.refresh();
    }
}

export const CHECKS: Panel = {
    id: "checks",
    title: "Checks",
    open(root, app) {
        const panel = new Checks(root, app);
        return () => panel.close();
    },
};
