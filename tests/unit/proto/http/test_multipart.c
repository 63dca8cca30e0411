// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_multipart.c: a form has one reading however it is cut, and what has two is refused.

#include "proto/http/multipart.h"

#include <stdio.h>

#include "tests/unit/geometry_text.h"

#define LINE "\r\n"
#define DISPOSITION(name) "Content-Disposition: form-data; name=\"" name "\"" LINE
#define PART(name, content)                                                                        \
    "--b" LINE DISPOSITION(name)                                                                   \
    LINE content LINE
#define END "--b--" LINE

// A record of the reading: "<name|file|type>" and the content of each part, "." behind it.
typedef struct record {
    char text[16384];
    size_t size_bytes;
    const char *fail_at; // begin, take, end: that one fails
} record;

static void put(record *r, const void *bytes, size_t size_bytes)
{
    assert_true(size_bytes <= sizeof r->text - r->size_bytes);
    if (size_bytes > 0) {
        memcpy(r->text + r->size_bytes, bytes, size_bytes);
    }
    r->size_bytes += size_bytes;
}

static void put_span(record *r, proto_span span, const char *behind)
{
    put(r, span.at != NULL ? span.at : "-", span.at != NULL ? span.size_bytes : 1);
    put(r, behind, 1);
}

static nav_status fail_where_asked(const record *r, const char *where, nav_error *err)
{
    return r->fail_at != NULL && strcmp(r->fail_at, where) == 0
               ? nav_fail(err, PROTO_OVERLOADED, "as asked: %s", where)
               : NAV_OK;
}

static nav_status on_begin(void *user, const proto_part *part, nav_error *err)
{
    put(user, "<", 1);
    put_span(user, part->name, "|");
    put_span(user, part->file_name, "|");
    put_span(user, part->type, ">");
    return fail_where_asked(user, "begin", err);
}

static nav_status on_take(void *user, const void *bytes, size_t size_bytes, nav_error *err)
{
    assert_true(size_bytes > 0);
    put(user, bytes, size_bytes);
    return fail_where_asked(user, "take", err);
}

static nav_status on_end(void *user, nav_error *err)
{
    put(user, ".", 1);
    return fail_where_asked(user, "end", err);
}

// A piece in a block of its own, so that a sanitizer sees a read past its end.
static nav_status feed_piece(proto_multipart *m, const char *bytes, size_t size_bytes, record *out,
                             nav_error *err)
{
    const proto_multipart_sink sink = {out, on_begin, on_take, on_end};
    char *copy = malloc(size_bytes > 0 ? size_bytes : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, size_bytes);
    nav_status status = proto_multipart_feed(m, copy, size_bytes, &sink, err);
    free(copy);
    return status;
}

// Reads a body that is cut at the places given, in rising order.
static nav_status read_cut(const char *boundary, const char *bytes, size_t size_bytes,
                           const size_t *cuts, size_t cut_count, record *out, nav_error *err)
{
    static proto_multipart m;
    nav_status status = NAV_OK;
    size_t from = 0;
    *err = (nav_error){0};
    out->size_bytes = 0;
    proto_multipart_init(&m, boundary);
    for (size_t i = 0; status == NAV_OK && i <= cut_count; i++) {
        size_t to = i < cut_count ? cuts[i] : size_bytes;
        status = feed_piece(&m, bytes + from, to - from, out, err);
        from = to;
    }
    return status == NAV_OK ? proto_multipart_end(&m, err) : status;
}

static nav_status read_bytes(const char *boundary, const char *bytes, size_t size_bytes,
                             record *out, nav_error *err)
{
    size_t cuts[8192];
    assert_true(size_bytes < 8192);
    for (size_t i = 0; i < size_bytes; i++) {
        cuts[i] = i;
    }
    return read_cut(boundary, bytes, size_bytes, cuts, size_bytes, out, err);
}

static void assert_read(const record *r, const char *wanted)
{
    if (r->size_bytes != strlen(wanted) || memcmp(r->text, wanted, r->size_bytes) != 0) {
        fail_msg("wanted: %s\ngot:    %.*s", wanted, (int)r->size_bytes, r->text);
    }
}

// Whole and byte by byte.
static void assert_reads_as(const char *body, const char *wanted)
{
    static record r;
    nav_error err;
    nav_status status = read_cut("b", body, strlen(body), NULL, 0, &r, &err);
    if (status != NAV_OK) {
        fail_msg("%s: %s", body, err.detail);
    }
    assert_read(&r, wanted);
    assert_int_equal(read_bytes("b", body, strlen(body), &r, &err), NAV_OK);
    assert_read(&r, wanted);
}

// ---- the boundary ----

static void boundaries_quoted_or_not(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"multipart/form-data; boundary=b", "b"},
        {"multipart/form-data;boundary=b", "b"},
        {"Multipart/Form-Data ; charset=utf-8;\tBOUNDARY=b ; x=\"y;boundary=z\"", "b"},
        {"multipart/form-data; boundary=\"b\"", "b"},
        {"multipart/form-data; boundary=\"a b\";", "a b"},
        {"multipart/form-data; boundary=----WebKitFormBoundary7MA4YWxkTrZu0gW",
         "----WebKitFormBoundary7MA4YWxkTrZu0gW"},
        {"multipart/form-data; boundary=a'()+_,-./:=?Z", "a'()+_,-./:=?Z"},
        {"multipart/form-data; boundary=\"a'()+_,-./:=? Z\"", "a'()+_,-./:=? Z"},
        {("multipart/form-data; boundary="
          "0123456789012345678901234567890123456789012345678901234567890123456789"),
         "0123456789012345678901234567890123456789012345678901234567890123456789"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char boundary[PROTO_BOUNDARY_BYTES_MAX + 1];
        nav_error err = {0};
        if (proto_multipart_boundary(rows[i][0], boundary, &err) != NAV_OK) {
            fail_msg("%s: %s", rows[i][0], err.detail);
        }
        assert_string_equal(boundary, rows[i][1]);
    }
}

static void boundaries_that_cannot_be(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "multipart/form-data",
        "multipart/form-data;",
        "multipart/form-data; charset=utf-8",
        "multipart/form-data; boundary",
        "multipart/form-data; boundary=",
        "multipart/form-data; boundary=;",
        "multipart/form-data; boundary=\"\"",
        "multipart/form-data; boundary=\"b",
        "multipart/form-data; boundary=\"b \"",
        "multipart/form-data; boundary=\"b\"c",
        "multipart/form-data; boundary=b c",
        "multipart/form-data; boundary=\"b\"charset=utf-8",
        "multipart/form-data; boundary=b charset=utf-8",
        "multipart/form-data; boundary=\"b\\",
        "multipart/form-data; boundary=b; boundary=b",
        "multipart/form-data; boundary=b; boundary=c",
        "multipart/form-data; boundary =b",
        "multipart/form-data; boundary= b",
        "multipart/form-data; =b",
        "multipart/form-data; boundary=a*b",
        "multipart/form-data; boundary=a\xc3\xa4",
        "multipart/form-data; boundary=\"a\\\"b\"",
        ("multipart/form-data; boundary="
         "01234567890123456789012345678901234567890123456789012345678901234567890"),
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char boundary[PROTO_BOUNDARY_BYTES_MAX + 1] = "untouched";
        nav_error err = {0};
        if (proto_multipart_boundary(rows[i], boundary, &err) != PROTO_BAD_MULTIPART) {
            fail_msg("%s was taken", rows[i]);
        }
        assert_string_equal(boundary, "untouched");
        assert_string_equal(err.at, "Content-Type");
        assert_true(err.detail[0] != '\0' && strncmp(err.got, rows[i], strlen(err.got)) == 0);
    }
}

// ---- what is read ----

static const char SAMPLE[] =
    "a preamble\r\n--bound" LINE "--boundary \t" LINE
    "content-disposition:form-data;name=geometry ; filename=\"a \\\"b\\\".obj\"" LINE
    "X-Other: --boundary" LINE "Content-Type: model/obj; charset=utf-8" LINE LINE
    "v 1\r\n--boundar\r\r\n-\r\n--\n--boundary\r" LINE "--boundary" LINE DISPOSITION("config")
        LINE LINE "--boundary" LINE "Content-Transfer-Encoding: 8BIT" LINE DISPOSITION("third") LINE
    "\0x" LINE "--boundary--" LINE "an epilogue" LINE "--boundary" LINE;
static const char SAMPLE_READ[] =
    "<geometry|a \\\"b\\\".obj|model/obj>v 1\r\n--boundar\r\r\n-\r\n--\n--boundary\r."
    "<config|-|->.<third|-|->\0x.";

static void the_sample_cut_anywhere(void **state)
{
    (void)state;
    static record r;
    nav_error err;
    const size_t size_bytes = sizeof SAMPLE - 1;
    for (size_t i = 0; i <= size_bytes; i++) {
        for (size_t k = i; k <= size_bytes; k++) {
            const size_t cuts[] = {i, k};
            nav_status status = read_cut("boundary", SAMPLE, size_bytes, cuts, 2, &r, &err);
            if (status != NAV_OK || r.size_bytes != sizeof SAMPLE_READ - 1 ||
                memcmp(r.text, SAMPLE_READ, r.size_bytes) != 0) {
                fail_msg("cut at %zu and %zu: %s\n%.*s", i, k, err.detail, (int)r.size_bytes,
                         r.text);
            }
        }
    }
    assert_int_equal(read_bytes("boundary", SAMPLE, size_bytes, &r, &err), NAV_OK);
    assert_memory_equal(r.text, SAMPLE_READ, sizeof SAMPLE_READ - 1);
}

// Of all beginnings of a body, only one with its closing boundary is whole.
static void the_sample_cut_off_anywhere(void **state)
{
    (void)state;
    static record r;
    nav_error err;
    const char *close = memmem(SAMPLE, sizeof SAMPLE, "--boundary--", 12);
    assert_non_null(close);
    const size_t whole_bytes = (size_t)(close - SAMPLE) + 12;
    for (size_t size = 0; size < sizeof SAMPLE; size++) {
        nav_status status = read_cut("boundary", SAMPLE, size, NULL, 0, &r, &err);
        // A lone CR behind it is no line end.
        bool whole = size >= whole_bytes && size != whole_bytes + 1;
        assert_int_equal(status, whole ? NAV_OK : PROTO_BAD_MULTIPART);
        if (!whole) {
            char at[32];
            (void)snprintf(at, sizeof at, "byte %zu", size);
            assert_string_equal(err.at, at);
            assert_non_null(strstr(err.detail, "closing boundary"));
        }
    }
}

static void forms_of_a_body(void **state)
{
    (void)state;
    assert_reads_as(PART("a", "1") END, "<a|-|->1.");
    assert_reads_as(PART("a", "1") "--b--", "<a|-|->1.");
    assert_reads_as(PART("a", "1") "--b-- \t", "<a|-|->1.");
    assert_reads_as(PART("a", "1") "--b-- \t\r\n\r\n\nanything", "<a|-|->1.");
    assert_reads_as(LINE PART("a", "1") PART("a", "2") END, "<a|-|->1.<a|-|->2.");
    assert_reads_as("x --b\r\n--\r\n\r\n" PART("a", "1") END, "<a|-|->1.");
    assert_reads_as("--b--", "");
    assert_reads_as("preamble\r\n--b--", "");
    // No content, with and without a line end of its own.
    assert_reads_as(PART("a", "") END, "<a|-|->.");
    assert_reads_as("--b" LINE DISPOSITION("a") LINE END, "<a|-|->.");
    assert_reads_as("--b" LINE DISPOSITION("a") LINE PART("a", "--") END, "<a|-|->.<a|-|->--.");
    // Line ends, dashes and half boundaries within a content.
    assert_reads_as(PART("a", "\r\n\r\n-\r\n--\r") END, "<a|-|->\r\n\r\n-\r\n--\r.");
    assert_reads_as(PART("a", "\n--b\n--b--\n") END, "<a|-|->\n--b\n--b--\n.");
    assert_reads_as(PART("a", "x--b") END, "<a|-|->x--b.");
    assert_reads_as(PART("a", "-") END, "<a|-|->-.");
}

static void headers_of_a_part(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"Content-Disposition: form-data; name=a", "<a|-|->1."},
        {"CONTENT-DISPOSITION:\tFORM-DATA ;NAME=\"a\"", "<a|-|->1."},
        {"Content-Disposition: form-data; name=\"\"; filename=\"\"", "<||->1."},
        {"Content-Disposition: form-data; name=\"a;b=c\"; filename=x.obj", "<a;b=c|x.obj|->1."},
        {"Content-Disposition: form-data; filename=\"name=z\"; name=\"a\"", "<a|name=z|->1."},
        {"Content-Disposition: form-data; name=\"a\"; filename*=UTF-8''x; size=3", "<a|-|->1."},
        {"Content-Disposition: form-data; name=\"a\"; filename=\"C:\\dir\\x.obj\"",
         "<a|C:\\dir\\x.obj|->1."},
        {"Content-Disposition: form-data; name=\"a\"; filename=\"\xc3\xa4.obj\"",
         "<a|\xc3\xa4.obj|->1."},
        {"Content-Type: text/plain" LINE "Content-Disposition: form-data; name=a",
         "<a|-|text/plain>1."},
        {"Content-Disposition: form-data; name=a" LINE "Content-Type:", "<a|-|>1."},
        {"X: Content-Type: image/png" LINE "Content-Disposition: form-data; name=a" LINE
         "Content-Transfer-Encoding: Binary" LINE "Content-Encoding: identity" LINE
         "Content-Length: 700",
         "<a|-|->1."},
        {"Content-Disposition: form-data; name=a" LINE "Content-Transfer-Encoding: 7bit",
         "<a|-|->1."},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char body[512];
        (void)snprintf(body, sizeof body, "--b" LINE "%s" LINE LINE "1" LINE END, rows[i][0]);
        assert_reads_as(body, rows[i][1]);
    }
}

// Any content that has no line with the boundary comes out as it went in, whatever the cutting.
static void any_content(void **state)
{
    (void)state;
    static const char letters[] = "\r\n-bb";
    static record r;
    uint32_t seed = 77;
    size_t tried = 0;
    for (int round = 0; round < 60000; round++) {
        char content[24], body[128], wanted[64];
        size_t size = next_random(&seed) % sizeof content;
        for (size_t i = 0; i < size; i++) {
            content[i] = letters[next_random(&seed) % (sizeof letters - 1)];
        }
        // The line end of the headers counts as the one before a boundary.
        if (memmem(content, size, "\r\n--b", 5) != NULL ||
            (size >= 3 && memcmp(content, "--b", 3) == 0)) {
            continue;
        }
        tried++;
        int head = snprintf(body, sizeof body, "--b" LINE DISPOSITION("a") LINE);
        memcpy(body + head, content, size);
        memcpy(body + head + size, LINE END, 9);
        int begin = snprintf(wanted, sizeof wanted, "<a|-|->");
        memcpy(wanted + begin, content, size);
        wanted[(size_t)begin + size] = '.';
        size_t total = (size_t)head + size + 9, cuts[3];
        cuts[0] = next_random(&seed) % (total + 1);
        cuts[1] = cuts[0] + next_random(&seed) % (total - cuts[0] + 1);
        cuts[2] = cuts[1] + next_random(&seed) % (total - cuts[1] + 1);
        nav_error err;
        assert_int_equal(read_cut("b", body, total, cuts, 3, &r, &err), NAV_OK);
        assert_int_equal(r.size_bytes, (size_t)begin + size + 1);
        assert_memory_equal(r.text, wanted, r.size_bytes);
    }
    assert_true(tried > 40000);
}

// ---- refusals ----

#define HEAD_OF(headers) "--b" LINE headers LINE LINE "1" LINE END

static const struct refusal {
    const char *body;
    nav_status status;
    const char *at, *got; // NULL: not looked at
} REFUSED[] = {
    {"", PROTO_BAD_MULTIPART, "byte 0", NULL},
    {"no boundary at all", PROTO_BAD_MULTIPART, "byte 18", NULL},
    {"--c" LINE DISPOSITION("a") LINE "1" LINE "--c--", PROTO_BAD_MULTIPART, NULL, NULL},
    {"x--b" LINE DISPOSITION("a") LINE "1" LINE "x--b--", PROTO_BAD_MULTIPART, NULL, NULL},
    {PART("a", "1"), PROTO_BAD_MULTIPART, NULL, NULL},
    {PART("a", "1") "--b", PROTO_BAD_MULTIPART, NULL, NULL},
    {PART("a", "1") "--b-", PROTO_BAD_MULTIPART, NULL, NULL},
    {PART("a", "1") "--b--\r", PROTO_BAD_MULTIPART, NULL, NULL},
    {"--b" LINE DISPOSITION("a"), PROTO_BAD_MULTIPART, NULL, NULL},
    // Line ends of LF or CR alone.
    {"--b\nContent-Disposition: form-data; name=a\n\n1\n--b--\n", PROTO_BAD_MULTIPART, "byte 3",
     NULL},
    {"--b\r\nContent-Disposition: form-data; name=a\n\r\n1\r\n--b--\r\n", PROTO_BAD_MULTIPART,
     "byte 43", NULL},
    {"--b\r\n" DISPOSITION("a") "\n1" LINE END, PROTO_BAD_MULTIPART, "byte 47", NULL},
    {"--b\r\nContent-Disposition: form-data; name=a\r\r\n1" LINE END, PROTO_BAD_MULTIPART,
     "byte 44", NULL},
    {"--b\r\r\n" DISPOSITION("a") LINE "1" LINE END, PROTO_BAD_MULTIPART, "byte 4", NULL},
    {"--b\r\n" DISPOSITION("a") LINE "1\n--b--\n", PROTO_BAD_MULTIPART, NULL, NULL},
    {PART("a", "1") "--b--\n", PROTO_BAD_MULTIPART, NULL, NULL},
    {PART("a", "1") "--b--\r\r", PROTO_BAD_MULTIPART, NULL, NULL},
    // Something else behind a boundary.
    {"--bx" LINE DISPOSITION("a") LINE "1" LINE END, PROTO_BAD_MULTIPART, "byte 3", NULL},
    {"--b x" LINE DISPOSITION("a") LINE "1" LINE END, PROTO_BAD_MULTIPART, "byte 4", NULL},
    {"--b-x" LINE, PROTO_BAD_MULTIPART, "byte 4", NULL},
    {PART("a", "1\r\n--bb") END, PROTO_BAD_MULTIPART, NULL, NULL},
    {PART("a", "1") "--b--x", PROTO_BAD_MULTIPART, NULL, NULL},
    {PART("a", "1") "--b-- x", PROTO_BAD_MULTIPART, NULL, NULL},
    // Headers.
    {"--b" LINE LINE "1" LINE END, PROTO_BAD_MULTIPART, "byte 5", NULL},
    {HEAD_OF("Content-Type: text/plain"), PROTO_BAD_MULTIPART, "byte 5", NULL},
    {HEAD_OF("Content-Disposition: attachment; name=a"), PROTO_BAD_MULTIPART, "byte 5", NULL},
    {HEAD_OF("Content-Disposition: form-data"), PROTO_BAD_MULTIPART, "byte 5", NULL},
    {HEAD_OF("Content-Disposition:"), PROTO_BAD_MULTIPART, "byte 5", NULL},
    {HEAD_OF("Content-Disposition: form-data; filename=a"), PROTO_BAD_MULTIPART, "byte 5", NULL},
    {HEAD_OF("Content-Disposition: form-data; name=a; name=a"), PROTO_BAD_MULTIPART, "byte 5",
     NULL},
    {HEAD_OF("Content-Disposition: form-data; name=a; filename=b; filename=c"), PROTO_BAD_MULTIPART,
     "byte 5", NULL},
    {HEAD_OF("Content-Disposition: form-data; name=\"a"), PROTO_BAD_MULTIPART, "byte 5", NULL},
    {HEAD_OF("Content-Disposition: form-data; name=\"a\"b"), PROTO_BAD_MULTIPART, "byte 5", NULL},
    {HEAD_OF("Content-Disposition: form-data; name"), PROTO_BAD_MULTIPART, "byte 5", NULL},
    {HEAD_OF("Content-Disposition: form-data; name=a" LINE
             "content-disposition: form-data; name=a"),
     PROTO_BAD_MULTIPART, "byte 45", "Content-Disposition"},
    {HEAD_OF("Content-Type: a/b" LINE "Content-Type: c/d" LINE DISPOSITION("a") "X: y"),
     PROTO_BAD_MULTIPART, "byte 24", "Content-Type"},
    {HEAD_OF("Content-Disposition: form-data;" LINE " name=a"), PROTO_BAD_MULTIPART, "byte 38",
     NULL},
    {HEAD_OF("Content-Disposition : form-data; name=a"), PROTO_BAD_MULTIPART, "byte 5", NULL},
    {HEAD_OF("no header"), PROTO_BAD_MULTIPART, "byte 5", NULL},
    {HEAD_OF(": x"), PROTO_BAD_MULTIPART, "byte 5", NULL},
    {HEAD_OF("Content-Disposition: form-data; name=\x01"), PROTO_BAD_MULTIPART, "byte 42", NULL},
    {HEAD_OF("Content-Disposition: form-data; name=\x7f"), PROTO_BAD_MULTIPART, "byte 42", NULL},
    // A content that is not the bytes that stand there.
    {HEAD_OF("Content-Transfer-Encoding: base64" LINE "Content-Disposition: form-data; name=a"),
     PROTO_MEDIA_TYPE, "Content-Transfer-Encoding", "base64"},
    {HEAD_OF("Content-Disposition: form-data; name=a" LINE
             "Content-Transfer-Encoding: quoted-printable"),
     PROTO_MEDIA_TYPE, "Content-Transfer-Encoding", "quoted-printable"},
    {HEAD_OF("Content-Disposition: form-data; name=a" LINE "Content-Transfer-Encoding:"),
     PROTO_MEDIA_TYPE, "Content-Transfer-Encoding", ""},
    {HEAD_OF("Content-Disposition: form-data; name=a" LINE "Content-Encoding: zstd"),
     PROTO_MEDIA_TYPE, "Content-Encoding", "zstd"},
};

static void refusals(void **state)
{
    (void)state;
    static record r;
    for (size_t i = 0; i < sizeof REFUSED / sizeof REFUSED[0]; i++) {
        const struct refusal *row = &REFUSED[i];
        nav_error whole, cut;
        nav_status status = read_cut("b", row->body, strlen(row->body), NULL, 0, &r, &whole);
        if (status != row->status || (row->at != NULL && strcmp(whole.at, row->at) != 0)) {
            fail_msg("%s\nwanted %s at %s, not %s at %s (%s)", row->body,
                     proto_status_word(row->status), row->at != NULL ? row->at : "any place",
                     proto_status_word(status), whole.at, whole.detail);
        }
        if (row->got != NULL) {
            assert_string_equal(whole.got, row->got);
        }
        assert_int_equal(read_bytes("b", row->body, strlen(row->body), &r, &cut), row->status);
        assert_same_error(&whole, &cut);
    }
}

static void a_zero_in_the_headers(void **state)
{
    (void)state;
    static const char body[] = "--b" LINE "Content-Disposition: form-data; name=\"a\0\"" LINE LINE;
    static record r;
    nav_error err;
    assert_int_equal(read_cut("b", body, sizeof body - 1, NULL, 0, &r, &err), PROTO_BAD_MULTIPART);
    assert_string_equal(err.at, "byte 44");
    assert_int_equal(r.size_bytes, 0);
}

static void headers_as_long_as_they_may_be(void **state)
{
    (void)state;
    static char body[8192];
    static record r;
    nav_error err;
    // The last line end of all, that of the empty line, is not one of theirs but for its CR.
    const size_t fixed = strlen(DISPOSITION("a") "X: " LINE);
    for (size_t over = 0; over < 2; over++) {
        int fill = (int)(PROTO_PART_HEAD_BYTES_MAX - 1 - fixed + over);
        (void)snprintf(body, sizeof body,
                       "--b" LINE DISPOSITION("a") "X: %0*d" LINE LINE "1" LINE END, fill, 0);
        nav_status status = read_cut("b", body, strlen(body), NULL, 0, &r, &err);
        assert_int_equal(status, over == 0 ? NAV_OK : PROTO_HEADERS_TOO_LARGE);
        if (over > 0) {
            assert_string_equal(err.limit, "4096");
            assert_string_equal(err.at, "byte 4101");
        }
        assert_int_equal(read_bytes("b", body, strlen(body), &r, &err), status);
    }
}

// An error of the sink ends the reading there.
static void errors_of_the_sink(void **state)
{
    (void)state;
    static const char body[] = PART("a", "12") PART("c", "34") END;
    static const char *const rows[][2] = {
        {"begin", "<a|-|->"}, {"take", "<a|-|->12"}, {"end", "<a|-|->12."}};
    for (size_t i = 0; i < 3; i++) {
        static record r;
        nav_error err;
        r.fail_at = rows[i][0];
        assert_int_equal(read_cut("b", body, sizeof body - 1, NULL, 0, &r, &err), PROTO_OVERLOADED);
        assert_read(&r, rows[i][1]);
        r.fail_at = NULL;
    }
}

// Any damage has one outcome, however the body is cut.
static void damage(void **state)
{
    (void)state;
    static const char likely[] = "\r\n-b :;=\"\\a";
    static record whole, cut;
    uint32_t seed = 4242;
    for (int round = 0; round < 30000; round++) {
        char body[sizeof SAMPLE];
        size_t size = sizeof SAMPLE - 1;
        memcpy(body, SAMPLE, size);
        for (uint32_t hits = 1 + next_random(&seed) % 3; hits > 0; hits--) {
            size_t at = next_random(&seed) % size;
            uint32_t kind = next_random(&seed) % 4;
            if (kind == 0 && size > 1) {
                memmove(body + at, body + at + 1, size - at - 1);
                size--;
            } else {
                body[at] = kind == 1 ? (char)next_random(&seed)
                                     : likely[next_random(&seed) % (sizeof likely - 1)];
            }
        }
        nav_error whole_err, cut_err;
        size_t cuts[2] = {next_random(&seed) % size, 0};
        cuts[1] = cuts[0] + next_random(&seed) % (size - cuts[0]);
        nav_status status = read_cut("boundary", body, size, NULL, 0, &whole, &whole_err);
        assert_int_equal(read_cut("boundary", body, size, cuts, 2, &cut, &cut_err), status);
        assert_same_error(&whole_err, &cut_err);
        assert_int_equal(whole.size_bytes, cut.size_bytes);
        assert_memory_equal(whole.text, cut.text, cut.size_bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boundaries_quoted_or_not),
        cmocka_unit_test(boundaries_that_cannot_be),
        cmocka_unit_test(the_sample_cut_anywhere),
        cmocka_unit_test(the_sample_cut_off_anywhere),
        cmocka_unit_test(forms_of_a_body),
        cmocka_unit_test(headers_of_a_part),
        cmocka_unit_test(any_content),
        cmocka_unit_test(refusals),
        cmocka_unit_test(a_zero_in_the_headers),
        cmocka_unit_test(headers_as_long_as_they_may_be),
        cmocka_unit_test(errors_of_the_sink),
        cmocka_unit_test(damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
