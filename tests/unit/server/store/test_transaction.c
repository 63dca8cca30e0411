// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_transaction.c: whichever allocation of SQLite's fails in a write, the write is there
// whole or not at all, what was acknowledged is there for everybody, and the next write works. A
// file that was taken away by name takes no write until it is back.

#include "server/store/db.h"

#include <string.h>
#include <sys/statvfs.h>
#include <time.h>

#include "tests/unit/sqlite_memory.h"
#include "tests/unit/store_fixture.h"

#define FAILURES_MAX 4000 // more than a write has allocations

static const char CHECKS[] = "{\"checks\":[]}";

static nav_status put_checks(store *disk, uint32_t round)
{
    char text[64];
    (void)snprintf(text, sizeof text, "{\"checks\":[{\"round\":%u}]}", round);
    return store_checks_set(disk, "town", text, NULL);
}

static nav_status put_version(store *disk, uint32_t round)
{
    uint32_t version;
    bool existing;
    return store_fixture_insert(disk, "town", (uint8_t)round, false, false, &version, &existing);
}

// Ends in a ROLLBACK.
static nav_status switch_to_nothing(store *disk, uint32_t round)
{
    store_mesh before;
    uint64_t activation;
    (void)round;
    nav_status status =
        store_activate(disk, "town", 7777, STORE_ANY_ACTIVATION, &before, &activation, NULL);
    return status == PROTO_VERSION_NOT_FOUND ? NAV_OK : status;
}

typedef nav_status write_of(store *disk, uint32_t round);
static write_of *const WRITES[] = {put_checks, put_version, switch_to_nothing};

// Acknowledged, hence there for another process at once.
static void expect_a_write_that_works(const store_fixture *f)
{
    nav_error err = {0};
    if (store_checks_set(f->disk, "yard", CHECKS, &err) != NAV_OK) {
        fail_msg("%s", err.detail);
    }
    assert_int_equal(store_fixture_ask(f, "SELECT count(*) FROM mesh_checks WHERE mesh = 'yard'"),
                     1);
    store_fixture_execute(f, "DELETE FROM mesh_checks WHERE mesh = 'yard'");
}

static void fail_each_allocation(store_fixture *f, write_of *write, int64_t bad)
{
    bool came = true;
    for (uint32_t left = 0; came; left++) {
        assert_true(left < FAILURES_MAX);
        sqlite_memory_fail(left, bad);
        const nav_status status = write(f->disk, left);
        came = sqlite_memory_stop();
        assert_true(status == NAV_OK || status == NAV_NO_MEMORY ||
                    status == PROTO_STORE_UNAVAILABLE);
        expect_a_write_that_works(f);
    }
}

static void test_one_allocation_fails(void **state)
{
    for (size_t i = 0; i < sizeof WRITES / sizeof *WRITES; i++) {
        fail_each_allocation(*state, WRITES[i], 1);
    }
}

static void test_some_allocations_in_a_row_fail(void **state)
{
    for (size_t i = 0; i < sizeof WRITES / sizeof *WRITES; i++) {
        fail_each_allocation(*state, WRITES[i], 3);
    }
}

static void test_all_allocations_from_one_on_fail(void **state)
{
    for (size_t i = 0; i < sizeof WRITES / sizeof *WRITES; i++) {
        fail_each_allocation(*state, WRITES[i], INT64_MAX);
    }
}

#ifndef BEFORE
// The first failure is told, and the next write, or a probe, ends it.
static void test_degraded_until_a_write_works(void **state)
{
    const store_fixture *f = *state;
    nav_error why;
    assert_false(store_is_degraded(f->disk, &why));
    sqlite_memory_fail(0, INT64_MAX);
    assert_int_not_equal(put_checks(f->disk, 1), NAV_OK);
    store_probe(f->disk);
    (void)sqlite_memory_stop();
    assert_true(store_is_degraded(f->disk, &why));
    assert_string_not_equal(why.detail, "");
    assert_int_equal(switch_to_nothing(f->disk, 0), PROTO_MESH_NOT_FOUND); // which writes nothing
    assert_true(store_is_degraded(f->disk, &why));
    store_probe(f->disk);
    assert_false(store_is_degraded(f->disk, &why));
}

// A bake's end that could not be written is tried again by a probe, which says why it cannot.
static void test_what_is_owed_says_why_it_waits(void **state)
{
    const store_fixture *f = *state;
    const nav_error end = {.status = NAV_MESH_EMPTY, .detail = "no place to stand"};
    bool came = true;
    for (uint32_t left = 0; came; left++) {
        nav_error why;
        store_owed *owed = store_owed_create();
        assert_non_null(owed);
        assert_true(left < FAILURES_MAX);
        store_version_failed_later(f->disk, owed, "town", 7777, &end);
        sqlite_memory_fail(left, INT64_MAX);
        store_probe(f->disk);
        came = sqlite_memory_stop();
        if (store_is_degraded(f->disk, &why)) {
            assert_string_not_equal(why.detail, "");
        }
        store_probe(f->disk);
        assert_false(store_is_degraded(f->disk, &why));
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

// A write that found room in the log does not end it: that of the next one may have none.
static void test_a_full_disk_is_full_until_there_is_room(void **state)
{
    const store_fixture *f = *state;
    nav_error why;
    nav_status status = NAV_OK;
    assert_int_equal(sqlite3_exec(f->disk->writer.db, "PRAGMA max_page_count=1", NULL, NULL, NULL),
                     SQLITE_OK);
    for (uint32_t round = 0; status == NAV_OK; round++) {
        assert_true(round < FAILURES_MAX);
        status = put_version(f->disk, round);
    }
    assert_int_equal(status, PROTO_STORAGE_FULL);
    assert_true(store_is_degraded(f->disk, &why));
    assert_int_equal(why.status, PROTO_STORAGE_FULL);
    assert_int_equal(
        sqlite3_exec(f->disk->writer.db, "PRAGMA max_page_count=100000", NULL, NULL, NULL),
        SQLITE_OK);
    room_bytes = 1000;
    store_probe(f->disk);
    assert_int_equal(put_version(f->disk, 1), NAV_OK);
    assert_true(store_is_degraded(f->disk, &why));
    room_bytes = UINT64_MAX;
    store_probe(f->disk);
    assert_false(store_is_degraded(f->disk, &why));
}

// Behind our back there is no way to commit.
static void test_nothing_is_written_outside_of_a_transaction(void **state)
{
    const store_fixture *f = *state;
    assert_int_equal(sqlite3_exec(f->disk->writer.db,
                                  "INSERT INTO mesh_checks(mesh, checks_json) VALUES ('x', '{}')",
                                  NULL, NULL, NULL),
                     SQLITE_CONSTRAINT);
    assert_int_equal(store_fixture_ask(f, "SELECT count(*) FROM mesh_checks"), 0);
    expect_a_write_that_works(f);
}

// An error that somebody passed over has taken the transaction away.
static void test_a_transaction_that_was_lost_is_not_acknowledged(void **state)
{
    const store_fixture *f = *state;
    nav_error err = {0};
    assert_int_equal(store_write_begin(f->disk, &err), NAV_OK);
    assert_int_equal(sqlite3_exec(f->disk->writer.db, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(store_write_end(f->disk, NAV_OK, &err), PROTO_STORE_UNAVAILABLE);
    expect_a_write_that_works(f);
}
#endif

// ---- the file, taken away by name ----

static void expect_refusal(const store_fixture *f, const char *words)
{
    nav_error err = {0}, why = {0};
    char *text = NULL;
    assert_int_equal(store_checks_set(f->disk, "town", CHECKS, &err), PROTO_STORE_UNAVAILABLE);
    assert_non_null(strstr(err.detail, words));
#ifndef BEFORE
    assert_true(store_is_degraded(f->disk, &why));
    assert_non_null(strstr(why.detail, words));
#endif
    (void)why;
    assert_int_equal(store_checks_get(f->disk, "yard", &text, NULL), NAV_OK); // questions go on
    free(text);
}

static void test_a_file_that_is_gone_takes_no_write(void **state)
{
    const store_fixture *f = *state;
    char aside[128];
    store_fixture_name(f, "-copy", aside);
    assert_int_equal(rename(f->path, aside), 0);
    expect_refusal(f, "no longer there");
    assert_int_equal(rename(aside, f->path), 0);
    expect_a_write_that_works(f);
}

static void test_a_log_that_is_gone_takes_no_write(void **state)
{
    const store_fixture *f = *state;
    char log[128], aside[128];
    store_fixture_name(f, "-wal", log);
    store_fixture_name(f, "-copy", aside);
    assert_int_equal(rename(log, aside), 0);
    expect_refusal(f, "write-ahead log");
    assert_int_equal(rename(aside, log), 0);
    expect_a_write_that_works(f);
}

static void test_a_file_that_was_exchanged_takes_no_write(void **state)
{
    const store_fixture *f = *state;
    char aside[128];
    store_fixture_name(f, "-copy", aside);
    assert_int_equal(store_backup(f->disk, aside, NULL), NAV_OK);
    char kept[128];
    store_fixture_name(f, "-new", kept);
    assert_int_equal(rename(f->path, kept), 0);
    assert_int_equal(rename(aside, f->path), 0);
    expect_refusal(f, "another file");
    assert_int_equal(rename(kept, f->path), 0);
    expect_a_write_that_works(f);
}

// While a transaction is open: it is not acknowledged either.
static void test_a_file_that_goes_before_the_commit(void **state)
{
    const store_fixture *f = *state;
    char aside[128];
    nav_error err = {0};
    store_fixture_name(f, "-copy", aside);
    assert_int_equal(store_write_begin(f->disk, &err), NAV_OK);
    assert_int_equal(rename(f->path, aside), 0);
    assert_int_equal(store_write_end(f->disk, NAV_OK, &err), PROTO_STORE_UNAVAILABLE);
    assert_int_equal(rename(aside, f->path), 0);
    expect_a_write_that_works(f);
}

#ifndef BEFORE
// Without a write, within a second: the probes of the watch are four times as often.
static void test_the_watch_sees_it(void **state)
{
    const store_fixture *f = *state;
    char aside[128];
    nav_error why = {0};
    const struct timespec moment = {.tv_nsec = 20000000};
    store_fixture_name(f, "-copy", aside);
    assert_int_equal(store_watch_begin(f->disk, &why), NAV_OK);
    assert_int_equal(rename(f->path, aside), 0);
    while (!store_is_degraded(f->disk, &why)) {
        (void)nanosleep(&moment, NULL);
    }
    assert_int_equal(why.status, PROTO_STORE_UNAVAILABLE);
    assert_int_equal(rename(aside, f->path), 0);
    while (store_is_degraded(f->disk, &why)) {
        (void)nanosleep(&moment, NULL);
    }
    expect_a_write_that_works(f);
}
#endif

#define TEST(name)                                                                                 \
    cmocka_unit_test_setup_teardown(name, store_fixture_set_up, store_fixture_tear_down)

int main(void)
{
    sqlite_memory_set_up();
    const struct CMUnitTest tests[] = {
        TEST(test_one_allocation_fails),
        TEST(test_some_allocations_in_a_row_fail),
        TEST(test_all_allocations_from_one_on_fail),
#ifndef BEFORE
        TEST(test_degraded_until_a_write_works),
        TEST(test_what_is_owed_says_why_it_waits),
        TEST(test_a_full_disk_is_full_until_there_is_room),
        TEST(test_nothing_is_written_outside_of_a_transaction),
        TEST(test_a_transaction_that_was_lost_is_not_acknowledged),
        TEST(test_the_watch_sees_it),
#endif
        TEST(test_a_file_that_is_gone_takes_no_write),
        TEST(test_a_log_that_is_gone_takes_no_write),
        TEST(test_a_file_that_was_exchanged_takes_no_write),
        TEST(test_a_file_that_goes_before_the_commit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
