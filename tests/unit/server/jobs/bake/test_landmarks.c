// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_landmarks.c: a bake does without landmarks where its time or its memory is over, and
// ends where it is cancelled. Their own budget: core/query/search/test_geodesic_links.c,
// many_links.bats.

#include "server/jobs/bake/bake.h"

#include "core/mesh/types.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/store_fixture.h"

typedef struct fixture {
    store_fixture store;
    job owner;
    nav_mesh *mesh;
} fixture;

// A square of 20 x 20 m in tiles.
static nav_mesh *square(void)
{
    static const float vertices[] = {0, 0, 0, 0, 0, 20, 20, 0, 20, 20, 0, 0};
    static const uint32_t triangles[] = {0, 1, 2, 0, 2, 3};
    const nav_geometry geometry = {
        .vertices = vertices, .vertex_count = 4, .triangles = triangles, .triangle_count = 2};
    nav_config config = nav_config_default();
    config.tile_cells = 32;
    nav_arena scratch, result;
    nav_arena_init(&scratch, NULL, 0);
    nav_arena_init(&result, NULL, 0);
    nav_grid grid;
    nav_blob tiles[16];
    assert_int_equal(nav_bake_plan(&geometry, &config, 0, &grid, NULL), NAV_OK);
    const uint32_t count = grid.tiles_x * grid.tiles_z;
    assert_in_range(count, 2, 16);
    for (uint32_t i = 0; i < count; ++i) {
        assert_int_equal(nav_bake_tile(&geometry, &config, &grid, NULL, i % grid.tiles_x,
                                       i / grid.tiles_x, NULL, &scratch, &result, &tiles[i], NULL,
                                       NULL),
                         NAV_OK);
    }
    nav_mesh *mesh = NULL;
    assert_int_equal(nav_mesh_create(tiles, count, &config, NULL, &mesh, NULL, NULL), NAV_OK);
    nav_arena_free(&result);
    nav_arena_free(&scratch);
    return mesh;
}

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    store_fixture_init(&f->store);
    store_fixture_open(&f->store);
    (void)snprintf(f->owner.mesh, sizeof f->owner.mesh, "town");
    f->owner.version = store_fixture_add(f->store.disk, "town", 1, true);
    f->mesh = square();
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    nav_mesh_release(f->mesh);
    store_fixture_free(&f->store);
    free(f);
    return 0;
}

static nav_status give(fixture *f, size_t memory_bytes, uint64_t deadline_ns, bool *has)
{
    store_landmarks out;
    nav_error err = {0};
    const nav_status status =
        job_landmarks(f->store.disk, &f->owner, memory_bytes, deadline_ns, f->mesh, &out, &err);
    *has = out.packed != NULL;
    assert_int_equal(f->mesh->landmarks != NULL, *has);
    free(out.packed);
    return status;
}

static void they_are_left_out_where_time_or_memory_is_over(void **state)
{
    bool has;
    assert_int_equal(give(*state, 0, 1, &has), NAV_OK);
    assert_false(has);
    assert_int_equal(give(*state, 1000, 0, &has), NAV_OK);
    assert_false(has);
    assert_int_equal(give(*state, 0, 0, &has), NAV_OK);
    assert_true(has);
}

static void a_cancelled_job_ends(void **state)
{
    fixture *f = *state;
    bool has;
    atomic_store(&f->owner.cancelled, true);
    assert_int_equal(give(f, 0, 0, &has), NAV_CANCELLED);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(they_are_left_out_where_time_or_memory_is_over),
                                       TEST(a_cancelled_job_ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
