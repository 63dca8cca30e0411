// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// diff.c: GET /v1/meshes/{mesh}/versions/diff?from=2&to=3.

#include "proto/json/fields.h"

#define VERSION_ROW(member)                                                                        \
    {                                                                                              \
        .name = #member, .type = PROTO_FIELD_UINT, .offset = offsetof(proto_diff_request, member), \
        .min = 1, .max = UINT32_MAX, .required = true                                              \
    }

static const proto_field ROWS[] = {VERSION_ROW(from), VERSION_ROW(to)};

static const proto_fields FIELDS = {ROWS, sizeof ROWS / sizeof ROWS[0]};

nav_status proto_diff_request_args(const proto_arg *args, size_t arg_count, proto_diff_request *out,
                                   nav_error *err)
{
    uint64_t seen;
    proto_diff_request request = {0};
    nav_status status = proto_fields_read_args(FIELDS, args, arg_count, &request, &seen, err);
    if (status == NAV_OK) {
        status = proto_fields_check_required(FIELDS, seen, err);
    }
    if (status == NAV_OK) {
        *out = request;
    }
    return status;
}
