// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// Over ground of several costs a path is near the cheapest, by the right side of what is dear, its
// string is taut, and the budget of the question holds. tests/oracle/costs asks the same of
// thousands of paths.

#include "core/query/view/scratch.h"
#include "tests/levels/levels.h"
#include "tests/unit/bake_builder.h"
#include "tests/unit/floors.h"

#include <math.h>

static nav_mesh *bake(const nav_geometry *geometry, const nav_config *config)
{
    nav_arena scratch, result;
    nav_grid grid;
    nav_blob tile;
    nav_mesh *mesh;
    nav_arena_init(&scratch, NULL, 0);
    nav_arena_init(&result, NULL, 0);
    assert_int_equal(nav_bake_plan(geometry, config, 0, &grid, NULL), NAV_OK);
    assert_int_equal(grid.tiles_x * grid.tiles_z, 1);
    assert_int_equal(nav_bake_tile(geometry, config, &grid, NULL, 0, 0, NULL, &scratch, &result,
                                   &tile, NULL, NULL),
                     NAV_OK);
    assert_int_equal(nav_mesh_create(&tile, 1, config, NULL, &mesh, NULL, NULL), NAV_OK);
    nav_arena_free(&scratch);
    nav_arena_free(&result);
    return mesh;
}

static nav_mesh *bake_floor(nav_config *config)
{
    soup s;
    soup_init(&s, 1);
    soup_floor(&s, 0, 0, 20, 20, 0);
    nav_mesh *mesh = bake(&s.geometry, config);
    soup_free(&s);
    return mesh;
}

static nav_mesh *bake_town(void)
{
    level_mesh level;
    nav_config config = nav_config_default();
    config.tile_cells = 0;
    assert_true(levels_generate(LEVEL_TOWN, levels_size_default(LEVEL_TOWN), 1, &level));
    const nav_geometry geometry = levels_geometry(&level);
    nav_mesh *mesh = bake(&geometry, &config);
    levels_free(&level);
    return mesh;
}

static nav_path ask(const nav_mesh *mesh, nav_scratch *scratch, nav_path_request request)
{
    nav_path path;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    return path;
}

// The cost of a path by each search that is to be near the cheapest; the dearer one.
static double cost_of(const nav_mesh *mesh, nav_path_request request)
{
    nav_scratch *scratch;
    double cost = 0.0;
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    for (int i = 0; i < 2; ++i) {
        request.search = i == 0 ? NAV_SEARCH_AUTO : NAV_SEARCH_EXACT;
        const nav_path path = ask(mesh, scratch, request);
        assert_int_equal(path.status, NAV_PATH_COMPLETE);
        assert_true(path.lower_bound <= path.cost);
        cost = fmax(cost, path.cost);
    }
    nav_scratch_destroy(scratch);
    return cost;
}

static nav_avoid shape(float x0, float z0, float x1, float z1, float cost)
{
    return (nav_avoid){.shape = NAV_AVOID_BOX,
                       .cost = cost,
                       .min = {x0, z0},
                       .max = {x1, z1},
                       .bottom = -50,
                       .top = 50};
}

// The way over mud is dearer than the one beside it.
static void mud_is_walked_around(void **state)
{
    (void)state;
    const nav_area areas[] = {{.name = "none", .cost = 1.0f},
                              {.name = "ground", .cost = 1.0f},
                              {.name = "mud", .cost = 2.0f}};
    const nav_volume mud = {
        .shape = NAV_VOLUME_BOX, .area = 2, .min = {-3, -9, 5.5f}, .max = {5, 9, 12.5f}};
    nav_config config = nav_config_default();
    config.cell_size = 0.5f;
    config.agent_radius = 0.0f;
    config.tile_cells = 0;
    config.areas = areas;
    config.area_count = 3;
    config.volumes = &mud;
    config.volume_count = 1;
    nav_mesh *mesh = bake_floor(&config);
    const nav_path_request request = {
        .start = {5.92f, 0, 14.72f}, .end = {6.78f, 0, 1.24f}, .options = nav_options_default()};
    const double cost = cost_of(mesh, request);
    assert_true(cost > 13.5 && cost < 13.6);
    nav_mesh_release(mesh);
}

static void box_is_passed_on_the_nearer_side(void **state)
{
    (void)state;
    nav_config config = nav_config_default();
    config.cell_size = 0.25f;
    config.agent_radius = 0.5f;
    config.tile_cells = 0;
    nav_mesh *mesh = bake_floor(&config);
    nav_avoid box = shape(8.917f, 11.434f, 13.253f, 13.607f, 1.0f);
    box.blocked = true;
    nav_path_request request = {
        .start = {8.1f, 0, 11.8f}, .end = {13.43f, 0, 15.64f}, .options = nav_options_default()};
    request.options.avoid = &box;
    request.options.avoid_count = 1;
    const double cost = cost_of(mesh, request);
    assert_true(cost > 7.3 && cost < 7.4);
    nav_mesh_release(mesh);
}

// Fires that reach over the straight way a little, on either side of it, asked both ways: the way
// by their near rim is hardly longer.
static void fires_are_passed_on_the_nearer_side(void **state)
{
    (void)state;
    soup s;
    soup_init(&s, 1);
    soup_floor(&s, 0, 0, 60, 60, 0);
    nav_config config = nav_config_default();
    config.tile_cells = 0;
    nav_mesh *mesh = bake(&s.geometry, &config);
    for (int i = 0; i < 8; ++i) {
        const float side = i % 2 == 0 ? 1.0f : -1.0f, off = i / 2 % 2 == 0 ? 2.9f : 2.0f;
        nav_avoid fire = {.shape = NAV_AVOID_CIRCLE,
                          .cost = 4.0f,
                          .center = {30, 30 + side * off},
                          .radius = 3.0f,
                          .bottom = -50,
                          .top = 50};
        nav_path_request request = {.start = {i < 4 ? 4 : 56, 0, 30},
                                    .end = {i < 4 ? 56 : 4, 0, 30},
                                    .options = nav_options_default()};
        request.options.avoid = &fire;
        request.options.avoid_count = 1;
        const double cost = cost_of(mesh, request);
        assert_true(cost > 51.99 && cost < 52.06);
    }
    nav_mesh_release(mesh);
    soup_free(&s);
}

// Ground that gets cheaper makes no path dearer, and around dear ground there is a way.
static void shapes_in_town(void **state)
{
    (void)state;
    nav_mesh *mesh = bake_town();
    const nav_avoid ice = shape(10, 10, 25, 25, 0.5f);
    const nav_avoid dear = shape(30.6f, 71.3f, 50.6f, 91.3f, 4.0f);
    nav_path_request request = {
        .start = {4.9f, 0.2f, 45.9f}, .end = {15, 0.4f, 51.3f}, .options = nav_options_default()};
    const double plain = cost_of(mesh, request);
    request.options.avoid = &ice;
    request.options.avoid_count = 1;
    assert_true(cost_of(mesh, request) <= plain * 1.0001);
    request = (nav_path_request){.start = {77.554f, 0.2f, 4.916f},
                                 .end = {19.729f, 0.2f, 84.081f},
                                 .options = nav_options_default()};
    request.options.avoid = &dear;
    request.options.avoid_count = 1;
    assert_true(cost_of(mesh, request) < 108.9);
    nav_mesh_release(mesh);
}

static void random_boxes(uint64_t *random, nav_avoid *boxes, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        const float x = random_between(random, 0, 100), z = random_between(random, 0, 100);
        const float width = random_between(random, 2, 30), depth = random_between(random, 2, 30);
        boxes[i] =
            shape(x - width, z - depth, x + width, z + depth, random_between(random, 0.4f, 6));
    }
}

// Whoever asks for more than a fast path gets none that is dearer.
static void none_is_dearer_than_fast(void **state)
{
    (void)state;
    nav_mesh *mesh = bake_town();
    nav_scratch *scratch;
    uint64_t random = 11;
    uint32_t complete = 0;
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    for (int i = 0; i < 400; ++i) {
        nav_avoid boxes[4];
        nav_path_request request = {.options = nav_options_default()};
        request.options.avoid = boxes;
        request.options.avoid_count = 1 + random_below(&random, 4);
        request.options.snap = (nav_snap){20, 20, 20};
        random_boxes(&random, boxes, request.options.avoid_count);
        for (int axis = 0; axis < 3; axis += 2) {
            request.start[axis] = random_between(&random, 0, 100);
            request.end[axis] = random_between(&random, 0, 100);
        }
        request.search = NAV_SEARCH_FAST;
        const nav_path fast = ask(mesh, scratch, request);
        request.search = i % 2 == 0 ? NAV_SEARCH_AUTO : NAV_SEARCH_EXACT;
        const nav_path path = ask(mesh, scratch, request);
        assert_int_equal(path.status, fast.status);
        if (path.status == NAV_PATH_COMPLETE) {
            assert_true(path.cost <= fast.cost * (1.0 + 1e-6));
            ++complete;
        }
    }
    assert_true(complete > 300);
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
}

// The budget is that of all searches together, and what there is of a path stays one.
static void budgets_hold(void **state)
{
    (void)state;
    nav_mesh *mesh = bake_town();
    nav_scratch *scratch;
    const nav_avoid dear = shape(30.6f, 71.3f, 50.6f, 91.3f, 4.0f);
    nav_path_request request = {.start = {77.554f, 0.2f, 4.916f},
                                .end = {19.729f, 0.2f, 84.081f},
                                .options = nav_options_default()};
    request.options.avoid = &dear;
    request.options.avoid_count = 1;
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    double last = (double)INFINITY;
    for (uint32_t nodes = 1; nodes < 4000; nodes += nodes / 4 + 1) {
        request.max_nodes = nodes;
        const nav_path path = ask(mesh, scratch, request);
        assert_true(path.nodes_expanded <= nodes);
        assert_true(path.point_count > 0);
        if (path.status == NAV_PATH_COMPLETE) {
            assert_true(path.cost <= last); // more nodes make it no dearer
            last = path.cost;
        }
    }
    assert_true(last < 125.0);
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mud_is_walked_around),
        cmocka_unit_test(box_is_passed_on_the_nearer_side),
        cmocka_unit_test(fires_are_passed_on_the_nearer_side),
        cmocka_unit_test(shapes_in_town),
        cmocka_unit_test(none_is_dearer_than_fast),
        cmocka_unit_test(budgets_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
