// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_scene.c: nodes place meshes where their transforms say, as often as they are named, in the
// default scene alone; what is no tree is refused.

#include "tests/unit/glb_text.h"

// The one triangle 0 0 0, 1 0 0, 0 0 1 of mesh 0, through nodes.
#define HEAD                                                                                       \
    "{'asset':{'version':'2.0'},'buffers':[{'byteLength':36}],'bufferViews':[{'buffer':0,"         \
    "'byteLength':36}],'accessors':[{'bufferView':0,'componentType':5126,'count':3,'type':"        \
    "'VEC3'}],'meshes':[{'primitives':[{'attributes':{'POSITION':0}}]}],"

static const float TRIANGLE[9] = {0, 0, 0, 1, 0, 0, 0, 0, 1};
static const uint32_t FORWARD[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8}, BACKWARD[3] = {0, 2, 1};

static void expect_nodes(const char *json, const float *vertices, uint32_t count,
                         const uint32_t *triangles)
{
    glb_read r = glb_take(json, TRIANGLE, sizeof TRIANGLE);
    glb_expect(&r, vertices, 3 * count, triangles, count);
    glb_done(&r);
}

static void test_transforms(void **state)
{
    (void)state;
    static const float moved[] = {5, 6, 7, 6, 6, 7, 5, 6, 8};
    static const float scaled[] = {1, 2, 3, 3, 2, 3, 1, 2, 7};
    static const float mirrored[] = {0, 0, 0, -1, 0, 0, 0, 0, 1};
    static const float turned[] = {0, 0, 0, 0, 0, -1, 1, 0, 0}; // a quarter about Y
    static const float chained[] = {10, 0, 0, 10, 0, -2, 12, 0, 0};
    expect_nodes(HEAD "'nodes':[{'mesh':0}]}", TRIANGLE, 1, FORWARD);
    expect_nodes(HEAD "'nodes':[{'mesh':0,'translation':[5,6,7]}]}", moved, 1, FORWARD);
    expect_nodes(HEAD "'nodes':[{'mesh':0,'matrix':[1,0,0,0,0,1,0,0,0,0,1,0,5,6,7,1]}]}", moved, 1,
                 FORWARD);
    expect_nodes(HEAD "'nodes':[{'mesh':0,'translation':[1,2,3],'scale':[2,3,4]}]}", scaled, 1,
                 FORWARD);
    expect_nodes(HEAD "'nodes':[{'mesh':0,'scale':[-1,1,1]}]}", mirrored, 1, BACKWARD);
    expect_nodes(HEAD "'nodes':[{'mesh':0,'matrix':[-1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}]}", mirrored,
                 1, BACKWARD);
    // Mirrored twice is not mirrored.
    expect_nodes(HEAD "'nodes':[{'scale':[-1,1,1],'children':[1]},{'mesh':0,'scale':[-1,1,1]}]}",
                 TRIANGLE, 1, FORWARD);
    glb_read r = glb_take(HEAD "'nodes':[{'mesh':0,'rotation':[0,0.7071067811865476,0,"
                               "0.7071067811865476]}]}",
                          TRIANGLE, sizeof TRIANGLE);
    for (uint32_t i = 0; i < 9; i++) {
        assert_float_equal(r.geometry.vertices[i], turned[i], 1e-6);
    }
    glb_done(&r);
    // The outer transforms come last: scaled, turned, moved.
    r = glb_take(HEAD "'nodes':[{'translation':[10,0,0],'children':[1]},{'rotation':[0,"
                      "0.70710678,0,0.70710678],'children':[2]},{'mesh':0,'scale':[2,2,2]}]}",
                 TRIANGLE, sizeof TRIANGLE);
    for (uint32_t i = 0; i < 9; i++) {
        assert_float_equal(r.geometry.vertices[i], chained[i], 1e-6);
    }
    glb_done(&r);
}

// A mesh that many nodes name is there as often, parents first, children in their order.
static void test_order(void **state)
{
    (void)state;
    static const float three[] = {1, 0, 0, 2, 0, 0, 1, 0, 1, 3, 0, 0, 4, 0,
                                  0, 3, 0, 1, 2, 0, 0, 3, 0, 0, 2, 0, 1};
    expect_nodes(HEAD "'nodes':[{'mesh':0,'translation':[1,0,0],'children':[2,1]},"
                      "{'mesh':0,'translation':[1,0,0]},{'mesh':0,'translation':[2,0,0]}]}",
                 three, 3, FORWARD);
}

static void test_default_scene(void **state)
{
    (void)state;
#define NODES "'nodes':[{'mesh':0},{'mesh':0,'translation':[5,6,7]}]}"
    static const float moved[] = {5, 6, 7, 6, 6, 7, 5, 6, 8};
    expect_nodes(HEAD "'scene':1,'scenes':[{'nodes':[0]},{'nodes':[1]}]," NODES, moved, 1, FORWARD);
    expect_nodes(HEAD "'scenes':[{'nodes':[1]},{'nodes':[0]}]," NODES, moved, 1, FORWARD);
    glb_read r = glb_take(HEAD NODES, TRIANGLE, sizeof TRIANGLE);
    assert_int_equal(r.geometry.triangle_count, 2);
    glb_done(&r);
    r = glb_read_limited(HEAD "'scenes':[{}]," NODES, TRIANGLE, sizeof TRIANGLE, NULL);
    assert_int_equal(r.status, NAV_MESH_EMPTY);
    glb_done(&r);
}

// Two translations, rotations of bytes and scales.
static void test_gpu_instancing(void **state)
{
    (void)state;
    static const struct {
        float triangle[9], moved[6], scaled[6];
        int8_t turned[8];
    } bin = {{0, 0, 0, 1, 0, 0, 0, 0, 1},
             {5, 0, 0, 0, 0, 5},
             {2, 2, 2, -1, 1, 1},
             {0, 0, 0, 127, 0, 127, 0, 0}}; // the second: half a turn about Y
    glb_read r = glb_take(
        "{'asset':{'version':'2.0'},'extensionsRequired':['EXT_mesh_gpu_instancing'],"
        "'buffers':[{'byteLength':92}],'bufferViews':[{'buffer':0,'byteLength':92}],'accessors':["
        "{'bufferView':0,'componentType':5126,'count':3,'type':'VEC3'},"
        "{'bufferView':0,'byteOffset':36,'componentType':5126,'count':2,'type':'VEC3'},"
        "{'bufferView':0,'byteOffset':84,'componentType':5120,'normalized':true,'count':2,'type':"
        "'VEC4'},"
        "{'bufferView':0,'byteOffset':60,'componentType':5126,'count':2,'type':'VEC3'}],"
        "'meshes':[{'primitives':[{'attributes':{'POSITION':0}}]}],"
        "'nodes':[{'mesh':0,'translation':[0,1,0],'extensions':{'EXT_mesh_gpu_instancing':{"
        "'attributes':{'TRANSLATION':1,'ROTATION':2,'SCALE':3}}}}]}",
        &bin, sizeof bin);
    static const float wanted[] = {5, 1, 0, 7, 1, 0, 5, 1, 2, 0, 1, 5, 1, 1, 5, 0, 1, 4};
    static const uint32_t triangles[] = {0, 1, 2, 3, 5, 4};
    assert_int_equal(r.geometry.triangle_count, 2);
    assert_memory_equal(r.geometry.triangles, triangles, sizeof triangles);
    for (uint32_t i = 0; i < 18; i++) {
        assert_float_equal(r.geometry.vertices[i], wanted[i], 1e-6);
    }
    glb_done(&r);
}

#define INSTANCED(attributes)                                                                      \
    GLB_FRONT                                                                                      \
    "'nodes':[{'mesh':0,'extensions':{'EXT_mesh_gpu_instancing':{'attributes':{" attributes "}}}}" \
    "]}"

static void test_refusals(void **state)
{
    (void)state;
    static const glb_refused cases[] = {
        {GLB_FRONT "'nodes':[{'children':[0]}]}", PROTO_BAD_GEOMETRY, "nodes[0].children", NULL},
        {GLB_FRONT "'nodes':[{'mesh':0},{'children':[2]},{'children':[1]}]}", PROTO_BAD_GEOMETRY,
         "nodes[1].children", "node 1 hangs below itself"},
        {GLB_FRONT "'nodes':[{},{'children':[2,0]},{'children':[1]}]}", PROTO_BAD_GEOMETRY,
         "nodes[2].children", "node 2 hangs below itself"},
        {GLB_FRONT "'nodes':[{'children':[2]},{'children':[2]},{'mesh':0}]}", PROTO_BAD_GEOMETRY,
         "nodes[1].children[0]", "node 2 has the parent 0 already"},
        {GLB_FRONT "'nodes':[{'children':[1,1]},{'mesh':0}]}", PROTO_BAD_GEOMETRY,
         "nodes[0].children[1]", NULL},
        {GLB_FRONT "'nodes':[{'children':[1]}]}", PROTO_BAD_GEOMETRY, "nodes[0].children[0]", NULL},
        {GLB_FRONT "'nodes':[{'children':['a']}]}", PROTO_BAD_GEOMETRY, "nodes[0].children[0]",
         NULL},
        {GLB_FRONT "'scenes':[{'nodes':[1]}],'nodes':[{'children':[1]},{'mesh':0}]}",
         PROTO_BAD_GEOMETRY, "scenes[0].nodes[0]", "child of another"},
        {GLB_FRONT "'scenes':[{'nodes':[0,0]}]," GLB_NODE, PROTO_BAD_GEOMETRY, "scenes[0].nodes[1]",
         NULL},
        {GLB_FRONT "'scenes':[{'nodes':[7]}]," GLB_NODE, PROTO_BAD_GEOMETRY, "scenes[0].nodes[0]",
         NULL},
        {GLB_FRONT "'nodes':[{'mesh':0,'matrix':[1,2,3]}]}", PROTO_BAD_GEOMETRY, "nodes[0].matrix",
         "16 finite numbers"},
        {GLB_FRONT "'nodes':[{'mesh':0,'matrix':[1e999,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}]}",
         PROTO_BAD_GEOMETRY, "nodes[0].matrix", NULL},
        {GLB_FRONT "'nodes':[{'mesh':0,'matrix':[1,0,0,1,0,1,0,0,0,0,1,0,0,0,0,1]}]}",
         PROTO_BAD_GEOMETRY, "nodes[0].matrix", "last row"},
        {GLB_FRONT "'nodes':[{'mesh':0,'rotation':[0,0,0,0]}]}", PROTO_BAD_GEOMETRY,
         "nodes[0].rotation", NULL},
        {GLB_FRONT "'nodes':[{'mesh':0,'scale':[1,1,1,1]}]}", PROTO_BAD_GEOMETRY, "nodes[0].scale",
         NULL},
        {GLB_FRONT "'nodes':[{'mesh':0,'translation':[0,2e6,0]}]}", NAV_VERTEX_OUT_OF_RANGE,
         "accessors[0][0]", "placed by nodes[0]"},
        {GLB_FRONT "'nodes':[{'scale':[1e300,1,1],'children':[1]},{'mesh':0,'scale':[1e300,1,1]}]}",
         NAV_VERTEX_NOT_FINITE, "accessors[0][0]", NULL},
        {INSTANCED("'TRANSLATION':7"), PROTO_BAD_GEOMETRY,
         "nodes[0].extensions.EXT_mesh_gpu_instancing.attributes.TRANSLATION", NULL},
        {INSTANCED("'TRANSLATION':1"), PROTO_BAD_GEOMETRY, "accessors[1]", "translations are VEC3"},
        {INSTANCED("'ROTATION':0"), PROTO_BAD_GEOMETRY, "accessors[0]", "rotations are VEC4"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        glb_assert_refused(&cases[i]);
    }
}

// A mesh that a skeleton moves has no place of its own.
static void skins_are_left_out_and_said(void **state)
{
    (void)state;
    nav_warning warnings[PROTO_READ_WARNING_COUNT] = {0};
    proto_geometry_limits limits = proto_geometry_limits_default();
    limits.warnings = warnings;
    glb_read r = glb_read_limited(
        GLB_FRONT "'nodes':[{'mesh':0,'skin':0,'children':[1]},{'mesh':0},{'mesh':0,'skin':1}]}",
        &GLB_SQUARE, sizeof GLB_SQUARE, &limits);
    assert_int_equal(r.status, NAV_OK);
    assert_int_equal(r.geometry.triangle_count, 2);
    assert_int_equal(warnings[PROTO_READ_SKIN_SKIPPED].count, 2);
    assert_string_equal(warnings[PROTO_READ_SKIN_SKIPPED].items[1].name, "nodes[2]");
    glb_done(&r);
}

// A chain of `count` nodes, the last of which has the mesh.
static nav_status read_chain(uint32_t count, nav_error *err)
{
    char *json = malloc(4096 + (size_t)32 * count), *to = json;
    assert_non_null(json);
    to += sprintf(to, "%s", GLB_FRONT "'nodes':[");
    for (uint32_t i = 1; i < count; i++) {
        to += sprintf(to, "{'children':[%u]},", i);
    }
    (void)sprintf(to, "{'mesh':0}]}");
    glb_read r = glb_read_limited(json, &GLB_SQUARE, sizeof GLB_SQUARE, NULL);
    const nav_status status = r.status;
    *err = r.err;
    glb_done(&r);
    free(json);
    return status;
}

static void test_depth(void **state)
{
    (void)state;
    nav_error err;
    assert_int_equal(read_chain(1024, &err), NAV_OK);
    assert_int_equal(read_chain(1025, &err), PROTO_BAD_GEOMETRY);
    assert_string_equal(err.at, "nodes[1024]");
    assert_string_equal(err.limit, "1024");
    assert_int_equal(read_chain(300000, &err), PROTO_BAD_GEOMETRY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(skins_are_left_out_and_said),
        cmocka_unit_test(test_transforms),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_default_scene),
        cmocka_unit_test(test_gpu_instancing),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
