// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_matrix.c: what a matrix says of ends off the mesh or in shapes, of limits and of memory. Its
// costs are held against brute force in core/query/search/test_one_to_all.c.

#include "tests/unit/counting_allocator.h"
#include "tests/unit/mesh_builder.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
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

static nav_avoid circle_at(float x, float z, float radius)
{
    return (nav_avoid){.shape = NAV_AVOID_CIRCLE,
                       .center = {x, z},
                       .radius = radius,
                       .bottom = -1,
                       .top = 1,
                       .blocked = true};
}

// The cost of a path between two places.
static double path_cost(const nav_mesh *mesh, nav_scratch *scratch, const nav_options *options,
                        const float start[3], const float end[3])
{
    nav_path_request request = {.options = *options, .search = NAV_SEARCH_EXACT};
    memcpy(request.start, start, sizeof request.start);
    memcpy(request.end, end, sizeof request.end);
    nav_path path;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    assert_int_equal(path.status, NAV_PATH_COMPLETE);
    return path.cost;
}

#define CROWD 1000
#define CROWD_SHAPES 500

// Of many sources more than half stand in shapes that are much to cut: they are no more to cut than
// the shapes of one path.
static void a_crowd_of_sources_in_shapes_is_answered(void **state)
{
    (void)state;
    builder b;
    builder_init(&b);
    const int32_t corners[4][3] = {{0, 0, 0}, {0, 0, 100}, {100, 0, 100}, {100, 0, 0}};
    builder_polygon(&b, 4, corners);
    nav_mesh *mesh = builder_mesh(&b);
    nav_scratch *scratch;
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    static nav_avoid shapes[CROWD_SHAPES];
    static float sources[CROWD][3];
    static double costs[CROWD];
    static bool found[CROWD];
    for (uint32_t i = 0; i < CROWD_SHAPES; ++i) {
        shapes[i] = circle_at((float)(20 + i % 25), (float)(20 + i / 25), 0.3f);
    }
    shapes[0].radius = 8.0f;
    shapes[0].center[0] = shapes[0].center[1] = 70.0f;
    for (uint32_t i = 0; i < CROWD; ++i) {
        const float away = i % 5 < 3 ? 70.0f : 2.0f; // three of five stand in the large one
        sources[i][0] = away + (float)(i % 40) * 0.1f;
        sources[i][2] = away + (float)(i / 40) * 0.1f;
    }
    const float target[1][3] = {{98, 0, 98}};
    bool target_found;
    nav_matrix matrix = {.costs = costs, .sources_found = found, .targets_found = &target_found};
    nav_matrix_request request = {.sources = (const float(*)[3])sources,
                                  .targets = target,
                                  .source_count = CROWD,
                                  .target_count = 1,
                                  .options = nav_options_default()};
    request.options.avoid = shapes;
    request.options.avoid_count = CROWD_SHAPES;
    assert_int_equal(nav_query_matrix(mesh, scratch, &request, &matrix), NAV_OK);
    assert_int_equal(matrix.reason, NAV_REASON_NULL);
    assert_true(target_found);
    for (uint32_t i = 0; i < CROWD; ++i) {
        assert_true(found[i] && isfinite(costs[i]));
    }
    for (uint32_t i = 0; i < CROWD; i += 97) {
        const double best = path_cost(mesh, scratch, &request.options, sources[i], target[0]);
        assert_true(fabs(costs[i] - best) <= 0.02 * best);
    }
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
    builder_free(&b);
}

// Sources that stand in as many different shapes, each much to cut anew: as many rows are decided
// as there is work for, the others say that a limit came first. No question is refused.
static void rows_that_are_too_much_to_cut_are_undecided(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh("..................../..................../"
                              "..................../....................");
    nav_scratch *scratch;
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    nav_avoid shapes[8];
    float sources[9][3] = {{0.5f, 0, 0.5f}};
    for (uint32_t i = 0; i < 8; ++i) {
        shapes[i] = circle_at((float)(2 + 2 * i), 0.3f, 0.2f);
        sources[i + 1][0] = shapes[i].center[0];
        sources[i + 1][2] = 0.3f;
    }
    const float target[1][3] = {{19.5f, 0, 0.5f}};
    double costs[9];
    bool found[9], target_found;
    nav_matrix matrix = {.costs = costs, .sources_found = found, .targets_found = &target_found};
    nav_matrix_request request = {.sources = (const float(*)[3])sources,
                                  .targets = target,
                                  .source_count = 9,
                                  .target_count = 1,
                                  .options = nav_options_default()};
    request.options.avoid = shapes;
    request.options.avoid_count = 8;
    uint64_t work = NAV_AVOID_WORK_MAX;
    request.options.avoid_work = &work;
    assert_int_equal(nav_query_matrix(mesh, scratch, &request, &matrix), NAV_OK);
    assert_int_equal(matrix.reason, NAV_REASON_NULL);
    work = (NAV_AVOID_WORK_MAX - work) / 2; // enough for half of it
    assert_int_equal(nav_query_matrix(mesh, scratch, &request, &matrix), NAV_OK);
    assert_int_equal(matrix.reason, NAV_REASON_NODE_BUDGET);
    assert_false(nav_scratch_avoid_refused(scratch));
    uint32_t decided = 0;
    for (uint32_t i = 0; i < 9; ++i) {
        assert_true(found[i]);
        decided += isfinite(costs[i]);
        assert_true(isfinite(costs[i]) || isnan(costs[i]));
    }
    assert_true(target_found);
    assert_true(decided > 2 && decided < 9);
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
}

// Four sources in a row in each of two sets of shapes share two cuts, as many as one source in each
// takes: both sets begin and end with the same shapes.
static void sources_in_the_same_shapes_share_a_cut(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh("..................../..................../"
                              "..................../....................");
    nav_scratch *scratch;
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    const nav_avoid shapes[3] = {circle_at(3, 2, 2.6f), circle_at(4.2f, 2, 0.2f),
                                 circle_at(6, 2, 2.6f)};
    static const float places[2][3] = {{5, 0, 2}, {4.2f, 0, 2}}; // in the outer two, in all three
    const float target[1][3] = {{19.5f, 0, 0.5f}};
    uint64_t spent[2];
    for (int k = 0; k < 2; ++k) {
        const uint32_t each = k == 0 ? 1 : 4;
        float sources[8][3];
        double costs[8];
        for (uint32_t i = 0; i < 2 * each; ++i) {
            memcpy(sources[i], places[i / each], sizeof sources[i]);
        }
        uint64_t work = NAV_AVOID_WORK_MAX;
        nav_matrix matrix = {.costs = costs};
        nav_matrix_request request = {.sources = (const float(*)[3])sources,
                                      .targets = target,
                                      .source_count = 2 * each,
                                      .target_count = 1,
                                      .options = nav_options_default()};
        request.options.avoid = shapes;
        request.options.avoid_count = 3;
        request.options.avoid_work = &work;
        assert_int_equal(nav_query_matrix(mesh, scratch, &request, &matrix), NAV_OK);
        spent[k] = NAV_AVOID_WORK_MAX - work;
        for (uint32_t i = 0; i < 2 * each; ++i) {
            assert_true(isfinite(costs[i]));
        }
    }
    assert_true(spent[0] > 0);
    assert_int_equal(spent[1], spent[0]);
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
}

// A shape covers all ground of an island: its source is on the mesh, though no way leads anywhere
// else.
static void a_source_that_cannot_leave_is_on_the_mesh(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh(".#....");
    nav_scratch *scratch;
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    const nav_avoid shape = circle_at(0.5f, 0.5f, 1.2f);
    const float places[2][3] = {{0.5f, 0, 0.5f}, {4.5f, 0, 0.5f}};
    double costs[4];
    bool sources_found[2], targets_found[2];
    nav_matrix matrix = {
        .costs = costs, .sources_found = sources_found, .targets_found = targets_found};
    nav_matrix_request request = {.sources = places,
                                  .targets = places,
                                  .source_count = 2,
                                  .target_count = 2,
                                  .options = nav_options_default()};
    request.options.snap = (nav_snap){0.3f, 1, 1};
    request.options.avoid = &shape;
    request.options.avoid_count = 1;
    assert_int_equal(nav_query_matrix(mesh, scratch, &request, &matrix), NAV_OK);
    assert_true(sources_found[0] && sources_found[1] && targets_found[0] && targets_found[1]);
    assert_true(isinf(costs[1]) && isinf(costs[2]));
    assert_near(costs[3], 0.0, 1e-6);
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

#define MANY 5000

// The limit that ended the first rows is told, though the deadline is exceeded behind them.
static void the_first_limit_is_told(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh("..........");
    nav_scratch *scratch;
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    static float sources[MANY][3];
    static double costs[MANY];
    for (uint32_t i = 0; i < MANY; ++i) {
        sources[i][0] = sources[i][2] = 0.5f;
    }
    const float target[1][3] = {{9.5f, 0, 0.5f}};
    nav_matrix matrix = {.costs = costs};
    nav_matrix_request request = {.sources = (const float(*)[3])sources,
                                  .targets = target,
                                  .source_count = MANY,
                                  .target_count = 1,
                                  .options = nav_options_default(),
                                  .max_nodes = 3};
    uint32_t calls_left = 1;
    request.options.cancelled = deadline_exceeded;
    request.options.user = &calls_left;
    assert_int_equal(nav_query_matrix(mesh, scratch, &request, &matrix), NAV_OK);
    assert_int_equal(calls_left, NAV_NONE); // it has been exceeded
    assert_int_equal(matrix.reason, NAV_REASON_NODE_BUDGET);
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
    nav_avoid avoid = {.shape = NAV_AVOID_CIRCLE,
                       .center = {5.5f, 0.5f},
                       .radius = 0.3f,
                       .bottom = -1,
                       .top = 1,
                       .blocked = true};
    request.options.avoid = &avoid;
    for (int kind = 0; kind < 4; ++kind) {
        request.options.filter = kind == 1 ? &weighted : NULL;
        request.options.avoid_count = kind >= 2;
        avoid.center[0] = kind == 3 ? 3.5f : 5.5f; // around the first source
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
        assert_true(matrix.optimal == (kind == 0 || kind == 2));
        nav_scratch_destroy(scratch);
        assert_int_equal(c.held_bytes, 0);
    }
    nav_mesh_release(mesh);
}

// So many polygons meet in one place that nodes do not get around it from next to it: nothing that
// they miss is called out of reach, nor a cost the least.
static void a_fan_is_walked_around(void **state)
{
    (void)state;
    builder b;
    builder_init(&b);
    builder_fan(&b);
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
        cmocka_unit_test(a_crowd_of_sources_in_shapes_is_answered),
        cmocka_unit_test(rows_that_are_too_much_to_cut_are_undecided),
        cmocka_unit_test(sources_in_the_same_shapes_share_a_cut),
        cmocka_unit_test(a_source_that_cannot_leave_is_on_the_mesh),
        cmocka_unit_test(the_first_limit_is_told),
        cmocka_unit_test(limits_leave_cells_undecided),
        cmocka_unit_test(memory_is_asked_for_once),
    };
    return cmocka_run_group_tests_name("query_matrix", tests, NULL, NULL);
}
