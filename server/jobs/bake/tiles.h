// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// tiles.h: bakes the tiles of one version on all free workers, or takes them from the store if it
// has them. The result depends neither on the number of workers nor on their timing.

#pragma once

#include "server/jobs/job_events.h"
#include "server/jobs/jobs.h"
#include "server/store/store.h"

typedef struct proto_detour proto_detour; // proto/detour/detour.h

typedef struct job_tiles_input {
    const nav_geometry *geometry;
    const proto_detour *import;  // in place of geometry and index: its tiles; or NULL
    const nav_config *config;    // whose agents are baked with the default one
    const nav_grid *grid;        // of the default one
    const nav_tile_index *index; // of the widest grid; NULL: every triangle is read
    store *store;                // NULL: no tile comes from it or goes there on the way
    bool reuse;                  // else only tiles that this very version has finished before
    bool hold;                   // none goes to the store on the way
    uint64_t memory_bytes;       // budget of all tiles in work together; 0: none
    uint64_t deadline_ns;        // of clock_now_ns; 0: none
    uint32_t workers;
    job_events *events; // publishes stages and tiles; NULL: none
} job_tiles_input;

typedef struct job_tiles job_tiles;

// An agent's tiles with something in them, in order of z, x: blobs[i] is tiles[i], unpacked. Blocks
// of tiles that are in the store already are gone.
typedef struct job_agent_tiles {
    const nav_blob *blobs;
    const store_tile *tiles;
    uint32_t count;
    nav_bake_report report; // of all its tiles, in their order
} job_agent_tiles;

typedef struct job_tiles_output {
    const job_agent_tiles *agents; // the default one, and those of the settings in their order
    uint32_t agent_count;
    const store_tile *rest; // those to be stored, of all agents, empty ones included
    size_t rest_count;
    uint64_t pack_ns; // of all workers together
} job_tiles_output;

// Errors: NAV_NO_MEMORY, and none else. The input is borrowed until job_tiles_destroy.
nav_status job_tiles_create(const job_tiles_input *input, job *owner, job_tiles **out,
                            nav_error *err);
// On the owner's worker. Bakes, names and packs. Errors: NAV_CANCELLED, NAV_NO_MEMORY,
// NAV_TILE_TOO_COMPLEX with the tile where a budget is passed; of several tiles the first one's.
nav_status job_tiles_run(job_tiles *t, jobs *j, nav_error *err);
// After a run that went well. Lives as long as t.
const job_tiles_output *job_tiles_result(const job_tiles *t);
void job_tiles_destroy(job_tiles *t); // NULL is harmless
