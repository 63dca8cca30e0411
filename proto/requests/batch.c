// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// batch.c: many questions in one request as JSON, mixed ones to .../batch, paths to .../paths:
//
//   {"version":3,"filters":["boat",{"costs":{"mud":4}}],"avoid_sets":[[{"shape":"box",...}],...],
//    "queries":[{"kind":"raycast","start":[x,y,z],"end":[x,y,z],"filter":1,"avoid":0,"id":7},...]}
//   {"version":3,"defaults":{"search":"fast","snap":{"up":1}},
//    "queries":[{"start":[x,y,z],"end":[x,y,z],"id":"bot-7","max_nodes":500}, ...]}
//
// A query is read by the table of its own question (questions.c). To /paths it is a path, begins as
// the defaults and may say otherwise.

#include "proto/requests/batch.h"

#include <string.h>

_Static_assert(PROTO_BATCH_MAX < 100000, "PROTO_PREFIX_BYTES has room for the highest number");
_Static_assert(offsetof(batch_fields, request) == 0 && offsetof(proto_batch_request, common) == 0,
               "both are at the beginning");
_Static_assert(sizeof(batch_fields) <= PROTO_REQUEST_BYTES_MAX, "it is read like any request");

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

void proto_name_query(nav_error *err, uint32_t index)
{
    if (err->at[0] != '\0') {
        proto_error_within(err, "queries[%u].", index);
    }
}

nav_status proto_too_many_queries(uint32_t count, const char *at, nav_error *err)
{
    return nav_fail_bound(err, PROTO_BATCH_TOO_LARGE, at, count, PROTO_BATCH_MAX,
                          "%u queries in one batch; send them in several", count);
}

// ---- the lists that queries share ----

static const struct {
    const char *member, *list;
    proto_reader *read;
    size_t number; // where a proto_common has the number of the list
} LISTS[BATCH_LISTS] = {
    [BATCH_FILTERS] = {"filter", "filters", proto_read_filter, offsetof(proto_common, filter_list)},
    [BATCH_AVOID_SETS] = {"avoid", "avoid_sets", proto_read_avoid,
                          offsetof(proto_common, avoid_list)},
    [BATCH_INSTANCES] = {"instance", "instances", proto_read_instance,
                         offsetof(proto_common, instance_list)},
    [BATCH_AGENTS] = {"agent", "agents", proto_read_agent, offsetof(proto_common, agent_list)},
};

static nav_status read_lists(const proto_value *v)
{
    _Static_assert(PROTO_BATCH_LISTS_MAX == 256, "the error says so");
    shared_lists *out = proto_value_at(v);
    const size_t which = (size_t)(out - ((batch_fields *)v->target)->lists);
    const proto_each each = {PROTO_TOKEN_LIST, PROTO_BATCH_LISTS_MAX, sizeof(proto_common),
                             LISTS[which].read};
    return proto_value_each(v, &each, "a list of up to 256", &out->at, &out->count);
}

static nav_status no_such_list(const shared_lists *lists, batch_list which, uint32_t number,
                               uint32_t index, nav_error *err)
{
    const char *member = LISTS[which].member, *list = LISTS[which].list;
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

static nav_status name_list(const batch_fields *f, batch_list which, uint32_t index,
                            proto_common *common, nav_error *err)
{
    const shared_lists *lists = &f->lists[which];
    uint32_t number;
    memcpy(&number, (const char *)common + LISTS[which].number, sizeof number);
    if (number == 0) {
        return NAV_OK;
    }
    if (number > lists->count) {
        return no_such_list(lists, which, number, index, err);
    }
    const proto_common *from = &lists->at[number - 1];
    switch (which) {
    case BATCH_FILTERS:
        common->filter = from->filter;
        break;
    case BATCH_AVOID_SETS:
        common->avoid = from->avoid;
        common->avoid_count = from->avoid_count;
        break;
    case BATCH_INSTANCES:
        common->instance = from->instance;
        break;
    default:
        common->agent = from->agent;
    }
    return NAV_OK;
}

nav_status proto_batch_name_lists(const batch_fields *f, nav_error *err)
{
    nav_status status = NAV_OK;
    // Queries of /paths have none but that of the defaults.
    const uint32_t count = f->request.is_paths ? 0 : f->request.count;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t which = 0; which < BATCH_LISTS && status == NAV_OK; which++) {
            status = name_list(f, (batch_list)which, i, f->queries[i].question, err);
        }
    }
    return status;
}

// ---- one query ----

// The last rows of a path.
enum {
    EXPAND = 1,
    RECORD = 2,
    VERSION = 4,
    KIND = 8,
    ID = 16
};
#define ENDS UINT64_C(3) // the first ones

static uint64_t rows_of_path(uint32_t last)
{
    return (uint64_t)last << (PROTO_PATH.fields.count - 5);
}

static proto_fields default_fields(nav_arena *memory, uint32_t absent)
{
    proto_fields fields = PROTO_PATH.fields;
    fields.absent = rows_of_path(absent);
    fields.optional = UINT64_MAX;
    fields.memory = memory;
    return fields;
}

// Shapes of the defaults are a list that queries share.
static void end_defaults(proto_common *defaults, uint64_t seen)
{
    defaults->seen |= seen;
    defaults->avoid_list = defaults->avoid_count > 0 ? PROTO_LIST_OF_DEFAULTS : 0;
}

static nav_status read_defaults(const proto_value *v)
{
    batch_fields *f = v->target;
    uint64_t seen;
    proto_request_begin(&PROTO_PATH, v->memory, &f->defaults.common);
    const nav_status status =
        proto_fields_read_item(default_fields(v->memory, EXPAND | RECORD | VERSION | KIND | ID),
                               v->item, "defaults.", &f->defaults, &seen, v->err);
    end_defaults(&f->defaults.common, seen);
    return status;
}

nav_status proto_batch_add(batch_fields *f, proto_asked asked, proto_query **out, nav_error *err)
{
    const proto_kind *kind = PROTO_ASKED_KINDS[asked];
    nav_arena *memory = f->request.common.memory;
    const uint32_t index = f->request.count, most = PROTO_BATCH_MAX;
    NAV_ASSERT(index < most);
    if (index == f->capacity) {
        f->capacity = index == 0 ? 64 : 4 * index < most ? 4 * index : most;
        f->queries = nav_arena_grow(memory, f->queries, index, f->capacity, sizeof *f->queries);
    }
    proto_common *question = f->queries == NULL ? NULL
                             : index < f->made  ? f->queries[index].question
                                                : nav_arena_alloc(memory, 1, kind->size_bytes);
    if (question == NULL) {
        return proto_fields_no_memory(err);
    }
    f->queries[index] = (proto_query){.asked = asked, .question = question};
    if (f->request.is_paths) {
        memcpy(question, &f->defaults, sizeof f->defaults);
    } else {
        proto_request_begin(kind, memory, question);
        question->names_lists = true;
    }
    f->made = index < f->made ? f->made : index + 1;
    f->request.queries = f->queries;
    f->request.count = index + 1;
    *out = &f->queries[index];
    return NAV_OK;
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
    return nav_fail_bound(
        err, PROTO_BATCH_TOO_LARGE, nav_at("%scount", prefix).text, f->places,
        PROTO_BATCH_PLACES_MAX,
        "%scount: the queries up to this one ask for %u places; send them in several batches",
        prefix, f->places);
}

static nav_status read_query(batch_fields *f, const proto_item *item, nav_error *err)
{
    char prefix[PROTO_PREFIX_BYTES];
    proto_asked asked = PROTO_ASKED_PATH; // also of what is no object, which is an error for any
    proto_query *query = NULL;
    nav_status status = NAV_OK;
    proto_put_prefix(f->request.count, prefix);
    if (!f->request.is_paths && item->kind == PROTO_TOKEN_OBJECT) {
        status = read_asked(item, prefix, &asked, err);
    }
    NAV_IF_OK(status, proto_batch_add(f, asked, &query, err));
    if (query == NULL) {
        return status;
    }
    const proto_kind *kind = PROTO_ASKED_KINDS[asked];
    // The ends may come from the defaults: many bots, one goal.
    status =
        proto_request_query(kind, item, prefix,
                            f->request.is_paths ? rows_of_path(EXPAND | RECORD | VERSION | KIND)
                                                : PROTO_ABSENT_IN_BATCH(kind),
                            f->is_early ? UINT64_MAX : query->question->seen, query->question, err);
    f->has_incomplete |= f->is_early && (query->question->seen & ENDS) != ENDS;
    return status == NAV_OK ? proto_batch_count_places(f, query, prefix, err) : status;
}

// ---- all of them ----

static nav_status read_list(batch_fields *f, const proto_item *list, nav_error *err)
{
    nav_status status = NAV_OK;
    proto_member element;
    f->request.count = 0;
    if (f->request.is_paths && f->defaults.common.memory == NULL) {
        proto_request_begin(&PROTO_PATH, f->request.common.memory, &f->defaults.common);
    }
    for (bool more = proto_item_first(list, &element.value); more;
         more = status == NAV_OK && proto_item_next(&element.value)) {
        if (f->request.count == PROTO_BATCH_MAX) {
            const uint32_t rest = proto_member_rest(&element, PROTO_TOKEN_LIST);
            return proto_too_many_queries(PROTO_BATCH_MAX + rest, "queries", err);
        }
        status = read_query(f, &element.value, err);
    }
    return status;
}

static nav_status read_queries(const proto_value *v)
{
    batch_fields *f = v->target;
    nav_status status = NAV_OK;
    if (v->item->kind == PROTO_TOKEN_LIST) {
        f->is_early = f->request.is_paths && f->defaults.common.seen == 0;
        f->text = proto_item_text(v->item, &f->text_bytes);
        status = read_list(f, v->item, v->err);
    }
    return status == NAV_OK && f->request.count == 0
               ? proto_value_invalid(v, "a list of one or more queries")
               : status;
}

enum {
    ROW_RECORD,
    ROW_VERSION,
    ROW_DEFAULTS,
    ROW_LISTS,
    ROW_QUERIES = ROW_LISTS + BATCH_LISTS,
    ROWS_COUNT
};
#define BIT(row) (UINT64_C(1) << (row))

#define LISTS_ROW(list_name, which)                                                                \
    [ROW_LISTS + (which)] = {PROTO_ROW_AT(READ, list_name, offsetof(batch_fields, lists[which])),  \
                             .read = read_lists}

static const proto_field ROWS[ROWS_COUNT] = {
    [ROW_RECORD] = PROTO_RECORD_ROW,
    [ROW_VERSION] = PROTO_VERSION_ROW,
    [ROW_DEFAULTS] = PROTO_READ_ROW("defaults", read_defaults),
    LISTS_ROW("filters", BATCH_FILTERS),
    LISTS_ROW("avoid_sets", BATCH_AVOID_SETS),
    LISTS_ROW("instances", BATCH_INSTANCES),
    LISTS_ROW("agents", BATCH_AGENTS),
    [ROW_QUERIES] = {.name = "queries",
                     .type = PROTO_FIELD_READ,
                     .read = read_queries,
                     .required = true},
};

nav_status proto_batch_read_rest(batch_fields *f, const char *json, size_t size_bytes,
                                 nav_error *err)
{
    proto_common *common = &f->request.common;
    if (f->request.is_paths) {
        uint64_t seen;
        const nav_status status = proto_fields_read_json(
            default_fields(common->memory, EXPAND | VERSION | KIND | ID), json, size_bytes,
            PROTO_BATCH_VALUES_MAX, &f->defaults, &seen, err);
        end_defaults(&f->defaults.common, seen);
        f->defaults.details = 0; // a packed answer has no room for them
        common->record = f->defaults.common.record;
        return status;
    }
    proto_fields fields = PROTO_ROWS(ROWS);
    fields.absent = BIT(ROW_VERSION) | BIT(ROW_DEFAULTS) | BIT(ROW_QUERIES);
    fields.optional = UINT64_MAX;
    fields.memory = common->memory;
    return proto_fields_read_json(fields, json, size_bytes, PROTO_BATCH_VALUES_MAX, f, NULL, err);
}

// Members have no order, so that defaults and lists may come behind the queries that they are for.
static nav_status finish(void *request, uint64_t rows_seen, nav_error *err)
{
    batch_fields *f = request;
    nav_status status = NAV_OK;
    (void)rows_seen;
    if (f->is_early && (f->has_incomplete || f->defaults.common.seen != 0)) {
        proto_source source;
        const proto_item list =
            proto_item_begin(&source, f->text, f->text_bytes, PROTO_BATCH_VALUES_MAX);
        f->is_early = false;
        status = read_list(f, &list, err);
    }
    NAV_IF_OK(status, proto_batch_name_lists(f, err));
    return status;
}

#define BATCH_OF(absent_rows)                                                                      \
    .fields = {.rows = ROWS, .count = ROWS_COUNT, .absent = (absent_rows)},                        \
    .size_bytes = sizeof(proto_batch_request), .values_max = PROTO_BATCH_VALUES_MAX,               \
    .finish = finish

const proto_kind PROTO_PATHS = {BATCH_OF(((BIT(BATCH_LISTS) - 1) << ROW_LISTS)),
                                .defaults = &(const proto_batch_request){.is_paths = true}};
const proto_kind PROTO_BATCH = {BATCH_OF(BIT(ROW_DEFAULTS))};
