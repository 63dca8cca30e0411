// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// options_check.h: what options point at, looked at without changing anything: for --check, and
// before a reload.

#pragma once

#include "server/app/options.h"

// Adds what a start would trip over to faults. running: NULL, or the options of the daemon that
// reloads; then only what the reload uses is looked at.
void options_check(const options *o, const options *running, option_faults *faults);
