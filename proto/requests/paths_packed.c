// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// paths_packed.c: many paths in one request without JSON, for servers that ask thousands a tick.
//
//   question, little-endian                      answer
//   offset  size  what                           offset  size  what
//        0     4  "NAVQ"                              0     4  "NAVP"
//        4     4  format version, 1                   4     4  format version, 1
//        8     4  query count N                       8     4  version of the mesh
//       12     4  version of the mesh; 0: live       12     4  query count N
//       16     4  search: 0 auto, 1 fast, 2 exact    16     4  point count P of all
//       20     4  max_nodes; 0: no limit             20     4  revision of the instance; 0: none
//       24     4  deadline_ms of each; 0: none       24   28N  answers, in the queries' order
//       28     4  flags: bit 0, no partial paths      .   12P  points, 3 float32 each
//       32    12  snap: horizontal, up, down; NaN: not given, the default
//       44    48  name of a filter, filled up with zeros; all zero: the default one
//       92     4  size of the defaults in bytes, L
//       96   24N  queries: start and end, 3 float32 each
//        .     L  defaults of all queries as JSON; they go before the header
//
//   An answer: status, reason, optimal, folded (1 byte each: 0 none, 1 partial, 2 complete; the
//   reason's place in nav_path_reason; 1 if proven; 1 if only folds keep it from being proven),
//   first point, point count (uint32), length, cost, lower bound (float32), nodes expanded
//   (uint32).

#include "proto/base/bytes.h"
#include "proto/base/coordinates.h"
#include "proto/requests/query_list.h"

#include <math.h>
#include <string.h>

#define QUESTION_MAGIC 0x5156414eu // "NAVQ"
#define ANSWER_MAGIC 0x5056414eu   // "NAVP"
#define FORMAT_VERSION 1u
#define FLAG_NO_PARTIAL 1u
#define HEADER_BYTES 96u
#define QUERY_BYTES 24u
#define ANSWER_HEADER_BYTES 24u
#define ANSWER_BYTES 28u
#define POINT_BYTES 12u

// ---- questions ----

static nav_status refuse_value(nav_error *err, const char *at, const char *expected)
{
    nav_fail(err, NAV_INVALID_FIELD, "packed paths: %s must be %s", at, expected);
    nav_error_at(err, "%s", at);
    return NAV_INVALID_FIELD;
}

static nav_status refuse(nav_error *err, const char *at, uint32_t got, const char *expected)
{
    refuse_value(err, at, expected);
    nav_error_got(err, "%u", got);
    return NAV_INVALID_FIELD;
}

static nav_status check_count(uint32_t count, uint32_t defaults_bytes, size_t size_bytes,
                              nav_error *err)
{
    if (count > PROTO_BATCH_MAX) {
        return proto_too_many_queries(count, "count", err);
    }
    if (count == 0 || size_bytes != HEADER_BYTES + (size_t)count * QUERY_BYTES + defaults_bytes) {
        return refuse(err, "count", count,
                      "at least 1, with 24 bytes a query and the defaults behind the header");
    }
    return NAV_OK;
}

// At least one zero, and nothing else behind the first.
static bool is_name_and_zeros(const uint8_t *bytes, size_t size_bytes)
{
    size_t length = 0;
    while (length < size_bytes && bytes[length] != 0) {
        length++;
    }
    for (size_t i = length; i < size_bytes; i++) {
        if (bytes[i] != 0) {
            return false;
        }
    }
    return length < size_bytes;
}

static nav_status check_header(const uint8_t *bytes, size_t size_bytes, nav_error *err)
{
    if (size_bytes < HEADER_BYTES || proto_get_u32(bytes) != QUESTION_MAGIC) {
        return refuse(err, "magic", size_bytes >= 4 ? proto_get_u32(bytes) : 0,
                      "NAVQ, in a header of 96 bytes");
    }
    if (proto_get_u32(bytes + 4) != FORMAT_VERSION) {
        return refuse(err, "format_version", proto_get_u32(bytes + 4), "1");
    }
    if (proto_get_u32(bytes + 16) > NAV_SEARCH_EXACT) {
        return refuse(err, "search", proto_get_u32(bytes + 16), "0, 1 or 2");
    }
    if (proto_get_u32(bytes + 24) > PROTO_DEADLINE_MS_MAX) {
        return refuse(err, "deadline_ms", proto_get_u32(bytes + 24), "at most 30000");
    }
    if ((proto_get_u32(bytes + 28) & ~FLAG_NO_PARTIAL) != 0) {
        return refuse(err, "flags", proto_get_u32(bytes + 28), "0 or 1");
    }
    for (uint32_t at = 32; at < 44; at += 4) {
        const float distance = proto_get_float(bytes + at);
        if (distance < 0.0f || isinf(distance)) {
            refuse_value(err, "snap", "finite distances from 0 on, or NaN for the default");
            nav_error_got(err, "%g", (double)distance);
            return NAV_INVALID_FIELD;
        }
    }
    if (!is_name_and_zeros(bytes + 44, 48)) {
        return refuse_value(err, "filter", "a name of up to 47 bytes, then zeros");
    }
    return check_count(proto_get_u32(bytes + 8), proto_get_u32(bytes + 92), size_bytes, err);
}

static nav_status read_query(const uint8_t *bytes, uint32_t index, proto_path_request *out,
                             nav_error *err)
{
    for (uint32_t i = 0; i < 6; i++) {
        const float value = proto_get_float(bytes + 4 * (size_t)i);
        if (!isfinite(value)) {
            nav_fail(err, NAV_INVALID_FIELD,
                     "packed paths: query %u has a number that is not finite", index);
            nav_error_at(err, "queries[%u].%s[%u]", index, i < 3 ? "start" : "end", i % 3);
            return NAV_INVALID_FIELD;
        }
        *(i < 3 ? &out->start[i] : &out->end[i - 3]) = value;
    }
    return NAV_OK;
}

// Default distances are as many metres whatever the level's unit is. *given: the rows of those that
// are in the header.
static nav_snap read_snap(const uint8_t *bytes, uint64_t *given)
{
    nav_snap snap = nav_snap_default();
    float *const distances[] = {&snap.horizontal, &snap.up, &snap.down};
    *given = 0;
    for (uint32_t i = 0; i < 3; i++) {
        const float distance = proto_get_float(bytes + 32 + 4 * (size_t)i);
        if (!isnan(distance)) {
            *distances[i] = distance;
            *given |= PROTO_PATH_SNAP_ROW << i;
        }
    }
    return snap;
}

// What is the same for all queries: the header, and over it the defaults.
static nav_status read_defaults(const uint8_t *bytes, nav_arena *memory, proto_path_request *out,
                                nav_error *err)
{
    const uint32_t count = proto_get_u32(bytes + 8), json_bytes = proto_get_u32(bytes + 92);
    char *filter = nav_arena_alloc(memory, NAV_NAME_MAX + 1, 1);
    if (filter == NULL) {
        return proto_fields_no_memory(err);
    }
    memcpy(filter, bytes + 44, NAV_NAME_MAX + 1);
    uint64_t given;
    *out = (proto_path_request){.common = {.memory = memory,
                                           .snap = read_snap(bytes, &given),
                                           .deadline_ms = proto_get_u32(bytes + 24),
                                           .filter = {.name = filter[0] != '\0' ? filter : NULL}},
                                .search = (nav_search)proto_get_u32(bytes + 16),
                                .max_nodes = proto_get_u32(bytes + 20),
                                .partial = (proto_get_u32(bytes + 28) & FLAG_NO_PARTIAL) == 0};
    const char *json = (const char *)bytes + HEADER_BYTES + (size_t)count * QUERY_BYTES;
    nav_status status =
        json_bytes > 0 ? proto_path_defaults_read(json, json_bytes, out, err) : NAV_OK;
    out->common.seen |= given;
    out->common.avoid_list = out->common.avoid_count > 0 ? PROTO_LIST_OF_DEFAULTS : 0;
    return status;
}

nav_status proto_paths_read_packed(const void *data, size_t size_bytes, nav_arena *memory,
                                   proto_batch_request *out, nav_error *err)
{
    const uint8_t *bytes = data;
    proto_path_request defaults;
    nav_status status = check_header(bytes, size_bytes, err);
    NAV_IF_OK(status, read_defaults(bytes, memory, &defaults, err));
    if (status != NAV_OK) {
        return status;
    }
    const uint32_t count = proto_get_u32(bytes + 8);
    proto_path_request *queries = NAV_NEW(memory, proto_path_request, count);
    proto_query *list = NAV_NEW(memory, proto_query, count);
    if (queries == NULL || list == NULL) {
        return proto_fields_no_memory(err);
    }
    for (uint32_t i = 0; i < count && status == NAV_OK; i++) {
        queries[i] = defaults;
        list[i] = (proto_query){.asked = PROTO_ASKED_PATH, .question = &queries[i].common};
        status = read_query(bytes + HEADER_BYTES + (size_t)i * QUERY_BYTES, i, &queries[i], err);
    }
    if (status == NAV_OK) {
        *out = (proto_batch_request){.common = {.memory = memory,
                                                .version = proto_get_u32(bytes + 12),
                                                .record = defaults.common.record},
                                     .queries = list,
                                     .count = count};
    }
    return status;
}

// ---- answers ----

void proto_packed_paths_begin(proto_writer *w, uint32_t version, uint32_t revision, uint32_t count)
{
    uint8_t header[ANSWER_HEADER_BYTES] = {0};
    uint8_t *at = proto_put_u32(header, ANSWER_MAGIC);
    at = proto_put_u32(at, FORMAT_VERSION);
    at = proto_put_u32(at, version);
    at = proto_put_u32(at, count);
    at = proto_put_u32(at, 0); // the count of points, when it is known
    proto_put_u32(at, revision);
    NAV_ASSERT(w->size_bytes == 0);
    proto_writer_put(w, header, sizeof header);
    const uint8_t none[ANSWER_BYTES] = {0};
    for (uint32_t i = 0; i < count; i++) {
        proto_writer_put(w, none, sizeof none);
    }
}

uint8_t *proto_packed_paths_records(const proto_writer *w)
{
    NAV_ASSERT(!w->failed && w->size_bytes > ANSWER_HEADER_BYTES);
    return (uint8_t *)w->bytes + ANSWER_HEADER_BYTES;
}

float proto_rounded_down(double value)
{
    const float narrow = (float)value;
    return (double)narrow > value * (1.0 + PROTO_COST_NOISE) ? nextafterf(narrow, -INFINITY)
                                                             : narrow;
}

static uint8_t *put_cost(const proto_writer *w, uint8_t *at, double metres)
{
    return proto_put_float(at, proto_rounded_down(proto_length_to_level(w->coordinates, metres)));
}

void proto_packed_paths_put(proto_packed_paths *answers, uint32_t index, const nav_path *path)
{
    proto_writer *w = &answers->points;
    const uint32_t first = (uint32_t)(w->size_bytes / POINT_BYTES);
    for (size_t i = 0; i < path->point_count; i++) {
        float point[3];
        uint8_t bytes[POINT_BYTES];
        memcpy(point, path->points + 3 * i, sizeof point);
        proto_to_level(w->coordinates, point);
        proto_put_float(proto_put_float(proto_put_float(bytes, point[0]), point[1]), point[2]);
        proto_writer_put(w, bytes, sizeof bytes);
    }
    uint8_t *at = answers->records + (size_t)index * ANSWER_BYTES;
    *at++ = (uint8_t)path->status;
    *at++ = (uint8_t)path->reason;
    *at++ = path->optimal ? 1 : 0;
    *at++ = path->folded ? 1 : 0;
    at = proto_put_u32(at, first);
    at = proto_put_u32(at, path->point_count);
    at = proto_put_float(at, (float)proto_length_to_level(w->coordinates, path->length));
    // Of an optimal path both are what is proven.
    at = put_cost(w, at, path->optimal ? path->lower_bound : path->cost);
    at = put_cost(w, at, path->lower_bound);
    proto_put_u32(at, path->nodes_expanded);
}

// How many points the answer has so far.
static uint32_t joined_points(const proto_writer *w)
{
    const uint32_t count = proto_get_u32((const uint8_t *)w->bytes + 12);
    const size_t before = ANSWER_HEADER_BYTES + (size_t)count * ANSWER_BYTES;
    NAV_ASSERT(w->size_bytes >= before && (w->size_bytes - before) % POINT_BYTES == 0);
    return (uint32_t)((w->size_bytes - before) / POINT_BYTES);
}

void proto_packed_paths_join(proto_writer *w, uint32_t index, const proto_packed_paths *answers)
{
    if (w->failed) {
        return;
    }
    uint8_t *first = proto_packed_paths_records(w) + (size_t)index * ANSWER_BYTES + 4;
    const size_t begin = (size_t)proto_get_u32(first) * POINT_BYTES;
    const size_t size_bytes = (size_t)proto_get_u32(first + 4) * POINT_BYTES;
    NAV_ASSERT(begin + size_bytes <= answers->points.size_bytes);
    proto_put_u32(first, joined_points(w));
    if (size_bytes > 0) {
        proto_writer_put(w, answers->points.bytes + begin, size_bytes);
    }
}

void proto_packed_paths_end(proto_writer *w)
{
    if (!w->failed) {
        proto_put_u32((uint8_t *)w->bytes + 16, joined_points(w));
    }
}
