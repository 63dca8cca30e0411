// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// batch.c: POST /v1/meshes/{mesh}/batch as JSON, mixed questions in one request, and the list of
// queries that it has in common with POST .../paths (paths.c):
//
//   {"version":3,"filters":["boat",{"costs":{"mud":4}}],"avoid_sets":[[{"shape":"box",...}],...],
//    "queries":[{"kind":"raycast","start":[x,y,z],"end":[x,y,z],"filter":1,"avoid":0,"id":7},...]}
//
// A query is read by the table of its own question (questions.c, paths.c).

#include "proto/requests/query_list.h"

#include <stdio.h>
#include <string.h>

// ---- the list ----

_Static_assert(PROTO_BATCH_MAX < 100000, "PROTO_PREFIX_BYTES has room for the highest number");

void proto_put_prefix(uint32_t index, char out[PROTO_PREFIX_BYTES])
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

void proto_name_outside(nav_error *err, const char *outside)
{
    char at[sizeof err->at];
    memcpy(at, err->at, sizeof at);
    if (at[0] != '\0') {
        nav_error_at(err, "%.24s.%.70s", outside, at);
    }
}

void proto_name_query(nav_error *err, uint32_t index)
{
    char outside[PROTO_PREFIX_BYTES];
    proto_put_prefix(index, outside);
    outside[strlen(outside) - 1] = '\0'; // its point
    proto_name_outside(err, outside);
}

nav_status proto_too_many_queries(uint32_t count, const char *at, nav_error *err)
{
    nav_fail(err, PROTO_BATCH_TOO_LARGE, "%u queries in one batch; send them in several", count);
    nav_error_at(err, "%s", at);
    nav_error_got(err, "%u", count);
    nav_error_limit(err, "%u", PROTO_BATCH_MAX);
    return PROTO_BATCH_TOO_LARGE;
}

static nav_status too_many(const query_list *list, nav_error *err)
{
    proto_source source;
    const proto_item item =
        proto_item_begin(&source, list->text, list->text_bytes, PROTO_BATCH_VALUES_MAX);
    return proto_too_many_queries(proto_item_count(&item), "queries", err);
}

// Room for one query more.
static nav_status make_room(query_list *list, nav_error *err)
{
    const uint32_t count = list->request.count;
    if (count < list->capacity) {
        return NAV_OK;
    }
    if (count == PROTO_BATCH_MAX) {
        return too_many(list, err);
    }
    const uint32_t most = PROTO_BATCH_MAX;
    const uint32_t capacity = count == 0 ? 64 : 4 * count < most ? 4 * count : most;
    proto_query *queries = nav_arena_grow(list->request.common.memory, list->queries, count,
                                          capacity, sizeof *queries);
    if (queries == NULL) {
        return proto_fields_no_memory(err);
    }
    list->queries = queries;
    list->capacity = capacity;
    return NAV_OK;
}

proto_common *proto_query_room(query_list *list, size_t size_bytes)
{
    const uint32_t index = list->request.count - 1;
    NAV_ASSERT(list->request.count > 0 && index <= list->made && index < list->capacity);
    if (index < list->made) {
        return list->queries[index].question;
    }
    proto_common *room = nav_arena_alloc(list->request.common.memory, 1, size_bytes);
    list->queries[index].question = room;
    list->made += room != NULL;
    return room;
}

static nav_status read_list(query_list *list, const proto_item *item, nav_error *err)
{
    nav_status status = NAV_OK;
    proto_item element;
    list->request.count = 0;
    for (bool more = proto_item_first(item, &element); more;
         more = status == NAV_OK && proto_item_next(&element)) {
        char prefix[PROTO_PREFIX_BYTES];
        status = make_room(list, err);
        if (status == NAV_OK) {
            proto_put_prefix(list->request.count, prefix);
            proto_query *query = &list->queries[list->request.count++];
            status = list->read(list, &element, prefix, query, err);
        }
    }
    list->request.queries = list->queries;
    return status == NAV_OK && list->request.count == 0
               ? proto_item_invalid(item, "queries", "a list of one or more queries", err)
               : status;
}

nav_status proto_queries_read(query_list *list, const proto_item *item, nav_error *err)
{
    if (item->kind != PROTO_TOKEN_LIST) {
        return proto_item_invalid(item, "queries", "a list of one or more queries", err);
    }
    list->text = proto_item_text(item, &list->text_bytes);
    return read_list(list, item, err);
}

nav_status proto_queries_read_again(query_list *list, nav_error *err)
{
    proto_source source;
    const proto_item item =
        proto_item_begin(&source, list->text, list->text_bytes, PROTO_BATCH_VALUES_MAX);
    return read_list(list, &item, err);
}

// ---- mixed questions ----

const char *const PROTO_ASKED_WORDS[] = {[PROTO_ASKED_PATH] = "path",
                                         [PROTO_ASKED_NEAREST] = "nearest",
                                         [PROTO_ASKED_RAYCAST] = "raycast",
                                         [PROTO_ASKED_RANDOM] = "random",
                                         [PROTO_ASKED_REACHABLE] = "reachable",
                                         [PROTO_ASKED_WALL] = "wall",
                                         [PROTO_ASKED_FLOORS] = "floors",
                                         [PROTO_ASKED_MOVE] = "move",
                                         [PROTO_ASKED_COUNT] = NULL};

const proto_kind *const PROTO_ASKED_KINDS[PROTO_ASKED_COUNT] = {
    [PROTO_ASKED_PATH] = &PROTO_PATH,           [PROTO_ASKED_NEAREST] = &PROTO_NEAREST,
    [PROTO_ASKED_RAYCAST] = &PROTO_STEP,        [PROTO_ASKED_RANDOM] = &PROTO_RANDOM,
    [PROTO_ASKED_REACHABLE] = &PROTO_REACHABLE, [PROTO_ASKED_WALL] = &PROTO_WALL,
    [PROTO_ASKED_FLOORS] = &PROTO_FLOORS,       [PROTO_ASKED_MOVE] = &PROTO_STEP};

_Static_assert(offsetof(batch_fields, list) == 0 && offsetof(query_list, request) == 0 &&
                   offsetof(proto_batch_request, common) == 0,
               "all of them are at the beginning");
_Static_assert(sizeof(batch_fields) <= PROTO_REQUEST_BYTES_MAX, "it is read like any request");

// How many elements a list of lists has.
static nav_status count_lists(const proto_item *item, const char *at, uint32_t *count,
                              nav_error *err)
{
    char expected[64];
    *count = item->kind == PROTO_TOKEN_LIST ? proto_item_count(item) : NAV_NONE;
    if (*count <= PROTO_BATCH_LISTS_MAX) {
        return NAV_OK;
    }
    (void)snprintf(expected, sizeof expected, "a list of up to %u", PROTO_BATCH_LISTS_MAX);
    nav_status status = proto_item_invalid(item, at, expected, err);
    nav_error_limit(err, "%u", PROTO_BATCH_LISTS_MAX);
    return status;
}

static nav_status read_lists(const proto_item *item, const char *at, const proto_field *field,
                             void *target, nav_error *err)
{
    nav_arena *memory = ((batch_fields *)target)->list.request.common.memory;
    shared_lists *out = (shared_lists *)(void *)((char *)target + field->offset);
    uint32_t count = 0, i = 0;
    nav_status status = count_lists(item, at, &count, err);
    proto_common *lists = status == NAV_OK ? NAV_NEW_ZERO(memory, proto_common, count) : NULL;
    if (lists == NULL) {
        return status == NAV_OK ? proto_fields_no_memory(err) : status;
    }
    const proto_field_read read =
        field->offset == offsetof(batch_fields, filters)      ? proto_read_filter
        : field->offset == offsetof(batch_fields, avoid_sets) ? proto_read_avoid
        : field->offset == offsetof(batch_fields, instances)  ? proto_read_instance
                                                              : proto_read_agent;
    proto_item element;
    for (bool more = proto_item_first(item, &element); more;
         more = status == NAV_OK && proto_item_next(&element), i++) {
        char place[64];
        NAV_ASSERT(i < count);
        (void)snprintf(place, sizeof place, "%.40s[%u]", at, i);
        lists[i].memory = memory;
        status = read(&element, place, NULL, &lists[i], err);
    }
    *out = (shared_lists){.at = lists, .count = i};
    return status;
}

static nav_status read_queries(const proto_item *item, const char *at, const proto_field *field,
                               void *target, nav_error *err)
{
    (void)at;
    (void)field;
    return proto_queries_read(target, item, err);
}

#define LISTS_ROW(member)                                                                          \
    {                                                                                              \
        .name = #member, .type = PROTO_FIELD_READ, .offset = offsetof(batch_fields, member),       \
        .read = read_lists                                                                         \
    }
#define LISTS_ROWS                                                                                 \
    LISTS_ROW(filters), LISTS_ROW(avoid_sets), LISTS_ROW(instances), LISTS_ROW(agents)

static const proto_field ROWS[] = {
    PROTO_RECORD_ROW,
    PROTO_VERSION_ROW,
    LISTS_ROWS,
    {.name = "queries", .type = PROTO_FIELD_READ, .read = read_queries, .required = true},
};

nav_status proto_batch_read_lists(batch_fields *f, const char *json, size_t size_bytes,
                                  nav_error *err)
{
    static const proto_field ONLY_LISTS[] = {LISTS_ROWS, PROTO_RECORD_ROW};
    uint64_t seen;
    return proto_fields_read_json(PROTO_ROWS(ONLY_LISTS), json, size_bytes, PROTO_BATCH_VALUES_MAX,
                                  f, &seen, err);
}

// Reads the kind of a query, which says how its other members are read.
static nav_status read_asked(const proto_item *item, const char *prefix, proto_asked *out,
                             nav_error *err)
{
    static const proto_field ASKED_ROWS[] = {
        {.name = "kind", .type = PROTO_FIELD_CHOICE, .words = PROTO_ASKED_WORDS}};
    proto_source ahead;
    proto_item word;
    unsigned asked = 0;
    if (!proto_member_find(item, ASKED_ROWS[0].name, &ahead, &word)) {
        return proto_fields_check_members(PROTO_ROWS(ASKED_ROWS), prefix, 0, 1, 0, err);
    }
    const proto_value value = {
        .field = ASKED_ROWS, .item = &word, .target = &asked, .err = err, .prefix = prefix};
    nav_status status = proto_value_read(&value);
    *out = (proto_asked)asked;
    return status;
}

nav_status proto_batch_count_places(batch_fields *f, const proto_query *query, const char *prefix,
                                    nav_error *err)
{
    const void *question = query->question;
    f->places +=
        query->asked == PROTO_ASKED_RANDOM    ? ((const proto_random_request *)question)->count
        : query->asked == PROTO_ASKED_NEAREST ? ((const proto_nearest_request *)question)->count
                                              : 0;
    if (f->places <= PROTO_BATCH_PLACES_MAX) {
        return NAV_OK;
    }
    nav_fail(err, PROTO_BATCH_TOO_LARGE,
             "%scount: the queries up to this one ask for %u places; send them in several batches",
             prefix, f->places);
    nav_error_at(err, "%scount", prefix);
    nav_error_got(err, "%u", f->places);
    nav_error_limit(err, "%u", PROTO_BATCH_PLACES_MAX);
    return PROTO_BATCH_TOO_LARGE;
}

static nav_status read_query(query_list *list, const proto_item *item, const char *prefix,
                             proto_query *out, nav_error *err)
{
    nav_status status = NAV_OK;
    out->asked = PROTO_ASKED_PATH; // of what is no object, which is an error for any
    if (item->kind == PROTO_TOKEN_OBJECT) {
        status = read_asked(item, prefix, &out->asked, err);
    }
    if (status != NAV_OK) {
        return status;
    }
    const proto_kind *kind = PROTO_ASKED_KINDS[out->asked];
    proto_common *question = proto_query_room(list, kind->size_bytes);
    if (question == NULL) {
        return proto_fields_no_memory(err);
    }
    status = proto_request_query(kind, item, prefix, list->request.common.memory, question, err);
    return status == NAV_OK ? proto_batch_count_places((batch_fields *)list, out, prefix, err)
                            : status;
}

// ---- lists that are named by number ----

// The batch's list that a member of a query names by number.
static const char *list_name(const char *member)
{
    static const char *const LISTS[][2] = {{"filter", "filters"},
                                           {"avoid", "avoid_sets"},
                                           {"instance", "instances"},
                                           {"agent", "agents"}};
    uint32_t i = 0;
    while (strcmp(LISTS[i][0], member) != 0) {
        i++;
        NAV_ASSERT(i < sizeof LISTS / sizeof LISTS[0]);
    }
    return LISTS[i][1];
}

// The list that a query names, of which there may be none.
static nav_status find_list(const shared_lists *lists, uint32_t number, uint32_t index,
                            const char *member, const proto_common **out, nav_error *err)
{
    if (number <= lists->count) {
        *out = number > 0 ? &lists->at[number - 1] : NULL;
        return NAV_OK;
    }
    const char *list = list_name(member);
    if (lists->count > 0) {
        nav_fail(err, NAV_INVALID_FIELD,
                 "queries[%u].%s: \"%s\" of this batch has no number %u; it has numbers 0 to %u",
                 index, member, list, number - 1, lists->count - 1);
    } else {
        nav_fail(err, NAV_INVALID_FIELD,
                 "queries[%u].%s: %u is a place in \"%s\", and this batch has no \"%s\"", index,
                 member, number - 1, list, list);
    }
    nav_error_at(err, "queries[%u].%s", index, member);
    nav_error_got(err, "%u", number - 1);
    if (lists->count > 0) {
        nav_error_limit(err, "%u", lists->count - 1);
    }
    return NAV_INVALID_FIELD;
}

static nav_status name_lists(const batch_fields *f, uint32_t index, proto_common *common,
                             nav_error *err)
{
    const proto_common *filter = NULL, *avoid = NULL, *instance = NULL, *agent = NULL;
    nav_status status = find_list(&f->filters, common->filter_list, index, "filter", &filter, err);
    NAV_IF_OK(status, find_list(&f->avoid_sets, common->avoid_list, index, "avoid", &avoid, err));
    NAV_IF_OK(status,
              find_list(&f->instances, common->instance_list, index, "instance", &instance, err));
    NAV_IF_OK(status, find_list(&f->agents, common->agent_list, index, "agent", &agent, err));
    if (filter != NULL) {
        common->filter = filter->filter;
    }
    if (avoid != NULL) {
        common->avoid = avoid->avoid;
        common->avoid_count = avoid->avoid_count;
    }
    if (instance != NULL) {
        common->instance = instance->instance;
    }
    if (agent != NULL) {
        common->agent = agent->agent;
    }
    return status;
}

nav_status proto_batch_name_lists(const batch_fields *f, nav_error *err)
{
    nav_status status = NAV_OK;
    for (uint32_t i = 0; i < f->list.request.count && status == NAV_OK; i++) {
        status = name_lists(f, i, f->list.queries[i].question, err);
    }
    return status;
}

// Members have no order, so that lists may come behind the queries that name them.
static nav_status finish(void *request, uint64_t rows_seen, nav_error *err)
{
    (void)rows_seen;
    return proto_batch_name_lists(request, err);
}

static void set_defaults(void *request)
{
    ((query_list *)request)->read = read_query;
}

const proto_kind PROTO_BATCH = {
    .fields = {.rows = ROWS, .count = sizeof ROWS / sizeof ROWS[0]},
    .size_bytes = sizeof(proto_batch_request),
    .values_max = PROTO_BATCH_VALUES_MAX,
    .set_defaults = set_defaults,
    .finish = finish,
};
