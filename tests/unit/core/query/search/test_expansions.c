// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_expansions.c: what a search lists of itself: every node that it has expanded, in order, at
// places that are on the mesh; the path is the same with a list and without, and whatever its room.

#include "core/query/view/scratch.h"
#include "tests/levels/levels.h"
#include "tests/unit/bake_builder.h"

#include <math.h>

#define ROOM 60000u
#define PAIRS 40u

// A town of one cost, or with mud and a jump.
static nav_mesh *bake_town(bool several_costs)
{
    static const nav_area areas[] = {{.name = "none", .cost = 1.0f},
                                     {.name = "ground", .cost = 1.0f},
                                     {.name = "mud", .cost = 3.0f}};
    static const nav_volume mud = {
        .shape = NAV_VOLUME_BOX, .area = 2, .min = {20, -9, 10}, .max = {60, 9, 70}};
    static const nav_link jump = {.start = {2, 0, 2},
                                  .end = {60, 0, 2},
                                  .radius = 3,
                                  .bidirectional = true,
                                  .area = NAV_AREA_GROUND};
    level_mesh level;
    nav_arena scratch, result;
    nav_grid grid;
    nav_blob tile;
    nav_mesh *mesh;
    nav_config config = nav_config_default();
    config.tile_cells = 0;
    config.areas = areas;
    config.area_count = 3;
    config.volumes = &mud;
    config.volume_count = several_costs;
    config.links = &jump;
    config.link_count = several_costs;
    assert_true(levels_generate(LEVEL_TOWN, levels_size_default(LEVEL_TOWN), 1, &level));
    const nav_geometry geometry = levels_geometry(&level);
    nav_arena_init(&scratch, NULL, 0);
    nav_arena_init(&result, NULL, 0);
    assert_int_equal(nav_bake_plan(&geometry, &config, 0, &grid, NULL), NAV_OK);
    assert_int_equal(nav_bake_tile(&geometry, &config, &grid, NULL, 0, 0, NULL, &scratch, &result,
                                   &tile, NULL, NULL),
                     NAV_OK);
    assert_int_equal(nav_mesh_create(&tile, 1, &config, NULL, &mesh, NULL, NULL), NAV_OK);
    nav_arena_free(&scratch);
    nav_arena_free(&result);
    levels_free(&level);
    return mesh;
}

typedef struct scene {
    nav_mesh *mesh;
    nav_scratch *scratch;
    nav_location places[2 * PAIRS];
    nav_expansion steps[ROOM], again[ROOM];
    uint32_t of_engines[3];
} scene;

static void open_scene(scene *s, bool several_costs)
{
    uint32_t count;
    const nav_options options = nav_options_default();
    *s = (scene){.mesh = bake_town(several_costs)};
    assert_int_equal(nav_scratch_create(NULL, &s->scratch), NAV_OK);
    assert_int_equal(
        nav_query_random(s->mesh, s->scratch, 7, NULL, 0, &options, s->places, 2 * PAIRS, &count),
        NAV_OK);
    assert_int_equal(count, 2 * PAIRS);
}

static void close_scene(scene *s)
{
    nav_scratch_destroy(s->scratch);
    nav_mesh_release(s->mesh);
}

// How far a point is from the border of a polygon in plan view.
static float distance_to_border(const nav_mesh *mesh, uint32_t number, const float at[3])
{
    const nav_polygon polygon = nav_mesh_polygon(mesh, number);
    float least = INFINITY;
    for (uint32_t i = 0; i < polygon.vertex_count; ++i) {
        const float *a = nav_mesh_vertex(mesh, polygon.vertices[i]);
        const float *b =
            nav_mesh_vertex(mesh, polygon.vertices[i + 1 < polygon.vertex_count ? i + 1 : 0]);
        const float dx = b[0] - a[0], dz = b[2] - a[2];
        const float along = ((at[0] - a[0]) * dx + (at[2] - a[2]) * dz) / (dx * dx + dz * dz);
        const float t = fminf(fmaxf(along, 0.0f), 1.0f);
        least = fminf(least, hypotf(a[0] + dx * t - at[0], a[2] + dz * t - at[2]));
    }
    return least;
}

static void assert_on_mesh(const nav_mesh *mesh, const float at[3])
{
    nav_location found;
    const nav_snap snap = {.horizontal = 0.05f, .up = 0.6f, .down = 0.6f};
    assert_int_equal(nav_query_nearest(mesh, at, snap, NAV_NONE, &found, 1), 1);
}

static void check_step(scene *s, const nav_expansion *step, bool whole)
{
    nav_mesh_stats stats;
    nav_mesh_stats_get(s->mesh, &stats);
    assert_true(step->polygon < stats.polygons);
    assert_true(isfinite(step->f) && isfinite(step->g) && step->g >= 0.0);
    assert_true(step->f >= step->g * (1.0 - 1e-4));
    assert_on_mesh(s->mesh, step->root);
    assert_on_mesh(s->mesh, step->left);
    assert_on_mesh(s->mesh, step->right);
    // Over an edge; a link ends within its polygon, and a label may stand where it turns.
    const bool is_point = memcmp(step->left, step->root, sizeof step->left) == 0;
    if (whole && !is_point) {
        assert_true(distance_to_border(s->mesh, step->polygon, step->left) < 2e-3f);
        assert_true(distance_to_border(s->mesh, step->polygon, step->right) < 2e-3f);
    }
    ++s->of_engines[step->engine];
}

// Asks with a list and without; true where the two answers are one.
static void ask(scene *s, nav_path_request request, bool whole)
{
    nav_path plain, listed;
    static float points[4096][3];
    nav_expansions list = {.at = s->steps, .capacity = ROOM, .count = 9, .truncated = true};
    assert_int_equal(nav_query_path(s->mesh, s->scratch, &request, &plain), NAV_OK);
    assert_true(plain.point_count <= 4096);
    memcpy(points, plain.points, plain.point_count * sizeof *points);
    request.expansions = &list;
    assert_int_equal(nav_query_path(s->mesh, s->scratch, &request, &listed), NAV_OK);
    assert_false(list.truncated);
    assert_int_equal(listed.status, plain.status);
    assert_int_equal(listed.point_count, plain.point_count);
    assert_memory_equal(listed.points, points, plain.point_count * sizeof *points);
    assert_true(listed.cost == plain.cost && listed.lower_bound == plain.lower_bound);
    assert_int_equal(listed.nodes_expanded, plain.nodes_expanded);
    if (whole) {
        assert_int_equal(list.count, plain.nodes_expanded);
    } else {
        assert_true(list.count >= plain.nodes_expanded);
    }
    double f = 0.0;
    for (uint32_t i = 0; i < list.count; ++i) {
        check_step(s, &s->steps[i], whole);
        if (s->steps[i].engine == NAV_ENGINE_POLYANYA && whole) {
            assert_true(s->steps[i].f >= f);
            f = s->steps[i].f;
        }
    }
    // A list without room has the same beginning.
    nav_expansions few = {.at = s->again, .capacity = list.count / 2};
    request.expansions = &few;
    assert_int_equal(nav_query_path(s->mesh, s->scratch, &request, &listed), NAV_OK);
    assert_true(listed.cost == plain.cost);
    assert_int_equal(few.count, few.capacity);
    assert_int_equal(few.truncated, list.count > few.count);
    for (uint32_t i = 0; i < few.count; ++i) {
        assert_memory_equal(few.at[i].root, list.at[i].root, sizeof list.at[i].root);
        assert_true(few.at[i].f == list.at[i].f && few.at[i].polygon == list.at[i].polygon);
    }
}

static nav_path_request between(const scene *s, uint32_t pair, nav_search search)
{
    nav_path_request request = {.options = nav_options_default(), .search = search};
    memcpy(request.start, s->places[2 * pair].position, sizeof request.start);
    memcpy(request.end, s->places[2 * pair + 1].position, sizeof request.end);
    return request;
}

static scene town; // too large for a stack

static void every_engine_lists_what_it_expands(void **state)
{
    (void)state;
    for (int several = 0; several < 2; ++several) {
        open_scene(&town, several != 0);
        for (uint32_t pair = 0; pair < PAIRS; ++pair) {
            ask(&town, between(&town, pair, NAV_SEARCH_AUTO), true);
            ask(&town, between(&town, pair, NAV_SEARCH_FAST), true);
        }
        assert_int_equal(town.of_engines[NAV_ENGINE_POLYANYA] > 1000, several == 0);
        assert_int_equal(town.of_engines[NAV_ENGINE_STEINER] > 1000, several != 0);
        assert_true(town.of_engines[NAV_ENGINE_LABELS] > 500);
        close_scene(&town);
    }
}

// The search without shapes and those around them are one list.
static void shapes_limits_and_budgets_list_too(void **state)
{
    (void)state;
    const nav_avoid shapes[] = {{.shape = NAV_AVOID_CIRCLE,
                                 .blocked = true,
                                 .center = {40, 40},
                                 .radius = 9,
                                 .bottom = -9,
                                 .top = 30},
                                {.shape = NAV_AVOID_BOX,
                                 .blocked = true,
                                 .min = {10, 60},
                                 .max = {80, 62},
                                 .bottom = -9,
                                 .top = 30}};
    for (int several = 0; several < 2; ++several) {
        open_scene(&town, several != 0);
        for (uint32_t pair = 0; pair < PAIRS; ++pair) {
            nav_path_request request = between(&town, pair, NAV_SEARCH_AUTO);
            request.options.avoid = shapes;
            request.options.avoid_count = 2;
            ask(&town, request, false);
            request = between(&town, pair, NAV_SEARCH_AUTO);
            request.max_nodes = 30;
            ask(&town, request, false);
            request = between(&town, pair, NAV_SEARCH_EXACT);
            request.max_length = 40;
            request.no_partial = pair % 2 == 0;
            ask(&town, request, false);
        }
        close_scene(&town);
    }
}

// What stands in the way is looked for by a search of its own, which is not the path's.
static void a_look_for_blockers_lists_nothing(void **state)
{
    (void)state;
    open_scene(&town, false);
    nav_expansions list = {.at = town.steps, .capacity = ROOM};
    nav_path_request request = between(&town, 0, NAV_SEARCH_AUTO);
    nav_path_blockers blockers;
    request.expansions = &list;
    assert_int_equal(nav_query_blockers(town.mesh, town.scratch, &request, &blockers), NAV_OK);
    assert_int_equal(list.count, 0);
    close_scene(&town);
}

static void engines_have_words(void **state)
{
    (void)state;
    assert_string_equal(nav_engine_word(NAV_ENGINE_POLYANYA), "polyanya");
    assert_string_equal(nav_engine_word(NAV_ENGINE_LABELS), "labels");
    assert_string_equal(nav_engine_word(NAV_ENGINE_STEINER), "steiner");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_engine_lists_what_it_expands),
        cmocka_unit_test(shapes_limits_and_budgets_list_too),
        cmocka_unit_test(a_look_for_blockers_lists_nothing),
        cmocka_unit_test(engines_have_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
