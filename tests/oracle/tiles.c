// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// tiles.c: bakes each level as one tile and in tiles of several sizes, asks both for the same
// paths, and compares: a level's division into tiles must not show.
//
// Results are lines "ok" and "not ok" and a sentence. The table gives, over the pairs that are
// complete on both sides and longer than 10 units, by how much the lengths in plan view differ.
// Both are proven shortest, so that every difference is the mesh's own. The one cause that is left
// is that outlines are simplified tile by tile: a corner may lie as far off as edge_max_error
// allows on either side. Only within that may a length differ by more than 2 percent; the table
// counts such pairs.

#include "core/nav.h"
#include "corpus.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAIRS 2500
// Both sides take a place below or above the point: on slopes where height detail differs, ground a
// metre off sideways could be nearer in space.
#define SNAP ((nav_snap){.horizontal = 0.6f, .up = 4.0f, .down = 4.0f})
#define LENGTH_MIN 10.0

// Bounds that hold on every level.
#define MEAN_DIFFERENCE_MAX 0.003
#define DIFFERENCE_MAX 0.02
// Walls that a border cuts are shorter and follow the cells more closely: one tile of `dungeon.obj`
// covers 1.1 % more than its cells, tiles of 32 cover 0.5 % more.
#define AREA_DIFFERENCE_MAX 0.007

static void expect(bool holds, const char *level, uint32_t cells, const char *what, double value,
                   double limit)
{
    printf("%s %s, tiles of %u: %s (%.4f, limit %.4f)\n", holds ? "ok" : "not ok", level, cells,
           what, value, limit);
    corpus_failures += !holds;
}

// ---- baking ----

static nav_mesh *bake(const nav_geometry *geometry, uint32_t tile_cells, nav_error *err)
{
    nav_config config = nav_config_default();
    config.tile_cells = tile_cells;
    return corpus_bake(geometry, &config, err);
}

// ---- comparing ----

static void random_point(const nav_mesh *mesh, uint32_t polygons, uint64_t *state, float out[3])
{
    (void)corpus_random_point(mesh, polygons, state, out);
    corpus_put_on_ground(mesh, NAV_NONE, out);
}

typedef struct differences {
    double of[PAIRS]; // shares of the length over one tile, positive where many tiles are longer
    uint32_t count;
    uint32_t other_verdict;
    uint32_t unproven;     // that are not said to be the shortest
    uint32_t over, beyond; // DIFFERENCE_MAX; of these, what simplified outlines explain
    double sum_one, sum_many;
} differences;

static void compare_pair(const nav_mesh *one, const nav_mesh *many, nav_scratch *scratch,
                         const nav_path_request *request, differences *d)
{
    nav_path path = {0}, other = {0};
    bool answered = nav_query_path(one, scratch, request, &path) == NAV_OK &&
                    nav_query_path(many, scratch, request, &other) == NAV_OK;
    if (!answered || path.status != other.status) {
        ++d->other_verdict;
        return;
    }
    if (path.status == NAV_PATH_COMPLETE && path.cost > LENGTH_MIN) {
        const nav_config config = nav_config_default();
        const double corner_moves = (double)config.edge_max_error * (double)config.cell_size;
        const double difference = other.cost / path.cost - 1;
        const bool over = fabs(difference) > DIFFERENCE_MAX;
        d->over += over;
        d->beyond += over && fabs(other.cost - path.cost) > corner_moves;
        d->unproven += !path.optimal || !other.optimal;
        d->of[d->count++] = difference;
        d->sum_one += path.cost;
        d->sum_many += other.cost;
    }
}

static int by_size(const void *a, const void *b)
{
    double x = fabs(*(const double *)a), y = fabs(*(const double *)b);
    return (x > y) - (x < y);
}

// The size that a share of the sorted differences does not exceed.
static double quantile(const double *sorted, uint32_t count, double share)
{
    return count > 0 ? fabs(sorted[(uint32_t)((double)(count - 1) * share)]) : 0;
}

static void judge(const char *level, uint32_t cells, differences *d, double area_difference)
{
    uint32_t n = d->count;
    qsort(d->of, n, sizeof *d->of, by_size);
    double mean = n > 0 ? d->sum_many / d->sum_one - 1 : 0;
    printf("%-16s %5u %6u %8u %8.4f %8.4f %8.4f %8u %8.4f\n", level, cells, n, d->other_verdict,
           mean, quantile(d->of, n, 0.99), quantile(d->of, n, 1), d->over, area_difference);
    expect(n > PAIRS / 100, level, cells, "pairs that can be compared", n, PAIRS / 100);
    expect(d->other_verdict == 0, level, cells, "pairs with another verdict", d->other_verdict, 0);
    expect(fabs(mean) <= MEAN_DIFFERENCE_MAX, level, cells, "mean length differs by this share",
           mean, MEAN_DIFFERENCE_MAX);
    expect(d->beyond == 0, level, cells, "lengths that differ by more than corners can move",
           d->beyond, 0);
    expect(d->unproven == 0, level, cells, "paths that are not proven shortest", d->unproven, 0);
    expect(fabs(area_difference) <= AREA_DIFFERENCE_MAX, level, cells,
           "walkable area differs by this share", area_difference, AREA_DIFFERENCE_MAX);
}

static void compare_meshes(const char *level, uint32_t cells, const nav_mesh *one,
                           const nav_mesh *many, nav_scratch *scratch)
{
    static differences d;
    d = (differences){0};
    nav_mesh_stats stats, other;
    nav_mesh_stats_get(one, &stats);
    nav_mesh_stats_get(many, &other);
    uint64_t state = 42;
    for (int pair = 0; pair < PAIRS; ++pair) {
        nav_path_request request = {.options = nav_options_default(), .search = NAV_SEARCH_EXACT};
        request.options.snap = SNAP;
        random_point(one, stats.polygons, &state, request.start);
        random_point(one, stats.polygons, &state, request.end);
        compare_pair(one, many, scratch, &request, &d);
    }
    judge(level, cells, &d, other.walkable_area / stats.walkable_area - 1);
}

static void compare_level(const char *level, const nav_geometry *geometry)
{
    static const uint32_t sizes[] = {32, 64, 128};
    nav_error err = {0};
    nav_scratch *scratch = NULL;
    nav_mesh *one = bake(geometry, 0, &err);
    nav_status status = nav_scratch_create(NULL, &scratch);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        nav_mesh *many = one != NULL ? bake(geometry, sizes[i], &err) : NULL;
        if (many == NULL || status != NAV_OK) {
            printf("not ok %s, tiles of %u: no mesh: %s\n", level, sizes[i], err.detail);
            ++corpus_failures;
        } else {
            compare_meshes(level, sizes[i], one, many, scratch);
        }
        nav_mesh_release(many);
    }
    nav_scratch_destroy(scratch);
    nav_mesh_release(one);
}

int main(void)
{
    printf("%-16s %5s %6s %8s %8s %8s %8s %8s %8s\n", "level", "cells", "pairs", "verdicts", "mean",
           "p99", "most", "over 2 %", "area");
    corpus_each(compare_level);
    return corpus_failures == 0 ? 0 : 1;
}
