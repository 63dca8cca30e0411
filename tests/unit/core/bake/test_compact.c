// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_compact.c: where one can stand, and which of these places are linked.

#include "tests/unit/bake_builder.h"

static nav_status compact(bake_builder *b, const nav_heightfield *solid, nav_field *f)
{
    nav_status status = nav_bake_compact(&b->job, solid, &b->result, f);
    return status == NAV_OK ? nav_bake_link(&b->job, &b->result, f) : status;
}

static nav_field compacted(bake_builder *b, const span_spec *spans, uint32_t count)
{
    builder_empty(b);
    nav_heightfield solid = builder_solid(b, spans, count);
    nav_field f = {0};
    assert_int_equal(compact(b, &solid, &f), NAV_OK);
    assert_int_equal(f.first[(size_t)f.width * f.depth], f.span_count);
    return f;
}

static void only_walkable_tops_are_kept(void **state)
{
    (void)state;
    bake_builder b;
    builder_init(&b, 2, 2);
    const span_spec spans[] = {{0, 0, 2, 5, 1},
                               {0, 0, 9, 12, NAV_AREA_NONE},
                               {1, 0, 0, 3, NAV_AREA_NONE},
                               {0, 1, 0, 7, 4}};
    nav_field f = compacted(&b, spans, 4);
    assert_int_equal(f.width, 2);
    assert_int_equal(f.depth, 2);
    assert_int_equal(f.span_count, 2);
    const uint32_t first[5] = {0, 1, 1, 2, 2};
    assert_memory_equal(f.first, first, sizeof first);
    assert_int_equal(f.floor[0], 5);
    assert_int_equal(f.headroom[0], 4); // up to what cannot be walked on as well
    assert_int_equal(f.area[0], 1);
    assert_int_equal(f.floor[1], 7);
    assert_int_equal(f.headroom[1], UINT16_MAX);
    assert_int_equal(f.area[1], 4);
    builder_free(&b);
}

static void nothing_walkable_gives_an_empty_field(void **state)
{
    (void)state;
    bake_builder b;
    builder_init(&b, 3, 2);
    const span_spec spans[] = {{1, 1, 2, 5, NAV_AREA_NONE}};
    nav_field f = compacted(&b, spans, 1);
    assert_int_equal(f.span_count, 0);
    for (int i = 0; i <= 6; ++i) {
        assert_int_equal(f.first[i], 0);
    }
    builder_free(&b);
}

static void expect_neighbours(const nav_field *f, uint32_t span, const uint32_t expected[4])
{
    for (int d = 0; d < 4; ++d) {
        assert_int_equal(nav_field_neighbour(f, span, d), expected[d]);
    }
}

static void neighbours_lie_in_the_order_of_the_directions(void **state)
{
    (void)state;
    bake_builder b;
    builder_init(&b, 3, 3);
    span_spec spans[9];
    for (uint32_t i = 0; i < 9; ++i) {
        spans[i] = (span_spec){i % 3, i / 3, 0, 5, 1};
    }
    nav_field f = compacted(&b, spans, 9);
    const uint32_t middle[4] = {3, 7, 5, 1}; // -x, +z, +x, -z
    expect_neighbours(&f, 4, middle);
    const uint32_t corner[4] = {NAV_NONE, 3, 1, NAV_NONE};
    expect_neighbours(&f, 0, corner);
    const uint32_t last[4] = {7, NAV_NONE, NAV_NONE, 5};
    expect_neighbours(&f, 8, last);
    builder_free(&b);
}

// Whether two floors beside each other, at 20 and `other`, are linked under ceilings that begin at
// the two heights given (0: open sky), for a climb of 3 and an agent of 6 cells.
static bool linked(uint16_t other, uint16_t ceiling, uint16_t other_ceiling)
{
    bake_builder b;
    builder_init(&b, 2, 1);
    b.job.climb_cells = 3;
    b.job.height_min_cells = 6;
    span_spec spans[4];
    uint32_t count = 0;
    spans[count++] = (span_spec){0, 0, 0, 20, 1};
    if (ceiling > 0) {
        spans[count++] = (span_spec){0, 0, ceiling, 90, NAV_AREA_NONE};
    }
    spans[count++] = (span_spec){1, 0, 0, other, 1};
    if (other_ceiling > 0) {
        spans[count++] = (span_spec){1, 0, other_ceiling, 90, NAV_AREA_NONE};
    }
    nav_field f = compacted(&b, spans, count);
    assert_int_equal(f.span_count, 2);
    bool there = nav_field_neighbour(&f, 0, 2) == 1;
    assert_int_equal(nav_field_neighbour(&f, 1, 0), there ? 0 : NAV_NONE);
    builder_free(&b);
    return there;
}

static void a_link_bridges_up_to_a_climb(void **state)
{
    (void)state;
    assert_true(linked(20, 0, 0));
    assert_true(linked(23, 0, 0));
    assert_false(linked(24, 0, 0));
    assert_true(linked(17, 0, 0));
    assert_false(linked(16, 0, 0));
}

static void a_link_needs_the_agents_height_in_common(void **state)
{
    (void)state;
    assert_true(linked(20, 26, 26)); // exactly its height
    assert_false(linked(20, 25, 26));
    assert_false(linked(20, 26, 25));
    assert_true(linked(23, 29, 0)); // free in common: 23 to 29
    assert_false(linked(23, 28, 0));
    assert_true(linked(17, 0, 26)); // 20 to 26
    assert_false(linked(17, 0, 25));
}

static void floors_link_to_their_own_storey(void **state)
{
    (void)state;
    bake_builder b;
    builder_init(&b, 2, 1);
    const span_spec spans[] = {{0, 0, 0, 5, 1},  {0, 0, 19, 20, 2}, {0, 0, 39, 40, 3},
                               {1, 0, 0, 4, 1},  {1, 0, 18, 21, 2}, {1, 0, 37, 38, 3},
                               {1, 0, 69, 70, 4}};
    nav_field f = compacted(&b, spans, 7);
    assert_int_equal(f.span_count, 7);
    assert_int_equal(nav_field_neighbour(&f, 0, 2), 3);
    assert_int_equal(nav_field_neighbour(&f, 1, 2), 4);
    assert_int_equal(nav_field_neighbour(&f, 2, 2), NAV_NONE); // 2 cells lower, climb is 1
    assert_int_equal(nav_field_neighbour(&f, 6, 0), NAV_NONE);
    assert_int_equal(nav_field_neighbour(&f, 3, 0), 0);
    assert_int_equal(nav_field_neighbour(&f, 4, 0), 1);
    builder_free(&b);
}

static void of_two_floors_within_a_climb_only_one_is_linked(void **state)
{
    (void)state;
    // An agent that climbs higher than it is tall reaches both floors at x = 0 from the one at
    // x = 1, which can be linked back to one of them only: to the lower.
    bake_builder b;
    builder_init(&b, 2, 1);
    b.job.climb_cells = 6;
    b.job.height_min_cells = 4;
    const span_spec spans[] = {{0, 0, 0, 10, 1}, {0, 0, 15, 16, 1}, {1, 0, 0, 10, 1}};
    nav_field low = compacted(&b, spans, 3);
    assert_int_equal(nav_field_neighbour(&low, 0, 2), 2);
    assert_int_equal(nav_field_neighbour(&low, 2, 0), 0);
    assert_int_equal(nav_field_neighbour(&low, 1, 2), NAV_NONE);
    const span_spec between[] = {{0, 0, 0, 10, 1}, {0, 0, 14, 15, 1}, {1, 0, 0, 11, 1}};
    nav_field f = compacted(&b, between, 3);
    assert_int_equal(nav_field_neighbour(&f, 2, 0), 1); // 11 to 14 is too low for the agent
    assert_int_equal(nav_field_neighbour(&f, 1, 2), 2);
    assert_int_equal(nav_field_neighbour(&f, 0, 2), NAV_NONE);
    builder_free(&b);
}

// Random towers: whatever the climb, a link leads back where it came from.
static void links_go_both_ways(void **state)
{
    (void)state;
    uint64_t seed = 4711;
    uint64_t links = 0;
    for (int round = 0; round < 300; ++round) {
        bake_builder b;
        builder_init(&b, 6, 6);
        b.job.climb_cells = random_below(&seed, 12);
        b.job.height_min_cells = 1 + random_below(&seed, 5);
        span_spec spans[36 * 6];
        uint32_t count = 0;
        for (uint32_t column = 0; column < 36; ++column) {
            uint32_t y = random_below(&seed, 10);
            for (uint32_t floors = random_below(&seed, 7); floors > 0; --floors) {
                uint32_t top = y + 1 + random_below(&seed, 3);
                spans[count++] = (span_spec){column % 6, column / 6, (uint16_t)y, (uint16_t)top,
                                             (uint8_t)random_below(&seed, 3)};
                y = top + 1 + random_below(&seed, 9);
            }
        }
        nav_field f = compacted(&b, spans, count);
        for (uint32_t i = 0; i < f.span_count; ++i) {
            for (int d = 0; d < 4; ++d) {
                uint32_t n = nav_field_neighbour(&f, i, d);
                if (n != NAV_NONE) {
                    links++;
                    assert_true(n < f.span_count);
                    assert_int_equal(nav_field_neighbour(&f, n, (d + 2) & 3), i);
                    int step = (int)f.floor[n] - (int)f.floor[i];
                    assert_true(abs(step) <= (int)b.job.climb_cells);
                }
            }
        }
        builder_free(&b);
    }
    assert_true(links > 10000);
}

typedef struct input_output {
    nav_heightfield solid;
    nav_field field;
} input_output;

static nav_status compact_stage(bake_builder *b, void *data)
{
    input_output *io = data;
    return compact(b, &io->solid, &io->field);
}

static void cancel_and_lack_of_memory_are_statuses(void **state)
{
    (void)state;
    bake_builder b;
    builder_init(&b, 100, 100);
    // Every column has one span, so that the heightfield can be laid out directly.
    nav_heightfield solid = {.width = 100,
                             .depth = 100,
                             .span_count = 10000,
                             .first = NAV_NEW(&b.given, uint32_t, 10001),
                             .span_min = NAV_NEW_ZERO(&b.given, uint16_t, 10000),
                             .span_max = NAV_NEW(&b.given, uint16_t, 10000),
                             .span_area = NAV_NEW(&b.given, uint8_t, 10000)};
    for (uint32_t i = 0; i <= 10000; ++i) {
        solid.first[i] = i;
    }
    for (uint32_t i = 0; i < 10000; ++i) {
        solid.span_max[i] = 5;
        solid.span_area[i] = 1;
    }
    input_output io = {.solid = solid, .field = {.width = 77}};
    b.cancel_at_call = 1;
    assert_int_equal(compact_stage(&b, &io), NAV_CANCELLED);
    assert_int_equal(io.field.width, 77); // untouched
    // Once before the copy, then for each row of links.
    assert_int_equal(builder_cancel_each_call(&b, compact_stage, &io), 101);
    assert_true(builder_fail_each_call(&b, compact_stage, &io) >= 2);
    assert_int_equal(io.field.span_count, 10000);
    builder_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_walkable_tops_are_kept),
        cmocka_unit_test(nothing_walkable_gives_an_empty_field),
        cmocka_unit_test(neighbours_lie_in_the_order_of_the_directions),
        cmocka_unit_test(a_link_bridges_up_to_a_climb),
        cmocka_unit_test(a_link_needs_the_agents_height_in_common),
        cmocka_unit_test(floors_link_to_their_own_storey),
        cmocka_unit_test(of_two_floors_within_a_climb_only_one_is_linked),
        cmocka_unit_test(links_go_both_ways),
        cmocka_unit_test(cancel_and_lack_of_memory_are_statuses),
    };
    return cmocka_run_group_tests_name("bake_compact", tests, NULL, NULL);
}
