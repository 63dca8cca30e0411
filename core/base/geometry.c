// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// geometry.c: the check of a triangle soup, before anything else reads it: counts, coordinates,
// indices, areas. Errors name the vertex or the triangle.

#include "core/base/cancel.h"

#include <math.h>

_Static_assert(NAV_VERTICES_MAX < UINT32_MAX / 3, "the number of a coordinate has 32 bits");
_Static_assert(NAV_TRIANGLES_MAX < UINT32_MAX / 3, "the number of a corner has 32 bits");

static nav_status check_count(const char *what, uint32_t count, uint32_t max, nav_error *err)
{
    return count <= max ? NAV_OK
                        : nav_fail_bound(err, NAV_GEOMETRY_TOO_LARGE, what, count, max,
                                         "the geometry has more than %u %s", max, what);
}

static nav_status check_vertex(const float *vertex, float limit, uint32_t index, nav_error *err)
{
    for (int axis = 0; axis < 3; ++axis) {
        float value = vertex[axis];
        char name = "xyz"[axis];
        if (!isfinite(value)) {
            const char *got = isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
            nav_fail_at(err, NAV_VERTEX_NOT_FINITE, nav_at("vertices[%u].%c", index, name).text,
                        "vertex %u: %c is %s", index, name, got);
            nav_error_got(err, "%s", got);
            return NAV_VERTEX_NOT_FINITE;
        }
        if (fabsf(value) > limit) {
            nav_fail_at(err, NAV_VERTEX_OUT_OF_RANGE, nav_at("vertices[%u].%c", index, name).text,
                        "vertex %u: %c is too far from the origin; move or scale the level", index,
                        name);
            nav_error_got(err, "%.9g", (double)value);
            nav_error_limit(err, "%.0f", (double)limit);
            return NAV_VERTEX_OUT_OF_RANGE;
        }
    }
    return NAV_OK;
}

nav_status nav_geometry_check(const nav_geometry *geometry, nav_error *err)
{
    return nav_geometry_check_until(geometry, NULL, err);
}

static nav_status check_triangle(const nav_geometry *g, uint32_t i, nav_error *err)
{
    for (int corner = 0; corner < 3; ++corner) {
        uint32_t index = g->triangles[3 * (size_t)i + (size_t)corner];
        if (index >= g->vertex_count) {
            return nav_fail_bound(err, NAV_INDEX_OUT_OF_RANGE, nav_at("triangles[%u]", i).text,
                                  index, g->vertex_count,
                                  "triangle %u names vertex %u, but there are only %u", i, index,
                                  g->vertex_count);
        }
    }
    if (g->triangle_areas != NULL && g->triangle_areas[i] >= NAV_AREAS_MAX) {
        return nav_fail_bound(
            err, NAV_INVALID_FIELD, nav_at("areas[%u]", i).text, g->triangle_areas[i],
            NAV_AREAS_MAX - 1,
            "triangle %u has the area %u; areas are numbered from 0 to %d, as settings list "
            "them",
            i, g->triangle_areas[i], NAV_AREAS_MAX - 1);
    }
    return NAV_OK;
}

static nav_status fail_cancelled(nav_error *err)
{
    return nav_fail(err, NAV_CANCELLED, "the check of the geometry was cancelled");
}

nav_status nav_geometry_check_until(const nav_geometry *g, const nav_bake_hooks *hooks,
                                    nav_error *err)
{
    return nav_geometry_check_within(g, NAV_COORDINATE_MAX, hooks, err);
}

nav_status nav_geometry_check_within(const nav_geometry *g, float coordinate_max,
                                     const nav_bake_hooks *hooks, nav_error *err)
{
    nav_cancel cancel = nav_cancel_by(hooks);
    nav_status status = check_count("vertices", g->vertex_count, NAV_VERTICES_MAX, err);
    NAV_IF_OK(status, check_count("triangles", g->triangle_count, NAV_TRIANGLES_MAX, err));
    for (uint32_t i = 0; status == NAV_OK && i < g->vertex_count; ++i) {
        status = nav_cancel_poll(&cancel, 1)
                     ? fail_cancelled(err)
                     : check_vertex(g->vertices + 3 * (size_t)i, coordinate_max, i, err);
    }
    if (status == NAV_OK && g->triangle_count == 0) {
        status = nav_fail(err, NAV_MESH_EMPTY, "the geometry has no faces");
    }
    for (uint32_t i = 0; status == NAV_OK && i < g->triangle_count; ++i) {
        status = nav_cancel_poll(&cancel, 1) ? fail_cancelled(err) : check_triangle(g, i, err);
    }
    return status;
}
