// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_instances.c: the state of an instance is read, sorted and checked against a mesh; without
// memory nothing is left.

#include "tests/unit/mesh_builder.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "proto/requests/instances.h"
#include "tests/unit/memory_fixture.h"

#define BALL "{\"shape\":\"circle\",\"center\":[1,2,3],\"radius\":4}"
#define LINE "{\"shape\":\"convex\",\"points\":[[0,0],[1,1],[2,2]]}"
#define BOX "{\"shape\":\"box\",\"min\":[0,0,0],\"max\":[1,1,1],\"yaw\":45}"
#define LIFT "{\"start\":[1,2,3],\"end\":[4,5,6],\"radius\":0.5,\"bidirectional\":false,\"cost\":3}"
#define RAFT "{\"start\":[1,2,3],\"end\":[4,5,6],\"area\":\"water\",\"flags\":[\"swim\"]}"
#define WHOLE                                                                                      \
    "{\"version\":3,\"expires_in_s\":1.5,\"switches\":{\"z\":\"closed\",\"a\":null},"              \
    "\"obstacles\":{\"b\":" BALL ",\"a\":" BOX ",\"c\":" LINE "},\"links\":{\"lift\":" LIFT        \
    ",\"raft\":" RAFT "},"                                                                         \
    "\"area_costs\":{\"ground\":2.5,\"mud\":3}}"

static nav_status read_instance(const char *json, nav_arena *from, proto_instance_request *out,
                                nav_error *err)
{
    return proto_request_json(&PROTO_INSTANCE, json, strlen(json), from, out, err);
}

static void parts_are_read_in_order(void **state)
{
    (void)state;
    proto_instance_request r;
    nav_error err = {0};
    assert_int_equal(read_instance(WHOLE, &memory, &r, &err), NAV_OK);
    assert_true(r.has_version && r.version == 3 && r.has_expires && r.expires_in_s == 1.5);
    const proto_state_items *switches = &r.state.items[PROTO_STATE_SWITCH];
    const proto_state_items *obstacles = &r.state.items[PROTO_STATE_OBSTACLE];
    const proto_state_items *costs = &r.state.items[PROTO_STATE_AREA_COST];
    assert_int_equal(switches->count, 2);
    assert_true(switches->at[0].removed && strcmp(switches->at[0].id, "a") == 0);
    assert_true(switches->at[1].closed && !switches->at[1].removed);
    assert_int_equal(obstacles->count, 3);
    assert_string_equal(obstacles->at[0].id, "a");
    assert_true(obstacles->at[0].shape->yaw == 45.0f);
    assert_string_equal(obstacles->at[1].id, "b");
    const proto_state_items *links = &r.state.items[PROTO_STATE_LINK];
    assert_int_equal(links->count, 2);
    const proto_link *lift = links->at[0].link, *raft = links->at[1].link;
    assert_true(lift->start[2] == 3.0f && lift->end[0] == 4.0f && lift->radius == 0.5f);
    assert_true(!lift->bidirectional && lift->has_cost && lift->cost == 3.0f);
    assert_string_equal(lift->area, "ground");
    assert_true(raft->bidirectional && !raft->has_cost && isinf(raft->radius));
    assert_string_equal(raft->area, "water");
    assert_string_equal(raft->flags[0], "swim");
    assert_true(costs->at[0].cost == 2.5f);
    assert_int_equal(read_instance("{\"version\":null,\"expires_in_s\":null}", &memory, &r, &err),
                     NAV_OK);
    assert_true(r.has_version && r.version == 0 && r.has_expires && r.expires_in_s == 0.0);
    assert_int_equal(read_instance("{}", &memory, &r, &err), NAV_OK);
    assert_false(r.has_version || r.has_expires);
}

static void wrong_ones_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *json;
        nav_status status;
        const char *at;
    } rows[] = {
        {"{\"version\":1.5}", NAV_INVALID_FIELD, "version"},
        {"{\"version\":\"3\"}", NAV_INVALID_FIELD, "version"},
        {"{\"expires_in_s\":1e9}", NAV_INVALID_FIELD, "expires_in_s"},
        {"{\"expires_in_s\":-1}", NAV_INVALID_FIELD, "expires_in_s"},
        {"{\"switches\":[]}", NAV_INVALID_FIELD, "switches"},
        {"{\"switches\":{\"\":\"open\"}}", NAV_INVALID_FIELD, "switches."},
        {"{\"switches\":{\"a\":true}}", NAV_INVALID_FIELD, "switches.a"},
        {"{\"switches\":{\"a\":null,\"a\":\"open\"}}", PROTO_BAD_JSON, "switches.a"},
        {"{\"obstacles\":{\"a b\":" BALL "}}", NAV_INVALID_FIELD, "obstacles.a b"},
        {"{\"obstacles\":{\"a\":{}}}", NAV_INVALID_FIELD, "obstacles.a.shape"},
        {"{\"obstacles\":{\"a\":7}}", NAV_INVALID_FIELD, "obstacles.a"},
        {"{\"obstacles\":{\"a\":{\"shape\":\"box\",\"min\":[0,0,0],\"max\":[1,1,1],\"yaw\":4000}}}",
         NAV_INVALID_FIELD, "obstacles.a.yaw"},
        {"{\"area_costs\":{\"mud\":\"2\"}}", NAV_INVALID_FIELD, "area_costs.mud"},
        {"{\"area_costs\":{\"mud\":1e7}}", NAV_INVALID_FIELD, "area_costs.mud"},
        {"{\"links\":[]}", NAV_INVALID_FIELD, "links"},
        {"{\"links\":{\"a b\":null}}", NAV_INVALID_FIELD, "links.a b"},
        {"{\"links\":{\"a23456789012345678901234567890123456789012345678\":null}}",
         NAV_INVALID_FIELD, "links.a23456789012345678901234567890123456789012345678"},
        {"{\"links\":{\"a\":{\"start\":[0,0,0]}}}", NAV_INVALID_FIELD, "links.a.end"},
        {"{\"links\":{\"a\":{\"start\":[0,0,0],\"end\":[0,0]}}}", NAV_INVALID_FIELD, "links.a.end"},
        {"{\"links\":{\"a\":{\"start\":[0,0,0],\"end\":[0,0,9],\"radius\":-1}}}", NAV_INVALID_FIELD,
         "links.a.radius"},
        {"{\"links\":{\"a\":{\"start\":[0,0,0],\"end\":[0,0,9],\"cost\":-1}}}", NAV_INVALID_FIELD,
         "links.a.cost"},
        {"{\"links\":{\"a\":{\"start\":[0,0,0],\"end\":[0,0,9],\"area\":7}}}", NAV_INVALID_FIELD,
         "links.a.area"},
        {"{\"links\":{\"a\":{\"start\":[0,0,0],\"end\":[0,0,9],\"flags\":\"x\"}}}",
         NAV_INVALID_FIELD, "links.a.flags"},
        {"{\"links\":{\"a\":{\"start\":[0,0,0],\"end\":[0,0,9],\"switch\":\"x\"}}}",
         PROTO_UNKNOWN_FIELD, "links.a.switch"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        proto_instance_request r;
        nav_error err = {0};
        assert_int_equal(read_instance(rows[i].json, &memory, &r, &err), rows[i].status);
        assert_string_equal(err.at, rows[i].at);
    }
}

static void a_mesh_says_what_fits(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh("..");
    proto_instance_request r;
    proto_world world;
    nav_error err = {0};
    assert_int_equal(read_instance(WHOLE, &memory, &r, &err), NAV_OK);
    const proto_state_items *items = r.state.items;
    assert_int_equal(proto_state_check(PROTO_STATE_SWITCH, &items[PROTO_STATE_SWITCH].at[1], mesh,
                                       &memory, &err),
                     NAV_INVALID_FIELD);
    assert_string_equal(err.at, "switches.z");
    assert_int_equal(proto_state_check(PROTO_STATE_OBSTACLE, &items[PROTO_STATE_OBSTACLE].at[1],
                                       mesh, &memory, &err),
                     NAV_OK);
    assert_int_equal(proto_state_check(PROTO_STATE_OBSTACLE, &items[PROTO_STATE_OBSTACLE].at[2],
                                       mesh, &memory, &err),
                     NAV_INVALID_FIELD);
    assert_string_equal(err.at, "obstacles.c.points");
    assert_string_equal(err.detail,
                        "obstacles.c.points must be the corners of a convex shape, in order");
    assert_int_equal(proto_state_check(PROTO_STATE_AREA_COST, &items[PROTO_STATE_AREA_COST].at[1],
                                       mesh, &memory, &err),
                     NAV_INVALID_FIELD);
    assert_string_equal(err.at, "area_costs.mud");
    assert_int_equal(
        proto_state_check(PROTO_STATE_LINK, &items[PROTO_STATE_LINK].at[0], mesh, &memory, &err),
        NAV_OK);
    assert_int_equal(
        proto_state_check(PROTO_STATE_LINK, &items[PROTO_STATE_LINK].at[1], mesh, &memory, &err),
        NAV_INVALID_FIELD);
    assert_string_equal(err.at, "links.raft.area");
    // What does not fit is left out.
    assert_int_equal(proto_world_make(&r.state, mesh, &memory, &world, &err), NAV_OK);
    assert_int_equal(world.shape_count, 2);
    assert_int_equal(world.shapes[0].shape, NAV_AVOID_CONVEX); // turned
    assert_int_equal(world.shapes[1].shape, NAV_AVOID_CIRCLE);
    assert_int_equal(world.link_count, 1);
    assert_string_equal(world.links[0].id, "lift");
    assert_true(world.area_costs[NAV_AREA_GROUND] == 2.5f);
    nav_mesh_release(mesh);
}

static void a_filter_goes_before_the_world(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh("..");
    float costs[NAV_AREAS_MAX] = {[NAV_AREA_GROUND] = 3.0f};
    const proto_world world = {.area_costs = costs};
    const proto_area_cost own[] = {{"ground", 7.0f}};
    proto_common common = {.memory = &memory, .snap = nav_snap_default(), .world = &world};
    nav_filter space;
    nav_options out;
    nav_error err = {0};
    assert_int_equal(proto_common_resolve(&common, mesh, &space, &out, &err), NAV_OK);
    assert_true(out.filter->area_costs[NAV_AREA_GROUND] == 3.0f);
    common.filter = (proto_filter){.costs = own, .cost_count = 1};
    assert_int_equal(proto_common_resolve(&common, mesh, &space, &out, &err), NAV_OK);
    assert_true(out.filter->area_costs[NAV_AREA_GROUND] == 7.0f);
    nav_mesh_release(mesh);
}

// Each allocation fails in turn, by a limit that rises from nothing.
static void without_memory_there_is_no_state(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh("..");
    uint32_t refused = 0;
    for (size_t limit = 16;; limit += 16) {
        nav_arena small;
        proto_instance_request r;
        proto_world world;
        nav_error err = {0};
        nav_arena_init(&small, NULL, limit);
        nav_status status = read_instance(WHOLE, &small, &r, &err);
        if (status == NAV_OK) {
            status = proto_world_make(&r.state, mesh, &small, &world, &err);
        }
        nav_arena_free(&small);
        if (status == NAV_OK) {
            break;
        }
        assert_int_equal(status, NAV_NO_MEMORY);
        assert_true(err.detail[0] != '\0');
        refused++;
    }
    assert_true(refused > 5);
    nav_mesh_release(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(parts_are_read_in_order, memory_begin, memory_end),
        cmocka_unit_test_setup_teardown(wrong_ones_are_named, memory_begin, memory_end),
        cmocka_unit_test_setup_teardown(a_mesh_says_what_fits, memory_begin, memory_end),
        cmocka_unit_test_setup_teardown(a_filter_goes_before_the_world, memory_begin, memory_end),
        cmocka_unit_test(without_memory_there_is_no_state),
    };
    return cmocka_run_group_tests_name("instances", tests, NULL, NULL);
}
