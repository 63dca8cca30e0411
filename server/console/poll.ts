// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// poll.ts: what a panel reads of the daemon every few seconds, and at once when something has happened. Readings may
// overlap: one that began before the one that is shown is dropped, its failure too. What cannot be shown has failed.

export class Poll<T> {
    private begun = 0;
    private shown = 0;

    constructor(
        private readonly read: () => Promise<T>,
        private readonly show: (found: T) => void,
        private readonly failed: (error: unknown) => void,
        eachMs: number,
        private readonly signal: AbortSignal, // ends it
    ) {
        const timer = setInterval(() => void this.again(), eachMs);
        signal.addEventListener("abort", () => clearInterval(timer));
        void this.again();
    }

    // Reads now. Resolves once that is shown.
    async again(): Promise<void> {
        const number = ++this.begun;
        let tell: () => void;
        try {
            const found = await this.read();
            tell = () => this.show(found);
        } catch (error) {
            tell = () => this.failed(error);
        }
        if (number <= this.shown || this.signal.aborted) {
            return;
        }
        this.shown = number;
        try {
            tell();
        } catch (error) {
            this.failed(error);
        }
    }
}
