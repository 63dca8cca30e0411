// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// request_checks.c: everything that a request's head decides before its body is read: sender
// (access.c), route (routing.c), token (auth.c), whether a body of this kind and length is taken
// there, and whether the client takes the answer.

#include "proto/requests/requests.h"
#include "server/http/auth.h"
#include "server/http/transaction.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

// ---- headers ----

// Collected while the headers are walked through. proto/http/wire.c has checked their form: a name
// that matters is there once.
typedef struct header_walk {
    request *request;
    access_headers access;
    const char *authorization, *length, *encoding, *request_name, *expect;
} header_walk;

// Returns place if the header has the wanted name, else NULL.
static const char **if_named(const char *name, const char *wanted, const char **place)
{
    return strcasecmp(name, wanted) == 0 ? place : NULL;
}

// The place for a header's value; NULL: nothing here reads it. Most lengths differ; of those that
// do not, the first letters do.
static const char **place_of(header_walk *walk, const char *name, size_t name_bytes)
{
    const char first = (char)(name[0] | 0x20);
    switch (name_bytes) {
    case 4:
        return if_named(name, "Host", &walk->access.host);
    case 6:
        return first == 'a'   ? if_named(name, "Accept", &walk->request->accept)
               : first == 'e' ? if_named(name, "Expect", &walk->expect)
                              : if_named(name, "Origin", &walk->access.origin);
    case 8:
        return if_named(name, "If-Match", &walk->request->if_match);
    case 12:
        return first == 'c' ? if_named(name, "Content-Type", &walk->request->content_type)
                            : if_named(name, "X-Request-Id", &walk->request_name);
    case 13:
        return first == 'i' ? if_named(name, "If-None-Match", &walk->request->if_none_match)
                            : if_named(name, "Authorization", &walk->authorization);
    case 14:
        return first == 'c' ? if_named(name, "Content-Length", &walk->length)
                            : if_named(name, "Sec-Fetch-Site", &walk->access.fetch_site);
    case 16:
        return first == 'c' ? if_named(name, "Content-Encoding", &walk->request->content_encoding)
                            : if_named(name, "X-Requested-With", &walk->request->requested_with);
    case 17:
        return if_named(name, "Transfer-Encoding", &walk->encoding);
    default:
        return NULL;
    }
}

static enum MHD_Result on_header(void *user, enum MHD_ValueKind kind, const char *name,
                                 size_t name_bytes, const char *value, size_t value_bytes)
{
    (void)kind;
    (void)value_bytes;
    header_walk *walk = user;
    const char **place = place_of(walk, name, name_bytes);
    if (place == &walk->request->accept && *place != NULL) {
        *place = "*/*"; // several lines are one list, which is not put together here
    } else if (place != NULL) {
        *place = value != NULL ? value : "";
    }
    return MHD_YES;
}

static enum MHD_Result on_argument(void *user, enum MHD_ValueKind kind, const char *name,
                                   size_t name_bytes, const char *value, size_t value_bytes)
{
    (void)kind;
    (void)name_bytes;
    (void)value_bytes;
    http_transaction *t = user;
    request *r = &t->request;
    if (r->arg_count == LIMIT_ARGS) {
        nav_fail(&t->error, PROTO_BAD_REQUEST, "the query string has over %d arguments",
                 LIMIT_ARGS);
        return MHD_NO;
    }
    r->args[r->arg_count++] = (proto_arg){.key = name, .value = value != NULL ? value : ""};
    return MHD_YES;
}

// ---- Accept (RFC 9110, 12.5.1): its list, range by range ----

// How narrow the range is, if the media type lies in it; else 0.
static int match(const char *range, size_t length, const char *media_type)
{
    const size_t type_length = strcspn(media_type, "/") + 1; // with its slash
    if ((length == 1 && range[0] == '*') || (length == 3 && strncmp(range, "*/*", 3) == 0)) {
        return 1;
    }
    if (length == type_length + 1 && range[length - 1] == '*' &&
        strncasecmp(range, media_type, type_length) == 0) {
        return 2;
    }
    return length == strlen(media_type) && strncasecmp(range, media_type, length) == 0 ? 3 : 0;
}

#define WEIGHT_MAX 1000

// In thousandths: 500 for 0.5 or .5, and all of it for what is no number below 1.
static int read_weight(const char *at)
{
    at += *at == '0';
    if (*at != '.') {
        return at[-1] == '0' && strchr(",; \t", *at) != NULL ? 0 : WEIGHT_MAX;
    }
    const size_t digits = strspn(++at, "0123456789");
    int weight = 0;
    for (size_t i = 0; i < 3; i++) {
        weight = weight * 10 + (i < digits ? at[i] - '0' : 0);
    }
    return strchr(",; \t", at[digits]) != NULL ? weight : WEIGHT_MAX;
}

// The weight among the parameters, up to the next comma.
static int weight_of(const char *at)
{
    while (*at == ';') {
        at += 1 + strspn(at + 1, " \t");
        if (strncasecmp(at, "q=", 2) == 0) {
            return read_weight(at + 2); // behind a '='
        }
        at += strcspn(at, ",;");
    }
    return WEIGHT_MAX;
}

// Weight comes before closeness.
static int rank(int weight, int narrow)
{
    return weight > 0 && narrow > 0 ? weight * 4 + narrow : 0;
}

int accept_rank(const char *accept, const char *media_type)
{
    if (accept == NULL || strcmp(accept, "*/*") == 0) {
        return rank(WEIGHT_MAX, 1);
    }
    int narrowest = 0, weight = 0;
    for (const char *at = accept; *at != '\0'; at += strcspn(at, ",")) {
        at += strspn(at, " \t,");
        const size_t length = strcspn(at, ",; \t");
        const int narrow = length > 0 ? match(at, length, media_type) : 0;
        if (narrow > narrowest) {
            narrowest = narrow;
            weight = weight_of(at + length + strspn(at + length, " \t"));
        }
    }
    const bool empty = accept[strspn(accept, " \t,")] == '\0'; // an empty list is none
    return empty ? rank(WEIGHT_MAX, 1) : rank(weight, narrowest);
}

bool accept_takes(const char *accept, const char *media_type)
{
    return accept_rank(accept, media_type) > 0;
}

// ---- checks ----

uint64_t http_body_limit(const request *r)
{
    return r->route == NULL || r->route->body == BODY_NONE
               ? 0
               : limits_at(&r->service->limits, r->route->body_limit);
}

nav_status http_fail_too_large(http_transaction *t)
{
    const route *at = t->request.route;
    uint64_t limit = http_body_limit(&t->request);
    t->close = true;
    if (limit > 0) {
        nav_fail(&t->error, PROTO_BODY_TOO_LARGE,
                 "the body is larger than %llu bytes; send less at a time, or have the daemon "
                 "started with a higher --limit %s=",
                 (unsigned long long)limit, limits_name(at->body_limit));
    } else {
        nav_fail(&t->error, PROTO_BODY_TOO_LARGE, "this request has no body; send it without");
    }
    nav_error_limit(&t->error, "%llu", (unsigned long long)limit);
    return PROTO_BODY_TOO_LARGE;
}

static nav_status check_ready(const http_transaction *t, nav_error *err)
{
    bool loading = atomic_load(&t->request.service->state) == SERVICE_LOADING;
    return loading && !t->request.route->always
               ? nav_fail(err, PROTO_NOT_READY, "the daemon is still loading its meshes")
               : NAV_OK;
}

static nav_status check_json_headers(const request *r, nav_error *err)
{
    const char *also = r->route->media_type;
    if (!request_has_type(r, "application/json") && (also == NULL || !request_has_type(r, also))) {
        nav_fail(err, PROTO_MEDIA_TYPE, "send Content-Type: application/json%s%s",
                 also != NULL ? " or " : "", also != NULL ? also : "");
        nav_error_got(err, "%.60s", r->content_type != NULL ? r->content_type : "");
        return PROTO_MEDIA_TYPE;
    }
    if (r->content_encoding != NULL && strcasecmp(r->content_encoding, "identity") != 0) {
        return nav_fail(err, PROTO_MEDIA_TYPE, "this body cannot be sent with a Content-Encoding");
    }
    return NAV_OK;
}

// An argument that nobody reads is a mistake of the client: ?version=2 behind a POST, say.
nav_status request_check_arguments(const request *r, nav_error *err)
{
    if (r->route->args || r->arg_count == 0) {
        return NAV_OK;
    }
    return nav_fail_at(err, PROTO_UNKNOWN_FIELD, r->args[0].key,
                       "there is no argument \"%.80s\" here%s", r->args[0].key,
                       r->route->body == BODY_JSON ? "; what is asked stands in the body" : "");
}

// The readers of proto/ know the widest bounds; an operator may want narrower ones, also for JSON
// that stands in a query string.
nav_status request_check_json(const request *r, nav_error *err)
{
    const service_limits *l = &r->service->limits;
    const bool batch = r->route->body_limit == offsetof(service_limits, batch_body_bytes);
    const uint32_t values = (uint32_t)(batch ? l->batch_json_values : l->json_values);
    const uint32_t depth = (uint32_t)l->json_depth;
    if (depth == PROTO_JSON_DEPTH_MAX &&
        values == (batch ? PROTO_BATCH_VALUES_MAX : PROTO_JSON_VALUES_MAX)) {
        return NAV_OK;
    }
    nav_status status = NAV_OK;
    if (r->route->body == BODY_JSON && request_has_type(r, "application/json")) {
        status = proto_json_scan(r->body, r->body_bytes, depth, values, err);
    }
    for (size_t i = 0; status == NAV_OK && i < r->arg_count; i++) {
        const char *value = r->args[i].value;
        if (value[0] == '{' || value[0] == '[') {
            status = proto_json_scan(value, strlen(value), depth, values, err);
        }
    }
    return status;
}

nav_status request_check_accept(const request *r, const char *answer, nav_error *err)
{
    if (accept_takes(r->accept, answer)) {
        return NAV_OK;
    }
    nav_fail_at(err, PROTO_NOT_ACCEPTABLE, "Accept", "the answer is %s, which Accept leaves out",
                answer);
    nav_error_got(err, "%.60s", r->accept);
    return PROTO_NOT_ACCEPTABLE;
}

// The route's answers have one media type, or one that the arguments name.
static nav_status check_accept(const request *r, nav_error *err)
{
    if (r->accept == NULL || r->route->watch) {
        return NAV_OK;
    }
    const char *packed = r->route->media_type;
    const char *answer = r->route->answers_of != NULL                    ? r->route->answers_of(r)
                         : r->route->answers != NULL                     ? r->route->answers
                         : packed != NULL && request_has_type(r, packed) ? packed
                                                                         : "application/json";
    return answer != NULL ? request_check_accept(r, answer, err) : NAV_OK;
}

// The sender, and whether there is room for one more connection.
static nav_status check_sender(http_transaction *t, const header_walk *walk, nav_error *err)
{
    const service *s = t->request.service;
    if (t->connection->over_limit) {
        return nav_fail(err, PROTO_OVERLOADED, "too many connections are open");
    }
    const access_rules rules = {.names = t->listener->names,
                                .hosts = s->allowed_hosts,
                                .host_count = s->allowed_host_count,
                                .origins = s->allowed_origins,
                                .origin_count = s->allowed_origin_count};
    return access_check(&walk->access, &rules, &t->origin, err);
}

static nav_status check_token(const http_transaction *t, const header_walk *walk, nav_error *err)
{
    const route *asked = t->request.route;
    auth *tokens = t->listener->tcp ? t->request.service->auth : NULL;
    const bool for_admin = asked->args_for_admin && t->request.arg_count > 0;
    return tokens != NULL
               ? auth_check(tokens, walk->authorization, for_admin ? 0 : asked->scopes, err)
               : NAV_OK;
}

// The terms of the route that was found: token, state, arguments, answer and body.
static nav_status check_route(http_transaction *t, const header_walk *walk, uint64_t length_bytes)
{
    const request *r = &t->request;
    nav_error *err = &t->error;
    nav_status status = check_token(t, walk, err);
    NAV_IF_OK(status, check_ready(t, err));
    NAV_IF_OK(status, request_check_arguments(r, err));
    NAV_IF_OK(status, check_accept(r, err));
    NAV_IF_OK(status, length_bytes > http_body_limit(r) ? http_fail_too_large(t) : NAV_OK);
    NAV_IF_OK(status, r->route->body == BODY_JSON ? check_json_headers(r, err) : NAV_OK);
    return status;
}

nav_status http_check_head(http_transaction *t, const char *method, const char *path)
{
    request *r = &t->request;
    header_walk walk = {.request = r};
    NAV_ASSERT(t->error.status == NAV_OK && r->route == NULL && r->arg_count == 0);
    (void)MHD_get_connection_values_n(t->mhd, MHD_HEADER_KIND, on_header, &walk);
    if (walk.request_name != NULL) {
        request_take_name(r, walk.request_name);
    }
    uint64_t length_bytes = walk.length != NULL ? strtoull(walk.length, NULL, 10) : 0;
    t->large_body = length_bytes > LIMIT_REFUSED_BODY_BYTES;
    t->by_browser = walk.access.fetch_site != NULL;
    t->expects = walk.expect != NULL && strcasecmp(walk.expect, PROTO_WIRE_EXPECTS) == 0 &&
                 (length_bytes > 0 || walk.encoding != NULL);
    walk.access.is_page = strcmp(method, "GET") == 0 && strcmp(path, "/") == 0;
    nav_status status = check_sender(t, &walk, &t->error);
    if (status != NAV_OK) {
        // A browser that was sent here by somebody else's page has no use for the connection.
        t->close = true;
        return status;
    }
    (void)MHD_get_connection_values_n(t->mhd, MHD_GET_ARGUMENT_KIND, on_argument, t);
    if (t->error.status != NAV_OK) {
        return t->error.status;
    }
    status =
        routing_find(r->service->routes, r, method, path, t->allow, sizeof t->allow, &t->error);
    // A browser asks before it sends what a page of another site wants, without the page's token.
    if (status == PROTO_METHOD_NOT_ALLOWED && t->origin != NULL && strcmp(method, "OPTIONS") == 0) {
        t->preflight = true;
        t->error.status = NAV_OK;
        return NAV_OK;
    }
    if (status != NAV_OK) {
        return status;
    }
    t->allow[0] = '\0';
    status = check_route(t, &walk, length_bytes);
    return status == NAV_OK && r->route->body == BODY_STREAM ? r->route->open(r, &t->error)
                                                             : status;
}
