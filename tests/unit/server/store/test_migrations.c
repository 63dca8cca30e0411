// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_migrations.c: a database of each former schema opens with all that is in it, and can
// do what a new one can.

#include "server/store/store.h"
#include "tests/unit/store_schemas.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/store_fixture.h"

#define SCHEMA_COUNT 7u
#define MOVED_COUNT 5u                                  // those whose tiles go into other tables
#define SINGLE_COUNT (sizeof SCHEMAS / sizeof *SCHEMAS) // those with a row for each tile

// A database of schema `number`, as a daemon of that time left it.
static void make_old(store_fixture *f, size_t number)
{
    char mark[96];
    store_fixture_remove_files(f);
    store_fixture_execute(f, "PRAGMA page_size=16384; PRAGMA journal_mode=WAL");
    store_fixture_execute(f, number <= SINGLE_COUNT ? SCHEMAS[number - 1]
                             : number == 5          ? SCHEMA_5_TABLES
                                                    : SCHEMA_6_TABLES);
    store_fixture_execute(f, number <= SINGLE_COUNT ? SCHEMA_ROWS
                             : number == 5          ? SCHEMA_5_ROWS
                                                    : SCHEMA_6_ROWS);
    store_fixture_execute(f, number == 7 ? SCHEMA_7_ADDS : "");
    (void)snprintf(mark, sizeof mark, "PRAGMA application_id=1851881069; PRAGMA user_version=%zu",
                   number);
    store_fixture_execute(f, mark);
}

static void count_block(void *user, const store_tile *block)
{
    assert_non_null(block->packed);
    ++*(int *)user;
}

static void assert_content(store_fixture *f)
{
    store_version *rows;
    store_tile *tiles;
    store_name *names;
    size_t count;
    assert_int_equal(store_version_list(f->disk, "town", &rows, &count, NULL), NAV_OK);
    assert_int_equal(count, 4);
    assert_int_equal(rows[0].state, STORE_READY);
    assert_int_equal(rows[1].state, STORE_READY);
    assert_int_equal(rows[2].state, STORE_QUEUED);
    assert_int_equal(rows[3].state, STORE_FAILED);
    assert_int_equal(rows[3].error.status, NAV_MESH_EMPTY);
    assert_true(rows[1].active && !rows[0].active);
    assert_string_equal(rows[0].config_json, "{\"c\":1}");
    assert_string_equal(rows[1].blob_json, "{\"b\":2}");
    assert_string_equal(rows[1].created_at, "2026-11-20T21:01:00.123Z");
    for (size_t i = 0; i < count; i++) {
        assert_true(rows[i].reuse && rows[i].gate == STORE_GATE_CHECKS);
        assert_null(rows[i].checks_json);
        assert_int_equal(rows[i].tiles_reused, 0);
    }
    store_versions_free(rows, count);
    assert_int_equal(store_tiles_load(f->disk, "town", 2, &tiles, &count, NULL), NAV_OK);
    assert_int_equal(count, 2);
    assert_memory_equal(tiles[0].packed, "tile one", 8);
    assert_memory_equal(tiles[1].packed, "tile three", 10);
    assert_true(tiles[1].x == 0 && tiles[1].z == 1);
    assert_false(tiles[0].has_packed_hash);
    store_tiles_free(tiles, count);
    assert_int_equal(store_queued_list(f->disk, &names, &count, NULL), NAV_OK);
    assert_int_equal(count, 1);
    assert_int_equal(names[0].version, 3);
    free(names);
}

// The version that waited is baked, an old one goes, and only what nobody else needs with it.
static void go_on(store_fixture *f)
{
    char packed[] = "tile four", report[] = "report";
    const store_tile tile = {.x = 0,
                             .z = 0,
                             .key = {7},
                             .has_key = true,
                             .hash = {0xb4},
                             .packed = packed,
                             .packed_bytes = 9,
                             .packed_hash = {6},
                             .has_packed_hash = true,
                             .bytes = 50,
                             .report = report,
                             .report_bytes = 6};
    const store_result result = {.tiles = &tile,
                                 .tile_count = 1,
                                 .tiles_reused = 1,
                                 .blob_json = "{}",
                                 .stats_json = "{}",
                                 .timings_json = "{}",
                                 .warnings_json = "[]"};
    uint64_t activation;
    store_tile found = {0};
    bool there = false;
    assert_int_equal(store_version_ready(f->disk, "town", 3, &result, &activation, NULL), NAV_OK);
    assert_int_equal(activation, 4);
    assert_int_equal(store_tile_find(f->disk, "", 0, false, tile.key, &found, &there, NULL),
                     NAV_OK);
    assert_true(there);
    assert_memory_equal(found.packed, packed, 9);
    assert_memory_equal(found.packed_hash, tile.packed_hash, 32);
    store_tile_empty(&found);
    assert_int_equal(store_version_delete(f->disk, "town", 1, NULL), NAV_OK);
    store_fixture_close(f);
    assert_int_equal(store_fixture_ask(f, "SELECT count(*) FROM blobs"), 3);
    assert_int_equal(store_fixture_ask(f, "SELECT count(*) FROM geometries"), 2);
    store_fixture_open(f);
    store_version row;
    assert_int_equal(store_version_get(f->disk, "town", 3, &row, NULL), NAV_OK);
    assert_int_equal(row.tiles_reused, 1);
    assert_true(row.active);
    store_version_free(&row);
}

static void each_former_schema_opens_with_all_that_is_in_it(void **state)
{
    store_fixture *f = *state;
    for (size_t number = 1; number <= SCHEMA_COUNT; number++) {
        make_old(f, number);
        assert_int_equal(store_check(f->path, NULL), NAV_OK);
        assert_int_equal(store_fixture_ask(f, "PRAGMA user_version"),
                         number); // looking changes nothing
        store_fixture_open(f);
        assert_content(f);
        go_on(f);
        assert_int_equal(store_fixture_faults(f->disk), 0);
    }
}

// Tiles with all that they had since schema 2, one of them without ground, and more of them than
// are moved at a time.
static void tiles_keep_their_keys_and_reports(void **state)
{
    store_fixture *f = *state;
    store_tile *tiles, tile;
    size_t count;
    for (size_t number = 2; number <= SINGLE_COUNT; number++) {
        make_old(f, number);
        store_fixture_execute(
            f, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)"
               " INSERT INTO blobs(hash, bytes, zstd, packed_hash)"
               " SELECT CAST(printf('%08d%024d', i, 0) AS BLOB), 9000 + i, randomblob(8000 + i),"
               " CAST(printf('p%031d', i) AS BLOB) FROM n;"
               "INSERT INTO version_tiles(mesh, version, tile_z, tile_x, key, blob_hash, report)"
               " SELECT 1, 3, 1 + rowid / 7, rowid % 7, CAST(printf('%08d%024d', bytes - 9000, 1) "
               "AS BLOB),"
               " hash, CAST('report ' || bytes AS BLOB) FROM blobs WHERE packed_hash IS NOT NULL;"
               "INSERT INTO version_tiles(mesh, version, tile_z, tile_x, key, report)"
               " VALUES (1, 3, 0, 0, CAST(printf('%08d%024d', 0, 1) AS BLOB), x'77');"
               "UPDATE versions SET state = 'ready' WHERE version = 3");
        store_fixture_open(f);
        assert_int_equal(store_fixture_faults(f->disk), 0);
        assert_int_equal(store_tiles_load(f->disk, "town", 3, &tiles, &count, NULL), NAV_OK);
        assert_int_equal(count, 1200);
        for (size_t i = 0; i < count; i++) {
            const uint32_t at = (uint32_t)i + 4; // three blobs were there before
            assert_true(tiles[i].z == 1 + at / 7 && tiles[i].x == at % 7);
            assert_int_equal(tiles[i].bytes, 9001 + i);
            assert_int_equal(tiles[i].packed_bytes, 8001 + i);
            assert_true(tiles[i].has_packed_hash && tiles[i].packed_hash[0] == 'p');
        }
        store_tiles_free(tiles, count);
        for (unsigned i = 0; i <= 1200; i += 400) {
            char key[33], report[24];
            bool found = false;
            (void)snprintf(key, sizeof key, "%08u%024d", i, 1);
            (void)snprintf(report, sizeof report, "report %u", 9000 + i);
            tile = (store_tile){0};
            assert_int_equal(store_tile_find(f->disk, "town", 3, true, (const uint8_t *)key, &tile,
                                             &found, NULL),
                             NAV_OK);
            assert_true(found);
            assert_int_equal(tile.bytes, i > 0 ? 9000 + i : 0);
            assert_int_equal(tile.report_bytes, i > 0 ? strlen(report) : 1);
            assert_memory_equal(tile.report, i > 0 ? report : "w", tile.report_bytes);
            store_tile_empty(&tile);
        }
    }
}

// A tile whose bytes an old database has lost is not one that nobody can stand in: neither for its
// version nor for a later bake that looks for its key.
static void a_tile_that_lost_its_bytes_stays_a_damaged_one(void **state)
{
    store_fixture *f = *state;
    store_tile *tiles;
    size_t count;
    for (size_t number = 2; number <= SINGLE_COUNT; number++) {
        make_old(f, number);
        store_fixture_execute(f, "UPDATE version_tiles SET report = x'77', key = CAST(x'07' ||"
                                 " zeroblob(31) AS BLOB) WHERE version = 2 AND tile_z = 1");
        store_fixture_execute(f, "DELETE FROM blobs WHERE zstd = 'tile three'");
        store_fixture_open(f);
        assert_int_equal(store_tiles_load(f->disk, "town", 2, &tiles, &count, NULL), NAV_OK);
        assert_int_equal(count, 2);
        assert_null(tiles[1].packed);
        assert_int_equal(tiles[1].hash[0], 0xb3);
        store_tiles_free(tiles, count);
        assert_false(store_fixture_has(f->disk, "town", 2, false, 7));
        assert_int_equal(store_fixture_faults(f->disk), 1);
    }
}

// How many bytes a tile has may be damaged in an old database: then they are as good as lost.
static void a_tile_whose_size_is_damaged_has_lost_its_bytes(void **state)
{
    static const char *const sizes[] = {"0", "-1", "'x'", "x'07'", "0.5"};
    store_fixture *f = *state;
    for (size_t i = 0; i < SINGLE_COUNT * (sizeof sizes / sizeof *sizes); i++) {
        char sql[96];
        store_tile *tiles;
        size_t count;
        make_old(f, 1 + i % SINGLE_COUNT);
        (void)snprintf(sql, sizeof sql, "UPDATE blobs SET bytes = %s WHERE zstd = 'tile three'",
                       sizes[i / SINGLE_COUNT]);
        store_fixture_execute(f, sql);
        store_fixture_open(f);
        assert_int_equal(store_tiles_load(f->disk, "town", 2, &tiles, &count, NULL), NAV_OK);
        assert_int_equal(count, 2);
        assert_null(tiles[1].packed);
        assert_int_equal(tiles[1].hash[0], 0xb3);
        store_tiles_free(tiles, count);
        assert_int_equal(store_fixture_faults(f->disk), 1);
    }
}

// So that a migration which is added has a database to be tested with.
static void every_schema_before_the_newest_is_tested(void **state)
{
    store_fixture *f = *state;
    store_fixture_open(f);
    store_fixture_close(f);
    assert_int_equal(SCHEMA_COUNT, store_fixture_ask(f, "PRAGMA user_version") - 1);
    assert_int_equal(store_fixture_ask(f, "PRAGMA application_id"), 1851881069);
    assert_int_equal(store_fixture_ask(f, "PRAGMA page_size"), 16384);
}

// An old database and a new one have the same tables in the end.
static void migrations_end_in_the_schema_of_a_new_database(void **state)
{
    store_fixture *f = *state;
    const char *const shape = "SELECT sum(length(name) * 31 + length(type) * 7 + \"notnull\" + pk)"
                              " FROM (SELECT p.* FROM sqlite_master m, pragma_table_info(m.name) p"
                              " WHERE m.type = 'table')";
    store_fixture_open(f);
    store_fixture_close(f);
    int64_t wanted = store_fixture_ask(f, shape);
    int64_t indices =
        store_fixture_ask(f, "SELECT count(*) FROM sqlite_master WHERE type = 'index'");
    for (size_t number = 1; number <= SCHEMA_COUNT; number++) {
        make_old(f, number);
        store_fixture_open(f);
        store_fixture_close(f);
        assert_int_equal(store_fixture_ask(f, shape), wanted);
        assert_int_equal(
            store_fixture_ask(f, "SELECT count(*) FROM sqlite_master WHERE type = 'index'"),
            indices);
    }
}

// The database of a daemon that may still run: looked at and copied, whatever its schema.
static void an_old_database_is_looked_at_without_being_changed(void **state)
{
    store_fixture *f = *state;
    char copy[128];
    make_old(f, 1);
    store_fixture_name(f, "-copy", copy);
    nav_error err = {0};
    assert_int_equal(store_open_to_look(f->path, &f->disk, &err), NAV_OK);
    assert_int_equal(store_backup(f->disk, copy, &err), NAV_OK);
    assert_int_equal(store_backup(f->disk, copy, &err), NAV_INVALID_FIELD);
    assert_int_equal(store_fixture_faults(f->disk), 0);
    int blocks = 0;
    assert_int_equal(store_blocks_each(f->disk, false, count_block, &blocks, NULL), NAV_OK);
    assert_int_equal(blocks, 3);
    store_fixture_close(f);
    assert_int_equal(store_fixture_ask(f, "PRAGMA user_version"), 1);
    assert_int_equal(rename(copy, f->path), 0);
    store_fixture_open(f);
    assert_content(f);
}

// ---- packs of schema 5 ----

static void make_packed(store_fixture *f)
{
    store_fixture_remove_files(f);
    store_fixture_execute(f, "PRAGMA page_size=16384; PRAGMA journal_mode=WAL");
    store_fixture_execute(f, SCHEMA_5_TABLES);
    store_fixture_execute(f, SCHEMA_5_KEYED_ROWS);
    store_fixture_execute(f, "PRAGMA application_id=1851881069; PRAGMA user_version=5");
}

static void assert_found(store *disk, uint32_t version, uint8_t key, const char *packed,
                         const char *report)
{
    store_tile tile;
    assert_true(store_fixture_find(disk, "yard", version, true, key, &tile));
    assert_int_equal(tile.bytes > 0, packed != NULL);
    if (packed != NULL) {
        assert_int_equal(tile.packed_bytes, strlen(packed));
        assert_memory_equal(tile.packed, packed, strlen(packed));
        assert_int_equal(tile.packed_hash[0], key - 0x10);
    }
    assert_int_equal(tile.report_bytes, strlen(report));
    assert_memory_equal(tile.report, report, strlen(report));
    store_tile_empty(&tile);
}

static void packs_become_rows_with_keys_and_reports(void **state)
{
    store_fixture *f = *state;
    store_tile *tiles;
    size_t count;
    make_packed(f);
    store_fixture_open(f);
    assert_found(f->disk, 1, 0xe5, "tile five", "report five");
    assert_found(f->disk, 2, 0xe5, "tile five", "report five");
    assert_found(f->disk, 1, 0xe6, "tile six", "report six");
    assert_found(f->disk, 2, 0xe7, "tile seven", "report seven");
    assert_found(f->disk, 1, 0xe0, NULL, "report none");
    assert_found(f->disk, 2, 0xe0, NULL, "report none");
    assert_false(store_fixture_has(f->disk, "yard", 2, true, 0xe6));
    assert_int_equal(store_tiles_load(f->disk, "yard", 2, &tiles, &count, NULL), NAV_OK);
    assert_int_equal(count, 2);
    assert_true(tiles[1].x == 0 && tiles[1].z == 1 && tiles[1].bytes == 700);
    store_tiles_free(tiles, count);
    assert_int_equal(store_fixture_faults(f->disk), 0);
    store_fixture_close(f);
    // A tile that both versions have is there once.
    assert_int_equal(store_fixture_ask(f, "SELECT count(*) FROM tiles"), 4);
    assert_int_equal(store_fixture_ask(f, "SELECT count(*) FROM blobs"), 3);
    assert_int_equal(store_fixture_ask(f, "SELECT count(*) FROM version_tiles"), 6);
}

// Damage is no reason not to start: what can be read is there, all else is told of.
static void packs_that_are_damaged_are_moved_as_far_as_they_can_be_read(void **state)
{
    static const struct {
        const char *sql;
        nav_status first; // of loading version 1
        int lost;         // of its tiles
    } damages[] = {
        {"UPDATE packs SET zstd = zeroblob(length(zstd))", NAV_OK, 0}, // seen when it is unpacked
        {"UPDATE packs SET zstd = substr(zstd, 1, 12) WHERE id = 1", NAV_OK, 1},
        {"UPDATE packs SET zstd = x''", NAV_OK, 2},
        {"DELETE FROM packs", NAV_OK, 2},
        {"UPDATE pack_tiles SET directory = zeroblob(length(directory))", NAV_OK, 2},
        {"UPDATE pack_tiles SET directory = x'00'", NAV_OK, 2},
        {"DELETE FROM pack_tiles", NAV_OK, 2},
        {"UPDATE version_tiles SET tiles = zeroblob(length(tiles)); UPDATE versions SET"
         " blob_json = '{\"sha256\":\"\"}'",
         PROTO_INTERNAL, 0},
        {"UPDATE version_tiles SET tiles = x'00'; UPDATE versions SET blob_json ="
         " '{\"sha256\":\"\"}'",
         PROTO_INTERNAL, 0},
    };
    store_fixture *f = *state;
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        store_tile *tiles;
        size_t count;
        int lost = 0;
        make_packed(f);
        store_fixture_execute(f, damages[i].sql);
        store_fixture_open(f);
        assert_int_equal(store_tiles_load(f->disk, "yard", 1, &tiles, &count, NULL),
                         damages[i].first);
        if (damages[i].first == NAV_OK) {
            assert_int_equal(count, 2);
            for (size_t k = 0; k < count; k++) {
                lost += tiles[k].packed == NULL;
                assert_true(tiles[k].hash[0] == 0xb5 || tiles[k].hash[0] == 0xb6);
            }
            store_tiles_free(tiles, count);
        }
        assert_int_equal(lost, damages[i].lost);
        assert_int_equal(store_fixture_ask(f, "PRAGMA user_version"), 8);
    }
}

// Rows of tiles whose version is gone are left behind, in a start and where the file is verified;
// and SQLite's own word for a fault bears the file's name.
static void tiles_of_a_version_that_is_gone_are_left_out(void **state)
{
    store_fixture *f = *state;
    for (size_t number = 1; number <= MOVED_COUNT; number++) {
        make_old(f, number);
        const int64_t wanted = store_fixture_ask(f, "SELECT count(DISTINCT version) FROM"
                                                    " version_tiles");
        assert_true(wanted > 1);
        store_fixture_execute(f, "DELETE FROM versions WHERE version = 1");
        assert_int_equal(store_open_to_look(f->path, &f->disk, NULL), NAV_OK);
        assert_true(store_fixture_faults(f->disk) > 0);
        store_fixture_open(f);
        assert_int_equal(store_fixture_ask(f, "SELECT count(DISTINCT version) FROM version_tiles"),
                         wanted - 1);
        assert_int_equal(store_fixture_ask(f, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
    }
}

// Cut to 32 bits these are the numbers of versions and places that are there.
static void numbers_that_cannot_be_take_no_tile_from_others(void **state)
{
    static const char *const wrong[] = {
        // Of version 2; the failed one has the number, too, so that the row is not a stray.
        "UPDATE versions SET version = 4294967298 WHERE version = 4;"
        "UPDATE version_tiles SET version = 4294967298 WHERE version = 1",
        "UPDATE versions SET version = -4294967294 WHERE version = 4;"
        "UPDATE version_tiles SET version = -4294967294 WHERE version = 1",
        "UPDATE versions SET version = 2.5 WHERE version = 4;"
        "UPDATE version_tiles SET version = 2.5 WHERE version = 1",
        // Only where each tile has a row: behind the one whose place it would take.
        "UPDATE version_tiles SET version = 2, tile_x = 4294967296 WHERE version = 1 AND tile_x = "
        "1",
        "UPDATE version_tiles SET version = 2, tile_z = 4294967297 WHERE version = 1 AND tile_x = "
        "1",
        "UPDATE version_tiles SET version = 2, tile_x = 0.5 WHERE version = 1 AND tile_x = 1",
    };
    store_fixture *f = *state;
    for (size_t number = 1; number <= SCHEMA_COUNT; number++) {
        const size_t count = number <= SINGLE_COUNT ? sizeof wrong / sizeof *wrong : 3;
        for (size_t i = 0; i < count; i++) {
            store_tile *tiles;
            size_t tile_count;
            make_old(f, number);
            store_fixture_execute(f, wrong[i]);
            store_fixture_open(f);
            assert_int_equal(store_tiles_load(f->disk, "town", 2, &tiles, &tile_count, NULL),
                             NAV_OK);
            assert_int_equal(tile_count, 2);
            assert_memory_equal(tiles[0].packed, "tile one", 8);
            assert_memory_equal(tiles[1].packed, "tile three", 10);
            assert_true(tiles[1].x == 0 && tiles[1].z == 1);
            store_tiles_free(tiles, tile_count);
        }
    }
}

// ---- the copy ----

static int64_t ask_file(const char *path, const char *sql)
{
    store_fixture of = {0};
    (void)snprintf(of.path, sizeof of.path, "%.95s", path);
    return store_fixture_ask(&of, sql);
}

static void a_copy_is_kept_and_none_is_overwritten(void **state)
{
    store_fixture *f = *state;
    char copy[128], second[128];
    store_fixture_name(f, "-before-8", copy);
    store_fixture_name(f, "-before-8-2", second);
    for (size_t number = 1; number <= SCHEMA_COUNT; number++) {
        make_old(f, number);
        store_fixture_open(f);
        assert_int_equal(ask_file(copy, "PRAGMA user_version"), number);
        assert_int_equal(ask_file(copy, "SELECT count(*) FROM versions"), 4);
        assert_int_equal(access(second, F_OK), -1);
    }
    // It is brought back by hand, is another now, and the program is started again.
    store_fixture_close(f);
    store_fixture_execute(f, "DROP TABLE version_tiles; DROP TABLE tiles; DROP TABLE blobs");
    make_old(f, 1);
    FILE *mine = fopen(copy, "wb");
    assert_non_null(mine);
    assert_int_equal(fputs("mine", mine) >= 0, 1);
    assert_int_equal(fclose(mine), 0);
    store_fixture_open(f);
    assert_content(f);
    assert_int_equal(ask_file(second, "PRAGMA user_version"), 1);
    char words[8] = "";
    mine = fopen(copy, "rb");
    assert_non_null(mine);
    assert_non_null(fgets(words, sizeof words, mine));
    assert_int_equal(fclose(mine), 0);
    assert_string_equal(words, "mine");
    // A new database, and one that is up to date, need none.
    store_fixture_remove_files(f);
    store_fixture_open(f);
    store_fixture_open(f);
    assert_int_equal(access(copy, F_OK), -1);
}

// A link that leads nowhere takes the name of the copy, and stays.
static void a_link_in_the_place_of_the_copy_is_left_alone(void **state)
{
    store_fixture *f = *state;
    char copy[128], second[128], target[16] = "";
    store_fixture_name(f, "-before-8", copy);
    store_fixture_name(f, "-before-8-2", second);
    make_old(f, 1);
    assert_int_equal(symlink("nowhere", copy), 0);
    store_fixture_open(f);
    assert_content(f);
    assert_int_equal(ask_file(second, "PRAGMA user_version"), 1);
    assert_int_equal(readlink(copy, target, sizeof target - 1), 7);
    assert_string_equal(target, "nowhere");
    nav_error err;
    assert_int_equal(store_backup(f->disk, copy, &err), NAV_INVALID_FIELD);
    assert_non_null(strstr(err.detail, "is there already"));
}

// As a start leaves it that is killed in the migration; one of the same size is no such copy.
static void a_copy_that_is_there_is_taken(void **state)
{
    store_fixture *f = *state;
    char copy[128], second[128];
    store_fixture_name(f, "-before-8", copy);
    store_fixture_name(f, "-before-8-2", second);
    for (size_t number = 1; number <= 2 * SCHEMA_COUNT; number++) {
        const bool changed = number > SCHEMA_COUNT;
        make_old(f, changed ? number - SCHEMA_COUNT : number);
        assert_int_equal(store_open_to_look(f->path, &f->disk, NULL), NAV_OK);
        assert_int_equal(store_backup(f->disk, copy, NULL), NAV_OK);
        store_fixture_close(f);
        if (changed) {
            store_fixture_execute(f, "UPDATE versions SET stats_json = '{\"s\":9}'");
        }
        store_fixture_open(f);
        assert_int_equal(access(copy, F_OK), 0);
        assert_int_equal(access(second, F_OK), changed ? 0 : -1);
    }
}

// Stands in for the C library's.
static uint64_t room_bytes = UINT64_MAX;

int statvfs(const char *restrict path, struct statvfs *restrict out)
{
    (void)path;
    *out = (struct statvfs){.f_frsize = 1, .f_bavail = room_bytes};
    return 0;
}

static uint64_t size_of(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    const long size_bytes = ftell(file);
    assert_int_equal(fclose(file), 0);
    return (uint64_t)size_bytes;
}

// Four times the file's size, or three where its copy is there.
static void a_migration_without_room_says_so_and_changes_nothing(void **state)
{
    store_fixture *f = *state;
    char copy[128];
    store_fixture_name(f, "-before-8", copy);
    for (size_t i = 0; i < 2 * SCHEMA_COUNT; i++) {
        const size_t number = 1 + i / 2;
        const bool copied = i % 2 == 1;
        store *disk = NULL;
        nav_error err = {0};
        make_old(f, number);
        if (copied) {
            assert_int_equal(store_open_to_look(f->path, &f->disk, NULL), NAV_OK);
            assert_int_equal(store_backup(f->disk, copy, NULL), NAV_OK);
            store_fixture_close(f);
        }
        room_bytes = size_of(f->path) * (copied ? 3 : 4) - 1;
        assert_int_equal(store_open(f->path, &disk, &err), PROTO_STORAGE_FULL);
        assert_null(disk);
        assert_non_null(strstr(err.detail, f->path));
        char words[160];
        (void)snprintf(words, sizeof words,
                       "to schema 8 takes %u MiB beside it for a copy and the work, and there are"
                       " %u: make room",
                       (unsigned)((room_bytes + 1) >> 20) + 1, (unsigned)(room_bytes >> 20));
        assert_non_null(strstr(err.detail, words));
        assert_int_equal(access(copy, F_OK), copied ? 0 : -1);
        assert_int_equal(store_fixture_ask(f, "PRAGMA user_version"), number);
        room_bytes++;
        store_fixture_open(f);
        assert_content(f);
        room_bytes = UINT64_MAX;
    }
}

// The old file is as it was, and no copy of it is left.
static void a_migration_that_fails_leaves_the_old_file_as_it_was(void **state)
{
    store_fixture *f = *state;
    char copy[128];
    store_fixture_name(f, "-before-8", copy);
    for (size_t number = 1; number <= SCHEMA_COUNT; number++) {
        store *disk = NULL;
        nav_error err = {0};
        make_old(f, number);
        store_fixture_execute(f, "CREATE TABLE recordings(a)"); // in the way
        assert_int_not_equal(store_open(f->path, &disk, &err), NAV_OK);
        assert_null(disk);
        assert_non_null(strstr(err.detail, "migrating the database"));
        assert_non_null(strstr(err.detail, f->path));
        assert_int_equal(access(copy, F_OK), -1);
        assert_int_equal(store_fixture_ask(f, "PRAGMA user_version"), number);
        store_fixture_execute(f, "DROP TABLE recordings");
        store_fixture_open(f);
        assert_content(f);
    }
}

// A byte of a table's text: to SQLite it is still a table, with another column or another type.
static void a_table_whose_text_is_damaged_is_refused_before_anything_is_kept(void **state)
{
    store_fixture *f = *state;
    static const char *const texts[][2] = {
        {"blob_json TEXT", "blob_jsox TEXT"},
        {"active INTEGER", "activx INTEGER"},
        {"created_at TEXT", "created_at TxXT"},
    };
    char copy[128];
    store_fixture_name(f, "-before-8", copy);
    for (size_t i = 0; i < SCHEMA_COUNT * sizeof texts / sizeof *texts; i++) {
        const size_t number = 1 + i % SCHEMA_COUNT;
        const char *const *text = texts[i / SCHEMA_COUNT];
        store *disk = NULL;
        nav_error err = {0};
        char damage[256];
        make_old(f, number);
        (void)snprintf(damage, sizeof damage,
                       "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql ="
                       " replace(sql, '%s', '%s'); PRAGMA writable_schema=OFF",
                       text[0], text[1]);
        store_fixture_execute(f, damage);
        (void)snprintf(damage, sizeof damage,
                       "SELECT count(*) FROM sqlite_schema WHERE instr(sql, '%s') > 0", text[1]);
        assert_int_equal(store_fixture_ask(f, damage), 1);
        assert_int_not_equal(store_open(f->path, &disk, &err), NAV_OK);
        assert_null(disk);
        assert_non_null(strstr(err.detail, f->path));
        assert_int_equal(access(copy, F_OK), -1);
        assert_int_equal(store_fixture_ask(f, "PRAGMA user_version"), number);
    }
}

#define TEST(name)                                                                                 \
    cmocka_unit_test_setup_teardown(name, store_fixture_set_up_closed, store_fixture_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(each_former_schema_opens_with_all_that_is_in_it),
        TEST(tiles_keep_their_keys_and_reports),
        TEST(a_tile_that_lost_its_bytes_stays_a_damaged_one),
        TEST(a_tile_whose_size_is_damaged_has_lost_its_bytes),
        TEST(every_schema_before_the_newest_is_tested),
        TEST(migrations_end_in_the_schema_of_a_new_database),
        TEST(an_old_database_is_looked_at_without_being_changed),
        TEST(packs_become_rows_with_keys_and_reports),
        TEST(packs_that_are_damaged_are_moved_as_far_as_they_can_be_read),
        TEST(tiles_of_a_version_that_is_gone_are_left_out),
        TEST(numbers_that_cannot_be_take_no_tile_from_others),
        TEST(a_link_in_the_place_of_the_copy_is_left_alone),
        TEST(a_copy_is_kept_and_none_is_overwritten),
        TEST(a_copy_that_is_there_is_taken),
        TEST(a_migration_without_room_says_so_and_changes_nothing),
        TEST(a_migration_that_fails_leaves_the_old_file_as_it_was),
        TEST(a_table_whose_text_is_damaged_is_refused_before_anything_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
