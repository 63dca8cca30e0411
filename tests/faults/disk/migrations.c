// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// migrations.c: see sweep_migrations in sweep.h.

#include "tests/faults/disk/sweep.h"

#include "tests/faults/disk/scenario.h"
#include "tests/unit/store_example_step.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *dump; // of what is there, before a migration and after it

static int64_t number_of(const char *path)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *s = NULL;
    int64_t number = -1;
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(db, "PRAGMA user_version", -1, &s, NULL) == SQLITE_OK &&
        sqlite3_step(s) == SQLITE_ROW) {
        number = sqlite3_column_int64(s, 0);
    }
    (void)sqlite3_finalize(s);
    (void)sqlite3_close(db);
    return number;
}

// The scenario's database is the old one.
static void make_old(void)
{
    nav_error err = {0};
    char from[SWEEP_PATH_BYTES], to[SWEEP_PATH_BYTES];
    sweep_empty_folder("work");
    sweep_empty_folder("saved");
    store *disk = sweep_open("work", &err);
    sweep_must(disk != NULL, "opening", &err);
    for (size_t i = 0; i < SCENARIO_STEPS; i++) {
        sweep_must(SCENARIO[i].run(disk, &err) == NAV_OK, SCENARIO[i].name, &err);
    }
    dump = scenario_dump(disk, &err);
    sweep_must(dump != NULL, "reading", &err);
    store_close(disk);
    sweep_path(from, "work", "t.db");
    sweep_path(to, "saved", "old.db");
    sweep_copy_file(from, to);
}

static void restore_old(void)
{
    char from[SWEEP_PATH_BYTES], to[SWEEP_PATH_BYTES];
    sweep_empty_folder("work");
    sweep_path(from, "saved", "old.db");
    sweep_path(to, "work", "t.db");
    sweep_copy_file(from, to);
}

// Whether the file as it was can be brought back, if there is one. *there: it is.
static bool is_copy_whole(sweep_case *c, bool *there)
{
    char from[SWEEP_PATH_BYTES], to[SWEEP_PATH_BYTES];
    sweep_path(from, "work", "t.db" EXAMPLE_SUFFIX);
    *there = access(from, F_OK) == 0;
    if (!*there) {
        return true;
    }
    sweep_empty_folder("image");
    sweep_path(to, "image", "t.db");
    sweep_copy_file(from, to);
    if (number_of(to) != STORE_SCHEMA_FIRST) {
        (void)snprintf(c->why, sizeof c->why, "%.300s is of another schema", from);
        return false;
    }
    return sweep_opens(c, "image", NULL, dump);
}

// The start that comes after one that was broken off.
static bool is_migrated(sweep_case *c)
{
    char path[SWEEP_PATH_BYTES];
    bool there = false;
    sweep_path(path, "work", "t.db");
    const int64_t number = number_of(path);
    if (!is_copy_whole(c, &there)) {
        return false;
    }
    if (number != STORE_SCHEMA_FIRST && (number != EXAMPLE_NUMBER || !there)) {
        (void)snprintf(c->why, sizeof c->why, "schema %lld, %s", (long long)number,
                       there ? "and a copy" : "and no copy");
        return false;
    }
    return sweep_opens(c, "work", NULL, dump) && is_copy_whole(c, &there) && there;
}

static bool fail_migration(sweep_case *c, size_t number, bool *came)
{
    nav_error err = {0};
    (void)number;
    restore_old();
    vfs_fail(c->after, c->fault, c->once);
    store *disk = sweep_open("work", &err);
    *came = vfs_fail_end();
    const bool opened = disk != NULL;
    store_close(disk);
    if (!opened && (!sweep_is_fault(err.status) || strstr(err.detail, "damaged") != NULL)) {
        return sweep_blame(c, "wrong reason", &err);
    }
    // The message names the file and says what is the matter. SQLite does not say why a sync
    // failed.
    const bool full = c->fault != VFS_EIO && strcmp(vfs_failed_call(), "sync") != 0;
    if (!opened && (strstr(err.detail, "t.db") == NULL ||
                    (full && (err.status != PROTO_STORAGE_FULL ||
                              strstr(err.detail, "disk is full") == NULL)))) {
        return sweep_blame(c, "no words", &err);
    }
    return is_migrated(c);
}

static void cut_migration(void)
{
    nav_error err = {0};
    sweep_power p = {.name = "a migration", .before = dump};
    restore_old();
    sweep_power_begin("work", &p);
    store *disk = sweep_open("work", &err);
    sweep_must(disk != NULL, "migrating", &err);
    sweep_cut(&p, "after");
    store_close(disk);
    vfs_power_end();
}

void sweep_migrations(void)
{
    const store_schema example = store_example_schema();
    const uint64_t before = sweep_ended();
    make_old();
    sweep_schema = &example;
    sweep_fail_each_call("migration", 0, fail_migration);
    const uint64_t failing = sweep_ended();
    cut_migration();
    (void)printf("# migration: %llu failing calls, %llu images\n",
                 (unsigned long long)(failing - before),
                 (unsigned long long)(sweep_ended() - failing));
    sweep_schema = &STORE_SCHEMA;
    free(dump);
}
