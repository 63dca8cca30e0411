// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// damage.c: one sentence for all damage that a version has, so that who reads it in a reply, in the
// log or on a terminal knows which version it is and how to get it back.

#include "server/store/damage.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define WHAT_BYTES 61
#define ADVICE "Upload it again or restore a backup; navmeshd verify tells all"
#define IS_MENDED "It is being baked again from what is whole; ask later"

nav_status damage_fail(nav_error *err, const char *mesh, uint32_t version, const char *format, ...)
{
    char what[WHAT_BYTES];
    va_list values;
    va_start(values, format);
    (void)vsnprintf(what, sizeof what, format, values);
    va_end(values);
    return nav_fail(err, PROTO_INTERNAL,
                    "version %u of mesh '%.64s' is damaged in the database: %s. " ADVICE, version,
                    mesh, what);
}

nav_status damage_fail_for_good(nav_error *err, const char *mesh, uint32_t version,
                                const char *what)
{
    return nav_fail(err, PROTO_STORE_UNAVAILABLE,
                    "version %u of mesh '%.64s' is damaged in the database: %.60s. The file lets "
                    "nobody write it anew, no upload helps: restore a backup",
                    version, mesh, what);
}

void damage_is_mended(nav_error *err)
{
    char *advice = strstr(err->detail, ADVICE);
    if (advice != NULL) {
        (void)snprintf(advice, sizeof err->detail - (size_t)(advice - err->detail), IS_MENDED);
        err->status = PROTO_NOT_READY;
    }
}
