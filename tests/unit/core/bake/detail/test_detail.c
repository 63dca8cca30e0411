// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_detail.c: the detail mesh follows the right floor, as closely as asked, without cracks.
// Each test builds a field from a height function and lays polygons over it by hand.

#include "tests/unit/bake_detail_fixture.h"

#include <math.h>

static void corner_of(const fixture *f, uint32_t polygon, uint32_t index, double out[3])
{
    uint32_t count = nav_detail_shape_of(&f->polygons, polygon).count;
    for (int k = 0; k < 3; k++) {
        out[k] =
            index < count
                ? f->vertices[f->rows[polygon][index]][k]
                : (double)f->detail.vertices[f->detail.vertex_first[polygon] + index - count][k];
    }
}

static double cross(const double a[3], const double b[3], double x, double z)
{
    return (b[2] - a[2]) * (x - a[0]) - (b[0] - a[0]) * (z - a[2]);
}

// Height of the detail mesh; -1 outside the polygon.
static double height_at(const fixture *f, uint32_t polygon, double x, double z)
{
    const nav_detail *detail = &f->detail;
    for (uint32_t t = detail->triangle_first[polygon]; t < detail->triangle_first[polygon + 1];
         t++) {
        double a[3], b[3], c[3];
        corner_of(f, polygon, detail->triangles[t][0], a);
        corner_of(f, polygon, detail->triangles[t][1], b);
        corner_of(f, polygon, detail->triangles[t][2], c);
        double area = cross(a, b, c[0], c[2]);
        double at_c = cross(a, b, x, z), at_a = cross(b, c, x, z), at_b = cross(c, a, x, z);
        if (at_a >= 0 && at_b >= 0 && at_c >= 0) {
            return (at_a * a[1] + at_b * b[1] + at_c * c[1]) / area;
        }
    }
    return -1;
}

// All triangles wind as the polygon does and together have its area.
static void check_area(const fixture *f, uint32_t polygon, double expected)
{
    double area = 0;
    for (uint32_t t = f->detail.triangle_first[polygon]; t < f->detail.triangle_first[polygon + 1];
         t++) {
        double a[3], b[3], c[3];
        corner_of(f, polygon, f->detail.triangles[t][0], a);
        corner_of(f, polygon, f->detail.triangles[t][1], b);
        corner_of(f, polygon, f->detail.triangles[t][2], c);
        assert_true(cross(a, b, c[0], c[2]) > 0);
        area += cross(a, b, c[0], c[2]) / 2;
    }
    assert_true(fabs(area - expected) < 1e-3);
}

// ---- worlds ----

static place flat_world(int32_t x, int32_t z, int32_t storey)
{
    (void)x;
    (void)z;
    return (place){storey == 0 ? 10 : -1, 1};
}

// Cells of a plane that rises along x, voxelized: the highest point in the cell, rounded up.
static place ramp_world(int32_t x, int32_t z, int32_t storey)
{
    (void)z;
    return (place){storey == 0 ? 10 + (3 * (x + 1) + 3) / 4 : -1, 1};
}

// A bumpy cellar below and a flat hall above.
static place house_world(int32_t x, int32_t z, int32_t storey)
{
    return storey == 0 ? (place){(int32_t)dome(x, z) - 18, 1} : (place){100, 2};
}

// Two polygons meet at x = 32. The ground waves there; the second one's region begins beyond it, on
// a plateau that no link leads up to, so that alone it would see other heights along the border.
static place waves_world(int32_t x, int32_t z, int32_t storey)
{
    int32_t wave = z % 16 < 8 ? z % 16 : 15 - z % 16;
    if (x >= 34) {
        return (place){storey == 0 ? 100 : -1, 2};
    }
    return (place){storey == 0 ? 20 + wave + x / 8 : -1, 1};
}

// The dome with its region ending two cells inside the polygon; a tower stands beyond.
static place cut_world(int32_t x, int32_t z, int32_t storey)
{
    bool inside = x >= 10 && x < 54 && z >= 10 && z < 54;
    bool beside = x >= 8 && x < 56 && z >= 8 && z < 56;
    if (storey == 0) {
        return (place){inside || beside ? 20 : -1, inside ? 1 : 2};
    }
    return (place){inside ? -1 : 60, 3};
}

// ---- tests ----

static void a_flat_square_needs_two_triangles(void **state)
{
    (void)state;
    fixture *f = make(flat_world);
    add_rectangle(f, 1, 8, 56, (int32_t[]){10, 10, 10, 10});
    bake(f);
    assert_int_equal(f->detail.vertex_count, 0);
    assert_int_equal(f->detail.triangle_count, 2);
    assert_int_equal(f->detail.vertex_first[1], 0);
    assert_int_equal(f->detail.triangle_first[1], 2);
    check_area(f, 0, 48 * 48);
    destroy(f);
}

static void a_ramp_needs_no_samples(void **state)
{
    (void)state;
    fixture *f = make(ramp_world);
    // The highest floor at corner x is that of the cell at x.
    int32_t low = ramp_world(8, 0, 0).floor, high = ramp_world(56, 0, 0).floor;
    add_rectangle(f, 1, 8, 56, (int32_t[]){low, low, high, high});
    bake(f);
    assert_int_equal(f->detail.vertex_count, 0);
    assert_int_equal(f->detail.triangle_count, 2);
    destroy(f);
}

// Bakes the dome and returns its number of extra vertices; the surface must meet all grid samples.
static uint32_t bake_dome(float error_max)
{
    fixture *f = make(dome_world);
    f->config.detail_max_error = error_max;
    add_rectangle(f, 1, 2, 62, (int32_t[]){20, 20, 20, 20});
    bake(f);
    nav_detail_floor floor = {.field = &f->field, .region = 1, .search_cells = 4};
    for (int32_t z = 4; z < 62; z += 4) {
        for (int32_t x = 4; x < 62; x += 4) {
            // Samples lie farther than half a sample distance from the border.
            bool sampled = x - 2 > 2 && 62 - x > 2 && z - 2 > 2 && 62 - z > 2;
            double wanted = nav_detail_height(&floor, (int64_t)x * NAV_DELAUNAY_ONE,
                                              (int64_t)z * NAV_DELAUNAY_ONE, 20);
            double error = fabs(height_at(f, 0, x, z) - wanted);
            assert_true(!sampled || error <= (double)error_max + 1e-4);
        }
    }
    check_area(f, 0, 60 * 60);
    uint32_t count = f->detail.vertex_count;
    uint32_t on_border = 0;
    for (uint32_t i = 0; i < count; i++) {
        const float *at = f->detail.vertices[i];
        on_border += at[0] == 2 || at[0] == 62 || at[2] == 2 || at[2] == 62;
    }
    assert_int_equal(f->detail.triangle_count, 2 + 2 * count - on_border);
    destroy(f);
    return count;
}

static void a_dome_is_met_within_the_error(void **state)
{
    (void)state;
    uint32_t fine = bake_dome(0.5f);
    uint32_t medium = bake_dome(1);
    uint32_t coarse = bake_dome(6);
    assert_true(fine > medium);
    assert_true(medium > coarse);
    assert_true(coarse >= 1);
    assert_int_equal(bake_dome(1000), 0);
}

// The extra vertices of a polygon on the line x = 32, by rising z.
static uint32_t border_samples(const fixture *f, uint32_t polygon, float out[][3])
{
    uint32_t count = 0;
    for (uint32_t i = f->detail.vertex_first[polygon]; i < f->detail.vertex_first[polygon + 1];
         i++) {
        if (f->detail.vertices[i][0] == 32) {
            uint32_t at = count++;
            for (; at > 0 && out[at - 1][2] > f->detail.vertices[i][2]; at--) {
                memcpy(out[at], out[at - 1], sizeof out[at]);
            }
            memcpy(out[at], f->detail.vertices[i], sizeof out[at]);
        }
    }
    return count;
}

static void neighbours_share_edge_samples(void **state)
{
    (void)state;
    fixture *f = make(waves_world);
    add_vertex(f, 8, 21, 8);
    add_vertex(f, 8, 21, 56);
    add_vertex(f, 32, 31, 60);
    add_vertex(f, 32, 28, 4);
    add_vertex(f, 60, 30, 56);
    add_vertex(f, 60, 30, 8);
    add_polygon(f, 1, 4, (uint32_t[]){0, 1, 2, 3});
    add_polygon(f, 2, 4, (uint32_t[]){3, 2, 4, 5});
    f->neighbours[0][2] = 1;
    f->neighbours[1][0] = 0;
    bake(f);
    float left[64][3], right[64][3];
    uint32_t count = border_samples(f, 0, left);
    assert_in_range(count, 4, 13);
    assert_int_equal(border_samples(f, 1, right), count);
    assert_memory_equal(left, right, count * sizeof left[0]);
    for (double z = 4; z <= 60; z += 0.25) {
        assert_true(fabs(height_at(f, 0, 32, z) - height_at(f, 1, 32, z)) < 1e-4);
    }
    check_area(f, 0, 24 * (48 + 56) / 2.0);
    check_area(f, 1, 28 * (48 + 56) / 2.0);
    destroy(f);
}

static void samples_keep_away_from_edges(void **state)
{
    (void)state;
    fixture *f = make(pit_world);
    // Samples are 4 cells apart, so that the pit is on their grid: one cell from the edge of the
    // first polygon, four from the second one's.
    add_rectangle(f, 1, 7, 57, (int32_t[]){10, 10, 10, 10});
    add_rectangle(f, 1, 4, 60, (int32_t[]){10, 10, 10, 10});
    bake(f);
    assert_int_equal(f->detail.vertex_first[1], 0);
    assert_true(f->detail.vertex_count >= 1);
    assert_true(f->detail.vertices[0][0] == 8);
    assert_true(f->detail.vertices[0][1] == 5);
    assert_true(f->detail.vertices[0][2] == 28);
    destroy(f);
}

static void storeys_are_kept_apart(void **state)
{
    (void)state;
    fixture *f = make(house_world);
    add_rectangle(f, 1, 8, 56, (int32_t[]){2, 2, 2, 2});
    add_rectangle(f, 2, 8, 56, (int32_t[]){100, 100, 100, 100});
    bake(f);
    assert_true(f->detail.vertex_first[1] > 4);
    for (uint32_t i = 0; i < f->detail.vertex_first[1]; i++) {
        assert_true(f->detail.vertices[i][1] <= 42);
    }
    // The hall is flat: nothing of the cellar shows in it.
    assert_int_equal(f->detail.vertex_first[2], f->detail.vertex_first[1]);
    assert_int_equal(f->detail.triangle_first[2] - f->detail.triangle_first[1], 2);
    assert_true(fabs(height_at(f, 0, 32, 32) - 42) <= 1);
    destroy(f);
}

static void missing_spans_take_heights_along_links(void **state)
{
    (void)state;
    fixture *f = make(cut_world);
    // Its border lies outside the region, partly where only the tower's top has a floor.
    add_rectangle(f, 1, 7, 57, (int32_t[]){20, 20, 20, 20});
    bake(f);
    assert_int_equal(f->detail.vertex_count, 0);
    assert_int_equal(f->detail.triangle_count, 2);
    destroy(f);
}

static void a_region_without_spans_takes_the_nearest_floor(void **state)
{
    (void)state;
    fixture *f = make(house_world);
    add_rectangle(f, 3, 8, 56, (int32_t[]){2, 2, 2, 2});
    add_rectangle(f, 3, 8, 56, (int32_t[]){99, 99, 99, 99});
    bake(f);
    assert_true(fabs(height_at(f, 0, 32, 32) - 42) <= 1);
    // Upstairs the floor is within the error of the polygon.
    assert_int_equal(f->detail.vertex_first[2], f->detail.vertex_first[1]);
    destroy(f);
}

static void degenerate_polygons_get_no_detail(void **state)
{
    (void)state;
    fixture *f = make(dome_world);
    add_vertex(f, 8, 20, 8);
    add_vertex(f, 32, 20, 32);
    add_vertex(f, 56, 20, 56);
    add_vertex(f, 56, 20, 8);
    add_vertex(f, 40, 20, 20);
    // No area; then a dent at (40, 20), where of the fan one triangle is left out.
    add_polygon(f, 1, 3, (uint32_t[]){0, 1, 2});
    add_polygon(f, 1, 4, (uint32_t[]){0, 2, 4, 3});
    bake(f);
    assert_int_equal(f->detail.vertex_count, 0);
    assert_int_equal(f->detail.triangle_first[1], 0);
    assert_int_equal(f->detail.triangle_first[2], 2);
    assert_int_equal(f->report.warnings[NAV_WARN_DETAIL_ERROR].count, 1);
    destroy(f);
}

static void straight_angles_give_no_flat_triangles(void **state)
{
    (void)state;
    fixture *f = make(dome_world);
    add_vertex(f, 8, 20, 8);
    add_vertex(f, 8, 20, 30);
    add_vertex(f, 8, 20, 56);
    add_vertex(f, 56, 20, 56);
    add_vertex(f, 40, 20, 40);
    add_polygon(f, 1, 5, (uint32_t[]){0, 1, 2, 3, 4});
    bake(f);
    assert_true(f->detail.vertex_count > 0);
    check_area(f, 0, 48 * 48 / 2.0);
    destroy(f);
}

static void detail_off_gives_nothing(void **state)
{
    (void)state;
    fixture *f = make(dome_world);
    f->config.detail = false;
    add_rectangle(f, 1, 8, 56, (int32_t[]){20, 20, 20, 20});
    memset(&f->detail, 0xff, sizeof f->detail);
    bake(f);
    assert_null(f->detail.vertex_first);
    assert_null(f->detail.triangle_first);
    assert_int_equal(f->detail.vertex_count, 0);
    assert_int_equal(f->detail.triangle_count, 0);
    destroy(f);
}

static void distance_0_triangulates_only(void **state)
{
    (void)state;
    fixture *f = make(dome_world);
    f->config.detail_sample_distance = 0;
    add_rectangle(f, 1, 8, 56, (int32_t[]){20, 20, 20, 20});
    bake(f);
    assert_int_equal(f->detail.vertex_count, 0);
    assert_int_equal(f->detail.vertex_first[0], 0);
    assert_int_equal(f->detail.vertex_first[1], 0);
    assert_int_equal(f->detail.triangle_first[1], 2);
    destroy(f);
}

static void no_polygons_give_an_empty_detail(void **state)
{
    (void)state;
    fixture *f = make(flat_world);
    bake(f);
    assert_non_null(f->detail.vertex_first);
    assert_int_equal(f->detail.triangle_first[0], 0);
    destroy(f);
}

// The finest distance allowed puts samples on the same corner twice, unless that is avoided.
static void the_finest_distance_works(void **state)
{
    (void)state;
    fixture *f = make(dome_world);
    f->config.detail_sample_distance = 0.9f;
    f->config.detail_max_error = 0;
    add_rectangle(f, 1, 2, 62, (int32_t[]){20, 20, 20, 20});
    bake(f);
    assert_true(f->detail.vertex_count > 500);
    check_area(f, 0, 60 * 60);
    destroy(f);
}

static void a_vast_distance_samples_nothing(void **state)
{
    (void)state;
    fixture *f = make(dome_world);
    f->config.detail_sample_distance = 1e30f;
    add_rectangle(f, 1, 2, 62, (int32_t[]){20, 20, 20, 20});
    bake(f);
    assert_int_equal(f->detail.vertex_count, 0);
    assert_int_equal(f->detail.triangle_count, 2);
    destroy(f);
}

static void two_bakes_are_equal(void **state)
{
    (void)state;
    fixture *f = make(dome_world);
    add_rectangle(f, 1, 2, 62, (int32_t[]){20, 20, 20, 20});
    bake(f);
    nav_detail first = f->detail;
    f->report = (nav_bake_report){0};
    bake(f);
    assert_int_equal(first.vertex_count, f->detail.vertex_count);
    assert_int_equal(first.triangle_count, f->detail.triangle_count);
    assert_memory_equal(first.vertices, f->detail.vertices,
                        first.vertex_count * sizeof *first.vertices);
    assert_memory_equal(first.triangles, f->detail.triangles,
                        first.triangle_count * sizeof *first.triangles);
    destroy(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flat_square_needs_two_triangles),
        cmocka_unit_test(a_ramp_needs_no_samples),
        cmocka_unit_test(a_dome_is_met_within_the_error),
        cmocka_unit_test(neighbours_share_edge_samples),
        cmocka_unit_test(samples_keep_away_from_edges),
        cmocka_unit_test(storeys_are_kept_apart),
        cmocka_unit_test(missing_spans_take_heights_along_links),
        cmocka_unit_test(a_region_without_spans_takes_the_nearest_floor),
        cmocka_unit_test(degenerate_polygons_get_no_detail),
        cmocka_unit_test(straight_angles_give_no_flat_triangles),
        cmocka_unit_test(detail_off_gives_nothing),
        cmocka_unit_test(distance_0_triangulates_only),
        cmocka_unit_test(no_polygons_give_an_empty_detail),
        cmocka_unit_test(the_finest_distance_works),
        cmocka_unit_test(a_vast_distance_samples_nothing),
        cmocka_unit_test(two_bakes_are_equal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
