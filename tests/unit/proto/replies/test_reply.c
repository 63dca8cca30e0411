// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_reply.c: replies have exactly the shape of the API, byte for byte.

#include "proto/replies/replies.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

static void assert_reply(proto_writer *w, const char *wanted)
{
    size_t size_bytes;
    char *text = proto_writer_take(w, &size_bytes);
    assert_non_null(text);
    assert_string_equal(text, wanted);
    assert_int_equal(proto_json_scan(text, size_bytes, 16, 1000, NULL), NAV_OK);
    free(text);
}

static void test_error(void **state)
{
    (void)state;
    proto_writer w;
    proto_writer_init(&w);
    nav_error err = {0};
    nav_fail(&err, NAV_VERTEX_NOT_FINITE, "vertex 17: y is NaN");
    nav_error_at(&err, "vertices[17].y");
    nav_error_got(&err, "NaN");
    proto_write_error(&w, &err, "r1");
    assert_reply(&w, "{\"type\":\"about:blank\",\"title\":\"Unprocessable Content\","
                     "\"status\":422,\"code\":\"vertex_not_finite\",\"detail\":\"vertex 17: y is "
                     "NaN\",\"at\":\"vertices[17].y\",\"got\":\"NaN\",\"limit\":null,"
                     "\"request_id\":\"r1\"}");
    err = (nav_error){
        .status = NAV_GRID_TOO_LARGE, .got = "1e9", .limit = "1e999", .suggest_cell_size = 0.5};
    proto_write_error(&w, &err, NULL);
    assert_reply(&w, "{\"type\":\"about:blank\",\"title\":\"Unprocessable Content\","
                     "\"status\":422,\"code\":\"grid_too_large\",\"detail\":\"The voxel grid would "
                     "be too large\",\"at\":null,\"got\":1e9,\"limit\":\"1e999\","
                     "\"suggest_cell_size\":0.5}");
}

static void test_path(void **state)
{
    (void)state;
    static const float points[] = {1, 0, 2, 12.3f, 0.4f, 9.1f, 30, 0, 40};
    nav_path path = {.status = NAV_PATH_COMPLETE,
                     .length = 52.1037,
                     .cost = 51.5729,
                     .lower_bound = 50.99999,
                     .start = {1, 0, 2},
                     .end = {30, 0, 40},
                     .points = points,
                     .point_count = 3};
    proto_writer w;
    proto_writer_init(&w);
    proto_write_path(&w, &(proto_answer_head){.mesh = "town", .version = 3},
                     &(proto_path_reply){.path = &path});
    assert_reply(&w, "{\"mesh\":\"town\",\"version\":3,\"status\":\"complete\",\"reason\":null,"
                     "\"length\":52.104,\"cost\":51.572,\"optimal\":false,\"lower_bound\":50.999,"
                     "\"start\":[1,0,2],\"end\":[30,0,40],"
                     "\"points\":[[1,0,2],[12.3,0.4,9.1],[30,0,40]]}");
    path.point_count = 0;
    path.folded = true;
    proto_write_path(&w, &(proto_answer_head){.mesh = "a", .version = 1},
                     &(proto_path_reply){.path = &path});
    assert_reply(&w, "{\"mesh\":\"a\",\"version\":1,\"status\":\"complete\",\"reason\":null,"
                     "\"length\":52.104,\"cost\":51.572,\"optimal\":false,\"lower_bound\":50.999,"
                     "\"unproven\":\"folds\",\"start\":[1,0,2],\"end\":[30,0,40],\"points\":[]}");
    path.folded = false;
    path.optimal = true;
    path.lower_bound = path.cost;
    proto_write_path(&w, &(proto_answer_head){.mesh = "a", .version = 1},
                     &(proto_path_reply){.path = &path});
    size_t size_bytes;
    char *text = proto_writer_take(&w, &size_bytes);
    assert_non_null(strstr(text, "\"cost\":51.572,\"optimal\":true,\"lower_bound\":51.572,"));
    assert_non_null(strstr(text, "\"points\":[]}"));
    free(text);
    path = (nav_path){.status = NAV_PATH_NONE, .reason = NAV_REASON_START_OFF_MESH};
    proto_write_path(&w, &(proto_answer_head){.mesh = "a", .version = 1},
                     &(proto_path_reply){.path = &path});
    assert_reply(&w, "{\"mesh\":\"a\",\"version\":1,\"status\":\"none\",\"reason\":"
                     "\"start_off_mesh\",\"length\":0,\"cost\":0,\"optimal\":false,"
                     "\"lower_bound\":0,\"start\":[0,0,0],\"end\":[0,0,0],\"points\":[]}");
}

// The printed bound is never above the true one, nor above the printed cost.
static void test_lower_bound_is_rounded_down(void **state)
{
    (void)state;
    uint32_t seed = 1;
    for (int i = 0; i < 5000; i++) {
        seed = seed * 1664525u + 1013904223u;
        double bound = seed / 65536.0 / ((i & 1) != 0 ? 1000.0 : 7.0);
        nav_path path = {.cost = bound, .lower_bound = bound};
        proto_writer w;
        proto_writer_init(&w);
        proto_write_path(&w, &(proto_answer_head){.mesh = "m", .version = 1},
                         &(proto_path_reply){.path = &path});
        size_t size_bytes;
        char *text = proto_writer_take(&w, &size_bytes);
        double printed = strtod(strstr(text, "lower_bound\":") + 13, NULL);
        assert_true(printed <= bound && bound - printed < 0.0010001);
        assert_true(printed <= strtod(strstr(text, "cost\":") + 6, NULL));
        free(text);
    }
}

static void test_version(void **state)
{
    (void)state;
    proto_version version = {.mesh = "town",
                             .version = 3,
                             .state = "baking",
                             .active = true,
                             .created_at = "2026-11-20T21:00:00Z",
                             .progress = 0.42,
                             .stage = "regions",
                             .tiles_done = 21,
                             .tiles_total = 50,
                             .config_json = "{\"cell_size\":0.3}"};
    proto_writer w;
    proto_writer_init(&w);
    proto_write_version(&w, &version);
    assert_reply(&w, "{\"mesh\":\"town\",\"version\":3,\"state\":\"baking\",\"active\":true,"
                     "\"created_at\":\"2026-11-20T21:00:00Z\",\"progress\":0.42,"
                     "\"stage\":\"regions\",\"tiles_done\":21,\"tiles_total\":50,\"tiles_reused\":"
                     "0,\"geometry\":null,\"config\":{"
                     "\"cell_size\":0.3},\"blob\":null,\"stats\":null,\"timings_ms\":null,"
                     "\"warnings\":null,\"checks\":null,\"error\":null}");
    version.deduplicated = true;
    proto_write_version(&w, &version);
    size_t size_bytes;
    char *text = proto_writer_take(&w, &size_bytes);
    assert_non_null(strstr(text, "\"tiles_reused\":0,\"deduplicated\":true,\"geometry\""));
    free(text);
}

#define SHA "0001020304050607000000000000000000000000000000000000000000000000"

static void test_parts_of_a_version(void **state)
{
    (void)state;
    static const uint8_t sha256[32] = {0, 1, 2, 3, 4, 5, 6, 7};
    static const float vertices[9] = {1, 2, 3, -1, 2.5f, 7, 0, 0, 0};
    static const uint32_t triangle[3] = {0, 1, 2};
    const nav_geometry geometry = {
        .vertices = vertices, .triangles = triangle, .vertex_count = 3, .triangle_count = 1};
    proto_writer w;
    proto_writer_init(&w);
    proto_write_geometry_info(&w, sha256, "obj", &geometry, NULL);
    assert_reply(&w, "{\"sha256\":\"" SHA "\",\"format\":\"obj\",\"vertices\":3,\"triangles\":1,"
                     "\"bounds\":{\"min\":[-1,0,0],\"max\":[1,2.5,7]}}");
    proto_write_blob_info(&w, sha256, 28056, 7400);
    assert_reply(&w, "{\"sha256\":\"" SHA "\",\"bytes\":28056,\"stored_bytes\":7400}");
    nav_bake_report report = {.triangles = 9, .triangles_steep = 2, .peak_bytes = 77};
    report.stage_ns[NAV_STAGE_VOXELIZE] = 7200499;
    report.stage_ns[NAV_STAGE_TILE] = 1000;
    report.warnings[NAV_WARN_DEGENERATE_TRIANGLES] =
        (nav_warning){.count = 4, .item_count = 1, .items = {{{1, 2, 3}, 0.5f, "gate"}}};
    proto_write_timings(&w, &report, 400000, 23900000);
    assert_reply(
        &w, "{\"total\":23.9,\"voxelize\":7.2,\"filter\":0,\"compact\":0,\"erode\":0,\"areas\":0,"
            "\"distance\":0,\"regions\":0,\"contours\":0,\"polygons\":0,\"detail\":0,"
            "\"tile\":0.001,\"store\":0.4}");
    proto_write_warnings(&w, NULL, &report);
    assert_reply(&w, "[{\"code\":\"degenerate_triangles\",\"count\":4,\"items\":["
                     "{\"position\":[1,2,3],\"value\":0.5,\"name\":\"gate\"}]}]");
    // A setting has no position, but always a value.
    report = (nav_bake_report){0};
    nav_warning_add(&report.warnings[NAV_WARN_VALUE_CLAMPED], (float[3]){0}, 0, "edge_max_length");
    nav_warning_add(&report.warnings[NAV_WARN_ISLAND], (float[3]){1, 2, 3}, 4.5f, NULL);
    proto_write_warnings(&w, NULL, &report);
    assert_reply(&w, "[{\"code\":\"value_clamped\",\"count\":1,\"items\":[{\"value\":0,"
                     "\"name\":\"edge_max_length\"}]},{\"code\":\"island\",\"count\":1,"
                     "\"items\":[{\"position\":[1,2,3],\"value\":4.5}]}]");
    report = (nav_bake_report){.triangles = 9, .triangles_steep = 2};
    proto_write_warnings(&w, NULL, &(nav_bake_report){0});
    assert_reply(&w, "[]");
    const nav_mesh_stats stats = {.tiles = 1,
                                  .polygons = 155,
                                  .vertices = 349,
                                  .components = 3,
                                  .walkable_area = 4002.0,
                                  .max = {1, 1, 1}};
    proto_write_stats(&w, &stats, NULL);
    assert_reply(&w, "{\"tiles\":1,\"polygons\":155,\"vertices\":349,\"walkable_area\":4002,"
                     "\"components\":3,\"links\":0,\"memory_bytes\":0,\"bounds\":{\"min\":[0,0,0],"
                     "\"max\":[1,1,1]}}");
    // Nothing has no bounds.
    proto_write_stats(&w, &(nav_mesh_stats){.memory_bytes = 77}, NULL);
    assert_reply(&w, "{\"tiles\":0,\"polygons\":0,\"vertices\":0,\"walkable_area\":0,"
                     "\"components\":0,\"links\":0,\"memory_bytes\":77}");
    proto_write_stats(&w, &stats, &report);
    size_t size_bytes;
    char *text = proto_writer_take(&w, &size_bytes);
    assert_non_null(strstr(text, ",\"triangles\":9,\"triangles_steep\":2,\"spans\":0,"));
    free(text);
}

// A floor of 10 m by 20 m, baked as any upload would be.
static nav_mesh *floor_mesh(void)
{
    static const float vertices[12] = {0, 0, 0, 0, 0, 20, 10, 1, 20, 10, 1, 0};
    static const uint32_t triangles[6] = {0, 1, 2, 0, 2, 3};
    const nav_geometry geometry = {
        .vertices = vertices, .triangles = triangles, .vertex_count = 4, .triangle_count = 2};
    const nav_config config = nav_config_default();
    nav_grid grid;
    nav_blob blob;
    nav_mesh *mesh = NULL;
    nav_arena scratch, result;
    nav_arena_init(&scratch, NULL, 0);
    nav_arena_init(&result, NULL, 0);
    assert_int_equal(nav_bake_plan(&geometry, &config, 0, &grid, NULL), NAV_OK);
    assert_int_equal(nav_bake_tile(&geometry, &config, &grid, NULL, 0, 0, NULL, &scratch, &result,
                                   &blob, NULL, NULL),
                     NAV_OK);
    assert_int_equal(nav_mesh_create(&blob, 1, &config, NULL, &mesh, NULL, NULL), NAV_OK);
    nav_arena_free(&scratch);
    nav_arena_free(&result);
    return mesh;
}

static void test_nearest(void **state)
{
    (void)state;
    nav_mesh *mesh = floor_mesh();
    const nav_location location = {0, {5, 0.5f, 10}, 0.25f};
    nav_polygon polygon = nav_mesh_polygon(mesh, 0);
    assert_int_equal(polygon.area, NAV_AREA_GROUND);
    proto_writer w;
    proto_writer_init(&w);
    proto_write_nearest(&w, &(proto_answer_head){.mesh = "town", .version = 2}, mesh, &location, 1);
    size_t size_bytes;
    char *text = proto_writer_take(&w, &size_bytes);
    assert_non_null(strstr(text, "{\"mesh\":\"town\",\"version\":2,\"points\":[{\"position\":[5,"
                                 "0.5,10],\"distance\":0.25,\"polygon\":\"0\",\"area\":\"ground\","
                                 "\"component\":"));
    free(text);
    proto_write_nearest(&w, &(proto_answer_head){.mesh = "town", .version = 2}, mesh, &location, 0);
    assert_reply(&w, "{\"mesh\":\"town\",\"version\":2,\"points\":[]}");
    proto_write_random(&w, &(proto_answer_head){.mesh = "town", .version = 2}, mesh, 4294967295,
                       &location, 0);
    assert_reply(&w, "{\"mesh\":\"town\",\"version\":2,\"seed\":4294967295,\"points\":[]}");
    nav_mesh_release(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_error),
        cmocka_unit_test(test_path),
        cmocka_unit_test(test_lower_bound_is_rounded_down),
        cmocka_unit_test(test_version),
        cmocka_unit_test(test_parts_of_a_version),
        cmocka_unit_test(test_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
