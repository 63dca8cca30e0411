// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// tiles.c: tiles out of the store: all of a version's, and any version's by key.
//
//   version_tiles  mesh, version, pack --> list: which tiles of the version are in which slots
//   pack_tiles     pack --> directory: what is in a slot, and where its bytes are
//   packs          pack --> bytes

#include "server/store/db.h"

#include "server/store/damage.h"

#include <stdlib.h>
#include <string.h>

void store_tile_empty(store_tile *tile)
{
    free(tile->packed);
    free(tile->report);
    tile->packed = NULL;
    tile->report = NULL;
}

void store_tiles_free(store_tile *tiles, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        store_tile_empty(&tiles[i]);
    }
    free(tiles);
}

static int compare_places(const void *left, const void *right)
{
    const store_tile *a = left, *b = right;
    if (a->z != b->z) {
        return a->z < b->z ? -1 : 1;
    }
    return a->x != b->x ? (a->x < b->x ? -1 : 1) : 0;
}

void store_tiles_sort(store_tile *tiles, size_t count)
{
    if (count > 0) {
        qsort(tiles, count, sizeof *tiles, compare_places);
    }
}

void store_tile_hash_packed(store_tile *tile)
{
    nav_sha256 hash;
    nav_sha256_init(&hash);
    nav_sha256_add(&hash, tile->packed, tile->packed_bytes);
    nav_sha256_end(&hash, tile->packed_hash);
    tile->has_packed_hash = true;
}

void store_tiles_name(const store_tile *tiles, size_t count, uint8_t sha256[32])
{
    nav_sha256 hash;
    nav_sha256_init(&hash);
    for (size_t i = 0; i < count; i++) {
        nav_sha256_add(&hash, tiles[i].hash, sizeof tiles[i].hash);
    }
    nav_sha256_end(&hash, sha256);
    if (count == 1) {
        memcpy(sha256, tiles[0].hash, sizeof tiles[0].hash);
    }
}

// ---- a version's ----

// The bytes of one tile of a list, where they are there.
static nav_status load_tile(sqlite3_blob *blocks, const store_directory *directory,
                            const store_list_entry *entry, store_tile *out, nav_error *err)
{
    store_slot slot;
    if (!store_directory_slot(directory, entry->slot, &slot) ||
        memcmp(slot.hash, entry->hash, sizeof slot.hash) != 0) {
        return NAV_OK;
    }
    nav_status status = store_block_read(blocks, &slot, &out->packed, err);
    if (status == NAV_OK && out->packed != NULL) {
        store_slot_read(&slot, out);
        out->packed_bytes = slot.packed_bytes;
    }
    return status;
}

// The tiles of one row: pack, list, directory. Those without ground are counted only.
static nav_status load_list_locked(store *disk, store_statement *row, const char *mesh,
                                   uint32_t version, bool bytes, void **tiles, size_t *used,
                                   uint64_t *listed, nav_error *err)
{
    const uint64_t pack = (uint64_t)sqlite3_column_int64(row->sql, 0);
    store_list list;
    store_directory directory = {0};
    if (!store_list_open(sqlite3_column_blob(row->sql, 1),
                         (size_t)sqlite3_column_bytes(row->sql, 1), &list)) {
        return damage_fail(err, mesh, version, "the list of its tiles");
    }
    if (bytes && !store_directory_open(sqlite3_column_blob(row->sql, 2),
                                       (size_t)sqlite3_column_bytes(row->sql, 2), &directory)) {
        directory = (store_directory){0};
    }
    *listed += list.count;
    sqlite3_blob *blocks = NULL;
    nav_status status =
        bytes ? store_blocks_open_locked(&disk->reader, pack, &blocks, err) : NAV_OK;
    for (size_t i = 0; status == NAV_OK && i < list.count; i++) {
        const store_list_entry entry = store_list_at(&list, i);
        store_tile *tile = store_list_has_ground(&entry)
                               ? store_append(row, tiles, used, sizeof(store_tile))
                               : NULL;
        if (tile == NULL) {
            continue;
        }
        tile->x = entry.x;
        tile->z = entry.z;
        tile->place = STORE_PLACE(pack, entry.slot);
        memcpy(tile->hash, entry.hash, sizeof tile->hash);
        status = bytes ? load_tile(blocks, &directory, &entry, tile, err) : NAV_OK;
    }
    (void)sqlite3_blob_close(blocks);
    return status;
}

// The row of a version that is ready; to be given to store_version_free.
static nav_status get_ready(store *disk, const char *mesh, uint32_t version, store_version *row,
                            nav_error *err)
{
    nav_status status = store_version_get(disk, mesh, version, row, err);
    if (status != NAV_OK || row->state == STORE_READY) {
        return status;
    }
    const char *state = store_state_word(row->state);
    store_version_free(row);
    return nav_fail(err, PROTO_VERSION_NOT_READY, "version %u of mesh '%s' is %s", version, mesh,
                    state);
}

// A list that is gone leaves no trace but its tiles: then they are neither as many as the version
// has, nor together what it is named by. One of the two may be damaged itself, and versions of the
// first schemas list no tiles without ground.
static nav_status check_all_there(const store_version *row, const store_tile *tiles, size_t count,
                                  uint64_t listed, nav_error *err)
{
    uint8_t name[32];
    char hex[65];
    const char *named = row->blob_json != NULL ? strstr(row->blob_json, "\"sha256\"") : NULL;
    if (listed == row->tiles_total || named == NULL) {
        return NAV_OK;
    }
    store_tiles_name(tiles, count, name);
    nav_sha256_hex(name, hex);
    return strstr(named, hex) != NULL
               ? NAV_OK
               : damage_fail(err, row->mesh, row->version, "the lists of its tiles");
}

static nav_status load_tiles(store *disk, const char *mesh, uint32_t version, bool bytes,
                             store_tile **out, size_t *count, nav_error *err)
{
    store_version row;
    nav_status status = get_ready(disk, mesh, version, &row, err);
    if (status != NAV_OK) {
        return status;
    }
    void *tiles = NULL;
    size_t used = 0;
    uint64_t listed = 0;
    (void)pthread_mutex_lock(&disk->reader.lock);
    // The bytes are read while the statement is at its row: all of it is of one moment.
    store_statement s = store_prepare_locked(
        &disk->reader, "SELECT t.pack, t.tiles, d.directory FROM meshes m"
                       " JOIN version_tiles t ON t.mesh = m.id LEFT JOIN pack_tiles d"
                       " ON d.pack = t.pack WHERE m.name = ? AND t.version = ?");
    store_bind_text(&s, 1, mesh);
    store_bind_int(&s, 2, version);
    while (status == NAV_OK && store_step(&s)) {
        status = load_list_locked(disk, &s, mesh, version, bytes, &tiles, &used, &listed, err);
    }
    nav_status finished = store_finish(&s, "reading tiles", status == NAV_OK ? err : NULL);
    (void)pthread_mutex_unlock(&disk->reader.lock);
    status = status != NAV_OK ? status : finished;
    store_tiles_sort(tiles, used);
    if (status == NAV_OK) {
        status = check_all_there(&row, tiles, used, listed, err);
    }
    store_version_free(&row);
    // Or all of it has been removed meanwhile.
    nav_error later;
    if (status == PROTO_INTERNAL && get_ready(disk, mesh, version, &row, &later) == NAV_OK) {
        store_version_free(&row);
    } else if (status == PROTO_INTERNAL) {
        status = nav_fail(err, later.status, "%s", later.detail);
    }
    if (status != NAV_OK) {
        store_tiles_free(tiles, used);
        return status;
    }
    *out = tiles;
    *count = used;
    return NAV_OK;
}

nav_status store_tiles_load(store *disk, const char *mesh, uint32_t version, store_tile **out,
                            size_t *count, nav_error *err)
{
    return load_tiles(disk, mesh, version, true, out, count, err);
}

nav_status store_tiles_list(store *disk, const char *mesh, uint32_t version, store_tile **out,
                            size_t *count, nav_error *err)
{
    return load_tiles(disk, mesh, version, false, out, count, err);
}

// ---- by key ----

// Whether the version itself has the slot.
static bool is_own_locked(store *disk, const char *mesh, uint32_t version, uint64_t place)
{
    bool own = false;
    nav_error ignored;
    store_statement s = store_prepare_locked(
        &disk->reader, "SELECT t.tiles FROM meshes m JOIN version_tiles t ON t.mesh = m.id"
                       " WHERE m.name = ? AND t.version = ? AND t.pack = ?");
    store_bind_text(&s, 1, mesh);
    store_bind_int(&s, 2, version);
    store_bind_int(&s, 3, (int64_t)STORE_PLACE_PACK(place));
    store_list list;
    if (store_step(&s) && store_list_open(sqlite3_column_blob(s.sql, 0),
                                          (size_t)sqlite3_column_bytes(s.sql, 0), &list)) {
        for (size_t i = 0; !own && i < list.count; i++) {
            own = store_list_at(&list, i).slot == STORE_PLACE_SLOT(place);
        }
    }
    return store_finish(&s, "looking for a tile", &ignored) == NAV_OK && own;
}

// The slot with its blocks, if the index was right.
static nav_status load_slot_locked(store *disk, uint64_t place, const uint8_t key[32],
                                   store_tile *out, bool *there, nav_error *err)
{
    const void *report;
    store_slot slot;
    nav_status status = NAV_OK;
    store_slots slots = store_slots_begin_locked(&disk->reader);
    *there = store_slots_get(&slots, place, &slot, &report) && (slot.flags & STORE_SLOT_KEY) != 0 &&
             memcmp(slot.key, key, sizeof slot.key) == 0;
    if (*there) {
        store_slot_read(&slot, out);
        out->place = place;
        out->report_bytes = slot.report_bytes;
        out->report = malloc((size_t)slot.report_bytes + 1);
        if (out->report != NULL) {
            memcpy(out->report, report, slot.report_bytes);
        } else {
            status = nav_fail(err, NAV_NO_MEMORY, "no memory to read a tile");
        }
    }
    if (*there && slot.bytes > 0 && status == NAV_OK) {
        status = store_block_load_locked(&disk->reader, STORE_PLACE_PACK(place), &slot,
                                         &out->packed, err);
        out->packed_bytes = out->packed != NULL ? slot.packed_bytes : 0;
    }
    nav_status finished = store_slots_end(&slots, status == NAV_OK ? err : NULL);
    return status != NAV_OK ? status : finished;
}

nav_status store_tile_find(store *disk, const char *mesh, uint32_t version, bool own,
                           const uint8_t key[32], store_tile *out, bool *found, nav_error *err)
{
    store_tile tile = {.x = out->x, .z = out->z};
    const uint64_t name = store_index_key_name(key);
    bool there = false;
    (void)pthread_mutex_lock(&disk->reader.lock);
    nav_status status = store_places_load_locked(disk, err);
    const uint64_t place = status == NAV_OK ? store_index_get(&disk->index, name) : 0;
    if (place != 0 && (!own || is_own_locked(disk, mesh, version, place))) {
        status = load_slot_locked(disk, place, key, &tile, &there, err);
    }
    (void)pthread_mutex_unlock(&disk->reader.lock);
    if (status != NAV_OK || !there) {
        store_tile_empty(&tile);
        *found = false;
        return status;
    }
    *out = tile;
    *found = true;
    return NAV_OK;
}

// ---- an upload's geometry ----

nav_status store_geometry_put_locked(store *disk, const store_upload *upload, nav_error *err)
{
    // One that is there already stays as it is, unless it was damaged on disk.
    store_statement s = store_prepare_locked(
        &disk->writer,
        "INSERT INTO geometries(hash, bytes, zstd) VALUES (?, ?, ?) ON CONFLICT(hash) DO UPDATE"
        " SET bytes = excluded.bytes, zstd = excluded.zstd"
        " WHERE bytes IS NOT excluded.bytes OR zstd IS NOT excluded.zstd");
    store_bind_blob(&s, 1, upload->geometry_hash, 32);
    store_bind_int(&s, 2, (int64_t)upload->geometry_unpacked_bytes);
    store_bind_blob(&s, 3, upload->geometry, upload->geometry_bytes);
    (void)store_step(&s);
    return store_finish(&s, "storing a geometry", err);
}
