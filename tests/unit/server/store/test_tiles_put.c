// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_tiles_put.c: many tiles come back as they were, the same bytes are stored once, tiles that
// no version has are deleted, and damage is repaired in its place.

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

#define TILES 300u
#define PACKED_BYTES 3000u

// Tile i of a row, which all follows from its number and a salt; its bytes are in `packed`.
static store_tile tile_of(uint32_t i, uint8_t salt, uint8_t packed[PACKED_BYTES])
{
    store_tile tile = {.x = i % 17,
                       .z = i / 17,
                       .has_key = true,
                       .packed = packed,
                       .packed_bytes = 1 + i * 7 % PACKED_BYTES,
                       .bytes = 5000 + i,
                       .report = packed,
                       .report_bytes = i % 90};
    nav_sha256 hash;
    const uint8_t seed[5] = {(uint8_t)i, (uint8_t)(i >> 8), salt, 1};
    nav_sha256_init(&hash);
    nav_sha256_add(&hash, seed, sizeof seed);
    nav_sha256_end(&hash, tile.hash);
    memcpy(tile.key, tile.hash, sizeof tile.key);
    tile.key[31] ^= 1;
    for (size_t k = 0; k < PACKED_BYTES; k++) {
        packed[k] = tile.hash[k % 32];
    }
    store_tile_hash_packed(&tile);
    return tile;
}

typedef struct row {
    store_tile tiles[TILES];
    uint8_t packed[TILES][PACKED_BYTES];
} row;

static row *make_row(uint8_t salt)
{
    row *r = calloc(1, sizeof *r);
    assert_non_null(r);
    for (uint32_t i = 0; i < TILES; i++) {
        r->tiles[i] = tile_of(i, salt, r->packed[i]);
    }
    return r;
}

static uint32_t add_ready(store *disk, const char *mesh, uint8_t key, const store_tile *tiles,
                          size_t count)
{
    uint64_t activation;
    const uint32_t version = store_fixture_add(disk, mesh, key, false);
    const store_result result = store_fixture_result(tiles, count);
    assert_int_equal(store_version_ready(disk, mesh, version, &result, &activation, NULL), NAV_OK);
    return version;
}

static void assert_tiles(store *disk, const char *mesh, uint32_t version, const store_tile *wanted,
                         size_t count)
{
    store_tile *tiles;
    size_t there;
    assert_int_equal(store_tiles_load(disk, mesh, version, &tiles, &there, NULL), NAV_OK);
    assert_int_equal(there, count);
    for (size_t i = 0; i < count; i++) {
        assert_true(tiles[i].x == wanted[i].x && tiles[i].z == wanted[i].z);
        assert_memory_equal(tiles[i].hash, wanted[i].hash, 32);
        assert_int_equal(tiles[i].packed_bytes, wanted[i].packed_bytes);
        assert_memory_equal(tiles[i].packed, wanted[i].packed, wanted[i].packed_bytes);
        assert_memory_equal(tiles[i].packed_hash, wanted[i].packed_hash, 32);
        assert_int_equal(tiles[i].bytes, wanted[i].bytes);
    }
    store_tiles_free(tiles, there);
}

static bool is_found(store *disk, const store_tile *wanted)
{
    store_tile tile = {0};
    bool found = false;
    assert_int_equal(store_tile_find(disk, "", 0, false, wanted->key, &tile, &found, NULL), NAV_OK);
    if (found) {
        assert_memory_equal(tile.hash, wanted->hash, 32);
        assert_int_equal(tile.report_bytes, wanted->report_bytes);
        assert_memory_equal(tile.report, wanted->report, wanted->report_bytes);
    }
    store_tile_empty(&tile);
    return found;
}

static void many_tiles_come_back_as_they_were(void **state)
{
    store_fixture *f = *state;
    row *r = make_row(1);
    assert_int_equal(add_ready(f->disk, "town", 1, r->tiles, TILES), 1);
    assert_int_equal(store_fixture_ask(f, "SELECT count(*) FROM tiles"), TILES);
    assert_int_equal(store_fixture_ask(f, "SELECT count(*) FROM blobs"), TILES);
    assert_int_equal(store_fixture_ask(f, "SELECT count(*) FROM version_tiles"), TILES);
    assert_tiles(f->disk, "town", 1, r->tiles, TILES);
    store_fixture_open(f);
    assert_tiles(f->disk, "town", 1, r->tiles, TILES);
    for (uint32_t i = 0; i < TILES; i += 13) {
        assert_true(is_found(f->disk, &r->tiles[i]));
    }
    assert_int_equal(store_fixture_faults(f->disk), 0);
    free(r);
}

static void the_same_bytes_are_stored_once(void **state)
{
    store_fixture *f = *state;
    row *r = make_row(1);
    const char *const sizes = "SELECT sum(length(zstd)) FROM blobs";
    assert_int_equal(add_ready(f->disk, "town", 1, r->tiles, TILES), 1);
    const int64_t once = store_fixture_ask(f, sizes);
    // Baked anew, by another mesh, after a start, and with other keys, as another release gives.
    assert_int_equal(add_ready(f->disk, "town", 2, r->tiles, TILES), 2);
    store_fixture_open(f);
    assert_int_equal(add_ready(f->disk, "yard", 3, r->tiles, TILES), 1);
    for (uint32_t i = 0; i < TILES; i++) {
        r->tiles[i].key[0] ^= 0x80;
    }
    assert_int_equal(add_ready(f->disk, "yard", 4, r->tiles, TILES), 2);
    assert_int_equal(store_fixture_ask(f, sizes), once);
    assert_true(is_found(f->disk, &r->tiles[0]) && is_found(f->disk, &r->tiles[TILES - 1]));
    r->tiles[5].key[0] ^= 0x80;
    assert_false(is_found(f->disk, &r->tiles[5])); // its bytes have the later key
    assert_tiles(f->disk, "town", 1, r->tiles, TILES);
    assert_tiles(f->disk, "yard", 2, r->tiles, TILES);
    assert_int_equal(store_fixture_faults(f->disk), 0);
    free(r);
}

static int64_t weight_of(const row *r)
{
    int64_t bytes = 0;
    for (uint32_t i = 0; i < TILES; i++) {
        bytes += (int64_t)r->tiles[i].packed_bytes;
    }
    return bytes;
}

// Each version leaves another part of its tiles to those that follow, and goes.
static void unreferenced_tiles_are_deleted(void **state)
{
    store_fixture *f = *state;
    row *r = make_row(1);
    for (uint8_t round = 1; round <= 8; round++) {
        for (uint32_t i = 0; i < TILES; i++) {
            if (i % 8 + 1 >= round) {
                r->tiles[i] = tile_of(i, round, r->packed[i]);
            }
        }
        const uint32_t version = add_ready(f->disk, "town", round, r->tiles, TILES);
        if (version > 1) {
            assert_int_equal(store_version_delete(f->disk, "town", version - 1, false, NULL),
                             NAV_OK);
        }
        assert_tiles(f->disk, "town", version, r->tiles, TILES);
        assert_int_equal(store_fixture_faults(f->disk), 0);
        assert_int_equal(store_fixture_ask(f, "SELECT sum(length(zstd)) FROM blobs"), weight_of(r));
    }
    for (uint32_t i = 0; i < TILES; i++) {
        assert_true(is_found(f->disk, &r->tiles[i]));
    }
    uint64_t activation;
    assert_int_equal(store_mesh_delete(f->disk, "town", false, &activation, NULL), NAV_OK);
    assert_int_equal(store_fixture_ask(f, "SELECT (SELECT count(*) FROM blobs)"
                                          " + (SELECT count(*) FROM tiles)"
                                          " + (SELECT count(*) FROM version_tiles)"),
                     0);
    assert_false(is_found(f->disk, &r->tiles[0]));
    free(r);
}

// A bake in batches, of which some are put again after it was broken off, some of them changed.
static void batches_are_merged_by_place(void **state)
{
    store_fixture *f = *state;
    row *r = make_row(1);
    const uint32_t version = store_fixture_add(f->disk, "town", 1, false);
    for (uint32_t at = 0; at < 200; at += 50) {
        assert_int_equal(store_tiles_put(f->disk, "town", version, r->tiles + at, 50, NULL),
                         NAV_OK);
    }
    store_fixture_open(f);
    for (uint32_t i = 150; i < 190; i++) {
        r->tiles[i] = tile_of(i, 2, r->packed[i]);
    }
    assert_int_equal(store_tiles_put(f->disk, "town", version, r->tiles + 130, 100, NULL), NAV_OK);
    assert_int_equal(store_fixture_faults(f->disk), 0);
    const store_result result = store_fixture_result(r->tiles + 230, TILES - 230);
    uint64_t activation;
    assert_int_equal(store_version_ready(f->disk, "town", version, &result, &activation, NULL),
                     NAV_OK);
    assert_tiles(f->disk, "town", version, r->tiles, TILES);
    assert_int_equal(store_fixture_ask(f, "SELECT count(*) FROM version_tiles"), TILES);
    assert_int_equal(store_fixture_faults(f->disk), 0);
    free(r);
}

// A version is baked again, and others with the same tiles later on.
static void repair(store_fixture *f, const char *mesh, const row *r, size_t count)
{
    store_result result = store_fixture_result(r->tiles, count);
    uint64_t activation;
    result.repairs = true;
    assert_int_equal(store_version_ready(f->disk, mesh, 1, &result, &activation, NULL), NAV_OK);
}

static void damage_is_replaced(void **state)
{
    static const char *const damages[] = {
        "UPDATE blobs SET zstd = zeroblob(length(zstd))",
        "UPDATE blobs SET zstd = substr(zstd, 1, length(zstd) / 2)",
        "UPDATE blobs SET zstd = x''",
        "UPDATE blobs SET zstd = (SELECT zstd FROM blobs ORDER BY id LIMIT 1)",
        "UPDATE tiles SET hash = zeroblob(32) WHERE id % 2",
        "UPDATE tiles SET key = x'00', report = NULL WHERE id % 2",
        "UPDATE tiles SET bytes = -1, packed_hash = 'x'",
        "UPDATE tiles SET checksum = 'x' WHERE id % 3",
        "UPDATE tiles SET blob = (SELECT min(blob) FROM tiles) WHERE id % 4 = 1",
        "DELETE FROM tiles WHERE id % 2",
        "DELETE FROM blobs WHERE id % 2",
        "UPDATE version_tiles SET checksum = 0 WHERE tile % 3",
        "DELETE FROM version_tiles WHERE tile % 2",
    };
    store_fixture *f = *state;
    row *r = make_row(1);
    assert_int_equal(add_ready(f->disk, "town", 1, r->tiles, TILES), 1);
    assert_int_equal(add_ready(f->disk, "yard", 2, r->tiles, TILES), 1);
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        store_fixture_execute(f, damages[i]);
        repair(f, "town", r, TILES);
        assert_tiles(f->disk, "town", 1, r->tiles, TILES);
        repair(f, "yard", r, TILES);
        assert_tiles(f->disk, "town", 1, r->tiles, TILES);
        assert_tiles(f->disk, "yard", 1, r->tiles, TILES);
        assert_int_equal(store_fixture_faults(f->disk), 0);
        assert_int_equal(store_fixture_ask(f, "SELECT count(*) FROM tiles"), TILES);
    }
    free(r);
}

// A tile that lost its bytes names a row that a later tile is then given for its own.
static void bytes_of_another_tile_are_not_overwritten(void **state)
{
    store_fixture *f = *state;
    row *r = make_row(1);
    assert_int_equal(add_ready(f->disk, "town", 1, r->tiles, 2), 1);
    store_fixture_execute(f, "DELETE FROM blobs WHERE id = 2");
    assert_int_equal(add_ready(f->disk, "yard", 2, r->tiles + 2, 1), 1);
    assert_int_equal(store_fixture_ask(f, "SELECT count(*) FROM tiles WHERE blob = 2"), 2);
    repair(f, "town", r, 2);
    assert_tiles(f->disk, "town", 1, r->tiles, 2);
    assert_tiles(f->disk, "yard", 1, r->tiles + 2, 1);
    assert_int_equal(store_fixture_faults(f->disk), 0);
    free(r);
}

// The row of a tile that was taken from the store has gone meanwhile, and another one has its hash.
static void bytes_that_were_not_read_are_not_trusted(void **state)
{
    store_fixture *f = *state;
    row *r = make_row(1);
    assert_int_equal(add_ready(f->disk, "town", 1, r->tiles, 1), 1);
    store_fixture_execute(f, "UPDATE blobs SET zstd = zeroblob(length(zstd))");
    store_tile taken = r->tiles[0];
    taken.reused = true;
    taken.id = (int64_t)1 << 40;
    assert_int_equal(add_ready(f->disk, "yard", 2, &taken, 1), 1);
    assert_tiles(f->disk, "yard", 1, r->tiles, 1);
    free(r);
}

#define TEST(name)                                                                                 \
    cmocka_unit_test_setup_teardown(name, store_fixture_set_up, store_fixture_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(many_tiles_come_back_as_they_were),
        TEST(the_same_bytes_are_stored_once),
        TEST(unreferenced_tiles_are_deleted),
        TEST(batches_are_merged_by_place),
        TEST(damage_is_replaced),
        TEST(bytes_of_another_tile_are_not_overwritten),
        TEST(bytes_that_were_not_read_are_not_trusted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
