// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// access.h: may this sender ask? A web page on any site can make its visitor's browser ask a daemon
// on this machine, but it cannot make the browser lie in Host, Origin and Sec-Fetch-Site.

#pragma once

#include "proto/base/status.h"

// The headers that name the sender of a request; NULL: the header is absent.
typedef struct access_headers {
    const char *host, *origin, *fetch_site;
    bool is_page; // the console's, which another site may lead to
} access_headers;

// Which names of the daemon a listener takes in Host. A name that somebody else has pointed at this
// machine is none of them.
typedef enum access_names {
    ACCESS_LOOPBACK,  // localhost, 127.x.x.x, [::1] and those of --allow-host; a port may follow
    ACCESS_ADDRESSES, // these, and any address: of a listener that a trusted network may reach
    ACCESS_ANY,       // tokens or the file system guard the daemon
} access_names;

typedef struct access_rules {
    access_names names;
    const char *const *hosts, *const *origins; // of --allow-host and --allow-origin
    size_t host_count, origin_count;
} access_rules;

// Whether the sender may ask. *origin becomes that of rules->origins which the page that asks has,
// for a header of the reply; NULL: it has none of them. Errors: PROTO_HOST_NOT_ALLOWED;
// PROTO_ORIGIN_NOT_ALLOWED if a browser says that a page of another site asks.
nav_status access_check(const access_headers *headers, const access_rules *rules,
                        const char **origin, nav_error *err);

// Whether a text looks like what browsers send as Origin: http:// or https://, a host and perhaps a
// port, without a path.
bool access_is_origin(const char *text);
