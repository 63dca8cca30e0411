// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_links_cases.c: links at their worst, by hand: an edge that is crossed once a link, a
// link that ends on a border between costs, a link of no length.

// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
// clang-format on

#include "core/query/view/scratch.h"
#include "tests/unit/mesh_builder.h"

#include <math.h>

static nav_path find(const nav_mesh *mesh, nav_scratch *scratch, nav_search search, float ax,
                     float az, float bx, float bz)
{
    const nav_path_request request = {.start = {ax, 0, az},
                                      .end = {bx, 0, bz},
                                      .options = nav_options_default(),
                                      .search = search};
    nav_path path;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    assert_int_equal(path.status, NAV_PATH_COMPLETE);
    return path;
}

// The steps lead over each link in turn, and over the edge after each.
static void expect_to_and_fro(const nav_path *path)
{
    nav_path_step steps[64];
    const uint32_t count = nav_query_path_steps(path, steps, 64);
    assert_int_equal(count, path->corridor_count + 1);
    for (uint32_t i = 1; i < count; ++i) {
        assert_int_equal(steps[i].link, i % 2 == 1 ? i / 2 : NAV_NONE);
        assert_int_equal(steps[i].polygon, i / 2 % 2);
        assert_true(steps[i].point >= steps[i - 1].point);
        assert_true(steps[i].point < path->point_count);
    }
}

// Two long rooms side by side, and links along them that cost nothing, by turns in one and in the
// other: the shortest path goes over the one edge between them after each.
static void an_edge_is_crossed_many_times(void **state)
{
    (void)state;
    enum {
        LINKS = 8
    };
    nav_link links[LINKS] = {0};
    for (int i = 0; i < LINKS; ++i) {
        const float z = i % 2 == 0 ? 1 : 3;
        links[i] = (nav_link){.start = {(float)(1 + 20 * i), 0, z},
                              .end = {(float)(21 + 20 * i), 0, z},
                              .radius = 0.5f,
                              .area = NAV_AREA_GROUND,
                              .has_cost = true};
    }
    nav_config config = nav_config_default();
    config.links = links;
    config.link_count = LINKS;
    builder b;
    builder_init(&b);
    builder_rectangle(&b, 0, 0, 200, 2, 0);
    builder_rectangle(&b, 0, 2, 200, 4, 0);
    nav_mesh *mesh = builder_mesh_with(&b, &config, NULL);
    builder_free(&b);
    assert_int_equal(mesh->stats.links, LINKS);
    nav_scratch *scratch = NULL;
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    for (int round = 0; round < 2; ++round) {
        const nav_path path = find(mesh, scratch, NAV_SEARCH_EXACT, 0, 1, 161, 1);
        assert_near(path.cost, 1 + 2 * LINKS, 1e-5);
        assert_true(path.optimal);
        assert_int_equal(path.corridor_count, 2 * LINKS);
        expect_to_and_fro(&path);
    }
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
}

// A link ends on the border of dear ground, right before the goal: the border is crossed there, not
// somewhere between there and where the link began.
static void a_link_ends_where_a_border_is_crossed(void **state)
{
    (void)state;
    nav_area areas[3] = {{.cost = 1}, {.cost = 1}, {.cost = 3}};
    nav_link link = {.start = {9.5f, 0, 0.5f},
                     .end = {1.5f, 0, 1},
                     .radius = 0.25f,
                     .area = NAV_AREA_GROUND,
                     .has_cost = true,
                     .cost = 0.125f};
    nav_config config = nav_config_default();
    config.areas = areas;
    config.area_count = 3;
    config.links = &link;
    config.link_count = 1;
    nav_mesh *mesh = map_mesh_with("........../2222222222", &config, NULL);
    assert_int_equal(mesh->classes[mesh->links[0].end_polygon], NAV_AREA_GROUND);
    nav_scratch *scratch = NULL;
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    const nav_path path = find(mesh, scratch, NAV_SEARCH_FAST, 9.5f, 0.5f, 1.5f, 1.75f);
    assert_near(path.cost, 0.125 + 3 * 0.75, 1e-5);
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
}

// A link of no length may be dear or free, and leads nowhere else.
static void a_link_of_no_length(void **state)
{
    (void)state;
    nav_link link = {.start = {1, 0, 0.5f},
                     .end = {1, 0, 0.5f},
                     .radius = 0.25f,
                     .area = NAV_AREA_GROUND,
                     .has_cost = true};
    nav_config config = nav_config_default();
    config.links = &link;
    config.link_count = 1;
    nav_mesh *mesh = map_mesh_with("....", &config, NULL);
    nav_scratch *scratch = NULL;
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    const nav_search searches[] = {NAV_SEARCH_FAST, NAV_SEARCH_EXACT, NAV_SEARCH_AUTO};
    for (int i = 0; i < 3; ++i) {
        const nav_path path = find(mesh, scratch, searches[i], 0.5f, 0.5f, 3.5f, 0.5f);
        assert_near(path.cost, 3, 1e-5);
    }
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_edge_is_crossed_many_times),
        cmocka_unit_test(a_link_ends_where_a_border_is_crossed),
        cmocka_unit_test(a_link_of_no_length),
    };
    return cmocka_run_group_tests_name("query_links_cases", tests, NULL, NULL);
}
