// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_levels.c: the generated levels are whole, and the same everywhere: other tests compare
// numbers that hang on every vertex.

#include "core/nav.h"
#include "tests/levels/levels.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct expected {
    level_kind kind;
    uint32_t vertices, triangles;
    float min[3], max[3];
    const char *sha256; // of the OBJ text
} expected;

// At the default size, seed 1.
static const expected EXPECTED[] = {
    {LEVEL_TOWN,
     2754,
     4112,
     {0.000f, -3.000f, 0.000f},
     {100.000f, 9.800f, 94.000f},
     "5d2c8ace7c22863e7b3a54ec1e2417590dc58fc25e18b3d4bd705fbe6e14bca0"},
    {LEVEL_DUNGEON,
     5292,
     3206,
     {0.000f, -10.000f, 0.000f},
     {64.000f, 4.000f, 64.000f},
     "f7585dd94ef046bd6dbfd9c9462998cba5347e96137ec4ae100e7a412d05c922"},
    {LEVEL_TERRAIN,
     4225,
     8192,
     {0.000f, 2.015f, 0.000f},
     {128.000f, 27.573f, 128.000f},
     "8975508086ed88c22ca87fa04b2ca37da4a2b438f86790b8bb8f9057d3deaca5"},
    {LEVEL_CITY,
     2924,
     4718,
     {0.000f, -0.045f, 0.000f},
     {116.000f, 33.216f, 116.000f},
     "c91c52d379fe6d9461f129f23bfc8294257598778e2b276d6788d577a01b4b15"},
};

static level_mesh generate(level_kind kind, uint32_t size, uint64_t seed)
{
    level_mesh mesh;
    assert_true(levels_generate(kind, size, seed, &mesh));
    return mesh;
}

static nav_geometry geometry_of(const level_mesh *mesh)
{
    return (nav_geometry){.vertices = mesh->vertices,
                          .triangles = mesh->triangles,
                          .vertex_count = mesh->vertex_count,
                          .triangle_count = mesh->triangle_count};
}

static void obj_hash(const level_mesh *mesh, char hex[65])
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    assert_true(levels_write_obj(mesh, file));
    fclose(file);
    nav_sha256 hash;
    uint8_t digest[32];
    nav_sha256_init(&hash);
    nav_sha256_add(&hash, text, size);
    nav_sha256_end(&hash, digest);
    nav_sha256_hex(digest, hex);
    free(text);
}

static void test_the_same_bytes_everywhere(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof EXPECTED / sizeof *EXPECTED; ++i) {
        const expected *e = &EXPECTED[i];
        level_mesh mesh = generate(e->kind, levels_size_default(e->kind), 1);
        char hex[65];
        obj_hash(&mesh, hex);
        assert_int_equal(mesh.vertex_count, e->vertices);
        assert_int_equal(mesh.triangle_count, e->triangles);
        assert_string_equal(hex, e->sha256);
        levels_free(&mesh);
    }
}

static void test_bounds(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof EXPECTED / sizeof *EXPECTED; ++i) {
        const expected *e = &EXPECTED[i];
        level_mesh mesh = generate(e->kind, levels_size_default(e->kind), 1);
        for (int axis = 0; axis < 3; ++axis) {
            float min = mesh.vertices[axis], max = min;
            for (uint32_t v = 1; v < mesh.vertex_count; ++v) {
                min = fminf(min, mesh.vertices[3 * v + axis]);
                max = fmaxf(max, mesh.vertices[3 * v + axis]);
            }
            assert_float_equal(min, e->min[axis], 0);
            assert_float_equal(max, e->max[axis], 0);
        }
        levels_free(&mesh);
    }
}

static void test_a_seed_changes_the_level(void **state)
{
    (void)state;
    for (level_kind kind = 0; kind < LEVEL_KIND_COUNT; ++kind) {
        level_mesh one = generate(kind, 2, 1), two = generate(kind, 2, 2);
        char hex_one[65], hex_two[65];
        obj_hash(&one, hex_one);
        obj_hash(&two, hex_two);
        assert_string_not_equal(hex_one, hex_two);
        levels_free(&one);
        levels_free(&two);
    }
}

// Twice the triangle's area, squared.
static double area_squared(const level_mesh *mesh, uint32_t triangle)
{
    const uint32_t *t = mesh->triangles + 3 * triangle;
    const float *a = mesh->vertices + 3 * t[0], *b = mesh->vertices + 3 * t[1];
    const float *c = mesh->vertices + 3 * t[2];
    double u[3], v[3], sum = 0;
    for (int axis = 0; axis < 3; ++axis) {
        u[axis] = (double)b[axis] - (double)a[axis];
        v[axis] = (double)c[axis] - (double)a[axis];
    }
    for (int axis = 0; axis < 3; ++axis) {
        int next = (axis + 1) % 3, last = (axis + 2) % 3;
        double n = u[next] * v[last] - u[last] * v[next];
        sum += n * n;
    }
    return sum;
}

static void test_every_triangle_is_sound(void **state)
{
    (void)state;
    static const uint32_t SIZES[] = {1, 2, 5};
    for (level_kind kind = 0; kind < LEVEL_KIND_COUNT; ++kind) {
        for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; ++i) {
            level_mesh mesh = generate(kind, SIZES[i], 7);
            nav_error err = {0};
            nav_geometry geometry = geometry_of(&mesh);
            assert_int_equal(nav_geometry_check(&geometry, &err), NAV_OK);
            for (uint32_t t = 0; t < mesh.triangle_count; ++t) {
                assert_true(area_squared(&mesh, t) > 1e-6);
            }
            levels_free(&mesh);
        }
    }
}

static void test_terrain_is_steep_and_gentle(void **state)
{
    (void)state;
    level_mesh mesh = generate(LEVEL_TERRAIN, levels_size_default(LEVEL_TERRAIN), 1);
    uint32_t steep = 0;
    for (uint32_t t = 0; t < mesh.triangle_count; ++t) {
        // Every triangle covers 2 m^2 in plan view; beyond 45 degrees its area is sqrt(2) of that.
        steep += area_squared(&mesh, t) > 2 * 16.0;
    }
    assert_in_range(steep, mesh.triangle_count / 100, mesh.triangle_count / 2);
    levels_free(&mesh);
}

static void test_a_city_grows_to_half_a_million_triangles(void **state)
{
    (void)state;
    level_mesh mesh = generate(LEVEL_CITY, 22, 1);
    assert_in_range(mesh.triangle_count, 450000, 550000);
    levels_free(&mesh);
}

static void test_impossible_sizes_are_refused(void **state)
{
    (void)state;
    for (level_kind kind = 0; kind < LEVEL_KIND_COUNT; ++kind) {
        level_mesh mesh;
        assert_false(levels_generate(kind, 0, 1, &mesh));
        assert_false(levels_generate(kind, levels_size_max(kind) + 1, 1, &mesh));
        assert_null(mesh.vertices);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_same_bytes_everywhere),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_a_seed_changes_the_level),
        cmocka_unit_test(test_every_triangle_is_sound),
        cmocka_unit_test(test_terrain_is_steep_and_gentle),
        cmocka_unit_test(test_a_city_grows_to_half_a_million_triangles),
        cmocka_unit_test(test_impossible_sizes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
