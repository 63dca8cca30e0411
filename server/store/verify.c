// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// verify.c: what `navmeshd verify` asks of the file itself, while a daemon may be using it. Under
// WAL a reader sees one moment and holds up nobody.

#include "server/store/db.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int store_check_code(const char *line)
{
    // The check goes on where the disk gives an error, and calls that a fault of the page; where
    // the page belongs to a long row it leaves out which error. One of a number that cannot be is
    // reported in other words.
    static const char unread[] = "unable to get the page. error code=";
    const char *found = strstr(line, unread);
    const int code = found != NULL ? atoi(found + sizeof unread - 1) : SQLITE_CORRUPT;
    if ((code & 0xff) != SQLITE_CORRUPT) {
        return code;
    }
    return strstr(line, "failed to get page ") != NULL ? SQLITE_IOERR_READ : SQLITE_OK;
}

// Each row of a statement is one fault, in words.
static nav_status report_rows(store *disk, const char *sql, store_fault *report, void *user,
                              nav_error *err)
{
    int unread = SQLITE_OK;
    store_statement s = store_prepare_locked(&disk->reader, sql);
    while (unread == SQLITE_OK && store_step(&s)) {
        char text[320];
        const char *said = (const char *)sqlite3_column_text(s.sql, 0);
        if (said == NULL) {
            s.code = sqlite3_column_type(s.sql, 0) == SQLITE_TEXT ? SQLITE_NOMEM : s.code;
            continue;
        }
        unread = store_check_code(said);
        if (unread == SQLITE_OK && strcmp(said, "ok") != 0) {
            // SQLite's texts may contain damaged names of its own tables.
            (void)snprintf(text, sizeof text,
                           "the database itself is damaged, restore a backup: %s", said);
            store_text_show(text);
            report(user, text);
        }
    }
    nav_status status = store_finish(&s, "verifying the database", err);
    return status == NAV_OK && unread != SQLITE_OK
               ? store_fail(NULL, unread, "verifying the database", err)
               : status;
}

// Rows that nothing refers to take room, and nobody sees them.
#define STRAYS                                                                                     \
    "SELECT (SELECT count(*) FROM version_tiles t WHERE NOT EXISTS (SELECT 1 FROM versions v"      \
    "  WHERE v.mesh = t.mesh AND v.version = t.version AND v.state IN ('queued','ready')))"        \
    " + (SELECT count(*) FROM tiles c WHERE NOT EXISTS"                                            \
    "  (SELECT 1 FROM version_tiles t WHERE t.tile = c.id))"                                       \
    " + (SELECT count(*) FROM blobs b WHERE NOT EXISTS (SELECT 1 FROM tiles c WHERE c.blob = "     \
    "b.id))"                                                                                       \
    " + (SELECT count(*) FROM geometries g WHERE NOT EXISTS"                                       \
    "  (SELECT 1 FROM versions v WHERE v.geometry_hash = g.hash)) AS strays"

static const char *const RULES[] = {
    "PRAGMA integrity_check",
    "SELECT 'a row of ' || \"table\" || ' refers to ' || parent || ' that is not there'"
    " FROM pragma_foreign_key_check",
    "SELECT 'the row of mesh number ' || id FROM meshes m WHERE typeof(name) <> 'text'"
    " OR length(CAST(name AS BLOB)) NOT BETWEEN 1 AND 64 OR length(name) <> length(CAST(name AS "
    "BLOB))"
    " OR name NOT GLOB '[a-zA-Z0-9]*' OR name GLOB '*[^a-zA-Z0-9._-]*'"
    " OR typeof(active) <> 'integer' OR active NOT BETWEEN 0 AND 4294967295"
    " OR typeof(activation) <> 'integer' OR activation NOT BETWEEN active > 0 AND 1 << 53"
    " OR (active > 0 AND NOT EXISTS (SELECT 1 FROM versions v WHERE v.mesh = m.id"
    "  AND v.version = m.active AND v.state = 'ready'))"
    " OR EXISTS (SELECT 1 FROM versions v WHERE v.mesh = m.id"
    "  AND (typeof(v.version) <> 'integer' OR v.version NOT BETWEEN 1 AND m.next_version - 1))",
    "SELECT strays || ' rows belong to nothing' FROM (" STRAYS ") WHERE strays > 0",
};

nav_status store_faults_each(store *disk, store_fault *report, void *user, nav_error *err)
{
    (void)pthread_mutex_lock(&disk->reader.lock);
    nav_status status = NAV_OK;
    for (size_t i = 0; status == NAV_OK && i < sizeof RULES / sizeof *RULES; i++) {
        status = report_rows(disk, RULES[i], report, user, err);
    }
    (void)pthread_mutex_unlock(&disk->reader.lock);
    return status;
}
