// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// meshes.ts: all meshes of the daemon, the versions of the one that is looked at, and below them the
// version itself. Both lists are asked for again every few seconds; nothing is drawn anew that has
// not changed.

import { get, Problem } from "../api";
import type { App, Panel } from "../app";
import { fill, h } from "../dom";
import { ago, count, counted } from "../format";
import { Poll } from "../poll";
import type { Mesh, MeshRow, Version } from "../shapes";
import { badge, button, nothing, section, stateBadge } from "../widgets";
import { deleteMesh } from "./actions";
import { isBaking } from "./bake";
import { readMesh, type MeshRead } from "./mesh_store";
import { showVersion } from "./version";

const EACH_MS = 3000;

// ---- rows ----

function meshRow(app: App, mesh: MeshRow): HTMLElement {
    const chosen = mesh.mesh === app.looked.mesh;
    const open = () => app.look({ mesh: mesh.mesh, version: mesh.active, instance: null });
    const live = mesh.active === null ? "none live" : `version ${mesh.active} live`;
    return h(
        "li",
        {},
        button(mesh.mesh, open, { class: "name", "aria-current": chosen ? "true" : null, "data-key": `mesh ${mesh.mesh}` }),
        h("span", { class: "quiet" }, `${counted(mesh.versions, "version")}, ${live}`),
    );
}

function versionRow(app: App, version: Version): HTMLElement {
    const chosen = version.version === app.looked.version;
    const open = () => app.look({ version: version.version });
    const failed = version.checks?.filter((check) => !check.passed).length ?? 0;
    const warnings = version.warnings?.length ?? 0;
    return h(
        "tr",
        { class: chosen ? "chosen" : null },
        h(
            "td",
            {},
            button(String(version.version), open, {
                class: "name",
                "aria-current": chosen ? "true" : null,
                "aria-label": `Version ${version.version}`,
                "data-key": `version ${version.version}`,
            }),
        ),
        h("td", {}, stateBadge(version), failed > 0 ? badge(counted(failed, "check") + " failed", "bad") : null),
        h("td", { class: "figure" }, version.stats === null ? "–" : count(version.stats.polygons)),
        h("td", { class: "figure" }, version.warnings === null ? "–" : count(warnings)),
        h("td", { class: "figure" }, version.created_at && h("time", { datetime: version.created_at, title: version.created_at }, ago(version.created_at))),
    );
}

function versionTable(app: App, mesh: Mesh): HTMLElement {
    const heads: [string, string | null][] = [["No.", null], ["State", null], ["Polygons", "figure"], ["Warnings", "figure"], ["Made", "figure"]];
    return h(
        "div",
        { class: "scroll", tabindex: 0, role: "region", "aria-label": `Versions of ${mesh.mesh}` },
        h(
            "table",
            {},
            h("thead", {}, h("tr", {}, ...heads.map(([head, style]) => h("th", { scope: "col", class: style }, head)))),
            h("tbody", {}, ...[...mesh.versions].reverse().map((version) => versionRow(app, version))),
        ),
    );
}

// ---- the panel ----

interface Found {
    meshes: MeshRow[];
    mesh: string | null; // that was looked at
    read: MeshRead | null;
    problem: unknown; // why its versions could not be read
}

class Meshes {
    private readonly list = h("div", {});
    private readonly versions = h("div", {});
    private readonly one = h("div", {});
    private readonly stop = new AbortController();
    private readonly poll: Poll<Found>;
    private listed = "";
    private read: MeshRead | null = null;
    private shown = "";
    private closeVersion: () => void = () => {};
    private baking = ""; // the version whose bake is followed: its stream tells more than the list

    constructor(root: HTMLElement, private readonly app: App) {
        root.append(this.list, this.versions, this.one);
        const unlook = app.onLook(() => void this.poll.again());
        this.stop.signal.addEventListener("abort", () => {
            unlook();
            this.closeVersion();
        });
        this.poll = new Poll(() => this.readAll(), (found) => this.show(found), (error) => app.fail(error), EACH_MS, this.stop.signal);
    }

    close(): void {
        this.stop.abort();
    }

    private async readAll(): Promise<Found> {
        const { signal } = this.stop;
        const { mesh } = this.app.looked;
        const { meshes } = await get<{ meshes: MeshRow[] }>("/v1/meshes", signal);
        try {
            const known = this.read?.mesh.mesh === mesh ? this.read : null;
            return { meshes, mesh, read: mesh === null ? null : await readMesh(mesh, known, signal), problem: null };
        } catch (error) {
            return { meshes, mesh, read: null, problem: error };
        }
    }

    private show({ meshes, mesh, read, problem }: Found): void {
        this.showList(meshes);
        if (mesh !== this.app.looked.mesh) {
            return;
        }
        if (problem !== null) {
            this.app.fail(problem);
        }
        if (problem === null || (problem instanceof Problem && problem.code === "mesh_not_found")) {
            this.showVersions(read);
        }
    }

    private showList(meshes: MeshRow[]): void {
        const now = JSON.stringify([meshes, this.app.looked.mesh]);
        if (now !== this.listed) {
            this.listed = now;
            fill(
                this.list,
                meshes.length === 0
                    ? nothing("There is no mesh yet: drop a level anywhere on this page, or open Upload.")
                    : h("ul", { class: "rows", "aria-label": "Meshes" }, ...meshes.map((mesh) => meshRow(this.app, mesh))),
            );
        }
    }

    private showVersions(read: MeshRead | null): void {
        const { version, agent } = this.app.looked;
        this.read = read;
        const { version: inView } = this.app;
        const now = read?.mesh.versions.find((each) => each.version === version);
        if (inView !== null && isBaking(inView) && inView.mesh === now?.mesh && inView.version === now.version && !isBaking(now)) {
            this.app.reload(); // its bake ended before it was followed
        }
        const told = JSON.stringify([read?.etag, read?.mesh, version, agent]);
        if (told === this.shown) {
            return;
        }
        this.shown = told;
        if (read === null) {
            fill(this.versions);
            this.showOne(null, null);
            return;
        }
        const { mesh } = read;
        const remove = button("Delete the mesh…", () => void deleteMesh(this.app, mesh, () => this.poll.again()), { class: "quiet" });
        fill(
            this.versions,
            section(
                `Versions of ${mesh.mesh}`,
                mesh.versions.length === 0 ? nothing("It has no version: upload a level under this name.") : versionTable(this.app, mesh),
                h("div", { class: "row ends" }, remove),
            ),
        );
        this.showOne(mesh, now ?? null);
    }

    private showOne(mesh: Mesh | null, chosen: Version | null): void {
        const baking = chosen !== null && isBaking(chosen) ? JSON.stringify([chosen.mesh, chosen.version]) : "";
        if (baking !== "" && baking === this.baking) {
            return;
        }
        this.baking = baking;
        this.closeVersion();
        this.closeVersion = () => {};
        if (mesh === null || chosen === null) {
            fill(this.one);
        } else {
            this.closeVersion = showVersion(this.one, this.app, mesh, chosen, () => this.poll.again());
        }
    }
}

export const MESHES: Panel = {
    id: "meshes",
    title: "Meshes",
    open(root, app) {
        const panel = new Meshes(root, app);
        return () => panel.close();
    },
};
