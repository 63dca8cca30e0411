// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// tap.h: bytes on their way between the kernel and libmicrohttpd.

#pragma once

#include <stdbool.h>

// Whether libmicrohttpd's calls come through tap.c in this program. If not, nothing may be served.
bool tap_is_in_place(void);
