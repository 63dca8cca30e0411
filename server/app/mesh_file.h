// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// mesh_file.h: the files of the meshes that options name: geometry, settings, checks.

#pragma once

#include "server/api/upload.h"
#include "server/app/options.h"

// Uploads one file with the settings of the mesh; where it has none with config, as the config of
// an upload has them, or if that is NULL with those within the geometry. args override either, as a
// query string does. restart: as in upload_finish. Errors name the file.
nav_status mesh_file_upload(service *s, const option_mesh *mesh, const proto_arg *args,
                            size_t arg_count, const char *config, bool restart, upload_outcome *out,
                            nav_error *err);
// Sets the checks of the mesh, as PUT does, if it has a file of them and they are not set already.
// Errors name the file.
nav_status mesh_file_set_checks(service *s, const option_mesh *mesh, nav_error *err);
// Whether the files of a mesh can be read and hold geometry, settings and checks. Stores nothing.
// Errors name the file.
nav_status mesh_file_check(const option_mesh *mesh, nav_error *err);
// All of a file as a malloc'ed text. Errors: NAV_INVALID_FIELD, NAV_NO_MEMORY.
nav_status mesh_file_read_text(const char *file, char **out, nav_error *err);
