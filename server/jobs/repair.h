// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// repair.h: the repair of damage that is found. A version whose settings and geometry are whole is
// baked again as it is, in the background (jobs/bake/bake.c); all else is told to the operator
// (meshes/damage_list.h).
//
//   load, question, start --> damage_list: found --> jobs_repair --> whole | left

#pragma once

#include "server/base/service.h"
#include "server/meshes/damage_list.h"
#include "server/store/store.h"

// ---- detect ----

// The input that all versions with one content_key share; borrowed.
typedef struct repair_like {
    const char *config_json;
    const uint8_t *geometry_hash; // 32 bytes
} repair_like;

// Compares all of a ready version on disk with its hashes, its checksums and `like`: settings,
// geometry, tiles, landmarks, texts. Errors: PROTO_INTERNAL, which names the damage, if there is
// any; those of store_tiles_load.
nav_status repair_check(store *disk, const char *mesh, uint32_t version, const repair_like *like,
                        nav_error *err);
// Whether a ready version's rows and lists are whole; no tile is read. Errors: as repair_check.
nav_status repair_look(store *disk, const store_version *row, nav_error *err);

// ---- tell, and have it baked again ----

// Takes note of a ready version that cannot be read in full. If it is then baked again, `why` says
// so instead of damage_fail's advice. Nothing happens if its damage is known already, or if the
// service keeps no damage list. Thread: any.
void repair_version(service *s, const char *mesh, uint32_t version, nav_error *why);
// At the start, once the live versions have been loaded and before the workers begin: looks at the
// rows and lists of all versions and at all checks, without reading tiles. done(user) is called
// once, on any thread, for each of *pending: live versions that wait for it.
void repair_begin(service *s, void (*done)(void *user), void *user, uint32_t *pending);
// Takes note of how the repair of a version has ended. *why is the reason.
void repair_end(service *s, const char *mesh, uint32_t version, nav_status status,
                const nav_error *why);
// Versions of this mesh that were damaged may have been removed.
void repair_forget_removed(service *s, const char *mesh);

// ---- by a bake of its own, by an equal version ----

// Looks at each tile of a ready version; one whose bytes are not what their name says is logged,
// baked again and put in its place. Other versions that share the blob are repaired with it.
// memory_bytes: budget of the bake, 0: none; hooks may cancel it. NAV_OK: all tiles are whole now,
// and *repaired tells how many were not. Errors: those of load_geometry and nav_bake_tile;
// PROTO_INTERNAL if a bake gives other bytes than the first one did.
nav_status repair_tiles(store *disk, const char *mesh, uint32_t version, uint64_t memory_bytes,
                        const nav_bake_hooks *hooks, uint32_t *repaired, nav_error *err);
typedef struct repair_equals_of {
    store *disk;
    damage_list *damage_list; // forgets the versions that are repaired; or NULL
    const char *mesh;
    uint32_t version;
    bool all; // every byte of every equal version is read; else of the newest, and known damage
} repair_equals_of;

// Once a version has been baked anew: repairs older damaged versions that are equal to it, from its
// data. Errors are logged.
void repair_equals(const repair_equals_of *of);
