// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_regions_monotone.c: the partition by rows: maps by hand, then random ones that keep the
// rules of region_rules.h.

#include "tests/unit/region_rules.h"

static void builder_monotone(bake_builder *b, uint32_t width, uint32_t depth)
{
    builder_init(b, width, depth);
    b->config.partition = NAV_PARTITION_MONOTONE;
}

// ---- small maps ----

static const char *const PILLAR[5] = {".....", ".....", "..#..", ".....", "....."};

static void a_pillar_makes_four_regions(void **state)
{
    (void)state;
    // Before it, left and right of it, behind it.
    static const uint32_t expected[5][5] = {
        {1, 1, 1, 1, 1}, {1, 1, 1, 1, 1}, {2, 2, 0, 3, 3}, {4, 4, 4, 4, 4}, {4, 4, 4, 4, 4}};
    bake_builder b;
    builder_monotone(&b, 5, 5);
    nav_field f = partitioned(&b, PILLAR);
    assert_int_equal(f.region_count, 4);
    for (uint32_t z = 0; z < 5; ++z) {
        for (uint32_t x = 0; x < 5; ++x) {
            if (expected[z][x] != 0) {
                assert_int_equal(region_at(&f, x, z), expected[z][x]);
            }
        }
    }
    expect_partition(&b, &f);
    builder_free(&b);
}

static void small_regions_join_but_never_around_a_hole(void **state)
{
    (void)state;
    bake_builder b;
    builder_monotone(&b, 5, 5);
    b.job.region_merge_spans = 1000;
    nav_field f = partitioned(&b, PILLAR);
    assert_int_equal(f.region_count, 2);
    expect_partition(&b, &f);
    builder_free(&b);
}

static void a_run_goes_on_only_where_it_is_alone(void **state)
{
    (void)state;
    // A staircase of runs is one region; a run that touches two begins a new one.
    static const char *const stair[4] = {"...###", "#...##", "##...#", "###..."};
    static const char *const fork[3] = {"..#..", ".....", "....."};
    bake_builder b;
    builder_monotone(&b, 6, 4);
    nav_field f = partitioned(&b, stair);
    assert_int_equal(f.region_count, 1);
    builder_free(&b);
    builder_monotone(&b, 5, 3);
    f = partitioned(&b, fork);
    assert_int_equal(f.region_count, 3);
    assert_int_equal(region_at(&f, 0, 1), 3);
    assert_int_equal(region_at(&f, 0, 2), 3);
    builder_free(&b);
}

static void areas_stay_apart(void **state)
{
    (void)state;
    static const char *const map[3] = {"1122", "1122", "3333"};
    bake_builder b;
    builder_monotone(&b, 4, 3);
    b.job.region_merge_spans = 1000;
    nav_field f = partitioned(&b, map);
    assert_int_equal(f.region_count, 3);
    expect_partition(&b, &f);
    builder_free(&b);
}

static void islands_smaller_than_the_least_are_removed(void **state)
{
    (void)state;
    static const char *const map[3] = {"...#.", "...##", "...##"};
    bake_builder b;
    builder_monotone(&b, 5, 3);
    b.job.region_min_spans = 2;
    nav_field f = partitioned(&b, map);
    assert_int_equal(f.region_count, 1);
    assert_int_equal(removed_count(&b), 1);
    assert_int_equal(region_at(&f, 4, 0), 0);
    expect_partition(&b, &f);
    builder_free(&b);
}

static void no_number_of_runs_is_too_many(void **state)
{
    (void)state;
    // The teeth of a comb: 70,000 runs in one row, all of which end at its back.
    enum {
        TEETH = 70000,
        WIDTH = 2 * TEETH
    };
    char *teeth = comb_row(TEETH, true), *back = comb_row(TEETH, false);
    const char *const map[2] = {teeth, back};
    bake_builder b;
    builder_monotone(&b, WIDTH, 2);
    nav_field f = partitioned(&b, map);
    assert_int_equal(f.region_count, TEETH + 1);
    assert_int_equal(region_at(&f, WIDTH - 2, 0), TEETH);
    assert_int_equal(region_at(&f, WIDTH - 1, 1), TEETH + 1);
    builder_free(&b);
    free(teeth);
    free(back);
}

static void an_empty_field_has_no_regions(void **state)
{
    (void)state;
    static const char *const map[2] = {"0#0", "###"};
    bake_builder b;
    builder_monotone(&b, 3, 2);
    nav_field f = partitioned(&b, map);
    assert_int_equal(f.region_count, 0);
    expect_partition(&b, &f);
    builder_free(&b);
}

// ---- random maps ----

static void random_maps_and_tiles_are_covered(void **state)
{
    (void)state;
    uint32_t removed;
    const random_maps maps = {NAV_PARTITION_MONOTONE, .seed = 4711, .side_min = 12, .border_max = 6,
                              .merge_max = 200};
    assert_true(expect_random_maps(maps, &removed) > 2000);
    assert_true(removed > 100);
}

static void random_towers_are_covered(void **state)
{
    (void)state;
    assert_true(expect_random_towers(NAV_PARTITION_MONOTONE, 99, 40) > 250);
}

// ---- cancel, memory ----

static void cancel_and_lack_of_memory_are_statuses(void **state)
{
    (void)state;
    uint64_t seed = 9;
    char text[64][65];
    const char *rows[64];
    random_map(&seed, 64, text, rows);
    bake_builder b;
    builder_monotone(&b, 64, 64);
    b.job.region_merge_spans = 100;
    nav_field f = builder_field(&b, rows);
    // Once a row in the sweep and in the survey, and now and then afterwards.
    assert_true(builder_cancel_each_call(&b, regions_stage, &f) >= 2 * 64);
    assert_true(builder_fail_each_call(&b, regions_stage, &f) >= 2);
    builder_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pillar_makes_four_regions),
        cmocka_unit_test(small_regions_join_but_never_around_a_hole),
        cmocka_unit_test(a_run_goes_on_only_where_it_is_alone),
        cmocka_unit_test(areas_stay_apart),
        cmocka_unit_test(islands_smaller_than_the_least_are_removed),
        cmocka_unit_test(no_number_of_runs_is_too_many),
        cmocka_unit_test(an_empty_field_has_no_regions),
        cmocka_unit_test(random_maps_and_tiles_are_covered),
        cmocka_unit_test(random_towers_are_covered),
        cmocka_unit_test(cancel_and_lack_of_memory_are_statuses),
    };
    return cmocka_run_group_tests_name("bake_regions_monotone", tests, NULL, NULL);
}
