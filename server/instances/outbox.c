// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// outbox.c: a list of events under the lock of whoever owns it. One thread at a time takes them off
// and publishes them: two could pass each other between the lock and the listeners.

#include "server/instances/outbox.h"

#include "proto/proto.h"
#include "server/base/lock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct outbox_event {
    outbox_event *next;
    bool last; // the instance is gone
    char subject[EVENTS_SUBJECT_BYTES];
    const char *event;
    char *data_json; // NULL: there was no memory for it
};

void outbox_init(outbox *box, pthread_mutex_t *lock, events *to)
{
    *box = (outbox){.lock = lock, .events = to, .end = &box->first};
}

// ---- events ----

// data_json becomes its own.
static outbox_event *make(const char *mesh, const char *instance, const char *event,
                          char *data_json)
{
    outbox_event *e = calloc(1, sizeof *e);
    if (e == NULL) {
        free(data_json);
        return NULL;
    }
    (void)snprintf(e->subject, sizeof e->subject, "%.64s/%.64s", mesh, instance);
    e->event = event;
    e->data_json = data_json;
    return e;
}

void outbox_event_destroy(outbox_event *e)
{
    if (e != NULL) {
        free(e->data_json);
        free(e);
    }
}

outbox_event *outbox_changed(const char *mesh, const char *instance, const char *event,
                             const char *data_json)
{
    char *data = strdup(data_json);
    return data != NULL ? make(mesh, instance, event, data) : NULL;
}

static char *take_text(proto_writer *w)
{
    size_t size_bytes;
    proto_write_object_end(w);
    char *text = proto_writer_take(w, &size_bytes);
    proto_writer_free(w);
    return text;
}

outbox_event *outbox_removed(const char *mesh, const char *instance, uint32_t revision,
                             const char *reason)
{
    proto_writer w;
    proto_writer_init(&w);
    proto_write_object_begin(&w);
    proto_write_key(&w, "mesh");
    proto_write_string(&w, mesh);
    proto_write_key(&w, "instance");
    proto_write_string(&w, instance);
    proto_write_key(&w, "revision");
    proto_write_int(&w, revision);
    proto_write_key(&w, "reason");
    proto_write_string(&w, reason);
    outbox_event *e = make(mesh, instance, "removed", take_text(&w));
    if (e != NULL) {
        e->last = true;
    }
    return e;
}

outbox_event *outbox_version(const char *mesh, const char *instance, uint32_t revision,
                             uint32_t version)
{
    const proto_answer_head head = {
        .mesh = mesh, .version = version, .instance = instance, .revision = revision};
    proto_writer w;
    proto_writer_init(&w);
    proto_write_answer_begin(&w, &head);
    return make(mesh, instance, "version", take_text(&w));
}

// ---- the list ----

void outbox_put_locked(outbox *box, outbox_event *e)
{
    NAV_ASSERT(lock_is_held(box->lock));
    if (e != NULL) {
        *box->end = e;
        box->end = &e->next;
    }
}

// Streams of an instance that is gone end, with the event or without.
static void publish(outbox *box, const outbox_event *e)
{
    if (e->last) {
        events_finish(box->events, e->subject, 0, e->data_json != NULL ? e->event : NULL,
                      e->data_json);
    } else if (e->data_json != NULL) {
        events_publish(box->events, e->subject, 0, e->event, e->data_json);
    }
}

void outbox_publish(outbox *box)
{
    (void)pthread_mutex_lock(box->lock);
    if (!box->publishes) {
        box->publishes = true;
        while (box->first != NULL) {
            outbox_event *e = box->first;
            box->first = e->next;
            box->end = box->first != NULL ? box->end : &box->first;
            (void)pthread_mutex_unlock(box->lock);
            publish(box, e);
            outbox_event_destroy(e);
            (void)pthread_mutex_lock(box->lock);
        }
        box->publishes = false;
    }
    (void)pthread_mutex_unlock(box->lock);
}
