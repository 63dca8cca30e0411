// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// statements.c: statements that a connection keeps once they have been made. Making one costs
// SQLite as much as most of ours cost to run, and a commit has some twenty.
//
// A kept statement is found by its text. While somebody has it, a second one of the same text is
// made beside it. Where there is no room the kept ones that nobody has go in turn.

#include "server/store/db.h"

#include "server/base/lock.h"

#include <string.h>

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
static store_kept *make_room(store_connection *c)
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
        return (store_statement){.db = connection->db, .sql = kept->statement, .kept = kept};
    }
    store_statement s = store_prepare(connection->db, sql);
    kept = s.code == SQLITE_OK ? make_room(connection) : NULL;
    if (kept != NULL) {
        *kept = (store_kept){.sql = sql, .statement = s.sql, .taken = true};
        s.kept = kept;
    }
    return s;
}

nav_status store_finish(store_statement *s, const char *doing, nav_error *err)
{
    nav_status status = s->code == SQLITE_OK ? NAV_OK : store_fail(s->db, s->code, doing, err);
    if (s->kept != NULL) {
        (void)sqlite3_reset(s->sql);
        (void)sqlite3_clear_bindings(s->sql);
        s->kept->taken = false;
        s->kept = NULL;
    } else {
        (void)sqlite3_finalize(s->sql);
    }
    s->sql = NULL;
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
