// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// main.c: oracle_queries: our queries beside Detour's over the same polygons, one by one.
// Prints what became of them and lines "ok" / "not ok"; the exit code is 1 where a difference is
// neither ours being better nor proven to have one of the reasons in queries.h.

#include "queries.h"

#include "tests/oracle/corpus.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define QUERIES 20000u
#define TILE_CELLS 64u
#define SHOWN_MAX 5u

static const char *const KINDS[] = {
#define X(name, word) word,
    QUERY_KIND_TABLE(X)
#undef X
};
static const char *const VERDICTS[][2] = {
#define X(name, word, sentence) {word, sentence},
    VERDICT_TABLE(X)
#undef X
};

static uint32_t totals[QUERY_KIND_COUNT][VERDICT_COUNT];

void query_note(query_run *run, query_kind kind, verdict v, const char *format, ...)
{
    ++run->counts[kind][v];
    if (v == VERDICT_UNEXPLAINED && run->counts[kind][v] <= SHOWN_MAX) {
        va_list arguments;
        va_start(arguments, format);
        printf("# %s, %s%s: ", run->level, KINDS[kind], run->weighted ? ", filter" : "");
        vprintf(format, arguments);
        printf("\n");
        va_end(arguments);
    }
}

// All of the places are asked twice: at cost 1, and under a filter with costs and a closed area.
static void ask(query_run *run, bool weighted)
{
    run->weighted = weighted;
    run->filter = query_filter();
    run->options.filter = weighted ? &run->filter : NULL;
    query_filter_detour(run->world.theirs, weighted);
    static void (*const COMPARE[])(query_run *) = {query_compare_nearest, query_compare_ray,
                                                   query_compare_wall, query_compare_move,
                                                   query_compare_paths};
    for (size_t k = 0; k < sizeof COMPARE / sizeof *COMPARE; ++k) {
        for (uint32_t i = 0; i < (weighted ? QUERIES / 2 : QUERIES); ++i) {
            COMPARE[k](run);
        }
    }
}

static void expect(bool holds, const char *level, const char *what, double value)
{
    printf("%s %s: %s %.5g\n", holds ? "ok" : "not ok", level, what, value);
    corpus_failures += !holds;
}

static void report(const query_run *run)
{
    uint32_t unexplained = 0;
    uint32_t asked_least = NAV_NONE;
    for (int kind = 0; kind < QUERY_KIND_COUNT; ++kind) {
        uint32_t asked = 0;
        for (int v = 0; v < VERDICT_COUNT; ++v) {
            totals[kind][v] += run->counts[kind][v];
            asked += run->counts[kind][v];
        }
        asked_least = asked < asked_least ? asked : asked_least;
        printf("%-18s %7u %-12s", run->level, run->world.polygons, KINDS[kind]);
        for (int v = 0; v < VERDICT_COUNT; ++v) {
            printf(" %9u", run->counts[kind][v]);
        }
        printf("\n");
        unexplained += run->counts[kind][VERDICT_UNEXPLAINED];
    }
    expect(asked_least >= QUERIES, run->level, "queries of each kind, at least", asked_least);
    expect(unexplained == 0, run->level, "differences without a reason", unexplained);
    expect(run->our_cost <= run->their_cost, run->level, "cost of fast paths in sum, of theirs",
           run->our_cost / run->their_cost);
}

static void print_heads(const char *first)
{
    printf("%s", first);
    for (int v = 0; v < VERDICT_COUNT; ++v) {
        printf(" %9s", VERDICTS[v][0]);
    }
    printf("\n");
}

static void print_totals(void)
{
    printf("\n%-83s", "all levels");
    for (int kind = 0; kind < QUERY_KIND_COUNT; ++kind) {
        printf(" %11s", KINDS[kind]);
    }
    printf("\n");
    for (int v = 0; v < VERDICT_COUNT; ++v) {
        printf("%-9s %-73s", VERDICTS[v][0], VERDICTS[v][1]);
        for (int kind = 0; kind < QUERY_KIND_COUNT; ++kind) {
            printf(" %11u", totals[kind][v]);
        }
        printf("\n");
    }
}

static void compare_world(const char *level, const nav_geometry *geometry, uint32_t tile_cells)
{
    query_run run = {.level = level, .options = nav_options_default(), .random = 42};
    query_world_make_tiled(&run.world, level, geometry, tile_cells, 0);
    NAV_ASSERT(nav_scratch_create(NULL, &run.scratch) == NAV_OK);
    nav_mesh_stats stats;
    nav_mesh_stats_get(run.world.ours, &stats);
    const float far = fmaxf(fmaxf(fabsf(stats.min[0]), fabsf(stats.min[2])),
                            fmaxf(fabsf(stats.max[0]), fabsf(stats.max[2])));
    run.step = (double)(nextafterf(far, HUGE_VALF) - far);
    run.same = fmax(QUERY_SAME, QUERY_SAME_STEPS * run.step);
    ask(&run, false);
    ask(&run, true);
    report(&run);
    nav_scratch_destroy(run.scratch);
    query_world_free(&run.world);
}

static void compare_level(const char *level, const nav_geometry *geometry)
{
    char name[96];
    compare_world(level, geometry, 0);
    snprintf(name, sizeof name, "%s/%u", level, TILE_CELLS);
    compare_world(name, geometry, TILE_CELLS);
}

// --short: of all levels the town, for a run that somebody waits for.
int main(int argc, char **argv)
{
    const bool is_short = argc == 2 && strcmp(argv[1], "--short") == 0;
    if (argc > 1 && !is_short) {
        fprintf(stderr, "usage: oracle_queries [--short]\n");
        return 2;
    }
    char heads[64];
    snprintf(heads, sizeof heads, "%-18s %7s %-12s", "level", "polygons", "");
    print_heads(heads);
    corpus_generated(LEVEL_TOWN, 3, 1, compare_level);
    if (!is_short) {
        corpus_generated(LEVEL_DUNGEON, 3, 1, compare_level);
        corpus_generated(LEVEL_TERRAIN, 64, 1, compare_level);
        corpus_generated(LEVEL_CITY, 3, 1, compare_level);
        corpus_files(compare_level);
    }
    print_totals();
    return corpus_failures == 0 ? 0 : 1;
}
