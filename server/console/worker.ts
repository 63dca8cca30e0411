// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// worker.ts: reads meshes and levels beside the page, so that it never waits. One request at a time; its answer's
// arrays are handed over, not copied.

import type { Ask, Told, Triangles } from "./view/messages";
import { readLevel } from "./view/read_level";
import { readMesh } from "./view/read_mesh";

function buffersOf(data: Triangles): Transferable[] {
    const arrays = [...Object.values(data), ...Object.values(data.bvh)];
    return [...new Set(arrays.filter((value) => ArrayBuffer.isView(value)).map((value) => value.buffer))];
}

function answer(ask: Ask): Told {
    try {
        return ask.kind === "mesh"
            ? { id: ask.id, mesh: readMesh(ask.body, ask.frame) }
            : { id: ask.id, level: readLevel(ask.body, ask.frame) };
    } catch (error) {
        return { id: ask.id, problem: error instanceof Error ? error.message : String(error) };
    }
}

const scope = self as unknown as {
    onmessage: (event: MessageEvent<Ask>) => void;
    postMessage(told: Told, transfer: Transferable[]): void;
};

scope.onmessage = ({ data }) => {
    const told = answer(data);
    const triangles = told.mesh ?? told.level;
    scope.postMessage(told, triangles === undefined ? [] : buffersOf(triangles));
};
