// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// version.ts: one version: what can be done with it, its numbers, its warnings, its settings and, while
// it is baked, how far that is.

import { call, path, query } from "../api";
import type { App } from "../app";
import { fill, h, svg } from "../dom";
import { sentence } from "../failures";
import { ago, area, bytes, count, counted, milliseconds, unitOf, value, words } from "../format";
import type { Mesh, Settings, Stats, Version, Warning } from "../shapes";
import { badge, button, more, nothing, pairs, save, section, select } from "../widgets";
import { cancelBake, deleteVersion, makeLive } from "./actions";
import { isBaking, showBake } from "./bake";
import { warningSection } from "./warnings";

const FORMATS: [string, string][] = [
    ["glb", "binary glTF"],
    ["obj", "OBJ"],
    ["json", "JSON"],
    ["mset", "Detour's MSET"],
    ["svg", "picture (SVG)"],
];

// What is unfolded stays so from one version to the next.
const unfolded = new Set<string>();

function remembered(details: HTMLDetailsElement, key: string): HTMLDetailsElement {
    details.addEventListener("toggle", () => (details.open ? unfolded.add(key) : unfolded.delete(key)));
    return details;
}

// ---- numbers ----

function statsOf(version: Version, agent: string): { stats: Stats | null; warnings: Warning[] } {
    const other = version.agents?.[agent];
    return other ?? { stats: version.stats, warnings: version.warnings ?? [] };
}

function numbers(version: Version, stats: Stats | null): HTMLElement {
    const { geometry, blob } = version;
    return pairs([
        ["Level", geometry && `${geometry.format}, ${counted(geometry.triangles, "triangle")}`],
        ["Polygons", stats && count(stats.polygons)],
        ["Walkable area", stats && area(stats.walkable_area, unitOf(version))],
        ["Islands", stats && count(stats.components)],
        ["Links", stats && stats.links > 0 ? count(stats.links) : null],
        ["Tiles", stats && `${count(stats.tiles)}${version.tiles_reused > 0 ? `, ${count(version.tiles_reused)} reused` : ""}`],
        ["Memory", stats && bytes(stats.memory_bytes)],
        ["Stored", blob && bytes(blob.stored_bytes)],
        ["Made", version.created_at && h("time", { datetime: version.created_at }, `${ago(version.created_at)} (${version.created_at.replace("T", " ").slice(0, 19)} UTC)`)],
    ]);
}

// A bar for each stage, as long as its part of the longest.
function times(timings: Record<string, number>): HTMLElement {
    const stages = Object.entries(timings).filter(([stage, ms]) => stage !== "total" && ms > 0);
    const longest = Math.max(...stages.map(([, ms]) => ms), 1e-9);
    const bar = (ms: number) =>
        svg("svg", { class: "bar", viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
            svg("rect", { width: Math.max((ms / longest) * 100, 0.5), height: 8, rx: 1 }));
    return h(
        "table",
        { class: "times" },
        h("caption", {}, `The bake took ${milliseconds(timings.total)}; stages are summed over threads.`),
        h(
            "tbody",
            {},
            ...stages.map(([stage, ms]) =>
                h("tr", {}, h("th", { scope: "row" }, stage), h("td", {}, bar(ms)), h("td", { class: "figure" }, milliseconds(ms))),
            ),
        ),
    );
}

// ---- settings ----

// Names and values in the order of the daemon's, with agent.radius for the members of agent.
export function settingRows(settings: Settings, prefix = ""): [string, string][] {
    return Object.entries(settings).flatMap(([name, of]): [string, string][] => {
        const inner = of !== null && typeof of === "object" && !Array.isArray(of) && (name === "agent" || name === "filters");
        return inner ? settingRows(of as Settings, `${name}.`) : [[prefix + name, value(of)]];
    });
}

// ---- what can be done ----

function exportRow(app: App, version: Version): HTMLElement {
    const { mesh, version: number } = version;
    const list = select(FORMATS, "glb");
    list.setAttribute("aria-label", "Format of the file");
    const download = async () => {
        try {
            const args = query({ format: list.value, agent: app.looked.agent });
            const reply = await call(path("v1", "meshes", mesh, "versions", number, "export") + args);
            save(await reply.blob(), `${mesh}-${number}.${list.value}`);
            app.say(`${mesh}-${number}.${list.value} is saved.`);
        } catch (error) {
            app.fail(error);
        }
    };
    return h("div", { class: "row" }, list, button("Save as a file", () => void download(), { "data-key": "export" }));
}

function deeds(app: App, mesh: Mesh, version: Version, after: () => Promise<void>): HTMLElement {
    const { active } = mesh;
    const back = active !== null && version.version < active;
    const live = button(back ? "Roll back to it…" : "Make it live…", () => void makeLive(app, mesh, version, after), { class: "primary", "data-key": "live" });
    const again = button("Bake again with other settings", () => app.open("upload", { again: version }), { "data-key": "again" });
    const remove = button("Delete…", () => void deleteVersion(app, version, after), { class: "quiet", "data-key": "delete" });
    const compare = button("Compare with the live one", () => app.open("compare", { from: active, to: version.version }), { "data-key": "compare" });
    const ready = version.state === "ready";
    return h(
        "div",
        { class: "row" },
        ready && !version.active ? live : null,
        ready && !version.active && active !== null ? compare : null,
        version.geometry?.source === undefined ? again : null,
        version.active ? null : remove,
    );
}

// ---- checks ----

function checksLine(app: App, version: Version): HTMLElement | null {
    const { checks } = version;
    if (checks === null || checks.length === 0) {
        return null;
    }
    const failed = checks.filter((check) => !check.passed);
    const text = failed.length === 0 ? `all ${checks.length} met` : `${failed.length} of ${checks.length} failed`;
    return h("p", { class: "row" }, "Checks", badge(text, failed.length === 0 ? "good" : "bad"), button("Show them", () => app.open("checks"), { "data-key": "checks" }));
}

// ---- all of it ----

function ready(app: App, mesh: Mesh, version: Version, after: () => Promise<void>): HTMLElement[] {
    const { stats, warnings } = statsOf(version, app.looked.agent);
    const settings = version.config;
    return [
        deeds(app, mesh, version, after),
        numbers(version, stats),
        checksLine(app, version),
        warningSection(app, version, warnings) ?? section("Warnings", nothing("None.")),
        section(
            "More",
            version.timings_ms && remembered(more("Times", "times", unfolded.has("times"), times(version.timings_ms)), "times"),
            settings && remembered(more("Settings", "settings", unfolded.has("settings"), pairs(settingRows(settings))), "settings"),
            stats && remembered(more("Save the mesh", "save", unfolded.has("save"), exportRow(app, version)), "save"),
        ),
    ].filter((part) => part !== null);
}

function failed(app: App, mesh: Mesh, version: Version, after: () => Promise<void>): HTMLElement[] {
    const { error } = version;
    const text = version.state === "cancelled" ? "Its bake was cancelled." : sentence(error?.detail ?? "Its bake failed.");
    return [
        h("p", { class: "wrong" }, text, " ", error === null ? null : h("code", {}, error.code)),
        deeds(app, mesh, version, after),
        numbers(version, version.stats),
        warningSection(app, version, version.warnings),
    ].filter((part) => part !== null);
}

// Shows the version in root; returns what ends its stream.
export function showVersion(root: HTMLElement, app: App, mesh: Mesh, version: Version, after: () => Promise<void>): () => void {
    const heading = h("h3", {}, `Version ${version.version} `, words(version.state));
    if (isBaking(version)) {
        const body = h("div", {});
        fill(root, h("section", { class: "part" }, heading, body));
        const cancel = () => void cancelBake(app, version.mesh, version.version);
        return showBake(body, app, version, cancel, () => {
            app.reload();
            void after();
        });
    }
    const body = version.state === "ready" ? ready(app, mesh, version, after) : failed(app, mesh, version, after);
    const damaged = version.state === "ready" && version.error !== null ? h("p", { class: "wrong" }, sentence(version.error.detail)) : null;
    fill(root, h("section", { class: "part" }, heading, damaged, ...body));
    return () => app.view.clearMarks("warning");
}
