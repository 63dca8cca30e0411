// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// run.ts: one upload from its first byte to the version that is looked at: sending, the bake as
// it goes, and what became of it. An upload that is to be refused in some cases is answered only at
// its end, so its version is looked for meanwhile.

import { call, get, path, Problem, query } from "../../api";
import type { App } from "../../app";
import { fill, h } from "../../dom";
import { isAbort, sentence } from "../../failures";
import { count, counted } from "../../format";
import type { Failure, Mesh, Version } from "../../shapes";
import { badge, button } from "../../widgets";
import { cancelBake } from "../actions";
import { isBaking, showBake } from "../bake";

const LOOK_MS = 300;

export interface RunOwner {
    // Says a refusal where it belongs; false where it has no place for it.
    refused(failure: Failure): boolean;
    taken(): void; // the daemon has the level
    accept(code: string): void; // uploads again, with the refusal of this code accepted
    ended(): void;
}

function failureOf(error: Problem): Failure {
    const members = error.members as unknown as Failure;
    return { ...members, status: error.status, code: error.code, detail: error.message, at: members.at ?? null };
}

function summary(version: Version): string {
    const { stats, warnings } = version;
    const islands = stats === null ? "" : `${counted(stats.polygons, "polygon")}, ${counted(stats.components, "island")}`;
    return [islands, warnings === null ? "" : counted(warnings.length, "warning")].filter((part) => part !== "").join(", ");
}

export class UploadRun {
    private readonly stop = new AbortController();
    private unwatch: (() => void) | null = null;
    private watched: number | null = null;
    private over = false;
    private closed = false;
    private held = false; // the answer comes when the bake has ended

    constructor(private readonly root: HTMLElement, private readonly app: App, private readonly owner: RunOwner) {}

    // The bake goes on without its panel; only the watching ends.
    close(): void {
        this.closed = true;
        this.unwatch?.();
    }

    async start(mesh: string, body: FormData, args: Record<string, string>): Promise<void> {
        const cancel = button("Cancel the upload", () => {
            this.stop.abort();
            this.end(h("p", {}, "The upload is cancelled; nothing was stored."));
        });
        fill(this.root, h("div", { class: "bake" }, h("progress", { "aria-label": "Sending the level" }), h("p", { class: "row" }, "sends the level", cancel)));
        try {
            this.held = "require_checks" in args || "strict" in args;
            if (this.held) {
                void this.lookFor(mesh, await this.newest(mesh));
            }
            const reply = await call(path("v1", "meshes", mesh, "versions") + query(args), { method: "POST", body, signal: this.stop.signal });
            this.answered((await reply.json()) as Version);
        } catch (error) {
            this.refused(mesh, error);
        }
    }

    // ---- the version, before and after the answer ----

    private async newest(mesh: string): Promise<number> {
        try {
            const { versions } = await get<Mesh>(path("v1", "meshes", mesh), this.stop.signal);
            return versions.at(-1)?.version ?? 0;
        } catch (error) {
            if (error instanceof Problem && error.code === "mesh_not_found") {
                return 0;
            }
            throw error;
        }
    }

    private async lookFor(mesh: string, after: number): Promise<void> {
        while (!this.over && !this.closed && !this.stop.signal.aborted && this.watched === null) {
            await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
            const found = await get<Mesh>(path("v1", "meshes", mesh), this.stop.signal).catch(() => null);
            const version = found?.versions.find((each) => each.version > after && isBaking(each));
            if (version !== undefined && !this.over && !this.closed) {
                this.watch(version);
            }
        }
    }

    private watch(version: Version): void {
        this.watched = version.version;
        this.app.look({ mesh: version.mesh, version: version.version, instance: null });
        const cancel = () => void cancelBake(this.app, version.mesh, version.version);
        this.unwatch = showBake(this.root, this.app, version, cancel, (ended) => {
            if (!this.held) {
                this.baked(ended);
            }
        });
    }

    private answered(version: Version): void {
        this.owner.taken();
        if (this.closed) {
            this.app.say(`Version ${version.version} of ${version.mesh} is taken: Meshes shows how its bake goes.`);
        } else if (isBaking(version)) {
            if (this.watched !== version.version) {
                this.unwatch?.();
                this.watch(version);
            }
        } else {
            this.baked(version);
        }
    }

    // ---- ends ----

    private end(...children: HTMLElement[]): void {
        this.over = true;
        this.unwatch?.();
        fill(this.root, ...children);
        this.owner.ended();
    }

    private baked(version: Version): void {
        if (this.over) {
            return;
        }
        const { mesh, version: number, state, error } = version;
        if (state === "failed" && error !== null) {
            this.told(error, `Version ${number} could not be baked.`);
            return;
        }
        if (state === "cancelled") {
            this.end(h("p", {}, `The bake of version ${number} was cancelled.`));
            return;
        }
        const same = version.deduplicated ? "The same level with the same settings is stored already: it is" : "It is";
        const failed = version.checks?.filter((check) => !check.passed) ?? [];
        this.end(
            h("p", { class: "row" }, h("strong", {}, `${mesh}, version ${count(number)}`), badge(version.active ? "live" : "not live", version.active ? "good" : "quiet")),
            h("p", {}, `${same} ready: ${summary(version)}.`),
            ...failed.map((check) => h("p", { class: "wrong" }, `Check "${check.name}": ${check.detail}`)),
            h("div", { class: "row" }, button("Show the version", () => this.app.open("meshes"), { "data-key": "show" })),
        );
        this.app.say(`Version ${number} of ${mesh} is ready${version.active ? " and live" : ", not live"}.`);
        this.app.look({ mesh, version: number, instance: null });
        this.app.reload();
    }

    private refused(mesh: string, error: unknown): void {
        if (isAbort(error) || this.over) {
            return;
        }
        const kept = error instanceof Problem && (error.code === "checks_failed" || error.code === "has_warnings");
        if (kept) {
            this.owner.taken();
        }
        if (this.closed) {
            if (error instanceof Problem && error.status !== 0 && !kept) {
                this.owner.refused(failureOf(error));
            }
            this.app.fail(error); // its panel, where it would be said, is gone
            return;
        }
        if (!(error instanceof Problem) || error.status === 0) {
            this.end(h("p", { class: "wrong" }, "The upload did not arrive."));
            this.app.fail(error);
            return;
        }
        this.told(failureOf(error), kept && this.watched !== null ? `Version ${this.watched} of ${mesh} is stored, and not live.` : "The level was not taken.");
    }

    private told(failure: Failure, what: string): void {
        const beside = this.owner.refused(failure);
        const suspect = failure.code === "units_suspect" ? button("Bake it as it is", () => this.owner.accept(failure.code)) : null;
        const text = beside ? `${what} What to change stands beside the setting.` : `${what} ${sentence(failure.detail)}`;
        this.end(h("p", { class: "wrong", role: "alert" }, text, " ", h("code", {}, failure.code)), ...(suspect === null ? [] : [suspect]));
    }
}
