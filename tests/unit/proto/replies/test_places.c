// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_places.c: answers about places, and of paths with their details, byte for byte; what
// was not found is null and has a reason.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "proto/replies/replies.h"
#include "tests/unit/mesh_builder.h"

static proto_writer w;

static void assert_reply(const char *wanted)
{
    size_t size_bytes;
    char *text = proto_writer_take(&w, &size_bytes);
    assert_non_null(text);
    assert_string_equal(text, wanted);
    assert_int_equal(proto_json_scan(text, size_bytes, 16, 1000, NULL), NAV_OK);
    free(text);
}

#define BEGIN "{\"mesh\":\"a\",\"version\":2,"

static void test_raycast(void **state)
{
    (void)state;
    nav_ray ray = {.found = true,
                   .hit = true,
                   .t = 0.25f,
                   .start = {1, 2, 3},
                   .position = {4, 5, 6},
                   .normal = {-1, 0, 0},
                   .cost = 3.5,
                   .polygon = 7};
    proto_write_raycast(&w, &(proto_answer_head){.mesh = "a", .version = 2}, &ray);
    assert_reply(BEGIN "\"reason\":null,\"hit\":true,\"t\":0.25,\"start\":[1,2,3],"
                       "\"position\":[4,5,6],\"normal\":[-1,0,0],\"cost\":3.5,\"polygon\":\"7\"}");
    ray.hit = false;
    ray.cost = 3.4999; // rounded down, as that of a path
    proto_write_raycast(&w, &(proto_answer_head){.mesh = "a", .version = 2}, &ray);
    assert_reply(BEGIN "\"reason\":null,\"hit\":false,\"t\":0.25,\"start\":[1,2,3],"
                       "\"position\":[4,5,6],\"normal\":null,\"cost\":3.499,\"polygon\":\"7\"}");
    ray = (nav_ray){0};
    proto_write_raycast(&w, &(proto_answer_head){.mesh = "a", .version = 2}, &ray);
    assert_reply(BEGIN "\"reason\":\"start_off_mesh\",\"hit\":false,\"t\":null,\"start\":null,"
                       "\"position\":null,\"normal\":null,\"cost\":null,\"polygon\":null}");
}

static void test_move_and_wall(void **state)
{
    (void)state;
    static const uint32_t visited[] = {7, 9};
    nav_move move = {
        .found = true, .position = {1, 2, 3}, .polygon = 9, .visited = visited, .visited_count = 2};
    proto_write_move(&w, &(proto_answer_head){.mesh = "a", .version = 2}, &move);
    assert_reply(BEGIN "\"reason\":null,\"position\":[1,2,3],\"polygon\":\"9\","
                       "\"visited\":[\"7\",\"9\"]}");
    move = (nav_move){0};
    proto_write_move(&w, &(proto_answer_head){.mesh = "a", .version = 2}, &move);
    assert_reply(BEGIN "\"reason\":\"start_off_mesh\",\"position\":null,\"polygon\":null,"
                       "\"visited\":[]}");
    nav_wall wall = {
        .found = true, .hit = true, .distance = 1.5f, .position = {1, 2, 3}, .normal = {0, 0, 1}};
    proto_write_wall(&w, &(proto_answer_head){.mesh = "a", .version = 2}, &wall);
    assert_reply(BEGIN "\"reason\":null,\"hit\":true,\"distance\":1.5,\"position\":[1,2,3],"
                       "\"normal\":[0,0,1]}");
    wall.hit = false;
    proto_write_wall(&w, &(proto_answer_head){.mesh = "a", .version = 2}, &wall);
    assert_reply(BEGIN "\"reason\":null,\"hit\":false,\"distance\":1.5,\"position\":null,"
                       "\"normal\":null}");
    wall.found = false;
    proto_write_wall(&w, &(proto_answer_head){.mesh = "a", .version = 2}, &wall);
    assert_reply(BEGIN "\"reason\":\"point_off_mesh\",\"hit\":false,\"distance\":null,"
                       "\"position\":null,\"normal\":null}");
}

static void test_trace(void **state)
{
    (void)state;
    static const double times[] = {0, 16, 33.5};
    proto_trace_request asked = {.times_ms = {times, 3}};
    nav_trace trace = {.reason = NAV_TRACE_LEGAL, .step = 3};
    proto_write_trace(&w, &(proto_answer_head){.mesh = "a", .version = 2}, &asked, &trace);
    assert_reply(BEGIN "\"legal\":true,\"step\":null,\"reason\":null,\"position\":null,"
                       "\"time_ms\":null,\"speed\":null}");
    trace =
        (nav_trace){.reason = NAV_TRACE_TOO_FAST, .step = 2, .position = {1, 2, 3}, .speed = 99.5};
    proto_write_trace(&w, &(proto_answer_head){.mesh = "a", .version = 2}, &asked, &trace);
    assert_reply(BEGIN "\"legal\":false,\"step\":2,\"reason\":\"too_fast\",\"position\":[1,2,3],"
                       "\"time_ms\":33.5,\"speed\":99.5}");
    // At the first position nobody has moved yet, and time that stands still gives no speed.
    trace.step = 0;
    proto_write_trace(&w, &(proto_answer_head){.mesh = "a", .version = 2}, &asked, &trace);
    assert_reply(BEGIN "\"legal\":false,\"step\":0,\"reason\":\"too_fast\",\"position\":[1,2,3],"
                       "\"time_ms\":0,\"speed\":null}");
    trace.step = 1;
    trace.reason = NAV_TRACE_TIME;
    proto_write_trace(&w, &(proto_answer_head){.mesh = "a", .version = 2}, &asked, &trace);
    assert_reply(BEGIN "\"legal\":false,\"step\":1,\"reason\":\"time\",\"position\":[1,2,3],"
                       "\"time_ms\":16,\"speed\":null}");
    asked.times_ms.count = 0;
    trace.reason = NAV_TRACE_WALL;
    proto_write_trace(&w, &(proto_answer_head){.mesh = "a", .version = 2}, &asked, &trace);
    assert_reply(BEGIN "\"legal\":false,\"step\":1,\"reason\":\"wall\",\"position\":[1,2,3],"
                       "\"time_ms\":null,\"speed\":null}");
}

static nav_mesh *two_areas(void)
{
    static const nav_area areas[] = {{.name = "none", .cost = 1.0f},
                                     {.name = "ground", .cost = 1.0f}};
    const nav_config config = {.areas = areas, .area_count = 2};
    builder b;
    builder_init(&b);
    builder_rectangle(&b, 0, 0, 1, 1, 0);
    builder_rectangle(&b, 1, 0, 2, 1, 0);
    b.polygons.areas[1] = 5; // which has no name
    nav_mesh *mesh = builder_mesh_with(&b, &config, NULL);
    builder_free(&b);
    return mesh;
}

static void test_places_of_polygons(void **state)
{
    (void)state;
    nav_mesh *mesh = two_areas();
    const nav_location places[] = {{.polygon = 0, .position = {0.5f, 2, 0.5f}, .distance = 0.25f},
                                   {.polygon = 1, .position = {1.5f, 0, 0.5f}, .distance = 1}};
    proto_write_floors(&w, &(proto_answer_head){.mesh = "a", .version = 2}, mesh, places, 2);
    assert_reply(BEGIN
                 "\"floors\":[{\"height\":2,\"position\":[0.5,2,0.5],\"polygon\":\"0\","
                 "\"area\":\"ground\",\"component\":1},{\"height\":0,"
                 "\"position\":[1.5,0,0.5],\"polygon\":\"1\",\"area\":\"5\",\"component\":1}]}");
    proto_write_nearest(&w, &(proto_answer_head){.mesh = "a", .version = 2}, mesh, places, 2);
    assert_reply(BEGIN "\"points\":[{\"position\":[0.5,2,0.5],\"distance\":0.25,\"polygon\":\"0\","
                       "\"area\":\"ground\",\"component\":1},{\"position\":[1.5,0,0.5],"
                       "\"distance\":1,\"polygon\":\"1\",\"area\":\"5\",\"component\":1}]}");
    const bool reachable[] = {true, false};
    proto_write_reachable(&w, &(proto_answer_head){.mesh = "a", .version = 2}, reachable, 2);
    assert_reply(BEGIN "\"reachable\":[true,false]}");
    proto_write_deadline_exceeded(&w, &(proto_answer_head){.mesh = "a", .version = 2});
    assert_reply(BEGIN "\"reason\":\"deadline\"}");
    nav_mesh_release(mesh);
}

static void test_details(void **state)
{
    (void)state;
    static const nav_link jump = {
        .start = {0.5f, 0, 0.5f}, .end = {4.5f, 0, 0.5f}, .radius = 0.4f, .area = 1, .id = "jump"};
    const nav_config config = {.links = &jump, .link_count = 1, .agent_height = 2.0f};
    nav_mesh *mesh = map_mesh_with("..##..", &config, NULL);
    static const float points[] = {0.5f, 0, 0.5f, 4.5f, 0, 0.5f};
    const nav_path path = {.status = NAV_PATH_PARTIAL,
                           .reason = NAV_REASON_BLOCKED,
                           .points = points,
                           .point_count = 2};
    const nav_path_step steps[] = {{.polygon = 0, .link = NAV_NONE, .point = 0},
                                   {.polygon = 1, .link = NAV_NONE, .point = 0},
                                   {.polygon = 2, .link = 0, .point = 1}};
    proto_path_reply reply = {.path = &path,
                              .details =
                                  PROTO_DETAIL_POLYGONS | PROTO_DETAIL_AREAS | PROTO_DETAIL_LINKS,
                              .mesh = mesh,
                              .steps = steps,
                              .step_count = 3};
#define MEMBERS                                                                                    \
    "\"status\":\"partial\",\"reason\":\"blocked\",\"length\":0,\"cost\":0,\"optimal\":false,"     \
    "\"lower_bound\":0,\"start\":[0,0,0],\"end\":[0,0,0],\"points\":[[0.5,0,0.5],"                 \
    "[4.5,0,0.5]]"
#define LINKS "\"links\":[{\"id\":\"jump\",\"index\":0,\"point\":0}]"
    proto_write_path(&w, &(proto_answer_head){.id = "\"bot\""}, &reply);
    assert_reply(
        "{\"id\":\"bot\"," MEMBERS ",\"details\":{\"polygons\":["
        "{\"polygon\":\"0\",\"point\":0},{\"polygon\":\"1\",\"point\":0},"
        "{\"polygon\":\"2\",\"point\":1}],\"areas\":[{\"area\":\"ground\",\"point\":0}]," LINKS
        "}}");
    reply.details = PROTO_DETAIL_LINKS;
    proto_write_path(&w, &(proto_answer_head){0}, &reply);
    assert_reply("{" MEMBERS ",\"details\":{" LINKS "}}");
    nav_mesh_release(mesh);
}

// The links of a state are numbered behind those of the mesh, and told by their own names.
static void test_links_of_a_state(void **state)
{
    (void)state;
    static const nav_link jump = {
        .start = {0.5f, 0, 0.5f}, .end = {4.5f, 0, 0.5f}, .radius = 0.4f, .area = 1, .id = "jump"};
    static const nav_link lift = {
        .start = {1.5f, 0, 0.5f}, .end = {5.5f, 0, 0.5f}, .radius = 0.4f, .area = 1, .id = "lift"};
    const nav_config config = {.links = &jump, .link_count = 1, .agent_height = 2.0f};
    nav_mesh *mesh = map_mesh_with("..##..", &config, NULL);
    nav_scratch *scratch = NULL;
    nav_overlay *overlay = NULL;
    const nav_overlay_items parts = {.links = &lift, .link_count = 1};
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    assert_int_equal(nav_overlay_create(mesh, scratch, NULL, &parts, &overlay, NULL), NAV_OK);
    nav_path_request request = {
        .start = {1.5f, 0, 0.5f}, .end = {5.5f, 0, 0.5f}, .options = nav_options_default()};
    request.options.overlay = overlay;
    nav_path path;
    nav_path_step steps[8];
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    const proto_path_reply reply = {.path = &path,
                                    .details = PROTO_DETAIL_LINKS,
                                    .mesh = mesh,
                                    .overlay = overlay,
                                    .steps = steps,
                                    .step_count = nav_query_path_steps(&path, steps, 8)};
    proto_write_path(&w, &(proto_answer_head){0}, &reply);
    assert_reply("{\"status\":\"complete\",\"reason\":null,\"length\":4,\"cost\":4,"
                 "\"optimal\":true,\"lower_bound\":4,\"start\":[1.5,0,0.5],\"end\":[5.5,0,0.5],"
                 "\"points\":[[1.5,0,0.5],[5.5,0,0.5]],\"details\":{\"links\":[{\"id\":\"lift\","
                 "\"index\":0,\"point\":0}]}}");
    nav_overlay_release(overlay);
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_raycast), cmocka_unit_test(test_move_and_wall),
        cmocka_unit_test(test_trace),   cmocka_unit_test(test_places_of_polygons),
        cmocka_unit_test(test_details), cmocka_unit_test(test_links_of_a_state),
    };
    proto_writer_init(&w);
    return cmocka_run_group_tests_name("reply_places", tests, NULL, NULL);
}
