// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// api.ts: calls of the daemon. A failure is a Problem, whose text is a sentence for people. Where the
// daemon wants a token, `askToken` is called once and the call made again; the token is kept for
// this tab. Streams of events are read with fetch, since EventSource sends no header.

export class Problem extends Error {
    constructor(
        readonly status: number,
        readonly code: string,
        detail: string,
        readonly members: Record<string, unknown> = {},
    ) {
        super(detail);
    }
}

export interface StreamEvent {
    event: string;
    data: unknown;
}

const TOKEN = "navmeshd.token";
let askToken: (why: string) => Promise<string | null> = async () => null;
let asking: Promise<string | null> | null = null;
let declined = false; // the user wants to give none, and is not asked again in this tab's page
let answered: () => void = () => {};

// Who wants to know that the daemon answers, each time it does.
export function onAnswer(callback: () => void): void {
    answered = callback;
}

// Who asks for a token: given the reason, returns it, or null if the user wants none.
export function onTokenWanted(ask: (why: string) => Promise<string | null>): void {
    askToken = ask;
}

export function token(): string | null {
    return sessionStorage.getItem(TOKEN);
}

export function setToken(value: string | null): void {
    if (value === null) {
        sessionStorage.removeItem(TOKEN);
    } else {
        sessionStorage.setItem(TOKEN, value);
    }
}

// The address of a call: each part is one segment, whatever characters it has.
export function path(...parts: (string | number)[]): string {
    return "/" + parts.map((part) => encodeURIComponent(String(part))).join("/");
}

export function query(args: Record<string, string | number | boolean | null | undefined>): string {
    const list = new URLSearchParams();
    for (const [name, value] of Object.entries(args)) {
        if (value !== null && value !== undefined && value !== "") {
            list.set(name, String(value));
        }
    }
    const text = list.toString();
    return text === "" ? "" : "?" + text;
}

// Nobody is there who answers, or is there no more.
function unreachable(): Problem {
    return new Problem(0, "unreachable", "the daemon does not answer; is it running?");
}

// A connection that breaks while a body is read is a TypeError of the browser's.
function broken(error: unknown): never {
    throw error instanceof TypeError ? unreachable() : error;
}

// The reply, whose body is read with failures that are Problems.
function readable(reply: Response): Response {
    for (const read of ["json", "text", "blob", "arrayBuffer"] as const) {
        const of = reply[read].bind(reply);
        Object.defineProperty(reply, read, { value: () => of().catch(broken) });
    }
    return reply;
}

async function problemOf(reply: Response): Promise<Problem> {
    const text = await reply.text();
    try {
        const body = JSON.parse(text) as Record<string, unknown>;
        return new Problem(reply.status, String(body.code), String(body.detail ?? body.title), body);
    } catch {
        return new Problem(reply.status, "http", `the daemon answered ${reply.status} ${reply.statusText}`);
    }
}

// Several calls that fail for want of a token ask the user once.
async function wantToken(problem: Problem): Promise<boolean> {
    if (declined) {
        return false;
    }
    asking ??= askToken(problem.message).finally(() => (asking = null));
    const value = await asking;
    declined = value === null;
    if (value !== null) {
        setToken(value);
    }
    return value !== null;
}

// One request with this token, if any: a reply of 2xx or 304. Throws a Problem for all else, and where nobody answers.
export async function request(address: string, sent: string | null, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (sent !== null) {
        headers.set("Authorization", `Bearer ${sent}`);
    }
    let reply: Response;
    try {
        reply = await fetch(address, { ...init, headers });
    } catch (error) {
        throw init.signal?.aborted ? error : unreachable();
    }
    answered();
    if (!reply.ok && reply.status !== 304) {
        throw await problemOf(readable(reply));
    }
    return readable(reply);
}

// The same with the token of this tab, which the user is asked for where it is missing.
export async function call(address: string, init: RequestInit = {}): Promise<Response> {
    for (;;) {
        const sent = token();
        try {
            return await request(address, sent, init);
        } catch (error) {
            const wanted = error instanceof Problem && error.status === 401;
            if (!wanted || (token() === sent && !(await wantToken(error)))) {
                throw error;
            }
        }
    }
}

export async function get<T>(address: string, signal?: AbortSignal): Promise<T> {
    return (await call(address, { signal })).json() as Promise<T>;
}

// Sends JSON with the method; an empty reply is null.
export async function send<T>(method: string, address: string, body?: unknown, init: RequestInit = {}): Promise<T> {
    const headers = new Headers(init.headers);
    if (body !== undefined) {
        headers.set("Content-Type", "application/json");
    }
    const reply = await call(address, { ...init, method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
    const text = await reply.text();
    return (text === "" ? null : JSON.parse(text)) as T;
}

// The events of a stream (text/event-stream) until it ends or signal aborts.
export async function* events(address: string, signal: AbortSignal): AsyncGenerator<StreamEvent> {
    const reply = await call(address, { signal, headers: { Accept: "text/event-stream" } });
    const reader = reply.body!.pipeThrough(new TextDecoderStream()).getReader();
    let waiting = "";
    for (;;) {
        const { value, done } = await reader.read().catch(broken);
        if (done) {
            return;
        }
        waiting += value;
        for (let end = waiting.indexOf("\n\n"); end >= 0; end = waiting.indexOf("\n\n")) {
            const lines = waiting.slice(0, end).split("\n");
            waiting = waiting.slice(end + 2);
            const event = lines.find((line) => line.startsWith("event: "))?.slice(7);
            const data = lines.filter((line) => line.startsWith("data: ")).map((line) => line.slice(6)).join("\n");
            if (event !== undefined && data !== "") {
                yield { event, data: JSON.parse(data) as unknown };
            }
        }
    }
}
