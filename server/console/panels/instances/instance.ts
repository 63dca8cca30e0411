// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// instance.ts: the instance that is entered: its switches, opened and closed by a click on them or in the
// list; its obstacles, put where the view is clicked, moved by their handles, and taken away.

import { get, path, send } from "../../api";
import type { App } from "../../app";
import { askForm, placeOfEntry } from "../../dialogs";
import { fill, h } from "../../dom";
import { counted, placeArgument, value } from "../../format";
import type { Instance, Obstacle, Point, Settings, Version } from "../../shapes";
import { badge, button, nothing, pairs, placeButton, section } from "../../widgets";
import { axesOf, footOf, isBot, isIn, middleOf, movedTo, obstacleAt, obstacleText, switchShapes, type Axes } from "./obstacles";
import { Placer } from "./placer";
import { world } from "./world";

// The instance that is entered, and its mesh.
function enteredNow(): string | null {
    const { state } = world;
    return state && path(state.mesh, state.instance);
}

export class InstanceEditor {
    private readonly facts = h("div", {});
    private readonly switches = h("div", {});
    private readonly obstacles = h("div", {});
    private readonly others = h("div", {});
    private readonly placer: Placer;
    private readonly ends: (() => void)[];
    private settings: { mesh: string; version: number; of: Settings | null; axes: Axes } | null = null;
    private readonly stop = new AbortController();
    private sending = false;
    private entered = enteredNow();
    private readonly moved = new Map<string, { shape: Obstacle; done: string | null }>(); // that are to be sent, by id

    constructor(private readonly root: HTMLElement, private readonly app: App) {
        this.placer = new Placer(app, (at) => void this.put(at));
        root.append(this.facts, this.switches, this.placer.root, this.obstacles, this.others);
        this.ends = [
            world.listen((state, changed) => {
                if (enteredNow() !== this.entered) {
                    this.entered = enteredNow();
                    this.moved.clear();
                }
                if (changed.all) {
                    void this.show(state);
                }
            }),
            app.view.onPick((pick) => this.picked(pick.point)),
            app.view.onDrag((id, pick, done) => this.dragged(id, pick.point, done)),
        ];
        world.setEditable(true);
        void this.show(world.state);
    }

    close(): void {
        this.stop.abort();
        this.ends.forEach((end) => end());
        this.placer.close();
        world.setEditable(false);
        this.app.view.clearMarks("switch");
    }

    // ---- changes ----

    // Throws what the daemon refuses it with.
    private async patch(change: Record<string, unknown>, done: string | null): Promise<void> {
        const { state } = world;
        if (state !== null) {
            await send("PATCH", path("v1", "meshes", state.mesh, "instances", state.instance), change);
            if (done !== null) {
                this.app.say(done);
            }
        }
    }

    private async change(change: Record<string, unknown>, done: string): Promise<void> {
        try {
            await this.patch(change, done);
        } catch (error) {
            this.app.fail(error);
        }
    }

    private async put(at: Point): Promise<void> {
        const { state } = world;
        const made = this.placer.wanted();
        if (state === null || this.settings === null || made === null) {
            return;
        }
        const id = this.placer.id(state.obstacles);
        await this.change({ obstacles: { [id]: obstacleAt(this.settings.axes, made.shape, at, made.cost) } }, `The obstacle ${id} is there.`);
    }

    private toggle(id: string): void {
        const now = this.stateOf(id) === "closed" ? "open" : "closed";
        void this.change({ switches: { [id]: now } }, `The switch ${id} is ${now}.`);
    }

    private stateOf(id: string): string {
        return world.state?.switches[id] ?? this.settings?.of?.switches?.[id].default ?? "open";
    }

    // ---- the mouse ----

    private picked(at: Point): void {
        if (this.placer.active) {
            void this.put(at);
        } else if (this.settings !== null) {
            const { of, axes } = this.settings;
            const hit = Object.keys(of?.switches ?? {}).find((id) => switchShapes(of, id).some((shape) => isIn(shape, axes, at)));
            if (hit !== undefined && world.state !== null) {
                this.toggle(hit);
            }
        }
    }

    private dragged(mark: string, at: Point, done: boolean): void {
        const id = mark.replace(/^instance-handle /, "");
        const obstacle = world.state?.obstacles[id];
        if (id === mark || obstacle === undefined || this.settings === null) {
            return;
        }
        const shape = movedTo(obstacle, this.settings.axes, at);
        world.move(id, shape, done);
        this.moved.set(id, { shape, done: done ? `The obstacle ${id} is moved.` : null });
        void this.sendMoved();
    }

    // The same without the mouse.
    private async move(id: string): Promise<void> {
        const { settings } = this;
        const before = world.state?.obstacles[id];
        if (settings === null || before === undefined) {
            return;
        }
        const value = placeArgument(footOf(before, settings.axes)).replace(/,/g, ", ");
        const given = await askForm(`Move the obstacle ${id}`, "", "Move it", [{ name: "to", label: "Where it is to stand", value, required: true }]);
        const now = world.state?.obstacles[id];
        if (given === null || now === undefined) {
            return;
        }
        try {
            const shape = movedTo(now, settings.axes, placeOfEntry(given.to));
            await this.patch({ obstacles: { [id]: shape } }, `The obstacle ${id} is moved.`);
        } catch (error) {
            this.app.fail(error);
        }
    }

    // One place at a time is on its way; of those of an obstacle that come meanwhile the last one counts. Those that
    // may not be moved stand again where the daemon has them.
    private async sendMoved(): Promise<void> {
        if (this.sending) {
            return;
        }
        this.sending = true;
        let refusal: unknown = null;
        for (const [id, { shape, done }] of this.moved) {
            this.moved.delete(id);
            try {
                await this.patch({ obstacles: { [id]: shape } }, done);
            } catch (error) {
                refusal = error;
            }
        }
        this.sending = false;
        if (refusal !== null) {
            this.app.fail(refusal); // last, so that no other's move takes it away
            await world.readAgain();
        }
    }

    // ---- what is shown ----

    private async readSettings(state: Instance): Promise<void> {
        const version = state.version ?? this.app.looked.version;
        if (version === null || (this.settings?.mesh === state.mesh && this.settings.version === version)) {
            return;
        }
        const { config } = await get<Version>(path("v1", "meshes", state.mesh, "versions", version), this.stop.signal);
        this.settings = { mesh: state.mesh, version, of: config, axes: axesOf(config) };
    }

    private async show(state: Instance | null): Promise<void> {
        this.root.hidden = state === null;
        if (state === null) {
            this.app.view.clearMarks("switch");
            return;
        }
        try {
            await this.readSettings(state);
        } catch (error) {
            this.app.fail(error);
        }
        if (world.state !== state || this.stop.signal.aborted) {
            return;
        }
        this.placer.setUnit(this.settings?.axes.unit ?? 1);
        this.showFacts(state);
        this.showSwitches();
        this.showObstacles(state);
        this.showOthers(state);
    }

    private showFacts(state: Instance): void {
        const version = state.version === null ? "none at present" : state.pinned ? `${state.version}, pinned` : `${state.version}, follows the live one`;
        fill(
            this.facts,
            section(
                `In ${state.instance}`,
                pairs([
                    ["Version", version],
                    ["Revision", h("span", { class: "revision" }, String(state.revision))],
                    ["Ends", state.expires_at === null ? "with the daemon" : state.expires_at.replace("T", " ").slice(0, 19) + " UTC"],
                ]),
                ...state.misfits.map((misfit) => h("p", { class: "wrong" }, h("code", {}, misfit.at), ` does not fit: ${misfit.detail}`)),
            ),
        );
    }

    private showSwitches(): void {
        const { view } = this.app;
        const of = this.settings?.of ?? null;
        const ids = Object.keys(of?.switches ?? {});
        view.clearMarks("switch");
        const rows = ids.map((id) => {
            const open = this.stateOf(id) === "open";
            switchShapes(of, id).forEach((shape, at) => view.mark(`switch ${id} ${at}`, { kind: "shape", shape, tone: open ? "open" : "blocked", label: at === 0 ? id : undefined }));
            return h(
                "li",
                {},
                h("span", {}, id, " ", badge(open ? "open" : "closed", open ? "good" : "bad")),
                button(open ? "Close" : "Open", () => this.toggle(id), { "aria-label": `${open ? "Close" : "Open"} ${id}`, "data-key": `switch ${id}` }),
            );
        });
        const list = rows.length === 0 ? nothing("The version has none.") : h("ul", { class: "rows", "aria-label": "Switches" }, ...rows);
        fill(this.switches, section("Switches", list, rows.length === 0 ? null : h("p", { class: "help" }, "A click on one in the view does the same.")));
    }

    private showObstacles(state: Instance): void {
        const ids = Object.keys(state.obstacles);
        const bots = ids.filter(isBot).length;
        const rows = ids
            .filter((id) => !isBot(id))
            .map((id) => {
                const obstacle = state.obstacles[id];
                const middle = middleOf(obstacle);
                const text = obstacleText(obstacle);
                const remove = () => void this.change({ obstacles: { [id]: null } }, `The obstacle ${id} is taken away.`);
                return h(
                    "li",
                    {},
                    h("span", {}, h("strong", {}, id), " ", middle === null ? text : placeButton(text, id, () => this.app.view.flyTo(middle), `fly ${id}`)),
                    middle === null ? null : button("Move…", () => void this.move(id), { class: "quiet", "aria-label": `Move ${id}`, "data-key": `move ${id}` }),
                    button("Remove", remove, { class: "quiet", "aria-label": `Remove ${id}`, "data-key": `remove ${id}` }),
                );
            });
        fill(
            this.obstacles,
            rows.length === 0 ? null : h("ul", { class: "rows", "aria-label": "Obstacles" }, ...rows),
            bots === 0 ? null : h("p", { class: "help" }, `${counted(bots, "bot")} walk here.`),
            rows.length + bots === 0 ? nothing("There is no obstacle.") : null,
            rows.length === 0 ? null : h("p", { class: "help" }, "Drag a handle in the view to move one."),
        );
    }

    private showOthers(state: Instance): void {
        const remove = (part: string, id: string) =>
            button("Remove", () => void this.change({ [part]: { [id]: null } }, `${id} is taken away.`), { class: "quiet", "aria-label": `Remove ${id}`, "data-key": `remove ${part} ${id}` });
        const rows = (part: "links" | "area_costs") =>
            Object.entries(state[part]).map(([id, of]) => h("li", {}, h("span", {}, h("strong", {}, id), " ", h("code", {}, value(of))), remove(part, id)));
        const links = rows("links");
        const costs = rows("area_costs");
        fill(
            this.others,
            links.length === 0 ? null : section("Links", h("ul", { class: "rows" }, ...links)),
            costs.length === 0 ? null : section("Costs of areas", h("ul", { class: "rows" }, ...costs)),
        );
    }
}
