// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_commit.c: finished tiles go into the store while the bake runs and come out of it whole;
// one that is damaged does not come; what the store refuses is left to the bake's end.

#include "server/jobs/bake/commit.h"
#include "server/base/pack.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/store_fixture.h"

#define TILES 3u

typedef struct fixture {
    store_fixture store;
    job owner;
    store_tile tiles[TILES]; // the last one without ground
    nav_arena result;
} fixture;

static const char BYTES[] = "the bytes of a tile";

static void fill(store_tile *tile, uint32_t number)
{
    const nav_bake_report report = {.polygons = number + 1};
    uint8_t packed_report[NAV_BAKE_REPORT_BYTES_MAX];
    char bytes[sizeof BYTES];
    memcpy(bytes, BYTES, sizeof BYTES);
    bytes[0] = (char)number;
    *tile = (store_tile){.x = number, .key = {(uint8_t)(number + 1)}, .has_key = true};
    tile->report_bytes = nav_bake_report_pack(&report, packed_report);
    tile->report = malloc(tile->report_bytes);
    assert_non_null(tile->report);
    memcpy(tile->report, packed_report, tile->report_bytes);
    if (number + 1 < TILES) {
        nav_sha256 hash;
        nav_sha256_init(&hash);
        nav_sha256_add(&hash, bytes, sizeof bytes);
        nav_sha256_end(&hash, tile->hash);
        tile->bytes = sizeof bytes;
        assert_int_equal(
            pack_compress(bytes, sizeof bytes, &tile->packed, &tile->packed_bytes, NULL), NAV_OK);
        store_tile_hash_packed(tile);
    }
}

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    store_fixture_init(&f->store);
    store_fixture_open(&f->store);
    assert_int_equal(store_fixture_add(f->store.disk, "town", 1, true), 1);
    assert_int_equal(store_fixture_add(f->store.disk, "yard", 2, true), 1);
    (void)snprintf(f->owner.mesh, sizeof f->owner.mesh, "town");
    f->owner.version = 1;
    nav_arena_init(&f->result, NULL, 0);
    for (uint32_t i = 0; i < TILES; i++) {
        fill(&f->tiles[i], i);
    }
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    store_fixture_free(&f->store);
    for (uint32_t i = 0; i < TILES; i++) {
        store_tile_empty(&f->tiles[i]);
    }
    nav_arena_free(&f->result);
    free(f);
    return 0;
}

static job_commit *add_all(fixture *f, store *disk)
{
    job_commit *c = job_commit_create(disk, &f->owner, TILES);
    assert_non_null(c);
    for (uint32_t i = 0; i < TILES; i++) {
        job_commit_add(c, &f->tiles[i]);
    }
    return c;
}

static size_t rest_of(job_commit *c)
{
    store_tile *rest = NULL;
    size_t count = 99;
    assert_int_equal(job_commit_rest(c, &rest, &count, NULL), NAV_OK);
    for (size_t i = 0; i < count; i++) {
        assert_non_null(rest[i].report);
        assert_int_equal(rest[i].x, i);
    }
    free(rest);
    return count;
}

static bool take(fixture *f, uint8_t key, bool own, store_tile *tile, nav_blob *blob,
                 nav_bake_report *report)
{
    bool taken = true;
    *tile = (store_tile){.x = 5, .z = 6, .key = {key}, .has_key = true};
    *blob = (nav_blob){0};
    assert_int_equal(
        job_commit_take(f->store.disk, &f->owner, own, &f->result, tile, blob, report, &taken),
        NAV_OK);
    return taken;
}

static bool has(fixture *f, uint8_t key, bool own)
{
    store_tile tile;
    nav_blob blob;
    nav_bake_report report = {.polygons = 77};
    bool taken = take(f, key, own, &tile, &blob, &report);
    assert_true(taken || report.polygons == 77); // to which a bake would add
    store_tile_empty(&tile);
    return taken;
}

static void tiles_go_in_and_come_out(void **state)
{
    fixture *f = *state;
    job_commit *c = add_all(f, f->store.disk);
    assert_int_equal(rest_of(c), TILES); // too few and too early for a batch
    assert_false(has(f, 1, false));
    job_commit_flush(c);
    assert_int_equal(rest_of(c), 0);
    assert_null(f->tiles[0].packed); // their memory is given back, their numbers stay
    assert_true(f->tiles[0].packed_bytes > 0);
    store_tile tile;
    nav_blob blob;
    nav_bake_report report;
    assert_true(take(f, 2, false, &tile, &blob, &report));
    assert_true(tile.reused && tile.has_key && tile.x == 5 && tile.z == 6);
    assert_int_equal(blob.size_bytes, sizeof BYTES);
    assert_memory_equal((const char *)blob.bytes + 1, BYTES + 1, sizeof BYTES - 1);
    assert_int_equal(report.polygons, 2);
    store_tile_empty(&tile);
    assert_true(take(f, TILES, false, &tile, &blob, &report));
    assert_int_equal(blob.size_bytes, 0);
    assert_int_equal(report.polygons, TILES);
    store_tile_empty(&tile);
    assert_false(has(f, 9, false));
    // Only what this version has made itself.
    assert_true(has(f, 1, true));
    (void)snprintf(f->owner.mesh, sizeof f->owner.mesh, "yard");
    assert_false(has(f, 1, true));
    assert_true(has(f, 1, false));
    job_commit_destroy(c);
}

static void a_store_that_refuses_leaves_the_tiles(void **state)
{
    fixture *f = *state;
    bool cancelled;
    job_commit *c = add_all(f, f->store.disk);
    assert_int_equal(store_version_cancel(f->store.disk, "town", 1, &cancelled, NULL), NAV_OK);
    job_commit_flush(c);
    assert_int_equal(rest_of(c), TILES);
    assert_non_null(f->tiles[0].packed);
    job_commit_destroy(c);
    c = add_all(f, NULL); // without a store nothing is committed on the way
    job_commit_flush(c);
    assert_int_equal(rest_of(c), TILES);
    job_commit_destroy(c);
}

static void what_is_damaged_is_not_taken(void **state)
{
    fixture *f = *state;
    job_commit *c = add_all(f, f->store.disk);
    job_commit_flush(c);
    job_commit_destroy(c);
    assert_true(has(f, 1, false));
    store_fixture_execute(&f->store,
                          "UPDATE blobs SET zstd = CAST(x'00' || substr(zstd, 2) AS BLOB)"
                          " WHERE id = 1");
    assert_false(has(f, 1, false));
    assert_true(has(f, 2, false));
    // Bytes that are not there.
    store_fixture_execute(&f->store, "UPDATE blobs SET zstd = substr(zstd, 1, length(zstd) - 1)"
                                     " WHERE id = 2");
    assert_false(has(f, 2, false));
    assert_true(has(f, 3, false));
    store_fixture_execute(&f->store, "UPDATE tiles SET report = CAST(substr(report, 1,"
                                     " length(report) - 1) || x'ff' AS BLOB)");
    assert_false(has(f, 3, false));
}

// It costs the bake of this tile, not the bake.
static void a_size_that_cannot_be_is_damage(void **state)
{
    fixture *f = *state;
    f->tiles[0].bytes = UINT64_MAX;
    f->tiles[1].bytes = (uint64_t)1 << 50;
    job_commit *c = add_all(f, f->store.disk);
    job_commit_flush(c);
    job_commit_destroy(c);
    assert_false(has(f, 1, false));
    assert_false(has(f, 2, false));
    assert_true(has(f, 3, false));
}

static void a_report_that_cannot_be_read_is_no_report(void **state)
{
    fixture *f = *state;
    memset(f->tiles[2].report, 0xff, f->tiles[2].report_bytes);
    job_commit *c = add_all(f, f->store.disk);
    job_commit_flush(c);
    job_commit_destroy(c);
    assert_false(has(f, 3, false));
    assert_true(has(f, 1, false));
}

static void a_blob_for_which_there_is_no_room(void **state)
{
    fixture *f = *state;
    job_commit *c = add_all(f, f->store.disk);
    job_commit_flush(c);
    job_commit_destroy(c);
    nav_arena tight;
    nav_arena_init(&tight, NULL, 8);
    store_tile tile = {.key = {1}, .has_key = true};
    nav_blob blob = {0};
    nav_bake_report report;
    bool taken = true;
    assert_int_equal(
        job_commit_take(f->store.disk, &f->owner, false, &tight, &tile, &blob, &report, &taken),
        NAV_NO_MEMORY);
    assert_false(taken);
    assert_null(tile.packed);
    nav_arena_free(&tight);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(tiles_go_in_and_come_out),
        TEST(a_store_that_refuses_leaves_the_tiles),
        TEST(what_is_damaged_is_not_taken),
        TEST(a_size_that_cannot_be_is_damage),
        TEST(a_report_that_cannot_be_read_is_no_report),
        TEST(a_blob_for_which_there_is_no_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
