// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// metrics.ts: how the daemon is: requests, their times, memory and the queue as small charts of the last
// minutes, read every two seconds while the panel is open; and what /v1/status tells.

import { call, get } from "../../api";
import type { App, Panel } from "../../app";
import { fill, h } from "../../dom";
import { bytes, count, counted, milliseconds, number, seconds } from "../../format";
import { Poll } from "../../poll";
import { more, pairs } from "../../widgets";
import { buckets, parse, percentile, since, sum, type Reading } from "./prometheus";
import { Chart, MISSED, type Series } from "./chart";

const EACH_S = 2;
const KEPT = 90; // readings: three minutes, where none is missed
const DURATIONS = "navmeshd_http_request_duration_seconds";

interface Status {
    version: string;
    state: string;
    uptime_s: number;
    workers: number;
    connections: number;
    listeners: string[];
    queue: { queued: number; baking: number; limit: number };
    instances: { count: number; limit: number; pinned_versions: number };
    meshes: { mesh: string; version: number; polygons: number; memory_bytes: number }[];
    memory: { resident_bytes: number; meshes_bytes: number; scratch_bytes: number };
    files: { open: number; limit: number };
    store: { meshes: number; file_bytes: number; wal_bytes: number } | null;
    degraded: { detail?: string; since?: string } | null;
    damaged: { mesh: string; version: number | null; detail: string }[] | null;
}

interface Row {
    at: number; // of the page's clock, in ms
    ok: number | null;
    refused: number | null;
    failed: number | null;
    p50: number | null;
    p95: number | null;
    p99: number | null;
    resident: number | null;
    meshes: number | null;
    scratch: number | null;
    queued: number | null;
    baking: number | null;
    inFlight: number | null;
}

// Readings stay while the page is open, so that a panel that is opened again has a past.
const rows: Row[] = [];
let last: { reading: Reading; at: number } | null = null;

function rate(before: Reading, after: Reading, passed: number, status: string): number | null {
    const [a, b] = [before, after].map((reading) => sum(reading, "navmeshd_http_requests_total", { status }));
    return a === null || b === null ? null : Math.max(0, b - a) / passed;
}

function rowOf(reading: Reading, at: number): Row {
    const passed = last === null ? 0 : (at - last.at) / 1000;
    const known = last !== null && passed < MISSED * EACH_S ? last.reading : null;
    const recent = known === null ? [] : since(buckets(known, DURATIONS), buckets(reading, DURATIONS));
    const per = (status: string) => (known === null ? null : rate(known, reading, passed, status));
    const ms = (part: number) => {
        const of = percentile(recent, part);
        return of === null ? null : of * 1000;
    };
    return {
        at,
        ok: per("2xx"),
        refused: per("4xx"),
        failed: per("5xx"),
        p50: ms(0.5),
        p95: ms(0.95),
        p99: ms(0.99),
        resident: sum(reading, "process_resident_memory_bytes"),
        meshes: sum(reading, "navmeshd_mesh_memory_bytes"),
        scratch: sum(reading, "navmeshd_scratch_memory_bytes"),
        queued: sum(reading, "navmeshd_bake_queue_length"),
        baking: sum(reading, "navmeshd_bakes_running"),
        inFlight: sum(reading, "navmeshd_http_requests_in_flight"),
    };
}

const CHARTS: { title: string; text: (value: number) => string; series: [name: string, of: Exclude<keyof Row, "at">][] }[] = [
    { title: "Requests a second", text: number, series: [["answered", "ok"], ["refused", "refused"], ["failed", "failed"]] },
    { title: "Time of a request", text: milliseconds, series: [["half of them", "p50"], ["95 %", "p95"], ["99 %", "p99"]] },
    { title: "Memory", text: bytes, series: [["all", "resident"], ["meshes", "meshes"], ["searches", "scratch"]] },
    { title: "Bakes", text: count, series: [["waiting", "queued"], ["baking", "baking"]] },
    { title: "Requests at once", text: count, series: [["in flight", "inFlight"]] },
];

class Metrics {
    private readonly charts = CHARTS.map(({ title, text }) => new Chart(title, text, EACH_S, KEPT * EACH_S));
    private readonly status = h("div", {});
    private readonly stop = new AbortController();

    constructor(root: HTMLElement, app: App) {
        root.append(this.status, ...this.charts.map((chart) => chart.root));
        const { signal } = this.stop;
        const read = () => Promise.all([call("/metrics", { signal }).then((reply) => reply.text()), get<Status>("/v1/status", signal)]);
        void new Poll(read, ([text, status]) => this.show(text, status), (error) => app.fail(error), EACH_S * 1000, signal);
    }

    close(): void {
        this.stop.abort();
    }

    private show(text: string, status: Status): void {
        const reading = parse(text);
        const at = performance.now();
        rows.push(rowOf(reading, at));
        rows.splice(0, rows.findIndex((row) => at - row.at <= KEPT * EACH_S * 1000));
        last = { reading, at };
        const ago = rows.map((row) => (at - row.at) / 1000);
        CHARTS.forEach(({ series }, chart) => this.charts[chart].show(ago, series.map(([name, of]): Series => ({ name, values: rows.map((row) => row[of]) }))));
        this.showStatus(status, reading);
    }

    private showStatus(status: Status, reading: Reading): void {
        const { queue, instances, store, files } = status;
        const slow = sum(reading, "navmeshd_slow_queries_total");
        const faults = [
            status.degraded === null ? null : `Writes fail: ${status.degraded.detail ?? "the disk is full or gone"}`,
            ...(status.damaged ?? []).map((each) => each.detail),
        ].filter((fault) => fault !== null);
        const open = this.status.querySelector("details")?.open ?? false;
        fill(
            this.status,
            ...faults.map((fault) => h("p", { class: "wrong" }, fault)),
            pairs([
                ["Daemon", `navmeshd ${status.version}, ${status.state}, up ${seconds(status.uptime_s)}`],
                ["Workers", `${status.workers}, ${queue.baking} baking, ${queue.queued} of ${queue.limit} waiting`],
                ["Connections", `${count(status.connections)}, ${count(files.open)} of ${count(files.limit)} files`],
                ["Instances", `${count(instances.count)} of ${count(instances.limit)}, ${counted(instances.pinned_versions, "version")} pinned`],
                ["Slow questions", slow === null ? null : count(slow)],
                ["Database", store === null ? "none" : `${counted(store.meshes, "mesh", "meshes")}, ${bytes(store.file_bytes + store.wal_bytes)}`],
            ]),
            more(`Meshes that are live (${status.meshes.length})`, "live", open, this.meshes(status)),
        );
    }

    private meshes({ meshes }: Status): HTMLElement {
        const heads: [string, string | null][] = [["Mesh", null], ["Version", "figure"], ["Polygons", "figure"], ["Memory", "figure"]];
        return h(
            "table",
            { "aria-label": "Meshes that are live" },
            h("thead", {}, h("tr", {}, ...heads.map(([head, style]) => h("th", { scope: "col", class: style }, head)))),
            h(
                "tbody",
                {},
                ...meshes.map((each) =>
                    h("tr", {}, h("th", { scope: "row" }, each.mesh), ...[count(each.version), count(each.polygons), bytes(each.memory_bytes)].map((text) => h("td", { class: "figure" }, text))),
                ),
            ),
        );
    }
}

export const METRICS: Panel = {
    id: "metrics",
    title: "Metrics",
    open(root, app) {
        const panel = new Metrics(root, app);
        return () => panel.close();
    },
};
