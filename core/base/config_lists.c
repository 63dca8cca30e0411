// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// config_lists.c: the check of the settings that are more than one number: areas, materials,
// volumes, links, seeds, bounds. The second half of config.c. Errors name the element and its
// member, "volumes[3].points[1]", as the API does.

#include "core/base/config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
        if (!nav_config_in_range(name, point[axis], -NAV_COORDINATE_MAX, NAV_COORDINATE_MAX, err)) {
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
        if (!nav_config_in_range(cost.text, area->cost, 1e-6f, COST_MAX, err) ||
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
    if (flat && (!nav_config_in_range(place_of("volumes", index, "min_y").text, v->min[1],
                                      -NAV_COORDINATE_MAX, NAV_COORDINATE_MAX, err) ||
                 !nav_config_in_range(place_of("volumes", index, "max_y").text, v->max[1],
                                      v->min[1], NAV_COORDINATE_MAX, err))) {
        return NAV_INVALID_FIELD;
    }
    if (flat) {
        return check_outline(v, index, err);
    }
    if (!check_point(place_of("volumes", index, round ? "center" : "min").text, v->min, 3, err)) {
        return NAV_INVALID_FIELD;
    }
    if (round) {
        bool good = nav_config_in_range(place_of("volumes", index, "radius").text, v->radius, 0,
                                        EXTENT_MAX, err) &&
                    nav_config_in_range(place_of("volumes", index, "height").text,
                                        v->max[1] - v->min[1], 0, EXTENT_MAX, err);
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
           nav_config_in_range(place_of("links", index, "radius").text, link->radius, 0, 1e4f,
                               err) &&
           check_area(c, area.text, link->area, err) &&
           (link->area != NAV_AREA_NONE ||
            refuse(err, area.text, "is \"none\", which cannot be walked") == NAV_OK) &&
           check_flags(c, place_of("links", index, "flags").text, link->flags, err) &&
           (!link->has_cost ||
            nav_config_in_range(place_of("links", index, "cost").text, link->cost, 0, 1e6f, err));
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
        if (cost != 0.0f && !nav_config_in_range(at, cost, 1e-6f, 1e6f, err)) {
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
        !nav_config_in_range(at, c->low_height_min, 1e-6f, c->agent_height, err)) {
        return false;
    }
    return c->low_height_min < c->agent_height ||
           refuse(err, at, "must be below agent.height") == NAV_OK;
}

nav_status nav_config_check_lists(const nav_config *c, nav_error *err)
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
