// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// frame.ts: from the level's axes and unit to those of the picture, and back. The picture has Y up,
// hands are right, one unit is a metre, and its origin lies in the middle of the level, so that
// single floats suffice far from the level's own.

import type { Bounds, Version } from "../shapes";
import type { Point } from "./view";

export interface Frame {
    axes: [number, number, number]; // of the picture, for the level's x, y and z
    factors: [number, number, number]; // metres of one unit, with a sign
    origin: [number, number, number]; // in the axes of the picture
    reversed: boolean; // whether the corners of the level's triangles turn round
}

// The part of a version's settings that is read here.
export interface Placing {
    coordinates?: string | { axes: string[]; scale?: number };
    scale?: number;
    winding?: string;
}

// As proto/settings/README.md has them.
const PRESETS: Record<string, { axes: string[]; scale: number }> = {
    y_up: { axes: ["x", "y", "z"], scale: 1 },
    godot: { axes: ["x", "y", "z"], scale: 1 },
    z_up: { axes: ["x", "-z", "y"], scale: 1 },
    unity: { axes: ["x", "y", "-z"], scale: 1 },
    unreal: { axes: ["x", "z", "y"], scale: 0.01 },
    wow: { axes: ["z", "x", "y"], scale: 1 },
};

// Whether the three axes turn right hands to left ones: an odd permutation, or an odd number of signs.
function changesHands(axes: number[], signs: number[]): boolean {
    const even = (axes[0] + 1) % 3 === axes[1];
    return (even ? 1 : -1) * signs[0] * signs[1] * signs[2] < 0;
}

export function frameOf(placing: Placing, bounds: Bounds | null): Frame {
    const named = placing.coordinates ?? "y_up";
    const map = typeof named === "string" ? (PRESETS[named] ?? PRESETS.y_up) : named;
    const scale = placing.scale ?? map.scale ?? 1;
    const axes = map.axes.map((axis) => "xyz".indexOf(axis.slice(-1))) as Frame["axes"];
    const signs = map.axes.map((axis) => (axis.startsWith("-") ? -1 : 1));
    const frame: Frame = {
        axes,
        factors: signs.map((sign) => sign * scale) as Frame["factors"],
        origin: [0, 0, 0],
        reversed: changesHands(axes, signs) !== (placing.winding === "reverse"),
    };
    if (bounds !== null) {
        const [min, max] = [toScene(frame, bounds.min), toScene(frame, bounds.max)];
        frame.origin = min.map((low, i) => (low + max[i]) / 2) as Frame["origin"];
    }
    return frame;
}

// The level, or what of it is baked, in the level's coordinates.
export function reachOf(version: Version): Bounds | null {
    return version.config?.bounds ?? version.geometry?.bounds ?? version.stats?.bounds ?? null;
}

export function frameOfVersion(version: Version): Frame {
    return frameOf(version.config ?? {}, reachOf(version));
}

export function toScene(frame: Frame, point: ArrayLike<number>): Point {
    const out: Point = [0, 0, 0];
    putInScene(frame, point, 0, out, 0);
    return out;
}

// The same for the three numbers from `at` on, written to `out` from `to` on.
export function putInScene(frame: Frame, from: ArrayLike<number>, at: number, out: Float32Array | Point, to: number): void {
    for (let i = 0; i < 3; i++) {
        const axis = frame.axes[i];
        out[to + axis] = from[at + i] * frame.factors[i] - frame.origin[axis];
    }
}

// To millimetres of the picture, which is what answers have.
export function toLevel(frame: Frame, at: ArrayLike<number>): Point {
    return frame.axes.map((axis, i) => {
        const value = (at[axis] + frame.origin[axis]) / frame.factors[i];
        const steps = 1000 * Math.abs(frame.factors[i]);
        return Math.round(value * steps) / steps;
    }) as Point;
}

// The lowest and the highest corner, which a turn may swap.
export function boxToScene(frame: Frame, box: Bounds): Bounds {
    const [a, b] = [toScene(frame, box.min), toScene(frame, box.max)];
    return {
        min: a.map((value, i) => Math.min(value, b[i])) as Point,
        max: a.map((value, i) => Math.max(value, b[i])) as Point,
    };
}

// Which of the level's axes is upright.
export function upright(frame: Frame): number {
    return frame.axes.indexOf(1);
}
