// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// events.h: listeners to bakes and to instances, with a queue of events each (server-sent events,
// as HTML's standard has them).
//
//   worker, or an update --events_publish--> a queue per listener --events_read--> HTTP thread
//
// The subject of a bake's events is the mesh's name, with the version; that of an instance's is
// "mesh/instance", with the revision that it began with in place of the version.
//
// No thread waits for a listener: its queue is bounded, and a listener that lets it fill is
// dropped.

#pragma once

#include "core/nav.h"
#include "server/base/limits.h"

// A subject and its zero.
#define EVENTS_SUBJECT_BYTES (2 * LIMIT_MESH_NAME + 2)

typedef struct events events;
typedef struct events_listener events_listener;

// Begins the thread that keeps idle listeners alive. NULL without memory or thread. At most
// listeners_max listen at a time.
events *events_create(uint32_t listeners_max);
// Ends every stream, and refuses new ones. Harmless to call twice.
void events_stop(events *e);
void events_destroy(events *e); // after the last listener has left; NULL is harmless

// ---- for those who publish; thread: any ----

// Whether there are listeners at all: without any, events need not be written.
bool events_has_listeners(const events *e);
// Queues an event for all listeners to a version; version 0: to any version of the subject.
// data_json NULL: there was no memory for it. They are dropped then, since an event is missing.
void events_publish(events *e, const char *subject, uint32_t version, const char *event,
                    const char *data_json);
// The same, and their streams end with it. event NULL: they end without one.
void events_finish(events *e, const char *subject, uint32_t version, const char *event,
                   const char *data_json);

// ---- for listeners ----

// wake(user) is called once after each events_await that returned true, on any thread, without a
// lock held. Until events_open only finish and stop reach the listener. Errors: PROTO_OVERLOADED
// where there are too many, PROTO_NOT_READY once stopped, NAV_NO_MEMORY.
nav_status events_listen(events *e, const char *subject, uint32_t version, void (*wake)(void *user),
                         void *user, events_listener **out, nav_error *err);
// Queues the first event, the present state. From here on all others follow, unless it is the last.
void events_open(events_listener *l, const char *event, const char *data_json, bool last);
// Not while a wake is to come. NULL is harmless.
void events_leave(events_listener *l);

typedef enum events_state {
    EVENTS_GO_ON,
    EVENTS_ENDED,   // after the bytes that were read
    EVENTS_DROPPED, // events are missing
} events_state;

// Takes up to capacity bytes of the queue; 0 with EVENTS_GO_ON: it is empty.
size_t events_read(events_listener *l, char *out, size_t capacity, events_state *state);
// True: wake will be called when there are bytes to read. False: there are some already.
bool events_await(events_listener *l);
