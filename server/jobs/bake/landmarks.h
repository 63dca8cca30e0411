// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// landmarks.h: the step of a bake that gives its mesh landmarks.

#pragma once

#include "server/jobs/jobs.h"
#include "server/store/store.h"

// Gives a mesh that nobody else has yet its landmarks: those of an equal mesh in the store, or new
// ones. *out is to be stored with the version and its block freed. The mesh has no landmarks, which
// is no error, if memory ends, the deadline passes (a time of clock_now_ns; 0: none) or their
// budget is spent. Errors: NAV_CANCELLED, those of the store.
nav_status job_landmarks(store *disk, const job *j, size_t memory_bytes, uint64_t deadline_ns,
                         nav_mesh *mesh, store_landmarks *out, nav_error *err);
