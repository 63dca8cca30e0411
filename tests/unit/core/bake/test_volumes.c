// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_volumes.c: volumes mark what one after the other, cell by cell, would have marked, on
// random fields of several storeys; and what lies under later volumes is no work.

#include "tests/unit/bake_builder.h"

#include <math.h>

#define WIDTH 23
#define DEPTH 19
#define CELLS (WIDTH * DEPTH)
#define FLOORS_MAX 4
#define VOLUMES_MAX 24
#define POINTS_MAX 9

// ---- the reference: each volume, each cell, each floor ----

static bool outline_holds(const nav_volume *v, double x, double z)
{
    bool inside = false;
    for (uint32_t i = 0, j = v->point_count - 1; i < v->point_count; j = i++) {
        const double xi = (double)v->points[i][0], zi = (double)v->points[i][1];
        const double xj = (double)v->points[j][0], zj = (double)v->points[j][1];
        if ((zi > z) != (zj > z) && x < xi + (xj - xi) * (z - zi) / (zj - zi)) {
            inside = !inside;
        }
    }
    return inside;
}

// In a world whose cells are cubes of side 1, from 0 on.
static bool holds(const nav_volume *v, double x, double z)
{
    if (v->shape == NAV_VOLUME_CONVEX) {
        return outline_holds(v, x, z);
    }
    if (v->shape == NAV_VOLUME_CYLINDER) {
        const double dx = x - (double)v->min[0], dz = z - (double)v->min[2];
        return dx * dx + dz * dz <= (double)v->radius * (double)v->radius;
    }
    return x >= (double)v->min[0] && x <= (double)v->max[0] && z >= (double)v->min[2] &&
           z <= (double)v->max[2];
}

static void mark_by_reference(const nav_bake_job *job, nav_field *f, bool cuts)
{
    for (uint32_t k = 0; k < job->config->volume_count; ++k) {
        const nav_volume *v = &job->config->volumes[k];
        const double top = floor((double)v->max[1]) + (job->config->volumes_reach_up ? 1 : 0);
        for (uint32_t i = 0; i < f->width * f->depth; ++i) {
            const bool inside = (v->area == NAV_AREA_NONE) == cuts &&
                                holds(v, i % f->width + 0.5, i / f->width + 0.5);
            for (uint32_t s = f->first[i]; inside && s < f->first[i + 1]; ++s) {
                const bool low = job->low_cells != 0 && f->headroom[s] <= job->height_min_cells;
                if (f->area[s] != NAV_AREA_NONE && f->floor[s] >= floor((double)v->min[1]) &&
                    f->floor[s] <= top && (cuts || !low)) {
                    f->area[s] = v->area;
                }
            }
        }
    }
}

// ---- random worlds ----

// Columns of up to four floors, some cut, some low.
static nav_field make_field(bake_builder *b, uint64_t *chance)
{
    nav_field f = {.width = WIDTH,
                   .depth = DEPTH,
                   .first = NAV_NEW(&b->given, uint32_t, CELLS + 1),
                   .floor = NAV_NEW(&b->given, uint16_t, CELLS * FLOORS_MAX),
                   .headroom = NAV_NEW(&b->given, uint16_t, CELLS * FLOORS_MAX),
                   .area = NAV_NEW(&b->given, uint16_t, CELLS * FLOORS_MAX)};
    for (uint32_t i = 0; i < CELLS; ++i) {
        f.first[i] = f.span_count;
        const uint32_t count = random_below(chance, FLOORS_MAX + 1);
        for (uint32_t k = 0; k < count; ++k) {
            const uint32_t s = f.span_count++;
            f.floor[s] = (uint16_t)(10 * k + random_below(chance, 5));
            f.headroom[s] = (uint16_t)(2 + random_below(chance, 4));
            f.area[s] = random_below(chance, 6) == 0 ? NAV_AREA_NONE : NAV_AREA_GROUND;
        }
    }
    f.first[CELLS] = f.span_count;
    return f;
}

// A quarter of all numbers lie on borders and middles of cells.
static float place(uint64_t *chance, float max)
{
    const float at = random_between(chance, -4, max + 4);
    return random_below(chance, 4) == 0 ? roundf(2 * at) / 2 : at;
}

static nav_volume make_volume(uint64_t *chance, float (*points)[2])
{
    nav_volume v = {.shape = (nav_volume_shape)random_below(chance, 3),
                    .area =
                        (uint8_t)(random_below(chance, 5) == 0 ? 0 : 2 + random_below(chance, 9)),
                    .points = (const float(*)[2])points,
                    .point_count = 3 + random_below(chance, POINTS_MAX - 2),
                    .radius = random_between(chance, 0, 9)};
    const float a[2] = {place(chance, WIDTH), place(chance, DEPTH)};
    const float b[2] = {place(chance, WIDTH), place(chance, DEPTH)};
    v.min[1] = random_between(chance, -3, 30);
    v.max[1] = v.min[1] + random_between(chance, 0, 25);
    for (int i = 0; i < 2; ++i) {
        v.min[2 * i] = fminf(a[i], b[i]);
        v.max[2 * i] = fmaxf(a[i], b[i]);
    }
    // Also outlines that cross themselves.
    for (uint32_t i = 0; i < v.point_count; ++i) {
        points[i][0] = place(chance, WIDTH);
        points[i][1] = place(chance, DEPTH);
    }
    return v;
}

static void marks_are_those_of_volumes_one_by_one(void **state)
{
    (void)state;
    uint64_t chance = 5;
    uint64_t marked = 0;
    for (uint32_t round = 0; round < 3000; ++round) {
        bake_builder b;
        static float points[VOLUMES_MAX][POINTS_MAX][2];
        nav_volume volumes[VOLUMES_MAX];
        builder_init(&b, WIDTH, DEPTH);
        b.config.volumes = volumes;
        b.config.volume_count = random_below(&chance, VOLUMES_MAX + 1);
        b.config.volumes_reach_up = random_below(&chance, 2) == 0;
        b.job.low_cells = random_below(&chance, 2) * 3;
        for (uint32_t i = 0; i < b.config.volume_count; ++i) {
            volumes[i] = make_volume(&chance, points[i]);
        }
        nav_field f = make_field(&b, &chance);
        nav_field wanted = f;
        wanted.area = NAV_NEW(&b.given, uint16_t, f.span_count + 1);
        memcpy(wanted.area, f.area, f.span_count * sizeof *f.area);
        for (int pass = 0; pass < 2; ++pass) {
            mark_by_reference(&b.job, &wanted, pass == 0);
            assert_int_equal(nav_bake_volumes(&b.job, &f, pass == 0), NAV_OK);
            assert_memory_equal(f.area, wanted.area, f.span_count * sizeof *f.area);
        }
        for (uint32_t i = 0; i < f.span_count; ++i) {
            marked += f.area[i] > NAV_AREA_GROUND;
        }
        builder_free(&b);
    }
    assert_true(marked > 100000);
}

// ---- work ----

#define MANY 5000
#define SIDE 200

// Volumes under others are not looked at: the stage polls once a row, and once for each 65,536
// items of work.
static void what_lies_under_later_volumes_is_no_work(void **state)
{
    (void)state;
    static nav_volume volumes[MANY];
    bake_builder b;
    builder_init(&b, SIDE, SIDE);
    const char *rows[SIDE];
    char ground[SIDE];
    memset(ground, '.', SIDE);
    for (uint32_t i = 0; i < SIDE; ++i) {
        rows[i] = ground;
    }
    nav_field f = builder_field(&b, rows);
    for (uint32_t i = 0; i < MANY; ++i) {
        volumes[i] = (nav_volume){
            .shape = NAV_VOLUME_BOX, .area = (uint8_t)(2 + i % 7), .max = {SIDE, 20, SIDE}};
    }
    b.config.volumes = volumes;
    b.config.volume_count = MANY;
    assert_int_equal(nav_bake_volumes(&b.job, &f, false), NAV_OK);
    for (uint32_t i = 0; i < f.span_count; ++i) {
        assert_int_equal(f.area[i], 2 + (MANY - 1) % 7);
    }
    assert_in_range(b.cancel_calls, SIDE, SIDE + 3);

    // Half the field is under the last one; the others go on beside it, one in each row.
    volumes[MANY - 1].max[0] = SIDE / 2;
    volumes[MANY - 1].area = 9;
    for (uint32_t i = 0; i < f.span_count; ++i) {
        f.area[i] = NAV_AREA_GROUND;
    }
    b.cancel_calls = 0;
    assert_int_equal(nav_bake_volumes(&b.job, &f, false), NAV_OK);
    assert_int_equal(f.area[span_at(&f, SIDE / 2 - 1, 7)], 9);
    assert_int_equal(f.area[span_at(&f, SIDE / 2, 7)], 2 + (MANY - 2) % 7);
    assert_in_range(b.cancel_calls, SIDE, SIDE + 3);
    builder_free(&b);
}

static nav_status mark_all(bake_builder *b, void *data)
{
    return nav_bake_volumes(&b->job, data, false);
}

static void failures_are_told(void **state)
{
    (void)state;
    bake_builder b;
    builder_init(&b, 6, 3);
    static const char *const rows[] = {"......", "......", "......"};
    nav_field f = builder_field(&b, rows);
    nav_volume volumes[200];
    for (uint32_t i = 0; i < 200; ++i) {
        volumes[i] = (nav_volume){.shape = NAV_VOLUME_BOX, .area = 2, .max = {6, 20, 3}};
    }
    b.config.volumes = volumes;
    b.config.volume_count = 200;
    assert_true(builder_fail_each_call(&b, mark_all, &f) > 1);
    assert_true(builder_fail_each_limit(&b, mark_all, &f, 256, 512) > 1);
    // Once a row, and the first poll, which is due at once here.
    assert_int_equal(builder_cancel_each_call(&b, mark_all, &f), 4);
    builder_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_are_those_of_volumes_one_by_one),
        cmocka_unit_test(what_lies_under_later_volumes_is_no_work),
        cmocka_unit_test(failures_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
