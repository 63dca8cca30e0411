// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// make.ts: the view on the page: the canvas, what lies over it, and what the user does there. Meshes and levels go from
// the worker that reads them to the one that draws them.

import { h } from "../dom";
import type { Bounds, Version } from "../shapes";
import type { Numbers } from "./colours";
import { Controls } from "./controls";
import { frameOfVersion } from "./frame";
import { listen } from "./gestures";
import { hasLevel, type Loader } from "./load";
import { buffersOf, LAYERS_AT_FIRST, type Drawer, type LevelData, type Looks, type MeshData, type News, type Size, type Triangles } from "./messages";
import { clearances, regions, type Polygons } from "./numbers";
import { Pins } from "./pins";
import { Orders, type Done } from "./remote";
import type { Baking, Colouring, Layer, Mark, Pick, Point, View } from "./view";

type Listener = (pick: Pick) => void;
type DragListener = (id: string, pick: Pick, done: boolean) => void;

class PageView implements View {
    private readonly canvas = h("canvas", { tabindex: 0, "aria-label": "The level and its mesh in three dimensions" });
    private readonly worker = new Worker("/console/draw.js", { type: "module" });
    private readonly orders = new Orders<Drawer>(this.worker, (values) => this.given(values));
    private readonly drawer = this.orders.to;
    private readonly pins: Pins;
    private readonly controls: Controls;
    private readonly layers = { ...LAYERS_AT_FIRST };
    private readonly picks = new Set<Listener>();
    private readonly menus = new Set<Listener>();
    private readonly drags = new Set<DragListener>();
    private readonly dragged = new Map<string, { x: number; y: number; done: boolean }>(); // not yet told, by mark
    private readonly lastDrag = new Map<string, Pick>();
    private following = false;
    private readonly marked = new Set<string>();
    private readonly unsent = new Map<string, Mark | null>(); // marks that are not ordered yet
    private sending = false;
    private gone = false; // nothing is drawn any more
    private corner = { x: 0, y: 0 }; // of the canvas in the window, when it was last touched

    private stop = new AbortController();
    private version: Version | null = null;
    private agent = "default";
    private polygons: Polygons | null = null; // that are drawn
    private looksAt: Point = [0, 0, 0];
    private asking = new AbortController(); // about the colours
    private by: Colouring = "area";
    private marksReady = false; // or being made so

    constructor(
        private readonly root: HTMLElement,
        private readonly loader: Loader,
    ) {
        root.append(this.canvas);
        this.pins = new Pins(this.canvas, (id, x, y, done) => void this.drag(id, x, y, done));
        const { drawer } = this;
        const camera = {
            flyHome: () => void drawer.flyHome(),
            flyTop: () => void drawer.flyTop(),
            turn: (dx: number, dy: number) => void drawer.turn(dx, dy),
            pan: (dx: number, dy: number) => void drawer.pan(dx, dy),
            zoom: (factor: number, x?: number, y?: number) => void drawer.zoom(factor, ...(x === undefined ? [] : this.placeOf(x, y!))),
        };
        this.controls = new Controls(root, {
            ...camera,
            colour: (by) => void this.colour(by),
            layer: (layer, on) => this.layer(layer, on),
            cut: (part) => void drawer.cut(part),
        });
        for (const touch of ["pointerdown", "wheel"]) {
            root.addEventListener(touch, () => this.findCorner(), { capture: true, passive: true });
        }
        listen(this.canvas, {
            ...camera,
            click: (x, y) => void this.tell(this.picks, x, y),
            menu: (x, y) => void this.tell(this.menus, x, y),
        });
        this.start();
        this.showLayers();
    }

    // ---- the worker that draws ----

    private start(): void {
        const canvas = this.canvas.transferControlToOffscreen?.();
        if (canvas === undefined) {
            this.fail("this browser draws no 3D pictures (it has no canvas for workers); everything else works");
            return;
        }
        this.worker.onmessage = ({ data }: MessageEvent<Done | News>) => ("id" in data ? this.orders.done(data) : this.take(data));
        this.worker.onerror = ({ message }) => this.fail(`The picture is not drawn: what draws it has failed${message ? ` (${message})` : ""}.`);
        this.worker.onmessageerror = () => this.fail("The picture is not drawn: what draws it said what the page cannot read. Reload it.");
        this.drawer.start(canvas, this.size(), looksNow()).catch((error: Error) => this.fail(error.message));
        new ResizeObserver(() => void this.drawer.resize(this.size())).observe(this.root);
        onLooks(() => void this.drawer.setLooks(looksNow()));
    }

    // The picture is stale until the worker says that it has carried out all orders. Meshes, levels and the canvas are
    // handed over.
    private given(values: unknown[]): Transferable[] {
        this.canvas.removeAttribute("data-still");
        return values.flatMap((value) => (value instanceof OffscreenCanvas ? [value] : isTriangles(value) ? buffersOf(value) : []));
    }

    private size(): Size {
        return { width: Math.max(1, this.root.clientWidth), height: Math.max(1, this.root.clientHeight), ratio: devicePixelRatio };
    }

    // A sentence is in the place of the picture from now on; everything else works.
    private fail(why: string): void {
        this.gone = true;
        this.stop.abort();
        this.asking.abort();
        this.orders.end();
        this.worker.terminate();
        this.root.replaceChildren(h("p", { class: "none" }, why));
    }

    private take({ pins, legend, looksAt, lost, still }: News): void {
        if (pins !== undefined) {
            this.pins.place(pins);
        }
        if (legend !== undefined && this.polygons !== null) { // else it is of what has been cleared away
            this.controls.showLegend(legend);
        }
        this.looksAt = looksAt ?? this.looksAt;
        if (lost !== undefined) {
            this.controls.showLost(lost);
            this.canvas.removeAttribute("data-still");
        }
        if (still !== undefined) {
            this.canvas.toggleAttribute("data-still", still === this.orders.last && this.unsent.size === 0);
        }
    }

    // ---- what is drawn ----

    async show(version: Version, agent: string): Promise<void> {
        if (this.gone) {
            return;
        }
        this.stop.abort();
        this.stop = new AbortController();
        const { signal } = this.stop;
        this.controls.showBusy("Loading the mesh …");
        try {
            const mesh = version.state === "ready" ? await this.loader.mesh(version, agent, signal) : null;
            signal.throwIfAborted();
            const anew = this.version?.mesh !== version.mesh;
            this.version = version;
            this.agent = agent;
            this.forget();
            this.polygons = mesh && polygonsOf(mesh);
            if (mesh === null) {
                this.controls.showLegend(null);
            }
            const drawn = this.drawer.show(version, mesh, anew);
            this.showLayers();
            await drawn;
            signal.throwIfAborted();
            if (this.by === "region" || this.by === "clearance") {
                void this.colour(this.by);
            }
            void this.addLevel(version, signal);
        } catch (error) {
            if (this.gone) {
                return; // why is said in the place of the picture
            }
            if (!signal.aborted) {
                this.controls.showBusy(null);
            }
            throw error;
        }
    }

    clear(why: string | null): void {
        this.stop.abort();
        this.forget();
        this.version = null;
        void this.drawer.clear();
        this.controls.showBusy(why);
        this.controls.showLegend(null);
    }

    // The last version's.
    private forget(): void {
        this.asking.abort();
        this.polygons = null;
        this.controls.uncut();
    }

    private async addLevel(of: Version, signal: AbortSignal): Promise<void> {
        if (hasLevel(of)) {
            this.controls.showBusy("Loading the level …");
            let level: LevelData;
            try {
                level = await this.loader.level(of, signal);
            } catch (error) {
                if (!signal.aborted) { // the mesh is there without it
                    this.controls.showBusy(`The level is not drawn: ${error instanceof Error ? error.message : String(error)}.`);
                }
                return;
            }
            if (signal.aborted) {
                return;
            }
            void this.drawer.addLevel(level);
        }
        this.controls.showBusy(null);
        if (!this.marksReady) {
            this.marksReady = true;
            await this.drawer.prepareMarks();
        }
    }

    // Resolves once all polygons have their colours.
    private async colour(by: Colouring): Promise<void> {
        this.asking.abort();
        this.asking = new AbortController();
        const { signal } = this.asking;
        this.by = by;
        this.controls.showColouring(by);
        void this.drawer.colour(by, null);
        if (this.polygons === null || this.version === null) {
            return;
        }
        let last: Numbers | null = null;
        const tell = (numbers: Numbers): void => {
            if (signal.aborted) {
                return;
            }
            last = numbers;
            void this.drawer.colour(by, numbers);
        };
        const { mesh, version } = this.version;
        const of = { mesh, version, agent: this.agent, frame: frameOfVersion(this.version), polygons: this.polygons, near: this.looksAt };
        const ask = { region: regions, clearance: clearances }[by as "region" | "clearance"];
        try {
            await ask?.(of, tell, signal);
        } catch (error) {
            if (!signal.aborted) {
                const why = error instanceof Error ? error.message : String(error);
                tell({ ...(last ?? { values: unknown(this.polygons) }), note: `The daemon did not tell all: ${why}` });
            }
        }
    }

    private layer(layer: Layer, on: boolean): void {
        this.layers[layer] = on;
        void this.drawer.layer(layer, on);
        this.showLayers();
    }

    private showLayers(): void {
        const { layers, version } = this;
        for (const layer of Object.keys(layers) as Layer[]) {
            this.controls.showLayer(layer, layers[layer], layer !== "level" || version === null || hasLevel(version));
        }
    }

    tileDone(of: Baking, tile: { x: number; z: number }): void {
        void this.drawer.tileDone({ mesh: of.mesh, version: of.version }, tile);
    }

    flyTo(at: Point | Bounds): void {
        void this.drawer.flyTo(at);
    }

    // ---- marks ----

    mark(id: string, mark: Mark | null): void {
        if (mark === null && !this.marked.delete(id)) {
            return;
        }
        if (mark === null) {
            this.lastDrag.delete(id);
        } else {
            this.marked.add(id);
        }
        this.pins.set(id, mark);
        this.unsent.set(id, mark);
        this.canvas.removeAttribute("data-still");
        void this.sendMarks();
    }

    clearMarks(prefix: string): void {
        [...this.marked].filter((id) => id.startsWith(prefix)).forEach((id) => this.mark(id, null));
    }

    // Many may come at once, and faster than they are drawn: those that wait go in one order, once the last is done.
    private async sendMarks(): Promise<void> {
        if (this.sending) {
            return;
        }
        this.sending = true;
        try {
            await null;
            while (this.unsent.size > 0) {
                const marks = [...this.unsent];
                this.unsent.clear();
                await this.drawer.mark(marks);
            }
        } finally {
            this.sending = false;
        }
    }

    // ---- where the user points ----

    // From places of the window to those of the canvas.
    private placeOf(x: number, y: number): [number, number] {
        return [x - this.corner.x, y - this.corner.y];
    }

    // The page may have to be laid out for this: not at each move of something that is dragged.
    private findCorner(): void {
        const { left, top } = this.canvas.getBoundingClientRect();
        this.corner = { x: left, y: top };
    }

    private async tell(listeners: Set<Listener>, x: number, y: number): Promise<void> {
        const pick = await this.drawer.pick(...this.placeOf(x, y), false);
        if (pick) {
            listeners.forEach((listener) => listener(pick));
        }
    }

    // While a place is looked for, only the newest of each mark waits.
    private async drag(id: string, x: number, y: number, done: boolean): Promise<void> {
        this.dragged.set(id, { x, y, done });
        if (this.following) {
            return;
        }
        this.following = true;
        try {
            for (const [mark, to] of this.dragged) {
                this.dragged.delete(mark);
                const pick = (await this.drawer.pick(...this.placeOf(to.x, to.y), true)) ?? this.lastDrag.get(mark);
                if (pick !== undefined) {
                    this.lastDrag.set(mark, pick);
                    this.drags.forEach((listener) => listener(mark, pick, to.done));
                }
                if (to.done) {
                    this.lastDrag.delete(mark);
                }
            }
        } finally {
            this.following = false;
        }
    }

    onPick: View["onPick"] = (callback) => kept(this.picks, callback);
    onMenu: View["onMenu"] = (callback) => kept(this.menus, callback);
    onDrag: View["onDrag"] = (callback) => kept(this.drags, callback);

    async pickMiddle(): Promise<Pick | null> {
        const { width, height } = this.size();
        return (await this.drawer.pick(width / 2, height / 2, false)) ?? null;
    }
}

function looksNow(): Looks {
    const chosen = document.documentElement.dataset.theme;
    return {
        dark: chosen === undefined ? matchMedia("(prefers-color-scheme: dark)").matches : chosen === "dark",
        calm: matchMedia("(prefers-reduced-motion: reduce)").matches,
    };
}

function onLooks(callback: () => void): void {
    for (const about of ["(prefers-color-scheme: dark)", "(prefers-reduced-motion: reduce)"]) {
        matchMedia(about).addEventListener("change", callback);
    }
    new MutationObserver(callback).observe(document.documentElement, { attributeFilter: ["data-theme"] });
}

function isTriangles(value: unknown): value is Triangles {
    return typeof value === "object" && value !== null && "bvh" in value;
}

// What is kept here of a mesh that is handed over.
function polygonsOf({ ids, places, centres, tiles }: MeshData): Polygons {
    return { ids: ids.slice(), places: places.slice(), centres: centres.slice(), tiles };
}

function unknown({ ids }: Polygons): Float32Array {
    return new Float32Array(ids.length).fill(NaN);
}

function kept<T>(listeners: Set<T>, listener: T): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
}

export function makeView(root: HTMLElement, loader: Loader): View {
    return new PageView(root, loader);
}
