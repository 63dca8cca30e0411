// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// world.c: 16 by 16 units of ground in cells of half a unit; a wall with a way around it, and a
// ramp up to a platform that can also be jumped from.

#include "tests/fuzz/world.h"

#include <stdlib.h>

#define CORNERS_MAX 64u

typedef struct builder {
    float vertices[CORNERS_MAX][3];
    uint32_t triangles[CORNERS_MAX][3];
    uint32_t vertex_count, triangle_count;
} builder;

// From x0, z0 at height y0 to x1, z1 at y1, where it rises along x.
static void add_slope(builder *b, const float low[3], const float high[3])
{
    const uint32_t first = b->vertex_count;
    const float corners[4][3] = {{low[0], low[1], low[2]},
                                 {low[0], low[1], high[2]},
                                 {high[0], high[1], high[2]},
                                 {high[0], high[1], low[2]}};
    for (uint32_t i = 0; i < 4; i++) {
        for (int axis = 0; axis < 3; axis++) {
            b->vertices[first + i][axis] = corners[i][axis];
        }
    }
    const uint32_t sides[2][3] = {{first, first + 1, first + 2}, {first, first + 2, first + 3}};
    for (uint32_t i = 0; i < 2; i++) {
        for (int corner = 0; corner < 3; corner++) {
            b->triangles[b->triangle_count][corner] = sides[i][corner];
        }
        b->triangle_count++;
    }
    b->vertex_count += 4;
}

static void bake_tiles(fuzz_world *world, const nav_geometry *geometry)
{
    static nav_arena result; // kept: the tiles are in it
    nav_arena scratch;
    nav_grid grid;
    nav_arena_init(&result, NULL, 0);
    nav_arena_init(&scratch, NULL, 0);
    NAV_ASSERT(nav_bake_plan(geometry, &world->config, 0, &grid, NULL) == NAV_OK);
    NAV_ASSERT(grid.tiles_x * grid.tiles_z == FUZZ_TILES);
    for (uint32_t i = 0; i < FUZZ_TILES; i++) {
        NAV_ASSERT(nav_bake_tile(geometry, &world->config, &grid, NULL, i % grid.tiles_x,
                                 i / grid.tiles_x, NULL, &scratch, &result, &world->tiles[i], NULL,
                                 NULL) == NAV_OK);
        NAV_ASSERT(world->tiles[i].size_bytes > 0);
    }
    nav_arena_free(&scratch);
}

static void bake(fuzz_world *world)
{
    static const nav_area areas[] = {
        {"none", 1.0f, 0, false}, {"ground", 1.0f, 0, false}, {"mud", 3.0f, 0, false}};
    static const nav_volume mud = {
        .shape = NAV_VOLUME_BOX, .area = 2, .min = {2.0f, -1.0f, 9.0f}, .max = {6.0f, 1.0f, 14.0f}};
    static const nav_link jump = {.start = {13.0f, 3.0f, 12.0f},
                                  .end = {13.0f, 0.0f, 4.0f},
                                  .radius = 1.0f,
                                  .area = 1,
                                  .id = "jump"};
    static builder b;
    add_slope(&b, (const float[3]){0, 0, 0}, (const float[3]){16, 0, 16});
    add_slope(&b, (const float[3]){5, 1.5f, 3},
              (const float[3]){6, 1.5f, 12}); // too high to step on
    add_slope(&b, (const float[3]){7, 0, 10}, (const float[3]){12, 3, 14});
    add_slope(&b, (const float[3]){12, 3, 10}, (const float[3]){15, 3, 14});
    world->config = nav_config_default();
    world->config.cell_size = 0.5f;
    world->config.cell_height = 0.25f;
    world->config.tile_cells = 16;
    world->config.region_min_size = 0;
    world->config.areas = areas;
    world->config.area_count = 3;
    world->config.volumes = &mud;
    world->config.volume_count = 1;
    world->config.links = &jump;
    world->config.link_count = 1;
    const nav_geometry geometry = {.vertices = &b.vertices[0][0],
                                   .triangles = &b.triangles[0][0],
                                   .vertex_count = b.vertex_count,
                                   .triangle_count = b.triangle_count};
    bake_tiles(world, &geometry);
}

const fuzz_world *fuzz_world_get(void)
{
    static fuzz_world world;
    static bool baked;
    if (!baked) {
        bake(&world);
        baked = true;
    }
    return &world;
}
