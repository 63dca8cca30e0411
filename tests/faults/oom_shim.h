// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// oom_shim.h: what the driver (oom.c) and the library that it loads into the daemon (oom_shim.c)
// share: one page of memory, in the file that OOM_CONTROL names.

#pragma once

#include <stdatomic.h>
#include <stdint.h>

#define OOM_CONTROL "NAVMESHD_OOM"

typedef struct oom_control {
    _Atomic uint64_t first;  // of the calls that fail; 0: none does
    _Atomic uint64_t length; // how many of them
    _Atomic uint64_t calls;  // of malloc and its like, and threads; the driver sets it to 0
    _Atomic uint64_t failed;
    _Atomic int64_t blocks; // that have not been given back
} oom_control;
