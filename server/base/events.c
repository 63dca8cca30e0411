// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// events.c: the list of listeners and their queues, under one lock. Wakes happen outside it:
// listeners to wake are linked into a list first, and cannot leave before their wake.

#include "server/base/events.h"

#include "proto/base/status.h"
#include "server/base/lock.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// A comment. It finds out whether an idle client is still there, and keeps proxies patient.
static const char HEARTBEAT[] = ": still here\n\n";

// Events of 32 bytes each, which few are shorter than; larger ones are bounded by
// LIMIT_EVENT_QUEUE_BYTES.
#define WAITING_MAX (LIMIT_EVENT_QUEUE_BYTES / 32u)

// An event can be large (settings, or a world's state, are part of it): all listeners share its
// text.
typedef struct text {
    uint32_t references; // guarded by lock
    size_t size_bytes;
    char bytes[];
} text;

struct events_listener {
    events *events;                     // immutable
    char subject[EVENTS_SUBJECT_BYTES]; // immutable
    uint32_t version;                   // immutable
    void (*wake)(void *user);           // immutable
    void *user;                         // immutable
    text *queue[WAITING_MAX]; // guarded by lock, likewise below; a ring of texts that wait
    uint32_t first, count;
    size_t waiting_bytes, read_bytes; // of all; of the first, which are no longer counted
    bool open, ended, dropped, awaiting;
    events_listener *next, *next_woken;
};

struct events {
    pthread_mutex_t lock;
    pthread_cond_t stop;
    pthread_t keepalive_thread;
    events_listener *first;          // guarded by lock
    uint32_t count;                  // guarded by lock
    uint32_t count_max;              // immutable
    bool stopped;                    // guarded by lock
    bool joined;                     // main thread only
    _Atomic uint32_t listener_count; // as count, for events_has_listeners
};

// ---- queues ----

static void release_locked(text *t)
{
    NAV_ASSERT(t == NULL || t->references > 0);
    if (t != NULL && --t->references == 0) {
        free(t);
    }
}

// Lets the first text of a queue go.
static void pop_locked(events_listener *l)
{
    NAV_ASSERT(l->count > 0);
    release_locked(l->queue[l->first]);
    l->first = (l->first + 1) % WAITING_MAX;
    l->count--;
    l->read_bytes = 0;
}

static void empty_locked(events_listener *l)
{
    while (l->count > 0) {
        pop_locked(l);
    }
    l->waiting_bytes = 0;
}

// t NULL: there was no memory for it. One event of any size may wait behind another.
static void push_locked(events_listener *l, text *t, size_t waiting_bytes_max)
{
    NAV_ASSERT(lock_is_held(&l->events->lock));
    if (l->ended || l->dropped) {
        return;
    }
    // The bytes that wait behind the text that is being read.
    const size_t behind =
        l->count > 1 ? l->waiting_bytes - (l->queue[l->first]->size_bytes - l->read_bytes) : 0;
    if (t == NULL || l->count == WAITING_MAX ||
        (behind > 0 && behind + t->size_bytes > waiting_bytes_max)) {
        // The listener goes with its queue, which is of no use without the events that follow.
        empty_locked(l);
        l->dropped = true;
        return;
    }
    t->references++;
    l->queue[(l->first + l->count++) % WAITING_MAX] = t;
    l->waiting_bytes += t->size_bytes;
}

// Ends a stream, with a last event, which may be as large as it is, or without.
static void finish_locked(events_listener *l, text *last)
{
    if (last != NULL) {
        push_locked(l, last, SIZE_MAX);
    }
    l->ended = !l->dropped;
}

// Adds a listener that waits to the list of those to wake.
static void wake_locked(events_listener *l, events_listener **woken)
{
    NAV_ASSERT(lock_is_held(&l->events->lock));
    if (l->awaiting) {
        l->awaiting = false;
        l->next_woken = *woken;
        *woken = l;
    }
}

static void wake_all(events_listener *woken)
{
    while (woken != NULL) {
        // Once woken it may leave at any moment.
        events_listener *next = woken->next_woken;
        woken->wake(woken->user);
        woken = next;
    }
}

// One reference, and bytes that are not set, with room for a zero. NULL without memory.
static text *create_text(size_t size_bytes)
{
    text *made = malloc(sizeof *made + size_bytes + 1);
    if (made != NULL) {
        made->references = 1;
        made->size_bytes = size_bytes;
    }
    return made;
}

// An event in the form in which it is sent; one reference. NULL without memory.
static text *make_text(const char *event, const char *data_json)
{
    static const char form[] = "event: %s\ndata: %s\n\n";
    const int length = snprintf(NULL, 0, form, event, data_json);
    text *made = length > 0 ? create_text((size_t)length) : NULL;
    if (made != NULL) {
        (void)snprintf(made->bytes, (size_t)length + 1, form, event, data_json);
    }
    return made;
}

// ---- the thread that keeps streams alive ----

static void keep_alive_locked(events *e, events_listener **woken)
{
    NAV_ASSERT(lock_is_held(&e->lock));
    text *comment = create_text(sizeof HEARTBEAT - 1);
    if (comment != NULL) {
        memcpy(comment->bytes, HEARTBEAT, sizeof HEARTBEAT - 1);
    }
    for (events_listener *l = e->first; l != NULL; l = l->next) {
        if (l->awaiting) {
            push_locked(l, comment, LIMIT_EVENT_QUEUE_BYTES);
            wake_locked(l, woken);
        }
    }
    release_locked(comment);
}

static void *keep_alive(void *argument)
{
    events *e = argument;
    (void)pthread_mutex_lock(&e->lock);
    while (!e->stopped) {
        const struct timespec next = lock_deadline(LIMIT_EVENT_HEARTBEAT_S * 1000);
        while (!e->stopped && pthread_cond_timedwait(&e->stop, &e->lock, &next) == 0) {
        }
        events_listener *woken = NULL;
        keep_alive_locked(e, &woken);
        (void)pthread_mutex_unlock(&e->lock);
        wake_all(woken);
        (void)pthread_mutex_lock(&e->lock);
    }
    (void)pthread_mutex_unlock(&e->lock);
    return NULL;
}

events *events_create(uint32_t listeners_max)
{
    events *e = calloc(1, sizeof *e);
    if (e == NULL) {
        return NULL;
    }
    e->count_max = listeners_max;
    (void)pthread_mutex_init(&e->lock, NULL);
    lock_init_monotonic(&e->stop);
    if (pthread_create(&e->keepalive_thread, NULL, keep_alive, e) != 0) {
        e->joined = true;
        events_destroy(e);
        return NULL;
    }
    return e;
}

void events_stop(events *e)
{
    events_listener *woken = NULL;
    (void)pthread_mutex_lock(&e->lock);
    e->stopped = true;
    for (events_listener *l = e->first; l != NULL; l = l->next) {
        finish_locked(l, NULL);
        wake_locked(l, &woken);
    }
    (void)pthread_cond_broadcast(&e->stop);
    (void)pthread_mutex_unlock(&e->lock);
    wake_all(woken);
    if (!e->joined) {
        (void)pthread_join(e->keepalive_thread, NULL);
        e->joined = true;
    }
}

void events_destroy(events *e)
{
    if (e == NULL) {
        return;
    }
    events_stop(e);
    NAV_ASSERT(e->first == NULL && e->count == 0);
    (void)pthread_cond_destroy(&e->stop);
    (void)pthread_mutex_destroy(&e->lock);
    free(e);
}

// ---- publishing ----

bool events_has_listeners(const events *e)
{
    return atomic_load_explicit(&e->listener_count, memory_order_relaxed) > 0;
}

static bool is_meant(const events_listener *l, const char *subject, uint32_t version)
{
    return (version == 0 || l->version == version) && strcmp(l->subject, subject) == 0;
}

void events_publish(events *e, const char *subject, uint32_t version, const char *event,
                    const char *data_json)
{
    if (!events_has_listeners(e)) {
        return;
    }
    events_listener *woken = NULL;
    text *made = data_json != NULL ? make_text(event, data_json) : NULL;
    (void)pthread_mutex_lock(&e->lock);
    for (events_listener *l = e->first; l != NULL; l = l->next) {
        if (!l->open || !is_meant(l, subject, version)) {
            continue;
        }
        push_locked(l, made, LIMIT_EVENT_QUEUE_BYTES);
        wake_locked(l, &woken);
    }
    release_locked(made);
    (void)pthread_mutex_unlock(&e->lock);
    wake_all(woken);
}

void events_finish(events *e, const char *subject, uint32_t version, const char *event,
                   const char *data_json)
{
    events_listener *woken = NULL;
    text *made = event != NULL ? make_text(event, data_json) : NULL;
    (void)pthread_mutex_lock(&e->lock);
    for (events_listener *l = e->first; l != NULL; l = l->next) {
        if (is_meant(l, subject, version)) {
            finish_locked(l, made);
            wake_locked(l, &woken);
        }
    }
    release_locked(made);
    (void)pthread_mutex_unlock(&e->lock);
    wake_all(woken);
}

// ---- listeners ----

static nav_status add_locked(events *e, events_listener *l, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&e->lock));
    if (e->stopped) {
        return nav_fail(err, PROTO_NOT_READY, "the daemon is stopping");
    }
    if (e->count >= e->count_max) {
        nav_fail(err, PROTO_OVERLOADED, "%u clients are listening to events already", e->count);
        nav_error_limit(err, "%u", e->count_max);
        return PROTO_OVERLOADED;
    }
    l->next = e->first;
    e->first = l;
    e->count++;
    atomic_store(&e->listener_count, e->count);
    return NAV_OK;
}

nav_status events_listen(events *e, const char *subject, uint32_t version, void (*wake)(void *user),
                         void *user, events_listener **out, nav_error *err)
{
    events_listener *l = calloc(1, sizeof *l);
    if (l == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory to listen to events");
    }
    NAV_ASSERT(strlen(subject) < sizeof l->subject);
    memcpy(l->subject, subject, strlen(subject));
    l->events = e;
    l->version = version;
    l->wake = wake;
    l->user = user;
    (void)pthread_mutex_lock(&e->lock);
    nav_status status = add_locked(e, l, err);
    (void)pthread_mutex_unlock(&e->lock);
    if (status != NAV_OK) {
        free(l);
        return status;
    }
    *out = l;
    return NAV_OK;
}

void events_open(events_listener *l, const char *event, const char *data_json, bool last)
{
    text *made = make_text(event, data_json);
    (void)pthread_mutex_lock(&l->events->lock);
    l->open = true;
    push_locked(l, made, LIMIT_EVENT_QUEUE_BYTES);
    if (last) {
        finish_locked(l, NULL);
    }
    release_locked(made);
    (void)pthread_mutex_unlock(&l->events->lock);
}

void events_leave(events_listener *l)
{
    if (l == NULL) {
        return;
    }
    events *e = l->events;
    (void)pthread_mutex_lock(&e->lock);
    events_listener **link = &e->first;
    while (*link != l) {
        NAV_ASSERT(*link != NULL);
        link = &(*link)->next;
    }
    *link = l->next;
    NAV_ASSERT(e->count > 0);
    e->count--;
    atomic_store(&e->listener_count, e->count);
    empty_locked(l);
    (void)pthread_mutex_unlock(&e->lock);
    free(l);
}

size_t events_read(events_listener *l, char *out, size_t capacity, events_state *state)
{
    size_t taken = 0;
    (void)pthread_mutex_lock(&l->events->lock);
    while (l->count > 0 && taken < capacity) {
        text *t = l->queue[l->first];
        const size_t left = t->size_bytes - l->read_bytes;
        const size_t bytes = left < capacity - taken ? left : capacity - taken;
        memcpy(out + taken, t->bytes + l->read_bytes, bytes);
        taken += bytes;
        l->read_bytes += bytes;
        l->waiting_bytes -= bytes;
        if (bytes == left) {
            pop_locked(l);
        }
    }
    const bool all = l->count == 0;
    *state = l->dropped ? EVENTS_DROPPED : l->ended && all ? EVENTS_ENDED : EVENTS_GO_ON;
    (void)pthread_mutex_unlock(&l->events->lock);
    return taken;
}

bool events_await(events_listener *l)
{
    (void)pthread_mutex_lock(&l->events->lock);
    l->awaiting = l->count == 0 && !l->ended && !l->dropped;
    bool awaiting = l->awaiting;
    (void)pthread_mutex_unlock(&l->events->lock);
    return awaiting;
}
