// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_shapes.c: the meshes at and below a node that is named volume:AREA or switch:ID are no
// ground; what is kept of them are the points that their triangles have, where they stand.

#include "tests/unit/glb_text.h"

#include "proto/geometry/gltf/gltf.h"

static void expect_shape(const glb_read *r, uint32_t index, bool is_switch, const char *name,
                         uint32_t node, const float *points, uint32_t point_count)
{
    uint32_t count;
    const proto_geometry_shape *shapes = proto_geometry_shapes(r->reader, &count);
    assert_true(index < count);
    assert_int_equal(shapes[index].is_switch, is_switch);
    assert_string_equal(shapes[index].name, name);
    assert_int_equal(shapes[index].node, node);
    assert_int_equal(shapes[index].point_count, point_count);
    assert_memory_equal(shapes[index].points, points, (size_t)12 * point_count);
}

static void test_shapes(void **state)
{
    (void)state;
    static const float moved[] = {5, 0, 0, 7, 0, 0, 7, 0, 2, 5, 0, 2};
    static const float lifted[] = {0, 9, 0, 2, 9, 0, 2, 9, 2, 0, 9, 2};
    glb_read r = glb_take_square(
        GLB_FRONT "'nodes':[{'name':'volume:water:pond.001','mesh':0,'translation':[5,0,0]},"
                  "{'name':'ground','mesh':0},{'name':'switch:north_gate','children':[3,4]},"
                  "{'name':'left','mesh':0},{'name':'volume:mud','mesh':0,'translation':[0,9,0]},"
                  "{'name':'volume','mesh':0}]}");
    uint32_t count;
    (void)proto_geometry_shapes(r.reader, &count);
    assert_int_equal(count, 3);
    assert_int_equal(r.geometry.triangle_count, 4);
    assert_int_equal(r.geometry.vertex_count, 8);
    expect_shape(&r, 0, false, "water", 0, moved, 4);
    expect_shape(&r, 1, true, "north_gate", 3, GLB_SQUARE.corners[0], 4);
    expect_shape(&r, 2, false, "mud", 4, lifted, 4);
    glb_done(&r);
}

// Vertices that no triangle has are no part of it, and materials of shapes are none of the ground.
static void test_points(void **state)
{
    (void)state;
    static const float three[] = {0, 0, 0, 2, 0, 0, 2, 0, 2};
    glb_read r = glb_take_square(
        GLB_HEAD GLB_VIEWS
        "'accessors':[" GLB_CORNERS "," GLB_INDICES
        ",{'bufferView':1,'componentType':5123,'count':3,'type':'SCALAR'}],"
        "'materials':[{'name':'glass'}],'meshes':[{'primitives':[{'attributes':{'POSITION':0},"
        "'indices':5,'material':0}]},{'primitives':[{'attributes':{'POSITION':0},'indices':1}]}],"
        "'nodes':[{'name':'volume:none','mesh':0},{'mesh':1}]}");
    expect_shape(&r, 0, false, "none", 0, three, 3);
    assert_int_equal(r.geometry.triangle_count, 2);
    assert_null(r.geometry.triangle_materials);
    glb_done(&r);
}

#define NAMED(name) GLB_FRONT "'nodes':[{'mesh':0},{'name':'" name "','mesh':0}]}"
#define NAME47 "x2345678901234567890123456789012345678901234567"

static void test_refusals(void **state)
{
    (void)state;
    static const glb_refused cases[] = {
        {NAMED("volume:"), PROTO_BAD_GEOMETRY, "nodes[1].name", "the name of an area"},
        {NAMED("volume::pond"), PROTO_BAD_GEOMETRY, "nodes[1].name", NULL},
        {NAMED("switch:"), PROTO_BAD_GEOMETRY, "nodes[1].name", "the id of a switch"},
        {NAMED("switch:" NAME47 "8"), PROTO_BAD_GEOMETRY, "nodes[1].name", NULL},
        {NAMED("switch:a\\n"), PROTO_BAD_GEOMETRY, "nodes[1].name", "without control characters"},
        {NAMED("switch:\\u007f:left"), PROTO_BAD_GEOMETRY, "nodes[1].name", NULL},
        {GLB_FRONT "'nodes':[{'mesh':0},{'name':'switch:gate'}]}", PROTO_BAD_GEOMETRY,
         "nodes[1].name", "no mesh of triangles"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        glb_assert_refused(&cases[i]);
    }
    glb_read r = glb_take_square(NAMED("switch:" NAME47 ":left"));
    expect_shape(&r, 0, true, NAME47, 1, GLB_SQUARE.corners[0], 4);
    glb_done(&r);
}

static void test_a_bad_name_leaves_its_outputs(void **state)
{
    (void)state;
    const proto_gltf_string bad = {"volume:", 7}, good = {"volume:mud", 10}, other = {"mud", 3};
    const nav_error_place at = {"nodes[0]"};
    proto_geometry_shape shape = {.name = "before"};
    bool is_shape = false;
    assert_int_equal(proto_gltf_shape_name(&bad, &at, &is_shape, &shape, NULL), PROTO_BAD_GEOMETRY);
    assert_false(is_shape);
    assert_string_equal(shape.name, "before");
    assert_int_equal(proto_gltf_shape_name(&good, &at, &is_shape, &shape, NULL), NAV_OK);
    assert_true(is_shape);
    assert_string_equal(shape.name, "mud");
    assert_int_equal(proto_gltf_shape_name(&other, &at, &is_shape, &shape, NULL), NAV_OK);
    assert_false(is_shape);
}

// However often they are placed, there are no more than settings may have.
static void test_too_many(void **state)
{
    (void)state;
    const size_t bin_bytes = GLB_SQUARE_BYTES + 12 * 10001;
    uint8_t *bin = calloc(bin_bytes, 1);
    assert_non_null(bin);
    memcpy(bin, &GLB_SQUARE, GLB_SQUARE_BYTES);
    glb_read r = glb_read_limited(
        "{'asset':{'version':'2.0'},'buffers':[{'byteLength':120112}]," GLB_VIEWS_OPEN
        ",{'buffer':0,'byteOffset':100,'byteLength':120012}],"
        "'accessors':[" GLB_CORNERS "," GLB_INDICES
        ",{'bufferView':5,'componentType':5126,'count':10001,'type':'VEC3'}]," GLB_MESH
        "'nodes':[{'name':'volume:mud','mesh':0,'extensions':{'EXT_mesh_gpu_instancing':{"
        "'attributes':{'TRANSLATION':5}}}}]}",
        bin, bin_bytes, NULL);
    assert_int_equal(r.status, NAV_GEOMETRY_TOO_LARGE);
    assert_string_equal(r.err.at, "shapes");
    glb_done(&r);
    free(bin);
}

// All shapes together are held against a limit, not each of them: they are read one by one.
static void test_too_much_in_sum(void **state)
{
    (void)state;
    static const struct {
        uint32_t vertices, triangles;
        const char *at;
    } cases[] = {{100001, 1, "points of shapes"}, {3, 400001, "triangles of shapes"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const size_t bin_bytes = (size_t)12 * cases[i].vertices + (size_t)3 * cases[i].triangles;
        uint8_t *bin = calloc(bin_bytes, 1);
        char json[2048];
        assert_non_null(bin);
        int length = snprintf(
            json, sizeof json,
            "{'asset':{'version':'2.0'},'buffers':[{'byteLength':%zu}],'bufferViews':[{'buffer':0,"
            "'byteLength':%u},{'buffer':0,'byteOffset':%u,'byteLength':%u}],'accessors':[{"
            "'bufferView':0,'componentType':5126,'count':%u,'type':'VEC3'},{'bufferView':1,"
            "'componentType':5121,'count':%u,'type':'SCALAR'}]," GLB_MESH "'nodes':[{'mesh':0}",
            bin_bytes, 12 * cases[i].vertices, 12 * cases[i].vertices, 3 * cases[i].triangles,
            cases[i].vertices, 3 * cases[i].triangles);
        for (int k = 0; k < 10; k++) {
            length += snprintf(json + length, sizeof json - (size_t)length,
                               ",{'name':'switch:gate','mesh':0}");
        }
        (void)snprintf(json + length, sizeof json - (size_t)length, "]}");
        glb_read r = glb_read_limited(json, bin, bin_bytes, NULL);
        assert_int_equal(r.status, NAV_GEOMETRY_TOO_LARGE);
        assert_string_equal(r.err.at, cases[i].at);
        glb_done(&r);
        free(bin);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),   cmocka_unit_test(test_points),
        cmocka_unit_test(test_refusals), cmocka_unit_test(test_a_bad_name_leaves_its_outputs),
        cmocka_unit_test(test_too_many), cmocka_unit_test(test_too_much_in_sum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
