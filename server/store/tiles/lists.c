// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// lists.c: the lists of a version: one row for each pack that it has tiles in. A bake puts
// its tiles in batches, and one that was broken off puts some of them again, so lists are merged: a
// tile that is put is taken out of wherever the version had it.

#include "server/store/db.h"

#include <stdlib.h>
#include <string.h>

typedef struct placed {
    uint64_t pack;
    store_list_entry tile;
} placed;

typedef struct merge {
    int64_t mesh;
    uint32_t version;
    placed *all; // used of capacity; the first `fresh` are the batch
    size_t used, capacity, fresh;
    uint64_t *losers; // packs whose list has lost a tile
    size_t loser_count;
} merge;

static int compare_places(const void *left, const void *right)
{
    const store_list_entry *a = &((const placed *)left)->tile, *b = &((const placed *)right)->tile;
    if (a->z != b->z) {
        return a->z < b->z ? -1 : 1;
    }
    return a->x != b->x ? (a->x < b->x ? -1 : 1) : 0;
}

static int compare_packs(const void *left, const void *right)
{
    const placed *a = left, *b = right;
    return a->pack != b->pack ? (a->pack < b->pack ? -1 : 1) : compare_places(left, right);
}

static bool add(merge *m, uint64_t pack, const store_list_entry *tile)
{
    if (m->used == m->capacity) {
        const size_t capacity = m->capacity * 2 + 64;
        placed *all = realloc(m->all, capacity * sizeof *all);
        if (all == NULL) {
            return false;
        }
        m->all = all;
        m->capacity = capacity;
    }
    m->all[m->used++] = (placed){.pack = pack, .tile = *tile};
    return true;
}

// ---- what the version has already ----

static bool is_put_again(const merge *m, const store_list_entry *tile)
{
    const placed wanted = {.tile = *tile};
    return bsearch(&wanted, m->all, m->fresh, sizeof wanted, compare_places) != NULL;
}

static bool has_pack(const merge *m, uint64_t pack)
{
    for (size_t i = 0; i < m->fresh; i++) {
        if (m->all[i].pack == pack) {
            return true;
        }
    }
    return false;
}

static bool add_loser(merge *m, uint64_t pack)
{
    uint64_t *losers = realloc(m->losers, (m->loser_count + 1) * sizeof *losers);
    if (losers != NULL) {
        m->losers = losers;
        m->losers[m->loser_count++] = pack;
    }
    return losers != NULL;
}

// Takes a list that changes into the merge. False without memory.
static bool take_list(merge *m, uint64_t pack, const store_list *list)
{
    size_t lost = 0;
    bool room = true;
    for (size_t i = 0; i < list->count; i++) {
        const store_list_entry tile = store_list_at(list, i);
        lost += is_put_again(m, &tile);
    }
    const bool changes = lost > 0 || has_pack(m, pack);
    for (size_t i = 0; room && changes && i < list->count; i++) {
        const store_list_entry tile = store_list_at(list, i);
        room = is_put_again(m, &tile) || add(m, pack, &tile);
    }
    return room && (lost == 0 || add_loser(m, pack));
}

static nav_status take_lists_locked(store *disk, merge *m, nav_error *err)
{
    store_statement s = store_prepare_locked(
        &disk->writer, "SELECT pack, tiles FROM version_tiles WHERE mesh = ? AND version = ?");
    store_bind_int(&s, 1, m->mesh);
    store_bind_int(&s, 2, m->version);
    while (store_step(&s)) {
        store_list list = {0};
        // Of one that is damaged nothing is left.
        if (!store_list_open(sqlite3_column_blob(s.sql, 1), (size_t)sqlite3_column_bytes(s.sql, 1),
                             &list)) {
            list.count = 0;
        }
        if (!take_list(m, (uint64_t)sqlite3_column_int64(s.sql, 0), &list)) {
            s.code = SQLITE_NOMEM;
        }
    }
    return store_finish(&s, "reading a version's tiles", err);
}

// ---- writing ----

static void write_list(store_statement *s, const merge *m, const placed *first, size_t count)
{
    store_list_entry *tiles = malloc(count * sizeof *tiles);
    void *bytes = NULL;
    size_t size_bytes = 0;
    if (tiles != NULL) {
        for (size_t i = 0; i < count; i++) {
            tiles[i] = first[i].tile;
        }
    }
    if (tiles == NULL || !store_list_write(tiles, count, &bytes, &size_bytes)) {
        s->code = SQLITE_NOMEM;
    }
    store_bind_int(s, 1, m->mesh);
    store_bind_int(s, 2, m->version);
    store_bind_int(s, 3, (int64_t)first->pack);
    store_bind_int(s, 4, (int64_t)count);
    store_bind_blob(s, 5, bytes, size_bytes);
    (void)store_step(s);
    store_rewind(s);
    free(bytes);
    free(tiles);
}

// From here on all is in order of packs.
static nav_status write_lists_locked(store *disk, merge *m, nav_error *err)
{
    if (m->used > 0) {
        qsort(m->all, m->used, sizeof *m->all, compare_packs);
    }
    store_statement s = store_prepare_locked(
        &disk->writer, "INSERT OR REPLACE INTO version_tiles(mesh, version, pack, count, tiles)"
                       " VALUES (?, ?, ?, ?, ?)");
    for (size_t i = 0, end; i < m->used; i = end) {
        for (end = i; end < m->used && m->all[end].pack == m->all[i].pack;) {
            end++;
        }
        write_list(&s, m, &m->all[i], end - i);
    }
    return store_finish(&s, "storing a version's tiles", err);
}

static int compare_pack_only(const void *left, const void *right)
{
    const placed *a = left, *b = right;
    return a->pack != b->pack ? (a->pack < b->pack ? -1 : 1) : 0;
}

static nav_status sweep_losers_locked(store *disk, const merge *m, nav_error *err)
{
    nav_status status = NAV_OK;
    for (size_t i = 0; status == NAV_OK && i < m->loser_count; i++) {
        const placed wanted = {.pack = m->losers[i]};
        const int64_t values[] = {m->mesh, m->version, (int64_t)wanted.pack};
        if (bsearch(&wanted, m->all, m->used, sizeof wanted, compare_pack_only) == NULL) {
            status = store_change_locked(
                disk, "DELETE FROM version_tiles WHERE mesh = ? AND version = ? AND pack = ?",
                values, 3, err);
        }
        if (status == NAV_OK) {
            status = store_pack_sweep_locked(disk, wanted.pack, err);
        }
    }
    return status;
}

nav_status store_lists_put_locked(store *disk, int64_t mesh, uint32_t version,
                                  const store_tile *tiles, const uint64_t *places, size_t count,
                                  nav_error *err)
{
    merge m = {.mesh = mesh, .version = version};
    bool room = true;
    for (size_t i = 0; room && i < count; i++) {
        store_list_entry tile = {
            .z = tiles[i].z, .x = tiles[i].x, .slot = STORE_PLACE_SLOT(places[i])};
        if (tiles[i].bytes > 0) {
            memcpy(tile.hash, tiles[i].hash, sizeof tile.hash);
        }
        room = add(&m, STORE_PLACE_PACK(places[i]), &tile);
    }
    m.fresh = m.used;
    if (m.used > 0) { // of none there is no list
        qsort(m.all, m.used, sizeof *m.all, compare_places);
    }
    nav_status status = room ? take_lists_locked(disk, &m, err)
                             : nav_fail(err, NAV_NO_MEMORY, "no memory to store tiles");
    if (status == NAV_OK) {
        status = write_lists_locked(disk, &m, err);
    }
    if (status == NAV_OK) {
        status = sweep_losers_locked(disk, &m, err);
    }
    free(m.all);
    free(m.losers);
    return status;
}
