// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// sweep.h: the row sweep that the monotone and the layers partition begin with.
// Private to core/.

#pragma once

#include "core/bake/bake.h"

// Makes field->region and fills it with raw regions 1..*raw_count, and with the padding's. A raw
// region has at most one run of cells in each row, is of one area, in one piece, and covers no
// column twice. Errors: NAV_CANCELLED, NAV_NO_MEMORY.
nav_status nav_regions_sweep(const nav_bake_job *job, nav_arena *result, nav_field *field,
                             uint32_t *raw_count);
