// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// recordings.h: questions that are kept with their answers, so that they can be asked again
// elsewhere: those that ask for it, and those that were slow or failed.
//
//   answer --recordings_keep, on its own thread--> bundle --> store
//          --recordings_offer--> contents, waiting --recorder--> bundle --> store

#pragma once

#include "server/http/http.h"
#include "server/instances/state.h"
#include "server/recordings/bundle.h"
#include "server/store/recordings.h"

_Static_assert(HTTP_RECORDING_BYTES == STORE_RECORDING_ID_BYTES, "one id");

// bytes_max: of all recordings; 0: none are kept. Begins the recorder's thread where there are any.
// NULL without memory or thread.
recordings *recordings_create(store *disk, uint64_t bytes_max);
// Stores what waits, and ends the thread. Harmless to call twice.
void recordings_stop(recordings *all);
void recordings_destroy(recordings *all); // NULL is harmless

typedef struct recorded_instance {
    const char *name;
    instance_state *state; // borrowed
} recorded_instance;

// A question that has been answered. Its request has a route with a query.
typedef struct recorded_question {
    const request *request;
    const reply *answer;
    uint32_t version;                   // 0: it was not found
    const recorded_instance *instances; // in order of name, each once
    uint32_t instance_count;
    bool timed; // a deadline counted
    uint64_t duration_ns;
} recorded_question;

// Keeps it before it returns: NAV_OK is on disk. Errors: those of recording_check_version and of
// store_recording_insert, NAV_NO_MEMORY. Thread: any.
nav_status recordings_keep(recordings *all, const recorded_question *question,
                           char id[HTTP_RECORDING_BYTES], nav_error *err);
// The limit given to create; with 0 slow and failed questions are not kept either. NULL: 0.
uint64_t recordings_bytes_max(const recordings *all);
// Gives it to the recorder, which waits for the disk; drops it where too many wait. Thread: any.
void recordings_offer(recordings *all, store_cause cause, const recorded_question *question);

// Bytes that a recording's file may have unpacked, with its version; and the error of a larger one.
uint64_t recording_file_bytes_max(const service *s);
nav_status recording_fail_large(const service *s, nav_error *err);
// How many bytes the version alone has, unpacked. PROTO_NOT_EXPORTABLE where that is more; those of
// store_recorded_bytes.
nav_status recording_check_version(const service *s, const char *mesh, uint32_t version,
                                   uint64_t *bytes, nav_error *err);

// ---- calls.c ----

route_handler handle_recording_list, handle_recording_post, handle_recording_get,
    handle_recording_delete;
