// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_delaunay.c: triangulations are complete, linked both ways and Delaunay, for points in
// general position, on lines and on circles.

#include "core/base/delaunay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define CELL NAV_DELAUNAY_ONE
#define ROUNDS 500

// xorshift: the same numbers on every machine.
static uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static int64_t doubled_area(const nav_delaunay_point *corners, uint32_t count)
{
    int64_t area = 0;
    for (uint32_t i = 1; i + 1 < count; i++) {
        area += nav_delaunay_orient(corners[0], corners[i], corners[i + 1]);
    }
    return area;
}

// Every triangle has an area, they fill the polygon, neighbours agree, and no inner edge has the
// opposite corner inside the circle. By Lawson's theorem the whole is then Delaunay.
static void check(const nav_delaunay *mesh, int64_t polygon_area, uint32_t border_count)
{
    int64_t area = 0;
    assert_int_equal(mesh->triangle_count, 2 * mesh->point_count - border_count - 2);
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        const nav_delaunay_triangle *at = &mesh->triangles[t];
        const nav_delaunay_point *points = mesh->points;
        nav_delaunay_point a = points[at->corners[0]];
        nav_delaunay_point b = points[at->corners[1]];
        nav_delaunay_point c = points[at->corners[2]];
        assert_true(nav_delaunay_orient(a, b, c) > 0);
        area += nav_delaunay_orient(a, b, c);
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t from = at->corners[k];
            if (at->neighbours[k] == NAV_NONE) {
                assert_int_equal(mesh->border[from], t);
                continue;
            }
            const nav_delaunay_triangle *other = &mesh->triangles[at->neighbours[k]];
            uint32_t back = 0;
            while (back < 3 && other->neighbours[back] != t) {
                back++;
            }
            assert_true(back < 3);
            assert_int_equal(other->corners[(back + 1) % 3], from);
            nav_delaunay_point across = points[other->corners[(back + 2) % 3]];
            assert_true(nav_delaunay_in_circle(a, b, c, across) <= 0);
        }
    }
    assert_int_equal(area, polygon_area);
}

static void square(nav_delaunay_point corners[4], int32_t side)
{
    corners[0] = (nav_delaunay_point){0, 0};
    corners[1] = (nav_delaunay_point){side, 0};
    corners[2] = (nav_delaunay_point){side, side};
    corners[3] = (nav_delaunay_point){0, side};
}

static bool is_taken(const nav_delaunay *mesh, nav_delaunay_point place)
{
    bool taken = false;
    for (uint32_t i = 0; i < mesh->point_count; i++) {
        taken = taken || (mesh->points[i].u == place.u && mesh->points[i].v == place.v);
    }
    return taken;
}

static void predicates_are_exact_at_the_limit(void **state)
{
    (void)state;
    int32_t far = NAV_DELAUNAY_LIMIT - 1;
    nav_delaunay_point a = {0, 0}, b = {far, 0}, c = {far, far};
    assert_int_equal(nav_delaunay_orient(a, b, c), (int64_t)far * far);
    assert_int_equal(nav_delaunay_orient(a, c, (nav_delaunay_point){far - 1, far - 1}), 0);
    assert_int_equal(nav_delaunay_orient(a, c, (nav_delaunay_point){far - 1, far}), far);
    assert_int_equal(nav_delaunay_in_circle(a, b, c, (nav_delaunay_point){0, far}), 0);
    assert_int_equal(nav_delaunay_in_circle(a, b, c, (nav_delaunay_point){1, far}), 1);
    assert_int_equal(nav_delaunay_in_circle(a, (nav_delaunay_point){far - 1, 0},
                                            (nav_delaunay_point){far - 1, far - 1},
                                            (nav_delaunay_point){0, far}),
                     -1);
}

static void convexity_is_told(void **state)
{
    (void)state;
    nav_delaunay_point box[4];
    square(box, 10);
    assert_true(nav_delaunay_convex(box, 4));
    nav_delaunay_point straight[] = {{0, 0}, {5, 0}, {10, 0}, {10, 10}, {0, 10}, {0, 5}};
    assert_true(nav_delaunay_convex(straight, 6));
    nav_delaunay_point clockwise[] = {{0, 0}, {0, 10}, {10, 10}, {10, 0}};
    assert_false(nav_delaunay_convex(clockwise, 4));
    nav_delaunay_point dented[] = {{0, 0}, {10, 0}, {5, 2}, {10, 10}, {0, 10}};
    assert_false(nav_delaunay_convex(dented, 5));
    nav_delaunay_point flat[] = {{0, 0}, {5, 5}, {10, 10}};
    assert_false(nav_delaunay_convex(flat, 3));
    nav_delaunay_point repeated[] = {{0, 0}, {10, 0}, {10, 0}, {10, 10}};
    assert_false(nav_delaunay_convex(repeated, 4));
    nav_delaunay_point spike[] = {{0, 0}, {20, 0}, {10, 0}, {10, 10}, {0, 10}};
    assert_false(nav_delaunay_convex(spike, 5));
    nav_delaunay_point star[] = {{0, 10}, {6, -8}, {-10, 3}, {10, 3}, {-6, -8}};
    nav_delaunay_point star_back[] = {{-6, -8}, {10, 3}, {-10, 3}, {6, -8}, {0, 10}};
    assert_false(nav_delaunay_convex(star, 5));
    assert_false(nav_delaunay_convex(star_back, 5));
    assert_false(nav_delaunay_convex(box, 0));
}

static void corners_alone_are_delaunay(void **state)
{
    (void)state;
    nav_arena arena;
    nav_arena_init(&arena, NULL, 0);
    nav_delaunay mesh = {0};
    assert_true(nav_delaunay_reserve(&mesh, &arena, 12));
    nav_delaunay_point box[4];
    square(box, CELL);
    nav_delaunay_begin(&mesh, box, 4);
    check(&mesh, (int64_t)2 * CELL * CELL, 4);
    // Straight angles on three sides: no fan from a corner would do.
    nav_delaunay_point straight[] = {{0, 0}, {3, 0}, {6, 0}, {9, 0},
                                     {9, 9}, {6, 9}, {0, 9}, {0, 6}};
    nav_delaunay_begin(&mesh, straight, 8);
    check(&mesh, 162, 8);
    nav_delaunay_point needle[] = {{0, 0}, {65535 * CELL, CELL}, {65534 * CELL, CELL}};
    nav_delaunay_begin(&mesh, needle, 3);
    check(&mesh, doubled_area(needle, 3), 3);
    nav_arena_free(&arena);
}

// A random mix of free points, points of a coarse grid (collinear and cocircular) and points on
// the border, which are inserted along one side in order.
static void random_points(uint32_t round, nav_delaunay *mesh, nav_arena *arena)
{
    uint32_t random = round * 2654435761u + 1;
    int32_t side = (int32_t)(8 + next_random(&random) % 120) * CELL;
    uint32_t step = round % 3 == 0 ? 1 : (uint32_t)side / 8;
    nav_delaunay_point box[4];
    uint32_t border_count = 4;
    square(box, side);
    mesh->point_count = 0;
    assert_true(nav_delaunay_reserve(mesh, arena, 4));
    nav_delaunay_begin(mesh, box, 4);
    uint32_t last = 0;
    for (int32_t u = side / 16; u < side && round % 2 == 0; u += side / 16) {
        assert_true(nav_delaunay_reserve(mesh, arena, mesh->point_count + 1));
        last = nav_delaunay_insert(mesh, mesh->border[last], (nav_delaunay_point){u, 0});
        border_count++;
    }
    for (uint32_t i = 0; i < 60; i++) {
        nav_delaunay_point place = {
            (int32_t)(next_random(&random) % ((uint32_t)side / step - 1) * step + step),
            (int32_t)(next_random(&random) % ((uint32_t)side / step - 1) * step + step)};
        if (place.u < side && place.v < side && !is_taken(mesh, place)) {
            assert_true(nav_delaunay_reserve(mesh, arena, mesh->point_count + 1));
            uint32_t at = nav_delaunay_find(mesh, round % mesh->triangle_count, place);
            nav_delaunay_insert(mesh, at, place);
        }
    }
    check(mesh, (int64_t)2 * side * side, border_count);
}

static void random_point_sets_are_delaunay(void **state)
{
    (void)state;
    nav_arena arena;
    nav_arena_init(&arena, NULL, 0);
    nav_delaunay mesh = {0};
    for (uint32_t round = 0; round < ROUNDS; round++) {
        random_points(round, &mesh, &arena);
    }
    nav_arena_free(&arena);
}

// A full grid: every circle passes through four points and every row is a line.
static void a_grid_is_delaunay(void **state)
{
    (void)state;
    nav_arena arena;
    nav_arena_init(&arena, NULL, 0);
    nav_delaunay mesh = {0};
    nav_delaunay_point box[4];
    square(box, 10 * CELL);
    assert_true(nav_delaunay_reserve(&mesh, &arena, 4 + 81));
    nav_delaunay_begin(&mesh, box, 4);
    for (int32_t i = 0; i < 81; i++) {
        nav_delaunay_point place = {(i % 9 + 1) * CELL, (i / 9 + 1) * CELL};
        nav_delaunay_insert(&mesh, nav_delaunay_find(&mesh, 0, place), place);
    }
    check(&mesh, (int64_t)2 * 100 * CELL * CELL, 4);
    assert_int_equal(mesh.triangle_count, 2 * 85 - 6);
    nav_arena_free(&arena);
}

// A long sliver with samples along its two long sides, all exactly on them.
static void a_sliver_takes_border_points(void **state)
{
    (void)state;
    nav_arena arena;
    nav_arena_init(&arena, NULL, 0);
    nav_delaunay mesh = {0};
    nav_delaunay_point sliver[] = {{0, 0}, {65535 * CELL, 0}, {65535 * CELL, CELL}};
    assert_true(nav_delaunay_reserve(&mesh, &arena, 200));
    nav_delaunay_begin(&mesh, sliver, 3);
    uint32_t lower = 0, upper = 2;
    for (int32_t i = 1; i < 64; i++) {
        nav_delaunay_point on_lower = {65535 * (CELL / 64) * i, 0};
        nav_delaunay_point on_upper = {65535 * (CELL / 64) * (64 - i), CELL / 64 * (64 - i)};
        lower = nav_delaunay_insert(&mesh, mesh.border[lower], on_lower);
        upper = nav_delaunay_insert(&mesh, mesh.border[upper], on_upper);
    }
    check(&mesh, doubled_area(sliver, 3), 3 + 2 * 63);
    nav_arena_free(&arena);
}

static void insertion_lists_what_it_changed(void **state)
{
    (void)state;
    nav_arena arena;
    nav_arena_init(&arena, NULL, 0);
    nav_delaunay mesh = {0};
    nav_delaunay_point box[4];
    square(box, 8 * CELL);
    assert_true(nav_delaunay_reserve(&mesh, &arena, 6));
    nav_delaunay_begin(&mesh, box, 4);
    nav_delaunay_insert(&mesh, 0, (nav_delaunay_point){4 * CELL, 4 * CELL});
    assert_int_equal(mesh.changed_count, 4);
    assert_int_equal(mesh.triangle_count, 4);
    nav_delaunay_insert(&mesh, mesh.border[0], (nav_delaunay_point){4 * CELL, 0});
    assert_int_equal(mesh.changed_count, 2);
    assert_int_equal(mesh.triangle_count, 5);
    nav_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(predicates_are_exact_at_the_limit),
        cmocka_unit_test(convexity_is_told),
        cmocka_unit_test(corners_alone_are_delaunay),
        cmocka_unit_test(random_point_sets_are_delaunay),
        cmocka_unit_test(a_grid_is_delaunay),
        cmocka_unit_test(a_sliver_takes_border_points),
        cmocka_unit_test(insertion_lists_what_it_changed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
