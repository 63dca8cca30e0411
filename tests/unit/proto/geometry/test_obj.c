// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_obj.c: OBJ text gives the triangles that it says, however it is cut, or an error
// that names the line.

#include "tests/unit/geometry_text.h"

#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static void assert_triangles(const char *text, const float *vertices, uint32_t vertex_count,
                             const uint32_t *triangles, uint32_t triangle_count)
{
    proto_geometry_reader *reader;
    nav_geometry geometry;
    nav_error err;
    nav_status status =
        read_geometry(PROTO_FORMAT_OBJ, text, strlen(text), 0, 1, &reader, &geometry, &err);
    assert_string_equal(err.detail, "");
    assert_int_equal(status, NAV_OK);
    assert_int_equal(geometry.vertex_count, vertex_count);
    assert_int_equal(geometry.triangle_count, triangle_count);
    assert_memory_equal(geometry.vertices, vertices, (size_t)12 * vertex_count);
    assert_memory_equal(geometry.triangles, triangles, (size_t)12 * triangle_count);
    assert_null(geometry.triangle_areas);
    assert_null(proto_geometry_config(reader));
    proto_geometry_destroy(reader);
    for (uint32_t piece = 1; piece < 6; piece++) {
        assert_same_in_pieces(PROTO_FORMAT_OBJ, text, strlen(text), piece, piece);
    }
}

static const float SQUARE[12] = {0, 0, 0, 4, 0, 0, 4, 0, 4, 0, 0, 4};

// All of these describe the same square, cut along the same diagonal.
static void test_spellings_of_a_square(void **state)
{
    (void)state;
    static const uint32_t triangles[6] = {0, 1, 2, 0, 2, 3};
    static const char *const texts[] = {
        "v 0 0 0\nv 4 0 0\nv 4 0 4\nv 0 0 4\nf 1 2 3 4\n",
        "v 0 0 0\nv 4 0 0\nv 4 0 4\nv 0 0 4\nf 1 2 3\nf 1 3 4", // no line end at the end
        "v 0 0 0\r\nv 4 0 0\r\nv 4 0 4\r\nv 0 0 4\r\nf 1 2 3 4\r\n",
        "v 0 0 0\rv 4 0 0\rv 4 0 4\rv 0 0 4\rf 1 2 3 4\r",
        "v 0 0 0\nv 4 0 0\nv 4 0 4\nv 0 0 4\nf -4 -3 -2 -1\n",
        "f 1 2 3 4\nv 0 0 0\nv 4 0 0\nv 4 0 4\nv 0 0 4\n", // vertices after the face
        "v 0 0 0\nv 4 0 0\nv 4 0 4\nv 0 0 4\nf 1/1 2/2 3/3 4/4\n",
        "v 0 0 0\nv 4 0 0\nv 4 0 4\nv 0 0 4\nf 1//1 2//1 3//1 4//1\n",
        "v 0 0 0\nv 4 0 0\nv 4 0 4\nv 0 0 4\nf 1/1/1 2/2/-1 -2/3/1 4/4/1 \t \n",
        "\t v  0e0 +0 0.0e3\n v 4.0 0. .0 1.0\nv 400e-2 0 0.4E+1 0.5 0.5 0.5\nv 0 0 4\nf 1 2 3 4",
        "# a comment with C:\\\nv 0 0 0 # one\nv 4 0 0\nv 4 0 4\nv 0 0 4\nf 1 2 3 4 # face\n#",
        "\xef\xbb\xbfv 0 0 0\nv 4 0 0\nv 4 0 4\nv 0 0 4\nf 1 2 \\\n3 4\n",
        "v 0 \\\r\n0 0\nv 4 0 0\nv 4 0 4\nv 0 0 4\nf \\\n 1 2 3\\\n 4",
        ("mtllib C:\\m\\\no house\ng a b\ns off\nvt 0 0\nvn 0 1 0\nvp 1\nv 0 0 0\nv 4 0 0\nusemtl "
         "W\xc3\xa4nde\nv 4 0 4\nv 0 0 4\nl 1 2\np 1\nf 1 2 3 4\n"),
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_triangles(texts[i], SQUARE, 4, triangles, 2);
    }
}

static void test_numbers(void **state)
{
    (void)state;
    static const uint32_t triangle[3] = {0, 1, 2};
    static const float vertices[9] = {
        1.5f, -0.25f, 3000.0f, 0.1f, 0.3f, 1e-20f, 999999.9f, -123.456789f, 16777217.0f / 1000.0f};
    assert_triangles("  v\t+1.5 -.25 3E3 9\nv 0.1 0.30000000000000000000000000001 1e-20 1 0 0\n"
                     "v 999999.9 -123.456789 16777.217\nf 1 2 3",
                     vertices, 3, triangle, 1);
}

static void test_polygon_becomes_a_fan(void **state)
{
    (void)state;
    static const float vertices[15] = {0, 0, 0, 1, 0, 0, 2, 0, 1, 1, 0, 2, 0, 0, 2};
    static const uint32_t triangles[9] = {4, 3, 2, 4, 2, 1, 4, 1, 0};
    assert_triangles("v 0 0 0\nv 1 0 0\nv 2 0 1\nv 1 0 2\nv 0 0 2\nf 5 4 3 2 1\n", vertices, 5,
                     triangles, 3);
}

#define THREE "v 0 0 0\nv 1 0 0\nv 0 0 1\n"

static void test_refusals(void **state)
{
    (void)state;
    static const refused_text cases[] = {
        {"", NAV_MESH_EMPTY, NULL, NULL, NULL},
        {"hello world\n", NAV_MESH_EMPTY, NULL, NULL, NULL},
        {THREE, NAV_MESH_EMPTY, NULL, NULL, NULL},
        {THREE "f 1 2\n", PROTO_BAD_GEOMETRY, "line 4", NULL, NULL},
        {THREE "f\n", PROTO_BAD_GEOMETRY, "line 4", NULL, NULL},
        {THREE "\n\nf 0 1 2\n", NAV_INDEX_OUT_OF_RANGE, "line 6", "0", NULL},
        {THREE "f 1 2 -4\n", NAV_INDEX_OUT_OF_RANGE, "line 4", "-4", "3"},
        {THREE "f 1 2 99999999999999999999\n", NAV_INDEX_OUT_OF_RANGE, "line 4", NULL, NULL},
        {THREE "f 1 2 3\nf 1 2 4\n", NAV_INDEX_OUT_OF_RANGE, "line 5", "4", "3"},
        {THREE "f 1 2 4\nf 5 1 2 3\n", NAV_INDEX_OUT_OF_RANGE, "line 4", "4", "3"},
        // Line 1 names a vertex that is there in the end, line 5 one that is not.
        {"f 3 2 1\n" THREE "f 9/2 2 1\nf 1 2 4\n", NAV_INDEX_OUT_OF_RANGE, "line 5", "9", "3"},
        {"f 3 2 1\nf 5 4 1\n" THREE, NAV_INDEX_OUT_OF_RANGE, "line 2", "5", "3"},
        {THREE "f 1 2 x\n", PROTO_BAD_GEOMETRY, "line 4", "x", NULL},
        {THREE "f 1 2 3/a\n", PROTO_BAD_GEOMETRY, "line 4", "3/a", NULL},
        {THREE "f 1 2 3/1/1/1\n", PROTO_BAD_GEOMETRY, "line 4", NULL, NULL},
        {THREE "f 1 2 3.0\n", PROTO_BAD_GEOMETRY, "line 4", "3.0", NULL},
        {"v 1 2\n", PROTO_BAD_GEOMETRY, "line 1", NULL, NULL},
        {"\r\nv 1 2", PROTO_BAD_GEOMETRY, "line 2", NULL, NULL},
        {"v 1 two 3\n", PROTO_BAD_GEOMETRY, "line 1", "two", NULL},
        {"v 1 0x10 3\n", PROTO_BAD_GEOMETRY, "line 1", "0x10", NULL},
        {"v 1 2 3#\n", PROTO_BAD_GEOMETRY, "line 1", "3#", NULL},
        {"v 1 2 3e\n", PROTO_BAD_GEOMETRY, "line 1", "3e", NULL},
        {"v 1 2 3\\4\n", PROTO_BAD_GEOMETRY, "line 1", "3\\4", NULL},
        {"v 1 2 3\\", PROTO_BAD_GEOMETRY, "line 1", "3\\", NULL},
        {THREE "v 1 nan 3\n", NAV_VERTEX_NOT_FINITE, "vertices[3].y", "NaN", NULL},
        {THREE "v 1 2 -1.#IND\n", NAV_VERTEX_NOT_FINITE, "vertices[3].z", "NaN", NULL},
        {THREE "v 1 2 -inf\n", NAV_VERTEX_NOT_FINITE, "vertices[3].z", "-Infinity", NULL},
        {"v Infinity 2 3\n", NAV_VERTEX_NOT_FINITE, "vertices[0].x", "Infinity", NULL},
        {"v 1e999 2 3\n", NAV_VERTEX_NOT_FINITE, "vertices[0].x", "1e999", NULL},
        {"v 1e7 2 3\n", NAV_VERTEX_OUT_OF_RANGE, "vertices[0].x", "1e7", "1000000"},
        {"v 0 -1000001 3\n", NAV_VERTEX_OUT_OF_RANGE, "vertices[0].y", "-1000001", "1000000"},
        {"# ok\n\x01\x02\n", PROTO_BAD_GEOMETRY, "line 2", NULL, NULL},
        {"# ok\x7f\n", PROTO_BAD_GEOMETRY, "line 1", NULL, NULL},
        {"{\"vertices\":[]}", PROTO_MEDIA_TYPE, "byte 0", "JSON", NULL},
        {"f 1 2 3\n{\"vertices\":[]}", PROTO_BAD_GEOMETRY, "line 2", NULL, NULL},
        {"\xff\xfe\n", PROTO_MEDIA_TYPE, "byte 0", "text in UTF-16", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_refused(PROTO_FORMAT_OBJ, &cases[i]);
    }
}

// The sentence counts lines and vertices alike from 1, as editors and the format do.
static void test_sentence_of_an_index(void **state)
{
    (void)state;
    static const char text[] = THREE "f 1 2 4\n";
    proto_geometry_reader *reader;
    nav_geometry geometry;
    nav_error err;
    assert_int_equal(
        read_geometry(PROTO_FORMAT_OBJ, text, sizeof text - 1, 0, 1, &reader, &geometry, &err),
        NAV_INDEX_OUT_OF_RANGE);
    assert_string_equal(err.detail,
                        "line 4: there is no vertex 4: the file has 3, which are counted from 1");
    proto_geometry_destroy(reader);
}

static void test_nul_byte_is_refused(void **state)
{
    (void)state;
    static const char text[] = "v 0 0 0\nv 1\0 0 0\n";
    proto_geometry_reader *reader;
    nav_geometry geometry;
    nav_error err;
    assert_int_equal(
        read_geometry(PROTO_FORMAT_OBJ, text, sizeof text - 1, 0, 1, &reader, &geometry, &err),
        PROTO_BAD_GEOMETRY);
    assert_string_equal(err.at, "line 2");
    proto_geometry_destroy(reader);
}

// A comment, and a face, of a megabyte on one line; one word of a megabyte is refused.
static void test_lines_of_any_length(void **state)
{
    (void)state;
    size_t size = 1 << 20;
    char *text = malloc(size + 64);
    assert_non_null(text);
    memset(text, 'x', size);
    memcpy(text, THREE "# ", sizeof THREE + 1);
    strcpy(text + size, "\nf 1 2 3\n");
    assert_same_in_pieces(PROTO_FORMAT_OBJ, text, strlen(text), 4096, 7);
    proto_geometry_reader *reader;
    nav_geometry geometry;
    nav_error err;
    assert_int_equal(
        read_geometry(PROTO_FORMAT_OBJ, text, strlen(text), 0, 1, &reader, &geometry, &err),
        NAV_OK);
    assert_int_equal(geometry.triangle_count, 1);
    proto_geometry_destroy(reader);
    memcpy(text, THREE "f ", sizeof THREE + 1);
    assert_int_equal(
        read_geometry(PROTO_FORMAT_OBJ, text, strlen(text), 0, 1, &reader, &geometry, &err),
        PROTO_BAD_GEOMETRY);
    assert_string_equal(err.at, "line 4");
    proto_geometry_destroy(reader);
    free(text);
}

static void test_limits(void **state)
{
    (void)state;
    const proto_geometry_limits limits = {.vertices_max = 3, .triangles_max = 2};
    static const char *const texts[] = {THREE "v 1 1 1\n", THREE "f 1 2 3\nf 1 2 3\nf 1 2 3\n"};
    static const char *const wanted[] = {"vertices", "triangles"};
    static const char *const limit[] = {"3", "2"};
    for (size_t i = 0; i < 2; i++) {
        proto_geometry_reader *reader;
        nav_error err;
        assert_int_equal(proto_geometry_begin(PROTO_FORMAT_OBJ, &limits, &reader, &err), NAV_OK);
        assert_int_equal(proto_geometry_feed(reader, texts[i], strlen(texts[i]), &err),
                         NAV_GEOMETRY_TOO_LARGE);
        assert_string_equal(err.at, wanted[i]);
        assert_string_equal(err.limit, limit[i]);
        proto_geometry_destroy(reader);
    }
    proto_geometry_destroy(NULL);
}

// A reader that has failed is closed: to feed it is a mistake of ours, which is asserted.
static void test_failed_reader_is_closed(void **state)
{
    (void)state;
    const pid_t child = fork();
    if (child == 0) {
        proto_geometry_reader *reader;
        if (freopen("/dev/null", "w", stderr) == NULL) {
            _exit(1);
        }
        if (proto_geometry_begin(PROTO_FORMAT_OBJ, NULL, &reader, NULL) == NAV_OK &&
            proto_geometry_feed(reader, "f 1 2 x\n", 8, NULL) != NAV_OK) {
            (void)proto_geometry_feed(reader, "v 0 0 0\n", 8, NULL);
        }
        _exit(0);
    }
    int how = 0;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFSIGNALED(how) && WTERMSIG(how) == SIGABRT);
}

static void test_damage(void **state)
{
    (void)state;
    static const char text[] =
        "# town\r\nv 0 0.5 -1e1\nv 4 0 0 1\nv 4 0 4\nv 0 0 4 \\\n 1\nf 1/1 2/2/2 3//3 -1\n"
        "usemtl a\nf -4 -3 \\\r\n-2\n";
    survive_damage(PROTO_FORMAT_OBJ, text, sizeof text - 1, 4000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spellings_of_a_square),   cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_polygon_becomes_a_fan),   cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_sentence_of_an_index),    cmocka_unit_test(test_nul_byte_is_refused),
        cmocka_unit_test(test_lines_of_any_length),     cmocka_unit_test(test_limits),
        cmocka_unit_test(test_failed_reader_is_closed), cmocka_unit_test(test_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
