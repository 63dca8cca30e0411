// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// read_mesh.ts: an export as JSON to the arrays that are drawn, in the worker. Each polygon has
// vertices of its own, so that it can have a colour of its own.

import { buildBvh } from "./bvh";
import { boxToScene, toScene, type Frame } from "./frame";
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

interface Exported {
    agent: { radius: number; height: number };
    areas: { area: string; cost: number }[];
    tiles: { x: number; z: number; polygons: number }[];
    components: { component: number; polygons: number }[];
    bounds: { min: Point; max: Point } | null;
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

// The edge of the outline, from corner k to the next, that the line from a to b lies on in plan view.
function edgeUnder(outline: Point[], a: Point, b: Point): number {
    let best = 0;
    let least = Infinity;
    const [x, z] = [(a[0] + b[0]) / 2, (a[2] + b[2]) / 2];
    for (let k = 0; k < outline.length; k++) {
        const [p, q] = [outline[k], outline[(k + 1) % outline.length]];
        const [dx, dz] = [q[0] - p[0], q[2] - p[2]];
        const along = ((x - p[0]) * dx + (z - p[2]) * dz) / (dx * dx + dz * dz || 1);
        const t = Math.min(1, Math.max(0, along));
        const distance = Math.hypot(p[0] + t * dx - x, p[2] + t * dz - z);
        if (distance < least) {
            least = distance;
            best = k;
        }
    }
    return best;
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

    add(a: Point, b: Point): void {
        if (this.length + 6 > this.room.length) {
            const larger = new Float32Array(2 * this.room.length);
            larger.set(this.room);
            this.room = larger;
        }
        this.room.set(a, this.length);
        this.room.set(b, this.length + 3);
        this.length += 6;
    }

    all(): Float32Array {
        return this.room.slice(0, this.length);
    }
}

class Builder {
    readonly data: MeshData;
    private readonly vertices: Point[];
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
        this.vertices = from.vertices.map((vertex) => toScene(frame, vertex));
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
            bounds: from.bounds === null ? null : boxToScene(frame, from.bounds),
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

    private addLines(polygon: Polygon, corners: Point[], triangles: [number, number, number][]): void {
        const outline = corners.slice(0, polygon.vertices.length);
        const straight = corners.length === outline.length;
        const sides = straight
            ? outline.map((_, k): [number, number] => [k, (k + 1) % outline.length])
            : rim(triangles);
        sides.forEach(([a, b], i) => {
            const k = straight ? i : edgeUnder(outline, corners[a], corners[b]);
            const behind = polygon.neighbours[k];
            if (behind.length === 0) {
                this.walls.add(corners[a], corners[b]);
            } else if (behind.some((id) => Number(id) > Number(polygon.id))) {
                this.edges.add(corners[a], corners[b]);
            }
        });
    }

    private addPolygon(place: number, polygon: Polygon, tile: number, areas: Map<string, number>): void {
        const { data } = this;
        const own = polygon.detail?.vertices.map((vertex) => toScene(this.frame, vertex)) ?? [];
        const corners = [...polygon.vertices.map((vertex) => this.vertices[vertex]), ...own];
        const triangles = polygon.detail?.triangles ?? fan(polygon.vertices.length);
        data.ids[place] = Number(polygon.id);
        data.places[Number(polygon.id)] = place;
        data.area[place] = areas.get(polygon.area) ?? 0;
        data.component[place] = polygon.component;
        data.tile[place] = tile;
        data.vertexFirst[place] = this.vertex;
        data.triangleFirst[place] = this.triangle;
        corners.forEach((corner, i) => data.positions.set(corner, 3 * (this.vertex + i)));
        for (const triangle of triangles) {
            for (let k = 0; k < 3; k++) {
                data.index[3 * this.triangle + k] = this.vertex + triangle[k];
            }
            this.triangle++;
        }
        this.vertex += corners.length;
        this.measure(place);
        this.addLines(polygon, corners, triangles);
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
                this.addPolygon(place, from.polygons[firsts[number] + i], data.tiles.length, areas);
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
        data.bvh = buildBvh(data.positions, data.index);
        return data;
    }
}

export function readMesh(body: ArrayBuffer, frame: Frame): MeshData {
    return new Builder(JSON.parse(new TextDecoder().decode(body)) as Exported, frame).build();
}
