// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// Shapes to avoid are cut out of the ground, or make it dearer, for one question: what is left are
// convex polygons that cover exactly what the shapes leave, joined wherever they touch.

#include "mesh_builder.h"
#include "scratch_fixture.h"
#include "core/query.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

#define SIDE 10

// A mesh of an agent without a radius, so that shapes are cut out as they are.
static nav_mesh *thin_mesh(const char *map)
{
    nav_mesh *mesh = map_mesh(map);
    mesh->agent_radius = 0.0f;
    return mesh;
}

static nav_options with(const nav_avoid *shapes, uint32_t count)
{
    return (nav_options){.snap = {0.001f, 4, 4}, .avoid = shapes, .avoid_count = count};
}

static nav_avoid box(float x0, float z0, float x1, float z1, float cost)
{
    return (nav_avoid){.shape = NAV_AVOID_BOX,
                       .blocked = cost == INFINITY,
                       .cost = cost,
                       .min = {x0, z0},
                       .max = {x1, z1},
                       .bottom = -1,
                       .top = 1};
}

static double face_area(const nav_view *view, uint32_t polygon)
{
    const nav_face face = nav_view_face(view, polygon);
    double doubled = 0.0;
    for (uint32_t i = 0; i < face.corner_count; ++i) {
        const float *a = nav_view_vertex(view, face.corners[i]);
        const float *b = nav_view_vertex(view, face.corners[(i + 1) % face.corner_count]);
        doubled += (double)a[2] * (double)b[0] - (double)a[0] * (double)b[2];
    }
    return doubled / 2.0;
}

// Sums up open ground by cost.
static double open_area(const nav_view *view, float cost)
{
    double area = 0.0;
    for (uint32_t i = 0; i < nav_view_polygons(view); ++i) {
        if (nav_polygon_cost(view, i) == cost) {
            area += face_area(view, i);
        }
    }
    return area;
}

static void a_box_is_cut_out(void **state)
{
    (void)state;
    nav_mesh *mesh = thin_mesh("..../..../..../....");
    const nav_avoid shapes[] = {box(0.5f, 0.25f, 2.5f, 3.0f, INFINITY)};
    const nav_options options = with(shapes, 1);
    nav_view view;
    assert_true(nav_view_begin(mesh, scratch, &options, &view));
    assert_near(open_area(&view, 1.0f), 16.0 - 2.0 * 2.75, 1e-6);
    nav_mesh_release(mesh);
}

static void prices_multiply_where_shapes_overlap(void **state)
{
    (void)state;
    nav_mesh *mesh = thin_mesh("..../..../..../....");
    const nav_avoid shapes[] = {box(0, 0, 2, 2, 3.0f), box(1, 1, 3, 3, 2.0f)};
    const nav_options options = with(shapes, 2);
    nav_view view;
    assert_true(nav_view_begin(mesh, scratch, &options, &view));
    assert_near(open_area(&view, 3.0f), 3.0, 1e-6);
    assert_near(open_area(&view, 2.0f), 3.0, 1e-6);
    assert_near(open_area(&view, 6.0f), 1.0, 1e-6);
    assert_near(open_area(&view, 1.0f), 9.0, 1e-6);
    assert_false(view.costs->uniform);
    assert_near(view.costs->bound, 1.0, 1e-6);
    nav_mesh_release(mesh);
}

static void a_blocking_shape_keeps_the_radius(void **state)
{
    (void)state;
    nav_config config = nav_config_default();
    config.agent_radius = 0.5f;
    nav_mesh *mesh = map_mesh_with("........../........../........../........../........../"
                                   "........../........../........../........../..........",
                                   &config, NULL);
    const nav_avoid circle = {.shape = NAV_AVOID_CIRCLE,
                              .blocked = true,
                              .center = {5, 5},
                              .radius = 1,
                              .bottom = -1,
                              .top = 1};
    const nav_options options = with(&circle, 1);
    nav_view view;
    assert_true(nav_view_begin(mesh, scratch, &options, &view));
    const double cut = 100.0 - open_area(&view, 1.0f);
    // 16 tangents of a circle of radius 1.5.
    assert_near(cut, 16.0 * 2.25 * tan(acos(-1.0) / 16.0), 1e-4);
    for (uint32_t i = 0; i < nav_view_polygons(&view); ++i) {
        const nav_face face = nav_view_face(&view, i);
        for (uint32_t k = 0; k < face.corner_count && nav_polygon_cost(&view, i) < INFINITY; ++k) {
            const float *at = nav_view_vertex(&view, face.corners[k]);
            assert_true(hypot((double)at[0] - 5.0, (double)at[2] - 5.0) > 1.5 - 1e-5);
        }
    }
    nav_mesh_release(mesh);
}

static void another_storey_is_left_alone(void **state)
{
    (void)state;
    builder b;
    builder_init(&b);
    builder_rectangle(&b, 0, 0, 10, 10, 0);
    builder_rectangle(&b, 0, 0, 10, 10, 5);
    nav_mesh *mesh = builder_mesh(&b);
    mesh->agent_radius = 0.0f;
    nav_avoid shape = box(2, 2, 8, 8, INFINITY);
    shape.bottom = 4.0f;
    shape.top = 6.0f;
    const nav_options options = with(&shape, 1);
    nav_view view;
    assert_true(nav_view_begin(mesh, scratch, &options, &view));
    assert_near(open_area(&view, 1.0f), 200.0 - 36.0, 1e-6);
    nav_location place;
    const float low[3] = {5, 0, 5}, high[3] = {5, 5, 5};
    assert_true(nav_view_snap(&view, &options, low, &place) && place.position[1] == 0.0f);
    const nav_options near = {.snap = {0.001f, 1, 1}, .avoid = &shape, .avoid_count = 1};
    assert_false(nav_view_snap(&view, &near, high, &place));
    nav_mesh_release(mesh);
    builder_free(&b);
}

// ---- random worlds ----

static float random_part(uint64_t *random)
{
    return (float)(next_random(random) % 10000) / 10000.0f;
}

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
        const uint32_t kind = next_random(random) % 3;
        if (kind == 1) {
            shape->shape = NAV_AVOID_CIRCLE;
            shape->center[0] = x;
            shape->center[1] = z;
            shape->radius = random_part(random) * 2;
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

// How deep a place lies in a shape: below 0 outside of it. Circles are told by their 16 tangents.
static double depth_in(const nav_avoid *shape, double x, double z)
{
    if (shape->shape == NAV_AVOID_BOX) {
        return fmin(fmin(x - (double)shape->min[0], (double)shape->max[0] - x),
                    fmin(z - (double)shape->min[1], (double)shape->max[1] - z));
    }
    double depth = HUGE_VAL;
    if (shape->shape == NAV_AVOID_CIRCLE) {
        for (int i = 0; i < 16; ++i) {
            const double turn = acos(-1.0) * i / 8.0;
            depth =
                fmin(depth, (double)shape->radius - ((x - (double)shape->center[0]) * cos(turn) +
                                                     (z - (double)shape->center[1]) * sin(turn)));
        }
        return depth;
    }
    const float(*p)[2] = shape->points;
    const double winding = side_of(p[0], p[1], (double)p[2][0], (double)p[2][1]);
    for (int i = 0; i < 3; ++i) {
        const float *a = p[i], *b = p[(i + 1) % 3];
        const double length = hypot((double)b[0] - (double)a[0], (double)b[1] - (double)a[1]);
        depth = fmin(depth, side_of(a, b, x, z) / length * (winding > 0.0 ? 1.0 : -1.0));
    }
    return depth;
}

// 1 where a place is open, 0 where it is not, -1 where it is too close to a border to tell.
static int is_open(const char *map, const shapes *s, double x, double z)
{
    const double margin = 1e-4;
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

static void check_faces(const nav_view *view)
{
    for (uint32_t i = 0; i < nav_view_polygons(view); ++i) {
        if (nav_polygon_cost(view, i) == INFINITY) {
            continue;
        }
        const nav_face face = nav_view_face(view, i);
        assert_in_range(face.corner_count, 3, NAV_POLYGON_VERTICES_MAX);
        assert_true(face_area(view, i) > 0.0);
        for (uint32_t k = 0; k < face.corner_count; ++k) {
            const float *a = nav_view_vertex(view, face.corners[k]);
            const float *b = nav_view_vertex(view, face.corners[(k + 1) % face.corner_count]);
            const float *c = nav_view_vertex(view, face.corners[(k + 2) % face.corner_count]);
            const double turn = ((double)b[0] - (double)a[0]) * ((double)c[2] - (double)b[2]) -
                                ((double)b[2] - (double)a[2]) * ((double)c[0] - (double)b[0]);
            // Corners are rounded to the grain of floats where they lie.
            const double far = fabs((double)b[0]) + fabs((double)b[2]);
            assert_true(turn <= 1e-5 + 1e-7 * far * far);
        }
        for (uint32_t k = 0; k < face.portal_count; ++k) {
            const nav_portal *portal = &face.portals[k];
            const nav_face behind = nav_view_face(view, portal->to);
            bool back = false;
            assert_int_equal(portal->from, i);
            for (uint32_t j = 0; j < behind.portal_count; ++j) {
                const nav_portal *other = &behind.portals[j];
                back =
                    back || (other->to == i && fabsf(other->left[0] - portal->right[0]) < 1e-4f &&
                             fabsf(other->left[1] - portal->right[1]) < 1e-4f &&
                             fabsf(other->right[0] - portal->left[0]) < 1e-4f &&
                             fabsf(other->right[1] - portal->left[1]) < 1e-4f);
            }
            assert_true(back || nav_polygon_cost(view, portal->to) == INFINITY);
        }
    }
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
        nav_view_raycast(view, &place, b, &ray);
        const double dx = (double)b[0] - (double)a[0], dz = (double)b[2] - (double)a[2];
        for (int k = 0; k <= 1000; ++k) {
            const double t = k / 1000.0;
            if (t >= (double)ray.t - 1e-4) {
                break;
            }
            assert_true(is_open(map, s, (double)a[0] + dx * t, (double)a[2] + dz * t) != 0);
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

// No piece of a path leads through a blocking shape.
static void check_path(const nav_path *path, const char *map, const shapes *s)
{
    for (uint32_t i = 0; i + 1 < path->point_count; ++i) {
        const float *a = path->points + 3 * (size_t)i, *b = a + 3;
        for (int k = 0; k <= 200; ++k) {
            const double t = k / 200.0;
            assert_true(is_open(map, s, (double)a[0] + ((double)b[0] - (double)a[0]) * t,
                                (double)a[2] + ((double)b[2] - (double)a[2]) * t) != 0);
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
    assert_near(left, closest.distance, 1e-4);
}

static void paths_lead_around_what_blocks(void **state)
{
    (void)state;
    uint64_t random = 77;
    char map[(SIDE + 1) * SIDE];
    shapes s;
    uint32_t complete = 0, blocked = 0, none = 0;
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
                assert_true(path.cost >= plain.lower_bound - 1e-4);
                assert_true(path.lower_bound <= path.cost);
            } else if (plain.status == NAV_PATH_COMPLETE) {
                assert_int_equal(path.reason, NAV_REASON_BLOCKED);
                ++blocked;
                none += path.status == NAV_PATH_NONE;
            }
            if (path.status == NAV_PATH_PARTIAL) {
                expect_closest(mesh, &request, &path);
            }
        }
        nav_mesh_release(mesh);
    }
    assert_true(complete > 300 && blocked > 100 && none > 50);
}

static void dear_ground_is_walked_around_where_that_is_cheaper(void **state)
{
    (void)state;
    nav_mesh *mesh = thin_mesh("........../........../........../........../..........");
    nav_avoid shape = box(3, 1, 7, 5, 10.0f);
    nav_path_request request = {.start = {1, 0, 3}, .end = {9, 0, 3}, .options = with(&shape, 1)};
    nav_path path;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    assert_near(path.cost, 2.0 * sqrt(8.0) + 4.0, 1e-4);
    shape.cost = 1.1f;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    assert_near(path.cost, 4.0 + 4.4, 1e-4);
    // Cheaper than the ground: worth a way, and the bound knows it.
    shape.cost = 0.1f;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    assert_near(path.cost, 4.0 + 0.4, 1e-4);
    assert_true(path.lower_bound <= path.cost);
    nav_mesh_release(mesh);
}

static void a_link_ends_where_a_shape_leaves_ground(void **state)
{
    (void)state;
    nav_link link = {.start = {0.5f, 0, 0.5f},
                     .end = {4.5f, 0, 0.5f},
                     .radius = 0.2f,
                     .area = NAV_AREA_GROUND,
                     .bidirectional = true};
    nav_config config = nav_config_default();
    config.links = &link;
    config.link_count = 1;
    nav_mesh *mesh = map_mesh_with("..##...", &config, NULL);
    mesh->agent_radius = 0.0f;
    // A shape over half of the cells that it begins and ends in, but not over its ends.
    const nav_avoid beside[] = {box(0, 0.75f, 7, 1, INFINITY)};
    nav_path_request request = {
        .start = {1.5f, 0, 0.25f}, .end = {6.5f, 0, 0.25f}, .options = with(beside, 1)};
    nav_path path;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    assert_int_equal(path.status, NAV_PATH_COMPLETE);
    const nav_avoid over[] = {box(4.25f, 0.25f, 4.75f, 0.75f, INFINITY)};
    request.options = with(over, 1);
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    assert_int_equal(path.reason, NAV_REASON_BLOCKED);
    nav_mesh_release(mesh);
}

// ---- limits ----

static nav_mesh *plain_mesh(int32_t side)
{
    builder b;
    builder_init(&b);
    builder_rectangle(&b, 0, 0, side, side, 0);
    nav_mesh *mesh = builder_mesh(&b);
    mesh->agent_radius = 0.0f;
    builder_free(&b);
    return mesh;
}

static nav_avoid circle(float x, float z, float radius, float cost)
{
    nav_avoid shape = box(0, 0, 0, 0, cost);
    shape.shape = NAV_AVOID_CIRCLE;
    shape.center[0] = x;
    shape.center[1] = z;
    shape.radius = radius;
    return shape;
}

// As many as there may be, in rows; every one is a hole of its own.
static void many_shapes_in_one_polygon_are_all_cut_out(void **state)
{
    (void)state;
    static nav_avoid list[NAV_AVOID_MAX];
    nav_mesh *mesh = plain_mesh(320);
    for (uint32_t i = 0; i < NAV_AVOID_MAX; ++i) {
        list[i] =
            circle(5.1f + 10.0f * (float)(i % 32), 5.3f + 10.0f * (float)(i / 32), 3.0f, INFINITY);
    }
    const nav_options options = with(list, NAV_AVOID_MAX);
    nav_view view;
    assert_true(nav_view_begin(mesh, scratch, &options, &view));
    const double hole = 16.0 * 9.0 * tan(acos(-1.0) / 16.0);
    assert_near(open_area(&view, 1.0f), 320.0 * 320.0 - NAV_AVOID_MAX * hole, 1.0);
    check_faces(&view);
    nav_path_request request = {.start = {0.5f, 0, 0.5f}, .end = {319.5f, 0, 319.5f}};
    request.options = options;
    nav_path path;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    assert_int_equal(path.status, NAV_PATH_COMPLETE);
    nav_mesh_release(mesh);
}

// Shapes that all lie over each other leave a number of pieces that grows with its square.
static void too_much_to_cut_is_refused_and_leaves_nothing(void **state)
{
    (void)state;
    static nav_avoid list[NAV_AVOID_MAX];
    uint64_t random = 3;
    nav_mesh *mesh = plain_mesh(1000);
    for (uint32_t i = 0; i < NAV_AVOID_MAX; ++i) {
        const float x = random_part(&random) * 1000.0f, z = random_part(&random) * 1000.0f;
        list[i] = circle(x, z, 300.0f, 2.0f);
    }
    nav_path_request request = {.start = {1, 0, 1}, .end = {999, 0, 999}};
    request.options = with(list, NAV_AVOID_MAX);
    nav_path path;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_NO_MEMORY);
    assert_true(nav_scratch_avoid_refused(scratch));
    assert_int_equal(scratch->overlay_memory.held_bytes, 0);
    // "The same again" is not what is left of a question that failed.
    request.options.avoid_repeated = true;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_NO_MEMORY);
    request.options = with(list, 3);
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    assert_false(nav_scratch_avoid_refused(scratch));
    assert_int_equal(path.status, NAV_PATH_COMPLETE);
    nav_mesh_release(mesh);
}

static void many_prices_leave_the_ground_open(void **state)
{
    (void)state;
    nav_mesh *mesh = plain_mesh(10);
    nav_avoid list[8];
    for (uint32_t i = 0; i < 8; ++i) {
        list[i] = box(0, 0, 10, 10, 1e6f);
    }
    nav_path_request request = {.start = {1, 0, 1}, .end = {4, 0, 5}};
    request.options = with(list, 8);
    nav_path path;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    assert_int_equal(path.status, NAV_PATH_COMPLETE);
    assert_near(path.cost / (5.0 * NAV_AVOID_COST_MAX), 1.0, 1e-5);
    for (uint32_t i = 0; i < 8; ++i) {
        list[i].cost = 1e-6f;
    }
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    assert_int_equal(path.status, NAV_PATH_COMPLETE);
    assert_true(path.cost > 0.0 && path.lower_bound <= path.cost);
    nav_mesh_release(mesh);
}

static void shapes_used_again_answer_the_same(void **state)
{
    (void)state;
    nav_mesh *mesh = plain_mesh(10);
    const nav_avoid list[] = {box(3, -1, 7, 8, INFINITY)};
    nav_path_request request = {.start = {1, 0, 1}, .end = {9, 0, 1}};
    request.options = with(list, 1);
    nav_path first, again;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &first), NAV_OK);
    const nav_portal *portals = scratch->overlay.portals;
    request.options.avoid_repeated = true;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &again), NAV_OK);
    assert_ptr_equal(scratch->overlay.portals, portals);
    assert_true(again.cost == first.cost && first.cost > 14.0);
    nav_mesh_release(mesh);
}

static void several_questions_share_what_shapes_may_cost(void **state)
{
    (void)state;
    nav_mesh *mesh = plain_mesh(10);
    const nav_avoid list[] = {box(3, -1, 7, 8, INFINITY)};
    uint64_t work = 2000;
    nav_path_request request = {.start = {1, 0, 1}, .end = {9, 0, 1}};
    request.options = with(list, 1);
    request.options.avoid_work = &work;
    nav_path path;
    uint32_t answers = 0;
    for (uint64_t before = work;; before = work, ++answers) {
        if (nav_query_path(mesh, scratch, &request, &path) != NAV_OK) {
            break;
        }
        assert_true(work < before && answers < 100);
    }
    assert_true(answers > 1 && nav_scratch_avoid_refused(scratch));
    request.options.avoid_work = NULL;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    nav_mesh_release(mesh);
}

// ---- places ----

// The start's island has no polygon but the one that the shape has cut.
static void a_partial_path_ends_on_a_piece(void **state)
{
    (void)state;
    builder b;
    builder_init(&b);
    builder_rectangle(&b, 0, 0, 10, 10, 0);
    builder_rectangle(&b, 20, 0, 30, 10, 0);
    nav_mesh *mesh = builder_mesh(&b);
    mesh->agent_radius = 0.0f;
    const nav_avoid shape = box(4, 4, 6, 6, INFINITY);
    nav_path_request request = {.start = {1, 0, 5}, .end = {25, 0, 5}, .options = with(&shape, 1)};
    nav_path path;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    assert_int_equal(path.status, NAV_PATH_PARTIAL);
    assert_int_equal(path.reason, NAV_REASON_UNREACHABLE);
    const float *last = path.points + 3 * (size_t)(path.point_count - 1);
    assert_near(last[0], 10.0, 1e-4);
    assert_near(last[2], 5.0, 1e-4);
    nav_mesh_release(mesh);
    builder_free(&b);
}

static void a_polygon_in_pieces_is_one_place(void **state)
{
    (void)state;
    nav_mesh *mesh = plain_mesh(10);
    const nav_avoid shape = box(4, 4, 6, 6, INFINITY);
    const nav_options options = {.snap = {20, 1, 1}, .avoid = &shape, .avoid_count = 1};
    nav_location places[8];
    uint32_t count;
    const float point[3] = {5, 0, 4.5f};
    assert_int_equal(
        nav_query_nearest_reachable(mesh, scratch, point, NULL, &options, places, 8, &count),
        NAV_OK);
    assert_int_equal(count, 1);
    assert_near(places[0].position[2], 4.0, 1e-5);
    // Where two pieces meet there is one floor.
    for (int i = 0; i <= 100; ++i) {
        assert_int_equal(
            nav_query_floors(mesh, scratch, (float)i / 10.0f, 4.0f, &options, places, 8, &count),
            NAV_OK);
        assert_int_equal(count, 1);
    }
    nav_mesh_release(mesh);
}

// One polygon beside one whose pieces are many along the common edge: none of that is a wall, but
// for one hole.
static void an_edge_of_many_portals_is_no_wall(void **state)
{
    (void)state;
    builder b;
    builder_init(&b);
    builder_rectangle(&b, 0, 0, 400, 100, 0);
    builder_rectangle(&b, 0, 100, 400, 200, 0);
    nav_mesh *mesh = builder_mesh(&b);
    mesh->agent_radius = 0.0f;
    nav_avoid list[101];
    for (uint32_t i = 0; i < 100; ++i) {
        list[i] = box(4.0f * (float)i + 1.0f, 99.0f, 4.0f * (float)i + 2.0f, 102.0f, 2.0f);
        list[i].min[1] = 100.0f;
    }
    list[100] = box(390, 100, 391, 110, INFINITY);
    const nav_options options = with(list, 101);
    nav_wall wall;
    for (float x = 2.0f; x < 390.0f; x += 3.7f) {
        const float point[3] = {x, 0, 99};
        assert_int_equal(nav_query_wall(mesh, scratch, point, 500.0f, &options, &wall), NAV_OK);
        const double hole = hypot(390.0 - (double)x, 1.0);
        const double side = fmin((double)x, hole);
        assert_true(wall.hit);
        assert_near(wall.distance, fmin(side, 99.0), 1e-3);
    }
    nav_mesh_release(mesh);
    builder_free(&b);
}

// The floor below goes before the ceiling above, with a shape nearby as without.
static void a_shape_does_not_change_the_floor(void **state)
{
    (void)state;
    builder b;
    builder_init(&b);
    builder_rectangle(&b, 0, 0, 10, 10, 0);
    builder_rectangle(&b, 0, 0, 10, 10, 5);
    nav_mesh *mesh = builder_mesh(&b);
    mesh->agent_radius = 0.0f;
    const nav_avoid shape = {.shape = NAV_AVOID_BOX,
                             .blocked = true,
                             .min = {7, 7},
                             .max = {8, 8},
                             .bottom = -10,
                             .top = 10};
    for (uint32_t shape_count = 0; shape_count <= 1; ++shape_count) {
        nav_avoid one = shape;
        for (int only_low = 0; only_low <= 1; ++only_low) {
            one.top = only_low ? 1.0f : 10.0f;
            const nav_options options = {
                .snap = {2, 4, 4}, .avoid = &one, .avoid_count = shape_count};
            const float point[3] = {2, 3, 2};
            nav_location places[2];
            uint32_t count;
            assert_int_equal(nav_query_nearest_reachable(mesh, scratch, point, NULL, &options,
                                                         places, 2, &count),
                             NAV_OK);
            assert_int_equal(count, 2);
            assert_near(places[0].position[1], 0.0, 1e-5);
            assert_near(places[1].position[1], 5.0, 1e-5);
        }
    }
    nav_mesh_release(mesh);
    builder_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_is_cut_out),
        cmocka_unit_test(prices_multiply_where_shapes_overlap),
        cmocka_unit_test(a_blocking_shape_keeps_the_radius),
        cmocka_unit_test(another_storey_is_left_alone),
        cmocka_unit_test(what_is_left_is_what_the_shapes_leave),
        cmocka_unit_test(paths_lead_around_what_blocks),
        cmocka_unit_test(dear_ground_is_walked_around_where_that_is_cheaper),
        cmocka_unit_test(a_link_ends_where_a_shape_leaves_ground),
        cmocka_unit_test(many_shapes_in_one_polygon_are_all_cut_out),
        cmocka_unit_test(too_much_to_cut_is_refused_and_leaves_nothing),
        cmocka_unit_test(many_prices_leave_the_ground_open),
        cmocka_unit_test(shapes_used_again_answer_the_same),
        cmocka_unit_test(several_questions_share_what_shapes_may_cost),
        cmocka_unit_test(a_partial_path_ends_on_a_piece),
        cmocka_unit_test(a_polygon_in_pieces_is_one_place),
        cmocka_unit_test(an_edge_of_many_portals_is_no_wall),
        cmocka_unit_test(a_shape_does_not_change_the_floor),
    };
    return cmocka_run_group_tests(tests, scratch_begin, scratch_end);
}
