// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// routes.h: everything that can be asked, and the handlers.

#pragma once

#include "server/http/http.h"

// The table, for main, metrics and those who go through all of it.
const route_table *routes_all(void);

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

// metrics_write.c
// The page of GET /metrics, in Prometheus' text format 0.0.4.
void metrics_write(const service *s, proto_writer *w);
