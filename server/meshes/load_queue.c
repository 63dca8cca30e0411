// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// load_queue.c: what the start loads, as a list that questions may reorder. A question for a mesh
// that is not there yet waits for this one only.
//
//   app/startup.c --set--> waiting --take--> being loaded --done--> done
//   jobs/version_mesh.c --wait-----^ goes first                    ^ is woken
//
// The lock is held to find and to mark an entry, never while a mesh is loaded. A question waits on
// the thread that all connections of a core share: so all waits together have an end, however many
// clients ask for whatever takes long.

#include "server/meshes/load_queue.h"

#include "server/base/clock.h"
#include "server/base/limits.h"
#include "server/base/lock.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    ENTRY_WAITING,
    ENTRY_ASKED,
    ENTRY_TAKEN,
    ENTRY_DONE
};

struct load_queue {
    pthread_mutex_t lock;
    pthread_cond_t changed; // an entry is done, or all stops
    atomic_bool over;       // all are done: no need for the lock
    bool listed, stopped;   // guarded by lock
    store_name *names;      // immutable once listed; in order of name
    uint8_t *states;        // guarded by lock; by name
    uint32_t *asked;        // guarded by lock; numbers of names, those asked for first in front
    size_t count;           // immutable once listed
    size_t next;            // guarded by lock: all names before it have been taken
    size_t asked_begin, asked_end; // guarded by lock
    size_t done;                   // guarded by lock
    uint64_t wait_left_ns;         // guarded by lock: of all questions together
};

load_queue *load_queue_create(uint32_t threads)
{
    load_queue *l = calloc(1, sizeof *l);
    if (l != NULL) {
        l->wait_left_ns = threads * LIMIT_LOAD_WAIT_MS * UINT64_C(1000000);
        (void)pthread_mutex_init(&l->lock, NULL);
        lock_init_monotonic(&l->changed);
    }
    return l;
}

void load_queue_destroy(load_queue *l)
{
    if (l == NULL) {
        return;
    }
    (void)pthread_cond_destroy(&l->changed);
    (void)pthread_mutex_destroy(&l->lock);
    free(l->asked);
    free(l->states);
    free(l->names);
    free(l);
}

nav_status load_queue_set(load_queue *l, store_name *names, size_t count)
{
    uint8_t *states = calloc(count + 1, sizeof *states);
    uint32_t *asked = malloc((count + 1) * sizeof *asked);
    if (states == NULL || asked == NULL) {
        free(states);
        free(asked);
        return NAV_NO_MEMORY;
    }
    (void)pthread_mutex_lock(&l->lock);
    NAV_ASSERT(!l->listed);
    l->names = names;
    l->states = states;
    l->asked = asked;
    l->count = count;
    l->listed = true;
    atomic_store(&l->over, count == 0);
    (void)pthread_mutex_unlock(&l->lock);
    return NAV_OK;
}

size_t load_queue_count(load_queue *l)
{
    (void)pthread_mutex_lock(&l->lock);
    const size_t count = l->count;
    (void)pthread_mutex_unlock(&l->lock);
    return count;
}

const store_name *load_queue_take(load_queue *l)
{
    size_t taken = SIZE_MAX;
    (void)pthread_mutex_lock(&l->lock);
    if (!l->stopped && l->asked_begin < l->asked_end) {
        taken = l->asked[l->asked_begin++];
        NAV_ASSERT(l->states[taken] == ENTRY_ASKED);
    } else if (!l->stopped) {
        while (l->next < l->count && l->states[l->next] != ENTRY_WAITING) {
            l->next++;
        }
        taken = l->next < l->count ? l->next : SIZE_MAX;
    }
    if (taken != SIZE_MAX) {
        l->states[taken] = ENTRY_TAKEN;
    }
    (void)pthread_mutex_unlock(&l->lock);
    return taken != SIZE_MAX ? &l->names[taken] : NULL;
}

void load_queue_done(load_queue *l, const store_name *name)
{
    (void)pthread_mutex_lock(&l->lock);
    NAV_ASSERT(l->states[name - l->names] == ENTRY_TAKEN);
    l->states[name - l->names] = ENTRY_DONE;
    l->done++;
    NAV_ASSERT(l->done <= l->count);
    atomic_store(&l->over, l->done == l->count);
    (void)pthread_cond_broadcast(&l->changed);
    (void)pthread_mutex_unlock(&l->lock);
}

void load_queue_stop(load_queue *l)
{
    (void)pthread_mutex_lock(&l->lock);
    l->stopped = true;
    (void)pthread_cond_broadcast(&l->changed);
    (void)pthread_mutex_unlock(&l->lock);
}

bool load_queue_is_stopped(load_queue *l)
{
    (void)pthread_mutex_lock(&l->lock);
    const bool stopped = l->stopped;
    (void)pthread_mutex_unlock(&l->lock);
    return stopped;
}

static int compare_names(const void *mesh, const void *name)
{
    return strcmp(mesh, ((const store_name *)name)->mesh);
}

// Whether the mesh is still to be waited for; asks for it.
static bool ask_locked(load_queue *l, const char *mesh)
{
    NAV_ASSERT(lock_is_held(&l->lock));
    const store_name *name =
        l->count > 0 ? bsearch(mesh, l->names, l->count, sizeof *l->names, compare_names) : NULL;
    if (name == NULL) {
        return false;
    }
    const size_t index = (size_t)(name - l->names);
    if (l->states[index] == ENTRY_WAITING) {
        l->states[index] = ENTRY_ASKED;
        NAV_ASSERT(l->asked_end < l->count); // each asks for its place once
        l->asked[l->asked_end++] = (uint32_t)index;
    }
    return l->states[index] != ENTRY_DONE;
}

// Until the mesh is there, the time is over, or all stops.
static nav_status wait_locked(load_queue *l, const char *mesh, uint64_t until_ns, nav_error *err)
{
    const struct timespec until = {.tv_sec = (time_t)(until_ns / 1000000000u),
                                   .tv_nsec = (long)(until_ns % 1000000000u)};
    bool late = false;
    while (ask_locked(l, mesh)) {
        if (l->stopped) {
            return nav_fail(err, PROTO_NOT_READY, "the daemon is stopping");
        }
        if (late || clock_now_ns() >= until_ns) {
            return nav_fail(err, PROTO_NOT_READY, "mesh '%s' is still being loaded", mesh);
        }
        late = pthread_cond_timedwait(&l->changed, &l->lock, &until) != 0;
    }
    return NAV_OK;
}

nav_status load_queue_wait(load_queue *l, const char *mesh, nav_error *err)
{
    if (l == NULL || atomic_load(&l->over)) {
        return NAV_OK;
    }
    (void)pthread_mutex_lock(&l->lock);
    const uint64_t begin_ns = clock_now_ns(), most_ns = LIMIT_LOAD_WAIT_MS * UINT64_C(1000000);
    const uint64_t patience_ns = l->wait_left_ns < most_ns ? l->wait_left_ns : most_ns;
    nav_status status = wait_locked(l, mesh, begin_ns + patience_ns, err);
    const uint64_t took_ns = clock_now_ns() - begin_ns;
    l->wait_left_ns -= took_ns < l->wait_left_ns ? took_ns : l->wait_left_ns;
    (void)pthread_mutex_unlock(&l->lock);
    return status;
}
