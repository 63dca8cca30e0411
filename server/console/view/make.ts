// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// make.ts: the view: puts together the stage, the camera, what is loaded, marks and controls.

import * as THREE from "three";
import { h } from "../dom";
import type { Version } from "../shapes";
import { trace, type Hit, type Ray } from "./bvh";
import { Camera } from "./camera";
import { coloursOf, type Colours, type Numbers } from "./colours";
import { Controls } from "./controls";
import { boxToScene, frameOfVersion, reachOf, toLevel, toScene } from "./frame";
import { listen } from "./gestures";
import { hasLevel, type Loader } from "./load";
import { Marks, type World } from "./marks";
import type { LevelData, MeshData } from "./messages";
import { clearances, regions, type Of } from "./numbers";
import { BakeSquares, linkArcs, tileBorders, tileGridOf } from "./overlays";
import { Stage } from "./stage";
import { cutAt, levelMaterial, Lines, meshMaterial, plainTint, polygonTint, Surface } from "./surface";
import { dispose } from "./thick";
import type { Colouring, Layer, Pick, Point, View } from "./view";

const MESH_NEARER = 0.0012;
const EDGE_NEARER = 0.0017;
const WALL_NEARER = 0.002;
const MOVING_TRIANGLES = 150000; // of the level, while the camera moves on a machine without a GPU
const BEFORE_LEVEL_M = 0.7; // so much below its level a mesh is still what was pointed at

type Listener = (pick: Pick) => void;
type DragListener = (id: string, pick: Pick, done: boolean) => void;

class Picture implements View {
    private readonly stage: Stage;
    private readonly camera: Camera;
    private readonly marks: Marks;
    private readonly controls: Controls;
    private readonly layers: Record<Layer, boolean> = { level: true, mesh: true, edges: true, links: true, tiles: false };
    private readonly picks = new Set<Listener>();
    private readonly menus = new Set<Listener>();
    private readonly drags = new Set<DragListener>();
    private lastDrag: Pick | null = null;

    private stop = new AbortController();
    private version: Version | null = null;
    private world: World | null = null;
    private level: Surface | null = null;
    private mesh: Surface | null = null;
    private walls: Lines | null = null;
    private edges: Lines | null = null;
    private links: THREE.Object3D | null = null;
    private tiles: THREE.Object3D | null = null;
    private squares: BakeSquares | null = null;
    private early: { x: number; z: number }[] | null = []; // tiles that are done before the version is shown
    private agent = "default";
    private asking = new AbortController(); // about the colours
    private by: Colouring = "area";
    private colours: Colours | null = null;
    private numbers: Numbers = { values: new Float32Array(0), note: "" };
    private top = Infinity;

    constructor(
        root: HTMLElement,
        private readonly loader: Loader,
    ) {
        const canvas = h("canvas", { tabindex: 0, "aria-label": "The level and its mesh in three dimensions" });
        root.append(canvas);
        this.stage = new Stage(canvas);
        this.camera = new Camera(this.stage);
        this.marks = new Marks(this.stage, () => this.world, (id, x, y, done) => this.drag(id, x, y, done));
        this.controls = new Controls(root, {
            colour: (by) => void this.colour(by),
            layer: (layer, on) => this.layer(layer, on),
            home: () => this.camera.flyHome(),
            top: () => this.camera.flyTop(),
            zoom: (factor) => this.camera.zoom(factor),
            cut: (part) => this.cut(part),
        });
        listen(canvas, this.camera, {
            click: (x, y) => this.tell(this.picks, x, y),
            menu: (x, y) => this.tell(this.menus, x, y),
            placeAt: (x, y) => this.meet(x, y)?.at ?? null,
        });
        this.stage.beforeDraw = (width, height) => this.beforeDraw(width, height);
        this.stage.onTheme = () => this.retheme();
        this.showLayers();
    }

    // ---- what is drawn ----

    async show(version: Version, agent: string): Promise<void> {
        this.stop.abort();
        this.stop = new AbortController();
        const { signal } = this.stop;
        const before = this.version;
        this.early ??= [];
        this.controls.showBusy("Loading the mesh …");
        try {
            const frame = frameOfVersion(version);
            const data = version.state === "ready" ? await this.loader.mesh(version, agent, signal) : null;
            signal.throwIfAborted();
            this.empty();
            this.version = version;
            this.agent = agent;
            const reach = reachOf(version);
            this.world = { frame, mesh: data, reach: reach === null ? { min: [-1, -1, -1], max: [1, 1, 1] } : boxToScene(frame, reach) };
            this.camera.setScene(this.world.reach.min, this.world.reach.max, before?.mesh !== version.mesh);
            this.marks.redraw();
            if (data !== null) {
                await this.addMesh(data, signal);
            } else if (version.state === "baking" || version.state === "queued") {
                const grid = tileGridOf(version, frame);
                this.squares = grid && new BakeSquares(this.stage, grid);
                this.early?.forEach((tile) => this.squares?.add(tile));
            }
            this.early = null;
            void this.addLevel(version, signal).then(() => this.marks.prepare());
        } catch (error) {
            if (!signal.aborted) {
                this.controls.showBusy(null);
            }
            throw error;
        }
    }

    clear(): void {
        this.stop.abort();
        this.empty();
        this.version = null;
        this.world = null;
        this.marks.redraw();
        this.controls.showBusy(null);
        this.controls.showLegend(null);
    }

    private empty(): void {
        for (const part of [this.level, this.mesh, this.walls, this.edges]) {
            part?.remove();
        }
        this.level = this.mesh = this.walls = this.edges = null;
        this.asking.abort();
        this.squares?.remove();
        this.squares = null;
        this.removeOverlays();
        this.colours = null;
        this.top = Infinity;
        this.controls.uncut();
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

    private async addMesh(data: MeshData, signal: AbortSignal): Promise<void> {
        const area = this.world!.reach;
        const size = (area.max[0] - area.min[0]) * (area.max[2] - area.min[2]);
        this.numbers = unknown(data);
        this.recolour(data);
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
        signal.throwIfAborted();
        if (this.by === "region" || this.by === "clearance") {
            void this.colour(this.by);
        }
    }

    private async addLevel(of: Version, signal: AbortSignal): Promise<void> {
        this.controls.showBusy(hasLevel(of) ? "Loading the level …" : null);
        if (!hasLevel(of)) {
            return;
        }
        let data: LevelData;
        try {
            data = await this.loader.level(of, signal);
        } catch (error) {
            if (!signal.aborted) { // the mesh is there without it
                this.controls.showBusy(`The level is not drawn: ${error instanceof Error ? error.message : String(error)}.`);
            }
            return;
        }
        if (!signal.aborted) {
            this.level = new Surface(this.stage, data, levelMaterial(), (chunk) => plainTint(chunk, this.stage.theme.level));
            cutAt(this.level.material, this.top);
            this.showLayers();
            this.controls.showBusy(null);
            await this.level.add();
        }
    }

    private recolour(data: MeshData): void {
        this.colours = coloursOf(data, this.by, this.numbers);
        this.controls.showColouring(this.by);
        this.controls.showLegend(this.colours.legend);
    }

    // Resolves once all polygons have their colours.
    private async colour(by: Colouring): Promise<void> {
        this.asking.abort();
        this.asking = new AbortController();
        const { signal } = this.asking;
        this.by = by;
        this.controls.showColouring(by);
        const data = this.world?.mesh;
        if (!data || this.version === null) {
            return;
        }
        this.tint(data, unknown(data));
        const of: Of = {
            mesh: this.version.mesh,
            version: this.version.version,
            agent: this.agent,
            frame: this.world!.frame,
            data,
            near: this.camera.target.toArray(),
        };
        const ask = { region: regions, clearance: clearances }[by as "region" | "clearance"];
        try {
            await ask?.(of, (numbers) => this.tint(data, numbers), signal);
        } catch (error) {
            if (!signal.aborted) {
                const why = error instanceof Error ? error.message : String(error);
                this.tint(data, { ...this.numbers, note: `The daemon did not tell all: ${why}` });
            }
        }
    }

    private tint(data: MeshData, numbers: Numbers): void {
        if (this.world?.mesh === data) {
            this.numbers = numbers;
            this.recolour(data);
            this.mesh?.tint();
        }
    }

    private layer(layer: Layer, on: boolean): void {
        this.layers[layer] = on;
        this.showLayers();
    }

    private showLayers(): void {
        const { layers } = this;
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
                part.visible = layers[layer];
            }
        }
        const there = this.world !== null;
        for (const layer of Object.keys(layers) as Layer[]) {
            this.controls.showLayer(layer, layers[layer], !there || layer !== "level" || (this.version !== null && hasLevel(this.version)));
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

    private cut(part: number): void {
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

    tileDone(tile: { x: number; z: number }): void {
        this.squares?.add(tile);
        this.early?.push(tile);
    }

    flyTo(at: Point | { min: Point; max: Point }): void {
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

    private beforeDraw(width: number, height: number): void {
        const perMetre = height / (2 * Math.tan((this.stage.camera.fov * Math.PI) / 360));
        this.walls?.choose((distance) => perMetre / distance);
        this.edges?.choose((distance) => perMetre / distance);
        this.level?.limit(this.stage.coarse ? MOVING_TRIANGLES : Infinity, this.camera.target);
        this.marks.place(width, height);
    }

    // ---- marks ----

    mark: View["mark"] = (id, mark) => this.marks.set(id, mark);
    clearMarks: View["clearMarks"] = (prefix) => this.marks.clear(prefix);

    // ---- where the user points ----

    private rayAt(x: number, y: number): Ray {
        const box = this.stage.canvas.getBoundingClientRect();
        const at = new THREE.Vector3(((x - box.left) / box.width) * 2 - 1, 1 - ((y - box.top) / box.height) * 2, 0.5);
        const origin = this.stage.camera.position;
        const direction = at.unproject(this.stage.camera).sub(origin).normalize();
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
        const onMesh = mesh !== null && (level === null || mesh.distance < level.distance * 1.005 + BEFORE_LEVEL_M);
        const hit = onMesh ? mesh : level;
        if (hit === null) {
            return null;
        }
        const at = ray.origin.map((value, i) => value + hit.distance * ray.direction[i]) as Point;
        return { at, polygon: onMesh ? polygonOf(this.world!.mesh!, hit.triangle) : null };
    }

    private pick(x: number, y: number): Pick | null {
        const met = this.world === null ? null : this.meet(x, y);
        return met === null ? null : { point: toLevel(this.world!.frame, met.at), polygon: met.polygon };
    }

    private tell(listeners: Set<Listener>, x: number, y: number): void {
        const pick = this.pick(x, y);
        if (pick !== null) {
            listeners.forEach((listener) => listener(pick));
        }
    }

    private drag(id: string, x: number, y: number, done: boolean): void {
        const pick = this.pick(x, y) ?? this.lastDrag;
        this.lastDrag = done ? null : pick;
        this.stage.drawMoved();
        if (pick !== null) {
            this.drags.forEach((listener) => listener(id, pick, done));
        }
    }

    onPick: View["onPick"] = (callback) => kept(this.picks, callback);
    onMenu: View["onMenu"] = (callback) => kept(this.menus, callback);
    onDrag: View["onDrag"] = (callback) => kept(this.drags, callback);

    pickMiddle(): Pick | null {
        const box = this.stage.canvas.getBoundingClientRect();
        return this.pick(box.left + box.width / 2, box.top + box.height / 2);
    }
}

// Numbers of which none is known yet.
function unknown(data: MeshData): Numbers {
    return { values: new Float32Array(data.ids.length).fill(NaN), note: "" };
}

function kept<T>(listeners: Set<T>, listener: T): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
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

// A browser without 3D pictures gets a sentence in their place; everything else works.
function withoutPicture(root: HTMLElement, why: string): View {
    root.replaceChildren(h("p", { class: "none" }, why));
    return {
        show: async () => {},
        clear: () => {},
        tileDone: () => {},
        flyTo: () => {},
        mark: () => {},
        clearMarks: () => {},
        onPick: () => () => {},
        onMenu: () => () => {},
        onDrag: () => () => {},
        pickMiddle: () => null,
    };
}

export function makeView(root: HTMLElement, loader: Loader): View {
    try {
        return new Picture(root, loader);
    } catch (error) {
        return withoutPicture(root, error instanceof Error ? error.message : String(error));
    }
}
