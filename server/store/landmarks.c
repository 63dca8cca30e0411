// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// landmarks.c: the landmarks of versions, which are made once at the end of a bake and go
// with their version. Two versions with the same mesh need them made once only. A mesh does without
// them, so that pages of theirs which are damaged keep no version from being stored or served.

#include "server/store/db.h"

#include "server/base/lock.h"

#include <stdlib.h>

nav_status store_landmarks_put_locked(store *disk, int64_t mesh, uint32_t version,
                                      const store_landmarks *landmarks, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    if (landmarks->packed == NULL) {
        return NAV_OK;
    }
    store_statement s =
        store_prepare_locked(&disk->writer, "INSERT INTO version_landmarks VALUES (?, ?, ?, ?, ?)");
    store_bind_int(&s, 1, mesh);
    store_bind_int(&s, 2, version);
    store_bind_int(&s, 3, (int64_t)landmarks->fingerprint);
    store_bind_int(&s, 4, (int64_t)landmarks->bytes);
    store_bind_blob(&s, 5, landmarks->packed, landmarks->packed_bytes);
    (void)store_step(&s);
    return store_finish(&s, "storing landmarks", err);
}

// Copies the row.
static void read_row(store_statement *s, store_landmarks *out)
{
    out->fingerprint = (uint64_t)sqlite3_column_int64(s->sql, 0);
    out->bytes = (uint64_t)sqlite3_column_int64(s->sql, 1);
    out->packed = store_column_blob(s, 2, &out->packed_bytes);
}

nav_status store_landmarks_load(store *disk, const char *mesh, uint32_t version,
                                store_landmarks *out, nav_error *err)
{
    store_landmarks found = {0};
    (void)pthread_mutex_lock(&disk->reader.lock);
    store_statement s =
        mesh != NULL ? store_prepare_version_locked(
                           &disk->reader,
                           "SELECT l.fingerprint, l.bytes, l.zstd FROM version_landmarks l"
                           " JOIN meshes m ON m.id = l.mesh WHERE m.name = ? AND l.version = ?",
                           mesh, version)
                     : store_prepare_locked(&disk->reader, "SELECT fingerprint, bytes, zstd"
                                                           " FROM version_landmarks"
                                                           " WHERE fingerprint = ? LIMIT 1");
    if (mesh == NULL) {
        store_bind_int(&s, 1, (int64_t)out->fingerprint);
    }
    if (store_step(&s)) {
        read_row(&s, &found);
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

// A transaction that comes upon a damaged page can write nothing more, so this is looked at before:
// where the row goes to in the table and in both indices.
bool store_landmarks_fit(store *disk, const char *mesh, uint32_t version, uint64_t fingerprint)
{
    (void)pthread_mutex_lock(&disk->reader.lock);
    store_statement s = store_prepare_version_locked(
        &disk->reader,
        "SELECT (SELECT max(rowid) FROM version_landmarks),"
        " EXISTS(SELECT 1 FROM version_landmarks l JOIN meshes m ON m.id = l.mesh"
        "  WHERE m.name = ? AND l.version = ?),"
        " EXISTS(SELECT 1 FROM version_landmarks WHERE fingerprint = ?)",
        mesh, version);
    store_bind_int(&s, 3, (int64_t)fingerprint);
    (void)store_step(&s);
    const bool damaged = (s.code & 0xff) == SQLITE_CORRUPT;
    (void)store_finish(&s, "looking at landmarks", NULL);
    (void)pthread_mutex_unlock(&disk->reader.lock);
    return !damaged;
}
