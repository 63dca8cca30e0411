// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// repair.h: damage and its repair. A version whose checksums fail is marked in the list of damage
// (meshes/damage_list.h), and an ordinary bake of its stored geometry and settings
// (jobs/bake/bake.c) takes its place; where these are damaged themselves it is reported to the
// operator.
//
//   load, question, start, upload --> damage_list: found --> jobs_submit --> whole | left

#pragma once

#include "server/base/service.h"
#include "server/meshes/damage_list.h"
#include "server/store/store.h"

// Whether a version's row is whole, and, if it is ready, the list of its tiles; with `bytes` also
// its tiles, landmarks, settings and geometry. Errors: PROTO_INTERNAL, which names the damage;
// those of store_tiles_load.
nav_status repair_check(store *disk, const store_version *row, bool bytes, nav_error *err);

// Takes note of a ready version that cannot be read in full. If it is then baked again, `why` says
// so instead of damage_fail's advice. Nothing happens if its damage is known already, or if the
// service keeps no damage list. Thread: any.
void repair_version(service *s, const char *mesh, uint32_t version, nav_error *why);
// Result: the status of a reader of a version, as its caller is to get it. Damage, PROTO_INTERNAL,
// is noted as by repair_version, and is PROTO_NOT_READY while it is repaired. Thread: any.
nav_status repair_after(service *s, const char *mesh, uint32_t version, nav_status status,
                        nav_error *err);
// At the start, once the live versions have been loaded and before the workers begin: checks the
// rows and lists of all versions and at all checks, without reading tiles. done(user) is called
// once, on any thread, for each of *pending: live versions that wait for it.
void repair_begin(service *s, void (*done)(void *user), void *user, uint32_t *pending);
// Takes note of how the repair of a version has ended. *why is the reason.
void repair_end(service *s, const char *mesh, uint32_t version, nav_status status,
                const nav_error *why);
// A version of the mesh was baked: damaged ones may have gone for it, and those that were left are
// tried again, since their geometry may be whole now.
void repair_again(service *s, const char *mesh);
