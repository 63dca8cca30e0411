// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// write.c: what changes the store. Each function is one BEGIN IMMEDIATE ... COMMIT, so that
// nothing is ever half stored; the states move
//
//   insert --> queued --> ready | failed | cancelled
//                 ^----------------'  by a start, for a file of --mesh
//
// and only here, so that of a bake's end and a cancel that race exactly one wins. A version that is
// ready and damaged is baked again, and its result takes the place of the former one.

#include "server/store/db.h"

#include "server/base/lock.h"

#include <string.h>

// ---- what names a bake ----

// Part of every content key: a bake that gives other bytes for the same input must change it.
#define BAKE_FORMAT "navmeshd bake 2"

void store_content_key(const uint8_t geometry_hash[32], const char *config_json, uint8_t key[32])
{
    nav_sha256 hash;
    nav_sha256_init(&hash);
    nav_sha256_add(&hash, geometry_hash, 32);
    nav_sha256_add(&hash, config_json, strlen(config_json));
    nav_sha256_add(&hash, BAKE_FORMAT, sizeof BAKE_FORMAT);
    nav_sha256_end(&hash, key);
}

// ---- insert ----

// One that failed is found only if it may be baked again, and could then go live: not below one
// that has been live.
static nav_status find_equal_locked(store *disk, const store_mesh_row *mesh,
                                    const store_upload *upload, uint32_t *version, bool *failed,
                                    nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    *version = 0;
    *failed = false;
    store_statement s =
        store_prepare_locked(&disk->writer, "SELECT version, state = 'failed' FROM versions"
                                            " WHERE mesh = ? AND content_key = ? AND version > ?"
                                            " AND (state IN ('queued','ready')"
                                            " OR (? AND state = 'failed' AND version > ?))"
                                            " ORDER BY state = 'failed', version DESC LIMIT 1");
    store_bind(&s, STORE_VALUES(STORE_INT(mesh->id), STORE_BLOB(upload->content_key, 32),
                                STORE_INT(upload->damaged), STORE_INT(upload->again),
                                STORE_INT(mesh->newest_activated)));
    if (store_step(&s)) {
        *version = store_version_at(&s, 0);
        *failed = sqlite3_column_int64(s.sql, 1) != 0;
    }
    return store_finish(&s, "looking for an equal version", err);
}

// The next number of the mesh, whose row is made where there is none. It is above all that are
// there, also where the row says otherwise, being damaged. Versions whose mesh is lost are not
// given to a new one; an id beyond 2^40 is damage, and so is a number beyond 2^32.
static nav_status take_number_locked(store *disk, const char *name, int64_t *mesh,
                                     uint32_t *version, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    store_statement s =
        store_prepare_locked(&disk->writer, "INSERT INTO meshes(id, name, next_version) VALUES (1 +"
                                            " max(coalesce((SELECT max(id) FROM meshes"
                                            " WHERE id < 1099511627776), 0),"
                                            " coalesce((SELECT max(mesh) FROM versions"
                                            " WHERE mesh < 1099511627776), 0)), ?, 2)"
                                            " ON CONFLICT(name) DO UPDATE SET next_version = 1 +"
                                            " max(iif(CAST(next_version AS INTEGER) BETWEEN 1 AND"
                                            " 4294967296, CAST(next_version AS INTEGER), 1),"
                                            " 1 + coalesce((SELECT max(version) FROM versions"
                                            " WHERE mesh = meshes.id AND typeof(version) ="
                                            " 'integer' AND version BETWEEN 1 AND 4294967295),"
                                            " 0))"
                                            " RETURNING id, next_version - 1");
    store_bind(&s, STORE_VALUES(STORE_TEXT(name)));
    while (store_step(&s)) {
        *mesh = sqlite3_column_int64(s.sql, 0);
        *version = store_version_at(&s, 1);
    }
    nav_status status = store_finish(&s, "numbering a version", err);
    return status == NAV_OK && *version == 0
               ? nav_fail(err, PROTO_INTERNAL,
                          "the next number of mesh '%.64s' is damaged in the database: delete the "
                          "mesh and upload it again, or restore a backup",
                          name)
               : status;
}

static nav_status insert_row_locked(store *disk, const store_upload *upload, int64_t mesh,
                                    uint32_t version, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    char created_at[CLOCK_TEXT_BYTES];
    clock_text(created_at);
    return store_change_locked(
        disk, "storing a version",
        "INSERT INTO versions(mesh, version, state, activate, created_at, content_key,"
        " geometry_hash, tiles_total, geometry_json, config_json, reuse, force, warnings_json)"
        " VALUES (?, ?, 'queued', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        STORE_VALUES(STORE_INT(mesh), STORE_INT(version), STORE_INT(upload->activate),
                     STORE_TEXT(created_at), STORE_BLOB(upload->content_key, 32),
                     STORE_BLOB(upload->geometry_hash, 32), STORE_INT(upload->tiles_total),
                     STORE_TEXT(upload->geometry_json), STORE_TEXT(upload->config_json),
                     STORE_INT(upload->reuse), STORE_INT(upload->gate),
                     STORE_TEXT(upload->warnings_json)),
        err);
}

// An equal version that waits for its bake is baked as this upload wants it, too. The gate of one
// that is not to go live does not count.
static nav_status join_equal_locked(store *disk, const store_upload *upload, int64_t mesh,
                                    uint32_t version, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    return upload->activate
               ? store_change_locked(
                     disk, "writing",
                     "UPDATE versions SET activate = 1,"
                     " force = iif(activate, max(force, ?1), ?1)"
                     " WHERE mesh = ?2 AND version = ?3 AND state = 'queued'",
                     STORE_VALUES(STORE_INT(upload->gate), STORE_INT(mesh), STORE_INT(version)),
                     err)
               : NAV_OK;
}

// One that failed is baked as this upload alone wants it. It may have failed because what was
// stored of it is damaged, so that is stored anew.
static nav_status queue_again_locked(store *disk, const store_upload *upload, int64_t mesh,
                                     uint32_t version, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    nav_status status = store_geometry_put_locked(disk, upload, err);
    NAV_IF_OK(
        status,
        store_change_locked(
            disk, "queueing a version again",
            "UPDATE versions SET state = 'queued', error_code = NULL, error_detail = NULL,"
            " error_at = NULL, error_got = NULL, error_limit = NULL, reuse = 1, activate = ?,"
            " force = ?, tiles_total = ?, geometry_hash = ?, geometry_json = ?, config_json = ?,"
            " warnings_json = ? WHERE mesh = ? AND version = ?",
            STORE_VALUES(STORE_INT(upload->activate), STORE_INT(upload->gate),
                         STORE_INT(upload->tiles_total), STORE_BLOB(upload->geometry_hash, 32),
                         STORE_TEXT(upload->geometry_json), STORE_TEXT(upload->config_json),
                         STORE_TEXT(upload->warnings_json), STORE_INT(mesh), STORE_INT(version)),
            err));
    return status;
}

static nav_status insert_locked(store *disk, const store_upload *upload, uint32_t *version,
                                bool *existing, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    store_mesh_row mesh;
    bool failed = false;
    nav_status status = store_mesh_row_locked(disk, upload->mesh, &mesh, err);
    *existing = false;
    if (status == NAV_OK && upload->reuse && mesh.id != 0) {
        status = find_equal_locked(disk, &mesh, upload, version, &failed, err);
        *existing = *version != 0;
    }
    if (status == NAV_OK && *existing) {
        return failed ? queue_again_locked(disk, upload, mesh.id, *version, err)
                      : join_equal_locked(disk, upload, mesh.id, *version, err);
    }
    NAV_IF_OK(status, take_number_locked(disk, upload->mesh, &mesh.id, version, err));
    NAV_IF_OK(status, store_geometry_put_locked(disk, upload, err));
    return status == NAV_OK ? insert_row_locked(disk, upload, mesh.id, *version, err) : status;
}

nav_status store_version_insert(store *disk, const store_upload *upload, uint32_t *version,
                                bool *existing, nav_error *err)
{
    uint32_t number = 0;
    bool found = false;
    nav_status status = store_write_begin(disk, err);
    if (status == NAV_OK) {
        status = insert_locked(disk, upload, &number, &found, err);
        status = store_write_end(disk, status, err);
    }
    if (status == NAV_OK) {
        *version = number;
        *existing = found;
    }
    return status;
}

// ---- the end of a bake ----

static nav_status activate_locked(store *disk, const store_mesh_row *mesh, uint32_t version,
                                  nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    // As the row was read: what it says may be damaged.
    const uint32_t newest = version > mesh->newest_activated ? version : mesh->newest_activated;
    return store_change_locked(disk, "writing",
                               "UPDATE meshes SET active = ?, activation = ?, newest_activated = ?"
                               " WHERE id = ?",
                               STORE_VALUES(STORE_INT(version), STORE_INT(mesh->activation + 1),
                                            STORE_INT(newest), STORE_INT(mesh->id)),
                               err);
}

// All tiles are in the result then. Those of the former one that are whole are found by their keys,
// so what nothing refers to any more goes last.
static nav_status replace_locked(store *disk, int64_t mesh, uint32_t version,
                                 const store_result *result, nav_error *err)
{
    const store_values values = STORE_VALUES(STORE_INT(mesh), STORE_INT(version));
    nav_status status = store_change_locked(
        disk, "writing", "DELETE FROM version_tiles WHERE mesh = ? AND version = ?", values, err);
    NAV_IF_OK(status,
              store_change_locked(disk, "writing",
                                  "DELETE FROM version_landmarks WHERE mesh = ? AND version = ?",
                                  values, err));
    NAV_IF_OK(status,
              store_tiles_put_locked(disk, mesh, version, result->tiles, result->tile_count, err));
    return status == NAV_OK ? store_orphans_sweep_locked(disk, err) : status;
}

static nav_status ready_locked(store *disk, store_mesh_row *mesh, uint32_t version,
                               const store_result *result, bool activate, uint64_t *activation,
                               nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    nav_status status = result->repairs
                            ? replace_locked(disk, mesh->id, version, result, err)
                            : store_tiles_put_locked(disk, mesh->id, version, result->tiles,
                                                     result->tile_count, err);
    NAV_IF_OK(status, store_landmarks_put_locked(disk, mesh->id, version, result, err));
    NAV_IF_OK(
        status,
        store_change_locked(
            disk, "storing a bake",
            "UPDATE versions SET state = 'ready', blob_json = ?1, stats_json = ?2,"
            " timings_json = ?3, warnings_json = ?4, tiles_reused = ?5, checks_json = ?6,"
            " agents_json = ?7, geometry_json = coalesce(?10, geometry_json),"
            " created_at = coalesce(?11, created_at),"
            " error_code = NULL, error_detail = NULL, error_at = NULL, error_got = NULL,"
            " error_limit = NULL WHERE mesh = ?8 AND version = ?9",
            STORE_VALUES(STORE_TEXT(result->blob_json), STORE_TEXT(result->stats_json),
                         STORE_TEXT(result->timings_json), STORE_TEXT(result->warnings_json),
                         STORE_INT(result->tiles_reused), STORE_TEXT(result->checks_json),
                         STORE_TEXT(result->agents_json), STORE_INT(mesh->id), STORE_INT(version),
                         STORE_TEXT(result->geometry_json), STORE_TEXT(result->created_at)),
            err));
    if (status == NAV_OK && activate && (result->checks_failed || result->has_warnings)) {
        status = store_gate_pass_locked(disk, mesh->id, version, result, &activate, err);
    }
    // An older upload that took longer does not push a newer one aside, nor undo a roll-back.
    if (status == NAV_OK && activate && version > mesh->newest_activated) {
        status = activate_locked(disk, mesh, version, err);
        mesh->active = version;
        *activation = mesh->activation + 1;
    } else if (result->repairs && mesh->active == version) {
        *activation = mesh->activation;
    }
    return status;
}

static nav_status failed_locked(store *disk, const store_mesh_row *mesh, uint32_t version,
                                const nav_error *why, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    nav_status status = store_change_locked(
        disk, "storing a failed bake",
        "UPDATE versions SET state = 'failed', error_code = ?, error_detail = ?, error_at = ?,"
        " error_got = ?, error_limit = ? WHERE mesh = ? AND version = ?",
        STORE_VALUES(STORE_TEXT(proto_status_word(why->status)), STORE_TEXT(why->detail),
                     STORE_TEXT(why->at), STORE_TEXT(why->got), STORE_TEXT(why->limit),
                     STORE_INT(mesh->id), STORE_INT(version)),
        err);
    return status == NAV_OK ? store_tiles_drop_locked(disk, mesh->id, version, err) : status;
}

nav_status store_version_ready(store *disk, const char *name, uint32_t version,
                               const store_result *result, uint64_t *activation, nav_error *err)
{
    store_bake bake;
    uint32_t removed = 0;
    uint64_t changed = 0;
    nav_status status = store_bake_begin(disk, name, version, result->repairs, &bake, err);
    if (status == NAV_OK) {
        status = ready_locked(disk, &bake.mesh, version, result, bake.activate, &changed, err);
        if (status == NAV_OK && result->keep_versions > 0) {
            status = store_retain_locked(disk, &bake.mesh, version, result, &removed, err);
        }
        status = store_write_end(disk, status, err);
    }
    if (status == NAV_OK) {
        *activation = changed;
    }
    if (status == NAV_OK && result->removed != NULL) {
        *result->removed = removed;
    }
    return status;
}

nav_status store_version_failed(store *disk, const char *name, uint32_t version,
                                const nav_error *why, nav_error *err)
{
    store_bake bake;
    nav_status status = store_bake_begin(disk, name, version, false, &bake, err);
    return status == NAV_OK
               ? store_write_end(disk, failed_locked(disk, &bake.mesh, version, why, err), err)
               : status;
}

static nav_status cancel_locked(store *disk, const store_mesh_row *mesh, uint32_t version,
                                nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    nav_status status = store_change_locked(
        disk, "writing", "UPDATE versions SET state = 'cancelled' WHERE mesh = ? AND version = ?",
        STORE_VALUES(STORE_INT(mesh->id), STORE_INT(version)), err);
    return status == NAV_OK ? store_tiles_drop_locked(disk, mesh->id, version, err) : status;
}

nav_status store_version_cancel(store *disk, const char *name, uint32_t version, bool *cancelled,
                                nav_error *err)
{
    store_bake bake;
    nav_status status = store_bake_begin(disk, name, version, false, &bake, err);
    NAV_IF_OK(status, store_write_end(disk, cancel_locked(disk, &bake.mesh, version, err), err));
    if (status == NAV_OK || status == NAV_CANCELLED) {
        *cancelled = status == NAV_OK; // or it had ended already
    }
    return status == NAV_CANCELLED ? NAV_OK : status;
}

// ---- switching ----

static nav_status check_switch_locked(store *disk, const store_mesh_row *mesh, const char *name,
                                      uint32_t version, uint64_t expected, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    bool any = false;
    char state[16] = "";
    store_statement s =
        store_prepare_locked(&disk->writer, "SELECT state, version = ?1 FROM versions"
                                            " WHERE mesh = ?2 ORDER BY version = ?1 DESC LIMIT 1");
    store_bind(&s, STORE_VALUES(STORE_INT(version), STORE_INT(mesh->id)));
    if (store_step(&s)) {
        any = true;
        if (sqlite3_column_int(s.sql, 1) != 0) {
            const char *word;
            const bool whole = store_text_at(&s, 0, STORE_TEXT_WORDS, &word);
            (void)sqlite3_snprintf(sizeof state, state, "%s", whole ? word : "damaged");
        }
    }
    nav_status status = store_finish(&s, "reading a version", err);
    if (status != NAV_OK) {
        return status;
    }
    if (!any) {
        return nav_fail(err, PROTO_MESH_NOT_FOUND, "there is no mesh '%s'", name);
    }
    if (expected != STORE_ANY_ACTIVATION && expected != mesh->activation) {
        return nav_fail(err, PROTO_STALE_ETAG, "the live version of '%s' was changed meanwhile",
                        name);
    }
    if (state[0] == '\0') {
        return nav_fail(err, PROTO_VERSION_NOT_FOUND, "mesh '%s' has no version %u", name, version);
    }
    if (strcmp(state, store_state_word(STORE_READY)) != 0) {
        return nav_fail(err, PROTO_VERSION_NOT_READY, "version %u of mesh '%s' is %s", version,
                        name, state);
    }
    return NAV_OK;
}

nav_status store_activate(store *disk, const char *name, uint32_t version, uint64_t expected,
                          store_mesh *before, uint64_t *activation, nav_error *err)
{
    store_mesh_row mesh = {0};
    nav_status status = store_write_begin(disk, err);
    if (status == NAV_OK) {
        status = store_mesh_row_locked(disk, name, &mesh, err);
        NAV_IF_OK(status, check_switch_locked(disk, &mesh, name, version, expected, err));
        if (status == NAV_OK && mesh.active != version) {
            status = activate_locked(disk, &mesh, version, err);
        }
        status = store_write_end(disk, status, err);
    }
    if (status == NAV_OK) {
        *before = (store_mesh){.active = mesh.active, .activation = mesh.activation};
        *activation = mesh.activation + (mesh.active != version ? 1 : 0);
    }
    return status;
}
