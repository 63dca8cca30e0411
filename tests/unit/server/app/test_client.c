// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_client.c: answers of HTTP/1.1 that are whole, and those that are not; addresses that are
// none.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "server/app/client.h"

#define HEAD "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"

static void whole_answers(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        int status;
        const char *body;
    } rows[] = {
        {HEAD "Content-Length: 2\r\n\r\n{}", 200, "{}"},
        {HEAD "content-length:2\r\nX-Request-Id: a\r\n\r\n{}", 200, "{}"},
        {HEAD "\r\n{\"to\":\"the end\"}", 200, "{\"to\":\"the end\"}"},
        {HEAD "Transfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\nA;x=y\r\n0123456789\r\n0\r\n\r\n",
         200, "abcd0123456789"},
        {HEAD "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 200, ""},
        {"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", 404, ""},
        // A line break in a chunk is part of it.
        {HEAD "Transfer-Encoding: chunked\r\n\r\n4\r\n\r\n\r\n\r\n0\r\n\r\n", 200, "\r\n\r\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        reply out;
        nav_error err = {0};
        assert_int_equal(client_read_answer(rows[i].bytes, strlen(rows[i].bytes), &out, &err),
                         NAV_OK);
        assert_int_equal(out.status, rows[i].status);
        assert_int_equal(out.body_bytes, strlen(rows[i].body));
        assert_string_equal(out.body, rows[i].body);
        free(out.body);
    }
}

static void what_is_none_or_broke_off(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "",
        "HTTP/1.1 200 OK",
        HEAD,
        HEAD "Content-Length: 2\r\n\r\n{",
        HEAD "Content-Length: 2\r\n\r\n{}}",
        HEAD "Content-Length: -2\r\n\r\n{}",
        "HTTP/1.0 200 OK\r\n\r\n",
        "HTTP/1.1 2000 OK\r\n\r\n",
        "HTTP/1.1 020 OK\r\n\r\n",
        "SSH-2.0-OpenSSH_9.2\r\n\r\n",
        HEAD "Transfer-Encoding: gzip\r\n\r\nxx",
        HEAD "Transfer-Encoding: chunked\r\n\r\n",
        HEAD "Transfer-Encoding: chunked\r\n\r\n4\r\nabc",
        HEAD "Transfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n",
        HEAD "Transfer-Encoding: chunked\r\n\r\n4\r\nabcd",
        HEAD "Transfer-Encoding: chunked\r\n\r\nfffffffffffffff\r\nabcd\r\n0\r\n\r\n",
        HEAD "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nabcd\r\n0\r\n\r\n",
        HEAD "Transfer-Encoding: chunked\r\n\r\n-4\r\nabcd\r\n0\r\n\r\n",
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        // With its zero behind it and nothing more, so that a sanitizer sees a step too far.
        const size_t size_bytes = strlen(rows[i]);
        char *bytes = malloc(size_bytes + 1);
        reply out;
        nav_error err = {0};
        assert_non_null(bytes);
        memcpy(bytes, rows[i], size_bytes + 1);
        if (client_read_answer(bytes, size_bytes, &out, &err) != PROTO_BAD_FRAMING) {
            fail_msg("%s", rows[i]);
        }
        assert_null(out.body);
        assert_int_equal(err.status, PROTO_BAD_FRAMING);
        free(bytes);
    }
}

static void addresses_that_are_none(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "",
        "127.0.0.1:7650",
        "https://127.0.0.1",
        "http://",
        "http://:80",
        "http://a:port",
        "http://a:0",
        "http://a:65536",
        "http://a:1/v1",
        "http://[::1:7650",
        "http://a:123456789",
        "unix:",
        "http://a:80b",
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        client *c = NULL;
        nav_error err = {0};
        if (client_open(rows[i], &c, &err) != NAV_INVALID_FIELD) {
            fail_msg("%s", rows[i]);
        }
        assert_null(c);
        assert_string_equal(err.at, "url");
    }
    client *c = NULL;
    nav_error err = {0};
    assert_int_equal(client_open("unix:/no/such/folder/socket", &c, &err), PROTO_OVERLOADED);
    assert_null(c);
    client_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_answers),
        cmocka_unit_test(what_is_none_or_broke_off),
        cmocka_unit_test(addresses_that_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
