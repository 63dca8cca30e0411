// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// instances.c: names in order, each with its state and world. The lock is held to find a name and
// to count or swap pointers, never while a mesh is asked, or anything is made or freed.
//
// Events are told in the order of the swaps: each is put behind the others under the lock, and one
// thread at a time takes them off and tells them.

#include "server/instances/instances.h"

#include "server/base/clock.h"
#include "server/base/lock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Between two looks at what has expired; an instance that has is found by nobody before that.
#define SWEEP_MS 1000

typedef struct entry {
    instance_state *state;
    instance_world *world; // of that state; NULL: none
    const char *name;      // in the block behind mesh
    char mesh[];
} entry;

// An event that is still to be told.
typedef struct telling {
    struct telling *next;
    bool last; // the instance is gone
    char subject[EVENTS_SUBJECT_BYTES];
    const char *event;
    char *data_json;
} telling;

struct instances {
    pthread_mutex_t lock;
    pthread_cond_t stop;
    pthread_t sweeper;
    bool joined;             // main thread only
    instances_limits limits; // immutable
    pins *pins;              // immutable
    events *events;          // immutable
    entry **entries;         // guarded by lock, as all below; in order of mesh and name
    size_t count, capacity;  //
    uint64_t bytes;          // of entries, states and worlds
    uint64_t next_expiry_ns; // nothing expires before
    uint64_t swaps, removals, expiries;
    telling *first, **end; // what is to be told
    bool tells, stopped;   // some thread tells; the sweeper is to end
};

// ---- events ----

static void tell_one(instances *all, telling *t)
{
    if (t->last) {
        events_finish(all->events, t->subject, 0, t->data_json != NULL ? t->event : NULL,
                      t->data_json);
    } else if (t->data_json != NULL) {
        events_publish(all->events, t->subject, 0, t->event, t->data_json);
    }
    free(t->data_json);
    free(t);
}

// Tells all that waits, unless another thread is at it, which then tells this, too.
static void tell(instances *all)
{
    (void)pthread_mutex_lock(&all->lock);
    if (!all->tells) {
        all->tells = true;
        while (all->first != NULL) {
            telling *t = all->first;
            all->first = t->next;
            all->end = all->first != NULL ? all->end : &all->first;
            (void)pthread_mutex_unlock(&all->lock);
            tell_one(all, t);
            (void)pthread_mutex_lock(&all->lock);
        }
        all->tells = false;
    }
    (void)pthread_mutex_unlock(&all->lock);
}

// NULL without memory: then the event is missing. data_json becomes its own.
static telling *make_telling(const char *mesh, const char *name, const char *event, char *data_json)
{
    telling *t = calloc(1, sizeof *t);
    if (t == NULL) {
        free(data_json);
        return NULL;
    }
    (void)snprintf(t->subject, sizeof t->subject, "%.64s/%.64s", mesh, name);
    t->event = event;
    t->data_json = data_json;
    return t;
}

static void queue_locked(instances *all, telling *t)
{
    NAV_ASSERT(lock_is_held(&all->lock));
    if (t != NULL) {
        *all->end = t;
        all->end = &t->next;
    }
}

// ---- entries ----

static int compare(const entry *at, const char *mesh, const char *name)
{
    const int order = strcmp(at->mesh, mesh);
    return order != 0 ? order : strcmp(at->name, name);
}

// The first entry that is not before the given one.
static size_t find_locked(instances *all, const char *mesh, const char *name)
{
    NAV_ASSERT(lock_is_held(&all->lock));
    size_t low = 0, high = all->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare(all->entries[middle], mesh, name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// NULL: there is none, or it has expired.
static entry *entry_locked(instances *all, const char *mesh, const char *name)
{
    const size_t index = find_locked(all, mesh, name);
    if (index == all->count || compare(all->entries[index], mesh, name) != 0) {
        return NULL;
    }
    entry *at = all->entries[index];
    return at->state->expires_ns > clock_now_ns() ? at : NULL;
}

static size_t bytes_of(const entry *at)
{
    return sizeof *at + strlen(at->mesh) + strlen(at->name) + 2 + at->state->size_bytes +
           (at->world != NULL ? instance_world_bytes(at->world) : 0);
}

static entry *make_entry(const char *mesh, const char *name)
{
    const size_t mesh_bytes = strlen(mesh) + 1, name_bytes = strlen(name) + 1;
    entry *made = calloc(1, sizeof *made + mesh_bytes + name_bytes);
    if (made != NULL) {
        memcpy(made->mesh, mesh, mesh_bytes);
        memcpy(made->mesh + mesh_bytes, name, name_bytes);
        made->name = made->mesh + mesh_bytes;
    }
    return made;
}

static void free_entry(instances *all, entry *old)
{
    if (old->state != NULL && old->state->version != 0) {
        pins_release(all->pins, old->mesh, old->state->version);
    }
    instance_world_release(old->world);
    instance_state_release(old->state);
    free(old);
}

// Takes an entry out of the list.
static entry *take_out_locked(instances *all, size_t index)
{
    NAV_ASSERT(lock_is_held(&all->lock) && index < all->count);
    entry *old = all->entries[index];
    all->count--;
    memmove(&all->entries[index], &all->entries[index + 1], (all->count - index) * sizeof(entry *));
    all->bytes -= bytes_of(old);
    return old;
}

static nav_status put_in_locked(instances *all, entry *made, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&all->lock));
    if (all->count == all->capacity) {
        const size_t capacity = all->capacity > 0 ? all->capacity * 2 : 16;
        entry **entries = realloc(all->entries, capacity * sizeof(entry *));
        if (entries == NULL) {
            return nav_fail(err, NAV_NO_MEMORY, "no memory for another instance");
        }
        all->entries = entries;
        all->capacity = capacity;
    }
    const size_t index = find_locked(all, made->mesh, made->name);
    memmove(&all->entries[index + 1], &all->entries[index], (all->count - index) * sizeof(entry *));
    all->entries[index] = made;
    all->count++;
    return NAV_OK;
}

// ---- what has gone ----

// Entries that were taken out under the lock, to be freed outside it.
typedef struct gone {
    entry **entries;
    size_t count;
} gone;

static char *gone_text(const entry *old, const char *why)
{
    proto_writer w;
    size_t size_bytes;
    proto_writer_init(&w);
    proto_write_object_begin(&w);
    proto_write_key(&w, "mesh");
    proto_write_string(&w, old->mesh);
    proto_write_key(&w, "instance");
    proto_write_string(&w, old->name);
    proto_write_key(&w, "revision");
    proto_write_int(&w, old->state->revision);
    proto_write_key(&w, "reason");
    proto_write_string(&w, why);
    proto_write_object_end(&w);
    char *text = proto_writer_take(&w, &size_bytes);
    proto_writer_free(&w);
    return text;
}

// Ends the streams of listeners to an entry that was taken out, and frees it.
static void let_go(instances *all, entry *old, const char *why)
{
    if (events_has_listeners(all->events)) {
        telling *t = make_telling(old->mesh, old->name, "removed", gone_text(old, why));
        if (t != NULL) {
            t->last = true;
            (void)pthread_mutex_lock(&all->lock);
            queue_locked(all, t);
            (void)pthread_mutex_unlock(&all->lock);
            tell(all);
        }
    }
    free_entry(all, old);
}

// Takes out all of a mesh, or with mesh NULL all that have expired. Without memory to list them it
// takes none.
static gone take_all(instances *all, const char *mesh, uint64_t now_ns)
{
    gone out = {0};
    (void)pthread_mutex_lock(&all->lock);
    out.entries = malloc((all->count + 1) * sizeof(entry *));
    size_t kept = 0;
    uint64_t next_ns = UINT64_MAX;
    for (size_t i = 0; out.entries != NULL && i < all->count; i++) {
        entry *at = all->entries[i];
        const bool goes =
            mesh != NULL ? strcmp(at->mesh, mesh) == 0 : at->state->expires_ns <= now_ns;
        if (goes) {
            all->bytes -= bytes_of(at);
            out.entries[out.count++] = at;
        } else {
            next_ns = at->state->expires_ns < next_ns ? at->state->expires_ns : next_ns;
            all->entries[kept++] = at;
        }
    }
    if (out.entries != NULL) {
        all->count = kept;
        all->next_expiry_ns = next_ns;
        *(mesh != NULL ? &all->removals : &all->expiries) += out.count;
    }
    (void)pthread_mutex_unlock(&all->lock);
    return out;
}

static void let_all_go(instances *all, gone out, const char *why)
{
    for (size_t i = 0; i < out.count; i++) {
        let_go(all, out.entries[i], why);
    }
    free(out.entries);
}

void instances_clear(instances *all, const char *mesh)
{
    let_all_go(all, take_all(all, mesh, 0), "mesh_removed");
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
        const uint64_t now_ns = clock_now_ns();
        if (!all->stopped && all->next_expiry_ns <= now_ns) {
            (void)pthread_mutex_unlock(&all->lock);
            let_all_go(all, take_all(all, NULL, now_ns), "expired");
            (void)pthread_mutex_lock(&all->lock);
        }
    }
    (void)pthread_mutex_unlock(&all->lock);
    return NULL;
}

instances *instances_create(const instances_limits *limits, pins *held, events *told)
{
    instances *all = calloc(1, sizeof *all);
    if (all == NULL) {
        return NULL;
    }
    all->limits = *limits;
    all->pins = held;
    all->events = told;
    all->next_expiry_ns = UINT64_MAX;
    all->end = &all->first;
    (void)pthread_mutex_init(&all->lock, NULL);
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
    for (size_t i = 0; i < all->count; i++) {
        free_entry(all, all->entries[i]);
    }
    NAV_ASSERT(all->first == NULL);
    (void)pthread_cond_destroy(&all->stop);
    (void)pthread_mutex_destroy(&all->lock);
    free(all->entries);
    free(all);
}

// ---- readers ----

static nav_status not_found(const char *mesh, const char *name, nav_error *err)
{
    return nav_fail(err, PROTO_INSTANCE_NOT_FOUND,
                    "mesh '%s' has no instance '%.64s'; instances end with the daemon, or when "
                    "they expire",
                    mesh, name);
}

nav_status instances_acquire(instances *all, const char *mesh, const char *name, instance *out,
                             nav_error *err)
{
    *out = (instance){0};
    (void)pthread_mutex_lock(&all->lock);
    const entry *at = entry_locked(all, mesh, name);
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

// The world of an instance becomes another one, or none.
static void change_world_locked(instances *all, entry *at, instance_world *world)
{
    NAV_ASSERT(lock_is_held(&all->lock));
    all->bytes -= bytes_of(at);
    at->world = world;
    all->bytes += bytes_of(at);
}

void instances_keep_world(instances *all, const char *mesh, const char *name, instance_world *world)
{
    instance_world *old = NULL;
    (void)pthread_mutex_lock(&all->lock);
    entry *at = entry_locked(all, mesh, name);
    if (at != NULL && at->state == world->state) {
        old = at->world;
        change_world_locked(all, at, instance_world_acquire(world));
    }
    (void)pthread_mutex_unlock(&all->lock);
    instance_world_release(old);
}

void instances_drop_world(instances *all, const char *mesh, const char *name,
                          const instance_world *world)
{
    instance_world *old = NULL;
    (void)pthread_mutex_lock(&all->lock);
    entry *at = entry_locked(all, mesh, name);
    if (at != NULL && at->world == world) {
        old = at->world;
        change_world_locked(all, at, NULL);
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
    size_t i = find_locked(all, mesh, after != NULL ? after : "");
    for (; i < all->count && strcmp(all->entries[i]->mesh, mesh) == 0; i++) {
        const entry *at = all->entries[i];
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
    const instances_use use = {.count = (uint32_t)all->count,
                               .count_max = all->limits.count_max,
                               .bytes = all->bytes,
                               .swaps = all->swaps,
                               .removals = all->removals,
                               .expiries = all->expiries};
    (void)pthread_mutex_unlock(&all->lock);
    return use;
}

// ---- updates ----

static nav_status no_room(nav_error *err, const char *limit, uint64_t value)
{
    nav_fail(err, PROTO_TOO_MANY_INSTANCES, "there are as many instances as %s allows", limit);
    nav_error_limit(err, "%llu", (unsigned long long)value);
    return PROTO_TOO_MANY_INSTANCES;
}

// Checks the limits with all that is there after a swap: a new instance is an entry more.
static nav_status check_room_locked(const instances *all, const entry *at,
                                    const instance_swap *swap, nav_error *err)
{
    const uint64_t more =
        swap->state->size_bytes + (swap->world != NULL ? instance_world_bytes(swap->world) : 0);
    const uint64_t less = at != NULL ? bytes_of(at) : 0;
    if (at == NULL && all->count >= all->limits.count_max) {
        return no_room(err, "--max-instances", all->limits.count_max);
    }
    return more <= less || all->bytes - less + more <= all->limits.bytes_max
               ? NAV_OK
               : no_room(err, "the limit instances_bytes", all->limits.bytes_max);
}

// *spare is an entry for an instance that is new, else NULL; what is not used any more is left in
// it to be freed.
static nav_status swap_locked(instances *all, const instance_swap *swap, entry **spare,
                              bool *swapped, nav_error *err)
{
    entry *at = entry_locked(all, swap->mesh, swap->name);
    if ((at != NULL ? at->state : NULL) != swap->before ||
        (swap->data_json == NULL && events_has_listeners(all->events))) {
        return NAV_OK;
    }
    nav_status status = check_room_locked(all, at, swap, err);
    if (status != NAV_OK) {
        return status;
    }
    entry *used = at;
    if (at == NULL) {
        // One that has expired, and waits for the sweep, is in its place.
        const size_t index = find_locked(all, swap->mesh, swap->name);
        if (index < all->count && compare(all->entries[index], swap->mesh, swap->name) == 0) {
            return NAV_OK;
        }
        used = *spare;
        status = put_in_locked(all, used, err);
        if (status != NAV_OK) {
            return status;
        }
        *spare = NULL;
    } else {
        all->bytes -= bytes_of(at);
        (*spare)->state = at->state;
        (*spare)->world = at->world;
    }
    used->state = instance_state_acquire(swap->state);
    used->world = swap->world != NULL ? instance_world_acquire(swap->world) : NULL;
    all->bytes += bytes_of(used);
    all->swaps++;
    const uint64_t expires_ns = swap->state->expires_ns;
    all->next_expiry_ns = expires_ns < all->next_expiry_ns ? expires_ns : all->next_expiry_ns;
    *swapped = true;
    return NAV_OK;
}

// Takes away the instance of this name if it has expired.
static void take_expired(instances *all, const char *mesh, const char *name)
{
    entry *old = NULL;
    (void)pthread_mutex_lock(&all->lock);
    const size_t index = find_locked(all, mesh, name);
    if (index < all->count && compare(all->entries[index], mesh, name) == 0 &&
        all->entries[index]->state->expires_ns <= clock_now_ns()) {
        old = take_out_locked(all, index);
        all->expiries++;
    }
    (void)pthread_mutex_unlock(&all->lock);
    if (old != NULL) {
        let_go(all, old, "expired");
    }
}

// Whether something has expired that the sweep has not come by yet.
static bool has_expired(instances *all)
{
    (void)pthread_mutex_lock(&all->lock);
    const bool expired = all->next_expiry_ns <= clock_now_ns();
    (void)pthread_mutex_unlock(&all->lock);
    return expired;
}

static nav_status swap_and_tell(instances *all, const instance_swap *swap, entry **spare,
                                telling **t, bool *swapped, nav_error *err)
{
    (void)pthread_mutex_lock(&all->lock);
    nav_status status = swap_locked(all, swap, spare, swapped, err);
    const bool tells = *swapped && *t != NULL;
    if (tells) {
        queue_locked(all, *t);
        *t = NULL;
    }
    (void)pthread_mutex_unlock(&all->lock);
    if (tells) {
        tell(all);
    }
    return status;
}

nav_status instances_swap(instances *all, const instance_swap *swap, bool *swapped, nav_error *err)
{
    entry *spare = make_entry(swap->mesh, swap->name);
    char *data = swap->data_json != NULL ? strdup(swap->data_json) : NULL;
    telling *t = data != NULL ? make_telling(swap->mesh, swap->name, swap->event, data) : NULL;
    *swapped = false;
    if (spare == NULL || (swap->data_json != NULL && t == NULL)) {
        free(spare);
        return nav_fail(err, NAV_NO_MEMORY, "no memory for another instance");
    }
    take_expired(all, swap->mesh, swap->name);
    nav_status status = swap_and_tell(all, swap, &spare, &t, swapped, err);
    if (status == PROTO_TOO_MANY_INSTANCES && has_expired(all)) {
        let_all_go(all, take_all(all, NULL, clock_now_ns()), "expired");
        status = swap_and_tell(all, swap, &spare, &t, swapped, err);
    }
    if (t != NULL) {
        free(t->data_json);
        free(t);
    }
    if (spare != NULL) {
        free_entry(all, spare); // with the state before, and its pin
    }
    return status;
}

nav_status instances_remove(instances *all, const char *mesh, const char *name, uint32_t revision,
                            nav_error *err)
{
    nav_status status = NAV_OK;
    entry *old = NULL;
    (void)pthread_mutex_lock(&all->lock);
    const entry *at = entry_locked(all, mesh, name);
    if (at == NULL) {
        status = not_found(mesh, name, err);
    } else if (revision != 0 && revision != at->state->revision) {
        status = nav_fail(err, PROTO_STALE_ETAG, "instance '%s' has revision %u", name,
                          at->state->revision);
    } else {
        old = take_out_locked(all, find_locked(all, mesh, name));
        all->removals++;
    }
    (void)pthread_mutex_unlock(&all->lock);
    if (old != NULL) {
        let_go(all, old, "deleted");
    }
    return status;
}

// ---- the live version ----

static char *version_text(const char *mesh, const instance_entry *at, uint32_t version)
{
    proto_writer w;
    size_t size_bytes;
    const proto_answer_head head = {
        .mesh = mesh, .version = version, .instance = at->name, .revision = at->state->revision};
    proto_writer_init(&w);
    proto_write_answer_begin(&w, &head);
    proto_write_object_end(&w);
    char *text = proto_writer_take(&w, &size_bytes);
    proto_writer_free(&w);
    return text;
}

// Some at a time, outside the lock.
static void tell_version(instances *all, const char *mesh, uint32_t version)
{
    instance_entry page[64];
    char after[LIMIT_MESH_NAME + 1] = "";
    for (bool more = true; more;) {
        const uint32_t count = instances_list(all, mesh, after, 64, page, &more);
        for (uint32_t i = 0; i < count; i++) {
            telling *t = page[i].state->version == 0
                             ? make_telling(mesh, page[i].name, "version",
                                            version_text(mesh, &page[i], version))
                             : NULL;
            (void)pthread_mutex_lock(&all->lock);
            queue_locked(all, t);
            (void)pthread_mutex_unlock(&all->lock);
            memcpy(after, page[i].name, sizeof after);
            instance_state_release(page[i].state);
        }
    }
    tell(all);
}

void instances_live_changed(instances *all, const char *mesh, uint32_t version)
{
    if (all == NULL) {
        return;
    }
    size_t count = 0;
    (void)pthread_mutex_lock(&all->lock);
    instance_world **old = malloc((all->count + 1) * sizeof *old);
    for (size_t i = find_locked(all, mesh, "");
         old != NULL && i < all->count && strcmp(all->entries[i]->mesh, mesh) == 0; i++) {
        entry *at = all->entries[i];
        if (at->state->version == 0 && at->world != NULL) {
            old[count++] = at->world;
            change_world_locked(all, at, NULL);
        }
    }
    (void)pthread_mutex_unlock(&all->lock);
    for (size_t i = 0; i < count; i++) {
        instance_world_release(old[i]);
    }
    free(old);
    if (events_has_listeners(all->events)) {
        tell_version(all, mesh, version);
    }
}
