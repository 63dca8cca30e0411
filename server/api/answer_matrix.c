// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// answer_matrix.c: questions about costs: from many places to many, and of what lies around one.

#include "server/api/query.h"

static nav_status answer_matrix(asked *a)
{
    const proto_matrix_request *question = a->question;
    nav_status status = asked_check_count(a, "sources", question->sources.count);
    if (status == NAV_OK) {
        status = asked_check_count(a, "targets", question->targets.count);
    }
    if (status != NAV_OK) {
        return status;
    }
    float(*sources)[3] = asked_points(a, question->sources);
    float(*targets)[3] = asked_points(a, question->targets);
    nav_matrix_request search = {.sources = (const float(*)[3])sources,
                                 .targets = (const float(*)[3])targets,
                                 .source_count = question->sources.count,
                                 .target_count = question->targets.count,
                                 .nearest = question->nearest,
                                 .options = a->options,
                                 .max_nodes = question->max_nodes};
    const size_t cells = (size_t)search.source_count * nav_matrix_columns(&search);
    nav_matrix matrix = {
        .costs = NAV_NEW(a->memory, double, cells),
        .targets = search.nearest > 0 ? NAV_NEW(a->memory, uint32_t, cells) : NULL,
        .sources_found = NAV_NEW(a->memory, bool, search.source_count),
        .targets_found = NAV_NEW(a->memory, bool, search.target_count),
    };
    if (sources == NULL || targets == NULL || matrix.costs == NULL ||
        matrix.sources_found == NULL || matrix.targets_found == NULL ||
        (search.nearest > 0 && matrix.targets == NULL) ||
        nav_query_matrix(a->mesh, a->scratch, &search, &matrix) != NAV_OK) {
        return asked_no_memory(a);
    }
    proto_write_matrix(a->w, a->r->mesh, a->version, &search, &matrix);
    return NAV_OK;
}

const query QUERY_MATRIX = {.kind = &PROTO_MATRIX, .answer = answer_matrix};

static nav_status answer_flood(asked *a)
{
    const proto_flood_request *question = a->question;
    nav_mesh_stats stats;
    nav_mesh_stats_get(a->mesh, &stats);
    const uint32_t capacity =
        question->max_polygons < stats.polygons ? question->max_polygons : stats.polygons;
    nav_flood_polygon *polygons = NAV_NEW(a->memory, nav_flood_polygon, capacity);
    nav_flood flood;
    float start[3];
    asked_point(a, question->start, start);
    if (polygons == NULL || nav_query_flood(a->mesh, a->scratch, start, (double)question->max_cost,
                                            &a->options, polygons, capacity, &flood) != NAV_OK) {
        return asked_no_memory(a);
    }
    proto_write_flood(a->w, a->r->mesh, a->version, a->mesh, polygons, &flood);
    return NAV_OK;
}

const query QUERY_FLOOD = {.kind = &PROTO_FLOOD, .answer = answer_flood};
