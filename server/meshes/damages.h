// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// damages.h: what this process has found damaged in the database and what has become of it, for
// version objects, /v1/status, /readyz and /metrics. It is forgotten with the process: the next
// start looks again.
//
//   found --> is being made again --> whole: forgotten
//                    '--> cannot be: left to the operator

#pragma once

#include "core/nav.h"
#include "server/base/limits.h"

typedef struct damages damages;

// A version that is damaged, or, with version 0, the checks of a mesh.
typedef struct damages_entry {
    char mesh[LIMIT_MESH_NAME + 1];
    uint32_t version;
    bool mending;     // it is being made again; else that cannot be done or has failed
    char detail[256]; // one sentence: whose, what of it, what to do
} damages_entry;

// Functions take NULL for a service that keeps no such list: then there is no damage. Thread: any.

damages *damages_create(void); // NULL without memory
void damages_destroy(damages *d);
// Notes damage that is about to be made good. False: it is known already, or LIMIT_DAMAGES are.
bool damages_add(damages *d, const char *mesh, uint32_t version, const char *detail);
// It cannot be made good here; what was known of it before gives way.
void damages_leave(damages *d, const char *mesh, uint32_t version, const char *detail);
// It is whole, or no longer there.
void damages_clear(damages *d, const char *mesh, uint32_t version);
void damages_clear_mesh(damages *d, const char *mesh); // all of its versions, and its checks
bool damages_get(damages *d, const char *mesh, uint32_t version, damages_entry *out);
uint32_t damages_count(const damages *d);
// All of them in the order in which they were found, malloc'ed; NULL without memory.
damages_entry *damages_list(damages *d, size_t *count);
