// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// store_bench.h: what the parts of bench_store share. Anything unexpected ends the program.

#pragma once

#include "server/store/store.h"

#define MIB ((size_t)1 << 20)

extern char bench_folder[2048], bench_daemon[2048];
extern uint32_t bench_rounds;

// The least time of each side.
typedef struct bench_duel {
    double ours_ms, theirs_ms;
} bench_duel;

_Noreturn void bench_give_up(const char *what, const char *why);
void bench_must(nav_status status, const char *what, const nav_error *err);
// Of a file in the folder; until the next call.
const char *bench_path(const char *name);
void bench_remove_store(const char *name);
// CPU time of the process so far: unlike the wall clock it is not lengthened by others.
uint64_t bench_cpu_ns(void);
void bench_keep_least(double *least, uint64_t began_ns, uint64_t now_ns);
void bench_print(const char *what, const char *beside, bench_duel d, double target);
// A version that waits for its bake's end.
uint32_t bench_insert(store *disk, const char *mesh, const void *geometry, size_t geometry_bytes,
                      uint64_t seed);

// store_start.c: a start with a hundred maps beside reading and unpacking them.
void bench_start(void);
// store_uploads.c: what a bake commits beside all of it.
void bench_bakes(void);
// store_uploads.c: uploads that change little beside full bakes.
void bench_uploads(void);
