// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// edges.c: the points along polygon edges whose heights the detail mesh keeps.
//
// An edge between two polygons is sampled once, by the polygon of lower index, and both take these
// samples: the surface has no cracks inside a tile. Edges run from their lower end to their higher
// one for both.
//
// Source: D. Douglas, T. Peucker, "Algorithms for the Reduction of the Number of Points Required to
// Represent a Digitized Line or Its Caricature", The Canadian Cartographer 10 (1973).

#include "core/bake/detail/detail.h"
#include "core/bake/polygons/polygons.h"

#include <math.h>

#define ONE NAV_DELAUNAY_ONE

nav_detail_shape nav_detail_shape_of(const nav_polygons *polygons, uint32_t polygon)
{
    const uint32_t *row = polygons->polygon_vertices + (size_t)polygon * polygons->max_vertices;
    nav_detail_shape shape = {polygon, 0, {NULL}, INT32_MAX, INT32_MIN, INT32_MAX, INT32_MIN};
    while (shape.count < polygons->max_vertices && row[shape.count] != NAV_NONE) {
        const int32_t *vertex = polygons->vertices[row[shape.count]];
        shape.vertices[shape.count++] = vertex;
        shape.min_x = vertex[0] < shape.min_x ? vertex[0] : shape.min_x;
        shape.max_x = vertex[0] > shape.max_x ? vertex[0] : shape.max_x;
        shape.min_z = vertex[2] < shape.min_z ? vertex[2] : shape.min_z;
        shape.max_z = vertex[2] > shape.max_z ? vertex[2] : shape.max_z;
    }
    return shape;
}

bool nav_detail_edge_swapped(const int32_t *from, const int32_t *to)
{
    return nav_plan_comes_before(nav_plan_of(to), nav_plan_of(from));
}

bool nav_detail_edges_init(nav_detail_edges *edges, nav_arena *arena, const nav_polygons *polygons,
                           double sample_cells, double error_max)
{
    *edges = (nav_detail_edges){
        .polygons = polygons, .sample_cells = sample_cells, .error_max = error_max};
    edges->edges =
        NAV_NEW(arena, nav_detail_edge, (size_t)polygons->count * polygons->max_vertices);
    edges->profile = NAV_NEW(arena, double, ONE + 1);
    edges->open_ends = NAV_NEW(arena, uint32_t, ONE + 1);
    return edges->edges != NULL && edges->profile != NULL && edges->open_ends != NULL;
}

// How far along the edge point i of steps is, in 1 / ONE of its length.
static uint32_t point_t(uint32_t i, uint32_t steps)
{
    return (uint32_t)(((uint64_t)i * ONE + steps / 2) / steps);
}

// Heights of the floor along an edge, steps + 1 of them; the ends keep the height of their
// vertices.
static void read_profile(nav_detail_edges *edges, const nav_detail_floor *floor, const int32_t *low,
                         const int32_t *high, uint32_t steps)
{
    edges->profile[0] = low[1];
    edges->profile[steps] = high[1];
    for (uint32_t i = 1; i < steps; i++) {
        int64_t t = point_t(i, steps);
        int64_t x = (int64_t)low[0] * ONE + (high[0] - low[0]) * t;
        int64_t z = (int64_t)low[2] * ONE + (high[2] - low[2]) * t;
        double expected = low[1] + (double)(high[1] - low[1]) * (double)t / ONE;
        edges->profile[i] = nav_detail_height(floor, x, z, expected);
    }
}

// The point between two kept ones that is farthest from their straight line, or from itself if
// none is off by more than allowed.
static uint32_t worst_between(const nav_detail_edges *edges, uint32_t from, uint32_t to,
                              uint32_t steps)
{
    uint32_t worst = from;
    double worst_error = edges->error_max;
    double from_t = point_t(from, steps);
    double slope = (edges->profile[to] - edges->profile[from]) / (point_t(to, steps) - from_t);
    for (uint32_t i = from + 1; i < to; i++) {
        double line = edges->profile[from] + slope * (point_t(i, steps) - from_t);
        double error = fabs(edges->profile[i] - line);
        if (error > worst_error) {
            worst = i;
            worst_error = error;
        }
    }
    return worst;
}

// Appends those points of the profile that its shape needs. A stack holds the ends that are still
// to be reached, the nearest on top; a point that must be kept becomes the nearest.
static bool simplify_profile(nav_detail_edges *edges, nav_arena *arena, uint32_t steps)
{
    uint32_t from = 0;
    uint32_t open_count = 1;
    edges->open_ends[0] = steps;
    while (from != steps) {
        NAV_ASSERT(open_count > 0);
        NAV_ASSERT(open_count <= steps);
        uint32_t to = edges->open_ends[open_count - 1];
        NAV_ASSERT(from < to);
        uint32_t worst = worst_between(edges, from, to, steps);
        if (worst != from) {
            edges->open_ends[open_count++] = worst;
            continue;
        }
        from = to;
        open_count--;
        if (from != steps) {
            edges->samples =
                nav_detail_grow(arena, edges->samples, edges->sample_count, &edges->sample_capacity,
                                (size_t)edges->sample_count + 1, sizeof *edges->samples);
            if (edges->samples == NULL) {
                return false;
            }
            edges->samples[edges->sample_count++] =
                (nav_detail_edge_sample){point_t(from, steps), (float)edges->profile[from]};
        }
    }
    return true;
}

// The samples of the edge if the neighbour across it has taken them already, else NULL.
static const nav_detail_edge *shared_edge(const nav_detail_edges *edges, uint32_t polygon,
                                          uint32_t edge, uint32_t next)
{
    const nav_polygons *polygons = edges->polygons;
    size_t row = (size_t)polygon * polygons->max_vertices;
    uint32_t neighbour = polygons->polygon_neighbours[row + edge];
    if (neighbour >= polygon) {
        return NULL;
    }
    size_t other_row = (size_t)neighbour * polygons->max_vertices;
    const uint32_t *ours = polygons->polygon_vertices + row;
    const uint32_t *theirs = polygons->polygon_vertices + other_row;
    uint32_t count = nav_polygon_size(polygons, neighbour), i = 0;
    while (i < count && (theirs[i] != ours[next] || theirs[(i + 1) % count] != ours[edge])) {
        i++;
    }
    NAV_ASSERT(i < count); // the neighbour has the edge as well
    return &edges->edges[other_row + i];
}

static bool sample_edge(nav_detail_edges *edges, nav_arena *arena, const nav_detail_floor *floor,
                        const int32_t *from, const int32_t *to, nav_detail_edge *out)
{
    bool swapped = nav_detail_edge_swapped(from, to);
    double wanted = nav_plane_length(to[0] - from[0], to[2] - from[2]) / edges->sample_cells;
    uint32_t steps = wanted < ONE ? 1 + (uint32_t)wanted : ONE;
    read_profile(edges, floor, swapped ? to : from, swapped ? from : to, steps);
    out->first = edges->sample_count;
    if (!simplify_profile(edges, arena, steps)) {
        return false;
    }
    out->count = edges->sample_count - out->first;
    return true;
}

bool nav_detail_edges_sample(nav_detail_edges *edges, nav_arena *arena,
                             const nav_detail_floor *floor, const nav_detail_shape *shape)
{
    nav_detail_edge *row = edges->edges + (size_t)shape->polygon * edges->polygons->max_vertices;
    for (uint32_t i = 0; i < shape->count; i++) {
        uint32_t next = (i + 1) % shape->count;
        const nav_detail_edge *shared = shared_edge(edges, shape->polygon, i, next);
        if (shared != NULL) {
            row[i] = *shared;
        } else if (!sample_edge(edges, arena, floor, shape->vertices[i], shape->vertices[next],
                                &row[i])) {
            return false;
        }
    }
    return true;
}
