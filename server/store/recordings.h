// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// recordings.h: questions that were kept with their answers. One that somebody asked for pins its
// version; those that made themselves go with it. Errors as in store.h, and those that a function
// names. Thread: any.

#pragma once

#include "proto/requests/requests.h"
#include "server/store/store.h"

// Why a question was kept. The last two made themselves, and go when there is no room.
typedef enum store_cause {
    STORE_CAUSE_ASKED,
    STORE_CAUSE_SLOW,
    STORE_CAUSE_FAILED,
    STORE_CAUSE_COUNT,
} store_cause;

const char *store_cause_word(store_cause cause); // "asked", "slow", "failed"

#define STORE_RECORDING_ID_BYTES 27 // 26 letters and digits, in the order of time, and a zero
#define STORE_KIND_BYTES 16         // "path" and its like

// A row. Texts that are damaged are "", and numbers 0.
typedef struct store_recording {
    char id[STORE_RECORDING_ID_BYTES];
    char mesh[LIMIT_MESH_NAME + 1];
    uint32_t version;
    store_cause cause;
    char name[PROTO_RECORDING_NAME_MAX + 1]; // "": none
    char created_at[CLOCK_TEXT_BYTES];
    char kind[STORE_KIND_BYTES];
    uint32_t status; // of HTTP
    double ms;
    uint64_t bytes; // that it counts for; insert fills it in
    // All but the version (server/recordings/bundle.h): borrowed by insert; malloc'ed by get, NULL
    // by list.
    void *bundle;
    size_t bundle_bytes;
} store_recording;

// All of them may have so many bytes together, from here on. Surplus ones that made themselves are
// deleted.
nav_status store_recordings_limit(store *disk, uint64_t bytes_max, nav_error *err);

// The oldest that made themselves are deleted where there is no room. PROTO_VERSION_NOT_FOUND where
// the version has just gone; PROTO_RECORDINGS_FULL, and nothing is deleted.
nav_status store_recording_insert(store *disk, store_recording *recording, nav_error *err);
// PROTO_RECORDING_NOT_FOUND.
nav_status store_recording_get(store *disk, const char *id, store_recording *out, nav_error *err);
// PROTO_RECORDING_NOT_FOUND.
nav_status store_recording_delete(store *disk, const char *id, nav_error *err);

typedef struct store_recordings {
    store_recording *items; // malloc'ed, newest first
    size_t count;
    bool more;              // there are older ones
    uint64_t bytes, number; // of all
} store_recordings;

// Up to `limit` of those older than `after` (NULL: of all).
nav_status store_recordings_list(store *disk, const char *after, uint32_t limit,
                                 store_recordings *out, nav_error *err);

// How many bytes of its version a recording needs, unpacked, as a bundle has it: an estimate that
// is not below. PROTO_VERSION_NOT_FOUND.
nav_status store_recorded_bytes(store *disk, const char *mesh, uint32_t version, uint64_t *bytes,
                                nav_error *err);
