// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// read_level.ts: packed geometry (proto/geometry/README.md) to the arrays that are drawn, in the
// worker that reads. Triangles that lie together are drawn together.

import { buildBvh, curveOrder } from "./bvh";
import { putInScene, type Frame } from "./frame";
import type { LevelData } from "./messages";

const CHUNK_TRIANGLES = 32768;
const HEAD_BYTES = 24;

function read(body: ArrayBuffer, frame: Frame): { positions: Float32Array; index: Uint32Array } {
    const head = new DataView(body, 0, HEAD_BYTES);
    if (head.getUint32(0, false) !== 0x4e415647 || head.getUint32(4, true) !== 1) {
        throw new Error("the level is in a form that this console does not know");
    }
    const [vertices, triangles] = [head.getUint32(8, true), head.getUint32(12, true)];
    const given = new Float32Array(body, HEAD_BYTES, 3 * vertices);
    const positions = new Float32Array(given.length);
    for (let i = 0; i < given.length; i += 3) {
        putInScene(frame, given, i, positions, i);
    }
    const index = new Uint32Array(body, HEAD_BYTES + 12 * vertices, 3 * triangles).slice();
    if (frame.reversed) {
        for (let i = 0; i < index.length; i += 3) {
            [index[i + 1], index[i + 2]] = [index[i + 2], index[i + 1]];
        }
    }
    return { positions, index };
}

export function readLevel(body: ArrayBuffer, frame: Frame): LevelData {
    const from = read(body, frame);
    const order = curveOrder(from.positions, from.index);
    const places = new Int32Array(from.positions.length / 3).fill(-1);
    const index = new Uint32Array(from.index.length);
    const vertices: number[] = [];
    const chunks: LevelData["chunks"] = [];
    for (let first = 0; first < order.length; first += CHUNK_TRIANGLES) {
        const end = Math.min(order.length, first + CHUNK_TRIANGLES);
        const vertexFirst = vertices.length;
        for (let k = 3 * first; k < 3 * end; k++) {
            const vertex = from.index[3 * order[Math.floor(k / 3)] + (k % 3)];
            if (places[vertex] < vertexFirst) {
                places[vertex] = vertices.push(vertex) - 1;
            }
            index[k] = places[vertex];
        }
        chunks.push({
            triangleFirst: first,
            triangleEnd: end,
            vertexFirst,
            vertexEnd: vertices.length,
            polygonFirst: 0,
            polygonEnd: 0,
            wallEnd: 0,
            edgeEnd: 0,
        });
    }
    const positions = new Float32Array(3 * vertices.length);
    vertices.forEach((vertex, i) => positions.set(from.positions.subarray(3 * vertex, 3 * vertex + 3), 3 * i));
    return { positions, index, chunks, bvh: buildBvh(positions, index, order.map((_, i) => i)) };
}
