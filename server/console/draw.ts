// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// draw.ts: the worker that draws: WebGL, which may wait for the GPU, never makes the page wait. It carries out the page's
// orders and tells it what has come of them.

import type { Drawer, News } from "./view/messages";
import { Picture } from "./view/draw/picture";
import type { Done, Order } from "./view/remote";

const scope = self as unknown as {
    onmessage: (event: MessageEvent<Order>) => void;
    onmessageerror: () => void;
    postMessage(told: Done | News): void;
};

let last = 0; // order that was begun
let picture: Picture | null = null;

function tellStill(): void {
    if (picture?.still) {
        scope.postMessage({ still: last });
    }
}

async function carryOut({ id, name, values }: Order): Promise<Done> {
    last = id;
    try {
        if (name === "start") {
            picture = new Picture((news) => scope.postMessage(news), tellStill, ...(values as Parameters<Drawer["start"]>));
            return { id };
        }
        const method = picture![name as keyof Picture] as (...values: unknown[]) => unknown;
        return { id, value: await method.apply(picture, values) };
    } catch (error) {
        return { id, fault: error instanceof Error ? error.message : String(error) };
    }
}

scope.onmessageerror = () => {
    throw new Error("an order of the page could not be read: is there enough memory?");
};

// Done is told before still, since the page may answer Done with more orders.
scope.onmessage = async ({ data }) => {
    scope.postMessage(await carryOut(data));
    tellStill();
};
