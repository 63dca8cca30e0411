// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// packed.c: results of packed batches and paths, which take the place of what proto_write_path and
// its like write (layouts in requests/README.md), and the answer that they are put together to.
// Numbers are those of the query, not rounded.

#include "proto/base/bytes.h"
#include "proto/base/coordinates.h"
#include "proto/json/write.h"
#include "proto/replies/reply.h"

#include <math.h>

// ---- numbers ----

static void pack_direction(proto_writer *w, const float direction[3])
{
    float turned[3];
    memcpy(turned, direction, sizeof turned);
    proto_direction_to_level(w->coordinates, turned);
    for (int i = 0; i < 3; i++) {
        proto_writer_put_float(w, turned[i]);
    }
}

static void pack_length(proto_writer *w, double metres)
{
    proto_writer_put_float(w, (float)proto_length_to_level(w->coordinates, metres));
}

// The largest float that is not above a cost, but for its noise, so that a bound stays true.
static void pack_cost(proto_writer *w, double metres)
{
    const double cost = proto_length_to_level(w->coordinates, metres);
    const float narrow = (float)cost;
    proto_writer_put_float(w, (double)narrow > cost * (1.0 + PROTO_COST_NOISE)
                                  ? nextafterf(narrow, -INFINITY)
                                  : narrow);
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
    proto_writer_put_u32(w, (uint32_t)head->asked | outcome << 8 | (uint32_t)reason << 16 |
                                flags << 24);
    proto_writer_put_u32(w, head->revision);
}

// Packs whether a question begins on the mesh. False: the answer ends there, too.
static bool pack_found(proto_writer *w, const proto_answer_head *head, bool found, bool hit)
{
    pack_begin(w, head, found, found ? NAV_REASON_NULL : NAV_REASON_START_OFF_MESH, hit ? HIT : 0);
    return found;
}

// ---- answers ----

// A result of /paths has a record of one size before its points; where those are in the answer is
// known when all are put together.
void proto_pack_path(proto_writer *w, const proto_answer_head *head, const nav_path *path)
{
    if (head->packed == PROTO_PACKED_PATHS) {
        proto_writer_put_u32(w, (uint32_t)path->status | (uint32_t)path->reason << 8 |
                                    (path->optimal ? 1u << 16 : 0) | (path->folded ? 1u << 24 : 0));
        proto_writer_put_u32(w, 0);
        proto_writer_put_u32(w, path->point_count);
    } else {
        pack_begin(w, head, path->status, path->reason,
                   (path->optimal ? OPTIMAL : 0u) | (path->folded ? FOLDED : 0u));
    }
    pack_length(w, path->length);
    // Both are what is proven of an optimal path.
    pack_cost(w, path->optimal ? path->lower_bound : path->cost);
    pack_cost(w, path->lower_bound);
    proto_writer_put_u32(w, path->nodes_expanded);
    if (head->packed == PROTO_PACKED_BATCH) {
        proto_writer_put_u32(w, path->point_count);
    }
    for (uint32_t i = 0; i < path->point_count; i++) {
        proto_writer_put_point(w, path->points + 3 * (size_t)i);
    }
}

void proto_pack_late(proto_writer *w, const proto_answer_head *head)
{
    static const nav_path late = {.reason = NAV_REASON_DEADLINE};
    if (head->asked == PROTO_ASKED_PATH) {
        proto_pack_path(w, head, &late);
    } else {
        pack_begin(w, head, 0, NAV_REASON_DEADLINE, 0);
    }
}

void proto_pack_places(proto_writer *w, const proto_answer_head *head, const nav_mesh *nav,
                       const uint32_t *seed, const nav_location *places, uint32_t count)
{
    pack_begin(w, head, 1, NAV_REASON_NULL, 0);
    if (seed != NULL) {
        proto_writer_put_u32(w, *seed);
    }
    proto_writer_put_u32(w, count);
    for (uint32_t i = 0; i < count; i++) {
        proto_writer_put_point(w, places[i].position);
        pack_length(w, head->asked == PROTO_ASKED_FLOORS ? 0.0 : (double)places[i].distance);
        proto_writer_put_u32(w, places[i].polygon);
        proto_writer_put_u32(w, nav_mesh_polygon(nav, places[i].polygon).component);
    }
}

void proto_pack_reachable(proto_writer *w, const proto_answer_head *head, const bool *reachable,
                          uint32_t count)
{
    static const uint8_t zeros[4];
    pack_begin(w, head, 1, NAV_REASON_NULL, 0);
    proto_writer_put_u32(w, count);
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
        proto_writer_put_float(w, ray->t);
        proto_writer_put_point(w, ray->start);
        proto_writer_put_point(w, ray->position);
        pack_direction(w, ray->hit ? ray->normal : none);
        pack_cost(w, ray->cost);
        proto_writer_put_u32(w, ray->polygon);
    }
}

void proto_pack_move(proto_writer *w, const proto_answer_head *head, const nav_move *move)
{
    if (pack_found(w, head, move->found, false)) {
        proto_writer_put_point(w, move->position);
        proto_writer_put_u32(w, move->polygon);
        proto_writer_put_u32(w, move->visited_count);
        for (uint32_t i = 0; i < move->visited_count; i++) {
            proto_writer_put_u32(w, move->visited[i]);
        }
    }
}

void proto_pack_wall(proto_writer *w, const proto_answer_head *head, const nav_wall *wall)
{
    static const float none[3];
    if (pack_found(w, head, wall->found, wall->hit)) {
        pack_length(w, (double)wall->distance);
        if (wall->hit) {
            proto_writer_put_point(w, wall->position);
            pack_direction(w, wall->normal);
        } else {
            pack_direction(w, none);
            pack_direction(w, none);
        }
    }
}

// ---- all of them ----

#define FORMAT_VERSION 1u
#define HEADER_BYTES 24u
#define RECORD_BYTES 28u // of /paths
#define POINT_BYTES 12u

void proto_packed_begin(proto_writer *w, proto_packed packed, uint32_t version, uint32_t revision,
                        uint32_t count)
{
    const bool is_paths = packed == PROTO_PACKED_PATHS;
    NAV_ASSERT(w->size_bytes == 0);
    proto_writer_put(w, is_paths ? "NAVP" : "NAVR", 4);
    proto_writer_put_u32(w, FORMAT_VERSION);
    proto_writer_put_u32(w, version);
    proto_writer_put_u32(w, count);
    proto_writer_put_u32(w, 0);
    proto_writer_put_u32(w, is_paths ? revision : 0);
    for (uint32_t i = 0; i < count * (is_paths ? RECORD_BYTES / 4 : 1); i++) {
        proto_writer_put_u32(w, 0);
    }
}

void proto_packed_join(proto_writer *w, proto_packed packed, uint32_t index, const void *result,
                       size_t size_bytes)
{
    NAV_ASSERT(size_bytes % 4 == 0 && size_bytes > 0);
    if (!w->failed && packed == PROTO_PACKED_PATHS) {
        // Records stand before all points, whose number is in the header.
        uint8_t *bytes = (uint8_t *)w->bytes;
        uint8_t *record = bytes + HEADER_BYTES + (size_t)RECORD_BYTES * index;
        const uint32_t points = proto_get_u32(bytes + 16);
        const size_t points_bytes = size_bytes - RECORD_BYTES;
        memcpy(record, result, RECORD_BYTES);
        proto_put_u32(record + 4, points);
        proto_put_u32(bytes + 16, points + (uint32_t)(points_bytes / POINT_BYTES));
        proto_writer_put(w, (const uint8_t *)result + RECORD_BYTES, points_bytes);
    } else if (!w->failed) {
        proto_put_u32((uint8_t *)w->bytes + HEADER_BYTES + 4 * (size_t)index,
                      (uint32_t)w->size_bytes);
        proto_writer_put(w, result, size_bytes);
    }
}
