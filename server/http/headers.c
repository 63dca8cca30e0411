// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// headers.c: what is said about a request before its body: who asks, for what, and whether a
// body of this kind and length is taken there.

#include "server/http/accept.h"
#include "server/http/access.h"
#include "server/http/auth.h"
#include "server/http/exchange.h"
#include "server/http/routing.h"

#include <stdlib.h>
#include <strings.h>

// What is kept while the headers are walked through. proto/http/wire.c has checked their form: a
// name that matters is there once.
typedef struct header_walk {
    request *request;
    access_headers access;
    const char *authorization, *length, *encoding, *request_name, *accept, *expect;
} header_walk;

// Where the value of a header is wanted that has this name; NULL: the name is another.
static const char **if_named(const char *name, const char *wanted, const char **place)
{
    return strcasecmp(name, wanted) == 0 ? place : NULL;
}

// Where a header's value is wanted; NULL: nowhere. Most lengths differ, and where they do not, the
// first letters do.
static const char **place_of(header_walk *walk, const char *name, size_t name_bytes)
{
    const char first = (char)(name[0] | 0x20);
    switch (name_bytes) {
    case 4:
        return if_named(name, "Host", &walk->access.host);
    case 6:
        return first == 'a'   ? if_named(name, "Accept", &walk->accept)
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
        return if_named(name, "Content-Encoding", &walk->request->content_encoding);
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
    if (place == &walk->accept && *place != NULL) {
        *place = "*/*"; // several lines are one list, which nobody puts together here
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
    exchange *x = user;
    request *r = &x->request;
    if (r->arg_count == LIMIT_ARGS) {
        nav_fail(&x->refusal, PROTO_BAD_REQUEST, "the query string has over %d arguments",
                 LIMIT_ARGS);
        return MHD_NO;
    }
    r->args[r->arg_count++] = (proto_arg){.key = name, .value = value != NULL ? value : ""};
    return MHD_YES;
}

uint64_t http_body_limit(const request *r)
{
    return r->route == NULL || r->route->body == BODY_NONE
               ? 0
               : limits_at(&r->service->limits, r->route->body_limit);
}

nav_status http_fail_too_large(exchange *x)
{
    uint64_t limit = http_body_limit(&x->request);
    x->close = true;
    nav_fail(&x->refusal, PROTO_BODY_TOO_LARGE, "the body is larger than %llu bytes",
             (unsigned long long)limit);
    nav_error_limit(&x->refusal, "%llu", (unsigned long long)limit);
    return PROTO_BODY_TOO_LARGE;
}

static nav_status check_ready(const exchange *x, nav_error *err)
{
    bool loading = atomic_load(&x->request.service->state) == SERVICE_LOADING;
    return loading && !x->request.route->always
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

// An argument that nobody reads is a mistake of who sent it: ?version=2 behind a POST, say.
static nav_status check_arguments(const request *r, nav_error *err)
{
    if (r->route->args || r->arg_count == 0) {
        return NAV_OK;
    }
    nav_fail(err, PROTO_UNKNOWN_FIELD, "there is no argument \"%.80s\" here%s", r->args[0].key,
             r->route->body == BODY_JSON ? "; what is asked stands in the body" : "");
    nav_error_at(err, "%.95s", r->args[0].key);
    return PROTO_UNKNOWN_FIELD;
}

static nav_status check_accept(const request *r, const char *accept, nav_error *err)
{
    if (accept == NULL || r->route->watch) {
        return NAV_OK;
    }
    const char *packed = r->route->media_type;
    const char *answer = r->route->answers != NULL                       ? r->route->answers
                         : packed != NULL && request_has_type(r, packed) ? packed
                                                                         : "application/json";
    if (accept_takes(accept, answer)) {
        return NAV_OK;
    }
    nav_fail(err, PROTO_NOT_ACCEPTABLE, "the answer is %s, which Accept leaves out", answer);
    nav_error_at(err, "Accept");
    nav_error_got(err, "%.60s", accept);
    return PROTO_NOT_ACCEPTABLE;
}

// Who asks, from where, and whether there is room for one more.
static nav_status check_caller(const exchange *x, const header_walk *walk, nav_error *err)
{
    const service *s = x->request.service;
    if (x->line->over_limit) {
        return nav_fail(err, PROTO_OVERLOADED, "too many connections are open");
    }
    return access_check(&walk->access, x->listener->any_host, s->allowed_hosts,
                        s->allowed_host_count, err);
}

static nav_status check_token(const exchange *x, const header_walk *walk, nav_error *err)
{
    auth *tokens = x->listener->tcp ? x->request.service->auth : NULL;
    return tokens != NULL ? auth_check(tokens, walk->authorization, x->request.route->scopes, err)
                          : NAV_OK;
}

nav_status http_judge(exchange *x, const char *method, const char *path)
{
    request *r = &x->request;
    header_walk walk = {.request = r};
    (void)MHD_get_connection_values_n(x->connection, MHD_HEADER_KIND, on_header, &walk);
    if (walk.request_name != NULL) {
        request_take_name(r, walk.request_name);
    }
    uint64_t length_bytes = walk.length != NULL ? strtoull(walk.length, NULL, 10) : 0;
    x->wide = length_bytes > LIMIT_REFUSED_BODY_BYTES;
    x->expects = walk.expect != NULL && strcasecmp(walk.expect, PROTO_WIRE_EXPECTS) == 0 &&
                 (length_bytes > 0 || walk.encoding != NULL);
    nav_status status = check_caller(x, &walk, &x->refusal);
    if (status != NAV_OK) {
        // A browser that was sent here by somebody else's page has no use for the connection.
        x->close = true;
        return status;
    }
    (void)MHD_get_connection_values_n(x->connection, MHD_GET_ARGUMENT_KIND, on_argument, x);
    if (x->refusal.status != NAV_OK) {
        return x->refusal.status;
    }
    status =
        routing_find(r->service->routes, r, method, path, x->allow, sizeof x->allow, &x->refusal);
    if (status != NAV_OK) {
        return status;
    }
    x->allow[0] = '\0';
    status = check_token(x, &walk, &x->refusal);
    if (status == NAV_OK) {
        status = check_ready(x, &x->refusal);
    }
    if (status == NAV_OK) {
        status = check_arguments(r, &x->refusal);
    }
    if (status == NAV_OK) {
        status = check_accept(r, walk.accept, &x->refusal);
    }
    if (status == NAV_OK && length_bytes > http_body_limit(r)) {
        status = http_fail_too_large(x);
    }
    if (status == NAV_OK && r->route->body == BODY_JSON) {
        status = check_json_headers(r, &x->refusal);
    }
    if (status == NAV_OK && r->route->body == BODY_STREAM) {
        status = r->route->open(r, &x->refusal);
    }
    return status;
}
