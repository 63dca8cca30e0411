// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// damage_list.h: what this process has found damaged in the database and what has become of it, for
// version objects, /v1/status, /readyz and /metrics. It is forgotten with the process: the next
// start checks again.
//
//   found --> is being repaired --> whole: forgotten
//                   '--> cannot be: left to the operator

#pragma once

#include "core/nav.h"
#include "server/base/limits.h"

typedef struct damage_list damage_list;

// A version that is damaged, or, with version 0, the checks of a mesh.
typedef struct damage_list_entry {
    char mesh[LIMIT_MESH_NAME + 1];
    uint32_t version;
    bool repairing;   // its repair is under way or queued; else it cannot be done or has failed
    char detail[256]; // one sentence: whose, what of it, what to do
} damage_list_entry;

// Functions take NULL for a service that keeps no such list: then there is no damage. Thread: any.

damage_list *damage_list_create(void); // NULL without memory
void damage_list_destroy(damage_list *d);
// Notes damage: that is about to be repaired, or cannot be, so that what was known of it before
// gives way. False: it is to be repaired and is known already, or LIMIT_DAMAGES are.
bool damage_list_set(damage_list *d, const char *mesh, uint32_t version, bool repairing,
                     const char *detail);
// It is whole, or no longer there. DAMAGE_ALL: all versions of the mesh, and its checks.
#define DAMAGE_ALL UINT32_MAX
void damage_list_clear(damage_list *d, const char *mesh, uint32_t version);
bool damage_list_get(damage_list *d, const char *mesh, uint32_t version, damage_list_entry *out);
uint32_t damage_list_count(const damage_list *d);
// All of them in the order in which they were found, malloc'ed; NULL without memory.
damage_list_entry *damage_list_all(damage_list *d, size_t *count);
