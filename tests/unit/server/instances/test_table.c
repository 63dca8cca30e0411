// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_table.c: rows are found by mesh and name in whatever order they came; their bytes and the
// next expiry follow each change; what has expired is taken out, and nothing else.

#include "server/instances/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// An empty state.
static instance_state *make_state(uint64_t expires_ns)
{
    nav_arena memory;
    proto_state missing = {0};
    const proto_instance_request request = {0};
    const instance_update update = {.change = &request, .replaces = true, .bytes_max = 1 << 20};
    instance_state *made = NULL;
    nav_arena_init(&memory, NULL, 0);
    assert_int_equal(instance_state_make(NULL, &update, &memory, &missing, &made, NULL), NAV_OK);
    nav_arena_free(&memory);
    made->expires_ns = expires_ns;
    return made;
}

static instance_row *add(instance_table *t, const char *mesh, const char *name, uint64_t expires_ns)
{
    instance_row *row = instance_row_create(mesh, name);
    assert_non_null(row);
    assert_int_equal(instance_table_add(t, row, NULL), NAV_OK);
    instance_table_change(t, row, make_state(expires_ns), NULL);
    return row;
}

// Result: how many there were.
static uint32_t destroy_all(instance_row *first)
{
    uint32_t count = 0;
    while (first != NULL) {
        instance_row *next = first->next;
        instance_row_release(first);
        first = next;
        count++;
    }
    return count;
}

static uint64_t sum_bytes(const instance_table *t)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < t->count; i++) {
        sum += instance_row_bytes(t->rows[i]);
    }
    return sum;
}

static void rows_are_in_order_of_mesh_and_name(void **state)
{
    (void)state;
    static const char *const wanted[] = {"a/z", "b/a", "b/b", "b/c", "ba/a"};
    instance_table t;
    instance_table_init(&t);
    assert_int_equal(instance_table_find(&t, "a", "a"), 0);
    instance_row *last = add(&t, "ba", "a", UINT64_MAX);
    instance_row *c = add(&t, "b", "c", UINT64_MAX);
    instance_row *a = add(&t, "b", "a", UINT64_MAX);
    instance_row *first = add(&t, "a", "z", UINT64_MAX);
    instance_row *b = add(&t, "b", "b", UINT64_MAX);
    assert_int_equal(t.count, 5);
    for (size_t i = 0; i < t.count; i++) {
        const char *slash = strchr(wanted[i], '/');
        assert_memory_equal(t.rows[i]->mesh, wanted[i], (size_t)(slash - wanted[i]));
        assert_string_equal(t.rows[i]->name, slash + 1);
    }
    assert_ptr_equal(instance_table_row(&t, "b", "b"), b);
    assert_null(instance_table_row(&t, "b", "bb"));
    assert_null(instance_table_row(&t, "c", "a"));
    assert_int_equal(instance_table_find(&t, "b", ""), 1);
    assert_int_equal(instance_table_find(&t, "b", "bb"), 3);
    assert_int_equal(instance_table_find(&t, "c", ""), 5);
    instance_table_remove(&t, b);
    assert_null(instance_table_row(&t, "b", "b"));
    assert_ptr_equal(instance_table_row(&t, "b", "a"), a);
    assert_ptr_equal(instance_table_row(&t, "b", "c"), c);
    assert_ptr_equal(t.rows[0], first);
    assert_ptr_equal(t.rows[3], last);
    instance_row_release(b);
    assert_int_equal(destroy_all(instance_table_take(&t, NULL, UINT64_MAX)), 4);
    assert_int_equal(t.bytes, 0);
    instance_table_free(&t);
}

static void bytes_follow_each_change(void **state)
{
    (void)state;
    instance_table t;
    instance_table_init(&t);
    instance_row *bare = instance_row_create("town", "a");
    assert_int_equal(instance_table_add(&t, bare, NULL), NAV_OK);
    assert_int_equal(t.bytes, instance_row_bytes(bare));
    const uint64_t bytes = t.bytes;
    instance_table_change(&t, bare, make_state(UINT64_MAX), NULL);
    assert_int_equal(t.bytes, bytes + bare->state->size_bytes);
    // The state before is the caller's.
    instance_state *before = bare->state;
    instance_table_change(&t, bare, make_state(UINT64_MAX), NULL);
    instance_state_release(before);
    for (char name[2] = "b"; name[0] <= 'z'; name[0]++) { // the list grows
        (void)add(&t, "town", name, UINT64_MAX);
        assert_int_equal(t.bytes, sum_bytes(&t));
    }
    instance_table_remove(&t, bare);
    instance_row_release(bare);
    assert_int_equal(t.bytes, sum_bytes(&t));
    assert_int_equal(destroy_all(instance_table_take(&t, "town", 0)), 25);
    assert_int_equal(t.bytes, 0);
    instance_table_free(&t);
}

static void what_has_expired_is_taken_and_nothing_else(void **state)
{
    (void)state;
    instance_table t;
    instance_table_init(&t);
    assert_true(t.next_expiry_ns == UINT64_MAX);
    (void)add(&t, "town", "a", 30);
    (void)add(&t, "town", "b", 10);
    (void)add(&t, "hill", "c", 20);
    (void)add(&t, "hill", "d", UINT64_MAX);
    assert_int_equal(t.next_expiry_ns, 10);
    assert_null(instance_table_take(&t, NULL, 9));
    instance_row *taken = instance_table_take(&t, NULL, 20);
    assert_string_equal(taken->name, "c");
    assert_string_equal(taken->next->name, "b");
    assert_int_equal(destroy_all(taken), 2);
    assert_int_equal(t.count, 2);
    assert_int_equal(t.next_expiry_ns, 30);
    assert_int_equal(t.bytes, sum_bytes(&t));
    // Of a mesh all go, whenever they expire.
    assert_int_equal(destroy_all(instance_table_take(&t, "town", 0)), 1);
    assert_string_equal(t.rows[0]->name, "d");
    assert_true(t.next_expiry_ns == UINT64_MAX);
    assert_int_equal(destroy_all(instance_table_take(&t, "hill", 0)), 1);
    instance_table_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_in_order_of_mesh_and_name),
        cmocka_unit_test(bytes_follow_each_change),
        cmocka_unit_test(what_has_expired_is_taken_and_nothing_else),
    };
    return cmocka_run_group_tests_name("table", tests, NULL, NULL);
}
