// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// job_events.h: the progress of a bake as events for its listeners (events.h).
//
//   progress   part of the bake that is done; also the first event of a bake that has not ended
//   stage      a stage of a tile begins, or a step of the whole bake (tile null)
//   ready, failed, cancelled    the version's object, and the end

#pragma once

#include "server/base/service.h"
#include "server/base/events.h"
#include "server/jobs/jobs.h"

// The events of one bake, published by several workers.
typedef struct job_events {
    service *service;
    const job *job;
    uint32_t tiles_x;      // to name a tile; 0 until the grid is known
    atomic_flag reporting; // held by one worker at a time, so that progress is in order
    uint64_t progress_ns;  // when the last progress event was sent; guarded by reporting
} job_events;

void job_events_init(job_events *e, service *s, const job *j);
// A stage (nav_stage or JOB_STAGE_*) of a tile begins; tile NAV_NONE: of the whole bake. Thread:
// any.
void job_events_stage(job_events *e, uint32_t tile, uint32_t stage);
// A tile is done. Thread: any.
void job_events_tile(job_events *e);

// A version's state has become final in the store: publishes it and ends the streams. If the
// version is still queued (nothing could be stored) they only end. Thread: any.
void job_events_end(service *s, const char *mesh, uint32_t version);
// The mesh has been removed with all its versions.
void job_events_removed(service *s, const char *mesh);
// Opens one listener's stream with the present state, its last event if the version has ended.
// Errors: those of version_view_get, NAV_NO_MEMORY.
nav_status job_events_open(service *s, const char *mesh, uint32_t version,
                           events_listener *listener, nav_error *err);
