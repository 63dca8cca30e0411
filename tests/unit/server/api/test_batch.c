// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_batch.c: a query of a batch gets the very bytes that its question gets alone, in the order
// in which it came, and one fault refuses all of them. Handlers are called without listeners.

#include "server/api/routes.h"

#include "tests/unit/mesh_builder.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "proto/base/bytes.h"
#include "server/http/http.h"
#include "server/jobs/jobs.h"
#include "server/meshes/registry.h"

#define SIDE 24
#define WORKERS 3u
#define TEXT_BYTES (4u << 20)
#define BEGIN "{\"mesh\":\"m\",\"version\":3,"

static const nav_area AREAS[] = {
    {.cost = 1}, {.name = "ground", .cost = 1, .flags = 1}, {.name = "mud", .cost = 3, .flags = 2}};
static const nav_name FLAGS[] = {"a", "b"};

// ---- a service, and one question ----

static void bake_nothing(service *s, job *taken)
{
    (void)s;
    (void)taken;
}

static int set_up(void **state)
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

static int tear_down(void **state)
{
    service *s = *state;
    jobs_stop(s->jobs);
    jobs_destroy(s->jobs);
    registry_destroy(s->registry);
    free(s);
    return 0;
}

// The reply's body is the caller's.
static reply ask(service *s, const char *kind, const char *type, const char *body,
                 size_t size_bytes)
{
    char path[64], allow[64];
    nav_error err = {0};
    request *r = calloc(1, sizeof *r);
    reply out = {0};
    assert_non_null(r);
    *r = (request){
        .service = s, .content_type = type, .body = body, .body_bytes = size_bytes, .id = "test"};
    (void)snprintf(path, sizeof path, "/v1/meshes/m/%s", kind);
    assert_int_equal(routing_find(routes_all(), r, "POST", path, allow, sizeof allow, &err),
                     NAV_OK);
    r->route->handle(r, &out);
    free(r);
    return out;
}

// ---- questions by chance ----

typedef struct text {
    char *bytes;
    size_t used;
} text;

static void put(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(text *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    t->used += (size_t)vsnprintf(t->bytes + t->used, TEXT_BYTES - t->used, format, arguments);
    va_end(arguments);
    assert_true(t->used < TEXT_BYTES);
}

static text text_new(void)
{
    text t = {.bytes = malloc(TEXT_BYTES)};
    assert_non_null(t.bytes);
    return t;
}

static void put_point(text *t, uint64_t *random, const char *member)
{
    put(t, "\"%s\":[%.2f,0,%.2f]", member, next_random(random) % (SIDE * 100) / 100.0,
        next_random(random) % (SIDE * 100) / 100.0);
}

static const char *const FILTERS[] = {"{\"costs\":{\"mud\":9}}", "{\"exclude\":[\"b\"]}",
                                      "{\"costs\":{\"ground\":2,\"mud\":1}}"};
#define WALLS                                                                                      \
    "[{\"shape\":\"box\",\"min\":[3,-1,3],\"max\":[9,1,20],\"cost\":4},"                           \
    "{\"shape\":\"box\",\"min\":[14,-1,5],\"max\":[15,1,19]}]"

static const char *const AVOID_SETS[] = {
    "[{\"shape\":\"circle\",\"center\":[12,0,12],\"radius\":3}]", WALLS, "[]"};

static void put_ends(text *t, uint64_t *random)
{
    put_point(t, random, "start");
    put(t, ",");
    put_point(t, random, "end");
}

// The members that only this question has.
static void put_own_members(text *t, uint64_t *random, proto_asked asked)
{
    static const char *const searches[] = {"auto", "fast", "exact"};
    const uint32_t chance = next_random(random) % 3;
    switch (asked) {
    case PROTO_ASKED_PATH:
        put_ends(t, random);
        put(t, ",\"search\":\"%s\"%s", searches[chance],
            chance == 1 ? ",\"details\":[\"polygons\",\"areas\"]" : "");
        break;
    case PROTO_ASKED_NEAREST:
        put_point(t, random, "point");
        put(t, ",\"count\":%u", chance + 1);
        break;
    case PROTO_ASKED_RAYCAST:
    case PROTO_ASKED_MOVE:
        put_ends(t, random);
        break;
    case PROTO_ASKED_RANDOM:
        put(t, "\"seed\":%u,\"count\":%u", next_random(random), chance + 1);
        if (chance == 0) {
            put(t, ",\"radius\":4,");
            put_point(t, random, "center");
        }
        break;
    case PROTO_ASKED_REACHABLE:
        put_point(t, random, "start");
        put(t, ",\"points\":[[1,0,1],[%u,0,7],[20,0,20]]", next_random(random) % SIDE);
        break;
    case PROTO_ASKED_WALL:
        put_point(t, random, "point");
        put(t, ",\"max_radius\":%u", chance + 1);
        break;
    case PROTO_ASKED_FLOORS:
    case PROTO_ASKED_COUNT:
        put(t, "\"x\":%u,\"z\":%u.5", next_random(random) % SIDE, next_random(random) % SIDE);
        break;
    }
}

// Lists are written out, or in a batch named by number.
static void put_question(text *t, uint64_t seed, proto_asked asked, bool with_shapes,
                         bool by_number)
{
    uint64_t random = seed;
    put_own_members(t, &random, asked);
    const uint32_t filter = next_random(&random) % 6, avoid = next_random(&random) % 6;
    if (filter < 3 && by_number) {
        put(t, ",\"filter\":%u", filter);
    } else if (filter < 3) {
        put(t, ",\"filter\":%s", FILTERS[filter]);
    }
    if (avoid < 3 && with_shapes && by_number && seed % 3 != 0) {
        put(t, ",\"avoid\":%u", avoid);
    } else if (avoid < 3 && with_shapes) {
        put(t, ",\"avoid\":%s", AVOID_SETS[avoid]);
    }
}

// A batch, and the reply that single questions add up to.
static void put_batch(service *s, uint32_t count, bool with_shapes, text *asked, text *expected)
{
    put(asked, "{\"filters\":[%s,%s,%s],\"avoid_sets\":[%s,%s,%s],\"queries\":[", FILTERS[0],
        FILTERS[1], FILTERS[2], AVOID_SETS[0], AVOID_SETS[1], AVOID_SETS[2]);
    put(expected, BEGIN "\"results\":[");
    for (uint32_t i = 0; i < count; i++) {
        const proto_asked kind = (proto_asked)(i * 7 % PROTO_ASKED_COUNT);
        text one = text_new();
        put(&one, "{");
        put_question(&one, 31 * i + 1, kind, with_shapes, false);
        put(&one, "}");
        reply alone = ask(s, PROTO_ASKED_WORDS[kind], "application/json", one.bytes, one.used);
        assert_int_equal(alone.status, 200);
        assert_memory_equal(alone.body, BEGIN, strlen(BEGIN));
        put(expected, "%s{\"id\":%u,%.*s", i > 0 ? "," : "", i,
            (int)(alone.body_bytes - strlen(BEGIN)), alone.body + strlen(BEGIN));
        put(asked, "%s{\"id\":%u,\"kind\":\"%s\",", i > 0 ? "," : "", i, PROTO_ASKED_WORDS[kind]);
        put_question(asked, 31 * i + 1, kind, with_shapes, true);
        put(asked, "}");
        free(alone.body);
        free(one.bytes);
    }
    put(asked, "]}");
    put(expected, "]}");
}

static void assert_body(const reply *got, const text *expected)
{
    assert_int_equal(got->status, 200);
    const size_t least = got->body_bytes < expected->used ? got->body_bytes : expected->used;
    for (size_t i = 0; i < least; i++) {
        if (got->body[i] != expected->bytes[i]) {
            const size_t from = i > 200 ? i - 200 : 0;
            fail_msg("byte %zu:\n%.300s\nexpected\n%.300s", i, got->body + from,
                     expected->bytes + from);
        }
    }
    assert_int_equal(got->body_bytes, expected->used);
}

static void assert_equal_alone(service *s, uint32_t count, bool with_shapes)
{
    text asked = text_new(), expected = text_new();
    put_batch(s, count, with_shapes, &asked, &expected);
    // Large ones are spread over all threads, in each run in another way.
    for (uint32_t threads = 1; threads <= WORKERS + 1; threads++) {
        s->limits.batch_threads = threads;
        reply got = ask(s, "batch", "application/json", asked.bytes, asked.used);
        assert_body(&got, &expected);
        free(got.body);
    }
    free(asked.bytes);
    free(expected.bytes);
}

// ---- tests ----

static void a_query_is_answered_as_alone(void **state)
{
    assert_equal_alone(*state, 1, false);
    assert_equal_alone(*state, 200, false);
    assert_equal_alone(*state, 3000, false);
}

static void a_query_with_shapes_is_answered_as_alone(void **state)
{
    assert_equal_alone(*state, 1000, true);
}

static void assert_refused(service *s, const char *kind, const char *body, const char *at)
{
    char expected[128];
    reply got = ask(s, kind, "application/json", body, strlen(body));
    (void)snprintf(expected, sizeof expected, "\"at\":\"%s\"", at);
    got.body = realloc(got.body, got.body_bytes + 1);
    got.body[got.body_bytes] = '\0';
    if (got.status != 422 || strstr(got.body, expected) == NULL) {
        fail_msg("%s: %d %s", at, got.status, got.body);
    }
    free(got.body);
}

#define WALL "{\"kind\":\"wall\",\"point\":[1,0,1]}"

static void a_fault_is_told_with_its_query(void **state)
{
    service *s = *state;
    assert_refused(s, "batch", "{\"queries\":[" WALL ",{\"kind\":\"wall\",\"point\":[1,0]}]}",
                   "queries[1].point");
    assert_refused(s, "batch",
                   "{\"filters\":[\"boat\"],\"queries\":[" WALL
                   ",{\"kind\":\"wall\",\"point\":[1,0,1],\"filter\":0}]}",
                   "queries[1].filter");
    assert_refused(s, "batch", "{\"queries\":[" WALL ",{\"kind\":\"floors\",\"x\":1,\"y\":1}]}",
                   "queries[1].z");
    assert_refused(s, "batch",
                   "{\"avoid_sets\":[[{\"shape\":\"box\",\"min\":[1,0,0],\"max\":[0,0,0]}]],"
                   "\"queries\":[" WALL ",{\"kind\":\"wall\",\"point\":[1,0,1],\"avoid\":0}]}",
                   "queries[1].avoid[0].min");
}

// Of several faults the same one is told on any number of threads.
static void the_same_fault_is_told_on_all_threads(void **state)
{
    service *s = *state;
    text asked = text_new();
    uint64_t random = 3;
    char first[256] = "";
    put(&asked, "{\"queries\":[");
    for (uint32_t i = 0; i < 2000; i++) {
        put(&asked, "%s{\"kind\":\"wall\",", i > 0 ? "," : "");
        put_point(&asked, &random, "point");
        put(&asked, i % 100 == 7 ? ",\"filter\":\"boat\"}" : "}");
    }
    put(&asked, "]}");
    for (uint32_t run = 0; run < 40; run++) {
        s->limits.batch_threads = run % (WORKERS + 1) + 1;
        reply got = ask(s, "batch", "application/json", asked.bytes, asked.used);
        char *at = strndup(got.body, got.body_bytes);
        assert_int_equal(got.status, 422);
        if (run == 0) {
            (void)snprintf(first, sizeof first, "%.200s", strstr(at, "\"at\""));
        }
        assert_non_null(strstr(at, first));
        free(at);
        free(got.body);
    }
    free(asked.bytes);
}

// Packed paths, too: where a path's points stand is not up to the threads.
static void packed_paths_are_the_same_on_all_threads(void **state)
{
    service *s = *state;
    static uint8_t question[96 + 24 * 2000] = "NAVQ";
    uint64_t random = 8;
    reply alone = {0};
    proto_put_u32(question + 4, 1);
    proto_put_u32(question + 8, 2000);
    for (uint32_t i = 0; i < 3; i++) {
        proto_put_float(question + 32 + 4 * i, 2.0f);
    }
    for (uint32_t i = 0; i < 6 * 2000; i++) {
        const float at = (float)(next_random(&random) % (SIDE * 100)) / 100.0f;
        proto_put_float(question + 96 + 4 * i, i % 3 == 1 ? 0.0f : at);
    }
    for (uint32_t run = 0; run < 12; run++) {
        s->limits.batch_threads = run % (WORKERS + 1) + 1;
        reply got = ask(s, "paths", "application/vnd.navmeshd.paths", (const char *)question,
                        sizeof question);
        assert_int_equal(got.status, 200);
        if (run == 0) {
            alone = got;
            continue;
        }
        assert_int_equal(got.body_bytes, alone.body_bytes);
        assert_memory_equal(got.body, alone.body, alone.body_bytes);
        free(got.body);
    }
    free(alone.body);
}

// ---- packed ----

#define PACKED_COUNT 400u
#define RECORD 72u

typedef struct packed_batch {
    uint8_t bytes[32 + RECORD * PACKED_COUNT + 12 * 2 * PACKED_COUNT + 4096];
    size_t size_bytes;
    text json; // the same queries
} packed_batch;

static float place_by_chance(uint64_t *random)
{
    return (float)(next_random(random) % (SIDE * 4)) / 4.0f; // with few digits, as in JSON
}

static void put_json_point(text *t, const char *member, const float point[3])
{
    put(t, ",\"%s\":[%g,%g,%g]", member, (double)point[0], (double)point[1], (double)point[2]);
}

// One query in both forms; points of a `reachable` go behind those of others.
static void put_both(packed_batch *b, uint32_t index, uint64_t *random, float (*points)[3],
                     uint32_t *point_count)
{
    uint8_t *record = b->bytes + 32 + (size_t)RECORD * index;
    const proto_asked asked = (proto_asked)(index % PROTO_ASKED_COUNT);
    float first[3] = {place_by_chance(random), 0, place_by_chance(random)};
    const float second[3] = {place_by_chance(random), 0, place_by_chance(random)};
    const bool walks =
        asked == PROTO_ASKED_PATH || asked == PROTO_ASKED_RAYCAST || asked == PROTO_ASKED_MOVE;
    put(&b->json, "%s{\"kind\":\"%s\"", index > 0 ? "," : "", PROTO_ASKED_WORDS[asked]);
    record[0] = (uint8_t)asked;
    for (uint32_t i = 0; i < 3; i++) {
        proto_put_float(record + 48 + 4 * i, i == 0 ? 2.0f : 4.0f); // snap
    }
    if (index % 3 == 1) {
        proto_put_u32(record + 4, 2);
        put(&b->json, ",\"filter\":1");
    }
    if (index % 5 == 1) {
        proto_put_u32(record + 4, proto_get_u32(record + 4) | 1u << 16);
        put(&b->json, ",\"avoid\":0");
    }
    for (uint32_t i = 0; i < 3 && asked != PROTO_ASKED_RANDOM; i++) {
        proto_put_float(record + 24 + 4 * i, first[i]);
        if (walks) {
            proto_put_float(record + 36 + 4 * i, second[i]);
        }
    }
    if (walks) {
        put_json_point(&b->json, "start", first);
        put_json_point(&b->json, "end", second);
    } else if (asked == PROTO_ASKED_NEAREST || asked == PROTO_ASKED_WALL) {
        put_json_point(&b->json, "point", first);
    } else if (asked == PROTO_ASKED_FLOORS) {
        put(&b->json, ",\"x\":%g,\"z\":%g", (double)first[0], (double)first[2]);
    } else if (asked == PROTO_ASKED_REACHABLE) {
        put_json_point(&b->json, "start", first);
        put(&b->json, ",\"points\":[[%g,0,%g],[1,0,1]]", (double)second[0], (double)second[2]);
        memcpy(points[(*point_count)++], second, sizeof second);
        memcpy(points[(*point_count)++], (const float[3]){1, 0, 1}, sizeof second);
        proto_put_u32(record + 16, 2);
    } else {
        record[1] = 16;
        proto_put_u32(record + 16, 3);
        proto_put_u32(record + 20, index);
        put(&b->json, ",\"count\":3,\"seed\":%u", index);
    }
    if (asked == PROTO_ASKED_WALL) {
        proto_put_float(record + 60, 7.0f);
        put(&b->json, ",\"max_radius\":7");
    }
    if (asked == PROTO_ASKED_PATH && index % 2 == 0) {
        record[1] = 1;
        record[2] = NAV_SEARCH_FAST;
        proto_put_float(record + 64, 20.0f);
        put(&b->json, ",\"search\":\"fast\",\"partial\":false,\"max_cost\":20");
    }
    put(&b->json, "}");
}

static void make_packed(packed_batch *b)
{
    static float points[2 * PACKED_COUNT][3];
    uint64_t random = 77;
    uint32_t point_count = 0;
    char lists[2048];
    memset(b, 0, sizeof *b);
    b->json = text_new();
    const int list_bytes =
        snprintf(lists, sizeof lists, "{\"filters\":[%s,%s],\"avoid_sets\":[%s]}", FILTERS[0],
                 FILTERS[2], AVOID_SETS[0]);
    put(&b->json, "{\"filters\":[%s,%s],\"avoid_sets\":[%s],\"queries\":[", FILTERS[0], FILTERS[2],
        AVOID_SETS[0]);
    for (uint32_t i = 0; i < PACKED_COUNT; i++) {
        put_both(b, i, &random, points, &point_count);
    }
    put(&b->json, "]}");
    memcpy(b->bytes, "NAVB", 4);
    proto_put_u32(b->bytes + 4, 1);
    proto_put_u32(b->bytes + 8, PACKED_COUNT);
    proto_put_u32(b->bytes + 16, (uint32_t)list_bytes);
    proto_put_u32(b->bytes + 20, point_count);
    uint8_t *at = b->bytes + 32 + (size_t)RECORD * PACKED_COUNT;
    for (uint32_t i = 0; i < 3 * point_count; i++) {
        at = proto_put_float(at, points[i / 3][i % 3]);
    }
    memcpy(at, lists, (size_t)list_bytes);
    b->size_bytes = (size_t)(at - b->bytes) + (size_t)list_bytes;
}

// The next number of a text, also one within quotes, or 1 and 0 for true and false in a
// list. False: there is none.
static bool next_number(const char **at, double *out)
{
    for (; **at != '\0'; (*at)++) {
        if ((**at >= '0' && **at <= '9') || **at == '-') {
            char *end;
            *out = strtod(*at, &end);
            *at = end;
            return true;
        }
        if (strncmp(*at, ":true", 5) == 0 || strncmp(*at, ":false", 6) == 0) {
            (*at)++; // a member that packed answers have as a flag
        } else if (strncmp(*at, "true", 4) == 0 || strncmp(*at, "false", 5) == 0) {
            *out = **at == 't';
            (*at) += 4;
            return true;
        }
    }
    return false;
}

// Holds a number of a packed result against the next one of JSON.
static void same_number(const char **json, double packed, uint32_t index)
{
    double told;
    if (!next_number(json, &told) || fabs(told - packed) > 2e-3) {
        fail_msg("result %u: %g at %.80s", index, packed, *json);
    }
}

static void same_floats(const char **json, const uint8_t *at, uint32_t count, uint32_t index)
{
    for (uint32_t i = 0; i < count; i++) {
        same_number(json, (double)proto_get_float(at + 4 * (size_t)i), index);
    }
}

static void same_places(const char **json, const uint8_t *at, bool floors, uint32_t index)
{
    const uint32_t count = proto_get_u32(at);
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *place = at + 4 + 24 * (size_t)i;
        double height;
        assert_true(!floors || next_number(json, &height));
        same_floats(json, place, floors ? 3 : 4, index);
        same_number(json, proto_get_u32(place + 16), index);
        same_number(json, proto_get_u32(place + 20), index);
    }
}

// The members of a packed result, in the order of its JSON.
static void same_result(const char *json, const uint8_t *at, uint32_t index)
{
    const proto_asked asked = (proto_asked)at[0];
    assert_int_equal(asked, index % PROTO_ASKED_COUNT);
    const bool found = at[1] != 0;
    double skipped;
    at += 8;
    switch (asked) {
    case PROTO_ASKED_PATH:
        json = strstr(json, "\"length\"");
        same_floats(&json, at, 3, index);
        for (int i = 0; i < 6; i++) {
            assert_true(next_number(&json, &skipped)); // start and end
        }
        for (uint32_t i = 0; i < proto_get_u32(at + 16); i++) {
            same_floats(&json, at + 20 + 12 * (size_t)i, 3, index);
        }
        break;
    case PROTO_ASKED_RANDOM:
        same_number(&json, proto_get_u32(at), index);
        same_places(&json, at + 4, false, index);
        break;
    case PROTO_ASKED_NEAREST:
    case PROTO_ASKED_FLOORS:
        same_places(&json, at, asked == PROTO_ASKED_FLOORS, index);
        break;
    case PROTO_ASKED_RAYCAST:
        same_floats(&json, at, found ? 7 : 0, index);
        if (found && at[-5] == 1) {
            same_floats(&json, at + 28, 3, index);
        }
        same_floats(&json, at + 40, found ? 1 : 0, index);
        break;
    case PROTO_ASKED_MOVE:
        same_floats(&json, at, found ? 3 : 0, index);
        for (uint32_t i = 0; found && i < 1 + proto_get_u32(at + 16); i++) {
            same_number(&json, proto_get_u32(at + (i == 0 ? 12 : 16 + 4 * (size_t)i)), index);
        }
        break;
    case PROTO_ASKED_WALL:
        same_floats(&json, at, found ? at[-5] == 1 ? 7 : 1 : 0, index);
        break;
    case PROTO_ASKED_REACHABLE:
    case PROTO_ASKED_COUNT:
        for (uint32_t i = 0; i < proto_get_u32(at); i++) {
            same_number(&json, at[4 + i], index);
        }
        break;
    }
}

static void packed_results_are_those_of_json(void **state)
{
    service *s = *state;
    static packed_batch b;
    make_packed(&b);
    s->limits.batch_threads = WORKERS + 1;
    reply json = ask(s, "batch", "application/json", b.json.bytes, b.json.used);
    reply got =
        ask(s, "batch", "application/vnd.navmeshd.batch", (const char *)b.bytes, b.size_bytes);
    if (json.status != 200 || got.status != 200) {
        fail_msg("%d %.200s %d %.200s", json.status, json.body, got.status, got.body);
    }
    const uint8_t *bytes = (const uint8_t *)got.body;
    assert_memory_equal(bytes, "NAVR", 4);
    assert_int_equal(proto_get_u32(bytes + 8), 3);
    assert_int_equal(proto_get_u32(bytes + 12), PACKED_COUNT);
    char *results = strndup(json.body, json.body_bytes);
    char *at = strstr(results, "[{") + 1;
    for (uint32_t i = 0; i < PACKED_COUNT; i++) {
        const uint32_t begin = proto_get_u32(bytes + 24 + 4 * (size_t)i);
        assert_true(begin % 4 == 0 && begin < got.body_bytes);
        char *end = at;
        int depth = 0;
        do {
            depth += *end == '{' ? 1 : *end == '}' ? -1 : 0;
        } while (depth > 0 && *end++ != '\0');
        assert_int_equal(*end, '}');
        *end = '\0';
        same_result(at, bytes + begin, i);
        at = end + 2;
    }
    free(results);
    free(json.body);
    free(got.body);
    free(b.json.bytes);
}

// Each damaged word is named, or is a question of its own.
static void damaged_packed_questions_are_refused(void **state)
{
    service *s = *state;
    static packed_batch b;
    const struct {
        uint32_t offset, value;
        const char *at;
    } rows[] = {
        {0, 7, "magic"},
        {4, 2, "format_version"},
        {8, 0, "count"},
        {8, PACKED_COUNT + 1, "count"},
        {16, 1, "count"},
        {24, 1, "reserved"},
        {32, 8, "queries[0].kind"},
        {32, 0x0200, "queries[0].flags"},
        {32, 0x030000, "queries[0].search"},
        {32 + 4, 9, "queries[0].filter"},
        {32 + 4, 9 << 16, "queries[0].avoid"},
        {32 + 8, 1, "queries[0].instance"},
        {32 + 8, 1 << 16, "queries[0].reserved"},
        {32 + 12, 30001, "queries[0].deadline_ms"},
        {32 + 16, 1, "queries[0].reserved"},
        {32 + 24, 0x7fc00000, "queries[0].start[0]"},
        {32 + 48, 0xbf800000, "queries[0].snap.horizontal"},
        {32 + RECORD + 16, 65, "queries[1].count"},
        {32 + RECORD + 36, 1, "queries[1].reserved"},
        {32 + 4 * RECORD + 16, 0, "queries[4].count"},
        {32 + 4 * RECORD + 16, 1, "points"},
        {32 + PACKED_COUNT * RECORD, 0x7f800000, "points[0][0]"},
    };
    make_packed(&b);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint32_t before = proto_get_u32(b.bytes + rows[i].offset);
        char expected[128];
        proto_put_u32(b.bytes + rows[i].offset, rows[i].value);
        reply got =
            ask(s, "batch", "application/vnd.navmeshd.batch", (const char *)b.bytes, b.size_bytes);
        proto_put_u32(b.bytes + rows[i].offset, before);
        char *body = strndup(got.body, got.body_bytes);
        (void)snprintf(expected, sizeof expected, "\"at\":\"%s\"", rows[i].at);
        if (got.status != 422 || strstr(body, expected) == NULL) {
            fail_msg("%s: %d %.300s", rows[i].at, got.status, body);
        }
        free(body);
        free(got.body);
    }
    free(b.json.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_query_is_answered_as_alone),
        cmocka_unit_test(a_query_with_shapes_is_answered_as_alone),
        cmocka_unit_test(a_fault_is_told_with_its_query),
        cmocka_unit_test(the_same_fault_is_told_on_all_threads),
        cmocka_unit_test(packed_paths_are_the_same_on_all_threads),
        cmocka_unit_test(packed_results_are_those_of_json),
        cmocka_unit_test(damaged_packed_questions_are_refused),
    };
    return cmocka_run_group_tests_name("batch", tests, set_up, tear_down);
}
