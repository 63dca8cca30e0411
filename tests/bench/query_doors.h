// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// query_doors.h: what a door costs that a filter closes, for bench_query.c.

#pragma once

#include "core/nav.h"

#include <stdint.h>
#include <stdio.h>

// Asks for so many paths over a level with a door that the filter closes and over the level baked
// without the door's ground, turn by turn, in each of so many rounds, at several places. Prints a
// line a place and search, writes it to csv, and sums up. Returns how many goals are not reached.
uint32_t query_doors_bench(const char *name, const nav_geometry *geometry, uint32_t pair_count,
                           int rounds, FILE *csv);
