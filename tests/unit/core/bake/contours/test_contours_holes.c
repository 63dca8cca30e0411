// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_contours_holes.c: holes are merged into their outlines by bridges that cross nothing,
// on small drawn fields.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "core/bake/contours/contours.h"
#include "tests/unit/contour_points.h"

static void test_hole_is_bridged(void **state)
{
    (void)state;
    field_fixture f;
    FIELD_DRAW(&f, ((const char *const[]){"aaaaa", "aaaaa", "aa.aa", "aaaaa", "aaaaa"}));
    nav_contour_set set = fixture_contours(&f);
    assert_int_equal(set.count, 1);
    assert_int_equal(set.contours[0].point_count, 4 + 4 + 2);
    assert_int_equal(contour_area(&set.contours[0]), 2 * 24);
    // The leftmost, lowest corner of the hole sees the corner of the outline at the origin.
    nav_contour_point outer = {.x = 0, .z = 0}, inner = {.x = 2, .z = 2};
    assert_true(has_edge(&set.contours[0], outer, inner));
    assert_true(has_edge(&set.contours[0], inner, outer));
    assert_int_equal(f.report.warnings[NAV_WARN_HOLE_NOT_MERGED].count, 0);
    fixture_free(&f);
}

static void test_hole_that_cannot_be_reached_is_told_with_its_area(void **state)
{
    (void)state;
    field_fixture f;
    FIELD_DRAW(&f, ((const char *const[]){"a"}));
    f.grid.cell_size = 0.5f;
    nav_contour_point outer[] = {{0, 0, 0, 0}, {0, 0, 4, 0}, {4, 0, 4, 0}, {4, 0, 0, 0}};
    nav_contour_point inner[] = {{6, 3, 1, 0}, {9, 3, 1, 0}, {9, 3, 3, 0}, {6, 3, 3, 0}};
    nav_contour outline = {outer, 4, 1, 1}, hole = {inner, 4, 1, 1}; // beside it, by mistake
    assert_int_equal(nav_contour_merge_holes(&f.job, &outline, &hole, 1), NAV_OK);
    assert_int_equal(outline.point_count, 4);
    const nav_warning *warning = &f.report.warnings[NAV_WARN_HOLE_NOT_MERGED];
    assert_int_equal(warning->count, 1);
    assert_true(warning->items[0].position[0] == 3 && warning->items[0].position[1] == 3);
    assert_true(warning->items[0].position[2] == 0.5f);
    assert_true(warning->items[0].value == 6 * 0.25f);
    fixture_free(&f);
}

static void test_island_fills_its_hole(void **state)
{
    (void)state;
    field_fixture f;
    FIELD_DRAW(&f, ((const char *const[]){"aaaaaa", "abbbba", "abaaba", "abbbba", "aaaaaa"}));
    // An a inside would be a second piece of region 1: make it region 3.
    f.field.region[field_span(&f.field, 2, 2)] = 3;
    f.field.region[field_span(&f.field, 3, 2)] = 3;
    f.field.region_count = 3;
    f.config.edge_max_error = 0.5f;
    nav_contour_set set = fixture_contours(&f);
    // Each has one neighbour all around and no wall there; all three stay, ring in ring.
    assert_int_equal(set.count, 3);
    assert_int_equal(contour_area(&set.contours[0]), 2 * (30 - 12));
    assert_int_equal(contour_area(&set.contours[1]), 2 * (12 - 2));
    ASSERT_POINTS(&set.contours[2], {2, 2}, {2, 3}, {4, 3}, {4, 2});
    fixture_free(&f);
}

// No edge of the contour crosses another one.
static void assert_no_crossing(const nav_contour *contour)
{
    uint32_t n = contour->point_count;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = i + 1; j < n; j++) {
            const nav_contour_point *p[4] = {&contour->points[i], &contour->points[(i + 1) % n],
                                             &contour->points[j], &contour->points[(j + 1) % n]};
            int side[4];
            for (int k = 0; k < 4; k++) {
                const nav_contour_point *a = p[k < 2 ? 2 : 0], *b = p[k < 2 ? 3 : 1];
                int64_t turn = (int64_t)(b->z - a->z) * (p[k]->x - a->x) -
                               (int64_t)(b->x - a->x) * (p[k]->z - a->z);
                side[k] = (turn > 0) - (turn < 0);
            }
            assert_false(side[0] * side[1] < 0 && side[2] * side[3] < 0);
        }
    }
}

static void test_bridges_cross_nothing(void **state)
{
    (void)state;
    // Many holes: the corner nearest to one is often hidden by another. A test against the wrong
    // candidate lets bridges run through holes.
    const char *const map[] = {
        "aaaaaaaaaaaaaaaaaaaa", "a.aaa.aaaaaa.aaa.aaa", "aaa.aaa..aaaaa.aaa.a",
        "aaa.aaaaaa..aaaaaaaa", "a.aaa.aaaaaaaa..aa.a", "aaaa..aaa.aa.aaaaaaa",
        "aa.aaaaa.aaaaa.aaa.a", "aaaaaaaaaaaaaaaaaaaa",
    };
    field_fixture f;
    FIELD_DRAW(&f, map);
    nav_contour_set set = fixture_contours(&f);
    assert_int_equal(set.count, 1);
    assert_int_equal(f.report.warnings[NAV_WARN_HOLE_NOT_MERGED].count, 0);
    assert_int_equal(contour_area(&set.contours[0]), 2 * (int64_t)f.field.span_count);
    assert_no_crossing(&set.contours[0]);
    fixture_free(&f);
}

static void test_bridge_goes_round_the_outline(void **state)
{
    (void)state;
    // The nearest corners are those of the notch from the right, behind the slit from the top.
    const char *const map[] = {
        "aaaaaaaaaa.aaaaa", "aaaaaaaaaa.aaaaa", "aaaaaaaaaa.aaaaa", "aaaaaaaaaa.aaaaa",
        "aaaaaaaaaa.aaaaa", "aaaaaaaaaa.a....", "aaaaaaaa.a.aaaaa", "aaaaaaaaaa.aaaaa",
        "aaaaaaaaaa.aaaaa", "aaaaaaaaaa.aaaaa", "aaaaaaaaaa.aaaaa", "aaaaaaaaaa.aaaaa",
        "aaaaaaaaaaaaaaaa",
    };
    field_fixture f;
    FIELD_DRAW(&f, map);
    nav_contour_set set = fixture_contours(&f);
    assert_int_equal(set.count, 1);
    assert_int_equal(contour_area(&set.contours[0]), 2 * (int64_t)f.field.span_count);
    assert_no_crossing(&set.contours[0]);
    nav_contour_point slit = {.x = 10, .z = 12}, hole = {.x = 8, .z = 6};
    nav_contour_point top = {.x = 10, .z = 0};
    assert_true(has_edge(&set.contours[0], slit, hole) || has_edge(&set.contours[0], top, hole));
    fixture_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hole_is_bridged),
        cmocka_unit_test(test_hole_that_cannot_be_reached_is_told_with_its_area),
        cmocka_unit_test(test_island_fills_its_hole),
        cmocka_unit_test(test_bridges_cross_nothing),
        cmocka_unit_test(test_bridge_goes_round_the_outline),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
