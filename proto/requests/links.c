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

#include <math.h>
#include <stdio.h>
#include <string.h>

#define COORDINATE_LIMIT ((double)NAV_COORDINATE_MAX)

// A link while its members are read.
typedef struct link_reader {
    proto_link link; // first, so that a row's offset is that in proto_link
    nav_arena *memory;
} link_reader;

_Static_assert(offsetof(link_reader, link) == 0, "rows have their offsets in proto_link");

static nav_status read_area(const proto_item *item, const char *at, const proto_field *field,
                            void *target, nav_error *err)
{
    (void)field;
    link_reader *r = target;
    if (item->kind != PROTO_TOKEN_STRING || item->text_bytes > NAV_NAME_MAX) {
        return proto_item_invalid(item, at, "the name of an area", err);
    }
    r->link.area = proto_item_keep_text(item, r->memory);
    return r->link.area != NULL ? NAV_OK : proto_fields_no_memory(err);
}

static nav_status read_flags(const proto_item *list, const char *at, const proto_field *field,
                             void *target, nav_error *err)
{
    (void)field;
    link_reader *r = target;
    return proto_read_flag_names(list, at, r->memory, &r->link.flags, &r->link.flag_count, err);
}

static nav_status cost_not_within(const proto_item *item, const char *at, double most,
                                  nav_error *err)
{
    return proto_item_not_within(item, at, 0, most, " or null", err);
}

// null: by the link's length and area.
static nav_status read_cost(const proto_item *item, const char *at, const proto_field *field,
                            void *target, nav_error *err)
{
    (void)field;
    link_reader *r = target;
    if (item->kind == PROTO_TOKEN_NULL) {
        return NAV_OK;
    }
    if (item->kind != PROTO_TOKEN_NUMBER || !(item->number >= 0.0) ||
        !isfinite((float)item->number)) {
        return cost_not_within(item, at, PROTO_LINK_COST_MAX, err);
    }
    r->link.has_cost = true;
    r->link.cost = (float)item->number + 0.0f;
    return NAV_OK;
}

#define LINK_POINT(member)                                                                         \
    {                                                                                              \
        .name = #member, .type = PROTO_FIELD_POINT, .offset = offsetof(proto_link, member),        \
        .min = -COORDINATE_LIMIT, .max = COORDINATE_LIMIT, .unit = PROTO_UNIT_LENGTH,              \
        .required = true                                                                           \
    }

static const proto_field LINK_ROWS[] = {
    LINK_POINT(start),
    LINK_POINT(end),
    {.name = "radius",
     .type = PROTO_FIELD_FLOAT,
     .offset = offsetof(proto_link, radius),
     .max = PROTO_LINK_RADIUS_MAX,
     .unit = PROTO_UNIT_LENGTH},
    {.name = "bidirectional",
     .type = PROTO_FIELD_BOOL,
     .offset = offsetof(proto_link, bidirectional)},
    {.name = "area", .type = PROTO_FIELD_READ, .read = read_area},
    {.name = "flags", .type = PROTO_FIELD_READ, .read = read_flags},
    {.name = "cost", .type = PROTO_FIELD_READ, .read = read_cost},
};

nav_status proto_read_link(const proto_item *item, const char *prefix, nav_arena *memory,
                           proto_link *out, nav_error *err)
{
    link_reader r = {.link = {.radius = INFINITY, .bidirectional = true, .area = "ground"},
                     .memory = memory};
    uint64_t seen;
    nav_status status = proto_fields_read_item(PROTO_ROWS(LINK_ROWS), item, prefix, &r, &seen, err);
    if (status == NAV_OK) {
        *out = r.link;
    }
    return status;
}

static nav_status check_lengths(const proto_link *link, nav_coordinates coordinates, nav_error *err)
{
    const double most = proto_length_to_level(coordinates, PROTO_LINK_COST_MAX);
    if (link->has_cost && (double)link->cost > most) {
        const proto_item cost = {.kind = PROTO_TOKEN_NUMBER, .number = (double)link->cost};
        return cost_not_within(&cost, "cost", most, err);
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
