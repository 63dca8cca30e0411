// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bvh.ts: where a ray meets triangles. Triangles are sorted along a Morton curve; a complete binary tree of boxes lies
// over eight of them a leaf, node i over nodes 2i and 2i + 1, so that the tree is one array of numbers. It is
// built by the worker that reads and asked by the one that draws. Source: Karras, Maximizing Parallelism in the Construction
// of BVHs (2012), of which only the order is taken.

const LEAF = 8;
const CELLS = 1023; // a side of the curve, ten bits

export interface Bvh {
    order: Uint32Array; // of triangles
    boxes: Float32Array; // six numbers a node, low corner first; the root is node 1
    leaves: number;
}

export interface Ray {
    origin: [number, number, number];
    direction: [number, number, number];
}

export interface Hit {
    distance: number; // in lengths of direction
    triangle: number;
}

// Ten bits with two empty ones behind each.
function spread(value: number): number {
    value = (value | (value << 16)) & 0x030000ff;
    value = (value | (value << 8)) & 0x0300f00f;
    value = (value | (value << 4)) & 0x030c30c3;
    return (value | (value << 2)) & 0x09249249;
}

function bounds(positions: Float32Array): number[] {
    const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
    for (let i = 0; i < positions.length; i += 3) {
        for (let axis = 0; axis < 3; axis++) {
            box[axis] = Math.min(box[axis], positions[i + axis]);
            box[axis + 3] = Math.max(box[axis + 3], positions[i + axis]);
        }
    }
    return box;
}

function codes(positions: Float32Array, index: Uint32Array): Uint32Array {
    const box = bounds(positions);
    const scale = [0, 1, 2].map((axis) => CELLS / Math.max(1e-9, 3 * (box[axis + 3] - box[axis])));
    const out = new Uint32Array(index.length / 3);
    for (let t = 0; t < out.length; t++) {
        const [a, b, c] = [3 * index[3 * t], 3 * index[3 * t + 1], 3 * index[3 * t + 2]];
        for (let axis = 0; axis < 3; axis++) {
            const sum = positions[a + axis] + positions[b + axis] + positions[c + axis] - 3 * box[axis];
            out[t] |= spread(sum * scale[axis]) << axis;
        }
    }
    return out;
}

// The numbers of keys in their order: a radix sort, ten bits at a time, stable.
function sorted(keys: Uint32Array): Uint32Array {
    let from = new Uint32Array(keys.length);
    let to = new Uint32Array(keys.length);
    for (let i = 0; i < from.length; i++) {
        from[i] = i;
    }
    for (let shift = 0; shift < 30; shift += 10) {
        const first = new Uint32Array(1025);
        for (let i = 0; i < keys.length; i++) {
            first[((keys[i] >>> shift) & 1023) + 1]++;
        }
        for (let i = 1; i < 1025; i++) {
            first[i] += first[i - 1];
        }
        for (let i = 0; i < from.length; i++) {
            to[first[(keys[from[i]] >>> shift) & 1023]++] = from[i];
        }
        [from, to] = [to, from];
    }
    return from;
}

// Triangles along the curve, so that those that lie together follow each other.
export function curveOrder(positions: Float32Array, index: Uint32Array): Uint32Array {
    return sorted(codes(positions, index));
}

export function buildBvh(positions: Float32Array, index: Uint32Array, order: Uint32Array): Bvh {
    let leaves = 1;
    while (leaves * LEAF < order.length) {
        leaves *= 2;
    }
    const boxes = new Float32Array(12 * leaves);
    for (let leaf = 0; leaf < leaves; leaf++) {
        const box = 6 * (leaves + leaf);
        boxes.fill(Infinity, box, box + 3);
        boxes.fill(-Infinity, box + 3, box + 6);
        for (let i = leaf * LEAF; i < Math.min((leaf + 1) * LEAF, order.length); i++) {
            for (let k = 3 * order[i]; k < 3 * order[i] + 3; k++) {
                grow(boxes, box, positions, 3 * index[k]);
            }
        }
    }
    for (let node = leaves - 1; node >= 1; node--) {
        for (let axis = 0; axis < 3; axis++) {
            const [left, right] = [12 * node + axis, 12 * node + 6 + axis];
            boxes[6 * node + axis] = Math.min(boxes[left], boxes[right]);
            boxes[6 * node + 3 + axis] = Math.max(boxes[left + 3], boxes[right + 3]);
        }
    }
    return { order, boxes, leaves };
}

function grow(boxes: Float32Array, box: number, positions: Float32Array, at: number): void {
    for (let axis = 0; axis < 3; axis++) {
        const value = positions[at + axis];
        boxes[box + axis] = Math.min(boxes[box + axis], value);
        boxes[box + 3 + axis] = Math.max(boxes[box + 3 + axis], value);
    }
}

// The distance at which the ray enters the node's box; Infinity where it passes it by. A node without triangles has
// its low corner above its high one.
function enters(boxes: Float32Array, node: number, ray: Ray, inverse: number[], limit: number): number {
    let near = 0;
    let far = boxes[6 * node] <= boxes[6 * node + 3] ? limit : -1;
    for (let axis = 0; axis < 3; axis++) {
        const a = (boxes[6 * node + axis] - ray.origin[axis]) * inverse[axis];
        const b = (boxes[6 * node + 3 + axis] - ray.origin[axis]) * inverse[axis];
        near = Math.max(near, Math.min(a, b));
        far = Math.min(far, Math.max(a, b));
    }
    return near <= far ? near : Infinity;
}

// Möller and Trumbore's test: the distance of the triangle, or Infinity. culled: from behind there is none.
function meets(p: Float32Array, a: number, b: number, c: number, ray: Ray, culled: boolean): number {
    const [dx, dy, dz] = ray.direction;
    const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
    const [hx, hy, hz] = [dy * vz - dz * vy, dz * vx - dx * vz, dx * vy - dy * vx];
    const det = ux * hx + uy * hy + uz * hz;
    if (culled ? det <= 0 : det === 0) {
        return Infinity;
    }
    const [sx, sy, sz] = [ray.origin[0] - p[a], ray.origin[1] - p[a + 1], ray.origin[2] - p[a + 2]];
    const u = (sx * hx + sy * hy + sz * hz) / det;
    const [qx, qy, qz] = [sy * uz - sz * uy, sz * ux - sx * uz, sx * uy - sy * ux];
    const v = (dx * qx + dy * qy + dz * qz) / det;
    if (u < 0 || v < 0 || u + v > 1) {
        return Infinity;
    }
    const distance = (vx * qx + vy * qy + vz * qz) / det;
    return distance >= 0 ? distance : Infinity;
}

// The first triangle that the ray meets nearer than limit, and not above the height `top`.
export function trace(
    bvh: Bvh,
    positions: Float32Array,
    index: Uint32Array,
    ray: Ray,
    { limit = Infinity, culled = false, top = Infinity } = {},
): Hit | null {
    const inverse = ray.direction.map((value) => 1 / (value || 1e-30));
    const nodes = [1]; // the nearest last
    const distances = [enters(bvh.boxes, 1, ray, inverse, limit)];
    let best: Hit | null = null;
    let reach = limit;
    while (nodes.length > 0) {
        const node = nodes.pop()!;
        if (distances.pop()! >= reach) {
            continue;
        }
        if (node < bvh.leaves) {
            const left = enters(bvh.boxes, 2 * node, ray, inverse, reach);
            const right = enters(bvh.boxes, 2 * node + 1, ray, inverse, reach);
            const nearer = left <= right ? 2 * node : 2 * node + 1;
            nodes.push(nearer ^ 1, nearer);
            distances.push(Math.max(left, right), Math.min(left, right));
            continue;
        }
        const first = (node - bvh.leaves) * LEAF;
        for (let k = first; k < Math.min(first + LEAF, bvh.order.length); k++) {
            const t = bvh.order[k];
            const at = meets(positions, 3 * index[3 * t], 3 * index[3 * t + 1], 3 * index[3 * t + 2], ray, culled);
            if (at < reach && ray.origin[1] + at * ray.direction[1] <= top) {
                reach = at;
                best = { distance: at, triangle: t };
            }
        }
    }
    return best;
}
