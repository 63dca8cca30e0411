// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// routes.c: the table of everything that can be asked. To add an endpoint, add a row here and its
// handler to a handle_*.c.

#include "server/api/routes.h"

#include "server/api/query.h"
#include "server/http/auth.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define MESH "/v1/meshes/{mesh}"
#define VERSION MESH "/versions/{version}"
#define JSON .body = BODY_JSON, .body_limit = offsetof(service_limits, query_body_bytes)
// Who may use a row if there are tokens; admin always may. A row that says nothing is admin's.
#define FREE .scopes = AUTH_FREE
#define READ .scopes = AUTH_QUERY | AUTH_BAKE
#define QUERY .scopes = AUTH_QUERY
#define BAKE .scopes = AUTH_BAKE

// A question waits for its own mesh where that is still being loaded.
#define ASK(verb, place, kind, ...)                                                                \
    {                                                                                              \
        .method = verb, .pattern = MESH place, .handle = handle_query, .query = &(kind),           \
        .always = true, QUERY, __VA_ARGS__                                                         \
    }
#define ASK_GET(place, kind) ASK(HTTP_GET, place, kind, .body = BODY_NONE, .args = true)
#define ASK_POST(place, kind) ASK(HTTP_POST, place, kind, JSON)
#define ASK_BATCH(place, kind, packed)                                                             \
    ASK(HTTP_POST, place, kind, .body = BODY_JSON,                                                 \
        .body_limit = offsetof(service_limits, batch_body_bytes), .media_type = (packed))

// What watches the daemon may add arguments of its own.
#define WATCH(address, handler, ...)                                                               \
    {                                                                                              \
        .method = HTTP_GET, .pattern = address, .handle = handler, .always = true, .args = true,   \
        .watch = true, __VA_ARGS__                                                                 \
    }

static const route ROUTES[] = {
    WATCH("/healthz", handle_healthz, FREE),
    WATCH("/readyz", handle_readyz, FREE),
    WATCH("/metrics", handle_metrics, READ),
    WATCH("/openapi.json", handle_openapi, FREE),
    {.method = HTTP_GET, .pattern = "/v1/status", .handle = handle_status, .always = true, READ},

    ASK_GET("/path", QUERY_PATH),
    ASK_POST("/path", QUERY_PATH),
    ASK_BATCH("/paths", QUERY_PATHS, "application/vnd.navmeshd.paths"),
    ASK_BATCH("/matrix", QUERY_MATRIX, NULL),
    ASK_BATCH("/reachable", QUERY_REACHABLE, NULL),
    ASK_GET("/flood", QUERY_FLOOD),
    ASK_POST("/flood", QUERY_FLOOD),
    ASK_GET("/nearest", QUERY_NEAREST),
    ASK_POST("/nearest", QUERY_NEAREST),
    ASK_GET("/floors", QUERY_FLOORS),
    ASK_POST("/floors", QUERY_FLOORS),
    ASK_GET("/raycast", QUERY_RAYCAST),
    ASK_POST("/raycast", QUERY_RAYCAST),
    ASK_GET("/move", QUERY_MOVE),
    ASK_POST("/move", QUERY_MOVE),
    ASK_GET("/wall", QUERY_WALL),
    ASK_POST("/wall", QUERY_WALL),
    ASK_GET("/random", QUERY_RANDOM),
    ASK_POST("/random", QUERY_RANDOM),
    ASK_BATCH("/trace", QUERY_TRACE, NULL),

    {.method = HTTP_GET, .pattern = "/v1/meshes", .handle = handle_mesh_list, READ},
    {.method = HTTP_GET, .pattern = MESH, .handle = handle_mesh_get, READ},
    {.method = HTTP_DELETE, .pattern = MESH, .handle = handle_mesh_delete},
    {.method = HTTP_PUT,
     .pattern = MESH "/active",
     .handle = handle_active_put,
     .args = true,
     JSON},
    {.method = HTTP_GET, .pattern = MESH "/checks", .handle = handle_checks_get, READ},
    {.method = HTTP_PUT,
     .pattern = MESH "/checks",
     .body = BODY_JSON,
     .body_limit = offsetof(service_limits, checks_body_bytes),
     .handle = handle_checks_put,
     .makes_mesh = true,
     BAKE},

    {.method = HTTP_POST,
     .pattern = MESH "/versions",
     .body = BODY_STREAM,
     .body_limit = offsetof(service_limits, geometry_body_bytes),
     .open = handle_upload_open,
     .feed = handle_upload_feed,
     .close = handle_upload_close,
     .handle = handle_upload,
     .makes_mesh = true,
     .args = true,
     BAKE},
    {.method = HTTP_GET, .pattern = MESH "/versions", .handle = handle_version_list, READ},
    {.method = HTTP_GET,
     .pattern = MESH "/versions/diff",
     .handle = handle_diff,
     .args = true,
     READ},
    {.method = HTTP_GET, .pattern = VERSION, .handle = handle_version_get, READ},
    {.method = HTTP_DELETE, .pattern = VERSION, .handle = handle_version_delete, BAKE},
    {.method = HTTP_GET,
     .pattern = VERSION "/events",
     .handle = handle_events,
     .close = handle_events_close,
     .answers = "text/event-stream",
     READ},
    {.method = HTTP_GET,
     .pattern = VERSION "/geometry",
     .handle = handle_geometry_get,
     .answers = "application/vnd.navmeshd.geometry",
     READ},
    {.method = HTTP_GET,
     .pattern = VERSION "/render.svg",
     .handle = handle_render,
     .args = true,
     .answers = "image/svg+xml",
     QUERY},
};
#define ROUTE_COUNT (sizeof ROUTES / sizeof ROUTES[0])

const route *routes_all(size_t *count)
{
    *count = ROUTE_COUNT;
    return ROUTES;
}

static const char *const METHOD_WORDS[HTTP_METHOD_COUNT] = {
    [HTTP_GET] = "GET, HEAD",
    [HTTP_POST] = "POST",
    [HTTP_PUT] = "PUT",
    [HTTP_DELETE] = "DELETE",
};

// HTTP_METHOD_COUNT for a method that no route has.
static http_method method_of(const char *method)
{
    static const struct {
        const char *word;
        http_method method;
    } words[] = {{"GET", HTTP_GET},
                 {"HEAD", HTTP_GET},
                 {"POST", HTTP_POST},
                 {"PUT", HTTP_PUT},
                 {"DELETE", HTTP_DELETE}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(method, words[i].word) == 0) {
            return words[i].method;
        }
    }
    return HTTP_METHOD_COUNT;
}

bool routes_is_mesh_name(const char *text, size_t length)
{
    if (length == 0 || length > LIMIT_MESH_NAME || !isalnum((unsigned char)text[0])) {
        return false;
    }
    for (size_t i = 1; i < length; i++) {
        if (!isalnum((unsigned char)text[i]) && strchr("._-", text[i]) == NULL) {
            return false;
        }
    }
    return true;
}

// What stood in the place of {mesh} and {version}.
typedef struct captures {
    const char *mesh, *version; // NULL where the pattern has none
    size_t mesh_length, version_length;
} captures;

// A placeholder: takes a segment of the path. Both texts are moved behind it.
static void take_segment(const char **pattern, const char **path, captures *out)
{
    const char *begin = *path;
    while (**path != '/' && **path != '\0') {
        (*path)++;
    }
    const size_t length = (size_t)(*path - begin);
    if ((*pattern)[1] == 'm') {
        *pattern += strlen("{mesh}");
        out->mesh = begin;
        out->mesh_length = length;
    } else {
        *pattern += strlen("{version}");
        out->version = begin;
        out->version_length = length;
    }
}

// Letter by letter: most patterns differ from a path in one of the first, or behind the mesh.
static bool matches(const char *pattern, const char *path, captures *out)
{
    *out = (captures){0};
    while (*pattern != '\0') {
        if (*pattern == '{') {
            take_segment(&pattern, &path, out);
        } else if (*pattern++ != *path++) {
            return false;
        }
    }
    return *path == '\0';
}

// A positive number without sign or leading zeros that fits; 0 if the text is none.
static uint32_t version_of(const char *text, size_t length)
{
    uint64_t value = 0;
    if (length == 0 || length > 10 || text[0] == '0') {
        return 0;
    }
    for (size_t i = 0; i < length; i++) {
        if (!isdigit((unsigned char)text[i])) {
            return 0;
        }
        value = value * 10 + (uint64_t)(text[i] - '0');
    }
    return value < UINT32_MAX ? (uint32_t)value : 0;
}

static nav_status take_captures(request *r, const captures *found, nav_error *err)
{
    if (found->mesh != NULL) {
        int length = (int)(found->mesh_length < LIMIT_MESH_NAME + 1 ? found->mesh_length
                                                                    : LIMIT_MESH_NAME + 1);
        if (!routes_is_mesh_name(found->mesh, found->mesh_length)) {
            if (!r->route->makes_mesh) {
                return nav_fail(err, NAV_MESH_NOT_FOUND, "there is no mesh '%.*s'", length,
                                found->mesh);
            }
            nav_fail(err, NAV_INVALID_FIELD,
                     "a mesh's name is a letter or digit, then up to %d letters, digits, '.', '_' "
                     "and '-'",
                     LIMIT_MESH_NAME - 1);
            nav_error_at(err, "mesh");
            nav_error_got(err, "%.*s", length, found->mesh);
            return NAV_INVALID_FIELD;
        }
        memcpy(r->mesh, found->mesh, found->mesh_length);
        r->mesh[found->mesh_length] = '\0';
    }
    if (found->version != NULL) {
        r->version = version_of(found->version, found->version_length);
        if (r->version == 0) {
            return nav_fail(err, NAV_VERSION_NOT_FOUND, "a version is a positive number");
        }
    }
    return NAV_OK;
}

// What a path takes, as in Allow: methods in the order of the table.
static nav_status refuse_method(const char *path, char *allow, size_t allow_bytes, nav_error *err)
{
    size_t used = 0;
    for (size_t i = 0; i < ROUTE_COUNT; i++) {
        captures found;
        if (matches(ROUTES[i].pattern, path, &found)) {
            int more = snprintf(allow + used, allow_bytes - used, "%s%s", used > 0 ? ", " : "",
                                METHOD_WORDS[ROUTES[i].method]);
            NAV_ASSERT(more > 0 && used + (size_t)more < allow_bytes);
            used += (size_t)more;
        }
    }
    return used > 0 ? nav_fail(err, NAV_METHOD_NOT_ALLOWED, "this address takes %s", allow)
                    : nav_fail(err, NAV_ROUTE_NOT_FOUND, "there is nothing at this address");
}

nav_status routes_find(request *r, const char *method, const char *path, char *allow,
                       size_t allow_bytes, nav_error *err)
{
    http_method wanted = method_of(method);
    allow[0] = '\0';
    for (size_t i = 0; i < ROUTE_COUNT; i++) {
        captures found;
        if (ROUTES[i].method == wanted && matches(ROUTES[i].pattern, path, &found)) {
            r->route = &ROUTES[i];
            return take_captures(r, &found, err);
        }
    }
    return refuse_method(path, allow, allow_bytes, err);
}
