// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// sha256.h: the two ways in which blocks of SHA-256 are worked off. Private to core/.

#pragma once

#include "core/nav.h"

// The constants of the 64 rounds.
extern const uint32_t NAV_SHA256_CONSTANTS[64];

// sha256_x86.c: whether this processor has instructions for SHA-256 and this build can use them.
bool nav_sha256_x86_is_there(void);
// Adds whole blocks of 64 bytes. Only where it is there.
void nav_sha256_x86_add(uint32_t state[8], const uint8_t *blocks, size_t count);
