// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// clock.c: the time, for timings, request ids, created_at and log lines; and pauses between tries.

#include "server/base/clock.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static uint64_t nanoseconds(clockid_t clock)
{
    struct timespec now;
    (void)clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t clock_now_ns(void)
{
    return nanoseconds(CLOCK_MONOTONIC);
}

uint64_t clock_thread_ns(void)
{
    return nanoseconds(CLOCK_THREAD_CPUTIME_ID);
}

uint64_t clock_unix_ms(void)
{
    return nanoseconds(CLOCK_REALTIME) / 1000000u;
}

uint64_t clock_unix_ms_coarse(void)
{
    return nanoseconds(CLOCK_REALTIME_COARSE) / 1000000u;
}

void clock_text(char out[CLOCK_TEXT_BYTES])
{
    clock_text_at(clock_unix_ms(), out);
}

void clock_text_at(uint64_t unix_ms, char out[CLOCK_TEXT_BYTES])
{
    _Static_assert(sizeof "2026-11-20T21:00:00.123Z" == CLOCK_TEXT_BYTES, "room for a date");
    time_t seconds = (time_t)(unix_ms / 1000u);
    struct tm utc;
    (void)gmtime_r(&seconds, &utc);
    char date[CLOCK_TEXT_BYTES];
    if (strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &utc) == 0) {
        date[0] = '\0';
    }
    (void)snprintf(out, CLOCK_TEXT_BYTES, "%.19s.%03uZ", date, (unsigned)(unix_ms % 1000u));
}

// ---- retries ----

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
    NAV_ASSERT(r->pause_ms > 0 && r->pause_ms % STEP_MS == 0);
    NAV_ASSERT(r->pause_ms <= UINT32_MAX / 2); // the next pause is twice this one
    if (!retry_may_help(status) || r->pause_ms > r->pause_ms_max) {
        return false;
    }
    for (uint32_t ms = 0; ms < r->pause_ms && !is_stopped(r); ms += STEP_MS) {
        (void)nanosleep(&step, NULL);
    }
    r->pause_ms *= 2;
    return !is_stopped(r);
}
