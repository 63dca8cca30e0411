// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// paths.c: POST /v1/meshes/{mesh}/paths as JSON: many paths in one request.
//
//   {"version":3,"defaults":{"search":"fast","snap":{"up":1}},
//    "queries":[{"start":[x,y,z],"end":[x,y,z],"id":"bot-7","max_nodes":500}, ...]}
//
// Each query begins as the defaults and may say otherwise.

#include "proto/requests/path.h"

#include <cjson/cJSON.h>
#include <string.h>

#define PREFIX_BYTES 24u // of the prefix of the highest number

typedef struct paths_fields {
    proto_paths_request request;
    const cJSON *defaults, *queries;
} paths_fields;

_Static_assert(sizeof(paths_fields) <= PROTO_REQUEST_BYTES_MAX, "it is read like any request");

static const proto_field ROWS[] = {
    PROTO_VERSION_ROW,
    {.name = "defaults", .type = PROTO_FIELD_TREE, .offset = offsetof(paths_fields, defaults)},
    {.name = "queries",
     .type = PROTO_FIELD_TREE,
     .offset = offsetof(paths_fields, queries),
     .required = true},
};

static const proto_field DEFAULT_ROWS[] = {PROTO_PATH_ROWS(false)};
static const proto_field QUERY_ROWS[] = {
    PROTO_PATH_ROWS(false),
    {.name = "id", .type = PROTO_FIELD_READ, .offset = PROTO_PATH_AT(id), .read = proto_read_id},
};
enum {
    ROW_START,
    ROW_END
};

// "queries[7]." by hand: printf takes longer than all the rest of a query.
static void put_prefix(uint32_t index, char out[PREFIX_BYTES])
{
    char digits[10];
    uint32_t count = 0;
    do {
        digits[count++] = (char)('0' + index % 10);
    } while ((index /= 10) > 0);
    char *at = stpcpy(out, "queries[");
    while (count > 0) {
        *at++ = digits[--count];
    }
    (void)stpcpy(at, "].");
}

static nav_status read_queries(paths_fields *f, const proto_path_request *defaults,
                               uint64_t seen_before, nav_error *err)
{
    proto_path_request *queries = NAV_NEW(f->request.common.memory, proto_path_request,
                                          (size_t)cJSON_GetArraySize(f->queries));
    if (queries == NULL) {
        return proto_fields_no_memory(err);
    }
    uint32_t i = 0;
    char prefix[PREFIX_BYTES];
    for (const cJSON *item = f->queries->child; item != NULL; item = item->next, i++) {
        uint64_t seen;
        put_prefix(i, prefix);
        queries[i] = *defaults;
        nav_status status =
            proto_fields_read_tree(PROTO_ROWS(QUERY_ROWS), item, prefix, &queries[i], &seen, err);
        if (status == NAV_OK) {
            // The ends may come from the defaults: many bots, one goal.
            status = proto_fields_check_members(PROTO_ROWS(QUERY_ROWS), prefix, seen | seen_before,
                                                1u << ROW_START | 1u << ROW_END, UINT64_MAX, err);
        }
        if (status != NAV_OK) {
            return status;
        }
    }
    f->request.queries = queries;
    f->request.count = i;
    return NAV_OK;
}

static nav_status finish(void *request, uint64_t rows_seen, nav_error *err)
{
    (void)rows_seen;
    paths_fields *f = request;
    const int count = cJSON_IsArray(f->queries) ? cJSON_GetArraySize(f->queries) : 0;
    if (count == 0) {
        return proto_fields_invalid(f->queries, "queries", "a list of one or more queries", err);
    }
    if (count > (int)PROTO_BATCH_MAX) {
        nav_fail(err, PROTO_BATCH_TOO_LARGE, "%d queries in one batch; send them in several",
                 count);
        nav_error_at(err, "queries");
        nav_error_got(err, "%d", count);
        nav_error_limit(err, "%u", PROTO_BATCH_MAX);
        return PROTO_BATCH_TOO_LARGE;
    }
    proto_path_request defaults = {.common = f->request.common};
    uint64_t seen = 0;
    proto_path_defaults(&defaults);
    nav_status status = NAV_OK;
    if (f->defaults != NULL) {
        status = proto_fields_read_tree(PROTO_ROWS(DEFAULT_ROWS), f->defaults, "defaults.",
                                        &defaults, &seen, err);
    }
    f->request.shared_avoid = defaults.common.avoid;
    return status == NAV_OK ? read_queries(f, &defaults, seen, err) : status;
}

const proto_kind PROTO_PATHS = {
    .fields = {ROWS, sizeof ROWS / sizeof ROWS[0]},
    .size_bytes = sizeof(proto_paths_request),
    .values_max = PROTO_BATCH_VALUES_MAX,
    .finish = finish,
};
