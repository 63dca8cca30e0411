// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// store_start.c: how long a start with many maps takes to its first answer, and until all are
// loaded, beside reading and unpacking the same bytes.

#include "core/tile/tile.h"
#include "server/base/clock.h"
#include "server/base/pack.h"
#include "tests/bench/http_client.h"
#include "tests/bench/store_bench.h"
#include "tests/levels/levels.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAPS 100
#define SEEDS 10 // levels that are really baked; maps of one seed differ in their agent

typedef struct maps {
    uint8_t *packed[MAPS];
    size_t packed_bytes[MAPS], bytes[MAPS];
} maps;

// A level of about 1 MiB as one tile.
static void bake_level(uint64_t seed, nav_arena *result, nav_blob *out)
{
    level_mesh level;
    if (!levels_generate(LEVEL_TERRAIN, 190, seed, &level)) {
        bench_give_up("terrain", "cannot be generated");
    }
    const nav_geometry geometry = levels_geometry(&level);
    nav_config config = nav_config_default();
    nav_grid grid;
    nav_arena scratch;
    nav_error err = {0};
    nav_arena_init(&scratch, NULL, 0);
    config.tile_cells = 0;
    config.edge_max_error = 0.5f;
    config.detail_sample_distance = 3;
    bench_must(nav_bake_plan(&geometry, &config, 0, &grid, &err), "plan", &err);
    bench_must(nav_bake_tile(&geometry, &config, &grid, NULL, 0, 0, NULL, &scratch, result, out,
                             NULL, &err),
               "bake", &err);
    nav_arena_free(&scratch);
    levels_free(&level);
}

// The same tile for a slightly other agent, so that no two maps share a blob.
static void vary(uint8_t *bytes, uint32_t number)
{
    nav_tile_header *header = (nav_tile_header *)(void *)bytes;
    const size_t covered = offsetof(nav_tile_header, tile_x);
    header->agent_radius += (float)number * 1e-4f;
    header->checksum = nav_tile_checksum(bytes + covered, header->size_bytes - covered);
}

static void store_map(store *disk, uint32_t number, const nav_blob *blob, maps *m)
{
    char mesh[16], config_json[] = "{}";
    nav_error err = {0};
    uint64_t activation;
    uint8_t *bytes = malloc(blob->size_bytes);
    memcpy(bytes, blob->bytes, blob->size_bytes);
    vary(bytes, number);
    store_tile tile = {.bytes = blob->size_bytes};
    nav_sha256 hash;
    nav_sha256_init(&hash);
    nav_sha256_add(&hash, bytes, blob->size_bytes);
    nav_sha256_end(&hash, tile.hash);
    bench_must(pack_compress(bytes, blob->size_bytes, &tile.packed, &tile.packed_bytes, &err),
               "packing", &err);
    store_tile_hash_packed(&tile);
    (void)snprintf(mesh, sizeof mesh, "map%u", number);
    uint32_t version = bench_insert(disk, mesh, "g", 1, number);
    const store_result result = {.tiles = &tile,
                                 .tile_count = 1,
                                 .blob_json = config_json,
                                 .stats_json = "{}",
                                 .timings_json = "{}",
                                 .warnings_json = "[]"};
    bench_must(store_version_ready(disk, mesh, version, &result, &activation, &err), "commit",
               &err);
    m->packed[number] = tile.packed;
    m->packed_bytes[number] = tile.packed_bytes;
    m->bytes[number] = blob->size_bytes;
    free(bytes);
}

// Maps in a database, and the same packed bytes in one file.
static size_t make_maps(maps *m)
{
    store *disk = NULL;
    nav_error err = {0};
    size_t all_bytes = 0;
    nav_arena result;
    nav_blob blobs[SEEDS];
    nav_arena_init(&result, NULL, 0);
    bench_must(store_open(bench_path("maps.db"), &disk, &err), "opening", &err);
    FILE *file = fopen(bench_path("maps.raw"), "wb");
    for (uint32_t i = 0; i < SEEDS; i++) {
        bake_level(i + 1, &result, &blobs[i]);
    }
    for (uint32_t i = 0; i < MAPS; i++) {
        store_map(disk, i, &blobs[i % SEEDS], m);
        all_bytes += m->bytes[i];
        if (fwrite(m->packed[i], 1, m->packed_bytes[i], file) != m->packed_bytes[i]) {
            bench_give_up("writing", bench_folder);
        }
        free(m->packed[i]);
    }
    (void)fclose(file);
    store_close(disk);
    nav_arena_free(&result);
    return all_bytes;
}

// One thread's part: every step-th map.
typedef struct raw_part {
    const maps *maps;
    int fd;
    uint32_t first, step;
} raw_part;

static void *read_part(void *argument)
{
    const raw_part *part = argument;
    const maps *m = part->maps;
    nav_error err = {0};
    off_t at = 0;
    for (uint32_t i = 0; i < MAPS; at += (off_t)m->packed_bytes[i++]) {
        if (i % part->step != part->first) {
            continue;
        }
        uint8_t *packed = malloc(m->packed_bytes[i]);
        void *bytes = NULL;
        if (pread(part->fd, packed, m->packed_bytes[i], at) != (ssize_t)m->packed_bytes[i]) {
            bench_give_up("reading", bench_folder);
        }
        bench_must(pack_decompress(packed, m->packed_bytes[i], m->bytes[i], &bytes, &err),
                   "unpacking", &err);
        free(bytes);
        free(packed);
    }
    return NULL;
}

// Without a store, on one thread or two.
static void read_raw(const maps *m, uint32_t threads)
{
    const int fd = open(bench_path("maps.raw"), O_RDONLY);
    raw_part parts[2] = {{m, fd, 0, threads}, {m, fd, 1, threads}};
    pthread_t other;
    const bool two = threads == 2;
    if (two && pthread_create(&other, NULL, read_part, &parts[1]) != 0) {
        bench_give_up("a thread", "cannot be had");
    }
    (void)read_part(&parts[0]);
    if (two) {
        (void)pthread_join(other, NULL);
    }
    (void)close(fd);
}

// When the daemon answered first, and when it was ready; of its CPU time, too.
typedef struct start_times {
    uint64_t answer_ns, ready_ns;
    uint64_t answer_cpu_ns, ready_cpu_ns;
    uint64_t resident_bytes; // of all of the process, when it was ready
} start_times;

static uint64_t resident_bytes(pid_t pid)
{
    char path[64];
    unsigned long long pages = 0;
    (void)snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
    FILE *file = fopen(path, "r");
    if (file == NULL || fscanf(file, "%*u %llu", &pages) != 1) {
        bench_give_up("reading", path);
    }
    (void)fclose(file);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

// Starts the daemon on a port of its own choice, which it writes to stderr.
static pid_t spawn(uint32_t workers, uint16_t *port)
{
    static const char mark[] = "listening address=127.0.0.1:";
    char count[16], line[256];
    (void)snprintf(count, sizeof count, "%u", workers);
    char database[4096];
    (void)snprintf(database, sizeof database, "%s", bench_path("maps.db"));
    const char *const arguments[] = {bench_daemon, "--listen", "127.0.0.1:0", "--workers",
                                     count,        "--db",     database,      NULL};
    int lines[2];
    posix_spawn_file_actions_t actions;
    pid_t pid;
    if (pipe2(lines, O_CLOEXEC) != 0 || posix_spawn_file_actions_init(&actions) != 0 ||
        posix_spawn_file_actions_adddup2(&actions, lines[1], 2) != 0 ||
        posix_spawn(&pid, bench_daemon, &actions, NULL, (char *const *)(uintptr_t)arguments,
                    environ) != 0) {
        bench_give_up("starting", bench_daemon);
    }
    (void)posix_spawn_file_actions_destroy(&actions);
    (void)close(lines[1]);
    FILE *text = fdopen(lines[0], "r");
    *port = 0;
    while (*port == 0 && text != NULL && fgets(line, sizeof line, text) != NULL) {
        const char *found = strstr(line, mark);
        *port = found != NULL ? (uint16_t)strtoul(found + strlen(mark), NULL, 10) : 0;
    }
    if (*port == 0) {
        bench_give_up("listening", "the daemon says no port");
    }
    (void)fclose(text); // no more lines come than fit into the pipe, and they may be lost
    return pid;
}

// From the start of the process to the first answer about a mesh, which is the last one that is
// loaded if nobody asks; then to /readyz.
static start_times start(uint32_t workers)
{
    static const char question[] = "/v1/meshes/map99/path?start=60,0,60&end=120,0,120"
                                   "&snap.horizontal=20&snap.up=1000&snap.down=1000";
    const struct timespec pause = {.tv_nsec = 3000000}; // asking costs the daemon time, too
    start_times t;
    uint16_t port;
    clockid_t cpu_clock;
    struct timespec cpu;
    const uint64_t began_ns = clock_now_ns();
    const pid_t pid = spawn(workers, &port);
    client c = http_client_open(port);
    http_client_ask(&c, "GET", question, NULL, NULL, 0);
    t.answer_ns = clock_now_ns() - began_ns;
    (void)clock_getcpuclockid(pid, &cpu_clock);
    (void)clock_gettime(cpu_clock, &cpu);
    t.answer_cpu_ns = (uint64_t)cpu.tv_sec * 1000000000u + (uint64_t)cpu.tv_nsec;
    if (c.status != 200 || strstr(http_client_body(&c), "\"status\":\"complete\"") == NULL) {
        bench_give_up("the first answer", http_client_body(&c));
    }
    for (c.status = 0; c.status != 200;) {
        http_client_ask(&c, "GET", "/readyz", NULL, NULL, 0);
        (void)nanosleep(&pause, NULL);
    }
    t.ready_ns = clock_now_ns() - began_ns;
    (void)clock_gettime(cpu_clock, &cpu);
    t.ready_cpu_ns = (uint64_t)cpu.tv_sec * 1000000000u + (uint64_t)cpu.tv_nsec;
    t.resident_bytes = resident_bytes(pid);
    http_client_close(&c);
    (void)kill(pid, SIGTERM);
    (void)waitpid(pid, NULL, 0);
    return t;
}

void bench_start(void)
{
    static maps m;
    size_t all_bytes = make_maps(&m);
    bench_duel answer = {0}, answer_cpu = {0}, ready = {0}, ready_cpu = {0}, ready_two = {0};
    uint64_t resident = 0;
    for (uint32_t round = 0; round < bench_rounds; round++) {
        const start_times one = start(1), two = start(2);
        bench_keep_least(&answer.ours_ms, 0, one.answer_ns);
        bench_keep_least(&answer_cpu.ours_ms, 0, one.answer_cpu_ns);
        bench_keep_least(&ready.ours_ms, 0, one.ready_ns);
        bench_keep_least(&ready_cpu.ours_ms, 0, one.ready_cpu_ns);
        bench_keep_least(&ready_two.ours_ms, 0, two.ready_ns);
        resident = one.resident_bytes > resident ? one.resident_bytes : resident;
        uint64_t began_ns = clock_now_ns(), cpu_began_ns = bench_cpu_ns();
        read_raw(&m, 1);
        bench_keep_least(&ready.theirs_ms, began_ns, clock_now_ns());
        bench_keep_least(&ready_cpu.theirs_ms, cpu_began_ns, bench_cpu_ns());
        began_ns = clock_now_ns();
        read_raw(&m, 2);
        bench_keep_least(&ready_two.theirs_ms, began_ns, clock_now_ns());
    }
    answer.theirs_ms = ready.theirs_ms;
    answer_cpu.theirs_ms = ready_cpu.theirs_ms;
    (void)printf("%d maps of %.2f MiB, from the start of the process:\n", MAPS,
                 (double)all_bytes / MAPS / (double)MIB);
    bench_print("to the first answer, 1 worker", "read + unpack, one thread", answer, 1.5);
    bench_print("    CPU time", "CPU time", answer_cpu, 1.5);
    bench_print("to /readyz (all loaded), 1 worker", "read + unpack, one thread", ready, 1.5);
    bench_print("    CPU time", "CPU time", ready_cpu, 1.5);
    bench_print("to /readyz, 2 workers", "read + unpack, two threads", ready_two, 1.5);
    (void)printf("%-44s %9.3f MiB  %-30s %9.3f MiB  ratio %6.3f   (at most 2.50)\n",
                 "resident at /readyz, all of the process", (double)resident / (double)MIB,
                 "unpacked tiles", (double)all_bytes / (double)MIB,
                 (double)resident / (double)all_bytes);
    bench_remove_store("maps.db");
    (void)unlink(bench_path("maps.raw"));
}
