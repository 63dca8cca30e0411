// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// mesh_file.h: the files that the command line names: geometry of --mesh, settings of `navmeshd
// bake`.

#pragma once

#include "server/api/upload.h"
#include "server/app/options.h"

// Uploads one file, with settings as the query string and the config of an upload have them; config
// NULL: those within the geometry. restart: as in upload_finish. Errors name the file.
nav_status mesh_file_upload(service *s, const option_mesh *mesh, const proto_arg *args,
                            size_t arg_count, const char *config, bool restart, upload_outcome *out,
                            nav_error *err);
// Whether a file can be read and holds geometry. Stores nothing.
nav_status mesh_file_check(const char *file, nav_error *err);
// Fails with *why, the file's name before its sentence. A long path loses its front, so that the
// reason stays whole. Returns the status of *why.
nav_status mesh_file_blame(const option_mesh *mesh, const nav_error *why, nav_error *err);
// All of a file as a malloc'ed text. Errors: NAV_INVALID_FIELD, NAV_NO_MEMORY.
nav_status mesh_file_read_text(const char *file, char **out, nav_error *err);
