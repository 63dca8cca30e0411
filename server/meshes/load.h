// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// load.h: from the store back into memory: a version's settings, mesh and geometry.

#pragma once

#include "proto/geometry/upload.h"
#include "server/store/store.h"

// The settings of a version as they were stored; their lists come from memory. Errors:
// NAV_NO_MEMORY, PROTO_INTERNAL where they are missing or damaged.
nav_status load_config_of(const store_version *row, nav_arena *memory, nav_config *out,
                          nav_error *err);
// The same of a version whose row is not at hand. Errors: also those of store_version_get.
nav_status load_config(store *disk, const char *mesh, uint32_t version, nav_arena *memory,
                       nav_config *out, nav_error *err);
// Unpacks a ready version's tiles and builds its mesh, one reference for the caller. It polls
// `cancelled` of hooks (NULL: none). *landmarks_damaged (may be NULL): they were left out.
// Errors: those of store_tiles_load, NAV_NO_MEMORY, NAV_CANCELLED, PROTO_INTERNAL where the stored
// bytes are damaged.
nav_status load_mesh(store *disk, const char *mesh, uint32_t version, const nav_bake_hooks *hooks,
                     bool *landmarks_damaged, nav_mesh **out, nav_error *err);

// A version's tiles and landmarks, unpacked, as a recording has them.
typedef struct load_tile {
    uint32_t agent, x, z;
    nav_blob blob; // aligned to 16 bytes
} load_tile;

typedef struct load_landmark {
    uint32_t agent;
    uint64_t fingerprint;
    nav_blob blob;
} load_landmark;

typedef struct load_stored {
    const load_tile *tiles; // in order of agent, z, x
    size_t tile_count;
    const load_landmark *landmarks;
    size_t landmark_count;
    bool landmarks_damaged; // some are left out
} load_stored;

// Out of the store, for load_stored_free. Hooks and errors as for load_mesh.
nav_status load_stored_read(store *disk, const char *mesh, uint32_t version,
                            const nav_bake_hooks *hooks, load_stored *out, nav_error *err);
void load_stored_free(load_stored *stored);
// Whether these tiles of the version have the hashes that they are named by. PROTO_INTERNAL where
// one has not; those of store_tiles_list.
nav_status load_stored_check(store *disk, const char *mesh, uint32_t version,
                             const load_stored *stored, nav_error *err);
// The mesh that load_mesh would make of them. Errors: NAV_BAD_BLOB and others of nav_mesh_create,
// those of proto_config_read, NAV_NO_MEMORY.
nav_status load_mesh_of_stored(load_stored *stored, const char *config_json, nav_mesh **out,
                               nav_error *err);

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
