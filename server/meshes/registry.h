// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// registry.h: which mesh is live under which name. Readers acquire, ask and release; a writer swaps
// a pointer. A mesh that is replaced or removed lives until its last reader has released it.

#pragma once

#include "core/nav.h"
#include "server/base/limits.h"

typedef struct registry registry;

// NULL without memory.
registry *registry_create(void);
void registry_destroy(registry *r); // NULL is harmless

// The live mesh of a name, counted for the caller, and its version; NULL where there is none.
nav_mesh *registry_acquire(registry *r, const char *name, uint32_t *version);

// Makes room for a name, which then stays: before the store switches, so that what it acknowledges
// can be published. Errors: NAV_NO_MEMORY.
nav_status registry_reserve(registry *r, const char *name, nav_error *err);
// Makes a mesh live, or with mesh NULL none, under a name for which there is room; without room
// none is. activation is the store's count of changes to the name's live version: news that is
// older than what the registry holds is dropped, so that the order in which threads arrive does not
// matter. Takes a reference of its own.
void registry_publish(registry *r, const char *name, uint32_t version, uint64_t activation,
                      nav_mesh *mesh);

typedef struct registry_entry {
    char name[LIMIT_MESH_NAME + 1];
    uint32_t version;
    nav_mesh *mesh; // counted
} registry_entry;

// All live meshes in order of name; *out is malloc'ed, to be given to registry_list_free. Errors:
// NAV_NO_MEMORY.
nav_status registry_list(registry *r, registry_entry **out, size_t *count);
void registry_list_free(registry_entry *entries, size_t count);
