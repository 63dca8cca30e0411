// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// answers.ts: the answers to the tools' questions in words and numbers.

import { h, type Child } from "../dom";
import { count, counted, length, number, place } from "../format";
import type { Point } from "../shapes";
import { badge, button, pairs, placeButton } from "../widgets";
import type { Answer, Asked, Found } from "./ask";

const REASONS: Record<string, string> = {
    start_off_mesh: "The start is not on the mesh.",
    end_off_mesh: "The end is not on the mesh.",
    point_off_mesh: "The point is not on the mesh.",
    unreachable: "No way leads there: start and end are on two islands.",
    blocked: "The way is blocked at this moment: without what is in the way there would be one.",
    node_budget: "The search was ended by its limit of nodes.",
    deadline: "The search was ended by its deadline.",
    max_cost: "The way costs more than is allowed.",
    max_length: "The way is longer than is allowed.",
};

const STATES: Record<string, [string, "good" | "bad" | "busy"]> = {
    complete: ["complete", "good"],
    partial: ["a part of the way", "busy"],
    none: ["no way", "bad"],
};

export function duration(microseconds: number): string {
    return `${count(microseconds)} µs`;
}

function quality({ status, optimal, lower_bound: bound, unproven, cost }: Answer): string {
    if (optimal === true) {
        return "proven shortest";
    }
    const above = status === "complete" && cost && bound ? `, at most ${number((cost / bound - 1) * 100)} % above it` : "";
    return `none can cost less than ${number(bound ?? 0)}${above}${unproven === "folds" ? "; unproven where ground lies over itself" : ""}`;
}

// What an answer is told with.
export interface Telling {
    unit: string; // of lengths
    fly(at: Point): void;
    why: (() => void) | null; // explains a negative answer
}

// What can be done about a negative answer: places to look at.
function wayOn(answer: Answer, { unit, fly }: Telling): HTMLElement[] {
    const out: HTMLElement[] = [];
    const { nearest, islands, blocked_by: blockers } = answer;
    if (blockers !== undefined && blockers.length > 0) {
        out.push(h("p", {}, "In the way: ", ...blockers.flatMap((id, i): Child[] => [i > 0 ? ", " : "", h("strong", {}, id)]), "."));
    }
    if (nearest !== undefined) {
        out.push(h("p", {}, `The nearest ground is ${length(nearest.distance, unit)} away: `, placeButton(place(nearest.position), "it", () => fly(nearest.position))));
    }
    if (islands?.gap !== undefined) {
        const { from, to, distance } = islands.gap;
        out.push(
            h("p", {}, `Islands ${islands.start.component} and ${islands.end.component} come as near as ${length(distance, unit)}: from `,
                placeButton(place(from), "the gap", () => fly(from)), " to ", placeButton(place(to), "the gap", () => fly(to))),
        );
    }
    return out;
}

function reasonLine({ reason }: Answer, { why }: Telling): HTMLElement | null {
    return reason === null || reason === undefined
        ? null
        : h("p", { class: "reason" }, REASONS[reason] ?? `The reason is "${reason}".`, " ", why && button("Why?", why, { "data-key": "why" }));
}

// "polyanya, 120 steps"
function searched({ expansions, expansions_truncated: cut }: Answer): string | null {
    if (expansions === undefined) {
        return null;
    }
    if (expansions.length === 0) {
        return "none was needed";
    }
    const engines = [...new Set(expansions.map(({ engine }) => engine))];
    return `${engines.join(", then ")}: ${counted(expansions.length, "step")}${cut ? ", and more that are not told" : ""}`;
}

function pathAnswer({ answer, microseconds }: Asked, telling: Telling): HTMLElement[] {
    const [text, tone] = STATES[answer.status ?? "none"];
    const areas = [...new Set(answer.details?.areas.map(({ area }) => area) ?? [])];
    const links = answer.details?.links ?? [];
    const some = answer.status !== "none";
    return [
        h("p", {}, "Path: ", badge(text, tone)),
        reasonLine(answer, telling)!,
        ...wayOn(answer, telling),
        pairs([
            ["Length", some ? length(answer.length ?? 0, telling.unit) : null],
            ["Cost", some ? number(answer.cost ?? 0) : null],
            ["Bound", some ? quality(answer) : null],
            ["Kept from walls", answer.clearance_min === undefined ? null : length(answer.clearance_min, telling.unit)],
            ["Points", some ? count(answer.points?.length ?? 0) : null],
            ["Polygons", some ? count(answer.details?.polygons.length ?? 0) : null],
            ["Areas", areas.length > 0 ? areas.join(", ") : null],
            ["Links", links.length > 0 ? count(links.length) : null],
            ["Search", searched(answer)],
            ["Took", duration(microseconds)],
        ]),
    ].filter((each) => each !== null);
}

function rayAnswer({ answer, microseconds }: Asked, telling: Telling): HTMLElement[] {
    return [
        reasonLine(answer, telling) ?? h("p", {}, answer.hit ? "Something is in the way." : "Nothing is in the way."),
        pairs([
            ["Free part", answer.t == null ? null : `${number(100 * answer.t)} %`],
            ["Gets to", answer.position == null ? null : place(answer.position)],
            ["Cost", answer.cost == null ? null : number(answer.cost)],
            ["Took", duration(microseconds)],
        ]),
    ];
}

function wallAnswer({ answer, microseconds }: Asked, telling: Telling): HTMLElement[] {
    return [
        reasonLine(answer, telling) ?? h("p", {}, answer.hit ? "The nearest wall is shown." : "There is no wall within this distance."),
        ...wayOn(answer, telling),
        pairs([
            ["Distance", answer.hit ? length(answer.distance ?? 0, telling.unit) : null],
            ["At", answer.hit && answer.position ? place(answer.position) : null],
            ["Took", duration(microseconds)],
        ]),
    ];
}

function floodAnswer({ answer, microseconds }: Asked, telling: Telling): HTMLElement[] {
    const polygons = answer.polygons ?? [];
    return [
        reasonLine(answer, telling) ?? h("p", {}, `${counted(polygons.length, "polygon")} can be reached${answer.truncated ? ", and more than are listed" : ""}: the brighter, the nearer.`),
        ...wayOn(answer, telling),
        pairs([
            ["Farthest", polygons.length > 0 ? `cost ${number(polygons[polygons.length - 1].cost)}` : null],
            ["Took", duration(microseconds)],
        ]),
    ];
}

function randomAnswer({ answer, microseconds }: Asked, telling: Telling): HTMLElement[] {
    const points = (answer.points ?? []) as Found[];
    return [
        reasonLine(answer, telling) ?? h("p", {}, points.length > 0 ? `${counted(points.length, "point")} on the mesh.` : "There is no ground there."),
        ...wayOn(answer, telling),
        pairs([
            ["Seed", answer.seed === undefined ? null : String(answer.seed)],
            ["Took", duration(microseconds)],
        ]),
    ];
}

export function answerInWords(asked: Asked, telling: Telling): HTMLElement[] {
    return {
        path: pathAnswer,
        raycast: rayAnswer,
        wall: wallAnswer,
        flood: floodAnswer,
        random: randomAnswer,
    }[asked.question.kind](asked, telling);
}

// The same in one line, which screen readers read out.
export function answerInOneLine({ question, answer, microseconds }: Asked, unit: string): string {
    const took = `in ${duration(microseconds)}`;
    if (question.kind === "path" && answer.status === "complete") {
        return `The path is ${length(answer.length ?? 0, unit)} long, cost ${number(answer.cost ?? 0)}, ${answer.optimal ? "proven shortest, " : ""}${took}.`;
    }
    return answer.reason ? `${REASONS[answer.reason] ?? answer.reason} (${took})` : `Answered ${took}.`;
}
