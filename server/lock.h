// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// lock.h: the proof that goes with a name ending in _locked.

#pragma once

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>

// Whether somebody holds the lock; in a function that needs it held, that is its caller. For
// NAV_ASSERT only: a lock that was free is taken by the question, and then the process ends.
static inline bool lock_is_held(pthread_mutex_t *lock)
{
    return pthread_mutex_trylock(lock) == EBUSY;
}
