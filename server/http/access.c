// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// access.c: Host against DNS rebinding, Origin and Sec-Fetch-Site against other sites' pages.

#include "server/http/access.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define HOST_BYTES 256
#define PORT_BYTES_MAX 6 // with its colon

_Static_assert(sizeof "127.0.0.1" == sizeof "localhost", "is_usual has one length for both");

// The host without its port, with its brackets if it has any; false: no host can look like this.
static bool take_host(const char *text, char out[HOST_BYTES])
{
    size_t length = text[0] == '[' ? strcspn(text, "]") + 1 : strcspn(text, ":");
    if (length == 0 || length >= HOST_BYTES || length > strlen(text)) {
        return false;
    }
    const char *port = text + length;
    if (port[0] == ':' &&
        (strspn(port + 1, "0123456789") != strlen(port + 1) || strlen(port) > PORT_BYTES_MAX)) {
        return false;
    }
    NAV_ASSERT(length < HOST_BYTES);
    (void)snprintf(out, HOST_BYTES, "%.*s", (int)length, text);
    return port[0] == '\0' || port[0] == ':';
}

static bool is_loopback(const char *host)
{
    struct in_addr v4;
    struct in6_addr v6;
    char inside[HOST_BYTES];
    if (strcasecmp(host, "localhost") == 0) {
        return true;
    }
    if (inet_pton(AF_INET, host, &v4) == 1) {
        return (ntohl(v4.s_addr) >> 24) == 127;
    }
    if (host[0] != '[') {
        return false;
    }
    (void)snprintf(inside, sizeof inside, "%.*s", (int)strlen(host) - 2, host + 1);
    return inet_pton(AF_INET6, inside, &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
}

// Whether it is the Host of nearly all clients: this machine by its usual names, with a port or
// without. Known without taking it apart.
static bool is_usual(const char *text)
{
    const size_t length = sizeof "127.0.0.1" - 1;
    if (strncmp(text, "127.0.0.1", length) != 0 && strncmp(text, "localhost", length) != 0) {
        return false;
    }
    const char *port = text + length;
    size_t digits = port[0] == ':' ? 1 : 0;
    while (digits > 0 && port[digits] >= '0' && port[digits] <= '9' && digits < PORT_BYTES_MAX) {
        digits++;
    }
    return port[digits] == '\0';
}

// Nobody can point an address elsewhere, as a name can be.
static bool is_address(const char *host)
{
    struct in_addr v4;
    struct in6_addr v6;
    char inside[HOST_BYTES];
    if (host[0] != '[') {
        return inet_pton(AF_INET, host, &v4) == 1;
    }
    (void)snprintf(inside, sizeof inside, "%.*s", (int)strlen(host) - 2, host + 1);
    return inet_pton(AF_INET6, inside, &v6) == 1;
}

static nav_status check_host(const char *text, const access_rules *rules, nav_error *err)
{
    // HTTP/1.0 has no Host; no browser speaks it.
    if (rules->names == ACCESS_ANY || text == NULL || is_usual(text)) {
        return NAV_OK;
    }
    char host[HOST_BYTES];
    if (take_host(text, host)) {
        bool known = is_loopback(host) || (rules->names == ACCESS_ADDRESSES && is_address(host));
        for (size_t i = 0; !known && i < rules->host_count; i++) {
            known =
                strcasecmp(host, rules->hosts[i]) == 0 || strcasecmp(text, rules->hosts[i]) == 0;
        }
        if (known) {
            return NAV_OK;
        }
    }
    nav_fail_at(err, PROTO_HOST_NOT_ALLOWED, "Host",
                "Host is not a name of this machine; --allow-host allows another");
    nav_error_got(err, "%.60s", text);
    return PROTO_HOST_NOT_ALLOWED;
}

// Whether the page's scheme://host[:port] is the address that the request goes to.
static bool is_same_origin(const char *origin, const char *host)
{
    const char *rest = strncasecmp(origin, "http://", 7) == 0    ? origin + 7
                       : strncasecmp(origin, "https://", 8) == 0 ? origin + 8
                                                                 : NULL;
    return rest != NULL && host != NULL && strcasecmp(rest, host) == 0;
}

bool access_is_origin(const char *text)
{
    char host[HOST_BYTES];
    const char *rest = strncmp(text, "http://", 7) == 0    ? text + 7
                       : strncmp(text, "https://", 8) == 0 ? text + 8
                                                           : "";
    return strcspn(rest, "/?#@ \t\r\n,") == strlen(rest) && take_host(rest, host);
}

// The origin of --allow-origin that the header names, or NULL.
static const char *allowed_origin(const char *origin, const access_rules *rules)
{
    for (size_t i = 0; origin != NULL && i < rules->origin_count; i++) {
        if (strcasecmp(origin, rules->origins[i]) == 0) {
            return rules->origins[i];
        }
    }
    return NULL;
}

nav_status access_check(const access_headers *headers, const access_rules *rules,
                        const char **origin, nav_error *err)
{
    nav_status status = check_host(headers->host, rules, err);
    *origin = NULL;
    if (status != NAV_OK) {
        return status;
    }
    *origin = allowed_origin(headers->origin, rules);
    if (*origin != NULL) {
        return NAV_OK;
    }
    if (headers->origin != NULL && !is_same_origin(headers->origin, headers->host)) {
        nav_fail_at(err, PROTO_ORIGIN_NOT_ALLOWED, "Origin",
                    "a page of another site may not ask this daemon; --allow-origin allows one");
        nav_error_got(err, "%.60s", headers->origin);
        return PROTO_ORIGIN_NOT_ALLOWED;
    }
    if (headers->fetch_site != NULL && !headers->is_page &&
        strcasecmp(headers->fetch_site, "same-origin") != 0 &&
        strcasecmp(headers->fetch_site, "none") != 0) {
        nav_fail_at(err, PROTO_ORIGIN_NOT_ALLOWED, "Sec-Fetch-Site",
                    "a page of another site may not ask this daemon");
        nav_error_got(err, "%.60s", headers->fetch_site);
        return PROTO_ORIGIN_NOT_ALLOWED;
    }
    return NAV_OK;
}
