// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// active.c: PUT /v1/meshes/{mesh}/active?force=1, {"version":2}.

#include "proto/json/fields.h"

#define AT(member) offsetof(proto_active_request, member)

static const proto_field BODY_ROWS[] = {
    {.name = "version",
     .type = PROTO_FIELD_UINT,
     .offset = AT(version),
     .min = 1,
     .max = UINT32_MAX,
     .required = true},
};

static const proto_field ARG_ROWS[] = {
    {.name = "force", .type = PROTO_FIELD_BOOL, .offset = AT(force)},
};

static const proto_fields BODY = {BODY_ROWS, sizeof BODY_ROWS / sizeof BODY_ROWS[0]};
static const proto_fields ARGS = {ARG_ROWS, sizeof ARG_ROWS / sizeof ARG_ROWS[0]};

nav_status proto_active_request_read(const char *json, size_t size_bytes, const proto_arg *args,
                                     size_t arg_count, proto_active_request *out, nav_error *err)
{
    uint64_t seen;
    proto_active_request request = {0};
    nav_status status = proto_fields_read_args(ARGS, args, arg_count, &request, &seen, err);
    if (status == NAV_OK) {
        status = proto_fields_read_json(BODY, json, size_bytes, PROTO_JSON_VALUES_MAX, &request,
                                        &seen, err);
    }
    if (status == NAV_OK) {
        status = proto_fields_check_required(BODY, seen, err);
    }
    if (status == NAV_OK) {
        *out = request;
    }
    return status;
}
