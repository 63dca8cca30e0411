// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// sweep.h: what the parts of the HTTP sweep share: a daemon of its own for each, and the count of
// what passed.

#pragma once

#include "tests/bench/http_programs.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct sweep {
    const char *binary;
    const char *folder; // of the tables
    bool longer;
    unsigned passed, failed;
} sweep;

// One test has ended; why: NULL, or what was wrong.
void sweep_count(sweep *s, const char *name, const char *why);

// A daemon with a database of its own and a mesh "yard", a square of 20 m.
typedef struct sweep_daemon {
    program program;
    pthread_t reader; // of its log
    char db[64], *log;
    size_t log_bytes;
    pthread_mutex_t lock; // of the log
} sweep_daemon;

// options: more of the command line, up to NULL.
void sweep_start(sweep *s, const char *const *options, sweep_daemon *out);
// It has to end with code 0.
void sweep_stop(sweep *s, const char *name, sweep_daemon *d);

void sweep_pause_ms(long ms);

// The parts.
void sweep_tables(sweep *s);
void sweep_slow(sweep *s);
void sweep_bombs(sweep *s);
void sweep_noise(sweep *s);
