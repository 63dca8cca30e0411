// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_check.c: what a bake is given is refused at each bound, and the error names it.

// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "core/nav.h"

#include <math.h>
#include <string.h>

// A setting of type float: where it lies, its name in the API and the values it may have.
typedef struct float_setting {
    size_t offset;
    const char *name;
    float min, max;
} float_setting;

static const float_setting FLOATS[] = {
    {offsetof(nav_config, cell_size), "cell_size", 1e-6f, 1e4f},
    {offsetof(nav_config, cell_height), "cell_height", 1e-6f, 1e4f},
    {offsetof(nav_config, agent_radius), "agent.radius", 0, 1e4f},
    {offsetof(nav_config, agent_height), "agent.height", 1e-6f, 1e4f},
    {offsetof(nav_config, agent_max_climb), "agent.max_climb", 0, 1e4f},
    {offsetof(nav_config, agent_max_slope), "agent.max_slope", 0, 89.999f},
    {offsetof(nav_config, edge_max_length), "edge_max_length", 0, 1e6f},
    {offsetof(nav_config, edge_max_error), "edge_max_error", 0, 1000},
    {offsetof(nav_config, detail_sample_distance), "detail_sample_distance", 0, 1e4f},
    {offsetof(nav_config, detail_max_error), "detail_max_error", 0, 1e4f},
};

static const struct {
    size_t offset;
    const char *name;
    uint32_t min, max;
} INTEGERS[] = {
    {offsetof(nav_config, region_min_size), "region_min_size", 0, 10000},
    {offsetof(nav_config, region_merge_size), "region_merge_size", 0, 10000},
    {offsetof(nav_config, polygon_max_vertices), "polygon_max_vertices", 3, 12},
    {offsetof(nav_config, partition), "partition", 0, NAV_PARTITION_LAYERS},
    {offsetof(nav_config, edge_split), "edge_split", 0, NAV_EDGE_SPLIT_NONE},
};

static nav_status check_with(size_t offset, const void *value, nav_error *err)
{
    nav_config config = nav_config_default();
    memcpy((char *)&config + offset, value, 4);
    *err = (nav_error){0};
    return nav_config_check(&config, err);
}

static void the_defaults_are_those_of_the_field(void **state)
{
    (void)state;
    nav_config c = nav_config_default();
    nav_error err = {0};
    assert_int_equal(nav_config_check(&c, &err), NAV_OK);
    assert_true(c.cell_size == 0.3f && c.cell_height == 0.2f && c.agent_radius == 0.6f);
    assert_true(c.agent_height == 2.0f && c.agent_max_climb == 0.9f && c.agent_max_slope == 45.0f);
    assert_int_equal(c.region_min_size, 8);
    assert_int_equal(c.region_merge_size, 20);
    assert_int_equal(c.polygon_max_vertices, 6);
    assert_int_equal(c.tile_cells, NAV_TILE_CELLS_AUTO);
    assert_true(c.detail && c.filter_low_hanging && c.filter_ledges && c.filter_low_height);
}

static void floats_are_taken_up_to_their_bounds(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof FLOATS / sizeof *FLOATS; ++i) {
        const float_setting *s = &FLOATS[i];
        nav_error err;
        assert_int_equal(check_with(s->offset, &s->min, &err), NAV_OK);
        assert_int_equal(check_with(s->offset, &s->max, &err), NAV_OK);
    }
}

static void floats_beyond_their_bounds_are_refused_by_name(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof FLOATS / sizeof *FLOATS; ++i) {
        const float_setting *s = &FLOATS[i];
        const float wrong[] = {nextafterf(s->min, -INFINITY),
                               nextafterf(s->max, INFINITY),
                               -1,
                               INFINITY,
                               -INFINITY,
                               NAN};
        for (size_t j = 0; j < sizeof wrong / sizeof *wrong; ++j) {
            nav_error err;
            assert_int_equal(check_with(s->offset, &wrong[j], &err), NAV_INVALID_FIELD);
            assert_int_equal(err.status, NAV_INVALID_FIELD);
            assert_string_equal(err.at, s->name);
            assert_true(strlen(err.detail) > strlen(s->name));
            assert_true(strlen(err.limit) > 0);
        }
    }
}

static void integers_are_checked_at_their_bounds(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof INTEGERS / sizeof *INTEGERS; ++i) {
        uint32_t min = INTEGERS[i].min, max = INTEGERS[i].max;
        const uint32_t above[] = {max + 1, UINT32_MAX};
        nav_error err;
        assert_int_equal(check_with(INTEGERS[i].offset, &min, &err), NAV_OK);
        assert_int_equal(check_with(INTEGERS[i].offset, &max, &err), NAV_OK);
        for (size_t j = 0; j < sizeof above / sizeof *above; ++j) {
            assert_int_equal(check_with(INTEGERS[i].offset, &above[j], &err), NAV_INVALID_FIELD);
            assert_string_equal(err.at, INTEGERS[i].name);
        }
        if (min > 0) {
            uint32_t below = min - 1;
            assert_int_equal(check_with(INTEGERS[i].offset, &below, &err), NAV_INVALID_FIELD);
            assert_string_equal(err.at, INTEGERS[i].name);
        }
    }
}

static void tiles_have_16_to_1024_cells_or_are_one_or_chosen(void **state)
{
    (void)state;
    static const uint32_t good[] = {0, 16, 17, 1024, NAV_TILE_CELLS_AUTO};
    static const uint32_t bad[] = {1, 15, 1025, UINT32_MAX - 1};
    nav_error err;
    for (size_t i = 0; i < sizeof good / sizeof *good; ++i) {
        assert_int_equal(check_with(offsetof(nav_config, tile_cells), &good[i], &err), NAV_OK);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        assert_int_equal(check_with(offsetof(nav_config, tile_cells), &bad[i], &err),
                         NAV_INVALID_FIELD);
        assert_string_equal(err.at, "tile_cells");
        assert_string_equal(err.limit, bad[i] < 16 ? "16" : "1024");
    }
}

// ---- lists ----

static const nav_area AREAS[] = {
    {.name = "none", .cost = 1}, {.name = "ground", .cost = 1}, {.name = "water", .cost = 3}};

static void assert_refused(const nav_config *config, const char *at)
{
    nav_error err = {0};
    assert_int_equal(nav_config_check(config, &err), NAV_INVALID_FIELD);
    assert_string_equal(err.at, at);
}

static void areas_have_a_cost_and_known_flags(void **state)
{
    (void)state;
    static const nav_name flags[] = {"swim"};
    nav_area areas[3];
    memcpy(areas, AREAS, sizeof areas);
    nav_config c = nav_config_default();
    c.areas = areas;
    c.area_count = 3;
    c.flag_names = flags;
    c.flag_count = 1;
    areas[2].flags = 1;
    assert_int_equal(nav_config_check(&c, NULL), NAV_OK);
    areas[2].flags = 2;
    assert_refused(&c, "areas.water.flags");
    areas[2].flags = 0;
    static const float costs[] = {0, -1, NAN, INFINITY};
    for (size_t i = 0; i < 4; ++i) {
        areas[2].cost = costs[i];
        assert_refused(&c, "areas.water.cost");
    }
    c.area_count = 1;
    assert_refused(&c, "areas");
    c.area_count = NAV_AREAS_MAX + 1;
    assert_refused(&c, "areas");
}

static void lists_name_areas_that_exist(void **state)
{
    (void)state;
    nav_config c = nav_config_default();
    nav_material materials[] = {{"a", 2}, {"b", 3}};
    c.materials = materials;
    c.material_count = 2;
    assert_refused(&c, "materials.a");
    c.areas = AREAS;
    c.area_count = 3;
    assert_refused(&c, "materials.b");
    materials[1].area = NAV_AREA_NONE;
    assert_int_equal(nav_config_check(&c, NULL), NAV_OK);
    memcpy(materials[1].name, "a", 2);
    assert_refused(&c, "materials.a"); // twice
    c.material_count = 0;
    nav_link link = {.end = {1, 2, 3}, .radius = 1, .area = NAV_AREA_NONE};
    c.links = &link;
    c.link_count = 1;
    assert_refused(&c, "links[0].area");
    link.area = 2;
    assert_int_equal(nav_config_check(&c, NULL), NAV_OK);
    link.flags = 1;
    assert_refused(&c, "links[0].flags");
    link.flags = 0;
    link.end[1] = NAN;
    assert_refused(&c, "links[0].end[1]");
    link.end[1] = 0;
    c.low_height_area = 2;
    c.low_height_min = 1.2f;
    assert_int_equal(nav_config_check(&c, NULL), NAV_OK);
    c.low_height_min = c.agent_height;
    assert_refused(&c, "filters.low_height.min_height");
    c.low_height_area = 3;
    assert_refused(&c, "filters.low_height.area");
}

static void filters_name_areas_and_costs(void **state)
{
    (void)state;
    nav_config c = nav_config_default();
    nav_named_filter filters[] = {{.name = "boat"}, {.name = "car"}};
    c.filters = filters;
    c.filter_count = 2;
    filters[1].filter.area_costs[NAV_AREA_GROUND] = 9;
    assert_int_equal(nav_config_check(&c, NULL), NAV_OK);
    filters[1].filter.area_costs[NAV_AREA_GROUND] = -1;
    assert_refused(&c, "query_filters[1].costs");
    filters[1].filter.area_costs[NAV_AREA_GROUND] = 0;
    filters[0].filter.area_costs[2] = 1;
    assert_refused(&c, "query_filters[0].costs");
    filters[0].filter.area_costs[2] = 0;
    filters[1].filter.exclude = 1;
    assert_refused(&c, "query_filters[1].exclude");
    filters[1].filter.exclude = 0;
    memcpy(filters[1].name, "boat", 5);
    assert_refused(&c, "query_filters[1]");
}

static void volumes_have_an_inside(void **state)
{
    (void)state;
    nav_config c = nav_config_default();
    static const float triangle[][2] = {{0, 0}, {1, 0}, {0, 2e6f}};
    nav_volume v = {.shape = NAV_VOLUME_BOX, .area = 1, .max = {1, 1, 1}};
    c.volumes = &v;
    c.volume_count = 1;
    assert_int_equal(nav_config_check(&c, NULL), NAV_OK);
    v.max[2] = -1;
    assert_refused(&c, "volumes[0].max");
    v = (nav_volume){.shape = NAV_VOLUME_CYLINDER, .area = 1, .radius = -1};
    assert_refused(&c, "volumes[0].radius");
    v = (nav_volume){.shape = NAV_VOLUME_CYLINDER, .area = 1, .max = {0, -1, 0}};
    assert_refused(&c, "volumes[0].height");
    v = (nav_volume){.area = 1, .points = triangle, .point_count = 2};
    assert_refused(&c, "volumes[0].points");
    v.point_count = 3;
    assert_refused(&c, "volumes[0].points[2][1]");
    v.max[1] = -1;
    assert_refused(&c, "volumes[0].max_y");
    c.volume_count = NAV_VOLUMES_MAX + 1;
    assert_refused(&c, "volumes");
}

static void switches_are_sorted_and_have_shapes(void **state)
{
    (void)state;
    nav_config c = nav_config_default();
    nav_volume shape = {.shape = NAV_VOLUME_BOX, .area = 77, .max = {1, 1, 1}};
    nav_switch switches[] = {{.id = "a"}, {.id = "b", .shapes = &shape, .shape_count = 1}};
    nav_link link = {.end = {1, 0, 0}, .area = NAV_AREA_GROUND, .switch_number = 2};
    c.switches = switches;
    c.switch_count = 2;
    c.links = &link;
    c.link_count = 1;
    assert_int_equal(nav_config_check(&c, NULL), NAV_OK); // areas of shapes are not read
    shape.max[1] = -1;
    assert_refused(&c, "switches.b.shapes[0].max");
    shape.max[1] = 1;
    link.switch_number = 3;
    assert_refused(&c, "links[0].switch");
    link.switch_number = 0;
    strcpy(switches[0].id, "b");
    assert_refused(&c, "switches.b");
    strcpy(switches[0].id, "c");
    assert_refused(&c, "switches.b");
    strcpy(switches[0].id, "");
    assert_refused(&c, "switches[0]");
    memset(switches[0].id, 'x', sizeof switches[0].id);
    assert_refused(&c, "switches[0]");
    strcpy(switches[0].id, "a");
    switches[0].shape_count = NAV_VOLUMES_MAX + 1;
    assert_refused(&c, "switches.a.shapes");
    c.switch_count = NAV_SWITCHES_MAX + 1;
    assert_refused(&c, "switches");
}

static void bounds_and_seeds_are_places(void **state)
{
    (void)state;
    nav_config c = nav_config_default();
    c.has_bounds = true;
    assert_refused(&c, "bounds.max");
    c.bounds_max[0] = c.bounds_max[1] = c.bounds_max[2] = 1;
    assert_int_equal(nav_config_check(&c, NULL), NAV_OK);
    c.bounds_min[1] = -INFINITY;
    assert_refused(&c, "bounds.min[1]");
    c.has_bounds = false;
    static const float seeds[][3] = {{0, 0, 0}, {0, 0, NAN}};
    c.seeds = seeds;
    c.seed_count = 2;
    assert_refused(&c, "seeds[1][2]");
}

static void the_error_names_value_and_bound(void **state)
{
    (void)state;
    nav_error err;
    float value = 0;
    check_with(offsetof(nav_config, cell_size), &value, &err);
    assert_string_equal(err.detail, "cell_size must lie between 1e-06 and 10000");
    assert_string_equal(err.got, "0");
    assert_string_equal(err.limit, "1e-06");
    value = 20000;
    check_with(offsetof(nav_config, cell_size), &value, &err);
    assert_string_equal(err.got, "20000");
    assert_string_equal(err.limit, "10000");
    value = NAN;
    check_with(offsetof(nav_config, agent_max_slope), &value, &err);
    assert_string_equal(err.got, "NaN");
}

static void a_sample_distance_is_none_or_almost_a_cell(void **state)
{
    (void)state;
    size_t offset = offsetof(nav_config, detail_sample_distance);
    const float wrong[] = {1e-9f, 0.5f, nextafterf(0.9f, 0)};
    nav_error err;
    float least = 0.9f;
    assert_int_equal(check_with(offset, &least, &err), NAV_OK);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        assert_int_equal(check_with(offset, &wrong[i], &err), NAV_INVALID_FIELD);
        assert_string_equal(err.at, "detail_sample_distance");
        assert_string_equal(err.limit, "0.9");
    }
}

// ---- geometry ----

static const float CORNERS[9] = {0, 0, 0, 0, 0, 1, 1, 0, 0};
static const uint32_t TRIANGLE[3] = {0, 1, 2};

static nav_status check_vertices(const float *vertices, nav_error *err)
{
    nav_geometry g = {
        .vertices = vertices, .triangles = TRIANGLE, .vertex_count = 3, .triangle_count = 1};
    *err = (nav_error){0};
    return nav_geometry_check(&g, err);
}

static void coordinates_are_checked_at_their_bounds(void **state)
{
    (void)state;
    static const struct {
        float value;
        nav_status status;
        const char *got;
    } rows[] = {
        {1e6f, NAV_OK, ""},
        {-1e6f, NAV_OK, ""},
        {1000000.0625f, NAV_VERTEX_OUT_OF_RANGE, "1000000.06"},
        {-1e7f, NAV_VERTEX_OUT_OF_RANGE, "-10000000"},
        {3e38f, NAV_VERTEX_OUT_OF_RANGE, "3.00000001e+38"},
        {NAN, NAV_VERTEX_NOT_FINITE, "NaN"},
        {INFINITY, NAV_VERTEX_NOT_FINITE, "Infinity"},
        {-INFINITY, NAV_VERTEX_NOT_FINITE, "-Infinity"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        for (unsigned place = 0; place < 9; ++place) {
            float vertices[9];
            memcpy(vertices, CORNERS, sizeof vertices);
            vertices[place] = rows[i].value;
            nav_error err;
            assert_int_equal(check_vertices(vertices, &err), rows[i].status);
            if (rows[i].status != NAV_OK) {
                char at[] = "vertices[0].x";
                at[9] = (char)('0' + place / 3);
                at[12] = "xyz"[place % 3];
                assert_string_equal(err.at, at);
                assert_string_equal(err.got, rows[i].got);
            }
        }
    }
}

static void a_vertex_that_no_triangle_uses_is_checked_too(void **state)
{
    (void)state;
    float vertices[12] = {0, 0, 0, 0, 0, 1, 1, 0, 0, 0, NAN, 0};
    nav_geometry g = {
        .vertices = vertices, .triangles = TRIANGLE, .vertex_count = 4, .triangle_count = 1};
    nav_error err = {0};
    assert_int_equal(nav_geometry_check(&g, &err), NAV_VERTEX_NOT_FINITE);
    assert_string_equal(err.at, "vertices[3].y");
}

static void indices_are_checked_at_their_bound(void **state)
{
    (void)state;
    for (unsigned corner = 0; corner < 3; ++corner) {
        uint32_t triangles[6] = {0, 1, 2, 0, 1, 2};
        nav_geometry g = {
            .vertices = CORNERS, .triangles = triangles, .vertex_count = 3, .triangle_count = 2};
        triangles[3 + corner] = 3;
        nav_error err = {0};
        assert_int_equal(nav_geometry_check(&g, &err), NAV_INDEX_OUT_OF_RANGE);
        assert_string_equal(err.at, "triangles[1]");
        assert_string_equal(err.got, "3");
        assert_string_equal(err.limit, "3");
        triangles[3 + corner] = UINT32_MAX;
        assert_int_equal(nav_geometry_check(&g, &err), NAV_INDEX_OUT_OF_RANGE);
        assert_string_equal(err.got, "4294967295");
    }
}

static void areas_of_triangles_are_checked_at_their_bound(void **state)
{
    (void)state;
    static const uint32_t triangles[6] = {0, 1, 2, 0, 1, 2};
    uint8_t areas[2] = {NAV_AREA_GROUND, NAV_AREAS_MAX - 1};
    const nav_geometry g = {.vertices = CORNERS,
                            .triangles = triangles,
                            .triangle_areas = areas,
                            .vertex_count = 3,
                            .triangle_count = 2};
    nav_error err = {0};
    assert_int_equal(nav_geometry_check(&g, &err), NAV_OK);
    areas[1] = NAV_AREAS_MAX;
    assert_int_equal(nav_geometry_check(&g, &err), NAV_INVALID_FIELD);
    assert_string_equal(err.at, "areas[1]");
    assert_string_equal(err.got, "64");
    assert_string_equal(err.limit, "63");
}

static void no_faces_and_too_many_are_refused(void **state)
{
    (void)state;
    nav_error err = {0};
    nav_geometry empty = {.vertices = CORNERS, .vertex_count = 3};
    assert_int_equal(nav_geometry_check(&empty, &err), NAV_MESH_EMPTY);
    nav_geometry nothing = {0};
    assert_int_equal(nav_geometry_check(&nothing, &err), NAV_MESH_EMPTY);
    // Counts are looked at before a single element is read.
    nav_geometry vertices = {.vertex_count = NAV_VERTICES_MAX + 1, .triangle_count = 1};
    assert_int_equal(nav_geometry_check(&vertices, &err), NAV_GEOMETRY_TOO_LARGE);
    assert_string_equal(err.at, "vertices");
    assert_string_equal(err.got, "50000001");
    assert_string_equal(err.limit, "50000000");
    nav_geometry triangles = {.vertex_count = 3, .triangle_count = NAV_TRIANGLES_MAX + 1};
    assert_int_equal(nav_geometry_check(&triangles, &err), NAV_GEOMETRY_TOO_LARGE);
    assert_string_equal(err.at, "triangles");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_defaults_are_those_of_the_field),
        cmocka_unit_test(floats_are_taken_up_to_their_bounds),
        cmocka_unit_test(floats_beyond_their_bounds_are_refused_by_name),
        cmocka_unit_test(integers_are_checked_at_their_bounds),
        cmocka_unit_test(tiles_have_16_to_1024_cells_or_are_one_or_chosen),
        cmocka_unit_test(areas_have_a_cost_and_known_flags),
        cmocka_unit_test(lists_name_areas_that_exist),
        cmocka_unit_test(filters_name_areas_and_costs),
        cmocka_unit_test(volumes_have_an_inside),
        cmocka_unit_test(switches_are_sorted_and_have_shapes),
        cmocka_unit_test(bounds_and_seeds_are_places),
        cmocka_unit_test(the_error_names_value_and_bound),
        cmocka_unit_test(a_sample_distance_is_none_or_almost_a_cell),
        cmocka_unit_test(coordinates_are_checked_at_their_bounds),
        cmocka_unit_test(a_vertex_that_no_triangle_uses_is_checked_too),
        cmocka_unit_test(indices_are_checked_at_their_bound),
        cmocka_unit_test(areas_of_triangles_are_checked_at_their_bound),
        cmocka_unit_test(no_faces_and_too_many_are_refused),
    };
    return cmocka_run_group_tests_name("settings_check", tests, NULL, NULL);
}
