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
    switch (row_of(status)->http) {
    case 200:
        return "OK";
    case 400:
        return "Bad Request";
    case 401:
        return "Unauthorized";
    case 403:
        return "Forbidden";
    case 404:
        return "Not Found";
    case 405:
        return "Method Not Allowed";
    case 406:
        return "Not Acceptable";
    case 408:
        return "Request Timeout";
    case 409:
        return "Conflict";
    case 412:
        return "Precondition Failed";
    case 413:
        return "Content Too Large";
    case 414:
        return "URI Too Long";
    case 415:
        return "Unsupported Media Type";
    case 422:
        return "Unprocessable Content";
    case 429:
        return "Too Many Requests";
    case 431:
        return "Request Header Fields Too Large";
    case 503:
        return "Service Unavailable";
    case 505:
        return "HTTP Version Not Supported";
    case 507:
        return "Insufficient Storage";
    default:
        return "Internal Server Error";
    }
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
