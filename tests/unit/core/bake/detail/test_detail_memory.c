// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_detail_memory.c: the height detail can be cancelled, and memory may end anywhere in it:
// a status, and nothing half done.

#include "tests/unit/bake_detail_fixture.h"
#include "tests/unit/counting_allocator.h"

static bool cancel(void *user)
{
    (void)user;
    return true;
}

static void it_can_be_cancelled(void **state)
{
    (void)state;
    fixture *f = make(dome_world);
    add_rectangle(f, 1, 8, 56, (int32_t[]){20, 20, 20, 20});
    f->cancel.hook = cancel;
    nav_error err = {0};
    f->job.err = &err;
    assert_int_equal(nav_bake_detail(&f->job, &f->field, &f->polygons, &f->detail), NAV_CANCELLED);
    assert_int_equal(err.status, NAV_CANCELLED);
    assert_null(f->detail.triangle_first);
    destroy(f);
}

static void memory_may_end_at_any_call(void **state)
{
    (void)state;
    fixture *f = make(dome_world);
    f->config.detail_sample_distance = 0.9f;
    f->config.detail_max_error = 0;
    add_rectangle(f, 1, 2, 62, (int32_t[]){20, 20, 20, 20});
    nav_status status = NAV_NO_MEMORY;
    uint32_t failures = 0;
    for (uint32_t allowed = 0; status != NAV_OK; allowed++) {
        counting counted = {.calls_max = allowed};
        nav_allocator allocator = counting_allocator(&counted);
        nav_arena_free(&f->arena);
        nav_arena_init(&f->arena, &allocator, 0);
        f->detail = (nav_detail){0};
        status = nav_bake_detail(&f->job, &f->field, &f->polygons, &f->detail);
        failures += status == NAV_NO_MEMORY;
        assert_true(status == NAV_OK || status == NAV_NO_MEMORY);
        assert_true((f->detail.triangle_first != NULL) == (status == NAV_OK));
        nav_arena_free(&f->arena);
    }
    assert_true(failures >= 3);
    destroy(f);
}

// Every byte limit in steps smaller than any array: the failure moves through all allocations.
static void memory_may_end_at_any_size(void **state)
{
    (void)state;
    fixture *f = make(dome_world);
    add_rectangle(f, 1, 2, 62, (int32_t[]){20, 20, 20, 20});
    nav_status status = NAV_NO_MEMORY;
    for (size_t limit_bytes = 256; status != NAV_OK; limit_bytes += 256) {
        nav_arena_free(&f->arena);
        nav_arena_init(&f->arena, NULL, limit_bytes);
        status = nav_bake_detail(&f->job, &f->field, &f->polygons, &f->detail);
        assert_true(status == NAV_OK || status == NAV_NO_MEMORY);
        assert_true(limit_bytes > 2048 || status == NAV_NO_MEMORY);
    }
    destroy(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_can_be_cancelled),
        cmocka_unit_test(memory_may_end_at_any_call),
        cmocka_unit_test(memory_may_end_at_any_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
