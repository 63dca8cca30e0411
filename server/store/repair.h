// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// damage.h: how damage of the database is told: whose it is, what of it, and what to do.

#pragma once

#include "proto/base/status.h"

// "version 3 of mesh 'town' is damaged in the database: tile 4,0. <advice>", with what printf makes
// of format, cut after 60 bytes. Returns PROTO_INTERNAL.
nav_status damage_fail(nav_error *err, const char *mesh, uint32_t version, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// The same of what cannot be replaced: only a backup helps. Returns PROTO_STORE_UNAVAILABLE.
nav_status damage_fail_for_good(nav_error *err, const char *mesh, uint32_t version,
                                const char *what);
// In place of the advice: that it is being made again, which makes it PROTO_NOT_READY.
void damage_is_repaired(nav_error *err);
