// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// limits.c: see limits.h.

#include "server/jobs/bake/limits.h"

#include "server/base/clock.h"

bool job_limits_over(void *user)
{
    const job_limits *limits = user;
    return atomic_load_explicit(&limits->job->cancelled, memory_order_relaxed) ||
           (limits->deadline_ns != 0 && clock_now_ns() >= limits->deadline_ns);
}

nav_bake_hooks job_limits_hooks(const job_limits *limits)
{
    // The hooks' user may be written to; these do not.
    return (nav_bake_hooks){.user = (void *)(uintptr_t)limits, .cancelled = job_limits_over};
}

nav_status job_limits_judge(const job_limits *limits, nav_status status, const char *at,
                            const char *what, nav_error *err)
{
    if (status != NAV_CANCELLED) {
        return status;
    }
    if (atomic_load(&limits->job->cancelled)) {
        return nav_fail(err, NAV_CANCELLED, "cancelled");
    }
    nav_fail(err, NAV_TILE_TOO_COMPLEX, "the bake's time was over while %s", what);
    nav_error_at(err, "%s", at);
    return NAV_TILE_TOO_COMPLEX;
}
