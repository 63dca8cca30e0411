// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// batch_service.h: a service of one mesh with workers, whose handlers are called without listeners,
// and lists that queries of a batch share.

#pragma once

#include "server/api/routes.h"

#include "tests/unit/mesh_builder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "server/http/http.h"
#include "server/jobs/jobs.h"
#include "server/meshes/registry.h"

#define SIDE 24
#define WORKERS 3u
#define TEXT_BYTES (4u << 20)

static const nav_area AREAS[] = {
    {.cost = 1}, {.name = "ground", .cost = 1, .flags = 1}, {.name = "mud", .cost = 3, .flags = 2}};
static const nav_name FLAGS[] = {"a", "b"};

// ---- a service, and one question ----

static inline void bake_nothing(service *s, job *taken)
{
    (void)s;
    (void)taken;
}

static inline int set_up(void **state)
{
    static char map[SIDE * (SIDE + 1)];
    uint64_t random = 5;
    service *s = calloc(1, sizeof *s);
    assert_non_null(s);
    *s = (service){
        .limits = limits_default(), .registry = registry_create(), .jobs = jobs_create(WORKERS)};
    assert_int_equal(jobs_start(s->jobs, bake_nothing, s), NAV_OK);
    builder_random_map(&random, SIDE, 2, map);
    for (size_t i = 0; map[i] != '\0'; i++) {
        map[i] = map[i] == '.' && next_random(&random) % 4 == 0 ? '2' : map[i];
    }
    const nav_config config = {
        .areas = AREAS, .area_count = 3, .flag_names = FLAGS, .flag_count = 2};
    nav_mesh *mesh = map_mesh_with(map, &config, NULL);
    assert_int_equal(registry_reserve(s->registry, "m", NULL), NAV_OK);
    registry_publish(s->registry, "m", 3, 1, mesh);
    nav_mesh_release(mesh);
    *state = s;
    return 0;
}

static inline int tear_down(void **state)
{
    service *s = *state;
    jobs_stop(s->jobs);
    jobs_destroy(s->jobs);
    registry_destroy(s->registry);
    free(s);
    return 0;
}

// The reply's body is the caller's.
static inline reply ask(service *s, const char *kind, const char *type, const char *body,
                        size_t size_bytes)
{
    char path[64], allow[64];
    nav_error err = {0};
    request *r = calloc(1, sizeof *r);
    assert_non_null(r);
    *r = (request){
        .service = s, .content_type = type, .body = body, .body_bytes = size_bytes, .id = "test"};
    (void)snprintf(path, sizeof path, "/v1/meshes/m/%s", kind);
    assert_int_equal(routing_find(routes_all(), r, "POST", path, allow, sizeof allow, &err),
                     NAV_OK);
    reply out;
    request_handle(r, &out);
    free(r);
    return out;
}

// ---- bodies ----

typedef struct text {
    char *bytes;
    size_t used;
} text;

static inline void put(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

static inline void put(text *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    t->used += (size_t)vsnprintf(t->bytes + t->used, TEXT_BYTES - t->used, format, arguments);
    va_end(arguments);
    assert_true(t->used < TEXT_BYTES);
}

static inline text text_new(void)
{
    text t = {.bytes = malloc(TEXT_BYTES)};
    assert_non_null(t.bytes);
    return t;
}

static const char *const FILTERS[] = {"{\"costs\":{\"mud\":9}}", "{\"exclude\":[\"b\"]}",
                                      "{\"costs\":{\"ground\":2,\"mud\":1}}"};
#define WALLS                                                                                      \
    "[{\"shape\":\"box\",\"min\":[3,-1,3],\"max\":[9,1,20],\"cost\":4},"                           \
    "{\"shape\":\"box\",\"min\":[14,-1,5],\"max\":[15,1,19]}]"

static const char *const AVOID_SETS[] = {
    "[{\"shape\":\"circle\",\"center\":[12,0,12],\"radius\":3}]", WALLS, "[]"};
