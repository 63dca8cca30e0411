// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// job_landmarks.h: the step of a bake that gives its mesh landmarks.

#pragma once

#include "server/jobs.h"
#include "server/store.h"

// Gives a mesh that nobody else has yet its landmarks: those of an equal mesh in the store, or new
// ones. *out is to be stored with the version and its block freed; where there is no memory for
// landmarks, they are not done by the deadline (a time of clock_now_ns; 0: none), or take more work
// than their budget is, the mesh has none, which is no error. Errors: NAV_CANCELLED, those of the
// store.
nav_status job_landmarks(store *disk, const job *j, size_t memory_bytes, uint64_t deadline_ns,
                         nav_mesh *mesh, store_landmarks *out, nav_error *err);
