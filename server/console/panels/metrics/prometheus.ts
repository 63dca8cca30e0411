// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// prometheus.ts: the text of /metrics as numbers: sums over labels, and what a histogram's buckets say
// of the time between two readings.

export interface Sample {
    labels: Record<string, string>;
    value: number;
}

export type Reading = Map<string, Sample[]>;

const LINE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"/g;

export function parse(text: string): Reading {
    const reading: Reading = new Map();
    for (const line of text.split("\n")) {
        const found = line.startsWith("#") ? null : LINE.exec(line);
        if (found !== null) {
            const labels = Object.fromEntries([...(found[2] ?? "").matchAll(LABEL)].map(([, name, value]) => [name, value]));
            const samples = reading.get(found[1]) ?? [];
            samples.push({ labels, value: Number(found[3].replace("+Inf", "Infinity")) });
            reading.set(found[1], samples);
        }
    }
    return reading;
}

// The sum of a family's samples whose labels are as given; null where it has none.
export function sum(reading: Reading, family: string, labels: Record<string, string> = {}): number | null {
    const samples = reading.get(family)?.filter((sample) => Object.entries(labels).every(([name, value]) => sample.labels[name] === value));
    return samples === undefined || samples.length === 0 ? null : samples.reduce((total, sample) => total + sample.value, 0);
}

// ---- histograms ----

export type Buckets = [bound: number, count: number][]; // cumulated, by their upper bounds

// The buckets of a histogram over all its labels.
export function buckets(reading: Reading, family: string): Buckets {
    const counts = new Map<number, number>();
    for (const { labels, value } of reading.get(`${family}_bucket`) ?? []) {
        const bound = labels.le === "+Inf" ? Infinity : Number(labels.le);
        counts.set(bound, (counts.get(bound) ?? 0) + value);
    }
    return [...counts].sort(([a], [b]) => a - b);
}

// What came between two readings; a daemon that has started again begins at nothing.
export function since(before: Buckets, after: Buckets): Buckets {
    const known = new Map(before);
    const grown = after.every(([bound, count]) => count >= (known.get(bound) ?? 0));
    return after.map(([bound, count]) => [bound, grown ? count - (known.get(bound) ?? 0) : count]);
}

// The value below which a part of the samples lie, between the bounds of its bucket in proportion; null
// where there are none. Of the last bucket, which has no end, its beginning is told.
export function percentile(of: Buckets, part: number): number | null {
    const total = of.at(-1)?.[1] ?? 0;
    if (total === 0) {
        return null;
    }
    const wanted = part * total;
    const at = of.findIndex(([, count]) => count >= wanted);
    const [bound, count] = of[at];
    const [low, below] = at === 0 ? [0, 0] : of[at - 1];
    return bound === Infinity ? low : low + ((bound - low) * (wanted - below)) / Math.max(1e-12, count - below);
}
