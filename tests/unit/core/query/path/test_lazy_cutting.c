// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_lazy_cutting.c: shapes that are not in the way of a path cost next to nothing, and a path is
// proven where none is in its way.

#include "tests/unit/overlay_fixture.h"

#define BESIDE_MAX 60

static nav_path ask(const nav_mesh *mesh, const nav_options *options, nav_search search, float x0,
                    float z0, float x1, float z1)
{
    const nav_path_request request = {
        .start = {x0, 0, z0}, .end = {x1, 0, z1}, .options = *options, .search = search};
    nav_path path;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    return path;
}

static void what_is_not_in_the_way_is_not_cut(void **state)
{
    (void)state;
    nav_mesh *mesh = plain_mesh(100);
    const nav_avoid lists[][1] = {{circle(50, 55, 4.9f, INFINITY)}, {box(20, 51, 80, 90, 3.0f)}};
    for (int i = 0; i < 2; ++i) {
        uint64_t work = 100000;
        nav_options options = with(lists[i], 1);
        options.avoid_work = &work;
        for (int search = NAV_SEARCH_AUTO; search <= NAV_SEARCH_EXACT; ++search) {
            const nav_path path = ask(mesh, &options, (nav_search)search, 10, 50, 90, 50);
            assert_int_equal(path.status, NAV_PATH_COMPLETE);
            assert_true(path.optimal);
            assert_near(path.cost, 80.0, 1e-4);
        }
        assert_true(work > 99000); // an outline at most
    }
    nav_mesh_release(mesh);
}

// Shapes that share no ground with those in the way stay uncut: here there are two rows of polygons
// between them.
static void only_what_is_in_the_way_is_cut(void **state)
{
    (void)state;
    nav_mesh *mesh = thin_rectangles(7, (const int32_t[][5]){{0, 0, 200, 80, 0},
                                                             {0, 80, 200, 85, 0},
                                                             {0, 85, 200, 90, 0},
                                                             {0, 90, 200, 110, 0},
                                                             {0, 110, 200, 115, 0},
                                                             {0, 115, 200, 120, 0},
                                                             {0, 120, 200, 200, 0}});
    nav_avoid list[BESIDE_MAX + 1];
    for (uint32_t i = 0; i < BESIDE_MAX; ++i) {
        list[i] = circle(10.0f + 3.0f * (float)i, i % 2 == 0 ? 70.0f : 130.0f, 2.0f, INFINITY);
    }
    list[BESIDE_MAX] = circle(100, 100, 5, INFINITY);
    const nav_options options = with(list, BESIDE_MAX + 1);
    const nav_path path = ask(mesh, &options, NAV_SEARCH_AUTO, 10, 100, 190, 100);
    assert_int_equal(path.status, NAV_PATH_COMPLETE);
    assert_in_range(scratch->overlay.count.polygons, 1, 16);
    assert_true(path.cost > 180.2 && path.cost < 180.5);
    // The proof around one shape holds for all: the others are not in the way.
    assert_true(path.optimal);
    // The next path finds them cut, and cuts those that it meets itself.
    nav_options again = options;
    again.avoid_repeated = true;
    const nav_portal *portals = scratch->overlay.portals;
    assert_true(ask(mesh, &again, NAV_SEARCH_AUTO, 10, 100, 190, 100).cost == path.cost);
    assert_ptr_equal(scratch->overlay.portals, portals);
    assert_true(ask(mesh, &again, NAV_SEARCH_AUTO, 6, 70, 194, 70).cost > 188.1);
    assert_in_range(scratch->overlay.count.polygons, 17, 1000);
    nav_mesh_release(mesh);
}

// The way around one box leads into the next.
static void a_way_around_heeds_what_comes_next(void **state)
{
    (void)state;
    nav_mesh *mesh = plain_mesh(40);
    const nav_avoid list[] = {box(10, 18, 12, 24, INFINITY), box(14, 10, 16, 19, INFINITY),
                              box(18, 17, 20, 30, INFINITY), box(2, 2, 4, 4, INFINITY)};
    const nav_options options = with(list, 4);
    const nav_path path = ask(mesh, &options, NAV_SEARCH_FAST, 5, 20, 25, 20);
    assert_int_equal(path.status, NAV_PATH_COMPLETE);
    for (uint32_t i = 1; i < path.point_count; ++i) {
        const float *a = path.points + 3 * (i - 1), *b = a + 3;
        for (int step = 0; step <= 500; ++step) {
            const float t = (float)step / 500.0f;
            const float x = a[0] + (b[0] - a[0]) * t, z = a[2] + (b[2] - a[2]) * t;
            for (uint32_t k = 0; k < 4; ++k) {
                assert_false(x > list[k].min[0] + 1e-3f && x < list[k].max[0] - 1e-3f &&
                             z > list[k].min[1] + 1e-3f && z < list[k].max[1] - 1e-3f);
            }
        }
    }
    nav_mesh_release(mesh);
}

static void cheap_ground_beside_the_path_attracts_it(void **state)
{
    (void)state;
    nav_mesh *mesh = plain_mesh(40);
    const nav_avoid list[] = {box(5, 22, 35, 24, 0.1f)};
    const nav_options options = with(list, 1);
    const nav_path path = ask(mesh, &options, NAV_SEARCH_FAST, 5, 20, 35, 20);
    assert_true(path.cost < 15.0 && path.lower_bound <= path.cost);
    nav_mesh_release(mesh);
}

// Fragments cut for one question are not taken for the shapes of another.
static void other_shapes_are_other_shapes(void **state)
{
    (void)state;
    nav_mesh *mesh = plain_mesh(40);
    const nav_avoid low = box(18, -1, 22, 30, INFINITY), high = box(18, 10, 22, 41, INFINITY);
    nav_options first = with(&low, 1), second = with(&high, 1);
    assert_true(ask(mesh, &first, NAV_SEARCH_FAST, 5, 20, 35, 20).cost > 33.0);
    assert_true(scratch->overlay.count.fragments > 0);
    // Not in the way of this path.
    assert_near(ask(mesh, &second, NAV_SEARCH_FAST, 5, 5, 35, 5).cost, 30.0, 1e-4);
    assert_int_equal(scratch->overlay.count.fragments, 0);
    second.avoid_repeated = true;
    const nav_path path = ask(mesh, &second, NAV_SEARCH_FAST, 5, 35, 35, 35);
    assert_true(path.cost > 50.0 && path.points[3 + 2] < 10.1f);
    nav_mesh_release(mesh);
}

static void another_storey_is_not_in_the_way(void **state)
{
    (void)state;
    nav_mesh *mesh = thin_rectangles(2, (const int32_t[][5]){{0, 0, 10, 10, 0}, {0, 0, 10, 10, 5}});
    nav_avoid shape = box(4, -1, 6, 8, INFINITY);
    const nav_options options = with(&shape, 1);
    assert_true(ask(mesh, &options, NAV_SEARCH_AUTO, 1, 5, 9, 5).cost > 9.0);
    shape.bottom = 4;
    shape.top = 6;
    const nav_path path = ask(mesh, &options, NAV_SEARCH_AUTO, 1, 5, 9, 5);
    assert_true(path.optimal);
    assert_near(path.cost, 8.0, 1e-4);
    nav_mesh_release(mesh);
}

// The way around the box on the left meets the one on the right, which cuts the ground where the
// link begins. The way without the link is long.
static void a_link_begins_in_ground_that_is_cut_later(void **state)
{
    (void)state;
    nav_mesh *mesh = thin_rectangles(11, (const int32_t[][5]){{0, 0, 10, 20, 0},
                                                              {10, 0, 11, 20, 0},
                                                              {11, 0, 12, 20, 0},
                                                              {12, 0, 13, 20, 0},
                                                              {13, 0, 14, 20, 0},
                                                              {14, 0, 24, 20, 0},
                                                              {30, 0, 40, 20, 0},
                                                              {-10, 0, 0, 20, 0},
                                                              {-10, -10, 0, 0, 0},
                                                              {0, -10, 30, 0, 0},
                                                              {30, -10, 40, 0, 0}});
    const nav_link link = {.start = {23, 0, 10}, .end = {32, 0, 10}, .radius = 1, .area = 1};
    const nav_overlay_items parts = {.links = &link, .link_count = 1};
    nav_overlay *world;
    assert_int_equal(nav_overlay_create(mesh, scratch, NULL, &parts, &world, NULL), NAV_OK);
    const nav_avoid list[] = {box(4, 8, 6, 10.5f, INFINITY),
                              box(17.5f, 10.07f, 18.5f, 15, INFINITY)};
    nav_options options = with(list, 2);
    options.overlay = world;
    for (int search = NAV_SEARCH_AUTO; search <= NAV_SEARCH_EXACT; ++search) {
        const nav_path path = ask(mesh, &options, (nav_search)search, 1, 10, 33, 10);
        assert_int_equal(path.status, NAV_PATH_COMPLETE);
        assert_true(path.cost > 32.0 && path.cost < 32.2);
        assert_true(path.optimal || search == NAV_SEARCH_FAST);
    }
    nav_overlay_release(world);
    nav_mesh_release(mesh);
}

// The goal stands on the rim of a ledge that cannot be reached, but is no higher than a climb. With
// the ledge blocked it is on the ground below; with no_partial that way is found as well. A ledge
// that is higher is another storey, and the goal stays up there.
static void a_shape_may_move_the_goal_to_ground_that_leads_on(void **state)
{
    (void)state;
    nav_mesh *mesh =
        thin_rectangles(2, (const int32_t[][5]){{0, 0, 10, 10, 0}, {10, 0, 20, 10, 2}});
    nav_avoid ledge = box(9, 3, 21, 7, INFINITY);
    ledge.bottom = 1;
    ledge.top = 3;
    nav_path_request request = {.start = {1, 0, 5}, .end = {10, 2, 5}, .options = with(&ledge, 1)};
    mesh->agent_height = 5.0f;
    for (int i = 0; i < 8; ++i) {
        nav_path path;
        const bool leads = i % 4 >= 2 && i < 4;
        request.no_partial = i % 2 == 1;
        request.options.avoid_count = i % 4 >= 2;
        mesh->agent_max_climb = i < 4 ? 2.0f : 1.0f;
        assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
        assert_int_equal(path.status, leads                ? NAV_PATH_COMPLETE
                                      : request.no_partial ? NAV_PATH_NONE
                                                           : NAV_PATH_PARTIAL);
        assert_true(path.end[1] == (leads ? 0.0f : 2.0f));
    }
    nav_mesh_release(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_in_the_way_is_not_cut),
        cmocka_unit_test(only_what_is_in_the_way_is_cut),
        cmocka_unit_test(a_way_around_heeds_what_comes_next),
        cmocka_unit_test(cheap_ground_beside_the_path_attracts_it),
        cmocka_unit_test(other_shapes_are_other_shapes),
        cmocka_unit_test(another_storey_is_not_in_the_way),
        cmocka_unit_test(a_link_begins_in_ground_that_is_cut_later),
        cmocka_unit_test(a_shape_may_move_the_goal_to_ground_that_leads_on),
    };
    return cmocka_run_group_tests(tests, scratch_begin, scratch_end);
}
