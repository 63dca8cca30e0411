// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// panels.ts: the panels in the order of their tabs.

import type { Panel } from "../app";
import { CHECKS } from "./checks";
import { COMPARE } from "./compare";
import { EXPLAIN } from "./explain";
import { INSTANCES } from "./instances/instances";
import { MESHES } from "./meshes";
import { METRICS } from "./metrics/metrics";
import { RECORDINGS } from "./recordings";
import { TOOLS } from "./tools";
import { UPLOAD } from "./upload/upload";

export const PANELS: Panel[] = [MESHES, UPLOAD, TOOLS, EXPLAIN, COMPARE, CHECKS, INSTANCES, RECORDINGS, METRICS];
