// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// places.c: the settings that lie somewhere in the level: volumes, switches, links, seeds, bounds.
// The second half of lists.c. Lengths become metres as they are read, and positions then take the
// mesh's axes.

#include "proto/base/coordinates.h"
#include "proto/settings/settings.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

#define COORDINATE_LIMIT ((double)NAV_COORDINATE_MAX)

// Of what is in metres already.
static nav_coordinates axes_of(const proto_settings_reader *r)
{
    nav_coordinates axes = r->config->coordinates;
    axes.scale = 1.0;
    return axes;
}

// ---- volumes ----

typedef struct volume_fields {
    unsigned shape;
    const char *area, *id;
    const cJSON *points;
    float min_y, max_y;
    float min[3], max[3], center[3];
    float radius, height;
} volume_fields;

static const char *const SHAPE_WORDS[] = {[NAV_VOLUME_CONVEX] = "convex",
                                          [NAV_VOLUME_BOX] = "box",
                                          [NAV_VOLUME_CYLINDER] = "cylinder",
                                          NULL};

#define VOLUME_ROW(member, kind)                                                                   \
    {                                                                                              \
        .name = #member, .type = kind, .offset = offsetof(volume_fields, member)                   \
    }
#define VOLUME_LENGTH_ROW(member, kind, least)                                                     \
    {                                                                                              \
        .name = #member, .type = kind, .offset = offsetof(volume_fields, member), .min = least,    \
        .max = COORDINATE_LIMIT, .unit = PROTO_UNIT_LENGTH                                         \
    }

enum {
    SHAPE,
    AREA,
    ID,
    POINTS,
    MIN_Y,
    MAX_Y,
    MIN,
    MAX,
    CENTER,
    RADIUS,
    HEIGHT,
    VOLUME_ROWS_COUNT
};

static const proto_field VOLUME_ROWS[VOLUME_ROWS_COUNT] = {
    [SHAPE] = {.name = "shape",
               .type = PROTO_FIELD_CHOICE,
               .offset = offsetof(volume_fields, shape),
               .words = SHAPE_WORDS,
               .required = true,
               .note = "a \"circle\" of obstacles is a \"cylinder\" here"},
    [AREA] = VOLUME_ROW(area, PROTO_FIELD_STRING),
    [ID] = VOLUME_ROW(id, PROTO_FIELD_STRING),
    [POINTS] = VOLUME_ROW(points, PROTO_FIELD_TREE),
    [MIN_Y] = VOLUME_LENGTH_ROW(min_y, PROTO_FIELD_FLOAT, -COORDINATE_LIMIT),
    [MAX_Y] = VOLUME_LENGTH_ROW(max_y, PROTO_FIELD_FLOAT, -COORDINATE_LIMIT),
    [MIN] = VOLUME_LENGTH_ROW(min, PROTO_FIELD_POINT, -COORDINATE_LIMIT),
    [MAX] = VOLUME_LENGTH_ROW(max, PROTO_FIELD_POINT, -COORDINATE_LIMIT),
    [CENTER] = VOLUME_LENGTH_ROW(center, PROTO_FIELD_POINT, -COORDINATE_LIMIT),
    [RADIUS] = VOLUME_LENGTH_ROW(radius, PROTO_FIELD_FLOAT, 0),
    [HEIGHT] = VOLUME_LENGTH_ROW(height, PROTO_FIELD_FLOAT, 0),
};

_Static_assert(VOLUME_ROWS_COUNT <= 64, "the rows that were seen are bits of one number");

// The members that each shape must have and that no other may have.
static const uint64_t SHAPE_MEMBERS[] = {
    [NAV_VOLUME_CONVEX] = 1u << POINTS | 1u << MIN_Y | 1u << MAX_Y,
    [NAV_VOLUME_BOX] = 1u << MIN | 1u << MAX,
    [NAV_VOLUME_CYLINDER] = 1u << CENTER | 1u << RADIUS | 1u << HEIGHT,
};
#define SHAPE_COUNT (sizeof SHAPE_MEMBERS / sizeof SHAPE_MEMBERS[0])
_Static_assert(sizeof SHAPE_WORDS / sizeof SHAPE_WORDS[0] == SHAPE_COUNT + 1,
               "each shape has its members, and NULL ends the words");

// Points in plan view: x and z, or those of the level's axes that are not upright.
static nav_status read_outline(const proto_settings_reader *r, const cJSON *list,
                               const char *prefix, nav_volume *out)
{
    char at[96];
    snprintf(at, sizeof at, "%spoints", prefix);
    uint32_t count;
    nav_status status = proto_settings_count(r, list, at, NAV_VOLUME_POINTS_MAX, &count);
    if (status == NAV_OK && count < 3) {
        status = proto_node_invalid(list, at, "a list of 3 to 256 points", r->err);
    }
    if (status != NAV_OK) {
        return status;
    }
    float(*points)[2] = nav_arena_alloc(r->memory, count, sizeof *points);
    if (points == NULL) {
        return proto_settings_no_memory(r);
    }
    uint32_t i = 0;
    for (const cJSON *point = list->child; status == NAV_OK && point != NULL; point = point->next) {
        char place[112];
        snprintf(place, sizeof place, "%s[%u]", at, i);
        status = proto_node_coordinates(point, place, 2, r->config->coordinates.scale, points[i],
                                        r->err);
        if (status == NAV_OK) {
            proto_plan_to_mesh(axes_of(r), points[i]);
        }
        i++;
    }
    NAV_ASSERT(status != NAV_OK || i == count);
    out->points = (const float(*)[2])points;
    out->point_count = count;
    return status;
}

// A volume, which has an area, or a shape of a switch.
static nav_status read_shape(const proto_settings_reader *r, const cJSON *item, const char *prefix,
                             bool is_volume, nav_volume *out)
{
    volume_fields f = {0};
    uint64_t seen;
    char at[96];
    const nav_coordinates axes = axes_of(r);
    const proto_fields rows = PROTO_ROWS_IN(VOLUME_ROWS, r->config->coordinates.scale);
    nav_status status = proto_fields_read_tree(rows, item, prefix, &f, &seen, r->err);
    if (status == NAV_OK) {
        NAV_ASSERT(f.shape < SHAPE_COUNT);
        const uint64_t must = SHAPE_MEMBERS[f.shape] | 1u << SHAPE | (is_volume ? 1u << AREA : 0);
        status =
            proto_fields_check_members(rows, prefix, seen, must, is_volume ? 1u << ID : 0, r->err);
    }
    snprintf(at, sizeof at, "%sid", prefix);
    if (status == NAV_OK && f.id != NULL) {
        status = proto_settings_name(r, f.id, at, true, out->id);
    }
    snprintf(at, sizeof at, "%sarea", prefix);
    if (status == NAV_OK && is_volume) {
        status = proto_settings_area(r, f.area, at, &out->area);
    }
    if (status != NAV_OK) {
        return status;
    }
    out->shape = (nav_volume_shape)f.shape;
    switch (out->shape) {
    case NAV_VOLUME_CONVEX:
        proto_heights_to_mesh(axes, &f.min_y, &f.max_y);
        out->min[1] = f.min_y;
        out->max[1] = f.max_y;
        return read_outline(r, f.points, prefix, out);
    case NAV_VOLUME_BOX:
        memcpy(out->min, f.min, sizeof f.min);
        memcpy(out->max, f.max, sizeof f.max);
        proto_box_to_mesh(axes, out->min, out->max);
        break;
    case NAV_VOLUME_CYLINDER:
        proto_to_mesh(axes, f.center);
        memcpy(out->min, f.center, sizeof f.center);
        memcpy(out->max, f.center, sizeof f.center);
        out->max[1] = f.center[1] + f.height;
        out->radius = f.radius;
        break;
    }
    return NAV_OK;
}

// Room for the elements of a list, cleared; where it was not given there are none.
static nav_status make_list(const proto_settings_reader *r, const cJSON *list, const char *at,
                            uint32_t limit, size_t element_bytes, uint32_t *count, void **out)
{
    nav_status status = proto_settings_count(r, list, at, limit, count);
    if (status == NAV_OK) {
        *out = nav_arena_alloc_zero(r->memory, *count, element_bytes);
        status = *out != NULL ? NAV_OK : proto_settings_no_memory(r);
    }
    return status;
}

nav_status proto_settings_read_volumes(proto_settings_reader *r, const cJSON *list)
{
    uint32_t count = 0;
    void *room = NULL;
    nav_status status =
        make_list(r, list, "volumes", NAV_VOLUMES_MAX, sizeof(nav_volume), &count, &room);
    nav_volume *volumes = room;
    const cJSON *item = list != NULL ? list->child : NULL;
    for (uint32_t i = 0; status == NAV_OK && item != NULL; i++, item = item->next) {
        char prefix[32];
        snprintf(prefix, sizeof prefix, "volumes[%u].", i);
        status = read_shape(r, item, prefix, true, &volumes[i]);
    }
    r->config->volumes = volumes;
    r->config->volume_count = count;
    return status;
}

// ---- switches ----

typedef struct switch_fields {
    const cJSON *shapes;
    unsigned default_state;
} switch_fields;

static const char *const STATE_WORDS[] = {"open", "closed", NULL};

static const proto_field SWITCH_ROWS[] = {
    {.name = "shapes", .type = PROTO_FIELD_TREE, .offset = offsetof(switch_fields, shapes)},
    {.name = "default",
     .type = PROTO_FIELD_CHOICE,
     .offset = offsetof(switch_fields, default_state),
     .words = STATE_WORDS},
};

// Shapes are bounded over all switches, so that small switches may be many.
static nav_status read_switch(const proto_settings_reader *r, const cJSON *member,
                              uint32_t *shapes_left, nav_switch *out)
{
    char prefix[80], at[96];
    switch_fields f = {0};
    uint64_t seen;
    nav_status status = proto_settings_name(r, member->string, "switches", false, out->id);
    snprintf(prefix, sizeof prefix, "switches.%.47s.", member->string);
    snprintf(at, sizeof at, "%sshapes", prefix);
    NAV_IF_OK(status,
              proto_fields_read_tree(PROTO_ROWS(SWITCH_ROWS), member, prefix, &f, &seen, r->err));
    void *room = NULL;
    NAV_IF_OK(status, make_list(r, f.shapes, at, *shapes_left, sizeof(nav_volume),
                                &out->shape_count, &room));
    nav_volume *shapes = room;
    const cJSON *item = status == NAV_OK && f.shapes != NULL ? f.shapes->child : NULL;
    for (uint32_t i = 0; status == NAV_OK && item != NULL; i++, item = item->next) {
        char place[112];
        snprintf(place, sizeof place, "%s[%u].", at, i);
        status = read_shape(r, item, place, false, &shapes[i]);
    }
    out->closed = f.default_state == 1;
    out->shapes = shapes;
    *shapes_left -= status == NAV_OK ? out->shape_count : 0;
    return status;
}

nav_status proto_settings_read_switches(proto_settings_reader *r, const cJSON *object)
{
    const cJSON **members;
    uint32_t count, shapes_left = NAV_VOLUMES_MAX;
    nav_status status =
        proto_settings_members(r, object, "switches", NAV_SWITCHES_MAX, &members, &count);
    if (status != NAV_OK) {
        return status;
    }
    nav_switch *switches = NAV_NEW_ZERO(r->memory, nav_switch, count);
    if (switches == NULL) {
        return proto_settings_no_memory(r);
    }
    for (uint32_t i = 0; status == NAV_OK && i < count; i++) {
        status = read_switch(r, members[i], &shapes_left, &switches[i]);
    }
    r->config->switches = switches;
    r->config->switch_count = count;
    return status;
}

// ---- links, seeds, bounds ----

typedef struct link_fields {
    float start[3], end[3];
    float radius;
    bool bidirectional;
    const char *area, *id, *switch_id;
    const cJSON *flags, *cost;
} link_fields;

#define LINK_ROW(member, kind)                                                                     \
    {                                                                                              \
        .name = #member, .type = kind, .offset = offsetof(link_fields, member)                     \
    }
#define LINK_POINT_ROW(member)                                                                     \
    {                                                                                              \
        .name = #member, .type = PROTO_FIELD_POINT, .offset = offsetof(link_fields, member),       \
        .min = -COORDINATE_LIMIT, .max = COORDINATE_LIMIT, .unit = PROTO_UNIT_LENGTH,              \
        .required = true                                                                           \
    }

static const proto_field LINK_ROWS[] = {
    LINK_POINT_ROW(start),
    LINK_POINT_ROW(end),
    {.name = "radius",
     .type = PROTO_FIELD_FLOAT,
     .offset = offsetof(link_fields, radius),
     .max = PROTO_LINK_RADIUS_MAX,
     .unit = PROTO_UNIT_LENGTH},
    LINK_ROW(bidirectional, PROTO_FIELD_BOOL),
    LINK_ROW(area, PROTO_FIELD_STRING),
    LINK_ROW(flags, PROTO_FIELD_TREE),
    LINK_ROW(id, PROTO_FIELD_STRING),
    LINK_ROW(cost, PROTO_FIELD_TREE),
    {.name = "switch", .type = PROTO_FIELD_STRING, .offset = offsetof(link_fields, switch_id)},
};

// null: by the link's length and area.
static nav_status read_link_cost(const proto_settings_reader *r, const cJSON *item,
                                 const char *prefix, nav_link *out)
{
    if (item == NULL || cJSON_IsNull(item)) {
        return NAV_OK;
    }
    const double cost = item->valuedouble;
    const nav_coordinates coordinates = r->config->coordinates;
    const double most = proto_length_to_level(coordinates, PROTO_LINK_COST_MAX);
    if (!cJSON_IsNumber(item) || !(cost >= 0.0 && cost <= most)) {
        char at[48];
        snprintf(at, sizeof at, "%scost", prefix);
        return proto_node_not_within(item, at, 0, most, ", or null", r->err);
    }
    out->has_cost = true;
    out->cost = (float)proto_length_to_mesh(coordinates, cost) + 0.0f;
    return NAV_OK;
}

// The switch that a link names; NULL: none.
static nav_status find_switch(const proto_settings_reader *r, const char *id, const char *prefix,
                              nav_link *out)
{
    const nav_config *config = r->config;
    uint32_t begin = 0, end = id != NULL ? config->switch_count : 0;
    while (begin < end) {
        const uint32_t middle = begin + (end - begin) / 2;
        const int order = strcmp(id, config->switches[middle].id);
        if (order == 0) {
            out->switch_number = middle + 1;
            return NAV_OK;
        }
        begin = order > 0 ? middle + 1 : begin;
        end = order < 0 ? middle : end;
    }
    if (id == NULL) {
        return NAV_OK;
    }
    nav_fail(r->err, NAV_INVALID_FIELD, "%sswitch: there is no switch \"%.47s\" in switches",
             prefix, id);
    nav_error_at(r->err, "%sswitch", prefix);
    nav_error_got(r->err, "%.63s", id);
    proto_suggestion meant = proto_suggest(id, strlen(id));
    for (uint32_t i = 0; i < config->switch_count; i++) {
        proto_suggest_offer(&meant, config->switches[i].id, strlen(config->switches[i].id));
    }
    proto_suggest_tell(&meant, r->err);
    return NAV_INVALID_FIELD;
}

static nav_status read_link(const proto_settings_reader *r, const cJSON *item, uint32_t index,
                            nav_link *out)
{
    link_fields f = {
        .radius = PROTO_LINK_RADIUS_DEFAULT, .bidirectional = true, .area = "ground", .id = ""};
    uint64_t seen;
    char prefix[32], area_at[48], id_at[48];
    snprintf(prefix, sizeof prefix, "links[%u].", index);
    snprintf(area_at, sizeof area_at, "%sarea", prefix);
    snprintf(id_at, sizeof id_at, "%sid", prefix);
    const proto_fields rows = PROTO_ROWS_IN(LINK_ROWS, r->config->coordinates.scale);
    nav_status status = proto_fields_read_tree(rows, item, prefix, &f, &seen, r->err);
    NAV_IF_OK(status, proto_settings_walkable_area(r, f.area, area_at, &out->area));
    NAV_IF_OK(status, proto_settings_name(r, f.id, id_at, true, out->id));
    NAV_IF_OK(status, proto_settings_flags(r, f.flags, prefix, &out->flags));
    NAV_IF_OK(status, read_link_cost(r, f.cost, prefix, out));
    NAV_IF_OK(status, find_switch(r, f.switch_id, prefix, out));
    proto_to_mesh(axes_of(r), f.start);
    proto_to_mesh(axes_of(r), f.end);
    memcpy(out->start, f.start, sizeof f.start);
    memcpy(out->end, f.end, sizeof f.end);
    out->radius = f.radius;
    out->bidirectional = f.bidirectional;
    return status;
}

nav_status proto_settings_read_links(proto_settings_reader *r, const cJSON *list)
{
    uint32_t count = 0;
    void *room = NULL;
    nav_status status = make_list(r, list, "links", NAV_LINKS_MAX, sizeof(nav_link), &count, &room);
    nav_link *links = room;
    const cJSON *item = list != NULL ? list->child : NULL;
    for (uint32_t i = 0; status == NAV_OK && item != NULL; i++, item = item->next) {
        status = read_link(r, item, i, &links[i]);
    }
    r->config->links = links;
    r->config->link_count = count;
    return status;
}

nav_status proto_settings_read_seeds(proto_settings_reader *r, const cJSON *list)
{
    uint32_t count = 0;
    void *room = NULL;
    nav_status status = make_list(r, list, "seeds", NAV_SEEDS_MAX, sizeof(float[3]), &count, &room);
    float(*seeds)[3] = room;
    const cJSON *item = list != NULL ? list->child : NULL;
    for (uint32_t i = 0; status == NAV_OK && item != NULL; i++, item = item->next) {
        char at[32];
        snprintf(at, sizeof at, "seeds[%u]", i);
        status =
            proto_node_coordinates(item, at, 3, r->config->coordinates.scale, seeds[i], r->err);
        if (status == NAV_OK) {
            proto_to_mesh(axes_of(r), seeds[i]);
        }
    }
    r->config->seeds = (const float(*)[3])seeds;
    r->config->seed_count = count;
    return status;
}

typedef struct bounds_fields {
    float min[3], max[3];
} bounds_fields;

static const proto_field BOUNDS_ROWS[] = {
    {.name = "min",
     .type = PROTO_FIELD_POINT,
     .offset = offsetof(bounds_fields, min),
     .min = -COORDINATE_LIMIT,
     .max = COORDINATE_LIMIT,
     .unit = PROTO_UNIT_LENGTH,
     .required = true},
    {.name = "max",
     .type = PROTO_FIELD_POINT,
     .offset = offsetof(bounds_fields, max),
     .min = -COORDINATE_LIMIT,
     .max = COORDINATE_LIMIT,
     .unit = PROTO_UNIT_LENGTH,
     .required = true},
};

nav_status proto_settings_read_bounds(proto_settings_reader *r, const cJSON *object)
{
    r->config->has_bounds = !cJSON_IsNull(object);
    if (!r->config->has_bounds) {
        return NAV_OK;
    }
    bounds_fields f;
    uint64_t seen;
    const proto_fields rows = PROTO_ROWS_IN(BOUNDS_ROWS, r->config->coordinates.scale);
    nav_status status = proto_fields_read_tree(rows, object, "bounds.", &f, &seen, r->err);
    if (status == NAV_OK) {
        proto_box_to_mesh(axes_of(r), f.min, f.max);
        memcpy(r->config->bounds_min, f.min, sizeof f.min);
        memcpy(r->config->bounds_max, f.max, sizeof f.max);
    }
    return status;
}
