// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// job_tiles.c: the tiles of one version, on several workers:
//
//   jobs_share --tile--> lane of the worker: key; take, or bake, name, pack --> slot of the tile
//                                     store, now and then <-- job_commit.c <--'    '--> output, in
//                                                                                   order of tiles
//
// Each worker has a lane, whose arenas no other touches; each tile has a slot. Timing decides which
// lane bakes a tile, never what comes of it:
//
//  - Reports are added up in order of tiles, since sums of fractions depend on their order.
//  - All lanes draw on one budget. A tile that finds too little left while others are in work is
//    set aside and baked once more, alone, when they have ended. Only what needs more than all of
//    it is too complex.
//  - When a tile fails, those after it are given up, and those before it are finished: the first
//    tile that fails is the one that is told.

#include "server/job_tiles.h"

#include "server/job_commit.h"
#include "server/pack.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// Bytes that the arenas of all lanes hold together.
typedef struct budget {
    uint64_t limit_bytes; // 0: none
    _Atomic uint64_t held_bytes;
    atomic_bool *exhausted; // the system had no more
} budget;

// What becomes of one tile. Belongs to the lane that bakes it, until it is done.
typedef struct slot {
    nav_blob blob;
    store_tile tile;
    nav_bake_report *report; // malloc'ed; NULL once added up
    uint8_t steps;           // stages counted in job.steps
    bool done;               // guarded by the lock
    bool aside;              // guarded by the lock: wanted more memory than the others left
} slot;

typedef struct lane {
    job_tiles *tiles;
    nav_arena scratch, result;
    uint32_t at; // the tile in work
} lane;

struct job_tiles {
    job_tiles_input input;
    job *owner;
    uint32_t count;
    budget scratch, result;
    atomic_bool exhausted;  // of both budgets
    slot *slots;            // count
    lane *lanes;            // one a worker
    bool alone;             // one tile in work at a time
    _Atomic uint32_t first; // first tile that failed; NAV_NONE
    _Atomic uint64_t pack_ns;
    pthread_mutex_t lock;
    uint32_t summed; // guarded by lock: slots whose report is in the output
    nav_error why;   // guarded by lock: of the first tile that failed
    job_commit *commit;
    job_tiles_output output;
    nav_blob *blobs;   // output.count
    store_tile *tiles; // output.count
    store_tile *rest;  // output.rest_count
};

// ---- memory ----

static void *budget_alloc(void *user, size_t size_bytes)
{
    budget *b = user;
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
    budget *b = user;
    free(block);
    atomic_fetch_sub(&b->held_bytes, size_bytes);
}

static void init_arena(nav_arena *arena, budget *from, uint64_t limit_bytes)
{
    const nav_allocator allocator = {.alloc = budget_alloc, .free = budget_free, .user = from};
    nav_arena_init(arena, &allocator, (size_t)limit_bytes);
}

// Each tile begins with an empty arena, so that the peak it tells of is its own. The arena's limit
// lets it take exactly what is there, where the budget would only refuse a block.
static void renew_scratch(lane *l)
{
    nav_arena_free(&l->scratch);
    init_arena(&l->scratch, &l->tiles->scratch, l->tiles->scratch.limit_bytes);
}

nav_status job_tiles_create(const job_tiles_input *input, job *owner, job_tiles **out,
                            nav_error *err)
{
    uint64_t count = (uint64_t)input->grid->tiles_x * input->grid->tiles_z;
    job_tiles *t = count < NAV_NONE ? calloc(1, sizeof *t) : NULL;
    if (t == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory for %llu tiles", (unsigned long long)count);
    }
    t->input = *input;
    t->owner = owner;
    t->count = (uint32_t)count;
    t->scratch.limit_bytes = t->result.limit_bytes = input->memory_bytes;
    t->scratch.exhausted = t->result.exhausted = &t->exhausted;
    t->alone = count == 1 || input->workers == 1;
    t->slots = calloc((size_t)count, sizeof *t->slots);
    t->lanes = calloc(input->workers, sizeof *t->lanes);
    t->commit = job_commit_create(input->store, owner, t->count);
    atomic_init(&t->first, NAV_NONE);
    (void)pthread_mutex_init(&t->lock, NULL);
    if (t->slots == NULL || t->lanes == NULL || t->commit == NULL) {
        job_tiles_destroy(t);
        return nav_fail(err, NAV_NO_MEMORY, "no memory for %llu tiles", (unsigned long long)count);
    }
    for (uint32_t i = 0; i < input->workers; i++) {
        t->lanes[i].tiles = t;
        init_arena(&t->lanes[i].result, &t->result, 0);
    }
    atomic_store(&owner->tiles_total, t->count);
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
    for (uint32_t i = 0; t->slots != NULL && i < t->count; i++) {
        free(t->slots[i].report);
        store_tile_empty(&t->slots[i].tile);
    }
    job_commit_destroy(t->commit);
    (void)pthread_mutex_destroy(&t->lock);
    free(t->rest);
    free(t->blobs);
    free(t->tiles);
    free(t->lanes);
    free(t->slots);
    free(t);
}

// ---- hooks: how the library asks and tells while it bakes ----

static uint64_t hook_now_ns(void *user)
{
    (void)user;
    return clock_now_ns();
}

static bool out_of_time(const job_tiles *t)
{
    return t->input.deadline_ns != 0 && clock_now_ns() > t->input.deadline_ns;
}

static bool hook_cancelled(void *user)
{
    const lane *l = user;
    const job_tiles *t = l->tiles;
    return atomic_load_explicit(&t->owner->cancelled, memory_order_relaxed) ||
           l->at > atomic_load_explicit(&t->first, memory_order_relaxed) || out_of_time(t);
}

// Counts the tile's stages before this one, unless an earlier try has.
static void count_steps(job_tiles *t, uint32_t tile, uint32_t behind)
{
    slot *s = &t->slots[tile];
    if (behind > s->steps) {
        atomic_fetch_add(&t->owner->steps, behind - s->steps);
        s->steps = (uint8_t)behind;
    }
}

static void hook_stage(void *user, nav_stage stage)
{
    const lane *l = user;
    count_steps(l->tiles, l->at, (uint32_t)stage);
    atomic_store_explicit(&l->tiles->owner->stage, (uint32_t)stage, memory_order_relaxed);
    if (l->tiles->input.told != NULL) {
        job_events_stage(l->tiles->input.told, l->at, (uint32_t)stage);
    }
}

// ---- one tile ----

// A budget that the library does not know of has run out.
static nav_status fail_complex(const job_tiles *t, uint32_t tile, nav_error *err)
{
    uint32_t x = tile % t->input.grid->tiles_x, z = tile / t->input.grid->tiles_x;
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

// What the library says, in the words of a bake with budgets.
static nav_status judge(const job_tiles *t, uint32_t tile, nav_status status, nav_error *err)
{
    bool no_room = status == NAV_NO_MEMORY && !atomic_load(&t->exhausted);
    if (atomic_load(&t->owner->cancelled)) {
        return nav_fail(err, NAV_CANCELLED, "cancelled");
    }
    if (no_room || (status == NAV_CANCELLED && out_of_time(t))) {
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
static nav_status pack_report(job_tiles *t, slot *s, nav_error *err)
{
    uint8_t bytes[NAV_BAKE_REPORT_BYTES_MAX];
    s->tile.report_bytes = nav_bake_report_pack(s->report, bytes);
    s->tile.report = malloc(s->tile.report_bytes);
    if (s->tile.report == NULL) {
        return no_memory(t, err);
    }
    memcpy(s->tile.report, bytes, s->tile.report_bytes);
    return NAV_OK;
}

// Names, packs and keeps a blob; without polygons there is none.
static nav_status keep_tile(job_tiles *t, uint32_t tile, nav_blob blob, nav_error *err)
{
    slot *s = &t->slots[tile];
    uint64_t began_ns = clock_now_ns();
    nav_status status = pack_report(t, s, err);
    if (status != NAV_OK || blob.size_bytes == 0) {
        return status;
    }
    nav_sha256 hash;
    nav_sha256_init(&hash);
    nav_sha256_add(&hash, blob.bytes, blob.size_bytes);
    nav_sha256_end(&hash, s->tile.hash);
    status =
        pack_compress(blob.bytes, blob.size_bytes, &s->tile.packed, &s->tile.packed_bytes, err);
    if (status != NAV_OK) {
        return no_memory(t, err);
    }
    store_tile_hash_packed(&s->tile);
    s->blob = blob;
    s->tile.bytes = blob.size_bytes;
    atomic_fetch_add(&t->pack_ns, clock_now_ns() - began_ns);
    return NAV_OK;
}

// Looks for the tile in the store. Without memory for its key it is baked; the bake also tells
// where the key was given up.
static nav_status take_tile(job_tiles *t, lane *l, uint32_t tile, bool *taken)
{
    const job_tiles_input *in = &t->input;
    slot *s = &t->slots[tile];
    *taken = false;
    if (in->store == NULL) {
        return NAV_OK;
    }
    const nav_bake_hooks hooks = {.user = l, .cancelled = hook_cancelled};
    renew_scratch(l);
    s->tile.has_key =
        nav_tile_key(in->geometry, in->config, in->grid, in->index, tile % in->grid->tiles_x,
                     tile / in->grid->tiles_x, &hooks, &l->scratch, s->tile.key) == NAV_OK;
    nav_arena_free(&l->scratch);
    if (!s->tile.has_key) {
        return NAV_OK;
    }
    uint64_t began_ns = clock_now_ns();
    nav_status status = job_commit_take(in->store, t->owner, !in->reuse, &l->result, &s->tile,
                                        &s->blob, s->report, taken);
    atomic_fetch_add(&t->pack_ns, clock_now_ns() - began_ns);
    if (*taken) {
        atomic_fetch_add(&t->owner->tiles_reused, 1);
    }
    return status;
}

static nav_status bake_tile(job_tiles *t, lane *l, uint32_t tile, nav_error *err)
{
    const job_tiles_input *in = &t->input;
    const nav_bake_hooks hooks = {
        .user = l, .now_ns = hook_now_ns, .cancelled = hook_cancelled, .stage = hook_stage};
    nav_arena_mark mark = nav_arena_save(&l->result);
    nav_blob blob = {0};
    renew_scratch(l);
    nav_status status = nav_bake_tile(in->geometry, in->config, in->grid, in->index,
                                      tile % in->grid->tiles_x, tile / in->grid->tiles_x, &hooks,
                                      &l->scratch, &l->result, &blob, t->slots[tile].report, err);
    nav_arena_free(&l->scratch);
    if (status == NAV_OK) {
        status = keep_tile(t, tile, blob, err);
    }
    if (status != NAV_OK) {
        nav_arena_restore(&l->result, mark);
    }
    return status;
}

// From the store, or baked; a tile that no triangle reaches is neither.
static nav_status make_tile(job_tiles *t, lane *l, uint32_t tile, nav_error *err)
{
    const job_tiles_input *in = &t->input;
    slot *s = &t->slots[tile];
    if (s->report == NULL) {
        s->report = malloc(sizeof *s->report);
    }
    if (s->report == NULL) {
        return no_memory(t, err);
    }
    *s->report = (nav_bake_report){0};
    store_tile_empty(&s->tile);
    s->tile = (store_tile){.x = tile % in->grid->tiles_x, .z = tile / in->grid->tiles_x};
    if (in->index != NULL && in->index->first[tile] == in->index->first[tile + 1]) {
        return NAV_OK;
    }
    bool taken = false;
    nav_status status = take_tile(t, l, tile, &taken);
    return status == NAV_OK && !taken ? bake_tile(t, l, tile, err) : status;
}

// Adds up the reports that are there without a gap.
static void sum_reports_locked(job_tiles *t)
{
    while (t->summed < t->count && t->slots[t->summed].done) {
        slot *s = &t->slots[t->summed++];
        nav_bake_report_add(&t->output.report, s->report);
        free(s->report);
        s->report = NULL;
    }
}

static void record(job_tiles *t, uint32_t tile, nav_status status, const nav_error *err)
{
    (void)pthread_mutex_lock(&t->lock);
    if (status == NAV_OK) {
        t->slots[tile].done = true;
        sum_reports_locked(t);
    } else if (tile < atomic_load(&t->first)) {
        t->why = *err;
        t->why.status = status;
        atomic_store(&t->first, tile);
    }
    (void)pthread_mutex_unlock(&t->lock);
    if (status == NAV_OK) {
        count_steps(t, tile, NAV_STAGE_COUNT);
        atomic_fetch_add(&t->owner->tiles_done, 1);
        if (t->slots[tile].tile.report != NULL) {
            job_commit_add(t->commit, &t->slots[tile].tile);
        }
        if (t->input.told != NULL) {
            job_events_tile(t->input.told);
        }
    }
}

static void bake_item(void *user, uint32_t tile, uint32_t worker)
{
    job_tiles *t = user;
    lane *l = &t->lanes[worker];
    nav_error err = {0};
    l->at = tile;
    nav_status status = hook_cancelled(l) ? NAV_CANCELLED : make_tile(t, l, tile, &err);
    if (status == NAV_NO_MEMORY && !t->alone) {
        (void)pthread_mutex_lock(&t->lock);
        t->slots[tile].aside = true;
        (void)pthread_mutex_unlock(&t->lock);
        return;
    }
    record(t, tile, status == NAV_OK ? NAV_OK : judge(t, tile, status, &err), &err);
}

// ---- all tiles ----

static nav_status collect(job_tiles *t, nav_error *err)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < t->count; i++) {
        count += t->slots[i].blob.size_bytes > 0;
    }
    t->blobs = calloc((size_t)count + 1, sizeof *t->blobs);
    t->tiles = calloc((size_t)count + 1, sizeof *t->tiles);
    if (t->blobs == NULL || t->tiles == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory to list the tiles");
    }
    for (uint32_t i = 0; i < t->count; i++) {
        if (t->slots[i].blob.size_bytes > 0) {
            t->blobs[t->output.count] = t->slots[i].blob;
            t->tiles[t->output.count++] = t->slots[i].tile;
        }
    }
    t->output.blobs = t->blobs;
    t->output.tiles = t->tiles;
    t->output.pack_ns = atomic_load(&t->pack_ns);
    nav_status status = job_commit_rest(t->commit, &t->rest, &t->output.rest_count, err);
    t->output.rest = t->rest;
    return status;
}

nav_status job_tiles_run(job_tiles *t, jobs *j, nav_error *err)
{
    jobs_share(j, t->owner, t->count, bake_item, t);
    // Here all helpers have ended.
    t->alone = true;
    for (uint32_t i = 0; i < t->count; i++) {
        if (t->slots[i].aside && i < atomic_load(&t->first)) {
            atomic_store(&t->exhausted, false);
            bake_item(t, i, t->owner->worker);
        }
    }
    if (atomic_load(&t->owner->cancelled)) {
        // Of a daemon that stops, not of a version that is gone: the next start goes on from here.
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
