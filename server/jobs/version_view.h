// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// version_view.h: a version as clients see it: the store's row and its job's progress together.

#pragma once

#include "proto/json/json.h"
#include "server/base/service.h"
#include "server/jobs/jobs.h"
#include "server/meshes/damage_list.h"
#include "server/store/store.h"

// A row with its job's progress. The job is read before the row: a version that ends in between
// then shows as ended, never as forgotten.
typedef struct version_view {
    store_version row;
    bool has_job;
    job_progress job;
    bool is_damaged;
    damage_list_entry damage; // known damage of a version whose row can be read
} version_view;

// Errors: of store_version_get. To be given to version_view_free.
nav_status version_view_get(service *s, const char *mesh, uint32_t version, version_view *out,
                            nav_error *err);
void version_view_free(version_view *view);
void version_view_write(proto_writer *w, const version_view *view, bool deduplicated);
// The array of all of a mesh's versions. Errors: of store_version_list.
nav_status version_view_write_all(service *s, const char *mesh, proto_writer *w, nav_error *err);
