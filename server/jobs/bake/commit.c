// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// commit.c: tiles from the store, and finished tiles into it:
//
//   finished tile --> waiting --(enough bytes, or enough time)--> one transaction
//
// A transaction costs two waits for the disk whatever is in it, so there is one every half second
// or so; a bake that is shorter has none but its last. The worker that finds a batch due commits
// it; the others go on.

#include "server/jobs/bake/commit.h"

#include "server/base/log.h"
#include "server/base/pack.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// A batch is due after this time, or with so much in it.
#define BATCH_NS UINT64_C(500000000)
#define BATCH_BYTES ((uint64_t)8 << 20)

struct job_commit {
    store *disk;      // NULL: never committed here
    const job *owner; // its name
    pthread_mutex_t lock;
    store_tile **waiting; // guarded by lock, but for those of a commit; room for all tiles
    uint32_t count;       // guarded by lock
    uint64_t bytes;       // guarded by lock: packed, of those that wait
    uint64_t since_ns;    // guarded by lock: when the last batch was committed
    bool busy;            // guarded by lock: somebody commits
    bool refused;         // guarded by lock
};

// ---- out of the store ----

// Unpacks the blob into result and checks that it is what its name says.
static nav_status unpack(const store_tile *tile, nav_arena *result, nav_blob *blob, bool *whole)
{
    *whole = pack_can_hold(tile->packed_bytes, tile->bytes);
    if (!*whole) {
        return NAV_OK;
    }
    void *bytes = nav_arena_alloc(result, 1, (size_t)tile->bytes);
    if (bytes == NULL) {
        return NAV_NO_MEMORY;
    }
    nav_status status = pack_check(tile->packed, tile->packed_bytes, (size_t)tile->bytes,
                                   tile->packed_hash, tile->hash, bytes);
    *whole = status == NAV_OK;
    *blob = (nav_blob){.bytes = bytes, .size_bytes = (size_t)tile->bytes};
    return status == PROTO_BAD_ZSTD ? NAV_OK : status;
}

nav_status job_commit_take(store *disk, const job *owner, bool own, nav_arena *result,
                           store_tile *tile, nav_blob *blob, nav_bake_report *report, bool *taken)
{
    store_tile found = {.agent = tile->agent, .x = tile->x, .z = tile->z};
    nav_error ignored;
    *taken = false;
    bool there = false;
    // A store that cannot be read costs a bake, no more.
    if (store_tile_find(disk, owner->mesh, owner->version, own, tile->key, &found, &there,
                        &ignored) != NAV_OK ||
        !there) {
        return NAV_OK;
    }
    nav_arena_mark mark = nav_arena_save(result);
    nav_blob bytes = {0};
    nav_bake_report numbers = {0}; // a bake adds to its own
    bool whole = nav_bake_report_unpack(found.report, found.report_bytes, &numbers);
    nav_status status = whole && found.bytes > 0 ? unpack(&found, result, &bytes, &whole) : NAV_OK;
    if (status == NAV_OK && whole) {
        found.reused = true;
        *tile = found;
        *blob = bytes;
        *report = numbers;
        *taken = true;
        return NAV_OK;
    }
    if (status == NAV_OK) {
        char hex[65];
        nav_sha256_hex(found.hash, hex);
        log_error("blob_damaged", "mesh=%s version=%u tile=%u,%u sha256=%s detail=\"%s\"",
                  owner->mesh, owner->version, found.x, found.z, hex, "it is baked again");
    }
    nav_arena_restore(result, mark);
    store_tile_empty(&found);
    return status;
}

// ---- into the store ----

job_commit *job_commit_create(store *disk, const job *owner, uint32_t tiles)
{
    job_commit *c = calloc(1, sizeof *c);
    if (c == NULL) {
        return NULL;
    }
    c->disk = disk;
    c->owner = owner;
    c->since_ns = clock_now_ns();
    c->waiting = calloc((size_t)tiles + 1, sizeof *c->waiting);
    (void)pthread_mutex_init(&c->lock, NULL);
    if (c->waiting == NULL) {
        job_commit_destroy(c);
        return NULL;
    }
    return c;
}

void job_commit_destroy(job_commit *c)
{
    if (c != NULL) {
        (void)pthread_mutex_destroy(&c->lock);
        free(c->waiting);
        free(c);
    }
}

static store_tile *copy_of(store_tile *const *tiles, uint32_t count)
{
    store_tile *copies = calloc((size_t)count + 1, sizeof *copies);
    if (copies == NULL) {
        return NULL;
    }
    for (uint32_t i = 0; i < count; i++) {
        copies[i] = *tiles[i];
    }
    return copies;
}

// Commits the first tiles that wait, which stay as they are until it has ended.
static bool commit(const job_commit *c, uint32_t count)
{
    nav_error ignored;
    store_tile *copies = copy_of(c->waiting, count);
    bool done = copies != NULL && store_tiles_put(c->disk, c->owner->mesh, c->owner->version,
                                                  copies, count, &ignored) == NAV_OK;
    for (uint32_t i = 0; done && i < count; i++) {
        store_tile_empty(c->waiting[i]);
    }
    free(copies);
    return done;
}

// Gives the lock back while it commits. Tiles that are finished meanwhile go behind the batch,
// which is then taken out.
static void commit_waiting_locked(job_commit *c)
{
    const uint32_t count = c->count;
    c->busy = true;
    c->bytes = 0;
    (void)pthread_mutex_unlock(&c->lock);
    const bool done = commit(c, count);
    (void)pthread_mutex_lock(&c->lock);
    c->busy = false;
    c->refused = !done;
    c->since_ns = clock_now_ns();
    if (done) {
        c->count -= count;
        memmove(c->waiting, c->waiting + count, c->count * sizeof *c->waiting);
    }
}

void job_commit_add(job_commit *c, store_tile *finished)
{
    (void)pthread_mutex_lock(&c->lock);
    c->waiting[c->count++] = finished;
    c->bytes += finished->packed_bytes;
    bool due = c->bytes >= BATCH_BYTES || clock_now_ns() - c->since_ns >= BATCH_NS;
    if (due && c->disk != NULL && !c->busy && !c->refused) {
        commit_waiting_locked(c);
    }
    (void)pthread_mutex_unlock(&c->lock);
}

void job_commit_flush(job_commit *c)
{
    (void)pthread_mutex_lock(&c->lock);
    if (c->count > 0 && c->disk != NULL && !c->busy && !c->refused) {
        commit_waiting_locked(c);
    }
    (void)pthread_mutex_unlock(&c->lock);
}

nav_status job_commit_rest(job_commit *c, store_tile **out, size_t *count, nav_error *err)
{
    (void)pthread_mutex_lock(&c->lock);
    store_tile *rest = copy_of(c->waiting, c->count);
    size_t waiting = c->count;
    (void)pthread_mutex_unlock(&c->lock);
    if (rest == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory to list the tiles");
    }
    *out = rest;
    *count = waiting;
    return NAV_OK;
}
