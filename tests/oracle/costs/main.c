// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// main.c: paths over ground of several costs held against the cheapest walks (cheapest.c), on ten
// levels and more: areas with costs by volumes, and shapes with costs; both with links, and shapes
// of which some block. `fast` and a matrix are shown beside it.
// Results are lines "ok" and "not ok" and a sentence.
//
//   oracle_costs [--worlds N] [--only LEVEL] [--kind KIND] [--show PART]
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
#define LINKS_MAX 6
#define VOLUMES_MAX 60
// What is to hold.
#define MEAN_MAX 0.003
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
    MATRIX,
    SEARCHES
};
static const nav_search SEARCH[] = {NAV_SEARCH_FAST, NAV_SEARCH_AUTO};
static const char *const WORDS[SEARCHES] = {"fast", "auto", "matrix"};

// Worlds: areas with costs, shapes with costs, areas and links, shapes and links, of which some
// shapes block.
enum {
    KIND_AREAS,
    KIND_SHAPES,
    KIND_AREAS_LINKS,
    KIND_SHAPES_LINKS,
    KINDS
};
static const char *const KIND_WORDS[KINDS] = {"areas", "shapes", "areas+links", "shapes+links"};

typedef struct figures {
    double *dearer; // of each path, as a part
    uint32_t count, slack, wrong_bounds, wrong_proofs, proven;
    uint32_t beaten; // by `fast`
} figures;

static struct {
    int worlds;
    const char *only, *kind;
    double show;
    figures level[SEARCHES], kinds[KINDS][SEARCHES], all[SEARCHES];
    uint64_t random;
} run = {.worlds = 6, .show = 1e9, .random = 4711};

// Costs of areas 2 to 5: dear ground, cheap ground, very dear ground.
static const float PRICES[][4] = {
    {1.5f, 2.0f, 4.0f, 2.0f},  {2.0f, 2.0f, 2.0f, 2.0f}, {0.5f, 2.0f, 0.7f, 3.0f},
    {10.0f, 3.0f, 1.2f, 4.0f}, {1.1f, 1.3f, 1.7f, 0.8f},
};

typedef struct world {
    const char *level;
    int kind, number;
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

static nav_mesh *bake(const nav_geometry *geometry, bool areas, bool flat, const nav_link *links,
                      uint32_t link_count)
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
    config.links = links;
    config.link_count = link_count;
    nav_mesh *mesh = corpus_bake(geometry, &config, &err);
    if (mesh == NULL || !add_landmarks(mesh)) {
        printf("not ok a world cannot be baked: %s\n", err.detail);
        ++corpus_failures;
        nav_mesh_release(mesh);
        return NULL;
    }
    return mesh;
}

static bool random_place(const nav_mesh *mesh, nav_location *out)
{
    float point[3];
    (void)corpus_random_point(mesh, mesh->stats.polygons, &run.random, point);
    return nav_query_nearest(mesh, point, (nav_snap){1, 50, 50}, NAV_NONE, out, 1) > 0;
}

// Random links between places of a mesh, at the cost of an area or at one of their own. Returns how
// many.
static uint32_t list_links(const nav_mesh *mesh, nav_link out[LINKS_MAX])
{
    uint32_t count = 0;
    for (uint32_t left = 1 + dice(LINKS_MAX); left > 0; --left) {
        nav_location from, to;
        if (!random_place(mesh, &from) || !random_place(mesh, &to)) {
            continue;
        }
        nav_link *link = &out[count++];
        *link = (nav_link){.radius = 0.5f,
                           .bidirectional = dice(2) == 0,
                           .area = (uint8_t)(1 + dice(AREAS - 1)),
                           .has_cost = dice(3) > 0};
        memcpy(link->start, from.position, sizeof link->start);
        memcpy(link->end, to.position, sizeof link->end);
        link->cost =
            fraction() * hypotf(link->end[0] - link->start[0], link->end[2] - link->start[2]);
    }
    return count;
}

// The same world with links, which need ground to stand on.
static nav_mesh *bake_kind(int kind, const nav_geometry *geometry, bool flat)
{
    const bool areas = kind == KIND_AREAS || kind == KIND_AREAS_LINKS;
    const uint64_t dice_before = run.random;
    nav_mesh *plain = bake(geometry, areas, flat, NULL, 0);
    if (plain == NULL || kind == KIND_AREAS || kind == KIND_SHAPES) {
        return plain;
    }
    nav_link links[LINKS_MAX];
    const uint32_t count = list_links(plain, links);
    const uint64_t dice_behind = run.random;
    nav_mesh_release(plain);
    run.random = dice_before;
    nav_mesh *out = bake(geometry, areas, flat, links, count);
    run.random = dice_behind;
    return out;
}

static void make_round(nav_avoid *shape)
{
    const float width = shape->max[0] - shape->min[0], depth = shape->max[1] - shape->min[1];
    shape->radius = (0.1f + 0.3f * fraction()) * fminf(width, depth);
    for (int axis = 0; axis < 2; ++axis) {
        shape->center[axis] = shape->min[axis] + fraction() * (shape->max[axis] - shape->min[axis]);
        shape->end[axis] = shape->min[axis] + fraction() * (shape->max[axis] - shape->min[axis]);
    }
}

static void lay_shapes(world *w)
{
    static float corners[COSTS_SHAPES_MAX][3][2];
    nav_mesh_stats stats;
    nav_mesh_stats_get(w->mesh, &stats);
    const float *prices = PRICES[dice(sizeof PRICES / sizeof PRICES[0])];
    const bool has_shapes = w->kind == KIND_SHAPES || w->kind == KIND_SHAPES_LINKS;
    w->shape_count = has_shapes ? 1 + dice(COSTS_SHAPES_MAX) : 0;
    for (uint32_t i = 0; i < w->shape_count; ++i) {
        nav_avoid *shape = &w->shapes[i];
        *shape = (nav_avoid){.shape = NAV_AVOID_BOX,
                             .cost = prices[dice(4)],
                             .bottom = stats.min[1] - 10.0f,
                             .top = stats.max[1] + 10.0f};
        shape->blocked = w->kind == KIND_SHAPES_LINKS && dice(3) == 0;
        random_box(stats.min, stats.max, 40.0f, shape->min, shape->max);
        if (dice(2) == 0) {
            shape->shape = dice(2) == 0 ? NAV_AVOID_CIRCLE : NAV_AVOID_CAPSULE;
            make_round(shape);
        } else if (dice(3) == 0) {
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
        const bool made = nav_outline_create(&w->shapes[i], (double)w->mesh->agent_radius, &budget,
                                             &w->outlines[i]);
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
    w->mesh = bake_kind(w->kind, geometry, flat);
    if (w->mesh == NULL) {
        return false;
    }
    nav_arena_init(&w->outline_memory, NULL, ARENA_LIMIT_BYTES);
    lay_shapes(w);
    w->ground =
        (priced_ground){.mesh = w->mesh, .shapes = w->outlines, .shape_count = w->shape_count};
    nav_costs_resolve(w->mesh, NULL, NULL, &w->ground.costs);
    w->cheapest = cheapest_create(&w->ground, w->shape_count == 0 ? 0.5 : 1.0);
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
           w->level, KIND_WORDS[w->kind], w->number, word, (double)path->start[0],
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

// The figures that a path counts in: of its level, of its kind of world, and of all.
enum {
    COUNTED_IN = 3
};
static void list_figures(const world *w, int search, figures *out[COUNTED_IN])
{
    out[0] = &run.level[search];
    out[1] = &run.kinds[w->kind][search];
    out[2] = &run.all[search];
}

// The most that moving one point saves, between links. *where: the point.
static double slack_of(const world *w, const nav_path *path, uint32_t *where)
{
    static nav_path_step steps[POINTS_MAX];
    const float(*points)[3] = (const float(*)[3])path->points;
    const uint32_t count = nav_query_path_steps(path, steps, POINTS_MAX);
    double most = 0.0;
    uint32_t first = 0;
    for (uint32_t i = 0; i <= count; ++i) {
        if (i < count && steps[i].link == NAV_NONE) {
            continue;
        }
        // A link ends at the step's point, and begins at the one before.
        const uint32_t end = i < count ? steps[i].point : path->point_count;
        uint32_t at = 0;
        const double slack =
            end > first ? ground_slack(&w->ground, points + first, end - first, &at) : 0.0;
        *where = slack > most ? first + at : *where;
        most = fmax(most, slack);
        first = end;
    }
    return most;
}

static bool is_taut(const world *w, const nav_path *path)
{
    uint32_t where = 0;
    const double slack = slack_of(w, path, &where);
    if (slack <= SLACK + SLACK_PART * path->cost) {
        return true;
    }
    char why[64];
    snprintf(why, sizeof why, "slack %.4f at point %u", slack, where);
    if (run.show < 1e9) {
        show(w, WORDS[AUTO], path, path->cost - slack, why);
    }
    return false;
}

static void count_dearer(const world *w, int search, double part)
{
    figures *in[COUNTED_IN];
    list_figures(w, search, in);
    for (int i = 0; i < COUNTED_IN; ++i) {
        NAV_ASSERT(in[i]->count < PATHS_MAX);
        in[i]->dearer[in[i]->count++] = part;
    }
}

static nav_path find(world *w, const float from[3], const float to[3], int search)
{
    nav_path_request request = {.options = options_of(w), .search = SEARCH[search]};
    nav_path path;
    memcpy(request.start, from, sizeof request.start);
    memcpy(request.end, to, sizeof request.end);
    const nav_status status = nav_query_path(w->mesh, w->scratch, &request, &path);
    NAV_ASSERT(status == NAV_OK);
    return path;
}

// Whether a walk of this cost can be found, and is long enough to judge paths by.
static bool counts(double cost)
{
    return cost < (double)INFINITY && cost >= SHORT;
}

// Asks for a path beside which the cheapest walk that is known has this cost.
static void ask(world *w, const float from[3], const float to[3], double cost, int search)
{
    const nav_path path = find(w, from, to, search);
    const double dearer = path.cost / cost - 1.0;
    const bool taut = search != AUTO || is_taut(w, &path);
    figures *in[COUNTED_IN];
    list_figures(w, search, in);
    count_dearer(w, search, dearer);
    // The graph passes shapes as near as floats come to their borders.
    const double near = 1e-5 + 3e-7 * (double)(fabsf(from[0]) + fabsf(from[2]));
    for (int i = 0; i < COUNTED_IN; ++i) {
        in[i]->wrong_bounds += path.lower_bound > cost * (1.0 + 1e-6) + near;
        in[i]->wrong_proofs += path.optimal && path.cost > cost * (1.0 + 2e-6) + near;
        in[i]->proven += path.optimal;
        in[i]->slack += !taut;
    }
    if (dearer > run.show && search == AUTO) {
        show(w, WORDS[search], &path, cost, "");
    }
}

static void ask_matrix(world *w, const float from[3], const float (*to)[3], const double *costs,
                       uint32_t count)
{
    double found[GOALS];
    nav_matrix_request request = {.options = options_of(w),
                                  .sources = (const float(*)[3])from,
                                  .targets = to,
                                  .source_count = 1,
                                  .target_count = count};
    nav_matrix matrix = {.costs = found};
    const nav_status status = nav_query_matrix(w->mesh, w->scratch, &request, &matrix);
    NAV_ASSERT(status == NAV_OK);
    for (uint32_t i = 0; i < count; ++i) {
        if (counts(costs[i])) {
            count_dearer(w, MATRIX, found[i] / costs[i] - 1.0);
        }
    }
}

static void ask_from(world *w, const nav_location *start)
{
    float goals[GOALS][3];
    double costs[GOALS];
    uint32_t count = 0;
    nav_location goal;
    cheapest_from(w->cheapest, start);
    for (int k = 0; k < GOALS; ++k) {
        if (!random_place(w->mesh, &goal)) {
            continue;
        }
        const double fast = find(w, start->position, goal.position, FAST).cost;
        const nav_path found = find(w, start->position, goal.position, AUTO);
        const double graph = cheapest_to(w->cheapest, &goal);
        if (found.status != NAV_PATH_COMPLETE || !counts(graph)) {
            continue;
        }
        // The graph's points are not everywhere that a walk may bend.
        const double cost = fmin(fmin(graph, fast), found.cost);
        memcpy(goals[count], goal.position, sizeof goals[count]);
        costs[count++] = cost;
        ask(w, start->position, goal.position, cost, FAST);
        ask(w, start->position, goal.position, cost, AUTO);
        figures *in[COUNTED_IN];
        list_figures(w, AUTO, in);
        for (int i = 0; i < COUNTED_IN; ++i) {
            in[i]->beaten += found.cost > fast * (1.0 + 1e-6) + 1e-5;
        }
    }
    ask_matrix(w, start->position, (const float(*)[3])goals, costs, count);
}

static void ask_world(world *w)
{
    for (int i = 0; i < STARTS; ++i) {
        nav_location start;
        if (random_place(w->mesh, &start)) {
            ask_from(w, &start);
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
    printf("%-18s %-6s %6u paths: mean %7.3f %%, p99 %6.2f, worst %6.2f, least %6.2f; not taut %u, "
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

static void visit_as(const char *level, const nav_geometry *geometry, bool flat)
{
    if (run.only != NULL && strncmp(level, run.only, strlen(run.only)) != 0) {
        return;
    }
    for (int i = 0; i < KINDS * run.worlds; ++i) {
        world w = {.level = level, .kind = i / run.worlds, .number = i % run.worlds};
        run.random = w.number == 0 ? 4711 + (uint64_t)w.kind : run.random;
        if (run.kind != NULL && strcmp(run.kind, KIND_WORDS[w.kind]) != 0) {
            continue;
        }
        if (world_begin(&w, geometry, flat)) {
            ask_world(&w);
            world_end(&w);
        }
    }
    for (int search = 0; search < SEARCHES; ++search) {
        judge(level, &run.level[search], false, WORDS[search]);
        run.level[search] = (figures){.dearer = run.level[search].dearer};
    }
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

static void make_room(figures *f)
{
    f->dearer = malloc(PATHS_MAX * sizeof(double));
    NAV_ASSERT(f->dearer != NULL);
}

int main(int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i += 2) {
        run.worlds = strcmp(argv[i], "--worlds") == 0 ? atoi(argv[i + 1]) : run.worlds;
        run.only = strcmp(argv[i], "--only") == 0 ? argv[i + 1] : run.only;
        run.kind = strcmp(argv[i], "--kind") == 0 ? argv[i + 1] : run.kind;
        run.show = strcmp(argv[i], "--show") == 0 ? atof(argv[i + 1]) : run.show;
    }
    for (int search = 0; search < SEARCHES; ++search) {
        make_room(&run.level[search]);
        make_room(&run.all[search]);
        for (int kind = 0; kind < KINDS; ++kind) {
            make_room(&run.kinds[kind][search]);
        }
    }
    visit_floor();
    corpus_generated(LEVEL_TOWN, 3, 1, visit);
    corpus_generated(LEVEL_DUNGEON, 3, 1, visit);
    corpus_generated(LEVEL_TERRAIN, 64, 1, visit);
    corpus_generated(LEVEL_CITY, 2, 1, visit);
    corpus_made(visit);
    corpus_files(visit);
    for (int search = 0; search < SEARCHES; ++search) {
        for (int kind = 0; kind < KINDS; ++kind) {
            judge(KIND_WORDS[kind], &run.kinds[kind][search], false, WORDS[search]);
        }
        judge("all levels", &run.all[search], search == AUTO, WORDS[search]);
    }
    return corpus_failures == 0 ? 0 : 1;
}
