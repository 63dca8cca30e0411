// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// visibility_world.h: meshes of random worlds (world_random.h) for comparisons with brute force
// (visibility.h): storeys, ramps, spirals, tiles, links; all ground at one cost.

#pragma once

#include "visibility.h"
#include "world_random.h"

#define WORLD_LINKS 3
// Brute force grows with the square of this.
#define WORLD_PORTALS_MAX 400u

static inline void world_random_place(world *w, const nav_mesh *mesh, float out[3])
{
    const uint32_t p = random_below(&w->seed, mesh->stats.polygons);
    const uint32_t *corners = mesh->corners + mesh->records[p].corner_first;
    const uint32_t count = mesh->records[p + 1].corner_first - mesh->records[p].corner_first;
    const uint32_t k = 1 + random_below(&w->seed, count - 2);
    float u = world_chance(w, 0, 1), v = world_chance(w, 0, 1);
    if (u + v > 1) {
        u = 1 - u;
        v = 1 - v;
    }
    // Corners and edges as often as not.
    if (world_one_in(w, 4)) {
        u = world_one_in(w, 2) ? 0 : u;
        v = u > 0 ? 0 : (float)random_below(&w->seed, 2);
    }
    for (int axis = 0; axis < 3; ++axis) {
        const float a = mesh->vertices[corners[0]][axis];
        out[axis] = a + u * (mesh->vertices[corners[k]][axis] - a) +
                    v * (mesh->vertices[corners[k + 1]][axis] - a);
    }
}

// NULL where nothing is left.
static inline nav_mesh *world_bake(const world *w, const nav_config *config)
{
    nav_arena arena, scratch;
    nav_arena_init(&arena, NULL, 0);
    nav_arena_init(&scratch, NULL, 0);
    nav_grid grid;
    nav_tile_index index;
    assert_int_equal(nav_bake_plan(&w->geometry, config, 0, &grid, NULL), NAV_OK);
    assert_int_equal(nav_bake_index(&w->geometry, &grid, NULL, &arena, &index, NULL), NAV_OK);
    const uint32_t count = grid.tiles_x * grid.tiles_z;
    nav_blob *tiles = NAV_NEW_ZERO(&arena, nav_blob, count);
    for (uint32_t i = 0; i < count; ++i) {
        assert_int_equal(nav_bake_tile(&w->geometry, config, &grid, &index, i % grid.tiles_x,
                                       i / grid.tiles_x, NULL, &scratch, &arena, &tiles[i], NULL,
                                       NULL),
                         NAV_OK);
    }
    nav_mesh *mesh = NULL;
    nav_error err = {0};
    // All that is left may be islands too small to keep.
    const nav_status status = nav_mesh_create(tiles, count, config, NULL, &mesh, NULL, &err);
    if (status != NAV_OK && status != NAV_MESH_EMPTY) {
        fail_msg("%s", err.detail);
    }
    nav_arena_free(&arena);
    nav_arena_free(&scratch);
    return mesh;
}

static inline void world_add_landmarks(nav_mesh *mesh)
{
    nav_arena scratch, result;
    nav_arena_init(&scratch, NULL, 0);
    nav_arena_init(&result, NULL, 0);
    nav_blob blob;
    assert_int_equal(nav_landmarks_make(mesh, NULL, &scratch, &result, &blob), NAV_OK);
    assert_int_equal(nav_mesh_add_landmarks(mesh, blob, NULL), NAV_OK);
    nav_arena_free(&scratch);
    nav_arena_free(&result);
}

// Settings as brute force takes them: all costs 2.5, a flag for each area, no seeds, no links.
static inline void world_simplify(world *w)
{
    static const nav_name names[] = {"a", "b", "c", "d"};
    for (int i = 0; i < 4; ++i) {
        w->areas[i].cost = 2.5f;
        w->areas[i].flags = 1u << i;
    }
    w->config.flag_names = names;
    w->config.flag_count = 4;
    w->config.seed_count = 0;
    w->config.link_count = 0;
    w->config.switch_count = 0;
    w->config.has_bounds = false; // which may leave nothing
}

// Triangles of three areas.
static inline void world_random_areas(world *w)
{
    for (uint32_t i = 0; i < w->geometry.triangle_count; ++i) {
        w->triangle_areas[i] = (uint8_t)(1 + random_below(&w->seed, 3));
    }
}

// A world's mesh, in one world of three with links, in one of two with landmarks; NULL where it is
// empty or too much for brute force.
static inline nav_mesh *world_mesh_priced(world *w)
{
    nav_mesh *mesh = world_bake(w, &w->config);
    if (mesh != NULL && mesh->stats.polygons > 0 && world_one_in(w, 3)) {
        nav_link links[WORLD_LINKS] = {0};
        nav_config config = w->config;
        config.links = links;
        config.link_count = WORLD_LINKS;
        for (int i = 0; i < WORLD_LINKS; ++i) {
            world_random_place(w, mesh, links[i].start);
            world_random_place(w, mesh, links[i].end);
            links[i].radius = 1;
            links[i].area = NAV_AREA_GROUND;
            links[i].bidirectional = world_one_in(w, 2);
            links[i].has_cost = world_one_in(w, 2);
            links[i].cost = world_one_in(w, 3) ? 0 : world_chance(w, 0, 10);
            links[i].switch_number =
                config.switch_count > 0 ? random_below(&w->seed, config.switch_count + 1) : 0;
        }
        nav_mesh_release(mesh);
        mesh = world_bake(w, &config);
    }
    if (mesh == NULL || mesh->stats.polygons == 0 || mesh->edge_portal_count > WORLD_PORTALS_MAX) {
        nav_mesh_release(mesh);
        return NULL;
    }
    if (world_one_in(w, 2)) {
        world_add_landmarks(mesh);
    }
    return mesh;
}

// The same of a world that has switches, or is given some.
static inline nav_mesh *world_mesh_switched(world *w)
{
    world_simplify(w);
    choose_switches(w);
    return world_mesh_priced(w);
}

// Any state of a mesh's switches.
static inline const uint8_t *world_random_state(world *w, const nav_mesh *mesh)
{
    static uint8_t state[WORLD_SWITCHES_MAX];
    for (uint32_t i = 0; i < nav_mesh_switch_count(mesh); ++i) {
        state[i] = (uint8_t)random_below(&w->seed, 3);
    }
    return state;
}

// The simplified world's mesh.
static inline nav_mesh *world_mesh(world *w)
{
    world_simplify(w);
    return world_mesh_priced(w);
}
