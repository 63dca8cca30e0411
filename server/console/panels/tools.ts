// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// tools.ts: questions by clicks: a path, a ray, the nearest wall, a flood and random points. Places
// are set by a click, by dragging their pins, or as numbers; each change is asked at once.

import type { App, Panel } from "../app";
import { fill, h } from "../dom";
import { failureText } from "../failures";
import { place, readPlace, unitOf } from "../format";
import type { Point } from "../shapes";
import { button, field, middleButton, select, type Field } from "../widgets";
import type { Pick } from "../view/view";
import { answerInOneLine, answerInWords } from "./answers";
import { Asker, isWhole, type Answer, type Asked, type Found, type Kind, type Question } from "./ask";
import { addPathCheck } from "./checks_store";
import { recordQuestion } from "./recordings";

const KINDS: [Kind, string, string][] = [
    ["path", "Path", "Click a start, then an end. Drag either, and the path follows."],
    ["raycast", "Ray", "Click a start, then an end: how far the straight way is free."],
    ["wall", "Wall", "Click a place: the wall that is nearest to it."],
    ["flood", "Flood", "Click a start: all that can be reached from it at a cost."],
    ["random", "Random", "Points spread evenly over the ground; click a place to stay around it."],
];

// The reasons that the level or the state of the instance has.
const EXPLAINED = ["start_off_mesh", "end_off_mesh", "point_off_mesh", "unreachable", "blocked"];

type End = "start" | "end";

// What the user has set stays from one visit of the panel to the next.
const question: Question = {
    kind: "path",
    start: null,
    end: null,
    options: { search: "auto", max_radius: "100", max_cost: "30", count: "100", radius: "" },
};
let askedOf: string | null = null; // the mesh that the places are on
let unit = ""; // of its version that was shown last: an answer may come before the next one is read

const textOf = (at: Point | null): string => (at === null ? "" : place(at));

const takesEnd = (kind: Kind): boolean => kind === "path" || kind === "raycast";

class Tools {
    private readonly asker: Asker;
    private readonly fields: Record<End, Field>;
    private readonly kinds = new Map<Kind, HTMLButtonElement>();
    private readonly next: Record<End, HTMLInputElement>;
    private readonly help = h("p", { class: "help" });
    private readonly options = h("div", {});
    private readonly answer = h("div", { class: "answer", "aria-label": "Answer", role: "region" });
    private readonly ends: (() => void)[];
    private readonly onlyPath: HTMLElement[];
    private readonly onlyTwo: HTMLElement; // of questions with a start and an end
    private readonly whichEnd: HTMLElement;
    private last: Asked | null = null;
    private dragging = false;

    constructor(
        root: HTMLElement,
        private readonly app: App,
    ) {
        this.asker = new Asker(() => app.looked, (asked) => this.show(asked), (error, question) => this.showFailure(error, question));
        this.fields = { start: this.placeField("start", "Start"), end: this.placeField("end", "End") };
        this.next = { start: this.nextInput("start"), end: this.nextInput("end") };
        const kinds = KINDS.map(([kind, text]) => {
            const each = button(text, () => this.choose(kind));
            this.kinds.set(kind, each);
            return each;
        });
        this.onlyPath = [button("Show the search", () => this.showSearch()), button("Add as a check…", () => void this.addCheck())];
        this.onlyTwo = button("Swap", () => this.swap());
        this.whichEnd = h("fieldset", { class: "row plain" }, h("legend", { class: "unseen" }, "A click sets"), "A click sets",
            h("label", { class: "tick" }, this.next.start, "the start"), h("label", { class: "tick" }, this.next.end, "the end"));
        root.append(
            h("div", { class: "row", role: "group", "aria-label": "Tool" }, ...kinds),
            this.help,
            h("form", { onsubmit: (event: Event) => this.submit(event) },
                this.whichEnd,
                this.fields.start.root,
                this.fields.end.root,
                this.options,
                h("div", { class: "row" }, h("button", { type: "submit", class: "primary" }, "Ask"),
                    middleButton("Use the middle of the picture", app, (pick) => this.picked(pick)), button("Clear", () => this.clear())),
            ),
            h("div", { class: "row" }, ...this.onlyPath, this.onlyTwo, button("Record it", () => void this.record())),
            this.answer,
        );
        this.ends = [
            app.view.onPick((pick) => this.picked(pick)),
            app.view.onDrag((id, pick, done) => this.dragged(id, pick, done)),
            app.onLook(() => this.looked()),
        ];
        this.looked();
    }

    close(): void {
        this.asker.drop();
        this.ends.forEach((end) => end());
        this.app.view.clearMarks("tools:");
    }

    // ---- what is set ----

    private placeField(end: End, label: string): Field {
        const input = h("input", { type: "text", autocomplete: "off", inputmode: "decimal", placeholder: "x, y, z", spellcheck: "false" });
        const made: Field = field(label, input);
        input.addEventListener("change", () => this.typed(end) && this.ask(false));
        return made;
    }

    private nextInput(end: End): HTMLInputElement {
        return h("input", { type: "radio", name: "next-end", checked: end === "start" });
    }

    // Reads the field, unless it still has the place that was set by other means: its text has fewer digits.
    private typed(end: End): boolean {
        const { input } = this.fields[end];
        if (input.value === textOf(question[end])) {
            this.fields[end].error(null);
            return true;
        }
        const at = input.value.trim() === "" ? null : readPlace(input.value);
        const wrong = input.value.trim() !== "" && at === null;
        this.fields[end].error(wrong ? "Three numbers, with commas between them: 12.5, 0, -3." : null);
        if (!wrong) {
            question[end] = at;
            this.mark(end);
        }
        return !wrong;
    }

    private submit(event: Event): void {
        event.preventDefault();
        const right = [this.typed("start"), !takesEnd(question.kind) || this.typed("end")];
        if (right.every(Boolean)) {
            this.ask(true);
        }
    }

    private set(end: End, at: Point | null): void {
        question[end] = at;
        this.fields[end].error(null);
        this.fields[end].input.value = textOf(at);
        this.mark(end);
    }

    private mark(end: End): void {
        const at = question[end];
        const shown = at !== null && (end === "start" || takesEnd(question.kind));
        this.app.view.mark(`tools:${end}`, shown ? { kind: "point", at, tone: end, label: end === "start" ? "Start" : "End", draggable: true } : null);
    }

    private picked(pick: Pick): void {
        const end: End = takesEnd(question.kind) && this.next.end.checked ? "end" : "start";
        this.set(end, pick.point);
        if (takesEnd(question.kind)) {
            this.next.end.checked = true;
        }
        this.ask(false);
    }

    private dragged(id: string, pick: Pick, done: boolean): void {
        const end = id === "tools:start" ? "start" : id === "tools:end" ? "end" : null;
        if (end !== null) {
            this.dragging = !done;
            this.set(end, pick.point);
            this.ask(false);
        }
    }

    private swap(): void {
        const { start, end } = question;
        this.set("start", end);
        this.set("end", start);
        this.ask(false);
    }

    private clear(): void {
        this.set("start", null);
        this.set("end", null);
        this.next.start.checked = true;
        this.asker.drop();
        this.clearAnswer();
    }

    private looked(): void {
        const { mesh } = this.app.looked;
        if (mesh !== askedOf) {
            askedOf = mesh;
            question.start = question.end = null;
            unit = "";
        }
        this.choose(question.kind, true);
    }

    private choose(kind: Kind, quiet = false): void {
        question.kind = kind;
        this.kinds.forEach((each, of) => each.setAttribute("aria-pressed", String(of === kind)));
        this.help.textContent = KINDS.find(([each]) => each === kind)![2];
        const label = { wall: "Place", random: "Around (or empty)", path: "Start", raycast: "Start", flood: "Start" }[kind];
        this.fields.start.root.querySelector("label")!.textContent = label;
        this.fields.end.root.hidden = this.whichEnd.hidden = !takesEnd(kind);
        this.onlyTwo.hidden = !takesEnd(kind);
        this.onlyPath.forEach((each) => (each.hidden = kind !== "path"));
        this.showOptions();
        this.set("start", question.start);
        this.set("end", question.end);
        this.next[question.start === null ? "start" : "end"].checked = true;
        this.asker.drop();
        this.clearAnswer();
        this.ask(false, quiet);
    }

    private showOptions(): void {
        const choice = (name: string, label: string, choices: [string, string][]) =>
            field(label, select(choices, question.options[name] ?? "", (value) => this.option(name, value))).root;
        const amount = (name: string, label: string, attributes: Record<string, string | number> = {}) => {
            const input = h("input", { type: "number", step: "any", min: 0, value: question.options[name] ?? "", ...attributes });
            input.addEventListener("change", () => this.option(name, input.value));
            return field(label, input).root;
        };
        const parts: Record<Kind, () => HTMLElement[]> = {
            path: () => [
                choice("search", "Search", [["auto", "the shortest, proven"], ["fast", "a good one, quickly"]]),
                amount("clearance", "Keep from walls", { placeholder: "0" }),
            ],
            raycast: () => [],
            wall: () => [amount("max_radius", "Look as far as")],
            flood: () => [amount("max_cost", "Reached at a cost of", { required: "" })],
            random: () => [
                amount("count", "How many", { step: 1, min: 1, max: 1000 }),
                amount("radius", "Radius around the place", { placeholder: "all of the mesh" }),
                amount("seed", "Seed", { step: 1, placeholder: "drawn" }),
            ],
        };
        fill(this.options, ...parts[question.kind]());
    }

    private option(name: string, value: string): void {
        question.options[name] = value;
        this.ask(false);
    }

    // ---- asking ----

    // byHand: the user has asked, and hears what is missing. quiet: what happens elsewhere is the cause, and
    // what was said of that is not to be overwritten.
    private ask(byHand: boolean, quiet = false): void {
        if (this.app.looked.mesh === null || this.app.looked.version === null) {
            if (byHand) {
                this.app.say("Choose a mesh first.");
            }
            return;
        }
        if (isWhole(question)) {
            this.asker.ask({ ...question, quiet });
        } else if (byHand) {
            const missing = question.start === null ? "start" : "end";
            this.fields[missing].error("Click a place in the picture, or type three numbers.");
            this.fields[missing].input.focus();
        }
    }

    private showSearch(): void {
        if (isWhole(question)) {
            this.asker.ask({ ...question, expand: true });
        } else {
            this.ask(true);
        }
    }

    private async addCheck(): Promise<void> {
        const { kind, start = null, end = null } = this.last?.question ?? {};
        if (this.last === null || kind !== "path" || start === null || end === null) {
            this.app.say("Ask for a path first.");
            return;
        }
        const { answer } = this.last;
        const reachable = answer.status === "complete";
        await addPathCheck(this.app, { start, end, reachable, length: reachable ? answer.length : undefined });
    }

    private async record(): Promise<void> {
        if (this.last === null) {
            this.app.say("Ask a question first.");
            return;
        }
        await recordQuestion(this.app, this.last.address);
    }

    // ---- the answer ----

    private clearAnswer(): void {
        this.last = null;
        this.app.view.clearMarks("tools:answer");
        fill(this.answer);
    }

    private showFailure(error: unknown, { quiet }: Question): void {
        this.clearAnswer();
        fill(this.answer, h("p", { class: "wrong" }, failureText(error)));
        if (!quiet) {
            this.app.say(failureText(error));
        }
    }

    // What opens Explain with the same places; null where it would have nothing to say.
    private explanation({ question: { kind, start, end }, answer }: Asked): (() => void) | null {
        const { version } = this.app;
        if (start === null || !EXPLAINED.includes(answer.reason ?? "") || version?.geometry?.source !== undefined) {
            return null;
        }
        const hint = kind === "path" && end !== null ? { start, end } : { point: start };
        return () => this.app.open("explain", hint);
    }

    private show(asked: Asked): void {
        const { version, instance } = this.app.looked;
        const other = asked.answer.version !== version;
        unit = this.app.version === null ? unit : unitOf(this.app.version);
        this.last = asked;
        fill(
            this.answer,
            other ? h("p", { class: "wrong" }, `Not drawn: instance "${instance}" is on version ${asked.answer.version}, and the picture shows version ${version}. Look at that version, or leave the instance.`) : null,
            ...answerInWords(asked, { unit, fly: (at) => this.app.view.flyTo(at), why: this.explanation(asked) }),
        );
        this.app.view.clearMarks("tools:answer");
        if (!other) {
            this.draw(asked);
        }
        if (!this.dragging && !asked.question.quiet) {
            this.app.say(answerInOneLine(asked, unit));
        }
    }

    private draw({ question: asked, answer }: Asked): void {
        const { view } = this.app;
        switch (asked.kind) {
            case "path":
                this.drawPath(asked, answer);
                return;
            case "raycast":
                if (answer.position != null && answer.start != null) {
                    view.mark("tools:answer:free", { kind: "line", points: [answer.start, answer.position], tone: "open" });
                    if (answer.hit && asked.end !== null) {
                        view.mark("tools:answer:blocked", { kind: "line", points: [answer.position, asked.end], tone: "blocked" });
                    }
                }
                return;
            case "wall":
                if (answer.hit && answer.position != null && asked.start !== null) {
                    view.mark("tools:answer:wall", { kind: "line", points: [asked.start, answer.position], tone: "blocked" });
                }
                return;
            case "flood": {
                const polygons = answer.polygons ?? [];
                view.mark("tools:answer:flood", {
                    kind: "polygons",
                    ids: polygons.map(({ polygon }) => Number(polygon)),
                    values: polygons.map(({ cost }) => cost),
                    tone: "open",
                });
                return;
            }
            case "random":
                view.mark("tools:answer:points", {
                    kind: "points",
                    at: ((answer.points ?? []) as Found[]).map(({ position }) => position),
                    tone: "note",
                });
        }
    }

    private drawPath(asked: Question, answer: Answer): void {
        const { view } = this.app;
        const points = (answer.points ?? []) as Point[];
        const steps = answer.expansions ?? [];
        const polygons = steps.length > 0 ? [] : (answer.details?.polygons ?? []); // they would lie over the steps
        view.mark("tools:answer:polygons", { kind: "polygons", ids: polygons.map(({ polygon }) => Number(polygon)), tone: "path" });
        if (steps.length > 0) {
            const corners = steps.flatMap(({ root, left, right }) => [root, left, right]);
            const seconds = Math.min(6, Math.max(1.5, steps.length / 150));
            view.mark("tools:answer:steps", { kind: "steps", corners, seconds, tone: "note" });
        }
        view.mark("tools:answer:path", { kind: "line", points, tone: "path" });
        if (answer.status === "partial" && asked.end !== null && points.length > 0) {
            view.mark("tools:answer:rest", { kind: "line", points: [points[points.length - 1], asked.end], tone: "blocked" });
        }
        const gap = answer.islands?.gap;
        if (gap !== undefined) {
            view.mark("tools:answer:gap", { kind: "line", points: [gap.from, gap.to], tone: "note" });
        }
    }
}

export const TOOLS: Panel = {
    id: "tools",
    title: "Ask",
    open(root, app) {
        const tools = new Tools(root, app);
        return () => tools.close();
    },
};
