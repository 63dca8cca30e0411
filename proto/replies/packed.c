// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// packed.c: results of a packed batch, which take the place of what proto_write_path and its like
// write (layout in requests/README.md). Numbers are those of the query, not rounded.

#include "proto/base/bytes.h"
#include "proto/base/coordinates.h"
#include "proto/json/write.h"
#include "proto/replies/reply.h"

#include <math.h>

// ---- numbers ----

static void pack_u32(proto_writer *w, uint32_t value)
{
    uint8_t bytes[4];
    proto_put_u32(bytes, value);
    proto_writer_put(w, bytes, sizeof bytes);
}

static void pack_float(proto_writer *w, float value)
{
    uint8_t bytes[4];
    proto_put_float(bytes, value);
    proto_writer_put(w, bytes, sizeof bytes);
}

// A point of the mesh in the level's coordinates.
static void pack_point(proto_writer *w, const float point[3])
{
    float turned[3];
    memcpy(turned, point, sizeof turned);
    proto_to_level(w->coordinates, turned);
    for (int i = 0; i < 3; i++) {
        pack_float(w, turned[i]);
    }
}

static void pack_direction(proto_writer *w, const float direction[3])
{
    float turned[3];
    memcpy(turned, direction, sizeof turned);
    proto_direction_to_level(w->coordinates, turned);
    for (int i = 0; i < 3; i++) {
        pack_float(w, turned[i]);
    }
}

static void pack_length(proto_writer *w, double metres)
{
    pack_float(w, (float)proto_length_to_level(w->coordinates, metres));
}

static void pack_cost(proto_writer *w, double metres)
{
    pack_float(w, proto_rounded_down(proto_length_to_level(w->coordinates, metres)));
}

// ---- the beginning of each ----

// The bits of an answer's flags.
enum {
    OPTIMAL = 1,
    FOLDED = 2,
    HIT = 1,
};

// outcome: of a path its status, else 1 where the question has an answer.
static void pack_begin(proto_writer *w, const proto_answer_head *head, uint32_t outcome,
                       nav_path_reason reason, uint32_t flags)
{
    pack_u32(w, (uint32_t)head->asked | outcome << 8 | (uint32_t)reason << 16 | flags << 24);
    pack_u32(w, head->revision);
}

void proto_pack_late(proto_writer *w, const proto_answer_head *head)
{
    pack_begin(w, head, 0, NAV_REASON_DEADLINE, 0);
}

// Of a question that begins on the mesh. False: there it ends, too.
static bool pack_found(proto_writer *w, const proto_answer_head *head, bool found, bool hit)
{
    pack_begin(w, head, found, found ? NAV_REASON_NULL : NAV_REASON_START_OFF_MESH, hit ? HIT : 0);
    return found;
}

// ---- answers ----

void proto_pack_path(proto_writer *w, const proto_answer_head *head, const nav_path *path)
{
    pack_begin(w, head, path->status, path->reason,
               (path->optimal ? OPTIMAL : 0u) | (path->folded ? FOLDED : 0u));
    pack_length(w, path->length);
    // Of an optimal path both are what is proven.
    pack_cost(w, path->optimal ? path->lower_bound : path->cost);
    pack_cost(w, path->lower_bound);
    pack_u32(w, path->nodes_expanded);
    pack_u32(w, path->point_count);
    for (uint32_t i = 0; i < path->point_count; i++) {
        pack_point(w, path->points + 3 * (size_t)i);
    }
}

void proto_pack_places(proto_writer *w, const proto_answer_head *head, const nav_mesh *nav,
                       const uint32_t *seed, const nav_location *places, uint32_t count)
{
    pack_begin(w, head, 1, NAV_REASON_NULL, 0);
    if (seed != NULL) {
        pack_u32(w, *seed);
    }
    pack_u32(w, count);
    for (uint32_t i = 0; i < count; i++) {
        pack_point(w, places[i].position);
        pack_length(w, head->asked == PROTO_ASKED_FLOORS ? 0.0 : (double)places[i].distance);
        pack_u32(w, places[i].polygon);
        pack_u32(w, nav_mesh_polygon(nav, places[i].polygon).component);
    }
}

void proto_pack_reachable(proto_writer *w, const proto_answer_head *head, const bool *reachable,
                          uint32_t count)
{
    static const uint8_t zeros[4];
    pack_begin(w, head, 1, NAV_REASON_NULL, 0);
    pack_u32(w, count);
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t one = reachable[i] ? 1 : 0;
        proto_writer_put(w, &one, 1);
    }
    if (count % 4 != 0) {
        proto_writer_put(w, zeros, 4 - count % 4);
    }
}

void proto_pack_raycast(proto_writer *w, const proto_answer_head *head, const nav_ray *ray)
{
    static const float none[3];
    if (pack_found(w, head, ray->found, ray->hit)) {
        pack_float(w, ray->t);
        pack_point(w, ray->start);
        pack_point(w, ray->position);
        pack_direction(w, ray->hit ? ray->normal : none);
        pack_cost(w, ray->cost);
        pack_u32(w, ray->polygon);
    }
}

void proto_pack_move(proto_writer *w, const proto_answer_head *head, const nav_move *move)
{
    if (pack_found(w, head, move->found, false)) {
        pack_point(w, move->position);
        pack_u32(w, move->polygon);
        pack_u32(w, move->visited_count);
        for (uint32_t i = 0; i < move->visited_count; i++) {
            pack_u32(w, move->visited[i]);
        }
    }
}

void proto_pack_wall(proto_writer *w, const proto_answer_head *head, const nav_wall *wall)
{
    static const float none[3];
    if (pack_found(w, head, wall->found, wall->hit)) {
        pack_length(w, (double)wall->distance);
        if (wall->hit) {
            pack_point(w, wall->position);
            pack_direction(w, wall->normal);
        } else {
            pack_direction(w, none);
            pack_direction(w, none);
        }
    }
}

// ---- all of them ----

#define ANSWERS_MAGIC 0x5256414eu // "NAVR"
#define FORMAT_VERSION 1u
#define HEADER_BYTES 24u

void proto_packed_batch_begin(proto_writer *w, uint32_t version, uint32_t count)
{
    NAV_ASSERT(w->size_bytes == 0);
    pack_u32(w, ANSWERS_MAGIC);
    pack_u32(w, FORMAT_VERSION);
    pack_u32(w, version);
    pack_u32(w, count);
    for (uint32_t i = 16; i < HEADER_BYTES + 4 * count; i += 4) {
        pack_u32(w, 0);
    }
}

void proto_packed_batch_join(proto_writer *w, uint32_t index, const void *bytes, size_t size_bytes)
{
    NAV_ASSERT(size_bytes % 4 == 0 && size_bytes > 0);
    if (!w->failed) {
        proto_put_u32((uint8_t *)w->bytes + HEADER_BYTES + 4 * (size_t)index,
                      (uint32_t)w->size_bytes);
        proto_writer_put(w, bytes, size_bytes);
    }
}

#define ANSWER_MAGIC 0x5056414eu // "NAVP"
#define ANSWER_HEADER_BYTES 24u
#define ANSWER_BYTES 28u
#define POINT_BYTES 12u

// ---- packed paths ----

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
