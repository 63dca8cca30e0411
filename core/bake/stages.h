// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// stages.h: the stages of a bake, in order; each file or folder has the entry named here. Private
// to core/.
//
// A stage reads the result of the one before, allocates what it builds from job->scratch or from
// `result`, asserts at its entry what it was promised and reports numbers into job->report.
//
// Errors of each: NAV_NO_MEMORY, whose sentence nav_bake_tile writes; NAV_CANCELLED;
// NAV_TILE_TOO_COMPLEX where a count has no room.

#pragma once

#include "core/bake/field.h"

// Results of later stages: contours/contours.h, polygons/polygons.h, detail/detail.h.
typedef struct nav_contour_set nav_contour_set;
typedef struct nav_polygons nav_polygons;
typedef struct nav_detail nav_detail;

// areas.c: the areas of the geometry's materials; sets material_areas and has_liquid.
nav_status nav_bake_materials(nav_bake_job *job);
// voxelize/voxelize.c: triangles -> solid spans.
nav_status nav_bake_voxelize(const nav_bake_job *job, nav_arena *result, nav_heightfield *out);
// filter.c: takes the walkable mark from spans where nobody can stand.
nav_status nav_bake_filter(const nav_bake_job *job, nav_heightfield *solid);
// liquid.c: merges the surfaces of liquids into the filtered spans.
nav_status nav_bake_liquid(const nav_bake_job *job, nav_arena *result, nav_heightfield *solid);
// compact.c: solid spans -> open field, without neighbours as yet.
nav_status nav_bake_compact(const nav_bake_job *job, const nav_heightfield *solid,
                            nav_arena *result, nav_field *out);
// compact.c: links neighbours in the field; the solid spans may be gone by then.
nav_status nav_bake_link(const nav_bake_job *job, nav_arena *result, nav_field *field);
// areas.c: takes out what volumes of area "none" and the height bounds cut.
nav_status nav_bake_cut(const nav_bake_job *job, nav_field *field);
// erode.c: shrinks the walkable area by the agent's radius.
nav_status nav_bake_erode(const nav_bake_job *job, nav_field *field);
// areas.c: volumes give their area to the ground inside; the median filter.
nav_status nav_bake_areas(const nav_bake_job *job, nav_field *field);
// volumes.c: the part of both that volumes have: the cuts, or all others. scratch is the
// caller's to give back.
nav_status nav_bake_volumes(const nav_bake_job *job, nav_field *field, bool cuts);
// volumes.c: could the volume change anything in the tile or its padding?
bool nav_bake_volume_reaches(const nav_bake_job *job, const nav_volume *volume);
// distance.c: distance to the border of each span's area, blurred. It takes the place of the
// headroom, which no later stage reads.
nav_status nav_bake_distance(const nav_bake_job *job, nav_field *field);
// regions/watershed.c: partition into regions without holes in one floor.
nav_status nav_bake_regions_watershed(const nav_bake_job *job, nav_arena *result, nav_field *field);
// regions/monotone.c: the same without distances, by rows.
nav_status nav_bake_regions_monotone(const nav_bake_job *job, nav_arena *result, nav_field *field);
// regions/layers.c: partition into regions with holes, without distances.
nav_status nav_bake_regions_layers(const nav_bake_job *job, nav_arena *result, nav_field *field);
// contours/contours.c: region borders -> simplified closed contours.
nav_status nav_bake_contours(const nav_bake_job *job, const nav_field *field, nav_contour_set *out);
// polygons/polygons.c: contours -> convex polygons with adjacency.
nav_status nav_bake_polygons(const nav_bake_job *job, const nav_contour_set *contours,
                             nav_polygons *out);
// detail/detail.c: heights inside the polygons.
nav_status nav_bake_detail(const nav_bake_job *job, const nav_field *field,
                           const nav_polygons *polygons, nav_detail *out);
// write.c: everything -> the blob. Field cells become grid cells; the bounding-volume tree is
// built.
nav_status nav_bake_tile_write(const nav_bake_job *job, const nav_polygons *polygons,
                               const nav_detail *detail, nav_arena *result, nav_blob *out);
