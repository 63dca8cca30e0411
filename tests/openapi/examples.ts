// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// examples.ts: what a client writes with the types that openapi-typescript makes of openapi.json. It
// is compiled, not run: members with defaults may be left out, points have three numbers, answers
// have what they always have, and what is wrong does not compile.

import type {components, operations, paths} from "./api";

type Schemas = components["schemas"];
type Body<Operation extends keyof operations> = operations[Operation] extends {
    requestBody: {content: {"application/json": infer Json}};
}
    ? Json
    : never;
type Answer<Path extends keyof paths, Method extends "get" | "post"> = paths[Path] extends {
    [M in Method]: {responses: {200: {content: {"application/json": infer Json}}}};
}
    ? Json
    : never;

// ---- questions: only what has no default ----

export const path: Schemas["PathQuestion"] = {start: [1, 0, 2], end: [30, 0, 40]};

export const careful: Schemas["PathQuestion"] = {
    start: [1, 0, 2],
    end: [30, 0, 40],
    search: "exact",
    filter: {costs: {water: 9}, exclude: ["door"]},
    avoid: [{shape: "circle", center: [5, 0, 5], radius: 2}],
    details: ["polygons"],
};

export const many: Schemas["PathsQuestion"] = {
    defaults: {search: "fast"},
    queries: [{start: [1, 0, 2], end: [30, 0, 40], id: 7}],
};

export const mixed: Schemas["BatchQuestion"] = {
    queries: [
        {kind: "raycast", start: [1, 0, 2], end: [3, 0, 4]},
        {kind: "nearest", point: [1, 0, 2], count: 3},
    ],
};

export const level: Body<"upload"> = {
    vertices: [
        [0, 0, 0],
        [9, 0, 0],
        [9, 0, 9],
    ],
    triangles: [[0, 2, 1]],
    config: {cell_size: 0.2, agent: {radius: 0.4}, tile_cells: "auto"},
};

export const world: Schemas["InstanceState"] = {
    switches: {north_gate: "closed"},
    obstacles: {cart: {shape: "box", min: [0, 0, 0], max: [1, 1, 1]}},
};

// ---- answers: read without asking whether it is there ----

export function walked(answer: Answer<"/v1/meshes/{mesh}/path", "get">): number {
    const [x, y, z] = answer.points[0] ?? [0, 0, 0];
    return answer.status === "complete" ? answer.length + x + y + z : 0;
}

export function cells(version: Schemas["Version"]): number {
    return version.config ? version.config.cell_size * version.config.region_min_size : 0;
}

export function why(problem: Schemas["Problem"]): string {
    return problem.code === "unknown_field" ? `no such field: ${problem.at}` : problem.detail;
}

// ---- what is wrong ----

// @ts-expect-error a point has three numbers
export const flat: Schemas["Point"] = [1, 2];

// @ts-expect-error an end is needed
export const endless: Schemas["PathQuestion"] = {start: [1, 0, 2]};

// @ts-expect-error not a kind of search
export const guess: Schemas["PathQuestion"] = {start: [1, 0, 2], end: [3, 0, 4], search: "quick"};

// @ts-expect-error not a setting
export const misspelt: Schemas["Settings"] = {cellSize: 0.2};
