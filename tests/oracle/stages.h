// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// stages.h: the comparison stage by stage.

#pragma once

#include "core/nav.h"

// Compares what each stage of both bakes makes of a level, for each partition; prints "ok" and
// "not ok" lines and returns how many of the latter.
int stages_compare(const char *level, const nav_geometry *geometry);
