// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_process.c: what the process asks of the system is in force afterwards, and what it tells of
// itself is about right.

#include "server/base/process.h"

#include "server/base/limits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// In a child, since none of it can be taken back. Each bit of its exit code is something missing.
static int prepared_child(void)
{
    process_prepare();
    struct rlimit core;
    struct sigaction pipe_action;
    int missing = 0;
    missing |=
        getrlimit(RLIMIT_CORE, &core) != 0 || core.rlim_cur != 0 || core.rlim_max != 0 ? 1 : 0;
    missing |= umask(0) != (S_IRWXG | S_IRWXO) ? 2 : 0;
    missing |=
        sigaction(SIGPIPE, NULL, &pipe_action) != 0 || pipe_action.sa_handler != SIG_IGN ? 4 : 0;
#ifndef NAV_DEBUG
    missing |= prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) != 0 ? 8 : 0;
#endif
    // Its own figures must still be readable.
    missing |= process_usage_get().open_files == 0 ? 16 : 0;
    missing |= process_usage_get().resident_bytes == 0 ? 32 : 0;
    return missing;
}

static void prepare(void **state)
{
    (void)state;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        _exit(prepared_child());
    }
    int code = 0;
    assert_int_equal(waitpid(child, &code, 0), child);
    assert_true(WIFEXITED(code));
    assert_int_equal(WEXITSTATUS(code), 0);
}

static void files_are_raised(void **state)
{
    (void)state;
    struct rlimit before, lowered, after;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    lowered = before;
    lowered.rlim_cur = 128;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &lowered), 0);
    service_limits limits = limits_default();
    process_raise_files(1, &limits);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &after), 0);
    assert_true(after.rlim_cur > limits.listener_connections || after.rlim_cur == before.rlim_max);
    assert_int_equal(after.rlim_max, before.rlim_max);
    (void)setrlimit(RLIMIT_NOFILE, &before);
}

static void usage(void **state)
{
    (void)state;
    process_usage first = process_usage_get();
    const size_t block_bytes = (size_t)32 << 20;
    char *block = malloc(block_bytes);
    int file = dup(STDIN_FILENO);
    assert_non_null(block);
    memset(block, 1, block_bytes);
    process_usage second = process_usage_get();
    assert_int_equal(second.open_files, first.open_files + (file >= 0 ? 1 : 0));
    assert_true(second.resident_bytes >= first.resident_bytes + block_bytes / 2);
    assert_true(second.virtual_bytes >= second.resident_bytes);
    assert_true(second.cpu_ns > first.cpu_ns);
    assert_true(second.open_files_limit >= second.open_files);
    free(block);
    (void)close(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prepare),
        cmocka_unit_test(files_are_raised),
        cmocka_unit_test(usage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
