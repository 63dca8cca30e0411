// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// job_events.h: a bake's life in words, for those who listen (events.h).
//
//   progress   how far it is: also the first event of a bake that has not ended
//   stage      a stage of a tile begins, or a step of the whole bake (tile null)
//   ready, failed, cancelled    the version's object, and the end

#pragma once

#include "server/base/service.h"
#include "server/jobs/events.h"
#include "server/jobs/jobs.h"

// Who tells of one bake, from several workers.
typedef struct job_events {
    service *service;
    const job *job;
    uint32_t tiles_x;     // to name a tile; 0 until the grid is known
    atomic_flag telling;  // one at a time, so that progress is told in order
    uint64_t progress_ns; // when it was last told; guarded by telling
} job_events;

void job_events_init(job_events *told, service *s, const job *j);
// A stage (nav_stage or JOB_STAGE_*) of a tile begins; tile NAV_NONE: of the whole bake. Thread:
// any.
void job_events_stage(job_events *told, uint32_t tile, uint32_t stage);
// A tile is done. Thread: any.
void job_events_tile(job_events *told);

// A version's state has become final in the store: tells it and ends the streams. One that is still
// queued (nothing could be stored) only ends them. Thread: any.
void job_events_end(service *s, const char *mesh, uint32_t version);
// The mesh has been removed with all its versions.
void job_events_removed(service *s, const char *mesh);
// Tells one listener how things stand: a last event where the version has ended. Errors: those of
// version_view_get, NAV_NO_MEMORY.
nav_status job_events_open(service *s, const char *mesh, uint32_t version,
                           events_listener *listener, nav_error *err);
