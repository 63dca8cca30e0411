// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// clock.h: the two clocks, one that only runs forward and the date; and retries.
//
// An operation that failed for want of memory or disk space may succeed in a moment. It is tried
// again, each pause twice as long as the one before:
//
//   retry again = {.pause_ms = 50, .pause_ms_max = 800};
//   do {
//       status = something();
//   } while (retry_again(&again, status));

#pragma once

#include "proto/base/status.h"

#include <stdint.h>

#define CLOCK_TEXT_BYTES 25 // "2026-11-20T21:00:00.123Z" and its zero

// Monotonic. Thread: any.
uint64_t clock_now_ns(void);
// The time that processors have worked for the calling thread.
uint64_t clock_thread_ns(void);
// Milliseconds since 1970, UTC.
uint64_t clock_unix_ms(void);
// The same, of the kernel's last tick: up to 10 ms late, at a fifth of the cost.
uint64_t clock_unix_ms_coarse(void);
// The date as RFC 3339 in UTC with milliseconds.
void clock_text(char out[CLOCK_TEXT_BYTES]);
// The same of another time, in milliseconds since 1970.
void clock_text_at(uint64_t unix_ms, char out[CLOCK_TEXT_BYTES]);

// ---- retries ----

typedef struct retry {
    uint32_t pause_ms, pause_ms_max; // the next pause, a multiple of 50 ms; the longest
    bool (*stopped)(void *user);     // polled in the pauses: true ends the tries; NULL: never
    void *user;
} retry;

// Waits, and returns whether to try again. False: the status is no such failure, the longest pause
// has passed, or the tries were stopped.
bool retry_again(retry *r, nav_status status);
// Whether the status is a failure that may pass.
bool retry_may_help(nav_status status);
