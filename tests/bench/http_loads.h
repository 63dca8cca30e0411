// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// http_loads.h: which paths are asked for, and the bytes of the requests that ask. Anything
// unexpected ends the benchmark.

#pragma once

#include "tests/bench/http_programs.h"

#include <stddef.h>

#define PAIRS 64
#define MESH "/v1/meshes/city"

typedef struct pair {
    float ends[6]; // start and end
} pair;

// Requests of one kind: one text for each of the pairs, used in turn.
typedef struct load {
    char *texts[PAIRS];
    size_t size_bytes[PAIRS];
    size_t reply_bytes; // of a body, on average
} load;

typedef enum body_form {
    NO_BODY,
    ONE_QUERY, // JSON
    BATCH,     // JSON, of all pairs
    PACKED,    // the same as application/vnd.navmeshd.paths
} body_form;

// A pair of places in a square level, the same in every run that begins with this seed. reach_m 0:
// anywhere in it; else at least a third of that and at most all of it from one another.
void loads_choose_pair(uint32_t *seed, float side_m, float reach_m, pair *chosen);
// Such pairs between which there is a way, the same in every run.
void loads_choose_pairs(uint16_t port, float side_m, float reach_m, pair out[PAIRS]);
// path: %s in it is the query string of a pair.
load loads_make(uint16_t port, const char *method, const char *path, body_form form,
                const pair *pairs);
// CPU time of the program for one request, in microseconds; so many requests are asked.
double loads_measure(const program *p, const load *l, uint32_t requests);
