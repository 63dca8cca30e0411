// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bake_detail_fixture.h: a small field built from a height function, and polygons laid over it by
// hand, for the tests of the height detail.

#pragma once

#include "core/bake/contours/contours.h"
#include "core/bake/polygons/polygons.h"
#include "core/bake/detail/detail.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SIDE 64
#define STOREYS 2
#define COLUMN_SPANS ((size_t)SIDE * SIDE * STOREYS)

// Floor of a storey at a cell, and its region; floor -1: there is none.
typedef struct place {
    int32_t floor;
    uint32_t region;
} place;
typedef place (*world)(int32_t x, int32_t z, int32_t storey);

typedef struct fixture {
    nav_arena arena;
    nav_arena given; // what the stages before have left
    nav_config config;
    nav_grid grid;
    nav_bake_report report;
    nav_cancel cancel;
    nav_bake_job job;
    nav_field field;
    nav_polygons polygons;
    nav_detail detail;
    int32_t vertices[16][3];
    uint32_t rows[4][6], neighbours[4][6], regions[4];
    uint16_t areas[4];
    uint32_t first[SIDE * SIDE + 1];
    uint16_t floor[COLUMN_SPANS], headroom[COLUMN_SPANS];
    uint16_t span_areas[COLUMN_SPANS];
    uint32_t links[COLUMN_SPANS][4], span_regions[COLUMN_SPANS];
} fixture;

static inline void add_spans(fixture *f, world at)
{
    nav_field *field = &f->field;
    for (int32_t column = 0; column < SIDE * SIDE; column++) {
        f->first[column] = field->span_count;
        for (int32_t storey = 0; storey < STOREYS; storey++) {
            place here = at(column % SIDE, column / SIDE, storey);
            if (here.floor >= 0) {
                f->floor[field->span_count] = (uint16_t)here.floor;
                f->span_regions[field->span_count++] = here.region;
            }
        }
    }
    f->first[SIDE * SIDE] = field->span_count;
}

// Links floors of neighbour cells that differ by at most 8.
static inline void link_spans(fixture *f)
{
    for (int32_t column = 0; column < SIDE * SIDE; column++) {
        for (uint32_t span = f->first[column]; span < f->first[column + 1]; span++) {
            for (int d = 0; d < 4; d++) {
                int32_t x = column % SIDE + NAV_DIRECTION_X[d];
                int32_t z = column / SIDE + NAV_DIRECTION_Z[d];
                f->links[span][d] = NAV_NONE;
                if (x < 0 || z < 0 || x >= SIDE || z >= SIDE) {
                    continue;
                }
                int32_t other = z * SIDE + x;
                for (uint32_t n = f->first[other]; n < f->first[other + 1]; n++) {
                    if (abs(f->floor[n] - f->floor[span]) <= 8) {
                        f->links[span][d] = n;
                    }
                }
            }
        }
    }
    assert_true(nav_field_links_init(&f->given, &f->field));
    assert_true(nav_field_links_pack(&f->given, &f->field, 0, f->field.span_count,
                                     (const uint32_t(*)[4])f->links));
}

static inline fixture *make(world at)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    nav_arena_init(&f->arena, NULL, 0);
    nav_arena_init(&f->given, NULL, 0);
    f->config = (nav_config){.cell_size = 1,
                             .cell_height = 1,
                             .edge_max_error = 1.3f,
                             .polygon_max_vertices = 6,
                             .detail = true,
                             .detail_sample_distance = 4,
                             .detail_max_error = 1};
    f->grid = (nav_grid){.cell_size = 1,
                         .cell_height = 1,
                         .width_cells = SIDE,
                         .depth_cells = SIDE,
                         .height_cells = 1000,
                         .tiles_x = 1,
                         .tiles_z = 1};
    f->job = (nav_bake_job){.config = &f->config,
                            .grid = &f->grid,
                            .cancel = &f->cancel,
                            .scratch = &f->arena,
                            .report = &f->report,
                            .width_cells = SIDE,
                            .depth_cells = SIDE};
    f->field = (nav_field){.width = SIDE,
                           .depth = SIDE,
                           .first = f->first,
                           .floor = f->floor,
                           .headroom = f->headroom,
                           .area = f->span_areas,
                           .region = f->span_regions,
                           .region_count = 3};
    f->polygons = (nav_polygons){.vertices = f->vertices,
                                 .max_vertices = 6,
                                 .polygon_vertices = f->rows[0],
                                 .polygon_neighbours = f->neighbours[0],
                                 .areas = f->areas,
                                 .regions = f->regions};
    memset(f->rows, 0xff, sizeof f->rows);
    memset(f->neighbours, 0xff, sizeof f->neighbours);
    add_spans(f, at);
    link_spans(f);
    return f;
}

static inline void destroy(fixture *f)
{
    nav_arena_free(&f->arena);
    nav_arena_free(&f->given);
    free(f);
}

static inline void add_vertex(fixture *f, int32_t x, int32_t y, int32_t z)
{
    int32_t *vertex = f->vertices[f->polygons.vertex_count++];
    vertex[0] = x;
    vertex[1] = y;
    vertex[2] = z;
}

static inline void add_polygon(fixture *f, uint32_t region, uint32_t count,
                               const uint32_t *vertices)
{
    memcpy(f->rows[f->polygons.count], vertices, count * sizeof *vertices);
    f->regions[f->polygons.count++] = region;
}

// A rectangle over cells min .. max, clockwise in (x, z), heights given from (min, min) on.
static inline void add_rectangle(fixture *f, uint32_t region, int32_t min, int32_t max,
                                 const int32_t heights[4])
{
    uint32_t first = f->polygons.vertex_count;
    add_vertex(f, min, heights[0], min);
    add_vertex(f, min, heights[1], max);
    add_vertex(f, max, heights[2], max);
    add_vertex(f, max, heights[3], min);
    add_polygon(f, region, 4, (uint32_t[]){first, first + 1, first + 2, first + 3});
}

// Flat, but for one cell.
static inline place pit_world(int32_t x, int32_t z, int32_t storey)
{
    return (place){storey > 0 ? -1 : x == 8 && z == 28 ? 5 : 10, 1};
}

static inline double dome(double x, double z)
{
    double from_x = x - SIDE / 2.0, from_z = z - SIDE / 2.0;
    double height = 40 - (from_x * from_x + from_z * from_z) / 25;
    return 20 + (height > 0 ? height : 0);
}

static inline place dome_world(int32_t x, int32_t z, int32_t storey)
{
    return (place){storey == 0 ? (int32_t)dome(x + 0.5, z + 0.5) : -1, 1};
}

static inline void bake(fixture *f)
{
    assert_int_equal(nav_bake_detail(&f->job, &f->field, &f->polygons, &f->detail), NAV_OK);
    assert_int_equal(f->report.detail_triangles, f->detail.triangle_count);
}
