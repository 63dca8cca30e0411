// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// An edge between grounds of different cost is crossed where the way is cheapest, whichever side is
// dear and however long either part of the way is.

#include "core/query/search/refract.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

typedef struct crossing {
    nav_portal portal;
    float a[2], b[2];
    float cost_a, cost_b;
} crossing;

static double next_fraction(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 40) / 16777216.0;
}

// Both places 0.001 to 1000 widths off the edge, on either side of it.
static crossing random_crossing(uint64_t *state)
{
    const double angle = next_fraction(state) * 6.28, width = 0.1 + 5.0 * next_fraction(state);
    const double right[2] = {width * cos(angle), width * sin(angle)};
    crossing c = {.portal = {.right = {(float)right[0], (float)right[1]}},
                  .cost_a = (float)(1.0 + 9.0 * next_fraction(state)),
                  .cost_b = (float)(1.0 + 9.0 * next_fraction(state))};
    for (int end = 0; end < 2; ++end) {
        const double along = 3.0 * next_fraction(state) - 1.0;
        const double off = pow(10.0, 6.0 * next_fraction(state) - 3.0) * (end == 0 ? 1.0 : -1.0);
        float *place = end == 0 ? c.a : c.b;
        place[0] = (float)(right[0] * along - right[1] * off);
        place[1] = (float)(right[1] * along + right[0] * off);
    }
    return c;
}

static double cost_at(const crossing *c, double t)
{
    const double x = (double)c->portal.right[0] * t, z = (double)c->portal.right[1] * t;
    return hypot((double)c->a[0] - x, (double)c->a[1] - z) * (double)c->cost_a +
           hypot((double)c->b[0] - x, (double)c->b[1] - z) * (double)c->cost_b;
}

// The cost is convex along the edge.
static double least_cost(const crossing *c)
{
    double low = 0.0, high = 1.0;
    for (int i = 0; i < 100; ++i) {
        const double third = (high - low) / 3.0;
        if (cost_at(c, low + third) < cost_at(c, high - third)) {
            high -= third;
        } else {
            low += third;
        }
    }
    return cost_at(c, low);
}

static void turns_come_to_the_cheapest_place(void **state)
{
    (void)state;
    uint64_t seed = 5;
    double sum = 0.0, second = 0.0;
    for (int i = 0; i < 20000; ++i) {
        const crossing c = random_crossing(&seed);
        const nav_refraction r = nav_refraction_of(&c.portal, c.a, c.cost_a, c.b, c.cost_b);
        const double least = least_cost(&c);
        float t = nav_refraction_straight(&r);
        for (int turn = 0; turn < 10; ++turn) {
            t = nav_refraction_turn(&r, t);
            assert_true(t >= 0.0f && t <= 1.0f);
            const double part = cost_at(&c, (double)t) / least;
            sum += turn == 0 ? part : 0.0;
            second = turn == 1 && part > second ? part : second;
            assert_true(turn < 3 || part < 1.001);
        }
    }
    print_message("# %.5f in the mean after one turn, %.4f at worst after two\n", sum / 20000,
                  second);
    assert_true(sum / 20000 < 1.003);
    assert_true(second < 1.06);
}

static void places_on_the_edge_have_an_answer(void **state)
{
    (void)state;
    const nav_portal edge = {.right = {2.0f, 0.0f}};
    const float on[2] = {0.5f, 0.0f}, off[2] = {1.5f, 1.0f};
    // Both on it, in one place, and one of them on it.
    nav_refraction r = nav_refraction_of(&edge, on, 3.0f, on, 1.0f);
    assert_float_equal(nav_refraction_turn(&r, nav_refraction_straight(&r)), 0.25f, 1e-6f);
    r = nav_refraction_of(&edge, on, 3.0f, off, 1.0f);
    assert_float_equal(nav_refraction_turn(&r, nav_refraction_straight(&r)), 0.25f, 1e-6f);
    // An edge of no width is told.
    const nav_portal point = {.right = {0.0f, 0.0f}};
    r = nav_refraction_of(&point, on, 3.0f, off, 1.0f);
    assert_true(r.flat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turns_come_to_the_cheapest_place),
        cmocka_unit_test(places_on_the_edge_have_an_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
