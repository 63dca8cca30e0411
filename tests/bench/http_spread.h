// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// http_spread.h: large batches on one thread and on all idle cores, and what a single question then
// waits. Anything unexpected ends the benchmark.

#pragma once

#include <stdio.h>

// Starts two daemons over copies of the database, one of which leaves each batch to its own thread.
void spread_measure(const char *navmeshd, const char *db, FILE *csv);
