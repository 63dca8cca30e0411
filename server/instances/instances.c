// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// instances.c: the lock around the table of instances and their events. It is held to find a name
// and to count or swap pointers, never while a mesh is asked, or anything is made or freed but for
// the table's own array, which doubles when it is full.

#include "server/instances/instances.h"

#include "server/base/clock.h"
#include "server/base/lock.h"
#include "server/instances/outbox.h"
#include "server/instances/table.h"

#include <stdlib.h>
#include <string.h>

// Time between two checks for what has expired; nobody finds an expired instance before.
#define SWEEP_MS 1000

struct instances {
    pthread_mutex_t lock;
    pthread_cond_t stop;
    pthread_t sweeper;
    bool joined;             // main thread only
    instances_limits limits; // immutable
    pins *pins;              // immutable
    events *events;          // immutable
    instance_table table;    // guarded by lock, as all below
    uint64_t swaps, removals, expiries;
    outbox outbox;
    bool stopped; // the sweeper is to end
};

// NULL: there is none, or it has expired.
static instance_row *row_locked(instances *all, const char *mesh, const char *name)
{
    NAV_ASSERT(lock_is_held(&all->lock));
    instance_row *row = instance_table_row(&all->table, mesh, name);
    return row != NULL && row->state->expires_ns > clock_now_ns() ? row : NULL;
}

// ---- what has gone ----

// With the pin of its state.
static void release_row(instances *all, instance_row *old)
{
    NAV_ASSERT(old != NULL);
    if (old->state != NULL && old->state->version != 0) {
        pins_release(all->pins, old->mesh, old->state->version);
    }
    instance_row_release(old);
}

// Puts the end of streams to rows that were taken out behind what their listeners are still to
// hear. It returns how many rows there are.
static uint64_t report_removed_locked(instances *all, instance_row *first, const char *why)
{
    NAV_ASSERT(lock_is_held(&all->lock));
    uint64_t count = 0;
    for (instance_row *old = first; old != NULL; old = old->next) {
        if (events_has_listeners(all->events)) {
            outbox_put_removed_locked(&all->outbox, instance_row_acquire(old), why);
        }
        count++;
    }
    return count;
}

// Publishes that end, and lets go of the rows.
static void let_go(instances *all, instance_row *first)
{
    while (first != NULL) {
        instance_row *next = first->next;
        release_row(all, first);
        first = next;
    }
    outbox_publish(&all->outbox);
}

static void let_expired_go(instances *all)
{
    (void)pthread_mutex_lock(&all->lock);
    instance_row *out = instance_table_take(&all->table, NULL, clock_now_ns());
    all->expiries += report_removed_locked(all, out, "expired");
    (void)pthread_mutex_unlock(&all->lock);
    let_go(all, out);
}

void instances_clear(instances *all, const char *mesh)
{
    (void)pthread_mutex_lock(&all->lock);
    instance_row *out = instance_table_take(&all->table, mesh, 0);
    all->removals += report_removed_locked(all, out, "mesh_removed");
    (void)pthread_mutex_unlock(&all->lock);
    let_go(all, out);
}

// ---- the thread that takes away what has expired ----

static void *sweep(void *argument)
{
    instances *all = argument;
    (void)pthread_mutex_lock(&all->lock);
    while (!all->stopped) {
        const struct timespec until = lock_deadline(SWEEP_MS);
        while (!all->stopped && pthread_cond_timedwait(&all->stop, &all->lock, &until) == 0) {
        }
        if (!all->stopped && all->table.next_expiry_ns <= clock_now_ns()) {
            (void)pthread_mutex_unlock(&all->lock);
            let_expired_go(all);
            (void)pthread_mutex_lock(&all->lock);
        }
    }
    (void)pthread_mutex_unlock(&all->lock);
    return NULL;
}

instances *instances_create(const instances_limits *limits, pins *held, events *to)
{
    instances *all = calloc(1, sizeof *all);
    if (all == NULL) {
        return NULL;
    }
    all->limits = *limits;
    all->pins = held;
    all->events = to;
    (void)pthread_mutex_init(&all->lock, NULL);
    instance_table_init(&all->table);
    outbox_init(&all->outbox, &all->lock, to);
    lock_init_monotonic(&all->stop);
    if (pthread_create(&all->sweeper, NULL, sweep, all) != 0) {
        all->joined = true;
        instances_destroy(all);
        return NULL;
    }
    return all;
}

void instances_stop(instances *all)
{
    (void)pthread_mutex_lock(&all->lock);
    all->stopped = true;
    (void)pthread_cond_broadcast(&all->stop);
    (void)pthread_mutex_unlock(&all->lock);
    if (!all->joined) {
        (void)pthread_join(all->sweeper, NULL);
        all->joined = true;
    }
}

void instances_destroy(instances *all)
{
    if (all == NULL) {
        return;
    }
    instances_stop(all);
    for (size_t i = 0; i < all->table.count; i++) {
        release_row(all, all->table.rows[i]);
    }
    instance_table_free(&all->table);
    NAV_ASSERT(all->outbox.first == NULL);
    (void)pthread_cond_destroy(&all->stop);
    (void)pthread_mutex_destroy(&all->lock);
    free(all);
}

// ---- readers ----

static nav_status not_found(const char *mesh, const char *name, nav_error *err)
{
    return nav_fail(err, PROTO_INSTANCE_NOT_FOUND,
                    "mesh '%s' has no instance '%.64s'; instances end with the daemon, or when "
                    "they expire; PUT it to make it",
                    mesh, name);
}

nav_status instances_acquire(instances *all, const char *mesh, const char *name, instance *out,
                             nav_error *err)
{
    *out = (instance){0};
    if (all == NULL) {
        return not_found(mesh, name, err);
    }
    (void)pthread_mutex_lock(&all->lock);
    const instance_row *at = row_locked(all, mesh, name);
    if (at != NULL) {
        out->state = instance_state_acquire(at->state);
        out->world = at->world != NULL ? instance_world_acquire(at->world) : NULL;
    }
    (void)pthread_mutex_unlock(&all->lock);
    return out->state != NULL ? NAV_OK : not_found(mesh, name, err);
}

void instance_release(instance *at)
{
    instance_world_release(at->world);
    instance_state_release(at->state);
    *at = (instance){0};
}

void instances_keep_world(instances *all, const char *mesh, const char *name, instance_world *world)
{
    instance_world *old = NULL;
    (void)pthread_mutex_lock(&all->lock);
    instance_row *at = row_locked(all, mesh, name);
    if (at != NULL && at->state == world->state) {
        old = at->world;
        instance_table_change(&all->table, at, at->state, instance_world_acquire(world));
    }
    (void)pthread_mutex_unlock(&all->lock);
    instance_world_release(old);
}

void instances_drop_world(instances *all, const char *mesh, const char *name,
                          const instance_world *world)
{
    instance_world *old = NULL;
    (void)pthread_mutex_lock(&all->lock);
    instance_row *at = row_locked(all, mesh, name);
    if (at != NULL && at->world == world) {
        old = at->world;
        instance_table_change(&all->table, at, at->state, NULL);
    }
    (void)pthread_mutex_unlock(&all->lock);
    instance_world_release(old);
}

uint32_t instances_list(instances *all, const char *mesh, const char *after, uint32_t limit,
                        instance_entry *out, bool *more)
{
    uint32_t count = 0;
    const uint64_t now_ns = clock_now_ns();
    *more = false;
    (void)pthread_mutex_lock(&all->lock);
    const instance_table *t = &all->table;
    size_t i = instance_table_find(t, mesh, after != NULL ? after : "");
    for (; i < t->count && strcmp(t->rows[i]->mesh, mesh) == 0; i++) {
        const instance_row *at = t->rows[i];
        if (at->state->expires_ns <= now_ns || (after != NULL && strcmp(at->name, after) == 0)) {
            continue;
        }
        if (count == limit) {
            *more = true;
            break;
        }
        instance_entry *to = &out[count++];
        memcpy(to->name, at->name, strlen(at->name) + 1);
        to->state = instance_state_acquire(at->state);
        to->version = at->world != NULL ? at->world->version : 0;
    }
    (void)pthread_mutex_unlock(&all->lock);
    return count;
}

instances_use instances_used(instances *all)
{
    (void)pthread_mutex_lock(&all->lock);
    const instances_use use = {.count = (uint32_t)all->table.count,
                               .count_max = all->limits.count_max,
                               .bytes = all->table.bytes,
                               .swaps = all->swaps,
                               .removals = all->removals,
                               .expiries = all->expiries};
    (void)pthread_mutex_unlock(&all->lock);
    return use;
}

uint32_t instances_gone_revision(instances *all)
{
    (void)pthread_mutex_lock(&all->lock);
    const uint32_t revision = all->table.gone_revision;
    (void)pthread_mutex_unlock(&all->lock);
    return revision;
}

// ---- updates ----

static nav_status no_space(nav_error *err, const char *limit, uint64_t value)
{
    nav_fail(err, PROTO_TOO_MANY_INSTANCES, "there are as many instances as %s allows", limit);
    nav_error_limit(err, "%llu", (unsigned long long)value);
    return PROTO_TOO_MANY_INSTANCES;
}

// Checks the limits with all that is there after a swap. bare: a row of this name with nothing in
// it.
static nav_status check_space_locked(instances *all, const instance_row *at,
                                     const instance_row *bare, const instance_swap *swap,
                                     nav_error *err)
{
    NAV_ASSERT(lock_is_held(&all->lock));
    const uint64_t more = instance_row_bytes(bare) + swap->state->size_bytes +
                          (swap->world != NULL ? instance_world_bytes(swap->world) : 0);
    const uint64_t less = at != NULL ? instance_row_bytes(at) : 0;
    if (at == NULL && all->table.count >= all->limits.count_max) {
        return no_space(err, "--max-instances", all->limits.count_max);
    }
    return more <= less || all->table.bytes - less + more <= all->limits.bytes_max
               ? NAV_OK
               : no_space(err, "the limit instances_bytes", all->limits.bytes_max);
}

// *spare is a row of this name with nothing in it. An instance that is new takes it, and leaves
// NULL; another one leaves in it what it does not need any more, to be freed.
static nav_status swap_locked(instances *all, const instance_swap *swap, instance_row **spare,
                              bool *swapped, nav_error *err)
{
    instance_row *at = row_locked(all, swap->mesh, swap->name);
    if ((at != NULL ? at->state : NULL) != swap->before ||
        (swap->data_json == NULL && events_has_listeners(all->events))) {
        return NAV_OK;
    }
    nav_status status = check_space_locked(all, at, *spare, swap, err);
    if (status != NAV_OK) {
        return status;
    }
    instance_row *used = at;
    if (at == NULL) {
        // One that has expired, and waits for the sweep, is in its place; or one has come and gone
        // since the state was made.
        if (instance_table_row(&all->table, swap->mesh, swap->name) != NULL ||
            swap->state->revision <= all->table.gone_revision) {
            return NAV_OK;
        }
        used = *spare;
        status = instance_table_add(&all->table, used, err);
        if (status != NAV_OK) {
            return status;
        }
        *spare = NULL;
    } else {
        (*spare)->state = at->state;
        (*spare)->world = at->world;
    }
    instance_table_change(&all->table, used, instance_state_acquire(swap->state),
                          swap->world != NULL ? instance_world_acquire(swap->world) : NULL);
    all->swaps++;
    *swapped = true;
    return NAV_OK;
}

// Takes away the instance of this name if it has expired.
static void take_expired(instances *all, const char *mesh, const char *name)
{
    (void)pthread_mutex_lock(&all->lock);
    instance_row *old = instance_table_row(&all->table, mesh, name);
    if (old != NULL && old->state->expires_ns <= clock_now_ns()) {
        instance_table_remove(&all->table, old);
        all->expiries += report_removed_locked(all, old, "expired");
    } else {
        old = NULL;
    }
    (void)pthread_mutex_unlock(&all->lock);
    if (old != NULL) {
        let_go(all, old);
    }
}

// Whether something has expired that the sweep has not come by yet.
static bool has_expired(instances *all)
{
    (void)pthread_mutex_lock(&all->lock);
    const bool expired = all->table.next_expiry_ns <= clock_now_ns();
    (void)pthread_mutex_unlock(&all->lock);
    return expired;
}

static nav_status swap_and_publish(instances *all, const instance_swap *swap, instance_row **spare,
                                   instance_row **e, bool *swapped, nav_error *err)
{
    (void)pthread_mutex_lock(&all->lock);
    nav_status status = swap_locked(all, swap, spare, swapped, err);
    const bool publishes = *swapped && *e != NULL;
    if (publishes) {
        outbox_put_changed_locked(&all->outbox, *e, swap->event, swap->state->born);
        *e = NULL;
    }
    (void)pthread_mutex_unlock(&all->lock);
    if (publishes) {
        outbox_publish(&all->outbox);
    }
    return status;
}

nav_status instances_swap(instances *all, const instance_swap *swap, bool *swapped, nav_error *err)
{
    const bool reports = swap->data_json != NULL;
    instance_row *spare = instance_row_create(swap->mesh, swap->name);
    instance_row *e = reports ? outbox_changed(swap->mesh, swap->name, swap->data_json) : NULL;
    *swapped = false;
    if (spare == NULL || (reports && e == NULL)) {
        instance_row_release(spare);
        instance_row_release(e);
        return nav_fail(err, NAV_NO_MEMORY, "no memory for another instance");
    }
    take_expired(all, swap->mesh, swap->name);
    nav_status status = swap_and_publish(all, swap, &spare, &e, swapped, err);
    if (status == PROTO_TOO_MANY_INSTANCES && has_expired(all)) {
        let_expired_go(all);
        status = swap_and_publish(all, swap, &spare, &e, swapped, err);
    }
    instance_row_release(e);
    if (spare != NULL) {
        release_row(all, spare); // with the state before, and its pin
    }
    return status;
}

nav_status instances_remove(instances *all, const char *mesh, const char *name, uint32_t revision,
                            nav_error *err)
{
    nav_status status = NAV_OK;
    (void)pthread_mutex_lock(&all->lock);
    instance_row *at = row_locked(all, mesh, name);
    if (at == NULL) {
        status = not_found(mesh, name, err);
    } else if (revision != 0 && revision != at->state->revision) {
        status = nav_fail(err, PROTO_STALE_ETAG,
                          "instance '%s' has revision %u; GET it, and ask again if it may still go",
                          name, at->state->revision);
    } else {
        instance_table_remove(&all->table, at);
        all->removals += report_removed_locked(all, at, "deleted");
    }
    (void)pthread_mutex_unlock(&all->lock);
    if (status == NAV_OK) {
        let_go(all, at);
    }
    return status;
}

// ---- the live version ----

// So many instances at a time are checked under the lock, and reported or freed outside of it.
#define PAGE 64

// The row of the event is made outside of the lock, and its state found under it: what the instance
// has become since comes behind this event.
static void publish_version_of(instances *all, const char *mesh, const char *name, uint32_t version)
{
    instance_row *e = instance_row_create(mesh, name); // without memory the event is missing
    (void)pthread_mutex_lock(&all->lock);
    const instance_row *at = e != NULL ? row_locked(all, mesh, name) : NULL;
    if (at != NULL && at->state->version == 0) {
        e->state = instance_state_acquire(at->state);
        outbox_put_version_locked(&all->outbox, e, version);
        e = NULL;
    }
    (void)pthread_mutex_unlock(&all->lock);
    instance_row_release(e);
    outbox_publish(&all->outbox);
}

static void publish_version(instances *all, const char *mesh, uint32_t version)
{
    instance_entry page[PAGE];
    char after[LIMIT_MESH_NAME + 1] = "";
    for (bool more = true; more;) {
        const uint32_t count = instances_list(all, mesh, after, PAGE, page, &more);
        for (uint32_t i = 0; i < count; i++) {
            publish_version_of(all, mesh, page[i].name, version);
            memcpy(after, page[i].name, sizeof after);
            instance_state_release(page[i].state);
        }
    }
}

// Takes worlds over the version before out of the table, behind the last instance that it has come
// to. False: there are no more.
static bool drop_some_worlds(instances *all, const char *mesh, char after[LIMIT_MESH_NAME + 1])
{
    instance_world *old[PAGE];
    size_t count = 0;
    (void)pthread_mutex_lock(&all->lock);
    instance_table *t = &all->table;
    for (size_t i = instance_table_find(t, mesh, after);
         count < PAGE && i < t->count && strcmp(t->rows[i]->mesh, mesh) == 0; i++) {
        instance_row *at = t->rows[i];
        if (at->state->version == 0 && at->world != NULL && strcmp(at->name, after) != 0) {
            old[count++] = at->world;
            instance_table_change(t, at, at->state, NULL);
            memcpy(after, at->name, strlen(at->name) + 1);
        }
    }
    (void)pthread_mutex_unlock(&all->lock);
    for (size_t i = 0; i < count; i++) {
        instance_world_release(old[i]);
    }
    return count == PAGE;
}

void instances_live_changed(instances *all, const char *mesh, uint32_t version)
{
    if (all == NULL) {
        return;
    }
    char after[LIMIT_MESH_NAME + 1] = "";
    while (drop_some_worlds(all, mesh, after)) {
    }
    if (events_has_listeners(all->events)) {
        publish_version(all, mesh, version);
    }
}
