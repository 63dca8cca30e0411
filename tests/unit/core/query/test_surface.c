// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// Questions about the surface around a place give what a walk over the map itself gives: straight
// lines, walls, steps that slide, floors.

#include "tests/unit/mesh_builder.h"
#include "tests/unit/scratch_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

#define SIDE 12

static const nav_options OPTIONS = {.snap = {0.3f, 4, 4}};

static bool is_open(const char *map, int x, int z)
{
    return x >= 0 && z >= 0 && x < SIDE && z < SIDE && map[z * (SIDE + 1) + x] == '.';
}

// Away from the lines of the grid, so that a map's cell is plain.
static float random_place(uint64_t *random)
{
    return (float)(next_random(random) % SIDE) + 0.05f +
           (float)(next_random(random) % 900) / 1000.0f;
}

// ---- raycast ----

// How far the line goes through open cells, by the cells that it crosses in turn.
static double walk_over_cells(const char *map, const float a[3], const float b[3])
{
    const double dx = (double)b[0] - (double)a[0], dz = (double)b[2] - (double)a[2];
    int x = (int)floorf(a[0]), z = (int)floorf(a[2]);
    for (;;) {
        const double tx = dx > 0.0   ? (x + 1 - (double)a[0]) / dx
                          : dx < 0.0 ? (x - (double)a[0]) / dx
                                     : HUGE_VAL;
        const double tz = dz > 0.0   ? (z + 1 - (double)a[2]) / dz
                          : dz < 0.0 ? (z - (double)a[2]) / dz
                                     : HUGE_VAL;
        const double t = fmin(tx, tz);
        if (t >= 1.0) {
            return 1.0;
        }
        x += tx <= tz ? dx > 0.0 ? 1 : -1 : 0;
        z += tx <= tz ? 0 : dz > 0.0 ? 1 : -1;
        if (!is_open(map, x, z)) {
            return t;
        }
    }
}

// Whether there is open ground within NAV_PLAN_TOLERANCE of all places of a line between two parts
// of it. A little farther than from one place that is looked at to the next it would not go unseen.
static bool is_beside_open(const char *map, const float a[3], const float b[3], double from,
                           double to)
{
    const double near = 1.1 * (double)NAV_PLAN_TOLERANCE;
    const double length = hypot((double)b[0] - (double)a[0], (double)b[2] - (double)a[2]);
    for (double t = from; t < to; t += 1e-3 / length) {
        const double x = (double)a[0] + ((double)b[0] - (double)a[0]) * t;
        const double z = (double)a[2] + ((double)b[2] - (double)a[2]) * t;
        bool open = false;
        for (int i = 0; i < 9; ++i) {
            open = open || is_open(map, (int)floor(x + near * (i % 3 - 1)),
                                   (int)floor(z + near * (i / 3 - 1)));
        }
        if (!open) {
            return false;
        }
    }
    return true;
}

static void rays_end_where_the_cells_do(void **state)
{
    (void)state;
    uint64_t random = 11;
    char map[(SIDE + 1) * SIDE];
    uint32_t hits = 0, cut = 0;
    for (int round = 0; round < 200; ++round) {
        builder_random_map(&random, SIDE, 3, map);
        nav_mesh *mesh = map_mesh(map);
        for (int i = 0; i < 50; ++i) {
            const float a[3] = {random_place(&random), 0, random_place(&random)};
            const float b[3] = {random_place(&random), 0, random_place(&random)};
            nav_ray ray;
            assert_int_equal(nav_query_raycast(mesh, scratch, a, b, &OPTIONS, &ray), NAV_OK);
            if (!is_open(map, (int)a[0], (int)a[2])) {
                continue;
            }
            double t = walk_over_cells(map, a, b);
            assert_true(ray.found);
            if (t < (double)ray.t - 1e-5) {
                // It has cut a corner, by no more than points are rounded.
                ++cut;
                assert_true(is_beside_open(map, a, b, t, (double)ray.t));
                t = (double)ray.t;
            }
            assert_int_equal(ray.hit, t < 1.0);
            assert_near(ray.t, t, 1e-5);
            const double length = hypot((double)b[0] - (double)a[0], (double)b[2] - (double)a[2]);
            assert_near(ray.cost, t * length, 1e-4);
            assert_near(ray.position[0], (double)a[0] + ((double)b[0] - (double)a[0]) * t, 1e-4);
            if (ray.hit) {
                ++hits;
                assert_near(hypot((double)ray.normal[0], (double)ray.normal[2]), 1.0, 1e-6);
                assert_true((b[0] - a[0]) * ray.normal[0] + (b[2] - a[2]) * ray.normal[2] < 0.0f);
            }
        }
        nav_mesh_release(mesh);
    }
    assert_true(hits > 1000);
    assert_in_range(cut, 1, 100);
}

static void a_ray_passes_through_corners(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh("..../..../..../....");
    nav_ray ray;
    // Along the diagonal every crossing is a corner of four cells.
    const float a[3] = {0.5f, 0, 0.5f}, b[3] = {3.5f, 0, 3.5f};
    assert_int_equal(nav_query_raycast(mesh, scratch, a, b, &OPTIONS, &ray), NAV_OK);
    assert_true(!ray.hit && ray.t == 1.0f);
    assert_near(ray.cost, 3.0 * sqrt(2.0), 1e-6);
    // From a corner to a corner, and along an edge.
    const float c[3] = {1, 0, 1}, d[3] = {3, 0, 1};
    assert_int_equal(nav_query_raycast(mesh, scratch, c, d, &OPTIONS, &ray), NAV_OK);
    assert_true(!ray.hit && ray.t == 1.0f);
    assert_int_equal(nav_query_raycast(mesh, scratch, c, c, &OPTIONS, &ray), NAV_OK);
    assert_true(!ray.hit && ray.t == 1.0f && ray.cost == 0.0);
    nav_mesh_release(mesh);
    // Two cells that touch at a corner only are not next to each other.
    mesh = map_mesh(".#/#.");
    const float e[3] = {0.5f, 0, 0.5f}, f[3] = {1.5f, 0, 1.5f};
    assert_int_equal(nav_query_raycast(mesh, scratch, e, f, &OPTIONS, &ray), NAV_OK);
    assert_true(ray.hit);
    assert_near(ray.t, 0.5, 1e-6);
    nav_mesh_release(mesh);
    // One of the two ways around the corner is closed.
    mesh = map_mesh("../#.");
    assert_int_equal(nav_query_raycast(mesh, scratch, e, f, &OPTIONS, &ray), NAV_OK);
    assert_false(ray.hit);
    nav_mesh_release(mesh);
}

// Three quarters of a square in six triangles around its middle, the corner of a wall; the first of
// them is where a place there is snapped to.
static nav_mesh *wall_corner(int first)
{
    static const int32_t rim[7][3] = {{20, 0, 10}, {20, 0, 20}, {10, 0, 20}, {0, 0, 20},
                                      {0, 0, 10},  {0, 0, 0},   {10, 0, 0}};
    builder b;
    builder_init(&b);
    for (int i = 0; i < 6; ++i) {
        const int at = (first + i) % 6;
        const int32_t corners[3][3] = {
            {10, 0, 10}, {rim[at + 1][0], 0, rim[at + 1][2]}, {rim[at][0], 0, rim[at][2]}};
        builder_polygon(&b, 3, corners);
    }
    nav_mesh *mesh = builder_mesh(&b);
    builder_free(&b);
    return mesh;
}

// Paths turn at corners of walls: whoever stands on one can go on to all sides but into the wall.
static void a_ray_from_the_corner_of_a_wall_goes_to_all_open_sides(void **state)
{
    (void)state;
    for (int first = 0; first < 6; ++first) {
        nav_mesh *mesh = wall_corner(first);
        const float corner[3] = {10, 0, 10};
        for (int degrees = 0; degrees < 360; ++degrees) {
            const double angle = ((double)degrees + 0.5) * 3.14159265358979 / 180.0;
            const float end[3] = {(float)(10.0 + 5.0 * cos(angle)), 0,
                                  (float)(10.0 + 5.0 * sin(angle))};
            nav_ray ray;
            assert_int_equal(nav_query_raycast(mesh, scratch, corner, end, &OPTIONS, &ray), NAV_OK);
            if (ray.hit != (degrees >= 270) || fabsf(ray.t - (ray.hit ? 0.0f : 1.0f)) > 1e-3f) {
                fail_msg("first %d, %d degrees: hit %d, t %g", first, degrees, ray.hit,
                         (double)ray.t);
            }
        }
        nav_mesh_release(mesh);
    }
}

// Where rooms touch in a corner only, a place there is snapped to one of them; a path may have
// turned there in the other.
static void a_ray_from_a_corner_of_two_rooms_begins_in_either(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh(".#/#.");
    const float corner[3] = {1, 0, 1}, one[3] = {0.5f, 0, 0.25f}, other[3] = {1.5f, 0, 1.75f};
    nav_ray ray;
    assert_int_equal(nav_query_raycast(mesh, scratch, corner, one, &OPTIONS, &ray), NAV_OK);
    assert_true(!ray.hit && ray.t == 1.0f);
    assert_int_equal(nav_query_raycast(mesh, scratch, corner, other, &OPTIONS, &ray), NAV_OK);
    assert_true(!ray.hit && ray.t == 1.0f);
    nav_mesh_release(mesh);
}

static void expect_ray(const nav_mesh *mesh, float ax, float az, float bx, float bz, bool hit)
{
    const float a[3] = {ax, 0, az}, b[3] = {bx, 0, bz};
    nav_ray ray;
    assert_int_equal(nav_query_raycast(mesh, scratch, a, b, &OPTIONS, &ray), NAV_OK);
    assert_true(ray.found);
    if (ray.hit != hit) {
        fail_msg("%g %g to %g %g: %s at %g", (double)ax, (double)az, (double)bx, (double)bz,
                 ray.hit ? "hit" : "free", (double)ray.t);
    }
}

// Both ends of a path's segment are rounded to half a millimetre, so that it may cut a corner.
static void a_ray_is_stopped_by_more_than_rounding(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh(".../.#./...");
    // Along the wall, past its corners, and beside them by a millimetre and by three.
    expect_ray(mesh, 0.25f, 1.0005f, 2.75f, 1.0005f, false);
    expect_ray(mesh, 1.0005f, 2.75f, 1.0005f, 0.25f, false);
    expect_ray(mesh, 0.25f, 1.75f, 1.751f, 0.251f, false);
    expect_ray(mesh, 0.25f, 1.753f, 1.753f, 0.25f, true);
    expect_ray(mesh, 0.25f, 1.003f, 2.75f, 1.003f, true);
    // Up to its end, which lies in the wall by that much, and by more.
    expect_ray(mesh, 0.25f, 0.5f, 1.5f, 1.0007f, false);
    expect_ray(mesh, 0.25f, 0.5f, 1.5f, 1.003f, true);
    // Right through it.
    expect_ray(mesh, 0.25f, 1.5f, 2.75f, 1.5f, true);
    expect_ray(mesh, 0.25f, 1.1f, 2.75f, 1.1f, true);
    nav_mesh_release(mesh);
    // A line along a wall that turns away from it by less than rounding, and goes on for long.
    mesh = map_mesh("......../########");
    expect_ray(mesh, 0.25f, 1.0f, 7.75f, 1.0007f, false);
    expect_ray(mesh, 0.25f, 0.9995f, 7.75f, 1.003f, true);
    nav_mesh_release(mesh);
}

// Two rooms side by side behind a hall, with a wall of no width in between; the second is longer.
static void a_ray_beside_a_slit_goes_on_where_either_side_does(void **state)
{
    (void)state;
    builder b;
    builder_init(&b);
    builder_rectangle(&b, 0, 0, 1, 1, 0);
    builder_rectangle(&b, 0, 1, 1, 2, 0);
    builder_rectangle(&b, 1, 0, 3, 1, 0);
    builder_rectangle(&b, 1, 1, 6, 2, 0);
    nav_mesh *mesh = builder_mesh(&b);
    builder_free(&b);
    // From the hall, from where the wall begins, and beside it.
    expect_ray(mesh, 0.5f, 0.9995f, 5.75f, 0.9995f, false);
    expect_ray(mesh, 1.0005f, 0.9995f, 5.75f, 1.0f, false);
    expect_ray(mesh, 2.0f, 0.9995f, 5.75f, 1.0f, false);
    expect_ray(mesh, 5.75f, 0.9995f, 0.5f, 0.9995f, false);
    // Farther from the wall than points are rounded.
    expect_ray(mesh, 0.5f, 0.997f, 5.75f, 0.997f, true);
    expect_ray(mesh, 2.0f, 0.997f, 5.75f, 1.5f, true);
    nav_mesh_release(mesh);
}

// Two grounds with a wedge between them. A path turns at its tip and goes on along one side; as it
// is printed, that segment begins on the other one and leaves it some millimetres on.
static void a_ray_from_the_tip_of_a_wedge_goes_along_either_side(void **state)
{
    (void)state;
    static const int32_t before[][3] = {{5, 0, 2}, {10, 0, 20}, {28, 0, 26}, {28, 0, 2}};
    static const int32_t right[][3] = {{10, 0, 20}, {7, 0, 33}, {28, 0, 26}};
    static const int32_t left[][3] = {{5, 0, 23}, {9, 0, 23}, {10, 0, 20}, {5, 0, 2}};
    builder b;
    builder_init(&b);
    builder_polygon(&b, 4, before);
    builder_polygon(&b, 3, right);
    builder_polygon(&b, 4, left);
    nav_mesh *mesh = builder_mesh(&b);
    builder_free(&b);
    expect_ray(mesh, 10.0003f, 20.0002f, 9.0f, 23.0f, false);
    expect_ray(mesh, 9.0f, 23.0f, 10.0003f, 20.0002f, false);
    expect_ray(mesh, 10.0003f, 20.0002f, 7.0f, 33.0f, false);
    // Into the wedge.
    expect_ray(mesh, 10.0003f, 20.0002f, 8.0f, 27.5f, true);
    nav_mesh_release(mesh);
}

// A strip of three, its long sides straight but not along an axis: hardly a place on them is exact
// in floats, and half of them lie a step outside.
static nav_mesh *slanted_strip(void)
{
    builder b;
    builder_init(&b);
    for (int32_t i = 0; i < 3; ++i) {
        const int32_t x = 7 * i, z = 3 * i;
        const int32_t corners[][3] = {
            {x, 0, z}, {x, 0, z + 10}, {x + 7, 0, z + 13}, {x + 7, 0, z + 3}};
        builder_polygon(&b, 4, corners);
    }
    nav_mesh *mesh = builder_mesh(&b);
    builder_free(&b);
    return mesh;
}

static void a_ray_slides_along_a_wall_that_it_stands_on(void **state)
{
    (void)state;
    nav_mesh *mesh = slanted_strip();
    int outside = 0;
    for (int i = 1; i < 400; ++i) {
        // From one place on a side to another, both as they are snapped; to and fro, on either
        // side.
        const float lift = i % 2 == 0 ? 10.0f : 0.0f, off = i % 2 == 0 ? 0.25f : -0.25f;
        const float from = 0.0517f * (float)i, to = 20.9f * fmodf(0.618034f * (float)i, 1.0f);
        const float a[3] = {from, 0, from * 3.0f / 7.0f + lift + off};
        const float c[3] = {to, 0, to * 3.0f / 7.0f + lift + off};
        nav_location places[2];
        nav_ray ray;
        assert_int_equal(nav_query_nearest(mesh, a, OPTIONS.snap, NAV_NONE, &places[0], 1), 1);
        assert_int_equal(nav_query_nearest(mesh, c, OPTIONS.snap, NAV_NONE, &places[1], 1), 1);
        const float *p = places[0].position;
        const double side = ((double)p[2] - (double)lift) * 7.0 - (double)p[0] * 3.0;
        outside += i % 2 == 0 ? side > 0.0 : side < 0.0;
        assert_int_equal(nav_query_raycast(mesh, scratch, p, places[1].position, &OPTIONS, &ray),
                         NAV_OK);
        const double dx = (double)ray.position[0] - (double)places[1].position[0];
        assert_true(fabs(dx) < 0.2 || ray.t == 1.0f);
        // Away from the ground there is no way, not even by a little more than that.
        const float out[3] = {p[0], 0, p[2] + 4.0f * off};
        assert_int_equal(nav_query_raycast(mesh, scratch, p, out, &OPTIONS, &ray), NAV_OK);
        assert_true(ray.hit && ray.t < 1e-4f);
    }
    assert_in_range(outside, 50, 350);
    nav_mesh_release(mesh);
}

// ---- wall ----

static double distance_to_segment(double x, double z, double ax, double az, double bx, double bz)
{
    const double ex = bx - ax, ez = bz - az;
    double t = ((x - ax) * ex + (z - az) * ez) / (ex * ex + ez * ez);
    t = fmin(fmax(t, 0.0), 1.0);
    return hypot(x - ax - ex * t, z - az - ez * t);
}

// Marks the cells that hang together with one.
static void flood(const char *map, int x, int z, bool seen[SIDE][SIDE])
{
    if (is_open(map, x, z) && !seen[z][x]) {
        seen[z][x] = true;
        flood(map, x + 1, z, seen);
        flood(map, x - 1, z, seen);
        flood(map, x, z + 1, seen);
        flood(map, x, z - 1, seen);
    }
}

// Of the sides of cells that hang together with the point's and have nothing open behind them. The
// nearest one is always in line of sight, so that no way over the mesh to it is longer.
static double nearest_side(const char *map, double x, double z)
{
    static const int sides[4][4] = {{0, 0, 1, 0}, {1, 0, 1, 1}, {1, 1, 0, 1}, {0, 1, 0, 0}};
    static const int behind[4][2] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};
    double best = HUGE_VAL;
    bool seen[SIDE][SIDE] = {{false}};
    flood(map, (int)x, (int)z, seen);
    for (int cz = 0; cz < SIDE; ++cz) {
        for (int cx = 0; cx < SIDE; ++cx) {
            for (int k = 0; k < 4 && seen[cz][cx]; ++k) {
                if (!is_open(map, cx + behind[k][0], cz + behind[k][1])) {
                    best = fmin(best, distance_to_segment(x, z, cx + sides[k][0], cz + sides[k][1],
                                                          cx + sides[k][2], cz + sides[k][3]));
                }
            }
        }
    }
    return best;
}

static void the_nearest_wall_is_found(void **state)
{
    (void)state;
    uint64_t random = 5;
    char map[(SIDE + 1) * SIDE];
    for (int round = 0; round < 200; ++round) {
        builder_random_map(&random, SIDE, 3, map);
        nav_mesh *mesh = map_mesh(map);
        for (int i = 0; i < 30; ++i) {
            const float point[3] = {random_place(&random), 0, random_place(&random)};
            nav_wall wall;
            assert_int_equal(nav_query_wall(mesh, scratch, point, 50.0f, &OPTIONS, &wall), NAV_OK);
            if (!is_open(map, (int)point[0], (int)point[2])) {
                continue;
            }
            const double expected = nearest_side(map, (double)point[0], (double)point[2]);
            assert_true(wall.found && wall.hit);
            assert_near(wall.distance, expected, 1e-4);
            assert_near(hypot((double)point[0] - (double)wall.position[0],
                              (double)point[2] - (double)wall.position[2]),
                        expected, 1e-4);
            assert_near(hypot((double)wall.normal[0], (double)wall.normal[2]), 1.0, 1e-5);
            // Looking less far finds it no more, and says how far was looked.
            const float near = (float)expected * 0.9f;
            assert_int_equal(nav_query_wall(mesh, scratch, point, near, &OPTIONS, &wall), NAV_OK);
            assert_true(!wall.hit && wall.distance == near);
        }
        nav_mesh_release(mesh);
    }
}

// ---- move ----

static void steps_stay_on_the_mesh_and_slide(void **state)
{
    (void)state;
    uint64_t random = 9;
    char map[(SIDE + 1) * SIDE];
    for (int round = 0; round < 200; ++round) {
        builder_random_map(&random, SIDE, 3, map);
        nav_mesh *mesh = map_mesh(map);
        for (int i = 0; i < 30; ++i) {
            const float a[3] = {random_place(&random), 0, random_place(&random)};
            const float b[3] = {a[0] + (float)(next_random(&random) % 400) / 100.0f - 2.0f, 0,
                                a[2] + (float)(next_random(&random) % 400) / 100.0f - 2.0f};
            if (!is_open(map, (int)a[0], (int)a[2])) {
                continue;
            }
            nav_move move;
            nav_ray ray;
            assert_int_equal(nav_query_move(mesh, scratch, a, b, &OPTIONS, &move), NAV_OK);
            assert_true(move.found && move.visited_count >= 1);
            assert_int_equal(move.visited[move.visited_count - 1], move.polygon);
            const double left = hypot((double)b[0] - (double)move.position[0],
                                      (double)b[2] - (double)move.position[2]);
            // It lies on the mesh, in a cell that hangs together with the first.
            nav_location place;
            assert_int_equal(nav_query_nearest(mesh, move.position, (nav_snap){0.01f, 1, 1},
                                               NAV_NONE, &place, 1),
                             1);
            bool seen[SIDE][SIDE] = {{false}};
            flood(map, (int)a[0], (int)a[2], seen);
            // A step that is free ends where it should; any other ends no farther from there than
            // the straight line does.
            assert_int_equal(nav_query_raycast(mesh, scratch, a, b, &OPTIONS, &ray), NAV_OK);
            assert_true(left <= hypot((double)b[0] - (double)ray.position[0],
                                      (double)b[2] - (double)ray.position[2]) +
                                    1e-4);
            assert_true(ray.hit || left < (double)NAV_PLAN_TOLERANCE);
        }
        nav_mesh_release(mesh);
    }
}

static void a_step_into_a_wall_slides_along_it(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh("...../.....");
    const float a[3] = {0.5f, 0, 1.5f}, b[3] = {2.5f, 0, 4.0f};
    nav_move move;
    assert_int_equal(nav_query_move(mesh, scratch, a, b, &OPTIONS, &move), NAV_OK);
    assert_near(move.position[0], 2.5, 1e-6);
    assert_near(move.position[2], 2.0, 1e-6);
    const float nowhere[3] = {50, 0, 50};
    assert_int_equal(nav_query_move(mesh, scratch, nowhere, b, &OPTIONS, &move), NAV_OK);
    assert_false(move.found);
    nav_mesh_release(mesh);
}

#define STOREY 10

// A hall along x with a ramp at its side that leads to a storey over its far end. The way along the
// hall leads over seven polygons to what lies below the storey, the way upstairs over five.
//
//   18    +----+--+-----------+
//         | landing |  upper  |
//   14    +----+--+-----------+
//         |ramp|  |           |
//   10    +----+-++-+-+-+-+-+-|-+
//         |    | | || | | | | | |   hall
//    0    +----+-++-+-+-+-+-+-|-+
//         25   35 40          60 64
static nav_mesh *two_storeys(void)
{
    static const int32_t ramp[4][3] = {
        {25, 0, 10}, {25, STOREY, 14}, {35, STOREY, 14}, {35, 0, 10}};
    static const int32_t ends[] = {25, 35, 38, 41, 44, 47, 50, 53, 60};
    builder b;
    builder_init(&b);
    for (int i = 0; i < 8; ++i) {
        builder_rectangle(&b, ends[i], 0, ends[i + 1], 10, 0);
    }
    builder_polygon(&b, 4, ramp);
    builder_rectangle(&b, 25, 14, 35, 18, STOREY);
    builder_rectangle(&b, 35, 14, 40, 18, STOREY);
    builder_rectangle(&b, 40, 14, 64, 18, STOREY);
    builder_rectangle(&b, 40, 0, 64, 14, STOREY);
    nav_mesh *mesh = builder_mesh(&b);
    builder_free(&b);
    return mesh;
}

static void a_step_stays_on_its_storey(void **state)
{
    (void)state;
    nav_mesh *mesh = two_storeys();
    const float start[3] = {26, 0, 5};
    nav_move move;
    // Over free ground to below the storey; to below its rim, where the hall ends before it does;
    // and to the storey itself.
    const float below[3] = {57, 0, 5}, beyond[3] = {62, 0, 5}, above[3] = {57, STOREY, 5};
    assert_int_equal(nav_query_move(mesh, scratch, start, below, &OPTIONS, &move), NAV_OK);
    assert_true(move.position[0] == 57.0f && move.position[1] == 0.0f);
    assert_int_equal(move.visited_count, 8);
    assert_int_equal(nav_query_move(mesh, scratch, start, beyond, &OPTIONS, &move), NAV_OK);
    assert_true(move.position[0] == 60.0f && move.position[1] == 0.0f);
    assert_int_equal(nav_query_move(mesh, scratch, start, above, &OPTIONS, &move), NAV_OK);
    assert_true(move.position[0] == 57.0f && move.position[1] == (float)STOREY);
    nav_mesh_release(mesh);
}

// ---- floors ----

static void floors_are_listed_from_the_top(void **state)
{
    (void)state;
    nav_mesh *mesh = rectangles_mesh(
        3, (const int32_t[][5]){{0, 0, 10, 10, 0}, {2, 2, 8, 8, 7}, {4, 4, 6, 6, 12}});
    nav_location floors[8];
    uint32_t count;
    assert_int_equal(nav_query_floors(mesh, scratch, 5, 5, &OPTIONS, floors, 8, &count), NAV_OK);
    assert_int_equal(count, 3);
    assert_true(floors[0].position[1] == 12.0f && floors[1].position[1] == 7.0f &&
                floors[2].position[1] == 0.0f);
    assert_int_equal(nav_query_floors(mesh, scratch, 5, 5, &OPTIONS, floors, 2, &count), NAV_OK);
    assert_true(count == 2 && floors[1].position[1] == 7.0f);
    assert_int_equal(nav_query_floors(mesh, scratch, 1, 1, &OPTIONS, floors, 8, &count), NAV_OK);
    assert_int_equal(count, 1);
    assert_int_equal(nav_query_floors(mesh, scratch, 50, 1, &OPTIONS, floors, 8, &count), NAV_OK);
    assert_int_equal(count, 0);
    nav_mesh_release(mesh);
}

static void a_floor_is_told_once_where_its_polygons_meet(void **state)
{
    (void)state;
    nav_mesh *mesh = rectangles_mesh(
        3, (const int32_t[][5]){{0, 0, 5, 10, 0}, {5, 0, 10, 10, 0}, {0, 0, 10, 10, 7}});
    nav_location floors[8];
    uint32_t count;
    assert_int_equal(nav_query_floors(mesh, scratch, 5, 5, &OPTIONS, floors, 8, &count), NAV_OK);
    assert_int_equal(count, 2);
    assert_true(floors[0].position[1] == 7.0f && floors[1].position[1] == 0.0f);
    nav_mesh_release(mesh);
}

#define TOWER_FLOORS 1000

static void a_tower_has_all_its_floors(void **state)
{
    (void)state;
    static int32_t rectangles[TOWER_FLOORS][5];
    static nav_location floors[TOWER_FLOORS + 1];
    for (int32_t i = 0; i < TOWER_FLOORS; ++i) {
        const int32_t rectangle[5] = {0, 0, 10, 10, 3 * i};
        memcpy(rectangles[i], rectangle, sizeof rectangle);
    }
    nav_mesh *mesh = rectangles_mesh(TOWER_FLOORS, (const int32_t(*)[5])rectangles);
    uint32_t count;
    assert_int_equal(
        nav_query_floors(mesh, scratch, 5, 5, &OPTIONS, floors, TOWER_FLOORS + 1, &count), NAV_OK);
    assert_int_equal(count, TOWER_FLOORS);
    for (uint32_t i = 0; i < count; ++i) {
        assert_true(floors[i].position[1] == (float)(3 * (TOWER_FLOORS - 1 - i)));
    }
    assert_int_equal(nav_query_floors(mesh, scratch, 5, 5, &OPTIONS, floors, 2, &count), NAV_OK);
    assert_true(count == 2 && floors[1].position[1] == (float)(3 * (TOWER_FLOORS - 2)));
    nav_mesh_release(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_end_where_the_cells_do),
        cmocka_unit_test(a_ray_passes_through_corners),
        cmocka_unit_test(a_ray_from_the_corner_of_a_wall_goes_to_all_open_sides),
        cmocka_unit_test(a_ray_from_a_corner_of_two_rooms_begins_in_either),
        cmocka_unit_test(a_ray_is_stopped_by_more_than_rounding),
        cmocka_unit_test(a_ray_beside_a_slit_goes_on_where_either_side_does),
        cmocka_unit_test(a_ray_from_the_tip_of_a_wedge_goes_along_either_side),
        cmocka_unit_test(a_ray_slides_along_a_wall_that_it_stands_on),
        cmocka_unit_test(the_nearest_wall_is_found),
        cmocka_unit_test(steps_stay_on_the_mesh_and_slide),
        cmocka_unit_test(a_step_into_a_wall_slides_along_it),
        cmocka_unit_test(a_step_stays_on_its_storey),
        cmocka_unit_test(floors_are_listed_from_the_top),
        cmocka_unit_test(a_floor_is_told_once_where_its_polygons_meet),
        cmocka_unit_test(a_tower_has_all_its_floors),
    };
    return cmocka_run_group_tests(tests, scratch_begin, scratch_end);
}
