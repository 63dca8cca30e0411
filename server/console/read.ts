// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// read.ts: the worker that fetches and reads meshes and levels beside the page, so that it never waits. The arrays
// of an answer are handed over, not copied.

import { Problem, request } from "./api";
import type { Version } from "./shapes";
import { frameOfVersion } from "./view/frame";
import { buffersOf, type Ask, type Told } from "./view/messages";
import { readLevel } from "./view/read_level";
import { readMesh } from "./view/read_mesh";

async function answer({ id, kind, version, file, token }: Ask): Promise<Told> {
    try {
        const [of, reply] = await Promise.all([request(version, token), request(file, token)]);
        const [frame, body] = [frameOfVersion((await of.json()) as Version), await reply.arrayBuffer()];
        return kind === "mesh" ? { id, mesh: readMesh(body, frame) } : { id, level: readLevel(body, frame) };
    } catch (error) {
        if (error instanceof Problem) {
            const { status, code, message, members } = error;
            return { id, problem: { status, code, detail: message, members } };
        }
        return { id, fault: error instanceof Error ? error.message : String(error) };
    }
}

const scope = self as unknown as {
    onmessage: (event: MessageEvent<Ask>) => void;
    postMessage(told: Told, transfer: Transferable[]): void;
};

scope.onmessage = async ({ data }) => {
    const told = await answer(data);
    const triangles = told.mesh ?? told.level;
    try {
        scope.postMessage(told, triangles === undefined ? [] : buffersOf(triangles));
    } catch (error) {
        scope.postMessage({ id: data.id, fault: String(error) }, []);
    }
};
