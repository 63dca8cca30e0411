// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// put.c: tiles of a bake into the store:
//
//   tiles --index--> known places? --looked at--> there already --------> lists of the version
//                                      |  damaged, or another key: set right   ^
//                                      '--> new: packs of 256 KiB -------------'
//
// Each tile is stored once, whichever versions have it, by key or by hash. Tiles of a bake that
// still runs belong to its version already: what has a place is always a version's, and what no
// version has any more goes with the one that had it last (packs.c).

#include "server/store/db.h"

#include <stdlib.h>
#include <string.h>

// Large enough that rows and directories cost next to nothing beside their bytes, small enough that
// a pack is read and written anew in less than a millisecond.
#define PACK_BYTES ((size_t)256 << 10)
#define PACK_SLOTS_MAX 256u

_Static_assert(PACK_SLOTS_MAX <= STORE_SLOTS_MAX, "every slot has a place");

typedef struct putting {
    store *disk;
    const store_tile *tiles;
    size_t count;
    uint64_t *places; // where each tile is; 0: not yet stored
    bool *anew;       // its slot is to be written anew
} putting;

// ---- what is there already ----

// Whether the slot has the tile's very bytes. Those of a tile from the store are taken to be: it
// has been verified a moment ago.
static nav_status compare(const putting *p, uint64_t pack, const store_slot *slot,
                          const store_tile *tile, bool *same, nav_error *err)
{
    *same = tile->reused || tile->bytes == 0;
    if (*same || slot->packed_bytes != tile->packed_bytes || slot->bytes != tile->bytes) {
        return NAV_OK;
    }
    void *there = NULL;
    nav_status status = store_block_load_locked(&p->disk->writer, pack, slot, &there, err);
    *same = there != NULL && memcmp(there, tile->packed, tile->packed_bytes) == 0;
    free(there);
    return status;
}

// The index may be mistaken, and a block damaged on disk. A slot whose key is another one gets the
// tile's: its bytes are the same, and only the last key can be asked for.
static nav_status look_at_places_locked(putting *p, const uint64_t *hints, nav_error *err)
{
    nav_status status = NAV_OK;
    store_slots slots = store_slots_begin_locked(&p->disk->writer);
    for (size_t i = 0; status == NAV_OK && i < p->count; i++) {
        const store_tile *tile = &p->tiles[i];
        store_slot slot;
        if (hints[i] == 0 || !store_slots_get(&slots, hints[i], &slot, NULL) ||
            (slot.bytes > 0) != (tile->bytes > 0)) {
            continue;
        }
        const bool same_key = tile->has_key && (slot.flags & STORE_SLOT_KEY) != 0 &&
                              memcmp(slot.key, tile->key, sizeof slot.key) == 0;
        if (tile->bytes > 0 ? memcmp(slot.hash, tile->hash, sizeof slot.hash) != 0 : !same_key) {
            continue;
        }
        bool same;
        status = compare(p, STORE_PLACE_PACK(hints[i]), &slot, tile, &same, err);
        p->places[i] = hints[i];
        p->anew[i] = !same || (tile->has_key && !same_key);
    }
    nav_status finished = store_slots_end(&slots, err);
    return status != NAV_OK ? status : finished;
}

// ---- setting slots right ----

// A slot keeps what the tile does not bring: tiles that are repaired come without key and report.
static void fill_slot(store_tile *slot, const store_tile *tile)
{
    store_tile filled = *tile;
    if (!tile->has_key) {
        filled.has_key = slot->has_key;
        memcpy(filled.key, slot->key, sizeof filled.key);
    }
    if (tile->report == NULL) {
        filled.report = slot->report;
        filled.report_bytes = slot->report_bytes;
    } else {
        free(slot->report);
    }
    free(slot->packed);
    *slot = filled;
}

static bool is_set_already(const uint64_t *places, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (places[i] == places[count]) {
            return true;
        }
    }
    return false;
}

// Blocks that are the caller's are not freed with the pack.
static void give_back(store_pack *pack, const store_tile *tile, uint32_t number)
{
    store_tile *slot = &pack->slots[number];
    slot->packed = slot->packed == tile->packed ? NULL : slot->packed;
    slot->report = slot->report == tile->report ? NULL : slot->report;
}

static nav_status widen(store_pack *pack, uint32_t count, nav_error *err)
{
    if (count <= pack->count) {
        return NAV_OK;
    }
    store_tile *slots = realloc(pack->slots, count * sizeof *slots);
    if (slots == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory for a pack");
    }
    memset(slots + pack->count, 0, (count - pack->count) * sizeof *slots);
    pack->slots = slots;
    pack->count = count;
    return NAV_OK;
}

nav_status store_slots_set_locked(store *disk, const store_tile *const *tiles,
                                  const uint64_t *places, size_t count, uint64_t *number,
                                  nav_error *err)
{
    store_pack pack = {0};
    nav_status status =
        store_pack_load_locked(&disk->writer, STORE_PLACE_PACK(places[0]), &pack, err);
    if (status != NAV_OK) {
        return status;
    }
    size_t filled = 0;
    for (; status == NAV_OK && filled < count; filled++) {
        const uint32_t slot_number = STORE_PLACE_SLOT(places[filled]);
        status = widen(&pack, slot_number + 1, err);
        if (status != NAV_OK) {
            break;
        }
        const store_tile *slot = &pack.slots[slot_number];
        if (is_set_already(places, filled)) {
            continue; // two tiles with the same bytes
        }
        if (slot->has_key) {
            store_index_note(&disk->changes, store_index_key_name(slot->key), places[filled], true);
        }
        fill_slot(&pack.slots[slot_number], tiles[filled]);
    }
    if (status == NAV_OK) {
        status = store_pack_rewrite_locked(disk, &pack, err);
    }
    *number = pack.number;
    for (size_t i = 0; i < filled; i++) {
        give_back(&pack, tiles[i], STORE_PLACE_SLOT(places[i]));
    }
    store_tiles_free(pack.slots, pack.count);
    return status;
}

uint64_t store_place_follow(uint64_t place, uint64_t before, uint64_t after)
{
    return STORE_PLACE_PACK(place) == STORE_PLACE_PACK(before)
               ? STORE_PLACE(STORE_PLACE_PACK(after), STORE_PLACE_SLOT(place))
               : place;
}

// Pack by pack.
static nav_status set_right_locked(putting *p, nav_error *err)
{
    const store_tile *tiles[STORE_SLOTS_MAX];
    uint64_t places[STORE_SLOTS_MAX];
    nav_status status = NAV_OK;
    for (size_t i = 0; status == NAV_OK && i < p->count; i++) {
        size_t count = 0;
        for (size_t k = i; p->anew[i] && k < p->count && count < STORE_SLOTS_MAX; k++) {
            if (p->anew[k] && STORE_PLACE_PACK(p->places[k]) == STORE_PLACE_PACK(p->places[i])) {
                tiles[count] = &p->tiles[k];
                places[count++] = p->places[k];
                p->anew[k] = k == i; // until the loops have passed it
            }
        }
        uint64_t pack = 0;
        if (count > 0) {
            status = store_slots_set_locked(p->disk, tiles, places, count, &pack, err);
        }
        // The pack may have had to become another one.
        for (size_t k = 0; count > 0 && status == NAV_OK && k < p->count; k++) {
            p->places[k] = store_place_follow(p->places[k], places[0], STORE_PLACE(pack, 0));
        }
    }
    return status;
}

// ---- what is new ----

static nav_status write_new_locked(putting *p, store_tile *slots, const size_t *from,
                                   uint32_t count, nav_error *err)
{
    store_pack pack = {.slots = slots, .count = count};
    nav_status status = store_pack_write_locked(p->disk, &pack, err);
    for (uint32_t i = 0; i < count; i++) {
        p->places[from[i]] = STORE_PLACE(pack.number, i);
    }
    return status;
}

static nav_status put_new_locked(putting *p, nav_error *err)
{
    store_tile slots[PACK_SLOTS_MAX];
    size_t from[PACK_SLOTS_MAX], used_bytes = 0;
    uint32_t used = 0;
    nav_status status = NAV_OK;
    for (size_t i = 0; status == NAV_OK && i < p->count; i++) {
        const store_tile *tile = &p->tiles[i];
        if (p->places[i] != 0) {
            continue;
        }
        if (used == PACK_SLOTS_MAX || (used > 0 && used_bytes + tile->packed_bytes > PACK_BYTES)) {
            status = write_new_locked(p, slots, from, used, err);
            used = 0;
            used_bytes = 0;
        }
        slots[used] = *tile;
        from[used++] = i;
        used_bytes += tile->packed_bytes;
    }
    return status == NAV_OK && used > 0 ? write_new_locked(p, slots, from, used, err) : status;
}

nav_status store_tiles_put_locked(store *disk, int64_t mesh, uint32_t version,
                                  const store_tile *tiles, const uint64_t *hints, size_t count,
                                  nav_error *err)
{
    if (count == 0) {
        return NAV_OK;
    }
    putting p = {.disk = disk,
                 .tiles = tiles,
                 .count = count,
                 .places = calloc(count, sizeof *p.places),
                 .anew = calloc(count, sizeof *p.anew)};
    nav_status status = p.places != NULL && p.anew != NULL && hints != NULL
                            ? look_at_places_locked(&p, hints, err)
                            : nav_fail(err, NAV_NO_MEMORY, "no memory to store tiles");
    if (status == NAV_OK) {
        status = set_right_locked(&p, err);
    }
    if (status == NAV_OK) {
        status = put_new_locked(&p, err);
    }
    if (status == NAV_OK) {
        status = store_lists_put_locked(disk, mesh, version, tiles, p.places, count, err);
    }
    free(p.places);
    free(p.anew);
    return status;
}

nav_status store_tiles_put(store *disk, const char *mesh, uint32_t version, const store_tile *tiles,
                           size_t count, nav_error *err)
{
    store_bake bake;
    uint64_t *hints = store_places_look(disk, tiles, count);
    nav_status status = store_bake_begin(disk, mesh, version, &bake, err);
    if (status == NAV_OK) {
        status = store_tiles_put_locked(disk, bake.mesh.id, version, tiles, hints, count, err);
        status = store_write_end(disk, status, err);
    }
    free(hints);
    return status;
}

// ---- repair ----

nav_status store_blob_repair(store *disk, store_tile *tile, nav_error *err)
{
    const store_tile *const tiles[] = {tile};
    nav_status status = store_write_begin(disk, err);
    if (status != NAV_OK) {
        return status;
    }
    // Its last version may have gone meanwhile, and the pack with it.
    store_statement s =
        store_prepare_locked(&disk->writer, "SELECT 1 FROM version_tiles WHERE pack = ? LIMIT 1");
    store_bind_int(&s, 1, (int64_t)STORE_PLACE_PACK(tile->place));
    const bool wanted = store_step(&s);
    status = store_finish(&s, "repairing a tile", err);
    uint64_t pack = STORE_PLACE_PACK(tile->place);
    if (status == NAV_OK && wanted) {
        status = store_slots_set_locked(disk, tiles, &tile->place, 1, &pack, err);
    }
    status = store_write_end(disk, status, err);
    if (status == NAV_OK) {
        tile->place = STORE_PLACE(pack, STORE_PLACE_SLOT(tile->place));
    }
    return status;
}
