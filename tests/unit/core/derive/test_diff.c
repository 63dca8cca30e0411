// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_diff.c: islands that came, went, grew, were cut off or joined are told, and nothing
// else.

#include "tests/unit/mesh_builder.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static const nav_snap SNAP = {.horizontal = 0.1f, .up = 0.5f, .down = 0.5f};

typedef struct fixture {
    nav_mesh *before, *after;
    nav_arena arena;
    nav_mesh_diff diff;
} fixture;

static void compare(fixture *f, const char *before, const char *after)
{
    f->before = map_mesh(before);
    f->after = map_mesh(after);
    nav_arena_init(&f->arena, NULL, 0);
    assert_int_equal(nav_mesh_compare(f->before, f->after, SNAP, &f->arena, &f->diff, NULL),
                     NAV_OK);
}

static void done(fixture *f)
{
    nav_arena_free(&f->arena);
    nav_mesh_release(f->before);
    nav_mesh_release(f->after);
}

static void the_same_is_no_change(void **state)
{
    (void)state;
    fixture f;
    compare(&f, "..#..", "..#..");
    assert_int_equal(f.diff.island_count, 0);
    done(&f);
}

static void one_came_and_one_went(void **state)
{
    (void)state;
    fixture f;
    compare(&f, "..###..", "..#.###");
    assert_int_equal(f.diff.island_count, 2);
    const nav_island_change *went = &f.diff.islands[0], *came = &f.diff.islands[1];
    assert_int_equal(went->after.component, 0);
    assert_false(went->shared);
    assert_near(went->before.area, 2.0, 1e-9);
    assert_near(went->before.min[0], 5.0f, 1e-6);
    assert_near(went->before.max[0], 7.0f, 1e-6);
    assert_int_equal(went->before.polygons, 2);
    assert_int_equal(came->before.component, 0);
    assert_false(came->shared);
    assert_near(came->after.area, 1.0, 1e-9);
    assert_near(came->after.min[0], 3.0f, 1e-6);
    done(&f);
}

static void one_grew(void **state)
{
    (void)state;
    fixture f;
    compare(&f, "..#..", "..#...");
    assert_int_equal(f.diff.island_count, 1);
    assert_near(f.diff.islands[0].before.area, 2.0, 1e-9);
    assert_near(f.diff.islands[0].after.area, 3.0, 1e-9);
    assert_near(f.diff.islands[0].after.max[0], 6.0f, 1e-6);
    done(&f);
}

// A bridge that breaks: the larger part is what is left of the island, the smaller one is new.
static void one_was_cut_off(void **state)
{
    (void)state;
    fixture f;
    compare(&f, "......", "...#..");
    assert_int_equal(f.diff.island_count, 2);
    assert_near(f.diff.islands[0].before.area, 6.0, 1e-9);
    assert_near(f.diff.islands[0].after.area, 3.0, 1e-9);
    assert_int_equal(f.diff.islands[1].before.component, 0);
    assert_true(f.diff.islands[1].shared);
    assert_near(f.diff.islands[1].after.area, 2.0, 1e-9);
    done(&f);
    compare(&f, "...#..", "......");
    assert_int_equal(f.diff.island_count, 2);
    assert_near(f.diff.islands[0].after.area, 6.0, 1e-9);
    assert_int_equal(f.diff.islands[1].after.component, 0);
    assert_true(f.diff.islands[1].shared);
    done(&f);
}

static void empty_meshes_and_little_memory(void **state)
{
    (void)state;
    fixture f;
    assert_int_equal(nav_mesh_create(NULL, 0, NULL, NULL, &f.before, NULL, NULL), NAV_OK);
    f.after = map_mesh("..#..");
    nav_arena_init(&f.arena, NULL, 0);
    assert_int_equal(nav_mesh_compare(f.before, f.after, SNAP, &f.arena, &f.diff, NULL), NAV_OK);
    assert_int_equal(f.diff.island_count, 2);
    assert_int_equal(nav_mesh_compare(f.after, f.before, SNAP, &f.arena, &f.diff, NULL), NAV_OK);
    assert_int_equal(f.diff.island_count, 2);
    assert_int_equal(nav_mesh_compare(f.before, f.before, SNAP, &f.arena, &f.diff, NULL), NAV_OK);
    assert_int_equal(f.diff.island_count, 0);
    nav_arena_free(&f.arena);
    nav_arena_init(&f.arena, NULL, 64);
    nav_error err = {0};
    assert_int_equal(nav_mesh_compare(f.after, f.after, SNAP, &f.arena, &f.diff, &err),
                     NAV_NO_MEMORY);
    done(&f);
}

static void bounds_of_a_tile(void **state)
{
    (void)state;
    builder b;
    float min[3], max[3];
    builder_init(&b);
    builder_rectangle(&b, 2, 3, 5, 7, 1);
    nav_blob blob = builder_blob(&b);
    assert_int_equal(nav_tile_bounds(blob, min, max, NULL), NAV_OK);
    assert_true(min[0] == 2.0f && min[1] == 1.0f && min[2] == 3.0f);
    assert_true(max[0] == 5.0f && max[1] == 1.0f && max[2] == 7.0f);
    blob.size_bytes -= 16;
    assert_int_equal(nav_tile_bounds(blob, min, max, NULL), NAV_BAD_BLOB);
    builder_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_is_no_change),
        cmocka_unit_test(one_came_and_one_went),
        cmocka_unit_test(one_grew),
        cmocka_unit_test(one_was_cut_off),
        cmocka_unit_test(empty_meshes_and_little_memory),
        cmocka_unit_test(bounds_of_a_tile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
