// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bench_store.c: what the store costs beside doing without one: commits beside raw writes, a start
// beside reading and unpacking the bytes, a bake's commits beside the bake, uploads that change
// little beside full bakes.
//
//   bench_store [--rounds N] [--only commit|start|bake|upload] [--daemon FILE] FOLDER
//
// FOLDER is where databases and files are made, and removed again; the daemon is navmeshd beside
// this program. Each ratio is between two times
// of the wall clock that were taken turn by turn in one run; of N rounds (9) the least of either
// side counts.

#include "server/base/clock.h"
#include "tests/bench/store_bench.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS_MAX 100

char bench_folder[2048], bench_daemon[2048];
uint32_t bench_rounds = 9;

// ---- what the parts share ----

_Noreturn void bench_give_up(const char *what, const char *why)
{
    (void)fprintf(stderr, "bench_store: %s: %s\n", what, why);
    exit(1);
}

void bench_must(nav_status status, const char *what, const nav_error *err)
{
    if (status != NAV_OK) {
        bench_give_up(what, err->detail);
    }
}

const char *bench_path(const char *name)
{
    static char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s", bench_folder, name);
    return path;
}

void bench_remove_store(const char *name)
{
    static const char *const suffixes[] = {"", "-wal", "-shm", "-new", "-journal"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        char file[128];
        (void)snprintf(file, sizeof file, "%s%s", name, suffixes[i]);
        (void)unlink(bench_path(file));
    }
}

uint64_t bench_cpu_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void bench_keep_least(double *least, uint64_t began_ns, uint64_t now_ns)
{
    double ms = (double)(now_ns - began_ns) / 1e6;
    *least = *least == 0 || ms < *least ? ms : *least;
}

void bench_print(const char *what, const char *beside, bench_duel d, double target)
{
    (void)printf("%-44s %9.3f ms   %-30s %9.3f ms   ratio %6.3f   (at most %.2f)\n", what,
                 d.ours_ms, beside, d.theirs_ms, d.ours_ms / d.theirs_ms, target);
    (void)fflush(stdout);
}

uint32_t bench_insert(store *disk, const char *mesh, const void *geometry, size_t geometry_bytes,
                      uint64_t seed)
{
    uint8_t hash[32] = {0};
    nav_error err = {0};
    uint32_t version = 0;
    bool existing;
    memcpy(hash, &seed, sizeof seed);
    const store_upload row = {.mesh = mesh,
                              .content_key = hash,
                              .geometry_hash = hash,
                              .geometry = geometry,
                              .geometry_bytes = geometry_bytes,
                              .geometry_unpacked_bytes = geometry_bytes,
                              .geometry_json = "{}",
                              .config_json = "{}",
                              .tiles_total = 1,
                              .activate = true};
    bench_must(store_version_insert(disk, &row, &version, &existing, &err), "insert", &err);
    return version;
}

// ---- commits ----

// Bytes that no packer makes smaller.
static void fill_random(uint8_t *bytes, size_t size_bytes, uint64_t seed)
{
    for (size_t i = 0; i < size_bytes; i++) {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        bytes[i] = (uint8_t)seed;
    }
}

static void make_tiles(store_tile *tiles, size_t count, uint8_t *bytes, uint64_t seed)
{
    const size_t each = MIB / count;
    fill_random(bytes, MIB, seed * 2654435761u + 1);
    for (size_t i = 0; i < count; i++) {
        tiles[i] = (store_tile){.x = (uint32_t)i,
                                .has_key = true,
                                .packed = bytes + i * each,
                                .packed_bytes = each,
                                .bytes = each};
        memcpy(tiles[i].hash, bytes + i * each, 32);
        memcpy(tiles[i].key, bytes + i * each + 64, 32);
        memcpy(tiles[i].packed_hash, bytes + i * each + 96, 32);
        tiles[i].report = bytes;
        tiles[i].report_bytes = 90;
    }
}

// The peer of a commit: the same bytes on disk without a store.
static void write_raw(const uint8_t *bytes, int fd)
{
    if (write(fd, bytes, MIB) != (ssize_t)MIB || fdatasync(fd) != 0) {
        bench_give_up("writing", bench_folder);
    }
}

static void bench_commit(size_t tile_count)
{
    static store_tile tiles[1024];
    uint8_t *bytes = malloc(MIB);
    store *disk = NULL;
    nav_error err = {0};
    bench_duel d = {0}, cpu = {0};
    bench_must(store_open(bench_path("commit.db"), &disk, &err), "opening", &err);
    int fd = open(bench_path("raw"), O_CREAT | O_TRUNC | O_WRONLY, 0644);
    for (uint32_t round = 0; round < bench_rounds * 4; round++) {
        make_tiles(tiles, tile_count, bytes, round + 1);
        uint32_t version = bench_insert(disk, "m", "g", 1, round);
        const store_result result = {.tiles = tiles,
                                     .tile_count = tile_count,
                                     .blob_json = "{}",
                                     .stats_json = "{}",
                                     .timings_json = "{}",
                                     .warnings_json = "[]"};
        uint64_t activation, began_ns = clock_now_ns(), cpu_began_ns = bench_cpu_ns();
        bench_must(store_version_ready(disk, "m", version, &result, &activation, &err), "commit",
                   &err);
        bench_keep_least(&d.ours_ms, began_ns, clock_now_ns());
        bench_keep_least(&cpu.ours_ms, cpu_began_ns, bench_cpu_ns());
        began_ns = clock_now_ns();
        cpu_began_ns = bench_cpu_ns();
        write_raw(bytes, fd);
        bench_keep_least(&d.theirs_ms, began_ns, clock_now_ns());
        bench_keep_least(&cpu.theirs_ms, cpu_began_ns, bench_cpu_ns());
    }
    char what[64];
    (void)snprintf(what, sizeof what, "commit of a version of 1 MiB, %zu tiles", tile_count);
    bench_print(what, "write + fdatasync", d, 2);
    bench_print("    CPU time", "CPU time", cpu, 2);
    (void)close(fd);
    store_close(disk);
    bench_remove_store("commit.db");
    (void)unlink(bench_path("raw"));
    free(bytes);
}

static bool wanted(const char *only, const char *part)
{
    return only == NULL || strcmp(only, part) == 0;
}

int main(int argc, char **argv)
{
    const char *only = NULL;
    const char *slash = strrchr(argv[0], '/');
    (void)snprintf(bench_daemon, sizeof bench_daemon, "%.*snavmeshd",
                   slash != NULL ? (int)(slash + 1 - argv[0]) : 0, argv[0]);
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--rounds") == 0 && i + 1 < argc) {
            bench_rounds = (uint32_t)strtoul(argv[++i], NULL, 10);
        } else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc) {
            only = argv[++i];
        } else if (strcmp(argv[i], "--daemon") == 0 && i + 1 < argc) {
            (void)snprintf(bench_daemon, sizeof bench_daemon, "%s", argv[++i]);
        } else {
            (void)snprintf(bench_folder, sizeof bench_folder, "%s", argv[i]);
        }
    }
    if (bench_folder[0] == '\0' || bench_rounds == 0 || bench_rounds > ROUNDS_MAX) {
        bench_give_up(
            "usage",
            "bench_store [--rounds N] [--only commit|start|bake|upload] [--daemon FILE] FOLDER");
    }
    static const size_t tile_counts[] = {1, 16, 128};
    for (size_t i = 0; wanted(only, "commit") && i < sizeof tile_counts / sizeof *tile_counts;
         i++) {
        bench_commit(tile_counts[i]);
    }
    if (wanted(only, "start")) {
        bench_start();
    }
    if (wanted(only, "bake")) {
        bench_bakes();
    }
    if (wanted(only, "upload")) {
        bench_uploads();
    }
    return 0;
}
