// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// worker.ts: reads meshes and levels beside the page, so that it never waits.

export {};
