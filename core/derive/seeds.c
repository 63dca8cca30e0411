// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// seeds.c: keeps the ground that is of use. With seeds, only the polygons that can be reached from
// one stay; without, all do, and the report names the components that lie apart from the largest.
//
//   seeds --flood over portals and arcs--> kept polygons --keep.c--> the rest is gone

#include "core/mesh/steps.h"

static void reach(uint8_t *keep, uint32_t *stack, uint32_t *depth, uint32_t polygon)
{
    if (!keep[polygon]) {
        keep[polygon] = 1;
        stack[(*depth)++] = polygon;
    }
}

// Marks everything that can be reached from the polygons on the stack, which are marked already.
static void flood(const nav_mesh *mesh, uint8_t *keep, uint32_t *stack, uint32_t depth)
{
    while (depth > 0 && !nav_cancel_poll(mesh->cancel, 1)) {
        uint32_t polygon = stack[--depth];
        NAV_DCHECK(polygon < mesh->stats.polygons);
        NAV_DCHECK(keep[polygon]);
        uint32_t end = mesh->portal_first[polygon + 1];
        for (uint32_t i = mesh->portal_first[polygon]; i < end; ++i) {
            reach(keep, stack, &depth, mesh->portals[i].to);
        }
        if (mesh->arc_count > 0) {
            end = mesh->edge_portal_count + mesh->arc_first[polygon + 1];
            (void)nav_cancel_poll(mesh->cancel,
                                  mesh->arc_first[polygon + 1] - mesh->arc_first[polygon]);
            for (uint32_t i = mesh->edge_portal_count + mesh->arc_first[polygon]; i < end; ++i) {
                reach(keep, stack, &depth, mesh->portals[i].to);
            }
        }
    }
}

// Puts the polygons on which seeds land onto the stack. Returns how many.
static uint32_t snap_seeds(const nav_mesh *mesh, const nav_config *config, uint8_t *keep,
                           uint32_t *stack, nav_bake_report *report)
{
    uint32_t depth = 0;
    for (uint32_t i = 0;
         i < config->seed_count && !nav_cancel_poll(mesh->cancel, NAV_CANCEL_INTERVAL); ++i) {
        nav_location location;
        const float *seed = config->seeds[i];
        if (nav_query_nearest(mesh, seed, nav_snap_default(), NAV_NONE, &location, 1) > 0) {
            reach(keep, stack, &depth, location.polygon);
        } else if (report != NULL) {
            nav_warning *warning = &report->warnings[NAV_WARN_SEED_OFF_MESH];
            const bool kept = warning->item_count < NAV_WARNING_ITEMS_MAX;
            nav_warning_add(warning, seed, kept ? nav_mesh_distance(mesh, seed) : 0.0f,
                            nav_at("seeds[%u]", i).text);
        }
    }
    return depth;
}

// ---- exported ----

static nav_status prune_to_seeds(nav_mesh *mesh, const nav_config *config, nav_arena *temporary,
                                 nav_bake_report *report, nav_error *err)
{
    uint8_t *keep = NAV_NEW_ZERO(temporary, uint8_t, mesh->stats.polygons);
    uint32_t *stack = NAV_NEW(temporary, uint32_t, mesh->stats.polygons);
    if (keep == NULL || stack == NULL) {
        return NAV_NO_MEMORY;
    }
    uint32_t landed = snap_seeds(mesh, config, keep, stack, report);
    NAV_ASSERT(landed <= mesh->stats.polygons);
    if (nav_cancel_status(mesh->cancel) != NAV_OK) {
        return NAV_CANCELLED;
    }
    if (landed == 0) {
        const float *seed = config->seeds[0];
        nav_fail_at(
            err, NAV_MESH_EMPTY, "seeds",
            "none of the %u seeds lies on the mesh, so nothing would stay; seeds[0] is %.3f away",
            config->seed_count, (double)nav_mesh_distance(mesh, seed));
        nav_error_got(err, "%g, %g, %g", (double)seed[0], (double)seed[1], (double)seed[2]);
        return NAV_MESH_EMPTY;
    }
    flood(mesh, keep, stack, landed);
    nav_status status = nav_cancel_status(mesh->cancel);
    if (status == NAV_OK && report != NULL) {
        status = nav_mesh_warn_islands(mesh, keep, &report->warnings[NAV_WARN_ISLAND_REMOVED],
                                       temporary);
    }
    return status == NAV_OK ? nav_mesh_keep_only(mesh, keep, temporary) : status;
}

nav_status nav_mesh_prune(nav_mesh *mesh, const nav_config *config, nav_arena *temporary,
                          nav_bake_report *report, nav_error *err)
{
    nav_arena_mark mark = nav_arena_save(temporary);
    nav_status status = NAV_OK;
    if (config != NULL && config->seed_count > 0) {
        status = prune_to_seeds(mesh, config, temporary, report, err);
    } else if (report != NULL && mesh->stats.components > 1) {
        status = nav_mesh_warn_islands(mesh, NULL, &report->warnings[NAV_WARN_ISLAND], temporary);
    }
    nav_arena_restore(temporary, mark);
    return status;
}
