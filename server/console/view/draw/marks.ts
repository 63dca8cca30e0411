// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// marks.ts: what is drawn over the mesh: points, lines, polygons, steps, shapes and boxes. Labels, and points that can
// be dragged, are elements of the page (pins.ts), which is told their places in the picture: so they stay sharp and
// have no size of their own in the level.

import * as THREE from "three";
import { amount, TONES } from "../colours";
import { toScene, type Frame } from "../frame";
import { isPinned, type MeshData, type PinPlace } from "../messages";
import { prismOf, type Prism } from "../shapes";
import type { Mark, Point } from "../view";
import type { Stage } from "./stage";
import { dispose, keptMaterial, SCREEN, thickLines } from "./thick";

export interface World {
    frame: Frame;
    mesh: MeshData | null;
    reach: { min: Point; max: Point };
}

interface Drawn {
    mark: Mark;
    object: THREE.Object3D | null;
    pin: THREE.Vector3 | null; // where its element stands
}

const LINE_PX = 5;

export class Marks {
    private readonly drawn = new Map<string, Drawn>();

    constructor(
        private readonly stage: Stage,
        private readonly world: () => World | null,
        private readonly placed: (pins: PinPlace[]) => void,
    ) {}

    // Readies what marks are drawn with, a piece a frame, so that the first of them is no long task.
    prepare(): void {
        const line: Point[] = [[0, 0, 0], [0, 0, 0.001]];
        const style = { colour: 0, casing: "#000000", width: 1, throughWalls: true };
        const objects = [dots(line, 0, "#000000"), thickLines([{ points: line }], style), coloured([0, 0, 0, 0, 0, 0, 0, 0, 0], new Array(9).fill(0), false)];
        this.stage.inFrames(() => {
            this.stage.prepare(objects.pop()!);
            return objects.length === 0;
        });
    }

    set(id: string, mark: Mark | null): void {
        this.remove(id);
        const world = this.world();
        if (mark !== null) {
            const object = world === null ? null : this.objectOf(mark, world);
            if (object !== null) {
                this.stage.scene.add(object);
            }
            const at = world === null || !isPinned(mark) ? null : this.pinOf(mark, world);
            const drawn = { mark, object, pin: at && new THREE.Vector3(...at) };
            this.drawn.set(id, drawn);
            if (isPinned(mark)) {
                this.placed([this.placeOf(id, drawn)]); // it may be taken hold of before the next picture
            }
        }
        this.stage.draw();
    }

    // All of them anew: another mesh, or other colours.
    redraw(): void {
        for (const [id, { mark }] of [...this.drawn]) {
            this.set(id, mark);
        }
    }

    private remove(id: string): void {
        const object = this.drawn.get(id)?.object;
        if (object) {
            this.stage.scene.remove(object);
            dispose(object);
        }
        this.drawn.delete(id);
    }

    // ---- pins ----

    // Before each picture: where the pins stand in it.
    place(): PinPlace[] {
        SCREEN.screen.value.set(this.stage.width, this.stage.height);
        SCREEN.hither.value = this.stage.camera.near;
        SCREEN.pixels.value = this.stage.pixels;
        return [...this.drawn].filter(([, { pin }]) => pin !== null).map(([id, drawn]) => this.placeOf(id, drawn));
    }

    private placeOf(id: string, { pin }: Drawn): PinPlace {
        if (pin === null) {
            return { id, x: 0, y: 0, seen: false };
        }
        const { width, height, camera } = this.stage;
        const at = pin.clone().project(camera);
        const [x, y] = [((at.x + 1) / 2) * width, ((1 - at.y) / 2) * height];
        return { id, x, y, seen: at.z <= 1 && x >= -200 && x <= width + 200 && y >= -200 && y <= height + 200 };
    }

    private pinOf(mark: Mark, { frame, mesh, reach }: World): Point | null {
        if (mark.kind === "point") {
            return toScene(frame, mark.at);
        }
        if (mark.kind === "box") {
            const [a, b] = [toScene(frame, mark.min), toScene(frame, mark.max)];
            return [(a[0] + b[0]) / 2, Math.max(a[1], b[1]), (a[2] + b[2]) / 2];
        }
        if (mark.kind === "shape") {
            const prism = prismOf(frame, mark.shape, reach, mesh?.agent.height ?? 2);
            const middle = (axis: 0 | 1) => prism!.outline.reduce((sum, corner) => sum + corner[axis], 0) / prism!.outline.length;
            return prism === null ? null : [middle(0), prism.top, middle(1)];
        }
        return null;
    }

    // ---- in the scene ----

    private objectOf(mark: Mark, world: World): THREE.Object3D | null {
        const colour = TONES[mark.tone];
        switch (mark.kind) {
            case "point":
                return isPinned(mark) ? null : dots([toScene(world.frame, mark.at)], colour, this.stage.theme.casing);
            case "points":
                return mark.at.length === 0 ? null : dots(mark.at.map((at) => toScene(world.frame, at)), colour, this.stage.theme.casing);
            case "steps":
                return this.steps(mark.corners.map((corner) => toScene(world.frame, corner)), mark.seconds);
            case "line":
                return this.line(mark.points, colour, world);
            case "polygons":
                return world.mesh === null ? null : highlighted(world.mesh, mark.ids, mark.values, colour);
            case "shape":
                return this.prism(prismOf(world.frame, mark.shape, world.reach, world.mesh?.agent.height ?? 2), colour);
            case "box": {
                const [a, b] = [toScene(world.frame, mark.min), toScene(world.frame, mark.max)];
                const outline: [number, number][] = [[a[0], a[2]], [b[0], a[2]], [b[0], b[2]], [a[0], b[2]]];
                return this.strokes({ outline, bottom: Math.min(a[1], b[1]), top: Math.max(a[1], b[1]) }, colour);
            }
        }
    }

    private line(points: Point[], colour: number, world: World): THREE.Object3D | null {
        const placed = points.map((point) => toScene(world.frame, point));
        return placed.length < 2
            ? null
            : thickLines([{ points: placed }], { colour, casing: this.stage.theme.casing, width: LINE_PX, throughWalls: true });
    }

    // Later steps are brighter. They come as long as the object is in the scene.
    private steps(corners: Point[], seconds: number): THREE.Object3D {
        const count = corners.length / 3;
        const tints = corners.map((_, i) => new THREE.Color(amount(Math.floor(i / 3) / Math.max(1, count - 1))));
        const object = coloured(corners.flat(), tints.flatMap(({ r, g, b }) => [r, g, b]), false) as THREE.Mesh;
        const ends = corners.flatMap((corner, i) => (i % 3 === 1 ? [corners[i - 1], corner] : []));
        const rays = new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(ends.flat(), 3));
        const lines = new THREE.LineSegments(
            rays,
            keptMaterial("steps", () => new THREE.LineBasicMaterial({ color: TONES.note, transparent: true, opacity: 0.35, depthTest: false })),
        );
        lines.frustumCulled = false;
        object.add(lines);
        const begun = performance.now();
        const grow = (): boolean => {
            const part = this.stage.calm ? 1 : Math.min(1, (performance.now() - begun) / (1000 * seconds));
            const shown = Math.ceil(part * count);
            (object.geometry as THREE.BufferGeometry).setDrawRange(0, 3 * shown);
            rays.setDrawRange(0, 2 * shown);
            this.stage.draw();
            return part === 1;
        };
        if (!grow()) {
            this.stage.animate(() => object.parent === null || grow());
        }
        return object;
    }

    private prism(prism: Prism | null, colour: number): THREE.Object3D | null {
        if (prism === null || prism.outline.length < 3) {
            return null;
        }
        const group = new THREE.Group();
        const body = keptMaterial(`prism ${colour}`, () =>
            new THREE.MeshBasicMaterial({ color: colour, transparent: true, opacity: 0.28, side: THREE.DoubleSide, depthWrite: false }));
        group.add(new THREE.Mesh(prismGeometry(prism), body), this.strokes(prism, colour));
        return group;
    }

    private strokes(prism: Prism, colour: number): THREE.Object3D {
        const ring = (y: number) => ({ points: prism.outline.map(([x, z]): Point => [x, y, z]), closed: true });
        const strokes = [ring(prism.bottom), ring(prism.top)];
        if (prism.outline.length <= 8) {
            strokes.push(...prism.outline.map(([x, z]) => ({ points: [[x, prism.bottom, z], [x, prism.top, z]] as Point[], closed: false })));
        }
        return thickLines(strokes, { colour, casing: this.stage.theme.casing, width: 2, throughWalls: true });
    }
}

// Round dots of a fixed size in the picture.
function dots(points: Point[], colour: number, casing: string): THREE.Object3D {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(points.flat(), 3));
    const material = keptMaterial(`dots ${colour} ${casing}`, () => new THREE.ShaderMaterial({
        vertexShader: `uniform float pixels;
        void main() {
            vec4 seen = modelViewMatrix * vec4(position, 1.0);
            seen.xyz *= 0.993;
            gl_Position = projectionMatrix * seen;
            gl_PointSize = 12.0 * pixels;
        }`,
        fragmentShader: `uniform vec3 colour; uniform vec3 casing;
        void main() {
            float far = length(gl_PointCoord - 0.5);
            if (far > 0.5) discard;
            gl_FragColor = vec4(far > 0.33 ? casing : colour, 1.0);
        }`,
        uniforms: { ...SCREEN, colour: { value: new THREE.Color(colour) }, casing: { value: new THREE.Color(casing) } },
    }));
    const object = new THREE.Points(geometry, material);
    object.frustumCulled = false;
    return object;
}

// Polygons in one colour, or each in that of its value.
function highlighted(mesh: MeshData, ids: number[], values: number[] | undefined, colour: number): THREE.Object3D {
    const most = values?.reduce((a, b) => Math.max(a, b), 0) || 1;
    const positions: number[] = [];
    const colours: number[] = [];
    const plain = new THREE.Color(colour);
    ids.forEach((id, i) => {
        const place = mesh.places[id] ?? -1;
        if (place < 0) {
            return;
        }
        const tint = values === undefined ? plain : new THREE.Color(amount(1 - values[i] / most));
        for (let k = 3 * mesh.triangleFirst[place]; k < 3 * mesh.triangleFirst[place + 1]; k++) {
            const v = 3 * mesh.index[k];
            positions.push(mesh.positions[v], mesh.positions[v + 1], mesh.positions[v + 2]);
            colours.push(tint.r, tint.g, tint.b);
        }
    });
    return coloured(positions, colours, values !== undefined);
}

// Triangles with a colour at each corner.
function coloured(positions: number[], colours: number[], opaque: boolean): THREE.Object3D {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(positions, 3));
    geometry.setAttribute("tint", new THREE.Float32BufferAttribute(colours, 3));
    const material = keptMaterial(`polygons ${opaque}`, () => new THREE.ShaderMaterial({
        vertexShader: `attribute vec3 tint; varying vec3 base;
        void main() {
            base = tint;
            vec4 seen = modelViewMatrix * vec4(position, 1.0);
            seen.xyz *= 0.9965;
            gl_Position = projectionMatrix * seen;
        }`,
        fragmentShader: `varying vec3 base; uniform float opacity; void main() { gl_FragColor = vec4(base, opacity); }`,
        uniforms: { opacity: { value: opaque ? 0.85 : 0.45 } },
        transparent: true,
        depthWrite: false,
        side: THREE.DoubleSide,
    }));
    const object = new THREE.Mesh(geometry, material);
    object.frustumCulled = false;
    return object;
}

// The sides and the top of a prism, as triangles; an outline that is not convex is cut into triangles, too.
function prismGeometry({ outline, bottom, top }: Prism): THREE.BufferGeometry {
    const positions: number[] = [];
    outline.forEach(([x, z], i) => {
        const [nx, nz] = outline[(i + 1) % outline.length];
        positions.push(x, bottom, z, nx, bottom, nz, nx, top, nz, x, bottom, z, nx, top, nz, x, top, z);
    });
    const plan = outline.map(([x, z]) => new THREE.Vector2(x, z));
    for (const corners of THREE.ShapeUtils.triangulateShape(plan, []) as unknown as number[][]) {
        corners.forEach((corner) => positions.push(outline[corner][0], top, outline[corner][1]));
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(positions, 3));
    return geometry;
}
