// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_arena.c: memory is aligned, disjoint, bounded by its limit, counted and given back.
// Under the address sanitizer all that is not given out is poisoned.

// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "core/nav.h"
#include "core/base/poison.h"

#include <stdlib.h>
#include <string.h>

typedef struct ledger {
    uint32_t calls, fail_at_call; // fail_at_call 0: never
    size_t live_bytes;
} ledger;

static void *ledger_alloc(void *user, size_t size_bytes)
{
    ledger *l = user;
    if (++l->calls == l->fail_at_call) {
        return NULL;
    }
    l->live_bytes += size_bytes;
    return malloc(size_bytes);
}

static void ledger_free(void *user, void *block, size_t size_bytes)
{
    ledger *l = user;
    l->live_bytes -= size_bytes;
    free(block);
}

static nav_allocator allocator_of(ledger *l)
{
    return (nav_allocator){.alloc = ledger_alloc, .free = ledger_free, .user = l};
}

static void nothing_is_held_before_the_first_allocation(void **state)
{
    (void)state;
    ledger l = {0};
    nav_allocator allocator = allocator_of(&l);
    nav_arena arena;
    nav_arena_init(&arena, &allocator, 0);
    assert_int_equal(l.calls, 0);
    assert_int_equal(arena.held_bytes, 0);
    nav_arena_free(&arena);
    nav_arena zeroed = {0};
    nav_arena_free(&zeroed);
    assert_int_equal(l.calls, 0);
}

static void allocations_are_aligned_and_disjoint(void **state)
{
    (void)state;
    enum {
        COUNT = 400
    };
    nav_arena arena;
    nav_arena_init(&arena, NULL, 0);
    uint8_t *blocks[COUNT];
    for (size_t i = 0; i < COUNT; ++i) {
        size_t size = i * 7 % 1001;
        blocks[i] = nav_arena_alloc(&arena, size, 1);
        assert_non_null(blocks[i]);
        assert_int_equal((uintptr_t)blocks[i] % 16, 0);
        memset(blocks[i], (int)(i & 0xff), size);
    }
    for (size_t i = 0; i < COUNT; ++i) {
        size_t size = i * 7 % 1001;
        for (size_t j = 0; j < size; ++j) {
            assert_int_equal(blocks[i][j], i & 0xff);
        }
    }
    nav_arena_free(&arena);
}

static void zeroed_memory_is_zero_even_when_reused(void **state)
{
    (void)state;
    nav_arena arena;
    nav_arena_init(&arena, NULL, 0);
    nav_arena_mark mark = nav_arena_save(&arena);
    memset(nav_arena_alloc(&arena, 1000, 1), 0xee, 1000);
    nav_arena_restore(&arena, mark);
    const uint8_t *bytes = NAV_NEW_ZERO(&arena, uint8_t, 1000);
    for (int i = 0; i < 1000; ++i) {
        assert_int_equal(bytes[i], 0);
    }
    nav_arena_free(&arena);
}

static void sizes_that_overflow_are_refused(void **state)
{
    (void)state;
    ledger l = {0};
    nav_allocator allocator = allocator_of(&l);
    nav_arena arena;
    nav_arena_init(&arena, &allocator, 0);
    assert_null(nav_arena_alloc(&arena, SIZE_MAX / 2, 3));
    assert_null(nav_arena_alloc(&arena, SIZE_MAX, 1));
    assert_null(nav_arena_alloc(&arena, SIZE_MAX - 15, 1));
    assert_null(nav_arena_alloc_zero(&arena, SIZE_MAX, SIZE_MAX));
    assert_null(nav_arena_grow(&arena, NULL, 0, SIZE_MAX / 4, 8));
    assert_int_equal(l.calls, 0);
    assert_int_equal(arena.held_bytes, 0);
}

static void empty_allocations_are_places_of_their_own(void **state)
{
    (void)state;
    nav_arena arena;
    nav_arena_init(&arena, NULL, 0);
    uint32_t *empty = NAV_NEW(&arena, uint32_t, 0);
    uint32_t *other = NAV_NEW(&arena, uint32_t, 4);
    assert_non_null(empty);
    for (uint32_t i = 0; i < 4; ++i) {
        other[i] = 7;
    }
    uint32_t *grown = nav_arena_grow(&arena, empty, 0, 4, sizeof *grown);
    memset(grown, 0, 4 * sizeof *grown);
    for (uint32_t i = 0; i < 4; ++i) {
        assert_int_equal(other[i], 7);
    }
    nav_arena_free(&arena);
}

static void growing_the_newest_allocation_stays_in_place(void **state)
{
    (void)state;
    nav_arena arena;
    nav_arena_init(&arena, NULL, 0);
    uint32_t *list = NAV_NEW(&arena, uint32_t, 2);
    list[0] = 11;
    list[1] = 22;
    uint32_t *grown = nav_arena_grow(&arena, list, 2, 100, sizeof *list);
    assert_ptr_equal(grown, list);
    uint32_t *after = NAV_NEW(&arena, uint32_t, 1);
    assert_true(after >= grown + 100);
    // Now it is not the newest any more: it moves, and its contents with it.
    uint32_t *moved = nav_arena_grow(&arena, grown, 2, 200, sizeof *list);
    assert_ptr_not_equal(moved, grown);
    assert_int_equal(moved[0], 11);
    assert_int_equal(moved[1], 22);
    nav_arena_free(&arena);
}

static void growing_past_a_block_copies(void **state)
{
    (void)state;
    nav_arena arena;
    nav_arena_init(&arena, NULL, 0);
    uint32_t count = 1;
    uint32_t *list = nav_arena_grow(&arena, NULL, 0, 1, sizeof *list);
    list[0] = 0;
    while (count < 3000000) {
        list = nav_arena_grow(&arena, list, count, (size_t)count * 2, sizeof *list);
        assert_non_null(list);
        for (uint32_t i = count; i < 2 * count; ++i) {
            list[i] = i;
        }
        count *= 2;
    }
    for (uint32_t i = 0; i < count; ++i) {
        if (list[i] != i) {
            fail_msg("element %u became %u", i, list[i]);
        }
    }
    nav_arena_free(&arena);
    assert_int_equal(arena.held_bytes, 0);
}

static void a_limit_is_never_passed(void **state)
{
    (void)state;
    ledger l = {0};
    nav_allocator allocator = allocator_of(&l);
    nav_arena arena;
    nav_arena_init(&arena, &allocator, 100000);
    assert_null(nav_arena_alloc(&arena, 100000, 1)); // the block's own head does not fit
    size_t got = 0;
    while (nav_arena_alloc(&arena, 1000, 1) != NULL) {
        got++;
        assert_true(l.live_bytes <= 100000);
        assert_int_equal(l.live_bytes, arena.held_bytes);
    }
    // Blocks shrink to what room is left, so that little of the limit is wasted.
    assert_in_range(got, 94, 99);
    nav_arena_free(&arena);
    assert_int_equal(l.live_bytes, 0);
    assert_non_null(nav_arena_alloc(&arena, 1000, 1)); // and it can be used again
    nav_arena_free(&arena);
}

static void regrowing_gives_back_what_it_copied(void **state)
{
    (void)state;
    ledger l = {0};
    nav_allocator allocator = allocator_of(&l);
    nav_arena parent, list;
    nav_arena_init(&parent, &allocator, 100000);
    nav_arena_init_child(&list, &parent);
    uint32_t *items = NULL, count = 0;
    for (uint32_t capacity = 10; capacity <= 10000; capacity *= 10) {
        items = nav_arena_regrow(&list, items, count, capacity, sizeof *items);
        assert_non_null(items);
        for (uint32_t i = 0; i < count; ++i) {
            assert_int_equal(items[i], i);
        }
        for (; count < capacity; ++count) {
            items[count] = count;
        }
        assert_in_range(l.live_bytes, 4 * (size_t)capacity, 4 * (size_t)capacity + 5000);
    }
    // An item that does not fit leaves the list as it is.
    assert_null(nav_arena_regrow(&list, items, count, 20000, sizeof *items));
    assert_true(list.at_limit && parent.at_limit);
    assert_int_equal(items[9999], 9999);
    nav_arena_free(&list);
    assert_int_equal(l.live_bytes, 0);
}

static void a_limit_smaller_than_a_block_head_holds_nothing(void **state)
{
    (void)state;
    nav_arena arena;
    nav_arena_init(&arena, NULL, 8);
    assert_null(nav_arena_alloc(&arena, 1, 1));
    assert_int_equal(arena.held_bytes, 0);
}

static void children_count_against_their_parent(void **state)
{
    (void)state;
    ledger l = {0};
    nav_allocator allocator = allocator_of(&l);
    nav_arena parent, child, grandchild;
    nav_arena_init(&parent, &allocator, 1000000);
    nav_arena_init_child(&child, &parent);
    nav_arena_init_child(&grandchild, &child);
    assert_non_null(nav_arena_alloc(&parent, 300000, 1));
    assert_non_null(nav_arena_alloc(&grandchild, 300000, 1));
    assert_int_equal(child.held_bytes, grandchild.held_bytes);
    assert_int_equal(parent.held_bytes, l.live_bytes);
    assert_null(nav_arena_alloc(&child, 500000, 1)); // 600,000 are gone
    nav_arena_free(&grandchild);
    assert_non_null(nav_arena_alloc(&child, 500000, 1));
    nav_arena_free(&child);
    assert_int_equal(parent.held_bytes, l.live_bytes);
    assert_in_range(parent.peak_bytes, 800000, 1000000);
    nav_arena_free(&parent);
    assert_int_equal(l.live_bytes, 0);
    assert_int_equal(parent.held_bytes, 0);
}

static void restore_gives_back_what_came_after(void **state)
{
    (void)state;
    ledger l = {0};
    nav_allocator allocator = allocator_of(&l);
    nav_arena arena;
    nav_arena_init(&arena, &allocator, 0);
    uint8_t *kept = nav_arena_alloc(&arena, 100, 1);
    memset(kept, 5, 100);
    nav_arena_mark mark = nav_arena_save(&arena);
    size_t held_bytes = arena.held_bytes;
    const void *first = nav_arena_alloc(&arena, 100, 1);
    for (int i = 0; i < 10; ++i) {
        memset(nav_arena_alloc(&arena, 100000, 1), 9, 100000);
    }
    assert_true(arena.held_bytes > held_bytes + 1000000);
    nav_arena_restore(&arena, mark);
    assert_int_equal(arena.held_bytes, held_bytes);
    assert_int_equal(l.live_bytes, held_bytes);
    assert_ptr_equal(nav_arena_alloc(&arena, 100, 1), first);
    for (int i = 0; i < 100; ++i) {
        assert_int_equal(kept[i], 5);
    }
    nav_arena_free(&arena);
}

static void restore_to_empty_keeps_one_block_for_reuse(void **state)
{
    (void)state;
    ledger l = {0};
    nav_allocator allocator = allocator_of(&l);
    nav_arena arena;
    nav_arena_init(&arena, &allocator, 0);
    nav_arena_mark mark = nav_arena_save(&arena);
    for (int round = 0; round < 5; ++round) {
        assert_non_null(nav_arena_alloc(&arena, 1000, 1));
        nav_arena_restore(&arena, mark);
    }
    assert_int_equal(l.calls, 1);
    nav_arena_free(&arena);
    assert_int_equal(l.live_bytes, 0);
}

static void reset_keeps_all_room_in_one_block(void **state)
{
    (void)state;
    ledger l = {0};
    nav_allocator allocator = allocator_of(&l);
    nav_arena arena;
    nav_arena_init(&arena, &allocator, 0);
    nav_arena_reset(&arena);
    assert_int_equal(l.calls, 0);
    for (int round = 0; round < 5; ++round) {
        for (int i = 0; i < 20; ++i) {
            assert_non_null(nav_arena_alloc(&arena, 3000, 1));
        }
        // The first round takes several blocks, and the reset after it their sum; then no more.
        nav_arena_reset(&arena);
        assert_true(arena.held_bytes >= 60000);
        l.calls = round == 0 ? 0 : l.calls;
    }
    assert_int_equal(l.calls, 0);
    // Where the one block cannot be had, the arena is empty and grows again.
    for (int i = 0; i < 1000; ++i) {
        assert_non_null(nav_arena_alloc(&arena, 3000, 1));
    }
    l.fail_at_call = l.calls + 1;
    nav_arena_reset(&arena);
    assert_int_equal(arena.held_bytes, 0);
    assert_int_equal(l.live_bytes, 0);
    assert_non_null(nav_arena_alloc(&arena, 3000, 1));
    nav_arena_free(&arena);
    assert_int_equal(l.live_bytes, 0);
}

#ifdef NAV_POISON

static void *the_one_block(void *user, size_t size_bytes)
{
    assert_true(size_bytes <= 100000);
    return user;
}

static void nothing(void *user, void *block, size_t size_bytes)
{
    (void)user;
    (void)block;
    (void)size_bytes;
}

static bool all_poisoned(const uint8_t *memory, size_t size_bytes)
{
    for (size_t i = 0; i < size_bytes; ++i) {
        if (!__asan_address_is_poisoned(memory + i)) {
            return false;
        }
    }
    return true;
}

static bool none_poisoned(const void *memory, size_t size_bytes)
{
    return __asan_region_is_poisoned((void *)(uintptr_t)memory, size_bytes) == NULL;
}

static void only_what_is_given_out_may_be_touched(void **state)
{
    (void)state;
    nav_arena arena;
    nav_arena_init(&arena, NULL, 0);
    const uint8_t *first = nav_arena_alloc(&arena, 21, 1);
    const uint8_t *second = nav_arena_alloc(&arena, 16, 1);
    assert_true(none_poisoned(first, 21));
    assert_true(all_poisoned(first + 21, (size_t)(second - first) - 21));
    assert_true(second - first >= 21 + 16);
    assert_true(none_poisoned(second, 16));
    assert_true(all_poisoned(second + 16, 1000));
    // One that grows in place takes the red zone behind it, and has another one.
    second = nav_arena_grow(&arena, (void *)(uintptr_t)second, 16, 500, 1);
    assert_true(none_poisoned(second, 500));
    assert_true(all_poisoned(second + 500, 100));
    assert_true(all_poisoned(nav_arena_alloc(&arena, 0, 8), 16));
    nav_arena_free(&arena);
}

static void what_is_taken_back_may_not_be_touched(void **state)
{
    (void)state;
    nav_arena arena;
    nav_arena_init(&arena, NULL, 0);
    const uint8_t *kept = nav_arena_alloc(&arena, 100, 1);
    const nav_arena_mark mark = nav_arena_save(&arena);
    const uint8_t *dropped = nav_arena_alloc(&arena, 100, 1);
    nav_arena_restore(&arena, mark);
    assert_true(none_poisoned(kept, 100));
    assert_true(all_poisoned(dropped, 100));
    assert_ptr_equal(nav_arena_alloc(&arena, 40, 1), dropped);
    assert_true(none_poisoned(dropped, 40));
    assert_true(all_poisoned(dropped + 40, 60));
    nav_arena_reset(&arena);
    assert_true(all_poisoned(kept, 100));
    assert_true(all_poisoned(dropped, 100));
    nav_arena_free(&arena);
}

// An allocator of the caller's gets its blocks back whole: it may look at them.
static void blocks_are_given_back_clean(void **state)
{
    (void)state;
    uint8_t *block = malloc(100000);
    nav_allocator one = {.alloc = the_one_block, .free = nothing, .user = block};
    nav_arena arena;
    nav_arena_init(&arena, &one, 100000);
    assert_non_null(nav_arena_alloc(&arena, 1000, 1));
    assert_false(none_poisoned(block, 100000));
    nav_arena_free(&arena);
    assert_true(none_poisoned(block, 100000));
    free(block);
}

#endif

static void a_failing_allocator_leaves_the_arena_usable(void **state)
{
    (void)state;
    ledger l = {.fail_at_call = 2};
    nav_allocator allocator = allocator_of(&l);
    nav_arena arena;
    nav_arena_init(&arena, &allocator, 0);
    uint8_t *kept = nav_arena_alloc(&arena, 60000, 1);
    memset(kept, 3, 60000);
    size_t held_bytes = arena.held_bytes;
    assert_null(nav_arena_grow(&arena, kept, 60000, 600000, 1));
    assert_int_equal(arena.held_bytes, held_bytes);
    uint8_t *grown = nav_arena_grow(&arena, kept, 60000, 600000, 1);
    assert_non_null(grown);
    assert_int_equal(grown[0], 3);
    assert_int_equal(grown[59999], 3);
    nav_arena_free(&arena);
    assert_int_equal(l.live_bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_held_before_the_first_allocation),
        cmocka_unit_test(allocations_are_aligned_and_disjoint),
        cmocka_unit_test(zeroed_memory_is_zero_even_when_reused),
        cmocka_unit_test(sizes_that_overflow_are_refused),
        cmocka_unit_test(empty_allocations_are_places_of_their_own),
        cmocka_unit_test(growing_the_newest_allocation_stays_in_place),
        cmocka_unit_test(growing_past_a_block_copies),
        cmocka_unit_test(a_limit_is_never_passed),
        cmocka_unit_test(regrowing_gives_back_what_it_copied),
        cmocka_unit_test(a_limit_smaller_than_a_block_head_holds_nothing),
        cmocka_unit_test(children_count_against_their_parent),
        cmocka_unit_test(restore_gives_back_what_came_after),
        cmocka_unit_test(restore_to_empty_keeps_one_block_for_reuse),
        cmocka_unit_test(reset_keeps_all_room_in_one_block),
        cmocka_unit_test(a_failing_allocator_leaves_the_arena_usable),
#ifdef NAV_POISON
        cmocka_unit_test(only_what_is_given_out_may_be_touched),
        cmocka_unit_test(what_is_taken_back_may_not_be_touched),
        cmocka_unit_test(blocks_are_given_back_clean),
#endif
    };
    return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
