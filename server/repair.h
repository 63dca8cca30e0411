// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// repair.h: tiles that are damaged on disk, baked once more from the geometry that is stored.

#pragma once

#include "server/store.h"

// Looks at each tile of a ready version; one whose bytes are not what their name says is logged,
// baked again and put in its place. Other versions that share the blob are healed with it.
// memory_bytes: budget of the bake, 0: none; hooks may cancel it. NAV_OK: all tiles are whole now,
// and *repaired tells how many were not. Errors: those of load_geometry and nav_bake_tile;
// NAV_INTERNAL where a bake gives other bytes than it gave then.
nav_status repair_version(store *disk, const char *mesh, uint32_t version, uint64_t memory_bytes,
                          const nav_bake_hooks *hooks, uint32_t *repaired, nav_error *err);
