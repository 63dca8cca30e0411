// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// The polygons along a path follow one another, and each begins where the path comes to it.

#include "tests/unit/mesh_builder.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

#define STEPS_MAX 512

typedef struct walk {
    nav_scratch *scratch;
    nav_path path;
    nav_path_step steps[STEPS_MAX];
    uint32_t count;
} walk;

static void take(walk *w, const nav_mesh *mesh, float ax, float az, float bx, float bz)
{
    const nav_path_request request = {
        .start = {ax, 0, az}, .end = {bx, 0, bz}, .options.snap = {0.6f, 4, 4}};
    assert_int_equal(nav_query_path(mesh, w->scratch, &request, &w->path), NAV_OK);
    w->count = nav_query_path_steps(&w->path, w->steps, STEPS_MAX);
}

static void walk_init(walk *w)
{
    memset(w, 0, sizeof *w);
    assert_int_equal(nav_scratch_create(NULL, &w->scratch), NAV_OK);
}

static bool are_neighbours(const nav_mesh *mesh, uint32_t from, uint32_t to)
{
    const nav_polygon polygon = nav_mesh_polygon(mesh, from);
    for (uint32_t i = 0; i < polygon.vertex_count; ++i) {
        if (polygon.neighbours[i] == to) {
            return true;
        }
    }
    return false;
}

static void a_bend_is_where_it_bends(void **state)
{
    (void)state;
    walk w;
    walk_init(&w);
    // Polygons 0 1 2 in a row, then 3 and 4 below 2.
    nav_mesh *mesh = map_mesh(".../##./##.");
    take(&w, mesh, 0.5f, 0.5f, 2.5f, 2.5f);
    assert_int_equal(w.path.point_count, 3); // around the corner at 2, 1
    assert_int_equal(w.count, 5);
    const uint32_t polygons[] = {0, 1, 2, 3, 4};
    const uint32_t points[] = {0, 0, 0, 1, 1};
    for (uint32_t i = 0; i < w.count; ++i) {
        assert_int_equal(w.steps[i].polygon, polygons[i]);
        assert_int_equal(w.steps[i].link, NAV_NONE);
        if (i != 2 && i != 3) { // on the corner itself either piece is right
            assert_int_equal(w.steps[i].point, points[i]);
        }
    }
    assert_int_equal(nav_query_path_steps(&w.path, w.steps, 2), 2);
    assert_int_equal(nav_query_path_steps(&w.path, w.steps, 0), 0);
    nav_mesh_release(mesh);
    nav_scratch_destroy(w.scratch);
}

static void a_link_is_a_step(void **state)
{
    (void)state;
    walk w;
    walk_init(&w);
    nav_link link = {.start = {1.5f, 0, 0.5f},
                     .end = {4.5f, 0, 0.5f},
                     .radius = 0.2f,
                     .area = NAV_AREA_GROUND,
                     .bidirectional = true};
    nav_config config = nav_config_default();
    config.links = &link;
    config.link_count = 1;
    nav_mesh *mesh = map_mesh_with("..##..", &config, NULL);
    take(&w, mesh, 0.5f, 0.5f, 5.5f, 0.5f);
    assert_int_equal(w.count, 4);
    assert_int_equal(w.steps[2].link, 0);
    assert_int_equal(w.steps[2].polygon, 2);
    const float *at = w.path.points + 3 * (size_t)w.steps[2].point;
    assert_true(at[0] == 4.5f && at[2] == 0.5f);
    take(&w, mesh, 5.5f, 0.5f, 0.5f, 0.5f);
    at = w.path.points + 3 * (size_t)w.steps[2].point;
    assert_int_equal(w.steps[2].link, 0);
    assert_true(at[0] == 1.5f);
    nav_mesh_release(mesh);
    nav_scratch_destroy(w.scratch);
}

static void no_points_no_steps(void **state)
{
    (void)state;
    walk w;
    walk_init(&w);
    nav_mesh *mesh = map_mesh("..");
    take(&w, mesh, 90, 90, 0.5f, 0.5f);
    assert_int_equal(w.count, 0);
    take(&w, mesh, 0.5f, 0.5f, 0.5f, 0.5f);
    assert_int_equal(w.count, 1);
    nav_mesh_release(mesh);
    nav_scratch_destroy(w.scratch);
}

// The nearest distance from a step's piece of the path to its polygon, by samples.
static double piece_to_polygon(const nav_mesh *mesh, const walk *w, const nav_path_step *step)
{
    const float *p = w->path.points + 3 * (size_t)step->point;
    const float *q = step->point + 1 < w->path.point_count ? p + 3 : p;
    const nav_polygon polygon = nav_mesh_polygon(mesh, step->polygon);
    double best = HUGE_VAL;
    for (int i = 0; i <= 200; ++i) {
        const double t = i / 200.0;
        const double x = (double)p[0] + ((double)q[0] - (double)p[0]) * t;
        const double z = (double)p[2] + ((double)q[2] - (double)p[2]) * t;
        double outside = 0.0;
        for (uint32_t k = 0; k < polygon.vertex_count; ++k) {
            const float *a = nav_mesh_vertex(mesh, polygon.vertices[k]);
            const float *b =
                nav_mesh_vertex(mesh, polygon.vertices[(k + 1) % polygon.vertex_count]);
            const double dx = (double)b[0] - (double)a[0], dz = (double)b[2] - (double)a[2];
            const double off =
                (dx * (z - (double)a[2]) - dz * (x - (double)a[0])) / sqrt(dx * dx + dz * dz);
            outside = fmax(outside, off);
        }
        best = fmin(best, outside);
    }
    return best;
}

static void steps_follow_the_path_on_random_maps(void **state)
{
    (void)state;
    uint64_t random = 3;
    walk w;
    walk_init(&w);
    for (int round = 0; round < 300; ++round) {
        char map[200];
        char *to = map;
        for (int i = 0; i < 144; ++i) {
            *to++ = next_random(&random) % 10 < 3 ? '#' : '.';
            if (i % 12 == 11 && i < 143) {
                *to++ = '/';
            }
        }
        *to = '\0';
        nav_mesh *mesh = map_mesh(map);
        for (int ask = 0; ask < 20; ++ask) {
            take(&w, mesh, (float)(next_random(&random) % 120) / 10.0f,
                 (float)(next_random(&random) % 120) / 10.0f,
                 (float)(next_random(&random) % 120) / 10.0f,
                 (float)(next_random(&random) % 120) / 10.0f);
            if (w.path.point_count == 0) {
                continue;
            }
            assert_int_equal(w.count, w.path.corridor_count + 1);
            for (uint32_t i = 0; i < w.count; ++i) {
                assert_true(i == 0 ||
                            are_neighbours(mesh, w.steps[i - 1].polygon, w.steps[i].polygon));
                assert_true(i == 0 || w.steps[i].point >= w.steps[i - 1].point);
                assert_true(w.steps[i].point < w.path.point_count);
                assert_true(piece_to_polygon(mesh, &w, &w.steps[i]) < 0.05);
            }
        }
        nav_mesh_release(mesh);
    }
    nav_scratch_destroy(w.scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bend_is_where_it_bends),
        cmocka_unit_test(a_link_is_a_step),
        cmocka_unit_test(no_points_no_steps),
        cmocka_unit_test(steps_follow_the_path_on_random_maps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
