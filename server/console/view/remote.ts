// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// remote.ts: methods of an object in a worker, called as if it were here. They begin one after the other as they
// were called; what a method returns comes as a promise.

export interface Order {
    id: number; // 1 and so on
    name: string;
    values: unknown[];
}

export interface Done {
    id: number;
    value?: unknown;
    fault?: string;
}

export type Remote<T> = {
    [Name in keyof T]: T[Name] extends (...values: infer Values) => infer Result ? (...values: Values) => Promise<Awaited<Result>> : never;
};

export class Orders<T> {
    last = 0; // the number of the newest
    private readonly waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
    private ended = false;

    // given: called at each order; returns what of its values is handed over, not copied.
    constructor(
        private readonly worker: Worker,
        private readonly given: (values: unknown[]) => Transferable[],
    ) {}

    readonly to = new Proxy({} as Remote<object>, {
        get: (_, name: string) => (...values: unknown[]) => this.give(name, values),
    }) as Remote<T>;

    private give(name: string, values: unknown[]): Promise<never> {
        const id = ++this.last;
        if (this.ended) {
            return Promise.resolve(undefined as never);
        }
        return new Promise((resolve, reject) => {
            this.waiting.set(id, { resolve, reject });
            this.worker.postMessage({ id, name, values } satisfies Order, this.given(values));
        });
    }

    done({ id, value, fault }: Done): void {
        const waiting = this.waiting.get(id);
        this.waiting.delete(id);
        if (fault === undefined) {
            waiting?.resolve(value as never);
        } else {
            waiting?.reject(new Error(fault));
        }
    }

    // Nothing is carried out any more; all that waits, and all that is called later, returns undefined.
    end(): void {
        this.ended = true;
        this.waiting.forEach(({ resolve }) => resolve(undefined as never));
        this.waiting.clear();
    }
}
