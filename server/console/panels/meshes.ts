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
import type { Mesh, MeshRow, Version } from "../shapes";
import { badge, button, nothing, section } from "../widgets";
import { deleteMesh } from "./actions";
import { isBaking } from "./bake";
import { readMesh, type MeshRead } from "./mesh_store";
import { showVersion } from "./version";

const EACH_MS = 3000;

// ---- rows ----

function meshRow(app: App, mesh: MeshRow): HTMLElement {
    const chosen = mesh.mesh === app.looked.mesh;
    const open = () => app.look({ mesh: mesh.mesh, version: mesh.active, instance: null });
    const live = mesh.active === null ? "none live" : `${mesh.active} live`;
    return h(
        "li",
        {},
        button(mesh.mesh, open, { class: "name", "aria-current": chosen ? "true" : null, "data-key": `mesh ${mesh.mesh}` }),
        h("span", { class: "quiet" }, `${counted(mesh.versions, "version")}, ${live}`),
    );
}

function stateText(version: Version): HTMLElement {
    switch (version.state) {
        case "ready":
            return version.active ? badge("live", "good") : badge("ready", "quiet");
        case "baking":
            return badge(`${Math.floor(version.progress * 100)} %`, "busy");
        case "queued":
            return badge("waits", "busy");
        default:
            return badge(version.state, version.state === "failed" ? "bad" : "quiet");
    }
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
        h("td", {}, stateText(version), failed > 0 ? badge(counted(failed, "check") + " failed", "bad") : null),
        h("td", { class: "figure" }, version.stats === null ? "–" : count(version.stats.polygons)),
        h("td", { class: "figure" }, version.warnings === null ? "–" : count(warnings)),
        h("td", { class: "figure" }, h("time", { datetime: version.created_at, title: version.created_at }, ago(version.created_at))),
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

class Meshes {
    private readonly list = h("div", {});
    private readonly versions = h("div", {});
    private readonly one = h("div", {});
    private readonly stop = new AbortController();
    private listed = "";
    private read: MeshRead | null = null;
    private shown = "";
    private closeVersion: () => void = () => {};
    private baking = ""; // the version whose bake is followed: its stream tells more than the list

    constructor(root: HTMLElement, private readonly app: App) {
        root.append(this.list, this.versions, this.one);
        const unlook = app.onLook(() => void this.refresh());
        const timer = setInterval(() => void this.refresh(), EACH_MS);
        this.stop.signal.addEventListener("abort", () => {
            unlook();
            clearInterval(timer);
            this.closeVersion();
        });
        void this.refresh();
    }

    close(): void {
        this.stop.abort();
    }

    async refresh(): Promise<void> {
        try {
            await this.readList();
            await this.readVersions();
        } catch (error) {
            if (error instanceof Problem && error.code === "mesh_not_found") {
                this.showVersions(null);
            }
            this.app.fail(error);
        }
    }

    private async readList(): Promise<void> {
        const { meshes } = await get<{ meshes: MeshRow[] }>("/v1/meshes", this.stop.signal);
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

    private async readVersions(): Promise<void> {
        const { mesh } = this.app.looked;
        if (mesh === null) {
            this.showVersions(null);
            return;
        }
        const known = this.read?.mesh.mesh === mesh ? this.read : null;
        const read = await readMesh(mesh, known, this.stop.signal);
        if (mesh === this.app.looked.mesh && !this.stop.signal.aborted) {
            this.showVersions(read);
        }
    }

    private showVersions(read: MeshRead | null): void {
        const { version, agent } = this.app.looked;
        this.read = read;
        const now = JSON.stringify([read?.etag, read?.mesh, version, agent]);
        if (now === this.shown) {
            return;
        }
        this.shown = now;
        if (read === null) {
            fill(this.versions);
            this.showOne(null, null);
            return;
        }
        const { mesh } = read;
        const remove = button("Delete the mesh…", () => void deleteMesh(this.app, mesh, () => this.refresh()), { class: "quiet" });
        fill(
            this.versions,
            section(
                `Versions of ${mesh.mesh}`,
                mesh.versions.length === 0 ? nothing("It has no version: upload a level under this name.") : versionTable(this.app, mesh),
                h("div", { class: "row ends" }, remove),
            ),
        );
        this.showOne(mesh, mesh.versions.find((each) => each.version === version) ?? null);
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
            this.closeVersion = showVersion(this.one, this.app, mesh, chosen, () => this.refresh());
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
