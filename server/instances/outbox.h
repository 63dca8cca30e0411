// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// outbox.h: events of instances that are still to be published. One is made outside the lock of the
// instances, put behind the others under it, and published outside it again: what is put under the
// lock of its swap reaches listeners in the order of swaps.

#pragma once

#include "server/base/events.h"

#include <pthread.h>

typedef struct outbox_event outbox_event;

typedef struct outbox {
    pthread_mutex_t *lock; // the owner's; immutable
    events *events;        // immutable
    outbox_event *first;   // guarded by lock, as all below
    outbox_event **end;    //
    bool publishes;        // some thread does
} outbox;

void outbox_init(outbox *box, pthread_mutex_t *lock, events *to);

// Events for the listeners to "mesh/instance". NULL without memory: then the event is missing.
// data_json is copied, the event's name is not.
outbox_event *outbox_changed(const char *mesh, const char *instance, const char *event,
                             const char *data_json);
// The instance is gone; the streams of its listeners end with this event.
outbox_event *outbox_removed(const char *mesh, const char *instance, uint32_t revision,
                             const char *reason);
// Another version of the mesh is live, which the instance follows.
outbox_event *outbox_version(const char *mesh, const char *instance, uint32_t revision,
                             uint32_t version);
void outbox_event_destroy(outbox_event *e); // one that was not put; NULL is harmless

// Puts an event behind all others, and takes it over. NULL is harmless.
void outbox_put_locked(outbox *box, outbox_event *e);
// Publishes all that waits, without the lock. Where another thread does so already it publishes
// these, too, perhaps after the return.
void outbox_publish(outbox *box);
