// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_files.c: a file that is not ours stays as it is, whatever is said names it and what to
// do, and one that is missing is made.

#include "server/store/store.h"

#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/store_fixture.h"

static void write_file(const char *path, const char *bytes, size_t size_bytes)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size_bytes, file), size_bytes);
    assert_int_equal(fclose(file), 0);
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

static void assert_says(const nav_error *err, const char *words)
{
    if (strstr(err->detail, words) == NULL) {
        fail_msg("'%s' does not say '%s'", err->detail, words);
    }
}

// Refused by start and check alike, with these words, the file's name and a way out.
static void assert_name_refused(const char *path, const char *words)
{
    store *disk = NULL;
    nav_error err = {0};
    assert_int_equal(store_check(path, &err), PROTO_STORE_UNAVAILABLE);
    assert_says(&err, words);
    assert_int_equal(store_open(path, &disk, &err), PROTO_STORE_UNAVAILABLE);
    assert_null(disk);
    assert_says(&err, words);
    assert_says(&err, path);
    assert_says(&err, "--db");
}

// And not a byte of it changed.
static void assert_refused(const store_fixture *f, const char *words)
{
    uint64_t before = sum_of(f->path);
    assert_name_refused(f->path, words);
    assert_true(sum_of(f->path) == before);
}

static void assert_look_refused(const char *path, const char *words)
{
    store *disk = NULL;
    nav_error err = {0};
    assert_int_equal(store_open_to_read(path, &disk, &err), PROTO_STORE_UNAVAILABLE);
    assert_null(disk);
    assert_says(&err, words);
    assert_says(&err, path);
    assert_says(&err, "--db");
}

static void foreign_files_are_refused(void **state)
{
    store_fixture *f = *state;
    write_file(f->path, "this is no database, only text that is long enough", 50);
    assert_refused(f, "not a database");
    (void)unlink(f->path);
    store_fixture_execute(f, "CREATE TABLE t(a)");
    assert_refused(f, "another program");
    assert_look_refused(f->path, "another program");
}

static void names_that_are_no_files_are_refused(void **state)
{
    store_fixture *f = *state;
    char name[128];
    assert_name_refused(f->directory, "is a folder");
    assert_look_refused(f->directory, "is a folder");
    (void)snprintf(name, sizeof name, "%s/none/t.db", f->directory);
    assert_name_refused(name, "No such file or directory");
    assert_look_refused(name, "No such file or directory");
    assert_look_refused(f->path, "there is no database");
    assert_int_equal(mkfifo(f->path, 0600), 0);
    assert_name_refused(f->path, "not a regular file");
    assert_look_refused(f->path, "not a regular file");
    (void)snprintf(name, sizeof name, "%s/t.db/t.db", f->directory);
    assert_name_refused(name, "Not a directory");
}

static void newer_and_read_only_files_are_refused(void **state)
{
    store_fixture *f = *state;
    store_fixture_open(f);
    store_fixture_close(f);
    assert_int_equal(chmod(f->path, 0444), 0);
    assert_refused(f, "read-only");
    assert_int_equal(chmod(f->path, 0644), 0);
    store_fixture_execute(f, "PRAGMA user_version=10");
    assert_refused(f, "it has schema 10, this navmeshd knows up to 9: use a newer one");
    store_fixture_execute(f, "PRAGMA user_version=-1");
    assert_refused(f, "it says that it has schema -1");
}

static void damaged_files_are_refused(void **state)
{
    store_fixture *f = *state;
    store_fixture_open(f);
    store_fixture_add(f->disk, "town", 'a', true);
    store_fixture_close(f);
    FILE *file = fopen(f->path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, 16384, SEEK_SET), 0);
    for (int i = 0; i < 16384; i++) {
        (void)fputc(0xa5, file);
    }
    assert_int_equal(fclose(file), 0);
    assert_refused(f, "da"); // "damaged", or SQLite's "database disk image is malformed"
}

// To SQLite these are tables like any other. A table more is nothing to us.
static void tables_that_are_not_as_they_should_be_are_refused(void **state)
{
    static const char *const changes[][2] = {
        {"ALTER TABLE versions RENAME COLUMN reuse TO reusf", "table versions"},
        {"ALTER TABLE meshes RENAME TO mashes", "table meshes"},
        {"PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql = replace(sql,"
         " 'REFERENCES versions(mesh', 'REFERENCES versions(mess') WHERE name = "
         "'version_landmarks'",
         "table version_landmarks"},
        {"DROP INDEX version_tiles_by_tile", "index version_tiles_by_tile"},
    };
    store_fixture *f = *state;
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        store_fixture_remove_files(f);
        store_fixture_open(f);
        store_fixture_close(f);
        store_fixture_execute(f, "CREATE TABLE somebody_elses(a)");
        assert_int_equal(store_check(f->path, NULL), NAV_OK);
        store_fixture_execute(f, changes[i][0]);
        assert_refused(f, changes[i][1]);
        assert_look_refused(f->path, changes[i][1]);
    }
}

static void a_second_daemon_is_refused(void **state)
{
    store_fixture *f = *state;
    store_fixture_open(f);
    store *second = NULL;
    nav_error err = {0};
    assert_int_equal(store_open(f->path, &second, &err), PROTO_STORE_UNAVAILABLE);
    assert_says(&err, "locked");
    assert_says(&err, f->path);
    // And the first one goes on.
    assert_int_equal(store_fixture_add(f->disk, "town", 'a', true), 1);
    store_fixture_open(f);
    assert_int_equal(store_fixture_add(f->disk, "town", 'b', true), 2);
}

static void *open_late(void *argument)
{
    store_fixture *f = argument;
    nav_error err = {0};
    if (store_open(f->path, &f->disk, &err) != NAV_OK) {
        f->disk = NULL;
    }
    return NULL;
}

// Another start has made the file while this one waited for the lock of what is being made.
static void a_file_made_meanwhile_stays(void **state)
{
    store_fixture *f = *state;
    char fresh[128];
    pthread_t late;
    const struct timespec moment = {.tv_nsec = 200000000};
    store_fixture_name(f, "-new", fresh);
    store_fixture_open(f);
    assert_int_equal(store_fixture_add(f->disk, "town", 'a', true), 1);
    store_fixture_close(f);
    assert_int_equal(rename(f->path, fresh), 0);
    int fd = open(fresh, O_RDWR | O_CLOEXEC);
    assert_int_equal(flock(fd, LOCK_EX), 0);
    assert_int_equal(pthread_create(&late, NULL, open_late, f), 0);
    (void)nanosleep(&moment, NULL);
    assert_int_equal(rename(fresh, f->path), 0);
    (void)close(fd);
    (void)pthread_join(late, NULL);
    assert_non_null(f->disk);
    assert_int_equal(store_fixture_add(f->disk, "town", 'b', true), 2);
    assert_int_equal(access(fresh, F_OK), -1);
}

static void missing_and_empty_files_are_made(void **state)
{
    store_fixture *f = *state;
    assert_int_equal(store_check(f->path, NULL), NAV_OK);
    assert_int_equal(access(f->path, F_OK), -1); // check makes nothing
    write_file(f->path, "", 0);
    store_fixture_open(f);
    assert_int_equal(store_fixture_add(f->disk, "town", 'a', true), 1);
}

// A row that SQLite's own check finds fault with: null where that may not be.
static void break_row(const store_fixture *f, const char *table, const char *column)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *s = NULL;
    assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_prepare_v2(db, "SELECT sql FROM sqlite_schema WHERE name = ?", -1, &s, NULL),
        SQLITE_OK);
    (void)sqlite3_bind_text(s, 1, table, -1, SQLITE_STATIC);
    assert_int_equal(sqlite3_step(s), SQLITE_ROW);
    char *loosen = sqlite3_mprintf("PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql ="
                                   " replace(sql, ' NOT NULL', '') WHERE name = %Q",
                                   table);
    char *spoil = sqlite3_mprintf("UPDATE %s SET %s = NULL", table, column);
    char *restore = sqlite3_mprintf("PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql = %Q"
                                    " WHERE name = %Q",
                                    (const char *)sqlite3_column_text(s, 0), table);
    (void)sqlite3_finalize(s);
    (void)sqlite3_close(db);
    store_fixture_execute(f, loosen);
    store_fixture_execute(f, spoil);
    store_fixture_execute(f, restore);
    sqlite3_free(loosen);
    sqlite3_free(spoil);
    sqlite3_free(restore);
}

static void each_table_is_checked_before_it_is_used(void **state)
{
    static const char *const broken[][2] = {{"meshes", "next_version"},
                                            {"versions", "created_at"},
                                            {"version_tiles", "tile"},
                                            {"tiles", "checksum"}};
    store_fixture *f = *state;
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        const store_tile tile = store_fixture_tile(1, 1);
        nav_error err = {0};
        store_fixture_remove_files(f);
        store_fixture_open(f);
        (void)store_fixture_add_baked(f->disk, "town", 1, &tile);
        store_fixture_close(f);
        assert_int_equal(store_check(f->path, &err), NAV_OK);
        break_row(f, broken[i][0], broken[i][1]);
        assert_int_equal(store_check(f->path, &err), PROTO_STORE_UNAVAILABLE);
        assert_non_null(strstr(err.detail, "it is damaged, put a backup in its place: NULL value"));
        assert_int_equal(store_open(f->path, &f->disk, &err), PROTO_STORE_UNAVAILABLE);
        assert_null(f->disk);
    }
}

// Cut while it is open: then only the copying finds out.
static void a_damaged_file_is_not_copied_and_the_reply_says_what_to_do(void **state)
{
    static const char end[] = "navmeshd verify tells what it is";
    store_fixture *f = *state;
    char copy[128];
    nav_error err = {0};
    store_fixture_name(f, "-copy", copy);
    store_fixture_open(f);
    store_fixture_open(f); // its log goes into the file
    assert_int_equal(truncate(f->path, 16384), 0);
    assert_int_equal(store_backup(f->disk, copy, &err), PROTO_STORE_UNAVAILABLE);
    assert_int_equal(access(copy, F_OK), -1);
    assert_says(&err, copy);
    assert_says(&err, "restore a backup");
    assert_true(strlen(err.detail) > sizeof end);
    assert_string_equal(err.detail + strlen(err.detail) - strlen(end), end);
}

#define TEST(name)                                                                                 \
    cmocka_unit_test_setup_teardown(name, store_fixture_set_up_closed, store_fixture_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(foreign_files_are_refused),
        TEST(names_that_are_no_files_are_refused),
        TEST(newer_and_read_only_files_are_refused),
        TEST(damaged_files_are_refused),
        TEST(each_table_is_checked_before_it_is_used),
        TEST(tables_that_are_not_as_they_should_be_are_refused),
        TEST(a_second_daemon_is_refused),
        TEST(a_file_made_meanwhile_stays),
        TEST(missing_and_empty_files_are_made),
        TEST(a_damaged_file_is_not_copied_and_the_reply_says_what_to_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
