// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// view.ts: what the panels ask of the picture. Points are in the level's own coordinates, as all
// calls have them; the view turns them to those of the screen.

import type { Version } from "../shapes";

export type Point = [number, number, number];

export type Colouring = "area" | "island" | "tile" | "region" | "slope" | "clearance";

export type Layer = "level" | "mesh" | "edges" | "links" | "tiles";

export interface Baking {
    mesh: string;
    version: number;
}

// Where the user pointed.
export interface Pick {
    point: Point;
    polygon: number | null; // its id, as answers name it; null where only the level was hit
}

// Something drawn over the mesh. What is set again under the same id takes its place.
export type Mark =
    | { kind: "point"; at: Point; label?: string; tone: Tone; draggable?: boolean }
    | { kind: "points"; at: Point[]; tone: Tone }
    | { kind: "line"; points: Point[]; tone: Tone }
    | { kind: "polygons"; ids: number[]; tone: Tone; values?: number[] } // values colour a flood
    // Three corners a step, which come one after the other in so many seconds; of a step whose last two
    // corners are one point the line to it.
    | { kind: "steps"; corners: Point[]; seconds: number; tone: Tone }
    | { kind: "shape"; shape: Record<string, unknown>; tone: Tone; label?: string } // as of `avoid`
    | { kind: "box"; min: Point; max: Point; tone: Tone; label?: string }; // its edges: what is in it is seen

export type Tone = "start" | "end" | "path" | "blocked" | "open" | "note" | "added" | "removed" | "changed";

export interface View {
    // Draws the version's mesh. Resolves once the first picture is there.
    show(version: Version, agent: string): Promise<void>;
    clear(why: string | null): void; // a sentence in the place of the mesh
    // While a version is baked, which may be shown later: its tiles as they are done.
    tileDone(of: Baking, tile: { x: number; z: number }): void;
    flyTo(at: Point | { min: Point; max: Point }): void;
    mark(id: string, mark: Mark | null): void; // null takes it away
    clearMarks(prefix: string): void; // all whose id begins with it
    // Calls back at a click or tap, at the right button or a long press, and while a draggable
    // point is dragged. Each returns what ends that.
    onPick(callback: (pick: Pick) => void): () => void;
    onMenu(callback: (pick: Pick) => void): () => void;
    onDrag(callback: (id: string, pick: Pick, done: boolean) => void): () => void;
    // The same place by keyboard: what is in the middle of the picture.
    pickMiddle(): Promise<Pick | null>;
}
