// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// startup.h: what must be in memory before the daemon is ready.

#pragma once

#include "server/app/options.h"
#include "server/base/service.h"
#include "server/api/upload.h"

// The threads that load.
typedef struct loaders loaders;

// What is said of a mesh whose name cannot be read.
#define STARTUP_NAME_DAMAGED                                                                       \
    "the name of a mesh is damaged in the database: navmeshd verify tells which, restore a backup"

// Lists the live versions of the store in s->loads, before anybody can ask for one. Errors: those
// of store_active_list.
nav_status startup_load_list(service *s, nav_error *err);
// Begins to bring every listed version into the registry, on as many threads as there are workers;
// s->loads says what is still to come. Tiles that are damaged on disk are baked again.
// A version that cannot be loaded is logged and left out: the others are worth serving. Where
// memory or the disk was the reason it has been tried six times within two seconds. done(user) is
// called once for each of *pending, on a loader's thread. *out is to be ended in any case; it may
// be NULL. Errors: NAV_NO_MEMORY.
nav_status startup_load_begin(service *s, void (*done)(void *user), void *user, loaders **out,
                              uint32_t *pending, nav_error *err);
// Waits until all are loaded, or, after loads_stop, for what is in work; a repair is cancelled by
// that. Frees l, which may be NULL.
void startup_load_end(loaders *l);
// Queues every version whose bake had not ended when the process did.
nav_status startup_requeue(service *s, nav_error *err);
// Uploads the files of --mesh that are not stored yet; where a version with other settings is live,
// that stays (api/upload.h). Versions that have to be baked first are
// watched: done(user) is called once for each of *pending.
nav_status startup_upload(service *s, const options *o, void (*done)(void *user), void *user,
                          uint32_t *pending, nav_error *err);
// Uploads one file, with settings as the query string and the config of an upload have them; config
// NULL: those within the geometry. restart: as in upload_finish. Errors name the file.
nav_status startup_upload_file(service *s, const option_mesh *mesh, const proto_arg *args,
                               size_t arg_count, const char *config, bool restart,
                               upload_outcome *out, nav_error *err);
// What is wrong with a file of --mesh, named, and whatever else `why` says. A long path loses its
// front, so that the reason stays whole. Returns the status of `why`.
nav_status startup_blame_file(const option_mesh *mesh, const nav_error *why, nav_error *err);
// All of a file as a malloc'ed text. Errors: NAV_INVALID_FIELD, NAV_NO_MEMORY.
nav_status startup_read_text(const char *file, char **out, nav_error *err);
// After the bakes: NAV_OK if every mesh of --mesh is live, else why the first is not.
nav_status startup_check_meshes(service *s, const options *o, nav_error *err);
// Whether a file of --mesh can be read and holds geometry. Stores nothing.
nav_status startup_check_file(const char *file, nav_error *err);
