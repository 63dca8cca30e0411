// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// tile.h: between tiles.c, which has all tiles of a version, and tile.c, which makes
// one. Private to them.

#pragma once

#include "proto/detour/detour.h"
#include "server/jobs/bake/commit.h"
#include "server/jobs/bake/tiles.h"

#include <pthread.h>

// Bytes that the arenas of all lanes hold together.
typedef struct job_budget {
    uint64_t limit_bytes; // 0: none
    _Atomic uint64_t held_bytes;
    atomic_bool *exhausted; // the system had no more
} job_budget;

// The state and result of one agent's tile. Belongs to the lane that bakes it, until it is done.
typedef struct job_slot {
    bool taken; // from the store
    nav_blob blob;
    store_tile tile;
    nav_bake_report *report; // malloc'ed; NULL once added up
    uint8_t steps;           // stages counted in job.steps
    bool done;               // guarded by the lock
    bool deferred;           // guarded by the lock: needs more memory than the others leave
} job_slot;

typedef struct job_lane {
    job_tiles *tiles;
    nav_arena scratch, result;
    uint32_t at;                    // the tile in work
    uint32_t baked[NAV_ALL_AGENTS]; // agents whose tiles are baked, not taken
    uint32_t agent;                 // the one in work
} job_lane;

_Static_assert(NAV_STAGE_COUNT <= UINT8_MAX, "job_slot.steps counts stages");

struct job_tiles {
    job_tiles_input input;
    job *owner;
    uint32_t count, agent_count;
    nav_config configs[NAV_ALL_AGENTS]; // by agent
    nav_grid grids[NAV_ALL_AGENTS];
    job_budget scratch, result;
    atomic_bool exhausted;  // of both budgets
    job_slot *slots;        // count * agent_count: those of a tile side by side
    job_lane *lanes;        // one a worker
    bool alone;             // one tile in work at a time
    _Atomic uint32_t first; // first tile that failed; NAV_NONE
    _Atomic uint64_t pack_ns;
    pthread_mutex_t lock; // of tiles.c alone
    uint32_t summed;      // guarded by lock: tiles whose reports are in the output
    nav_error why;        // guarded by lock: of the first tile that failed
    job_commit *commit;
    job_tiles_output output;
    job_agent_tiles *agents; // agent_count, the output's
    nav_blob *blobs;         // of all agents
    store_tile *tiles;       // likewise
    store_tile *rest;        // output.rest_count
};

static inline job_slot *job_slot_of(const job_tiles *t, uint32_t tile, uint32_t agent)
{
    NAV_ASSERT(tile < t->count && agent < t->agent_count);
    return &t->slots[(size_t)tile * t->agent_count + agent];
}

// The place of a tile, by its number: the store's order of tiles is that of numbers.
static inline void job_tile_place(const job_tiles *t, uint32_t tile, uint32_t *x, uint32_t *z)
{
    NAV_ASSERT(tile < t->count);
    if (t->input.import != NULL) {
        proto_detour_place(t->input.import, tile, x, z);
    } else {
        *x = tile % t->input.grid->tiles_x;
        *z = tile / t->input.grid->tiles_x;
    }
}

// An arena that draws on a budget, with a limit of its own (0: none).
void job_tile_init_arena(nav_arena *arena, job_budget *from, uint64_t limit_bytes);
// Whether the lane's tile is to end early: the job is cancelled or out of time, or an earlier tile
// has failed. A hook of the library; user is the lane.
bool job_tile_is_given_up(void *user);
// Counts the stages before this one, unless an earlier try has.
void job_tile_count_steps(job_tiles *t, job_slot *slot, uint32_t behind);
// Fills the tile's slots: from the store, or baked; a tile that no triangle reaches is neither.
// Errors: those of the library and of the store.
nav_status job_tile_make(job_tiles *t, job_lane *l, uint32_t tile, nav_error *err);
// Turns the library's status into that of a bake with budgets.
nav_status job_tile_judge(const job_tiles *t, uint32_t tile, nav_status status, nav_error *err);
