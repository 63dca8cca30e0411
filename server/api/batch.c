// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// batch.c: many questions in one request, all of one snapshot: paths, or mixed ones. Each is
// answered as it would be alone (answers.c), and they are written in the order in which they came.
//
//   queries --order--> items --search, a slot each thread--> pieces --join--> the reply
//
// They are searched in an order in which neighbours in the level follow one another, so that the
// data that one has read is in the cache for the next; those with shapes to avoid come last, the
// same shapes together, so that what one has cut serves the next. Items are runs of that order,
// each by itself, so that answers, faults and the budget do not depend on the threads.

#include "server/base/limits.h"
#include "server/api/batch_order.h"
#include "server/api/query.h"
#include "server/jobs/worlds.h"
#include "server/jobs/jobs.h"
#include "server/meshes/scratch.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static const query *const ANSWERS[PROTO_ASKED_COUNT] = {
    [PROTO_ASKED_PATH] = &QUERY_PATH,           [PROTO_ASKED_NEAREST] = &QUERY_NEAREST,
    [PROTO_ASKED_RAYCAST] = &QUERY_RAYCAST,     [PROTO_ASKED_RANDOM] = &QUERY_RANDOM,
    [PROTO_ASKED_REACHABLE] = &QUERY_REACHABLE, [PROTO_ASKED_WALL] = &QUERY_WALL,
    [PROTO_ASKED_FLOORS] = &QUERY_FLOORS,       [PROTO_ASKED_MOVE] = &QUERY_MOVE};

// ---- instances ----

// An instance that a query names.
typedef struct naming {
    const char *name;
    uint32_t index; // of the query
} naming;

static int compare_namings(const void *a, const void *b)
{
    const naming *left = a, *right = b;
    const int order = strcmp(left->name, right->name);
    return order != 0 ? order : left->index < right->index ? -1 : 1;
}

static const char *first_instance(const void *question, uint32_t *index)
{
    const proto_batch_request *batch = question;
    const char *name = NULL;
    for (*index = 0; *index < batch->count; ++*index) {
        name = batch->queries[*index].question->instance;
        if (name != NULL) {
            break;
        }
    }
    return name;
}

// Worlds acquired before a failure are held, too.
static nav_status acquire_worlds(const query_context *q, const proto_batch_request *batch,
                                 query_worlds *out)
{
    const request *r = q->r;
    uint32_t first;
    if (first_instance(batch, &first) == NULL) {
        return NAV_OK;
    }
    naming *namings = NAV_NEW(q->memory, naming, batch->count);
    out->of_queries = NAV_NEW_ZERO(q->memory, instance_world *, batch->count);
    out->held = NAV_NEW(q->memory, instance_world *, batch->count);
    out->names = NAV_NEW(q->memory, const char *, batch->count);
    if (namings == NULL || out->of_queries == NULL || out->held == NULL || out->names == NULL) {
        return query_failure(q);
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < batch->count; i++) {
        if (batch->queries[i].question->instance != NULL) {
            namings[count++] = (naming){batch->queries[i].question->instance, i};
        }
    }
    qsort(namings, count, sizeof *namings, compare_namings);
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || strcmp(namings[i - 1].name, namings[i].name) != 0) {
            nav_status status = world_acquire_over(r->service, r->mesh, namings[i].name, q->mesh,
                                                   q->head.version, &out->held[out->count], q->err);
            if (status != NAV_OK) {
                if (status == PROTO_INSTANCE_NOT_FOUND) {
                    nav_error_at(q->err, "instance");
                }
                proto_name_query(q->err, namings[i].index);
                return status;
            }
            out->names[out->count++] = namings[i].name;
        }
        out->of_queries[namings[i].index] = out->held[out->count - 1];
    }
    return NAV_OK;
}

// ---- one query ----

// The place of an answer: in the texts of a slot, JSON with a zero behind it.
typedef struct piece {
    size_t first_byte, size_bytes;
    uint32_t slot;
} piece;

// The room of one thread for the queries that it answers.
typedef struct slot {
    query_context q; // of the newest query
    nav_arena memory;
    nav_error err;
    proto_writer texts;          // of answers, one behind the other
    uint32_t nodes_expanded;     // by all its searches
    uint32_t filter_list;        // which list `filter` was resolved from; 0: none
    uint32_t avoid_list;         // likewise, of q.options.avoid
    const instance_world *world; // of the newest query; NULL: none
    nav_filter filter;           // of the newest query
    uint32_t failed_item;        // with the error in err; NAV_NONE: none yet
    bool begun;
} slot;

// One batch, on all threads that take part.
typedef struct batch {
    query_context *q;                 // the request's own; immutable while threads take part
    const proto_batch_request *asked; // immutable
    const batch_rank *ranks;          // immutable
    uint32_t plain_count;             // immutable; queries without shapes, the first of the ranks
    proto_packed packed;              // immutable; the form of the answer
    piece *pieces;                    // by query; each is written by one thread
    slot *slots;                      // a thread each
    _Atomic uint64_t *spent;          // by item with shapes, of LIMIT_BATCH_AVOID_WORK
    _Atomic uint32_t failed_item;     // the lowest so far; NAV_NONE: none
} batch;

// Shapes or a filter that the query before has had are not turned, checked or cut again.
static nav_status resolve(const batch *b, slot *s, const proto_query *asked,
                          const instance_world *world)
{
    proto_common common = *asked->question;
    const nav_options last = s->q.options;
    const nav_mesh *last_mesh = s->q.mesh;
    uint32_t agent;
    nav_status status = proto_agent_find(b->q->mesh, common.agent, &agent, &s->err);
    if (status != NAV_OK) {
        return status;
    }
    s->q.mesh = agent == 0 ? b->q->mesh : nav_mesh_agent(b->q->mesh, agent - 1);
    // Shapes without a height of their own have the agent's.
    const bool same_shapes =
        s->q.mesh == last_mesh && common.avoid_list > 0 && common.avoid_list == s->avoid_list;
    const bool same_world = world == s->world && s->q.mesh == last_mesh;
    const bool same_filter =
        same_world && common.filter_list > 0 && common.filter_list == s->filter_list;
    if (same_shapes) {
        common.avoid_count = 0;
    } else {
        nav_arena_reset(&s->memory);
    }
    if (same_filter) {
        common.filter = (proto_filter){0};
    }
    common.memory = &s->memory;
    common.world = s->q.world = world != NULL ? instance_world_of(world, agent) : NULL;
    nav_filter space;
    nav_options *options = &s->q.options;
    status = proto_common_resolve(&common, s->q.mesh, same_filter ? &space : &s->filter, options,
                                  &s->err);
    if (status != NAV_OK) {
        return status;
    }
    if (same_shapes) {
        options->avoid = last.avoid;
        options->avoid_count = last.avoid_count;
        options->avoid_repeated = same_world;
    }
    if (same_filter) {
        options->filter = last.filter;
    }
    options->avoid_work = last.avoid_work;
    s->avoid_list = common.avoid_list;
    s->filter_list = common.filter_list;
    s->world = world;
    return NAV_OK;
}

// Searches one query and puts down its answer.
static nav_status answer_query(const batch *b, slot *s, uint32_t index)
{
    const proto_query *asked = &b->asked->queries[index];
    const instance_world *world =
        b->q->worlds.of_queries != NULL ? b->q->worlds.of_queries[index] : NULL;
    const query *kind = ANSWERS[asked->asked];
    nav_status status =
        proto_request_to_mesh(kind->kind, s->q.coordinates, s->q.r->service->limits.batch_queries,
                              asked->question, &s->err);
    NAV_IF_OK(status, resolve(b, s, asked, world));
    if (status != NAV_OK) {
        return status;
    }
    const nav_arena_mark mark = nav_arena_save(&s->memory);
    s->q.question = asked->question;
    s->q.index = index;
    s->q.head = (proto_answer_head){.id = asked->question->id,
                                    .instance = asked->question->instance,
                                    .revision = world != NULL ? world->state->revision : 0,
                                    .packed = b->packed,
                                    .asked = asked->asked};
    b->pieces[index] = (piece){.first_byte = s->texts.size_bytes, .slot = (uint32_t)(s - b->slots)};
    s->texts.need_comma = false;
    status = query_answer(&s->q, kind);
    if (b->packed == PROTO_PACKED_NOT) {
        proto_writer_put(&s->texts, "", 1);
    }
    b->pieces[index].size_bytes = s->texts.size_bytes - b->pieces[index].first_byte;
    nav_arena_restore(&s->memory, mark);
    return status;
}

// ---- items: runs of the order ----

#define ITEM_QUERIES 16u // small, so that a thread soon sees that its core is wanted
// Queries with shapes: each item cuts for itself what neighbours then share.
#define SHAPED_ITEM_QUERIES 256u
// A batch of fewer stays on its thread: to wake another takes as long as some ten of them.
#define SPREAD_QUERIES_MIN 256u

// Items with shapes are the first, since they take longest.
static uint32_t shaped_item_count(const batch *b)
{
    return (b->asked->count - b->plain_count + SHAPED_ITEM_QUERIES - 1) / SHAPED_ITEM_QUERIES;
}

static void item_ranks(const batch *b, uint32_t item, uint32_t *begin, uint32_t *end)
{
    const uint32_t shaped = shaped_item_count(b);
    const bool is_shaped = item < shaped;
    const uint32_t most = is_shaped ? b->asked->count : b->plain_count;
    const uint32_t size = is_shaped ? SHAPED_ITEM_QUERIES : ITEM_QUERIES;
    *begin = is_shaped ? b->plain_count + item * size : (item - shaped) * size;
    *end = *begin + size < most ? *begin + size : most;
}

// ---- the budget of shapes ----

// Work of cutting, by all items below this one that have ended.
static uint64_t spent_before(const batch *b, uint32_t item)
{
    uint64_t sum = 0;
    const uint32_t shaped = shaped_item_count(b);
    for (uint32_t i = 0; i < item && i < shaped; i++) {
        sum += atomic_load(&b->spent[i]);
    }
    return sum;
}

// The first item with which the batch has spent more than it may, which is a fault of that item;
// items behind it need not have been begun. NAV_NONE: there is none.
static uint32_t find_overspent(const batch *b)
{
    const uint32_t shaped = shaped_item_count(b);
    for (uint32_t i = 0; i < shaped; i++) {
        if (spent_before(b, i + 1) > LIMIT_BATCH_AVOID_WORK) {
            return i;
        }
    }
    return NAV_NONE;
}

// ---- one item, on any thread ----

static void begin_slot(const batch *b, slot *s)
{
    s->q = *b->q;
    s->q.memory = &s->memory;
    s->q.err = &s->err;
    s->q.w = &s->texts;
    s->q.nodes_expanded = &s->nodes_expanded;
    s->q.scratch = scratch_of_thread();
    s->failed_item = NAV_NONE;
    nav_arena_init(&s->memory, NULL, LIMIT_QUERY_MEMORY_BYTES);
    proto_writer_init(&s->texts);
    s->texts.coordinates = b->q->coordinates;
    s->begun = true;
}

static void run_item(void *user, uint32_t item, uint32_t thread)
{
    batch *b = user;
    slot *s = &b->slots[thread];
    uint64_t avoid_work = LIMIT_BATCH_AVOID_WORK;
    uint32_t i, end;
    const bool is_shaped = item < shaped_item_count(b);
    if (atomic_load(&b->failed_item) < item || spent_before(b, item) > LIMIT_BATCH_AVOID_WORK) {
        return;
    }
    if (!s->begun) {
        begin_slot(b, s);
    }
    item_ranks(b, item, &i, &end);
    s->avoid_list = s->filter_list = 0;
    s->world = NULL;
    s->q.options.avoid_work = &avoid_work;
    nav_status status = s->q.scratch != NULL ? NAV_OK : query_failure(&s->q);
    for (; i < end && status == NAV_OK; i++) {
        const uint32_t index = batch_rank_index(b->ranks[i]);
        status = answer_query(b, s, index);
        if (status != NAV_OK && status != NAV_NO_MEMORY) {
            proto_name_query(&s->err, index);
        }
    }
    if (status != NAV_OK) {
        // The lowest of several items that fail counts: all below it were begun before, so that the
        // fault is the same on any number of threads.
        uint32_t lowest = atomic_load(&b->failed_item);
        s->failed_item = item;
        while (item < lowest && !atomic_compare_exchange_weak(&b->failed_item, &lowest, item)) {
        }
    }
    if (is_shaped) {
        atomic_store(&b->spent[item], LIMIT_BATCH_AVOID_WORK - avoid_work);
    }
    s->q.options = (nav_options){0}; // the budget is gone
}

// ---- the reply ----

// Packed paths are all of one instance.
static void begin_reply(batch *b)
{
    query_context *q = b->q;
    if (request_has_type(q->r, q->r->route->media_type)) {
        q->content_type = q->r->route->media_type;
        b->packed = q->r->route->query->packed;
        proto_packed_begin(q->w, b->packed, q->head.version,
                           q->worlds.count > 0 ? q->worlds.held[0]->state->revision : 0,
                           b->asked->count);
    }
}

// Points of packed paths stand in the order of the search.
static void join(const batch *b)
{
    proto_writer *w = b->q->w;
    if (b->packed == PROTO_PACKED_NOT) {
        proto_write_answer_begin(w, &b->q->head);
        proto_member_array(w, "results");
    }
    for (uint32_t i = 0; i < b->asked->count; i++) {
        const uint32_t index = b->packed == PROTO_PACKED_PATHS ? batch_rank_index(b->ranks[i]) : i;
        const piece *at = &b->pieces[index];
        const proto_writer *texts = &b->slots[at->slot].texts;
        NAV_ASSERT(at->first_byte + at->size_bytes <= texts->size_bytes && at->size_bytes > 0);
        if (b->packed == PROTO_PACKED_NOT) {
            proto_write_raw(w, texts->bytes + at->first_byte);
        } else {
            proto_packed_join(w, b->packed, index, texts->bytes + at->first_byte, at->size_bytes);
        }
    }
    if (b->packed == PROTO_PACKED_NOT) {
        proto_write_array_end(w);
        proto_write_object_end(w);
    }
}

// The lowest item's error, or what else went wrong; nodes that all threads have expanded.
static nav_status end_search(const batch *b, uint32_t slot_count)
{
    nav_status status = NAV_OK;
    const uint32_t failed = atomic_load(&b->failed_item), overspent = find_overspent(b);
    if (overspent < failed) {
        uint32_t begin, end;
        item_ranks(b, overspent, &begin, &end);
        nav_fail_at(
            b->q->err, NAV_INVALID_FIELD, "avoid",
            "the shapes to avoid cut the ground into too many pieces; send fewer of them, or the "
            "queries in several batches");
        proto_name_query(b->q->err, batch_rank_index(b->ranks[begin]));
        return NAV_INVALID_FIELD;
    }
    for (uint32_t i = 0; i < slot_count; i++) {
        const slot *s = &b->slots[i];
        *b->q->nodes_expanded += s->nodes_expanded;
        if (failed != NAV_NONE && s->begun && s->failed_item == failed) {
            *b->q->err = s->err;
            return s->err.status;
        }
        if (s->texts.failed) {
            status = query_failure(b->q);
        }
    }
    NAV_ASSERT(failed == NAV_NONE);
    return status;
}

static nav_status search(batch *b)
{
    jobs *const workers = b->q->r->service->jobs;
    const uint32_t slot_count = jobs_spread_threads(workers);
    const uint32_t threads_max = b->asked->count >= SPREAD_QUERIES_MIN
                                     ? (uint32_t)b->q->r->service->limits.batch_threads
                                     : 1;
    b->pieces = NAV_NEW(b->q->memory, piece, b->asked->count);
    b->slots = NAV_NEW_ZERO(b->q->memory, slot, slot_count);
    b->spent = nav_arena_alloc_zero(b->q->memory, shaped_item_count(b), sizeof *b->spent);
    if (b->pieces == NULL || b->slots == NULL || b->spent == NULL || b->q->w->failed) {
        return query_failure(b->q);
    }
    jobs_spread(workers, shaped_item_count(b) + (b->plain_count + ITEM_QUERIES - 1) / ITEM_QUERIES,
                threads_max, run_item, b);
    nav_status status = end_search(b, slot_count);
    if (status == NAV_OK) {
        join(b);
    }
    for (uint32_t i = 0; i < slot_count; i++) {
        if (b->slots[i].begun) {
            nav_arena_free(&b->slots[i].memory);
            proto_writer_free(&b->slots[i].texts);
        }
    }
    return status;
}

static nav_status answer(query_context *q)
{
    const proto_batch_request *asked = q->question;
    nav_status status =
        proto_count_check("queries", asked->count, q->r->service->limits.batch_queries, q->err);
    if (status != NAV_OK) {
        return status;
    }
    const batch_rank *ranks = batch_order(q, asked);
    if (ranks == NULL) {
        return query_failure(q);
    }
    batch b = {.q = q, .asked = asked, .ranks = ranks, .failed_item = NAV_NONE};
    while (b.plain_count < asked->count && batch_rank_shapes(ranks[b.plain_count]) == 0) {
        b.plain_count++;
    }
    status = acquire_worlds(q, asked, &q->worlds);
    if (status == NAV_OK) {
        begin_reply(&b);
        status = search(&b);
    }
    return status;
}

// Some hundreds of questions, of 10 us each.
#define LONG_BYTES ((size_t)64 << 10)

const query QUERY_PATHS = {.kind = &PROTO_PATHS,
                           .long_bytes = LONG_BYTES,
                           .packed = PROTO_PACKED_PATHS,
                           .first_instance = first_instance,
                           .answer = answer};
const query QUERY_BATCH = {.kind = &PROTO_BATCH,
                           .long_bytes = LONG_BYTES,
                           .packed = PROTO_PACKED_BATCH,
                           .first_instance = first_instance,
                           .answer = answer};
