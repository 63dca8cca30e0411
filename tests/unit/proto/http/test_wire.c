// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_wire.c: every stream of requests has one verdict, in pieces of any size.

#include "proto/http/wire.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const proto_wire_limits LIMITS = {.target_bytes_max = 64,
                                         .headers_bytes_max = 256,
                                         .headers_max = 8,
                                         .args_max = 4,
                                         .kept_bytes_max = 2900,
                                         .ahead_bytes = 256};

typedef struct stream {
    const char *bytes;
    size_t size_bytes;
    nav_status status;
    uint64_t heads;         // complete when it is over
    proto_wire_phase phase; // where NAV_OK
} stream;

#define STREAM(text, ...)                                                                          \
    {                                                                                              \
        text, sizeof text - 1, __VA_ARGS__                                                         \
    }
#define GET "GET / HTTP/1.1\r\nHost: x\r\n"
#define POST "POST / HTTP/1.1\r\nHost: x\r\n"

static const stream GOOD[] = {
    STREAM("", NAV_OK, 0, PROTO_WIRE_BETWEEN),
    STREAM("G", NAV_OK, 0, PROTO_WIRE_HEAD),
    STREAM(GET "\r\n", NAV_OK, 1, PROTO_WIRE_BETWEEN),
    STREAM("\r\n" GET "\r\n", NAV_OK, 1, PROTO_WIRE_BETWEEN),
    STREAM("GET / HTTP/1.0\r\n\r\n", NAV_OK, 1, PROTO_WIRE_BETWEEN),
    STREAM("GET /%00?a=1&b=2&c HTTP/1.1\r\nhOsT:\tx:1 \r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM("GET /?a=1&b=2&c HTTP/1.1\r\nhOsT:\t [::1]:1\r\n\r\n", NAV_OK, 1, PROTO_WIRE_BETWEEN),
    STREAM(GET "Accept: \xc3\xa9 , */*\t\r\nX:\r\n\r\n" GET "\r\n", NAV_OK, 2, PROTO_WIRE_BETWEEN),
    STREAM(GET "A: b\r\n", NAV_OK, 0, PROTO_WIRE_HEAD),
    STREAM(POST "Content-Length: 3\r\n\r\nab", NAV_OK, 1, PROTO_WIRE_BODY),
    STREAM(POST "Content-Length: 3\r\n\r\na\nb" GET "\r\n", NAV_OK, 2, PROTO_WIRE_BETWEEN),
    STREAM(POST "Content-Length: 0\r\n\r\n" GET "\r\n", NAV_OK, 2, PROTO_WIRE_BETWEEN),
    STREAM(POST "Transfer-Encoding: Chunked\r\n\r\n3\r\nabc\r\n1a\r\nabcdefghijklmnopqrstuvwxyz"
                "\r\n0\r\n\r\n" GET "\r\n",
           NAV_OK, 2, PROTO_WIRE_BETWEEN),
    STREAM(POST "Transfer-Encoding: chunked\r\n\r\n3;name=\"v\"\r\nabc\r\n0\r\nA: b\r\n\r\n",
           NAV_OK, 1, PROTO_WIRE_BETWEEN),
    STREAM(POST "Transfer-Encoding: chunked\r\n\r\n", NAV_OK, 1, PROTO_WIRE_BODY),
    STREAM(GET "Cookie: a=b; c=\"\"; d=5\"; e=\"f=\"; g; =\"\";h=\" \r\n\r\n", NAV_OK, 1,
           PROTO_WIRE_BETWEEN),
    STREAM(GET "cookie: a=b=\"\r\nCookie: ;\";,\"\r\nX: a=\"\r\n\r\n", NAV_OK, 1,
           PROTO_WIRE_BETWEEN),
    STREAM(POST "Transfer-Encoding: "
                "chunked\r\n\r\n0\r\n1:\r\n2:\r\n3:\r\n4:\r\n5:\r\n6:\r\n7:\r\n8:\r\n\r\n",
           NAV_OK, 1, PROTO_WIRE_BETWEEN),
};

static const stream BAD[] = {
    STREAM(POST "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM(POST "Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM(POST "Content-Length: 2\r\nContent-Length: 2\r\n\r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM(POST "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
           PROTO_BAD_FRAMING, 0, 0),
    STREAM(GET "host: y\r\n\r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM(POST "Content-Type: a/b\r\nContent-Type: c/d\r\n\r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM(GET "Authorization: Bearer a\r\nauthorization: Bearer b\r\n\r\n", PROTO_BAD_FRAMING, 0,
           0),
    STREAM(POST "Content-Encoding: zstd\r\nContent-Encoding: zstd\r\n\r\n", PROTO_BAD_FRAMING, 0,
           0),
    STREAM(POST "If-Match: \"1\"\r\nIf-Match: \"2\"\r\n\r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM(GET "If-None-Match: \"1\"\r\nIf-None-Match: \"2\"\r\n\r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM("GET / HTTP/1.1\r\n\r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM("GET / HTTP/1.1\r\nHost: a b\r\n\r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM("GET / HTTP/1.1\r\nHost: a,b\r\n\r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM(POST "Content-Length: +3\r\n\r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM(POST "Content-Length: -3\r\n\r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM(POST "Content-Length: 0x3\r\n\r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM(POST "Content-Length: 3, 3\r\n\r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM(POST "Content-Length:\r\n\r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM(POST "Content-Length: 9999999999999999999\r\n\r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM(POST "Transfer-Encoding: xchunked\r\n\r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM(POST "Transfer-Encoding: chunkedx\r\n\r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM(POST "Transfer-Encoding: chunked, identity\r\n\r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM(POST "Transfer-Encoding: chunk\r\n\r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM(POST "Transfer-Encoding:\r\n\r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM(GET "Transfer-Encoding : chunked\r\n\r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM(GET "A\tB: c\r\n\r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM(GET ": c\r\n\r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM(GET "Accept\r\n\r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM(GET "A\0B: c\r\n\r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM(GET "A: b\0c\r\n\r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM(GET "A: b\x7f\r\n\r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM(GET "A: b\x01\r\n\r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM(GET "A\x01: b\r\n\r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM(GET "A: b\rc\r\n\r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM(GET "A: b\nC: d\r\n\r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM("GET / HTTP/1.1\nHost: x\n\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM(GET "\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM(GET "A: b\r\n c\r\n\r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM("GET / HTTP/1.1\r\n Host: x\r\n\r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM("GET /\r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM("GET  / HTTP/1.1\r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM("GET /  HTTP/1.1\r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM("GET /a\0b HTTP/1.1\r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM("GET /\xc3\xa9 HTTP/1.1\r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM("GET / HTTP/1.1 \r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM("GET / http/1.1\r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM("GET / HTTP/1.12\r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM("GET / HTTP/1.2\r\n", PROTO_HTTP_VERSION, 0, 0),
    STREAM("PRI * HTTP/2.0\r\n\r\n", PROTO_HTTP_VERSION, 0, 0),
    STREAM(" GET / HTTP/1.1\r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM("\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM("\r\r", PROTO_BAD_FRAMING, 0, 0),
    STREAM("\r\n\r\n\r\n\r\n\r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM("\x16\x03\x01\x02", PROTO_BAD_FRAMING, 0, 0),
    STREAM("ABCDEFGHIJKLMNOPQRSTUVWXYZ / HTTP/1.1\r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM(POST "Transfer-Encoding: chunked\r\n\r\nx\r\n", PROTO_BAD_FRAMING, 1, 0),
    STREAM(POST "Transfer-Encoding: chunked\r\n\r\n\r\n", PROTO_BAD_FRAMING, 1, 0),
    STREAM(POST "Transfer-Encoding: chunked\r\n\r\n-1\r\n", PROTO_BAD_FRAMING, 1, 0),
    STREAM(POST "Transfer-Encoding: chunked\r\n\r\n1 \r\n", PROTO_BAD_FRAMING, 1, 0),
    STREAM(POST "Transfer-Encoding: chunked\r\n\r\n1\nab", PROTO_BAD_FRAMING, 1, 0),
    STREAM(POST "Transfer-Encoding: chunked\r\n\r\n1\r\nabc", PROTO_BAD_FRAMING, 1, 0),
    STREAM(POST "Transfer-Encoding: chunked\r\n\r\n1\r\na\r\r\n", PROTO_BAD_FRAMING, 1, 0),
    STREAM(POST "Transfer-Encoding: chunked\r\n\r\n1;\n\r\n", PROTO_BAD_FRAMING, 1, 0),
    STREAM(POST "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff1\r\n", PROTO_BAD_FRAMING, 1, 0),
    STREAM(POST "Transfer-Encoding: chunked\r\n\r\n0\r\nA b: c\r\n\r\n", PROTO_BAD_FRAMING, 1, 0),
    STREAM(POST "Content-Length: 1\r\n\r\nab", NAV_OK, 1, PROTO_WIRE_HEAD),
    STREAM(POST "Content-Length: 1\r\n\r\na{}", PROTO_BAD_FRAMING, 1, 0),
    STREAM("GET /0123456789012345678901234567890123456789012345678901234567890123 HTTP/1.1\r\n",
           PROTO_URI_TOO_LONG, 0, 0),
    STREAM("GET /?a&b&c&d&e HTTP/1.1\r\n", PROTO_BAD_REQUEST, 0, 0),
    STREAM(GET "Cookie: a=b; c=\"\r\n\r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM(GET "Cookie: a=\"b;c\", d=\"\r\n\r\n", PROTO_BAD_FRAMING, 0, 0),
    STREAM(GET "Cookie: a=\"\r\nCookie: b\r\n\r\n", PROTO_BAD_FRAMING, 0, 0),
    // Bytes that are few, and parts that are many.
    STREAM(GET "Cookie: a;b;c;d;e;f;g;h;i;j;k;l;m\r\nA: b\r\n\r\n", PROTO_HEADERS_TOO_LARGE, 0, 0),
    STREAM(POST "Transfer-Encoding: "
                "chunked\r\n\r\n0\r\n1:\r\n2:\r\n3:\r\n4:\r\n5:\r\n6:\r\n7:\r\n8:\r\n9:\r\n",
           PROTO_HEADERS_TOO_LARGE, 1, 0),
    STREAM(GET "1:\r\n2:\r\n3:\r\n4:\r\n5:\r\n6:\r\n7:\r\n8:\r\n9:\r\n\r\n",
           PROTO_HEADERS_TOO_LARGE, 0, 0),
};

// Fed in pieces of step bytes, the first of them of first bytes.
static void judge(const stream *s, size_t first, size_t step)
{
    char bytes[512];
    proto_wire wire;
    proto_wire_init(&wire, &LIMITS);
    nav_status status = NAV_OK;
    nav_error err = {0};
    assert_true(s->size_bytes <= sizeof bytes);
    memcpy(bytes, s->bytes, s->size_bytes);
    for (size_t at = 0; status == NAV_OK && at < s->size_bytes;) {
        size_t piece = at == 0 && first > 0 ? first : step, whole = 0;
        piece = piece < s->size_bytes - at ? piece : s->size_bytes - at;
        status = proto_wire_feed(&wire, bytes + at, piece, &whole, &err);
        assert_true(status == NAV_OK ? whole == piece : whole < piece);
        at += piece;
    }
    if (status != s->status || wire.heads != s->heads) {
        fail_msg("got %s (%s) after %u heads: %.60s", proto_status_word(status), err.detail,
                 (unsigned)wire.heads, s->bytes);
    }
    if (status == NAV_OK) {
        assert_int_equal(proto_wire_phase_of(&wire), s->phase);
    } else {
        assert_int_equal(err.status, status);
    }
}

static void judge_all(const stream *streams, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        judge(&streams[i], 0, streams[i].size_bytes);
        for (size_t first = 1; first < streams[i].size_bytes; first++) {
            judge(&streams[i], first, streams[i].size_bytes);
            judge(&streams[i], first, 7);
        }
        judge(&streams[i], 0, 1);
    }
}

static void good_streams(void **state)
{
    (void)state;
    judge_all(GOOD, sizeof GOOD / sizeof GOOD[0]);
}

static void bad_streams(void **state)
{
    (void)state;
    judge_all(BAD, sizeof BAD / sizeof BAD[0]);
}

// Requests that were whole before the fault may be handed on, and not a byte more.
static void whole_requests_before_a_fault(void **state)
{
    (void)state;
    char bytes[] = GET "\r\n" POST "Content-Length: 2\r\n\r\n{}" GET "bad\n\r\n";
    proto_wire wire;
    proto_wire_init(&wire, &LIMITS);
    nav_error err = {0};
    size_t whole = 0;
    assert_int_equal(proto_wire_feed(&wire, bytes, sizeof bytes - 1, &whole, &err),
                     PROTO_BAD_FRAMING);
    assert_int_equal(whole, strstr(bytes, "{}") + 2 - bytes);
    assert_int_equal(wire.heads, 2);
}

static void headers_are_bounded(void **state)
{
    (void)state;
    char text[1024] = GET "A: ";
    size_t used = strlen(text);
    memset(text + used, 'x', sizeof text - used);
    for (size_t step = 1; step < 400; step += 13) {
        proto_wire wire;
        proto_wire_init(&wire, &LIMITS);
        nav_error err = {0};
        nav_status status = NAV_OK;
        size_t at = 0, whole;
        for (; status == NAV_OK && at + step < sizeof text; at += step) {
            status = proto_wire_feed(&wire, text + at, step, &whole, &err);
        }
        assert_int_equal(status, PROTO_HEADERS_TOO_LARGE);
        assert_true(at <= 256 + used + step);
        assert_string_equal(err.limit, "256");
    }
}

// An expectation of 100-continue is taken out of the library's sight, however it is cut into
// pieces; everything else is as it was.
static void expectations_are_ours(void **state)
{
    (void)state;
    static const struct {
        const char *sent, *seen;
    } cases[] = {
        {GET "Expect: 100-continue\r\n\r\n", GET "Expect: 100_continue\r\n\r\n"},
        {GET "eXPECT:  100-Continue\r\nA: 100-continue\r\n\r\n" GET "Expect:100-continue\r\n",
         GET "eXPECT:  100_Continue\r\nA: 100-continue\r\n\r\n" GET "Expect:100_continue\r\n"},
        {GET "Expect: go-on\r\nExpects: 100-continue\r\n\r\n",
         GET "Expect: go-on\r\nExpects: 100-continue\r\n\r\n"},
        {"GET / HTTP/1.0\r\nExpect: 100-continue\r\n\r\n",
         "GET / HTTP/1.0\r\nExpect: 100-continue\r\n\r\n"},
        {POST "Content-Length: 20\r\n\r\nExpect: 100-continue",
         POST "Content-Length: 20\r\n\r\nExpect: 100-continue"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const size_t size_bytes = strlen(cases[i].sent);
        for (size_t step = 1; step <= size_bytes; step++) {
            char text[256];
            proto_wire wire;
            nav_error err = {0};
            size_t whole;
            (void)strcpy(text, cases[i].sent);
            proto_wire_init(&wire, &LIMITS);
            for (size_t at = 0; at < size_bytes; at += step) {
                const size_t piece = step < size_bytes - at ? step : size_bytes - at;
                assert_int_equal(proto_wire_feed(&wire, text + at, piece, &whole, &err), NAV_OK);
            }
            assert_string_equal(text, cases[i].seen);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_streams),
        cmocka_unit_test(bad_streams),
        cmocka_unit_test(whole_requests_before_a_fault),
        cmocka_unit_test(headers_are_bounded),
        cmocka_unit_test(expectations_are_ours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
