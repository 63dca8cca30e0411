// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// wave.c: a wave by cones (cones.h), over ground that costs the same everywhere:
// every cost is that of the cheapest way. Mitchell, Mount, Papadimitriou, "The discrete geodesic
// problem", 1987. Cones that have been opened leave their room to new ones, so that memory grows
// with the wave's front, not with what lies behind it.

#include "core/query/search/wave.h"

#include <math.h>

// Cones leave their room to new ones, so memory does not end a wave. Over polygons that lie all
// over each other, which no bake makes, cones may go round for ever. Sound ground stays far below;
// beyond it labels take over, as they do without memory.
#define OPENED_BASE (UINT64_C(1) << 20)
#define OPENED_A_PORTAL 1024u

// The grain of a float: no key is above the cost that it stands for.
#define KEY_ROUNDING 1.8e-7f

static double step_of(const nav_wave *wave)
{
    return (double)wave->view->costs->least;
}

// How many of the wanted polygons have lower visits than this.
static uint32_t count_below(const nav_wave *wave, uint32_t visit)
{
    uint32_t low = 0, high = wave->wanted_count;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (wave->wanted[middle] < visit) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// Whether a portal is a door behind which nothing is wanted.
static bool leads_astray(const nav_wave *wave, uint32_t index)
{
    const nav_mesh *mesh = wave->view->mesh;
    if (wave->wanted == NULL || index >= mesh->edge_portal_count ||
        (mesh->portal_turning_vertices[index][1] & NAV_TURNING_BRIDGE) == 0) {
        return false;
    }
    // What is behind a door is a run of visits, or, on the way back, all but one.
    const uint32_t *from = mesh->preorder[mesh->portals[index].from];
    const uint32_t *to = mesh->preorder[mesh->portals[index].to];
    return to[0] > from[0]
               ? count_below(wave, to[0]) == count_below(wave, to[1])
               : count_below(wave, from[1]) - count_below(wave, from[0]) == wave->wanted_count;
}

// Opens the cones from `first` on, which an expansion has appended: they move to where others are
// no longer in use.
static void open_cones(nav_wave *wave, uint32_t first)
{
    nav_cones *c = &wave->cones;
    const uint32_t end = c->count;
    c->count = first;
    for (uint32_t i = first; i < end; ++i) {
        nav_cone *cones = c->pool->cones;
        if (leads_astray(wave, cones[i].portal)) {
            continue;
        }
        uint32_t at = wave->free;
        if (at != NAV_NONE) {
            wave->free = cones[at].parent;
        } else {
            at = c->count++;
        }
        cones[at] = cones[i];
        cones[at].key *= 1.0f - KEY_ROUNDING;
        nav_cones_push(c, at);
    }
}

bool nav_wave_cones_begin(nav_wave *wave, nav_scratch *scratch)
{
    const nav_mesh *mesh = wave->view->mesh;
    const float x = wave->source.position[0], z = wave->source.position[2];
    if (!nav_cones_begin(&wave->cones, wave->view, &scratch->cones, mesh->arc_count)) {
        return false;
    }
    wave->cones.home = wave->source.polygon;
    wave->cones.arc_homes = &mesh->portals[mesh->edge_portal_count].to;
    wave->cones.arc_stride = sizeof(nav_portal) / sizeof(uint32_t);
    wave->free = NAV_NONE;
    wave->opened = 0;
    wave->opened_max = OPENED_BASE + (uint64_t)OPENED_A_PORTAL * mesh->portal_count;
    wave->cone = (nav_cone){.root = {x, z},
                            .left = {(double)x, (double)z},
                            .right = {(double)x, (double)z},
                            .portal = NAV_NONE,
                            .parent = NAV_NONE,
                            .turning_vertex = NAV_NONE};
    return true;
}

bool nav_wave_cones_next(nav_wave *wave)
{
    nav_cones *c = &wave->cones;
    const uint32_t first = c->count;
    if (++wave->opened > wave->opened_max ||
        !nav_cones_expand(c, &wave->cone, wave->polygon, NAV_NONE) ||
        !nav_cones_take_arcs(c, &wave->cone, wave->polygon, NAV_NONE)) {
        wave->no_memory = true;
        return false;
    }
    const nav_mesh *mesh = wave->view->mesh;
    nav_cancel_count(wave->cancel,
                     (uint64_t)NAV_STEP_ARC * nav_cones_count_arcs(mesh, wave->polygon));
    open_cones(wave, first);
    while (c->heap_count > 0) {
        const uint32_t popped = nav_cones_pop(c);
        wave->cone = c->pool->cones[popped];
        c->pool->cones[popped].parent = wave->free;
        wave->free = popped;
        if (!nav_cone_is_stale(c, &wave->cone)) {
            wave->portal = wave->cone.portal;
            wave->polygon = mesh->portals[wave->portal].to;
            wave->cost = (double)wave->cone.key * step_of(wave);
            return true;
        }
    }
    return false;
}

void nav_wave_cones_place(const nav_wave *wave, float out[2])
{
    const nav_cone *cone = &wave->cone;
    const nav_mesh *mesh = wave->view->mesh;
    out[0] = cone->root[0];
    out[1] = cone->root[1];
    if (nav_cone_nearest(&wave->cones, cone) == 0.0) {
        return;
    }
    // The foot of the root on the portal's line, or where the nearer ray crosses it.
    const nav_portal *portal = &mesh->portals[cone->portal];
    const double ex = (double)portal->right[0] - (double)portal->left[0];
    const double ez = (double)portal->right[1] - (double)portal->left[1];
    const double along = (((double)out[0] - (double)portal->left[0]) * ex +
                          ((double)out[1] - (double)portal->left[1]) * ez) /
                         (ex * ex + ez * ez);
    out[0] = (float)((double)portal->left[0] + ex * along);
    out[1] = (float)((double)portal->left[1] + ez * along);
    double bend[2];
    if (nav_cone_bend(&wave->cones, cone, out, bend)) {
        out[0] = (float)bend[0];
        out[1] = (float)bend[1];
    }
}
