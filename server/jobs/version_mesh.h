// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// version_mesh.h: the mesh of a version, whether it is live, kept or stored.

#pragma once

#include "server/base/service.h"

// The mesh to ask, counted for the caller: for wanted 0 the live one, else of that version.
// *version is its number. Errors: PROTO_MESH_NOT_FOUND, PROTO_VERSION_NOT_FOUND,
// PROTO_VERSION_NOT_READY (also where nothing is live), those of load_mesh, of which damage becomes
// PROTO_NOT_READY while it is repaired (repair.h), and of load_queue_wait. Thread: any; touches no
// disk for the live version.
nav_status version_mesh_acquire(service *s, const char *name, uint32_t wanted, nav_mesh **mesh,
                                uint32_t *version, nav_error *err);
