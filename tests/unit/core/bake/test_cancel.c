// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_cancel.c: a bake and its plan ask often whether they are to end, end at whichever
// question is answered with yes, and leave their outputs as they were.

#include "core/nav.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef struct cancel_hook {
    uint32_t asked, cancel_at; // the question that is answered with yes, from 1; 0: none
    nav_stage stage;
    uint32_t asked_in[NAV_STAGE_COUNT];
} cancel_hook;

static bool cancelled(void *user)
{
    cancel_hook *hook = user;
    hook->asked_in[hook->stage]++;
    return ++hook->asked == hook->cancel_at;
}

static void stage(void *user, nav_stage begun)
{
    ((cancel_hook *)user)->stage = begun;
}

static nav_status bake_as(nav_config config, const nav_geometry *geometry, cancel_hook *hook,
                          nav_blob *out, size_t *result_bytes)
{
    config.tile_cells = 0;
    nav_grid grid;
    assert_int_equal(nav_bake_plan(geometry, &config, 0, &grid, NULL), NAV_OK);
    nav_arena scratch, result;
    nav_arena_init(&scratch, NULL, 0);
    nav_arena_init(&result, NULL, 0);
    const nav_bake_hooks hooks = {.user = hook, .cancelled = cancelled, .stage = stage};
    nav_error err = {0};
    nav_status status = nav_bake_tile(geometry, &config, &grid, NULL, 0, 0, &hooks, &scratch,
                                      &result, out, NULL, &err);
    assert_int_equal(err.status, status);
    *result_bytes = result.held_bytes;
    nav_arena_free(&scratch);
    nav_arena_free(&result);
    return status;
}

static nav_status bake(const nav_geometry *geometry, cancel_hook *hook, nav_blob *out,
                       size_t *result_bytes)
{
    return bake_as(nav_config_default(), geometry, hook, out, result_bytes);
}

static void every_question_can_be_the_last(void **state)
{
    (void)state;
    // A floor of 10 x 10 m with a table on it.
    static const float vertices[] = {0, 0, 0, 0, 0, 10, 10, 0, 10, 10, 0, 0,
                                     4, 3, 4, 4, 3, 6,  6,  3, 6,  6,  3, 4};
    static const uint32_t triangles[] = {0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7};
    const nav_geometry geometry = {
        .vertices = vertices, .triangles = triangles, .vertex_count = 8, .triangle_count = 4};
    cancel_hook all = {0};
    nav_blob blob = {0};
    size_t result_bytes;
    assert_int_equal(bake(&geometry, &all, &blob, &result_bytes), NAV_OK);
    assert_true(blob.size_bytes > 0);
    assert_true(all.asked > 100); // once a row of 33 in several stages
    for (uint32_t i = 1; i <= all.asked; i++) {
        cancel_hook hook = {.cancel_at = i};
        nav_blob untouched = {.size_bytes = 77};
        assert_int_equal(bake(&geometry, &hook, &untouched, &result_bytes), NAV_CANCELLED);
        assert_int_equal(hook.asked, i); // and never asked again
        assert_int_equal(untouched.size_bytes, 77);
        assert_int_equal(result_bytes, 0);
    }
}

static void one_large_triangle_is_many_questions(void **state)
{
    (void)state;
    static const float vertices[] = {0, 0, 0, 0, 0, 300, 300, 0, 0};
    static const uint32_t triangles[] = {0, 1, 2};
    const nav_geometry geometry = {
        .vertices = vertices, .triangles = triangles, .vertex_count = 3, .triangle_count = 1};
    cancel_hook hook = {0};
    nav_blob blob;
    size_t result_bytes;
    assert_int_equal(bake(&geometry, &hook, &blob, &result_bytes), NAV_OK);
    // Half of 1000 x 1000 cells are touched: a question for each 65,536 of them, less in each band
    // of rows, and the triangle's own in each band; and one for each 65,536 columns.
    assert_in_range(hook.asked_in[NAV_STAGE_VOXELIZE], 22, 40);
    // Other stages ask once a row or for each 65,536 spans in each of their passes, so that none of
    // them works on more between two questions: nowhere near the 100 ms in which a bake must end.
    const uint32_t pass = 1000 * 1000 / 2 / 65536;
    assert_true(hook.asked_in[NAV_STAGE_FILTER] >= 1000);
    assert_true(hook.asked_in[NAV_STAGE_COMPACT] >= 1000 + 2 * pass); // columns; links by row
    assert_true(hook.asked_in[NAV_STAGE_ERODE] >= 2 * pass);          // rim; what goes
    assert_true(hook.asked_in[NAV_STAGE_DISTANCE] >= 4 * pass);       // border, two ways, blur
    // The watershed finds stacks (by column) and sorts, then floods it from the middle at once.
    assert_true(hook.asked_in[NAV_STAGE_REGIONS] > 1000 + 4 * pass);
    assert_true(hook.asked_in[NAV_STAGE_CONTOURS] >= 1000 + pass); // walks by row; sides
}

// How often a stage asks.
static uint32_t asked_in(nav_stage in, nav_config config, const nav_geometry *geometry)
{
    cancel_hook hook = {0};
    nav_blob blob;
    size_t result_bytes;
    assert_int_equal(bake_as(config, geometry, &hook, &blob, &result_bytes), NAV_OK);
    return hook.asked_in[in];
}

// A level of `count` triangles, each of three corners of its own.
#define TRIANGLES_MAX 200000
static float corners[TRIANGLES_MAX * 9];
static uint32_t numbers[TRIANGLES_MAX * 3];

static nav_geometry triangles_of(uint32_t count)
{
    for (uint32_t i = 0; i < count * 3; i++) {
        numbers[i] = i;
    }
    return (nav_geometry){.vertices = corners,
                          .triangles = numbers,
                          .vertex_count = count * 3,
                          .triangle_count = count};
}

static void set(uint32_t triangle, const float values[9])
{
    memcpy(corners + (size_t)triangle * 9, values, 9 * sizeof *values);
}

// All in one cell: what would be asked once a cell is asked while they are collected and sorted.
static void one_column_is_many_questions(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < TRIANGLES_MAX; i++) {
        float y = (float)(i * 7919 % 20000) * 0.6f;
        set(i, (const float[9]){0.1f, y, 0.1f, 0.1f, y, 0.2f, 0.2f, y, 0.1f});
    }
    const nav_geometry geometry = triangles_of(TRIANGLES_MAX);
    const nav_config config = nav_config_default();
    const uint32_t by_triangle = (TRIANGLES_MAX + 255) / 256;
    // 3 while they are collected, 2 and 4 in the two halves of the sort, and some by column.
    assert_true(asked_in(NAV_STAGE_VOXELIZE, config, &geometry) >= by_triangle + 9);
}

// 40 x 40 thin walls in a square are 1,600 holes in one layer.
static void one_region_of_many_holes_is_many_questions(void **state)
{
    (void)state;
    const float side = 120;
    set(0, (const float[9]){0, 0, 0, 0, 0, side, side, 0, side});
    set(1, (const float[9]){0, 0, 0, side, 0, side, side, 0, 0});
    for (uint32_t i = 0; i < 1600; i++) {
        float x = 1.2f + 3 * (float)(i % 40), z = 1.2f + 3 * (float)(i / 40);
        set(2 + i, (const float[9]){x, 0, z, x + 0.3f, 0, z, x, 3, z});
    }
    const nav_geometry geometry = triangles_of(1602);
    nav_config config = nav_config_default();
    config.partition = NAV_PARTITION_LAYERS;
    config.agent_radius = 0.3f;
    // Both stages ask once a row or contour: 400 rows, 25 of buckets; a single contour. A bridge is
    // held against 10,000 corners, and there are 1,600; of ears there are as many as corners.
    assert_true(asked_in(NAV_STAGE_CONTOURS, config, &geometry) > 400 + 25 + 100);
    assert_true(asked_in(NAV_STAGE_POLYGONS, config, &geometry) >= 1 + 2);
}

static void one_large_polygon_is_many_questions(void **state)
{
    (void)state;
    set(0, (const float[9]){0, 0, 0, 0, 0, 300, 300, 0, 300});
    set(1, (const float[9]){0, 0, 0, 300, 0, 300, 300, 0, 0});
    const nav_geometry geometry = triangles_of(2);
    nav_config config = nav_config_default();
    config.edge_max_length = 0;
    config.detail_sample_distance = 2;
    // Once a row of samples.
    assert_true(asked_in(NAV_STAGE_DETAIL, config, &geometry) > 450);
}

// The plan before the bake goes through all vertices once and through all triangles three times.
static void a_plan_ends_at_whichever_question(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < TRIANGLES_MAX; i++) {
        const float x = (float)(i % 400), z = (float)(i / 400);
        set(i, (const float[9]){x, 0, z, x, 0, z + 1, x + 1, 0, z});
    }
    const nav_geometry geometry = triangles_of(TRIANGLES_MAX);
    const nav_config config = nav_config_default();
    cancel_hook all = {0};
    nav_bake_hooks hooks = {.user = &all, .cancelled = cancelled};
    nav_grid grid;
    nav_error err = {0};
    assert_int_equal(nav_geometry_check_until(&geometry, &hooks, &err), NAV_OK);
    assert_int_equal(all.asked, TRIANGLES_MAX * 4 / 65536);
    all = (cancel_hook){0};
    assert_int_equal(nav_bake_plan_until(&geometry, &config, 0, &hooks, &grid, &err), NAV_OK);
    assert_int_equal(all.asked, 1 + TRIANGLES_MAX * 4 / 65536 + TRIANGLES_MAX * 2 / 65536);
    for (uint32_t i = 1; i <= all.asked; i++) {
        cancel_hook hook = {.cancel_at = i};
        nav_grid untouched = {.tiles_x = 77};
        hooks.user = &hook;
        assert_int_equal(nav_bake_plan_until(&geometry, &config, 0, &hooks, &untouched, &err),
                         NAV_CANCELLED);
        assert_int_equal(err.status, NAV_CANCELLED);
        assert_int_equal(hook.asked, i); // and never asked again
        assert_int_equal(untouched.tiles_x, 77);
    }
    assert_int_equal(nav_bake_plan(&geometry, &config, 0, &grid, &err), NAV_OK);
}

// A field of pillars: thousands of polygons, whose tree is work of its own.
static void a_tile_of_many_polygons_is_written_with_questions(void **state)
{
    (void)state;
    const uint32_t side = 40;
    set(0, (const float[9]){0, 0, 0, 0, 0, 80, 80, 0, 80});
    set(1, (const float[9]){0, 0, 0, 80, 0, 80, 80, 0, 0});
    for (uint32_t i = 0; i < side * side; i++) {
        const float x = 1 + 2 * (float)(i % side), z = 1 + 2 * (float)(i / side);
        set(2 + i, (const float[9]){x, 0, z, x + 0.3f, 0, z, x, 3, z});
    }
    const nav_geometry geometry = triangles_of(2 + side * side);
    nav_config config = nav_config_default();
    config.agent_radius = 0.3f;
    cancel_hook all = {0};
    nav_blob blob = {0};
    size_t result_bytes;
    assert_int_equal(bake_as(config, &geometry, &all, &blob, &result_bytes), NAV_OK);
    assert_true(all.asked_in[NAV_STAGE_TILE] >= 2);
    for (uint32_t i = 1; i <= all.asked_in[NAV_STAGE_TILE]; i++) {
        cancel_hook hook = {.cancel_at = all.asked - all.asked_in[NAV_STAGE_TILE] + i};
        nav_blob untouched = {.size_bytes = 77};
        assert_int_equal(bake_as(config, &geometry, &hook, &untouched, &result_bytes),
                         NAV_CANCELLED);
        assert_int_equal(untouched.size_bytes, 77);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_question_can_be_the_last),
        cmocka_unit_test(one_large_triangle_is_many_questions),
        cmocka_unit_test(one_column_is_many_questions),
        cmocka_unit_test(one_region_of_many_holes_is_many_questions),
        cmocka_unit_test(one_large_polygon_is_many_questions),
        cmocka_unit_test(a_plan_ends_at_whichever_question),
        cmocka_unit_test(a_tile_of_many_polygons_is_written_with_questions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
