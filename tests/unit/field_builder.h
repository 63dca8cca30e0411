// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// field_builder.h: open fields drawn as maps of characters, for the tests of the stages that work
// on regions. One floor; row z of the map is the z-th string, column x its x-th character:
//
//   '.'       no span at all
//   '#'       a span that belongs to no region
//   'a'..'z'  a span of region 1..26
//   '0'..'9'  a span of the padding, in region 1..10 of it
//
// Include after cmocka.h.

#pragma once

#include "core/bake/contours/contours.h"
#include "core/bake/detail/detail.h"
#include "core/bake/polygons/polygons.h"
#include "core/bake/stages.h"
#include "tests/unit/counting_allocator.h"

#include <setjmp.h>
#include <stdarg.h>

#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Everything that a job needs, around one field. Init in place: the job points into it.
typedef struct field_fixture {
    nav_arena arena;
    nav_config config;
    nav_grid grid;
    nav_bake_report report;
    nav_error err;
    nav_bake_job job;
    nav_field field;
} field_fixture;

static const uint32_t NO_SPAN = UINT32_MAX;

// Steps of at most this many cells connect two spans.
#define FIELD_CLIMB_CELLS 4

static inline void field_link(nav_arena *arena, nav_field *field)
{
    uint32_t(*neighbours)[4] = nav_arena_alloc(arena, field->span_count, sizeof *neighbours);
    for (uint32_t z = 0; z < field->depth; z++) {
        for (uint32_t x = 0; x < field->width; x++) {
            uint32_t column = z * field->width + x;
            for (int d = 0; d < 4 && field->first[column] < field->first[column + 1]; d++) {
                int64_t nx = (int64_t)x + NAV_DIRECTION_X[d], nz = (int64_t)z + NAV_DIRECTION_Z[d];
                uint32_t span = field->first[column];
                neighbours[span][d] = NAV_NONE;
                if (nx < 0 || nz < 0 || nx >= field->width || nz >= field->depth) {
                    continue;
                }
                uint32_t other = (uint32_t)(nz * field->width + nx);
                if (field->first[other] < field->first[other + 1] &&
                    abs(field->floor[span] - field->floor[field->first[other]]) <=
                        FIELD_CLIMB_CELLS) {
                    neighbours[span][d] = field->first[other];
                }
            }
        }
    }
    assert_true(nav_field_links_init(arena, field));
    assert_true(
        nav_field_links_pack(arena, field, 0, field->span_count, (const uint32_t(*)[4])neighbours));
}

// A field of width * depth cells with the given regions (NO_SPAN: none); floors may be NULL (all
// 0).
static inline void fixture_init(field_fixture *f, uint32_t width, uint32_t depth,
                                const uint32_t *regions, const uint16_t *floors)
{
    *f = (field_fixture){.grid = {.cell_size = 1.0f, .cell_height = 1.0f}};
    nav_arena_init(&f->arena, NULL, 0);
    f->config.edge_max_error = 0.0f;
    f->config.polygon_max_vertices = 6;
    f->job = (nav_bake_job){.config = &f->config,
                            .grid = &f->grid,
                            .scratch = &f->arena,
                            .report = &f->report,
                            .err = &f->err,
                            .width_cells = width,
                            .depth_cells = depth};
    size_t cells = (size_t)width * depth;
    nav_field *field = &f->field;
    field->width = width;
    field->depth = depth;
    field->first = NAV_NEW_ZERO(&f->arena, uint32_t, cells + 1);
    field->floor = NAV_NEW_ZERO(&f->arena, uint16_t, cells);
    field->headroom = NAV_NEW_ZERO(&f->arena, uint16_t, cells);
    field->area = NAV_NEW_ZERO(&f->arena, uint16_t, cells);
    field->distance = NAV_NEW_ZERO(&f->arena, uint16_t, cells);
    field->region = NAV_NEW_ZERO(&f->arena, uint32_t, cells);
    for (size_t i = 0; i < cells; i++) {
        if (regions[i] != NO_SPAN) {
            uint32_t span = field->span_count++;
            uint32_t inner = regions[i] & ~NAV_REGION_BORDER;
            field->floor[span] = floors != NULL ? floors[i] : 0;
            field->headroom[span] = 20;
            field->area[span] = NAV_AREA_GROUND;
            field->region[span] = regions[i];
            field->region_count = inner > field->region_count ? inner : field->region_count;
        }
        field->first[i + 1] = field->span_count;
    }
    field_link(&f->arena, field);
}

// The span at a cell of the map, which must have one.
static inline uint32_t field_span(const nav_field *field, uint32_t x, uint32_t z)
{
    return field->first[z * field->width + x];
}

// floors: digits in the same places, or NULL.
static inline void fixture_draw(field_fixture *f, const char *const *rows, uint32_t depth,
                                const char *const *floors)
{
    uint32_t width = (uint32_t)strlen(rows[0]);
    uint32_t *regions = malloc((size_t)width * depth * sizeof *regions);
    uint16_t *heights = calloc((size_t)width * depth, sizeof *heights);
    for (uint32_t z = 0; z < depth; z++) {
        assert_int_equal(strlen(rows[z]), width);
        for (uint32_t x = 0; x < width; x++) {
            char c = rows[z][x];
            uint32_t region = c >= 'a' && c <= 'z' ? (uint32_t)(c - 'a') + 1 : 0;
            region = c >= '0' && c <= '9' ? ((uint32_t)(c - '0') + 1) | NAV_REGION_BORDER : region;
            regions[z * width + x] = c == '.' ? NO_SPAN : region;
            heights[z * width + x] = floors != NULL ? (uint16_t)(floors[z][x] - '0') : 0;
        }
    }
    fixture_init(f, width, depth, regions, heights);
    free(regions);
    free(heights);
}

#define FIELD_DRAW(fixture, ...)                                                                   \
    fixture_draw((fixture), (__VA_ARGS__), sizeof(__VA_ARGS__) / sizeof(char *), NULL)

static inline void fixture_free(field_fixture *f)
{
    nav_arena_free(&f->arena);
}

// A comb: a back of one row and teeth of one cell, with gaps as wide, three cells long.
#define COMB_TEETH 300u

static inline void fixture_comb(field_fixture *f)
{
    enum {
        DEPTH = 4,
        WIDTH = 2 * COMB_TEETH
    };
    static uint32_t regions[DEPTH * WIDTH];
    for (uint32_t i = 0; i < DEPTH * WIDTH; i++) {
        regions[i] = i < WIDTH || i % 2 == 0 ? 1 : NO_SPAN;
    }
    fixture_init(f, WIDTH, DEPTH, regions, NULL);
}

static inline nav_contour_set fixture_contours(field_fixture *f)
{
    nav_contour_set set = {0};
    assert_int_equal(nav_bake_contours(&f->job, &f->field, &set), NAV_OK);
    return set;
}

// Twice the area of a contour; positive where it is wound counter-clockwise from above.
static inline int64_t contour_area(const nav_contour *contour)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < contour->point_count; i++) {
        const nav_contour_point *p = &contour->points[i];
        const nav_contour_point *q = &contour->points[(i + 1) % contour->point_count];
        sum += (int64_t)p->z * q->x - (int64_t)p->x * q->z;
    }
    return sum;
}

// A stage on the fixture's job, from what was given to an output of its own.
typedef nav_status (*fixture_stage)(const field_fixture *f, const nav_contour_set *given);

// The stage is a success, or NAV_NO_MEMORY, whichever allocation fails and wherever a limit lies;
// it gives back all it took. It needs fewer calls than calls_max, and more than limit_min bytes.
static inline void fixture_fail_everywhere(field_fixture *f, fixture_stage stage,
                                           const nav_contour_set *given, uint32_t calls_max,
                                           size_t limit_min)
{
    nav_arena arena;
    uint32_t calls = 0;
    f->job.scratch = &arena;
    for (nav_status status = NAV_NO_MEMORY; status != NAV_OK; calls++) {
        counting counted = {.calls_max = calls};
        nav_allocator allocator = counting_allocator(&counted);
        nav_arena_init(&arena, &allocator, 0);
        status = stage(f, given);
        assert_true(status == NAV_OK || status == NAV_NO_MEMORY);
        nav_arena_free(&arena);
        assert_int_equal(counted.held_bytes, 0);
        assert_true(calls < calls_max);
    }
    assert_true(calls > 2);
    for (size_t limit = 1000; limit < 8000000; limit = limit * 6 / 5) {
        nav_arena_init(&arena, NULL, limit);
        const nav_status status = stage(f, given);
        assert_true(status == NAV_OK || status == NAV_NO_MEMORY);
        assert_true(limit > limit_min || status == NAV_NO_MEMORY);
        nav_arena_free(&arena);
    }
}

// A linear congruential generator (Knuth's MMIX constants), high bits.
static inline uint32_t field_random(uint64_t *state, uint32_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*state >> 33) % below);
}

// A random map: some cells missing, the others taken by regions that grow from random seeds until
// nothing next to them is free. Every region is connected. Returns the number of regions.
static inline uint32_t field_random_regions(uint64_t *state, uint32_t width, uint32_t depth,
                                            uint32_t *regions)
{
    uint32_t cells = width * depth;
    uint32_t holes_percent = field_random(state, 40);
    for (uint32_t i = 0; i < cells; i++) {
        regions[i] = field_random(state, 100) < holes_percent ? NO_SPAN : 0;
    }
    uint32_t *queue = malloc(cells * sizeof *queue);
    uint32_t count = 0, queued = 0;
    uint32_t seeds = 1 + field_random(state, 8);
    for (uint32_t i = 0; i < seeds; i++) {
        uint32_t cell = field_random(state, cells);
        if (regions[cell] == 0) {
            regions[cell] = ++count;
            queue[queued++] = cell;
        }
    }
    for (uint32_t cell = 0; cell < cells; cell++) {
        while (queued > 0) {
            // Taking a random one makes ragged shapes with inclusions.
            uint32_t pick = field_random(state, queued);
            uint32_t from = queue[pick];
            queue[pick] = queue[--queued];
            for (int d = 0; d < 4; d++) {
                int64_t x = (int64_t)(from % width) + NAV_DIRECTION_X[d];
                int64_t z = (int64_t)(from / width) + NAV_DIRECTION_Z[d];
                if (x >= 0 && z >= 0 && x < width && z < depth && regions[z * width + x] == 0) {
                    regions[z * width + x] = regions[from];
                    queue[queued++] = (uint32_t)(z * width + x);
                }
            }
        }
        // A cell that no seed has reached is an island of its own.
        if (regions[cell] == 0) {
            regions[cell] = ++count;
            queue[queued++] = cell;
        }
    }
    free(queue);
    return count;
}

// The same of a square of at most 96 x 96 cells, as a field.
static inline void fixture_random(field_fixture *f, uint64_t *state, uint32_t side)
{
    static uint32_t regions[96 * 96];
    assert_true(side <= 96);
    field_random_regions(state, side, side, regions);
    fixture_init(f, side, side, regions, NULL);
}
