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
// Whether the files of a mesh can be read and hold geometry, settings and checks, within these
// limits. Errors name the file.
nav_status mesh_file_check(const option_mesh *mesh, const service_limits *limits, nav_error *err);
// The checks in a file, as the store has them, malloc'ed. Errors name the line.
nav_status mesh_file_read_checks(const char *file, char **out, nav_error *err);
// The settings of --settings FILE, malloc'ed, which have to be right by themselves. Errors name the
// file and the line.
nav_status mesh_file_read_settings(const char *file, char **out, nav_error *err);

// ---- between mesh_file.c and mesh_parts.c ----

// Reads all parts of a mesh. Parts that have not changed since the live version was made are taken
// from its stored geometry; without a store all are read. Errors name the part.
nav_status mesh_parts_read(service *s, const option_mesh *mesh, nav_coordinates coordinates,
                           proto_parts *out, nav_error *err);
