// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_tiles.c: tiles are there while their bake runs, once for all versions that have them,
// and go with the last one.

#include "server/store/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/store_fixture.h"

static void tiles_are_there_while_the_bake_runs(void **state)
{
    store_fixture *f = *state;
    store_fixture_add(f->disk, "town", 'a', true);
    store_fixture_add(f->disk, "town", 'b', true);
    const store_tile batch[] = {store_fixture_tile(1, 11), store_fixture_tile(2, 0)};
    assert_int_equal(store_tiles_put(f->disk, "town", 1, batch, 2, NULL), NAV_OK);
    store_fixture_open(f); // as after a kill: the version still waits, its tiles are there
    store_tile tile;
    assert_true(store_fixture_find(f->disk, "town", 2, false, 1, &tile));
    assert_int_equal(tile.x, 77);
    assert_int_equal(tile.hash[0], 11);
    assert_int_equal(tile.bytes, 60);
    assert_memory_equal(tile.packed, "packed", 6);
    assert_memory_equal(tile.report, "report", 6);
    store_tile_empty(&tile);
    // One without ground has no blob, and is found all the same.
    assert_true(store_fixture_find(f->disk, "town", 2, false, 2, &tile));
    assert_int_equal(tile.bytes, 0);
    assert_null(tile.packed);
    store_tile_empty(&tile);
    assert_false(store_fixture_has(f->disk, "town", 1, false, 3));
    assert_true(store_fixture_has(f->disk, "town", 1, true, 1));
    assert_false(store_fixture_has(f->disk, "town", 2, true, 1));
    assert_false(store_fixture_has(f->disk, "yard", 1, true, 1));
    // Tiles of an unfinished bake are stored once more when it ends.
    store_result result = store_fixture_result(batch, 1);
    result.tiles_reused = 2;
    uint64_t activation;
    assert_int_equal(store_version_ready(f->disk, "town", 1, &result, &activation, NULL), NAV_OK);
    store_version row = {0};
    assert_int_equal(store_version_get(f->disk, "town", 1, &row, NULL), NAV_OK);
    assert_int_equal(row.tiles_reused, 2);
    store_version_free(&row);
    assert_int_equal(store_tiles_put(f->disk, "town", 1, batch, 2, NULL), NAV_CANCELLED);
    assert_int_equal(store_tiles_put(f->disk, "none", 1, batch, 2, NULL), NAV_CANCELLED);
}

static void tiles_go_with_the_last_version_that_has_them(void **state)
{
    store_fixture *f = *state;
    store_fixture_add(f->disk, "town", 'a', true);
    store_fixture_add(f->disk, "town", 'b', true);
    store_fixture_add(f->disk, "yard", 'c', true);
    const store_tile first[] = {store_fixture_tile(1, 11), store_fixture_tile(2, 12)};
    const store_tile second[] = {store_fixture_tile(2, 12), store_fixture_tile(3, 13)};
    assert_int_equal(store_tiles_put(f->disk, "town", 1, first, 2, NULL), NAV_OK);
    assert_int_equal(store_tiles_put(f->disk, "town", 2, second, 2, NULL), NAV_OK);
    assert_int_equal(store_tiles_put(f->disk, "yard", 1, second, 2, NULL), NAV_OK);
    bool cancelled;
    assert_int_equal(store_version_cancel(f->disk, "town", 1, &cancelled, NULL), NAV_OK);
    assert_true(cancelled);
    assert_false(store_fixture_has(f->disk, "", 0, false, 1));
    assert_true(store_fixture_has(f->disk, "", 0, false, 2));
    const nav_error why = {.status = NAV_TILE_TOO_COMPLEX};
    assert_int_equal(store_version_failed(f->disk, "town", 2, &why, NULL), NAV_OK);
    assert_true(store_fixture_has(f->disk, "", 0, false, 3));
    uint64_t activation;
    assert_int_equal(store_mesh_delete(f->disk, "yard", false, &activation, NULL), NAV_OK);
    assert_false(store_fixture_has(f->disk, "", 0, false, 2));
    assert_false(store_fixture_has(f->disk, "", 0, false, 3));
    // A tile that was taken from the store brings its blob, should that have gone meanwhile.
    store_fixture_add(f->disk, "town", 'd', true);
    store_tile taken = store_fixture_tile(3, 13);
    taken.reused = true;
    assert_int_equal(store_tiles_put(f->disk, "town", 3, &taken, 1, NULL), NAV_OK);
    assert_true(store_fixture_has(f->disk, "", 0, false, 3));
}

// Tiles of further agents lie behind those of the default one, each in its place, and together are
// what the version names.
static void each_agent_has_its_tiles(void **state)
{
    store_fixture *f = *state;
    store_tile tiles[5], *loaded;
    char json[2][256], hex[2][65], words[STORE_TILE_WORDS_BYTES];
    uint8_t name[32];
    size_t count, own;
    uint64_t activation;
    store_fixture_add(f->disk, "town", 'a', true);
    for (uint32_t i = 0; i < 5; i++) { // default: 0,0 1,0; agent 1: 0,0 1,0; agent 16: 1,0
        tiles[i] = store_fixture_tile((uint8_t)(1 + i), (uint8_t)(11 + i));
        tiles[i].agent = i == 4 ? NAV_AGENTS_MAX : i / 2;
        tiles[i].x = i == 4 ? 1 : i % 2;
        tiles[i].z = 0;
    }
    store_tiles_name(tiles, 2, name);
    nav_sha256_hex(name, hex[0]);
    (void)snprintf(json[0], sizeof json[0], "{\"sha256\":\"%s\"}", hex[0]);
    store_tiles_name(tiles + 2, 2, name);
    nav_sha256_hex(name, hex[0]);
    store_tiles_name(tiles + 4, 1, name);
    nav_sha256_hex(name, hex[1]);
    (void)snprintf(json[1], sizeof json[1], "{\"a\":{\"sha256\":\"%s\"},\"b\":{\"sha256\":\"%s\"}}",
                   hex[0], hex[1]);
    store_result result = store_fixture_result(tiles, 5);
    result.blob_json = json[0];
    result.agents_json = json[1];
    assert_int_equal(store_version_ready(f->disk, "town", 1, &result, &activation, NULL), NAV_OK);
    store_fixture_open(f);
    assert_int_equal(store_tiles_load(f->disk, "town", 1, &loaded, &count, NULL), NAV_OK);
    assert_int_equal(count, 5);
    for (uint32_t i = 0; i < 5; i++) {
        assert_true(loaded[i].agent == tiles[i].agent && loaded[i].x == tiles[i].x);
        assert_memory_equal(loaded[i].hash, tiles[i].hash, 32);
    }
    assert_ptr_equal(store_tiles_of_agent(loaded, count, 1, &own), loaded + 2);
    assert_int_equal(own, 2);
    (void)store_tiles_of_agent(loaded, count, 2, &own);
    assert_int_equal(own, 0);
    assert_string_equal(store_tile_words(&loaded[1], words), "tile 1,0");
    assert_string_equal(store_tile_words(&loaded[4], words), "tile 1,0 of agent 16");
    store_version row;
    assert_int_equal(store_version_get(f->disk, "town", 1, &row, NULL), NAV_OK);
    assert_string_equal(row.agents_json, json[1]);
    assert_true(store_version_names(&row, loaded, 5));
    assert_false(store_version_names(&row, loaded, 4)); // an agent is gone
    assert_false(store_version_names(&row, loaded, 3));
    store_version_free(&row);
    store_tiles_free(loaded, count);
    // A row that is moved to another agent is damage.
    assert_int_equal(store_fixture_faults(f->disk), 0);
    store_fixture_execute(f, "UPDATE version_tiles SET tile_z = 33554432 WHERE tile_z = 268435456");
    store_fixture_open(f);
    assert_int_equal(store_tiles_load(f->disk, "town", 1, &loaded, &count, NULL), PROTO_INTERNAL);
}

static void old_versions_go_where_few_are_kept(void **state)
{
    store_fixture *f = *state;
    uint32_t removed = 9;
    uint64_t activation;
    store_mesh before;
    for (uint8_t i = 1; i <= 6; i++) {
        uint32_t version =
            store_fixture_add(f->disk, "town", i, i < 3); // 2 is the last that becomes live
        const store_tile tile = store_fixture_tile(i, i);
        store_result result = store_fixture_result(&tile, 1);
        result.keep_versions = 2;
        result.removed = &removed;
        assert_int_equal(store_version_ready(f->disk, "town", version, &result, &activation, NULL),
                         NAV_OK);
        // 3 pushes 1 out, 4 nothing, since 2 is live, and so on.
        assert_int_equal(removed, i == 3 || i > 4 ? 1 : 0);
    }
    store_version *rows;
    size_t count;
    assert_int_equal(store_version_list(f->disk, "town", &rows, &count, NULL), NAV_OK);
    assert_int_equal(count, 3);
    assert_true(rows[0].version == 2 && rows[1].version == 5 && rows[2].version == 6);
    store_versions_free(rows, count);
    assert_false(store_fixture_has(f->disk, "", 0, false, 1));
    assert_false(store_fixture_has(f->disk, "", 0, false, 4));
    // The version of a slow bake stays for the moment, however many are newer.
    uint32_t slow = store_fixture_add(f->disk, "town", 7, false),
             quick = store_fixture_add(f->disk, "town", 8, false);
    store_result result = store_fixture_result(NULL, 0);
    result.keep_versions = 1;
    result.removed = &removed;
    assert_int_equal(store_version_ready(f->disk, "town", quick, &result, &activation, NULL),
                     NAV_OK);
    assert_int_equal(removed, 2);
    assert_int_equal(store_version_ready(f->disk, "town", slow, &result, &activation, NULL),
                     NAV_OK);
    assert_int_equal(removed, 0);
    assert_int_equal(
        store_activate(f->disk, "town", slow, STORE_ANY_ACTIVATION, &before, &activation, NULL),
        NAV_OK);
    assert_int_equal(before.active, 2);
}

static void the_name_of_a_mesh(void **state)
{
    (void)state;
    const store_tile tiles[] = {store_fixture_tile(1, 1), store_fixture_tile(2, 2)};
    uint8_t one[32], two[32], turned[32];
    char hex[65];
    const store_tile other_way[] = {tiles[1], tiles[0]};
    store_tiles_name(tiles, 1, one);
    assert_memory_equal(one, tiles[0].hash, 32);
    store_tiles_name(tiles, 2, two);
    store_tiles_name(other_way, 2, turned);
    assert_memory_not_equal(two, turned, 32);
    nav_sha256_hex(two, hex);
    // printf '01' and 31 zeros, '02' and 31 zeros, through sha256sum
    assert_string_equal(hex, "ff55c97976a840b4ced964ed49e3794594ba3f675238b5fd25d282b60f70a194");
}

#define TEST(name)                                                                                 \
    cmocka_unit_test_setup_teardown(name, store_fixture_set_up, store_fixture_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(tiles_are_there_while_the_bake_runs),
        TEST(tiles_go_with_the_last_version_that_has_them),
        TEST(old_versions_go_where_few_are_kept),
        TEST(each_agent_has_its_tiles),
        TEST(the_name_of_a_mesh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
