// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bake_regions.h: what the partitions share: from raw regions to final ones. Private to core/.

#pragma once

#include "bake.h"

// Drops islands smaller than job->region_min_spans, merges regions smaller than
// job->region_merge_spans into neighbours, and numbers what is left 1..field->region_count without
// gaps. On entry field->region holds 0, 1..raw_count, or numbers with NAV_REGION_BORDER.
nav_status nav_regions_finish(const nav_bake_job *job, nav_field *field, uint32_t raw_count);

// Marks the padding of a tile as regions of its own, one a side. Harmless without padding.
void nav_regions_mark_border(const nav_bake_job *job, nav_field *field);
