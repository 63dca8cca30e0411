// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// load.ts: a version's mesh and level from the daemon, as the arrays that the worker makes of them.

import { call, get, path, query } from "../api";
import { frameOf, type Frame, type Placing } from "./frame";
import type { Ask, LevelData, MeshData, Told } from "./messages";
import type { Point } from "./view";

export interface Version {
    mesh: string;
    version: number;
    state: string;
    tiles_total: number; // of all agents
    geometry: { triangles: number; source?: string; bounds: { min: Point; max: Point } | null } | null;
    config: Placing & { cell_size: number; tile_cells: number | "auto"; agents?: Record<string, unknown>; bounds: { min: Point; max: Point } | null };
    stats: { polygons: number; bounds: { min: Point; max: Point } } | null;
}

type WithoutId<T> = T extends unknown ? Omit<T, "id"> : never;

export class Loader {
    private worker: Worker | null = null;
    private readonly waiting = new Map<number, (told: Told) => void>();
    private last = 0;

    private start(): Worker {
        const worker = new Worker("/console/worker.js", { type: "module" });
        worker.onmessage = ({ data }: MessageEvent<Told>) => {
            this.waiting.get(data.id)?.(data);
            this.waiting.delete(data.id);
        };
        worker.onerror = ({ message }) => this.failed(message);
        worker.onmessageerror = () => this.failed("");
        return worker;
    }

    // All that waits for the worker hears that it has failed; the next that is asked begins another.
    private failed(why: string): void {
        this.worker?.terminate();
        this.worker = null;
        for (const [id, tell] of this.waiting) {
            tell({ id, problem: `what reads meshes beside the page has failed${why ? ` (${why})` : ""}` });
        }
        this.waiting.clear();
    }

    private async ask(what: WithoutId<Ask>): Promise<Told> {
        const id = ++this.last;
        const told = await new Promise<Told>((resolve) => {
            this.worker ??= this.start();
            this.waiting.set(id, resolve);
            this.worker.postMessage({ ...what, id }, [what.body]);
        });
        if (told.problem !== undefined) {
            throw new Error(told.problem);
        }
        return told;
    }

    version(mesh: string, version: number, signal: AbortSignal): Promise<Version> {
        return get<Version>(path("v1", "meshes", mesh, "versions", version), signal);
    }

    async mesh(of: Version, agent: string, frame: Frame, signal: AbortSignal): Promise<MeshData> {
        const args = query({ format: "json", agent: agent === "default" ? null : agent });
        const reply = await call(path("v1", "meshes", of.mesh, "versions", of.version, "export") + args, { signal });
        return (await this.ask({ kind: "mesh", frame, body: await reply.arrayBuffer() })).mesh!;
    }

    async level(of: Version, frame: Frame, signal: AbortSignal): Promise<LevelData> {
        const reply = await call(path("v1", "meshes", of.mesh, "versions", of.version, "geometry"), { signal });
        return (await this.ask({ kind: "level", frame, body: await reply.arrayBuffer() })).level!;
    }
}

// A mesh that came as Detour's tiles has no level.
export function hasLevel(version: Version): boolean {
    return version.geometry !== null && version.geometry.source !== "detour";
}

// The level, or what of it is baked, in the level's coordinates.
export function reachOf(version: Version): { min: Point; max: Point } | null {
    return version.config.bounds ?? version.geometry?.bounds ?? version.stats?.bounds ?? null;
}

export function frameOfVersion(version: Version): Frame {
    return frameOf(version.config, reachOf(version));
}
