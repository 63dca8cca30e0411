// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// Where ground differs in cost, a path's cost is the true cost of its points, and stays close to
// that of the cheapest walk there is.

#include "tests/unit/mesh_builder.h"
#include "tests/unit/scratch_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

// Areas 0 and 1 cost 1; area 2 what the test says, and so on.
typedef struct priced {
    nav_area areas[6];
    nav_config config;
} priced;

static const nav_config *price(priced *p, float cost_2, float cost_3)
{
    memset(p, 0, sizeof *p);
    for (int i = 0; i < 6; ++i) {
        p->areas[i].cost = 1.0f;
    }
    p->areas[2].cost = cost_2;
    p->areas[3].cost = cost_3;
    p->config = nav_config_default();
    p->config.areas = p->areas;
    p->config.area_count = 6;
    return &p->config;
}

static nav_path ask(const nav_mesh *mesh, double ax, double az, double bx, double bz)
{
    const nav_path_request request = {
        .start = {(float)ax, 0.0f, (float)az},
        .end = {(float)bx, 0.0f, (float)bz},
        .options.snap = {.horizontal = 2.0f, .up = 4.0f, .down = 4.0f}};
    nav_path path;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    return path;
}

static bool passes(const nav_path *path, double x, double z)
{
    for (uint32_t i = 0; i < path->point_count; ++i) {
        if (hypot((double)path->points[3 * i] - x, (double)path->points[3 * i + 2] - z) < 1e-3) {
            return true;
        }
    }
    return false;
}

// A pool that can be crossed or walked around.
static const char POOL[] = "......./.22222./.22222./.22222./.......";

static void dear_water_is_walked_around(void **state)
{
    (void)state;
    priced p;
    nav_mesh *mesh = map_mesh_with(POOL, price(&p, 9.0f, 1.0f), NULL);
    nav_path path = ask(mesh, 0.5, 2.5, 6.5, 2.5);
    assert_int_equal(path.status, NAV_PATH_COMPLETE);
    assert_int_equal(path.point_count, 4);
    assert_near(path.cost, 5.0 + 2.0 * sqrt(0.25 + 2.25), 1e-5);
    assert_near(path.length, path.cost, 1e-9);
    assert_near(path.lower_bound, 6.0, 1e-6);
    assert_false(path.optimal);
    nav_mesh_release(mesh);
}

static void cheap_water_is_crossed(void **state)
{
    (void)state;
    priced p;
    nav_mesh *mesh = map_mesh_with(POOL, price(&p, 1.1f, 1.0f), NULL);
    nav_path path = ask(mesh, 0.5, 2.5, 6.5, 2.5);
    // The shores are points of the path, though the line goes straight on.
    assert_int_equal(path.point_count, 4);
    assert_true(passes(&path, 1.0, 2.5));
    assert_true(passes(&path, 6.0, 2.5));
    assert_near(path.cost, 1.0 + 5.0 * 1.1, 1e-5);
    assert_near(path.length, 6.0, 1e-5);
    assert_near(path.lower_bound, 6.0, 1e-6);
    nav_mesh_release(mesh);
}

// A road costs half: the bound knows, and the path makes a detour over it.
static void cheap_road_is_worth_a_detour(void **state)
{
    (void)state;
    priced p;
    nav_mesh *mesh =
        map_mesh_with("............/............/222222222222", price(&p, 0.5f, 1.0f), NULL);
    nav_path path = ask(mesh, 0.5, 1.5, 11.5, 1.5);
    assert_int_equal(path.status, NAV_PATH_COMPLETE);
    assert_near(path.lower_bound, 5.5, 1e-6);
    assert_false(path.optimal);
    // Refraction at the critical angle: tan(30 degrees) half a unit on each side.
    const double along = 11.0 - 2.0 * 0.5 * tan(M_PI / 6.0);
    assert_near(path.cost, along * 0.5 + 2.0 * 0.5 / cos(M_PI / 6.0), 0.02);
    assert_true(path.length > 11.0);
    // On the road itself nothing can be cheaper.
    path = ask(mesh, 0.5, 2.5, 11.5, 2.5);
    assert_near(path.cost, 5.5, 1e-5);
    assert_true(path.optimal);
    assert_int_equal(path.point_count, 2);
    nav_mesh_release(mesh);
}

// One polygon of water: the way around leaves it and comes back.
static void way_around_leaves_the_polygon_of_both_ends(void **state)
{
    (void)state;
    builder b;
    builder_init(&b);
    uint32_t water = builder_rectangle(&b, 0, 0, 20, 2, 0);
    b.polygons.areas[water] = 2;
    builder_rectangle(&b, 0, 2, 20, 4, 0);
    priced p;
    nav_mesh *mesh = builder_mesh_with(&b, price(&p, 9.0f, 1.0f), NULL);
    builder_free(&b);
    // The shore is near: out at the critical angle, along it, and back in.
    nav_path path = ask(mesh, 1.0, 1.0, 19.0, 1.0);
    const double sine = 1.0 / 9.0;
    const double cosine = sqrt(1.0 - sine * sine);
    assert_near(path.cost, 2.0 * 9.0 / cosine + 18.0 - 2.0 * sine / cosine, 0.05);
    assert_int_equal(path.point_count, 4);
    // Too near for a detour.
    path = ask(mesh, 1.0, 0.5, 2.0, 0.5);
    assert_near(path.cost, 9.0, 1e-4);
    assert_int_equal(path.point_count, 2);
    nav_mesh_release(mesh);
}

static void equal_costs_only_scale(void **state)
{
    (void)state;
    priced p;
    price(&p, 3.0f, 1.0f);
    p.areas[1].cost = 3.0f;
    nav_mesh *mesh = map_mesh_with(POOL, &p.config, NULL);
    nav_mesh *plain = map_mesh(POOL);
    nav_path path = ask(mesh, 0.5, 0.5, 6.5, 3.5);
    const double cost = path.cost;
    const double length = path.length;
    assert_int_equal(path.point_count, 2);
    assert_true(path.optimal);
    path = ask(plain, 0.5, 0.5, 6.5, 3.5);
    assert_true(path.length == length);
    assert_near(cost, 3.0 * path.cost, 1e-9);
    nav_mesh_release(mesh);
    nav_mesh_release(plain);
}

static void bad_costs_are_refused(void **state)
{
    (void)state;
    static const float bad[] = {0.0f, -1.0f, NAN, INFINITY};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        builder b;
        builder_init(&b);
        builder_map(&b, "..");
        nav_blob blob = builder_blob(&b);
        priced p;
        price(&p, bad[i], 1.0f);
        memcpy(p.areas[2].name, "water", 6);
        nav_mesh *mesh = NULL;
        nav_error err;
        assert_int_equal(nav_mesh_create(&blob, 1, &p.config, NULL, &mesh, NULL, &err),
                         NAV_INVALID_FIELD);
        assert_string_equal(err.at, "areas.water.cost");
        assert_null(mesh);
        builder_free(&b);
    }
}

// ---- against walks over a fine grid ----

#define SIDE 10
#define FINE 6
#define POINTS (SIDE * FINE + 1)
#define REACH 3

typedef struct map {
    char cells[SIDE][SIDE];
    char text[SIDE * (SIDE + 1)];
    double costs[10];
} map;

static void make_map(map *m, uint64_t *seed)
{
    for (int z = 0; z < SIDE; ++z) {
        for (int x = 0; x < SIDE; ++x) {
            // Patches of 2 x 2, so that there is something to go around.
            bool fresh = x % 2 == 0 && z % 2 == 0;
            m->cells[z][x] =
                fresh ? "..222333#."[next_random(seed) % 10] : m->cells[z / 2 * 2][x / 2 * 2];
        }
    }
    for (int z = 0; z < SIDE; ++z) {
        memcpy(m->text + z * (SIDE + 1), m->cells[z], SIDE);
        m->text[z * (SIDE + 1) + SIDE] = z + 1 < SIDE ? '/' : '\0';
    }
}

// The cost of a step at a point: of the cheapest cell that it lies in or on the border of.
static double cost_at(const map *m, double x, double z)
{
    double least = HUGE_VAL;
    for (int side = 0; side < 4; ++side) {
        int cx = (int)floor(x + (side & 1 ? 1e-4 : -1e-4));
        int cz = (int)floor(z + (side & 2 ? 1e-4 : -1e-4));
        if (cx >= 0 && cz >= 0 && cx < SIDE && cz < SIDE && m->cells[cz][cx] != '#') {
            char c = m->cells[cz][cx];
            double cost = m->costs[c == '.' ? 1 : c - '0'];
            least = cost < least ? cost : least;
        }
    }
    return least;
}

// The integral of the cost over a line.
static double line_cost(const map *m, const double a[2], const double b[2], int samples)
{
    double sum = 0.0;
    for (int i = 0; i < samples; ++i) {
        double t = (i + 0.5) / samples;
        sum += cost_at(m, a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t);
    }
    return sum / samples * hypot(b[0] - a[0], b[1] - a[1]);
}

// The cheapest walk from one point of the fine grid to all others. Steps reach up to three points
// far in 32 directions, so that walks are at most 1.4 % dearer than lines. Bellman-Ford again.
static void walk_costs(const map *m, int from, double out[POINTS * POINTS])
{
    static double steps[POINTS * POINTS][(2 * REACH + 1) * (2 * REACH + 1)];
    for (int at = 0; at < POINTS * POINTS; ++at) {
        out[at] = HUGE_VAL;
        for (int k = 0; k < (2 * REACH + 1) * (2 * REACH + 1); ++k) {
            int x = at % POINTS + k % (2 * REACH + 1) - REACH;
            int z = at / POINTS + k / (2 * REACH + 1) - REACH;
            const double a[2] = {(at % POINTS) / (double)FINE, (at / POINTS) / (double)FINE};
            const double b[2] = {x / (double)FINE, z / (double)FINE};
            bool inside = x >= 0 && z >= 0 && x < POINTS && z < POINTS;
            steps[at][k] = inside ? line_cost(m, a, b, 8) : HUGE_VAL;
        }
    }
    out[from] = 0.0;
    for (bool changed = true; changed;) {
        changed = false;
        for (int at = 0; at < POINTS * POINTS; ++at) {
            for (int k = 0; k < (2 * REACH + 1) * (2 * REACH + 1); ++k) {
                int to = at + (k / (2 * REACH + 1) - REACH) * POINTS + k % (2 * REACH + 1) - REACH;
                if (isfinite(steps[at][k]) && out[at] + steps[at][k] < out[to] - 1e-9) {
                    out[to] = out[at] + steps[at][k];
                    changed = true;
                }
            }
        }
    }
}

static double path_cost(const map *m, const nav_path *path)
{
    double sum = 0.0;
    for (uint32_t i = 1; i < path->point_count; ++i) {
        const float *p = path->points + 3 * (i - 1);
        const double a[2] = {(double)p[0], (double)p[2]};
        const double b[2] = {(double)p[3], (double)p[5]};
        sum += line_cost(m, a, b, 2000);
    }
    return sum;
}

static void costs_are_true_and_near_the_cheapest(void **state)
{
    (void)state;
    static double walk[POINTS * POINTS];
    uint64_t seed = 11;
    static const float prices[][2] = {{9.0f, 3.0f}, {1.3f, 2.0f}, {0.4f, 4.0f}};
    double worst = 0.0;
    double sum = 0.0;
    uint32_t count = 0;
    uint32_t exact = 0;
    for (uint32_t round = 0; round < 12; ++round) {
        map m = {.costs = {0, 1, (double)prices[round % 3][0], (double)prices[round % 3][1]}};
        make_map(&m, &seed);
        priced p;
        nav_mesh *mesh =
            map_mesh_with(m.text, price(&p, prices[round % 3][0], prices[round % 3][1]), NULL);
        int from[2];
        do {
            from[0] = (int)(next_random(&seed) % SIDE);
            from[1] = (int)(next_random(&seed) % SIDE);
        } while (m.cells[from[1]][from[0]] == '#');
        int half = FINE / 2;
        walk_costs(&m, (from[1] * FINE + half) * POINTS + from[0] * FINE + half, walk);
        for (int to = 0; to < SIDE * SIDE; ++to) {
            double walked = walk[(to / SIDE * FINE + half) * POINTS + to % SIDE * FINE + half];
            if (m.cells[to / SIDE][to % SIDE] == '#' || walked < 0.5) {
                continue;
            }
            nav_path path =
                ask(mesh, from[0] + 0.5, from[1] + 0.5, to % SIDE + 0.5, to / SIDE + 0.5);
            if (path.status != NAV_PATH_COMPLETE) {
                assert_int_equal(path.reason, NAV_REASON_UNREACHABLE);
                continue; // the walk may pass where only corners meet
            }
            // A line along a border counts at the cost of the side on which the path walks, the
            // integral takes the cheaper one.
            const double integral = path_cost(&m, &path);
            assert_true(path.cost >= integral * 0.995 - 1e-6);
            exact += path.cost <= integral * 1.005 + 1e-6;
            assert_true(path.lower_bound <= walked + 1e-6);
            assert_true(path.cost >= walked / 1.015 - 1e-6);
            double ratio = path.cost / walked;
            worst = ratio > worst ? ratio : worst;
            sum += ratio;
            ++count;
        }
        nav_mesh_release(mesh);
    }
    print_message("# %u paths: %.4f of the cheapest walk in the mean, %.4f at worst\n", count,
                  sum / count, worst);
    assert_true(count > 600);
    assert_true(exact > count * 0.98);
    assert_true(sum / count < 1.006);
    assert_true(worst < 1.12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dear_water_is_walked_around),
        cmocka_unit_test(cheap_water_is_crossed),
        cmocka_unit_test(cheap_road_is_worth_a_detour),
        cmocka_unit_test(way_around_leaves_the_polygon_of_both_ends),
        cmocka_unit_test(equal_costs_only_scale),
        cmocka_unit_test(bad_costs_are_refused),
        cmocka_unit_test(costs_are_true_and_near_the_cheapest),
    };
    return cmocka_run_group_tests(tests, scratch_begin, scratch_end);
}
