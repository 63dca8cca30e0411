// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// config.c: the settings of a bake: their defaults and their check, first the single numbers, then
// the lists: areas, materials, volumes, switches, links, seeds, bounds. Errors name the element and
// its member, "volumes[3].points[1]", as the API does.

#include "core/nav.h"

#include <math.h>
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

// ---- errors ----

// Dimensions of volumes and links: large, but far from where a float's squares end.
#define EXTENT_MAX (2 * NAV_COORDINATE_MAX)
#define COST_MAX 1e6f

static bool refuse(nav_error *err, const char *at, const char *what)
{
    return nav_fail_at(err, NAV_INVALID_FIELD, at, "%s %s", at, what) == NAV_OK;
}

// The value must lie in [min, max]; NaN lies nowhere. Settings are floats and so are the bounds: as
// doubles, 89.999 would be above a bound of 89.999.
static bool in_range(const char *name, float value, float min, float max, nav_error *err)
{
    if (value >= min && value <= max) {
        return true;
    }
    nav_fail_at(err, NAV_INVALID_FIELD, name, "%s must lie between %g and %g", name, (double)min,
                (double)max);
    if (isnan(value)) {
        nav_error_got(err, "NaN");
    } else {
        nav_error_got(err, "%g", (double)value);
    }
    nav_error_limit(err, "%g", (double)(value > max ? max : min));
    return false;
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
    uint32_t good = 0;
    while (good < axes && are_coordinates(point + good, 1)) {
        ++good;
    }
    return good == axes || in_range(nav_at("%s[%u]", at, good).text, point[good],
                                    -NAV_COORDINATE_MAX, NAV_COORDINATE_MAX, err);
}

static bool check_count(const char *name, uint32_t count, uint32_t max, nav_error *err)
{
    return count <= max || nav_fail_bound(err, NAV_INVALID_FIELD, name, count, max,
                                          "%s has more than %u entries", name, max) == NAV_OK;
}

// ---- single numbers ----

static bool check_sample_distance(const nav_config *c, nav_error *err)
{
    if (c->detail_sample_distance <= 0 || c->detail_sample_distance >= 0.9f) {
        return true;
    }
    nav_fail_at(err, NAV_INVALID_FIELD, "detail_sample_distance",
                "detail_sample_distance must be 0 or at least 0.9 cells");
    nav_error_got(err, "%g", (double)c->detail_sample_distance);
    nav_error_limit(err, "0.9");
    return false;
}

static bool check_tile_cells(const nav_config *c, nav_error *err)
{
    const uint32_t cells = c->tile_cells, least = NAV_TILE_SIDE_CELLS_MIN;
    return cells == 0 || cells == NAV_TILE_CELLS_AUTO ||
           (cells >= least && cells <= NAV_TILE_SIDE_CELLS_MAX) ||
           nav_fail_bound(err, NAV_INVALID_FIELD, "tile_cells", cells,
                          cells < least ? least : NAV_TILE_SIDE_CELLS_MAX,
                          "tile_cells must be \"auto\", 0 or lie between %u and %u", least,
                          NAV_TILE_SIDE_CELLS_MAX) == NAV_OK;
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
        return refuse(err, "coordinates", "must name each of three axes once");
    }
    return in_range("scale", (float)c->coordinates.scale, (float)NAV_SCALE_MIN,
                    (float)NAV_SCALE_MAX, err);
}

// ---- areas and materials ----

// The number of areas there are, "none" and "ground" in any case.
static uint32_t area_count(const nav_config *c)
{
    return c->areas != NULL ? c->area_count : NAV_AREA_GROUND + 1;
}

static bool check_area(const nav_config *c, const char *at, uint8_t area, nav_error *err)
{
    return area < area_count(c) || refuse(err, at, "is no area of these settings");
}

static bool check_flags(const nav_config *c, const char *at, uint32_t flags, nav_error *err)
{
    bool known = c->flag_count >= NAV_FLAGS_MAX || flags >> c->flag_count == 0;
    return known || refuse(err, at, "has a flag that has no name");
}

static bool check_areas(const nav_config *c, nav_error *err)
{
    if (!check_count("flags", c->flag_count, NAV_FLAGS_MAX, err)) {
        return false;
    }
    if (c->areas == NULL) {
        return c->area_count == 0 || refuse(err, "areas", "is missing");
    }
    bool good = check_count("areas", c->area_count, NAV_AREAS_MAX, err) &&
                (c->area_count > NAV_AREA_GROUND ||
                 refuse(err, "areas", "must begin with \"none\" and \"ground\""));
    for (uint32_t i = NAV_AREA_GROUND; good && i < c->area_count; ++i) {
        const nav_area *area = &c->areas[i];
        good = in_range(nav_at("areas.%.47s.cost", area->name).text, area->cost, 1e-6f, COST_MAX,
                        err) &&
               check_flags(c, nav_at("areas.%.47s.flags", area->name).text, area->flags, err);
    }
    return good;
}

static bool check_materials(const nav_config *c, nav_error *err)
{
    bool good = check_count("materials", c->material_count, NAV_MATERIALS_MAX, err);
    for (uint32_t i = 0; good && i < c->material_count; ++i) {
        const nav_error_place at = nav_at("materials.%.47s", c->materials[i].name);
        good = i == 0 || strcmp(c->materials[i - 1].name, c->materials[i].name) < 0 ||
               refuse(err, at.text, "is out of order: materials are sorted, each name once");
        good = good && check_area(c, at.text, c->materials[i].area, err);
    }
    return good;
}

// ---- volumes and switches ----

static bool check_outline(const nav_volume *v, const char *at, nav_error *err)
{
    const uint32_t count = v->point_count, most = NAV_VOLUME_POINTS_MAX;
    bool good = (count >= 3 && count <= most) ||
                nav_fail_bound(err, NAV_INVALID_FIELD, at, count, count < 3 ? 3 : most,
                               "%s must have 3 to %u points", at, most) == NAV_OK;
    for (uint32_t i = 0; good && i < count; ++i) {
        good = are_coordinates(v->points[i], 2) ||
               check_point(nav_at("%s[%u]", at, i).text, v->points[i], 2, err);
    }
    return good;
}

// The shape of a volume, or of a switch; prefix is e.g. "volumes[3]".
static bool check_shape(const nav_volume *v, const char *prefix, nav_error *err)
{
    if (v->shape == NAV_VOLUME_CONVEX) {
        return in_range(nav_at("%s.min_y", prefix).text, v->min[1], -NAV_COORDINATE_MAX,
                        NAV_COORDINATE_MAX, err) &&
               in_range(nav_at("%s.max_y", prefix).text, v->max[1], v->min[1], NAV_COORDINATE_MAX,
                        err) &&
               check_outline(v, nav_at("%s.points", prefix).text, err);
    }
    if (v->shape == NAV_VOLUME_CYLINDER) {
        return check_point(nav_at("%s.center", prefix).text, v->min, 3, err) &&
               in_range(nav_at("%s.radius", prefix).text, v->radius, 0, EXTENT_MAX, err) &&
               in_range(nav_at("%s.height", prefix).text, v->max[1] - v->min[1], 0, EXTENT_MAX,
                        err);
    }
    const nav_error_place max = nav_at("%s.max", prefix);
    bool good = check_point(nav_at("%s.min", prefix).text, v->min, 3, err) &&
                check_point(max.text, v->max, 3, err);
    for (int axis = 0; good && axis < 3; ++axis) {
        good = v->max[axis] >= v->min[axis] || refuse(err, max.text, "lies below min");
    }
    return good;
}

// shapes: how many the switches before have; they are bounded together.
static bool check_switch(const nav_config *c, uint32_t index, uint64_t *shapes, nav_error *err)
{
    const nav_switch *s = &c->switches[index];
    if (memchr(s->id, 0, sizeof s->id) == NULL || s->id[0] == '\0') {
        return refuse(err, nav_at("switches[%u]", index).text, "has no id");
    }
    if (index > 0 && strcmp(c->switches[index - 1].id, s->id) >= 0) {
        return refuse(err, nav_at("switches.%s", s->id).text,
                      "is out of order: switches are sorted, each id once");
    }
    *shapes += s->shape_count;
    const nav_error_place list = nav_at("switches.%s.shapes", s->id);
    bool good = *shapes <= NAV_VOLUMES_MAX ||
                nav_fail_bound(err, NAV_INVALID_FIELD, list.text, *shapes, NAV_VOLUMES_MAX,
                               "switches have more than %u shapes", NAV_VOLUMES_MAX) == NAV_OK;
    for (uint32_t i = 0; good && i < s->shape_count; ++i) {
        good = check_shape(&s->shapes[i], nav_at("%s[%u]", list.text, i).text, err);
    }
    return good;
}

// ---- links, filters, bounds ----

static bool check_link(const nav_config *c, uint32_t index, nav_error *err)
{
    const nav_link *link = &c->links[index];
    const nav_error_place area = nav_at("links[%u].area", index);
    return check_point(nav_at("links[%u].start", index).text, link->start, 3, err) &&
           check_point(nav_at("links[%u].end", index).text, link->end, 3, err) &&
           in_range(nav_at("links[%u].radius", index).text, link->radius, 0, 1e4f, err) &&
           check_area(c, area.text, link->area, err) &&
           (link->area != NAV_AREA_NONE ||
            refuse(err, area.text, "is \"none\", which cannot be walked")) &&
           check_flags(c, nav_at("links[%u].flags", index).text, link->flags, err) &&
           (link->switch_number <= c->switch_count ||
            refuse(err, nav_at("links[%u].switch", index).text,
                   "is no switch of these settings")) &&
           (!link->has_cost ||
            in_range(nav_at("links[%u].cost", index).text, link->cost, 0, COST_MAX, err));
}

static bool check_links(const nav_config *c, nav_error *err)
{
    bool good = check_count("links", c->link_count, NAV_LINKS_MAX, err);
    for (uint32_t i = 0; good && i < c->link_count; ++i) {
        good = check_link(c, i, err);
    }
    return good;
}

nav_status nav_config_check_links(const nav_config *c, nav_error *err)
{
    return check_links(c, err) ? NAV_OK : NAV_INVALID_FIELD;
}

// 0 stands for the area's own cost.
static bool check_filter(const nav_config *c, uint32_t index, nav_error *err)
{
    const nav_named_filter *named = &c->filters[index];
    const nav_error_place at = nav_at("query_filters[%u].costs", index);
    for (uint32_t i = 0; i < NAV_AREAS_MAX; ++i) {
        const float cost = named->filter.area_costs[i];
        if (i >= area_count(c) && cost != 0.0f) {
            return refuse(err, at.text, "names an area that there is not");
        }
        if (cost != 0.0f && !in_range(at.text, cost, 1e-6f, COST_MAX, err)) {
            return false;
        }
    }
    return (index == 0 || strcmp(c->filters[index - 1].name, named->name) < 0 ||
            refuse(err, nav_at("query_filters[%u]", index).text, "must follow the names before")) &&
           check_flags(c, nav_at("query_filters[%u].include", index).text, named->filter.include,
                       err) &&
           check_flags(c, nav_at("query_filters[%u].exclude", index).text, named->filter.exclude,
                       err);
}

static bool check_bounds(const nav_config *c, nav_error *err)
{
    bool good = !c->has_bounds || (check_point("bounds.min", c->bounds_min, 3, err) &&
                                   check_point("bounds.max", c->bounds_max, 3, err));
    for (int axis = 0; c->has_bounds && good && axis < 3; ++axis) {
        good = c->bounds_max[axis] > c->bounds_min[axis] ||
               refuse(err, "bounds.max", "must lie above bounds.min in each direction");
    }
    return good;
}

static bool check_low_height(const nav_config *c, nav_error *err)
{
    const char *at = "filters.low_height.min_height";
    return c->low_height_area == NAV_AREA_NONE ||
           (check_area(c, "filters.low_height.area", c->low_height_area, err) &&
            in_range(at, c->low_height_min, 1e-6f, c->agent_height, err) &&
            (c->low_height_min < c->agent_height || refuse(err, at, "must be below agent.height")));
}

static bool check_lists(const nav_config *c, nav_error *err)
{
    bool good = check_areas(c, err) && check_materials(c, err) && check_bounds(c, err) &&
                check_low_height(c, err) &&
                check_count("volumes", c->volume_count, NAV_VOLUMES_MAX, err) &&
                check_count("switches", c->switch_count, NAV_SWITCHES_MAX, err) &&
                check_count("seeds", c->seed_count, NAV_SEEDS_MAX, err) &&
                check_count("query_filters", c->filter_count, NAV_FILTERS_MAX, err);
    for (uint32_t i = 0; good && i < c->volume_count; ++i) {
        good = check_area(c, nav_at("volumes[%u].area", i).text, c->volumes[i].area, err) &&
               check_shape(&c->volumes[i], nav_at("volumes[%u]", i).text, err);
    }
    uint64_t shapes = 0;
    for (uint32_t i = 0; good && i < c->switch_count; ++i) {
        good = check_switch(c, i, &shapes, err);
    }
    good = good && check_links(c, err);
    for (uint32_t i = 0; good && i < c->filter_count; ++i) {
        good = check_filter(c, i, err);
    }
    for (uint32_t i = 0; good && i < c->seed_count; ++i) {
        good = check_point(nav_at("seeds[%u]", i).text, c->seeds[i], 3, err);
    }
    return good;
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
static bool check_agent(const char *prefix, const nav_agent *agent, nav_error *err)
{
    return in_range(nav_at("%s.radius", prefix).text, agent->radius, 0, 1e4f, err) &&
           in_range(nav_at("%s.height", prefix).text, agent->height, 1e-6f, 1e4f, err) &&
           in_range(nav_at("%s.max_climb", prefix).text, agent->max_climb, 0, 1e4f, err) &&
           in_range(nav_at("%s.max_slope", prefix).text, agent->max_slope, 0, 89.999f, err);
}

static bool check_agents(const nav_config *c, nav_error *err)
{
    bool good = check_count("agents", c->agent_count, NAV_AGENTS_MAX, err);
    for (uint32_t i = 0; good && i < c->agent_count; ++i) {
        const nav_agent *agent = &c->agents[i];
        const nav_error_place at = nav_at("agents.%.47s", agent->name);
        if (!is_agent_name(agent->name)) {
            return refuse(err, at.text,
                          "is no name of an agent: a letter or digit, then letters, digits, '.', "
                          "'_' and '-', at most 47; \"default\" is the one of \"agent\"");
        }
        good = i == 0 || strcmp(c->agents[i - 1].name, agent->name) < 0 ||
               refuse(err, at.text, "is out of order: agents are sorted, each name once");
        good = good && check_agent(at.text, agent, err);
    }
    return good;
}

nav_config nav_config_of_agent(const nav_config *config, uint32_t number)
{
    nav_config own = *config;
    own.agents = NULL;
    own.agent_count = 0;
    NAV_ASSERT(number <= config->agent_count);
    if (number > 0) {
        const nav_agent *agent = &config->agents[number - 1];
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
    const nav_agent agent = {.radius = c->agent_radius,
                             .height = c->agent_height,
                             .max_climb = c->agent_max_climb,
                             .max_slope = c->agent_max_slope};
    // The lower bounds of sizes only keep arithmetic finite; what is too fine for a level is
    // refused with the level in hand, by nav_bake_plan, which can name a size that fits.
    bool good =
        in_range("cell_size", c->cell_size, (float)NAV_CELL_SIZE_MIN, (float)NAV_CELL_SIZE_MAX,
                 err) &&
        in_range("cell_height", c->cell_height, 1e-6f, 1e4f, err) &&
        check_agent("agent", &agent, err) &&
        in_range("region_min_size", (float)c->region_min_size, 0, NAV_REGION_SIZE_MAX, err) &&
        in_range("region_merge_size", (float)c->region_merge_size, 0, NAV_REGION_SIZE_MAX, err) &&
        in_range("partition", (float)c->partition, 0, NAV_PARTITION_LAYERS, err) &&
        in_range("edge_split", (float)c->edge_split, 0, NAV_EDGE_SPLIT_NONE, err) &&
        in_range("edge_max_length", c->edge_max_length, 0, 1e6f, err) &&
        in_range("edge_max_error", c->edge_max_error, 0, 1000, err) &&
        in_range("polygon_max_vertices", (float)c->polygon_max_vertices, 3,
                 NAV_POLYGON_VERTICES_MAX, err) &&
        in_range("detail_sample_distance", c->detail_sample_distance, 0, 1e4f, err) &&
        in_range("detail_max_error", c->detail_max_error, 0, 1e4f, err) &&
        check_coordinates(c, err) && check_sample_distance(c, err) && check_tile_cells(c, err) &&
        check_agents(c, err) && check_lists(c, err);
    return good ? NAV_OK : NAV_INVALID_FIELD;
}
