// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// lock.h: the assertion of functions whose name ends in _locked, and conditions with a deadline on
// the clock that only runs forward.

#pragma once

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

// Whether some thread holds the lock. In a function that needs it held, that is its caller. For
// NAV_ASSERT only: the call takes a lock that was free, and then the process ends.
static inline bool lock_is_held(pthread_mutex_t *lock)
{
    return pthread_mutex_trylock(lock) == EBUSY;
}

// A condition whose pthread_cond_timedwait takes a time of CLOCK_MONOTONIC.
static inline void lock_init_monotonic(pthread_cond_t *condition)
{
    pthread_condattr_t monotonic;
    (void)pthread_condattr_init(&monotonic);
    (void)pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    (void)pthread_cond_init(condition, &monotonic);
    (void)pthread_condattr_destroy(&monotonic);
}

// So many milliseconds from now, as pthread_cond_timedwait takes it for such a condition.
static inline struct timespec lock_deadline(uint64_t ms)
{
    struct timespec until;
    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    const uint64_t ns = (uint64_t)until.tv_nsec + ms % 1000u * 1000000u;
    until.tv_sec += (time_t)(ms / 1000u + ns / 1000000000u);
    until.tv_nsec = (long)(ns % 1000000000u);
    return until;
}
