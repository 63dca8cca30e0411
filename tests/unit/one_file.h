// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// one_file.h: a folder of the test program's own with one file in it, for tests of what reads a
// file. one_file_make and one_file_remove are the setup and the teardown of a group of tests.

#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char one_file_folder[] = "/tmp/test_one_file_XXXXXX";
// There is none until it is written.
static char one_file[64];

static inline int one_file_make(void **state)
{
    (void)state;
    if (mkdtemp(one_file_folder) == NULL) {
        return -1;
    }
    (void)snprintf(one_file, sizeof one_file, "%s/file", one_file_folder);
    return 0;
}

static inline int one_file_remove(void **state)
{
    (void)state;
    (void)unlink(one_file);
    return rmdir(one_file_folder);
}

// The file has these bytes and these rights.
static inline void one_file_write(const void *bytes, size_t size_bytes, mode_t mode)
{
    FILE *file = fopen(one_file, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size_bytes, file), size_bytes);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(one_file, mode), 0);
}
