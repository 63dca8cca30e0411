// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_coordinates.c: each way that a level's axes can lie in the mesh, in several units: what goes
// in comes out, boxes keep their corners in order, and only left hands mirror.

#include "proto/base/coordinates.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/preset.h"

static void assert_point(const float point[3], float x, float y, float z)
{
    assert_true(point[0] == x && point[1] == y && point[2] == z);
}

static void turn(const char *word, float x, float y, float z, float out[3])
{
    out[0] = x;
    out[1] = y;
    out[2] = z;
    proto_to_mesh(coordinates_of(word), out);
}

// Each is told by where it has its forward, its right hand and its sky.
static void presets_are_those_of_the_engines(void **state)
{
    (void)state;
    float at[3];
    turn("y_up", 1, 2, 3, at);
    assert_point(at, 1, 2, 3);
    turn("godot", 1, 2, 3, at);
    assert_point(at, 1, 2, 3);
    turn("z_up", 1, 2, 3, at);
    assert_point(at, 1, 3, -2);
    turn("unreal", 100, 200, 300, at); // centimetres
    assert_point(at, 1, 3, 2);
    turn("unity", 1, 2, 3, at);
    assert_point(at, 1, 2, -3);
    turn("wow", 1, 2, 3, at); // y, z, x
    assert_point(at, 2, 3, 1);
    assert_true(proto_is_mirrored(coordinates_of("unreal")));
    assert_true(proto_is_mirrored(coordinates_of("unity")));
    assert_false(proto_is_mirrored(coordinates_of("wow")));
    assert_false(proto_is_mirrored(coordinates_of("z_up")));
    assert_null(proto_preset_at(6));
    // Of two names for the same the first is written.
    assert_string_equal(proto_preset_of(coordinates_of("godot"))->word, "y_up");
}

// Calls a test with each of the 48 maps in each unit.
static void with_all(void (*check)(nav_coordinates coordinates))
{
    static const double scales[] = {1.0, 0.25, 1.0 / 1024, 8.0, 0.01, 0.9144, 1000.0};
    for (int map = 0; map < 27 * 8; map++) {
        const int axes[3] = {map % 3, map / 3 % 3, map / 9 % 3};
        if (axes[0] == axes[1] || axes[0] == axes[2] || axes[1] == axes[2]) {
            continue;
        }
        for (size_t k = 0; k < sizeof scales / sizeof scales[0]; k++) {
            nav_coordinates c = {.scale = scales[k]};
            for (int i = 0; i < 3; i++) {
                c.axes[i] = (int8_t)((map / 27 >> i & 1) != 0 ? -1 - axes[i] : 1 + axes[i]);
            }
            check(c);
        }
    }
}

static bool is_power_of_two(double scale)
{
    int exponent;
    return frexp(scale, &exponent) == 0.5;
}

static void check_points(nav_coordinates c)
{
    const float sent[3] = {-1234.5f, 0.3f, 77.125f};
    float point[3], direction[3] = {0, 0, 0}, unit[3][3];
    memcpy(point, sent, sizeof sent);
    proto_to_mesh(c, point);
    for (int i = 0; i < 3; i++) {
        const int axis = c.axes[i] < 0 ? -c.axes[i] - 1 : c.axes[i] - 1;
        const double expected = (c.axes[i] < 0 ? -1.0 : 1.0) * (double)sent[i] * c.scale;
        assert_true(point[axis] == (float)expected);
        memset(unit[i], 0, sizeof unit[i]);
        unit[i][i] = 1.0f;
        proto_to_mesh((nav_coordinates){.axes = {c.axes[0], c.axes[1], c.axes[2]}, .scale = 1.0},
                      unit[i]);
    }
    double level[3];
    proto_point_to_level(c, point, level);
    proto_to_level(c, point);
    for (int i = 0; i < 3; i++) {
        assert_true(is_power_of_two(c.scale) ? point[i] == sent[i]
                                             : fabsf(point[i] - sent[i]) <= 2e-4f);
        assert_true((float)level[i] == point[i]);
    }
    // The hand is the sign of the axes' triple product.
    const double product =
        (double)unit[0][0] * (double)(unit[1][1] * unit[2][2] - unit[1][2] * unit[2][1]) -
        (double)unit[0][1] * (double)(unit[1][0] * unit[2][2] - unit[1][2] * unit[2][0]) +
        (double)unit[0][2] * (double)(unit[1][0] * unit[2][1] - unit[1][1] * unit[2][0]);
    assert_true(proto_is_mirrored(c) == (product < 0.0));
    direction[1] = 1.0f; // upwards in the mesh
    proto_direction_to_level(c, direction);
    assert_true(fabsf(direction[proto_upward_axis(c)]) == 1.0f);
    assert_true(proto_plan_axis(c, 0) < proto_plan_axis(c, 1));
    assert_true(proto_plan_axis(c, 0) + proto_plan_axis(c, 1) + proto_upward_axis(c) == 3);
}

static void points_turn_there_and_back(void **state)
{
    (void)state;
    with_all(check_points);
    // What a float cannot hold is its largest.
    float far[3] = {3e38f, -3e38f, 1};
    proto_to_mesh((nav_coordinates){.axes = {1, 2, 3}, .scale = 1000.0}, far);
    assert_true(isfinite(far[0]) && far[0] > 3e38f && far[1] < -3e38f && far[2] == 1000.0f);
}

static void check_boxes(nav_coordinates c)
{
    float min[3] = {-8, 1, 2}, max[3] = {16, 4, 32}, wrong_min[3] = {1, 5, 1},
          wrong_max[3] = {2, 4, 2};
    const float sent_min[3] = {-8, 1, 2}, sent_max[3] = {16, 4, 32};
    proto_box_to_mesh(c, min, max);
    for (int i = 0; i < 3; i++) {
        assert_true(min[i] < max[i]);
    }
    float low = sent_min[proto_upward_axis(c)], high = sent_max[proto_upward_axis(c)];
    proto_heights_to_mesh(c, &low, &high);
    assert_true(low == min[1] && high == max[1]);
    float corner[2] = {-8, 2}, whole[3] = {0, 0, 0};
    whole[proto_plan_axis(c, 0)] = -8;
    whole[proto_plan_axis(c, 1)] = 2;
    proto_to_mesh(c, whole);
    proto_plan_to_mesh(c, corner);
    assert_true(corner[0] == whole[0] && corner[1] == whole[2]);
    proto_box_to_level(c, min, max);
    for (int i = 0; i < 3; i++) {
        assert_true(fabsf(min[i] - sent_min[i]) <= 4e-6f && fabsf(max[i] - sent_max[i]) <= 4e-6f);
    }
    // One that is the wrong way round stays so, and can be refused.
    proto_box_to_mesh(c, wrong_min, wrong_max);
    int wrong = 0;
    for (int i = 0; i < 3; i++) {
        wrong += wrong_min[i] > wrong_max[i];
    }
    assert_int_equal(wrong, 1);
}

static void boxes_keep_their_corners(void **state)
{
    (void)state;
    with_all(check_boxes);
}

static void lengths_and_areas_have_the_unit(void **state)
{
    (void)state;
    const nav_coordinates unreal = coordinates_of("unreal");
    assert_true(proto_length_to_mesh(unreal, 250.0) == 2.5);
    assert_true(proto_length_to_level(unreal, 2.5) == 250.0);
    assert_true(fabs(proto_area_to_level(unreal, 3.0) - 30000.0) < 1e-9);
    assert_true(proto_level_coordinate_max(unreal) == 1e8);
    nav_coordinates c = nav_coordinates_default();
    static const struct {
        double scale;
        int decimals;
    } rows[] = {{1e-4, 3}, {1, 3}, {1.5, 4}, {10, 4}, {100, 5}, {1000, 6}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        c.scale = rows[i].scale;
        assert_int_equal(proto_length_decimals(c), rows[i].decimals);
    }
}

// Forward turns to the right in engines of left hands, to the left in those of right hands.
static void yaw_is_the_engines(void **state)
{
    (void)state;
    const float center[3] = {1, 1, 1};
    float unreal[3] = {2, 1, 1}, unity[3] = {1, 1, 2}, blender[3] = {2, 1, 1};
    proto_turn(coordinates_of("unreal"), center, 90, unreal);
    assert_point(unreal, 1, 2, 1); // from x to y
    proto_turn(coordinates_of("unity"), center, 90, unity);
    assert_point(unity, 2, 1, 1); // from z to x
    proto_turn(coordinates_of("z_up"), center, 90, blender);
    assert_point(blender, 1, 2, 1); // from x to y, which is to the left
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(presets_are_those_of_the_engines),
        cmocka_unit_test(points_turn_there_and_back),
        cmocka_unit_test(boxes_keep_their_corners),
        cmocka_unit_test(lengths_and_areas_have_the_unit),
        cmocka_unit_test(yaw_is_the_engines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
