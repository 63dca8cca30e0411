// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// config.c: the settings of a bake: their defaults and their check, first the single numbers, then
// the lists: areas, materials, volumes, switches, links, seeds, bounds. Errors name the element and
// its member, "volumes[3].points[1]", as the API does.

#include "core/nav.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

_Static_assert(NAV_AREAS_MAX <= UINT8_MAX, "an area's number is a byte");
_Static_assert(NAV_FLAGS_MAX <= 32, "a flag is a bit of 32");
_Static_assert(NAV_TILE_SIDE_CELLS_MAX < NAV_TILE_CELLS_AUTO, "auto is no size");

#define CONFIG_COOKIE 0x4e41564du

nav_coordinates nav_coordinates_default(void)
{
    return (nav_coordinates){.axes = {1, 2, 3}, .scale = 1.0};
}

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
        .coordinates = nav_coordinates_default(),
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
    snprintf(p.text, sizeof p.text, "%.70s[%u]%s%.12s", name, index, member[0] != '\0' ? "." : "",
             member);
    return p;
}

// "prefix.member".
static place member_of(const char *prefix, const char *member)
{
    place p;
    snprintf(p.text, sizeof p.text, "%.80s.%.12s", prefix, member);
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

static nav_status check_outline(const nav_volume *v, const char *prefix, nav_error *err)
{
    place at = member_of(prefix, "points");
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

// The shape of a volume, or of a switch; prefix is e.g. "volumes[3]".
static nav_status check_shape(const nav_volume *v, const char *prefix, nav_error *err)
{
    bool flat = v->shape == NAV_VOLUME_CONVEX, round = v->shape == NAV_VOLUME_CYLINDER;
    if (flat) {
        bool good = in_range(member_of(prefix, "min_y").text, v->min[1], -NAV_COORDINATE_MAX,
                             NAV_COORDINATE_MAX, err) &&
                    in_range(member_of(prefix, "max_y").text, v->max[1], v->min[1],
                             NAV_COORDINATE_MAX, err);
        return good ? check_outline(v, prefix, err) : NAV_INVALID_FIELD;
    }
    if (!check_point(member_of(prefix, round ? "center" : "min").text, v->min, 3, err)) {
        return NAV_INVALID_FIELD;
    }
    if (round) {
        bool good =
            in_range(member_of(prefix, "radius").text, v->radius, 0, EXTENT_MAX, err) &&
            in_range(member_of(prefix, "height").text, v->max[1] - v->min[1], 0, EXTENT_MAX, err);
        return good ? NAV_OK : NAV_INVALID_FIELD;
    }
    if (!check_point(member_of(prefix, "max").text, v->max, 3, err)) {
        return NAV_INVALID_FIELD;
    }
    for (int axis = 0; axis < 3; ++axis) {
        if (v->max[axis] < v->min[axis]) {
            return refuse(err, member_of(prefix, "max").text, "lies below min");
        }
    }
    return NAV_OK;
}

static nav_status check_volume(const nav_config *c, uint32_t index, nav_error *err)
{
    const nav_volume *v = &c->volumes[index];
    if (!check_area(c, place_of("volumes", index, "area").text, v->area, err)) {
        return NAV_INVALID_FIELD;
    }
    return check_shape(v, place_of("volumes", index, "").text, err);
}

// shapes: how many the switches before have; they are bounded together.
static nav_status check_switch(const nav_config *c, uint32_t index, uint64_t *shapes,
                               nav_error *err)
{
    const nav_switch *s = &c->switches[index];
    place at, list;
    snprintf(at.text, sizeof at.text, "switches.%.47s", s->id);
    snprintf(list.text, sizeof list.text, "switches.%.47s.shapes", s->id);
    if (memchr(s->id, 0, sizeof s->id) == NULL || s->id[0] == '\0') {
        return refuse(err, place_of("switches", index, "").text, "has no id");
    }
    if (index > 0 && strcmp(c->switches[index - 1].id, s->id) >= 0) {
        return refuse(err, at.text, "is out of order: switches are sorted, each id once");
    }
    *shapes += s->shape_count;
    if (*shapes > NAV_VOLUMES_MAX) {
        nav_fail(err, NAV_INVALID_FIELD, "switches have more than %u shapes", NAV_VOLUMES_MAX);
        nav_error_at(err, "%s", list.text);
        nav_error_got(err, "%llu", (unsigned long long)*shapes);
        nav_error_limit(err, "%u", NAV_VOLUMES_MAX);
        return NAV_INVALID_FIELD;
    }
    nav_status status = NAV_OK;
    for (uint32_t i = 0; status == NAV_OK && i < s->shape_count; ++i) {
        status = check_shape(&s->shapes[i], place_of(list.text, i, "").text, err);
    }
    return status;
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
           (link->switch_number <= c->switch_count ||
            refuse(err, place_of("links", index, "switch").text,
                   "is no switch of these settings") == NAV_OK) &&
           (!link->has_cost ||
            in_range(place_of("links", index, "cost").text, link->cost, 0, 1e6f, err));
}

nav_status nav_config_check_links(const nav_config *c, nav_error *err)
{
    bool sound = check_count("links", c->link_count, NAV_LINKS_MAX, err);
    for (uint32_t i = 0; sound && i < c->link_count; ++i) {
        sound = check_link(c, i, err);
    }
    return sound ? NAV_OK : NAV_INVALID_FIELD;
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

// Each of the level's axes runs along one of the mesh's, and none along two.
static bool check_coordinates(const nav_config *c, nav_error *err)
{
    uint32_t taken = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const int along = (int)c->coordinates.axes[axis];
        const uint32_t number = (uint32_t)(along < 0 ? -along : along);
        taken |= number >= 1 && number <= 3 ? 1u << number : 0;
    }
    if (taken != (1u << 1 | 1u << 2 | 1u << 3)) {
        return refuse(err, "coordinates", "must name each of three axes once") == NAV_OK;
    }
    return in_range("scale", (float)c->coordinates.scale, (float)NAV_SCALE_MIN,
                    (float)NAV_SCALE_MAX, err);
}

static nav_status check_lists(const nav_config *c, nav_error *err)
{
    nav_status status = check_areas(c, err);
    NAV_IF_OK(status, check_materials(c, err));
    if (status != NAV_OK) {
        return status;
    }
    if (!check_bounds(c, err) || !check_low_height(c, err) ||
        !check_count("volumes", c->volume_count, NAV_VOLUMES_MAX, err) ||
        !check_count("switches", c->switch_count, NAV_SWITCHES_MAX, err) ||
        !check_count("seeds", c->seed_count, NAV_SEEDS_MAX, err) ||
        !check_count("query_filters", c->filter_count, NAV_FILTERS_MAX, err)) {
        return NAV_INVALID_FIELD;
    }
    for (uint32_t i = 0; status == NAV_OK && i < c->volume_count; ++i) {
        status = check_volume(c, i, err);
    }
    uint64_t shapes = 0;
    for (uint32_t i = 0; status == NAV_OK && i < c->switch_count; ++i) {
        status = check_switch(c, i, &shapes, err);
    }
    status = status == NAV_OK ? nav_config_check_links(c, err) : status;
    for (uint32_t i = 0; status == NAV_OK && i < c->filter_count; ++i) {
        status = check_filter(c, i, err) ? NAV_OK : NAV_INVALID_FIELD;
    }
    for (uint32_t i = 0; status == NAV_OK && i < c->seed_count; ++i) {
        bool good = check_point(place_of("seeds", i, "").text, c->seeds[i], 3, err);
        status = good ? NAV_OK : NAV_INVALID_FIELD;
    }
    return status;
}

// ---- agents ----

static bool is_agent_name(const nav_name name)
{
    const bool first = (name[0] >= 'a' && name[0] <= 'z') || (name[0] >= 'A' && name[0] <= 'Z') ||
                       (name[0] >= '0' && name[0] <= '9');
    const char *rest = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    return first && strspn(name, rest) == strlen(name) && strcmp(name, "default") != 0;
}

// The members of an agent. prefix: "agent" or "agents.rat".
static bool check_body(const char *prefix, const nav_agent *body, nav_error *err)
{
    const struct {
        const char *name;
        float value, min, max;
    } members[] = {
        {"radius", body->radius, 0, 1e4f},
        {"height", body->height, 1e-6f, 1e4f},
        {"max_climb", body->max_climb, 0, 1e4f},
        {"max_slope", body->max_slope, 0, 89.999f},
    };
    for (size_t i = 0; i < sizeof members / sizeof *members; ++i) {
        place at;
        snprintf(at.text, sizeof at.text, "%s.%s", prefix, members[i].name);
        if (!in_range(at.text, members[i].value, members[i].min, members[i].max, err)) {
            return false;
        }
    }
    return true;
}

static bool check_agents(const nav_config *c, nav_error *err)
{
    if (!check_count("agents", c->agent_count, NAV_AGENTS_MAX, err)) {
        return false;
    }
    for (uint32_t i = 0; i < c->agent_count; ++i) {
        const nav_agent *agent = &c->agents[i];
        place at;
        snprintf(at.text, sizeof at.text, "agents.%.47s", agent->name);
        if (!is_agent_name(agent->name)) {
            return refuse(err, at.text,
                          "is no name of an agent: a letter or digit, then letters, digits, '.', "
                          "'_' and '-', at most 47; \"default\" is the one of \"agent\"") == NAV_OK;
        }
        if (i > 0 && strcmp(c->agents[i - 1].name, agent->name) >= 0) {
            return refuse(err, at.text, "is out of order: agents are sorted, each name once") ==
                   NAV_OK;
        }
        if (!check_body(at.text, agent, err)) {
            return false;
        }
    }
    return true;
}

nav_config nav_config_of_body(const nav_config *config, uint32_t body)
{
    nav_config own = *config;
    own.agents = NULL;
    own.agent_count = 0;
    NAV_ASSERT(body <= config->agent_count);
    if (body > 0) {
        const nav_agent *agent = &config->agents[body - 1];
        own.agent_radius = agent->radius;
        own.agent_height = agent->height;
        own.agent_max_climb = agent->max_climb;
        own.agent_max_slope = agent->max_slope;
        if (own.low_height_min >= agent->height) {
            own.low_height_area = NAV_AREA_NONE;
            own.low_height_min = 0;
            own.low_height_single = false;
        }
    }
    return own;
}

// ---- all of it ----

nav_status nav_config_check(const nav_config *c, nav_error *err)
{
    NAV_ASSERT(c->cookie == CONFIG_COOKIE);
    const nav_agent body = {.radius = c->agent_radius,
                            .height = c->agent_height,
                            .max_climb = c->agent_max_climb,
                            .max_slope = c->agent_max_slope};
    // The lower bounds of sizes only keep arithmetic finite; what is too fine for a level is
    // refused with the level in hand, by nav_bake_plan, which can name a size that fits.
    bool good =
        in_range("cell_size", c->cell_size, (float)NAV_CELL_SIZE_MIN, (float)NAV_CELL_SIZE_MAX,
                 err) &&
        in_range("cell_height", c->cell_height, 1e-6f, 1e4f, err) &&
        check_body("agent", &body, err) &&
        in_range("region_min_size", (float)c->region_min_size, 0, NAV_REGION_SIZE_MAX, err) &&
        in_range("region_merge_size", (float)c->region_merge_size, 0, NAV_REGION_SIZE_MAX, err) &&
        in_range("partition", (float)c->partition, 0, NAV_PARTITION_LAYERS, err) &&
        in_range("edge_split", (float)c->edge_split, 0, NAV_EDGE_SPLIT_NONE, err) &&
        in_range("edge_max_length", c->edge_max_length, 0, 1e6f, err) &&
        in_range("edge_max_error", c->edge_max_error, 0, 1000, err) &&
        in_range("polygon_max_vertices", (float)c->polygon_max_vertices, 3,
                 NAV_POLYGON_VERTICES_MAX, err) &&
        in_range("detail_sample_distance", c->detail_sample_distance, 0, 1e4f, err) &&
        in_range("detail_max_error", c->detail_max_error, 0, 1e4f, err);
    if (!good) {
        return NAV_INVALID_FIELD;
    }
    nav_status status =
        check_coordinates(c, err) ? check_sample_distance(c, err) : NAV_INVALID_FIELD;
    NAV_IF_OK(status, check_tile_cells(c, err));
    NAV_IF_OK(status, check_agents(c, err) ? NAV_OK : NAV_INVALID_FIELD);
    return status == NAV_OK ? check_lists(c, err) : status;
}
