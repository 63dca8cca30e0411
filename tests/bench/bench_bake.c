// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bench_bake.c: bakes of the same levels with the same settings, here and with recastnavigation,
// turn by turn in one run. Prints a table, where our time goes, and what became of each goal; the
// figures go to the CSV file named on the command line.
//
//   bench_bake [--rounds N] [--csv FILE] [--quick] [--agents]
//
// Times are CPU times of one thread, the least of N rounds (7 at least), each from triangles to the
// bytes of searchable tiles. Memory is the most that either side's allocators held at once.

#include "core/nav.h"
#include "tests/bench/bench_levels.h"
#include "tests/bench/peer_bake.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ROUNDS_MIN 7
#define TILE_CELLS 64
#define THREADS 2

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
        status = nav_bake_index(&out->geometry, &out->grid, NULL, &out->arena, &out->index, &err);
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

// The time of each stage of a bake, and the most memory that is held in it.
typedef struct stages {
    double ms[NAV_STAGE_COUNT];
    size_t peak_bytes[NAV_STAGE_COUNT];
    nav_stage now;
    nav_arena *scratch;
} stages;

static void note_peak(stages *s)
{
    size_t *peak = &s->peak_bytes[s->now];
    *peak = s->scratch->peak_bytes > *peak ? s->scratch->peak_bytes : *peak;
}

static void stage_begins(void *user, nav_stage stage)
{
    stages *s = user;
    note_peak(s);
    s->now = stage;
    s->scratch->peak_bytes = s->scratch->held_bytes;
}

static uint64_t now_ns(void *user)
{
    (void)user;
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

// s may be NULL: nothing is noted by stage.
static outcome bake_ours_tile(const plan *p, uint32_t tile, stages *s)
{
    nav_arena scratch, result;
    nav_arena_init(&scratch, NULL, 0);
    nav_arena_init_child(&result, &scratch);
    nav_blob blob;
    nav_bake_report report = {0};
    nav_error err = {0};
    const nav_bake_hooks hooks = {.user = s, .now_ns = now_ns, .stage = stage_begins};
    if (s != NULL) {
        s->scratch = &scratch;
        s->now = NAV_STAGE_VOXELIZE;
    }
    if (nav_bake_tile(&p->geometry, &p->config, &p->grid, &p->index, tile % p->grid.tiles_x,
                      tile / p->grid.tiles_x, s != NULL ? &hooks : NULL, &scratch, &result, &blob,
                      &report, &err) != NAV_OK) {
        fprintf(stderr, "tile %u: %s\n", tile, err.detail);
        exit(1);
    }
    for (int i = 0; s != NULL && i < NAV_STAGE_COUNT; ++i) {
        s->ms[i] += (double)report.stage_ns[i] / 1e6;
    }
    if (s != NULL) {
        note_peak(s);
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
        outcome o = bake_ours_tile(p, tile, NULL);
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
    figures f = {.ours_ms = HUGE_VAL, .theirs_ms = HUGE_VAL};
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
        bake_ours_tile(c->plan, tile, NULL);
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

// How many times as fast two threads are.
static double compare_threads(const level *l, int rounds, FILE *csv)
{
    nav_config config = nav_config_default();
    config.tile_cells = TILE_CELLS;
    plan p;
    make_plan(l, &config, &p);
    double one = HUGE_VAL, two = HUGE_VAL;
    for (int round = 0; round < rounds; ++round) {
        one = fmin(one, wall_ms(&p, 1));
        two = fmin(two, wall_ms(&p, THREADS));
    }
    printf("\n%s in %u tiles: one thread %.1f ms, two threads %.1f ms: %.2f times as fast\n",
           l->name, p.tiles, one, two, one / two);
    fprintf(csv, "%s,threads,,%.3f,%.3f,%.3f,,\n", l->name, one, two, one / two);
    nav_arena_free(&p.arena);
    return one / two;
}

// ---- several agents ----

static const nav_agent AGENTS[] = {
    {.name = "giant", .radius = 1.2f, .height = 4.0f, .max_climb = 1.2f, .max_slope = 45.0f},
    {.name = "rat", .radius = 0.2f, .height = 0.5f, .max_climb = 0.2f, .max_slope = 45.0f},
};
#define BODIES (1 + sizeof AGENTS / sizeof *AGENTS)

// One bake of all bodies.
static outcome bake_bodies(const plan *p)
{
    outcome sum = {0};
    for (uint32_t tile = 0; tile < p->tiles; ++tile) {
        nav_bake_agent agents[BODIES];
        nav_arena scratch, result;
        nav_error err = {0};
        nav_arena_init(&scratch, NULL, 0);
        nav_arena_init_child(&result, &scratch);
        for (uint32_t i = 0; i < BODIES; ++i) {
            agents[i] = (nav_bake_agent){.config = nav_config_of_agent(&p->config, i),
                                         .grid = nav_grid_of_agent(&p->grid, &p->config, i)};
        }
        if (nav_bake_tile_agents(&p->geometry, agents, BODIES, &p->index, tile % p->grid.tiles_x,
                                 tile / p->grid.tiles_x, NULL, &scratch, &result, &err) != NAV_OK) {
            fprintf(stderr, "tile %u: %s\n", tile, err.detail);
            exit(1);
        }
        sum.peak_bytes = scratch.peak_bytes > sum.peak_bytes ? scratch.peak_bytes : sum.peak_bytes;
        nav_arena_free(&result);
        nav_arena_free(&scratch);
    }
    return sum;
}

typedef struct bodies_sum {
    double cost, apart, memory; // the dearest of all levels
} bodies_sum;

// How many times the bake of one body that of three takes; how much of three bakes of one; and its
// memory, as a part of that of one.
static void compare_bodies(const level *l, int rounds, FILE *csv, bodies_sum *sum)
{
    nav_config config = nav_config_default();
    config.tile_cells = l->tiled ? TILE_CELLS : 0;
    plan one[BODIES], all;
    double one_ms[BODIES], all_ms = HUGE_VAL, apart_ms = 0;
    size_t one_bytes = 0, all_bytes = 0;
    config.agents = AGENTS;
    config.agent_count = BODIES - 1;
    make_plan(l, &config, &all);
    const nav_grid widest = nav_grid_widest(&all.grid, &config);
    nav_arena_free(&all.arena);
    if (nav_bake_index(&all.geometry, &widest, NULL, &all.arena, &all.index, NULL) != NAV_OK) {
        exit(1);
    }
    for (uint32_t i = 0; i < BODIES; ++i) {
        const nav_config own = nav_config_of_agent(&config, i);
        make_plan(l, &own, &one[i]);
        one_ms[i] = HUGE_VAL;
    }
    for (int round = 0; round < rounds; ++round) {
        double begin = clock_ms(CLOCK_THREAD_CPUTIME_ID);
        all_bytes = bake_bodies(&all).peak_bytes;
        double end = clock_ms(CLOCK_THREAD_CPUTIME_ID);
        all_ms = fmin(all_ms, end - begin);
        for (uint32_t i = 0; i < BODIES; ++i) {
            begin = end;
            const outcome o = bake_ours(&one[i]);
            one_bytes = o.peak_bytes > one_bytes ? o.peak_bytes : one_bytes;
            end = clock_ms(CLOCK_THREAD_CPUTIME_ID);
            one_ms[i] = fmin(one_ms[i], end - begin);
        }
    }
    for (uint32_t i = 0; i < BODIES; ++i) {
        apart_ms += one_ms[i];
        nav_arena_free(&one[i].arena);
    }
    nav_arena_free(&all.arena);
    const double memory = (double)all_bytes / (double)one_bytes;
    printf("%-14s %9.2f %9.2f %9.2f %9.2f %7.2f %7.2f\n", l->name, one_ms[0], apart_ms, all_ms,
           all_ms / one_ms[0], all_ms / apart_ms, memory);
    fprintf(csv, "%s,agents,,%.3f,%.3f,%.3f,%zu,%zu\n", l->name, all_ms, one_ms[0],
            all_ms / one_ms[0], all_bytes, one_bytes);
    sum->cost = fmax(sum->cost, all_ms / one_ms[0]);
    sum->apart = fmax(sum->apart, all_ms / apart_ms);
    sum->memory = fmax(sum->memory, memory);
}

static bodies_sum compare_all_bodies(int rounds, FILE *csv)
{
    bodies_sum sum = {0};
    printf("\nthree agents, ms: of the first alone, of three bakes, of one bake of all; "
           "the last as a part of both; memory as a part of the most of one\n");
    for (uint32_t i = 0; i < level_count; ++i) {
        compare_bodies(&levels[i], rounds, csv, &sum);
    }
    return sum;
}

// ---- the table ----

static const char *const PARTITIONS[] = {[NAV_PARTITION_WATERSHED] = "watershed",
                                         [NAV_PARTITION_MONOTONE] = "monotone",
                                         [NAV_PARTITION_LAYERS] = "layers"};

// Figures that have goals. Ratios are times as fast as the peer, memory a part of its.
typedef struct summary {
    double log_sum, least, terrain, layers, memory;
    uint32_t count;
} summary;

static void add_row(summary *sum, const level *l, const nav_config *config, double ratio,
                    double memory)
{
    sum->log_sum += log(ratio);
    sum->count++;
    sum->least = fmin(sum->least, ratio);
    sum->memory = fmax(sum->memory, memory);
    if (config->detail && strncmp(l->name, "terrain", 7) == 0) {
        sum->terrain = fmin(sum->terrain, ratio);
    }
    if (config->partition == NAV_PARTITION_LAYERS && strcmp(l->name, "undulating") == 0) {
        sum->layers = fmin(sum->layers, ratio);
    }
}

static void compare_level(const level *l, int rounds, FILE *csv, summary *sum)
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
            add_row(sum, l, &config, ratio, memory);
            nav_arena_free(&p.arena);
        }
    }
}

// ---- where our time goes ----

static void print_stages(const level *l, int rounds)
{
    nav_config config = nav_config_default();
    config.tile_cells = l->tiled ? TILE_CELLS : 0;
    plan p;
    make_plan(l, &config, &p);
    stages least = {0};
    for (int round = 0; round < rounds; ++round) {
        stages s = {0};
        for (uint32_t tile = 0; tile < p.tiles; ++tile) {
            bake_ours_tile(&p, tile, &s);
        }
        for (int i = 0; i < NAV_STAGE_COUNT; ++i) {
            least.ms[i] = round == 0 ? s.ms[i] : fmin(least.ms[i], s.ms[i]);
            least.peak_bytes[i] = s.peak_bytes[i];
        }
    }
    printf("%-14s", l->name);
    for (int i = 0; i < NAV_STAGE_COUNT; ++i) {
        printf(" %9.2f", least.ms[i]);
    }
    printf("\n%-14s", "");
    for (int i = 0; i < NAV_STAGE_COUNT; ++i) {
        printf(" %9.2f", (double)least.peak_bytes[i] / 1e6);
    }
    printf("\n");
    nav_arena_free(&p.arena);
}

static void print_all_stages(int rounds)
{
    printf("\nwatershed, ms and MB held at most by stage:\n%-14s", "level");
    for (int i = 0; i < NAV_STAGE_COUNT; ++i) {
        printf(" %9s", nav_stage_word((nav_stage)i));
    }
    printf("\n");
    for (uint32_t i = 0; i < level_count; ++i) {
        print_stages(&levels[i], rounds);
    }
}

// ---- the goals ----

static void print_goal(const char *goal, double figure, double limit, bool at_most)
{
    if (!isfinite(figure)) {
        printf("not measured: %s, the level is not there\n", goal);
        return;
    }
    bool met = at_most ? figure <= limit : figure >= limit;
    printf("%s: %s %.2f, at %s %.2f\n", met ? "met" : "missed", goal, figure,
           at_most ? "most" : "least", limit);
}

static void print_goals(const summary *sum, double threads, const bodies_sum *bodies)
{
    printf("\n");
    print_goal("geometric mean", exp(sum->log_sum / sum->count), 2.0, false);
    print_goal("least of all rows", sum->least, 1.6, false);
    print_goal("terrain with detail", sum->terrain, 4, false);
    print_goal("layers on undulating", sum->layers, 10, false);
    print_goal("two threads", threads, 1.8, false);
    print_goal("memory", sum->memory, 0.7, true);
    print_goal("three agents against one", bodies->cost, 2.7, true);
    print_goal("memory of three agents against one", bodies->memory, 1.6, true);
}

int main(int argc, char **argv)
{
    int rounds = ROUNDS_MIN;
    bool quick = false, agents_only = false;
    const char *csv_path = "/dev/null";
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--quick") == 0) {
            quick = true;
        } else if (strcmp(argv[i], "--agents") == 0) {
            agents_only = true;
        } else if (strcmp(argv[i], "--rounds") == 0 && i + 1 < argc) {
            rounds = atoi(argv[++i]);
        } else if (strcmp(argv[i], "--csv") == 0 && i + 1 < argc) {
            csv_path = argv[++i];
        } else {
            fprintf(stderr, "bench_bake [--rounds N] [--csv FILE] [--quick] [--agents]\n");
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
    levels_add(quick);
    if (agents_only) {
        (void)compare_all_bodies(rounds, csv);
        fclose(csv);
        levels_remove();
        return 0;
    }
    summary sum = {.least = HUGE_VAL, .terrain = HUGE_VAL, .layers = HUGE_VAL};
    printf("%-14s %-9s %-6s %9s %9s %6s %8s %8s %7s\n", "level", "partition", "", "ours ms",
           "theirs", "ratio", "polygons", "theirs", "memory");
    for (uint32_t i = 0; i < level_count; ++i) {
        compare_level(&levels[i], levels[i].tiled && !quick ? ROUNDS_MIN : rounds, csv, &sum);
    }
    print_all_stages(ROUNDS_MIN);
    double threads = compare_threads(&levels[level_count - 1], ROUNDS_MIN, csv);
    const bodies_sum bodies = compare_all_bodies(ROUNDS_MIN, csv);
    print_goals(&sum, threads, &bodies);
    fclose(csv);
    levels_remove();
    return 0;
}
