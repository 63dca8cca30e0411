// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_node_shapes.c: shapes of the geometry become volumes and switches beside those of the
// settings: hulls in plan view, in the mesh's coordinates; what both say is an error by its name.

#include "proto/geometry/upload.h"
#include "proto/requests/requests.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

// A box from 0 0 0 to 4 2 3, with a point within.
static const float BOX[] = {0, 0, 0, 4, 0, 0, 4, 0, 3, 0, 0, 3, 1, 1,
                            1, 0, 2, 0, 4, 2, 0, 4, 2, 3, 0, 2, 3};

static proto_geometry_shape box(bool is_switch, const char *name)
{
    proto_geometry_shape shape = {
        .is_switch = is_switch, .node = 7, .points = BOX, .point_count = 9};
    memcpy(shape.name, name, strlen(name));
    return shape;
}

typedef struct merged {
    nav_arena memory;
    nav_config config;
    nav_error err;
    nav_status status;
} merged;

static merged merge(const char *settings, const proto_geometry_shape *shapes, uint32_t count)
{
    merged m = {.config = nav_config_default()};
    nav_arena_init(&m.memory, NULL, 0);
    assert_int_equal(proto_config_read(settings, strlen(settings), &m.memory, &m.config, &m.err),
                     NAV_OK);
    m.status = proto_upload_add_shapes(shapes, count, &m.memory, &m.config, &m.err);
    return m;
}

static void free_merged(merged *m)
{
    nav_arena_free(&m->memory);
}

static void test_hull(void **state)
{
    (void)state;
    const proto_geometry_shape shape = box(false, "water");
    static const float outline[4][2] = {{0, 0}, {4, 0}, {4, 3}, {0, 3}};
    merged m = merge("{\"areas\":{\"water\":{}},\"volumes\":[{\"shape\":\"box\",\"min\":[0,0,0],"
                     "\"max\":[1,1,1],\"area\":\"none\"}]}",
                     &shape, 1);
    assert_int_equal(m.status, NAV_OK);
    assert_int_equal(m.config.volume_count, 2);
    const nav_volume *v = m.config.volumes;
    assert_int_equal(v->shape, NAV_VOLUME_CONVEX);
    assert_string_equal(m.config.areas[v->area].name, "water");
    assert_int_equal(v->point_count, 4);
    assert_memory_equal(v->points, outline, sizeof outline);
    assert_true(v->min[1] == 0 && v->max[1] == 2);
    assert_int_equal(m.config.volumes[1].shape, NAV_VOLUME_BOX); // the settings' come last, and win
    free_merged(&m);
}

// With Z up the same points stand 3 high, and 4 by 2 in plan.
static void test_coordinates(void **state)
{
    (void)state;
    const proto_geometry_shape shape = box(false, "ground");
    merged m = merge("{\"coordinates\":\"z_up\"}", &shape, 1);
    assert_int_equal(m.status, NAV_OK);
    assert_true(m.config.volumes[0].min[1] == 0 && m.config.volumes[0].max[1] == 3);
    assert_int_equal(m.config.volumes[0].point_count, 4);
    free_merged(&m);
}

static void test_switches(void **state)
{
    (void)state;
    const proto_geometry_shape shapes[] = {box(true, "c"), box(true, "a"), box(true, "c"),
                                           box(true, "d")};
    merged m = merge("{\"switches\":{\"b\":{\"shapes\":[{\"shape\":\"box\",\"min\":[0,0,0],\"max\":"
                     "[1,1,1]}]},\"d\":{\"default\":\"closed\"}},\"links\":[{\"start\":[0,0,0],"
                     "\"end\":[9,0,0],\"switch\":\"d\"},{\"start\":[0,0,0],\"end\":[9,0,0]},"
                     "{\"start\":[0,0,0],\"end\":[9,0,0],\"switch\":\"b\"}]}",
                     shapes, 4);
    assert_int_equal(m.status, NAV_OK);
    static const char *const ids[] = {"a", "b", "c", "d"};
    static const uint32_t counts[] = {1, 1, 2, 1}, links[] = {4, 0, 2};
    assert_int_equal(m.config.switch_count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        assert_string_equal(m.config.switches[i].id, ids[i]);
        assert_int_equal(m.config.switches[i].shape_count, counts[i]);
        assert_int_equal(m.config.switches[i].closed, i == 3);
    }
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(m.config.links[i].switch_number, links[i]);
    }
    free_merged(&m);
}

static void expect_refused(const char *settings, const proto_geometry_shape *shape, const char *at)
{
    merged m = merge(settings, shape, 1);
    assert_int_equal(m.status, NAV_INVALID_FIELD);
    assert_string_equal(m.err.at, at);
    assert_int_equal(m.config.volume_count, 0);
    free_merged(&m);
}

static void test_refusals(void **state)
{
    (void)state;
    proto_geometry_shape shape = box(true, "gate");
    expect_refused("{\"switches\":{\"gate\":{\"shapes\":[{\"shape\":\"box\",\"min\":[0,0,0],"
                   "\"max\":[1,1,1]}]}}}",
                   &shape, "switches.gate");
    shape = box(false, "water");
    expect_refused("{}", &shape, "nodes[7].name");
    expect_refused("{\"areas\":{\"waters\":{}}}", &shape, "nodes[7].name");
    shape = box(false, "ground");
    shape.point_count = 4; // flat
    expect_refused("{}", &shape, "nodes[7]");
    static const float upright[] = {0, 0, 0, 4, 0, 4, 4, 2, 4, 2, 1, 2};
    shape.points = upright; // a wall
    expect_refused("{}", &shape, "nodes[7]");
    static float round[3 * 600];
    for (uint32_t i = 0; i < 600; i++) {
        round[3 * i] = (float)(100 * cos(i * 0.0105));
        round[3 * i + 1] = (float)(i % 2);
        round[3 * i + 2] = (float)(100 * sin(i * 0.0105));
    }
    shape.points = round;
    shape.point_count = 600;
    expect_refused("{}", &shape, "nodes[7]");
    shape.point_count = 200;
    merged m = merge("{}", &shape, 1);
    assert_int_equal(m.status, NAV_OK);
    assert_int_equal(m.config.volumes[0].point_count, 200);
    free_merged(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hull),
        cmocka_unit_test(test_coordinates),
        cmocka_unit_test(test_switches),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
