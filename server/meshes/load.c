// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// load.c: store --pack--> blobs --nav_mesh_create--> mesh. Nothing read from disk is trusted: the
// library verifies each tile, the protocol each triangle.

#include "server/meshes/load.h"

#include "proto/settings/config.h"
#include "server/store/store.h"
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

static nav_status fail_tile(const store_tile *tile, nav_error *err)
{
    char hex[65], words[STORE_TILE_WORDS_BYTES];
    nav_sha256_hex(tile->hash, hex);
    nav_fail_at(err, NAV_BAD_BLOB, words, "%s", store_tile_words(tile, words));
    nav_error_got(err, "%.63s", hex);
    return NAV_BAD_BLOB;
}

// Unpacks all tiles into blobs, which the caller frees, on failure those before the damaged one.
// nav_mesh_create checks them by the checksum within each tile, which is of the unpacked bytes and
// a tenth of the work of a SHA-256.
static nav_status unpack_tiles(const store_tile *tiles, size_t count, const nav_bake_hooks *hooks,
                               nav_blob *blobs, nav_error *err)
{
    nav_status status = NAV_OK;
    for (size_t i = 0; status == NAV_OK && i < count; i++) {
        void *bytes = NULL;
        if (ask(hooks, err) != NAV_OK) {
            return NAV_CANCELLED;
        }
        if (tiles[i].packed == NULL) { // the store has lost its bytes
            return fail_tile(&tiles[i], err);
        }
        status = pack_decompress(tiles[i].packed, tiles[i].packed_bytes, (size_t)tiles[i].bytes,
                                 &bytes, err);
        blobs[i] = (nav_blob){.bytes = bytes, .size_bytes = (size_t)tiles[i].bytes};
        if (status == PROTO_BAD_ZSTD) {
            status = fail_tile(&tiles[i], err);
        }
    }
    return status;
}

// Names the tile that the library would not take: the first whose bytes do not have the hash that
// it is named by. If all have theirs, the library's words stay.
static nav_status name_damage(const store_tile *tiles, const nav_blob *blobs, size_t count,
                              nav_error *err)
{
    for (size_t i = 0; i < count; i++) {
        if (!pack_has_hash(blobs[i].bytes, blobs[i].size_bytes, tiles[i].hash)) {
            return fail_tile(&tiles[i], err);
        }
    }
    return NAV_BAD_BLOB;
}

nav_status load_config(store *disk, const char *mesh, uint32_t version, nav_arena *memory,
                       nav_config *out, bool *reuse, nav_error *err)
{
    store_version row;
    nav_status status = store_version_get(disk, mesh, version, &row, err);
    if (status != NAV_OK) {
        return status;
    }
    if (reuse != NULL) {
        *reuse = row.reuse;
    }
    *out = nav_config_default();
    status = row.config_json != NULL
                 ? proto_config_read(row.config_json, strlen(row.config_json), memory, out, err)
                 : PROTO_BAD_JSON;
    store_version_free(&row);
    return status == NAV_OK || status == NAV_NO_MEMORY
               ? status
               : damage_fail(err, mesh, version, "its settings");
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

static nav_status add_landmarks(store *disk, const char *mesh, uint32_t version, uint32_t agent,
                                nav_mesh *to, bool *landmarks_damaged, nav_error *err)
{
    store_landmarks stored = {.agent = agent};
    nav_status status = store_landmarks_load(disk, mesh, version, &stored, err);
    // Others were made in a former way, and are left out: the next bake of this mesh makes them
    // anew.
    if (status == NAV_OK && stored.packed != NULL &&
        stored.fingerprint == nav_landmarks_fingerprint(to)) {
        status = load_landmarks(&stored, to, err);
    }
    free(stored.packed);
    if (status == PROTO_BAD_ZSTD || status == NAV_BAD_BLOB) {
        // Searches are slower without them, and no worse.
        log_error("landmarks_damaged", "mesh=%s version=%u detail=\"%s\"", mesh, version,
                  "searches are slower without them");
        *landmarks_damaged = true;
        return NAV_OK;
    }
    return status;
}

// A version on its way from the store: blobs[i] is tiles[i], unpacked.
typedef struct loading {
    store *disk;
    const char *mesh;
    uint32_t version;
    const nav_bake_hooks *hooks;
    store_tile *tiles;
    nav_blob *blobs;
    size_t count;
    nav_config config;
    bool landmarks_damaged;
} loading;

static nav_status create_agent(void *user, uint32_t agent, nav_mesh **out, nav_error *err)
{
    loading *l = user;
    size_t count;
    const store_tile *tiles = store_tiles_of_agent(l->tiles, l->count, agent, &count);
    const nav_config config = nav_config_of_body(&l->config, agent);
    if (count == 0) {
        return damage_fail(err, l->mesh, l->version, "the list of its tiles");
    }
    nav_status status = nav_mesh_create_until(l->blobs + (tiles - l->tiles), (uint32_t)count,
                                              &config, l->hooks, NULL, out, NULL, err);
    return status == NAV_OK ? add_landmarks(l->disk, l->mesh, l->version, agent, *out,
                                            &l->landmarks_damaged, err)
                            : status;
}

// Makes the mesh of one agent.
typedef nav_status make_agent(void *user, uint32_t agent, nav_mesh **out, nav_error *err);

// Whoever has the default agent's mesh has those of all others.
static nav_status create_all(const nav_config *config, make_agent *make, void *user, nav_mesh **out,
                             nav_error *err)
{
    nav_mesh *made = NULL, *agents[NAV_AGENTS_MAX] = {0};
    const uint32_t count = config->agent_count;
    nav_status status = make(user, 0, &made, err);
    for (uint32_t i = 0; status == NAV_OK && i < count; i++) {
        status = make(user, i + 1, &agents[i], err);
    }
    if (status == NAV_OK && count > 0 &&
        nav_mesh_add_agents(made, config->agents, agents, count) != NAV_OK) {
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
static nav_status create_mesh(loading *l, nav_mesh **out, nav_error *err)
{
    nav_arena memory;
    nav_arena_init(&memory, NULL, LIMIT_CONFIG_MEMORY_BYTES);
    nav_status status = load_config(l->disk, l->mesh, l->version, &memory, &l->config, NULL, err);
    NAV_IF_OK(status, create_all(&l->config, create_agent, l, out, err));
    nav_arena_free(&memory);
    return status;
}

// ---- without a store ----

typedef struct assembly {
    const load_parts *parts;
    nav_config config;
} assembly;

static nav_status assemble_agent(void *user, uint32_t agent, nav_mesh **out, nav_error *err)
{
    const assembly *a = user;
    const load_parts *parts = a->parts;
    size_t begin = 0, end;
    while (begin < parts->count && parts->agents[begin] < agent) {
        begin++;
    }
    for (end = begin; end < parts->count && parts->agents[end] == agent; end++) {
    }
    const nav_config config = nav_config_of_body(&a->config, agent);
    if (begin == end) {
        return nav_fail(err, NAV_BAD_BLOB, "there are no tiles of agent %u", agent);
    }
    nav_status status = nav_mesh_create(parts->blobs + begin, (uint32_t)(end - begin), &config,
                                        NULL, out, NULL, err);
    for (size_t i = 0; status == NAV_OK && i < parts->landmark_count; i++) {
        const load_landmark *marks = &parts->landmarks[i];
        if (marks->agent == agent && marks->fingerprint == nav_landmarks_fingerprint(*out)) {
            status = nav_mesh_add_landmarks(*out, marks->blob, err);
        }
    }
    return status;
}

nav_status load_mesh_of_parts(const load_parts *parts, nav_mesh **out, nav_error *err)
{
    nav_arena memory;
    assembly a = {.parts = parts, .config = nav_config_default()};
    nav_arena_init(&memory, NULL, LIMIT_CONFIG_MEMORY_BYTES);
    nav_status status =
        proto_config_read(parts->config_json, strlen(parts->config_json), &memory, &a.config, err);
    NAV_IF_OK(status, nav_config_check(&a.config, err));
    NAV_IF_OK(status, nav_config_check_links(&a.config, err));
    NAV_IF_OK(status, create_all(&a.config, assemble_agent, &a, out, err));
    nav_arena_free(&memory);
    return status;
}

nav_status load_mesh(store *disk, const char *mesh, uint32_t version, const nav_bake_hooks *hooks,
                     bool *landmarks_damaged, nav_mesh **out, nav_error *err)
{
    loading l = {.disk = disk, .mesh = mesh, .version = version, .hooks = hooks};
    nav_status status = store_tiles_load(disk, mesh, version, &l.tiles, &l.count, err);
    if (status != NAV_OK) {
        return status;
    }
    l.blobs = calloc(l.count + 1, sizeof *l.blobs);
    status = l.blobs != NULL ? unpack_tiles(l.tiles, l.count, hooks, l.blobs, err)
                             : nav_fail(err, NAV_NO_MEMORY, "no memory to load a mesh");
    if (status == NAV_OK) {
        status = create_mesh(&l, out, err);
        status = status == NAV_BAD_BLOB ? name_damage(l.tiles, l.blobs, l.count, err) : status;
    }
    if (status == NAV_BAD_BLOB) {
        const nav_error why = err != NULL ? *err : (nav_error){0};
        status = damage_fail(err, mesh, version, "%s", why.detail);
        nav_error_at(err, "%s", why.at);
    }
    for (size_t i = 0; l.blobs != NULL && i < l.count; i++) {
        free((void *)(uintptr_t)l.blobs[i].bytes);
    }
    free(l.blobs);
    store_tiles_free(l.tiles, l.count);
    if (landmarks_damaged != NULL) {
        *landmarks_damaged = l.landmarks_damaged;
    }
    return status;
}

nav_status load_geometry_bytes(store *disk, const char *mesh, uint32_t version, void **out,
                               size_t *size_bytes, nav_error *err)
{
    void *packed = NULL;
    size_t packed_bytes = 0;
    uint64_t bytes = 0;
    uint8_t hash[32];
    nav_status status =
        store_geometry_load(disk, mesh, version, &packed, &packed_bytes, &bytes, hash, err);
    if (status != NAV_OK) {
        return status;
    }
    void *unpacked = NULL;
    status = pack_decompress(packed, packed_bytes, (size_t)bytes, &unpacked, err);
    free(packed);
    if (status == NAV_OK && !pack_has_hash(unpacked, (size_t)bytes, hash)) {
        free(unpacked);
        status = PROTO_BAD_ZSTD;
    }
    if (status == NAV_OK) {
        *out = unpacked;
        *size_bytes = (size_t)bytes;
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
static nav_status pour_all(pouring *p, const void *packed, size_t packed_bytes, uint64_t bytes,
                           const uint8_t hash[32], nav_error *err)
{
    const pack_limits limits = {
        .output_bytes_max = bytes, .window_bytes_max = PACK_WINDOW_BYTES, .ratio_max = UINT64_MAX};
    pack_reader *unpacker = NULL;
    uint8_t digest[32];
    nav_status status = pack_reader_create(&limits, &unpacker, err);
    NAV_IF_OK(status, pack_reader_feed(unpacker, packed, packed_bytes, pour, p, err));
    NAV_IF_OK(status, pack_reader_end(unpacker, err));
    pack_reader_destroy(unpacker);
    nav_sha256_end(&p->hash, digest);
    return status == NAV_OK && memcmp(digest, hash, sizeof digest) != 0 ? PROTO_BAD_ZSTD : status;
}

nav_status load_geometry(store *disk, const char *mesh, uint32_t version,
                         const nav_bake_hooks *hooks, proto_geometry_reader **reader,
                         nav_geometry *geometry, nav_error *err)
{
    void *packed = NULL;
    size_t packed_bytes = 0;
    uint64_t bytes = 0;
    uint8_t hash[32];
    nav_status status =
        store_geometry_load(disk, mesh, version, &packed, &packed_bytes, &bytes, hash, err);
    if (status != NAV_OK) {
        return status;
    }
    proto_geometry_limits limits = proto_geometry_limits_default();
    limits.coordinate_max = PROTO_LEVEL_COORDINATE_MAX;
    pouring p = {.hooks = hooks};
    nav_sha256_init(&p.hash);
    status = proto_geometry_begin(PROTO_FORMAT_UNKNOWN, &limits, &p.reader, err);
    NAV_IF_OK(status, pour_all(&p, packed, packed_bytes, bytes, hash, err));
    free(packed);
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
