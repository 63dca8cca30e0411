// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// ground.c: distances of heights from the input triangles, which know nothing of voxels.
//
//   triangles facing up --by cell--> ground --heights over it--> errors

#include "ground.h"

#include <math.h>
#include <stdlib.h>

// The point of a cell at which heights are compared.
#define PLACE_X 0.51
#define PLACE_Z 0.47

typedef double point[3];

static void corners_of(const ground *g, uint32_t triangle, point out[3])
{
    const double unit[3] = {(double)g->grid->cell_size, (double)g->grid->cell_height,
                            (double)g->grid->cell_size};
    for (int k = 0; k < 3; ++k) {
        uint32_t vertex = g->geometry->triangles[3 * (size_t)triangle + k];
        for (int axis = 0; axis < 3; ++axis) {
            double at = (double)g->geometry->vertices[3 * (size_t)vertex + axis];
            out[k][axis] = (at - (double)g->grid->min[axis]) / unit[axis];
        }
    }
}

// Twice the area of a, b, c in plan view; positive where it faces up.
static double turn(const point a, const point b, const point c)
{
    return (c[0] - a[0]) * (b[2] - a[2]) - (b[0] - a[0]) * (c[2] - a[2]);
}

// Height of the triangle over a place, or false where it is not there.
static bool height_over(const point t[3], double x, double z, double *height)
{
    const point at = {x, 0, z};
    double area = turn(t[0], t[1], t[2]);
    double to_b = turn(t[0], at, t[2]), to_c = turn(t[0], t[1], at);
    if (fabs(area) < 1e-9 || to_b / area < -1e-9 || to_c / area < -1e-9 ||
        (to_b + to_c) / area > 1 + 1e-9) {
        return false;
    }
    *height = t[0][1] + to_b / area * (t[1][1] - t[0][1]) + to_c / area * (t[2][1] - t[0][1]);
    return true;
}

typedef struct cell_range {
    uint32_t x, z, x_end, z_end;
} cell_range;

static uint32_t cell_of(double at, uint32_t count)
{
    return at <= 0 ? 0 : at >= count ? count : (uint32_t)at;
}

static cell_range cells_under(const ground *g, const point t[3])
{
    double low[3], high[3];
    for (int axis = 0; axis < 3; ++axis) {
        low[axis] = fmin(t[0][axis], fmin(t[1][axis], t[2][axis]));
        high[axis] = fmax(t[0][axis], fmax(t[1][axis], t[2][axis]));
    }
    uint32_t width = g->grid->width_cells, depth = g->grid->depth_cells;
    return (cell_range){cell_of(low[0], width), cell_of(low[2], depth), cell_of(high[0] + 1, width),
                        cell_of(high[2] + 1, depth)};
}

// Counting sort into cells: counts on the first round, places on the second.
static void deal_out(ground *g, bool place)
{
    for (uint32_t i = 0; i < g->geometry->triangle_count; ++i) {
        point t[3];
        corners_of(g, i, t);
        if (turn(t[0], t[1], t[2]) <= 0) {
            continue;
        }
        cell_range r = cells_under(g, (const point *)t);
        for (uint32_t z = r.z; z < r.z_end; ++z) {
            for (uint32_t x = r.x; x < r.x_end; ++x) {
                size_t column = (size_t)z * g->grid->width_cells + x;
                if (place) {
                    g->triangles[g->first[column + 1]++] = i;
                } else {
                    g->first[column + 2]++;
                }
            }
        }
    }
}

bool ground_init(ground *g, const nav_geometry *geometry, const nav_grid *grid)
{
    size_t columns = (size_t)grid->width_cells * grid->depth_cells;
    *g = (ground){geometry, grid, calloc(columns + 2, sizeof *g->first), NULL};
    if (g->first == NULL) {
        return false;
    }
    deal_out(g, false);
    for (size_t i = 2; i < columns + 2; ++i) {
        g->first[i] += g->first[i - 1];
    }
    g->triangles = malloc((g->first[columns + 1] + 1u) * sizeof *g->triangles);
    if (g->triangles == NULL) {
        return false;
    }
    deal_out(g, true);
    return true;
}

void ground_free(ground *g)
{
    free(g->first);
    free(g->triangles);
}

// From a height to the ground nearest to it; infinite where there is none.
static double distance_from_ground(const ground *g, uint32_t x, uint32_t z, double height)
{
    size_t column = (size_t)z * g->grid->width_cells + x;
    double best = HUGE_VAL;
    for (uint32_t i = g->first[column]; i < g->first[column + 1]; ++i) {
        point t[3];
        double level;
        corners_of(g, g->triangles[i], t);
        if (height_over((const point *)t, x + PLACE_X, z + PLACE_Z, &level)) {
            best = fmin(best, fabs(height - level));
        }
    }
    return best;
}

void ground_compare(const ground *g, const float triangle[3][3], ground_errors *sum)
{
    point t[3];
    for (int k = 0; k < 9; ++k) {
        t[k / 3][k % 3] = (double)triangle[k / 3][k % 3];
    }
    cell_range r = cells_under(g, (const point *)t);
    for (uint32_t z = r.z; z < r.z_end; ++z) {
        for (uint32_t x = r.x; x < r.x_end; ++x) {
            double height;
            if (!height_over((const point *)t, x + PLACE_X, z + PLACE_Z, &height)) {
                continue;
            }
            double error = distance_from_ground(g, x, z, height);
            if (error == HUGE_VAL) {
                sum->without++;
                continue;
            }
            sum->count++;
            sum->sum += error;
            sum->worst = fmax(sum->worst, error);
        }
    }
}
