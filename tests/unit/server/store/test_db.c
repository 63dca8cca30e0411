// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_db.c: a statement is made once and used again, and nobody notices.

#include "server/store/db.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char SUM[] = "SELECT sum(value) FROM numbers WHERE value > ?";

static store_connection *open_memory(void)
{
    static store_connection c;
    c = (store_connection){0};
    (void)pthread_mutex_init(&c.lock, NULL);
    assert_int_equal(sqlite3_open(":memory:", &c.db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(c.db,
                                  "CREATE TABLE numbers(value INTEGER);"
                                  "INSERT INTO numbers VALUES (1), (2), (3)",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    (void)pthread_mutex_lock(&c.lock);
    return &c;
}

static void close_memory(store_connection *c)
{
    store_connection_close(c);
    assert_null(c->db);
    (void)pthread_mutex_unlock(&c->lock);
    (void)pthread_mutex_destroy(&c->lock);
}

static int64_t sum_above(store_connection *c, int64_t least)
{
    nav_error err = {0};
    store_statement s = store_prepare_locked(c, SUM);
    store_bind(&s, STORE_VALUES(STORE_INT(least)));
    assert_true(store_step(&s));
    int64_t sum = sqlite3_column_int64(s.sql, 0);
    assert_int_equal(store_finish(&s, "adding up", &err), NAV_OK);
    return sum;
}

static void is_used_again(void **state)
{
    (void)state;
    store_connection *c = open_memory();
    store_statement first = store_prepare_locked(c, SUM);
    sqlite3_stmt *const made = first.sql;
    store_bind(&first, STORE_VALUES(STORE_INT(2)));
    assert_true(store_step(&first));
    assert_int_equal(sqlite3_column_int64(first.sql, 0), 3);
    // While it is taken, an equal one is another.
    assert_int_equal(sum_above(c, 0), 6);
    assert_int_equal(sqlite3_column_int64(first.sql, 0), 3);
    assert_int_equal(store_finish(&first, "adding up", NULL), NAV_OK);
    // Begun anew, without what was bound.
    store_statement again = store_prepare_locked(c, SUM);
    assert_ptr_equal(again.sql, made);
    assert_true(store_step(&again));
    assert_int_equal(sqlite3_column_type(again.sql, 0), SQLITE_NULL);
    assert_int_equal(store_finish(&again, "adding up", NULL), NAV_OK);
    close_memory(c);
}

// One that is left in the middle must not hold what it has read.
static void lets_go(void **state)
{
    (void)state;
    store_connection *c = open_memory();
    store_statement s = store_prepare_locked(c, "SELECT value FROM numbers");
    assert_true(store_step(&s));
    assert_int_equal(store_finish(&s, "reading", NULL), NAV_OK);
    assert_int_equal(sqlite3_exec(c->db, "DROP TABLE numbers", NULL, NULL, NULL), SQLITE_OK);
    // A statement made before the table went says so, and goes on when it is there again.
    nav_error err = {0};
    s = store_prepare_locked(c, "SELECT value FROM numbers");
    assert_false(store_step(&s));
    assert_int_not_equal(store_finish(&s, "reading", &err), NAV_OK);
    assert_non_null(strstr(err.detail, "no such table"));
    assert_int_equal(sqlite3_exec(c->db,
                                  "CREATE TABLE numbers(value INTEGER);"
                                  "INSERT INTO numbers VALUES (5)",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    assert_int_equal(sum_above(c, 0), 5);
    close_memory(c);
}

// More texts than are kept, in memory that is used again for each, and more at once.
static void is_bounded(void **state)
{
    (void)state;
    enum {
        COUNT = 3 * STORE_KEPT_MAX
    };
    static char texts[COUNT][64];
    static store_statement taken[COUNT];
    store_connection *c = open_memory();
    for (int i = 0; i < COUNT; i++) {
        char text[64];
        (void)snprintf(text, sizeof text, "SELECT %d", i);
        store_statement s = store_prepare_locked(c, text);
        assert_true(store_step(&s));
        assert_int_equal(sqlite3_column_int(s.sql, 0), i);
        assert_int_equal(store_finish(&s, "reading", NULL), NAV_OK);
    }
    for (int i = 0; i < COUNT; i++) {
        (void)snprintf(texts[i], sizeof texts[i], "SELECT %d", i);
        taken[i] = store_prepare_locked(c, texts[i]);
        assert_true(store_step(&taken[i]));
    }
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(sqlite3_column_int(taken[i].sql, 0), i);
        assert_int_equal(store_finish(&taken[i], "reading", NULL), NAV_OK);
    }
    close_memory(c);
}

// Lines of SQLite's own check: a fault of the file, or of the disk.
static void an_error_of_the_disk_is_no_fault_of_the_file(void **state)
{
    (void)state;
    assert_int_equal(store_check_code("ok"), SQLITE_OK);
    assert_int_equal(store_check_code("NULL value in tiles.bytes"), SQLITE_OK);
    assert_int_equal(store_check_code("On tree page 3 cell 1: invalid page number 77"), SQLITE_OK);
    assert_int_equal(store_check_code("Page 3: unable to get the page. error code=11"), SQLITE_OK);
    assert_int_equal(store_check_code("Page 3: unable to get the page. error code=267"), SQLITE_OK);
    assert_int_equal(store_check_code("*** in database main ***\nPage 3: unable to get the page."
                                      " error code=266\nPage 4 is never used"),
                     SQLITE_IOERR_READ);
    assert_int_equal(store_check_code("On tree page 37 cell 1: failed to get page 26"),
                     SQLITE_IOERR_READ);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_used_again),
        cmocka_unit_test(lets_go),
        cmocka_unit_test(is_bounded),
        cmocka_unit_test(an_error_of_the_disk_is_no_fault_of_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
