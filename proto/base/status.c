// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// status.c: the table of statuses, read by its columns.

#include "proto/base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct status_row {
    const char *word;
    int http;
    const char *text;
} status_row;

static const status_row STATUS_ROWS[PROTO_STATUS_COUNT] = {
#define ROW(name, word, http, text) [name] = {word, http, text},
    PROTO_STATUS_TABLE(ROW, ROW)
#undef ROW
};

#define ONE(name, word, http, text) +1
#define NOTHING(name, word, http, text)
_Static_assert(0 PROTO_STATUS_TABLE(ONE, NOTHING) == NAV_STATUS_COUNT,
               "a status of core has no row");
_Static_assert(0 PROTO_STATUS_TABLE(ONE, ONE) == PROTO_STATUS_COUNT, "a value has no row");
#undef ONE
#undef NOTHING

static const status_row *row_of(nav_status status)
{
    const bool known = status >= 0 && status < PROTO_STATUS_COUNT;
    return &STATUS_ROWS[known ? status : PROTO_INTERNAL];
}

const char *proto_status_word(nav_status status)
{
    return row_of(status)->word;
}

int proto_status_http(nav_status status)
{
    return row_of(status)->http;
}

const char *proto_status_text(nav_status status)
{
    return row_of(status)->text;
}

const char *proto_status_title(nav_status status)
{
    static const struct {
        int http;
        const char *title;
    } titles[] = {
        {200, "OK"},
        {400, "Bad Request"},
        {401, "Unauthorized"},
        {403, "Forbidden"},
        {404, "Not Found"},
        {405, "Method Not Allowed"},
        {406, "Not Acceptable"},
        {408, "Request Timeout"},
        {409, "Conflict"},
        {412, "Precondition Failed"},
        {413, "Content Too Large"},
        {414, "URI Too Long"},
        {415, "Unsupported Media Type"},
        {422, "Unprocessable Content"},
        {429, "Too Many Requests"},
        {431, "Request Header Fields Too Large"},
        {503, "Service Unavailable"},
        {505, "HTTP Version Not Supported"},
        {507, "Insufficient Storage"},
    };
    size_t i = 0;
    while (i < sizeof titles / sizeof *titles && titles[i].http != row_of(status)->http) {
        i++;
    }
    return i < sizeof titles / sizeof *titles ? titles[i].title : "Internal Server Error";
}

nav_status proto_status_of_word(const char *word)
{
    for (nav_status status = NAV_OK + 1; status < PROTO_STATUS_COUNT; status++) {
        if (strcmp(word, STATUS_ROWS[status].word) == 0) {
            return status;
        }
    }
    return PROTO_INTERNAL;
}

void proto_error_within(nav_error *err, const char *format, ...)
{
    if (err == NULL) {
        return;
    }
    char at[sizeof err->at];
    memcpy(at, err->at, sizeof at);
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(err->at, sizeof err->at, format, args);
    va_end(args);
    const size_t used = length > 0 ? strlen(err->at) : 0;
    (void)snprintf(err->at + used, sizeof err->at - used, "%s", at);
}
