// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// actions.ts: what is done to meshes and versions, each after a confirmation: switch, roll back,
// cancel, delete. A switch names the ETag of the mesh as the user saw it, so that of two people who
// switch at once the second is told.

import { path, Problem, send } from "../api";
import type { App } from "../app";
import { confirmWith } from "../dialogs";
import type { Mesh, Version } from "../shapes";
import { counted } from "../format";
import { sentence } from "../failures";
import { readMesh } from "./mesh_store";

type After = () => Promise<void>;

function pathOf(mesh: string, version: number): string {
    return path("v1", "meshes", mesh, "versions", version);
}

// ---- the live version ----

async function switchTo(mesh: string, version: number, etag: string, force: boolean): Promise<void> {
    const address = path("v1", "meshes", mesh, "active") + (force ? "?force=1" : "");
    await send("PUT", address, { version }, { headers: { "If-Match": etag } });
}

// Asks, switches, and where checks are in the way offers to do it all the same.
export async function makeLive(app: App, mesh: Mesh, version: Version, after: After): Promise<void> {
    const back = mesh.active !== null && version.version < mesh.active;
    const what = back ? `Roll back ${mesh.mesh} to version ${version.version}` : `Make version ${version.version} of ${mesh.mesh} live`;
    const before = mesh.active === null ? "Nothing is live now." : `Version ${mesh.active} is live now and stays stored.`;
    const text = `${before} Questions that name no version are answered from version ${version.version} at once.`;
    try {
        const { mesh: now, etag } = await readMesh(mesh.mesh, null);
        if (now.active !== mesh.active) {
            throw new Problem(412, "stale_etag", `version ${now.active} of ${mesh.mesh} is live now`);
        }
        if (!(await confirmWith(`${what}?`, back ? "Roll back" : "Make it live", text))) {
            return;
        }
        try {
            await switchTo(mesh.mesh, version.version, etag, false);
        } catch (error) {
            if (!(error instanceof Problem && error.code === "checks_failed")) {
                throw error;
            }
            const asked = `${sentence(error.message)} Nothing has changed so far.`;
            if (!(await confirmWith("Checks are in the way: do it all the same?", "Force it", asked))) {
                app.say(`Version ${version.version} is not live: it fails checks.`);
                return;
            }
            await switchTo(mesh.mesh, version.version, etag, true);
        }
        app.say(`Version ${version.version} of ${mesh.mesh} is live.`);
        app.reload();
    } catch (error) {
        app.fail(error);
    }
    await after();
}

// ---- ends ----

export async function cancelBake(app: App, mesh: string, version: number): Promise<void> {
    try {
        await send("DELETE", pathOf(mesh, version));
        app.say(`The bake of version ${version} of ${mesh} is cancelled.`);
    } catch (error) {
        app.fail(error);
    }
}

export async function deleteVersion(app: App, version: Version, after: After): Promise<void> {
    const text = "Its mesh, its level and its numbers are removed for good.";
    if (!(await confirmWith(`Delete version ${version.version} of ${version.mesh}?`, "Delete it", text))) {
        return;
    }
    try {
        await send("DELETE", pathOf(version.mesh, version.version));
        app.say(`Version ${version.version} of ${version.mesh} is deleted.`);
        if (app.looked.mesh === version.mesh && app.looked.version === version.version) {
            app.look({ version: null });
        }
    } catch (error) {
        app.fail(error);
    }
    await after();
}

export async function deleteMesh(app: App, mesh: Mesh, after: After): Promise<void> {
    const text = `Its ${counted(mesh.versions.length, "version")}, its checks and its instances are removed for good.`;
    if (!(await confirmWith(`Delete the mesh ${mesh.mesh}?`, "Delete all of it", text))) {
        return;
    }
    try {
        await send("DELETE", path("v1", "meshes", mesh.mesh));
        app.say(`The mesh ${mesh.mesh} is deleted.`);
        app.look({ mesh: null, version: null, instance: null });
    } catch (error) {
        app.fail(error);
    }
    await after();
}
