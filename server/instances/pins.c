// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// pins.c: a list of versions with the number of their pins, and one of removals under way. Both are
// short: the first has a limit, and there are no more removals than threads.

#include "server/instances/pins.h"

#include "proto/base/status.h"
#include "server/base/lock.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// How long somebody waits for a removal: the commit of a bake can take so long.
#define WAIT_MS 2000

typedef struct place {
    char mesh[LIMIT_MESH_NAME + 1];
    uint32_t version; // 0: of a removal, all versions without a pin
    uint32_t pins;    // 0: of a removal
} place;

struct pins {
    pthread_mutex_t lock;
    pthread_cond_t removed;
    place *places;                       // guarded by lock
    size_t count;                        // guarded by lock
    uint32_t pinned_count, versions_max; // guarded by lock; immutable
};

pins *pins_create(uint32_t versions_max)
{
    pins *p = calloc(1, sizeof *p);
    if (p != NULL) {
        p->versions_max = versions_max;
        (void)pthread_mutex_init(&p->lock, NULL);
        lock_init_monotonic(&p->removed);
    }
    return p;
}

void pins_destroy(pins *p)
{
    if (p != NULL) {
        NAV_ASSERT(p->count == 0);
        (void)pthread_cond_destroy(&p->removed);
        (void)pthread_mutex_destroy(&p->lock);
        free(p->places);
        free(p);
    }
}

static place *find_locked(pins *p, const char *mesh, uint32_t version, bool removal)
{
    NAV_ASSERT(lock_is_held(&p->lock));
    for (size_t i = 0; i < p->count; i++) {
        place *at = &p->places[i];
        if (at->version == version && (at->pins == 0) == removal && strcmp(at->mesh, mesh) == 0) {
            return at;
        }
    }
    return NULL;
}

static nav_status add_locked(pins *p, const char *mesh, uint32_t version, uint32_t count,
                             nav_error *err)
{
    NAV_ASSERT(lock_is_held(&p->lock) && strlen(mesh) <= LIMIT_MESH_NAME);
    place *grown = realloc(p->places, (p->count + 1) * sizeof *grown);
    if (grown == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory to pin a version");
    }
    p->places = grown;
    place *at = &p->places[p->count++];
    *at = (place){.version = version, .pins = count};
    memcpy(at->mesh, mesh, strlen(mesh));
    return NAV_OK;
}

static void drop_locked(pins *p, place *at)
{
    NAV_ASSERT(lock_is_held(&p->lock) && p->count > 0);
    *at = p->places[--p->count];
}

// ---- pins ----

static nav_status take_locked(pins *p, const char *mesh, uint32_t version, nav_error *err)
{
    place *at = find_locked(p, mesh, version, false);
    if (at != NULL) {
        at->pins++;
        return NAV_OK;
    }
    if (p->pinned_count >= p->versions_max) {
        nav_fail_at(err, PROTO_TOO_MANY_INSTANCES, "version",
                    "instances are pinned to %u versions already, as many as the limit "
                    "pinned_versions allows",
                    p->pinned_count);
        nav_error_limit(err, "%u", p->versions_max);
        return PROTO_TOO_MANY_INSTANCES;
    }
    nav_status status = add_locked(p, mesh, version, 1, err);
    p->pinned_count += status == NAV_OK;
    return status;
}

nav_status pins_take(pins *p, const char *mesh, uint32_t version, nav_error *err)
{
    const struct timespec end = lock_deadline(WAIT_MS);
    NAV_ASSERT(version != 0);
    (void)pthread_mutex_lock(&p->lock);
    bool waits = true;
    while (waits && find_locked(p, mesh, version, false) == NULL &&
           (find_locked(p, mesh, version, true) != NULL || find_locked(p, mesh, 0, true) != NULL)) {
        waits = pthread_cond_timedwait(&p->removed, &p->lock, &end) != ETIMEDOUT;
    }
    nav_status status = waits ? take_locked(p, mesh, version, err)
                              : nav_fail(err, PROTO_NOT_READY,
                                         "versions of '%s' are being removed; try again", mesh);
    (void)pthread_mutex_unlock(&p->lock);
    return status;
}

void pins_release(pins *p, const char *mesh, uint32_t version)
{
    (void)pthread_mutex_lock(&p->lock);
    place *at = find_locked(p, mesh, version, false);
    NAV_ASSERT(at != NULL && at->pins > 0);
    if (at->pins > 1) {
        at->pins--;
    } else {
        drop_locked(p, at);
        p->pinned_count--;
    }
    (void)pthread_mutex_unlock(&p->lock);
}

uint32_t pins_count(pins *p)
{
    (void)pthread_mutex_lock(&p->lock);
    const uint32_t count = p->pinned_count;
    (void)pthread_mutex_unlock(&p->lock);
    return count;
}

// ---- removals ----

nav_status pins_remove_begin(pins *p, const char *mesh, uint32_t version, nav_error *err)
{
    NAV_ASSERT(version != 0);
    (void)pthread_mutex_lock(&p->lock);
    const place *at = find_locked(p, mesh, version, false);
    nav_status status = NAV_OK;
    if (at != NULL) {
        status = nav_fail(err, PROTO_VERSION_PINNED,
                          "version %u of mesh '%s' is pinned by instances (%u): first remove them, "
                          "or PATCH them with \"version\":null",
                          version, mesh, at->pins);
    } else {
        status = add_locked(p, mesh, version, 0, err);
    }
    (void)pthread_mutex_unlock(&p->lock);
    return status;
}

nav_status pins_retain_begin(pins *p, const char *mesh, uint32_t **pinned, size_t *count,
                             nav_error *err)
{
    size_t used = 0;
    (void)pthread_mutex_lock(&p->lock);
    uint32_t *versions = malloc((p->count + 1) * sizeof *versions);
    for (size_t i = 0; versions != NULL && i < p->count; i++) {
        if (p->places[i].pins > 0 && strcmp(p->places[i].mesh, mesh) == 0) {
            versions[used++] = p->places[i].version;
        }
    }
    nav_status status = versions != NULL
                            ? add_locked(p, mesh, 0, 0, err)
                            : nav_fail(err, NAV_NO_MEMORY, "no memory to list what is pinned");
    (void)pthread_mutex_unlock(&p->lock);
    if (status != NAV_OK) {
        free(versions);
        return status;
    }
    *pinned = versions;
    *count = used;
    return NAV_OK;
}

void pins_remove_end(pins *p, const char *mesh, uint32_t version)
{
    (void)pthread_mutex_lock(&p->lock);
    place *at = find_locked(p, mesh, version, true);
    NAV_ASSERT(at != NULL);
    drop_locked(p, at);
    (void)pthread_cond_broadcast(&p->removed);
    (void)pthread_mutex_unlock(&p->lock);
}
