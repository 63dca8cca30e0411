// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// heights.c: the height of a polygon's floor at a position in plan view.
//
// Heights are read where they are asked for: samples are some cells apart, so that a copy of the
// floor under each polygon would cost far more than the few columns that matter. A position has the
// height that the contours give to polygon vertices: at a cell's corner, the lowest of the up to
// four floors that meet there, which is nearest to the ground (nav_field_corner_floor). Thus a
// plane that was voxelized needs no samples at all.
//
//      z ^   +-----+-----+     The floor in one of the four cells is found by the polygon's
//        |   | (4) | (1) |     region, which keeps storeys apart; the others follow by links.
//        |   +-----o-----+     Simplified borders cut corners, so that perhaps none of the
//        |   | (3) | (2) |     four is in the region. Then links are followed to the corner
//        |   +-----+-----+     from the nearest cell in the region. With no cell near, the
//        +---------------> x   floor nearest in height to the polygon is taken.

#include "core/bake/detail/detail.h"

#define ONE NAV_DELAUNAY_ONE

// A span and the cell it is in; span NAV_NONE: none was found.
typedef struct located_span {
    uint32_t span;
    int32_t x, z;
} located_span;

static double off_by(const nav_field *field, uint32_t span, double expected)
{
    double difference = (double)field->floor[span] - expected;
    return difference < 0 ? -difference : difference;
}

// A polygon that was put together at the tile's border can lie in several regions; it has number 0
// and may be in any, but not where there is none, nor in that of another storey.
static inline bool is_in_region(const nav_detail_floor *floor, uint32_t span, double expected)
{
    uint32_t region = floor->field->region[span];
    if (floor->region != 0) {
        return region == floor->region;
    }
    return region != 0 && off_by(floor->field, span, expected) < floor->storey_cells;
}

// The span of a cell that is in the region, or in any, nearest to the expected height if there are
// several.
static inline located_span span_in_cell(const nav_detail_floor *floor, int32_t x, int32_t z,
                                        double expected, bool any_region)
{
    const nav_field *field = floor->field;
    located_span best = {NAV_NONE, x, z};
    if (x < 0 || z < 0 || x >= (int64_t)field->width || z >= (int64_t)field->depth) {
        return best;
    }
    size_t column = (size_t)z * field->width + (size_t)x;
    uint32_t end = field->first[column + 1];
    for (uint32_t span = field->first[column]; span < end; span++) {
        if (!any_region && !is_in_region(floor, span, expected)) {
            continue;
        }
        if (best.span == NAV_NONE ||
            off_by(field, span, expected) < off_by(field, best.span, expected)) {
            best.span = span;
        }
    }
    return best;
}

// The four cells round a corner, in the order of the picture above.
static located_span span_at_corner(const nav_detail_floor *floor, int32_t x, int32_t z,
                                   double expected, bool any_region)
{
    located_span found = span_in_cell(floor, x, z, expected, any_region);
    if (found.span == NAV_NONE) {
        found = span_in_cell(floor, x, z - 1, expected, any_region);
    }
    if (found.span == NAV_NONE) {
        found = span_in_cell(floor, x - 1, z - 1, expected, any_region);
    }
    if (found.span == NAV_NONE) {
        found = span_in_cell(floor, x - 1, z, expected, any_region);
    }
    return found;
}

static uint64_t square_distance(const located_span *span, int32_t x, int32_t z)
{
    int64_t from_x = span->x < x ? x - 1 - span->x : span->x - x;
    int64_t from_z = span->z < z ? z - 1 - span->z : span->z - z;
    return (uint64_t)(from_x * from_x + from_z * from_z);
}

// The nearest span of the region in square rings round a corner; ring 0 are its four cells.
static located_span span_nearby(const nav_detail_floor *floor, int32_t x, int32_t z,
                                double expected)
{
    located_span best = {NAV_NONE, x, z};
    for (int32_t ring = 1; ring <= (int32_t)floor->search_cells; ring++) {
        for (int32_t cell_z = z - 1 - ring; cell_z <= z + ring; cell_z++) {
            bool whole_row = cell_z == z - 1 - ring || cell_z == z + ring;
            int32_t step = whole_row ? 1 : 2 * ring + 1;
            for (int32_t cell_x = x - 1 - ring; cell_x <= x + ring; cell_x += step) {
                located_span span = span_in_cell(floor, cell_x, cell_z, expected, false);
                if (span.span != NAV_NONE &&
                    (best.span == NAV_NONE ||
                     square_distance(&span, x, z) < square_distance(&best, x, z))) {
                    best = span;
                }
            }
        }
        if (best.span != NAV_NONE) {
            break;
        }
    }
    return best;
}

// Steps along a link if there is one.
static bool step(const nav_field *field, located_span *at, int direction)
{
    uint32_t next = nav_field_neighbour(field, at->span, direction);
    if (next == NAV_NONE) {
        return false;
    }
    *at = (located_span){next, at->x + NAV_DIRECTION_X[direction],
                         at->z + NAV_DIRECTION_Z[direction]};
    return true;
}

// Follows links towards the corner's cells as far as they go, along the longer axis first.
static located_span walk_to_corner(const nav_field *field, located_span at, int32_t x, int32_t z)
{
    bool moved = true;
    while (moved) {
        int32_t left_x = at.x < x ? x - 1 - at.x : at.x - x;
        int32_t left_z = at.z < z ? z - 1 - at.z : at.z - z;
        int direction_x = at.x < x ? 2 : 0;
        int direction_z = at.z < z ? 1 : 3;
        if (left_x >= left_z) {
            moved = (left_x > 0 && step(field, &at, direction_x)) ||
                    (left_z > 0 && step(field, &at, direction_z));
        } else {
            moved = step(field, &at, direction_z) || (left_x > 0 && step(field, &at, direction_x));
        }
    }
    return at;
}

static double corner_height(const nav_detail_floor *floor, int32_t x, int32_t z, double expected)
{
    located_span at = span_at_corner(floor, x, z, expected, false);
    if (at.span == NAV_NONE) {
        at = span_nearby(floor, x, z, expected);
        if (at.span != NAV_NONE) {
            at = walk_to_corner(floor->field, at, x, z);
        } else {
            at = span_at_corner(floor, x, z, expected, true);
        }
    }
    if (at.span == NAV_NONE) {
        return expected;
    }
    bool arrived = (at.x == x || at.x == x - 1) && (at.z == z || at.z == z - 1);
    return arrived
               ? nav_field_corner_floor(floor->field, at.span, at.x < x ? 2 : 0, at.z < z ? 1 : 3)
               : floor->field->floor[at.span];
}

double nav_detail_height(const nav_detail_floor *floor, int64_t x, int64_t z, double expected)
{
    NAV_DCHECK(x >= 0);
    NAV_DCHECK(z >= 0);
    int32_t cell_x = (int32_t)(x / ONE);
    int32_t cell_z = (int32_t)(z / ONE);
    double along_x = (double)(x % ONE) / ONE;
    double along_z = (double)(z % ONE) / ONE;
    double near = corner_height(floor, cell_x, cell_z, expected);
    if (along_x > 0) {
        near += along_x * (corner_height(floor, cell_x + 1, cell_z, expected) - near);
    }
    if (along_z == 0) {
        return near;
    }
    double far = corner_height(floor, cell_x, cell_z + 1, expected);
    if (along_x > 0) {
        far += along_x * (corner_height(floor, cell_x + 1, cell_z + 1, expected) - far);
    }
    return near + along_z * (far - near);
}
