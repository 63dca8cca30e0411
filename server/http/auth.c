// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// auth.c: the token file, and tokens held against it. All digests are compared to their last byte,
// so that time reveals nothing; a reload swaps the table under a lock that requests only share.

#include "server/http/auth.h"

#include "server/base/file.h"
#include "server/base/limits.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#define TOKEN_BYTES_MIN 16u
#define TOKEN_BYTES_MAX 256u
#define TOKEN_CHARACTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~+/="

typedef struct token {
    uint8_t digest[32];
    uint32_t scopes;
} token;

struct auth {
    char *file; // immutable
    pthread_rwlock_t lock;
    token *tokens; // guarded by lock
    size_t count;  // guarded by lock
};

// ---- the file ----

static nav_status fail_file(nav_error *err, const char *file, const char *why)
{
    return nav_fail_at(err, NAV_INVALID_FIELD, "--token-file", "--token-file %.100s: %s", file,
                       why);
}

// "query,bake" to bits, and where the list ends; 0: one of the words is no scope.
static uint32_t take_scopes(const char **text)
{
    static const struct {
        const char *word;
        uint32_t bit;
    } words[] = {
        {"query", AUTH_QUERY}, {"bake", AUTH_BAKE}, {"world", AUTH_WORLD}, {"admin", AUTH_ADMIN}};
    uint32_t scopes = 0;
    for (;; (*text)++) {
        size_t length = strcspn(*text, ", \t");
        uint32_t bit = 0;
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
            if (strlen(words[i].word) == length && strncmp(words[i].word, *text, length) == 0) {
                bit = words[i].bit;
            }
        }
        *text += length;
        scopes |= bit;
        if (bit == 0 || **text != ',') {
            return bit == 0 ? 0 : scopes;
        }
    }
}

// One line, without its line feed. *is_token is false for blank lines and comments.
static const char *read_line(const char *text, token *out, bool *is_token)
{
    text += strspn(text, " \t\r");
    *is_token = *text != '\0' && *text != '#';
    if (!*is_token) {
        return NULL;
    }
    out->scopes = take_scopes(&text);
    if (out->scopes == 0) {
        return "write scopes (query, bake, world, admin, with commas), a blank and the token";
    }
    text += strspn(text, " \t");
    size_t length = strspn(text, TOKEN_CHARACTERS);
    char after = text[length];
    if (after != '\0' && after != ' ' && after != '\t' && after != '\r') {
        return "the token holds a character that none can hold";
    }
    if (length < TOKEN_BYTES_MIN || length > TOKEN_BYTES_MAX) {
        return "a token has 16 to 256 characters";
    }
    nav_sha256_of(text, length, out->digest);
    return NULL;
}

// text is cut into lines.
static nav_status read_tokens(const char *file, char *text, token *tokens, size_t *count,
                              nav_error *err)
{
    *count = 0;
    size_t line = 1;
    for (char *rest = text; rest != NULL; line++) {
        char *begin = strsep(&rest, "\n");
        token one;
        bool is_token;
        const char *why = read_line(begin, &one, &is_token);
        if (why == NULL && is_token && *count == LIMIT_TOKENS) {
            why = "too many tokens";
        }
        if (why != NULL) {
            return nav_fail_at(err, NAV_INVALID_FIELD, "--token-file",
                               "--token-file %.100s: line %zu: %s", file, line, why);
        }
        if (is_token) {
            tokens[(*count)++] = one;
        }
    }
    NAV_ASSERT(*count <= LIMIT_TOKENS);
    return *count > 0 ? NAV_OK : fail_file(err, file, "there is no token in it");
}

// The whole file, which only its owner and group may read; malloc'ed, with a zero behind it.
static nav_status read_file(const char *file, char **out, nav_error *err)
{
    char *text = NULL;
    size_t size_bytes = 0;
    mode_t mode = 0;
    nav_error why = {0};
    if (file_read(file, LIMIT_TOKEN_FILE_BYTES, &text, &size_bytes, &mode, &why) != NAV_OK) {
        return fail_file(err, file, why.detail);
    }
    const char *fault = NULL;
    if ((mode & S_IRWXO) != 0) {
        fault = "others may read it: chmod o= takes that from them";
    } else if (memchr(text, '\0', size_bytes) != NULL) {
        fault = "it holds a zero byte";
    }
    if (fault != NULL) {
        explicit_bzero(text, size_bytes);
        free(text);
        return fail_file(err, file, fault);
    }
    *out = text;
    return NAV_OK;
}

static nav_status load(const char *file, token **tokens, size_t *count, nav_error *err)
{
    char *text = NULL;
    nav_status status = read_file(file, &text, err);
    if (text == NULL) {
        return status;
    }
    token *read = calloc(LIMIT_TOKENS, sizeof *read);
    status = read != NULL ? read_tokens(file, text, read, count, err)
                          : nav_fail(err, NAV_NO_MEMORY, "no memory for the tokens");
    explicit_bzero(text, strlen(text));
    free(text);
    if (status != NAV_OK) {
        free(read);
        return status;
    }
    *tokens = read;
    return NAV_OK;
}

nav_status auth_open(const char *file, auth **out, nav_error *err)
{
    auth *a = calloc(1, sizeof *a);
    if (a == NULL || (a->file = strdup(file)) == NULL) {
        free(a);
        return nav_fail(err, NAV_NO_MEMORY, "no memory for the tokens");
    }
    nav_status status = load(file, &a->tokens, &a->count, err);
    if (status != NAV_OK) {
        free(a->file);
        free(a);
        return status;
    }
    (void)pthread_rwlock_init(&a->lock, NULL);
    *out = a;
    return NAV_OK;
}

void auth_close(auth *a)
{
    if (a != NULL) {
        (void)pthread_rwlock_destroy(&a->lock);
        free(a->tokens);
        free(a->file);
        free(a);
    }
}

nav_status auth_reload(auth *a, nav_error *err)
{
    token *tokens = NULL;
    size_t count = 0;
    nav_status status = load(a->file, &tokens, &count, err);
    if (status == NAV_OK) {
        (void)pthread_rwlock_wrlock(&a->lock);
        token *old = a->tokens;
        a->tokens = tokens;
        a->count = count;
        (void)pthread_rwlock_unlock(&a->lock);
        free(old);
    }
    return status;
}

// ---- a request ----

// The scopes of this digest, 0 where it is unknown. Equal digests add up.
static uint32_t find(auth *a, const uint8_t digest[32])
{
    uint32_t scopes = 0;
    (void)pthread_rwlock_rdlock(&a->lock);
    NAV_ASSERT(a->count > 0 && a->count <= LIMIT_TOKENS);
    for (size_t i = 0; i < a->count; i++) {
        uint32_t differs = 0;
        for (size_t k = 0; k < 32; k++) {
            differs |= (uint32_t)(a->tokens[i].digest[k] ^ digest[k]);
        }
        // differs is below 256: all bits where it is 0, else none.
        scopes |= a->tokens[i].scopes & (uint32_t)((differs - 1u) >> 8);
    }
    (void)pthread_rwlock_unlock(&a->lock);
    return scopes;
}

nav_status auth_check(auth *a, const char *authorization, uint32_t scopes, nav_error *err)
{
    if ((scopes & AUTH_FREE) != 0) {
        return NAV_OK;
    }
    if (authorization == NULL || strncasecmp(authorization, "Bearer ", 7) != 0) {
        return nav_fail(err, PROTO_TOKEN_MISSING, "send Authorization: Bearer and a token");
    }
    const char *text = authorization + 7 + strspn(authorization + 7, " ");
    uint8_t digest[32];
    nav_sha256_of(text, strlen(text), digest);
    uint32_t has = find(a, digest);
    if (has == 0) {
        return nav_fail(err, PROTO_TOKEN_MISSING, "the token is unknown");
    }
    if ((has & (scopes | AUTH_ADMIN)) == 0) {
        return nav_fail(err, PROTO_TOKEN_SCOPE, "the token is not for this: it needs %s",
                        (scopes & AUTH_QUERY) != 0   ? "the scope query"
                        : (scopes & AUTH_BAKE) != 0  ? "the scope bake"
                        : (scopes & AUTH_WORLD) != 0 ? "the scope world"
                                                     : "the scope admin");
    }
    return NAV_OK;
}
