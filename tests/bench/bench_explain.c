// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bench_explain.c: what it takes to explain a place beside the bake of its tile, turn by turn. A
// place is to take at most twice as long.
//
//   bench_explain [ROUNDS]
//
// Times are CPU times of this one thread; the least of all rounds counts.

#include "proto/base/status.h"
#include "tests/levels/levels.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define RATIO_MAX 2.0
#define ROUNDS 9

typedef struct row {
    level_kind kind;
    uint32_t size, tile_cells;
} row;

static const row ROWS[] = {
    {LEVEL_TOWN, 3, 0},  {LEVEL_DUNGEON, 3, 0}, {LEVEL_TERRAIN, 64, 0},
    {LEVEL_TOWN, 3, 64}, {LEVEL_CITY, 8, 128},  {LEVEL_CITY, 22, 64},
};

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void must(nav_status status, const nav_error *err)
{
    if (status != NAV_OK) {
        fprintf(stderr, "%s: %s\n", proto_status_word(status), err->detail);
        exit(1);
    }
}

typedef struct bench {
    nav_geometry geometry;
    nav_config config;
    nav_grid grid;
    nav_tile_index index;
    nav_plan_place place;
    uint32_t tile_x, tile_z;
    nav_arena scratch, result;
    nav_error err;
} bench;

static double bake_ms(bench *b)
{
    nav_blob blob;
    const nav_arena_mark mark = nav_arena_save(&b->result);
    const double begin = now_ms();
    must(nav_bake_tile(&b->geometry, &b->config, &b->grid, &b->index, b->tile_x, b->tile_z, NULL,
                       &b->scratch, &b->result, &blob, NULL, &b->err),
         &b->err);
    const double took = now_ms() - begin;
    nav_arena_restore(&b->result, mark);
    return took;
}

static double explain_ms(bench *b)
{
    nav_column_facts column;
    nav_tile_facts tile;
    const nav_arena_mark mark = nav_arena_save(&b->result);
    const double begin = now_ms();
    must(nav_tile_explain(&b->geometry, &b->config, &b->grid, &b->index, b->tile_x, b->tile_z,
                          &b->place, 1, NULL, &b->scratch, &b->result, &column, &tile, NULL,
                          &b->err),
         &b->err);
    const double took = now_ms() - begin;
    nav_arena_restore(&b->result, mark);
    return took;
}

static bool run(const row *r, uint32_t rounds)
{
    level_mesh level;
    bench b = {.config = nav_config_default()};
    double bake = 1e9, explain = 1e9;
    if (!levels_generate(r->kind, r->size, 1, &level)) {
        fputs("no level\n", stderr);
        exit(1);
    }
    b.geometry = levels_geometry(&level);
    b.config.tile_cells = r->tile_cells;
    nav_arena_init(&b.scratch, NULL, 0);
    nav_arena_init(&b.result, NULL, 0);
    must(nav_bake_plan(&b.geometry, &b.config, 0, &b.grid, &b.err), &b.err);
    must(nav_bake_index(&b.geometry, &b.grid, NULL, &b.result, &b.index, &b.err), &b.err);
    b.place = (nav_plan_place){b.grid.min[0] + 0.4f * (b.grid.max[0] - b.grid.min[0]),
                               b.grid.min[2] + 0.4f * (b.grid.max[2] - b.grid.min[2])};
    NAV_ASSERT(nav_grid_find_tile(&b.grid, b.place, &b.tile_x, &b.tile_z));
    for (uint32_t i = 0; i < rounds; ++i) {
        const double baked = bake_ms(&b), explained = explain_ms(&b);
        bake = baked < bake ? baked : bake;
        explain = explained < explain ? explained : explain;
    }
    const double ratio = explain / bake;
    printf("%-8s %4u  %9u  %5u  %9.2f  %9.2f  %5.2f%s\n", levels_kind_word(r->kind), r->size,
           b.geometry.triangle_count, r->tile_cells, bake, explain, ratio,
           ratio > RATIO_MAX ? "  missed" : "");
    nav_arena_free(&b.scratch);
    nav_arena_free(&b.result);
    levels_free(&level);
    return ratio <= RATIO_MAX;
}

int main(int argc, char **argv)
{
    const long asked = argc > 1 ? strtol(argv[1], NULL, 10) : ROUNDS;
    bool met = true;
    printf("level    size  triangles  cells   bake, ms  place, ms  times\n");
    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; ++i) {
        met &= run(&ROWS[i], asked > 0 ? (uint32_t)asked : ROUNDS);
    }
    return met ? 0 : 1;
}
