// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_bake_cancel.c: a bake asks often whether it is to end, ends at whichever question is
// answered with yes, and leaves its outputs as they were.

#include "core/nav.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef struct asker {
    uint32_t asked, yes_at; // the question that is answered with yes, from 1; 0: none
    nav_stage stage;
    uint32_t asked_in[NAV_STAGE_COUNT];
} asker;

static bool cancelled(void *user)
{
    asker *a = user;
    a->asked_in[a->stage]++;
    return ++a->asked == a->yes_at;
}

static void stage(void *user, nav_stage begun)
{
    ((asker *)user)->stage = begun;
}

static nav_status bake(const nav_geometry *geometry, asker *a, nav_blob *out, size_t *result_bytes)
{
    nav_config config = nav_config_default();
    config.tile_cells = 0;
    nav_grid grid;
    assert_int_equal(nav_bake_plan(geometry, &config, 0, &grid, NULL), NAV_OK);
    nav_arena scratch, result;
    nav_arena_init(&scratch, NULL, 0);
    nav_arena_init(&result, NULL, 0);
    const nav_bake_hooks hooks = {.user = a, .cancelled = cancelled, .stage = stage};
    nav_error err = {0};
    nav_status status = nav_bake_tile(geometry, &config, &grid, NULL, 0, 0, &hooks, &scratch,
                                      &result, out, NULL, &err);
    assert_int_equal(err.status, status);
    *result_bytes = result.held_bytes;
    nav_arena_free(&scratch);
    nav_arena_free(&result);
    return status;
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
    asker all = {0};
    nav_blob blob = {0};
    size_t result_bytes;
    assert_int_equal(bake(&geometry, &all, &blob, &result_bytes), NAV_OK);
    assert_true(blob.size_bytes > 0);
    assert_true(all.asked > 100); // once a row of 33 in several stages
    for (uint32_t i = 1; i <= all.asked; i++) {
        asker a = {.yes_at = i};
        nav_blob untouched = {.size_bytes = 77};
        assert_int_equal(bake(&geometry, &a, &untouched, &result_bytes), NAV_CANCELLED);
        assert_int_equal(a.asked, i); // and never asked again
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
    asker a = {0};
    nav_blob blob;
    size_t result_bytes;
    assert_int_equal(bake(&geometry, &a, &blob, &result_bytes), NAV_OK);
    // Half of 1000 x 1000 cells are gone through twice with questions: touched, merged. One for
    // each 65,536 of them, less in each band of rows, and the triangle's own in each band.
    assert_in_range(a.asked_in[NAV_STAGE_VOXELIZE], 12, 20);
    // Other stages ask once a row or for each 65,536 spans in each of their passes, so that none of
    // them works on more between two questions: nowhere near the 100 ms in which a bake must end.
    const uint32_t pass = 1000 * 1000 / 2 / 65536;
    assert_true(a.asked_in[NAV_STAGE_FILTER] >= 1000);
    assert_true(a.asked_in[NAV_STAGE_COMPACT] >= 1000 + 2 * pass); // columns; links by row
    assert_true(a.asked_in[NAV_STAGE_ERODE] >= 2 * pass);          // rim; what goes
    assert_true(a.asked_in[NAV_STAGE_DISTANCE] >= 4 * pass);       // border, two ways, blur
    // The watershed finds stacks (by column) and sorts, then floods it from the middle at once.
    assert_true(a.asked_in[NAV_STAGE_REGIONS] > 1000 + 4 * pass);
    assert_true(a.asked_in[NAV_STAGE_CONTOURS] >= 1000 + pass); // walks by row; sides
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_question_can_be_the_last),
        cmocka_unit_test(one_large_triangle_is_many_questions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
