// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// explain_floor.ts: one floor of a column: what became of it, and each stage's look at it with its number
// beside the setting that decides.

import type { App } from "../app";
import { h } from "../dom";
import { length, number, unitOf, words } from "../format";
import type { Point } from "../shapes";
import { badge, button } from "../widgets";

export interface Floor {
    height: number;
    verdict: string;
    slope: number;
    area: string;
    liquid: boolean;
    stepped_on: boolean;
    headroom: number | null;
    low: boolean;
    ledge: { drop: number | null; spread: number | null; no_ground_beside: boolean } | null;
    volume: number | null;
    edge: { distance: number; position: Point; cut: boolean } | null;
    region: { region: number | null; cells: number; merged: boolean; cells_before: number } | null;
    switches: string[];
    mesh_height: number | null;
}

type Settings = Record<string, number>;

// A setting of the agent that asks: agent.height, or agents.rat.height of the one named so.
function ofAgent(settings: Settings, member: string): number {
    return Object.entries(settings).find(([name]) => name.startsWith("agent") && name.endsWith(`.${member}`))?.[1] ?? 0;
}

const VERDICTS: Record<string, string> = {
    walkable: "walkable",
    area_none: "its area is none",
    faces_down: "faces down",
    too_steep: "too steep",
    low_headroom: "too low to stand in",
    ledge: "a ledge",
    under_liquid: "under a liquid",
    out_of_bounds: "outside of bounds",
    cut: "cut by a volume",
    eroded: "too near to a wall",
    region_removed: "too small a region",
    simplified: "beside the simplified outline",
};

interface Look {
    stage: string;
    text: string;
    bad: boolean;
}

function ledgeText({ drop, spread, no_ground_beside: none }: NonNullable<Floor["ledge"]>, settings: Settings, unit: string): string {
    const climb = length(ofAgent(settings, "max_climb"), "m");
    if (none) {
        return "there is no ground beside it";
    }
    return drop !== null && drop > 0 ? `drops by ${length(drop, unit)}, ${climb} allowed` : `the ground beside rises and falls by ${length(spread ?? 0, unit)}, ${climb} allowed`;
}

// Each stage's look, in the order of the pipeline. Settings are in metres, the level's own lengths in its unit.
function looks(floor: Floor, settings: Settings, unit: string): Look[] {
    const { verdict, headroom, ledge, edge, region } = floor;
    const of = (member: string) => length(ofAgent(settings, member), "m");
    const cell = settings.cell_height;
    const counted = Math.ceil(ofAgent(settings, "height") / cell - 1e-4) * cell; // in whole cells
    const list: (Look | null)[] = [
        verdict === "faces_down"
            ? { stage: "slope", text: "an underside: no triangle on its top faces up", bad: true }
            : { stage: "slope", text: `${number(floor.slope)}°, at most ${number(ofAgent(settings, "max_slope"))}°`, bad: verdict === "too_steep" },
        floor.stepped_on ? { stage: "step", text: "ground since it can be stepped on from below", bad: false } : null,
        { stage: "headroom", text: headroom === null ? "open sky" : `${length(headroom, unit)}, needs more than ${length(counted, "m")}`, bad: floor.low || verdict === "low_headroom" },
        ledge === null ? null : { stage: "ledge", text: ledgeText(ledge, settings, unit), bad: verdict === "ledge" },
        floor.volume === null ? null : { stage: "volume", text: `number ${floor.volume} of the settings makes it ${floor.area}`, bad: verdict === "cut" },
        edge === null
            ? null
            : { stage: "erosion", text: `${length(edge.distance, unit)} from ${edge.cut ? "a cut" : "where the ground ends"}, radius ${of("radius")}`, bad: verdict === "eroded" },
        region === null
            ? null
            : {
                  stage: "region",
                  text: `${region.cells} cells, at least ${(settings.region_min_size ?? 0) ** 2}${region.merged ? `; merged, ${region.cells_before} before` : ""}`,
                  bad: verdict === "region_removed",
              },
        floor.switches.length === 0 ? null : { stage: "switches", text: floor.switches.join(", "), bad: false },
        { stage: "mesh", text: floor.mesh_height === null ? "none here" : `at height ${length(floor.mesh_height, unit)}`, bad: floor.mesh_height === null && verdict === "simplified" },
    ];
    return list.filter((look) => look !== null);
}

export function floorCard(app: App, at: Point, floor: Floor, meant: boolean, settings: Settings): HTMLElement {
    const { edge } = floor;
    const unit = unitOf(app.version);
    if (meant && edge !== null) {
        app.view.mark("explain edge", { kind: "line", points: [at, edge.position], tone: "blocked" });
        app.view.mark("explain edge end", { kind: "point", at: edge.position, tone: "blocked", label: edge.cut ? "cut" : "ground ends" });
    }
    return h(
        "li",
        { class: meant ? "chosen" : null },
        h(
            "div",
            { class: "row" },
            h("strong", {}, `Height ${length(floor.height, unit)}`),
            badge(VERDICTS[floor.verdict] ?? words(floor.verdict), floor.verdict === "walkable" ? "good" : "bad"),
            h("span", { class: "quiet" }, floor.area + (floor.liquid ? ", liquid" : "")),
        ),
        h(
            "dl",
            { class: "pairs" },
            ...looks(floor, settings, unit).flatMap(({ stage, text, bad }) => [h("dt", {}, stage), h("dd", { class: bad ? "wrong" : null }, text)]),
        ),
        edge === null ? null : button("Show where the ground ends", () => app.view.flyTo(edge.position)),
    );
}
