// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_polygons.c: triangulation, merging, adjacency and border vertices, from drawn fields.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "tests/unit/polygon_rules.h"

static nav_polygons bake(field_fixture *f)
{
    nav_contour_set set = fixture_contours(f);
    nav_polygons mesh = {0};
    assert_int_equal(nav_bake_polygons(&f->job, &set, &mesh), NAV_OK);
    assert_int_equal(f->report.polygons, mesh.count);
    assert_int_equal(f->report.vertices, mesh.vertex_count);
    return mesh;
}

static void test_square_is_one_polygon(void **state)
{
    (void)state;
    field_fixture f;
    FIELD_DRAW(&f, ((const char *const[]){"....", ".aa.", ".aa.", "...."}));
    nav_polygons mesh = bake(&f);
    assert_int_equal(mesh.count, 1);
    assert_int_equal(mesh.vertex_count, 4);
    assert_int_equal(mesh.areas[0], NAV_AREA_GROUND);
    assert_int_equal(mesh.regions[0], 1);
    assert_int_equal(polygon_area(&mesh, 0), 2 * 4);
    assert_sound(&mesh);
    fixture_free(&f);
}

static void test_empty_set_gives_empty_mesh(void **state)
{
    (void)state;
    field_fixture f;
    FIELD_DRAW(&f, ((const char *const[]){"#"}));
    nav_polygons mesh = bake(&f);
    assert_int_equal(mesh.count, 0);
    assert_int_equal(mesh.vertex_count, 0);
    fixture_free(&f);
}

static void test_l_shape_is_two_polygons(void **state)
{
    (void)state;
    field_fixture f;
    FIELD_DRAW(&f, ((const char *const[]){"aa..", "aa..", "aaaa", "aaaa"}));
    nav_polygons mesh = bake(&f);
    assert_int_equal(mesh.count, 2);
    assert_int_equal(mesh.vertex_count, 6);
    assert_int_equal(mesh_area(&mesh), 2 * 12);
    assert_sound(&mesh);
    assert_partition(&f, &mesh);
    fixture_free(&f);
}

static void test_polygons_have_at_most_the_asked_vertices(void **state)
{
    (void)state;
    const char *const octagon[] = {"..aaaa..", ".aaaaaa.", "aaaaaaaa", "aaaaaaaa",
                                   "aaaaaaaa", "aaaaaaaa", ".aaaaaa.", "..aaaa.."};
    static const uint32_t most[] = {3, 6, 12};
    uint32_t previous = UINT32_MAX;
    for (size_t i = 0; i < 3; i++) {
        field_fixture f;
        FIELD_DRAW(&f, octagon);
        f.config.edge_max_error = 1.0f;
        f.config.polygon_max_vertices = most[i];
        nav_polygons mesh = bake(&f);
        assert_int_equal(mesh.max_vertices, most[i]);
        assert_sound(&mesh);
        assert_true(mesh.count < previous);
        previous = mesh.count;
        fixture_free(&f);
        // Eight corners, or what the error leaves of them: one convex polygon if it may be.
        assert_true(i < 2 || mesh.count == 1);
    }
}

static void test_regions_are_linked_over_their_border(void **state)
{
    (void)state;
    field_fixture f;
    FIELD_DRAW(&f, ((const char *const[]){"aabb", "aabb"}));
    nav_polygons mesh = bake(&f);
    assert_int_equal(mesh.count, 2);
    assert_int_equal(mesh.vertex_count, 6);
    assert_sound(&mesh);
    uint32_t links[2] = {0, 0};
    for (uint32_t p = 0; p < 2; p++) {
        for (uint32_t i = 0; i < 4; i++) {
            links[p] += mesh.polygon_neighbours[p * mesh.max_vertices + i] == 1 - p;
        }
    }
    assert_int_equal(links[0], 1);
    assert_int_equal(links[1], 1);
    fixture_free(&f);
}

static void test_corners_weld_over_small_steps_only(void **state)
{
    (void)state;
    // Two contours by hand that meet at x = 2, one of them higher by `rise`.
    for (int32_t rise = 0; rise <= 4; rise++) {
        nav_contour_point a[] = {{0, 0, 0, 0}, {0, 0, 2, 0}, {2, 0, 2, 0}, {2, 0, 0, 0}};
        nav_contour_point b[] = {
            {2, rise, 0, 0}, {2, rise, 2, 0}, {4, rise, 2, 0}, {4, rise, 0, 0}};
        nav_contour contours[] = {{a, 4, 1, 1}, {b, 4, 2, 1}};
        nav_contour_set set = {contours, 2};
        field_fixture f;
        FIELD_DRAW(&f, ((const char *const[]){"a"}));
        nav_polygons mesh;
        assert_int_equal(nav_bake_polygons(&f.job, &set, &mesh), NAV_OK);
        assert_int_equal(mesh.count, 2);
        assert_int_equal(mesh.vertex_count, rise <= 2 ? 6 : 8);
        assert_sound(&mesh);
        fixture_free(&f);
    }
}

static void test_ring_covers_all_but_its_hole(void **state)
{
    (void)state;
    field_fixture f;
    FIELD_DRAW(&f, ((const char *const[]){"aaaaa", "aaaaa", "aa.aa", "aaaaa", "aaaaa"}));
    nav_polygons mesh = bake(&f);
    assert_int_equal(mesh.vertex_count, 8);
    assert_int_equal(mesh_area(&mesh), 2 * 24);
    assert_sound(&mesh);
    assert_partition(&f, &mesh);
    fixture_free(&f);
}

static void test_comb_is_covered(void **state)
{
    (void)state;
    field_fixture f;
    fixture_comb(&f);
    nav_polygons mesh = bake(&f);
    assert_int_equal(mesh_area(&mesh), 2 * (int64_t)f.field.span_count);
    assert_int_equal(f.report.warnings[NAV_WARN_TRIANGULATION_FAILED].count, 0);
    assert_sound(&mesh);
    fixture_free(&f);
}

static void test_random_maps_are_partitioned(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (uint32_t round = 0; round < 300; round++) {
        field_fixture f;
        fixture_random(&f, &seed, 20);
        f.config.polygon_max_vertices = 3 + round % 10;
        // Followed everywhere, so that each region keeps its cells exactly.
        for (uint32_t span = 0; span < f.field.span_count; span++) {
            f.field.area[span] = (uint8_t)(1 + f.field.region[span] % 250);
        }
        nav_polygons mesh = bake(&f);
        assert_int_equal(f.report.warnings[NAV_WARN_HOLE_NOT_MERGED].count, 0);
        assert_int_equal(f.report.warnings[NAV_WARN_TRIANGULATION_FAILED].count, 0);
        assert_sound(&mesh);
        assert_int_equal(mesh_area(&mesh), 2 * (int64_t)f.field.span_count);
        assert_partition(&f, &mesh);
        fixture_free(&f);
    }
}

static void test_simplified_random_maps_are_sound(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (uint32_t round = 0; round < 300; round++) {
        field_fixture f;
        fixture_random(&f, &seed, 32);
        f.config.edge_max_error = 0.5f + 0.5f * (float)(round % 5);
        f.job.edge_max_length_cells = round % 9;
        nav_polygons mesh = bake(&f);
        assert_sound(&mesh);
        fixture_free(&f);
    }
}

static void test_self_crossing_contour_is_survived(void **state)
{
    (void)state;
    // A bow tie: no diagonal is free and half of it is wound the wrong way.
    nav_contour_point points[] = {{0, 0, 0, 0}, {4, 0, 4, 0}, {4, 0, 0, 0}, {0, 0, 4, 0}};
    nav_contour contour = {points, 4, 1, 1};
    nav_contour_set set = {&contour, 1};
    field_fixture f;
    FIELD_DRAW(&f, ((const char *const[]){"a"}));
    nav_polygons mesh;
    assert_int_equal(nav_bake_polygons(&f.job, &set, &mesh), NAV_OK);
    const nav_warning *failed = &f.report.warnings[NAV_WARN_TRIANGULATION_FAILED];
    assert_int_equal(failed->count, 1);
    assert_true(failed->items[0].value == (float)(2 - mesh.count)); // triangles that are missing
    assert_sound(&mesh);
    fixture_free(&f);
}

// The contour gives sound polygons that cover 16 cells.
static void expect_square_of_16(nav_contour_point *points, uint32_t count)
{
    nav_contour contour = {points, count, 1, 1};
    nav_contour_set set = {&contour, 1};
    field_fixture f;
    FIELD_DRAW(&f, ((const char *const[]){"a"}));
    nav_polygons mesh;
    assert_int_equal(nav_bake_polygons(&f.job, &set, &mesh), NAV_OK);
    assert_int_equal(f.report.warnings[NAV_WARN_TRIANGULATION_FAILED].count, 0);
    assert_int_equal(mesh_area(&mesh), 2 * 16);
    assert_sound(&mesh);
    fixture_free(&f);
}

static void test_spike_loses_nothing(void **state)
{
    (void)state;
    // A square with a spike of no width to its middle and back: nothing of the square is lost.
    nav_contour_point points[] = {{0, 0, 0, 0}, {0, 0, 4, 0}, {4, 0, 4, 0}, {4, 0, 0, 0},
                                  {2, 0, 0, 0}, {2, 0, 2, 0}, {2, 0, 0, 0}};
    expect_square_of_16(points, 7);
}

static void test_touching_spike_needs_loose_diagonals(void **state)
{
    (void)state;
    // As above, but the spike ends on the opposite wall and cuts the square in two: the last
    // triangle between the halves touches it.
    nav_contour_point points[] = {{0, 0, 0, 0}, {0, 0, 4, 0}, {4, 0, 4, 0}, {4, 0, 0, 0},
                                  {2, 0, 0, 0}, {2, 0, 4, 0}, {2, 0, 0, 0}};
    expect_square_of_16(points, 7);
}

static void test_vertex_where_polygons_only_touch_stays(void **state)
{
    (void)state;
    const uint32_t marked = NAV_CONTOUR_BORDER_VERTEX;
    nav_contour_point a[] = {{0, 0, 0, 0}, {0, 0, 2, 0}, {2, 0, 2, marked}, {2, 0, 0, 0}};
    nav_contour_point b[] = {{2, 0, 2, marked}, {2, 0, 4, 0}, {4, 0, 4, 0}, {4, 0, 2, 0}};
    nav_contour contours[] = {{a, 4, 1, 1}, {b, 4, 2, 1}};
    nav_contour_set set = {contours, 2};
    field_fixture f;
    FIELD_DRAW(&f, ((const char *const[]){"a"}));
    nav_polygons mesh;
    assert_int_equal(nav_bake_polygons(&f.job, &set, &mesh), NAV_OK);
    assert_int_equal(mesh.count, 2);
    assert_int_equal(mesh.vertex_count, 7);
    assert_int_equal(mesh_area(&mesh), 2 * 8);
    assert_sound(&mesh);
    fixture_free(&f);
}

static uint32_t count_neighbours(const nav_polygons *mesh, uint32_t value)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < mesh->count * mesh->max_vertices; i++) {
        count += mesh->polygon_neighbours[i] == value;
    }
    return count;
}

static void test_border_vertices_go_and_portals_stay(void **state)
{
    (void)state;
    field_fixture f;
    FIELD_DRAW(&f, ((const char *const[]){"000000", "1aabb2", "1aabb2", "333333"}));
    f.job.border_cells = 1;
    nav_polygons mesh = bake(&f);
    // Both points where the regions meet the padding are gone; the tile is one square, which is of
    // no single region any more.
    assert_int_equal(mesh.vertex_count, 4);
    assert_int_equal(mesh.count, 1);
    assert_int_equal(mesh.regions[0], 0);
    assert_int_equal(mesh_area(&mesh), 2 * 8);
    assert_sound(&mesh);
    for (uint32_t direction = 0; direction < 4; direction++) {
        assert_int_equal(count_neighbours(&mesh, NAV_EDGE_PORTAL | direction), 1);
    }
    fixture_free(&f);
}

static void test_removal_keeps_what_is_around_the_vertex(void **state)
{
    (void)state;
    // The border vertex at (4, 1) lies amid polygons that reach on to walls further in.
    field_fixture f;
    FIELD_DRAW(&f, ((const char *const[]){"00000000", "1aaabbb2", "1a.abbb2", "1aaab.b2",
                                          "1aaabbb2", "33333333"}));
    f.job.border_cells = 1;
    nav_polygons mesh = bake(&f);
    assert_int_equal(mesh_area(&mesh), 2 * 22);
    assert_sound(&mesh);
    for (uint32_t i = 0; i < mesh.vertex_count; i++) {
        bool is_on_border = mesh.vertices[i][2] == 1 || mesh.vertices[i][2] == 5;
        assert_false(is_on_border && mesh.vertices[i][0] == 4);
    }
    fixture_free(&f);
}

static void test_without_padding_there_are_no_portals(void **state)
{
    (void)state;
    field_fixture f;
    FIELD_DRAW(&f, ((const char *const[]){"aa", "aa"}));
    nav_polygons mesh = bake(&f);
    assert_int_equal(count_neighbours(&mesh, NAV_NONE), mesh.max_vertices);
    fixture_free(&f);
}

static nav_status polygons_stage(const field_fixture *f, const nav_contour_set *given)
{
    nav_polygons mesh = {.count = 77};
    const nav_status status = nav_bake_polygons(&f->job, given, &mesh);
    assert_true(status == NAV_OK || mesh.count == 77);
    return status;
}

static void test_every_failing_allocation_is_reported(void **state)
{
    (void)state;
    uint64_t seed = 5;
    field_fixture f;
    fixture_random(&f, &seed, 96);
    const nav_contour_set set = fixture_contours(&f);
    fixture_fail_everywhere(&f, polygons_stage, &set, 1000, 20000);
    fixture_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_square_is_one_polygon),
        cmocka_unit_test(test_empty_set_gives_empty_mesh),
        cmocka_unit_test(test_l_shape_is_two_polygons),
        cmocka_unit_test(test_polygons_have_at_most_the_asked_vertices),
        cmocka_unit_test(test_regions_are_linked_over_their_border),
        cmocka_unit_test(test_corners_weld_over_small_steps_only),
        cmocka_unit_test(test_ring_covers_all_but_its_hole),
        cmocka_unit_test(test_comb_is_covered),
        cmocka_unit_test(test_random_maps_are_partitioned),
        cmocka_unit_test(test_simplified_random_maps_are_sound),
        cmocka_unit_test(test_self_crossing_contour_is_survived),
        cmocka_unit_test(test_spike_loses_nothing),
        cmocka_unit_test(test_touching_spike_needs_loose_diagonals),
        cmocka_unit_test(test_vertex_where_polygons_only_touch_stays),
        cmocka_unit_test(test_border_vertices_go_and_portals_stay),
        cmocka_unit_test(test_removal_keeps_what_is_around_the_vertex),
        cmocka_unit_test(test_without_padding_there_are_no_portals),
        cmocka_unit_test(test_every_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
