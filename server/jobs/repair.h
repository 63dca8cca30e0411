// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// repair.h: what is damaged on disk: tiles are baked once more from the geometry that is stored
// (repair.c); whether a version is whole, and those made whole that are equal to one that was baked
// anew (repair_check.c).

#pragma once

#include "server/meshes/damage_list.h"
#include "server/store/store.h"

// Looks at each tile of a ready version; one whose bytes are not what their name says is logged,
// baked again and put in its place. Other versions that share the blob are healed with it.
// memory_bytes: budget of the bake, 0: none; hooks may cancel it. NAV_OK: all tiles are whole now,
// and *repaired tells how many were not. Errors: those of load_geometry and nav_bake_tile;
// PROTO_INTERNAL where a bake gives other bytes than it gave then.
nav_status repair_version(store *disk, const char *mesh, uint32_t version, uint64_t memory_bytes,
                          const nav_bake_hooks *hooks, uint32_t *repaired, nav_error *err);
// What all versions with one content_key have in common; borrowed.
typedef struct repair_like {
    const char *config_json;
    const uint8_t *geometry_hash; // 32 bytes
} repair_like;

// Whether all that a ready version has is whole on disk, as far as hashes, checksums and what it
// is to be like tell: settings, geometry, tiles, landmarks, texts. Reads all of it. Errors:
// PROTO_INTERNAL where it is not, with what is damaged; those of store_tiles_load.
nav_status repair_check(store *disk, const char *mesh, uint32_t version, const repair_like *like,
                        nav_error *err);
// Whether a ready version's rows and lists are whole; no tile is read. Errors: as repair_check.
nav_status repair_look(store *disk, const store_version *row, nav_error *err);

typedef struct repair_equals_of {
    store *disk;
    damage_list *damage_list; // that are forgotten when they are made good; or NULL
    const char *mesh;
    uint32_t version;
    bool all; // every byte of every equal version is read; else of the newest, and known damage
} repair_equals_of;

// Once a version has been baked anew: makes older ones that are equal to it and damaged whole with
// what it has. What goes wrong is logged.
void repair_equals(const repair_equals_of *of);
