// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// landmarks.c: the landmarks of versions, which are made once at the end of a bake and go
// with their version. Two versions with the same mesh need them made once only. A mesh does without
// them, so that pages of theirs which are damaged keep no version from being served.

#include "server/store/db.h"

#include "server/base/lock.h"

#include <stdlib.h>

static nav_status put_locked(store *disk, int64_t mesh, uint32_t version,
                             const store_landmarks *landmarks, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    if (landmarks->packed == NULL) {
        return NAV_OK;
    }
    store_statement s = store_prepare_locked(
        &disk->writer, "INSERT INTO version_landmarks(mesh, version, fingerprint, bytes, zstd,"
                       " agent) VALUES (?, ?, ?, ?, ?, ?)");
    store_bind_int(&s, 1, mesh);
    store_bind_int(&s, 2, version);
    store_bind_int(&s, 3, (int64_t)landmarks->fingerprint);
    store_bind_int(&s, 4, (int64_t)landmarks->bytes);
    store_bind_blob(&s, 5, landmarks->packed, landmarks->packed_bytes);
    store_bind_int(&s, 6, landmarks->agent);
    (void)store_step(&s);
    return store_finish(&s, "storing landmarks", err);
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
static store_statement look_locked(store *disk, const char *mesh, uint32_t version,
                                   const store_landmarks *wanted)
{
    NAV_ASSERT(lock_is_held(&disk->reader.lock));
    if (mesh == NULL) {
        store_statement s = store_prepare_locked(
            &disk->reader, "SELECT fingerprint, bytes, zstd FROM version_landmarks"
                           " WHERE fingerprint = ? LIMIT 1");
        store_bind_int(&s, 1, (int64_t)wanted->fingerprint);
        return s;
    }
    store_statement s = store_prepare_version_locked(
        &disk->reader,
        "SELECT l.fingerprint, l.bytes, l.zstd FROM version_landmarks l"
        " JOIN meshes m ON m.id = l.mesh WHERE m.name = ? AND l.version = ? AND l.agent = ?",
        mesh, version);
    store_bind_int(&s, 3, wanted->agent);
    return s;
}

nav_status store_landmarks_load(store *disk, const char *mesh, uint32_t version,
                                store_landmarks *out, nav_error *err)
{
    store_landmarks found = {.agent = out->agent};
    (void)pthread_mutex_lock(&disk->reader.lock);
    store_statement s = look_locked(disk, mesh, version, out);
    if (store_step(&s)) {
        found.fingerprint = (uint64_t)sqlite3_column_int64(s.sql, 0);
        found.bytes = (uint64_t)sqlite3_column_int64(s.sql, 1);
        found.packed = store_column_blob(&s, 2, &found.packed_bytes);
    }
    const bool damaged = (s.code & 0xff) == SQLITE_CORRUPT;
    const nav_status status = store_finish(&s, "reading landmarks", damaged ? NULL : err);
    (void)pthread_mutex_unlock(&disk->reader.lock);
    if (status != NAV_OK && !damaged) {
        free(found.packed);
        return status;
    }
    found.fingerprint = found.packed != NULL ? found.fingerprint : out->fingerprint;
    *out = found;
    return NAV_OK;
}
