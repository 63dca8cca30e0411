// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// access.h: does this request come from where it may come from? A web page on any site can make its
// visitor's browser ask a daemon on this machine; it cannot make it lie in Host, Origin and
// Sec-Fetch-Site.

#pragma once

#include "proto/base/status.h"

// What a request tells of itself; NULL where the header is absent.
typedef struct access_headers {
    const char *host, *origin, *fetch_site;
} access_headers;

// On a loopback address the daemon has these names: localhost, 127.x.x.x, [::1], and those of
// --allow-host; a port may follow. Any other is a name that somebody has pointed at this machine.
// On other listeners (any_host) tokens or the file system say who may ask. Errors:
// PROTO_HOST_NOT_ALLOWED; PROTO_ORIGIN_NOT_ALLOWED where a browser says that a page of another site
// asks. There are no CORS headers.
nav_status access_check(const access_headers *headers, bool any_host, const char *const *allowed,
                        size_t allowed_count, nav_error *err);
