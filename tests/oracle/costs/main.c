// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// main.c: paths over ground of several costs held against the cheapest walks (cheapest.c), on ten
// levels and more: areas with costs by volumes, and shapes with costs. `fast` is shown beside it.
// Results are lines "ok" and "not ok" and a sentence.
//
//   oracle_costs [--worlds N] [--only LEVEL] [--show PART]
//
// --worlds: of each kind on each level. --show: prints each path that is dearer by more than PART.

#include "costs.h"
#include "tests/oracle/corpus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARENA_LIMIT_BYTES ((size_t)2 << 30)
#define STARTS 4
#define GOALS 12
#define PATHS_MAX 200000
#define POINTS_MAX 4096
#define LEVELS_MAX 32
#define AREAS 6
#define VOLUMES_MAX 60
// What is to hold.
#define MEAN_MAX 0.005
#define P99_MAX 0.03
#define WORST_MAX 0.15
// A path's points are floats: shorter ones have relatively more rounding.
#define SHORT 0.5
// The part of its cost by which moving a point may make a path cheaper.
#define SLACK_PART 1e-3
#define SLACK 2e-3
// Paths of which a point may be moved nevertheless.
#define SLACK_SHARE_MAX 0.0005

enum {
    FAST,
    AUTO,
    SEARCHES
};
static const nav_search SEARCH[SEARCHES] = {NAV_SEARCH_FAST, NAV_SEARCH_AUTO};
static const char *const WORDS[SEARCHES] = {"fast", "auto"};

typedef struct figures {
    double *dearer; // of each path, as a part
    uint32_t count, slack, wrong_bounds, wrong_proofs, proven;
    uint32_t beaten; // by `fast`
} figures;

static struct {
    int worlds;
    const char *only;
    double show;
    figures level[SEARCHES], all[SEARCHES];
    uint64_t random;
} run = {.worlds = 6, .show = 1e9, .random = 4711};

// Costs of areas 2 to 5: dear ground, cheap ground, very dear ground.
static const float PRICES[][4] = {
    {1.5f, 2.0f, 4.0f, 2.0f},  {2.0f, 2.0f, 2.0f, 2.0f}, {0.5f, 2.0f, 0.7f, 3.0f},
    {10.0f, 3.0f, 1.2f, 4.0f}, {1.1f, 1.3f, 1.7f, 0.8f},
};

typedef struct world {
    const char *level;
    int kind; // 0: areas, 1: shapes
    int number;
    nav_mesh *mesh;
    nav_scratch *scratch;
    nav_avoid shapes[COSTS_SHAPES_MAX];
    uint32_t shape_count;
    nav_arena outline_memory;
    nav_outline outlines[COSTS_SHAPES_MAX];
    priced_ground ground;
    cheapest *cheapest;
} world;

static float fraction(void)
{
    return corpus_random_fraction(&run.random);
}

static uint32_t dice(uint32_t sides)
{
    return (uint32_t)(corpus_random(&run.random) >> 32) % sides;
}

// ---- worlds ----

static void random_box(const float min[3], const float max[3], float far, float out_min[2],
                       float out_max[2])
{
    for (int axis = 0; axis < 2; ++axis) {
        const float low = min[2 * axis], high = max[2 * axis];
        const float middle = low + (high - low) * fraction();
        const float half = fminf(high - low, far) * (0.03f + 0.4f * fraction());
        out_min[axis] = middle - half;
        out_max[axis] = middle + half;
    }
}

static void bounds_of(const nav_geometry *geometry, float min[3], float max[3])
{
    for (int axis = 0; axis < 3; ++axis) {
        min[axis] = INFINITY;
        max[axis] = -INFINITY;
        for (size_t i = 0; i < geometry->vertex_count; ++i) {
            min[axis] = fminf(min[axis], geometry->vertices[3 * i + (size_t)axis]);
            max[axis] = fmaxf(max[axis], geometry->vertices[3 * i + (size_t)axis]);
        }
    }
}

static bool add_landmarks(nav_mesh *mesh)
{
    nav_arena scratch, result;
    nav_blob blob;
    nav_error err = {0};
    nav_arena_init(&scratch, NULL, ARENA_LIMIT_BYTES);
    nav_arena_init(&result, NULL, ARENA_LIMIT_BYTES);
    const bool made = nav_landmarks_make(mesh, NULL, &scratch, &result, &blob) == NAV_OK &&
                      nav_mesh_add_landmarks(mesh, blob, &err) == NAV_OK;
    nav_arena_free(&scratch);
    nav_arena_free(&result);
    return made;
}

static nav_mesh *bake(const nav_geometry *geometry, bool areas, bool flat)
{
    static nav_area list[AREAS];
    static nav_volume volumes[VOLUMES_MAX];
    nav_config config = nav_config_default();
    nav_error err = {0};
    float min[3], max[3];
    bounds_of(geometry, min, max);
    const float *prices = PRICES[dice(sizeof PRICES / sizeof PRICES[0])];
    for (uint32_t i = 0; i < AREAS; ++i) {
        snprintf(list[i].name, sizeof list[i].name, "area-%u", i);
        list[i].cost = i < 2 ? 1.0f : prices[i - 2];
    }
    config.areas = list;
    config.area_count = AREAS;
    config.tile_cells = dice(3) == 0 ? 64 : 0;
    if (flat) {
        config.cell_size = 0.5f;
        config.agent_radius = 0.0f;
    }
    config.volume_count = areas ? 1 + dice(flat ? 5 : VOLUMES_MAX) : 0;
    for (uint32_t i = 0; i < config.volume_count; ++i) {
        float box_min[2], box_max[2];
        random_box(min, max, 30.0f, box_min, box_max);
        volumes[i] = (nav_volume){.shape = NAV_VOLUME_BOX,
                                  .area = (uint8_t)(2 + dice(AREAS - 2)),
                                  .min = {box_min[0], min[1] - 1.0f, box_min[1]},
                                  .max = {box_max[0], max[1] + 1.0f, box_max[1]}};
    }
    config.volumes = volumes;
    nav_mesh *mesh = corpus_bake(geometry, &config, &err);
    if (mesh == NULL || !add_landmarks(mesh)) {
        printf("not ok a world cannot be baked: %s\n", err.detail);
        ++corpus_failures;
        nav_mesh_release(mesh);
        return NULL;
    }
    return mesh;
}

static void lay_shapes(world *w)
{
    static float corners[COSTS_SHAPES_MAX][3][2];
    nav_mesh_stats stats;
    nav_mesh_stats_get(w->mesh, &stats);
    const float *prices = PRICES[dice(sizeof PRICES / sizeof PRICES[0])];
    w->shape_count = w->kind == 0 ? 0 : 1 + dice(COSTS_SHAPES_MAX);
    for (uint32_t i = 0; i < w->shape_count; ++i) {
        nav_avoid *shape = &w->shapes[i];
        *shape = (nav_avoid){.shape = NAV_AVOID_BOX,
                             .cost = prices[dice(4)],
                             .bottom = stats.min[1] - 10.0f,
                             .top = stats.max[1] + 10.0f};
        random_box(stats.min, stats.max, 40.0f, shape->min, shape->max);
        if (dice(3) == 0) {
            shape->shape = NAV_AVOID_CONVEX;
            const float width = shape->max[0] - shape->min[0],
                        depth = shape->max[1] - shape->min[1];
            const float tip[3][2] = {{shape->min[0], shape->min[1] + depth * fraction()},
                                     {shape->max[0], shape->min[1] + depth * 0.2f * fraction()},
                                     {shape->min[0] + width * fraction(), shape->max[1] + 0.5f}};
            memcpy(corners[i], tip, sizeof tip);
            shape->points = (const float(*)[2])corners[i];
            shape->point_count = 3;
        }
    }
    nav_overlay_budget budget = {
        .kept = &w->outline_memory, .arena = &w->outline_memory, .work = NAV_AVOID_WORK_MAX};
    for (uint32_t i = 0; i < w->shape_count; ++i) {
        const bool made = nav_outline_create(&w->shapes[i], 0.0, &budget, &w->outlines[i]);
        NAV_ASSERT(made);
    }
}

static nav_options options_of(world *w)
{
    nav_options options = nav_options_default();
    options.avoid = w->shapes;
    options.avoid_count = w->shape_count;
    return options;
}

static bool world_begin(world *w, const nav_geometry *geometry, bool flat)
{
    w->mesh = bake(geometry, w->kind == 0, flat);
    if (w->mesh == NULL) {
        return false;
    }
    nav_arena_init(&w->outline_memory, NULL, ARENA_LIMIT_BYTES);
    lay_shapes(w);
    w->ground =
        (priced_ground){.mesh = w->mesh, .shapes = w->outlines, .shape_count = w->shape_count};
    nav_costs_resolve(w->mesh, NULL, NULL, &w->ground.costs);
    w->cheapest = cheapest_create(&w->ground, w->kind == 0 ? 0.5 : 1.0);
    NAV_ASSERT(nav_scratch_create(NULL, &w->scratch) == NAV_OK);
    return true;
}

static void world_end(world *w)
{
    cheapest_destroy(w->cheapest);
    nav_scratch_destroy(w->scratch);
    nav_arena_free(&w->outline_memory);
    nav_mesh_release(w->mesh);
}

// ---- paths ----

static void show(const world *w, const char *word, const nav_path *path, double cost,
                 const char *why)
{
    printf("# %s %s %d %s: (%.9g, %.9g, %.9g) -> (%.9g, %.9g, %.9g): %.6f beside %.6f %s\n",
           w->level, w->kind == 0 ? "areas" : "shapes", w->number, word, (double)path->start[0],
           (double)path->start[1], (double)path->start[2], (double)path->end[0],
           (double)path->end[1], (double)path->end[2], path->cost, cost, why);
    for (uint32_t i = 0; i < path->point_count; ++i) {
        printf("#    ours %.4f %.4f\n", (double)path->points[3 * i],
               (double)path->points[3 * i + 2]);
    }
    const double(*points)[2];
    const uint32_t count = cheapest_points(w->cheapest, &points);
    for (uint32_t i = 0; i < count; ++i) {
        printf("#    best %.4f %.4f\n", points[i][0], points[i][1]);
    }
}

static void judge_tautness(world *w, const nav_path *path, figures *f, const char *word)
{
    uint32_t where = 0;
    const double slack =
        ground_slack(&w->ground, (const float(*)[3])path->points, path->point_count, &where);
    if (slack > SLACK + SLACK_PART * path->cost) {
        char why[64];
        ++f->slack;
        snprintf(why, sizeof why, "slack %.4f at point %u", slack, where);
        if (run.show < 1e9) {
            show(w, word, path, path->cost - slack, why);
        }
    }
}

// Returns what the path costs; INFINITY where it does not count.
static double ask(world *w, const float from[3], const float to[3], double cost, int search)
{
    nav_path_request request = {.options = options_of(w), .search = SEARCH[search]};
    nav_path path;
    figures *f = &run.level[search];
    memcpy(request.start, from, sizeof request.start);
    memcpy(request.end, to, sizeof request.end);
    const nav_status status = nav_query_path(w->mesh, w->scratch, &request, &path);
    NAV_ASSERT(status == NAV_OK);
    if (path.status != NAV_PATH_COMPLETE || !(cost < (double)INFINITY) || cost < SHORT) {
        return (double)INFINITY;
    }
    const double dearer = path.cost / cost - 1.0;
    NAV_ASSERT(f->count < PATHS_MAX);
    f->dearer[f->count++] = dearer;
    f->wrong_bounds += path.lower_bound > cost * (1.0 + 1e-6) + 1e-5;
    f->wrong_proofs += path.optimal && path.cost > cost * (1.0 + 2e-6) + 1e-5;
    f->proven += path.optimal;
    if (dearer > run.show && search == AUTO) {
        show(w, WORDS[search], &path, cost, "");
    }
    if (search == AUTO) {
        judge_tautness(w, &path, f, WORDS[search]);
    }
    return path.cost;
}

static bool random_place(const world *w, nav_location *out)
{
    float point[3];
    (void)corpus_random_point(w->mesh, w->mesh->stats.polygons, &run.random, point);
    return nav_query_nearest(w->mesh, point, (nav_snap){1, 50, 50}, NAV_NONE, out, 1) > 0;
}

static void ask_world(world *w)
{
    for (int i = 0; i < STARTS; ++i) {
        nav_location start, goal;
        if (!random_place(w, &start)) {
            continue;
        }
        cheapest_from(w->cheapest, &start);
        for (int k = 0; k < GOALS; ++k) {
            if (random_place(w, &goal)) {
                const double cost = cheapest_to(w->cheapest, &goal);
                double least = (double)INFINITY;
                for (int search = 0; search < SEARCHES; ++search) {
                    const double found = ask(w, start.position, goal.position, cost, search);
                    run.level[search].beaten += found > least * (1.0 + 1e-6) + 1e-5;
                    least = fmin(least, found);
                }
            }
        }
    }
}

// ---- verdicts ----

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void expect(bool holds, const char *sentence)
{
    printf("%s %s\n", holds ? "ok" : "not ok", sentence);
    corpus_failures += !holds;
}

static void judge(const char *name, figures *f, bool verdict, const char *word)
{
    if (f->count == 0) {
        return;
    }
    qsort(f->dearer, f->count, sizeof *f->dearer, by_value);
    double mean = 0.0;
    for (uint32_t i = 0; i < f->count; ++i) {
        mean += f->dearer[i] / f->count;
    }
    const double p99 = f->dearer[(f->count - 1) * 99ull / 100], worst = f->dearer[f->count - 1];
    printf("%-18s %-5s %6u paths: mean %7.3f %%, p99 %6.2f, worst %6.2f, least %6.2f; not taut %u, "
           "beaten by fast %u; wrong bounds %u, proofs %u of %u\n",
           name, word, f->count, 100.0 * mean, 100.0 * p99, 100.0 * worst, 100.0 * f->dearer[0],
           f->slack, f->beaten, f->wrong_bounds, f->wrong_proofs, f->proven);
    fflush(stdout);
    if (verdict) {
        expect(mean <= MEAN_MAX && p99 <= P99_MAX && worst <= WORST_MAX,
               "paths over several costs are near the cheapest");
        expect(f->wrong_bounds + f->wrong_proofs == 0, "bounds and proofs hold");
        expect(f->beaten == 0, "no path is dearer than that of `fast`");
        expect(f->slack <= SLACK_SHARE_MAX * f->count,
               "strings are taut, but for one in thousands");
    }
}

static void end_level(const char *level)
{
    for (int search = 0; search < SEARCHES; ++search) {
        figures *f = &run.level[search], *all = &run.all[search];
        judge(level, f, false, WORDS[search]);
        NAV_ASSERT(all->count + f->count <= PATHS_MAX);
        memcpy(all->dearer + all->count, f->dearer, f->count * sizeof *f->dearer);
        all->count += f->count;
        all->slack += f->slack;
        all->beaten += f->beaten;
        all->wrong_bounds += f->wrong_bounds;
        all->wrong_proofs += f->wrong_proofs;
        all->proven += f->proven;
        double *kept = f->dearer;
        *f = (figures){.dearer = kept};
    }
}

static void visit_as(const char *level, const nav_geometry *geometry, bool flat)
{
    if (run.only != NULL && strncmp(level, run.only, strlen(run.only)) != 0) {
        return;
    }
    run.random = 4711;
    for (int i = 0; i < 2 * run.worlds; ++i) {
        world w = {.level = level, .kind = i % 2, .number = i / 2};
        if (world_begin(&w, geometry, flat)) {
            ask_world(&w);
            world_end(&w);
        }
    }
    end_level(level);
}

static void visit(const char *level, const nav_geometry *geometry)
{
    visit_as(level, geometry, false);
}

static void visit_floor(void)
{
    static const float vertices[] = {0, 0, 0, 20, 0, 0, 20, 0, 20, 0, 0, 20};
    static const uint32_t triangles[] = {0, 2, 1, 0, 3, 2};
    const nav_geometry geometry = {
        .vertices = vertices, .triangles = triangles, .vertex_count = 4, .triangle_count = 2};
    visit_as("floor", &geometry, true);
}

int main(int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i += 2) {
        run.worlds = strcmp(argv[i], "--worlds") == 0 ? atoi(argv[i + 1]) : run.worlds;
        run.only = strcmp(argv[i], "--only") == 0 ? argv[i + 1] : run.only;
        run.show = strcmp(argv[i], "--show") == 0 ? atof(argv[i + 1]) : run.show;
    }
    for (int search = 0; search < SEARCHES; ++search) {
        run.level[search].dearer = malloc(PATHS_MAX * sizeof(double));
        run.all[search].dearer = malloc(PATHS_MAX * sizeof(double));
        NAV_ASSERT(run.level[search].dearer != NULL && run.all[search].dearer != NULL);
    }
    visit_floor();
    corpus_generated(LEVEL_TOWN, 3, 1, visit);
    corpus_generated(LEVEL_DUNGEON, 3, 1, visit);
    corpus_generated(LEVEL_TERRAIN, 64, 1, visit);
    corpus_generated(LEVEL_CITY, 2, 1, visit);
    corpus_made(visit);
    corpus_files(visit);
    judge("all levels", &run.all[FAST], false, WORDS[FAST]);
    judge("all levels", &run.all[AUTO], true, WORDS[AUTO]);
    return corpus_failures == 0 ? 0 : 1;
}
