// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fuzz_tokens.c: a line that is the value of Authorization, then the lines of a token file. Nobody
// is let in with what does not stand in the file, and no error tells what stands there.

#include "server/http/auth.h"
#include "tests/fuzz/file.h"
#include "tests/fuzz/lines.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes);

// Longer than any word of the messages, and than the name of the file in them.
#define SECRET_BYTES 24u

static void check_silence(const char *text, const nav_error *err)
{
    const size_t length = strlen(text);
    for (size_t i = 0; i + SECRET_BYTES <= length; i++) {
        char secret[SECRET_BYTES + 1];
        memcpy(secret, text + i, SECRET_BYTES);
        secret[SECRET_BYTES] = '\0';
        if (strcspn(secret, " \t\r\n") == SECRET_BYTES) {
            NAV_ASSERT(strstr(err->detail, secret) == NULL);
        }
    }
}

static void check_requests(auth *tokens, const char *authorization, const char *text)
{
    static const uint32_t scopes[] = {AUTH_QUERY, AUTH_BAKE, AUTH_ADMIN, AUTH_QUERY | AUTH_BAKE, 0};
    nav_error err;
    NAV_ASSERT(auth_check(tokens, NULL, AUTH_FREE, &err) == NAV_OK);
    NAV_ASSERT(auth_check(tokens, NULL, AUTH_QUERY, &err) == PROTO_TOKEN_MISSING);
    for (size_t i = 0; i < sizeof scopes / sizeof scopes[0]; i++) {
        const nav_status status = auth_check(tokens, authorization, scopes[i], &err);
        NAV_ASSERT(status == NAV_OK || status == PROTO_TOKEN_MISSING ||
                   status == PROTO_TOKEN_SCOPE);
        if (status != PROTO_TOKEN_MISSING) {
            const char *token = authorization + 7 + strspn(authorization + 7, " ");
            NAV_ASSERT(strlen(token) >= 16 && strstr(text, token) != NULL);
            // Everything is for admin.
            NAV_ASSERT(status != NAV_OK || scopes[i] != 0 || strstr(text, "admin") != NULL);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
    fuzz_lines l = fuzz_lines_of(bytes, size_bytes, 2);
    const char *text = l.count > 1 ? l.lines[1] : "";
    // As many as were sent, for a zero in them is to be seen.
    const size_t first = (size_t)(text - l.text);
    const fuzz_file file =
        l.count > 1 ? fuzz_file_open(bytes + first, size_bytes - first) : fuzz_file_open("", 0);
    auth *tokens = NULL;
    nav_error err = {0};
    const nav_status status = auth_open(file.path, &tokens, &err);
    NAV_ASSERT(status == NAV_OK || status == NAV_INVALID_FIELD);
    check_silence(text, &err);
    if (status == NAV_OK) {
        check_requests(tokens, l.lines[0], text);
        NAV_ASSERT(auth_reload(tokens, &err) == NAV_OK);
        check_requests(tokens, l.lines[0], text);
        auth_close(tokens);
    }
    fuzz_file_close(&file);
    free(l.text);
    return 0;
}
