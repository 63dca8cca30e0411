// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// reload.h: options put into force, at the start and again on SIGHUP. Main thread only.

#pragma once

#include "server/app/options.h"
#include "server/base/service.h"

// Puts into force the options that the table calls live.
void reload_apply(service *s, const options *o);

// All that a reload reads and replaces.
typedef struct reload {
    int argc;
    char **argv;
    uint32_t cores;
    const options *started; // of the start: options that cannot change still have these values
    options *now;           // in force; replaced by a reload that went well
} reload;

// Reads and checks all of it; where anything is wrong, logs it and changes nothing (false).
bool reload_run(reload *r, service *s);
