// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// repair.c: a damaged blob comes back. A bake is a function of geometry and settings, which are
// stored beside it: what it gives must have the name that the blob has.

#include "server/jobs/repair.h"

#include "server/store/damage.h"
#include "server/meshes/load.h"
#include "server/base/log.h"
#include "server/base/pack.h"

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

// By either hash: one that is damaged itself is no better.
static nav_status check_bytes(const store_tile *tile, bool *whole, nav_error *err)
{
    const nav_status status =
        pack_check_alone(tile->packed, tile->packed_bytes, tile->bytes, tile->hash);
    *whole =
        status == NAV_OK && (!tile->has_packed_hash ||
                             pack_has_hash(tile->packed, tile->packed_bytes, tile->packed_hash));
    return status == NAV_NO_MEMORY ? nav_fail(err, status, "no memory to check a tile") : NAV_OK;
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
        bool whole;
        status = check_bytes(&tiles[i], &whole, err);
        if (status != NAV_OK || whole) {
            continue;
        }
        status = repair_tile(&from, disk, &tiles[i], memory_bytes, err);
        *repaired += status == NAV_OK;
    }
    source_free(&from);
    store_tiles_free(tiles, count);
    return status;
}
