// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// accept.h: does a client take an answer of this media type? (RFC 9110, 12.5.1)

#pragma once

#include <stdbool.h>

// accept: the value of the header, NULL where there is none, which takes anything. Of the ranges
// that media_type lies in the narrowest decides; q=0 says no.
bool accept_takes(const char *accept, const char *media_type);
