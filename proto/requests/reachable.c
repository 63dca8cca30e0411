// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// reachable.c: POST /v1/meshes/{mesh}/reachable and GET and POST .../flood: what can be
// reached from a place.

#include "proto/requests/rows.h"

static const proto_field REACHABLE_ROWS[] = {
    PROTO_POINT_ROW("start", offsetof(proto_reachable_request, start)),
    PROTO_COMMON_ROWS,
    {.name = "points",
     .type = PROTO_FIELD_READ,
     .offset = offsetof(proto_reachable_request, points),
     .read = proto_read_points,
     .max = PROTO_BATCH_MAX,
     .required = true},
};

const proto_kind PROTO_REACHABLE = {
    .fields = {REACHABLE_ROWS, sizeof REACHABLE_ROWS / sizeof REACHABLE_ROWS[0]},
    .size_bytes = sizeof(proto_reachable_request),
};

#define FLOOD_POLYGONS_DEFAULT 10000u
#define FLOOD_POLYGONS_MAX 1000000u

static const proto_field FLOOD_ROWS[] = {
    PROTO_POINT_ROW("start", offsetof(proto_flood_request, start)),
    PROTO_COMMON_ROWS,
    {.name = "max_cost",
     .type = PROTO_FIELD_FLOAT,
     .offset = offsetof(proto_flood_request, max_cost),
     .min = 0,
     .max = 1e9,
     .required = true},
    {.name = "max_polygons",
     .type = PROTO_FIELD_UINT,
     .offset = offsetof(proto_flood_request, max_polygons),
     .min = 1,
     .max = FLOOD_POLYGONS_MAX},
};

static void set_flood_defaults(void *request)
{
    ((proto_flood_request *)request)->max_polygons = FLOOD_POLYGONS_DEFAULT;
}

const proto_kind PROTO_FLOOD = {
    .fields = {FLOOD_ROWS, sizeof FLOOD_ROWS / sizeof FLOOD_ROWS[0]},
    .size_bytes = sizeof(proto_flood_request),
    .set_defaults = set_flood_defaults,
};
