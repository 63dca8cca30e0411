// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// Points at random are spread evenly over the ground, the same for the same seed, and around a
// place over what can be reached from there.

#include "tests/unit/mesh_builder.h"
#include "tests/unit/scratch_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

static const nav_options OPTIONS = {.snap = {0.3f, 4, 4}};

#define POINTS 1000

static void random_points_are_even_and_the_same(void **state)
{
    (void)state;
    // One cell of the first row is as likely as one of the big rectangle's.
    builder b;
    builder_init(&b);
    builder_map(&b, ".#.#.#.#.#");
    builder_rectangle(&b, 0, 10, 10, 15, 0);
    nav_mesh *mesh = builder_mesh(&b);
    nav_location points[POINTS], again[POINTS];
    uint32_t cells[10][16] = {{0}};
    uint32_t count;
    for (uint64_t seed = 0; seed < 40; ++seed) {
        assert_int_equal(
            nav_query_random(mesh, scratch, seed, NULL, 0, &OPTIONS, points, POINTS, &count),
            NAV_OK);
        assert_int_equal(count, POINTS);
        for (uint32_t i = 0; i < POINTS; ++i) {
            const int x = (int)points[i].position[0], z = (int)points[i].position[2];
            assert_true((z == 0 && x % 2 == 0 && x < 10) || (z >= 10 && z < 15 && x < 10));
            ++cells[x][z];
        }
    }
    // 55 cells, 40,000 points: 727 each; five standard deviations are 135.
    for (int x = 0; x < 10; ++x) {
        for (int z = 0; z < 16; ++z) {
            const bool ground = (z == 0 && x % 2 == 0) || (z >= 10 && z < 15);
            assert_true(ground ? cells[x][z] > 592 && cells[x][z] < 862 : cells[x][z] == 0);
        }
    }
    assert_int_equal(nav_query_random(mesh, scratch, 39, NULL, 0, &OPTIONS, again, POINTS, &count),
                     NAV_OK);
    assert_memory_equal(points, again, sizeof points);
    nav_mesh_release(mesh);
    builder_free(&b);
}

static void random_points_around_a_place(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh("............/......##..../......##....");
    nav_location points[POINTS];
    uint32_t count;
    const float center[3] = {3, 0, 1};
    assert_int_equal(
        nav_query_random(mesh, scratch, 1, center, 1.5f, &OPTIONS, points, POINTS, &count), NAV_OK);
    assert_int_equal(count, POINTS);
    uint32_t inner = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const double distance =
            hypot((double)points[i].position[0] - 3.0, (double)points[i].position[2] - 1.0);
        assert_true(distance <= 1.5 + 1e-5);
        inner += distance < 0.75;
    }
    // The inner disc is a quarter of the area, of which the mesh cuts off a bit: about 0.26.
    assert_true(inner > 200 && inner < 330);
    const float far[3] = {90, 0, 90};
    assert_int_equal(nav_query_random(mesh, scratch, 1, far, 5, &OPTIONS, points, 5, &count),
                     NAV_OK);
    assert_int_equal(count, 0);
    nav_mesh_release(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_points_are_even_and_the_same),
        cmocka_unit_test(random_points_around_a_place),
    };
    return cmocka_run_group_tests(tests, scratch_begin, scratch_end);
}
