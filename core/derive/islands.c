// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// islands.c: finds the parts that lie apart from the rest of a mesh, reports them, and takes out
// those that are too small.
//
// A tile's bake drops islands that are smaller than region_min_size, but for those that go on in
// the next tile: only here all of their parts are together. Only ground counts that hangs together
// on foot: links are placed after that, as a bake of one tile does not know them either.

#include "core/mesh/steps.h"

static void polygon_centre(const nav_mesh *mesh, uint32_t polygon, float out[3])
{
    double sum[3] = {0.0, 0.0, 0.0};
    uint32_t first = mesh->records[polygon].corner_first;
    uint32_t count = mesh->records[polygon + 1].corner_first - first;
    for (uint32_t k = 0; k < count; ++k) {
        for (int axis = 0; axis < 3; ++axis) {
            sum[axis] += (double)mesh->vertices[mesh->corners[first + k]][axis];
        }
    }
    for (int axis = 0; axis < 3; ++axis) {
        out[axis] = (float)(sum[axis] / count);
    }
}

nav_status nav_mesh_warn_islands(const nav_mesh *mesh, const uint8_t *keep, nav_warning *warning,
                                 nav_arena *temporary)
{
    const uint32_t count = mesh->stats.components;
    double *areas = NAV_NEW_ZERO(temporary, double, count);
    uint32_t *firsts = NAV_NEW(temporary, uint32_t, count);
    if (areas == NULL || firsts == NULL) {
        return NAV_NO_MEMORY;
    }
    for (uint32_t i = mesh->stats.polygons; i-- > 0 && !nav_cancel_poll(mesh->cancel, 1);) {
        areas[mesh->records[i].component - 1] += nav_mesh_polygon_area(mesh, i);
        firsts[mesh->records[i].component - 1] = i;
    }
    if (nav_cancel_status(mesh->cancel) != NAV_OK) {
        return NAV_CANCELLED; // not all positions are known
    }
    uint32_t largest = 0;
    for (uint32_t i = 1; i < count && !nav_cancel_poll(mesh->cancel, 1); ++i) {
        largest = areas[i] > areas[largest] ? i : largest;
    }
    for (uint32_t i = 0; i < count && !nav_cancel_poll(mesh->cancel, 1); ++i) {
        if (keep != NULL ? !keep[firsts[i]] : i != largest) {
            float centre[3];
            polygon_centre(mesh, firsts[i], centre);
            nav_warning_add(warning, centre, (float)areas[i], NULL);
        }
    }
    return nav_cancel_status(mesh->cancel);
}

// Sets keep for the polygons of components that do not cross or are large enough.
static uint32_t choose_large(const nav_mesh *mesh, double area_min, const bool *crossing,
                             double *areas, uint8_t *keep)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < mesh->stats.polygons && !nav_cancel_poll(mesh->cancel, 1); ++i) {
        areas[mesh->records[i].component - 1] += nav_mesh_polygon_area(mesh, i);
    }
    for (uint32_t i = 0; i < mesh->stats.polygons && !nav_cancel_poll(mesh->cancel, 1); ++i) {
        uint32_t component = mesh->records[i].component - 1;
        NAV_DCHECK(component < mesh->stats.components);
        keep[i] = !crossing[component] || areas[component] >= area_min;
        kept += keep[i];
    }
    return kept;
}

static nav_status drop_small(nav_mesh *mesh, double area_min, nav_arena *temporary,
                             nav_bake_report *report, nav_error *err)
{
    uint8_t *keep = NAV_NEW(temporary, uint8_t, mesh->stats.polygons);
    bool *crossing = NAV_NEW_ZERO(temporary, bool, mesh->stats.components);
    double *areas = NAV_NEW_ZERO(temporary, double, mesh->stats.components);
    if (keep == NULL || crossing == NULL || areas == NULL) {
        return NAV_NO_MEMORY;
    }
    // Marks the components that go over a tile's border, which a tile's bake has not counted.
    // Beyond it they may have nothing: what is thin there folds up when contours are simplified.
    for (uint32_t i = 0; i < mesh->stats.polygons && !nav_cancel_poll(mesh->cancel, 1); ++i) {
        crossing[mesh->records[i].component - 1] |= mesh->records[i].at_border;
    }
    uint32_t kept = choose_large(mesh, area_min, crossing, areas, keep);
    if (nav_cancel_status(mesh->cancel) != NAV_OK || kept == mesh->stats.polygons) {
        return nav_cancel_status(mesh->cancel);
    }
    if (kept == 0) {
        return nav_fail(err, NAV_MESH_EMPTY,
                        "every piece of ground that can be walked on is smaller than "
                        "region_min_size squared; use a smaller region_min_size");
    }
    nav_status status = NAV_OK;
    if (report != NULL) {
        status = nav_mesh_warn_islands(mesh, keep, &report->warnings[NAV_WARN_REGIONS_REMOVED],
                                       temporary);
    }
    return status == NAV_OK ? nav_mesh_keep_only(mesh, keep, temporary) : status;
}

nav_status nav_mesh_drop_small_islands(nav_mesh *mesh, const nav_config *config,
                                       nav_arena *temporary, nav_bake_report *report,
                                       nav_error *err)
{
    if (config == NULL || config->region_min_size == 0 || mesh->run_count < 2) {
        return NAV_OK;
    }
    nav_arena_mark mark = nav_arena_save(temporary);
    NAV_ASSERT(mesh->stats.links == 0);
    NAV_ASSERT(mesh->portal_count == mesh->edge_portal_count);
    // Half a cell less, as areas are rounded: where contours have no error they are whole cells.
    double cells = (double)config->region_min_size * config->region_min_size - 0.5;
    double area_min = cells * (double)config->cell_size * (double)config->cell_size;
    nav_status status = nav_mesh_find_components(mesh, temporary);
    NAV_IF_OK(status, drop_small(mesh, area_min, temporary, report, err));
    nav_arena_restore(temporary, mark);
    return status;
}
