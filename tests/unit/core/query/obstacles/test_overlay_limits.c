// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// The work for the shapes of one question has a limit, beyond which they are refused and leave
// nothing behind; up to it, all of them count.

#include "tests/unit/overlay_fixture.h"

// As many as there may be, in rows; every one is a hole of its own.
static void many_shapes_in_one_polygon_are_all_cut_out(void **state)
{
    (void)state;
    static nav_avoid list[NAV_AVOID_MAX];
    nav_mesh *mesh = plain_mesh(320);
    for (uint32_t i = 0; i < NAV_AVOID_MAX; ++i) {
        list[i] =
            circle(5.1f + 10.0f * (float)(i % 32), 5.3f + 10.0f * (float)(i / 32), 3.0f, INFINITY);
    }
    const nav_options options = with(list, NAV_AVOID_MAX);
    nav_view view;
    assert_true(nav_view_begin(mesh, scratch, &options, &view));
    const double hole = 16.0 * 9.0 * tan(acos(-1.0) / 16.0);
    assert_near(open_area(&view, 1.0f), 320.0 * 320.0 - NAV_AVOID_MAX * hole, 1.0);
    check_faces(&view);
    nav_path_request request = {.start = {0.5f, 0, 0.5f}, .end = {319.5f, 0, 319.5f}};
    request.options = options;
    nav_path path;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    assert_int_equal(path.status, NAV_PATH_COMPLETE);
    nav_mesh_release(mesh);
}

// Shapes that all lie over each other leave a number of pieces that grows with its square.
static void too_much_to_cut_is_refused_and_leaves_nothing(void **state)
{
    (void)state;
    static nav_avoid list[NAV_AVOID_MAX];
    uint64_t random = 3;
    nav_mesh *mesh = plain_mesh(1000);
    for (uint32_t i = 0; i < NAV_AVOID_MAX; ++i) {
        const float x = random_part(&random) * 1000.0f, z = random_part(&random) * 1000.0f;
        list[i] = circle(x, z, 300.0f, 2.0f);
    }
    nav_path_request request = {.start = {1, 0, 1}, .end = {999, 0, 999}};
    request.options = with(list, NAV_AVOID_MAX);
    nav_path path;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_NO_MEMORY);
    assert_true(nav_scratch_avoid_refused(scratch));
    assert_int_equal(scratch->overlay_memory.held_bytes, 0);
    // "The same again" is not what is left of a question that failed.
    request.options.avoid_repeated = true;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_NO_MEMORY);
    request.options = with(list, 3);
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    assert_false(nav_scratch_avoid_refused(scratch));
    assert_int_equal(path.status, NAV_PATH_COMPLETE);
    nav_mesh_release(mesh);
}

static void many_prices_leave_the_ground_open(void **state)
{
    (void)state;
    nav_mesh *mesh = plain_mesh(10);
    nav_avoid list[8];
    for (uint32_t i = 0; i < 8; ++i) {
        list[i] = box(0, 0, 10, 10, 1e6f);
    }
    nav_path_request request = {.start = {1, 0, 1}, .end = {4, 0, 5}};
    request.options = with(list, 8);
    nav_path path;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    assert_int_equal(path.status, NAV_PATH_COMPLETE);
    assert_near(path.cost / (5.0 * NAV_AVOID_COST_MAX), 1.0, 1e-5);
    for (uint32_t i = 0; i < 8; ++i) {
        list[i].cost = 1e-6f;
    }
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    assert_int_equal(path.status, NAV_PATH_COMPLETE);
    assert_true(path.cost > 0.0 && path.lower_bound <= path.cost);
    nav_mesh_release(mesh);
}

static void shapes_used_again_answer_the_same(void **state)
{
    (void)state;
    nav_mesh *mesh = plain_mesh(10);
    const nav_avoid list[] = {box(3, -1, 7, 8, INFINITY)};
    nav_path_request request = {.start = {1, 0, 1}, .end = {9, 0, 1}};
    request.options = with(list, 1);
    nav_path first, again;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &first), NAV_OK);
    const nav_portal *portals = scratch->overlay.portals;
    request.options.avoid_repeated = true;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &again), NAV_OK);
    assert_ptr_equal(scratch->overlay.portals, portals);
    assert_true(again.cost == first.cost && first.cost > 14.0);
    nav_mesh_release(mesh);
}

static void several_questions_share_what_shapes_may_cost(void **state)
{
    (void)state;
    nav_mesh *mesh = plain_mesh(10);
    const nav_avoid list[] = {box(3, -1, 7, 8, INFINITY)};
    uint64_t work = 2000;
    nav_path_request request = {.start = {1, 0, 1}, .end = {9, 0, 1}};
    request.options = with(list, 1);
    request.options.avoid_work = &work;
    nav_path path;
    uint32_t answers = 0;
    for (uint64_t before = work;; before = work, ++answers) {
        if (nav_query_path(mesh, scratch, &request, &path) != NAV_OK) {
            break;
        }
        assert_true(work < before && answers < 100);
    }
    assert_true(answers > 1 && nav_scratch_avoid_refused(scratch));
    request.options.avoid_work = NULL;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    nav_mesh_release(mesh);
}

// Both triangles of a polygon are looked at along the whole outline.
static void triangles_under_an_outline_are_counted(void **state)
{
    (void)state;
    nav_mesh *mesh = plain_mesh(10);
    const nav_avoid shape = circle(5, 5, 2, INFINITY);
    for (uint64_t missing = 0; missing < 2; ++missing) {
        nav_arena memory;
        nav_outline outline;
        nav_arena_init(&memory, NULL, 0);
        nav_overlay_budget budget = {.kept = &memory, .arena = &memory, .work = 10000};
        assert_true(nav_outline_create(&shape, 0.0, &budget, &outline));
        budget.work = 1u + outline.count * (1u + 2u) + 1u - missing;
        const nav_touch_list list = nav_touches_list(mesh, &outline, 1, &budget);
        assert_int_equal(budget.refused, missing == 1);
        assert_int_equal(list.count, 1 - missing);
        assert_int_equal(budget.work, 0);
        nav_arena_free(&memory);
    }
    nav_mesh_release(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_shapes_in_one_polygon_are_all_cut_out),
        cmocka_unit_test(too_much_to_cut_is_refused_and_leaves_nothing),
        cmocka_unit_test(many_prices_leave_the_ground_open),
        cmocka_unit_test(shapes_used_again_answer_the_same),
        cmocka_unit_test(several_questions_share_what_shapes_may_cost),
        cmocka_unit_test(triangles_under_an_outline_are_counted),
    };
    return cmocka_run_group_tests(tests, scratch_begin, scratch_end);
}
