// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// access.h: may this sender ask? A web page on any site can make its visitor's browser ask a daemon
// on this machine, but it cannot make the browser lie in Host, Origin and Sec-Fetch-Site.

#pragma once

#include "proto/base/status.h"

// The headers that tell the sender of a request; NULL: the header is absent.
typedef struct access_headers {
    const char *host, *origin, *fetch_site;
} access_headers;

// On a loopback address the daemon has these names: localhost, 127.x.x.x, [::1], and those of
// --allow-host; a port may follow. Any other is a name that somebody has pointed at this machine.
// On other listeners (any_host) tokens or the file system guard the daemon. Errors:
// PROTO_HOST_NOT_ALLOWED; PROTO_ORIGIN_NOT_ALLOWED if a browser tells that a page of another site
// asks.
nav_status access_check(const access_headers *headers, bool any_host, const char *const *allowed,
                        size_t allowed_count, nav_error *err);
