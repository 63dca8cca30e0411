// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// lock.h: the proof that goes with a name ending in _locked, and conditions that are waited for by
// the clock that nobody sets.

#pragma once

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <time.h>

// Whether somebody holds the lock; in a function that needs it held, that is its caller. For
// NAV_ASSERT only: a lock that was free is taken by the question, and then the process ends.
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
