// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// Shapes to avoid are cut out of the ground, or make it dearer, for one question: what is left are
// convex polygons that cover exactly what the shapes leave, joined wherever they touch.

#include "core/query/question/question.h"
#include "tests/unit/overlay_fixture.h"

static void a_box_is_cut_out(void **state)
{
    (void)state;
    nav_mesh *mesh = thin_mesh("..../..../..../....");
    const nav_avoid shapes[] = {box(0.5f, 0.25f, 2.5f, 3.0f, INFINITY)};
    const nav_options options = with(shapes, 1);
    nav_view view;
    assert_true(nav_view_begin(mesh, scratch, &options, &view));
    assert_near(open_area(&view, 1.0f), 16.0 - 2.0 * 2.75, 1e-6);
    nav_mesh_release(mesh);
}

static void prices_multiply_where_shapes_overlap(void **state)
{
    (void)state;
    nav_mesh *mesh = thin_mesh("..../..../..../....");
    const nav_avoid shapes[] = {box(0, 0, 2, 2, 3.0f), box(1, 1, 3, 3, 2.0f)};
    const nav_options options = with(shapes, 2);
    nav_view view;
    assert_true(nav_view_begin(mesh, scratch, &options, &view));
    assert_near(open_area(&view, 3.0f), 3.0, 1e-6);
    assert_near(open_area(&view, 2.0f), 3.0, 1e-6);
    assert_near(open_area(&view, 6.0f), 1.0, 1e-6);
    assert_near(open_area(&view, 1.0f), 9.0, 1e-6);
    assert_false(view.costs->uniform);
    assert_near(view.costs->bound, 1.0, 1e-6);
    nav_mesh_release(mesh);
}

static void a_blocking_shape_keeps_the_radius(void **state)
{
    (void)state;
    nav_config config = nav_config_default();
    config.agent_radius = 0.5f;
    nav_mesh *mesh = map_mesh_with("........../........../........../........../........../"
                                   "........../........../........../........../..........",
                                   &config, NULL);
    const nav_avoid circle = {.shape = NAV_AVOID_CIRCLE,
                              .blocked = true,
                              .center = {5, 5},
                              .radius = 1,
                              .bottom = -1,
                              .top = 1};
    const nav_options options = with(&circle, 1);
    nav_view view;
    assert_true(nav_view_begin(mesh, scratch, &options, &view));
    const double cut = 100.0 - open_area(&view, 1.0f);
    // 16 tangents of a circle of radius 1.5.
    assert_near(cut, 16.0 * 2.25 * tan(acos(-1.0) / 16.0), 1e-4);
    for (uint32_t i = 0; i < nav_view_polygons(&view); ++i) {
        const nav_face face = nav_view_face(&view, i);
        for (uint32_t k = 0; k < face.corner_count && nav_polygon_cost(&view, i) < INFINITY; ++k) {
            const float *at = nav_view_vertex_xz(&view, face.corners[k]);
            assert_true(hypot((double)at[0] - 5.0, (double)at[2] - 5.0) > 1.5 - 1e-5);
        }
    }
    nav_mesh_release(mesh);
}

// The 16 tangents of a half circle at each end, and what is between: its area is that of the circle
// and a box. One whose ends are the same place is a circle.
static void a_capsule_is_round_at_both_ends(void **state)
{
    (void)state;
    nav_mesh *mesh = plain_mesh(10);
    const double pi = acos(-1.0);
    for (int step = 0; step <= 4; ++step) {
        nav_avoid shape = circle(5, 5, 1.5f, INFINITY);
        shape.shape = NAV_AVOID_CAPSULE;
        // Along tangents only: else the sides cut a corner off.
        const double length = step * 0.5, turn = pi / 8.0 * step;
        shape.end[0] = (float)(5.0 + length * cos(turn));
        shape.end[1] = (float)(5.0 + length * sin(turn));
        const nav_options options = with(&shape, 1);
        nav_view view;
        assert_true(nav_view_begin(mesh, scratch, &options, &view));
        const double round = 16.0 * 2.25 * tan(pi / 16.0);
        assert_near(100.0 - open_area(&view, 1.0f), round + 3.0 * length, 1e-4);
    }
    nav_mesh_release(mesh);
}

static void another_storey_is_left_alone(void **state)
{
    (void)state;
    nav_mesh *mesh = thin_rectangles(2, (const int32_t[][5]){{0, 0, 10, 10, 0}, {0, 0, 10, 10, 5}});
    nav_avoid shape = box(2, 2, 8, 8, INFINITY);
    shape.bottom = 4.0f;
    shape.top = 6.0f;
    const nav_options options = with(&shape, 1);
    nav_view view;
    assert_true(nav_view_begin(mesh, scratch, &options, &view));
    assert_near(open_area(&view, 1.0f), 200.0 - 36.0, 1e-6);
    nav_location place;
    const float low[3] = {5, 0, 5}, high[3] = {5, 5, 5};
    assert_true(nav_view_snap(&view, &options, low, &place) && place.position[1] == 0.0f);
    const nav_options near = {.snap = {0.001f, 1, 1}, .avoid = &shape, .avoid_count = 1};
    assert_false(nav_view_snap(&view, &near, high, &place));
    nav_mesh_release(mesh);
}

// ---- paths ----

static void dear_ground_is_walked_around_where_that_is_cheaper(void **state)
{
    (void)state;
    nav_mesh *mesh = thin_mesh("........../........../........../........../..........");
    nav_avoid shape = box(3, 1, 7, 5, 10.0f);
    nav_path_request request = {.start = {1, 0, 3}, .end = {9, 0, 3}, .options = with(&shape, 1)};
    nav_path path;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    assert_near(path.cost, 2.0 * sqrt(8.0) + 4.0, 1e-4);
    shape.cost = 1.1f;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    assert_near(path.cost, 4.0 + 4.4, 1e-4);
    // Cheaper than the ground: worth a way, and the bound knows it.
    shape.cost = 0.1f;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    assert_near(path.cost, 4.0 + 0.4, 1e-4);
    assert_true(path.lower_bound <= path.cost);
    nav_mesh_release(mesh);
}

// Two rooms touch one line, which is a polygon without area; a way leads along it from one to the
// other, through a shape that makes part of it dear, or closes it.
static void a_line_between_two_rooms_is_cut_in_stretches(void **state)
{
    (void)state;
    builder b;
    builder_init(&b);
    builder_rectangle(&b, 4, 0, 9, 2, 0);
    builder_rectangle(&b, 4, 6, 9, 8, 0);
    builder_polygon(&b, 4, (const int32_t[][3]){{4, 0, 8}, {4, 0, 6}, {4, 0, 2}, {4, 0, 0}});
    nav_mesh *mesh = builder_mesh(&b);
    mesh->agent_radius = 0.0f;
    nav_avoid shape = box(3, 3, 5, 4.5f, 3.0f);
    nav_path_request request = {.start = {7, 0, 1}, .end = {7, 0, 7}, .options = with(&shape, 1)};
    nav_path path;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    assert_int_equal(path.status, NAV_PATH_COMPLETE);
    assert_near(path.length, 2.0 * sqrt(10.0) + 4.0, 1e-3);
    assert_near(path.cost, 2.0 * sqrt(10.0) + 2.5 + 1.5 * 3.0, 1e-2);
    shape.blocked = true;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    assert_int_equal(path.reason, NAV_REASON_BLOCKED);
    nav_mesh_release(mesh);
    builder_free(&b);
}

static void a_link_ends_where_a_shape_leaves_ground(void **state)
{
    (void)state;
    nav_link link = {.start = {0.5f, 0, 0.5f},
                     .end = {4.5f, 0, 0.5f},
                     .radius = 0.2f,
                     .area = NAV_AREA_GROUND,
                     .bidirectional = true};
    nav_config config = nav_config_default();
    config.links = &link;
    config.link_count = 1;
    nav_mesh *mesh = map_mesh_with("..##...", &config, NULL);
    mesh->agent_radius = 0.0f;
    // A shape over half of the cells that it begins and ends in, but not over its ends.
    const nav_avoid beside[] = {box(0, 0.75f, 7, 1, INFINITY)};
    nav_path_request request = {
        .start = {1.5f, 0, 0.25f}, .end = {6.5f, 0, 0.25f}, .options = with(beside, 1)};
    nav_path path;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    assert_int_equal(path.status, NAV_PATH_COMPLETE);
    const nav_avoid over[] = {box(4.25f, 0.25f, 4.75f, 0.75f, INFINITY)};
    request.options = with(over, 1);
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    assert_int_equal(path.reason, NAV_REASON_BLOCKED);
    nav_mesh_release(mesh);
}

// ---- places ----

// The start's island has no polygon but the one that the shape has cut.
static void a_partial_path_ends_on_a_piece(void **state)
{
    (void)state;
    nav_mesh *mesh =
        thin_rectangles(2, (const int32_t[][5]){{0, 0, 10, 10, 0}, {20, 0, 30, 10, 0}});
    const nav_avoid shape = box(4, 4, 6, 6, INFINITY);
    nav_path_request request = {.start = {1, 0, 5}, .end = {25, 0, 5}, .options = with(&shape, 1)};
    nav_path path;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    assert_int_equal(path.status, NAV_PATH_PARTIAL);
    assert_int_equal(path.reason, NAV_REASON_UNREACHABLE);
    const float *last = path.points + 3 * (size_t)(path.point_count - 1);
    assert_near(last[0], 10.0, 1e-4);
    assert_near(last[2], 5.0, 1e-4);
    nav_mesh_release(mesh);
}

static void a_polygon_in_pieces_is_one_place(void **state)
{
    (void)state;
    nav_mesh *mesh = plain_mesh(10);
    const nav_avoid shape = box(4, 4, 6, 6, INFINITY);
    const nav_options options = {.snap = {20, 1, 1}, .avoid = &shape, .avoid_count = 1};
    nav_location places[8];
    uint32_t count;
    const float point[3] = {5, 0, 4.5f};
    assert_int_equal(
        nav_query_nearest_reachable(mesh, scratch, point, NULL, &options, places, 8, &count),
        NAV_OK);
    assert_int_equal(count, 1);
    assert_near(places[0].position[2], 4.0, 1e-5);
    // Where two pieces meet there is one floor.
    for (int i = 0; i <= 100; ++i) {
        assert_int_equal(
            nav_query_floors(mesh, scratch, (float)i / 10.0f, 4.0f, &options, places, 8, &count),
            NAV_OK);
        assert_int_equal(count, 1);
    }
    nav_mesh_release(mesh);
}

// One polygon beside one whose pieces are many along the common edge: none of that is a wall, but
// for one hole.
static void an_edge_of_many_portals_is_no_wall(void **state)
{
    (void)state;
    nav_mesh *mesh =
        thin_rectangles(2, (const int32_t[][5]){{0, 0, 400, 100, 0}, {0, 100, 400, 200, 0}});
    nav_avoid list[101];
    for (uint32_t i = 0; i < 100; ++i) {
        list[i] = box(4.0f * (float)i + 1.0f, 99.0f, 4.0f * (float)i + 2.0f, 102.0f, 2.0f);
        list[i].min[1] = 100.0f;
    }
    list[100] = box(390, 100, 391, 110, INFINITY);
    const nav_options options = with(list, 101);
    nav_wall wall;
    for (float x = 2.0f; x < 390.0f; x += 3.7f) {
        const float point[3] = {x, 0, 99};
        assert_int_equal(nav_query_wall(mesh, scratch, point, 500.0f, &options, &wall), NAV_OK);
        const double hole = hypot(390.0 - (double)x, 1.0);
        const double side = fmin((double)x, hole);
        assert_true(wall.hit);
        assert_near(wall.distance, fmin(side, 99.0), 1e-3);
    }
    nav_mesh_release(mesh);
}

// The floor below goes before the ceiling above, with a shape nearby as without.
static void a_shape_does_not_change_the_floor(void **state)
{
    (void)state;
    nav_mesh *mesh = thin_rectangles(2, (const int32_t[][5]){{0, 0, 10, 10, 0}, {0, 0, 10, 10, 5}});
    const nav_avoid shape = {.shape = NAV_AVOID_BOX,
                             .blocked = true,
                             .min = {7, 7},
                             .max = {8, 8},
                             .bottom = -10,
                             .top = 10};
    for (uint32_t shape_count = 0; shape_count <= 1; ++shape_count) {
        nav_avoid one = shape;
        for (int only_low = 0; only_low <= 1; ++only_low) {
            one.top = only_low ? 1.0f : 10.0f;
            const nav_options options = {
                .snap = {2, 4, 4}, .avoid = &one, .avoid_count = shape_count};
            const float point[3] = {2, 3, 2};
            nav_location places[2];
            uint32_t count;
            assert_int_equal(nav_query_nearest_reachable(mesh, scratch, point, NULL, &options,
                                                         places, 2, &count),
                             NAV_OK);
            assert_int_equal(count, 2);
            assert_near(places[0].position[1], 0.0, 1e-5);
            assert_near(places[1].position[1], 5.0, 1e-5);
        }
    }
    nav_mesh_release(mesh);
}

// A ramp of one polygon, as high as x: a shape takes the ground inside of it where any of that is
// at the heights that it stands on, both included.
static void a_shape_on_a_ramp_takes_all_or_nothing(void **state)
{
    (void)state;
    static const int32_t corners[4][3] = {{0, 0, 0}, {0, 0, 4}, {10, 10, 4}, {10, 10, 0}};
    static const struct {
        float bottom, top;
        bool cuts;
    } cases[] = {{4.5f, 5.5f, true},   {5.0f, 5.5f, true},  {4.5f, 5.0f, true},
                 {3.0f, 3.9f, false},  {3.0f, 4.1f, true},  {6.1f, 6.2f, false},
                 {-1.0f, 3.9f, false}, {5.9f, 11.0f, true}, {6.1f, 11.0f, false},
                 {0, 10, true}};
    builder b;
    builder_init(&b);
    builder_polygon(&b, 4, corners);
    nav_mesh *mesh = builder_mesh(&b);
    builder_free(&b);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        nav_avoid shape = box(4, 1, 6, 3, 3.0f);
        shape.bottom = cases[i].bottom;
        shape.top = cases[i].top;
        const nav_options options = with(&shape, 1);
        nav_view view;
        assert_true(nav_view_begin(mesh, scratch, &options, &view));
        assert_near(open_area(&view, 3.0f), cases[i].cuts ? 4.0 : 0.0, 1e-4);
    }
    nav_mesh_release(mesh);
}

// The same ramp: of the ground that a shape takes a larger one, or one among others, opens none.
static void a_larger_shape_on_a_ramp_opens_nothing(void **state)
{
    (void)state;
    static const int32_t corners[4][3] = {{0, 0, 0}, {0, 0, 4}, {10, 10, 4}, {10, 10, 0}};
    builder b;
    builder_init(&b);
    builder_polygon(&b, 4, corners);
    nav_mesh *mesh = builder_mesh(&b);
    builder_free(&b);
    mesh->agent_radius = 0.0f;
    for (float right = 3; right < 8.5f; right += 0.5f) {
        nav_avoid shapes[2] = {box(2, -1, right, 5, INFINITY), box(2.5f, 1, 8, 3, 3.0f)};
        shapes[0].bottom = 0;
        shapes[0].top = 2.5f;
        for (uint32_t count = 1; count <= 2; ++count) {
            const nav_path_request request = {
                .start = {1, 1, 2}, .end = {9, 9, 2}, .options = with(shapes, count)};
            nav_path path;
            assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
            assert_int_not_equal(path.status, NAV_PATH_COMPLETE);
        }
    }
    nav_mesh_release(mesh);
}

// Where many shapes touch a polygon it is parted at its middle: a corner that lies there belongs to
// both parts.
static void a_corner_at_the_middle_is_in_both_parts(void **state)
{
    (void)state;
    builder b;
    builder_init(&b);
    builder_polygon(&b, 3, (const int32_t[][3]){{0, 0, 0}, {8, 0, 16}, {16, 0, 0}});
    nav_mesh *mesh = builder_mesh(&b);
    builder_free(&b);
    mesh->agent_radius = 0.0f;
    nav_avoid shapes[8];
    for (int i = 0; i < 8; ++i) {
        const float x = (float)(i < 4 ? 2 + i : 6 + i);
        shapes[i] = box(x, 0.25f, x + 0.5f, 0.75f, INFINITY);
    }
    const nav_options options = with(shapes, 8);
    nav_view view;
    assert_true(nav_view_begin(mesh, scratch, &options, &view));
    assert_near(open_area(&view, 1.0f), 128.0 - 8.0 * 0.25, 1e-4);
    check_faces(&view);
    nav_mesh_release(mesh);
}

static void a_convex_shape_reaches_as_far_as_its_corners(void **state)
{
    (void)state;
    // The fourth place is not the shape's.
    static const float points[][2] = {{1, 2}, {3, 5}, {4, 1}, {90, -90}};
    const nav_avoid shape = {
        .shape = NAV_AVOID_CONVEX, .blocked = true, .points = points, .point_count = 3};
    double min[2], max[2];
    nav_outline_bounds(&shape, 0.5, min, max);
    assert_near(min[0], 0.5, 1e-9);
    assert_near(min[1], 0.5, 1e-9);
    assert_near(max[0], 4.5, 1e-9);
    assert_near(max[1], 5.5, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_is_cut_out),
        cmocka_unit_test(prices_multiply_where_shapes_overlap),
        cmocka_unit_test(a_blocking_shape_keeps_the_radius),
        cmocka_unit_test(a_capsule_is_round_at_both_ends),
        cmocka_unit_test(another_storey_is_left_alone),
        cmocka_unit_test(dear_ground_is_walked_around_where_that_is_cheaper),
        cmocka_unit_test(a_line_between_two_rooms_is_cut_in_stretches),
        cmocka_unit_test(a_link_ends_where_a_shape_leaves_ground),
        cmocka_unit_test(a_partial_path_ends_on_a_piece),
        cmocka_unit_test(a_polygon_in_pieces_is_one_place),
        cmocka_unit_test(an_edge_of_many_portals_is_no_wall),
        cmocka_unit_test(a_shape_does_not_change_the_floor),
        cmocka_unit_test(a_shape_on_a_ramp_takes_all_or_nothing),
        cmocka_unit_test(a_larger_shape_on_a_ramp_opens_nothing),
        cmocka_unit_test(a_corner_at_the_middle_is_in_both_parts),
        cmocka_unit_test(a_convex_shape_reaches_as_far_as_its_corners),
    };
    return cmocka_run_group_tests(tests, scratch_begin, scratch_end);
}
