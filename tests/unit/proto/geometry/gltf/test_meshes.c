// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_meshes.c: primitives of every mode come out as the triangles that the specification lists,
// with their materials; what instances add up to is refused before there is memory for it.

#include "tests/unit/glb_text.h"

#include "proto/geometry/gltf/gltf.h"

#define MESH(primitives)                                                                           \
    GLB_HEAD GLB_VIEWS GLB_ACCESSORS "'meshes':[{'primitives':[" primitives "]}]," GLB_NODE

static void expect_triangles(const char *json, const uint32_t *triangles, uint32_t count)
{
    glb_read r = glb_take_square(json);
    glb_expect(&r, GLB_SQUARE.corners[0], 4, triangles, count);
    glb_done(&r);
}

static void test_modes(void **state)
{
    (void)state;
    static const uint32_t list[] = {0, 2, 1, 0, 3, 2}, strip[] = {0, 3, 1, 3, 2, 1};
    static const uint32_t plain_strip[] = {0, 1, 2, 1, 3, 2}, fan[] = {0, 1, 2, 0, 2, 3};
    static const uint32_t mirrored[] = {0, 1, 3, 3, 1, 2};
    expect_triangles(MESH("{'attributes':{'POSITION':0},'indices':1}"), list, 2);
    expect_triangles(MESH("{'attributes':{'POSITION':0},'indices':1,'mode':4}"), list, 2);
    expect_triangles(MESH("{'attributes':{'POSITION':0},'indices':4,'mode':5}"), strip, 2);
    expect_triangles(MESH("{'attributes':{'POSITION':0},'mode':5}"), plain_strip, 2);
    expect_triangles(MESH("{'attributes':{'POSITION':0},'mode':6}"), fan, 2);
    glb_read r = glb_take_square(
        GLB_HEAD GLB_VIEWS GLB_ACCESSORS
        "'meshes':[{'primitives':[{'attributes':{'POSITION':0},'indices':4,'mode':5}]}],"
        "'nodes':[{'mesh':0,'scale':[1,1,-1]}]}");
    assert_memory_equal(r.geometry.triangles, mirrored, sizeof mirrored);
    glb_done(&r);
}

// Points, lines and what has no positions are passed over.
static void test_what_has_no_triangles(void **state)
{
    (void)state;
    static const uint32_t list[] = {0, 2, 1, 0, 3, 2};
    expect_triangles(MESH("{'attributes':{'POSITION':0},'mode':0},"
                          "{'attributes':{'POSITION':0},'mode':1},"
                          "{'attributes':{'POSITION':0},'mode':2},"
                          "{'attributes':{'POSITION':0},'mode':3},{'attributes':{'NORMAL':0}},{},"
                          "{'attributes':{'POSITION':0},'indices':1}"),
                     list, 2);
    glb_read r = glb_read_limited(MESH("{'attributes':{'POSITION':0},'mode':1}"), &GLB_SQUARE,
                                  sizeof GLB_SQUARE, NULL);
    assert_int_equal(r.status, NAV_MESH_EMPTY);
    glb_done(&r);
}

// Primitives that share their positions share their vertices; materials are numbered by first use.
static void test_materials(void **state)
{
    (void)state;
    glb_read r =
        glb_take_square(GLB_HEAD GLB_VIEWS GLB_ACCESSORS
                        "'materials':[{'name':'unused'},{'name':'w\\u0061ter'},{}],"
                        "'meshes':[{'primitives':[{'attributes':{'POSITION':0},'indices':1},"
                        "{'attributes':{'POSITION':0},'indices':2,'material':1},"
                        "{'attributes':{'POSITION':0},'indices':3,'material':2}]}]," GLB_NODE);
    static const uint16_t wanted[] = {0, 0, 1, 1, 0, 0};
    assert_int_equal(r.geometry.vertex_count, 4);
    assert_int_equal(r.geometry.triangle_count, 6);
    assert_int_equal(r.geometry.material_count, 2);
    assert_string_equal(r.geometry.material_names[0], "");
    assert_string_equal(r.geometry.material_names[1], "water");
    assert_memory_equal(r.geometry.triangle_materials, wanted, sizeof wanted);
    glb_done(&r);
    r = glb_take_square(GLB_HEAD GLB_VIEWS GLB_ACCESSORS "'materials':[{}]," GLB_MESH GLB_NODE);
    assert_null(r.geometry.triangle_materials);
    glb_done(&r);
}

// A target's weight times its moves, of all targets that have one; primitives of the same positions
// share no vertices that are moved.
static void morph_targets_have_their_weights(void **state)
{
    (void)state;
#define MORPHED(weights)                                                                           \
    GLB_HEAD GLB_VIEWS GLB_ACCESSORS "'meshes':[{" weights                                         \
                                     "'primitives':[{'attributes':{'POSITION':0},'indices':1,"     \
                                     "'targets':[{'NORMAL':0},{'POSITION':0},{'POSITION':0}]},"    \
                                     "{'attributes':{'POSITION':0},'indices':1}]}]," GLB_NODE
    static const struct {
        const char *json;
        float x; // of the second corner
        uint32_t vertices;
    } rows[] = {{MORPHED(""), 2, 4},
                {MORPHED("'weights':[1,0,0],"), 2, 4},
                {MORPHED("'weights':[0,-0.5],"), 1, 8},
                {MORPHED("'weights':[7,0.5,1],"), 5, 8}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        glb_read r = glb_take_square(rows[i].json);
        assert_int_equal(r.geometry.vertex_count, rows[i].vertices);
        assert_true(r.geometry.vertices[3] == rows[i].x);
        assert_int_equal(r.geometry.triangle_count, 4);
        glb_done(&r);
    }
}

// Long names stay apart, and are said.
static void names_of_any_length_are_kept(void **state)
{
    (void)state;
    nav_warning warnings[PROTO_READ_WARNING_COUNT] = {0};
    proto_geometry_limits limits = proto_geometry_limits_default();
    limits.warnings = warnings;
    glb_read r = glb_read_limited(
        GLB_HEAD GLB_VIEWS GLB_ACCESSORS
        "'materials':[{'name':'a name of forty-seven bytes, that is kept whole'},"
        "{'name':'a name of more than forty-seven bytes is cut: AA'},"
        "{'name':'a name of more than forty-seven bytes is cut: BC'}],"
        "'meshes':[{'primitives':[{'attributes':{'POSITION':0},'indices':1,'material':0},"
        "{'attributes':{'POSITION':0},'indices':1,'material':1},"
        "{'attributes':{'POSITION':0},'indices':1,'material':2}]}]," GLB_NODE,
        &GLB_SQUARE, sizeof GLB_SQUARE, &limits);
    assert_int_equal(r.status, NAV_OK);
    assert_int_equal(r.geometry.material_count, 3);
    assert_string_equal(r.geometry.material_names[0],
                        "a name of forty-seven bytes, that is kept whole");
    assert_string_not_equal(r.geometry.material_names[1], r.geometry.material_names[2]);
    assert_int_equal(warnings[PROTO_READ_NAME_SHORTENED].count, 2);
    assert_string_equal(warnings[PROTO_READ_NAME_SHORTENED].items[1].name,
                        r.geometry.material_names[2]);
    glb_done(&r);
}

static void test_refusals(void **state)
{
    (void)state;
    static const glb_refused cases[] = {
        {MESH("{'attributes':{'POSITION':9}}"), PROTO_BAD_GEOMETRY,
         "meshes[0].primitives[0].attributes.POSITION", NULL},
        {MESH("{'attributes':[]}"), PROTO_BAD_GEOMETRY, "meshes[0].primitives[0].attributes", NULL},
        {MESH("7"), PROTO_BAD_GEOMETRY, "meshes[0].primitives[0]", NULL},
        {MESH("{'attributes':{'POSITION':0},'mode':7}"), PROTO_BAD_GEOMETRY,
         "meshes[0].primitives[0].mode", NULL},
        {MESH("{'attributes':{'POSITION':0}}"), PROTO_BAD_GEOMETRY, "meshes[0].primitives[0]",
         "no whole triangles"},
        {MESH("{'attributes':{'POSITION':0},'indices':9}"), PROTO_BAD_GEOMETRY,
         "meshes[0].primitives[0].indices", NULL},
        {MESH("{'attributes':{'POSITION':0},'material':0}"), PROTO_BAD_GEOMETRY,
         "meshes[0].primitives[0].material", NULL},
        {GLB_HEAD GLB_VIEWS "'accessors':[{'bufferView':0,'componentType':5126,'count':3,'type':"
                            "'VEC3'}," GLB_INDICES "]," GLB_MESH GLB_NODE,
         NAV_INDEX_OUT_OF_RANGE, "accessors[1][4]", "accessors[0] has 3"},
        {GLB_HEAD GLB_VIEWS
         "'accessors':[{'bufferView':0,'componentType':5126,'count':2,'type':'VEC3'}],"
         "'meshes':[{'primitives':[{'attributes':{'POSITION':0},'mode':5}]}]," GLB_NODE,
         PROTO_BAD_GEOMETRY, "meshes[0].primitives[0]", "less than a triangle"},
        {GLB_HEAD GLB_VIEWS GLB_ACCESSORS
         "'meshes':[{'weights':[1],'primitives':[{'attributes':{'POSITION':0},'indices':1,"
         "'targets':[{'POSITION':5}]}]}]," GLB_NODE,
         PROTO_BAD_GEOMETRY, "meshes[0].primitives[0].targets[0].POSITION", NULL},
        {GLB_HEAD GLB_VIEWS
         "'accessors':[" GLB_CORNERS "," GLB_INDICES
         ",{'bufferView':0,'componentType':5126,'count':3,'type':'VEC3'}],"
         "'meshes':[{'weights':[1],'primitives':[{'attributes':{'POSITION':0},'indices':1,"
         "'targets':[{'POSITION':5}]}]}]," GLB_NODE,
         PROTO_BAD_GEOMETRY, "meshes[0].primitives[0].targets[0]", "it must move 4 vertices"},
        {GLB_HEAD GLB_VIEWS
         "'accessors':[{'componentType':5126,'count':3,'type':'VEC3'}],'meshes':[{'primitives':[{"
         "'attributes':{'POSITION':0},'extensions':{'KHR_draco_mesh_compression':{}}}]}]," //
         GLB_NODE,
         PROTO_BAD_GEOMETRY, "meshes[0].primitives[0]", "KHR_draco_mesh_compression is not read"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        glb_assert_refused(&cases[i]);
    }
}

static void test_not_finite(void **state)
{
    (void)state;
    static const struct {
        uint32_t bits;
        nav_status status;
        const char *got;
    } cases[] = {{0x7fc00000, NAV_VERTEX_NOT_FINITE, "NaN"},
                 {0x7f800000, NAV_VERTEX_NOT_FINITE, "Infinity"},
                 {0xff800000, NAV_VERTEX_NOT_FINITE, "-Infinity"},
                 {0x4b189680, NAV_VERTEX_OUT_OF_RANGE, "10000000"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        glb_square bin = GLB_SQUARE;
        memcpy(&bin.corners[2][1], &cases[i].bits, 4);
        glb_read r = glb_read_limited(GLB_FRONT GLB_NODE, &bin, sizeof bin, NULL);
        assert_int_equal(r.status, cases[i].status);
        assert_string_equal(r.err.at, "accessors[0][2]");
        assert_string_equal(r.err.got, cases[i].got);
        glb_done(&r);
    }
}

// A glTF whose `count` nodes all place the square.
static char *many_nodes(uint32_t count)
{
    char *json = malloc(4096 + (size_t)16 * count), *to = json;
    assert_non_null(json);
    to += sprintf(to, "%s", GLB_FRONT "'nodes':[{'mesh':0}");
    for (uint32_t i = 1; i < count; i++) {
        to += sprintf(to, ",{'mesh':0}");
    }
    (void)sprintf(to, "]}");
    return json;
}

static void test_instancing_bombs(void **state)
{
    (void)state;
    proto_geometry_limits limits = proto_geometry_limits_default();
    char *json = many_nodes(10000);
    limits.triangles_max = 19999;
    glb_read r = glb_read_limited(json, &GLB_SQUARE, sizeof GLB_SQUARE, &limits);
    assert_int_equal(r.status, NAV_GEOMETRY_TOO_LARGE);
    assert_string_equal(r.err.at, "triangles");
    assert_string_equal(r.err.got, "20000");
    assert_string_equal(r.err.limit, "19999");
    glb_done(&r);
    limits.triangles_max = 20000;
    limits.vertices_max = 39999;
    r = glb_read_limited(json, &GLB_SQUARE, sizeof GLB_SQUARE, &limits);
    assert_string_equal(r.err.at, "vertices");
    glb_done(&r);
    limits.vertices_max = 40000;
    limits.placed_bytes_max = 719999;
    r = glb_read_limited(json, &GLB_SQUARE, sizeof GLB_SQUARE, &limits);
    assert_int_equal(r.status, NAV_GEOMETRY_TOO_LARGE);
    assert_string_equal(r.err.at, "nodes");
    glb_done(&r);
    limits.placed_bytes_max = 720000;
    r = glb_read_limited(json, &GLB_SQUARE, sizeof GLB_SQUARE, &limits);
    assert_int_equal(r.status, NAV_OK);
    assert_int_equal(r.geometry.triangle_count, 20000);
    glb_done(&r);
    free(json);
}

// Four thousand million instances, none of which has bytes, of a mesh and of one without triangles.
static void test_counted_instances(void **state)
{
    (void)state;
    static const char *const meshes[] = {GLB_MESH, "'meshes':[{}],"};
    for (size_t i = 0; i < 2; i++) {
        char json[4096];
        (void)snprintf(json, sizeof json,
                       GLB_HEAD GLB_VIEWS
                       "'accessors':[" GLB_CORNERS "," GLB_INDICES
                       ",{'componentType':5126,'count':4294967294,'type':'VEC3'}],%s"
                       "'nodes':[{'mesh':0,'extensions':{'EXT_mesh_gpu_instancing':{'attributes':{"
                       "'SCALE':5}}}}]}",
                       meshes[i]);
        glb_read r = glb_read_limited(json, &GLB_SQUARE, sizeof GLB_SQUARE, NULL);
        assert_int_equal(r.status, PROTO_BAD_GEOMETRY);
        assert_string_equal(r.err.at, "accessors[5].count");
        glb_done(&r);
    }
}

// What is held at the end is the geometry alone: neither room to grow nor the body.
static void test_memory(void **state)
{
    (void)state;
    char *json = many_nodes(100000);
    glb_read r = glb_read_limited(json, &GLB_SQUARE, sizeof GLB_SQUARE, NULL);
    assert_int_equal(r.status, NAV_OK);
    assert_int_equal(r.reader->vertices_capacity, 400000);
    assert_int_equal(r.reader->triangles_capacity, 200000);
    assert_int_equal(r.reader->materials.triangles_capacity, 0);
    assert_null(r.reader->state.gltf);
    glb_done(&r);
    free(json);
}

// A level may be in a unit that its settings say: the bound of its coordinates is the reader's.
static void test_far_coordinates(void **state)
{
    (void)state;
    static const char far[] = GLB_FRONT "'nodes':[{'mesh':0,'translation':[0,2e6,0]}]}";
    static const char farther[] = GLB_FRONT "'nodes':[{'mesh':0,'translation':[0,2e10,0]}]}";
    proto_geometry_limits limits = proto_geometry_limits_default();
    limits.coordinate_max = PROTO_LEVEL_COORDINATE_MAX;
    glb_read r = glb_read_limited(far, &GLB_SQUARE, sizeof GLB_SQUARE, &limits);
    assert_int_equal(r.status, NAV_OK);
    assert_true(r.geometry.vertices[1] == 2e6f);
    glb_done(&r);
    r = glb_read_limited(farther, &GLB_SQUARE, sizeof GLB_SQUARE, &limits);
    assert_int_equal(r.status, NAV_VERTEX_OUT_OF_RANGE);
    assert_string_equal(r.err.limit, "10000000000");
    glb_done(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(morph_targets_have_their_weights),
        cmocka_unit_test(names_of_any_length_are_kept),
        cmocka_unit_test(test_modes),
        cmocka_unit_test(test_what_has_no_triangles),
        cmocka_unit_test(test_materials),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_not_finite),
        cmocka_unit_test(test_far_coordinates),
        cmocka_unit_test(test_instancing_bombs),
        cmocka_unit_test(test_counted_instances),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
