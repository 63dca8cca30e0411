// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_regions_random.c: hundreds of random maps, tiles and towers keep the rules of
// region_rules.h, and the same map gives the same regions.

#include "tests/unit/region_rules.h"

static void random_maps_are_covered(void **state)
{
    (void)state;
    uint32_t removed;
    const random_maps maps = {NAV_PARTITION_WATERSHED, .seed = 20260101, .side_min = 4,
                              .merge_max = 200};
    assert_true(expect_random_maps(maps, &removed) > 2000);
    assert_true(removed > 100);
}

static void merging_only_ever_makes_fewer(void **state)
{
    (void)state;
    uint64_t seed = 5;
    char text[64][65];
    const char *rows[64];
    uint32_t fewer = 0;
    for (int round = 0; round < 100; ++round) {
        random_map(&seed, 30, text, rows);
        uint32_t counts[2];
        for (uint32_t i = 0; i < 2; ++i) {
            bake_builder b;
            builder_init(&b, 30, 30);
            b.job.region_merge_spans = i * 100000;
            counts[i] = partitioned(&b, rows).region_count;
            builder_free(&b);
        }
        assert_true(counts[1] <= counts[0]);
        fewer += counts[1] < counts[0];
    }
    assert_true(fewer > 50);
}

static void random_tiles_are_covered(void **state)
{
    (void)state;
    uint64_t seed = 777;
    char text[64][65];
    const char *rows[64];
    for (int round = 0; round < 300; ++round) {
        uint32_t side = 12 + random_below(&seed, 30);
        random_map(&seed, side, text, rows);
        bake_builder b;
        builder_init(&b, side, side);
        b.job.border_cells = 1 + random_below(&seed, 5);
        b.job.region_min_spans = random_below(&seed, 60);
        b.job.region_merge_spans = random_below(&seed, 200);
        nav_field f = partitioned(&b, rows);
        expect_partition(&b, &f);
        builder_free(&b);
    }
}

static void random_towers_are_covered(void **state)
{
    (void)state;
    assert_true(expect_random_towers(NAV_PARTITION_WATERSHED, 31337, 40) > 250);
}

static void the_same_map_gives_the_same_regions(void **state)
{
    (void)state;
    uint64_t seed = 8;
    char text[64][65];
    const char *rows[64];
    random_map(&seed, 60, text, rows);
    bake_builder a, b;
    builder_init(&a, 60, 60);
    builder_init(&b, 60, 60);
    a.job.region_merge_spans = b.job.region_merge_spans = 100;
    // Other memory, other leftovers in it.
    memset(nav_arena_alloc(&b.scratch, 60000, 1), 0xa5, 60000);
    nav_arena_restore(&b.scratch, (nav_arena_mark){0});
    nav_field fa = partitioned(&a, rows), fb = partitioned(&b, rows);
    assert_int_equal(fa.region_count, fb.region_count);
    assert_memory_equal(fa.region, fb.region, fa.span_count * sizeof *fa.region);
    builder_free(&a);
    builder_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_maps_are_covered),
        cmocka_unit_test(merging_only_ever_makes_fewer),
        cmocka_unit_test(random_tiles_are_covered),
        cmocka_unit_test(random_towers_are_covered),
        cmocka_unit_test(the_same_map_gives_the_same_regions),
    };
    return cmocka_run_group_tests_name("bake_regions_random", tests, NULL, NULL);
}
