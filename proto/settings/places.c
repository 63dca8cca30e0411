// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// places.c: the settings that lie somewhere in the level: volumes, switches, links, seeds, bounds.
// Lengths become metres as they are read, and positions then take the mesh's axes.

#include "proto/base/coordinates.h"
#include "proto/settings/settings.h"

#include <string.h>

#define COORDINATE_LIMIT ((double)NAV_COORDINATE_MAX)
#define LENGTH_ROW(kind, of, member, least)                                                        \
    PROTO_ROW(kind, of, member), .min = least, .max = COORDINATE_LIMIT, .unit = PROTO_UNIT_LENGTH

// The axes alone, for what is in metres already.
static nav_coordinates axes_of(const proto_value *v)
{
    nav_coordinates axes = ((const proto_settings_reader *)v->owner)->config->coordinates;
    axes.scale = 1.0;
    return axes;
}

// So many coordinates of the level into metres.
static nav_status read_coordinates(const proto_value *v, uint32_t count)
{
    const double scale = ((const proto_settings_reader *)v->owner)->config->coordinates.scale;
    return proto_value_numbers(v, count, scale, COORDINATE_LIMIT / scale, v->target);
}

// ---- volumes ----

// A shape while it is read; what a volume has of its own is where it will be.
typedef struct volume_fields {
    nav_volume volume; // its id, area and points
    unsigned shape;
    float min_y, max_y;
    float min[3], max[3], center[3];
    float radius, height;
} volume_fields;

static const char *const SHAPE_WORDS[] = {[NAV_VOLUME_CONVEX] = "convex",
                                          [NAV_VOLUME_BOX] = "box",
                                          [NAV_VOLUME_CYLINDER] = "cylinder",
                                          NULL};

// A point in plan view: x and z, or those of the level's axes that are not upright.
static nav_status read_corner(const proto_value *v)
{
    const nav_status status = read_coordinates(v, 2);
    if (status == NAV_OK) {
        proto_plan_to_mesh(axes_of(v), v->target);
    }
    return status;
}

static nav_status read_outline(const proto_value *v)
{
    static const proto_each corners = {PROTO_TOKEN_LIST, NAV_VOLUME_POINTS_MAX, sizeof(float[2]),
                                       read_corner};
    nav_volume *volume = &((volume_fields *)v->target)->volume;
    return v->item->kind == PROTO_TOKEN_LIST && proto_item_count(v->item) < 3
               ? proto_value_invalid(v, "a list of 3 to 256 points")
               : proto_settings_each(v, &corners, &volume->points, &volume->point_count);
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
    [SHAPE] = {PROTO_ROW(CHOICE, volume_fields, shape), .words = SHAPE_WORDS, .required = true,
               .note = "a \"circle\" of obstacles is a \"cylinder\" here"},
    [AREA] = {PROTO_ROW_AT(READ, "area", offsetof(volume_fields, volume.area)),
              .read = proto_settings_read_area},
    [ID] = {PROTO_ROW_AT(READ, "id", offsetof(volume_fields, volume.id)),
            .read = proto_settings_read_name},
    [POINTS] = {.name = "points", .type = PROTO_FIELD_READ, .read = read_outline},
    [MIN_Y] = {LENGTH_ROW(FLOAT, volume_fields, min_y, -COORDINATE_LIMIT)},
    [MAX_Y] = {LENGTH_ROW(FLOAT, volume_fields, max_y, -COORDINATE_LIMIT)},
    [MIN] = {LENGTH_ROW(POINT, volume_fields, min, -COORDINATE_LIMIT)},
    [MAX] = {LENGTH_ROW(POINT, volume_fields, max, -COORDINATE_LIMIT)},
    [CENTER] = {LENGTH_ROW(POINT, volume_fields, center, -COORDINATE_LIMIT)},
    [RADIUS] = {LENGTH_ROW(FLOAT, volume_fields, radius, 0)},
    [HEIGHT] = {LENGTH_ROW(FLOAT, volume_fields, height, 0)},
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

static void place_shape(const nav_coordinates axes, volume_fields *f)
{
    nav_volume *out = &f->volume;
    out->shape = (nav_volume_shape)f->shape;
    switch (out->shape) {
    case NAV_VOLUME_CONVEX:
        proto_heights_to_mesh(axes, &f->min_y, &f->max_y);
        out->min[1] = f->min_y;
        out->max[1] = f->max_y;
        break;
    case NAV_VOLUME_BOX:
        memcpy(out->min, f->min, sizeof f->min);
        memcpy(out->max, f->max, sizeof f->max);
        proto_box_to_mesh(axes, out->min, out->max);
        break;
    case NAV_VOLUME_CYLINDER:
        proto_to_mesh(axes, f->center);
        memcpy(out->min, f->center, sizeof f->center);
        memcpy(out->max, f->center, sizeof f->center);
        out->max[1] = f->center[1] + f->height;
        out->radius = f->radius;
        break;
    }
}

// A volume, which has an area, or a shape of a switch.
static nav_status read_any(const proto_value *v, uint64_t own, uint64_t may)
{
    volume_fields f = {0};
    uint64_t seen;
    nav_status status = proto_settings_element(v, PROTO_ROWS(VOLUME_ROWS), &f, &seen);
    if (status == NAV_OK) {
        NAV_ASSERT(f.shape < SHAPE_COUNT);
        status =
            proto_fields_check_members(PROTO_ROWS(VOLUME_ROWS), proto_value_prefix(v).text, seen,
                                       SHAPE_MEMBERS[f.shape] | 1u << SHAPE | own, may, v->err);
    }
    if (status == NAV_OK) {
        place_shape(axes_of(v), &f);
        memcpy(v->target, &f.volume, sizeof f.volume);
    }
    return status;
}

static nav_status read_volume(const proto_value *v)
{
    return read_any(v, 1u << AREA, 1u << ID);
}

static nav_status read_shape(const proto_value *v)
{
    return read_any(v, 0, 0);
}

const proto_settings_list PROTO_SETTINGS_VOLUMES =
    PROTO_SETTINGS_LIST(LIST, NAV_VOLUMES_MAX, nav_volume, read_volume, volumes, volume_count);

// ---- switches ----

static const char *const STATE_WORDS[] = {"open", "closed", NULL};

typedef struct switch_fields {
    nav_switch made; // first
    unsigned default_state;
} switch_fields;

// Shapes are bounded over all switches, so that small switches may be many.
static nav_status read_shapes(const proto_value *v)
{
    proto_settings_reader *r = v->owner;
    nav_switch *made = v->target;
    const proto_each shapes = {PROTO_TOKEN_LIST, r->shapes_left, sizeof(nav_volume), read_shape};
    const nav_status status = proto_settings_each(v, &shapes, &made->shapes, &made->shape_count);
    r->shapes_left -= status == NAV_OK ? made->shape_count : 0;
    return status;
}

static const proto_field SWITCH_ROWS[] = {
    PROTO_READ_ROW("shapes", read_shapes),
    {PROTO_ROW_AT(CHOICE, "default", offsetof(switch_fields, default_state)), .words = STATE_WORDS},
};

static nav_status read_switch(const proto_value *v)
{
    switch_fields f = {0};
    const nav_status status = proto_settings_element(v, PROTO_ROWS(SWITCH_ROWS), &f, NULL);
    f.made.closed = f.default_state == 1;
    memcpy(f.made.id, v->target, sizeof f.made.id); // it begins with its name
    memcpy(v->target, &f.made, sizeof f.made);
    return status;
}

const proto_settings_list PROTO_SETTINGS_SWITCHES =
    PROTO_SETTINGS_LIST(OBJECT, NAV_SWITCHES_MAX, nav_switch, read_switch, switches, switch_count);

// ---- links, seeds, bounds ----

// null: by the link's length and area.
static nav_status read_cost(const proto_value *v)
{
    nav_link *link = v->target;
    const double cost = v->item->number, most = PROTO_LINK_COST_MAX / v->scale;
    if (v->item->kind == PROTO_TOKEN_NULL) {
        return NAV_OK;
    }
    if (v->item->kind != PROTO_TOKEN_NUMBER || !(cost >= 0.0 && cost <= most)) {
        return proto_value_not_within(v, 0, most, ", or null");
    }
    link->has_cost = true;
    link->cost = (float)(cost * v->scale) + 0.0f;
    return NAV_OK;
}

// The id of a switch of the settings, which are in the order of ids.
static nav_status read_link_switch(const proto_value *v)
{
    const nav_config *config = ((const proto_settings_reader *)v->owner)->config;
    const char *id = v->item->text;
    if (v->item->kind != PROTO_TOKEN_STRING) {
        return proto_value_invalid(v, "a string");
    }
    uint32_t begin = 0, end = config->switch_count;
    while (begin < end) {
        const uint32_t middle = begin + (end - begin) / 2;
        const int order = strcmp(id, config->switches[middle].id);
        if (order == 0) {
            ((nav_link *)v->target)->switch_number = middle + 1;
            return NAV_OK;
        }
        begin = order > 0 ? middle + 1 : begin;
        end = order < 0 ? middle : end;
    }
    const nav_error_place at = proto_value_place(v);
    nav_fail_at(v->err, NAV_INVALID_FIELD, at.text, "%s: there is no switch \"%.47s\" in switches",
                at.text, id);
    nav_error_got(v->err, "%.63s", id);
    proto_suggestion meant = proto_suggest(id, strlen(id));
    for (uint32_t i = 0; i < config->switch_count; i++) {
        proto_suggest_offer(&meant, config->switches[i].id, strlen(config->switches[i].id));
    }
    proto_suggest_say(&meant, v->err);
    return NAV_INVALID_FIELD;
}

static const proto_field LINK_ROWS[] = {
    {LENGTH_ROW(POINT, nav_link, start, -COORDINATE_LIMIT), .required = true},
    {LENGTH_ROW(POINT, nav_link, end, -COORDINATE_LIMIT), .required = true},
    {PROTO_ROW(FLOAT, nav_link, radius), .max = PROTO_LINK_RADIUS_MAX, .unit = PROTO_UNIT_LENGTH},
    {PROTO_ROW(BOOL, nav_link, bidirectional)},
    {PROTO_ROW(READ, nav_link, area), .read = proto_settings_read_walkable},
    {PROTO_ROW(READ, nav_link, flags), .read = proto_settings_read_flags},
    {PROTO_ROW(READ, nav_link, id), .read = proto_settings_read_name},
    PROTO_READ_ROW("cost", read_cost),
    PROTO_READ_ROW("switch", read_link_switch),
};

static nav_status read_link(const proto_value *v)
{
    nav_link *link = v->target;
    *link = (nav_link){
        .radius = PROTO_LINK_RADIUS_DEFAULT, .bidirectional = true, .area = NAV_AREA_GROUND};
    const nav_status status = proto_settings_element(v, PROTO_ROWS(LINK_ROWS), link, NULL);
    proto_to_mesh(axes_of(v), link->start);
    proto_to_mesh(axes_of(v), link->end);
    return status;
}

const proto_settings_list PROTO_SETTINGS_LINKS =
    PROTO_SETTINGS_LIST(LIST, NAV_LINKS_MAX, nav_link, read_link, links, link_count);

static nav_status read_seed(const proto_value *v)
{
    const nav_status status = read_coordinates(v, 3);
    if (status == NAV_OK) {
        proto_to_mesh(axes_of(v), v->target);
    }
    return status;
}

const proto_settings_list PROTO_SETTINGS_SEEDS =
    PROTO_SETTINGS_LIST(LIST, NAV_SEEDS_MAX, float[3], read_seed, seeds, seed_count);

typedef struct bounds_fields {
    float min[3], max[3];
} bounds_fields;

static const proto_field BOUNDS_ROWS[] = {
    {LENGTH_ROW(POINT, bounds_fields, min, -COORDINATE_LIMIT), .required = true},
    {LENGTH_ROW(POINT, bounds_fields, max, -COORDINATE_LIMIT), .required = true},
};

nav_status proto_settings_read_bounds(const proto_value *v)
{
    nav_config *config = v->target;
    config->has_bounds = v->item->kind != PROTO_TOKEN_NULL;
    if (!config->has_bounds) {
        return NAV_OK;
    }
    bounds_fields f;
    const nav_status status = proto_settings_element(v, PROTO_ROWS(BOUNDS_ROWS), &f, NULL);
    if (status == NAV_OK) {
        proto_box_to_mesh(axes_of(v), f.min, f.max);
        memcpy(config->bounds_min, f.min, sizeof f.min);
        memcpy(config->bounds_max, f.max, sizeof f.max);
    }
    return status;
}
