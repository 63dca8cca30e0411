// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// tiles.c: tiles out of the store: all of a version's, and any version's by key.
//
//   version_tiles  mesh, version, z, x --> hash, tile
//   tiles          id --> hash, key, report, blob
//   blobs          id --> packed bytes

#include "server/store/db.h"

#include "server/base/lock.h"

#include <stdio.h>
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
    if (a->agent != b->agent) {
        return a->agent < b->agent ? -1 : 1;
    }
    if (a->z != b->z) {
        return a->z < b->z ? -1 : 1;
    }
    return a->x != b->x ? (a->x < b->x ? -1 : 1) : 0;
}

// Whether tiles are in order of agent, z, x, no place twice: readers are promised that, and a
// mesh's name is made of tiles in this order.
static bool are_in_order(const store_tile *tiles, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (compare_places(&tiles[i - 1], &tiles[i]) >= 0) {
            return false;
        }
    }
    return true;
}

const char *store_tile_words(const store_tile *tile, char out[STORE_TILE_WORDS_BYTES])
{
    (void)snprintf(out, STORE_TILE_WORDS_BYTES,
                   tile->agent != 0 ? "tile %u,%u of agent %u" : "tile %u,%u", tile->x, tile->z,
                   tile->agent);
    return out;
}

const store_tile *store_tiles_of_agent(const store_tile *tiles, size_t count, uint32_t agent,
                                       size_t *agent_count)
{
    size_t begin = 0, end;
    while (begin < count && tiles[begin].agent < agent) {
        begin++;
    }
    for (end = begin; end < count && tiles[end].agent == agent; end++) {
    }
    *agent_count = end - begin;
    return tiles != NULL ? tiles + begin : NULL;
}

void store_tile_hash_packed(store_tile *tile)
{
    NAV_ASSERT(tile->packed != NULL);
    nav_sha256_of(tile->packed, tile->packed_bytes, tile->packed_hash);
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

static bool is_named(const char *json, const store_tile *tiles, size_t count)
{
    uint8_t name[32];
    char hex[65];
    store_tiles_name(tiles, count, name);
    nav_sha256_hex(name, hex);
    return json != NULL && strstr(json, hex) != NULL;
}

// Each agent is named once.
static size_t count_names(const char *json)
{
    size_t names = 0;
    for (const char *at = json; at != NULL && (at = strstr(at, "\"sha256\"")) != NULL; at++) {
        names++;
    }
    return names;
}

bool store_version_names(const store_version *version, const store_tile *tiles, size_t count)
{
    size_t own = 0, agents = 0;
    const store_tile *run = store_tiles_of_agent(tiles, count, 0, &own);
    bool named = is_named(version->blob_json, run, own);
    for (size_t seen = own; named && seen < count; seen += own) {
        run = store_tiles_of_agent(tiles, count, tiles[seen].agent, &own);
        named = is_named(version->agents_json, run, own);
        agents++;
    }
    return named && agents == count_names(version->agents_json);
}

// ---- a version's ----

// Tiles of one version as they are read.
typedef struct reading {
    const char *mesh;
    uint32_t version;
    store_blobs *blobs; // NULL: no bytes
    void *tiles;        // those with ground
    size_t used;
    uint64_t listed; // all
} reading;

static nav_status load_place(reading *r, store_statement *row, nav_error *err)
{
    store_tile_row found;
    store_tile place;
    if (!store_tile_row_at(row, STORE_PLACE_COLUMN_COUNT, &found) ||
        !store_place_at(row, 0, &found.tile, &place)) {
        return damage_fail(err, r->mesh, r->version, "the list of its tiles");
    }
    r->listed++;
    store_tile *tile =
        place.bytes > 0 ? store_append(row, &r->tiles, &r->used, sizeof(store_tile)) : NULL;
    if (tile == NULL) {
        return NAV_OK;
    }
    *tile = place;
    tile->report = NULL;
    tile->report_bytes = 0;
    return r->blobs != NULL
               ? store_blobs_read(r->blobs, found.blob, &tile->packed, &tile->packed_bytes, err)
               : NAV_OK;
}

static nav_status load_places_locked(store *disk, reading *r, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->reader.lock));
    nav_status status = NAV_OK;
    // The bytes are read while the statement is at its row: all of it is of one moment.
    store_statement s = store_prepare_locked(
        &disk->reader,
        "SELECT " STORE_PLACE_COLUMNS ", " STORE_TILE_COLUMNS
        " FROM meshes m JOIN version_tiles t ON t.mesh = m.id LEFT JOIN tiles c"
        " ON c.id = t.tile WHERE m.name = ? AND t.version = ? ORDER BY t.tile_z, t.tile_x");
    store_bind(&s, STORE_VALUES(STORE_TEXT(r->mesh), STORE_INT(r->version)));
    while (status == NAV_OK && store_step(&s)) {
        status = load_place(r, &s, err);
    }
    nav_status finished = store_finish(&s, "reading tiles", status == NAV_OK ? err : NULL);
    return status != NAV_OK ? status : finished;
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

// A row that is gone leaves no trace but its tile: then they are neither as many as the version
// has, nor together what it is named by. One of the two may be damaged itself.
static nav_status check_all_there(const store_version *row, const reading *r, nav_error *err)
{
    const char *named = row->blob_json != NULL ? strstr(row->blob_json, "\"sha256\"") : NULL;
    return r->listed == row->tiles_total || named == NULL ||
                   store_version_names(row, r->tiles, r->used)
               ? NAV_OK
               : damage_fail(err, row->mesh, row->version, "the list of its tiles");
}

static nav_status load_tiles(store *disk, const char *mesh, uint32_t version, bool bytes,
                             store_tile **out, size_t *count, nav_error *err)
{
    store_version row;
    nav_status status = get_ready(disk, mesh, version, &row, err);
    if (status != NAV_OK) {
        return status;
    }
    reading r = {.mesh = mesh, .version = version};
    (void)pthread_mutex_lock(&disk->reader.lock);
    store_blobs blobs = {.from = &disk->reader};
    r.blobs = bytes ? &blobs : NULL;
    status = load_places_locked(disk, &r, err);
    store_blobs_end(&blobs);
    (void)pthread_mutex_unlock(&disk->reader.lock);
    NAV_IF_OK(status, check_all_there(&row, &r, err));
    if (status == NAV_OK && !are_in_order(r.tiles, r.used)) {
        status = damage_fail(err, mesh, version, "the list of its tiles");
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
        store_tiles_free(r.tiles, r.used);
        return status;
    }
    *out = r.tiles;
    *count = r.used;
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

// The row's own copies of what it borrows, and its bytes. False without memory.
static nav_status take_row(store *disk, const store_tile_row *row, store_tile *out, nav_error *err)
{
    nav_status status = NAV_OK;
    *out = row->tile;
    out->report = malloc(row->tile.report_bytes + 1);
    if (out->report == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory to read a tile");
    }
    if (row->tile.report_bytes > 0) {
        memcpy(out->report, row->tile.report, row->tile.report_bytes);
    }
    if (row->blob != 0) {
        store_blobs blobs = {.from = &disk->reader};
        status = store_blobs_read(&blobs, row->blob, &out->packed, &out->packed_bytes, err);
        store_blobs_end(&blobs);
    }
    return status;
}

nav_status store_tile_find(store *disk, const char *mesh, uint32_t version, bool own,
                           const uint8_t key[32], store_tile *out, bool *found, nav_error *err)
{
    store_tile tile = {0};
    store_tile_row row;
    nav_status status = NAV_OK;
    bool there = false;
    // The last one that was stored: an earlier one has been damaged.
    store_statement s =
        own ? store_read(disk,
                         "SELECT " STORE_TILE_COLUMNS " FROM tiles c WHERE c.key = ?1 AND EXISTS"
                         " (SELECT 1 FROM version_tiles t JOIN meshes m ON m.id = t.mesh"
                         "  WHERE t.tile = c.id AND t.version = ?2 AND m.name = ?3)"
                         " ORDER BY c.id DESC LIMIT 1",
                         STORE_VALUES(STORE_BLOB(key, 32), STORE_INT(version), STORE_TEXT(mesh)))
            : store_read(disk,
                         "SELECT " STORE_TILE_COLUMNS " FROM tiles c WHERE c.key = ?1"
                         " ORDER BY c.id DESC LIMIT 1",
                         STORE_VALUES(STORE_BLOB(key, 32)));
    if (store_step(&s) && store_tile_row_at(&s, 0, &row)) {
        there = true;
        status = take_row(disk, &row, &tile, err);
    }
    nav_status finished = store_finish(&s, "looking for a tile", status == NAV_OK ? err : NULL);
    status = status != NAV_OK ? status : finished;
    if (status != NAV_OK || !there) {
        store_tile_empty(&tile);
        *found = false;
        return status;
    }
    tile.agent = out->agent;
    tile.x = out->x;
    tile.z = out->z;
    *out = tile;
    *found = true;
    return NAV_OK;
}
