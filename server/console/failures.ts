// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// failures.ts: a failure as sentences: what happened, which the daemon says, and what to do, where
// that is something to do in the console.

import { Problem } from "./api";

const ADVICE: Record<string, string> = {
    unreachable: "Start it again or check the network; what is shown is as it was.",
    token_missing: "Reload the page and give the token, or use Forget the token first to give another.",
    token_scope: "This token may not do that: forget it and give one that may.",
    mesh_not_found: "It may have been deleted meanwhile: choose one of the list in Meshes.",
    version_not_found: "It may have been deleted meanwhile: choose another in Meshes.",
    version_not_ready: "Wait until it is baked, or choose another in Meshes.",
    version_active: "Make another version live in Meshes, then delete this one.",
    version_pinned: "End the instances that are pinned to it in Instances first.",
    version_recorded: "Delete its recordings in Recordings first.",
    instance_not_found: "Instances end with the daemon and when they expire: make a new one in Instances.",
    stale_etag: "Somebody else changed it meanwhile. It is shown as it is now: look, then try again.",
    bake_queue_full: "Wait a moment, then try again.",
    overloaded: "Wait a moment, then try again.",
    not_ready: "The daemon is starting, stopping or repairing it: try again in a moment.",
    storage_full: "Make room on the daemon's disk or delete old versions.",
    body_too_large: "Cut the level into parts, or send it packed.",
    host_not_allowed: "Open the console at an address that the daemon allows (--allow-host).",
    origin_not_allowed: "Open the console at the daemon's own address.",
    internal_error: "That is a fault of the daemon: its log has the line with this request's id.",
};

// Of a version that is not baked any more.
const ENDED = "It has no mesh, and waiting gives it none: bake its level again from Meshes, or choose another version there.";

function adviceOf({ code, message }: Problem): string | undefined {
    return code === "version_not_ready" && /is (failed|cancelled)$/.test(message) ? ENDED : ADVICE[code];
}

export function isAbort(error: unknown): boolean {
    return error instanceof DOMException && error.name === "AbortError";
}

// The daemon's sentence with a capital letter, unless it begins with a name such as agent.radius, and a
// full stop.
export function sentence(text: string): string {
    const trimmed = text.trim();
    const first = /^[a-z]+[ ,:]/.test(trimmed) ? trimmed[0].toUpperCase() : (trimmed[0] ?? "");
    return first + trimmed.slice(1) + (trimmed === "" || /[.!?]$/.test(trimmed) ? "" : ".");
}

export function failureText(error: unknown): string {
    if (!(error instanceof Problem)) {
        return `The console has a fault: ${error instanceof Error ? error.message : String(error)}. Reload the page.`;
    }
    const advice = adviceOf(error);
    const id = error.status >= 500 && error.members.request_id !== undefined ? ` Request ${String(error.members.request_id)}.` : "";
    return sentence(error.message) + (advice === undefined ? "" : ` ${advice}`) + id;
}
