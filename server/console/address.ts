// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// address.ts: what is looked at as the page's address (#/town/3?panel=checks), so that it can be
// bookmarked and sent to others.

import type { Looked } from "./app";

export function addressOf(looked: Looked, panel: string): string {
    const place = [looked.mesh, looked.version].filter((part) => part !== null).map((part) => encodeURIComponent(String(part)));
    const args = new URLSearchParams({ panel });
    if (looked.agent !== "default") {
        args.set("agent", looked.agent);
    }
    if (looked.instance !== null) {
        args.set("instance", looked.instance);
    }
    return `#/${place.join("/")}?${args}`;
}

// Text that was encoded by hand may be no encoding at all: then it is meant as it stands.
function decoded(text: string | undefined): string {
    try {
        return decodeURIComponent(text ?? "");
    } catch {
        return text ?? "";
    }
}

export function readAddress(hash: string): { looked: Looked; panel: string | null } {
    const [place, args] = hash.slice(2).split("?");
    const [mesh, version] = place.split("/").map(decoded);
    const list = new URLSearchParams(args);
    return {
        looked: {
            mesh: mesh || null,
            version: Number(version) || null,
            agent: list.get("agent") ?? "default",
            instance: list.get("instance"),
        },
        panel: list.get("panel"),
    };
}
