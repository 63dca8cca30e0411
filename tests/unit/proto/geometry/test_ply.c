// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_ply.c: the data of PLY, as text and as binary of either byte order, gives the triangles that
// it says, whatever lies beside them and however it is cut, or an error that names the line or the
// byte.

#include "proto/geometry/geometry.h"
#include "tests/unit/geometry_text.h"

#include <stdio.h>

static const float SQUARE[12] = {0, 0, 0, 4, 0, 0, 4, 0, 4, 0, 0, 4};
static const uint32_t TRIANGLES[6] = {0, 1, 2, 0, 2, 3};

static void assert_square(const char *what, const void *bytes, size_t size_bytes)
{
    for (uint32_t piece = 0; piece < 200; piece += piece < 6 ? 1 : 61) {
        proto_geometry_reader *reader;
        nav_geometry g;
        nav_error err;
        if (read_geometry(PROTO_FORMAT_PLY, bytes, size_bytes, piece, piece | 1, &reader, &g,
                          &err) != NAV_OK) {
            fail_msg("%s: %s", what, err.detail);
        }
        assert_int_equal(g.vertex_count, 4);
        assert_int_equal(g.triangle_count, 2);
        assert_memory_equal(g.vertices, SQUARE, sizeof SQUARE);
        assert_memory_equal(g.triangles, TRIANGLES, sizeof TRIANGLES);
        proto_geometry_destroy(reader);
    }
}

// ---- text ----

#define START "ply\nformat ascii 1.0\n"
#define XYZ "property float x\nproperty float y\nproperty float z\n"
#define VERTICES "element vertex 4\n" XYZ
#define FACES "element face 2\nproperty list uchar int vertex_indices\n"
#define FOUR "0 0 0\n4 0 0\n4 0 4\n0 0 4\n"
#define TWO "3 0 1 2\n3 0 2 3\n"

static void spellings_of_a_square(void **state)
{
    (void)state;
    static const char *const texts[] = {
        START VERTICES FACES "end_header\n" FOUR TWO,
        START VERTICES FACES "end_header\n" FOUR "3 0 1 2\n3 0 2 3", // no line end at the end
        START VERTICES "element face 1\nproperty list uint8 uint32 vertex_index\nend_header\n" FOUR
                       "4 0 1 2 3\n\n",
        "ply\r\nformat ascii 1.0\r\ncomment by hand\r\nelement vertex 4\r\nproperty double x\r\n"
        "property float64 y\r\nproperty int8 z\r\nelement face 2\r\n"
        "property list ushort int16 vertex_indices\r\nend_header\r\n" FOUR "3 0 1 2\r\n3 0 2 3\r\n",
        // Faces before their vertices.
        START FACES VERTICES "end_header\n" TWO FOUR,
        // Properties and elements that mean nothing to us, and x, y, z in another order.
        START
        "comment\nobj_info a b c d e f g h\nelement camera 1\nproperty float fov\n"
        "property list int float list\nelement vertex 4\nproperty uchar red\nproperty float z\n"
        "property list char double weights\nproperty float x\nproperty float y\n"
        "property float nx\nelement face 2\nproperty int flags\n"
        "property list uchar int vertex_indices\nproperty list uchar float texcoord\n"
        "property uchar alpha\nelement edge 2\nproperty int vertex1\nproperty int vertex2\n"
        "element nothing 7\nend_header\n"
        "90.5 3 1 2 3\n255 0 0 0 0 nan\n7 0 2 .5 1 4 0 -1\n1 4 1 9 4 0 0\n2 4 0 0 0 1\n"
        "-7 3 0 1 2 6 0 0 1 0 1 1 9\n8 3 0 2 3 0 3\n0 1\n1 2\n",
        // A row need not be a line.
        START VERTICES FACES "end_header\n0 0 0 4 0 0 4 0\n4\t0 0 4 3 0 1 2 3 0 2 3 ",
        START VERTICES FACES "end_header\n0 0e1 0\n400e-2 +0 0\n4.0 0. .4E+1\n0 0 4\n" TWO,
        START VERTICES
        "element tristrips 1\nproperty list int int vertex_indices\nend_header\n" FOUR
        "7 0 1 2 -1 0 2 3\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_square(texts[i], texts[i], strlen(texts[i]));
    }
}

static void assert_triangles(const char *text, const uint32_t *triangles, uint32_t count)
{
    proto_geometry_reader *reader;
    nav_geometry g;
    nav_error err;
    nav_status status =
        read_geometry(PROTO_FORMAT_PLY, text, strlen(text), 0, 1, &reader, &g, &err);
    assert_string_equal(err.detail, "");
    assert_int_equal(status, NAV_OK);
    assert_int_equal(g.triangle_count, count);
    assert_memory_equal(g.triangles, triangles, (size_t)12 * count);
    proto_geometry_destroy(reader);
    assert_same_in_pieces(PROTO_FORMAT_PLY, text, strlen(text), 3, 3);
}

#define SIX "element vertex 6\n" XYZ
#define SIX_ROWS "0 0 0\n0 0 1\n1 0 0\n1 0 1\n2 0 0\n2 0 1\n"

static void polygons_become_fans(void **state)
{
    (void)state;
    static const uint32_t triangles[] = {5, 4, 2, 5, 2, 0, 5, 0, 1, 0, 1, 2};
    assert_triangles(START SIX FACES "end_header\n" SIX_ROWS "5 5 4 2 0 1\n3 0 1 2\n", triangles,
                     4);
}

// Every second triangle is turned, so that all show the same side; -1 begins a strip anew, and a
// corner that is there twice sews strips together.
static void strips(void **state)
{
    (void)state;
    static const uint32_t whole[] = {0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5};
    static const uint32_t parts[] = {0, 1, 2, 2, 1, 3, 3, 4, 5};
    static const uint32_t sewn[] = {0, 1, 2, 4, 2, 3, 4, 3, 5};
#define STRIPS(count)                                                                              \
    SIX "element tristrips " count "\nproperty list int int vertex_indices\nend_header\n"
    assert_triangles(START STRIPS("1") SIX_ROWS "6 0 1 2 3 4 5\n", whole, 4);
    assert_triangles(START STRIPS("1") SIX_ROWS "9 0 1 2 3 -1 3 4 5 -1\n", parts, 3);
    assert_triangles(START STRIPS("4") SIX_ROWS "4 0 1 2 3\n0\n2 5 4\n3 3 4 5\n", parts, 3);
    assert_triangles(START STRIPS("1") SIX_ROWS "7 0 1 2 2 4 3 5\n", sewn, 3);
}

// ---- binary ----

typedef struct writer {
    uint8_t bytes[2000];
    size_t size_bytes;
    bool big;
} writer;

static void put_text(writer *w, const char *text)
{
    memcpy(w->bytes + w->size_bytes, text, strlen(text));
    w->size_bytes += strlen(text);
}

static void put(writer *w, uint64_t bits, uint32_t size)
{
    for (uint32_t i = 0; i < size; i++) {
        w->bytes[w->size_bytes++] = (uint8_t)(bits >> 8 * (w->big ? size - 1 - i : i));
    }
}

static void put_number(writer *w, double number, const char *type)
{
    const float single = (float)number;
    uint64_t bits = 0;
    uint32_t half;
    memcpy(&bits, &number, sizeof bits);
    memcpy(&half, &single, sizeof half);
    if (strcmp(type, "double") == 0 || strcmp(type, "float64") == 0) {
        put(w, bits, 8);
    } else if (strcmp(type, "float") == 0 || strcmp(type, "float32") == 0) {
        put(w, half, 4);
    } else {
        const uint32_t size = strstr(type, "char") != NULL || strstr(type, "int8") != NULL     ? 1
                              : strstr(type, "short") != NULL || strstr(type, "int16") != NULL ? 2
                                                                                               : 4;
        put(w, (uint64_t)(int64_t)number, size);
    }
}

static const char *const TYPES[] = {"char",  "uchar",  "short",   "ushort", "int",   "uint",
                                    "float", "double", "int8",    "uint8",  "int16", "uint16",
                                    "int32", "uint32", "float32", "float64"};
#define TYPE_COUNT (sizeof TYPES / sizeof TYPES[0])

static void begin(writer *w, bool big)
{
    *w = (writer){.big = big};
    put_text(w, big ? "ply\nformat binary_big_endian 1.0\n"
                    : "ply\nformat binary_little_endian 1.0\n");
}

// A square whose coordinates are of one type and whose corners of another, beside other things.
static void write_square(writer *w, bool big, const char *of_vertex, const char *of_count,
                         const char *of_corner)
{
    char text[400];
    begin(w, big);
    (void)snprintf(
        text, sizeof text,
        "element vertex 4\nproperty uchar red\nproperty %s z\nproperty %s x\n"
        "property list %s double w\nproperty %s y\nelement face 2\nproperty double area\n"
        "property list %s %s vertex_indices\nproperty list uint short more\nend_header\n",
        of_vertex, of_vertex, of_count, of_vertex, of_count, of_corner);
    put_text(w, text);
    for (uint32_t i = 0; i < 4; i++) {
        put(w, 255, 1);
        put_number(w, (double)SQUARE[3 * i + 2], of_vertex);
        put_number(w, (double)SQUARE[3 * i], of_vertex);
        put_number(w, i, of_count);
        for (uint32_t k = 0; k < i; k++) {
            put_number(w, -1, "double");
        }
        put_number(w, 0, of_vertex);
    }
    for (uint32_t i = 0; i < 2; i++) {
        put_number(w, 8, "double");
        put_number(w, 3, of_count);
        for (uint32_t k = 0; k < 3; k++) {
            put_number(w, TRIANGLES[3 * i + k], of_corner);
        }
        put_number(w, 2 * i, "uint");
        put(w, 0x0a0d, 2 * i);
        put(w, 0, 2 * i);
    }
}

static void binary_of_every_type_and_order(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2 * TYPE_COUNT; i++) {
        const char *type = TYPES[i / 2];
        const char *whole = strchr(type, 'f') == NULL && strchr(type, 'd') == NULL ? type : "int";
        writer w;
        write_square(&w, i % 2 == 1, type, whole, whole);
        assert_square(type, w.bytes, w.size_bytes);
    }
}

// The bytes behind the header may be those of line ends.
static void data_that_begins_like_a_line(void **state)
{
    (void)state;
    for (int big = 0; big < 2; big++) {
        writer w;
        begin(&w, big == 1);
        put_text(&w, "element hint 1\nproperty uchar a\nproperty uchar b\nelement vertex 4\n" XYZ
                     "element face 2\nproperty list uchar uchar vertex_indices\nend_header\n\n\r");
        for (int i = 0; i < 12; i++) {
            put_number(&w, (double)SQUARE[i], "float");
        }
        for (uint32_t i = 0; i < 6; i++) {
            put(&w, 3, i % 3 == 0);
            put(&w, TRIANGLES[i], 1);
        }
        assert_square("line ends", w.bytes, w.size_bytes);
    }
}

static void assert_bad(const writer *w, nav_status wanted, const char *at, const char *got)
{
    proto_geometry_reader *reader;
    nav_geometry g = {.vertex_count = 77};
    nav_error err;
    nav_status status =
        read_geometry(PROTO_FORMAT_PLY, w->bytes, w->size_bytes, 0, 1, &reader, &g, &err);
    proto_geometry_destroy(reader);
    if (status != wanted) {
        fail_msg("%s: %s", proto_status_word(status), err.detail);
    }
    assert_string_equal(err.at, at);
    assert_string_equal(err.got, got);
    assert_int_equal(g.vertex_count, 77);
    for (uint32_t piece = 1; piece < 40; piece += 13) {
        assert_same_in_pieces(PROTO_FORMAT_PLY, w->bytes, w->size_bytes, piece, piece);
    }
}

static void binary_that_is_wrong(void **state)
{
    (void)state;
    static const char head[] = "element vertex 1\n" XYZ
                               "element face 1\nproperty list int int vertex_indices\nend_header\n";
    static const struct {
        uint32_t values[8]; // bits
        uint32_t count;
        nav_status status;
        uint32_t at; // the value that is at fault
        const char *got;
    } rows[] = {
        {{0, 0, 0, 2, 0, 0}, 6, PROTO_BAD_GEOMETRY, 3, "2"},
        {{0, 0, 0, 0}, 4, PROTO_BAD_GEOMETRY, 3, "0"},
        {{0, 0, 0, 0xffffffff, 0}, 5, PROTO_BAD_GEOMETRY, 3, "-1"},
        {{0, 0, 0, 0x80000000, 0}, 5, PROTO_BAD_GEOMETRY, 3, "-2147483648"},
        {{0, 0, 0, 0x7fffffff, 0}, 5, NAV_GEOMETRY_TOO_LARGE, 3, "2147483647"},
        {{0, 0, 0, 3, 0, 0xffffffff, 0}, 7, NAV_INDEX_OUT_OF_RANGE, 5, "-1"},
        {{0, 0, 0, 3, 0, 50000000, 0}, 7, NAV_INDEX_OUT_OF_RANGE, 5, "50000000"},
        {{0, 0, 0, 3, 0, 0, 0, 0}, 8, PROTO_BAD_GEOMETRY, 7, "0"}, // a value more
        {{0, 0, 0, 3, 0, 0}, 6, PROTO_BAD_GEOMETRY, 6, ""},        // and one less
        {{0, 0, 0, 3}, 4, PROTO_BAD_GEOMETRY, 4, ""},
        {{0, 0}, 2, PROTO_BAD_GEOMETRY, 2, ""},
        {{0}, 0, PROTO_BAD_GEOMETRY, 0, ""},
    };
    for (size_t i = 0; i < 2 * sizeof rows / sizeof rows[0]; i++) {
        writer w;
        char at[40];
        begin(&w, i % 2 == 1);
        put_text(&w, head);
        (void)snprintf(at, sizeof at, "byte %zu", w.size_bytes + 4 * rows[i / 2].at);
        for (uint32_t k = 0; k < rows[i / 2].count; k++) {
            put(&w, rows[i / 2].values[k], 4);
        }
        assert_bad(&w, rows[i / 2].status, at, rows[i / 2].got);
    }
    writer w;
    begin(&w, true);
    put_text(&w, head);
    put_number(&w, 1, "float");
    put(&w, 0x7fc00000, 4);
    assert_bad(&w, NAV_VERTEX_NOT_FINITE, "vertices[0].y", "NaN");
}

// It costs no memory, and ends where the bytes do.
static void a_list_of_2_31_that_is_skipped(void **state)
{
    (void)state;
    writer w;
    char at[40];
    begin(&w, false);
    put_text(&w, "element vertex 1\nproperty list uint double huge\n" XYZ "end_header\n");
    put(&w, 0x80000000u, 4);
    put(&w, 0, 8);
    (void)snprintf(at, sizeof at, "byte %zu", w.size_bytes);
    assert_bad(&w, PROTO_BAD_GEOMETRY, at, "");
}

// ---- text that is wrong ----

static void refusals(void **state)
{
    (void)state;
    static const refused_text cases[] = {
        {START VERTICES "end_header\n" FOUR, NAV_MESH_EMPTY, NULL, NULL, NULL},
        {START VERTICES FACES "end_header\n" FOUR "3 0 1 2\n", PROTO_BAD_GEOMETRY, "line 15", "",
         NULL},
        {START VERTICES FACES "end_header\n" FOUR "3 0 1 2\n3 0 2", PROTO_BAD_GEOMETRY, "line 15",
         "", NULL},
        {START VERTICES FACES "end_header\n" FOUR TWO "3 0 1 2\n", PROTO_BAD_GEOMETRY, "line 16",
         "3", NULL},
        {START VERTICES FACES "end_header\n0 0 zero\n", PROTO_BAD_GEOMETRY, "line 10", "zero",
         NULL},
        {START VERTICES FACES "end_header\n0 nan 0\n", NAV_VERTEX_NOT_FINITE, "vertices[0].y",
         "NaN", NULL},
        {START VERTICES FACES "end_header\n0 0 0\n0 0 1e7\n", NAV_VERTEX_OUT_OF_RANGE,
         "vertices[1].z", "1e7", "1000000"},
        {START VERTICES FACES "end_header\n" FOUR "2 0 1\n", PROTO_BAD_GEOMETRY, "line 14", "2",
         NULL},
        {START VERTICES FACES "end_header\n" FOUR "-3 0 1 2\n", PROTO_BAD_GEOMETRY, "line 14", "-3",
         NULL},
        {START VERTICES FACES "end_header\n" FOUR "2.5 0 1 2\n", PROTO_BAD_GEOMETRY, "line 14",
         "2.5", NULL},
        {START VERTICES FACES "end_header\n" FOUR "three 0 1 2\n", PROTO_BAD_GEOMETRY, "line 14",
         "three", NULL},
        {START VERTICES FACES "end_header\n" FOUR "1e99 0 1 2\n", PROTO_BAD_GEOMETRY, "line 14",
         "1e99", NULL},
        {START VERTICES FACES "end_header\n" FOUR "2147483648 0 1 2\n", NAV_GEOMETRY_TOO_LARGE,
         "line 14", "2147483648", "50000000"},
        {START VERTICES FACES "end_header\n" FOUR "3 0 1 -1\n", NAV_INDEX_OUT_OF_RANGE, "line 14",
         "-1", NULL},
        {START VERTICES FACES "end_header\n" FOUR "3 0 1 1.5\n", PROTO_BAD_GEOMETRY, "line 14",
         "1.5", NULL},
        {START VERTICES FACES "end_header\n" FOUR "3 0 1 2\n3 0 2 4\n", NAV_INDEX_OUT_OF_RANGE,
         "triangles[1]", "4", "4"},
        {START VERTICES FACES "end_header\n" FOUR "3 0 1 4294967296\n", NAV_INDEX_OUT_OF_RANGE,
         "line 14", "4294967296", NULL},
        {START FACES VERTICES "end_header\n3 0 1 2\n3 0 2 9\n" FOUR, NAV_INDEX_OUT_OF_RANGE,
         "triangles[1]", "9", "4"},
        {START VERTICES "element strange 1\nproperty list int int a\nend_header\n" FOUR "x 1\n",
         PROTO_BAD_GEOMETRY, "line 14", "x", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_refused(PROTO_FORMAT_PLY, &cases[i]);
    }
}

static void limits(void **state)
{
    (void)state;
    static const char *const texts[] = {
        START VERTICES FACES "end_header\n",
        START "element face 3\nproperty list uchar int vertex_indices\nend_header\n",
        START FACES "end_header\n3 0 1 2\n4 0 1 2 3\n",
        START "element tristrips 1\nproperty list uchar int vertex_indices\nend_header\n"
              "5 0 1 2 3 4\n",
    };
    static const char *const wanted[] = {"vertices", "triangles", "line 7", "triangles"};
    for (size_t i = 0; i < 4; i++) {
        const proto_geometry_limits few = {.vertices_max = i == 0 ? 3 : 5, .triangles_max = 2};
        proto_geometry_reader *reader;
        nav_error err = {0};
        assert_int_equal(proto_geometry_begin(PROTO_FORMAT_PLY, &few, &reader, &err), NAV_OK);
        assert_int_equal(proto_geometry_feed(reader, texts[i], strlen(texts[i]), &err),
                         NAV_GEOMETRY_TOO_LARGE);
        assert_string_equal(err.at, wanted[i]);
        assert_string_equal(err.limit, i == 0 ? "3" : "2");
        proto_geometry_destroy(reader);
    }
}

// The same triangles as OBJ and as either STL give the same bytes.
static void the_same_bytes_as_other_formats(void **state)
{
    (void)state;
    static const char obj[] = "v 0 0 0\nv 4 0 0\nv 4 0 4\nv 0 0 4\nf 1 2 3\nf 1 3 4\n";
    static const char ply[] = START VERTICES FACES "end_header\n" FOUR TWO;
    static const char stl[] =
        "solid\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 4 0 0\nvertex 4 0 4\nendloop\n"
        "endfacet\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 4 0 4\nvertex 0 0 "
        "4\nendloop\n"
        "endfacet\nendsolid\n";
    static const struct {
        proto_format format;
        const char *text;
    } rows[] = {{PROTO_FORMAT_OBJ, obj}, {PROTO_FORMAT_PLY, ply}, {PROTO_FORMAT_STL, stl}};
    uint8_t packed[3][200];
    size_t size[3];
    for (size_t i = 0; i < 3; i++) {
        proto_geometry_reader *reader;
        nav_geometry g;
        nav_error err;
        assert_int_equal(read_geometry(rows[i].format, rows[i].text, strlen(rows[i].text), 7, 1,
                                       &reader, &g, &err),
                         NAV_OK);
        size[i] = proto_geometry_packed_size(&g);
        assert_true(size[i] <= sizeof packed[i]);
        proto_geometry_pack(&g, packed[i]);
        proto_geometry_destroy(reader);
        assert_int_equal(size[i], size[0]);
        assert_memory_equal(packed[i], packed[0], size[0]);
    }
}

static void damage(void **state)
{
    (void)state;
    static const char text[] = START "comment a\nelement vertex 4\nproperty uchar red\n" XYZ FACES
                                     "property list uchar float uv\nend_header\n9 0 0 0\n9 4 0 0\n"
                                     "9 4 0 4\n9 0 0 4\n3 0 1 2 1 .5\n3 0 2 3 0\n";
    survive_damage(PROTO_FORMAT_PLY, text, sizeof text - 1, 4000);
    for (int big = 0; big < 2; big++) {
        writer w;
        write_square(&w, big == 1, "float", "uchar", "int");
        survive_damage(PROTO_FORMAT_PLY, w.bytes, w.size_bytes, 3000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spellings_of_a_square),
        cmocka_unit_test(polygons_become_fans),
        cmocka_unit_test(strips),
        cmocka_unit_test(binary_of_every_type_and_order),
        cmocka_unit_test(data_that_begins_like_a_line),
        cmocka_unit_test(binary_that_is_wrong),
        cmocka_unit_test(a_list_of_2_31_that_is_skipped),
        cmocka_unit_test(refusals),
        cmocka_unit_test(limits),
        cmocka_unit_test(the_same_bytes_as_other_formats),
        cmocka_unit_test(damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
