// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_stl.c: STL as text and as binary gives the triangles that it says, equal vertices once,
// however it is cut, or an error that names the line or the byte.

#include "proto/base/bytes.h"
#include "proto/geometry/geometry.h"
#include "tests/unit/geometry_text.h"

#define FACET(a, b, c)                                                                             \
    " facet normal 0 1 0\n  outer loop\n   vertex " a "\n   vertex " b "\n   vertex " c            \
    "\n  endloop\n endfacet\n"
#define FIRST FACET("0 0 0", "4 0 0", "4 0 4")
#define SECOND FACET("0 0 0", "4 0 4", "0 0 4")

static const float SQUARE[12] = {0, 0, 0, 4, 0, 0, 4, 0, 4, 0, 0, 4};
static const uint32_t TRIANGLES[6] = {0, 1, 2, 0, 2, 3};

static void assert_square(const void *bytes, size_t size_bytes)
{
    for (uint32_t piece = 0; piece < 120; piece += piece < 6 ? 1 : 37) {
        proto_geometry_reader *reader;
        nav_geometry g;
        nav_error err;
        nav_status status =
            read_geometry(PROTO_FORMAT_STL, bytes, size_bytes, piece, piece | 1, &reader, &g, &err);
        assert_string_equal(err.detail, "");
        assert_int_equal(status, NAV_OK);
        assert_int_equal(g.vertex_count, 4);
        assert_int_equal(g.triangle_count, 2);
        assert_memory_equal(g.vertices, SQUARE, sizeof SQUARE);
        assert_memory_equal(g.triangles, TRIANGLES, sizeof TRIANGLES);
        proto_geometry_destroy(reader);
    }
}

static void spellings_of_a_square(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "solid square\n" FIRST SECOND "endsolid square\n",
        "solid\n" FIRST SECOND "endsolid", // no name, no line end at the end
        "solid \r\n" FIRST SECOND "endsolid \r\n\r\n",
        "\xef\xbb\xbfsolid a\n" FIRST SECOND "endsolid a\n",
        "\n\n  solid a\n" FIRST "endsolid a\nsolid b\n" SECOND "endsolid b\n", // two solids
        "solid facet normal endsolid\n" FIRST SECOND "endsolid solid\n",       // as names
        "SOLID A\rFACET NORMAL 0 0 0\rOUTER LOOP\rVERTEX 0 0 0\rVERTEX 4 0 0\rVERTEX 4 0 4\r"
        "ENDLOOP\rENDFACET\r" SECOND "ENDSOLID\r",
        "solid a\nfacet normal nan -inf 1.#QNAN outer loop vertex 0 -0 0 vertex 4 0.0 -0e1 "
        "vertex\n\n"
        "4.00 +0 4e0 endloop endfacet\n" SECOND "endsolid\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_square(texts[i], strlen(texts[i]));
    }
}

// ---- binary ----

#define BYTES(triangles) (PROTO_STL_HEADER_BYTES + PROTO_STL_RECORD_BYTES * (triangles))

static uint8_t *put_facet(uint8_t *at, const float corners[3][3])
{
    for (int i = 0; i < 3; i++) {
        at = proto_put_u32(at, 0x7fc00000u); // a normal that is no number
    }
    for (int i = 0; i < 9; i++) {
        at = proto_put_float(at, corners[i / 3][i % 3]);
    }
    *at++ = 0x1f; // colours
    *at++ = 0x80;
    return at;
}

static void put_square(uint8_t bytes[BYTES(2)], const char *name, float zero)
{
    const float first[3][3] = {{0, zero, 0}, {4, 0, zero}, {4, 0, 4}};
    const float second[3][3] = {{0, 0, zero}, {4, zero, 4}, {0, 0, 4}};
    memset(bytes, 0, PROTO_STL_NAME_BYTES);
    memcpy(bytes, name, strlen(name));
    (void)put_facet(put_facet(proto_put_u32(bytes + PROTO_STL_NAME_BYTES, 2), first), second);
}

static void binary_of_any_name(void **state)
{
    (void)state;
    uint8_t bytes[BYTES(2)];
    static const char *const names[] = {"", "exported", "solid square\n facet normal", "solid "};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        put_square(bytes, names[i], 0);
        assert_square(bytes, sizeof bytes);
        put_square(bytes, names[i], -0.0f); // is 0, for the first use, too
        assert_square(bytes, sizeof bytes);
    }
}

static void assert_bad(const uint8_t *bytes, size_t size_bytes, nav_status wanted, const char *at,
                       const char *got)
{
    proto_geometry_reader *reader;
    nav_geometry g = {.vertex_count = 77};
    nav_error err;
    assert_int_equal(read_geometry(PROTO_FORMAT_STL, bytes, size_bytes, 0, 1, &reader, &g, &err),
                     wanted);
    assert_string_equal(err.at, at);
    assert_string_equal(err.got, got);
    assert_int_equal(g.vertex_count, 77);
    proto_geometry_destroy(reader);
    for (uint32_t piece = 1; piece < 60; piece += 13) {
        assert_same_in_pieces(PROTO_FORMAT_STL, bytes, size_bytes, piece, piece);
    }
}

static void a_count_that_lies(void **state)
{
    (void)state;
    uint8_t bytes[BYTES(2) + 1];
    put_square(bytes, "square", 0);
    for (size_t size = PROTO_STL_HEADER_BYTES; size < BYTES(2); size++) {
        assert_bad(bytes, size, PROTO_BAD_GEOMETRY, size < BYTES(1) ? "byte 84" : "byte 134", "2");
    }
    bytes[BYTES(2)] = 0;
    assert_bad(bytes, BYTES(2) + 1, PROTO_BAD_GEOMETRY, "byte 184", "2");
    proto_put_u32(bytes + PROTO_STL_NAME_BYTES, 0);
    assert_bad(bytes, BYTES(2), PROTO_BAD_GEOMETRY, "byte 84", "0");
    assert_bad(bytes, PROTO_STL_HEADER_BYTES, NAV_MESH_EMPTY, "", "");
    proto_put_u32(bytes + PROTO_STL_NAME_BYTES, 1);
    assert_bad(bytes, BYTES(2), PROTO_BAD_GEOMETRY, "byte 134", "1");
    // As many as may be cost no memory.
    proto_put_u32(bytes + PROTO_STL_NAME_BYTES, NAV_TRIANGLES_MAX);
    assert_bad(bytes, BYTES(2), PROTO_BAD_GEOMETRY, "byte 184", "50000000");
    proto_put_u32(bytes + PROTO_STL_NAME_BYTES, NAV_TRIANGLES_MAX + 1);
    assert_bad(bytes, BYTES(2), NAV_GEOMETRY_TOO_LARGE, "triangles", "50000001");
    proto_put_u32(bytes + PROTO_STL_NAME_BYTES, UINT32_MAX);
    assert_bad(bytes, BYTES(2), NAV_GEOMETRY_TOO_LARGE, "triangles", "4294967295");
}

static void positions_that_are_none(void **state)
{
    (void)state;
    static const struct {
        size_t offset;
        uint32_t bits;
        nav_status status;
        const char *at, *got;
    } rows[] = {
        {BYTES(0) + 12, 0x7fc00000, NAV_VERTEX_NOT_FINITE, "vertices[0].x", "NaN"},
        {BYTES(0) + 28, 0xff800000, NAV_VERTEX_NOT_FINITE, "vertices[1].y", "-Infinity"},
        {BYTES(1) + 44, 0x4b189680, NAV_VERTEX_OUT_OF_RANGE, "vertices[3].z", "10000000"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint8_t bytes[BYTES(2)];
        put_square(bytes, "square", 0);
        proto_put_u32(bytes + rows[i].offset, rows[i].bits);
        assert_bad(bytes, sizeof bytes, rows[i].status, rows[i].at, rows[i].got);
    }
}

// ---- text that is none ----

static void refusals(void **state)
{
    (void)state;
    static const refused_text cases[] = {
        {"", NAV_MESH_EMPTY, NULL, NULL, NULL},
        {"solid a\nendsolid a\n", NAV_MESH_EMPTY, NULL, NULL, NULL},
        {"solid", PROTO_BAD_GEOMETRY, "line 1", "", NULL},
        {"solid a\n", PROTO_BAD_GEOMETRY, "line 2", "", NULL},
        {"solid a\n" FIRST, PROTO_BAD_GEOMETRY, "line 9", "", NULL},
        {"solid a\nfacet normal 0 1 0\nouter loop\nvertex 0 0", PROTO_BAD_GEOMETRY, "line 4", "",
         NULL},
        {"hello\n", PROTO_BAD_GEOMETRY, "line 1", "hello", NULL},
        {"solid a\nsolid b\n", PROTO_BAD_GEOMETRY, "line 2", "solid", NULL},
        {"solid a\n" FIRST "endsolid\nfacet", PROTO_BAD_GEOMETRY, "line 10", "facet", NULL},
        {"solid a\nfacet norm 0 1 0\n", PROTO_BAD_GEOMETRY, "line 2", "norm", NULL},
        {"solid a\nfacet normal 0 1\nouter loop\nvertex", PROTO_BAD_GEOMETRY, "line 3", "loop",
         NULL},
        {"solid a\nfacet normal 0 1 0\nouter loop\nvertex 0 two 0\n", PROTO_BAD_GEOMETRY, "line 4",
         "two", NULL},
        {"solid a\nfacet normal 0 1 0\nouter loop\nvertex 0 0\nvertex 0 0 0\n", PROTO_BAD_GEOMETRY,
         "line 5", "vertex", NULL},
        {"solid a\nfacet normal 0 1 0\nouter loop\nvertex 0 0 0 0\n", PROTO_BAD_GEOMETRY, "line 4",
         "0", NULL},
        {"solid a\nfacet normal 0 1 0\nouter loop\nvertex 0 0 0 vertex 1 0 0\nendloop\n",
         PROTO_BAD_GEOMETRY, "line 5", "endloop", NULL},
        {"solid a\nfacet normal 0 1 0\nouter loop\nvertex 0 0 0 vertex 1 0 0\nvertex 0 0 1\n"
         "vertex 0 0 2\n",
         PROTO_BAD_GEOMETRY, "line 6", "vertex", NULL},
        {"solid a\nfacet normal 0 1 0\nouter loop\nvertex 0 nan 0\n", NAV_VERTEX_NOT_FINITE,
         "vertices[0].y", "NaN", NULL},
        {"solid a\n" FACET("0 0 0", "0 0 1e7", "1 0 0"), NAV_VERTEX_OUT_OF_RANGE, "vertices[1].z",
         "1e7", "1000000"},
        {"solid a\nfacet \x01", PROTO_BAD_GEOMETRY, "line 2", NULL, NULL},
        {"v 0 0 0\nv 1 0 0\n", PROTO_MEDIA_TYPE, "byte 0", "OBJ", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_refused(PROTO_FORMAT_STL, &cases[i]);
    }
}

static void limits(void **state)
{
    (void)state;
    uint8_t bytes[BYTES(2)];
    put_square(bytes, "square", 0);
    static const char text[] = "solid a\n" FIRST SECOND "endsolid a\n";
    for (int i = 0; i < 4; i++) {
        const proto_geometry_limits few = {.vertices_max = i % 2 == 0 ? 3 : 4,
                                           .triangles_max = i % 2 == 0 ? 2 : 1};
        const void *data = i < 2 ? (const void *)bytes : text;
        proto_geometry_reader *reader;
        nav_error err = {0};
        assert_int_equal(proto_geometry_begin(PROTO_FORMAT_STL, &few, &reader, &err), NAV_OK);
        assert_int_equal(
            proto_geometry_feed(reader, data, i < 2 ? sizeof bytes : sizeof text - 1, &err),
            NAV_GEOMETRY_TOO_LARGE);
        assert_string_equal(err.at, i % 2 == 0 ? "vertices" : "triangles");
        proto_geometry_destroy(reader);
    }
}

static void damage(void **state)
{
    (void)state;
    uint8_t bytes[BYTES(2)];
    static const char text[] = "solid a\r\n" FIRST "endsolid a\nsolid b\n" SECOND "endsolid b\n";
    put_square(bytes, "square", 0);
    survive_damage(PROTO_FORMAT_STL, bytes, sizeof bytes, 4000);
    survive_damage(PROTO_FORMAT_STL, text, sizeof text - 1, 4000);
    survive_damage(PROTO_FORMAT_UNKNOWN, text, sizeof text - 1, 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spellings_of_a_square),
        cmocka_unit_test(binary_of_any_name),
        cmocka_unit_test(a_count_that_lies),
        cmocka_unit_test(positions_that_are_none),
        cmocka_unit_test(refusals),
        cmocka_unit_test(limits),
        cmocka_unit_test(damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
