// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// obstacles.ts: shapes of obstacles and switches: made at a place, moved, drawn, told as text. All in the
// level's own axes and unit; the version's settings say which axis is upright.

import { number, place } from "../../format";
import type { Obstacle, Point, Settings } from "../../shapes";
import { frameOf, toScene, upright, type Frame, type Placing } from "../../view/frame";
import { prismOf } from "../../view/shapes";
import type { View } from "../../view/view";

// Obstacles that move by themselves have no handles, and no row each in lists.
export function isBot(id: string): boolean {
    return id.startsWith("bot-");
}

// ---- the level's axes ----

export interface Axes {
    readonly frame: Frame;
    readonly up: number; // which axis is upright
    readonly unit: number; // how many of the level's units a metre is
    readonly height: number; // of the agent, in metres
}

export function axesOf(settings: Settings | null): Axes {
    const frame = frameOf((settings ?? {}) as Placing, null);
    const agent = settings?.agent as { height?: number } | undefined;
    return { frame, up: upright(frame), unit: 1 / Math.abs(frame.factors[0]), height: agent?.height ?? 2 };
}

// ---- made, moved ----

export type Wanted = { shape: "circle"; radius: number } | { shape: "box"; width: number; depth: number; yaw: number };

export function obstacleAt(axes: Axes, wanted: Wanted, at: Point, cost: number | null): Obstacle {
    const rest = cost === null ? {} : { cost };
    if (wanted.shape === "circle") {
        return { shape: "circle", center: at, radius: wanted.radius, ...rest };
    }
    const [a, b] = [0, 1, 2].filter((axis) => axis !== axes.up);
    const min: Point = [...at];
    const max: Point = [...at];
    min[a] -= wanted.width / 2;
    max[a] += wanted.width / 2;
    min[b] -= wanted.depth / 2;
    max[b] += wanted.depth / 2;
    min[axes.up] -= 0.5 * axes.unit;
    max[axes.up] += axes.height * axes.unit;
    return { shape: "box", min, max, ...(wanted.yaw === 0 ? {} : { yaw: wanted.yaw }), ...rest };
}

// Where its handle is: its middle, at the height of its ground. Null where it has none.
export function middleOf(obstacle: Obstacle): Point | null {
    switch (obstacle.shape) {
        case "circle":
            return obstacle.center as Point;
        case "box": {
            const [min, max] = [obstacle.min as Point, obstacle.max as Point];
            return min.map((value, axis) => (value + max[axis]) / 2) as Point;
        }
        case "capsule": {
            const [start, end] = [obstacle.start as Point, obstacle.end as Point];
            return start.map((value, axis) => (value + end[axis]) / 2) as Point;
        }
        default:
            return null;
    }
}

// Where the obstacle stands, which has a middle: a box reaches half a metre below its ground.
export function footOf(obstacle: Obstacle, axes: Axes): Point {
    const foot = [...middleOf(obstacle)!] as Point;
    if (obstacle.shape === "box") {
        foot[axes.up] = (obstacle.min as Point)[axes.up] + 0.5 * axes.unit;
    }
    return foot;
}

// The same obstacle with its foot at a place. Upright, a box keeps how far it reaches up and down.
export function movedTo(obstacle: Obstacle, axes: Axes, to: Point): Obstacle {
    const from = footOf(obstacle, axes);
    const shift = to.map((value, axis) => value - from[axis]) as Point;
    const by = (point: unknown) => (point as Point).map((value, axis) => Number((value + shift[axis]).toFixed(3)));
    const members = { circle: ["center"], box: ["min", "max"], capsule: ["start", "end"] }[obstacle.shape] ?? [];
    return { ...obstacle, ...Object.fromEntries(members.map((name) => [name, by(obstacle[name])])) };
}

// ---- drawn, told ----

export function drawObstacle(view: View, id: string, obstacle: Obstacle | null, editable: boolean): void {
    const middle = obstacle === null || isBot(id) || !editable ? null : middleOf(obstacle);
    const costs = obstacle?.cost !== undefined || obstacle?.blocked === false;
    view.mark(`instance ${id}`, obstacle === null ? null : { kind: "shape", shape: obstacle, tone: costs ? "note" : "blocked" });
    view.mark(`instance-handle ${id}`, middle === null ? null : { kind: "point", at: middle, tone: "blocked", label: id, draggable: true });
}

export function obstacleText(obstacle: Obstacle): string {
    const middle = middleOf(obstacle);
    const size = typeof obstacle.radius === "number" ? `, radius ${number(obstacle.radius)}` : "";
    const cost = typeof obstacle.cost === "number" ? `, ground costs ${number(obstacle.cost)} times as much` : obstacle.blocked === false ? ", does not count" : "";
    return `${obstacle.shape}${size}${cost}${middle === null ? "" : ` at ${place(middle)}`}`;
}

// ---- switches ----

type Shape = Record<string, unknown>;

export function switchShapes(settings: Settings | null, id: string): Shape[] {
    const found = settings?.switches?.[id] as { shapes?: Shape[] } | undefined;
    return found?.shapes ?? [];
}

const EVERYWHERE = { min: [-1e6, -1e6, -1e6] as Point, max: [1e6, 1e6, 1e6] as Point };

// Whether a place on the ground lies in a shape, a step above or below counted.
export function isIn(shape: Shape, axes: Axes, at: Point): boolean {
    const prism = prismOf(axes.frame, shape, EVERYWHERE, axes.height);
    const [x, y, z] = toScene(axes.frame, at);
    if (prism === null || y < prism.bottom - 1 || y > prism.top + 1) {
        return false;
    }
    let inside = false;
    prism.outline.forEach(([ax, az], corner) => {
        const [bx, bz] = prism.outline.at(corner - 1)!;
        if (az > z !== bz > z && x < ax + ((z - az) / (bz - az)) * (bx - ax)) {
            inside = !inside;
        }
    });
    return inside;
}
