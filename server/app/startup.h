// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// startup.h: the steps from open listeners to a daemon that is ready. Main thread only.

#pragma once

#include "server/app/options.h"
#include "server/base/service.h"

// The threads that load.
typedef struct loaders loaders;

// Lists the live versions of the store in s->load_queue, before a question can name one. Errors:
// those of store_active_list.
nav_status startup_load_list(service *s, nav_error *err);
// Begins to bring every listed version into the registry, on as many threads as there are workers;
// s->load_queue says what is still to come. One that is damaged on disk is queued to be baked
// again. A version that cannot be loaded is logged and left out: the others are worth serving. If
// memory or the disk was the reason, it has been tried six times within two seconds. done(user) is
// called once for each of *pending, on a loader's thread. *out is to be ended in any case; it may
// be NULL. Errors: NAV_NO_MEMORY.
nav_status startup_load_begin(service *s, void (*done)(void *user), void *user, loaders **out,
                              uint32_t *pending, nav_error *err);
// Waits until all are loaded, or, after load_queue_stop, for those in work. Frees l, which may be
// NULL.
void startup_load_end(loaders *l);
// Queues every version whose bake had not ended when the process did.
nav_status startup_requeue(service *s, nav_error *err);
// Sets the checks that belong to meshes of --mesh and "meshes". Before any bake begins.
nav_status startup_set_checks(service *s, const options *o, nav_error *err);
// The outcome for those meshes: the version that each file is, baked now or before; or the one that
// stays live in its place.
typedef struct startup_versions {
    uint32_t items[2 * LIMIT_MESH_FILES];
} startup_versions;

// Uploads the files of --mesh and "meshes" that are not stored yet; a live version with other
// settings stays (api/upload.h). Versions that have to be baked first are watched: done(user) is
// called once for each of *pending, on any thread.
nav_status startup_upload(service *s, const options *o, startup_versions *versions,
                          void (*done)(void *user), void *user, uint32_t *pending, nav_error *err);
// After the bakes: NAV_OK if each of these meshes is live, else the reason why the first is not.
// The log says which check the version of a file fails where another is live.
nav_status startup_check_meshes(service *s, const options *o, const startup_versions *versions,
                                nav_error *err);
// Ends all that a service has, of the daemon or of a command; what it does not have is NULL.
void startup_close(service *s);
