// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_cache.c: what was asked for last stays, the cache never holds more than it may, and
// nothing is freed early or never.

#include "server/meshes/cache.h"

#include "tests/unit/mesh_builder.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static uint64_t size_of(const nav_mesh *mesh)
{
    nav_mesh_stats stats;
    nav_mesh_stats_get(mesh, &stats);
    return stats.memory_bytes;
}

// Whether it is kept.
static bool has(mesh_cache *cache, const char *name, uint32_t version)
{
    nav_mesh *mesh = mesh_cache_acquire(cache, name, version);
    nav_mesh_release(mesh);
    return mesh != NULL;
}

static void add(mesh_cache *cache, const char *name, uint32_t version, const char *map)
{
    nav_mesh *mesh = map_mesh(map);
    mesh_cache_add(cache, name, version, mesh);
    nav_mesh_release(mesh);
}

static void the_one_not_asked_for_the_longest_goes(void **state)
{
    (void)state;
    mesh_cache *cache = mesh_cache_create(3, 1u << 20);
    add(cache, "m", 1, "..");
    add(cache, "m", 2, "..");
    add(cache, "n", 1, "..");
    assert_true(has(cache, "m", 1));
    add(cache, "m", 3, "..");
    assert_true(has(cache, "m", 1));
    assert_false(has(cache, "m", 2));
    assert_true(has(cache, "n", 1));
    assert_true(has(cache, "m", 3));
    assert_int_equal(mesh_cache_used(cache, NULL, 0).count, 3);
    // The same once more takes no second place.
    add(cache, "m", 3, "..");
    assert_true(has(cache, "m", 1));
    mesh_cache_remove(cache, "m", 0);
    assert_int_equal(mesh_cache_used(cache, NULL, 0).count, 1);
    mesh_cache_remove(cache, "n", 2);
    assert_true(has(cache, "n", 1));
    mesh_cache_remove(cache, "n", 1);
    assert_int_equal(mesh_cache_used(cache, NULL, 0).bytes, 0);
    mesh_cache_destroy(cache);
}

static void bytes_are_bounded(void **state)
{
    (void)state;
    nav_mesh *small = map_mesh(".."), *large = map_mesh("......../......../......../........");
    uint64_t bytes = size_of(large) + size_of(small);
    mesh_cache *cache = mesh_cache_create(8, bytes);
    mesh_cache_add(cache, "m", 1, small);
    mesh_cache_add(cache, "m", 2, large);
    assert_int_equal(mesh_cache_used(cache, NULL, 0).bytes, bytes);
    // Room for a second large one is made by letting both go.
    mesh_cache_add(cache, "m", 3, large);
    assert_int_equal(mesh_cache_used(cache, NULL, 0).count, 1);
    assert_true(has(cache, "m", 3));
    mesh_cache_destroy(cache);
    cache = mesh_cache_create(8, size_of(large) - 1);
    mesh_cache_add(cache, "m", 1, small);
    mesh_cache_add(cache, "m", 2, large);
    assert_false(has(cache, "m", 2));
    assert_true(has(cache, "m", 1));
    mesh_cache_destroy(cache);
    // All references but these have been given back.
    nav_mesh_release(small);
    nav_mesh_release(large);
}

typedef struct crowd {
    mesh_cache *cache;
    nav_mesh *meshes[4];
} crowd;

static void *ask_and_add(void *argument)
{
    crowd *c = argument;
    for (uint32_t i = 0; i < 2000; i++) {
        uint32_t version = i % 4;
        nav_mesh *mesh = mesh_cache_acquire(c->cache, "m", version + 1);
        if (mesh == NULL) {
            mesh_cache_add(c->cache, "m", version + 1, c->meshes[version]);
        } else {
            NAV_ASSERT(mesh == c->meshes[version]);
        }
        nav_mesh_release(mesh);
        if (i % 50 == 0) {
            mesh_cache_remove(c->cache, "m", i % 100 == 0 ? 0 : 2);
        }
    }
    return NULL;
}

static void many_threads(void **state)
{
    (void)state;
    crowd c = {.cache = mesh_cache_create(3, 1u << 20)};
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) {
        c.meshes[i] = map_mesh("..../....");
    }
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, ask_and_add, &c), 0);
    }
    for (int i = 0; i < 4; i++) {
        (void)pthread_join(threads[i], NULL);
    }
    assert_true(mesh_cache_used(c.cache, NULL, 0).count <= 3);
    mesh_cache_destroy(c.cache);
    for (int i = 0; i < 4; i++) {
        nav_mesh_release(c.meshes[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_one_not_asked_for_the_longest_goes),
        cmocka_unit_test(bytes_are_bounded),
        cmocka_unit_test(many_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
