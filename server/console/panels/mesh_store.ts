// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// mesh_store.ts: a mesh and its versions as the daemon has them.

import { call, path } from "../api";
import type { Mesh } from "../shapes";

// A mesh and its ETag, by which the next reading knows whether anything has changed.
export interface MeshRead {
    mesh: Mesh;
    etag: string;
}

export async function readMesh(name: string, known: MeshRead | null, signal?: AbortSignal): Promise<MeshRead> {
    const headers: HeadersInit = known === null ? {} : { "If-None-Match": known.etag };
    const reply = await call(path("v1", "meshes", name), { signal, headers, cache: "no-store" });
    return reply.status === 304 ? known! : { mesh: (await reply.json()) as Mesh, etag: reply.headers.get("ETag") ?? "" };
}
