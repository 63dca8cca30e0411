// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// overlays.ts: links as arcs, the borders of tiles, and the squares of a bake's tiles that are done.

import * as THREE from "three";
import type { Version } from "../../shapes";
import { TONES } from "../colours";
import { boxToScene, reachOf, type Frame } from "../frame";
import type { Link, Tile } from "../messages";
import type { Stage } from "./stage";
import { dispose, keptMaterial, thickLines, type Stroke } from "./thick";
import type { Point } from "../view";

// Cells a side that "auto" may choose (core/bake/plan.c), in the order in which they are tried; 0: one tile.
const AUTO_SIDES = [0, 128, 256, 512, 1024, 64, 32];

// ---- links ----

function arc(link: Link): Point[] {
    const long = Math.hypot(...link.start.map((value, i) => link.end[i] - value));
    const lift = Math.min(8, 0.4 + 0.2 * long);
    return Array.from({ length: 17 }, (_, i) => {
        const t = i / 16;
        const at = link.start.map((value, axis) => value + t * (link.end[axis] - value)) as Point;
        at[1] += 0.15 + lift * 4 * t * (1 - t);
        return at;
    });
}

// Two short strokes at the end of an arc.
function arrow(points: Point[]): Point[] {
    const [tip, before] = [points[points.length - 1], points[points.length - 2]];
    const along = before.map((value, i) => value - tip[i]);
    const long = Math.hypot(...along) || 1;
    const size = Math.min(1.2, long);
    const wing = (side: number): Point => [
        tip[0] + (size / long) * (along[0] - side * 0.5 * along[2]),
        tip[1] + (size / long) * along[1],
        tip[2] + (size / long) * (along[2] + side * 0.5 * along[0]),
    ];
    return [wing(1), tip, wing(-1)];
}

// Each link as an arc with an arrow at the ends that it leads to; those under a switch in another colour.
export function linkArcs(links: Link[], casing: string): THREE.Object3D {
    const group = new THREE.Group();
    for (const switched of [false, true]) {
        const strokes: Stroke[] = [];
        for (const link of links.filter((each) => (each.switch !== null) === switched)) {
            const points = arc(link);
            strokes.push({ points }, { points: arrow(points) });
            if (link.bidirectional) {
                strokes.push({ points: arrow([...points].reverse()) });
            }
        }
        if (strokes.length > 0) {
            group.add(thickLines(strokes, { colour: TONES[switched ? "changed" : "note"], casing, width: 2.5, throughWalls: true }));
        }
    }
    return group;
}

// ---- tiles ----

export interface TileGrid {
    x: number; // of the corner of tile 0, 0 in the picture
    z: number;
    side: number; // metres
    height: number; // at which its squares are drawn
    columns: number;
    rows: number;
}

// Where the tiles of a version that is baked here lie; null where its tiles came from elsewhere, or where no side gives
// as many as the bake has. A level of one tile has the same one with all sides that are larger.
export function tileGridOf(version: Version, frame: Frame): TileGrid | null {
    const reach = reachOf(version);
    if (reach === null || version.config === null || version.geometry?.source === "detour") {
        return null;
    }
    const { min, max } = boxToScene(frame, reach);
    const { cell_size: cell, tile_cells: wanted } = version.config;
    const count = version.tiles_total / (1 + Object.keys(version.config.agents ?? {}).length);
    const cells = [0, 2].map((axis) => Math.max(1, Math.floor((max[axis] - min[axis]) / cell + 0.5)));
    for (const wantedSide of wanted === "auto" ? AUTO_SIDES : [wanted]) {
        const side = wantedSide === 0 ? Math.max(...cells) : wantedSide;
        const [columns, rows] = cells.map((along) => Math.ceil(along / side));
        if (columns * rows === count) {
            return { x: min[0], z: min[2], side: side * cell, height: min[1] + 0.3 * (max[1] - min[1]), columns, rows };
        }
    }
    return null;
}

function lines(positions: number[], colour: number): THREE.Object3D {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(positions, 3));
    const material = keptMaterial(`tiles ${colour}`, () =>
        new THREE.LineBasicMaterial({ color: colour, depthTest: false, transparent: true, opacity: 0.8 }));
    const object = new THREE.LineSegments(geometry, material);
    object.renderOrder = 2;
    return object;
}

// The borders of tiles, seen through everything.
export function tileBorders(tiles: Tile[], grid: TileGrid | null): THREE.Object3D {
    const positions: number[] = [];
    const y = tiles.map((tile) => tile.min[1]).sort((a, b) => a - b)[tiles.length >> 1] ?? 0;
    for (const tile of tiles) {
        const [x0, z0, x1, z1] =
            grid === null
                ? [tile.min[0], tile.min[2], tile.max[0], tile.max[2]]
                : [grid.x + tile.x * grid.side, grid.z + tile.z * grid.side, grid.x + (tile.x + 1) * grid.side, grid.z + (tile.z + 1) * grid.side];
        positions.push(x0, y, z0, x1, y, z0, x1, y, z0, x1, y, z1, x1, y, z1, x0, y, z1, x0, y, z1, x0, y, z0);
    }
    return lines(positions, TONES.blocked);
}

// The squares of a bake: an outline each, filled as its tile is done.
export class BakeSquares {
    private readonly group = new THREE.Group();
    private readonly done = new Set<number>();
    private readonly filled: THREE.BufferGeometry;

    constructor(
        private readonly stage: Stage,
        private readonly grid: TileGrid,
    ) {
        const { x, z, side, height, columns, rows } = grid;
        const [endX, endZ] = [x + columns * side, z + rows * side];
        const positions: number[] = [];
        for (let i = 0; i <= columns; i++) {
            positions.push(x + i * side, height, z, x + i * side, height, endZ);
        }
        for (let i = 0; i <= rows; i++) {
            positions.push(x, height, z + i * side, endX, height, z + i * side);
        }
        this.filled = new THREE.BufferGeometry();
        const places = new THREE.BufferAttribute(new Float32Array(18 * columns * rows), 3).setUsage(THREE.DynamicDrawUsage);
        this.filled.setAttribute("position", places);
        this.filled.setDrawRange(0, 0);
        const material = keptMaterial("squares", () =>
            new THREE.MeshBasicMaterial({ color: TONES.added, transparent: true, opacity: 0.4, depthTest: false, side: THREE.DoubleSide }));
        const squares = new THREE.Mesh(this.filled, material);
        squares.frustumCulled = false;
        squares.renderOrder = 1;
        this.group.add(squares, lines(positions, TONES.added));
        stage.scene.add(this.group);
    }

    add({ x, z }: { x: number; z: number }): void {
        const { grid } = this;
        const number = z * grid.columns + x;
        if (x < 0 || z < 0 || x >= grid.columns || z >= grid.rows || this.done.has(number)) {
            return;
        }
        const [x0, z0] = [grid.x + x * grid.side, grid.z + z * grid.side];
        const [x1, z1, y] = [x0 + grid.side, z0 + grid.side, grid.height];
        const places = this.filled.getAttribute("position") as THREE.BufferAttribute;
        (places.array as Float32Array).set([x0, y, z0, x1, y, z0, x1, y, z1, x0, y, z0, x1, y, z1, x0, y, z1], 18 * this.done.size);
        places.needsUpdate = true;
        this.done.add(number);
        this.filled.setDrawRange(0, 6 * this.done.size);
        this.stage.draw();
    }

    remove(): void {
        this.stage.scene.remove(this.group);
        dispose(this.group);
    }
}
