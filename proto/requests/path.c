// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// path.c: GET and POST /v1/meshes/{mesh}/path.

#include "proto/requests/path.h"

static const proto_field ROWS[] = {
    PROTO_PATH_ROWS(true),
    PROTO_VERSION_ROW,
};

const proto_kind PROTO_PATH = {
    .fields = {ROWS, sizeof ROWS / sizeof ROWS[0]},
    .size_bytes = sizeof(proto_path_request),
    .set_defaults = proto_path_defaults,
};

void proto_path_defaults(void *request)
{
    ((proto_path_request *)request)->partial = true;
}
