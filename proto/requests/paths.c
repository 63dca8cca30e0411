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
        {.name = "partial", .type = PROTO_FIELD_BOOL, .offset = PATH_AT(partial)},                 \
    {                                                                                              \
        .name = "details", .type = PROTO_FIELD_WORDS, .offset = PATH_AT(details),                  \
        .words = DETAIL_WORDS                                                                      \
    }

static const proto_field PATH_ROWS[] = {
    PATH_FIELD_ROWS(true),
    PROTO_VERSION_ROW,
};

const proto_kind PROTO_PATH = {
    .fields = {PATH_ROWS, sizeof PATH_ROWS / sizeof PATH_ROWS[0]},
    .size_bytes = sizeof(proto_path_request),
    .set_defaults = proto_path_defaults,
};

void proto_path_defaults(void *request)
{
    ((proto_path_request *)request)->partial = true;
}

// ---- many ----

#define PREFIX_BYTES 24u // of the prefix of the highest number

typedef struct paths_fields {
    proto_paths_request request;
    // Read once all rows are known, whatever their order.
    proto_item_later defaults, queries;
} paths_fields;

_Static_assert(sizeof(nav_search) == sizeof(unsigned), "a choice is stored as unsigned");
_Static_assert(PROTO_BATCH_MAX < 100000, "PREFIX_BYTES has room for the highest number");
_Static_assert(sizeof(paths_fields) <= PROTO_REQUEST_BYTES_MAX, "it is read like any request");

static nav_status read_later(const proto_item *item, const char *at, const proto_field *field,
                             void *target, nav_error *err)
{
    if (item->source == NULL) {
        return proto_item_invalid(item, at, "JSON", err);
    }
    const proto_item_later later = proto_item_pass(item);
    memcpy((char *)target + field->offset, &later, sizeof later);
    return NAV_OK;
}

static const proto_field ROWS[] = {
    PROTO_VERSION_ROW,
    {.name = "defaults",
     .type = PROTO_FIELD_READ,
     .offset = offsetof(paths_fields, defaults),
     .read = read_later},
    {.name = "queries",
     .type = PROTO_FIELD_READ,
     .offset = offsetof(paths_fields, queries),
     .read = read_later,
     .required = true},
};

static const proto_field DEFAULT_ROWS[] = {PATH_FIELD_ROWS(false)};
static const proto_field QUERY_ROWS[] = {
    PATH_FIELD_ROWS(false),
    {.name = "id", .type = PROTO_FIELD_READ, .offset = PATH_AT(id), .read = proto_read_id},
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

static nav_status read_queries(paths_fields *f, const proto_item *list,
                               const proto_path_request *defaults, uint64_t seen_before,
                               nav_error *err)
{
    const uint32_t count = f->queries.count;
    proto_path_request *queries = NAV_NEW(f->request.common.memory, proto_path_request, count);
    if (queries == NULL) {
        return proto_fields_no_memory(err);
    }
    uint32_t i = 0;
    char prefix[PREFIX_BYTES];
    proto_item item;
    for (bool more = proto_item_first(list, &item); more; more = proto_item_next(&item), i++) {
        uint64_t seen;
        NAV_ASSERT(i < count);
        put_prefix(i, prefix);
        queries[i] = *defaults;
        nav_status status =
            proto_fields_read_item(PROTO_ROWS(QUERY_ROWS), &item, prefix, &queries[i], &seen, err);
        if (status == NAV_OK) {
            // The ends may come from the defaults: many bots, one goal.
            status = proto_fields_check_members(PROTO_ROWS(QUERY_ROWS), prefix, seen | seen_before,
                                                1u << ROW_START | 1u << ROW_END, UINT64_MAX, err);
        }
        if (status != NAV_OK) {
            return status;
        }
    }
    NAV_DCHECK(i <= PROTO_BATCH_MAX);
    f->request.queries = queries;
    f->request.count = i;
    return NAV_OK;
}

static nav_status check_count(const proto_item *list, uint32_t count, nav_error *err)
{
    if (list->kind != PROTO_TOKEN_LIST || count == 0) {
        return proto_item_invalid(list, "queries", "a list of one or more queries", err);
    }
    if (count > PROTO_BATCH_MAX) {
        nav_fail(err, PROTO_BATCH_TOO_LARGE, "%u queries in one batch; send them in several",
                 count);
        nav_error_at(err, "queries");
        nav_error_got(err, "%u", count);
        nav_error_limit(err, "%u", PROTO_BATCH_MAX);
        return PROTO_BATCH_TOO_LARGE;
    }
    return NAV_OK;
}

// A value that was left for later is not JSON; the caller asks the scan for the reason.
static nav_status broken(nav_error *err)
{
    return nav_fail(err, PROTO_BAD_JSON, "the JSON cannot be read");
}

static nav_status read_defaults(const paths_fields *f, proto_path_request *out, uint64_t *seen,
                                uint32_t *values, nav_error *err)
{
    *seen = 0;
    if (f->defaults.json == NULL) {
        return NAV_OK;
    }
    proto_source source;
    const proto_item object =
        proto_item_begin(&source, f->defaults.json, f->defaults.size_bytes, PROTO_BATCH_VALUES_MAX);
    nav_status status =
        proto_fields_read_item(PROTO_ROWS(DEFAULT_ROWS), &object, "defaults.", out, seen, err);
    *values = source.tokens.values;
    return status == NAV_OK && !proto_source_is_over(&source) ? broken(err) : status;
}

static nav_status finish(void *request, uint64_t rows_seen, nav_error *err)
{
    paths_fields *f = request;
    proto_source source;
    proto_path_request defaults = {.common = f->request.common};
    uint64_t seen;
    uint32_t values = 0;
    const proto_item list =
        proto_item_begin(&source, f->queries.json, f->queries.size_bytes, PROTO_BATCH_VALUES_MAX);
    nav_status status = check_count(&list, f->queries.count, err);
    if (status != NAV_OK) {
        return status;
    }
    proto_path_defaults(&defaults);
    status = read_defaults(f, &defaults, &seen, &values, err);
    f->request.shared_avoid = defaults.common.avoid;
    // The limit is one for the whole text: with the outer object, and with the version in it.
    source.tokens.values += values + 1 + (uint32_t)(rows_seen & 1);
    if (status == NAV_OK) {
        status = read_queries(f, &list, &defaults, seen, err);
    }
    return status == NAV_OK && !proto_source_is_over(&source) ? broken(err) : status;
}

const proto_kind PROTO_PATHS = {
    .fields = {ROWS, sizeof ROWS / sizeof ROWS[0]},
    .size_bytes = sizeof(proto_paths_request),
    .values_max = PROTO_BATCH_VALUES_MAX,
    .finish = finish,
};
