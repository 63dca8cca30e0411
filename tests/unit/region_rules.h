// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// region_rules.h: from a field to its regions, what must hold for the regions of every field, and
// random maps to try it on.

#pragma once

#include "bake_builder.h"

// The partition is b->config.partition.
static inline nav_status regions_stage(bake_builder *b, void *data)
{
    switch (b->config.partition) {
    case NAV_PARTITION_MONOTONE:
        return nav_bake_regions_monotone(&b->job, &b->result, data);
    case NAV_PARTITION_LAYERS:
        return nav_bake_regions_layers(&b->job, &b->result, data);
    case NAV_PARTITION_WATERSHED:
        break;
    }
    return nav_bake_regions_watershed(&b->job, &b->result, data);
}

// From a field with areas to one with regions.
static inline void partition(bake_builder *b, nav_field *f)
{
    if (b->config.partition == NAV_PARTITION_WATERSHED) {
        f->headroom = f->headroom != NULL ? f->headroom : f->distance; // of an earlier partition
        assert_int_equal(nav_bake_distance(&b->job, f), NAV_OK);
    }
    assert_int_equal(regions_stage(b, f), NAV_OK);
    assert_int_equal(b->report.regions, f->region_count);
}

static inline nav_field partitioned(bake_builder *b, const char *const *map)
{
    nav_field f = builder_field(b, map);
    partition(b, &f);
    return f;
}

static inline uint32_t region_at(const nav_field *f, uint32_t x, uint32_t z)
{
    return f->region[span_at(f, x, z)];
}

static inline uint32_t removed_count(const bake_builder *b)
{
    return b->report.warnings[NAV_WARN_REGIONS_REMOVED].count;
}

// ---- what must hold for every field ----

// Collects what is linked to `start` and alike, by region where `by_region`, else all that can be
// walked outside of the padding. Marks it in `seen` and returns how many spans it is.
static inline uint32_t collect(const nav_field *f, uint32_t start, bool by_region, bool *seen,
                               uint32_t *stack, bool *open)
{
    uint32_t count = 0, top = 0;
    stack[top++] = start;
    seen[start] = true;
    while (count < top) {
        uint32_t i = stack[count++];
        for (int d = 0; d < 4; ++d) {
            uint32_t n = nav_field_neighbour(f, i, d);
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
static inline void expect_islands(const bake_builder *b, const nav_field *f)
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
static inline void expect_regions(const nav_field *f)
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

// No region has two spans of one column.
static inline void expect_flat(const nav_field *f)
{
    for (size_t column = 0; column < (size_t)f->width * f->depth; ++column) {
        for (uint32_t i = f->first[column]; i < f->first[column + 1]; ++i) {
            for (uint32_t k = i + 1; k < f->first[column + 1] && f->region[i] != 0; ++k) {
                if (f->region[i] == f->region[k] && (f->region[i] & NAV_REGION_BORDER) == 0) {
                    fail_msg("region %u lies above itself in column %zu", f->region[i], column);
                }
            }
        }
    }
}

static inline void expect_partition(const bake_builder *b, const nav_field *f)
{
    expect_islands(b, f);
    expect_regions(f);
    expect_flat(f);
}

static inline nav_field compacted(bake_builder *b, const span_spec *spans, uint32_t count)
{
    nav_heightfield solid = builder_solid(b, spans, count);
    nav_field f = {0};
    assert_int_equal(nav_bake_compact(&b->job, &solid, &b->given, &f), NAV_OK);
    assert_int_equal(nav_bake_link(&b->job, &b->given, &f), NAV_OK);
    return f;
}

// ---- storeys ----

// A ground of 9 x 7, a ramp of 9 x 1 behind its last row and a storey above the ground that the
// ramp leads up to.
//
//    z 0..6: ground at 1 and storey at 9     z 7: the ramp, rising from 1 to 9
static inline nav_field ground_ramp_and_storey(bake_builder *b)
{
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
    return compacted(b, spans, count);
}

// ---- wide maps ----

// A row of so many teeth with gaps between them, or of one piece as wide; the caller frees it.
static inline char *comb_row(uint32_t teeth, bool gaps)
{
    char *row = malloc(2 * (size_t)teeth);
    assert_non_null(row);
    for (uint32_t x = 0; x < 2 * teeth; ++x) {
        row[x] = gaps && x % 2 != 0 ? '#' : '.';
    }
    return row;
}

// ---- random maps and towers ----

// Up to five storeys on each cell of a square of 10 x 10.
static inline nav_field random_tower(bake_builder *b, uint64_t *seed)
{
    span_spec spans[100 * 5];
    uint32_t count = 0;
    for (uint32_t column = 0; column < 100; ++column) {
        uint32_t y = random_below(seed, 4);
        for (uint32_t floors = random_below(seed, 6); floors > 0; --floors) {
            spans[count++] = (span_spec){column % 10, column / 10, (uint16_t)y, (uint16_t)(y + 1),
                                         NAV_AREA_GROUND};
            y += 2 + random_below(seed, 8);
        }
    }
    return compacted(b, spans, count);
}

// Rooms, corridors, single pillars and puddles of other areas: rectangles laid over each other.
static inline void random_map(uint64_t *seed, uint32_t side, char text[][65], const char **rows)
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

// Parameters of random maps.
typedef struct random_maps {
    nav_partition partition;
    uint64_t seed;
    uint32_t side_min, border_max, merge_max; // cells; the padding is below border_max, or none
} random_maps;

// 600 random maps keep the rules. *removed: islands that went. Returns how many regions there were.
static inline uint32_t expect_random_maps(random_maps maps, uint32_t *removed)
{
    char text[64][65];
    const char *rows[64];
    uint32_t regions = 0;
    *removed = 0;
    for (int round = 0; round < 600; ++round) {
        uint32_t side = maps.side_min + random_below(&maps.seed, 48 - maps.side_min);
        random_map(&maps.seed, side, text, rows);
        bake_builder b;
        builder_init(&b, side, side);
        b.config.partition = maps.partition;
        if (maps.border_max > 0) {
            b.job.border_cells =
                random_below(&maps.seed, 2) * random_below(&maps.seed, maps.border_max);
        }
        b.job.region_min_spans = random_below(&maps.seed, 3) * random_below(&maps.seed, 30);
        if (maps.merge_max > 0) {
            b.job.region_merge_spans =
                random_below(&maps.seed, 3) * random_below(&maps.seed, maps.merge_max);
        }
        nav_field f = partitioned(&b, rows);
        expect_partition(&b, &f);
        regions += f.region_count;
        *removed += removed_count(&b);
        builder_free(&b);
    }
    return regions;
}

// 300 random towers keep the rules, also for agents that climb higher than they are tall. Returns
// how many have several regions. merge_max 0: nothing is merged.
static inline uint32_t expect_random_towers(nav_partition partition_kind, uint64_t seed,
                                            uint32_t merge_max)
{
    uint32_t several = 0;
    for (int round = 0; round < 300; ++round) {
        bake_builder b;
        builder_init(&b, 10, 10);
        b.config.partition = partition_kind;
        b.job.climb_cells = 1 + random_below(&seed, 10);
        b.job.height_min_cells = 1 + random_below(&seed, 4);
        b.job.region_merge_spans = merge_max > 0 ? random_below(&seed, merge_max) : 0;
        nav_field f = random_tower(&b, &seed);
        partition(&b, &f);
        expect_partition(&b, &f);
        several += f.region_count > 1;
        builder_free(&b);
    }
    return several;
}
