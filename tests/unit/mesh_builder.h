// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// mesh_builder.h: small meshes for tests, from literal polygons or from an ASCII map, through the
// bake's own tile writer. One cell is one world unit in every direction; the grid begins at 0, 0,
// 0.

#pragma once

#include "core/bake/contours/contours.h"
#include "core/bake/ground_classes.h"
#include "core/bake/detail/detail.h"
#include "core/bake/polygons/polygons.h"
#include "core/bake/stages.h"
#include "core/nav.h"

#include <string.h>

#define BUILDER_POLYGONS_MAX 4096u
#define BUILDER_ROW 4u // corners of a polygon at most

// The switches that there are: "a" is open, "b" is closed where nobody says otherwise, and so on.
#define BUILDER_SWITCHES 6u
static const nav_switch BUILDER_SWITCH_LIST[BUILDER_SWITCHES] = {
    {.id = "a"}, {.id = "b", .closed = true}, {.id = "c"},
    {.id = "d"}, {.id = "e", .closed = true}, {.id = "f"},
};

typedef struct builder {
    nav_arena arena;
    nav_polygons polygons;
    nav_detail detail;
    nav_ground_classes classes;
} builder;

static inline void builder_init(builder *b)
{
    memset(b, 0, sizeof *b);
    nav_arena_init(&b->arena, NULL, 0);
    b->polygons.max_vertices = BUILDER_ROW;
    b->polygons.vertices =
        nav_arena_alloc(&b->arena, BUILDER_POLYGONS_MAX * BUILDER_ROW, sizeof(int32_t[3]));
    b->polygons.polygon_vertices = NAV_NEW(&b->arena, uint32_t, BUILDER_POLYGONS_MAX * BUILDER_ROW);
    b->polygons.polygon_neighbours =
        NAV_NEW(&b->arena, uint32_t, BUILDER_POLYGONS_MAX * BUILDER_ROW);
    b->polygons.areas = NAV_NEW(&b->arena, uint16_t, BUILDER_POLYGONS_MAX);
    b->polygons.classes = &b->classes;
    memset(b->polygons.polygon_vertices, 0xff, BUILDER_POLYGONS_MAX * BUILDER_ROW * 4);
    memset(b->polygons.polygon_neighbours, 0xff, BUILDER_POLYGONS_MAX * BUILDER_ROW * 4);
}

static inline void builder_free(builder *b)
{
    nav_arena_free(&b->arena);
}

// The index of a vertex at this place, which is added where it is new.
static inline uint32_t builder_vertex(builder *b, const int32_t at[3])
{
    for (uint32_t i = 0; i < b->polygons.vertex_count; ++i) {
        if (memcmp(b->polygons.vertices[i], at, sizeof(int32_t[3])) == 0) {
            return i;
        }
    }
    memcpy(b->polygons.vertices[b->polygons.vertex_count], at, sizeof(int32_t[3]));
    return b->polygons.vertex_count++;
}

// Adds a polygon, corners counter-clockwise from above, and links it to those it shares an edge
// with.
static inline uint32_t builder_polygon(builder *b, uint32_t count, const int32_t corners[][3])
{
    nav_polygons *p = &b->polygons;
    NAV_ASSERT(p->count < BUILDER_POLYGONS_MAX && count <= BUILDER_ROW);
    uint32_t added = p->count++;
    uint32_t *row = p->polygon_vertices + (size_t)added * BUILDER_ROW;
    for (uint32_t k = 0; k < count; ++k) {
        row[k] = builder_vertex(b, corners[k]);
    }
    p->areas[added] = NAV_AREA_GROUND;
    for (uint32_t other = 0; other < added; ++other) {
        const uint32_t *other_row = p->polygon_vertices + (size_t)other * BUILDER_ROW;
        uint32_t other_count = other_row[3] != NAV_NONE ? 4 : 3;
        for (uint32_t k = 0; k < count; ++k) {
            for (uint32_t j = 0; j < other_count; ++j) {
                if (row[k] == other_row[(j + 1) % other_count] &&
                    row[(k + 1) % count] == other_row[j]) {
                    p->polygon_neighbours[(size_t)added * BUILDER_ROW + k] = other;
                    p->polygon_neighbours[(size_t)other * BUILDER_ROW + j] = added;
                }
            }
        }
    }
    return added;
}

// A rectangle of constant height.
static inline uint32_t builder_rectangle(builder *b, int32_t x0, int32_t z0, int32_t x1, int32_t z1,
                                         int32_t y)
{
    const int32_t corners[4][3] = {{x0, y, z0}, {x0, y, z1}, {x1, y, z1}, {x1, y, z0}};
    return builder_polygon(b, 4, corners);
}

// The place on the border of a square of `side` with its corner in `low`, `at` steps around it.
static inline void builder_place_around(int32_t low, int32_t side, int32_t at, int32_t out[3])
{
    const int32_t along = at % side;
    const int32_t x[4] = {0, along, side, side - along}, z[4] = {along, side, side - along, 0};
    out[0] = low + x[at / side % 4];
    out[1] = 0;
    out[2] = low + z[at / side % 4];
}

// 800 triangles that meet in [1000, 0, 1000], of a square with sides of 200: more than nodes get
// around from next to it.
static inline void builder_fan(builder *b)
{
    for (int32_t at = 0; at < 800; ++at) {
        int32_t corners[3][3] = {{1000, 0, 1000}};
        builder_place_around(900, 200, at, corners[1]);
        builder_place_around(900, 200, at + 1, corners[2]);
        builder_polygon(b, 3, (const int32_t(*)[3])corners);
    }
}

// Rows from z = 0 on, separated by '/'; a cell that is not '#' is a unit square at height 0, of
// area 2 to 9 where it is such a digit.
static inline void builder_map(builder *b, const char *map)
{
    int32_t x = 0;
    int32_t z = 0;
    for (; *map != '\0'; ++map) {
        if (*map == '/') {
            x = 0;
            ++z;
            continue;
        }
        if (*map != '#') {
            uint32_t polygon = builder_rectangle(b, x, z, x + 1, z + 1, 0);
            if (*map >= '2' && *map <= '9') {
                b->polygons.areas[polygon] = (uint8_t)(*map - '0');
            }
        }
        ++x;
    }
}

// Puts a polygon under switches, of those that are bits of `switches`.
static inline void builder_switch(builder *b, uint32_t polygon, uint32_t switches)
{
    uint16_t *ground = &b->polygons.areas[polygon];
    const nav_bake_job job = {0};
    for (uint32_t number = 0; number < BUILDER_SWITCHES; ++number) {
        uint32_t known = 0;
        while ((switches >> number & 1) != 0 && known < b->classes.count &&
               (b->classes.items[known].parent != *ground ||
                b->classes.items[known].switch_number != number)) {
            ++known;
        }
        if ((switches >> number & 1) == 0) {
            continue;
        }
        if (known < b->classes.count) {
            *ground = (uint16_t)(NAV_TILE_AREAS + known);
        } else {
            nav_status status =
                nav_ground_classes_add(&job, &b->arena, &b->classes, *ground, number, ground);
            NAV_ASSERT(status == NAV_OK);
        }
    }
}

// The blob, which lives as long as the builder.
static inline nav_blob builder_blob(builder *b)
{
    static const nav_config config = {.agent_radius = 0.5f,
                                      .agent_height = 2.0f,
                                      .agent_max_climb = 0.5f,
                                      .switches = BUILDER_SWITCH_LIST,
                                      .switch_count = BUILDER_SWITCHES};
    static const nav_grid grid = {
        .cell_size = 1.0f, .cell_height = 1.0f, .tiles_x = 1, .tiles_z = 1};
    static nav_bake_report report;
    const nav_bake_job job = {
        .config = &config, .grid = &grid, .scratch = &b->arena, .report = &report};
    nav_blob blob = {0};
    nav_arena result;
    nav_arena_init(&result, NULL, 0);
    nav_status status = nav_bake_tile_write(&job, &b->polygons, &b->detail, &result, &blob);
    NAV_ASSERT(status == NAV_OK);
    void *kept = nav_arena_alloc(&b->arena, 1, blob.size_bytes);
    NAV_ASSERT(kept != NULL);
    if (blob.size_bytes > 0) {
        blob.bytes = memcpy(kept, blob.bytes, blob.size_bytes);
    }
    nav_arena_free(&result);
    return blob;
}

static inline nav_mesh *builder_mesh_with(builder *b, const nav_config *config,
                                          nav_bake_report *report)
{
    nav_blob blob = builder_blob(b);
    nav_mesh *mesh = NULL;
    nav_status status = nav_mesh_create(&blob, 1, config, NULL, &mesh, report, NULL);
    NAV_ASSERT(status == NAV_OK);
    return mesh;
}

static inline nav_mesh *builder_mesh(builder *b)
{
    return builder_mesh_with(b, NULL, NULL);
}

// The mesh of a map, in one step; with the areas, links and seeds of config (NULL: none).
static inline nav_mesh *map_mesh_with(const char *map, const nav_config *config,
                                      nav_bake_report *report)
{
    builder b;
    builder_init(&b);
    builder_map(&b, map);
    nav_mesh *mesh = builder_mesh_with(&b, config, report);
    builder_free(&b);
    return mesh;
}

static inline nav_mesh *map_mesh(const char *map)
{
    return map_mesh_with(map, NULL, NULL);
}

// The mesh of rectangles of constant height, in one step: x0, z0, x1, z1 and y of each.
static inline nav_mesh *rectangles_mesh(uint32_t count, const int32_t (*rectangles)[5])
{
    builder b;
    builder_init(&b);
    for (uint32_t i = 0; i < count; ++i) {
        const int32_t *r = rectangles[i];
        builder_rectangle(&b, r[0], r[1], r[2], r[3], r[4]);
    }
    nav_mesh *mesh = builder_mesh(&b);
    builder_free(&b);
    return mesh;
}

// Within epsilon; cmocka's assert_float_equal is too coarse for a double.
#define assert_near(actual, expected, epsilon)                                                     \
    assert_true(fabs((double)(actual) - (double)(expected)) <= (epsilon))

// A small generator of numbers (Knuth's constants): the same on every machine.
static inline uint32_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33);
}

// A map of side x side cells, of which so many in ten are walls; map has room for side * (side +
// 1).
static inline void builder_random_map(uint64_t *random, int side, uint32_t walls, char *map)
{
    for (int i = 0; i < side * side; ++i) {
        *map++ = next_random(random) % 10 < walls ? '#' : '.';
        if (i % side == side - 1) {
            *map++ = i + 1 < side * side ? '/' : '\0';
        }
    }
}
