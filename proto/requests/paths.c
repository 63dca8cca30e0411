// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// paths.c: GET and POST /v1/meshes/{mesh}/path, and POST .../paths as JSON: many in one request.
//
//   {"version":3,"defaults":{"search":"fast","snap":{"up":1}},
//    "queries":[{"start":[x,y,z],"end":[x,y,z],"id":"bot-7","max_nodes":500}, ...]}
//
// Each query begins as the defaults and may say otherwise.

#include "proto/requests/query_list.h"

#include <string.h>

// ---- one path ----

#define PATH_AT(member) offsetof(proto_path_request, member)

static const char *const SEARCH_WORDS[] = {
    [NAV_SEARCH_AUTO] = "auto", [NAV_SEARCH_FAST] = "fast", [NAV_SEARCH_EXACT] = "exact", NULL};
// In the order of the PROTO_DETAIL_ bits.
static const char *const DETAIL_WORDS[] = {"polygons", "areas", "links", "islands", NULL};

// Answers are told in thousandths.
#define LIMIT_MIN 1e-3
#define LIMIT_MAX 1e9
#define GOAL_RADIUS_MAX 1e6

#define LIMIT_ROW(member)                                                                          \
    {                                                                                              \
        .name = #member, .type = PROTO_FIELD_DOUBLE, .offset = PATH_AT(member), .min = LIMIT_MIN,  \
        .max = LIMIT_MAX, .unit = PROTO_UNIT_LENGTH_STAYS                                          \
    }

#define PATH_FIELD_ROWS(needs_ends)                                                                \
    {.name = "start",                                                                              \
     .type = PROTO_FIELD_POINT,                                                                    \
     .offset = PATH_AT(start),                                                                     \
     .required = (needs_ends)},                                                                    \
        {.name = "end",                                                                            \
         .type = PROTO_FIELD_POINT,                                                                \
         .offset = PATH_AT(end),                                                                   \
         .required = (needs_ends)},                                                                \
        PROTO_SNAP_ROWS(offsetof(proto_common, snap)), PROTO_FILTER_ROWS, PROTO_INSTANCE_ROW,      \
        {.name = "search",                                                                         \
         .type = PROTO_FIELD_CHOICE,                                                               \
         .offset = PATH_AT(search),                                                                \
         .words = SEARCH_WORDS},                                                                   \
        {.name = "max_nodes",                                                                      \
         .type = PROTO_FIELD_UINT,                                                                 \
         .offset = PATH_AT(max_nodes),                                                             \
         .min = 1,                                                                                 \
         .max = UINT32_MAX},                                                                       \
        PROTO_DEADLINE_ROW, LIMIT_ROW(max_cost), LIMIT_ROW(max_length),                            \
        {.name = "goal_radius",                                                                    \
         .type = PROTO_FIELD_FLOAT,                                                                \
         .offset = PATH_AT(goal_radius),                                                           \
         .min = 0,                                                                                 \
         .max = GOAL_RADIUS_MAX,                                                                   \
         .unit = PROTO_UNIT_LENGTH},                                                               \
        {.name = "clearance",                                                                      \
         .type = PROTO_FIELD_FLOAT,                                                                \
         .offset = PATH_AT(clearance),                                                             \
         .min = 0,                                                                                 \
         .max = (double)NAV_CLEARANCE_MAX,                                                         \
         .unit = PROTO_UNIT_LENGTH},                                                               \
        {.name = "partial", .type = PROTO_FIELD_BOOL, .offset = PATH_AT(partial)},                 \
    {                                                                                              \
        .name = "details", .type = PROTO_FIELD_WORDS, .offset = PATH_AT(details),                  \
        .words = DETAIL_WORDS                                                                      \
    }

static const proto_field PATH_ROWS[] = {
    PATH_FIELD_ROWS(true),
    {.name = "expand", .type = PROTO_FIELD_BOOL, .offset = PATH_AT(expand)}, // alone only
    PROTO_LAST_ROWS,
};

// Defaults that are not 0.
static void set_path_defaults(void *request)
{
    ((proto_path_request *)request)->partial = true;
}

// A search is listed where it is the answer's only one.
static nav_status finish_path(void *request, uint64_t seen, nav_error *err)
{
    const proto_path_request *path = request;
    (void)seen;
    if (path->expand && path->common.names_lists) {
        nav_fail(err, NAV_INVALID_FIELD,
                 "a batch does not list what its searches expand: ask for this path by itself");
        nav_error_at(err, "expand");
        return NAV_INVALID_FIELD;
    }
    return NAV_OK;
}

const proto_kind PROTO_PATH = {
    .fields = {.rows = PATH_ROWS, .count = sizeof PATH_ROWS / sizeof PATH_ROWS[0]},
    .batch_rows = PROTO_BATCH_ROWS,
    .size_bytes = sizeof(proto_path_request),
    .set_defaults = set_path_defaults,
    .finish = finish_path,
};

// ---- many ----

// While the members are read, in whatever order they come.
typedef struct paths_fields {
    query_list list;
    proto_path_request defaults;
    uint64_t defaults_seen;
    bool is_early;       // the queries were met before the defaults
    bool has_incomplete; // and one of them had no start or no end of its own
} paths_fields;

_Static_assert(sizeof(nav_search) == sizeof(unsigned), "a choice is stored as unsigned");
_Static_assert(offsetof(paths_fields, list) == 0, "the list is at the beginning");
_Static_assert(sizeof(paths_fields) <= PROTO_REQUEST_BYTES_MAX, "it is read like any request");

static nav_status read_defaults(const proto_item *item, const char *at, const proto_field *field,
                                void *target, nav_error *err);
static nav_status read_queries(const proto_item *item, const char *at, const proto_field *field,
                               void *target, nav_error *err);

static const proto_field ROWS[] = {
    PROTO_RECORD_ROW,
    PROTO_VERSION_ROW,
    {.name = "defaults", .type = PROTO_FIELD_READ, .read = read_defaults},
    {.name = "queries", .type = PROTO_FIELD_READ, .read = read_queries, .required = true},
};

static const proto_field DEFAULT_ROWS[] = {PATH_FIELD_ROWS(false)};
static const proto_field QUERY_ROWS[] = {PATH_FIELD_ROWS(false), PROTO_ID_ROW};
// Of packed paths, whose other members of the request are in the header.
static const proto_field PACKED_ROWS[] = {PATH_FIELD_ROWS(false), PROTO_RECORD_ROW};
_Static_assert(sizeof PATH_ROWS / sizeof PATH_ROWS[0] - 1 - PROTO_ALONE_ROWS - PROTO_BATCH_ROWS ==
                   sizeof DEFAULT_ROWS / sizeof DEFAULT_ROWS[0],
               "a row has the same bit in proto_common.seen, alone and in a batch");
enum {
    ROW_START,
    ROW_END,
    ROW_SNAP,                               // the first of three
    ENDS = 1u << ROW_START | 1u << ROW_END, // of what a request has: bits by row
};

static nav_status read_defaults(const proto_item *item, const char *at, const proto_field *field,
                                void *target, nav_error *err)
{
    paths_fields *f = target;
    (void)at;
    (void)field;
    return proto_fields_read_item(PROTO_ROWS(DEFAULT_ROWS), item, "defaults.", &f->defaults,
                                  &f->defaults_seen, err);
}

nav_status proto_path_defaults_read(const char *json, size_t size_bytes, proto_path_request *out,
                                    nav_error *err)
{
    NAV_DCHECK(strcmp(PACKED_ROWS[ROW_SNAP].name, "snap.horizontal") == 0);
    return proto_fields_read_json(PROTO_ROWS(PACKED_ROWS), json, size_bytes, PROTO_BATCH_VALUES_MAX,
                                  out, &out->common.seen, err);
}

static nav_status read_query(query_list *list, const proto_item *item, const char *prefix,
                             proto_query *out, nav_error *err)
{
    paths_fields *f = (paths_fields *)list;
    uint64_t seen;
    proto_path_request *query = (proto_path_request *)proto_query_room(list, sizeof *query);
    if (query == NULL) {
        return proto_fields_no_memory(err);
    }
    out->asked = PROTO_ASKED_PATH;
    *query = f->defaults;
    nav_status status =
        proto_fields_read_item(PROTO_ROWS(QUERY_ROWS), item, prefix, query, &seen, err);
    if (status != NAV_OK) {
        return status;
    }
    // The ends may come from the defaults: many bots, one goal.
    seen |= f->defaults_seen;
    query->common.seen = seen;
    if (f->is_early) {
        f->has_incomplete |= (seen & ENDS) != ENDS;
        return NAV_OK;
    }
    return proto_fields_check_members(PROTO_ROWS(QUERY_ROWS), prefix, seen, ENDS, UINT64_MAX, err);
}

static nav_status read_queries(const proto_item *item, const char *at, const proto_field *field,
                               void *target, nav_error *err)
{
    paths_fields *f = target;
    (void)at;
    (void)field;
    f->is_early = f->defaults_seen == 0;
    return proto_queries_read(&f->list, item, err);
}

static void paths_defaults(void *request)
{
    paths_fields *f = request;
    f->defaults.common = f->list.request.common;
    set_path_defaults(&f->defaults);
    f->list.read = read_query;
}

// Shapes that come from the defaults are a list that queries share.
static void mark_shared_shapes(const paths_fields *f)
{
    const proto_avoid *shared = f->defaults.common.avoid;
    for (uint32_t i = 0; shared != NULL && i < f->list.request.count; i++) {
        proto_common *common = f->list.queries[i].question;
        common->avoid_list = common->avoid == shared ? PROTO_LIST_OF_DEFAULTS : 0;
    }
}

static nav_status finish(void *request, uint64_t rows_seen, nav_error *err)
{
    paths_fields *f = request;
    nav_status status = NAV_OK;
    (void)rows_seen;
    if (f->is_early && (f->has_incomplete || f->defaults_seen != 0)) {
        // Once more, now that the defaults are known.
        f->is_early = false;
        status = proto_queries_read_again(&f->list, err);
    }
    if (status == NAV_OK) {
        mark_shared_shapes(f);
    }
    return status;
}

const proto_kind PROTO_PATHS = {
    .fields = {.rows = ROWS, .count = sizeof ROWS / sizeof ROWS[0]},
    .size_bytes = sizeof(proto_batch_request),
    .values_max = PROTO_BATCH_VALUES_MAX,
    .set_defaults = paths_defaults,
    .finish = finish,
};
