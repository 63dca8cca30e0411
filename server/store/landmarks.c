// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// landmarks.c: the landmarks of versions, which are made once at the end of a bake and go
// with their version. Two versions with the same mesh need them made once only. Each agent of a
// ready version has a row, an empty one where none could be made, so that a row which is lost is
// noticed. A mesh does without landmarks, so that damaged pages keep no version from being served.

#include "server/store/db.h"

#include <stdlib.h>

static nav_status put_locked(store *disk, int64_t mesh, uint32_t version,
                             const store_landmarks *landmarks, nav_error *err)
{
    const bool made = landmarks->packed != NULL;
    return store_change_locked(
        disk, "storing landmarks",
        "INSERT INTO version_landmarks(mesh, version, fingerprint, bytes, zstd, agent)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        STORE_VALUES(STORE_INT(mesh), STORE_INT(version), STORE_INT(landmarks->fingerprint),
                     STORE_INT(made ? landmarks->bytes : 0),
                     STORE_BLOB(made ? landmarks->packed : "", made ? landmarks->packed_bytes : 0),
                     STORE_INT(landmarks->agent)),
        err);
}

nav_status store_landmarks_put_locked(store *disk, int64_t mesh, uint32_t version,
                                      const store_result *result, nav_error *err)
{
    nav_status status = NAV_OK;
    for (size_t i = 0; status == NAV_OK && i < result->landmark_count; i++) {
        NAV_ASSERT(result->landmarks[i].agent == i);
        status = put_locked(disk, mesh, version, &result->landmarks[i], err);
    }
    return status;
}

// Landmarks of a version's agent, or with mesh NULL those of any that have the fingerprint.
static store_statement find(store *disk, const char *mesh, uint32_t version,
                            const store_landmarks *wanted)
{
    return mesh == NULL
               ? store_read(disk,
                            "SELECT fingerprint, bytes, zstd FROM version_landmarks"
                            " WHERE fingerprint = ? AND bytes > 0 LIMIT 1",
                            STORE_VALUES(STORE_INT(wanted->fingerprint)))
               : store_read(
                     disk,
                     "SELECT l.fingerprint, l.bytes, l.zstd FROM version_landmarks l"
                     " JOIN meshes m ON m.id = l.mesh"
                     " WHERE m.name = ? AND l.version = ? AND l.agent = ?",
                     STORE_VALUES(STORE_TEXT(mesh), STORE_INT(version), STORE_INT(wanted->agent)));
}

nav_status store_landmarks_load(store *disk, const char *mesh, uint32_t version,
                                store_landmarks *out, nav_error *err)
{
    store_landmarks found = {.agent = out->agent};
    store_statement s = find(disk, mesh, version, out);
    if (store_step(&s)) {
        found.fingerprint = (uint64_t)sqlite3_column_int64(s.sql, 0);
        found.bytes = (uint64_t)sqlite3_column_int64(s.sql, 1);
        found.packed = store_column_blob(&s, 2, &found.packed_bytes);
    }
    const bool damaged = (s.code & 0xff) == SQLITE_CORRUPT;
    const nav_status status = store_finish(&s, "reading landmarks", damaged ? NULL : err);
    if (status != NAV_OK && !damaged) {
        free(found.packed);
        return status;
    }
    found.fingerprint = found.packed != NULL ? found.fingerprint : out->fingerprint;
    *out = found;
    return NAV_OK;
}
