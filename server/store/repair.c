// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// repair.c: the store's part of repair. Damage has one sentence, so that a reader of a reply, of
// the log or of a terminal knows which version it is and how to get it back. A damaged version is
// repaired with the rows of an equal one, or with those of a new bake of its own: both are the bake
// of the same geometry with the same settings, so all is as it was but the times, which are then
// the later ones.

#include "server/store/db.h"

#include "server/base/lock.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- the sentence ----

#define PART_BYTES 61
#define ADVICE "Upload it again or restore a backup; navmeshd verify tells all"
#define ADVICE_REPAIRING "It is being baked again from what is whole; ask later"

nav_status damage_fail(nav_error *err, const char *mesh, uint32_t version, const char *format, ...)
{
    char part[PART_BYTES];
    va_list values;
    va_start(values, format);
    (void)vsnprintf(part, sizeof part, format, values);
    va_end(values);
    return nav_fail(err, PROTO_INTERNAL,
                    "version %u of mesh '%.64s' is damaged in the database: %s. " ADVICE, version,
                    mesh, part);
}

nav_status damage_fail_for_good(nav_error *err, const char *mesh, uint32_t version,
                                const char *what)
{
    return nav_fail(err, PROTO_STORE_UNAVAILABLE,
                    "version %u of mesh '%.64s' is damaged in the database: %.60s. No upload "
                    "can replace it: restore a backup",
                    version, mesh, what);
}

void damage_is_repaired(nav_error *err)
{
    char *advice = strstr(err->detail, ADVICE);
    if (advice != NULL) {
        (void)snprintf(advice, sizeof err->detail - (size_t)(advice - err->detail),
                       ADVICE_REPAIRING);
        err->status = PROTO_NOT_READY;
    }
}

// ---- by an equal version ----

nav_status store_equals_list(store *disk, const char *mesh, uint32_t version, uint32_t **out,
                             size_t *count, nav_error *err)
{
    void *versions = NULL;
    size_t used = 0;
    (void)pthread_mutex_lock(&disk->reader.lock);
    store_statement s = store_prepare_version_locked(
        &disk->reader,
        "SELECT o.version FROM meshes m JOIN versions v ON v.mesh = m.id"
        " JOIN versions o ON o.mesh = m.id AND o.content_key = v.content_key"
        " WHERE m.name = ? AND v.version = ? AND o.version <> v.version"
        " AND v.state = 'ready' AND o.state = 'ready' ORDER BY o.version",
        mesh, version);
    while (store_step(&s)) {
        const uint32_t equal = store_version_at(&s, 0);
        uint32_t *to = equal != 0 ? store_append(&s, &versions, &used, sizeof *to) : NULL;
        if (to != NULL) {
            *to = equal;
        }
    }
    nav_status status = store_finish(&s, "looking for equal versions", err);
    (void)pthread_mutex_unlock(&disk->reader.lock);
    if (status != NAV_OK) {
        free(versions);
        return status;
    }
    *out = versions;
    *count = used;
    return NAV_OK;
}

static nav_status are_equal_locked(store *disk, const int64_t values[3], bool *equal,
                                   nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    store_statement s = store_prepare_locked(
        &disk->writer, "SELECT 1 FROM versions a JOIN versions b ON b.mesh = a.mesh"
                       " AND b.content_key = a.content_key WHERE a.mesh = ?1 AND a.version = ?2"
                       " AND b.version = ?3 AND a.state = 'ready' AND b.state = 'ready'");
    for (int i = 0; i < 3; i++) {
        store_bind_int(&s, i + 1, values[i]);
    }
    *equal = store_step(&s);
    return store_finish(&s, "reading a version", err);
}

#define IS_A_DATE(column)                                                                          \
    "typeof(" #column ") = 'text' AND " #column " GLOB '2[0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]T"    \
    "[0-2][0-9]:[0-5][0-9]:[0-6][0-9].[0-9][0-9][0-9]Z'"

// ?1: mesh, ?2: the whole version, ?3: the damaged one.
static const char *const STEPS[] = {
    "DELETE FROM version_tiles WHERE mesh = ?1 AND version = ?3",
    "INSERT INTO version_tiles(mesh, version, tile_z, tile_x, tile, hash, checksum)"
    " SELECT mesh, ?3, tile_z, tile_x, tile, hash, checksum FROM version_tiles"
    " WHERE mesh = ?1 AND version = ?2",
    "DELETE FROM version_landmarks WHERE mesh = ?1 AND version = ?3",
    "INSERT INTO version_landmarks(mesh, version, fingerprint, bytes, zstd)"
    " SELECT mesh, ?3, fingerprint, bytes, zstd FROM version_landmarks"
    " WHERE mesh = ?1 AND version = ?2",
    "DELETE FROM agent_landmarks WHERE mesh = ?1 AND version = ?3",
    "INSERT INTO agent_landmarks(mesh, version, agent, fingerprint, bytes, zstd)"
    " SELECT mesh, ?3, agent, fingerprint, bytes, zstd FROM agent_landmarks"
    " WHERE mesh = ?1 AND version = ?2",
    "UPDATE versions SET (geometry_hash, tiles_total, geometry_json, config_json, blob_json,"
    " stats_json, timings_json, warnings_json, checks_json, agents_json, error_code, error_detail,"
    " error_at, error_got, error_limit, created_at) ="
    " (SELECT v.geometry_hash, v.tiles_total, v.geometry_json, v.config_json, v.blob_json,"
    " v.stats_json, v.timings_json, v.warnings_json, v.checks_json, v.agents_json, NULL, NULL, "
    "NULL, NULL, NULL,"
    " CASE WHEN " IS_A_DATE(versions.created_at) " THEN versions.created_at ELSE v.created_at END"
                                                 " FROM versions v WHERE v.mesh = ?1 AND v.version "
                                                 "= ?2) WHERE mesh = ?1 AND version = ?3",
};

static nav_status repair_from_locked(store *disk, const char *name, uint32_t from, uint32_t damaged,
                                     nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    store_mesh_row mesh;
    bool equal = false;
    nav_status status = store_mesh_row_locked(disk, name, &mesh, err);
    const int64_t values[] = {mesh.id, from, damaged};
    NAV_IF_OK(status, are_equal_locked(disk, values, &equal, err));
    if (status != NAV_OK || !equal) {
        return status;
    }
    for (size_t i = 0; status == NAV_OK && i < sizeof STEPS / sizeof *STEPS; i++) {
        status = store_change_locked(disk, STEPS[i], values, 3, err);
    }
    NAV_IF_OK(status, store_orphans_sweep_locked(disk, err));
    // Only the damaged version may have had the geometry that it named.
    return status == NAV_OK ? store_geometries_sweep_locked(disk, err) : status;
}

nav_status store_version_repair_from(store *disk, const char *mesh, uint32_t from, uint32_t damaged,
                                     nav_error *err)
{
    nav_status status = store_write_begin(disk, err);
    return status == NAV_OK
               ? store_write_end(disk, repair_from_locked(disk, mesh, from, damaged, err), err)
               : status;
}

// ---- by its own bake ----

static nav_status is_ready_locked(store *disk, const char *name, const store_mesh_row *mesh,
                                  uint32_t version, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    store_statement s =
        store_prepare_locked(&disk->writer, "SELECT 1 FROM versions"
                                            " WHERE mesh = ? AND version = ? AND state = 'ready'");
    store_bind_int(&s, 1, mesh->id);
    store_bind_int(&s, 2, version);
    const bool ready = store_step(&s);
    nav_status status = store_finish(&s, "reading a version", err);
    return status == NAV_OK && !ready
               ? nav_fail(err, PROTO_VERSION_NOT_FOUND, "mesh '%s' has no version %u that is ready",
                          name, version)
               : status;
}

static nav_status write_texts_locked(store *disk, int64_t mesh, uint32_t version,
                                     const store_result *result, const char *geometry_json,
                                     nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    char now[CLOCK_TEXT_BYTES];
    clock_text(now);
    store_statement s = store_prepare_locked(
        &disk->writer,
        "UPDATE versions SET blob_json = coalesce(?3, blob_json),"
        " stats_json = coalesce(?4, stats_json), timings_json = coalesce(?5, timings_json),"
        " warnings_json = coalesce(?6, warnings_json), checks_json = coalesce(?7, checks_json),"
        " geometry_json = coalesce(?8, geometry_json),"
        " agents_json = coalesce(?10, agents_json), created_at = CASE WHEN " IS_A_DATE(
            created_at) " THEN created_at ELSE ?9 END, error_code = NULL, error_detail = NULL,"
                        " error_at = NULL, error_got = NULL, error_limit = NULL"
                        " WHERE mesh = ?1 AND version = ?2");
    store_bind_int(&s, 1, mesh);
    store_bind_int(&s, 2, version);
    store_bind_text(&s, 3, result->blob_json);
    store_bind_text(&s, 4, result->stats_json);
    store_bind_text(&s, 5, result->timings_json);
    store_bind_text(&s, 6, result->warnings_json);
    store_bind_text(&s, 7, result->checks_json);
    store_bind_text(&s, 8, geometry_json);
    store_bind_text(&s, 9, now);
    store_bind_text(&s, 10, result->agents_json);
    (void)store_step(&s);
    return store_finish(&s, "repairing a version", err);
}

static nav_status repair_version_locked(store *disk, int64_t mesh, uint32_t version,
                                        const store_result *result, const char *geometry_json,
                                        nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    const int64_t values[] = {mesh, version};
    nav_status status = store_change_locked(
        disk, "DELETE FROM version_tiles WHERE mesh = ? AND version = ?", values, 2, err);
    NAV_IF_OK(status,
              store_tiles_put_locked(disk, mesh, version, result->tiles, result->tile_count, err));
    NAV_IF_OK(status, store_landmarks_drop_locked(disk, mesh, version, err));
    NAV_IF_OK(status, store_landmarks_put_locked(disk, mesh, version, result, err));
    NAV_IF_OK(status, store_orphans_sweep_locked(disk, err));
    return status == NAV_OK ? write_texts_locked(disk, mesh, version, result, geometry_json, err)
                            : status;
}

nav_status store_version_repair(store *disk, const char *name, uint32_t version,
                                const store_result *result, const char *geometry_json,
                                uint64_t *activation, nav_error *err)
{
    store_mesh_row mesh = {0};
    nav_status status = store_write_begin(disk, err);
    if (status == NAV_OK) {
        status = store_mesh_row_locked(disk, name, &mesh, err);
        NAV_IF_OK(status, is_ready_locked(disk, name, &mesh, version, err));
        NAV_IF_OK(status,
                  repair_version_locked(disk, mesh.id, version, result, geometry_json, err));
        status = store_write_end(disk, status, err);
    }
    if (status == NAV_OK) {
        *activation = mesh.active == version ? mesh.activation : 0;
    }
    return status;
}
