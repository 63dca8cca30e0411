// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// render.c: GET /v1/meshes/{mesh}/versions/{version}/render.svg.

#include "proto/json/fields.h"

#define WIDTH_DEFAULT_PX 1024u

enum {
    ROW_WIDTH,
    ROW_PATH
};

static const proto_field ROWS[] = {
    [ROW_WIDTH] = {.name = "width",
                   .type = PROTO_FIELD_UINT,
                   .offset = offsetof(proto_render_request, width_px),
                   .min = PROTO_RENDER_WIDTH_MIN,
                   .max = PROTO_RENDER_WIDTH_MAX},
    [ROW_PATH] = {.name = "path",
                  .type = PROTO_FIELD_SEGMENT,
                  .offset = offsetof(proto_render_request, start)},
};

static const proto_fields FIELDS = {ROWS, sizeof ROWS / sizeof ROWS[0]};

_Static_assert(offsetof(proto_render_request, end) ==
                   offsetof(proto_render_request, start) + 3 * sizeof(float),
               "the two points of a path are read in one go");

nav_status proto_render_request_args(const proto_arg *args, size_t arg_count,
                                     proto_render_request *out, nav_error *err)
{
    uint64_t seen;
    proto_render_request request = {.width_px = WIDTH_DEFAULT_PX};
    nav_status status = proto_fields_read_args(FIELDS, args, arg_count, &request, &seen, err);
    if (status == NAV_OK) {
        request.has_path = (seen >> ROW_PATH & 1) != 0;
        *out = request;
    }
    return status;
}
