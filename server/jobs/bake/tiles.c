// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// tiles.c: the tiles of one version, for all its agents, on several workers:
//
//   jobs_share --tile--> lane of the worker: key; take, or bake, name, pack --> slot of the tile
//                                     store, now and then <-- commit.c <--'    '--> output, in
//                                                                                   order of tiles
//
// Each worker has a lane, whose arenas no other touches; each tile has a slot for each agent;
// tile.c fills those of one tile. Timing decides which lane bakes a tile, never what comes of it:
//
//  - Reports are added up in order of tiles, since sums of fractions depend on their order.
//  - All lanes draw on one budget. A tile that finds too little left while others are in work is
//    deferred and baked once more, alone, when they have ended. Only a tile that needs more than
//    all of it is too complex.
//  - When a tile fails, those after it are given up, and those before it are finished: the first
//    tile that fails is the one that is reported.

#include "server/jobs/bake/tiles.h"

#include "server/base/lock.h"
#include "server/jobs/bake/tile.h"

#include <stdlib.h>

nav_status job_tiles_create(const job_tiles_input *input, job *owner, job_tiles **out,
                            nav_error *err)
{
    const uint64_t count = (uint64_t)input->grid->tiles_x * input->grid->tiles_z;
    const uint32_t agents = input->config->agent_count + 1;
    job_tiles *t = count * agents < NAV_NONE ? calloc(1, sizeof *t) : NULL;
    if (t == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory for %llu tiles", (unsigned long long)count);
    }
    t->input = *input;
    t->owner = owner;
    t->count = (uint32_t)count;
    t->agent_count = agents;
    for (uint32_t i = 0; i < agents; i++) {
        t->configs[i] = nav_config_of_agent(input->config, i);
        t->grids[i] = nav_grid_of_agent(input->grid, input->config, i);
    }
    t->scratch.limit_bytes = t->result.limit_bytes = input->memory_bytes;
    t->scratch.exhausted = t->result.exhausted = &t->exhausted;
    t->alone = count == 1 || input->workers == 1;
    t->slots = calloc((size_t)count * agents, sizeof *t->slots);
    t->agents = calloc(agents, sizeof *t->agents);
    t->lanes = calloc(input->workers, sizeof *t->lanes);
    t->commit = job_commit_create(input->hold ? NULL : input->store, owner, t->count * agents);
    atomic_init(&t->first, NAV_NONE);
    (void)pthread_mutex_init(&t->lock, NULL);
    if (t->slots == NULL || t->agents == NULL || t->lanes == NULL || t->commit == NULL) {
        job_tiles_destroy(t);
        return nav_fail(err, NAV_NO_MEMORY, "no memory for %llu tiles", (unsigned long long)count);
    }
    for (uint32_t i = 0; i < input->workers; i++) {
        t->lanes[i].tiles = t;
        job_tile_init_arena(&t->lanes[i].result, &t->result, 0);
    }
    atomic_store(&owner->tiles_total, t->count * agents);
    *out = t;
    return NAV_OK;
}

void job_tiles_destroy(job_tiles *t)
{
    if (t == NULL) {
        return;
    }
    for (uint32_t i = 0; t->lanes != NULL && i < t->input.workers; i++) {
        nav_arena_free(&t->lanes[i].scratch);
        nav_arena_free(&t->lanes[i].result);
    }
    for (size_t i = 0; t->slots != NULL && i < (size_t)t->count * t->agent_count; i++) {
        free(t->slots[i].report);
        store_tile_empty(&t->slots[i].tile);
    }
    job_commit_destroy(t->commit);
    (void)pthread_mutex_destroy(&t->lock);
    free(t->rest);
    free(t->blobs);
    free(t->tiles);
    free(t->lanes);
    free(t->agents);
    free(t->slots);
    free(t);
}

// ---- a tile ends ----

// Adds up the reports that are there without a gap.
static void sum_reports_locked(job_tiles *t)
{
    NAV_ASSERT(lock_is_held(&t->lock));
    for (; t->summed < t->count && job_slot_of(t, t->summed, 0)->done; t->summed++) {
        for (uint32_t agent = 0; agent < t->agent_count; agent++) {
            job_slot *s = job_slot_of(t, t->summed, agent);
            nav_bake_report_add(&t->agents[agent].report, s->report);
            free(s->report);
            s->report = NULL;
        }
    }
}

static void record(job_tiles *t, uint32_t tile, nav_status status, const nav_error *err)
{
    (void)pthread_mutex_lock(&t->lock);
    NAV_ASSERT(!job_slot_of(t, tile, 0)->done);
    if (status == NAV_OK) {
        job_slot_of(t, tile, 0)->done = true;
        sum_reports_locked(t);
    } else if (tile < atomic_load(&t->first)) {
        t->why = *err;
        t->why.status = status;
        atomic_store(&t->first, tile);
    }
    (void)pthread_mutex_unlock(&t->lock);
    if (status == NAV_OK) {
        for (uint32_t agent = 0; agent < t->agent_count; agent++) {
            job_slot *s = job_slot_of(t, tile, agent);
            job_tile_count_steps(t, s, NAV_STAGE_COUNT);
            if (s->tile.report != NULL) {
                job_commit_add(t->commit, &s->tile);
            }
        }
        atomic_fetch_add(&t->owner->tiles_done, t->agent_count);
        if (t->input.events != NULL) {
            job_events_tile(t->input.events);
        }
    }
}

static void bake_item(void *user, uint32_t tile, uint32_t worker)
{
    job_tiles *t = user;
    NAV_ASSERT(tile < t->count && worker < t->input.workers);
    job_lane *l = &t->lanes[worker];
    nav_error err = {0};
    l->at = tile;
    nav_status status = job_tile_is_given_up(l) ? NAV_CANCELLED : job_tile_make(t, l, tile, &err);
    if (status == NAV_NO_MEMORY && !t->alone) {
        (void)pthread_mutex_lock(&t->lock);
        job_slot_of(t, tile, 0)->deferred = true;
        (void)pthread_mutex_unlock(&t->lock);
        return;
    }
    record(t, tile, status == NAV_OK ? NAV_OK : job_tile_judge(t, tile, status, &err), &err);
}

// ---- all tiles ----

// Lists an agent's tiles behind those of the agents before; returns how many there are by then.
static uint32_t collect_agent(job_tiles *t, uint32_t agent, uint32_t to)
{
    job_agent_tiles *own = &t->agents[agent];
    own->blobs = t->blobs + to;
    own->tiles = t->tiles + to;
    for (uint32_t i = 0; i < t->count; i++) {
        const job_slot *s = job_slot_of(t, i, agent);
        if (s->blob.size_bytes > 0) {
            t->blobs[to] = s->blob;
            t->tiles[to++] = s->tile;
            own->count++;
        }
    }
    return to;
}

static nav_status collect(job_tiles *t, nav_error *err)
{
    const size_t slots = (size_t)t->count * t->agent_count;
    uint32_t count = 0;
    NAV_ASSERT(t->summed == t->count); // all tiles are done
    for (size_t i = 0; i < slots; i++) {
        count += t->slots[i].blob.size_bytes > 0;
    }
    t->blobs = calloc((size_t)count + 1, sizeof *t->blobs);
    t->tiles = calloc((size_t)count + 1, sizeof *t->tiles);
    if (t->blobs == NULL || t->tiles == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory to list the tiles");
    }
    uint32_t listed = 0;
    for (uint32_t agent = 0; agent < t->agent_count; agent++) {
        listed = collect_agent(t, agent, listed);
    }
    NAV_ASSERT(listed == count);
    t->output.agents = t->agents;
    t->output.agent_count = t->agent_count;
    t->output.pack_ns = atomic_load(&t->pack_ns);
    nav_status status = job_commit_rest(t->commit, &t->rest, &t->output.rest_count, err);
    t->output.rest = t->rest;
    return status;
}

nav_status job_tiles_run(job_tiles *t, jobs *j, nav_error *err)
{
    jobs_share(j, t->owner, t->count, bake_item, t);
    // All helpers have ended.
    t->alone = true;
    for (uint32_t i = 0; i < t->count; i++) {
        if (i < atomic_load(&t->first) && job_slot_of(t, i, 0)->deferred) {
            atomic_store(&t->exhausted, false);
            bake_item(t, i, t->owner->worker);
        }
    }
    if (atomic_load(&t->owner->cancelled)) {
        // Only a daemon that stops needs it: the next start goes on from here.
        job_commit_flush(t->commit);
        return nav_fail(err, NAV_CANCELLED, "cancelled");
    }
    if (atomic_load(&t->first) != NAV_NONE) {
        if (err != NULL) {
            *err = t->why;
        }
        return t->why.status;
    }
    return collect(t, err);
}

const job_tiles_output *job_tiles_result(const job_tiles *t)
{
    return &t->output;
}
