// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// visibility_overlay.h: what shapes have left of a mesh, as a mesh of its own for brute force
// (visibility.h): faces with their portals, and the links whose two ends are left, also those of a
// state.

#pragma once

#include "visibility_world.h"

#define LEFT_CLOSED (NAV_AREAS_MAX - 1) // an area that no world has

typedef struct left_ground {
    nav_mesh mesh; // as much of it as brute force reads
    nav_costs costs;
    nav_scratch *scratch; // which holds what the view sees
    nav_view view;
} left_ground;

static inline void left_add_face(left_ground *g, uint32_t polygon)
{
    nav_mesh *mesh = &g->mesh;
    const nav_face face = nav_view_face(&g->view, polygon);
    const bool closed = nav_polygon_cost(&g->view, polygon) == INFINITY;
    const uint32_t count = closed ? 0 : face.portal_count;
    mesh->classes[polygon] =
        closed ? LEFT_CLOSED : g->view.mesh->classes[nav_view_base(&g->view, polygon)];
    mesh->portals =
        realloc(mesh->portals, (mesh->edge_portal_count + count + 1u) * sizeof *mesh->portals);
    for (uint32_t i = 0; i < count; ++i) {
        mesh->portals[mesh->edge_portal_count++] = face.portals[i];
    }
    mesh->portal_first[polygon + 1] = mesh->edge_portal_count;
}

// NAV_NONE where it is cut out.
static inline uint32_t left_polygon_at(const left_ground *g, uint32_t polygon, const float at[3])
{
    if (g->view.overlay == NULL || nav_overlay_find(g->view.overlay, polygon) == NULL) {
        return polygon;
    }
    const nav_fragment *piece = nav_overlay_fragment_at(g->view.overlay, polygon, at[0], at[2]);
    return piece != NULL ? piece->number : NAV_NONE;
}

static inline void left_add_links(left_ground *g)
{
    const nav_mesh *mesh = g->view.mesh;
    const uint32_t added = g->view.links != NULL ? g->view.links->count : 0;
    g->mesh.links = calloc(mesh->stats.links + added + 1u, sizeof *g->mesh.links);
    for (uint32_t i = 0; i < mesh->stats.links + added; ++i) {
        nav_placed_link link =
            i < mesh->stats.links ? mesh->links[i] : g->view.links->placed[i - mesh->stats.links];
        link.start_polygon = left_polygon_at(g, link.start_polygon, link.start);
        link.end_polygon = left_polygon_at(g, link.end_polygon, link.end);
        if (link.start_polygon != NAV_NONE && link.end_polygon != NAV_NONE) {
            g->mesh.links[g->mesh.stats.links++] = link;
        }
    }
}

// The mesh is borrowed.
static inline void left_begin(left_ground *g, const nav_mesh *mesh, const nav_options *options)
{
    *g = (left_ground){0};
    assert_int_equal(nav_scratch_create(NULL, &g->scratch), NAV_OK);
    assert_true(nav_view_begin(mesh, g->scratch, options, &g->view));
    g->costs = *g->view.costs;
    g->costs.area[LEFT_CLOSED] = INFINITY;
    if (g->costs.by_class != NULL) {
        g->costs.by_class[LEFT_CLOSED] = INFINITY;
    }
    const uint32_t count = nav_view_polygons(&g->view);
    g->mesh.stats.polygons = count;
    g->mesh.classes = calloc(count + 1u, sizeof *g->mesh.classes);
    g->mesh.portal_first = calloc(count + 1u, sizeof *g->mesh.portal_first);
    for (uint32_t i = 0; i < count; ++i) {
        left_add_face(g, i);
    }
    left_add_links(g);
}

static inline void left_end(left_ground *g)
{
    free(g->mesh.classes);
    free(g->mesh.portal_first);
    free(g->mesh.portals);
    free(g->mesh.links);
    nav_scratch_destroy(g->scratch);
}
