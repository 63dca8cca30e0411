// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_registry.c: readers get a whole mesh or none, old news is dropped, nothing is freed early or
// never.

#include "server/meshes/registry.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static atomic_int blocks; // allocated and not yet freed, of all meshes

static void *counted_alloc(void *user, size_t size_bytes)
{
    (void)user;
    atomic_fetch_add(&blocks, 1);
    return malloc(size_bytes);
}

static void counted_free(void *user, void *block, size_t size_bytes)
{
    (void)user;
    (void)size_bytes;
    atomic_fetch_sub(&blocks, 1);
    free(block);
}

static nav_mesh *make_mesh(void)
{
    const nav_allocator allocator = {.alloc = counted_alloc, .free = counted_free};
    nav_mesh *mesh = NULL;
    assert_int_equal(nav_mesh_create(NULL, 0, NULL, &allocator, &mesh, NULL, NULL), NAV_OK);
    assert_true(atomic_load(&blocks) > 0);
    return mesh;
}

// Publishes a new mesh, of which only the registry keeps a reference.
static void publish(registry *r, const char *name, uint32_t version, uint64_t activation)
{
    nav_mesh *mesh = make_mesh();
    assert_int_equal(registry_reserve(r, name, NULL), NAV_OK);
    registry_publish(r, name, version, activation, mesh);
    nav_mesh_release(mesh);
}

static uint32_t live(registry *r, const char *name)
{
    uint32_t version = 0;
    nav_mesh *mesh = registry_acquire(r, name, &version);
    nav_mesh_release(mesh);
    return mesh != NULL ? version : 0;
}

static void the_newest_activation_wins(void **state)
{
    (void)state;
    registry *r = registry_create();
    assert_int_equal(live(r, "town"), 0);
    publish(r, "town", 3, 2);
    publish(r, "town", 2, 1); // comes late
    assert_int_equal(live(r, "town"), 3);
    publish(r, "town", 1, 3); // a roll-back is news
    assert_int_equal(live(r, "town"), 1);
    registry_publish(r, "town", 0, 5, NULL);
    assert_int_equal(live(r, "town"), 0);
    publish(r, "town", 9, 4); // baked before the removal
    assert_int_equal(live(r, "town"), 0);
    registry_destroy(r);
    assert_int_equal(atomic_load(&blocks), 0);
}

// One that was repaired while it is live.
static void the_same_version_again_takes_its_place(void **state)
{
    (void)state;
    uint32_t version;
    registry *r = registry_create();
    publish(r, "town", 3, 2);
    nav_mesh *before = registry_acquire(r, "town", &version);
    publish(r, "town", 3, 2);
    nav_mesh *after = registry_acquire(r, "town", &version);
    assert_ptr_not_equal(before, after);
    publish(r, "town", 4, 2); // not of the same moment
    assert_int_equal(live(r, "town"), 3);
    publish(r, "town", 3, 1);
    nav_mesh *still = registry_acquire(r, "town", &version);
    assert_ptr_equal(still, after);
    nav_mesh_release(before);
    nav_mesh_release(after);
    nav_mesh_release(still);
    registry_publish(r, "town", 0, 5, NULL);
    publish(r, "town", 3, 5); // removed
    assert_int_equal(live(r, "town"), 0);
    registry_destroy(r);
    assert_int_equal(atomic_load(&blocks), 0);
}

static void a_reader_keeps_what_it_has(void **state)
{
    (void)state;
    registry *r = registry_create();
    uint32_t version;
    publish(r, "town", 1, 1);
    nav_mesh *kept = registry_acquire(r, "town", &version);
    assert_non_null(kept);
    registry_publish(r, "town", 0, 2, NULL);
    registry_destroy(r);
    nav_mesh_stats stats;
    nav_mesh_stats_get(kept, &stats);
    assert_int_equal(stats.polygons, 0);
    assert_true(atomic_load(&blocks) > 0);
    nav_mesh_release(kept);
    assert_int_equal(atomic_load(&blocks), 0);
}

static void the_list_is_in_order_of_names(void **state)
{
    (void)state;
    registry *r = registry_create();
    registry_entry *entries;
    size_t count;
    // More than the first allocation holds, added backwards.
    for (int i = 39; i >= 0; i--) {
        char name[16];
        (void)snprintf(name, sizeof name, "m%02d", i);
        publish(r, name, (uint32_t)i + 1, 1);
    }
    registry_publish(r, "m05", 0, 2, NULL);
    assert_int_equal(registry_list(r, &entries, &count), NAV_OK);
    assert_int_equal(count, 39);
    assert_string_equal(entries[4].name, "m04");
    assert_string_equal(entries[5].name, "m06");
    assert_int_equal(entries[38].version, 40);
    registry_list_free(entries, count);
    for (int i = 0; i < 40; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "m%02d", i);
        assert_int_equal(live(r, name), i == 5 ? 0 : i + 1);
    }
    registry_destroy(r);
    assert_int_equal(atomic_load(&blocks), 0);
}

#define SWAPS 2000u

static void *read_often(void *user)
{
    uint32_t last = 0;
    while (last < SWAPS) {
        uint32_t version = 0;
        nav_mesh *mesh = registry_acquire(user, "town", &version);
        if (mesh == NULL || version < last) {
            nav_mesh_release(mesh);
            return user; // never none, never backwards
        }
        last = version;
        nav_mesh_release(mesh);
    }
    return NULL;
}

static void swaps_under_readers(void **state)
{
    (void)state;
    registry *r = registry_create();
    pthread_t readers[2];
    publish(r, "town", 1, 1);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pthread_create(&readers[i], NULL, read_often, r), 0);
    }
    for (uint32_t i = 2; i <= SWAPS; i++) {
        publish(r, "town", i, i);
    }
    for (int i = 0; i < 2; i++) {
        void *wrong;
        assert_int_equal(pthread_join(readers[i], &wrong), 0);
        assert_null(wrong);
    }
    registry_destroy(r);
    assert_int_equal(atomic_load(&blocks), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_newest_activation_wins),
        cmocka_unit_test(the_same_version_again_takes_its_place),
        cmocka_unit_test(a_reader_keeps_what_it_has),
        cmocka_unit_test(the_list_is_in_order_of_names),
        cmocka_unit_test(swaps_under_readers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
