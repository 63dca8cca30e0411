// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// shapes.ts: what the daemon answers, as far as the panels read it. /openapi.json has all of it, with
// a description of each member.

import type { Placing } from "./view/frame";
import type { Point } from "./view/view";

export type { Point };

export interface Bounds {
    min: Point;
    max: Point;
}

// ---- meshes and versions ----

export interface Warning {
    code: string;
    count: number;
    items: { position?: Point; value?: number; name?: string }[];
    detail?: string;
    suggest?: string; // an argument of an upload: scale=0.01
}

export interface CheckResult {
    name: string;
    passed: boolean;
    detail: string;
}

export interface Stats {
    tiles: number;
    polygons: number;
    vertices: number;
    walkable_area: number;
    components: number;
    links: number;
    memory_bytes: number;
    bounds?: Bounds;
}

export interface Failure {
    status: number;
    code: string;
    detail: string;
    at: string | null;
    suggest?: string;
    suggest_cell_size?: number;
}

export interface Settings extends Placing {
    [name: string]: unknown;
    bounds?: Bounds | null;
    agents?: Record<string, unknown>;
    switches?: Record<string, { default?: string }>;
}

// Of a version: all that were left out have their defaults.
export interface WholeSettings extends Settings {
    cell_size: number;
    tile_cells: number | "auto";
}

export interface Version {
    mesh: string;
    version: number;
    state: "queued" | "baking" | "ready" | "failed" | "cancelled";
    active: boolean;
    created_at: string | null; // null, as geometry and config, where damage on disk has taken it
    progress: number;
    stage: string | null;
    tiles_done: number;
    tiles_total: number; // of all agents
    tiles_reused: number;
    deduplicated?: boolean;
    geometry: { format: string; source?: string; vertices: number; triangles: number; bounds: Bounds | null } | null;
    config: WholeSettings | null;
    blob: { bytes: number; stored_bytes: number } | null;
    stats: Stats | null;
    timings_ms: Record<string, number> | null;
    warnings: Warning[] | null;
    checks: CheckResult[] | null;
    agents?: Record<string, { stats: Stats; warnings: Warning[] }>;
    error: Failure | null;
}

export interface Mesh {
    mesh: string;
    active: number | null;
    versions: Version[];
}

export interface MeshRow {
    mesh: string;
    active: number | null;
    versions: number; // how many
}

export interface Check {
    name: string;
    agent?: string;
    expect?: "reachable" | "unreachable" | "on_mesh";
    start?: Point;
    end?: Point;
    point?: Point; // as start, where there is no end
    max_length?: number;
    min_walkable_area?: number;
    snap?: Record<string, number>;
}

// ---- two versions ----

export interface Change {
    before: number;
    after: number;
    delta: number;
}

export interface TileChange {
    x: number;
    z: number;
    bounds: Bounds;
}

export interface IslandChange {
    area: number;
    polygons: number;
    bounds: Bounds;
    cut_off?: boolean;
    joined_another?: boolean;
}

export interface Diff {
    from: number;
    to: number;
    geometry_changed: boolean;
    config_changed: boolean;
    walkable_area: Change;
    polygons: Change;
    tiles: {
        before: number;
        after: number;
        unchanged: number;
        changed: TileChange[];
        added: TileChange[];
        removed: TileChange[];
        truncated: boolean;
    };
    islands: {
        before: number;
        after: number;
        changed: { area: Change; polygons: Change; bounds: Bounds }[];
        added: IslandChange[];
        removed: IslandChange[];
        truncated: boolean;
    };
}

// ---- instances ----

export type Obstacle = Record<string, unknown> & { shape: string };

export interface InstanceRow {
    mesh: string;
    version: number | null;
    instance: string;
    revision: number;
    pinned: boolean;
    expires_at: string | null;
}

export interface Instance extends InstanceRow {
    switches: Record<string, "open" | "closed">;
    obstacles: Record<string, Obstacle>;
    links: Record<string, unknown>;
    area_costs: Record<string, number>;
    misfits: { at: string; detail: string }[];
}

export interface RecordingRow {
    id: string | null;
    name: string | null;
    cause: string; // asked, slow, failed
    created_at: string | null;
    mesh: string | null;
    version: number; // 0: not known, of a damaged one
    kind: string | null;
    status: number;
    ms: number;
    bytes: number;
}
