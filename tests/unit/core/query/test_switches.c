// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_switches.c: questions in any state of a mesh's switches: ground and links under a closed one
// are as if they were not there, for every kind of question; a place under several switches is open
// only if all of them are.

#include "tests/unit/mesh_builder.h"

// cmocka.h needs these, in this order.
// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

// ---- a corridor with gates ----

// Cells in a row; the third is under a and c, the sixth under b, which is closed by default.
static nav_mesh *corridor(const nav_config *config)
{
    builder b;
    builder_init(&b);
    builder_map(&b, "........");
    builder_switch(&b, 2, 1 << 0 | 1 << 2);
    builder_switch(&b, 5, 1 << 1);
    nav_config own = *config;
    own.switches = BUILDER_SWITCH_LIST;
    own.switch_count = BUILDER_SWITCHES;
    nav_mesh *mesh = builder_mesh_with(&b, &own, NULL);
    builder_free(&b);
    return mesh;
}

static void a_mesh_tells_its_switches(void **state)
{
    (void)state;
    const nav_config config = nav_config_default();
    nav_mesh *mesh = corridor(&config);
    nav_switch_info info;
    assert_int_equal(nav_mesh_switch_count(mesh), BUILDER_SWITCHES);
    assert_int_equal(nav_mesh_find_switch(mesh, "c"), 2);
    assert_int_equal(nav_mesh_find_switch(mesh, "g"), NAV_NONE);
    assert_int_equal(nav_mesh_find_switch(mesh, ""), NAV_NONE);
    nav_mesh_switch(mesh, 2, &info);
    assert_string_equal(info.id, "c");
    assert_int_equal(info.polygons, 1);
    assert_false(info.closed);
    assert_true(info.min[0] == 2 && info.max[0] == 3 && info.min[2] == 0 && info.max[2] == 1);
    nav_mesh_switch(mesh, 1, &info);
    assert_true(info.closed && info.min[0] == 5);
    nav_mesh_switch(mesh, 3, &info);
    assert_int_equal(info.polygons, 0);
    assert_int_equal(nav_mesh_polygon(mesh, 2).area, NAV_AREA_GROUND);
    const uint16_t *over;
    assert_int_equal(nav_mesh_polygon_switches(mesh, 2, &over), 2);
    assert_int_equal(over[0], 0);
    assert_int_equal(over[1], 2);
    assert_int_equal(nav_mesh_polygon_switches(mesh, 5, &over), 1);
    assert_int_equal(over[0], 1);
    assert_int_equal(nav_mesh_polygon_switches(mesh, 0, &over), 0);
    nav_mesh_release(mesh);
}

static nav_path ask(const nav_mesh *mesh, nav_scratch *scratch, float from, float to,
                    const uint8_t *switches)
{
    nav_path_request request = {
        .start = {from, 0, 0.5f}, .end = {to, 0, 0.5f}, .options = nav_options_default()};
    nav_path path;
    request.options.snap = (nav_snap){0.1f, 1, 1};
    request.options.switches = switches;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    return path;
}

#define D NAV_SWITCH_DEFAULT
#define O NAV_SWITCH_OPEN
#define C NAV_SWITCH_CLOSED

static void all_switches_over_a_place_must_be_open(void **state)
{
    (void)state;
    static const struct {
        uint8_t switches[BUILDER_SWITCHES];
        float farthest; // of a way from 0.5 on
    } cases[] = {{{D, D, D, D, D, D}, 5}, {{D, O, D, D, D, D}, 7.5f}, {{O, O, O, C, C, C}, 7.5f},
                 {{C, O, D, D, D, D}, 2}, {{D, O, C, D, D, D}, 2},    {{C, O, C, D, D, D}, 2},
                 {{D, C, D, D, D, D}, 5}};
    const nav_config config = nav_config_default();
    nav_mesh *mesh = corridor(&config);
    nav_scratch *scratch;
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const nav_path path = ask(mesh, scratch, 0.5f, 7.5f, cases[i].switches);
        const bool open = cases[i].farthest > 7;
        assert_int_equal(path.status, open ? NAV_PATH_COMPLETE : NAV_PATH_PARTIAL);
        assert_int_equal(path.reason, open ? NAV_REASON_NULL : NAV_REASON_BLOCKED);
        assert_true(path.optimal == open);
        assert_near(path.points[3 * (path.point_count - 1)], cases[i].farthest, 1e-3);
        nav_ray ray;
        nav_options options = nav_options_default();
        options.switches = cases[i].switches;
        const float start[3] = {0.5f, 0, 0.5f}, end[3] = {7.5f, 0, 0.5f};
        assert_int_equal(nav_query_raycast(mesh, scratch, start, end, &options, &ray), NAV_OK);
        assert_true(ray.hit != open);
        assert_near(ray.position[0], cases[i].farthest, 1e-3);
    }
    // Nothing said is all at their defaults; a goal on closed ground is blocked, as under a filter.
    assert_near(ask(mesh, scratch, 0.5f, 7.5f, NULL).points[3], 5, 1e-3);
    assert_int_equal(ask(mesh, scratch, 0.5f, 5.5f, NULL).reason, NAV_REASON_BLOCKED);
    assert_int_equal(ask(mesh, scratch, 0.5f, 2.5f, NULL).status, NAV_PATH_COMPLETE);
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
}

static void expect_blocked_by(const nav_mesh *mesh, nav_scratch *scratch, float from, float to,
                              const uint8_t *switches, const char *ids)
{
    nav_path_request request = {.start = {from, 0, 0.5f},
                                .end = {to, 0, 0.5f},
                                .options = nav_options_default(),
                                .max_cost = 1};
    nav_path_blockers blockers;
    char found[BUILDER_SWITCHES + 1] = "";
    request.options.snap = (nav_snap){0.1f, 1, 1};
    request.options.switches = switches;
    assert_int_equal(nav_query_blockers(mesh, scratch, &request, &blockers), NAV_OK);
    for (uint32_t i = 0; i < blockers.switch_count; ++i) {
        strcat(found, BUILDER_SWITCH_LIST[blockers.switches[i]].id);
    }
    assert_int_equal(blockers.shape_count, 0);
    assert_string_equal(found, ids);
}

// The shape is in the first cell's corner, where it is in nobody's way.
static void a_state_without_switches_has_those_of_the_mesh(void **state)
{
    (void)state;
    const nav_config config = nav_config_default();
    nav_mesh *mesh = corridor(&config);
    nav_scratch *scratch;
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    const nav_avoid shape = {
        .shape = NAV_AVOID_BOX, .blocked = true, .max = {0.2f, 0.2f}, .bottom = -1, .top = 1};
    const uint8_t open[BUILDER_SWITCHES] = {D, O, D, D, D, D};
    for (int i = 0; i < 3; ++i) {
        const nav_overlay_items parts = {
            .shapes = &shape, .shape_count = i != 1, .switches = i == 2 ? open : NULL};
        nav_overlay *world;
        assert_int_equal(nav_overlay_create(mesh, scratch, NULL, &parts, &world, NULL), NAV_OK);
        nav_path_request request = {
            .start = {0.5f, 0, 0.5f}, .end = {7.5f, 0, 0.5f}, .options = nav_options_default()};
        nav_path path;
        request.options.overlay = world;
        assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
        assert_int_equal(path.status, i == 2 ? NAV_PATH_COMPLETE : NAV_PATH_PARTIAL);
        assert_near(path.points[3 * (path.point_count - 1)], i == 2 ? 7.5 : 5.0, 1e-3);
        nav_overlay_release(world);
    }
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
}

static void closed_switches_in_the_way_are_told(void **state)
{
    (void)state;
    static const uint8_t closed[BUILDER_SWITCHES] = {C, C, C, C, C, C};
    static const uint8_t one[BUILDER_SWITCHES] = {D, O, C, D, D, D};
    const nav_config config = nav_config_default();
    nav_mesh *mesh = corridor(&config);
    nav_scratch *scratch;
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    expect_blocked_by(mesh, scratch, 0.5f, 7.5f, closed, "abc");
    expect_blocked_by(mesh, scratch, 7.5f, 0.5f, NULL, "b");
    expect_blocked_by(mesh, scratch, 7.5f, 0.5f, one, "c");
    expect_blocked_by(mesh, scratch, 7.5f, 6.5f, closed, "");
    expect_blocked_by(mesh, scratch, 7.5f, 5.5f, closed, "b"); // the goal is under it
    expect_blocked_by(mesh, scratch, 5.5f, 7.5f, closed, "b");
    expect_blocked_by(mesh, scratch, 0.5f, 99, closed, "");
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
}

// A closed switch, and a shape, one behind the other: both are told, whichever is nearer.
static void a_switch_and_a_shape_in_the_way_are_told(void **state)
{
    (void)state;
    const nav_config config = nav_config_default();
    nav_mesh *mesh = corridor(&config);
    nav_scratch *scratch;
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    const nav_avoid shape = {.shape = NAV_AVOID_BOX,
                             .blocked = true,
                             .min = {1.4f, -1},
                             .max = {1.6f, 2},
                             .bottom = -1,
                             .top = 1};
    nav_path_request request = {
        .start = {0.5f, 0, 0.5f}, .end = {7.5f, 0, 0.5f}, .options = nav_options_default()};
    request.options.avoid = &shape;
    request.options.avoid_count = 1;
    for (int back = 0; back < 2; ++back) {
        nav_path path;
        nav_path_blockers blockers;
        assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
        assert_int_equal(path.reason, NAV_REASON_BLOCKED);
        assert_int_equal(nav_query_blockers(mesh, scratch, &request, &blockers), NAV_OK);
        assert_int_equal(blockers.switch_count, 1);
        assert_string_equal(BUILDER_SWITCH_LIST[blockers.switches[0]].id, "b");
        assert_int_equal(blockers.shape_count, 1);
        assert_int_equal(blockers.shapes[0], 0);
        request.start[0] = 7.5f;
        request.end[0] = 0.5f;
    }
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
}

static void a_link_opens_with_its_switch(void **state)
{
    (void)state;
    builder b;
    builder_init(&b);
    builder_map(&b, "..#..");
    nav_config config = nav_config_default();
    const nav_link link = {.start = {1.5f, 0, 0.5f},
                           .end = {3.5f, 0, 0.5f},
                           .radius = 0.5f,
                           .area = NAV_AREA_GROUND,
                           .switch_number = 2};
    config.links = &link;
    config.link_count = 1;
    config.switches = BUILDER_SWITCH_LIST;
    config.switch_count = BUILDER_SWITCHES;
    nav_mesh *mesh = builder_mesh_with(&b, &config, NULL);
    nav_scratch *scratch;
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    const uint8_t open[BUILDER_SWITCHES] = {C, O, C, C, C, C};
    assert_int_equal(nav_mesh_link(mesh, 0)->switch_number, 2);
    assert_int_equal(ask(mesh, scratch, 0.5f, 4.5f, NULL).reason, NAV_REASON_BLOCKED);
    expect_blocked_by(mesh, scratch, 0.5f, 4.5f, NULL, "b");
    assert_int_equal(ask(mesh, scratch, 0.5f, 4.5f, open).status, NAV_PATH_COMPLETE);
    assert_int_equal(ask(mesh, scratch, 4.5f, 0.5f, open).reason, NAV_REASON_UNREACHABLE);
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
    builder_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mesh_tells_its_switches),
        cmocka_unit_test(all_switches_over_a_place_must_be_open),
        cmocka_unit_test(a_state_without_switches_has_those_of_the_mesh),
        cmocka_unit_test(closed_switches_in_the_way_are_told),
        cmocka_unit_test(a_switch_and_a_shape_in_the_way_are_told),
        cmocka_unit_test(a_link_opens_with_its_switch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
