// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// checks.c: what a mesh expects of its versions, and how each of them did.

#include "server/store/db.h"

#include "server/base/lock.h"

#include <stdlib.h>
#include <string.h>

nav_status store_checks_set(store *disk, const char *mesh, const char *checks_json, nav_error *err)
{
    nav_status status = store_write_begin(disk, err);
    if (status != NAV_OK) {
        return status;
    }
    status = store_change_locked(disk, "storing checks",
                                 "INSERT INTO mesh_checks(mesh, checks_json) VALUES (?, ?)"
                                 " ON CONFLICT(mesh) DO UPDATE"
                                 " SET checks_json = excluded.checks_json",
                                 STORE_VALUES(STORE_TEXT(mesh), STORE_TEXT(checks_json)), err);
    return store_write_end(disk, status, err);
}

nav_status store_checks_fail(const char *mesh, nav_error *err)
{
    return nav_fail(err, PROTO_INTERNAL,
                    "the checks of mesh '%.64s' are damaged in the database: PUT them again, or "
                    "restore a backup",
                    mesh);
}

nav_status store_checks_get(store *disk, const char *mesh, char **checks_json, nav_error *err)
{
    *checks_json = NULL;
    store_statement s = store_read(disk, "SELECT checks_json FROM mesh_checks WHERE mesh = ?",
                                   STORE_VALUES(STORE_TEXT(mesh)));
    bool whole = true;
    if (store_step(&s)) {
        static const char begin[] = "{\"checks\":[";
        *checks_json = store_column_text(&s, 0, STORE_TEXT_OBJECT, &whole);
        whole = *checks_json != NULL && strncmp(*checks_json, begin, sizeof begin - 1) == 0;
    }
    nav_status status = store_finish(&s, "reading checks", err);
    NAV_IF_OK(status, !whole ? store_checks_fail(mesh, err) : NAV_OK);
    if (status != NAV_OK) {
        free(*checks_json);
        *checks_json = NULL;
    }
    return status;
}

nav_status store_version_checks_set(store *disk, const char *mesh, uint32_t version,
                                    const char *checks_json, nav_error *err)
{
    nav_status status = store_write_begin(disk, err);
    if (status != NAV_OK) {
        return status;
    }
    status = store_change_locked(
        disk, "storing how checks went",
        "UPDATE versions SET checks_json = ? WHERE version = ? AND state = 'ready'"
        " AND mesh = (SELECT id FROM meshes WHERE name = ?)",
        STORE_VALUES(STORE_TEXT(checks_json), STORE_INT(version), STORE_TEXT(mesh)), err);
    if (status == NAV_OK && sqlite3_changes(disk->writer.db) == 0) {
        status =
            nav_fail(err, PROTO_VERSION_NOT_FOUND, "mesh '%s' has no version %u", mesh, version);
    }
    return store_write_end(disk, status, err);
}

nav_status store_version_checks_get(store *disk, const char *mesh, uint32_t version, bool *ready,
                                    char **checks_json, nav_error *err)
{
    *ready = false;
    store_statement s = store_read(disk,
                                   "SELECT v.checks_json FROM versions v"
                                   " JOIN meshes m ON m.id = v.mesh"
                                   " WHERE m.name = ? AND v.version = ? AND v.state = 'ready'",
                                   STORE_VALUES(STORE_TEXT(mesh), STORE_INT(version)));
    if (checks_json != NULL) {
        *checks_json = NULL;
    }
    if (store_step(&s)) {
        *ready = true;
        if (checks_json != NULL) {
            bool whole; // what is damaged is as if it were not there: they are run anew
            *checks_json = store_column_text(&s, 0, STORE_TEXT_LIST, &whole);
        }
    }
    return store_finish(&s, "reading a version", err);
}

store_gate store_gate_at(store_statement *s, int column)
{
    const int gate = sqlite3_column_int(s->sql, column);
    return gate > 0 ? STORE_GATE_FORCE : gate < 0 ? STORE_GATE_STRICT : STORE_GATE_CHECKS;
}

nav_status store_gate_pass_locked(store *disk, int64_t mesh, uint32_t version,
                                  const store_result *result, bool *passes, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    store_statement s = store_prepare_locked(
        &disk->writer, "SELECT force FROM versions WHERE mesh = ? AND version = ?");
    store_bind(&s, STORE_VALUES(STORE_INT(mesh), STORE_INT(version)));
    const store_gate gate = store_step(&s) ? store_gate_at(&s, 0) : STORE_GATE_STRICT;
    *passes = gate == STORE_GATE_FORCE ||
              (!result->checks_failed && !(gate == STORE_GATE_STRICT && result->has_warnings));
    return store_finish(&s, "reading a version", err);
}

nav_status store_checks_drop_locked(store *disk, const char *name, bool *removed, nav_error *err)
{
    nav_status status =
        store_change_locked(disk, "removing checks", "DELETE FROM mesh_checks WHERE mesh = ?",
                            STORE_VALUES(STORE_TEXT(name)), err);
    *removed = status == NAV_OK && sqlite3_changes(disk->writer.db) > 0;
    return status;
}
