// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_log_file.c: what is committed through the log that waits is there for everybody, what
// is not is there for nobody, and a disk that takes no more costs the transaction only.

#include "server/store/db.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <signal.h>

#include "tests/unit/store_fixture.h"

typedef struct fixture {
    store_fixture place;      // not a store, but the folder of one
    sqlite3 *writer, *reader; // the reader has SQLite's own files
} fixture;

static int execute(sqlite3 *db, const char *sql)
{
    return sqlite3_exec(db, sql, NULL, NULL, NULL);
}

static void open_writer(fixture *f)
{
    store_log_file_register();
    assert_int_equal(sqlite3_open_v2(f->place.path, &f->writer,
                                     SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, STORE_LOG_FILE),
                     SQLITE_OK);
    assert_int_equal(execute(f->writer, "PRAGMA page_size=16384; PRAGMA journal_mode=WAL;"
                                        "PRAGMA synchronous=FULL"),
                     SQLITE_OK);
}

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    store_fixture_init(&f->place);
    open_writer(f);
    assert_int_equal(execute(f->writer, "CREATE TABLE t(id INTEGER PRIMARY KEY, bytes BLOB)"),
                     SQLITE_OK);
    assert_int_equal(sqlite3_open(f->place.path, &f->reader), SQLITE_OK);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    (void)sqlite3_close(f->reader);
    (void)sqlite3_close(f->writer);
    store_fixture_free(&f->place);
    free(f);
    return 0;
}

static int64_t ask(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *s = NULL;
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &s, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(s), SQLITE_ROW);
    int64_t value = sqlite3_column_int64(s, 0);
    (void)sqlite3_finalize(s);
    return value;
}

// A row whose bytes follow from its number, so that a page in the wrong place is seen.
static int put(sqlite3 *db, int id, int size_bytes)
{
    uint8_t *bytes = malloc((size_t)size_bytes);
    assert_non_null(bytes);
    for (int i = 0; i < size_bytes; i++) {
        bytes[i] = (uint8_t)(id * 31 + i / 251);
    }
    sqlite3_stmt *s = NULL;
    assert_int_equal(sqlite3_prepare_v2(db, "INSERT INTO t VALUES (?, ?)", -1, &s, NULL),
                     SQLITE_OK);
    (void)sqlite3_bind_int(s, 1, id);
    (void)sqlite3_bind_blob(s, 2, bytes, size_bytes, SQLITE_STATIC);
    int code = sqlite3_step(s);
    (void)sqlite3_finalize(s);
    free(bytes);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

static void assert_rows(sqlite3 *db, int count)
{
    int seen = 0;
    sqlite3_stmt *s = NULL;
    assert_int_equal(sqlite3_prepare_v2(db, "SELECT id, bytes FROM t ORDER BY id", -1, &s, NULL),
                     SQLITE_OK);
    while (sqlite3_step(s) == SQLITE_ROW) {
        const int id = sqlite3_column_int(s, 0), size_bytes = sqlite3_column_bytes(s, 1);
        const uint8_t *bytes = sqlite3_column_blob(s, 1);
        for (int i = 0; i < size_bytes; i++) {
            if (bytes[i] != (uint8_t)(id * 31 + i / 251)) {
                fail_msg("row %d, byte %d", id, i);
            }
        }
        seen++;
    }
    (void)sqlite3_finalize(s);
    assert_int_equal(seen, count);
    assert_int_equal(ask(db, "SELECT count(*) FROM pragma_integrity_check"
                             " WHERE integrity_check = 'ok'"),
                     1);
}

static void commits_of_any_size_are_there_for_everybody(void **state)
{
    fixture *f = *state;
    static const int sizes[] = {1, 4000, 16384, 100000, 126900, 127000, 131072, 700000, 3000000, 9};
    int id = 0;
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            assert_int_equal(execute(f->writer, "BEGIN IMMEDIATE"), SQLITE_OK);
            assert_int_equal(put(f->writer, ++id, sizes[i]), SQLITE_OK);
            assert_int_equal(execute(f->writer, "COMMIT"), SQLITE_OK);
            assert_rows(f->reader, id);
        }
    }
    assert_rows(f->writer, id);
    (void)sqlite3_close(f->writer);
    open_writer(f);
    assert_rows(f->writer, id);
}

// With a small cache pages go to the log before the end of their transaction.
static void what_is_rolled_back_is_there_for_nobody(void **state)
{
    fixture *f = *state;
    assert_int_equal(execute(f->writer, "PRAGMA cache_size=4"), SQLITE_OK);
    for (int round = 0; round < 4; round++) {
        assert_int_equal(execute(f->writer, "BEGIN IMMEDIATE"), SQLITE_OK);
        for (int id = 100; id < 140; id++) {
            assert_int_equal(put(f->writer, id, 30000), SQLITE_OK);
        }
        assert_int_equal(ask(f->writer, "SELECT sum(length(bytes)) FROM t WHERE id >= 100"),
                         40 * 30000);
        assert_int_equal(ask(f->reader, "SELECT count(*) FROM t"), round);
        assert_int_equal(execute(f->writer, "ROLLBACK"), SQLITE_OK);
        assert_int_equal(put(f->writer, round, 50000), SQLITE_OK);
        assert_rows(f->reader, round + 1);
        assert_rows(f->writer, round + 1);
    }
    assert_int_equal(execute(f->writer, "PRAGMA wal_checkpoint(TRUNCATE)"), SQLITE_OK);
    assert_rows(f->reader, 4);
}

// Each commit that has returned is in the files, whatever becomes of the process after it.
static void a_process_that_is_killed_leaves_its_commits(void **state)
{
    fixture *f = *state;
    (void)sqlite3_close(f->writer);
    (void)sqlite3_close(f->reader);
    f->writer = f->reader = NULL;
    pid_t child = fork();
    if (child == 0) {
        open_writer(f);
        for (int id = 0; id < 12; id++) {
            (void)put(f->writer, id, 90000 * id);
        }
        (void)execute(f->writer, "BEGIN IMMEDIATE");
        (void)put(f->writer, 99, 500000);
        (void)kill(getpid(), SIGKILL);
    }
    int how = 0;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFSIGNALED(how));
    open_writer(f);
    assert_int_equal(sqlite3_open(f->place.path, &f->reader), SQLITE_OK);
    assert_rows(f->reader, 12);
    assert_rows(f->writer, 12);
}

static void a_disk_that_is_full_costs_the_transaction_only(void **state)
{
    fixture *f = *state;
    struct rlimit before;
    struct stat log;
    char name[128];
    assert_int_equal(put(f->writer, 1, 200000), SQLITE_OK);
    (void)snprintf(name, sizeof name, "%s-wal", f->place.path);
    assert_int_equal(stat(name, &log), 0);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    for (int extra = 1; extra < 300000; extra += 37000) {
        const struct rlimit small = {.rlim_cur = (rlim_t)log.st_size + (rlim_t)extra,
                                     .rlim_max = before.rlim_max};
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        int code = put(f->writer, 2, 400000);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        assert_int_not_equal(code, SQLITE_OK);
        assert_rows(f->reader, 1);
        assert_rows(f->writer, 1);
    }
    (void)signal(SIGXFSZ, handler);
    assert_int_equal(put(f->writer, 2, 400000), SQLITE_OK);
    assert_rows(f->reader, 2);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(commits_of_any_size_are_there_for_everybody),
        TEST(what_is_rolled_back_is_there_for_nobody),
        TEST(a_process_that_is_killed_leaves_its_commits),
        TEST(a_disk_that_is_full_costs_the_transaction_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
