// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// costs.h: what cheapest.c, taut.c and main.c share: a mesh whose ground has several costs, and
// what a walk over it costs.

#pragma once

#include "core/mesh/types.h"
#include "core/query/obstacles/cut.h"
#include "core/query/view/overlay.h"

#include <math.h>

#define COSTS_SHAPES_MAX 6

// Ground of several costs: areas of polygons, and shapes laid over them.
typedef struct priced_ground {
    const nav_mesh *mesh;
    nav_costs costs; // of the filter
    const nav_outline *shapes;
    uint32_t shape_count;
} priced_ground;

static inline double ground_cost(const priced_ground *g, uint32_t polygon)
{
    return (double)nav_costs_table(&g->costs)[g->mesh->classes[polygon]];
}

// cheapest.c: what a straight walk within one polygon costs, the shapes on it counted. Along a
// shape's edge it is that of the cheaper side.
double ground_line_cost(const priced_ground *g, uint32_t polygon, const double a[2],
                        const double b[2]);

// A graph over points on the edges between polygons and on the outlines of shapes (Steiner points).
// Points of one polygon are joined by straight walks, so that a way through the graph is a walk
// that there is, and nearly the cheapest one.
typedef struct cheapest cheapest;

cheapest *cheapest_create(const priced_ground *ground, double spacing);
void cheapest_destroy(cheapest *c);
// Costs from a position to all points.
void cheapest_from(cheapest *c, const nav_location *start);
// The cost of a walk to a position, whose points have been moved along their edges until that made
// it no cheaper; INFINITY where no walk leads there.
double cheapest_to(cheapest *c, const nav_location *end);
// The points of that walk, in plan view. Returns how many.
uint32_t cheapest_points(const cheapest *c, const double (**out)[2]);

// taut.c: how much cheaper a path gets at most if one point is left out, or moved by up to 0.1.
// *where: the point.
double ground_slack(const priced_ground *ground, const float (*points)[3], uint32_t count,
                    uint32_t *where);
