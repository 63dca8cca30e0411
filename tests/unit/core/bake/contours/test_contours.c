// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_contours.c: tracing and simplification on small drawn fields.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "core/bake/contours/contours.h"
#include "tests/unit/contour_points.h"

static void test_square_is_four_points(void **state)
{
    (void)state;
    field_fixture f;
    FIELD_DRAW(&f, ((const char *const[]){".....", ".aaa.", ".aaa.", ".aaa.", "....."}));
    nav_contour_set set = fixture_contours(&f);
    assert_int_equal(set.count, 1);
    assert_int_equal(f.report.contours, 1);
    assert_int_equal(set.contours[0].region, 1);
    assert_int_equal(set.contours[0].area, NAV_AREA_GROUND);
    ASSERT_POINTS(&set.contours[0], {1, 1}, {1, 4}, {4, 4}, {4, 1});
    assert_int_equal(contour_area(&set.contours[0]), 2 * 9);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(set.contours[0].points[i].neighbour, 0);
    }
    fixture_free(&f);
}

static void test_empty_field_has_no_contours(void **state)
{
    (void)state;
    field_fixture f;
    FIELD_DRAW(&f, ((const char *const[]){".#", "#."}));
    assert_int_equal(fixture_contours(&f).count, 0);
    fixture_free(&f);
}

static void test_l_shape_keeps_its_corner(void **state)
{
    (void)state;
    field_fixture f;
    FIELD_DRAW(&f, ((const char *const[]){"aa..", "aa..", "aaaa", "aaaa"}));
    nav_contour_set set = fixture_contours(&f);
    assert_int_equal(set.count, 1);
    ASSERT_POINTS(&set.contours[0], {0, 0}, {0, 4}, {4, 4}, {4, 2}, {2, 2}, {2, 0});
    fixture_free(&f);
}

static void test_corner_is_as_high_as_its_lowest_floor(void **state)
{
    (void)state;
    field_fixture f;
    // The 1 is too low to step to and does not count at its corners.
    fixture_draw(&f, (const char *const[]){"abe", "cd."}, 2, (const char *const[]){"761", "980"});
    nav_contour_set set = fixture_contours(&f);
    assert_int_equal(set.count, 5);
    const int32_t expected[3][3] = {{7, 6, 6}, {7, 6, 6}, {9, 8, 8}}; // by z, then x
    for (uint32_t c = 0; c < set.count; c++) {
        for (uint32_t i = 0; i < 4; i++) {
            const nav_contour_point *p = &set.contours[c].points[i];
            assert_int_equal(p->y, set.contours[c].region == 5 ? 1 : expected[p->z][p->x]);
        }
    }
    fixture_free(&f);
}

static void test_neighbours_share_the_points_of_their_border(void **state)
{
    (void)state;
    field_fixture f;
    // The border zigzags; between two regions it becomes one straight edge all the same.
    FIELD_DRAW(&f, ((const char *const[]){"aaabbb", "aabbbb", "aaaabb", "aaabbb"}));
    nav_contour_set set = fixture_contours(&f);
    assert_int_equal(set.count, 2);
    ASSERT_POINTS(&set.contours[0], {0, 0}, {0, 4}, {3, 4}, {3, 0});
    ASSERT_POINTS(&set.contours[1], {3, 0}, {3, 4}, {6, 4}, {6, 0});
    for (uint32_t c = 0; c < 2; c++) {
        for (uint32_t i = 0; i < 4; i++) {
            const nav_contour_point *p = &set.contours[c].points[i];
            const nav_contour_point *q = &set.contours[c].points[(i + 1) % 4];
            assert_int_equal(p->neighbour, p->x == 3 && q->x == 3 ? 2 - c : 0);
        }
    }
    fixture_free(&f);
}

static void test_border_between_areas_follows_the_cells(void **state)
{
    (void)state;
    field_fixture f;
    FIELD_DRAW(&f, ((const char *const[]){"aaaabb", "aabbbb", "aabbbb", "aaaabb"}));
    for (uint32_t z = 0; z < 4; z++) {
        for (uint32_t x = 0; x < 6; x++) {
            uint32_t span = field_span(&f.field, x, z);
            f.field.area[span] = f.field.region[span] == 2 ? 7 : NAV_AREA_GROUND;
        }
    }
    nav_contour_set set = fixture_contours(&f);
    assert_int_equal(set.count, 2);
    ASSERT_POINTS(&set.contours[0], {0, 0}, {0, 4}, {4, 4}, {4, 3}, {2, 3}, {2, 1}, {4, 1}, {4, 0});
    ASSERT_POINTS(&set.contours[1], {4, 0}, {4, 1}, {2, 1}, {2, 3}, {4, 3}, {4, 4}, {6, 4}, {6, 0});
    assert_int_equal(set.contours[1].area, 7);
    fixture_free(&f);
}

static void test_error_smooths_walls(void **state)
{
    (void)state;
    const char *const stairs[] = {"a.......", "aa......", "aaa.....", "aaaa....",
                                  "aaaaa...", "aaaaaa..", "aaaaaaa.", "aaaaaaaa"};
    field_fixture f;
    FIELD_DRAW(&f, stairs);
    // Exactly, the flight has a corner a cell; steps are 0.71 cells from its line.
    assert_int_equal(fixture_contours(&f).contours[0].point_count, 2 + 16);
    f.config.edge_max_error = 1.0f;
    nav_contour_set set = fixture_contours(&f);
    assert_true(set.contours[0].point_count <= 4);
    assert_true(set.contours[0].point_count >= 3);
    fixture_free(&f);
}

static void test_long_walls_are_split_and_borders_are_not(void **state)
{
    (void)state;
    field_fixture f;
    FIELD_DRAW(&f, ((const char *const[]){"aaaaaaaa", "bbbbbbbb"}));
    f.job.edge_max_length_cells = 4;
    nav_contour_set set = fixture_contours(&f);
    assert_int_equal(set.count, 2);
    ASSERT_POINTS(&set.contours[0], {0, 0}, {0, 1}, {8, 1}, {8, 0}, {4, 0});
    ASSERT_POINTS(&set.contours[1], {0, 1}, {0, 2}, {4, 2}, {8, 2}, {8, 1});
    fixture_free(&f);
}

// Two regions of one area beside each other, and one of another area below: walls, a border within
// an area, and one between two areas.
static uint32_t points_split(nav_edge_split split, uint32_t region)
{
    field_fixture f;
    FIELD_DRAW(&f, ((const char *const[]){"aaaaaaaa", "bbbbbbbb", "cccccccc"}));
    for (uint32_t span = 0; span < f.field.span_count; span++) {
        f.field.area[span] = f.field.region[span] == 3 ? 2 : NAV_AREA_GROUND;
    }
    f.job.edge_max_length_cells = 4;
    f.config.edge_split = split;
    nav_contour_set set = fixture_contours(&f);
    assert_int_equal(set.count, 3);
    const uint32_t count = set.contours[region].point_count;
    fixture_free(&f);
    return count;
}

static void test_edge_split_names_the_edges_that_are_cut(void **state)
{
    (void)state;
    static const uint32_t expected[][3] = {[NAV_EDGE_SPLIT_WALLS] = {5, 4, 5},
                                           [NAV_EDGE_SPLIT_AREAS] = {4, 5, 5},
                                           [NAV_EDGE_SPLIT_BOTH] = {5, 5, 6},
                                           [NAV_EDGE_SPLIT_NONE] = {4, 4, 4}};
    for (int split = NAV_EDGE_SPLIT_WALLS; split <= NAV_EDGE_SPLIT_NONE; split++) {
        for (uint32_t region = 0; region < 3; region++) {
            assert_int_equal(points_split((nav_edge_split)split, region), expected[split][region]);
        }
    }
}

static void test_parts_of_long_walls_keep_to_the_error(void **state)
{
    (void)state;
    field_fixture f;
    // From (0, 4) to (6, 3) no corner is off by half a cell; from (3, 4) on, where the wall is
    // halved, the corner beside it would be.
    FIELD_DRAW(&f, ((const char *const[]){"aaaaaa", "aaaaaa", "aaaaaa", "aaa..."}));
    f.config.edge_max_error = 0.5f;
    nav_contour_set set = fixture_contours(&f);
    ASSERT_POINTS(&set.contours[0], {0, 0}, {0, 4}, {6, 3}, {6, 0});
    f.job.edge_max_length_cells = 4;
    set = fixture_contours(&f);
    ASSERT_POINTS(&set.contours[0], {0, 0}, {0, 4}, {3, 4}, {3, 3}, {6, 3}, {6, 0}, {3, 0});
    fixture_free(&f);
}

// A slit, a wall of no width: two cells beside each other that are not linked.
static void cut_link(nav_field *f, uint32_t from, uint32_t to)
{
    for (int d = 0; d < 4; d++) {
        if (nav_field_neighbour(f, from, d) == to) {
            f->links[from][d] = NAV_LINK_NONE;
        }
        if (nav_field_neighbour(f, to, d) == from) {
            f->links[to][d] = NAV_LINK_NONE;
        }
    }
}

static void test_slit_that_ends_at_a_corner_is_a_point_of_both(void **state)
{
    (void)state;
    field_fixture f;
    FIELD_DRAW(&f, ((const char *const[]){"aabb", "aabb", "bbbb"}));
    // The slit runs from the corner of region 1 outwards, below the second cell of region 2.
    cut_link(&f.field, field_span(&f.field, 2, 1), field_span(&f.field, 2, 2));
    nav_contour_set set = fixture_contours(&f);
    assert_int_equal(set.count, 2);
    ASSERT_POINTS(&set.contours[0], {0, 0}, {0, 2}, {2, 2}, {2, 0});
    ASSERT_POINTS(&set.contours[1], {2, 0}, {2, 2}, {3, 2}, {2, 2}, {0, 2}, {0, 3}, {4, 3}, {4, 0});
    fixture_free(&f);
}

static void test_checkerboard_is_single_cells(void **state)
{
    (void)state;
    field_fixture f;
    FIELD_DRAW(&f, ((const char *const[]){"a.b", ".c.", "d.e"}));
    nav_contour_set set = fixture_contours(&f);
    assert_int_equal(set.count, 5);
    for (uint32_t i = 0; i < set.count; i++) {
        assert_int_equal(set.contours[i].region, i + 1);
        assert_int_equal(set.contours[i].point_count, 4);
        assert_int_equal(contour_area(&set.contours[i]), 2);
    }
    fixture_free(&f);
}

static void test_comb_has_all_its_teeth(void **state)
{
    (void)state;
    field_fixture f;
    fixture_comb(&f);
    nav_contour_set set = fixture_contours(&f);
    assert_int_equal(set.count, 1);
    assert_int_equal(set.contours[0].point_count, 4 * COMB_TEETH + 2);
    assert_int_equal(contour_area(&set.contours[0]), 2 * (int64_t)f.field.span_count);
    fixture_free(&f);
}

static void test_padding_makes_border_vertices(void **state)
{
    (void)state;
    field_fixture f;
    FIELD_DRAW(&f, ((const char *const[]){"000000", "1aabb2", "1aabb2", "333333"}));
    nav_contour_set set = fixture_contours(&f);
    assert_int_equal(set.count, 2);
    ASSERT_POINTS(&set.contours[0], {1, 1}, {1, 3}, {3, 3}, {3, 1});
    for (uint32_t i = 0; i < 4; i++) {
        const nav_contour_point *p = &set.contours[0].points[i];
        // Where the two regions meet the padding, not where the tile has its own corners.
        assert_int_equal((p->neighbour & NAV_CONTOUR_BORDER_VERTEX) != 0, p->x == 3);
        // The padding's first region is not mistaken for region 1 of the tile, nor for a wall.
        assert_int_not_equal(p->neighbour & NAV_CONTOUR_REGION_MASK, 0);
    }
    fixture_free(&f);
}

static void test_borders_match_on_random_maps(void **state)
{
    (void)state;
    uint64_t seed = 20;
    for (uint32_t round = 0; round < 400; round++) {
        field_fixture f;
        fixture_random(&f, &seed, 24);
        f.config.edge_max_error = 1.3f;
        f.job.edge_max_length_cells = 6;
        f.config.edge_split = (nav_edge_split)(round / 2 % 4);
        // In every second round borders are between areas too and follow the cells.
        for (uint32_t span = 0; span < f.field.span_count && round % 2 == 1; span++) {
            f.field.area[span] = (uint8_t)(1 + f.field.region[span] % 250);
        }
        nav_contour_set set = fixture_contours(&f);
        for (uint32_t c = 0; c < set.count; c++) {
            const nav_contour *contour = &set.contours[c];
            for (uint32_t i = 0; i < contour->point_count; i++) {
                nav_contour_point p = contour->points[i];
                nav_contour_point q = contour->points[(i + 1) % contour->point_count];
                uint32_t across = p.neighbour & NAV_CONTOUR_REGION_MASK;
                // Regions that were simplified away have no contour to compare with.
                for (uint32_t other = 0; other < set.count && across != 0; other++) {
                    if (set.contours[other].region == across) {
                        assert_true(has_edge(&set.contours[other], q, p));
                    }
                }
            }
        }
        fixture_free(&f);
    }
}

static nav_status contours_stage(const field_fixture *f, const nav_contour_set *given)
{
    (void)given;
    nav_contour_set set = {.count = 77};
    const nav_status status = nav_bake_contours(&f->job, &f->field, &set);
    assert_true(status == NAV_OK || set.count == 77);
    return status;
}

static void test_every_failing_allocation_is_reported(void **state)
{
    (void)state;
    uint64_t seed = 5;
    field_fixture f;
    fixture_random(&f, &seed, 96);
    fixture_fail_everywhere(&f, contours_stage, NULL, 100, 9000);
    fixture_free(&f);
}

static bool always(void *user)
{
    (void)user;
    return true;
}

static void test_can_be_cancelled(void **state)
{
    (void)state;
    field_fixture f;
    FIELD_DRAW(&f, ((const char *const[]){"aa", "aa"}));
    nav_cancel cancel = {.hook = always};
    f.job.cancel = &cancel;
    nav_contour_set set = {.count = 77};
    assert_int_equal(nav_bake_contours(&f.job, &f.field, &set), NAV_CANCELLED);
    assert_int_equal(set.count, 77);
    fixture_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_square_is_four_points),
        cmocka_unit_test(test_empty_field_has_no_contours),
        cmocka_unit_test(test_l_shape_keeps_its_corner),
        cmocka_unit_test(test_corner_is_as_high_as_its_lowest_floor),
        cmocka_unit_test(test_neighbours_share_the_points_of_their_border),
        cmocka_unit_test(test_border_between_areas_follows_the_cells),
        cmocka_unit_test(test_error_smooths_walls),
        cmocka_unit_test(test_long_walls_are_split_and_borders_are_not),
        cmocka_unit_test(test_edge_split_names_the_edges_that_are_cut),
        cmocka_unit_test(test_parts_of_long_walls_keep_to_the_error),
        cmocka_unit_test(test_slit_that_ends_at_a_corner_is_a_point_of_both),
        cmocka_unit_test(test_checkerboard_is_single_cells),
        cmocka_unit_test(test_comb_has_all_its_teeth),
        cmocka_unit_test(test_padding_makes_border_vertices),
        cmocka_unit_test(test_borders_match_on_random_maps),
        cmocka_unit_test(test_every_failing_allocation_is_reported),
        cmocka_unit_test(test_can_be_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
