// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// damages.c: a short list behind a lock. Where there is no damage, which is always, nobody takes
// it.

#include "server/meshes/damages.h"

#include "server/base/lock.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct damages {
    pthread_mutex_t lock;
    _Atomic uint32_t count; // guarded by lock to write
    damages_entry *entries; // guarded by lock; count, room for a power of two
};

damages *damages_create(void)
{
    damages *d = calloc(1, sizeof *d);
    if (d != NULL) {
        (void)pthread_mutex_init(&d->lock, NULL);
    }
    return d;
}

void damages_destroy(damages *d)
{
    if (d != NULL) {
        (void)pthread_mutex_destroy(&d->lock);
        free(d->entries);
        free(d);
    }
}

uint32_t damages_count(const damages *d)
{
    return d != NULL ? atomic_load(&d->count) : 0;
}

static damages_entry *find_locked(damages *d, const char *mesh, uint32_t version)
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
static damages_entry *append_locked(damages *d, const char *mesh, uint32_t version)
{
    NAV_ASSERT(lock_is_held(&d->lock));
    const uint32_t count = atomic_load(&d->count);
    if (count == LIMIT_DAMAGES) {
        return NULL;
    }
    if ((count & (count - 1)) == 0) {
        const size_t capacity = count > 0 ? (size_t)count * 2 : 1;
        damages_entry *grown = realloc(d->entries, capacity * sizeof *grown);
        if (grown == NULL) {
            return NULL;
        }
        d->entries = grown;
    }
    damages_entry *added = &d->entries[count];
    *added = (damages_entry){.version = version};
    (void)snprintf(added->mesh, sizeof added->mesh, "%s", mesh);
    atomic_store(&d->count, count + 1);
    return added;
}

bool damages_add(damages *d, const char *mesh, uint32_t version, const char *detail)
{
    if (d == NULL) {
        return false;
    }
    (void)pthread_mutex_lock(&d->lock);
    damages_entry *added =
        find_locked(d, mesh, version) == NULL ? append_locked(d, mesh, version) : NULL;
    if (added != NULL) {
        added->mending = true;
        (void)snprintf(added->detail, sizeof added->detail, "%s", detail);
    }
    (void)pthread_mutex_unlock(&d->lock);
    return added != NULL;
}

void damages_leave(damages *d, const char *mesh, uint32_t version, const char *detail)
{
    if (d == NULL) {
        return;
    }
    (void)pthread_mutex_lock(&d->lock);
    damages_entry *known = find_locked(d, mesh, version);
    if (known == NULL) {
        known = append_locked(d, mesh, version);
    }
    if (known != NULL) {
        known->mending = false;
        (void)snprintf(known->detail, sizeof known->detail, "%s", detail);
    }
    (void)pthread_mutex_unlock(&d->lock);
}

static void clear(damages *d, const char *mesh, uint32_t version, bool all)
{
    if (damages_count(d) == 0) {
        return;
    }
    (void)pthread_mutex_lock(&d->lock);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < d->count; i++) {
        const damages_entry *e = &d->entries[i];
        const bool meant = strcmp(e->mesh, mesh) == 0 && (all || e->version == version);
        if (!meant) {
            d->entries[kept++] = *e;
        }
    }
    // Room grows where the count is a power of two: what is there may be larger already, which
    // realloc puts right.
    atomic_store(&d->count, kept);
    (void)pthread_mutex_unlock(&d->lock);
}

void damages_clear(damages *d, const char *mesh, uint32_t version)
{
    clear(d, mesh, version, false);
}

void damages_clear_mesh(damages *d, const char *mesh)
{
    clear(d, mesh, 0, true);
}

bool damages_get(damages *d, const char *mesh, uint32_t version, damages_entry *out)
{
    if (damages_count(d) == 0) {
        return false;
    }
    (void)pthread_mutex_lock(&d->lock);
    const damages_entry *known = find_locked(d, mesh, version);
    if (known != NULL) {
        *out = *known;
    }
    (void)pthread_mutex_unlock(&d->lock);
    return known != NULL;
}

damages_entry *damages_list(damages *d, size_t *count)
{
    *count = 0;
    if (d == NULL) {
        return calloc(1, sizeof(damages_entry));
    }
    (void)pthread_mutex_lock(&d->lock);
    damages_entry *copies = calloc((size_t)d->count + 1, sizeof *copies);
    if (copies != NULL && d->count > 0) {
        memcpy(copies, d->entries, d->count * sizeof *copies);
        *count = d->count;
    }
    (void)pthread_mutex_unlock(&d->lock);
    return copies;
}
