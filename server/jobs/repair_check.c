// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// repair_check.c: whether a version is whole on disk, and older ones made whole by a new one that
// is equal to them.

#include "server/jobs/repair.h"

#include "server/store/damage.h"
#include "server/meshes/load.h"
#include "server/base/log.h"
#include "server/base/pack.h"

#include <stdlib.h>
#include <string.h>

// Versions equal to one that was baked anew of which every byte is read.
#define EQUALS_READ 4u

// By the hash of its packed bytes, if there is one: they are fewer.
static nav_status check_packed(const store_tile *tile, nav_error *err)
{
    const uint8_t *packed_hash = tile->has_packed_hash ? tile->packed_hash : NULL;
    if (packed_hash != NULL || tile->packed == NULL) {
        return tile->packed != NULL && pack_has_hash(tile->packed, tile->packed_bytes, packed_hash)
                   ? NAV_OK
                   : PROTO_BAD_ZSTD;
    }
    void *bytes = NULL;
    nav_status status =
        pack_decompress(tile->packed, tile->packed_bytes, (size_t)tile->bytes, &bytes, err);
    if (status == NAV_OK && !pack_has_hash(bytes, (size_t)tile->bytes, tile->hash)) {
        status = PROTO_BAD_ZSTD;
    }
    free(bytes);
    return status;
}

// Whether the tiles together are what the version is named by.
static nav_status check_name(const store_version *row, const store_tile *tiles, size_t count,
                             nav_error *err)
{
    uint8_t name[32];
    char hex[65];
    store_tiles_name(tiles, count, name);
    nav_sha256_hex(name, hex);
    return row->blob_json != NULL && strstr(row->blob_json, hex) != NULL
               ? NAV_OK
               : damage_fail(err, row->mesh, row->version, "tiles that are not the ones it names");
}

nav_status repair_look(store *disk, const store_version *row, nav_error *err)
{
    store_tile *tiles = NULL;
    size_t count = 0;
    if (row->damaged != NULL) {
        return damage_fail(err, row->mesh, row->version, "%s", row->damaged);
    }
    nav_status status = store_tiles_list(disk, row->mesh, row->version, &tiles, &count, err);
    if (status == NAV_OK) {
        status = check_name(row, tiles, count, err);
        store_tiles_free(tiles, count);
    }
    return status;
}

static nav_status check_tiles(store *disk, const store_version *row, nav_error *err)
{
    store_tile *tiles = NULL;
    size_t count = 0;
    nav_status status = store_tiles_load(disk, row->mesh, row->version, &tiles, &count, err);
    if (status != NAV_OK) {
        return status;
    }
    for (size_t i = 0; status == NAV_OK && i < count; i++) {
        status = check_packed(&tiles[i], err);
        if (status == PROTO_BAD_ZSTD) {
            status =
                damage_fail(err, row->mesh, row->version, "tile %u,%u", tiles[i].x, tiles[i].z);
        }
    }
    if (status == NAV_OK) {
        status = check_name(row, tiles, count, err);
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
        if (status == PROTO_BAD_ZSTD || (status == NAV_OK && !nav_landmarks_are_whole(blob))) {
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

// An upload with reuse=0 leaves many equal versions, of which all but the newest are looked at
// only: their tiles are its own, which have just been written.
static bool is_damaged(const repair_equals_of *of, uint32_t version, bool newest,
                       const repair_like *like)
{
    nav_error why = {0};
    damage_list_entry known;
    store_version row;
    if (of->all || newest || damage_list_get(of->damage_list, of->mesh, version, &known)) {
        return repair_check(of->disk, of->mesh, version, like, &why) == PROTO_INTERNAL;
    }
    if (store_version_get(of->disk, of->mesh, version, &row, &why) != NAV_OK) {
        return false;
    }
    const bool damaged = repair_look(of->disk, &row, &why) == PROTO_INTERNAL;
    store_version_free(&row);
    return damaged;
}

void repair_equals(const repair_equals_of *of)
{
    store *disk = of->disk;
    const char *mesh = of->mesh;
    const uint32_t version = of->version;
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
        if (!is_damaged(of, equals[i], i + EQUALS_READ >= count, &like)) {
            continue;
        }
        status = store_version_heal(disk, mesh, version, equals[i], &err);
        if (status == NAV_OK) {
            log_info("version_repaired", "mesh=%s version=%u by=%u", mesh, equals[i], version);
            damage_list_clear(of->damage_list, mesh, equals[i]);
        }
    }
    if (status != NAV_OK) {
        log_error("version_not_repaired", "mesh=%s by=%u detail=\"%s\"", mesh, version, err.detail);
    }
    store_version_free(&whole);
    free(equals);
}
