// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_detail_heights.c: a place has the height of the right floor, to the cell.

#include "tests/unit/bake_detail_fixture.h"

// Cells rise by 2 along x; only those from x = 20 on are in region 1, and a shelf of region 2 hangs
// over those from x = 40 on.
static place shelf_world(int32_t x, int32_t z, int32_t storey)
{
    (void)z;
    if (storey == 0) {
        return (place){2 * x, x >= 20 ? 1 : 3};
    }
    return (place){x >= 40 ? 300 : -1, 2};
}

static double height_of(const fixture *f, uint32_t region, double x, double z, double expected)
{
    nav_detail_floor floor = {
        .field = &f->field, .region = region, .search_cells = 4, .storey_cells = 160};
    return nav_detail_height(&floor, (int64_t)(x * NAV_DELAUNAY_ONE),
                             (int64_t)(z * NAV_DELAUNAY_ONE), expected);
}

static void a_corner_has_the_lowest_floor_that_meets_there(void **state)
{
    (void)state;
    fixture *f = make(pit_world);
    for (int32_t i = 0; i < 4; i++) {
        assert_true(height_of(f, 1, 8 + i % 2, 28 + i / 2, 0) == 5);
    }
    assert_true(height_of(f, 1, 7, 28, 0) == 10);
    assert_true(height_of(f, 1, 10, 28, 0) == 10);
    destroy(f);
    f = make(shelf_world);
    assert_true(height_of(f, 1, 30, 30, 0) == 2 * 29);
    // The field's own border.
    assert_true(height_of(f, 1, SIDE, SIDE, 0) == 2 * (SIDE - 1));
    assert_true(height_of(f, 3, 0, 0, 0) == 0);
    destroy(f);
}

static void between_corners_it_is_the_mean(void **state)
{
    (void)state;
    fixture *f = make(shelf_world);
    assert_true(height_of(f, 1, 30.25, 30, 0) == 58.5);
    assert_true(height_of(f, 1, 30, 30.25, 0) == 58);
    assert_true(height_of(f, 1, 30.5, 30.5, 0) == 59);
    destroy(f);
}

static void beside_the_region_links_lead_on(void **state)
{
    (void)state;
    fixture *f = make(shelf_world);
    assert_true(height_of(f, 1, 17, 30, 0) == 32);
    // As far as they go, and only from near by.
    assert_true(height_of(f, 2, 37, 30, 0) == 300);
    assert_true(height_of(f, 2, 30, 30, 7) == 58);
    destroy(f);
}

static void storeys_are_told_apart(void **state)
{
    (void)state;
    fixture *f = make(shelf_world);
    assert_true(height_of(f, 1, 50, 30, 300) == 98);
    assert_true(height_of(f, 2, 50, 30, 100) == 300);
    // A region that is not there takes what is nearest in height.
    assert_true(height_of(f, 9, 50, 30, 120) == 98);
    assert_true(height_of(f, 9, 50, 30, 250) == 300);
    destroy(f);
}

static void a_polygon_of_several_regions_is_in_any_of_them(void **state)
{
    (void)state;
    fixture *f = make(shelf_world);
    assert_true(height_of(f, 0, 10, 30, 0) == 18);
    assert_true(height_of(f, 0, 50, 30, 120) == 98);
    assert_true(height_of(f, 0, 50, 30, 250) == 300);
    // The shelf loses its region: nobody walks there.
    for (uint32_t i = 0; i < f->field.span_count; i++) {
        f->field.region[i] = f->field.region[i] == 2 ? 0 : f->field.region[i];
    }
    assert_true(height_of(f, 0, 50, 30, 250) == 98);
    destroy(f);
}

// Where its own floor has no region, as along a wall, the one of the storey above is not taken for
// it.
static void a_polygon_of_several_regions_stays_in_its_storey(void **state)
{
    (void)state;
    fixture *f = make(shelf_world);
    for (uint32_t i = 0; i < f->field.span_count; i++) {
        f->field.region[i] = f->field.region[i] == 1 ? 0 : f->field.region[i];
    }
    assert_true(height_of(f, 0, 50, 30, 96) == 98);
    assert_true(height_of(f, 0, 50, 30, 110) == 98);
    assert_true(height_of(f, 0, 50, 30, 290) == 300);
    destroy(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_corner_has_the_lowest_floor_that_meets_there),
        cmocka_unit_test(between_corners_it_is_the_mean),
        cmocka_unit_test(beside_the_region_links_lead_on),
        cmocka_unit_test(storeys_are_told_apart),
        cmocka_unit_test(a_polygon_of_several_regions_is_in_any_of_them),
        cmocka_unit_test(a_polygon_of_several_regions_stays_in_its_storey),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
