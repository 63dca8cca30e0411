// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// edges.c: how near a place lies to where the walkable ground ends. Erosion's front runs from the
// edge inwards; here one runs from the span outwards, over the same links and by the same distance,
// and passes an edge where erosion's would have come to the span.

#include "core/bake/explain/explain.h"
#include "core/bake/front.h"

#include <math.h>

// The cell of a span in the padded field.
static void find_cell(const nav_field *field, uint32_t span, uint32_t *x, uint32_t *z)
{
    size_t low = 0, high = (size_t)field->width * field->depth;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        *(field->first[middle] <= span ? &low : &high) = middle;
    }
    *x = (uint32_t)(low % field->width);
    *z = (uint32_t)(low / field->width);
}

// The nearest edge so far, in cells around the span where the search began.
typedef struct nearest_edge {
    const nav_field *field;
    double from_x, from_z; // middle of its cell
    double distance2;      // negative: none yet
    double at_x, at_z;
    uint32_t span;
    bool is_cut;
} nearest_edge;

static double limit(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

// The side of a cell that leads nowhere, or to what was cut: a segment of length one.
static void consider_side(nearest_edge *e, uint32_t span, uint32_t x, uint32_t z, int direction,
                          bool is_cut)
{
    const double side_x = x + 0.5 + 0.5 * NAV_DIRECTION_X[direction];
    const double side_z = z + 0.5 + 0.5 * NAV_DIRECTION_Z[direction];
    const double half_x = NAV_DIRECTION_X[direction] == 0 ? 0.5 : 0;
    const double half_z = NAV_DIRECTION_Z[direction] == 0 ? 0.5 : 0;
    const double at_x = limit(e->from_x, side_x - half_x, side_x + half_x);
    const double at_z = limit(e->from_z, side_z - half_z, side_z + half_z);
    const double dx = at_x - e->from_x, dz = at_z - e->from_z, distance2 = dx * dx + dz * dz;
    if (e->distance2 < 0 || distance2 < e->distance2) {
        e->distance2 = distance2;
        e->at_x = at_x;
        e->at_z = at_z;
        e->span = span;
        e->is_cut = is_cut;
    }
}

static void consider_span(nearest_edge *e, uint32_t span)
{
    const nav_field *f = e->field;
    uint32_t x, z;
    if (f->area[span] == NAV_AREA_NONE) {
        return; // the spans beside it report
    }
    find_cell(f, span, &x, &z);
    for (int direction = 0; direction < 4; ++direction) {
        const uint32_t beside = nav_field_neighbour(f, span, direction);
        if (beside == NAV_NONE || f->area[beside] == NAV_AREA_NONE) {
            consider_side(e, span, x, z, direction, beside != NAV_NONE);
        }
    }
}

nav_status nav_seen_edge(const nav_bake_job *job, const nav_field *field, uint32_t span,
                         nav_floor_facts *out)
{
    uint32_t x, z;
    nav_front front;
    find_cell(field, span, &x, &z);
    nearest_edge e = {.field = field, .from_x = x + 0.5, .from_z = z + 0.5, .distance2 = -1};
    nav_status status = nav_front_begin(&front, job, field, true);
    NAV_IF_OK(status, !nav_front_start(&front, span) ? NAV_NO_MEMORY : NAV_OK);
    NAV_IF_OK(status, nav_front_run(&front, 2 * job->radius_cells));
    for (uint32_t i = 0; status == NAV_OK && i < front.passed.count; ++i) {
        consider_span(&e, front.passed.spans[i]);
    }
    if (status == NAV_OK && e.distance2 >= 0) {
        out->edge_distance = (float)sqrt(e.distance2) * job->grid->cell_size;
        out->edge_is_cut = e.is_cut;
        nav_bake_world(job, (float)e.at_x, (float)e.field->floor[e.span], (float)e.at_z, out->edge);
    }
    nav_front_end(&front);
    return status;
}
