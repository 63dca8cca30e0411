// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// options_check.h: what options point at, looked at without changing anything: for --check, and
// before a reload.

#pragma once

#include "server/options.h"

// Adds what a start would trip over to faults. reload: only what a reload uses.
void options_check(const options *o, bool reload, option_faults *faults);
