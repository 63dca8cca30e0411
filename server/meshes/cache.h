// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// cache.h: meshes of versions that are not live, kept for a while after somebody asked for
// them: a bot that tries version 7 does not load it for every question. Meshes not asked for the
// longest go first. A version never changes, so what is kept is never wrong; whether the version is
// still there is for the caller to ask the store.

#pragma once

#include "core/nav.h"
#include "server/meshes/registry.h"

typedef struct mesh_cache mesh_cache;

// Never holds more than count meshes, nor more than bytes of nav_mesh_stats.memory_bytes. NULL
// without memory.
mesh_cache *mesh_cache_create(uint32_t count_max, uint64_t bytes_max);
void mesh_cache_destroy(mesh_cache *cache); // NULL is harmless

// Thread of all below: any.
// Counted for the caller; NULL where it is not kept.
nav_mesh *mesh_cache_acquire(mesh_cache *cache, const char *name, uint32_t version);
// Keeps a mesh, with a reference of its own, and lets others go for it. One that is larger than the
// cache is not kept.
void mesh_cache_add(mesh_cache *cache, const char *name, uint32_t version, nav_mesh *mesh);
// Lets a version go; version 0: all of the name.
void mesh_cache_remove(mesh_cache *cache, const char *name, uint32_t version);

typedef struct mesh_cache_use {
    uint32_t count;
    uint64_t bytes;
} mesh_cache_use;

// Without those of the given versions, which are live.
mesh_cache_use mesh_cache_used(mesh_cache *cache, const registry_entry *live, size_t count);
