// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bench_bake.c: bakes of the same levels with the same settings, here and with recastnavigation,
// turn by turn in one run. Prints a table; the figures go to the CSV file named on the command
// line.
//
//   bench_bake [--rounds N] [--csv FILE] [--quick]
//
// Times are CPU times of one thread, the least of N rounds (7 at least), each from triangles to the
// bytes of searchable tiles. Memory is the most that either side's allocators held at once.

#include "core/nav.h"
#include "proto/proto.h"
#include "tests/bench/peer_bake.h"
#include "tests/levels/levels.h"

#include <dirent.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ROUNDS_MIN 7
#define LEVELS_MAX 32
#define TILE_CELLS 64
#define THREADS 2

// ---- levels ----

typedef struct level {
    char name[64];
    nav_geometry geometry;
    bool tiled;
    level_mesh mesh;               // owns a generated geometry
    proto_geometry_reader *reader; // owns one from a file
} level;

static level levels[LEVELS_MAX];
static uint32_t level_count;

static void add_generated(level_kind kind, uint32_t size, bool tiled)
{
    level *l = &levels[level_count++];
    if (!levels_generate(kind, size, 1, &l->mesh)) {
        fprintf(stderr, "%s of size %u cannot be generated\n", levels_kind_word(kind), size);
        exit(1);
    }
    snprintf(l->name, sizeof l->name, "%s-%u", levels_kind_word(kind), size);
    l->tiled = tiled;
    l->geometry = (nav_geometry){.vertices = l->mesh.vertices,
                                 .triangles = l->mesh.triangles,
                                 .vertex_count = l->mesh.vertex_count,
                                 .triangle_count = l->mesh.triangle_count};
}

static void add_file(const char *folder, const char *name)
{
    level *l = &levels[level_count];
    char path[4096], buffer[65536];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    snprintf(l->name, sizeof l->name, "%.*s", (int)(strlen(name) - 4), name);
    FILE *file = fopen(path, "rb");
    nav_error err = {0};
    proto_geometry_limits limits = proto_geometry_limits_default();
    nav_status status = proto_geometry_begin(PROTO_FORMAT_OBJ, &limits, &l->reader, &err);
    size_t size;
    while (file != NULL && status == NAV_OK && (size = fread(buffer, 1, sizeof buffer, file)) > 0) {
        status = proto_geometry_feed(l->reader, buffer, size, &err);
    }
    if (status == NAV_OK) {
        status = proto_geometry_end(l->reader, &l->geometry, &err);
    }
    if (file == NULL || status != NAV_OK) {
        fprintf(stderr, "%s cannot be read: %s\n", path, err.detail);
        exit(1);
    }
    fclose(file);
    level_count++;
}

static int is_obj(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 4 && length < 60 && strcmp(entry->d_name + length - 4, ".obj") == 0;
}

static void add_levels(bool quick)
{
    const char *folder = getenv("NAVMESHD_LEVELS");
    struct dirent **entries;
    int count = scandir(folder != NULL ? folder : "../shared/levels", &entries, is_obj, alphasort);
    for (int i = 0; i < count; ++i) {
        if (i < LEVELS_MAX / 2) {
            add_file(folder != NULL ? folder : "../shared/levels", entries[i]->d_name);
        }
        free(entries[i]);
    }
    if (count >= 0) {
        free(entries);
    }
    add_generated(LEVEL_TOWN, 4, false);
    add_generated(LEVEL_DUNGEON, 4, false);
    add_generated(LEVEL_TERRAIN, 96, false);
    // About 500,000 triangles, or 65,000.
    add_generated(LEVEL_CITY, quick ? 8 : 22, true);
}

// ---- one bake ----

typedef struct plan {
    nav_geometry geometry;
    nav_config config;
    nav_grid grid;
    nav_tile_index index;
    nav_arena arena; // of the index
    uint32_t tiles;
} plan;

static void make_plan(const level *l, const nav_config *config, plan *out)
{
    nav_error err = {0};
    *out = (plan){.geometry = l->geometry, .config = *config};
    nav_arena_init(&out->arena, NULL, 0);
    nav_status status = nav_bake_plan(&out->geometry, &out->config, 0, &out->grid, &err);
    if (status == NAV_OK) {
        status = nav_bake_index(&out->geometry, &out->grid, &out->arena, &out->index, &err);
    }
    if (status != NAV_OK) {
        fprintf(stderr, "%s: %s\n", l->name, err.detail);
        exit(1);
    }
    out->tiles = out->grid.tiles_x * out->grid.tiles_z;
}

typedef struct outcome {
    uint32_t polygons;
    size_t peak_bytes;
} outcome;

static outcome bake_ours_tile(const plan *p, uint32_t tile)
{
    nav_arena scratch, result;
    nav_arena_init(&scratch, NULL, 0);
    nav_arena_init_child(&result, &scratch);
    nav_blob blob;
    nav_bake_report report = {0};
    nav_error err = {0};
    if (nav_bake_tile(&p->geometry, &p->config, &p->grid, &p->index, tile % p->grid.tiles_x,
                      tile / p->grid.tiles_x, NULL, &scratch, &result, &blob, &report,
                      &err) != NAV_OK) {
        fprintf(stderr, "tile %u: %s\n", tile, err.detail);
        exit(1);
    }
    outcome o = {.polygons = (uint32_t)report.polygons, .peak_bytes = scratch.peak_bytes};
    nav_arena_free(&result);
    nav_arena_free(&scratch);
    return o;
}

static outcome bake_ours(const plan *p)
{
    outcome sum = {0};
    for (uint32_t tile = 0; tile < p->tiles; ++tile) {
        outcome o = bake_ours_tile(p, tile);
        sum.polygons += o.polygons;
        sum.peak_bytes = o.peak_bytes > sum.peak_bytes ? o.peak_bytes : sum.peak_bytes;
    }
    return sum;
}

static outcome bake_theirs(const plan *p)
{
    outcome sum = {0};
    peer_memory_reset();
    for (uint32_t tile = 0; tile < p->tiles; ++tile) {
        const uint32_t *first = p->index.first + tile;
        peer_bake_tile(&p->geometry, &p->config, &p->grid, tile % p->grid.tiles_x,
                       tile / p->grid.tiles_x, p->index.triangles + first[0], first[1] - first[0],
                       &sum.polygons);
    }
    sum.peak_bytes = peer_memory_peak();
    return sum;
}

// ---- time ----

static double clock_ms(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

typedef struct figures {
    double ours_ms, theirs_ms;
    outcome ours, theirs;
} figures;

static figures compare(const plan *p, int rounds)
{
    figures f = {.ours_ms = INFINITY, .theirs_ms = INFINITY};
    for (int round = 0; round < rounds; ++round) {
        double begin = clock_ms(CLOCK_THREAD_CPUTIME_ID);
        f.ours = bake_ours(p);
        double middle = clock_ms(CLOCK_THREAD_CPUTIME_ID);
        f.theirs = bake_theirs(p);
        double end = clock_ms(CLOCK_THREAD_CPUTIME_ID);
        f.ours_ms = fmin(f.ours_ms, middle - begin);
        f.theirs_ms = fmin(f.theirs_ms, end - middle);
    }
    return f;
}

// ---- threads ----

typedef struct crew {
    const plan *plan;
    _Atomic uint32_t next;
} crew;

static void *work(void *user)
{
    crew *c = user;
    for (uint32_t tile; (tile = atomic_fetch_add(&c->next, 1)) < c->plan->tiles;) {
        bake_ours_tile(c->plan, tile);
    }
    return NULL;
}

static double wall_ms(const plan *p, uint32_t thread_count)
{
    crew c = {.plan = p};
    pthread_t threads[THREADS];
    double begin = clock_ms(CLOCK_MONOTONIC);
    for (uint32_t i = 0; i < thread_count; ++i) {
        if (pthread_create(&threads[i], NULL, work, &c) != 0) {
            exit(1);
        }
    }
    for (uint32_t i = 0; i < thread_count; ++i) {
        pthread_join(threads[i], NULL);
    }
    return clock_ms(CLOCK_MONOTONIC) - begin;
}

static void compare_threads(const level *l, int rounds, FILE *csv)
{
    nav_config config = nav_config_default();
    config.tile_cells = TILE_CELLS;
    plan p;
    make_plan(l, &config, &p);
    double one = INFINITY, two = INFINITY;
    for (int round = 0; round < rounds; ++round) {
        one = fmin(one, wall_ms(&p, 1));
        two = fmin(two, wall_ms(&p, THREADS));
    }
    printf("%s in %u tiles: one thread %.1f ms, two threads %.1f ms: %.2f times as fast\n", l->name,
           p.tiles, one, two, one / two);
    fprintf(csv, "%s,threads,,%.3f,%.3f,%.3f,,\n", l->name, one, two, one / two);
    nav_arena_free(&p.arena);
}

// ---- the table ----

static const char *const PARTITIONS[] = {[NAV_PARTITION_WATERSHED] = "watershed",
                                         [NAV_PARTITION_MONOTONE] = "monotone",
                                         [NAV_PARTITION_LAYERS] = "layers"};

typedef struct mean {
    double log_sum, least;
    uint32_t count;
} mean;

static void add_to_mean(mean *m, double ratio)
{
    m->log_sum += log(ratio);
    m->least = m->count == 0 ? ratio : fmin(m->least, ratio);
    m->count++;
}

static void compare_level(const level *l, int rounds, FILE *csv, mean *m)
{
    for (uint32_t i = 0; i < 3; ++i) {
        for (int detail = 1; detail >= 0; --detail) {
            nav_config config = nav_config_default();
            config.partition = (nav_partition)i;
            config.detail = detail != 0;
            config.tile_cells = l->tiled ? TILE_CELLS : 0;
            plan p;
            make_plan(l, &config, &p);
            figures f = compare(&p, rounds);
            double ratio = f.theirs_ms / f.ours_ms;
            double memory = (double)f.ours.peak_bytes / (double)f.theirs.peak_bytes;
            printf("%-14s %-9s %-6s %9.2f %9.2f %6.2f %8u %8u %7.2f\n", l->name, PARTITIONS[i],
                   detail ? "detail" : "-", f.ours_ms, f.theirs_ms, ratio, f.ours.polygons,
                   f.theirs.polygons, memory);
            fprintf(csv, "%s,%s,%d,%.3f,%.3f,%.3f,%zu,%zu\n", l->name, PARTITIONS[i], detail,
                    f.ours_ms, f.theirs_ms, ratio, f.ours.peak_bytes, f.theirs.peak_bytes);
            fflush(stdout);
            add_to_mean(m, ratio);
            nav_arena_free(&p.arena);
        }
    }
}

int main(int argc, char **argv)
{
    int rounds = ROUNDS_MIN;
    bool quick = false;
    const char *csv_path = "/dev/null";
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--quick") == 0) {
            quick = true;
        } else if (strcmp(argv[i], "--rounds") == 0 && i + 1 < argc) {
            rounds = atoi(argv[++i]);
        } else if (strcmp(argv[i], "--csv") == 0 && i + 1 < argc) {
            csv_path = argv[++i];
        } else {
            fprintf(stderr, "bench_bake [--rounds N] [--csv FILE] [--quick]\n");
            return 2;
        }
    }
    rounds = rounds < ROUNDS_MIN ? ROUNDS_MIN : rounds;
    FILE *csv = fopen(csv_path, "w");
    if (csv == NULL) {
        perror(csv_path);
        return 1;
    }
    fprintf(csv,
            "level,partition,detail,ours_ms,theirs_ms,ratio,ours_peak_bytes,theirs_peak_bytes\n");
    add_levels(quick);
    mean m = {0};
    printf("%-14s %-9s %-6s %9s %9s %6s %8s %8s %7s\n", "level", "partition", "", "ours ms",
           "theirs", "ratio", "polygons", "theirs", "memory");
    for (uint32_t i = 0; i < level_count; ++i) {
        compare_level(&levels[i], levels[i].tiled && !quick ? ROUNDS_MIN : rounds, csv, &m);
    }
    printf("geometric mean %.2f, least %.2f\n", exp(m.log_sum / m.count), m.least);
    compare_threads(&levels[level_count - 1], ROUNDS_MIN, csv);
    fclose(csv);
    for (uint32_t i = 0; i < level_count; ++i) {
        levels_free(&levels[i].mesh);
        proto_geometry_destroy(levels[i].reader);
    }
    return 0;
}
