// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_bake_regions_random.c: hundreds of random maps, tiles and towers keep the rules of
// region_rules.h, and the same map gives the same regions.

#include "region_rules.h"

static void random_maps_are_covered(void **state)
{
    (void)state;
    uint64_t seed = 20260101;
    char text[64][65];
    const char *rows[64];
    uint32_t regions = 0, removed = 0;
    for (int round = 0; round < 600; ++round) {
        uint32_t side = 4 + random_below(&seed, 44);
        random_map(&seed, side, text, rows);
        bake_builder b;
        builder_init(&b, side, side);
        b.job.region_min_spans = random_below(&seed, 3) * random_below(&seed, 30);
        b.job.region_merge_spans = random_below(&seed, 3) * random_below(&seed, 200);
        nav_field f = partitioned(&b, rows);
        expect_partition(&b, &f);
        regions += f.region_count;
        removed += removed_count(&b);
        builder_free(&b);
    }
    assert_true(regions > 2000);
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

// Random towers, also for agents that climb higher than they are tall: everything ends, and holds.
static void random_towers_are_covered(void **state)
{
    (void)state;
    uint64_t seed = 31337;
    for (int round = 0; round < 300; ++round) {
        bake_builder b;
        builder_init(&b, 10, 10);
        b.job.climb_cells = 1 + random_below(&seed, 10);
        b.job.height_min_cells = 1 + random_below(&seed, 4);
        b.job.region_merge_spans = random_below(&seed, 40);
        nav_field f = random_tower(&b, &seed);
        partition(&b, &f);
        expect_partition(&b, &f);
        builder_free(&b);
    }
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
