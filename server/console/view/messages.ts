// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// messages.ts: what the page and its two workers tell each other: one reads meshes and levels, the other draws them.
// All positions in arrays are those of the picture (frame.ts).

import type { Bounds, Version } from "../shapes";
import type { Bvh } from "./bvh";
import type { Legend, Numbers } from "./colours";
import type { Baking, Colouring, Layer, Mark, Pick, Point } from "./view";

// ---- meshes and levels ----

// Triangles that are drawn in one call: those from triangle `triangleFirst` on, whose vertices are those from
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

// The memory of its arrays, which is handed from one to the other and not copied.
export function buffersOf(data: Triangles): Transferable[] {
    const arrays = [...Object.values(data), ...Object.values(data.bvh)];
    return [...new Set(arrays.filter((value) => ArrayBuffer.isView(value)).map((value) => value.buffer))];
}

// ---- with the one that reads ----

export interface Ask {
    id: number;
    kind: "mesh" | "level"; // packed, both
    version: string; // addresses
    file: string;
    token: string | null;
}

export interface Told {
    id: number;
    mesh?: MeshData;
    level?: LevelData;
    problem?: { status: number; code: string; detail: string; members: Record<string, unknown> }; // of the daemon's answer
    fault?: string; // of what was read
}

// ---- with the one that draws ----

export interface Size {
    width: number; // pixels of the page
    height: number;
    ratio: number; // pixels of the screen for one of those
}

export interface Looks {
    dark: boolean;
    calm: boolean; // nothing is to fly or to grow
}

// Its orders, begun one after the other as they are given. Places x, y are pixels of the page from the corner of the canvas.
export interface Drawer {
    start(canvas: OffscreenCanvas, size: Size, looks: Looks): void;
    resize(size: Size): void;
    setLooks(looks: Looks): void;
    // Shows a version in place of the last, from afar if `anew`. Done with the first picture that has all of the mesh.
    show(version: Version, mesh: MeshData | null, anew: boolean): Promise<void>;
    addLevel(level: LevelData): Promise<void>;
    prepareMarks(): void; // readies what they are drawn with, so that the first comes at once
    clear(): void;
    tileDone(of: Baking, tile: { x: number; z: number }): void;
    colour(by: Colouring, numbers: Numbers | null): void; // null: none is known
    layer(layer: Layer, on: boolean): void;
    cut(part: number): void; // of the height, 1: nothing is cut off
    mark(marks: [id: string, mark: Mark | null][]): void;
    turn(dx: number, dy: number): void;
    pan(dx: number, dy: number): void;
    zoom(factor: number, x?: number, y?: number): void;
    flyHome(): void;
    flyTop(): void;
    flyTo(at: Point | Bounds): void;
    // What lies under a place; `drag`: something is dragged there.
    pick(x: number, y: number, drag: boolean): Pick | null;
}

export const LAYERS_AT_FIRST: Record<Layer, boolean> = { level: true, mesh: true, edges: true, links: true, tiles: false };

// Whether a mark has an element of the page for its label, or to be dragged by.
export function isPinned(mark: Mark): boolean {
    return (mark.kind === "point" && mark.draggable === true) || ("label" in mark && mark.label !== undefined);
}

export interface PinPlace {
    id: string; // of its mark
    x: number;
    y: number;
    seen: boolean;
}

// What it tells unasked.
export interface News {
    pins?: PinPlace[];
    legend?: Legend;
    looksAt?: Point; // of the picture
    lost?: boolean; // the GPU has forgotten the picture, or can draw again
    still?: number; // nothing is to be drawn, and the order of this number was the last
}
