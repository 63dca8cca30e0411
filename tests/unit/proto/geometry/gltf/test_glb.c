// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_glb.c: the chunks of a binary glTF are those that its heads say, in pieces of any size; a
// head that lies is refused, and memory grows with what came, not with what was promised.

#include "tests/unit/glb_text.h"

#include "proto/geometry/gltf/gltf.h"
#include "tests/unit/failing_malloc.h"

static const char SQUARE[] = GLB_FRONT GLB_NODE;

static void test_pieces(void **state)
{
    (void)state;
    glb file = glb_make(SQUARE, &GLB_SQUARE, sizeof GLB_SQUARE);
    for (uint32_t piece = 1; piece < 40; piece++) {
        assert_same_in_pieces(PROTO_FORMAT_GLB, file.bytes, file.size_bytes, piece, piece);
    }
    free(file.bytes);
}

static void test_damage(void **state)
{
    (void)state;
    glb file = glb_make(SQUARE, &GLB_SQUARE, sizeof GLB_SQUARE);
    survive_damage(PROTO_FORMAT_GLB, file.bytes, file.size_bytes, 1500);
    free(file.bytes);
}

// Every prefix is too short, and a byte more too long.
static void test_length(void **state)
{
    (void)state;
    glb file = glb_make(SQUARE, &GLB_SQUARE, sizeof GLB_SQUARE);
    for (size_t size = 0; size <= file.size_bytes + 1; size++) {
        proto_geometry_reader *reader;
        nav_geometry geometry;
        nav_error err;
        uint8_t *bytes = calloc(file.size_bytes + 1, 1);
        assert_non_null(bytes);
        memcpy(bytes, file.bytes, file.size_bytes);
        nav_status status =
            read_geometry(PROTO_FORMAT_GLB, bytes, size, 0, 1, &reader, &geometry, &err);
        assert_int_equal(status, size == file.size_bytes ? NAV_OK : PROTO_BAD_GEOMETRY);
        assert_string_equal(err.at, size == file.size_bytes ? "" : "end");
        proto_geometry_destroy(reader);
        free(bytes);
    }
    free(file.bytes);
}

typedef struct patch {
    size_t offset;
    uint32_t value;
    const char *at;
} patch;

static void test_heads_that_lie(void **state)
{
    (void)state;
    const uint32_t json = (uint32_t)((sizeof SQUARE - 1 + 3) / 4 * 4);
    const patch cases[] = {
        {0, 0x46546c66, "magic"},
        {4, 1, "version"},
        {8, 19, "length"},
        {8, 0, "length"},
        {8, 0xffffffff, "end"},
        {8, json + 20, "end"},
        {12, 0xffffffff, "chunks[0]"},
        {12, json + 4096, "chunks[0]"},
        {16, 0x004e4942, "chunks[0]"},
        {20 + json, 0xfffffff0, "chunks[1]"},
        {20 + json, 96, "length"},
        {24 + json, 0x4e4f534a, "chunks[1]"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        proto_geometry_reader *reader;
        nav_geometry geometry;
        nav_error err;
        glb file = glb_make(SQUARE, &GLB_SQUARE, sizeof GLB_SQUARE);
        glb_put(file.bytes + cases[i].offset, cases[i].value);
        assert_int_equal(read_geometry(PROTO_FORMAT_GLB, file.bytes, file.size_bytes, 0, 1, &reader,
                                       &geometry, &err),
                         PROTO_BAD_GEOMETRY);
        assert_string_equal(err.at, cases[i].at);
        assert_same_in_pieces(PROTO_FORMAT_GLB, file.bytes, file.size_bytes, 5, 3);
        proto_geometry_destroy(reader);
        free(file.bytes);
    }
}

// A chunk of a kind that is not known is passed over.
static void test_other_chunks(void **state)
{
    (void)state;
    glb file = glb_make(SQUARE, &GLB_SQUARE, sizeof GLB_SQUARE);
    uint8_t *more = calloc(file.size_bytes + 12, 1);
    assert_non_null(more);
    memcpy(more, file.bytes, file.size_bytes);
    glb_put(more + 8, (uint32_t)file.size_bytes + 12);
    glb_put(more + file.size_bytes, 4);
    memcpy(more + file.size_bytes + 4, "XYZ", 4);
    proto_geometry_reader *reader;
    nav_geometry geometry;
    nav_error err;
    assert_int_equal(
        read_geometry(PROTO_FORMAT_GLB, more, file.size_bytes + 12, 3, 1, &reader, &geometry, &err),
        NAV_OK);
    assert_int_equal(geometry.triangle_count, 2);
    proto_geometry_destroy(reader);
    free(more);
    free(file.bytes);
}

// 4 GiB are promised, a few bytes come.
static void test_promises_take_no_memory(void **state)
{
    (void)state;
    uint8_t head[28] = "glTF\2\0\0\0\xff\xff\xff\xff\xe0\xff\xff\x0fJSON";
    proto_geometry_reader *reader;
    nav_error err;
    assert_int_equal(proto_geometry_begin(PROTO_FORMAT_GLB, NULL, &reader, &err), NAV_OK);
    assert_int_equal(proto_geometry_feed(reader, head, sizeof head, &err), NAV_OK);
    assert_in_range(reader->state.gltf->json_capacity, 8, 64u << 10);
    proto_geometry_destroy(reader);
}

// Every call for memory fails in turn: a normal error, and the reader can be destroyed.
static void test_no_memory(void **state)
{
    (void)state;
    static const char json[] = GLB_HEAD GLB_VIEWS GLB_ACCESSORS
        "'materials':[{'name':'mud'}],'meshes':[{'primitives':[{'attributes':{'POSITION':0},"
        "'indices':1,'material':0}]}],'scenes':[{'nodes':[0]}],'nodes':[{'mesh':0,'children':[1]},"
        "{'mesh':0,'name':'volume:mud'}]}";
    glb file = glb_make(json, &GLB_SQUARE, sizeof GLB_SQUARE);
    bool came = true;
    int64_t left = 0;
    for (; came && left < 100; left++) {
        proto_geometry_reader *reader = NULL;
        nav_geometry geometry;
        nav_error err = {0};
        failing_malloc_begin(left, false);
        nav_status status = proto_geometry_begin(PROTO_FORMAT_GLB, NULL, &reader, &err);
        if (status == NAV_OK) {
            status = proto_geometry_feed(reader, file.bytes, file.size_bytes, &err);
        }
        if (status == NAV_OK) {
            status = proto_geometry_end(reader, &geometry, &err);
        }
        came = failing_malloc_end();
        assert_int_equal(status, came ? NAV_NO_MEMORY : NAV_OK);
        proto_geometry_destroy(reader);
    }
    assert_in_range(left, FAILING_MALLOC ? 20 : 1, 99);
    free(file.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces),       cmocka_unit_test(test_damage),
        cmocka_unit_test(test_length),       cmocka_unit_test(test_heads_that_lie),

        cmocka_unit_test(test_other_chunks), cmocka_unit_test(test_promises_take_no_memory),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
