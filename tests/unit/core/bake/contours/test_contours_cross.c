// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_contours_cross.c: contours that simplification would make cross are simplified with
// more care, the same on both sides of each border. Random maps, in each partition.

#include "tests/unit/contour_rules.h"
#include "tests/unit/region_rules.h"

static nav_status contours_stage(bake_builder *b, void *data)
{
    nav_contour_set set;
    return nav_bake_contours(&b->job, data, &set);
}

static void random_contours_are_simple(void **state)
{
    (void)state;
    static const float errors[] = {0, 1.3f, 3, 10};
    uint64_t seed = 20;
    char text[64][65];
    const char *rows[64];
    uint32_t contours = 0;
    for (int round = 0; round < 1200; ++round) {
        uint32_t side = 8 + random_below(&seed, 40);
        random_map(&seed, side, text, rows);
        bake_builder b;
        builder_init(&b, side, side);
        b.config.partition = (nav_partition)random_below(&seed, 3);
        b.config.edge_max_error = errors[random_below(&seed, 4)];
        b.job.edge_max_length_cells = random_below(&seed, 2) * 12;
        b.job.region_merge_spans = random_below(&seed, 3) * random_below(&seed, 200);
        nav_field f = partitioned(&b, rows);
        nav_contour_set set;
        assert_int_equal(nav_bake_contours(&b.job, &f, &set), NAV_OK);
        expect_simple(&set);
        expect_twins(&set);
        contours += set.count;
        builder_free(&b);
    }
    assert_true(contours > 5000);
}

static void random_towers_have_simple_contours(void **state)
{
    (void)state;
    uint64_t seed = 77;
    for (int round = 0; round < 600; ++round) {
        bake_builder b;
        builder_init(&b, 10, 10);
        b.config.partition = (nav_partition)random_below(&seed, 3);
        b.job.climb_cells = 1 + random_below(&seed, 10);
        b.job.region_merge_spans = random_below(&seed, 40);
        nav_field f = random_tower(&b, &seed);
        partition(&b, &f);
        nav_contour_set set;
        assert_int_equal(nav_bake_contours(&b.job, &f, &set), NAV_OK);
        expect_simple(&set);
        builder_free(&b);
    }
}

static size_t peak_with_error(nav_field *f, bake_builder *b, float error)
{
    nav_contour_set set;
    nav_arena_free(&b->scratch);
    b->scratch.peak_bytes = 0;
    b->config.edge_max_error = error;
    assert_int_equal(nav_bake_contours(&b->job, f, &set), NAV_OK);
    return b->scratch.peak_bytes;
}

static void rounds_use_the_same_memory(void **state)
{
    (void)state;
    // Contours that follow the cells have most points, and need one round. Where others need many,
    // these take no more than that, and a list of edges.
    uint64_t seed = 5;
    char text[64][65];
    const char *rows[64];
    size_t one_round = 0, rounds = 0;
    for (int i = 0; i < 20; ++i) {
        random_map(&seed, 64, text, rows);
        bake_builder b;
        builder_init(&b, 64, 64);
        b.config.partition = NAV_PARTITION_LAYERS;
        nav_field f = partitioned(&b, rows);
        nav_arena kept = b.scratch;
        nav_arena_init(&b.scratch, NULL, 0);
        one_round += peak_with_error(&f, &b, 0.0f);
        rounds += peak_with_error(&f, &b, 30.0f);
        nav_arena_free(&b.scratch);
        b.scratch = kept;
        builder_free(&b);
    }
    assert_true(rounds < one_round + one_round / 4);
}

static void a_slit_is_no_contour(void **state)
{
    (void)state;
    // A stair around one corner, wide enough that its region closes around the cliff between its
    // first cell and its last: two sides that nobody can step over, with nothing between them.
    //
    //     2 2 2 2 2
    //     2 1 4 4 2       from 1 to 4 it is more than the agent climbs
    //     2 2 3 3 2
    //     2 2 2 2 2
    static const uint16_t floors[4][5] = {
        {2, 2, 2, 2, 2}, {2, 1, 4, 4, 2}, {2, 2, 3, 3, 2}, {2, 2, 2, 2, 2}};
    bake_builder b;
    builder_init(&b, 5, 4);
    b.job.climb_cells = 2;
    span_spec spans[20];
    for (uint32_t i = 0; i < 20; ++i) {
        spans[i] = (span_spec){i % 5, i / 5, 0, floors[i / 5][i % 5], NAV_AREA_GROUND};
    }
    b.config.partition = NAV_PARTITION_LAYERS;
    nav_field f = compacted(&b, spans, 20);
    partition(&b, &f);
    assert_int_equal(f.region_count, 1);
    assert_int_equal(nav_field_neighbour(&f, 6, 2), NAV_NONE);
    nav_contour_set set;
    assert_int_equal(nav_bake_contours(&b.job, &f, &set), NAV_OK);
    assert_int_equal(set.count, 1);
    assert_int_equal(set.contours[0].point_count, 4);
    builder_free(&b);
}

static void cancel_and_lack_of_memory_are_statuses(void **state)
{
    (void)state;
    uint64_t seed = 3;
    char text[64][65];
    const char *rows[64];
    random_map(&seed, 64, text, rows);
    bake_builder b;
    builder_init(&b, 64, 64);
    nav_field f = builder_field(&b, rows);
    assert_int_equal(nav_bake_distance(&b.job, &f), NAV_OK);
    nav_arena kept = b.result;
    b.result = b.given;
    assert_int_equal(regions_stage(&b, &f), NAV_OK);
    b.given = b.result;
    b.result = kept;
    // Once for each row of cells, once for each of five rows of buckets, in each round; and once a
    // pass over the spans.
    uint32_t asked = builder_cancel_each_call(&b, contours_stage, &f);
    assert_true(asked >= 69);
    assert_true(builder_fail_each_call(&b, contours_stage, &f) >= 1);
    assert_true(builder_fail_each_limit(&b, contours_stage, &f, 1000, 499) > 10);
    builder_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_contours_are_simple),
        cmocka_unit_test(random_towers_have_simple_contours),
        cmocka_unit_test(rounds_use_the_same_memory),
        cmocka_unit_test(a_slit_is_no_contour),
        cmocka_unit_test(cancel_and_lack_of_memory_are_statuses),
    };
    return cmocka_run_group_tests_name("bake_contours_cross", tests, NULL, NULL);
}
