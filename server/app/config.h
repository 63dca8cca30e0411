// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// config.h: the file of --config: one JSON object whose keys are the options' names with
// underscores.
//
//   {"listen": ["127.0.0.1:7650", "unix:/run/navmeshd/sock"], "bake_memory": 1024, "log_format":
//   "json"}

#pragma once

#include "server/app/options.h"

// Reads the file of o->config into o; what is wrong is added to faults, and the rest is still read.
// Lists take one text or an array of them.
void config_read(options *o, option_faults *faults);
