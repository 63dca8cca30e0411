// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// nearest.c: GET and POST /v1/meshes/{mesh}/nearest.

#include "proto/requests/rows.h"

#define AT(member) offsetof(proto_nearest_request, member)

enum {
    ROW_REACHABLE_FROM
};

static const proto_field ROWS[] = {
    [ROW_REACHABLE_FROM] = {.name = "reachable_from",
                            .type = PROTO_FIELD_POINT,
                            .offset = AT(reachable_from)},
    PROTO_POINT_ROW("point", AT(point)),
    PROTO_COMMON_ROWS,
    {.name = "count",
     .type = PROTO_FIELD_UINT,
     .offset = AT(count),
     .min = 1,
     .max = PROTO_NEAREST_MAX},
};

static void set_defaults(void *request)
{
    ((proto_nearest_request *)request)->count = 1;
}

static nav_status finish(void *request, uint64_t seen, nav_error *err)
{
    (void)err;
    ((proto_nearest_request *)request)->has_reachable_from = (seen >> ROW_REACHABLE_FROM & 1) != 0;
    return NAV_OK;
}

const proto_kind PROTO_NEAREST = {
    .fields = {ROWS, sizeof ROWS / sizeof ROWS[0]},
    .size_bytes = sizeof(proto_nearest_request),
    .set_defaults = set_defaults,
    .finish = finish,
};
