// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_field.c: links packed into one byte are the ones that were given, also where neighbours are
// too far away for a byte.

#include "core/bake/stages.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static uint32_t dice(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u; // Numerical Recipes
    return *state >> 8;
}

// Neighbours that lie about `distance` spans away, some of them missing.
static void links_come_back(uint32_t span_count, uint32_t distance, uint32_t scatter)
{
    nav_arena arena;
    nav_arena_init(&arena, NULL, 0);
    nav_field f = {.span_count = span_count};
    uint32_t(*given)[4] = nav_arena_alloc(&arena, span_count, sizeof *given);
    uint32_t seed = span_count + distance + scatter;
    for (uint32_t i = 0; i < span_count; ++i) {
        for (int d = 0; d < 4; ++d) {
            uint32_t away = distance + dice(&seed) % scatter;
            given[i][d] = dice(&seed) % 8 == 0 ? NAV_NONE : d < 2 ? i - away : i + away;
        }
    }
    assert_true(nav_field_links_init(&arena, &f));
    assert_true(nav_field_links_pack(&arena, &f, 0, span_count, (const uint32_t(*)[4])given));
    for (uint32_t i = 0; i < span_count; ++i) {
        for (int d = 0; d < 4; ++d) {
            assert_int_equal(nav_field_neighbour(&f, i, d), given[i][d]);
        }
    }
    nav_arena_free(&arena);
}

static void near_neighbours(void **state)
{
    (void)state;
    for (uint32_t count = 0; count < 4 * NAV_LINK_BLOCK; ++count) {
        links_come_back(count, 1, 3);
    }
    links_come_back(100000, 1000, 120);
}

static void far_neighbours(void **state)
{
    (void)state;
    const uint32_t scatters[] = {126, 127, 128, 129, 253, 254, 255, 256, 257, 1000, 10000000};
    for (size_t i = 0; i < sizeof scatters / sizeof *scatters; ++i) {
        links_come_back(5000, 1, scatters[i]);
        links_come_back(5000, 1000000, scatters[i]);
    }
}

static void blocks_can_be_packed_one_by_one(void **state)
{
    (void)state;
    enum {
        SPANS = 3 * NAV_LINK_BLOCK + 5
    };
    nav_arena arena;
    nav_arena_init(&arena, NULL, 0);
    nav_field f = {.span_count = SPANS};
    uint32_t given[SPANS][4];
    for (uint32_t i = 0; i < SPANS; ++i) {
        given[i][0] = i % 7 == 0 ? NAV_NONE : i + 500 * i;
        given[i][1] = i + 20;
        given[i][2] = i;
        given[i][3] = NAV_NONE;
    }
    assert_true(nav_field_links_init(&arena, &f));
    for (uint32_t i = 0; i < SPANS; i += NAV_LINK_BLOCK) {
        uint32_t end = i + NAV_LINK_BLOCK < SPANS ? i + NAV_LINK_BLOCK : SPANS;
        assert_true(nav_field_links_pack(&arena, &f, i, end, (const uint32_t(*)[4])(given + i)));
    }
    for (uint32_t i = 0; i < SPANS; ++i) {
        for (int d = 0; d < 4; ++d) {
            assert_int_equal(nav_field_neighbour(&f, i, d), given[i][d]);
        }
    }
    nav_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(near_neighbours),
        cmocka_unit_test(far_neighbours),
        cmocka_unit_test(blocks_can_be_packed_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
