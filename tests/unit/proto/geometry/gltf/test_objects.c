// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_objects.c: the JSON of a glTF is bounded before it is read, members that nobody knows are
// passed over, and each that has another form than it should is named; extensions that cannot be
// read are refused by their name.

#include "tests/unit/glb_text.h"

#define REQUIRES(name) GLB_FRONT "'extensionsRequired':['" name "']," GLB_NODE

static void test_refusals(void **state)
{
    (void)state;
    static const glb_refused cases[] = {
        {"", PROTO_BAD_JSON, "byte 0", "JSON chunk"},
        {"{'asset':{'version':'2.0'},}", PROTO_BAD_JSON, "byte 27", NULL},
        {"[]", PROTO_BAD_GEOMETRY, "", "glTF: the JSON chunk must be an object"},
        {"{}", PROTO_BAD_GEOMETRY, "asset", NULL},
        {"{'asset':{}}", PROTO_BAD_GEOMETRY, "asset.version", NULL},
        {"{'asset':{'version':'1.0'}}", PROTO_BAD_GEOMETRY, "asset.version", "2.0"},
        {"{'asset':{'version':'2.5','minVersion':'2.1'}}", PROTO_BAD_GEOMETRY, "asset.version",
         NULL},
        {"{'asset':{'version':2}}", PROTO_BAD_GEOMETRY, "asset.version", "a string"},
        {GLB_FRONT "'scene':1,'scenes':[{'nodes':[0]}]," GLB_NODE, PROTO_BAD_GEOMETRY, "scene",
         NULL},
        {GLB_FRONT "'nodes':{}}", PROTO_BAD_GEOMETRY, "nodes", "a list"},
        {GLB_FRONT "'nodes':[0]}", PROTO_BAD_GEOMETRY, "nodes[0]", "an object"},
        {GLB_FRONT "'nodes':[{'mesh':0,'mesh':0}]}", PROTO_BAD_GEOMETRY, "nodes[0].mesh", "twice"},
        {GLB_FRONT "'nodes':[{'mesh':1}]}", PROTO_BAD_GEOMETRY, "nodes[0].mesh", NULL},
        {GLB_FRONT "'nodes':[{'mesh':-1}]}", PROTO_BAD_GEOMETRY, "nodes[0].mesh", NULL},
        {GLB_FRONT "'nodes':[{'mesh':0.5}]}", PROTO_BAD_GEOMETRY, "nodes[0].mesh", NULL},
        {GLB_FRONT "'nodes':[{'mesh':1e300}]}", PROTO_BAD_GEOMETRY, "nodes[0].mesh", NULL},
        {GLB_FRONT "'nodes':[{'mesh':'0'}]}", PROTO_BAD_GEOMETRY, "nodes[0].mesh", NULL},
        {GLB_FRONT "'nodes':[{'name':7}]}", PROTO_BAD_GEOMETRY, "nodes[0].name", NULL},
        {GLB_FRONT "'nodes':[{'extensions':7}]}", PROTO_BAD_GEOMETRY, "nodes[0].extensions", NULL},
        {GLB_FRONT "'extensionsRequired':[7]," GLB_NODE, PROTO_BAD_GEOMETRY,
         "extensionsRequired[0]", NULL},
        {REQUIRES("KHR_draco_mesh_compression"), PROTO_BAD_GEOMETRY, "extensionsRequired[0]",
         "KHR_draco_mesh_compression is not read here; export without compression"},
        {REQUIRES("EXT_meshopt_compression"), PROTO_BAD_GEOMETRY, "extensionsRequired[0]",
         "EXT_meshopt_compression is not read here; export without compression"},
        {REQUIRES("MY_voxels"), PROTO_BAD_GEOMETRY, "extensionsRequired[0]", "without it"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        glb_assert_refused(&cases[i]);
    }
}

static void test_what_is_not_known_is_passed_over(void **state)
{
    (void)state;
    static const char *const good[] = {
        GLB_FRONT GLB_NODE,
        REQUIRES("KHR_mesh_quantization"),
        REQUIRES("KHR_materials_unlit"),
        REQUIRES("KHR_texture_transform"),
        "{'extras':[[{'a':[1,{}]}],'x',null],'asset':{'version':'2.1','minVersion':'2.0'},"
        "'extensionsUsed':['MY_voxels'],'images':[{}],"
        "'buffers':[{'byteLength':100,'name':'b'}]," GLB_VIEWS GLB_ACCESSORS GLB_MESH
        "'nodes':[{'mesh':0,'extras':{'mesh':9},'camera':0}]}",
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        glb_read r = glb_take_square(good[i]);
        assert_int_equal(r.geometry.triangle_count, 2);
        glb_done(&r);
    }
}

// `count` times a text within others, malloc'ed.
static char *repeated(const char *front, const char *text, size_t count, const char *back)
{
    const size_t length = strlen(text);
    char *made = malloc(strlen(front) + length * count + strlen(back) + 1);
    assert_non_null(made);
    strcpy(made, front);
    char *to = made + strlen(front);
    for (size_t i = 0; i < count; i++, to += length) {
        memcpy(to, text, length);
    }
    strcpy(to, back);
    return made;
}

static void test_bombs(void **state)
{
    (void)state;
    const struct {
        const char *front, *text;
        size_t count;
        const char *back;
        glb_refused wanted;
    } bombs[] = {
        {"", "[", 1000000, "", {NULL, PROTO_JSON_TOO_DEEP, "byte 64", NULL}},
        {"{'asset':{'version':'2.0'},'nodes':[",
         "{},",
         1000000,
         "{}]}",
         {NULL, NAV_GEOMETRY_TOO_LARGE, "nodes", NULL}},
        {"[", "0,", 20000000, "0]", {NULL, PROTO_JSON_TOO_MANY_VALUES, "", NULL}},
    };
    for (size_t i = 0; i < sizeof bombs / sizeof bombs[0]; i++) {
        char *json = repeated(bombs[i].front, bombs[i].text, bombs[i].count, bombs[i].back);
        glb_read r = glb_read_limited(json, NULL, 0, NULL);
        assert_int_equal(r.status, bombs[i].wanted.status);
        if (bombs[i].wanted.at[0] != '\0') {
            assert_string_equal(r.err.at, bombs[i].wanted.at);
        }
        glb_done(&r);
        free(json);
    }
}

// An object is read wherever it is named: one of a megabyte that ten thousand primitives name would
// be ten gigabytes of text.
static void test_long_objects_that_many_name(void **state)
{
    (void)state;
    static const struct {
        const char *front, *middle, *primitive, *at;
    } cases[] = {
        {GLB_HEAD GLB_VIEWS "'accessors':[" GLB_CORNERS "," GLB_INDICES ",{'extras':'",
         "','bufferView':0,'componentType':5126,'count':4,'type':'VEC3'}],'meshes':[{'primitives':"
         "[",
         "{'attributes':{'POSITION':5},'indices':1},", "accessors[5]"},
        {GLB_HEAD GLB_VIEWS GLB_ACCESSORS "'materials':[{'extras':'",
         "','name':'mud'}],'meshes':[{'primitives':[",
         "{'attributes':{'POSITION':0},'indices':1,'material':0},", "materials[0]"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *front = repeated(cases[i].front, "x", 1 << 20, cases[i].middle);
        char *json = repeated(front, cases[i].primitive, 10000, "{}]}]," GLB_NODE);
        glb_read r = glb_read_limited(json, &GLB_SQUARE, sizeof GLB_SQUARE, NULL);
        assert_int_equal(r.status, NAV_GEOMETRY_TOO_LARGE);
        assert_string_equal(r.err.at, cases[i].at);
        glb_done(&r);
        free(json);
        free(front);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_what_is_not_known_is_passed_over),
        cmocka_unit_test(test_bombs),
        cmocka_unit_test(test_long_objects_that_many_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
