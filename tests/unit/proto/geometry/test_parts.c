// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_parts.c: a level in several parts is the one that a single file would be, wherever its parts
// stand and whether they are read or taken from an earlier geometry; a part that is wrong is named.

#include "proto/geometry/parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define FLOOR "v 0 0 0\nv 0 0 4\nv 4 0 4\n"
#define MUD FLOOR "usemtl Mud\nf 1 2 3\n"
#define PLAIN FLOOR "f 1 2 3\n"
#define SAND_JSON                                                                                  \
    "{\"vertices\":[[0,0,0],[0,0,4],[4,0,4]],\"triangles\":[[0,1,2],[0,1,2]],"                     \
    "\"areas\":[\"Sand\",\"Mud\"]}"

static nav_coordinates y_up(void)
{
    return nav_config_default().coordinates;
}

static proto_geometry_part named(const char *name)
{
    proto_geometry_part part = proto_part_default();
    assert_int_equal(proto_part_set_name(name, strlen(name), &part, NULL), NAV_OK);
    return part;
}

static nav_status add(proto_parts *parts, const proto_geometry_part *part, const char *text,
                      nav_error *err)
{
    nav_status status = proto_parts_begin(parts, part, PROTO_FORMAT_UNKNOWN, err);
    for (size_t i = 0; status == NAV_OK && text[i] != '\0'; i++) {
        status = proto_parts_feed(parts, text + i, 1, err);
    }
    return status == NAV_OK ? proto_parts_end(parts, err) : status;
}

static proto_parts *create(void)
{
    proto_parts *parts = NULL;
    assert_int_equal(proto_parts_create(NULL, &parts, NULL), NAV_OK);
    return parts;
}

static void assert_packed_as(const nav_geometry *geometry, const char *text)
{
    proto_geometry_reader *reader;
    nav_geometry wanted;
    assert_int_equal(proto_geometry_begin(PROTO_FORMAT_UNKNOWN, NULL, &reader, NULL), NAV_OK);
    assert_int_equal(proto_geometry_feed(reader, text, strlen(text), NULL), NAV_OK);
    assert_int_equal(proto_geometry_end(reader, &wanted, NULL), NAV_OK);
    const size_t size_bytes = proto_geometry_packed_size(&wanted);
    assert_int_equal(proto_geometry_packed_size(geometry), size_bytes);
    uint8_t *a = malloc(size_bytes), *b = malloc(size_bytes);
    assert_non_null(a);
    assert_non_null(b);
    proto_geometry_pack(&wanted, a);
    proto_geometry_pack(geometry, b);
    assert_memory_equal(a, b, size_bytes);
    free(a);
    free(b);
    proto_geometry_destroy(reader);
}

static void parts_are_what_one_file_would_be(void **state)
{
    (void)state;
    proto_parts *parts = create();
    const proto_geometry_part first = named("first"), second = named("b"), third = named("c.2");
    nav_geometry geometry;
    uint32_t count;
    assert_int_equal(add(parts, &first, PLAIN, NULL), NAV_OK);
    assert_int_equal(add(parts, &second, MUD, NULL), NAV_OK);
    assert_int_equal(add(parts, &third, SAND_JSON, NULL), NAV_OK);
    assert_int_equal(proto_parts_place(parts, y_up(), &geometry, NULL), NAV_OK);
    assert_packed_as(&geometry, FLOOR FLOOR FLOOR "f 1 2 3\nusemtl Mud\nf 4 5 6\nusemtl Sand\n"
                                                  "f 7 8 9\nusemtl Mud\nf 7 8 9\n");
    const proto_geometry_part *list = proto_parts_list(parts, &count);
    assert_int_equal(count, 3);
    assert_string_equal(list[2].name, "c.2");
    assert_int_equal(list[2].vertex_count, 3);
    assert_int_equal(list[2].triangle_count, 2);
    proto_parts_destroy(parts);
    // Without any material there are none; one without at the end has the empty one.
    parts = create();
    assert_int_equal(add(parts, &first, PLAIN, NULL), NAV_OK);
    assert_int_equal(add(parts, &second, PLAIN, NULL), NAV_OK);
    assert_int_equal(proto_parts_place(parts, y_up(), &geometry, NULL), NAV_OK);
    assert_packed_as(&geometry, FLOOR FLOOR "f 1 2 3\nf 4 5 6\n");
    proto_parts_destroy(parts);
    parts = create();
    assert_int_equal(add(parts, &first, MUD, NULL), NAV_OK);
    assert_int_equal(add(parts, &second, PLAIN, NULL), NAV_OK);
    assert_int_equal(proto_parts_place(parts, y_up(), &geometry, NULL), NAV_OK);
    assert_packed_as(&geometry, "{\"vertices\":[0,0,0,0,0,4,4,0,4,0,0,0,0,0,4,4,0,4],"
                                "\"triangles\":[0,1,2,3,4,5],\"areas\":[\"Mud\",\"\"]}");
    proto_parts_destroy(parts);
}

static proto_geometry_part placed(const char *json)
{
    proto_geometry_part part = named("a");
    char *file = NULL;
    assert_int_equal(proto_part_read(json, strlen(json), &part, &file, NULL), NAV_OK);
    assert_null(file);
    return part;
}

static void parts_stand_where_they_are_put(void **state)
{
    (void)state;
    static const struct {
        const char *json, *obj;
    } cases[] = {
        {"{\"translate\":[10,0.5,-2]}", "v 10 0.5 -2\nv 10 0.5 2\nv 14 0.5 2\nf 1 2 3\n"},
        {"{\"scale\":2,\"translate\":[1,0,0]}", "v 1 0 0\nv 1 0 8\nv 9 0 8\nf 1 2 3\n"},
        // From z towards x: a quarter of a turn about y.
        {"{\"rotate\":90}", "v 0 0 0\nv 4 0 0\nv 4 0 -4\nf 1 2 3\n"},
        {"{\"rotate\":[0,0.7071067811865476,0,0.7071067811865476],\"scale\":2}",
         "v 0 0 0\nv 8 0 0\nv 8 0 -8\nf 1 2 3\n"},
        // Half a turn about x.
        {"{\"rotate\":[1,0,0,0]}", "v 0 0 0\nv 0 0 -4\nv 4 0 -4\nf 1 2 3\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        proto_parts *parts = create();
        const proto_geometry_part part = placed(cases[i].json);
        nav_geometry geometry, wanted;
        proto_geometry_reader *reader;
        assert_int_equal(add(parts, &part, PLAIN, NULL), NAV_OK);
        assert_int_equal(proto_parts_place(parts, y_up(), &geometry, NULL), NAV_OK);
        assert_int_equal(proto_geometry_begin(PROTO_FORMAT_OBJ, NULL, &reader, NULL), NAV_OK);
        assert_int_equal(proto_geometry_feed(reader, cases[i].obj, strlen(cases[i].obj), NULL),
                         NAV_OK);
        assert_int_equal(proto_geometry_end(reader, &wanted, NULL), NAV_OK);
        for (size_t k = 0; k < 9; k++) {
            assert_true(geometry.vertices[k] - wanted.vertices[k] < 1e-5f &&
                        wanted.vertices[k] - geometry.vertices[k] < 1e-5f);
        }
        proto_geometry_destroy(reader);
        proto_parts_destroy(parts);
    }
}

static void a_part_is_taken_from_an_earlier_geometry(void **state)
{
    (void)state;
    proto_parts *before = create(), *after = create();
    const proto_geometry_part first = placed("{\"name\":\"first\",\"translate\":[50,0,0]}");
    const proto_geometry_part second = named("second");
    nav_geometry geometry, again;
    uint32_t count;
    assert_int_equal(add(before, &first, MUD, NULL), NAV_OK);
    assert_int_equal(add(before, &second, SAND_JSON, NULL), NAV_OK);
    assert_int_equal(proto_parts_place(before, y_up(), &geometry, NULL), NAV_OK);
    const proto_geometry_part *list = proto_parts_list(before, &count);
    // In another order, each where it was.
    assert_int_equal(proto_parts_keep(after, &list[1], &geometry, 3, 1, NULL), NAV_OK);
    assert_int_equal(proto_parts_keep(after, &list[0], &geometry, 0, 0, NULL), NAV_OK);
    assert_int_equal(proto_parts_place(after, y_up(), &again, NULL), NAV_OK);
    assert_packed_as(&again, FLOOR "v 50 0 0\nv 50 0 4\nv 54 0 4\nusemtl Sand\nf 1 2 3\n"
                                   "usemtl Mud\nf 1 2 3\nf 4 5 6\n");
    // Numbers that are not of this geometry.
    proto_parts_destroy(after);
    const uint32_t wrong[][4] = {{3, 1, 1, 0}, {4, 1, 3, 1}, {3, 3, 3, 1}, {UINT32_MAX, 1, 3, 1}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        proto_geometry_part part = list[0];
        nav_error err = {0};
        after = create();
        part.vertex_count = wrong[i][0];
        part.triangle_count = wrong[i][1];
        assert_true(proto_parts_keep(after, &part, &geometry, wrong[i][2], wrong[i][3], &err) !=
                    NAV_OK);
        assert_non_null(strstr(err.detail, "part first"));
        proto_parts_destroy(after);
    }
    proto_parts_destroy(before);
}

static void a_part_that_is_wrong_is_named(void **state)
{
    (void)state;
    proto_geometry_limits limits = proto_geometry_limits_default();
    const proto_geometry_part tree = named("tree"), other = named("other");
    proto_parts *parts = create();
    nav_geometry geometry;
    nav_error err = {0};
    assert_int_equal(proto_parts_place(parts, y_up(), &geometry, &err), NAV_INVALID_FIELD);
    proto_parts_destroy(parts);
    parts = create();
    assert_int_equal(add(parts, &tree, "v 0 0 0\nv 0 x 0\n", &err), PROTO_BAD_GEOMETRY);
    assert_string_equal(err.detail, "part tree: line 2: a coordinate is not a number");
    assert_string_equal(err.at, "part tree, line 2");
    proto_parts_destroy(parts);
    parts = create();
    assert_int_equal(add(parts, &tree, "{\"vertices\":[],\"triangles\":[],\"config\":{}}", &err),
                     NAV_MESH_EMPTY);
    proto_parts_destroy(parts);
    parts = create();
    assert_int_equal(add(parts, &tree,
                         "{\"vertices\":[[0,0,0],[0,0,1],[1,0,0]],\"triangles\":[[0,1,2]],"
                         "\"config\":{\"cell_size\":1}}",
                         &err),
                     NAV_INVALID_FIELD);
    assert_non_null(strstr(err.detail, "part tree: "));
    assert_string_equal(err.at, "part tree, config");
    proto_parts_destroy(parts);
    parts = create();
    assert_int_equal(add(parts, &tree, PLAIN, &err), NAV_OK);
    assert_int_equal(add(parts, &tree, PLAIN, &err), NAV_INVALID_FIELD);
    assert_non_null(strstr(err.detail, "tree: this name is given twice"));
    proto_parts_destroy(parts);
    // The limits are those of all parts together.
    limits.vertices_max = 5;
    assert_int_equal(proto_parts_create(&limits, &parts, NULL), NAV_OK);
    assert_int_equal(add(parts, &tree, PLAIN, &err), NAV_OK);
    assert_int_equal(add(parts, &other, PLAIN, &err), NAV_GEOMETRY_TOO_LARGE);
    assert_string_equal(err.detail, "part other: all parts together have more than 5 vertices");
    assert_string_equal(err.limit, "5");
    proto_parts_destroy(parts);
    // A place that is out of bounds.
    parts = create();
    const proto_geometry_part far = placed("{\"scale\":1000000}");
    assert_int_equal(add(parts, &far, PLAIN, &err), NAV_OK);
    assert_int_equal(proto_parts_place(parts, y_up(), &geometry, &err), NAV_VERTEX_OUT_OF_RANGE);
    assert_string_equal(err.at, "part a, vertices[1].z");
    proto_parts_destroy(parts);
}

static void places_beside_the_parts(void **state)
{
    (void)state;
    const char json[] = "[{\"name\":\"tree\",\"translate\":[10,0,0]}]";
    const proto_geometry_part tree = named("tree"), other = named("other");
    for (int missing = 0; missing < 2; missing++) {
        proto_parts *parts = create();
        proto_geometry_part *places;
        uint32_t count;
        nav_geometry geometry;
        nav_error err = {0};
        assert_int_equal(add(parts, missing ? &other : &tree, PLAIN, NULL), NAV_OK);
        assert_int_equal(proto_part_places_read(json, sizeof json - 1, &places, &count, NULL),
                         NAV_OK);
        assert_int_equal(count, 1);
        proto_parts_take_places(parts, places, count);
        assert_int_equal(proto_parts_place(parts, y_up(), &geometry, &err),
                         missing ? NAV_INVALID_FIELD : NAV_OK);
        if (missing) {
            assert_non_null(strstr(err.detail, "part tree: there is no such part"));
        } else {
            assert_packed_as(&geometry, "v 10 0 0\nv 10 0 4\nv 14 0 4\nf 1 2 3\n");
        }
        proto_parts_destroy(parts);
    }
}

static void parts_as_json(void **state)
{
    (void)state;
    static const struct {
        const char *json, *at;
        nav_status status;
    } wrong[] = {
        {"[]", "part", NAV_INVALID_FIELD},
        {"{\"name\":\"a/b\"}", "name", NAV_INVALID_FIELD},
        {"{\"name\":\"\"}", "name", NAV_INVALID_FIELD},
        {"{\"scale\":0}", "scale", NAV_INVALID_FIELD},
        {"{\"scale\":-1}", "scale", NAV_INVALID_FIELD},
        {"{\"rotate\":\"90\"}", "rotate", NAV_INVALID_FIELD},
        {"{\"rotate\":1e9}", "rotate", NAV_INVALID_FIELD},
        {"{\"rotate\":[0,0,0]}", "rotate", NAV_INVALID_FIELD},
        {"{\"rotate\":[0,0,0,0]}", "rotate", NAV_INVALID_FIELD},
        {"{\"rotate\":[1,1,1,1]}", "rotate", NAV_INVALID_FIELD},
        {"{\"translate\":[1,2]}", "translate", NAV_INVALID_FIELD},
        {"{\"translate\":[1,2,1e30]}", "translate[2]", NAV_INVALID_FIELD},
        {"{\"translates\":[1,2,3]}", "translates", PROTO_UNKNOWN_FIELD},
        {"{\"name\":\"a\",\"name\":\"a\"}", "name", PROTO_BAD_JSON},
        {"{", "byte 1", PROTO_BAD_JSON},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        proto_geometry_part part = proto_part_default();
        char *file = NULL;
        nav_error err = {0};
        assert_int_equal(proto_part_read(wrong[i].json, strlen(wrong[i].json), &part, &file, &err),
                         wrong[i].status);
        assert_string_equal(err.at, wrong[i].at);
        assert_null(file);
    }
    static const char *const lists[] = {"{}", "[1]", "[{}]", "[{\"name\":\"a\",\"file\":\"x\"}]",
                                        "[{\"name\":\"a\"},{\"name\":\"a\"}]"};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        proto_geometry_part *places;
        uint32_t count;
        assert_true(proto_part_places_read(lists[i], strlen(lists[i]), &places, &count, NULL) !=
                    NAV_OK);
    }
    static const char far_round[] = "{\"rotate\":1e9}";
    proto_geometry_part part = proto_part_default();
    char *file = NULL;
    nav_error err = {0};
    (void)proto_part_read(far_round, strlen(far_round), &part, &file, &err);
    assert_string_equal(err.detail, "rotate must be a number from -3600 to 3600, or a quaternion "
                                    "[x,y,z,w]");
    part = proto_part_default();
    assert_int_equal(proto_part_name_by_file("levels/a.b.obj", &part, NULL), NAV_OK);
    assert_string_equal(part.name, "a.b");
    assert_int_equal(proto_part_name_by_file("levels/old town.obj", &part, NULL),
                     NAV_INVALID_FIELD);
    assert_int_equal(proto_part_name_by_file("levels/", &part, NULL), NAV_INVALID_FIELD);
}

static void numbers_of_parts_are_told_and_read_back(void **state)
{
    (void)state;
    proto_geometry_part parts[2] = {named("a"), named("b")}, *read;
    proto_writer w;
    size_t size_bytes;
    uint32_t count;
    parts[0].vertex_count = 7;
    parts[1].triangle_count = 9;
    memcpy(parts[1].stamp, "0123456789abcdef0123456789abcdef", PROTO_PART_STAMP_BYTES);
    proto_writer_init(&w);
    proto_write_object_begin(&w);
    proto_write_key(&w, "parts");
    proto_write_parts(&w, parts, 2);
    proto_write_object_end(&w);
    char *json = proto_writer_take(&w, &size_bytes);
    proto_writer_free(&w);
    assert_non_null(json);
    assert_int_equal(proto_parts_read_list(json, &read, &count, NULL), NAV_OK);
    assert_int_equal(count, 2);
    assert_string_equal(read[0].name, "a");
    assert_int_equal(read[0].vertex_count, 7);
    assert_string_equal(read[0].stamp, "");
    assert_int_equal(read[1].triangle_count, 9);
    assert_string_equal(read[1].stamp, parts[1].stamp);
    assert_true(read[1].placed);
    free(read);
    free(json);
    assert_int_equal(proto_parts_read_list("{\"format\":\"obj\"}", &read, &count, NULL), NAV_OK);
    assert_int_equal(count, 0);
    free(read);
    assert_true(proto_parts_read_list("{\"parts\":[{\"name\":\"a\"}]}", &read, &count, NULL) !=
                NAV_OK);
    assert_true(proto_parts_read_list("{\"parts\":7}", &read, &count, NULL) != NAV_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_what_one_file_would_be),
        cmocka_unit_test(parts_stand_where_they_are_put),
        cmocka_unit_test(a_part_is_taken_from_an_earlier_geometry),
        cmocka_unit_test(a_part_that_is_wrong_is_named),
        cmocka_unit_test(places_beside_the_parts),
        cmocka_unit_test(parts_as_json),
        cmocka_unit_test(numbers_of_parts_are_told_and_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
