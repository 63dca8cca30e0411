// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// retry.c: see retry.h.

#include "server/base/retry.h"

#include <time.h>

#define STEP_MS 50u

bool retry_may_help(nav_status status)
{
    return status == PROTO_STORE_UNAVAILABLE || status == PROTO_STORAGE_FULL ||
           status == NAV_NO_MEMORY;
}

static bool is_stopped(const retry *r)
{
    return r->stopped != NULL && r->stopped(r->user);
}

bool retry_again(retry *r, nav_status status)
{
    const struct timespec step = {.tv_nsec = STEP_MS * 1000000L};
    if (!retry_may_help(status) || r->pause_ms > r->pause_ms_max) {
        return false;
    }
    for (uint32_t ms = 0; ms < r->pause_ms && !is_stopped(r); ms += STEP_MS) {
        (void)nanosleep(&step, NULL);
    }
    r->pause_ms *= 2;
    return !is_stopped(r);
}
