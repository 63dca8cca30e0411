// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// messages.ts: what the page asks of the worker, and the arrays that it gets. All positions are those
// of the picture (frame.ts).

import type { Bvh } from "./bvh";
import type { Point } from "./view";

// Triangles that are drawn in one call: those from triangle `first` on, whose vertices are those from
// `vertexFirst` on and no others.
export interface Chunk {
    triangleFirst: number;
    triangleEnd: number;
    vertexFirst: number;
    vertexEnd: number;
    polygonFirst: number; // of a mesh
    polygonEnd: number;
    wallEnd: number; // of its lines, those of the chunk before come first
    edgeEnd: number;
}

export interface Triangles {
    positions: Float32Array;
    index: Uint32Array; // three vertices a triangle
    chunks: Chunk[];
    bvh: Bvh;
}

export interface Tile {
    x: number;
    z: number;
    min: Point; // of its polygons
    max: Point;
}

export interface Link {
    id: string | null;
    start: Point;
    end: Point;
    bidirectional: boolean;
    area: string;
    switch: string | null;
}

// Polygons are numbered in the order in which they are drawn; `ids` has the numbers of answers.
export interface MeshData extends Triangles {
    ids: Uint32Array;
    places: Int32Array; // of an id its polygon, or -1
    areas: { area: string; cost: number }[];
    area: Uint8Array; // of a polygon, in areas
    component: Uint32Array;
    tile: Uint32Array; // in tiles
    slope: Float32Array; // degrees, of the polygon as a whole
    centres: Float32Array; // a place on each polygon's ground
    vertexFirst: Uint32Array; // with one more at the end, as triangleFirst
    triangleFirst: Uint32Array;
    walls: Float32Array; // lines, six numbers each: edges where the mesh ends
    edges: Float32Array; // and those between two polygons
    tiles: Tile[];
    links: Link[];
    components: { component: number; polygons: number }[]; // the largest first
    agent: { radius: number; height: number }; // metres
}

export type LevelData = Triangles;

export interface Ask {
    id: number;
    kind: "mesh" | "level"; // an export as JSON, packed geometry
    version: string; // addresses
    file: string;
    token: string | null;
}

export const STARTED = 0; // in place of an id, once the worker listens

export interface Told {
    id: number;
    mesh?: MeshData;
    level?: LevelData;
    problem?: { status: number; code: string; detail: string; members: Record<string, unknown> }; // of the daemon's answer
    fault?: string; // of what was read
}
