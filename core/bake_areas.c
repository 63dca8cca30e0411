// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bake_areas.c: what kind of ground a span is: materials before voxelizing, volumes and the median
// filter on the open field.
//
//   material -> area     (once a tile; the voxelizer looks it up by triangle)
//   cuts                 before erosion: the agent keeps its radius from what was cut out
//   erosion
//   volumes, median      after erosion: the border of water is where the water is
//
// A span belongs to a volume if the centre of its cell does in plan view, and its floor's cell lies
// between the cells of the volume's bottom and top, both included. Cell centres depend on the
// world's grid alone, so that neighbouring tiles agree on what they share.

#include "bake.h"

#include <math.h>
#include <string.h>

// ---- materials ----

// Materials are sorted by name (nav_config_check).
static uint8_t area_of_material(const nav_config *config, const char *name)
{
    uint32_t begin = 0, end = config->material_count;
    while (begin < end) {
        uint32_t middle = begin + (end - begin) / 2;
        int order = strcmp(name, config->materials[middle].name);
        if (order == 0) {
            return config->materials[middle].area;
        }
        begin = order > 0 ? middle + 1 : begin;
        end = order < 0 ? middle : end;
    }
    for (uint32_t i = 0; config->areas != NULL && i < config->area_count; ++i) {
        if (strcmp(name, config->areas[i].name) == 0) {
            return (uint8_t)i;
        }
    }
    return NAV_AREA_GROUND;
}

nav_status nav_bake_materials(nav_bake_job *job)
{
    const nav_geometry *g = job->geometry;
    const nav_config *config = job->config;
    for (uint32_t i = 0; config->areas != NULL && i < config->area_count; ++i) {
        job->has_liquid = job->has_liquid || config->areas[i].liquid;
    }
    if (g->triangle_materials == NULL) {
        return NAV_OK;
    }
    uint8_t *areas = NAV_NEW(job->scratch, uint8_t, g->material_count);
    if (areas == NULL) {
        return NAV_NO_MEMORY;
    }
    for (uint32_t i = 0; i < g->material_count; ++i) {
        areas[i] = area_of_material(config, g->material_names[i]);
    }
    job->material_areas = areas;
    return NAV_OK;
}

// ---- volumes ----

// A volume in cells of the tile's padded field, not yet limited to it.
typedef struct extent {
    double min_x, max_x, min_z, max_z; // plan view
    int64_t bottom, top;               // cells of floors, both included
} extent;

// Cells are float products, as where triangles are voxelized: 2 units are ten cells of 0.2.
static double to_x_cells(const nav_bake_job *job, float x)
{
    const nav_grid *grid = job->grid;
    return (double)((x - grid->min[0]) * (1.0f / grid->cell_size)) - job->first_x_cells;
}

static double to_z_cells(const nav_bake_job *job, float z)
{
    const nav_grid *grid = job->grid;
    return (double)((z - grid->min[2]) * (1.0f / grid->cell_size)) - job->first_z_cells;
}

static int64_t to_height_cell(const nav_bake_job *job, float y)
{
    const nav_grid *grid = job->grid;
    return (int64_t)floorf((y - grid->min[1]) * (1.0f / grid->cell_height));
}

static extent extent_of(const nav_bake_job *job, const nav_volume *volume)
{
    float min[2] = {volume->min[0], volume->min[2]}, max[2] = {volume->max[0], volume->max[2]};
    if (volume->shape == NAV_VOLUME_CYLINDER) {
        for (int axis = 0; axis < 2; ++axis) {
            max[axis] = min[axis] + volume->radius;
            min[axis] -= volume->radius;
        }
    } else if (volume->shape == NAV_VOLUME_CONVEX) {
        min[0] = min[1] = INFINITY;
        max[0] = max[1] = -INFINITY;
        for (uint32_t i = 0; i < volume->point_count; ++i) {
            for (int axis = 0; axis < 2; ++axis) {
                float at = volume->points[i][axis];
                min[axis] = at < min[axis] ? at : min[axis];
                max[axis] = at > max[axis] ? at : max[axis];
            }
        }
    }
    return (extent){.min_x = to_x_cells(job, min[0]),
                    .max_x = to_x_cells(job, max[0]),
                    .min_z = to_z_cells(job, min[1]),
                    .max_z = to_z_cells(job, max[1]),
                    .bottom = to_height_cell(job, volume->min[1]),
                    .top = to_height_cell(job, volume->max[1]) +
                           (job->config->volumes_reach_up ? 1 : 0)};
}

// Even-odd rule: a ray from the point along x crosses the outline an odd number of times. Works for
// either winding.
static bool is_inside_outline(const nav_bake_job *job, const nav_volume *volume, double x, double z)
{
    bool inside = false;
    for (uint32_t i = 0, j = volume->point_count - 1; i < volume->point_count; j = i++) {
        double xi = to_x_cells(job, volume->points[i][0]);
        double zi = to_z_cells(job, volume->points[i][1]);
        double xj = to_x_cells(job, volume->points[j][0]);
        double zj = to_z_cells(job, volume->points[j][1]);
        if ((zi > z) != (zj > z) && x < xi + (xj - xi) * (z - zi) / (zj - zi)) {
            inside = !inside;
        }
    }
    return inside;
}

static bool is_inside(const nav_bake_job *job, const nav_volume *volume, const extent *e, double x,
                      double z)
{
    if (x < e->min_x || x > e->max_x || z < e->min_z || z > e->max_z) {
        return false;
    }
    if (volume->shape == NAV_VOLUME_CYLINDER) {
        double dx = x - to_x_cells(job, volume->min[0]);
        double dz = z - to_z_cells(job, volume->min[2]);
        double radius = (double)volume->radius / (double)job->grid->cell_size;
        return dx * dx + dz * dz <= radius * radius;
    }
    return volume->shape == NAV_VOLUME_BOX || is_inside_outline(job, volume, x, z);
}

// A passage that stays in the mesh for those who crouch.
static bool is_low(const nav_bake_job *job, const nav_field *field, uint32_t i)
{
    return job->low_cells != 0 && field->headroom[i] <= job->height_min_cells;
}

static void mark_column(const nav_bake_job *job, const nav_volume *volume, const extent *e,
                        nav_field *field, size_t column)
{
    for (uint32_t i = field->first[column]; i < field->first[column + 1]; ++i) {
        bool within = field->floor[i] >= e->bottom && field->floor[i] <= e->top;
        bool kept = volume->area != NAV_AREA_NONE && is_low(job, field, i);
        if (within && !kept && field->area[i] != NAV_AREA_NONE) {
            field->area[i] = volume->area;
        }
    }
}

// The cell that holds a place, limited to 0 .. count; NaN cannot occur.
static uint32_t limit_cell(double cells, uint32_t count)
{
    return cells <= 0 ? 0 : cells >= count ? count : (uint32_t)cells;
}

// The cells of the padded field that a volume may reach in plan view; none where an end is not
// beyond its beginning.
static nav_tile_cells cells_of(const nav_bake_job *job, const extent *e)
{
    return (nav_tile_cells){.x = limit_cell(e->min_x, job->width_cells),
                            .z = limit_cell(e->min_z, job->depth_cells),
                            .x_end = limit_cell(e->max_x + 1, job->width_cells),
                            .z_end = limit_cell(e->max_z + 1, job->depth_cells)};
}

static nav_status mark_volume(const nav_bake_job *job, const nav_volume *volume, nav_field *field)
{
    extent e = extent_of(job, volume);
    nav_tile_cells cells = cells_of(job, &e);
    for (uint32_t z = cells.z; z < cells.z_end; ++z) {
        if (nav_bake_cancelled(job)) {
            return nav_bake_end(job);
        }
        for (uint32_t x = cells.x; x < cells.x_end; ++x) {
            if (is_inside(job, volume, &e, x + 0.5, z + 0.5)) {
                mark_column(job, volume, &e, field, (size_t)z * field->width + x);
            }
        }
    }
    return NAV_OK;
}

static nav_status mark_volumes(const nav_bake_job *job, nav_field *field, bool cuts)
{
    nav_status status = NAV_OK;
    for (uint32_t i = 0; status == NAV_OK && i < job->config->volume_count; ++i) {
        const nav_volume *volume = &job->config->volumes[i];
        if ((volume->area == NAV_AREA_NONE) == cuts) {
            status = mark_volume(job, volume, field);
        }
    }
    return status;
}

// ---- the median filter ----

static uint8_t median_of(uint8_t areas[9])
{
    for (int i = 1; i < 9; ++i) {
        uint8_t area = areas[i];
        int j = i;
        for (; j > 0 && areas[j - 1] > area; --j) {
            areas[j] = areas[j - 1];
        }
        areas[j] = area;
    }
    return areas[4];
}

// The area that a span's 3 x 3 neighbourhood has in the middle. Neighbours that are missing, cannot
// be walked on or are low passages count as the span's own area.
static uint8_t median_around(const nav_bake_job *job, const nav_field *field, uint32_t i)
{
    uint8_t areas[9];
    memset(areas, field->area[i], sizeof areas);
    for (int direction = 0; direction < 4; ++direction) {
        uint32_t side = nav_field_neighbour(field, i, direction);
        if (side == NAV_NONE) {
            continue;
        }
        uint32_t corner = nav_field_neighbour(field, side, (direction + 1) & 3);
        if (field->area[side] != NAV_AREA_NONE && !is_low(job, field, side)) {
            areas[2 * direction] = field->area[side];
        }
        if (corner != NAV_NONE && field->area[corner] != NAV_AREA_NONE &&
            !is_low(job, field, corner)) {
            areas[2 * direction + 1] = field->area[corner];
        }
    }
    return median_of(areas);
}

static nav_status smooth_areas(const nav_bake_job *job, nav_field *field)
{
    uint8_t *smooth = NAV_NEW(job->scratch, uint8_t, field->span_count);
    if (smooth == NULL) {
        return NAV_NO_MEMORY;
    }
    for (uint32_t i = 0; i < field->span_count; ++i) {
        if (i % 4096 == 0 && nav_bake_cancelled(job)) {
            return nav_bake_end(job);
        }
        bool fixed = field->area[i] == NAV_AREA_NONE || is_low(job, field, i);
        smooth[i] = fixed ? field->area[i] : median_around(job, field, i);
    }
    memcpy(field->area, smooth, field->span_count);
    return NAV_OK;
}

// ---- exported ----

bool nav_bake_volume_reaches(const nav_bake_job *job, const nav_volume *volume)
{
    extent e = extent_of(job, volume);
    nav_tile_cells cells = cells_of(job, &e);
    return cells.x < cells.x_end && cells.z < cells.z_end;
}

// Height bounds cut floors and not triangles: a ceiling above them is still one.
nav_status nav_bake_cut(const nav_bake_job *job, nav_field *field)
{
    const nav_config *config = job->config;
    if (config->has_bounds) {
        int64_t lowest = to_height_cell(job, config->bounds_min[1]);
        int64_t highest = to_height_cell(job, config->bounds_max[1]) + 1;
        for (uint32_t i = 0; i < field->span_count; ++i) {
            if (nav_bake_ask(job, i)) {
                return nav_bake_end(job);
            }
            if (field->floor[i] < lowest || field->floor[i] > highest) {
                field->area[i] = NAV_AREA_NONE;
            }
        }
    }
    return mark_volumes(job, field, true);
}

nav_status nav_bake_areas(const nav_bake_job *job, nav_field *field)
{
    nav_status status = mark_volumes(job, field, false);
    return status == NAV_OK && job->config->area_median ? smooth_areas(job, field) : status;
}
