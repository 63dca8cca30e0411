// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_export.c: a mesh as JSON, OBJ, binary glTF and a picture: every polygon with its place, the
// parts that bounds choose, nothing for bounds without ground, a limit that is kept.

#include "tests/unit/export_fixture.h"

#include "proto/base/bytes.h"
#include "proto/base/coordinates.h"
#include "proto/geometry/upload.h"
#include "tests/unit/mesh_builder.h"
#include "tests/unit/preset.h"

#include <cjson/cJSON.h>
#include <math.h>

// ---- JSON ----

// Two squares of water and ground, a gate in between, a link over the gap to a third.
static nav_mesh *small_world(void)
{
    static const nav_name flags[] = {"walk", "swim"};
    static const nav_area areas[] = {{.name = "none", .cost = 1},
                                     {.name = "ground", .cost = 1, .flags = 1},
                                     {.name = "water", .cost = 2.5f, .flags = 2}};
    static const nav_link links[] = {{.start = {1.5f, 0, 0.5f},
                                      .end = {3.5f, 0, 0.5f},
                                      .radius = 0.2f,
                                      .area = 1,
                                      .flags = 2,
                                      .has_cost = true,
                                      .cost = 7,
                                      .switch_number = 1,
                                      .id = "jump"}};
    nav_config config = nav_config_default();
    config.areas = areas;
    config.area_count = 3;
    config.flag_names = flags;
    config.flag_count = 2;
    config.links = links;
    config.link_count = 1;
    config.switches = BUILDER_SWITCH_LIST;
    config.switch_count = 2;
    builder b;
    builder_init(&b);
    builder_map(&b, "2.#.");
    builder_switch(&b, 1, 1 << 1);
    nav_mesh *mesh = builder_mesh_with(&b, &config, NULL);
    builder_free(&b);
    return mesh;
}

static void json_has_all_of_a_mesh(void **state)
{
    (void)state;
    nav_mesh *mesh = small_world();
    const proto_export what = export_of(mesh);
    nav_error err;
    size_t size_bytes;
    char *text = export_file(&what, PROTO_EXPORT_JSON, &size_bytes, &err);
    assert_string_equal(
        text,
        "{\"mesh\":\"town\",\"version\":3,"
        "\"agent\":{\"name\":\"default\",\"radius\":0.6,\"height\":2,\"max_climb\":0.9},"
        "\"cell_size\":1,\"cell_height\":1,\"bounds\":{\"min\":[0,0,0],\"max\":[4,0,1]},"
        "\"areas\":[{\"area\":\"ground\",\"cost\":1,\"flags\":[\"walk\"]},"
        "{\"area\":\"water\",\"cost\":2.5,\"flags\":[\"swim\"]}],"
        "\"switches\":[{\"id\":\"a\",\"default\":\"open\"},{\"id\":\"b\",\"default\":\"closed\"}],"
        "\"tiles\":[{\"x\":0,\"z\":0,\"polygons\":3}],"
        "\"components\":[{\"component\":1,\"polygons\":2},{\"component\":2,\"polygons\":1}],"
        "\"vertices\":[[0,0,0],[0,0,1],[1,0,1],[1,0,0],[2,0,1],[2,0,0],[3,0,0],[3,0,1],[4,0,1],"
        "[4,0,0]],"
        "\"polygons\":["
        "{\"id\":\"0\",\"area\":\"water\",\"component\":1,\"vertices\":[0,1,2,3],"
        "\"neighbours\":[[],[],[\"1\"],[]]},"
        "{\"id\":\"1\",\"area\":\"ground\",\"component\":1,\"vertices\":[3,2,4,5],"
        "\"neighbours\":[[\"0\"],[],[],[]],\"switches\":[\"b\"]},"
        "{\"id\":\"2\",\"area\":\"ground\",\"component\":2,\"vertices\":[6,7,8,9],"
        "\"neighbours\":[[],[],[],[]]}],"
        "\"links\":[{\"index\":0,\"id\":\"jump\",\"start\":[1.5,0,0.5],\"end\":[3.5,0,0.5],"
        "\"start_polygon\":\"1\",\"end_polygon\":\"2\",\"bidirectional\":false,"
        "\"area\":\"ground\",\"flags\":[\"swim\"],\"cost\":7,\"switch\":\"a\"}]}");
    assert_int_equal(proto_json_scan(text, size_bytes, 16, 1000, NULL), NAV_OK);
    free(text);
    nav_mesh_release(mesh);
}

static void bounds_choose_polygons_that_they_meet(void **state)
{
    (void)state;
    nav_mesh *mesh = small_world();
    proto_export what = export_of(mesh);
    nav_error err;
    size_t size_bytes;
    what.has_bounds = true;
    memcpy(what.min, (const float[3]){3.25f, -1, 0}, sizeof what.min);
    memcpy(what.max, (const float[3]){9, 1, 1}, sizeof what.max);
    char *text = export_file(&what, PROTO_EXPORT_JSON, &size_bytes, &err);
    // The number is that of answers, whatever else the file has; the link has but one end here.
    assert_non_null(strstr(text, "\"vertices\":[[3,0,0],[3,0,1],[4,0,1],[4,0,0]],\"polygons\":["
                                 "{\"id\":\"2\",\"area\":\"ground\",\"component\":2,\"vertices\":"
                                 "[0,1,2,3],\"neighbours\":[[],[],[],[]]}],\"links\":[]}"));
    free(text);
    // They touch the first one; what is behind its edge is told, though it is not here.
    memcpy(what.min, (const float[3]){-5, 0, 0}, sizeof what.min);
    memcpy(what.max, (const float[3]){0, 0, 0}, sizeof what.max);
    text = export_file(&what, PROTO_EXPORT_JSON, &size_bytes, &err);
    assert_non_null(strstr(text, "\"polygons\":[{\"id\":\"0\",\"area\":\"water\",\"component\":1,"
                                 "\"vertices\":[0,1,2,3],\"neighbours\":[[],[],[\"1\"],[]]}]"));
    free(text);
    nav_mesh_release(mesh);
}

static void bounds_without_ground_make_empty_files(void **state)
{
    (void)state;
    nav_mesh *mesh = small_world();
    proto_export what = export_of(mesh);
    what.has_bounds = true;
    memcpy(what.min, (const float[3]){0, 5, 0}, sizeof what.min);
    memcpy(what.max, (const float[3]){9, 6, 9}, sizeof what.max);
    for (int format = 0; format < PROTO_EXPORT_COUNT; format++) {
        nav_error err;
        size_t size_bytes;
        char *bytes = export_file(&what, (proto_export_format)format, &size_bytes, &err);
        assert_non_null(bytes);
        if (format == PROTO_EXPORT_JSON) {
            assert_non_null(strstr(bytes, "\"bounds\":null"));
            assert_non_null(strstr(bytes, "\"polygons\":[],\"links\":[]}"));
        } else if (format == PROTO_EXPORT_OBJ) {
            assert_string_equal(bytes, "# navmeshd: mesh town, version 3, 0 polygons\n");
        } else if (format == PROTO_EXPORT_MSET) {
            assert_int_equal(size_bytes, 40);
            assert_int_equal(proto_get_u32((const uint8_t *)bytes + 8), 0);
        }
        free(bytes);
    }
    nav_mesh_release(mesh);
}

// ---- OBJ ----

// What the reader of uploads makes of a file: area in plan view of each material's triangles.
static double area_of(const nav_geometry *g, const char *material)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < g->triangle_count; i++) {
        const float *a = g->vertices + 3 * g->triangles[3 * i];
        const float *b = g->vertices + 3 * g->triangles[3 * i + 1];
        const float *c = g->vertices + 3 * g->triangles[3 * i + 2];
        if (strcmp(g->material_names[g->triangle_materials[i]], material) == 0) {
            sum += ((double)(b[2] - a[2]) * (double)(c[0] - a[0]) -
                    (double)(b[0] - a[0]) * (double)(c[2] - a[2])) /
                   2;
        }
    }
    return sum;
}

static void obj_is_read_again_with_its_areas(void **state)
{
    (void)state;
    static const nav_area areas[] = {{.name = "none", .cost = 1},
                                     {.name = "ground", .cost = 1},
                                     {.name = "deep water", .cost = 2}};
    const nav_volume pond = {
        .shape = NAV_VOLUME_BOX, .area = 2, .min = {0, -10, 0}, .max = {40, 20, 40}};
    nav_config config = nav_config_default();
    config.areas = areas;
    config.area_count = 3;
    config.volumes = &pond;
    config.volume_count = 1;
    nav_mesh *mesh = export_bake(LEVEL_TOWN, 3, &config);
    const proto_export what = export_of(mesh);
    nav_error err;
    size_t size_bytes;
    char *text = export_file(&what, PROTO_EXPORT_OBJ, &size_bytes, &err);
    proto_geometry_reader *reader;
    nav_geometry geometry;
    assert_int_equal(proto_geometry_begin(PROTO_FORMAT_OBJ, NULL, &reader, NULL), NAV_OK);
    assert_int_equal(proto_geometry_feed(reader, text, size_bytes, NULL), NAV_OK);
    assert_int_equal(proto_geometry_end(reader, &geometry, NULL), NAV_OK);
    nav_mesh_stats stats;
    nav_mesh_stats_get(mesh, &stats);
    const double water = area_of(&geometry, "deep water"), ground = area_of(&geometry, "ground");
    assert_true(water > 100 && ground > 100);
    assert_near(water + ground, stats.walkable_area, 0.01);
    proto_geometry_destroy(reader);
    free(text);
    nav_mesh_release(mesh);
}

// In any coordinates: what the reader of uploads makes of the file lies where the mesh does, and
// faces up.
static void obj_is_in_the_coordinates_of_its_level(void **state)
{
    (void)state;
    static const char *const words[] = {"z_up", "unreal", "unity", "wow"};
    for (size_t i = 0; i < 2 * sizeof words / sizeof words[0]; i++) {
        nav_config config = nav_config_default();
        config.coordinates = coordinates_of(words[i / 2]);
        config.coordinates.reversed = i % 2 != 0;
        nav_mesh *mesh = map_mesh_with("..#/...", &config, NULL);
        const proto_export what = export_of(mesh);
        nav_error err;
        size_t size_bytes;
        char *text = export_file(&what, PROTO_EXPORT_OBJ, &size_bytes, &err);
        proto_geometry_reader *reader;
        nav_geometry geometry;
        assert_int_equal(proto_geometry_begin(PROTO_FORMAT_OBJ, NULL, &reader, NULL), NAV_OK);
        assert_int_equal(proto_geometry_feed(reader, text, size_bytes, NULL), NAV_OK);
        assert_int_equal(proto_geometry_end(reader, &geometry, NULL), NAV_OK);
        assert_int_equal(proto_geometry_to_mesh(reader, config.coordinates, NULL), NAV_OK);
        assert_near(area_of(&geometry, "ground"), 5.0, 1e-3);
        float most = 0.0f;
        for (uint32_t v = 0; v < geometry.vertex_count; v++) {
            most = geometry.vertices[3 * v] > most ? geometry.vertices[3 * v] : most;
        }
        assert_near(most, 3.0, 1e-3);
        proto_geometry_destroy(reader);
        free(text);
        nav_mesh_release(mesh);
    }
}

// A centimetre level: positions and costs are in centimetres, sizes in metres.
static void json_is_in_the_units_of_its_level(void **state)
{
    (void)state;
    static const nav_link links[] = {{.start = {0.5f, 0, 0.5f},
                                      .end = {2.5f, 0, 0.5f},
                                      .radius = 0.2f,
                                      .area = 1,
                                      .has_cost = true,
                                      .cost = 7}};
    nav_config config = nav_config_default();
    config.coordinates = coordinates_of("unreal");
    config.links = links;
    config.link_count = 1;
    nav_mesh *mesh = map_mesh_with(".#.", &config, NULL);
    proto_export what = export_of(mesh);
    nav_error err;
    size_t size_bytes;
    char *text = export_file(&what, PROTO_EXPORT_JSON, &size_bytes, &err);
    assert_non_null(strstr(text, "\"radius\":0.6,"));
    assert_non_null(strstr(text, "\"cost\":700}]}"));
    // Bounds are the level's, too: all of it, as the file itself has them.
    const char *bounds = strstr(text, "\"bounds\":{\"min\":[");
    assert_non_null(bounds);
    what.has_bounds = true;
    assert_int_equal(sscanf(bounds, "\"bounds\":{\"min\":[%f,%f,%f],\"max\":[%f,%f,%f]}",
                            &what.min[0], &what.min[1], &what.min[2], &what.max[0], &what.max[1],
                            &what.max[2]),
                     6);
    assert_near(what.max[2] - what.min[2], 0.0, 0.0);
    assert_near((what.max[0] - what.min[0]) * (what.max[1] - what.min[1]), 300.0 * 100.0, 0.0);
    char *again = export_file(&what, PROTO_EXPORT_JSON, &size_bytes, &err);
    assert_string_equal(text, again);
    free(text);
    free(again);
    nav_mesh_release(mesh);
}

// ---- glTF ----

// Looks at everything that the format asks for: chunks, offsets, counts, bounds, indices.
static void check_accessor(const cJSON *root, const uint8_t *bin, size_t bin_bytes, int index,
                           bool is_point, const cJSON **out)
{
    const cJSON *accessor = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "accessors"), index);
    const cJSON *view = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "bufferViews"),
                                           cJSON_GetObjectItem(accessor, "bufferView")->valueint);
    const size_t offset = (size_t)cJSON_GetObjectItem(view, "byteOffset")->valueint +
                          (size_t)cJSON_GetObjectItem(accessor, "byteOffset")->valueint;
    const size_t count = (size_t)cJSON_GetObjectItem(accessor, "count")->valueint;
    const size_t element = is_point ? 12 : 4;
    assert_true(count > 0 && offset % 4 == 0);
    assert_true(offset + count * element <= bin_bytes);
    assert_true((size_t)cJSON_GetObjectItem(accessor, "byteOffset")->valueint + count * element <=
                (size_t)cJSON_GetObjectItem(view, "byteLength")->valueint);
    assert_int_equal(cJSON_GetObjectItem(accessor, "componentType")->valueint,
                     is_point ? 5126 : 5125);
    assert_string_equal(cJSON_GetObjectItem(accessor, "type")->valuestring,
                        is_point ? "VEC3" : "SCALAR");
    for (int axis = 0; is_point && axis < 3; axis++) {
        float min = INFINITY, max = -INFINITY;
        for (size_t i = 0; i < count; i++) {
            const float at = proto_get_float(bin + offset + 12 * i + 4 * (size_t)axis);
            min = at < min ? at : min;
            max = at > max ? at : max;
        }
        const cJSON *said = cJSON_GetArrayItem(cJSON_GetObjectItem(accessor, "min"), axis);
        assert_true((float)said->valuedouble == min);
        said = cJSON_GetArrayItem(cJSON_GetObjectItem(accessor, "max"), axis);
        assert_true((float)said->valuedouble == max);
    }
    *out = accessor;
}

static uint32_t check_primitive(const cJSON *root, const uint8_t *bin, size_t bin_bytes,
                                const cJSON *primitive)
{
    const cJSON *points, *indices;
    const cJSON *attributes = cJSON_GetObjectItem(primitive, "attributes");
    check_accessor(root, bin, bin_bytes, cJSON_GetObjectItem(attributes, "POSITION")->valueint,
                   true, &points);
    const uint32_t count = (uint32_t)cJSON_GetObjectItem(points, "count")->valueint;
    if (cJSON_GetObjectItem(primitive, "mode")->valueint == 1) {
        assert_int_equal(count % 2, 0);
        return count / 2;
    }
    check_accessor(root, bin, bin_bytes, cJSON_GetObjectItem(primitive, "indices")->valueint, false,
                   &indices);
    const cJSON *view = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "bufferViews"), 1);
    const size_t offset = (size_t)cJSON_GetObjectItem(view, "byteOffset")->valueint +
                          (size_t)cJSON_GetObjectItem(indices, "byteOffset")->valueint;
    const uint32_t corners = (uint32_t)cJSON_GetObjectItem(indices, "count")->valueint;
    for (uint32_t i = 0; i < corners; i++) {
        assert_true(proto_get_u32(bin + offset + 4 * (size_t)i) < count);
    }
    assert_int_equal(corners % 3, 0);
    return corners / 3;
}

static void glb_is_valid(void **state)
{
    (void)state;
    nav_mesh *mesh = small_world();
    const proto_export what = export_of(mesh);
    nav_error err;
    size_t size_bytes;
    char *file = export_file(&what, PROTO_EXPORT_GLB, &size_bytes, &err);
    const uint8_t *bytes = (const uint8_t *)file;
    assert_memory_equal(bytes, "glTF", 4);
    assert_int_equal(proto_get_u32(bytes + 4), 2);
    assert_int_equal(proto_get_u32(bytes + 8), size_bytes);
    const uint32_t json_bytes = proto_get_u32(bytes + 12);
    assert_memory_equal(bytes + 16, "JSON", 4);
    assert_int_equal(json_bytes % 4, 0);
    const uint8_t *bin = bytes + 20 + json_bytes;
    const uint32_t bin_bytes = proto_get_u32(bin);
    assert_memory_equal(bin + 4, "BIN\0", 4);
    assert_int_equal(28 + json_bytes + bin_bytes, size_bytes);
    cJSON *root = cJSON_ParseWithLength(file + 20, json_bytes);
    assert_non_null(root);
    assert_int_equal(cJSON_GetObjectItem(
                         cJSON_GetArrayItem(cJSON_GetObjectItem(root, "buffers"), 0), "byteLength")
                         ->valueint,
                     bin_bytes);
    static const char *const names[] = {"ground", "water", "links"};
    static const uint32_t elements[] = {4, 2, 1};
    const cJSON *nodes = cJSON_GetObjectItem(root, "nodes");
    const cJSON *meshes = cJSON_GetObjectItem(root, "meshes");
    assert_int_equal(cJSON_GetArraySize(nodes), 3);
    assert_int_equal(cJSON_GetArraySize(meshes), 3);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(root, "materials")), 3);
    for (int i = 0; i < 3; i++) {
        const cJSON *node = cJSON_GetArrayItem(nodes, i);
        assert_string_equal(cJSON_GetObjectItem(node, "name")->valuestring, names[i]);
        const cJSON *own = cJSON_GetArrayItem(meshes, cJSON_GetObjectItem(node, "mesh")->valueint);
        assert_int_equal(
            check_primitive(root, bin + 8, bin_bytes,
                            cJSON_GetArrayItem(cJSON_GetObjectItem(own, "primitives"), 0)),
            elements[i]);
    }
    cJSON_Delete(root);
    free(file);
    nav_mesh_release(mesh);
}

// ---- pictures, limits ----

static void a_picture_shows_what_bounds_choose(void **state)
{
    (void)state;
    nav_mesh *mesh = small_world();
    proto_export what = export_of(mesh);
    nav_error err;
    size_t size_bytes;
    char *all = export_file(&what, PROTO_EXPORT_SVG, &size_bytes, &err);
    what.has_bounds = true;
    memcpy(what.min, (const float[3]){3.25f, -1, 0}, sizeof what.min);
    memcpy(what.max, (const float[3]){9, 1, 1}, sizeof what.max);
    char *part = export_file(&what, PROTO_EXPORT_SVG, &size_bytes, &err);
    assert_non_null(strstr(all, "<desc>3 polygons in 2 components;"));
    assert_non_null(strstr(part, "<desc>1 polygons in 1 components;"));
    assert_null(strstr(part, "id=\"links\""));
    free(all);
    free(part);
    nav_mesh_release(mesh);
}

static void a_file_beyond_the_limit_is_refused(void **state)
{
    (void)state;
    nav_mesh *mesh = small_world();
    const proto_export what = export_of(mesh);
    for (int format = 0; format < PROTO_EXPORT_COUNT; format++) {
        nav_arena scratch;
        nav_error err = {0};
        proto_writer w;
        size_t whole;
        if (format == PROTO_EXPORT_MSET) {
            continue; // the link has a cost of its own
        }
        free(export_file(&what, (proto_export_format)format, &whole, &err));
        for (size_t limit = whole - 1; limit <= whole; limit++) {
            nav_arena_init(&scratch, NULL, 0);
            proto_writer_init(&w);
            w.limit_bytes = limit;
            const nav_status status =
                proto_export_write(&w, &what, (proto_export_format)format, &scratch, &err);
            assert_int_equal(status, limit < whole ? PROTO_NOT_EXPORTABLE : NAV_OK);
            if (limit < whole) {
                assert_string_equal(err.at, "bounds");
            }
            proto_writer_free(&w);
            nav_arena_free(&scratch);
        }
    }
    nav_mesh_release(mesh);
}

static void without_memory_nothing_is_written(void **state)
{
    (void)state;
    nav_mesh *mesh = small_world();
    const proto_export what = export_of(mesh);
    nav_arena scratch;
    nav_error err = {0};
    proto_writer w;
    nav_arena_init(&scratch, NULL, 16);
    proto_writer_init(&w);
    assert_int_equal(proto_export_write(&w, &what, PROTO_EXPORT_JSON, &scratch, &err),
                     NAV_NO_MEMORY);
    assert_int_equal(w.size_bytes, 0);
    proto_writer_free(&w);
    nav_arena_free(&scratch);
    nav_mesh_release(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_has_all_of_a_mesh),
        cmocka_unit_test(bounds_choose_polygons_that_they_meet),
        cmocka_unit_test(bounds_without_ground_make_empty_files),
        cmocka_unit_test(obj_is_read_again_with_its_areas),
        cmocka_unit_test(obj_is_in_the_coordinates_of_its_level),
        cmocka_unit_test(json_is_in_the_units_of_its_level),
        cmocka_unit_test(glb_is_valid),
        cmocka_unit_test(a_picture_shows_what_bounds_choose),
        cmocka_unit_test(a_file_beyond_the_limit_is_refused),
        cmocka_unit_test(without_memory_nothing_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
