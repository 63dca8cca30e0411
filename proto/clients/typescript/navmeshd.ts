// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors

/**
 * Client of navmeshd, which bakes navigation meshes and answers path questions.
 *
 *     import {Client} from "navmeshd";
 *
 *     const town = new Client().mesh("town");                       // http://127.0.0.1:7650
 *     await town.upload(bytes, {contentType: "model/obj", onEvent: (name, data) => console.log(name, data)});
 *     const path = await town.path([2, 0, 2], [70, 0, 70]);
 *     console.log(path.status, path.length, path.points);
 *
 * `fetch` and nothing else: Node 18 and newer, Deno, Bun, browsers. Answers are what the daemon sends. A
 * refusal is thrown as `NavmeshdError`. Requests that found the daemon busy or away are sent again, after the
 * time that it names (`Retry-After`), else after a pause that doubles each time; also when the connection broke,
 * so that it may have done what it is then asked for once more (README of clients).
 */

export type Point = [number, number, number];
export type Search = "auto" | "fast" | "exact";
export type PathStatus = "none" | "partial" | "complete";
export type Reason =
    | "start_off_mesh"
    | "end_off_mesh"
    | "point_off_mesh"
    | "unreachable"
    | "blocked"
    | "node_budget"
    | "deadline"
    | "max_cost"
    | "max_length";
export type Kind = "path" | "nearest" | "raycast" | "random" | "reachable" | "wall" | "floors" | "move";

/** Which ground may be walked on, and what it costs; or the name of one of the mesh's filters. */
export type Filter = string | {costs?: Record<string, number>; include?: string[]; exclude?: string[]};

/** A shape to avoid. It blocks, unless it has a cost or `blocked` is false. */
export type Shape = {blocked?: boolean; cost?: number} & (
    | {shape: "circle"; center: Point; radius: number; height?: number}
    | {shape: "box"; min: Point; max: Point; yaw?: number}
    | {shape: "capsule"; start: Point; end: Point; radius: number; height?: number}
    | {shape: "convex"; points: [number, number][]; min_y?: number; max_y?: number}
);

/** What every question may have. */
export interface Options {
    snap?: {horizontal?: number; up?: number; down?: number};
    filter?: Filter;
    avoid?: Shape[];
    deadline_ms?: number;
    version?: number;
    instance?: string;
    agent?: string;
}

export interface PathOptions extends Options {
    search?: Search;
    max_nodes?: number;
    max_cost?: number;
    max_length?: number;
    goal_radius?: number;
    clearance?: number;
    partial?: boolean;
    details?: ("polygons" | "areas" | "links" | "islands")[];
}

export interface PathQuery extends PathOptions {
    start: Point;
    end: Point;
    id?: string | number;
}

/** The ground nearest to a point that is off the mesh. */
export interface Nearby {
    position: Point;
    distance: number;
    direction: Point;
}

/** A part of the mesh; its size only with details=islands. */
export interface Island {
    component: number;
    polygons?: number;
    walkable_area?: number;
}

export interface Path {
    status: PathStatus;
    reason: Reason | null;
    length: number;
    cost: number;
    optimal: boolean;
    lower_bound: number;
    start: Point;
    end: Point;
    points: Point[];
    blocked_by?: string[];
    clearance_min?: number;
    unproven?: "folds";
    nearest?: Nearby;
    islands?: {start: Island; end: Island; gap: {from: Point; to: Point; distance: number}};
    details?: Record<string, unknown>;
    id?: string | number;
    mesh?: string;
    version?: number;
    instance?: string;
    revision?: number;
}

export interface Place {
    position: Point;
    distance: number;
    polygon: string;
    area: string;
    component: number;
}

export interface Floor {
    height: number;
    polygon: string;
    area: string;
    component: number;
}

export interface Raycast {
    hit: boolean;
    reason: Reason | null;
    nearest?: Nearby;
    t: number | null;
    start: Point | null;
    position: Point | null;
    normal: Point | null;
    cost: number | null;
    polygon: string | null;
}

export interface Wall {
    hit: boolean;
    reason: Reason | null;
    nearest?: Nearby;
    distance: number | null;
    position: Point | null;
    normal: Point | null;
}

export interface Matrix {
    complete: boolean;
    optimal: boolean;
    reason: Reason | null;
    costs?: (number | null)[][];
    nearest?: {target: number; cost: number}[][];
    sources_off_mesh: number[];
    targets_off_mesh: number[];
}

export interface Trace {
    legal: boolean;
    reason: string | null;
    nearest?: Nearby;
    step: number | null;
    position: Point | null;
    time_ms: number | null;
    speed: number | null;
}

/** One question of a batch, with its kind's own parameters. Filter, avoid, instance and agent may be numbers of the
 * batch's lists. */
export interface BatchQuery {
    kind: Kind;
    filter?: Filter | number;
    avoid?: Shape[] | number;
    instance?: string | number;
    agent?: string | number;
    id?: string | number;
    [parameter: string]: unknown;
}

export interface Lists {
    filters?: Filter[];
    avoid_sets?: Shape[][];
    instances?: string[];
    agents?: string[];
}

export type State = "queued" | "baking" | "ready" | "failed" | "cancelled";

export interface Version {
    mesh: string;
    version: number;
    state: State;
    active: boolean;
    created_at: string | null;
    progress: number;
    deduplicated?: boolean;
    config: Record<string, unknown> | null;
    geometry: Record<string, unknown> | null;
    stats: Record<string, number> | null;
    timings_ms: Record<string, number> | null;
    warnings: Warning[] | null;
    checks?: {name: string; passed: boolean; detail: string}[] | null;
    error: Problem | null;
}

/** What a bake tells; of a level that is odd beside its settings `detail`, and in `suggest` the argument that would change it. */
export interface Warning {
    code: string;
    count: number;
    items: {position?: Point; value?: number; name?: string}[];
    detail?: string;
    suggest?: string;
}

export type Check = {name: string} & Record<string, unknown>;

/** State of an instance; in a change null removes one by its id. */
export interface World {
    version?: number | null;
    switches?: Record<string, "open" | "closed" | null>;
    obstacles?: Record<string, Shape | null>;
    links?: Record<string, Record<string, unknown> | null>;
    area_costs?: Record<string, number | null>;
    expires_in_s?: number | null;
}

export interface Problem {
    status: number;
    code: string;
    detail: string;
    at?: string | null;
    got?: string | number | null;
    limit?: string | number | null;
    /** What was probably meant. */
    suggest?: string;
    request_id?: string;
}

export interface PackedPath {
    status: PathStatus;
    reason: Reason | null;
    optimal: boolean;
    length: number;
    cost: number;
    lower_bound: number;
    nodes: number;
    /** x, y, z of each point, one behind the other. */
    points: Float32Array;
}

export interface PackedResult {
    kind: Kind;
    reason: Reason | null;
    /** Of its instance; 0: none. */
    revision: number;
    /** What the kind has, by the names of the JSON answer. Polygons are numbers. Empty where only a reason is told. */
    answer: Record<string, unknown>;
}

export type OnEvent = (name: string, data: Record<string, unknown>) => void;

export interface ClientOptions {
    /** What the token file of the daemon has for this client. */
    token?: string;
    /** How often a request is sent again; 5. */
    retries?: number;
    /** Milliseconds before the first time; 100. */
    pause?: number;
    /** Milliseconds that a reply may take; 60,000. */
    timeout?: number;
    fetch?: typeof fetch;
}

export interface UploadOptions {
    /** Settings of the bake. */
    config?: Record<string, unknown>;
    contentType?: string;
    /** Single settings, and activate, reuse, force and the like. */
    arguments?: Record<string, string | number | boolean>;
    onEvent?: OnEvent;
}

const SEARCHES: Search[] = ["auto", "fast", "exact"];
const STATUSES: PathStatus[] = ["none", "partial", "complete"];
const REASONS: (Reason | null)[] = [
    null,
    "start_off_mesh",
    "end_off_mesh",
    "unreachable",
    "blocked",
    "node_budget",
    "deadline",
    "max_cost",
    "max_length",
];
const KINDS: Kind[] = ["path", "nearest", "raycast", "random", "reachable", "wall", "floors", "move"];

/** The daemon has refused a request. `code` is a word that does not change from release to release. */
export class NavmeshdError extends Error {
    readonly status: number;
    readonly code: string;
    readonly problem: Problem;

    constructor(problem: Problem) {
        super(`${problem.status} ${problem.code}: ${problem.detail}`);
        this.name = "NavmeshdError";
        this.status = problem.status;
        this.code = problem.code;
        this.problem = problem;
    }
}

/** A bake has failed, or was cancelled. */
export class BakeError extends NavmeshdError {
    readonly version: Version;

    constructor(version: Version) {
        super(version.error ?? {status: 409, code: version.state, detail: `the bake is ${version.state}`});
        this.name = "BakeError";
        this.version = version;
    }
}

interface Sent {
    body?: Uint8Array | string;
    headers?: Record<string, string>;
    query?: Record<string, unknown>;
}

/** A daemon. */
export class Client {
    private readonly url: string;
    private readonly token: string | undefined;
    private readonly retries: number;
    private readonly timeout: number;
    private readonly fetch: typeof fetch;
    /** Milliseconds before a request is sent again for the first time. */
    readonly pause: number;

    constructor(url = "http://127.0.0.1:7650", options: ClientOptions = {}) {
        this.url = url.replace(/\/+$/, "");
        this.token = options.token;
        this.retries = options.retries ?? 5;
        this.pause = options.pause ?? 100;
        this.timeout = options.timeout ?? 60_000;
        this.fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
    }

    /** A mesh by name, which need not be there yet. */
    mesh(name: string): Mesh {
        return new Mesh(this, name);
    }

    /** All meshes, with their live versions. */
    async meshes(): Promise<{mesh: string; active: number | null}[]> {
        return (await this.json<{meshes: {mesh: string; active: number | null}[]}>("GET", "/v1/meshes")).meshes;
    }

    /** Build, uptime, memory, queue, limits. */
    status(): Promise<Record<string, unknown>> {
        return this.json("GET", "/v1/status");
    }

    /** Sends JSON, returns the reply's. */
    async json<T>(method: string, path: string, body?: unknown, sent: Sent = {}): Promise<T> {
        const headers = {...sent.headers, ...(body === undefined ? {} : {"Content-Type": "application/json"})};
        const text = body === undefined ? undefined : JSON.stringify(body);
        const reply = textOf(await this.send(method, path, {...sent, headers, ...(text === undefined ? {} : {body: text})}));
        return (reply === "" ? {} : JSON.parse(reply)) as T;
    }

    /** Sends bytes, returns the reply's. What found the daemon busy or away is sent again. */
    async send(method: string, path: string, sent: Sent = {}): Promise<ArrayBuffer> {
        for (let attempt = 0; ; attempt++) {
            let reply: Response;
            let content: ArrayBuffer;
            try {
                reply = await this.once(method, path, sent, AbortSignal.timeout(this.timeout));
                content = await reply.arrayBuffer();
            } catch (error) {
                if (attempt === this.retries) {
                    throw error;
                }
                await sleep(this.backOff(attempt, null));
                continue;
            }
            if ((reply.status === 429 || reply.status === 503) && attempt < this.retries) {
                await sleep(this.backOff(attempt, reply.headers.get("Retry-After")));
            } else if (isRefused(reply)) {
                throw new NavmeshdError(problemOf(reply.status, content));
            } else {
                return content;
            }
        }
    }

    /**
     * Server-sent events of a path, until the daemon ends the stream. A daemon that has nothing to tell says so every
     * few seconds, so that `timeout` is only for one that is away.
     */
    async *events(path: string): AsyncGenerator<[string, Record<string, unknown>]> {
        const abort = new AbortController();
        const patience = new Patience(this.timeout, abort);
        try {
            const reply = await this.once("GET", path, {headers: {Accept: "text/event-stream"}}, abort.signal);
            if (isRefused(reply)) {
                throw new NavmeshdError(problemOf(reply.status, await reply.arrayBuffer()));
            }
            yield* readEvents(reply, patience);
        } finally {
            patience.end();
            abort.abort();
        }
    }

    private once(method: string, path: string, sent: Sent, signal: AbortSignal): Promise<Response> {
        const headers: Record<string, string> = {...sent.headers};
        if (this.token !== undefined) {
            headers["Authorization"] = `Bearer ${this.token}`;
        }
        const init: RequestInit = {method, headers, signal, redirect: "manual"};
        if (sent.body !== undefined) {
            init.body = sent.body as BodyInit;
        }
        return this.fetch(this.url + path + queryString(sent.query), init);
    }

    private backOff(attempt: number, retryAfter: string | null): number {
        if (retryAfter !== null && /^\d+$/.test(retryAfter)) {
            return Math.min(Number(retryAfter) * 1000, this.timeout);
        }
        return this.pause * 2 ** attempt * (0.5 + Math.random() / 2); // clients do not come back together
    }
}

/** A mesh by name: its questions, versions and instances. */
export class Mesh {
    readonly route: string;

    constructor(
        readonly client: Client,
        readonly name: string,
    ) {
        this.route = `/v1/meshes/${encodeURIComponent(name)}`;
    }

    // ---- questions ----

    /** The way from start to end. */
    path(start: Point, end: Point, options: PathOptions = {}): Promise<Path> {
        return this.ask("path", {start, end, ...options});
    }

    /** Many paths in one request, answered from one version, in their order. */
    async paths(queries: PathQuery[], defaults?: Partial<PathQuery>, version?: number): Promise<Path[]> {
        return (await this.ask<{results: Path[]}>("paths", {queries, defaults, version})).results;
    }

    /** Mixed questions in one request. */
    async batch(queries: BatchQuery[], lists: Lists = {}): Promise<Record<string, unknown>[]> {
        return (await this.ask<{results: Record<string, unknown>[]}>("batch", {queries, ...lists})).results;
    }

    /** Costs of the paths from each source to each target. */
    matrix(sources: Point[], targets: Point[], options: Options & {nearest?: number; max_nodes?: number} = {}): Promise<Matrix> {
        return this.ask("matrix", {sources, targets, ...options});
    }

    /** Whether each of the points can be reached from start. */
    async reachable(start: Point, points: Point[], options: Options = {}): Promise<boolean[]> {
        return member(await this.ask<{reachable?: boolean[]}>("reachable", {start, points, ...options}), "reachable");
    }

    /** The places of the mesh that are nearest to a point. */
    async nearest(
        point: Point,
        options: Options & {count?: number; reachable_from?: Point; above?: boolean; below?: boolean} = {},
    ): Promise<Place[]> {
        return member(await this.ask<{points?: Place[]}>("nearest", {point, ...options}), "points");
    }

    /** Every floor of a column, highest first: x and z, or x and y where the level has Z up. */
    async floors(column: {x?: number; y?: number; z?: number}, options: Options = {}): Promise<Floor[]> {
        return member(await this.ask<{floors?: Floor[]}>("floors", {...column, ...options}), "floors");
    }

    /** Straight until a wall is in the way. */
    raycast(start: Point, end: Point, options: Options = {}): Promise<Raycast> {
        return this.ask("raycast", {start, end, ...options});
    }

    /** A step that slides along walls. */
    move(start: Point, end: Point, options: Options = {}): Promise<{position: Point | null; polygon: string | null; visited: string[]}> {
        return this.ask("move", {start, end, ...options});
    }

    /** The nearest wall. */
    wall(point: Point, options: Options & {max_radius?: number} = {}): Promise<Wall> {
        return this.ask("wall", {point, ...options});
    }

    /** Random places, spread evenly. */
    random(options: Options & {count?: number; seed?: number; center?: Point; radius?: number} = {}): Promise<{seed: number; points: Place[]}> {
        return this.ask("random", options);
    }

    /** The polygons that can be reached at a cost. */
    flood(start: Point, max_cost: number, options: Options & {max_polygons?: number} = {}): Promise<Record<string, unknown>> {
        return this.ask("flood", {start, max_cost, ...options});
    }

    /** Whether a movement log can have been walked. */
    trace(positions: Point[], options: Options & {times_ms?: number[]; max_speed?: number} = {}): Promise<Trace> {
        return this.ask("trace", {positions, ...options});
    }

    private ask<T>(word: string, body: object): Promise<T> {
        return this.client.json<T>("POST", `${this.route}/${word}`, body);
    }

    // ---- packed questions: bytes, for thousands a tick ----

    /** Paths as bytes: start and end of each. `defaults` has what else is the same for all. version 0: the live one. */
    async pathsPacked(ends: [Point, Point][], defaults: Omit<PathOptions, "version"> = {}, version = 0): Promise<PackedPath[]> {
        const extra = Object.keys(defaults).length > 0 ? new TextEncoder().encode(JSON.stringify(defaults)) : new Uint8Array();
        const bytes = new Uint8Array(96 + 24 * ends.length + extra.length);
        const view = new DataView(bytes.buffer);
        magic(bytes, "NAVQ");
        [1, ends.length, version].forEach((n, i) => view.setUint32(4 + 4 * i, n, true));
        [DEFAULT, DEFAULT, DEFAULT].forEach((n, i) => view.setFloat32(32 + 4 * i, n, true)); // snap
        view.setUint32(92, extra.length, true);
        ends.forEach(([start, end], i) =>
            [...start, ...end].forEach((n, k) => view.setFloat32(96 + 24 * i + 4 * k, n, true)),
        );
        bytes.set(extra, 96 + 24 * ends.length);
        return unpackPaths(await this.packed("paths", bytes));
    }

    /** `batch` as bytes: filter, avoid, instance and agent are numbers of the lists, from 0 on; no ids, no details. */
    async batchPacked(queries: BatchQuery[], lists: Lists = {}, version = 0): Promise<PackedResult[]> {
        const points: number[] = [];
        const rows = queries.map((query) => packQuery(query, points));
        const extra = Object.keys(lists).length > 0 ? new TextEncoder().encode(JSON.stringify(lists)) : new Uint8Array();
        const bytes = new Uint8Array(32 + 72 * rows.length + 4 * points.length + extra.length);
        const view = new DataView(bytes.buffer);
        magic(bytes, "NAVB");
        [1, rows.length, version, extra.length, points.length / 3].forEach((n, i) => view.setUint32(4 + 4 * i, n, true));
        rows.forEach((row, i) => bytes.set(row, 32 + 72 * i));
        points.forEach((n, i) => view.setFloat32(32 + 72 * rows.length + 4 * i, n, true));
        bytes.set(extra, bytes.length - extra.length);
        return unpackBatch(await this.packed("batch", bytes));
    }

    private async packed(word: string, body: Uint8Array): Promise<ArrayBuffer> {
        const headers = {"Content-Type": `application/vnd.navmeshd.${word}`};
        return this.client.send("POST", `${this.route}/${word}`, {body, headers});
    }

    // ---- versions ----

    /** Uploads a level and waits until it is baked. Throws BakeError where the bake fails. */
    async upload(geometry: Uint8Array | string, options: UploadOptions = {}): Promise<Version> {
        let body: Uint8Array = typeof geometry === "string" ? new TextEncoder().encode(geometry) : geometry;
        let type = options.contentType ?? "application/octet-stream";
        if (options.config) {
            [body, type] = form(body, type, options.config);
        }
        const sent: Sent = {body, headers: {"Content-Type": type}, ...(options.arguments ? {query: options.arguments} : {})};
        const reply = await this.client.send("POST", `${this.route}/versions`, sent);
        return this.wait(JSON.parse(textOf(reply)) as Version, options.onEvent);
    }

    /** Waits for the end of a bake. A stream of events that breaks off, or that there is no room for, is opened again. */
    async wait(version: Version | number, onEvent?: OnEvent): Promise<Version> {
        const number = typeof version === "number" ? version : version.version;
        let last = typeof version === "number" ? await this.version(number) : version;
        while (last.state === "queued" || last.state === "baking") {
            const stream = this.client.events(`${this.route}/versions/${number}/events`);
            try {
                for (let event = await nextEvent(stream); event; event = await nextEvent(stream)) {
                    onEvent?.(...event);
                }
            } finally {
                await stream.return(undefined);
            }
            last = await this.version(number);
            if (last.state === "queued" || last.state === "baking") {
                await sleep(this.client.pause);
            }
        }
        if (last.state !== "ready") {
            throw new BakeError(last);
        }
        return last;
    }

    /** The mesh with its live version and all others. */
    info(): Promise<{mesh: string; active: number | null; versions: Version[]}> {
        return this.client.json("GET", this.route);
    }

    /** All versions. */
    async versions(): Promise<Version[]> {
        return (await this.client.json<{versions: Version[]}>("GET", `${this.route}/versions`)).versions;
    }

    /** One version. */
    version(number: number): Promise<Version> {
        return this.client.json("GET", `${this.route}/versions/${number}`);
    }

    /** Makes a version live, or rolls back to it. */
    activate(version: number, force = false): Promise<{version: number; previous: number | null}> {
        return this.client.json("PUT", `${this.route}/active`, {version}, force ? {query: {force}} : {});
    }

    /** Tiles, walkable area and islands that changed. */
    diff(from: number, to: number, query: {agent?: string} = {}): Promise<Record<string, unknown>> {
        return this.client.json("GET", `${this.route}/versions/diff`, undefined, {query: {from, to, ...query}});
    }

    /** What each new version must meet before it goes live. */
    async checks(): Promise<Check[]> {
        return (await this.client.json<{checks: Check[]}>("GET", `${this.route}/checks`)).checks;
    }

    /** Replaces the checks. */
    async setChecks(checks: Check[]): Promise<void> {
        await this.client.json("PUT", `${this.route}/checks`, {checks});
    }

    /** A version from above, as SVG. */
    async picture(version: number, query: {width?: number; path?: number[]; agent?: string} = {}): Promise<string> {
        return textOf(await this.client.send("GET", `${this.route}/versions/${version}/render.svg`, {query}));
    }

    /** The triangles of a version, or its file of tiles, as they are stored. */
    geometry(version: number): Promise<ArrayBuffer> {
        return this.client.send("GET", `${this.route}/versions/${version}/geometry`);
    }

    /** A version as a file. */
    export(
        version: number,
        format: "json" | "packed" | "obj" | "glb" | "mset" | "svg",
        query: {bounds?: number[]; agent?: string} = {},
    ): Promise<ArrayBuffer> {
        return this.client.send("GET", `${this.route}/versions/${version}/export`, {query: {format, ...query}});
    }

    /** Deletes a version, or cancels its bake; without a number the whole mesh. */
    async delete(version?: number): Promise<void> {
        await this.client.send("DELETE", version === undefined ? this.route : `${this.route}/versions/${version}`);
    }

    // ---- instances ----

    /** State at run time by name, which need not be there yet. */
    instance(name: string): Instance {
        return new Instance(this, name);
    }

    /** All instances of the mesh, page by page. */
    async *instances(): AsyncGenerator<Record<string, unknown>> {
        let after: string | null | undefined;
        do {
            const page: {instances: Record<string, unknown>[]; next?: string | null} = await this.client.json(
                "GET",
                `${this.route}/instances`,
                undefined,
                after ? {query: {after}} : {},
            );
            yield* page.instances;
            after = page.next;
        } while (after);
    }
}

/** State of a world at run time, laid over a mesh. */
export class Instance {
    private readonly route: string;

    constructor(
        readonly mesh: Mesh,
        readonly name: string,
    ) {
        this.route = `${mesh.route}/instances/${encodeURIComponent(name)}`;
    }

    /** Creates or replaces it. */
    put(world: World): Promise<{revision: number}> {
        return this.mesh.client.json("PUT", this.route, world);
    }

    /** Changes what is named. `revision`: only if it still has that one. */
    change(world: World, revision?: number): Promise<{revision: number}> {
        const sent = revision === undefined ? {} : {headers: {"If-Match": `"${revision}"`}};
        return this.mesh.client.json("PATCH", this.route, world, sent);
    }

    /** Its state, with its revision. */
    get(): Promise<World & {revision: number}> {
        return this.mesh.client.json("GET", this.route);
    }

    /** Whether an earlier path still holds. `revision`: the one that it was found in. */
    valid(
        points: Point[],
        options: {revision?: number; agent?: string; filter?: Filter; deadline_ms?: number} = {},
    ): Promise<{valid: boolean; changed: boolean | null; step: number | null; position: Point | null; reason: string | null}> {
        return this.mesh.client.json("POST", `${this.route}/valid`, {points, ...options});
    }

    /** Its changes as they come. */
    events(): AsyncGenerator<[string, Record<string, unknown>]> {
        return this.mesh.client.events(`${this.route}/events`);
    }

    /** A path in this instance. */
    path(start: Point, end: Point, options: PathOptions = {}): Promise<Path> {
        return this.mesh.path(start, end, {...options, instance: this.name});
    }

    /** Removes it. */
    async delete(): Promise<void> {
        await this.mesh.client.send("DELETE", this.route);
    }
}

// ---- inside ----

function sleep(ms: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, ms));
}

function queryString(query?: Record<string, unknown>): string {
    const pairs = Object.entries(query ?? {}).map(([name, value]) => [name, argument(value)]);
    return pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : "";
}

function argument(value: unknown): string {
    if (typeof value === "boolean") {
        return value ? "1" : "0";
    }
    if (Array.isArray(value) && value.every((item) => typeof item === "number")) {
        return value.join(",");
    }
    return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function textOf(content: ArrayBuffer): string {
    return new TextDecoder().decode(content);
}

/** A redirect is no answer: the daemon sends none. Browsers show one as status 0. */
function isRefused(reply: Response): boolean {
    return reply.status !== 304 && (reply.status < 200 || reply.status >= 300);
}

function problemOf(status: number, content: ArrayBuffer): Problem {
    const text = textOf(content);
    const problem: Problem = {status, code: "internal_error", detail: text.slice(0, 200)};
    try {
        return {...problem, ...JSON.parse(text), status};
    } catch {
        return problem;
    }
}

/** A member of an answer, which has nothing but a reason where a deadline came first. */
function member<Name extends string, Value>(answer: {[N in Name]?: Value}, name: Name): Value {
    const value = answer[name];
    if (value === undefined) {
        throw new NavmeshdError({status: 200, code: "deadline", detail: "the deadline came before the answer"});
    }
    return value;
}

/** Aborts where nothing comes for so long. */
class Patience {
    private timer: ReturnType<typeof setTimeout> | undefined;

    constructor(
        private readonly ms: number,
        private readonly abort: AbortController,
    ) {
        this.renew();
    }

    renew(): void {
        this.end();
        this.timer = setTimeout(() => this.abort.abort(), this.ms);
    }

    end(): void {
        clearTimeout(this.timer);
    }
}

type Events = AsyncGenerator<[string, Record<string, unknown>]>;

/** The next event of a bake; undefined where the stream ends, breaks off, or the daemon has no room for it now. */
async function nextEvent(stream: Events): Promise<[string, Record<string, unknown>] | undefined> {
    try {
        const {done, value} = await stream.next();
        return done ? undefined : value;
    } catch (error) {
        if (error instanceof NavmeshdError && error.status !== 503) {
            throw error;
        }
        return undefined;
    }
}

async function* readEvents(reply: Response, patience: Patience): Events {
    const reader = (reply.body as ReadableStream<Uint8Array>).getReader();
    const decoder = new TextDecoder();
    let text = "";
    for (;;) {
        patience.renew();
        const {done, value} = await reader.read();
        patience.end(); // whoever hears an event may take as long as they like
        text += decoder.decode(value, {stream: !done});
        const blocks = text.split("\n\n");
        text = blocks.pop() as string;
        for (const block of blocks) {
            const lines = block.split("\n");
            const name = lines.find((line) => line.startsWith("event:"))?.slice(6).trim() ?? "message";
            const data = lines.filter((line) => line.startsWith("data:")).map((line) => line.slice(5).trim());
            if (data.length > 0) {
                yield [name, JSON.parse(data.join("\n"))];
            }
        }
        if (done) {
            return;
        }
    }
}

function form(body: Uint8Array, type: string, config: object): [Uint8Array, string] {
    const boundary = `navmeshd-${Math.random().toString(16).slice(2)}${Math.random().toString(16).slice(2)}`;
    const text = new TextEncoder();
    const head = (name: string, kind: string) =>
        text.encode(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: ${kind}\r\n\r\n`);
    const parts = [
        head("geometry", type),
        body,
        text.encode("\r\n"),
        head("config", "application/json"),
        text.encode(`${JSON.stringify(config)}\r\n--${boundary}--\r\n`),
    ];
    const out = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
    parts.reduce((at, part) => (out.set(part, at), at + part.length), 0);
    return [out, `multipart/form-data; boundary=${boundary}`];
}

function magic(bytes: Uint8Array, word: string): void {
    bytes.set(new TextEncoder().encode(word));
}

function expectMagic(reply: ArrayBuffer, word: string): DataView {
    const view = new DataView(reply);
    const got = new TextDecoder().decode(new Uint8Array(reply, 0, Math.min(4, reply.byteLength)));
    if (got !== word || view.getUint32(4, true) !== 1) {
        throw new Error("this is no packed answer that this client knows");
    }
    return view;
}

/** Floats of a reply: a copy, right on a big-endian machine, too. */
function floats(view: DataView, at: number, count: number): Float32Array {
    return Float32Array.from({length: count}, (_, i) => view.getFloat32(at + 4 * i, true));
}

function numbers(view: DataView, at: number, count: number): number[] {
    return Array.from({length: count}, (_, i) => view.getUint32(at + 4 * i, true));
}

function pointAt(view: DataView, at: number): Point {
    return [...floats(view, at, 3)] as Point;
}

function unpackPaths(reply: ArrayBuffer): PackedPath[] {
    const view = expectMagic(reply, "NAVP");
    const count = view.getUint32(12, true);
    return Array.from({length: count}, (_, i) => {
        const at = 24 + 28 * i;
        const first = view.getUint32(at + 4, true);
        const points = view.getUint32(at + 8, true);
        return {
            status: STATUSES[view.getUint8(at)] as PathStatus,
            reason: REASONS[view.getUint8(at + 1)] as Reason | null,
            optimal: view.getUint8(at + 2) === 1,
            length: view.getFloat32(at + 12, true),
            cost: view.getFloat32(at + 16, true),
            lower_bound: view.getFloat32(at + 20, true),
            nodes: view.getUint32(at + 24, true),
            points: floats(view, 24 + 28 * count + 12 * first, 3 * points),
        };
    });
}

const NUMBERED = ["filter", "avoid", "instance", "agent"] as const;

/** In packed questions: what is not given, for which the daemon has a default in metres. */
const DEFAULT = NaN;

/** What queries of all kinds may have, in a packed batch. */
interface PackedParameters {
    search?: Search;
    start?: Point;
    end?: Point;
    point?: Point;
    points?: Point[];
    center?: Point;
    reachable_from?: Point;
    snap?: {horizontal?: number; up?: number; down?: number};
    partial?: boolean;
    above?: boolean;
    below?: boolean;
    x?: number;
    y?: number;
    z?: number;
    radius?: number;
    max_radius?: number;
    goal_radius?: number;
    count?: number;
    seed?: number;
    max_nodes?: number;
    max_cost?: number;
    max_length?: number;
    deadline_ms?: number;
}

const PACKED: ReadonlySet<string> = new Set<"kind" | (typeof NUMBERED)[number] | keyof PackedParameters>([
    ...["kind", ...NUMBERED, "search", "start", "end", "point", "points", "center", "reachable_from"] as const,
    ...["snap", "partial", "above", "below", "x", "y", "z", "radius", "max_radius", "goal_radius"] as const,
    ...["count", "seed", "max_nodes", "max_cost", "max_length", "deadline_ms"] as const,
]);

/** Throws where a packed query has no room for what it says. */
function checkPacked(query: BatchQuery): void {
    const unknown = Object.keys(query).find((name) => query[name] !== undefined && !PACKED.has(name));
    if (unknown !== undefined) {
        throw new TypeError(`a packed query has no "${unknown}"`);
    }
    const named = NUMBERED.find((name) => query[name] !== undefined && typeof query[name] !== "number");
    if (named !== undefined) {
        throw new TypeError(`"${named}" of a packed query is a number of the batch's list, from 0 on`);
    }
}

function packQuery(query: BatchQuery, points: number[]): Uint8Array {
    checkPacked(query);
    const q = query as BatchQuery & PackedParameters;
    const row = new DataView(new ArrayBuffer(72));
    const flags = [
        q.partial === false,
        q.above === true,
        q.below === true,
        q.reachable_from !== undefined || q.center !== undefined,
        q.seed !== undefined,
        q.x !== undefined && q.y !== undefined,
        q.y !== undefined && q.z !== undefined,
    ];
    row.setUint8(0, KINDS.indexOf(q.kind));
    row.setUint8(1, flags.reduce((bits, set, i) => bits | (set ? 1 << i : 0), 0));
    row.setUint16(2, SEARCHES.indexOf(q.search ?? "auto"), true);
    NUMBERED.forEach((name, i) => row.setUint16(4 + 2 * i, q[name] === undefined ? 0 : Number(q[name]) + 1, true));
    const asked = q.kind === "reachable" ? (q.points ?? []) : [];
    asked.forEach((point) => points.push(...point));
    const whole = [q.deadline_ms ?? 0, q.kind === "reachable" ? asked.length : (q.count ?? 0), q.seed ?? q.max_nodes ?? 0];
    whole.forEach((n, i) => row.setUint32(12 + 4 * i, n, true));
    const column: Point = [q.x ?? 0, q.y ?? 0, q.z ?? 0];
    const first = q.kind === "floors" ? column : (q.start ?? q.point ?? q.center ?? [0, 0, 0]);
    const second = q.end ?? q.reachable_from ?? [0, 0, 0];
    const radius = q.goal_radius ?? q.max_radius ?? q.radius ?? (q.kind === "wall" ? DEFAULT : 0);
    const {horizontal = DEFAULT, up = DEFAULT, down = DEFAULT} = q.snap ?? {};
    const real = [...first, ...second, horizontal, up, down, radius, q.max_cost ?? 0, q.max_length ?? 0];
    real.forEach((n, i) => row.setFloat32(24 + 4 * i, n, true));
    return new Uint8Array(row.buffer);
}

function unpackBatch(reply: ArrayBuffer): PackedResult[] {
    const view = expectMagic(reply, "NAVR");
    return numbers(view, 24, view.getUint32(12, true)).map((at) => {
        const kind = KINDS[view.getUint8(at)] as Kind;
        const outcome = view.getUint8(at + 1);
        const told = kind === "path" || outcome === 1;
        return {
            kind,
            reason: REASONS[view.getUint8(at + 2)] as Reason | null,
            revision: view.getUint32(at + 4, true),
            answer: told ? unpackAnswer(view, at + 8, kind, outcome, view.getUint8(at + 3)) : {},
        };
    });
}

function unpackAnswer(view: DataView, at: number, kind: Kind, outcome: number, flags: number): Record<string, unknown> {
    const hit = (flags & 1) !== 0;
    switch (kind) {
        case "path":
            return {
                status: STATUSES[outcome],
                optimal: hit,
                length: view.getFloat32(at, true),
                cost: view.getFloat32(at + 4, true),
                lower_bound: view.getFloat32(at + 8, true),
                nodes: view.getUint32(at + 12, true),
                points: Array.from({length: view.getUint32(at + 16, true)}, (_, i) => pointAt(view, at + 20 + 12 * i)),
            };
        case "random":
            return {seed: view.getUint32(at, true), points: places(view, at + 4)};
        case "nearest":
        case "floors":
            return {points: places(view, at)};
        case "raycast":
            return {
                hit,
                t: view.getFloat32(at, true),
                start: pointAt(view, at + 4),
                position: pointAt(view, at + 16),
                normal: pointAt(view, at + 28),
                cost: view.getFloat32(at + 40, true),
                polygon: view.getUint32(at + 44, true),
            };
        case "move":
            return {
                position: pointAt(view, at),
                polygon: view.getUint32(at + 12, true),
                visited: numbers(view, at + 20, view.getUint32(at + 16, true)),
            };
        case "reachable":
            return {reachable: Array.from({length: view.getUint32(at, true)}, (_, i) => view.getUint8(at + 4 + i) === 1)};
        case "wall":
            return {hit, distance: view.getFloat32(at, true), position: pointAt(view, at + 4), normal: pointAt(view, at + 16)};
    }
}

function places(view: DataView, at: number): Record<string, unknown>[] {
    return Array.from({length: view.getUint32(at, true)}, (_, i) => {
        const place = at + 4 + 24 * i;
        return {
            position: pointAt(view, place),
            distance: view.getFloat32(place + 12, true),
            polygon: view.getUint32(place + 16, true),
            component: view.getUint32(place + 20, true),
        };
    });
}
