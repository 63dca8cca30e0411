// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_regions_layers.c: the partition into layers: maps and storeys by hand, then random ones
// that keep the rules of region_rules.h.

#include "tests/unit/region_rules.h"

static void builder_layers(bake_builder *b, uint32_t width, uint32_t depth)
{
    builder_init(b, width, depth);
    b->config.partition = NAV_PARTITION_LAYERS;
}

// ---- one storey ----

static void a_storey_is_one_layer_with_its_holes(void **state)
{
    (void)state;
    static const char *const map[5] = {".......", ".#.#.#.", ".......", ".#.###.", "......."};
    bake_builder b;
    builder_layers(&b, 7, 5);
    nav_field f = partitioned(&b, map);
    assert_int_equal(f.region_count, 1);
    assert_int_equal(region_at(&f, 6, 4), 1);
    expect_partition(&b, &f);
    builder_free(&b);
}

static void areas_and_islands_are_layers_of_their_own(void **state)
{
    (void)state;
    static const char *const map[3] = {"...#...", ".2.#...", "...#..."};
    bake_builder b;
    builder_layers(&b, 7, 3);
    nav_field f = partitioned(&b, map);
    assert_int_equal(f.region_count, 3);
    assert_int_equal(region_at(&f, 0, 0), region_at(&f, 2, 2));
    assert_int_not_equal(region_at(&f, 0, 0), region_at(&f, 1, 1));
    assert_int_not_equal(region_at(&f, 0, 0), region_at(&f, 4, 0));
    expect_partition(&b, &f);
    builder_free(&b);
}

static void small_islands_are_removed_and_small_layers_stay(void **state)
{
    (void)state;
    // The puddle is a layer of one cell, on an island of nine.
    static const char *const map[3] = {"...#..#", ".2.#..#", "...#..#"};
    bake_builder b;
    builder_layers(&b, 7, 3);
    b.job.region_min_spans = 9;
    nav_field f = partitioned(&b, map);
    assert_int_equal(f.region_count, 2);
    assert_int_not_equal(region_at(&f, 1, 1), 0);
    assert_int_equal(region_at(&f, 4, 0), 0);
    assert_int_equal(removed_count(&b), 1);
    const float *at = b.report.warnings[NAV_WARN_REGIONS_REMOVED].items[0].position;
    assert_true(at[0] == 4.5f && at[1] == MAP_FLOOR && at[2] == 0.5f);
    assert_true(b.report.warnings[NAV_WARN_REGIONS_REMOVED].items[0].value == 6);
    expect_partition(&b, &f);
    builder_free(&b);
}

static void no_number_of_layers_is_too_many(void **state)
{
    (void)state;
    enum {
        TEETH = 70000,
        WIDTH = 2 * TEETH
    };
    char *teeth = comb_row(TEETH, true), *back = comb_row(TEETH, false);
    const char *const islands[2] = {teeth, teeth};
    const char *const comb[2] = {teeth, back};
    bake_builder b;
    builder_layers(&b, WIDTH, 2);
    nav_field f = partitioned(&b, islands);
    assert_int_equal(f.region_count, TEETH);
    assert_int_equal(region_at(&f, WIDTH - 2, 1), TEETH);
    builder_free(&b);
    builder_layers(&b, WIDTH, 2);
    f = partitioned(&b, comb);
    assert_int_equal(f.region_count, 1);
    builder_free(&b);
    free(teeth);
    free(back);
}

// ---- several storeys ----

static void a_storey_above_is_another_layer(void **state)
{
    (void)state;
    // The ramp runs along the ground's edge, where the storey goes on to it; nothing has been
    // eroded here, so it would touch a layer with the ground without being linked, and is one of
    // its own.
    bake_builder b;
    builder_layers(&b, 9, 8);
    nav_field f = ground_ramp_and_storey(&b);
    partition(&b, &f);
    expect_partition(&b, &f);
    uint32_t ground = f.region[f.first[0]], storey = f.region[f.first[0] + 1];
    assert_int_not_equal(ground, storey);
    for (uint32_t column = 0; column < 63; ++column) {
        assert_int_equal(f.region[f.first[column]], ground);
        assert_int_equal(f.region[f.first[column] + 1], storey);
    }
    uint32_t ramp = f.region[f.first[63]];
    assert_true(ramp != ground && ramp != storey);
    assert_int_equal(f.region_count, 3);
    builder_free(&b);
}

static void a_bridge_that_leads_nowhere_is_cut_where_it_overlaps(void **state)
{
    (void)state;
    // A ground of one row that climbs at its right end, turns, and comes back above itself.
    //
    //    z 1:   8 8 8 8 7 6 5      above z 1 at 1, which is the ground's second row
    //    z 0:   1 1 1 1 2 3 4
    bake_builder b;
    builder_layers(&b, 7, 2);
    span_spec spans[32];
    uint32_t count = 0;
    for (uint32_t x = 0; x < 7; ++x) {
        spans[count++] = (span_spec){x, 0, 0, (uint16_t)(x < 3 ? 1 : x - 2), 1};
    }
    for (uint32_t x = 0; x < 7; ++x) {
        if (x < 3) {
            spans[count++] = (span_spec){x, 1, 0, 1, 1};
        }
        uint16_t top = (uint16_t)(x < 3 ? 8 : 11 - x);
        spans[count++] = (span_spec){x, 1, (uint16_t)(top - 1), top, 1};
    }
    nav_field f = compacted(&b, spans, count);
    partition(&b, &f);
    expect_partition(&b, &f);
    assert_int_equal(f.region_count, 2);
    builder_free(&b);
}

// ---- random maps ----

static void random_maps_and_tiles_are_covered(void **state)
{
    (void)state;
    uint32_t removed;
    const random_maps maps = {NAV_PARTITION_LAYERS, .seed = 1234, .side_min = 12, .border_max = 6};
    assert_true(expect_random_maps(maps, &removed) > 1000);
    assert_true(removed > 100);
}

static void random_towers_are_covered(void **state)
{
    (void)state;
    assert_true(expect_random_towers(NAV_PARTITION_LAYERS, 31, 0) > 250);
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
    builder_layers(&b, 64, 64);
    nav_field f = builder_field(&b, rows);
    // Once where the padding is marked, and once a row in the sweep and in the survey. Columns of
    // several floors and spans that get their numbers are less than an interval here.
    assert_int_equal(builder_cancel_each_call(&b, regions_stage, &f), 129);
    assert_true(builder_fail_each_call(&b, regions_stage, &f) >= 2);
    assert_true(builder_fail_each_limit(&b, regions_stage, &f, 100, 499) > 10);
    builder_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_storey_is_one_layer_with_its_holes),
        cmocka_unit_test(areas_and_islands_are_layers_of_their_own),
        cmocka_unit_test(small_islands_are_removed_and_small_layers_stay),
        cmocka_unit_test(no_number_of_layers_is_too_many),
        cmocka_unit_test(a_storey_above_is_another_layer),
        cmocka_unit_test(a_bridge_that_leads_nowhere_is_cut_where_it_overlaps),
        cmocka_unit_test(random_maps_and_tiles_are_covered),
        cmocka_unit_test(random_towers_are_covered),
        cmocka_unit_test(cancel_and_lack_of_memory_are_statuses),
    };
    return cmocka_run_group_tests_name("bake_regions_layers", tests, NULL, NULL);
}
