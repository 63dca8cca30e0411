// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// config.c: the settings of a bake, and the check of what a bake is given: first use of outside
// data.

#include "core/base/config.h"
#include "core/base/cancel.h"

#include <math.h>

#define CONFIG_COOKIE 0x4e41564du

nav_config nav_config_default(void)
{
    return (nav_config){
        .cookie = CONFIG_COOKIE,
        .cell_size = 0.3f,
        .cell_height = 0.2f,
        .agent_radius = 0.6f,
        .agent_height = 2.0f,
        .agent_max_climb = 0.9f,
        .agent_max_slope = 45.0f,
        .partition = NAV_PARTITION_WATERSHED,
        .tile_cells = NAV_TILE_CELLS_AUTO,
        .region_min_size = 8,
        .region_merge_size = 20,
        .edge_max_length = 12.0f,
        .edge_max_error = 1.3f,
        .polygon_max_vertices = 6,
        .detail = true,
        .detail_sample_distance = 6.0f,
        .detail_max_error = 1.0f,
        .filter_low_hanging = true,
        .filter_ledges = true,
        .filter_low_height = true,
    };
}

// The value must lie in [min, max]; NaN lies nowhere. Settings are floats and so are the bounds: as
// doubles, 89.999 would be above a bound of 89.999.
bool nav_config_in_range(const char *name, float value, float min, float max, nav_error *err)
{
    if (value >= min && value <= max) {
        return true;
    }
    nav_fail(err, NAV_INVALID_FIELD, "%s must lie between %g and %g", name, (double)min,
             (double)max);
    nav_error_at(err, "%s", name);
    if (isnan(value)) {
        nav_error_got(err, "NaN");
    } else {
        nav_error_got(err, "%g", (double)value);
    }
    nav_error_limit(err, "%g", (double)(value > max ? max : min));
    return false;
}

static nav_status check_sample_distance(const nav_config *c, nav_error *err)
{
    if (c->detail_sample_distance > 0 && c->detail_sample_distance < 0.9f) {
        nav_fail(err, NAV_INVALID_FIELD, "detail_sample_distance must be 0 or at least 0.9 cells");
        nav_error_at(err, "detail_sample_distance");
        nav_error_got(err, "%g", (double)c->detail_sample_distance);
        nav_error_limit(err, "0.9");
        return NAV_INVALID_FIELD;
    }
    return NAV_OK;
}

static nav_status check_tile_cells(const nav_config *c, nav_error *err)
{
    bool some_size = c->tile_cells != 0 && c->tile_cells != NAV_TILE_CELLS_AUTO;
    if (some_size &&
        (c->tile_cells < NAV_TILE_SIDE_CELLS_MIN || c->tile_cells > NAV_TILE_SIDE_CELLS_MAX)) {
        nav_fail(err, NAV_INVALID_FIELD, "tile_cells must be \"auto\", 0 or lie between %u and %u",
                 NAV_TILE_SIDE_CELLS_MIN, NAV_TILE_SIDE_CELLS_MAX);
        nav_error_at(err, "tile_cells");
        nav_error_got(err, "%u", c->tile_cells);
        nav_error_limit(err, "%u",
                        c->tile_cells < NAV_TILE_SIDE_CELLS_MIN ? NAV_TILE_SIDE_CELLS_MIN
                                                                : NAV_TILE_SIDE_CELLS_MAX);
        return NAV_INVALID_FIELD;
    }
    return NAV_OK;
}

nav_status nav_config_check(const nav_config *c, nav_error *err)
{
    NAV_ASSERT(c->cookie == CONFIG_COOKIE);
    // The lower bounds of sizes only keep arithmetic finite; what is too fine for a level is
    // refused with the level in hand, by nav_bake_plan, which can name a size that fits.
    bool good =
        nav_config_in_range("cell_size", c->cell_size, 1e-6f, 1e4f, err) &&
        nav_config_in_range("cell_height", c->cell_height, 1e-6f, 1e4f, err) &&
        nav_config_in_range("agent.radius", c->agent_radius, 0, 1e4f, err) &&
        nav_config_in_range("agent.height", c->agent_height, 1e-6f, 1e4f, err) &&
        nav_config_in_range("agent.max_climb", c->agent_max_climb, 0, 1e4f, err) &&
        nav_config_in_range("agent.max_slope", c->agent_max_slope, 0, 89.999f, err) &&
        nav_config_in_range("region_min_size", (float)c->region_min_size, 0, NAV_REGION_SIZE_MAX,
                            err) &&
        nav_config_in_range("region_merge_size", (float)c->region_merge_size, 0,
                            NAV_REGION_SIZE_MAX, err) &&
        nav_config_in_range("edge_max_length", c->edge_max_length, 0, 1e6f, err) &&
        nav_config_in_range("edge_max_error", c->edge_max_error, 0, 1000, err) &&
        nav_config_in_range("polygon_max_vertices", (float)c->polygon_max_vertices, 3,
                            NAV_POLYGON_VERTICES_MAX, err) &&
        nav_config_in_range("detail_sample_distance", c->detail_sample_distance, 0, 1e4f, err) &&
        nav_config_in_range("detail_max_error", c->detail_max_error, 0, 1e4f, err);
    if (!good) {
        return NAV_INVALID_FIELD;
    }
    nav_status status = check_sample_distance(c, err);
    if (status == NAV_OK) {
        status = check_tile_cells(c, err);
    }
    return status == NAV_OK ? nav_config_check_lists(c, err) : status;
}

static nav_status check_count(const char *what, uint32_t count, uint32_t max, nav_error *err)
{
    if (count <= max) {
        return NAV_OK;
    }
    nav_fail(err, NAV_GEOMETRY_TOO_LARGE, "the geometry has more than %u %s", max, what);
    nav_error_at(err, "%s", what);
    nav_error_got(err, "%u", count);
    nav_error_limit(err, "%u", max);
    return NAV_GEOMETRY_TOO_LARGE;
}

static nav_status check_vertex(const float *vertex, uint32_t index, nav_error *err)
{
    for (int axis = 0; axis < 3; ++axis) {
        float value = vertex[axis];
        char name = "xyz"[axis];
        if (!isfinite(value)) {
            const char *got = isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
            nav_fail(err, NAV_VERTEX_NOT_FINITE, "vertex %u: %c is %s", index, name, got);
            nav_error_at(err, "vertices[%u].%c", index, name);
            nav_error_got(err, "%s", got);
            return NAV_VERTEX_NOT_FINITE;
        }
        if (fabsf(value) > NAV_COORDINATE_MAX) {
            nav_fail(err, NAV_VERTEX_OUT_OF_RANGE,
                     "vertex %u: %c is too far from the origin; move or scale the level", index,
                     name);
            nav_error_at(err, "vertices[%u].%c", index, name);
            nav_error_got(err, "%.9g", (double)value);
            nav_error_limit(err, "%.0f", (double)NAV_COORDINATE_MAX);
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
            nav_fail(err, NAV_INDEX_OUT_OF_RANGE,
                     "triangle %u names vertex %u, but there are only %u", i, index,
                     g->vertex_count);
            nav_error_at(err, "triangles[%u]", i);
            nav_error_got(err, "%u", index);
            nav_error_limit(err, "%u", g->vertex_count);
            return NAV_INDEX_OUT_OF_RANGE;
        }
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
    nav_cancel cancel = nav_cancel_by(hooks);
    nav_status status = check_count("vertices", g->vertex_count, NAV_VERTICES_MAX, err);
    if (status == NAV_OK) {
        status = check_count("triangles", g->triangle_count, NAV_TRIANGLES_MAX, err);
    }
    for (uint32_t i = 0; status == NAV_OK && i < g->vertex_count; ++i) {
        status = nav_cancel_poll(&cancel, 1) ? fail_cancelled(err)
                                             : check_vertex(g->vertices + 3 * (size_t)i, i, err);
    }
    if (status == NAV_OK && g->triangle_count == 0) {
        status = nav_fail(err, NAV_MESH_EMPTY, "the geometry has no faces");
    }
    for (uint32_t i = 0; status == NAV_OK && i < g->triangle_count; ++i) {
        status = nav_cancel_poll(&cancel, 1) ? fail_cancelled(err) : check_triangle(g, i, err);
    }
    return status;
}
