// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// links.c: the links of an instance:
//
//   "links":{"lift":{"start":[x,y,z],"end":[x,y,z],"radius":0.6,"bidirectional":true,
//                    "area":"ground","flags":["jump"],"cost":4}}
//
// They are those of the settings, but for `id`, which is the member's name, and `switch`: a link of
// an instance goes by being taken away.

#include "proto/base/coordinates.h"
#include "proto/requests/instances.h"
#include "proto/requests/rows.h"
#include "proto/settings/settings.h"

#include <math.h>
#include <string.h>

#define COORDINATE_LIMIT ((double)NAV_COORDINATE_MAX)

static nav_status read_area(const proto_value *v)
{
    return proto_value_keep(v, 0, NAV_NAME_MAX, "the name of an area",
                            &((proto_link *)v->target)->area);
}

static nav_status read_flags(const proto_value *v)
{
    proto_link *link = v->target;
    return proto_flag_names_read(v, &link->flags, &link->flag_count);
}

// null: by the link's length and area.
static nav_status read_cost(const proto_value *v)
{
    proto_link *link = v->target;
    const double cost = v->item->number;
    if (v->item->kind == PROTO_TOKEN_NULL) {
        return NAV_OK;
    }
    if (v->item->kind != PROTO_TOKEN_NUMBER || !(cost >= 0.0) || !isfinite((float)cost)) {
        return proto_value_not_within(v, 0, PROTO_LINK_COST_MAX, " or null");
    }
    link->has_cost = true;
    link->cost = (float)cost + 0.0f;
    return NAV_OK;
}

#define LINK_POINT(member)                                                                         \
    {                                                                                              \
        PROTO_ROW(POINT, proto_link, member), .min = -COORDINATE_LIMIT, .max = COORDINATE_LIMIT,   \
                                              .unit = PROTO_UNIT_LENGTH, .required = true          \
    }

static const proto_field LINK_ROWS[] = {
    LINK_POINT(start),
    LINK_POINT(end),
    {PROTO_ROW(FLOAT, proto_link, radius), .max = PROTO_LINK_RADIUS_MAX, .unit = PROTO_UNIT_LENGTH},
    {PROTO_ROW(BOOL, proto_link, bidirectional)},
    {PROTO_ROW(READ, proto_link, area), .read = read_area},
    {PROTO_ROW(READ, proto_link, flags), .read = read_flags},
    {PROTO_ROW(READ, proto_link, cost), .read = read_cost},
};

nav_status proto_read_link(const proto_value *v)
{
    *(proto_link *)v->target =
        (proto_link){.radius = INFINITY, .bidirectional = true, .area = "ground"};
    return proto_fields_read_value(PROTO_ROWS(LINK_ROWS), v, v->target, NULL);
}

static nav_status check_lengths(const proto_link *link, nav_coordinates coordinates, nav_error *err)
{
    const double most = proto_length_to_level(coordinates, PROTO_LINK_COST_MAX);
    if (link->has_cost && (double)link->cost > most) {
        const proto_item cost = {.kind = PROTO_TOKEN_NUMBER, .number = (double)link->cost};
        return proto_item_not_within(&cost, "cost", 0, most, " or null", err);
    }
    return proto_lengths_check(PROTO_ROWS(LINK_ROWS), "", UINT64_MAX, link, coordinates, err);
}

nav_status proto_link_resolve(const proto_link *link, const char *id, const nav_mesh *mesh,
                              nav_link *out, nav_error *err)
{
    nav_mesh_stats stats;
    nav_mesh_stats_get(mesh, &stats);
    const nav_coordinates coordinates = stats.coordinates;
    nav_status status = check_lengths(link, coordinates, err);
    if (status != NAV_OK) {
        return status;
    }
    const double radius = isfinite(link->radius)
                              ? proto_length_to_mesh(coordinates, (double)link->radius)
                              : (double)PROTO_LINK_RADIUS_DEFAULT;
    *out = (nav_link){.radius = (float)radius,
                      .bidirectional = link->bidirectional,
                      .has_cost = link->has_cost,
                      .cost = (float)proto_length_to_mesh(coordinates, (double)link->cost)};
    NAV_ASSERT(strlen(id) <= NAV_NAME_MAX);
    memcpy(out->id, id, strlen(id) + 1);
    memcpy(out->start, link->start, sizeof out->start);
    memcpy(out->end, link->end, sizeof out->end);
    proto_to_mesh(coordinates, out->start);
    proto_to_mesh(coordinates, out->end);
    status = proto_area_resolve(mesh, link->area, "area", &out->area, err);
    return status == NAV_OK
               ? proto_flags_resolve(mesh, link->flags, link->flag_count, "flags", &out->flags, err)
               : status;
}

void proto_link_complete(proto_link *link, nav_coordinates coordinates)
{
    if (!isfinite(link->radius)) {
        const double radius = (double)PROTO_LINK_RADIUS_DEFAULT;
        link->radius = (float)proto_length_to_level(coordinates, radius);
    }
}
