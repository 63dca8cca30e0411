// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// retry.h: what failed for want of memory or room, or because the disk would not, may succeed in a
// moment: it is tried again, each pause twice as long as the one before.
//
//   retry again = {.pause_ms = 50, .pause_ms_max = 800};
//   do {
//       status = something();
//   } while (retry_again(&again, status));

#pragma once

#include "proto/base/status.h"

typedef struct retry {
    uint32_t pause_ms, pause_ms_max; // the next pause, a multiple of 50 ms; the longest
    bool (*stopped)(void *user);     // asked meanwhile whether it is still wanted; NULL: it is
    void *user;
} retry;

// Waits, and tells whether to try again. False: the status is no such failure, the longest pause
// has passed, or it is not wanted any more.
bool retry_again(retry *r, nav_status status);
// Whether the status is one of those that may pass.
bool retry_may_help(nav_status status);
