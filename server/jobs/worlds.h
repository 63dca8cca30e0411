// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// worlds.h: an instance over the mesh that it is pinned to, or over the live one.

#pragma once

#include "server/base/service.h"
#include "server/instances/instances.h"

// The instance to ask, counted for the caller: its world has its state, and the mesh with its
// version. `wanted` is the version that the question names, which must be that one; 0: it names
// none. Errors: PROTO_INSTANCE_NOT_FOUND, NAV_INVALID_FIELD (at = "version"), those of
// version_mesh_acquire and instance_world_make. Thread: any. Touches no disk where the version is
// live, or was asked for in this instance before.
nav_status world_acquire(service *s, const char *mesh, const char *name, uint32_t wanted,
                         instance_world **out, nav_error *err);

// The same over a mesh that is held already, as all queries of a batch are. NAV_INVALID_FIELD (at =
// "instance"): it is pinned to another version.
nav_status world_acquire_over(service *s, const char *mesh, const char *name, nav_mesh *nav,
                              uint32_t version, instance_world **out, nav_error *err);
