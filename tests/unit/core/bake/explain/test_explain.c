// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_explain.c: what is told of places in levels made by hand, each of which one stage of the
// bake takes, and why. Cells are 0.25 wide and 0.1 high; the agent is a person's size.

#include "tests/unit/triangle_soup.h"

typedef struct bench {
    soup *level;
    nav_config config;
    nav_grid grid;
    nav_area areas[4];
    nav_arena scratch, result;
    nav_column_facts column;
    nav_tile_facts tile;
    nav_bake_report report;
    nav_error err;
} bench;

static void bench_init(bench *b)
{
    *b = (bench){.level = soup_create(), .config = nav_config_default()};
    b->config.cell_size = 0.25f;
    b->config.cell_height = 0.1f;
    b->config.tile_cells = 0;
    nav_arena_init(&b->scratch, NULL, 0);
    nav_arena_init(&b->result, NULL, 0);
}

static void bench_free(bench *b)
{
    nav_arena_free(&b->scratch);
    nav_arena_free(&b->result);
    free(b->level);
}

// The ground of most levels: 20 x 20 at height 0.
static void add_ground(bench *b)
{
    soup_add_floor(b->level, 0, 20, 0, 20, 0, NAV_AREA_GROUND);
}

static void add_wall(bench *b, float x, float z0, float z1, float height)
{
    soup_add(b->level, (const float[9]){x, 0, z0, x, height, z0, x, 0, z1}, NAV_AREA_GROUND);
    soup_add(b->level, (const float[9]){x, height, z0, x, height, z1, x, 0, z1}, NAV_AREA_GROUND);
}

static nav_status explain(bench *b, uint32_t tile_x, uint32_t tile_z, nav_plan_place place)
{
    return nav_tile_explain(&b->level->geometry, &b->config, &b->grid, NULL, tile_x, tile_z, &place,
                            1, NULL, &b->scratch, &b->result, &b->column, &b->tile, &b->report,
                            &b->err);
}

static void look_at(bench *b, float x, float z)
{
    uint32_t tile_x, tile_z;
    assert_int_equal(nav_config_check(&b->config, &b->err), NAV_OK);
    assert_int_equal(nav_bake_plan(&b->level->geometry, &b->config, 0, &b->grid, &b->err), NAV_OK);
    assert_true(nav_grid_find_tile(&b->grid, (nav_plan_place){x, z}, &tile_x, &tile_z));
    assert_int_equal(explain(b, tile_x, tile_z, (nav_plan_place){x, z}), NAV_OK);
    assert_true(b->column.x == x && b->column.z == z);
    assert_true(fabsf(b->column.cell[0] - x) <= 0.126f && fabsf(b->column.cell[1] - z) <= 0.126f);
}

// The floor of that height, of as many as there are.
static const nav_floor_facts *floor_of(const bench *b, uint32_t count, float top)
{
    const nav_floor_facts *found = &b->column.floors[0];
    assert_int_equal(b->column.floor_count, count);
    for (uint32_t i = 1; i < count; ++i) {
        const nav_floor_facts *f = &b->column.floors[i];
        assert_true(f->bottom > b->column.floors[i - 1].top);
        found = fabsf(f->top - top) < fabsf(found->top - top) ? f : found;
    }
    assert_true(fabsf(found->top - top) < 0.11f);
    return found;
}

static void expect_near(float got, double wanted, double within)
{
    if (!(fabs((double)got - wanted) <= within)) {
        fail_msg("%g is not %g", (double)got, wanted);
    }
}

static void expect_verdict(const nav_floor_facts *floor, nav_verdict verdict)
{
    assert_string_equal(nav_verdict_word(floor->verdict), nav_verdict_word(verdict));
}

static void open_ground_has_a_polygon(void **state)
{
    (void)state;
    bench b;
    bench_init(&b);
    add_ground(&b);
    look_at(&b, 10.1f, 9.9f);
    const nav_floor_facts *f = floor_of(&b, 1, 0.1f);
    expect_verdict(f, NAV_VERDICT_KEPT);
    assert_true(f->polygon < b.tile.polygons);
    expect_near(f->polygon_height, 0.1, 0.1);
    assert_int_equal(f->area, NAV_AREA_GROUND);
    assert_int_equal(f->area_kept, NAV_AREA_GROUND);
    assert_true(isinf(f->headroom) && isinf(f->edge_distance));
    assert_int_equal(f->region, b.tile.polygon_regions[f->polygon]);
    assert_int_equal(f->region_cells, b.tile.in_regions);
    assert_int_equal(f->volume, NAV_NONE);
    assert_int_equal(f->switch_count, 0);
    // On the diagonal both triangles touch the cell.
    assert_true(b.column.triangle_count >= 1);
    expect_near(b.column.triangles[0].slope, 0, 0.01);
    assert_false(b.column.triangles[0].is_steep);
    bench_free(&b);
}

// A place without triangles has no floors; one beside the grid is in no tile.
static void a_place_without_triangles_has_no_floors(void **state)
{
    (void)state;
    bench b;
    uint32_t tile_x, tile_z;
    bench_init(&b);
    soup_add_floor(b.level, 0, 4, 0, 4, 0, NAV_AREA_GROUND);
    soup_add_floor(b.level, 8, 12, 8, 12, 0, NAV_AREA_GROUND);
    look_at(&b, 10, 2);
    assert_int_equal(b.column.floor_count, 0);
    assert_int_equal(b.column.triangle_count, 0);
    assert_false(nav_grid_find_tile(&b.grid, (nav_plan_place){-0.1f, 2}, &tile_x, &tile_z));
    assert_false(nav_grid_find_tile(&b.grid, (nav_plan_place){2, 12.3f}, &tile_x, &tile_z));
    assert_false(nav_grid_find_tile(&b.grid, (nav_plan_place){NAN, 2}, &tile_x, &tile_z));
    bench_free(&b);
}

static void a_low_ceiling_is_told_with_its_headroom(void **state)
{
    (void)state;
    bench b;
    bench_init(&b);
    add_ground(&b);
    soup_add_floor(b.level, 8, 12, 8, 12, 1.55f, NAV_AREA_GROUND);
    look_at(&b, 10, 10);
    const nav_floor_facts *f = floor_of(&b, 2, 0.1f);
    expect_verdict(f, NAV_VERDICT_LOW_HEADROOM);
    expect_near(f->headroom, 1.4, 0.001);
    assert_true(f->is_low);
    assert_int_equal(f->polygon, NAV_NONE);
    f = floor_of(&b, 2, 1.6f);
    expect_verdict(f, NAV_VERDICT_KEPT);
    bench_free(&b);
}

// 1.1 up over a climb of 0.9: above it is a ledge, below it erosion keeps off the step.
static void a_step_that_is_too_high_is_a_ledge(void **state)
{
    (void)state;
    bench b;
    bench_init(&b);
    add_ground(&b);
    soup_add_floor(b.level, 10, 20, 0, 20, 1.1f, NAV_AREA_GROUND);
    add_wall(&b, 10, 0, 20, 1.1f);
    look_at(&b, 10.3f, 10);
    expect_verdict(floor_of(&b, 2, 1.2f), NAV_VERDICT_ERODED);
    look_at(&b, 10.1f, 10);
    const nav_floor_facts *f = floor_of(&b, 1, 1.2f);
    expect_verdict(f, NAV_VERDICT_LEDGE);
    expect_near(f->ledge_drop, 1.1, 0.001);
    look_at(&b, 9.6f, 10);
    f = floor_of(&b, 1, 0.1f);
    expect_verdict(f, NAV_VERDICT_ERODED);
    expect_near(f->edge_distance, 0.375, 0.001);
    expect_near(f->edge[0], 10, 0.001);
    assert_false(f->edge_is_cut);
    bench_free(&b);
}

static void the_rim_of_the_level_is_a_ledge_without_ground_beside(void **state)
{
    (void)state;
    bench b;
    bench_init(&b);
    add_ground(&b);
    look_at(&b, 0.1f, 10);
    const nav_floor_facts *f = floor_of(&b, 1, 0.1f);
    expect_verdict(f, NAV_VERDICT_LEDGE);
    assert_true(isinf(f->ledge_drop));
    bench_free(&b);
}

// Each cell of a slope of 41 degrees rises and falls by less than the climb of 0.9, by more than
// one of 0.3.
static void a_slope_among_small_steps_is_told_by_its_spread(void **state)
{
    (void)state;
    bench b;
    bench_init(&b);
    b.config.agent_max_climb = 0.4f;
    b.config.agent_max_slope = 60;
    soup_add(b.level, (const float[9]){0, 0, 0, 0, 0, 20, 20, 24, 0}, NAV_AREA_GROUND);
    soup_add(b.level, (const float[9]){20, 24, 0, 0, 0, 20, 20, 24, 20}, NAV_AREA_GROUND);
    look_at(&b, 10.1f, 10.1f);
    const nav_floor_facts *f = floor_of(&b, 1, 12.3f);
    expect_verdict(f, NAV_VERDICT_LEDGE);
    assert_true(f->ledge_spread > 0.4f);
    expect_near(f->slope, 50.19, 0.01);
    bench_free(&b);
}

static void a_ramp_that_is_too_steep_is_told_with_its_slope(void **state)
{
    (void)state;
    bench b;
    bench_init(&b);
    add_ground(&b);
    // 2 across, 3.4641 up: 60 degrees.
    soup_add(b.level, (const float[9]){10, 0, 5, 10, 0, 15, 12, 3.4641f, 5}, NAV_AREA_GROUND);
    soup_add(b.level, (const float[9]){12, 3.4641f, 5, 10, 0, 15, 12, 3.4641f, 15},
             NAV_AREA_GROUND);
    look_at(&b, 11.1f, 10.1f);
    const nav_floor_facts *f = &b.column.floors[b.column.floor_count - 1];
    expect_verdict(f, NAV_VERDICT_TOO_STEEP);
    expect_near(f->slope, 60, 0.01);
    const nav_triangle_facts *t = &b.column.triangles[b.column.triangle_count - 1];
    assert_true(t->is_steep && t->low < t->high);
    expect_near(t->slope, 60, 0.01);
    b.config.agent_max_slope = 61;
    b.config.filter_ledges = false;
    look_at(&b, 11.1f, 10.1f);
    f = &b.column.floors[b.column.floor_count - 1];
    assert_int_not_equal(f->verdict, NAV_VERDICT_TOO_STEEP);
    bench_free(&b);
}

static void a_floor_that_faces_down_is_no_ground(void **state)
{
    (void)state;
    bench b;
    bench_init(&b);
    add_ground(&b);
    soup_add(b.level, (const float[9]){5, 4, 5, 15, 4, 5, 5, 4, 15}, NAV_AREA_GROUND);
    look_at(&b, 7.1f, 7.1f);
    const nav_floor_facts *f = floor_of(&b, 2, 4.1f);
    expect_verdict(f, NAV_VERDICT_FACES_DOWN);
    expect_near(b.column.triangles[b.column.triangle_count - 1].slope, 180, 0.01);
    expect_verdict(floor_of(&b, 2, 0.1f), NAV_VERDICT_KEPT);
    bench_free(&b);
}

static void ground_of_area_none_is_told_as_such(void **state)
{
    (void)state;
    bench b;
    bench_init(&b);
    soup_add_floor(b.level, 0, 20, 0, 20, 0, NAV_AREA_NONE);
    look_at(&b, 10, 10);
    const nav_floor_facts *f = floor_of(&b, 1, 0.1f);
    expect_verdict(f, NAV_VERDICT_AREA_NONE);
    assert_int_equal(b.tile.ground, 0);
    assert_int_equal(b.tile.blob.size_bytes, 0);
    bench_free(&b);
}

// A corridor 1 wide: the middle is 0.5 from either wall, the radius 0.6.
static void a_narrow_corridor_is_eroded(void **state)
{
    (void)state;
    bench b;
    bench_init(&b);
    add_ground(&b);
    add_wall(&b, 9.75f, 0, 20, 3);
    add_wall(&b, 11.0f, 0, 20, 3);
    look_at(&b, 10.4f, 10);
    const nav_floor_facts *f = floor_of(&b, 1, 0.1f);
    expect_verdict(f, NAV_VERDICT_ERODED);
    expect_near(f->edge_distance, 0.375, 0.001);
    b.config.agent_radius = 0.25f;
    look_at(&b, 10.4f, 10);
    expect_verdict(floor_of(&b, 1, 0.1f), NAV_VERDICT_KEPT);
    bench_free(&b);
}

// A table of 7 x 7 cells, on which radius 0 and no ledges leave all.
static void a_small_island_is_removed(void **state)
{
    (void)state;
    bench b;
    bench_init(&b);
    add_ground(&b);
    soup_add_floor(b.level, 8, 9.75f, 8, 9.75f, 3, NAV_AREA_GROUND);
    b.config.agent_radius = 0;
    b.config.filter_ledges = false;
    static const nav_partition partitions[] = {NAV_PARTITION_WATERSHED, NAV_PARTITION_MONOTONE,
                                               NAV_PARTITION_LAYERS};
    for (int i = 0; i < 3; ++i) {
        b.config.partition = partitions[i];
        b.config.region_min_size = 8;
        look_at(&b, 9, 9);
        const nav_floor_facts *f = floor_of(&b, 2, 3.1f);
        expect_verdict(f, NAV_VERDICT_REGION_REMOVED);
        assert_int_equal(f->region_cells, 49);
        assert_int_equal(f->region, 0);
        assert_int_equal(f->first_region_cells > 0, 1);
        b.config.region_min_size = 7;
        look_at(&b, 9, 9);
        f = floor_of(&b, 2, 3.1f);
        expect_verdict(f, NAV_VERDICT_KEPT);
        assert_int_equal(f->region_cells, 49);
    }
    bench_free(&b);
}

static void a_volume_that_cuts_is_named_by_its_number(void **state)
{
    (void)state;
    bench b;
    bench_init(&b);
    add_ground(&b);
    b.areas[NAV_AREA_GROUND] = (nav_area){.name = "ground", .cost = 1};
    b.areas[2] = (nav_area){.name = "mud", .cost = 2};
    b.config.areas = b.areas;
    b.config.area_count = 3;
    const nav_volume volumes[] = {
        {.shape = NAV_VOLUME_BOX, .area = 2, .min = {1, -1, 1}, .max = {19, 1, 19}},
        {.shape = NAV_VOLUME_CYLINDER, .min = {10, -1, 10}, .max = {0, 2, 0}, .radius = 2},
        {.shape = NAV_VOLUME_BOX, .area = NAV_AREA_GROUND, .min = {15, -1, 1}, .max = {19, 1, 19}},
    };
    b.config.volumes = volumes;
    b.config.volume_count = 3;
    look_at(&b, 10.5f, 10.5f);
    const nav_floor_facts *f = floor_of(&b, 1, 0.1f);
    expect_verdict(f, NAV_VERDICT_CUT);
    assert_int_equal(f->volume, 1);
    look_at(&b, 12.2f, 10);
    f = floor_of(&b, 1, 0.1f);
    expect_verdict(f, NAV_VERDICT_ERODED);
    assert_true(f->edge_is_cut);
    look_at(&b, 5, 10);
    f = floor_of(&b, 1, 0.1f);
    expect_verdict(f, NAV_VERDICT_KEPT);
    assert_int_equal(f->volume, 0);
    assert_int_equal(f->area_kept, 2);
    look_at(&b, 17, 10);
    f = floor_of(&b, 1, 0.1f);
    assert_int_equal(f->volume, 2);
    assert_int_equal(f->area_kept, NAV_AREA_GROUND);
    bench_free(&b);
}

static void bounds_take_floors_by_their_height(void **state)
{
    (void)state;
    bench b;
    bench_init(&b);
    add_ground(&b);
    soup_add_floor(b.level, 5, 15, 5, 15, 6, NAV_AREA_GROUND);
    b.config.has_bounds = true;
    const float min[3] = {0, -1, 0}, max[3] = {20, 3, 20};
    memcpy(b.config.bounds_min, min, sizeof min);
    memcpy(b.config.bounds_max, max, sizeof max);
    look_at(&b, 10, 10);
    expect_verdict(floor_of(&b, 2, 6.1f), NAV_VERDICT_OUT_OF_BOUNDS);
    expect_verdict(floor_of(&b, 2, 0.1f), NAV_VERDICT_KEPT);
    bench_free(&b);
}

static void ground_under_switches_names_them(void **state)
{
    (void)state;
    bench b;
    bench_init(&b);
    add_ground(&b);
    const nav_volume gate = {.shape = NAV_VOLUME_BOX, .min = {9, -1, 0}, .max = {11, 2, 20}};
    const nav_volume door = {.shape = NAV_VOLUME_BOX, .min = {9, -1, 9}, .max = {11, 2, 11}};
    const nav_switch switches[] = {{.id = "door", .shapes = &door, .shape_count = 1},
                                   {.id = "gate", .shapes = &gate, .shape_count = 1}};
    b.config.switches = switches;
    b.config.switch_count = 2;
    look_at(&b, 10, 10);
    const nav_floor_facts *f = floor_of(&b, 1, 0.1f);
    expect_verdict(f, NAV_VERDICT_KEPT);
    assert_int_equal(f->switch_count, 2);
    assert_int_equal(f->switches[0] + f->switches[1], 1);
    look_at(&b, 10, 4);
    f = floor_of(&b, 1, 0.1f);
    assert_int_equal(f->switch_count, 1);
    assert_int_equal(f->switches[0], 1);
    assert_int_equal(f->area_kept, NAV_AREA_GROUND);
    bench_free(&b);
}

static void a_liquid_hides_its_bed(void **state)
{
    (void)state;
    bench b;
    bench_init(&b);
    b.areas[NAV_AREA_GROUND] = (nav_area){.name = "ground", .cost = 1};
    b.areas[2] = (nav_area){.name = "water", .cost = 2, .liquid = true};
    b.config.areas = b.areas;
    b.config.area_count = 3;
    add_ground(&b);
    soup_add_floor(b.level, 5, 15, 5, 15, 1.5f, 2);
    look_at(&b, 10, 10);
    const nav_floor_facts *bed = floor_of(&b, 2, 0.1f), *surface = floor_of(&b, 2, 1.6f);
    expect_verdict(bed, NAV_VERDICT_UNDER_LIQUID);
    assert_false(bed->is_liquid);
    expect_near(bed->headroom, 1.4, 0.001);
    expect_verdict(surface, NAV_VERDICT_KEPT);
    assert_true(surface->is_liquid);
    assert_int_equal(surface->area_kept, 2);
    bench_free(&b);
}

// A slab that faces down, 0.5 above the ground: a curb.
static void what_can_be_stepped_on_becomes_ground(void **state)
{
    (void)state;
    bench b;
    bench_init(&b);
    add_ground(&b);
    soup_add_floor(b.level, 8, 12, 8, 12, 0.5f, NAV_AREA_NONE);
    look_at(&b, 10, 10);
    const nav_floor_facts *f = floor_of(&b, 2, 0.6f);
    assert_true(f->is_stepped_on);
    assert_int_equal(f->area, NAV_AREA_NONE);
    expect_verdict(f, NAV_VERDICT_KEPT);
    b.config.filter_low_hanging = false;
    look_at(&b, 10, 10);
    f = floor_of(&b, 2, 0.6f);
    assert_false(f->is_stepped_on);
    expect_verdict(f, NAV_VERDICT_AREA_NONE);
    bench_free(&b);
}

// Islands of a thin sliver of ground are passed by where outlines may be off by many cells.
static void a_coarse_outline_passes_a_corner_by(void **state)
{
    (void)state;
    bench b;
    bench_init(&b);
    soup_add(b.level, (const float[9]){0, 0, 0, 0, 0, 20, 20, 0, 0}, NAV_AREA_GROUND);
    b.config.agent_radius = 0;
    b.config.edge_max_error = 0;
    uint32_t passed = 0;
    for (int i = 0; i < 40; ++i) {
        look_at(&b, 0.4f + 0.24f * (float)i, 19.4f - 0.24f * (float)i - 1.0f);
        const nav_floor_facts *f = &b.column.floors[0];
        passed += f->verdict == NAV_VERDICT_SIMPLIFIED;
        assert_int_equal(f->verdict == NAV_VERDICT_SIMPLIFIED,
                         f->polygon == NAV_NONE && f->region != 0);
    }
    b.config.edge_max_error = 8;
    for (int i = 0; i < 40; ++i) {
        look_at(&b, 0.4f + 0.24f * (float)i, 19.4f - 0.24f * (float)i);
        passed += b.column.floors[0].verdict == NAV_VERDICT_SIMPLIFIED;
    }
    assert_true(passed > 0);
    bench_free(&b);
}

// ---- the tile ----

static void add_rooms(bench *b)
{
    uint64_t seed = 5;
    add_ground(b);
    for (int i = 0; i < 60; ++i) {
        const float x = random_between(&seed, 1, 18), z = random_between(&seed, 1, 18);
        const float y = random_between(&seed, 0.2f, 4);
        soup_add_floor(b->level, x, x + 1.7f, z, z + 1.3f, y, NAV_AREA_GROUND);
    }
}

// The tile is that of a bake, and each number of its stages that of the report.
static void the_tile_is_that_of_a_bake(void **state)
{
    (void)state;
    static const nav_partition partitions[] = {NAV_PARTITION_WATERSHED, NAV_PARTITION_MONOTONE,
                                               NAV_PARTITION_LAYERS};
    for (int i = 0; i < 3; ++i) {
        bench b;
        nav_blob baked;
        nav_bake_report report = {0};
        bench_init(&b);
        add_rooms(&b);
        b.config.agent_radius = 0.3f;
        b.config.partition = partitions[i];
        b.config.tile_cells = 32;
        look_at(&b, 10, 10);
        assert_int_equal(nav_bake_tile(&b.level->geometry, &b.config, &b.grid, NULL, 1, 1, NULL,
                                       &b.scratch, &b.result, &baked, &report, NULL),
                         NAV_OK);
        const nav_tile_facts *t = &b.tile;
        assert_int_equal(t->blob.size_bytes, baked.size_bytes);
        assert_memory_equal(t->blob.bytes, baked.bytes, baked.size_bytes);
        assert_int_equal(t->spans, report.spans);
        assert_int_equal(t->eroded, report.walkable_spans);
        assert_int_equal(t->regions, report.regions);
        assert_int_equal(t->contours, report.contours);
        assert_int_equal(t->polygons, report.polygons);
        assert_int_equal(t->vertices, report.vertices);
        assert_int_equal(t->detail_triangles, report.detail_triangles);
        assert_true(t->spans >= t->ground && t->ground >= t->filtered && t->filtered >= t->uncut &&
                    t->uncut >= t->eroded && t->eroded >= t->in_regions);
        assert_true(t->first_regions >= t->regions);
        for (uint32_t p = 0; p < t->polygons; ++p) {
            assert_true(t->polygon_regions[p] <= t->regions);
        }
        bench_free(&b);
    }
}

// All of it adds up over many places: a floor without verdict is covered or simplified, one that
// was eroded has an edge.
static void every_place_of_a_level_has_one_verdict(void **state)
{
    (void)state;
    bench b;
    uint64_t seed = 9;
    uint32_t verdicts[NAV_VERDICT_COUNT] = {0};
    bench_init(&b);
    add_rooms(&b);
    b.config.agent_radius = 0.3f;
    for (int i = 0; i < 300; ++i) {
        look_at(&b, random_between(&seed, 0, 20), random_between(&seed, 0, 20));
        for (uint32_t k = 0; k < b.column.floor_count; ++k) {
            const nav_floor_facts *f = &b.column.floors[k];
            verdicts[f->verdict]++;
            assert_true(f->verdict != NAV_VERDICT_KEPT || f->polygon != NAV_NONE);
            assert_true(f->verdict != NAV_VERDICT_ERODED || f->edge_distance < 0.5f);
            assert_true(f->verdict != NAV_VERDICT_REGION_REMOVED || f->region_cells < 64);
            assert_true(f->verdict != NAV_VERDICT_LEDGE || f->ledge_drop > 0 ||
                        f->ledge_spread > 0);
            assert_true(f->verdict != NAV_VERDICT_LOW_HEADROOM || f->headroom <= 2.0001f);
        }
        nav_arena_reset(&b.result);
    }
    assert_true(verdicts[NAV_VERDICT_KEPT] > 50 && verdicts[NAV_VERDICT_ERODED] > 10 &&
                verdicts[NAV_VERDICT_LEDGE] > 10 && verdicts[NAV_VERDICT_LOW_HEADROOM] > 10);
    bench_free(&b);
}

// ---- bad luck ----

typedef struct luck {
    uint32_t calls, fail_at, asked, cancel_at;
    size_t live;
} luck;

static void *luck_alloc(void *user, size_t size_bytes)
{
    luck *l = user;
    if (++l->calls == l->fail_at) {
        return NULL;
    }
    l->live += size_bytes;
    return malloc(size_bytes);
}

static void luck_free(void *user, void *block, size_t size_bytes)
{
    ((luck *)user)->live -= size_bytes;
    free(block);
}

static bool luck_cancelled(void *user)
{
    luck *l = user;
    return ++l->asked == l->cancel_at;
}

static nav_status explain_with(bench *b, luck *l)
{
    const nav_allocator counting = {.alloc = luck_alloc, .free = luck_free, .user = l};
    const nav_bake_hooks hooks = {.user = l, .cancelled = luck_cancelled};
    const nav_plan_place places[2] = {{10, 10}, {3, 4}};
    nav_column_facts columns[2];
    nav_arena scratch, result;
    l->calls = l->asked = 0;
    nav_arena_init(&scratch, &counting, 0);
    nav_arena_init(&result, &counting, 0);
    const nav_status status =
        nav_tile_explain(&b->level->geometry, &b->config, &b->grid, NULL, 0, 0, places, 2, &hooks,
                         &scratch, &result, columns, &b->tile, NULL, &b->err);
    nav_arena_free(&scratch);
    nav_arena_free(&result);
    assert_int_equal(l->live, 0);
    return status;
}

static void each_failure_of_memory_and_each_cancel_is_told(void **state)
{
    (void)state;
    bench b;
    luck l = {0};
    bench_init(&b);
    add_rooms(&b);
    look_at(&b, 10, 10);
    for (l.fail_at = 1; explain_with(&b, &l) != NAV_OK; ++l.fail_at) {
        assert_int_equal(b.err.status, NAV_NO_MEMORY);
    }
    assert_true(l.fail_at > 10);
    l.fail_at = 0;
    for (l.cancel_at = 1; explain_with(&b, &l) != NAV_OK; ++l.cancel_at) {
        assert_int_equal(b.err.status, NAV_CANCELLED);
    }
    assert_true(l.cancel_at > 10);
    bench_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(open_ground_has_a_polygon),
        cmocka_unit_test(a_place_without_triangles_has_no_floors),
        cmocka_unit_test(a_low_ceiling_is_told_with_its_headroom),
        cmocka_unit_test(a_step_that_is_too_high_is_a_ledge),
        cmocka_unit_test(the_rim_of_the_level_is_a_ledge_without_ground_beside),
        cmocka_unit_test(a_slope_among_small_steps_is_told_by_its_spread),
        cmocka_unit_test(a_ramp_that_is_too_steep_is_told_with_its_slope),
        cmocka_unit_test(a_floor_that_faces_down_is_no_ground),
        cmocka_unit_test(ground_of_area_none_is_told_as_such),
        cmocka_unit_test(a_narrow_corridor_is_eroded),
        cmocka_unit_test(a_small_island_is_removed),
        cmocka_unit_test(a_volume_that_cuts_is_named_by_its_number),
        cmocka_unit_test(bounds_take_floors_by_their_height),
        cmocka_unit_test(ground_under_switches_names_them),
        cmocka_unit_test(a_liquid_hides_its_bed),
        cmocka_unit_test(what_can_be_stepped_on_becomes_ground),
        cmocka_unit_test(a_coarse_outline_passes_a_corner_by),
        cmocka_unit_test(the_tile_is_that_of_a_bake),
        cmocka_unit_test(every_place_of_a_level_has_one_verdict),
        cmocka_unit_test(each_failure_of_memory_and_each_cancel_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
