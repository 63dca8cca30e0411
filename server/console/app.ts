// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// app.ts: what the parts of the console know of each other: which mesh and version is looked at, the
// view, and the line where it says what happened.

import type { Version } from "./shapes";
import type { View } from "./view/view";

// What is looked at. Each is null where nothing is chosen.
export interface Looked {
    mesh: string | null;
    version: number | null; // a number of the mesh's, also where it is not live
    agent: string;
    instance: string | null;
}

export interface App {
    readonly looked: Looked;
    readonly version: Version | null; // that is looked at, as it was when it was shown
    readonly view: View;
    // Looks at something else: the address of the page, the panels and the view follow.
    look(change: Partial<Looked>): void;
    // Shows the same again, after it has changed.
    reload(): void;
    // Calls back at each change of what is looked at; returns what ends that.
    onLook(callback: (looked: Looked) => void): () => void;
    // Opens the panel of this id.
    open(panel: string, hint?: Hint): void;
    // Says what happened, in a line that screen readers read out, until another panel is opened. A failure that
    // stood there is over.
    say(text: string): void;
    // The same of a failure, which stays until something succeeds, another panel or version is shown, or it is closed.
    fail(error: unknown): void;
    // Asks the user a yes or no.
    confirm(question: string, yes: string): Promise<boolean>;
}

// What a panel is opened with by another: "explain this place". Panels that know none pass it over.
export type Hint = Record<string, unknown>;

// A panel beside the view. open fills root and returns what ends its listeners and streams.
export interface Panel {
    readonly id: string;
    readonly title: string;
    open(root: HTMLElement, app: App, hint: Hint): () => void;
}
