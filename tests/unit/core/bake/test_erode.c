// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_erode.c: how much of an area an agent's radius leaves. A cell on the rim is at distance
// 0, one step inwards adds 2, a diagonal one 3; what is below twice the radius in cells goes.

#include "tests/unit/bake_builder.h"

static nav_status erode_stage(bake_builder *b, void *data)
{
    return nav_bake_erode(&b->job, data);
}

// Erodes a map by `radius` and compares with the map expected, in which '#' and '0' may be either.
static void expect_eroded(uint32_t radius, const char *const *map, const char *const *expected,
                          uint32_t depth)
{
    bake_builder b;
    builder_init(&b, (uint32_t)strlen(map[0]), depth);
    b.job.radius_cells = radius;
    nav_field f = builder_field(&b, map);
    assert_int_equal(nav_bake_erode(&b.job, &f), NAV_OK);
    uint64_t walkable = 0;
    for (uint32_t z = 0; z < depth; ++z) {
        for (uint32_t x = 0; x < f.width; ++x) {
            char c = expected[z][x];
            uint32_t column = z * f.width + x;
            uint16_t area = f.first[column] < f.first[column + 1] ? f.area[f.first[column]] : 0;
            uint8_t wanted = c == '.' ? 1 : c >= '1' && c <= '9' ? (uint8_t)(c - '0') : 0;
            if (area != wanted) {
                fail_msg("cell %u, %u has area %u instead of %u", x, z, area, wanted);
            }
            walkable += area != NAV_AREA_NONE;
        }
    }
    assert_int_equal(b.report.walkable_spans, walkable);
    builder_free(&b);
}

static const char *const SQUARE[11] = {
    "...........", "...........", "...........", "...........", "...........", "...........",
    "...........", "...........", "...........", "...........", "...........",
};

static void a_radius_of_two_leaves_7_x_7_of_11_x_11(void **state)
{
    (void)state;
    static const char *const expected[11] = {
        "###########", "###########", "##.......##", "##.......##", "##.......##", "##.......##",
        "##.......##", "##.......##", "##.......##", "###########", "###########",
    };
    expect_eroded(2, SQUARE, expected, 11);
}

static void a_radius_of_five_leaves_one_cell_and_six_none(void **state)
{
    (void)state;
    static const char *const expected[11] = {
        "###########", "###########", "###########", "###########", "###########", "#####.#####",
        "###########", "###########", "###########", "###########", "###########",
    };
    static const char *const nothing[11] = {
        "###########", "###########", "###########", "###########", "###########", "###########",
        "###########", "###########", "###########", "###########", "###########",
    };
    expect_eroded(5, SQUARE, expected, 11);
    expect_eroded(6, SQUARE, nothing, 11);
    expect_eroded(10000, SQUARE, nothing, 11);
}

static void a_radius_of_none_leaves_everything(void **state)
{
    (void)state;
    expect_eroded(0, SQUARE, SQUARE, 11);
}

// The four cells beside a hole are rim. A cell that touches one of them by a side (2) or a corner
// (3) goes with radius 2; two cells straight on (4) stays, as does the way round a corner (5).
static void a_hole_grows_by_the_radius_with_its_corners_cut(void **state)
{
    (void)state;
    static const char *const map[13] = {
        ".............", ".............", ".............", ".............", ".............",
        ".............", "......#......", ".............", ".............", ".............",
        ".............", ".............", ".............",
    };
    static const char *const one[13] = {
        "#############", "#...........#", "#...........#", "#...........#", "#...........#",
        "#.....#.....#", "#....###....#", "#.....#.....#", "#...........#", "#...........#",
        "#...........#", "#...........#", "#############",
    };
    static const char *const two[13] = {
        "#############", "#############", "##.........##", "##.........##", "##...###...##",
        "##..#####..##", "##..#####..##", "##..#####..##", "##...###...##", "##.........##",
        "##.........##", "#############", "#############",
    };
    expect_eroded(1, map, one, 13);
    expect_eroded(2, map, two, 13);
}

static void areas_keep_their_number_and_their_borders_do_not_erode(void **state)
{
    (void)state;
    static const char *const map[5] = {"111222", "111222", "111222", "333222", "333222"};
    static const char *const expected[5] = {"######", "#1122#", "#1122#", "#3322#", "######"};
    expect_eroded(1, map, expected, 5);
}

static void a_floor_that_cannot_be_walked_erodes_like_a_wall(void **state)
{
    (void)state;
    static const char *const map[5] = {".......", ".......", "...0...", ".......", "......."};
    static const char *const expected[5] = {"#######", "#..#..#", "#.###.#", "#..#..#", "#######"};
    expect_eroded(1, map, expected, 5);
}

static void a_strip_as_wide_as_the_agent_is_gone(void **state)
{
    (void)state;
    static const char *const map[5] = {"#########", "....#....", "....#....", "....#....",
                                       "........."};
    static const char *const expected[5] = {"#########", "#########", "#..###..#", "#..###..#",
                                            "#########"};
    expect_eroded(1, map, expected, 5);
}

static void a_field_without_spans_stays_empty(void **state)
{
    (void)state;
    static const char *const map[2] = {"###", "###"};
    expect_eroded(2, map, map, 2);
}

static void cancel_and_lack_of_memory_are_statuses(void **state)
{
    (void)state;
    bake_builder b;
    builder_init(&b, 11, 11);
    nav_field f = builder_field(&b, SQUARE);
    assert_true(builder_cancel_each_call(&b, erode_stage, &f) >= 1);
    assert_true(builder_fail_each_call(&b, erode_stage, &f) >= 1);
    builder_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_radius_of_two_leaves_7_x_7_of_11_x_11),
        cmocka_unit_test(a_radius_of_five_leaves_one_cell_and_six_none),
        cmocka_unit_test(a_radius_of_none_leaves_everything),
        cmocka_unit_test(a_hole_grows_by_the_radius_with_its_corners_cut),
        cmocka_unit_test(areas_keep_their_number_and_their_borders_do_not_erode),
        cmocka_unit_test(a_floor_that_cannot_be_walked_erodes_like_a_wall),
        cmocka_unit_test(a_strip_as_wide_as_the_agent_is_gone),
        cmocka_unit_test(a_field_without_spans_stays_empty),
        cmocka_unit_test(cancel_and_lack_of_memory_are_statuses),
    };
    return cmocka_run_group_tests_name("bake_erode", tests, NULL, NULL);
}
