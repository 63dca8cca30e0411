// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// load.h: from the store back into memory: a version's settings, mesh and geometry.

#pragma once

#include "proto/proto.h"
#include "server/store/store.h"

// The settings of a version as they were stored; their lists come from memory. Errors: those
// of store_version_get, NAV_NO_MEMORY, PROTO_INTERNAL where they are missing or damaged. *reuse
// (may be NULL): whether its bake may take tiles of other versions.
nav_status load_config(store *disk, const char *mesh, uint32_t version, nav_arena *memory,
                       nav_config *out, bool *reuse, nav_error *err);
// Unpacks a ready version's tiles and builds its mesh, one reference for the caller. Of hooks
// (NULL: none) it polls `cancelled`. *landmarks_damaged (may be NULL): they were left out.
// Errors: those of store_tiles_load, NAV_NO_MEMORY, NAV_CANCELLED, PROTO_INTERNAL where the stored
// bytes are damaged.
nav_status load_mesh(store *disk, const char *mesh, uint32_t version, const nav_bake_hooks *hooks,
                     bool *landmarks_damaged, nav_mesh **out, nav_error *err);
// A version's geometry in the packed layout, or its file of tiles as it was sent, malloc'ed. Errors
// likewise.
nav_status load_geometry_bytes(store *disk, const char *mesh, uint32_t version, void **out,
                               size_t *size_bytes, nav_error *err);
// The same, read: *geometry is borrowed from *reader, which the caller destroys; of tiles it is
// empty, and proto_geometry_source has them. Hooks as for load_mesh.
nav_status load_geometry(store *disk, const char *mesh, uint32_t version,
                         const nav_bake_hooks *hooks, proto_geometry_reader **reader,
                         nav_geometry *geometry, nav_error *err);

// Gives a mesh that nobody else has yet its stored landmarks. PROTO_BAD_ZSTD, NAV_BAD_BLOB where
// they are damaged or another mesh's.
nav_status load_landmarks(const store_landmarks *stored, nav_mesh *mesh, nav_error *err);
