// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// sweep.c: see sweep.h.

#include "tests/faults/disk/sweep.h"

#include "tests/faults/disk/scenario.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SHOWN_MAX 20

struct sweep_options sweep = {.every = 1, .images = 6, .seed = 1};
const store_schema *sweep_schema = &STORE_SCHEMA;

static char root[SWEEP_PATH_BYTES / 2];
static uint64_t passed, failed;

// ---- the tally ----

void sweep_end_case(bool good, const char *what, const char *detail)
{
    passed += good;
    failed += !good;
    if (!good && failed <= SHOWN_MAX) {
        (void)printf("not ok %s: %s\n", what, detail);
    }
}

uint64_t sweep_ended(void)
{
    return passed + failed;
}

bool sweep_sum(void)
{
    (void)printf("%llu passed, %llu failed\n", (unsigned long long)passed,
                 (unsigned long long)failed);
    return failed == 0;
}

void sweep_must(bool good, const char *what, const nav_error *err)
{
    if (!good) {
        (void)printf("not ok %s: %s\n0 passed, 1 failed\n", what, err->detail);
        sweep_end();
        exit(1);
    }
}

// ---- folders ----

bool sweep_begin(void)
{
    // In memory, where there is such a folder: what a disk does is our own affair here.
    (void)snprintf(root, sizeof root, "%s/sweep_disk_XXXXXX",
                   access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    return mkdtemp(root) != NULL;
}

void sweep_end(void)
{
    static const char *const folders[] = {"work", "saved", "image", "copy"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        char name[SWEEP_PATH_BYTES];
        sweep_empty_folder(folders[i]);
        (void)snprintf(name, sizeof name, "%s/%s", root, folders[i]);
        (void)rmdir(name);
    }
    (void)rmdir(root);
}

void sweep_path(char out[SWEEP_PATH_BYTES], const char *folder, const char *name)
{
    (void)snprintf(out, SWEEP_PATH_BYTES, "%s/%s/%s", root, folder, name);
}

void sweep_empty_folder(const char *folder)
{
    char name[SWEEP_PATH_BYTES], entry[SWEEP_PATH_BYTES * 2];
    (void)snprintf(name, sizeof name, "%s/%s", root, folder);
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

unsigned sweep_count_files(const char *folder)
{
    char name[SWEEP_PATH_BYTES];
    unsigned count = 0;
    (void)snprintf(name, sizeof name, "%s/%s", root, folder);
    DIR *in = opendir(name);
    for (const struct dirent *next; in != NULL && (next = readdir(in)) != NULL;) {
        count += strcmp(next->d_name, ".") != 0 && strcmp(next->d_name, "..") != 0;
    }
    if (in != NULL) {
        (void)closedir(in);
    }
    return count;
}

void sweep_copy_file(const char *from, const char *to)
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

store *sweep_open(const char *folder, nav_error *err)
{
    char path[SWEEP_PATH_BYTES];
    store *disk = NULL;
    sweep_path(path, folder, "t.db");
    return store_open_as(path, sweep_schema, &disk, err) == NAV_OK ? disk : NULL;
}

// ---- what is there ----

bool sweep_blame(sweep_case *c, const char *what, const nav_error *err)
{
    (void)snprintf(c->why, sizeof c->why, "%s: %s: %.250s", what, proto_status_word(err->status),
                   err->detail);
    return false;
}

bool sweep_is_fault(nav_status status)
{
    return status == PROTO_STORE_UNAVAILABLE || status == PROTO_STORAGE_FULL ||
           status == NAV_NO_MEMORY;
}

bool sweep_holds(sweep_case *c, store *disk, const char *one, const char *other)
{
    nav_error err = {0};
    char *dump = scenario_dump(disk, &err);
    const bool good = dump != NULL && ((one != NULL && strcmp(dump, one) == 0) ||
                                       (other != NULL && strcmp(dump, other) == 0));
    if (!good) {
        (void)snprintf(c->why, sizeof c->why, "%s",
                       dump != NULL ? "it holds something else" : err.detail);
    }
    if (!good && dump != NULL && getenv("SWEEP_DUMP") != NULL) {
        (void)printf("--- it holds\n%s--- not\n%s--- nor\n%s", dump, one != NULL ? one : "-\n",
                     other != NULL ? other : "-\n");
    }
    free(dump);
    return good;
}

bool sweep_opens(sweep_case *c, const char *folder, const char *one, const char *other)
{
    nav_error err = {0};
    store *disk = sweep_open(folder, &err);
    if (disk == NULL) {
        return sweep_blame(c, "it cannot be opened", &err);
    }
    bool good = sweep_holds(c, disk, one, other);
    if (good && !scenario_writes(disk, 1, &err)) {
        good = sweep_blame(c, "a write is not read back", &err);
    }
    store_close(disk);
    return good;
}

// ---- failing calls and cuts ----

void sweep_fail_each_call(const char *name, size_t i, sweep_part *part)
{
    for (int kind = 0; kind < 2 * VFS_FAULTS; kind++) {
        sweep_case c = {
            .name = name, .fault = (vfs_fault)(kind / 2), .once = kind % 2 == 0, .why = ""};
        bool came = true;
        for (c.after = sweep.seed % sweep.every; came; c.after += sweep.every) {
            const bool good = part(&c, i, &came);
            char what[200];
            (void)snprintf(what, sizeof what, "%s, call %llu (%s), %s%s", name,
                           (unsigned long long)c.after, vfs_failed_call(), vfs_fault_word(c.fault),
                           c.once ? "" : " from then on");
            sweep_end_case(good, what, c.why);
        }
    }
}

// Images that were found right while the same was to be there. Most are the same as others: once
// all is synced there is only one.
static struct {
    const char *before, *then;
    uint64_t sums[1024];
    size_t count;
} known;

static bool is_known(const sweep_power *p, uint64_t sum)
{
    if (known.before != p->before || known.then != p->then) {
        known.before = p->before;
        known.then = p->then;
        known.count = 0;
    }
    for (size_t i = 0; i < known.count; i++) {
        if (known.sums[i] == sum) {
            return true;
        }
    }
    return false;
}

static void open_image(const sweep_power *p, const char *where, uint64_t seed)
{
    char what[200], image[SWEEP_PATH_BYTES];
    sweep_case c = {.why = ""};
    sweep_empty_folder("image");
    (void)snprintf(image, sizeof image, "%s/image", root);
    const uint64_t sum = vfs_power_image(image, seed);
    if (is_known(p, sum)) {
        return;
    }
    const bool good = sweep_opens(&c, "image", p->before, p->then);
    if (good && known.count < sizeof known.sums / sizeof *known.sums) {
        known.sums[known.count++] = sum;
    }
    (void)snprintf(what, sizeof what, "power goes %s %s, cut %llu, image %llu", where, p->name,
                   (unsigned long long)p->cuts, (unsigned long long)seed);
    sweep_end_case(good, what, c.why);
}

void sweep_cut(sweep_power *p, const char *where)
{
    p->cuts++;
    for (uint64_t i = 0; i < sweep.images; i++) {
        // The first two of each cut are without what was not synced, and with all of it.
        open_image(p, where, i < 2 ? i : sweep.seed * 1000003 + p->cuts * 1009 + i);
    }
}

static void cut_at_a_sync(void *user)
{
    sweep_cut(user, "during");
}

void sweep_power_begin(const char *folder, sweep_power *p)
{
    char name[SWEEP_PATH_BYTES];
    (void)snprintf(name, sizeof name, "%s/%s", root, folder);
    known.count = 0;
    vfs_power_begin(name, cut_at_a_sync, p);
}
