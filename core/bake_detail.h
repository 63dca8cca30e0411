// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bake_detail.h: the two helpers of bake_detail.c: heights of places, and the surface of one
// polygon that is refined until it meets them. Private to the bake_detail files and their tests.

#pragma once

#include "bake.h"
#include "delaunay.h"

// ---- bake_detail_heights.c ----

// Where heights of one polygon are looked for.
typedef struct nav_detail_floor {
    const nav_field *field;
    uint32_t region;       // of the polygon
    uint32_t search_cells; // how far from a place without a floor of the region one is looked for
} nav_detail_floor;

// Height, in cells, of the floor at a place given in 1/NAV_DELAUNAY_ONE cells of the field: at the
// corner of a cell the highest floor that meets there, between corners their bilinear mean.
// expected is the height the polygon has there; it settles which of several floors is meant.
double nav_detail_height(const nav_detail_floor *floor, int64_t x, int64_t z, double expected);

// ---- bake_detail_surface.c ----

// A place whose height the surface should meet.
typedef struct nav_detail_sample {
    nav_delaunay_point place;
    float height;
    uint32_t next; // sample of the same triangle, or NAV_NONE
} nav_detail_sample;

// What is known of a triangle beside its corners. height = height of corner 0
//   + slope_u * (u - u of corner 0) + slope_v * (v - v of corner 0).
typedef struct nav_detail_face {
    double slope_u, slope_v;
    double worst_error;    // height cells
    uint32_t worst_sample; // NAV_NONE: it has no samples
    uint32_t first_sample; // list of its samples
    uint32_t heap_place;   // in nav_detail_surface.heap, or NAV_NONE
} nav_detail_face;

// The surface over one polygon. Zero-initialise once; memory is kept from polygon to polygon.
typedef struct nav_detail_surface {
    nav_delaunay plan;
    float *heights; // by point of the plan, height cells
    nav_detail_sample *samples;
    nav_detail_face *faces; // by triangle of the plan
    uint32_t *heap;         // triangles that are off by too much, the worst one first
    uint32_t sample_count, heap_count;
    uint32_t point_capacity, sample_capacity, face_capacity;
} nav_detail_surface;

// Makes room for point_count points; keeps what is there. False: no memory.
bool nav_detail_surface_reserve(nav_detail_surface *surface, nav_arena *arena,
                                uint32_t point_count);
// The same for samples.
bool nav_detail_surface_reserve_samples(nav_detail_surface *surface, nav_arena *arena,
                                        uint32_t sample_count);

// To be called when the polygon's corners and edge samples stand in the plan: computes the slopes
// and empties the lists of samples.
void nav_detail_surface_prepare(nav_detail_surface *surface);
// Height of the surface at a place inside the triangle.
double nav_detail_surface_height(const nav_detail_surface *surface, uint32_t triangle,
                                 nav_delaunay_point place);
// Adds a sample, for which room is reserved, to the triangle that contains it.
void nav_detail_surface_add(nav_detail_surface *surface, uint32_t triangle,
                            nav_delaunay_point place, float height);

// Inserts samples, the worst one first, until none is off by more than error_max height cells or
// point_max points stand; *met tells which. NAV_OK or NAV_NO_MEMORY.
nav_status nav_detail_surface_refine(nav_detail_surface *surface, nav_arena *arena,
                                     double error_max, uint32_t point_max, bool *met);
