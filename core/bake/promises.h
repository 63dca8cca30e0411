// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// promises.h: the promises of each stage to the next, checked over the whole structure where
// NAV_DEBUG is on; elsewhere these calls do nothing. Private to core/.

#pragma once

#include "core/bake/stages.h"

// After voxelize, filter and liquid: columns in order, spans that rise and do not touch.
void nav_promise_solid(const nav_bake_job *job, const nav_heightfield *solid);
// After compact and link: the same of floors, and links that lead to the column beside and back.
void nav_promise_field(const nav_bake_job *job, const nav_field *field);
// After the partition: every open span has a region or is of the padding, every region has spans.
void nav_promise_regions(const nav_field *field);
// After contours: closed lines of at least three points, of a region each.
void nav_promise_contours(const nav_bake_job *job, const nav_field *field,
                          const nav_contour_set *set);
// After polygons: convex ones of vertices that are there, whose neighbours know them.
void nav_promise_polygons(const nav_bake_job *job, const nav_polygons *polygons);
// After detail: triangles of each polygon, in order, of corners that are there.
void nav_promise_detail(const nav_polygons *polygons, const nav_detail *detail);
