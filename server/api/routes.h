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
nav_status handle_openapi(request *r, reply *out, nav_error *err);

// ---- console.c ----

// GET /: the console, or what there is to ask.
nav_status handle_root(request *r, reply *out, nav_error *err);
const char *root_media_type(const request *r);
nav_status handle_console(request *r, reply *out, nav_error *err); // a file of it

// ---- query.c ----

nav_status handle_query(request *r, reply *out, nav_error *err); // every route with a query
void handle_query_close(request *r);

// ---- meshes.c ----

// Suggestions of a route_table. Only those who may list names get them.
void suggest_mesh(const request *r, nav_error *err);
nav_status handle_mesh_list(request *r, reply *out, nav_error *err);
nav_status handle_mesh_get(request *r, reply *out, nav_error *err);
nav_status handle_mesh_delete(request *r, reply *out, nav_error *err);
nav_status handle_active_put(request *r, reply *out, nav_error *err);
nav_status handle_checks_get(request *r, reply *out, nav_error *err);
nav_status handle_checks_put(request *r, reply *out, nav_error *err);

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
nav_status handle_upload(request *r, reply *out, nav_error *err);
nav_status handle_version_list(request *r, reply *out, nav_error *err);
nav_status handle_version_get(request *r, reply *out, nav_error *err);
nav_status handle_version_delete(request *r, reply *out, nav_error *err);
nav_status handle_geometry_get(request *r, reply *out, nav_error *err);
const char *geometry_media_type(const request *r); // NULL: its handler knows
nav_status handle_events(request *r, reply *out, nav_error *err);
void handle_events_close(request *r);
// A stream of events: begin makes the request a listener, who is to be opened (events.h) before the
// reply is made.
nav_status events_begin(request *r, const char *subject, uint32_t version, nav_error *err);
void reply_events(reply *out);

// ---- instances.c ----

nav_status handle_instance_list(request *r, reply *out, nav_error *err);
nav_status handle_instance_get(request *r, reply *out, nav_error *err);
nav_status handle_instance_put(request *r, reply *out, nav_error *err);
nav_status handle_instance_patch(request *r, reply *out, nav_error *err);
nav_status handle_instance_delete(request *r, reply *out, nav_error *err);
nav_status handle_instance_events(request *r, reply *out, nav_error *err);

// ---- render.c, diff.c, export.c, status.c, metrics_page.c ----

nav_status handle_render(request *r, reply *out, nav_error *err);
// A version as a file for other programs; the media type of the one that is asked for, or NULL.
nav_status handle_export(request *r, reply *out, nav_error *err);
const char *export_media_type(const request *r);
nav_status handle_diff(request *r, reply *out, nav_error *err);
nav_status handle_healthz(request *r, reply *out, nav_error *err);
nav_status handle_readyz(request *r, reply *out, nav_error *err);
nav_status handle_status(request *r, reply *out, nav_error *err);
nav_status handle_metrics(request *r, reply *out, nav_error *err);
