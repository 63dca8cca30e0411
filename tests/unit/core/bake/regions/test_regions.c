// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_regions.c: partition by watershed, removal of islands, merging and the padding of tiles
// on small maps by hand. Rules for any map are tried in test_regions_random.c.

#include "tests/unit/region_rules.h"

// ---- small maps ----

static void an_empty_field_has_no_regions(void **state)
{
    (void)state;
    static const char *const map[2] = {"0#0", "###"};
    bake_builder b;
    builder_init(&b, 3, 2);
    nav_field f = partitioned(&b, map);
    assert_int_equal(f.region_count, 0);
    assert_int_equal(removed_count(&b), 0);
    expect_partition(&b, &f);
    builder_free(&b);
}

static void a_single_cell_is_a_region(void **state)
{
    (void)state;
    static const char *const map[1] = {"#.#"};
    bake_builder b;
    builder_init(&b, 3, 1);
    nav_field f = partitioned(&b, map);
    assert_int_equal(f.region_count, 1);
    assert_int_equal(region_at(&f, 1, 0), 1);
    builder_free(&b);
}

static const char *const TWO_ROOMS[9] = {
    "#####################", "#.........#.........#", "#.........#.........#",
    "#.........#.........#", "#...................#", "#.........#.........#",
    "#.........#.........#", "#.........#.........#", "#####################",
};

static void two_rooms_with_a_door_are_two_regions(void **state)
{
    (void)state;
    bake_builder b;
    builder_init(&b, 21, 9);
    nav_field f = partitioned(&b, TWO_ROOMS);
    assert_int_equal(f.region_count, 2);
    uint32_t left = region_at(&f, 1, 1), right = region_at(&f, 19, 7);
    assert_int_not_equal(left, right);
    for (uint32_t z = 1; z < 8; ++z) {
        for (uint32_t x = 1; x < 10; ++x) {
            assert_int_equal(region_at(&f, x, z), left);
            assert_int_equal(region_at(&f, x + 10, z), right);
        }
    }
    assert_true(region_at(&f, 10, 4) == left || region_at(&f, 10, 4) == right);
    expect_partition(&b, &f);
    builder_free(&b);
}

static void small_rooms_join_and_large_ones_do_not(void **state)
{
    (void)state;
    // A room has 63 cells, one of them has the door as well. A region above the limit does not
    // look for a partner; it is enough if one of two is small.
    static const struct {
        uint32_t merge_spans, regions;
    } rows[] = {{0, 2}, {62, 2}, {63, 1}, {64, 1}, {10000, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        bake_builder b;
        builder_init(&b, 21, 9);
        b.job.region_merge_spans = rows[i].merge_spans;
        nav_field f = partitioned(&b, TWO_ROOMS);
        assert_int_equal(f.region_count, rows[i].regions);
        expect_partition(&b, &f);
        builder_free(&b);
    }
}

static void islands_smaller_than_the_least_are_removed(void **state)
{
    (void)state;
    static const char *const map[5] = {"......#..", "......#..", "......###", "......#..",
                                       "......#.."};
    // The room has 30 cells, each of the islands 4.
    for (uint32_t least = 0; least <= 31; ++least) {
        bake_builder b;
        builder_init(&b, 9, 5);
        b.job.region_min_spans = least;
        nav_field f = partitioned(&b, map);
        assert_int_equal(removed_count(&b), least <= 4 ? 0 : least <= 30 ? 2 : 3);
        assert_int_equal(f.region_count, least <= 4 ? 3 : least <= 30 ? 1 : 0);
        assert_int_equal(region_at(&f, 7, 0) != 0, least <= 4);
        expect_partition(&b, &f);
        const float *at = b.report.warnings[NAV_WARN_REGIONS_REMOVED].items[0].position;
        if (least > 4 && least <= 30) {
            assert_true(at[0] == 7.5f && at[1] == MAP_FLOOR && at[2] == 0.5f);
            assert_true(b.report.warnings[NAV_WARN_REGIONS_REMOVED].items[0].value == 4.0f);
        }
        builder_free(&b);
    }
}

// Not only the first region of a field is removed, and not only at its height.
static void a_removed_island_is_told_with_its_own_height(void **state)
{
    (void)state;
    static const char *const map[2] = {"......#..", "......#.."};
    bake_builder b;
    builder_init(&b, 9, 2);
    b.job.region_min_spans = 5;
    nav_field f = builder_field(&b, map);
    for (uint32_t x = 7; x < 9; ++x) {
        for (uint32_t z = 0; z < 2; ++z) {
            f.floor[span_at(&f, x, z)] = MAP_FLOOR + 6;
        }
    }
    partition(&b, &f);
    assert_int_equal(removed_count(&b), 1);
    const float *at = b.report.warnings[NAV_WARN_REGIONS_REMOVED].items[0].position;
    assert_true(at[0] == 7.5f && at[1] == MAP_FLOOR + 6 && at[2] == 0.5f);
    builder_free(&b);
}

static void small_regions_that_hang_together_are_no_islands(void **state)
{
    (void)state;
    // Each of the three areas is small; together they are not.
    static const char *const map[3] = {"111222333", "111222333", "111222333"};
    bake_builder b;
    builder_init(&b, 9, 3);
    b.job.region_min_spans = 27;
    b.job.region_merge_spans = 1000; // areas never join
    nav_field f = partitioned(&b, map);
    assert_int_equal(f.region_count, 3);
    expect_partition(&b, &f);
    b.job.region_min_spans = 28;
    b.report = (nav_bake_report){0};
    partition(&b, &f);
    assert_int_equal(f.region_count, 0);
    assert_int_equal(removed_count(&b), 1);
    builder_free(&b);
}

static void a_puddle_in_the_middle_of_a_field_is_no_island(void **state)
{
    (void)state;
    // The region around it meets the puddle inside of its outline only.
    static const char *const map[9] = {
        "...........", "...........", "...........", "....222....", "....222....",
        "....222....", "...........", "...........", "...........",
    };
    bake_builder b;
    builder_init(&b, 11, 9);
    b.job.region_min_spans = 20;
    nav_field f = partitioned(&b, map);
    assert_int_not_equal(region_at(&f, 5, 4), 0);
    assert_int_not_equal(region_at(&f, 5, 4), region_at(&f, 0, 0));
    assert_int_equal(removed_count(&b), 0);
    expect_partition(&b, &f);
    builder_free(&b);
}

static void a_ring_around_a_block_is_covered(void **state)
{
    (void)state;
    static const char *const map[11] = {
        "...............", "...............", "...............", "...............",
        "....#######....", "....#######....", "....#######....", "...............",
        "...............", "...............", "...............",
    };
    static const uint32_t limits[] = {0, 30, 100000};
    for (size_t i = 0; i < 3; ++i) {
        bake_builder b;
        builder_init(&b, 15, 11);
        b.job.region_merge_spans = limits[i];
        nav_field f = partitioned(&b, map);
        assert_true(f.region_count >= 1);
        expect_partition(&b, &f);
        builder_free(&b);
    }
}

// ---- several storeys ----

static void regions_above_each_other_never_join(void **state)
{
    (void)state;
    // One piece, in which everything small would like to join.
    bake_builder b;
    builder_init(&b, 9, 8);
    b.job.climb_cells = 1;
    b.job.height_min_cells = 3;
    b.job.region_merge_spans = 1000000;
    nav_field f = ground_ramp_and_storey(&b);
    partition(&b, &f);
    expect_partition(&b, &f);
    assert_true(f.region_count >= 2);
    for (uint32_t column = 0; column < 63; ++column) {
        uint32_t ground = f.first[column];
        assert_int_equal(f.first[column + 1] - ground, 2);
        assert_int_not_equal(f.region[ground], f.region[ground + 1]);
    }
    builder_free(&b);
}

// ---- tiles ----

static void the_padding_is_flagged_and_stays_apart(void **state)
{
    (void)state;
    static const char *const map[9] = {
        ".........", ".........", ".........", ".........", ".........",
        ".........", ".........", ".........", ".........",
    };
    bake_builder b;
    builder_init(&b, 9, 9);
    b.job.border_cells = 2;
    b.job.region_min_spans = 10000; // goes on in the next tile, hence stays
    b.job.region_merge_spans = 10000;
    nav_field f = partitioned(&b, map);
    assert_int_equal(f.region_count, 1);
    for (uint32_t z = 0; z < 9; ++z) {
        for (uint32_t x = 0; x < 9; ++x) {
            bool inside = x >= 2 && x < 7 && z >= 2 && z < 7;
            uint32_t number = region_at(&f, x, z);
            assert_int_equal((number & NAV_REGION_BORDER) == 0, inside);
            assert_true(!inside || number == 1);
        }
    }
    assert_int_equal(removed_count(&b), 0);
    builder_free(&b);
}

static void an_island_that_ends_in_the_tile_is_removed_there_too(void **state)
{
    (void)state;
    static const char *const map[9] = {
        "#########", "#########", "##..#.###", "##..#....", "#####....",
        "#########", "#########", "#########", "#########",
    };
    bake_builder b;
    builder_init(&b, 9, 9);
    b.job.border_cells = 2;
    b.job.region_min_spans = 5;
    nav_field f = partitioned(&b, map);
    assert_int_equal(region_at(&f, 2, 2), 0);
    assert_int_not_equal(region_at(&f, 5, 3), 0);
    assert_int_equal(removed_count(&b), 1);
    expect_partition(&b, &f);
    builder_free(&b);
}

static void a_ring_along_the_padding_is_covered(void **state)
{
    (void)state;
    // Each cell of the ring has padding diagonally beside it, none of which is another basin.
    static const char *const map[8] = {"........", "........", "........", "...##...",
                                       "...##...", "........", "........", "........"};
    bake_builder b;
    builder_init(&b, 8, 8);
    b.job.border_cells = 2;
    nav_field f = partitioned(&b, map);
    assert_true(f.region_count >= 1);
    assert_int_not_equal(region_at(&f, 2, 2), 0);
    assert_int_not_equal(region_at(&f, 5, 4), 0);
    expect_partition(&b, &f);
    builder_free(&b);
}

// ---- cancel, memory ----

// A field and its distances, of which the watershed makes something else.
typedef struct landscape {
    nav_field field;
    uint16_t distances[64 * 64];
} landscape;

static nav_status regions_stage_again(bake_builder *b, void *data)
{
    landscape *l = data;
    memcpy(l->field.distance, l->distances, l->field.span_count * sizeof *l->distances);
    return regions_stage(b, &l->field);
}

static void cancel_and_lack_of_memory_are_statuses(void **state)
{
    (void)state;
    uint64_t seed = 9;
    char text[64][65];
    const char *rows[64];
    random_map(&seed, 64, text, rows);
    bake_builder b;
    builder_init(&b, 64, 64);
    b.job.region_merge_spans = 100;
    landscape l = {.field = builder_field(&b, rows)};
    assert_int_equal(nav_bake_distance(&b.job, &l.field), NAV_OK);
    memcpy(l.distances, l.field.distance, l.field.span_count * sizeof *l.distances);
    assert_true(builder_cancel_each_call(&b, regions_stage_again, &l) >= 2);
    assert_true(builder_fail_each_call(&b, regions_stage_again, &l) >= 2);
    assert_true(builder_fail_each_limit(&b, regions_stage_again, &l, 1000, 397) > 50);
    builder_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_field_has_no_regions),
        cmocka_unit_test(a_single_cell_is_a_region),
        cmocka_unit_test(two_rooms_with_a_door_are_two_regions),
        cmocka_unit_test(small_rooms_join_and_large_ones_do_not),
        cmocka_unit_test(islands_smaller_than_the_least_are_removed),
        cmocka_unit_test(a_removed_island_is_told_with_its_own_height),
        cmocka_unit_test(small_regions_that_hang_together_are_no_islands),
        cmocka_unit_test(a_puddle_in_the_middle_of_a_field_is_no_island),
        cmocka_unit_test(a_ring_around_a_block_is_covered),
        cmocka_unit_test(regions_above_each_other_never_join),
        cmocka_unit_test(the_padding_is_flagged_and_stays_apart),
        cmocka_unit_test(an_island_that_ends_in_the_tile_is_removed_there_too),
        cmocka_unit_test(a_ring_along_the_padding_is_covered),
        cmocka_unit_test(cancel_and_lack_of_memory_are_statuses),
    };
    return cmocka_run_group_tests_name("bake_regions", tests, NULL, NULL);
}
