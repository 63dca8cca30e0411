// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_auth.c: a token opens what its scopes say and nothing else; a token file that is wrong is
// refused with its line, and never told.

#include "tests/unit/one_file.h"

#include <fcntl.h>
#include <string.h>

#include "server/http/auth.h"
#include "server/base/limits.h"

static void write_text(const char *text)
{
    one_file_write(text, strlen(text), 0640);
}

#define QUERY "7Vn3c0Zk1yQmJ0pH6bqTt2"
#define BAKE "pW9s4LrXo8eGd5fUa1iKzC"
#define ADMIN "hJ2mN6vB8xR4tY0wQ7eDsA"

static const char USUAL[] = "# who may ask\n"
                            "\n"
                            "query        " QUERY "   game servers\n"
                            "  bake,query \t" BAKE "\tthe editor\r\n"
                            "admin " ADMIN;

static void tokens_open_what_their_scopes_say(void **state)
{
    (void)state;
    auth *a = NULL;
    nav_error err = {0};
    write_text(USUAL);
    assert_int_equal(auth_open(one_file, &a, &err), NAV_OK);
    static const struct {
        const char *sent;
        uint32_t scopes;
        nav_status status;
    } rows[] = {
        {"Bearer " QUERY, AUTH_QUERY, NAV_OK},
        {"bearer    " QUERY, AUTH_QUERY | AUTH_BAKE, NAV_OK},
        {"Bearer " QUERY, AUTH_BAKE, PROTO_TOKEN_SCOPE},
        {"Bearer " QUERY, 0, PROTO_TOKEN_SCOPE},
        {"Bearer " BAKE, AUTH_BAKE, NAV_OK},
        {"Bearer " BAKE, AUTH_QUERY, NAV_OK},
        {"Bearer " BAKE, AUTH_ADMIN, PROTO_TOKEN_SCOPE},
        {"Bearer " ADMIN, AUTH_BAKE, NAV_OK},
        {"Bearer " ADMIN, 0, NAV_OK},
        {"Bearer " QUERY "x", AUTH_QUERY, PROTO_TOKEN_MISSING},
        {"Bearer 7Vn3c0Zk1yQmJ0pH6bqTt", AUTH_QUERY, PROTO_TOKEN_MISSING},
        {"Bearer ", AUTH_QUERY, PROTO_TOKEN_MISSING},
        {"Bearer", AUTH_QUERY, PROTO_TOKEN_MISSING},
        {"Basic " QUERY, AUTH_QUERY, PROTO_TOKEN_MISSING},
        {NULL, AUTH_QUERY, PROTO_TOKEN_MISSING},
        {NULL, AUTH_FREE, NAV_OK},
        {"Bearer nobody", AUTH_FREE, NAV_OK},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const nav_status status = auth_check(a, rows[i].sent, rows[i].scopes, &err);
        if (status != rows[i].status) {
            fail_msg("row %zu: %d", i, status);
        }
    }
    auth_close(a);
    auth_close(NULL);
}

static void a_refusal_says_which_scope_it_takes(void **state)
{
    (void)state;
    auth *a = NULL;
    nav_error err = {0};
    write_text("query " QUERY "\nbake " BAKE "\n");
    assert_int_equal(auth_open(one_file, &a, &err), NAV_OK);
    assert_int_equal(auth_check(a, "Bearer " BAKE, AUTH_QUERY, &err), PROTO_TOKEN_SCOPE);
    assert_non_null(strstr(err.detail, "the scope query"));
    assert_int_equal(auth_check(a, "Bearer " QUERY, AUTH_BAKE, &err), PROTO_TOKEN_SCOPE);
    assert_non_null(strstr(err.detail, "the scope bake"));
    assert_int_equal(auth_check(a, "Bearer " QUERY, 0, &err), PROTO_TOKEN_SCOPE);
    assert_non_null(strstr(err.detail, "the scope admin"));
    auth_close(a);
}

// One token in two lines has the scopes of both.
static void equal_tokens_add_up(void **state)
{
    (void)state;
    auth *a = NULL;
    nav_error err = {0};
    write_text("query " QUERY "\nbake " QUERY "\n");
    assert_int_equal(auth_open(one_file, &a, &err), NAV_OK);
    assert_int_equal(auth_check(a, "Bearer " QUERY, AUTH_QUERY, &err), NAV_OK);
    assert_int_equal(auth_check(a, "Bearer " QUERY, AUTH_BAKE, &err), NAV_OK);
    assert_int_equal(auth_check(a, "Bearer " QUERY, 0, &err), PROTO_TOKEN_SCOPE);
    auth_close(a);
}

static void assert_refused(const char *why)
{
    auth *a = NULL;
    nav_error err = {0};
    assert_int_equal(auth_open(one_file, &a, &err), NAV_INVALID_FIELD);
    assert_null(a);
    if (strstr(err.detail, why) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", err.detail, why);
    }
    assert_string_equal(err.at, "--token-file");
    assert_null(strstr(err.detail, QUERY));
}

static void wrong_lines_are_named_and_not_told(void **state)
{
    (void)state;
    static const struct {
        const char *text, *why;
    } rows[] = {
        {"", "there is no token in it"},
        {"# nothing\n\n", "there is no token in it"},
        {"query " QUERY "\nread " QUERY "\n", "line 2: write scopes"},
        {"query,read " QUERY, "line 1: write scopes"},
        {"query,, " QUERY, "line 1: write scopes"},
        {"," QUERY, "line 1: write scopes"},
        {QUERY, "line 1: write scopes"},
        {"quer " QUERY, "line 1: write scopes"},
        {"queryx " QUERY, "line 1: write scopes"},
        {"query", "line 1: a token has 16 to 256"},
        {"query 123456789012345 short by one", "line 1: a token has 16 to 256"},
        {"query " QUERY "!", "line 1: the token holds a character"},
        {"query " QUERY "\xc3\xa4", "line 1: the token holds a character"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        write_text(rows[i].text);
        assert_refused(rows[i].why);
    }
    one_file_write("query " QUERY "\n\0", sizeof "query " QUERY "\n", 0640);
    assert_refused("a zero byte");
}

static void lengths_of_tokens_are_bounded(void **state)
{
    (void)state;
    char text[400], sent[400];
    auth *a = NULL;
    nav_error err = {0};
    for (int length = 15; length <= 257; length += length == 16 ? 239 : 1) {
        (void)snprintf(text, sizeof text, "query %0*d\n", length, 7);
        (void)snprintf(sent, sizeof sent, "Bearer %0*d", length, 7);
        write_text(text);
        const bool fits = length >= 16 && length <= 256;
        assert_int_equal(auth_open(one_file, &a, &err), fits ? NAV_OK : NAV_INVALID_FIELD);
        if (fits) {
            assert_int_equal(auth_check(a, sent, AUTH_QUERY, &err), NAV_OK);
            auth_close(a);
        }
    }
}

static void tokens_are_bounded_in_number(void **state)
{
    (void)state;
    char *text = malloc(64 * (LIMIT_TOKENS + 1)), sent[64];
    for (unsigned count = LIMIT_TOKENS; count <= LIMIT_TOKENS + 1; count++) {
        char *at = text;
        for (unsigned i = 0; i < count; i++) {
            at += sprintf(at, "query %020u\n", i);
        }
        write_text(text);
        auth *a = NULL;
        nav_error err = {0};
        if (count > LIMIT_TOKENS) {
            assert_refused("too many tokens");
            continue;
        }
        assert_int_equal(auth_open(one_file, &a, &err), NAV_OK);
        (void)snprintf(sent, sizeof sent, "Bearer %020u", count - 1);
        assert_int_equal(auth_check(a, sent, AUTH_QUERY, &err), NAV_OK);
        auth_close(a);
    }
    free(text);
}

static void files_that_cannot_be_one_are_refused(void **state)
{
    (void)state;
    write_text(USUAL);
    assert_int_equal(chmod(one_file, 0644), 0);
    assert_refused("others may read it");
    assert_int_equal(unlink(one_file), 0);
    assert_refused("No such file");
    assert_int_equal(mkdir(one_file, 0700), 0);
    assert_refused("not a regular file");
    assert_int_equal(rmdir(one_file), 0);
    assert_int_equal(mkfifo(one_file, 0600), 0);
    assert_refused("not a regular file"); // and nobody waits for its other end
    assert_int_equal(unlink(one_file), 0);
    write_text(USUAL);
    assert_int_equal(truncate(one_file, LIMIT_TOKEN_FILE_BYTES + 1), 0);
    assert_refused("too large");
}

static void a_reload_that_fails_leaves_the_old_ones(void **state)
{
    (void)state;
    auth *a = NULL;
    nav_error err = {0};
    write_text("query " QUERY "\n");
    assert_int_equal(auth_open(one_file, &a, &err), NAV_OK);
    write_text("query short\n");
    assert_int_equal(auth_reload(a, &err), NAV_INVALID_FIELD);
    assert_int_equal(auth_check(a, "Bearer " QUERY, AUTH_QUERY, &err), NAV_OK);
    write_text("query " BAKE "\n");
    assert_int_equal(auth_reload(a, &err), NAV_OK);
    assert_int_equal(auth_check(a, "Bearer " QUERY, AUTH_QUERY, &err), PROTO_TOKEN_MISSING);
    assert_int_equal(auth_check(a, "Bearer " BAKE, AUTH_QUERY, &err), NAV_OK);
    auth_close(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tokens_open_what_their_scopes_say),
        cmocka_unit_test(a_refusal_says_which_scope_it_takes),
        cmocka_unit_test(equal_tokens_add_up),
        cmocka_unit_test(wrong_lines_are_named_and_not_told),
        cmocka_unit_test(lengths_of_tokens_are_bounded),
        cmocka_unit_test(tokens_are_bounded_in_number),
        cmocka_unit_test(files_that_cannot_be_one_are_refused),
        cmocka_unit_test(a_reload_that_fails_leaves_the_old_ones),
    };
    return cmocka_run_group_tests_name("auth", tests, one_file_make, one_file_remove);
}
