// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// store_uploads.c: uploads of what is there, and of a level in which one house has moved, beside
// full bakes; the commits of a bake beside all of it.

#include "server/base/events.h"
#include "server/app/mesh_file.h"
#include "server/jobs/jobs.h"
#include "server/meshes/registry.h"
#include "tests/bench/store_bench.h"
#include "tests/levels/levels.h"

#include <semaphore.h>
#include <stdlib.h>
#include <time.h>

typedef struct text {
    char *bytes;
    size_t size_bytes;
} text;

// The level as OBJ; its last eight corners are shifted along x.
static text level_of(level_kind kind, uint32_t size, float shift)
{
    level_mesh level;
    text out;
    if (!levels_generate(kind, size, 1, &level)) {
        bench_give_up("level", "cannot be generated");
    }
    for (uint32_t i = 0; i < 8; i++) {
        level.vertices[3 * (level.vertex_count - 1 - i)] += shift;
    }
    FILE *file = open_memstream(&out.bytes, &out.size_bytes);
    if (file == NULL || !levels_write_obj(&level, file) || fclose(file) != 0) {
        bench_give_up("level", "no memory");
    }
    levels_free(&level);
    return out;
}

// The corners of one box come last but for a house's.
static text city_of(uint32_t size, float shift)
{
    return level_of(LEVEL_CITY, size, shift);
}

static void post(void *user)
{
    (void)sem_post(user);
}

// ---- what a bake commits ----

// The linker hands the bake's calls of both to these (--wrap, tests.mk), which add up their time.
// The commit that inserts the version is left out: it is the upload's.
nav_status __real_store_tiles_put(store *disk, const char *mesh, uint32_t version,
                                  const store_tile *tiles, size_t count, nav_error *err);
nav_status __real_store_version_ready(store *disk, const char *mesh, uint32_t version,
                                      const store_result *result, uint64_t *activation,
                                      nav_error *err);
nav_status __wrap_store_tiles_put(store *disk, const char *mesh, uint32_t version,
                                  const store_tile *tiles, size_t count, nav_error *err);
nav_status __wrap_store_version_ready(store *disk, const char *mesh, uint32_t version,
                                      const store_result *result, uint64_t *activation,
                                      nav_error *err);

// Of one bake: its commits follow each other, whichever worker makes them. Read when it has ended.
static uint64_t commits_ns, commits_cpu_ns;
static size_t committed_tiles;

static uint64_t thread_cpu_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

nav_status __wrap_store_tiles_put(store *disk, const char *mesh, uint32_t version,
                                  const store_tile *tiles, size_t count, nav_error *err)
{
    const uint64_t began_ns = clock_now_ns(), cpu_began_ns = thread_cpu_ns();
    nav_status status = __real_store_tiles_put(disk, mesh, version, tiles, count, err);
    commits_ns += clock_now_ns() - began_ns;
    commits_cpu_ns += thread_cpu_ns() - cpu_began_ns;
    committed_tiles += count;
    return status;
}

nav_status __wrap_store_version_ready(store *disk, const char *mesh, uint32_t version,
                                      const store_result *result, uint64_t *activation,
                                      nav_error *err)
{
    const uint64_t began_ns = clock_now_ns(), cpu_began_ns = thread_cpu_ns();
    nav_status status = __real_store_version_ready(disk, mesh, version, result, activation, err);
    commits_ns += clock_now_ns() - began_ns;
    commits_cpu_ns += thread_cpu_ns() - cpu_began_ns;
    committed_tiles += result->tile_count;
    return status;
}

// ---- uploads ----

// An upload from its first byte to the end of its bake.
static void send(service *s, const text *obj, const proto_arg *args, size_t arg_count, sem_t *ended)
{
    upload *u = NULL;
    upload_outcome outcome;
    nav_error err = {0};
    bench_must(upload_open(s, "city", PROTO_FORMAT_OBJ, false, &u, &err), "upload", &err);
    bench_must(upload_feed(u, obj->bytes, obj->size_bytes, &err), "upload", &err);
    bench_must(upload_finish(u, args, arg_count, false, &outcome, &err), "upload", &err);
    upload_close(u);
    if (jobs_watch(s->jobs, "city", outcome.version, post, ended)) {
        (void)sem_wait(ended);
    }
}

// A bake writes a line to stderr.
static void mute(void)
{
    if (freopen("/dev/null", "w", stderr) == NULL) {
        bench_give_up("stderr", "cannot be turned off");
    }
}

// A daemon without its HTTP.
static void open_service(service *s, uint32_t workers)
{
    nav_error err = {0};
    *s = (service){.registry = registry_create(),
                   .jobs = jobs_create(workers),
                   .events = events_create(0), // to which nobody listens
                   .limits = limits_default()};
    bench_must(store_open(bench_path("uploads.db"), &s->store, &err), "opening", &err);
    bench_must(jobs_start(s->jobs, job_bake, s), "workers", &err);
}

static void close_service(service *s)
{
    jobs_stop(s->jobs);
    jobs_destroy(s->jobs);
    events_destroy(s->events);
    registry_destroy(s->registry);
    store_close(s->store);
    bench_remove_store("uploads.db");
}

static void bench_bake_commits(level_kind kind, uint32_t size, const char *tile_cells)
{
    const proto_arg args[] = {{.key = "reuse", .value = "0"},
                              {.key = "tile_cells", .value = tile_cells}};
    bench_duel d = {0}, cpu = {0};
    service s;
    sem_t ended;
    char what[64];
    (void)sem_init(&ended, 0, 0);
    open_service(&s, 1);
    for (uint32_t round = 0; round < bench_rounds; round++) {
        const text obj = level_of(kind, size, 0.01f * (float)(round + 1));
        const uint64_t began_ns = clock_now_ns(), cpu_began_ns = bench_cpu_ns();
        commits_ns = commits_cpu_ns = committed_tiles = 0;
        send(&s, &obj, args, 2, &ended);
        bench_keep_least(&d.theirs_ms, began_ns, clock_now_ns());
        bench_keep_least(&cpu.theirs_ms, cpu_began_ns, bench_cpu_ns());
        bench_keep_least(&d.ours_ms, 0, commits_ns);
        bench_keep_least(&cpu.ours_ms, 0, commits_cpu_ns);
        free(obj.bytes);
    }
    (void)snprintf(what, sizeof what, "commits of a %s, %zu tiles of %s", levels_kind_word(kind),
                   committed_tiles, tile_cells);
    bench_print(what, "its upload and bake, 1 worker", d, 0.05);
    bench_print("    CPU time", "CPU time", cpu, 0.05);
    close_service(&s);
}

void bench_bakes(void)
{
    mute();
    bench_bake_commits(LEVEL_TOWN, 3, "auto");
    bench_bake_commits(LEVEL_TOWN, 3, "64");
    bench_bake_commits(LEVEL_TOWN, 3, "32");
    bench_bake_commits(LEVEL_DUNGEON, 3, "64");
    bench_bake_commits(LEVEL_TERRAIN, 64, "64");
    bench_bake_commits(LEVEL_CITY, 2, "auto");
}

void bench_uploads(void)
{
    const text city = city_of(10, 0);
    const proto_arg anew[] = {{.key = "reuse", .value = "0"}};
    sem_t ended;
    service s;
    bench_duel same = {0}, moved = {0};
    (void)sem_init(&ended, 0, 0);
    mute();
    open_service(&s, 2);
    for (uint32_t round = 0; round < bench_rounds; round++) {
        const text other = city_of(10, 0.01f * (float)(round + 1));
        uint64_t began_ns = clock_now_ns();
        send(&s, &city, anew, 1, &ended);
        bench_keep_least(&same.theirs_ms, began_ns, clock_now_ns());
        began_ns = clock_now_ns();
        send(&s, &city, NULL, 0, &ended);
        bench_keep_least(&same.ours_ms, began_ns, clock_now_ns());
        began_ns = clock_now_ns();
        send(&s, &other, NULL, 0, &ended);
        bench_keep_least(&moved.ours_ms, began_ns, clock_now_ns());
        free(other.bytes);
    }
    moved.theirs_ms = same.theirs_ms;
    bench_print("unchanged upload of a city, 2 workers", "full bake", same, 0.05);
    bench_print("a city with one house moved, 2 workers", "full bake", moved, 1);
    close_service(&s);
    free(city.bytes);
}
