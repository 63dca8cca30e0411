// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// exact.c: clips each triangle to a column, as the definition of a voxel says.
//
// Why this is exact. Vertices and the grid's corner are floats; their difference is a whole number
// of units of the finer of the two and fits into a double, and so does a product of a cell's number
// and the cell's size. So the triangle and the column are as given, to the bit. A clipped corner is
// rounded, a few times over, by 2^-53 of at most 2^20 cells: by less than a millionth of a cell. A
// triangle of which less than that is inside of the column, or less than that is missing, decides
// nothing here.

#include "exact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DOUBT_CELLS 1e-6
#define CORNERS_MAX 7 // a triangle cut by four lines

typedef struct shape {
    uint32_t count;
    double at[CORNERS_MAX][3];
} shape;

static void add_corner(shape *s, const double at[3])
{
    memcpy(s->at[s->count++], at, 3 * sizeof *at);
}

// Keeps what is on the side of `limit` that sign (1 or -1) says (Sutherland and Hodgman 1974).
static shape clip(const shape *in, int axis, double limit, double sign)
{
    shape out = {0};
    for (uint32_t i = 0; i < in->count; ++i) {
        const double *a = in->at[i], *b = in->at[(i + 1) % in->count];
        double from = sign * (a[axis] - limit), to = sign * (b[axis] - limit);
        if (from >= 0) {
            add_corner(&out, a);
        }
        if ((from > 0 && to < 0) || (from < 0 && to > 0)) {
            double cut[3];
            for (int k = 0; k < 3; ++k) {
                cut[k] = a[k] + (b[k] - a[k]) * (from / (from - to));
            }
            add_corner(&out, cut);
        }
    }
    return out;
}

// Relative to the grid's corner, in world units.
static shape triangle_of(const nav_geometry *geometry, const nav_grid *grid, uint32_t triangle)
{
    shape s = {.count = 3};
    for (uint32_t k = 0; k < 9; ++k) {
        uint32_t vertex = geometry->triangles[3 * (size_t)triangle + k / 3];
        s.at[k / 3][k % 3] =
            (double)geometry->vertices[3 * (size_t)vertex + k % 3] - (double)grid->min[k % 3];
    }
    return s;
}

// The part of a triangle in the column widened by `more` cells on all sides.
static shape part_in(const shape *triangle, const nav_grid *grid, uint32_t x, uint32_t z,
                     double more)
{
    const double size = (double)grid->cell_size;
    shape s = clip(triangle, 0, (x - more) * size, 1);
    s = clip(&s, 0, (x + 1 + more) * size, -1);
    s = clip(&s, 2, (z - more) * size, 1);
    return clip(&s, 2, (z + 1 + more) * size, -1);
}

// Marks the cells between the lowest and the highest corner.
static void fill(const shape *s, const nav_grid *grid, bool *solid, uint32_t height)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (uint32_t i = 0; i < s->count; ++i) {
        low = fmin(low, s->at[i][1] / (double)grid->cell_height);
        high = fmax(high, s->at[i][1] / (double)grid->cell_height);
    }
    uint32_t begin = (uint32_t)fmax(0, floor(low));
    uint32_t end = (uint32_t)fmax(begin + 1.0, ceil(high));
    for (uint32_t i = begin; i < end && i < height; ++i) {
        solid[i] = true;
    }
}

// The longest run of cells in which two columns differ.
static uint32_t longest_difference(const bool *a, const bool *b, uint32_t height)
{
    uint32_t run = 0, longest = 0;
    for (uint32_t i = 0; i < height; ++i) {
        run = a[i] != b[i] ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest;
}

bool exact_column_agrees(const nav_geometry *geometry, const nav_grid *grid, uint32_t x, uint32_t z,
                         const uint16_t *bottom, const uint16_t *top, uint32_t count,
                         uint32_t slack)
{
    const uint32_t height = grid->height_cells + 2;
    bool *given = calloc(height, sizeof *given), *exact = calloc(height, sizeof *exact);
    bool certain = given != NULL && exact != NULL;
    for (uint32_t i = 0; certain && i < geometry->triangle_count; ++i) {
        shape triangle = triangle_of(geometry, grid, i);
        shape part = part_in(&triangle, grid, x, z, 0);
        shape less = part_in(&triangle, grid, x, z, -DOUBT_CELLS);
        shape more = part_in(&triangle, grid, x, z, DOUBT_CELLS);
        certain = (less.count > 0) == (more.count > 0);
        if (part.count > 0) {
            fill(&part, grid, exact, height);
        }
    }
    for (uint32_t i = 0; certain && i < count; ++i) {
        for (uint32_t y = bottom[i]; y < top[i] && y < height; ++y) {
            given[y] = true;
        }
    }
    bool agrees = certain && longest_difference(given, exact, height) <= slack;
    free(given);
    free(exact);
    return agrees;
}
