// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// clock.h: the two clocks: one that only runs forward, and the date.

#pragma once

#include <stdint.h>

#define CLOCK_TEXT_BYTES 25 // "2026-11-20T21:00:00.123Z" and its zero

// Monotonic. Thread: any.
uint64_t clock_now_ns(void);
// Milliseconds since 1970, UTC.
uint64_t clock_unix_ms(void);
// The same as the kernel knows it without asking the hardware: up to a tick late (1 to 10 ms), at a
// fifth of the cost.
uint64_t clock_unix_ms_coarse(void);
// The date as RFC 3339 in UTC with milliseconds.
void clock_text(char out[CLOCK_TEXT_BYTES]);
