// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// scenario.h: a short life of a store, step by step, and all that a store holds as one text. Both
// know the public functions of server/store/store.h only.
//
// Every step is one write, hence there whole or not at all.

#pragma once

#include "server/store/store.h"

typedef struct scenario_step {
    const char *name;
    nav_status (*run)(store *disk, nav_error *err);
} scenario_step;

extern const scenario_step SCENARIO[];
extern const size_t SCENARIO_STEPS;

// Writes down all that the store holds, byte for byte but for dates: malloc'ed. NULL if some of it
// cannot be read, or if the database itself has faults; err then names them.
char *scenario_dump(store *disk, nav_error *err);

// Looks through it as `navmeshd verify` does. PROTO_INTERNAL: the first fault that it told of, or
// what it gave that is not whole.
nav_status scenario_verify(store *disk, nav_error *err);

// A write that is read back at once. False: it is not there, and err says why.
bool scenario_writes(store *disk, uint32_t number, nav_error *err);
