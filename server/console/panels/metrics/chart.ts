// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// chart.ts: a small chart of what a number was over the last minutes, with the same as a table for those
// who cannot see it.

import { fill, h, svg } from "../../dom";
import { more } from "../../widgets";

const WIDTH = 300;
const HEIGHT = 44;
const TABLE_ROWS = 12;
export const MISSED = 3; // times the usual distance of two readings: between them nothing is known

export interface Series {
    name: string;
    values: (number | null)[]; // oldest first; null: not known
}

// A line with gaps where nothing is known: readings that were missed, since the panel was closed or the
// page in the background, or without the value. `ago`: how many seconds each is old.
function lineOf(values: (number | null)[], ago: number[], most: number, span: number, gap: number): string {
    let pen = "M";
    return values
        .map((value, at) => {
            if (value === null) {
                pen = "M";
                return "";
            }
            if (at > 0 && ago[at - 1] - ago[at] > gap) {
                pen = "M";
            }
            const x = (1 - ago[at] / span) * WIDTH;
            const y = HEIGHT - 2 - (value / most) * (HEIGHT - 6);
            const part = `${pen}${x.toFixed(1)} ${y.toFixed(1)}`;
            pen = "L";
            return part;
        })
        .join("");
}

export class Chart {
    readonly root = h("section", { class: "chart" });
    private readonly now = h("div", { class: "row legend-row" });
    private readonly picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img" });
    private readonly table = h("div", {});

    constructor(private readonly title: string, private readonly text: (value: number) => string, private readonly eachSeconds: number, private readonly spanSeconds: number) {
        this.root.append(h("h3", {}, title), this.now, this.picture, more("As a table", `table ${title}`, false, this.table));
    }

    // ago: how many seconds each value of the series is old.
    show(ago: number[], series: Series[]): void {
        const known = series.flatMap(({ values }) => values.filter((value) => value !== null));
        const most = Math.max(...known, 1e-9);
        const texts = series.map(({ name, values }) => `${name} ${values.at(-1) == null ? "–" : this.text(values.at(-1)!)}`);
        fill(this.now, ...series.map((_, at) => h("span", { class: `series-${at}` }, texts[at])));
        this.picture.setAttribute("aria-label", `${this.title}: ${texts.join(", ")}`);
        fill(this.picture, ...series.map(({ values }, at) => svg("path", { class: `series-${at}`, d: lineOf(values, ago, most, this.spanSeconds, MISSED * this.eachSeconds), "vector-effect": "non-scaling-stroke" })));
        this.showTable(ago, series);
    }

    private showTable(ago: number[], series: Series[]): void {
        const { length } = ago;
        const rows = Array.from({ length: Math.min(length, TABLE_ROWS) }, (_, back) => length - 1 - back);
        fill(
            this.table,
            h(
                "table",
                { "aria-label": this.title },
                h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Ago"), ...series.map(({ name }) => h("th", { scope: "col", class: "figure" }, name)))),
                h(
                    "tbody",
                    {},
                    ...rows.map((at) =>
                        h(
                            "tr",
                            {},
                            h("th", { scope: "row" }, `${Math.round(ago[at])} s`),
                            ...series.map(({ values }) => h("td", { class: "figure" }, values[at] === null ? "–" : this.text(values[at]))),
                        ),
                    ),
                ),
            ),
        );
    }
}
