// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// cache.c: a few entries and when each was last asked for. The lock is held to find and swap
// pointers; meshes are freed outside it.

#include "server/meshes/cache.h"

#include "server/base/lock.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct entry {
    char name[LIMIT_MESH_NAME + 1];
    uint32_t version;
    nav_mesh *mesh; // NULL: a free place
    uint64_t bytes;
    uint64_t asked; // a count that rises with every question
} entry;

struct mesh_cache {
    pthread_mutex_t lock;
    uint32_t count_max;  // immutable
    uint64_t bytes_max;  // immutable
    uint64_t asked;      // guarded by lock
    mesh_cache_use used; // guarded by lock
    entry entries[];     // guarded by lock; count_max
};

mesh_cache *mesh_cache_create(uint32_t count_max, uint64_t bytes_max)
{
    mesh_cache *cache = calloc(1, sizeof *cache + count_max * sizeof(entry));
    if (cache != NULL) {
        (void)pthread_mutex_init(&cache->lock, NULL);
        cache->count_max = count_max;
        cache->bytes_max = bytes_max;
    }
    return cache;
}

void mesh_cache_destroy(mesh_cache *cache)
{
    if (cache == NULL) {
        return;
    }
    for (uint32_t i = 0; i < cache->count_max; i++) {
        nav_mesh_release(cache->entries[i].mesh);
    }
    (void)pthread_mutex_destroy(&cache->lock);
    free(cache);
}

static entry *find_locked(mesh_cache *cache, const char *name, uint32_t version)
{
    NAV_ASSERT(lock_is_held(&cache->lock));
    for (uint32_t i = 0; i < cache->count_max; i++) {
        entry *e = &cache->entries[i];
        if (e->mesh != NULL && e->version == version && strcmp(e->name, name) == 0) {
            return e;
        }
    }
    return NULL;
}

nav_mesh *mesh_cache_acquire(mesh_cache *cache, const char *name, uint32_t version)
{
    nav_mesh *mesh = NULL;
    (void)pthread_mutex_lock(&cache->lock);
    entry *found = find_locked(cache, name, version);
    if (found != NULL) {
        found->asked = ++cache->asked;
        mesh = nav_mesh_acquire(found->mesh);
    }
    (void)pthread_mutex_unlock(&cache->lock);
    return mesh;
}

// Empties a place; the caller releases what was in it once the lock is given back.
static nav_mesh *take_locked(mesh_cache *cache, entry *e)
{
    NAV_ASSERT(lock_is_held(&cache->lock));
    NAV_ASSERT(e != NULL);
    nav_mesh *mesh = e->mesh;
    if (mesh != NULL) {
        cache->used.count--;
        cache->used.bytes -= e->bytes;
    }
    *e = (entry){0};
    return mesh;
}

// A free place, else the one that was not asked for the longest.
static entry *oldest_locked(mesh_cache *cache, bool only_used)
{
    NAV_ASSERT(lock_is_held(&cache->lock));
    entry *oldest = NULL;
    for (uint32_t i = 0; i < cache->count_max; i++) {
        entry *e = &cache->entries[i];
        if ((e->mesh != NULL || !only_used) && (oldest == NULL || e->asked < oldest->asked)) {
            oldest = e;
        }
    }
    return oldest;
}

// Lets one mesh go if there is no room for more bytes; NULL: there is room.
static nav_mesh *evict(mesh_cache *cache, uint64_t bytes)
{
    nav_mesh *gone = NULL;
    (void)pthread_mutex_lock(&cache->lock);
    if (cache->used.bytes + bytes > cache->bytes_max) {
        gone = take_locked(cache, oldest_locked(cache, true));
    }
    (void)pthread_mutex_unlock(&cache->lock);
    return gone;
}

void mesh_cache_add(mesh_cache *cache, const char *name, uint32_t version, nav_mesh *mesh)
{
    const uint64_t mesh_bytes = nav_mesh_memory_bytes(mesh);
    if (cache->count_max == 0 || mesh_bytes > cache->bytes_max) {
        return;
    }
    NAV_ASSERT(strlen(name) <= LIMIT_MESH_NAME);
    nav_mesh *gone;
    while ((gone = evict(cache, mesh_bytes)) != NULL) {
        nav_mesh_release(gone);
    }
    (void)pthread_mutex_lock(&cache->lock);
    // Another thread may have filled the room meanwhile; it then makes room again, and this one
    // keeps nothing.
    bool fits = cache->used.bytes + mesh_bytes <= cache->bytes_max;
    if (fits && find_locked(cache, name, version) == NULL) {
        entry *place = oldest_locked(cache, false);
        gone = take_locked(cache, place);
        memcpy(place->name, name, strlen(name));
        place->version = version;
        place->mesh = nav_mesh_acquire(mesh);
        place->bytes = mesh_bytes;
        place->asked = ++cache->asked;
        cache->used.count++;
        cache->used.bytes += mesh_bytes;
        NAV_ASSERT(cache->used.count <= cache->count_max);
        NAV_ASSERT(cache->used.bytes <= cache->bytes_max);
    }
    (void)pthread_mutex_unlock(&cache->lock);
    nav_mesh_release(gone);
}

// One at a time, so that none is freed under the lock.
static nav_mesh *take_next(mesh_cache *cache, const char *name, uint32_t version)
{
    nav_mesh *gone = NULL;
    (void)pthread_mutex_lock(&cache->lock);
    for (uint32_t i = 0; gone == NULL && i < cache->count_max; i++) {
        entry *e = &cache->entries[i];
        if (e->mesh != NULL && strcmp(e->name, name) == 0 &&
            (version == 0 || e->version == version)) {
            gone = take_locked(cache, e);
        }
    }
    (void)pthread_mutex_unlock(&cache->lock);
    return gone;
}

void mesh_cache_remove(mesh_cache *cache, const char *name, uint32_t version)
{
    nav_mesh *gone;
    while ((gone = take_next(cache, name, version)) != NULL) {
        nav_mesh_release(gone);
    }
}

mesh_cache_use mesh_cache_used(mesh_cache *cache, const registry_entry *live, size_t count)
{
    (void)pthread_mutex_lock(&cache->lock);
    mesh_cache_use used = cache->used;
    for (size_t i = 0; i < count; i++) {
        const entry *e = find_locked(cache, live[i].name, live[i].version);
        used.count -= e != NULL ? 1 : 0;
        used.bytes -= e != NULL ? e->bytes : 0;
    }
    (void)pthread_mutex_unlock(&cache->lock);
    return used;
}
