// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// config.c: the settings of a bake: their defaults and their check, first the single numbers, then
// the lists: areas, materials, volumes, links, seeds, bounds. Errors name the element and its
// member, "volumes[3].points[1]", as the API does.

#include "core/nav.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

_Static_assert(NAV_AREAS_MAX <= UINT8_MAX, "an area's number is a byte");
_Static_assert(NAV_FLAGS_MAX <= 32, "a flag is a bit of 32");
_Static_assert(NAV_TILE_SIDE_CELLS_MAX < NAV_TILE_CELLS_AUTO, "auto is no size");

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
static bool in_range(const char *name, float value, float min, float max, nav_error *err)
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

// ---- lists ----

// Dimensions of volumes and links: large, but far from where a float's squares end.
#define EXTENT_MAX (2 * NAV_COORDINATE_MAX)
#define COST_MAX 1e6f

static nav_status refuse(nav_error *err, const char *at, const char *what)
{
    nav_fail(err, NAV_INVALID_FIELD, "%s %s", at, what);
    nav_error_at(err, "%s", at);
    return NAV_INVALID_FIELD;
}

// "name[index].member", or shorter where member is empty.
typedef struct place {
    char text[96];
} place;

static place place_of(const char *name, uint32_t index, const char *member)
{
    place p;
    snprintf(p.text, sizeof p.text, "%s[%u]%s%s", name, index, member[0] != '\0' ? "." : "",
             member);
    return p;
}

// Whether all are coordinates. There may be millions, and to name each takes longer than to look.
static bool are_coordinates(const float *point, uint32_t axes)
{
    bool good = true;
    for (uint32_t axis = 0; axis < axes; ++axis) {
        good = good && point[axis] >= -NAV_COORDINATE_MAX && point[axis] <= NAV_COORDINATE_MAX;
    }
    return good;
}

static bool check_point(const char *at, const float *point, uint32_t axes, nav_error *err)
{
    if (are_coordinates(point, axes)) {
        return true;
    }
    for (uint32_t axis = 0; axis < axes; ++axis) {
        char name[112];
        snprintf(name, sizeof name, "%.95s[%u]", at, axis);
        if (!in_range(name, point[axis], -NAV_COORDINATE_MAX, NAV_COORDINATE_MAX, err)) {
            return false;
        }
    }
    return true;
}

static bool check_count(const char *name, uint32_t count, uint32_t max, nav_error *err)
{
    if (count <= max) {
        return true;
    }
    nav_fail(err, NAV_INVALID_FIELD, "%s has more than %u entries", name, max);
    nav_error_at(err, "%s", name);
    nav_error_got(err, "%u", count);
    nav_error_limit(err, "%u", max);
    return false;
}

// The number of areas there are, "none" and "ground" in any case.
static uint32_t area_count(const nav_config *c)
{
    return c->areas != NULL ? c->area_count : NAV_AREA_GROUND + 1;
}

static bool check_area(const nav_config *c, const char *at, uint8_t area, nav_error *err)
{
    return area < area_count(c) || refuse(err, at, "is no area of these settings") == NAV_OK;
}

static bool check_flags(const nav_config *c, const char *at, uint32_t flags, nav_error *err)
{
    bool known = c->flag_count >= NAV_FLAGS_MAX || flags >> c->flag_count == 0;
    return known || refuse(err, at, "has a flag that has no name") == NAV_OK;
}

static nav_status check_areas(const nav_config *c, nav_error *err)
{
    if (!check_count("flags", c->flag_count, NAV_FLAGS_MAX, err)) {
        return NAV_INVALID_FIELD;
    }
    if (c->areas == NULL) {
        return c->area_count == 0 ? NAV_OK : refuse(err, "areas", "is missing");
    }
    if (!check_count("areas", c->area_count, NAV_AREAS_MAX, err)) {
        return NAV_INVALID_FIELD;
    }
    if (c->area_count <= NAV_AREA_GROUND) {
        return refuse(err, "areas", "must begin with \"none\" and \"ground\"");
    }
    for (uint32_t i = NAV_AREA_GROUND; i < c->area_count; ++i) {
        const nav_area *area = &c->areas[i];
        place cost, flags;
        snprintf(cost.text, sizeof cost.text, "areas.%.47s.cost", area->name);
        snprintf(flags.text, sizeof flags.text, "areas.%.47s.flags", area->name);
        if (!in_range(cost.text, area->cost, 1e-6f, COST_MAX, err) ||
            !check_flags(c, flags.text, area->flags, err)) {
            return NAV_INVALID_FIELD;
        }
    }
    return NAV_OK;
}

static nav_status check_materials(const nav_config *c, nav_error *err)
{
    if (!check_count("materials", c->material_count, NAV_MATERIALS_MAX, err)) {
        return NAV_INVALID_FIELD;
    }
    for (uint32_t i = 0; i < c->material_count; ++i) {
        place at;
        snprintf(at.text, sizeof at.text, "materials.%.47s", c->materials[i].name);
        if (i > 0 && strcmp(c->materials[i - 1].name, c->materials[i].name) >= 0) {
            return refuse(err, at.text, "is out of order: materials are sorted, each name once");
        }
        if (!check_area(c, at.text, c->materials[i].area, err)) {
            return NAV_INVALID_FIELD;
        }
    }
    return NAV_OK;
}

// ---- volumes ----

static nav_status check_outline(const nav_volume *v, uint32_t index, nav_error *err)
{
    place at = place_of("volumes", index, "points");
    if (v->point_count < 3 || v->point_count > NAV_VOLUME_POINTS_MAX) {
        nav_fail(err, NAV_INVALID_FIELD, "%s must have 3 to %u points", at.text,
                 NAV_VOLUME_POINTS_MAX);
        nav_error_at(err, "%s", at.text);
        nav_error_got(err, "%u", v->point_count);
        nav_error_limit(err, "%u", v->point_count < 3 ? 3 : NAV_VOLUME_POINTS_MAX);
        return NAV_INVALID_FIELD;
    }
    for (uint32_t i = 0; i < v->point_count; ++i) {
        char point[112];
        if (are_coordinates(v->points[i], 2)) {
            continue;
        }
        snprintf(point, sizeof point, "%s[%u]", at.text, i);
        if (!check_point(point, v->points[i], 2, err)) {
            return NAV_INVALID_FIELD;
        }
    }
    return NAV_OK;
}

static nav_status check_volume(const nav_config *c, uint32_t index, nav_error *err)
{
    const nav_volume *v = &c->volumes[index];
    bool flat = v->shape == NAV_VOLUME_CONVEX, round = v->shape == NAV_VOLUME_CYLINDER;
    if (!check_area(c, place_of("volumes", index, "area").text, v->area, err)) {
        return NAV_INVALID_FIELD;
    }
    if (flat && (!in_range(place_of("volumes", index, "min_y").text, v->min[1], -NAV_COORDINATE_MAX,
                           NAV_COORDINATE_MAX, err) ||
                 !in_range(place_of("volumes", index, "max_y").text, v->max[1], v->min[1],
                           NAV_COORDINATE_MAX, err))) {
        return NAV_INVALID_FIELD;
    }
    if (flat) {
        return check_outline(v, index, err);
    }
    if (!check_point(place_of("volumes", index, round ? "center" : "min").text, v->min, 3, err)) {
        return NAV_INVALID_FIELD;
    }
    if (round) {
        bool good =
            in_range(place_of("volumes", index, "radius").text, v->radius, 0, EXTENT_MAX, err) &&
            in_range(place_of("volumes", index, "height").text, v->max[1] - v->min[1], 0,
                     EXTENT_MAX, err);
        return good ? NAV_OK : NAV_INVALID_FIELD;
    }
    if (!check_point(place_of("volumes", index, "max").text, v->max, 3, err)) {
        return NAV_INVALID_FIELD;
    }
    for (int axis = 0; axis < 3; ++axis) {
        if (v->max[axis] < v->min[axis]) {
            return refuse(err, place_of("volumes", index, "max").text, "lies below min");
        }
    }
    return NAV_OK;
}

// ---- links, seeds, bounds ----

static bool check_link(const nav_config *c, uint32_t index, nav_error *err)
{
    const nav_link *link = &c->links[index];
    place area = place_of("links", index, "area");
    return check_point(place_of("links", index, "start").text, link->start, 3, err) &&
           check_point(place_of("links", index, "end").text, link->end, 3, err) &&
           in_range(place_of("links", index, "radius").text, link->radius, 0, 1e4f, err) &&
           check_area(c, area.text, link->area, err) &&
           (link->area != NAV_AREA_NONE ||
            refuse(err, area.text, "is \"none\", which cannot be walked") == NAV_OK) &&
           check_flags(c, place_of("links", index, "flags").text, link->flags, err) &&
           (!link->has_cost ||
            in_range(place_of("links", index, "cost").text, link->cost, 0, 1e6f, err));
}

// 0 stands for the area's own cost.
static bool check_filter(const nav_config *c, uint32_t index, nav_error *err)
{
    const nav_named_filter *named = &c->filters[index];
    const uint32_t area_count = c->areas != NULL ? c->area_count : 2;
    for (uint32_t i = 0; i < NAV_AREAS_MAX; ++i) {
        const place costs = place_of("query_filters", index, "costs");
        const char *at = costs.text;
        const float cost = named->filter.area_costs[i];
        if (i >= area_count && cost != 0.0f) {
            return refuse(err, at, "names an area that there is not") == NAV_OK;
        }
        if (cost != 0.0f && !in_range(at, cost, 1e-6f, 1e6f, err)) {
            return false;
        }
    }
    if (index > 0 && strcmp(c->filters[index - 1].name, named->name) >= 0) {
        return refuse(err, place_of("query_filters", index, "").text,
                      "must follow the names before") == NAV_OK;
    }
    return check_flags(c, place_of("query_filters", index, "include").text, named->filter.include,
                       err) &&
           check_flags(c, place_of("query_filters", index, "exclude").text, named->filter.exclude,
                       err);
}

static bool check_bounds(const nav_config *c, nav_error *err)
{
    if (!c->has_bounds) {
        return true;
    }
    if (!check_point("bounds.min", c->bounds_min, 3, err) ||
        !check_point("bounds.max", c->bounds_max, 3, err)) {
        return false;
    }
    for (int axis = 0; axis < 3; ++axis) {
        if (c->bounds_max[axis] <= c->bounds_min[axis]) {
            refuse(err, "bounds.max", "must lie above bounds.min in each direction");
            return false;
        }
    }
    return true;
}

static bool check_low_height(const nav_config *c, nav_error *err)
{
    if (c->low_height_area == NAV_AREA_NONE) {
        return true;
    }
    const char *at = "filters.low_height.min_height";
    if (!check_area(c, "filters.low_height.area", c->low_height_area, err) ||
        !in_range(at, c->low_height_min, 1e-6f, c->agent_height, err)) {
        return false;
    }
    return c->low_height_min < c->agent_height ||
           refuse(err, at, "must be below agent.height") == NAV_OK;
}

static nav_status check_lists(const nav_config *c, nav_error *err)
{
    nav_status status = check_areas(c, err);
    if (status == NAV_OK) {
        status = check_materials(c, err);
    }
    if (status != NAV_OK) {
        return status;
    }
    if (!check_bounds(c, err) || !check_low_height(c, err) ||
        !check_count("volumes", c->volume_count, NAV_VOLUMES_MAX, err) ||
        !check_count("links", c->link_count, NAV_LINKS_MAX, err) ||
        !check_count("seeds", c->seed_count, NAV_SEEDS_MAX, err) ||
        !check_count("query_filters", c->filter_count, NAV_FILTERS_MAX, err)) {
        return NAV_INVALID_FIELD;
    }
    for (uint32_t i = 0; status == NAV_OK && i < c->volume_count; ++i) {
        status = check_volume(c, i, err);
    }
    for (uint32_t i = 0; status == NAV_OK && i < c->link_count; ++i) {
        status = check_link(c, i, err) ? NAV_OK : NAV_INVALID_FIELD;
    }
    for (uint32_t i = 0; status == NAV_OK && i < c->filter_count; ++i) {
        status = check_filter(c, i, err) ? NAV_OK : NAV_INVALID_FIELD;
    }
    for (uint32_t i = 0; status == NAV_OK && i < c->seed_count; ++i) {
        bool good = check_point(place_of("seeds", i, "").text, c->seeds[i], 3, err);
        status = good ? NAV_OK : NAV_INVALID_FIELD;
    }
    return status;
}

// ---- all of it ----

nav_status nav_config_check(const nav_config *c, nav_error *err)
{
    NAV_ASSERT(c->cookie == CONFIG_COOKIE);
    // The lower bounds of sizes only keep arithmetic finite; what is too fine for a level is
    // refused with the level in hand, by nav_bake_plan, which can name a size that fits.
    bool good =
        in_range("cell_size", c->cell_size, (float)NAV_CELL_SIZE_MIN, (float)NAV_CELL_SIZE_MAX,
                 err) &&
        in_range("cell_height", c->cell_height, 1e-6f, 1e4f, err) &&
        in_range("agent.radius", c->agent_radius, 0, 1e4f, err) &&
        in_range("agent.height", c->agent_height, 1e-6f, 1e4f, err) &&
        in_range("agent.max_climb", c->agent_max_climb, 0, 1e4f, err) &&
        in_range("agent.max_slope", c->agent_max_slope, 0, 89.999f, err) &&
        in_range("region_min_size", (float)c->region_min_size, 0, NAV_REGION_SIZE_MAX, err) &&
        in_range("region_merge_size", (float)c->region_merge_size, 0, NAV_REGION_SIZE_MAX, err) &&
        in_range("edge_max_length", c->edge_max_length, 0, 1e6f, err) &&
        in_range("edge_max_error", c->edge_max_error, 0, 1000, err) &&
        in_range("polygon_max_vertices", (float)c->polygon_max_vertices, 3,
                 NAV_POLYGON_VERTICES_MAX, err) &&
        in_range("detail_sample_distance", c->detail_sample_distance, 0, 1e4f, err) &&
        in_range("detail_max_error", c->detail_max_error, 0, 1e4f, err);
    if (!good) {
        return NAV_INVALID_FIELD;
    }
    nav_status status = check_sample_distance(c, err);
    if (status == NAV_OK) {
        status = check_tile_cells(c, err);
    }
    return status == NAV_OK ? check_lists(c, err) : status;
}
