// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// recordings.c: recordings in and out, the bound on all of them, and what they do to the removal of
// their version.

#include "server/store/recordings.h"

#include "server/base/lock.h"
#include "server/store/db.h"

#include <stdio.h>
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

// The bytes that a row counts for. A number that no row can have is damaged; it counts nothing, so
// that it takes no room from others, and nothing overflows.
#define COUNTED "iif(r.bytes BETWEEN 0 AND " BYTES_MAX ", r.bytes, 0)"
#define COLUMNS                                                                                    \
    "r.id, m.name, r.version, r.cause, r.name, r.created_at, r.kind, r.status, r.ms, " COUNTED
#define FROM " FROM recordings r JOIN meshes m ON m.id = r.mesh"
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
    store_statement s = store_read(disk, "SELECT " COLUMNS ", r.bundle" FROM " WHERE r.id = ?",
                                   STORE_VALUES(STORE_TEXT(id)));
    if (store_step(&s)) {
        found = true;
        read_row(&s, out);
        out->bundle = store_column_blob(&s, BUNDLE_COLUMN, &out->bundle_bytes);
    }
    nav_status status = store_finish(&s, "reading a recording", err);
    NAV_IF_OK(status, !found ? fail_not_found(id, err) : NAV_OK);
    if (status != NAV_OK) {
        free(out->bundle);
        out->bundle = NULL;
    }
    return status;
}

#define USED_BYTES "(SELECT CAST(total(" COUNTED ") AS INTEGER) FROM recordings r)"

nav_status store_recordings_list(store *disk, const char *after, uint32_t limit,
                                 store_recordings *out, nav_error *err)
{
    void *items = NULL;
    *out = (store_recordings){0};
    // "~" is behind all letters and digits.
    store_statement s = store_read(
        disk, "SELECT " COLUMNS FROM " WHERE r.id < ? ORDER BY r.id DESC LIMIT ?",
        STORE_VALUES(STORE_TEXT(after != NULL ? after : "~"), STORE_INT((int64_t)limit + 1)));
    while (store_step(&s)) {
        store_recording *row = store_append(&s, &items, &out->count, sizeof *row);
        if (row != NULL) {
            read_row(&s, row);
        }
    }
    nav_status status = store_finish(&s, "reading recordings", err);
    if (status == NAV_OK) {
        s = store_read(disk, "SELECT " USED_BYTES ", (SELECT count(*) FROM recordings)",
                       STORE_NO_VALUES);
        if (store_step(&s)) {
            out->bytes = (uint64_t)sqlite3_column_int64(s.sql, 0);
            out->number = (uint64_t)sqlite3_column_int64(s.sql, 1);
        }
        status = store_finish(&s, "counting recordings", err);
    }
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

// Deletes the oldest recordings that made themselves, as many as it takes so that all have no more
// bytes than `most`, or all there are. *used: what is left.
static nav_status make_space_locked(store *disk, uint64_t most, uint64_t *used, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    char last[STORE_RECORDING_ID_BYTES] = ""; // the newest of them
    nav_status status = count_bytes_locked(disk, used, err);
    if (status != NAV_OK || *used <= most) {
        return status;
    }
    // In order of id, so that it can end early.
    store_statement s =
        store_prepare_locked(&disk->writer, "SELECT r.id, " COUNTED " FROM recordings r"
                                            " WHERE r.cause <> 'asked' ORDER BY r.id");
    while (*used > most && store_step(&s)) {
        copy_text(&s, 0, last, sizeof last);
        *used -= (uint64_t)sqlite3_column_int64(s.sql, 1);
    }
    status = store_finish(&s, "looking for old recordings", err);
    NAV_IF_OK(status, store_change_locked(disk, "making room for recordings",
                                          "DELETE FROM recordings"
                                          " WHERE cause IN ('slow', 'failed') AND id <= ?",
                                          STORE_VALUES(STORE_TEXT(last)), err));
    return status;
}

nav_status store_recordings_limit(store *disk, uint64_t bytes_max, nav_error *err)
{
    atomic_store(&disk->recordings_bytes_max, bytes_max);
    uint64_t used;
    nav_status status = store_write_begin(disk, err);
    return status == NAV_OK
               ? store_write_end(disk, make_space_locked(disk, bytes_max, &used, err), err)
               : status; // those that were asked for stay, also beyond it
}

// ---- in and away ----

static nav_status insert_locked(store *disk, const store_recording *recording, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    const nav_status status = store_change_locked(
        disk, "storing a recording",
        "INSERT INTO recordings(id, mesh, version, cause, name, created_at, kind, status, ms,"
        " bytes, bundle) SELECT ?3, v.mesh, v.version, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11"
        " FROM versions v JOIN meshes m ON m.id = v.mesh"
        " WHERE m.name = ?1 AND v.version = ?2 AND v.state = 'ready'",
        STORE_VALUES(STORE_TEXT(recording->mesh), STORE_INT(recording->version),
                     STORE_TEXT(recording->id), STORE_TEXT(store_cause_word(recording->cause)),
                     STORE_TEXT(recording->name), STORE_TEXT(recording->created_at),
                     STORE_TEXT(recording->kind), STORE_INT(recording->status),
                     STORE_REAL(recording->ms), STORE_INT(recording->bytes),
                     STORE_BLOB(recording->bundle, recording->bundle_bytes)),
        err);
    return status != NAV_OK || sqlite3_changes(disk->writer.db) > 0
               ? status
               : nav_fail(err, PROTO_VERSION_NOT_FOUND,
                          "version %u of mesh '%s' was removed before its answer was recorded",
                          recording->version, recording->mesh);
}

nav_status store_recording_insert(store *disk, store_recording *recording, nav_error *err)
{
    recording->bytes = recording->bundle_bytes + ROW_BYTES;
    nav_status status = store_write_begin(disk, err);
    if (status != NAV_OK) {
        return status;
    }
    const uint64_t most = atomic_load(&disk->recordings_bytes_max);
    const uint64_t space = most - recording->bytes; // if it has room at all
    uint64_t used = 0;
    status = recording->bytes > most ? count_bytes_locked(disk, &used, err)
                                     : make_space_locked(disk, space, &used, err);
    if (status == NAV_OK && (recording->bytes > most || used > space)) {
        status = fail_full(recording->bytes, used, most, err);
    }
    NAV_IF_OK(status, insert_locked(disk, recording, err));
    return store_write_end(disk, status, err);
}

nav_status store_recording_delete(store *disk, const char *id, nav_error *err)
{
    nav_status status = store_write_begin(disk, err);
    if (status != NAV_OK) {
        return status;
    }
    status =
        store_change_locked(disk, "removing a recording", "DELETE FROM recordings WHERE id = ?",
                            STORE_VALUES(STORE_TEXT(id)), err);
    NAV_IF_OK(status, sqlite3_changes(disk->writer.db) == 0 ? fail_not_found(id, err) : NAV_OK);
    return store_write_end(disk, status, err);
}

// ---- their version ----

#define SHOWN 3u // of the ids, in a sentence

nav_status store_recordings_check_locked(store *disk, const store_mesh_row *mesh, const char *name,
                                         uint32_t version, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    char ids[SHOWN * (STORE_RECORDING_ID_BYTES + 2)] = "", which[32] = "";
    uint32_t count = 0;
    store_statement s = store_prepare_locked(
        &disk->writer, "SELECT id FROM recordings WHERE mesh = ?1 AND ?2 IN (0, version)"
                       " AND cause = 'asked' ORDER BY id");
    store_bind(&s, STORE_VALUES(STORE_INT(mesh->id), STORE_INT(version)));
    for (; store_step(&s); count++) {
        char id[STORE_RECORDING_ID_BYTES];
        copy_text(&s, 0, id, sizeof id);
        if (count < SHOWN) {
            const size_t used = strlen(ids);
            (void)snprintf(ids + used, sizeof ids - used, "%s%s", count > 0 ? ", " : "", id);
        }
    }
    const nav_status status = store_finish(&s, "looking for recordings", err);
    if (status != NAV_OK || count == 0) {
        return status;
    }
    if (version != 0) {
        (void)snprintf(which, sizeof which, "version %u of ", version);
    }
    return nav_fail(err, PROTO_VERSION_RECORDED,
                    "%smesh '%s' is recorded (%u): delete these first, or with force=1: %s%s",
                    which, name, count, ids, count > SHOWN ? ", ..." : "");
}

nav_status store_recordings_drop_locked(store *disk, const store_mesh_row *mesh, uint32_t version,
                                        nav_error *err)
{
    return store_change_locked(disk, "writing",
                               "DELETE FROM recordings WHERE mesh = ?1 AND ?2 IN (0, version)",
                               STORE_VALUES(STORE_INT(mesh->id), STORE_INT(version)), err);
}

// ---- what a recording needs of it ----

#define BLOCK_BYTES "32" // of what stands in front of a block in a bundle, at most

// A total() cannot overflow, whatever damage makes of the numbers.
#define SUM "(SELECT CAST(total(bytes + " BLOCK_BYTES ") AS INTEGER) FROM "

nav_status store_recorded_bytes(store *disk, const char *mesh, uint32_t version, uint64_t *bytes,
                                nav_error *err)
{
    store_statement s =
        store_read(disk,
                   "SELECT length(v.config_json)"
                   " + " SUM "version_landmarks l WHERE l.mesh = v.mesh AND l.version = v.version)"
                   " + " SUM "version_tiles t JOIN tiles c ON c.id = t.tile"
                   "  WHERE t.mesh = v.mesh AND t.version = v.version)"
                   " FROM meshes m JOIN versions v ON v.mesh = m.id"
                   " WHERE m.name = ?1 AND v.version = ?2 AND v.state = 'ready'",
                   STORE_VALUES(STORE_TEXT(mesh), STORE_INT(version)));
    const bool found = store_step(&s);
    *bytes = found ? (uint64_t)sqlite3_column_int64(s.sql, 0) : 0;
    const nav_status status = store_finish(&s, "measuring a version", err);
    return status != NAV_OK || found ? status
                                     : nav_fail(err, PROTO_VERSION_NOT_FOUND,
                                                "mesh '%s' has no version %u", mesh, version);
}
