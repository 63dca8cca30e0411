// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// pictures.ts: the same place in two versions, side by side, as the daemon draws it from above.

import { call, path, query } from "../api";
import type { App } from "../app";
import { fill, h } from "../dom";
import type { Bounds } from "../shapes";

const WIDTH = 360;
const MARGIN = 0.25; // of the place's width, around it

function wider({ min, max }: Bounds): string {
    const more = Math.max(1, MARGIN * Math.max(...max.map((value, axis) => value - min[axis])));
    return [...min.map((value) => value - more), ...max.map((value) => value + more)].map((value) => value.toFixed(2)).join(",");
}

export class Pictures {
    readonly root = h("div", { class: "pictures", hidden: true });
    private addresses: string[] = [];
    private asked = 0;

    constructor(private readonly app: App, private readonly signal: AbortSignal) {}

    close(): void {
        this.addresses.forEach((address) => URL.revokeObjectURL(address));
        this.addresses = [];
    }

    // Those that are shown or asked for are of something else.
    drop(): void {
        this.asked++;
        this.root.hidden = true;
    }

    private async picture(mesh: string, version: number, bounds: Bounds): Promise<Blob> {
        const { agent } = this.app.looked;
        const args = query({ width: WIDTH, bounds: wider(bounds), agent });
        const reply = await call(path("v1", "meshes", mesh, "versions", version, "render.svg") + args, { signal: this.signal });
        return reply.blob();
    }

    async show(mesh: string, versions: number[], bounds: Bounds): Promise<void> {
        const asked = ++this.asked;
        try {
            const blobs = await Promise.all(versions.map((version) => this.picture(mesh, version, bounds)));
            if (asked !== this.asked || this.signal.aborted) {
                return;
            }
            this.close();
            this.addresses = blobs.map((blob) => URL.createObjectURL(blob));
            fill(
                this.root,
                ...versions.map((version, at) =>
                    h("figure", {}, h("img", { src: this.addresses[at], alt: `The place from above in version ${version}` }), h("figcaption", {}, `Version ${version}`)),
                ),
            );
            this.root.hidden = false;
        } catch (error) {
            if (asked === this.asked) {
                this.app.fail(error);
            }
        }
    }
}
