// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// ask.h: every question of the library, asked of one mesh, and answers that make sense.

#pragma once

#include "core/nav.h"

// Asks everything about two places. Aborts where an answer names a polygon that is not there, holds
// a number that is none, or contradicts another. sound: the mesh was baked, and not made up; then
// ends of paths lie on the mesh as well, and costs agree.
void fuzz_ask(const nav_mesh *mesh, nav_scratch *scratch, const float a[3], const float b[3],
              bool sound);
