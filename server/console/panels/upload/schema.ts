// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// schema.ts: the settings of a bake as /openapi.json describes them: their names, defaults,
// bounds, words and what they are for. The console knows none of them itself, but into which group of
// the form they go.

import { get } from "../../api";
import { number, value, words } from "../../format";

export interface Schema {
    $ref?: string;
    type?: string | string[];
    enum?: string[];
    oneOf?: Schema[];
    anyOf?: Schema[];
    const?: unknown;
    minimum?: number;
    maximum?: number;
    description?: string;
    properties?: Record<string, Schema>;
    additionalProperties?: unknown;
    "x-default"?: unknown;
}

// flag: yes or no; choice: one of words; loose: a number, a word or JSON; json: a list or an object
export type Kind = "number" | "flag" | "choice" | "loose" | "json";

export interface Setting {
    readonly name: string; // agent.radius
    readonly kind: Kind;
    readonly standard: unknown; // undefined where it has no default
    readonly choices: string[];
    readonly minimum?: number;
    readonly maximum?: number;
    readonly integer: boolean;
    readonly help: string;
}

const GROUPS: [title: string, names: RegExp][] = [
    ["Agent", /^agent\./],
    ["Voxels and units", /^(cell_|tile_cells|bounds|coordinates|scale|winding)/],
    ["Regions and polygons", /^(partition|region_|edge_|polygon_)/],
    ["Height detail and filters", /^(detail|filters\.|area_median|volumes_reach_up)/],
    ["Areas, places and agents", /^(areas|materials|volumes|switches|links|seeds|query_filters|agents)$/],
    ["Further settings", /^/],
];

let known: Promise<Setting[]> | null = null;

function typesOf(schema: Schema): string[] {
    return schema.type === undefined ? [] : [schema.type].flat();
}

function kindOf(schema: Schema): Kind {
    const types = typesOf(schema);
    if (types.includes("boolean")) {
        return "flag";
    }
    if (schema.enum !== undefined) {
        return "choice";
    }
    if (types.includes("number") || types.includes("integer")) {
        return "number";
    }
    return (schema.oneOf ?? []).some((each) => !["array", "object"].includes(typesOf(each)[0])) ? "loose" : "json";
}

function boundsText(schema: Schema): string {
    const { minimum, maximum } = schema;
    const text = (bound: number) => (bound !== 0 && Math.abs(bound) < 0.001 ? String(bound) : number(bound));
    return minimum !== undefined && maximum !== undefined ? `${text(minimum)} to ${text(maximum)}` : "";
}

function settingOf(name: string, schema: Schema): Setting {
    const choices = schema.enum ?? schema.oneOf?.flatMap((each) => each.enum ?? (typeof each.const === "string" ? [each.const] : [])) ?? [];
    return {
        name,
        kind: kindOf(schema),
        standard: schema["x-default"],
        choices,
        minimum: schema.minimum,
        maximum: schema.maximum,
        integer: typesOf(schema)[0] === "integer",
        help: [schema.description, boundsText(schema)].filter((part) => part).join("; "),
    };
}

// An object with members of its own is as many settings, with a dot between the names.
function settingsOf(schema: Schema, prefix: string): Setting[] {
    return Object.entries(schema.properties ?? {}).flatMap(([name, each]) =>
        each.properties !== undefined ? settingsOf(each, `${prefix}${name}.`) : [settingOf(prefix + name, each)],
    );
}

export function readSettings(): Promise<Setting[]> {
    known ??= get<{ components: { schemas: { Settings: Schema } } }>("/openapi.json")
        .then((document) => settingsOf(document.components.schemas.Settings, ""))
        .catch((error: unknown) => {
            known = null; // the next one asks again
            throw error;
        });
    return known;
}

export function grouped(settings: Setting[]): { title: string; settings: Setting[] }[] {
    const groups = GROUPS.map(([title]) => ({ title, settings: [] as Setting[] }));
    for (const setting of settings) {
        groups[GROUPS.findIndex(([, names]) => names.test(setting.name))].settings.push(setting);
    }
    return groups.filter((group) => group.settings.length > 0);
}

// ---- text and value ----

// The value that a text means. Throws a sentence where it means none.
export function readText(setting: Setting, text: string): unknown {
    switch (setting.kind) {
        case "flag":
            return text === "true";
        case "choice":
            return text;
        case "number": {
            const { minimum = -Infinity, maximum = Infinity } = setting;
            const read = Number(text);
            if (!Number.isFinite(read) || (setting.integer && !Number.isInteger(read))) {
                throw new Error(`${setting.name} has to be a ${setting.integer ? "whole " : ""}number.`);
            }
            if (read < minimum || read > maximum) {
                throw new Error(`${setting.name} has to lie between ${minimum} and ${maximum}.`);
            }
            return read;
        }
        default:
            break;
    }
    if (setting.kind === "loose" && !/^[[{"]/.test(text)) {
        return text === "true" || text === "false" ? text === "true" : Number.isFinite(Number(text)) ? Number(text) : text;
    }
    try {
        return JSON.parse(text) as unknown;
    } catch (error) {
        throw new Error(`${setting.name} has to be JSON: ${error instanceof Error ? error.message : String(error)}.`);
    }
}

export function textOf(setting: Setting, of: unknown): string {
    return setting.kind === "json" && of !== null && typeof of === "object" ? pretty(of) : value(of);
}

// JSON with a line for each entry of a list.
export function pretty(of: object): string {
    const entries = Array.isArray(of)
        ? of.map((each) => JSON.stringify(each))
        : Object.entries(of).map(([name, each]) => `${JSON.stringify(name)}: ${JSON.stringify(each)}`);
    const [open, close] = Array.isArray(of) ? "[]" : "{}";
    return entries.length < 2 ? `${open}${entries.join("")}${close}` : `${open}\n  ${entries.join(",\n  ")}\n${close}`;
}

export function label(setting: Setting): string {
    return words(setting.name.replace(/^(agent|filters)\./, ""));
}

// ---- settings as one object ----

function sorted(of: unknown): unknown {
    if (Array.isArray(of) || of === null || typeof of !== "object") {
        return Array.isArray(of) ? of.map(sorted) : of;
    }
    return Object.fromEntries(Object.entries(of).sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, each]) => [name, sorted(each)]));
}

export function same(a: unknown, b: unknown): boolean {
    return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

// The value at a name such as agent.radius; undefined where there is none.
export function valueAt(settings: Record<string, unknown>, name: string): unknown {
    return name.split(".").reduce<unknown>((of, part) => (of as Record<string, unknown> | undefined)?.[part], settings);
}

export function putAt(settings: Record<string, unknown>, name: string, of: unknown): void {
    const parts = name.split(".");
    const last = parts.pop()!;
    let place = settings;
    for (const part of parts) {
        place = (place[part] ??= {}) as Record<string, unknown>;
    }
    place[last] = of;
}

// What of the settings is none that the form has: misspelt, or of another program.
export function others(of: Record<string, unknown>, settings: Setting[]): Record<string, unknown> {
    const rest: Record<string, unknown> = {};
    for (const [name, each] of Object.entries(of)) {
        const inner = settings.some((setting) => setting.name.startsWith(`${name}.`));
        if (inner && each !== null && typeof each === "object") {
            for (const [member, value] of Object.entries(each)) {
                if (!settings.some((setting) => setting.name === `${name}.${member}`)) {
                    putAt(rest, `${name}.${member}`, value);
                }
            }
        } else if (!settings.some((setting) => setting.name === name)) {
            rest[name] = each;
        }
    }
    return rest;
}
