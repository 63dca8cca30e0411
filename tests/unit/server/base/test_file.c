// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_file.c: a file is read whole, with a zero behind it and its rights; what cannot be read, is
// no file or too large is refused in words, and nobody waits for a pipe.

#include "tests/unit/one_file.h"

#include "server/base/file.h"

#include <string.h>

#define BYTES_MAX 8u

static void assert_read(const char *bytes, size_t size_bytes)
{
    char *got = NULL;
    size_t got_bytes = 77;
    nav_error err = {0};
    one_file_write(bytes, size_bytes, 0640);
    assert_int_equal(file_read(one_file, BYTES_MAX, &got, &got_bytes, NULL, &err), NAV_OK);
    assert_int_equal(got_bytes, size_bytes);
    assert_memory_equal(got, bytes, size_bytes);
    assert_int_equal(got[size_bytes], '\0');
    free(got);
}

static void assert_refused(const char *why)
{
    char *got = NULL;
    size_t got_bytes = 77;
    mode_t mode = 0;
    nav_error err = {0};
    assert_int_equal(file_read(one_file, BYTES_MAX, &got, &got_bytes, &mode, &err),
                     NAV_INVALID_FIELD);
    assert_non_null(strstr(err.detail, why));
    assert_null(got); // outputs are as they were
    assert_int_equal(got_bytes, 77);
    assert_int_equal(mode, 0);
}

static void a_file_is_read_whole(void **state)
{
    (void)state;
    assert_read("", 0);
    assert_read("a\0b", 3);
    assert_read("12345678", BYTES_MAX);
}

static void its_rights_are_told(void **state)
{
    (void)state;
    char *got = NULL;
    size_t got_bytes = 0;
    mode_t mode = 0;
    nav_error err = {0};
    one_file_write("x", 1, 0604);
    assert_int_equal(file_read(one_file, BYTES_MAX, &got, &got_bytes, &mode, &err), NAV_OK);
    assert_int_equal(mode, S_IFREG | 0604);
    free(got);
}

static void what_is_no_such_file_is_refused(void **state)
{
    (void)state;
    one_file_write("123456789", BYTES_MAX + 1, 0640);
    assert_refused("too large: 9 bytes, at most 8");
    assert_int_equal(unlink(one_file), 0);
    assert_refused("No such file");
    assert_int_equal(mkdir(one_file, 0700), 0);
    assert_refused("not a regular file");
    assert_int_equal(rmdir(one_file), 0);
    assert_int_equal(mkfifo(one_file, 0600), 0);
    assert_refused("not a regular file");
    assert_int_equal(unlink(one_file), 0);
}

// A file of the system says that it is empty, and is not: as one that grows while it is read.
static void a_file_that_grows_is_refused(void **state)
{
    (void)state;
    assert_int_equal(symlink("/proc/self/status", one_file), 0);
    assert_refused("too large: 9 bytes, at most 8");
    assert_int_equal(unlink(one_file), 0);
}

static void a_file_that_says_it_is_empty_is_read_whole(void **state)
{
    (void)state;
    char *got = NULL;
    size_t got_bytes = 0;
    nav_error err = {0};
    assert_int_equal(symlink("/proc/self/status", one_file), 0);
    assert_int_equal(file_read(one_file, (size_t)1 << 40, &got, &got_bytes, NULL, &err), NAV_OK);
    assert_true(got_bytes > 100 && strlen(got) == got_bytes);
    assert_memory_equal(got, "Name:", 5);
    free(got);
    assert_int_equal(unlink(one_file), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_read_whole),
        cmocka_unit_test(its_rights_are_told),
        cmocka_unit_test(what_is_no_such_file_is_refused),
        cmocka_unit_test(a_file_that_grows_is_refused),
        cmocka_unit_test(a_file_that_says_it_is_empty_is_read_whole),
    };
    return cmocka_run_group_tests_name("file", tests, one_file_make, one_file_remove);
}
