// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// damage.c: one sentence for all damage that a version has, so that who reads it in a reply, in the
// log or on a terminal knows which version it is and how to get it back.

#include "server/damage.h"

#include <stdarg.h>
#include <stdio.h>

nav_status damage_fail(nav_error *err, const char *mesh, uint32_t version, const char *format, ...)
{
    char what[61];
    va_list values;
    va_start(values, format);
    (void)vsnprintf(what, sizeof what, format, values);
    va_end(values);
    return nav_fail(err, NAV_INTERNAL,
                    "version %u of mesh '%.64s' is damaged in the database: %s. Upload it again or "
                    "restore a backup; navmeshd verify tells all",
                    version, mesh, what);
}
