// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// write.c: the settings that are lists, written in one form whatever form they were read
// in: every member, areas and flags by name, names sorted, the level's coordinates.

#include "proto/base/coordinates.h"
#include "proto/settings/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_number(proto_writer *w, const char *key, float value)
{
    proto_write_key(w, key);
    proto_write_float(w, value);
}

// A length, or a coordinate, in the level's unit.
static void write_length(proto_writer *w, const char *key, const nav_config *config, float metres)
{
    proto_write_key(w, key);
    proto_write_float_scaled(w, metres, config->coordinates.scale);
}

// The level's axes alone, for what becomes units as it is written.
static nav_coordinates axes_of(const nav_config *config)
{
    nav_coordinates axes = config->coordinates;
    axes.scale = 1.0;
    return axes;
}

// So many coordinates on the level's axes, in metres, as the level has them, with every digit.
static void write_coordinates(proto_writer *w, const nav_config *config, const float *metres,
                              int count)
{
    proto_write_array_begin(w);
    for (int axis = 0; axis < count; axis++) {
        proto_write_float_scaled(w, metres[axis], config->coordinates.scale);
    }
    proto_write_array_end(w);
}

static void write_point(proto_writer *w, const nav_config *config, const float point[3])
{
    float turned[3] = {point[0], point[1], point[2]};
    proto_to_level(axes_of(config), turned);
    write_coordinates(w, config, turned, 3);
}

static void write_box(proto_writer *w, const nav_config *config, const float min[3],
                      const float max[3])
{
    float low[3] = {min[0], min[1], min[2]}, high[3] = {max[0], max[1], max[2]};
    proto_box_to_level(axes_of(config), low, high);
    proto_write_key(w, "min");
    write_coordinates(w, config, low, 3);
    proto_write_key(w, "max");
    write_coordinates(w, config, high, 3);
}

static const char *area_name(const nav_config *config, uint8_t area)
{
    if (config->areas == NULL) {
        return area == NAV_AREA_NONE ? "none" : "ground";
    }
    NAV_ASSERT(area < config->area_count);
    return config->areas[area].name;
}

static void write_flags(proto_writer *w, const char *key, const nav_config *config, uint32_t flags)
{
    NAV_ASSERT(config->flag_count >= 32 || flags >> config->flag_count == 0);
    proto_member_array(w, key);
    for (uint32_t i = 0; i < config->flag_count; i++) {
        if ((flags >> i & 1) != 0) {
            proto_write_string(w, config->flag_names[i]);
        }
    }
    proto_write_array_end(w);
}

void proto_settings_write_low_height(proto_writer *w, const nav_config *config)
{
    if (!config->filter_low_height || config->low_height_area == NAV_AREA_NONE) {
        proto_write_bool(w, config->filter_low_height);
        return;
    }
    proto_write_object_begin(w);
    proto_member_string(w, "area", area_name(config, config->low_height_area));
    write_number(w, "min_height", config->low_height_min);
    proto_member_bool(w, "single", config->low_height_single);
    proto_write_object_end(w);
}

void proto_settings_write_bounds(proto_writer *w, const nav_config *config)
{
    if (!config->has_bounds) {
        proto_write_null(w);
        return;
    }
    proto_write_object_begin(w);
    write_box(w, config, config->bounds_min, config->bounds_max);
    proto_write_object_end(w);
}

void proto_settings_write_areas(proto_writer *w, const nav_config *config)
{
    static const nav_area ground[] = {{.name = "none"}, {.name = "ground", .cost = 1}};
    const nav_area *areas = config->areas != NULL ? config->areas : ground;
    uint32_t count = config->areas != NULL ? config->area_count : 2;
    NAV_ASSERT(count > NAV_AREA_GROUND && count <= NAV_AREAS_MAX);
    proto_write_object_begin(w);
    for (uint32_t i = NAV_AREA_GROUND; i < count; i++) {
        proto_member_object(w, areas[i].name);
        write_number(w, "cost", areas[i].cost);
        write_flags(w, "flags", config, areas[i].flags);
        proto_member_bool(w, "liquid", areas[i].liquid);
        proto_write_object_end(w);
    }
    proto_write_object_end(w);
}

void proto_settings_write_materials(proto_writer *w, const nav_config *config)
{
    proto_write_object_begin(w);
    for (uint32_t i = 0; i < config->material_count; i++) {
        proto_member_string(w, config->materials[i].name,
                            area_name(config, config->materials[i].area));
    }
    proto_write_object_end(w);
}

static void write_convex(proto_writer *w, const nav_config *config, const nav_volume *volume)
{
    const nav_coordinates axes = axes_of(config);
    const int up = proto_upward_axis(axes);
    float low[3] = {0.0f, volume->min[1], 0.0f}, high[3] = {0.0f, volume->max[1], 0.0f};
    proto_box_to_level(axes, low, high);
    proto_member_string(w, "shape", "convex");
    proto_member_array(w, "points");
    for (uint32_t i = 0; i < volume->point_count; i++) {
        float point[3] = {volume->points[i][0], 0.0f, volume->points[i][1]};
        proto_to_level(axes, point);
        const float plan[2] = {point[proto_plan_axis(axes, 0)], point[proto_plan_axis(axes, 1)]};
        write_coordinates(w, config, plan, 2);
    }
    proto_write_array_end(w);
    write_length(w, "min_y", config, low[up]);
    write_length(w, "max_y", config, high[up]);
}

// The shortest height of the level that leads from bottom to the very same top: their difference
// may be longer.
static void write_height(proto_writer *w, const nav_config *config, float bottom, float top)
{
    const double scale = config->coordinates.scale;
    const double height = (double)(top - bottom) / scale;
    char text[40];
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, height);
        if (bottom + (float)(strtod(text, NULL) * scale) == top) {
            break;
        }
    }
    write_length(w, "height", config, (float)(strtod(text, NULL) * scale));
}

static void write_shape(proto_writer *w, const nav_config *config, const nav_volume *volume)
{
    if (volume->shape == NAV_VOLUME_CONVEX) {
        write_convex(w, config, volume);
    } else if (volume->shape == NAV_VOLUME_CYLINDER) {
        proto_member_string(w, "shape", "cylinder");
        proto_write_key(w, "center");
        write_point(w, config, volume->min);
        write_length(w, "radius", config, volume->radius);
        write_height(w, config, volume->min[1], volume->max[1]);
    } else {
        proto_member_string(w, "shape", "box");
        write_box(w, config, volume->min, volume->max);
    }
}

void proto_settings_write_switches(proto_writer *w, const nav_config *config)
{
    proto_write_object_begin(w);
    for (uint32_t i = 0; i < config->switch_count; i++) {
        const nav_switch *s = &config->switches[i];
        proto_member_object(w, s->id);
        proto_member_array(w, "shapes");
        for (uint32_t k = 0; k < s->shape_count; k++) {
            proto_write_object_begin(w);
            write_shape(w, config, &s->shapes[k]);
            proto_write_object_end(w);
        }
        proto_write_array_end(w);
        proto_member_string(w, "default", s->closed ? "closed" : "open");
        proto_write_object_end(w);
    }
    proto_write_object_end(w);
}

void proto_settings_write_volumes(proto_writer *w, const nav_config *config)
{
    proto_write_array_begin(w);
    for (uint32_t i = 0; i < config->volume_count; i++) {
        const nav_volume *volume = &config->volumes[i];
        proto_write_object_begin(w);
        write_shape(w, config, volume);
        proto_member_string(w, "area", area_name(config, volume->area));
        if (volume->id[0] != '\0') {
            proto_member_string(w, "id", volume->id);
        }
        proto_write_object_end(w);
    }
    proto_write_array_end(w);
}

void proto_settings_write_links(proto_writer *w, const nav_config *config)
{
    proto_write_array_begin(w);
    for (uint32_t i = 0; i < config->link_count; i++) {
        const nav_link *link = &config->links[i];
        proto_write_object_begin(w);
        proto_write_key(w, "start");
        write_point(w, config, link->start);
        proto_write_key(w, "end");
        write_point(w, config, link->end);
        write_length(w, "radius", config, link->radius);
        proto_member_bool(w, "bidirectional", link->bidirectional);
        proto_member_string(w, "area", area_name(config, link->area));
        write_flags(w, "flags", config, link->flags);
        proto_member_string(w, "id", link->id);
        write_length(w, "cost", config, link->has_cost ? link->cost : (float)PROTO_NO_NUMBER);
        if (link->switch_number > 0) {
            proto_member_string(w, "switch", config->switches[link->switch_number - 1].id);
        }
        proto_write_object_end(w);
    }
    proto_write_array_end(w);
}

void proto_settings_write_seeds(proto_writer *w, const nav_config *config)
{
    proto_write_array_begin(w);
    for (uint32_t i = 0; i < config->seed_count; i++) {
        write_point(w, config, config->seeds[i]);
    }
    proto_write_array_end(w);
}

void proto_settings_write_agents(proto_writer *w, const nav_config *config)
{
    proto_write_object_begin(w);
    for (uint32_t i = 0; i < config->agent_count; i++) {
        const nav_agent *agent = &config->agents[i];
        proto_member_object(w, agent->name);
        write_number(w, "radius", agent->radius);
        write_number(w, "height", agent->height);
        write_number(w, "max_climb", agent->max_climb);
        write_number(w, "max_slope", agent->max_slope);
        proto_write_object_end(w);
    }
    proto_write_object_end(w);
}

void proto_settings_write_filters(proto_writer *w, const nav_config *config)
{
    const uint32_t area_count = config->areas != NULL ? config->area_count : 2;
    proto_write_object_begin(w);
    for (uint32_t i = 0; i < config->filter_count; i++) {
        const nav_filter *filter = &config->filters[i].filter;
        proto_member_object(w, config->filters[i].name);
        proto_member_object(w, "costs");
        for (uint32_t area = NAV_AREA_GROUND; area < area_count; area++) {
            if (filter->area_costs[area] > 0.0f) {
                write_number(w, area_name(config, (uint8_t)area), filter->area_costs[area]);
            }
        }
        proto_write_object_end(w);
        write_flags(w, "include", config, filter->include);
        write_flags(w, "exclude", config, filter->exclude);
        proto_write_object_end(w);
    }
    proto_write_object_end(w);
}
