// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// make.ts: the view.

import { h } from "../dom";
import type { View } from "./view";

export function makeView(root: HTMLElement): View {
    root.append(h("p", {}, ""));
    return {
        show: async () => {},
        clear: () => {},
        colour: async () => {},
        layer: async () => {},
        tileDone: () => {},
        flyTo: () => {},
        mark: () => {},
        clearMarks: () => {},
        onPick: () => () => {},
        onMenu: () => () => {},
        onDrag: () => () => {},
        pickMiddle: () => null,
    };
}
