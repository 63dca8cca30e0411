// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_areas.c: materials, volumes, cuts, bounds and the median filter on small fields, and
// low passages from the filter to the links.

#include "tests/unit/bake_builder.h"

#include <math.h>

#define SIDE 6

static const char *const GROUND[] = {"......", "......", "......", "......", "......", "......"};

// The areas of a field of one storey as a map, '.' for ground and '0' for what is cut.
static void assert_map(const nav_field *f, const char *const *rows)
{
    for (uint32_t z = 0; z < f->depth; ++z) {
        char row[SIDE + 1] = {0};
        for (uint32_t x = 0; x < f->width; ++x) {
            uint16_t area = f->area[span_at(f, x, z)];
            row[x] = area == NAV_AREA_GROUND ? '.' : (char)('0' + area);
        }
        if (strncmp(row, rows[z], f->width) != 0) {
            fail_msg("row %u is %s and not %s", z, row, rows[z]);
        }
    }
}

static void mark(bake_builder *b, nav_field *f, const nav_volume *volumes, uint32_t count)
{
    b->config.volumes = volumes;
    b->config.volume_count = count;
    assert_int_equal(nav_bake_cut(&b->job, f), NAV_OK);
    assert_int_equal(nav_bake_areas(&b->job, f), NAV_OK);
}

// ---- volumes ----

static void a_box_takes_the_cells_whose_centres_it_holds(void **state)
{
    (void)state;
    bake_builder b;
    builder_init(&b, SIDE, SIDE);
    nav_field f = builder_field(&b, GROUND);
    const nav_volume box = {
        .shape = NAV_VOLUME_BOX, .area = 3, .min = {1.6f, 0, 0.5f}, .max = {4.5f, 20, 2.4f}};
    mark(&b, &f, &box, 1);
    static const char *const wanted[] = {"..333.", "..333.", "......",
                                         "......", "......", "......"};
    assert_map(&f, wanted);
    builder_free(&b);
}

static void a_convex_volume_may_be_wound_either_way(void **state)
{
    (void)state;
    static const float outlines[2][3][2] = {{{0, 0}, {6, 0}, {0, 6}}, {{0, 0}, {0, 6}, {6, 0}}};
    static const char *const wanted[] = {"55555.", "5555..", "555...",
                                         "55....", "5.....", "......"};
    for (int i = 0; i < 2; ++i) {
        bake_builder b;
        builder_init(&b, SIDE, SIDE);
        nav_field f = builder_field(&b, GROUND);
        const nav_volume v = {.shape = NAV_VOLUME_CONVEX,
                              .area = 5,
                              .points = outlines[i],
                              .point_count = 3,
                              .max = {0, 20, 0}};
        mark(&b, &f, &v, 1);
        assert_map(&f, wanted);
        builder_free(&b);
    }
}

static void a_cylinder_is_round(void **state)
{
    (void)state;
    bake_builder b;
    builder_init(&b, SIDE, SIDE);
    nav_field f = builder_field(&b, GROUND);
    const nav_volume v = {
        .shape = NAV_VOLUME_CYLINDER, .area = 2, .min = {3, 0, 3}, .max = {3, 20, 3}, .radius = 2};
    mark(&b, &f, &v, 1);
    static const char *const wanted[] = {"......", "..22..", ".2222.",
                                         ".2222.", "..22..", "......"};
    assert_map(&f, wanted);
    builder_free(&b);
}

// The floor's cell is MAP_FLOOR: bottom and top belong to a volume, one more with reach_up.
static void heights_count_in_cells(void **state)
{
    (void)state;
    static const struct {
        float min, max;
        bool reach_up, inside;
    } cases[] = {
        {MAP_FLOOR, MAP_FLOOR, false, true}, {MAP_FLOOR + 0.9f, 99, false, true},
        {MAP_FLOOR + 1, 99, false, false},   {0, MAP_FLOOR, false, true},
        {0, MAP_FLOOR - 0.1f, false, false}, {0, MAP_FLOOR - 0.1f, true, true},
        {0, MAP_FLOOR - 1.1f, true, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        bake_builder b;
        builder_init(&b, SIDE, SIDE);
        nav_field f = builder_field(&b, GROUND);
        b.grid.min[1] = 50;
        b.config.volumes_reach_up = cases[i].reach_up;
        const nav_volume v = {.shape = NAV_VOLUME_BOX,
                              .area = 4,
                              .min = {0, 50 + cases[i].min, 0},
                              .max = {SIDE, 50 + cases[i].max, SIDE}};
        mark(&b, &f, &v, 1);
        assert_int_equal(f.area[span_at(&f, 2, 2)], cases[i].inside ? 4 : NAV_AREA_GROUND);
        builder_free(&b);
    }
}

static void later_volumes_win_but_a_cut_stays(void **state)
{
    (void)state;
    bake_builder b;
    builder_init(&b, SIDE, SIDE);
    static const char *const rows[] = {"....0.", "......", "......", "......", "......", "......"};
    nav_field f = builder_field(&b, rows);
    const nav_volume volumes[] = {
        {.shape = NAV_VOLUME_BOX, .area = 7, .min = {0, 0, 0}, .max = {6, 20, 1}},
        {.shape = NAV_VOLUME_BOX, .area = NAV_AREA_NONE, .min = {0, 0, 0}, .max = {1, 20, 1}},
        {.shape = NAV_VOLUME_BOX, .area = 2, .min = {0, 0, 0}, .max = {2, 20, 1}},
    };
    mark(&b, &f, volumes, 3);
    static const char *const wanted[] = {"027707", "......", "......",
                                         "......", "......", "......"};
    assert_map(&f, wanted);
    builder_free(&b);
}

static void cuts_come_before_erosion_and_areas_after(void **state)
{
    (void)state;
    bake_builder b;
    builder_init(&b, SIDE, SIDE);
    nav_field f = builder_field(&b, GROUND);
    const nav_volume volumes[] = {
        {.shape = NAV_VOLUME_BOX, .area = NAV_AREA_NONE, .min = {0, 0, 0}, .max = {1, 20, 1}},
        {.shape = NAV_VOLUME_BOX, .area = 2, .min = {4, 0, 4}, .max = {6, 20, 6}}};
    b.config.volumes = volumes;
    b.config.volume_count = 2;
    assert_int_equal(nav_bake_cut(&b.job, &f), NAV_OK);
    static const char *const cut[] = {"0.....", "......", "......", "......", "......", "......"};
    assert_map(&f, cut);
    assert_int_equal(nav_bake_areas(&b.job, &f), NAV_OK);
    static const char *const marked[] = {"0.....", "......", "......",
                                         "......", "....22", "....22"};
    assert_map(&f, marked);
    builder_free(&b);
}

static void volumes_lie_in_the_world_and_not_in_the_tile(void **state)
{
    (void)state;
    bake_builder b;
    builder_init(&b, SIDE, SIDE);
    nav_field f = builder_field(&b, GROUND);
    b.job.first_x_cells = 10;
    b.job.first_z_cells = -3;
    b.grid.min[0] = 100;
    const nav_volume v = {
        .shape = NAV_VOLUME_BOX, .area = 2, .min = {112, 0, -2}, .max = {113, 20, 0}};
    mark(&b, &f, &v, 1);
    static const char *const wanted[] = {"......", "..2...", "..2...",
                                         "......", "......", "......"};
    assert_map(&f, wanted);
    builder_free(&b);
}

static void floors_beyond_the_bounds_are_cut(void **state)
{
    (void)state;
    static const struct {
        float min, max;
        bool inside;
    } cases[] = {{0, 9, true}, {0, 8.9f, false}, {10, 20, true}, {11, 20, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        bake_builder b;
        builder_init(&b, SIDE, SIDE);
        nav_field f = builder_field(&b, GROUND);
        b.config.has_bounds = true;
        b.grid.min[1] = 50;
        b.config.bounds_min[1] = 50 + cases[i].min;
        b.config.bounds_max[1] = 50 + cases[i].max;
        assert_int_equal(nav_bake_cut(&b.job, &f), NAV_OK);
        assert_int_equal(f.area[span_at(&f, 2, 2)] != NAV_AREA_NONE, cases[i].inside);
        builder_free(&b);
    }
}

// ---- the median filter ----

static void the_median_takes_specks_and_smooths_corners(void **state)
{
    (void)state;
    bake_builder b;
    builder_init(&b, SIDE, SIDE);
    static const char *const rows[] = {"......", ".2....", "......", "...333", "...303", "...333"};
    nav_field f = builder_field(&b, rows);
    b.config.area_median = true;
    assert_int_equal(nav_bake_areas(&b.job, &f), NAV_OK);
    static const char *const wanted[] = {"......", "......", "......",
                                         "....33", "...303", "...333"};
    assert_map(&f, wanted);
    b.config.area_median = false;
    nav_field same = builder_field(&b, rows);
    assert_int_equal(nav_bake_areas(&b.job, &same), NAV_OK);
    assert_map(&same, rows);
    builder_free(&b);
}

static void low_passages_keep_their_area(void **state)
{
    (void)state;
    bake_builder b;
    builder_init(&b, SIDE, SIDE);
    static const char *const rows[] = {"......", ".2....", "......", "......", "......", "......"};
    nav_field f = builder_field(&b, rows);
    b.job.low_cells = 2;
    f.headroom[span_at(&f, 1, 1)] = 3;
    b.config.area_median = true;
    const nav_volume v = {.shape = NAV_VOLUME_BOX, .area = 4, .min = {0, 0, 0}, .max = {2, 20, 2}};
    mark(&b, &f, &v, 1);
    assert_int_equal(f.area[span_at(&f, 1, 1)], 2);
    const nav_volume cut = {.shape = NAV_VOLUME_BOX, .min = {0, 0, 0}, .max = {2, 20, 2}};
    mark(&b, &f, &cut, 1);
    assert_int_equal(f.area[span_at(&f, 1, 1)], NAV_AREA_NONE);
    builder_free(&b);
}

// ---- materials ----

static void materials_become_areas_by_setting_or_name(void **state)
{
    (void)state;
    bake_builder b;
    builder_init(&b, 2, 2);
    static const nav_area areas[] = {{.name = "none", .cost = 1},
                                     {.name = "ground", .cost = 1},
                                     {.name = "mud", .cost = 2},
                                     {.name = "water", .cost = 3, .liquid = true}};
    static const nav_material materials[] = {
        {"Deep", 3}, {"Lava", NAV_AREA_NONE}, {"mud", NAV_AREA_GROUND}};
    static const char *const names[] = {"", "water", "Deep", "Lava", "mud", "Unknown", "Lav"};
    static const uint16_t triangle_materials[] = {6, 5, 4, 3, 2, 1, 0};
    const nav_geometry g = {.triangle_materials = triangle_materials,
                            .material_names = names,
                            .material_count = 7,
                            .triangle_count = 7};
    b.job.geometry = &g;
    b.config.areas = areas;
    b.config.area_count = 4;
    b.config.materials = materials;
    b.config.material_count = 3;
    assert_int_equal(nav_bake_materials(&b.job), NAV_OK);
    static const uint8_t wanted[] = {1, 1, 1, 0, 3, 3, 1};
    for (uint32_t i = 0; i < 7; ++i) {
        assert_int_equal(nav_bake_triangle_area(&b.job, i), wanted[i]);
    }
    assert_true(b.job.has_liquid);
    assert_true(nav_bake_other_pass(&b.job, 4));
    assert_false(nav_bake_other_pass(&b.job, 3));
    b.job.liquid_pass = true;
    assert_false(nav_bake_other_pass(&b.job, 4));
    assert_true(nav_bake_other_pass(&b.job, 3));
    builder_free(&b);
}

// ---- low passages: filter and links ----

#define LOW 6

static void low_init(bake_builder *b, uint32_t width)
{
    builder_init(b, width, 1);
    b->config.filter_low_hanging = false;
    b->config.filter_ledges = false;
    b->config.low_height_area = LOW;
    b->job.height_min_cells = 8;
    b->job.low_cells = 4;
}

// The area of a floor with `room` free cells under a slab; the slab's top has `above` of them.
static uint8_t low_floor(uint16_t room, uint16_t above, bool single, uint8_t slab_area)
{
    bake_builder b;
    low_init(&b, 1);
    b.config.low_height_single = single;
    uint16_t slab = (uint16_t)(10 + room), roof = (uint16_t)(slab + 1 + above);
    const span_spec spans[] = {{0, 0, 0, 10, NAV_AREA_GROUND},
                               {0, 0, slab, (uint16_t)(slab + 1), slab_area},
                               {0, 0, roof, (uint16_t)(roof + 1), NAV_AREA_GROUND}};
    nav_heightfield solid = builder_solid(&b, spans, 3);
    assert_int_equal(nav_bake_filter(&b.job, &solid), NAV_OK);
    uint8_t area = solid.span_area[0];
    builder_free(&b);
    return area;
}

static void low_places_are_kept_from_their_least_height_on(void **state)
{
    (void)state;
    assert_int_equal(low_floor(9, 20, false, 1), NAV_AREA_GROUND);
    assert_int_equal(low_floor(8, 20, false, 1), LOW);
    assert_int_equal(low_floor(5, 20, false, 1), LOW);
    assert_int_equal(low_floor(4, 20, false, 1), NAV_AREA_NONE);
}

static void single_keeps_only_what_is_under_a_place_to_stand(void **state)
{
    (void)state;
    assert_int_equal(low_floor(6, 9, true, 1), LOW);
    assert_int_equal(low_floor(6, 8, true, 1), NAV_AREA_NONE); // low above low
    assert_int_equal(low_floor(6, 9, true, NAV_AREA_NONE), NAV_AREA_NONE);
    assert_int_equal(low_floor(6, 8, false, 1), LOW);
}

static void low_and_high_are_linked_by_the_lower_headroom(void **state)
{
    (void)state;
    // A hall, a passage 6 high, another hall; and where no low passages are kept, no link.
    for (uint32_t low_cells = 0; low_cells <= 4; low_cells += 4) {
        bake_builder b;
        low_init(&b, 3);
        b.job.low_cells = low_cells;
        const span_spec spans[] = {{0, 0, 0, 10, NAV_AREA_GROUND},
                                   {1, 0, 0, 10, LOW},
                                   {1, 0, 16, 17, NAV_AREA_NONE},
                                   {2, 0, 0, 11, NAV_AREA_GROUND}};
        nav_heightfield solid = builder_solid(&b, spans, 4);
        nav_field f;
        assert_int_equal(nav_bake_compact(&b.job, &solid, &b.result, &f), NAV_OK);
        assert_int_equal(nav_bake_link(&b.job, &b.result, &f), NAV_OK);
        assert_int_equal(f.span_count, 3);
        uint32_t right = low_cells > 0 ? 1 : NAV_NONE;
        assert_int_equal(nav_field_neighbour(&f, 0, 2), right);
        assert_int_equal(nav_field_neighbour(&f, 1, 0), low_cells > 0 ? 0 : NAV_NONE);
        assert_int_equal(nav_field_neighbour(&f, 1, 2), low_cells > 0 ? 2 : NAV_NONE);
        builder_free(&b);
    }
}

// ---- bad luck ----

static nav_status smooth_all(bake_builder *b, void *data)
{
    b->config.area_median = true;
    return nav_bake_areas(&b->job, data);
}

static void failures_are_told(void **state)
{
    (void)state;
    bake_builder b;
    builder_init(&b, SIDE, SIDE);
    nav_field f = builder_field(&b, GROUND);
    const nav_volume v = {
        .shape = NAV_VOLUME_BOX, .area = 2, .min = {0, 0, 0}, .max = {SIDE, 20, SIDE}};
    b.config.volumes = &v;
    b.config.volume_count = 1;
    assert_int_equal(builder_fail_each_call(&b, smooth_all, &f), 1);
    assert_int_equal(builder_cancel_each_call(&b, smooth_all, &f), SIDE + 1);
    builder_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_takes_the_cells_whose_centres_it_holds),
        cmocka_unit_test(a_convex_volume_may_be_wound_either_way),
        cmocka_unit_test(a_cylinder_is_round),
        cmocka_unit_test(heights_count_in_cells),
        cmocka_unit_test(later_volumes_win_but_a_cut_stays),
        cmocka_unit_test(cuts_come_before_erosion_and_areas_after),
        cmocka_unit_test(volumes_lie_in_the_world_and_not_in_the_tile),
        cmocka_unit_test(floors_beyond_the_bounds_are_cut),
        cmocka_unit_test(the_median_takes_specks_and_smooths_corners),
        cmocka_unit_test(low_passages_keep_their_area),
        cmocka_unit_test(materials_become_areas_by_setting_or_name),
        cmocka_unit_test(low_places_are_kept_from_their_least_height_on),
        cmocka_unit_test(single_keeps_only_what_is_under_a_place_to_stand),
        cmocka_unit_test(low_and_high_are_linked_by_the_lower_headroom),
        cmocka_unit_test(failures_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
