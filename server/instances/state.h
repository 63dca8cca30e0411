// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// state.h: one revision of an instance, and that revision over a mesh. Both never change once made,
// and are counted: a question that has one is not hurried by an update.

#pragma once

#include "proto/requests/instances.h"

#include <stdatomic.h>

// One block of memory, lists and texts included.
typedef struct instance_state {
    _Atomic uint32_t references;
    uint32_t revision;
    uint32_t born;       // the revision with which the instance began
    uint32_t version;    // that it is pinned to; 0: it follows the live one
    double expires_in_s; // 0: never
    uint64_t expires_ns; // of clock_now_ns; UINT64_MAX: never
    size_t size_bytes;
    proto_state content;
} instance_state;

typedef struct instance_update {
    const proto_instance_request *change;
    bool replaces; // PUT: nothing of the state before is left but the count of its revisions
    uint32_t gone_revision; // of the instances that have gone: with no state before, it counts on
    uint64_t now_ns;
    uint64_t bytes_max; // of the new state
} instance_update;

// The next state; `before` may be NULL. Parts that the change removes, but that are not there, are
// listed in *missing, whose lists come from memory. Errors: NAV_INVALID_FIELD (too many parts of a
// kind, or more bytes than allowed), NAV_NO_MEMORY.
nav_status instance_state_make(const instance_state *before, const instance_update *update,
                               nav_arena *memory, proto_state *missing, instance_state **out,
                               nav_error *err);
instance_state *instance_state_acquire(instance_state *state);
void instance_state_release(instance_state *state); // NULL is harmless

typedef struct instance_world {
    _Atomic uint32_t references;
    instance_state *state; // counted, likewise mesh
    nav_mesh *mesh;
    uint32_t version; // of the mesh
    proto_world placed;
    proto_world *agents; // by further agent of the mesh, the same over its own
    bool shapes_refused; // too many pieces: none of the obstacles counts, for no agent
    nav_arena memory;    // of the lists of all
} instance_world;

// The world over the mesh of an agent of this number (0: default).
static inline const proto_world *instance_world_of(const instance_world *world, uint32_t agent)
{
    NAV_ASSERT(agent <= nav_mesh_agent_count(world->mesh));
    return agent == 0 ? &world->placed : &world->agents[agent - 1];
}

// The ground that a world is placed over. last: NULL, or a world that has much in common with it;
// scratch: memory to work in.
typedef struct instance_ground {
    nav_mesh *mesh;
    uint32_t version;
    const instance_world *last;
    nav_scratch *scratch;
    bool keeps_misfits; // obstacles that cut it into too many pieces are left out, not an error
} instance_ground;

// Lays a state over a mesh; takes references of its own. Errors: NAV_NO_MEMORY, NAV_INVALID_FIELD
// (at = "obstacles": they would cut the ground into too many pieces).
nav_status instance_world_make(instance_state *state, const instance_ground *ground,
                               instance_world **out, nav_error *err);
instance_world *instance_world_acquire(instance_world *world);
void instance_world_release(instance_world *world); // NULL is harmless
// Without the mesh, which others share.
size_t instance_world_bytes(const instance_world *world);
