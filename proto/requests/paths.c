// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// paths.c: GET and POST /v1/meshes/{mesh}/path, and POST .../paths as JSON: many in one request.
//
//   {"version":3,"defaults":{"search":"fast","snap":{"up":1}},
//    "queries":[{"start":[x,y,z],"end":[x,y,z],"id":"bot-7","max_nodes":500}, ...]}
//
// Each query begins as the defaults and may say otherwise.

#include "proto/requests/rows.h"

#include <string.h>

// ---- one path ----

#define PATH_AT(member) offsetof(proto_path_request, member)

static const char *const SEARCH_WORDS[] = {
    [NAV_SEARCH_AUTO] = "auto", [NAV_SEARCH_FAST] = "fast", [NAV_SEARCH_EXACT] = "exact", NULL};
// In the order of the PROTO_DETAIL_ bits.
static const char *const DETAIL_WORDS[] = {"polygons", "areas", "links", NULL};

// Answers are told in thousandths.
#define LIMIT_MIN 1e-3
#define LIMIT_MAX 1e9
#define GOAL_RADIUS_MAX 1e6

#define LIMIT_ROW(member)                                                                          \
    {                                                                                              \
        .name = #member, .type = PROTO_FIELD_DOUBLE, .offset = PATH_AT(member), .min = LIMIT_MIN,  \
        .max = LIMIT_MAX                                                                           \
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
        PROTO_SNAP_ROWS(offsetof(proto_common, snap)), PROTO_FILTER_ROWS,                          \
        {.name = "search",                                                                         \
         .type = PROTO_FIELD_CHOICE,                                                               \
         .offset = PATH_AT(search),                                                                \
         .words = SEARCH_WORDS},                                                                   \
        {.name = "max_nodes",                                                                      \
         .type = PROTO_FIELD_UINT,                                                                 \
         .offset = PATH_AT(max_nodes),                                                             \
         .min = 1,                                                                                 \
         .max = UINT32_MAX},                                                                       \
        {.name = "deadline_ms",                                                                    \
         .type = PROTO_FIELD_UINT,                                                                 \
         .offset = PATH_AT(deadline_ms),                                                           \
         .min = 1,                                                                                 \
         .max = PROTO_DEADLINE_MS_MAX},                                                            \
        LIMIT_ROW(max_cost), LIMIT_ROW(max_length),                                                \
        {.name = "goal_radius",                                                                    \
         .type = PROTO_FIELD_FLOAT,                                                                \
         .offset = PATH_AT(goal_radius),                                                           \
         .min = 0,                                                                                 \
         .max = GOAL_RADIUS_MAX},                                                                  \
        {.name = "partial", .type = PROTO_FIELD_BOOL, .offset = PATH_AT(partial)},                 \
    {                                                                                              \
        .name = "details", .type = PROTO_FIELD_WORDS, .offset = PATH_AT(details),                  \
        .words = DETAIL_WORDS                                                                      \
    }

static const proto_field PATH_ROWS[] = {
    PATH_FIELD_ROWS(true),
    PROTO_VERSION_ROW,
};

// Defaults that are not 0.
static void set_path_defaults(void *request)
{
    ((proto_path_request *)request)->partial = true;
}

const proto_kind PROTO_PATH = {
    .fields = {PATH_ROWS, sizeof PATH_ROWS / sizeof PATH_ROWS[0]},
    .size_bytes = sizeof(proto_path_request),
    .set_defaults = set_path_defaults,
};

// ---- many ----

#define PREFIX_BYTES 24u // of the prefix of the highest number

// While the members are read, in whatever order they come.
typedef struct paths_fields {
    proto_paths_request request;
    proto_path_request defaults;
    uint64_t defaults_seen;
    const char *queries_text; // the list's; NULL: not met yet
    size_t queries_bytes;
    proto_path_request *queries;
    uint32_t capacity;
    bool is_early;       // the queries were met before the defaults
    bool has_incomplete; // and one of them had no start or no end of its own
} paths_fields;

_Static_assert(sizeof(nav_search) == sizeof(unsigned), "a choice is stored as unsigned");
_Static_assert(PROTO_BATCH_MAX < 100000, "PREFIX_BYTES has room for the highest number");
_Static_assert(sizeof(paths_fields) <= PROTO_REQUEST_BYTES_MAX, "it is read like any request");

static nav_status read_defaults(const proto_item *item, const char *at, const proto_field *field,
                                void *target, nav_error *err);
static nav_status read_queries(const proto_item *list, const char *at, const proto_field *field,
                               void *target, nav_error *err);

static const proto_field ROWS[] = {
    PROTO_VERSION_ROW,
    {.name = "defaults", .type = PROTO_FIELD_READ, .read = read_defaults},
    {.name = "queries", .type = PROTO_FIELD_READ, .read = read_queries, .required = true},
};

static const proto_field DEFAULT_ROWS[] = {PATH_FIELD_ROWS(false)};
static const proto_field QUERY_ROWS[] = {
    PATH_FIELD_ROWS(false),
    {.name = "id", .type = PROTO_FIELD_READ, .offset = PATH_AT(id), .read = proto_read_id},
};
enum {
    ROW_START,
    ROW_END,
    ENDS = 1u << ROW_START | 1u << ROW_END, // of what a request has: bits by row
};

static void paths_defaults(void *request)
{
    paths_fields *f = request;
    f->defaults.common = f->request.common;
    set_path_defaults(&f->defaults);
}

static nav_status read_defaults(const proto_item *item, const char *at, const proto_field *field,
                                void *target, nav_error *err)
{
    paths_fields *f = target;
    (void)at;
    (void)field;
    return proto_fields_read_item(PROTO_ROWS(DEFAULT_ROWS), item, "defaults.", &f->defaults,
                                  &f->defaults_seen, err);
}

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

static nav_status too_many(const paths_fields *f, nav_error *err)
{
    proto_source source;
    const proto_item list =
        proto_item_begin(&source, f->queries_text, f->queries_bytes, PROTO_BATCH_VALUES_MAX);
    const uint32_t count = proto_item_count(&list);
    nav_fail(err, PROTO_BATCH_TOO_LARGE, "%u queries in one batch; send them in several", count);
    nav_error_at(err, "queries");
    nav_error_got(err, "%u", count);
    nav_error_limit(err, "%u", PROTO_BATCH_MAX);
    return PROTO_BATCH_TOO_LARGE;
}

// Room for one query more.
static nav_status make_room(paths_fields *f, nav_error *err)
{
    const uint32_t count = f->request.count;
    if (count < f->capacity) {
        return NAV_OK;
    }
    if (count == PROTO_BATCH_MAX) {
        return too_many(f, err);
    }
    const uint32_t most = PROTO_BATCH_MAX;
    const uint32_t capacity = count == 0 ? 64 : 4 * count < most ? 4 * count : most;
    proto_path_request *queries = NAV_NEW(f->request.common.memory, proto_path_request, capacity);
    if (queries == NULL) {
        return proto_fields_no_memory(err);
    }
    if (count > 0) {
        memcpy(queries, f->queries, count * sizeof *queries);
    }
    f->queries = queries;
    f->capacity = capacity;
    return NAV_OK;
}

static nav_status read_query(paths_fields *f, const proto_item *item, nav_error *err)
{
    char prefix[PREFIX_BYTES];
    uint64_t seen;
    nav_status status = make_room(f, err);
    if (status != NAV_OK) {
        return status;
    }
    proto_path_request *query = &f->queries[f->request.count];
    put_prefix(f->request.count++, prefix);
    *query = f->defaults;
    status = proto_fields_read_item(PROTO_ROWS(QUERY_ROWS), item, prefix, query, &seen, err);
    if (status != NAV_OK) {
        return status;
    }
    // The ends may come from the defaults: many bots, one goal.
    seen |= f->defaults_seen;
    if (f->is_early) {
        f->has_incomplete |= (seen & ENDS) != ENDS;
        return NAV_OK;
    }
    return proto_fields_check_members(PROTO_ROWS(QUERY_ROWS), prefix, seen, ENDS, UINT64_MAX, err);
}

static nav_status read_list(paths_fields *f, const proto_item *list, nav_error *err)
{
    nav_status status = NAV_OK;
    proto_item item;
    f->request.count = 0;
    for (bool more = proto_item_first(list, &item); more;
         more = status == NAV_OK && proto_item_next(&item)) {
        status = read_query(f, &item, err);
    }
    return status == NAV_OK && f->request.count == 0
               ? proto_item_invalid(list, "queries", "a list of one or more queries", err)
               : status;
}

static nav_status read_queries(const proto_item *list, const char *at, const proto_field *field,
                               void *target, nav_error *err)
{
    paths_fields *f = target;
    (void)field;
    if (list->kind != PROTO_TOKEN_LIST) {
        return proto_item_invalid(list, at, "a list of one or more queries", err);
    }
    f->queries_text = proto_item_text(list, &f->queries_bytes);
    f->is_early = f->defaults_seen == 0;
    return read_list(f, list, err);
}

// Reads the queries once more, now that the defaults are known.
static nav_status read_again(paths_fields *f, nav_error *err)
{
    proto_source source;
    const proto_item list =
        proto_item_begin(&source, f->queries_text, f->queries_bytes, PROTO_BATCH_VALUES_MAX);
    f->is_early = false;
    return read_list(f, &list, err);
}

static nav_status finish(void *request, uint64_t rows_seen, nav_error *err)
{
    paths_fields *f = request;
    nav_status status = NAV_OK;
    (void)rows_seen;
    if (f->is_early && (f->has_incomplete || f->defaults_seen != 0)) {
        status = read_again(f, err);
    }
    f->request.queries = f->queries;
    f->request.shared_avoid = f->defaults.common.avoid;
    return status;
}

const proto_kind PROTO_PATHS = {
    .fields = {ROWS, sizeof ROWS / sizeof ROWS[0]},
    .size_bytes = sizeof(proto_paths_request),
    .values_max = PROTO_BATCH_VALUES_MAX,
    .set_defaults = paths_defaults,
    .finish = finish,
};
