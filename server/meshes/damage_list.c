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
    _Atomic uint32_t count;                   // guarded by lock to write
    damage_list_entry entries[LIMIT_DAMAGES]; // guarded by lock; count, in order
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
        free(d);
    }
}

uint32_t damage_list_count(const damage_list *d)
{
    return d != NULL ? atomic_load(&d->count) : 0;
}

// The entry, or the end.
static damage_list_entry *find_locked(damage_list *d, const char *mesh, uint32_t version)
{
    NAV_ASSERT(lock_is_held(&d->lock));
    uint32_t i = 0;
    while (i < d->count &&
           (d->entries[i].version != version || strcmp(d->entries[i].mesh, mesh) != 0)) {
        i++;
    }
    return d->entries + i;
}

bool damage_list_set(damage_list *d, const char *mesh, uint32_t version, bool repairing,
                     const char *detail)
{
    if (d == NULL) {
        return false;
    }
    (void)pthread_mutex_lock(&d->lock);
    damage_list_entry *at = find_locked(d, mesh, version);
    const bool known = at < d->entries + d->count;
    const bool noted = known ? !repairing : d->count < LIMIT_DAMAGES;
    if (noted) {
        *at = (damage_list_entry){.version = version, .repairing = repairing};
        (void)snprintf(at->mesh, sizeof at->mesh, "%s", mesh);
        (void)snprintf(at->detail, sizeof at->detail, "%s", detail);
        atomic_fetch_add(&d->count, known ? 0 : 1);
    }
    (void)pthread_mutex_unlock(&d->lock);
    return noted;
}

void damage_list_clear(damage_list *d, const char *mesh, uint32_t version)
{
    if (damage_list_count(d) == 0) {
        return;
    }
    (void)pthread_mutex_lock(&d->lock);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < d->count; i++) {
        const damage_list_entry *e = &d->entries[i];
        if (strcmp(e->mesh, mesh) != 0 || (version != DAMAGE_ALL && e->version != version)) {
            d->entries[kept++] = *e;
        }
    }
    atomic_store(&d->count, kept);
    (void)pthread_mutex_unlock(&d->lock);
}

bool damage_list_get(damage_list *d, const char *mesh, uint32_t version, damage_list_entry *out)
{
    if (damage_list_count(d) == 0) {
        return false;
    }
    (void)pthread_mutex_lock(&d->lock);
    const damage_list_entry *known = find_locked(d, mesh, version);
    const bool found = known < d->entries + d->count;
    if (found) {
        *out = *known;
    }
    (void)pthread_mutex_unlock(&d->lock);
    return found;
}

damage_list_entry *damage_list_all(damage_list *d, size_t *count)
{
    *count = 0;
    if (damage_list_count(d) == 0) {
        return calloc(1, sizeof(damage_list_entry));
    }
    (void)pthread_mutex_lock(&d->lock);
    damage_list_entry *copies = calloc(d->count + 1u, sizeof *copies);
    if (copies != NULL) {
        *count = d->count;
        memcpy(copies, d->entries, *count * sizeof *copies);
    }
    (void)pthread_mutex_unlock(&d->lock);
    return copies;
}
