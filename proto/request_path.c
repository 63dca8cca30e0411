// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// request_path.c: GET and POST /v1/meshes/{mesh}/path.

#include "proto/fields.h"
#include "proto/request_rows.h"

#define AT(member) offsetof(proto_path_request, member)

static const char *const SEARCH_WORDS[] = {"auto", "fast", NULL};

static const proto_field ROWS[] = {
    {.name = "start", .type = PROTO_FIELD_POINT, .offset = AT(path.start), .required = true},
    {.name = "end", .type = PROTO_FIELD_POINT, .offset = AT(path.end), .required = true},
    PROTO_SNAP_ROWS(AT(path.options.snap)),
    PROTO_VERSION_ROW(AT(version)),
    {.name = "search",
     .type = PROTO_FIELD_CHOICE,
     .offset = PROTO_FIELD_NOWHERE,
     .words = SEARCH_WORDS,
     .note = "this version has no exact search"},
    {.name = "max_nodes",
     .type = PROTO_FIELD_UINT,
     .offset = AT(path.max_nodes),
     .min = 1,
     .max = UINT32_MAX},
};

static const proto_fields FIELDS = {ROWS, sizeof ROWS / sizeof ROWS[0]};

static nav_status finish(nav_status status, const proto_path_request *request, uint64_t seen,
                         proto_path_request *out, nav_error *err)
{
    status = status == NAV_OK ? proto_fields_check_required(FIELDS, seen, err) : status;
    if (status == NAV_OK) {
        *out = *request;
    }
    return status;
}

nav_status proto_path_request_json(const char *json, size_t size_bytes, proto_path_request *out,
                                   nav_error *err)
{
    uint64_t seen;
    proto_path_request request = {.path.options.snap = nav_snap_default()};
    nav_status status = proto_fields_read_json(FIELDS, json, size_bytes, &request, &seen, err);
    return finish(status, &request, seen, out, err);
}

nav_status proto_path_request_args(const proto_arg *args, size_t arg_count, proto_path_request *out,
                                   nav_error *err)
{
    uint64_t seen;
    proto_path_request request = {.path.options.snap = nav_snap_default()};
    nav_status status = proto_fields_read_args(FIELDS, args, arg_count, &request, &seen, err);
    return finish(status, &request, seen, out, err);
}
