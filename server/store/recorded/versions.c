// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// versions.c: what recordings need of their versions: settings, tiles, landmarks. While a version
// is stored it is read from its own rows; the transaction that removes it copies them, packed as
// they are.

#include "server/store/recorded/recordings.h"

#include "server/base/lock.h"
#include "server/store/db.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- copies ----

// The versions of a mesh (0: any of them) that recordings need, malloc'ed.
static nav_status find_recorded_locked(store *disk, int64_t mesh, uint32_t version, void **out,
                                       size_t *count, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    *out = NULL;
    *count = 0;
    store_statement s = store_prepare_locked(
        &disk->writer,
        "SELECT DISTINCT r.version FROM meshes m JOIN recordings r ON r.mesh = m.name"
        " JOIN versions v ON v.mesh = m.id AND v.version = r.version"
        " WHERE m.id = ?1 AND (?2 = 0 OR r.version = ?2)");
    store_bind_int(&s, 1, mesh);
    store_bind_int(&s, 2, version);
    while (store_step(&s)) {
        uint32_t *to = store_append(&s, out, count, sizeof *to);
        if (to != NULL) {
            *to = store_version_at(&s, 0);
        }
    }
    return store_finish(&s, "looking for recordings", err);
}

#define OF_VERSION " WHERE t.mesh = ?1 AND t.version = ?2"

static nav_status measure_locked(store *disk, int64_t mesh, uint32_t version, uint64_t *bytes,
                                 nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    store_statement s = store_prepare_locked(
        &disk->writer,
        "SELECT (SELECT length(t.config_json) FROM versions t" OF_VERSION ")"
        " + (SELECT coalesce(sum(length(b.zstd) + " STORE_RECORDED_TILE_BYTES
        "), 0) FROM version_tiles t"
        " JOIN tiles c ON c.id = t.tile JOIN blobs b ON b.id = c.blob" OF_VERSION ")"
        " + (SELECT coalesce(sum(length(t.zstd)), 0) FROM version_landmarks t" OF_VERSION ")"
        " + (SELECT coalesce(sum(length(t.zstd)), 0) FROM agent_landmarks t" OF_VERSION ")");
    store_bind_int(&s, 1, mesh);
    store_bind_int(&s, 2, version);
    *bytes = store_step(&s) ? (uint64_t)sqlite3_column_int64(s.sql, 0) : 0;
    return store_finish(&s, "measuring a version", err);
}

static nav_status copy_locked(store *disk, int64_t mesh, uint32_t version, uint64_t bytes,
                              nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    // AND ?3 > 0 names it, so that all of them bind the same three values.
    static const char *const copies[] = {
        "INSERT INTO recorded_versions(mesh, version, bytes, config_json)"
        " SELECT m.name, t.version, ?3, t.config_json FROM versions t"
        " JOIN meshes m ON m.id = t.mesh" OF_VERSION,
        "INSERT INTO recorded_tiles(mesh, version, tile_z, tile_x, hash, bytes, zstd)"
        " SELECT m.name, t.version, t.tile_z, t.tile_x, c.hash, c.bytes, b.zstd"
        " FROM version_tiles t JOIN meshes m ON m.id = t.mesh JOIN tiles c ON c.id = t.tile"
        " JOIN blobs b ON b.id = c.blob" OF_VERSION " AND ?3 > 0",
        "INSERT INTO recorded_landmarks(mesh, version, agent, fingerprint, bytes, zstd)"
        " SELECT m.name, t.version, 0, t.fingerprint, t.bytes, t.zstd FROM version_landmarks t"
        " JOIN meshes m ON m.id = t.mesh" OF_VERSION " AND ?3 > 0",
        "INSERT INTO recorded_landmarks(mesh, version, agent, fingerprint, bytes, zstd)"
        " SELECT m.name, t.version, t.agent, t.fingerprint, t.bytes, t.zstd"
        " FROM agent_landmarks t JOIN meshes m ON m.id = t.mesh" OF_VERSION " AND ?3 > 0",
    };
    const int64_t values[] = {mesh, version, (int64_t)bytes};
    nav_status status = NAV_OK;
    for (size_t i = 0; status == NAV_OK && i < sizeof copies / sizeof *copies; i++) {
        status = store_change_locked(disk, copies[i], values, 3, err);
    }
    return status;
}

// The newest recording of a version, "": none; and whether somebody asked for one.
static nav_status find_newest_locked(store *disk, int64_t mesh, uint32_t version,
                                     char newest[STORE_RECORDING_ID_BYTES], bool *asked,
                                     nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    const char *id = "";
    store_statement s = store_prepare_locked(
        &disk->writer, "SELECT max(r.id), max(r.cause = 'asked') FROM meshes m"
                       " JOIN recordings r ON r.mesh = m.name WHERE m.id = ? AND r.version = ?");
    store_bind_int(&s, 1, mesh);
    store_bind_int(&s, 2, version);
    *asked = store_step(&s) && sqlite3_column_int(s.sql, 1) != 0;
    (void)store_text_at(&s, 0, STORE_TEXT_WORDS, &id);
    (void)snprintf(newest, STORE_RECORDING_ID_BYTES, "%s", id);
    return store_finish(&s, "looking for recordings", err);
}

static nav_status delete_recordings_locked(store *disk, int64_t mesh, uint32_t version,
                                           nav_error *err)
{
    const int64_t values[] = {mesh, version};
    return store_change_locked(disk,
                               "DELETE FROM recordings WHERE version = ?2"
                               " AND mesh = (SELECT name FROM meshes WHERE id = ?1)",
                               values, 2, err);
}

// Those that made themselves are worth no newer ones, so that room for the copy is made of older
// ones alone; without it they go.
static nav_status keep_one_locked(store *disk, int64_t mesh, uint32_t version, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    char newest[STORE_RECORDING_ID_BYTES];
    bool asked;
    uint64_t bytes = 0;
    nav_error why = {0};
    nav_status status = find_newest_locked(disk, mesh, version, newest, &asked, &why);
    if (status == NAV_OK && newest[0] == '\0') {
        return NAV_OK; // room was made of them for another version of the mesh
    }
    NAV_IF_OK(status, measure_locked(disk, mesh, version, &bytes, &why));
    NAV_IF_OK(status, store_recordings_make_room_locked(disk, bytes, asked ? NULL : newest, &why));
    if (status == PROTO_RECORDINGS_FULL && !asked) {
        return delete_recordings_locked(disk, mesh, version, err);
    }
    NAV_IF_OK(status, copy_locked(disk, mesh, version, bytes, &why));
    if (status != NAV_OK) {
        (void)nav_fail(err, status, "recordings need version %u, and it cannot be copied: %.140s",
                       version, why.detail);
        nav_error_limit(err, "%s", why.limit);
    }
    return status;
}

nav_status store_recorded_keep_locked(store *disk, const store_mesh_row *mesh, uint32_t version,
                                      nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    void *found;
    size_t count;
    nav_status status = find_recorded_locked(disk, mesh->id, version, &found, &count, err);
    const uint32_t *versions = found;
    for (size_t i = 0; status == NAV_OK && i < count; i++) {
        status = keep_one_locked(disk, mesh->id, versions[i], err);
    }
    free(found);
    return status;
}

nav_status store_recorded_sweep_locked(store *disk, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    static const char *const sweeps[] = {
        "DELETE FROM recorded_versions WHERE NOT EXISTS(SELECT 1 FROM recordings r"
        " WHERE r.mesh = recorded_versions.mesh AND r.version = recorded_versions.version)",
        "DELETE FROM recorded_tiles WHERE NOT EXISTS(SELECT 1 FROM recorded_versions r"
        " WHERE r.mesh = recorded_tiles.mesh AND r.version = recorded_tiles.version)",
        "DELETE FROM recorded_landmarks WHERE NOT EXISTS(SELECT 1 FROM recorded_versions r"
        " WHERE r.mesh = recorded_landmarks.mesh AND r.version = recorded_landmarks.version)"};
    nav_status status = store_change_locked(disk, sweeps[0], NULL, 0, err);
    if (status != NAV_OK || sqlite3_changes(disk->writer.db) == 0) {
        return status;
    }
    for (size_t i = 1; status == NAV_OK && i < sizeof sweeps / sizeof *sweeps; i++) {
        status = store_change_locked(disk, sweeps[i], NULL, 0, err);
    }
    return status;
}

// ---- reading ----

#define BLOCK_BYTES "32" // of what stands in front of a block in a bundle, at most

// The bytes that a version takes in a bundle: one that is stored, and a copy that recordings have.
// A total() cannot overflow, whatever damage makes of the numbers.
// clang-format off
#define SUM(from) "(SELECT CAST(total(bytes + " BLOCK_BYTES ") AS INTEGER) FROM " from ")"
#define OF_STORED " t WHERE t.mesh = m.id AND t.version = v.version"
#define OF_COPY " t WHERE t.mesh = v.mesh AND t.version = v.version"
#define STORED_BYTES                                                                               \
    "SELECT length(v.config_json)"                                                                 \
    " + " SUM("version_landmarks" OF_STORED)                                                       \
    " + " SUM("agent_landmarks" OF_STORED)                                                         \
    " + " SUM("tiles c JOIN version_tiles" OF_STORED " AND t.tile = c.id")                         \
    ", 0 FROM meshes m JOIN versions v ON v.mesh = m.id"                                           \
    " WHERE m.name = ?1 AND v.version = ?2 AND v.state = 'ready'"
// As pack_can_hold().
#define CANNOT_BE(from) "EXISTS(SELECT 1 FROM " from " AND bytes NOT BETWEEN 0 AND (length(zstd) << 15) - 1)"
#define COPY_BYTES                                                                                 \
    "SELECT length(v.config_json)"                                                                 \
    " + " SUM("recorded_tiles" OF_COPY)                                                            \
    " + " SUM("recorded_landmarks" OF_COPY)                                                        \
    ", " CANNOT_BE("recorded_tiles" OF_COPY) " OR " CANNOT_BE("recorded_landmarks" OF_COPY)        \
    " FROM recorded_versions v WHERE v.mesh = ?1 AND v.version = ?2"
// clang-format on

nav_status store_recorded_bytes(store *disk, const char *mesh, uint32_t version, uint64_t *bytes,
                                nav_error *err)
{
    (void)pthread_mutex_lock(&disk->reader.lock);
    store_statement s = store_prepare_version_locked(
        &disk->reader, STORED_BYTES " UNION ALL " COPY_BYTES, mesh, version);
    const bool found = store_step(&s);
    *bytes = found ? (uint64_t)sqlite3_column_int64(s.sql, 0) : 0;
    const bool whole = !found || sqlite3_column_int(s.sql, 1) == 0;
    const nav_status status = store_finish(&s, "measuring a version", err);
    (void)pthread_mutex_unlock(&disk->reader.lock);
    if (status == NAV_OK && !whole) {
        return damage_fail_copy(err, mesh, version, "the sizes of its tiles, or landmarks");
    }
    return status != NAV_OK || found ? status
                                     : nav_fail(err, PROTO_VERSION_NOT_FOUND,
                                                "mesh '%s' has no version %u", mesh, version);
}

void store_recorded_free(store_recorded *recorded)
{
    free(recorded->config_json);
    store_tiles_free(recorded->tiles, recorded->tile_count);
    for (size_t i = 0; i < recorded->landmark_count; i++) {
        free(recorded->landmarks[i].packed);
    }
    free(recorded->landmarks);
    *recorded = (store_recorded){0};
}

static nav_status load_landmarks(store *disk, const char *mesh, uint32_t version,
                                 store_recorded *out, nav_error *err)
{
    const uint32_t agents = out->tile_count > 0 ? out->tiles[out->tile_count - 1].agent + 1 : 0;
    if (agents > NAV_BODIES_MAX) {
        return damage_fail(err, mesh, version, "the places of its tiles");
    }
    out->landmarks = calloc(agents + 1u, sizeof *out->landmarks);
    nav_status status = out->landmarks != NULL
                            ? NAV_OK
                            : nav_fail(err, NAV_NO_MEMORY, "no memory to read a version");
    for (uint32_t agent = 0; status == NAV_OK && agent < agents; agent++) {
        store_landmarks *next = &out->landmarks[out->landmark_count];
        *next = (store_landmarks){.agent = agent};
        status = store_landmarks_load(disk, mesh, version, next, err);
        out->landmark_count += status == NAV_OK && next->packed != NULL;
    }
    return status;
}

// From the rows of the version itself.
static nav_status load_stored(store *disk, const char *mesh, uint32_t version, store_recorded *out,
                              nav_error *err)
{
    store_version row;
    nav_status status = store_version_get(disk, mesh, version, &row, err);
    if (status != NAV_OK) {
        return status;
    }
    out->config_json = row.config_json;
    row.config_json = NULL;
    store_version_free(&row);
    if (out->config_json == NULL) {
        return damage_fail(err, mesh, version, "its settings");
    }
    status = store_tiles_load(disk, mesh, version, &out->tiles, &out->tile_count, err);
    NAV_IF_OK(status, load_landmarks(disk, mesh, version, out, err));
    // If it was removed meanwhile, landmarks may be missing that its copy has.
    NAV_IF_OK(status, store_version_get(disk, mesh, version, &row, err));
    if (status == NAV_OK) {
        store_version_free(&row);
    }
    return status;
}

bool store_copied_tile_at(store_statement *s, store_tile *tile)
{
    const bool whole = store_spot_at(s, 0, tile);
    store_column_hash(s, 2, tile->hash);
    tile->bytes = (uint64_t)sqlite3_column_int64(s->sql, 3);
    tile->packed = store_column_blob(s, 4, &tile->packed_bytes);
    return whole;
}

bool store_copied_landmarks_at(store_statement *s, store_landmarks *to)
{
    const int64_t agent = sqlite3_column_int64(s->sql, 0);
    to->agent = (uint32_t)agent;
    to->fingerprint = (uint64_t)sqlite3_column_int64(s->sql, 1);
    to->bytes = (uint64_t)sqlite3_column_int64(s->sql, 2);
    to->packed = store_column_blob(s, 3, &to->packed_bytes);
    return agent >= 0 && agent < NAV_BODIES_MAX;
}

static nav_status copied_tiles_locked(store *disk, const char *mesh, uint32_t version,
                                      store_recorded *out, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->reader.lock));
    bool whole = true;
    void *tiles = NULL;
    store_statement s =
        store_prepare_version_locked(&disk->reader,
                                     "SELECT " STORE_COPIED_TILE_COLUMNS " FROM recorded_tiles"
                                     " WHERE mesh = ? AND version = ? ORDER BY tile_z, tile_x",
                                     mesh, version);
    while (store_step(&s)) {
        store_tile *tile = store_append(&s, &tiles, &out->tile_count, sizeof *tile);
        if (tile != NULL) {
            whole = store_copied_tile_at(&s, tile) && whole;
        }
    }
    out->tiles = tiles;
    const nav_status status = store_finish(&s, "reading a version that is recorded", err);
    return status != NAV_OK || whole
               ? status
               : damage_fail_copy(err, mesh, version, "the places of its tiles");
}

static nav_status copied_landmarks_locked(store *disk, const char *mesh, uint32_t version,
                                          store_recorded *out, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->reader.lock));
    bool whole = true;
    void *landmarks = NULL;
    store_statement s = store_prepare_version_locked(
        &disk->reader,
        "SELECT " STORE_COPIED_LANDMARK_COLUMNS " FROM recorded_landmarks"
        " WHERE mesh = ? AND version = ? ORDER BY agent",
        mesh, version);
    while (store_step(&s)) {
        store_landmarks *to = store_append(&s, &landmarks, &out->landmark_count, sizeof *to);
        if (to != NULL) {
            whole = store_copied_landmarks_at(&s, to) && whole;
        }
    }
    out->landmarks = landmarks;
    const nav_status status = store_finish(&s, "reading a version that is recorded", err);
    return status != NAV_OK || whole
               ? status
               : damage_fail_copy(err, mesh, version, "the agents of its landmarks");
}

// That a copy whose parts were read has all of them. *found false: it was deleted meanwhile,
// perhaps before they were read.
static nav_status check_copy_locked(store *disk, const char *mesh, uint32_t version, bool *found,
                                    nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->reader.lock));
    store_statement s =
        store_prepare_version_locked(&disk->reader,
                                     "SELECT v.bytes = " STORE_COPY_BYTES
                                     " FROM recorded_versions v WHERE mesh = ? AND version = ?",
                                     mesh, version);
    *found = store_step(&s);
    const bool has_all = !*found || sqlite3_column_int(s.sql, 0) != 0;
    const nav_status status = store_finish(&s, "reading a version that is recorded", err);
    return status != NAV_OK || has_all
               ? status
               : damage_fail_copy(err, mesh, version,
                                  "the bytes of its settings, tiles and landmarks together");
}

// From the copy of a version that was removed. *found false: there is none.
static nav_status load_copy(store *disk, const char *mesh, uint32_t version, store_recorded *out,
                            bool *found, nav_error *err)
{
    bool whole = true;
    *found = false;
    (void)pthread_mutex_lock(&disk->reader.lock);
    store_statement s = store_prepare_version_locked(
        &disk->reader, "SELECT config_json FROM recorded_versions WHERE mesh = ? AND version = ?",
        mesh, version);
    if (store_step(&s)) {
        *found = out->is_copy = true;
        out->config_json = store_column_text(&s, 0, STORE_TEXT_OBJECT, &whole);
    }
    nav_status status = store_finish(&s, "reading a version that is recorded", err);
    if (status == NAV_OK && *found) {
        status = copied_tiles_locked(disk, mesh, version, out, err);
    }
    if (status == NAV_OK && *found) {
        status = copied_landmarks_locked(disk, mesh, version, out, err);
    }
    if (status == NAV_OK && *found && out->config_json == NULL) {
        status = damage_fail_copy(err, mesh, version, "its settings");
    }
    if (status == NAV_OK && *found) {
        status = check_copy_locked(disk, mesh, version, found, err);
    }
    (void)pthread_mutex_unlock(&disk->reader.lock);
    return status;
}

nav_status store_recorded_load(store *disk, const char *mesh, uint32_t version, store_recorded *out,
                               nav_error *err)
{
    nav_error why = {0};
    *out = (store_recorded){0};
    nav_status status = load_stored(disk, mesh, version, out, &why);
    if (status == PROTO_VERSION_NOT_FOUND || status == PROTO_MESH_NOT_FOUND) {
        bool found;
        store_recorded_free(out);
        const nav_status copied = load_copy(disk, mesh, version, out, &found, &why);
        status = copied == NAV_OK && !found ? PROTO_VERSION_NOT_FOUND : copied;
    }
    if (status != NAV_OK) {
        store_recorded_free(out);
        (void)nav_fail(err, status, "%s", why.detail);
    }
    return status;
}
