// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_store.c: what was acknowledged is there after a restart, numbers never come back, races have
// one winner, and a file that is not ours stays as it is.

#include "server/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

typedef struct fixture {
    char directory[64], path[96];
    store *disk;
} fixture;

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    (void)snprintf(f->directory, sizeof f->directory, "/tmp/test_store_XXXXXX");
    assert_non_null(mkdtemp(f->directory));
    (void)snprintf(f->path, sizeof f->path, "%s/t.db", f->directory);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    static const char *const suffixes[] = {"", "-wal", "-shm", "-new", "-journal"};
    store_close(f->disk);
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        char name[128];
        (void)snprintf(name, sizeof name, "%s%s", f->path, suffixes[i]);
        (void)unlink(name);
    }
    (void)rmdir(f->directory);
    free(f);
    return 0;
}

static void open_store(fixture *f)
{
    nav_error err = {0};
    if (store_open(f->path, &f->disk, &err) != NAV_OK) {
        fail_msg("%s", err.detail);
    }
}

static void reopen(fixture *f)
{
    store_close(f->disk);
    f->disk = NULL;
    open_store(f);
}

// Geometry and settings are told apart by one byte.
static nav_status insert(fixture *f, const char *mesh, uint8_t key, bool activate, bool reuse,
                         uint32_t *version, bool *existing)
{
    uint8_t content_key[32] = {key}, geometry_hash[32] = {1, key};
    char bytes[] = "geometry ";
    bytes[8] = (char)key;
    const store_upload upload = {.mesh = mesh,
                                 .content_key = content_key,
                                 .geometry_hash = geometry_hash,
                                 .geometry = bytes,
                                 .geometry_bytes = 9,
                                 .geometry_unpacked_bytes = 90,
                                 .geometry_json = "{\"g\":1}",
                                 .config_json = "{\"c\":1}",
                                 .tiles_total = 4,
                                 .activate = activate,
                                 .reuse = reuse};
    return store_version_insert(f->disk, &upload, version, existing, NULL);
}

static uint32_t add(fixture *f, const char *mesh, uint8_t key, bool activate)
{
    uint32_t version = 0;
    bool existing = true;
    assert_int_equal(insert(f, mesh, key, activate, false, &version, &existing), NAV_OK);
    assert_false(existing);
    return version;
}

static nav_status finish(fixture *f, const char *mesh, uint32_t version, uint64_t *activation)
{
    char first[] = "tile one", second[] = "tile two";
    const store_tile tiles[] = {
        {.x = 1, .z = 0, .hash = {9}, .packed = second, .packed_bytes = 8, .bytes = 80},
        {.x = 0, .z = 0, .hash = {8}, .packed = first, .packed_bytes = 8, .bytes = 70}};
    const store_result result = {.tiles = tiles,
                                 .tile_count = 2,
                                 .blob_json = "{\"b\":1}",
                                 .stats_json = "{\"s\":1}",
                                 .timings_json = "{\"t\":1}",
                                 .warnings_json = "[]"};
    return store_version_ready(f->disk, mesh, version, &result, activation, NULL);
}

static uint64_t finish_well(fixture *f, const char *mesh, uint32_t version)
{
    uint64_t activation = 99;
    assert_int_equal(finish(f, mesh, version, &activation), NAV_OK);
    return activation;
}

static store_version get(fixture *f, const char *mesh, uint32_t version)
{
    store_version row = {0};
    assert_int_equal(store_version_get(f->disk, mesh, version, &row, NULL), NAV_OK);
    return row;
}

static void acknowledged_is_there_after_reopening(void **state)
{
    fixture *f = *state;
    open_store(f);
    assert_int_equal(add(f, "town", 'a', true), 1);
    assert_int_equal(add(f, "town", 'b', true), 2);
    assert_int_equal(finish_well(f, "town", 1), 1);
    reopen(f);
    store_version row = get(f, "town", 1);
    assert_int_equal(row.state, STORE_READY);
    assert_true(row.active);
    assert_int_equal(row.tiles_total, 4);
    assert_string_equal(row.geometry_json, "{\"g\":1}");
    assert_string_equal(row.stats_json, "{\"s\":1}");
    assert_int_equal(strlen(row.created_at), 24);
    store_version_free(&row);
    store_name *queued;
    size_t count;
    assert_int_equal(store_queued_list(f->disk, &queued, &count, NULL), NAV_OK);
    assert_int_equal(count, 1);
    assert_string_equal(queued[0].mesh, "town");
    assert_int_equal(queued[0].version, 2);
    free(queued);
    store_tile *tiles;
    assert_int_equal(store_tiles_load(f->disk, "town", 1, &tiles, &count, NULL), NAV_OK);
    assert_int_equal(count, 2);
    assert_memory_equal(tiles[0].packed, "tile one", 8); // in order of z, x
    assert_int_equal(tiles[1].x, 1);
    assert_int_equal(tiles[1].bytes, 80);
    store_tiles_free(tiles, count);
    void *geometry;
    size_t packed_bytes;
    uint64_t bytes;
    uint8_t hash[32];
    assert_int_equal(
        store_geometry_load(f->disk, "town", 2, &geometry, &packed_bytes, &bytes, hash, NULL),
        NAV_OK);
    assert_int_equal(hash[1], 'b');
    assert_int_equal(packed_bytes, 9);
    assert_int_equal(bytes, 90);
    assert_memory_equal(geometry, "geometryb", 9);
    free(geometry);
}

static void numbers_are_never_used_again(void **state)
{
    fixture *f = *state;
    open_store(f);
    uint64_t activation;
    assert_int_equal(add(f, "town", 'a', true), 1);
    assert_int_equal(add(f, "town", 'b', true), 2);
    finish_well(f, "town", 1);
    assert_int_equal(store_version_delete(f->disk, "town", 2, NULL), NAV_OK);
    assert_int_equal(add(f, "town", 'c', true), 3);
    assert_int_equal(store_mesh_delete(f->disk, "town", &activation, NULL), NAV_OK);
    assert_int_equal(activation, 2);
    store_mesh mesh;
    assert_int_equal(store_mesh_get(f->disk, "town", &mesh, NULL), NAV_MESH_NOT_FOUND);
    assert_int_equal(store_mesh_delete(f->disk, "town", &activation, NULL), NAV_MESH_NOT_FOUND);
    reopen(f);
    assert_int_equal(add(f, "town", 'a', true), 4);
    assert_int_equal(add(f, "other", 'a', true), 1);
}

static void equal_uploads_share_a_version(void **state)
{
    fixture *f = *state;
    open_store(f);
    uint32_t version = add(f, "town", 'a', false), again = 0, found = 7;
    bool existing = false;
    assert_int_equal(insert(f, "town", 'a', true, true, &again, &existing), NAV_OK);
    assert_true(existing);
    assert_int_equal(again, version);
    // The second asked for activation, so the one bake ends live.
    assert_int_equal(finish_well(f, "town", version), 1);
    uint8_t key[32] = {'a'};
    assert_int_equal(store_version_find(f->disk, "town", key, &found, NULL), NAV_OK);
    assert_int_equal(found, version);
    assert_int_equal(store_version_find(f->disk, "other", key, &found, NULL), NAV_OK);
    assert_int_equal(found, 0);
    assert_int_equal(insert(f, "town", 'a', true, false, &again, &existing), NAV_OK);
    assert_false(existing); // reuse=0
    // A version that failed stands for nobody.
    uint32_t bad = add(f, "bad", 'b', true);
    const nav_error why = {.status = NAV_MESH_EMPTY, .detail = "steep", .at = "here"};
    assert_int_equal(store_version_failed(f->disk, "bad", bad, &why, NULL), NAV_OK);
    assert_int_equal(insert(f, "bad", 'b', true, true, &again, &existing), NAV_OK);
    assert_false(existing);
    store_version row = get(f, "bad", bad);
    assert_int_equal(row.state, STORE_FAILED);
    assert_int_equal(row.error.status, NAV_MESH_EMPTY);
    assert_string_equal(row.error.detail, "steep");
    assert_string_equal(row.error.at, "here");
    store_version_free(&row);
}

static void an_older_bake_does_not_push_a_newer_aside(void **state)
{
    fixture *f = *state;
    open_store(f);
    add(f, "town", 'a', true);
    add(f, "town", 'b', true);
    add(f, "town", 'c', false);
    assert_int_equal(finish_well(f, "town", 2), 1);
    assert_int_equal(finish_well(f, "town", 1), 0);
    assert_int_equal(finish_well(f, "town", 3), 0); // activate=0
    store_mesh mesh;
    assert_int_equal(store_mesh_get(f->disk, "town", &mesh, NULL), NAV_OK);
    assert_int_equal(mesh.active, 2);
    assert_int_equal(mesh.versions, 3);
}

static void switching(void **state)
{
    fixture *f = *state;
    open_store(f);
    add(f, "town", 'a', true);
    add(f, "town", 'b', true);
    finish_well(f, "town", 1);
    store_mesh before;
    uint64_t activation;
    assert_int_equal(store_activate(f->disk, "no", 1, 0, &before, &activation, NULL),
                     NAV_MESH_NOT_FOUND);
    assert_int_equal(store_activate(f->disk, "town", 9, 0, &before, &activation, NULL),
                     NAV_VERSION_NOT_FOUND);
    assert_int_equal(store_activate(f->disk, "town", 2, 0, &before, &activation, NULL),
                     NAV_VERSION_NOT_READY);
    finish_well(f, "town", 2);
    assert_int_equal(store_activate(f->disk, "town", 1, 1, &before, &activation, NULL),
                     NAV_STALE_ETAG);
    assert_int_equal(store_activate(f->disk, "town", 1, 2, &before, &activation, NULL), NAV_OK);
    assert_int_equal(before.active, 2);
    assert_int_equal(activation, 3);
    // Once more changes nothing, so that the ETag stays.
    assert_int_equal(store_activate(f->disk, "town", 1, 3, &before, &activation, NULL), NAV_OK);
    assert_int_equal(activation, 3);
    assert_int_equal(store_version_delete(f->disk, "town", 1, NULL), NAV_VERSION_ACTIVE);
    assert_int_equal(store_version_delete(f->disk, "town", 2, NULL), NAV_OK);
    assert_int_equal(store_version_delete(f->disk, "town", 2, NULL), NAV_VERSION_NOT_FOUND);
    // The tiles that both had in common are still there for the one that is left.
    store_tile *tiles;
    size_t count;
    assert_int_equal(store_tiles_load(f->disk, "town", 1, &tiles, &count, NULL), NAV_OK);
    assert_int_equal(count, 2);
    store_tiles_free(tiles, count);
}

static void cancel_and_end_have_one_winner(void **state)
{
    fixture *f = *state;
    open_store(f);
    uint64_t activation;
    bool cancelled;
    add(f, "town", 'a', true);
    add(f, "town", 'b', true);
    assert_int_equal(store_version_cancel(f->disk, "town", 1, &cancelled, NULL), NAV_OK);
    assert_true(cancelled);
    assert_int_equal(finish(f, "town", 1, &activation), NAV_CANCELLED);
    assert_int_equal(finish(f, "town", 2, &activation), NAV_OK);
    assert_int_equal(store_version_cancel(f->disk, "town", 2, &cancelled, NULL), NAV_OK);
    assert_false(cancelled);
    store_version row = get(f, "town", 1);
    assert_int_equal(row.state, STORE_CANCELLED);
    store_version_free(&row);
    assert_int_equal(finish(f, "town", 77, &activation), NAV_CANCELLED);
}

// ---- tiles ----

// A tile with a key of one byte and a blob of another; x is the key as well.
static store_tile make_tile(uint8_t key, uint8_t hash)
{
    static char packed[] = "packed", report[] = "report";
    return (store_tile){.x = key,
                        .key = {key},
                        .has_key = true,
                        .hash = {hash},
                        .packed = hash != 0 ? packed : NULL,
                        .packed_bytes = hash != 0 ? 6 : 0,
                        .bytes = hash != 0 ? 60 : 0,
                        .report = report,
                        .report_bytes = 6};
}

static bool find(fixture *f, const char *mesh, uint32_t version, bool own, uint8_t key,
                 store_tile *out)
{
    const uint8_t whole_key[32] = {key};
    bool found = false;
    *out = (store_tile){.x = 77};
    assert_int_equal(store_tile_find(f->disk, mesh, version, own, whole_key, out, &found, NULL),
                     NAV_OK);
    return found;
}

static bool has(fixture *f, const char *mesh, uint32_t version, bool own, uint8_t key)
{
    store_tile tile;
    bool found = find(f, mesh, version, own, key, &tile);
    store_tile_empty(&tile);
    return found;
}

static void tiles_are_there_while_the_bake_runs(void **state)
{
    fixture *f = *state;
    open_store(f);
    add(f, "town", 'a', true);
    add(f, "town", 'b', true);
    const store_tile batch[] = {make_tile(1, 11), make_tile(2, 0)};
    assert_int_equal(store_tiles_put(f->disk, "town", 1, batch, 2, NULL), NAV_OK);
    reopen(f); // as after a kill: the version still waits, its tiles are there
    store_tile tile;
    assert_true(find(f, "town", 2, false, 1, &tile));
    assert_int_equal(tile.x, 77);
    assert_int_equal(tile.hash[0], 11);
    assert_int_equal(tile.bytes, 60);
    assert_memory_equal(tile.packed, "packed", 6);
    assert_memory_equal(tile.report, "report", 6);
    store_tile_empty(&tile);
    // One without ground has no blob, and is found all the same.
    assert_true(find(f, "town", 2, false, 2, &tile));
    assert_int_equal(tile.bytes, 0);
    assert_null(tile.packed);
    store_tile_empty(&tile);
    assert_false(has(f, "town", 1, false, 3));
    assert_true(has(f, "town", 1, true, 1));
    assert_false(has(f, "town", 2, true, 1));
    assert_false(has(f, "yard", 1, true, 1));
    // What a broken bake has stored is stored once more when it ends.
    const store_result result = {.tiles = batch,
                                 .tile_count = 1,
                                 .tiles_reused = 2,
                                 .blob_json = "{}",
                                 .stats_json = "{}",
                                 .timings_json = "{}",
                                 .warnings_json = "[]"};
    uint64_t activation;
    assert_int_equal(store_version_ready(f->disk, "town", 1, &result, &activation, NULL), NAV_OK);
    store_version row = get(f, "town", 1);
    assert_int_equal(row.tiles_reused, 2);
    store_version_free(&row);
    assert_int_equal(store_tiles_put(f->disk, "town", 1, batch, 2, NULL), NAV_CANCELLED);
    assert_int_equal(store_tiles_put(f->disk, "none", 1, batch, 2, NULL), NAV_CANCELLED);
}

static void tiles_go_with_the_last_version_that_has_them(void **state)
{
    fixture *f = *state;
    open_store(f);
    add(f, "town", 'a', true);
    add(f, "town", 'b', true);
    add(f, "yard", 'c', true);
    const store_tile first[] = {make_tile(1, 11), make_tile(2, 12)};
    const store_tile second[] = {make_tile(2, 12), make_tile(3, 13)};
    assert_int_equal(store_tiles_put(f->disk, "town", 1, first, 2, NULL), NAV_OK);
    assert_int_equal(store_tiles_put(f->disk, "town", 2, second, 2, NULL), NAV_OK);
    assert_int_equal(store_tiles_put(f->disk, "yard", 1, second, 2, NULL), NAV_OK);
    bool cancelled;
    assert_int_equal(store_version_cancel(f->disk, "town", 1, &cancelled, NULL), NAV_OK);
    assert_true(cancelled);
    assert_false(has(f, "", 0, false, 1));
    assert_true(has(f, "", 0, false, 2));
    const nav_error why = {.status = NAV_TILE_TOO_COMPLEX};
    assert_int_equal(store_version_failed(f->disk, "town", 2, &why, NULL), NAV_OK);
    assert_true(has(f, "", 0, false, 3));
    uint64_t activation;
    assert_int_equal(store_mesh_delete(f->disk, "yard", &activation, NULL), NAV_OK);
    assert_false(has(f, "", 0, false, 2));
    assert_false(has(f, "", 0, false, 3));
    // A tile that was taken from the store brings its blob, should that have gone meanwhile.
    add(f, "town", 'd', true);
    store_tile taken = make_tile(3, 13);
    taken.reused = true;
    assert_int_equal(store_tiles_put(f->disk, "town", 3, &taken, 1, NULL), NAV_OK);
    assert_true(has(f, "", 0, false, 3));
}

static void old_versions_go_where_few_are_kept(void **state)
{
    fixture *f = *state;
    open_store(f);
    uint32_t removed = 9;
    uint64_t activation;
    store_mesh before;
    for (uint8_t i = 1; i <= 6; i++) {
        uint32_t version = add(f, "town", i, i < 3); // 2 is the last that becomes live
        const store_tile tile = make_tile(i, i);
        const store_result result = {.tiles = &tile,
                                     .tile_count = 1,
                                     .keep_versions = 2,
                                     .removed = &removed,
                                     .blob_json = "{}",
                                     .stats_json = "{}",
                                     .timings_json = "{}",
                                     .warnings_json = "[]"};
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
    assert_false(has(f, "", 0, false, 1));
    assert_false(has(f, "", 0, false, 4));
    // What a slow bake ends with stays for the moment, however many are newer.
    uint32_t slow = add(f, "town", 7, false), quick = add(f, "town", 8, false);
    const store_result result = {.keep_versions = 1,
                                 .removed = &removed,
                                 .blob_json = "{}",
                                 .stats_json = "{}",
                                 .timings_json = "{}",
                                 .warnings_json = "[]"};
    assert_int_equal(store_version_ready(f->disk, "town", quick, &result, &activation, NULL),
                     NAV_OK);
    assert_int_equal(removed, 2);
    assert_int_equal(store_version_ready(f->disk, "town", slow, &result, &activation, NULL),
                     NAV_OK);
    assert_int_equal(removed, 0);
    assert_int_equal(store_activate(f->disk, "town", slow, 0, &before, &activation, NULL), NAV_OK);
    assert_int_equal(before.active, 2);
}

static void the_name_of_a_mesh(void **state)
{
    (void)state;
    const store_tile tiles[] = {make_tile(1, 1), make_tile(2, 2)};
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

// ---- files that are refused ----

static void write_file(const char *path, const char *bytes, size_t size_bytes)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size_bytes, file), size_bytes);
    assert_int_equal(fclose(file), 0);
}

static void execute(const char *path, const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static uint64_t sum_of(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    uint64_t sum = 14695981039346656037u; // FNV-1a
    for (int c = fgetc(file); c != EOF; c = fgetc(file)) {
        sum = (sum ^ (uint64_t)c) * 1099511628211u;
    }
    (void)fclose(file);
    return sum;
}

// Refused by start and check alike, with these words, and not a byte of it changed.
static void assert_refused(const fixture *f, const char *words)
{
    uint64_t before = sum_of(f->path);
    store *disk = NULL;
    nav_error err = {0};
    assert_int_equal(store_check(f->path, &err), NAV_STORE_UNAVAILABLE);
    assert_int_equal(store_open(f->path, &disk, &err), NAV_STORE_UNAVAILABLE);
    assert_null(disk);
    if (strstr(err.detail, words) == NULL) {
        fail_msg("'%s' does not say '%s'", err.detail, words);
    }
    assert_true(sum_of(f->path) == before);
}

static void foreign_files_are_refused(void **state)
{
    fixture *f = *state;
    write_file(f->path, "this is no database, only text that is long enough", 50);
    assert_refused(f, "not a database");
    (void)unlink(f->path);
    execute(f->path, "CREATE TABLE t(a)");
    assert_refused(f, "another program");
}

static void newer_and_read_only_files_are_refused(void **state)
{
    fixture *f = *state;
    open_store(f);
    store_close(f->disk);
    f->disk = NULL;
    assert_int_equal(chmod(f->path, 0444), 0);
    assert_refused(f, "read-only");
    assert_int_equal(chmod(f->path, 0644), 0);
    execute(f->path, "PRAGMA user_version=1000");
    assert_refused(f, "schema 1000");
}

static void damaged_files_are_refused(void **state)
{
    fixture *f = *state;
    open_store(f);
    add(f, "town", 'a', true);
    store_close(f->disk);
    f->disk = NULL;
    FILE *file = fopen(f->path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, 16384, SEEK_SET), 0);
    for (int i = 0; i < 16384; i++) {
        (void)fputc(0xa5, file);
    }
    assert_int_equal(fclose(file), 0);
    assert_refused(f, "da"); // "damaged", or SQLite's "database disk image is malformed"
}

static void a_second_daemon_is_refused(void **state)
{
    fixture *f = *state;
    open_store(f);
    store *second = NULL;
    nav_error err = {0};
    assert_int_equal(store_open(f->path, &second, &err), NAV_STORE_UNAVAILABLE);
    assert_non_null(strstr(err.detail, "locked"));
    // And the first one goes on.
    assert_int_equal(add(f, "town", 'a', true), 1);
    reopen(f);
    assert_int_equal(add(f, "town", 'b', true), 2);
}

static void missing_and_empty_files_are_made(void **state)
{
    fixture *f = *state;
    assert_int_equal(store_check(f->path, NULL), NAV_OK);
    assert_int_equal(access(f->path, F_OK), -1); // check makes nothing
    write_file(f->path, "", 0);
    open_store(f);
    assert_int_equal(add(f, "town", 'a', true), 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(acknowledged_is_there_after_reopening),
        TEST(numbers_are_never_used_again),
        TEST(equal_uploads_share_a_version),
        TEST(an_older_bake_does_not_push_a_newer_aside),
        TEST(switching),
        TEST(cancel_and_end_have_one_winner),
        TEST(tiles_are_there_while_the_bake_runs),
        TEST(tiles_go_with_the_last_version_that_has_them),
        TEST(old_versions_go_where_few_are_kept),
        TEST(the_name_of_a_mesh),
        TEST(foreign_files_are_refused),
        TEST(newer_and_read_only_files_are_refused),
        TEST(damaged_files_are_refused),
        TEST(a_second_daemon_is_refused),
        TEST(missing_and_empty_files_are_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
