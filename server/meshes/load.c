// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// load.c: store --pack--> blobs --nav_mesh_create--> mesh. Nothing read from disk is trusted: the
// library verifies each tile, the protocol each triangle.

#include "server/meshes/load.h"

#include "proto/settings/config.h"
#include "server/base/limits.h"
#include "server/base/log.h"
#include "server/base/pack.h"

#include <stdlib.h>
#include <string.h>

static nav_status ask(const nav_bake_hooks *hooks, nav_error *err)
{
    return hooks != NULL && hooks->cancelled != NULL && hooks->cancelled(hooks->user)
               ? nav_fail(err, NAV_CANCELLED, "cancelled")
               : NAV_OK;
}

nav_status load_config_of(const store_version *row, nav_arena *memory, nav_config *out,
                          nav_error *err)
{
    *out = nav_config_default();
    const nav_status status =
        row->config_json != NULL
            ? proto_config_read(row->config_json, strlen(row->config_json), memory, out, err)
            : PROTO_BAD_JSON;
    return status == NAV_OK || status == NAV_NO_MEMORY
               ? status
               : damage_fail(err, row->mesh, row->version, "its settings");
}

nav_status load_config(store *disk, const char *mesh, uint32_t version, nav_arena *memory,
                       nav_config *out, nav_error *err)
{
    store_version row;
    nav_status status = store_version_get(disk, mesh, version, &row, err);
    if (status == NAV_OK) {
        status = load_config_of(&row, memory, out, err);
        store_version_free(&row);
    }
    return status;
}

nav_status load_landmarks(const store_landmarks *stored, nav_mesh *mesh, nav_error *err)
{
    void *bytes = NULL;
    nav_status status =
        pack_decompress(stored->packed, stored->packed_bytes, (size_t)stored->bytes, &bytes, err);
    if (status == NAV_OK) {
        const nav_blob blob = {.bytes = bytes, .size_bytes = (size_t)stored->bytes};
        status = nav_mesh_add_landmarks(mesh, blob, err);
    }
    free(bytes);
    return status;
}

// ---- out of the store ----

// nav_mesh_create checks the bytes by the checksum within each tile, which is of the unpacked bytes
// and a tenth of the work of a SHA-256.
static nav_status unpack_tile(const store_tile *from, load_tile *to, nav_error *err)
{
    void *bytes = NULL;
    const nav_status status =
        from->packed == NULL // the store has lost them
            ? PROTO_BAD_ZSTD
            : pack_decompress(from->packed, from->packed_bytes, (size_t)from->bytes, &bytes, err);
    *to = (load_tile){.agent = from->agent, .x = from->x, .z = from->z};
    to->blob = (nav_blob){.bytes = bytes, .size_bytes = (size_t)from->bytes};
    return status;
}

static nav_status fail_tile(const char *mesh, uint32_t version, const store_tile *tile,
                            nav_error *err)
{
    char words[STORE_TILE_WORDS_BYTES];
    (void)damage_fail(err, mesh, version, "%s", store_tile_words(tile, words));
    nav_error_at(err, "%s", words);
    return PROTO_INTERNAL;
}

static nav_status read_tiles(store *disk, const char *mesh, uint32_t version,
                             const nav_bake_hooks *hooks, load_stored *out, nav_error *err)
{
    store_tile *tiles = NULL;
    size_t count = 0;
    nav_status status = store_tiles_load(disk, mesh, version, &tiles, &count, err);
    if (status != NAV_OK) {
        return status;
    }
    load_tile *list = calloc(count + 1, sizeof *list);
    out->tiles = list;
    status = list != NULL ? NAV_OK : nav_fail(err, NAV_NO_MEMORY, "no memory to load a mesh");
    while (list != NULL && status == NAV_OK && out->tile_count < count) {
        const store_tile *tile = &tiles[out->tile_count];
        status = ask(hooks, err);
        NAV_IF_OK(status, unpack_tile(tile, &list[out->tile_count++], err));
        status = status == PROTO_BAD_ZSTD ? fail_tile(mesh, version, tile, err) : status;
    }
    store_tiles_free(tiles, count);
    return status;
}

static nav_status read_landmarks(store *disk, const char *mesh, uint32_t version, uint32_t agent,
                                 load_landmark *list, load_stored *out, nav_error *err)
{
    store_landmarks stored = {.agent = agent};
    void *bytes = NULL;
    nav_status status = store_landmarks_load(disk, mesh, version, &stored, err);
    const bool none = stored.packed != NULL && stored.packed_bytes == 0 && stored.bytes == 0;
    if (status != NAV_OK || none) {
        free(stored.packed);
        return status;
    }
    status = stored.packed == NULL ? PROTO_BAD_ZSTD
                                   : pack_decompress(stored.packed, stored.packed_bytes,
                                                     (size_t)stored.bytes, &bytes, err);
    free(stored.packed);
    if (status == NAV_OK) {
        list[out->landmark_count++] = (load_landmark){
            agent, stored.fingerprint, {.bytes = bytes, .size_bytes = (size_t)stored.bytes}};
    }
    out->landmarks_damaged |= status != NAV_OK && status != NAV_NO_MEMORY;
    return status == NAV_NO_MEMORY ? status : NAV_OK;
}

nav_status load_stored_read(store *disk, const char *mesh, uint32_t version,
                            const nav_bake_hooks *hooks, load_stored *out, nav_error *err)
{
    *out = (load_stored){0};
    nav_status status = read_tiles(disk, mesh, version, hooks, out, err);
    const uint32_t agents = out->tile_count > 0 ? out->tiles[out->tile_count - 1].agent + 1 : 0;
    if (status == NAV_OK && agents > NAV_ALL_AGENTS) {
        status = damage_fail(err, mesh, version, "the list of its tiles");
    }
    load_landmark *landmarks = calloc(agents + 1u, sizeof *landmarks);
    out->landmarks = landmarks;
    if (status == NAV_OK && landmarks == NULL) {
        status = nav_fail(err, NAV_NO_MEMORY, "no memory to load a mesh");
    }
    for (uint32_t agent = 0; status == NAV_OK && agent < agents; agent++) {
        status = read_landmarks(disk, mesh, version, agent, landmarks, out, err);
    }
    if (status != NAV_OK) {
        load_stored_free(out);
    }
    return status;
}

void load_stored_free(load_stored *stored)
{
    for (size_t i = 0; i < stored->tile_count; i++) {
        free((void *)(uintptr_t)stored->tiles[i].blob.bytes);
    }
    for (size_t i = 0; i < stored->landmark_count; i++) {
        free((void *)(uintptr_t)stored->landmarks[i].blob.bytes);
    }
    free((void *)(uintptr_t)stored->tiles);
    free((void *)(uintptr_t)stored->landmarks);
    *stored = (load_stored){0};
}

nav_status load_stored_check(store *disk, const char *mesh, uint32_t version,
                             const load_stored *stored, nav_error *err)
{
    store_tile *tiles = NULL;
    size_t count = 0;
    nav_status status = store_tiles_list(disk, mesh, version, &tiles, &count, err);
    for (size_t i = 0; status == NAV_OK && i < count && i < stored->tile_count; i++) {
        const nav_blob blob = stored->tiles[i].blob;
        status = pack_has_hash(blob.bytes, blob.size_bytes, tiles[i].hash)
                     ? NAV_OK
                     : fail_tile(mesh, version, &tiles[i], err);
    }
    store_tiles_free(tiles, count);
    return status;
}

// ---- meshes ----

// Landmarks that were made of another mesh, or by another build that makes them otherwise, are left
// out and count as damaged: the repair makes them anew.
static nav_status add_landmarks(load_stored *stored, uint32_t agent, nav_mesh *to, nav_error *err)
{
    nav_status status = NAV_OK;
    for (size_t i = 0; status == NAV_OK && i < stored->landmark_count; i++) {
        const load_landmark *marks = &stored->landmarks[i];
        if (marks->agent == agent) {
            status = nav_mesh_add_landmarks(to, marks->blob, err);
        }
    }
    stored->landmarks_damaged |= status == NAV_BAD_BLOB;
    return status == NAV_BAD_BLOB ? NAV_OK : status;
}

// A mesh on its way. blobs[i] is the one of tile i.
typedef struct creation {
    load_stored *stored;
    const nav_blob *blobs;
    const nav_config *config;
    const nav_bake_hooks *hooks;
} creation;

static nav_status create_agent(const creation *c, uint32_t agent, nav_mesh **out, nav_error *err)
{
    const load_stored *stored = c->stored;
    size_t begin = 0, end;
    while (begin < stored->tile_count && stored->tiles[begin].agent < agent) {
        begin++;
    }
    for (end = begin; end < stored->tile_count && stored->tiles[end].agent == agent; end++) {
    }
    const nav_config config = nav_config_of_agent(c->config, agent);
    if (begin == end) {
        return nav_fail(err, NAV_BAD_BLOB, "there are no tiles of agent %u", agent);
    }
    nav_status status = nav_mesh_create_until(c->blobs + begin, (uint32_t)(end - begin), &config, 0,
                                              c->hooks, NULL, out, NULL, err);
    return status == NAV_OK ? add_landmarks(c->stored, agent, *out, err) : status;
}

// Whoever has the default agent's mesh has those of all others.
static nav_status create_agents(const creation *c, nav_mesh **out, nav_error *err)
{
    nav_mesh *made = NULL, *agents[NAV_AGENTS_MAX] = {0};
    const uint32_t count = c->config->agent_count;
    nav_status status = create_agent(c, 0, &made, err);
    for (uint32_t i = 0; status == NAV_OK && i < count; i++) {
        status = create_agent(c, i + 1, &agents[i], err);
    }
    if (status == NAV_OK && count > 0 &&
        nav_mesh_add_agents(made, c->config->agents, agents, count) != NAV_OK) {
        status = nav_fail(err, NAV_NO_MEMORY, "no memory to load a mesh");
    }
    for (uint32_t i = 0; i < count; i++) {
        nav_mesh_release(agents[i]);
    }
    if (status != NAV_OK) {
        nav_mesh_release(made);
        return status;
    }
    *out = made;
    return NAV_OK;
}

// The settings give areas their costs, and the mesh its links and seeds.
static nav_status create(load_stored *stored, const nav_config *config, const nav_bake_hooks *hooks,
                         nav_mesh **out, nav_error *err)
{
    nav_blob *blobs = calloc(stored->tile_count + 1, sizeof *blobs);
    if (blobs == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory to load a mesh");
    }
    for (size_t i = 0; i < stored->tile_count; i++) {
        blobs[i] = stored->tiles[i].blob;
    }
    const creation c = {.stored = stored, .blobs = blobs, .config = config, .hooks = hooks};
    const nav_status status = create_agents(&c, out, err);
    free(blobs);
    return status;
}

nav_status load_mesh_of_stored(load_stored *stored, const char *config_json, nav_mesh **out,
                               nav_error *err)
{
    nav_arena memory;
    nav_config config = nav_config_default();
    nav_arena_init(&memory, NULL, LIMIT_CONFIG_MEMORY_BYTES);
    nav_status status = proto_config_read(config_json, strlen(config_json), &memory, &config, err);
    NAV_IF_OK(status, nav_config_check(&config, err));
    NAV_IF_OK(status, nav_config_check_links(&config, err));
    NAV_IF_OK(status, create(stored, &config, NULL, out, err));
    nav_arena_free(&memory);
    return status;
}

// The tile that the library would not take is named: the first whose bytes do not have their hash.
// If all have theirs, the library's words stay.
static nav_status name_damage(store *disk, const char *mesh, uint32_t version,
                              const load_stored *stored, nav_error *err)
{
    const nav_error why = err != NULL ? *err : (nav_error){0};
    const nav_status status = load_stored_check(disk, mesh, version, stored, err);
    return status == NAV_OK ? damage_fail(err, mesh, version, "%s", why.detail) : status;
}

nav_status load_mesh(store *disk, const char *mesh, uint32_t version, const nav_bake_hooks *hooks,
                     bool *landmarks_damaged, nav_mesh **out, nav_error *err)
{
    load_stored stored;
    nav_arena memory;
    nav_config config;
    nav_status status = load_stored_read(disk, mesh, version, hooks, &stored, err);
    if (status != NAV_OK) {
        return status;
    }
    nav_arena_init(&memory, NULL, LIMIT_CONFIG_MEMORY_BYTES);
    status = load_config(disk, mesh, version, &memory, &config, err);
    NAV_IF_OK(status, create(&stored, &config, hooks, out, err));
    nav_arena_free(&memory);
    status = status == NAV_BAD_BLOB ? name_damage(disk, mesh, version, &stored, err) : status;
    if (stored.landmarks_damaged) {
        // Searches are slower without them, and no worse.
        log_error("landmarks_damaged", "mesh=%s version=%u detail=\"%s\"", mesh, version,
                  "searches are slower without them");
    }
    if (landmarks_damaged != NULL) {
        *landmarks_damaged = stored.landmarks_damaged;
    }
    load_stored_free(&stored);
    return status;
}

nav_status load_geometry_bytes(store *disk, const char *mesh, uint32_t version, void **out,
                               size_t *size_bytes, nav_error *err)
{
    store_geometry stored;
    void *unpacked = NULL;
    nav_status status = store_geometry_load(disk, mesh, version, &stored, err);
    if (status != NAV_OK) {
        return status;
    }
    const size_t bytes = (size_t)stored.bytes;
    status = pack_decompress(stored.packed, stored.packed_bytes, bytes, &unpacked, err);
    free(stored.packed);
    if (status == NAV_OK && !pack_has_hash(unpacked, bytes, stored.hash)) {
        free(unpacked);
        status = PROTO_BAD_ZSTD;
    }
    if (status == NAV_OK) {
        *out = unpacked;
        *size_bytes = bytes;
    }
    return status == PROTO_BAD_ZSTD ? damage_fail(err, mesh, version, "its geometry") : status;
}

// Stored geometry on its way from the frame into the reader.
typedef struct pouring {
    proto_geometry_reader *reader;
    const nav_bake_hooks *hooks;
    nav_sha256 hash;
} pouring;

static nav_status pour(void *user, const void *bytes, size_t size_bytes, nav_error *err)
{
    pouring *p = user;
    nav_status status = ask(p->hooks, err);
    if (status == NAV_OK) {
        nav_sha256_add(&p->hash, bytes, size_bytes);
        status = proto_geometry_feed(p->reader, bytes, size_bytes, err);
    }
    return status;
}

// A piece is a millisecond's work, where all of a level would be a second's.
static nav_status pour_all(pouring *p, const store_geometry *stored, nav_error *err)
{
    const pack_limits limits = {.output_bytes_max = stored->bytes,
                                .window_bytes_max = PACK_WINDOW_BYTES,
                                .ratio_max = UINT64_MAX};
    pack_reader *unpacker = NULL;
    uint8_t digest[32];
    nav_status status = pack_reader_create(&limits, &unpacker, err);
    NAV_IF_OK(status,
              pack_reader_feed(unpacker, stored->packed, stored->packed_bytes, pour, p, err));
    NAV_IF_OK(status, pack_reader_end(unpacker, err));
    pack_reader_destroy(unpacker);
    nav_sha256_end(&p->hash, digest);
    return status == NAV_OK && memcmp(digest, stored->hash, sizeof digest) != 0 ? PROTO_BAD_ZSTD
                                                                                : status;
}

nav_status load_geometry(store *disk, const char *mesh, uint32_t version,
                         const nav_bake_hooks *hooks, proto_geometry_reader **reader,
                         nav_geometry *geometry, nav_error *err)
{
    store_geometry stored;
    nav_status status = store_geometry_load(disk, mesh, version, &stored, err);
    if (status != NAV_OK) {
        return status;
    }
    proto_geometry_limits limits = proto_geometry_limits_default();
    limits.coordinate_max = PROTO_LEVEL_COORDINATE_MAX;
    pouring p = {.hooks = hooks};
    nav_sha256_init(&p.hash);
    status = proto_geometry_begin(PROTO_FORMAT_UNKNOWN, &limits, &p.reader, err);
    NAV_IF_OK(status, pour_all(&p, &stored, err));
    free(stored.packed);
    NAV_IF_OK(status, proto_geometry_end_until(p.reader, hooks, geometry, err));
    if (status != NAV_OK) {
        proto_geometry_destroy(p.reader);
        return status == NAV_NO_MEMORY || status == NAV_CANCELLED
                   ? status
                   : damage_fail(err, mesh, version, "its geometry");
    }
    *reader = p.reader;
    return NAV_OK;
}
