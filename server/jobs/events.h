// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// events.h: who listens to a bake, and what waits for each of them (server-sent events, as HTML's
// standard has them).
//
//   worker --events_publish--> a queue per listener --events_read--> HTTP thread
//
// Nobody waits for a listener: its queue is bounded, and one that lets it fill is dropped.

#pragma once

#include "core/nav.h"
#include "server/base/limits.h"

typedef struct events events;
typedef struct events_listener events_listener;

// Begins the thread that keeps idle listeners alive. NULL without memory or thread. At most
// listeners_max listen at a time.
events *events_create(uint32_t listeners_max);
// Ends every stream, and refuses new ones. Harmless to call twice.
void events_stop(events *e);
void events_destroy(events *e); // after the last listener has left; NULL is harmless

// ---- for workers; thread: any ----

// Whether anybody listens at all: what nobody hears need not be put into words.
bool events_heard(const events *e);
// An event for all who listen to a version; version 0: to any version of the mesh.
void events_publish(events *e, const char *mesh, uint32_t version, const char *event,
                    const char *data_json);
// The same, and their streams end with it. event NULL: they end without.
void events_finish(events *e, const char *mesh, uint32_t version, const char *event,
                   const char *data_json);

// ---- for listeners ----

// wake(user) is called once after each events_await that returned true, on any thread, without a
// lock held. Only finish and stop are heard until events_open. Errors: PROTO_OVERLOADED where there
// are too many, PROTO_NOT_READY once stopped, NAV_NO_MEMORY.
nav_status events_listen(events *e, const char *mesh, uint32_t version, void (*wake)(void *user),
                         void *user, events_listener **out, nav_error *err);
// The first event: how things stand. From here on the rest is heard, unless it is the last one.
void events_open(events_listener *l, const char *event, const char *data_json, bool last);
// Not while a wake is to come. NULL is harmless.
void events_leave(events_listener *l);

typedef enum events_state {
    EVENTS_GO_ON,
    EVENTS_ENDED,   // after what was read
    EVENTS_DROPPED, // something is missing
} events_state;

// Takes up to capacity bytes that wait; 0 with EVENTS_GO_ON: nothing does.
size_t events_read(events_listener *l, char *out, size_t capacity, events_state *state);
// True: wake will be called when there is something to read. False: there is already.
bool events_await(events_listener *l);
