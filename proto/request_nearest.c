// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// request_nearest.c: GET and POST /v1/meshes/{mesh}/nearest.

#include "proto/fields.h"
#include "proto/request_rows.h"

#define AT(member) offsetof(proto_nearest_request, member)

static const proto_field ROWS[] = {
    {.name = "point", .type = PROTO_FIELD_POINT, .offset = AT(point), .required = true},
    PROTO_SNAP_ROWS(AT(snap)),
    PROTO_VERSION_ROW(AT(version)),
    {.name = "count",
     .type = PROTO_FIELD_UINT,
     .offset = AT(count),
     .min = 1,
     .max = PROTO_NEAREST_MAX},
};

static const proto_fields FIELDS = {ROWS, sizeof ROWS / sizeof ROWS[0]};

static nav_status finish(nav_status status, const proto_nearest_request *request, uint64_t seen,
                         proto_nearest_request *out, nav_error *err)
{
    status = status == NAV_OK ? proto_fields_check_required(FIELDS, seen, err) : status;
    if (status == NAV_OK) {
        *out = *request;
    }
    return status;
}

nav_status proto_nearest_request_json(const char *json, size_t size_bytes,
                                      proto_nearest_request *out, nav_error *err)
{
    uint64_t seen;
    proto_nearest_request request = {.snap = nav_snap_default(), .count = 1};
    nav_status status = proto_fields_read_json(FIELDS, json, size_bytes, &request, &seen, err);
    return finish(status, &request, seen, out, err);
}

nav_status proto_nearest_request_args(const proto_arg *args, size_t arg_count,
                                      proto_nearest_request *out, nav_error *err)
{
    uint64_t seen;
    proto_nearest_request request = {.snap = nav_snap_default(), .count = 1};
    nav_status status = proto_fields_read_args(FIELDS, args, arg_count, &request, &seen, err);
    return finish(status, &request, seen, out, err);
}
