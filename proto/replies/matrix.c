// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// matrix.c: answers about costs: of a matrix and of a flood.

#include "proto/replies/reply.h"

// The numbers of what is off the mesh.
static void write_missing(proto_writer *w, const char *key, const bool *found, uint32_t count)
{
    proto_member_array(w, key);
    for (uint32_t i = 0; i < count; i++) {
        if (!found[i]) {
            proto_write_int(w, i);
        }
    }
    proto_write_array_end(w);
}

// One row of costs; null where no path leads or none is decided.
static void write_costs(proto_writer *w, const double *costs, uint32_t count)
{
    proto_write_array_begin(w);
    for (uint32_t i = 0; i < count; i++) {
        proto_write_cost(w, costs[i]);
    }
    proto_write_array_end(w);
}

static void write_nearest(proto_writer *w, const double *costs, const uint32_t *targets,
                          uint32_t count)
{
    proto_write_array_begin(w);
    for (uint32_t i = 0; i < count && targets[i] != NAV_NONE; i++) {
        proto_write_object_begin(w);
        proto_member_int(w, "target", targets[i]);
        proto_write_key(w, "cost");
        proto_write_cost(w, costs[i]);
        proto_write_object_end(w);
    }
    proto_write_array_end(w);
}

void proto_write_matrix(proto_writer *w, const proto_answer_head *head,
                        const nav_matrix_request *asked, const nav_matrix *matrix)
{
    const uint32_t columns = nav_matrix_columns(asked);
    NAV_ASSERT(columns <= asked->target_count);
    NAV_ASSERT(asked->nearest == 0 || matrix->targets != NULL);
    proto_write_answer_begin(w, head);
    proto_member_bool(w, "complete", matrix->reason == NAV_REASON_NULL);
    proto_member_string(w, "reason", nav_path_reason_word(matrix->reason));
    proto_member_bool(w, "optimal", matrix->optimal);
    write_missing(w, "sources_off_mesh", matrix->sources_found, asked->source_count);
    write_missing(w, "targets_off_mesh", matrix->targets_found, asked->target_count);
    proto_member_array(w, asked->nearest > 0 ? "nearest" : "costs");
    for (uint32_t i = 0; i < asked->source_count; i++) {
        const size_t at = (size_t)i * columns;
        if (asked->nearest > 0) {
            write_nearest(w, matrix->costs + at, matrix->targets + at, columns);
        } else {
            write_costs(w, matrix->costs + at, columns);
        }
    }
    proto_write_array_end(w);
    proto_write_object_end(w);
}

void proto_write_flood(proto_writer *w, const proto_answer_head *head, const nav_mesh *nav,
                       const nav_flood_polygon *polygons, const nav_flood *flood)
{
    NAV_ASSERT(flood->count == 0 || (flood->found && polygons != NULL));
    proto_write_answer_begin(w, head);
    proto_member_string(w, "reason", flood->found ? NULL : "start_off_mesh");
    proto_write_nearby(w, head);
    proto_write_point_if(w, "start", flood->found, flood->start);
    proto_member_bool(w, "truncated", flood->truncated);
    proto_member_bool(w, "optimal", flood->optimal);
    proto_member_array(w, "polygons");
    for (uint32_t i = 0; i < flood->count; i++) {
        proto_write_object_begin(w);
        proto_write_key(w, "polygon");
        proto_write_number_text(w, polygons[i].polygon);
        proto_write_area(w, nav, nav_mesh_polygon(nav, polygons[i].polygon).area);
        proto_write_key(w, "cost");
        proto_write_cost(w, polygons[i].cost);
        proto_member_point(w, "position", polygons[i].position);
        proto_write_object_end(w);
    }
    proto_write_array_end(w);
    proto_write_object_end(w);
}
