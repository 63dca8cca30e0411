// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_plan_tiles.c: the plan of a level in tiles: how large they are, how many, and when that
// is refused. For the grid alone: test_plan.c.

#include "core/bake/stages.h"
#include "tests/unit/floors.h"

static nav_status plan_square(float side, uint32_t tile_cells, uint64_t limit, nav_grid *grid,
                              nav_error *err)
{
    soup s;
    soup_init(&s, 1);
    soup_floor(&s, 0, 0, side, side / 2, 0);
    nav_config config = nav_config_default();
    config.cell_size = 1;
    config.agent_radius = 1.5f;
    config.tile_cells = tile_cells;
    nav_status status = nav_bake_plan(&s.geometry, &config, limit, grid, err);
    soup_free(&s);
    return status;
}

static void tiles_cover_the_grid(void **state)
{
    (void)state;
    nav_grid grid;
    assert_int_equal(plan_square(130, 32, 0, &grid, NULL), NAV_OK);
    assert_int_equal(grid.tile_cells, 32);
    assert_int_equal(grid.tiles_x, 5);
    assert_int_equal(grid.tiles_z, 3);
    assert_int_equal(grid.border_cells, 5); // 1.5 units are 2 cells, and 3
    nav_tile_cells last = nav_bake_tile_cells(&grid, 4, 2);
    assert_int_equal(last.x, 128);
    assert_int_equal(last.x_end, 130);
    assert_int_equal(last.z, 64);
    assert_int_equal(last.z_end, 65);
    nav_tile_cells first = nav_bake_tile_cells(&grid, 0, 0);
    assert_int_equal(first.x_end, 32);
    assert_int_equal(nav_bake_owner(&grid, 31.9f, 0), 0);
    assert_int_equal(nav_bake_owner(&grid, 32, 64), 11);
    assert_int_equal(nav_bake_owner(&grid, -3, 1e6f), 10);
    assert_int_equal(plan_square(128, 32, 0, &grid, NULL), NAV_OK);
    assert_int_equal(grid.tiles_x, 4);
    assert_int_equal(grid.tiles_z, 2);
}

static void a_level_no_larger_than_a_tile_is_one_without_padding(void **state)
{
    (void)state;
    nav_grid grid;
    assert_int_equal(plan_square(32, 32, 0, &grid, NULL), NAV_OK);
    assert_int_equal(grid.tile_cells, 0);
    assert_int_equal(grid.tiles_x * grid.tiles_z, 1);
    assert_int_equal(grid.border_cells, 0);
}

static void auto_takes_one_tile_up_to_512_cells_and_what_memory_allows(void **state)
{
    (void)state;
    nav_grid grid;
    assert_int_equal(plan_square(512, NAV_TILE_CELLS_AUTO, 0, &grid, NULL), NAV_OK);
    assert_int_equal(grid.tile_cells, 0);
    assert_int_equal(plan_square(513, NAV_TILE_CELLS_AUTO, 0, &grid, NULL), NAV_OK);
    assert_int_equal(grid.tile_cells, 128);
    assert_int_equal(plan_square(512, NAV_TILE_CELLS_AUTO, 2u << 20, &grid, NULL), NAV_OK);
    assert_int_equal(grid.tile_cells, 128);
    assert_int_equal(plan_square(512, NAV_TILE_CELLS_AUTO, 400u << 10, &grid, NULL), NAV_OK);
    assert_int_equal(grid.tile_cells, 64);
    // More than 2^22 tiles of 128.
    assert_int_equal(plan_square(500000, NAV_TILE_CELLS_AUTO, 0, &grid, NULL), NAV_OK);
    assert_int_equal(grid.tile_cells, 256);
}

static void a_limit_holds_for_a_tile_not_for_the_level(void **state)
{
    (void)state;
    nav_grid grid;
    nav_error err = {0};
    assert_int_equal(plan_square(4000, 0, 8u << 20, &grid, &err), NAV_GRID_TOO_LARGE);
    assert_int_equal(plan_square(4000, 128, 8u << 20, &grid, &err), NAV_OK);
    assert_int_equal(plan_square(4000, 1024, 8u << 20, &grid, &err), NAV_GRID_TOO_LARGE);
    assert_string_equal(err.at, "cell_size");
}

static void too_many_tiles_are_refused_with_their_number(void **state)
{
    (void)state;
    nav_grid grid;
    nav_error err = {0};
    assert_int_equal(plan_square(65536, 16, 0, &grid, &err), NAV_GRID_TOO_LARGE);
    assert_string_equal(err.at, "tile_cells");
    assert_string_equal(err.limit, "4194304");
    assert_true(strtod(err.got, NULL) > 4194304);
    assert_true(err.suggest_cell_size > 1 && err.suggest_cell_size < 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiles_cover_the_grid),
        cmocka_unit_test(a_level_no_larger_than_a_tile_is_one_without_padding),
        cmocka_unit_test(auto_takes_one_tile_up_to_512_cells_and_what_memory_allows),
        cmocka_unit_test(a_limit_holds_for_a_tile_not_for_the_level),
        cmocka_unit_test(too_many_tiles_are_refused_with_their_number),
    };
    return cmocka_run_group_tests_name("bake_plan_tiles", tests, NULL, NULL);
}
