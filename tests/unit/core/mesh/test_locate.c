// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_locate.c: boxes in four bytes meet where boxes of four numbers do, parts of a cell never
// fall where places rise, and what a cell of the grid cannot hold is found all the same.

#include "core/mesh/types.h"
#include "tests/unit/mesh_builder.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static uint32_t random_part(uint64_t *seed)
{
    // The ends are where it could go wrong.
    const uint32_t die = next_random(seed) % 6;
    return die == 0 ? 0 : die == 1 ? NAV_BOX_UNIT_MAX : next_random(seed) % (NAV_BOX_UNIT_MAX + 1);
}

static void boxes_meet_where_their_numbers_do(void **state)
{
    (void)state;
    uint64_t seed = 3;
    uint32_t met = 0;
    for (int i = 0; i < 200000; ++i) {
        uint32_t a[4], b[4];
        for (int k = 0; k < 4; ++k) {
            a[k] = random_part(&seed);
            b[k] = random_part(&seed);
        }
        for (int k = 0; k < 2; ++k) {
            a[k + 2] = a[k] > a[k + 2] ? a[k] : a[k + 2];
            b[k + 2] = b[k] > b[k + 2] ? b[k] : b[k + 2];
        }
        const bool meet = a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];
        const uint32_t probe = nav_box_probe(b[0], b[1], b[2], b[3]);
        assert_int_equal(nav_box_meets(nav_box(a[0], a[1], a[2], a[3]), probe), meet);
        assert_false(nav_box_meets(NAV_BOX_NONE, probe));
        met += meet;
    }
    assert_in_range(met, 10000, 190000);
}

static void parts_of_a_cell_never_fall(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int i = 0; i < 100000; ++i) {
        const uint32_t cell = next_random(&seed) % 1000;
        const float a = (float)cell + (float)(next_random(&seed) % 3000) / 1000.0f - 1.0f;
        const float b = nextafterf(a, 2000.0f);
        assert_true(nav_locate_unit(a, cell) <= nav_locate_unit(b, cell));
        assert_true(nav_locate_unit(b, cell) <= NAV_BOX_UNIT_MAX);
        assert_true(nav_locate_along(a, 900) <= nav_locate_along(b, 900));
        assert_true(nav_locate_along(b, 900) < 900);
    }
    assert_int_equal(nav_locate_unit(NAN, 3), 0);
    assert_int_equal(nav_locate_unit(-INFINITY, 3), 0);
    assert_int_equal(nav_locate_unit(INFINITY, 3), NAV_BOX_UNIT_MAX);
    assert_int_equal(nav_locate_along(NAN, 4), 0);
    assert_int_equal(nav_locate_along(INFINITY, 4), 3);
}

enum {
    STOREYS = 40,
    STOREY_HEIGHT = 3
};

// All floors of a tower lie over one cell, beside a wide floor that makes the cells large.
static void all_floors_of_a_tower_are_found(void **state)
{
    (void)state;
    builder b;
    builder_init(&b);
    for (int i = 0; i < STOREYS; ++i) {
        builder_rectangle(&b, 10, 10, 14, 14, i * STOREY_HEIGHT);
    }
    builder_rectangle(&b, 20, 0, 120, 100, 0);
    nav_mesh *mesh = builder_mesh(&b);
    builder_free(&b);
    nav_location places[STOREYS + 2];
    for (int i = 0; i < STOREYS; ++i) {
        const float height = (float)(i * STOREY_HEIGHT);
        const float over[3] = {11.0f, height + 0.25f, 12.5f};
        assert_int_equal(nav_query_nearest(mesh, over, nav_snap_default(), NAV_NONE, places, 1), 1);
        assert_int_equal(places[0].polygon, i);
        const float at[3] = {11.0f, height, 12.5f};
        assert_int_equal(nav_query_nearest(mesh, at, nav_snap_default(), NAV_NONE, places, 1), 1);
        assert_int_equal(places[0].polygon, i);
        const float beside[3] = {9.0f, height, 12.5f};
        assert_int_equal(nav_query_nearest(mesh, beside, nav_snap_default(), NAV_NONE, places, 1),
                         1);
        assert_int_equal(places[0].polygon, i);
        const float corner[3] = {10.0f, height, 10.0f};
        assert_int_equal(nav_query_nearest(mesh, corner, (nav_snap){0, 0, 0}, NAV_NONE, places, 1),
                         1);
        assert_int_equal(places[0].polygon, i);
    }
    const float foot[3] = {12.0f, 0.0f, 12.0f};
    const nav_snap column = {.horizontal = 1, .up = 1000, .down = 1000};
    assert_int_equal(nav_query_nearest(mesh, foot, column, NAV_NONE, places, STOREYS + 2), STOREYS);
    for (uint32_t i = 0; i < STOREYS; ++i) {
        assert_int_equal(places[i].polygon, i);
    }
    nav_mesh_release(mesh);
}

// Where many polygons share a place, the lowest number is the answer, from wherever it is asked.
static void of_equal_places_the_lowest_polygon_is_found(void **state)
{
    (void)state;
    builder b;
    builder_init(&b);
    // Around (50, 50): the grid's order is not that of the numbers.
    builder_rectangle(&b, 50, 50, 60, 60, 0);
    builder_rectangle(&b, 40, 50, 50, 60, 0);
    builder_rectangle(&b, 50, 40, 60, 50, 0);
    builder_rectangle(&b, 40, 40, 50, 50, 0);
    for (int i = 0; i < 30; ++i) {
        builder_rectangle(&b, 70 + 2 * i, 0, 71 + 2 * i, 100, 0);
    }
    nav_mesh *mesh = builder_mesh(&b);
    builder_free(&b);
    nav_location places[4];
    const float at[3] = {50, 0, 50}, above[3] = {50, 0.25f, 50};
    assert_int_equal(nav_query_nearest(mesh, at, nav_snap_default(), NAV_NONE, places, 1), 1);
    assert_int_equal(places[0].polygon, 0);
    assert_int_equal(nav_query_nearest(mesh, above, nav_snap_default(), NAV_NONE, places, 1), 1);
    assert_int_equal(places[0].polygon, 0);
    assert_int_equal(nav_query_nearest(mesh, above, nav_snap_default(), NAV_NONE, places, 4), 4);
    for (uint32_t i = 0; i < 4; ++i) {
        assert_int_equal(places[i].polygon, i);
    }
    nav_mesh_release(mesh);
}

// Places are found without looking at all polygons: a cell of the grid has two of them.
static void the_grid_has_half_as_many_cells_as_polygons(void **state)
{
    (void)state;
    builder b;
    builder_init(&b);
    for (int32_t i = 0; i < 400; ++i) {
        builder_rectangle(&b, i % 20, i / 20, i % 20 + 1, i / 20 + 1, 0);
    }
    nav_mesh *mesh = builder_mesh(&b);
    builder_free(&b);
    assert_in_range(mesh->locate.width * mesh->locate.depth, 100, 200);
    nav_mesh_release(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_meet_where_their_numbers_do),
        cmocka_unit_test(parts_of_a_cell_never_fall),
        cmocka_unit_test(all_floors_of_a_tower_are_found),
        cmocka_unit_test(of_equal_places_the_lowest_polygon_is_found),
        cmocka_unit_test(the_grid_has_half_as_many_cells_as_polygons),
    };
    return cmocka_run_group_tests_name("locate", tests, NULL, NULL);
}
