// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// migrations.c: see sweep_migrations in sweep.h.

#include "tests/faults/disk/sweep.h"

#include "core/tile/tile.h"
#include "tests/faults/disk/scenario.h"
#include "tests/unit/store_schemas.h"

#include <errno.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PACKED (sizeof SCHEMAS / sizeof *SCHEMAS + 1) // tiles in packs
#define NEWEST (PACKED + 3)
#define WHOLE_MAX 64

// The schema whose migrations run.
static struct {
    size_t number;
    char *dump;                // once it is migrated
    uint64_t whole[WHOLE_MAX]; // checksums of copies that were found to be whole
    size_t whole_count;
} schema;

// ---- a database of a former schema ----

static void execute(sqlite3 *db, const char *sql)
{
    char *why = NULL;
    if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK) {
        (void)printf("not ok %s in %.100s\n0 passed, 1 failed\n", why, sql);
        exit(1);
    }
}

static int64_t ask(const char *path, const char *sql)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *s = NULL;
    int64_t value = -1;
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(db, sql, -1, &s, NULL) == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW) {
        value = sqlite3_column_int64(s, 0);
    }
    (void)sqlite3_finalize(s);
    (void)sqlite3_close(db);
    return value;
}

// Large: the tiles, or their packs, take megabytes.
static void make_old(bool large)
{
    char path[SWEEP_PATH_BYTES], mark[96];
    sqlite3 *db = NULL;
    const bool packed = schema.number == PACKED;
    sweep_empty_folder("saved");
    sweep_path(path, "saved", "old.db");
    if (sqlite3_open(path, &db) != SQLITE_OK) {
        exit(2);
    }
    execute(db, "PRAGMA page_size=16384; PRAGMA journal_mode=WAL");
    execute(db, packed ? SCHEMA_5_TABLES : SCHEMAS[schema.number - 1]);
    execute(db, packed ? SCHEMA_5_ROWS : SCHEMA_ROWS);
    if (large) {
        execute(db, packed ? "UPDATE packs SET zstd = CAST(zstd || zeroblob(2000000) AS BLOB)"
                           : "UPDATE blobs SET zstd = CAST(zstd || zeroblob(2000000) AS BLOB)");
    }
    (void)snprintf(mark, sizeof mark, "PRAGMA application_id=1851881069; PRAGMA user_version=%zu",
                   schema.number);
    execute(db, mark);
    (void)sqlite3_close(db);
}

static void restore_old(void)
{
    char from[SWEEP_PATH_BYTES], to[SWEEP_PATH_BYTES];
    sweep_empty_folder("work");
    sweep_path(from, "saved", "old.db");
    sweep_path(to, "work", "t.db");
    sweep_copy_file(from, to);
}

// Makes it, and migrates it without faults, which says what is right.
static void begin_schema(bool large)
{
    nav_error err = {0};
    make_old(large);
    restore_old();
    store *disk = sweep_open("work", &err);
    sweep_must(disk != NULL, "migrating", &err);
    free(schema.dump);
    schema.dump = scenario_dump(disk, &err);
    sweep_must(schema.dump != NULL, "reading", &err);
    store_close(disk);
    schema.whole_count = 0;
}

// ---- what a broken migration leaves ----

static uint64_t checksum_of(const char *path)
{
    uint64_t sum = 0;
    FILE *file = fopen(path, "rb");
    if (file != NULL && fseek(file, 0, SEEK_END) == 0) {
        const long size_bytes = ftell(file);
        void *bytes = size_bytes > 0 ? malloc((size_t)size_bytes) : NULL;
        rewind(file);
        if (bytes != NULL && fread(bytes, (size_t)size_bytes, 1, file) == 1) {
            sum = nav_tile_checksum(bytes, (size_t)size_bytes);
        }
        free(bytes);
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return sum;
}

// Whether a file is of the old schema and opens with all that was there. The same bytes are opened
// once: nearly all copies of a schema are the same.
static bool is_copy_whole(sweep_case *c, const char *from)
{
    char to[SWEEP_PATH_BYTES];
    const uint64_t sum = checksum_of(from);
    for (size_t i = 0; i < schema.whole_count; i++) {
        if (sum != 0 && schema.whole[i] == sum) {
            return true;
        }
    }
    sweep_empty_folder("image");
    sweep_path(to, "image", "t.db");
    sweep_copy_file(from, to);
    if (ask(to, "PRAGMA user_version") != (int64_t)schema.number) {
        (void)snprintf(c->why, sizeof c->why, "%.300s is of another schema", from);
        return false;
    }
    if (!sweep_opens(c, "image", NULL, schema.dump)) {
        return false;
    }
    if (schema.whole_count < WHOLE_MAX) {
        schema.whole[schema.whole_count++] = sum;
    }
    return true;
}

// Whether each copy of the old file is one that can be brought back. *count: of these.
static bool are_copies_whole(sweep_case *c, unsigned *count)
{
    *count = 0;
    for (unsigned i = 1; i <= 9; i++) {
        char path[SWEEP_PATH_BYTES], name[32];
        (void)snprintf(name, sizeof name, i == 1 ? "t.db-before-8" : "t.db-before-8-%u", i);
        sweep_path(path, "work", name);
        if (access(path, F_OK) != 0) {
            continue;
        }
        ++*count;
        if (!is_copy_whole(c, path)) {
            return false;
        }
    }
    return true;
}

// The start that comes after one that was broken off.
static bool is_migrated(sweep_case *c)
{
    char path[SWEEP_PATH_BYTES];
    unsigned before = 0, after = 0;
    sweep_path(path, "work", "t.db");
    const int64_t number = ask(path, "PRAGMA user_version");
    if (!are_copies_whole(c, &before)) {
        return false;
    }
    if (number != (int64_t)schema.number && (number != (int64_t)NEWEST || before == 0)) {
        (void)snprintf(c->why, sizeof c->why, "schema %lld with %u copies", (long long)number,
                       before);
        return false;
    }
    if (!sweep_opens(c, "work", NULL, schema.dump) || !are_copies_whole(c, &after)) {
        return false;
    }
    if (after != 1) {
        (void)snprintf(c->why, sizeof c->why, "%u copies, then %u", before, after);
    }
    return after == 1;
}

// ---- what breaks them ----

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
    sweep_power p = {.name = "a migration", .before = schema.dump};
    restore_old();
    sweep_power_begin("work", &p);
    store *disk = sweep_open("work", &err);
    sweep_must(disk != NULL, "migrating", &err);
    sweep_cut(&p, "after");
    store_close(disk);
    vfs_power_end();
}

static int64_t now_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

// In a process of its own, which is killed after a pause; *broken_off: before it had ended. One
// that ends by itself has opened the file.
static bool kill_migration(sweep_case *c, const struct timespec *pause, bool *broken_off)
{
    restore_old();
    const pid_t child = fork();
    if (child == 0) {
        nav_error ignored;
        _exit(sweep_open("work", &ignored) != NULL ? 0 : 1);
    }
    if (child < 0) { // to kill(), -1 is every process there is
        (void)snprintf(c->why, sizeof c->why, "no process: %s", strerror(errno));
        return false;
    }
    (void)nanosleep(pause, NULL);
    (void)kill(child, SIGKILL);
    int code = 0;
    if (waitpid(child, &code, 0) != child) {
        (void)snprintf(c->why, sizeof c->why, "its end is not known: %s", strerror(errno));
        return false;
    }
    *broken_off = WIFSIGNALED(code) && WTERMSIG(code) == SIGKILL;
    if (!*broken_off && code != 0) {
        (void)snprintf(c->why, sizeof c->why, "it ended by itself: %s %d",
                       WIFEXITED(code) ? "exit code" : "signal",
                       WIFEXITED(code) ? WEXITSTATUS(code) : WTERMSIG(code));
        return false;
    }
    return is_migrated(c);
}

// A pause is drawn anew each time, up to what a migration takes.
static void kill_migrations(const char *name)
{
    begin_schema(true);
    restore_old();
    const int64_t begin_ns = now_ns();
    nav_error err = {0};
    store *disk = sweep_open("work", &err);
    const int64_t whole_ns = now_ns() - begin_ns;
    sweep_must(disk != NULL, "migrating", &err);
    store_close(disk);
    uint64_t count = 0;
    for (uint64_t i = 0; i < sweep.kills; i++) {
        // Weyl's sequence: all of the time is met, however few there are.
        const double part = (double)((sweep.seed + i) * 0x9e3779b97f4a7c15u >> 11) * 0x1p-53;
        const int64_t pause_ns = (int64_t)(part * (double)whole_ns);
        const struct timespec pause = {.tv_sec = pause_ns / 1000000000,
                                       .tv_nsec = pause_ns % 1000000000};
        sweep_case c = {.why = ""};
        bool broken_off = false;
        char what[80];
        (void)snprintf(what, sizeof what, "%s, killed after %lld us", name,
                       (long long)(pause_ns / 1000));
        sweep_end_case(kill_migration(&c, &pause, &broken_off), what, c.why);
        count += broken_off;
    }
    (void)printf("# %s: %llu of %llu were killed before they had ended\n", name,
                 (unsigned long long)count, (unsigned long long)sweep.kills);
    sweep_end_case(count > 0 || sweep.kills == 0, name, "no kill came before its end");
}

void sweep_migrations(void)
{
    for (schema.number = 1; schema.number <= PACKED; schema.number++) {
        const uint64_t before = sweep_ended();
        char name[64];
        (void)snprintf(name, sizeof name, "migration of schema %zu", schema.number);
        begin_schema(false);
        sweep_fail_each_call(name, schema.number, fail_migration);
        const uint64_t failing = sweep_ended();
        cut_migration();
        const uint64_t images = sweep_ended();
        kill_migrations(name);
        (void)printf("# %s: %llu failing calls, %llu images\n", name,
                     (unsigned long long)(failing - before),
                     (unsigned long long)(images - failing));
    }
    free(schema.dump);
}
