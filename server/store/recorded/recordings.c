// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// recordings.c: recordings in and out, and the bound on all of them.

#include "server/store/recorded/recordings.h"

#include "server/base/lock.h"
#include "server/store/db.h"

#include <stdlib.h>
#include <string.h>

// Beside its bundle a row has texts, and its places in two indices.
#define ROW_BYTES 512u
#define BYTES_MAX "1 << 40" // of one row; --recordings-bytes takes less for all

static const char *const CAUSES[STORE_CAUSE_COUNT] = {
    [STORE_CAUSE_ASKED] = "asked", [STORE_CAUSE_SLOW] = "slow", [STORE_CAUSE_FAILED] = "failed"};

const char *store_cause_word(store_cause cause)
{
    NAV_ASSERT((unsigned)cause < STORE_CAUSE_COUNT);
    return CAUSES[cause];
}

// ---- rows ----

// The bytes that a row counts for. A number that no row can have is damaged, which `navmeshd
// verify` tells; it counts nothing, so that it takes no room from others, and nothing overflows.
#define COUNTED(bytes) "iif(" bytes " BETWEEN 0 AND " BYTES_MAX ", " bytes ", 0)"
#define COLUMNS "id, mesh, version, cause, name, created_at, kind, status, ms"
#define READ_COLUMNS COLUMNS ", " COUNTED("bytes")
#define BUNDLE_COLUMN 10

static void copy_text(store_statement *s, int column, char *out, size_t capacity_bytes)
{
    const char *text;
    const bool whole = store_text_at(s, column, STORE_TEXT_WORDS, &text);
    const size_t length = whole ? strlen(text) : capacity_bytes;
    memset(out, 0, capacity_bytes);
    if (length < capacity_bytes) {
        memcpy(out, text, length);
    }
}

static void read_row(store_statement *s, store_recording *out)
{
    char cause[16];
    copy_text(s, 0, out->id, sizeof out->id);
    (void)store_name_at(s, 1, out->mesh);
    out->version = store_version_at(s, 2);
    copy_text(s, 3, cause, sizeof cause);
    for (int i = 0; i < STORE_CAUSE_COUNT; i++) {
        out->cause = strcmp(cause, CAUSES[i]) == 0 ? (store_cause)i : out->cause;
    }
    copy_text(s, 4, out->name, sizeof out->name);
    copy_text(s, 5, out->created_at, sizeof out->created_at);
    copy_text(s, 6, out->kind, sizeof out->kind);
    out->status = (uint32_t)sqlite3_column_int64(s->sql, 7);
    out->ms = sqlite3_column_double(s->sql, 8);
    out->bytes = (uint64_t)sqlite3_column_int64(s->sql, 9);
}

static nav_status fail_not_found(const char *id, nav_error *err)
{
    return nav_fail(err, PROTO_RECORDING_NOT_FOUND,
                    "there is no recording '%.64s': GET /v1/recordings lists them", id);
}

nav_status store_recording_get(store *disk, const char *id, store_recording *out, nav_error *err)
{
    bool found = false;
    *out = (store_recording){0};
    (void)pthread_mutex_lock(&disk->reader.lock);
    store_statement s = store_prepare_locked(&disk->reader, "SELECT " READ_COLUMNS ", bundle FROM"
                                                            " recordings WHERE id = ?");
    store_bind_text(&s, 1, id);
    if (store_step(&s)) {
        found = true;
        read_row(&s, out);
        out->bundle = store_column_blob(&s, BUNDLE_COLUMN, &out->bundle_bytes);
    }
    nav_status status = store_finish(&s, "reading a recording", err);
    (void)pthread_mutex_unlock(&disk->reader.lock);
    if (status == NAV_OK && !found) {
        status = fail_not_found(id, err);
    }
    if (status != NAV_OK) {
        free(out->bundle);
        out->bundle = NULL;
    }
    return status;
}

#define USED_BYTES                                                                                 \
    "(SELECT CAST(total(" COUNTED("bytes") ") AS INTEGER) FROM recordings)"                        \
                                           " + (SELECT CAST(total(" COUNTED(                       \
                                               "bytes") ") AS INTEGER) FROM recorded_versions)"

nav_status store_recordings_list(store *disk, const char *after, uint32_t limit,
                                 store_recordings *out, nav_error *err)
{
    void *items = NULL;
    *out = (store_recordings){0};
    (void)pthread_mutex_lock(&disk->reader.lock);
    store_statement s =
        store_prepare_locked(&disk->reader, "SELECT " READ_COLUMNS " FROM recordings WHERE id < ?"
                                            " ORDER BY id DESC LIMIT ?");
    store_bind_text(&s, 1, after != NULL ? after : "~"); // behind all letters and digits
    store_bind_int(&s, 2, (int64_t)limit + 1);
    while (store_step(&s)) {
        store_recording *row = store_append(&s, &items, &out->count, sizeof *row);
        if (row != NULL) {
            read_row(&s, row);
        }
    }
    nav_status status = store_finish(&s, "reading recordings", err);
    if (status == NAV_OK) {
        s = store_prepare_locked(&disk->reader,
                                 "SELECT " USED_BYTES ", (SELECT count(*) FROM recordings)");
        if (store_step(&s)) {
            out->bytes = (uint64_t)sqlite3_column_int64(s.sql, 0);
            out->number = (uint64_t)sqlite3_column_int64(s.sql, 1);
        }
        status = store_finish(&s, "counting recordings", err);
    }
    (void)pthread_mutex_unlock(&disk->reader.lock);
    out->items = items;
    out->more = out->count > limit;
    out->count -= out->more;
    if (status != NAV_OK) {
        free(items);
        *out = (store_recordings){0};
    }
    return status;
}

// ---- room ----

static nav_status count_bytes_locked(store *disk, uint64_t *bytes, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    store_statement s = store_prepare_locked(&disk->writer, "SELECT " USED_BYTES);
    *bytes = store_step(&s) ? (uint64_t)sqlite3_column_int64(s.sql, 0) : 0;
    return store_finish(&s, "counting recordings", err);
}

static nav_status fail_full(uint64_t bytes, uint64_t used, uint64_t most, nav_error *err)
{
    if (most == 0) {
        (void)nav_fail(err, PROTO_RECORDINGS_FULL,
                       "recordings are off (--recordings-bytes 0): start the daemon with more, "
                       "such as --recordings-bytes %.0f",
                       LIMIT_RECORDINGS_BYTES);
    } else {
        (void)nav_fail(err, PROTO_RECORDINGS_FULL,
                       "%llu bytes more do not fit beside recordings of %llu: delete some, or "
                       "raise --recordings-bytes",
                       (unsigned long long)bytes, (unsigned long long)used);
    }
    nav_error_limit(err, "%llu", (unsigned long long)most);
    return PROTO_RECORDINGS_FULL;
}

// The oldest recordings that made themselves, as many as free what is lacking, or all there are.
typedef struct oldest {
    uint64_t bytes;                      // that they free, with copies that only they need
    char last[STORE_RECORDING_ID_BYTES]; // the newest of them; "": there is none
} oldest;

// before: those from this one on stay (NULL: none is spared).
static nav_status find_oldest_locked(store *disk, uint64_t lacking, const char *before, oldest *out,
                                     nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    *out = (oldest){0};
    // A copy goes with the last recording of its version. In order of id, so that it can end early.
    store_statement s = store_prepare_locked(
        &disk->writer,
        "WITH freed(id, bytes) AS MATERIALIZED (SELECT max(r.id), " COUNTED(
            "v.bytes") " FROM recorded_versions v"
                       "  JOIN recordings r ON r.mesh = v.mesh AND r.version = v.version"
                       "  GROUP BY v.mesh, v.version HAVING max(r.cause = 'asked') = 0)"
                       " SELECT r.id, " COUNTED(
                           "r.bytes") " + coalesce(f.bytes, 0) FROM recordings r"
                                      " LEFT JOIN freed f ON f.id = r.id WHERE r.cause <> 'asked' "
                                      "AND (?1 IS NULL OR r.id < ?1)"
                                      " ORDER BY r.id");
    store_bind_text(&s, 1, before);
    while (out->bytes < lacking && store_step(&s)) {
        copy_text(&s, 0, out->last, sizeof out->last);
        out->bytes += (uint64_t)sqlite3_column_int64(s.sql, 1);
    }
    return store_finish(&s, "looking for old recordings", err);
}

static nav_status delete_oldest_locked(store *disk, const oldest *them, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    store_statement s = store_prepare_locked(
        &disk->writer, "DELETE FROM recordings WHERE cause IN ('slow', 'failed') AND id <= ?");
    store_bind_text(&s, 1, them->last);
    (void)store_step(&s);
    const nav_status status = store_finish(&s, "making room for recordings", err);
    return status == NAV_OK ? store_recorded_sweep_locked(disk, err) : status;
}

nav_status store_recordings_make_room_locked(store *disk, uint64_t bytes, const char *before,
                                             nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    const uint64_t most = atomic_load(&disk->recordings_bytes_max);
    uint64_t used = 0;
    oldest them;
    nav_status status = count_bytes_locked(disk, &used, err);
    if (status != NAV_OK || (bytes <= most && used <= most - bytes)) {
        return status;
    }
    if (bytes > most) {
        return fail_full(bytes, used, most, err);
    }
    const uint64_t lacking = used - (most - bytes);
    status = find_oldest_locked(disk, lacking, before, &them, err);
    if (status == NAV_OK && them.bytes < lacking) {
        return fail_full(bytes, used - them.bytes, most, err);
    }
    return status == NAV_OK ? delete_oldest_locked(disk, &them, err) : status;
}

static nav_status shrink_locked(store *disk, uint64_t bytes_max, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    uint64_t used = 0;
    oldest them;
    nav_status status = count_bytes_locked(disk, &used, err);
    if (status != NAV_OK || used <= bytes_max) {
        return status;
    }
    // Those that were asked for stay, also beyond it.
    status = find_oldest_locked(disk, used - bytes_max, NULL, &them, err);
    return status == NAV_OK ? delete_oldest_locked(disk, &them, err) : status;
}

nav_status store_recordings_limit(store *disk, uint64_t bytes_max, nav_error *err)
{
    atomic_store(&disk->recordings_bytes_max, bytes_max);
    nav_status status = store_write_begin(disk, err);
    return status == NAV_OK ? store_write_end(disk, shrink_locked(disk, bytes_max, err), err)
                            : status;
}

// ---- in and away ----

static nav_status check_version_locked(store *disk, const store_recording *recording,
                                       nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    store_statement s = store_prepare_version_locked(
        &disk->writer,
        "SELECT EXISTS(SELECT 1 FROM versions v JOIN meshes m ON m.id = v.mesh"
        "  WHERE m.name = ?1 AND v.version = ?2 AND v.state = 'ready')"
        " OR EXISTS(SELECT 1 FROM recorded_versions WHERE mesh = ?1 AND version = ?2)",
        recording->mesh, recording->version);
    const bool found = store_step(&s) && sqlite3_column_int(s.sql, 0) != 0;
    const nav_status status = store_finish(&s, "looking for a version", err);
    return status != NAV_OK || found
               ? status
               : nav_fail(err, PROTO_VERSION_NOT_FOUND,
                          "version %u of mesh '%s' was removed before its answer was recorded",
                          recording->version, recording->mesh);
}

static nav_status insert_locked(store *disk, const store_recording *recording, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    store_statement s =
        store_prepare_locked(&disk->writer, "INSERT INTO recordings(" COLUMNS ", bytes, bundle)"
                                            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    store_bind_text(&s, 1, recording->id);
    store_bind_text(&s, 2, recording->mesh);
    store_bind_int(&s, 3, recording->version);
    store_bind_text(&s, 4, store_cause_word(recording->cause));
    store_bind_text(&s, 5, recording->name);
    store_bind_text(&s, 6, recording->created_at);
    store_bind_text(&s, 7, recording->kind);
    store_bind_int(&s, 8, recording->status);
    if (s.code == SQLITE_OK || s.code == SQLITE_ROW) {
        s.code = sqlite3_bind_double(s.sql, 9, recording->ms);
    }
    store_bind_int(&s, 10, (int64_t)recording->bytes);
    store_bind_blob(&s, 11, recording->bundle, recording->bundle_bytes);
    (void)store_step(&s);
    return store_finish(&s, "storing a recording", err);
}

nav_status store_recording_insert(store *disk, store_recording *recording, nav_error *err)
{
    recording->bytes = recording->bundle_bytes + ROW_BYTES;
    nav_status status = store_write_begin(disk, err);
    if (status != NAV_OK) {
        return status;
    }
    status = check_version_locked(disk, recording, err);
    NAV_IF_OK(status, store_recordings_make_room_locked(disk, recording->bytes, NULL, err));
    NAV_IF_OK(status, insert_locked(disk, recording, err));
    return store_write_end(disk, status, err);
}

nav_status store_recording_delete(store *disk, const char *id, nav_error *err)
{
    nav_status status = store_write_begin(disk, err);
    if (status != NAV_OK) {
        return status;
    }
    store_statement s = store_prepare_locked(&disk->writer, "DELETE FROM recordings WHERE id = ?");
    store_bind_text(&s, 1, id);
    (void)store_step(&s);
    status = store_finish(&s, "removing a recording", err);
    if (status == NAV_OK && sqlite3_changes(disk->writer.db) == 0) {
        status = fail_not_found(id, err);
    }
    NAV_IF_OK(status, store_recorded_sweep_locked(disk, err));
    return store_write_end(disk, status, err);
}
