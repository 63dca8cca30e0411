// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// main.c: a short life of a store on a disk that fails, and on one whose power goes.
//
//   sweep_disk [--every N] [--images N] [--seed N]
//
// Failing: each call of each step fails in turn (of each N, beginning with one by seed), once, and
// from it on. Acknowledged: then all of it is there. Refused: then nothing of it is, or all. In
// either case the next write is read back, the step works once more, and what is found after a
// clean stop is what was acknowledged. Starts, stops, questions, backups and verify likewise.
//
// Power: at each sync of a life, before it and after it, images of what may be on disk are opened.
// Each holds what was acknowledged, byte for byte, and of the step under way all or nothing.
//
// Then migrations (migrations.c).

#include "server/base/log.h"

#include "tests/faults/disk/scenario.h"
#include "tests/faults/disk/sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEPS_MAX 64

static char *dumps[STEPS_MAX]; // before step i; after the last one

// ---- the database at a step ----

static void name_saved(char out[SWEEP_PATH_BYTES], size_t step, bool log)
{
    char name[32];
    (void)snprintf(name, sizeof name, log ? "killed%zu.db" : "%zu.db", step);
    sweep_path(out, "saved", name);
}

// As it was before a step, with the log of a process that was killed where `log`.
static void restore(size_t step, bool log)
{
    char from[SWEEP_PATH_BYTES], to[SWEEP_PATH_BYTES];
    sweep_empty_folder("work");
    name_saved(from, step, log);
    sweep_path(to, "work", "t.db");
    sweep_copy_file(from, to);
    if (log) {
        (void)strcat(from, "-wal");
        (void)strcat(to, "-wal");
        sweep_copy_file(from, to);
    }
}

static void save(size_t step, bool log)
{
    char from[SWEEP_PATH_BYTES], to[SWEEP_PATH_BYTES];
    sweep_path(from, "work", "t.db");
    name_saved(to, step, log);
    sweep_copy_file(from, to);
    (void)strcat(from, "-wal");
    (void)strcat(to, "-wal");
    sweep_copy_file(from, to);
}

// A life without faults says what is right.
static void live_once(void)
{
    nav_error err = {0};
    sweep_empty_folder("work");
    sweep_empty_folder("saved");
    for (size_t i = 0; i <= SCENARIO_STEPS; i++) {
        store *disk = sweep_open("work", &err);
        sweep_must(disk != NULL, "opening", &err);
        dumps[i] = scenario_dump(disk, &err);
        sweep_must(dumps[i] != NULL, "reading", &err);
        store_close(disk);
        save(i, false);
        if (i < SCENARIO_STEPS) {
            disk = sweep_open("work", &err);
            sweep_must(disk != NULL && SCENARIO[i].run(disk, &err) == NAV_OK, SCENARIO[i].name,
                       &err);
            save(i, true); // its log is not in the file yet
            store_close(disk);
        }
    }
}

// ---- failing ----

// Checks the file that a step has left, on the disk that works again. The store is closed.
static bool is_left(sweep_case *c, size_t i, store *disk, nav_status status, nav_error *err)
{
    const char *before = dumps[i], *after = dumps[i + 1];
    bool good = status == NAV_OK || sweep_is_fault(status);
    if (!good) {
        err->status = status;
        (void)sweep_blame(c, "wrong reason", err);
    }
    good = good && sweep_holds(c, disk, status == NAV_OK ? NULL : before, after);
    if (good && !scenario_writes(disk, (uint32_t)c->after, err)) {
        good = sweep_blame(c, "a write is not read back", err);
    }
    nav_error why;
    store_probe(disk);
    if (good && store_is_degraded(disk, &why)) {
        good = sweep_blame(c, "it stays degraded", &why);
    }
    // A step that was refused, and is not there, works now.
    if (good && status != NAV_OK && sweep_holds(c, disk, before, NULL) &&
        SCENARIO[i].run(disk, err) != NAV_OK) {
        good = sweep_blame(c, "once more", err);
    }
    store_close(disk);
    return good && sweep_opens(c, "work", NULL, after);
}

static bool fail_step(sweep_case *c, size_t i, bool *came)
{
    nav_error err = {0};
    restore(i, false);
    store *disk = sweep_open("work", &err);
    sweep_must(disk != NULL, "opening", &err);
    vfs_fail(c->after, c->fault, c->once);
    nav_status status = SCENARIO[i].run(disk, &err);
    *came = vfs_fail_end();
    return is_left(c, i, disk, status, &err);
}

// A start that has a log to read.
static bool fail_start(sweep_case *c, size_t i, bool *came)
{
    nav_error err = {0};
    restore(i, true);
    vfs_fail(c->after, c->fault, c->once);
    store *disk = sweep_open("work", &err);
    *came = vfs_fail_end();
    const bool lies = disk == NULL && strstr(err.detail, "damaged") != NULL;
    store_close(disk);
    return lies ? sweep_blame(c, "not damaged", &err) : sweep_opens(c, "work", NULL, dumps[i + 1]);
}

// A stop that has a log to move into the file.
static bool fail_stop(sweep_case *c, size_t i, bool *came)
{
    nav_error err = {0};
    restore(i, false);
    store *disk = sweep_open("work", &err);
    sweep_must(disk != NULL && SCENARIO[i].run(disk, &err) == NAV_OK, "before a stop", &err);
    vfs_fail(c->after, c->fault, c->once);
    store_close(disk);
    *came = vfs_fail_end();
    return sweep_opens(c, "work", NULL, dumps[i + 1]);
}

// The copy is there whole or not at all, and nothing is left beside it.
static bool fail_backup(sweep_case *c, size_t i, bool *came)
{
    nav_error err = {0};
    char from[SWEEP_PATH_BYTES], copy[SWEEP_PATH_BYTES];
    restore(i, true);
    sweep_path(from, "work", "t.db");
    sweep_path(copy, "copy", "t.db");
    sweep_empty_folder("copy");
    store *disk = NULL;
    vfs_fail(c->after, c->fault, c->once);
    nav_status status = store_open_to_read(from, &disk, &err);
    if (status == NAV_OK) {
        status = store_backup(disk, copy, &err);
    }
    *came = vfs_fail_end();
    store_close(disk);
    if (sweep_count_files("copy") != (status == NAV_OK ? 1 : 0)) {
        return sweep_blame(c, "something is left", &err);
    }
    if (status != NAV_OK && !sweep_is_fault(status)) {
        return sweep_blame(c, "wrong reason", &err);
    }
    return (status != NAV_OK || sweep_opens(c, "copy", NULL, dumps[i + 1])) &&
           sweep_opens(c, "work", NULL, dumps[i + 1]);
}

// All that is there is asked for, of a start whose pages are not in memory yet. An answer is whole,
// or it is the disk's failure; it is never that of damage. Then all is answered.
static bool fail_questions(sweep_case *c, size_t i, bool *came)
{
    nav_error err = {0};
    restore(i, false);
    store *disk = sweep_open("work", &err);
    sweep_must(disk != NULL, "opening", &err);
    vfs_fail(c->after, c->fault, c->once);
    char *dump = scenario_dump(disk, &err);
    *came = vfs_fail_end();
    bool good = dump != NULL ? strcmp(dump, dumps[i]) == 0 : sweep_is_fault(err.status);
    free(dump);
    if (!good) {
        (void)sweep_blame(c, "wrong answer", &err);
    }
    good = good && sweep_holds(c, disk, dumps[i], NULL);
    store_close(disk);
    return good;
}

// verify finds no fault in a database that has none, whatever the disk does.
static bool fail_verify(sweep_case *c, size_t i, bool *came)
{
    nav_error err = {0};
    char path[SWEEP_PATH_BYTES];
    store *disk = NULL;
    restore(i, true);
    sweep_path(path, "work", "t.db");
    vfs_fail(c->after, c->fault, c->once);
    nav_status status = store_open_to_read(path, &disk, &err);
    if (status == NAV_OK) {
        status = scenario_verify(disk, &err);
    }
    *came = vfs_fail_end();
    store_close(disk);
    if (status != NAV_OK && !sweep_is_fault(status)) {
        return sweep_blame(c, "wrong reason", &err);
    }
    return sweep_opens(c, "work", NULL, dumps[i + 1]);
}

static void fail_all(void)
{
    for (size_t i = 0; i < SCENARIO_STEPS; i++) {
        sweep_fail_each_call(SCENARIO[i].name, i, fail_step);
    }
    const size_t some[] = {2, 14, 18};
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) {
        sweep_fail_each_call("start", some[i], fail_start);
        sweep_fail_each_call("stop", some[i], fail_stop);
        sweep_fail_each_call("backup", some[i], fail_backup);
    }
    sweep_fail_each_call("questions", SCENARIO_STEPS - 1, fail_questions);
    sweep_fail_each_call("verify", SCENARIO_STEPS - 2, fail_verify);
}

// ---- power ----

// A step that is acknowledged is there from that moment on.
static void live_with_cuts(sweep_power *p, store *disk)
{
    nav_error err = {0};
    for (size_t i = 0; i < SCENARIO_STEPS; i++) {
        p->name = SCENARIO[i].name;
        p->before = dumps[i];
        p->then = dumps[i + 1];
        sweep_must(SCENARIO[i].run(disk, &err) == NAV_OK, p->name, &err);
        p->before = p->then;
        p->then = NULL;
        sweep_cut(p, "after");
        if (i % 6 == 5) { // a stop moves the log into the file
            p->name = "a stop and a start";
            store_close(disk);
            sweep_cut(p, "between");
            disk = sweep_open("work", &err);
            sweep_must(disk != NULL, "a start", &err);
        }
    }
    p->name = "the last stop";
    store_close(disk);
    sweep_cut(p, "after");
}

static void cut_power(void)
{
    nav_error err = {0};
    sweep_power p = {.name = "the start", .before = dumps[0]};
    restore(0, false);
    sweep_power_begin("work", &p);
    store *disk = sweep_open("work", &err);
    sweep_must(disk != NULL, "opening", &err);
    live_with_cuts(&p, disk);
    vfs_power_end();
}

// ---- the command line ----

static bool read_arguments(int argc, char **argv)
{
    const struct {
        const char *name;
        uint64_t *value;
    } known[] = {{"--every", &sweep.every}, {"--images", &sweep.images}, {"--seed", &sweep.seed}};
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
        (void)fprintf(stderr, "usage: sweep_disk [--every N] [--images N] [--seed N]\n");
        return 2;
    }
    (void)setvbuf(stdout, NULL, _IOLBF, 0);
    log_configure((log_level)(LOG_LEVEL_ERROR + 1), LOG_FORMAT_TEXT);
    if (!sweep_begin()) {
        return 2;
    }
    (void)printf("# seed %llu, every %llu, images %llu\n", (unsigned long long)sweep.seed,
                 (unsigned long long)sweep.every, (unsigned long long)sweep.images);
    vfs_register();
    live_once();
    fail_all();
    const uint64_t failing = sweep_ended();
    cut_power();
    (void)printf("# %llu failing calls, %llu images\n", (unsigned long long)failing,
                 (unsigned long long)(sweep_ended() - failing));
    sweep_migrations();
    for (size_t i = 0; i <= SCENARIO_STEPS; i++) {
        free(dumps[i]);
    }
    sweep_end();
    return sweep_sum() ? 0 : 1;
}
