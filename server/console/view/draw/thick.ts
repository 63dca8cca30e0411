// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// thick.ts: lines of several pixels, with a casing around them, that can be seen faintly through what lies
// before them. WebGL itself draws lines of one pixel only: each piece is two triangles that the shader
// spreads in the picture.

import * as THREE from "three";
import type { Point } from "../view";

const VERTEX = `
attribute vec3 other;
attribute float side;
uniform vec2 screen;
uniform float width;
uniform float nearer;
uniform float hither;
vec4 seen(vec3 at) {
    vec4 view = modelViewMatrix * vec4(at, 1.0);
    view.xyz *= 1.0 - nearer;
    return view;
}
void main() {
    vec4 here = seen(position);
    vec4 there = seen(other);
    // What lies behind the eye is cut off where the picture begins.
    if (here.z > -hither) here = mix(there, here, (hither + there.z) / (there.z - here.z));
    if (there.z > -hither) there = mix(here, there, (hither + here.z) / (here.z - there.z));
    vec4 a = projectionMatrix * here;
    vec4 b = projectionMatrix * there;
    vec2 along = (b.xy / b.w - a.xy / a.w) * screen;
    along = length(along) < 1e-4 ? vec2(1.0, 0.0) : normalize(along);
    vec2 across = vec2(-along.y, along.x) * side;
    a.xy += (across - along) * width / screen * a.w;
    gl_Position = a;
}`;

const FRAGMENT = `
uniform vec3 colour;
uniform float opacity;
void main() {
    gl_FragColor = vec4(colour, opacity);
}`;

export interface Stroke {
    points: Point[];
    closed?: boolean;
}

function geometryOf(strokes: Stroke[]): THREE.BufferGeometry {
    const position: number[] = [];
    const other: number[] = [];
    const side: number[] = [];
    const index: number[] = [];
    for (const { points, closed } of strokes) {
        for (let i = 0; i + (closed ? 0 : 1) < points.length; i++) {
            const [a, b] = [points[i], points[(i + 1) % points.length]];
            const first = position.length / 3;
            position.push(...a, ...a, ...b, ...b);
            other.push(...b, ...b, ...a, ...a);
            side.push(1, -1, 1, -1);
            index.push(first, first + 1, first + 2, first, first + 2, first + 3);
        }
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(position, 3));
    geometry.setAttribute("other", new THREE.Float32BufferAttribute(other, 3));
    geometry.setAttribute("side", new THREE.Float32BufferAttribute(side, 1));
    geometry.setIndex(new THREE.Uint32BufferAttribute(index, 1));
    return geometry;
}

// Sizes of the picture, which all lines and dots share: in pixels of the page; where it begins; how many pixels a side
// are drawn for one of the page.
export const SCREEN = { screen: { value: new THREE.Vector2(1, 1) }, hither: { value: 0.1 }, pixels: { value: 1 } };

// Materials stay: making one waits for the GPU, which without one takes as long as a picture.
const kept = new Map<string, THREE.Material>();

export function keptMaterial(key: string, make: () => THREE.Material): THREE.Material {
    const found = kept.get(key) ?? make();
    kept.set(key, found);
    return found;
}

function pass(colour: number | string, width: number, nearer: number, hidden: boolean): THREE.Material {
    return keptMaterial(`line ${colour} ${width} ${nearer} ${hidden}`, () => new THREE.ShaderMaterial({
        vertexShader: VERTEX,
        fragmentShader: FRAGMENT,
        uniforms: {
            ...SCREEN,
            colour: { value: new THREE.Color(colour) },
            opacity: { value: hidden ? 0.3 : 1 },
            width: { value: width },
            nearer: { value: nearer },
        },
        side: THREE.DoubleSide,
        transparent: hidden,
        depthWrite: !hidden,
        depthFunc: hidden ? THREE.GreaterDepth : THREE.LessEqualDepth,
    }));
}

export interface StrokeStyle {
    colour: number;
    casing: string;
    width: number; // pixels
    throughWalls: boolean; // faintly
}

export function thickLines(strokes: Stroke[], style: StrokeStyle): THREE.Object3D {
    const geometry = geometryOf(strokes);
    const group = new THREE.Group();
    const add = (material: THREE.Material, order: number): void => {
        const mesh = new THREE.Mesh(geometry, material);
        mesh.frustumCulled = false;
        mesh.renderOrder = order;
        group.add(mesh);
    };
    if (style.throughWalls) {
        add(pass(style.colour, style.width, 0.006, true), 3);
    }
    add(pass(style.casing, style.width + 3, 0.006, false), 4);
    add(pass(style.colour, style.width, 0.0068, false), 5);
    return group;
}

// Frees what an object of the scene holds on the GPU.
export function dispose(object: THREE.Object3D): void {
    object.traverse((child) => {
        (child as THREE.Mesh).geometry?.dispose();
    });
}
