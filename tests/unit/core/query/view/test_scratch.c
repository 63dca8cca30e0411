// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_scratch.c: a scratch grows to the largest mesh and then takes no more memory; where it
// cannot grow, what it had is kept; and its stamps may come round.

#include "core/base/poison.h"
#include "core/query/view/scratch.h"
#include "tests/unit/counting_allocator.h"
#include "tests/unit/mesh_builder.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

static const nav_snap SNAP = {.horizontal = 2.0f, .up = 4.0f, .down = 4.0f};

static nav_path ask(const nav_mesh *mesh, nav_scratch *scratch, float ax, float az, float bx,
                    float bz)
{
    const nav_path_request request = {.start = {ax, 0.0f, az},
                                      .end = {bx, 0.0f, bz},
                                      .options.snap = SNAP,
                                      .search = NAV_SEARCH_FAST};
    nav_path path;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    return path;
}

static void warm_scratch_does_not_allocate(void **state)
{
    (void)state;
    counting counted = {.calls_max = 100};
    const nav_allocator allocator = counting_allocator(&counted);
    nav_mesh *large = map_mesh("....../....../......");
    nav_mesh *small = map_mesh("...");
    nav_scratch *scratch;
    assert_int_equal(nav_scratch_create(&allocator, &scratch), NAV_OK);
    ask(small, scratch, 0.5f, 0.5f, 2.5f, 0.5f);
    ask(large, scratch, 0.5f, 0.5f, 5.5f, 2.5f);
    const uint32_t warm = counted.calls;
    assert_int_equal(warm, 5); // itself, and for each size a block and a corridor
    for (int i = 0; i < 100; ++i) {
        nav_path path = ask(i % 2 == 0 ? large : small, scratch, 0.5f, 0.5f, 2.5f, 0.5f);
        assert_int_equal(path.status, NAV_PATH_COMPLETE);
        assert_near(path.cost, 2.0, 1e-9);
    }
    assert_int_equal(counted.calls, warm);
    nav_scratch_destroy(scratch);
    assert_int_equal(counted.held_bytes, 0);
    nav_mesh_release(large);
    nav_mesh_release(small);
}

// The scratch, its block and its corridor, each for the small mesh and for the large one.
static void no_memory_is_an_answer_after(uint32_t calls_max)
{
    counting counted = {.calls_max = calls_max};
    const nav_allocator allocator = counting_allocator(&counted);
    nav_mesh *small = map_mesh("..");
    nav_mesh *large = map_mesh("......");
    nav_scratch *scratch;
    assert_int_equal(nav_scratch_create(&allocator, &scratch), NAV_OK);
    nav_path path = ask(small, scratch, 0.5f, 0.5f, 1.5f, 0.5f);
    assert_int_equal(path.status, NAV_PATH_COMPLETE);
    const nav_path_request request = {
        .start = {0.5f, 0, 0.5f}, .end = {5.5f, 0, 0.5f}, .options.snap = SNAP};
    assert_int_equal(nav_query_path(large, scratch, &request, &path), NAV_NO_MEMORY);
    // The memory that it had is kept: the small mesh can still be asked.
    path = ask(small, scratch, 0.5f, 0.5f, 1.5f, 0.5f);
    assert_int_equal(path.status, NAV_PATH_COMPLETE);
    nav_scratch_destroy(scratch);
    nav_scratch_destroy(NULL);
    assert_int_equal(counted.held_bytes, 0);
    counting none = {.calls_max = 0};
    const nav_allocator empty = counting_allocator(&none);
    assert_int_equal(nav_scratch_create(&empty, &scratch), NAV_NO_MEMORY);
    nav_mesh_release(small);
    nav_mesh_release(large);
}

static void no_memory_is_an_answer(void **state)
{
    (void)state;
    no_memory_is_an_answer_after(3); // no other block
    no_memory_is_an_answer_after(4); // no other corridor
}

// When the stamps come round to the ones in old nodes, those must not count as visited.
static void stamps_come_round(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh("..#/.../#..");
    nav_scratch *scratch = NULL;
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    double before = ask(mesh, scratch, 0.5f, 0.5f, 2.5f, 2.5f).cost;
    scratch->stamp = UINT32_MAX - 1; // stamps are even
    for (int i = 0; i < 4; ++i) {
        assert_near(ask(mesh, scratch, 0.5f, 0.5f, 2.5f, 2.5f).cost, before, 0.0);
    }
    assert_int_equal(scratch->stamp, 8);
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
}

#ifdef NAV_POISON

// The arrays share blocks; an index past the end of one must not reach the next.
static void arrays_have_red_zones(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh("..#/.../#..");
    nav_scratch *scratch = NULL;
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    ask(mesh, scratch, 0.5f, 0.5f, 2.5f, 2.5f);
    assert_true(__asan_address_is_poisoned(scratch->labels.nodes + scratch->portal_capacity));
    assert_true(__asan_address_is_poisoned(scratch->corridor.portals + scratch->corridor.capacity));
    assert_true(nav_scratch_begin_polygons(scratch, 7));
    assert_true(__asan_address_is_poisoned(scratch->flood.marks + 7));
    assert_true(__asan_address_is_poisoned(scratch->flood.list + 7));
    // A list that is shorter than the one before it ends where it was asked to.
    uint8_t *list = nav_scratch_list(scratch, 100);
    assert_false(__asan_address_is_poisoned(list + 99));
    assert_ptr_equal(nav_scratch_list(scratch, 40), list);
    assert_false(__asan_address_is_poisoned(list + 39));
    assert_true(__asan_address_is_poisoned(list + 40));
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(warm_scratch_does_not_allocate),
        cmocka_unit_test(no_memory_is_an_answer),
        cmocka_unit_test(stamps_come_round),
#ifdef NAV_POISON
        cmocka_unit_test(arrays_have_red_zones),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
