// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// cancel.h: the one way in which work in core is broken off: by its caller's hook, or because a
// deadline is exceeded. Loops count their work here; the hook is polled once an interval. Private
// to core/.

#pragma once

#include "core/nav.h"

// The hook is polled whenever so much work has been done, in units of a few nanoseconds: each
// millisecond or sooner.
#define NAV_CANCEL_INTERVAL 65536u

// The cost of steps that take longer than a unit.
#define NAV_STEP_FAR 4u                  // a word anywhere in memory, so that it is waited for
#define NAV_STEP_ARC 8u                  // an off-mesh arc that is looked at
#define NAV_STEP_EAR 16u                 // an ear that is cut off, a median
#define NAV_STEP_NODE 256u               // a node that a search expands, a triangle, a region
#define NAV_STEP_POSITION 1024u          // a position that is looked for or drawn
#define NAV_STEP_ROW NAV_CANCEL_INTERVAL // a row of cells or more: always polls

typedef struct nav_cancel {
    bool (*hook)(void *user); // true: the work is to end; NULL: nothing ends it
    void *user;
    uint64_t work;  // since the last poll
    bool cancelled; // the hook has said so, and is not polled again
} nav_cancel;

static inline nav_cancel nav_cancel_by(const nav_bake_hooks *hooks)
{
    const nav_cancel cancel = {
        .hook = hooks != NULL ? hooks->cancelled : NULL,
        .user = hooks != NULL ? hooks->user : NULL,
        .work = 0,
        .cancelled = false,
    };
    return cancel;
}

// Whether so much more work makes the next poll call the hook.
static inline bool nav_cancel_is_due(const nav_cancel *c, uint64_t work)
{
    return c->work + work >= NAV_CANCEL_INTERVAL;
}

// Counts work that the next poll is to see.
static inline void nav_cancel_count(nav_cancel *c, uint64_t work)
{
    c->work += work;
}

// Calls the hook. Apart from the poll, so that loops stay small.
__attribute__((unused, noinline, cold)) static bool nav_cancel_call(nav_cancel *c)
{
    c->work = 0;
    if (!c->cancelled && c->hook != NULL) {
        c->cancelled = c->hook(c->user);
    }
    return c->cancelled;
}

// Counts work; true: it is to end. c may be NULL: then nothing ends it.
static inline bool nav_cancel_poll(nav_cancel *c, uint64_t work)
{
    if (c == NULL) {
        return false;
    }
    c->work += work;
    return c->work >= NAV_CANCEL_INTERVAL ? nav_cancel_call(c) : c->cancelled;
}

// Whether a poll has said that the work is to end. c may be NULL.
static inline bool nav_cancel_is_set(const nav_cancel *c)
{
    return c != NULL && c->cancelled;
}

// The result of a function after loops that have polled.
static inline nav_status nav_cancel_status(const nav_cancel *c)
{
    return nav_cancel_is_set(c) ? NAV_CANCELLED : NAV_OK;
}
