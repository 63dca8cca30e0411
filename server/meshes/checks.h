// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// checks.h: the gate before a version goes live: what the mesh expects, asked of the version's
// mesh.

#pragma once

#include "core/nav.h"
#include "server/store/store.h"

// Checks that were sent for a mesh, as they were understood: the text to keep, malloc'ed. Errors:
// those of proto_checks_read.
nav_status checks_read_sent(const char *json, size_t size_bytes, char **out, nav_error *err);

// How the checks of one version went.
typedef struct checks_outcome {
    char *json; // malloc'ed: the array "checks" of the version's object
    uint32_t count, failed;
    char first[256]; // of those that failed: its name and why; "" where all passed
} checks_outcome;

// Runs all checks that are set for the mesh now. Positions are turned from the level's coordinates,
// as those of a question are. It asks `cancelled` of hooks (NULL: none). Errors: the store's,
// NAV_NO_MEMORY, NAV_CANCELLED; that checks fail is none. *out is to be given to
// checks_outcome_free, also after an error. Thread: any that may take its time.
nav_status checks_run(store *disk, const char *name, const nav_mesh *mesh,
                      const nav_bake_hooks *hooks, checks_outcome *out, nav_error *err);
void checks_outcome_free(checks_outcome *outcome);
