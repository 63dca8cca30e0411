// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_liquid.c: a flat water surface over columns made by hand, and the shore of a slope.

#include "tests/unit/bake_builder.h"

#define WATER 2
#define LEVEL 12 // the cell of the surface

static const nav_area AREAS[] = {{.name = "none", .cost = 1},
                                 {.name = "ground", .cost = 1},
                                 {.name = "water", .cost = 3, .liquid = true}};

typedef struct pool {
    bake_builder b;
    nav_geometry geometry;
    uint8_t areas[4];
} pool;

static const float CORNERS[] = {0, LEVEL + 0.5f, 0, 0, LEVEL + 0.5f, 9,
                                9, LEVEL + 0.5f, 9, 9, LEVEL + 0.5f, 0};
static const uint32_t TRIANGLES[] = {0, 1, 2, 0, 2, 3};

// A surface that fills span LEVEL .. LEVEL + 1 of each column.
static void pool_init(pool *p, uint32_t width)
{
    builder_init(&p->b, width, 1);
    p->areas[0] = p->areas[1] = WATER;
    p->geometry = (nav_geometry){.vertices = CORNERS,
                                 .triangles = TRIANGLES,
                                 .triangle_areas = p->areas,
                                 .vertex_count = 4,
                                 .triangle_count = 2};
    p->b.job.geometry = &p->geometry;
    p->b.job.has_liquid = true;
    p->b.config.areas = AREAS;
    p->b.config.area_count = 3;
}

static void assert_span(const nav_heightfield *h, uint32_t i, uint16_t min, uint16_t max,
                        uint8_t area)
{
    assert_true(i < h->span_count);
    assert_int_equal(h->span_min[i], min);
    assert_int_equal(h->span_max[i], max);
    assert_int_equal(h->span_area[i], area);
}

static void fill(pool *p, nav_heightfield *solid)
{
    assert_int_equal(nav_bake_liquid(&p->b.job, &p->b.result, solid), NAV_OK);
    assert_int_equal(solid->first[(size_t)solid->width * solid->depth], solid->span_count);
}

static void the_higher_one_gives_the_area(void **state)
{
    (void)state;
    pool p;
    pool_init(&p, 4);
    const span_spec spans[] = {{0, 0, 0, LEVEL + 2, NAV_AREA_GROUND}, // out of the water
                               {1, 0, 0, LEVEL + 1, NAV_AREA_GROUND}, // as high
                               {2, 0, 0, LEVEL, NAV_AREA_GROUND},     // touched from above
                               {3, 0, 0, LEVEL + 5, NAV_AREA_NONE}};  // a post
    nav_heightfield solid = builder_solid(&p.b, spans, 4);
    fill(&p, &solid);
    assert_int_equal(solid.span_count, 4);
    assert_span(&solid, 0, 0, LEVEL + 2, NAV_AREA_GROUND);
    assert_span(&solid, 1, 0, LEVEL + 1, WATER);
    assert_span(&solid, 2, 0, LEVEL + 1, WATER);
    assert_span(&solid, 3, 0, LEVEL + 5, NAV_AREA_NONE);
    builder_free(&p.b);
}

static void a_bed_too_low_to_stand_on_goes_and_a_deep_one_stays(void **state)
{
    (void)state;
    pool p;
    pool_init(&p, 3); // headroom 3
    const span_spec spans[] = {{0, 0, 0, LEVEL - 3, NAV_AREA_GROUND},
                               {1, 0, 0, LEVEL - 4, NAV_AREA_GROUND}};
    nav_heightfield solid = builder_solid(&p.b, spans, 2);
    fill(&p, &solid);
    assert_int_equal(solid.span_count, 5);
    assert_span(&solid, 0, 0, LEVEL - 3, NAV_AREA_NONE);
    assert_span(&solid, 1, LEVEL, LEVEL + 1, WATER);
    assert_span(&solid, 2, 0, LEVEL - 4, NAV_AREA_GROUND);
    assert_span(&solid, 3, LEVEL, LEVEL + 1, WATER);
    assert_span(&solid, 4, LEVEL, LEVEL + 1, WATER); // nothing below
    builder_free(&p.b);
}

static void a_surface_under_a_bridge_needs_headroom(void **state)
{
    (void)state;
    static const struct {
        uint16_t room;
        bool filter;
        uint32_t low_cells;
        uint8_t area;
    } cases[] = {{4, true, 0, WATER},
                 {3, true, 0, NAV_AREA_NONE},
                 {3, false, 0, WATER},
                 {3, true, 2, 1},
                 {2, true, 2, NAV_AREA_NONE}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        pool p;
        pool_init(&p, 1);
        p.b.config.filter_low_height = cases[i].filter;
        p.b.config.low_height_area = NAV_AREA_GROUND;
        p.b.job.low_cells = cases[i].low_cells;
        uint16_t bridge = (uint16_t)(LEVEL + 1 + cases[i].room);
        const span_spec span = {0, 0, bridge, (uint16_t)(bridge + 1), NAV_AREA_GROUND};
        nav_heightfield solid = builder_solid(&p.b, &span, 1);
        fill(&p, &solid);
        assert_span(&solid, 0, LEVEL, LEVEL + 1, cases[i].area);
        assert_span(&solid, 1, bridge, (uint16_t)(bridge + 1), NAV_AREA_GROUND);
        builder_free(&p.b);
    }
}

static void what_faces_down_or_is_no_liquid_is_left_out(void **state)
{
    (void)state;
    static const uint32_t upside_down[] = {0, 2, 1, 0, 3, 2};
    pool p;
    pool_init(&p, 2);
    const span_spec span = {0, 0, 0, 5, NAV_AREA_GROUND};
    nav_heightfield solid = builder_solid(&p.b, &span, 1);
    p.geometry.triangles = upside_down;
    fill(&p, &solid);
    assert_int_equal(solid.span_count, 1);
    p.geometry.triangles = TRIANGLES;
    p.areas[0] = p.areas[1] = NAV_AREA_GROUND;
    fill(&p, &solid);
    assert_int_equal(solid.span_count, 1);
    builder_free(&p.b);
}

// The solid pass must not see the water: it would be ground for filters and a ceiling for the bed.
static void the_solid_pass_leaves_liquids_out(void **state)
{
    (void)state;
    pool p;
    pool_init(&p, 3);
    nav_heightfield solid;
    assert_int_equal(nav_bake_voxelize(&p.b.job, &p.b.result, &solid), NAV_OK);
    assert_int_equal(solid.span_count, 0);
    builder_free(&p.b);
}

static nav_status fill_step(bake_builder *b, void *data)
{
    nav_heightfield solid = *(nav_heightfield *)data;
    return nav_bake_liquid(&b->job, &b->result, &solid);
}

static void failures_are_told(void **state)
{
    (void)state;
    pool p;
    pool_init(&p, 3);
    const span_spec span = {0, 0, 0, 5, NAV_AREA_GROUND};
    nav_heightfield solid = builder_solid(&p.b, &span, 1);
    assert_true(builder_fail_each_call(&p.b, fill_step, &solid) >= 3);
    assert_true(builder_cancel_each_call(&p.b, fill_step, &solid) >= 1);
    builder_free(&p.b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_higher_one_gives_the_area),
        cmocka_unit_test(a_bed_too_low_to_stand_on_goes_and_a_deep_one_stays),
        cmocka_unit_test(a_surface_under_a_bridge_needs_headroom),
        cmocka_unit_test(what_faces_down_or_is_no_liquid_is_left_out),
        cmocka_unit_test(the_solid_pass_leaves_liquids_out),
        cmocka_unit_test(failures_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
