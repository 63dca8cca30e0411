// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_listen.c: listeners as text, and sockets that the process was started with.

#include "server/http/listen.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define PASSED 9 // a descriptor that nobody else has

static void who_can_reach_it(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool reachable;
    } cases[] = {{"127.0.0.1:1", false},  {"localhost:0", false}, {"[::1]:5", false},
                 {"unix:/tmp/x", false},  {"fd:3", false},        {"0.0.0.0:1", true},
                 {"[::]:1", true},        {"10.1.2.3:80", true},  {"[fe80::1]:80", true},
                 {"192.168.0.1:9", true}, {"128.0.0.1:9", true},  {"[::ffff:127.0.0.1]:9", true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bool reachable = !cases[i].reachable;
        assert_int_equal(listen_check(cases[i].text, &reachable, NULL), NAV_OK);
        assert_int_equal(reachable, cases[i].reachable);
    }
    static const char *const bad[] = {
        "",    "x",    "127.0.0.1", "127.0.0.1:65536", "unix:", "host:80", "[::1]",
        "fd:", "fd:2", "fd:x"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        bool reachable;
        nav_error err = {0};
        assert_int_equal(listen_check(bad[i], &reachable, &err), NAV_INVALID_FIELD);
    }
}

static void tell(const char *pid, const char *count)
{
    (void)setenv("LISTEN_PID", pid, 1);
    (void)setenv("LISTEN_FDS", count, 1);
}

static void sockets_passed_in(void **state)
{
    (void)state;
    const char *texts[8] = {NULL};
    char pid[24];
    (void)snprintf(pid, sizeof pid, "%ld", (long)getpid());
    (void)unsetenv("LISTEN_PID");
    assert_int_equal(listen_passed(texts, 8), 0);
    tell("1", "2"); // for another process
    assert_int_equal(listen_passed(texts, 8), 0);
    tell(pid, "2");
    assert_int_equal(listen_passed(texts, 8), 2);
    assert_string_equal(texts[0], "fd:3");
    assert_string_equal(texts[1], "fd:4");
    assert_int_equal(listen_passed(texts, 8), 2); // a reload asks again
    tell(pid, "999999");
    assert_int_equal(listen_passed(texts, 3), 3);
    tell(pid, "-1");
    assert_int_equal(listen_passed(texts, 8), 0);
}

static int passed_socket(int type, uint32_t address, bool listening)
{
    struct sockaddr_in where = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(address)};
    int fd = socket(AF_INET, type, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&where, sizeof where), 0);
    if (listening) {
        assert_int_equal(listen(fd, 1), 0);
    }
    assert_int_equal(dup2(fd, PASSED), PASSED);
    (void)close(fd);
    return PASSED;
}

static void a_passed_socket_is_looked_at(void **state)
{
    (void)state;
    listen_socket got;
    nav_error err = {0};
    (void)passed_socket(SOCK_STREAM, INADDR_LOOPBACK, true);
    assert_int_equal(listen_open("fd:9", &got, &err), NAV_OK);
    assert_int_equal(got.fd, PASSED);
    assert_true(got.tcp && !got.reachable);
    assert_int_equal(strncmp(got.text, "127.0.0.1:", 10), 0);
    assert_true((fcntl(PASSED, F_GETFL) & O_NONBLOCK) != 0);
    assert_true((fcntl(PASSED, F_GETFD) & FD_CLOEXEC) != 0);
    (void)passed_socket(SOCK_STREAM, INADDR_ANY, true);
    assert_int_equal(listen_open("fd:9", &got, &err), NAV_OK);
    assert_true(got.tcp && got.reachable);
    (void)passed_socket(SOCK_STREAM, INADDR_LOOPBACK, false);
    assert_int_equal(listen_open("fd:9", &got, &err), NAV_INVALID_FIELD);
    (void)passed_socket(SOCK_DGRAM, INADDR_LOOPBACK, false);
    assert_int_equal(listen_open("fd:9", &got, &err), NAV_INVALID_FIELD);
    (void)close(PASSED);
    assert_int_equal(listen_open("fd:9", &got, &err), NAV_INVALID_FIELD);
}

static void whether_a_listener_is_passed_in(void **state)
{
    (void)state;
    assert_true(listen_is_passed("fd:3"));
    assert_false(listen_is_passed("fd:2"));
    assert_false(listen_is_passed("fd:x"));
    assert_false(listen_is_passed("127.0.0.1:3"));
    assert_false(listen_is_passed("unix:fd:3"));
}

static bool is_there(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0;
}

// A file at the place of a socket is somebody's; only a socket that nobody answers on is removed.
static void other_files_are_kept(void **state)
{
    (void)state;
    char folder[] = "/tmp/navmeshd-listen-XXXXXX", path[64], listener[80];
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/s", folder);
    (void)snprintf(listener, sizeof listener, "unix:%s", path);
    listen_socket got, again;
    nav_error err = {0};
    (void)close(open(path, O_CREAT | O_WRONLY, 0600));
    assert_int_equal(listen_open(listener, &got, &err), PROTO_OVERLOADED);
    assert_true(is_there(path));
    assert_int_equal(unlink(path), 0);

    assert_int_equal(listen_open(listener, &got, &err), NAV_OK);
    assert_int_equal(listen_open(listener, &again, &err), PROTO_OVERLOADED); // it is answered on
    assert_int_equal(unlink(path), 0);
    assert_int_equal(listen_open(listener, &again, &err), NAV_OK);
    listen_remove(listener, got.file); // another has its name
    assert_true(is_there(path));
    listen_remove(listener, again.file);
    assert_false(is_there(path));
    (void)close(got.fd);
    (void)close(again.fd);
    assert_int_equal(listen_open(listener, &got, &err), NAV_OK);
    (void)close(got.fd); // as if it had been killed
    assert_int_equal(listen_open(listener, &again, &err), NAV_OK);
    listen_remove(listener, again.file);
    (void)close(again.fd);
    assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_can_reach_it),
        cmocka_unit_test(sockets_passed_in),
        cmocka_unit_test(a_passed_socket_is_looked_at),
        cmocka_unit_test(whether_a_listener_is_passed_in),
        cmocka_unit_test(other_files_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
