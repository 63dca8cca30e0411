// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// routes.h: from a method and a path to a route.

#pragma once

#include "server/http/http.h"

// Fills r->route, r->mesh and r->version. Errors: NAV_ROUTE_NOT_FOUND, NAV_METHOD_NOT_ALLOWED
// (allow then lists what the path takes), NAV_MESH_NOT_FOUND or NAV_INVALID_FIELD (a name that no
// mesh can have), NAV_VERSION_NOT_FOUND (not a number).
nav_status routes_find(request *r, const char *method, const char *path, char *allow,
                       size_t allow_bytes, nav_error *err);
// The table, for those who go through all of it.
const route *routes_all(size_t *count);
// Whether a text is a mesh's name: [A-Za-z0-9][A-Za-z0-9._-]{0,63}.
bool routes_is_mesh_name(const char *text, size_t length);

// Handlers, by file.
// handle_status.c
void handle_healthz(request *r, reply *out);
void handle_readyz(request *r, reply *out);
void handle_status(request *r, reply *out);
void handle_metrics(request *r, reply *out);
// openapi.c
void handle_openapi(request *r, reply *out);
// handle_meshes.c
void handle_mesh_list(request *r, reply *out);
void handle_mesh_get(request *r, reply *out);
void handle_mesh_delete(request *r, reply *out);
void handle_active_put(request *r, reply *out);
// handle_checks.c
void handle_checks_get(request *r, reply *out);
void handle_checks_put(request *r, reply *out);
// handle_diff.c
void handle_diff(request *r, reply *out);
// handle_events.c
void handle_events(request *r, reply *out);
void handle_events_close(request *r);
// handle_versions.c
nav_status handle_upload_open(request *r, nav_error *err);
nav_status handle_upload_feed(request *r, const void *bytes, size_t size_bytes, nav_error *err);
void handle_upload_close(request *r);
void handle_upload(request *r, reply *out);
void handle_version_list(request *r, reply *out);
void handle_version_get(request *r, reply *out);
void handle_version_delete(request *r, reply *out);
void handle_geometry_get(request *r, reply *out);
// handle_query.c
void handle_query(request *r, reply *out); // every route with a query
void handle_render(request *r, reply *out);
