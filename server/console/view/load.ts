// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// load.ts: a version's mesh and level from the daemon, as the arrays that the worker which reads makes of them.

import { path, Problem, query, token } from "../api";
import type { Version } from "../shapes";
import type { Ask, LevelData, MeshData, Told } from "./messages";

export class Loader {
    private worker: Worker | null = null;
    private readonly waiting = new Map<number, (told: Told) => void>();
    private last = 0;
    private begun: { file: string; told: Promise<Told> } | null = null;

    private start(): Worker {
        const worker = new Worker("/console/read.js", { type: "module" });
        worker.onmessage = ({ data }: MessageEvent<Told>) => {
            this.waiting.get(data.id)?.(data);
            this.waiting.delete(data.id);
        };
        worker.onerror = ({ message }) => this.failed(message);
        worker.onmessageerror = () => this.failed("");
        return worker;
    }

    // All that waits for the worker hears that it has failed; the next that is asked begins another.
    private failed(why: string): void {
        this.worker?.terminate();
        this.worker = null;
        for (const [id, tell] of this.waiting) {
            tell({ id, fault: `what reads meshes beside the page has failed${why ? ` (${why})` : ""}` });
        }
        this.waiting.clear();
    }

    private ask(kind: Ask["kind"], version: string, file: string): Promise<Told> {
        const id = ++this.last;
        return new Promise<Told>((resolve) => {
            this.worker ??= this.start();
            this.waiting.set(id, resolve);
            this.worker.postMessage({ id, kind, version, file, token: token() } satisfies Ask);
        });
    }

    // An abort ends the worker with what it reads.
    private async answer(asked: Promise<Told>, signal: AbortSignal): Promise<Told> {
        const giveUp = (): void => this.failed("");
        signal.addEventListener("abort", giveUp);
        const told = await asked;
        signal.removeEventListener("abort", giveUp);
        signal.throwIfAborted();
        if (told.problem !== undefined) {
            const { status, code, detail, members } = told.problem;
            throw new Problem(status, code, detail, members);
        }
        if (told.fault !== undefined) {
            throw new Error(told.fault);
        }
        return told;
    }

    // Begins to read a mesh that is likely to be asked for next.
    begin(mesh: string, version: number, agent: string): void {
        const file = exportOf(mesh, version, agent);
        this.begun = { file, told: this.ask("mesh", address(mesh, version), file) };
    }

    async mesh({ mesh, version }: Version, agent: string, signal: AbortSignal): Promise<MeshData> {
        const file = exportOf(mesh, version, agent);
        const again = (): Promise<Told> => this.ask("mesh", address(mesh, version), file);
        const { begun } = this;
        this.begun = null;
        if (begun !== null && begun.file !== file) {
            this.failed("");
        }
        // A failure may have passed: the user has given the token, the bake has ended.
        const asked = begun?.file === file ? begun.told.then((told) => (told.mesh !== undefined || signal.aborted ? told : again())) : again();
        return (await this.answer(asked, signal)).mesh!;
    }

    async level({ mesh, version }: Version, signal: AbortSignal): Promise<LevelData> {
        const at = address(mesh, version);
        return (await this.answer(this.ask("level", at, `${at}/geometry`), signal)).level!;
    }
}

function address(mesh: string, version: number): string {
    return path("v1", "meshes", mesh, "versions", version);
}

function exportOf(mesh: string, version: number, agent: string): string {
    return `${address(mesh, version)}/export` + query({ format: "packed", agent });
}

// A mesh that came as Detour's tiles has no level.
export function hasLevel(version: Version): boolean {
    return version.geometry?.source !== "detour";
}
