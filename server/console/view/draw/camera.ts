// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// camera.ts: where the camera is: about a place, at a distance, turned. It turns, pans, zooms and flies.

import * as THREE from "three";
import type { Stage } from "./stage";
import type { Point } from "../view";

const FLIGHT_MS = 450;
const TOP = 0.001;
const LOWEST = Math.PI / 2 - 0.02; // the camera does not go below the ground
const HOME = { around: Math.PI / 4, down: 0.85 };

interface Pose {
    target: THREE.Vector3;
    distance: number;
    around: number; // about the upright axis
    down: number; // from straight above
}

export class Camera {
    private pose: Pose = { target: new THREE.Vector3(), distance: 50, ...HOME };
    private radius = 50; // of all that there is
    private home: Pose = this.pose;
    private endFlight: () => void = () => {};

    constructor(private readonly stage: Stage) {
        this.place();
    }

    get target(): THREE.Vector3 {
        return this.pose.target;
    }

    // What is shown at first, and by "home".
    setScene(min: Point, max: Point, look: boolean): void {
        const [low, high] = [new THREE.Vector3(...min), new THREE.Vector3(...max)];
        this.radius = Math.max(1, low.distanceTo(high) / 2);
        this.home = { ...HOME, target: low.clone().add(high).multiplyScalar(0.5), distance: this.fits(low, high, HOME) };
        if (look) {
            this.stop();
            this.pose = { ...this.home, target: this.home.target.clone() };
        }
        this.place();
    }

    // The distance from which all corners of a box are in the picture, with a margin for what lies over it.
    private fits(low: THREE.Vector3, high: THREE.Vector3, { around, down }: { around: number; down: number }): number {
        const toEye = new THREE.Vector3(Math.sin(down) * Math.sin(around), Math.cos(down), Math.sin(down) * Math.cos(around));
        const right = new THREE.Vector3(Math.cos(around), 0, -Math.sin(around));
        const up = new THREE.Vector3().crossVectors(toEye, right);
        const tall = 0.88 * Math.tan((this.stage.camera.fov * Math.PI) / 360);
        const wide = tall * this.stage.camera.aspect;
        const half = high.clone().sub(low).multiplyScalar(0.5);
        let distance = 1;
        for (let corner = 0; corner < 8; corner++) {
            const at = new THREE.Vector3(...[0, 1, 2].map((axis) => (corner & (1 << axis) ? 1 : -1)) as Point).multiply(half);
            const across = Math.max(Math.abs(at.dot(right)) / wide, Math.abs(at.dot(up)) / tall);
            distance = Math.max(distance, at.dot(toEye) + across);
        }
        return distance;
    }

    private place(): void {
        const { target, distance, around, down } = this.pose;
        const { camera } = this.stage;
        camera.position.set(
            target.x + distance * Math.sin(down) * Math.sin(around),
            target.y + distance * Math.cos(down),
            target.z + distance * Math.sin(down) * Math.cos(around),
        );
        camera.up.set(0, 1, 0);
        camera.lookAt(target);
        camera.near = Math.max(0.05, distance / 200);
        camera.far = distance + 3 * this.radius + target.length();
        camera.updateProjectionMatrix();
        camera.updateMatrixWorld(true);
        this.stage.drawMoved();
    }

    turn(dx: number, dy: number): void {
        this.stop();
        const turn = Math.PI / this.stage.height;
        this.pose.around -= 1.6 * turn * dx;
        this.pose.down = Math.min(LOWEST, Math.max(TOP, this.pose.down - turn * dy));
        this.place();
    }

    // Moves the ground under the pointer along with it, by pixels.
    pan(dx: number, dy: number): void {
        this.stop();
        const step = (2 * this.pose.distance * Math.tan((this.stage.camera.fov * Math.PI) / 360)) / this.stage.height;
        const [sin, cos] = [Math.sin(this.pose.around), Math.cos(this.pose.around)];
        const forward = (-dy * step) / Math.max(0.35, Math.cos(this.pose.down));
        this.pose.target.x += -dx * step * cos + forward * sin;
        this.pose.target.z += dx * step * sin + forward * cos;
        this.place();
    }

    // Nearer (factor below 1) or farther; the place `towards` stays where it is in the picture.
    zoom(factor: number, towards?: Point): void {
        this.stop();
        const next = Math.min(20 * this.radius, Math.max(0.5, this.pose.distance * factor));
        const part = 1 - next / this.pose.distance;
        if (towards !== undefined) {
            this.pose.target.lerp(new THREE.Vector3(...towards), part);
        }
        this.pose.distance = next;
        this.place();
    }

    flyHome(): void {
        this.fly(this.home);
    }

    flyTop(): void {
        const down = this.pose.down > 0.01 ? TOP : HOME.down;
        this.fly({ ...this.pose, down, around: down === TOP ? 0 : HOME.around });
    }

    flyTo(min: Point, max: Point): void {
        const [low, high] = [new THREE.Vector3(...min), new THREE.Vector3(...max)];
        const distance = Math.max(12, this.fits(low, high, this.pose));
        this.fly({ ...this.pose, target: low.add(high).multiplyScalar(0.5), distance });
    }

    private fly(to: Pose): void {
        this.stop();
        const from = { ...this.pose, target: this.pose.target.clone() };
        if (this.stage.calm) {
            this.pose = { ...to, target: to.target.clone() };
            this.place();
            return;
        }
        const begun = performance.now();
        const mix = (a: number, b: number, part: number) => a + (b - a) * part;
        this.endFlight = this.stage.animate(() => {
            const time = Math.min(1, (performance.now() - begun) / FLIGHT_MS);
            const part = time * time * (3 - 2 * time);
            this.pose = {
                target: from.target.clone().lerp(to.target, part),
                distance: Math.exp(mix(Math.log(from.distance), Math.log(to.distance), part)),
                around: mix(from.around, to.around, part),
                down: mix(from.down, to.down, part),
            };
            this.place();
            return time === 1;
        });
    }

    private stop(): void {
        this.endFlight();
    }
}
