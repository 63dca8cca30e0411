// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// store_db.c: statements, transactions and errors of SQLite, as the rest of the store likes them.

#include "server/store_db.h"

#include "server/lock.h"

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
    return nav_fail(err, status_of(code), "%s: %s", doing, message);
}

store_statement store_prepare(sqlite3 *db, const char *sql)
{
    store_statement s = {.db = db};
    s.code = sqlite3_prepare_v2(db, sql, -1, &s.sql, NULL);
    return s;
}

store_statement store_prepare_locked(store_connection *connection, const char *sql)
{
    NAV_ASSERT(lock_is_held(&connection->lock));
    return store_prepare(connection->db, sql);
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

nav_status store_finish(store_statement *s, const char *doing, nav_error *err)
{
    nav_status status = s->code == SQLITE_OK ? NAV_OK : store_fail(s->db, s->code, doing, err);
    (void)sqlite3_finalize(s->sql);
    s->sql = NULL;
    return status;
}

nav_status store_begin_locked(store *disk, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    int code = sqlite3_exec(disk->writer.db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    return code == SQLITE_OK ? NAV_OK : store_fail(disk->writer.db, code, "writing", err);
}

nav_status store_end_locked(store *disk, nav_status status, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    sqlite3 *db = disk->writer.db;
    if (status == NAV_OK) {
        int code = sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
        if (code == SQLITE_OK) {
            return NAV_OK;
        }
        status = store_fail(db, code, "committing", err);
    }
    // Some errors have rolled back by themselves, then this one only says so.
    if (sqlite3_get_autocommit(db) == 0) {
        (void)sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    }
    return status;
}
