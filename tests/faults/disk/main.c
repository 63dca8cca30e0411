// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// main.c: a short life of a store on a disk that fails, and on one whose power goes.
//
//   sweep_disk [--every N] [--images N] [--kills N] [--seed N]
//
// Failing: each call of each step fails in turn (of each N, beginning with one by seed), once, and
// from it on. Acknowledged: then all of it is there. Refused: then nothing of it is, or all. In
// either case the next write is read back, the step works once more, and what is found after a
// clean stop is what was acknowledged.
//
// Power: at each sync of a life, before it and after it, images of what may be on disk are opened.
// Each holds what was acknowledged, byte for byte, and of the step under way all or nothing.
//
// Migrations from each former schema likewise, and processes that are killed in one: the next start
// finds all that was there, and each copy of the old file is whole.

#include "server/base/log.h"

#include "tests/faults/disk/scenario.h"
#include "tests/faults/disk/vfs.h"
#include "tests/unit/store_schemas.h"

#include <dirent.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define STEPS_MAX 64
#define NAME_BYTES 256
#define SHOWN_MAX 20
#define OLD_SCHEMAS (sizeof SCHEMAS / sizeof *SCHEMAS + 1)

static struct {
    uint64_t every, images, kills, seed;
    char folder[NAME_BYTES];
    char *dumps[STEPS_MAX];          // before step i; after the last one
    char *migrated[OLD_SCHEMAS + 1]; // of each former schema
    uint64_t passed, failed;
} sweep = {.every = 1, .images = 6, .kills = 50, .seed = 1};

// ---- words ----

static void end_case(bool good, const char *what, const char *detail)
{
    sweep.passed += good;
    sweep.failed += !good;
    if (!good && sweep.failed <= SHOWN_MAX) {
        (void)printf("not ok %s: %s\n", what, detail);
    }
}

static void must(bool good, const char *what, const nav_error *err)
{
    if (!good) {
        (void)printf("not ok %s: %s\n0 passed, 1 failed\n", what, err->detail);
        exit(1);
    }
}

// ---- files ----

static void path_of(char out[NAME_BYTES * 2], const char *folder, const char *name)
{
    (void)snprintf(out, NAME_BYTES * 2, "%s/%s/%s", sweep.folder, folder, name);
}

static void empty_folder(const char *folder)
{
    char name[NAME_BYTES * 2], entry[NAME_BYTES * 4];
    (void)snprintf(name, sizeof name, "%s/%s", sweep.folder, folder);
    DIR *in = opendir(name);
    for (const struct dirent *next; in != NULL && (next = readdir(in)) != NULL;) {
        (void)snprintf(entry, sizeof entry, "%s/%s", name, next->d_name);
        (void)unlink(entry);
    }
    if (in != NULL) {
        (void)closedir(in);
    }
    (void)mkdir(name, 0700);
}

static void copy_file(const char *from, const char *to)
{
    uint8_t block[65536];
    size_t got;
    FILE *in = fopen(from, "rb"), *out = in != NULL ? fopen(to, "wb") : NULL;
    while (out != NULL && (got = fread(block, 1, sizeof block, in)) > 0) {
        (void)fwrite(block, 1, got, out);
    }
    if (out != NULL) {
        (void)fclose(out);
    }
    if (in != NULL) {
        (void)fclose(in);
    }
}

// The database as it was before a step, with the log of a process that was killed where `log`.
static void restore(size_t step, bool log)
{
    char from[NAME_BYTES * 2], to[NAME_BYTES * 2], name[32];
    empty_folder("work");
    (void)snprintf(name, sizeof name, log ? "killed%zu.db" : "%zu.db", step);
    path_of(from, "saved", name);
    path_of(to, "work", "t.db");
    copy_file(from, to);
    if (log) {
        (void)strcat(from, "-wal");
        (void)strcat(to, "-wal");
        copy_file(from, to);
    }
}

static store *open_at(const char *folder, nav_error *err)
{
    char path[NAME_BYTES * 2];
    store *disk = NULL;
    path_of(path, folder, "t.db");
    return store_open(path, &disk, err) == NAV_OK ? disk : NULL;
}

// ---- a life without faults, which says what is right ----

static void save(size_t step, bool log)
{
    char from[NAME_BYTES * 2], to[NAME_BYTES * 2], name[32];
    (void)snprintf(name, sizeof name, log ? "killed%zu.db" : "%zu.db", step);
    path_of(from, "work", "t.db");
    path_of(to, "saved", name);
    copy_file(from, to);
    (void)strcat(from, "-wal");
    (void)strcat(to, "-wal");
    copy_file(from, to);
}

static void live_once(void)
{
    nav_error err = {0};
    empty_folder("work");
    empty_folder("saved");
    for (size_t i = 0; i <= SCENARIO_STEPS; i++) {
        store *disk = open_at("work", &err);
        must(disk != NULL, "opening", &err);
        sweep.dumps[i] = scenario_dump(disk, &err);
        must(sweep.dumps[i] != NULL, "reading", &err);
        store_close(disk);
        save(i, false);
        if (i < SCENARIO_STEPS) {
            disk = open_at("work", &err);
            must(disk != NULL && SCENARIO[i].run(disk, &err) == NAV_OK, SCENARIO[i].name, &err);
            save(i, true); // its log is not in the file yet
            store_close(disk);
        }
    }
}

// ---- what is there ----

static bool is_dump(store *disk, const char *one, const char *other, char *why, size_t why_bytes)
{
    nav_error err = {0};
    char *dump = scenario_dump(disk, &err);
    const bool good = dump != NULL && ((one != NULL && strcmp(dump, one) == 0) ||
                                       (other != NULL && strcmp(dump, other) == 0));
    if (!good) {
        (void)snprintf(why, why_bytes, "%s", dump != NULL ? "it holds something else" : err.detail);
    }
    if (!good && dump != NULL && getenv("SWEEP_DUMP") != NULL) {
        (void)printf("--- it holds\n%s--- not\n%s--- nor\n%s", dump, one != NULL ? one : "-\n",
                     other != NULL ? other : "-\n");
    }
    free(dump);
    return good;
}

// Opened once more, after a stop or as an image: all that is known of it.
static bool is_there(const char *folder, const char *one, const char *other, char *why,
                     size_t why_bytes)
{
    nav_error err = {0};
    store *disk = open_at(folder, &err);
    if (disk == NULL) {
        (void)snprintf(why, why_bytes, "it cannot be opened: %s", err.detail);
        return false;
    }
    bool good = is_dump(disk, one, other, why, why_bytes);
    if (good && !scenario_writes(disk, 1, &err)) {
        (void)snprintf(why, why_bytes, "a write is not read back: %s", err.detail);
        good = false;
    }
    store_close(disk);
    return good;
}

// ---- failing ----

static bool is_fault(nav_status status)
{
    return status == PROTO_STORE_UNAVAILABLE || status == PROTO_STORAGE_FULL ||
           status == NAV_NO_MEMORY;
}

typedef struct fault_case {
    const char *name;
    uint64_t after;
    vfs_fault fault;
    bool once;
    char why[400];
} fault_case;

static bool blame(fault_case *c, const char *what, const nav_error *err)
{
    (void)snprintf(c->why, sizeof c->why, "%s: %s: %.250s", what, proto_status_word(err->status),
                   err->detail);
    return false;
}

// Checks the file that a step has left, on the disk that works again. The store is closed.
static bool is_left(fault_case *c, size_t i, store *disk, nav_status status, nav_error *err)
{
    const char *before = sweep.dumps[i], *after = sweep.dumps[i + 1];
    bool good = status == NAV_OK || is_fault(status);
    if (!good) {
        err->status = status;
        (void)blame(c, "wrong reason", err);
    }
    good = good && is_dump(disk, status == NAV_OK ? NULL : before, after, c->why, sizeof c->why);
    if (good && !scenario_writes(disk, (uint32_t)c->after, err)) {
        good = blame(c, "a write is not read back", err);
    }
    nav_error why;
    store_probe(disk);
    if (good && store_is_degraded(disk, &why)) {
        good = blame(c, "it stays degraded", &why);
    }
    // A step that was refused, and is not there, works now.
    if (good && status != NAV_OK && is_dump(disk, before, NULL, c->why, sizeof c->why) &&
        SCENARIO[i].run(disk, err) != NAV_OK) {
        good = blame(c, "once more", err);
    }
    store_close(disk);
    return good && is_there("work", NULL, after, c->why, sizeof c->why);
}

// *came: the step has so many calls.
static bool fail_step(fault_case *c, size_t i, bool *came)
{
    nav_error err = {0};
    restore(i, false);
    store *disk = open_at("work", &err);
    must(disk != NULL, "opening", &err);
    vfs_fail(c->after, c->fault, c->once);
    nav_status status = SCENARIO[i].run(disk, &err);
    *came = vfs_fail_end();
    return is_left(c, i, disk, status, &err);
}

// A start that has a log to read.
static bool fail_start(fault_case *c, size_t i, bool *came)
{
    nav_error err = {0};
    restore(i, true);
    vfs_fail(c->after, c->fault, c->once);
    store *disk = open_at("work", &err);
    *came = vfs_fail_end();
    const bool lies = disk == NULL && strstr(err.detail, "damaged") != NULL;
    store_close(disk);
    return lies ? blame(c, "not damaged", &err)
                : is_there("work", NULL, sweep.dumps[i + 1], c->why, sizeof c->why);
}

// A stop that has a log to move into the file.
static bool fail_stop(fault_case *c, size_t i, bool *came)
{
    nav_error err = {0};
    restore(i, false);
    store *disk = open_at("work", &err);
    must(disk != NULL && SCENARIO[i].run(disk, &err) == NAV_OK, "before a stop", &err);
    vfs_fail(c->after, c->fault, c->once);
    store_close(disk);
    *came = vfs_fail_end();
    return is_there("work", NULL, sweep.dumps[i + 1], c->why, sizeof c->why);
}

// The copy is there whole or not at all, and nothing is left beside it.
static bool fail_backup(fault_case *c, size_t i, bool *came)
{
    nav_error err = {0};
    char from[NAME_BYTES * 2], copy[NAME_BYTES * 2], fresh[NAME_BYTES * 2 + 8];
    restore(i, true);
    path_of(from, "work", "t.db");
    path_of(copy, "copy", "t.db");
    (void)snprintf(fresh, sizeof fresh, "%s-new", copy);
    empty_folder("copy");
    store *disk = NULL;
    vfs_fail(c->after, c->fault, c->once);
    nav_status status = store_open_to_look(from, &disk, &err);
    if (status == NAV_OK) {
        status = store_backup(disk, copy, &err);
    }
    *came = vfs_fail_end();
    store_close(disk);
    if (access(fresh, F_OK) == 0 || (status != NAV_OK && access(copy, F_OK) == 0)) {
        return blame(c, "something is left", &err);
    }
    if (status != NAV_OK && !is_fault(status)) {
        return blame(c, "wrong reason", &err);
    }
    return (status != NAV_OK ||
            is_there("copy", NULL, sweep.dumps[i + 1], c->why, sizeof c->why)) &&
           is_there("work", NULL, sweep.dumps[i + 1], c->why, sizeof c->why);
}

typedef bool fail_part(fault_case *c, size_t i, bool *came);

static void fail_each_call(const char *name, size_t i, fail_part *part)
{
    for (int kind = 0; kind < 2 * VFS_FAULTS; kind++) {
        fault_case c = {
            .name = name, .fault = (vfs_fault)(kind / 2), .once = kind % 2 == 0, .why = ""};
        bool came = true;
        for (c.after = sweep.seed % sweep.every; came; c.after += sweep.every) {
            const bool good = part(&c, i, &came);
            char what[200];
            (void)snprintf(what, sizeof what, "%s, call %llu (%s), %s%s", name,
                           (unsigned long long)c.after, vfs_failed_call(), vfs_fault_word(c.fault),
                           c.once ? "" : " from then on");
            end_case(good, what, c.why);
        }
    }
}

static void fail_all(void)
{
    for (size_t i = 0; i < SCENARIO_STEPS; i++) {
        fail_each_call(SCENARIO[i].name, i, fail_step);
    }
    const size_t some[] = {2, 14, SCENARIO_STEPS - 2};
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) {
        fail_each_call("start", some[i], fail_start);
        fail_each_call("stop", some[i], fail_stop);
        fail_each_call("backup", some[i], fail_backup);
    }
}

// ---- power ----

typedef struct power_state {
    size_t step;
    const char *name;          // of the step, or of what else is under way
    const char *before, *then; // what may be there; then NULL: only the former
    uint64_t cuts;
} power_state;

static void open_image(const power_state *p, const char *where, uint64_t seed)
{
    char what[200], image[NAME_BYTES * 2], why[400] = "";
    empty_folder("image");
    (void)snprintf(image, sizeof image, "%s/image", sweep.folder);
    vfs_power_image(image, seed);
    const bool good = is_there("image", p->before, p->then, why, sizeof why);
    (void)snprintf(what, sizeof what, "power goes %s %s, cut %llu, image %llu", where, p->name,
                   (unsigned long long)p->cuts, (unsigned long long)seed);
    end_case(good, what, why);
}

static void open_images(power_state *p, const char *where)
{
    p->cuts++;
    for (uint64_t i = 0; i < sweep.images; i++) {
        // The first two of each cut are without what was not synced, and with all of it.
        open_image(p, where, i < 2 ? i : sweep.seed * 1000003 + p->cuts * 1009 + i);
    }
}

static void at_a_sync(void *user)
{
    open_images(user, "during");
}

// A step that is acknowledged is there from that moment on.
static void live_with_cuts(power_state *p, store *disk)
{
    nav_error err = {0};
    for (size_t i = 0; i < SCENARIO_STEPS; i++) {
        p->name = SCENARIO[i].name;
        p->before = sweep.dumps[i];
        p->then = sweep.dumps[i + 1];
        must(SCENARIO[i].run(disk, &err) == NAV_OK, p->name, &err);
        p->before = p->then;
        p->then = NULL;
        open_images(p, "after");
        if (i % 6 == 5) { // a stop moves the log into the file
            p->name = "a stop and a start";
            store_close(disk);
            open_images(p, "between");
            disk = open_at("work", &err);
            must(disk != NULL, "a start", &err);
        }
    }
    p->name = "the last stop";
    store_close(disk);
    open_images(p, "after");
}

static void cut_power(void)
{
    nav_error err = {0};
    char folder[NAME_BYTES * 2];
    restore(0, false);
    (void)snprintf(folder, sizeof folder, "%s/work", sweep.folder);
    power_state p = {.name = "the start", .before = sweep.dumps[0]};
    vfs_power_begin(folder, at_a_sync, &p);
    store *disk = open_at("work", &err);
    must(disk != NULL, "opening", &err);
    live_with_cuts(&p, disk);
    vfs_power_end();
}

// ---- migrations ----

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

// A database of a former schema; large: its tiles, or their packs, take megabytes.
static void make_old(size_t number, bool large)
{
    char path[NAME_BYTES * 2], mark[96];
    sqlite3 *db = NULL;
    const bool packed = number == OLD_SCHEMAS;
    empty_folder("work");
    path_of(path, "work", "t.db");
    if (sqlite3_open(path, &db) != SQLITE_OK) {
        exit(2);
    }
    execute(db, "PRAGMA page_size=16384; PRAGMA journal_mode=WAL");
    execute(db, packed ? SCHEMA_5_TABLES : SCHEMAS[number - 1]);
    execute(db, packed ? SCHEMA_5_ROWS : SCHEMA_ROWS);
    if (large) {
        execute(db, packed ? "UPDATE packs SET zstd = CAST(zstd || zeroblob(2000000) AS BLOB)"
                           : "UPDATE blobs SET zstd = CAST(zstd || zeroblob(2000000) AS BLOB)");
    }
    (void)snprintf(mark, sizeof mark, "PRAGMA application_id=1851881069; PRAGMA user_version=%zu",
                   number);
    execute(db, mark);
    (void)sqlite3_close(db);
}

static void live_migration(size_t number, bool large)
{
    nav_error err = {0};
    make_old(number, large);
    store *disk = open_at("work", &err);
    must(disk != NULL, "migrating", &err);
    free(sweep.migrated[number]);
    sweep.migrated[number] = scenario_dump(disk, &err);
    must(sweep.migrated[number] != NULL, "reading", &err);
    store_close(disk);
}

// Whether each copy of the old file is one that can be brought back. *count: of these.
static bool are_copies_whole(fault_case *c, size_t number, unsigned *count)
{
    *count = 0;
    for (unsigned i = 1; i <= 9; i++) {
        char from[NAME_BYTES * 2], to[NAME_BYTES * 2], name[32];
        (void)snprintf(name, sizeof name, i == 1 ? "t.db-before-6" : "t.db-before-6-%u", i);
        path_of(from, "work", name);
        if (access(from, F_OK) != 0) {
            continue;
        }
        ++*count;
        empty_folder("image");
        path_of(to, "image", "t.db");
        copy_file(from, to);
        if (ask(to, "PRAGMA user_version") != (int64_t)number) {
            (void)snprintf(c->why, sizeof c->why, "%s is of another schema", name);
            return false;
        }
        if (!is_there("image", NULL, sweep.migrated[number], c->why, sizeof c->why)) {
            return false;
        }
    }
    return true;
}

// The start that comes after one that was broken off.
static bool is_migrated(fault_case *c, size_t number)
{
    char path[NAME_BYTES * 2];
    unsigned before = 0, after = 0;
    path_of(path, "work", "t.db");
    const int64_t schema = ask(path, "PRAGMA user_version");
    if (!are_copies_whole(c, number, &before)) {
        return false;
    }
    if (schema != (int64_t)number && (schema != OLD_SCHEMAS + 1 || before == 0)) {
        (void)snprintf(c->why, sizeof c->why, "schema %lld with %u copies", (long long)schema,
                       before);
        return false;
    }
    if (!is_there("work", NULL, sweep.migrated[number], c->why, sizeof c->why) ||
        !are_copies_whole(c, number, &after)) {
        return false;
    }
    if (after != 1) {
        (void)snprintf(c->why, sizeof c->why, "%u copies, then %u", before, after);
    }
    return after == 1;
}

static bool fail_migration(fault_case *c, size_t number, bool *came)
{
    nav_error err = {0};
    make_old(number, false);
    vfs_fail(c->after, c->fault, c->once);
    store *disk = open_at("work", &err);
    *came = vfs_fail_end();
    const bool opened = disk != NULL;
    store_close(disk);
    if (!opened && (!is_fault(err.status) || strstr(err.detail, "damaged") != NULL)) {
        return blame(c, "wrong reason", &err);
    }
    // The message names the file and says what is the matter.
    if (!opened && (strstr(err.detail, "t.db") == NULL ||
                    (c->fault == VFS_FULL && err.status == PROTO_STORAGE_FULL &&
                     strstr(err.detail, "full") == NULL))) {
        return blame(c, "no words", &err);
    }
    return is_migrated(c, number);
}

// A process is killed after a time that is drawn anew each time, up to what a migration takes.
static void kill_migrations(size_t number)
{
    struct timespec begin, end;
    fault_case c = {.why = ""};
    (void)clock_gettime(CLOCK_MONOTONIC, &begin);
    live_migration(number, true);
    (void)clock_gettime(CLOCK_MONOTONIC, &end);
    const int64_t whole_ns = (end.tv_sec - begin.tv_sec) * 1000000000 + end.tv_nsec - begin.tv_nsec;
    uint64_t broken_off = 0;
    for (uint64_t i = 0; i < sweep.kills; i++) {
        make_old(number, true);
        // Weyl's sequence: all of the time is met, however few there are.
        const double part = (double)((sweep.seed + i) * 0x9e3779b97f4a7c15u >> 11) * 0x1p-53;
        const struct timespec pause = {.tv_nsec = (long)(part * (double)whole_ns) % 1000000000};
        const pid_t child = fork();
        if (child == 0) {
            nav_error err;
            _exit(open_at("work", &err) != NULL ? 0 : 1);
        }
        (void)nanosleep(&pause, NULL);
        (void)kill(child, SIGKILL);
        int code = 0;
        (void)waitpid(child, &code, 0);
        broken_off += WIFSIGNALED(code);
        char what[80];
        (void)snprintf(what, sizeof what, "migration of schema %zu, killed after %ld us", number,
                       pause.tv_nsec / 1000);
        end_case(is_migrated(&c, number), what, c.why);
    }
    (void)printf("# schema %zu: %llu of %llu were killed before they had ended\n", number,
                 (unsigned long long)broken_off, (unsigned long long)sweep.kills);
}

static void cut_migration(size_t number)
{
    nav_error err = {0};
    char folder[NAME_BYTES * 2];
    make_old(number, false);
    (void)snprintf(folder, sizeof folder, "%s/work", sweep.folder);
    power_state p = {.name = "a migration", .before = sweep.migrated[number]};
    vfs_power_begin(folder, at_a_sync, &p);
    store *disk = open_at("work", &err);
    must(disk != NULL, "migrating", &err);
    open_images(&p, "after");
    store_close(disk);
    vfs_power_end();
}

static void migrate_all(void)
{
    for (size_t number = 1; number <= OLD_SCHEMAS; number++) {
        const uint64_t before = sweep.passed + sweep.failed;
        char name[64];
        (void)snprintf(name, sizeof name, "migration of schema %zu", number);
        live_migration(number, false);
        fail_each_call(name, number, fail_migration);
        const uint64_t failing = sweep.passed + sweep.failed;
        cut_migration(number);
        const uint64_t images = sweep.passed + sweep.failed;
        kill_migrations(number);
        (void)printf("# %s: %llu failing calls, %llu images\n", name,
                     (unsigned long long)(failing - before),
                     (unsigned long long)(images - failing));
        free(sweep.migrated[number]);
    }
}

// ---- the command line ----

static bool read_arguments(int argc, char **argv)
{
    const struct {
        const char *name;
        uint64_t *value;
    } known[] = {{"--every", &sweep.every},
                 {"--images", &sweep.images},
                 {"--kills", &sweep.kills},
                 {"--seed", &sweep.seed}};
    for (int i = 1; i + 1 < argc; i += 2) {
        bool found = false;
        for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
            if (strcmp(argv[i], known[k].name) == 0) {
                *known[k].value = strtoull(argv[i + 1], NULL, 10);
                found = true;
            }
        }
        if (!found) {
            return false;
        }
    }
    return argc % 2 == 1 && sweep.every > 0;
}

int main(int argc, char **argv)
{
    if (!read_arguments(argc, argv)) {
        (void)fprintf(stderr,
                      "usage: sweep_disk [--every N] [--images N] [--kills N] [--seed N]\n");
        return 2;
    }
    (void)setvbuf(stdout, NULL, _IOLBF, 0);
    log_configure((log_level)(LOG_LEVEL_ERROR + 1), LOG_FORMAT_TEXT);
    // In memory, where there is such a folder: what a disk does is our own affair here.
    (void)snprintf(sweep.folder, sizeof sweep.folder, "%s/sweep_disk_XXXXXX",
                   access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    if (mkdtemp(sweep.folder) == NULL) {
        return 2;
    }
    (void)printf("# seed %llu, every %llu, images %llu\n", (unsigned long long)sweep.seed,
                 (unsigned long long)sweep.every, (unsigned long long)sweep.images);
    vfs_register();
    live_once();
    fail_all();
    const uint64_t failing = sweep.passed + sweep.failed;
    cut_power();
    (void)printf("# %llu failing calls, %llu images\n", (unsigned long long)failing,
                 (unsigned long long)(sweep.passed + sweep.failed - failing));
    migrate_all();
    for (size_t i = 0; i <= SCENARIO_STEPS; i++) {
        free(sweep.dumps[i]);
    }
    static const char *const folders[] = {"work", "saved", "image", "copy"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        char name[NAME_BYTES * 2];
        empty_folder(folders[i]);
        (void)snprintf(name, sizeof name, "%s/%s", sweep.folder, folders[i]);
        (void)rmdir(name);
    }
    (void)rmdir(sweep.folder);
    (void)printf("%llu passed, %llu failed\n", (unsigned long long)sweep.passed,
                 (unsigned long long)sweep.failed);
    return sweep.failed > 0;
}
