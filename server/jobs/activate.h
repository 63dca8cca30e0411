// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// activate.h: the switch of a mesh's live version by hand: forward, or back.

#pragma once

#include "server/base/service.h"
#include "server/store/store.h"

typedef struct activate_request {
    const char *mesh;
    uint32_t version;
    uint64_t expected; // the mesh's activation, or STORE_ANY_ACTIVATION
    bool force;        // whatever the checks say
} activate_request;

// Makes a ready version live, in the store and then in the registry, if it passes the checks that
// are set now; how they went is kept with the version. Queries that are under way end with the mesh
// they began with. Errors: those of store_activate, which it calls, and of version_mesh_acquire;
// PROTO_CHECKS_FAILED. *before and *activation as of store_activate. Thread: any.
nav_status activate_version(service *s, const activate_request *request, store_mesh *before,
                            uint64_t *activation, nav_error *err);
