// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// format.ts: numbers, sizes, times and places as text.

import type { Version } from "./shapes";
import { frameOf } from "./view/frame";
import type { Point } from "./view/view";

// Thousands with commas, and at most so many digits behind the point. Intl, which does that too, takes 40 ms of the
// page's start.
function grouped(value: number, digits: number): string {
    const [whole, part] = String(Number(value.toFixed(digits))).split(".");
    return whole.replace(/\B(?=(\d{3})+$)/g, ",") + (part === undefined ? "" : `.${part}`);
}

export function count(value: number): string {
    return grouped(value, 0);
}

// "1 tile", "3 tiles".
export function counted(value: number, one: string, many: string = one + "s"): string {
    return `${count(value)} ${value === 1 ? one : many}`;
}

// Three digits that count, and all of those before the point.
export function number(value: number): string {
    const size = Math.abs(value);
    return size >= 100 ? grouped(value, 1) : String(Number(value.toPrecision(3)));
}

const LENGTHS: [metres: number, unit: string][] = [[1, "m"], [0.01, "cm"], [0.001, "mm"], [0.3048, "ft"]];

// The unit of a version's level, in which lengths of answers are; "" where it has no name.
export function unitOf(version: Version | null): string {
    const metres = version?.config == null ? 0 : Math.abs(frameOf(version.config, null).factors[0]);
    return LENGTHS.find(([each]) => Math.abs(each - metres) < 1e-6)?.[1] ?? "";
}

export function length(value: number, unit: string): string {
    return unit === "" ? number(value) : `${number(value)} ${unit}`;
}

export function area(value: number, unit: string): string {
    return unit === "" ? number(value) : `${number(value)} ${unit}²`;
}

export function signed(value: number): string {
    return value > 0 ? `+${number(value)}` : value < 0 ? `−${number(-value)}` : "±0";
}

export function bytes(value: number): string {
    const units = ["B", "KiB", "MiB", "GiB"];
    let unit = 0;
    for (; value >= 1024 && unit < units.length - 1; unit++) {
        value /= 1024;
    }
    return `${unit === 0 ? value : number(value)} ${units[unit]}`;
}

export function milliseconds(value: number): string {
    if (value < 1) {
        return `${number(value * 1000)} µs`;
    }
    return value < 1000 ? `${number(value)} ms` : value < 120e3 ? `${number(value / 1000)} s` : `${number(value / 60e3)} min`;
}

const UNITS: [size: number, unit: string][] = [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"]];

// In the largest unit that fits.
export function seconds(value: number): string {
    const [size, unit] = UNITS.find(([each]) => value >= each) ?? UNITS[3];
    return `${Math.floor(value / size)} ${unit}`;
}

// How long ago, or when.
export function ago(time: string, now: number = Date.now()): string {
    const passed = (now - Date.parse(time)) / 1000;
    return passed < 2 ? "just now" : passed < 7 * 86400 ? `${seconds(passed)} ago` : time.slice(0, 10);
}

export function place(point: Point): string {
    return point.map((value) => String(Number(value.toFixed(2)))).join(", ");
}

// A place as an address has it.
export function placeArgument(point: Point): string {
    return point.map((value) => String(Number(value.toFixed(4)))).join(",");
}

// Three numbers with commas or blanks between them; null for anything else.
export function readPlace(text: string): Point | null {
    const parts = text.trim().replace(/^\[|\]$/g, "").split(/[\s,;]+/).filter((part) => part !== "");
    const values = parts.map(Number);
    return values.length === 3 && values.every(Number.isFinite) ? (values as Point) : null;
}

// A setting's or an answer's value in one line.
export function value(of: unknown): string {
    return typeof of === "string" ? of : JSON.stringify(of);
}

// "region_min_size" as "region min size".
export function words(name: string): string {
    return name.replace(/[_.]/g, " ");
}
