// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// meshes.ts: all meshes of the daemon, to choose one.

import { get } from "../api";
import type { App, Panel } from "../app";
import { fill, h } from "../dom";

interface MeshRow {
    mesh: string;
    active: number | null;
}

function row(app: App, mesh: MeshRow): HTMLElement {
    const live = mesh.active === null ? "no live version" : `version ${mesh.active} is live`;
    const open = () => app.look({ mesh: mesh.mesh, version: mesh.active, instance: null });
    return h("li", {}, h("button", { type: "button", onclick: open }, mesh.mesh), " ", live);
}

export const MESHES: Panel = {
    id: "meshes",
    title: "Meshes",
    open(root, app) {
        const stop = new AbortController();
        get<{ meshes: MeshRow[] }>("/v1/meshes", stop.signal)
            .then(({ meshes }) =>
                fill(
                    root,
                    meshes.length === 0
                        ? h("p", {}, "There is no mesh yet: upload a level.")
                        : h("ul", {}, ...meshes.map((mesh) => row(app, mesh))),
                ),
            )
            .catch(app.fail);
        return () => stop.abort();
    },
};
