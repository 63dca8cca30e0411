// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// oom_kinds.h: the requests that oom.c lets fail, and their right answers.

#pragma once

#include <stddef.h>

#define OOM_TILES "cell_size=0.5&tile_cells=24"
#define OOM_UPLOADED "\"version\""

// Made in the mesh "gone" before the request.
typedef enum oom_before {
    OOM_NOTHING,
    OOM_A_MESH,
    OOM_TWO_VERSIONS
} oom_before;

typedef struct oom_kind {
    // In a body "square" is another level each time; %u is a version.
    const char *name, *method, *path, *type, *body;
    int status;
    const char *has; // part of the right answer
    oom_before before;
    // An acknowledged change is read back here; NULL: none is.
    const char *then_path;
    int then_status;
    const char *then_has;
} oom_kind;

extern const oom_kind OOM_KINDS[];
extern const size_t OOM_KIND_COUNT;
