// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// colours.ts: the colour of each polygon by area, island, tile, region, slope or clearance, and the
// legend that says what they mean. Palettes are told apart by colour-blind people: Paul Tol's "light"
// and Okabe and Ito's for kinds, cividis for amounts.

import { counted } from "../format";
import type { MeshData } from "./messages";
import type { Colouring, Tone } from "./view";

// For kinds of ground: the first is the usual one.
const KINDS = [0x77aadd, 0xee8866, 0xeedd88, 0x44bb99, 0xffaabb, 0x99ddff, 0xbbcc33, 0xaaaa00, 0xc3a5dc, 0xb08d6e];
const UNKNOWN = 0xb9bec4;

// Cividis at eight places.
const AMOUNTS = [0x00224e, 0x2a3f6d, 0x4f5b6e, 0x707173, 0x918a6e, 0xb5a55f, 0xdac348, 0xfee838];

export const TONES: Record<Tone, number> = {
    start: 0x009e73,
    end: 0xd55e00,
    path: 0x0050d8,
    blocked: 0xc2185b,
    open: 0x009e73,
    note: 0xe69f00,
    added: 0x0072b2,
    removed: 0xd55e00,
    changed: 0xcc79a7,
};

export interface Legend {
    title: string;
    entries: { colour: number; text: string }[];
    scale?: { low: string; high: string; colours: number[] };
    note?: string;
}

export interface Colours {
    polygons: Uint32Array;
    legend: Legend;
}

// What a colouring needs beside the mesh: a number for each polygon, NaN where it is not known (yet).
export interface Numbers {
    values: Float32Array;
    note: string;
}

export const hexOf = (colour: number): string => `#${colour.toString(16).padStart(6, "0")}`;

function mixed(a: number, b: number, part: number): number {
    const channel = (shift: number) => {
        const [x, y] = [(a >> shift) & 255, (b >> shift) & 255];
        return Math.round(x + (y - x) * part) << shift;
    };
    return channel(16) | channel(8) | channel(0);
}

// The colour of an amount, 0 to 1.
export function amount(part: number): number {
    const at = Math.min(1, Math.max(0, part)) * (AMOUNTS.length - 1);
    const low = Math.min(AMOUNTS.length - 2, Math.floor(at));
    return mixed(AMOUNTS[low], AMOUNTS[low + 1], at - low);
}

// Another colour for each round through the palette.
function kind(number: number): number {
    const round = Math.floor(number / KINDS.length);
    return mixed(KINDS[number % KINDS.length], round % 2 === 1 ? 0x30343a : 0xffffff, round === 0 ? 0 : 0.32);
}

function byArea(mesh: MeshData): Colours {
    const places = mesh.areas.map((_, i) => i).sort((a, b) => order(mesh.areas[a].area) - order(mesh.areas[b].area) || a - b);
    const colours = new Uint32Array(mesh.areas.length);
    places.forEach((area, i) => (colours[area] = kind(i)));
    return {
        polygons: Uint32Array.from(mesh.area, (area) => colours[area]),
        legend: {
            title: "Areas",
            entries: places.map((area) => ({
                colour: colours[area],
                text: mesh.areas[area].cost === 1 ? mesh.areas[area].area : `${mesh.areas[area].area}, cost ${mesh.areas[area].cost}`,
            })),
        },
    };
}

const order = (area: string): number => (area === "ground" ? 0 : 1);

const ISLANDS_NAMED = 7;

function byIsland(mesh: MeshData): Colours {
    const rank = new Map(mesh.components.map(({ component }, i) => [component, i]));
    const colours = mesh.components.map((_, i) => kind(i < KINDS.length * 3 ? i : 1 + (i % (KINDS.length * 3 - 1))));
    const rest = mesh.components.slice(ISLANDS_NAMED).reduce((sum, { polygons }) => sum + polygons, 0);
    const count = mesh.components.length;
    return {
        polygons: Uint32Array.from(mesh.component, (component) => colours[rank.get(component) ?? 0]),
        legend: {
            title: counted(count, "island"),
            entries: mesh.components.slice(0, ISLANDS_NAMED).map(({ component, polygons }, i) => ({
                colour: colours[i],
                text: `island ${component}: ${counted(polygons, "polygon")}`,
            })),
            note: count > ISLANDS_NAMED ? `and ${counted(count - ISLANDS_NAMED, "smaller one")} of ${counted(rest, "polygon")}` : undefined,
        },
    };
}

function byTile(mesh: MeshData): Colours {
    const colours = mesh.tiles.map(({ x, z }) => kind((x + 2 * z) % 5));
    return {
        polygons: Uint32Array.from(mesh.tile, (tile) => colours[tile]),
        legend: { title: "Tiles", entries: [], note: `${counted(mesh.tiles.length, "tile")}; neighbours have different colours` },
    };
}

function scaled(values: ArrayLike<number>, high: number): Uint32Array {
    return Uint32Array.from({ length: values.length }, (_, i) =>
        Number.isNaN(values[i]) ? UNKNOWN : amount(values[i] / high),
    );
}

function bySlope(mesh: MeshData): Colours {
    const most = mesh.slope.reduce((a, b) => Math.max(a, b), 0);
    const high = Math.max(5, Math.ceil(most / 5) * 5);
    return {
        polygons: scaled(mesh.slope, high),
        legend: { title: "Slope", entries: [], scale: { low: "0°", high: `${high}°`, colours: AMOUNTS } },
    };
}

function byClearance(numbers: Numbers): Colours {
    const known = numbers.values.filter((value) => !Number.isNaN(value)).sort();
    const high = Math.max(1, Math.ceil(known[Math.floor(0.98 * known.length)] ?? 1));
    return {
        polygons: scaled(numbers.values, high),
        legend: {
            title: "Distance to the nearest wall",
            entries: [],
            scale: { low: "0 m", high: `${high} m or more`, colours: AMOUNTS },
            note: numbers.note,
        },
    };
}

function byRegion(mesh: MeshData, numbers: Numbers): Colours {
    return {
        polygons: Uint32Array.from(numbers.values, (region, i) => {
            const { x, z } = mesh.tiles[mesh.tile[i]];
            return Number.isNaN(region) ? UNKNOWN : kind((region * 7 + 3 * x + 5 * z) % (2 * KINDS.length));
        }),
        legend: { title: "Regions", entries: [], note: numbers.note },
    };
}

export function coloursOf(mesh: MeshData, by: Colouring, numbers: Numbers): Colours {
    switch (by) {
        case "area":
            return byArea(mesh);
        case "island":
            return byIsland(mesh);
        case "tile":
            return byTile(mesh);
        case "slope":
            return bySlope(mesh);
        case "clearance":
            return byClearance(numbers);
        case "region":
            return byRegion(mesh, numbers);
    }
}
