// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_request.c: a question is the same struct from GET and POST, and what is no question says so.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "proto/requests/requests.h"
#include "tests/unit/memory_fixture.h"

// In metres, as a question to a mesh is checked whose level has no other unit.
static nav_status in_metres(nav_status status, const proto_path_request *read,
                            proto_path_request *out, nav_error *err)
{
    proto_path_request request = *read;
    if (status == NAV_OK) {
        status =
            proto_request_to_mesh(&PROTO_PATH, nav_coordinates_default(), 0, &request.common, err);
    }
    if (status == NAV_OK) {
        *out = request;
    }
    return status;
}

static nav_status path_json(const char *json, size_t size_bytes, proto_path_request *out,
                            nav_error *err)
{
    proto_path_request read = *out;
    const nav_status status =
        proto_request_json(&PROTO_PATH, json, size_bytes, &memory, &read, err);
    return in_metres(status, &read, out, err);
}

static nav_status path_args(const proto_arg *args, size_t count, proto_path_request *out,
                            nav_error *err)
{
    proto_path_request read = *out;
    const nav_status status = proto_request_args(&PROTO_PATH, args, count, &memory, &read, err);
    return in_metres(status, &read, out, err);
}

static nav_status nearest_json(const char *json, size_t size_bytes, proto_nearest_request *out,
                               nav_error *err)
{
    return proto_request_json(&PROTO_NEAREST, json, size_bytes, &memory, out, err);
}

static nav_status nearest_args(const proto_arg *args, size_t count, proto_nearest_request *out,
                               nav_error *err)
{
    return proto_request_args(&PROTO_NEAREST, args, count, &memory, out, err);
}

static void assert_point(const float point[3], float x, float y, float z)
{
    assert_true(point[0] == x && point[1] == y && point[2] == z);
}

static void assert_path_request(const proto_path_request *r)
{
    assert_int_equal(r->common.version, 7);
    assert_point(r->start, 1.0f, -0.5f, 2e2f);
    assert_point(r->end, 0.1f, 0.0f, 3.0f);
    assert_true(r->common.snap.horizontal == 1.5f);
    assert_true(r->common.snap.up == 4.0f); // the default stays where only a part is given
    assert_true(r->common.snap.down == 0.0f);
    assert_int_equal(r->max_nodes, 100);
    assert_true(r->max_cost == 12345678.9 && r->max_length == 40.0 && r->goal_radius == 2.5f);
    assert_true(r->clearance == 0.75f);
}

static void test_path_get_and_post_agree(void **state)
{
    (void)state;
    static const char json[] =
        "{\"start\":[1,-0.5,2e2],\"end\":[0.1,0,3],\"version\":7,\"snap\":{"
        "\"horizontal\":1.5,\"down\":0},\"search\":\"fast\",\"max_nodes\":100,"
        "\"max_cost\":12345678.9,\"max_length\":40,\"goal_radius\":2.5,\"clearance\":0.75}";
    static const proto_arg args[] = {
        {"max_nodes", "100"},   {"start", "1,-0.5,2e2"},    {"end", "0.1,0,3"},
        {"version", "7"},       {"snap.horizontal", "1.5"}, {"snap.down", "0"},
        {"search", "fast"},     {"max_cost", "12345678.9"}, {"max_length", "40"},
        {"goal_radius", "2.5"}, {"clearance", "0.75"},
    };
    proto_path_request request = {0};
    assert_int_equal(path_json(json, sizeof json - 1, &request, NULL), NAV_OK);
    assert_path_request(&request);
    request = (proto_path_request){0};
    assert_int_equal(path_args(args, sizeof args / sizeof args[0], &request, NULL), NAV_OK);
    assert_path_request(&request);
}

static void test_path_defaults(void **state)
{
    (void)state;
    static const char json[] = "{\"start\":[0,0,0],\"end\":[1,1,1]}";
    proto_path_request request = {.common.version = 9, .max_nodes = 9};
    assert_int_equal(path_json(json, sizeof json - 1, &request, NULL), NAV_OK);
    assert_int_equal(request.common.version, 0);
    assert_int_equal(request.max_nodes, 0);
    assert_true(request.max_cost + request.max_length + (double)request.goal_radius == 0.0);
    assert_true(request.clearance == 0.0f);
    assert_true(request.common.snap.horizontal == 2.0f && request.common.snap.up == 4.0f &&
                request.common.snap.down == 4.0f);
}

#define ENDS "\"start\":[0,0,0],\"end\":[1,1,1]"

static void test_path_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *json;
        nav_status status;
        const char *at, *got;
    } cases[] = {
        {"", PROTO_BAD_JSON, "byte 0", ""},
        {"{}", NAV_INVALID_FIELD, "start", ""},
        {"{\"start\":[0,0,0]}", NAV_INVALID_FIELD, "end", ""},
        {"{\"end\":[0,0,0]}", NAV_INVALID_FIELD, "start", ""},
        {"{\"start\":[0,0]}", NAV_INVALID_FIELD, "start", "an array"},
        {"{\"start\":[0,0,0,0]}", NAV_INVALID_FIELD, "start", "an array"},
        {"{\"start\":[]}", NAV_INVALID_FIELD, "start", "an array"},
        {"{\"start\":{\"x\":1}}", NAV_INVALID_FIELD, "start", "an object"},
        {"{\"start\":\"0,0,0\"}", NAV_INVALID_FIELD, "start", "0,0,0"},
        {"{\"start\":[0,null,0]}", NAV_INVALID_FIELD, "start[1]", "null"},
        {"{\"start\":[0,0,1e999]}", NAV_INVALID_FIELD, "start[2]", NULL},
        {"{\"start\":[1e39,0,0]}", NAV_INVALID_FIELD, "start[0]", "1e+39"},
        {"{" ENDS ",\"start\":[0,0,0]}", PROTO_BAD_JSON, "start", ""},
        {"{" ENDS ",\"search\":\"best\"}", NAV_INVALID_FIELD, "search", "best"},
        {"{" ENDS ",\"details\":[\"corners\"]}", NAV_INVALID_FIELD, "details", "corners"},
        {"{" ENDS ",\"details\":\"areas\"}", NAV_INVALID_FIELD, "details", "areas"},
        {"{" ENDS ",\"expand\":1}", NAV_INVALID_FIELD, "expand", "1"},
        {"{" ENDS ",\"deadline_ms\":0}", NAV_INVALID_FIELD, "deadline_ms", "0"},
        {"{" ENDS ",\"search\":1}", NAV_INVALID_FIELD, "search", "1"},
        {"{" ENDS ",\"version\":0}", NAV_INVALID_FIELD, "version", "0"},
        {"{" ENDS ",\"version\":1.5}", NAV_INVALID_FIELD, "version", "1.5"},
        {"{" ENDS ",\"version\":4294967296}", NAV_INVALID_FIELD, "version", "4294967296"},
        {"{" ENDS ",\"max_nodes\":0}", NAV_INVALID_FIELD, "max_nodes", "0"},
        {"{" ENDS ",\"max_cost\":0}", NAV_INVALID_FIELD, "max_cost", "0"},
        {"{" ENDS ",\"max_cost\":-1.5}", NAV_INVALID_FIELD, "max_cost", "-1.5"},
        {"{" ENDS ",\"max_length\":1e999}", NAV_INVALID_FIELD, "max_length", NULL},
        {"{" ENDS ",\"max_length\":1e10}", NAV_INVALID_FIELD, "max_length", "1e+10"},
        {"{" ENDS ",\"max_length\":\"40\"}", NAV_INVALID_FIELD, "max_length", "40"},
        {"{" ENDS ",\"goal_radius\":-0.5}", NAV_INVALID_FIELD, "goal_radius", "-0.5"},
        {"{" ENDS ",\"clearance\":-0.5}", NAV_INVALID_FIELD, "clearance", "-0.5"},
        {"{" ENDS ",\"clearance\":1000.5}", NAV_INVALID_FIELD, "clearance", "1000.5"},
        {"{" ENDS ",\"clearance\":1e999}", NAV_INVALID_FIELD, "clearance", NULL},
        {"{" ENDS ",\"snap\":2}", NAV_INVALID_FIELD, "snap", "2"},
        {"{" ENDS ",\"snap\":{\"up\":-1}}", NAV_INVALID_FIELD, "snap.up", "-1"},
        {"{" ENDS ",\"snap\":{\"up\":10000.5}}", NAV_INVALID_FIELD, "snap.up", "10000.5"},
        {"{" ENDS ",\"snap\":{\"left\":1}}", PROTO_UNKNOWN_FIELD, "snap.left", ""},
        {"{" ENDS ",\"filter\":7}", NAV_INVALID_FIELD, "filter", "7"},
        {"{" ENDS ",\"filter\":{\"cost\":{}}}", PROTO_UNKNOWN_FIELD, "filter.cost", ""},
        {"{" ENDS ",\"filter\":{\"costs\":{\"mud\":0}}}", NAV_INVALID_FIELD, "filter.costs.mud",
         "0"},
        {"{" ENDS ",\"filter\":{\"costs\":{\"mud\":-1}}}", NAV_INVALID_FIELD, "filter.costs.mud",
         "-1"},
        {"{" ENDS ",\"filter\":{\"include\":\"walk\"}}", NAV_INVALID_FIELD, "filter.include",
         "walk"},
        {"{" ENDS ",\"avoid\":{}}", NAV_INVALID_FIELD, "avoid", "an object"},
        {"{" ENDS ",\"avoid\":[{}]}", NAV_INVALID_FIELD, "avoid[0].shape", ""},
        {"{" ENDS ",\"avoid\":[{\"shape\":\"circle\",\"radius\":1}]}", NAV_INVALID_FIELD,
         "avoid[0].center", ""},
        {"{" ENDS ",\"avoid\":[{\"shape\":\"circle\",\"center\":[0,0,0],\"radius\":-1}]}",
         NAV_INVALID_FIELD, "avoid[0].radius", "-1"},
        {"{" ENDS ",\"avoid\":[{\"shape\":\"box\",\"min\":[0,0,0],\"max\":[1,1,1],\"radius\":1}]}",
         PROTO_UNKNOWN_FIELD, "avoid[0].radius", ""},
        {"{" ENDS ",\"avoid\":[{\"shape\":\"convex\",\"points\":[[0,0],[1,0]]}]}",
         NAV_INVALID_FIELD, "avoid[0].points", "an array"},
        {"{" ENDS ",\"avoid\":[{\"shape\":\"box\",\"min\":[0,0,0],\"max\":[1,1,1],\"blocked\":true,"
         "\"cost\":2}]}",
         NAV_INVALID_FIELD, "avoid[0].cost", "2"},
        {"{" ENDS ",\"Start\":[0,0,0]}", PROTO_UNKNOWN_FIELD, "Start", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        proto_path_request request = {.common.version = 77};
        nav_error err = {0};
        nav_status status = path_json(cases[i].json, strlen(cases[i].json), &request, &err);
        if (status != cases[i].status) {
            fail_msg("%s gave %s", cases[i].json, proto_status_word(status));
        }
        assert_string_equal(err.at, cases[i].at);
        if (cases[i].got != NULL) {
            assert_string_equal(err.got, cases[i].got);
        }
        assert_int_equal(request.common.version, 77);
    }
}

static void test_path_wrong_arguments(void **state)
{
    (void)state;
    static const struct {
        proto_arg arg;
        nav_status status;
        const char *at;
    } cases[] = {
        {{"start", ""}, NAV_INVALID_FIELD, "start"},
        {{"start", "1,2"}, NAV_INVALID_FIELD, "start"},
        {{"start", "1,2,3,4"}, NAV_INVALID_FIELD, "start"},
        {{"start", "1,2,3,"}, NAV_INVALID_FIELD, "start"},
        {{"start", "1,,3"}, NAV_INVALID_FIELD, "start[1]"},
        {{"start", "nan,0,0"}, NAV_INVALID_FIELD, "start[0]"},
        {{"start", "0,0,inf"}, NAV_INVALID_FIELD, "start[2]"},
        {{"start", "0,0, 1"}, NAV_INVALID_FIELD, "start[2]"},
        {{"version", "-1"}, NAV_INVALID_FIELD, "version"},
        {{"version", ""}, NAV_INVALID_FIELD, "version"},
        {{"snap.up", "-1"}, NAV_INVALID_FIELD, "snap.up"},
        {{"snap", "1"}, PROTO_UNKNOWN_FIELD, "snap"},
        {{"point", "0,0,0"}, PROTO_UNKNOWN_FIELD, "point"},
        {{"end", "0,0,0"}, NAV_INVALID_FIELD, "start"}, // start is missing
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        proto_path_request request = {0};
        nav_error err = {0};
        assert_int_equal(path_args(&cases[i].arg, 1, &request, &err), cases[i].status);
        assert_string_equal(err.at, cases[i].at);
    }
    const proto_arg twice[2] = {{"version", "1"}, {"version", "1"}};
    nav_error err;
    assert_int_equal(path_args(twice, 2, &(proto_path_request){0}, &err), NAV_INVALID_FIELD);
    assert_string_equal(err.at, "version");
}

static void test_nearest(void **state)
{
    (void)state;
    static const char json[] = "{\"point\":[1,2,3],\"count\":64,\"snap\":{\"up\":1},\"version\":2}";
    static const proto_arg args[] = {
        {"point", "1,2,3"}, {"count", "64"}, {"snap.up", "1"}, {"version", "2"}};
    proto_nearest_request requests[2];
    assert_int_equal(nearest_json(json, sizeof json - 1, &requests[0], NULL), NAV_OK);
    assert_int_equal(nearest_args(args, 4, &requests[1], NULL), NAV_OK);
    for (int i = 0; i < 2; i++) {
        assert_point(requests[i].point, 1, 2, 3);
        assert_int_equal(requests[i].count, 64);
        assert_int_equal(requests[i].common.version, 2);
        assert_true(requests[i].common.snap.up == 1.0f && requests[i].common.snap.down == 4.0f);
    }
    assert_int_equal(nearest_args(args, 1, &requests[0], NULL), NAV_OK);
    assert_int_equal(requests[0].count, 1);
    nav_error err;
    assert_int_equal(nearest_args(args + 1, 1, &requests[0], &err), NAV_INVALID_FIELD);
    assert_string_equal(err.at, "point");
    for (const char *const *count = (const char *const[]){"0", "65", "1.5", NULL}; *count != NULL;
         count++) {
        assert_int_equal(nearest_args(&(proto_arg){"count", *count}, 1, &requests[0], &err),
                         NAV_INVALID_FIELD);
        assert_string_equal(err.at, "count");
    }
    assert_int_equal(nearest_args(&(proto_arg){"count", "65"}, 1, &requests[0], &err),
                     NAV_INVALID_FIELD);
    assert_string_equal(err.limit, "64");
}

static void test_nearest_above_or_below(void **state)
{
    (void)state;
    proto_nearest_request r;
    const proto_arg args[] = {{"point", "1,2,3"}, {"above", "1"}, {"below", "true"}};
    assert_int_equal(nearest_args(args, 2, &r, NULL), NAV_OK);
    assert_true(r.above && !r.below);
    static const char json[] = "{\"point\":[1,2,3],\"below\":true,\"above\":false}";
    assert_int_equal(nearest_json(json, sizeof json - 1, &r, NULL), NAV_OK);
    assert_true(!r.above && r.below);
    nav_error err;
    assert_int_equal(nearest_args(args, 3, &r, &err), NAV_INVALID_FIELD);
    assert_string_equal(err.at, "below");
    assert_string_equal(err.got, "true");
}

static void test_render(void **state)
{
    (void)state;
    proto_render_request request;
    nav_error err;
    assert_int_equal(proto_request_args(&PROTO_RENDER, NULL, 0, NULL, &request, NULL), NAV_OK);
    assert_int_equal(request.width_px, 1024);
    assert_false(request.has_path);
    const proto_arg args[] = {{"path", "1,2,3,4,5,6.5"}, {"width", "64"}};
    assert_int_equal(proto_request_args(&PROTO_RENDER, args, 2, NULL, &request, NULL), NAV_OK);
    assert_int_equal(request.width_px, 64);
    assert_true(request.has_path);
    assert_point(request.start, 1, 2, 3);
    assert_point(request.end, 4, 5, 6.5f);
    assert_int_equal(request.layers, PROTO_LAYERS_DEFAULT);
    assert_false(request.has_bounds || request.legend);
    // A path that is to be drawn has ends.
    static const struct {
        proto_arg arg;
        const char *at;
    } wrong[] = {{{"width", "63"}, "width"},
                 {{"width", "8193"}, "width"},
                 {{"path", "1,2,3"}, "path"},
                 {{"bounds", "1,2"}, "bounds"},
                 {{"bounds", "0,5,0,9,4,9"}, "bounds"},
                 {{"layers", "walls"}, "layers"},
                 {{"legend", "yes"}, "legend"},
                 {{"instance", "a/b"}, "instance"},
                 {{"layers", "areas,path"}, "path"}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(proto_request_args(&PROTO_RENDER, &wrong[i].arg, 1, NULL, &request, &err),
                         NAV_INVALID_FIELD);
        assert_string_equal(err.at, wrong[i].at);
    }
    assert_int_equal(
        proto_request_args(&PROTO_RENDER, &(proto_arg){"height", "9"}, 1, NULL, &request, &err),
        PROTO_UNKNOWN_FIELD);
}

static void test_layers_of_a_picture(void **state)
{
    (void)state;
    proto_render_request request;
    const proto_arg all[] = {{"layers", "obstacles,level,areas,islands,tiles,path"},
                             {"path", "1,2,3,4,5,6"},
                             {"bounds", "-1,-2,-3,1,2,3"},
                             {"legend", "1"}};
    assert_int_equal(proto_request_args(&PROTO_RENDER, all, 4, NULL, &request, NULL), NAV_OK);
    assert_int_equal(request.layers, 63);
    assert_true(request.has_path && request.has_bounds && request.legend);
    assert_point(request.min, -1, -2, -3);
    assert_point(request.max, 1, 2, 3);
    // Without its layer a path is not looked for.
    const proto_arg some[] = {{"layers", "tiles"}, {"path", "1,2,3,4,5,6"}};
    assert_int_equal(proto_request_args(&PROTO_RENDER, some, 2, NULL, &request, NULL), NAV_OK);
    assert_int_equal(request.layers, PROTO_LAYER_TILES);
    assert_false(request.has_path);
    const proto_arg instance = {"instance", "run-17"};
    assert_int_equal(proto_request_args(&PROTO_RENDER, &instance, 1, NULL, &request, NULL), NAV_OK);
    assert_int_equal(request.layers, PROTO_LAYERS_DEFAULT | PROTO_LAYER_OBSTACLES);
    assert_string_equal(request.instance, "run-17");
}

static nav_status read_active(const char *json, const proto_arg *args, size_t arg_count,
                              proto_active_request *out, nav_error *err)
{
    return proto_active_request_read(json, strlen(json), args, arg_count, out, err);
}

static void test_active(void **state)
{
    (void)state;
    proto_active_request request = {.version = 5};
    nav_error err;
    assert_int_equal(read_active("{\"version\":2}", NULL, 0, &request, &err), NAV_OK);
    assert_int_equal(request.version, 2);
    assert_false(request.force);
    assert_int_equal(read_active("{\"version\":3}", &(proto_arg){"force", "1"}, 1, &request, &err),
                     NAV_OK);
    assert_int_equal(request.version, 3);
    assert_true(request.force);
    static const char *const wrong[] = {"{}", "{\"version\":0}", "{\"version\":\"2\"}"};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(read_active(wrong[i], NULL, 0, &request, &err), NAV_INVALID_FIELD);
        assert_string_equal(err.at, "version");
    }
    assert_int_equal(
        read_active("{\"version\":4}", &(proto_arg){"version", "1"}, 1, &request, &err),
        PROTO_UNKNOWN_FIELD);
    assert_int_equal(request.version, 3);
}

static void test_diff(void **state)
{
    (void)state;
    proto_diff_request request = {0};
    nav_error err;
    static const proto_arg args[] = {{"to", "3"}, {"from", "2"}, {"from", "4"}, {"step", "1"}};
    assert_int_equal(proto_request_args(&PROTO_DIFF, args, 2, NULL, &request, &err), NAV_OK);
    assert_int_equal(request.from, 2);
    assert_int_equal(request.to, 3);
    assert_int_equal(proto_request_args(&PROTO_DIFF, args, 1, NULL, &request, &err),
                     NAV_INVALID_FIELD);
    assert_string_equal(err.at, "from");
    assert_int_equal(proto_request_args(&PROTO_DIFF, args, 3, NULL, &request, &err),
                     NAV_INVALID_FIELD);
    assert_int_equal(proto_request_args(&PROTO_DIFF, &args[2], 2, NULL, &request, &err),
                     PROTO_UNKNOWN_FIELD);
    assert_int_equal(request.to, 3);
}

static void test_upload(void **state)
{
    (void)state;
    proto_upload_request request;
    nav_error err;
    assert_int_equal(proto_upload_request_read(NULL, 0, NULL, &memory, &request, &err), NAV_OK);
    assert_false(request.wait);
    assert_true(request.activate && request.reuse);
    assert_true(request.config.cell_size == 0.3f);
    const proto_arg args[] = {
        {"wait", "1"}, {"activate", "false"}, {"reuse", "0"}, {"cell_size", "0.25"}};
    assert_int_equal(proto_upload_request_read(args, 4,
                                               "{\"cell_size\":0.5,\"agent\":{\"radius\":1}}",
                                               &memory, &request, &err),
                     NAV_OK);
    assert_true(request.wait);
    assert_false(request.activate || request.reuse);
    assert_true(request.config.cell_size == 0.25f); // the argument wins
    assert_true(request.config.agent_radius == 1.0f);
    // A gate at the end of the bake is worth waiting for.
    static const char *const gates[] = {"strict", "require_checks"};
    for (int i = 0; i < 2; i++) {
        const proto_arg gate[] = {{gates[i], "1"}, {"wait", "0"}};
        assert_int_equal(proto_upload_request_read(gate, 2, NULL, &memory, &request, &err), NAV_OK);
        assert_true(request.wait && request.strict == (i == 0) &&
                    request.require_checks == (i == 1));
    }
    static const struct {
        proto_arg args[2];
        size_t count;
        const char *config;
        nav_status status;
        const char *at;
    } cases[] = {
        {{{"wait", "2"}}, 1, NULL, NAV_INVALID_FIELD, "wait"},
        {{{"walt", "1"}}, 1, NULL, PROTO_UNKNOWN_FIELD, "walt"},
        {{{"strict", "yes"}}, 1, NULL, NAV_INVALID_FIELD, "strict"},
        {{{"strict", "1"}, {"force", "1"}}, 2, NULL, NAV_INVALID_FIELD, "force"},
        {{{"force", "1"}, {"require_checks", "1"}}, 2, NULL, NAV_INVALID_FIELD, "force"},
        {{{"wait", "1"}, {"wait", "1"}}, 2, NULL, NAV_INVALID_FIELD, "wait"},
        {{{"cell_size", "0"}}, 1, NULL, NAV_INVALID_FIELD, "cell_size"},
        {{{"cell_size", "-1"}}, 1, NULL, NAV_INVALID_FIELD, "cell_size"},
        {{{"cell_size", "nan"}}, 1, NULL, NAV_INVALID_FIELD, "cell_size"},
        {{{"cell_size", "1"}},
         1,
         "{\"agent\":{\"max_slope\":90}}",
         NAV_INVALID_FIELD,
         "agent.max_slope"},
        {{{"cell_size", "1"}}, 1, "{\"colour\":1}", PROTO_UNKNOWN_FIELD, "colour"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(proto_upload_request_read(cases[i].args, cases[i].count, cases[i].config,
                                                   &memory, &request, &err),
                         cases[i].status);
        assert_string_equal(err.at, cases[i].at);
    }
}

static void test_damage(void **state)
{
    (void)state;
    static const char json[] = "{\"start\":[1,-0.5,2e2],\"end\":[0.1,0,3],\"version\":7,\"snap\":{"
                               "\"horizontal\":1.5,\"down\":0},\"search\":\"fast\"}";
    uint32_t seed = 521288629u;
    for (int round = 0; round < 10000; round++) {
        char *copy = malloc(sizeof json);
        assert_non_null(copy);
        memcpy(copy, json, sizeof json);
        for (int hits = 0; hits < 2; hits++) {
            seed = seed * 1664525u + 1013904223u;
            copy[(seed >> 8) % (sizeof json - 1)] =
                (seed & 1) != 0 ? (char)(seed >> 24) : "{}[],:\"0.-et\\"[(seed >> 24) % 13];
        }
        proto_path_request request = {0};
        nav_error err = {0};
        nav_status status = path_json(copy, sizeof json - 1, &request, &err);
        assert_int_equal(status, err.status);
        const proto_arg arg = {"start", copy};
        assert_int_equal(path_args(&arg, 1, &request, &err), NAV_INVALID_FIELD);
        free(copy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_path_get_and_post_agree, memory_begin, memory_end),
        cmocka_unit_test_setup_teardown(test_path_defaults, memory_begin, memory_end),
        cmocka_unit_test_setup_teardown(test_path_refusals, memory_begin, memory_end),
        cmocka_unit_test_setup_teardown(test_path_wrong_arguments, memory_begin, memory_end),
        cmocka_unit_test_setup_teardown(test_nearest, memory_begin, memory_end),
        cmocka_unit_test_setup_teardown(test_nearest_above_or_below, memory_begin, memory_end),
        cmocka_unit_test_setup_teardown(test_render, memory_begin, memory_end),
        cmocka_unit_test_setup_teardown(test_layers_of_a_picture, memory_begin, memory_end),
        cmocka_unit_test_setup_teardown(test_active, memory_begin, memory_end),
        cmocka_unit_test_setup_teardown(test_diff, memory_begin, memory_end),
        cmocka_unit_test_setup_teardown(test_upload, memory_begin, memory_end),
        cmocka_unit_test_setup_teardown(test_damage, memory_begin, memory_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
