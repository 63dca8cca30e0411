// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bench_export.c: what a file of each format costs beside loading the version from its database: a
// city of 100,000 polygons, baked by the daemon's own command.
//
//   bench_export DAEMON FOLDER [BLOCKS]    blocks a side; 33, which is 100,000 polygons
//
// Rounds alternate, and the least time of each counts. Times are CPU times of this one thread, so
// that other work on the machine counts as little as can be.

#include "proto/exports/exports.h"
#include "server/meshes/load.h"
#include "tests/levels/levels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 7
#define BLOCKS 33
// The goal for each format, of the load.
#define RATIO_MAX 0.5

_Noreturn static void give_up(const char *what, const char *why)
{
    (void)fprintf(stderr, "%s: %s\n", what, why);
    exit(1);
}

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void write_level(const char *path, uint32_t blocks)
{
    level_mesh level;
    FILE *file = fopen(path, "w");
    if (file == NULL || !levels_generate(LEVEL_CITY, blocks, 1, &level) ||
        !levels_write_obj(&level, file) || fclose(file) != 0) {
        give_up(path, "no level");
    }
    levels_free(&level);
}

static void bake(const char *daemon, const char *db, const char *level)
{
    char mesh[4096];
    int status = 1;
    (void)snprintf(mesh, sizeof mesh, "city=%s", level);
    const pid_t pid = fork();
    if (pid == 0) {
        (void)execl(daemon, daemon, "bake", "--db", db, "--mesh", mesh, (char *)NULL);
        _exit(127);
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0) {
        give_up(daemon, "no bake");
    }
}

static double keep_least(double least, double began_ms)
{
    const double ms = now_ms() - began_ms;
    return least == 0.0 || ms < least ? ms : least;
}

static nav_mesh *load(store *disk, double *least)
{
    nav_mesh *mesh = NULL;
    nav_error err = {0};
    const double began_ms = now_ms();
    if (load_mesh(disk, "city", 1, NULL, NULL, &mesh, &err) != NAV_OK) {
        give_up("load", err.detail);
    }
    *least = keep_least(*least, began_ms);
    return mesh;
}

static size_t export_file(const nav_mesh *mesh, proto_export_format format, double *least)
{
    const proto_export what = {.mesh = "city", .version = 1, .nav = mesh};
    nav_arena scratch;
    nav_error err = {0};
    proto_writer w;
    const double began_ms = now_ms();
    nav_arena_init(&scratch, NULL, 0);
    proto_writer_init(&w);
    if (proto_export_write(&w, &what, format, &scratch, &err) != NAV_OK) {
        give_up(proto_export_ending(format), err.detail);
    }
    const size_t size_bytes = w.size_bytes;
    nav_arena_free(&scratch);
    *least = keep_least(*least, began_ms);
    proto_writer_free(&w);
    return size_bytes;
}

int main(int argc, char **argv)
{
    char db[2048], level[2048];
    double load_ms = 0.0, ms[PROTO_EXPORT_COUNT] = {0};
    size_t bytes[PROTO_EXPORT_COUNT];
    store *disk = NULL;
    nav_error err = {0};
    nav_mesh_stats stats = {0};
    if (argc < 3) {
        give_up("bench_export", "DAEMON FOLDER [BLOCKS]");
    }
    (void)snprintf(db, sizeof db, "%s/export.db", argv[2]);
    (void)snprintf(level, sizeof level, "%s/export.obj", argv[2]);
    write_level(level, argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : BLOCKS);
    bake(argv[1], db, level);
    if (store_open(db, &disk, &err) != NAV_OK) {
        give_up(db, err.detail);
    }
    for (int round = 0; round < ROUNDS; round++) {
        nav_mesh *mesh = load(disk, &load_ms);
        nav_mesh_stats_get(mesh, &stats);
        for (int format = 0; format < PROTO_EXPORT_COUNT; format++) {
            bytes[format] = export_file(mesh, (proto_export_format)format, &ms[format]);
        }
        nav_mesh_release(mesh);
    }
    store_close(disk);
    printf("%u polygons in %u tiles: load %.1f ms\n", stats.polygons, stats.tiles, load_ms);
    bool met = true;
    for (int format = 0; format < PROTO_EXPORT_COUNT; format++) {
        const double ratio = ms[format] / load_ms;
        met = met && ratio <= RATIO_MAX;
        printf("%-5s %8.1f ms %7.1f MiB  %.2f of the load, at most %.2f: %s\n",
               proto_export_ending((proto_export_format)format), ms[format],
               (double)bytes[format] / 1048576.0, ratio, RATIO_MAX,
               ratio <= RATIO_MAX ? "met" : "MISSED");
    }
    return met ? 0 : 1;
}
