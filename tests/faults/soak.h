// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// soak.h: what the two files of the soak share.

#pragma once

#include "tests/faults/client.h"

#include <stdatomic.h>

#define SOAK_LEVELS 8
#define SOAK_QUESTIONS 32
#define SOAK_VERSIONS_MAX (1u << 22)

typedef struct soak_run {
    char socket[100]; // path
    uint32_t pause_ms;
    uint64_t seed;
    char questions[SOAK_QUESTIONS][96]; // parameters
    _Atomic uint8_t
        level[SOAK_VERSIONS_MAX]; // of each number of mesh "soak", known before the upload
    atomic_bool over;
} soak_run;

extern soak_run SOAK; // soak.c

// soak.c: a fault, told and counted.
void soak_wrong(const char *what, const char *text);
// The number behind a name; 0 where it is not there.
uint64_t soak_number_after(const char *text, const char *name);
// An answer without the mesh, version, instance and revision that it names.
const char *soak_answer_of(const char *body);

// soak_worlds.c: instances of mesh "soak". Version n of mesh "reference" is level n - 1.
// The settings of both meshes, which have a gate.
extern const char *const SOAK_SETTINGS;
// Learns the answer to each question in each state over each level.
void soak_worlds_learn(client *c);
// Begins threads that change, ask and watch instances until SOAK.over; end waits for them.
void soak_worlds_begin(void);
void soak_worlds_end(void);
// Prints how much was done.
void soak_worlds_report(void);
