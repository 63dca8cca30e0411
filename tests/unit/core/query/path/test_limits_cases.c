// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_limits_cases.c: limits of paths, by hand: links that climb straight up, shapes that part the
// goal from the start, and the prices of shapes.

#include "core/query/question/question.h"
#include "core/query/search/search.h"
#include "tests/unit/overlay_fixture.h"

static nav_path ask(const nav_mesh *mesh, const nav_path_request *request)
{
    nav_path path;
    assert_int_equal(nav_query_path(mesh, scratch, request, &path), NAV_OK);
    return path;
}

static void expect_none(const nav_path *path, nav_path_reason reason)
{
    assert_int_equal(path->status, NAV_PATH_NONE);
    assert_int_equal(path->reason, reason);
    assert_true(path->lower_bound < HUGE_VAL);
}

// ---- links with a cost of their own ----

// Two floors of 10 x 10, and a link of cost 100 that begins on the lower one.
static nav_mesh *floors_with_link(const float end[3], uint32_t flags)
{
    nav_link link = {.start = {5, 0, 5},
                     .end = {end[0], end[1], end[2]},
                     .radius = 0.25f,
                     .bidirectional = true,
                     .area = NAV_AREA_GROUND,
                     .has_cost = true,
                     .cost = 100.0f,
                     .flags = flags};
    nav_config config = nav_config_default();
    builder b;
    config.links = &link;
    config.link_count = 1;
    builder_init(&b);
    builder_rectangle(&b, 0, 0, 10, 5, 0);
    builder_rectangle(&b, 0, 5, 10, 10, 0);
    builder_rectangle(&b, 0, 0, 10, 10, 3);
    nav_mesh *mesh = builder_mesh_with(&b, &config, NULL);
    builder_free(&b);
    mesh->agent_radius = 0.0f;
    mesh->area_flags[NAV_AREA_GROUND] = 1;
    return mesh;
}

// It has no length in plan view, and its cost says nothing about that of a length.
static void a_lift_may_be_dear_and_short(void **state)
{
    (void)state;
    nav_mesh *mesh = floors_with_link((const float[3]){5, 3, 5}, 0);
    nav_path_request request = {
        .start = {2, 0, 5}, .end = {8, 3, 5}, .options.snap = {1, 1, 1}, .no_partial = true};
    for (int search = NAV_SEARCH_AUTO; search <= NAV_SEARCH_EXACT; ++search) {
        request.search = (nav_search)search;
        request.max_length = 9.1;
        const nav_path path = ask(mesh, &request);
        assert_int_equal(path.status, NAV_PATH_COMPLETE);
        assert_near(path.cost, 106.0, 1e-4);
        assert_near(path.length, 9.0, 1e-4);
        request.max_length = 8.9;
        const nav_path beyond = ask(mesh, &request);
        expect_none(&beyond, NAV_REASON_MAX_LENGTH);
    }
    nav_mesh_release(mesh);
}

static void links_that_are_closed_limit_nothing(void **state)
{
    (void)state;
    static const struct {
        nav_filter filter;
        bool is_closed;
    } cases[] = {{{.exclude = 2}, true},
                 {{.include = 1}, true},
                 {{.include = 3}, false},
                 {{.exclude = 4}, false}};
    nav_mesh *mesh = floors_with_link((const float[3]){5, 3, 7}, 2);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const nav_path_request request = {.options.filter = &cases[i].filter, .max_length = 20};
        nav_view view;
        assert_true(nav_view_begin(mesh, scratch, &request.options, &view));
        assert_int_equal(nav_path_cost_limit(&view, &request) < HUGE_VAL, cases[i].is_closed);
    }
    nav_mesh_release(mesh);
}

// ---- shapes ----

// Where no path is left whatever it may cost, that is the reason, as without limits.
static void shapes_may_part_the_goal(void **state)
{
    (void)state;
    const nav_avoid wall = box(4, -1, 4.5f, 11, INFINITY);
    nav_mesh *const meshes[] = {
        floors_with_link((const float[3]){9, 0, 5}, 0),
        thin_rectangles(2, (const int32_t[][5]){{0, 0, 10, 5, 0}, {0, 5, 10, 10, 0}})};
    for (size_t i = 0; i < sizeof meshes / sizeof meshes[0]; ++i) {
        nav_path_request request = {
            .start = {1, 0, 2}, .end = {8, 0, 2}, .options = with(&wall, 1), .no_partial = true};
        for (int search = NAV_SEARCH_AUTO; search <= NAV_SEARCH_EXACT; ++search) {
            request.search = (nav_search)search;
            request.max_length = request.max_cost = 0.0;
            nav_path path = ask(meshes[i], &request);
            expect_none(&path, NAV_REASON_BLOCKED);
            request.max_length = 50.0;
            path = ask(meshes[i], &request);
            expect_none(&path, NAV_REASON_BLOCKED);
            request.max_length = 0.0;
            request.max_cost = 500.0;
            path = ask(meshes[i], &request);
            expect_none(&path, NAV_REASON_BLOCKED);
        }
        // Nobody has seen what lies behind the limit.
        request.max_cost = 7.5;
        const nav_path path = ask(meshes[i], &request);
        expect_none(&path, NAV_REASON_MAX_COST);
        nav_mesh_release(meshes[i]);
    }
}

// Ground costs no more than the dearest that shapes have left of it: their prices multiply only
// where they lie over each other.
static void the_dearest_ground_is_that_of_the_cut(void **state)
{
    (void)state;
    const nav_avoid list[] = {box(40, 10, 60, 20, 3), box(40, 70, 60, 80, 2), box(2, 2, 4, 4, 0.5f),
                              box(40, 75, 60, 90, 1.25f)};
    nav_mesh *mesh = plain_mesh(100);
    const nav_options options = with(list, 4);
    nav_view view;
    assert_true(nav_view_begin(mesh, scratch, &options, &view));
    const nav_path_request request = {.max_length = 50};
    assert_near(nav_path_cost_limit(&view, &request), 150.0, 0.1);
    nav_mesh_release(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lift_may_be_dear_and_short),
        cmocka_unit_test(links_that_are_closed_limit_nothing),
        cmocka_unit_test(shapes_may_part_the_goal),
        cmocka_unit_test(the_dearest_ground_is_that_of_the_cut),
    };
    return cmocka_run_group_tests(tests, scratch_begin, scratch_end);
}
