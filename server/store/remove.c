// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// remove.c: what takes versions away: deletes, and retention after a bake. Each deletes, in
// its own transaction, recordings that made themselves, and the tiles, bytes and geometries that
// nothing refers to any more.

#include "server/store/db.h"

#include "server/base/lock.h"

#include <stdlib.h>

nav_status store_tiles_drop_locked(store *disk, int64_t mesh, uint32_t version, nav_error *err)
{
    static const char *const lists[] = {
        "SELECT tile FROM version_tiles WHERE mesh = ?",
        "SELECT tile FROM version_tiles WHERE mesh = ? AND version = ?"};
    static const char *const deletes[] = {
        "DELETE FROM version_tiles WHERE mesh = ?",
        "DELETE FROM version_tiles WHERE mesh = ? AND version = ?"};
    const store_value place[] = {STORE_INT(mesh), STORE_INT(version)};
    const size_t one = version != 0;
    const store_values values = {place, 1 + one};
    int64_t *tiles;
    size_t count;
    nav_status status = store_list_locked(disk, lists[one], values, &tiles, &count, err);
    NAV_IF_OK(status, store_change_locked(disk, "writing", deletes[one], values, err));
    NAV_IF_OK(status, store_tiles_sweep_locked(disk, tiles, count, err));
    free(tiles);
    return status;
}

// ---- deletes ----

// version 0: all of them, the live one as well. recordings: those that were asked for go, too.
static nav_status delete_locked(store *disk, const char *name, uint32_t version, bool recordings,
                                const store_mesh_row *mesh, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    if (version != 0 && version == mesh->active) {
        return nav_fail(err, PROTO_VERSION_ACTIVE,
                        "version %u of mesh '%s' is live: switch to another first", version, name);
    }
    bool checks = false;
    nav_status status =
        recordings ? NAV_OK : store_recordings_check_locked(disk, mesh, name, version, err);
    NAV_IF_OK(status, store_recordings_drop_locked(disk, mesh, version, err));
    NAV_IF_OK(status, store_tiles_drop_locked(disk, mesh->id, version, err));
    NAV_IF_OK(status, version == 0 ? store_checks_drop_locked(disk, name, &checks, err) : NAV_OK);
    if (status != NAV_OK) {
        return status;
    }
    const bool one = version != 0;
    const store_value place[] = {STORE_INT(mesh->id), STORE_INT(version)};
    status = store_change_locked(disk, "writing",
                                 one ? "DELETE FROM versions WHERE mesh = ? AND version = ?"
                                     : "DELETE FROM versions WHERE mesh = ?",
                                 (store_values){place, one ? 2 : 1}, err);
    if (status == NAV_OK && sqlite3_changes(disk->writer.db) == 0 && !checks) {
        return one ? nav_fail(err, PROTO_VERSION_NOT_FOUND, "mesh '%s' has no version %u", name,
                              version)
                   : nav_fail(err, PROTO_MESH_NOT_FOUND, "there is no mesh '%s'", name);
    }
    if (status == NAV_OK && version == 0) {
        status = store_change_locked(
            disk, "writing", "UPDATE meshes SET active = 0, activation = ? WHERE id = ?",
            STORE_VALUES(STORE_INT(mesh->activation + 1), STORE_INT(mesh->id)), err);
    }
    return status == NAV_OK ? store_geometries_sweep_locked(disk, err) : status;
}

static nav_status delete_versions(store *disk, const char *name, uint32_t version, bool recordings,
                                  uint64_t *activation, nav_error *err)
{
    store_mesh_row mesh = {0};
    nav_status status = store_write_begin(disk, err);
    if (status == NAV_OK) {
        status = store_mesh_row_locked(disk, name, &mesh, err);
        NAV_IF_OK(status, delete_locked(disk, name, version, recordings, &mesh, err));
        status = store_write_end(disk, status, err);
    }
    if (status == NAV_OK && activation != NULL) {
        // The registry must not hear of a name that had nothing but checks.
        *activation = mesh.id != 0 ? mesh.activation + 1 : 0;
    }
    return status;
}

nav_status store_version_delete(store *disk, const char *mesh, uint32_t version, bool recordings,
                                nav_error *err)
{
    store_version row;
    nav_status status = store_version_get(disk, mesh, version, &row, err);
    if (status != NAV_OK) {
        return status;
    }
    store_version_free(&row);
    return delete_versions(disk, mesh, version, recordings, NULL, err);
}

nav_status store_mesh_delete(store *disk, const char *mesh, bool recordings, uint64_t *activation,
                             nav_error *err)
{
    return delete_versions(disk, mesh, 0, recordings, activation, err);
}

// ---- retention ----

static bool is_pinned(const store_result *result, uint32_t version)
{
    for (size_t i = 0; i < result->pinned_count; i++) {
        if (result->pinned[i] == version) {
            return true;
        }
    }
    return false;
}

nav_status store_retain_locked(store *disk, const store_mesh_row *mesh, uint32_t baked,
                               const store_result *result, uint32_t *count, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    int64_t *versions;
    size_t surplus;
    uint32_t removed = 0;
    NAV_ASSERT(result->keep_versions > 0); // 0 would mean none
    nav_status status =
        store_list_locked(disk,
                          "SELECT version FROM (SELECT mesh, version FROM versions WHERE mesh = ?"
                          " AND state = 'ready' ORDER BY version DESC LIMIT -1 OFFSET ?) v"
                          " WHERE version NOT IN (?, ?) AND version BETWEEN 1 AND 4294967295"
                          " AND NOT EXISTS (SELECT 1 FROM recordings r WHERE r.mesh = v.mesh"
                          "  AND r.version = v.version AND r.cause = 'asked')",
                          STORE_VALUES(STORE_INT(mesh->id), STORE_INT(result->keep_versions),
                                       STORE_INT(baked), STORE_INT(mesh->active)),
                          &versions, &surplus, err);
    for (size_t i = 0; status == NAV_OK && i < surplus; i++) {
        const uint32_t version = (uint32_t)versions[i];
        if (is_pinned(result, version)) {
            continue;
        }
        status = store_recordings_drop_locked(disk, mesh, version, err);
        NAV_IF_OK(status, store_tiles_drop_locked(disk, mesh->id, version, err));
        NAV_IF_OK(status,
                  store_change_locked(disk, "writing",
                                      "DELETE FROM versions WHERE mesh = ? AND version = ?",
                                      STORE_VALUES(STORE_INT(mesh->id), STORE_INT(version)), err));
        removed += status == NAV_OK;
    }
    free(versions);
    NAV_IF_OK(status, removed > 0 ? store_geometries_sweep_locked(disk, err) : NAV_OK);
    *count = status == NAV_OK ? removed : 0;
    return status;
}
