// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// query.h: the kinds of questions and their answers. query.c leads every question through the same
// steps; answers.c and batch.c answer it.

#pragma once

#include "proto/replies/replies.h"
#include "server/http/http.h"
#include "server/instances/state.h"

#include <stdatomic.h>

// The worlds of all instances that the queries of a batch name, each acquired once.
typedef struct query_worlds {
    instance_world **of_queries; // by query, NULL where it names none; NULL: none names any
    instance_world **held;       // in order of name
    const char **names;
    uint32_t count; // of those held
} query_worlds;

// A question that has been read, with all that its answer needs. On the request's HTTP thread, or
// one for long questions.
typedef struct query_context {
    const request *r;
    const void *question;        // the struct of the query's kind, which begins with a proto_common
    nav_mesh *mesh;              // held by the request
    proto_answer_head head;      // its version is the mesh's
    proto_nearby nearby;         // head points to it where it is written
    const proto_world *world;    // of the instance that is asked; NULL: none
    nav_coordinates coordinates; // of the level: lists of points of the question are in these
    nav_scratch *scratch;
    nav_arena *memory;            // dies with the request
    nav_options options;          // in the mesh's coordinates
    uint64_t begun_ns;            // when its answer was begun
    uint64_t ends_ns;             // the deadline of the whole request, by the limit query_ms
    uint64_t deadline_ns;         // the question's own, no later
    const atomic_bool *cancelled; // the daemon stops: it is to end soon; NULL: it is a short one
    uint32_t *nodes_expanded;     // by all its searches, for the log; NULL: not counted
    atomic_bool *negative;        // set by an answer that says no
    proto_writer *w;              // the answer; writes points in the level's coordinates
    uint32_t index;               // of a query in its batch
    query_worlds worlds;          // of a batch; the request lets them go
    const char *content_type;
    nav_error *err;
} query_context;

struct query {
    const proto_kind *kind;
    size_t long_bytes; // of a body from which on it is answered on a thread for long questions; 0:
                       // none is
    proto_packed packed; // a body of route->media_type is one of these
    // The first instance that a query of a batch names, and the query's index; or NULL. NULL where
    // it is no batch.
    const char *(*first_instance)(const void *question, uint32_t *index);
    // Writes the answer.
    nav_status (*answer)(query_context *q);
};

extern const query QUERY_PATHS, QUERY_BATCH; // batch.c
extern const query QUERY_PATH, QUERY_MATRIX, QUERY_FLOOD, QUERY_NEAREST, QUERY_REACHABLE,
    QUERY_RAYCAST, QUERY_MOVE, QUERY_WALL, QUERY_FLOORS, QUERY_RANDOM, QUERY_TRACE,
    QUERY_VALID; // answers.c

// ---- query.c ----

// Answers a question of this kind whose options are resolved, within its deadline. Errors: the
// kind's, but NAV_CANCELLED is an answer.
nav_status query_answer(query_context *q, const query *kind);

// Notes that an answer says no: for scripts, which ask for an exit code (server/app). Thread: any.
void query_say_no(const query_context *q, bool no);
// The reason why a query of core, or an allocation from q->memory, has failed: NAV_CANCELLED if the
// deadline has passed, NAV_INVALID_FIELD if the shapes to avoid were too much, else NAV_NO_MEMORY.
nav_status query_failure(const query_context *q);
// The deadline of all questions of a request that begins now, by the limit query_ms.
uint64_t query_ends_ns(const request *r);
// Whether that has passed, for nav_options.cancelled; the user is a uint64_t * to it.
bool query_deadline_exceeded(void *deadline_ns);

// ---- answers.c; shared with the picture ----

// Searches a path, within the options' deadline; expansions: NULL, or room for what the search
// expands. Errors: those of query_failure.
nav_status query_find_path(const query_context *q, const proto_path_request *question,
                           const nav_options *options, nav_expansions *expansions, nav_path *out);
