// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bake_builder.h: the bench on which single stages of a bake are tested: a job with arenas, a
// report and an error, heightfields and fields made by hand, an allocator that fails on call n, a
// hook that cancels on question n, and a small random number generator. Cells are cubes of side 1,
// so that positions in cells and in the world are the same numbers.

#pragma once

// cmocka.h needs these, in this order.
// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "core/bake/contours/contours.h"
#include "core/bake/detail/detail.h"
#include "core/bake/polygons/polygons.h"
#include "core/bake/stages.h"

#include <stdlib.h>
#include <string.h>

typedef struct bake_builder {
    nav_bake_job job;
    nav_config config;
    nav_grid grid;
    nav_bake_hooks hooks;
    nav_cancel cancel;
    nav_bake_report report;
    nav_error err;
    nav_arena scratch, result;             // what the stage under test may use
    nav_arena given;                       // holds the inputs; never fails
    uint32_t alloc_calls, fail_at_call;    // fail_at_call 0: never
    uint32_t cancel_calls, cancel_at_call; // cancel_at_call 0: never
    size_t live_bytes;
} bake_builder;

static inline void *builder_alloc(void *user, size_t size_bytes)
{
    bake_builder *b = user;
    if (++b->alloc_calls == b->fail_at_call) {
        return NULL;
    }
    b->live_bytes += size_bytes;
    return malloc(size_bytes);
}

static inline void builder_release(void *user, void *block, size_t size_bytes)
{
    bake_builder *b = user;
    b->live_bytes -= size_bytes;
    free(block);
}

static inline bool builder_cancelled(void *user)
{
    bake_builder *b = user;
    return ++b->cancel_calls == b->cancel_at_call;
}

// A job of width x depth cells without border: headroom 3, climb 1, radius 1, nothing removed or
// merged.
static inline void builder_init(bake_builder *b, uint32_t width, uint32_t depth)
{
    *b = (bake_builder){.config = nav_config_default()};
    b->config.cell_size = 1;
    b->config.cell_height = 1;
    b->grid = (nav_grid){.max = {(float)width, 100, (float)depth},
                         .cell_size = 1,
                         .cell_height = 1,
                         .width_cells = width,
                         .depth_cells = depth,
                         .height_cells = 100,
                         .tiles_x = 1,
                         .tiles_z = 1};
    b->hooks = (nav_bake_hooks){.user = b, .cancelled = builder_cancelled};
    b->cancel = nav_cancel_by(&b->hooks);
    b->cancel.work = NAV_CANCEL_INTERVAL; // the first poll calls the hook
    nav_allocator counting = {.alloc = builder_alloc, .free = builder_release, .user = b};
    nav_arena_init(&b->scratch, &counting, 0);
    nav_arena_init(&b->result, &counting, 0);
    nav_arena_init(&b->given, NULL, 0);
    b->job = (nav_bake_job){.config = &b->config,
                            .grid = &b->grid,
                            .hooks = &b->hooks,
                            .cancel = &b->cancel,
                            .scratch = &b->scratch,
                            .report = &b->report,
                            .err = &b->err,
                            .width_cells = width,
                            .depth_cells = depth,
                            .height_min_cells = 3,
                            .climb_cells = 1,
                            .radius_cells = 1};
}

// Gives back what stages took; the inputs stay. A stage must not have kept anything elsewhere.
static inline void builder_empty(bake_builder *b)
{
    nav_arena_free(&b->scratch);
    nav_arena_free(&b->result);
    assert_int_equal(b->live_bytes, 0);
}

static inline void builder_free(bake_builder *b)
{
    builder_empty(b);
    nav_arena_free(&b->given);
}

// ---- inputs ----

typedef struct span_spec {
    uint32_t x, z;
    uint16_t min, max;
    uint8_t area;
} span_spec;

// A heightfield of the given spans; those of one column must be given from low to high.
static inline nav_heightfield builder_solid(bake_builder *b, const span_spec *specs, uint32_t count)
{
    uint32_t width = b->job.width_cells, depth = b->job.depth_cells;
    nav_heightfield solid = {.width = width,
                             .depth = depth,
                             .span_count = count,
                             .first = NAV_NEW(&b->given, uint32_t, (size_t)width * depth + 1),
                             .span_min = NAV_NEW(&b->given, uint16_t, count),
                             .span_max = NAV_NEW(&b->given, uint16_t, count),
                             .span_area = NAV_NEW(&b->given, uint8_t, count)};
    // Counting sort by column.
    uint32_t columns = width * depth;
    uint32_t *next = calloc((size_t)columns + 1, sizeof *next);
    for (uint32_t i = 0; i < count; ++i) {
        assert_true(specs[i].x < width && specs[i].z < depth);
        next[specs[i].z * width + specs[i].x + 1]++;
    }
    for (uint32_t column = 0; column < columns; ++column) {
        next[column + 1] += next[column];
    }
    memcpy(solid.first, next, ((size_t)columns + 1) * sizeof *next);
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t to = next[specs[i].z * width + specs[i].x]++;
        solid.span_min[to] = specs[i].min;
        solid.span_max[to] = specs[i].max;
        solid.span_area[to] = specs[i].area;
    }
    free(next);
    return solid;
}

#define MAP_FLOOR 10

// A field of one storey from a map, one string a row of cells, z rising downwards: '#' and ' ' have
// no floor, '.' is ground, '0' a floor that cannot be walked, '1'..'9' are areas.
static inline nav_field builder_field(bake_builder *b, const char *const *rows)
{
    uint32_t width = b->job.width_cells, depth = b->job.depth_cells;
    size_t columns = (size_t)width * depth;
    nav_field f = {.width = width,
                   .depth = depth,
                   .first = NAV_NEW(&b->given, uint32_t, columns + 1),
                   .floor = NAV_NEW(&b->given, uint16_t, columns),
                   .headroom = NAV_NEW(&b->given, uint16_t, columns),
                   .area = NAV_NEW(&b->given, uint16_t, columns)};
    uint32_t(*neighbours)[4] = nav_arena_alloc(&b->given, columns, sizeof *neighbours);
    for (size_t column = 0; column < columns; ++column) {
        char c = rows[column / width][column % width];
        f.first[column] = f.span_count;
        if (c != '#' && c != ' ') {
            uint32_t i = f.span_count++;
            f.floor[i] = MAP_FLOOR;
            f.headroom[i] = UINT16_MAX;
            f.area[i] = c == '.' ? NAV_AREA_GROUND : (uint8_t)(c - '0');
        }
    }
    f.first[columns] = f.span_count;
    for (size_t column = 0; column < columns; ++column) {
        int x = (int)(column % width), z = (int)(column / width);
        for (uint32_t i = f.first[column]; i < f.first[column + 1]; ++i) {
            for (int d = 0; d < 4; ++d) {
                int nx = x + NAV_DIRECTION_X[d], nz = z + NAV_DIRECTION_Z[d];
                bool inside = nx >= 0 && nz >= 0 && nx < (int)width && nz < (int)depth;
                size_t other = inside ? (size_t)nz * width + (size_t)nx : 0;
                bool there = inside && f.first[other] < f.first[other + 1];
                neighbours[i][d] = there ? f.first[other] : NAV_NONE;
            }
        }
    }
    assert_true(nav_field_links_init(&b->given, &f));
    assert_true(
        nav_field_links_pack(&b->given, &f, 0, f.span_count, (const uint32_t(*)[4])neighbours));
    return f;
}

// The span of a column of a field of one storey.
static inline uint32_t span_at(const nav_field *f, uint32_t x, uint32_t z)
{
    size_t column = (size_t)z * f->width + x;
    assert_int_equal(f->first[column + 1] - f->first[column], 1);
    return f->first[column];
}

// ---- bad luck ----

typedef nav_status (*builder_stage)(bake_builder *b, void *data);

// Runs a stage with call 1, 2, 3.. of the allocator failing, until it succeeds: each failure must
// be NAV_NO_MEMORY and must not leak. Returns how many there were. The stage's success is left in
// the arenas.
static inline uint32_t builder_fail_each_call(bake_builder *b, builder_stage stage, void *data)
{
    for (uint32_t n = 1;; ++n) {
        builder_empty(b);
        b->alloc_calls = 0;
        b->fail_at_call = n;
        nav_status status = stage(b, data);
        b->fail_at_call = 0;
        if (status == NAV_OK) {
            assert_true(b->alloc_calls < n); // no failure may be swallowed
            return n - 1;
        }
        assert_int_equal(status, NAV_NO_MEMORY);
    }
}

// Runs a stage with question 1, 2, 3.. of "cancelled?" answered with yes, until it is not asked
// that often: each time it must end with NAV_CANCELLED. Returns how often that was.
static inline uint32_t builder_cancel_each_call(bake_builder *b, builder_stage stage, void *data)
{
    for (uint32_t n = 1;; ++n) {
        builder_empty(b);
        b->cancel_calls = 0;
        b->cancel_at_call = n;
        // The first poll calls the hook, as most of these fields are less than an interval's work.
        b->cancel.work = NAV_CANCEL_INTERVAL;
        b->cancel.cancelled = false;
        nav_status status = stage(b, data);
        b->cancel_at_call = 0;
        if (status == NAV_OK) {
            assert_true(b->cancel_calls < n);
            return n - 1;
        }
        assert_int_equal(status, NAV_CANCELLED);
        assert_int_equal(b->err.status, NAV_CANCELLED);
    }
}

// Runs a stage with more and more bytes of scratch, which fails at other places than a failing
// block does, until it succeeds. Returns how many refusals there were.
static inline uint32_t builder_fail_each_limit(bake_builder *b, builder_stage stage, void *data,
                                               size_t first_bytes, size_t more_bytes)
{
    builder_empty(b);
    for (uint32_t refusals = 0;; ++refusals) {
        b->scratch.limit_bytes = first_bytes + refusals * more_bytes;
        nav_status status = stage(b, data);
        if (status == NAV_OK) {
            return refusals;
        }
        assert_int_equal(status, NAV_NO_MEMORY);
        builder_empty(b);
    }
}

// ---- chance (xorshift64*, Vigna 2016) ----

static inline uint32_t random_bits(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (uint32_t)(*state * 0x2545f4914f6cdd1dull >> 32);
}

// 0 .. count - 1
static inline uint32_t random_below(uint64_t *state, uint32_t count)
{
    return (uint32_t)((uint64_t)random_bits(state) * count >> 32);
}

static inline float random_between(uint64_t *state, float min, float max)
{
    return min + (max - min) * ((float)(random_bits(state) >> 8) / 16777216.0f);
}
