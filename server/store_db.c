// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// store_db.c: statements, transactions and errors of SQLite, as the rest of the store likes them.

#include "server/store_db.h"

#include "server/lock.h"

#include <stdlib.h>
#include <string.h>

static nav_status status_of(int code)
{
    switch (code & 0xff) {
    case SQLITE_FULL:
        return NAV_STORAGE_FULL;
    case SQLITE_NOMEM:
        return NAV_NO_MEMORY;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_READONLY:
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_PERM:
        return NAV_STORE_UNAVAILABLE;
    default:
        return NAV_INTERNAL;
    }
}

nav_status store_fail(sqlite3 *db, int code, const char *doing, nav_error *err)
{
    const char *message = db != NULL ? sqlite3_errmsg(db) : sqlite3_errstr(code);
    const int kind = code & 0xff;
    (void)nav_fail(err, status_of(code),
                   kind == SQLITE_CORRUPT
                       ? "%s: %.120s. The database is damaged: restore a backup; "
                         "navmeshd verify tells what it is"
                       : "%s: %s",
                   doing, message);
    if (err != NULL) {
        store_text_show(err->detail); // names in a damaged schema may be anything
    }
    return status_of(code);
}

store_statement store_prepare(sqlite3 *db, const char *sql)
{
    store_statement s = {.db = db};
    s.code = sqlite3_prepare_v2(db, sql, -1, &s.sql, NULL);
    return s;
}

void store_bind_int(store_statement *s, int at, int64_t value)
{
    if (s->code == SQLITE_OK) {
        s->code = sqlite3_bind_int64(s->sql, at, value);
    }
}

void store_bind_text(store_statement *s, int at, const char *text)
{
    if (s->code == SQLITE_OK) {
        s->code = sqlite3_bind_text(s->sql, at, text, -1, SQLITE_STATIC);
    }
}

void store_bind_blob(store_statement *s, int at, const void *bytes, uint64_t size_bytes)
{
    if (s->code == SQLITE_OK) {
        s->code = sqlite3_bind_blob64(s->sql, at, bytes, size_bytes, SQLITE_STATIC);
    }
}

bool store_step(store_statement *s)
{
    if (s->code != SQLITE_OK) {
        return false;
    }
    int code = sqlite3_step(s->sql);
    if (code != SQLITE_ROW && code != SQLITE_DONE) {
        s->code = code;
    }
    return code == SQLITE_ROW;
}

void store_rewind(store_statement *s)
{
    if (s->code == SQLITE_OK) {
        s->code = sqlite3_reset(s->sql);
    }
}

nav_status store_write_begin(store *disk, nav_error *err)
{
    (void)pthread_mutex_lock(&disk->writer.lock);
    int code = sqlite3_exec(disk->writer.db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    if (code == SQLITE_OK) {
        return NAV_OK;
    }
    nav_status status = store_fail(disk->writer.db, code, "writing", err);
    (void)pthread_mutex_unlock(&disk->writer.lock);
    return status;
}

static nav_status commit_locked(store *disk, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    int code = sqlite3_exec(disk->writer.db, "COMMIT", NULL, NULL, NULL);
    return code == SQLITE_OK ? NAV_OK : store_fail(disk->writer.db, code, "committing", err);
}

nav_status store_write_end(store *disk, nav_status status, nav_error *err)
{
    status = status == NAV_OK ? commit_locked(disk, err) : status;
    // Some errors have rolled back by themselves, then this one only says so.
    if (status != NAV_OK && sqlite3_get_autocommit(disk->writer.db) == 0) {
        (void)sqlite3_exec(disk->writer.db, "ROLLBACK", NULL, NULL, NULL);
    }
    store_index_changes changes = disk->changes;
    disk->changes = (store_index_changes){0};
    (void)pthread_mutex_unlock(&disk->writer.lock);
    if (status == NAV_OK) {
        store_places_apply(disk, &changes);
    }
    store_index_changes_free(&changes);
    return status;
}

// ---- columns ----

void *store_column_blob(store_statement *s, int column, size_t *size_bytes)
{
    const void *bytes = sqlite3_column_blob(s->sql, column);
    *size_bytes = (size_t)sqlite3_column_bytes(s->sql, column);
    void *copy = malloc(*size_bytes > 0 ? *size_bytes : 1);
    if (copy == NULL) {
        s->code = SQLITE_NOMEM;
    } else if (*size_bytes > 0) {
        memcpy(copy, bytes, *size_bytes);
    }
    return copy;
}

void store_column_hash(store_statement *s, int column, uint8_t out[32])
{
    memset(out, 0, 32);
    if (sqlite3_column_bytes(s->sql, column) == 32) {
        memcpy(out, sqlite3_column_blob(s->sql, column), 32);
    }
}

void *store_append(store_statement *s, void **array, size_t *count, size_t size_bytes)
{
    // Room is doubled whenever the count is a power of two.
    if ((*count & (*count - 1)) == 0) {
        size_t capacity = *count > 0 ? *count * 2 : 1;
        void *grown = realloc(*array, capacity * size_bytes);
        if (grown == NULL) {
            s->code = SQLITE_NOMEM;
            return NULL;
        }
        *array = grown;
    }
    void *element = (uint8_t *)*array + *count * size_bytes;
    memset(element, 0, size_bytes);
    (*count)++;
    return element;
}

// ---- rows that several writers read ----

nav_status store_change_locked(store *disk, const char *sql, const int64_t *values, int count,
                               nav_error *err)
{
    store_statement s = store_prepare_locked(&disk->writer, sql);
    for (int i = 0; i < count; i++) {
        store_bind_int(&s, i + 1, values[i]);
    }
    (void)store_step(&s);
    return store_finish(&s, "writing", err);
}

nav_status store_mesh_row_locked(store *disk, const char *name, store_mesh_row *out, nav_error *err)
{
    *out = (store_mesh_row){0};
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

// Whether the version still waits for its bake's end, and whether it is to be made live then.
static nav_status read_queued_locked(store *disk, uint32_t version, store_bake *bake, bool *queued,
                                     nav_error *err)
{
    store_statement s =
        store_prepare_locked(&disk->writer, "SELECT activate FROM versions"
                                            " WHERE mesh = ? AND version = ? AND state = 'queued'");
    store_bind_int(&s, 1, bake->mesh.id);
    store_bind_int(&s, 2, version);
    *queued = store_step(&s);
    bake->activate = *queued && sqlite3_column_int(s.sql, 0) != 0;
    return store_finish(&s, "reading a version", err);
}

nav_status store_bake_begin(store *disk, const char *name, uint32_t version, store_bake *out,
                            nav_error *err)
{
    bool queued = false;
    nav_status status = store_write_begin(disk, err);
    if (status != NAV_OK) {
        return status;
    }
    status = store_mesh_row_locked(disk, name, &out->mesh, err);
    if (status == NAV_OK) {
        status = read_queued_locked(disk, version, out, &queued, err);
    }
    if (status == NAV_OK && !queued) {
        status = nav_fail(err, NAV_CANCELLED, "the version was cancelled or removed");
    }
    return status == NAV_OK ? NAV_OK : store_write_end(disk, status, err);
}
