// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// recordings.ts: questions that were recorded with their answers, each to save as a file that
// `navmeshd replay` asks again on another machine.

import { call, get, path, Problem, query, send } from "../api";
import type { App, Panel } from "../app";
import { confirm } from "../dialogs";
import { fill, h } from "../dom";
import { ago, bytes, counted, milliseconds } from "../format";
import { Poll } from "../poll";
import type { RecordingRow } from "../shapes";
import { badge, button, nothing, save } from "../widgets";

const EACH_MS = 5000;
const PAGE = 100;

interface Page {
    recordings: RecordingRow[];
    next: string | null;
    count: number;
    bytes: number;
    bytes_max: number;
}

const CAUSES: Record<string, string> = { asked: "asked for", slow: "was slow", failed: "failed" };

class Recordings {
    private readonly list = h("div", {});
    private readonly stop = new AbortController();
    private readonly poll: Poll<Page>;
    private pages = 1;
    private shown = "";

    constructor(root: HTMLElement, private readonly app: App) {
        root.append(
            h("p", { class: "help" }, "A question with its answer, the version and the state that it was asked in, as one file. Record a question in Ask, or with record=1; slow questions and faults of the daemon record themselves. On another machine: ", h("code", {}, "navmeshd replay FILE"), "."),
            this.list,
        );
        this.poll = new Poll(() => this.read(), (found) => this.showNew(found), (error) => this.failed(error), EACH_MS, this.stop.signal);
    }

    close(): void {
        this.stop.abort();
    }

    // As many pages as are shown, as one.
    private async read(): Promise<Page> {
        const readPage = (after: string | null) => get<Page>("/v1/recordings" + query({ after, limit: PAGE }), this.stop.signal);
        const found = await readPage(null);
        for (let page = 1; page < this.pages && found.next !== null; page++) {
            const { recordings, next } = await readPage(found.next);
            found.recordings.push(...recordings);
            found.next = next;
        }
        return found;
    }

    private showNew(found: Page): void {
        const now = JSON.stringify(found);
        if (now !== this.shown) {
            this.shown = now;
            this.show(found);
        }
    }

    private failed(error: unknown): void {
        if (error instanceof Problem && error.code === "route_not_found") {
            fill(this.list, nothing("This daemon records nothing: its version has no recordings."));
        } else {
            this.app.fail(error);
        }
    }

    private show(page: Page): void {
        const more = () => {
            this.pages++;
            void this.poll.again();
        };
        const empty =
            page.bytes_max === 0 ? "This daemon was started with --recordings-bytes 0 and records nothing." : "Nothing is recorded yet.";
        fill(
            this.list,
            page.recordings.length === 0 ? nothing(empty) : h("p", { class: "quiet" }, `${counted(page.count, "recording")}, ${bytes(page.bytes)} of ${bytes(page.bytes_max)}; the oldest of those that recorded themselves make room for new ones.`),
            h("ul", { class: "cards", "aria-label": "Recordings" }, ...page.recordings.map((row) => this.row(row))),
            page.next === null ? null : button("Show more", more, { "data-key": "more" }),
        );
    }

    private row(row: RecordingRow): HTMLElement {
        const { id } = row;
        const open = () => this.app.look({ mesh: row.mesh, version: row.version });
        const name = row.name ?? id ?? "";
        const what = `${row.kind ?? "a question"} of ${row.mesh ?? "a mesh that is damaged"}, version ${row.version === 0 ? "unknown" : row.version}`;
        const tone = row.cause === "failed" ? "bad" : row.cause === "slow" ? "busy" : "quiet";
        return h(
            "li",
            {},
            h("div", { class: "row" }, h("strong", {}, name), badge(CAUSES[row.cause] ?? row.cause, tone)),
            h("p", {}, row.mesh === null ? what : button(what, open, { class: "name", "data-key": `open ${id}` })),
            h("p", { class: "help" }, `answered ${row.status} in ${milliseconds(row.ms)}, ${row.created_at === null ? "" : `${ago(row.created_at)}, `}${bytes(row.bytes)} beside its version`),
            id === null
                ? null
                : h(
                      "div",
                      { class: "row ends" },
                      button("Save as a file", () => void this.download(id), { "aria-label": `Save ${name} as a file`, "data-key": `save ${id}` }),
                      button("Delete…", () => void this.remove(id, name), { class: "quiet", "aria-label": `Delete ${name}`, "data-key": `delete ${id}` }),
                  ),
        );
    }

    private async download(id: string): Promise<void> {
        try {
            const reply = await call(path("v1", "recordings", id));
            save(await reply.blob(), `${id}.navrec`);
            this.app.say(`${id}.navrec is saved.`);
        } catch (error) {
            this.app.fail(error);
        }
    }

    private async remove(id: string, name: string): Promise<void> {
        if (!(await confirm(`Delete the recording ${name}?`, "Delete it"))) {
            return;
        }
        try {
            await send("DELETE", path("v1", "recordings", id));
            this.app.say("The recording is deleted.");
        } catch (error) {
            this.app.fail(error);
        }
        await this.poll.again();
    }
}

// Asks a question once more, this time with record=1. `address` is that of its call.
export async function recordQuestion(app: App, address: string): Promise<void> {
    try {
        const reply = await call(`${address}${address.includes("?") ? "&" : "?"}record=1`, { headers: { "X-Requested-With": "console" } });
        app.say(`The question is recorded as ${reply.headers.get("X-Recording") ?? "one of the list"}: Recordings has it as a file.`);
    } catch (error) {
        app.fail(error);
    }
}

export const RECORDINGS: Panel = {
    id: "recordings",
    title: "Recordings",
    open(root, app) {
        const panel = new Recordings(root, app);
        return () => panel.close();
    },
};
