// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_response_headers.c: our own headers go out behind its first line, once, however small the
// parts are that the kernel takes, and the library is told what of its own bytes went.

#include "server/http/response_headers.h"

#include "server/http/connections.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#define HEAD "HTTP/1.1 200 OK\r\nDate: now\r\n\r\n"
#define BODY "{\"a\":1}"
#define LINES "Content-Type: application/json\r\nX-Request-Id: 7\r\n"
#define WHOLE "HTTP/1.1 200 OK\r\n" LINES "Date: now\r\n\r\n" BODY

typedef struct wire {
    char bytes[512];
    size_t size_bytes;
} wire;

static void fill(response_headers *h)
{
    response_headers_begin(h);
    response_headers_add(h, "Content-Type", "application/json");
    response_headers_add(h, "Location", "");
    response_headers_add(h, "ETag", NULL);
    response_headers_add(h, "X-Request-Id", "7");
}

// A kernel that takes so many bytes and no more.
static ssize_t take(wire *w, const struct iovec *pieces, size_t count, size_t most)
{
    const size_t before = w->size_bytes;
    for (size_t i = 0; i < count; i++) {
        const size_t room = most - (w->size_bytes - before);
        const size_t part = pieces[i].iov_len < room ? pieces[i].iov_len : room;
        assert_true(w->size_bytes + part <= sizeof w->bytes);
        if (part > 0) {
            memcpy(w->bytes + w->size_bytes, pieces[i].iov_base, part);
        }
        w->size_bytes += part;
    }
    return (ssize_t)(w->size_bytes - before);
}

// One call of the library's: what is left of head and body, in two pieces or in one. Returns how
// many of its bytes it is told are gone.
static size_t call(response_headers *h, wire *w, const char *text, size_t gone, size_t head_bytes,
                   size_t most)
{
    struct iovec own[2], all[RESPONSE_PIECES_MAX];
    size_t count = 0;
    if (gone < head_bytes) {
        own[count++] = (struct iovec){(char *)(uintptr_t)text + gone, head_bytes - gone};
        gone = head_bytes;
    }
    own[count++] = (struct iovec){(char *)(uintptr_t)text + gone, strlen(text) - gone};
    if (!response_headers_wait(h)) {
        return (size_t)take(w, own, count, most);
    }
    const size_t all_count = response_headers_insert(h, own, count, all);
    errno = 0;
    const ssize_t told = response_headers_take(h, take(w, all, all_count, most));
    if (told < 0) {
        assert_int_equal(errno, EAGAIN);
    }
    return told < 0 ? 0 : (size_t)told;
}

static void in_parts_of_any_size(void **state)
{
    (void)state;
    for (size_t most = 1; most <= sizeof WHOLE; most++) {
        response_headers h = {0};
        wire w = {.size_bytes = 0};
        size_t gone = 0;
        fill(&h);
        for (uint32_t calls = 0; gone < strlen(HEAD BODY); calls++) {
            assert_true(calls < sizeof WHOLE);
            gone += call(&h, &w, HEAD BODY, gone, strlen(HEAD), most);
        }
        assert_int_equal(w.size_bytes, strlen(WHOLE));
        assert_memory_equal(w.bytes, WHOLE, strlen(WHOLE));
        assert_false(response_headers_wait(&h));
    }
}

static void after_a_failure_and_again_for_the_next_reply(void **state)
{
    (void)state;
    response_headers h = {0};
    assert_false(response_headers_wait(&h));
    for (uint32_t round = 0; round < 2; round++) {
        wire w = {.size_bytes = 0};
        struct iovec own = {(char *)(uintptr_t)HEAD, strlen(HEAD)}, all[RESPONSE_PIECES_MAX];
        fill(&h);
        assert_int_equal(response_headers_insert(&h, &own, 1, all), 3);
        errno = ECONNRESET;
        assert_int_equal(response_headers_take(&h, -1), -1);
        assert_int_equal(errno, ECONNRESET);
        assert_true(response_headers_wait(&h));
        assert_int_equal(call(&h, &w, HEAD BODY, 0, strlen(HEAD), sizeof w.bytes),
                         strlen(HEAD BODY));
        assert_memory_equal(w.bytes, WHOLE, strlen(WHOLE));
    }
}

// Through server/http/socket_hooks.c: a large body, a socket that takes little, and a client that
// reads byte by byte.
static void through_a_socket(void **state)
{
    (void)state;
    static char body[200000], got[sizeof body + 512];
    const char *first = "HTTP/1.1 200 OK\r\n", *last = "\r\n";
    service s = {.limits = limits_default()};
    _Atomic uint32_t open_count = 0;
    int sockets[2], small = 4096;
    // Also takes the hooks out of the archive, before a sanitizer's.
    assert_true(socket_hooks_in_place());
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, sockets), 0);
    (void)setsockopt(sockets[0], SOL_SOCKET, SO_SNDBUF, &small, sizeof small);
    connections *all = connections_create(&s);
    connection *c = connection_open(all, sockets[0], false, &open_count);
    assert_non_null(c);
    memset(body, 'x', sizeof body);
    fill(&c->headers);
    char head[64];
    (void)stpcpy(stpcpy(head, first), last);
    const size_t head_bytes = strlen(head);
    size_t told = 0, got_bytes = 0;
    uint32_t full = 0;
    while (told < head_bytes + sizeof body) {
        const size_t in_head = told < head_bytes ? told : head_bytes;
        struct iovec own[2] = {{head + in_head, head_bytes - in_head},
                               {body + (told - in_head), sizeof body - (told - in_head)}};
        const struct msghdr message = {.msg_iov = own, .msg_iovlen = 2};
        const ssize_t sent = told < head_bytes
                                 ? sendmsg(sockets[0], &message, MSG_NOSIGNAL)
                                 : send(sockets[0], own[1].iov_base, own[1].iov_len, MSG_NOSIGNAL);
        full += sent < 0;
        assert_true(sent > 0 || errno == EAGAIN);
        told += sent > 0 ? (size_t)sent : 0;
        const ssize_t read_bytes = read(sockets[1], got + got_bytes, 777);
        got_bytes += read_bytes > 0 ? (size_t)read_bytes : 0;
    }
    for (ssize_t more = 1; more > 0; got_bytes += more > 0 ? (size_t)more : 0) {
        more = read(sockets[1], got + got_bytes, sizeof got - got_bytes);
    }
    assert_true(full > 0);
    assert_int_equal(got_bytes, head_bytes + strlen(LINES) + sizeof body);
    assert_int_equal(atomic_load(&c->sent_bytes), got_bytes);
    assert_memory_equal(got, "HTTP/1.1 200 OK\r\n" LINES "\r\n", head_bytes + strlen(LINES));
    assert_memory_equal(got + head_bytes + strlen(LINES), body, sizeof body);
    connection_close(c);
    connections_destroy(all);
    (void)close(sockets[0]);
    (void)close(sockets[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_parts_of_any_size),
        cmocka_unit_test(after_a_failure_and_again_for_the_next_reply),
        cmocka_unit_test(through_a_socket),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
