// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bake.h: a bake between its steps (bake.c) and its end in the store (result.c). Private to them
// and their tests.

#pragma once

#include "proto/geometry/upload.h"
#include "proto/settings/sanity.h"
#include "server/base/service.h"
#include "server/jobs/bake/tiles.h"
#include "server/jobs/jobs.h"
#include "server/meshes/checks.h"
#include "server/store/store.h"

// ---- limits: an early end of the steps that are no tile's: a cancel, or the bake's time ----

typedef struct job_limits {
    const job *job;
    uint64_t deadline_ns; // of clock_now_ns; 0: none
} job_limits;

// ---- landmarks: made at the end of a bake, packed for the store, unpacked at every start ----

// Gives a mesh that nobody else has yet its landmarks: those of an equal mesh in the store, or new
// ones. *out is to be stored with the version and its block freed. The mesh has no landmarks, which
// is no error, if memory ends, the deadline passes (a time of clock_now_ns; 0: none) or their
// budget is spent. Errors: NAV_CANCELLED, those of the store.
nav_status job_landmarks(store *disk, const job *j, size_t memory_bytes, uint64_t deadline_ns,
                         nav_mesh *mesh, store_landmarks *out, nav_error *err);

// ---- a bake ----

// All that a bake holds until it has been stored.
typedef struct job_baking {
    service *service;
    job *job;
    proto_geometry_reader *reader;
    nav_geometry geometry; // borrowed from reader
    proto_detour *import;  // its tiles, where it has those and no triangles
    nav_arena settings;    // the config's lists
    nav_config config;
    proto_level level; // of those two, once it is planned; not of tiles
    store_version row; // as it was when the bake began
    job_limits limits; // of all steps but the tiles
    nav_bake_hooks hooks;
    nav_grid grid;
    nav_arena index_arena;
    nav_tile_index index; // of several tiles
    job_tiles *tiles;
    nav_bake_report report; // of the default agent, with the times of all
    uint64_t started_ns, store_ns;
    nav_warning read_warnings[PROTO_READ_WARNING_COUNT]; // of the version's upload
    nav_mesh *mesh;                 // of the default agent, once made with those of the others
    nav_bake_report *agent_reports; // by further agent, as the settings list them; malloc'ed
    nav_mesh *agent_meshes[NAV_AGENTS_MAX];
    store_landmarks landmarks[NAV_ALL_AGENTS]; // by agent
    uint32_t removed;                          // versions that gave way to this one
    checks_outcome checks;
    job_events events;
} job_baking;

// Commits blobs and numbers, and makes the version live where that is wanted. May be called again
// after a failure: until then nothing has been stored. Errors: NAV_NO_MEMORY, those of
// store_version_ready.
nav_status job_result_put(job_baking *b, nav_error *err);
