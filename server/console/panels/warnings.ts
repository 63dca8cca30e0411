// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// warnings.ts: the warnings of a version as sentences, each place of which can be flown to. Few of them are open.

import type { App } from "../app";
import { h } from "../dom";
import { number, place, words } from "../format";
import { sentence } from "../failures";
import type { Version, Warning } from "../shapes";
import { button, more, placeButton, section } from "../widgets";

const FEW = 3; // warnings that are open before anybody opens them

// What a warning means and, where it is not in the daemon's own sentence, what to do.
const MEANING: Record<string, string> = {
    degenerate_triangles: "Triangles without an area are left out.",
    sliver_triangles: "Long thin triangles: the ground there may be rough.",
    regions_removed: "Ground too small for region_min_size is removed.",
    hole_not_merged: "A hole could not be cut out of the ground around it: that ground is missing.",
    triangulation_failed: "Ground whose outline could not be cut into triangles has gaps.",
    detail_error_not_met: "The mesh is farther from the ground than detail_max_error allows.",
    value_clamped: "A setting was rounded to whole cells.",
    link_off_mesh: "A link has an end with no ground near it, and leads nowhere.",
    seed_off_mesh: "A seed has no ground near it.",
    switch_off_mesh: "A switch holds no ground.",
    island: "Ground that no path leads to from the rest.",
    island_removed: "Ground that no seed reaches is removed.",
    units_suspect: "The level's unit does not look like metres.",
    axis_suspect: "Another axis seems to be up.",
    winding_suspect: "The triangles seem to face down.",
    material_unlisted: "A material of the level is in no list.",
    agent_too_low: "The agent is lower than what it climbs.",
    face_crosses_itself: "A face that crosses itself is left out in part.",
    name_shortened: "A long name of a material is cut.",
    skin_skipped: "A mesh that a skeleton moves is left out.",
};

const VALUE: Record<string, string> = {
    sliver_triangles: "long",
    regions_removed: "large",
    island: "large",
    island_removed: "large",
    hole_not_merged: "large",
    triangulation_failed: "missing",
    detail_error_not_met: "off",
    value_clamped: "now",
    link_off_mesh: "away",
    seed_off_mesh: "away",
};

type Item = Warning["items"][number];

function itemText(code: string, item: Item): string {
    const measured = item.value === undefined ? null : `${number(item.value)} ${VALUE[code] ?? ""}`.trim();
    return [item.name, item.position === undefined ? null : place(item.position), measured].filter((part) => part != null).join(" · ");
}

function itemRow(app: App, warning: Warning, item: Item, at: number): HTMLElement {
    const text = itemText(warning.code, item);
    const { position } = item;
    if (position === undefined) {
        return h("li", {}, text);
    }
    const fly = () => {
        app.view.flyTo(position);
        app.view.mark("warning", { kind: "point", at: position, label: item.name ?? words(warning.code), tone: "note" });
        app.say(`The view shows ${words(warning.code)} at ${place(position)}.`);
    };
    return h("li", {}, placeButton(text, words(warning.code), fly, `warning ${warning.code} ${at}`));
}

// What the user has opened or closed stays so from one version to the next.
const folds = new Map<string, boolean>();

function warningList(app: App, version: Version, warnings: Warning[]): HTMLElement {
    const list = h("div", { class: "warnings" });
    const again = (suggest: string) => app.open("upload", { again: version, suggest });
    for (const warning of warnings) {
        const unfolded = folds.get(warning.code) ?? warnings.length <= FEW;
        const text = sentence(warning.detail ?? MEANING[warning.code] ?? words(warning.code));
        const { suggest } = warning;
        const rows = h("ul", { class: "places" }, ...warning.items.map((item, at) => itemRow(app, warning, item, at)));
        const rest = warning.count - warning.items.length;
        const details = more(
            `${words(warning.code)} (${warning.count})`,
            `warnings ${warning.code}`,
            unfolded,
            h("p", { class: "help" }, text),
            suggest === undefined ? null : button(`Bake again with ${suggest}`, () => again(suggest), { "data-key": `again ${suggest}` }),
            rows,
            rest > 0 ? h("p", { class: "help" }, `and ${rest} more`) : null,
        );
        details.addEventListener("toggle", () => {
            if (details.open !== unfolded || folds.has(warning.code)) { // not the event of its being made
                folds.set(warning.code, details.open);
            }
        });
        list.append(details);
    }
    return list;
}

// Null where there are none. Some are known before the bake has begun.
export function warningSection(app: App, version: Version, warnings: Warning[] | null): HTMLElement | null {
    return warnings === null || warnings.length === 0 ? null : section("Warnings", warningList(app, version, warnings));
}
