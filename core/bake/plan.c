// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// plan.c: lays the voxel grid over a geometry, or refuses it before anything is allocated.

#include "core/base/cancel.h"
#include "core/base/plane.h"
#include "core/bake/job.h"

#include <math.h>

// The memory that a bake holds at its peak, which is in one of two stages: while triangles become
// spans, so much for each (triangle, cell) pair; or while floors become regions, so much for each
// cell of floor, and for each cell along the edges of triangles, where there are more. The levels
// of core/bake/test_memory.c need between two thirds of this and all of it.
#define BYTES_AT_LEAST 16384.0 // a block for each arena
#define BYTES_PER_COLUMN 5.5
#define BYTES_PER_TOUCH 10.0
#define BYTES_PER_FLOOR 20.0
#define BYTES_PER_EDGE_CELL 4.0

// The voxels that several agents share, while one of them is baked, and each one's areas.
#define BYTES_PER_SHARED_COLUMN 4.0
#define BYTES_PER_SHARED_SPAN 5.0
#define BYTES_PER_AREA 1.0

// A tile's padding beyond the agent's radius: what the filters and the erosion of the tile's own
// cells look at.
#define BORDER_CELLS_EXTRA 3

// With "auto" a level of at most so many cells a side is one tile.
#define ONE_TILE_CELLS_MAX 512

// The cost of voxelizing grows with these.
typedef struct footprint {
    double area;        // of all triangles in plan view
    double floors;      // of those that face up
    double edge_length; // half around their bounding rectangles
    uint32_t triangles;
} footprint;

static void bounds_of_triangle(const nav_geometry *g, size_t triangle, float min[3], float max[3])
{
    for (int axis = 0; axis < 3; ++axis) {
        float a = g->vertices[3 * (size_t)g->triangles[3 * triangle] + (size_t)axis];
        float b = g->vertices[3 * (size_t)g->triangles[3 * triangle + 1] + (size_t)axis];
        float c = g->vertices[3 * (size_t)g->triangles[3 * triangle + 2] + (size_t)axis];
        min[axis] = nav_plane_lesser_f(nav_plane_lesser_f(a, b), c);
        max[axis] = nav_plane_greater_f(nav_plane_greater_f(a, b), c);
    }
}

// Does the triangle reach into the bounds in plan view, or are there none?
static bool touches_bounds(const nav_config *c, const float min[3], const float max[3])
{
    return !c->has_bounds || (max[0] >= c->bounds_min[0] && min[0] <= c->bounds_max[0] &&
                              max[2] >= c->bounds_min[2] && min[2] <= c->bounds_max[2]);
}

// Bounds of the geometry, clipped to the configured ones. Below those nothing is cut off here, so
// that no floor is made where they cut through the ground; above them an agent's headroom is kept.
// Returns false where nothing is left.
static bool bounds_of(const nav_geometry *g, const nav_config *c, nav_cancel *cancel, float min[3],
                      float max[3])
{
    for (int axis = 0; axis < 3; ++axis) {
        min[axis] = INFINITY;
        max[axis] = -INFINITY;
    }
    for (size_t i = 0; i < g->triangle_count && !nav_cancel_poll(cancel, 1); ++i) {
        float low[3], high[3];
        bounds_of_triangle(g, i, low, high);
        for (int axis = 0; axis < 3 && touches_bounds(c, low, high); ++axis) {
            min[axis] = nav_plane_lesser_f(min[axis], low[axis]);
            max[axis] = nav_plane_greater_f(max[axis], high[axis]);
        }
    }
    if (c->has_bounds) {
        for (int axis = 0; axis < 3; axis += 2) {
            min[axis] = fmaxf(min[axis], c->bounds_min[axis]);
            max[axis] = fminf(max[axis], c->bounds_max[axis]);
        }
        max[1] = fminf(max[1], c->bounds_max[1] + c->agent_height + c->cell_height);
    }
    // -0 becomes 0: the order of triangles decides which of them is the least, and it is written
    // into the tiles.
    for (int axis = 0; axis < 3; ++axis) {
        min[axis] = min[axis] == 0 ? 0 : min[axis];
    }
    return min[0] <= max[0] && min[1] <= max[1] && min[2] <= max[2];
}

static footprint footprint_of(const nav_geometry *g, const nav_config *config, nav_cancel *cancel)
{
    footprint sum = {.triangles = g->triangle_count};
    for (size_t i = 0; i < g->triangle_count && !nav_cancel_poll(cancel, 1); ++i) {
        float min[3], max[3];
        bounds_of_triangle(g, i, min, max);
        if (!touches_bounds(config, min, max)) {
            continue;
        }
        const float *a = g->vertices + 3 * (size_t)g->triangles[3 * i];
        const float *b = g->vertices + 3 * (size_t)g->triangles[3 * i + 1];
        const float *c = g->vertices + 3 * (size_t)g->triangles[3 * i + 2];
        double abx = (double)b[0] - (double)a[0], abz = (double)b[2] - (double)a[2];
        double acx = (double)c[0] - (double)a[0], acz = (double)c[2] - (double)a[2];
        double area = (abz * acx - abx * acz) / 2;
        sum.area += fabs(area);
        sum.floors += fmax(area, 0);
        double width = fmax(fmax(abx, acx), 0) - fmin(fmin(abx, acx), 0);
        double depth = fmax(fmax(abz, acz), 0) - fmin(fmin(abz, acz), 0);
        sum.edge_length += width + depth;
    }
    return sum;
}

// A level's size in cells and tiles follows from these.
typedef struct world {
    footprint surface;
    double width, depth; // world units
    double radius;       // of the widest agent
    uint32_t agents;     // besides the one that all settings have
    uint32_t tile_cells; // as the settings have it
    uint64_t memory_limit_bytes;
} world;

// Bytes that the bake of one tile would need at its peak: the whole level where tile_cells is 0,
// else a tile of average complexity. A tile that needs more than the limit although the average
// does not is stopped by its arena.
static double bytes_needed(const world *w, double cell_size, uint32_t tile_cells)
{
    double columns_x = w->width / cell_size + 1, columns_z = w->depth / cell_size + 1;
    double share = 1;
    if (tile_cells > 0 && fmax(columns_x, columns_z) > tile_cells) {
        double padding = 2 * (ceil(w->radius / cell_size) + BORDER_CELLS_EXTRA);
        double padded_x = fmin(tile_cells, columns_x) + padding;
        double padded_z = fmin(tile_cells, columns_z) + padding;
        share = fmin(padded_x / columns_x, 1) * fmin(padded_z / columns_z, 1);
        columns_x = padded_x;
        columns_z = padded_z;
    }
    const footprint *f = &w->surface;
    double edge_cells = f->edge_length / cell_size;
    double touches = f->area / (cell_size * cell_size) + edge_cells + (double)f->triangles;
    double floors = f->floors / (cell_size * cell_size);
    double voxelize = touches * BYTES_PER_TOUCH;
    double regions = floors * BYTES_PER_FLOOR + edge_cells * BYTES_PER_EDGE_CELL;
    double column = BYTES_PER_COLUMN;
    if (w->agents > 0) {
        column += BYTES_PER_SHARED_COLUMN;
        regions += (floors + edge_cells) * (BYTES_PER_SHARED_SPAN + w->agents * BYTES_PER_AREA);
    }
    return BYTES_AT_LEAST + columns_x * columns_z * column + share * fmax(voxelize, regions);
}

static double tiles_along(double length, double cell_size, uint32_t tile_cells)
{
    return tile_cells > 0 ? floor((length / cell_size + 0.5) / tile_cells) + 1 : 1;
}

static bool fits_with(const world *w, double cell_size, uint32_t tile_cells)
{
    double columns = tile_cells > 0 ? 0 : (w->width / cell_size + 1) * (w->depth / cell_size + 1);
    double tiles =
        tiles_along(w->width, cell_size, tile_cells) * tiles_along(w->depth, cell_size, tile_cells);
    return w->width / cell_size < NAV_GRID_SIDE_CELLS_MAX &&
           w->depth / cell_size < NAV_GRID_SIDE_CELLS_MAX && columns < 2e9 &&
           tiles <= NAV_GRID_TILES_MAX &&
           (w->memory_limit_bytes == 0 ||
            bytes_needed(w, cell_size, tile_cells) <= (double)w->memory_limit_bytes);
}

// The tiles that the settings ask for or, with "auto", one tile for a small level and else the
// first size that fits. Returns NAV_NONE where none does.
static uint32_t choose_tile_cells(const world *w, double cell_size)
{
    if (w->tile_cells != NAV_TILE_CELLS_AUTO) {
        return fits_with(w, cell_size, w->tile_cells) ? w->tile_cells : NAV_NONE;
    }
    double side = fmax(w->width, w->depth) / cell_size;
    if (side <= ONE_TILE_CELLS_MAX && fits_with(w, cell_size, 0)) {
        return 0;
    }
    static const uint32_t sizes[] = {128, 256, 512, 1024, 64, 32};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        if (fits_with(w, cell_size, sizes[i])) {
            return sizes[i];
        }
    }
    return NAV_NONE;
}

static bool fits(const world *w, double cell_size)
{
    return choose_tile_cells(w, cell_size) != NAV_NONE;
}

// The least cell size that fits, rounded up to two digits; the largest cells must fit.
static double cell_size_that_fits(const world *w, double cell_size)
{
    while (cell_size < NAV_CELL_SIZE_MAX && !fits(w, cell_size)) {
        cell_size *= 1.02;
    }
    double unit = NAV_CELL_SIZE_MIN;
    while (unit * 100 <= cell_size) {
        unit *= 10;
    }
    return fmin(ceil(cell_size / unit) * unit, NAV_CELL_SIZE_MAX);
}

// The cells are too many, or the tiles, since they are so small.
static nav_status refuse_grid(const world *w, double cell_size, nav_error *err)
{
    double width = w->width, depth = w->depth;
    double tiles =
        tiles_along(width, cell_size, w->tile_cells) * tiles_along(depth, cell_size, w->tile_cells);
    double suggested = cell_size_that_fits(w, cell_size);
    if (w->tile_cells != NAV_TILE_CELLS_AUTO && tiles > NAV_GRID_TILES_MAX &&
        fmax(width, depth) / cell_size < NAV_GRID_SIDE_CELLS_MAX) {
        nav_fail_bound(err, NAV_GRID_TOO_LARGE, "tile_cells", (uint64_t)tiles, NAV_GRID_TILES_MAX,
                       "tiles of %u cells give %.0f tiles; at most %u are allowed: use larger "
                       "tiles or a cell_size of %.6g",
                       w->tile_cells, tiles, NAV_GRID_TILES_MAX, suggested);
    } else {
        nav_fail_at(err, NAV_GRID_TOO_LARGE, "cell_size",
                    "a level of %.6g x %.6g units gives %.3g cells of %.6g, more than the bake may "
                    "hold; try a cell_size of %.6g",
                    width, depth, (width / cell_size + 1) * (depth / cell_size + 1), cell_size,
                    suggested);
        nav_error_got(err, "%.6g", cell_size);
        nav_error_limit(err, "%.6g", suggested);
    }
    if (err != NULL) {
        err->suggest_cell_size = suggested;
    }
    return NAV_GRID_TOO_LARGE;
}

static nav_status refuse_height(double height, double cell_height, nav_error *err)
{
    double least = height / (NAV_HEIGHT_CELLS_MAX - 1);
    nav_fail_at(
        err, NAV_GRID_TOO_LARGE, "cell_height",
        "a level %.6g units high gives more than %u height cells of %.6g; try a cell_height "
        "of %.3g",
        height, NAV_HEIGHT_CELLS_MAX, cell_height, least * 1.01);
    nav_error_got(err, "%.6g", cell_height);
    nav_error_limit(err, "%.3g", least * 1.01);
    return NAV_GRID_TOO_LARGE;
}

// Settings in world units must not become more cells than a level can have.
static nav_status check_cells_of(const nav_config *c, const char *prefix, nav_error *err)
{
    const struct {
        const char *name;
        double cells;
    } sizes[] = {
        {"radius", (double)c->agent_radius / (double)c->cell_size},
        {"height", (double)c->agent_height / (double)c->cell_height},
        {"max_climb", (double)c->agent_max_climb / (double)c->cell_height},
    };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        if (sizes[i].cells > 10000) {
            nav_fail_at(err, NAV_INVALID_FIELD, nav_at("%s.%s", prefix, sizes[i].name).text,
                        "%s.%s is %.0f cells; at most 10000 are allowed", prefix, sizes[i].name,
                        sizes[i].cells);
            nav_error_got(err, "%.0f", sizes[i].cells);
            nav_error_limit(err, "10000");
            return NAV_INVALID_FIELD;
        }
    }
    return NAV_OK;
}

static nav_status check_cells(const nav_config *c, nav_error *err)
{
    nav_status status = check_cells_of(c, "agent", err);
    for (uint32_t i = 0; status == NAV_OK && i < c->agent_count; ++i) {
        const nav_config own = nav_config_of_agent(c, i + 1);
        status = check_cells_of(&own, nav_at("agents.%s", c->agents[i].name).text, err);
    }
    return status;
}

static float widest_radius(const nav_config *c)
{
    float radius = c->agent_radius;
    for (uint32_t i = 0; i < c->agent_count; ++i) {
        radius = fmaxf(radius, c->agents[i].radius);
    }
    return radius;
}

// As in nav_bake_tile, which erodes by this many cells.
static uint32_t border_cells_of(float radius, float cell_size)
{
    return (uint32_t)ceilf(radius / cell_size) + BORDER_CELLS_EXTRA;
}

nav_grid nav_grid_of_agent(const nav_grid *grid, const nav_config *config, uint32_t number)
{
    nav_grid own = *grid;
    NAV_ASSERT(number <= config->agent_count);
    if (own.tile_cells > 0 && number > 0) {
        own.border_cells = border_cells_of(config->agents[number - 1].radius, own.cell_size);
    }
    return own;
}

nav_grid nav_grid_widest(const nav_grid *grid, const nav_config *config)
{
    nav_grid widest = *grid;
    if (widest.tile_cells > 0) {
        widest.border_cells = border_cells_of(widest_radius(config), widest.cell_size);
    }
    return widest;
}

// Divides the grid. Tiles that would be no more than one are one, without padding.
static void place_tiles(nav_grid *grid, uint32_t tile_cells, const nav_config *config)
{
    grid->tiles_x = 1;
    grid->tiles_z = 1;
    if (tile_cells == 0 || (grid->width_cells <= tile_cells && grid->depth_cells <= tile_cells)) {
        return;
    }
    grid->tile_cells = tile_cells;
    grid->tiles_x = (grid->width_cells - 1) / tile_cells + 1;
    grid->tiles_z = (grid->depth_cells - 1) / tile_cells + 1;
    grid->border_cells = border_cells_of(config->agent_radius, config->cell_size);
}

// Half a cell is rounded up, as the field's tools do, so that a level given in whole cells keeps
// its size whatever its coordinates' last bits say.
static void place_cells(nav_grid *grid, double width, double height, double depth)
{
    grid->width_cells = (uint32_t)(width / (double)grid->cell_size + 0.5);
    grid->depth_cells = (uint32_t)(depth / (double)grid->cell_size + 0.5);
    grid->height_cells = (uint32_t)(height / (double)grid->cell_height) + 1;
    grid->width_cells = grid->width_cells < 1 ? 1 : grid->width_cells;
    grid->depth_cells = grid->depth_cells < 1 ? 1 : grid->depth_cells;
}

static nav_status fail_cancelled(nav_error *err)
{
    return nav_fail(err, NAV_CANCELLED, "the plan of the bake was cancelled");
}

// Finds the level's bounds and the cost of its bake.
static nav_status survey(const nav_geometry *geometry, const nav_config *config, nav_cancel *cancel,
                         nav_grid *grid, footprint *surface, nav_error *err)
{
    *grid = (nav_grid){.cell_size = config->cell_size, .cell_height = config->cell_height};
    const bool any = bounds_of(geometry, config, cancel, grid->min, grid->max);
    if (!nav_cancel_is_set(cancel) && !any) {
        return nav_fail_at(err, NAV_MESH_EMPTY, "bounds",
                           "nothing of the level lies within the bounds");
    }
    *surface = footprint_of(geometry, config, cancel);
    return nav_cancel_is_set(cancel) ? fail_cancelled(err) : NAV_OK;
}

nav_status nav_bake_plan(const nav_geometry *geometry, const nav_config *config,
                         uint64_t memory_limit_bytes, nav_grid *out, nav_error *err)
{
    return nav_bake_plan_until(geometry, config, memory_limit_bytes, NULL, out, err);
}

nav_status nav_bake_plan_until(const nav_geometry *geometry, const nav_config *config,
                               uint64_t memory_limit_bytes, const nav_bake_hooks *hooks,
                               nav_grid *out, nav_error *err)
{
    nav_cancel cancel = nav_cancel_by(hooks);
    if (nav_cancel_poll(&cancel, NAV_CANCEL_INTERVAL)) {
        return fail_cancelled(err);
    }
    nav_grid grid;
    footprint surface;
    nav_status status = nav_config_check(config, err);
    NAV_IF_OK(status, nav_geometry_check_until(geometry, hooks, err));
    NAV_IF_OK(status, survey(geometry, config, &cancel, &grid, &surface, err));
    if (status != NAV_OK) {
        return status;
    }
    double width = (double)grid.max[0] - (double)grid.min[0];
    double height = (double)grid.max[1] - (double)grid.min[1];
    double depth = (double)grid.max[2] - (double)grid.min[2];
    double cell_size = (double)config->cell_size;
    double cell_height = (double)config->cell_height;
    const world w = {.surface = surface,
                     .width = width,
                     .depth = depth,
                     .radius = (double)widest_radius(config),
                     .agents = config->agent_count,
                     .tile_cells = config->tile_cells,
                     .memory_limit_bytes = memory_limit_bytes};
    if (!fits(&w, NAV_CELL_SIZE_MAX)) {
        // The cost of the triangles alone, whatever the cells are, is too much.
        nav_fail_at(
            err, NAV_GEOMETRY_TOO_LARGE, "triangles",
            "a level of %u triangles cannot be baked in %.4g bytes of memory with any cell_size",
            w.surface.triangles, (double)memory_limit_bytes);
        nav_error_got(err, "%u", w.surface.triangles);
        return NAV_GEOMETRY_TOO_LARGE;
    }
    if (!fits(&w, cell_size)) {
        return refuse_grid(&w, cell_size, err);
    }
    if (height / cell_height >= NAV_HEIGHT_CELLS_MAX) {
        return refuse_height(height, cell_height, err);
    }
    status = check_cells(config, err);
    if (status != NAV_OK) {
        return status;
    }
    place_cells(&grid, width, height, depth);
    place_tiles(&grid, choose_tile_cells(&w, cell_size), config);
    NAV_ASSERT(grid.width_cells >= 1);
    NAV_ASSERT(grid.width_cells <= NAV_GRID_SIDE_CELLS_MAX);
    NAV_ASSERT(grid.depth_cells >= 1);
    NAV_ASSERT(grid.depth_cells <= NAV_GRID_SIDE_CELLS_MAX);
    NAV_ASSERT(grid.height_cells >= 1);
    NAV_ASSERT(grid.height_cells <= NAV_HEIGHT_CELLS_MAX);
    NAV_ASSERT(grid.tiles_x >= 1);
    NAV_ASSERT(grid.tiles_z >= 1);
    NAV_ASSERT((uint64_t)grid.tiles_x * grid.tiles_z <= NAV_GRID_TILES_MAX);
    *out = grid;
    return NAV_OK;
}
