// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_packed.c: the packed form is the documented bytes, reads back as what was written,
// and refuses anything else without trusting its header.

#include "tests/unit/geometry_text.h"

static const float VERTICES[9] = {0, 0, 0, 1, -2, 0, 0, 0.5f, 4};
static const uint32_t TRIANGLES[6] = {0, 2, 1, 2, 1, 0};
static const uint8_t AREAS[2] = {1, 9};

// clang-format off
static const uint8_t GOLDEN[] = {
    'N', 'A', 'V', 'G', 1, 0, 0, 0,  3, 0, 0, 0,  2, 0, 0, 0,  1, 0, 0, 0,  0, 0, 0, 0,
    0, 0, 0, 0,  0, 0, 0, 0,  0, 0, 0, 0,
    0, 0, 0x80, 0x3f,  0, 0, 0, 0xc0,  0, 0, 0, 0,
    0, 0, 0, 0,  0, 0, 0, 0x3f,  0, 0, 0x80, 0x40,
    0, 0, 0, 0,  2, 0, 0, 0,  1, 0, 0, 0,
    2, 0, 0, 0,  1, 0, 0, 0,  0, 0, 0, 0,
    1, 9, 0, 0,
};
// clang-format on

static nav_geometry sample(bool areas)
{
    return (nav_geometry){.vertices = VERTICES,
                          .triangles = TRIANGLES,
                          .triangle_areas = areas ? AREAS : NULL,
                          .vertex_count = 3,
                          .triangle_count = 2};
}

static void test_bytes(void **state)
{
    (void)state;
    uint8_t bytes[sizeof GOLDEN];
    nav_geometry geometry = sample(true);
    assert_int_equal(proto_geometry_packed_size(&geometry), sizeof GOLDEN);
    memset(bytes, 0xee, sizeof bytes);
    proto_geometry_pack(&geometry, bytes);
    assert_memory_equal(bytes, GOLDEN, sizeof GOLDEN);
    geometry = sample(false);
    assert_int_equal(proto_geometry_packed_size(&geometry), sizeof GOLDEN - 4);
    proto_geometry_pack(&geometry, bytes);
    assert_int_equal(bytes[16], 0);
    assert_memory_equal(bytes + 24, GOLDEN + 24, sizeof GOLDEN - 28);
}

static void test_reads_back(void **state)
{
    (void)state;
    for (uint32_t piece = 0; piece < 30; piece++) {
        proto_geometry_reader *reader;
        nav_geometry geometry;
        nav_error err;
        assert_int_equal(read_geometry(PROTO_FORMAT_PACKED, GOLDEN, sizeof GOLDEN, piece, 9,
                                       &reader, &geometry, &err),
                         NAV_OK);
        nav_geometry wanted = sample(true);
        assert_same_geometry(&geometry, &wanted);
        assert_memory_equal(geometry.triangle_areas, AREAS, 2);
        proto_geometry_destroy(reader);
    }
}

// The same triangles give the same bytes, whatever format they came in.
static void test_same_bytes_from_every_format(void **state)
{
    (void)state;
    static const char obj[] = "v 0 0 0\nv 1 -2 0\nv 0 .5 4\nf 1 3 2\nf 3 2 1\n";
    static const char json[] = "{\"vertices\":[[0,0,0],[1,-2,0],[0,0.5,4]],\"triangles\":[[0,2,1],"
                               "[2,1,0]]}";
    nav_geometry wanted = sample(false);
    uint8_t wanted_bytes[sizeof GOLDEN - 4], bytes[sizeof GOLDEN - 4];
    proto_geometry_pack(&wanted, wanted_bytes);
    const void *texts[2] = {obj, json};
    const size_t sizes[2] = {sizeof obj - 1, sizeof json - 1};
    for (size_t i = 0; i < 2; i++) {
        proto_geometry_reader *reader;
        nav_geometry geometry;
        nav_error err;
        assert_int_equal(read_geometry(i == 0 ? PROTO_FORMAT_OBJ : PROTO_FORMAT_JSON, texts[i],
                                       sizes[i], 0, 1, &reader, &geometry, &err),
                         NAV_OK);
        assert_int_equal(proto_geometry_packed_size(&geometry), sizeof bytes);
        proto_geometry_pack(&geometry, bytes);
        assert_memory_equal(bytes, wanted_bytes, sizeof bytes);
        proto_geometry_destroy(reader);
    }
}

typedef struct patch {
    size_t offset;
    uint8_t bytes[4];
    nav_status status;
    const char *at;
} patch;

static void test_refusals(void **state)
{
    (void)state;
    static const patch cases[] = {
        {0, {'N', 'A', 'V', 'H'}, PROTO_BAD_GEOMETRY, "magic"},
        {4, {2, 0, 0, 0}, PROTO_BAD_GEOMETRY, "format_version"},
        {16, {3, 0, 0, 0}, PROTO_BAD_GEOMETRY, "flags"},
        {20, {1, 0, 0, 0}, PROTO_BAD_GEOMETRY, "flags"},
        {8, {255, 255, 255, 255}, NAV_GEOMETRY_TOO_LARGE, "vertices"},
        {12, {255, 255, 255, 127}, NAV_GEOMETRY_TOO_LARGE, "triangles"},
        {28, {0, 0, 0xc0, 0x7f}, NAV_VERTEX_NOT_FINITE, "vertices[0].y"},
        {36, {0, 0, 0x80, 0xff}, NAV_VERTEX_NOT_FINITE, "vertices[1].x"},
        {44, {0x80, 0x96, 0x18, 0x4b}, NAV_VERTEX_OUT_OF_RANGE, "vertices[1].z"},
        {76, {3, 0, 0, 0}, NAV_INDEX_OUT_OF_RANGE, "triangles[1]"},
        {84, {1, 9, 1, 0}, PROTO_BAD_GEOMETRY, "padding"},
        {12, {1, 0, 0, 0}, PROTO_BAD_GEOMETRY, "end"}, // a triangle more than was promised
        {16, {0, 0, 0, 0}, PROTO_BAD_GEOMETRY, "end"}, // the areas are too many bytes
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t bytes[sizeof GOLDEN];
        memcpy(bytes, GOLDEN, sizeof bytes);
        memcpy(bytes + cases[i].offset, cases[i].bytes, 4);
        proto_geometry_reader *reader;
        nav_geometry geometry;
        nav_error err;
        nav_status status =
            read_geometry(PROTO_FORMAT_PACKED, bytes, sizeof bytes, 0, 1, &reader, &geometry, &err);
        assert_string_equal(err.at, cases[i].at);
        assert_int_equal(status, cases[i].status);
        proto_geometry_destroy(reader);
        assert_same_in_pieces(PROTO_FORMAT_PACKED, bytes, sizeof bytes, 3, 3);
    }
}

// Every prefix is refused; a header that promises 50 million vertices costs no memory.
static void test_truncated(void **state)
{
    (void)state;
    nav_error err;
    nav_geometry geometry;
    proto_geometry_reader *reader;
    for (size_t size = 0; size < sizeof GOLDEN; size++) {
        assert_int_equal(
            read_geometry(PROTO_FORMAT_PACKED, GOLDEN, size, 0, 1, &reader, &geometry, &err),
            PROTO_BAD_GEOMETRY);
        assert_string_equal(err.at, "end");
        proto_geometry_destroy(reader);
    }
    uint8_t bytes[sizeof GOLDEN];
    memcpy(bytes, GOLDEN, sizeof bytes);
    memcpy(bytes + 8, (const uint8_t[4]){0x80, 0xf0, 0xfa, 0x02}, 4);
    assert_int_equal(
        read_geometry(PROTO_FORMAT_PACKED, bytes, sizeof bytes, 0, 1, &reader, &geometry, &err),
        PROTO_BAD_GEOMETRY);
    proto_geometry_destroy(reader);
}

static void test_damage(void **state)
{
    (void)state;
    survive_damage(PROTO_FORMAT_PACKED, GOLDEN, sizeof GOLDEN, 4000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_reads_back),
        cmocka_unit_test(test_same_bytes_from_every_format),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
