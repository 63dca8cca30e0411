// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// shapes.ts: shapes of `avoid` and of instances (circle, box with yaw, capsule, convex; a settings' cylinder) as upright
// prisms: what lies under an outline, from a bottom to a top.

import { toScene, upright, type Frame } from "./frame";
import type { Point } from "./view";

const ROUND = 32;

export interface Prism {
    outline: [number, number][]; // x and z of the picture
    bottom: number;
    top: number;
}

const numberOf = (value: unknown, otherwise: number): number => (typeof value === "number" ? value : otherwise);
const pointOf = (value: unknown): Point => (Array.isArray(value) && value.length === 3 ? (value as Point) : [0, 0, 0]);

function arc(x: number, z: number, radius: number, from: number, to: number, steps: number): [number, number][] {
    return Array.from({ length: steps + 1 }, (_, i) => {
        const angle = from + ((to - from) * i) / steps;
        return [x + radius * Math.cos(angle), z + radius * Math.sin(angle)];
    });
}

function circle(frame: Frame, shape: Record<string, unknown>, scale: number, height: number): Prism {
    const [x, y, z] = toScene(frame, pointOf(shape.center));
    return {
        outline: arc(x, z, numberOf(shape.radius, 1) * scale, 0, 2 * Math.PI, ROUND).slice(1),
        bottom: shape.shape === "cylinder" ? y : y - height,
        top: y + height,
    };
}

// Yaw turns the first of the two level axes behind the upright one towards the second: Z towards X
// where Y is up, X towards Y where Z is up.
function box(frame: Frame, shape: Record<string, unknown>): Prism {
    const [min, max] = [pointOf(shape.min), pointOf(shape.max)];
    const up = upright(frame);
    const [u, v] = [(up + 1) % 3, (up + 2) % 3];
    const yaw = (numberOf(shape.yaw, 0) * Math.PI) / 180;
    const [cu, cv] = [(min[u] + max[u]) / 2, (min[v] + max[v]) / 2];
    const [hu, hv] = [(max[u] - min[u]) / 2, (max[v] - min[v]) / 2];
    const corners = [[-hu, -hv], [hu, -hv], [hu, hv], [-hu, hv]].map(([a, b]) => {
        const at: Point = [...min];
        at[u] = cu + a * Math.cos(yaw) - b * Math.sin(yaw);
        at[v] = cv + a * Math.sin(yaw) + b * Math.cos(yaw);
        return toScene(frame, at);
    });
    const ends = [toScene(frame, min)[1], toScene(frame, max)[1]];
    return {
        outline: corners.map(([x, , z]) => [x, z]),
        bottom: Math.min(...ends),
        top: Math.max(...ends),
    };
}

function capsule(frame: Frame, shape: Record<string, unknown>, scale: number, height: number): Prism {
    const [a, b] = [toScene(frame, pointOf(shape.start)), toScene(frame, pointOf(shape.end))];
    const radius = numberOf(shape.radius, 1) * scale;
    const angle = Math.atan2(b[2] - a[2], b[0] - a[0]);
    return {
        outline: [
            ...arc(b[0], b[2], radius, angle - Math.PI / 2, angle + Math.PI / 2, ROUND / 2),
            ...arc(a[0], a[2], radius, angle + Math.PI / 2, angle + (3 * Math.PI) / 2, ROUND / 2),
        ],
        bottom: Math.min(a[1], b[1]) - height,
        top: Math.max(a[1], b[1]) + height,
    };
}

function convex(frame: Frame, shape: Record<string, unknown>, reach: { min: Point; max: Point }): Prism {
    const up = upright(frame);
    const [u, v] = [0, 1, 2].filter((axis) => axis !== up);
    const height = (value: unknown, otherwise: number): number => {
        const at: Point = [0, 0, 0];
        at[up] = numberOf(value, 0);
        return typeof value === "number" ? toScene(frame, at)[1] : otherwise;
    };
    const outline = (Array.isArray(shape.points) ? shape.points : []).map((corner): [number, number] => {
        const at: Point = [0, 0, 0];
        [at[u], at[v]] = corner as [number, number];
        const [x, , z] = toScene(frame, at);
        return [x, z];
    });
    const ends = [height(shape.min_y, reach.min[1]), height(shape.max_y, reach.max[1])];
    return { outline, bottom: Math.min(...ends), top: Math.max(...ends) };
}

// reach: of the whole level, for shapes without an end; bodyHeight: metres.
export function prismOf(
    frame: Frame,
    shape: Record<string, unknown>,
    reach: { min: Point; max: Point },
    bodyHeight: number,
): Prism | null {
    const scale = Math.abs(frame.factors[0]);
    const height = typeof shape.height === "number" ? shape.height * scale : bodyHeight;
    switch (shape.shape) {
        case "circle":
        case "cylinder":
            return circle(frame, shape, scale, height);
        case "box":
            return box(frame, shape);
        case "capsule":
            return capsule(frame, shape, scale, height);
        case "convex":
            return convex(frame, shape, reach);
        default:
            return null;
    }
}
