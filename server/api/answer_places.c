// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// answer_places.c: questions about places: which are near, and which can be reached.

#include "server/api/query.h"

static nav_status answer_nearest(asked *a)
{
    const proto_nearest_request *question = a->question;
    nav_location places[PROTO_NEAREST_MAX];
    uint32_t count = 0;
    float point[3], start[3];
    asked_point(a, question->point, point);
    asked_point(a, question->reachable_from, start);
    if (nav_query_nearest_reachable(a->mesh, a->scratch, point,
                                    question->has_reachable_from ? start : NULL, &a->options,
                                    places, question->count, &count) != NAV_OK) {
        return asked_no_memory(a);
    }
    proto_write_nearest(a->w, a->r->mesh, a->version, a->mesh, places, count);
    return NAV_OK;
}

const query QUERY_NEAREST = {.kind = &PROTO_NEAREST, .answer = answer_nearest};

static nav_status answer_reachable(asked *a)
{
    const proto_reachable_request *question = a->question;
    nav_status status = asked_check_count(a, "points", question->points.count);
    if (status != NAV_OK) {
        return status;
    }
    float start[3];
    asked_point(a, question->start, start);
    float(*points)[3] = asked_points(a, question->points);
    bool *reachable = NAV_NEW(a->memory, bool, question->points.count);
    if (points == NULL || reachable == NULL ||
        nav_query_reachable(a->mesh, a->scratch, start, &a->options, (const float(*)[3])points,
                            question->points.count, reachable) != NAV_OK) {
        return asked_no_memory(a);
    }
    proto_write_reachable(a->w, a->r->mesh, a->version, reachable, question->points.count);
    return NAV_OK;
}

const query QUERY_REACHABLE = {.kind = &PROTO_REACHABLE, .answer = answer_reachable};
