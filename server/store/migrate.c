// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// migrate.c: which schema a file has, and its path from an older one to the newest: a copy of it is
// put aside, then all steps run in one transaction, which also writes the number. A migration that
// is broken off leaves the file as it was.

#include "server/store/db.h"

#include "server/base/log.h"

#include <stdio.h>
#include <stdlib.h>

#define MIGRATING "migrating the database"

static nav_status read_int(sqlite3 *db, const char *sql, int64_t *out, nav_error *err)
{
    store_statement s = store_prepare(db, sql);
    if (store_step(&s)) {
        *out = sqlite3_column_int64(s.sql, 0);
    }
    return store_finish(&s, "reading the database's header", err);
}

static int64_t number_of(const store_schema *schema)
{
    return STORE_SCHEMA_FIRST + schema->step_count;
}

// ---- the check of a file ----

// A table with its columns and what they refer to, or an index with its columns, as one text.
#define SHAPES                                                                                     \
    "SELECT m.type || ' ' || m.name || coalesce((SELECT group_concat(c.name || c.type || c.pk)"    \
    " FROM pragma_table_xinfo(m.name) c), '') || coalesce((SELECT group_concat(i.name)"            \
    " FROM pragma_index_info(m.name) i), '') || coalesce((SELECT group_concat(f.\"table\" ||"      \
    " f.\"from\" || coalesce(f.\"to\", '')) FROM pragma_foreign_key_list(m.name) f), '') AS "      \
    "shape,"                                                                                       \
    " m.type || ' ' || m.name AS what"                                                             \
    " FROM sqlite_schema m"                                                                        \
    " WHERE m.type IN ('table', 'index')"

static nav_status has_shape(sqlite3 *db, const char *shape, const char *name, nav_error *err)
{
    // By name first: otherwise SQLite works out the shapes of all for each.
    store_statement s =
        store_prepare(db, "SELECT 1 FROM (" SHAPES ") WHERE what = ? AND shape = ?");
    store_bind(&s, STORE_VALUES(STORE_TEXT(name), STORE_TEXT(shape)));
    const bool found = store_step(&s);
    nav_status status = store_finish(&s, "reading the database's tables", err);
    return status != NAV_OK || found
               ? status
               : nav_fail(err, PROTO_STORE_UNAVAILABLE,
                          "it is damaged, put a backup in its place: no %s as it should be", name);
}

nav_status store_identity_check(sqlite3 *db, const store_schema *schema, bool *newest,
                                nav_error *err)
{
    int64_t application = 0, number = 0;
    nav_status status = read_int(db, "PRAGMA application_id", &application, err);
    NAV_IF_OK(status, read_int(db, "PRAGMA user_version", &number, err));
    if (status != NAV_OK) {
        return status;
    }
    if (application != STORE_APPLICATION_ID) {
        return nav_fail(err, PROTO_STORE_UNAVAILABLE,
                        "it is a database of another program (application_id %lld)",
                        (long long)application);
    }
    if (number > number_of(schema)) {
        return nav_fail(err, PROTO_STORE_UNAVAILABLE,
                        "it has schema %lld, this navmeshd knows up to %lld: use a newer one",
                        (long long)number, (long long)number_of(schema));
    }
    if (number < 0) {
        return nav_fail(err, PROTO_STORE_UNAVAILABLE,
                        "it is damaged, put a backup in its place: it says that it has schema %lld",
                        (long long)number);
    }
    if (number < STORE_SCHEMA_FIRST) {
        return nav_fail(err, PROTO_STORE_UNAVAILABLE,
                        "it has schema %lld, from before the first release: upload its levels into "
                        "a new database",
                        (long long)number);
    }
    *newest = number == number_of(schema);
    return NAV_OK;
}

// Compares the file's tables with those that the steps make. A table whose text is damaged may
// still be one to SQLite, but with other columns, and would be found out in the middle of an
// upload.
nav_status store_schema_check(sqlite3 *db, const store_schema *schema, nav_error *err)
{
    sqlite3 *fresh = NULL;
    int code =
        sqlite3_open_v2(":memory:", &fresh, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
    nav_status status = code == SQLITE_OK ? store_migrate(fresh, schema, err)
                                          : store_fail(fresh, code, "checking the database", err);
    if (status == NAV_OK) {
        store_statement s = store_prepare(fresh, SHAPES);
        while (status == NAV_OK && store_step(&s)) {
            const char *shape = (const char *)sqlite3_column_text(s.sql, 0);
            const char *name = (const char *)sqlite3_column_text(s.sql, 1);
            if (shape == NULL || name == NULL) {
                s.code = SQLITE_NOMEM;
            } else {
                status = has_shape(db, shape, name, err);
            }
        }
        nav_status finished =
            store_finish(&s, "checking the database", status == NAV_OK ? err : NULL);
        status = status != NAV_OK ? status : finished;
    }
    (void)sqlite3_close(fresh);
    return status;
}

// ---- the steps ----

static nav_status take_steps(sqlite3 *db, const store_schema *schema, int64_t number,
                             nav_error *err)
{
    nav_status status = NAV_OK;
    for (size_t i = 0; status == NAV_OK && number == 0 && schema->tables[i] != NULL; i++) {
        status = store_execute(db, schema->tables[i], MIGRATING, err);
    }
    for (int64_t i = number == 0 ? 0 : number - STORE_SCHEMA_FIRST;
         status == NAV_OK && i < schema->step_count; i++) {
        status = store_execute(db, schema->steps[i], MIGRATING, err);
    }
    // Tables of an older file whose texts are damaged come to light before anything is kept.
    return status == NAV_OK && number > 0 ? store_schema_check(db, schema, err) : status;
}

nav_status store_migrate(sqlite3 *db, const store_schema *schema, nav_error *err)
{
    char mark[128];
    int64_t number = 0;
    nav_status status = store_execute(db, "BEGIN IMMEDIATE", MIGRATING, err);
    NAV_IF_OK(status, read_int(db, "PRAGMA user_version", &number, err));
    NAV_IF_OK(status, take_steps(db, schema, number, err));
    (void)snprintf(mark, sizeof mark, STORE_SET_APPLICATION_ID "; PRAGMA user_version=%lld; COMMIT",
                   (long long)number_of(schema));
    NAV_IF_OK(status, store_execute(db, mark, MIGRATING, err));
    return status;
}

nav_status store_migrate_old(store *disk, nav_error *err)
{
    char *copy = NULL;
    const long long number = (long long)number_of(disk->schema);
    if (asprintf(&copy, "%s-before-%lld", disk->path, number) < 0) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory to migrate the database");
    }
    nav_status status = store_copy_aside(disk, copy, err);
    if (status == NAV_OK) {
        nav_error why = {0};
        status = store_migrate(disk->writer.db, disk->schema, &why);
        status = status == NAV_OK ? NAV_OK
                                  : nav_fail(err, status, "%.110s cannot be migrated: %.120s",
                                             disk->path, why.detail);
    }
    if (status == NAV_OK) {
        log_info("store_migrated", "schema=%lld copy=\"%s\"", number, copy);
    }
    free(copy);
    return status;
}
