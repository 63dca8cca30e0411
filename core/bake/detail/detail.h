// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// detail.h: step 9, height detail: what the stage hands on, and the parts of it: the floor's height
// at a position, samples along edges, and the surface of one polygon, which is refined until it
// meets its samples. Private to core/.

#pragma once

#include "core/bake/stages.h"
#include "core/base/delaunay.h"

// ---- what the stage hands on ----

// Height detail. Polygon i has extra vertices vertices[vertex_first[i]..vertex_first[i+1]],
// triangles triangles[triangle_first[i]..triangle_first[i+1]]. A triangle's indices count the
// polygon's own vertices first (0..n-1), then its extra ones.
struct nav_detail {
    float (*vertices)[3]; // x and z in cells of the padded field, y in height cells; all fractional
    uint16_t (*triangles)[3];
    uint32_t *vertex_first, *triangle_first; // count + 1 each, or NULL where detail is off
    uint32_t vertex_count, triangle_count;
};

// ---- heights.c ----

// The ground in which heights of one polygon are looked up.
typedef struct nav_detail_floor {
    const nav_field *field;
    uint32_t region;       // of the polygon
    uint32_t search_cells; // how far from a position its floor is looked for
    double storey_cells;   // floors that are so far apart belong to different storeys
} nav_detail_floor;

// Height, in cells, of the floor at a position given in 1/NAV_DELAUNAY_ONE cells of the field: at
// the corner of a cell the lowest floor that meets there, between corners their bilinear mean.
// expected is the height the polygon has there; it settles which of several floors is meant.
double nav_detail_height(const nav_detail_floor *floor, int64_t x, int64_t z, double expected);

// ---- edges.c ----

// One polygon with its bounds in plan view.
typedef struct nav_detail_shape {
    uint32_t polygon, count;
    const int32_t *vertices[NAV_POLYGON_VERTICES_MAX];
    int32_t min_x, max_x, min_z, max_z;
} nav_detail_shape;

// A point on an edge: t / NAV_DELAUNAY_ONE of its length from its lower end to its higher one (by
// x, then z), so that its fixed-point coordinates are whole numbers and it lies exactly on the
// edge.
typedef struct nav_detail_edge_sample {
    uint32_t t;
    float height;
} nav_detail_edge_sample;

// The samples of one edge, from its lower end to its higher one.
typedef struct nav_detail_edge {
    uint32_t first, count;
} nav_detail_edge;

// The samples of all edges of all polygons; both polygons at an edge point to the same ones.
typedef struct nav_detail_edges {
    const nav_polygons *polygons;
    nav_detail_edge *edges; // max_vertices a polygon
    nav_detail_edge_sample *samples;
    uint32_t sample_count, sample_capacity;
    double sample_cells, error_max;
    double *profile;     // heights along one edge
    uint32_t *open_ends; // stack of its simplification
} nav_detail_edges;

nav_detail_shape nav_detail_shape_of(const nav_polygons *polygons, uint32_t polygon);

// True if the edge's lower end is its second one.
bool nav_detail_edge_swapped(const int32_t *from, const int32_t *to);

// False: no memory.
bool nav_detail_edges_init(nav_detail_edges *edges, nav_arena *arena, const nav_polygons *polygons,
                           double sample_cells, double error_max);

// Samples the edges of one polygon; to be called for each in order of index. An edge keeps those
// samples without which it would be off by more than error_max height cells. False: no memory.
bool nav_detail_edges_sample(nav_detail_edges *edges, nav_arena *arena,
                             const nav_detail_floor *floor, const nav_detail_shape *shape);

// ---- surface.c ----

// An array with room for need elements, at least doubled if it has to move; NULL: no memory.
void *nav_detail_grow(nav_arena *arena, void *array, uint32_t count, uint32_t *capacity,
                      size_t need, size_t size_bytes);

// A point whose height the surface should meet.
typedef struct nav_detail_sample {
    nav_delaunay_point point;
    float height;
    uint32_t next; // sample of the same triangle, or NAV_NONE
} nav_detail_sample;

// Data of a triangle beside its corners. height = height of corner 0
//   + slope_u * (u - u of corner 0) + slope_v * (v - v of corner 0).
typedef struct nav_detail_face {
    double slope_u, slope_v;
    double worst_error;    // height cells
    uint32_t worst_sample; // NAV_NONE: it has no samples
    uint32_t first_sample; // list of its samples
    uint32_t heap_index;   // in nav_detail_surface.heap, or NAV_NONE
} nav_detail_face;

// The surface over one polygon. Zero-initialise once; memory is kept from polygon to polygon.
typedef struct nav_detail_surface {
    nav_delaunay plan;
    float *heights; // by point of the plan, height cells
    nav_detail_sample *samples;
    nav_detail_face *faces; // by triangle of the plan
    uint32_t *heap;         // triangles that are off by too much, the worst one first
    uint32_t sample_count, heap_count;
    uint32_t point_capacity, sample_capacity, face_capacity, heap_capacity;
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
// Height of the surface at a point inside the triangle.
double nav_detail_surface_height(const nav_detail_surface *surface, uint32_t triangle,
                                 nav_delaunay_point point);
// Adds a sample, for which room is reserved, to the triangle that contains it.
void nav_detail_surface_add(nav_detail_surface *surface, uint32_t triangle,
                            nav_delaunay_point point, float height);

// Inserts samples, the worst one first, until none is off by more than error_max height cells or
// point_max points stand; *met says which. NAV_OK, NAV_NO_MEMORY or NAV_CANCELLED.
nav_status nav_detail_surface_refine(nav_detail_surface *surface, const nav_bake_job *job,
                                     double error_max, uint32_t point_max, bool *met);
