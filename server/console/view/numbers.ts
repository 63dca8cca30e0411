// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// numbers.ts: what the daemon has to be asked about each polygon before it can have a colour: how far it is
// from a wall, a batch of questions at a time, and which region it comes from, a tile at a time. What
// is nearest to where the camera looks comes first; the picture is told after each piece.

import { count } from "../format";
import { get, path, Problem, query, send } from "../api";
import type { Numbers } from "./colours";
import { toLevel, type Frame } from "./frame";
import type { MeshData } from "./messages";

const WALLS_AT_ONCE = 2000;
const FARTHEST_M = 100;
const BUSY_MS = 500; // until the daemon is asked again

export type Polygons = Pick<MeshData, "ids" | "places" | "centres" | "tiles">;

export interface Of {
    mesh: string;
    version: number;
    agent: string;
    frame: Frame;
    polygons: Polygons;
    near: ArrayLike<number>; // of the picture, where it looks
}

type Tell = (numbers: Numbers) => void;

// 0 to count - 1 by the distance of `at` in plan view.
function nearestFirst(count: number, near: ArrayLike<number>, at: (i: number) => ArrayLike<number>): number[] {
    const far = Float64Array.from({ length: count }, (_, i) => {
        const place = at(i);
        return (place[0] - near[0]) ** 2 + (place[2] - near[2]) ** 2;
    });
    return Array.from(far, (_, i) => i).sort((a, b) => far[a] - far[b]);
}

function progress(done: number, all: number, what: string): string {
    return done < all ? `${count(done)} of ${count(all)} ${what} …` : "";
}

export async function clearances({ mesh, version, agent, frame, polygons, near }: Of, tell: Tell, signal: AbortSignal): Promise<void> {
    const count = polygons.ids.length;
    const values = new Float32Array(count).fill(NaN);
    const unit = Math.abs(frame.factors[0]);
    const order = nearestFirst(count, near, (i) => polygons.centres.subarray(3 * i, 3 * i + 3));
    for (let first = 0; first < count; first += WALLS_AT_ONCE) {
        const piece = order.slice(first, first + WALLS_AT_ONCE);
        const queries = piece.map((i) => ({
            kind: "wall",
            point: toLevel(frame, polygons.centres.subarray(3 * i, 3 * i + 3)),
            max_radius: FARTHEST_M / unit,
            agent,
        }));
        const body = { version, queries };
        const reply = await send<{ results: { hit: boolean; distance?: number; reason: string | null }[] }>(
            "POST", path("v1", "meshes", mesh, "batch"), body, { signal });
        reply.results.forEach(({ hit, distance, reason }, k) => {
            values[piece[k]] = reason !== null ? NaN : hit ? (distance ?? 0) * unit : FARTHEST_M;
        });
        tell({ values, note: progress(first + piece.length, count, "polygons asked") });
    }
}

interface TileExplained {
    polygons?: { polygon: string; region: number | null }[]; // not there where its deadline came first
}

// Explanations are made one at a time: where another is, this one waits.
async function explained(address: string, signal: AbortSignal): Promise<TileExplained> {
    for (;;) {
        try {
            return await get<TileExplained>(address, signal);
        } catch (error) {
            if (!(error instanceof Problem) || (error.status !== 429 && error.status !== 503)) {
                throw error;
            }
            await new Promise((resolve) => setTimeout(resolve, BUSY_MS));
            signal.throwIfAborted();
        }
    }
}

export async function regions({ mesh, version, agent, polygons, near }: Of, tell: Tell, signal: AbortSignal): Promise<void> {
    const values = new Float32Array(polygons.ids.length).fill(NaN);
    const { tiles } = polygons;
    const order = nearestFirst(tiles.length, near, (i) => [(tiles[i].min[0] + tiles[i].max[0]) / 2, 0, (tiles[i].min[2] + tiles[i].max[2]) / 2]);
    let done = 0;
    let late = 0;
    for (const i of order) {
        const args = query({ tile: `${tiles[i].x},${tiles[i].z}`, version, agent });
        try {
            const told = (await explained(path("v1", "meshes", mesh, "explain") + args, signal)).polygons;
            for (const { polygon, region } of told ?? []) {
                values[polygons.places[Number(polygon)]] = region ?? NaN;
            }
            late += told === undefined ? 1 : 0;
        } catch (error) {
            if (error instanceof Problem && error.code === "no_geometry") {
                tell({ values, note: "This version has no level, so it has no regions: its tiles were imported." });
                return;
            }
            throw error;
        }
        done++;
        const note = late === 0 ? "Neighbours may share a colour where there are many." : `${late} of ${tiles.length} tiles are grey: their time was over before they were explained.`;
        tell({ values, note: progress(done, tiles.length, "tiles explained") || note });
    }
}
