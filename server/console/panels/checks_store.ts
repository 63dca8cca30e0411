// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// checks_store.ts: the checks of a mesh as they are kept by the daemon, which takes them as a whole:
// each change reads them, changes one, and sends all.

import { get, path, send } from "../api";
import type { App } from "../app";
import { askForm, type Entry } from "../dialogs";
import { number } from "../format";
import type { Check, Point } from "../shapes";

export const NAME_LENGTH_MAX = 100;

function address(mesh: string): string {
    return path("v1", "meshes", mesh, "checks");
}

export async function readChecks(mesh: string, signal?: AbortSignal): Promise<Check[]> {
    return (await get<{ checks: Check[] }>(address(mesh), signal)).checks;
}

export async function changeChecks(mesh: string, change: (checks: Check[]) => Check[]): Promise<void> {
    await send("PUT", address(mesh), { checks: change(await readChecks(mesh)) });
}

// A name that no check has yet: "a", "a 2", "a 3".
export function freeName(wanted: string, checks: Check[]): string {
    const taken = new Set(checks.map((check) => check.name));
    let name = wanted;
    for (let count = 2; taken.has(name); count++) {
        name = `${wanted} ${count}`;
    }
    return name;
}

export interface PathCheck {
    start: Point;
    end: Point;
    reachable: boolean; // whether the path was complete: what the check expects unless the user says otherwise
    length?: number; // of the path, where there is one
}

// What is expected of a path, in a dialog.
export function expectEntries(expect: Check["expect"], longest: string): Entry[] {
    return [
        {
            name: "expect",
            label: "Each new version must",
            value: expect,
            choices: [["reachable", "have a way there"], ["unreachable", "have no way there"]],
        },
        {
            name: "max_length",
            label: "Longest way that is good",
            help: "Left empty, any length is.",
            value: longest,
            attributes: { type: "number", min: 0, step: "any" },
        },
    ];
}

export function expectedOf(given: Record<string, string>): Pick<Check, "expect" | "max_length"> {
    const expect = given.expect as Check["expect"];
    return expect === "reachable" && given.max_length !== "" ? { expect, max_length: Number(given.max_length) } : { expect };
}

function entriesOf(check: PathCheck, name: string): Entry[] {
    const longest = check.length === undefined || !check.reachable ? "" : number(Math.ceil(check.length * 1.1)).replace(/,/g, "");
    return [
        { name: "name", label: "Name", value: name, required: true, attributes: { maxlength: NAME_LENGTH_MAX } },
        ...expectEntries(check.reachable ? "reachable" : "unreachable", longest),
    ];
}

// Asks for the name and what is expected, and adds the path to the mesh's checks.
export async function addPathCheck(app: App, check: PathCheck): Promise<void> {
    const { mesh, agent } = app.looked;
    if (mesh === null) {
        return;
    }
    try {
        const name = freeName("path", await readChecks(mesh));
        const text = "It is a condition of going live: a version that does not meet it stays as it is until it is forced.";
        const given = await askForm("Add this path as a check", text, "Add the check", entriesOf(check, name));
        if (given === null) {
            return;
        }
        const added: Check = { name: given.name, start: check.start, end: check.end, ...expectedOf(given) };
        if (agent !== "default") {
            added.agent = agent;
        }
        await changeChecks(mesh, (checks) => [...checks, added]);
        app.say(`Check "${given.name}" is added: every new version of ${mesh} has to meet it.`);
    } catch (error) {
        app.fail(error);
    }
}
