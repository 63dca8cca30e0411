// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// cancel.h: work that is counted, so that whoever waits for it is asked now and then whether it is
// to go on. For what is not a tile's bake, which asks by its job (bake/bake.h). Private to core/.

#pragma once

#include "core/nav.h"

// Between two questions: items of a few nanoseconds each, so a millisecond or so.
#define NAV_ASKER_WORK 65536u

typedef struct nav_asker {
    const nav_bake_hooks *hooks; // may be NULL
    uint64_t work;               // since the last question
    bool cancelled;              // the answer was yes, and nobody is asked again
} nav_asker;

// Asks at once. True: what is being made is not wanted any more.
static inline bool nav_asker_ask(nav_asker *a)
{
    a->work = 0;
    a->cancelled = a->cancelled || (a->hooks != NULL && a->hooks->cancelled != NULL &&
                                    a->hooks->cancelled(a->hooks->user));
    return a->cancelled;
}

// Notes so many items of work, and asks when it is time to.
static inline bool nav_asker_count(nav_asker *a, uint64_t work)
{
    a->work += work;
    return a->work >= NAV_ASKER_WORK ? nav_asker_ask(a) : a->cancelled;
}
