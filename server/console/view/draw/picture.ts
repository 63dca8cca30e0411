// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// picture.ts: the picture: puts together the stage, the camera, what was loaded and marks, as the page orders
// (messages.ts).

import * as THREE from "three";
import type { Bounds, Version } from "../../shapes";
import { trace, type Hit, type Ray } from "../bvh";
import { coloursOf, type Colours, type Numbers } from "../colours";
import { boxToScene, frameOfVersion, reachOf, toLevel, toScene } from "../frame";
import { LAYERS_AT_FIRST, type Drawer, type LevelData, type Looks, type MeshData, type News, type Size } from "../messages";
import type { Baking, Colouring, Layer, Mark, Pick, Point } from "../view";
import { Camera } from "./camera";
import { Marks, type World } from "./marks";
import { BakeSquares, linkArcs, tileBorders, tileGridOf } from "./overlays";
import { Stage } from "./stage";
import { cutAt, levelMaterial, Lines, meshMaterial, plainTint, polygonTint, Surface } from "./surface";
import { dispose } from "./thick";

const MESH_NEARER = 0.0012;
const EDGE_NEARER = 0.0017;
const WALL_NEARER = 0.002;
const MOVING_TRIANGLES = 150000; // of the level, while the camera moves on a machine without a GPU
const BEHIND_LEVEL_M = 0.7; // so far behind its level a mesh is still what was pointed at

export class Picture implements Omit<Drawer, "start"> {
    private readonly stage: Stage;
    private readonly camera: Camera;
    private readonly marks: Marks;
    private readonly layers = { ...LAYERS_AT_FIRST };

    private version: Version | null = null;
    private world: World | null = null;
    private level: Surface | null = null;
    private mesh: Surface | null = null;
    private walls: Lines | null = null;
    private edges: Lines | null = null;
    private links: THREE.Object3D | null = null;
    private tiles: THREE.Object3D | null = null;
    private squares: BakeSquares | null = null;
    private baked = { of: "", tiles: [] as { x: number; z: number }[] }; // tiles of the newest bake, which may not be shown yet
    private by: Colouring = "area";
    private colours: Colours | null = null;
    private top = Infinity;

    constructor(
        private readonly tell: (news: News) => void,
        onStill: () => void,
        ...[canvas, size, looks]: Parameters<Drawer["start"]>
    ) {
        this.stage = new Stage(canvas, size, looks);
        this.camera = new Camera(this.stage);
        this.marks = new Marks(this.stage, () => this.world, (pins) => tell({ pins }));
        this.stage.beforeDraw = () => this.beforeDraw();
        this.stage.onStill = onStill;
        this.stage.onLost = (lost) => tell({ lost });
    }

    get still(): boolean {
        return this.stage.still;
    }

    resize(size: Size): void {
        this.stage.resize(size);
    }

    setLooks(looks: Looks): void {
        this.stage.setLooks(looks);
        this.retheme();
    }

    // ---- what is drawn ----

    async show(version: Version, mesh: MeshData | null, anew: boolean): Promise<void> {
        this.empty();
        this.version = version;
        const frame = frameOfVersion(version);
        const reach = reachOf(version);
        this.world = { frame, mesh, reach: reach === null ? { min: [-1, -1, -1], max: [1, 1, 1] } : boxToScene(frame, reach) };
        this.camera.setScene(this.world.reach.min, this.world.reach.max, anew);
        this.marks.redraw();
        if (mesh !== null) {
            await this.addMesh(mesh);
        } else if (version.state === "baking" || version.state === "queued") {
            const grid = tileGridOf(version, frame);
            this.squares = grid && new BakeSquares(this.stage, grid);
            if (this.baked.of === nameOf(version)) {
                this.baked.tiles.forEach((tile) => this.squares?.add(tile));
            }
        }
    }

    clear(): void {
        this.empty();
        this.version = null;
        this.world = null;
        this.marks.redraw();
    }

    private empty(): void {
        for (const part of [this.level, this.mesh, this.walls, this.edges]) {
            part?.remove();
        }
        this.level = this.mesh = this.walls = this.edges = null;
        this.squares?.remove();
        this.squares = null;
        this.removeOverlays();
        this.colours = null;
        this.top = Infinity;
        this.stage.draw();
    }

    private removeOverlays(): void {
        for (const overlay of [this.links, this.tiles]) {
            if (overlay !== null) {
                this.stage.scene.remove(overlay);
                dispose(overlay);
            }
        }
        this.links = this.tiles = null;
    }

    private addOverlays(data: MeshData): void {
        this.removeOverlays();
        this.links = linkArcs(data.links, this.stage.theme.casing);
        this.tiles = tileBorders(data.tiles, tileGridOf(this.version!, this.world!.frame));
        this.stage.scene.add(this.links, this.tiles);
    }

    private async addMesh(data: MeshData): Promise<void> {
        const area = this.world!.reach;
        const size = (area.max[0] - area.min[0]) * (area.max[2] - area.min[2]);
        this.recolour(data, null);
        this.walls = new Lines(this.stage, WALL_NEARER, 2 * Math.sqrt(size / Math.max(1, data.ids.length)));
        this.edges = new Lines(this.stage, EDGE_NEARER, Math.sqrt(size / Math.max(1, data.ids.length)));
        const { walls, edges } = this;
        this.mesh = new Surface(
            this.stage,
            data,
            meshMaterial(MESH_NEARER),
            (chunk) => polygonTint(data, chunk, this.colours!.polygons),
            (chunk, number) => {
                const before = data.chunks[number - 1];
                walls.add(data.walls.subarray(before?.wallEnd ?? 0, chunk.wallEnd));
                edges.add(data.edges.subarray(before?.edgeEnd ?? 0, chunk.edgeEnd));
            },
        );
        this.retheme();
        await this.mesh.add();
    }

    async addLevel(data: LevelData): Promise<void> {
        this.level = new Surface(this.stage, data, levelMaterial(), (chunk) => plainTint(chunk, this.stage.theme.level));
        cutAt(this.level.material, this.top);
        this.showLayers();
        await this.level.add();
    }

    prepareMarks(): void {
        this.marks.prepare();
    }

    private recolour(data: MeshData, numbers: Numbers | null): void {
        this.colours = coloursOf(data, this.by, numbers ?? { values: new Float32Array(data.ids.length).fill(NaN), note: "" });
        this.tell({ legend: this.colours.legend });
    }

    colour(by: Colouring, numbers: Numbers | null): void {
        this.by = by;
        if (this.world?.mesh) {
            this.recolour(this.world.mesh, numbers);
            this.mesh?.tint();
        }
    }

    layer(layer: Layer, on: boolean): void {
        this.layers[layer] = on;
        this.showLayers();
    }

    private showLayers(): void {
        const parts: [Layer, THREE.Object3D | undefined | null][] = [
            ["level", this.level?.group],
            ["mesh", this.mesh?.group],
            ["edges", this.walls?.group],
            ["edges", this.edges?.group],
            ["links", this.links],
            ["tiles", this.tiles],
        ];
        for (const [layer, part] of parts) {
            if (part) {
                part.visible = this.layers[layer];
            }
        }
        this.stage.draw();
    }

    private retheme(): void {
        const { theme } = this.stage;
        this.walls?.colour(theme.wall);
        this.edges?.colour(theme.edge);
        this.level?.tint();
        if (this.world?.mesh) {
            this.addOverlays(this.world.mesh);
        }
        this.showLayers();
        this.marks.redraw();
    }

    cut(part: number): void {
        const reach = this.world?.reach;
        this.top = reach === undefined || part >= 1 ? Infinity : reach.min[1] + part * (reach.max[1] - reach.min[1]) + 0.01;
        for (const surface of [this.level, this.mesh]) {
            if (surface !== null) {
                cutAt(surface.material, this.top);
            }
        }
        this.walls?.cut(this.top);
        this.edges?.cut(this.top);
        this.stage.draw();
    }

    tileDone(of: Baking, tile: { x: number; z: number }): void {
        const name = nameOf(of);
        if (this.baked.of !== name) {
            this.baked = { of: name, tiles: [] };
        }
        this.baked.tiles.push(tile);
        if (this.version !== null && nameOf(this.version) === name) {
            this.squares?.add(tile);
        }
    }

    flyTo(at: Point | Bounds): void {
        if (this.world !== null) {
            const { frame } = this.world;
            if (Array.isArray(at)) {
                const place = toScene(frame, at);
                this.camera.flyTo(place.map((value) => value - 6) as Point, place.map((value) => value + 6) as Point);
            } else {
                const box = boxToScene(frame, at);
                this.camera.flyTo(box.min, box.max);
            }
        }
    }

    // ---- the camera ----

    turn(dx: number, dy: number): void {
        this.camera.turn(dx, dy);
    }

    pan(dx: number, dy: number): void {
        this.camera.pan(dx, dy);
    }

    zoom(factor: number, x?: number, y?: number): void {
        this.camera.zoom(factor, (x !== undefined && y !== undefined && this.meet(x, y)?.at) || undefined);
    }

    flyHome(): void {
        this.camera.flyHome();
    }

    flyTop(): void {
        this.camera.flyTop();
    }

    private beforeDraw(): void {
        const perMetre = this.stage.height / (2 * Math.tan((this.stage.camera.fov * Math.PI) / 360));
        this.walls?.choose((distance) => perMetre / distance);
        this.edges?.choose((distance) => perMetre / distance);
        this.level?.limit(this.stage.coarse ? MOVING_TRIANGLES : Infinity, this.camera.target);
        this.tell({ pins: this.marks.place(), looksAt: this.camera.target.toArray() as Point });
    }

    // ---- marks ----

    mark(marks: [string, Mark | null][]): void {
        marks.forEach(([id, mark]) => this.marks.set(id, mark));
    }

    // ---- where the user points ----

    private rayAt(x: number, y: number): Ray {
        const { width, height, camera } = this.stage;
        const at = new THREE.Vector3((x / width) * 2 - 1, 1 - (y / height) * 2, 0.5);
        const origin = camera.position;
        const direction = at.unproject(camera).sub(origin).normalize();
        return { origin: origin.toArray() as Point, direction: direction.toArray() as Point };
    }

    private meet(x: number, y: number): { at: Point; polygon: number | null } | null {
        const ray = this.rayAt(x, y);
        const hitOf = (surface: Surface | null, culled: boolean, limit: number): Hit | null =>
            surface === null || !surface.group.visible
                ? null
                : trace(surface.data.bvh, surface.data.positions, surface.data.index, ray, { limit, culled, top: this.top });
        const mesh = hitOf(this.mesh, false, Infinity);
        const level = hitOf(this.level, true, mesh?.distance ?? Infinity);
        const onMesh = mesh !== null && (level === null || mesh.distance < level.distance * 1.005 + BEHIND_LEVEL_M);
        const hit = onMesh ? mesh : level;
        if (hit === null) {
            return null;
        }
        const at = ray.origin.map((value, i) => value + hit.distance * ray.direction[i]) as Point;
        return { at, polygon: onMesh ? polygonOf(this.world!.mesh!, hit.triangle) : null };
    }

    pick(x: number, y: number, drag: boolean): Pick | null {
        if (drag) {
            this.stage.drawMoved();
        }
        const met = this.world === null ? null : this.meet(x, y);
        return met === null ? null : { point: toLevel(this.world!.frame, met.at), polygon: met.polygon };
    }
}

function nameOf({ mesh, version }: Baking): string {
    return `${mesh} ${version}`;
}

// The id of the polygon that a triangle belongs to.
function polygonOf(mesh: MeshData, triangle: number): number {
    let [low, high] = [0, mesh.ids.length];
    while (high - low > 1) {
        const middle = (low + high) >> 1;
        [low, high] = mesh.triangleFirst[middle] <= triangle ? [middle, high] : [low, middle];
    }
    return mesh.ids[low];
}
