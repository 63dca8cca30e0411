// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// our_bake.h: our bake, opened up: one tile, stage by stage, with all that the stages hand to each
// other kept. For comparisons and pictures.

#pragma once

#include "core/bake/contours/contours.h"
#include "core/bake/detail/detail.h"
#include "core/bake/polygons/polygons.h"
#include "core/bake/stages.h"

typedef struct our_bake {
    nav_arena scratch, kept; // for the stages from contours on, and for those before
    nav_grid grid;
    nav_bake_report report;
    nav_error err;
    nav_bake_job job;
    nav_heightfield solid;
    nav_field field;
    nav_contour_set contours;
    nav_polygons polygons;
    nav_detail detail;
} our_bake;

// Runs the stages with the job that nav_bake_tile would set up. To be freed in any case.
nav_status our_bake_run(our_bake *b, const nav_geometry *geometry, const nav_config *config);
void our_bake_free(our_bake *b);
