// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// store_tiles.c: tiles and their blobs: a version's own, and any version's by key. A blob is stored
// once, whichever versions have it. Tiles of a bake that still runs belong to its version already:
// what references a blob is always a version, and what no version references goes with the version
// that did so last.

#include "server/store_db.h"

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

// ---- reading ----

static void read_packed_hash(store_statement *s, int column, store_tile *tile)
{
    tile->has_packed_hash = sqlite3_column_bytes(s->sql, column) == 32;
    store_column_hash(s, column, tile->packed_hash);
}

nav_status store_tiles_load(store *disk, const char *mesh, uint32_t version, store_tile **out,
                            size_t *count, nav_error *err)
{
    store_version row;
    nav_status status = store_version_get(disk, mesh, version, &row, err);
    if (status != NAV_OK) {
        return status;
    }
    store_state state = row.state;
    store_version_free(&row);
    if (state != STORE_READY) {
        return nav_fail(err, NAV_VERSION_NOT_READY, "version %u of mesh '%s' is %s", version, mesh,
                        store_state_word(state));
    }
    void *tiles = NULL;
    size_t used = 0;
    (void)pthread_mutex_lock(&disk->reader.lock);
    store_statement s = store_prepare_locked(
        &disk->reader,
        "SELECT t.tile_x, t.tile_z, b.hash, b.bytes, b.zstd, b.packed_hash FROM version_tiles t"
        " JOIN blobs b ON b.hash = t.blob_hash JOIN meshes m ON m.id = t.mesh"
        " WHERE m.name = ? AND t.version = ? ORDER BY t.tile_z, t.tile_x");
    store_bind_text(&s, 1, mesh);
    store_bind_int(&s, 2, version);
    while (store_step(&s)) {
        store_tile *tile = store_append(&s, &tiles, &used, sizeof(store_tile));
        if (tile != NULL) {
            tile->x = (uint32_t)sqlite3_column_int64(s.sql, 0);
            tile->z = (uint32_t)sqlite3_column_int64(s.sql, 1);
            store_column_hash(&s, 2, tile->hash);
            tile->bytes = (uint64_t)sqlite3_column_int64(s.sql, 3);
            tile->packed = store_column_blob(&s, 4, &tile->packed_bytes);
            read_packed_hash(&s, 5, tile);
        }
    }
    status = store_finish(&s, "reading tiles", err);
    (void)pthread_mutex_unlock(&disk->reader.lock);
    if (status != NAV_OK) {
        store_tiles_free(tiles, used);
        return status;
    }
    *out = tiles;
    *count = used;
    return NAV_OK;
}

nav_status store_tile_find(store *disk, const char *mesh, uint32_t version, bool own,
                           const uint8_t key[32], store_tile *out, bool *found, nav_error *err)
{
    store_tile tile = {.x = out->x, .z = out->z, .has_key = true};
    memcpy(tile.key, key, sizeof tile.key);
    (void)pthread_mutex_lock(&disk->reader.lock);
    store_statement s = store_prepare_locked(
        &disk->reader,
        own ? "SELECT t.blob_hash, t.report, b.bytes, b.zstd, b.packed_hash FROM version_tiles t "
              "JOIN meshes m"
              " ON m.id = t.mesh LEFT JOIN blobs b ON b.hash = t.blob_hash"
              " WHERE t.key = ? AND m.name = ? AND t.version = ?"
            : "SELECT t.blob_hash, t.report, b.bytes, b.zstd, b.packed_hash FROM version_tiles t"
              " LEFT JOIN blobs b ON b.hash = t.blob_hash WHERE t.key = ? LIMIT 1");
    store_bind_blob(&s, 1, key, 32);
    if (own) {
        store_bind_text(&s, 2, mesh);
        store_bind_int(&s, 3, version);
    }
    bool there = store_step(&s);
    if (there) {
        tile.report = store_column_blob(&s, 1, &tile.report_bytes);
        if (sqlite3_column_type(s.sql, 0) != SQLITE_NULL) {
            store_column_hash(&s, 0, tile.hash);
            tile.bytes = (uint64_t)sqlite3_column_int64(s.sql, 2);
            tile.packed = store_column_blob(&s, 3, &tile.packed_bytes);
            read_packed_hash(&s, 4, &tile);
        }
    }
    nav_status status = store_finish(&s, "looking for a tile", err);
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

// ---- writing ----

// A block that is there already stays as it is, unless it was damaged on disk.
#define UNLESS_DAMAGED " WHERE bytes IS NOT excluded.bytes OR zstd IS NOT excluded.zstd"

nav_status store_geometry_put_locked(store *disk, const store_upload *upload, nav_error *err)
{
    store_statement s = store_prepare_locked(
        &disk->writer,
        "INSERT INTO geometries(hash, bytes, zstd) VALUES (?, ?, ?) ON CONFLICT(hash) DO UPDATE"
        " SET bytes = excluded.bytes, zstd = excluded.zstd" UNLESS_DAMAGED);
    store_bind_blob(&s, 1, upload->geometry_hash, 32);
    store_bind_int(&s, 2, (int64_t)upload->geometry_unpacked_bytes);
    store_bind_blob(&s, 3, upload->geometry, upload->geometry_bytes);
    (void)store_step(&s);
    return store_finish(&s, "storing a geometry", err);
}

static void put_blob(store_statement *s, const store_tile *tile)
{
    store_bind_blob(s, 1, tile->hash, 32);
    store_bind_int(s, 2, (int64_t)tile->bytes);
    store_bind_blob(s, 3, tile->packed, tile->packed_bytes);
    store_bind_blob(s, 4, tile->has_packed_hash ? tile->packed_hash : NULL,
                    tile->has_packed_hash ? 32 : 0);
    (void)store_step(s);
    store_rewind(s);
}

static void put_tile(store_statement *s, int64_t mesh, uint32_t version, const store_tile *tile)
{
    store_bind_int(s, 1, mesh);
    store_bind_int(s, 2, version);
    store_bind_int(s, 3, tile->z);
    store_bind_int(s, 4, tile->x);
    store_bind_blob(s, 5, tile->has_key ? tile->key : NULL, tile->has_key ? 32 : 0);
    store_bind_blob(s, 6, tile->bytes > 0 ? tile->hash : NULL, tile->bytes > 0 ? 32 : 0);
    store_bind_blob(s, 7, tile->report, tile->report != NULL ? tile->report_bytes : 0);
    (void)store_step(s);
    store_rewind(s);
}

nav_status store_tiles_put_locked(store *disk, int64_t mesh, uint32_t version,
                                  const store_tile *tiles, size_t count, nav_error *err)
{
    // Tiles from the store bring their blob as well: it may have gone with its last version since.
    store_statement fresh = store_prepare_locked(
        &disk->writer,
        "INSERT INTO blobs(hash, bytes, zstd, packed_hash) VALUES (?, ?, ?, ?) ON CONFLICT(hash)"
        " DO UPDATE SET bytes = excluded.bytes, zstd = excluded.zstd,"
        " packed_hash = excluded.packed_hash" UNLESS_DAMAGED);
    store_statement known = store_prepare_locked(
        &disk->writer, "INSERT INTO blobs(hash, bytes, zstd, packed_hash) VALUES (?, ?, ?, ?)"
                       " ON CONFLICT(hash) DO NOTHING");
    store_statement rows = store_prepare_locked(
        &disk->writer, "INSERT OR REPLACE INTO version_tiles(mesh, version, tile_z, tile_x, key,"
                       " blob_hash, report) VALUES (?, ?, ?, ?, ?, ?, ?)");
    for (size_t i = 0; i < count; i++) {
        const store_tile *tile = &tiles[i];
        if (tile->bytes > 0) {
            put_blob(tile->reused ? &known : &fresh, tile);
        }
        put_tile(&rows, mesh, version, tile);
    }
    nav_status status = store_finish(&fresh, "storing a blob", err);
    nav_status known_status = store_finish(&known, "storing a blob", err);
    nav_status rows_status = store_finish(&rows, "storing a tile", err);
    status = status != NAV_OK ? status : known_status;
    return status != NAV_OK ? status : rows_status;
}

nav_status store_tiles_put(store *disk, const char *name, uint32_t version, const store_tile *tiles,
                           size_t count, nav_error *err)
{
    store_mesh_row mesh;
    bool queued = false, activate;
    (void)pthread_mutex_lock(&disk->writer.lock);
    nav_status status = store_begin_locked(disk, err);
    if (status == NAV_OK) {
        status = store_mesh_row_locked(disk, name, &mesh, err);
        if (status == NAV_OK) {
            status = store_is_queued_locked(disk, mesh.id, version, &queued, &activate, err);
        }
        if (status == NAV_OK && !queued) {
            status = nav_fail(err, NAV_CANCELLED, "the version was cancelled or removed");
        } else if (status == NAV_OK) {
            status = store_tiles_put_locked(disk, mesh.id, version, tiles, count, err);
        }
        status = store_end_locked(disk, status, err);
    }
    (void)pthread_mutex_unlock(&disk->writer.lock);
    return status;
}

nav_status store_blob_repair(store *disk, const store_tile *tile, nav_error *err)
{
    (void)pthread_mutex_lock(&disk->writer.lock);
    store_statement s = store_prepare_locked(
        &disk->writer, "UPDATE blobs SET bytes = ?2, zstd = ?3, packed_hash = ?4 WHERE hash = ?1");
    put_blob(&s, tile);
    nav_status status = store_finish(&s, "repairing a blob", err);
    (void)pthread_mutex_unlock(&disk->writer.lock);
    return status;
}
