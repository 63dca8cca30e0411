// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_lists.c: questions that hold lists: batches, points, times, filters and shapes to
// avoid. A fault is told with its place, and a request that runs out of memory leaves nothing.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/requests/requests.h"
#include "tests/unit/memory_fixture.h"

typedef union any_request {
    proto_path_request path;
    proto_batch_request batch;
    proto_trace_request trace;
    proto_matrix_request matrix;
    proto_random_request random;
    proto_floors_request floors;
    uint8_t bytes[PROTO_REQUEST_BYTES_MAX];
} any_request;

static nav_status read_text(const proto_kind *kind, const char *json, any_request *out,
                            nav_error *err)
{
    return proto_request_json(kind, json, strlen(json), &memory, out, err);
}

static void assert_read(const proto_kind *kind, const char *json, any_request *out)
{
    nav_error err = {0};
    if (read_text(kind, json, out, &err) != NAV_OK) {
        fail_msg("%s: %s at %s", json, err.detail, err.at);
    }
}

typedef struct refusal {
    const proto_kind *kind;
    const char *json;
    nav_status status;
    const char *at;
} refusal;

static void assert_refused(const refusal *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        any_request out;
        nav_error err = {0};
        const nav_status status = read_text(rows[i].kind, rows[i].json, &out, &err);
        if (status != rows[i].status || strcmp(err.at, rows[i].at) != 0) {
            fail_msg("%s: %d \"%s\" at %s", rows[i].json, status, err.detail, err.at);
        }
        assert_true(err.detail[0] != '\0');
    }
}

#define ASSERT_REFUSED(rows) assert_refused(rows, sizeof(rows) / sizeof(rows)[0])

// Query number `index` of a batch, which is a path.
static const proto_path_request *path_at(const proto_batch_request *batch, uint32_t index)
{
    assert_true(index < batch->count);
    assert_int_equal(batch->queries[index].asked, PROTO_ASKED_PATH);
    return (const void *)batch->queries[index].question;
}

static void test_batches(void **state)
{
    (void)state;
    any_request r;
    assert_read(
        &PROTO_PATHS,
        "{\"version\":4,\"defaults\":{\"end\":[7,8,9],\"search\":\"fast\",\"max_nodes\":5},"
        "\"queries\":[{\"start\":[1,2,3]},{\"start\":[4,5,6],\"end\":[0,0,1],\"id\":\"b\","
        "\"search\":\"exact\"},{\"id\":7.5,\"start\":[0,0,0]},{\"start\":[1,1,1]},"
        "{\"start\":[1,1,1]},{\"start\":[1,1,1]},{\"start\":[1,1,1]},{\"start\":[1,1,1]},"
        "{\"start\":[1,1,1]},{\"start\":[1,1,1]},{\"start\":[1,1,1],\"details\":[\"links\"]}]}",
        &r);
    const proto_path_request *q[11];
    for (uint32_t i = 0; i < 11; i++) {
        q[i] = path_at(&r.batch, i);
    }
    assert_int_equal(r.batch.common.version, 4);
    assert_int_equal(r.batch.count, 11);
    assert_true(q[0]->start[2] == 3.0f && q[0]->end[0] == 7.0f && q[0]->max_nodes == 5);
    assert_int_equal(q[0]->search, NAV_SEARCH_FAST);
    assert_null(q[0]->common.id);
    assert_true(q[1]->end[2] == 1.0f);
    assert_int_equal(q[1]->search, NAV_SEARCH_EXACT);
    assert_string_equal(q[1]->common.id, "\"b\"");
    assert_string_equal(q[2]->common.id, "7.5");
    assert_int_equal(q[10]->details, PROTO_DETAIL_LINKS);
    assert_int_equal(q[0]->common.avoid_list, 0);
    assert_read(&PROTO_PATHS,
                "{\"defaults\":{\"avoid\":[{\"shape\":\"box\",\"min\":[0,0,0],\"max\":[1,1,1]}]},"
                "\"queries\":[{\"start\":[1,2,3],\"end\":[4,5,6]}]}",
                &r);
    assert_int_equal(path_at(&r.batch, 0)->common.avoid_list, 1);
    assert_int_equal(path_at(&r.batch, 0)->common.avoid_count, 1);
}

// A number is a name here: all of its digits count, also those that no double has.
static void test_ids(void **state)
{
    (void)state;
    static const char *const ids[] = {"9007199254740993",
                                      "76561198000000001",
                                      "-0",
                                      "1.50",
                                      "1E+2",
                                      "1e999",
                                      "-1e-999",
                                      "0.1000000000000000055511151231257827",
                                      "\"\"",
                                      "\"bot \\\"7\\\"\"",
                                      "\"\xc3\xa9\""};
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        char json[256];
        any_request r;
        (void)snprintf(json, sizeof json,
                       "{\"queries\":[{\"id\": %s ,\"start\":[0,0,0],\"end\":[1,1,1]},"
                       "{\"start\":[0,0,0],\"end\":[1,1,1],\"id\":%s}]}",
                       ids[i], ids[i]);
        assert_read(&PROTO_PATHS, json, &r);
        assert_string_equal(path_at(&r.batch, 0)->common.id, ids[i]);
        assert_string_equal(path_at(&r.batch, 1)->common.id, ids[i]);
    }
}

// Members of an object have no order: defaults may come behind the queries that they are for.
static void test_defaults_behind(void **state)
{
    (void)state;
    enum {
        COUNT = 300
    };
    static char json[40 * COUNT + 128];
    any_request r;
    char *at = stpcpy(json, "{\"queries\":[{\"start\":[0,0,0]}");
    for (int i = 1; i < COUNT; i++) {
        at += sprintf(at, ",{\"start\":[%d,0,0],\"max_nodes\":%d}", i, i);
    }
    (void)stpcpy(at, "],\"defaults\":{\"end\":[7,8,9],\"max_nodes\":5},\"version\":4}");
    assert_read(&PROTO_PATHS, json, &r);
    assert_int_equal(r.batch.common.version, 4);
    assert_int_equal(r.batch.count, COUNT);
    assert_int_equal(path_at(&r.batch, 0)->max_nodes, 5);
    for (int i = 1; i < COUNT; i++) {
        const proto_path_request *q = path_at(&r.batch, (uint32_t)i);
        assert_true(q->start[0] == (float)i && q->end[1] == 8.0f);
        assert_int_equal(q->max_nodes, i);
    }
}

static void test_batches_refused(void **state)
{
    (void)state;
    static const refusal rows[] = {
        {&PROTO_PATHS, "{}", NAV_INVALID_FIELD, "queries"},
        {&PROTO_PATHS, "{\"queries\":[]}", NAV_INVALID_FIELD, "queries"},
        {&PROTO_PATHS, "{\"queries\":{\"start\":[0,0,0]}}", NAV_INVALID_FIELD, "queries"},
        {&PROTO_PATHS, "{\"queries\":[3]}", NAV_INVALID_FIELD, "queries[0]"},
        {&PROTO_PATHS, "{\"queries\":[{\"start\":[0,0,0]}]}", NAV_INVALID_FIELD, "queries[0].end"},
        {&PROTO_PATHS, "{\"defaults\":{\"start\":[0,0,0]},\"queries\":[{\"end\":[0,0,0]},{}]}",
         NAV_INVALID_FIELD, "queries[1].end"},
        {&PROTO_PATHS, "{\"queries\":[{\"start\":[0,0,0],\"end\":[0,0]}]}", NAV_INVALID_FIELD,
         "queries[0].end"},
        {&PROTO_PATHS, "{\"queries\":[{\"start\":[0,0,0],\"end\":[0,0,0],\"id\":[]}]}",
         NAV_INVALID_FIELD, "queries[0].id"},
        {&PROTO_PATHS, "{\"queries\":[{\"start\":[0,0,0],\"end\":[0,0,0],\"x\":1}]}",
         PROTO_UNKNOWN_FIELD, "queries[0].x"},
        {&PROTO_PATHS, "{\"queries\":[{\"end\":[0,0,0]},{}],\"defaults\":{\"start\":[0,0,0]}}",
         NAV_INVALID_FIELD, "queries[1].end"},
        {&PROTO_PATHS, "{\"queries\":[],\"defaults\":{\"start\":[0,0,0]}}", NAV_INVALID_FIELD,
         "queries"},
        {&PROTO_PATHS,
         "{\"defaults\":{\"id\":1},\"queries\":[{\"start\":[0,0,0],\"end\":[0,0,0]}]}",
         PROTO_UNKNOWN_FIELD, "defaults.id"},
        {&PROTO_PATHS, "{\"defaults\":7,\"queries\":[{\"start\":[0,0,0],\"end\":[0,0,0]}]}",
         NAV_INVALID_FIELD, "defaults"},
    };
    ASSERT_REFUSED(rows);
    const size_t count = PROTO_BATCH_MAX + 1;
    char *json = malloc(64 + 8 * count);
    char *at = stpcpy(json, "{\"queries\":[{}");
    for (size_t i = 1; i < count; i++) {
        at = stpcpy(at, ",{}");
    }
    (void)stpcpy(at, "]}");
    any_request out;
    nav_error err = {0};
    assert_int_equal(read_text(&PROTO_PATHS, json, &out, &err), PROTO_BATCH_TOO_LARGE);
    assert_string_equal(err.at, "queries");
    assert_string_equal(err.got, "10001");
    assert_string_equal(err.limit, "10000");
    at = stpcpy(json, "{\"targets\":[[0,0,0]");
    for (size_t i = 1; i < count; i++) {
        at = stpcpy(at, ",[0,0,0]");
    }
    (void)stpcpy(at, "]}");
    assert_int_equal(read_text(&PROTO_MATRIX, json, &out, &err), PROTO_BATCH_TOO_LARGE);
    assert_string_equal(err.at, "targets");
    assert_string_equal(err.got, "10001");
    free(json);
}

#define BOX "[{\"shape\":\"box\",\"min\":[0,0,0],\"max\":[1,1,1]}]"

// Each query by the table of its own question, wherever its kind and the lists stand.
static void test_mixed(void **state)
{
    (void)state;
    any_request r;
    assert_read(&PROTO_BATCH,
                "{\"queries\":["
                "{\"kind\":\"path\",\"start\":[1,2,3],\"end\":[4,5,6],\"details\":[\"links\"]},"
                "{\"point\":[1,2,3],\"above\":true,\"count\":2,\"kind\":\"nearest\",\"id\":\"n\"},"
                "{\"kind\":\"raycast\",\"start\":[1,2,3],\"end\":[4,5,6],\"filter\":1,\"avoid\":0,"
                "\"instance\":0},"
                "{\"kind\":\"random\",\"snap\":{\"up\":1},\"seed\":4},"
                "{\"kind\":\"reachable\",\"start\":[1,2,3],\"points\":[[1,1,1],[2,2,2]]},"
                "{\"kind\":\"wall\",\"point\":[1,2,3],\"filter\":0,\"avoid\":1},"
                "{\"kind\":\"floors\",\"x\":1,\"z\":2,\"avoid\":" BOX "},"
                "{\"id\":7,\"deadline_ms\":5,\"k\\u0069nd\":\"move\",\"start\":[1,2,3],"
                "\"end\":[4,5,6]}],"
                "\"avoid_sets\":[" BOX ",[]],\"filters\":[\"boat\",{\"costs\":{\"mud\":4}}],"
                "\"instances\":[\"run-17\"],"
                "\"version\":3}",
                &r);
    const proto_query *q = r.batch.queries;
    assert_int_equal(r.batch.count, PROTO_ASKED_COUNT);
    assert_int_equal(r.batch.common.version, 3);
    for (uint32_t i = 0; i < r.batch.count; i++) {
        assert_int_equal(q[i].asked, i);
    }
    assert_int_equal(path_at(&r.batch, 0)->details, PROTO_DETAIL_LINKS);
    assert_true(path_at(&r.batch, 0)->partial);
    const proto_nearest_request *nearest = (const void *)q[1].question;
    assert_true(nearest->count == 2 && nearest->above);
    assert_string_equal(q[1].question->id, "\"n\"");
    assert_string_equal(q[2].question->filter.costs[0].area, "mud");
    assert_int_equal(q[2].question->filter_list, 2);
    assert_int_equal(q[2].question->avoid_count, 1);
    assert_int_equal(q[2].question->avoid_list, 1);
    assert_string_equal(q[2].question->instance, "run-17");
    const proto_random_request *random = (const void *)q[3].question;
    assert_true(random->has_seed && !random->has_center && random->common.snap.up == 1.0f);
    const proto_reachable_request *reachable = (const void *)q[4].question;
    assert_true(reachable->points.count == 2 && reachable->points.at[1][0] == 2.0f);
    const proto_wall_request *wall = (const void *)q[5].question;
    assert_true(wall->max_radius == 100.0f && wall->common.avoid_count == 0);
    assert_string_equal(wall->common.filter.name, "boat");
    const proto_floors_request *floors = (const void *)q[6].question;
    assert_true(floors->has[2] && floors->z == 2.0f && floors->common.avoid_list == 0);
    assert_int_equal(floors->common.avoid_count, 1);
    assert_int_equal(q[7].question->deadline_ms, 5);
    assert_string_equal(q[7].question->id, "7");
}

#define RAY "\"kind\":\"raycast\",\"start\":[0,0,0],\"end\":[1,1,1]"

static void test_mixed_refused(void **state)
{
    (void)state;
    static const refusal rows[] = {
        {&PROTO_BATCH, "{}", NAV_INVALID_FIELD, "queries"},
        {&PROTO_BATCH, "{\"queries\":[]}", NAV_INVALID_FIELD, "queries"},
        {&PROTO_BATCH, "{\"queries\":7}", NAV_INVALID_FIELD, "queries"},
        {&PROTO_BATCH, "{\"queries\":[{" RAY "},3]}", NAV_INVALID_FIELD, "queries[1]"},
        {&PROTO_BATCH, "{\"queries\":[{\"start\":[0,0,0]}]}", NAV_INVALID_FIELD, "queries[0].kind"},
        {&PROTO_BATCH, "{\"queries\":[{\"snap\":{\"kind\":\"path\"}}]}", NAV_INVALID_FIELD,
         "queries[0].kind"},
        {&PROTO_BATCH, "{\"queries\":[{\"kind\":\"matrix\"}]}", NAV_INVALID_FIELD,
         "queries[0].kind"},
        {&PROTO_BATCH, "{\"queries\":[{\"kind\":0}]}", NAV_INVALID_FIELD, "queries[0].kind"},
        {&PROTO_BATCH, "{\"queries\":[{" RAY ",\"kind\":\"path\"}]}", PROTO_BAD_JSON,
         "queries[0].kind"},
        {&PROTO_BATCH, "{\"queries\":[{\"kind\":\"raycast\",\"start\":[0,0,0]}]}",
         NAV_INVALID_FIELD, "queries[0].end"},
        {&PROTO_BATCH, "{\"queries\":[{\"kind\":\"move\",\"start\":[0,0,0],\"end\":[\"a\",0,0]}]}",
         NAV_INVALID_FIELD, "queries[0].end[0]"},
        {&PROTO_BATCH, "{\"queries\":[{" RAY ",\"version\":1}]}", PROTO_UNKNOWN_FIELD,
         "queries[0].version"},
        {&PROTO_BATCH, "{\"queries\":[{" RAY ",\"search\":\"fast\"}]}", PROTO_UNKNOWN_FIELD,
         "queries[0].search"},
        {&PROTO_BATCH, "{\"queries\":[{\"kind\":\"random\",\"radius\":3}]}", NAV_INVALID_FIELD,
         "queries[0].center"},
        {&PROTO_BATCH, "{\"queries\":[{" RAY ",\"filter\":0}]}", NAV_INVALID_FIELD,
         "queries[0].filter"},
        {&PROTO_BATCH, "{\"filters\":[\"a\"],\"queries\":[{" RAY "},{" RAY ",\"filter\":1}]}",
         NAV_INVALID_FIELD, "queries[1].filter"},
        {&PROTO_BATCH, "{\"queries\":[{" RAY ",\"avoid\":0.5}]}", NAV_INVALID_FIELD,
         "queries[0].avoid"},
        {&PROTO_BATCH, "{\"queries\":[{" RAY ",\"avoid\":-1}]}", NAV_INVALID_FIELD,
         "queries[0].avoid"},
        {&PROTO_BATCH, "{\"avoid_sets\":[[]],\"queries\":[{" RAY ",\"avoid\":1}]}",
         NAV_INVALID_FIELD, "queries[0].avoid"},
        {&PROTO_BATCH, "{\"filters\":{},\"queries\":[{" RAY "}]}", NAV_INVALID_FIELD, "filters"},
        {&PROTO_BATCH, "{\"filters\":[\"a\",0],\"queries\":[{" RAY "}]}", NAV_INVALID_FIELD,
         "filters[1]"},
        {&PROTO_BATCH, "{\"filters\":[{\"costs\":{\"mud\":0}}],\"queries\":[{" RAY "}]}",
         NAV_INVALID_FIELD, "filters[0].costs.mud"},
        {&PROTO_BATCH, "{\"avoid_sets\":[[],[{\"shape\":\"ball\"}]],\"queries\":[{" RAY "}]}",
         NAV_INVALID_FIELD, "avoid_sets[1][0].shape"},
        {&PROTO_BATCH, "{\"queries\":[{" RAY ",\"instance\":0}]}", NAV_INVALID_FIELD,
         "queries[0].instance"},
        {&PROTO_BATCH, "{\"instances\":[7],\"queries\":[{" RAY "}]}", NAV_INVALID_FIELD,
         "instances[0]"},
        {&PROTO_BATCH, "{\"defaults\":{},\"queries\":[{" RAY "}]}", PROTO_UNKNOWN_FIELD,
         "defaults"},
        {&PROTO_BATCH, "{\"queries\":[{" RAY ",\"instance\":17}]}", NAV_INVALID_FIELD,
         "queries[0].instance"},
        {&PROTO_BATCH, "{\"queries\":[{\"start\":[0,0,0]x}]}", PROTO_BAD_JSON, "byte 28"},
        {&PROTO_STEP, "{\"start\":[0,0,0],\"end\":[1,1,1],\"id\":1}", PROTO_UNKNOWN_FIELD, "id"},
        {&PROTO_STEP, "{" RAY "}", PROTO_UNKNOWN_FIELD, "kind"},
        {&PROTO_STEP, "{\"start\":[0,0,0],\"end\":[1,1,1],\"filter\":0}", NAV_INVALID_FIELD,
         "filter"},
    };
    ASSERT_REFUSED(rows);
}

// A batch asks for no more places than fit into an answer.
static void test_places_of_a_batch(void **state)
{
    (void)state;
    static char json[64 * 300];
    const uint32_t count = PROTO_BATCH_PLACES_MAX / PROTO_RANDOM_MAX;
    for (uint32_t more = 0; more < 2; more++) {
        any_request out;
        nav_error err = {0};
        char *at = stpcpy(json, "{\"queries\":[");
        for (uint32_t i = 0; i < count; i++) {
            at = stpcpy(at, "{\"kind\":\"random\",\"count\":1000},");
        }
        (void)stpcpy(at, more == 0 ? "{\"kind\":\"wall\",\"point\":[0,0,0]}]}"
                                   : "{\"kind\":\"nearest\",\"point\":[0,0,0]}]}");
        const nav_status status = read_text(&PROTO_BATCH, json, &out, &err);
        assert_int_equal(status, more == 0 ? NAV_OK : PROTO_BATCH_TOO_LARGE);
        assert_string_equal(err.at, more == 0 ? "" : "queries[200].count");
        assert_string_equal(err.limit, more == 0 ? "" : "200000");
    }
}

static void test_lists_of_a_batch(void **state)
{
    (void)state;
    static char json[8 * 300];
    for (uint32_t more = 0; more < 2; more++) {
        any_request out;
        nav_error err = {0};
        char *at = stpcpy(json, "{\"avoid_sets\":[[]");
        for (uint32_t i = 1; i < PROTO_BATCH_LISTS_MAX + more; i++) {
            at = stpcpy(at, ",[]");
        }
        (void)stpcpy(at, "],\"queries\":[{" RAY ",\"avoid\":255}]}");
        const nav_status status = read_text(&PROTO_BATCH, json, &out, &err);
        assert_int_equal(status, more == 0 ? NAV_OK : NAV_INVALID_FIELD);
        assert_string_equal(err.at, more == 0 ? "" : "avoid_sets");
    }
}

static void test_traces(void **state)
{
    (void)state;
    any_request r;
    assert_read(&PROTO_TRACE,
                "{\"positions\":[[0,1,2],[3,4,5]],\"times_ms\":[0,16.5],\"max_speed\":6}", &r);
    assert_int_equal(r.trace.positions.count, 2);
    assert_true(r.trace.positions.at[1][2] == 5.0f && r.trace.times_ms.at[1] == 16.5);
    assert_true(r.trace.max_speed == 6.0f);
    assert_read(&PROTO_TRACE, "{\"positions\":[[0,1,2]]}", &r);
    assert_int_equal(r.trace.times_ms.count, 0);
    assert_true(r.trace.max_speed == 0.0f);
    static const refusal rows[] = {
        {&PROTO_TRACE, "{\"positions\":[]}", NAV_INVALID_FIELD, "positions"},
        {&PROTO_TRACE, "{\"positions\":3}", NAV_INVALID_FIELD, "positions"},
        {&PROTO_TRACE, "{\"positions\":[[0,0,0],[0,0,\"a\"]]}", NAV_INVALID_FIELD,
         "positions[1][2]"},
        {&PROTO_TRACE, "{\"positions\":[[0,0,0],[0,0,0,0]]}", NAV_INVALID_FIELD, "positions[1]"},
        {&PROTO_TRACE, "{\"positions\":[[0,0,0]],\"times_ms\":[true]}", NAV_INVALID_FIELD,
         "times_ms[0]"},
        {&PROTO_TRACE, "{\"positions\":[[0,0,0]],\"times_ms\":[1e999]}", NAV_INVALID_FIELD,
         "times_ms[0]"},
        {&PROTO_TRACE, "{\"positions\":[[0,0,0]],\"times_ms\":[1,2]}", NAV_INVALID_FIELD,
         "times_ms"},
        {&PROTO_TRACE, "{\"positions\":[[0,0,0]],\"max_speed\":3}", NAV_INVALID_FIELD, "times_ms"},
    };
    ASSERT_REFUSED(rows);
}

static void test_places(void **state)
{
    (void)state;
    any_request r;
    assert_read(&PROTO_RANDOM, "{\"count\":3,\"seed\":9,\"center\":[1,2,3],\"radius\":4}", &r);
    assert_true(r.random.has_center && r.random.radius == 4.0f && r.random.center[1] == 2.0f);
    assert_int_equal(r.random.count, 3);
    assert_int_equal(r.random.seed, 9);
    assert_read(&PROTO_RANDOM, "{\"seed\":1}", &r);
    assert_false(r.random.has_center);
    assert_int_equal(r.random.count, 1);
    assert_read(&PROTO_FLOORS, "{\"x\":1,\"z\":2}", &r);
    assert_true(r.floors.has[2] && !r.floors.has[1] && r.floors.z == 2.0f);
    assert_read(&PROTO_FLOORS, "{\"x\":1,\"y\":2}", &r);
    assert_true(r.floors.has[1] && !r.floors.has[2]);
    static const refusal rows[] = {
        {&PROTO_RANDOM, "{\"center\":[1,2,3]}", NAV_INVALID_FIELD, "radius"},
        {&PROTO_RANDOM, "{\"radius\":3}", NAV_INVALID_FIELD, "center"},
        {&PROTO_RANDOM, "{\"count\":0}", NAV_INVALID_FIELD, "count"},
    };
    ASSERT_REFUSED(rows);
}

#define ENDS "\"start\":[0,0,0],\"end\":[1,1,1],"

static void test_filters(void **state)
{
    (void)state;
    any_request r;
    assert_read(&PROTO_PATH, "{" ENDS "\"filter\":\"boat\"}", &r);
    assert_string_equal(r.path.common.filter.name, "boat");
    assert_read(&PROTO_PATH,
                "{" ENDS "\"filter\":{\"costs\":{\"mud\":2.5,\"sand\":3},\"include\":[\"walk\"],"
                "\"exclude\":[\"door\",\"gate\"]}}",
                &r);
    const proto_filter *f = &r.path.common.filter;
    assert_null(f->name);
    assert_int_equal(f->cost_count, 2);
    assert_string_equal(f->costs[1].area, "sand");
    assert_true(f->costs[0].cost == 2.5f && f->costs[1].cost == 3.0f);
    assert_int_equal(f->include_count, 1);
    assert_string_equal(f->include[0], "walk");
    assert_int_equal(f->exclude_count, 2);
    assert_string_equal(f->exclude[1], "gate");
    static const refusal rows[] = {
        {&PROTO_PATH, "{" ENDS "\"filter\":7}", NAV_INVALID_FIELD, "filter"},
        {&PROTO_PATH, "{" ENDS "\"filter\":{\"cost\":{}}}", PROTO_UNKNOWN_FIELD, "filter.cost"},
        {&PROTO_PATH, "{" ENDS "\"filter\":{\"costs\":[]}}", NAV_INVALID_FIELD, "filter.costs"},
        {&PROTO_PATH, "{" ENDS "\"filter\":{\"costs\":{\"a\":0}}}", NAV_INVALID_FIELD,
         "filter.costs.a"},
        {&PROTO_PATH, "{" ENDS "\"filter\":{\"costs\":{\"a\":1e7}}}", NAV_INVALID_FIELD,
         "filter.costs.a"},
        {&PROTO_PATH, "{" ENDS "\"filter\":{\"costs\":{\"a\":\"b\"}}}", NAV_INVALID_FIELD,
         "filter.costs.a"},
        {&PROTO_PATH, "{" ENDS "\"filter\":{\"costs\":{\"a\":1,\"b\":1,\"a\":2}}}", PROTO_BAD_JSON,
         "filter.costs.a"},
        {&PROTO_PATH, "{" ENDS "\"filter\":{\"include\":\"a\"}}", NAV_INVALID_FIELD,
         "filter.include"},
        {&PROTO_PATH, "{" ENDS "\"filter\":{\"exclude\":[\"a\",1]}}", NAV_INVALID_FIELD,
         "filter.exclude"},
    };
    ASSERT_REFUSED(rows);
}

// As many flags and areas as there can be, and one more.
static void test_filters_that_are_too_long(void **state)
{
    (void)state;
    for (int more = 0; more < 2; more++) {
        char json[2048];
        char *at = stpcpy(json, "{" ENDS "\"filter\":{\"include\":[\"0\"");
        for (int i = 1; i < NAV_FLAGS_MAX + more; i++) {
            at += sprintf(at, ",\"%d\"", i);
        }
        (void)stpcpy(at, "]}}");
        any_request out;
        nav_error err = {0};
        assert_int_equal(read_text(&PROTO_PATH, json, &out, &err),
                         more == 0 ? NAV_OK : NAV_INVALID_FIELD);
        at = stpcpy(json, "{" ENDS "\"filter\":{\"costs\":{\"0\":1");
        for (int i = 1; i < NAV_AREAS_MAX + more; i++) {
            at += sprintf(at, ",\"%d\":1", i);
        }
        (void)stpcpy(at, "}}}");
        assert_int_equal(read_text(&PROTO_PATH, json, &out, &err),
                         more == 0 ? NAV_OK : NAV_INVALID_FIELD);
    }
}

static void test_shapes(void **state)
{
    (void)state;
    any_request r;
    assert_read(&PROTO_PATH,
                "{" ENDS "\"avoid\":[{\"shape\":\"circle\",\"center\":[1,2,3],\"radius\":4,"
                "\"height\":5},{\"shape\":\"box\",\"min\":[0,1,2],\"max\":[3,4,5],\"cost\":6},"
                "{\"shape\":\"convex\",\"points\":[[0,1],[2,3],[4,5]],\"min_y\":-1,"
                "\"blocked\":false,\"cost\":2},"
                "{\"shape\":\"circle\",\"center\":[1,2,3],\"radius\":0,\"blocked\":true},"
                "{\"shape\":\"capsule\",\"start\":[1,2,3],\"end\":[4,5,6],\"radius\":7},"
                "{\"shape\":\"box\",\"min\":[0,1,2],\"max\":[3,4,5],\"yaw\":-12.5}]}",
                &r);
    const proto_avoid *s = r.path.common.avoid;
    assert_int_equal(r.path.common.avoid_count, 6);
    assert_true(s[0].blocked && s[0].has_height && s[0].height == 5.0f && s[0].cost == 1.0f);
    assert_true(s[0].center[2] == 3.0f && s[0].radius == 4.0f);
    assert_true(!s[1].blocked && s[1].cost == 6.0f && s[1].max[1] == 4.0f);
    assert_true(!s[2].blocked && s[2].point_count == 3 && s[2].points[2][1] == 5.0f);
    assert_true(s[2].min_y == -1.0f && isinf(s[2].max_y));
    assert_true(s[3].blocked && !s[3].has_height);
    assert_true(s[4].start[1] == 2.0f && s[4].end[2] == 6.0f && s[4].radius == 7.0f);
    assert_true(s[5].yaw == -12.5f && s[1].yaw == 0.0f);
    assert_read(&PROTO_PATH, "{" ENDS "\"avoid\":[]}", &r);
    assert_int_equal(r.path.common.avoid_count, 0);
}

static void test_shapes_refused(void **state)
{
    (void)state;
    static const refusal rows[] = {
        {&PROTO_PATH, "{" ENDS "\"avoid\":{}}", NAV_INVALID_FIELD, "avoid"},
        {&PROTO_PATH, "{" ENDS "\"avoid\":[1]}", NAV_INVALID_FIELD, "avoid[0]"},
        {&PROTO_PATH, "{" ENDS "\"avoid\":[{\"center\":[0,0,0],\"radius\":1}]}", NAV_INVALID_FIELD,
         "avoid[0].shape"},
        {&PROTO_PATH, "{" ENDS "\"avoid\":[{\"shape\":\"ball\"}]}", NAV_INVALID_FIELD,
         "avoid[0].shape"},
        {&PROTO_PATH, "{" ENDS "\"avoid\":[{\"shape\":\"circle\",\"center\":[0,0,0]}]}",
         NAV_INVALID_FIELD, "avoid[0].radius"},
        {&PROTO_PATH,
         "{" ENDS "\"avoid\":[{\"shape\":\"box\",\"min\":[0,0,0],\"max\":[1,1,1],\"radius\":1}]}",
         PROTO_UNKNOWN_FIELD, "avoid[0].radius"},
        {&PROTO_PATH,
         "{" ENDS "\"avoid\":[{\"shape\":\"circle\",\"center\":[0,0,0],\"radius\":1,"
         "\"blocked\":true,\"cost\":2}]}",
         NAV_INVALID_FIELD, "avoid[0].cost"},
        {&PROTO_PATH, "{" ENDS "\"avoid\":[{\"shape\":\"convex\",\"points\":[[0,0],[1,1]]}]}",
         NAV_INVALID_FIELD, "avoid[0].points"},
        {&PROTO_PATH,
         "{" ENDS "\"avoid\":[{\"shape\":\"box\",\"min\":[0,0,0],\"max\":[1,1,1],\"yaw\":NaN}]}",
         PROTO_BAD_JSON, "byte 89"},
        {&PROTO_PATH,
         "{" ENDS
         "\"avoid\":[{\"shape\":\"box\",\"min\":[0,0,0],\"max\":[1,1,1],\"yaw\":\"NaN\"}]}",
         NAV_INVALID_FIELD, "avoid[0].yaw"},
        {&PROTO_PATH,
         "{" ENDS "\"avoid\":[{\"shape\":\"box\",\"min\":[0,0,0],\"max\":[1,1,1],\"yaw\":1e999}]}",
         NAV_INVALID_FIELD, "avoid[0].yaw"},
        {&PROTO_PATH,
         "{" ENDS "\"avoid\":[{\"shape\":\"circle\",\"center\":[0,0,0],\"radius\":1,\"yaw\":1}]}",
         PROTO_UNKNOWN_FIELD, "avoid[0].yaw"},
        {&PROTO_PATH,
         "{" ENDS "\"avoid\":[{\"shape\":\"capsule\",\"start\":[0,0,0],\"radius\":1}]}",
         NAV_INVALID_FIELD, "avoid[0].end"},
        {&PROTO_PATH, "{" ENDS "\"avoid\":[{\"shape\":\"convex\",\"points\":7}]}",
         NAV_INVALID_FIELD, "avoid[0].points"},
        {&PROTO_PATH,
         "{" ENDS "\"avoid\":[{\"shape\":\"convex\",\"points\":[[0,0],[1,1],[1,2,3]]}]}",
         NAV_INVALID_FIELD, "avoid[0].points[2]"},
        {&PROTO_PATH,
         "{" ENDS "\"avoid\":[{\"shape\":\"convex\",\"points\":[[0,0],[1,1],[1,2e39]]}]}",
         NAV_INVALID_FIELD, "avoid[0].points[2][1]"},
        {&PROTO_PATH,
         "{" ENDS "\"avoid\":[{\"shape\":\"convex\",\"points\":[[0,0],[1,1],x[1,2]]}]}",
         PROTO_BAD_JSON, "byte 80"},
    };
    ASSERT_REFUSED(rows);
}

// Each allocation fails in turn, by a limit that rises from nothing.
static void assert_no_memory(const proto_kind *kind, const char *json)
{
    size_t refused = 0;
    for (size_t limit = 16;; limit += 16) {
        nav_arena small;
        any_request out;
        nav_error err = {0};
        nav_arena_init(&small, NULL, limit);
        const nav_status status = proto_request_json(kind, json, strlen(json), &small, &out, &err);
        nav_arena_free(&small);
        if (status == NAV_OK) {
            break;
        }
        assert_int_equal(status, NAV_NO_MEMORY);
        assert_true(err.detail[0] != '\0');
        refused++;
    }
    assert_true(refused > 0);
}

static void test_no_memory(void **state)
{
    (void)state;
    assert_no_memory(&PROTO_PATHS, "{\"queries\":[{\"start\":[1,2,3],\"end\":[4,5,6],\"id\":\"a\"},"
                                   "{\"start\":[1,2,3],\"end\":[4,5,6],\"id\":\"b\"}]}");
    assert_no_memory(&PROTO_BATCH,
                     "{\"filters\":[{\"costs\":{\"mud\":4}}],\"avoid_sets\":[" BOX "],"
                     "\"queries\":[{" RAY ",\"id\":7},{" RAY ",\"avoid\":" BOX "}]}");
    assert_no_memory(&PROTO_TRACE, "{\"positions\":[[0,0,0],[1,1,1]],\"times_ms\":[0,1]}");
    assert_no_memory(&PROTO_PATH, "{" ENDS "\"filter\":\"boat\"}");
    assert_no_memory(&PROTO_PATH,
                     "{" ENDS "\"filter\":{\"costs\":{\"mud\":2,\"a name that is longer\":3},"
                     "\"include\":[\"walk\",\"run\"],\"exclude\":[\"door\",\"gate\"]}}");
    assert_no_memory(&PROTO_PATH,
                     "{" ENDS "\"avoid\":[{\"shape\":\"convex\",\"points\":[[0,1],[2,3],"
                     "[4,5]]},{\"shape\":\"convex\",\"points\":[[0,1],[2,3],[4,5]]}]}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_batches, memory_begin, memory_end),
        cmocka_unit_test_setup_teardown(test_ids, memory_begin, memory_end),
        cmocka_unit_test_setup_teardown(test_defaults_behind, memory_begin, memory_end),
        cmocka_unit_test_setup_teardown(test_batches_refused, memory_begin, memory_end),
        cmocka_unit_test_setup_teardown(test_mixed, memory_begin, memory_end),
        cmocka_unit_test_setup_teardown(test_mixed_refused, memory_begin, memory_end),
        cmocka_unit_test_setup_teardown(test_places_of_a_batch, memory_begin, memory_end),
        cmocka_unit_test_setup_teardown(test_lists_of_a_batch, memory_begin, memory_end),
        cmocka_unit_test_setup_teardown(test_traces, memory_begin, memory_end),
        cmocka_unit_test_setup_teardown(test_places, memory_begin, memory_end),
        cmocka_unit_test_setup_teardown(test_filters, memory_begin, memory_end),
        cmocka_unit_test_setup_teardown(test_filters_that_are_too_long, memory_begin, memory_end),
        cmocka_unit_test_setup_teardown(test_shapes, memory_begin, memory_end),
        cmocka_unit_test_setup_teardown(test_shapes_refused, memory_begin, memory_end),
        cmocka_unit_test_setup_teardown(test_no_memory, memory_begin, memory_end),
    };
    return cmocka_run_group_tests_name("request_lists", tests, NULL, NULL);
}
