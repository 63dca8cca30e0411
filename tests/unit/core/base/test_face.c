// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_face.c: faces that are cut have the area of their outline, wherever they lie in space,
// whatever corner comes first, with corners in line and twice; what crosses itself is said.

#include "core/nav.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define CORNERS_MAX 4096u

typedef struct face {
    float vertices[CORNERS_MAX][3];
    uint32_t count;
} face;

// xorshift: the same numbers on every machine.
static uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static double normal_of(const face *f, const uint32_t corners[3], double sum[3])
{
    double sides[2][3], out[3];
    for (int side = 0; side < 2; side++) {
        for (int axis = 0; axis < 3; axis++) {
            sides[side][axis] = (double)f->vertices[corners[side + 1]][axis] -
                                (double)f->vertices[corners[0]][axis];
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        out[axis] = sides[0][u] * sides[1][v] - sides[0][v] * sides[1][u];
        sum[axis] += out[axis];
    }
    return sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
}

static uint32_t fan_of(const face *f, uint32_t (*fan)[3])
{
    for (uint32_t i = 0; i + 2 < f->count; i++) {
        fan[i][0] = 0;
        fan[i][1] = i + 1;
        fan[i][2] = i + 2;
    }
    return f->count - 2;
}

// Cuts the face as it comes. Result: the area of its triangles beside that of its outline.
static double cut(const face *f, bool *whole)
{
    static uint32_t triangles[CORNERS_MAX][3];
    const uint32_t count = fan_of(f, triangles);
    double outline[3] = {0}, ignored[3] = {0}, covered = 0;
    for (uint32_t i = 0; i < count; i++) {
        normal_of(f, triangles[i], outline);
    }
    *whole = true;
    if (!nav_face_is_fan(f->vertices[0], (const uint32_t(*)[3])triangles, count)) {
        nav_arena scratch;
        uint64_t work = UINT64_MAX;
        nav_arena_init(&scratch, NULL, 0);
        assert_int_equal(
            nav_face_cut(f->vertices[0], triangles, count, NULL, &work, &scratch, whole), NAV_OK);
        nav_arena_free(&scratch);
    }
    for (uint32_t i = 0; i < count; i++) {
        covered += normal_of(f, triangles[i], ignored);
    }
    return covered /
           sqrt(outline[0] * outline[0] + outline[1] * outline[1] + outline[2] * outline[2]);
}

static void add(face *f, float x, float y, float z)
{
    f->vertices[f->count][0] = x;
    f->vertices[f->count][1] = y;
    f->vertices[f->count++][2] = z;
}

static void check(const face *f)
{
    face turned = *f;
    bool whole;
    for (uint32_t first = 0; first < f->count; first++) {
        for (uint32_t i = 0; i < f->count; i++) {
            memcpy(turned.vertices[i], f->vertices[(first + i) % f->count],
                   sizeof turned.vertices[i]);
        }
        assert_float_equal(cut(&turned, &whole), 1, 1e-9);
        assert_true(whole);
    }
}

static void notches_stay_open(void **state)
{
    (void)state;
    static const float outlines[][10][2] = {
        {{0, 20}, {10, 20}, {10, 10}, {20, 10}, {20, 0}, {0, 0}},         // L
        {{0, 0}, {0, 9}, {3, 9}, {3, 3}, {6, 3}, {6, 9}, {9, 9}, {9, 0}}, // U
        {{0, 0}, {4, 4}, {8, 0}, {4, 12}},                                // arrowhead
        {{0, 0}, {0, 4}, {0, 8}, {4, 8}, {8, 8}, {8, 4}, {4, 4}, {4, 0}}, // corners in line
        {{0, 0}, {0, 9}, {9, 9}, {9, 0}, {3, 3}, {6, 3}, {6, 6}, {3, 6}, {3, 3}, {9, 0}}, // hole
    };
    static const uint32_t counts[] = {6, 8, 4, 8, 10};
    for (uint32_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        for (int up = 0; up < 6; up++) {
            face f = {0};
            for (uint32_t c = 0; c < counts[i]; c++) {
                const float *at = outlines[i][up % 2 != 0 ? c : counts[i] - 1 - c];
                const float point[3] = {at[0], at[1], 7 + 2 * at[0] - at[1]};
                add(&f, point[up / 2], point[(up / 2 + 1) % 3], point[(up / 2 + 2) % 3]);
            }
            check(&f);
        }
    }
}

static int64_t side(const int32_t a[2], const int32_t b[2], const int32_t c[2])
{
    return ((int64_t)b[0] - a[0]) * ((int64_t)c[1] - a[1]) -
           ((int64_t)b[1] - a[1]) * ((int64_t)c[0] - a[0]);
}

static bool crosses(const int32_t a[2], const int32_t b[2], const int32_t c[2], const int32_t d[2])
{
    return (side(a, b, c) > 0) != (side(a, b, d) > 0) && (side(c, d, a) > 0) != (side(c, d, b) > 0);
}

// Points in any order, which then lose every crossing: the walk between two edges that cross is
// turned round, and the whole is shorter.
static void untangle(int32_t (*points)[2], uint32_t count)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < count; i++) {
            for (uint32_t j = i + 2; j < count && !(i == 0 && j == count - 1); j++) {
                if (!crosses(points[i], points[i + 1], points[j], points[(j + 1) % count])) {
                    continue;
                }
                for (uint32_t low = i + 1, high = j; low < high; low++, high--) {
                    int32_t kept[2];
                    memcpy(kept, points[low], sizeof kept);
                    memcpy(points[low], points[high], sizeof kept);
                    memcpy(points[high], kept, sizeof kept);
                }
                changed = true;
            }
        }
    }
}

static void random_outlines_are_covered(void **state)
{
    (void)state;
    uint32_t seed = 2463534242u;
    for (int round = 0; round < 20000; round++) {
        int32_t points[24][2];
        const uint32_t count = 4 + next_random(&seed) % 21;
        for (uint32_t i = 0; i < count; i++) {
            points[i][0] = (int32_t)(next_random(&seed) % 8192);
            points[i][1] = (int32_t)(next_random(&seed) % 8192);
        }
        untangle(points, count);
        // Onto a plane of any slope, on which all is exact.
        const int32_t slope[2] = {(int32_t)(next_random(&seed) % 9) - 4,
                                  (int32_t)(next_random(&seed) % 9) - 4};
        const uint32_t axis = next_random(&seed) % 3;
        face f = {0};
        for (uint32_t i = 0; i < count; i++) {
            const float at[3] = {(float)points[i][0], (float)points[i][1],
                                 (float)(slope[0] * points[i][0] + slope[1] * points[i][1])};
            const bool twice = next_random(&seed) % 8 == 0;
            for (int times = 0; times <= twice; times++) {
                add(&f, at[axis], at[(axis + 1) % 3], at[(axis + 2) % 3]);
            }
        }
        bool whole;
        assert_float_equal(cut(&f, &whole), 1, 1e-9);
        assert_true(whole);
    }
}

static void a_comb_is_covered(void **state)
{
    (void)state;
    face f = {0};
    for (int tooth = 0; tooth < 1000; tooth++) {
        add(&f, (float)(2 * tooth), 0, 1);
        add(&f, (float)(2 * tooth), 0, 900);
        add(&f, (float)(2 * tooth + 1), 0, 900);
        add(&f, (float)(2 * tooth + 1), 0, 1);
    }
    add(&f, 2000, 0, 0);
    add(&f, 0, 0, 0);
    bool whole;
    assert_float_equal(cut(&f, &whole), 1, 1e-9);
    assert_true(whole);
}

static void what_crosses_itself_is_said(void **state)
{
    (void)state;
    static const float outlines[][6][2] = {
        {{0, 0}, {4, 4}, {4, 0}, {0, 4}},          // two halves that are equal
        {{0, 0}, {4, 4}, {4, 0}, {0, 9}},          // and not
        {{0, 3}, {10, 3}, {2, 9}, {5, 0}, {8, 9}}, // a star
    };
    static const uint32_t counts[] = {4, 4, 5};
    for (uint32_t i = 0; i < 3; i++) {
        face f = {0};
        bool whole;
        for (uint32_t c = 0; c < counts[i]; c++) {
            add(&f, outlines[i][c][0], 1, outlines[i][c][1]);
        }
        cut(&f, &whole);
        assert_false(whole);
    }
}

static void tangle(face *f)
{
    uint32_t seed = 88172645u;
    f->count = 0;
    for (uint32_t i = 0; i < CORNERS_MAX; i++) {
        add(f, (float)(next_random(&seed) % 8192), 0, (float)(next_random(&seed) % 8192));
    }
}

static bool ends_third_poll(void *user)
{
    return ++*(int *)user == 3;
}

// A tangle of edges ends with the caller's patience. The triangles that were found stand, and
// nothing is left of the fan.
static void a_cut_that_ends_early_leaves_no_fan(void **state)
{
    (void)state;
    static face f;
    static uint32_t fan[CORNERS_MAX][3];
    int polls = 0;
    const nav_bake_hooks hooks = {.user = &polls, .cancelled = ends_third_poll};
    tangle(&f);
    for (int limited = 0; limited < 2; limited++) {
        const uint32_t count = fan_of(&f, fan);
        bool whole = true;
        uint64_t work = UINT64_MAX;
        nav_arena scratch;
        nav_arena_init(&scratch, NULL, limited != 0 ? 1u << 20 : 0);
        assert_int_equal(nav_face_cut(f.vertices[0], fan, count, limited != 0 ? NULL : &hooks,
                                      &work, &scratch, &whole),
                         limited != 0 ? NAV_NO_MEMORY : NAV_CANCELLED);
        assert_false(whole);
        assert_int_equal(fan[count - 1][0], fan[count - 1][2]);
        nav_arena_free(&scratch);
    }
    assert_int_equal(polls, 3);
    // Work that is spent is an end as well, and none is counted twice.
    uint64_t work = 200000;
    bool whole;
    nav_arena scratch;
    nav_arena_init(&scratch, NULL, 0);
    assert_int_equal(
        nav_face_cut(f.vertices[0], fan, fan_of(&f, fan), NULL, &work, &scratch, &whole),
        NAV_CANCELLED);
    assert_int_equal(work, 0);
    nav_arena_free(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(notches_stay_open),
        cmocka_unit_test(random_outlines_are_covered),
        cmocka_unit_test(a_comb_is_covered),
        cmocka_unit_test(what_crosses_itself_is_said),
        cmocka_unit_test(a_cut_that_ends_early_leaves_no_fan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
