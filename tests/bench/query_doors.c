// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// query_doors.c: see query_doors.h. The landmarks of the one mesh know of ground behind the door,
// those of the other do not: the question is how far they lead a search astray.

#include "query_doors.h"

#include "tests/bench/figures.h"
#include "tests/oracle/corpus.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PLACES 5
#define HALF_WIDTH 2.5f // of the door, along x and z
#define HALF_HEIGHT 1.5f
#define TIMES_MAX 2.0
#define DOOR_AREA 2
#define FLAG_DOOR 2u

typedef struct door {
    nav_mesh *closed; // with the door's ground, which the filter closes
    nav_mesh *gone;   // baked without
    nav_scratch *scratch;
    const float (*ends)[2][3];
    uint32_t pair_count;
} door;

typedef struct sums {
    double closed_ns, gone_ns, closed_cost, gone_cost;
    uint64_t closed_nodes, gone_nodes;
    uint32_t count;
} sums;

// ---- levels ----

static nav_mesh *bake(const nav_geometry *geometry, const float *at, bool gone)
{
    static const nav_name flags[] = {"walk", "door"};
    const nav_area areas[] = {{.name = "none", .cost = 1.0f},
                              {.name = "ground", .cost = 1.0f, .flags = 1},
                              {.name = "door", .cost = 1.0f, .flags = FLAG_DOOR}};
    nav_volume volume = {.shape = NAV_VOLUME_BOX, .area = gone ? NAV_AREA_NONE : DOOR_AREA};
    nav_config config = nav_config_default();
    nav_error err = {0};
    config.flag_names = flags;
    config.flag_count = 2;
    config.areas = areas;
    config.area_count = 3;
    config.volumes = &volume;
    config.volume_count = at != NULL ? 1 : 0;
    for (int axis = 0; axis < 3 && at != NULL; ++axis) {
        const float half = axis == 1 ? HALF_HEIGHT : HALF_WIDTH;
        volume.min[axis] = at[axis] - half;
        volume.max[axis] = at[axis] + half;
    }
    nav_mesh *mesh = corpus_bake(geometry, &config, &err);
    NAV_ASSERT(mesh != NULL && corpus_add_landmarks(mesh, &err));
    return mesh;
}

// ---- paths ----

static nav_path ask(const nav_mesh *mesh, nav_scratch *scratch, const float ends[2][3],
                    nav_search search, const nav_filter *filter)
{
    nav_path_request request = {.options = nav_options_default(), .search = search};
    nav_path path;
    request.options.filter = filter;
    memcpy(request.start, ends[0], sizeof request.start);
    memcpy(request.end, ends[1], sizeof request.end);
    const nav_status status = nav_query_path(mesh, scratch, &request, &path);
    NAV_ASSERT(status == NAV_OK);
    return path;
}

static nav_path ask_timed(const nav_mesh *mesh, nav_scratch *scratch, const float ends[2][3],
                          nav_search search, const nav_filter *filter, int rounds, double *ns)
{
    nav_path path = {.status = NAV_PATH_NONE};
    *ns = HUGE_VAL;
    for (int round = 0; round < rounds; ++round) {
        const double begin = figures_now_ns();
        path = ask(mesh, scratch, ends, search, filter);
        *ns = fmin(*ns, figures_now_ns() - begin);
    }
    return path;
}

// Pairs that have a way on both meshes count.
static sums ask_all(const door *d, nav_search search, int rounds)
{
    const nav_filter filter = {.exclude = FLAG_DOOR};
    sums sum = {.count = 0};
    for (uint32_t i = 0; i < d->pair_count; ++i) {
        double closed_ns, gone_ns;
        const nav_path closed =
            ask_timed(d->closed, d->scratch, d->ends[i], search, &filter, rounds, &closed_ns);
        const nav_path gone =
            ask_timed(d->gone, d->scratch, d->ends[i], search, NULL, rounds, &gone_ns);
        if (closed.status == NAV_PATH_COMPLETE && gone.status == NAV_PATH_COMPLETE) {
            sum.closed_ns += closed_ns;
            sum.gone_ns += gone_ns;
            sum.closed_cost += closed.cost;
            sum.gone_cost += gone.cost;
            sum.closed_nodes += closed.nodes_expanded;
            sum.gone_nodes += gone.nodes_expanded;
            ++sum.count;
        }
    }
    return sum;
}

// ---- exported ----

static void random_ends(const nav_mesh *mesh, uint32_t count, float (*out)[2][3])
{
    nav_mesh_stats stats;
    uint64_t state = 7;
    nav_mesh_stats_get(mesh, &stats);
    for (uint32_t i = 0; i < 2 * count; ++i) {
        const nav_polygon p = corpus_random_point(mesh, stats.polygons, &state, out[i / 2][i % 2]);
        corpus_put_on_ground(mesh, p.component, out[i / 2][i % 2]);
    }
}

// Doors stand where paths lead: at the middle points of the first that have some.
static uint32_t find_places(const nav_mesh *open, nav_scratch *scratch, const float (*ends)[2][3],
                            uint32_t count, float out[PLACES][3])
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count && found < PLACES; ++i) {
        const nav_path path = ask(open, scratch, ends[i], NAV_SEARCH_AUTO, NULL);
        if (path.status == NAV_PATH_COMPLETE && path.point_count > 4) {
            memcpy(out[found++], path.points + 3 * (path.point_count / 2), sizeof *out);
        }
    }
    return found;
}

uint32_t query_doors_bench(const char *name, const nav_geometry *geometry, uint32_t pair_count,
                           int rounds, FILE *csv)
{
    static const char *const words[] = {"auto", "fast"};
    static const nav_search searches[] = {NAV_SEARCH_AUTO, NAV_SEARCH_FAST};
    float places[PLACES][3], (*ends)[2][3] = malloc((pair_count + 1) * sizeof *ends);
    double closed_ns[2] = {0}, gone_ns[2] = {0};
    door d = {.ends = (const float(*)[2][3])ends, .pair_count = pair_count};
    nav_mesh *open = bake(geometry, NULL, false);
    NAV_ASSERT(ends != NULL && nav_scratch_create(NULL, &d.scratch) == NAV_OK);
    random_ends(open, pair_count, ends);
    const uint32_t count = find_places(open, d.scratch, d.ends, pair_count, places);
    for (uint32_t k = 0; k < count; ++k) {
        d.closed = bake(geometry, places[k], false);
        d.gone = bake(geometry, places[k], true);
        for (int i = 0; i < 2; ++i) {
            const sums sum = ask_all(&d, searches[i], rounds);
            printf("%-14s door %u, %s: %4u paths, %.2f us beside %.2f (%.2f times), %.1f nodes "
                   "beside %.1f, cost %.4f\n",
                   name, k, words[i], sum.count, sum.closed_ns / sum.count / 1e3,
                   sum.gone_ns / sum.count / 1e3, sum.closed_ns / sum.gone_ns,
                   (double)sum.closed_nodes / sum.count, (double)sum.gone_nodes / sum.count,
                   sum.closed_cost / sum.gone_cost);
            fprintf(csv, "%s,,door %u %s,%u,%.3f,%.3f,,,%.6f\n", name, k, words[i], sum.count,
                    sum.closed_ns / sum.count / 1e3, sum.gone_ns / sum.count / 1e3,
                    sum.closed_cost / sum.gone_cost);
            closed_ns[i] += sum.closed_ns;
            gone_ns[i] += sum.gone_ns;
        }
        nav_mesh_release(d.closed);
        nav_mesh_release(d.gone);
    }
    uint32_t broken = 0;
    for (int i = 0; i < 2; ++i) {
        const double times = closed_ns[i] / gone_ns[i];
        printf("%s %s: a closed door, %s, times the mesh baked without it %.3f (goal %.3f)\n",
               times <= TIMES_MAX ? "ok    " : "not ok", name, words[i], times, TIMES_MAX);
        broken += !(times <= TIMES_MAX);
    }
    nav_scratch_destroy(d.scratch);
    nav_mesh_release(open);
    free(ends);
    return broken;
}
