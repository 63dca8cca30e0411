// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// openapi.h: the interface described, OpenAPI 3.1.

#pragma once

#include <stddef.h>

// The bytes of openapi.json, not terminated. They live as long as the program.
const char *openapi_text(size_t *size_bytes);
