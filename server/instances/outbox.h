// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// outbox.h: events of instances that are still to be published. One is put behind the others under
// the lock of the instances, together with the change that it reports, and is published outside of
// it: events reach listeners in the order of changes. It is a row of its own, or the one that was
// taken out; the text of what a row can report is written when it is published.

#pragma once

#include "server/base/events.h"
#include "server/instances/table.h"

#include <pthread.h>

typedef struct outbox {
    pthread_mutex_t *lock; // the owner's; immutable
    events *events;        // immutable
    instance_row *first;   // guarded by lock, as all below
    instance_row **end;    //
    bool publishes;        // some thread does
} outbox;

void outbox_init(outbox *box, pthread_mutex_t *lock, events *to);

// A row for outbox_put_changed_locked, with a copy of data_json. NULL without memory.
instance_row *outbox_changed(const char *mesh, const char *instance, const char *data_json);

// Events for the listeners to "mesh/instance" since its birth, put behind all others. Each takes
// over a reference to the row.
// The name of the event is not copied.
void outbox_put_changed_locked(outbox *box, instance_row *row, const char *event, uint32_t born);
// The instance is gone; the streams of its listeners end, with this event or, without memory for
// its text, with none.
void outbox_put_removed_locked(outbox *box, instance_row *row, const char *reason);
// Another version of the mesh is live, which the row's state follows.
void outbox_put_version_locked(outbox *box, instance_row *row, uint32_t version);

// Publishes all that waits, without the lock. Where another thread does so already it publishes
// these, too, perhaps after the return.
void outbox_publish(outbox *box);
