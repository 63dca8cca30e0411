// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// read_mesh.ts: a packed mesh (layout in proto/exports/README.md) to the arrays that are drawn, in the worker that reads. Each
// polygon has vertices of its own, so that it can have a colour of its own.

import { buildBvh, curveOrder } from "./bvh";
import { putInScene, toScene, type Frame } from "./frame";
import type { Chunk, MeshData, Tile } from "./messages";
import type { Point } from "./view";

// What is told once.
interface Head {
    agent: { radius: number; height: number };
    areas: { area: string; cost: number }[];
    tiles: { x: number; z: number; polygons: number }[];
    components: { component: number; polygons: number }[];
    links: {
        id: string | null;
        start: Point;
        end: Point;
        bidirectional: boolean;
        area: string;
        switch?: string;
    }[];
}

// The lists of the file. Those of ends have, for each of what owns a part of a list, where its part ends; it begins
// where that of the one before ends.
interface Packed {
    head: Head;
    vertices: Float32Array;
    ids: Uint32Array;
    components: Uint32Array;
    cornerEnds: Uint32Array;
    detailVertexEnds: Uint32Array;
    detailTriangleEnds: Uint32Array;
    corners: Uint32Array;
    neighbourEnds: Uint32Array; // of the edge from a corner to the next
    neighbours: Uint32Array;
    detailVertices: Float32Array;
    detailTriangles: Uint16Array;
    areas: Uint8Array;
}

const HEAD_BYTES = 36;

function unpack(body: ArrayBuffer): Packed {
    const view = new DataView(body, 0, HEAD_BYTES);
    if (view.getUint32(0, false) !== 0x4e41564d || view.getUint32(4, true) !== 1) {
        throw new Error("the mesh is in a form that this console does not know");
    }
    const [json, polygons, vertices, corners, neighbours, detailVertices, detailTriangles] =
        Array.from({ length: 7 }, (_, i) => view.getUint32(8 + 4 * i, true));
    let at = HEAD_BYTES + json;
    const take = <T>(kind: { new (buffer: ArrayBuffer, at: number, count: number): T; BYTES_PER_ELEMENT: number }, count: number): T => {
        const list = new kind(body, at, count);
        at += Math.ceil((kind.BYTES_PER_ELEMENT * count) / 4) * 4;
        return list;
    };
    return {
        head: JSON.parse(new TextDecoder().decode(new Uint8Array(body, HEAD_BYTES, json))) as Head,
        vertices: take(Float32Array, 3 * vertices),
        ids: take(Uint32Array, polygons),
        components: take(Uint32Array, polygons),
        cornerEnds: take(Uint32Array, polygons),
        detailVertexEnds: take(Uint32Array, polygons),
        detailTriangleEnds: take(Uint32Array, polygons),
        corners: take(Uint32Array, corners),
        neighbourEnds: take(Uint32Array, corners),
        neighbours: take(Uint32Array, neighbours),
        detailVertices: take(Float32Array, 3 * detailVertices),
        detailTriangles: take(Uint16Array, 3 * detailTriangles),
        areas: take(Uint8Array, polygons),
    };
}

const beginOf = (ends: Uint32Array, i: number): number => (i === 0 ? 0 : ends[i - 1]);

const CHUNK_TRIANGLES = 12000;
const CHUNKS_ASIDE = 5; // how many squares of tiles a side

// Tiles in squares, so that what is drawn in one call lies together.
function tileOrder(tiles: Head["tiles"]): number[] {
    const xs = tiles.map((tile) => tile.x);
    const zs = tiles.map((tile) => tile.z);
    const [x, z] = [xs, zs].map((list) => list.reduce((a, b) => Math.min(a, b), Infinity));
    const width = Math.max(...[xs, zs].map((list) => list.reduce((a, b) => Math.max(a, b), 0) + 1)) - Math.min(x, z);
    const side = Math.max(1, Math.ceil(width / CHUNKS_ASIDE));
    const square = tiles.map((tile) => Math.floor((tile.z - z) / side) * CHUNKS_ASIDE * 2 + Math.floor((tile.x - x) / side));
    return tiles.map((_, i) => i).sort((a, b) => square[a] - square[b] || a - b);
}

// Lines around a polygon's ground: sides of triangles that only one has, two corners each.
function rim(index: Uint32Array): [number, number][] {
    const sides = new Map<number, [number, number]>();
    for (let i = 0; i < index.length; i++) {
        const [a, b] = [index[i], index[i % 3 === 2 ? i - 2 : i + 1]];
        const key = Math.min(a, b) * 0x2000000 + Math.max(a, b);
        if (!sides.delete(key)) {
            sides.set(key, [a, b]);
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
        private readonly from: Packed,
        private readonly frame: Frame,
    ) {
        const { head, ids } = from;
        const count = ids.length;
        const vertices = from.corners.length + from.detailVertices.length / 3;
        const fans = ids.reduce((sum, _, i) => sum + (this.hasDetail(i) ? 0 : from.cornerEnds[i] - beginOf(from.cornerEnds, i) - 2), 0);
        this.data = {
            positions: new Float32Array(3 * vertices),
            index: new Uint32Array(3 * fans + from.detailTriangles.length),
            chunks: [],
            bvh: { order: new Uint32Array(0), boxes: new Float32Array(0), leaves: 0 },
            ids: new Uint32Array(count),
            places: new Int32Array(ids.reduce((most, id) => Math.max(most, id + 1), 0)).fill(-1),
            areas: head.areas,
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
            links: head.links.map((link) => ({
                ...link,
                start: toScene(frame, link.start),
                end: toScene(frame, link.end),
                switch: link.switch ?? null,
            })),
            components: [...head.components].sort((a, b) => b.polygons - a.polygons || a.component - b.component),
            agent: head.agent,
        };
    }

    private hasDetail(polygon: number): boolean {
        const { detailTriangleEnds: ends } = this.from;
        return ends[polygon] > beginOf(ends, polygon);
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

    // edge: of a corner of the file.
    private addLine(polygon: number, edge: number, from: number, to: number): void {
        const { ids, neighbours, neighbourEnds } = this.from;
        const [begin, end] = [beginOf(neighbourEnds, edge), neighbourEnds[edge]];
        let isFirst = false; // else the neighbour draws it
        for (let i = begin; i < end; i++) {
            isFirst ||= neighbours[i] > ids[polygon];
        }
        if (begin === end) {
            this.walls.add(this.data.positions, from, to);
        } else if (isFirst) {
            this.edges.add(this.data.positions, from, to);
        }
    }

    // Around the polygon's vertices, which begin at this.vertex, and its triangles.
    private addLines(polygon: number, outline: number, triangles: Uint32Array): void {
        const { cornerEnds, detailVertexEnds } = this.from;
        const corner = beginOf(cornerEnds, polygon);
        if (detailVertexEnds[polygon] === beginOf(detailVertexEnds, polygon)) {
            for (let k = 0; k < outline; k++) {
                this.addLine(polygon, corner + k, this.vertex + k, this.vertex + ((k + 1) % outline));
            }
            return;
        }
        for (const [from, to] of rim(triangles)) {
            this.addLine(polygon, corner + this.edgeUnder(outline, from, to), from, to);
        }
    }

    private addTriangles(polygon: number, outline: number): void {
        const { index } = this.data;
        const { detailTriangles, detailTriangleEnds: ends } = this.from;
        const first = 3 * this.triangle;
        if (this.hasDetail(polygon)) {
            const corners = detailTriangles.subarray(3 * beginOf(ends, polygon), 3 * ends[polygon]);
            corners.forEach((corner, i) => (index[first + i] = this.vertex + corner));
            this.triangle += corners.length / 3;
            return;
        }
        for (let i = 0; i < outline - 2; i++) {
            index.set([this.vertex, this.vertex + i + 1, this.vertex + i + 2], first + 3 * i);
        }
        this.triangle += outline - 2;
    }

    // polygon: its place in the file, `place` that in which it is drawn.
    private addPolygon(place: number, polygon: number, tile: number): void {
        const { data, frame, from } = this;
        const id = from.ids[polygon];
        data.ids[place] = id;
        data.places[id] = place;
        data.area[place] = from.areas[polygon];
        data.component[place] = from.components[polygon];
        data.tile[place] = tile;
        data.vertexFirst[place] = this.vertex;
        data.triangleFirst[place] = this.triangle;
        const corners = from.corners.subarray(beginOf(from.cornerEnds, polygon), from.cornerEnds[polygon]);
        let end = this.vertex;
        for (const corner of corners) {
            putInScene(frame, from.vertices, 3 * corner, data.positions, 3 * end++);
        }
        for (let i = beginOf(from.detailVertexEnds, polygon); i < from.detailVertexEnds[polygon]; i++) {
            putInScene(frame, from.detailVertices, 3 * i, data.positions, 3 * end++);
        }
        this.addTriangles(polygon, corners.length);
        this.measure(place);
        this.addLines(polygon, corners.length, data.index.subarray(3 * data.triangleFirst[place], 3 * this.triangle));
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
        tile.x = this.from.head.tiles[number].x;
        tile.z = this.from.head.tiles[number].z;
        this.data.tiles.push(tile);
    }

    build(): MeshData {
        const { data } = this;
        const { tiles } = this.from.head;
        const firsts: number[] = [];
        tiles.reduce((first, tile) => (firsts.push(first), first + tile.polygons), 0);
        let place = 0;
        for (const number of tileOrder(tiles)) {
            const begin = place;
            for (let i = 0; i < tiles[number].polygons; i++) {
                this.addPolygon(place++, firsts[number] + i, data.tiles.length);
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

export function readMesh(body: ArrayBuffer, frame: Frame): MeshData {
    return new Builder(unpack(body), frame).build();
}
