// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_migrate.c: a file of an older schema is put aside and opens with all that is in it, or stays
// as it was; one from before the first release is refused. The step is an example.

#include "server/store/store.h"

#include "server/base/log.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/store_example_step.h"
#include "tests/unit/store_fixture.h"

// A file of the program's schema, which has a live version.
static void make_old(store_fixture *f)
{
    const store_tile tile = store_fixture_tile(1, 1);
    store_fixture_remove_files(f);
    store_fixture_open(f);
    assert_int_equal(store_fixture_add_baked(f->disk, "town", 'a', &tile), 1);
    store_fixture_close(f);
}

static void assert_town(store *disk)
{
    store_version row;
    assert_int_equal(store_version_get(disk, "town", 1, &row, NULL), NAV_OK);
    assert_true(row.active && row.state == STORE_READY);
    store_version_free(&row);
    assert_int_equal(store_fixture_faults(disk), 0);
}

static void a_new_file_has_the_first_number(void **state)
{
    store_fixture *f = *state;
    store_fixture_open(f);
    store_fixture_close(f);
    assert_int_equal(store_fixture_ask(f, "PRAGMA user_version"), 9);
    assert_int_equal(store_fixture_ask(f, "PRAGMA application_id"), 1851881069);
    assert_int_equal(store_fixture_ask(f, "PRAGMA page_size"), 16384);
}

static void an_older_file_is_put_aside_and_opens_with_all_that_is_in_it(void **state)
{
    const store_schema example = store_example_schema();
    store_fixture *f = *state;
    char copy[128];
    store_fixture_name(f, EXAMPLE_SUFFIX, copy);
    make_old(f);
    for (int round = 0; round < 2; round++) { // the second one is in its place
        assert_int_equal(store_open_as(f->path, &example, &f->disk, NULL), NAV_OK);
        assert_town(f->disk);
        assert_int_equal(store_fixture_add(f->disk, "yard", 'b', true), 1);
        store_fixture_close(f);
        assert_int_equal(store_fixture_ask(f, "PRAGMA user_version"), EXAMPLE_NUMBER);
        assert_int_equal(
            store_fixture_ask(f, "SELECT count(*) FROM meshes WHERE note = 'moved town'"), 1);
        // The program of before takes the copy, and not the file.
        assert_int_equal(store_open(f->path, &f->disk, NULL), PROTO_STORE_UNAVAILABLE);
        assert_int_equal(rename(copy, f->path), 0);
        store_fixture_open(f);
        assert_town(f->disk);
        store_fixture_close(f);
        if (round == 0) { // as a migration has left it that was killed
            FILE *left = fopen(copy, "wb");
            assert_non_null(left);
            assert_int_equal(fclose(left), 0);
        }
    }
}

static void a_new_file_has_the_tables_of_all_steps(void **state)
{
    const store_schema example = store_example_schema();
    store_fixture *f = *state;
    assert_int_equal(store_open_as(f->path, &example, &f->disk, NULL), NAV_OK);
    store_fixture_close(f);
    assert_int_equal(store_fixture_ask(f, "PRAGMA user_version"), EXAMPLE_NUMBER);
    assert_int_equal(store_fixture_ask(f, "SELECT count(note) FROM meshes"), 0);
    assert_int_equal(store_open_as(f->path, &example, &f->disk, NULL), NAV_OK);
}

// Also where its last statement fails, behind others.
static void a_migration_that_fails_leaves_the_file_as_it_was(void **state)
{
    static const char *const steps[] = {
        "ALTER TABLE meshes ADD COLUMN note TEXT; INSERT INTO nowhere VALUES (1)"};
    const store_schema broken = {.tables = STORE_SCHEMA.tables, .steps = steps, .step_count = 1};
    store_fixture *f = *state;
    nav_error err = {0};
    make_old(f);
    assert_int_not_equal(store_open_as(f->path, &broken, &f->disk, &err), NAV_OK);
    assert_null(f->disk);
    assert_non_null(strstr(err.detail, f->path));
    assert_int_equal(store_fixture_ask(f, "PRAGMA user_version"), 9);
    store_fixture_open(f);
    assert_town(f->disk);
}

// A byte of a table's text: to SQLite it is still a table, with another column.
static void a_table_whose_text_is_damaged_is_refused_before_anything_is_kept(void **state)
{
    const store_schema example = store_example_schema();
    store_fixture *f = *state;
    nav_error err = {0};
    make_old(f);
    store_fixture_execute(f, "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql ="
                             " replace(sql, 'blob_json TEXT', 'blob_jsox TEXT')");
    assert_int_not_equal(store_open_as(f->path, &example, &f->disk, &err), NAV_OK);
    assert_null(f->disk);
    assert_non_null(strstr(err.detail, "no table versions as it should be"));
    assert_int_equal(store_fixture_ask(f, "PRAGMA user_version"), 9);
}

static void a_copy_that_cannot_be_made_says_so(void **state)
{
    const store_schema example = store_example_schema();
    store_fixture *f = *state;
    nav_error err = {0};
    char copy[128];
    make_old(f);
    store_fixture_name(f, EXAMPLE_SUFFIX, copy);
    assert_int_equal(mkdir(copy, 0700), 0);
    assert_int_equal(store_open_as(f->path, &example, &f->disk, &err), PROTO_STORE_UNAVAILABLE);
    assert_null(f->disk);
    assert_non_null(strstr(err.detail, copy));
    assert_int_equal(rmdir(copy), 0);
    assert_int_equal(store_fixture_ask(f, "PRAGMA user_version"), 9);
}

static void a_file_from_before_the_first_release_is_refused(void **state)
{
    static const char words[] =
        "from before the first release: upload its levels into a new database";
    store_fixture *f = *state;
    make_old(f);
    for (int number = 1; number < 9; number++) {
        char mark[64];
        nav_error err = {0};
        (void)snprintf(mark, sizeof mark, "PRAGMA user_version=%d", number);
        store_fixture_execute(f, mark);
        assert_int_equal(store_check(f->path, &err), PROTO_STORE_UNAVAILABLE);
        assert_non_null(strstr(err.detail, words));
        assert_int_equal(store_open(f->path, &f->disk, &err), PROTO_STORE_UNAVAILABLE);
        assert_non_null(strstr(err.detail, words));
        assert_non_null(strstr(err.detail, f->path));
        assert_int_equal(store_open_to_read(f->path, &f->disk, &err), PROTO_STORE_UNAVAILABLE);
        assert_non_null(strstr(err.detail, words));
        assert_null(f->disk);
        assert_int_equal(store_fixture_ask(f, "PRAGMA user_version"), number);
    }
}

#define TEST(name)                                                                                 \
    cmocka_unit_test_setup_teardown(name, store_fixture_set_up_closed, store_fixture_tear_down)

int main(void)
{
    log_configure((log_level)(LOG_LEVEL_ERROR + 1), LOG_FORMAT_TEXT);
    const struct CMUnitTest tests[] = {
        TEST(a_new_file_has_the_first_number),
        TEST(an_older_file_is_put_aside_and_opens_with_all_that_is_in_it),
        TEST(a_new_file_has_the_tables_of_all_steps),
        TEST(a_migration_that_fails_leaves_the_file_as_it_was),
        TEST(a_table_whose_text_is_damaged_is_refused_before_anything_is_kept),
        TEST(a_copy_that_cannot_be_made_says_so),
        TEST(a_file_from_before_the_first_release_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
