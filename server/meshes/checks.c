// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// checks.c: each check is the question that a client would ask, and a sentence about the answer:
//
//   store: checks of the mesh --proto--> list --nav_query_path, nav_query_nearest--> sentences

#include "server/meshes/checks.h"

#include "proto/base/coordinates.h"
#include "proto/requests/requests.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECKS_MEMORY_BYTES (4u << 20)

// One run of checks: the mesh and the memory that it asks with.
typedef struct run {
    const nav_mesh *all;         // with those of all agents
    const nav_mesh *mesh;        // of the agent that is asked
    const nav_bake_hooks *hooks; // or NULL
    nav_mesh_stats stats;        // with the level's coordinates, in which checks and sentences are
    nav_scratch *scratch;
} run;

static bool is_cancelled(const run *r)
{
    return r->hooks != NULL && r->hooks->cancelled != NULL && r->hooks->cancelled(r->hooks->user);
}

// Like an answer's: three decimals at most, no zeros at the end.
static void format_number(char out[32], double value)
{
    int length = snprintf(out, 32, "%.3f", value);
    while (length > 0 && out[length - 1] == '0') {
        out[--length] = '\0';
    }
    if (length > 0 && out[length - 1] == '.') {
        out[length - 1] = '\0';
    }
}

nav_status checks_read_sent(const char *json, size_t size_bytes, char **out, nav_error *err)
{
    nav_arena memory;
    proto_checks checks;
    nav_arena_init(&memory, NULL, CHECKS_MEMORY_BYTES);
    nav_status status = proto_checks_read(json, size_bytes, &memory, &checks, err);
    if (status == NAV_OK) {
        proto_writer w;
        proto_writer_init(&w);
        proto_write_object_begin(&w);
        proto_write_key(&w, "checks");
        proto_write_checks(&w, &checks, false);
        proto_write_object_end(&w);
        *out = proto_writer_take(&w, NULL);
        if (*out == NULL) {
            status = nav_fail(err, NAV_NO_MEMORY, "no memory to keep the checks");
        }
    }
    nav_arena_free(&memory);
    return status;
}

// ---- on the mesh ----

static double in_level(const run *r, double metres)
{
    return proto_length_to_level(r->stats.coordinates, metres);
}

static bool is_on_mesh(const run *r, const proto_check *check, const float place[3],
                       double *distance)
{
    nav_location found;
    const nav_snap snap = proto_check_snap(check, r->stats.coordinates);
    float point[3] = {place[0], place[1], place[2]};
    proto_to_mesh(r->stats.coordinates, point);
    if (nav_query_nearest(r->mesh, point, snap, NAV_NONE, &found, 1) == 0) {
        return false;
    }
    *distance = in_level(r, (double)found.distance);
    return true;
}

static void describe_off_mesh(const run *r, const proto_check *check, const char *which,
                              proto_check_result *result)
{
    char around[32], up[32], down[32];
    const nav_snap snap = proto_check_snap(check, r->stats.coordinates);
    format_number(around, in_level(r, (double)snap.horizontal));
    format_number(up, in_level(r, (double)snap.up));
    format_number(down, in_level(r, (double)snap.down));
    (void)snprintf(result->detail, sizeof result->detail,
                   "%s is off the mesh: there is none within %s around, %s up and %s down", which,
                   around, up, down);
}

static void check_on_mesh(const run *r, const proto_check *check, proto_check_result *result)
{
    double from_start = 0, from_end = 0;
    if (!is_on_mesh(r, check, check->start, &from_start)) {
        describe_off_mesh(r, check, check->has_end ? "start" : "the point", result);
    } else if (check->has_end && !is_on_mesh(r, check, check->end, &from_end)) {
        describe_off_mesh(r, check, "end", result);
    } else {
        char distance[32];
        format_number(distance, from_start > from_end ? from_start : from_end);
        result->passed = true;
        (void)snprintf(result->detail, sizeof result->detail, "%s from the mesh", distance);
    }
}

// ---- paths ----

static void judge_length(const proto_check *check, double length, proto_check_result *result)
{
    char found[32], limit[32];
    format_number(found, length);
    format_number(limit, (double)check->max_length);
    result->passed = !check->has_max_length || length <= (double)check->max_length;
    if (!check->has_max_length) {
        (void)snprintf(result->detail, sizeof result->detail, "the way is %s long", found);
    } else {
        (void)snprintf(result->detail, sizeof result->detail, "the way is %s long, %s %s", found,
                       result->passed ? "at most" : "more than", limit);
    }
}

// A path that is expected not to exist must still have a place to begin at, else the check would
// pass for no reason. An end without ground cannot be reached indeed.
static nav_status check_path(const run *r, const proto_check *check, proto_check_result *result,
                             nav_error *err)
{
    nav_path path;
    nav_path_request question = {.options = nav_options_default(), .no_partial = true};
    if (r->hooks != NULL) {
        question.options.cancelled = r->hooks->cancelled;
        question.options.user = r->hooks->user;
    }
    question.options.snap = proto_check_snap(check, r->stats.coordinates);
    memcpy(question.start, check->start, sizeof question.start);
    memcpy(question.end, check->end, sizeof question.end);
    proto_to_mesh(r->stats.coordinates, question.start);
    proto_to_mesh(r->stats.coordinates, question.end);
    if (nav_query_path(r->mesh, r->scratch, &question, &path) != NAV_OK) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory to run the checks");
    }
    bool wanted = check->expect == PROTO_EXPECT_REACHABLE;
    if (path.reason == NAV_REASON_START_OFF_MESH) {
        describe_off_mesh(r, check, "start", result);
    } else if (path.status == NAV_PATH_COMPLETE && wanted) {
        judge_length(check, in_level(r, path.length), result);
    } else if (path.status == NAV_PATH_COMPLETE) {
        char length[32];
        format_number(length, in_level(r, path.length));
        (void)snprintf(result->detail, sizeof result->detail, "there is a way, %s long", length);
    } else if (path.reason == NAV_REASON_END_OFF_MESH) {
        result->passed = !wanted;
        describe_off_mesh(r, check, "end", result);
    } else {
        result->passed = !wanted;
        (void)snprintf(result->detail, sizeof result->detail, "there is no way from start to end");
    }
    return NAV_OK;
}

static void check_area(const run *r, const proto_check *check, proto_check_result *result)
{
    char found[32], limit[32];
    const double area = proto_area_to_level(r->stats.coordinates, r->stats.walkable_area);
    format_number(found, area);
    format_number(limit, (double)check->min_walkable_area);
    result->passed = area >= (double)check->min_walkable_area;
    (void)snprintf(result->detail, sizeof result->detail, "the walkable area is %s, %s %s", found,
                   result->passed ? "at least" : "less than", limit);
}

// ---- all of them ----

static nav_status run_one(run *r, const proto_check *check, proto_check_result *result,
                          nav_error *err)
{
    nav_error unknown;
    *result = (proto_check_result){.name = check->name};
    uint32_t agent;
    if (proto_agent_find(r->all, check->agent, &agent, &unknown) != NAV_OK) {
        (void)snprintf(result->detail, sizeof result->detail, "%.159s", unknown.detail);
        return NAV_OK;
    }
    r->mesh = agent == 0 ? r->all : nav_mesh_agent(r->all, agent - 1);
    nav_mesh_stats_get(r->mesh, &r->stats);
    switch (check->expect) {
    case PROTO_EXPECT_AREA:
        check_area(r, check, result);
        return NAV_OK;
    case PROTO_EXPECT_ON_MESH:
        check_on_mesh(r, check, result);
        return NAV_OK;
    default:
        return check_path(r, check, result, err);
    }
}

static nav_status read_checks(store *disk, const char *name, nav_arena *memory, proto_checks *out,
                              nav_error *err)
{
    char *text = NULL;
    nav_status status = store_checks_get(disk, name, &text, err);
    if (status != NAV_OK || text == NULL) {
        *out = (proto_checks){0};
        return status;
    }
    status = proto_checks_read(text, strlen(text), memory, out, err);
    free(text);
    return status == NAV_OK || status == NAV_NO_MEMORY ? status : store_checks_fail(name, err);
}

static nav_status write_results(const proto_check_result *results, uint32_t count,
                                checks_outcome *out, nav_error *err)
{
    proto_writer w;
    proto_writer_init(&w);
    proto_write_check_results(&w, results, count);
    out->json = proto_writer_take(&w, NULL);
    return out->json != NULL ? NAV_OK
                             : nav_fail(err, NAV_NO_MEMORY, "no memory to describe the checks");
}

// Checks that cannot be read are one that fails: what nobody can read does not go live by itself.
static nav_status fail_unreadable(const nav_error *why, checks_outcome *out, nav_error *err)
{
    proto_check_result result = {.name = "checks"};
    (void)snprintf(result.detail, sizeof result.detail, "%.159s", why->detail);
    (void)snprintf(out->first, sizeof out->first, "%.159s", why->detail);
    out->count = out->failed = 1;
    return write_results(&result, 1, out, err);
}

static nav_status run_all(run *r, const proto_checks *checks, nav_arena *memory,
                          checks_outcome *out, nav_error *err)
{
    proto_check_result *results = NAV_NEW(memory, proto_check_result, checks->count);
    nav_status status =
        results != NULL ? NAV_OK : nav_fail(err, NAV_NO_MEMORY, "no memory to run the checks");
    for (uint32_t i = 0; status == NAV_OK && i < checks->count; i++) {
        status = run_one(r, &checks->items[i], &results[i], err);
        // A search that was broken off says nothing about the check.
        NAV_IF_OK(status, is_cancelled(r) ? nav_fail(err, NAV_CANCELLED, "cancelled") : NAV_OK);
        if (status == NAV_OK && !results[i].passed && out->failed++ == 0) {
            (void)snprintf(out->first, sizeof out->first, "'%.60s': %s", results[i].name,
                           results[i].detail);
        }
    }
    out->count = checks->count;
    return status == NAV_OK ? write_results(results, checks->count, out, err) : status;
}

nav_status checks_run(store *disk, const char *name, const nav_mesh *mesh,
                      const nav_bake_hooks *hooks, checks_outcome *out, nav_error *err)
{
    nav_arena memory;
    proto_checks checks;
    run r = {.all = mesh, .hooks = hooks};
    *out = (checks_outcome){0};
    nav_arena_init(&memory, NULL, CHECKS_MEMORY_BYTES);
    nav_error why = {0};
    nav_status status = read_checks(disk, name, &memory, &checks, &why);
    const bool unreadable = status == PROTO_INTERNAL;
    if (unreadable) {
        status = fail_unreadable(&why, out, err);
    } else if (status != NAV_OK && err != NULL) {
        *err = why;
    }
    if (status == NAV_OK && !unreadable && nav_scratch_create(NULL, &r.scratch) != NAV_OK) {
        status = nav_fail(err, NAV_NO_MEMORY, "no memory to run the checks");
    }
    NAV_IF_OK(status, !unreadable ? run_all(&r, &checks, &memory, out, err) : NAV_OK);
    nav_scratch_destroy(r.scratch);
    nav_arena_free(&memory);
    return status;
}

void checks_outcome_free(checks_outcome *outcome)
{
    free(outcome->json);
    outcome->json = NULL;
}
