// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// db.c: connections, statements, columns and errors of SQLite, as the rest of the store likes them.

#include "server/store/db.h"

#include "server/base/lock.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// Some calls of the system fail for want of room or memory, and SQLite only says that they failed.
static nav_status status_of_system(int error)
{
    switch (error) {
    case ENOSPC:
    case EDQUOT:
        return PROTO_STORAGE_FULL;
    case ENOMEM:
        return NAV_NO_MEMORY;
    default:
        return PROTO_STORE_UNAVAILABLE;
    }
}

static nav_status status_of(sqlite3 *db, int code)
{
    if (code == SQLITE_IOERR_NOMEM) {
        return NAV_NO_MEMORY;
    }
    switch (code & 0xff) {
    case SQLITE_FULL:
        return PROTO_STORAGE_FULL;
    case SQLITE_NOMEM:
        return NAV_NO_MEMORY;
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
        return status_of_system(db != NULL ? sqlite3_system_errno(db) : 0);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL:
    case SQLITE_READONLY:
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_PERM:
        return PROTO_STORE_UNAVAILABLE;
    default:
        return PROTO_INTERNAL;
    }
}

nav_status store_fail(sqlite3 *db, int code, const char *doing, nav_error *err)
{
    const char *message = db != NULL ? sqlite3_errmsg(db) : sqlite3_errstr(code);
    const int kind = code & 0xff;
    const nav_status status = status_of(db, code);
    if (status == PROTO_STORAGE_FULL && kind != SQLITE_FULL) {
        // Without room for the log's index or a new file SQLite reports SQLITE_IOERR or CANTOPEN.
        message = "the disk is full";
    }
    (void)nav_fail(err, status,
                   kind == SQLITE_CORRUPT
                       ? "%s: %.120s. The database is damaged: restore a backup; "
                         "navmeshd verify tells what it is"
                       : "%s: %s",
                   doing, message);
    if (err != NULL) {
        store_text_show(err->detail); // names in a damaged schema may be anything
    }
    return status;
}

// ---- connections ----

nav_status store_execute(sqlite3 *db, const char *sql, const char *doing, nav_error *err)
{
    int code = sqlite3_exec(db, sql, NULL, NULL, NULL);
    return code == SQLITE_OK ? NAV_OK : store_fail(db, code, doing, err);
}

nav_status store_connection_open(const char *path, int flags, sqlite3 **out, nav_error *err)
{
    *out = NULL;
    int code = sqlite3_open_v2(path, out, flags | SQLITE_OPEN_NOMUTEX, NULL);
    if (code != SQLITE_OK) {
        nav_status status = store_fail(*out, code, "opening the database", err);
        (void)sqlite3_close(*out);
        *out = NULL;
        return status;
    }
    (void)sqlite3_busy_timeout(*out, LIMIT_STORE_BUSY_MS);
    (void)sqlite3_db_config(*out, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    (void)sqlite3_db_config(*out, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    return NAV_OK;
}

nav_status store_writer_open(store *s, nav_error *err)
{
    // Room for what a transaction changes: pages that do not fit are written more than once.
    static const char *const settings = "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
                                        "PRAGMA foreign_keys=ON; PRAGMA cell_size_check=ON;"
                                        "PRAGMA cache_size=-32768";
    nav_status status = store_connection_open(s->path, SQLITE_OPEN_READWRITE, &s->writer.db, err);
    NAV_IF_OK(status, store_execute(s->writer.db, settings, "setting up the database", err));
    if (status != NAV_OK) {
        store_connection_close(&s->writer);
    }
    return status;
}

// ---- statements ----

store_statement store_prepare(sqlite3 *db, const char *sql)
{
    store_statement s = {.db = db};
    s.code = sqlite3_prepare_v2(db, sql, -1, &s.sql, NULL);
    return s;
}

void store_bind(store_statement *s, store_values values)
{
    NAV_DCHECK(s->code != SQLITE_OK ||
               (size_t)sqlite3_bind_parameter_count(s->sql) == values.count);
    for (int i = 0; s->code == SQLITE_OK && i < (int)values.count; i++) {
        const store_value *v = &values.at[i];
        switch (v->kind) {
        case STORE_VALUE_INT:
            s->code = sqlite3_bind_int64(s->sql, i + 1, v->integer);
            break;
        case STORE_VALUE_REAL:
            s->code = sqlite3_bind_double(s->sql, i + 1, v->real);
            break;
        case STORE_VALUE_TEXT:
            s->code = sqlite3_bind_text(s->sql, i + 1, v->at, -1, SQLITE_STATIC);
            break;
        case STORE_VALUE_BLOB:
            s->code =
                sqlite3_bind_blob64(s->sql, i + 1, v->at, (uint64_t)v->integer, SQLITE_STATIC);
            break;
        }
    }
}

bool store_step(store_statement *s)
{
    if (s->code != SQLITE_OK) {
        return false;
    }
    NAV_ASSERT(s->sql != NULL); // it was prepared, and has not been finished
    int code = sqlite3_step(s->sql);
    if (code != SQLITE_ROW && code != SQLITE_DONE) {
        s->code = code;
    }
    return code == SQLITE_ROW;
}

// ---- statements that are kept ----

// Statements that a connection keeps once they have been made. Making one costs
// SQLite as much as most of ours cost to run, and a commit has some twenty.
//
// A kept statement is found by its text. While somebody has it, a second one of the same text is
// made beside it. Where there is no room the kept ones that nobody has go in turn.
static store_kept *find(store_connection *c, const char *sql)
{
    for (size_t i = 0; i < STORE_KEPT_MAX; i++) {
        store_kept *kept = &c->kept[i];
        // The address alone does not do: a text may have been made where another one was.
        if (kept->sql == sql && !kept->taken && strcmp(sqlite3_sql(kept->statement), sql) == 0) {
            return kept;
        }
    }
    return NULL;
}

// An entry without a statement; NULL where all are taken.
static store_kept *take_entry(store_connection *c)
{
    for (size_t tries = 0; tries < STORE_KEPT_MAX; tries++) {
        store_kept *kept = &c->kept[c->kept_next++ % STORE_KEPT_MAX];
        if (!kept->taken) {
            (void)sqlite3_finalize(kept->statement);
            *kept = (store_kept){0};
            return kept;
        }
    }
    return NULL;
}

store_statement store_prepare_locked(store_connection *connection, const char *sql)
{
    NAV_ASSERT(lock_is_held(&connection->lock));
    store_kept *kept = find(connection, sql);
    if (kept != NULL) {
        kept->taken = true;
        NAV_DCHECK(sqlite3_stmt_busy(kept->statement) == 0); // it was reset when it was finished
        return (store_statement){.db = connection->db, .sql = kept->statement, .kept = kept};
    }
    store_statement s = store_prepare(connection->db, sql);
    kept = s.code == SQLITE_OK ? take_entry(connection) : NULL;
    if (kept != NULL) {
        *kept = (store_kept){.sql = sql, .statement = s.sql, .taken = true};
        s.kept = kept;
    }
    return s;
}

store_statement store_read(store *disk, const char *sql, store_values values)
{
    (void)pthread_mutex_lock(&disk->reader.lock);
    store_statement s = store_prepare_locked(&disk->reader, sql);
    s.own_lock = &disk->reader.lock;
    store_bind(&s, values);
    return s;
}

nav_status store_finish(store_statement *s, const char *doing, nav_error *err)
{
    nav_status status = s->code == SQLITE_OK ? NAV_OK : store_fail(s->db, s->code, doing, err);
    if (s->kept != NULL) {
        NAV_ASSERT(s->kept->taken && s->kept->statement == s->sql);
        (void)sqlite3_reset(s->sql);
        (void)sqlite3_clear_bindings(s->sql);
        s->kept->taken = false;
        s->kept = NULL;
    } else {
        (void)sqlite3_finalize(s->sql);
    }
    s->sql = NULL;
    if (s->own_lock != NULL) {
        (void)pthread_mutex_unlock(s->own_lock);
        s->own_lock = NULL;
    }
    return status;
}

void store_statements_drop(store_connection *connection)
{
    for (size_t i = 0; i < STORE_KEPT_MAX; i++) {
        NAV_ASSERT(!connection->kept[i].taken);
        (void)sqlite3_finalize(connection->kept[i].statement);
        connection->kept[i] = (store_kept){0};
    }
}

void store_connection_close(store_connection *connection)
{
    store_statements_drop(connection);
    (void)sqlite3_close(connection->db);
    connection->db = NULL;
}

// ---- columns ----

void *store_column_blob(store_statement *s, int column, size_t *size_bytes)
{
    const void *bytes = sqlite3_column_blob(s->sql, column);
    *size_bytes = (size_t)sqlite3_column_bytes(s->sql, column);
    void *copy = malloc(*size_bytes > 0 ? *size_bytes : 1);
    if (copy == NULL || (bytes == NULL && sqlite3_errcode(s->db) == SQLITE_NOMEM)) {
        free(copy);
        copy = NULL;
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

uint32_t store_version_at(store_statement *s, int column)
{
    const int64_t version = sqlite3_column_int64(s->sql, column);
    const bool whole = sqlite3_column_type(s->sql, column) == SQLITE_INTEGER && version >= 1 &&
                       version <= (int64_t)UINT32_MAX;
    return whole ? (uint32_t)version : 0;
}

void store_active_at(store_statement *s, int column, uint32_t *active, uint64_t *activation)
{
    const int64_t count = sqlite3_column_int64(s->sql, column + 1);
    *active = store_version_at(s, column);
    const bool whole = sqlite3_column_type(s->sql, column + 1) == SQLITE_INTEGER && count >= 0 &&
                       count <= (INT64_C(1) << 53) && (count > 0 || *active == 0);
    *activation = whole ? (uint64_t)count : STORE_LOST_ACTIVATION;
}

void *store_append(store_statement *s, void **array, size_t *count, size_t size_bytes)
{
    NAV_ASSERT(size_bytes > 0 && (*count == 0 || *array != NULL));
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

nav_status store_change_locked(store *disk, const char *doing, const char *sql, store_values values,
                               nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    store_statement s = store_prepare_locked(&disk->writer, sql);
    store_bind(&s, values);
    (void)store_step(&s);
    return store_finish(&s, doing, err);
}

nav_status store_list_locked(store *disk, const char *sql, store_values values, int64_t **out,
                             size_t *listed, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    void *rows = NULL;
    *listed = 0;
    store_statement s = store_prepare_locked(&disk->writer, sql);
    store_bind(&s, values);
    while (store_step(&s)) {
        int64_t *row = store_append(&s, &rows, listed, sizeof *row);
        if (row != NULL) {
            *row = sqlite3_column_int64(s.sql, 0);
        }
    }
    *out = rows;
    return store_finish(&s, "listing rows", err);
}

nav_status store_mesh_row_locked(store *disk, const char *name, store_mesh_row *out, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    *out = (store_mesh_row){0};
    store_statement s = store_prepare_locked(
        &disk->writer,
        "SELECT id, active, activation, newest_activated FROM meshes WHERE name = ?");
    store_bind(&s, STORE_VALUES(STORE_TEXT(name)));
    if (store_step(&s)) {
        out->id = sqlite3_column_int64(s.sql, 0);
        store_active_at(&s, 1, &out->active, &out->activation);
        out->newest_activated = store_version_at(&s, 3);
    }
    return store_finish(&s, "reading a mesh", err);
}
