// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// pins.h: which versions instances are pinned to, so that none of these is removed. A version that
// is being removed takes no pin: whoever wants one waits until it is gone, or has stayed.

#pragma once

#include "server/base/limits.h"

typedef struct pins pins;

// At most versions_max versions have pins at a time. NULL without memory.
pins *pins_create(uint32_t versions_max);
void pins_destroy(pins *p); // NULL is harmless

// Thread of all below: any.
// One pin more. Errors: PROTO_TOO_MANY_INSTANCES (that many versions have pins), PROTO_NOT_READY
// (a removal takes longer than anybody waits), NAV_NO_MEMORY.
nav_status pins_take(pins *p, const char *mesh, uint32_t version, nav_error *err);
void pins_release(pins *p, const char *mesh, uint32_t version);

// Before a version is removed, and after it, whether it was or not. Errors: PROTO_VERSION_PINNED,
// NAV_NO_MEMORY; then there is no end to call.
nav_status pins_remove_begin(pins *p, const char *mesh, uint32_t version, nav_error *err);
void pins_remove_end(pins *p, const char *mesh, uint32_t version);

// The same of all versions of a mesh that have no pin. *pinned lists the others, malloc'ed; end
// takes version 0. Errors: NAV_NO_MEMORY.
nav_status pins_retain_begin(pins *p, const char *mesh, uint32_t **pinned, size_t *count,
                             nav_error *err);

// How many versions have pins.
uint32_t pins_count(pins *p);
