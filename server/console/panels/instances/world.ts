// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// world.ts: the instance that is looked at, as its stream of events tells it: always there while the
// page is open, so that what moves in it is seen whichever panel is open. Changes come in far faster
// than a picture is drawn (bots put themselves as obstacles): they are drawn once a frame at most.

import { events, get, path, Problem } from "../../api";
import type { App } from "../../app";
import { isAbort } from "../../failures";
import type { Instance, Obstacle } from "../../shapes";
import { drawObstacle, isBot } from "./obstacles";

const AGAIN_MS = 1000;

// What of the instance has changed since the last frame.
export interface Changed {
    all: boolean; // more than where bots are
}

type Listener = (state: Instance | null, changed: Changed) => void;
type Patch = Partial<Omit<Instance, "switches" | "obstacles" | "links" | "area_costs">> & {
    [part in "switches" | "obstacles" | "links" | "area_costs"]?: Record<string, unknown>;
};

const PARTS = ["switches", "obstacles", "links", "area_costs"] as const;
const ENDS: Record<string, string> = { deleted: "it was ended", expired: "it expired", mesh_removed: "its mesh was deleted" };

class World {
    state: Instance | null = null;
    private app: App | null = null;
    private stop = new AbortController();
    private followed = "";
    private readonly listeners = new Set<Listener>();
    private readonly dirty = new Set<string>(); // obstacles to be drawn
    private changed = false;
    private frame = 0;
    private editable = false;
    private held: string | null = null; // the obstacle that the mouse has: the daemon hears of it late

    // Follows what the app looks at, from now on.
    start(app: App): void {
        this.app = app;
        app.onLook(() => this.look());
        this.look();
    }

    listen(listener: Listener): () => void {
        this.listeners.add(listener);
        return () => this.listeners.delete(listener);
    }

    // Whether obstacles have handles by which they are moved. One whose handle goes while it is held stands where the
    // daemon has it.
    setEditable(on: boolean): void {
        this.editable = on;
        if (!on && this.held !== null) {
            this.held = null;
            void this.readAgain();
        }
        this.touch(...Object.keys(this.state?.obstacles ?? {}));
    }

    // Draws an obstacle elsewhere, before the daemon has it there; until `done` what the daemon says of
    // its place is passed over.
    move(id: string, shape: Obstacle, done: boolean): void {
        this.held = done ? null : id;
        if (this.state !== null) {
            this.state.obstacles[id] = shape;
            this.touch(id);
        }
    }

    // Shows the instance as the daemon has it, whatever was drawn before that.
    async readAgain(): Promise<void> {
        const { signal } = this.stop;
        const { state } = this;
        if (state === null) {
            return;
        }
        try {
            const found = await get<Instance>(path("v1", "meshes", state.mesh, "instances", state.instance), signal);
            if (this.state === state && found.revision >= state.revision) {
                this.set(found);
            }
        } catch (error) {
            this.app!.fail(error); // the stream tells the state when the daemon answers again
        }
    }

    private look(): void {
        const { mesh, instance } = this.app!.looked;
        const now = JSON.stringify([mesh, instance]);
        if (now === this.followed) {
            return;
        }
        this.followed = now;
        this.stop.abort();
        this.stop = new AbortController();
        this.set(null);
        if (mesh !== null && instance !== null) {
            void this.follow(mesh, instance, this.stop.signal);
        }
    }

    // Looks at no instance, so that one of that name can be made and entered again.
    private leave(): void {
        this.set(null);
        this.stop.abort();
        this.app!.look({ instance: null });
    }

    // ---- the stream ----

    private async follow(mesh: string, instance: string, signal: AbortSignal): Promise<void> {
        const address = path("v1", "meshes", mesh, "instances", instance, "events");
        while (!signal.aborted) {
            try {
                for await (const { event, data } of events(address, signal)) {
                    this.take(event, data as Patch & { reason?: string });
                }
            } catch (error) {
                if (isAbort(error)) {
                    return;
                }
                this.app!.fail(error);
                if (error instanceof Problem && error.status >= 400 && error.status < 500) {
                    this.leave();
                    return;
                }
            }
            await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
        }
    }

    private take(event: string, data: Patch & { reason?: string }): void {
        if (event === "state") {
            this.set(data as Instance);
        } else if (this.state === null) {
            return;
        } else if (event === "removed") {
            const { instance } = this.state;
            this.leave();
            this.app!.say(`The instance ${instance} is gone: ${ENDS[data.reason ?? ""] ?? "it ended"}.`);
        } else if (event === "version") {
            this.state.version = data.version ?? null;
            this.note();
            if (data.version != null) {
                this.app!.look({ version: data.version });
            }
        } else if ((data.revision ?? 0) > this.state.revision) {
            this.merge(data, event === "replaced");
        }
    }

    private merge(data: Patch, whole: boolean): void {
        const state = this.state!;
        const before = Object.keys(state.obstacles);
        const bots = !whole && PARTS.every((part) => part === "obstacles" || data[part] === undefined) && Object.keys(data.obstacles ?? {}).every(isBot);
        for (const part of PARTS) {
            const parts = state[part] as Record<string, unknown>;
            if (whole) {
                Object.keys(parts).forEach((id) => delete parts[id]);
            }
            for (const [id, value] of Object.entries(data[part] ?? {})) {
                if (value === null) {
                    delete parts[id];
                } else if (part !== "obstacles" || id !== this.held) {
                    parts[id] = value;
                }
            }
        }
        Object.assign(state, Object.fromEntries(Object.entries(data).filter(([name]) => !PARTS.includes(name as (typeof PARTS)[number]))));
        this.touch(...(whole ? before : []), ...Object.keys(data.obstacles ?? {}));
        this.changed ||= !bots;
    }

    private set(state: Instance | null): void {
        const gone = Object.keys(this.state?.obstacles ?? {});
        this.state = state;
        this.touch(...gone, ...Object.keys(state?.obstacles ?? {}));
        this.note();
    }

    // ---- one picture a frame ----

    private note(): void {
        this.changed = true;
        this.touch();
    }

    private touch(...ids: string[]): void {
        ids.forEach((id) => this.dirty.add(id));
        this.frame ||= requestAnimationFrame(() => this.draw());
    }

    private draw(): void {
        this.frame = 0;
        for (const id of this.dirty) {
            drawObstacle(this.app!.view, id, this.state?.obstacles[id] ?? null, this.editable);
        }
        this.dirty.clear();
        const changed = { all: this.changed };
        this.changed = false;
        this.listeners.forEach((listener) => listener(this.state, changed));
    }
}

export const world = new World();
