// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// routes.h: all endpoints and their handlers. A handler runs on the HTTP thread that read the
// request, and fills a reply.

#pragma once

#include "server/http/http.h"

// The table, for main, metrics and tests that walk through all of it.
const route_table *routes_all(void);
// The bytes of openapi.json, not terminated. They live as long as the program.
const char *openapi_text(size_t *size_bytes);
route_handler handle_openapi;

// ---- console.c ----

// GET /: the console, or what there is to ask.
route_handler handle_root;
const char *root_media_type(const request *r);
route_handler handle_console; // a file of it

// ---- query.c ----

route_handler handle_query; // every route with a query
void handle_query_close(request *r);

// ---- meshes.c ----

// Suggestions of a route_table. Only those who may list names get them.
void suggest_mesh(const request *r, nav_error *err);
route_handler handle_mesh_list, handle_mesh_get, handle_mesh_delete, handle_active_put,
    handle_checks_get, handle_checks_put;

// The ETag of GET /v1/meshes/{mesh}, "a3-5f0c...": the count of switches so far, and a hash of all
// that can change about its versions. A switch is guarded by the count alone (If-Match), since a
// bake's progress is no reason to refuse it; a client's copy is good as long as all of it is the
// same (If-None-Match).
#define MESH_ETAG_BYTES 48

// Gives a reply its ETag; where If-None-Match, a list of ETags or *, has it, the reply is a 304.
void reply_take_etag(const request *r, reply *out, const char etag[MESH_ETAG_BYTES]);
// Whether If-Match, a list of ETags, has one of this count of switches. Weak ones do not count.
bool mesh_etag_is_current(const char *if_match, uint64_t activation);

// ---- versions.c ----

nav_status handle_upload_open(request *r, nav_error *err);
nav_status handle_upload_feed(request *r, const void *bytes, size_t size_bytes, nav_error *err);
void handle_upload_close(request *r);
route_handler handle_upload, handle_version_list, handle_version_get, handle_version_delete,
    handle_geometry_get, handle_events;
const char *geometry_media_type(const request *r); // NULL: its handler knows
void handle_events_close(request *r);
// A stream of events: begin makes the request a listener, who is to be opened (events.h) before the
// reply is made.
nav_status events_begin(request *r, const char *subject, uint32_t version, nav_error *err);
void reply_events(reply *out);

// ---- instances.c ----

route_handler handle_instance_list, handle_instance_get, handle_instance_update,
    handle_instance_delete, handle_instance_events;

// ---- render.c, diff.c, export.c, status.c, metrics_page.c ----

route_handler handle_render, handle_diff, handle_healthz, handle_readyz, handle_status,
    handle_metrics;
// A version as a file for other programs; the media type of the one that is asked for, or NULL.
route_handler handle_export;
const char *export_media_type(const request *r);
