// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// ask.ts: questions of the tools as calls, at most one under way: while it is, only the newest of
// those that come waits, so that an end that is dragged is followed as fast as answers come.

import { call, path, query } from "../api";
import type { Looked } from "../app";
import { placeArgument } from "../format";
import type { Point } from "../shapes";

export type Kind = "path" | "raycast" | "wall" | "flood" | "random";

// What the user has set, for all kinds.
export interface Question {
    kind: Kind;
    start: Point | null;
    end: Point | null;
    options: Record<string, string>; // by the names of the call's parameters
    expand?: boolean; // also what the search of a path does, step by step
    quiet?: boolean; // nobody asked by hand: the answer is shown, and not said
}

// An answer, as far as one of the kinds has it.
export interface Answer {
    version: number;
    revision?: number;
    status?: "complete" | "partial" | "none";
    reason: string | null;
    blocked_by?: string[];
    length?: number;
    cost?: number | null;
    optimal?: boolean;
    lower_bound?: number;
    clearance_min?: number;
    unproven?: string;
    start?: Point | null;
    end?: Point;
    points?: Point[] | Found[];
    nearest?: { position: Point; distance: number };
    islands?: { start: { component: number }; end: { component: number }; gap?: { from: Point; to: Point; distance: number } };
    details?: { polygons: { polygon: string }[]; areas: { area: string }[]; links: { link?: string; id?: string | null }[] };
    hit?: boolean;
    t?: number | null;
    distance?: number;
    position?: Point | null; // null of a ray that has no start
    normal?: Point;
    polygon?: string;
    polygons?: { polygon: string; cost: number }[];
    truncated?: boolean;
    seed?: number;
    expansions?: { engine: string; root: Point; left: Point; right: Point }[];
    expansions_truncated?: boolean;
}

export interface Found {
    position: Point;
    polygon: string;
    area: string;
    component: number;
}

export interface Asked {
    question: Question;
    address: string; // of its call
    answer: Answer;
    microseconds: number; // from request to reply
}

// The parameters that each kind takes beside its places.
const OPTIONS: Record<Kind, string[]> = {
    path: ["search", "filter", "clearance"],
    raycast: ["filter"],
    wall: ["filter", "max_radius"],
    flood: ["filter", "max_cost"],
    random: ["filter", "count", "radius", "seed"],
};

// Whether all that the question needs is there.
export function isWhole({ kind, start, end }: Question): boolean {
    return kind === "random" || (start !== null && (end !== null || (kind !== "path" && kind !== "raycast")));
}

export function addressOf(question: Question, { mesh, version, agent, instance }: Looked): string {
    const { kind, start, end, options } = question;
    const place = (point: Point | null) => (point === null ? null : placeArgument(point));
    const args: Record<string, string | number | null> = {
        instance,
        version: instance === null ? version : null, // else that of the instance
        agent,
    };
    if (kind === "path" || kind === "raycast") {
        args.start = place(start);
        args.end = place(end);
    } else {
        args[{ wall: "point", flood: "start", random: "center" }[kind]] = place(start);
    }
    for (const name of OPTIONS[kind]) {
        args[name] = name === "radius" && start === null ? null : (options[name] ?? null);
    }
    if (kind === "random" && start !== null && !options.radius) {
        args.center = null; // a circle needs both
    }
    if (kind === "path") {
        args.details = "polygons,areas,links";
        args.expand = question.expand ? 1 : null;
    }
    return path("v1", "meshes", mesh!, kind) + query(args);
}

// How long the request took. The browser's own record of it is finer than two looks at the clock
// around it, which count the wait for this page as well.
function microsecondsOf(address: string, begun: number): number {
    const entry = performance.getEntriesByName(new URL(address, location.href).href).at(-1) as PerformanceResourceTiming | undefined;
    performance.clearResourceTimings();
    const served = entry?.serverTiming?.find(({ name }) => name === "handler")?.duration;
    return 1000 * (served ?? (entry !== undefined ? entry.responseEnd - entry.requestStart : performance.now() - begun));
}

export class Asker {
    private waiting: Question | null = null;
    private running: string | null = null; // the address of the question under way; "" of one that is dropped
    private stop = new AbortController();

    constructor(
        private readonly looked: () => Looked,
        private readonly told: (asked: Asked) => void,
        private readonly failed: (error: unknown, question: Question) => void,
    ) {}

    // A question that is under way already is not asked once more.
    ask(question: Question): void {
        if (this.waiting !== null || this.running !== addressOf(question, this.looked())) {
            this.waiting = { ...question, options: { ...question.options } };
        }
        if (this.running === null) {
            void this.run();
        }
    }

    // Neither the question under way nor the one that waits is answered.
    drop(): void {
        this.waiting = null;
        this.running &&= ""; // the same may be asked again before it has ended
        this.stop.abort();
        this.stop = new AbortController();
    }

    private async run(): Promise<void> {
        while (this.waiting !== null) {
            const question = this.waiting;
            const looked = this.looked();
            const { signal } = this.stop;
            const late = (): boolean => signal.aborted || this.looked() !== looked; // it is of something else
            const address = addressOf(question, looked);
            this.waiting = null;
            this.running = address;
            const begun = performance.now();
            try {
                const answer = (await (await call(address, { signal })).json()) as Answer;
                if (!late()) {
                    this.told({ question, address, answer, microseconds: microsecondsOf(address, begun) });
                }
            } catch (error) {
                if (!late()) {
                    this.failed(error, question);
                }
            }
        }
        this.running = null;
    }
}
