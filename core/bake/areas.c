// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// areas.c: steps 1 and 4, the area of each span: materials before voxelizing, cuts, volumes
// (volumes.c) and the median filter on the open field.
//
//   material -> area     (once a tile; the voxelizer looks it up by triangle)
//   cuts                 before erosion: the agent keeps its radius from what was cut out
//   erosion
//   volumes, median      after erosion: the border of water is where the water is

#include "core/bake/stages.h"

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
    NAV_ASSERT(g->material_count > 0);
    for (uint32_t i = 0; i < g->material_count; ++i) {
        areas[i] = area_of_material(config, g->material_names[i]);
    }
    job->material_areas = areas;
    return NAV_OK;
}

// ---- the median filter ----

static uint16_t median_of(uint16_t areas[9])
{
    for (int i = 1; i < 9; ++i) {
        uint16_t area = areas[i];
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
static uint16_t median_around(const nav_bake_job *job, const nav_field *field, uint32_t i)
{
    uint16_t areas[9];
    for (int k = 0; k < 9; ++k) {
        areas[k] = field->area[i];
    }
    for (int direction = 0; direction < 4; ++direction) {
        uint32_t side = nav_field_neighbour(field, i, direction);
        if (side == NAV_NONE) {
            continue;
        }
        uint32_t corner = nav_field_neighbour(field, side, (direction + 1) & 3);
        if (field->area[side] != NAV_AREA_NONE && !nav_bake_is_low(job, field, side)) {
            areas[2 * direction] = field->area[side];
        }
        if (corner != NAV_NONE && field->area[corner] != NAV_AREA_NONE &&
            !nav_bake_is_low(job, field, corner)) {
            areas[2 * direction + 1] = field->area[corner];
        }
    }
    return median_of(areas);
}

static nav_status smooth_areas(const nav_bake_job *job, nav_field *field)
{
    uint16_t *smooth = NAV_NEW(job->scratch, uint16_t, field->span_count);
    if (smooth == NULL) {
        return NAV_NO_MEMORY;
    }
    for (uint32_t i = 0; i < field->span_count; ++i) {
        if (nav_cancel_poll(job->cancel, NAV_STEP_EAR)) {
            return nav_bake_end(job);
        }
        bool fixed = field->area[i] == NAV_AREA_NONE || nav_bake_is_low(job, field, i);
        smooth[i] = fixed ? field->area[i] : median_around(job, field, i);
    }
    memcpy(field->area, smooth, field->span_count * sizeof *smooth);
    return NAV_OK;
}

// ---- exported ----

// Height bounds cut floors and not triangles: a ceiling above them is still one.
nav_status nav_bake_cut(const nav_bake_job *job, nav_field *field)
{
    NAV_ASSERT(field->links != NULL);
    NAV_ASSERT(field->headroom != NULL);
    const nav_config *config = job->config;
    if (config->has_bounds) {
        int64_t lowest = nav_bake_height_cell(job, config->bounds_min[1]);
        int64_t highest = nav_bake_height_cell(job, config->bounds_max[1]) + 1;
        for (uint32_t i = 0; i < field->span_count; ++i) {
            if (nav_cancel_poll(job->cancel, 1)) {
                return nav_bake_end(job);
            }
            if (field->floor[i] < lowest || field->floor[i] > highest) {
                field->area[i] = NAV_AREA_NONE;
            }
        }
    }
    return nav_bake_volumes(job, field, true);
}

nav_status nav_bake_areas(const nav_bake_job *job, nav_field *field)
{
    nav_status status = nav_bake_volumes(job, field, false);
    return status == NAV_OK && job->config->area_median ? smooth_areas(job, field) : status;
}
