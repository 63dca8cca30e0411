// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// places.c: the settings that lie somewhere in the level: volumes, switches, links, seeds, bounds.
// Lengths become metres as they are read, and positions then take the mesh's axes.

#include "proto/base/coordinates.h"
#include "proto/settings/settings.h"

#include <stdio.h>
#include <string.h>

#define COORDINATE_LIMIT ((double)NAV_COORDINATE_MAX)
#define LENGTH_ROW(kind, of, member, least)                                                        \
    PROTO_ROW(kind, of, member), .min = least, .max = COORDINATE_LIMIT, .unit = PROTO_UNIT_LENGTH

// Of what is in metres already.
static nav_coordinates axes_of(proto_settings_reader *r)
{
    nav_coordinates axes = r->config->coordinates;
    axes.scale = 1.0;
    return axes;
}

static nav_status read_fields(proto_settings_reader *r, proto_fields fields, const proto_element *e,
                              void *target, uint64_t *seen)
{
    fields.scale = r->config->coordinates.scale;
    return proto_fields_read_item(fields, &e->item, e->prefix, target, seen, r->err);
}

// ---- volumes ----

typedef struct volume_fields {
    unsigned shape;
    const char *area, *id;
    proto_item points;
    float min_y, max_y;
    float min[3], max[3], center[3];
    float radius, height;
} volume_fields;

static const char *const SHAPE_WORDS[] = {[NAV_VOLUME_CONVEX] = "convex",
                                          [NAV_VOLUME_BOX] = "box",
                                          [NAV_VOLUME_CYLINDER] = "cylinder",
                                          NULL};

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
    [AREA] = {PROTO_ROW(STRING, volume_fields, area)},
    [ID] = {PROTO_ROW(STRING, volume_fields, id)},
    [POINTS] = {PROTO_ROW(ITEM, volume_fields, points)},
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

// A point in plan view: x and z, or those of the level's axes that are not upright.
static nav_status read_corner(proto_settings_reader *r, const proto_element *e, void *out)
{
    const double scale = r->config->coordinates.scale;
    const nav_status status = proto_item_coordinates(&e->item, e->at, 2, scale, out, r->err);
    if (status == NAV_OK) {
        proto_plan_to_mesh(axes_of(r), out);
    }
    return status;
}

static nav_status read_outline(proto_settings_reader *r, const proto_item *list, const char *prefix,
                               nav_volume *out)
{
    static const proto_settings_list corners = {
        .kind = PROTO_TOKEN_LIST, .element_bytes = sizeof(float[2]), .read = read_corner};
    char at[PROTO_PLACE_BYTES];
    void *points = NULL;
    snprintf(at, sizeof at, "%.80spoints", prefix);
    if (list->kind == PROTO_TOKEN_LIST && proto_item_count(list) < 3) {
        return proto_item_invalid(list, at, "a list of 3 to 256 points", r->err);
    }
    const nav_status status = proto_settings_elements(r, list, at, NAV_VOLUME_POINTS_MAX, &corners,
                                                      &points, &out->point_count);
    out->points = points;
    return status;
}

static nav_status place_shape(proto_settings_reader *r, volume_fields *f, const char *prefix,
                              nav_volume *out)
{
    const nav_coordinates axes = axes_of(r);
    out->shape = (nav_volume_shape)f->shape;
    switch (out->shape) {
    case NAV_VOLUME_CONVEX:
        proto_heights_to_mesh(axes, &f->min_y, &f->max_y);
        out->min[1] = f->min_y;
        out->max[1] = f->max_y;
        return read_outline(r, &f->points, prefix, out);
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
    return NAV_OK;
}

// A volume, which has an area, or a shape of a switch.
static nav_status read_any(proto_settings_reader *r, const proto_element *e, bool is_volume,
                           nav_volume *out)
{
    volume_fields f = {0};
    uint64_t seen;
    char at[PROTO_PLACE_BYTES + 8];
    nav_status status = read_fields(r, PROTO_ROWS(VOLUME_ROWS), e, &f, &seen);
    if (status == NAV_OK) {
        NAV_ASSERT(f.shape < SHAPE_COUNT);
        const uint64_t must = SHAPE_MEMBERS[f.shape] | 1u << SHAPE | (is_volume ? 1u << AREA : 0);
        status = proto_fields_check_members(PROTO_ROWS(VOLUME_ROWS), e->prefix, seen, must,
                                            is_volume ? 1u << ID : 0, r->err);
    }
    if (status == NAV_OK && f.id != NULL) {
        snprintf(at, sizeof at, "%sid", e->prefix);
        status = proto_settings_name(r, f.id, at, true, out->id);
    }
    if (status == NAV_OK && is_volume) {
        snprintf(at, sizeof at, "%sarea", e->prefix);
        status = proto_settings_area(r, f.area, at, &out->area);
    }
    NAV_IF_OK(status, place_shape(r, &f, e->prefix, out));
    return status;
}

static nav_status read_volume(proto_settings_reader *r, const proto_element *e, void *out)
{
    return read_any(r, e, true, out);
}

static nav_status read_shape(proto_settings_reader *r, const proto_element *e, void *out)
{
    return read_any(r, e, false, out);
}

const proto_settings_list PROTO_SETTINGS_VOLUMES = PROTO_SETTINGS_LIST(
    "volumes", LIST, NAV_VOLUMES_MAX, nav_volume, read_volume, volumes, volume_count);

// ---- switches ----

typedef struct switch_fields {
    proto_item shapes;
    unsigned default_state;
} switch_fields;

static const char *const STATE_WORDS[] = {"open", "closed", NULL};

static const proto_field SWITCH_ROWS[] = {
    {PROTO_ROW(ITEM, switch_fields, shapes)},
    {.name = "default",
     .type = PROTO_FIELD_CHOICE,
     .offset = offsetof(switch_fields, default_state),
     .words = STATE_WORDS},
};

// Shapes are bounded over all switches, so that small switches may be many.
static nav_status read_switch(proto_settings_reader *r, const proto_element *e, void *out)
{
    static const proto_settings_list shapes = {
        .kind = PROTO_TOKEN_LIST, .element_bytes = sizeof(nav_volume), .read = read_shape};
    char at[PROTO_PLACE_BYTES + 8];
    switch_fields f = {0};
    nav_switch *made = out;
    void *room = NULL;
    nav_status status = read_fields(r, PROTO_ROWS(SWITCH_ROWS), e, &f, NULL);
    if (status == NAV_OK && f.shapes.kind != PROTO_TOKEN_WRONG) {
        snprintf(at, sizeof at, "%sshapes", e->prefix);
        status = proto_settings_elements(r, &f.shapes, at, r->shapes_left, &shapes, &room,
                                         &made->shape_count);
    }
    if (status == NAV_OK) {
        memcpy(made->id, e->name, sizeof made->id);
        made->closed = f.default_state == 1;
        made->shapes = room;
        r->shapes_left -= made->shape_count;
    }
    return status;
}

const proto_settings_list PROTO_SETTINGS_SWITCHES = PROTO_SETTINGS_LIST(
    "switches", OBJECT, NAV_SWITCHES_MAX, nav_switch, read_switch, switches, switch_count);

// ---- links, seeds, bounds ----

typedef struct link_fields {
    float start[3], end[3];
    float radius;
    bool bidirectional;
    const char *area, *id, *switch_id;
    proto_item flags, cost;
} link_fields;

static const proto_field LINK_ROWS[] = {
    {LENGTH_ROW(POINT, link_fields, start, -COORDINATE_LIMIT), .required = true},
    {LENGTH_ROW(POINT, link_fields, end, -COORDINATE_LIMIT), .required = true},
    {PROTO_ROW(FLOAT, link_fields, radius), .max = PROTO_LINK_RADIUS_MAX,
     .unit = PROTO_UNIT_LENGTH},
    {PROTO_ROW(BOOL, link_fields, bidirectional)},
    {PROTO_ROW(STRING, link_fields, area)},
    {PROTO_ROW(ITEM, link_fields, flags)},
    {PROTO_ROW(STRING, link_fields, id)},
    {PROTO_ROW(ITEM, link_fields, cost)},
    {.name = "switch", .type = PROTO_FIELD_STRING, .offset = offsetof(link_fields, switch_id)},
};

// null: by the link's length and area.
static nav_status read_link_cost(proto_settings_reader *r, const proto_item *item,
                                 const char *prefix, nav_link *out)
{
    if (item->kind == PROTO_TOKEN_WRONG || item->kind == PROTO_TOKEN_NULL) {
        return NAV_OK;
    }
    const double cost = item->number;
    const nav_coordinates coordinates = r->config->coordinates;
    const double most = proto_length_to_level(coordinates, PROTO_LINK_COST_MAX);
    if (item->kind != PROTO_TOKEN_NUMBER || !(cost >= 0.0 && cost <= most)) {
        char at[PROTO_PLACE_BYTES];
        snprintf(at, sizeof at, "%.80scost", prefix);
        return proto_item_not_within(item, at, 0, most, ", or null", r->err);
    }
    out->has_cost = true;
    out->cost = (float)proto_length_to_mesh(coordinates, cost) + 0.0f;
    return NAV_OK;
}

// The switch that a link names; NULL: none.
static nav_status find_switch(proto_settings_reader *r, const char *id, const char *prefix,
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

static nav_status read_link(proto_settings_reader *r, const proto_element *e, void *out)
{
    link_fields f = {
        .radius = PROTO_LINK_RADIUS_DEFAULT, .bidirectional = true, .area = "ground", .id = ""};
    nav_link *link = out;
    char area_at[PROTO_PLACE_BYTES + 8], id_at[PROTO_PLACE_BYTES + 8];
    snprintf(area_at, sizeof area_at, "%sarea", e->prefix);
    snprintf(id_at, sizeof id_at, "%sid", e->prefix);
    nav_status status = read_fields(r, PROTO_ROWS(LINK_ROWS), e, &f, NULL);
    NAV_IF_OK(status, proto_settings_walkable_area(r, f.area, area_at, &link->area));
    NAV_IF_OK(status, proto_settings_name(r, f.id, id_at, true, link->id));
    NAV_IF_OK(status, proto_settings_flags(r, &f.flags, e->prefix, &link->flags));
    NAV_IF_OK(status, read_link_cost(r, &f.cost, e->prefix, link));
    NAV_IF_OK(status, find_switch(r, f.switch_id, e->prefix, link));
    memcpy(link->start, f.start, sizeof f.start);
    memcpy(link->end, f.end, sizeof f.end);
    proto_to_mesh(axes_of(r), link->start);
    proto_to_mesh(axes_of(r), link->end);
    link->radius = f.radius;
    link->bidirectional = f.bidirectional;
    return status;
}

const proto_settings_list PROTO_SETTINGS_LINKS =
    PROTO_SETTINGS_LIST("links", LIST, NAV_LINKS_MAX, nav_link, read_link, links, link_count);

static nav_status read_seed(proto_settings_reader *r, const proto_element *e, void *out)
{
    const double scale = r->config->coordinates.scale;
    const nav_status status = proto_item_coordinates(&e->item, e->at, 3, scale, out, r->err);
    if (status == NAV_OK) {
        proto_to_mesh(axes_of(r), out);
    }
    return status;
}

const proto_settings_list PROTO_SETTINGS_SEEDS =
    PROTO_SETTINGS_LIST("seeds", LIST, NAV_SEEDS_MAX, float[3], read_seed, seeds, seed_count);

typedef struct bounds_fields {
    float min[3], max[3];
} bounds_fields;

static const proto_field BOUNDS_ROWS[] = {
    {LENGTH_ROW(POINT, bounds_fields, min, -COORDINATE_LIMIT), .required = true},
    {LENGTH_ROW(POINT, bounds_fields, max, -COORDINATE_LIMIT), .required = true},
};

nav_status proto_settings_read_bounds(proto_settings_reader *r, const proto_item *item)
{
    r->config->has_bounds = item->kind != PROTO_TOKEN_NULL;
    if (!r->config->has_bounds) {
        return NAV_OK;
    }
    bounds_fields f;
    const proto_element e = {.item = *item, .prefix = "bounds."};
    nav_status status = read_fields(r, PROTO_ROWS(BOUNDS_ROWS), &e, &f, NULL);
    if (status == NAV_OK) {
        proto_box_to_mesh(axes_of(r), f.min, f.max);
        memcpy(r->config->bounds_min, f.min, sizeof f.min);
        memcpy(r->config->bounds_max, f.max, sizeof f.max);
    }
    return status;
}
