// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// routes.c: the table of all endpoints, and its description, openapi.json beside this file, as
// bytes of the program; tests/unit/server/api/test_openapi.c compares the two. To add an endpoint,
// add a row here, a path in openapi.json, and a handler.

#include "server/api/routes.h"

#include "server/api/query.h"
#include "server/base/metrics.h"
#include "server/explain/explain.h"
#include "server/http/auth.h"
#include "server/recordings/recordings.h"

#define MESH "/v1/meshes/{mesh}"
#define VERSION MESH "/versions/{version}"
#define INSTANCE MESH "/instances/{instance}"
#define RECORDING "/v1/recordings/{recording}"
#define JSON .body = BODY_JSON, .body_limit = offsetof(service_limits, query_body_bytes)
#define BATCH_JSON .body = BODY_JSON, .body_limit = offsetof(service_limits, batch_body_bytes)
// The scopes of a row, if there are tokens; admin may use all.
#define ADMIN .scopes = 0
#define FREE .scopes = AUTH_FREE
#define READ .scopes = AUTH_QUERY | AUTH_BAKE
#define QUERY .scopes = AUTH_QUERY
#define BAKE .scopes = AUTH_BAKE
#define WATCH_WORLD .scopes = AUTH_QUERY | AUTH_WORLD
#define CHANGE_WORLD .scopes = AUTH_WORLD
#define INSTANCE_JSON .body = BODY_JSON, .body_limit = offsetof(service_limits, instance_body_bytes)

#define ROUTE(verb, address, handler, ...)                                                         \
    {                                                                                              \
        .method = verb, .pattern = address, .handle = handler, __VA_ARGS__                         \
    }

// A question waits for its own mesh where that is still being loaded.
#define ASK(verb, place, kind, ...)                                                                \
    ROUTE(verb, MESH place, handle_query, .close = handle_query_close, .query = &(kind),           \
          .always = true, QUERY, __VA_ARGS__)
#define ASK_GET(place, kind) ASK(HTTP_GET, place, kind, .body = BODY_NONE, .args = true)
#define ASK_POST(place, kind) ASK(HTTP_POST, place, kind, JSON)
#define ASK_BATCH(place, kind, packed)                                                             \
    ASK(HTTP_POST, place, kind, BATCH_JSON, .media_type = (packed))

// Monitors may add arguments of their own.
#define WATCH(address, handler, ...)                                                               \
    ROUTE(HTTP_GET, address, handler, .always = true, .args = true, .watch = true, __VA_ARGS__)

#define CONSOLE(address, type)                                                                     \
    ROUTE(HTTP_GET, address, handle_console, .answers = (type), .always = true, FREE)

static const route ROUTES[] = {
    ROUTE(HTTP_GET, "/", handle_root, .answers_of = root_media_type, .always = true, FREE),
    CONSOLE("/console/console.js", "text/javascript"),
    CONSOLE("/console/draw.js", "text/javascript"),
    CONSOLE("/console/read.js", "text/javascript"),
    CONSOLE("/console/console.css", "text/css"),
    WATCH("/healthz", handle_healthz, FREE),
    WATCH("/readyz", handle_readyz, FREE),
    WATCH("/metrics", handle_metrics, READ),
    WATCH("/openapi.json", handle_openapi, FREE),
    ROUTE(HTTP_GET, "/v1/status", handle_status, .always = true, READ),

    ASK_GET("/path", QUERY_PATH),
    ASK_POST("/path", QUERY_PATH),
    ASK_BATCH("/paths", QUERY_PATHS, "application/vnd.navmeshd.paths"),
    ASK_BATCH("/batch", QUERY_BATCH, "application/vnd.navmeshd.batch"),
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
    ROUTE(HTTP_GET, MESH "/explain", handle_explain, .close = handle_explain_close, .args = true,
          .always = true, BAKE),

    ROUTE(HTTP_GET, MESH "/instances", handle_instance_list, .args = true, WATCH_WORLD),
    ROUTE(HTTP_GET, INSTANCE, handle_instance_get, WATCH_WORLD),
    ROUTE(HTTP_PUT, INSTANCE, handle_instance_update, .makes_instance = true, INSTANCE_JSON,
          CHANGE_WORLD),
    ROUTE(HTTP_PATCH, INSTANCE, handle_instance_update, INSTANCE_JSON, CHANGE_WORLD),
    ROUTE(HTTP_DELETE, INSTANCE, handle_instance_delete, CHANGE_WORLD),
    ROUTE(HTTP_GET, INSTANCE "/events", handle_instance_events, .close = handle_events_close,
          .answers = "text/event-stream", WATCH_WORLD),
    ASK(HTTP_POST, "/instances/{instance}/valid", QUERY_VALID, BATCH_JSON),

    ROUTE(HTTP_GET, "/v1/recordings", handle_recording_list, .args = true, QUERY),
    ROUTE(HTTP_POST, "/v1/recordings", handle_recording_post, BATCH_JSON, .always = true, QUERY),
    ROUTE(HTTP_GET, RECORDING, handle_recording_get,
          .answers = "application/vnd.navmeshd.recording", QUERY),
    ROUTE(HTTP_DELETE, RECORDING, handle_recording_delete, ADMIN),

    ROUTE(HTTP_GET, "/v1/meshes", handle_mesh_list, READ),
    ROUTE(HTTP_GET, MESH, handle_mesh_get, READ),
    ROUTE(HTTP_DELETE, MESH, handle_mesh_delete, .args = true, ADMIN),
    ROUTE(HTTP_PUT, MESH "/active", handle_active_put, .args = true, JSON, ADMIN),
    ROUTE(HTTP_GET, MESH "/checks", handle_checks_get, READ),
    ROUTE(HTTP_PUT, MESH "/checks", handle_checks_put, .body = BODY_JSON,
          .body_limit = offsetof(service_limits, checks_body_bytes), .makes_mesh = true, BAKE),

    ROUTE(HTTP_POST, MESH "/versions", handle_upload, .body = BODY_STREAM,
          .body_limit = offsetof(service_limits, geometry_body_bytes), .open = handle_upload_open,
          .feed = handle_upload_feed, .close = handle_upload_close, .makes_mesh = true,
          .args = true, BAKE),
    ROUTE(HTTP_GET, MESH "/versions", handle_version_list, READ),
    ROUTE(HTTP_GET, MESH "/versions/diff", handle_diff, .args = true, READ),
    ROUTE(HTTP_GET, VERSION, handle_version_get, READ),
    ROUTE(HTTP_DELETE, VERSION, handle_version_delete, .args = true, .args_for_admin = true, BAKE),
    ROUTE(HTTP_GET, VERSION "/events", handle_events, .close = handle_events_close,
          .answers = "text/event-stream", READ),
    ROUTE(HTTP_GET, VERSION "/geometry", handle_geometry_get, .answers_of = geometry_media_type,
          READ),
    ROUTE(HTTP_GET, VERSION "/export", handle_export, .args = true, .answers_of = export_media_type,
          READ),
    ROUTE(HTTP_GET, VERSION "/render.svg", handle_render, .args = true, .answers = "image/svg+xml",
          QUERY),
};

const route_table *routes_all(void)
{
    static const route_table all = {
        .rows = ROUTES, .count = sizeof ROUTES / sizeof ROUTES[0], .suggest_mesh = suggest_mesh};
    _Static_assert(sizeof ROUTES / sizeof ROUTES[0] < METRICS_ROUTES_MAX, "a counter each");
    return &all;
}

// ---- openapi.json ----

// The assembler puts the file in as it is; paths are from the repository's folder, where make runs.
__asm__(".pushsection .rodata\n"
        ".hidden openapi_begin\n.hidden openapi_end\n"
        ".globl openapi_begin\n.globl openapi_end\n"
        "openapi_begin:\n"
        ".incbin \"server/api/openapi.json\"\n"
        "openapi_end:\n"
        ".popsection\n");
extern const char openapi_begin[], openapi_end[];

const char *openapi_text(size_t *size_bytes)
{
    *size_bytes = (size_t)(openapi_end - openapi_begin);
    NAV_ASSERT(*size_bytes > 0 && openapi_begin[0] == '{');
    return openapi_begin;
}

nav_status handle_openapi(request *r, reply *out, nav_error *err)
{
    (void)r;
    (void)err;
    size_t size_bytes;
    const char *text = openapi_text(&size_bytes);
    reply_static(out, "application/json", text, size_bytes);
    return NAV_OK;
}
