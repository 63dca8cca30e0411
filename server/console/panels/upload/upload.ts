// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// upload.ts: takes levels: by a field for files or dropped anywhere on the page, with settings in a
// form; then shows the bake as it goes and looks at the new version.

import type { App, Hint, Panel } from "../../app";
import { fill, h } from "../../dom";
import { bytes, counted } from "../../format";
import type { Settings, Version } from "../../shapes";
import { button, field, more, section, tick, type Field } from "../../widgets";
import { readSettings } from "./schema";
import { SettingsForm, type Texts } from "./form";
import { formOf, meshName, named, sort, stored, type Source } from "./files";
import { UploadRun } from "./run";

// What the user has chosen stays from one opening of the panel to the next.
interface Draft {
    sources: Source[];
    sent: Source[] | null; // that were uploaded last
    over: "taken" | "refused" | null; // what became of them: files that are chosen next are another level
    mesh: string;
    meshOfFile: string; // the name that a file gave
    places: string;
    texts: Texts;
    args: Record<string, boolean>;
    accept: Set<string>; // refusals of these sources that the user has accepted
}

const draft: Draft = { sources: [], sent: null, over: null, mesh: "", meshOfFile: "", places: "", texts: new Map(), args: { activate: true, reuse: true }, accept: new Set() };

const ARGUMENTS: [name: string, label: string][] = [
    ["activate", "Make it live when it is ready"],
    ["require_checks", "Refuse it if it fails checks of the mesh"],
    ["strict", "Refuse it if it has warnings"],
    ["force", "Make it live whatever the checks say"],
    ["reuse", "Take tiles that have not changed from earlier versions"],
];

class Upload {
    private readonly list = h("div", {});
    private chosen!: Field;
    private readonly mesh: Field;
    private readonly next = h("div", {}); // another name for it
    private readonly unlook: () => void;
    private readonly places: Field;
    private readonly settings = h("div", {});
    private readonly progress = h("div", { hidden: true });
    private readonly stop = new AbortController();
    private form: SettingsForm | null = null;
    private run: UploadRun | null = null;
    private readonly send: HTMLButtonElement;

    constructor(root: HTMLElement, private readonly app: App) {
        this.mesh = field("Name of the mesh", h("input", { value: draft.mesh, maxlength: 64, autocomplete: "off", spellcheck: "false" }), 'Letters, digits, ".", "-" and "_". A name that is there gets a new version.');
        this.mesh.input.addEventListener("input", () => this.setMesh(this.mesh.input.value));
        this.unlook = app.onLook(() => this.showNext());
        const places = h("textarea", { rows: 2, spellcheck: "false", placeholder: '[{"name": "east", "translate": [300, 0, 0], "rotate": 90}]' });
        places.value = draft.places;
        places.addEventListener("input", () => (draft.places = places.value.trim()));
        this.places = field("Where the parts stand", places, "JSON: scaled, then turned, then moved; parts that are not named stand as they are.");
        this.send = button("Upload and bake", () => void this.start(), { class: "primary", "data-key": "send" });
        root.append(this.files(), this.mesh.root, this.next, this.places.root, this.settings, this.options(), h("div", { class: "foot" }, this.progress, this.send));
        this.showFiles();
        this.showNext();
        readSettings().then((settings) => {
            if (!this.stop.signal.aborted) {
                this.form = new SettingsForm(settings, draft.texts);
                fill(this.settings, section("Settings", this.form.root));
            }
        }, app.fail);
    }

    close(): void {
        this.stop.abort();
        this.unlook();
        this.run?.close();
    }

    // ---- what is uploaded ----

    private files(): HTMLElement {
        const input = h("input", { type: "file", multiple: true });
        input.addEventListener("change", () => {
            const chosen = [...(input.files ?? [])];
            input.value = "";
            void this.add(chosen);
        });
        const help = "OBJ, glTF (.glb), STL, PLY, JSON, packed (.navg), Detour's .mset, or .tar. Several files are parts of one level; a .json without vertices has settings.";
        this.chosen = field("Files of the level, here or dropped anywhere on the page", input, help);
        return h("div", { class: "drop" }, this.chosen.root, this.list);
    }

    // What was accepted of other sources says nothing of these.
    private setSources(sources: Source[]): void {
        draft.sources = sources;
        draft.accept.clear();
        if (draft.over === "refused") {
            fill(this.progress); // says why
            this.progress.hidden = true;
        }
        draft.over = null;
        this.showFiles();
    }

    private showFiles(): void {
        this.places.root.hidden = draft.sources.length < 2;
        const rows = draft.sources.map((source, at) => {
            const remove = () => {
                this.setSources(draft.sources.filter((_, other) => other !== at));
            };
            const part = draft.sources.length > 1 ? ` as part ${source.part}` : "";
            return h("li", {}, h("span", {}, source.text, h("span", { class: "quiet" }, ` ${bytes(source.bytes.size)}${part}`)), button("Remove", remove, { class: "quiet", "aria-label": `Remove ${source.text}` }));
        });
        fill(this.list, rows.length === 0 ? null : h("ul", { class: "rows", "aria-label": "What is uploaded" }, ...rows));
    }

    private setMesh(name: string): void {
        draft.mesh = name;
        if (this.mesh.input.value !== name) {
            this.mesh.input.value = name;
        }
        this.showNext();
    }

    // The mesh that is looked at gets a new version only by the user's own choice, since that may go live.
    private showNext(): void {
        const { mesh } = this.app.looked;
        fill(this.next, mesh === null || mesh === draft.mesh ? null : button(`Make it the next version of ${mesh}`, () => this.setMesh(mesh), { "data-key": "next" }));
    }

    // Names the mesh by the first file of a level, unless the user did.
    private nameBy({ file }: Source, first: boolean): void {
        if (draft.mesh === "" || (first && draft.mesh === draft.meshOfFile)) {
            draft.meshOfFile = meshName(file);
            this.setMesh(draft.meshOfFile);
        }
    }

    async add(files: Iterable<File>): Promise<void> {
        const { sources, settings, recordings } = await sort(files);
        if (sources.length > 0) {
            const isUnderWay = draft.sources === draft.sent && this.send.disabled;
            const another = draft.over !== null || isUnderWay; // level, not one more part
            this.nameBy(sources[0], another || draft.sources.length === 0);
            const all = another ? sources : [...draft.sources, ...sources];
            named(all);
            this.setSources(all);
        }
        this.chosen.error(null);
        if (settings !== null) {
            await this.load(settings);
        }
        const told = [
            sources.length > 0 ? `${counted(sources.length, "file")} to upload: ${sources.map((each) => each.text).join(", ")}.` : "",
            settings !== null ? "The settings are in the form." : "",
            recordings.length > 0 ? `${recordings.join(", ")}: a recording is no level. "navmeshd replay FILE" asks its question again.` : "",
        ];
        this.app.say(told.filter((each) => each !== "").join(" "));
    }

    private async load(settings: Settings): Promise<void> {
        await readSettings();
        this.form?.load(settings);
    }

    // The stored level of a version, with its settings.
    async again(version: Version, suggest: string | undefined): Promise<void> {
        this.setMesh(version.mesh);
        try {
            this.setSources([await stored(version, this.stop.signal)]);
            await this.load(version.config ?? {});
            for (const [, name, value] of (suggest ?? "").matchAll(/([a-z_.]+)=([^&]*)/g)) {
                this.form?.set(name, value);
            }
            this.app.say(`The level and the settings of version ${version.version} are in the form.`);
        } catch (error) {
            this.app.fail(error);
        }
    }

    // ---- how ----

    private options(): HTMLElement {
        const ticks = ARGUMENTS.map(([name, label]) => h("div", {}, tick(label, draft.args[name] ?? false, (on) => (draft.args[name] = on))));
        return more("Options", "options", false, ...ticks);
    }

    private arguments(): Record<string, string> {
        const args: Record<string, string> = {};
        for (const [name] of ARGUMENTS) {
            const standard = name === "activate" || name === "reuse";
            if ((draft.args[name] ?? false) !== standard) {
                args[name] = draft.args[name] ? "1" : "0";
            }
        }
        if (draft.accept.size > 0) {
            args.accept = [...draft.accept].join(",");
        }
        return args;
    }

    // ---- the upload ----

    private ready(): boolean {
        this.mesh.error(null);
        this.chosen.error(null);
        this.form?.clearErrors();
        if (draft.sources.length === 0) {
            this.chosen.error("Choose a level first.");
            this.chosen.input.focus();
            return false;
        }
        if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(draft.mesh)) {
            this.mesh.error('A name begins with a letter or digit and has at most 64 letters, digits, ".", "-" and "_".');
            this.mesh.input.focus();
            return false;
        }
        return true;
    }

    private async start(): Promise<void> {
        if (!this.ready()) {
            return;
        }
        if (this.form === null) {
            this.app.say("The settings are not there yet: try again in a moment.");
            return;
        }
        const config = this.form.read();
        if (config === null) {
            return;
        }
        const { sources } = draft;
        draft.sent = sources;
        const same = () => draft.sources === sources; // else others were chosen meanwhile
        this.run?.close();
        this.send.disabled = true;
        this.progress.hidden = false;
        this.run = new UploadRun(this.progress, this.app, {
            refused: (failure) => {
                const beside = this.form?.refuse(failure) ?? false;
                if (same()) {
                    draft.over ??= beside ? null : "refused";
                }
                return beside;
            },
            taken: () => {
                if (same()) {
                    draft.over = "taken";
                    draft.accept.clear();
                }
            },
            accept: (code) => {
                if (same()) {
                    draft.accept.add(code);
                    void this.start();
                }
            },
            ended: () => (this.send.disabled = false),
        });
        await this.run.start(draft.mesh, formOf(sources, config, draft.places), this.arguments());
    }
}

let opened: Upload | null = null;

// Files that were dropped anywhere on the page.
export async function takeFiles(app: App, files: File[]): Promise<void> {
    if (opened === null) {
        app.open("upload");
    }
    await opened?.add(files);
}

export const UPLOAD: Panel = {
    id: "upload",
    title: "Upload",
    open(root, app, hint: Hint) {
        const panel = new Upload(root, app);
        opened = panel;
        if (hint.again !== undefined) {
            void panel.again(hint.again as Version, hint.suggest as string | undefined);
        }
        return () => {
            opened = null;
            panel.close();
        };
    },
};
