// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_bake_regions.c: partition by watershed, removal of islands, merging, the padding of tiles:
// small maps by hand, and what must hold for any map on hundreds of random ones.

#include "bake_builder.h"

static nav_status regions_stage(bake_builder *b, void *data)
{
    return nav_bake_regions_watershed(&b->job, &b->result, data);
}

// From a field with areas to one with regions.
static void partition(bake_builder *b, nav_field *f)
{
    assert_int_equal(nav_bake_distance(&b->job, &b->given, f), NAV_OK);
    assert_int_equal(regions_stage(b, f), NAV_OK);
    assert_int_equal(b->report.regions, f->region_count);
}

static nav_field partitioned(bake_builder *b, const char *const *map)
{
    nav_field f = builder_field(b, map);
    partition(b, &f);
    return f;
}

static uint32_t region_at(const nav_field *f, uint32_t x, uint32_t z)
{
    return f->region[span_at(f, x, z)];
}

static uint32_t removed_count(const bake_builder *b)
{
    return b->report.warnings[NAV_WARN_REGIONS_REMOVED].count;
}

// ---- what must hold for every field ----

// Collects what is linked to `start` and alike, by region where `by_region`, else all that can be
// walked outside of the padding. Marks it in `seen` and returns how many spans it is.
static uint32_t collect(const nav_field *f, uint32_t start, bool by_region, bool *seen,
                        uint32_t *stack, bool *open)
{
    uint32_t count = 0, top = 0;
    stack[top++] = start;
    seen[start] = true;
    while (count < top) {
        uint32_t i = stack[count++];
        for (int d = 0; d < 4; ++d) {
            uint32_t n = f->neighbours[i][d];
            if (n == NAV_NONE || f->area[n] == NAV_AREA_NONE) {
                continue;
            }
            bool padding = (f->region[n] & NAV_REGION_BORDER) != 0;
            *open |= padding;
            if (!padding && !seen[n] && (!by_region || f->region[n] == f->region[start])) {
                seen[n] = true;
                stack[top++] = n;
            }
        }
    }
    return count;
}

// Every island has either all of its spans in regions or, if it is small and ends here, none.
static void expect_islands(const bake_builder *b, const nav_field *f)
{
    bool *seen = calloc(f->span_count + 1u, sizeof *seen);
    uint32_t *stack = malloc((f->span_count + 1u) * sizeof *stack);
    uint32_t removed = 0;
    for (uint32_t i = 0; i < f->span_count; ++i) {
        if (f->area[i] == NAV_AREA_NONE) {
            assert_int_equal(f->region[i], 0);
        }
        if (f->area[i] == NAV_AREA_NONE || seen[i] || (f->region[i] & NAV_REGION_BORDER) != 0) {
            continue;
        }
        bool open = false;
        uint32_t count = collect(f, i, false, seen, stack, &open);
        bool stays = open || count >= b->job.region_min_spans;
        removed += !stays;
        for (uint32_t k = 0; k < count; ++k) {
            if ((f->region[stack[k]] != 0) != stays) {
                fail_msg("span %u of an island of %u is in region %u", stack[k], count,
                         f->region[stack[k]]);
            }
        }
    }
    assert_int_equal(removed_count(b), removed);
    free(seen);
    free(stack);
}

// Regions are numbered 1..region_count, each is of one area and in one piece.
static void expect_regions(const nav_field *f)
{
    bool *seen = calloc(f->span_count + 1u, sizeof *seen);
    bool *known = calloc(f->region_count + 1u, sizeof *known);
    uint32_t *stack = malloc((f->span_count + 1u) * sizeof *stack);
    uint32_t pieces = 0;
    for (uint32_t i = 0; i < f->span_count; ++i) {
        uint32_t number = f->region[i];
        if (number == 0 || (number & NAV_REGION_BORDER) != 0 || seen[i]) {
            continue;
        }
        assert_true(number <= f->region_count);
        assert_false(known[number]); // a second piece of it
        known[number] = true;
        pieces++;
        bool open = false;
        uint32_t count = collect(f, i, true, seen, stack, &open);
        for (uint32_t k = 0; k < count; ++k) {
            assert_int_equal(f->area[stack[k]], f->area[i]);
        }
    }
    assert_int_equal(pieces, f->region_count);
    free(seen);
    free(known);
    free(stack);
}

static void expect_partition(const bake_builder *b, const nav_field *f)
{
    expect_islands(b, f);
    expect_regions(f);
}

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
    // A room has 63 cells, one of them has the door as well. What is larger than the limit does not
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
        const float *at = b.report.warnings[NAV_WARN_REGIONS_REMOVED].position;
        if (least > 4 && least <= 30) {
            assert_true(at[0] == 7.5f && at[1] == MAP_FLOOR && at[2] == 0.5f);
        }
        builder_free(&b);
    }
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

static nav_field compacted(bake_builder *b, const span_spec *spans, uint32_t count)
{
    nav_heightfield solid = builder_solid(b, spans, count);
    nav_field f = {0};
    assert_int_equal(nav_bake_compact(&b->job, &solid, &b->given, &f), NAV_OK);
    return f;
}

static void regions_above_each_other_never_join(void **state)
{
    (void)state;
    // A ground of 9 x 7, a ramp of 9 x 1 behind its last row and a storey above the ground that the
    // ramp leads up to: one piece, in which everything small would like to join.
    //
    //    z 0..6: ground at 1 and storey at 9     z 7: the ramp, rising from 1 to 9
    bake_builder b;
    builder_init(&b, 9, 8);
    b.job.climb_cells = 1;
    b.job.height_min_cells = 3;
    b.job.region_merge_spans = 1000000;
    span_spec spans[200];
    uint32_t count = 0;
    for (uint32_t z = 0; z < 7; ++z) {
        for (uint32_t x = 0; x < 9; ++x) {
            spans[count++] = (span_spec){x, z, 0, 1, 1};
            spans[count++] = (span_spec){x, z, 8, 9, 1};
        }
    }
    for (uint32_t x = 0; x < 9; ++x) {
        spans[count++] = (span_spec){x, 7, 0, (uint16_t)(1 + x), 1};
    }
    nav_field f = compacted(&b, spans, count);
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
        span_spec spans[100 * 5];
        uint32_t count = 0;
        for (uint32_t column = 0; column < 100; ++column) {
            uint32_t y = random_below(&seed, 4);
            for (uint32_t floors = random_below(&seed, 6); floors > 0; --floors) {
                spans[count++] = (span_spec){column % 10, column / 10, (uint16_t)y,
                                             (uint16_t)(y + 1), NAV_AREA_GROUND};
                y += 2 + random_below(&seed, 8);
            }
        }
        nav_field f = compacted(&b, spans, count);
        partition(&b, &f);
        expect_partition(&b, &f);
        builder_free(&b);
    }
}

// ---- random maps ----

// Rooms, corridors, single pillars and puddles of other areas: rectangles laid over each other.
static void random_map(uint64_t *seed, uint32_t side, char text[][65], const char **rows)
{
    static const char kinds[] = "...######2#.30";
    for (uint32_t z = 0; z < side; ++z) {
        memset(text[z], '.', side);
        text[z][side] = 0;
        rows[z] = text[z];
    }
    for (uint32_t k = 5 + random_below(seed, 60); k > 0; --k) {
        char kind = kinds[random_below(seed, sizeof kinds - 1)];
        uint32_t x0 = random_below(seed, side), z0 = random_below(seed, side);
        uint32_t x1 = x0 + 1 + random_below(seed, side / 2), z1 = z0 + 1 + random_below(seed, 8);
        for (uint32_t z = z0; z < z1 && z < side; ++z) {
            for (uint32_t x = x0; x < x1 && x < side; ++x) {
                text[z][x] = kind;
            }
        }
    }
}

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

// ---- repeatability, cancel, memory ----

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
    nav_field f = builder_field(&b, rows);
    assert_int_equal(nav_bake_distance(&b.job, &b.given, &f), NAV_OK);
    assert_true(builder_cancel_each_call(&b, regions_stage, &f) >= 2);
    assert_true(builder_fail_each_call(&b, regions_stage, &f) >= 2);
    builder_empty(&b);
    // A limit on bytes fails at other places than a failing block does.
    size_t limit_bytes = 1000;
    nav_status status;
    uint32_t refusals = 0;
    while (b.scratch.limit_bytes = limit_bytes, (status = regions_stage(&b, &f)) != NAV_OK) {
        assert_int_equal(status, NAV_NO_MEMORY);
        builder_empty(&b);
        limit_bytes += 997;
        refusals++;
    }
    assert_true(refusals > 50);
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
        cmocka_unit_test(small_regions_that_hang_together_are_no_islands),
        cmocka_unit_test(a_puddle_in_the_middle_of_a_field_is_no_island),
        cmocka_unit_test(a_ring_around_a_block_is_covered),
        cmocka_unit_test(regions_above_each_other_never_join),
        cmocka_unit_test(random_towers_are_covered),
        cmocka_unit_test(random_maps_are_covered),
        cmocka_unit_test(merging_only_ever_makes_fewer),
        cmocka_unit_test(the_padding_is_flagged_and_stays_apart),
        cmocka_unit_test(an_island_that_ends_in_the_tile_is_removed_there_too),
        cmocka_unit_test(a_ring_along_the_padding_is_covered),
        cmocka_unit_test(random_tiles_are_covered),
        cmocka_unit_test(the_same_map_gives_the_same_regions),
        cmocka_unit_test(cancel_and_lack_of_memory_are_statuses),
    };
    return cmocka_run_group_tests_name("bake_regions", tests, NULL, NULL);
}
