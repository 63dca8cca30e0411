// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// clock.c: what time it is, for timings, request ids, created_at and log lines.

#include "server/base/clock.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

uint64_t clock_now_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint64_t milliseconds(clockid_t clock)
{
    struct timespec now;
    (void)clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000u + (uint64_t)now.tv_nsec / 1000000u;
}

uint64_t clock_unix_ms(void)
{
    return milliseconds(CLOCK_REALTIME);
}

uint64_t clock_unix_ms_coarse(void)
{
    return milliseconds(CLOCK_REALTIME_COARSE);
}

void clock_text(char out[CLOCK_TEXT_BYTES])
{
    uint64_t now_ms = clock_unix_ms();
    time_t seconds = (time_t)(now_ms / 1000u);
    struct tm parts;
    (void)gmtime_r(&seconds, &parts);
    char date[CLOCK_TEXT_BYTES];
    if (strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &parts) == 0) {
        date[0] = '\0';
    }
    (void)snprintf(out, CLOCK_TEXT_BYTES, "%.19s.%03uZ", date, (unsigned)(now_ms % 1000u));
}
