// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_filter.c: each filter alone on columns made by hand, at the values where it turns.

#include "tests/unit/bake_builder.h"

#define CLIMB 2
#define HEIGHT 5

static void filters_init(bake_builder *b, uint32_t width, uint32_t depth)
{
    builder_init(b, width, depth);
    b->job.climb_cells = CLIMB;
    b->job.height_min_cells = HEIGHT;
    b->config.filter_low_hanging = false;
    b->config.filter_ledges = false;
    b->config.filter_low_height = false;
}

static void filter(bake_builder *b, nav_heightfield *solid)
{
    assert_int_equal(nav_bake_filter(&b->job, solid), NAV_OK);
}

// ---- low-hanging obstacles ----

// A single column: floor of area 6 that ends at 10, above it spans without area that end `rise`
// and `rise` + `more` higher. Returns the areas of those two.
static void low_hanging(bool on, uint16_t rise, uint16_t more, uint8_t areas[2])
{
    bake_builder b;
    filters_init(&b, 1, 1);
    b.config.filter_low_hanging = on;
    uint16_t top = (uint16_t)(10 + rise), above = (uint16_t)(top + more);
    const span_spec spans[] = {{0, 0, 0, 10, 6},
                               {0, 0, (uint16_t)(top - 1), top, NAV_AREA_NONE},
                               {0, 0, (uint16_t)(above - 1), above, NAV_AREA_NONE}};
    nav_heightfield solid = builder_solid(&b, spans, 3);
    filter(&b, &solid);
    assert_int_equal(solid.span_area[0], 6);
    areas[0] = solid.span_area[1];
    areas[1] = solid.span_area[2];
    builder_free(&b);
}

static void a_step_within_a_climb_can_be_walked(void **state)
{
    (void)state;
    uint8_t areas[2];
    low_hanging(true, CLIMB, 50, areas);
    assert_int_equal(areas[0], 6);
    assert_int_equal(areas[1], NAV_AREA_NONE);
    low_hanging(true, CLIMB + 1, 50, areas);
    assert_int_equal(areas[0], NAV_AREA_NONE);
    low_hanging(false, CLIMB, 50, areas);
    assert_int_equal(areas[0], NAV_AREA_NONE);
}

static void a_step_does_not_carry_the_next_one(void **state)
{
    (void)state;
    // Else a stack of boxes, each a climb high, could be walked up in one column.
    uint8_t areas[2];
    low_hanging(true, CLIMB, CLIMB, areas);
    assert_int_equal(areas[0], 6);
    assert_int_equal(areas[1], NAV_AREA_NONE);
}

static void nothing_below_or_only_what_cannot_be_walked_gives_no_mark(void **state)
{
    (void)state;
    bake_builder b;
    filters_init(&b, 2, 1);
    b.config.filter_low_hanging = true;
    const span_spec spans[] = {{0, 0, 0, 1, NAV_AREA_NONE},
                               {1, 0, 0, 1, NAV_AREA_NONE},
                               {1, 0, 2, 3, NAV_AREA_NONE},
                               {1, 0, 4, 5, 3}};
    nav_heightfield solid = builder_solid(&b, spans, 4);
    filter(&b, &solid);
    const uint8_t expected[4] = {NAV_AREA_NONE, NAV_AREA_NONE, NAV_AREA_NONE, 3};
    assert_memory_equal(solid.span_area, expected, 4);
    builder_free(&b);
}

// ---- low headroom ----

// The area of a floor that ends at 10 below a ceiling that begins `free` cells higher.
static uint8_t area_below_ceiling(bool on, uint16_t free_cells)
{
    bake_builder b;
    filters_init(&b, 1, 1);
    b.config.filter_low_height = on;
    const span_spec spans[] = {{0, 0, 9, 10, 6},
                               {0, 0, (uint16_t)(10 + free_cells), (uint16_t)(20 + free_cells), 7}};
    nav_heightfield solid = builder_solid(&b, spans, 2);
    filter(&b, &solid);
    assert_int_equal(solid.span_area[1], 7); // the sky is high enough
    uint8_t area = solid.span_area[0];
    builder_free(&b);
    return area;
}

static void a_floor_needs_more_free_cells_than_the_agent_is_high(void **state)
{
    (void)state;
    // One cell more, as the peer this is compared with: floor and ceiling are rounded.
    assert_int_equal(area_below_ceiling(true, HEIGHT + 1), 6);
    assert_int_equal(area_below_ceiling(true, HEIGHT), NAV_AREA_NONE);
    assert_int_equal(area_below_ceiling(true, 1), NAV_AREA_NONE);
    assert_int_equal(area_below_ceiling(false, 1), 6);
}

// ---- ledges ----

// Fills a square of 3 x 3 columns with floors at `height` and sets one column, then filters.
// Returns the area of the middle.
static uint8_t middle_with_neighbour(bool on, uint32_t x, uint32_t z, uint16_t height)
{
    bake_builder b;
    filters_init(&b, 3, 3);
    b.config.filter_ledges = on;
    span_spec spans[9];
    for (uint32_t i = 0; i < 9; ++i) {
        bool other = i == z * 3 + x;
        spans[i] = (span_spec){i % 3, i / 3, 0, other ? height : 20, 6};
    }
    nav_heightfield solid = builder_solid(&b, spans, 9);
    filter(&b, &solid);
    uint8_t area = solid.span_area[4];
    builder_free(&b);
    return area;
}

static void a_drop_of_more_than_a_climb_is_a_ledge(void **state)
{
    (void)state;
    static const uint32_t sides[4][2] = {{0, 1}, {1, 2}, {2, 1}, {1, 0}};
    for (int i = 0; i < 4; ++i) {
        uint32_t x = sides[i][0], z = sides[i][1];
        assert_int_equal(middle_with_neighbour(true, x, z, 20 - CLIMB), 6);
        assert_int_equal(middle_with_neighbour(true, x, z, 20 - CLIMB - 1), NAV_AREA_NONE);
        assert_int_equal(middle_with_neighbour(true, x, z, 1), NAV_AREA_NONE);
        assert_int_equal(middle_with_neighbour(false, x, z, 1), 6);
        // A wall is no ledge.
        assert_int_equal(middle_with_neighbour(true, x, z, 20 + CLIMB + 1), 6);
        assert_int_equal(middle_with_neighbour(true, x, z, 60), 6);
    }
    // Corners are not looked at.
    assert_int_equal(middle_with_neighbour(true, 0, 0, 1), 6);
    assert_int_equal(middle_with_neighbour(true, 2, 2, 1), 6);
}

static void the_end_of_the_level_is_a_ledge(void **state)
{
    (void)state;
    bake_builder b;
    filters_init(&b, 3, 3);
    b.config.filter_ledges = true;
    span_spec spans[9];
    for (uint32_t i = 0; i < 9; ++i) {
        spans[i] = (span_spec){i % 3, i / 3, 0, 20, 6};
    }
    nav_heightfield solid = builder_solid(&b, spans, 9);
    filter(&b, &solid);
    for (uint32_t i = 0; i < 9; ++i) {
        assert_int_equal(solid.span_area[i], i == 4 ? 6 : NAV_AREA_NONE);
    }
    builder_free(&b);
}

static void an_empty_column_beside_is_a_ledge(void **state)
{
    (void)state;
    bake_builder b;
    filters_init(&b, 3, 3);
    b.config.filter_ledges = true;
    span_spec spans[8];
    for (uint32_t i = 0; i < 8; ++i) {
        spans[i] = (span_spec){i % 3, i / 3, 0, 1, 6}; // on the lowest cell there is
    }
    spans[5] = (span_spec){0, 2, 0, 1, 6}; // nothing at (2, 1)
    spans[6] = (span_spec){1, 2, 0, 1, 6};
    spans[7] = (span_spec){2, 2, 0, 1, 6};
    nav_heightfield solid = builder_solid(&b, spans, 8);
    filter(&b, &solid);
    assert_int_equal(solid.span_area[4], NAV_AREA_NONE);
    builder_free(&b);
}

// Left neighbour `down` lower and right one `up` higher than the middle.
static uint8_t middle_of_slope(uint16_t down, uint16_t up)
{
    bake_builder b;
    filters_init(&b, 3, 3);
    b.config.filter_ledges = true;
    span_spec spans[9];
    for (uint32_t i = 0; i < 9; ++i) {
        uint16_t top = (uint16_t)(i % 3 == 0 ? 20 - down : i % 3 == 2 ? 20 + up : 20);
        spans[i] = (span_spec){i % 3, i / 3, 0, top, 6};
    }
    nav_heightfield solid = builder_solid(&b, spans, 9);
    filter(&b, &solid);
    uint8_t area = solid.span_area[4];
    builder_free(&b);
    return area;
}

static void a_slope_of_more_than_a_climb_over_two_cells_is_too_steep(void **state)
{
    (void)state;
    assert_int_equal(middle_of_slope(1, 1), 6);             // differs by CLIMB
    assert_int_equal(middle_of_slope(2, 1), NAV_AREA_NONE); // by CLIMB + 1
    assert_int_equal(middle_of_slope(1, 2), NAV_AREA_NONE);
    assert_int_equal(middle_of_slope(2, 0), 6);
    assert_int_equal(middle_of_slope(1, 3), 6); // 3 is a wall, not part of the slope
}

// The middle floor at 20; the neighbour at x = 0 is a pit 10 deep below a lid that begins at `lid`.
static uint8_t middle_beside_covered_pit(uint16_t lid)
{
    bake_builder b;
    filters_init(&b, 3, 3);
    b.config.filter_ledges = true;
    span_spec spans[10];
    uint32_t count = 0;
    for (uint32_t i = 0; i < 9; ++i) {
        bool pit = i == 3;
        spans[count++] = (span_spec){i % 3, i / 3, 0, pit ? 10 : 20, 6};
        if (pit) {
            spans[count++] = (span_spec){0, 1, lid, 60, 6};
        }
    }
    nav_heightfield solid = builder_solid(&b, spans, count);
    filter(&b, &solid);
    uint8_t area = solid.span_area[solid.first[4]];
    builder_free(&b);
    return area;
}

static void a_drop_counts_where_the_agent_fits_through(void **state)
{
    (void)state;
    assert_int_equal(middle_beside_covered_pit(20 + HEIGHT), 6);
    assert_int_equal(middle_beside_covered_pit(20 + HEIGHT + 1), NAV_AREA_NONE);
}

// ---- together ----

static void a_step_that_the_first_filter_gave_is_tested_by_the_others(void **state)
{
    (void)state;
    bake_builder b;
    filters_init(&b, 1, 1);
    b.config.filter_low_hanging = true;
    b.config.filter_low_height = true;
    const span_spec spans[] = {
        {0, 0, 0, 10, 6}, {0, 0, 11, 12, NAV_AREA_NONE}, {0, 0, 15, 60, NAV_AREA_NONE}};
    nav_heightfield solid = builder_solid(&b, spans, 3);
    filter(&b, &solid);
    const uint8_t nothing[3] = {NAV_AREA_NONE, NAV_AREA_NONE, NAV_AREA_NONE};
    assert_memory_equal(solid.span_area, nothing, 3);
    builder_free(&b);
}

static void shapes_and_areas_without_filters_stay_as_they_are(void **state)
{
    (void)state;
    bake_builder b;
    filters_init(&b, 2, 1);
    const span_spec spans[] = {
        {0, 0, 0, 10, 6}, {0, 0, 11, 12, NAV_AREA_NONE}, {1, 0, 0, 1, 9}, {1, 0, 2, 3, 1}};
    nav_heightfield solid = builder_solid(&b, spans, 4);
    filter(&b, &solid);
    for (uint32_t i = 0; i < 4; ++i) {
        assert_int_equal(solid.span_min[i], spans[i].min);
        assert_int_equal(solid.span_max[i], spans[i].max);
        assert_int_equal(solid.span_area[i], spans[i].area);
    }
    builder_free(&b);
}

static nav_status filter_stage(bake_builder *b, void *data)
{
    return nav_bake_filter(&b->job, data);
}

static void cancelling_is_asked_for_once_a_row(void **state)
{
    (void)state;
    bake_builder b;
    filters_init(&b, 2, 7);
    nav_heightfield solid = builder_solid(&b, NULL, 0);
    assert_int_equal(builder_cancel_each_call(&b, filter_stage, &solid), 7);
    assert_int_equal(builder_fail_each_call(&b, filter_stage, &solid), 0); // needs no memory
    builder_free(&b);
}

// Beside an empty column a floor under a low ceiling is no ledge, as no agent gets there; nor is it
// at the field's edge, which lies elsewhere in a tile with its padding.
static void low_places_end_alike_at_the_edge_and_beside_nothing(void **state)
{
    (void)state;
    for (uint32_t x = 0; x < 3; ++x) {
        bake_builder b;
        builder_init(&b, 3, 3);
        b.config.filter_low_height = false;
        nav_heightfield solid = builder_solid(
            &b, (const span_spec[]){{x, 1, 0, 1, NAV_AREA_GROUND}, {x, 1, 3, 4, NAV_AREA_GROUND}},
            2);
        assert_int_equal(nav_bake_filter(&b.job, &solid), NAV_OK);
        assert_int_equal(solid.span_area[0], NAV_AREA_GROUND);
        assert_int_equal(solid.span_area[1], NAV_AREA_NONE);
        builder_free(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(low_places_end_alike_at_the_edge_and_beside_nothing),
        cmocka_unit_test(a_step_within_a_climb_can_be_walked),
        cmocka_unit_test(a_step_does_not_carry_the_next_one),
        cmocka_unit_test(nothing_below_or_only_what_cannot_be_walked_gives_no_mark),
        cmocka_unit_test(a_floor_needs_more_free_cells_than_the_agent_is_high),
        cmocka_unit_test(a_drop_of_more_than_a_climb_is_a_ledge),
        cmocka_unit_test(the_end_of_the_level_is_a_ledge),
        cmocka_unit_test(an_empty_column_beside_is_a_ledge),
        cmocka_unit_test(a_slope_of_more_than_a_climb_over_two_cells_is_too_steep),
        cmocka_unit_test(a_drop_counts_where_the_agent_fits_through),
        cmocka_unit_test(a_step_that_the_first_filter_gave_is_tested_by_the_others),
        cmocka_unit_test(shapes_and_areas_without_filters_stay_as_they_are),
        cmocka_unit_test(cancelling_is_asked_for_once_a_row),
    };
    return cmocka_run_group_tests_name("bake_filter", tests, NULL, NULL);
}
