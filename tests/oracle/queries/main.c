// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// main.c: oracle_queries: our queries beside Detour's over the same polygons, one by one. Prints
// what became of them and lines "ok" / "not ok"; the exit code is 1 where a difference is neither
// ours being better nor proven to have one of the reasons in queries.h.

#include "queries.h"

#include "tests/oracle/corpus.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define QUERIES 20000u
#define TILE_CELLS 64u
#define SHOWN_MAX 5u

static const char *const KINDS[] = {
#define X(name, word) word,
    QUERY_KIND_TABLE(X)
#undef X
};
static const char *const VERDICTS[] = {
#define X(name, word) word,
    VERDICT_TABLE(X)
#undef X
};

static uint32_t totals[QUERY_KIND_COUNT][VERDICT_COUNT];

void query_note(query_asker *a, query_kind kind, verdict v, const char *format, ...)
{
    ++a->counts[kind][v];
    if (v == VERDICT_UNEXPLAINED && a->counts[kind][v] <= SHOWN_MAX) {
        va_list arguments;
        va_start(arguments, format);
        printf("# %s, %s%s: ", a->level, KINDS[kind], a->weighted ? ", filter" : "");
        vprintf(format, arguments);
        printf("\n");
        va_end(arguments);
    }
}

// All of the places are asked twice: at cost 1, and under a filter with costs and a closed area.
static void ask(query_asker *a, bool weighted)
{
    a->weighted = weighted;
    a->filter = query_filter();
    a->options.filter = weighted ? &a->filter : NULL;
    query_filter_detour(a->world.theirs, weighted);
    static void (*const COMPARE[])(query_asker *) = {query_compare_nearest, query_compare_ray,
                                                     query_compare_wall, query_compare_move,
                                                     query_compare_paths};
    for (size_t k = 0; k < sizeof COMPARE / sizeof *COMPARE; ++k) {
        const clock_t begin = clock();
        for (uint32_t i = 0; i < QUERIES / 2; ++i) {
            COMPARE[k](a);
        }
        if (getenv("QTIME"))
            printf("# %zu %.2f s\n", k, (double)(clock() - begin) / CLOCKS_PER_SEC);
    }
}

static void report(const query_asker *a)
{
    uint32_t unexplained = 0;
    for (int kind = 0; kind < QUERY_KIND_COUNT; ++kind) {
        for (int v = 0; v < VERDICT_COUNT; ++v) {
            totals[kind][v] += a->counts[kind][v];
        }
        printf("%-18s %7u %-12s", a->level, a->world.polygons, KINDS[kind]);
        for (int v = 0; v < VERDICT_COUNT; ++v) {
            printf(" %7u", a->counts[kind][v]);
        }
        printf("\n");
        unexplained += a->counts[kind][VERDICT_UNEXPLAINED];
    }
    printf("%s %s: %u differences without a reason\n", unexplained == 0 ? "ok" : "not ok", a->level,
           unexplained);
    const bool shorter = a->our_cost <= a->their_cost;
    printf("%s %s: fast paths cost %.5f of theirs in sum\n", shorter ? "ok" : "not ok", a->level,
           a->our_cost / a->their_cost);
    corpus_failures += (unexplained > 0) + !shorter;
}

static void compare_world(const char *level, const nav_geometry *geometry, uint32_t tile_cells)
{
    query_asker a = {.level = level, .options = nav_options_default(), .random = 42};
    clock_t begin = clock();
    query_world_make_tiled(&a.world, level, geometry, tile_cells, 0);
    if (getenv("QTIME"))
        printf("# bake %.2f s\n", (double)(clock() - begin) / CLOCKS_PER_SEC);
    NAV_ASSERT(nav_scratch_create(NULL, &a.scratch) == NAV_OK);
    nav_mesh_stats stats;
    nav_mesh_stats_get(a.world.ours, &stats);
    a.world.polygons = stats.polygons;
    ask(&a, false);
    ask(&a, true);
    report(&a);
    nav_scratch_destroy(a.scratch);
    query_world_free(&a.world);
}

static void compare_level(const char *level, const nav_geometry *geometry)
{
    char name[96];
    const char *only = getenv("QONLY");
    if (only && !strstr(level, only))
        return;
    compare_world(level, geometry, 0);
    snprintf(name, sizeof name, "%s/%u", level, TILE_CELLS);
    compare_world(name, geometry, TILE_CELLS);
}

int main(void)
{
    corpus_files(compare_level);
    corpus_generated(LEVEL_TOWN, 3, 1, compare_level);
    corpus_generated(LEVEL_DUNGEON, 3, 1, compare_level);
    corpus_generated(LEVEL_TERRAIN, 64, 1, compare_level);
    corpus_generated(LEVEL_CITY, 3, 1, compare_level);
    for (int v = 0; v < VERDICT_COUNT; ++v) {
        printf("%-80s", VERDICTS[v]);
        for (int kind = 0; kind < QUERY_KIND_COUNT; ++kind) {
            printf(" %7u", totals[kind][v]);
        }
        printf("\n");
    }
    return corpus_failures == 0 ? 0 : 1;
}
