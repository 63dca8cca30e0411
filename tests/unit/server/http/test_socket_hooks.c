// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_socket_hooks.c: the calls that are ours in this program: where they do something of their
// own, and where they are the system's.

#include "server/http/connections.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cmocka.h>

static void calls_come_through(void **state)
{
    (void)state;
    assert_true(socket_hooks_in_place());
}

// libmicrohttpd aborts otherwise, if two of its threads take a listener out of a set.
static void taking_out_of_a_set_what_has_gone_is_no_error(void **state)
{
    (void)state;
    struct epoll_event event = {.events = EPOLLIN};
    const int set = epoll_create1(EPOLL_CLOEXEC), fd = eventfd(0, EFD_CLOEXEC);
    assert_true(set >= 0 && fd >= 0);
    assert_int_equal(epoll_ctl(set, EPOLL_CTL_ADD, fd, &event), 0);
    assert_int_equal(epoll_ctl(set, EPOLL_CTL_DEL, fd, NULL), 0);
    assert_int_equal(epoll_ctl(set, EPOLL_CTL_DEL, fd, NULL), 0);
    // Everything else is said.
    assert_int_equal(epoll_ctl(set, EPOLL_CTL_MOD, fd, &event), -1);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(epoll_ctl(set, EPOLL_CTL_ADD, fd, &event), 0);
    assert_int_equal(epoll_ctl(set, EPOLL_CTL_ADD, fd, &event), -1);
    assert_int_equal(errno, EEXIST);
    (void)close(fd);
    assert_int_equal(epoll_ctl(set, EPOLL_CTL_DEL, fd, NULL), -1);
    assert_int_equal(errno, EBADF);
    (void)close(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_come_through),
        cmocka_unit_test(taking_out_of_a_set_what_has_gone_is_no_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
