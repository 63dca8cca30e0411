// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// damage_list.c: a short list behind a lock. Where there is no damage, which is always, nobody
// takes it.

#include "server/meshes/damage_list.h"

#include "server/base/lock.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct damage_list {
    pthread_mutex_t lock;
    _Atomic uint32_t count;     // guarded by lock to write
    damage_list_entry *entries; // guarded by lock; count, room for a power of two
};

damage_list *damage_list_create(void)
{
    damage_list *d = calloc(1, sizeof *d);
    if (d != NULL) {
        (void)pthread_mutex_init(&d->lock, NULL);
    }
    return d;
}

void damage_list_destroy(damage_list *d)
{
    if (d != NULL) {
        (void)pthread_mutex_destroy(&d->lock);
        free(d->entries);
        free(d);
    }
}

uint32_t damage_list_count(const damage_list *d)
{
    return d != NULL ? atomic_load(&d->count) : 0;
}

static damage_list_entry *find_locked(damage_list *d, const char *mesh, uint32_t version)
{
    NAV_ASSERT(lock_is_held(&d->lock));
    for (uint32_t i = 0; i < d->count; i++) {
        if (d->entries[i].version == version && strcmp(d->entries[i].mesh, mesh) == 0) {
            return &d->entries[i];
        }
    }
    return NULL;
}

// NULL without memory, or where there are too many.
static damage_list_entry *append_locked(damage_list *d, const char *mesh, uint32_t version)
{
    NAV_ASSERT(lock_is_held(&d->lock));
    const uint32_t count = atomic_load(&d->count);
    NAV_ASSERT(count <= LIMIT_DAMAGES && strlen(mesh) <= LIMIT_MESH_NAME);
    if (count == LIMIT_DAMAGES) {
        return NULL;
    }
    if ((count & (count - 1)) == 0) {
        const size_t capacity = count > 0 ? (size_t)count * 2 : 1;
        damage_list_entry *grown = realloc(d->entries, capacity * sizeof *grown);
        if (grown == NULL) {
            return NULL;
        }
        d->entries = grown;
    }
    damage_list_entry *added = &d->entries[count];
    *added = (damage_list_entry){.version = version};
    (void)snprintf(added->mesh, sizeof added->mesh, "%s", mesh);
    atomic_store(&d->count, count + 1);
    return added;
}

bool damage_list_add(damage_list *d, const char *mesh, uint32_t version, const char *detail)
{
    if (d == NULL) {
        return false;
    }
    (void)pthread_mutex_lock(&d->lock);
    damage_list_entry *added =
        find_locked(d, mesh, version) == NULL ? append_locked(d, mesh, version) : NULL;
    if (added != NULL) {
        added->repairing = true;
        (void)snprintf(added->detail, sizeof added->detail, "%s", detail);
    }
    (void)pthread_mutex_unlock(&d->lock);
    return added != NULL;
}

void damage_list_leave(damage_list *d, const char *mesh, uint32_t version, const char *detail)
{
    if (d == NULL) {
        return;
    }
    (void)pthread_mutex_lock(&d->lock);
    damage_list_entry *known = find_locked(d, mesh, version);
    if (known == NULL) {
        known = append_locked(d, mesh, version);
    }
    if (known != NULL) {
        known->repairing = false;
        (void)snprintf(known->detail, sizeof known->detail, "%s", detail);
    }
    (void)pthread_mutex_unlock(&d->lock);
}

static void clear(damage_list *d, const char *mesh, uint32_t version, bool all)
{
    if (damage_list_count(d) == 0) {
        return;
    }
    (void)pthread_mutex_lock(&d->lock);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < d->count; i++) {
        const damage_list_entry *e = &d->entries[i];
        const bool meant = strcmp(e->mesh, mesh) == 0 && (all || e->version == version);
        if (!meant) {
            d->entries[kept++] = *e;
        }
    }
    // Room grows where the count is a power of two: what is there may be larger already, which
    // realloc puts right.
    NAV_ASSERT(kept <= d->count);
    atomic_store(&d->count, kept);
    (void)pthread_mutex_unlock(&d->lock);
}

void damage_list_clear(damage_list *d, const char *mesh, uint32_t version)
{
    clear(d, mesh, version, false);
}

void damage_list_clear_mesh(damage_list *d, const char *mesh)
{
    clear(d, mesh, 0, true);
}

bool damage_list_get(damage_list *d, const char *mesh, uint32_t version, damage_list_entry *out)
{
    if (damage_list_count(d) == 0) {
        return false;
    }
    (void)pthread_mutex_lock(&d->lock);
    const damage_list_entry *known = find_locked(d, mesh, version);
    if (known != NULL) {
        *out = *known;
    }
    (void)pthread_mutex_unlock(&d->lock);
    return known != NULL;
}

damage_list_entry *damage_list_all(damage_list *d, size_t *count)
{
    *count = 0;
    if (d == NULL) {
        return calloc(1, sizeof(damage_list_entry));
    }
    (void)pthread_mutex_lock(&d->lock);
    damage_list_entry *copies = calloc((size_t)d->count + 1, sizeof *copies);
    if (copies != NULL && d->count > 0) {
        memcpy(copies, d->entries, d->count * sizeof *copies);
        *count = d->count;
        NAV_ASSERT(*count <= LIMIT_DAMAGES);
    }
    (void)pthread_mutex_unlock(&d->lock);
    return copies;
}
