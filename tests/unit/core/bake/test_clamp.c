// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// A bake tells of settings that became something else in whole cells, once a level, and by name.

#include "core/nav.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

static nav_bake_report report;

static const nav_warning *clamped(const nav_config *config)
{
    static const float vertices[12] = {0, 0, 0, 0, 0, 10, 10, 0, 10, 10, 0, 0};
    static const uint32_t triangles[6] = {0, 1, 2, 0, 2, 3};
    const nav_geometry geometry = {
        .vertices = vertices, .triangles = triangles, .vertex_count = 4, .triangle_count = 2};
    nav_grid grid;
    nav_blob blob;
    nav_arena scratch, result;
    nav_arena_init(&scratch, NULL, 0);
    nav_arena_init(&result, NULL, 0);
    report = (nav_bake_report){0};
    assert_int_equal(nav_bake_plan(&geometry, config, 0, &grid, NULL), NAV_OK);
    assert_int_equal(nav_bake_tile(&geometry, config, &grid, NULL, 0, 0, NULL, &scratch, &result,
                                   &blob, &report, NULL),
                     NAV_OK);
    nav_arena_free(&scratch);
    nav_arena_free(&result);
    return &report.warnings[NAV_WARN_VALUE_CLAMPED];
}

static void expect_one(const nav_config *config, const char *name, double became)
{
    const nav_warning *warning = clamped(config);
    assert_int_equal(warning->count, 1);
    assert_string_equal(warning->items[0].name, name);
    assert_true(fabs((double)warning->items[0].value - became) < 1e-6);
}

static void defaults_say_nothing(void **state)
{
    (void)state;
    const nav_config config = nav_config_default();
    assert_int_equal(clamped(&config)->count, 0);
}

static void rounded_settings_are_named(void **state)
{
    (void)state;
    nav_config config = nav_config_default(); // cells of 0.3 x 0.2 x 0.3
    config.agent_radius = 0.4f;
    expect_one(&config, "agent.radius", 0.6);
    config = nav_config_default();
    config.agent_max_climb = 0.3f;
    expect_one(&config, "agent.max_climb", 0.2);
    config = nav_config_default();
    config.agent_height = 0.05f;
    expect_one(&config, "agent.height", 0.2);
    config = nav_config_default();
    config.edge_max_length = 0.2f;
    expect_one(&config, "edge_max_length", 0.3); // one cell: 0 would mean any length
    config.edge_max_length = 0;                  // any length, as asked
    config.agent_radius = 0;
    config.agent_max_climb = 0;
    assert_int_equal(clamped(&config)->count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_say_nothing),
        cmocka_unit_test(rounded_settings_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
