// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_materials.c: materials of triangles in all formats: the same ones give the same
// bytes, and what is wrong with them is named.

#include "proto/base/coordinates.h"
#include "tests/unit/geometry_text.h"
#include "tests/unit/preset.h"

#include <stdio.h>

#define SQUARE "v 0 0 0\nv 0 0 4\nv 4 0 4\nv 4 0 0\n"
#define JSON_SQUARE                                                                                \
    "\"vertices\":[0,0,0,0,0,4,4,0,4,4,0,0],\"triangles\":[0,1,2,0,1,2,0,2,3,0,1,3,0,1,2]"

// Five triangles: none, Water A, Water A, mud, none.
#define OBJ                                                                                        \
    SQUARE "f 1 2 3\nusemtl unused\nusemtl  Water A \t\nf 1 2 3\nf 1 3 4\nusemtl mud\nf 1 2 4\n"   \
           "usemtl\nusemtl \nusemtl mud\nusemtl Water A\nusemtl last\nf 1 2 3\n"

static void read_good(proto_format format, const void *text, size_t size_bytes,
                      proto_geometry_reader **reader, nav_geometry *geometry)
{
    nav_error err;
    nav_status status = read_geometry(format, text, size_bytes, 0, 1, reader, geometry, &err);
    assert_string_equal(err.detail, "");
    assert_int_equal(status, NAV_OK);
}

static void assert_materials(const nav_geometry *g, const char *const *names)
{
    assert_non_null(g->triangle_materials);
    for (uint32_t i = 0; i < g->triangle_count; i++) {
        assert_true(g->triangle_materials[i] < g->material_count);
        assert_string_equal(g->material_names[g->triangle_materials[i]], names[i]);
    }
}

static uint8_t *packed(const nav_geometry *g, size_t *size_bytes)
{
    *size_bytes = proto_geometry_packed_size(g);
    uint8_t *bytes = malloc(*size_bytes);
    assert_non_null(bytes);
    memset(bytes, 0xee, *size_bytes);
    proto_geometry_pack(g, bytes);
    return bytes;
}

static void test_every_format_gives_the_same_bytes(void **state)
{
    (void)state;
    static const char *const names[] = {"", "Water A", "Water A", "mud", "last"};
    static const char json[] =
        "{\"areas\":[\"\",\"Water A\", \"Water\\u0020A\" ,\"mud\",\"last\"]," JSON_SQUARE "}";
    proto_geometry_reader *readers[3];
    nav_geometry g[3];
    size_t size[2];
    read_good(PROTO_FORMAT_OBJ, OBJ, sizeof OBJ - 1, &readers[0], &g[0]);
    read_good(PROTO_FORMAT_JSON, json, sizeof json - 1, &readers[1], &g[1]);
    uint8_t *bytes = packed(&g[0], &size[0]), *other = packed(&g[1], &size[1]);
    assert_int_equal(size[0], 24 + 12 * 4 + 12 * 5 + 48 * 4 + 12);
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes, other, size[0]);
    read_good(PROTO_FORMAT_PACKED, bytes, size[0], &readers[2], &g[2]);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(g[i].material_count, 4);
        assert_materials(&g[i], names);
        proto_geometry_destroy(readers[i]);
    }
    for (uint32_t piece = 1; piece < 60; piece += 7) {
        assert_same_in_pieces(PROTO_FORMAT_PACKED, bytes, size[0], piece, 5);
        assert_same_in_pieces(PROTO_FORMAT_JSON, json, sizeof json - 1, piece, 5);
        assert_same_in_pieces(PROTO_FORMAT_OBJ, OBJ, sizeof OBJ - 1, piece, 5);
    }
    free(bytes);
    free(other);
}

static void test_no_name_is_no_material(void **state)
{
    (void)state;
    static const char json[] = "{\"areas\":[\"\",\"\",\"\",\"\",\"\"]," JSON_SQUARE "}";
    static const char obj[] = SQUARE "f 1 2 3\nusemtl\nf 1 3 4\nusemtl unused";
    proto_geometry_reader *reader;
    nav_geometry g;
    read_good(PROTO_FORMAT_JSON, json, sizeof json - 1, &reader, &g);
    assert_null(g.triangle_materials);
    proto_geometry_destroy(reader);
    read_good(PROTO_FORMAT_OBJ, obj, sizeof obj - 1, &reader, &g);
    assert_null(g.triangle_materials);
    proto_geometry_destroy(reader);
}

static void test_escapes_are_resolved(void **state)
{
    (void)state;
    static const char json[] = "{\"areas\":[\"\\u00e4\\u20ac\\ud83d\\ude00\",\"\\\"\\\\\\/\","
                               "\"\\b\\f\\n\\r\\t\",\"\xc3\xa4\",\"\\u00E4\"]," JSON_SQUARE "}";
    static const char *const names[] = {"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", "\"\\/",
                                        "\b\f\n\r\t", "\xc3\xa4", "\xc3\xa4"};
    proto_geometry_reader *reader;
    nav_geometry g;
    read_good(PROTO_FORMAT_JSON, json, sizeof json - 1, &reader, &g);
    assert_materials(&g, names);
    assert_int_equal(g.material_count, 4);
    proto_geometry_destroy(reader);
}

#define NAME_47 "01234567890123456789012345678901234567890123456"

static void test_refusals(void **state)
{
    (void)state;
    static const refused_text json[] = {
        {"{" JSON_SQUARE ",\"areas\":[\"a\"]}", PROTO_BAD_GEOMETRY, "areas", "1", "5"},
        {"{" JSON_SQUARE ",\"areas\":[]}", PROTO_BAD_GEOMETRY, "areas", "0", "5"},
        {"{" JSON_SQUARE ",\"areas\":[\"a\",2]}", NAV_INVALID_FIELD, "areas[1]", NULL, NULL},
        {"{" JSON_SQUARE ",\"areas\":[null]}", NAV_INVALID_FIELD, "areas[0]", NULL, NULL},
        {"{" JSON_SQUARE ",\"areas\":[[\"a\"]]}", NAV_INVALID_FIELD, "areas[0]", NULL, NULL},
        {"{" JSON_SQUARE ",\"areas\":\"a\"}", NAV_INVALID_FIELD, "areas", NULL, NULL},
        {"{" JSON_SQUARE ",\"areas\":[\"a\",]}", PROTO_BAD_JSON, NULL, NULL, NULL},
        {"{" JSON_SQUARE ",\"areas\":[\"a\" \"b\"]}", PROTO_BAD_JSON, NULL, NULL, NULL},
        {"{" JSON_SQUARE ",\"areas\":[\"\\x\"]}", PROTO_BAD_JSON, NULL, NULL, NULL},
        {"{" JSON_SQUARE ",\"areas\":[\"\\ud800\"]}", PROTO_BAD_JSON, NULL, NULL, NULL},
        {"{" JSON_SQUARE ",\"areas\":[\"\\u0000\"]}", PROTO_BAD_JSON, NULL, NULL, NULL},
        {"{" JSON_SQUARE ",\"areas\":[\"\xff\"]}", PROTO_BAD_JSON, NULL, NULL, NULL},
        {"{\"areas\":[\"a\"],\"areas\":[]}", PROTO_BAD_JSON, "areas", NULL, NULL},
    };
    for (size_t i = 0; i < sizeof json / sizeof json[0]; i++) {
        assert_refused(PROTO_FORMAT_JSON, &json[i]);
    }
}

// Beyond 47 bytes a name is its beginning and a hash of all of it, the same in every format.
static void long_names_are_cut(void **state)
{
    (void)state;
    static const char obj[] =
        "v 0 0 0\nv 4 0 0\nv 4 0 4\nusemtl " NAME_47 "8\nf 1 2 3\nusemtl " NAME_47
        "9\nf 1 2 3\nusemtl " NAME_47 "\nf 1 2 3\n";
    static const char json[] =
        "{\"vertices\":[0,0,0,4,0,0,4,0,4],\"triangles\":[0,1,2,0,1,2,0,1,2],"
        "\"areas\":[\"" NAME_47 "8\",\"" NAME_47 "9\",\"" NAME_47 "\"]}";
    proto_geometry_reader *readers[2];
    nav_geometry g[2];
    read_good(PROTO_FORMAT_OBJ, obj, sizeof obj - 1, &readers[0], &g[0]);
    read_good(PROTO_FORMAT_JSON, json, sizeof json - 1, &readers[1], &g[1]);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(g[i].material_count, 3);
        assert_int_equal(strlen(g[i].material_names[0]), 47);
        assert_memory_equal(g[i].material_names[0], NAME_47, 30);
        assert_int_equal(g[i].material_names[0][30], '~');
        assert_string_equal(g[i].material_names[2], NAME_47);
        assert_string_equal(g[i].material_names[1], g[0].material_names[1]);
    }
    proto_geometry_destroy(readers[0]);
    proto_geometry_destroy(readers[1]);
}

static void test_packed_refusals(void **state)
{
    (void)state;
    proto_geometry_reader *reader;
    nav_geometry g;
    nav_error err;
    size_t size;
    read_good(PROTO_FORMAT_OBJ, OBJ, sizeof OBJ - 1, &reader, &g);
    uint8_t *bytes = packed(&g, &size);
    proto_geometry_destroy(reader);
    const size_t names = 24 + 12 * 4 + 12 * 5, numbers = names + 48 * 4;
    const struct {
        size_t at;
        uint8_t byte;
        nav_status status;
        const char *where;
    } cases[] = {
        {20, 0, PROTO_BAD_GEOMETRY, "flags"},
        {22, 1, NAV_GEOMETRY_TOO_LARGE, "materials"},
        {names + 47, 'x', PROTO_BAD_GEOMETRY, "materials"},
        {numbers + 2, 4, NAV_INDEX_OUT_OF_RANGE, "materials[1]"},
        {size - 1, 1, PROTO_BAD_GEOMETRY, "padding"},
        {16, 0, PROTO_BAD_GEOMETRY, "flags"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t kept = bytes[cases[i].at];
        bytes[cases[i].at] = cases[i].byte;
        assert_int_equal(read_geometry(PROTO_FORMAT_PACKED, bytes, size, 0, 1, &reader, &g, &err),
                         cases[i].status);
        assert_string_equal(err.at, cases[i].where);
        proto_geometry_destroy(reader);
        bytes[cases[i].at] = kept;
    }
    for (size_t cut = names; cut < size; cut++) {
        assert_int_equal(read_geometry(PROTO_FORMAT_PACKED, bytes, cut, 0, 1, &reader, &g, &err),
                         PROTO_BAD_GEOMETRY);
        proto_geometry_destroy(reader);
    }
    survive_damage(PROTO_FORMAT_PACKED, bytes, size, 2000);
    free(bytes);
}

// As many names as there may be, and one more.
static void test_count_of_materials(void **state)
{
    (void)state;
    for (uint32_t count = NAV_GEOMETRY_MATERIALS_MAX; count <= NAV_GEOMETRY_MATERIALS_MAX + 1;
         count++) {
        size_t capacity = (size_t)count * 32 + 128, size = 0;
        char *text = malloc(capacity);
        assert_non_null(text);
        size += (size_t)snprintf(text, capacity, SQUARE);
        for (uint32_t i = 0; i < count; i++) {
            size += (size_t)snprintf(text + size, capacity - size, "usemtl m%u\nf 1 2 3\n", i);
        }
        proto_geometry_reader *reader;
        nav_geometry g;
        nav_error err;
        nav_status status = read_geometry(PROTO_FORMAT_OBJ, text, size, 0, 1, &reader, &g, &err);
        if (count == NAV_GEOMETRY_MATERIALS_MAX) {
            assert_int_equal(status, NAV_OK);
            assert_int_equal(g.material_count, count);
            assert_string_equal(g.material_names[g.triangle_materials[65534]], "m65534");
            assert_string_equal(g.material_names[g.triangle_materials[77]], "m77");
        } else {
            assert_int_equal(status, NAV_GEOMETRY_TOO_LARGE);
            assert_string_equal(err.at, "materials");
        }
        proto_geometry_destroy(reader);
        free(text);
    }
}

// However their names lie in the alphabet, materials are numbered by first use.
static void test_many_names(void **state)
{
    (void)state;
    enum {
        COUNT = 5000
    };
    char *text = malloc(64 + (size_t)COUNT * 64), *to = text;
    assert_non_null(text);
    to += sprintf(to, SQUARE);
    for (uint32_t i = 0; i < 2 * COUNT; i++) {
        to += sprintf(to, "usemtl %u\nf 1 2 3\n", (i % COUNT) * 2654435761u);
    }
    proto_geometry_reader *reader;
    nav_geometry g;
    read_good(PROTO_FORMAT_OBJ, text, (size_t)(to - text), &reader, &g);
    assert_int_equal(g.material_count, COUNT);
    for (uint32_t i = 0; i < 2 * COUNT; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "%u", (i % COUNT) * 2654435761u);
        assert_int_equal(g.triangle_materials[i], i % COUNT);
        assert_string_equal(g.material_names[i % COUNT], name);
    }
    proto_geometry_destroy(reader);
    free(text);
}

static void test_vertices_are_turned_once(void **state)
{
    (void)state;
    static const char text[] = "v 1 2 3\nv 4 5 6\nv 7 9 0\nf 1 2 3\n";
    static const float turned[] = {1, 3, -2, 4, 6, -5, 7, 0, -9};
    proto_geometry_reader *reader;
    nav_geometry g;
    read_good(PROTO_FORMAT_OBJ, text, sizeof text - 1, &reader, &g);
    assert_int_equal(proto_geometry_to_mesh(reader, coordinates_of("z_up"), NULL), NAV_OK);
    assert_memory_equal(g.vertices, turned, sizeof turned);
    proto_geometry_destroy(reader);
}

static void test_damage(void **state)
{
    (void)state;
    static const char json[] =
        "{\"areas\":[\"\",\"W\\u00e4\", \"\\ud83d\\ude00\" ,\"m\\\"\",\"l\"]," JSON_SQUARE "}";
    survive_damage(PROTO_FORMAT_JSON, json, sizeof json - 1, 4000);
    survive_damage(PROTO_FORMAT_OBJ, OBJ, sizeof OBJ - 1, 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_names_are_cut),
        cmocka_unit_test(test_every_format_gives_the_same_bytes),
        cmocka_unit_test(test_no_name_is_no_material),
        cmocka_unit_test(test_escapes_are_resolved),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_packed_refusals),
        cmocka_unit_test(test_count_of_materials),
        cmocka_unit_test(test_many_names),
        cmocka_unit_test(test_vertices_are_turned_once),
        cmocka_unit_test(test_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
