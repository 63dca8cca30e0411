// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_matrix.c: what a matrix says of ends off the mesh, of limits and of memory. Its costs
// are held against brute force in core/query/search/test_one_to_all.c.

#include "tests/unit/counting_allocator.h"
#include "tests/unit/mesh_builder.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static void what_is_off_the_mesh_is_told(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh("...#../...#../...#..");
    nav_scratch *scratch;
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    const float sources[2][3] = {{0.5f, 0, 0.5f}, {50, 0, 50}};
    const float targets[4][3] = {{2.5f, 0, 0.5f}, {5.5f, 0, 0.5f}, {-50, 0, 0}, {0.5f, 0, 2.5f}};
    double costs[8];
    bool sources_found[2], targets_found[4];
    nav_matrix matrix = {
        .costs = costs, .sources_found = sources_found, .targets_found = targets_found};
    nav_matrix_request request = {.sources = sources,
                                  .targets = targets,
                                  .source_count = 2,
                                  .target_count = 4,
                                  .options = nav_options_default()};
    request.options.snap = (nav_snap){0.3f, 1, 1};
    assert_int_equal(nav_query_matrix(mesh, scratch, &request, &matrix), NAV_OK);
    assert_true(matrix.optimal);
    assert_near(costs[0], 2.0, 1e-5);
    assert_true(isinf(costs[1]) && isinf(costs[2]));
    assert_near(costs[3], 2.0, 1e-5);
    for (int i = 4; i < 8; ++i) {
        assert_true(isinf(costs[i]));
    }
    assert_true(sources_found[0] && !sources_found[1]);
    assert_true(targets_found[0] && targets_found[1] && !targets_found[2] && targets_found[3]);
    // Two targets are equally far: the first goes before the other.
    uint32_t nearest[2];
    matrix.targets = nearest;
    request.nearest = 1;
    assert_int_equal(nav_query_matrix(mesh, scratch, &request, &matrix), NAV_OK);
    assert_int_equal(nearest[0], 0);
    assert_int_equal(nearest[1], NAV_NONE);
    request.source_count = 250001;
    assert_int_equal(nav_query_matrix(mesh, scratch, &request, &matrix), NAV_INVALID_FIELD);
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
}

static bool deadline_exceeded(void *calls_left)
{
    uint32_t *left = calls_left;
    return (*left)-- == 0;
}

static void limits_leave_cells_undecided(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh("..........#..../"
                              "#########.#.##./"
                              "..........#..#.");
    nav_scratch *scratch;
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    const float sources[2][3] = {{0.5f, 0, 0.5f}, {0.5f, 0, 2.5f}};
    const float targets[3][3] = {{1.5f, 0, 0.5f}, {0.5f, 0, 2.5f}, {14.5f, 0, 2.5f}};
    double costs[6];
    nav_matrix matrix = {.costs = costs};
    nav_matrix_request request = {.sources = sources,
                                  .targets = targets,
                                  .source_count = 2,
                                  .target_count = 3,
                                  .options = nav_options_default(),
                                  .max_nodes = 5};
    request.options.snap = (nav_snap){0.3f, 1, 1};
    assert_int_equal(nav_query_matrix(mesh, scratch, &request, &matrix), NAV_OK);
    assert_int_equal(matrix.reason, NAV_REASON_NODE_BUDGET);
    assert_true(matrix.nodes_expanded <= 10);
    assert_near(costs[0], 1.0, 1e-5);
    assert_true(isnan(costs[1])); // there is a way, not found yet
    assert_true(isinf(costs[2])); // labels know that there is none
    assert_true(isnan(costs[3]));
    assert_near(costs[4], 0.0, 1e-6);
    request.max_nodes = 0;
    uint32_t calls_left = 1; // the second source is late
    request.options.cancelled = deadline_exceeded;
    request.options.user = &calls_left;
    request.nearest = 0;
    assert_int_equal(nav_query_matrix(mesh, scratch, &request, &matrix), NAV_OK);
    assert_int_equal(matrix.reason, NAV_REASON_NULL);
    calls_left = 0;
    assert_int_equal(nav_query_matrix(mesh, scratch, &request, &matrix), NAV_OK);
    assert_int_equal(matrix.reason, NAV_REASON_DEADLINE);
    for (int i = 0; i < 6; ++i) {
        assert_true(i % 3 == 2 ? isinf(costs[i]) : isnan(costs[i]));
    }
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
}

static void memory_is_asked_for_once(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh("......./.##2##./...2.../.##.##./.......");
    const float sources[2][3] = {{3.5f, 0, 0.5f}, {3.5f, 0, 2.5f}};
    float targets[14][3] = {{0}};
    double costs[28];
    nav_matrix matrix = {.costs = costs};
    nav_matrix_request request = {.sources = sources,
                                  .targets = (const float(*)[3])targets,
                                  .source_count = 2,
                                  .target_count = 14,
                                  .options = nav_options_default()};
    nav_scratch *scratch = NULL;
    nav_filter weighted = {0};
    weighted.area_costs[2] = 3;
    for (int i = 0; i < 14; ++i) {
        targets[i][0] = (float)(i % 7) + 0.5f;
        targets[i][2] = i < 7 ? 0.5f : 4.5f;
    }
    const nav_avoid avoid = {.shape = NAV_AVOID_CIRCLE,
                             .center = {3.5f, 0.5f},
                             .radius = 0.3f,
                             .bottom = -1,
                             .top = 1,
                             .blocked = true};
    request.options.avoid = &avoid;
    for (int kind = 0; kind < 3; ++kind) {
        request.options.filter = kind == 1 ? &weighted : NULL;
        request.options.avoid_count = kind == 2 ? 1 : 0;
        nav_status status = NAV_NO_MEMORY;
        counting c = {0};
        for (uint32_t calls_max = 1; status == NAV_NO_MEMORY; ++calls_max) {
            c = (counting){.calls_max = calls_max};
            const nav_allocator allocator = counting_allocator(&c);
            if (nav_scratch_create(&allocator, &scratch) == NAV_OK) {
                status = nav_query_matrix(mesh, scratch, &request, &matrix);
                if (status == NAV_NO_MEMORY) {
                    nav_scratch_destroy(scratch);
                    assert_int_equal(c.held_bytes, 0);
                }
            }
            assert_true(calls_max < 100);
        }
        assert_int_equal(status, NAV_OK);
        // Once warm it takes no more. Where nodes found no memory, labels have stood in for them.
        c.calls_max = NAV_NONE;
        assert_int_equal(nav_query_matrix(mesh, scratch, &request, &matrix), NAV_OK);
        c.calls_max = c.calls;
        assert_int_equal(nav_query_matrix(mesh, scratch, &request, &matrix), NAV_OK);
        assert_true(matrix.optimal == (kind != 1));
        nav_scratch_destroy(scratch);
        assert_int_equal(c.held_bytes, 0);
    }
    nav_mesh_release(mesh);
}

// The place on the border of a square of `side` with its corner in `low`, `at` steps around it.
static void place_around(int32_t low, int32_t side, int32_t at, int32_t out[3])
{
    const int32_t along = at % side;
    const int32_t x[4] = {0, along, side, side - along}, z[4] = {along, side, side - along, 0};
    out[0] = low + x[at / side % 4];
    out[1] = 0;
    out[2] = low + z[at / side % 4];
}

// So many polygons meet in one place that nodes do not get around it from next to it: nothing that
// they miss is called out of reach, nor a cost the least.
static void a_fan_is_walked_around(void **state)
{
    (void)state;
    builder b;
    builder_init(&b);
    for (int32_t at = 0; at < 800; ++at) {
        int32_t corners[3][3] = {{1000, 0, 1000}};
        place_around(900, 200, at, corners[1]);
        place_around(900, 200, at + 1, corners[2]);
        builder_polygon(&b, 3, (const int32_t(*)[3])corners);
    }
    nav_mesh *mesh = builder_mesh(&b);
    nav_scratch *scratch;
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    const float source[1][3] = {{1000.0002f, 0, 1000.0f}}, target[1][3] = {{901, 0, 1000.3f}};
    double cost;
    nav_matrix matrix = {.costs = &cost};
    const nav_matrix_request request = {.sources = source,
                                        .targets = target,
                                        .source_count = 1,
                                        .target_count = 1,
                                        .options = nav_options_default()};
    assert_int_equal(nav_query_matrix(mesh, scratch, &request, &matrix), NAV_OK);
    assert_near(cost, 99.0, 0.01);
    assert_false(matrix.optimal);
    static nav_flood_polygon polygons[800];
    nav_flood flood;
    assert_int_equal(
        nav_query_flood(mesh, scratch, source[0], 500.0, &request.options, polygons, 800, &flood),
        NAV_OK);
    assert_int_equal(flood.count, 800);
    assert_false(flood.optimal);
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
    builder_free(&b);
}

// A tile that nobody baked: one corner of it lies far outside, so that polygons lie over each other
// the wrong way round, and what is seen through them goes round and round. Found by fuzz_tile.
static void polygons_that_lie_all_over_each_other_have_an_end(void **state)
{
    (void)state;
    static const int32_t corners[9][4][3] = {
        {{16, 3, 23}, {14, 1, 22}, {14, 1, 25}, {16, 3, 25}},
        {{11, 1, 26}, {16, 3, 25}, {14, 1, 25}, {12, 1, 26}},
        {{11, 1, 26}, {12, 1, 26}, {12, 1, 28}, {14, 1, 29}},
        {{4, 1, 18}, {8, 1, 18}, {8, 1, 16}, {3, 1, 16}},
        {{60, 1, 29}, {14, 1, 29}, {12, 1, 28}, {4, 1, 28}},
        {{60, 1, 29}, {4, 1, 28}, {4, 1, 18}, {3, 1, 16}},
        {{14, 1, 16}, {14, 1, 19}, {16, 1, 18}, {16, 1, 16}},
        {{12, 1, 28}, {12, 1, 26}, {8, 1, 25}, {4, 1, 28}},
        {{4, 1, 18}, {4, 1, 28}, {8, 1, 25}, {8, 1, 18}},
    };
    builder b;
    builder_init(&b);
    for (uint32_t i = 0; i < 9; ++i) {
        builder_polygon(&b, 4, corners[i]);
    }
    nav_mesh *mesh = builder_mesh(&b);
    nav_scratch *scratch = NULL;
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    const float places[2][3] = {{3.2f, 1.4f, 19.2f}, {14.4f, 2.8f, 30.4f}};
    double costs[4];
    nav_matrix matrix = {.costs = costs};
    const nav_matrix_request request = {.sources = places,
                                        .targets = places,
                                        .source_count = 2,
                                        .target_count = 2,
                                        .options.snap = {4, 16, 16}};
    assert_int_equal(nav_query_matrix(mesh, scratch, &request, &matrix), NAV_OK);
    for (int i = 0; i < 4; ++i) {
        assert_true(costs[i] >= 0.0); // found or not, but decided
    }
    nav_flood_polygon polygons[9];
    nav_flood flood;
    assert_int_equal(
        nav_query_flood(mesh, scratch, places[0], 1e6, &request.options, polygons, 9, &flood),
        NAV_OK);
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
    builder_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(polygons_that_lie_all_over_each_other_have_an_end),
        cmocka_unit_test(a_fan_is_walked_around),
        cmocka_unit_test(what_is_off_the_mesh_is_told),
        cmocka_unit_test(limits_leave_cells_undecided),
        cmocka_unit_test(memory_is_asked_for_once),
    };
    return cmocka_run_group_tests_name("query_matrix", tests, NULL, NULL);
}
