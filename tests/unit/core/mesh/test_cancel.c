// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_cancel.c: the making of a mesh asks often whether it is to end, ends at whichever
// question is answered with yes, gives everything back, and leaves its outputs as they were.

#include "tests/unit/asked.h"
#include "tests/unit/counting_allocator.h"

#include "tests/levels/levels.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// The tiles of a level, and what is to be made of them.
typedef struct world {
    nav_arena scratch, result;
    nav_blob *blobs;
    uint32_t count;
    nav_config config;
    nav_link *links;
    float (*seeds)[3];
} world;

static void bake(world *w, level_kind kind, uint32_t size, uint32_t tile_cells)
{
    level_mesh level;
    nav_grid grid;
    nav_tile_index index;
    assert_true(levels_generate(kind, size, 1, &level));
    const nav_geometry geometry = {.vertices = level.vertices,
                                   .triangles = level.triangles,
                                   .vertex_count = level.vertex_count,
                                   .triangle_count = level.triangle_count};
    *w = (world){.config = nav_config_default()};
    nav_arena_init(&w->scratch, NULL, 0);
    nav_arena_init(&w->result, NULL, 0);
    w->config.tile_cells = tile_cells;
    assert_int_equal(nav_bake_plan(&geometry, &w->config, 0, &grid, NULL), NAV_OK);
    assert_int_equal(nav_bake_index(&geometry, &grid, NULL, &w->result, &index, NULL), NAV_OK);
    w->count = grid.tiles_x * grid.tiles_z;
    w->blobs = calloc(w->count, sizeof *w->blobs);
    assert_non_null(w->blobs);
    for (uint32_t i = 0; i < w->count; ++i) {
        assert_int_equal(nav_bake_tile(&geometry, &w->config, &grid, &index, i % grid.tiles_x,
                                       i / grid.tiles_x, NULL, &w->scratch, &w->result,
                                       &w->blobs[i], NULL, NULL),
                         NAV_OK);
    }
    levels_free(&level);
}

static void discard(world *w)
{
    free(w->blobs);
    free(w->links);
    free(w->seeds);
    nav_arena_free(&w->result);
    nav_arena_free(&w->scratch);
}

static nav_mesh *create(const world *w)
{
    nav_mesh *mesh = NULL;
    assert_int_equal(nav_mesh_create(w->blobs, w->count, &w->config, NULL, &mesh, NULL, NULL),
                     NAV_OK);
    return mesh;
}

// A place on the mesh, another one for each number.
static void place_on(const nav_mesh *mesh, uint32_t number, float out[3])
{
    nav_mesh_stats stats;
    nav_mesh_stats_get(mesh, &stats);
    const nav_polygon polygon = nav_mesh_polygon(mesh, number * 7919u % stats.polygons);
    for (int axis = 0; axis < 3; ++axis) {
        double sum = 0;
        for (uint32_t k = 0; k < polygon.vertex_count; ++k) {
            sum += (double)nav_mesh_vertex(mesh, polygon.vertices[k])[axis];
        }
        out[axis] = (float)(sum / polygon.vertex_count);
    }
}

// So many links between places all over the level, each third of them one-way, each eleventh with
// an end in the air, and a seed.
static void link_places(world *w, uint32_t count)
{
    nav_mesh *mesh = create(w);
    w->links = calloc(count, sizeof *w->links);
    w->seeds = calloc(1, sizeof *w->seeds);
    assert_true(w->links != NULL && w->seeds != NULL);
    for (uint32_t i = 0; i < count; ++i) {
        nav_link *link = &w->links[i];
        *link = (nav_link){.radius = 0.6f, .area = NAV_AREA_GROUND, .bidirectional = i % 3 != 0};
        place_on(mesh, 2 * i, link->start);
        place_on(mesh, 2 * i + 1, link->end);
        link->end[1] += i % 11 == 0 ? 50.0f : 0.0f;
    }
    place_on(mesh, 0, w->seeds[0]);
    w->config.links = w->links;
    w->config.link_count = count;
    w->config.seeds = (const float(*)[3])w->seeds;
    w->config.seed_count = 1;
    nav_mesh_release(mesh);
}

// Makes the mesh, answering question cancel_at with yes. Returns how many were asked.
static uint32_t ask(const world *w, uint32_t cancel_at)
{
    counting counted = {.calls_max = UINT32_MAX};
    const nav_allocator allocator = counting_allocator(&counted);
    nav_bake_report report, before;
    memset(&report, 0x5a, sizeof report);
    memcpy(&before, &report, sizeof report);
    nav_mesh *mesh = NULL;
    nav_error err = {0};
    asked a = {.cancel_at = cancel_at};
    const nav_bake_hooks hooks = asked_hooks(&a);
    if (cancel_at == 0) {
        report = (nav_bake_report){0};
    }
    const nav_status status = nav_mesh_create_until(w->blobs, w->count, &w->config, 0, &hooks,
                                                    &allocator, &mesh, &report, &err);
    assert_int_equal(status, cancel_at == 0 ? NAV_OK : NAV_CANCELLED);
    if (cancel_at != 0) {
        assert_int_equal(err.status, NAV_CANCELLED);
        assert_null(mesh);
        assert_memory_equal(&report, &before, sizeof report);
        assert_int_equal(a.count, cancel_at); // and never asked again
    }
    nav_mesh_release(mesh);
    assert_int_equal(counted.held_bytes, 0);
    return a.count;
}

static void every_question_can_be_the_last(const world *w, uint32_t count_min)
{
    const uint32_t count = ask(w, 0);
    assert_true(count >= count_min);
    for (uint32_t i = 1; i <= count; ++i) {
        assert_int_equal(ask(w, i), i);
    }
}

// With links each asks, so that every step between them and the end has its questions.
static void a_mesh_with_links_and_seeds_can_end_at_every_question(void **state)
{
    (void)state;
    world w;
    bake(&w, LEVEL_TOWN, 2, 32);
    link_places(&w, 60);
    // At the beginning, for each link and for the seed.
    every_question_can_be_the_last(&w, 1 + 60 + 1);
    discard(&w);
}

// Each of these polygons is gone through some fifty times, most of them with all its corners.
static void a_large_mesh_asks_in_all_of_its_steps(void **state)
{
    (void)state;
    world w;
    nav_mesh_stats stats;
    bake(&w, LEVEL_TERRAIN, 192, 16);
    w.config.region_min_size = 40; // some islands between tiles go
    nav_mesh *mesh = create(&w);
    nav_mesh_stats_get(mesh, &stats);
    nav_mesh_release(mesh);
    assert_true(stats.polygons > 5000);
    every_question_can_be_the_last(&w, 1 + stats.polygons * 50 / 65536);
    discard(&w);
}

static void an_empty_mesh_asks_once(void **state)
{
    (void)state;
    const world w = {.config = nav_config_default()};
    assert_int_equal(ask(&w, 0), 1);
    assert_int_equal(ask(&w, 1), 1);
}

// Ends are snapped before the mesh is made whole; a question to the whole mesh gives the same.
static void ends_of_links_are_where_a_question_finds_them(void **state)
{
    (void)state;
    world w;
    bake(&w, LEVEL_TOWN, 2, 32);
    link_places(&w, 400);
    w.config.seed_count = 0;
    nav_mesh *mesh = create(&w);
    nav_mesh_stats stats;
    nav_mesh_stats_get(mesh, &stats);
    assert_in_range(stats.links, 300, 400);
    for (uint32_t i = 0; i < stats.links; ++i) {
        const nav_placed_link *placed = nav_mesh_link(mesh, i);
        const nav_link *asked_for = &w.links[placed->config_index];
        const nav_snap snap = {.horizontal = asked_for->radius,
                               .up = w.config.agent_max_climb + 2 * w.config.cell_height,
                               .down = w.config.agent_max_climb + 2 * w.config.cell_height};
        nav_location place;
        assert_int_equal(nav_query_nearest(mesh, asked_for->start, snap, NAV_NONE, &place, 1), 1);
        assert_int_equal(place.polygon, placed->start_polygon);
        assert_memory_equal(place.position, placed->start, sizeof placed->start);
    }
    nav_mesh_release(mesh);
    discard(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mesh_with_links_and_seeds_can_end_at_every_question),
        cmocka_unit_test(a_large_mesh_asks_in_all_of_its_steps),
        cmocka_unit_test(an_empty_mesh_asks_once),
        cmocka_unit_test(ends_of_links_are_where_a_question_finds_them),
    };
    return cmocka_run_group_tests_name("mesh_cancel", tests, NULL, NULL);
}
