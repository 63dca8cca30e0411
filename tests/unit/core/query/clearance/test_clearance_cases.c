// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_clearance_cases.c: a path with a clearance among pillars: whenever the deadline comes there
// is an answer, want of memory is told, and limits count for more than room. No more is told than
// is kept, however large the clearance or short the path.

#include "tests/unit/counting_allocator.h"
#include "tests/unit/mesh_builder.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

#define POINTS_MAX 1024

typedef struct answer {
    nav_path path;
    uint32_t count;
    float points[POINTS_MAX][3];
} answer;
static answer plain, clear;

static void ask(const nav_mesh *mesh, nav_scratch *scratch, const nav_path_request *request,
                answer *out)
{
    assert_int_equal(nav_query_path(mesh, scratch, request, &out->path), NAV_OK);
    out->count = out->path.point_count;
    assert_true(out->count <= POINTS_MAX);
    memcpy(out->points, out->path.points, out->count * sizeof out->points[0]);
}

#define SIDE 40

// A map with pillars at every second place of every second row, and long ways past them.
static nav_mesh *pillars(void)
{
    static char map[(SIDE + 1) * SIDE];
    for (int i = 0; i < SIDE * SIDE; ++i) {
        const int x = i % SIDE, z = i / SIDE;
        map[i + z] = x % 4 == 1 && z % 3 == 1 ? '#' : '.';
        if (x == SIDE - 1) {
            map[i + z + 1] = z + 1 < SIDE ? '/' : '\0';
        }
    }
    return map_mesh(map);
}

static nav_path_request across(float clearance)
{
    return (nav_path_request){.start = {1.5f, 0, 0.2f},
                              .end = {SIDE - 0.2f, 0, SIDE - 1.5f},
                              .options = nav_options_default(),
                              .clearance = clearance};
}

typedef struct deadline {
    uint32_t polls, most;
} deadline;

static bool is_exceeded(void *user)
{
    deadline *d = user;
    return ++d->polls > d->most;
}

static bool is_same(const nav_path *path, const answer *as)
{
    return path->point_count == as->count &&
           memcmp(path->points, as->points, as->count * sizeof as->points[0]) == 0;
}

// How often a question polls its deadline, which never comes.
static uint32_t count_polls(const nav_mesh *mesh, nav_scratch *scratch, nav_path_request request)
{
    deadline d = {.most = UINT32_MAX};
    nav_path path;
    request.options.user = &d;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    return d.polls;
}

// Wherever the deadline comes there is an answer. Once the path is found that is the path, which is
// not led away by any later deadline.
static void a_deadline_leaves_the_path(void **state)
{
    (void)state;
    nav_mesh *mesh = pillars();
    nav_scratch *scratch;
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    nav_path_request request = across(0.4f);
    ask(mesh, scratch, &request, &clear);
    assert_true(clear.path.clearance_min == (double)request.clearance);
    request.clearance = 0.0f;
    ask(mesh, scratch, &request, &plain);
    request.clearance = 0.4f;
    request.options.cancelled = is_exceeded;
    request.options.unhurried = true;
    const uint32_t all = count_polls(mesh, scratch, request);
    request.clearance = 0.0f;
    const uint32_t found = count_polls(mesh, scratch, request);
    request.clearance = 0.4f;
    assert_true(all >= found + 3);
    for (uint32_t most = 0; most <= all; ++most) {
        deadline d = {.most = most};
        request.options.user = &d;
        nav_path path;
        assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
        assert_int_equal(d.polls, most < all ? most + 1 : all);
        assert_true(most < all ? !is_same(&path, &clear) : is_same(&path, &clear));
        // A search that ends early may have found another path already.
        assert_true(path.status == NAV_PATH_NONE || path.point_count > 0);
        if (most >= found && most < all) {
            assert_int_equal(path.status, NAV_PATH_COMPLETE);
            assert_true(is_same(&path, &plain) && path.cost == plain.path.cost);
            assert_true(path.clearance_min < (double)request.clearance);
        }
    }
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
}

// The allocator fails at call n, for every n: behind those by which the path is found each failure
// is told. The scratch is good for the same question after it.
static void want_of_memory_is_told(void **state)
{
    (void)state;
    nav_mesh *mesh = pillars();
    const nav_path_request request = across(0.4f), without = across(0.0f);
    uint32_t calls[2]; // of both
    for (int i = 0; i < 2; ++i) {
        counting counted = {.calls_max = UINT32_MAX};
        const nav_allocator allocator = counting_allocator(&counted);
        nav_scratch *scratch;
        assert_int_equal(nav_scratch_create(&allocator, &scratch), NAV_OK);
        ask(mesh, scratch, i == 0 ? &without : &request, &clear);
        calls[i] = counted.calls;
        nav_scratch_destroy(scratch);
    }
    assert_true(calls[1] > calls[0]);
    for (uint32_t n = 1; n <= calls[1]; ++n) {
        counting counted = {.calls_max = n};
        const nav_allocator allocator = counting_allocator(&counted);
        nav_scratch *scratch;
        nav_path path = {.point_count = 77};
        assert_int_equal(nav_scratch_create(&allocator, &scratch), NAV_OK);
        const nav_status status = nav_query_path(mesh, scratch, &request, &path);
        assert_true(status == NAV_OK || (status == NAV_NO_MEMORY && path.point_count == 77));
        assert_true(n < calls[0] || status == (n < calls[1] ? NAV_NO_MEMORY : NAV_OK));
        counted.calls_max = UINT32_MAX;
        assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
        assert_true(is_same(&path, &clear) && path.clearance_min == clear.path.clearance_min);
        nav_scratch_destroy(scratch);
        assert_int_equal(counted.held_bytes, 0);
    }
    nav_mesh_release(mesh);
}

static void limits_count_for_more_than_room(void **state)
{
    (void)state;
    nav_mesh *mesh = pillars();
    nav_scratch *scratch;
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    nav_path_request request = across(0.0f);
    ask(mesh, scratch, &request, &plain);
    request.clearance = 0.4f;
    ask(mesh, scratch, &request, &clear);
    assert_true(clear.path.cost > plain.path.cost && !clear.path.optimal);
    for (int i = 0; i < 4; ++i) {
        nav_path path;
        nav_path_request limited = request;
        limited.no_partial = i % 2 == 1;
        limited.max_cost = i < 2 ? plain.path.cost * 1.000002 : 0.0;
        limited.max_length = i < 2 ? 0.0 : plain.path.length;
        assert_int_equal(nav_query_path(mesh, scratch, &limited, &path), NAV_OK);
        assert_int_equal(path.status, NAV_PATH_COMPLETE);
        assert_true(path.optimal && path.clearance_min < 1e-6);
        limited.max_cost *= clear.path.cost / plain.path.cost;
        limited.max_length *= 1.000001 * clear.path.length / plain.path.length;
        assert_int_equal(nav_query_path(mesh, scratch, &limited, &path), NAV_OK);
        assert_true(path.clearance_min == (double)request.clearance && !path.optimal);
        // Beyond both: the beginning of the one with room.
        limited.max_cost *= 0.5;
        limited.max_length *= 0.5;
        assert_int_equal(nav_query_path(mesh, scratch, &limited, &path), NAV_OK);
        assert_int_equal(path.status, i % 2 == 1 ? NAV_PATH_NONE : NAV_PATH_PARTIAL);
        assert_true(i % 2 == 1 || path.clearance_min == (double)request.clearance);
    }
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
}

// A bend, and behind it a slope up to the goal: what goal_radius leaves off there is longer than
// the radius, which is in plan view.
//
//   16  goal +----+
//            |ramp|
//   10       +----+
//            |    |
//    4  +----+----+
//       |    |    |
//    0  +----+----+
//       0    6    10
static void limits_count_what_a_radius_leaves_off_a_slope(void **state)
{
    (void)state;
    static const int32_t ramp[4][3] = {{6, 0, 10}, {6, 9, 16}, {10, 9, 16}, {10, 0, 10}};
    builder b;
    nav_scratch *scratch;
    builder_init(&b);
    builder_rectangle(&b, 0, 0, 6, 4, 0);
    builder_rectangle(&b, 6, 0, 10, 4, 0);
    builder_rectangle(&b, 6, 4, 10, 10, 0);
    builder_polygon(&b, 4, ramp);
    nav_mesh *mesh = builder_mesh(&b);
    builder_free(&b);
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    nav_path_request request = {.start = {1, 0, 2},
                                .end = {8, 7.5f, 15},
                                .goal_radius = 4.0f,
                                .options = nav_options_default()};
    nav_path path;
    ask(mesh, scratch, &request, &plain);
    request.clearance = 1.0f;
    ask(mesh, scratch, &request, &clear);
    assert_true(clear.path.length > plain.path.length + 0.01);
    request.max_length = plain.path.length + 0.005;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    assert_int_equal(path.status, NAV_PATH_COMPLETE);
    assert_true(path.clearance_min < 1e-6);
    // Beyond them, it is the beginning of the one with room.
    request.max_length = plain.path.length - 0.005;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    assert_int_equal(path.status, NAV_PATH_PARTIAL);
    assert_true(path.clearance_min > 0.9);
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
}

// Cells that jut out of the long sides of a hall of 16 by 5.
typedef struct jut {
    double x0, x1, z0, z1;
} jut;

// From the walls of that hall.
static double hall_distance(double x, double z)
{
    static const jut juts[] = {{5, 6, 0, 3}, {10, 11, 2, 5}};
    double nearest = fmin(fmin(x, 16 - x), fmin(z, 5 - z));
    for (int i = 0; i < 2; ++i) {
        const double off_x = fmax(fmax(juts[i].x0 - x, x - juts[i].x1), 0);
        const double off_z = fmax(fmax(juts[i].z0 - z, z - juts[i].z1), 0);
        nearest = fmin(nearest, hypot(off_x, off_z));
    }
    return nearest;
}

// The least distance of what lies between two columns of the hall.
static double distance_between(const answer *a, double from_x, double to_x)
{
    double nearest = HUGE_VAL;
    for (uint32_t i = 0; i + 1 < a->count; ++i) {
        for (int k = 0; k <= 200; ++k) {
            const float *p = a->points[i], *q = a->points[i + 1];
            const double x = (double)p[0] + ((double)q[0] - (double)p[0]) * k / 200;
            const double z = (double)p[2] + ((double)q[2] - (double)p[2]) * k / 200;
            nearest = x >= from_x && x <= to_x ? fmin(nearest, hall_distance(x, z)) : nearest;
        }
    }
    return nearest;
}

//         .....#..........        A hall in which no place is as far from walls as most clearances
//         .....#..........        ask: the path passes in the middle of what there is, and no more
//   start .....#....#..... goal   is told than it keeps there.
//         ..........#.....
//         ..........#.....
static void a_clearance_beyond_all_room_leads_through_the_middle(void **state)
{
    (void)state;
    static const float clearances[] = {1, 2, 3, 5, 8, 12, 20, 100, 1000};
    nav_mesh *mesh = map_mesh(".....#........../.....#........../.....#....#...../"
                              "..........#...../..........#.....");
    nav_scratch *scratch;
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    for (size_t i = 0; i < sizeof clearances / sizeof *clearances; ++i) {
        const nav_path_request request = {.start = {0.5f, 0, 2.5f},
                                          .end = {15.5f, 0, 2.5f},
                                          .options = nav_options_default(),
                                          .clearance = clearances[i]};
        ask(mesh, scratch, &request, &clear);
        const double kept = distance_between(&clear, 5, 11);
        assert_true(clear.path.clearance_min <= kept + 2e-3);
        assert_true(clear.path.clearance_min > 0.9);
    }
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
}

// From one place at a wall to another, half a step away, and to the same.
static void a_short_path_tells_what_it_keeps(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh("......../......../......../......../......../......../......../"
                              "........");
    nav_scratch *scratch;
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    for (int i = 0; i <= 16; ++i) {
        const float length = 0.125f * (float)i;
        nav_path_request request = {
            .start = {2, 0, 0.1f}, .end = {2 + length, 0, 0.1f}, .options = nav_options_default()};
        request.clearance = 3.0f;
        ask(mesh, scratch, &request, &clear);
        double kept = HUGE_VAL; // half way along it
        for (uint32_t k = 0; k + 1 < clear.count; ++k) {
            const double from = (double)clear.points[k][0], to = (double)clear.points[k + 1][0];
            const double t = (2.0 + (double)length / 2.0 - from) / (to - from);
            if (t >= 0.0 && t <= 1.0) {
                kept = fmin(kept, (double)clear.points[k][2] * (1.0 - t) +
                                      (double)clear.points[k + 1][2] * t);
            }
        }
        kept = clear.count == 1 ? 0.1 : kept;
        assert_true(clear.path.clearance_min <= kept + 2e-3);
        // It leads away from the wall by about a quarter of its length.
        assert_true(clear.path.clearance_min >= 0.1 + 0.2 * (double)length - 4e-3);
        assert_true(kept <= 0.1 + 0.3 * (double)length + 4e-3);
    }
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_deadline_leaves_the_path),
        cmocka_unit_test(want_of_memory_is_told),
        cmocka_unit_test(limits_count_for_more_than_room),
        cmocka_unit_test(limits_count_what_a_radius_leaves_off_a_slope),
        cmocka_unit_test(a_clearance_beyond_all_room_leads_through_the_middle),
        cmocka_unit_test(a_short_path_tells_what_it_keeps),
    };
    return cmocka_run_group_tests_name("query_clearance_cases", tests, NULL, NULL);
}
