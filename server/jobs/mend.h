// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// mend.h: what becomes of damage that somebody comes upon: a version whose settings and geometry
// are whole is baked again as it is, in the background (jobs/bake/bake.c); all else is left to the
// operator and told (meshes/damage_list.h).
//
//   load, question, start --> damage_list: found --> jobs_repair --> whole | left

#pragma once

#include "server/base/service.h"

// A ready version that cannot be read, or not well. `why` says of what damage_fail said that it is
// being made again, where it is. Nothing happens where it is known already, or where the service
// keeps no list of damages. Thread: any.
void mend_version(service *s, const char *mesh, uint32_t version, nav_error *why);
// At the start, once the live versions have been loaded and before the workers begin: looks at the
// rows and lists of all versions and at all checks, without reading tiles. done(user) is called
// once, on any thread, for each of *pending: live versions that wait for it.
void mend_begin(service *s, void (*done)(void *user), void *user, uint32_t *pending);
// How the baking again of a version has ended. *why is the reason.
void mend_end(service *s, const char *mesh, uint32_t version, nav_status status,
              const nav_error *why);
// Versions of this mesh that were damaged may have been removed.
void mend_forget_removed(service *s, const char *mesh);
