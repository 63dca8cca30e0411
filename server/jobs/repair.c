// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// repair.c: damage on disk from its detection to its end:
//
//   detect   checksums and hashes, of rows at the start, of all bytes where a version is asked for
//   tell     log, damage_list: /v1/status, /readyz, /metrics, `error` of the version
//   bake     a tile in its place at the start, else the version (jobs/bake/bake.c), from stored
//            geometry and settings: a bake is a function of them
//   equal    older versions that are equal to one that was baked anew get what that has
//
// store/repair.c writes what comes of it.

#include "server/jobs/repair.h"

#include "proto/detour/detour.h"
#include "server/base/log.h"
#include "server/base/pack.h"
#include "server/jobs/jobs.h"
#include "server/meshes/load.h"
#include "server/meshes/registry.h"

#include <stdlib.h>
#include <string.h>

// How many of the versions that are equal to one baked anew are read to the last byte: the newest.
#define EQUALS_READ 4u

// ---- detect ----

// Whether the tiles together are what the version is named by.
static nav_status check_name(const store_version *row, const store_tile *tiles, size_t count,
                             nav_error *err)
{
    return store_version_names(row, tiles, count)
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
        if (tiles[i].packed == NULL ||
            !pack_has_hash(tiles[i].packed, tiles[i].packed_bytes, tiles[i].packed_hash)) {
            char words[STORE_TILE_WORDS_BYTES];
            status =
                damage_fail(err, row->mesh, row->version, "%s", store_tile_words(&tiles[i], words));
        }
    }
    NAV_IF_OK(status, check_name(row, tiles, count, err));
    store_tiles_free(tiles, count);
    return status;
}

static nav_status check_landmarks(store *disk, const store_version *row, uint32_t agent,
                                  nav_error *err)
{
    store_landmarks stored = {.agent = agent};
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
    NAV_IF_OK(status, check_equal(&row, like, err));
    NAV_IF_OK(status, check_tiles(disk, &row, err));
    const uint32_t agents = row.agents_json != NULL ? NAV_BODIES_MAX : 1;
    for (uint32_t agent = 0; status == NAV_OK && agent < agents; agent++) {
        status = check_landmarks(disk, &row, agent, err);
    }
    NAV_IF_OK(status, check_input(disk, &row, err));
    store_version_free(&row);
    return status;
}

// ---- tell, and have it baked again ----

void repair_version(service *s, const char *mesh, uint32_t version, nav_error *why)
{
    damage_list_entry known;
    if (s->damage_list == NULL) {
        return;
    }
    if (damage_list_get(s->damage_list, mesh, version, &known)) {
        if (known.repairing) {
            damage_is_repaired(why);
        }
        return;
    }
    nav_error told = *why;
    damage_is_repaired(&told);
    if (!damage_list_add(s->damage_list, mesh, version, told.detail)) {
        return; // another thread was here first, or there is too much damage to keep in mind
    }
    if (jobs_repair(s->jobs, mesh, version) != NAV_OK) {
        damage_list_clear(s->damage_list, mesh, version);
        return;
    }
    log_error("version_damaged", "mesh=%s version=%u detail=\"%s\"", mesh, version, told.detail);
    *why = told;
}

// ---- all versions, at the start ----

static void leave(service *s, const char *mesh, uint32_t version, const char *detail)
{
    damage_list_leave(s->damage_list, mesh, version, detail);
    log_error("version_not_repaired", "mesh=%s version=%u detail=\"%s\"", mesh, version, detail);
}

static void look_at_version(service *s, const store_version *row)
{
    nav_error why = {0};
    if (row->version == 0) { // nobody can ask for it
        log_error("version_not_repaired", "mesh=%s detail=\"the number of a version is damaged\"",
                  row->mesh);
        return;
    }
    if (row->state == STORE_READY && repair_look(s->store, row, &why) == PROTO_INTERNAL) {
        repair_version(s, row->mesh, row->version, &why);
    } else if (row->state != STORE_READY && row->damaged != NULL) {
        (void)damage_fail(&why, row->mesh, row->version, "%s", row->damaged);
        leave(s, row->mesh, row->version, why.detail);
    }
}

static void look_at_mesh(service *s, const char *mesh)
{
    nav_error why = {0};
    store_version *rows = NULL;
    size_t count = 0;
    char *checks = NULL;
    if (store_checks_get(s->store, mesh, &checks, &why) == PROTO_INTERNAL) {
        damage_list_leave(s->damage_list, mesh, 0, why.detail);
        log_error("checks_damaged", "mesh=%s detail=\"%s\"", mesh, why.detail);
    }
    free(checks);
    if (store_version_list(s->store, mesh, &rows, &count, &why) == NAV_OK) {
        for (size_t i = 0; i < count; i++) {
            look_at_version(s, &rows[i]);
        }
        store_versions_free(rows, count);
    }
}

// A question to a mesh waits for its live version, and so does /readyz.
static uint32_t watch_live(service *s, void (*done)(void *user), void *user)
{
    uint32_t pending = 0;
    size_t count;
    damage_list_entry *all = damage_list_all(s->damage_list, &count);
    for (size_t i = 0; all != NULL && i < count; i++) {
        store_mesh row;
        uint32_t loaded = 0;
        nav_error ignored;
        nav_mesh *mesh = registry_acquire(s->registry, all[i].mesh, &loaded);
        nav_mesh_release(mesh);
        if (all[i].repairing && mesh == NULL &&
            store_mesh_get(s->store, all[i].mesh, &row, &ignored) == NAV_OK &&
            row.active == all[i].version) {
            pending += jobs_watch(s->jobs, all[i].mesh, all[i].version, done, user);
        }
    }
    free(all);
    return pending;
}

void repair_begin(service *s, void (*done)(void *user), void *user, uint32_t *pending)
{
    store_mesh *meshes = NULL;
    size_t count = 0;
    nav_error why = {0};
    *pending = 0;
    if (s->damage_list == NULL) {
        return;
    }
    if (store_mesh_list(s->store, &meshes, &count, &why) != NAV_OK) {
        log_error("versions_not_looked_at", "detail=\"%s\"", why.detail);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        look_at_mesh(s, meshes[i].name);
    }
    free(meshes);
    *pending = watch_live(s, done, user);
}

// ---- the end ----

void repair_end(service *s, const char *mesh, uint32_t version, nav_status status,
                const nav_error *why)
{
    nav_error told = {0};
    switch (status) {
    case NAV_OK:
        log_info("version_repaired", "mesh=%s version=%u by=%u", mesh, version, version);
        damage_list_clear(s->damage_list, mesh, version);
        break;
    case NAV_CANCELLED: // the daemon stops: the next start finds it again
    case PROTO_MESH_NOT_FOUND:
    case PROTO_VERSION_NOT_FOUND:
    case PROTO_VERSION_NOT_READY:
        damage_list_clear(s->damage_list, mesh, version);
        break;
    case PROTO_INTERNAL: // a sentence of store/repair.c
    case PROTO_STORE_UNAVAILABLE:
        leave(s, mesh, version, why->detail);
        break;
    default:
        (void)damage_fail(&told, mesh, version, "baked again: %s; the next start tries anew",
                          proto_status_word(status));
        leave(s, mesh, version, told.detail);
    }
}

void repair_forget_removed(service *s, const char *mesh)
{
    size_t count;
    if (damage_list_count(s->damage_list) == 0) {
        return;
    }
    damage_list_entry *all = damage_list_all(s->damage_list, &count);
    for (size_t i = 0; all != NULL && i < count; i++) {
        store_version row;
        nav_error why;
        if (strcmp(all[i].mesh, mesh) != 0 || all[i].version == 0) {
            continue;
        }
        const nav_status status = store_version_get(s->store, mesh, all[i].version, &row, &why);
        if (status == NAV_OK) {
            store_version_free(&row);
        } else if (status == PROTO_VERSION_NOT_FOUND || status == PROTO_MESH_NOT_FOUND) {
            damage_list_clear(s->damage_list, mesh, all[i].version);
        }
    }
    free(all);
}

// ---- a tile, baked again in its place ----

// The input of a tile's bake; made for the first damaged one.
typedef struct source {
    const char *mesh;
    uint32_t version;
    const nav_bake_hooks *hooks;
    bool loaded;
    proto_geometry_reader *reader;
    nav_geometry geometry; // borrowed from reader
    proto_detour *import;  // its tiles, where it has those and no triangles
    nav_arena settings, index_arena, scratch;
    nav_config config;
    nav_grid grid;
    nav_tile_index index;
} source;

static void source_free(source *from)
{
    proto_detour_close(from->import);
    proto_geometry_destroy(from->reader);
    nav_arena_free(&from->settings);
    nav_arena_free(&from->index_arena);
    nav_arena_free(&from->scratch);
}

static nav_status source_plan(source *from, uint64_t memory_bytes, nav_error *err)
{
    size_t source_bytes;
    const void *tiles = proto_geometry_source(from->reader, &source_bytes);
    if (tiles != NULL) {
        return proto_detour_open(tiles, source_bytes, from->hooks, &from->import, err);
    }
    nav_status status = proto_geometry_to_mesh(from->reader, from->config.coordinates, err);
    NAV_IF_OK(status, nav_bake_plan_until(&from->geometry, &from->config, memory_bytes, from->hooks,
                                          &from->grid, err));
    if (status != NAV_OK) {
        return status;
    }
    const nav_grid widest = nav_grid_widest(&from->grid, &from->config);
    return nav_bake_index(&from->geometry, &widest, from->hooks, &from->index_arena, &from->index,
                          err);
}

static nav_status source_load(source *from, store *disk, uint64_t memory_bytes, nav_error *err)
{
    if (from->loaded) {
        return NAV_OK;
    }
    nav_status status =
        load_config(disk, from->mesh, from->version, &from->settings, &from->config, NULL, err);
    NAV_IF_OK(status, load_geometry(disk, from->mesh, from->version, from->hooks, &from->reader,
                                    &from->geometry, err));
    NAV_IF_OK(status, source_plan(from, memory_bytes, err));
    from->loaded = status == NAV_OK;
    return status;
}

// By either hash: one that is damaged itself is no better.
static nav_status check_bytes(const store_tile *tile, bool *whole, nav_error *err)
{
    const nav_status status =
        pack_check_alone(tile->packed, tile->packed_bytes, tile->bytes, tile->hash);
    *whole = status == NAV_OK && pack_has_hash(tile->packed, tile->packed_bytes, tile->packed_hash);
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

// The tile that is there now by the plan. Planned anew the world may have other tiles, where the
// memory for a bake was changed.
static nav_status bake_again(source *from, const store_tile *tile, nav_arena *result, nav_blob *out,
                             nav_error *err)
{
    if (tile->agent > from->config.agent_count || tile->x >= from->grid.tiles_x ||
        tile->z >= from->grid.tiles_z) {
        return damage_fail(err, from->mesh, from->version,
                           "tile %u,%u, and no tile of the plan now", tile->x, tile->z);
    }
    const nav_config config = nav_config_of_body(&from->config, tile->agent);
    const nav_grid grid = nav_grid_of_body(&from->grid, &from->config, tile->agent);
    return nav_bake_tile(&from->geometry, &config, &grid, &from->index, tile->x, tile->z,
                         from->hooks, &from->scratch, result, out, NULL, err);
}

static nav_status import_again(source *from, const store_tile *tile, nav_arena *result,
                               nav_blob *out, nav_error *err)
{
    const uint32_t count = proto_detour_count(from->import).tiles;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t x, z;
        proto_detour_place(from->import, i, &x, &z);
        if (x == tile->x && z == tile->z) {
            return proto_detour_tile(from->import, i, &from->config, from->hooks, &from->scratch,
                                     result, out, NULL, err);
        }
    }
    return damage_fail(err, from->mesh, from->version, "tile %u,%u, and no tile of its file",
                       tile->x, tile->z);
}

static nav_status rebake(source *from, store *disk, store_tile *tile, nav_error *err)
{
    nav_arena result;
    nav_arena_init(&result, NULL, 0);
    nav_blob blob = {0};
    nav_status status =
        (from->import != NULL ? import_again : bake_again)(from, tile, &result, &blob, err);
    NAV_IF_OK(status, check_hash(from, tile, blob, err));
    store_tile repaired = *tile;
    repaired.packed = NULL;
    repaired.bytes = blob.size_bytes;
    NAV_IF_OK(status, pack_compress_until(blob.bytes, blob.size_bytes, from->hooks,
                                          &repaired.packed, &repaired.packed_bytes, err));
    if (status == NAV_OK) {
        store_tile_hash_packed(&repaired);
        status = store_tile_repair(disk, &repaired, err);
    }
    free(repaired.packed);
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
    NAV_IF_OK(status, rebake(from, disk, tile, err));
    if (status == NAV_OK) {
        log_info("blob_repaired", "mesh=%s version=%u tile=%u,%u sha256=%s", from->mesh,
                 from->version, tile->x, tile->z, hex);
    }
    return status;
}

nav_status repair_tiles(store *disk, const char *mesh, uint32_t version, uint64_t memory_bytes,
                        const nav_bake_hooks *hooks, uint32_t *repaired, nav_error *err)
{
    store_tile *tiles = NULL;
    size_t count = 0;
    *repaired = 0;
    nav_status status = store_tiles_load(disk, mesh, version, &tiles, &count, err);
    if (status != NAV_OK) {
        return status;
    }
    source from = {.mesh = mesh, .version = version, .hooks = hooks};
    nav_arena_init(&from.settings, NULL, LIMIT_CONFIG_MEMORY_BYTES);
    nav_arena_init(&from.index_arena, NULL, (size_t)memory_bytes);
    nav_arena_init(&from.scratch, NULL, (size_t)memory_bytes);
    for (size_t i = 0; status == NAV_OK && i < count; i++) {
        bool whole;
        status = check_bytes(&tiles[i], &whole, err);
        if (status != NAV_OK || whole) {
            continue;
        }
        status = repair_tile(&from, disk, &tiles[i], memory_bytes, err);
        *repaired += status == NAV_OK;
    }
    if (*repaired > 0) {
        nav_status swept = store_orphans_sweep(disk, status == NAV_OK ? err : NULL);
        status = status != NAV_OK ? status : swept;
    }
    source_free(&from);
    store_tiles_free(tiles, count);
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
        status = store_version_repair_from(disk, mesh, version, equals[i], &err);
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
