// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// front.h: a front that runs over the open field from spans where it starts: how erosion goes
// inwards from a rim, and switches outwards from their shapes. Private to core/.

#pragma once

#include "core/bake/stages.h"

// Spans, in memory of their own.
typedef struct nav_front_list {
    nav_arena arena;
    uint32_t *spans;
    uint32_t count, capacity;
} nav_front_list;

// The state of a span that it has passed.
#define NAV_FRONT_PASSED 3

// Appends a span. False when there is no memory.
bool nav_front_list_add(nav_front_list *list, uint32_t span);

// A step leads to at most 3 more.
#define NAV_FRONT_LISTS 4

typedef struct nav_front {
    const nav_bake_job *job;
    const nav_field *field;
    uint8_t *state;                        // by span
    nav_front_list lists[NAV_FRONT_LISTS]; // the spans that it reaches at one distance
    nav_front_list passed;                 // all that it has passed, where it is to list them
    bool lists_passed;
} nav_front;

// Makes a front that starts nowhere yet. Its memory is the scratch's, and its owner ends it also
// where this fails. NAV_OK, NAV_NO_MEMORY or NAV_CANCELLED.
nav_status nav_front_begin(nav_front *front, const nav_bake_job *job, const nav_field *field,
                           bool lists_passed);
void nav_front_end(nav_front *front);
// Lets it start at a span. False when there is no memory.
bool nav_front_start(nav_front *front, uint32_t span);
// Runs it over all spans nearer than `end`, in the chamfer distance 2-3 over linked spans.
nav_status nav_front_run(nav_front *front, uint32_t end);
static inline bool nav_front_has_passed(const nav_front *front, uint32_t span)
{
    return front->state[span] == NAV_FRONT_PASSED;
}

// Makes a front that lists what it passes as it was when it was begun.
void nav_front_restart(nav_front *front);
