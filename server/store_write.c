// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// store_write.c: what changes the store. Each function is one BEGIN IMMEDIATE ... COMMIT, so that
// nothing is ever half stored; the states move
//
//   insert --> queued --> ready | failed | cancelled
//
// and only here, so that of a bake's end and a cancel that race exactly one wins.

#include "server/store_db.h"

#include <string.h>

// A mesh's row, with what the transactions decide on.
typedef struct mesh_row {
    int64_t id; // 0: there is no row
    uint32_t active, newest_activated;
    uint64_t activation;
} mesh_row;

static nav_status mesh_locked(store *disk, const char *name, mesh_row *out, nav_error *err)
{
    *out = (mesh_row){0};
    store_statement s = store_prepare_locked(
        &disk->writer,
        "SELECT id, active, newest_activated, activation FROM meshes WHERE name = ?");
    store_bind_text(&s, 1, name);
    if (store_step(&s)) {
        out->id = sqlite3_column_int64(s.sql, 0);
        out->active = (uint32_t)sqlite3_column_int64(s.sql, 1);
        out->newest_activated = (uint32_t)sqlite3_column_int64(s.sql, 2);
        out->activation = (uint64_t)sqlite3_column_int64(s.sql, 3);
    }
    return store_finish(&s, "reading a mesh", err);
}

// Runs a statement whose parameters are integers.
static nav_status change_locked(store *disk, const char *sql, const int64_t *values, int count,
                                nav_error *err)
{
    store_statement s = store_prepare_locked(&disk->writer, sql);
    for (int i = 0; i < count; i++) {
        store_bind_int(&s, i + 1, values[i]);
    }
    (void)store_step(&s);
    return store_finish(&s, "writing", err);
}

// ---- insert ----

static nav_status find_equal_locked(store *disk, int64_t mesh, const uint8_t *content_key,
                                    uint32_t *version, nav_error *err)
{
    *version = 0;
    store_statement s = store_prepare_locked(
        &disk->writer, "SELECT version FROM versions WHERE mesh = ? AND content_key = ?"
                       " AND state IN ('queued','ready') ORDER BY version DESC LIMIT 1");
    store_bind_int(&s, 1, mesh);
    store_bind_blob(&s, 2, content_key, 32);
    if (store_step(&s)) {
        *version = (uint32_t)sqlite3_column_int64(s.sql, 0);
    }
    return store_finish(&s, "looking for an equal version", err);
}

// The next number of the mesh, whose row is made where there is none.
static nav_status take_number_locked(store *disk, const char *name, int64_t *mesh,
                                     uint32_t *version, nav_error *err)
{
    store_statement s =
        store_prepare_locked(&disk->writer, "INSERT INTO meshes(name, next_version) VALUES (?, 2)"
                                            " ON CONFLICT(name) DO UPDATE SET"
                                            " next_version = next_version + 1"
                                            " RETURNING id, next_version - 1");
    store_bind_text(&s, 1, name);
    while (store_step(&s)) {
        *mesh = sqlite3_column_int64(s.sql, 0);
        *version = (uint32_t)sqlite3_column_int64(s.sql, 1);
    }
    return store_finish(&s, "numbering a version", err);
}

// What a block that is there already becomes: itself, unless it was damaged on disk.
#define PUT_BLOCK_VALUES                                                                           \
    "(hash, bytes, zstd) VALUES (?, ?, ?) ON CONFLICT(hash) DO UPDATE SET bytes = excluded.bytes," \
    " zstd = excluded.zstd WHERE bytes IS NOT excluded.bytes OR zstd IS NOT excluded.zstd"

// A block goes in once, whoever has it in common.
static nav_status put_block_locked(store *disk, const char *sql, const uint8_t *hash,
                                   uint64_t bytes, const void *packed, uint64_t packed_bytes,
                                   nav_error *err)
{
    store_statement s = store_prepare_locked(&disk->writer, sql);
    store_bind_blob(&s, 1, hash, 32);
    store_bind_int(&s, 2, (int64_t)bytes);
    store_bind_blob(&s, 3, packed, packed_bytes);
    (void)store_step(&s);
    return store_finish(&s, "storing a block", err);
}

static nav_status insert_row_locked(store *disk, const store_upload *upload, int64_t mesh,
                                    uint32_t version, nav_error *err)
{
    char created_at[CLOCK_TEXT_BYTES];
    clock_text(created_at);
    store_statement s = store_prepare_locked(
        &disk->writer,
        "INSERT INTO versions(mesh, version, state, activate, created_at, content_key,"
        " geometry_hash, tiles_total, geometry_json, config_json, force)"
        " VALUES (?, ?, 'queued', ?, ?, ?, ?, ?, ?, ?, ?)");
    store_bind_int(&s, 1, mesh);
    store_bind_int(&s, 2, version);
    store_bind_int(&s, 3, upload->activate);
    store_bind_text(&s, 4, created_at);
    store_bind_blob(&s, 5, upload->content_key, 32);
    store_bind_blob(&s, 6, upload->geometry_hash, 32);
    store_bind_int(&s, 7, upload->tiles_total);
    store_bind_text(&s, 8, upload->geometry_json);
    store_bind_text(&s, 9, upload->config_json);
    store_bind_int(&s, 10, upload->force);
    (void)store_step(&s);
    return store_finish(&s, "storing a version", err);
}

static nav_status insert_locked(store *disk, const store_upload *upload, uint32_t *version,
                                bool *existing, nav_error *err)
{
    mesh_row mesh;
    nav_status status = mesh_locked(disk, upload->mesh, &mesh, err);
    *existing = false;
    if (status == NAV_OK && upload->reuse && mesh.id != 0) {
        status = find_equal_locked(disk, mesh.id, upload->content_key, version, err);
        *existing = *version != 0;
    }
    if (status == NAV_OK && *existing) {
        const int64_t values[] = {upload->activate, upload->force, mesh.id, *version};
        return change_locked(disk,
                             "UPDATE versions SET activate = max(activate, ?),"
                             " force = max(force, ?)"
                             " WHERE mesh = ? AND version = ? AND state = 'queued'",
                             values, 4, err);
    }
    if (status == NAV_OK) {
        status = take_number_locked(disk, upload->mesh, &mesh.id, version, err);
    }
    if (status == NAV_OK) {
        status = put_block_locked(disk, "INSERT INTO geometries" PUT_BLOCK_VALUES,
                                  upload->geometry_hash, upload->geometry_unpacked_bytes,
                                  upload->geometry, upload->geometry_bytes, err);
    }
    return status == NAV_OK ? insert_row_locked(disk, upload, mesh.id, *version, err) : status;
}

nav_status store_version_insert(store *disk, const store_upload *upload, uint32_t *version,
                                bool *existing, nav_error *err)
{
    uint32_t number = 0;
    bool found = false;
    (void)pthread_mutex_lock(&disk->writer.lock);
    nav_status status = store_begin_locked(disk, err);
    if (status == NAV_OK) {
        status = insert_locked(disk, upload, &number, &found, err);
        status = store_end_locked(disk, status, err);
    }
    (void)pthread_mutex_unlock(&disk->writer.lock);
    if (status == NAV_OK) {
        *version = number;
        *existing = found;
    }
    return status;
}

// ---- the end of a bake ----

static nav_status activate_locked(store *disk, const mesh_row *mesh, uint32_t version,
                                  nav_error *err)
{
    const int64_t values[] = {version, version, mesh->id};
    return change_locked(disk,
                         "UPDATE meshes SET active = ?, activation = activation + 1,"
                         " newest_activated = max(newest_activated, ?) WHERE id = ?",
                         values, 3, err);
}

// Reads whether the version still waits for its bake's end, and whether it is to be made live then.
static nav_status queued_locked(store *disk, int64_t mesh, uint32_t version, bool *queued,
                                bool *activate, nav_error *err)
{
    *queued = false;
    *activate = false;
    store_statement s =
        store_prepare_locked(&disk->writer, "SELECT activate FROM versions"
                                            " WHERE mesh = ? AND version = ? AND state = 'queued'");
    store_bind_int(&s, 1, mesh);
    store_bind_int(&s, 2, version);
    if (store_step(&s)) {
        *queued = true;
        *activate = sqlite3_column_int(s.sql, 0) != 0;
    }
    return store_finish(&s, "reading a version", err);
}

static nav_status put_tiles_locked(store *disk, int64_t mesh, uint32_t version,
                                   const store_result *result, nav_error *err)
{
    nav_status status = NAV_OK;
    for (size_t i = 0; status == NAV_OK && i < result->tile_count; i++) {
        const store_tile *tile = &result->tiles[i];
        status = put_block_locked(disk, "INSERT INTO blobs" PUT_BLOCK_VALUES, tile->hash,
                                  tile->bytes, tile->packed, tile->packed_bytes, err);
        if (status == NAV_OK) {
            store_statement s = store_prepare_locked(
                &disk->writer, "INSERT INTO version_tiles VALUES (?, ?, ?, ?, ?)");
            store_bind_int(&s, 1, mesh);
            store_bind_int(&s, 2, version);
            store_bind_int(&s, 3, tile->x);
            store_bind_int(&s, 4, tile->z);
            store_bind_blob(&s, 5, tile->hash, 32);
            (void)store_step(&s);
            status = store_finish(&s, "storing a tile", err);
        }
    }
    return status;
}

static nav_status ready_locked(store *disk, const mesh_row *mesh, uint32_t version,
                               const store_result *result, bool activate, uint64_t *activation,
                               nav_error *err)
{
    nav_status status = put_tiles_locked(disk, mesh->id, version, result, err);
    if (status != NAV_OK) {
        return status;
    }
    store_statement s = store_prepare_locked(
        &disk->writer, "UPDATE versions SET state = 'ready', blob_json = ?, stats_json = ?,"
                       " timings_json = ?, warnings_json = ?, checks_json = ?"
                       " WHERE mesh = ? AND version = ?");
    store_bind_text(&s, 1, result->blob_json);
    store_bind_text(&s, 2, result->stats_json);
    store_bind_text(&s, 3, result->timings_json);
    store_bind_text(&s, 4, result->warnings_json);
    store_bind_text(&s, 5, result->checks_json);
    store_bind_int(&s, 6, mesh->id);
    store_bind_int(&s, 7, version);
    (void)store_step(&s);
    status = store_finish(&s, "storing a bake", err);
    if (status == NAV_OK && activate && result->checks_failed) {
        status = store_is_forced_locked(disk, mesh->id, version, &activate, err);
    }
    // An older upload that took longer does not push a newer one aside, nor undo a roll-back.
    if (status == NAV_OK && activate && version > mesh->newest_activated) {
        status = activate_locked(disk, mesh, version, err);
        *activation = mesh->activation + 1;
    }
    return status;
}

static nav_status failed_locked(store *disk, const mesh_row *mesh, uint32_t version,
                                const nav_error *why, nav_error *err)
{
    store_statement s = store_prepare_locked(
        &disk->writer, "UPDATE versions SET state = 'failed', error_code = ?, error_detail = ?,"
                       " error_at = ?, error_got = ?, error_limit = ?"
                       " WHERE mesh = ? AND version = ?");
    store_bind_text(&s, 1, nav_status_word(why->status));
    store_bind_text(&s, 2, why->detail);
    store_bind_text(&s, 3, why->at);
    store_bind_text(&s, 4, why->got);
    store_bind_text(&s, 5, why->limit);
    store_bind_int(&s, 6, mesh->id);
    store_bind_int(&s, 7, version);
    (void)store_step(&s);
    return store_finish(&s, "storing a failed bake", err);
}

// Ends a bake one way or the other: result where it succeeded, why where it failed.
static nav_status end_bake(store *disk, const char *name, uint32_t version,
                           const store_result *result, const nav_error *why, uint64_t *activation,
                           nav_error *err)
{
    mesh_row mesh;
    bool queued = false, activate = false;
    (void)pthread_mutex_lock(&disk->writer.lock);
    nav_status status = store_begin_locked(disk, err);
    if (status == NAV_OK) {
        status = mesh_locked(disk, name, &mesh, err);
        if (status == NAV_OK) {
            status = queued_locked(disk, mesh.id, version, &queued, &activate, err);
        }
        if (status == NAV_OK && !queued) {
            status = nav_fail(err, NAV_CANCELLED, "the version was cancelled or removed");
        } else if (status == NAV_OK && result != NULL) {
            status = ready_locked(disk, &mesh, version, result, activate, activation, err);
        } else if (status == NAV_OK) {
            status = failed_locked(disk, &mesh, version, why, err);
        }
        status = store_end_locked(disk, status, err);
    }
    (void)pthread_mutex_unlock(&disk->writer.lock);
    return status;
}

nav_status store_version_ready(store *disk, const char *mesh, uint32_t version,
                               const store_result *result, uint64_t *activation, nav_error *err)
{
    *activation = 0;
    return end_bake(disk, mesh, version, result, NULL, activation, err);
}

nav_status store_version_failed(store *disk, const char *mesh, uint32_t version,
                                const nav_error *why, nav_error *err)
{
    return end_bake(disk, mesh, version, NULL, why, NULL, err);
}

nav_status store_version_cancel(store *disk, const char *name, uint32_t version, bool *cancelled,
                                nav_error *err)
{
    (void)pthread_mutex_lock(&disk->writer.lock);
    store_statement s = store_prepare_locked(
        &disk->writer, "UPDATE versions SET state = 'cancelled' WHERE state = 'queued'"
                       " AND version = ? AND mesh = (SELECT id FROM meshes WHERE name = ?)");
    store_bind_int(&s, 1, version);
    store_bind_text(&s, 2, name);
    (void)store_step(&s);
    nav_status status = store_finish(&s, "cancelling a version", err);
    *cancelled = status == NAV_OK && sqlite3_changes(disk->writer.db) > 0;
    (void)pthread_mutex_unlock(&disk->writer.lock);
    return status;
}

// ---- switching and removing ----

static nav_status check_switch_locked(store *disk, const mesh_row *mesh, const char *name,
                                      uint32_t version, uint64_t expected, nav_error *err)
{
    bool any = false;
    char state[16] = "";
    store_statement s =
        store_prepare_locked(&disk->writer, "SELECT state, version = ? FROM versions WHERE mesh = ?"
                                            " ORDER BY version = ? DESC LIMIT 1");
    store_bind_int(&s, 1, version);
    store_bind_int(&s, 2, mesh->id);
    store_bind_int(&s, 3, version);
    if (store_step(&s)) {
        any = true;
        if (sqlite3_column_int(s.sql, 1) != 0) {
            (void)sqlite3_snprintf(sizeof state, state, "%s", sqlite3_column_text(s.sql, 0));
        }
    }
    nav_status status = store_finish(&s, "reading a version", err);
    if (status != NAV_OK) {
        return status;
    }
    if (!any) {
        return nav_fail(err, NAV_MESH_NOT_FOUND, "there is no mesh '%s'", name);
    }
    if (expected != STORE_ANY_ACTIVATION && expected != mesh->activation) {
        return nav_fail(err, NAV_STALE_ETAG, "the live version of '%s' was changed meanwhile",
                        name);
    }
    if (state[0] == '\0') {
        return nav_fail(err, NAV_VERSION_NOT_FOUND, "mesh '%s' has no version %u", name, version);
    }
    if (strcmp(state, store_state_word(STORE_READY)) != 0) {
        return nav_fail(err, NAV_VERSION_NOT_READY, "version %u of mesh '%s' is %s", version, name,
                        state);
    }
    return NAV_OK;
}

nav_status store_activate(store *disk, const char *name, uint32_t version, uint64_t expected,
                          store_mesh *before, uint64_t *activation, nav_error *err)
{
    mesh_row mesh = {0};
    (void)pthread_mutex_lock(&disk->writer.lock);
    nav_status status = store_begin_locked(disk, err);
    if (status == NAV_OK) {
        status = mesh_locked(disk, name, &mesh, err);
        if (status == NAV_OK) {
            status = check_switch_locked(disk, &mesh, name, version, expected, err);
        }
        if (status == NAV_OK && mesh.active != version) {
            status = activate_locked(disk, &mesh, version, err);
        }
        status = store_end_locked(disk, status, err);
    }
    (void)pthread_mutex_unlock(&disk->writer.lock);
    if (status == NAV_OK) {
        *before = (store_mesh){.active = mesh.active, .activation = mesh.activation};
        *activation = mesh.activation + (mesh.active != version ? 1 : 0);
    }
    return status;
}

// Blocks that no version has any more.
static nav_status sweep_locked(store *disk, nav_error *err)
{
    nav_status status = change_locked(disk,
                                      "DELETE FROM blobs WHERE NOT EXISTS (SELECT 1 FROM"
                                      " version_tiles t WHERE t.blob_hash = blobs.hash)",
                                      NULL, 0, err);
    if (status == NAV_OK) {
        status = change_locked(disk,
                               "DELETE FROM geometries WHERE NOT EXISTS (SELECT 1 FROM"
                               " versions v WHERE v.geometry_hash = geometries.hash)",
                               NULL, 0, err);
    }
    return status;
}

// version 0: all of them, the live one as well.
static nav_status delete_locked(store *disk, const char *name, uint32_t version,
                                const mesh_row *mesh, nav_error *err)
{
    if (version != 0 && version == mesh->active) {
        return nav_fail(err, NAV_VERSION_ACTIVE,
                        "version %u of mesh '%s' is live: switch to another first", version, name);
    }
    const int64_t values[] = {mesh->id, version};
    bool checks = false;
    nav_status status = version == 0 ? store_checks_drop_locked(disk, name, &checks, err) : NAV_OK;
    if (status != NAV_OK) {
        return status;
    }
    status = version != 0
                 ? change_locked(disk, "DELETE FROM versions WHERE mesh = ? AND version = ?",
                                 values, 2, err)
                 : change_locked(disk, "DELETE FROM versions WHERE mesh = ?", values, 1, err);
    if (status == NAV_OK && sqlite3_changes(disk->writer.db) == 0 && !checks) {
        return version != 0 ? nav_fail(err, NAV_VERSION_NOT_FOUND, "mesh '%s' has no version %u",
                                       name, version)
                            : nav_fail(err, NAV_MESH_NOT_FOUND, "there is no mesh '%s'", name);
    }
    if (status == NAV_OK && version == 0) {
        status = change_locked(
            disk, "UPDATE meshes SET active = 0, activation = activation + 1 WHERE id = ?", values,
            1, err);
    }
    return status == NAV_OK ? sweep_locked(disk, err) : status;
}

static nav_status delete_versions(store *disk, const char *name, uint32_t version,
                                  uint64_t *activation, nav_error *err)
{
    mesh_row mesh = {0};
    (void)pthread_mutex_lock(&disk->writer.lock);
    nav_status status = store_begin_locked(disk, err);
    if (status == NAV_OK) {
        status = mesh_locked(disk, name, &mesh, err);
        if (status == NAV_OK) {
            status = delete_locked(disk, name, version, &mesh, err);
        }
        status = store_end_locked(disk, status, err);
    }
    (void)pthread_mutex_unlock(&disk->writer.lock);
    if (status == NAV_OK && activation != NULL) {
        // Of a name that had nothing but checks the registry must not hear.
        *activation = mesh.id != 0 ? mesh.activation + 1 : 0;
    }
    return status;
}

nav_status store_version_delete(store *disk, const char *mesh, uint32_t version, nav_error *err)
{
    store_version row;
    nav_status status = store_version_get(disk, mesh, version, &row, err);
    if (status != NAV_OK) {
        return status;
    }
    store_version_free(&row);
    return delete_versions(disk, mesh, version, NULL, err);
}

nav_status store_mesh_delete(store *disk, const char *mesh, uint64_t *activation, nav_error *err)
{
    return delete_versions(disk, mesh, 0, activation, err);
}
