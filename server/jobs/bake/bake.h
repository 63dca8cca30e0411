// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bake.h: between bake.c, which has the steps of a bake, and result.c, which has its
// end in the store. Private to them.

#pragma once

#include "server/meshes/checks.h"
#include "server/jobs/bake/limits.h"
#include "server/jobs/bake/tiles.h"
#include "server/base/service.h"

// What a bake holds until it has been stored.
typedef struct job_baking {
    service *service;
    job *job;
    proto_geometry_reader *reader;
    nav_geometry geometry; // borrowed from reader
    nav_arena settings;    // the config's lists
    nav_config config;
    store_version damaged; // the row of a version that is damaged; else empty
    bool reuse;            // tiles of other versions may be taken
    job_limits limits;     // of all steps but the tiles
    nav_bake_hooks hooks;
    nav_grid grid;
    nav_arena index_arena;
    nav_tile_index index; // of several tiles
    job_tiles *tiles;
    nav_bake_report report;
    uint64_t started_ns, store_ns;
    nav_mesh *mesh;
    uint32_t removed;          // versions that gave way to this one
    store_landmarks landmarks; // of the mesh
    checks_outcome checks;
    job_events told;
} job_baking;

// Commits blobs and numbers, and makes the version live where that is wanted. May be called again
// after a failure: until then nothing has been stored. Errors: NAV_NO_MEMORY, those of
// store_version_ready and store_version_mend.
nav_status job_result_put(job_baking *b, nav_error *err);
