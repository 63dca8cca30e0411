// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_voxelize.c: single triangles by hand, which slopes can be walked, how touches merge
// into spans, and what happens when the stage cannot go on. Random triangles are in
// test_voxelize_random.c.

#include "tests/unit/triangle_soup.h"

static void expect_span(const nav_heightfield *f, uint32_t x, uint32_t z, uint32_t index,
                        uint32_t min, uint32_t max, uint32_t area)
{
    uint32_t column = z * f->width + x;
    uint32_t i = f->first[column] + index;
    assert_true(i < f->first[column + 1]);
    assert_int_equal(f->span_min[i], min);
    assert_int_equal(f->span_max[i], max);
    assert_int_equal(f->span_area[i], area);
}

static uint32_t spans_in(const nav_heightfield *f, uint32_t x, uint32_t z)
{
    return f->first[z * f->width + x + 1] - f->first[z * f->width + x];
}

// ---- single triangles, by hand ----

static void a_level_square_fills_its_cells_and_no_more(void **state)
{
    (void)state;
    bake_builder b;
    builder_init(&b, 6, 6);
    soup *s = soup_create();
    soup_add_floor(s, 1, 3, 2, 5, 7, NAV_AREA_GROUND);
    nav_heightfield solid = voxelized(&b, s);
    assert_int_equal(solid.span_count, 6);
    for (uint32_t z = 2; z < 5; ++z) {
        for (uint32_t x = 1; x < 3; ++x) {
            assert_int_equal(spans_in(&solid, x, z), 1);
            expect_span(&solid, x, z, 0, 7, 8, NAV_AREA_GROUND);
        }
    }
    assert_int_equal(b.report.triangles, 2);
    free(s);
    builder_free(&b);
}

static void a_wall_on_a_cell_border_stands_in_the_cell_above_it(void **state)
{
    (void)state;
    bake_builder b;
    builder_init(&b, 4, 4);
    soup *s = soup_create();
    // Along z at x = 2, from height 1 to 5: in column 2, not in column 1.
    soup_add(s, (const float[9]){2, 1, 0, 2, 1, 4, 2, 5, 0}, NAV_AREA_GROUND);
    soup_add(s, (const float[9]){2, 5, 0, 2, 1, 4, 2, 5, 4}, NAV_AREA_GROUND);
    nav_heightfield solid = voxelized(&b, s);
    assert_int_equal(solid.span_count, 4);
    for (uint32_t z = 0; z < 4; ++z) {
        expect_span(&solid, 2, z, 0, 1, 5, NAV_AREA_NONE); // upright: too steep
    }
    assert_int_equal(b.report.triangles_steep, 2);
    free(s);
    builder_free(&b);
}

static void triangles_outside_of_the_field_leave_nothing(void **state)
{
    (void)state;
    bake_builder b;
    builder_init(&b, 4, 4);
    soup *s = soup_create();
    soup_add_floor(s, -5, 0, 0, 4, 1, 1);
    soup_add_floor(s, 4, 9, 0, 4, 1, 1);
    soup_add_floor(s, 0, 4, -5, 0, 1, 1);
    soup_add_floor(s, 0, 4, 4, 9, 1, 1);
    soup_add_floor(s, -1e6f, -9e5f, -1e6f, -9e5f, 1, 1);
    nav_heightfield solid = voxelized(&b, s);
    assert_int_equal(solid.span_count, 0);
    soup_add_floor(s, -1e6f, 1e6f, -1e6f, 1e6f, 3, 1); // and one that covers everything
    solid = voxelized(&b, s);
    assert_int_equal(solid.span_count, 16);
    expect_span(&solid, 0, 0, 0, 3, 4, 1);
    expect_span(&solid, 3, 3, 0, 3, 4, 1);
    free(s);
    builder_free(&b);
}

static void a_triangle_without_surface_is_skipped_with_a_warning(void **state)
{
    (void)state;
    bake_builder b;
    builder_init(&b, 6, 6);
    soup *s = soup_create();
    soup_add(s, (const float[9]){3, 2, 4, 3, 2, 4, 5, 2, 5}, 1); // two corners alike
    soup_add(s, (const float[9]){0, 0, 0, 1, 1, 1, 2, 2, 2}, 1); // in a line
    soup_add(s, (const float[9]){1, 1, 1, 1, 1, 1, 1, 1, 1}, 1); // a point
    soup_add_floor(s, 0, 1, 0, 1, 0, 1);
    nav_heightfield solid = voxelized(&b, s);
    assert_int_equal(solid.span_count, 1);
    const nav_warning *warning = &b.report.warnings[NAV_WARN_DEGENERATE_TRIANGLES];
    assert_int_equal(warning->count, 3);
    assert_true(warning->items[0].position[0] == 3 && warning->items[0].position[1] == 2 &&
                warning->items[0].position[2] == 4);
    free(s);
    builder_free(&b);
}

// Flat ones and steep ones, from either side of the limit.
static void a_sliver_is_kept_with_a_warning(void **state)
{
    (void)state;
    bake_builder b;
    builder_init(&b, 6, 6);
    soup *s = soup_create();
    soup_add(s, (const float[9]){0, 0, 0, 2.5f, 0, 0.00249f, 5, 0, 0}, 1); // 0.0005 of 5 high
    soup_add(s, (const float[9]){1, 1, 2, 1, 5, 2, 1.002f, 3, 2}, 1);      // upright
    soup_add(s, (const float[9]){0, 0, 4, 2.5f, 0, 4.00501f, 5, 0, 4}, 1); // just thick enough
    nav_heightfield solid = voxelized(&b, s);
    assert_true(solid.span_count > 0);
    const nav_warning *warning = &b.report.warnings[NAV_WARN_SLIVER_TRIANGLES];
    assert_int_equal(warning->count, 2);
    assert_true(warning->items[0].value == 5.0f);
    assert_true(warning->items[1].value == 4.0f);
    assert_true(warning->items[1].position[0] == 1 && warning->items[1].position[1] == 1 &&
                warning->items[1].position[2] == 2);
    assert_int_equal(b.report.warnings[NAV_WARN_DEGENERATE_TRIANGLES].count, 0);
    free(s);
    builder_free(&b);
}

// ---- slopes ----

// The area of a 10 x 10 slope that rises by `rise` over a run of `run`.
static uint8_t area_of_slope(float rise, float run, float slope_max, bool upside_down)
{
    bake_builder b;
    builder_init(&b, 1, 1);
    b.config.agent_max_slope = slope_max;
    soup *s = soup_create();
    float c[9] = {0, 0, 0, 0, 0, run, run, rise, 0};
    if (upside_down) {
        memcpy(c + 3, (const float[3]){run, rise, 0}, 3 * sizeof(float));
        memcpy(c + 6, (const float[3]){0, 0, run}, 3 * sizeof(float));
    }
    soup_add(s, c, 5);
    nav_heightfield solid = voxelized(&b, s);
    uint8_t area = solid.span_area[0];
    assert_int_equal(b.report.triangles_steep, area == NAV_AREA_NONE);
    free(s);
    builder_free(&b);
    return area;
}

static void a_slope_up_to_the_limit_can_be_walked(void **state)
{
    (void)state;
    assert_int_equal(area_of_slope(1, 1, 45, false), 5); // exactly 45 degrees
    assert_int_equal(area_of_slope(10, 10, 45, false), 5);
    assert_int_equal(area_of_slope(9.9999f, 10, 45, false), 5);
    assert_int_equal(area_of_slope(10.0001f, 10, 45, false), NAV_AREA_NONE);
    assert_int_equal(area_of_slope(1, 1, 44.9999f, false), NAV_AREA_NONE);
    assert_int_equal(area_of_slope(1, 1, 45.0001f, false), 5);
}

static void the_limits_of_the_slope_work(void **state)
{
    (void)state;
    assert_int_equal(area_of_slope(0, 10, 0, false), 5); // level ground
    assert_int_equal(area_of_slope(0.1f, 10, 0, false), NAV_AREA_NONE);
    assert_int_equal(area_of_slope(50, 1, 89.0f, false), 5); // 88.85 degrees
    assert_int_equal(area_of_slope(60, 1, 89.0f, false), NAV_AREA_NONE);
    assert_int_equal(area_of_slope(90, 1, 89.9f, false), 5); // 89.36 degrees
}

static void what_faces_down_cannot_be_walked(void **state)
{
    (void)state;
    assert_int_equal(area_of_slope(0, 10, 45, true), NAV_AREA_NONE);
    assert_int_equal(area_of_slope(5, 10, 80, true), NAV_AREA_NONE);
}

static void areas_come_from_the_geometry_or_are_ground(void **state)
{
    (void)state;
    bake_builder b;
    builder_init(&b, 2, 1);
    soup *s = soup_create();
    soup_add_floor(s, 0, 1, 0, 1, 0, 200);
    soup_add_floor(s, 1, 2, 0, 1, 0, NAV_AREA_NONE);
    nav_heightfield solid = voxelized(&b, s);
    expect_span(&solid, 0, 0, 0, 0, 1, 200);
    expect_span(&solid, 1, 0, 0, 0, 1, NAV_AREA_NONE);
    assert_int_equal(b.report.triangles_steep, 0); // level, but not meant to be walked
    s->geometry.triangle_areas = NULL;
    solid = voxelized(&b, s);
    expect_span(&solid, 0, 0, 0, 0, 1, NAV_AREA_GROUND);
    expect_span(&solid, 1, 0, 0, 0, 1, NAV_AREA_GROUND);
    free(s);
    builder_free(&b);
}

// ---- merging ----

static void touching_spans_merge_and_others_do_not(void **state)
{
    (void)state;
    bake_builder b;
    builder_init(&b, 1, 1);
    soup *s = soup_create();
    soup_add_floor(s, 0, 1, 0, 1, 4, 1); // [4, 5)
    soup_add_floor(s, 0, 1, 0, 1, 6, 1); // [6, 7): one cell between
    nav_heightfield solid = voxelized(&b, s);
    assert_int_equal(solid.span_count, 2);
    expect_span(&solid, 0, 0, 0, 4, 5, 1);
    expect_span(&solid, 0, 0, 1, 6, 7, 1);
    soup_add_floor(s, 0, 1, 0, 1, 5, 1); // fills it: [5, 6) touches both
    solid = voxelized(&b, s);
    assert_int_equal(solid.span_count, 1);
    expect_span(&solid, 0, 0, 0, 4, 7, 1);
    free(s);
    builder_free(&b);
}

// Merges a floor of area `low_area` with a floor `rise` cells higher, joined by a wall.
static uint8_t merged_area(uint32_t climb, float rise, uint8_t low_area, uint8_t high_area)
{
    bake_builder b;
    builder_init(&b, 1, 1);
    b.job.climb_cells = climb;
    soup *s = soup_create();
    soup_add_floor(s, 0, 1, 0, 1, 2, low_area);         // ends at 3
    soup_add_floor(s, 0, 1, 0, 1, 2 + rise, high_area); // ends at 3 + rise
    soup_add(s, (const float[9]){0, 2, 0, 0, 2, 1, 0, 2.5f + rise, 0}, 9);
    nav_heightfield solid = voxelized(&b, s);
    assert_int_equal(solid.span_count, 1);
    uint8_t area = solid.span_area[0];
    free(s);
    builder_free(&b);
    return area;
}

static void the_area_is_the_highest_number_within_a_climb_of_the_top(void **state)
{
    (void)state;
    assert_int_equal(merged_area(3, 3, 7, 2), 7); // exactly a climb below
    assert_int_equal(merged_area(3, 4, 7, 2), 2); // one more
    assert_int_equal(merged_area(3, 3, 2, 7), 7);
    assert_int_equal(merged_area(3, 4, 2, 7), 7);
    assert_int_equal(merged_area(3, 3, 7, NAV_AREA_NONE), 7); // ground through a thin cover
    assert_int_equal(merged_area(3, 4, 7, NAV_AREA_NONE), NAV_AREA_NONE);
    assert_int_equal(merged_area(0, 1, 7, 2), 2);
    assert_int_equal(merged_area(0, 0, 7, 2), 7);
}

static void columns_with_many_touches_stay_sorted(void **state)
{
    (void)state;
    // 64 and 65 touches sort in different ways; 300 and 600 are more than a byte can count. The
    // floors come from top to bottom, then each third once more with a greater area.
    static const uint32_t counts[] = {63, 64, 65, 66, 255, 256, 300, 600};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; ++k) {
        bake_builder b;
        builder_init(&b, 1, 1);
        soup *s = soup_create();
        for (uint32_t i = counts[k]; i-- > 0;) {
            soup_add(
                s, (const float[9]){0, 2 * (float)i, 0, 0, 2 * (float)i, 1, 1, 2 * (float)i, 0}, 1);
        }
        for (uint32_t i = 0; i < counts[k]; i += 3) {
            soup_add(
                s, (const float[9]){0, 2 * (float)i, 0, 0, 2 * (float)i, 1, 1, 2 * (float)i, 0}, 2);
        }
        nav_heightfield solid = voxelized(&b, s);
        assert_int_equal(solid.span_count, counts[k]);
        for (uint32_t i = 0; i < counts[k]; ++i) {
            expect_span(&solid, 0, 0, i, 2 * i, 2 * i + 1, i % 3 == 0 ? 2 : 1);
        }
        free(s);
        builder_free(&b);
    }
}

static void a_column_of_many_touching_floors_is_one_span(void **state)
{
    (void)state;
    bake_builder b;
    builder_init(&b, 1, 1);
    soup *s = soup_create();
    for (uint32_t i = 0; i < 1000; ++i) {
        float y = (float)(i * 7 % 1000);
        soup_add(s, (const float[9]){0, y, 0, 0, y, 1, 1, y, 0}, 1);
    }
    nav_heightfield solid = voxelized(&b, s);
    assert_int_equal(solid.span_count, 1);
    expect_span(&solid, 0, 0, 0, 0, 1000, 1);
    free(s);
    builder_free(&b);
}

// ---- cancel, memory ----

static void cancelling_ends_the_stage(void **state)
{
    (void)state;
    bake_builder b;
    builder_init(&b, 21, 18);
    soup *s = random_soup(3, 2000);
    b.job.geometry = &s->geometry;
    nav_heightfield solid = {0};
    assert_true(builder_cancel_each_call(&b, voxelize, &solid) >= 2);
    free(s);
    builder_free(&b);
}

static void running_out_of_memory_is_a_status(void **state)
{
    (void)state;
    bake_builder b;
    builder_init(&b, 60, 60);
    soup *s = random_soup(3, 4000);
    b.job.geometry = &s->geometry;
    nav_heightfield solid = {0};
    assert_true(builder_fail_each_call(&b, voxelize, &solid) >= 4);
    assert_true(solid.span_count > 0);
    free(s);
    builder_free(&b);
}

static void failure_leaves_the_output_untouched(void **state)
{
    (void)state;
    bake_builder b;
    builder_init(&b, 21, 18);
    soup *s = random_soup(3, 100);
    b.job.geometry = &s->geometry;
    nav_heightfield solid = {.width = 123, .span_count = 456};
    b.cancel_at_call = 1;
    assert_int_equal(voxelize(&b, &solid), NAV_CANCELLED);
    assert_int_equal(solid.width, 123);
    assert_int_equal(solid.span_count, 456);
    free(s);
    builder_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_level_square_fills_its_cells_and_no_more),
        cmocka_unit_test(a_wall_on_a_cell_border_stands_in_the_cell_above_it),
        cmocka_unit_test(triangles_outside_of_the_field_leave_nothing),
        cmocka_unit_test(a_triangle_without_surface_is_skipped_with_a_warning),
        cmocka_unit_test(a_sliver_is_kept_with_a_warning),
        cmocka_unit_test(a_slope_up_to_the_limit_can_be_walked),
        cmocka_unit_test(the_limits_of_the_slope_work),
        cmocka_unit_test(what_faces_down_cannot_be_walked),
        cmocka_unit_test(areas_come_from_the_geometry_or_are_ground),
        cmocka_unit_test(touching_spans_merge_and_others_do_not),
        cmocka_unit_test(the_area_is_the_highest_number_within_a_climb_of_the_top),
        cmocka_unit_test(columns_with_many_touches_stay_sorted),
        cmocka_unit_test(a_column_of_many_touching_floors_is_one_span),
        cmocka_unit_test(cancelling_ends_the_stage),
        cmocka_unit_test(running_out_of_memory_is_a_status),
        cmocka_unit_test(failure_leaves_the_output_untouched),
    };
    return cmocka_run_group_tests_name("bake_voxelize", tests, NULL, NULL);
}
