// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// query.h: a kind of question and how it is answered. query.c leads every question through
// the same steps; the answers stand in answer_*.c.

#pragma once

#include "server/http/http.h"

// A question that has been read, with all that its answer needs. On the thread that asks.
typedef struct query_context {
    const request *r;
    const void *question; // the struct of the query's kind, which begins with a proto_common
    const nav_mesh *mesh;
    uint32_t version;
    nav_coordinates coordinates; // of the level: points of the question are in these
    nav_scratch *scratch;
    nav_arena *memory;        // dies with the request
    nav_options options;      // in the mesh's coordinates
    uint64_t ends_ns;         // when all of it has to be answered, by the limit query_ms
    uint64_t deadline_ns;     // the question's own, no later; options.user points to it
    uint32_t *nodes_expanded; // by all its searches, for the log; NULL: nobody asks
    proto_writer *w;          // the answer; writes points in the level's coordinates
    const char *content_type;
    nav_error *err;
} query_context;

struct query {
    const proto_kind *kind;
    // Reads a body of route->media_type instead of JSON; NULL where there is none.
    nav_status (*read_packed)(const request *r, nav_arena *memory, void *question, nav_error *err);
    // Writes the answer.
    nav_status (*answer)(query_context *q);
};

extern const query QUERY_PATH, QUERY_PATHS;        // answers.c, batch.c
extern const query QUERY_MATRIX, QUERY_FLOOD;      // answers.c
extern const query QUERY_NEAREST, QUERY_REACHABLE; // answers.c
extern const query QUERY_RAYCAST, QUERY_MOVE, QUERY_WALL, QUERY_FLOORS, QUERY_RANDOM,
    QUERY_TRACE; // answers.c

// A point of the question in the mesh's coordinates.
void query_point(const query_context *q, const float point[3], float out[3]);
// Those of a list, from q->memory; NULL when there is none.
float (*query_points(const query_context *q, proto_points points))[3];
// The operator's bound of a list (the limit batch_queries); the readers have checked the widest
// one. Errors: PROTO_BATCH_TOO_LARGE, at the member that it is in.
nav_status query_check_count(const query_context *q, const char *member, uint32_t count);
// After a query that failed, or NAV_NO_MEMORY of q->memory: that, or NAV_INVALID_FIELD where the
// query's shapes to avoid were too much, or NAV_CANCELLED where its deadline has passed.
nav_status query_failure(const query_context *q);
// A path's question to the mesh; options are those of the question's own. Errors: those of
// proto_common_resolve, NAV_NO_MEMORY.
nav_status query_find_path(const query_context *q, const proto_path_request *question,
                           const nav_options *options, nav_path *out);
// The polygons along a path that has just been found, from q->memory. Errors: NAV_NO_MEMORY.
nav_status query_path_steps(const query_context *q, const nav_path *path, proto_path_reply *out);
// For searches: when they end, so many milliseconds from now (0: when the request does).
uint64_t query_deadline_ns(const query_context *q, uint32_t deadline_ms);
// Whether that has passed; the user is a uint64_t * to it.
bool query_deadline_exceeded(void *deadline_ns);
