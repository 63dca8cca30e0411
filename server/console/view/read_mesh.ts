// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// read_mesh.ts: an export as JSON to the arrays that are drawn, in the worker. Each polygon has
// vertices of its own, so that it can have a colour of its own.

import { buildBvh, curveOrder } from "./bvh";
import { putInScene, toScene, type Frame } from "./frame";
import type { Chunk, MeshData, Tile } from "./messages";
import type { Point } from "./view";

interface Polygon {
    id: string | number;
    area: string;
    component: number;
    vertices: number[];
    neighbours: (string | number)[][];
    detail?: { vertices: Point[]; triangles: [number, number, number][] };
}

export interface Exported {
    agent: { radius: number; height: number };
    areas: { area: string; cost: number }[];
    tiles: { x: number; z: number; polygons: number }[];
    components: { component: number; polygons: number }[];
    vertices: Point[];
    polygons: Polygon[];
    links: {
        id: string | null;
        start: Point;
        end: Point;
        bidirectional: boolean;
        area: string;
        switch?: string;
    }[];
}

const CHUNK_TRIANGLES = 12000;
const CHUNKS_ASIDE = 5; // how many squares of tiles a side

// Tiles in squares, so that what is drawn in one call lies together.
function tileOrder(tiles: Exported["tiles"]): number[] {
    const xs = tiles.map((tile) => tile.x);
    const zs = tiles.map((tile) => tile.z);
    const [x, z] = [xs, zs].map((list) => list.reduce((a, b) => Math.min(a, b), Infinity));
    const width = Math.max(...[xs, zs].map((list) => list.reduce((a, b) => Math.max(a, b), 0) + 1)) - Math.min(x, z);
    const side = Math.max(1, Math.ceil(width / CHUNKS_ASIDE));
    const square = tiles.map((tile) => Math.floor((tile.z - z) / side) * CHUNKS_ASIDE * 2 + Math.floor((tile.x - x) / side));
    return tiles.map((_, i) => i).sort((a, b) => square[a] - square[b] || a - b);
}

// Triangles of a polygon without height detail: a fan.
function fan(count: number): [number, number, number][] {
    return Array.from({ length: count - 2 }, (_, i) => [0, i + 1, i + 2]);
}

// Lines around a polygon's ground: sides of triangles that only one has.
function rim(triangles: [number, number, number][]): [number, number][] {
    const sides = new Map<number, [number, number]>();
    for (const corners of triangles) {
        for (let k = 0; k < 3; k++) {
            const [a, b] = [corners[k], corners[(k + 1) % 3]];
            const key = Math.min(a, b) * 65536 + Math.max(a, b);
            if (!sides.delete(key)) {
                sides.set(key, [a, b]);
            }
        }
    }
    return [...sides.values()];
}

// Lines, six numbers each, in an array that grows.
class LineList {
    private room = new Float32Array(6 * 1024);
    length = 0;

    // From one of these positions to another.
    add(positions: Float32Array, from: number, to: number): void {
        if (this.length + 6 > this.room.length) {
            const larger = new Float32Array(2 * this.room.length);
            larger.set(this.room);
            this.room = larger;
        }
        for (let axis = 0; axis < 3; axis++) {
            this.room[this.length + axis] = positions[3 * from + axis];
            this.room[this.length + 3 + axis] = positions[3 * to + axis];
        }
        this.length += 6;
    }

    all(): Float32Array {
        return this.room.slice(0, this.length);
    }
}

class Builder {
    readonly data: MeshData;
    private vertex = 0;
    private triangle = 0;
    private readonly walls = new LineList();
    private readonly edges = new LineList();

    constructor(
        private readonly from: Exported,
        private readonly frame: Frame,
    ) {
        const count = from.polygons.length;
        let vertices = 0;
        let triangles = 0;
        let highest = -1;
        for (const polygon of from.polygons) {
            vertices += polygon.vertices.length + (polygon.detail?.vertices.length ?? 0);
            triangles += polygon.detail?.triangles.length ?? polygon.vertices.length - 2;
            highest = Math.max(highest, Number(polygon.id));
        }
        this.data = {
            positions: new Float32Array(3 * vertices),
            index: new Uint32Array(3 * triangles),
            chunks: [],
            bvh: { order: new Uint32Array(0), boxes: new Float32Array(0), leaves: 0 },
            ids: new Uint32Array(count),
            places: new Int32Array(highest + 1).fill(-1),
            areas: from.areas,
            area: new Uint8Array(count),
            component: new Uint32Array(count),
            tile: new Uint32Array(count),
            slope: new Float32Array(count),
            centres: new Float32Array(3 * count),
            vertexFirst: new Uint32Array(count + 1),
            triangleFirst: new Uint32Array(count + 1),
            walls: new Float32Array(0),
            edges: new Float32Array(0),
            tiles: [],
            links: from.links.map((link) => ({
                ...link,
                start: toScene(frame, link.start),
                end: toScene(frame, link.end),
                switch: link.switch ?? null,
            })),
            components: [...from.components].sort((a, b) => b.polygons - a.polygons || a.component - b.component),
            agent: from.agent,
        };
    }

    // Slope, and a place on the ground: the middle of the largest triangle.
    private measure(place: number): void {
        const { positions: p, index, slope, centres, triangleFirst } = this.data;
        const normal = [0, 0, 0];
        let largest = -1;
        for (let t = triangleFirst[place]; t < this.triangle; t++) {
            const [a, b, c] = [3 * index[3 * t], 3 * index[3 * t + 1], 3 * index[3 * t + 2]];
            const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
            const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
            const n = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
            const size = Math.hypot(...n);
            const sign = n[1] < 0 ? -1 : 1;
            for (let axis = 0; axis < 3; axis++) {
                normal[axis] += sign * n[axis];
                if (size > largest) {
                    centres[3 * place + axis] = (p[a + axis] + p[b + axis] + p[c + axis]) / 3;
                }
            }
            largest = Math.max(largest, size);
        }
        slope[place] = (Math.acos(Math.min(1, normal[1] / (Math.hypot(...normal) || 1))) * 180) / Math.PI;
    }

    // The edge of an outline that the line between two vertices lies on in plan view.
    private edgeUnder(outline: number, from: number, to: number): number {
        const { positions: p } = this.data;
        const [x, z] = [0, 2].map((axis) => (p[3 * from + axis] + p[3 * to + axis]) / 2);
        let [best, least] = [0, Infinity];
        for (let k = 0; k < outline; k++) {
            const [a, b] = [3 * (this.vertex + k), 3 * (this.vertex + ((k + 1) % outline))];
            const [dx, dz] = [p[b] - p[a], p[b + 2] - p[a + 2]];
            const along = ((x - p[a]) * dx + (z - p[a + 2]) * dz) / (dx * dx + dz * dz || 1);
            const t = Math.min(1, Math.max(0, along));
            const distance = Math.hypot(p[a] + t * dx - x, p[a + 2] + t * dz - z);
            if (distance < least) {
                [best, least] = [k, distance];
            }
        }
        return best;
    }

    private addLine(polygon: Polygon, edge: number, from: number, to: number): void {
        const behind = polygon.neighbours[edge];
        if (behind.length === 0) {
            this.walls.add(this.data.positions, from, to);
        } else if (behind.some((id) => Number(id) > Number(polygon.id))) {
            this.edges.add(this.data.positions, from, to);
        }
    }

    private addLines(polygon: Polygon, triangles: [number, number, number][]): void {
        const outline = polygon.vertices.length;
        if (!polygon.detail?.vertices.length) {
            for (let k = 0; k < outline; k++) {
                this.addLine(polygon, k, this.vertex + k, this.vertex + ((k + 1) % outline));
            }
            return;
        }
        for (const side of rim(triangles)) {
            const [from, to] = [this.vertex + side[0], this.vertex + side[1]];
            this.addLine(polygon, this.edgeUnder(outline, from, to), from, to);
        }
    }

    private addPolygon(place: number, polygon: Polygon, tile: number, area: number): void {
        const { data, frame } = this;
        const id = Number(polygon.id);
        data.ids[place] = id;
        data.places[id] = place;
        data.area[place] = area;
        data.component[place] = polygon.component;
        data.tile[place] = tile;
        data.vertexFirst[place] = this.vertex;
        data.triangleFirst[place] = this.triangle;
        let end = this.vertex;
        for (const vertex of polygon.vertices) {
            putInScene(frame, this.from.vertices[vertex], 0, data.positions, 3 * end++);
        }
        for (const vertex of polygon.detail?.vertices ?? []) {
            putInScene(frame, vertex, 0, data.positions, 3 * end++);
        }
        const triangles = polygon.detail?.triangles ?? fan(polygon.vertices.length);
        for (const triangle of triangles) {
            for (let k = 0; k < 3; k++) {
                data.index[3 * this.triangle + k] = this.vertex + triangle[k];
            }
            this.triangle++;
        }
        this.measure(place);
        this.addLines(polygon, triangles);
        this.vertex = end;
    }

    private endChunk(polygonEnd: number): void {
        const last = this.data.chunks[this.data.chunks.length - 1];
        this.data.chunks.push({
            triangleFirst: last?.triangleEnd ?? 0,
            triangleEnd: this.triangle,
            vertexFirst: last?.vertexEnd ?? 0,
            vertexEnd: this.vertex,
            polygonFirst: last?.polygonEnd ?? 0,
            polygonEnd,
            wallEnd: this.walls.length,
            edgeEnd: this.edges.length,
        } satisfies Chunk);
    }

    private addTile(number: number, place: number): void {
        const { positions, vertexFirst } = this.data;
        const tile: Tile = { x: 0, z: 0, min: [Infinity, Infinity, Infinity], max: [-Infinity, -Infinity, -Infinity] };
        for (let i = 3 * vertexFirst[place]; i < 3 * this.vertex; i++) {
            tile.min[i % 3] = Math.min(tile.min[i % 3], positions[i]);
            tile.max[i % 3] = Math.max(tile.max[i % 3], positions[i]);
        }
        tile.x = this.from.tiles[number].x;
        tile.z = this.from.tiles[number].z;
        this.data.tiles.push(tile);
    }

    build(): MeshData {
        const { from, data } = this;
        const areas = new Map(from.areas.map((area, i) => [area.area, i]));
        const firsts: number[] = [];
        from.tiles.reduce((first, tile) => (firsts.push(first), first + tile.polygons), 0);
        let place = 0;
        for (const number of tileOrder(from.tiles)) {
            const begin = place;
            for (let i = 0; i < from.tiles[number].polygons; i++) {
                const polygon = from.polygons[firsts[number] + i];
                this.addPolygon(place, polygon, data.tiles.length, areas.get(polygon.area) ?? 0);
                place++;
                if (this.triangle - (data.chunks[data.chunks.length - 1]?.triangleEnd ?? 0) >= CHUNK_TRIANGLES) {
                    this.endChunk(place);
                }
            }
            this.addTile(number, begin);
        }
        if (place > (data.chunks[data.chunks.length - 1]?.polygonEnd ?? 0)) {
            this.endChunk(place);
        }
        data.vertexFirst[place] = this.vertex;
        data.triangleFirst[place] = this.triangle;
        data.walls = this.walls.all();
        data.edges = this.edges.all();
        data.bvh = buildBvh(data.positions, data.index, curveOrder(data.positions, data.index));
        return data;
    }
}

export function readMesh(from: Exported, frame: Frame): MeshData {
    return new Builder(from, frame).build();
}
