// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// instances.h: all instances of all meshes, by name, each with the state that is current and that
// state over a mesh. Readers acquire, ask and release; an update makes the next state beside the
// old one and swaps a pointer. Nothing of this outlives the process.

#pragma once

#include "server/base/events.h"
#include "server/instances/pins.h"
#include "server/instances/state.h"

typedef struct instances instances;

typedef struct instances_limits {
    uint32_t count_max;
    uint64_t bytes_max; // of all of them, without their meshes
} instances_limits;

// Begins the thread that takes away what has expired. Listeners to an instance hear of it as
// "mesh/instance", with the revision that it began with (events.h). NULL without memory or thread.
instances *instances_create(const instances_limits *limits, pins *held, events *to);
// Ends the thread. Harmless to call twice.
void instances_stop(instances *all);
void instances_destroy(instances *all); // NULL is harmless

// Thread of all below: any.
// The current state of an instance and, if that was placed over a mesh already, its world; both
// counted for the caller, for instance_release.
typedef struct instance {
    instance_state *state;
    instance_world *world; // of that state; NULL: none yet
} instance;

// all NULL: there are none. Errors: PROTO_INSTANCE_NOT_FOUND; *out is zeroed then.
nav_status instances_acquire(instances *all, const char *mesh, const char *name, instance *out,
                             nav_error *err);
void instance_release(instance *at);

// Keeps a world for whoever asks next, if its state is still current and nothing newer is kept.
void instances_keep_world(instances *all, const char *mesh, const char *name,
                          instance_world *world);

// Takes that world away again, if it is the one that is kept.
void instances_drop_world(instances *all, const char *mesh, const char *name,
                          const instance_world *world);

// The next state of an instance, in place of the one that it was made from.
typedef struct instance_swap {
    const char *mesh, *name;
    const instance_state *before; // NULL: there was no such instance
    instance_state *state;
    instance_world *world;
    const char *event;
    const char *data_json; // NULL: nobody listened
} instance_swap;

// Takes references of its own, and on success the caller's pin of state->version. *swapped is false
// where another update came first, or a listener without data for it: then nothing has changed,
// and the caller begins anew. Errors: PROTO_TOO_MANY_INSTANCES, NAV_NO_MEMORY.
nav_status instances_swap(instances *all, const instance_swap *swap, bool *swapped, nav_error *err);

// revision 0: whatever it is. Errors: PROTO_INSTANCE_NOT_FOUND, PROTO_STALE_ETAG.
nav_status instances_remove(instances *all, const char *mesh, const char *name, uint32_t revision,
                            nav_error *err);
// All of a mesh that was removed.
void instances_clear(instances *all, const char *mesh);
// Another version of the mesh is live: what follows it lets go of the old one. all may be NULL.
void instances_live_changed(instances *all, const char *mesh, uint32_t version);

// The highest revision of all instances that have gone. One that is made anew begins above it, so
// that no name has a revision twice for as long as the process lives.
uint32_t instances_gone_revision(instances *all);

typedef struct instance_entry {
    char name[LIMIT_MESH_NAME + 1];
    instance_state *state; // counted
    uint32_t version;      // that it is placed over; 0: over none at present
} instance_entry;

// Up to `limit` instances of a mesh in order of name, the first behind `after` (NULL: of all).
// *more: there are others behind them. The entries' states are to be released.
uint32_t instances_list(instances *all, const char *mesh, const char *after, uint32_t limit,
                        instance_entry *out, bool *more);

typedef struct instances_use {
    uint32_t count, count_max;
    uint64_t bytes;
    uint64_t swaps, removals, expiries; // since the start
} instances_use;

instances_use instances_used(instances *all);
