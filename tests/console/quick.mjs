// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// quick.mjs: ten tests of the console, those that are made with quick(), in one process with one browser:
// upload, view, path, instance, compare, checks, metrics, explain, versions, tokens.

import "./checks.test.mjs";
import "./compare.test.mjs";
import "./explain.test.mjs";
import "./instances.test.mjs";
import "./metrics.test.mjs";
import "./panels.test.mjs";
import "./tools.test.mjs";
import "./upload.test.mjs";
import "./versions.test.mjs";
import "./view.test.mjs";
