// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// repair.c: a damaged blob comes back. A bake is a function of geometry and settings, which are
// stored beside it: what it gives must have the name that the blob has.

#include "server/repair.h"

#include "server/damage.h"
#include "server/load.h"
#include "server/log.h"
#include "server/pack.h"

#include <stdlib.h>
#include <string.h>

// What a tile is baked from; made for the first damaged one.
typedef struct source {
    const char *mesh;
    uint32_t version;
    const nav_bake_hooks *hooks;
    bool loaded;
    proto_geometry_reader *reader;
    nav_geometry geometry; // borrowed from reader
    nav_arena settings, index_arena, scratch;
    nav_config config;
    nav_grid grid;
    nav_tile_index index;
} source;

static void source_free(source *from)
{
    proto_geometry_destroy(from->reader);
    nav_arena_free(&from->settings);
    nav_arena_free(&from->index_arena);
    nav_arena_free(&from->scratch);
}

static nav_status source_load(source *from, store *disk, uint64_t memory_bytes, nav_error *err)
{
    if (from->loaded) {
        return NAV_OK;
    }
    nav_status status =
        load_config(disk, from->mesh, from->version, &from->settings, &from->config, NULL, err);
    if (status == NAV_OK) {
        status = load_geometry(disk, from->mesh, from->version, from->hooks, &from->reader,
                               &from->geometry, err);
    }
    if (status == NAV_OK) {
        proto_geometry_to_mesh(from->reader, from->config.coordinates);
        status = nav_bake_plan_until(&from->geometry, &from->config, memory_bytes, from->hooks,
                                     &from->grid, err);
    }
    if (status == NAV_OK) {
        status = nav_bake_index(&from->geometry, &from->grid, from->hooks, &from->index_arena,
                                &from->index, err);
    }
    from->loaded = status == NAV_OK;
    return status;
}

// By the hash of its packed bytes, if there is one: they are fewer.
static bool is_whole_packed(const store_tile *tile)
{
    const uint8_t *packed_hash = tile->has_packed_hash ? tile->packed_hash : NULL;
    if (packed_hash != NULL || tile->packed == NULL) {
        return tile->packed != NULL && pack_has_hash(tile->packed, tile->packed_bytes, packed_hash);
    }
    void *bytes = NULL;
    const bool whole = pack_decompress(tile->packed, tile->packed_bytes, (size_t)tile->bytes,
                                       &bytes, NULL) == NAV_OK &&
                       pack_has_hash(bytes, (size_t)tile->bytes, tile->hash);
    free(bytes);
    return whole;
}

// By either hash: one that is damaged itself is no better.
static bool is_whole(const store_tile *tile)
{
    const uint8_t *packed_hash = tile->has_packed_hash ? tile->packed_hash : NULL;
    const size_t size_bytes = (size_t)tile->bytes;
    const bool possible = pack_can_hold(tile->packed_bytes, tile->bytes);
    void *bytes = possible ? malloc(size_bytes + 1) : NULL;
    bool whole = bytes != NULL && pack_is_whole(tile->packed, tile->packed_bytes, size_bytes,
                                                packed_hash, tile->hash, bytes);
    whole = whole &&
            pack_is_whole(tile->packed, tile->packed_bytes, size_bytes, NULL, tile->hash, bytes);
    free(bytes);
    return whole;
}

static nav_status check_hash(const source *from, const store_tile *tile, nav_blob blob,
                             nav_error *err)
{
    uint8_t digest[32];
    nav_sha256 hash;
    nav_sha256_init(&hash);
    nav_sha256_add(&hash, blob.bytes, blob.size_bytes);
    nav_sha256_end(&hash, digest);
    return memcmp(digest, tile->hash, sizeof digest) == 0
               ? NAV_OK
               : damage_fail(err, from->mesh, from->version,
                             "tile %u,%u, and its bake gives other bytes", tile->x, tile->z);
}

static nav_status rebake(source *from, store *disk, store_tile *tile, nav_error *err)
{
    nav_arena result;
    nav_arena_init(&result, NULL, 0);
    nav_blob blob = {0};
    // Planned anew the world may have other tiles, where the memory for a bake was changed.
    nav_status status =
        tile->x < from->grid.tiles_x && tile->z < from->grid.tiles_z
            ? nav_bake_tile(&from->geometry, &from->config, &from->grid, &from->index, tile->x,
                            tile->z, from->hooks, &from->scratch, &result, &blob, NULL, err)
            : damage_fail(err, from->mesh, from->version, "tile %u,%u, and no tile of the plan now",
                          tile->x, tile->z);
    if (status == NAV_OK) {
        status = check_hash(from, tile, blob, err);
    }
    store_tile healed = *tile;
    healed.packed = NULL;
    healed.bytes = blob.size_bytes;
    if (status == NAV_OK) {
        status = pack_compress_until(blob.bytes, blob.size_bytes, from->hooks, &healed.packed,
                                     &healed.packed_bytes, err);
    }
    if (status == NAV_OK) {
        store_tile_hash_packed(&healed);
        status = store_blob_repair(disk, &healed, err);
        tile->place = healed.place;
    }
    free(healed.packed);
    nav_arena_free(&result);
    return status;
}

static nav_status repair_tile(source *from, store *disk, store_tile *tile, uint64_t memory_bytes,
                              nav_error *err)
{
    char hex[65];
    nav_sha256_hex(tile->hash, hex);
    log_error("blob_damaged", "mesh=%s version=%u tile=%u,%u sha256=%s detail=\"%s\"", from->mesh,
              from->version, tile->x, tile->z, hex, "it is baked again");
    nav_status status = source_load(from, disk, memory_bytes, err);
    if (status == NAV_OK) {
        status = rebake(from, disk, tile, err);
    }
    if (status == NAV_OK) {
        log_info("blob_repaired", "mesh=%s version=%u tile=%u,%u sha256=%s", from->mesh,
                 from->version, tile->x, tile->z, hex);
    }
    return status;
}

nav_status repair_version(store *disk, const char *mesh, uint32_t version, uint64_t memory_bytes,
                          const nav_bake_hooks *hooks, uint32_t *repaired, nav_error *err)
{
    store_tile *tiles = NULL;
    size_t count = 0;
    nav_status status = store_tiles_load(disk, mesh, version, &tiles, &count, err);
    if (status != NAV_OK) {
        return status;
    }
    source from = {.mesh = mesh, .version = version, .hooks = hooks};
    nav_arena_init(&from.settings, NULL, LIMIT_CONFIG_MEMORY_BYTES);
    nav_arena_init(&from.index_arena, NULL, (size_t)memory_bytes);
    nav_arena_init(&from.scratch, NULL, (size_t)memory_bytes);
    *repaired = 0;
    for (size_t i = 0; status == NAV_OK && i < count; i++) {
        const uint64_t before = tiles[i].place;
        if (is_whole(&tiles[i])) {
            continue;
        }
        status = repair_tile(&from, disk, &tiles[i], memory_bytes, err);
        *repaired += status == NAV_OK;
        for (size_t k = i + 1; k < count; k++) {
            tiles[k].place = store_place_follow(tiles[k].place, before, tiles[i].place);
        }
    }
    source_free(&from);
    store_tiles_free(tiles, count);
    return status;
}

// ---- whether there is anything to repair ----

static nav_status check_tiles(store *disk, const store_version *row, nav_error *err)
{
    store_tile *tiles = NULL;
    size_t count = 0;
    nav_status status = store_tiles_load(disk, row->mesh, row->version, &tiles, &count, err);
    if (status != NAV_OK) {
        return status;
    }
    for (size_t i = 0; status == NAV_OK && i < count; i++) {
        if (!is_whole_packed(&tiles[i])) {
            status =
                damage_fail(err, row->mesh, row->version, "tile %u,%u", tiles[i].x, tiles[i].z);
        }
    }
    uint8_t name[32];
    char hex[65];
    store_tiles_name(tiles, count, name);
    nav_sha256_hex(name, hex);
    if (status == NAV_OK && (row->blob_json == NULL || strstr(row->blob_json, hex) == NULL)) {
        status = damage_fail(err, row->mesh, row->version, "tiles that are not the ones it names");
    }
    store_tiles_free(tiles, count);
    return status;
}

static nav_status check_landmarks(store *disk, const store_version *row, nav_error *err)
{
    store_landmarks stored = {0};
    void *bytes = NULL;
    nav_status status = store_landmarks_load(disk, row->mesh, row->version, &stored, err);
    if (status == NAV_OK && stored.packed != NULL) {
        status =
            pack_decompress(stored.packed, stored.packed_bytes, (size_t)stored.bytes, &bytes, err);
        const nav_blob blob = {.bytes = bytes, .size_bytes = (size_t)stored.bytes};
        if (status == NAV_BAD_ZSTD || (status == NAV_OK && !nav_landmarks_are_whole(blob))) {
            status = damage_fail(err, row->mesh, row->version, "its landmarks");
        }
    }
    free(bytes);
    free(stored.packed);
    return status;
}

static nav_status check_input(store *disk, const store_version *row, nav_error *err)
{
    nav_arena memory;
    nav_config config;
    void *geometry = NULL;
    size_t geometry_bytes = 0;
    nav_arena_init(&memory, NULL, LIMIT_CONFIG_MEMORY_BYTES);
    nav_status status = load_config(disk, row->mesh, row->version, &memory, &config, NULL, err);
    nav_arena_free(&memory);
    if (status == NAV_OK) {
        status =
            load_geometry_bytes(disk, row->mesh, row->version, &geometry, &geometry_bytes, err);
        free(geometry);
    }
    return status;
}

static nav_status check_equal(const store_version *row, const repair_like *like, nav_error *err)
{
    const bool same =
        row->config_json != NULL && strcmp(row->config_json, like->config_json) == 0 &&
        memcmp(row->geometry_hash, like->geometry_hash, sizeof row->geometry_hash) == 0;
    return same ? NAV_OK
                : damage_fail(err, row->mesh, row->version,
                              "its settings or its geometry are another's");
}

nav_status repair_check(store *disk, const char *mesh, uint32_t version, const repair_like *like,
                        nav_error *err)
{
    store_version row;
    nav_status status = store_version_get(disk, mesh, version, &row, err);
    if (status != NAV_OK) {
        return status;
    }
    if (row.damaged != NULL) {
        status = damage_fail(err, mesh, version, "%s", row.damaged);
    }
    if (status == NAV_OK) {
        status = check_equal(&row, like, err);
    }
    if (status == NAV_OK) {
        status = check_tiles(disk, &row, err);
    }
    if (status == NAV_OK) {
        status = check_landmarks(disk, &row, err);
    }
    if (status == NAV_OK) {
        status = check_input(disk, &row, err);
    }
    store_version_free(&row);
    return status;
}

// ---- by an equal version ----

void repair_equals(store *disk, const char *mesh, uint32_t version)
{
    uint32_t *equals = NULL;
    size_t count = 0;
    nav_error err = {0};
    store_version whole = {0};
    nav_status status = store_equals_list(disk, mesh, version, &equals, &count, &err);
    if (status == NAV_OK && count > 0) {
        status = store_version_get(disk, mesh, version, &whole, &err);
    }
    if (status == NAV_OK && whole.damaged != NULL) {
        status = damage_fail(&err, mesh, version, "%s", whole.damaged);
    }
    const repair_like like = {.config_json = whole.config_json,
                              .geometry_hash = whole.geometry_hash};
    for (size_t i = 0; status == NAV_OK && i < count; i++) {
        if (repair_check(disk, mesh, equals[i], &like, &err) != NAV_INTERNAL) {
            continue;
        }
        status = store_version_heal(disk, mesh, version, equals[i], &err);
        if (status == NAV_OK) {
            log_info("version_repaired", "mesh=%s version=%u by=%u", mesh, equals[i], version);
        }
    }
    if (status != NAV_OK) {
        log_error("version_not_repaired", "mesh=%s by=%u detail=\"%s\"", mesh, version, err.detail);
    }
    store_version_free(&whole);
    free(equals);
}
