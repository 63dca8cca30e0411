// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// stage.ts: the canvas that is drawn on, its camera, and when it is drawn: only after something has changed, and not
// before the last picture is done, since calls of WebGL that come earlier wait for it, and the page's orders with them.
// A GPU draws at least four pixels for one of the page: where the screen has one for that, edges are smoothed; where it
// has four, they are as fine as it shows. Without a GPU it is one, and fewer while something moves.

import * as THREE from "three";
import type { Looks, Size } from "../messages";

const SLOW_FRAME_MS = 45;
const MOVING_MS = 180; // after the last move, before all pixels are drawn again
const WORKING_MS = 300; // between two pictures while work goes on

export interface Theme {
    dark: boolean;
    sky: number;
    level: number;
    wall: number; // edges where the mesh ends
    edge: number;
    casing: string; // around lines and pins
}

const LIGHT: Theme = { dark: false, sky: 0xeef1f4, level: 0xcfd3d8, wall: 0x24384c, edge: 0x5c7891, casing: "#ffffff" };
const DARK: Theme = { dark: true, sky: 0x14171a, level: 0x4a5159, wall: 0xe3ecf5, edge: 0x1d2b38, casing: "#0d1013" };

function drawsBySoftware(gl: WebGLRenderingContext): boolean {
    const about = gl.getExtension("WEBGL_debug_renderer_info");
    return about !== null && /swiftshader|llvmpipe|software|basic render/i.test(String(gl.getParameter(about.UNMASKED_RENDERER_WEBGL)));
}

export class Stage {
    readonly scene = new THREE.Scene();
    readonly camera = new THREE.PerspectiveCamera(45, 1, 0.1, 1000);
    theme = LIGHT;
    calm = false; // nothing is to fly or to grow
    // Called before each picture; and after the last that there is to draw.
    beforeDraw: () => void = () => {};
    onStill: () => void = () => {};
    onLost: (lost: boolean) => void = () => {}; // the GPU has forgotten all of the picture, or can draw again

    width = 1; // pixels of the page
    height = 1;
    private ratio = 1; // of the screen's pixels to those
    private readonly renderer: THREE.WebGLRenderer;
    private readonly bySoftware: boolean;
    pixels = 1; // drawn a side for one of the page
    private readonly fences: WebGL2RenderingContext | null;
    private fence: WebGLSync | null = null; // of the last picture
    private waiting = false; // for the next frame
    private stale = true; // something has changed since the last picture
    private moved = 0;
    private drawn = 0;
    private slow = 0; // how many frames in a row were
    coarse = false; // the camera moves, and frames come slowly
    private settle: ReturnType<typeof setTimeout> | undefined;
    private readonly work: (() => boolean)[] = [];
    private readonly steps = new Set<() => boolean>();

    constructor(canvas: OffscreenCanvas, size: Size, looks: Looks) {
        const wanted = { antialias: false, powerPreference: "high-performance" } as const;
        [canvas.width, canvas.height] = [size.width, size.height]; // making it larger later is slow
        this.fences = canvas.getContext("webgl2", wanted) as WebGL2RenderingContext | null;
        const context = this.fences ?? (canvas.getContext("webgl", wanted) as WebGLRenderingContext | null);
        if (context === null) {
            throw new Error("this browser draws no 3D pictures (it has no WebGL); everything else works");
        }
        this.bySoftware = drawsBySoftware(context as WebGLRenderingContext);
        this.renderer = new THREE.WebGLRenderer({ canvas: canvas as unknown as HTMLCanvasElement, context: context as WebGLRenderingContext });
        this.renderer.sortObjects = true;
        canvas.addEventListener("webglcontextlost", () => this.onLost(true));
        canvas.addEventListener("webglcontextrestored", () => this.restored()); // after three.js has made it anew
        this.setLooks(looks);
        this.resize(size);
        this.markEnd();
    }

    setLooks({ dark, calm }: Looks): void {
        this.theme = dark ? DARK : LIGHT;
        this.calm = calm;
        this.renderer.setClearColor(this.theme.sky);
        this.draw();
    }

    private restored(): void {
        this.fence = null;
        this.renderer.setClearColor(this.theme.sky);
        this.draw();
        this.onLost(false);
    }

    resize({ width, height, ratio }: Size): void {
        [this.width, this.height, this.ratio] = [width, height, ratio];
        this.fit();
    }

    private fit(): void {
        this.pixels = (this.coarse ? 0.5 : 1) * (this.bySoftware ? 1 : Math.min(3, Math.max(2, this.ratio)));
        this.renderer.setDrawingBufferSize(this.width, this.height, this.pixels);
        this.camera.aspect = this.width / this.height;
        this.camera.updateProjectionMatrix();
        this.draw();
    }

    // Whether there is nothing to draw.
    get still(): boolean {
        return !this.waiting && !this.coarse;
    }

    // Draws a picture with the next frame.
    draw(): void {
        this.stale = true;
        this.schedule();
    }

    private schedule(): void {
        if (!this.waiting) {
            this.waiting = true;
            requestAnimationFrame((now) => this.frame(now));
        }
    }

    // As draw(), while the camera moves or a mark is dragged: where frames come slowly, with fewer pixels.
    drawMoved(): void {
        this.moved = performance.now();
        clearTimeout(this.settle);
        this.settle = setTimeout(() => this.sharpen(), MOVING_MS);
        this.draw();
    }

    // Readies the programs that an object is drawn with, before there is one to be drawn.
    prepare(object: THREE.Object3D): void {
        this.renderer.compile(object as THREE.Scene, this.camera);
    }

    // Calls a step before each picture, which changes something, until it says that it was the last. Returns what ends it.
    animate(step: () => boolean): () => void {
        this.steps.add(step);
        this.schedule();
        return () => this.steps.delete(step);
    }

    // Does a piece of work in each frame until it says that it is done. Then there is a picture, and now and then before.
    inFrames(work: () => boolean): void {
        this.work.push(work);
        this.schedule();
    }

    private sharpen(): void {
        this.slow = 0;
        if (this.coarse) {
            this.coarse = false;
            this.fit();
        }
    }

    private isBusy(): boolean {
        const gl = this.fences;
        if (gl === null || this.fence === null) {
            return false;
        }
        if (gl.getSyncParameter(this.fence, gl.SYNC_STATUS) === gl.UNSIGNALED) {
            return true;
        }
        gl.deleteSync(this.fence);
        this.fence = null;
        return false;
    }

    // The end of what the GPU has been told so far; the next frame waits for it.
    private markEnd(): void {
        this.fence = this.fences?.fenceSync(this.fences.SYNC_GPU_COMMANDS_COMPLETE, 0) ?? null;
        this.fences?.flush();
    }

    // Whether the picture is to have fewer pixels from now on: frames have come slowly for a while.
    private isSlow(now: number): boolean {
        const moves = performance.now() - this.moved < MOVING_MS;
        const late = now - this.drawn > SLOW_FRAME_MS && now - this.drawn < 1000;
        this.slow = moves && late ? this.slow + 1 : 0;
        return this.slow > 3 && !this.coarse;
    }

    // Until the next frame is asked for, what changes is in this picture.
    private frame(now: number): void {
        if (this.isBusy()) {
            requestAnimationFrame((later) => this.frame(later));
            return;
        }
        for (const step of this.steps) {
            if (step()) {
                this.steps.delete(step);
            }
        }
        const work = this.work.shift();
        if (work !== undefined && !work()) {
            this.work.unshift(work);
        }
        const draws = this.stale || this.work.length === 0 || now - this.drawn >= WORKING_MS;
        if (draws && this.isSlow(now)) {
            this.coarse = true;
            this.fit();
        }
        this.waiting = false;
        if (this.steps.size > 0 || this.work.length > 0) {
            this.schedule();
        }
        if (!draws) {
            this.markEnd();
            return;
        }
        this.drawn = now;
        this.stale = false;
        this.beforeDraw();
        this.renderer.render(this.scene, this.camera);
        this.markEnd();
        if (this.still) {
            this.onStill();
        }
    }
}
