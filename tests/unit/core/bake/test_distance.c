// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_distance.c: the chamfer distance by hand and against a slow search, and its blur.

#include "tests/unit/bake_builder.h"

static nav_status distance_stage(bake_builder *b, void *data)
{
    return nav_bake_distance(&b->job, data);
}

static void expect_distances(const nav_field *f, const uint16_t *expected)
{
    for (uint32_t i = 0; i < f->span_count; ++i) {
        if (f->distance[i] != expected[i]) {
            fail_msg("span %u is at distance %u instead of %u", i, f->distance[i], expected[i]);
        }
    }
}

static const char *const SQUARE[7] = {".......", ".......", ".......", ".......",
                                      ".......", ".......", "......."};

// Before the blur the rings are 0, 2, 4, 6. The blur leaves what is at most 2. On the ring of 4:
//   its corners      (3 * 4 + 5 * 2 + 6 + 5) / 9 = 33 / 9 = 3
//   its sides        (2 * 4 + 4 + 3 * 2 + ...): beside the middle (3 * 4 + 3 * 2 + 6 + 2 * 4 + 5) /
//   9
//                    = 37 / 9 = 4
//   the middle       (6 + 8 * 4 + 5) / 9 = 43 / 9 = 4
static void a_square_by_hand(void **state)
{
    (void)state;
    static const uint16_t expected[49] = {
        0, 0, 0, 0, 0, 0, 0, //
        0, 2, 2, 2, 2, 2, 0, //
        0, 2, 3, 4, 3, 2, 0, //
        0, 2, 4, 4, 4, 2, 0, //
        0, 2, 3, 4, 3, 2, 0, //
        0, 2, 2, 2, 2, 2, 0, //
        0, 0, 0, 0, 0, 0, 0,
    };
    bake_builder b;
    builder_init(&b, 7, 7);
    nav_field f = builder_field(&b, SQUARE);
    assert_int_equal(distance_stage(&b, &f), NAV_OK);
    assert_int_equal(f.distance_max, 6); // of the sharp distances
    expect_distances(&f, expected);
    builder_free(&b);
}

static void a_small_square_is_not_blurred(void **state)
{
    (void)state;
    static const char *const map[4] = {"....", "....", "....", "...."};
    static const uint16_t expected[16] = {0, 0, 0, 0, 0, 2, 2, 0, 0, 2, 2, 0, 0, 0, 0, 0};
    bake_builder b;
    builder_init(&b, 4, 4);
    nav_field f = builder_field(&b, map);
    assert_int_equal(distance_stage(&b, &f), NAV_OK);
    assert_int_equal(f.distance_max, 2);
    expect_distances(&f, expected);
    builder_free(&b);
}

static void the_border_between_areas_is_a_border(void **state)
{
    (void)state;
    static const char *const map[3] = {"111222", "111222", "111222"};
    static const uint16_t expected[18] = {0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0};
    bake_builder b;
    builder_init(&b, 6, 3);
    nav_field f = builder_field(&b, map);
    assert_int_equal(distance_stage(&b, &f), NAV_OK);
    expect_distances(&f, expected);
    builder_free(&b);
}

static void what_cannot_be_walked_is_at_zero(void **state)
{
    (void)state;
    static const char *const map[5] = {"00000", "00000", "00000", "00000", "00000"};
    static const uint16_t expected[25] = {0};
    bake_builder b;
    builder_init(&b, 5, 5);
    nav_field f = builder_field(&b, map);
    assert_int_equal(distance_stage(&b, &f), NAV_OK);
    assert_int_equal(f.distance_max, 0);
    expect_distances(&f, expected);
    builder_free(&b);
}

// ---- the chamfer against relaxation in any order until nothing changes ----

static void relax_slowly(const nav_field *f, uint16_t *distance)
{
    bool changed;
    do {
        changed = false;
        for (uint32_t i = 0; i < f->span_count; ++i) {
            uint32_t best = distance[i];
            for (int d = 0; d < 4; ++d) {
                uint32_t n = nav_field_neighbour(f, i, d);
                if (n == NAV_NONE) {
                    continue;
                }
                best = distance[n] + 2u < best ? distance[n] + 2u : best;
                for (int turn = 1; turn < 4; turn += 2) {
                    uint32_t diagonal = nav_field_neighbour(f, n, (d + turn) & 3);
                    if (diagonal != NAV_NONE && distance[diagonal] + 3u < best) {
                        best = distance[diagonal] + 3u;
                    }
                }
            }
            changed |= best < distance[i];
            distance[i] = (uint16_t)best;
        }
    } while (changed);
}

// On an open square the two passes are exact.
static void two_passes_are_exact_in_the_open(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int round = 0; round < 100; ++round) {
        char text[20][21];
        const char *rows[20];
        for (int z = 0; z < 20; ++z) {
            memset(text[z], '.', 20);
            text[z][20] = 0;
            rows[z] = text[z];
        }
        bake_builder b;
        builder_init(&b, 20, 20);
        nav_field f = builder_field(&b, rows);
        uint16_t fast[400], slow[400];
        for (int i = 0; i < 400; ++i) {
            fast[i] = random_below(&seed, 40) == 0 ? 0 : UINT16_MAX;
            slow[i] = fast[i];
        }
        assert_true(nav_field_chamfer(&b.job, &f, fast));
        relax_slowly(&f, slow);
        assert_memory_equal(fast, slow, sizeof fast);
        builder_free(&b);
    }
}

// Around walls two passes may miss a way that turns back, but never find one that is too short,
// and the distances they give are consistent from cell to cell where a border is beside it.
static void two_passes_are_never_too_short(void **state)
{
    (void)state;
    uint64_t seed = 77;
    for (int round = 0; round < 200; ++round) {
        char text[16][17];
        const char *rows[16];
        for (int z = 0; z < 16; ++z) {
            for (int x = 0; x < 16; ++x) {
                text[z][x] = random_below(&seed, 8) == 0 ? '#' : '.';
            }
            text[z][16] = 0;
            rows[z] = text[z];
        }
        bake_builder b;
        builder_init(&b, 16, 16);
        nav_field f = builder_field(&b, rows);
        uint16_t fast[256], slow[256];
        for (uint32_t i = 0; i < f.span_count; ++i) {
            bool rim = false;
            for (int d = 0; d < 4; ++d) {
                rim |= nav_field_neighbour(&f, i, d) == NAV_NONE;
            }
            fast[i] = slow[i] = rim ? 0 : UINT16_MAX;
        }
        assert_true(nav_field_chamfer(&b.job, &f, fast));
        relax_slowly(&f, slow);
        for (uint32_t i = 0; i < f.span_count; ++i) {
            assert_true(fast[i] >= slow[i]);
            assert_int_equal(fast[i] == 0, slow[i] == 0);
            // Beside a rim cell the way is one step, which a pass cannot miss.
            assert_int_equal(fast[i] == 2, slow[i] == 2);
        }
        builder_free(&b);
    }
}

static void without_a_start_nothing_is_reached(void **state)
{
    (void)state;
    bake_builder b;
    builder_init(&b, 7, 7);
    nav_field f = builder_field(&b, SQUARE);
    uint16_t distance[49];
    memset(distance, 0xff, sizeof distance);
    assert_true(nav_field_chamfer(&b.job, &f, distance));
    for (int i = 0; i < 49; ++i) {
        assert_int_equal(distance[i], UINT16_MAX);
    }
    builder_free(&b);
}

// Runs on a copy: where the stage succeeds, the distances take the place of the headroom.
static nav_status distance_stage_again(bake_builder *b, void *data)
{
    nav_field copy = *(nav_field *)data;
    nav_status status = distance_stage(b, &copy);
    assert_true(status == NAV_OK || copy.distance == NULL);
    return status;
}

static void cancel_and_lack_of_memory_are_statuses(void **state)
{
    (void)state;
    bake_builder b;
    builder_init(&b, 7, 7);
    nav_field f = builder_field(&b, SQUARE);
    b.cancel_at_call = 1;
    assert_int_equal(distance_stage(&b, &f), NAV_CANCELLED);
    assert_null(f.distance); // untouched
    assert_true(builder_cancel_each_call(&b, distance_stage_again, &f) >= 1);
    assert_int_equal(builder_fail_each_call(&b, distance_stage_again, &f), 1); // one block
    builder_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_square_by_hand),
        cmocka_unit_test(a_small_square_is_not_blurred),
        cmocka_unit_test(the_border_between_areas_is_a_border),
        cmocka_unit_test(what_cannot_be_walked_is_at_zero),
        cmocka_unit_test(two_passes_are_exact_in_the_open),
        cmocka_unit_test(two_passes_are_never_too_short),
        cmocka_unit_test(without_a_start_nothing_is_reached),
        cmocka_unit_test(cancel_and_lack_of_memory_are_statuses),
    };
    return cmocka_run_group_tests_name("bake_distance", tests, NULL, NULL);
}
