// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// matrix.c: POST /v1/meshes/{mesh}/matrix: costs from some places to others.

#include "proto/requests/path.h"

#define LIST_ROW(member)                                                                           \
    {                                                                                              \
        .name = #member, .type = PROTO_FIELD_READ,                                                 \
        .offset = offsetof(proto_matrix_request, member), .read = proto_read_points,               \
        .max = PROTO_BATCH_MAX, .required = true                                                   \
    }

#define NUMBER_ROW(member, most)                                                                   \
    {                                                                                              \
        .name = #member, .type = PROTO_FIELD_UINT,                                                 \
        .offset = offsetof(proto_matrix_request, member), .min = 1, .max = (most)                  \
    }

static const proto_field ROWS[] = {
    LIST_ROW(sources),
    LIST_ROW(targets),
    NUMBER_ROW(nearest, PROTO_BATCH_MAX),
    NUMBER_ROW(max_nodes, UINT32_MAX),
    PROTO_COMMON_ROWS,
};

static nav_status finish(void *request, uint64_t seen, nav_error *err)
{
    (void)seen;
    const proto_matrix_request *matrix = request;
    const uint64_t cells = (uint64_t)matrix->sources.count * matrix->targets.count;
    if (cells <= NAV_MATRIX_CELLS_MAX) {
        return NAV_OK;
    }
    nav_fail(err, PROTO_BATCH_TOO_LARGE, "%u sources times %u targets are too many costs",
             matrix->sources.count, matrix->targets.count);
    nav_error_at(err, "targets");
    nav_error_got(err, "%llu", (unsigned long long)cells);
    nav_error_limit(err, "%u", NAV_MATRIX_CELLS_MAX);
    return PROTO_BATCH_TOO_LARGE;
}

const proto_kind PROTO_MATRIX = {
    .fields = {ROWS, sizeof ROWS / sizeof ROWS[0]},
    .size_bytes = sizeof(proto_matrix_request),
    .values_max = PROTO_BATCH_VALUES_MAX,
    .finish = finish,
};
