// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// table.h: instances in order of mesh and name, with what they take and when the next one expires.
// It has no lock: whoever owns it lets one thread at a time in.

#pragma once

#include "server/instances/state.h"

// The event that listeners get of a row that waits in the outbox (outbox.h).
typedef struct instance_event {
    const char *name;          // NULL: nothing
    uint32_t born;             // the revision with which the instance began
    uint32_t version;          // that is live; of the event "version"
    const char *reason;        // of the event "removed"
    char *data_json;           // of all others; the row's own
    struct instance_row *next; // that waits
} instance_event;

typedef struct instance_row {
    _Atomic uint32_t references;
    instance_state *state;     // counted; NULL: none yet
    instance_world *world;     // counted, of that state; NULL: none
    const char *name;          // in the block behind mesh
    struct instance_row *next; // of those that were taken out together
    instance_event event;
    char mesh[];
} instance_row;

// With one reference; NULL without memory.
instance_row *instance_row_create(const char *mesh, const char *name);
instance_row *instance_row_acquire(instance_row *row);
// The last one frees it, with its references to state and world; not while it is in a table. NULL
// is harmless.
void instance_row_release(instance_row *row);
size_t instance_row_bytes(const instance_row *row);

typedef struct instance_table {
    instance_row **rows; // in order of mesh and name
    size_t count, capacity;
    uint64_t bytes;          // of rows, states and worlds
    uint32_t gone_revision;  // the highest of those that were taken out; a new one begins above it
    uint64_t next_expiry_ns; // no row expires before
} instance_table;

void instance_table_init(instance_table *t);
void instance_table_free(instance_table *t); // the list: what rows are left, the caller has freed

// The index of the first row that is not before this one.
size_t instance_table_find(const instance_table *t, const char *mesh, const char *name);
// Whether it has expired or not; NULL: there is none.
instance_row *instance_table_row(const instance_table *t, const char *mesh, const char *name);

// The table takes the row over, which has no state yet. Errors: NAV_NO_MEMORY.
nav_status instance_table_add(instance_table *t, instance_row *row, nav_error *err);
// Another state and world, whose references the row takes over; those before are the caller's.
void instance_table_change(instance_table *t, instance_row *row, instance_state *state,
                           instance_world *world);
// The row is the caller's then.
void instance_table_remove(instance_table *t, const instance_row *row);

// Takes out all of a mesh, or with mesh NULL all that have expired. They are the caller's then, one
// behind the other in their order; NULL: there were none.
instance_row *instance_table_take(instance_table *t, const char *mesh, uint64_t now_ns);
