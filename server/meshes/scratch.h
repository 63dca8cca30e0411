// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// scratch.h: one search memory per thread that answers questions.

#pragma once

#include "core/nav.h"

// The calling thread's own scratch, made on first use and freed when the thread ends. NULL without
// memory.
nav_scratch *scratch_of_thread(void);
// Memory of all threads' scratches now. Thread: any.
uint64_t scratch_bytes(void);
