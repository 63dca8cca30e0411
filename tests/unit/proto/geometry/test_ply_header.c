// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_ply_header.c: headers of PLY that are wrong name the line; comments may be of any length.

#include "proto/geometry/geometry.h"
#include "tests/unit/geometry_text.h"

#include <stdio.h>

#define START "ply\nformat ascii 1.0\n"
#define XYZ "property float x\nproperty float y\nproperty float z\n"
#define VERTICES "element vertex 3\n" XYZ
#define FACES "element face 1\nproperty list uchar int vertex_indices\n"
#define DATA "end_header\n0 0 0\n0 0 4\n4 0 4\n3 0 1 2\n"

static void refusals(void **state)
{
    (void)state;
    static const refused_text cases[] = {
        {"", PROTO_BAD_GEOMETRY, "line 1", "", NULL},
        {"ply\n", PROTO_BAD_GEOMETRY, "line 2", "", NULL},
        {START VERTICES, PROTO_BAD_GEOMETRY, "line 7", "", NULL},
        {"play\nformat ascii 1.0\n", PROTO_BAD_GEOMETRY, "line 1", "play", NULL},
        {"ply ply\n", PROTO_BAD_GEOMETRY, "line 1", "ply", NULL},
        {"ply\nformat ascii 1.1\n", PROTO_BAD_GEOMETRY, "line 2", "1.1", NULL},
        {"ply\nformat binary 1.0\n", PROTO_BAD_GEOMETRY, "line 2", "binary", NULL},
        {START "format ascii 1.0\n", PROTO_BAD_GEOMETRY, "line 3", "ascii", NULL},
        {"ply\nformat ascii\n", PROTO_BAD_GEOMETRY, "line 2", "format", NULL},
        {"ply\n" VERTICES FACES DATA, PROTO_BAD_GEOMETRY, "line 8", "end_header", NULL},
        {START "elements vertex 3\n", PROTO_BAD_GEOMETRY, "line 3", "elements", NULL},
        {START "\n", PROTO_BAD_GEOMETRY, "line 3", "", NULL},
        {START "element vertex\n", PROTO_BAD_GEOMETRY, "line 3", "element", NULL},
        {START "element vertex 3 4\n", PROTO_BAD_GEOMETRY, "line 3", "element", NULL},
        {START "element vertex three\n", PROTO_BAD_GEOMETRY, "line 3", "three", NULL},
        {START "element vertex -3\n", PROTO_BAD_GEOMETRY, "line 3", "-3", NULL},
        {START "element vertex 50000001\n", NAV_GEOMETRY_TOO_LARGE, "vertices", "50000001",
         "50000000"},
        {START "element vertex 4294967296\n", NAV_GEOMETRY_TOO_LARGE, "vertices", "4294967296",
         "50000000"},
        {START "element face 4294967299\n", NAV_GEOMETRY_TOO_LARGE, "triangles", "4294967299",
         "50000000"},
        {START "element face 99999999999999999999999\n", NAV_GEOMETRY_TOO_LARGE, "triangles",
         "99999999999999999999999", NULL},
        {START "element edge 4294967296\n", PROTO_BAD_GEOMETRY, "line 3", "4294967296", NULL},
        {START VERTICES "element vertex 3\n", PROTO_BAD_GEOMETRY, "line 7", "vertex", NULL},
        {START "property float x\n", PROTO_BAD_GEOMETRY, "line 3", "x", NULL},
        {START "element vertex 3\nproperty real x\n", PROTO_BAD_GEOMETRY, "line 4", "real", NULL},
        {START "element vertex 3\nproperty float\n", PROTO_BAD_GEOMETRY, "line 4", "property",
         NULL},
        {START VERTICES "property double x\n", PROTO_BAD_GEOMETRY, "line 7", "x", NULL},
        {START "element face 1\nproperty list float int vertex_indices\n", PROTO_BAD_GEOMETRY,
         "line 4", "float", NULL},
        {START "element face 1\nproperty list real int vertex_indices\n", PROTO_BAD_GEOMETRY,
         "line 4", "real", NULL},
        {START "element face 1\nproperty list uchar float vertex_index\n", PROTO_BAD_GEOMETRY,
         "line 4", "float", NULL},
        {START "element face 1\nproperty list uchar vertex_index\n", PROTO_BAD_GEOMETRY, "line 4",
         "property", NULL},
        {START FACES "property list uchar int vertex_index\n", PROTO_BAD_GEOMETRY, "line 5",
         "vertex_index", NULL},
        {START "element vertex 3\nproperty float x\nproperty float z\nend_header\n",
         PROTO_BAD_GEOMETRY, "line 6", "end_header", NULL},
        // A list is no coordinate, and one number no list.
        {START "element vertex 3\nproperty list uchar float x\nproperty float y\nproperty float z\n"
               "end_header\n",
         PROTO_BAD_GEOMETRY, "line 7", "end_header", NULL},
        {START VERTICES "element face 1\nproperty int vertex_indices\nend_header\n",
         PROTO_BAD_GEOMETRY, "line 9", "end_header", NULL},
        {"solid a\nendsolid a\n", PROTO_MEDIA_TYPE, "byte 0", "STL as text", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_refused(PROTO_FORMAT_PLY, &cases[i]);
    }
}

static void what_is_missing_is_named(void **state)
{
    (void)state;
    static const char text[] =
        START "element vertex 3\nproperty float x\nproperty float y\nend_header\n";
    proto_geometry_reader *reader;
    nav_geometry g;
    nav_error err;
    (void)read_geometry(PROTO_FORMAT_PLY, text, sizeof text - 1, 0, 1, &reader, &g, &err);
    assert_string_equal(err.detail, "line 6: the element vertex has no property z");
    proto_geometry_destroy(reader);
}

static nav_status read_text(const char *text, size_t size_bytes, nav_error *err)
{
    proto_geometry_reader *reader;
    nav_geometry g;
    nav_status status = read_geometry(PROTO_FORMAT_PLY, text, size_bytes, 100, 1, &reader, &g, err);
    proto_geometry_destroy(reader);
    return status;
}

static void lines_of_any_length(void **state)
{
    (void)state;
    static char text[20000];
    nav_error err;
    for (int i = 0; i < 2; i++) {
        const int length = snprintf(text, sizeof text, START "%s%010000d\n" VERTICES FACES DATA,
                                    i == 0 ? "comment " : "obj_info ", 0);
        assert_int_equal(read_text(text, (size_t)length, &err), NAV_OK);
        text[strlen(START) + 20] = '\0'; // a comment may have bytes of any kind
        assert_int_equal(read_text(text, (size_t)length, &err), NAV_OK);
    }
    // Of other lines the longest that is taken, and one more.
    for (int more = 0; more < 2; more++) {
        const int length =
            snprintf(text, sizeof text, START "element edge %0*d\n" VERTICES FACES DATA,
                     (int)PROTO_PLY_LINE_BYTES_MAX - 13 + more, 0);
        assert_int_equal(read_text(text, (size_t)length, &err),
                         more == 0 ? NAV_OK : PROTO_BAD_GEOMETRY);
    }
    assert_string_equal(err.at, "line 3");
    assert_string_equal(err.detail, "line 3: a line of the header is too long");
    static const char zero[] = START "element\0 vertex 3\n";
    assert_int_equal(read_text(zero, sizeof zero - 1, &err), PROTO_BAD_GEOMETRY);
    assert_string_equal(err.at, "line 3");
}

static void too_many_elements_or_properties(void **state)
{
    (void)state;
    static const struct {
        const char *line, *limit;
        int taken;
    } rows[] = {{"element edge 0\n", "32", 30}, {"property float a\n", "256", 252}};
    for (int i = 0; i < 4; i++) {
        static char text[20000];
        const int lines = rows[i / 2].taken + i % 2;
        size_t used = (size_t)snprintf(text, sizeof text, START FACES VERTICES);
        for (int k = 0; k < lines; k++) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%s", rows[i / 2].line);
        }
        used += (size_t)snprintf(text + used, sizeof text - used, "end_header\n");
        nav_error err;
        assert_int_equal(read_text(text, used, &err), PROTO_BAD_GEOMETRY);
        char at[20];
        (void)snprintf(at, sizeof at, "line %d", 9 + lines + (i % 2 == 0 ? 1 : -1));
        assert_string_equal(err.limit, i % 2 == 0 ? "" : rows[i / 2].limit);
        assert_string_equal(err.at, at);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refusals),
        cmocka_unit_test(what_is_missing_is_named),
        cmocka_unit_test(lines_of_any_length),
        cmocka_unit_test(too_many_elements_or_properties),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
