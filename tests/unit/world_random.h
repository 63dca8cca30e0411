// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// world_random.h: small worlds by chance, with settings by chance, for properties that must hold in
// all of them. A world follows from its number alone. Where a property fails the number is printed:
//
//   NAV_PROPERTY_SEED=<number> NAV_PROPERTY_WORLDS=1
//   build/release/tests/unit/core/bake/test_properties

#pragma once

#include "bake_builder.h"

#include <math.h>
#include <stdio.h>

#define WORLD_TRIANGLES_MAX 4096
#define WORLD_SWITCHES_MAX 5

typedef struct world {
    uint64_t seed; // of what is still to be chosen
    nav_config config;
    nav_area areas[4];
    nav_volume volumes[4];
    float outline[6][2]; // of a convex volume
    nav_switch switches[WORLD_SWITCHES_MAX];
    nav_volume switch_shapes[WORLD_SWITCHES_MAX][2];
    nav_link links[3];
    float seeds[2][3];
    nav_geometry geometry;
    float side_cells; // the world lies in [0, side] x [0, side], or a little beyond
    float origin[3];  // world units
    float vertices[9 * WORLD_TRIANGLES_MAX];
    uint32_t indices[3 * WORLD_TRIANGLES_MAX];
    uint8_t triangle_areas[WORLD_TRIANGLES_MAX];
} world;

static inline float world_chance(world *w, float min, float max)
{
    return random_between(&w->seed, min, max);
}

static inline bool world_one_in(world *w, uint32_t count)
{
    return random_below(&w->seed, count) == 0;
}

// A length in cells: whole ones as often as not, for what lies exactly on the grid is the harder
// case.
static inline float world_cells(world *w, float min, float max)
{
    float cells = world_chance(w, min, max);
    return world_one_in(w, 2) ? floorf(cells) : cells;
}

// ---- shapes, in cells ----

static inline void world_triangle(world *w, const float *a, const float *b, const float *c)
{
    uint32_t i = w->geometry.triangle_count;
    if (i == WORLD_TRIANGLES_MAX) {
        return;
    }
    const float *corners[3] = {a, b, c};
    const float scale[3] = {w->config.cell_size, w->config.cell_height, w->config.cell_size};
    for (uint32_t k = 0; k < 9; ++k) {
        w->vertices[9 * i + k] = w->origin[k % 3] + corners[k / 3][k % 3] * scale[k % 3];
    }
    for (uint32_t k = 0; k < 3; ++k) {
        w->indices[3 * i + k] = 3 * i + k;
    }
    w->geometry.triangle_count++;
    w->geometry.vertex_count += 3;
}

// Corners counter-clockwise from above.
static inline void world_quad(world *w, const float q[4][3])
{
    world_triangle(w, q[0], q[1], q[2]);
    world_triangle(w, q[0], q[2], q[3]);
}

// Over [x0, x1] x [z0, z1], as high as y0 where x is x0 and y1 where it is x1.
static inline void world_ramp(world *w, float x0, float z0, float x1, float z1, float y0, float y1)
{
    world_quad(w, (const float[4][3]){{x0, y0, z0}, {x0, y0, z1}, {x1, y1, z1}, {x1, y1, z0}});
}

static inline void world_box(world *w, const float low[3], const float high[3])
{
    const float x0 = low[0], y0 = low[1], z0 = low[2], x1 = high[0], y1 = high[1], z1 = high[2];
    world_ramp(w, x0, z0, x1, z1, y1, y1);
    world_quad(w, (const float[4][3]){{x0, y0, z0}, {x1, y0, z0}, {x1, y0, z1}, {x0, y0, z1}});
    world_quad(w, (const float[4][3]){{x0, y0, z0}, {x0, y0, z1}, {x0, y1, z1}, {x0, y1, z0}});
    world_quad(w, (const float[4][3]){{x1, y0, z0}, {x1, y1, z0}, {x1, y1, z1}, {x1, y0, z1}});
    world_quad(w, (const float[4][3]){{x0, y0, z0}, {x0, y1, z0}, {x1, y1, z0}, {x1, y0, z0}});
    world_quad(w, (const float[4][3]){{x0, y0, z1}, {x1, y0, z1}, {x1, y1, z1}, {x0, y1, z1}});
}

static inline void add_boxes(world *w)
{
    for (uint32_t i = random_below(&w->seed, 8) + 1; i > 0; --i) {
        float x = world_cells(w, 0, w->side_cells - 2), z = world_cells(w, 0, w->side_cells - 2);
        float y = world_cells(w, -2, 12), tall = world_cells(w, 1, 14);
        world_box(w, (const float[3]){x, y, z},
                  (const float[3]){x + world_cells(w, 1, 8), y + tall, z + world_cells(w, 1, 8)});
    }
}

static inline void add_floor(world *w)
{
    float y = world_cells(w, 0, 4), rise = world_one_in(w, 3) ? world_chance(w, -20, 20) : 0;
    world_ramp(w, 0, 0, w->side_cells, w->side_cells, y, y + rise);
}

// A slope or a stair between two heights, over part of the world.
static inline void add_stair(world *w)
{
    float x0 = world_cells(w, 0, w->side_cells / 2), length = world_cells(w, 6, w->side_cells);
    float z0 = world_cells(w, 0, w->side_cells - 4), z1 = z0 + world_cells(w, 2, 7);
    float y0 = world_cells(w, 0, 4), y1 = y0 + world_cells(w, 2, 24);
    if (world_one_in(w, 2)) {
        world_ramp(w, x0, z0, x0 + length, z1, y0, y1);
        return;
    }
    uint32_t steps = 2 + random_below(&w->seed, 8);
    for (uint32_t i = 0; i < steps; ++i) {
        float part = (float)i / (float)steps, next = (float)(i + 1) / (float)steps;
        world_box(w, (const float[3]){x0 + part * length, y0, z0},
                  (const float[3]){x0 + next * length, y0 + next * (y1 - y0), z1});
    }
}

static inline void add_noise(world *w)
{
    enum {
        SIDE = 9
    };
    float heights[SIDE][SIDE], roughness = world_chance(w, 0, 12), pitch = w->side_cells / 8;
    for (int i = 0; i < SIDE * SIDE; ++i) {
        heights[i / SIDE][i % SIDE] = world_chance(w, 0, roughness);
    }
    for (int z = 0; z + 1 < SIDE; ++z) {
        for (int x = 0; x + 1 < SIDE; ++x) {
            float x0 = (float)x * pitch, z0 = (float)z * pitch, x1 = x0 + pitch, z1 = z0 + pitch;
            world_quad(w, (const float[4][3]){{x0, heights[z][x], z0},
                                              {x0, heights[z + 1][x], z1},
                                              {x1, heights[z + 1][x + 1], z1},
                                              {x1, heights[z][x + 1], z0}});
        }
    }
}

// A thin deck over what is there; several make storeys.
static inline void add_storeys(world *w)
{
    float y = 0;
    for (uint32_t i = random_below(&w->seed, 4) + 1; i > 0; --i) {
        y += world_cells(w, 3, 14);
        float x = world_cells(w, 0, w->side_cells / 2), z = world_cells(w, 0, w->side_cells / 2);
        world_box(w, (const float[3]){x, y, z},
                  (const float[3]){x + world_cells(w, 3, w->side_cells), y + 1,
                                   z + world_cells(w, 3, w->side_cells)});
    }
}

// Steps that wind up around a pole, a turn above the other.
static inline void add_spiral(world *w)
{
    float half = w->side_cells / 2, rise = world_cells(w, 1, 4);
    uint32_t steps = 8 + random_below(&w->seed, 16);
    float step = world_chance(w, 0.4f, 0.9f), wide = world_chance(w, 3, half);
    for (uint32_t i = 0; i < steps; ++i) {
        // A polygon's corners instead of sines, which differ from library to library.
        static const float round[8][2] = {{1, 0},  {0.7f, 0.7f},   {0, 1},  {-0.7f, 0.7f},
                                          {-1, 0}, {-0.7f, -0.7f}, {0, -1}, {0.7f, -0.7f}};
        const float *at = round[i % 8];
        float x = half + at[0] * wide, z = half + at[1] * wide, y = (float)i * rise;
        world_box(w, (const float[3]){x - step * wide, y, z - step * wide},
                  (const float[3]){x + step * wide, y + 1, z + step * wide});
    }
}

static inline void add_triangles(world *w)
{
    for (uint32_t i = random_below(&w->seed, 40); i > 0; --i) {
        float c[9];
        for (int k = 0; k < 9; ++k) {
            c[k] = k % 3 == 1 ? world_cells(w, 0, 16) : world_cells(w, -1, w->side_cells + 1);
        }
        world_triangle(w, c, c + 3, c + 6);
    }
}

// ---- settings ----

static inline void choose_volumes(world *w)
{
    uint32_t count = world_one_in(w, 3) ? 1 + random_below(&w->seed, 3) : 0;
    for (uint32_t i = 0; i < count; ++i) {
        nav_volume *v = &w->volumes[i];
        float x = world_cells(w, 0, w->side_cells), z = world_cells(w, 0, w->side_cells);
        float wide = world_cells(w, 1, 12), deep = world_cells(w, 1, 12);
        *v = (nav_volume){.shape = world_one_in(w, 2) ? NAV_VOLUME_BOX : NAV_VOLUME_CYLINDER,
                          .area = (uint8_t)random_below(&w->seed, 4),
                          .min = {x, -4, z},
                          .max = {x + wide, world_cells(w, 1, 30), z + deep},
                          .radius = wide * w->config.cell_size};
        for (int axis = 0; axis < 3; ++axis) {
            float unit = axis == 1 ? w->config.cell_height : w->config.cell_size;
            v->min[axis] = w->origin[axis] + v->min[axis] * unit;
            v->max[axis] = w->origin[axis] + v->max[axis] * unit;
        }
    }
    w->config.volumes = w->volumes;
    w->config.volume_count = count;
}

static inline void choose_config(world *w)
{
    static const float sizes[] = {0.1f, 0.25f, 0.3f, 0.5f, 1.0f};
    static const uint32_t tiles[] = {0, 0, 16, 17, 20, 32};
    static const float errors[] = {0, 0.5f, 1, 1.3f, 2, 3};
    nav_config *c = &w->config;
    uint64_t *seed = &w->seed;
    *c = nav_config_default();
    c->cell_size = sizes[random_below(seed, 5)];
    c->cell_height = sizes[random_below(seed, 5)];
    c->agent_radius = world_cells(w, 0, 3.99f) * c->cell_size;
    c->agent_height = world_cells(w, 1, 8) * c->cell_height;
    c->agent_max_climb = world_cells(w, 0, 5) * c->cell_height;
    c->agent_max_slope = world_chance(w, 20, 80);
    c->partition = (nav_partition)random_below(seed, 3);
    c->tile_cells = tiles[random_below(seed, 6)];
    c->region_min_size = random_below(seed, 3) * random_below(seed, 6);
    c->region_merge_size = random_below(seed, 3) * random_below(seed, 12);
    c->edge_max_length = world_one_in(w, 2) ? 0 : world_chance(w, 1, 20) * c->cell_size;
    c->edge_max_error = errors[random_below(seed, 6)];
    c->polygon_max_vertices = 3 + random_below(seed, 10);
    c->detail = !world_one_in(w, 3);
    c->detail_sample_distance = world_one_in(w, 5) ? 0 : world_chance(w, 0.9f, 8);
    c->detail_max_error = world_chance(w, 0, 3);
    c->filter_low_hanging = !world_one_in(w, 3);
    c->filter_ledges = !world_one_in(w, 3);
    c->filter_low_height = !world_one_in(w, 3);
    c->low_height_area = world_one_in(w, 4) ? 2 : NAV_AREA_NONE;
    c->low_height_min = c->agent_height * world_chance(w, 0.3f, 0.9f);
    c->low_height_single = world_one_in(w, 2);
    c->area_median = world_one_in(w, 4);
    c->volumes_reach_up = world_one_in(w, 2);
    w->areas[0] = (nav_area){.name = "none", .cost = 1};
    w->areas[1] = (nav_area){.name = "ground", .cost = 1};
    w->areas[2] = (nav_area){.name = "crouch", .cost = 4};
    w->areas[3] = (nav_area){.name = "water", .cost = 2, .liquid = world_one_in(w, 8)};
    c->areas = w->areas;
    c->area_count = 4;
    choose_volumes(w);
}

// A place in the world, perhaps beside it.
static inline void world_place(world *w, float out[3])
{
    const float unit[3] = {w->config.cell_size, w->config.cell_height, w->config.cell_size};
    for (int axis = 0; axis < 3; ++axis) {
        float cells = axis == 1 ? world_cells(w, 0, 16) : world_cells(w, -1, w->side_cells + 1);
        out[axis] = w->origin[axis] + cells * unit[axis];
    }
}

// A volume with three to six corners on an oval, in order around it.
static inline void choose_convex(world *w)
{
    static const float round[6][2] = {{4, 0}, {2, 3}, {-2, 3}, {-4, 0}, {-2, -3}, {2, -3}};
    nav_volume *v = &w->volumes[w->config.volume_count++];
    float middle[3], wide = world_cells(w, 1, 4) * w->config.cell_size / 2;
    uint32_t count = 3 + random_below(&w->seed, 4);
    world_place(w, middle);
    for (uint32_t i = 0; i < count; ++i) {
        w->outline[i][0] = middle[0] + round[i][0] * wide;
        w->outline[i][1] = middle[2] + round[i][1] * wide;
    }
    *v = (nav_volume){.shape = NAV_VOLUME_CONVEX,
                      .area = (uint8_t)random_below(&w->seed, 4),
                      .points = (const float(*)[2])w->outline,
                      .point_count = count,
                      .min = {0, middle[1] - 4 * w->config.cell_height, 0},
                      .max = {0, middle[1] + 8 * w->config.cell_height, 0}};
}

static inline void choose_links(world *w)
{
    for (uint32_t i = 0; i < 3; ++i) {
        nav_link *link = &w->links[i];
        *link = (nav_link){.radius = world_chance(w, 0.5f, 6) * w->config.cell_size,
                           .bidirectional = world_one_in(w, 2),
                           .area = (uint8_t)(1 + random_below(&w->seed, 3))};
        world_place(w, link->start);
        world_place(w, link->end);
    }
    w->config.links = w->links;
    w->config.link_count = 1 + random_below(&w->seed, 3);
}

// In the worlds of tests that define WORLDS_HAVE_SWITCHES only: those of other tests are the same
// as ever. Some lie over each other, and on borders of tiles.
static inline void choose_switches(world *w)
{
    const nav_config *c = &w->config;
    const uint32_t count = 1 + random_below(&w->seed, WORLD_SWITCHES_MAX);
    for (uint32_t i = 0; i < count; ++i) {
        nav_switch *s = &w->switches[i];
        *s = (nav_switch){.id = {(char)('a' + i)},
                          .closed = world_one_in(w, 2),
                          .shapes = w->switch_shapes[i],
                          .shape_count = 1 + world_one_in(w, 3)};
        for (uint32_t k = 0; k < s->shape_count; ++k) {
            nav_volume *v = &w->switch_shapes[i][k];
            const float wide = world_cells(w, 0, 6) * c->cell_size;
            *v = (nav_volume){.shape = world_one_in(w, 2) ? NAV_VOLUME_BOX : NAV_VOLUME_CYLINDER,
                              .radius = wide};
            world_place(w, v->min);
            v->min[1] -= world_cells(w, 0, 6) * c->cell_height;
            v->max[0] = v->min[0] + wide;
            v->max[1] = v->min[1] + world_cells(w, 2, 16) * c->cell_height;
            v->max[2] = v->min[2] + world_cells(w, 0, 12) * c->cell_size;
        }
    }
    w->config.switches = w->switches;
    w->config.switch_count = count;
}

// The box to bake in: a part of the level.
static inline void choose_bounds(world *w)
{
    nav_config *c = &w->config;
    c->has_bounds = true;
    world_place(w, c->bounds_min);
    for (int axis = 0; axis < 3; ++axis) {
        float unit = axis == 1 ? c->cell_height : c->cell_size;
        c->bounds_max[axis] = c->bounds_min[axis] + world_cells(w, 4, w->side_cells) * unit;
    }
}

// Chosen when the level is there, so that a world has the level that its number always had.
static inline void choose_places(world *w)
{
    if (world_one_in(w, 4)) {
        choose_convex(w);
    }
    if (world_one_in(w, 4)) {
        choose_links(w);
    }
    if (world_one_in(w, 6)) {
        choose_bounds(w);
    }
    if (world_one_in(w, 6)) {
        world_place(w, w->seeds[0]);
        world_place(w, w->seeds[1]);
        w->config.seeds = (const float(*)[3])w->seeds;
        w->config.seed_count = 1 + random_below(&w->seed, 2);
    }
#ifdef WORLDS_HAVE_SWITCHES
    choose_switches(w);
#endif
}

static inline void world_build(world *w, uint64_t number)
{
    static void (*const adds[])(world *) = {add_boxes,   add_floor,  add_stair,    add_noise,
                                            add_storeys, add_spiral, add_triangles};
    w->seed = number * 0x9e3779b97f4a7c15u + 1;
    w->seed = w->seed != 0 ? w->seed : 1;
    random_bits(&w->seed);
    random_bits(&w->seed);
    w->geometry = (nav_geometry){
        .vertices = w->vertices, .triangles = w->indices, .triangle_areas = w->triangle_areas};
    w->side_cells = world_cells(w, 6, 40);
    for (int axis = 0; axis < 3; ++axis) {
        w->origin[axis] = world_one_in(w, 2) ? 0 : world_chance(w, -50, 50);
    }
    choose_config(w);
    if (!world_one_in(w, 5)) {
        add_floor(w);
    }
    for (uint32_t i = random_below(&w->seed, 4) + 1; i > 0; --i) {
        adds[random_below(&w->seed, 7)](w);
    }
    bool mixed = world_one_in(w, 4); // every triangle one of the areas, else all ground
    for (uint32_t i = 0; i < w->geometry.triangle_count; ++i) {
        w->triangle_areas[i] =
            mixed ? (uint8_t)(1 + random_below(&w->seed, 3)) : (uint8_t)NAV_AREA_GROUND;
    }
    choose_places(w);
}

// ---- over all worlds ----

// The world in work, or UINT64_MAX.
static uint64_t world_number = UINT64_MAX;

static inline uint64_t world_setting(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text != NULL ? strtoull(text, NULL, 0) : otherwise;
}

// Runs the property on `count` worlds, unless the environment asks for others.
static inline void for_all_worlds(uint64_t count, void (*holds)(world *))
{
    uint64_t first = world_setting("NAV_PROPERTY_SEED", 1);
    count = world_setting("NAV_PROPERTY_WORLDS", count);
    world *w = calloc(1, sizeof *w);
    assert_non_null(w);
    for (uint64_t i = first; i < first + count; ++i) {
        world_number = i;
        world_build(w, i);
        if (w->geometry.triangle_count > 0) {
            holds(w);
        }
    }
    world_number = UINT64_MAX;
    free(w);
}

// Runs the property on some worlds: those in which it has failed once.
static inline void for_worlds(const uint64_t *numbers, size_t count, void (*holds)(world *))
{
    world *w = calloc(1, sizeof *w);
    assert_non_null(w);
    for (size_t i = 0; i < count; ++i) {
        world_number = numbers[i];
        world_build(w, numbers[i]);
        holds(w);
    }
    world_number = UINT64_MAX;
    free(w);
}

// A teardown: names the world in which a property has failed.
static inline int name_world(void **state)
{
    (void)state;
    if (world_number != UINT64_MAX) {
        fprintf(stderr, "failed in world NAV_PROPERTY_SEED=%llu\n",
                (unsigned long long)world_number);
    }
    world_number = UINT64_MAX;
    return 0;
}
