// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// tile.c: one tile of a version, on the lane of one worker: taken from the store, or baked,
// named and packed, within the budgets that all lanes share.

#include "server/jobs/bake/tile.h"

#include "server/base/pack.h"

#include <stdlib.h>
#include <string.h>

// ---- memory ----

static void *budget_alloc(void *user, size_t size_bytes)
{
    job_budget *b = user;
    uint64_t before_bytes = atomic_fetch_add(&b->held_bytes, size_bytes);
    if (b->limit_bytes != 0 &&
        (before_bytes > b->limit_bytes || size_bytes > b->limit_bytes - before_bytes)) {
        atomic_fetch_sub(&b->held_bytes, size_bytes);
        return NULL;
    }
    void *block = malloc(size_bytes);
    if (block == NULL) {
        atomic_fetch_sub(&b->held_bytes, size_bytes);
        atomic_store(b->exhausted, true);
    }
    return block;
}

static void budget_free(void *user, void *block, size_t size_bytes)
{
    job_budget *b = user;
    free(block);
    const uint64_t held_bytes = atomic_fetch_sub(&b->held_bytes, size_bytes);
    NAV_ASSERT(held_bytes >= size_bytes);
}

void job_tile_init_arena(nav_arena *arena, job_budget *from, uint64_t limit_bytes)
{
    const nav_allocator allocator = {.alloc = budget_alloc, .free = budget_free, .user = from};
    nav_arena_init(arena, &allocator, (size_t)limit_bytes);
}

// Each tile begins with an empty arena, so that the peak it reports is its own. The arena's limit
// lets it take exactly what is there, where the budget would only refuse a block.
static void renew_scratch(job_lane *l)
{
    nav_arena_free(&l->scratch);
    job_tile_init_arena(&l->scratch, &l->tiles->scratch, l->tiles->scratch.limit_bytes);
}

// ---- hooks: how the library asks and reports while it bakes ----

static uint64_t hook_now_ns(void *user)
{
    (void)user;
    return clock_now_ns();
}

static bool out_of_time(const job_tiles *t)
{
    return t->input.deadline_ns != 0 && clock_now_ns() > t->input.deadline_ns;
}

bool job_tile_is_given_up(void *user)
{
    const job_lane *l = user;
    const job_tiles *t = l->tiles;
    return atomic_load_explicit(&t->owner->cancelled, memory_order_relaxed) ||
           l->at > atomic_load_explicit(&t->first, memory_order_relaxed) || out_of_time(t);
}

void job_tile_count_steps(job_tiles *t, job_slot *s, uint32_t behind)
{
    NAV_ASSERT(behind <= NAV_STAGE_COUNT);
    if (behind > s->steps) {
        atomic_fetch_add(&t->owner->steps, behind - s->steps);
        s->steps = (uint8_t)behind;
    }
}

static void hook_stage(void *user, nav_stage stage)
{
    const job_lane *l = user;
    job_tile_count_steps(l->tiles, job_slot_of(l->tiles, l->at, l->agent), (uint32_t)stage);
    atomic_store_explicit(&l->tiles->owner->stage, (uint32_t)stage, memory_order_relaxed);
    if (l->tiles->input.events != NULL) {
        job_events_stage(l->tiles->input.events, l->at, (uint32_t)stage);
    }
}

static void hook_agent(void *user, uint32_t agent)
{
    job_lane *l = user;
    l->agent = l->baked[agent];
}

// A slot's contents are given back with all slots, which gcc's analyser loses sight of.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wanalyzer-malloc-leak"
#endif

// ---- one tile ----

// A budget that the library does not know of has run out.
static nav_status fail_complex(const job_tiles *t, uint32_t tile, nav_error *err)
{
    uint32_t x, z;
    job_tile_place(t, tile, &x, &z);
    if (out_of_time(t)) {
        nav_fail(err, NAV_TILE_TOO_COMPLEX,
                 "the bake had come to tile %u, %u when its time was over", x, z);
    } else {
        nav_fail(err, NAV_TILE_TOO_COMPLEX,
                 "the tiles up to %u, %u together take more memory than a bake may use", x, z);
        nav_error_limit(err, "%llu bytes", (unsigned long long)t->input.memory_bytes);
    }
    nav_error_at(err, "tile %u,%u", x, z);
    return NAV_TILE_TOO_COMPLEX;
}

nav_status job_tile_judge(const job_tiles *t, uint32_t tile, nav_status status, nav_error *err)
{
    bool no_space = status == NAV_NO_MEMORY && !atomic_load(&t->exhausted);
    if (atomic_load(&t->owner->cancelled)) {
        return nav_fail(err, NAV_CANCELLED, "cancelled");
    }
    if (no_space || (status == NAV_CANCELLED && out_of_time(t))) {
        return fail_complex(t, tile, err);
    }
    return status;
}

static nav_status no_memory(job_tiles *t, nav_error *err)
{
    atomic_store(&t->exhausted, true);
    return nav_fail(err, NAV_NO_MEMORY, "no memory to keep a tile");
}

// Keeps what the tile's bake reported beside the tile.
static nav_status pack_report(job_tiles *t, job_slot *s, nav_error *err)
{
    uint8_t bytes[NAV_BAKE_REPORT_BYTES_MAX];
    const size_t size_bytes = nav_bake_report_pack(s->report, bytes);
    NAV_ASSERT(size_bytes > 0 && size_bytes <= sizeof bytes);
    void *packed = malloc(size_bytes);
    if (packed == NULL) {
        return no_memory(t, err);
    }
    memcpy(packed, bytes, size_bytes);
    s->tile.report = packed;
    s->tile.report_bytes = size_bytes;
    return NAV_OK;
}

// Names, packs and keeps a blob; without polygons there is none.
static nav_status keep_tile(job_tiles *t, job_slot *s, nav_blob blob, const nav_bake_hooks *hooks,
                            nav_error *err)
{
    uint64_t began_ns = clock_now_ns();
    nav_status status = pack_report(t, s, err);
    if (status != NAV_OK || blob.size_bytes == 0) {
        return status;
    }
    nav_sha256_of(blob.bytes, blob.size_bytes, s->tile.hash);
    status = pack_compress_until(blob.bytes, blob.size_bytes, hooks, &s->tile.packed,
                                 &s->tile.packed_bytes, err);
    if (status != NAV_OK) {
        return status == NAV_CANCELLED ? status : no_memory(t, err);
    }
    store_tile_hash_packed(&s->tile);
    NAV_ASSERT(s->tile.packed != NULL && s->tile.packed_bytes > 0);
    s->blob = blob;
    s->tile.bytes = blob.size_bytes;
    atomic_fetch_add(&t->pack_ns, clock_now_ns() - began_ns);
    return NAV_OK;
}

// Searches the store for an agent's tile. Without memory for its key it is baked; the bake also
// reports where the key was given up.
static nav_status take_tile(job_tiles *t, job_lane *l, uint32_t tile, uint32_t agent)
{
    const job_tiles_input *in = &t->input;
    job_slot *s = job_slot_of(t, tile, agent);
    if (in->store == NULL) {
        return NAV_OK;
    }
    const nav_bake_hooks hooks = {.user = l, .cancelled = job_tile_is_given_up};
    renew_scratch(l);
    s->tile.has_key = nav_tile_key(in->geometry, &t->configs[agent], &t->grids[agent], in->index,
                                   tile % in->grid->tiles_x, tile / in->grid->tiles_x, &hooks,
                                   &l->scratch, s->tile.key) == NAV_OK;
    nav_arena_free(&l->scratch);
    if (!s->tile.has_key) {
        return NAV_OK;
    }
    uint64_t began_ns = clock_now_ns();
    nav_status status = job_commit_take(in->store, t->owner, !in->reuse, &l->result, &s->tile,
                                        &s->blob, s->report, &s->taken);
    atomic_fetch_add(&t->pack_ns, clock_now_ns() - began_ns);
    if (s->taken) {
        atomic_fetch_add(&t->owner->tiles_reused, 1);
    }
    return status;
}

// Bakes the agents' tiles that were not taken, together.
static nav_status bake_tiles(job_tiles *t, job_lane *l, uint32_t tile, uint32_t count,
                             nav_error *err)
{
    const job_tiles_input *in = &t->input;
    const nav_bake_hooks hooks = {.user = l,
                                  .now_ns = hook_now_ns,
                                  .cancelled = job_tile_is_given_up,
                                  .stage = hook_stage,
                                  .agent = hook_agent};
    nav_bake_agent agents[NAV_ALL_AGENTS];
    nav_arena_mark mark = nav_arena_save(&l->result);
    renew_scratch(l);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t agent = l->baked[i];
        agents[i] = (nav_bake_agent){.config = t->configs[agent],
                                     .grid = t->grids[agent],
                                     .report = job_slot_of(t, tile, agent)->report};
    }
    nav_status status =
        nav_bake_tile_agents(in->geometry, agents, count, in->index, tile % in->grid->tiles_x,
                             tile / in->grid->tiles_x, &hooks, &l->scratch, &l->result, err);
    nav_arena_free(&l->scratch);
    for (uint32_t i = 0; status == NAV_OK && i < count; i++) {
        status = keep_tile(t, job_slot_of(t, tile, l->baked[i]), agents[i].blob, &hooks, err);
    }
    if (status != NAV_OK) {
        nav_arena_restore(&l->result, mark);
    }
    return status;
}

// A tile that needs no bake has no key, and is made again where it is needed again.
static nav_status import_tile(job_tiles *t, job_lane *l, uint32_t tile, nav_error *err)
{
    const nav_bake_hooks hooks = {.user = l, .cancelled = job_tile_is_given_up};
    job_slot *s = job_slot_of(t, tile, 0);
    const nav_arena_mark mark = nav_arena_save(&l->result);
    nav_blob blob = {0};
    renew_scratch(l);
    nav_status status = proto_detour_tile(t->input.import, tile, t->input.config, &hooks,
                                          &l->scratch, &l->result, &blob, s->report, err);
    nav_arena_free(&l->scratch);
    NAV_IF_OK(status, keep_tile(t, s, blob, &hooks, err));
    if (status != NAV_OK) {
        nav_arena_restore(&l->result, mark);
    }
    return status;
}

// Empties a slot, whatever an earlier try has left there; what was taken stays.
static nav_status begin_slot(job_tiles *t, uint32_t tile, uint32_t agent, nav_error *err)
{
    job_slot *s = job_slot_of(t, tile, agent);
    NAV_ASSERT(!s->done && !s->taken);
    if (s->report == NULL) {
        s->report = malloc(sizeof *s->report);
    }
    if (s->report == NULL) {
        return no_memory(t, err);
    }
    *s->report = (nav_bake_report){0};
    store_tile_empty(&s->tile);
    s->blob = (nav_blob){0};
    s->tile = (store_tile){.agent = agent};
    job_tile_place(t, tile, &s->tile.x, &s->tile.z);
    return NAV_OK;
}

nav_status job_tile_make(job_tiles *t, job_lane *l, uint32_t tile, nav_error *err)
{
    const job_tiles_input *in = &t->input;
    NAV_ASSERT(tile < t->count && l->at == tile && l->tiles == t);
    if (in->import != NULL) {
        nav_status status = begin_slot(t, tile, 0, err);
        return status == NAV_OK ? import_tile(t, l, tile, err) : status;
    }
    const bool empty = in->index != NULL && in->index->first[tile] == in->index->first[tile + 1];
    nav_status status = NAV_OK;
    uint32_t count = 0;
    for (uint32_t agent = 0; status == NAV_OK && agent < t->agent_count; agent++) {
        const job_slot *s = job_slot_of(t, tile, agent);
        status = s->taken ? NAV_OK : begin_slot(t, tile, agent, err);
        if (status == NAV_OK && !empty && !s->taken) {
            status = take_tile(t, l, tile, agent);
        }
        if (!s->taken) {
            l->baked[count++] = agent;
        }
    }
    return status == NAV_OK && !empty && count > 0 ? bake_tiles(t, l, tile, count, err) : status;
}
