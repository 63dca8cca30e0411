// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// files.ts: what is to be uploaded: one file, several as parts of one level, or the level that a
// version has stored; and files of settings, which are told from levels by what is in them.

import { call, path } from "../../api";
import type { Settings, Version } from "../../shapes";

const SETTINGS_BYTES_MAX = 4 << 20;
const NAME_LENGTH_MAX = 47;

export interface Source {
    readonly bytes: Blob;
    readonly file: string; // its name, whose ending says the format
    readonly text: string; // what it is, for people
    part: string; // its name among several
}

// What a form may name a part: letters, digits, ".", "-" and "_".
function partName(file: string): string {
    const stem = file.replace(/\.[^.]*$/, "").replace(/[^A-Za-z0-9._-]+/g, "_");
    return stem.slice(0, NAME_LENGTH_MAX) || "part";
}

// A name that a mesh may have, of a file's.
export function meshName(file: string): string {
    const stem = file.replace(/\.[^.]*$/, "").replace(/[^A-Za-z0-9._-]+/g, "_").replace(/^[^A-Za-z0-9]+/, "");
    return stem.slice(0, 64);
}

// Names of parts are given once.
export function named(sources: Source[]): void {
    const taken = new Set<string>();
    for (const source of sources) {
        const wanted = source.part;
        for (let count = 2; taken.has(source.part); count++) {
            source.part = `${wanted.slice(0, NAME_LENGTH_MAX - 4)}-${count}`;
        }
        taken.add(source.part);
    }
}

// A file of JSON without vertices has settings.
async function settingsOf(file: File): Promise<Settings | null> {
    if (!/\.json$/i.test(file.name) || file.size > SETTINGS_BYTES_MAX) {
        return null;
    }
    try {
        const of = JSON.parse(await file.text()) as unknown;
        const isObject = of !== null && typeof of === "object" && !Array.isArray(of);
        return isObject && !("vertices" in of) ? (of as Settings) : null;
    } catch {
        return null; // the daemon says what is wrong with it
    }
}

// Levels, settings and names of recordings among files that were dropped or chosen.
export async function sort(files: Iterable<File>): Promise<{ sources: Source[]; settings: Settings | null; recordings: string[] }> {
    const sources: Source[] = [];
    const recordings: string[] = [];
    let settings: Settings | null = null;
    for (const file of files) {
        const found = await settingsOf(file);
        if (/\.navrec$/i.test(file.name)) {
            recordings.push(file.name);
        } else if (found !== null) {
            settings = Object.assign(settings ?? {}, found);
        } else {
            // Without a type its ending says what it is: systems call .obj many things.
            sources.push({ bytes: file.slice(0, file.size, ""), file: file.name, text: file.name, part: partName(file.name) });
        }
    }
    return { sources, settings, recordings };
}

// The level of a version, as the daemon has stored it.
export async function stored(version: Version, signal: AbortSignal): Promise<Source> {
    const address = path("v1", "meshes", version.mesh, "versions", version.version, "geometry");
    const reply = await call(address, { signal });
    const bytes = await reply.blob();
    return { bytes, file: "level", text: `the level of ${version.mesh}, version ${version.version}`, part: partName(version.mesh) };
}

// The body of an upload. `places` says where parts stand.
export function formOf(sources: Source[], config: Settings, places: string): FormData {
    const form = new FormData();
    for (const source of sources) {
        form.append(sources.length === 1 ? "geometry" : `geometry.${source.part}`, source.bytes, source.file);
    }
    if (sources.length > 1 && places !== "") {
        form.append("parts", new Blob([places], { type: "application/json" }));
    }
    if (Object.keys(config).length > 0) {
        form.append("config", new Blob([JSON.stringify(config)], { type: "application/json" }));
    }
    return form;
}
