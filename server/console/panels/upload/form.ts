// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// form.ts: the settings of a bake as a form. Only what the user changes is sent. What the
// daemon refuses is said beside the field that it names, with a button that does what it suggests.

import { h } from "../../dom";
import { sentence } from "../../failures";
import type { Failure, Settings } from "../../shapes";
import { button, field, more, select, type Field } from "../../widgets";
import { grouped, label, others, pretty, putAt, readText, same, textOf, valueAt, type Setting } from "./schema";

// Settings that the form has no field for, as an object.
const FURTHER: Setting = {
    name: "more settings",
    kind: "json",
    standard: {},
    choices: [],
    integer: false,
    help: "an object with settings, which are added to those above",
};

// What the user has typed stays from one opening of the panel to the next.
export type Texts = Map<string, string>;

function inputOf(setting: Setting, text: string): Field["input"] {
    const standard = setting.standard === undefined ? "" : textOf(setting, setting.standard);
    if (setting.kind === "flag") {
        const first = standard === "" ? "as it is by default" : standard === "true" ? "on (default)" : "off (default)";
        return select([["", first], ["true", "on"], ["false", "off"]], text);
    }
    if (setting.kind === "choice") {
        const first = standard === "" ? `${setting.choices[0]} (default)` : `${standard} (default)`;
        return select([["", first], ...setting.choices.map((choice): [string, string] => [choice, choice])], text);
    }
    const attributes = { placeholder: standard === "null" ? "none" : standard, spellcheck: "false", autocomplete: "off" };
    if (setting.kind === "json") {
        const area = h("textarea", { rows: 2, ...attributes });
        area.value = text;
        return area;
    }
    return h("input", { value: text, inputmode: setting.kind === "number" ? "decimal" : "text", ...attributes });
}

export class SettingsForm {
    readonly root = h("div", { class: "settings" });
    private readonly fields = new Map<string, Field>();
    private readonly groups = new Map<string, HTMLDetailsElement>();

    constructor(private readonly settings: Setting[], private readonly texts: Texts) {
        this.build();
    }

    private build(): void {
        for (const { title, settings } of grouped(this.settings)) {
            const changed = settings.some((setting) => this.texts.has(setting.name));
            const details = more(title, `group ${title}`, changed || title === "Agent");
            settings.forEach((setting) => this.add(details, setting));
            this.root.append(details);
        }
        const rest = more("As JSON", "group JSON", this.texts.has(FURTHER.name));
        this.add(rest, FURTHER);
        this.root.append(rest);
    }

    private add(group: HTMLDetailsElement, setting: Setting): void {
        const { name } = setting;
        const input = inputOf(setting, this.texts.get(name) ?? "");
        const one = field(label(setting), input, setting.help);
        input.dataset.setting = name;
        input.addEventListener("input", () => {
            one.error(null);
            this.keep(name, input.value);
        });
        this.fields.set(name, one);
        this.groups.set(name, group);
        group.append(one.root);
    }

    private keep(name: string, text: string): void {
        if (text.trim() === "") {
            this.texts.delete(name);
        } else {
            this.texts.set(name, text);
        }
    }

    // ---- values ----

    set(name: string, text: string): boolean {
        const one = this.fields.get(name);
        if (one === undefined) {
            return false;
        }
        one.input.value = text;
        one.error(null);
        this.keep(name, text);
        this.groups.get(name)!.open = true;
        return true;
    }

    // Fills the form with settings: what is as by default stays empty.
    load(of: Settings): void {
        for (const setting of this.settings) {
            const value = valueAt(of, setting.name);
            const changed = value !== undefined && !same(value, setting.standard);
            this.set(setting.name, changed ? textOf(setting, value) : "");
        }
        const rest = others(of, this.settings);
        this.set(FURTHER.name, Object.keys(rest).length === 0 ? "" : pretty(rest));
    }

    // The value of one field; undefined where it is empty, or where it means nothing, which is then
    // said beside it.
    private readOne(setting: Setting, wrong: Field[]): unknown {
        const text = this.texts.get(setting.name);
        if (text === undefined) {
            return undefined;
        }
        try {
            return readText(setting, text.trim());
        } catch (error) {
            const one = this.fields.get(setting.name)!;
            one.error((error as Error).message);
            this.groups.get(setting.name)!.open = true;
            wrong.push(one);
            return undefined;
        }
    }

    // What the user has changed; null where a field means nothing.
    read(): Settings | null {
        const wrong: Field[] = [];
        const rest = this.readOne(FURTHER, wrong);
        const config: Settings = rest !== null && typeof rest === "object" ? { ...rest } : {};
        for (const setting of this.settings) {
            const value = this.readOne(setting, wrong);
            if (value !== undefined) {
                putAt(config, setting.name, value);
            }
        }
        wrong[0]?.input.focus();
        return wrong.length === 0 ? config : null;
    }

    // ---- what is wrong ----

    private fieldAt(at: string): string | null {
        const inside = (name: string) => at === name || at.startsWith(`${name}.`) || at.startsWith(`${name}[`);
        const known = [...this.fields.keys()].find(inside);
        return known ?? (this.texts.has(FURTHER.name) ? FURTHER.name : null);
    }

    clearErrors(): void {
        this.fields.forEach((one) => one.error(null));
    }

    // Says a refusal beside its field. Returns false where no field is named.
    refuse(failure: Failure): boolean {
        const at = failure.at?.replace(/^config\./, "") ?? null;
        const name = at === null ? null : this.fieldAt(at);
        if (at === null || name === null) {
            return false;
        }
        const one = this.fields.get(name)!;
        const actions: HTMLElement[] = [];
        if (failure.suggest_cell_size !== undefined) {
            const size = String(Number((failure.suggest_cell_size * 1.01).toPrecision(3)));
            actions.push(button(`Use ${size}`, () => this.set("cell_size", size)));
        } else if (failure.suggest !== undefined) {
            const { suggest } = failure;
            actions.push(button(`Use ${suggest}`, () => this.apply(name, at, failure)));
        }
        one.error(sentence(failure.detail), ...actions);
        this.groups.get(name)!.open = true;
        one.input.focus();
        return true;
    }

    // A suggestion is an argument (scale=0.01), another name for what is not known, or another word.
    private apply(name: string, at: string, failure: Failure): void {
        const suggest = failure.suggest!;
        const argument = /^([a-z_.]+)=(.*)$/.exec(suggest);
        if (argument !== null) {
            this.set(argument[1], argument[2]);
        } else if (name === at) {
            this.set(name, suggest);
        } else {
            const of = JSON.parse(this.texts.get(name) ?? "{}") as Settings;
            const unknown = failure.code === "unknown_field";
            const setting = this.settings.find((each) => each.name === suggest);
            if (name === FURTHER.name && unknown && at in of && setting !== undefined) {
                this.set(suggest, textOf(setting, of[at]));
                delete of[at];
            } else {
                amend(of, name === FURTHER.name ? at : at.slice(name.length), suggest, unknown);
            }
            this.set(name, Object.keys(of).length === 0 ? "" : pretty(of));
        }
    }
}

// Within JSON: gives the member at a place such as [0].shape another name, or another value.
function amend(of: unknown, at: string, suggest: string, rename: boolean): void {
    const parts = at.split(/[.[\]]+/).filter((part) => part !== "");
    const last = parts.pop()!;
    const member = (each: unknown, part: string) => (each as Record<string, unknown> | undefined)?.[part];
    const place = parts.reduce<unknown>(member, of) as Record<string, unknown> | undefined;
    if (place === undefined) {
        return;
    }
    if (rename) {
        place[suggest] = place[last];
        delete place[last];
    } else {
        place[last] = suggest;
    }
}
