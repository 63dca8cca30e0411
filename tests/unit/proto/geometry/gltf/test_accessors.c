// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_accessors.c: numbers of every type come out as the specification says, strided, sparse,
// normalized or from nothing, and an accessor that would reach past its bytes is refused by its
// name before any of them is read.

#include "tests/unit/glb_text.h"

static const uint32_t TWO[6] = {0, 2, 1, 0, 3, 2};

static void test_index_types(void **state)
{
    (void)state;
    for (uint32_t accessor = 1; accessor <= 3; accessor++) {
        char json[2048];
        (void)snprintf(json, sizeof json,
                       GLB_HEAD GLB_VIEWS GLB_ACCESSORS
                       "'meshes':[{'primitives':[{'attributes':{'POSITION':0},'indices':%u}]}]," //
                       GLB_NODE,
                       accessor);
        glb_read r = glb_take_square(json);
        glb_expect(&r, GLB_SQUARE.corners[0], 4, TWO, 2);
        glb_done(&r);
    }
}

// Three corners of a type, with their bytes, of which nothing else follows.
typedef struct typed {
    uint32_t type;
    bool is_normalized;
    uint32_t size_bytes, stride;
    uint8_t bytes[28];
    float wanted[9];
} typed;

static void test_position_types(void **state)
{
    (void)state;
    static const typed cases[] = {
        {5120,
         false,
         9,
         0,
         {0, 0, 0, 0x80, 0x7f, 1, 0xff, 2, 3},
         {0, 0, 0, -128, 127, 1, -1, 2, 3}},
        {5120,
         true,
         9,
         0,
         {0, 0, 0, 0x80, 0x7f, 1, 0x81, 2, 3},
         {0, 0, 0, -1, 1, 1 / 127.0f, -1, 2 / 127.0f, 3 / 127.0f}},
        {5121, false, 12, 4, {0, 0, 0, 9, 255, 1, 2, 9, 3, 4, 5, 9}, {0, 0, 0, 255, 1, 2, 3, 4, 5}},
        {5121,
         true,
         11,
         4,
         {0, 0, 0, 9, 255, 51, 2, 9, 3, 4, 5},
         {0, 0, 0, 1, 51 / 255.0f, 2 / 255.0f, 3 / 255.0f, 4 / 255.0f, 5 / 255.0f}},
        {5122,
         false,
         18,
         0,
         {0, 0, 0, 0, 0, 0, 0, 0x80, 0xff, 0x7f, 1, 0, 0xff, 0xff, 2, 0, 3, 0},
         {0, 0, 0, -32768, 32767, 1, -1, 2, 3}},
        {5122,
         true,
         18,
         0,
         {0, 0, 0, 0, 0, 0, 0, 0x80, 0xff, 0x7f, 1, 0, 0xff, 0xff, 2, 0, 3, 0},
         {0, 0, 0, -1, 1, 1 / 32767.0f, -1 / 32767.0f, 2 / 32767.0f, 3 / 32767.0f}},
        {5123,
         false,
         22,
         8,
         {0, 0, 0, 0, 0, 0, 9, 9, 0xff, 0xff, 1, 0, 2, 0, 9, 9, 0, 1, 4, 0, 5, 0},
         {0, 0, 0, 65535, 1, 2, 256, 4, 5}},
        {5123,
         true,
         18,
         0,
         {0, 0, 0, 0, 0, 0, 0xff, 0xff, 1, 0, 2, 0, 0, 1, 4, 0, 5, 0},
         {0, 0, 0, 1, 1 / 65535.0f, 2 / 65535.0f, 256 / 65535.0f, 4 / 65535.0f, 5 / 65535.0f}},
    };
    static const uint32_t one[3] = {0, 1, 2};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const typed *c = &cases[i];
        char json[1024], stride[32] = "";
        if (c->stride > 0) {
            (void)snprintf(stride, sizeof stride, ",'byteStride':%u", c->stride);
        }
        (void)snprintf(json, sizeof json,
                       "{'asset':{'version':'2.0'},'extensionsRequired':['KHR_mesh_quantization'],"
                       "'buffers':[{'byteLength':%u}],"
                       "'bufferViews':[{'buffer':0,'byteLength':%u%s}],'accessors':[{'bufferView':"
                       "0,'componentType':%u,'normalized':%s,'count':3,'type':'VEC3'}],"
                       "'meshes':[{'primitives':[{'attributes':{'POSITION':0}}]}]," GLB_NODE,
                       c->size_bytes, c->size_bytes, stride, c->type,
                       c->is_normalized ? "true" : "false");
        glb_read r = glb_take(json, c->bytes, c->size_bytes);
        glb_expect(&r, c->wanted, 3, one, 1);
        glb_done(&r);
    }
}

// Corners 1 and 3 of the square are replaced by corners 0 and 1 of it; its indices by zeros.
#define SPARSE(count, index_view, index_offset, value_offset)                                      \
    "'sparse':{'count':" count ",'indices':{'bufferView':" index_view                              \
    ",'byteOffset':" index_offset                                                                  \
    ",'componentType':5121},'values':{'bufferView':0,'byteOffset':" value_offset "}}"
#define SPARSE_FILE(sparse)                                                                        \
    GLB_HEAD GLB_VIEWS                                                                             \
        "'accessors':[{'bufferView':0,'componentType':5126,'count':4,'type':'VEC3'," sparse        \
        "}," GLB_INDICES "]," GLB_MESH GLB_NODE

static void test_sparse(void **state)
{
    (void)state;
    // Bytes 60 to 65 are 0 2 1 0 3 2: from the fourth on 0 3, from the fifth 3 2.
    static const float wanted[] = {2, 0, 0, 2, 0, 0, 2, 0, 2, 2, 0, 2};
    glb_read r = glb_take_square(SPARSE_FILE(SPARSE("2", "2", "3", "12")));
    glb_expect(&r, wanted, 4, TWO, 2);
    glb_done(&r);
    // Of nothing but what replaces it.
    static const float zeros[] = {2, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    r = glb_take_square(GLB_HEAD GLB_VIEWS
                        "'accessors':[{'componentType':5126,'count':4,'type':'VEC3'," //
                        SPARSE("1", "2", "0", "24") "}," GLB_INDICES "]," GLB_MESH GLB_NODE);
    glb_expect(&r, zeros, 4, TWO, 2);
    glb_done(&r);
    static const glb_refused cases[] = {
        {SPARSE_FILE(SPARSE("2", "2", "4", "0")), PROTO_BAD_GEOMETRY,
         "accessors[0].sparse.indices[1]", "rise"},
        {SPARSE_FILE(SPARSE("0", "2", "0", "0")), PROTO_BAD_GEOMETRY, "accessors[0].sparse", NULL},
        {SPARSE_FILE(SPARSE("5", "2", "0", "0")), PROTO_BAD_GEOMETRY, "accessors[0].sparse", NULL},
        {SPARSE_FILE(SPARSE("2", "2", "5", "0")), PROTO_BAD_GEOMETRY,
         "accessors[0].sparse.indices.byteOffset", NULL},
        {SPARSE_FILE(SPARSE("2", "2", "3", "25")), PROTO_BAD_GEOMETRY,
         "accessors[0].sparse.values.byteOffset", NULL},
        {SPARSE_FILE("'sparse':{'count':1}"), PROTO_BAD_GEOMETRY, "accessors[0].sparse", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        glb_assert_refused(&cases[i]);
    }
    // An index past the count: 100 bytes are the buffer, of which byte 4 of the floats is 0x40.
    const glb_refused past = {
        GLB_HEAD GLB_VIEWS
        "'accessors':[{'bufferView':0,'componentType':5126,'count':4,'type':'VEC3','sparse':{"
        "'count':1,'indices':{'bufferView':0,'byteOffset':15,'componentType':5121},'values':{"
        "'bufferView':0}}}," GLB_INDICES "]," GLB_MESH GLB_NODE,
        PROTO_BAD_GEOMETRY, "accessors[0].sparse.indices[0]", NULL};
    glb_assert_refused(&past);
}

#define VIEW_FILE(view)                                                                            \
    GLB_HEAD "'bufferViews':[" view ",{'buffer':0,'byteOffset':48,'byteLength':12}],'accessors':[" \
             "{'bufferView':0,'componentType':5126,'count':4,'type':'VEC3'},"                      \
             "{'bufferView':1,'componentType':5123,'count':6,'type':'SCALAR'}]," GLB_MESH GLB_NODE
#define ACCESSOR_FILE(accessor)                                                                    \
    GLB_HEAD GLB_VIEWS "'accessors':[" accessor "," GLB_INDICES "]," GLB_MESH GLB_NODE
#define INDEX_FILE(accessor)                                                                       \
    GLB_HEAD GLB_VIEWS "'accessors':[" GLB_CORNERS "," accessor "]," GLB_MESH GLB_NODE
#define BUFFER_FILE(buffers)                                                                       \
    "{'asset':{'version':'2.0'},'buffers':[" buffers "]," GLB_VIEWS GLB_ACCESSORS GLB_MESH GLB_NODE

static void test_refusals(void **state)
{
    (void)state;
    static const glb_refused cases[] = {
        {VIEW_FILE("{'buffer':0,'byteLength':101}"), PROTO_BAD_GEOMETRY, "bufferViews[0]", NULL},
        {VIEW_FILE("{'buffer':0,'byteOffset':100,'byteLength':48}"), PROTO_BAD_GEOMETRY,
         "bufferViews[0]", NULL},
        {VIEW_FILE("{'buffer':0,'byteOffset':9007199254740992,'byteLength':9007199254740992}"),
         PROTO_BAD_GEOMETRY, "bufferViews[0]", NULL},
        {VIEW_FILE("{'buffer':0,'byteOffset':18446744073709551608,'byteLength':48}"),
         PROTO_BAD_GEOMETRY, "bufferViews[0].byteOffset", NULL},
        {VIEW_FILE("{'buffer':0,'byteLength':-1}"), PROTO_BAD_GEOMETRY, "bufferViews[0].byteLength",
         NULL},
        {VIEW_FILE("{'buffer':0,'byteLength':47}"), PROTO_BAD_GEOMETRY, "accessors[0].byteOffset",
         NULL},
        {VIEW_FILE("{'buffer':0}"), PROTO_BAD_GEOMETRY, "accessors[0].byteOffset", NULL},
        {VIEW_FILE("{'byteLength':48}"), PROTO_BAD_GEOMETRY, "bufferViews[0]", NULL},
        {VIEW_FILE("{'buffer':1,'byteLength':48}"), PROTO_BAD_GEOMETRY, "bufferViews[0].buffer",
         NULL},
        {VIEW_FILE("{'buffer':0,'byteLength':100,'byteStride':8}"), PROTO_BAD_GEOMETRY,
         "bufferViews[0].byteStride", NULL},
        {VIEW_FILE("{'buffer':0,'byteLength':100,'byteStride':256}"), PROTO_BAD_GEOMETRY,
         "bufferViews[0].byteStride", NULL},
        {VIEW_FILE("{'buffer':0,'byteLength':100,'byteStride':32}"), PROTO_BAD_GEOMETRY,
         "accessors[0].byteOffset", NULL},
        {ACCESSOR_FILE("{'bufferView':9,'componentType':5126,'count':4,'type':'VEC3'}"),
         PROTO_BAD_GEOMETRY, "accessors[0].bufferView", NULL},
        {ACCESSOR_FILE("{'bufferView':0,'byteOffset':4,'componentType':5126,'count':4,'type':"
                       "'VEC3'}"),
         PROTO_BAD_GEOMETRY, "accessors[0].byteOffset", NULL},
        {ACCESSOR_FILE("{'bufferView':0,'byteOffset':9007199254740990,'componentType':5126,'count':"
                       "4,'type':'VEC3'}"),
         PROTO_BAD_GEOMETRY, "accessors[0].byteOffset", NULL},
        {ACCESSOR_FILE("{'bufferView':0,'componentType':5126,'count':4294967296,'type':'VEC3'}"),
         PROTO_BAD_GEOMETRY, "accessors[0].count", NULL},
        {ACCESSOR_FILE("{'bufferView':0,'componentType':5126,'count':4294967294,'type':'VEC3'}"),
         PROTO_BAD_GEOMETRY, "accessors[0].byteOffset", NULL},
        {ACCESSOR_FILE("{'bufferView':0,'componentType':5126,'count':0,'type':'VEC3'}"),
         PROTO_BAD_GEOMETRY, "accessors[0].count", NULL},
        {ACCESSOR_FILE("{'bufferView':0,'componentType':5126,'count':4,'type':'VEC2'}"),
         PROTO_BAD_GEOMETRY, "accessors[0]", "positions are VEC3"},
        {ACCESSOR_FILE("{'bufferView':0,'componentType':5125,'count':4,'type':'VEC3'}"),
         PROTO_BAD_GEOMETRY, "accessors[0]", NULL},
        {ACCESSOR_FILE("{'bufferView':0,'componentType':5130,'count':4,'type':'VEC3'}"),
         PROTO_BAD_GEOMETRY, "accessors[0]", NULL},
        {ACCESSOR_FILE("{'bufferView':0,'count':4,'type':'VEC3'}"), PROTO_BAD_GEOMETRY,
         "accessors[0]", NULL},
        {ACCESSOR_FILE("{'componentType':5126,'count':4294967294,'type':'VEC3'}"),
         PROTO_BAD_GEOMETRY, "accessors[0].count", NULL},
        {INDEX_FILE("{'componentType':5125,'count':4294967292,'type':'SCALAR'}"),
         PROTO_BAD_GEOMETRY, "accessors[1].count", NULL},
        {INDEX_FILE("{'bufferView':1,'componentType':5126,'count':3,'type':'SCALAR'}"),
         PROTO_BAD_GEOMETRY, "accessors[1]", "indices are SCALAR"},
        {INDEX_FILE("{'bufferView':1,'componentType':5122,'count':6,'type':'SCALAR'}"),
         PROTO_BAD_GEOMETRY, "accessors[1]", NULL},
        {INDEX_FILE("{'bufferView':1,'componentType':5123,'count':9,'type':'SCALAR'}"),
         PROTO_BAD_GEOMETRY, "accessors[1].byteOffset", NULL},
        {BUFFER_FILE("{'byteLength':101}"), PROTO_BAD_GEOMETRY, "buffers[0].byteLength", NULL},
        {BUFFER_FILE("{'byteLength':100,'uri':'level.bin'}"), PROTO_BAD_GEOMETRY, "buffers[0].uri",
         "other files, and further buffers, are not read; export as binary glTF (.glb)"},
        {BUFFER_FILE("{'byteLength':100,'uri':'data:application/octet-stream;base64,AAAA'}"),
         PROTO_BAD_GEOMETRY, "buffers[0].byteLength", "there are only 3 bytes"},
        {BUFFER_FILE("{'byteLength':100,'uri':'data:;base64,AA*A'}"), PROTO_BAD_GEOMETRY,
         "buffers[0].uri", "a data: URI must be base64"},
        {BUFFER_FILE("{'byteLength':100,'uri':'data:;base64,AAA==='}"), PROTO_BAD_GEOMETRY,
         "buffers[0].uri", NULL},
        {BUFFER_FILE("{'byteLength':100,'uri':'data:;base64,AA=A'}"), PROTO_BAD_GEOMETRY,
         "buffers[0].uri", NULL},
        {BUFFER_FILE("{'byteLength':100,'uri':'data:;base64,AAAAA'}"), PROTO_BAD_GEOMETRY,
         "buffers[0].uri", NULL},
        {BUFFER_FILE("{'byteLength':100,'uri':'data:;base64,AA\\nA'}"), PROTO_BAD_GEOMETRY,
         "buffers[0].uri", NULL},
        {BUFFER_FILE("{'byteLength':100,'uri':'data:;base64,AA\\/A'}"), PROTO_BAD_GEOMETRY,
         "buffers[0].byteLength", "there are only 3 bytes"},
        {BUFFER_FILE("{'byteLength':100,'uri':'data:;base64,AA\\u002bA'}"), PROTO_BAD_GEOMETRY,
         "buffers[0].byteLength", "there are only 3 bytes"},
        {BUFFER_FILE("{'byteLength':100,'uri':'data:;base64,AAA='}"), PROTO_BAD_GEOMETRY,
         "buffers[0].byteLength", "there are only 2 bytes"},
        {BUFFER_FILE("{'byteLength':100,'uri':'data:text/plain,AAAA'}"), PROTO_BAD_GEOMETRY,
         "buffers[0].uri", NULL},
        {GLB_HEAD "'bufferViews':[{'buffer':0,'byteLength':48,'extensions':{"
                  "'EXT_meshopt_compression':7}}]," GLB_ACCESSORS GLB_MESH GLB_NODE,
         PROTO_BAD_GEOMETRY, "bufferViews[0].extensions.EXT_meshopt_compression", NULL},
        {"{'asset':{'version':'2.0'},'buffers':[{'byteLength':100},{'byteLength':48}],"
         "'bufferViews':[{'buffer':1,'byteLength':48,'extensions':{'EXT_meshopt_compression':{}}}],"
         "'accessors':[" GLB_CORNERS
         "],'meshes':[{'primitives':[{'attributes':{'POSITION':0}}]}]," GLB_NODE,
         PROTO_BAD_GEOMETRY, "bufferViews[0]", "EXT_meshopt_compression is not read here"},
        {"{'asset':{'version':'2.0'},'buffers':[{'byteLength':100},{'byteLength':48}],"
         "'bufferViews':[{'buffer':1,'byteLength':48}],"
         "'accessors':[" GLB_CORNERS
         "],'meshes':[{'primitives':[{'attributes':{'POSITION':0}}]}]," GLB_NODE,
         PROTO_BAD_GEOMETRY, "buffers[1]", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        glb_assert_refused(&cases[i]);
    }
    glb_read r = glb_read_limited(GLB_FRONT GLB_NODE, NULL, 0, NULL); // without a BIN chunk
    assert_int_equal(r.status, PROTO_BAD_GEOMETRY);
    assert_string_equal(r.err.at, "buffers[0]");
    glb_done(&r);
}

#define NO_BYTES(count) "'accessors':[{'componentType':5126,'count':" count ",'type':'VEC3'}"
#define NO_INDICES(count)                                                                          \
    "'accessors':[" GLB_CORNERS ",{'componentType':5125,'count':" count ",'type':'SCALAR'}"
#define NO_PLACES                                                                                  \
    "],'meshes':[{'primitives':[{'attributes':{'POSITION':0}}]}],'nodes':[{'mesh':0,'extensions':" \
    "{'EXT_mesh_gpu_instancing':{'attributes':{'TRANSLATION':1}}}}]}"

// Elements without bytes are zeros. A file may have them, but no more than it has bytes.
static void test_zeros_are_bounded(void **state)
{
    (void)state;
    static const glb_refused cases[] = {
        {GLB_HEAD GLB_VIEWS NO_BYTES("5000000") "," GLB_INDICES "]," GLB_MESH GLB_NODE,
         PROTO_BAD_GEOMETRY, "accessors[0].count", "more than the file has bytes"},
        {GLB_HEAD GLB_VIEWS NO_INDICES("6000000") "]," GLB_MESH GLB_NODE, PROTO_BAD_GEOMETRY,
         "accessors[1].count", NULL},
        {GLB_HEAD GLB_VIEWS NO_BYTES("3") ",{'componentType':5126,'count':5000000,'type':"
                                          "'VEC3'}" NO_PLACES,
         PROTO_BAD_GEOMETRY, "accessors[1].count", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        glb_assert_refused(&cases[i]);
    }
    static const float zeros[12] = {0};
    static const uint32_t triangles[] = {0, 2, 1, 0, 3, 2};
    glb_read r =
        glb_take_square(GLB_HEAD GLB_VIEWS NO_BYTES("4") "," GLB_INDICES "]," GLB_MESH GLB_NODE);
    glb_expect(&r, zeros, 4, triangles, 2);
    glb_done(&r);
}

// A primitive that is too much is not followed by reading all others of its mesh.
static void test_a_mesh_is_counted_as_it_is_read(void **state)
{
    (void)state;
    proto_geometry_limits limits = proto_geometry_limits_default();
    limits.vertices_max = 6;
    glb_read r = glb_read_limited(
        GLB_HEAD GLB_VIEWS GLB_ACCESSORS
        "'meshes':[{'primitives':[{'attributes':{'POSITION':0},'indices':1},"
        "{'attributes':{'POSITION':0},'indices':1},{'attributes':{'POSITION':1}}]}]," GLB_NODE,
        &GLB_SQUARE, sizeof GLB_SQUARE, &limits);
    assert_int_equal(r.status, PROTO_BAD_GEOMETRY); // they share their vertices
    glb_done(&r);
    limits.vertices_max = 3;
    r = glb_read_limited(GLB_HEAD GLB_VIEWS GLB_ACCESSORS
                         "'meshes':[{'primitives':[{'attributes':{'POSITION':0},'indices':1},"
                         "{'attributes':{'POSITION':1}}]}]," GLB_NODE,
                         &GLB_SQUARE, sizeof GLB_SQUARE, &limits);
    assert_int_equal(r.status, NAV_GEOMETRY_TOO_LARGE);
    glb_done(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_index_types),
        cmocka_unit_test(test_position_types),
        cmocka_unit_test(test_sparse),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_zeros_are_bounded),
        cmocka_unit_test(test_a_mesh_is_counted_as_it_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
