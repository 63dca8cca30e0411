// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// routing.h: from a method and a path to a route. The table is the API's (api/routes.c).

#pragma once

#include "server/http/http.h"

// Fills r->route, r->mesh and r->version. Errors: PROTO_ROUTE_NOT_FOUND, PROTO_METHOD_NOT_ALLOWED
// (allow then lists what the path takes), PROTO_MESH_NOT_FOUND or NAV_INVALID_FIELD (a name that no
// mesh can have), PROTO_VERSION_NOT_FOUND (not a number).
nav_status routing_find(const route_table *table, request *r, const char *method, const char *path,
                        char *allow, size_t allow_bytes, nav_error *err);
