// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// On random maps with random shapes, the ground that is left is what a look at the shapes
// themselves says, place by place; and paths and straight lines keep to it.

#include "tests/unit/overlay_fixture.h"

#define SIDE 10

#define SHAPES_MAX 4

typedef struct shapes {
    nav_avoid list[SHAPES_MAX];
    float points[SHAPES_MAX][3][2];
    uint32_t count;
} shapes;

static void random_shapes(uint64_t *random, shapes *s)
{
    s->count = 1 + next_random(random) % SHAPES_MAX;
    for (uint32_t i = 0; i < s->count; ++i) {
        const float x = random_part(random) * SIDE, z = random_part(random) * SIDE;
        const bool blocked = next_random(random) % 4 != 0;
        nav_avoid *shape = &s->list[i];
        *shape = box(x, z, x + random_part(random) * 4, z + random_part(random) * 4,
                     blocked ? INFINITY : 2.0f);
        const uint32_t kind = next_random(random) % 4;
        if (kind == 1 || kind == 3) {
            shape->shape = kind == 1 ? NAV_AVOID_CIRCLE : NAV_AVOID_CAPSULE;
            shape->center[0] = x;
            shape->center[1] = z;
            shape->radius = random_part(random) * 2;
            shape->end[0] = x + random_part(random) * 4 - 2;
            shape->end[1] = z + random_part(random) * 4 - 2;
        } else if (kind == 2) {
            for (int k = 0; k < 3; ++k) {
                s->points[i][k][0] = x + random_part(random) * 4 - 2;
                s->points[i][k][1] = z + random_part(random) * 4 - 2;
            }
            shape->shape = NAV_AVOID_CONVEX;
            shape->points = (const float(*)[2])s->points[i];
            shape->point_count = 3;
        }
    }
}

static double side_of(const float *a, const float *b, double x, double z)
{
    return ((double)b[0] - (double)a[0]) * (z - (double)a[1]) -
           ((double)b[1] - (double)a[1]) * (x - (double)a[0]);
}

// The same in a shape that is round, which is told by its 16 tangents, and by its two sides.
static double depth_in_round(const nav_avoid *shape, double x, double z)
{
    const float *a = shape->center, *b = shape->shape == NAV_AVOID_CAPSULE ? shape->end : a;
    const double length = hypot((double)b[0] - (double)a[0], (double)b[1] - (double)a[1]);
    double depth = HUGE_VAL;
    for (int i = 0; i < 16; ++i) {
        const double turn = acos(-1.0) * i / 8.0;
        const double from_a = (x - (double)a[0]) * cos(turn) + (z - (double)a[1]) * sin(turn);
        const double from_b = (x - (double)b[0]) * cos(turn) + (z - (double)b[1]) * sin(turn);
        depth = fmin(depth, (double)shape->radius - fmin(from_a, from_b));
    }
    return length > 0.0 ? fmin(depth, (double)shape->radius - fabs(side_of(a, b, x, z)) / length)
                        : depth;
}

// How deep a place lies in a shape: below 0 outside of it.
static double depth_in(const nav_avoid *shape, double x, double z)
{
    if (shape->shape == NAV_AVOID_BOX) {
        return fmin(fmin(x - (double)shape->min[0], (double)shape->max[0] - x),
                    fmin(z - (double)shape->min[1], (double)shape->max[1] - z));
    }
    if (shape->shape != NAV_AVOID_CONVEX) {
        return depth_in_round(shape, x, z);
    }
    double depth = HUGE_VAL;
    const float(*p)[2] = shape->points;
    const double winding = side_of(p[0], p[1], (double)p[2][0], (double)p[2][1]);
    for (int i = 0; i < 3; ++i) {
        const float *a = p[i], *b = p[(i + 1) % 3];
        const double length = hypot((double)b[0] - (double)a[0], (double)b[1] - (double)a[1]);
        depth = fmin(depth, side_of(a, b, x, z) / length * (winding > 0.0 ? 1.0 : -1.0));
    }
    return depth;
}

// 1 where a place is open, 0 where it is not, -1 where it is within a margin of a border.
static int is_open_within(const char *map, const shapes *s, double x, double z, double margin)
{
    int open = 1;
    for (int corner = 0; corner < 4; ++corner) {
        const int cx = (int)floor(x + (corner & 1 ? margin : -margin));
        const int cz = (int)floor(z + (corner & 2 ? margin : -margin));
        const bool free_cell =
            cx >= 0 && cz >= 0 && cx < SIDE && cz < SIDE && map[cz * (SIDE + 1) + cx] == '.';
        open = corner == 0 || open == (int)free_cell ? (int)free_cell : -1;
        if (open < 0) {
            return -1;
        }
    }
    for (uint32_t i = 0; i < s->count && open == 1; ++i) {
        if (s->list[i].blocked) {
            const double depth = depth_in(&s->list[i], x, z);
            open = depth > margin ? 0 : depth > -margin ? -1 : 1;
        }
    }
    return open;
}

static int is_open(const char *map, const shapes *s, double x, double z)
{
    return is_open_within(map, s, x, z, 1e-4);
}

static void check_places(const nav_view *view, const nav_options *options, const char *map,
                         const shapes *s, uint64_t *random)
{
    for (int i = 0; i < 100; ++i) {
        const float point[3] = {random_part(random) * SIDE, 0, random_part(random) * SIDE};
        const int open = is_open(map, s, (double)point[0], (double)point[2]);
        nav_location place;
        if (open >= 0 && options->snap.horizontal > 0.0f) {
            const nav_options exact = {.snap = {1e-5f, 1, 1}};
            assert_int_equal(nav_view_snap(view, &exact, point, &place), open);
        }
    }
}

// Straight lines go as far as the open places along them.
static void check_rays(const nav_view *view, const char *map, const shapes *s, uint64_t *random)
{
    const nav_options exact = {.snap = {1e-5f, 1, 1}};
    for (int i = 0; i < 60; ++i) {
        const float a[3] = {random_part(random) * SIDE, 0, random_part(random) * SIDE};
        const float b[3] = {random_part(random) * SIDE, 0, random_part(random) * SIDE};
        nav_location place;
        if (is_open(map, s, (double)a[0], (double)a[2]) != 1) {
            continue;
        }
        nav_ray ray;
        assert_true(nav_view_snap(view, &exact, a, &place));
        assert_true(nav_view_raycast(view, scratch, &place, b, NULL, &ray));
        const double dx = (double)b[0] - (double)a[0], dz = (double)b[2] - (double)a[2];
        for (int k = 0; k <= 1000; ++k) {
            const double t = k / 1000.0;
            if (t >= (double)ray.t - 1e-4) {
                break;
            }
            assert_true(is_open_within(map, s, (double)a[0] + dx * t, (double)a[2] + dz * t,
                                       1.1 * (double)NAV_PLAN_TOLERANCE) != 0);
        }
        if (ray.hit) {
            const double t = (double)ray.t;
            const double beyond = t + 2e-3 / (1e-9 + hypot(dx, dz));
            // Right behind a hit it is closed, or the line has only touched a corner.
            const int at = is_open(map, s, (double)a[0] + dx * t, (double)a[2] + dz * t);
            const int after =
                is_open(map, s, (double)a[0] + dx * beyond, (double)a[2] + dz * beyond);
            assert_true(at == -1 || after != 1);
        }
    }
}

static void what_is_left_is_what_the_shapes_leave(void **state)
{
    (void)state;
    uint64_t random = 21;
    char map[(SIDE + 1) * SIDE];
    shapes s;
    for (int round = 0; round < 400; ++round) {
        builder_random_map(&random, SIDE, 2, map);
        random_shapes(&random, &s);
        nav_mesh *mesh = thin_mesh(map);
        const nav_options options = with(s.list, s.count);
        nav_view view;
        assert_true(nav_view_begin(mesh, scratch, &options, &view));
        check_faces(&view);
        check_places(&view, &options, map, &s, &random);
        check_rays(&view, map, &s, &random);
        nav_mesh_release(mesh);
    }
}

// ---- paths ----

// No piece of a path leads through a blocking shape, but for its beginning: out of one.
static void check_path(const nav_path *path, const char *map, const shapes *s)
{
    bool is_out = false;
    for (uint32_t i = 0; i + 1 < path->point_count; ++i) {
        const float *a = path->points + 3 * (size_t)i, *b = a + 3;
        for (int k = 0; k <= 200; ++k) {
            const double t = k / 200.0;
            const int open = is_open(map, s, (double)a[0] + ((double)b[0] - (double)a[0]) * t,
                                     (double)a[2] + ((double)b[2] - (double)a[2]) * t);
            is_out = is_out || open == 1;
            assert_true(open != 0 || !is_out);
        }
    }
}

// From the last point of a path to where it was to lead, in plan view.
static double left_of(const nav_path *path, const float end[3])
{
    const float *last = path->points + 3 * (size_t)(path->point_count - 1);
    return hypot((double)last[0] - (double)end[0], (double)last[2] - (double)end[2]);
}

// No spot that can be reached is closer to the goal than where the path ends.
static void expect_closest(const nav_mesh *mesh, const nav_path_request *request,
                           const nav_path *path)
{
    nav_options wide = request->options;
    wide.snap = (nav_snap){.horizontal = 4 * SIDE, .up = 4, .down = 4};
    nav_location closest;
    uint32_t count;
    const double left = left_of(path, request->end);
    assert_int_equal(nav_query_nearest_reachable(mesh, scratch, request->end, path->start, &wide,
                                                 &closest, 1, &count),
                     NAV_OK);
    assert_int_equal(count, 1);
    // Of spots on a rim that are about as near, the one towards the start is taken.
    assert_true(left >= (double)closest.distance - 1e-4);
    assert_true(left <= (double)closest.distance + 0.02);
}

// Takes away what is said to stand in the way, until nothing does.
static void expect_free_without_blockers(const nav_mesh *mesh, nav_path_request request)
{
    nav_avoid left[SHAPES_MAX];
    nav_path path;
    uint32_t count = request.options.avoid_count;
    memcpy(left, request.options.avoid, count * sizeof *left);
    request.options.avoid = left;
    for (;;) {
        request.options.avoid_count = count;
        assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
        if (path.status == NAV_PATH_COMPLETE) {
            return;
        }
        nav_path_blockers blockers;
        assert_int_equal(path.reason, NAV_REASON_BLOCKED);
        assert_int_equal(nav_query_blockers(mesh, scratch, &request, &blockers), NAV_OK);
        assert_true(blockers.shape_count > 0);
        for (uint32_t i = 0; i < blockers.shape_count; ++i) {
            left[blockers.shapes[i]].top = left[blockers.shapes[i]].bottom = -1000;
        }
    }
}

static void paths_lead_around_what_blocks(void **state)
{
    (void)state;
    uint64_t random = 77;
    char map[(SIDE + 1) * SIDE];
    shapes s;
    uint32_t complete = 0, blocked = 0, leaving = 0;
    for (int round = 0; round < 300; ++round) {
        builder_random_map(&random, SIDE, 2, map);
        random_shapes(&random, &s);
        nav_mesh *mesh = thin_mesh(map);
        for (int i = 0; i < 10; ++i) {
            nav_path_request request = {.options = with(s.list, s.count)};
            request.options.snap.horizontal = 0.0f;
            for (int axis = 0; axis < 3; axis += 2) {
                request.start[axis] = random_part(&random) * SIDE;
                request.end[axis] = random_part(&random) * SIDE;
            }
            nav_path path, plain;
            nav_path_request without = request;
            without.options.avoid_count = 0;
            bool reachable;
            assert_int_equal(nav_query_path(mesh, scratch, &without, &plain), NAV_OK);
            assert_int_equal(nav_query_reachable(mesh, scratch, request.start, &request.options,
                                                 (const float(*)[3])request.end, 1, &reachable),
                             NAV_OK);
            assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
            assert_int_equal(path.status == NAV_PATH_COMPLETE, reachable);
            check_path(&path, map, &s);
            if (path.status == NAV_PATH_COMPLETE) {
                ++complete;
                leaving +=
                    is_open(map, &s, (double)request.start[0], (double)request.start[2]) == 0;
                assert_true(path.cost >= plain.lower_bound - 1e-4);
                assert_true(path.lower_bound <= path.cost);
            } else if (plain.status == NAV_PATH_COMPLETE) {
                assert_int_equal(path.reason, NAV_REASON_BLOCKED);
                ++blocked;
                assert_int_equal(path.status, NAV_PATH_PARTIAL);
            }
            if (path.status == NAV_PATH_PARTIAL) {
                expect_closest(mesh, &request, &path);
            }
            if (path.reason == NAV_REASON_BLOCKED && plain.status == NAV_PATH_COMPLETE) {
                expect_free_without_blockers(mesh, request);
            }
        }
        nav_mesh_release(mesh);
    }
    assert_true(complete > 300 && blocked > 100 && leaving > 50);
}

// They are those of the shortest way, also where the path that was asked for need not be.
static void blockers_are_the_same_for_every_search(void **state)
{
    (void)state;
    uint64_t random = 5;
    char map[(SIDE + 1) * SIDE];
    shapes s;
    uint32_t named = 0;
    for (int i = 0; i < 2000; ++i) {
        builder_random_map(&random, SIDE, 3, map);
        random_shapes(&random, &s);
        nav_mesh *mesh = thin_mesh(map);
        nav_path_request request = {.options = with(s.list, s.count)};
        for (int axis = 0; axis < 3; axis += 2) {
            request.start[axis] = random_part(&random) * SIDE;
            request.end[axis] = random_part(&random) * SIDE;
        }
        nav_path_blockers blockers[2];
        for (int fast = 0; fast < 2; ++fast) {
            request.search = fast != 0 ? NAV_SEARCH_FAST : NAV_SEARCH_AUTO;
            assert_int_equal(nav_query_blockers(mesh, scratch, &request, &blockers[fast]), NAV_OK);
        }
        named += blockers[0].shape_count > 0;
        assert_int_equal(blockers[0].shape_count, blockers[1].shape_count);
        assert_memory_equal(blockers[0].shapes, blockers[1].shapes,
                            blockers[0].shape_count * sizeof *blockers[0].shapes);
        nav_mesh_release(mesh);
    }
    assert_true(named > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_left_is_what_the_shapes_leave),
        cmocka_unit_test(paths_lead_around_what_blocks),
        cmocka_unit_test(blockers_are_the_same_for_every_search),
    };
    return cmocka_run_group_tests(tests, scratch_begin, scratch_end);
}
