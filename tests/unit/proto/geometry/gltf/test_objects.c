// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_objects.c: the JSON of a glTF is bounded before it is read, members that nobody knows are
// passed over, and each that has another form than it should is named; extensions that cannot be
// read are refused by their name.

#include "tests/unit/glb_text.h"

#include "proto/geometry/gltf/gltf.h"

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
        {"{'asset':{'minVersion':'2.0'}}", PROTO_BAD_GEOMETRY, "asset.version", "2.0"},
        {"{'asset':{'version':'2.5','minVersion':'2.1'}}", PROTO_BAD_GEOMETRY, "asset.minVersion",
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

// One node, whose member a is the value.
static nav_status read_member(proto_gltf_row row, const char *value, void *out)
{
    char json[64];
    uint32_t begins = 0;
    nav_error_place at = {"before"};
    nav_error err;
    row.name = "a";
    proto_gltf g = {.json = json, .begins = {[PROTO_GLTF_NODES] = &begins}};
    g.counts[PROTO_GLTF_NODES] = 1;
    g.json_bytes = (size_t)snprintf(json, sizeof json, "{\"a\":%s}", value);
    nav_status status = proto_gltf_read_element(&g, PROTO_GLTF_NODES, 0, (proto_gltf_rows){&row, 1},
                                                &at, out, &err);
    assert_string_equal(at.text, status == NAV_OK ? "nodes[0]" : "before");
    assert_true(status == NAV_OK || strcmp(err.at, "nodes[0].a") == 0);
    return status;
}

static void test_what_is_refused_is_untouched(void **state)
{
    (void)state;
    static const struct {
        proto_gltf_kind kind;
        const char *good, *wrong[4];
    } cases[] = {
        {PROTO_GLTF_INDEX, "0", {"1", "-1", "{}", "null"}},
        {PROTO_GLTF_WHOLE, "1", {"-1", "0.5", "9007199254740994", "[]"}},
        {PROTO_GLTF_BOOL, "true", {"1", "null", "\"true\"", "{}"}},
        {PROTO_GLTF_STRING, "\"x\"", {"1", "null", "{}", "[]"}},
        {PROTO_GLTF_OBJECT, "{}", {"[]", "0", "\"x\"", "null"}},
        {PROTO_GLTF_ARRAY, "[]", {"{}", "0", "\"x\"", "null"}},
        {PROTO_GLTF_NUMBERS, "[1,2,3]", {"[1,2]", "[1,2,3,4]", "[1,2,null]", "{}"}},
    };
    uint8_t before[sizeof(proto_gltf_string)];
    memset(before, 0x5a, sizeof before);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const proto_gltf_row row = {.kind = cases[i].kind, .list = PROTO_GLTF_NODES, .count = 3};
        _Alignas(max_align_t) uint8_t out[sizeof before];
        memcpy(out, before, sizeof out);
        for (size_t k = 0; k < 4; k++) {
            assert_int_equal(read_member(row, cases[i].wrong[k], out), PROTO_BAD_GEOMETRY);
            assert_memory_equal(out, before, sizeof out);
        }
        assert_int_equal(read_member(row, cases[i].good, out), NAV_OK);
        assert_memory_not_equal(out, before, sizeof out);
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
        cmocka_unit_test(test_what_is_refused_is_untouched),
        cmocka_unit_test(test_bombs),
        cmocka_unit_test(test_long_objects_that_many_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
