// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_sanity.c: a level that is right is never suspected; one in another unit, with another axis
// up or turned inside out is. The oracle has more levels (tests/oracle/sanity.c).

#include "core/nav.h"
#include "tests/levels/levels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void spoil(level_mesh *mesh, float scale, bool z_up, bool reversed)
{
    for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; i += 3) {
        float *at = mesh->vertices + i;
        const float y = at[1];
        at[1] = z_up ? -at[2] : at[1];
        at[2] = z_up ? y : at[2];
        at[0] *= scale;
        at[1] *= scale;
        at[2] *= scale;
    }
    for (size_t i = 0; reversed && i < 3 * (size_t)mesh->triangle_count; i += 3) {
        const uint32_t first = mesh->triangles[i];
        mesh->triangles[i] = mesh->triangles[i + 1];
        mesh->triangles[i + 1] = first;
    }
}

static nav_sanity judge(level_kind kind, float scale, bool z_up, bool reversed,
                        const nav_config *config)
{
    level_mesh mesh;
    nav_sanity found, again;
    assert_true(levels_generate(kind, levels_size_default(kind), 1, &mesh));
    spoil(&mesh, scale, z_up, reversed);
    const nav_geometry geometry = levels_geometry(&mesh);
    nav_geometry_judge(&geometry, config, &found);
    nav_geometry_judge(&geometry, config, &again);
    assert_float_equal(found.step, again.step, 0);
    assert_float_equal(found.bake_ms, again.bake_ms, 0);
    levels_free(&mesh);
    return found;
}

static void assert_told(const nav_sanity *found, double scale, int up, bool reversed)
{
    assert_float_equal(found->scale, scale, 0);
    assert_int_equal(found->up, up);
    assert_int_equal(found->is_reversed, reversed);
}

static void levels_of_every_kind(void **state)
{
    (void)state;
    const nav_config config = nav_config_default();
    for (level_kind kind = 0; kind < LEVEL_KIND_COUNT; ++kind) {
        nav_sanity found = judge(kind, 1, false, false, &config);
        assert_told(&found, 1, 2, false);
        assert_false(found.is_too_large);
        found = judge(kind, 100, false, false, &config);
        assert_told(&found, 0.01, 2, false);
        found = judge(kind, 1000, false, false, &config);
        assert_told(&found, 0.001, 2, false);
        found = judge(kind, 1, true, false, &config);
        assert_told(&found, 1, 3, false);
        assert_true(found.up_is_sided);
        found = judge(kind, 100, true, false, &config);
        assert_told(&found, 0.01, 3, false);
        assert_true(found.step == 0 && found.gap == 0); // nothing of a height is known
        found = judge(kind, 1, false, true, &config);
        assert_told(&found, 1, 2, true);
    }
}

// Settings in centimetres fit a level in centimetres; an agent of another size is no other unit.
static void sizes_are_those_of_the_agent(void **state)
{
    (void)state;
    nav_config config = nav_config_default();
    config.agent_height = 200;
    config.agent_radius = 60;
    config.agent_max_climb = 90;
    config.cell_size = 30;
    nav_sanity found = judge(LEVEL_TOWN, 100, false, false, &config);
    assert_told(&found, 1, 2, false);
    config = nav_config_default();
    config.agent_height = 0.5f; // a rat in a town
    found = judge(LEVEL_TOWN, 1, false, false, &config);
    assert_told(&found, 1, 2, false);
    config.agent_height = 20; // a giant in it
    found = judge(LEVEL_TOWN, 1, false, false, &config);
    assert_told(&found, 1, 2, false);
}

static void a_bake_of_minutes(void **state)
{
    (void)state;
    const nav_config config = nav_config_default();
    // 100 m in millimetres: 100 km wide, and 1e11 cells.
    nav_sanity found = judge(LEVEL_TOWN, 1000, false, false, &config);
    assert_true(found.is_too_large);
    assert_true(found.bake_ms > 60000);
    // In centimetres it is 10 km wide, no more than 17,000 radii, but a bake of minutes.
    found = judge(LEVEL_TOWN, 100, false, false, &config);
    assert_true(found.is_too_large);
    // Two triangles tell nothing but how wide they are.
    static const float corners[] = {0, 0, 0, 0, 0, 70000, 70000, 0, 70000, 70000, 0, 0};
    static const uint32_t triangles[] = {0, 1, 2, 0, 2, 3};
    const nav_geometry wide = {
        .vertices = corners, .triangles = triangles, .vertex_count = 4, .triangle_count = 2};
    nav_geometry_judge(&wide, &config, &found);
    assert_true(found.is_too_large);
    assert_float_equal(found.scale, 0.01, 0);
    // The same with cells of its size is no work.
    nav_config coarse = config;
    coarse.cell_size = 70;
    nav_geometry_judge(&wide, &coarse, &found);
    assert_false(found.is_too_large);
    assert_told(&found, 1, 2, false);
}

// Nothing is flat, or everything lies in one point or on one line.
static void levels_that_tell_nothing(void **state)
{
    (void)state;
    const nav_config config = nav_config_default();
    static const float corners[] = {1, 2, 3, 1, 2, 3, 1, 2, 3, 0, 0, 0, 5, 0, 0, 9, 0, 0};
    static const uint32_t triangles[] = {0, 1, 2, 3, 4, 5};
    const nav_geometry flat = {
        .vertices = corners, .triangles = triangles, .vertex_count = 6, .triangle_count = 2};
    nav_sanity found;
    nav_geometry_judge(&flat, &config, &found);
    assert_told(&found, 1, 2, false);
    assert_false(found.is_too_large);
}

static void materials_and_agents(void **state)
{
    (void)state;
    static const float corners[] = {0, 0, 0, 0, 0, 20, 20, 0, 20, 20, 0, 0};
    static const uint32_t triangles[] = {0, 1, 2, 0, 2, 3};
    static const uint16_t numbers[] = {1, 2};
    static const char *const names[] = {"", "water", "Lava"};
    const nav_geometry g = {.vertices = corners,
                            .triangles = triangles,
                            .triangle_materials = numbers,
                            .material_names = names,
                            .vertex_count = 4,
                            .triangle_count = 2,
                            .material_count = 3};
    nav_config config = nav_config_default();
    nav_sanity found;
    nav_geometry_judge(&g, &config, &found);
    assert_int_equal(found.materials, 0); // no lists, no matter
    const nav_area areas[] = {{.name = "none"}, {.name = "ground"}, {.name = "water", .cost = 2}};
    config.areas = areas;
    config.area_count = 3;
    nav_geometry_judge(&g, &config, &found);
    assert_int_equal(found.materials, 1);
    assert_int_equal(found.material, 2);
    const nav_material materials[] = {{.name = "Lava", .area = 0}};
    config.materials = materials;
    config.material_count = 1;
    nav_geometry_judge(&g, &config, &found);
    assert_int_equal(found.materials, 0);
    assert_int_equal(found.low_agent, 0);
    config.agent_height = 0.5f;
    nav_geometry_judge(&g, &config, &found);
    assert_int_equal(found.low_agent, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_of_every_kind), cmocka_unit_test(sizes_are_those_of_the_agent),
        cmocka_unit_test(a_bake_of_minutes),    cmocka_unit_test(levels_that_tell_nothing),
        cmocka_unit_test(materials_and_agents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
