// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// limits.h: what ends a bake early, for the steps that are no tile's: somebody cancels its job,
// or its time is over.

#pragma once

#include "server/jobs/jobs.h"

typedef struct job_limits {
    const job *job;
    uint64_t deadline_ns; // of clock_now_ns; 0: none
} job_limits;

// For nav_bake_hooks.cancelled. user is a job_limits. Thread: any.
bool job_limits_over(void *user);
// Hooks that borrow the limits.
nav_bake_hooks job_limits_hooks(const job_limits *limits);
// What a step says that these hooks may have ended, in the words of a bake with budgets: "the
// bake's time was over while `what`", which is NAV_TILE_TOO_COMPLEX, as for a tile, at `at`. All
// but NAV_CANCELLED stays as it is.
nav_status job_limits_judge(const job_limits *limits, nav_status status, const char *at,
                            const char *what, nav_error *err);
