// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// overlay_fixture.h: shapes to avoid, ground for them, and what must hold of what they leave of it.

#pragma once

#include "core/query/question/question.h"
#include "core/query/surface/surface.h"
#include "core/query/view/scratch.h"
#include "mesh_builder.h"
#include "scratch_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

// A mesh of an agent without a radius, so that shapes are cut out as they are.
static inline nav_mesh *thin_mesh(const char *map)
{
    nav_mesh *mesh = map_mesh(map);
    mesh->agent_radius = 0.0f;
    return mesh;
}

static inline nav_mesh *thin_rectangles(uint32_t count, const int32_t (*rectangles)[5])
{
    nav_mesh *mesh = rectangles_mesh(count, rectangles);
    mesh->agent_radius = 0.0f;
    return mesh;
}

static inline nav_mesh *plain_mesh(int32_t side)
{
    return thin_rectangles(1, (const int32_t[][5]){{0, 0, side, side, 0}});
}

static inline nav_options with(const nav_avoid *shapes, uint32_t count)
{
    return (nav_options){.snap = {0.001f, 4, 4}, .avoid = shapes, .avoid_count = count};
}

static inline nav_avoid box(float x0, float z0, float x1, float z1, float cost)
{
    return (nav_avoid){.shape = NAV_AVOID_BOX,
                       .blocked = cost == INFINITY,
                       .cost = cost,
                       .min = {x0, z0},
                       .max = {x1, z1},
                       .bottom = -1,
                       .top = 1};
}

static inline nav_avoid circle(float x, float z, float radius, float cost)
{
    nav_avoid shape = box(0, 0, 0, 0, cost);
    shape.shape = NAV_AVOID_CIRCLE;
    shape.center[0] = x;
    shape.center[1] = z;
    shape.radius = radius;
    return shape;
}

static inline double face_area(const nav_view *view, uint32_t polygon)
{
    const nav_face face = nav_view_face(view, polygon);
    double doubled = 0.0;
    for (uint32_t i = 0; i < face.corner_count; ++i) {
        const float *a = nav_view_vertex_xz(view, face.corners[i]);
        const float *b = nav_view_vertex_xz(view, face.corners[(i + 1) % face.corner_count]);
        doubled += (double)a[2] * (double)b[0] - (double)a[0] * (double)b[2];
    }
    return doubled / 2.0;
}

// Sums up open ground by cost.
static inline double open_area(const nav_view *view, float cost)
{
    double area = 0.0;
    for (uint32_t i = 0; i < nav_view_polygons(view); ++i) {
        if (nav_polygon_cost(view, i) == cost) {
            area += face_area(view, i);
        }
    }
    return area;
}

static inline float random_part(uint64_t *random)
{
    return (float)(next_random(random) % 10000) / 10000.0f;
}

// Faces are convex, and each portal has one that leads back.
static inline void check_faces(const nav_view *view)
{
    for (uint32_t i = 0; i < nav_view_polygons(view); ++i) {
        if (nav_polygon_cost(view, i) == INFINITY) {
            continue;
        }
        const nav_face face = nav_view_face(view, i);
        assert_in_range(face.corner_count, 3, NAV_POLYGON_VERTICES_MAX);
        assert_true(face_area(view, i) > 0.0);
        for (uint32_t k = 0; k < face.corner_count; ++k) {
            const float *a = nav_view_vertex_xz(view, face.corners[k]);
            const float *b = nav_view_vertex_xz(view, face.corners[(k + 1) % face.corner_count]);
            const float *c = nav_view_vertex_xz(view, face.corners[(k + 2) % face.corner_count]);
            const double turn = ((double)b[0] - (double)a[0]) * ((double)c[2] - (double)b[2]) -
                                ((double)b[2] - (double)a[2]) * ((double)c[0] - (double)b[0]);
            // Corners are rounded to steps of floats where they lie.
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
