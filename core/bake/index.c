// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// index.c: which triangles touch which tile. Without it each tile would look at each triangle.
//
//   pass 1: count the triangles of each tile     first[t + 1] += 1
//   sums:   where each tile's run begins         first[t]
//   pass 2: write them down                      triangles[first[t]++]
//
// A triangle belongs to the tiles that its bounding rectangle meets, their padding included. Linear
// in triangles and entries.

#include "core/base/cancel.h"
#include "core/bake/job.h"

#include <math.h>

// Rows and columns of tiles, both ends included; empty where last < first.
typedef struct tile_range {
    uint32_t x, x_last, z, z_last;
} tile_range;

// The tile in which a cell lies, held within the grid.
static uint32_t tile_of(double cell, uint32_t tile_cells, uint32_t tiles)
{
    double tile = floor(cell / tile_cells);
    return tile <= 0 ? 0 : tile >= tiles ? tiles - 1 : (uint32_t)tile;
}

// A tile's padded field reaches over [tile * N - border, (tile + 1) * N + border). A triangle
// beside the grid goes to the outermost tiles, which count it where they own it.
static tile_range range_of(const nav_geometry *geometry, const nav_grid *grid, uint32_t triangle)
{
    const uint32_t *corners = geometry->triangles + 3 * (size_t)triangle;
    const nav_cell_scale scale = nav_bake_cell_scale(grid);
    double low[3] = {0}, high[3] = {0};
    for (int i = 0; i < 3; ++i) {
        const float *corner = geometry->vertices + 3 * (size_t)corners[i];
        for (int axis = 0; axis < 3; axis += 2) {
            double at = (double)nav_bake_cell(&scale, corner, axis);
            low[axis] = i == 0 || at < low[axis] ? at : low[axis];
            high[axis] = i == 0 || at > high[axis] ? at : high[axis];
        }
    }
    NAV_DCHECK(corners[0] < geometry->vertex_count);
    NAV_DCHECK(corners[1] < geometry->vertex_count);
    NAV_DCHECK(corners[2] < geometry->vertex_count);
    NAV_ASSERT(grid->tile_cells > 0);
    double border = grid->border_cells;
    uint32_t n = grid->tile_cells;
    return (tile_range){.x = tile_of(low[0] - border, n, grid->tiles_x),
                        .x_last = tile_of(high[0] + border, n, grid->tiles_x),
                        .z = tile_of(low[2] - border, n, grid->tiles_z),
                        .z_last = tile_of(high[2] + border, n, grid->tiles_z)};
}

bool nav_bake_index_reaches(const nav_geometry *geometry, const nav_grid *grid, uint32_t triangle,
                            uint32_t tile_x, uint32_t tile_z)
{
    const tile_range r = range_of(geometry, grid, triangle);
    return tile_x >= r.x && tile_x <= r.x_last && tile_z >= r.z && tile_z <= r.z_last;
}

// The index of a world of one tile: all triangles.
static nav_status index_one_tile(uint32_t count, nav_arena *result, nav_tile_index *out)
{
    uint32_t *first = NAV_NEW(result, uint32_t, 2);
    uint32_t *triangles = NAV_NEW(result, uint32_t, count);
    if (first == NULL || triangles == NULL) {
        return NAV_NO_MEMORY;
    }
    first[0] = 0;
    first[1] = count;
    for (uint32_t i = 0; i < count; ++i) {
        triangles[i] = i;
    }
    *out = (nav_tile_index){.first = first, .triangles = triangles};
    return NAV_OK;
}

// Entries in all; they must be countable in 32 bits before any of them is written.
static uint64_t count_entries(const nav_geometry *geometry, const nav_grid *grid,
                              nav_cancel *cancel)
{
    uint64_t entries = 0;
    for (uint32_t i = 0; i < geometry->triangle_count && entries < NAV_NONE; ++i) {
        if (nav_cancel_poll(cancel, 1)) {
            break;
        }
        tile_range r = range_of(geometry, grid, i);
        entries += (uint64_t)(r.x_last - r.x + 1) * (r.z_last - r.z + 1);
    }
    return entries;
}

// Adds to each tile how many triangles it has. False where that is not wanted any more.
static bool count_triangles(const nav_geometry *geometry, const nav_grid *grid, uint32_t *first,
                            nav_cancel *cancel)
{
    for (uint32_t i = 0; i < geometry->triangle_count; ++i) {
        tile_range r = range_of(geometry, grid, i);
        for (uint32_t z = r.z; z <= r.z_last; ++z) {
            for (uint32_t x = r.x; x <= r.x_last; ++x) {
                ++first[(size_t)z * grid->tiles_x + x];
            }
            // A row of a triangle is 2,048 tiles at most.
            if (nav_cancel_poll(cancel, 1 + r.x_last - r.x)) {
                return false;
            }
        }
    }
    return true;
}

// Filling from the back leaves each entry at the beginning of its tile's run.
static bool fill_runs(const nav_geometry *geometry, const nav_grid *grid, uint32_t *first,
                      uint32_t *triangles, nav_cancel *cancel)
{
    for (uint32_t i = geometry->triangle_count; i-- > 0;) {
        tile_range r = range_of(geometry, grid, i);
        for (uint32_t z = r.z; z <= r.z_last; ++z) {
            for (uint32_t x = r.x; x <= r.x_last; ++x) {
                triangles[--first[(size_t)z * grid->tiles_x + x]] = i;
            }
            if (nav_cancel_poll(cancel, 1 + r.x_last - r.x)) {
                return false;
            }
        }
    }
    return true;
}

static nav_status index_tiles(const nav_geometry *geometry, const nav_grid *grid, size_t tiles,
                              uint64_t entries, nav_cancel *cancel, nav_arena *result,
                              nav_tile_index *out)
{
    uint32_t *first = NAV_NEW_ZERO(result, uint32_t, tiles + 1);
    uint32_t *triangles = NAV_NEW(result, uint32_t, entries);
    if (first == NULL || triangles == NULL) {
        return NAV_NO_MEMORY;
    }
    if (!count_triangles(geometry, grid, first, cancel)) {
        return NAV_CANCELLED;
    }
    uint32_t sum = 0;
    for (size_t t = 0; t <= tiles; ++t) {
        sum += first[t];
        first[t] = sum;
    }
    NAV_ASSERT(sum == entries);
    if (!fill_runs(geometry, grid, first, triangles, cancel)) {
        return NAV_CANCELLED;
    }
    NAV_ASSERT(first[0] == 0); // each run is filled to its beginning
    NAV_ASSERT(first[tiles] == sum);
    *out = (nav_tile_index){.first = first, .triangles = triangles};
    return NAV_OK;
}

nav_status nav_bake_index(const nav_geometry *geometry, const nav_grid *grid,
                          const nav_bake_hooks *hooks, nav_arena *result, nav_tile_index *out,
                          nav_error *err)
{
    const nav_arena_mark mark = nav_arena_save(result);
    nav_cancel cancel = nav_cancel_by(hooks);
    nav_status status;
    if (nav_cancel_poll(&cancel, NAV_CANCEL_INTERVAL)) {
        status = NAV_CANCELLED;
    } else if (grid->tile_cells == 0) {
        status = index_one_tile(geometry->triangle_count, result, out);
    } else {
        size_t tiles = (size_t)grid->tiles_x * grid->tiles_z;
        uint64_t entries = count_entries(geometry, grid, &cancel);
        if (entries >= NAV_NONE) {
            nav_fail_at(err, NAV_GEOMETRY_TOO_LARGE, "tile_cells",
                        "the triangles lie in too many of the %zu tiles; use larger ones", tiles);
            nav_error_got(err, "%u", grid->tile_cells);
            return NAV_GEOMETRY_TOO_LARGE;
        }
        status = cancel.cancelled
                     ? NAV_CANCELLED
                     : index_tiles(geometry, grid, tiles, entries, &cancel, result, out);
    }
    if (status != NAV_OK) {
        nav_arena_restore(result, mark);
    } else {
        out->border_cells = grid->border_cells;
    }
    if (status == NAV_CANCELLED) {
        nav_fail(err, status, "the bake was cancelled");
    } else if (status == NAV_NO_MEMORY) {
        nav_fail(err, NAV_NO_MEMORY, "the index of the tiles' triangles does not fit into memory");
    }
    return status;
}
