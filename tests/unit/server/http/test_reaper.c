// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_reaper.c: deadlines of connections, on real sockets and with limits of some hundred
// milliseconds: whoever is too slow is shut down, whoever is just fast enough is not.

#include "server/http/connections.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct world {
    service service;
    connections *all;
    _Atomic uint32_t open_count;
    int client, server;
    connection *connection;
} world;

static void sleep_ms(long ms)
{
    const struct timespec pause = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    (void)nanosleep(&pause, NULL);
}

// Two ends of a TCP connection whose buffers are as small as the system makes them.
static void connect_pair(int *client, int *server)
{
    int small = 4096;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    (void)setsockopt(listener, SOL_SOCKET, SO_SNDBUF, &small, sizeof small);
    assert_int_equal(bind(listener, (struct sockaddr *)&address, length), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&address, &length), 0);
    assert_int_equal(listen(listener, 1), 0);
    *client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    (void)setsockopt(*client, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    (void)connect(*client, (struct sockaddr *)&address, length);
    *server = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    assert_true(*server >= 0);
    (void)close(listener);
}

static int setup_world(void **state, bool tcp, uint32_t idle_ms)
{
    static world w;
    // Also takes the hooks out of the archive, before a sanitizer's.
    assert_true(socket_hooks_in_place());
    memset(&w, 0, sizeof w);
    w.service.limits = limits_default();
    w.service.limits.header_ms = w.service.limits.body_ms = w.service.limits.reply_ms = 200;
    w.service.limits.idle_ms = idle_ms;
    w.service.limits.body_rate = w.service.limits.reply_rate = 20000;
    w.all = connections_create(&w.service);
    assert_non_null(w.all);
    assert_true(connections_start(w.all));
    if (tcp) {
        connect_pair(&w.client, &w.server);
    } else {
        int pair[2];
        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair),
                         0);
        w.client = pair[0];
        w.server = pair[1];
    }
    w.connection = connection_open(w.all, w.server, tcp, &w.open_count);
    assert_non_null(w.connection);
    *state = &w;
    return 0;
}

static int setup_tcp(void **state)
{
    return setup_world(state, true, 400);
}

static int setup_tcp_patient(void **state)
{
    return setup_world(state, true, 60000);
}

static int setup_unix(void **state)
{
    return setup_world(state, false, 400);
}

static int teardown(void **state)
{
    world *w = *state;
    connection_close(w->connection);
    assert_int_equal(w->open_count, 0);
    (void)close(w->server);
    (void)close(w->client);
    connections_stop(w->all);
    connections_destroy(w->all);
    return 0;
}

// Whether the server's end has been shut down.
static bool is_ended(const world *w)
{
    struct pollfd end = {.fd = w->server};
    return poll(&end, 1, 0) > 0 && (end.revents & (POLLHUP | POLLERR)) != 0;
}

static void client_sends(const world *w, const char *text)
{
    assert_int_equal(write(w->client, text, strlen(text)), (ssize_t)strlen(text));
    sleep_ms(5);
}

// As the HTTP library would.
static ssize_t server_reads(const world *w)
{
    char bytes[4096];
    return recv(w->server, bytes, sizeof bytes, 0);
}

static void reply_goes_out(const world *w)
{
    assert_true(connection_begin(w->connection));
    assert_true(connection_send(w->connection));
    connection_rest(w->connection);
}

static void ends_soon(const world *w)
{
    for (int i = 0; i < 1000 && !is_ended(w); i++) {
        sleep_ms(10);
    }
    assert_true(is_ended(w));
}

static void silence(void **state)
{
    world *w = *state;
    sleep_ms(100);
    assert_false(is_ended(w));
    sleep_ms(300);
    assert_true(is_ended(w));
    assert_false(connection_begin(w->connection));
}

// The library, which is told once of what came together, does not look for the end behind it.
static void a_client_that_has_left(void **state)
{
    world *w = *state;
    client_sends(w, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    assert_int_equal(shutdown(w->client, SHUT_WR), 0);
    assert_true(server_reads(w) > 0);
    sleep_ms(200);
    assert_false(is_ended(w)); // it is owed a reply
    reply_goes_out(w);
    ends_soon(w);
}

// The library drops a connection whose end it reads while its reply is due, as a woken one does.
static void the_end_waits_for_the_reply(void **state)
{
    world *w = *state;
    client_sends(w, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    assert_int_equal(shutdown(w->client, SHUT_WR), 0);
    assert_true(server_reads(w) > 0);
    assert_true(connection_begin(w->connection));
    assert_int_equal(server_reads(w), -1);
    assert_int_equal(errno, EAGAIN);
    assert_true(connection_send(w->connection));
    connection_rest(w->connection);
    assert_int_equal(server_reads(w), 0);
}

static void one_that_has_left_behind_two_requests(void **state)
{
    world *w = *state;
    client_sends(w, "GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n");
    assert_int_equal(shutdown(w->client, SHUT_WR), 0);
    assert_true(server_reads(w) > 0);
    reply_goes_out(w);
    sleep_ms(400);
    assert_false(is_ended(w)); // it is owed another reply
    reply_goes_out(w);
    ends_soon(w);
}

static void one_that_has_not_left(void **state)
{
    world *w = *state;
    client_sends(w, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    assert_true(server_reads(w) > 0);
    reply_goes_out(w);
    sleep_ms(300);
    assert_false(is_ended(w));
}

static void dripping_head(void **state)
{
    world *w = *state;
    for (int i = 0; i < 10 && !is_ended(w); i++) {
        client_sends(w, "G");
        assert_true(server_reads(w) == 1 || is_ended(w)); // it may be ended just before
        sleep_ms(45);
    }
    assert_true(is_ended(w));
}

static void dripping_body(void **state)
{
    world *w = *state;
    client_sends(w, "PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n");
    assert_true(server_reads(w) > 0);
    assert_true(connection_begin(w->connection));
    for (int i = 0; i < 10 && !is_ended(w); i++) {
        client_sends(w, "x");
        (void)server_reads(w);
        sleep_ms(45);
    }
    assert_true(is_ended(w));
    assert_false(connection_handle(w->connection));
    char answer[64] = "";
    assert_true(read(w->client, answer, sizeof answer - 1) > 0);
    assert_int_equal(strncmp(answer, "HTTP/1.1 408 ", 13), 0);
}

static void body_at_its_rate(void **state)
{
    world *w = *state;
    char piece[1501];
    memset(piece, 'x', sizeof piece - 1);
    piece[sizeof piece - 1] = '\0';
    client_sends(w, "PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 30000\r\n\r\n");
    assert_true(server_reads(w) > 0);
    for (int i = 0; i < 20; i++) {
        assert_false(is_ended(w));
        client_sends(w, piece);
        assert_int_equal(server_reads(w), 1500);
        sleep_ms(35);
    }
    sleep_ms(300); // the handler's own time has no deadline
    assert_true(connection_begin(w->connection));
    assert_true(connection_handle(w->connection));
    assert_false(is_ended(w));
}

static void idle_after_a_reply(void **state)
{
    world *w = *state;
    client_sends(w, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    assert_true(server_reads(w) > 0);
    assert_true(connection_begin(w->connection));
    assert_true(connection_handle(w->connection));
    assert_true(connection_send(w->connection));
    connection_rest(w->connection);
    sleep_ms(300);
    assert_false(is_ended(w));
    sleep_ms(300);
    assert_true(is_ended(w));
}

// The server sends as fast as it may, the client takes so many bytes each 40 ms; returns for how
// long that went well, at most 1.2 s.
static int read_at(const world *w, size_t bytes_each)
{
    char piece[4096] = "";
    assert_true(connection_send(w->connection));
    for (int ms = 0; ms < 1200; ms += 40) {
        if (is_ended(w)) {
            return ms;
        }
        while (send(w->server, piece, sizeof piece, MSG_NOSIGNAL) > 0) {
        }
        ssize_t got = read(w->client, piece, bytes_each);
        assert_true(got != 0);
        sleep_ms(40);
    }
    return 1200;
}

static void reply_not_read(void **state)
{
    int ms = read_at(*state, 1);
    assert_true(ms >= 160 && ms < 700);
}

static void reply_read_at_its_rate(void **state)
{
    assert_int_equal(read_at(*state, sizeof(char[4096])), 1200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(silence, setup_tcp, teardown),
        cmocka_unit_test_setup_teardown(a_client_that_has_left, setup_tcp_patient, teardown),
        cmocka_unit_test_setup_teardown(the_end_waits_for_the_reply, setup_tcp, teardown),
        cmocka_unit_test_setup_teardown(one_that_has_left_behind_two_requests, setup_tcp_patient,
                                        teardown),
        cmocka_unit_test_setup_teardown(one_that_has_not_left, setup_tcp_patient, teardown),
        cmocka_unit_test_setup_teardown(dripping_head, setup_tcp, teardown),
        cmocka_unit_test_setup_teardown(dripping_body, setup_tcp, teardown),
        cmocka_unit_test_setup_teardown(body_at_its_rate, setup_tcp, teardown),
        cmocka_unit_test_setup_teardown(idle_after_a_reply, setup_unix, teardown),
        cmocka_unit_test_setup_teardown(reply_not_read, setup_tcp, teardown),
        cmocka_unit_test_setup_teardown(reply_not_read, setup_unix, teardown),
        cmocka_unit_test_setup_teardown(reply_read_at_its_rate, setup_tcp, teardown),
        cmocka_unit_test_setup_teardown(reply_read_at_its_rate, setup_unix, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
