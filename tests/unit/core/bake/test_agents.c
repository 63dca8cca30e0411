// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_agents.c: a bake of several bodies gives each the tiles, keys and numbers of a bake of its
// own, whatever its padding, slope, climb and height are, and voxelizes the triangles once.

// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "core/nav.h"
#include "tests/levels/levels.h"

#include <stdlib.h>
#include <string.h>

static const nav_agent AGENTS[] = {
    {.name = "giant", .radius = 2.1f, .height = 5.0f, .max_climb = 1.5f, .max_slope = 45.0f},
    {.name = "goat", .radius = 0.3f, .height = 1.0f, .max_climb = 1.4f, .max_slope = 70.0f},
    {.name = "rat", .radius = 0.2f, .height = 0.5f, .max_climb = 0.2f, .max_slope = 30.0f},
    {.name = "twin", .radius = 0.6f, .height = 2.0f, .max_climb = 0.9f, .max_slope = 45.0f},
};
#define AGENTS_COUNT (uint32_t)(sizeof AGENTS / sizeof *AGENTS)

typedef struct fixture {
    nav_geometry geometry;
    nav_config config;
    nav_grid grid;
    nav_tile_index index;
    nav_arena index_arena, scratch, result;
} fixture;

static void begin(fixture *f, const nav_geometry *geometry, const nav_config *config)
{
    *f = (fixture){.geometry = *geometry, .config = *config};
    nav_arena_init(&f->index_arena, NULL, 0);
    nav_arena_init(&f->scratch, NULL, 0);
    nav_arena_init(&f->result, NULL, 0);
    nav_error err = {0};
    if (nav_bake_plan(&f->geometry, &f->config, 0, &f->grid, &err) != NAV_OK) {
        fail_msg("%s", err.detail);
    }
    const nav_grid widest = nav_grid_widest(&f->grid, &f->config);
    assert_int_equal(nav_bake_index(&f->geometry, &widest, NULL, &f->index_arena, &f->index, NULL),
                     NAV_OK);
}

static void end(fixture *f)
{
    nav_arena_free(&f->result);
    nav_arena_free(&f->scratch);
    nav_arena_free(&f->index_arena);
}

static void assert_same_reports(const nav_bake_report *a, const nav_bake_report *b)
{
    uint8_t bytes[2][NAV_BAKE_REPORT_BYTES_MAX];
    nav_bake_report own[2] = {*a, *b};
    own[0].peak_bytes = own[1].peak_bytes = 0;
    const size_t size_bytes = nav_bake_report_pack(&own[0], bytes[0]);
    assert_int_equal(nav_bake_report_pack(&own[1], bytes[1]), size_bytes);
    assert_memory_equal(bytes[0], bytes[1], size_bytes);
}

// The body alone: planned, indexed and baked as an upload that has no other.
static void compare_tile(fixture *f, fixture *alone, uint32_t tile, const nav_bake_agent *agent)
{
    const uint32_t x = tile % f->grid.tiles_x, z = tile / f->grid.tiles_x;
    uint8_t keys[2][32];
    nav_blob blob = {0};
    nav_bake_report report = {0};
    assert_int_equal(nav_bake_tile(&f->geometry, &alone->config, &alone->grid, &alone->index, x, z,
                                   NULL, &f->scratch, &f->result, &blob, &report, NULL),
                     NAV_OK);
    assert_int_equal(agent->blob.size_bytes, blob.size_bytes);
    if (blob.size_bytes > 0) {
        assert_memory_equal(agent->blob.bytes, blob.bytes, blob.size_bytes);
    }
    assert_same_reports(agent->report, &report);
    assert_int_equal(nav_tile_key(&f->geometry, &alone->config, &alone->grid, &alone->index, x, z,
                                  NULL, &f->scratch, keys[0]),
                     NAV_OK);
    assert_int_equal(nav_tile_key(&f->geometry, &agent->config, &agent->grid, &f->index, x, z, NULL,
                                  &f->scratch, keys[1]),
                     NAV_OK);
    assert_memory_equal(keys[0], keys[1], 32);
}

// Returns how many tiles with ground there were, of all bodies.
static uint32_t compare_level(const nav_geometry *geometry, const nav_config *config)
{
    fixture f, alone[NAV_ALL_AGENTS];
    const uint32_t count = config->agent_count + 1;
    nav_bake_report *reports = calloc(count, sizeof *reports);
    nav_bake_agent agents[NAV_ALL_AGENTS];
    uint32_t grounds = 0;
    begin(&f, geometry, config);
    for (uint32_t body = 0; body < count; ++body) {
        const nav_config own = nav_config_of_agent(config, body);
        begin(&alone[body], geometry, &own);
    }
    for (uint32_t tile = 0; tile < f.grid.tiles_x * f.grid.tiles_z; ++tile) {
        memset(reports, 0, count * sizeof *reports);
        for (uint32_t body = 0; body < count; ++body) {
            agents[body] = (nav_bake_agent){.config = nav_config_of_agent(config, body),
                                            .grid = nav_grid_of_agent(&f.grid, config, body),
                                            .report = &reports[body]};
        }
        assert_int_equal(nav_bake_tile_agents(&f.geometry, agents, count, &f.index,
                                              tile % f.grid.tiles_x, tile / f.grid.tiles_x, NULL,
                                              &f.scratch, &f.result, NULL),
                         NAV_OK);
        for (uint32_t body = 0; body < count; ++body) {
            compare_tile(&f, &alone[body], tile, &agents[body]);
            grounds += agents[body].blob.size_bytes > 0;
        }
        nav_arena_reset(&f.result);
    }
    for (uint32_t body = 0; body < count; ++body) {
        end(&alone[body]);
    }
    end(&f);
    free(reports);
    return grounds;
}

static nav_config config_of(uint32_t tile_cells)
{
    nav_config config = nav_config_default();
    config.tile_cells = tile_cells;
    config.agents = AGENTS;
    config.agent_count = AGENTS_COUNT;
    return config;
}

static void each_body_is_as_if_alone(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {0, 33, 64};
    for (level_kind kind = 0; kind < LEVEL_KIND_COUNT; ++kind) {
        level_mesh level;
        assert_true(levels_generate(kind, kind == LEVEL_TERRAIN ? 24 : 1, 3, &level));
        const nav_geometry geometry = levels_geometry(&level);
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
            const nav_config config = config_of(sizes[i]);
            assert_true(compare_level(&geometry, &config) >= 2);
        }
        levels_free(&level);
    }
}

// Every third triangle is water, every fifth is mud: spans with several areas, and liquids.
static void with_areas_of_all_kinds(void **state)
{
    (void)state;
    level_mesh level;
    assert_true(levels_generate(LEVEL_TOWN, 1, 5, &level));
    nav_geometry geometry = levels_geometry(&level);
    uint8_t *given = calloc(geometry.triangle_count, 1);
    for (uint32_t i = 0; i < geometry.triangle_count; ++i) {
        given[i] = i % 3 == 0 ? 2 : (i % 5 == 0 ? 3 : NAV_AREA_GROUND);
    }
    geometry.triangle_areas = given;
    const nav_area areas[] = {{.name = "none", .cost = 1},
                              {.name = "ground", .cost = 1},
                              {.name = "water", .cost = 2, .liquid = true},
                              {.name = "mud", .cost = 3},
                              {.name = "crouch", .cost = 2}};
    const nav_volume volumes[] = {
        {.shape = NAV_VOLUME_BOX, .area = 0, .min = {10, -5, 10}, .max = {14, 9, 20}},
        {.shape = NAV_VOLUME_CYLINDER,
         .area = 3,
         .min = {30, -5, 30},
         .max = {0, 9, 0},
         .radius = 6},
    };
    nav_config config = config_of(40);
    config.areas = areas;
    config.area_count = 5;
    config.volumes = volumes;
    config.volume_count = 2;
    config.area_median = true;
    config.low_height_area = 4;
    config.low_height_min = 0.7f; // the rat is lower
    assert_true(compare_level(&geometry, &config) > 10);
    config.has_bounds = true;
    const float min[3] = {4, -2, 4}, max[3] = {50, 2, 40};
    memcpy(config.bounds_min, min, sizeof min);
    memcpy(config.bounds_max, max, sizeof max);
    config.partition = NAV_PARTITION_MONOTONE;
    assert_true(compare_level(&geometry, &config) > 10);
    free(given);
    levels_free(&level);
}

// With so many areas the faces of all slopes cannot be told apart at once.
static void more_slopes_than_share(void **state)
{
    (void)state;
    level_mesh level;
    assert_true(levels_generate(LEVEL_TERRAIN, 16, 3, &level));
    nav_geometry geometry = levels_geometry(&level);
    uint8_t *given = calloc(geometry.triangle_count, 1);
    nav_area areas[NAV_AREAS_MAX] = {{.name = "none", .cost = 1}};
    nav_agent agents[NAV_AGENTS_MAX];
    for (uint32_t i = 1; i < NAV_AREAS_MAX; ++i) {
        areas[i].cost = 1;
    }
    for (uint32_t i = 0; i < geometry.triangle_count; ++i) {
        given[i] = (uint8_t)(1 + i % (NAV_AREAS_MAX - 1));
    }
    for (uint32_t i = 0; i < NAV_AGENTS_MAX; ++i) {
        agents[i] = (nav_agent){.name = {(char)('a' + i)},
                                .radius = 0.1f * (float)i,
                                .height = 2,
                                .max_climb = 0.9f,
                                .max_slope = 10.0f + 3.0f * (float)(i * 7 % NAV_AGENTS_MAX)};
    }
    geometry.triangle_areas = given;
    nav_config config = config_of(32);
    config.areas = areas;
    config.area_count = NAV_AREAS_MAX;
    config.agents = agents;
    config.agent_count = NAV_AGENTS_MAX;
    assert_true(compare_level(&geometry, &config) > 10);
    free(given);
    levels_free(&level);
}

// ---- hooks ----

typedef struct heard {
    uint32_t agents[NAV_ALL_AGENTS];
    uint32_t count, voxelizations;
    uint64_t polls, cancel_at;
} heard;

static void hear_agent(void *user, uint32_t agent)
{
    heard *h = user;
    h->agents[h->count++] = agent;
}

static bool hear_poll(void *user)
{
    heard *h = user;
    return ++h->polls == h->cancel_at;
}

static void bake_all(fixture *f, heard *h, nav_status expected)
{
    const nav_bake_hooks hooks = {.user = h, .agent = hear_agent, .cancelled = hear_poll};
    nav_bake_agent agents[AGENTS_COUNT + 1];
    for (uint32_t body = 0; body <= AGENTS_COUNT; ++body) {
        agents[body] = (nav_bake_agent){.config = nav_config_of_agent(&f->config, body),
                                        .grid = nav_grid_of_agent(&f->grid, &f->config, body)};
    }
    const size_t before_bytes = f->result.held_bytes;
    assert_int_equal(nav_bake_tile_agents(&f->geometry, agents, AGENTS_COUNT + 1, &f->index, 0, 0,
                                          &hooks, &f->scratch, &f->result, NULL),
                     expected);
    for (uint32_t body = 0; body <= AGENTS_COUNT; ++body) {
        assert_true((agents[body].blob.size_bytes > 0) == (expected == NAV_OK));
    }
    if (expected != NAV_OK) {
        assert_true(f->result.held_bytes <= before_bytes + (64u << 10)); // one block is kept
    }
    nav_arena_free(&f->result);
}

static void agents_are_told_in_order_and_a_cancel_leaves_nothing(void **state)
{
    (void)state;
    level_mesh level;
    fixture f;
    assert_true(levels_generate(LEVEL_TOWN, 1, 1, &level));
    const nav_geometry geometry = levels_geometry(&level);
    const nav_config config = config_of(0);
    begin(&f, &geometry, &config);
    heard h = {0};
    bake_all(&f, &h, NAV_OK);
    assert_int_equal(h.count, AGENTS_COUNT + 1);
    for (uint32_t i = 0; i < h.count; ++i) {
        assert_int_equal(h.agents[i], i);
    }
    const uint64_t polls = h.polls;
    assert_true(polls > 20);
    for (uint64_t at = 1; at <= polls; at += polls / 8) {
        h = (heard){.cancel_at = at};
        bake_all(&f, &h, NAV_CANCELLED);
    }
    end(&f);
    levels_free(&level);
}

// ---- settings ----

static void assert_refused(const nav_agent *agents, uint32_t count, const char *at)
{
    nav_config config = nav_config_default();
    nav_error err = {0};
    config.agents = agents;
    config.agent_count = count;
    assert_int_equal(nav_config_check(&config, &err), NAV_INVALID_FIELD);
    assert_string_equal(err.at, at);
}

static void settings_of_agents_are_checked(void **state)
{
    (void)state;
    nav_agent agents[NAV_AGENTS_MAX + 1];
    nav_config config = config_of(0);
    assert_int_equal(nav_config_check(&config, NULL), NAV_OK);
    for (uint32_t i = 0; i <= NAV_AGENTS_MAX; ++i) {
        agents[i] = AGENTS[0];
        memcpy(agents[i].name, (char[3]){'a', (char)('a' + i), '\0'}, 3);
    }
    assert_refused(agents, NAV_AGENTS_MAX + 1, "agents");
    memcpy(agents[1].name, "aa", 3);
    assert_refused(agents, 2, "agents.aa");
    memcpy(agents[0].name, "default", 8);
    assert_refused(agents, 1, "agents.default");
    memcpy(agents[0].name, "-x", 3);
    assert_refused(agents, 1, "agents.-x");
    memcpy(agents[0].name, "a b", 4);
    assert_refused(agents, 1, "agents.a b");
    memset(agents[0].name, 0, sizeof agents[0].name);
    assert_refused(agents, 1, "agents.");
    agents[0] = AGENTS[0];
    agents[0].max_slope = 90;
    assert_refused(agents, 1, "agents.giant.max_slope");
    agents[0] = AGENTS[0];
    agents[0].height = 0;
    assert_refused(agents, 1, "agents.giant.height");
    agents[0] = AGENTS[0];
    agents[0].radius = -1;
    assert_refused(agents, 1, "agents.giant.radius");
    agents[0] = AGENTS[0];
    agents[0].max_climb = -1;
    assert_refused(agents, 1, "agents.giant.max_climb");
}

static void a_plan_counts_all_bodies(void **state)
{
    (void)state;
    level_mesh level;
    nav_error err = {0};
    nav_grid grid, alone;
    assert_true(levels_generate(LEVEL_TOWN, 1, 1, &level));
    const nav_geometry geometry = levels_geometry(&level);
    nav_config config = config_of(64);
    const nav_config own = nav_config_of_agent(&config, 0);
    assert_int_equal(own.agent_count, 0);
    assert_int_equal(nav_bake_plan(&geometry, &config, 0, &grid, NULL), NAV_OK);
    assert_int_equal(nav_bake_plan(&geometry, &own, 0, &alone, NULL), NAV_OK);
    assert_memory_equal(&grid, &alone, sizeof grid);
    assert_int_equal(grid.border_cells, 5);
    assert_int_equal(nav_grid_widest(&grid, &config).border_cells, 10);
    assert_int_equal(nav_grid_of_agent(&grid, &config, 3).border_cells, 4);
    // Memory that is enough for one is not enough for all.
    config.tile_cells = 0;
    uint64_t enough_bytes = 1 << 16;
    const nav_config one = nav_config_of_agent(&config, 0);
    while (nav_bake_plan(&geometry, &one, enough_bytes, &grid, NULL) != NAV_OK) {
        enough_bytes += 1 << 12;
    }
    assert_int_equal(nav_bake_plan(&geometry, &config, enough_bytes, &grid, NULL),
                     NAV_GRID_TOO_LARGE);
    assert_int_equal(nav_bake_plan(&geometry, &config, 2 * enough_bytes, &grid, NULL), NAV_OK);
    nav_agent wide = AGENTS[0];
    wide.radius = 9999;
    config.cell_size = 0.1f;
    config.agents = &wide;
    config.agent_count = 1;
    assert_int_equal(nav_bake_plan(&geometry, &config, 0, &grid, &err), NAV_INVALID_FIELD);
    assert_string_equal(err.at, "agents.giant.radius");
    levels_free(&level);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_body_is_as_if_alone),
        cmocka_unit_test(with_areas_of_all_kinds),
        cmocka_unit_test(more_slopes_than_share),
        cmocka_unit_test(agents_are_told_in_order_and_a_cancel_leaves_nothing),
        cmocka_unit_test(settings_of_agents_are_checked),
        cmocka_unit_test(a_plan_counts_all_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
