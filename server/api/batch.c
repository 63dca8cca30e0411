// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// batch.c: many paths in one request, all of one snapshot. Queries with the same shapes to avoid
// are searched one after the other, so that the shapes are cut once; and within that in an order in
// which neighbours in the level follow one another, so that the data one has read is in the cache
// for the next. They are answered in the order in which they came.

#include "server/base/limits.h"
#include "server/api/query.h"

#include <stdlib.h>
#include <string.h>

// ---- order ----

// The rank of a query in the order of searches. High bits: its shapes to avoid (0 none, 1 those
// that queries share, others its own); then a key along a curve that keeps neighbours together; low
// bits: its index. One number, since it is compared six times for each query of a batch.
typedef uint64_t rank;

_Static_assert(PROTO_BATCH_MAX + 1 <= UINT16_MAX, "an index, and a number of shapes, have 16 bits");

static rank rank_make(uint32_t shapes, uint32_t key, uint32_t index)
{
    NAV_DCHECK(shapes <= UINT16_MAX && index <= UINT16_MAX);
    return (rank)shapes << 48 | (rank)key << 16 | index;
}

static uint32_t rank_shapes(rank at)
{
    return (uint32_t)(at >> 48);
}

static uint32_t rank_index(rank at)
{
    return (uint32_t)at & UINT16_MAX;
}

// The bits of a number with a zero between each two.
static uint32_t spread_bits(uint32_t value)
{
    value &= 0xffff;
    value = (value | value << 8) & 0x00ff00ff;
    value = (value | value << 4) & 0x0f0f0f0f;
    value = (value | value << 2) & 0x33333333;
    return (value | value << 1) & 0x55555555;
}

// A coordinate in 16 bits of the world's side; beyond it, the nearer end.
static uint32_t quantize(float value, float min, float max)
{
    const float part = max > min ? (value - min) / (max - min) : 0.0f;
    return part > 0.0f ? part < 1.0f ? (uint32_t)(part * 65535.0f) : 65535u : 0u;
}

static int compare_ranks(const void *a, const void *b)
{
    const rank left = *(const rank *)a, right = *(const rank *)b;
    return (left > right) - (left < right);
}

static uint32_t shapes_of(const proto_paths_request *question, uint32_t index)
{
    const proto_common *common = &question->queries[index].common;
    return common->avoid_count == 0 ? 0 : common->avoid == question->shared_avoid ? 1 : 2 + index;
}

// By shapes, then in Morton's order of the starts in plan view.
static rank *sort_queries(const query_context *q, const proto_paths_request *question)
{
    nav_mesh_stats stats;
    nav_mesh_stats_get(q->mesh, &stats);
    rank *ranks = NAV_NEW(q->memory, rank, question->count);
    for (uint32_t i = 0; ranks != NULL && i < question->count; i++) {
        float start[3];
        query_point(q, question->queries[i].start, start);
        const uint32_t key = spread_bits(quantize(start[0], stats.min[0], stats.max[0])) |
                             spread_bits(quantize(start[2], stats.min[2], stats.max[2])) << 1;
        ranks[i] = rank_make(shapes_of(question, i), key, i);
    }
    if (ranks != NULL) {
        qsort(ranks, question->count, sizeof *ranks, compare_ranks);
    }
    return ranks;
}

// ---- answers ----

// Puts the number of the query before the place of the fault.
static void name_query(const query_context *q, uint32_t index)
{
    char at[sizeof q->err->at];
    memcpy(at, q->err->at, sizeof at);
    if (at[0] != '\0') {
        nav_error_at(q->err, "queries[%u].%.70s", index, at);
    }
}

// A query's own options. *options are those of the query before: shapes that both have are neither
// turned nor checked nor cut again.
static nav_status resolve(const query_context *q, rank at, const proto_path_request *wanted,
                          nav_filter *room, nav_options *options)
{
    proto_common common = wanted->common;
    const nav_options last = *options;
    const bool repeated = rank_shapes(at) == 1 && last.avoid_count > 0;
    common.avoid_count = repeated ? 0 : common.avoid_count;
    nav_status status = proto_common_resolve(&common, q->mesh, room, options, q->err);
    if (status == NAV_OK && repeated) {
        options->avoid = last.avoid;
        options->avoid_count = last.avoid_count;
        options->avoid_repeated = true;
    }
    options->avoid_work = last.avoid_work;
    return status;
}

typedef struct pieces {
    proto_writer writer;
    size_t *first_byte; // by query
} pieces;

// Texts of the answers, one behind the other in the order of the search, each with a zero behind.
static void put_piece(pieces *out, uint32_t index, const proto_path_reply *path_reply)
{
    out->first_byte[index] = out->writer.size_bytes;
    out->writer.need_comma = false;
    proto_write_path_result(&out->writer, path_reply);
    proto_writer_put(&out->writer, "", 1);
}

static nav_status reply_to(const query_context *q, const proto_path_request *wanted,
                           const nav_path *path, proto_path_reply *out)
{
    *out = (proto_path_reply){
        .path = path, .id = wanted->id, .details = wanted->details, .mesh = q->mesh};
    return wanted->details != 0 ? query_path_steps(q, path, out) : NAV_OK;
}

// Searches one query's path and puts down its answer. *options are those of the query before.
static nav_status search_one(query_context *q, const proto_paths_request *question, rank at,
                             nav_options *options, pieces *texts, proto_packed_paths *packed)
{
    const uint32_t index = rank_index(at);
    NAV_ASSERT(index < question->count && (texts == NULL) != (packed == NULL));
    const proto_path_request *wanted = &question->queries[index];
    nav_filter room;
    nav_path path;
    proto_path_reply path_reply;
    nav_status status = resolve(q, at, wanted, &room, options);
    // Shapes are kept for the next query; the memory of the answer is not.
    const nav_arena_mark mark = nav_arena_save(q->memory);
    if (status == NAV_OK) {
        status = query_find_path(q, wanted, options, &path);
    }
    if (status == NAV_OK && packed != NULL) {
        proto_packed_paths_put(packed, index, &path);
    } else if (status == NAV_OK) {
        status = reply_to(q, wanted, &path, &path_reply);
        if (status == NAV_OK) {
            put_piece(texts, index, &path_reply);
        }
    }
    nav_arena_restore(q->memory, mark);
    return status;
}

static nav_status search_all(query_context *q, const proto_paths_request *question,
                             const rank *ranks, pieces *texts, proto_packed_paths *packed)
{
    nav_status status = NAV_OK;
    uint64_t avoid_work = LIMIT_BATCH_AVOID_WORK;
    NAV_ASSERT(question->count <= PROTO_BATCH_MAX);
    nav_options options = {.avoid_work = &avoid_work};
    for (uint32_t i = 0; i < question->count && status == NAV_OK; i++) {
        status = search_one(q, question, ranks[i], &options, texts, packed);
        if (status != NAV_OK && status != NAV_NO_MEMORY) {
            name_query(q, rank_index(ranks[i]));
        }
    }
    return status;
}

static nav_status answer_packed(query_context *q, const proto_paths_request *question,
                                const rank *ranks)
{
    proto_packed_paths packed;
    proto_packed_paths_begin(&packed, q->w, q->version, question->count);
    nav_status status = search_all(q, question, ranks, NULL, &packed);
    proto_packed_paths_end(&packed);
    q->content_type = q->r->route->media_type;
    return status;
}

static nav_status answer_json(query_context *q, const proto_paths_request *question,
                              const rank *ranks)
{
    pieces texts = {.first_byte = NAV_NEW(q->memory, size_t, question->count)};
    if (texts.first_byte == NULL) {
        return query_failure(q);
    }
    proto_writer_init(&texts.writer);
    texts.writer.coordinates = q->coordinates;
    nav_status status = search_all(q, question, ranks, &texts, NULL);
    if (status == NAV_OK && texts.writer.failed) {
        status = query_failure(q);
    }
    if (status == NAV_OK) {
        proto_write_answer_begin(q->w, q->r->mesh, q->version);
        proto_write_key(q->w, "results");
        proto_write_array_begin(q->w);
        for (uint32_t i = 0; i < question->count; i++) {
            NAV_ASSERT(texts.first_byte[i] < texts.writer.size_bytes);
            proto_write_raw(q->w, texts.writer.bytes + texts.first_byte[i]);
        }
        proto_write_array_end(q->w);
        proto_write_object_end(q->w);
    }
    proto_writer_free(&texts.writer);
    return status;
}

static nav_status answer(query_context *q)
{
    const proto_paths_request *question = q->question;
    nav_status status = query_check_count(q, "queries", question->count);
    if (status != NAV_OK) {
        return status;
    }
    const rank *ranks = sort_queries(q, question);
    if (ranks == NULL) {
        return query_failure(q);
    }
    return request_has_type(q->r, q->r->route->media_type) ? answer_packed(q, question, ranks)
                                                           : answer_json(q, question, ranks);
}

static nav_status read_packed(const request *r, nav_arena *memory, void *question, nav_error *err)
{
    return proto_paths_read_packed(r->body, r->body_bytes, memory, question, err);
}

const query QUERY_PATHS = {.kind = &PROTO_PATHS, .read_packed = read_packed, .answer = answer};
