// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// surface.ts: a mesh or a level as a few objects of the scene, a chunk each, put there over several
// frames so that none is long. Its shaders make one colour a polygon, light from above, and draw what lies on
// something else a little nearer to the eye than it is, which keeps it from flickering through.

import * as THREE from "three";
import type { Chunk, MeshData, Triangles } from "../messages";
import type { Stage } from "./stage";

const VERTEX = `
attribute vec4 tint;
uniform float nearer;
varying vec3 place;
varying vec3 base;
void main() {
    place = position;
    base = tint.rgb;
    vec4 seen = modelViewMatrix * vec4(position, 1.0);
    seen.xyz *= 1.0 - nearer;
    gl_Position = projectionMatrix * seen;
}`;

const FRAGMENT = `
uniform float top;
varying vec3 place;
varying vec3 base;
void main() {
    #ifdef CUT
    if (place.y > top) discard;
    #endif
    #ifdef LIT
    vec3 n = normalize(cross(dFdx(place), dFdy(place)));
    #ifdef UP
    n *= n.y < 0.0 ? -1.0 : 1.0;
    #endif
    float light = 0.80 + 0.16 * n.y + 0.10 * dot(n, vec3(0.55, 0.2, 0.35));
    gl_FragColor = vec4(base * light, 1.0);
    #else
    gl_FragColor = vec4(base, 1.0);
    #endif
}`;

const DERIVATIVES = { derivatives: true, fragDepth: false, drawBuffers: false, shaderTextureLOD: false };

// Of a level only the fronts of triangles are drawn, so that one sees into rooms from outside.
export function levelMaterial(): THREE.ShaderMaterial {
    return new THREE.ShaderMaterial({
        vertexShader: VERTEX,
        fragmentShader: FRAGMENT,
        uniforms: { nearer: { value: 0 }, top: { value: 0 } },
        defines: { LIT: 1 },
        extensions: DERIVATIVES,
    });
}

export function meshMaterial(nearer: number): THREE.ShaderMaterial {
    return new THREE.ShaderMaterial({
        vertexShader: VERTEX,
        fragmentShader: FRAGMENT,
        uniforms: { nearer: { value: nearer }, top: { value: 0 } },
        defines: { LIT: 1, UP: 1 },
        side: THREE.DoubleSide,
        extensions: DERIVATIVES,
    });
}

// Above the height `top` nothing is drawn; Infinity: all.
export function cutAt(of: THREE.ShaderMaterial, top: number): void {
    const cuts = Number.isFinite(top);
    if (cuts !== "CUT" in of.defines) {
        if (cuts) {
            of.defines.CUT = 1;
        } else {
            delete of.defines.CUT;
        }
        of.needsUpdate = true;
    }
    of.uniforms.top.value = cuts ? top : 0;
}

function localIndex(data: Triangles, chunk: Chunk): THREE.BufferAttribute {
    const count = chunk.vertexEnd - chunk.vertexFirst;
    const source = data.index.subarray(3 * chunk.triangleFirst, 3 * chunk.triangleEnd);
    const out = count <= 65535 ? new Uint16Array(source.length) : new Uint32Array(source.length);
    for (let i = 0; i < source.length; i++) {
        out[i] = source[i] - chunk.vertexFirst;
    }
    return new THREE.BufferAttribute(out, 1);
}

function chunkGeometry(data: Triangles, chunk: Chunk): THREE.BufferGeometry {
    const geometry = new THREE.BufferGeometry();
    const positions = data.positions.subarray(3 * chunk.vertexFirst, 3 * chunk.vertexEnd);
    geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
    geometry.setIndex(localIndex(data, chunk));
    geometry.computeBoundingSphere();
    return geometry;
}

function lineGeometry(lines: Float32Array): THREE.BufferGeometry {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(lines, 3));
    geometry.computeBoundingSphere();
    return geometry;
}

// A surface is a group of chunks; adding goes on over several frames, and stops when it is removed.
export class Surface {
    readonly group = new THREE.Group();
    readonly added: { chunk: Chunk; mesh: THREE.Mesh }[] = [];
    private gone = false;
    private tinting: Surface["added"] | null = null;

    constructor(
        private readonly stage: Stage,
        readonly data: Triangles,
        readonly material: THREE.ShaderMaterial,
        private readonly tintOf: (chunk: Chunk) => THREE.BufferAttribute,
        private readonly withChunk: (chunk: Chunk, number: number) => void = () => {},
    ) {
        stage.scene.add(this.group);
    }

    // Resolves after the frame in which the last of it was put there.
    add(): Promise<void> {
        let next = 0;
        return new Promise((resolve) =>
            this.stage.inFrames(() => {
                const until = performance.now() + 5;
                while (!this.gone && next < this.data.chunks.length && performance.now() < until) {
                    const chunk = this.data.chunks[next];
                    const geometry = chunkGeometry(this.data, chunk);
                    geometry.setAttribute("tint", this.tintOf(chunk));
                    const mesh = new THREE.Mesh(geometry, this.material);
                    mesh.matrixAutoUpdate = false;
                    this.group.add(mesh);
                    this.added.push({ chunk, mesh });
                    this.withChunk(chunk, next);
                    next++;
                }
                const done = this.gone || next === this.data.chunks.length;
                if (done) {
                    requestAnimationFrame(() => resolve());
                }
                return done;
            }),
        );
    }

    // Gives the chunks new colours, one a frame. Chunks that are asked again come after those that wait, so that
    // each has its turn however often it is asked.
    tint(): void {
        const waiting = this.tinting ?? [];
        this.tinting = [...waiting, ...this.added.filter((each) => !waiting.includes(each))];
        if (waiting.length > 0) {
            return;
        }
        this.stage.inFrames(() => {
            const next = this.gone ? undefined : this.tinting!.shift();
            if (next !== undefined) {
                const geometry = next.mesh.geometry as THREE.BufferGeometry;
                const attribute = geometry.getAttribute("tint") as THREE.BufferAttribute;
                attribute.array = this.tintOf(next.chunk).array;
                attribute.needsUpdate = true;
            }
            const done = this.gone || this.tinting!.length === 0;
            this.tinting = done ? null : this.tinting;
            return done;
        });
    }

    // Draws no more than this many triangles: the chunks that are nearest to a place.
    limit(triangles: number, near: THREE.Vector3): void {
        const far = ({ mesh }: Surface["added"][number]): number => {
            const { center, radius } = (mesh.geometry as THREE.BufferGeometry).boundingSphere!;
            return center.distanceTo(near) - radius;
        };
        const order = Number.isFinite(triangles) ? [...this.added].sort((a, b) => far(a) - far(b)) : this.added;
        let count = 0;
        for (const { chunk, mesh } of order) {
            count += chunk.triangleEnd - chunk.triangleFirst;
            mesh.visible = count <= triangles;
        }
    }

    remove(): void {
        this.gone = true;
        this.stage.scene.remove(this.group);
        for (const child of this.group.children) {
            (child as THREE.Mesh).geometry.dispose();
        }
        this.material.dispose();
    }
}

// One colour for all vertices of a chunk.
export function plainTint(chunk: Chunk, colour: number): THREE.BufferAttribute {
    const out = new Uint8Array(4 * (chunk.vertexEnd - chunk.vertexFirst));
    for (let i = 0; i < out.length; i += 4) {
        out[i] = colour >> 16;
        out[i + 1] = (colour >> 8) & 255;
        out[i + 2] = colour & 255;
        out[i + 3] = 255;
    }
    return new THREE.BufferAttribute(out, 4, true);
}

// The colour of each polygon, 0xrrggbb, at its vertices.
export function polygonTint(data: MeshData, chunk: Chunk, colours: Uint32Array): THREE.BufferAttribute {
    const out = new Uint8Array(4 * (chunk.vertexEnd - chunk.vertexFirst));
    let at = 0;
    for (let polygon = chunk.polygonFirst; polygon < chunk.polygonEnd; polygon++) {
        const colour = colours[polygon];
        for (let v = data.vertexFirst[polygon]; v < data.vertexFirst[polygon + 1]; v++) {
            out[at++] = colour >> 16;
            out[at++] = (colour >> 8) & 255;
            out[at++] = colour & 255;
            out[at++] = 255;
        }
    }
    return new THREE.BufferAttribute(out, 4, true);
}

// Lines of the mesh, those of a chunk an object of their own, so that they are left out where they
// would only be grey from afar.
export class Lines {
    readonly group = new THREE.Group();
    private readonly material: THREE.ShaderMaterial;

    constructor(
        private readonly stage: Stage,
        nearer: number,
        private readonly spacing: number, // between two lines, in metres
    ) {
        this.material = new THREE.ShaderMaterial({
            vertexShader: VERTEX.replace("attribute vec4 tint;", "uniform vec3 tint;").replace("tint.rgb", "tint"),
            fragmentShader: FRAGMENT,
            uniforms: { nearer: { value: nearer }, top: { value: 0 }, tint: { value: new THREE.Color() } },
            defines: {},
        });
        stage.scene.add(this.group);
    }

    add(lines: Float32Array): void {
        if (lines.length > 0) {
            const object = new THREE.LineSegments(lineGeometry(lines), this.material);
            object.matrixAutoUpdate = false;
            this.group.add(object);
        }
    }

    colour(value: number): void {
        (this.material.uniforms.tint.value as THREE.Color).setHex(value);
    }

    cut(top: number): void {
        cutAt(this.material, top);
    }

    // Before a picture: shows what is near enough to be told apart.
    choose(pixelsAt: (distance: number) => number): void {
        const { position } = this.stage.camera;
        for (const child of this.group.children as THREE.LineSegments[]) {
            const sphere = (child.geometry as THREE.BufferGeometry).boundingSphere!;
            const distance = Math.max(0.1, sphere.center.distanceTo(position) - sphere.radius);
            child.visible = this.spacing * pixelsAt(distance) > 5;
        }
    }

    remove(): void {
        this.stage.scene.remove(this.group);
        for (const child of this.group.children) {
            (child as THREE.LineSegments).geometry.dispose();
        }
        this.material.dispose();
    }
}
