// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_golden.c: the same level and settings give the same bytes: the literal ones in
// tests/golden/hashes.txt, with every compiler and at every optimisation that the tests are built
// with, whatever the order of the triangles and of the tiles.
//
// Where a change to the bake is meant to change its bytes, NAV_GOLDEN_WRITE=1 makes this program
// write the file anew, for the commit that says why.

#include "core/nav.h"
#include "tests/levels/levels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HASHES "tests/golden/hashes.txt"
#define CASES_MAX 48
#define SWITCHES_MAX 64

typedef struct golden {
    char level[16];
    unsigned size;
    char partition[16];
    unsigned tile_cells;
    unsigned switches;
    char hash[65];
} golden;

static golden cases[CASES_MAX];
static size_t case_count;

static const char *const PARTITIONS[] = {[NAV_PARTITION_WATERSHED] = "watershed",
                                         [NAV_PARTITION_MONOTONE] = "monotone",
                                         [NAV_PARTITION_LAYERS] = "layers"};

static int read_cases(void **state)
{
    (void)state;
    FILE *file = fopen(HASHES, "r");
    assert_non_null(file);
    char line[256];
    while (fgets(line, sizeof line, file) != NULL) {
        golden *g = &cases[case_count];
        if (line[0] != '#') {
            assert_true(case_count < CASES_MAX);
            assert_int_equal(sscanf(line, "%15s %u %15s %u %u %64s", g->level, &g->size,
                                    g->partition, &g->tile_cells, &g->switches, g->hash),
                             6);
            case_count++;
        }
    }
    fclose(file);
    return 0;
}

// ---- one bake ----

// A number from 0 to 1; a linear congruential generator is random enough.
static float next_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (float)(*seed >> 40) / (float)(1 << 24);
}

static void make_level(const golden *g, level_mesh *out)
{
    level_kind kind = 0;
    while (kind < LEVEL_KIND_COUNT && strcmp(levels_kind_word(kind), g->level) != 0) {
        ++kind;
    }
    assert_true(levels_generate(kind, g->size, 7, out));
}

// Gates here and there, of all shapes; some overlap, some lie on borders of tiles.
static void add_switches(const golden *g, const nav_geometry *geometry, nav_config *config)
{
    static nav_switch switches[SWITCHES_MAX];
    static nav_volume shapes[SWITCHES_MAX];
    static float points[SWITCHES_MAX][4][2];
    nav_grid grid;
    assert_true(g->switches <= SWITCHES_MAX);
    assert_int_equal(nav_bake_plan(geometry, config, 0, &grid, NULL), NAV_OK);
    uint64_t seed = 11;
    for (unsigned i = 0; i < g->switches; ++i) {
        const float x = grid.min[0] + next_random(&seed) * (grid.max[0] - grid.min[0]);
        const float z = grid.min[2] + next_random(&seed) * (grid.max[2] - grid.min[2]);
        const float wide = 4 * next_random(&seed), deep = 4 * next_random(&seed);
        nav_volume *shape = &shapes[i];
        *shape = (nav_volume){.shape = (nav_volume_shape)(i % 3),
                              .min = {x, grid.min[1], z},
                              .max = {x + wide, grid.max[1], z + deep},
                              .radius = wide,
                              .points = (const float(*)[2])points[i],
                              .point_count = 4};
        const float corners[4][2] = {
            {x, z}, {x + wide, z + deep}, {x, z + 2 * deep}, {x - wide, z}};
        memcpy(points[i], corners, sizeof corners);
        switches[i] = (nav_switch){.shapes = shape, .shape_count = 1};
        snprintf(switches[i].id, sizeof switches[i].id, "gate %03u", i);
    }
    config->switches = switches;
    config->switch_count = g->switches;
    assert_int_equal(nav_config_check(config, NULL), NAV_OK);
}

static nav_config config_of(const golden *g, const nav_geometry *geometry)
{
    nav_config config = nav_config_default();
    config.tile_cells = g->tile_cells;
    while (strcmp(PARTITIONS[config.partition], g->partition) != 0) {
        config.partition = (nav_partition)(config.partition + 1);
    }
    add_switches(g, geometry, &config);
    return config;
}

// The hash over the hashes of all tiles in their order, whichever is baked first.
static void hash_of_bake(const nav_geometry *geometry, const nav_config *config, bool backwards,
                         char hex[65])
{
    nav_arena scratch, result;
    nav_arena_init(&scratch, NULL, 0);
    nav_arena_init(&result, NULL, 0);
    nav_grid grid;
    nav_tile_index index;
    assert_int_equal(nav_bake_plan(geometry, config, 0, &grid, NULL), NAV_OK);
    assert_int_equal(nav_bake_index(geometry, &grid, NULL, &result, &index, NULL), NAV_OK);
    uint32_t count = grid.tiles_x * grid.tiles_z;
    uint8_t(*digests)[32] = nav_arena_alloc_zero(&result, count, sizeof *digests);
    assert_non_null(digests);
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t tile = backwards ? count - 1 - i : i;
        nav_blob blob;
        assert_int_equal(nav_bake_tile(geometry, config, &grid, &index, tile % grid.tiles_x,
                                       tile / grid.tiles_x, NULL, &scratch, &result, &blob, NULL,
                                       NULL),
                         NAV_OK);
        nav_sha256 hash;
        nav_sha256_init(&hash);
        nav_sha256_add(&hash, blob.bytes, blob.size_bytes);
        nav_sha256_end(&hash, digests[tile]);
    }
    nav_sha256 all;
    uint8_t digest[32];
    nav_sha256_init(&all);
    nav_sha256_add(&all, digests, count * sizeof *digests);
    nav_sha256_end(&all, digest);
    nav_sha256_hex(digest, hex);
    nav_arena_free(&scratch);
    nav_arena_free(&result);
}

// ---- the tests ----

static void bakes_give_the_golden_bytes(void **state)
{
    (void)state;
    FILE *rewritten = getenv("NAV_GOLDEN_WRITE") != NULL ? fopen(HASHES, "w") : NULL;
    if (rewritten != NULL) {
        fputs("# level size partition tile_cells switches sha256 of the tiles' sha256\n",
              rewritten);
    }
    for (size_t i = 0; i < case_count; ++i) {
        level_mesh level = {0};
        make_level(&cases[i], &level);
        const nav_geometry geometry = levels_geometry(&level);
        const nav_config config = config_of(&cases[i], &geometry);
        char hex[65];
        hash_of_bake(&geometry, &config, false, hex);
        if (rewritten != NULL) {
            memcpy(cases[i].hash, hex, sizeof hex);
            fprintf(rewritten, "%s %u %s %u %u %s\n", cases[i].level, cases[i].size,
                    cases[i].partition, cases[i].tile_cells, cases[i].switches, hex);
        } else {
            assert_string_equal(hex, cases[i].hash);
        }
        levels_free(&level);
    }
    if (rewritten != NULL) {
        fclose(rewritten);
    }
}

// Fisher and Yates; a linear congruential generator is random enough.
static void shuffle(level_mesh *level, uint64_t seed)
{
    for (uint32_t i = level->triangle_count; i > 1; --i) {
        seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
        uint32_t other = (uint32_t)((seed >> 33) % i);
        uint32_t swap[3];
        memcpy(swap, level->triangles + 3 * (size_t)(i - 1), sizeof swap);
        memcpy(level->triangles + 3 * (size_t)(i - 1), level->triangles + 3 * (size_t)other,
               sizeof swap);
        memcpy(level->triangles + 3 * (size_t)other, swap, sizeof swap);
    }
}

static void the_order_of_triangles_and_tiles_does_not_show(void **state)
{
    (void)state;
    for (size_t i = 0; i < case_count; ++i) {
        level_mesh level = {0};
        make_level(&cases[i], &level);
        shuffle(&level, i);
        const nav_geometry geometry = levels_geometry(&level);
        const nav_config config = config_of(&cases[i], &geometry);
        char hex[65];
        hash_of_bake(&geometry, &config, true, hex);
        assert_string_equal(hex, cases[i].hash);
        levels_free(&level);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bakes_give_the_golden_bytes),
        cmocka_unit_test(the_order_of_triangles_and_tiles_does_not_show),
    };
    return cmocka_run_group_tests(tests, read_cases, NULL);
}
