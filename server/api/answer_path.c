// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// answer_path.c: one path, and what batches of paths share with it.

#include "server/base/clock.h"
#include "server/api/query.h"

bool asked_deadline_exceeded(void *deadline_ns)
{
    return clock_now_ns() >= *(const uint64_t *)deadline_ns;
}

uint64_t asked_deadline_ns(const asked *a, uint32_t deadline_ms)
{
    if (deadline_ms == 0) {
        return a->ends_ns;
    }
    const uint64_t own_ns = clock_now_ns() + deadline_ms * UINT64_C(1000000);
    return own_ns < a->ends_ns ? own_ns : a->ends_ns;
}

nav_status asked_path(const asked *a, const proto_path_request *question,
                      const nav_options *options, nav_path *out)
{
    uint64_t deadline_ns = asked_deadline_ns(a, question->deadline_ms);
    nav_path_request search = {.options = *options,
                               .search = question->search,
                               .max_nodes = question->max_nodes,
                               .no_partial = !question->partial};
    search.options.cancelled = asked_deadline_exceeded;
    search.options.user = &deadline_ns;
    search.options.unhurried = question->deadline_ms == 0;
    asked_point(a, question->start, search.start);
    asked_point(a, question->end, search.end);
    if (a->scratch == NULL || nav_query_path(a->mesh, a->scratch, &search, out) != NAV_OK) {
        return asked_no_memory(a);
    }
    if (a->nodes_expanded != NULL) {
        *a->nodes_expanded += out->nodes_expanded;
    }
    return NAV_OK;
}

nav_status asked_steps(const asked *a, const nav_path *path, proto_path_reply *out)
{
    const uint32_t capacity = path->corridor_count + 1;
    nav_path_step *steps = NAV_NEW(a->memory, nav_path_step, capacity);
    if (steps == NULL) {
        return asked_no_memory(a);
    }
    out->step_count = nav_query_path_steps(a->mesh, a->scratch, path, steps, capacity);
    out->steps = steps;
    return NAV_OK;
}

static nav_status answer(asked *a)
{
    const proto_path_request *question = a->question;
    nav_path path;
    nav_status status = asked_path(a, question, &a->options, &path);
    proto_path_reply path_reply = {.path = &path, .details = question->details, .mesh = a->mesh};
    if (status == NAV_OK && path_reply.details != 0) {
        status = asked_steps(a, &path, &path_reply);
    }
    if (status == NAV_OK) {
        proto_write_path(a->w, a->r->mesh, a->version, &path_reply);
    }
    return status;
}

const query QUERY_PATH = {.kind = &PROTO_PATH, .answer = answer};
