// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// instances.ts: the instances of the mesh: states of its world at run time, to make, to enter, to end.
// The one that is entered is in instance.ts.

import { get, path, Problem, query, send } from "../../api";
import type { App, Panel } from "../../app";
import { askForm, confirm } from "../../dialogs";
import { fill, h } from "../../dom";
import { seconds } from "../../format";
import { Poll } from "../../poll";
import type { InstanceRow } from "../../shapes";
import { button, nothing, section } from "../../widgets";
import { InstanceEditor } from "./instance";

const EACH_MS = 5000;
const PAGE = 200;

interface Page {
    mesh: string | null; // that they are of
    instances: InstanceRow[];
    next: string | null;
}

function rowText(row: InstanceRow): string {
    const version = row.version === null ? "no version" : row.pinned ? `pinned to ${row.version}` : `follows the live one, ${row.version}`;
    const left = row.expires_at === null ? "" : `, ends in ${seconds(Math.max(0, (Date.parse(row.expires_at) - Date.now()) / 1000))}`;
    return `${version}${left}`;
}

class Instances {
    private readonly list = h("div", {});
    private readonly one = h("div", {});
    private readonly stop = new AbortController();
    private readonly editor: InstanceEditor;
    private readonly poll: Poll<Page>;
    private pages = 1;

    constructor(root: HTMLElement, private readonly app: App) {
        root.append(
            h("p", { class: "help" }, "A state of the world laid over the mesh: what blocks, which switches are closed. Questions are asked in the one that is entered. They are in memory only and end with the daemon."),
            this.list,
            this.one,
        );
        this.editor = new InstanceEditor(this.one, app);
        const unlook = app.onLook(() => void this.poll.again());
        this.stop.signal.addEventListener("abort", () => {
            unlook();
            this.editor.close();
        });
        this.poll = new Poll(() => this.read(), (page) => this.show(page), (error) => app.fail(error), EACH_MS, this.stop.signal);
    }

    close(): void {
        this.stop.abort();
    }

    private async read(): Promise<Page> {
        const { mesh } = this.app.looked;
        const found: Page = { mesh, instances: [], next: mesh === null ? null : "" };
        for (let page = 0; page < this.pages && found.next !== null; page++) {
            const args = query({ after: found.next, limit: PAGE });
            const { instances, next } = await get<Page>(path("v1", "meshes", mesh!, "instances") + args, this.stop.signal);
            found.instances.push(...instances);
            found.next = next;
        }
        return found;
    }

    private show({ mesh, instances, next }: Page): void {
        if (mesh === null) {
            fill(this.list, nothing("Choose a mesh in Meshes first."));
        }
        if (mesh === null || mesh !== this.app.looked.mesh) {
            return;
        }
        const more = () => {
            this.pages++;
            void this.poll.again();
        };
        const rows = instances.map((row) => {
            const chosen = row.instance === this.app.looked.instance;
            const enter = () => this.app.look({ instance: row.instance, version: row.version ?? this.app.looked.version });
            return h(
                "li",
                {},
                button(row.instance, enter, { class: "name", "aria-current": chosen ? "true" : null, "data-key": `instance ${row.instance}` }),
                h("span", { class: "quiet" }, rowText(row)),
                button("End…", () => void this.end(mesh, row.instance), { class: "quiet", "aria-label": `End ${row.instance}`, "data-key": `end ${row.instance}` }),
            );
        });
        fill(
            this.list,
            section(
                `Instances of ${mesh}`,
                instances.length === 0 ? nothing("There is none.") : h("ul", { class: "rows", "aria-label": "Instances" }, ...rows),
                h(
                    "div",
                    { class: "row ends" },
                    next === null ? null : button("Show more", more, { "data-key": "more" }),
                    button("New instance…", () => void this.make(mesh), { "data-key": "new" }),
                ),
            ),
        );
    }

    private async make(mesh: string): Promise<void> {
        const { version } = this.app.looked;
        const given = await askForm("A new instance", "", "Make it", [
            { name: "name", label: "Name", value: "run-1", required: true, attributes: { maxlength: 64, pattern: "[A-Za-z0-9][A-Za-z0-9._\\-]*" }, help: 'Letters, digits, ".", "-" and "_".' },
            {
                name: "version",
                label: "Laid over",
                choices: [["", "the live version, whichever that is"], ...(version === null ? [] : [[String(version), `version ${version}, which then cannot be deleted`] as [string, string]])],
            },
            { name: "expires", label: "Ends by itself after seconds without a change", value: "3600", attributes: { type: "number", min: 1, max: 32000000 }, help: "Left empty: never." },
        ]);
        if (given === null) {
            return;
        }
        const body = { version: given.version === "" ? null : Number(given.version), expires_in_s: given.expires === "" ? null : Number(given.expires) };
        try {
            // PUT replaces what has this name, so it is looked for first; two people at once are not told.
            await this.refuseKnown(mesh, given.name);
            await send("PUT", path("v1", "meshes", mesh, "instances", given.name), body);
            this.app.say(`The instance ${given.name} is made, and entered.`);
            this.app.look({ instance: given.name });
        } catch (error) {
            this.app.fail(error);
        }
        await this.poll.again();
    }

    private async refuseKnown(mesh: string, name: string): Promise<void> {
        const found = await get(path("v1", "meshes", mesh, "instances", name)).catch((error: unknown) => {
            if (error instanceof Problem && error.code === "instance_not_found") {
                return null;
            }
            throw error;
        });
        if (found !== null) {
            throw new Problem(409, "", `there is an instance ${name} already: enter it, or take another name`);
        }
    }

    private async end(mesh: string, instance: string): Promise<void> {
        if (!(await confirm(`End the instance ${instance}?`, "End it"))) {
            return;
        }
        try {
            await send("DELETE", path("v1", "meshes", mesh, "instances", instance));
            this.app.say(`The instance ${instance} is ended.`);
        } catch (error) {
            this.app.fail(error);
        }
        await this.poll.again();
    }
}

export const INSTANCES: Panel = {
    id: "instances",
    title: "Instances",
    open(root, app) {
        const panel = new Instances(root, app);
        return () => panel.close();
    },
};
