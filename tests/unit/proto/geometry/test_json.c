// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_json.c: JSON geometry gives its triangles and its config, however it is cut, or an
// error that says where.

#include "tests/unit/geometry_text.h"

#include <stdio.h>

static const float VERTICES[9] = {0, 0, 0, 4, 0.5f, 0, 0, 0, -4};
static const uint32_t TRIANGLE[3] = {0, 2, 1};

static void test_spellings_of_a_triangle(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{\"vertices\":[[0,0,0],[4,0.5,0],[0,0,-4]],\"triangles\":[[0,2,1]]}",
        "{\"vertices\":[0,0,0,4,0.5,0,0,0,-4],\"triangles\":[0,2,1]}",
        "{\"triangles\":[0,2,1],\"vertices\":[[0,0,0],[4,0.5,0],[0,0,-4]]}",
        (" \r\n{ \"vertices\" : [ [ 0 , 0 , 0 ] , [ 4e0, 5E-1, 0.0 ] , [ 0, 0, -0.4e+1 ] ]\t,"
         "\"triangles\" : [ [ 0 , 2.0 , 1e0 ] ] } \n"),
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        proto_geometry_reader *reader;
        nav_geometry geometry;
        nav_error err;
        nav_status status = read_geometry(PROTO_FORMAT_JSON, texts[i], strlen(texts[i]), 0, 1,
                                          &reader, &geometry, &err);
        assert_string_equal(err.detail, "");
        assert_int_equal(status, NAV_OK);
        assert_int_equal(geometry.vertex_count, 3);
        assert_int_equal(geometry.triangle_count, 1);
        assert_memory_equal(geometry.vertices, VERTICES, sizeof VERTICES);
        assert_memory_equal(geometry.triangles, TRIANGLE, sizeof TRIANGLE);
        assert_null(proto_geometry_config(reader));
        proto_geometry_destroy(reader);
        for (uint32_t piece = 1; piece < 5; piece++) {
            assert_same_in_pieces(PROTO_FORMAT_JSON, texts[i], strlen(texts[i]), piece, piece);
        }
    }
}

#define GEOMETRY "\"vertices\":[0,0,0,1,0,0,0,0,1],\"triangles\":[0,2,1]"

static void test_config_is_kept_as_text(void **state)
{
    (void)state;
    static const char config[] = "{\"cell_size\" : 0.2, \"x\":\"}\\\"{\", \"l\":[{}, []]}";
    char text[256];
    for (uint32_t piece = 0; piece < 8; piece++) {
        snprintf(text, sizeof text, "{\"config\": %s ,%s}", config, GEOMETRY);
        proto_geometry_reader *reader;
        nav_geometry geometry;
        nav_error err;
        assert_int_equal(read_geometry(PROTO_FORMAT_JSON, text, strlen(text), piece, 3, &reader,
                                       &geometry, &err),
                         NAV_OK);
        assert_string_equal(proto_geometry_config(reader), config);
        assert_int_equal(geometry.triangle_count, 1);
        proto_geometry_destroy(reader);
    }
}

#define V3 "{\"vertices\":[[0,0,0],[1,0,0],[0,0,1]]"

static void test_refusals(void **state)
{
    (void)state;
    static const refused_text cases[] = {
        {"", PROTO_BAD_JSON, "byte 0", NULL, NULL},
        {"  ", PROTO_BAD_JSON, "byte 2", NULL, NULL},
        {"{", PROTO_BAD_JSON, "byte 1", NULL, NULL},
        {"{}", NAV_MESH_EMPTY, NULL, NULL, NULL},
        {"{} x", PROTO_BAD_JSON, "byte 3", NULL, NULL},
        {"[]", PROTO_BAD_JSON, "byte 0", NULL, NULL},
        {"7", PROTO_BAD_JSON, "byte 0", NULL, NULL},
        {"\xef\xbb\xbf{}", PROTO_BAD_JSON, "byte 0", NULL, NULL},
        {"{vertices:[]}", PROTO_BAD_JSON, "byte 1", NULL, NULL},
        {"{\"vertices\" []}", PROTO_BAD_JSON, "byte 12", NULL, NULL},
        {"{\"vertices\":[],}", PROTO_BAD_JSON, "byte 15", NULL, NULL},
        {"{\"vertices\":[[0,0,0]", PROTO_BAD_JSON, "byte 20", NULL, NULL},
        {"{\"vertices\":[[0,0", PROTO_BAD_JSON, NULL, NULL, NULL},
        {V3, PROTO_BAD_JSON, NULL, NULL, NULL},
        {V3 "}", NAV_MESH_EMPTY, NULL, NULL, NULL},
        {V3 ",\"vertices\":[]}", PROTO_BAD_JSON, "vertices", NULL, NULL},
        {V3 ",\"areas\":[1]}", NAV_INVALID_FIELD, "areas[0]", NULL, NULL},
        {V3 ",\"colour\":1}", PROTO_UNKNOWN_FIELD, "colour", NULL, NULL},
        {V3 ",\"\":1}", PROTO_UNKNOWN_FIELD, NULL, NULL, NULL},
        {"{\"vertices\":null}", NAV_INVALID_FIELD, "vertices", NULL, NULL},
        {"{\"vertices\":{\"a\":1}}", NAV_INVALID_FIELD, "vertices", NULL, NULL},
        {"{\"config\":[1]}", NAV_INVALID_FIELD, "config", NULL, NULL},
        {"{\"vertices\":[[0,0,0],[1,2]]}", PROTO_BAD_GEOMETRY, "vertices[1]", NULL, NULL},
        {"{\"vertices\":[[]]}", PROTO_BAD_GEOMETRY, "vertices[0]", NULL, NULL},
        {"{\"vertices\":[[0,0,0,0]]}", PROTO_BAD_GEOMETRY, "vertices[0]", NULL, NULL},
        {"{\"vertices\":[0,0,0,1]}", PROTO_BAD_GEOMETRY, "vertices[1]", NULL, NULL},
        {"{\"vertices\":[0,0,0,[1,2,3]]}", PROTO_BAD_GEOMETRY, "vertices[1]", NULL, NULL},
        {"{\"vertices\":[[1,2,3],0,0,0]}", PROTO_BAD_GEOMETRY, "vertices[1]", NULL, NULL},
        {"{\"vertices\":[[1,2,3],]}", PROTO_BAD_JSON, NULL, NULL, NULL},
        {"{\"vertices\":[[1,2,]]}", PROTO_BAD_JSON, NULL, NULL, NULL},
        {"{\"vertices\":[[1 2,3]]}", PROTO_BAD_JSON, NULL, NULL, NULL},
        {"{\"vertices\":[[01,2,3]]}", PROTO_BAD_JSON, NULL, NULL, NULL},
        {"{\"vertices\":[[+1,2,3]]}", PROTO_BAD_JSON, NULL, NULL, NULL},
        {"{\"vertices\":[[.5,2,3]]}", PROTO_BAD_JSON, NULL, NULL, NULL},
        {"{\"vertices\":[[1,\"2\",3]]}", NAV_INVALID_FIELD, "vertices[0]", NULL, NULL},
        {"{\"vertices\":[[1,null,3]]}", NAV_INVALID_FIELD, "vertices[0]", "null", NULL},
        {"{\"vertices\":[[0,0,0],[1,NaN,3]]}", NAV_VERTEX_NOT_FINITE, "vertices[1].y", "NaN", NULL},
        {"{\"vertices\":[0,0,-Infinity]}", NAV_VERTEX_NOT_FINITE, "vertices[0].z", "-Infinity",
         NULL},
        {"{\"vertices\":[0,1e999,0]}", NAV_VERTEX_NOT_FINITE, "vertices[0].y", "1e999", NULL},
        {"{\"vertices\":[10000000,0,0]}", NAV_VERTEX_OUT_OF_RANGE, "vertices[0].x", "10000000",
         "1000000"},
        {V3 ",\"triangles\":[[0,1,-1]]}", NAV_INDEX_OUT_OF_RANGE, "triangles[0]", "-1", NULL},
        {V3 ",\"triangles\":[0,1,2,0,1.5,2]}", NAV_INVALID_FIELD, "triangles[1]", "1.5", NULL},
        {V3 ",\"triangles\":[0,1,1e99]}", NAV_INDEX_OUT_OF_RANGE, "triangles[0]", "1e99", NULL},
        {V3 ",\"triangles\":[[0,1,2],[0,1,3]]}", NAV_INDEX_OUT_OF_RANGE, "triangles[1]", "3", "3"},
        {V3 ",\"triangles\":[0,1,NaN]}", PROTO_BAD_JSON, NULL, NULL, NULL},
        {"{\"config\":{\"a\":[1}],}}", PROTO_BAD_JSON, "byte 17", NULL, NULL},
        {"{\"config\":{\"a\":tru}}", PROTO_BAD_JSON, "byte 15", NULL, NULL},
        {"{\"config\":{\"a\":\"", PROTO_BAD_JSON, NULL, NULL, NULL},
        {"[[1]]", PROTO_BAD_JSON, "byte 0", NULL, NULL},
        {"{\"vertices\":[[[1,2,3]]]}", NAV_INVALID_FIELD, "vertices[0]", NULL, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_refused(PROTO_FORMAT_JSON, &cases[i]);
    }
}

// A text that reads like a number is shown as the text that it is; a number as a number.
static void test_what_was_sent(void **state)
{
    (void)state;
    static const struct {
        const char *text, *got;
        bool is_text;
    } rows[] = {
        {"{\"vertices\":[[1,\"7\",3]]}", "7", true},
        {"{\"vertices\":[[1,true,3]]}", "true", false},
        {V3 ",\"triangles\":[0,1,\"-5\"]}", "-5", true},
        {V3 ",\"triangles\":[0,1,-5]}", "-5", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        proto_geometry_reader *reader;
        nav_geometry geometry = {0};
        nav_error err;
        assert_true(read_geometry(PROTO_FORMAT_JSON, rows[i].text, strlen(rows[i].text), 0, 1,
                                  &reader, &geometry, &err) != NAV_OK);
        proto_geometry_destroy(reader);
        assert_string_equal(err.got, rows[i].got);
        assert_true(err.got_is_text == rows[i].is_text);
    }
}

// 100,000 brackets after any beginning are refused for their depth, at the first that is too deep.
static void test_depth(void **state)
{
    (void)state;
    static const char *const beginnings[] = {"", "{\"vertices\":", "{\"vertices\":[0,0,0,",
                                             "{\"config\":{\"a\":", "{\"config\":"};
    for (size_t i = 0; i < sizeof beginnings / sizeof beginnings[0]; i++) {
        size_t length = strlen(beginnings[i]);
        char *text = malloc(length + 100000);
        assert_non_null(text);
        memcpy(text, beginnings[i], length);
        memset(text + length, '[', 100000);
        proto_geometry_reader *reader;
        nav_geometry geometry;
        nav_error err;
        nav_status status =
            read_geometry(PROTO_FORMAT_JSON, text, length + 100000, 0, 1, &reader, &geometry, &err);
        // Plain numbers mixed with rows are told at once; so deep a text is not needed for that.
        assert_int_equal(status, i == 2 ? PROTO_BAD_GEOMETRY : PROTO_JSON_TOO_DEEP);
        proto_geometry_destroy(reader);
        assert_same_in_pieces(PROTO_FORMAT_JSON, text, length + 100000, 1000, 5);
        free(text);
    }
}

static void test_config_limit(void **state)
{
    (void)state;
    const proto_geometry_limits limits = {.vertices_max = 10,
                                          .triangles_max = 10,
                                          .config_bytes_max = 16,
                                          .config_depth_max = 3,
                                          .config_values_max = 3};
    static const struct {
        const char *text;
        nav_status status;
        const char *at, *limit;
    } rows[] = {
        {"{\"config\":{\"a\":[1]}}", NAV_OK, "", ""},
        {"{\"config\":{\"a\":\"aaaaaaaaaaaaaaaaaaaa\"}}", PROTO_BODY_TOO_LARGE, "config", "16"},
        {"{\"config\":{\"a\":[[]]}}", PROTO_JSON_TOO_DEEP, "byte 16", "3"},
        {"{\"config\":{\"a\":[1,2]}}", PROTO_JSON_TOO_MANY_VALUES, "", "3"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        proto_geometry_reader *reader;
        nav_error err = {0};
        assert_int_equal(proto_geometry_begin(PROTO_FORMAT_JSON, &limits, &reader, &err), NAV_OK);
        assert_int_equal(proto_geometry_feed(reader, rows[i].text, strlen(rows[i].text), &err),
                         rows[i].status);
        assert_string_equal(err.at, rows[i].at);
        assert_string_equal(err.limit, rows[i].limit);
        proto_geometry_destroy(reader);
    }
}

static void test_damage(void **state)
{
    (void)state;
    static const char text[] =
        "{\"vertices\":[[0,0,0],[4.5e0,0,0],[0,0,-4]], \"config\":{\"agent\":"
        "{\"radius\":0.4},\"s\":\"\\u00e4\"},\"triangles\":[0,2,1]}";
    survive_damage(PROTO_FORMAT_JSON, text, sizeof text - 1, 4000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spellings_of_a_triangle),
        cmocka_unit_test(test_config_is_kept_as_text),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_what_was_sent),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_config_limit),
        cmocka_unit_test(test_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
