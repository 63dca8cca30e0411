// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// outbox.c: a list of events under the lock of whoever owns it. One thread at a time takes them off
// and publishes them: two could pass each other between the lock and the listeners.

#include "server/instances/outbox.h"

#include "proto/replies/replies.h"
#include "server/base/lock.h"

#include <stdio.h>
#include <string.h>

void outbox_init(outbox *box, pthread_mutex_t *lock, events *to)
{
    *box = (outbox){.lock = lock, .events = to, .end = &box->first};
}

// ---- putting ----

instance_row *outbox_changed(const char *mesh, const char *instance, const char *data_json)
{
    instance_row *row = instance_row_create(mesh, instance);
    char *data = row != NULL ? strdup(data_json) : NULL;
    if (data == NULL) {
        instance_row_release(row);
        return NULL;
    }
    row->event.data_json = data;
    return row;
}

static void put_locked(outbox *box, instance_row *row, const char *event, uint32_t born)
{
    NAV_ASSERT(lock_is_held(box->lock));
    NAV_ASSERT(row->event.name == NULL);
    row->event.name = event;
    row->event.born = born;
    *box->end = row;
    box->end = &row->event.next;
}

void outbox_put_changed_locked(outbox *box, instance_row *row, const char *event, uint32_t born)
{
    NAV_ASSERT(row->event.data_json != NULL);
    put_locked(box, row, event, born);
}

void outbox_put_removed_locked(outbox *box, instance_row *row, const char *reason)
{
    row->event.reason = reason;
    put_locked(box, row, "removed", row->state->born);
}

void outbox_put_version_locked(outbox *box, instance_row *row, uint32_t version)
{
    row->event.version = version;
    put_locked(box, row, "version", row->state->born);
}

// ---- publishing ----

static void write_removed(proto_writer *w, const instance_row *row)
{
    proto_write_object_begin(w);
    proto_member_string(w, "mesh", row->mesh);
    proto_member_string(w, "instance", row->name);
    proto_member_int(w, "revision", row->state->revision);
    proto_member_string(w, "reason", row->event.reason);
    proto_write_object_end(w);
}

static void write_version(proto_writer *w, const instance_row *row)
{
    const proto_answer_head head = {.mesh = row->mesh,
                                    .version = row->event.version,
                                    .instance = row->name,
                                    .revision = row->state->revision};
    proto_write_answer_begin(w, &head);
    proto_write_object_end(w);
}

// Streams of an instance that is gone end, with the event or without.
static void publish(outbox *box, instance_row *row)
{
    char subject[EVENTS_SUBJECT_BYTES];
    instance_event *e = &row->event;
    (void)snprintf(subject, sizeof subject, "%.64s/%.64s", row->mesh, row->name);
    if (e->data_json == NULL) {
        // Writes the text of an event that has none yet; it stays NULL without memory.
        proto_writer w;
        proto_writer_init(&w);
        if (row->event.reason != NULL) {
            write_removed(&w, row);
        } else {
            write_version(&w, row);
        }
        row->event.data_json = proto_writer_take(&w, NULL);
    }
    if (e->reason != NULL) {
        events_finish(box->events, subject, e->born, e->data_json != NULL ? e->name : NULL,
                      e->data_json);
    } else {
        events_publish(box->events, subject, e->born, e->name, e->data_json);
    }
}

void outbox_publish(outbox *box)
{
    (void)pthread_mutex_lock(box->lock);
    if (!box->publishes) {
        box->publishes = true;
        while (box->first != NULL) {
            instance_row *row = box->first;
            box->first = row->event.next;
            box->end = box->first != NULL ? box->end : &box->first;
            (void)pthread_mutex_unlock(box->lock);
            publish(box, row);
            instance_row_release(row);
            (void)pthread_mutex_lock(box->lock);
        }
        box->publishes = false;
    }
    (void)pthread_mutex_unlock(box->lock);
}
