// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// asked.h: hooks that count how often they are asked whether the work is to end, and say yes to one
// of the questions, so that no test of a cancel depends on time.

#pragma once

#include "core/nav.h"

typedef struct asked {
    uint32_t count, cancel_at; // the question that is answered with yes, from 1; 0: none
} asked;

static inline bool asked_cancelled(void *user)
{
    asked *a = user;
    return ++a->count == a->cancel_at;
}

static inline nav_bake_hooks asked_hooks(asked *a)
{
    return (nav_bake_hooks){.user = a, .cancelled = asked_cancelled};
}
