// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// query_avoid.h: what shapes to avoid cost a path, for bench_query.c.

#pragma once

#include "tests/bench/query_world.h"

#include <stdio.h>

// Asks for the first `pair_count` of the world's paths with shapes and without, turn by turn, in
// each of so many rounds; prints a line a case and writes it to csv.
void query_avoid_bench(const query_world *world, uint32_t pair_count, int rounds, FILE *csv);
