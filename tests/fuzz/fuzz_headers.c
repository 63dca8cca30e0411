// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fuzz_headers.c: what a request says of itself, a line each: its method, its path, Host, Origin,
// Sec-Fetch-Site, Accept, If-Match, If-None-Match, X-Request-Id. A client that is let in has named
// this machine, by a second opinion about what that is.

#include "server/http/http.h"
#include "server/http/access.h"
#include "server/api/routes.h"
#include "tests/fuzz/lines.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <stdio.h>
#include <strings.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes);

enum {
    METHOD,
    PATH,
    HOST,
    ORIGIN,
    FETCH_SITE,
    ACCEPT,
    IF_MATCH,
    IF_NONE_MATCH,
    NAME,
    LINES
};

static const char *const ALLOWED[] = {"nav.example", "10.0.0.1:7650"};

// Cut at the last colon behind which there are digits only.
static bool names_this_machine(const char *text)
{
    char host[512];
    struct in_addr v4;
    (void)snprintf(host, sizeof host, "%s", text);
    char *colon = strrchr(host, ':');
    if (colon != NULL && colon[1 + strspn(colon + 1, "0123456789")] == '\0' &&
        strcasecmp(text, ALLOWED[1]) != 0 && strcmp(text, "[::1]") != 0) {
        *colon = '\0';
    }
    return strcasecmp(host, "localhost") == 0 || strcasecmp(host, ALLOWED[0]) == 0 ||
           strcasecmp(host, ALLOWED[1]) == 0 || strncmp(host, "[", 1) == 0 ||
           (inet_pton(AF_INET, host, &v4) == 1 && strncmp(host, "127.", 4) == 0);
}

static void check_access(const fuzz_lines *l)
{
    const access_headers headers = {.host = fuzz_line(l, HOST),
                                    .origin = fuzz_line(l, ORIGIN),
                                    .fetch_site = fuzz_line(l, FETCH_SITE)};
    access_headers page = headers;
    page.is_page = true;
    static const char *const origins[] = {"https://nav.example"};
    const access_rules rules = {
        .hosts = ALLOWED, .host_count = 2, .origins = origins, .origin_count = 1};
    const access_rules any = {.names = ACCESS_ANY, .origins = origins, .origin_count = 1};
    const char *told;
    nav_error err;
    const nav_status status = access_check(&headers, &rules, &told, &err);
    if (status == NAV_OK) {
        NAV_ASSERT(headers.host == NULL || names_this_machine(headers.host));
        NAV_ASSERT(headers.origin == NULL || told == origins[0] ||
                   strcasestr(headers.origin, headers.host) != NULL);
    } else {
        NAV_ASSERT(status == PROTO_HOST_NOT_ALLOWED || status == PROTO_ORIGIN_NOT_ALLOWED);
    }
    // On a listener that takes any host less is refused, never more.
    NAV_ASSERT(status != NAV_OK || access_check(&headers, &any, &told, &err) == NAV_OK);
    // The console's page takes other sites' links, and neither their hosts nor their origins.
    const nav_status of_page = access_check(&page, &rules, &told, &err);
    NAV_ASSERT(of_page == status || (of_page == NAV_OK && status == PROTO_ORIGIN_NOT_ALLOWED &&
                                     headers.fetch_site != NULL));
}

static void check_route(const fuzz_lines *l, request *r)
{
    char allow[128] = "";
    nav_error err;
    const char *method = fuzz_line(l, METHOD), *path = fuzz_line(l, PATH);
    if (method == NULL || path == NULL || path[0] != '/') {
        return;
    }
    const nav_status status =
        routing_find(routes_all(), r, method, path, allow, sizeof allow, &err);
    NAV_ASSERT(status != NAV_OK || r->route != NULL);
    NAV_ASSERT(status != PROTO_METHOD_NOT_ALLOWED || allow[0] != '\0');
    if (status == NAV_OK && r->mesh[0] != '\0') {
        NAV_ASSERT(limits_is_mesh_name(r->mesh, strlen(r->mesh)) && strstr(path, r->mesh) != NULL);
    }
}

static void check_tags(const char *match, const char *none_match)
{
    static const char tag[MESH_ETAG_BYTES] = "\"a7-0123456789abcdef\"";
    const request r = {.if_none_match = none_match};
    reply out = {.status = 200};
    reply_take_etag(&r, &out, tag);
    if (out.status == 304) {
        NAV_ASSERT(strstr(none_match, tag) != NULL || strchr(none_match, '*') != NULL);
    }
    if (match != NULL && mesh_etag_is_current(match, 7)) {
        NAV_ASSERT(strstr(match, "\"a7-") != NULL);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
    fuzz_lines l = fuzz_lines_of(bytes, size_bytes, LINES);
    request r = {0};
    const char *accept = fuzz_line(&l, ACCEPT), *name = fuzz_line(&l, NAME);
    check_access(&l);
    check_route(&l, &r);
    check_tags(fuzz_line(&l, IF_MATCH), fuzz_line(&l, IF_NONE_MATCH));
    if (accept_takes(accept, "application/json")) {
        NAV_ASSERT(accept == NULL || accept[strspn(accept, " \t,")] == '\0' ||
                   strchr(accept, '*') != NULL || strcasestr(accept, "application/json") != NULL);
    }
    if (name != NULL) {
        request_take_name(&r, name);
        for (const char *at = r.id; *at != '\0'; at++) {
            NAV_ASSERT(isalnum((unsigned char)*at) || strchr("._-", *at) != NULL);
        }
    }
    free(l.text);
    return 0;
}
