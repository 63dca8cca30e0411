// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// config.h: what the two halves of the settings' check share. Private to core/.

#pragma once

#include "core/nav.h"

// The value must lie in [min, max]; NaN lies nowhere. Fills err with name, value and bound if not.
bool nav_config_in_range(const char *name, float value, float min, float max, nav_error *err);

// config_lists.c: bounds, areas, materials, volumes, links, seeds.
nav_status nav_config_check_lists(const nav_config *config, nav_error *err);
