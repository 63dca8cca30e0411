// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_batch.c: a query of a batch gets the very bytes that its question gets alone, in the order
// in which it came, and one fault refuses all of them. Handlers are called without listeners.

#include "tests/unit/batch_service.h"

#include "proto/base/bytes.h"
#include "proto/requests/requests.h"

#define BEGIN "{\"mesh\":\"m\",\"version\":3,"

// ---- questions by chance ----

static void put_point(text *t, uint64_t *random, const char *member)
{
    put(t, "\"%s\":[%.2f,0,%.2f]", member, next_random(random) % (SIDE * 100) / 100.0,
        next_random(random) % (SIDE * 100) / 100.0);
}

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
        // Islands are told by a question alone even where nobody asks for them.
        put(t, ",\"search\":\"%s\",\"details\":[\"islands\"%s]", searches[chance],
            chance == 1 ? ",\"polygons\",\"areas\"" : "");
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_query_is_answered_as_alone),
        cmocka_unit_test(a_query_with_shapes_is_answered_as_alone),
        cmocka_unit_test(a_fault_is_told_with_its_query),
        cmocka_unit_test(the_same_fault_is_told_on_all_threads),
        cmocka_unit_test(packed_paths_are_the_same_on_all_threads),
    };
    return cmocka_run_group_tests_name("batch", tests, set_up, tear_down);
}
