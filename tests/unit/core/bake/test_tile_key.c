// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_tile_key.c: equal keys mean equal bytes; what decides no byte is not in the key; what does
// is, in the tiles that it touches and in no others.

// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "tests/unit/asked.h"
#include "core/nav.h"
#include "tests/levels/levels.h"

#include <stdlib.h>
#include <string.h>

#define TILES_X 3u
#define TILES_Z 2u
#define TILES (TILES_X * TILES_Z)

typedef struct keys {
    uint8_t of[TILES][32];
} keys;

typedef struct fixture {
    level_mesh level;
    nav_geometry geometry;
    nav_config config;
    nav_area areas[4];
    nav_arena arena;
} fixture;

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    assert_true(levels_generate(LEVEL_TOWN, 1, 1, &f->level));
    f->geometry = levels_geometry(&f->level);
    f->config = nav_config_default();
    f->config.tile_cells = 64;
    f->areas[0] = (nav_area){.name = "none", .cost = 1};
    f->areas[1] = (nav_area){.name = "ground", .cost = 1};
    f->areas[2] = (nav_area){.name = "grass", .cost = 1};
    f->areas[3] = (nav_area){.name = "water", .cost = 1};
    f->config.areas = f->areas;
    f->config.area_count = 4;
    nav_arena_init(&f->arena, NULL, 0);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    nav_arena_free(&f->arena);
    levels_free(&f->level);
    free(f);
    return 0;
}

static void plan(fixture *f, nav_grid *grid, nav_tile_index *index)
{
    assert_int_equal(nav_bake_plan(&f->geometry, &f->config, 0, grid, NULL), NAV_OK);
    assert_int_equal(grid->tiles_x, TILES_X);
    assert_int_equal(grid->tiles_z, TILES_Z);
    assert_int_equal(nav_bake_index(&f->geometry, grid, NULL, &f->arena, index, NULL), NAV_OK);
}

static keys keys_of(fixture *f)
{
    nav_grid grid;
    nav_tile_index index;
    keys k;
    plan(f, &grid, &index);
    for (uint32_t t = 0; t < TILES; ++t) {
        assert_int_equal(nav_tile_key(&f->geometry, &f->config, &grid, &index, t % TILES_X,
                                      t / TILES_X, NULL, &f->arena, k.of[t]),
                         NAV_OK);
    }
    return k;
}

// One bit a tile whose keys differ.
static uint32_t difference(const keys *a, const keys *b)
{
    uint32_t bits = 0;
    for (uint32_t t = 0; t < TILES; ++t) {
        bits |= (memcmp(a->of[t], b->of[t], 32) != 0 ? 1u : 0u) << t;
    }
    return bits;
}

static void keys_are_names(void **state)
{
    fixture *f = *state;
    keys first = keys_of(f), again = keys_of(f);
    assert_int_equal(difference(&first, &again), 0);
    for (uint32_t a = 0; a < TILES; ++a) {
        for (uint32_t b = a + 1; b < TILES; ++b) {
            assert_memory_not_equal(first.of[a], first.of[b], 32);
        }
    }
}

static void what_decides_no_byte_is_not_in_it(void **state)
{
    fixture *f = *state;
    keys before = keys_of(f);
    const nav_link link = {.start = {2, 0, 2}, .end = {9, 0, 9}, .radius = 1, .area = 1};
    const float seed[1][3] = {{2, 0, 2}};
    const nav_name flags[] = {"walk"};
    f->areas[1].cost = 7;
    f->areas[1].flags = 1;
    f->areas[3].liquid = true; // no triangle is water
    f->config.flag_names = flags;
    f->config.flag_count = 1;
    f->config.links = &link;
    f->config.link_count = 1;
    f->config.seeds = seed;
    f->config.seed_count = 1;
    f->config.coordinates = (nav_coordinates){.axes = {1, -3, 2}, .scale = 0.01};
    keys after = keys_of(f);
    assert_int_equal(difference(&before, &after), 0);
}

static void the_order_of_triangles_is_not_in_it(void **state)
{
    fixture *f = *state;
    keys before = keys_of(f);
    uint32_t *corners = f->level.triangles;
    for (uint32_t i = 0, j = f->level.triangle_count - 1; i < j; ++i, --j) {
        uint32_t swap[3];
        memcpy(swap, corners + 3 * i, sizeof swap);
        memcpy(corners + 3 * i, corners + 3 * j, sizeof swap);
        memcpy(corners + 3 * j, swap, sizeof swap);
    }
    keys after = keys_of(f);
    assert_int_equal(difference(&before, &after), 0);
    // A triangle that is there twice is another multitude, even though the bytes are the same.
    memcpy(corners, corners + 3, 3 * sizeof *corners);
    after = keys_of(f);
    assert_true(difference(&before, &after) != 0);
}

// A change of each setting that stages of a tile read, for all tiles.
// Each of them: they are sorted by their hashes, and none may be left out at either end.
static void every_triangle_is_in_it(void **state)
{
    fixture *f = *state;
    float vertices[8][3][3];
    uint32_t triangles[8][3];
    uint8_t areas[8], before[32], after[32];
    for (uint32_t i = 0; i < 8; ++i) {
        const float x = (float)i;
        const float corners[3][3] = {{x, 0, 0}, {x, 0, 9}, {x + 1, 0, 9}};
        memcpy(vertices[i], corners, sizeof corners);
        for (uint32_t k = 0; k < 3; ++k) {
            triangles[i][k] = 3 * i + k;
        }
        areas[i] = 1;
    }
    const nav_geometry geometry = {.vertices = &vertices[0][0][0],
                                   .triangles = &triangles[0][0],
                                   .triangle_areas = areas,
                                   .vertex_count = 24,
                                   .triangle_count = 8};
    nav_grid grid;
    f->config.tile_cells = 0;
    assert_int_equal(nav_bake_plan(&geometry, &f->config, 0, &grid, NULL), NAV_OK);
    assert_int_equal(
        nav_tile_key(&geometry, &f->config, &grid, NULL, 0, 0, NULL, &f->arena, before), NAV_OK);
    for (uint32_t i = 0; i < 8; ++i) {
        areas[i] = 2;
        assert_int_equal(
            nav_tile_key(&geometry, &f->config, &grid, NULL, 0, 0, NULL, &f->arena, after), NAV_OK);
        assert_memory_not_equal(before, after, 32);
        areas[i] = 1;
        vertices[i][1][2] = 8.5f;
        assert_int_equal(
            nav_tile_key(&geometry, &f->config, &grid, NULL, 0, 0, NULL, &f->arena, after), NAV_OK);
        assert_memory_not_equal(before, after, 32);
        vertices[i][1][2] = 9.0f;
    }
    // One alone is the first of all and the last.
    nav_geometry one = geometry;
    one.triangle_count = 1;
    assert_int_equal(nav_tile_key(&one, &f->config, &grid, NULL, 0, 0, NULL, &f->arena, before),
                     NAV_OK);
    vertices[0][1][2] = 8.5f;
    assert_int_equal(nav_tile_key(&one, &f->config, &grid, NULL, 0, 0, NULL, &f->arena, after),
                     NAV_OK);
    assert_memory_not_equal(before, after, 32);
}

static void each_setting_of_a_tile_is_in_it(void **state)
{
    fixture *f = *state;
    f->config.low_height_area = 3;
    f->config.low_height_min = 0.8f;
    const nav_config config = f->config;
    keys before = keys_of(f);
#define CHANGED(change)                                                                            \
    {                                                                                              \
        f->config = config;                                                                        \
        f->config.change;                                                                          \
        keys after = keys_of(f);                                                                   \
        assert_int_equal(difference(&before, &after), (1u << TILES) - 1);                          \
    }
    CHANGED(cell_height = 0.25f)
    CHANGED(agent_radius = 0.5f)
    CHANGED(agent_height = 1.9f)
    CHANGED(agent_max_climb = 0.8f)
    CHANGED(agent_max_slope = 44)
    CHANGED(partition = NAV_PARTITION_LAYERS)
    CHANGED(region_min_size = 7)
    CHANGED(region_merge_size = 21)
    CHANGED(edge_max_length = 11)
    CHANGED(edge_split = NAV_EDGE_SPLIT_BOTH)
    CHANGED(edge_max_error = 1.4f)
    CHANGED(polygon_max_vertices = 5)
    CHANGED(detail = false)
    CHANGED(detail_sample_distance = 5)
    CHANGED(detail_max_error = 2)
    CHANGED(filter_low_hanging = false)
    CHANGED(filter_ledges = false)
    CHANGED(filter_low_height = false)
    CHANGED(low_height_area = 2)
    CHANGED(low_height_min = 1)
    CHANGED(low_height_single = true)
    CHANGED(area_median = true)
    CHANGED(volumes_reach_up = true)
#undef CHANGED
}

// The town is 58 x 38 m or so, a tile 19.2 m.
static void a_volume_is_in_the_tiles_that_it_reaches(void **state)
{
    fixture *f = *state;
    nav_volume volumes[] = {
        {.shape = NAV_VOLUME_BOX, .area = 2, .min = {5, 0, 5}, .max = {7, 3, 7}},
        {.shape = NAV_VOLUME_CYLINDER, .area = 3, .min = {30, 0, 6}, .max = {0, 3, 0}, .radius = 2},
    };
    keys before = keys_of(f);
    f->config.volumes = volumes;
    f->config.volume_count = 1;
    keys box = keys_of(f);
    assert_int_equal(difference(&before, &box), 1 << 0);
    f->config.volume_count = 2;
    keys both = keys_of(f);
    assert_int_equal(difference(&box, &both), 1 << 1);
    // The last one wins where they meet; elsewhere their order shows in no tile.
    nav_volume swap = volumes[0];
    volumes[0] = volumes[1];
    volumes[1] = swap;
    keys swapped = keys_of(f);
    assert_int_equal(difference(&both, &swapped), 0);
    volumes[1].area = 3;
    keys other_area = keys_of(f);
    assert_int_equal(difference(&swapped, &other_area), 1 << 0);
}

// A shape reaches as far as the agent's radius around it.
static void a_switch_is_in_the_tiles_that_it_reaches(void **state)
{
    fixture *f = *state;
    nav_volume shapes[] = {
        {.shape = NAV_VOLUME_BOX, .min = {5, 0, 5}, .max = {7, 3, 7}},
        {.shape = NAV_VOLUME_CYLINDER, .min = {30, 0, 6}, .max = {0, 3, 0}, .radius = 2},
    };
    nav_switch switches[] = {{.id = "gate", .shapes = shapes, .shape_count = 1},
                             {.id = "pit", .shapes = shapes + 1, .shape_count = 1},
                             {.id = "z"}};
    keys before = keys_of(f);
    f->config.switches = switches;
    f->config.switch_count = 1;
    keys box = keys_of(f);
    assert_int_equal(difference(&before, &box), 1 << 0);
    f->config.switch_count = 3;
    keys both = keys_of(f);
    assert_int_equal(difference(&box, &both), 1 << 1);
    // What it is by default is the mesh's, and areas of shapes are not read.
    switches[0].closed = true;
    keys closed = keys_of(f);
    assert_int_equal(difference(&both, &closed), 0);
    strcpy(switches[0].id, "grate");
    keys renamed = keys_of(f);
    assert_int_equal(difference(&both, &renamed), 1 << 0);
    shapes[1].max[1] = 4;
    keys higher = keys_of(f);
    assert_int_equal(difference(&renamed, &higher), 1 << 1);
}

static void a_material_is_in_it_as_its_area(void **state)
{
    fixture *f = *state;
    uint16_t *materials = calloc(f->geometry.triangle_count, sizeof *materials);
    assert_non_null(materials);
    const char *const names[] = {"", "Lawn"};
    const nav_material lawn_is_grass = {.name = "Lawn", .area = 2};
    keys before = keys_of(f);
    f->geometry.triangle_materials = materials;
    f->geometry.material_names = names;
    f->geometry.material_count = 2;
    keys named = keys_of(f);
    assert_int_equal(difference(&before, &named), 0);
    materials[0] = 1;
    named = keys_of(f);
    assert_int_equal(difference(&before, &named), 0); // Lawn is ground as long as nobody says more
    f->config.materials = &lawn_is_grass;
    f->config.material_count = 1;
    named = keys_of(f);
    assert_true(difference(&before, &named) != 0);
    // A liquid in a tile makes it hang on which areas are liquids.
    keys grass = named;
    f->areas[2].liquid = true;
    named = keys_of(f);
    assert_int_equal(difference(&before, &grass), difference(&grass, &named));
    free(materials);
}

static nav_blob bake(fixture *f, uint32_t tile)
{
    nav_grid grid;
    nav_tile_index index;
    nav_blob blob = {0};
    nav_arena scratch;
    nav_arena_init(&scratch, NULL, 0);
    plan(f, &grid, &index);
    assert_int_equal(nav_bake_tile(&f->geometry, &f->config, &grid, &index, tile % TILES_X,
                                   tile / TILES_X, NULL, &scratch, &f->arena, &blob, NULL, NULL),
                     NAV_OK);
    nav_arena_free(&scratch);
    return blob;
}

// Moves single vertices about: whichever tile keeps its key keeps its bytes.
static void equal_keys_mean_equal_bytes(void **state)
{
    fixture *f = *state;
    uint32_t kept = 0, changed = 0;
    keys before = keys_of(f);
    nav_blob blobs[TILES];
    for (uint32_t t = 0; t < TILES; ++t) {
        blobs[t] = bake(f, t);
    }
    for (uint32_t step = 1; step <= 12; ++step) {
        float *vertex = f->level.vertices + 3 * (step * 7919 % f->level.vertex_count);
        const float was = vertex[1];
        vertex[1] += 0.5f;
        keys after = keys_of(f);
        const uint32_t bits = difference(&before, &after);
        for (uint32_t t = 0; t < TILES; ++t) {
            const bool same = (bits >> t & 1) == 0;
            kept += same;
            changed += !same;
            nav_blob blob = same ? bake(f, t) : blobs[t];
            assert_int_equal(blob.size_bytes, blobs[t].size_bytes);
            assert_memory_equal(blob.bytes, blobs[t].bytes, blob.size_bytes);
        }
        vertex[1] = was;
    }
    assert_true(kept > changed);
    assert_true(changed >= 12);
}

static void memory_that_is_missing_is_said(void **state)
{
    fixture *f = *state;
    nav_grid grid;
    nav_tile_index index;
    uint8_t key[32] = {0}, zero[32] = {0};
    nav_arena tight;
    plan(f, &grid, &index);
    nav_arena_init(&tight, NULL, 64);
    assert_int_equal(nav_tile_key(&f->geometry, &f->config, &grid, &index, 0, 0, NULL, &tight, key),
                     NAV_NO_MEMORY);
    assert_memory_equal(key, zero, 32);
    nav_arena_free(&tight);
}

// Without an index, every triangle is the tile's; another grid gives other names.
static void one_tile_has_a_key_without_an_index(void **state)
{
    fixture *f = *state;
    nav_grid grid;
    uint8_t key[32], again[32], other[32];
    f->config.tile_cells = 0;
    assert_int_equal(nav_bake_plan(&f->geometry, &f->config, 0, &grid, NULL), NAV_OK);
    assert_int_equal(
        nav_tile_key(&f->geometry, &f->config, &grid, NULL, 0, 0, NULL, &f->arena, key), NAV_OK);
    assert_int_equal(
        nav_tile_key(&f->geometry, &f->config, &grid, NULL, 0, 0, NULL, &f->arena, again), NAV_OK);
    assert_memory_equal(key, again, 32);
    grid.min[0] -= 1;
    assert_int_equal(
        nav_tile_key(&f->geometry, &f->config, &grid, NULL, 0, 0, NULL, &f->arena, other), NAV_OK);
    assert_memory_not_equal(key, other, 32);
}

// A tile of 100,000 triangles is looked at ten times, of which each hashing counts as sixteen
// looks.
static void every_question_can_be_the_last(void **state)
{
    enum {
        COUNT = 100000
    };
    fixture *f = *state;
    nav_grid grid;
    f->config.tile_cells = 0;
    uint32_t *many = malloc(sizeof(uint32_t[3]) * COUNT);
    assert_non_null(many);
    for (uint32_t i = 0; i < 3 * COUNT; ++i) {
        many[i] = f->geometry.triangles[i % (3 * f->geometry.triangle_count)];
    }
    nav_geometry geometry = f->geometry;
    geometry.triangles = many;
    geometry.triangle_count = COUNT;
    assert_int_equal(nav_bake_plan(&geometry, &f->config, 0, &grid, NULL), NAV_OK);
    asked all = {0};
    for (uint32_t i = 0; i <= all.count; ++i) {
        asked a = {.cancel_at = i};
        const nav_bake_hooks hooks = asked_hooks(&a);
        uint8_t key[32] = {0}, zero[32] = {0};
        const nav_arena_mark before = nav_arena_save(&f->arena);
        assert_int_equal(
            nav_tile_key(&geometry, &f->config, &grid, NULL, 0, 0, &hooks, &f->arena, key),
            i == 0 ? NAV_OK : NAV_CANCELLED);
        const nav_arena_mark after = nav_arena_save(&f->arena);
        assert_int_equal(after.used_bytes, before.used_bytes);
        if (i == 0) {
            all = a;
            assert_true(all.count >= (2 * 16 + 8) * COUNT / 65536);
        } else {
            assert_int_equal(a.count, i);
            assert_memory_equal(key, zero, 32);
        }
    }
    free(many);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(keys_are_names),
        TEST(what_decides_no_byte_is_not_in_it),
        TEST(the_order_of_triangles_is_not_in_it),
        TEST(every_triangle_is_in_it),
        TEST(each_setting_of_a_tile_is_in_it),
        TEST(a_volume_is_in_the_tiles_that_it_reaches),
        TEST(a_switch_is_in_the_tiles_that_it_reaches),
        TEST(a_material_is_in_it_as_its_area),
        TEST(equal_keys_mean_equal_bytes),
        TEST(memory_that_is_missing_is_said),
        TEST(one_tile_has_a_key_without_an_index),
        TEST(every_question_can_be_the_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
