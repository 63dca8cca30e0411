// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// request_active.c: PUT /v1/meshes/{mesh}/active, {"version":2}.

#include "proto/fields.h"

static const proto_field ROWS[] = {
    {.name = "version", .type = PROTO_FIELD_UINT, .min = 1, .max = UINT32_MAX, .required = true},
};

static const proto_fields FIELDS = {ROWS, sizeof ROWS / sizeof ROWS[0]};

nav_status proto_active_request_json(const char *json, size_t size_bytes, uint32_t *version,
                                     nav_error *err)
{
    uint64_t seen;
    uint32_t wanted = 0;
    nav_status status = proto_fields_read_json(FIELDS, json, size_bytes, &wanted, &seen, err);
    status = status == NAV_OK ? proto_fields_check_required(FIELDS, seen, err) : status;
    if (status == NAV_OK) {
        *version = wanted;
    }
    return status;
}
