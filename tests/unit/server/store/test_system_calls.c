// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_system_calls.c: backups, and the calls of the system that the store makes itself: whichever
// of them fails in a backup, a start, the making of a file or a migration, the message names the
// file, what was there is as it was, and the next try works. SQLite's own calls fail in the disk
// sweep (tests/faults/disk), and here where a disk dies in a migration.

#include "server/store/store.h"

#include "server/base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "tests/unit/store_fixture.h"
#include "tests/unit/store_example_step.h"

// ---- calls that fail ----

typedef enum call {
    FLOCK,
    FSYNC,
    LINK,
    RENAME,
    FTRUNCATE,
    CALLS,
} call;

static const char *const CALL_WORDS[] = {
    [FLOCK] = "flock",   [FSYNC] = "fsync",         [LINK] = "link",
    [RENAME] = "rename", [FTRUNCATE] = "ftruncate",
};

static struct {
    bool armed, came;
    call which;
    int left; // calls that still succeed
} failing;

static bool fails(call which)
{
    if (!failing.armed || which != failing.which || failing.left-- > 0) {
        return false;
    }
    failing.armed = false;
    failing.came = true;
    errno = which == FLOCK ? ENOLCK : EIO;
    return true;
}

static void fail_after(call which, int left)
{
    failing.which = which;
    failing.left = left;
    failing.came = false;
    failing.armed = true;
}

// Whether it came.
static bool fail_end(void)
{
    failing.armed = false;
    return failing.came;
}

// A disk that dies: it syncs so many times more, then nothing of its log goes either.
static struct {
    bool armed, dead;
    int left;
} dying;

// These stand in for the C library's.

int fdatasync(int fd)
{
    dying.dead = dying.dead || (dying.armed && dying.left-- == 0);
    errno = EIO;
    return dying.dead ? -1 : (int)syscall(SYS_fdatasync, fd);
}

int unlink(const char *path)
{
    const size_t length = strlen(path);
    errno = EIO;
    return dying.dead && length > 4 && strcmp(path + length - 4, "-wal") == 0
               ? -1
               : unlinkat(AT_FDCWD, path, 0);
}

int flock(int fd, int operation)
{
    return fails(FLOCK) ? -1 : (int)syscall(SYS_flock, fd, operation);
}

int fsync(int fd)
{
    return fails(FSYNC) ? -1 : (int)syscall(SYS_fsync, fd);
}

int link(const char *from, const char *to)
{
    return fails(LINK) ? -1 : linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int rename(const char *from, const char *to)
{
    return fails(RENAME) ? -1 : renameat(AT_FDCWD, from, AT_FDCWD, to);
}

int ftruncate(int fd, off_t size_bytes)
{
    return dying.dead || fails(FTRUNCATE) ? -1 : (int)syscall(SYS_ftruncate, fd, size_bytes);
}

// ---- the database ----

static void assert_says(const nav_error *err, const char *words)
{
    if (strstr(err->detail, words) == NULL) {
        fail_msg("'%s' does not say '%s'", err->detail, words);
    }
}

static void assert_refusal(nav_status status, const nav_error *err, const char *path, int left)
{
    if (status != PROTO_STORE_UNAVAILABLE || strstr(err->detail, path) == NULL) {
        fail_msg("%s %d: %s: %s", CALL_WORDS[failing.which], left, proto_status_word(status),
                 err->detail);
    }
}

static void write_file(const char *path, const char *words)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs(words, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void add_yard(store_fixture *f)
{
    const store_tile tile = store_fixture_tile(1, 1);
    assert_int_equal(store_fixture_add_baked(f->disk, "yard", 'a', &tile), 1);
}

static void remove_database(const char *path)
{
    static const char *const suffixes[] = {"", "-wal", "-shm"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        char name[128 + 4];
        (void)snprintf(name, sizeof name, "%s%s", path, suffixes[i]);
        (void)unlink(name);
    }
}

// Opened from another name.
static void assert_is_the_yard(const char *path)
{
    store *disk = NULL;
    store_version row;
    nav_error err = {0};
    if (store_open_to_read(path, &disk, &err) != NAV_OK) {
        fail_msg("%s", err.detail);
    }
    assert_int_equal(store_version_get(disk, "yard", 1, &row, NULL), NAV_OK);
    assert_int_equal(row.state, STORE_READY);
    store_version_free(&row);
    assert_int_equal(store_fixture_faults(disk), 0);
    store_close(disk);
}

// ---- backups ----

static void a_name_that_cannot_be_is_refused(void **state)
{
    store_fixture *f = *state;
    char path[5000];
    nav_error err = {0};
    add_yard(f);
    assert_int_equal(store_backup(f->disk, f->path, &err), NAV_INVALID_FIELD);
    assert_says(&err, "is there already; choose another name");
    memset(path, 'x', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    assert_int_equal(store_backup(f->disk, path, &err), NAV_INVALID_FIELD);
    assert_says(&err, "too long");
    (void)snprintf(path, sizeof path, "%s/none/copy.db", f->directory);
    assert_int_equal(store_backup(f->disk, path, &err), PROTO_STORE_UNAVAILABLE);
    assert_says(&err, "none/copy.db cannot be made: No such file or directory");
}

static void a_name_without_a_folder_is_of_this_one(void **state)
{
    store_fixture *f = *state;
    char here[4096];
    add_yard(f);
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(f->directory), 0);
    assert_int_equal(store_backup(f->disk, "t.db-copy", NULL), NAV_OK);
    assert_is_the_yard("t.db-copy");
    remove_database("t.db-copy");
    assert_int_equal(chdir(here), 0);
}

// By its lock a file is known that another backup is writing.
static void leftovers_of_killed_backups_go_and_others_stay(void **state)
{
    static const char *const names[] = {".navmeshd-backup-killed", ".navmeshd-backup-writes",
                                        ".navmeshd-backup-link", ".another"};
    store_fixture *f = *state;
    char paths[4][128], copy[128];
    add_yard(f);
    store_fixture_name(f, "-copy", copy);
    for (size_t i = 0; i < 4; i++) {
        (void)snprintf(paths[i], sizeof paths[i], "%s/%s", f->directory, names[i]);
        if (i != 2) {
            write_file(paths[i], "half");
        }
    }
    assert_int_equal(symlink(".another", paths[2]), 0);
    int fd = open(paths[1], O_RDONLY | O_CLOEXEC);
    assert_int_equal(flock(fd, LOCK_EX), 0);
    assert_int_equal(store_backup(f->disk, copy, NULL), NAV_OK);
    assert_is_the_yard(copy);
    remove_database(copy);
    assert_int_equal(access(paths[0], F_OK), -1);
    for (size_t i = 1; i < 4; i++) {
        assert_int_equal(access(paths[i], F_OK), 0);
        (void)unlink(paths[i]);
    }
    (void)close(fd);
}

// It is not there then; only where the folder alone could not be synced it is, and is whole.
static void a_call_that_fails_in_a_backup(void **state)
{
    store_fixture *f = *state;
    char copy[128];
    store_fixture_name(f, "-copy", copy);
    add_yard(f);
    const unsigned entries = store_fixture_entries(f);
    for (call which = 0; which < CALLS; which++) {
        bool came = true;
        for (int left = 0; came; left++) {
            nav_error err = {0};
            fail_after(which, left);
            nav_status status = store_backup(f->disk, copy, &err);
            came = fail_end();
            const bool there = access(copy, F_OK) == 0;
            if (status != NAV_OK) {
                assert_refusal(status, &err, copy, left);
                assert_int_equal(there, strstr(err.detail, "cannot be synced") != NULL);
            }
            assert_int_equal(store_fixture_entries(f), entries + there);
            if (there) {
                assert_is_the_yard(copy);
            }
            remove_database(copy);
        }
    }
}

// ---- starts ----

typedef void prepare_of(store_fixture *f);
typedef nav_status open_of(store_fixture *f, nav_error *err);

static nav_status open_it(store_fixture *f, nav_error *err)
{
    return store_open(f->path, &f->disk, err);
}

// `check` looks at what a start after the one that failed has opened.
static void fail_starts(store_fixture *f, open_of *start, prepare_of *prepare, prepare_of *check)
{
    for (call which = 0; which < CALLS; which++) {
        bool came = true;
        for (int left = 0; came; left++) {
            nav_error err = {0};
            prepare(f);
            fail_after(which, left);
            nav_status status = start(f, &err);
            came = fail_end();
            if (status != NAV_OK) {
                assert_refusal(status, &err, f->path, left);
                assert_null(f->disk);
            }
            store_fixture_close(f);
            assert_int_equal(start(f, NULL), NAV_OK);
            check(f);
        }
    }
}

static void remove_all(store_fixture *f)
{
    store_fixture_remove_files(f);
}

static void check_new(store_fixture *f)
{
    char fresh[128];
    store_fixture_name(f, "-new", fresh);
    assert_int_equal(access(fresh, F_OK), -1);
    assert_int_equal(store_fixture_faults(f->disk), 0);
    assert_int_equal(store_fixture_add(f->disk, "town", 'a', true), 1);
}

static void a_call_that_fails_where_a_file_is_made(void **state)
{
    fail_starts(*state, open_it, remove_all, check_new);
}

static void close_it(store_fixture *f)
{
    store_fixture_close(f);
}

static void check_yard(store_fixture *f)
{
    store_version row;
    assert_int_equal(store_version_get(f->disk, "yard", 1, &row, NULL), NAV_OK);
    assert_true(row.active);
    store_version_free(&row);
    assert_int_equal(store_fixture_faults(f->disk), 0);
}

static void a_call_that_fails_in_a_start(void **state)
{
    store_fixture *f = *state;
    add_yard(f);
    fail_starts(f, open_it, close_it, check_yard);
}

// The program's own schema is the old one then.
static void make_old(store_fixture *f)
{
    store_fixture_remove_files(f);
    store_fixture_open(f);
    add_yard(f);
    store_fixture_close(f);
}

static nav_status open_example(store_fixture *f, nav_error *err)
{
    const store_schema example = store_example_schema();
    return store_open_as(f->path, &example, &f->disk, err);
}

static void check_migrated(store_fixture *f)
{
    char copy[128];
    store_fixture_name(f, EXAMPLE_SUFFIX, copy);
    check_yard(f);
    assert_int_equal(store_fixture_ask(f, "PRAGMA user_version"), EXAMPLE_NUMBER);
    assert_is_the_yard(copy);
    store_fixture_close(f);
}

static void a_call_that_fails_in_a_migration(void **state)
{
    store_fixture *f = *state;
    fail_starts(f, open_example, make_old, check_migrated);
}

// A COMMIT that failed is in the log all the same, and the next start finds it.
static void a_disk_that_dies_in_a_migration(void **state)
{
    store_fixture *f = *state;
    bool died = true;
    for (int left = 0; died; left++) {
        nav_error err = {0};
        make_old(f);
        dying.left = left;
        dying.armed = true;
        const nav_status status = open_example(f, &err);
        died = dying.dead;
        dying.armed = dying.dead = false;
        if (status != NAV_OK) {
            assert_refusal(status, &err, f->path, left);
        }
        store_fixture_close(f);
        assert_int_equal(open_example(f, NULL), NAV_OK);
        check_migrated(f);
    }
}

// ---- names of databases ----

static void assert_refused(const char *path, const char *words)
{
    store *disk = NULL;
    nav_error err = {0};
    assert_int_equal(store_open(path, &disk, &err), PROTO_STORE_UNAVAILABLE);
    assert_null(disk);
    assert_says(&err, words);
}

static void a_database_whose_name_cannot_be_is_refused(void **state)
{
    store_fixture *f = *state;
    char path[5000], other[128];
    add_yard(f);
    store_fixture_close(f);
    memset(path, 'x', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    assert_refused(path, "is too long");
    assert_refused("/", "is a folder");
    store_fixture_name(f, "-copy", other);
    assert_int_equal(link(f->path, other), 0);
    assert_refused(f->path, "has another name, a hard link");
    assert_int_equal(unlink(other), 0);
    store_fixture_open(f);
    check_yard(f);
    store_fixture_remove_files(f);
    store_fixture_name(f, "-new", other);
    assert_int_equal(mkdir(other, 0700), 0);
    assert_refused(f->path, "cannot be opened for writing: Is a directory");
    assert_int_equal(rmdir(other), 0);
}

static void a_database_without_a_folder_is_in_this_one(void **state)
{
    store_fixture *f = *state;
    char here[4096];
    store_fixture_close(f);
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(f->directory), 0);
    assert_int_equal(store_open("t.db", &f->disk, NULL), NAV_OK);
    add_yard(f);
    assert_int_equal(chdir(here), 0);
    store_fixture_open(f);
    check_yard(f);
}

#define TEST(name)                                                                                 \
    cmocka_unit_test_setup_teardown(name, store_fixture_set_up, store_fixture_tear_down)

int main(void)
{
    log_configure((log_level)(LOG_LEVEL_ERROR + 1), LOG_FORMAT_TEXT);
    const struct CMUnitTest tests[] = {
        TEST(a_name_that_cannot_be_is_refused),
        TEST(a_name_without_a_folder_is_of_this_one),
        TEST(leftovers_of_killed_backups_go_and_others_stay),
        TEST(a_call_that_fails_in_a_backup),
        TEST(a_call_that_fails_where_a_file_is_made),
        TEST(a_call_that_fails_in_a_start),
        TEST(a_call_that_fails_in_a_migration),
        TEST(a_disk_that_dies_in_a_migration),
        TEST(a_database_whose_name_cannot_be_is_refused),
        TEST(a_database_without_a_folder_is_in_this_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
